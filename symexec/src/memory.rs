//! The memory of a state: objects that never overlap, shared between states until one writes.
//!
//! An object has a number that is never used again on its path, a size, a place ([`Object::base`]) and
//! contents. Programs hold pointers as [`Value::Pointer`], an object and an offset, as long as they
//! can; only where arithmetic mixes a pointer with unknowns, its base becomes an expression
//! ([`Memory::address`]). Loads and stores at known offsets build no expression and search nothing.
//!
//! Objects lie apart by a red zone, so that a pointer behind the end of one is never the start of
//! another. Forking clones one persistent table (module `table`).
//!
//! Contents are an object's own, or part of a segment (module `segment`): several objects that a pointer was
//! found to be one of, in one array. Objects never move: a segment has offsets and no place, so merging
//! changes no number that the program has seen. Questions alone may see its members elsewhere (module `reuse`).
//!
//! Length: an object and every access to it, which share who holds the contents.

mod allocator;
mod fixed;
mod contents;
mod reuse;
mod segment;
mod symbolic;
mod table;
mod value;
mod words;

use std::cell::RefCell;
use std::rc::Rc;

use rpds::RedBlackTreeMap;

pub use allocator::{Allocator, Placement};
pub use contents::Contents;
pub use reuse::SegmentPlaces;
pub use segment::{LARGEST_SEGMENT, SegmentId};
pub use symbolic::{SymbolicBases, UnknownBases};
pub use value::Value;

use crate::base::bits::BinaryOp;
use crate::base::id::id;
use crate::expr::{Arena, ExprId};
use crate::module::{FunctionId, LocationId};
use reuse::Used;
use segment::Segment;
use table::Table;

id! {
    /// An object of a path; never used again on it.
    ObjectId
}

/// What an object was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A variable of the program, or a string it was started with.
    Global,
    /// A local variable of an activation.
    Stack,
    /// Allocated by the program.
    Heap,
    /// A function, which can be called but not read.
    Function(FunctionId),
}

/// Whether an object can still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It can.
    Live,
    /// The program gave it back, or its activation ended.
    Dead,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it was made for.
    pub kind: Kind,
    /// In bytes; the most, if it is unknown.
    pub size: u64,
    /// In bytes, as an expression, if it is unknown: on every path at most [`Self::size`].
    pub length: Option<ExprId>,
    /// Where it lies.
    pub base: u64,
    /// Whether writing is an error.
    pub read_only: bool,
    /// Whether the program declares it without defining it, so that its bytes are nobody's.
    pub undefined: bool,
    /// Whether it can still be used.
    pub life: Life,
    /// Where it was made.
    pub site: LocationId,
    /// Its base as an expression, once it was needed.
    address: Option<ExprId>,
    home: Home,
}

/// Where an object's contents are.
#[derive(Clone, Debug)]
enum Home {
    /// In the object itself.
    Own(Backing),
    /// In a segment, from an offset on.
    Segment(SegmentId, u64),
}

/// Contents, with what was made of them.
#[derive(Clone, Debug)]
struct Backing {
    contents: Contents,
    /// Arrays that were gathered from the contents since the last write.
    gathered: RefCell<Vec<(Gather, ExprId)>>,
}

impl Backing {
    fn new(contents: Contents) -> Self {
        Self { contents, gathered: RefCell::default() }
    }
}

/// Something that has contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Object(ObjectId),
    Segment(SegmentId),
}

/// A holder, kept as it was.
enum Held {
    Object(Rc<Object>),
    Segment(Rc<Segment>),
}

impl Held {
    fn backing(&self) -> Option<&Backing> {
        match self {
            Self::Object(object) => match &object.home {
                Home::Own(backing) => Some(backing),
                Home::Segment(..) => None,
            },
            Self::Segment(segment) => Some(&segment.backing),
        }
    }
}

/// Which values an access at an unknown place can reach: `width` bytes at `constant + stride * i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gather {
    constant: u64,
    stride: u64,
    width: u32,
}

/// A request for a new object.
#[derive(Clone, Copy, Debug)]
pub struct NewObject {
    /// What it is made for.
    pub kind: Kind,
    /// In bytes.
    pub size: u64,
    /// In bytes, a power of two.
    pub alignment: u64,
    /// Where in the program.
    pub site: LocationId,
}

/// The memory of a state.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Table<Object>,
    next: u32,
    segments: RedBlackTreeMap<SegmentId, Rc<Segment>>,
    next_segment: u32,
    /// This state's own allocator, if it has one.
    own: Option<Allocator>,
    /// The ranges of objects at places of the program's choice; shared until one more is defined.
    fixed: Rc<Vec<(u64, u64)>>,
    symbolic: SymbolicBases,
    reuse: Used,
}

