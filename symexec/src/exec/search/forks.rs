//! The tree of forks: whose leaves are the live states.
//!
//! A walk from its root that takes any side of each fork with equal chances gives a state high up
//! as much weight as all states below its sibling together, so that a loop that forks for ever does not
//! drown everything else. Inner nodes with one side left are taken out, so the tree has less than twice
//! as many nodes as there are live states.

use rustc_hash::FxHashMap;

/// A node; leaves have no sides.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    State(u64),
    Fork(Vec<usize>),
    /// To be used again.
    Free,
}

/// The tree of forks.
#[derive(Debug, Default)]
pub(in crate::exec) struct Forks {
    nodes: Vec<Node>,
    root: Option<usize>,
    leaves: FxHashMap<u64, usize>,
    free: Vec<usize>,
}

impl Forks {
    pub(in crate::exec) fn new() -> Self {
        Self::default()
    }

    fn make(&mut self, parent: Option<usize>, content: Content) -> usize {
        let node = Node { parent, content };
        if let Some(place) = self.free.pop() {
            self.nodes[place] = node;
            return place;
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Makes the first state the whole tree, and one that comes back a side beside all of it; without effect on
    /// one that is known.
    pub(in crate::exec) fn root(&mut self, state: u64) {
        if self.leaves.contains_key(&state) {
            return;
        }
        let leaf = self.make(None, Content::State(state));
        self.leaves.insert(state, leaf);
        self.root = Some(match self.root {
            None => leaf,
            Some(whole) => {
                let fork = self.make(None, Content::Fork(vec![whole, leaf]));
                self.nodes[whole].parent = Some(fork);
                self.nodes[leaf].parent = Some(fork);
                fork
            }
        });
    }

    /// A state becomes itself and new ones, all with equal chances.
    pub(in crate::exec) fn fork(&mut self, parent: u64, children: &[u64]) {
        self.root(parent);
        let Some(&place) = self.leaves.get(&parent) else { return };
        let mut sides = Vec::with_capacity(children.len() + 1);
        for state in std::iter::once(parent).chain(children.iter().copied()) {
            let leaf = self.make(Some(place), Content::State(state));
            self.leaves.insert(state, leaf);
            sides.push(leaf);
        }
        self.nodes[place].content = Content::Fork(sides);
    }

    /// A state has ended; where one sibling is left, it takes the place of their fork.
    pub(in crate::exec) fn end(&mut self, state: u64) {
        let Some(leaf) = self.leaves.remove(&state) else { return };
        let parent = self.nodes[leaf].parent;
        self.release(leaf);
        let Some(parent) = parent else {
            self.root = None;
            return;
        };
        let Content::Fork(sides) = &mut self.nodes[parent].content else { return };
        sides.retain(|side| *side != leaf);
        let &[sibling] = sides.as_slice() else { return };
        let above = self.nodes[parent].parent;
        self.release(parent);
        self.nodes[sibling].parent = above;
        match above {
            None => self.root = Some(sibling),
            Some(above) => {
                if let Content::Fork(sides) = &mut self.nodes[above].content {
                    for side in sides.iter_mut().filter(|side| **side == parent) {
                        *side = sibling;
                    }
                }
            }
        }
    }

    fn release(&mut self, node: usize) {
        self.nodes[node].content = Content::Free;
        self.free.push(node);
    }

    /// The state at the end of a walk; `choose` is told how many sides there are.
    pub(in crate::exec) fn walk(&self, mut choose: impl FnMut(usize) -> usize) -> Option<u64> {
        let mut place = self.root?;
        loop {
            match &self.nodes[place].content {
                Content::State(state) => return Some(*state),
                Content::Fork(sides) => place = *sides.get(choose(sides.len()))?,
                Content::Free => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Forks;

    /// The states that the walks along these sides end at.
    fn walk(forks: &Forks, sides: &[usize]) -> Option<u64> {
        let mut sides = sides.iter().copied();
        forks.walk(|_| sides.next().unwrap_or(0))
    }

    #[test]
    fn early_forks_weigh_as_much_as_late_ones_and_ends_leave_no_single_sides() {
        let mut forks = Forks::new();
        forks.root(0);
        forks.fork(0, &[1]);
        forks.fork(1, &[2]);
        forks.fork(2, &[3]);
        // 0 | (1 | (2 | 3))
        assert_eq!(walk(&forks, &[0]), Some(0));
        assert_eq!(walk(&forks, &[1, 0]), Some(1));
        assert_eq!(walk(&forks, &[1, 1, 1]), Some(3));
        forks.end(1);
        // 0 | (2 | 3)
        assert_eq!(walk(&forks, &[1, 0]), Some(2));
        assert_eq!(walk(&forks, &[1, 1]), Some(3));
        forks.end(0);
        forks.end(3);
        assert_eq!(walk(&forks, &[]), Some(2));
        forks.end(2);
        assert_eq!(walk(&forks, &[]), None);
        // Released nodes are used again.
        forks.root(7);
        forks.fork(7, &[8]);
        assert_eq!(forks.nodes.len(), 7);
    }

    #[test]
    fn all_sides_of_a_choice_have_equal_chances() {
        let mut forks = Forks::new();
        forks.root(0);
        forks.fork(0, &[1, 2, 3]);
        for side in 0..4 {
            assert_eq!(walk(&forks, &[side]), Some(side as u64));
        }
        forks.fork(2, &[4]);
        forks.end(1);
        assert_eq!(walk(&forks, &[1, 1]), Some(4));
        forks.end(0);
        forks.end(2);
        assert_eq!(walk(&forks, &[0]), Some(4));
        forks.end(4);
        assert_eq!(walk(&forks, &[]), Some(3));
    }
}
