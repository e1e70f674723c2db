//! A persistent table under dense numbers: a tree with 32 children per node, shared between clones until
//! one of them writes.
//!
//! Objects are numbered one after the other, so no keys are compared: a look-up takes five bits of the
//! number per level, which is two or three steps for as many objects as programs have live. A change
//! copies the nodes on its way that are shared, and none that are not. Nodes without entries are given
//! back, so that a table whose low numbers are gone stays as small as what is in it.
//!
//! Who reads and writes the same few objects again and again finds their leaves at hand, without a way down the tree:
//! those that were read last beside the tree, those that were written last instead of in it. Such a leaf is *lifted*:
//! where it was in the tree there is nothing, though it counts, until another one takes its place at hand.

use std::rc::Rc;

use crate::expr::Marks;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;

/// So many leaves are at hand, one for each remainder of their numbers, and beside each the one that was there before.
const AT_HAND: usize = 4;

/// A table.
#[derive(Debug)]
pub(super) struct Table<T> {
    root: Option<Rc<Node<T>>>,
    /// How many bits of a number lie above those of the leaves.
    above: u32,
    /// The largest number that so many bits can have.
    largest: u32,
    /// None while nothing is at hand.
    near: Option<Box<Near<T>>>,
}

/// The leaves at hand.
#[derive(Debug)]
struct Near<T> {
    at_hand: [Option<AtHand<T>>; AT_HAND],
    beside: [Option<AtHand<T>>; AT_HAND],
}

impl<T> Clone for Near<T> {
    fn clone(&self) -> Self {
        Self { at_hand: self.at_hand.clone(), beside: self.beside.clone() }
    }
}

impl<T> Near<T> {
    fn nothing() -> Self {
        Self { at_hand: [const { None }; AT_HAND], beside: [const { None }; AT_HAND] }
    }

    /// A leaf, wherever it is.
    fn find(&self, leaf: u32) -> Option<&AtHand<T>> {
        let near = [&self.at_hand[hand(leaf)], &self.beside[hand(leaf)]];
        near.into_iter().flatten().find(|found| found.leaf == leaf)
    }
}

/// What lies under the next five bits of a number, and how many of these places are taken.
#[derive(Clone, Debug)]
enum Node<T> {
    Branch([Option<Rc<Node<T>>>; WIDTH], usize),
    Leaf([Option<Rc<T>>; WIDTH], usize),
}

/// A leaf at hand.
#[derive(Debug)]
struct AtHand<T> {
    /// The bits of its numbers that they have in common.
    leaf: u32,
    /// Whether it is not in the tree.
    lifted: bool,
    node: Rc<Node<T>>,
}

impl<T> Clone for AtHand<T> {
    fn clone(&self) -> Self {
        let Self { leaf, lifted, node } = self;
        Self { leaf: *leaf, lifted: *lifted, node: Rc::clone(node) }
    }
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        let Self { root, above, largest, near } = self;
        Self { root: root.clone(), above: *above, largest: *largest, near: near.clone() }
    }
}

impl<T> Node<T> {
    fn empty(above: u32) -> Self {
        if above == 0 {
            Self::Leaf([const { None }; WIDTH], 0)
        } else {
            Self::Branch([const { None }; WIDTH], 0)
        }
    }

    /// The entry of a leaf.
    fn entry(&self, number: u32) -> Option<&Rc<T>> {
        match self {
            Self::Leaf(entries, _) => entries[place(number, 0)].as_ref(),
            Self::Branch(..) => None,
        }
    }
}

/// Shows the entries below a node that were not met before. Nodes are as deep as numbers are long.
fn trace<T>(node: &Rc<Node<T>>, marks: &mut Marks, show: &mut impl FnMut(&T, &mut Marks)) {
    if !marks.enters(node) {
        return;
    }
    match &**node {
        Node::Branch(children, _) => children.iter().flatten().for_each(|child| trace(child, marks, show)),
        Node::Leaf(entries, _) => {
            for entry in entries.iter().flatten() {
                if marks.enters(entry) {
                    show(entry, marks);
                }
            }
        }
    }
}