impl Memory {
    /// A memory without objects. With [`Placement::PerState`] it has an allocator of its own, and
    /// states forked from it have copies; otherwise all ask the one that they are given.
    #[must_use]
    pub fn new(placement: Placement, symbolic: SymbolicBases) -> Self {
        let own = (placement == Placement::PerState).then(|| Allocator::new(Placement::PerState));
        Self {
            objects: Table::new(),
            next: 0,
            segments: RedBlackTreeMap::new(),
            next_segment: 0,
            own,
            fixed: Rc::default(),
            symbolic,
            reuse: Used::default(),
        }
    }

    /// Makes an object whose bytes are zero. `None` if the address space or the numbers are used up.
    pub fn allocate(&mut self, shared: &mut Allocator, new: NewObject) -> Option<ObjectId> {
        let allocator = self.own.as_mut().unwrap_or(shared);
        let base = match new.kind {
            Kind::Global | Kind::Function(_) => {
                allocator.place_in_image(new.size, new.alignment, &self.fixed)?
            }
            Kind::Stack | Kind::Heap => allocator.place(new.size, new.alignment, &self.fixed)?,
        };
        self.insert(base, new)
    }

    fn insert(&mut self, base: u64, new: NewObject) -> Option<ObjectId> {
        let length = usize::try_from(new.size).ok()?;
        let id = ObjectId(self.next);
        self.next = self.next.checked_add(1)?;
        let contents = match new.kind {
            Kind::Function(_) => Contents::zeros(0),
            _ => Contents::zeros(length),
        };
        let object = Object {
            kind: new.kind,
            size: new.size,
            length: None,
            base,
            read_only: false,
            undefined: false,
            life: Life::Live,
            site: new.site,
            address: None,
            home: Home::Own(Backing::new(contents)),
        };
        self.objects.insert(id.0, Rc::new(object));
        Some(id)
    }

