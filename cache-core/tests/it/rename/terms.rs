//! Small terms, and random pairs of them that are equal, nearly equal, or neither.

use cache_core::digest::{Confirm, Digest, Encoder};
use cache_core::rename::{AtomId, Shape, Shapes, Terms};
use proptest::prelude::*;

pub(super) type Node = usize;

/// An arena of terms that keeps a shape in every node, as an engine would.
#[derive(Default)]
pub(super) struct Arena {
    pub(super) shapes: Shapes,
    nodes: Vec<Content>,
    stored: Vec<Shape>,
}

enum Content {
    Atom { id: AtomId, attribute: u64 },
    Operation { name: String, children: Vec<Node> },
}

impl Arena {
    pub(super) fn fresh(&mut self, attribute: u64) -> Node {
        let (id, shape) = self.shapes.fresh(&attribute);
        self.nodes.push(Content::Atom { id, attribute });
        self.stored.push(shape);
        self.nodes.len() - 1
    }

    pub(super) fn node(&mut self, name: &str, children: &[Node]) -> Node {
        let below: Vec<Shape> = children.iter().map(|child| self.stored[*child]).collect();
        self.stored.push(self.shapes.node(name, &below));
        self.nodes.push(Content::Operation { name: name.to_owned(), children: children.to_vec() });
        self.nodes.len() - 1
    }

    pub(super) fn leaf(&mut self, name: &str) -> Node {
        self.node(name, &[])
    }

    pub(super) fn shape(&self, node: Node) -> Shape {
        self.stored[node]
    }

    pub(super) fn digest(&self, node: Node) -> Digest {
        self.stored[node].digest
    }

    /// The confirming digest of a term, as an engine makes it beside the shape.
    pub(super) fn confirm(&mut self, node: Node) -> Confirm {
        let children = match &self.nodes[node] {
            Content::Atom { id, .. } => return self.shapes.confirm_atom(*id),
            Content::Operation { children, .. } => children.clone(),
        };
        let below: Vec<_> =
            children.iter().map(|child| (self.stored[*child], self.confirm(*child))).collect();
        let Content::Operation { name, .. } = &self.nodes[node] else { unreachable!() };
        self.shapes.confirm_node(|out| out.text(name), &below)
    }

    /// The term written out as a tree, with atoms numbered in the order in which `numbered` meets them
    /// and their attributes beside them: what "equal up to renaming" means, without any digest.
    pub(super) fn written_out(&self, node: Node, numbered: &mut Vec<AtomId>) -> String {
        match &self.nodes[node] {
            Content::Atom { id, attribute } => {
                let number = numbered.iter().position(|known| known == id).unwrap_or_else(|| {
                    numbered.push(*id);
                    numbered.len() - 1
                });
                format!("v{number}:{attribute}")
            }
            Content::Operation { name, children } => {
                let below: Vec<String> =
                    children.iter().map(|child| self.written_out(*child, numbered)).collect();
                format!("{name}({})", below.join(", "))
            }
        }
    }
}

impl Terms for Arena {
    type Node = Node;

    fn atom(&self, node: Node) -> Option<AtomId> {
        match &self.nodes[node] {
            Content::Atom { id, .. } => Some(*id),
            Content::Operation { .. } => None,
        }
    }

    fn label(&self, node: Node, out: &mut Encoder) {
        match &self.nodes[node] {
            Content::Atom { .. } => {}
            Content::Operation { name, .. } => out.text(name),
        }
    }

    fn children(&self, node: Node, out: &mut Vec<Node>) {
        if let Content::Operation { children, .. } = &self.nodes[node] {
            out.extend(children);
        }
    }
}

/// A recipe for a term: the attributes of its atoms, then nodes that refer back to atoms and to nodes.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) attributes: Vec<u64>,
    /// Name of the operator and, modulo what there is, the children.
    pub(super) steps: Vec<(usize, Vec<usize>)>,
}

impl Plan {
    /// Fresh atoms for this plan, allocated from the last to the first if `reversed`.
    pub(super) fn atoms(&self, arena: &mut Arena, reversed: bool) -> Vec<Node> {
        let count = self.attributes.len();
        let mut atoms = vec![0; count];
        for place in 0..count {
            let place = if reversed { count - 1 - place } else { place };
            atoms[place] = arena.fresh(self.attributes[place]);
        }
        atoms
    }

    /// All nodes of the term, over these atoms; the last one is the root.
    pub(super) fn grow(&self, arena: &mut Arena, atoms: &[Node]) -> Vec<Node> {
        let mut nodes = atoms.to_vec();
        for (operator, children) in &self.steps {
            let children: Vec<Node> = children.iter().map(|child| nodes[child % nodes.len()]).collect();
            nodes.push(arena.node(["f", "g", "h"][operator % 3], &children));
        }
        nodes
    }

    pub(super) fn root(&self, arena: &mut Arena, reversed: bool) -> Node {
        let atoms = self.atoms(arena, reversed);
        *self.grow(arena, &atoms).last().unwrap()
    }
}

pub(super) fn plan() -> impl Strategy<Value = Plan> {
    let attributes = proptest::collection::vec(1_u64..=2, 1..5);
    let step = (0_usize..3, proptest::collection::vec(0_usize..1000, 0..4));
    (attributes, proptest::collection::vec(step, 1..9))
        .prop_map(|(attributes, steps)| Plan { attributes, steps })
}

/// Terms with more atoms than lists scan and than index maps write out: a few wide nodes over dozens of
/// atoms, which overlap, and some nodes that combine them.
pub(super) fn wide_plan() -> impl Strategy<Value = Plan> {
    (18_usize..60, 2_usize..5).prop_flat_map(|(atoms, wide)| {
        let attributes = proptest::collection::vec(prop_oneof![9 => Just(1_u64), 1 => Just(2)], atoms);
        let first = proptest::collection::vec(proptest::collection::vec(0..atoms, 10..50), wide);
        let second = proptest::collection::vec(proptest::collection::vec(atoms..atoms + wide, 1..4), 0..4);
        let last = proptest::collection::vec(atoms..atoms + wide, 2..4);
        (attributes, first, second, last).prop_map(|(attributes, first, second, last)| {
            let steps = first.into_iter().chain(second).chain([last]).map(|children| (0, children)).collect();
            Plan { attributes, steps }
        })
    })
}

/// Two plans: equal, differing in one reference, in the order of two references or in one attribute, or
/// unrelated.
fn related(plans: impl Strategy<Value = (Plan, Plan)>) -> impl Strategy<Value = (Plan, Plan)> {
    let index = any::<prop::sample::Index>;
    (plans, 0_usize..5, [index(), index(), index()], 0_usize..1000).prop_map(
        |((plan, unrelated), kind, [step, which, other_child], value)| {
            let mut other = plan.clone();
            let children = &mut other.steps[step.index(plan.steps.len())].1;
            match kind {
                0 => {}
                1 if !children.is_empty() => {
                    let child = which.index(children.len());
                    children[child] = value;
                }
                2 if !children.is_empty() => {
                    let (a, b) = (which.index(children.len()), other_child.index(children.len()));
                    children.swap(a, b);
                }
                3 => {
                    let attribute = which.index(plan.attributes.len());
                    other.attributes[attribute] = 3 - other.attributes[attribute];
                }
                _ => other = unrelated,
            }
            (plan, other)
        },
    )
}

pub(super) fn pair() -> impl Strategy<Value = (Plan, Plan)> {
    related((plan(), plan()))
}

pub(super) fn wide_pair() -> impl Strategy<Value = (Plan, Plan)> {
    related((wide_plan(), wide_plan()))
}