/// The place of a number in a node that so many of its bits lie below.
fn place(number: u32, below: u32) -> usize {
    (number >> below) as usize & (WIDTH - 1)
}

/// Where a leaf is if it is at hand.
fn hand(leaf: u32) -> usize {
    leaf as usize % AT_HAND
}

/// The largest number with so many bits above those of its leaf.
fn largest(above: u32) -> u32 {
    u32::MAX.checked_shl(above + BITS).map_or(u32::MAX, |beyond| !beyond)
}

impl<T: Clone> Table<T> {
    /// An empty table.
    pub(super) fn new() -> Self {
        Self { root: None, above: 0, largest: largest(0), near: None }
    }

    /// The entry under a number.
    pub(super) fn get(&self, number: u32) -> Option<&Rc<T>> {
        match self.near.as_ref().and_then(|near| near.find(number >> BITS)) {
            Some(found) => found.node.entry(number),
            None => self.leaf(number)?.entry(number),
        }
    }

    /// The entry under a number, which is looked up more often.
    #[inline]
    pub(super) fn get_again(&mut self, number: u32) -> Option<&Rc<T>> {
        let leaf = number >> BITS;
        let is_at_hand =
            |found: &Near<T>| found.at_hand[hand(leaf)].as_ref().is_some_and(|found| found.leaf == leaf);
        if !self.near.as_deref().is_some_and(is_at_hand) {
            self.approach(leaf)?;
        }
        self.near.as_ref()?.at_hand[hand(leaf)].as_ref()?.node.entry(number)
    }

