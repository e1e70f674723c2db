//! Libraries that programs may ask for by name, as they may ask Boogie for its own: the names and meanings
//! of their declarations are Boogie's, the texts are ours.

/// The text of a library.
#[must_use]
pub fn library(name: &str) -> Option<&'static str> {
    match name {
        "base" => Some(include_str!("library/base.bpl")),
        "node" => Some(include_str!("library/node.bpl")),
        "set_size" => Some(include_str!("library/set_size.bpl")),
        _ => None,
    }
}
