//! Tests of the verifier through its library, one file per subject.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod additions;
mod choices;
mod clients;
mod command;
mod concrete;
mod costly;
mod determinism;
mod edited;
mod editor;
mod edits;
mod figures;
mod fixed;
mod growth;
mod inferred;
mod intervals;
mod joints;
mod language;
mod front_end;
mod keys;
mod laws;
mod limits;
mod mistakes;
mod modifies;
mod mutants;
mod options;
mod order;
mod passive;
mod pieces;
mod printed;
mod replay;
mod sequences;
mod single;
mod solvers;
mod stability;
mod stale;
mod suite;
mod support;
mod synonyms;
mod team;
mod turns;
mod values;
mod worker;
