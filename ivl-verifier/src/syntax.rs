//! Text to syntax trees.
//!
//! `directive` blanks out what does not count, [`lexer`] cuts the rest into tokens, [`parser`] builds the
//! tree of [`ast`] (recursive descent that goes on after mistakes as Boogie's does).
//! [`definitions`] tells what a tree's names mean, for editors. Names are interned in the tree's own table.
//!
//! Nesting of parentheses, types and statements is refused past [`parser::MAX_NESTING`], which bounds
//! every recursion over statements. Expressions can be deeper than that (a sum of 100,000 terms is a
//! left chain), so whoever walks expressions does it without recursion.

pub mod ast;
pub mod definitions;
mod directive;
mod external;
pub mod float;
pub mod lexer;
pub mod library;
pub mod parser;
pub mod print;
