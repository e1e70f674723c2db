//! Memory with unknown places, values and pointers is that of bytes, for every value of the inputs.

use proptest::prelude::*;
use symexec::base::bits::{BinaryOp, Bits};
use symexec::expr::{Arena, Evaluator, ExprId, Model, RenameInputs};
use symexec::memory::{
    Allocator, Distance, Kind, Memory, NewObject, ObjectId, Placement, SymbolicBases, Value,
};
use symexec::module::LocationId;

const SIZES: [u64; 3] = [96, 40, 128];

/// A place: `constant + stride * i`, where `i` is an input byte, all of it or its lowest bits; or without it.
#[derive(Clone, Copy, Debug)]
struct Where {
    object: usize,
    constant: i8,
    stride: u64,
    input: usize,
    bits: u32,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Known(u64),
    Input(usize),
    Pointer(usize, u64),
}

#[derive(Clone, Debug)]
enum Step {
    Store(Where, u32, What),
    /// If that mixes no pointers with integers.
    Apart(Where, u32, What),
    Load(Where, u32),
    Bytes(usize, u64, Vec<u8>),
    Copy((usize, u64), (usize, u64), u64),
    /// In pieces, as structures at unknown places are.
    Rows(Where, Where, u64),
    /// One byte, so often.
    Fill(Where, What, u64),
    /// Two objects into one segment.
    Merge(usize, usize),
}

fn place() -> impl Strategy<Value = Where> {
    let strides = prop::sample::select(vec![0u64, 1, 2, 4, 8, 8, 12, 16, 16, 24, 24, 40]);
    (
        0..SIZES.len(),
        prop::sample::select(vec![-16i8, -8, 0, 0, 4, 8, 8, 12, 16, 20, 24, 30]),
        strides,
        0usize..4,
        1u32..=8,
    )
        .prop_map(|(object, constant, stride, input, bits)| Where {
            object,
            constant,
            stride,
            input,
            bits,
        })
}

fn step() -> impl Strategy<Value = Step> {
    let what = || {
        prop_oneof![
            prop::sample::select(vec![0u64, 0, 5, u64::MAX, 0x1122_3344_5566_7788]).prop_map(What::Known),
            (0usize..4).prop_map(What::Input),
            (0..SIZES.len(), prop::sample::select(vec![0u64, 0, 8, 24]))
                .prop_map(|(object, at)| What::Pointer(object, at)),
        ]
    };
    let width = || prop::sample::select(vec![1u32, 2, 4, 8, 8, 8]);
    let length = || prop::sample::select(vec![1u64, 3, 8, 12, 16, 16, 20, 24, 24, 40]);
    prop_oneof![
        6 => (place(), width(), what()).prop_map(|(place, width, what)| Step::Store(place, width, what)),
        1 => (place(), width(), what()).prop_map(|(place, width, what)| Step::Apart(place, width, what)),
        6 => (place(), width()).prop_map(|(place, width)| Step::Load(place, width)),
        1 => (0..SIZES.len(), 0u64..60, prop::collection::vec(any::<u8>(), 1..70))
            .prop_map(|(object, at, bytes)| Step::Bytes(object, at, bytes)),
        1 => ((0..SIZES.len(), 0u64..40), (0..SIZES.len(), 0u64..40), 1u64..90)
            .prop_map(|(to, from, length)| Step::Copy(to, from, length)),
        3 => (place(), place(), length()).prop_map(|(to, from, length)| Step::Rows(to, from, length)),
        1 => (place(), what(), length()).prop_map(|(to, byte, length)| Step::Fill(to, byte, length)),
        1 => (0..SIZES.len(), 0..SIZES.len()).prop_map(|(one, other)| Step::Merge(one, other)),
    ]
}

/// Memory beside the bytes that it stands for when the inputs have some values.
struct Both {
    arena: Arena,
    shared: Allocator,
    memory: Memory,
    objects: Vec<ObjectId>,
    inputs: Vec<ExprId>,
    values: Vec<u8>,
    model: Model,
    bytes: Vec<Vec<u8>>,
}

impl Both {
    fn new(values: &[u8]) -> Self {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("input", values.len());
        let names = arena.array(array).bytes.clone();
        let inputs = names.iter().map(|byte| arena.input_byte(*byte)).collect();
        let mut shared = Allocator::new(Placement::Shared);
        let mut memory = Memory::new(Placement::Shared, SymbolicBases::default());
        let new = |size| NewObject { kind: Kind::Heap, size, alignment: 16, site: LocationId(0) };
        let objects = SIZES.iter().map(|size| memory.allocate(&mut shared, new(*size)).unwrap()).collect();
        let model = Model::new(names.into_iter().zip(values.iter().copied()));
        let bytes = SIZES.iter().map(|size| vec![0; usize::try_from(*size).unwrap()]).collect();
        Self { arena, shared, memory, objects, inputs, values: values.to_vec(), model, bytes }
    }

