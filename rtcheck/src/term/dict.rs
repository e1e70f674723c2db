//! Dicts, as SWI-Prolog writes them: `Tag{key: value, ...}`.
//!
//! A dict is the term `'$dict'(Tag, [Key-Value, ...])` with its keys in the standard order, each once, so that
//! two dicts unify if their tags, keys and values do, and everything that handles terms handles dicts.

use super::{Atoms, Cell, Store, Tag, atom, compare};

/// The pairs of a dict, if a term is one.
#[must_use]
pub(crate) fn pairs(store: &Store, atoms: &Atoms, term: Cell) -> Option<(Cell, Vec<(Cell, Cell)>)> {
    let [tag, mut list] = store.match_structure::<2>(term, atom::DICT_FUNCTOR)?;
    let mut pairs: Vec<(Cell, Cell)> = Vec::new();
    while list.tag() == Tag::Lis {
        let [key, value] = store.match_structure::<2>(store.argument(list, 0), atom::MINUS)?;
        let in_order = pairs.last().is_none_or(|&(before, _)| compare(store, atoms, before, key).is_lt());
        if !is_key(key) || !in_order {
            return None;
        }
        pairs.push((key, value));
        list = store.deref(store.argument(list, 1));
    }
    // What stands for a variable in a term that is written is a tag as well.
    let numbered = || store.functor(tag) == Some((atom::VAR_FUNCTOR, 1));
    let tagged = matches!(tag.tag(), Tag::Ref | Tag::Atm) || numbered();
    (tagged && list == Cell::atom(atom::NIL)).then_some((tag, pairs))
}

/// The dict of a tag and then keys and values by turns, in any order.
///
/// # Errors
///
/// Says what is wrong with a key.
pub(crate) fn new(store: &mut Store, atoms: &Atoms, parts: &[Cell]) -> Result<Cell, String> {
    let Some((&tag, parts)) = parts.split_first() else { return Err("a dict without a tag".to_owned()) };
    let (parts, _) = parts.as_chunks::<2>();
    let mut pairs: Vec<(Cell, Cell)> = parts.iter().map(|&[key, value]| (store.deref(key), value)).collect();
    if pairs.iter().any(|&(key, _)| !is_key(key)) {
        return Err("a key of a dict is an atom or a small integer".to_owned());
    }
    pairs.sort_by(|left, right| compare(store, atoms, left.0, right.0));
    if pairs.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err("a key occurs twice in a dict".to_owned());
    }
    let pairs: Vec<Cell> =
        pairs.into_iter().map(|(key, value)| store.compound(atom::MINUS, &[key, value])).collect();
    let list = store.list(&pairs, Cell::atom(atom::NIL));
    Ok(store.compound(atom::DICT_FUNCTOR, &[tag, list]))
}

fn is_key(cell: Cell) -> bool {
    matches!(cell.tag(), Tag::Atm | Tag::Int)
}
