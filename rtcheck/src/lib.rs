//! Runs Prolog whose assertion checks are cheap enough to stay on.
//!
//! # The idea
//! Assertions say what the arguments of a predicate look like at its calls and successes: `:- pred len(L,N) :
//! list(L) => int(N).` Checking them at run time is simple and dear: each step of a recursion over a list walks
//! the whole list again, so a linear program becomes quadratic. But most of what a check walks over was checked
//! a moment ago and has not changed, and most properties are *monotonic*: what has a type keeps it however far
//! the program goes on binding variables. So the checker remembers pairs of a term's address and a type in a
//! small cache, and a check that meets such a pair ends there. No term changes its representation, no program
//! its code. What was true only because of a binding must be forgotten when backtracking undoes the binding:
//! that is the one thing that the cache and the machine have to agree on. After N. Stulova, J. F. Morales,
//! M. V. Hermenegildo, *Practical Run-time Checking via Unobtrusive Property Caching* (ICLP 2015).
//!
//! # The way of a program
//! ```text
//! text -> read -> assertions (conditions, contracts) -> compile (instructions) -> machine -> report
//!              \-> regtype (tree automata)  -------------> check (Algorithm 1, cache) <-/
//! ```
//! - [`term`]: tagged 64-bit cells in one store, addressed by index; trail, unification, order, writing.
//! - [`read`]: tokens and operator precedence, with explicit stacks.
//! - [`regtype`]: regular types as the states of one deterministic top-down tree automaton.
//! - [`check`]: the walk of the automaton over a term, and what it remembers.
//! - [`machine`]: instructions, stacks, choicepoints, exceptions; contracts around calls.
//! - [`assertions`]: the assertion language, its normal form, the transformed program.
//! - [`compile`]: clauses to instructions. [`analysis`]: which conditions cannot fail.
//! - [`builtins`]: built-in predicates, the library, loading.
//! - [`report`]: messages and statistics. [`session`]: one run from file to exit code.
//!
//! What is not here yet is told by `docs/gaps/rtcheck.md`.

pub mod base;
pub mod term;
pub mod read;
pub mod regtype;
pub mod check;
pub mod machine;
pub mod assertions;
pub mod compile;
pub mod analysis;
pub mod builtins;
pub mod report;
pub mod session;
