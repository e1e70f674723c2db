//! Sequences that are not equal differ somewhere.
//!
//! Z3 finds two sequences equal where they are made of equal parts. Where others were put into them, in one order and
//! in another, that is a search among the parts without end. So of each two sequences of which an implementation claims
//! or denies that they are equal it is said that they are, or differ in length, or have a place with different
//! elements. This holds of all sequences, and the axioms of `seq.update` tell the elements at that place. Queries
//! without `seq.update` have none of it.

use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use super::Translator;
use super::builtin::UPDATE;
use crate::smt::term::{Op, Sort, SortId, Term, TermId};
use crate::smt::text::ELEMENT_INSIDE;

/// A part of what an implementation says, and whether the query can make use of it where it is true and where it is
/// false.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Claim {
    pub(super) term: TermId,
    pub(super) when_true: bool,
    pub(super) when_false: bool,
}

impl Claim {
    fn of(self, term: TermId) -> Self {
        Self { term, ..self }
    }

    fn negated(self, term: TermId) -> Self {
        Self { term, when_true: self.when_false, when_false: self.when_true }
    }

    fn either(term: TermId) -> Self {
        Self { term, when_true: true, when_false: true }
    }
}

impl Translator<'_> {
    /// Says where sequences differ that the implementation needs to differ. Comes when all axioms of `seq.update` are
    /// there.
    pub(super) fn finish_sequences(&mut self) {
        let updates = self.map_functions.iter().filter(|((name, _), _)| *name == UPDATE);
        let sorts: FxHashSet<SortId> =
            updates.map(|(_, function)| self.builder.query.functions[*function].result).collect();
        let claims = std::mem::take(&mut self.claims);
        if sorts.is_empty() {
            return;
        }
        for (one, other) in self.compared(claims, &sorts) {
            self.tell_place(one, other);
        }
    }

    /// The sequences of these sorts that may have to differ, in the order in which they are met.
    fn compared(&self, claims: Vec<Claim>, sorts: &FxHashSet<SortId>) -> Vec<(TermId, TermId)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut met = FxHashSet::default();
        let mut work = claims;
        work.reverse();
        while let Some(claim) = work.pop() {
            if !seen.insert(claim) {
                continue;
            }
            let Term::Op(op, parts) = &self.builder.query.terms[claim.term] else { continue };
            match (op, parts.as_slice()) {
                (Op::Not, parts) => work.extend(parts.iter().map(|part| claim.negated(*part))),
                (Op::And | Op::Or, parts) => work.extend(parts.iter().map(|part| claim.of(*part))),
                (Op::Implies, [premises @ .., conclusion]) => {
                    work.extend(premises.iter().map(|part| claim.negated(*part)));
                    work.push(claim.of(*conclusion));
                }
                (Op::IfThenElse, [condition, one, other]) => {
                    work.extend([Claim::either(*condition), claim.of(*one), claim.of(*other)]);
                }
                (Op::Eq, [one, other]) => {
                    match self.sequence_sort(*one).or_else(|| self.sequence_sort(*other)) {
                        None => work.extend([Claim::either(*one), Claim::either(*other)]),
                        Some(sort) => {
                            if claim.when_false && sorts.contains(&sort) && met.insert((*one, *other)) {
                                found.push((*one, *other));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The sort of a term, if it is seen to be a sequence.
    fn sequence_sort(&self, mut term: TermId) -> Option<SortId> {
        loop {
            match &self.builder.query.terms[term] {
                Term::Apply(function, _) => {
                    let sort = self.builder.query.functions[*function].result;
                    return matches!(self.builder.query.sorts[sort], Sort::Theory(..)).then_some(sort);
                }
                // What is joined or taken out is of the sort of what it is made of.
                Term::Op(Op::Named(name), parts) if name == "seq.++" || name == "seq.extract" => {
                    term = *parts.first()?;
                }
                _ => return None,
            }
        }
    }

    fn tell_place(&mut self, one: TermId, other: TermId) {
        let named = |name: &str| Op::Named(name.to_owned());
        let int = self.builder.sort(Sort::Int);
        let place = self.builder.declare("differ@", Vec::new(), int);
        let place = self.builder.term(Term::Apply(place, Vec::new()));
        let zero = self.builder.term(Term::Int(BigInt::from(0)));
        let [length, other_length] = [one, other].map(|it| self.builder.op(named("seq.len"), vec![it]));
        let [here, there] = [one, other].map(|it| self.builder.op(named(ELEMENT_INSIDE), vec![it, place]));
        let equal = self.builder.op(Op::Eq, vec![one, other]);
        let as_long = self.builder.op(Op::Eq, vec![length, other_length]);
        let longer = self.builder.op(Op::Not, vec![as_long]);
        let same = self.builder.op(Op::Eq, vec![here, there]);
        let first = self.builder.op(Op::Le, vec![zero, place]);
        let last = self.builder.op(Op::Lt, vec![place, length]);
        let differs = self.builder.op(Op::Not, vec![same]);
        let differs = self.builder.op(Op::And, vec![first, last, differs]);
        let known = self.builder.op(Op::Or, vec![equal, longer, differs]);
        self.builder.query.background.push(known);
    }
}
