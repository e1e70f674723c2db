//! Subsets and supersets of stored sets: the UB-tree of Hoffmann and Koehler, and the sets that came last.
//!
//! [`SetTree`] finds whatever is stored, [`RecentSets`] what was stored lately, bounded in memory and time.
//!
//! A set of constraints that contains an unsatisfiable subset is unsatisfiable, and one that is contained
//! in a satisfiable set is satisfiable; a counterexample cache asks for both. Sets are sorted and stored as
//! paths of a trie, so a search for subsets follows only members that can still fit and visits each node at most
//! once. A superset may have anything between the members that are wanted, so there the trie alone would be walked
//! nearly whole. Two ways lead to supersets instead:
//! - a scan of all sets in their order, by signatures (module `ordered`): a small part of what comparing the members of
//!   each would cost, and where supersets are many the first is met soon;
//! - each member knows the nodes that it leads to, and a search looks at those of the rarest member, upwards for the
//!   smaller members and downwards for the larger ones: it costs what the sets with that member cost, which is less
//!   where they are few among many.
//!
//! The scan goes first, as far as it costs less than the search would; few sets it goes through to the end.
//!
//! Members tell constraints apart: **name** digests do. A shape digest has forgotten which atoms it shares with others: {x < 3,
//! x > 5} is unsatisfiable, {x < 3, y > 5} is not, and both have the same set of shapes.
//!
//! The trie is an arena and searches keep explicit stacks, so neither long sets nor a large tree recurse.
//! Of several sets that fit, the lexicographically first is found: the answer depends on what is stored,
//! not on the order in which it came.

mod ordered;
mod recent;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::rename::NameDigest;

use ordered::Ordered;

pub use recent::{RecentBounds, RecentSets};

/// What tells constraints apart: a [`NameDigest`], or the number of an expression of which there is one only.
///
/// Equal members must mean equal constraints. That is not so of shape digests, so they are none.
pub trait Member: Copy + Ord + Hash {}

impl Member for NameDigest {}

/// A sorted set of members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberSet<M>(Box<[M]>);

/// A sorted set of name digests.
pub type NameSet = MemberSet<NameDigest>;

impl<M> Default for MemberSet<M> {
    fn default() -> Self {
        Self(Box::default())
    }
}

impl<M: Member> FromIterator<M> for MemberSet<M> {
    fn from_iter<I: IntoIterator<Item = M>>(members: I) -> Self {
        let mut members: Vec<M> = members.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        Self(members.into())
    }
}

impl<M: Member> MemberSet<M> {
    /// The members, in order.
    #[must_use]
    pub fn members(&self) -> &[M] {
        &self.0
    }

    /// Whether a member is there.
    #[must_use]
    pub fn contains(&self, member: &M) -> bool {
        self.0.binary_search(member).is_ok()
    }

    /// Whether all members are members of `other`. The largest ones are looked at first: sets that have grown from one
    /// differ there. Costs no more than going through both, and where this one is much smaller, looking its members up.
    #[must_use]
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        /// So many times larger sets are searched instead of gone through.
        const MUCH: usize = 8;
        if self.0.len() > other.0.len() {
            return false;
        }
        if self.0.len() < other.0.len() / MUCH {
            return self.0.iter().rev().all(|member| other.contains(member));
        }
        let mut rest = other.0.iter().rev();
        self.0.iter().rev().all(|member| rest.find(|other| *other <= member) == Some(member))
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
    ordered: Ordered,
}

/// Sets that are compared before signatures are made.
const COMPARED: usize = 8;

/// Sets that are scanned before members are looked up.
const SCANNED: usize = 128;

/// A set that is found by a member costs as much as scanning so many: its node and those around it lie anywhere.
const SCANNED_FOR_EACH: usize = 64;

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
        Self {
            nodes: vec![Node::below(None)],
            free: Vec::new(),
            uses: FxHashMap::default(),
            length: 0,
            ordered: Ordered::default(),
        }
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
            self.ordered.insert(set, at);
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
        self.ordered.remove(set);
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

    /// The value of a stored superset of `set` (the set itself included) that satisfies `fits`, which may be asked of
    /// a value again.
    #[inline]
    pub fn superset(&self, set: &NameSet, mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        for (known, end) in self.ordered.first(COMPARED, set) {
            if set.is_subset(known)
                && let Some(value) = self.value_at(*end, &mut fits)
            {
                return Some(value);
            }
        }
        if self.length <= COMPARED { None } else { self.superset_of_many(set, fits) }
    }

    /// The value of the set that ends at a node, if it satisfies `fits`.
    fn value_at(&self, end: NodeId, mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        self.nodes[end.0].value.as_ref().filter(|value| fits(value))
    }

    #[inline(never)]
    fn superset_of_many(&self, set: &NameSet, mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        let wanted = set.members();
        let mut scan = self.ordered.scan(set);
        let first = scan.go_on(SCANNED, |end| self.value_at(end, &mut fits));
        if first.is_some() || scan.has_ended() {
            return first;
        }
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
        let least = rarest.map_or(usize::MAX, |(_, _, cost)| cost.saturating_mul(SCANNED_FOR_EACH));
        let next = scan.go_on(least, |end| self.value_at(end, &mut fits));
        if next.is_some() || scan.has_ended() {
            return next;
        }
        let (place, nodes, _) = rarest?;
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
    fn below(&self, from: NodeId, wanted: &[NameDigest], mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        // The children of a node that are still to be looked at, and how many members were met on its path.
        let mut stack = Vec::with_capacity(16);
        let mut next = Some((from, 0));
        loop {
            let (at, met) = match next.take() {
                Some(next) => next,
                None => {
                    let (children, met): &mut (Children<'_>, usize) = stack.last_mut()?;
                    let Some((member, child)) = children.next() else {
                        stack.pop();
                        continue;
                    };
                    (*child, *met + usize::from(wanted.get(*met) == Some(member)))
                }
            };
            let children = match wanted.get(met) {
                // Paths are sorted: below a larger member the wanted one cannot come any more.
                Some(wanted) => self.nodes[at.0].children.range(..=*wanted),
                None => {
                    if let Some(value) = self.value_at(at, &mut fits) {
                        return Some(value);
                    }
                    self.nodes[at.0].children.range(..)
                }
            };
            stack.push((children, met));
        }
    }
}

/// Children of a node, in order.
type Children<'a> = std::collections::btree_map::Range<'a, NameDigest, NodeId>;
