//! Subsets and supersets of stored sets: the UB-tree of Hoffmann and Koehler.
//!
//! A set of constraints that contains an unsatisfiable subset is unsatisfiable, and one that is contained
//! in a satisfiable set is satisfiable; a counterexample cache asks for both. Sets are sorted and stored as
//! paths of a trie, so a search for subsets follows only members that can still fit and visits each node at most
//! once. A superset may have anything between the members that are wanted, so there the trie alone would be walked
//! nearly whole: each node knows its parent, each member the nodes that it leads to, and a search looks at those of
//! the rarest member, upwards for the smaller members and downwards for the larger ones. It
//! costs no more than looking at the stored sets that have the rarest member. Where all members are common, the first
//! superset is likely to be met at once from the root, so as many nodes as the rarest member has are looked at there
//! first.
//!
//! Members are **name** digests. A shape digest has forgotten which atoms it shares with others: {x < 3,
//! x > 5} is unsatisfiable, {x < 3, y > 5} is not, and both have the same set of shapes.
//!
//! The trie is an arena and searches keep explicit stacks, so neither long sets nor a large tree recurse.
//! Of several sets that fit, the lexicographically first is found: the answer depends on what is stored,
//! not on the order in which it came.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NodeId(usize);

const ROOT: NodeId = NodeId(0);

#[derive(Clone, Debug)]
struct Node<V> {
    /// The node above and the member that leads from it to this one; the root has none.
    above: Option<(NodeId, NameDigest)>,
    children: BTreeMap<NameDigest, NodeId>,
    /// The value of the set that ends here.
    value: Option<V>,
}

