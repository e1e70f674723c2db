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
mod columns;
mod contents;
mod fixed;
mod joined;
mod reuse;
mod rows;
mod segment;
mod symbolic;
mod table;
mod trace;
mod value;

use std::rc::Rc;

use rpds::RedBlackTreeMap;
use rustc_hash::FxHashMap;

pub use allocator::{Allocator, Placement};
pub use contents::Contents;
pub use reuse::SegmentPlaces;
pub use rows::{Distance, Kept};
pub use segment::{LARGEST_SEGMENT, SegmentId};
pub use symbolic::{SymbolicBases, UnknownBases};
pub use value::Value;

use crate::base::bits::BinaryOp;
use crate::base::id::id;
use crate::expr::{Arena, ExprId, Scaled};

use crate::module::{FunctionId, LocationId};
use columns::Access;
use contents::AsExpression;
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

/// How the program asked for an object of its heap, and so how it has to give it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// By `malloc` and its relatives.
    #[default]
    Malloc,
    /// By `operator new`.
    New,
    /// By `operator new[]`.
    NewArray,
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
    /// How the program asked for it.
    pub origin: Origin,
    /// Where it was made.
    pub site: LocationId,
    /// Its base as an expression, once it was needed.
    address: Option<ExprId>,
    /// Set only if it is alive, defined, of a known size, no function, and in no segment.
    is_plain: bool,
    home: Home,
}

impl Object {
    /// Looks whether it is plain.
    fn judge(&mut self) {
        let Self { kind, length, undefined, life, home, .. } = self;
        self.is_plain = *life == Life::Live
            && !*undefined
            && length.is_none()
            && matches!(home, Home::Own(_))
            && !matches!(kind, Kind::Function(_));
    }

    /// Whether an access lies inside.
    #[inline(always)]
    fn has(&self, offset: u64, bytes: u32) -> bool {
        offset <= self.size && self.size - offset >= u64::from(bytes)
    }
}

/// Where an object's contents are.
#[derive(Clone, Debug)]
enum Home {
    /// In the object itself.
    Own(Contents),
    /// In a segment, from an offset on.
    Segment(SegmentId, u64),
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
    fn contents(&self) -> Option<&Contents> {
        match self {
            Self::Object(object) => match &object.home {
                Home::Own(contents) => Some(contents),
                Home::Segment(..) => None,
            },
            Self::Segment(segment) => Some(&segment.contents),
        }
    }
}

