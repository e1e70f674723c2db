//! Lists: sorting, finding, measuring; what would cost too much in Prolog.

use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Tag, atom, compare, dict};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("msort", 2, |m| sort(m, false));
    machine.define_builtin("sort", 2, |m| sort(m, true));
    machine.define_builtin("sort", 4, sort_by);
    machine.define_builtin("keysort", 2, keysort);
    machine.define_builtin("list_to_set", 2, list_to_set);
    machine.define_builtin("memberchk", 2, memberchk);
    machine.define_builtin("is_list", 1, |m| Ok(m.store.list_elements(m.argument(0)).is_ok()));
    machine.define_builtin("$skip_list", 3, skip_list);
    machine.define_builtin("$element", 3, element);
}

/// A proper list, or the error that its absence is.
pub(super) fn list_argument(machine: &mut Machine, i: usize) -> Result<Vec<Cell>, Throw> {
    let list = machine.argument(i);
    match machine.store.list_elements(list) {
        Ok(elements) => Ok(elements),
        Err(tail) if tail.tag() == Tag::Ref => machine.instantiation_error(),
        Err(_) => machine.type_error(atom::LIST, list),
    }
}

/// An argument that is unified with a list: it must be a list or may become one.
pub(super) fn check_result_list(machine: &mut Machine, i: usize) -> Result<(), Throw> {
    let list = machine.argument(i);
    let mut cell = list;
    let mut steps = 0;
    while cell.tag() == Tag::Lis && steps <= machine.store.len() {
        cell = machine.store.argument(cell, 1);
        steps += 1;
    }
    if cell.tag() == Tag::Ref || cell == Cell::atom(atom::NIL) {
        return Ok(());
    }
    machine.type_error(atom::LIST, list)
}

fn order(m: &Machine, left: Cell, right: Cell) -> Ordering {
    compare(&m.store, &m.atoms, left, right)
}

fn give_list(m: &mut Machine, i: usize, elements: &[Cell]) -> bool {
    let list = m.store.list(elements, Cell::atom(atom::NIL));
    m.unify_argument(i, list)
}

fn sort(m: &mut Machine, unique: bool) -> Outcome {
    let mut elements = list_argument(m, 0)?;
    check_result_list(m, 1)?;
    elements.sort_by(|&left, &right| order(m, left, right));
    if unique {
        elements.dedup_by(|left, right| order(m, *left, *right).is_eq());
    }
    Ok(give_list(m, 1, &elements))
}

/// The pairs of keys and elements in the order of the keys; equal keys keep the elements' order.
fn sorted(m: &Machine, mut keyed: Vec<(Cell, Cell)>, descending: bool) -> Vec<(Cell, Cell)> {
    keyed.sort_by(
        |&(left, _), &(right, _)| {
            if descending { order(m, right, left) } else { order(m, left, right) }
        },
    );
    keyed
}

fn keysort(m: &mut Machine) -> Outcome {
    let elements = list_argument(m, 0)?;
    check_result_list(m, 1)?;
    let mut keyed = Vec::with_capacity(elements.len());
    for pair in elements {
        match m.store.match_structure::<2>(pair, atom::MINUS) {
            Some([key, _]) => keyed.push((key, pair)),
            None => return m.type_error_named("pair", pair),
        }
    }
    // What the result's argument holds so far must be pairs as well.
    let mut rest = m.argument(1);
    let mut steps = 0;
    while rest.tag() == Tag::Lis && steps <= m.store.len() {
        let element = m.store.argument(rest, 0);
        if element.tag() != Tag::Ref && m.store.match_structure::<2>(element, atom::MINUS).is_none() {
            return m.type_error_named("pair", element);
        }
        rest = m.store.argument(rest, 1);
        steps += 1;
    }
    let pairs: Vec<Cell> = sorted(m, keyed, false).into_iter().map(|(_, pair)| pair).collect();
    Ok(give_list(m, 1, &pairs))
}

/// `sort(Key, Order, List, Sorted)`: by an argument, an argument of an argument, a key of dicts, or by the whole element
/// if `Key` is 0; equal ones are dropped by `@<` and `@>`, kept by `@=<` and `@>=`.
fn sort_by(m: &mut Machine) -> Outcome {
    let (key, wanted) = (m.argument(0), m.argument(1));
    // A list of keys leads into the arguments of arguments.
    let path = match (key.tag(), m.store.list_elements(key)) {
        (Tag::Int, _) => vec![key],
        (Tag::Atm, _) if key.as_atom() != atom::NIL => vec![key],
        (Tag::Ref, _) => return m.instantiation_error(),
        (_, Ok(keys)) if !keys.is_empty() => keys,
        _ => return m.type_error_named("sort_key", key),
    };
    for &step in &path {
        match step.tag() {
            Tag::Int if step.int_value() < 0 => return m.domain_error("not_less_than_zero", step),
            Tag::Int | Tag::Atm => {}
            Tag::Ref => return m.instantiation_error(),
            _ => return m.type_error_named("sort_key", step),
        }
    }
    if wanted.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, wanted);
    }
    // As SWI-Prolog does, the names of comparisons of numbers are taken for those of terms.
    let (descending, unique) = match m.atoms.text(wanted.as_atom()) {
        "@<" | "<" => (false, true),
        "@=<" | "=<" => (false, false),
        "@>" | ">" => (true, true),
        "@>=" | ">=" => (true, false),
        _ => return m.domain_error("order", wanted),
    };
    let elements = list_argument(m, 2)?;
    let mut keyed = Vec::with_capacity(elements.len());
    for element in elements {
        let mut key = element;
        for &step in path.iter().filter(|step| **step != Cell::int(0)) {
            if step.tag() == Tag::Atm {
                key = value_in_dict(m, key, step)?;
                continue;
            }
            let (first, count) = m.store.arguments(key);
            let position = step.int_value() as usize;
            if count == 0 {
                return m.type_error(atom::COMPOUND, key);
            }
            if position > count {
                let kind = Cell::atom(m.atoms.intern("argument"));
                let name = m.atoms.intern("existence_error");
                let formal = m.store.compound(name, &[kind, step, key]);
                return m.throw_error(formal);
            }
            key = m.store.deref(m.store.at(first + position - 1));
        }
        keyed.push((key, element));
    }
    let mut keyed = sorted(m, keyed, descending);
    if unique {
        keyed.dedup_by(|(left, _), (right, _)| order(m, *left, *right).is_eq());
    }
    let elements: Vec<Cell> = keyed.into_iter().map(|(_, element)| element).collect();
    Ok(give_list(m, 3, &elements))
}

