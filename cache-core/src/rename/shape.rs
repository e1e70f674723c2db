//! Shapes: digests that are blind to the identity of atoms and exact in how atoms recur.
//!
//! Every node of a term has a [`Shape`]: a digest and the list of its distinct atoms. The digest of a
//! node covers its label, its children's digests, and *where each child's atoms stand in the node's
//! list*. Without the last part `rd(A, 0) = b2` and `rd(A, 0) = b3` would collide. By induction a shape's
//! digest determines the term up to a bijection between atoms of equal attributes, and nothing else.
//!
//! # The order of a node's atoms
//! A node's list begins with the whole list of one child, its *spine*, so that lists are shared and
//! nothing needs to be hashed for that child. The other children follow in order, each adding the atoms
//! that are new. The spine is the child with the most atoms, the first of several: the number of atoms
//! does not depend on their identity, so the order is canonical. With the first child as spine for every
//! node a left chain would cost O(n) but a right chain over k atoms O(n k); with the largest one each
//! step costs only the atoms of the *smaller* children, which sums to O(n log n) over any tree.
//!
//! # What a node costs
//! Per child that is not the spine: O(log n) to skip the prefix that its list has in common with the
//! node's, then one look-up for each further atom. For long remainders the result is remembered per pair
//! of lists, so a term that combines the same two lists again and again (a directed acyclic graph over
//! one memory) pays once. What remains expensive is a graph that combines ever new pairs of long lists
//! without a common prefix. [`Shapes::work`] counts these steps.

use rustc_hash::FxHashMap;

use super::atom::{AtomId, Atoms};
use super::encoding::{MAP, write_head};
use super::list::{AtomList, Lists};
use crate::digest::{Confirm, Digest, Encoder};
use crate::key::CacheKey;

/// Index maps with more atoms than this after the common prefix are hashed once per pair of lists.
const REMEMBERED: usize = 16;

/// The shape of a term: small, copied freely, stored in every node of a hash-consed term.
///
/// Two shapes of the same [`Shapes`] are of equal terms if and only if they are equal, and of terms equal
/// up to renaming if and only if their digests are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// What the term and all its renamed copies share, on every run and machine.
    pub digest: Digest,
    /// The distinct atoms of the term, in canonical order.
    pub atoms: AtomList,
}

/// Steps taken so far: what the cost of shapes is measured in, independent of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes whose shape was computed.
    pub nodes: u64,
    /// Nodes of lists and of indexes that were visited or made.
    pub list_steps: u64,
    /// Positions that were written into digests.
    pub positions: u64,
}

/// What merging two long lists gave.
#[derive(Clone, Copy, Debug)]
struct Merged {
    list: AtomList,
    map: Digest,
    confirm: Option<Confirm>,
}

/// Which digest canonical bytes are written for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Digest,
    Confirm,
}

/// Computes shapes; owns the atoms and the lists that they refer to.
///
/// ```
/// use cache_core::rename::Shapes;
///
/// let mut shapes = Shapes::new();
/// // Two objects of 16 bytes and one of 8.
/// let [p, q, r] = [16_u64, 16, 8].map(|size| shapes.fresh(&size).1);
/// let equals = shapes.node("=", &[p, q]);
/// let renamed = shapes.node("=", &[q, p]);
/// assert_eq!(equals.digest, renamed.digest);
///
/// let with_itself = shapes.node("=", &[p, p]);
/// let other_size = shapes.node("=", &[p, r]);
/// assert_ne!(equals.digest, with_itself.digest, "another pattern");
/// assert_ne!(equals.digest, other_size.digest, "another attribute");
/// ```
#[derive(Debug, Default)]
pub struct Shapes {
    atoms: Atoms,
    lists: Lists,
    merged: FxHashMap<(AtomList, AtomList), Merged>,
    encoder: Encoder,
    label: Encoder,
    work: Work,
}

impl Shapes {
    /// Without atoms and terms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A new atom with these attributes, and the shape of the term that is this atom alone.
    pub fn fresh<A: CacheKey + ?Sized>(&mut self, attributes: &A) -> (AtomId, Shape) {
        let atom = self.atoms.fresh(attributes);
        let atoms = self.lists.push(AtomList::EMPTY, atom, &mut self.work.list_steps);
        let digest = self.atoms.digest(atom).unwrap_or(Digest::of(&[]));
        (atom, Shape { digest, atoms })
    }

    /// The shape of the term that is this atom alone; absent for an atom of another allocator.
    pub fn atom(&mut self, atom: AtomId) -> Option<Shape> {
        let digest = self.atoms.digest(atom)?;
        Some(Shape { digest, atoms: self.lists.push(AtomList::EMPTY, atom, &mut self.work.list_steps) })
    }

    /// Forgets all terms: what they share takes no memory any more, and none is needed to do so. Atoms stay with their
    /// numbers and attributes. Shapes that were made before are those of another `Shapes` from then on: whoever keeps
    /// them has to forget them too. A term that is made again has the digest that it had.
    ///
    /// ```
    /// use cache_core::rename::Shapes;
    ///
    /// let mut shapes = Shapes::new();
    /// let (atom, one) = shapes.fresh(&16_u64);
    /// let before = shapes.node("not", &[one]);
    /// shapes.forget_terms();
    /// let one = shapes.atom(atom).expect("atoms stay");
    /// assert_eq!(shapes.node("not", &[one]).digest, before.digest);
    /// ```
    pub fn forget_terms(&mut self) {
        (self.lists, self.merged) = Default::default();
    }

