//! Terms in the place of bound variables.

use rustc_hash::FxHashMap;

use super::Instantiation;
use crate::smt::term::{Bound, Quantifier, Term, TermId};

/// Terms that are put for bound variables. A binder inside hides variables that are its own.
pub(super) struct Substitution {
    /// What stands for which variables: the whole first, then what binders inside leave of it.
    scopes: Vec<Vec<(Bound, TermId)>>,
    memo: FxHashMap<(TermId, usize), TermId>,
}

impl Substitution {
    /// What is put for which variables.
    pub(super) fn new(put: Vec<(Bound, TermId)>) -> Self {
        Self { scopes: vec![put], memo: FxHashMap::default() }
    }

    /// The scope inside a binder.
    fn inside(&mut self, scope: usize, bound: &[Bound]) -> usize {
        if !self.scopes[scope].iter().any(|(variable, _)| bound.contains(variable)) {
            return scope;
        }
        let mut left = self.scopes[scope].clone();
        left.retain(|(variable, _)| !bound.contains(variable));
        match self.scopes.iter().position(|it| *it == left) {
            Some(known) => known,
            None => {
                self.scopes.push(left);
                self.scopes.len() - 1
            }
        }
    }

    /// The term with what is put for its variables; what it and its parts wish and offer goes along.
    pub(super) fn apply(&mut self, work: &mut Instantiation<'_>, root: TermId) -> TermId {
        let mut stack = vec![(root, 0, false)];
        while let Some((id, scope, ready)) = stack.pop() {
            if self.memo.contains_key(&(id, scope)) {
                continue;
            }
            let term = work.term(id).clone();
            let wish = work.hints.quantifiers.get(&id).cloned();
            let inner = match &term {
                Term::Quantifier(quantifier) => self.inside(scope, &quantifier.bound),
                _ => scope,
            };
            if !ready {
                stack.push((id, scope, true));
                term.for_each_part(|part| stack.push((part, inner, false)));
                for offer in wish.iter().flat_map(|wish| &wish.offers) {
                    stack.push((offer.term, inner, false));
                }
                continue;
            }
            let part = |id: &TermId| self.memo.get(&(*id, inner)).copied().unwrap_or(*id);
            let all = |ids: &[TermId]| ids.iter().map(part).collect::<Vec<_>>();
            let new = match term {
                Term::Bound(bound) => {
                    let put = self.scopes[scope].iter().find(|(variable, _)| *variable == bound);
                    put.map_or(id, |(_, term)| *term)
                }
                Term::Apply(function, parts) => work.builder.term(Term::Apply(function, all(&parts))),
                Term::Op(op, parts) => work.builder.term(Term::Op(op, all(&parts))),
                Term::Quantifier(quantifier) => {
                    let new = Quantifier {
                        triggers: quantifier.triggers.iter().map(|terms| all(terms)).collect(),
                        no_triggers: all(&quantifier.no_triggers),
                        body: part(&quantifier.body),
                        ..*quantifier
                    };
                    work.builder.term(Term::Quantifier(Box::new(new)))
                }
                _ => id,
            };
            if let Some(mut wish) = wish
                && new != id
            {
                wish.offers.iter_mut().for_each(|offer| offer.term = part(&offer.term));
                work.hints.wish(new, wish);
                work.touched.remove(&new);
            }
            self.memo.insert((id, scope), new);
        }
        self.memo.get(&(root, 0)).copied().unwrap_or(root)
    }
}
