//! A persistent table under dense numbers: a tree with 32 children per node, shared between clones until
//! one of them writes.
//!
//! Objects are numbered one after the other, so no keys are compared: a look-up takes five bits of the
//! number per level, which is two or three steps for as many objects as programs have live. A change
//! copies the nodes on its way that are shared, and none that are not. Nodes without entries are given
//! back, so that a table whose low numbers are gone stays as small as what is in it.

use std::rc::Rc;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;

/// A table.
#[derive(Debug)]
pub(super) struct Table<T> {
    root: Option<Rc<Node<T>>>,
    /// How many levels lie above the entries' own.
    height: u32,
}

/// What lies under the next five bits of a number, and how many of these places are taken.
#[derive(Clone, Debug)]
enum Node<T> {
    Branch([Option<Rc<Node<T>>>; WIDTH], usize),
    Leaf([Option<Rc<T>>; WIDTH], usize),
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone(), height: self.height }
    }
}

impl<T> Node<T> {
    fn empty(height: u32) -> Self {
        if height == 0 {
            Self::Leaf([const { None }; WIDTH], 0)
        } else {
            Self::Branch([const { None }; WIDTH], 0)
        }
    }
}

/// The place of a number in a node of a height.
fn place(number: u32, height: u32) -> usize {
    (number >> (height * BITS)) as usize & (WIDTH - 1)
}

impl<T: Clone> Table<T> {
    /// An empty table.
    pub(super) fn new() -> Self {
        Self { root: None, height: 0 }
    }

    fn covers(&self, number: u32) -> bool {
        let bits = (self.height + 1) * BITS;
        bits >= u32::BITS || number >> bits == 0
    }

    /// The entry under a number.
    pub(super) fn get(&self, number: u32) -> Option<&Rc<T>> {
        if !self.covers(number) {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut height = self.height;
        loop {
            match &**node {
                Node::Branch(children, _) => node = children[place(number, height)].as_ref()?,
                Node::Leaf(entries, _) => return entries[place(number, 0)].as_ref(),
            }
            height = height.saturating_sub(1);
        }
    }

    /// The entry under a number, unshared.
    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        if !self.covers(number) {
            return None;
        }
        let mut node = Rc::make_mut(self.root.as_mut()?);
        let mut height = self.height;
        loop {
            match node {
                Node::Branch(children, _) => node = Rc::make_mut(children[place(number, height)].as_mut()?),
                Node::Leaf(entries, _) => return entries[place(number, 0)].as_mut().map(Rc::make_mut),
            }
            height = height.saturating_sub(1);
        }
    }

    /// Puts an entry under a number, in place of another if there is one.
    pub(super) fn insert(&mut self, number: u32, entry: Rc<T>) {
        while !self.covers(number) {
            self.height += 1;
            if let Some(below) = self.root.take() {
                let mut root = Node::empty(self.height);
                if let Node::Branch(children, taken) = &mut root {
                    children[0] = Some(below);
                    *taken = 1;
                }
                self.root = Some(Rc::new(root));
            }
        }
        let mut height = self.height;
        let mut node = Rc::make_mut(self.root.get_or_insert_with(|| Rc::new(Node::empty(height))));
        loop {
            match node {
                Node::Branch(children, taken) => {
                    let child = &mut children[place(number, height)];
                    height = height.saturating_sub(1);
                    *taken += usize::from(child.is_none());
                    node = Rc::make_mut(child.get_or_insert_with(|| Rc::new(Node::empty(height))));
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
        if let Some(root) = &mut self.root
            && remove(root, number, self.height)
        {
            self.root = None;
            self.height = 0;
        }
    }

    /// All entries in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Rc<T>)> {
        let mut stack: Vec<(u32, &Rc<Node<T>>)> = self.root.iter().map(|root| (0, root)).collect();
        let mut entries: Vec<(u32, &Rc<T>)> = Vec::new();
        std::iter::from_fn(move || {
            loop {
                if let Some(next) = entries.pop() {
                    return Some(next);
                }
                let (prefix, node) = stack.pop()?;
                let number = |place: usize| prefix << BITS | u32::try_from(place).unwrap_or(0);
                match &**node {
                    Node::Branch(children, _) => {
                        let below = children.iter().enumerate().rev();
                        stack.extend(below.filter_map(|(place, node)| Some((number(place), node.as_ref()?))));
                    }
                    Node::Leaf(leaf, _) => {
                        let below = leaf.iter().enumerate().rev();
                        entries.extend(
                            below.filter_map(|(place, entry)| Some((number(place), entry.as_ref()?))),
                        );
                    }
                }
            }
        })
    }
}

/// Removes an entry that is there; says whether the node is empty now.
fn remove<T: Clone>(node: &mut Rc<Node<T>>, number: u32, height: u32) -> bool {
    let taken = match Rc::make_mut(node) {
        Node::Branch(children, taken) => {
            let child = &mut children[place(number, height)];
            if let Some(below) = child
                && remove(below, number, height.saturating_sub(1))
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
            match next(6) {
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
                _ if step % 50 == 0 => {
                    let copy = pairs[chosen].clone();
                    pairs.push(copy);
                    pairs.truncate(4);
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
