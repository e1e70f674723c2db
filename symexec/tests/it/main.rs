//! Tests of the library and of its programs, in one binary.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod bad_input;
mod bits;
mod caches;
mod capture;
mod conditions;
mod cxx;
mod columns;
mod decoding;
mod decoding_law;
mod differential;
mod enumerate;
mod environment;
mod expressions;
mod external;
mod floats;
mod folders;
mod intrinsics;
mod jobs;
mod klee;
mod ktest;
mod memory;
mod outputs;
mod pointers;
mod program;
mod programs;
mod query_cache;
mod runtime;
mod rust;
mod seeds;
mod segments;
mod solvers;
mod table_one;
mod testcomp;
mod team;
mod world;