impl<V> Node<V> {
    fn below(above: Option<(NodeId, NameDigest)>) -> Self {
        Self { above, children: BTreeMap::new(), value: None }
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
    /// Looked up, never listed.
    uses: FxHashMap<NameDigest, Uses>,
    length: usize,
}

/// Where a member is used.
#[derive(Clone, Debug, Default)]
struct Uses {
    /// The nodes that it leads to.
    nodes: BTreeSet<NodeId>,
    /// How many stored sets have it: so many lie at or below those nodes.
    sets: usize,
}

impl<V> Default for SetTree<V> {
    fn default() -> Self {
        Self { nodes: vec![Node::below(None)], free: Vec::new(), uses: FxHashMap::default(), length: 0 }
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
                    let node = Node::below(Some((at, *member)));
                    let child = match self.free.pop() {
                        Some(free) => {
                            self.nodes[free.0] = node;
                            free
                        }
                        None => {
                            self.nodes.push(node);
                            NodeId(self.nodes.len() - 1)
                        }
                    };
                    self.nodes[at.0].children.insert(*member, child);
                    self.uses.entry(*member).or_default().nodes.insert(child);
                    child
                }
            };
        }
        let old = self.nodes[at.0].value.replace(value);
        if old.is_none() {
            self.length += 1;
            for member in set.members() {
                self.uses.entry(*member).or_default().sets += 1;
            }
        }
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
        let last = |uses: &mut Uses| {
            uses.sets -= 1;
            uses.sets == 0
        };
        for member in set.members() {
            // Nodes that are left lead nowhere and are cut off below.
            if self.uses.get_mut(member).is_some_and(last) {
                self.uses.remove(member);
            }
        }
        // Nodes that lead nowhere any more are cut off, from the end.
        for (member, step) in set.members().iter().zip(path.windows(2)).rev() {
            let child = &self.nodes[step[1].0];
            if child.value.is_some() || !child.children.is_empty() {
                break;
            }
            self.nodes[step[0].0].children.remove(member);
            if let Some(uses) = self.uses.get_mut(member) {
                uses.nodes.remove(&step[1]);
            }
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
        let wanted = set.members();
        // What a search from each member costs: below its nodes lie all sets that have it, but below those of the
        // largest member nothing is looked for any more.
        let mut rarest = None;
        for (place, member) in wanted.iter().enumerate() {
            // One that leads nowhere is in no set.
            let uses = self.uses.get(member)?;
            let cost = if place + 1 == wanted.len() { uses.nodes.len() } else { uses.sets };
            if rarest.is_none_or(|(_, _, least)| cost < least) {
                rarest = Some((place, &uses.nodes, cost));
            }
        }
        let Some((place, nodes, _)) = rarest else { return self.below(ROOT, &[], &mut fits) };
        let mut tried = false;
        let first = self.walk(ROOT, wanted, nodes.len(), &mut |value| {
            !std::mem::replace(&mut tried, true) && fits(value)
        });
        match first {
            Walk::Found(value) => return Some(value),
            Walk::Ended if !tried => return None,
            Walk::Ended | Walk::Stopped => {}
        }
        let smaller = &wanted[..place];
        let mut starts: Vec<(Vec<NameDigest>, NodeId)> = nodes
            .iter()
            .filter(|node| self.has_above(**node, smaller))
            .map(|node| (self.path(*node), *node))
            .collect();
        // In the order of the sets, not in that in which they came.
        starts.sort_unstable();
        starts.into_iter().find_map(|(_, node)| self.below(node, &wanted[place + 1..], &mut fits))
    }

    /// Whether the path to a node has all these members; they are sorted, as the path is.
    fn has_above(&self, node: NodeId, members: &[NameDigest]) -> bool {
        let mut left = members;
        let mut at = node;
        while let Some((last, rest)) = left.split_last() {
            let Some((above, member)) = self.nodes[at.0].above else { return false };
            match member.cmp(last) {
                std::cmp::Ordering::Less => return false,
                std::cmp::Ordering::Equal => left = rest,
                std::cmp::Ordering::Greater => {}
            }
            at = above;
        }
        true
    }

    /// The members on the way to a node.
    fn path(&self, node: NodeId) -> Vec<NameDigest> {
        let mut members = Vec::new();
        let mut at = node;
        while let Some((above, member)) = self.nodes[at.0].above {
            members.push(member);
            at = above;
        }
        members.reverse();
        members
    }

    /// The first value at or below a node on whose way from there are all of `wanted`.
    fn below(&self, from: NodeId, wanted: &[NameDigest], fits: &mut impl FnMut(&V) -> bool) -> Option<&V> {
        match self.walk(from, wanted, usize::MAX, fits) {
            Walk::Found(value) => Some(value),
            Walk::Ended | Walk::Stopped => None,
        }
    }

    /// The same, going to so many nodes at most.
    fn walk(
        &self,
        from: NodeId,
        wanted: &[NameDigest],
        most: usize,
        fits: &mut impl FnMut(&V) -> bool,
    ) -> Walk<'_, V> {
        // A node, and how many members were met on its path.
        let mut stack = vec![(from, 0)];
        let mut room = most;
        while let Some((at, met)) = stack.pop() {
            let node = &self.nodes[at.0];
            let next = wanted.get(met);
            if next.is_none()
                && let Some(value) = &node.value
                && fits(value)
            {
                return Walk::Found(value);
            }
            let mark = stack.len();
            let some = room.saturating_add(1);
            match next {
                None => stack.extend(node.children.values().take(some).map(|child| (*child, met))),
                // Paths are sorted: below a larger member the wanted one cannot come any more.
                Some(wanted) => stack.extend(
                    node.children
                        .range(..=*wanted)
                        .take(some)
                        .map(|(member, child)| (*child, met + usize::from(member == wanted))),
                ),
            }
            match room.checked_sub(stack.len() - mark) {
                Some(left) => room = left,
                None => return Walk::Stopped,
            }
            stack[mark..].reverse();
        }
        Walk::Ended
    }
}

/// How a walk went.
enum Walk<'a, V> {
    Found(&'a V),
    /// There is nothing that fits.
    Ended,
    /// It went to as many nodes as it might.
    Stopped,
}
