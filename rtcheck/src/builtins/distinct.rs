//! Different values for all variables: which values no choice contains (Régin's filter), for the library `clpfd`.
//!
//! A matching gives each variable a value of its own. Another value is possible for a variable if it lies on a circle
//! of edges that are alternately in the matching and not, or on such a path from a value that nobody has.

use crate::machine::{Machine, Outcome};
use crate::term::{Cell, Tag, atom};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

pub(super) fn define(machine: &mut Machine) {
    // '$distinct'(Domains, Possible): lists of lists of integers. Fails if there are too few values.
    machine.define_builtin("$distinct", 2, distinct);
}

fn distinct(m: &mut Machine) -> Outcome {
    let lists = m.store.list_elements(m.argument(0)).unwrap_or_default();
    let mut numbers: FxHashMap<i64, usize> = FxHashMap::default();
    let mut values: Vec<i64> = Vec::new();
    let mut domains: Vec<Vec<usize>> = Vec::new();
    for list in lists {
        let mut domain = Vec::new();
        for cell in m.store.list_elements(list).unwrap_or_default() {
            let cell = m.store.deref(cell);
            if cell.tag() != Tag::Int {
                // Too large for a cell: nothing is left out.
                let all = m.argument(0);
                return Ok(m.unify_argument(1, all));
            }
            domain.push(*numbers.entry(cell.int_value()).or_insert_with(|| {
                values.push(cell.int_value());
                values.len() - 1
            }));
        }
        domains.push(domain);
    }
    let Some(possible) = filter(&domains, values.len()) else { return Ok(false) };
    let lists: Vec<Cell> = possible
        .into_iter()
        .map(|domain| {
            let cells: Vec<Cell> = domain.into_iter().map(|value| Cell::int(values[value])).collect();
            m.store.list(&cells, Cell::atom(atom::NIL))
        })
        .collect();
    let list = m.store.list(&lists, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// The values of each variable that some choice of different values contains; `None` if there is no choice.
fn filter(domains: &[Vec<usize>], count: usize) -> Option<Vec<Vec<usize>>> {
    let mut chosen: Vec<Option<usize>> = vec![None; domains.len()];
    let mut owner: Vec<Option<usize>> = vec![None; count];
    for variable in 0..domains.len() {
        augment(variable, domains, &mut chosen, &mut owner)?;
    }
    // From a value to the variables that could have it instead of their own.
    let mut wanted: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (variable, domain) in domains.iter().enumerate() {
        for &value in domain {
            if chosen[variable] != Some(value) {
                wanted[value].push(variable);
            }
        }
    }
    // Steps go from a value over a variable that wants it to that variable's own value.
    let next: Vec<Vec<usize>> = wanted
        .iter()
        .map(|wanting| wanting.iter().filter_map(|&variable| chosen[variable]).collect())
        .collect();
    let mut free = vec![false; count];
    let mut pending: Vec<usize> = (0..count).filter(|&value| owner[value].is_none()).collect();
    while let Some(value) = pending.pop() {
        if !std::mem::replace(&mut free[value], true) {
            pending.extend(&next[value]);
        }
    }
    let component = components(&next);
    Some(
        domains
            .iter()
            .enumerate()
            .map(|(variable, domain)| {
                let own = chosen[variable];
                let stays = |&value: &usize| {
                    own == Some(value)
                        || free[value]
                        || own.is_some_and(|own| component[own] == component[value])
                };
                domain.iter().copied().filter(stays).collect()
            })
            .collect(),
    )
}

/// Gives a variable a value, others perhaps another one.
fn augment(
    variable: usize,
    domains: &[Vec<usize>],
    chosen: &mut [Option<usize>],
    owner: &mut [Option<usize>],
) -> Option<()> {
    // From which variable each value was reached.
    let mut from: FxHashMap<usize, usize> = FxHashMap::default();
    let mut pending = VecDeque::from([variable]);
    while let Some(wanting) = pending.pop_front() {
        for &value in &domains[wanting] {
            if from.contains_key(&value) {
                continue;
            }
            from.insert(value, wanting);
            if let Some(other) = owner[value] {
                pending.push_back(other);
                continue;
            }
            let mut value = value;
            loop {
                let taker = *from.get(&value)?;
                owner[value] = Some(taker);
                match chosen[taker].replace(value) {
                    Some(left) => value = left,
                    None => return Some(()),
                }
            }
        }
    }
    None
}

/// The number of the strongly connected component of each node.
fn components(next: &[Vec<usize>]) -> Vec<usize> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (node, others) in next.iter().enumerate() {
        for &other in others {
            before[other].push(node);
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    for start in 0..next.len() {
        let mut pending = vec![(start, false)];
        while let Some((node, done)) = pending.pop() {
            if done {
                order.push(node);
            } else if !std::mem::replace(&mut seen[node], true) {
                pending.push((node, true));
                pending.extend(next[node].iter().map(|&other| (other, false)));
            }
        }
    }
    let mut component = vec![usize::MAX; next.len()];
    for (number, &start) in order.iter().rev().enumerate() {
        let mut pending = vec![start];
        while let Some(node) = pending.pop() {
            if component[node] == usize::MAX {
                component[node] = number;
                pending.extend(&before[node]);
            }
        }
    }
    component
}
