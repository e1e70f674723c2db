//! Integration tests, a file per subject.

#![expect(clippy::expect_used, reason = "helpers of tests may fail loudly")]

mod altered;
mod analysis;
mod assertions;
mod atoms;
mod attributes;
mod builtins;
mod check;
mod chr;
mod ciao;
mod clauses;
mod cli;
mod clpfd;
mod collect;
mod contracts;
mod conformity;
mod coroutines;
mod errors;
mod first_calls;
mod generate;
mod goals;
mod growing;
mod language;
mod libraries;
mod machine;
mod manual;
mod modules;
mod objects;
mod others;
mod programs;
mod random;
mod read;
mod reader_law;
mod regtype;
mod rules;
mod scryer;
mod solvers;
mod strings;
mod support;
mod switches;
mod syntax;
mod tabling;
mod text;
mod top;
mod unittest;
