//! Which types things are used at, round by round.

use std::collections::BTreeMap;

use super::Translator;
use crate::resolve::types::{TypeId, Types};

/// The types at which something was used, by their texts, so that the order is the same in every run.
pub(super) type Uses = BTreeMap<String, Vec<TypeId>>;

/// What one round of translation met, for the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// By the name of a function.
    pub(super) functions: BTreeMap<String, Uses>,
    /// By the text of a map type.
    pub(super) maps: BTreeMap<String, Uses>,
    pub(super) types: BTreeMap<String, TypeId>,
    /// The sorts that stand for the types which quantifiers choose, by what is chosen before them and the
    /// quantifiers themselves, and by their type variables.
    pub(super) chosen: BTreeMap<(Vec<usize>, usize), TypeId>,
    /// The type `OTHERS`, once it is needed.
    pub(super) others: Option<TypeId>,
}

impl Met {
    /// The types at which maps are used.
    pub(super) fn map_types(&self) -> Vec<TypeId> {
        let mut found: Vec<TypeId> = Vec::new();
        for ty in self.maps.values().flat_map(BTreeMap::values).flatten() {
            if !found.contains(ty) {
                found.push(*ty);
            }
        }
        found
    }

    fn depth(types: &Types, uses: &Uses) -> usize {
        uses.values().flatten().map(|ty| types.depth(*ty)).max().unwrap_or(0)
    }

    /// How deep the types are nested.
    pub(super) fn max_depth(&self, types: &Types) -> usize {
        let uses = self.functions.values().chain(self.maps.values());
        let used = uses.map(|uses| Self::depth(types, uses)).max().unwrap_or(0);
        used.max(self.types.values().map(|ty| types.depth(*ty)).max().unwrap_or(0))
    }

    /// Leaves out what is nested deeper than that.
    pub(super) fn limit(&mut self, types: &Types, depth: usize) {
        for uses in self.functions.values_mut().chain(self.maps.values_mut()) {
            uses.retain(|_, list| list.iter().all(|ty| types.depth(*ty) <= depth));
        }
        self.types.retain(|_, ty| types.depth(*ty) <= depth);
    }

    /// Adds what another round met; says whether anything is new.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (mine, theirs) in [(&mut self.functions, &other.functions), (&mut self.maps, &other.maps)] {
            for (name, uses) in theirs {
                mine.entry(name.clone()).or_default().extend(uses.clone());
            }
        }
        self.types.extend(other.types.clone());
        self.chosen.extend(other.chosen.clone());
        self.others = self.others.or(other.others);
        *self != before
    }
}

impl Translator<'_> {
    /// The text of a type; types of different texts are different.
    pub(super) fn shown(&self, ty: TypeId) -> String {
        let mut text = self.program.types.show(ty, &self.program.names, &self.program.type_names);
        if self.program.types.is_open(ty) {
            // A type variable may have the name of a type.
            text.push_str(" over variables");
        }
        text
    }

    pub(super) fn shown_list(&self, types: &[TypeId]) -> String {
        types.iter().map(|ty| format!(" ({})", self.shown(*ty))).collect()
    }

    /// Notes a type that values have.
    pub(super) fn meet_type(&mut self, ty: TypeId) {
        let text = self.shown(ty);
        self.met.types.insert(text, ty);
    }

    /// Notes a use of a function with type parameters.
    pub(super) fn meet_function(&mut self, name: &str, types: &[TypeId]) {
        let text = self.shown_list(types);
        self.met.functions.entry(name.to_owned()).or_default().insert(text, types.to_vec());
    }
}
