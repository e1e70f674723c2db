//! Text to terms: ISO 13211-1's syntax with user-defined operators.
//!
//! [`Lexer`] cuts a text into tokens; [`Parser`] builds one term at a time in a [`crate::term::Store`] by
//! operator precedence, with explicit stacks, so that a term may be nested as deep as memory allows. After a
//! syntax error reading goes on behind the next end of a clause.

mod digits;
mod flags;
mod layout;
mod lexer;
mod parser;

pub(crate) use digits::{begins_number, weight};
pub use flags::{Flags, Quotes};
pub use lexer::{Conversions, Lexer, SyntaxError, Token};
pub use parser::{FUNCTION_NAME, Parser, ReadTerm};
