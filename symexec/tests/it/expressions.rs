//! Simplification never changes a value, and what is called independent of the layout is.

use proptest::prelude::*;
use symexec::base::bits::{BinaryOp, Bits, CompareOp};
use symexec::expr::{
    AddressId, Arena, Class, Evaluator, ExprId, FIRST_MARKER, Model, Moved, Node, RenameInputs,
};
use symexec::solver::Query;
use symexec::solver::query_cache::{Naming, key_digest};

/// A step of building: what to do, with which of the expressions so far.
#[derive(Clone, Debug)]
struct Step {
    kind: u8,
    operands: [prop::sample::Index; 3],
    number: u8,
}

fn step() -> impl Strategy<Value = Step> {
    (any::<u8>(), any::<[prop::sample::Index; 3]>(), any::<u8>()).prop_map(|(kind, operands, number)| Step {
        kind,
        operands,
        number,
    })
}

/// Builds expressions and computes their values beside them, without the arena's help.
struct Builder {
    arena: Arena,
    built: Vec<(ExprId, Bits)>,
}

impl Builder {
    /// Inputs with these values, and objects of 8, 16 and 24 bytes at these places.
    fn new(inputs: &[u8], bases: &[u64]) -> (Self, Model) {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("input", inputs.len());
        let bytes = arena.array(array).bytes.clone();
        let mut built: Vec<(ExprId, Bits)> = Vec::new();
        for (byte, value) in bytes.iter().zip(inputs) {
            let id = arena.input_byte(*byte);
            built.push((id, Bits::new(8, u64::from(*value))));
            let wide = arena.zero_extend(id, 64);
            built.push((wide, Bits::new(64, u64::from(*value))));
        }
        for (number, base) in (1u32..).zip(bases) {
            let id = arena.new_address(u64::from(number) * 8, *base, number);
            built.push((id, Bits::new(64, *base)));
        }
        for number in [0u64, 1, 2, 8, u64::MAX, FIRST_MARKER] {
            let id = arena.constant(64, number);
            built.push((id, Bits::new(64, number)));
        }
        (Self { arena, built }, Model::new(bytes.into_iter().zip(inputs.iter().copied())))
    }

    /// An expression of a width, made from one that was built.
    fn pick(&mut self, at: prop::sample::Index, width: u32) -> (ExprId, Bits) {
        let (id, bits) = self.built[at.index(self.built.len())].clone();
        match bits.width().cmp(&width) {
            std::cmp::Ordering::Less => (self.arena.zero_extend(id, width), bits.zero_extend(width)),
            std::cmp::Ordering::Equal => (id, bits),
            std::cmp::Ordering::Greater => (self.arena.extract(id, 0, width), bits.extract(0, width)),
        }
    }

