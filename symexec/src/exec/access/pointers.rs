//! What is known of pointers: the place that one goes to, or the objects that it may point into.

use crate::expr::{AddressId, ExprId};
use crate::memory::ObjectId;

/// Where an access goes: inside an object.
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) struct Place {
    pub(in crate::exec) object: ObjectId,
    pub(in crate::exec) offset: Offset,
}

/// How far from the start of an object.
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) enum Offset {
    Known(u64),
    Unknown(ExprId),
}

/// What a pointer is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::exec) enum Wanted {
    /// To be read, written or freed.
    Data,
    /// To be called.
    Code,
}

/// The objects that a pointer may point into.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    pub(in crate::exec) objects: Box<[ObjectId]>,
    /// Where all objects lay: from the first one's start to the last one's end. Only if there are more
    /// objects than are followed.
    pub(in crate::exec) more: Option<(u64, u64)>,
}

/// One of the things that the base of a pointer may be.
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) enum Target {
    Object(AddressId),
    Marker(u64),
}

/// What the base of a pointer may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The objects, in the order in which their addresses occur.
    pub(in crate::exec) addresses: Box<[AddressId]>,
    /// The markers: null, and other numbers at which no object lies.
    pub(in crate::exec) markers: Box<[u64]>,
}

impl FromIterator<Target> for Targets {
    fn from_iter<T: IntoIterator<Item = Target>>(targets: T) -> Self {
        let (mut addresses, mut markers) = (Vec::new(), Vec::new());
        for target in targets {
            match target {
                Target::Object(address) => addresses.push(address),
                Target::Marker(marker) => markers.push(marker),
            }
        }
        Self { addresses: addresses.into(), markers: markers.into() }
    }
}

impl Targets {
    pub(in crate::exec) fn count(&self) -> usize {
        self.addresses.len() + self.markers.len()
    }

    /// The objects and the markers.
    pub(in crate::exec) fn all(&self) -> (Vec<AddressId>, Vec<u64>) {
        (self.addresses.to_vec(), self.markers.to_vec())
    }
}
