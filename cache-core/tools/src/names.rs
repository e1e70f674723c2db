//! Names of values: how the values of an option are written on command lines.
//!
//! An enumeration lists its values with their names once, by [`names!`](crate::names!), and has with that
//! the list for help texts, its text forms in both directions, and an error that tells what there is.
//!
//! ```
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! enum Colour {
//!     Red,
//!     DarkBlue,
//! }
//!
//! reprise_tools::names!(Colour, "colour": Red = "red", DarkBlue = "dark-blue");
//!
//! assert_eq!("dark-blue".parse(), Ok(Colour::DarkBlue));
//! assert_eq!(Colour::Red.to_string(), "red");
//! let error = "green".parse::<Colour>().unwrap_err();
//! assert_eq!(error.to_string(), "unknown colour `green`: use red or dark-blue");
//! ```

use std::fmt;

/// Gives an enumeration the constant `ALL`, the method `name`, `Display` and `FromStr`; see the
/// [module](mod@crate::names). Every value must be listed, in the order of help texts.
#[macro_export]
macro_rules! names {
    ($type:ty, $what:literal: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// All of them, in the order of help texts.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name on command lines.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|value| value.name() == text);
                found.ok_or_else(|| Self::Err::new($what, text, &Self::ALL.map(Self::name)))
            }
        }
    };
}

/// A name that no value has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    text: String,
    names: Vec<&'static str>,
}

impl UnknownName {
    /// What was to be named, what was written, and what there is.
    #[must_use]
    pub fn new(what: &'static str, text: &str, names: &[&'static str]) -> Self {
        Self { what, text: text.to_owned(), names: names.to_vec() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`: use ", self.what, self.text)?;
        match self.names.as_slice() {
            [] => f.write_str("none"),
            [only] => f.write_str(only),
            [first @ .., last] => write!(f, "{} or {last}", first.join(", ")),
        }
    }
}

impl std::error::Error for UnknownName {}