    /// The number that a place is, if `count` bytes there lie inside; and the expression, if it depends on an input.
    fn offset(&mut self, at: Where, count: u32) -> Option<(u64, Option<ExprId>)> {
        let index = u64::from(self.values[at.input]) & ((1 << at.bits) - 1);
        let number = i64::from(at.constant) + i64::try_from(at.stride * index).unwrap();
        let number = u64::try_from(number).ok().filter(|from| from + u64::from(count) <= SIZES[at.object])?;
        let low = self.arena.extract(self.inputs[at.input], 0, at.bits);
        let index = self.arena.zero_extend(low, 64);
        let stride = self.arena.constant(64, at.stride);
        let product = self.arena.binary(BinaryOp::Mul, stride, index);
        let constant = self.arena.constant(64, i64::from(at.constant) as u64);
        let sum = self.arena.binary(BinaryOp::Add, constant, product);
        Some((number, (at.stride > 0).then_some(sum)))
    }

    /// A value of some bytes, and the number that it is.
    fn what(&mut self, what: What, count: u32) -> (Value, u64) {
        let all = if count == 8 { u64::MAX } else { (1 << (count * 8)) - 1 };
        match what {
            What::Known(number) => (Value::Bits(number & all), number & all),
            What::Pointer(object, at) if count == 8 => {
                let object = self.objects[object];
                let base = self.memory.object(object).unwrap().base;
                (Value::Pointer { object, offset: at }, base + at)
            }
            What::Pointer(_, at) => (Value::Bits(at), at),
            What::Input(input) => {
                let value = self.arena.zero_extend(self.inputs[input], count * 8);
                (Value::Expr(value), self.values[input].into())
            }
        }
    }

    fn write(&mut self, at: Where, count: u32, what: What, always: bool) {
        let Some((number, unknown)) = self.offset(at, count) else { return };
        let (value, written) = self.what(what, count);
        let object = self.objects[at.object];
        let (arena, shared) = (&mut self.arena, &mut self.shared);
        let done = match unknown {
            None => {
                self.memory.store(arena, shared, object, number, count, value);
                true
            }
            Some(offset) if always => {
                self.memory.store_at(arena, shared, object, offset, count, value);
                true
            }
            Some(offset) => self.memory.store_apart(arena, shared, object, offset, count, value),
        };
        if done {
            let from = usize::try_from(number).unwrap();
            let bytes = written.to_le_bytes();
            self.bytes[at.object][from..from + count as usize].copy_from_slice(&bytes[..count as usize]);
        }
    }

    /// What is read, and what it should be.
    fn read(&mut self, at: Where, count: u32) -> Option<(Bits, u64)> {
        let (number, unknown) = self.offset(at, count)?;
        let object = self.objects[at.object];
        let (arena, shared) = (&mut self.arena, &mut self.shared);
        let value = match unknown {
            None => self.memory.load(arena, shared, object, number, count),
            Some(offset) => Value::Expr(self.memory.load_at(arena, shared, object, offset, count)),
        };
        let value = self.memory.expression(arena, shared, value, count * 8);
        let found = Evaluator::new(&self.arena, &self.model).value(value);
        let from = usize::try_from(number).unwrap();
        let mut expected = [0; 8];
        expected[..count as usize].copy_from_slice(&self.bytes[at.object][from..from + count as usize]);
        Some((found, u64::from_le_bytes(expected)))
    }

    /// A place for [`Memory::pieces`], where `length` bytes lie inside.
    fn distance(&mut self, at: Where, length: u64) -> Option<(u64, (ObjectId, Distance))> {
        let (number, unknown) = self.offset(at, u32::try_from(length).unwrap())?;
        let distance = unknown.map_or(Distance::Known(number), Distance::Unknown);
        Some((number, (self.objects[at.object], distance)))
    }

    fn further(&mut self, distance: Distance, by: u64) -> Distance {
        match distance {
            Distance::Known(offset) => Distance::Known(offset + by),
            Distance::Unknown(offset) => {
                let by = self.arena.constant(64, by);
                Distance::Unknown(self.arena.binary(BinaryOp::Add, by, offset))
            }
        }
    }

