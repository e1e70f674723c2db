//! Subsets and supersets of stored sets: the UB-tree of Hoffmann and Koehler.
//!
//! A set of constraints that contains an unsatisfiable subset is unsatisfiable, and one that is contained
//! in a satisfiable set is satisfiable; a counterexample cache asks for both. Sets are sorted and stored as
//! paths of a trie, so a search follows only members that can still fit and visits each node at most once.
//!
//! Members are **name** digests. A shape digest has forgotten which atoms it shares with others: {x < 3,
//! x > 5} is unsatisfiable, {x < 3, y > 5} is not, and both have the same set of shapes.
//!
//! The trie is an arena and searches keep explicit stacks, so neither long sets nor a large tree recurse.
//! Of several sets that fit, the lexicographically first is found: the answer depends on what is stored,
//! not on the order in which it came.

use std::collections::BTreeMap;

use crate::rename::NameDigest;

/// A sorted set of name digests.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameSet(Box<[NameDigest]>);

impl FromIterator<NameDigest> for NameSet {
    fn from_iter<I: IntoIterator<Item = NameDigest>>(members: I) -> Self {
        let mut members: Vec<NameDigest> = members.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        Self(members.into())
    }
}

impl NameSet {
    /// The members, in order.
    #[must_use]
    pub fn members(&self) -> &[NameDigest] {
        &self.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeId(usize);

const ROOT: NodeId = NodeId(0);

#[derive(Clone, Debug)]
struct Node<V> {
    children: BTreeMap<NameDigest, NodeId>,
    /// The value of the set that ends here.
    value: Option<V>,
}

impl<V> Node<V> {
    fn new() -> Self {
        Self { children: BTreeMap::new(), value: None }
    }
}

/// A map from sets of name digests to values that can be searched for subsets and supersets.
///
/// ```
/// use cache_core::rename::NameDigest;
/// use cache_core::subsume::{NameSet, SetTree};
///
/// let constraint = |text: &str| NameDigest::node(text, &[]);
/// let set = |texts: &[&str]| texts.iter().map(|text| constraint(text)).collect::<NameSet>();
///
/// let mut known = SetTree::new();
/// known.insert(&set(&["x < 3", "x > 5"]), "unsatisfiable");
/// let question = set(&["x > 5", "y = 1", "x < 3"]);
/// assert_eq!(known.subset(&question, |answer| *answer == "unsatisfiable"), Some(&"unsatisfiable"));
/// assert_eq!(known.subset(&set(&["x < 3", "y > 5"]), |_| true), None);
/// ```
#[derive(Clone, Debug)]
pub struct SetTree<V> {
    nodes: Vec<Node<V>>,
    free: Vec<NodeId>,
    length: usize,
}

impl<V> Default for SetTree<V> {
    fn default() -> Self {
        Self { nodes: vec![Node::new()], free: Vec::new(), length: 0 }
    }
}

impl<V> SetTree<V> {
    /// Without sets.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many sets are stored.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether no set is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Stores a value for a set; the value that it replaces.
    pub fn insert(&mut self, set: &NameSet, value: V) -> Option<V> {
        let mut at = ROOT;
        for member in set.members() {
            at = match self.nodes[at.0].children.get(member) {
                Some(child) => *child,
                None => {
                    let child = self.free.pop().unwrap_or_else(|| {
                        self.nodes.push(Node::new());
                        NodeId(self.nodes.len() - 1)
                    });
                    self.nodes[at.0].children.insert(*member, child);
                    child
                }
            };
        }
        let old = self.nodes[at.0].value.replace(value);
        self.length += usize::from(old.is_none());
        old
    }

    /// The value of exactly this set.
    #[must_use]
    pub fn get(&self, set: &NameSet) -> Option<&V> {
        let mut at = ROOT;
        for member in set.members() {
            at = *self.nodes[at.0].children.get(member)?;
        }
        self.nodes[at.0].value.as_ref()
    }

    /// Removes exactly this set; its value.
    pub fn remove(&mut self, set: &NameSet) -> Option<V> {
        let mut path = vec![ROOT];
        let mut at = ROOT;
        for member in set.members() {
            at = *self.nodes[at.0].children.get(member)?;
            path.push(at);
        }
        let old = self.nodes[at.0].value.take()?;
        self.length -= 1;
        // Nodes that lead nowhere any more are cut off, from the end.
        for (member, step) in set.members().iter().zip(path.windows(2)).rev() {
            let child = &self.nodes[step[1].0];
            if child.value.is_some() || !child.children.is_empty() {
                break;
            }
            self.nodes[step[0].0].children.remove(member);
            self.free.push(step[1]);
        }
        Some(old)
    }

    /// Removes all sets.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The value of a stored subset of `set` (the set itself and the empty set included) that satisfies
    /// `fits`.
    pub fn subset(&self, set: &NameSet, mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        // A node, and how many members of the set come up to the last member of its path.
        let mut stack = vec![(ROOT, 0)];
        while let Some((at, used)) = stack.pop() {
            let node = &self.nodes[at.0];
            if let Some(value) = &node.value
                && fits(value)
            {
                return Some(value);
            }
            let rest = &set.members()[used..];
            let mark = stack.len();
            // Whichever is less: to look up the members left, or to go through the children.
            if rest.len() <= node.children.len() {
                let next = rest.iter().zip(used + 1..);
                stack.extend(next.filter_map(|(member, used)| Some((*node.children.get(member)?, used))));
            } else {
                for (member, child) in &node.children {
                    if let Ok(place) = rest.binary_search(member) {
                        stack.push((*child, used + place + 1));
                    }
                }
            }
            stack[mark..].reverse();
        }
        None
    }

    /// The value of a stored superset of `set` (the set itself included) that satisfies `fits`.
    pub fn superset(&self, set: &NameSet, mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        // A node, and how many members of the set were met on its path.
        let mut stack = vec![(ROOT, 0)];
        while let Some((at, met)) = stack.pop() {
            let node = &self.nodes[at.0];
            let wanted = set.members().get(met);
            if wanted.is_none()
                && let Some(value) = &node.value
                && fits(value)
            {
                return Some(value);
            }
            let mark = stack.len();
            match wanted {
                None => stack.extend(node.children.values().map(|child| (*child, met))),
                // Paths are sorted: below a larger member the wanted one cannot come any more.
                Some(wanted) => stack.extend(
                    node.children
                        .range(..=*wanted)
                        .map(|(member, child)| (*child, met + usize::from(member == wanted))),
                ),
            }
            stack[mark..].reverse();
        }
        None
    }
}
