//! Sets of types: unions of intersections, which are what states of the automaton accept.

use super::Primitive;
use super::definition::Pattern;
use crate::term::Atom;

/// The number of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ItemId(pub(super) u32);

/// A type without free parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Primitive(Primitive),
    Instance(Atom, Vec<ItemId>),
    /// A pattern whose types have these parameters.
    Pattern(Pattern, Vec<ItemId>),
}

/// The terms that are in all of these; without any, every term. Sorted.
pub(super) type Meet = Vec<ItemId>;

/// The terms that are in one of these. Sorted; none contains another one.
pub(super) type Union = Vec<Meet>;

/// A union in its normal form.
pub(super) fn union_of(mut meets: Vec<Meet>) -> Union {
    meets.sort();
    meets.dedup();
    let includes =
        |meet: &Meet, more: &Meet| more.len() > meet.len() && meet.iter().all(|i| more.contains(i));
    let kept: Vec<Meet> =
        meets.iter().filter(|more| !meets.iter().any(|meet| includes(meet, more))).cloned().collect();
    kept
}