    fn step(&mut self, step: &Step) {
        let [a, b, c] = step.operands;
        let width = self.built[a.index(self.built.len())].1.width();
        let (x, vx) = self.pick(a, width);
        let (y, vy) = self.pick(b, width);
        let number = u32::from(step.number);
        let made = match step.kind % 13 {
            0..=3 => {
                let op = BinaryOp::ALL[step.number as usize % BinaryOp::ALL.len()];
                (self.arena.binary(op, x, y), Bits::binary(op, &vx, &vy))
            }
            4 => (self.arena.binary(BinaryOp::Add, x, y), Bits::binary(BinaryOp::Add, &vx, &vy)),
            5 => {
                let op = [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt][step.number as usize % 3];
                (self.arena.compare(op, x, y), Bits::from_bool(Bits::compare(op, &vx, &vy)))
            }
            6 => (self.arena.not(x), vx.not()),
            7 => {
                let low = number % width;
                let count = 1 + (number / 7) % (width - low);
                (self.arena.extract(x, low, count), vx.extract(low, count))
            }
            8 if width <= 64 => (self.arena.concat(x, y), Bits::concat(&vx, &vy)),
            9 => {
                let wider = width + number % 40;
                if number % 2 == 0 {
                    (self.arena.zero_extend(x, wider), vx.zero_extend(wider))
                } else {
                    (self.arena.sign_extend(x, wider), vx.sign_extend(wider))
                }
            }
            10 => {
                let (condition, truth) = self.pick(c, 1);
                (self.arena.choose(condition, x, y), if truth.is_zero() { vy } else { vx })
            }
            11 => {
                // An array of four, written at an unknown place, read at another.
                let elements: Vec<(ExprId, Bits)> =
                    step.operands.iter().map(|at| self.pick(*at, width)).collect();
                let ids: Vec<ExprId> = elements.iter().map(|(id, _)| *id).collect();
                let array = self.arena.literal_array(&ids);
                let (place, at) = self.pick(b, 64);
                let three = self.arena.constant(64, 3);
                let place = self.arena.binary(BinaryOp::URem, place, three);
                let at = at.to_u64().unwrap() % 3;
                let stored = self.arena.store(array, place, y);
                let (index, read) = self.pick(c, 64);
                let element = self.arena.read(stored, index);
                let read = read.to_u64().unwrap();
                let value = if read == at {
                    vy
                } else {
                    elements.get(read as usize).map_or(Bits::new(width, 0), |(_, value)| value.clone())
                };
                (element, value)
            }
            12 => {
                let elements: Vec<(ExprId, Bits)> =
                    step.operands.iter().map(|at| self.pick(*at, width)).collect();
                let ids: Vec<ExprId> = elements.iter().map(|(id, _)| *id).collect();
                let array = self.arena.literal_array(&ids);
                let (index, read) = self.pick(c, 64);
                let element = self.arena.read(array, index);
                let value =
                    usize::try_from(read.to_u64().unwrap()).ok().and_then(|place| elements.get(place));
                (element, value.map_or(Bits::new(width, 0), |(_, value)| value.clone()))
            }
            _ => (x, vx),
        };
        self.built.push(made);
    }
}

