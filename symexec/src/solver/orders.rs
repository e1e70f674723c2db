//! Questions whose comparisons order terms in a circle, which have no solution.
//!
//! What sorts and search trees ask about keys that are compared with each other shows nothing in bounds of any one key:
//! `a < b`, `b <= c` and `c < a` leave each everything but its least or greatest value. Here comparisons that must hold are
//! edges from what is below to what is above, one graph for each way to read numbers, with constants among them. What lies
//! on a circle is equal; so a circle with a `<` in it, or two of its terms that are to differ, is a contradiction. One walk
//! over the graph finds all circles (its strongly connected components).

use std::collections::BTreeMap;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::implied::implied;
use super::question::{Question, Term};
use crate::base::bits::{CompareOp, signed};

/// The most comparisons that are looked at.
const MOST: usize = 1024;

/// Whether comparisons that must hold contradict each other by their order alone.
pub(super) fn is_circle(question: &Question) -> bool {
    let mut compared = Vec::new();
    for (term, holds) in implied(question) {
        if let Some((_, Term::Compare(op, a, b))) = question.terms.get(term as usize) {
            compared.push((*op, *a, *b, holds));
        }
    }
    if compared.len() < 2 || compared.len() > MOST {
        return false;
    }
    [CompareOp::Ult, CompareOp::Slt]
        .into_iter()
        .any(|order| Graph::of(question, order, &compared).contradicts())
}

/// Which terms are at most as large as which others.
#[derive(Default)]
struct Graph {
    below: DiGraph<(), ()>,
    nodes: BTreeMap<u32, NodeIndex>,
    /// Those that are not equal.
    differ: Vec<(u32, u32)>,
}

impl Graph {
    fn of(question: &Question, order: CompareOp, compared: &[(CompareOp, u32, u32, bool)]) -> Self {
        let mut graph = Self::default();
        // By width, those that occur, with how they are read in this order.
        let mut constants: BTreeMap<u32, BTreeMap<i128, u32>> = BTreeMap::new();
        for (op, a, b, holds) in compared {
            match (*op == order, *op == CompareOp::Eq, holds) {
                (true, _, true) => {
                    graph.below(*a, *b);
                    graph.differ.push((*a, *b));
                }
                (true, _, false) => graph.below(*b, *a),
                (_, true, true) => {
                    graph.below(*a, *b);
                    graph.below(*b, *a);
                }
                (_, true, false) => graph.differ.push((*a, *b)),
                _ => continue,
            }
            for term in [*a, *b] {
                if let Some((width, Term::Constant(value))) = question.terms.get(term as usize) {
                    let read = match order {
                        CompareOp::Slt => i128::from(signed(*value, *width)),
                        _ => i128::from(*value),
                    };
                    constants.entry(*width).or_default().insert(read, term);
                }
            }
        }
        for all in constants.values() {
            for (low, high) in all.values().zip(all.values().skip(1)) {
                graph.below(*low, *high);
                graph.differ.push((*low, *high));
            }
        }
        graph
    }

    fn below(&mut self, low: u32, high: u32) {
        let Self { below, nodes, .. } = self;
        let [low, high] = [low, high].map(|term| *nodes.entry(term).or_insert_with(|| below.add_node(())));
        below.add_edge(low, high, ());
    }

    fn contradicts(&self) -> bool {
        // What is on circles together is equal.
        let mut circles = vec![0; self.below.node_count()];
        for (number, members) in tarjan_scc(&self.below).into_iter().enumerate() {
            for member in members {
                circles[member.index()] = number;
            }
        }
        let circle = |term: &u32| self.nodes.get(term).map(|node| circles[node.index()]);
        let equal = |a, b| a == b || circle(a).is_some_and(|it| circle(b) == Some(it));
        self.differ.iter().any(|(a, b)| equal(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of three comparisons out of those of three keys, with and without bounds: a circle is found exactly where no
    /// keys are in that order.
    #[test]
    fn an_order_is_a_circle_exactly_where_no_keys_have_it() {
        // Three keys, and two constants for keys that are read with a sign.
        let mut terms: Vec<(u32, Term)> = (0..3).map(|input| (8, Term::Input(input))).collect();
        terms.extend([(8, Term::Constant(2)), (8, Term::Constant(0xfe))]);
        let pairs: Vec<(u32, u32)> = (0..5)
            .flat_map(|a| (0..5).map(move |b| (a, b)))
            .filter(|(a, b)| a != b && a.min(b) < &3)
            .collect();
        for order in [CompareOp::Ult, CompareOp::Slt] {
            let mut truths = Vec::new();
            for op in [order, CompareOp::Eq] {
                truths.extend(pairs.iter().flat_map(|(a, b)| [true, false].map(|holds| (op, *a, *b, holds))));
            }
            let values = [0xfd_u64, 0xfe, 0xff, 0, 1, 2, 3, 4];
            let holds = |keys: &[u64; 5], (op, a, b, holds): &(CompareOp, u32, u32, bool)| {
                let [a, b] = [a, b].map(|key| keys[*key as usize]);
                crate::base::bits::small_compare(*op, 8, a, b) == *holds
            };
            // Which of the 512 keys each of them leaves.
            let all: Vec<[u64; 5]> = (0..512_usize)
                .map(|it| [values[it & 7], values[it >> 3 & 7], values[it >> 6], 2, 0xfe])
                .collect();
            let leaves: Vec<Vec<u64>> = truths
                .iter()
                .map(|truth| {
                    let mut bits = vec![0_u64; 8];
                    for (place, _) in all.iter().enumerate().filter(|(_, keys)| holds(keys, truth)) {
                        bits[place / 64] |= 1 << (place % 64);
                    }
                    bits
                })
                .collect();
            for one in 0..truths.len() {
                for other in one + 1..truths.len() {
                    for third in other + 1..truths.len() {
                        let compared: Vec<_> = [one, other, third].map(|place| truths[place]).to_vec();
                        let is_possible =
                            (0..8).any(|it| leaves[one][it] & leaves[other][it] & leaves[third][it] != 0);
                        let question = Question { terms: terms.clone(), roots: Vec::new(), inputs: 3 };
                        let found = Graph::of(&question, order, &compared).contradicts();
                        assert!(!(found && is_possible), "{compared:?}");
                        // Keys without bounds are ordered in all ways.
                        let is_bounded = compared.iter().any(|(_, a, b, _)| a.max(b) >= &3);
                        assert!(is_bounded || found != is_possible, "{compared:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn conditions_of_a_question_are_taken_apart() {
        let compare = |op, a, b| (1, Term::Compare(op, a, b));
        let mut terms: Vec<(u32, Term)> = (0..3).map(|input| (8, Term::Input(input))).collect();
        // a < b and b < c, not a < c
        terms.extend([
            compare(CompareOp::Slt, 0, 1),
            compare(CompareOp::Slt, 1, 2),
            compare(CompareOp::Slt, 0, 2),
        ]);
        terms.extend([(1, Term::Binary(crate::base::bits::BinaryOp::And, 3, 4)), (1, Term::Not(5))]);
        let question = |roots: &[u32]| Question { terms: terms.clone(), roots: roots.to_vec(), inputs: 3 };
        assert!(is_circle(&question(&[6, 7])));
        assert!(!is_circle(&question(&[6, 5])));
        assert!(!is_circle(&question(&[3, 7])));
    }
}
