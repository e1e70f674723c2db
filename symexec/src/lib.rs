//! Explores LLVM bitcode symbolically and sees through addresses in solver queries.
//!
//! # The idea
//! A symbolic executor runs a program on unknown inputs. At every branch it asks a solver which sides
//! are possible, and most of its time goes there. Many of these questions differ only in where the
//! program's objects happen to lie: a path that allocated one object more has all later objects at
//! other addresses, and no cache keyed by syntax recognizes the question again. D. Trabish,
//! S. Itzhaky and N. Rinetzky (*Address-Aware Query Caching for Symbolic Execution*, ICST 2021) keep
//! base addresses symbolic in the questions, so that two questions are the same when a bijection of
//! addresses leads from one to the other and sizes agree. This crate does that, decides which
//! questions it may do it for ([`expr::Class`]), and renames input bytes in the same way.
//!
//! # From a file to tests
//! ```text
//! .c .bc .ll --symexec-reader--> module --exec--> states over memory and expr
//!                                                   |  \
//!                                                   |   solver: chain of caches --> symexec-solver (Z3)
//!                                                   v
//!                                                testcase, report
//! ```
//! Modules are layers in the order `base module expr solver memory exec testcase capture report`; a lower one
//! never imports a higher one. LLVM and Z3 are linked into worker programs only.

pub mod base;
pub mod module;
pub mod expr;
pub mod solver;
pub mod memory;
pub mod exec;
pub mod testcase;
pub mod capture;
pub mod report;
