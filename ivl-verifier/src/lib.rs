//! Verifies Boogie programs and re-proves only what an edit touched.
//!
//! After K. R. M. Leino, V. Wüstholz, *Fine-Grained Caching of Verification Results* (CAV 2015). A
//! verifier for a modular language proves each implementation against its specification, knowing of the
//! others only their specifications. So the proof of an implementation stays true until something that
//! it depends on changes: its body, the specifications of what it calls, and the functions, axioms,
//! types, constants and variables that these mention. A snapshot of a program is compared with what was
//! proved before by a key over exactly these; whatever has a stored result is reported at once, and the
//! rest is verified, the most recently edited first. Of what is verified again, the single checks that the
//! edit cannot matter to are left out (section 4 of the paper).
//!
//! The stages, each a module that knows only those before it: [`base`], [`syntax`] (text to trees),
//! `resolve` (names and types), `transform` (what a run asks to be done to a program: inlining, unrolling,
//! bounds), `lower` (loops, calls and state removed), `snapshot` (checksums and keys), `vc` (verification
//! conditions), [`smt`] (terms of the solver), [`report`], [`service`] (the library's door). The solver
//! runs in the worker program `ivl-solver`.

pub mod base;
pub mod syntax;
pub(crate) mod resolve;
pub(crate) mod transform;
pub(crate) mod lower;
pub(crate) mod snapshot;
pub(crate) mod vc;
pub mod smt;
pub mod report;
pub mod service;