    /// The entry under a number, unshared.
    #[inline]
    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        match self.lifted(number)? {
            Node::Leaf(entries, _) => entries[place(number, 0)].as_mut().map(Rc::make_mut),
            Node::Branch(..) => None,
        }
    }

    /// The leaf of a number, lifted and unshared.
    #[inline]
    fn lifted(&mut self, number: u32) -> Option<&mut Node<T>> {
        let leaf = number >> BITS;
        let is_lifted = |near: &Near<T>| {
            near.at_hand[hand(leaf)].as_ref().is_some_and(|found| found.leaf == leaf && found.lifted)
        };
        if !self.near.as_deref().is_some_and(is_lifted) {
            self.lift(leaf)?;
        }
        self.near.as_mut()?.at_hand[hand(leaf)].as_mut().map(|found| Rc::make_mut(&mut found.node))
    }

    /// The leaf of a number that is in the tree.
    fn leaf(&self, number: u32) -> Option<&Rc<Node<T>>> {
        if number > self.largest {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut below = self.above;
        while let Node::Branch(children, _) = &**node {
            node = children[place(number, below)].as_ref()?;
            below = below.wrapping_sub(BITS);
        }
        Some(node)
    }

    /// The place in the tree of a leaf for which there is one, in nodes that are unshared.
    fn slot(&mut self, leaf: u32) -> Option<&mut Option<Rc<Node<T>>>> {
        let number = leaf << BITS;
        if number > self.largest {
            return None;
        }
        let mut slot = &mut self.root;
        let mut below = self.above;
        while below > 0 {
            match Rc::make_mut(slot.as_mut()?) {
                Node::Branch(children, _) => slot = &mut children[place(number, below)],
                Node::Leaf(..) => return None,
            }
            below = below.saturating_sub(BITS);
        }
        Some(slot)
    }

    /// Has a leaf at hand, to be read.
    #[inline(never)]
    fn approach(&mut self, leaf: u32) -> Option<()> {
        if self.exchange(leaf) {
            return Some(());
        }
        let node = Rc::clone(self.leaf(leaf << BITS)?);
        self.take_to_hand(AtHand { leaf, lifted: false, node });
        Some(())
    }

    /// Has a leaf at hand, to be written.
    #[inline(never)]
    fn lift(&mut self, leaf: u32) -> Option<()> {
        self.exchange(leaf);
        self.leaf_or_lifted(leaf)?;
        let near = self.near.get_or_insert_with(|| Box::new(Near::nothing()));
        let first = &mut near.at_hand[hand(leaf)];
        if first.as_ref().is_some_and(|found| found.leaf == leaf && found.lifted) {
            return Some(());
        }
        // It may have been there to be read.
        let read = first.take_if(|found| found.leaf == leaf);
        drop(read);
        let node = self.slot(leaf)?.take()?;
        self.take_to_hand(AtHand { leaf, lifted: true, node });
        Some(())
    }

    /// A leaf, wherever it is.
    fn leaf_or_lifted(&self, leaf: u32) -> Option<&Rc<Node<T>>> {
        self.out_of_tree(leaf).or_else(|| self.leaf(leaf << BITS))
    }

    /// Has the leaf that was at hand before there again, if it is this one.
    fn exchange(&mut self, leaf: u32) -> bool {
        let Some(near) = &mut self.near else { return false };
        let (first, second) = (&mut near.at_hand[hand(leaf)], &mut near.beside[hand(leaf)]);
        let is_beside = second.as_ref().is_some_and(|found| found.leaf == leaf);
        if is_beside {
            std::mem::swap(first, second);
        }
        is_beside
    }

    /// Has one leaf more at hand, and for it maybe one less.
    fn take_to_hand(&mut self, new: AtHand<T>) {
        let hand = hand(new.leaf);
        let near = self.near.get_or_insert_with(|| Box::new(Near::nothing()));
        if let Some(before) = near.at_hand[hand].replace(new)
            && let Some(last) = near.beside[hand].replace(before)
        {
            self.put_back(last);
        }
    }

    /// A leaf is no longer at hand.
    fn put_back(&mut self, AtHand { leaf, lifted, node }: AtHand<T>) {
        if lifted && let Some(slot) = self.slot(leaf) {
            *slot = Some(node);
        }
    }

    /// Shows the entries that were not met before.
    pub(super) fn trace(&self, marks: &mut Marks, show: &mut impl FnMut(&T, &mut Marks)) {
        if let Some(root) = &self.root {
            trace(root, marks, show);
        }
        for near in self.near.iter().flat_map(|near| near.at_hand.iter().chain(&near.beside)).flatten() {
            trace(&near.node, marks, show);
        }
    }

    /// Has nothing at hand, so that all is in the tree.
    pub(super) fn put_all_back(&mut self) {
        let Some(near) = self.near.take() else { return };
        let Near { at_hand, beside } = *near;
        at_hand.into_iter().chain(beside).flatten().for_each(|found| self.put_back(found));
    }

    /// Puts an entry under a number, in place of another if there is one.
    pub(super) fn insert(&mut self, number: u32, entry: Rc<T>) {
        if let Some(Node::Leaf(entries, taken)) = self.lifted(number) {
            *taken += usize::from(entries[place(number, 0)].replace(entry).is_none());
            return;
        }
        self.put_all_back();
        while number > self.largest {
            self.above += BITS;
            self.largest = largest(self.above);
            if let Some(below) = self.root.take() {
                let mut root = Node::empty(self.above);
                if let Node::Branch(children, taken) = &mut root {
                    children[0] = Some(below);
                    *taken = 1;
                }
                self.root = Some(Rc::new(root));
            }
        }
        let mut below = self.above;
        let mut node = Rc::make_mut(self.root.get_or_insert_with(|| Rc::new(Node::empty(below))));
        loop {
            match node {
                Node::Branch(children, taken) => {
                    let child = &mut children[place(number, below)];
                    below = below.saturating_sub(BITS);
                    *taken += usize::from(child.is_none());
                    node = Rc::make_mut(child.get_or_insert_with(|| Rc::new(Node::empty(below))));
                }
                Node::Leaf(entries, taken) => {
                    *taken += usize::from(entries[place(number, 0)].replace(entry).is_none());
                    return;
                }
            }
        }
    }

    /// Takes the entry under a number away.
    pub(super) fn remove(&mut self, number: u32) {
        if self.get(number).is_none() {
            return;
        }
        if let Some(Node::Leaf(entries, taken)) = self.lifted(number)
            && *taken > 1
        {
            entries[place(number, 0)] = None;
            *taken -= 1;
            return;
        }
        // With it goes its leaf.
        self.put_all_back();
        if let Some(root) = &mut self.root
            && remove(root, number, self.above)
        {
            *self = Self::new();
        }
    }

    /// A leaf that is not in the tree.
    fn out_of_tree(&self, leaf: u32) -> Option<&Rc<Node<T>>> {
        self.near.as_ref()?.find(leaf).filter(|found| found.lifted).map(|found| &found.node)
    }

    /// All entries in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Rc<T>)> {
        let root = self.root.as_ref().or_else(|| self.out_of_tree(0).filter(|_| self.above == 0));
        let mut stack: Vec<(u32, u32, &Rc<Node<T>>)> =
            root.map(|root| (0, self.above, root)).into_iter().collect();
        let mut entries: Vec<(u32, &Rc<T>)> = Vec::new();
        std::iter::from_fn(move || {
            loop {
                if let Some(next) = entries.pop() {
                    return Some(next);
                }
                let (prefix, below, node) = stack.pop()?;
                let number = |place: usize| prefix << BITS | u32::try_from(place).unwrap_or(0);
                match &**node {
                    Node::Branch(children, _) => {
                        let under = children.iter().enumerate().rev();
                        stack.extend(under.filter_map(|(place, node)| {
                            let out = || self.out_of_tree(number(place)).filter(|_| below == BITS);
                            Some((number(place), below.saturating_sub(BITS), node.as_ref().or_else(out)?))
                        }));
                    }
                    Node::Leaf(leaf, _) => {
                        let under = leaf.iter().enumerate().rev();
                        entries.extend(
                            under.filter_map(|(place, entry)| Some((number(place), entry.as_ref()?))),
                        );
                    }
                }
            }
        })
    }
}