/// A write is made at each place that it may reach, if there are no more.
const MOST_TABULATED: usize = 8;

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
    /// How many bytes the live objects of the heap have together.
    heap: u64,
    #[cfg(feature = "plant")]
    ignore_overlaps: bool,
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
            heap: 0,
            #[cfg(feature = "plant")]
            ignore_overlaps: false,
        }
    }

    /// With the lie, if it is to be told, that columns do not see what is written over a part of their elements.
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn ignoring_overlaps(mut self, ignore: bool) -> Self {
        self.ignore_overlaps = ignore;
        self
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
        if new.kind == Kind::Heap {
            self.heap = self.heap.saturating_add(new.size);
        }
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
            origin: Origin::default(),
            site: new.site,
            address: None,
            is_plain: !matches!(new.kind, Kind::Function(_)),
            home: Home::Own(contents),
        };
        self.objects.insert(id.0, Rc::new(object));
        Some(id)
    }

    /// Takes less room, until it is used again.
    pub fn rest(&mut self) {
        self.objects.put_all_back();
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
            object.judge();
        }
    }

    /// Lets an object that the program asked for count as one of its variables, which nobody gives back.
    pub fn mark_global(&mut self, id: ObjectId) {
        let mut given_back = 0;
        self.mark(id, |object| {
            given_back = if object.kind == Kind::Heap { object.size } else { 0 };
            object.kind = Kind::Global;
        });
        self.heap = self.heap.saturating_sub(given_back);
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

    /// How many bytes the program has asked for and not given back, whether it has used them or not.
    #[must_use]
    pub fn heap(&self) -> u64 {
        self.heap
    }

    /// Ends an object's life. Its address stays known, so that dangling pointers keep their value.
    pub fn free(&mut self, id: ObjectId) {
        let mut given_back = 0;
        if let Some(object) = self.object_mut(id) {
            if object.kind == Kind::Heap && object.life == Life::Live {
                given_back = object.size;
            }
            object.life = Life::Dead;
            object.is_plain = false;
            object.home = Home::Own(Contents::zeros(0));
        }
        self.heap = self.heap.saturating_sub(given_back);
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
                    origin: Origin::default(),
                    site: LocationId(0),
                    address: None,
                    is_plain: false,
                    home: Home::Own(Contents::zeros(0)),
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
    fn contents_mut(&mut self, holder: Holder) -> Option<&mut Contents> {
        match holder {
            Holder::Object(id) => match &mut self.object_mut(id)?.home {
                Home::Own(contents) => Some(contents),
                Home::Segment(..) => None,
            },
            Holder::Segment(id) => self.segments.get_mut(&id).map(|found| &mut Rc::make_mut(found).contents),
        }
    }

    /// Changes contents where that makes expressions: for these nothing but addresses of objects is looked at, so the
    /// contents are away in the meantime.
    fn change<T>(
        &mut self,
        shared: &mut Allocator,
        holder: Holder,
        change: impl FnOnce(&mut Contents, &mut AsExpression<'_>) -> T,
    ) -> Option<T> {
        let mut contents = std::mem::take(self.contents_mut(holder)?);
        #[cfg(feature = "plant")]
        contents.ignore_overlaps(self.ignore_overlaps);
        let changed =
            change(&mut contents, &mut |arena, value, width| self.expression(arena, shared, value, width));
        *self.contents_mut(holder)? = contents;
        Some(changed)
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
        if let Home::Own(contents) = &object.home
            && let Some(value) = contents.read_whole(offset, bytes)
        {
            return value;
        }
        let Some((holder, start)) = self.holder(id) else { return Value::Bits(0) };
        let Some(held) = self.held(holder) else { return Value::Bits(0) };
        let Some(contents) = held.contents() else { return Value::Bits(0) };
        contents.read(arena, start + offset, bytes, &mut |arena, value, width| {
            self.expression(arena, shared, value, width)
        })
    }

    /// What can be read through a pointer where nothing can go wrong: inside an object that may be read. `None`
    /// otherwise.
    #[must_use]
    #[inline(always)]
    pub fn readable(&mut self, id: ObjectId, offset: u64, bytes: u32) -> Option<&Contents> {
        let object = self.objects.get_again(id.0)?;
        let Home::Own(contents) = &object.home else { return None };
        (object.is_plain && object.has(offset, bytes)).then_some(contents)
    }

    /// Reads through a pointer where nothing can go wrong and no expression is made: of bytes that are known or were
    /// written as they are read. `None` otherwise.
    #[must_use]
    pub fn load_known(&mut self, id: ObjectId, offset: u64, bytes: u32) -> Option<Value> {
        self.readable(id, offset, bytes)?.read_whole(offset, bytes)
    }

    /// Writes through a pointer where nothing can go wrong and no expression is made; whether it did.
    #[inline(always)]
    pub fn store_known(&mut self, id: ObjectId, offset: u64, bytes: u32, value: Value) -> bool {
        let Some(object) = self.objects.get_mut(id.0) else { return false };
        if !object.is_plain || object.read_only || !object.has(offset, bytes) {
            return false;
        }
        let Home::Own(contents) = &mut object.home else { return false };
        contents.write_known(offset, bytes, value)
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
        // Where the offset is an element of a table, so is what is read: entries that point into one large object.
        if let Some((constant, tree, numbers)) = arena.tabulated(offset) {
            let size = self.object(id).map_or(0, |object| object.size);
            let mut values = FxHashMap::default();
            for number in numbers {
                let offset = number.wrapping_add(constant);
                // The access lies inside, so what the others have does not matter.
                if offset.checked_add(bytes.into()).is_some_and(|end| end <= size) {
                    let value = self.load(arena, shared, id, offset, bytes);
                    values.insert(number, self.expression(arena, shared, value, bytes * 8));
                }
            }
            return arena.by_number(tree, bytes * 8, &values);
        }
        let Some((holder, bounds)) = self.bounds(id) else { return arena.constant(bytes * 8, 0) };
        let offset = Self::moved(arena, offset, bounds.0);
        self.load_held(arena, shared, (holder, bounds), offset, bytes)
    }

    /// Who holds the contents of an object, and between which offsets.
    fn bounds(&self, id: ObjectId) -> Option<(Holder, (u64, u64))> {
        let (holder, start) = self.holder(id)?;
        Some((holder, (start, start + self.object(id)?.size)))
    }

    /// An access at an unknown offset between two.
    fn access(arena: &mut Arena, offset: ExprId, bytes: u32, bounds: (u64, u64)) -> Option<Access> {
        let scaled: Scaled = arena.scaled(offset);
        Access::new(arena, scaled, bytes, bounds)
    }

    fn load_held(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (holder, bounds): (Holder, (u64, u64)),
        offset: ExprId,
        bytes: u32,
    ) -> ExprId {
        let held = self.held(holder);
        let access = Self::access(arena, offset, bytes, bounds);
        let (Some(contents), Some(access)) = (held.as_ref().and_then(Held::contents), access) else {
            return arena.constant(bytes * 8, 0);
        };
        contents
            .read_at(arena, &access, &mut |arena, value, width| self.expression(arena, shared, value, width))
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
        let Some(contents) = self.contents_mut(holder) else { return };
        if contents.write_known(offset, bytes, value) {
            return;
        }
        self.change(shared, holder, |contents, as_expression| {
            contents.write(arena, offset, bytes, value, as_expression);
        });
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
        if self.store_tabulated(arena, shared, id, offset, bytes, value) {
            return;
        }
        let Some((holder, bounds)) = self.bounds(id) else { return };
        let offset = Self::moved(arena, offset, bounds.0);
        self.store_held(arena, shared, (holder, bounds), offset, bytes, value);
    }

    /// Writes at an offset that is one of a few numbers, as an element of a table is: at each of them, where it is that
    /// one. Says whether it did.
    fn store_tabulated(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) -> bool {
        let Some((constant, _, numbers)) = arena.tabulated(offset) else { return false };
        let size = self.object(id).map_or(0, |object| object.size);
        let mut offsets: Vec<u64> = numbers.into_iter().map(|number| number.wrapping_add(constant)).collect();
        offsets.retain(|offset| offset.checked_add(bytes.into()).is_some_and(|end| end <= size));
        if offsets.len() > MOST_TABULATED {
            return false;
        }
        let value = self.expression(arena, shared, value, bytes * 8);
        for number in offsets {
            let old = self.load(arena, shared, id, number, bytes);
            let old = self.expression(arena, shared, old, bytes * 8);
            let place = arena.constant(64, number);
            let here = arena.equal(place, offset);
            let new = arena.choose(here, value, old);
            let new = arena.as_u64(new).map_or(Value::Expr(new), Value::Bits);
            self.store(arena, shared, id, number, bytes, new);
        }
        true
    }

    fn store_held(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (holder, bounds): (Holder, (u64, u64)),
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) {
        let Some(access) = Self::access(arena, offset, bytes, bounds) else { return };
        self.change(shared, holder, |contents, as_expression| {
            contents.write_at(arena, &access, value, as_expression)
        });
    }

    /// [`Self::store_at`], unless that would leave pointers beside integers in one array; says whether it did.
    pub fn store_apart(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) -> bool {
        if self.store_tabulated(arena, shared, id, offset, bytes, value) {
            return true;
        }
        let Some((holder, bounds)) = self.bounds(id) else { return true };
        let offset = Self::moved(arena, offset, bounds.0);
        self.store_held_apart(arena, shared, (holder, bounds), offset, bytes, value)
    }

    fn store_held_apart(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (holder, bounds): (Holder, (u64, u64)),
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) -> bool {
        let Some(access) = Self::access(arena, offset, bytes, bounds) else { return true };
        let written = self.change(shared, holder, |contents, as_expression| {
            let before = contents.clone();
            let mixes = contents.write_at(arena, &access, value, as_expression);
            if mixes {
                *contents = before;
            }
            !mixes
        });
        written.unwrap_or(true)
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
        let known =
            self.contents_mut(holder).is_none_or(|found| found.write_known_bytes(start + offset, bytes));
        if !known {
            self.change(shared, holder, |contents, as_expression| {
                contents.write_bytes(arena, start + offset, bytes, as_expression);
            });
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
        let (Some((source, from)), Some((target, to))) = (self.holder(from), self.holder(to)) else { return };
        let Some(held) = self.held(source) else { return };
        let Some(contents) = held.contents() else { return };
        let taken = contents.take(arena, from + from_offset, length, &mut |arena, value, width| {
            self.expression(arena, shared, value, width)
        });
        drop(held);
        self.change(shared, target, |contents, as_expression| {
            contents.put(arena, to + to_offset, &taken, as_expression);
        });
    }
}
