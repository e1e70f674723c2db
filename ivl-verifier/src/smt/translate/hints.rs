//! What quantifiers and lambdas say of pools of terms, told beside the query ([`crate::smt::pools`]).

use super::{Translated, Translator};
use crate::resolve::graph::{Hint, NodeKind, QuantifierNode};
use crate::smt::pools::{LambdaWish, Offer, Wish};
use crate::smt::term::{FunctionId as TermFunctionId, TermId};

impl Translator<'_> {
    /// What a quantifier says of pools, whose parts are done.
    pub(super) fn wish(&mut self, quantifier: &QuantifierNode) -> Translated<Option<Wish>> {
        let offers = match self.program.graph.kind(quantifier.body).clone() {
            NodeKind::Hinted(hints, _) => self.offers(&hints)?,
            _ => Vec::new(),
        };
        let wish = Wish { pools: quantifier.pools.clone(), offers };
        Ok((!wish.pools.is_empty() || !wish.offers.is_empty()).then_some(wish))
    }

    /// The same of a lambda with its axiom.
    pub(super) fn wish_of_lambda(
        &mut self,
        function: TermFunctionId,
        axiom: TermId,
        lambda: &QuantifierNode,
    ) -> Translated<()> {
        let Some(Wish { pools, offers }) = self.wish(lambda)? else { return Ok(()) };
        if !pools.is_empty() && pools.iter().all(|pools| !pools.is_empty()) {
            let arguments = self.builder.query.functions[function].arguments.len();
            self.hints.lambdas.entry(function).or_default().push(LambdaWish { axiom, arguments, pools });
            self.hints.wish(axiom, Wish { pools: Vec::new(), offers });
        }
        Ok(())
    }

    /// Terms for pools, which are done.
    pub(super) fn offers(&mut self, hints: &[Hint]) -> Translated<Vec<Offer>> {
        let mut offers = Vec::new();
        for Hint { pool, term, chosen_only } in hints {
            let sort = self.sort(self.program.graph.ty(*term))?;
            offers.push(Offer { pool: *pool, term: self.done(*term)?, sort, chosen_only: *chosen_only });
        }
        Ok(offers)
    }
}
