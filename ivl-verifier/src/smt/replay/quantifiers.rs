//! What becomes of a quantifier: what it chooses is a skolem function, what it says of all is marked, or stands for its
//! instances.

use cache_core::digest::{Confirm, Encoder};

use super::{Around, MARK, SKOLEM, Scope, Want, Writer, written};
use crate::base::arena::Id;
use crate::smt::term::{Bound, Op, Quantifier, SortId, Term, TermId};
use crate::smt::text::sort_text;

impl Writer<'_> {
    pub(super) fn quantifier(
        &mut self,
        term: TermId,
        quantifier: &Quantifier,
        holds: bool,
        scope: usize,
    ) -> Option<TermId> {
        let outer = self.scopes.get(scope)?.clone();
        let id = self.identity(term, holds, outer.around);
        let mut inner = Scope { around: Some(id), ..outer.clone() };
        if quantifier.universal != holds {
            for (place, bound) in quantifier.bound.iter().enumerate() {
                let name = self.choice(id, place, bound)?;
                let function = self.added(&name, &outer.sorts, bound.sort);
                let choice = self.out.term(Term::Apply(function, outer.universal.clone()));
                inner.variables.insert(bound.clone(), choice);
            }
            self.scopes.push(inner);
            return self.term(quantifier.body, Want::Formula(holds), self.scopes.len() - 1);
        }
        let mark = format!("{MARK}{}", written(id.1));
        inner.sorts.extend(quantifier.bound.iter().map(|bound| bound.sort));
        let Some(instances) = &self.instances else {
            return self.kept(quantifier, holds, inner, &mark);
        };
        let depth = outer.universal.len();
        let matching = |terms: &&Vec<TermId>| terms.starts_with(&outer.universal);
        let found: Vec<Vec<TermId>> =
            instances.get(&mark).into_iter().flatten().filter(matching).cloned().collect();
        let mut parts = Vec::new();
        for terms in found {
            let own = terms.get(depth..).filter(|own| own.len() == quantifier.bound.len())?;
            let mut scope = inner.clone();
            scope.variables.extend(quantifier.bound.iter().cloned().zip(own.iter().copied()));
            scope.universal = terms;
            self.scopes.push(scope);
            parts.push(self.term(quantifier.body, Want::Formula(holds), self.scopes.len() - 1)?);
        }
        Some(match parts.as_slice() {
            [] => self.out.bool(holds),
            [only] => *only,
            _ => self.out.op(if holds { Op::And } else { Op::Or }, parts),
        })
    }

    /// A quantifier that stays, with its mark.
    fn kept(&mut self, quantifier: &Quantifier, holds: bool, mut inner: Scope, mark: &str) -> Option<TermId> {
        for bound in &quantifier.bound {
            let variable = self.out.term(Term::Bound(bound.clone()));
            inner.variables.insert(bound.clone(), variable);
            inner.universal.push(variable);
        }
        let formulas = self.formulas();
        let function = self.added(mark, &inner.sorts, formulas);
        let mark = self.out.term(Term::Apply(function, inner.universal.clone()));
        self.scopes.push(inner);
        let scope = self.scopes.len() - 1;
        let mut body = self.term(quantifier.body, Want::Formula(holds), scope)?;
        if !holds {
            body = self.out.op(Op::Not, vec![body]);
        }
        let body = self.out.op(Op::And, vec![body, mark]);
        let mut triggers = Vec::new();
        for terms in &quantifier.triggers {
            let copied: Option<Vec<TermId>> =
                terms.iter().map(|term| self.term(*term, Want::Copy, scope)).collect();
            triggers.push(copied?);
        }
        let mut no_triggers = vec![mark];
        for term in &quantifier.no_triggers {
            no_triggers.push(self.term(*term, Want::Copy, scope)?);
        }
        let kept = Quantifier {
            universal: true,
            bound: quantifier.bound.clone(),
            triggers,
            no_triggers,
            weight: quantifier.weight,
            body,
        };
        let kept = self.out.term(Term::Quantifier(Box::new(kept)));
        Some(if holds { kept } else { self.out.op(Op::Not, vec![kept]) })
    }

    /// What a quantifier is known by: what it says, whether that is asserted or denied, and what is around it. By that
    /// it is also known which of the variables around it are chosen.
    fn identity(&self, term: TermId, holds: bool, around: Around) -> (Confirm, Confirm) {
        let with = |own: Confirm, around: Option<Confirm>| {
            let mut encoder = Encoder::new();
            encoder.nested_confirm(own);
            encoder.bool(holds);
            around.into_iter().for_each(|around| encoder.nested_confirm(around));
            encoder.confirm()
        };
        let digest = with(self.digests[term.index()], around.map(|(digest, _)| digest));
        (digest, with(self.shapes[term.index()], around.map(|(_, shape)| shape)))
    }

    /// The name of what a quantifier chooses.
    fn choice(&self, (digest, shape): (Confirm, Confirm), place: usize, bound: &Bound) -> Option<String> {
        if self.one_choice {
            return Some(format!("{SKOLEM}{}", sort_text(self.query, bound.sort)));
        }
        let number = self.choosing.get(&shape)?.iter().position(|it| *it == digest)?;
        Some(format!("{SKOLEM}{} {place}@{number}", written(shape)))
    }

    /// Declares all skolem functions: terms of instances are made of them.
    pub(super) fn declare_choices(&mut self) {
        // Each quantifier under those that are around it, wherever these are.
        let mut work: Vec<(TermId, bool, Around, Vec<SortId>)> = Vec::new();
        let roots = self.query.background.iter().chain(&self.query.goal);
        work.extend(roots.map(|root| (*root, true, None, Vec::new())));
        // From the first one on, so that an edit behind it does not move its number.
        work.reverse();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((term, holds, around, sorts)) = work.pop() {
            if !self.quantified[term.index()] || !seen.insert((term, holds, around)) {
                continue;
            }
            if let Term::Quantifier(quantifier) = &self.query.terms[term] {
                let id = self.identity(term, holds, around);
                let mut inner = sorts.clone();
                if quantifier.universal == holds {
                    inner.extend(quantifier.bound.iter().map(|bound| bound.sort));
                } else {
                    let alike = self.choosing.entry(id.1).or_default();
                    if !alike.contains(&id.0) {
                        alike.push(id.0);
                    }
                    for (place, bound) in quantifier.bound.iter().enumerate() {
                        if let Some(name) = self.choice(id, place, bound) {
                            self.added(&name, &sorts, bound.sort);
                        }
                    }
                }
                work.push((quantifier.body, holds, Some(id), inner));
                continue;
            }
            let parts = self.parts(term, Want::Formula(holds)).unwrap_or_default();
            for (part, want) in parts.into_iter().rev() {
                if let Want::Formula(holds) = want {
                    work.push((part, holds, around, sorts.clone()));
                }
            }
        }
    }
}
