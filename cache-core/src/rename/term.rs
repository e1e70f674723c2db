//! What the normalizers need to know about a term, and shapes of whole terms.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::atom::AtomId;
use super::shape::{Shape, Shapes};
use crate::digest::Encoder;

/// Terms of an engine: directed acyclic graphs in an arena of its own.
pub trait Terms {
    /// A node, as a small id. Never part of a key.
    type Node: Copy + Eq + Hash;

    /// Which atom the node is; absent for every other node.
    fn atom(&self, node: Self::Node) -> Option<AtomId>;

    /// Writes everything about the node itself except its children: operator, width, constant, the name
    /// of a variable that is not renamable. Not called for atoms.
    fn label(&self, node: Self::Node, out: &mut Encoder);

    /// Appends the children in order. Atoms have none.
    fn children(&self, node: Self::Node, out: &mut Vec<Self::Node>);
}

/// Shapes of terms that keep none, remembered by node.
///
/// An engine that hash-conses its terms stores the [`Shape`] in the node instead and never needs this.
#[derive(Debug)]
pub struct TermShapes<N> {
    known: FxHashMap<N, Shape>,
}

impl<N> Default for TermShapes<N> {
    fn default() -> Self {
        Self { known: FxHashMap::default() }
    }
}

impl<N: Copy + Eq + Hash> TermShapes<N> {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The shape of `root`, computing it for every node below that has none yet, children first. An atom that
    /// `shapes` did not give out is taken for a node without children.
    pub fn of<T: Terms<Node = N>>(&mut self, shapes: &mut Shapes, terms: &T, root: N) -> Shape {
        // A stack of its own: terms may be deeper than the thread's.
        let mut stack = vec![(root, false)];
        let (mut children, mut below) = (Vec::new(), Vec::new());
        while let Some((node, opened)) = stack.pop() {
            if self.known.contains_key(&node) {
                continue;
            }
            children.clear();
            if terms.atom(node).is_none() {
                terms.children(node, &mut children);
            }
            if !opened && !children.is_empty() {
                stack.push((node, true));
                stack.extend(children.iter().rev().map(|child| (*child, false)));
                continue;
            }
            let shape = terms.atom(node).and_then(|atom| shapes.atom(atom)).unwrap_or_else(|| {
                below.clear();
                below.extend(children.iter().filter_map(|child| self.known.get(child).copied()));
                shapes.node_with(|out| terms.label(node, out), &below)
            });
            self.known.insert(node, shape);
        }
        self.known.get(&root).copied().unwrap_or_else(|| shapes.node("", &[]))
    }
}
