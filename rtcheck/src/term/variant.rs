//! Variants: terms that are equal up to a renaming of their variables.

use super::{Cell, Store, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether two terms are variants. Shared variables stand for different ones in each.
#[must_use]
pub fn is_variant(store: &Store, left: Cell, right: Cell) -> bool {
    let (mut to_right, mut to_left) = (FxHashMap::default(), FxHashMap::default());
    // Pairs that were met already; needed only where a term is cyclic or shares very much.
    let mut seen: FxHashSet<(Cell, Cell)> = FxHashSet::default();
    let mut steps = 0;
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        let (left, right) = (store.deref(left), store.deref(right));
        let equal = match (left.tag(), right.tag()) {
            (Tag::Ref, Tag::Ref) => {
                // What waits for a variable makes it another one than a variable for which nothing waits.
                store.is_attributed(left.index()) == store.is_attributed(right.index())
                    && *to_right.entry(left).or_insert(right) == right
                    && *to_left.entry(right).or_insert(left) == left
            }
            (Tag::Box, Tag::Box) => store.same_box(left, right),
            (Tag::Str | Tag::Lis, Tag::Str | Tag::Lis) => {
                steps += 1;
                let again = steps > store.len() && !seen.insert((left, right));
                let equal = store.functor(left) == store.functor(right);
                if equal && !again {
                    let ((first, count), (other, _)) = (store.arguments(left), store.arguments(right));
                    pending.extend((0..count).rev().map(|i| (store.at(first + i), store.at(other + i))));
                }
                equal
            }
            _ => left == right,
        };
        if !equal {
            return false;
        }
    }
    true
}
