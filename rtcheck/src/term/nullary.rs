//! Compound terms without arguments, as SWI-Prolog writes them: `name()`.
//!
//! Such a term is `'$nullary'(name)`, so that unification, copies, records, indexing and collections know nothing of it,
//! and a term that differs from the atom. What tells names and arguments of terms (order, writing, `functor/3` and its
//! like) and what calls goals asks here.

use super::{Atom, Cell, Store, Tag, atom};

/// The name of a compound term without arguments, if a dereferenced term is one.
#[must_use]
pub(crate) fn name(store: &Store, term: Cell) -> Option<Atom> {
    let [name] = store.match_structure::<1>(term, atom::NULLARY_FUNCTOR)?;
    (name.tag() == Tag::Atm).then(|| name.as_atom())
}

/// The compound term `name()`.
pub(crate) fn new(store: &mut Store, name: Atom) -> Cell {
    store.compound(atom::NULLARY_FUNCTOR, &[Cell::atom(name)])
}

/// A goal or the head of a clause: of `name()` the atom, of anything else the term itself.
#[must_use]
pub(crate) fn as_goal(store: &Store, term: Cell) -> Cell {
    name(store, term).map_or(term, Cell::atom)
}
