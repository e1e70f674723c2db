//! Atoms: what may be renamed, with the attributes that a renaming must respect.

use rustc_hash::FxHashMap;

use super::encoding::ATOM;
use crate::digest::{Digest, Encoder};
use crate::key::CacheKey;

/// The identity of a renamable atom (a symbolic base address, an input array, a type variable).
///
/// Given out by [`Shapes::fresh`](super::Shapes::fresh) or [`Atoms::fresh`], never reused, meaningless in
/// another run: no id ever enters a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub(crate) u32);

impl AtomId {
    /// The number of the atom in order of allocation, for tables of this run that are indexed by atoms. It is unique
    /// only among the atoms of one [`Atoms`] (or [`Shapes`](super::Shapes)), and another run gives other numbers: no
    /// key and no stored answer may hold it. The number that an atom has in a normal form is
    /// [`Renaming::number`](super::Renaming::number).
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Interned attributes: equal numbers if and only if equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttributesId(u32);

/// The allocator of atoms and the keeper of their attributes.
///
/// Attributes (the size of an object, the initial contents of an array, whether it is an address or an
/// input) are given once, at allocation, and never change: they are hashed with the atom, so a later
/// change would make old digests lie.
#[derive(Debug, Default)]
pub struct Atoms {
    /// By atom.
    attributes: Vec<AttributesId>,
    /// By attributes: their canonical bytes and the digest of an atom that has them.
    interned: Vec<(Box<[u8]>, Digest)>,
    by_bytes: FxHashMap<Box<[u8]>, AttributesId>,
    scratch: Encoder,
}

impl Atoms {
    /// An allocator that has given out nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A new atom with these attributes.
    pub fn fresh<A: CacheKey + ?Sized>(&mut self, attributes: &A) -> AtomId {
        self.scratch.clear();
        attributes.encode(&mut self.scratch);
        let interned = match self.by_bytes.get(self.scratch.bytes()) {
            Some(&id) => id,
            None => {
                let id = AttributesId(small(self.interned.len()));
                let bytes: Box<[u8]> = self.scratch.bytes().into();
                let mut encoder = Encoder::new();
                encode_atom(&bytes, &mut encoder);
                self.interned.push((bytes.clone(), encoder.digest()));
                self.by_bytes.insert(bytes, id);
                id
            }
        };
        let atom = AtomId(small(self.attributes.len()));
        self.attributes.push(interned);
        atom
    }

    /// How many atoms were given out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.attributes.len()
    }

    /// Whether no atom was given out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Whether both atoms are known and have equal attributes, as a bijection demands of a pair.
    #[must_use]
    pub fn agree(&self, left: AtomId, right: AtomId) -> bool {
        match (self.attributes.get(left.index()), self.attributes.get(right.index())) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        }
    }

    /// The digest of a term that is this atom alone: of its attributes, not of its identity. Absent for
    /// an atom of another allocator.
    pub(crate) fn digest(&self, atom: AtomId) -> Option<Digest> {
        let AttributesId(id) = *self.attributes.get(atom.index())?;
        self.interned.get(id as usize).map(|(_, digest)| *digest)
    }

    /// Writes what [`Atoms::digest`] is the digest of.
    pub(crate) fn encode(&self, atom: AtomId, out: &mut Encoder) {
        if let Some(AttributesId(id)) = self.attributes.get(atom.index())
            && let Some((bytes, _)) = self.interned.get(*id as usize)
        {
            encode_atom(bytes, out);
        }
    }
}

fn encode_atom(attributes: &[u8], out: &mut Encoder) {
    out.variant(ATOM);
    out.raw(attributes);
}

/// A count as an id.
#[expect(
    clippy::expect_used,
    reason = "four billion ids would need more than 60 GB in the arenas that give them out"
)]
pub(crate) fn small(count: usize) -> u32 {
    u32::try_from(count).expect("more than four billion ids")
}