/// Places of three objects that do not overlap, with room between them; in one of several orders.
fn layouts() -> impl Strategy<Value = [u64; 3]> {
    (1u64..1000, prop::sample::select(vec![[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]))
        .prop_map(|(start, order)| order.map(|place: u64| 0x10_0000 + start * 16 + place * 0x1000))
}

/// Expressions under a layout.
fn built(inputs: &[u8], bases: &[u64], steps: &[Step]) -> (Builder, Model) {
    let (mut builder, model) = Builder::new(inputs, bases);
    for step in steps {
        builder.step(step);
    }
    (builder, model)
}

/// The same expressions under two layouts.
fn both(inputs: &[u8], one: &[u64], other: &[u64], steps: &[Step]) -> (Builder, Builder, Model) {
    let (here, model) = built(inputs, one, steps);
    let (there, _) = built(inputs, other, steps);
    (here, there, model)
}

/// What functions tell that compare for `qsort`: the sign of a difference is an order of what was made wide, where nothing
/// overflows.
#[test]
fn the_sign_of_a_difference_is_an_order_of_what_was_made_wide() {
    const NUMBERS: [u8; 7] = [0, 1, 0x3f, 0x7f, 0x80, 0x81, 0xff];
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("input", 2);
    let bytes = arena.array(array).bytes.clone();
    let [x, y] = [0, 1].map(|place| arena.input_byte(bytes[place]));
    for width in [9, 10, 32, 64, 128] {
        for (signed_x, signed_y) in [(true, true), (false, false), (true, false), (false, true)] {
            let [wide_x, wide_y] = [(x, signed_x), (y, signed_y)].map(|(byte, signed)| match signed {
                true => arena.sign_extend(byte, width),
                false => arena.zero_extend(byte, width),
            });
            let difference = arena.binary(BinaryOp::Sub, wide_x, wide_y);
            for (number, op) in [0, 1, 2, u64::MAX]
                .into_iter()
                .flat_map(|number| [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt].map(|op| (number, op)))
            {
                let constant = Bits::new(64, number);
                let constant =
                    if width > 64 { constant.sign_extend(width) } else { constant.extract(0, width) };
                let bound = arena.bits(&constant);
                let (below, above) =
                    (arena.compare(op, difference, bound), arena.compare(op, bound, difference));
                for (a, b) in NUMBERS.iter().flat_map(|a| NUMBERS.iter().map(move |b| (*a, *b))) {
                    let model = Model::new(bytes.iter().copied().zip([a, b]));
                    let wide = |byte: u8, signed: bool| {
                        let byte = Bits::new(8, byte.into());
                        if signed { byte.sign_extend(width) } else { byte.zero_extend(width) }
                    };
                    let expected = Bits::binary(BinaryOp::Sub, &wide(a, signed_x), &wide(b, signed_y));
                    let told = |id| !Evaluator::new(&arena, &model).value(id).is_zero();
                    assert_eq!(told(below), Bits::compare(op, &expected, &constant), "{width} {a} {b}");
                    assert_eq!(told(above), Bits::compare(op, &constant, &expected), "{width} {a} {b}");
                }
            }
        }
    }
    let [wide_x, wide_y] = [x, y].map(|byte| arena.sign_extend(byte, 32));
    let (difference, zero) = (arena.binary(BinaryOp::Sub, wide_x, wide_y), arena.constant(32, 0));
    let below = arena.compare(CompareOp::Slt, x, y);
    assert_eq!(arena.compare(CompareOp::Slt, difference, zero), below);
    let [one, other] = [below, arena.compare(CompareOp::Slt, y, x)].map(|truth| arena.zero_extend(truth, 32));
    let three_ways = arena.binary(BinaryOp::Sub, other, one);
    let order = arena.compare(CompareOp::Slt, three_ways, zero);
    assert!(matches!(arena.node(order), Node::Binary(BinaryOp::And, ..)));
    let same = arena.equal(x, y);
    assert_eq!(arena.equal(zero, difference), same);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn simplified_expressions_have_the_value_of_what_was_asked_for(
        inputs: [u8; 3],
        bases in layouts(),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let (mut builder, model) = built(&inputs, &bases, &steps);
        for (id, expected) in builder.built.clone() {
            prop_assert_eq!(Evaluator::new(&builder.arena, &model).value(id), expected.clone());
            let concrete = builder.arena.concrete(id);
            prop_assert_eq!(Evaluator::new(&builder.arena, &model).value(concrete), expected);
            prop_assert!(!builder.arena.info(concrete).addresses);
        }
    }

    #[test]
    fn the_order_of_pointers_is_that_of_their_numbers_and_mentions_no_address(
        inputs: [u8; 3],
        bases in layouts(),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let (mut builder, model) = built(&inputs, &bases, &steps);
        let wide: Vec<(ExprId, Bits)> =
            builder.built.iter().filter(|(_, bits)| bits.width() == 64).cloned().collect();
        for (a, x) in &wide {
            for (b, y) in &wide {
                let Some(below) = builder.arena.pointer_less(*a, *b) else { continue };
                let value = Evaluator::new(&builder.arena, &model).value(below);
                prop_assert_eq!(value, Bits::from_bool(Bits::compare(CompareOp::Ult, x, y)));
                prop_assert!(!builder.arena.info(below).addresses);
            }
        }
    }

    /// Definition IV.5 of the query-caching paper, under random isomorphic layouts.
    #[test]
    fn what_is_called_an_integer_is_the_same_in_every_layout(
        inputs: [u8; 3],
        one in layouts(),
        other in layouts(),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let (here, there, model) = both(&inputs, &one, &other, &steps);
        for ((id, value), (_, moved)) in here.built.iter().zip(&there.built) {
            let class = here.arena.class(*id);
            if class == Class::Integer {
                prop_assert_eq!(value, moved);
            }
            if class == Class::Pointer {
                // A marker, or the same object's address.
                let place = |bases: &[u64; 3], value: &Bits| bases.iter().position(|base| Some(*base) == value.to_u64());
                prop_assert_eq!(place(&one, value), place(&other, moved));
                if place(&one, value).is_none() {
                    prop_assert_eq!(value, moved);
                    prop_assert!(value.is_zero() || value.to_u64().unwrap() >= FIRST_MARKER);
                }
            }
            prop_assert_eq!(&Evaluator::new(&here.arena, &model).value(*id), value);
        }
    }

    /// With objects moved an expression has its value in the other layout; what no layout changes stays the
    /// same question up to renaming, and has the numbers of the other layout without.
    #[test]
    fn moved_objects_lie_elsewhere_and_agnostic_questions_stay_the_same(
        inputs: [u8; 3],
        one in layouts(),
        other in layouts(),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let (mut here, mut there, model) = both(&inputs, &one, &other, &steps);
        let places: Vec<(AddressId, ExprId)> = other
            .iter()
            .enumerate()
            .map(|(number, base)| (AddressId::at(number), here.arena.address_elsewhere(AddressId::at(number), *base)))
            .collect();
        // One after the other, as segments are placed.
        let first = Moved::default().and([(places[0].0, places[2].1)]);
        let moved = first.and(places);
        for ((id, _), (other, value)) in here.built.clone().into_iter().zip(there.built.clone()) {
            let elsewhere = here.arena.moved(id, &moved);
            prop_assert_eq!(&Evaluator::new(&here.arena, &model).value(elsewhere), &value);
            if here.arena.class(id) == Class::Integer && here.arena.width(id) == 1 {
                let key = |arena: &mut Arena, expr, naming| {
                    key_digest(arena, &Query { constraints: Vec::new(), expr }, naming)
                };
                prop_assert_eq!(here.arena.class(elsewhere), Class::Integer);
                let aware = Naming::AddressAware;
                prop_assert_eq!(key(&mut here.arena, id, aware), key(&mut here.arena, elsewhere, aware));
                let plain = Naming::Plain;
                prop_assert_eq!(key(&mut there.arena, other, plain), key(&mut here.arena, elsewhere, plain));
            }
        }
    }

    #[test]
    fn ranges_hold_and_offsets_are_what_their_stride_and_index_say(
        inputs: [u8; 3],
        steps in prop::collection::vec(step(), 1..30),
    ) {
        let (mut builder, model) = Builder::new(&inputs, &[]);
        for step in &steps {
            builder.step(step);
        }
        for (id, value) in builder.built.clone() {
            if value.width() <= 64 {
                let (low, high) = builder.arena.range(id);
                let signed = i128::from(symexec::base::bits::signed(value.to_u64().unwrap(), value.width()));
                prop_assert!(low <= signed && signed <= high, "{low} {signed} {high}");
            }
            let narrowed = builder.arena.narrowed(id);
            prop_assert_eq!(Evaluator::new(&builder.arena, &model).value(narrowed), value.clone());
            if value.width() != 64 {
                continue;
            }
            let scaled = builder.arena.scaled(id);
            prop_assert!(scaled.constant < scaled.stride);
            // An offset inside an object is reached by an index from zero on, exactly.
            let offset = value.to_u64().unwrap();
            if offset < 1 << 30 {
                let index = Evaluator::new(&builder.arena, &model).value(scaled.index).to_u64().unwrap();
                prop_assert_eq!(u128::from(scaled.constant) + u128::from(scaled.stride) * u128::from(index), u128::from(offset));
            }
        }
    }
}

#[test]
fn differences_under_one_base_and_comparisons_with_null_do_not_depend_on_the_layout() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("i", 1);
    let byte = arena.array(array).bytes[0];
    let byte = arena.input_byte(byte);
    let index = arena.zero_extend(byte, 64);
    let (p, q) = (arena.new_address(16, 0x1000, 1), arena.new_address(16, 0x2000, 2));
    let null = arena.constant(64, 0);
    let table = arena.literal_array(&[p, null, q]);
    let read = arena.read(table, index);
    assert_eq!(arena.class(read), Class::Pointer);
    let moved = arena.binary(BinaryOp::Add, read, index);
    assert_eq!(arena.class(moved), Class::Offset);
    let difference = arena.binary(BinaryOp::Sub, moved, read);
    assert_eq!(difference, index);
    let is_null = arena.equal(null, read);
    let is_p = arena.equal(p, read);
    assert_eq!((arena.class(is_null), arena.class(is_p)), (Class::Integer, Class::Integer));
    // A number of the highest page marks what is no object, as null does.
    let deleted = arena.constant(64, u64::MAX);
    let entries = arena.literal_array(&[p, deleted, null, q]);
    let entry = arena.read(entries, index);
    let is_deleted = arena.equal(deleted, entry);
    assert_eq!((arena.class(entry), arena.class(is_deleted)), (Class::Pointer, Class::Integer));
    let never = arena.equal(deleted, p);
    assert!(arena.is_false(never));
    // Order across objects, bytes of addresses and comparison with numbers do.
    let order = arena.less(p, read);
    let low = arena.extract(read, 0, 8);
    let page = arena.constant(64, 0x1000);
    let at = arena.equal(page, read);
    let below_markers = arena.constant(64, FIRST_MARKER - 1);
    let number = arena.equal(below_markers, read);
    for id in [order, low, at, number] {
        assert_eq!(arena.class(id), Class::Layout);
    }
}