/// The value of a key of a dict.
fn value_in_dict(m: &mut Machine, dict: Cell, key: Cell) -> Result<Cell, Throw> {
    let Some((_, pairs)) = dict::pairs(&m.store, &m.atoms, dict) else {
        return m.type_error_named("dict", dict);
    };
    match pairs.into_iter().find(|&(known, _)| known == key) {
        Some((_, value)) => Ok(m.store.deref(value)),
        None => {
            let (name, kind) = (m.atoms.intern("existence_error"), Cell::atom(m.atoms.intern("key")));
            let formal = m.store.compound(name, &[kind, key, dict]);
            m.throw_error(formal)
        }
    }
}

/// `list_to_set(List, Set)`: of identical elements the first.
fn list_to_set(m: &mut Machine) -> Outcome {
    let elements = list_argument(m, 0)?;
    // Atoms and small integers are told apart by their words, others by sorting.
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let mut others: Vec<usize> = (0..elements.len()).filter(|&i| !elements[i].is_immediate()).collect();
    others.sort_by(|&left, &right| order(m, elements[left], elements[right]).then(left.cmp(&right)));
    others.dedup_by(|later, earlier| order(m, elements[*later], elements[*earlier]).is_eq());
    let first: FxHashSet<usize> = others.into_iter().collect();
    let set: Vec<Cell> = elements
        .iter()
        .enumerate()
        .filter(
            |&(i, &element)| {
                if element.is_immediate() { seen.insert(element) } else { first.contains(&i) }
            },
        )
        .map(|(_, &element)| element)
        .collect();
    Ok(give_list(m, 1, &set))
}

/// `memberchk(Element, List)`: the first element that unifies; a partial list gets it as its next one. What ends in
/// another term than `[]` is a type error that names this term, as in SWI-Prolog, where no element in front unifies.
fn memberchk(m: &mut Machine) -> Outcome {
    let (element, mut list) = (m.argument(0), m.argument(1));
    let mut steps = 0;
    while list.tag() == Tag::Lis {
        // A cyclic list was seen whole after as many steps; it is no list.
        if steps > m.store.len() {
            let whole = m.argument(1);
            return m.type_error(atom::LIST, whole);
        }
        steps += 1;
        let candidate = m.store.argument(list, 0);
        // Of two words that tell terms whole only equal ones unify.
        if candidate == element || !(candidate.is_immediate() && element.is_immediate()) {
            let trail = m.store.trail.len();
            let woken = m.store.woken();
            let boundary = std::mem::replace(&mut m.store.boundary, usize::MAX);
            let unified = m.store.unify(element, candidate);
            m.store.boundary = boundary;
            let waits = m.store.woken() > woken;
            if unified && !waits {
                return Ok(true);
            }
            m.store.undo_to(trail);
            m.store.forget_woken(woken);
            if waits {
                // What waits for the variables may object.
                let name = m.atoms.intern("$memberchk");
                let goal = m.store.compound(name, &[element, list]);
                return m.run_inside(goal);
            }
        }
        list = m.store.argument(list, 1);
    }
    if list == Cell::atom(atom::NIL) {
        return Ok(false);
    }
    if list.tag() != Tag::Ref {
        return m.type_error(atom::LIST, list);
    }
    if m.store.is_attributed(list.index()) {
        // What waits for the tail may have another element first.
        let name = m.atoms.intern("$memberchk");
        let goal = m.store.compound(name, &[element, list]);
        return m.run_inside(goal);
    }
    let rest = m.store.variable();
    let cell = m.store.cons(element, rest);
    Ok(m.store.unify(list, cell))
}

/// `'$skip_list'(Length, List, Tail)`: how many list cells there are in front of the tail, which is a list cell
/// if the list is cyclic.
fn skip_list(m: &mut Machine) -> Outcome {
    let mut cell = m.argument(1);
    let mut length = 0;
    while cell.tag() == Tag::Lis && length <= m.store.len() {
        length += 1;
        cell = m.store.argument(cell, 1);
    }
    Ok(m.unify_argument(0, Cell::count(length)) && m.unify_argument(2, cell))
}

/// `'$element'(Index, List, Element)`: the element at an index from 0.
fn element(m: &mut Machine) -> Outcome {
    let (index, mut list) = (m.argument(0), m.argument(1));
    let Ok(mut index) = usize::try_from(index.int_value()) else { return Ok(false) };
    while list.tag() == Tag::Lis {
        if index == 0 {
            let found = m.store.argument(list, 0);
            return Ok(m.unify_argument(2, found));
        }
        index -= 1;
        list = m.store.argument(list, 1);
    }
    Ok(false)
}
