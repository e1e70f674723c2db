//! The manual speaks of what is there, and of all of it.

use crate::support::output;
use rtcheck::builtins::{is_in_manual, manual_predicates};

/// Names that only stand for calls of closures, and what texts with dicts or other notations make of a dot.
const NO_GOALS: [&str; 7] = ["/", "\\", ":-", "^", ">>", ".", "{}"];

/// `Name/Arity` of all that a program sees without having defined or imported it.
fn library() -> Vec<(String, usize)> {
    let lines = output(
        "forall((predicate_property(system:H, visible), functor(H, N, A)), (write(N), write(' '), write(A), nl))",
    );
    let indicator = |line: &str| {
        let (name, arity) = line.rsplit_once(' ')?;
        Some((name.to_owned(), arity.parse().ok()?))
    };
    lines.lines().filter_map(indicator).filter(|(name, _)| !name.starts_with('$')).collect()
}

#[test]
fn the_manual_speaks_of_the_whole_library_and_of_nothing_else() {
    let library = library();
    assert!(library.len() > 600, "{}", library.len());
    let missing: Vec<_> = library
        .iter()
        .filter(|(name, arity)| !NO_GOALS.contains(&name.as_str()) && !is_in_manual(name, *arity))
        .collect();
    assert!(missing.is_empty(), "not in the manual: {missing:?}");
    // The top level answers these itself.
    let own = |name: &str, arity: usize| arity == 0 && name == "help";
    let unknown: Vec<_> = manual_predicates()
        .into_iter()
        .filter(|known| !library.contains(known) && !own(&known.0, known.1))
        .collect();
    assert!(unknown.is_empty(), "only in the manual: {unknown:?}");
}
