//! Where formulas stand, and which types quantifiers choose there.
//!
//! A quantifier over types that must be proved chooses a type, and one over values that must be proved (or,
//! of the other kind, assumed) a value. The type may depend on the values that were chosen around it: one
//! quantifier below two others chooses two types.

use rustc_hash::FxHashMap;

use super::{Translator, narrow};
use crate::base::arena::Id;
use crate::resolve::graph::{NodeId, NodeKind};
use crate::resolve::types::{TypeId, TypeVariableId};

/// Where a formula stands: assumed or to be proved, whether it is below a quantifier that is no choice of
/// one value, and the values that are chosen around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) assumed: bool,
    pub(super) below: bool,
    pub(super) values: Chosen,
}

/// Quantifiers that choose values, from the outermost one whose formula needs no other values to the
/// innermost one; their number in the list of all such chains.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Chosen(u32);

impl Chosen {
    const NONE: Self = Self(0);
}

/// The chains of quantifiers that choose values.
#[derive(Default)]
pub(super) struct Choices {
    /// All but the empty one.
    chains: Vec<Vec<usize>>,
    numbers: FxHashMap<Vec<usize>, Chosen>,
}

impl Choices {
    fn chain(&self, chosen: Chosen) -> &[usize] {
        let index = (chosen.0 as usize).checked_sub(1);
        index.and_then(|index| self.chains.get(index)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn number(&mut self, chain: Vec<usize>) -> Chosen {
        if let Some(known) = self.numbers.get(&chain) {
            return *known;
        }
        self.chains.push(chain.clone());
        let number = Chosen(narrow(self.chains.len()));
        self.numbers.insert(chain, number);
        number
    }
}

impl Place {
    pub(super) const ASSUMED: Self = Self { assumed: true, below: false, values: Chosen::NONE };
    pub(super) const PROVED: Self = Self { assumed: false, below: false, values: Chosen::NONE };

    pub(super) fn flipped(self) -> Self {
        Self { assumed: !self.assumed, ..self }
    }
}

impl Translator<'_> {
    /// What the choice of a quantifier depends on: the choices of values around it unless it needs none
    /// of them, and itself. One chain means the same choice wherever it stands.
    pub(super) fn choice(&self, quantifier: NodeId, place: Place) -> Vec<usize> {
        let graph = &self.program.graph;
        let open =
            graph.free_leaves(quantifier).iter().any(|leaf| matches!(graph.kind(*leaf), NodeKind::Bound(_)));
        let mut chain = if open { self.choices.chain(place.values).to_vec() } else { Vec::new() };
        chain.push(quantifier.index());
        chain
    }

    /// The type that a quantifier chooses for its variable. The type may depend on values that are chosen
    /// around it, so one quantifier chooses another type below each.
    pub(super) fn chosen_sort(
        &mut self,
        quantifier: NodeId,
        place: Place,
        variable: TypeVariableId,
    ) -> TypeId {
        let key = (self.choice(quantifier, place), variable.index());
        if let Some(ty) = self.known.chosen.get(&key).or_else(|| self.met.chosen.get(&key)) {
            return *ty;
        }
        let number = self.known.chosen.len() + self.met.chosen.len();
        let ty = self.fresh_type(&format!("any@{number}"));
        self.met.chosen.insert(key, ty);
        ty
    }
}