    /// An object, dead or alive. Objects of ended activations are forgotten.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Rc<Object>> {
        self.objects.get(id.0)
    }

    fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(id.0)
    }

    /// Changes what is said of an object beside its contents.
    pub fn mark(&mut self, id: ObjectId, change: impl FnOnce(&mut Object)) {
        if let Some(object) = self.object_mut(id) {
            change(object);
        }
    }

    /// The live or dead object in which a numeric address lies. Function addresses have one byte.
    #[must_use]
    pub fn find(&self, address: u64) -> Option<(ObjectId, u64)> {
        self.objects.iter().find_map(|(id, object)| {
            let inside = address.wrapping_sub(object.base) < object.size.max(1);
            inside.then(|| (ObjectId(id), address.wrapping_sub(object.base)))
        })
    }

    /// All objects, dead or alive, by number.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Rc<Object>)> {
        self.objects.iter().map(|(id, object)| (ObjectId(id), object))
    }

    /// Ends an object's life. Its address stays known, so that dangling pointers keep their value.
    pub fn free(&mut self, id: ObjectId) {
        if let Some(object) = self.object_mut(id) {
            object.life = Life::Dead;
            object.home = Home::Own(Backing::new(Contents::zeros(0)));
        }
    }

    /// Forgets the local variables of an activation that ends.
    pub fn leave(&mut self, locals: &[ObjectId]) {
        for id in locals {
            if self.object(*id).is_some_and(|object| object.address.is_none()) {
                self.objects.remove(id.0);
            } else {
                self.free(*id);
            }
        }
    }

    /// The base address of an object as an expression.
    pub fn address(&mut self, arena: &mut Arena, shared: &mut Allocator, id: ObjectId) -> ExprId {
        if let Some(address) = self.object(id).and_then(|object| object.address) {
            return address;
        }
        let (size, base, kind) = match self.object(id) {
            Some(object) => (object.size, object.base, object.kind),
            // A local variable that is gone and whose address nobody had looked at yet: it gets a place
            // of its own, at which nothing lies.
            None => {
                let base = self.own.as_mut().unwrap_or(shared).place(1, 1, &self.fixed).unwrap_or(u64::MAX);
                let ghost = Object {
                    kind: Kind::Stack,
                    size: 0,
                    length: None,
                    base,
                    read_only: false,
                    undefined: false,
                    life: Life::Dead,
                    site: LocationId(0),
                    address: None,
                    home: Home::Own(Backing::new(Contents::zeros(0))),
                };
                self.objects.insert(id.0, Rc::new(ghost));
                (0, base, Kind::Stack)
            }
        };
        let address = if self.symbolic.include(kind) {
            arena.new_address(size, base, id.0)
        } else {
            arena.new_fixed_address(size, base, id.0)
        };
        self.mark(id, |object| object.address = Some(address));
        address
    }

    /// A value as an expression of `width` bits.
    pub fn expression(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        value: Value,
        width: u32,
    ) -> ExprId {
        match value {
            Value::Bits(bits) => arena.constant(width, bits),
            Value::Expr(id) => id,
            Value::Pointer { object, offset } => {
                let base = self.address(arena, shared, object);
                let offset = arena.constant(64, offset);
                arena.binary(BinaryOp::Add, base, offset)
            }
        }
    }

    /// The numeric value of a pointer at a known offset.
    pub fn number(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        object: ObjectId,
        offset: u64,
    ) -> u64 {
        let base = match self.object(object) {
            Some(found) => found.base,
            None => {
                self.address(arena, shared, object);
                self.object(object).map_or(0, |found| found.base)
            }
        };
        base.wrapping_add(offset)
    }

    /// Who holds the contents of an object, and from which offset on.
    fn holder(&self, id: ObjectId) -> Option<(Holder, u64)> {
        Some(match self.object(id)?.home {
            Home::Own(_) => (Holder::Object(id), 0),
            Home::Segment(segment, offset) => (Holder::Segment(segment), offset),
        })
    }

    fn held(&self, holder: Holder) -> Option<Held> {
        match holder {
            Holder::Object(id) => self.object(id).cloned().map(Held::Object),
            Holder::Segment(id) => self.segments.get(&id).cloned().map(Held::Segment),
        }
    }

    /// The contents of a holder, to be written.
    fn backing_mut(&mut self, holder: Holder) -> Option<&mut Backing> {
        match holder {
            Holder::Object(id) => match &mut self.object_mut(id)?.home {
                Home::Own(backing) => Some(backing),
                Home::Segment(..) => None,
            },
            Holder::Segment(id) => self.segments.get_mut(&id).map(|found| &mut Rc::make_mut(found).backing),
        }
    }

    fn replace(&mut self, holder: Holder, contents: Contents) {
        if let Some(backing) = self.backing_mut(holder) {
            *backing = Backing::new(contents);
        }
    }

    /// An offset, `start` bytes further on.
    fn moved(arena: &mut Arena, offset: ExprId, start: u64) -> ExprId {
        if start == 0 {
            return offset;
        }
        let start = arena.constant(64, start);
        arena.binary(BinaryOp::Add, start, offset)
    }

    /// Reads `bytes` bytes at a known offset; the access lies inside.
    pub fn load(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: u64,
        bytes: u32,
    ) -> Value {
        let Some(object) = self.object(id) else { return Value::Bits(0) };
        if let Home::Own(backing) = &object.home
            && let Some(value) = backing.contents.read_whole(offset, bytes)
        {
            return value;
        }
        let Some((holder, start)) = self.holder(id) else { return Value::Bits(0) };
        let Some(held) = self.held(holder) else { return Value::Bits(0) };
        let Some(backing) = held.backing() else { return Value::Bits(0) };
        backing.contents.read(arena, start + offset, bytes, &mut |arena, value, width| {
            self.expression(arena, shared, value, width)
        })
    }

    /// Reads through a pointer where nothing can go wrong and no expression is made: inside an object that
    /// may be read, of bytes that are known or were written as they are read. `None` otherwise.
    #[must_use]
    pub fn load_known(&self, id: ObjectId, offset: u64, bytes: u32) -> Option<Value> {
        let object = self.objects.get(id.0)?;
        let Home::Own(backing) = &object.home else { return None };
        let inside = offset <= object.size && object.size - offset >= u64::from(bytes);
        if !inside || object.life == Life::Dead || object.undefined || object.length.is_some() {
            return None;
        }
        backing.contents.read_whole(offset, bytes)
    }

    /// Writes through a pointer where nothing can go wrong and no expression is made; whether it did.
    pub fn store_known(&mut self, id: ObjectId, offset: u64, bytes: u32, value: Value) -> bool {
        let Some(object) = self.objects.get_mut(id.0) else { return false };
        let inside = offset <= object.size && object.size - offset >= u64::from(bytes);
        if !inside || object.life == Life::Dead || object.undefined || object.read_only {
            return false;
        }
        if object.length.is_some() {
            return false;
        }
        let Home::Own(backing) = &mut object.home else { return false };
        if matches!(object.kind, Kind::Function(_)) || backing.contents.wants_expressions(offset, bytes) {
            return false;
        }
        backing.gathered.get_mut().clear();
        backing.contents.write_whole(offset, bytes, value);
        true
    }

    /// Reads `bytes` bytes at an unknown offset; the access lies inside.
    pub fn load_at(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: ExprId,
        bytes: u32,
    ) -> ExprId {
        let Some((holder, start)) = self.holder(id) else { return arena.constant(bytes * 8, 0) };
        let offset = Self::moved(arena, offset, start);
        self.load_held(arena, shared, holder, offset, bytes)
    }

    fn load_held(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        holder: Holder,
        offset: ExprId,
        bytes: u32,
    ) -> ExprId {
        let held = self.held(holder);
        let Some(backing) = held.as_ref().and_then(Held::backing) else {
            return arena.constant(bytes * 8, 0);
        };
        let scaled = arena.scaled(offset);
        let gather = Gather { constant: scaled.constant, stride: scaled.stride, width: bytes };
        if let Contents::Array { .. } = backing.contents {
            let mut as_expression =
                |arena: &mut Arena, value, width| self.expression(arena, shared, value, width);
            let mut contents = backing.contents.clone();
            let read = contents.read_at(arena, scaled, offset, bytes, &mut as_expression);
            // What had to be converted to be read stays converted.
            if contents != backing.contents {
                self.replace(holder, contents);
            }
            return read;
        }
        let known =
            backing.gathered.borrow().iter().find(|(known, _)| *known == gather).map(|(_, array)| *array);
        let array = known.unwrap_or_else(|| {
            let mut as_expression =
                |arena: &mut Arena, value, width| self.expression(arena, shared, value, width);
            let array =
                backing.contents.gather(arena, gather.constant, gather.stride, bytes, &mut as_expression);
            backing.gathered.borrow_mut().push((gather, array));
            array
        });
        arena.read(array, scaled.index)
    }

    /// Writes `bytes` bytes at a known offset; the access lies inside.
    pub fn store(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: u64,
        bytes: u32,
        value: Value,
    ) {
        let Some((holder, start)) = self.holder(id) else { return };
        let offset = start + offset;
        let Some(backing) = self.backing_mut(holder) else { return };
        if !backing.contents.wants_expressions(offset, bytes) {
            backing.gathered.get_mut().clear();
            backing.contents.write_whole(offset, bytes, value);
            return;
        }
        let mut contents = backing.contents.clone();
        contents.write(arena, offset, bytes, value, &mut |arena, value, width| {
            self.expression(arena, shared, value, width)
        });
        self.replace(holder, contents);
    }

    /// Writes `bytes` bytes at an unknown offset; the access lies inside.
    pub fn store_at(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) {
        let Some((holder, start)) = self.holder(id) else { return };
        let offset = Self::moved(arena, offset, start);
        self.store_held(arena, shared, holder, offset, bytes, value);
    }

    fn store_held(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        holder: Holder,
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) {
        let held = self.held(holder);
        let Some(backing) = held.as_ref().and_then(Held::backing) else { return };
        let mut contents = backing.contents.clone();
        drop(held);
        let scaled = arena.scaled(offset);
        contents.write_at(arena, scaled, offset, bytes, value, &mut |arena, value, width| {
            self.expression(arena, shared, value, width)
        });
        self.replace(holder, contents);
    }

    /// Writes many bytes that are known; they lie inside.
    pub fn store_bytes(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: u64,
        bytes: &[u8],
    ) {
        let Some((holder, start)) = self.holder(id) else { return };
        if let Some(backing) = self.backing_mut(holder) {
            backing.gathered.get_mut().clear();
            if backing.contents.write_bytes(start + offset, bytes) {
                return;
            }
        }
        for (place, byte) in (offset..).zip(bytes) {
            self.store(arena, shared, id, place, 1, Value::Bits(u64::from(*byte)));
        }
    }

    /// Copies bytes between places that are known; they lie inside. The places may overlap.
    pub fn copy(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (to, to_offset): (ObjectId, u64),
        (from, from_offset): (ObjectId, u64),
        length: u64,
    ) {
        let Some((holder, start)) = self.holder(from) else { return };
        let Some(held) = self.held(holder) else { return };
        let Some(source) = held.backing() else { return };
        let begin = start + from_offset;
        if let Some((bytes, pieces)) = source.contents.slice(begin, length) {
            self.store_bytes(arena, shared, to, to_offset, bytes);
            for (place, count, value) in pieces {
                self.store(arena, shared, to, to_offset + (place - begin), count, value);
            }
            return;
        }
        // All values are read before one is written.
        let width = source.contents.unit(begin, length);
        let values: Vec<Value> = (0..length / u64::from(width))
            .map(|place| self.load(arena, shared, from, from_offset + place * u64::from(width), width))
            .collect();
        for (place, value) in (0u64..).zip(values) {
            self.store(arena, shared, to, to_offset + place * u64::from(width), width, value);
        }
    }
}
