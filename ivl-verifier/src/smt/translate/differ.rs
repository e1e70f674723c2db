//! Sequences that are not equal differ somewhere.
//!
//! Z3 finds two sequences equal where they are made of equal parts. Where others were put into them, in one order and
//! in another, that is a search among the parts without end. So of each two sequences of which an implementation claims
//! or denies that they are equal it is said that they are, or differ in length, or have a place with different
//! elements; and if these are sequences, where they differ. This holds of all sequences, and the axioms of `seq.update`
//! tell the elements at that place. Queries without `seq.update` have none of it.

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
        let mut sorts: FxHashSet<SortId> =
            updates.map(|(_, function)| self.builder.query.functions[*function].result).collect();
        sorts.retain(|sort| self.is_theory(*sort));
        let claims = std::mem::take(&mut self.claims);
        if sorts.is_empty() {
            return;
        }
        for (one, other, sort) in self.compared(claims, &sorts) {
            self.tell_place(one, other, sort, &sorts);
        }
    }

    /// The sequences of these sorts, or with such inside, that may have to differ, in the order in which they are met.
    fn compared(&self, claims: Vec<Claim>, sorts: &FxHashSet<SortId>) -> Vec<(TermId, TermId, SortId)> {
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
                    let (one, other) = self.only_elements(*one, *other);
                    let sort = self.sort_of(one).or_else(|| self.sort_of(other));
                    match sort.filter(|it| self.is_theory(*it)) {
                        None => work.extend([Claim::either(one), Claim::either(other)]),
                        Some(sort) => {
                            if claim.when_false && self.has(sort, sorts) && met.insert((one, other)) {
                                found.push((one, other, sort));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// What differs where two terms do: the elements, if both are sequences of one.
    fn only_elements(&self, mut one: TermId, mut other: TermId) -> (TermId, TermId) {
        let terms = &self.builder.query.terms;
        let only = |term: TermId| match &terms[term] {
            Term::Op(Op::Named(name), parts) if name == "seq.unit" => parts.first().copied(),
            _ => None,
        };
        while let (Some(from_one), Some(from_other)) = (only(one), only(other)) {
            (one, other) = (from_one, from_other);
        }
        (one, other)
    }

    /// Whether a sequence is of one of these sorts, or its elements are, or theirs.
    fn has(&self, mut sort: SortId, sorts: &FxHashSet<SortId>) -> bool {
        loop {
            if sorts.contains(&sort) {
                return true;
            }
            let Some(element) = self.element_sort(sort) else { return false };
            sort = element;
        }
    }

    /// The sort of what is inside, if a sort is one of sequences.
    fn element_sort(&self, sort: SortId) -> Option<SortId> {
        match &self.builder.query.sorts[sort] {
            Sort::Theory(name, elements) if name == "Seq" => elements.first().copied(),
            _ => None,
        }
    }

    fn is_theory(&self, sort: SortId) -> bool {
        matches!(self.builder.query.sorts[sort], Sort::Theory(..))
    }

    /// The sort of a term, if it is seen without asking a solver.
    fn sort_of(&self, mut term: TermId) -> Option<SortId> {
        let query = &self.builder.query;
        // How often something was taken out of what is looked at.
        let mut inside = 0_u32;
        let mut sort = loop {
            match &query.terms[term] {
                Term::Apply(function, _) => break query.functions[*function].result,
                Term::Bound(bound) => break bound.sort,
                Term::Op(Op::Field(datatype, constructor, field), _) => {
                    let datatype = query.datatypes.iter().find(|it| it.name == *datatype)?;
                    let constructor = datatype.constructors.get(*constructor as usize)?;
                    break constructor.fields.get(*field as usize)?.1;
                }
                Term::Op(op, parts) => {
                    term = match (op, parts.as_slice()) {
                        // What is joined or taken out is of the sort of what it is made of.
                        (Op::Named(name), [whole, ..]) if name == "seq.++" || name == "seq.extract" => *whole,
                        (Op::Store, [whole, ..]) | (Op::IfThenElse, [_, whole, _]) => *whole,
                        (Op::Named(name), [whole, ..]) if name == "seq.nth" => {
                            inside += 1;
                            *whole
                        }
                        (Op::Select, [whole, ..]) => {
                            inside += 1;
                            *whole
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        };
        for _ in 0..inside {
            sort = match &query.sorts[sort] {
                Sort::Array(_, element) => *element,
                _ => self.element_sort(sort)?,
            };
        }
        Some(sort)
    }

    /// Says that two sequences are equal or differ, in length or at a place; and if sequences are at that place, where
    /// these differ.
    fn tell_place(&mut self, one: TermId, other: TermId, sort: SortId, sorts: &FxHashSet<SortId>) {
        let named = |name: &str| Op::Named(name.to_owned());
        let int = self.builder.sort(Sort::Int);
        let (mut one, mut other, mut next) = (one, other, Some(sort));
        // Terms are made in one order whatever is inside, from the outer sequences on: queries about sequences of one
        // level do not change their bytes with what is said of others.
        let mut levels = Vec::new();
        while let Some(sort) = next.filter(|it| self.has(*it, sorts)) {
            let place = self.builder.declare("differ@", Vec::new(), int);
            let place = self.builder.term(Term::Apply(place, Vec::new()));
            let zero = self.builder.term(Term::Int(BigInt::from(0)));
            let lengths = [one, other].map(|it| self.builder.op(named("seq.len"), vec![it]));
            let elements = [one, other].map(|it| self.builder.op(named(ELEMENT_INSIDE), vec![it, place]));
            levels.push(([one, other], [zero, place], lengths, elements));
            [one, other] = elements;
            next = self.element_sort(sort);
        }
        // In which ways the elements can differ; what is no sequence has none to choose from.
        let mut ways = Vec::new();
        let mut known = Vec::new();
        while let Some((pair, [zero, place], [length, other_length], elements)) = levels.pop() {
            let equal = self.builder.op(Op::Eq, pair.to_vec());
            let as_long = self.builder.op(Op::Eq, vec![length, other_length]);
            let longer = self.builder.op(Op::Not, vec![as_long]);
            let same = self.builder.op(Op::Eq, elements.to_vec());
            let first = self.builder.op(Op::Le, vec![zero, place]);
            let last = self.builder.op(Op::Lt, vec![place, length]);
            let mut differs = self.builder.op(Op::Not, vec![same]);
            if !ways.is_empty() {
                let somehow = self.builder.op(Op::Or, ways);
                differs = self.builder.op(Op::And, vec![differs, somehow]);
            }
            ways = vec![longer, self.builder.op(Op::And, vec![first, last, differs])];
            known = [vec![equal], ways.clone()].concat();
        }
        let known = self.builder.op(Op::Or, known);
        self.builder.query.background.push(known);
    }
}
