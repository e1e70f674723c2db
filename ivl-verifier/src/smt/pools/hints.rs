//! What a program says of pools: which quantifiers and lambdas want terms, and what goes into them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::names::Symbol;
use crate::smt::term::{FunctionId, SortId, TermId};

/// A term that is put into a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) pool: Symbol,
    pub(crate) term: TermId,
    pub(crate) sort: SortId,
    /// Whether only values that are chosen put it there, not those that a pool gives.
    pub(crate) chosen_only: bool,
}

/// What is said of a quantifier.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// For each bound variable, its pools; empty if there are none at all.
    pub(crate) pools: Vec<Vec<Symbol>>,
    /// What it puts into pools, over its variables.
    pub(crate) offers: Vec<Offer>,
}

/// The axiom of a lambda: a quantifier over what is free in it and then its variables.
#[derive(Clone, Debug)]
pub(crate) struct LambdaWish {
    pub(crate) axiom: TermId,
    /// How many of the bound variables are arguments of the lambda's function.
    pub(crate) arguments: usize,
    /// The pools of the others.
    pub(crate) pools: Vec<Vec<Symbol>>,
}

/// What a program says of pools.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    pub(crate) quantifiers: FxHashMap<TermId, Wish>,
    pub(crate) lambdas: FxHashMap<FunctionId, Vec<LambdaWish>>,
    /// What commands put into pools; those in which a bound variable is free are not looked at.
    pub(crate) offers: Vec<Offer>,
}

impl Hints {
    /// Notes what is said of a quantifier. Quantifiers that differ in this alone are one term, with all of it.
    pub(crate) fn wish(&mut self, quantifier: TermId, wish: Wish) {
        let known = self.quantifiers.entry(quantifier).or_default();
        if known.pools.is_empty() {
            known.pools = wish.pools;
        } else {
            for (known, new) in known.pools.iter_mut().zip(wish.pools) {
                known.extend(new);
                let mut seen = FxHashSet::default();
                known.retain(|pool| seen.insert(*pool));
            }
        }
        for offer in wish.offers {
            if !known.offers.contains(&offer) {
                known.offers.push(offer);
            }
        }
    }

    /// Whether any quantifier could have an instance.
    pub(super) fn matter(&self) -> bool {
        let offered = !self.offers.is_empty() || self.quantifiers.values().any(|it| !it.offers.is_empty());
        offered && (!self.lambdas.is_empty() || self.quantifiers.values().any(|it| !it.pools.is_empty()))
    }
}