/// Removes an entry that is there; says whether the node is empty now.
fn remove<T: Clone>(node: &mut Rc<Node<T>>, number: u32, below: u32) -> bool {
    let taken = match Rc::make_mut(node) {
        Node::Branch(children, taken) => {
            let child = &mut children[place(number, below)];
            if let Some(node) = child
                && remove(node, number, below.saturating_sub(BITS))
            {
                *child = None;
                *taken -= 1;
            }
            taken
        }
        Node::Leaf(entries, taken) => {
            entries[place(number, 0)] = None;
            *taken -= 1;
            taken
        }
    };
    *taken == 0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use super::Table;

    /// Random changes of two tables that share, against ordinary maps.
    #[test]
    fn a_table_is_a_map_and_its_clones_are_their_own() {
        let mut random = 7u64;
        let mut next = move |bound: u32| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((random >> 33) % u64::from(bound)) as u32
        };
        let mut pairs = vec![(Table::new(), BTreeMap::new())];
        for step in 0..20_000u32 {
            let chosen = next(pairs.len() as u32) as usize;
            let number = match next(3) {
                0 => next(40),
                1 => next(3000),
                _ => u32::MAX - next(100),
            };
            let (table, map) = &mut pairs[chosen];
            match next(7) {
                0 | 1 => {
                    table.insert(number, Rc::new(step));
                    map.insert(number, step);
                }
                2 => {
                    table.remove(number);
                    map.remove(&number);
                }
                3 => {
                    if let Some(entry) = table.get_mut(number) {
                        *entry += 1;
                    }
                    map.entry(number).and_modify(|entry| *entry += 1);
                }
                4 => assert_eq!(table.get(number).map(|entry| **entry), map.get(&number).copied()),
                5 => assert_eq!(table.get_again(number).map(|entry| **entry), map.get(&number).copied()),
                _ if step % 50 == 0 => {
                    let copy = pairs[chosen].clone();
                    pairs.push(copy);
                    pairs.truncate(4);
                }
                _ if step % 10 == 0 => {
                    let entries: Vec<(u32, u32)> =
                        table.iter().map(|(number, entry)| (number, **entry)).collect();
                    assert_eq!(entries, map.clone().into_iter().collect::<Vec<_>>());
                }
                _ => {}
            }
        }
        for (table, map) in pairs {
            let entries: Vec<(u32, u32)> = table.iter().map(|(number, entry)| (number, **entry)).collect();
            assert_eq!(entries, map.into_iter().collect::<Vec<_>>());
        }
    }
}
