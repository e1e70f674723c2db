//! What the solver must be told of a query beside what a proof needs.

use super::Writer;
use crate::base::arena::Id;
use crate::smt::term::{Op, Term, TermId};

impl Writer<'_> {
    /// Takes over all that applies functions which theories know by name, asserted or not: what the solver
    /// refuses to be told of, it refuses wherever it stands, also in what no proof needs. Nothing if a
    /// quantifier is in such a term.
    pub(super) fn mention_named(&mut self) -> Option<()> {
        let query = self.query;
        let named = |term: &Term| matches!(term, Term::Op(Op::Named(_) | Op::ConstArray(_), _));
        let mut wanted = vec![false; query.terms.len()];
        for (id, term) in query.terms.iter().rev() {
            wanted[id.index()] |= named(term);
            if wanted[id.index()] {
                term.for_each_part(|part| wanted[part.index()] = true);
            }
        }
        let mut copies: Vec<Option<TermId>> = Vec::with_capacity(wanted.len());
        for (id, term) in query.terms.iter() {
            let copied = |parts: &[TermId]| parts.iter().map(|part| copies[part.index()]).collect();
            copies.push(match term {
                _ if !wanted[id.index()] => None,
                Term::Quantifier(_) => return None,
                Term::Apply(function, parts) => {
                    let parts: Option<Vec<TermId>> = copied(parts);
                    Some(self.out.term(Term::Apply(*function, parts?)))
                }
                Term::Op(op, parts) => {
                    let parts: Option<Vec<TermId>> = copied(parts);
                    Some(self.out.op(op.clone(), parts?))
                }
                other => Some(self.out.term(other.clone())),
            });
        }
        Some(())
    }
}
