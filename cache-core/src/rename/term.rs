//! What the normalizers need to know about a term, and shapes of whole terms.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::atom::AtomId;
use super::shape::{Shape, Shapes};
use crate::digest::{Confirm, Encoder};

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

/// Terms that keep a shape in every node.
pub trait ShapedTerms: Terms {
    /// The shape stored in the node.
    fn shape(&self, node: Self::Node) -> Shape;
}

/// Visits each node reachable from `root` once, children first, with an explicit stack. `done` says what
/// needs no visit.
fn post_order<T: Terms, S>(
    terms: &T,
    root: T::Node,
    state: &mut S,
    done: impl Fn(&S, T::Node) -> bool,
    mut visit: impl FnMut(&mut S, T::Node, &[T::Node]),
) {
    let mut stack = vec![(root, false)];
    let mut children = Vec::new();
    while let Some((node, opened)) = stack.pop() {
        if done(state, node) {
            continue;
        }
        children.clear();
        if terms.atom(node).is_none() {
            terms.children(node, &mut children);
        }
        if opened || children.is_empty() {
            visit(state, node, &children);
        } else {
            stack.push((node, true));
            stack.extend(children.iter().rev().map(|child| (*child, false)));
        }
    }
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

    /// The shape of `root`, computing it for every node below that has none yet. An atom that `shapes`
    /// did not give out is taken for a node without children.
    pub fn of<T: Terms<Node = N>>(&mut self, shapes: &mut Shapes, terms: &T, root: N) -> Shape {
        let mut below = Vec::new();
        post_order(
            terms,
            root,
            &mut self.known,
            |known, node| known.contains_key(&node),
            |known, node, children| {
                let atom = terms.atom(node).and_then(|atom| shapes.atom(atom));
                let shape = atom.unwrap_or_else(|| {
                    below.clear();
                    below.extend(children.iter().filter_map(|child| known.get(child).copied()));
                    shapes.node_with(|out| terms.label(node, out), &below)
                });
                known.insert(node, shape);
            },
        );
        self.known.get(&root).copied().unwrap_or_else(|| shapes.node("", &[]))
    }
}

/// Confirming digests of terms, remembered by node: each node is hashed once, when the first question
/// that contains it meets the disk.
#[derive(Debug)]
pub struct Confirms<N> {
    known: FxHashMap<N, Confirm>,
}

impl<N> Default for Confirms<N> {
    fn default() -> Self {
        Self { known: FxHashMap::default() }
    }
}

impl<N: Copy + Eq + Hash> Confirms<N> {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many nodes were hashed so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no node was hashed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The confirming digest of `root`: equal for terms equal up to renaming, and only for those.
    pub fn of<T: ShapedTerms<Node = N>>(&mut self, shapes: &mut Shapes, terms: &T, root: N) -> Confirm {
        let mut below = Vec::new();
        post_order(
            terms,
            root,
            &mut self.known,
            |known, node| known.contains_key(&node),
            |known, node, children| {
                let confirm = match terms.atom(node) {
                    Some(atom) => shapes.confirm_atom(atom),
                    None => {
                        below.clear();
                        below.extend(children.iter().filter_map(|child| {
                            known.get(child).map(|confirm| (terms.shape(*child), *confirm))
                        }));
                        shapes.confirm_node(|out| terms.label(node, out), &below)
                    }
                };
                known.insert(node, confirm);
            },
        );
        self.known.get(&root).copied().unwrap_or_else(|| Confirm::of(&[]))
    }
}