/// The product in twice the width against its lower half, as `__builtin_mul_overflow` compares them.
/// A table of two rows and null, at an unknown index: whether the element lies below a third object is a matter of the
/// index, and mentions no address; where all elements lie below it, it is known.
#[test]
fn the_order_of_a_table_s_pointers_is_a_condition_on_the_index() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("index", 1);
    let byte = arena.input_byte(arena.array(array).bytes[0]);
    let index = arena.zero_extend(byte, 64);
    let low = arena.new_address(16, 0x10_0000, 1);
    let middle = arena.new_address(16, 0x10_1000, 2);
    let high = arena.new_address(16, 0x10_2000, 3);
    let null = arena.constant(64, 0);
    let pick = |arena: &mut Arena, elements: &[ExprId]| {
        let table = arena.literal_array(elements);
        arena.read(table, index)
    };

    let mixed = pick(&mut arena, &[low, high, null]);
    let below = arena.pointer_less(mixed, middle).unwrap();
    assert!(!arena.info(below).addresses && arena.class(below) == Class::Integer);
    for (value, expected) in [(0, true), (1, false), (2, true), (3, true)] {
        let model = Model::new([(arena.array(array).bytes[0], value)]);
        assert_eq!(Evaluator::new(&arena, &model).value(below), Bits::from_bool(expected), "{value}");
    }

    let all = pick(&mut arena, &[low, middle, null]);
    let below = arena.pointer_less(all, high).unwrap();
    assert!(arena.is_true(below));

    // Within one object, whichever of several it is, the offsets are compared.
    let eight = arena.constant(64, 8);
    let inner = arena.binary(BinaryOp::Add, mixed, index);
    let end = arena.binary(BinaryOp::Add, mixed, eight);
    let expected = arena.less(index, eight);
    assert_eq!(arena.pointer_less(inner, end), Some(expected));

    // An offset that may be anything decides nothing.
    let unknown = arena.binary(BinaryOp::Mul, index, index);
    let anywhere = arena.binary(BinaryOp::Add, low, unknown);
    assert_eq!(arena.pointer_less(anywhere, middle), None);
}

