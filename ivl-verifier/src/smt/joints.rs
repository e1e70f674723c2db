//! Joints: what Z3 looks for the second term of a trigger by.
//!
//! A trigger of several terms, as `{ f(g(x)), f(g(y)) }`, is matched term by term. For a term behind the first
//! Z3 goes through the applications that have an argument which is known by then, where there is one (a *joint*):
//! a term without bound variables, or a variable that an earlier term bound, as argument or as argument of one.
//! Otherwise it goes through *all* applications of the function, and of those that are congruent (`f(g(a))` and
//! `f(g(b))` where `a = b`) through every single one, so that the same pairs are found again and again. In programs
//! with many heaps, where one field read in each is the same, that took ten times what the proof takes.
//!
//! With an argument more, one constant for all, each such term has a joint, and Z3 leaves out what is congruent.
//! Boogie 2 has that argument by chance: under its encoding polymorphic functions take types. Here functions have
//! it that begin a term of a trigger with no other joint ([`Function::anchored`]); the solver's program and
//! [`text`](super::text) add it where they write applications, so that terms, models and instances do not know it.

use rustc_hash::FxHashSet;

use super::term::{Bound, FunctionId, Quantifier, Query, Term, TermId};

#[cfg(doc)]
use super::term::Function;

/// The name of the constant that is added, and of its sort; no name of a program has an `@`.
pub const ANCHOR: &str = "anchor@@";

/// Marks the functions of a query that need a joint.
pub(crate) fn anchor(query: &mut Query) {
    let mut found: Vec<FunctionId> = Vec::new();
    for (_, term) in query.terms.iter() {
        if let Term::Quantifier(quantifier) = term {
            for trigger in quantifier.triggers.iter().filter(|terms| terms.len() > 1) {
                found.extend((0..trigger.len()).filter_map(|at| unjoined(query, quantifier, trigger, at)));
            }
        }
    }
    for function in found {
        query.functions[function].anchored = true;
    }
}

/// The function of the term at a place of a trigger, if nothing in the term can be a joint.
fn unjoined(query: &Query, quantifier: &Quantifier, trigger: &[TermId], at: usize) -> Option<FunctionId> {
    let Term::Apply(function, arguments) = &query.terms[trigger[at]] else { return None };
    let others = trigger.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, term)| *term);
    let elsewhere = variables(query, quantifier, others);
    let joined = |argument: &TermId| {
        let is_met = |id: &TermId| matches!(&query.terms[*id], Term::Bound(it) if elsewhere.contains(it));
        let by_part = match &query.terms[*argument] {
            Term::Apply(_, parts) | Term::Op(_, parts) => parts.iter().any(is_met),
            _ => false,
        };
        is_met(argument) || by_part || variables(query, quantifier, [*argument]).is_empty()
    };
    (!arguments.is_empty() && !arguments.iter().any(joined)).then_some(*function)
}

/// The variables of a quantifier in some terms.
fn variables<'q>(
    query: &'q Query,
    quantifier: &Quantifier,
    terms: impl IntoIterator<Item = TermId>,
) -> FxHashSet<&'q Bound> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut work: Vec<TermId> = terms.into_iter().collect();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &query.terms[id] {
            Term::Bound(bound) if quantifier.bound.contains(bound) => {
                found.insert(bound);
            }
            term => term.for_each_part(|part| work.push(part)),
        }
    }
    found
}
