//! What a reader is told: what text in quotes stands for, and how strict to be.

/// What a text in quotes stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quotes {
    /// A list of character codes.
    #[default]
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
    /// A string.
    String,
}

impl Quotes {
    /// The value of a flag with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "codes" => Self::Codes,
            "chars" => Self::Chars,
            "atom" => Self::Atom,
            "string" => Self::String,
            _ => return None,
        })
    }

    /// The name as the value of a flag.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Codes => "codes",
            Self::Chars => "chars",
            Self::Atom => "atom",
            Self::String => "string",
        }
    }
}

/// Flags that the reader obeys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// What a text in double quotes stands for.
    pub double_quotes: Quotes,
    /// What a text in back quotes stands for.
    pub back_quotes: Quotes,
    /// Whether only what the standard allows is read: no quoted text over several lines, no operator above 999 in an
    /// argument, no operator as an operand without brackets.
    pub strict: bool,
    /// Whether integers that divide to no integer give a rational number, and their negative powers too.
    pub rationals: bool,
    /// Whether a term in brackets may be followed by a point and a method: with Ciao's package `traits`.
    pub methods: bool,
}