/// Four pointers among 60 integers: masked, an index reaches the pointers alone, and what is read is one of them.
#[test]
fn a_table_inside_a_large_object_is_read_without_the_object() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("hash", 1);
    let input = arena.array(array).bytes[0];
    let byte = arena.input_byte(input);
    let hash = arena.zero_extend(byte, 64);
    let three = arena.constant(64, 3);
    let masked = arena.binary(BinaryOp::And, three, hash);
    let thirty = arena.constant(64, 30);
    let index = arena.binary(BinaryOp::Add, thirty, masked);
    let mut elements: Vec<ExprId> = (0..64).map(|number| arena.constant(64, 1000 + number)).collect();
    for (number, element) in (1u32..).zip(&mut elements[30..34]) {
        *element = arena.new_address(16, 0x10_0000 * u64::from(number), number);
    }
    let whole = arena.literal_array(&elements);
    let read = arena.read(whole, index);
    assert_eq!(arena.class(read), Class::Layout);

    let narrowed = arena.narrowed(read);
    assert_eq!(arena.class(narrowed), Class::Pointer);
    assert!(matches!(arena.node(narrowed), Node::Read(_, index) if index == masked));
    for value in [0, 1, 6, 255] {
        let model = Model::new([(input, value)]);
        let expected = Bits::new(64, 0x10_0000 * (u64::from(value & 3) + 1));
        assert_eq!(Evaluator::new(&arena, &model).value(narrowed), expected);
    }
}