    /// The shape of a node. `label` is everything about the node itself (operator, width, constant,
    /// the name of a variable that is *not* renamable); the children are shapes of this `Shapes`.
    pub fn node<L: CacheKey + ?Sized>(&mut self, label: &L, children: &[Shape]) -> Shape {
        self.label.clear();
        label.encode(&mut self.label);
        self.labelled(children)
    }

    /// As [`Shapes::node`], with a label that writes itself.
    pub fn node_with(&mut self, label: impl FnOnce(&mut Encoder), children: &[Shape]) -> Shape {
        self.label.clear();
        label(&mut self.label);
        self.labelled(children)
    }

    fn labelled(&mut self, children: &[Shape]) -> Shape {
        self.work.nodes += 1;
        let mut out = std::mem::take(&mut self.encoder);
        out.clear();
        write_head(self.label.bytes(), children.len(), &mut out);
        for child in children {
            out.nested(child.digest);
        }
        let atoms = self.write_maps(children.iter().map(|child| child.atoms), Width::Digest, &mut out);
        let digest = out.digest();
        self.encoder = out;
        Shape { digest, atoms }
    }

    /// The confirming digest of a node, from those of its children. Costs about as much as the shape; kept
    /// apart because only questions that meet the disk need it.
    pub fn confirm_node(
        &mut self,
        label: impl FnOnce(&mut Encoder),
        children: &[(Shape, Confirm)],
    ) -> Confirm {
        self.label.clear();
        label(&mut self.label);
        let mut out = std::mem::take(&mut self.encoder);
        out.clear();
        write_head(self.label.bytes(), children.len(), &mut out);
        for (_, confirm) in children {
            out.nested_confirm(*confirm);
        }
        self.write_maps(children.iter().map(|(shape, _)| shape.atoms), Width::Confirm, &mut out);
        let confirm = out.confirm();
        self.encoder = out;
        confirm
    }

    /// The confirming digest of the term that is this atom alone: of its attributes.
    #[must_use]
    pub fn confirm_atom(&self, atom: AtomId) -> Confirm {
        let mut out = Encoder::new();
        self.atoms.encode(atom, &mut out);
        out.confirm()
    }

    /// Writes, for every child but the spine, where its atoms stand in the node's list; returns that list.
    fn write_maps(
        &mut self,
        children: impl Iterator<Item = AtomList> + Clone,
        width: Width,
        out: &mut Encoder,
    ) -> AtomList {
        let mut spine = None;
        let mut longest = 0;
        for (place, list) in children.clone().enumerate() {
            let length = self.lists.length(list);
            if length > longest {
                (spine, longest) = (Some((place, list)), length);
            }
        }
        let Some((spine, mut list)) = spine else { return AtomList::EMPTY };
        for (place, child) in children.enumerate() {
            if place != spine {
                list = self.merge(list, child, width, out);
            }
        }
        list
    }

    /// Appends to `base` the atoms of `child` that it lacks, and writes where all of them stand: how many
    /// stand where they stand in `child`, then the positions of the others.
    fn merge(&mut self, base: AtomList, child: AtomList, width: Width, out: &mut Encoder) -> AtomList {
        let kept = self.lists.common_prefix(base, child, &mut self.work.list_steps);
        let rest = (self.lists.length(child) - kept) as usize;
        out.u64(u64::from(kept));
        out.sequence(rest);
        if rest == 0 {
            return base;
        }
        if rest <= REMEMBERED {
            return self.place(base, child, kept, out);
        }
        match self.merged.get(&(base, child)) {
            Some(Merged { list, map, .. }) if width == Width::Digest => {
                out.nested(*map);
                return *list;
            }
            Some(Merged { list, confirm: Some(confirm), .. }) => {
                out.nested_confirm(*confirm);
                return *list;
            }
            _ => {}
        }
        let mut positions = Encoder::new();
        positions.variant(MAP);
        let list = self.place(base, child, kept, &mut positions);
        let map = positions.digest();
        let confirm = match width {
            Width::Digest => {
                out.nested(map);
                None
            }
            Width::Confirm => {
                let confirm = positions.confirm();
                out.nested_confirm(confirm);
                Some(confirm)
            }
        };
        self.merged.insert((base, child), Merged { list, map, confirm });
        list
    }

    fn place(&mut self, base: AtomList, child: AtomList, kept: u32, out: &mut Encoder) -> AtomList {
        let steps = &mut self.work.list_steps;
        let mut list = base;
        for atom in self.lists.suffix(child, kept) {
            self.work.positions += 1;
            let position = match self.lists.position(list, atom, steps) {
                Some(position) => position,
                None => {
                    let position = self.lists.length(list);
                    list = self.lists.push(list, atom, steps);
                    position
                }
            };
            out.u64(u64::from(position));
        }
        list
    }

    /// The atoms of a list, in canonical order. O(n).
    #[must_use]
    pub fn atoms_of(&self, list: AtomList) -> Vec<AtomId> {
        self.lists.suffix(list, 0)
    }

    /// How many distinct atoms a list has. O(1).
    #[must_use]
    pub fn count(&self, list: AtomList) -> usize {
        self.lists.length(list) as usize
    }

    /// The allocator and its attributes, as a pairwise comparison needs them.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// The steps taken since this was made.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }
}
