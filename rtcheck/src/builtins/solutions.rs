//! Collecting solutions: a bag per findall/3 under way, and the groups of bagof/3.
//!
//! Solutions are records outside the store, since backtracking removes everything from it.

use super::lists::list_argument;
use crate::machine::{Bag, Machine, Outcome};
use crate::term::{Cell, Record, Tag, atom, compare, variables};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("$bag_new", 1, |m| {
        let level = m.level();
        // A bag lives as long as the choicepoint above which its goal runs; an exception or a cut may have
        // removed that without asking.
        while m.bags.last().is_some_and(|bag| bag.level >= level) {
            pop_bag(m);
        }
        m.bags.push(Bag { level, solutions: Vec::new(), bytes: 0 });
        let handle = Cell::count(m.bags.len() - 1);
        Ok(m.unify_argument(0, handle))
    });
    machine.define_builtin("$bag_add", 2, |m| {
        let handle = m.argument(0).int_value() as usize;
        let record = Record::new(&m.store, m.argument(1));
        if let Some(bag) = m.bags.get_mut(handle) {
            let bytes = record.bytes();
            bag.bytes += bytes;
            bag.solutions.push(record);
            m.hold(bytes);
        }
        Ok(true)
    });
    // '$bag_take'(Bag, Solutions, Tail)
    machine.define_builtin("$bag_take", 3, |m| {
        let handle = m.argument(0).int_value() as usize;
        let tail = m.argument(2);
        while m.bags.len() > handle + 1 {
            pop_bag(m);
        }
        let solutions = pop_bag(m);
        let elements: Vec<Cell> = solutions.iter().map(|record| record.restore(&mut m.store)).collect();
        let list = m.store.list(&elements, tail);
        Ok(m.unify_argument(1, list))
    });
    // '$bag_drain'(Bag, Count, Solutions, Tail): takes the solutions once there are so many, and leaves the bag.
    machine.define_builtin("$bag_drain", 4, |m| {
        let handle = m.argument(0).int_value() as usize;
        // More than a small integer says is more than there ever are.
        let count = m.argument(1);
        let count = if count.tag() == Tag::Int { count.int_value() as usize } else { usize::MAX };
        let tail = m.argument(3);
        let Some(bag) = m.bags.get_mut(handle).filter(|bag| bag.solutions.len() >= count) else {
            return Ok(false);
        };
        let solutions = std::mem::take(&mut bag.solutions);
        m.outside -= std::mem::take(&mut bag.bytes);
        let elements: Vec<Cell> = solutions.iter().map(|record| record.restore(&mut m.store)).collect();
        let list = m.store.list(&elements, tail);
        Ok(m.unify_argument(2, list))
    });
    machine.define_builtin("$check_list", 1, |m| super::lists::check_result_list(m, 0).map(|()| true));
    machine.define_builtin("$ground_groups", 2, ground_groups);
    machine.define_builtin("$free_variables", 3, free_variables);
}

/// Removes the innermost bag.
fn pop_bag(m: &mut Machine) -> Vec<Record> {
    let bag = m.bags.pop();
    m.outside -= bag.as_ref().map_or(0, |bag| bag.bytes);
    bag.map(|bag| bag.solutions).unwrap_or_default()
}

/// `'$ground_groups'(Pairs, Groups)`: sorted pairs `Witness-Solution` as pairs of a witness and the list of its
/// solutions. Fails if a witness has variables.
fn ground_groups(m: &mut Machine) -> Outcome {
    let mut groups: Vec<(Cell, Vec<Cell>)> = Vec::new();
    for pair in list_argument(m, 0)? {
        let Some([witness, solution]) = m.store.match_structure::<2>(pair, atom::MINUS) else {
            return m.type_error_named("pair", pair);
        };
        match groups.last_mut() {
            Some((last, solutions)) if compare(&m.store, &m.atoms, *last, witness).is_eq() => {
                solutions.push(solution);
            }
            _ if !variables(&m.store, witness).is_empty() => return Ok(false),
            _ => groups.push((witness, vec![solution])),
        }
    }
    let mut cells = Vec::with_capacity(groups.len());
    for (witness, solutions) in groups {
        let list = m.store.list(&solutions, Cell::atom(atom::NIL));
        cells.push(m.store.compound(atom::MINUS, &[witness, list]));
    }
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// `'$free_variables'(Goal, Bound, Free)`: the variables of a goal that do not occur in another term.
fn free_variables(m: &mut Machine) -> Outcome {
    let bound: rustc_hash::FxHashSet<Cell> = variables(&m.store, m.argument(1)).into_iter().collect();
    let mut free = variables(&m.store, m.argument(0));
    free.retain(|variable| !bound.contains(variable));
    let list = m.store.list(&free, Cell::atom(atom::NIL));
    Ok(m.unify_argument(2, list))
}