#[test]
fn products_with_constants_that_overflow_are_told_by_the_other_factor() {
    for width in [8_u32, 16, 64] {
        for signed in [false, true] {
            for constant in
                [1, 2, 3, 7, 10, 16, 100, 127, 128, 200, 254, 255, 1000, 0x7fff, u64::MAX, u64::MAX / 3]
            {
                let mut arena = Arena::new(RenameInputs(true));
                let array = arena.input_array("i", 1);
                let byte = arena.array(array).bytes[0];
                let input = arena.input_byte(byte);
                let extend = |arena: &mut Arena, value, width| match signed {
                    true => arena.sign_extend(value, width),
                    false => arena.zero_extend(value, width),
                };
                let factor = extend(&mut arena, input, width);
                // Away from the byte as well, where a factor has all bits.
                let spread = arena.constant(width, 0x0101_0101_0101_0101);
                let full = arena.binary(BinaryOp::Mul, spread, factor);
                for x in [factor, full] {
                    let known = arena.constant(width, constant);
                    let [known, wide] = [known, x].map(|value| extend(&mut arena, value, 2 * width));
                    let exact = arena.binary(BinaryOp::Mul, known, wide);
                    let low = arena.extract(exact, 0, width);
                    let back = extend(&mut arena, low, 2 * width);
                    let fits = arena.equal(exact, back);
                    if (signed, constant, x == full) == (false, 10, true) {
                        // No product is left, only a bound.
                        assert!(matches!(arena.node(fits), Node::Not(_)), "{:?}", arena.node(fits));
                    }
                    for value in 0..=255 {
                        let model = Model::new([(byte, value)]);
                        let mut evaluator = Evaluator::new(&arena, &model);
                        let [exact, back, fits] = [exact, back, fits].map(|id| evaluator.value(id));
                        assert_eq!(
                            fits,
                            Bits::from_bool(exact == back),
                            "{width} {signed} {constant} {value}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_flag_in_a_word_is_a_question_about_the_byte_that_it_is_in() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("word", 4);
    let bytes = arena.array(array).bytes.clone();
    let mut word = arena.input_byte(bytes[0]);
    for byte in &bytes[1..] {
        let byte = arena.input_byte(*byte);
        word = arena.concat(byte, word);
    }
    for (mask, value) in
        [(0x100, 0), (0x100, 0x100), (0x5_0000, 0x4_0000), (0x8000_0000, 0), (0x85, 5), (0x300, 0x100)]
    {
        let (kept, wanted) = (arena.constant(32, mask), arena.constant(32, value));
        let tested = arena.binary(BinaryOp::And, word, kept);
        let truth = arena.equal(tested, wanted);
        let place = (mask.trailing_zeros() / 8) as usize;
        let (mut pending, mut found) = (vec![truth], Vec::new());
        while let Some(id) = pending.pop() {
            match arena.node(id) {
                Node::Input(input) => found.push(input),
                _ => arena.children(id, &mut pending),
            }
        }
        assert_eq!(found, [bytes[place]], "{mask:x}");
        for number in 0..=255_u8 {
            let model = Model::new([(bytes[place], number)]);
            let holds = (u64::from(number) << (8 * place)) & mask == value;
            assert_eq!(Evaluator::new(&arena, &model).holds(truth), holds, "{mask:x} {value:x} {number:x}");
        }
    }
    let (kept, wanted) = (arena.constant(32, 0x0101), arena.constant(32, 2));
    let tested = arena.binary(BinaryOp::And, kept, word);
    let never = arena.equal(wanted, tested);
    assert!(arena.is_false(never));
}

#[test]
fn deep_expressions_are_walked_without_deep_stacks() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("i", 1);
    let byte = arena.array(array).bytes[0];
    let byte = arena.input_byte(byte);
    let address = arena.new_address(8, 0x1000, 1);
    let address_byte = arena.extract(address, 0, 8);
    let mut deep = address_byte;
    for step in 0..200_000u64 {
        let op = if step % 2 == 0 { BinaryOp::Xor } else { BinaryOp::Mul };
        let other = if step % 3 == 0 { byte } else { arena.constant(8, step | 1) };
        deep = arena.binary(op, deep, other);
    }
    let concrete = arena.concrete(deep);
    assert_ne!(deep, concrete);
    let model = Model::default();
    assert_eq!(Evaluator::new(&arena, &model).value(deep), Evaluator::new(&arena, &model).value(concrete));
    let _ = (arena.shape(deep), arena.name(deep));
}