    /// Writes bytes, from another place or all the same, in pieces; `None` if that cannot be.
    fn copy(&mut self, to: Where, from: Result<Where, What>, length: u64) -> Option<()> {
        let (number, (target, start)) = self.distance(to, length)?;
        let source = match from {
            Ok(from) => Some(self.distance(from, length)?),
            Err(_) => None,
        };
        let place = source.map(|(_, place)| place);
        let pieces = self.memory.pieces(&mut self.arena, Some((target, start)), place, length)?;
        assert_eq!(pieces.iter().map(|bytes| u64::from(*bytes)).sum::<u64>(), length);
        let mut values = Vec::new();
        let mut at = 0;
        for bytes in &pieces {
            let value = match (place, from) {
                (Some((object, distance)), _) => {
                    let distance = self.further(distance, at);
                    let (arena, shared) = (&mut self.arena, &mut self.shared);
                    match distance {
                        Distance::Known(offset) => self.memory.load(arena, shared, object, offset, *bytes),
                        Distance::Unknown(offset) => {
                            Value::Expr(self.memory.load_at(arena, shared, object, offset, *bytes))
                        }
                    }
                }
                (None, from) => {
                    let (byte, _) = self.what(from.unwrap_err(), 1);
                    let byte = self.memory.expression(&mut self.arena, &mut self.shared, byte, 8);
                    let all = (1..*bytes).fold(byte, |all, _| self.arena.concat(all, byte));
                    Value::Expr(all)
                }
            };
            values.push((at, *bytes, value));
            at += u64::from(*bytes);
        }
        for (at, bytes, value) in values {
            let distance = self.further(start, at);
            let (arena, shared) = (&mut self.arena, &mut self.shared);
            match distance {
                Distance::Known(offset) => self.memory.store(arena, shared, target, offset, bytes, value),
                Distance::Unknown(offset) => {
                    self.memory.store_at(arena, shared, target, offset, bytes, value);
                }
            }
        }
        let (first, count) = (usize::try_from(number).unwrap(), usize::try_from(length).unwrap());
        let new = match (source, from) {
            (Some((number, _)), Ok(from)) => {
                let first = usize::try_from(number).unwrap();
                self.bytes[from.object][first..first + count].to_vec()
            }
            (_, from) => vec![self.what(from.unwrap_err(), 1).1 as u8; count],
        };
        self.bytes[to.object][first..first + count].copy_from_slice(&new);
        Some(())
    }

    fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let (arena, shared) = (&mut self.arena, &mut self.shared);
        match step {
            Step::Store(at, count, what) => self.write(*at, *count, *what, true),
            Step::Apart(at, count, what) => self.write(*at, *count, *what, false),
            Step::Load(at, count) => {
                if let Some((found, expected)) = self.read(*at, *count) {
                    prop_assert_eq!(found, Bits::new(count * 8, expected));
                }
            }
            Step::Bytes(object, at, bytes) if at + bytes.len() as u64 <= SIZES[*object] => {
                self.memory.store_bytes(arena, shared, self.objects[*object], *at, bytes);
                let from = usize::try_from(*at).unwrap();
                self.bytes[*object][from..from + bytes.len()].copy_from_slice(bytes);
            }
            Step::Copy(to, from, length)
                if to.1 + length <= SIZES[to.0] && from.1 + length <= SIZES[from.0] =>
            {
                let place = |(object, at): (usize, u64)| (self.objects[object], at);
                self.memory.copy(arena, shared, place(*to), place(*from), *length);
                let (start, count) = (usize::try_from(from.1).unwrap(), usize::try_from(*length).unwrap());
                let copied = self.bytes[from.0][start..start + count].to_vec();
                let start = usize::try_from(to.1).unwrap();
                self.bytes[to.0][start..start + count].copy_from_slice(&copied);
            }
            Step::Rows(to, from, length) => drop(self.copy(*to, Ok(*from), *length)),
            Step::Fill(to, byte, length) => drop(self.copy(*to, Err(*byte), *length)),
            Step::Merge(one, other) if one != other => {
                self.memory.merge(arena, shared, &[self.objects[*one], self.objects[*other]]).unwrap();
            }
            Step::Bytes(..) | Step::Copy(..) | Step::Merge(..) => {}
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        steps in prop::collection::vec(step(), 1..14),
        values in prop::collection::vec(prop_oneof![0u8..6, any::<u8>()], 4),
    ) {
        let mut both = Both::new(&values);
        for step in &steps {
            both.take(step)?;
        }
        // In the end, every byte.
        for (object, size) in SIZES.iter().enumerate() {
            for at in 0..*size {
                let at = Where { object, constant: i8::try_from(at).unwrap(), stride: 0, input: 0, bits: 1 };
                if let Some((found, expected)) = both.read(at, 1) {
                    prop_assert_eq!(found, Bits::new(8, expected));
                }
            }
        }
    }
}
