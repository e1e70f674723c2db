//! Whatever is said of random questions is true.
//!
//! Each question is written around a solution: unknown bytes have values, terms are made of them, and what is asked is
//! true of these. So "no solution" is always wrong, and bounds that are off by one show where the solution lies at an end
//! of what the bytes can be, which is where most of them are put. What each term is there is among what it can be.
//! Solutions are looked at with arithmetic of their own.

use super::{Spans, Table, VALUES, Vectors, Verdict, decide};
use crate::base::bits::{BinaryOp, Bits, CompareOp, mask};
use crate::base::float::{
    FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary, Operation, Outside,
};
use crate::solver::enumerate;
use crate::solver::question::{Question, Term};

const WIDTHS: [u32; 8] = [1, 7, 8, 9, 16, 32, 63, 64];

/// A fixed sequence of numbers that look random.
pub(super) struct Draws(pub(super) u64);

impl Draws {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 ^ self.0 >> 32) >> 16) & 0xffff_ffff) % end
    }

    fn any(&mut self) -> u64 {
        self.below(1 << 32) << 32 | self.below(1 << 32)
    }

    fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as u64) as usize]
    }
}

/// On which bytes a term depends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Nothing,
    Byte(u32),
    Several,
}

/// A question around a solution.
struct Writer {
    question: Question,
    bytes: Vec<u8>,
    values: Vec<u64>,
    on: Vec<On>,
    draws: Draws,
}

impl Writer {
    fn add(&mut self, width: u32, term: Term) -> u32 {
        let mut on = if let Term::Input(input) = term { On::Byte(input) } else { On::Nothing };
        let _ = term.map(|operand| {
            on = match (on, self.on[operand as usize]) {
                (On::Nothing, other) | (other, On::Nothing) => other,
                (on, other) if on == other => on,
                _ => On::Several,
            };
            operand
        });
        self.values.push(value(&self.question, &self.values, &self.bytes, width, &term));
        self.question.terms.push((width, term));
        self.on.push(on);
        self.question.terms.len() as u32 - 1
    }

    fn constant(&mut self, width: u32, value: u64) -> u32 {
        self.add(width, Term::Constant(value & mask(width)))
    }

    fn width(&self, term: u32) -> u32 {
        self.question.terms[term as usize].0
    }

    /// A term that is no array.
    fn term(&mut self) -> u32 {
        loop {
            // The last ones rather, so that terms are deep.
            let count = self.question.terms.len() as u64;
            let back = if self.draws.below(3) == 0 { count } else { count.min(6) };
            let term = (count - 1 - self.draws.below(back)) as u32;
            if !matches!(self.question.terms[term as usize].1, Term::Literal(_) | Term::Store(..)) {
                return term;
            }
        }
    }

    /// A term of a width.
    fn fitting(&mut self, width: u32) -> u32 {
        if self.draws.below(6) == 0 {
            let value = self.interesting(width);
            return self.constant(width, value);
        }
        let term = self.term();
        self.fitted(term, width)
    }

    /// What a term is in another width.
    fn fitted(&mut self, term: u32, width: u32) -> u32 {
        let own = self.width(term);
        if own == width {
            term
        } else if own > width {
            let low = self.draws.below(u64::from(own - width) + 1) as u32;
            let low = if self.draws.below(2) == 0 { 0 } else { low };
            self.add(width, Term::Extract(term, low))
        } else if self.draws.below(3) == 0 {
            self.add(width, Term::SignExtend(term))
        } else {
            self.add(width, Term::ZeroExtend(term))
        }
    }

    fn interesting(&mut self, width: u32) -> u64 {
        let half = 1 << (width - 1);
        let known = self.draws.below(self.values.len() as u64) as usize;
        let near = self.values[known].wrapping_add(self.draws.below(3)).wrapping_sub(1);
        let (small, any) = (self.draws.below(12), self.draws.any());
        self.draws.one_of(&[0, 1, mask(width), half, half - 1, small, small, near, any]) & mask(width)
    }

    /// Another term.
    fn grow(&mut self) {
        let a = self.term();
        let width = self.width(a);
        match self.draws.below(16) {
            0 => drop(self.add(width, Term::Not(a))),
            1 => {
                let width = self.draws.one_of(&WIDTHS);
                self.fitted(a, width);
            }
            2 => {
                let b = self.term();
                let both = width + self.width(b);
                if both <= 64 {
                    self.add(both, Term::Concat(a, b));
                }
            }
            3 => {
                let (b, condition) = (self.fitting(width), self.fitting(1));
                self.add(width, Term::Choose(condition, a, b));
            }
            4 | 5 => {
                let (b, op) = (self.fitting(width), self.draws.one_of(&OPERATORS_OF_TRUTHS));
                self.add(1, Term::Compare(op, a, b));
            }
            6 => self.read(width),
            7 => self.float(a),
            _ => {
                // Words rather than single bits.
                let width = if width == 1 { self.draws.one_of(&WIDTHS) } else { width };
                let (a, b, op) =
                    (self.fitting(width), self.fitting(width), self.draws.one_of(&BinaryOp::ALL));
                self.add(width, Term::Binary(op, a, b));
            }
        }
    }

    /// An element of an array, of which some were written.
    fn read(&mut self, width: u32) {
        let count = 1 + self.draws.below(6);
        let elements = (0..count).map(|_| self.fitting(width)).collect();
        let mut array = self.add(width, Term::Literal(elements));
        let places = self.draws.one_of(&[8, 32, 64]);
        for _ in 0..self.draws.below(3) {
            let (place, element) = (self.place(places, count), self.fitting(width));
            array = self.add(width, Term::Store(array, place, element));
        }
        let place = self.place(places, count);
        self.add(width, Term::Read(array, place));
    }

    /// A place in an array, or behind its end.
    fn place(&mut self, width: u32, count: u64) -> u32 {
        let (term, end) = (self.fitting(width), self.constant(width, count + 1));
        self.add(width, Term::Binary(BinaryOp::URem, term, end))
    }

    /// Arithmetic with floating-point numbers over one byte.
    fn float(&mut self, a: u32) {
        if !matches!(self.on[a as usize], On::Byte(_)) {
            return;
        }
        let to = self.draws.one_of(&[FloatFormat::Single, FloatFormat::Double]);
        let (width, signed) = (self.width(a), self.draws.below(2) == 0);
        let of_integer = Operation::Convert(FloatConversion::FromInteger { width, to, signed });
        let number = self.add(to.width(), Term::Float(of_integer, [a; 3]));
        let bits = self.draws.one_of(&[0.75_f64, 2.5, 3.0, -1.5, 255.0]);
        let bits =
            if to == FloatFormat::Single { u64::from((bits as f32).to_bits()) } else { bits.to_bits() };
        let other = self.constant(to.width(), bits);
        let op = self.draws.one_of(&[FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem]);
        let result = self.add(to.width(), Term::Float(Operation::Binary(op, to), [number, other, number]));
        let root = self.add(to.width(), Term::Float(Operation::Unary(FloatUnary::Floor, to), [result; 3]));
        if self.draws.below(2) == 0 {
            let less = FloatPredicate { equal: false, less: true, greater: false, unordered: false };
            self.add(1, Term::Float(Operation::Compare(less, to), [root, other, root]));
        } else {
            let width = self.draws.one_of(&[8, 32, 64]);
            let outside = Outside::Least;
            let to_integer = FloatConversion::ToInteger { from: to, width, signed, outside };
            self.add(width, Term::Float(Operation::Convert(to_integer), [result; 3]));
        }
    }

    fn demand(&mut self, op: CompareOp, a: u32, b: u32) {
        let truth = self.add(1, Term::Compare(op, a, b));
        let holds = self.values[truth as usize] == 1;
        let root = if holds { truth } else { self.add(1, Term::Not(truth)) };
        self.question.roots.push(root);
    }

    /// Demands something of a term that is true of it, and as little else as possible.
    fn pin(&mut self, term: u32) {
        let (width, value) = (self.width(term), self.values[term as usize]);
        let op = self.draws.one_of(&OPERATORS_OF_TRUTHS);
        let bound = value.wrapping_add(self.draws.one_of(&[0, 0, 1, mask(width)]));
        let bound = self.constant(width, bound);
        if self.draws.below(2) == 0 { self.demand(op, term, bound) } else { self.demand(op, bound, term) }
    }

    fn question(number: u64) -> (Question, Vec<u8>) {
        let mut draws = Draws(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let count = 1 + draws.below(4);
        let bytes: Vec<u8> = (0..count)
            .map(|_| {
                let (any, small) = (draws.below(256) as u8, draws.below(4) as u8);
                draws.one_of(&[any, any, small, 255 - small, 128 - small, b'0' + small])
            })
            .collect();
        let question = Question { inputs: count as u32, ..Question::default() };
        let mut writer = Self { question, bytes, values: Vec::new(), on: Vec::new(), draws };
        let inputs: Vec<u32> = (0..count as u32).map(|it| writer.add(8, Term::Input(it))).collect();
        // Most bytes can be few things, and are the first or the last one of them.
        for input in &inputs {
            let value = writer.values[*input as usize];
            let (span, kind) = (writer.draws.below(5), writer.draws.below(5));
            if kind < 3 {
                let least = value.saturating_sub(if kind == 0 { 0 } else { span });
                let most = (value + if kind == 1 { 0 } else { span }).min(255);
                let (least, most) = (writer.constant(8, least), writer.constant(8, most));
                writer.demand(CompareOp::Ult, *input, least);
                writer.demand(CompareOp::Ult, most, *input);
            }
        }
        // A word of some bytes is among what terms are made of.
        let word = inputs.iter().skip(1).fold(inputs[0], |above, low| {
            let width = writer.width(above) + 8;
            writer.add(width, Term::Concat(above, *low))
        });
        let width = writer.draws.one_of(&[32, 64]);
        writer.fitted(word, width);
        for _ in 0..2 + writer.draws.below(12) {
            writer.grow();
        }
        for _ in 0..1 + writer.draws.below(3) {
            let term = writer.term();
            writer.pin(term);
        }
        (writer.question, writer.bytes)
    }
}

const OPERATORS_OF_TRUTHS: [CompareOp; 3] = [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt];

/// The value of a term by those of the terms before it, with wide arithmetic.
fn value(question: &Question, values: &[u64], bytes: &[u8], width: u32, term: &Term) -> u64 {
    let bits = |term: &u32| Bits::new(question.terms[*term as usize].0, values[*term as usize]);
    let wide = |term: &u32| u128::from(values[*term as usize]);
    let with_sign = |term: &u32| {
        let (width, value) = (question.terms[*term as usize].0, values[*term as usize]);
        if value >> (width - 1) == 1 { i128::from(value) - (1_i128 << width) } else { i128::from(value) }
    };
    let cut = |value: i128| (value as u64) & mask(width);
    match term {
        Term::Constant(value) => *value,
        Term::Input(input) => u64::from(bytes[*input as usize]),
        Term::Not(a) => bits(a).not().to_u64().unwrap(),
        Term::Binary(op, a, b) => {
            let (x, y) = (wide(a), wide(b));
            let (with_sign_x, with_sign_y) = (with_sign(a), with_sign(b));
            match op {
                BinaryOp::Add => cut((x + y) as i128),
                BinaryOp::Sub => cut(x as i128 - y as i128),
                BinaryOp::Mul => (x * y) as u64 & mask(width),
                BinaryOp::UDiv if y == 0 => mask(width),
                BinaryOp::UDiv => (x / y) as u64,
                BinaryOp::URem | BinaryOp::SRem if y == 0 => x as u64,
                BinaryOp::URem => (x % y) as u64,
                BinaryOp::SDiv if y == 0 => cut(if with_sign_x < 0 { 1 } else { -1 }),
                BinaryOp::SDiv => cut(with_sign_x / with_sign_y),
                BinaryOp::SRem => cut(with_sign_x % with_sign_y),
                BinaryOp::And => (x & y) as u64,
                BinaryOp::Or => (x | y) as u64,
                BinaryOp::Xor => (x ^ y) as u64,
                BinaryOp::Shl if y < u128::from(width) => (x << y) as u64 & mask(width),
                BinaryOp::LShr if y < u128::from(width) => (x >> y) as u64,
                BinaryOp::Shl | BinaryOp::LShr => 0,
                BinaryOp::AShr => cut(with_sign_x >> y.min(100)),
            }
        }
        Term::Compare(CompareOp::Eq, a, b) => u64::from(wide(a) == wide(b)),
        Term::Compare(CompareOp::Ult, a, b) => u64::from(wide(a) < wide(b)),
        Term::Compare(CompareOp::Slt, a, b) => u64::from(with_sign(a) < with_sign(b)),
        Term::Extract(a, low) => (wide(a) >> low) as u64 & mask(width),
        Term::Concat(high, low) => (wide(high) << question.terms[*low as usize].0 | wide(low)) as u64,
        Term::ZeroExtend(a) => wide(a) as u64,
        Term::SignExtend(a) => cut(with_sign(a)),
        Term::Choose(condition, yes, no) => wide(if wide(condition) == 1 { yes } else { no }) as u64,
        Term::Float(operation, operands) => {
            let [a, b, c] = operands.each_ref().map(bits);
            operation.evaluate(&[&a, &b, &c]).to_u64().unwrap()
        }
        Term::Read(array, place) => {
            let mut array = *array;
            loop {
                match &question.terms[array as usize].1 {
                    Term::Store(_, at, element) if wide(at) == wide(place) => return wide(element) as u64,
                    Term::Store(below, ..) => array = *below,
                    Term::Literal(elements) => {
                        let element = elements.get(wide(place) as usize);
                        return element.map_or(0, |element| wide(element) as u64);
                    }
                    _ => unreachable!("reads are of arrays"),
                }
            }
        }
        Term::Wide(_) | Term::Literal(_) | Term::Store(..) => 0,
    }
}

/// Whether some bytes are a solution.
fn is_solution(question: &Question, bytes: &[u8]) -> bool {
    let mut values = Vec::new();
    for (width, term) in &question.terms {
        values.push(value(question, &values, bytes, *width, term));
    }
    question.roots.iter().all(|root| values[*root as usize] == 1)
}

/// What all terms of a question are with a solution is among what they can be.
fn in_spans(question: &Question, solution: &[u8], number: u64) {
    let Some(spans) = Spans::of(question, VALUES, &mut Vectors::default()) else { return };
    for (byte, left) in solution.iter().zip(&spans.left) {
        assert!(left.contains(byte), "{number}: {solution:?} {question:?}");
    }
    let mut values = Vec::new();
    for (place, (width, term)) in question.terms.iter().enumerate() {
        let value = value(question, &values, solution, *width, term);
        let (least, most) = spans.spans[place];
        let is_array = matches!(term, Term::Literal(_) | Term::Store(..));
        assert!(is_array || least <= value && value <= most, "{number}: {place} {solution:?} {question:?}");
        match &spans.tables[place] {
            Some((_, Table::Same(known))) => assert_eq!(*known, value, "{number}: {place} {question:?}"),
            Some((byte, Table::Each(known))) => {
                assert_eq!(
                    known[usize::from(solution[*byte as usize])],
                    value,
                    "{number}: {place} {question:?}"
                );
            }
            None => {}
        }
        values.push(value);
    }
}

#[test]
fn what_is_said_of_questions_that_have_a_solution_is_true() {
    let mut found = 0;
    for number in 0..2000 {
        let (question, solution) = Writer::question(number);
        assert!(is_solution(&question, &solution), "{number}");
        in_spans(&question, &solution, number);
        for verdict in [decide(&question), enumerate::decide_few(&question)].into_iter().flatten() {
            let Verdict::Satisfiable(bytes) = &verdict else { panic!("{number}: {solution:?} {question:?}") };
            assert!(is_solution(&question, bytes), "{number}: {bytes:?} {question:?}");
            found += 1;
        }
    }
    assert!(found > 1500, "{found}");
}

#[test]
fn what_is_computed_of_one_byte_with_floating_point_numbers_is_known_beside_other_bytes() {
    let convert = |conversion, of| Term::Float(Operation::Convert(conversion), [of; 3]);
    let (single, outside) = (FloatFormat::Single, Outside::Least);
    let terms = vec![
        (8, Term::Input(0)),
        (8, Term::Input(1)),
        (8, Term::Input(2)),
        (32, convert(FloatConversion::FromInteger { width: 8, to: single, signed: false }, 0)),
        (32, Term::Constant(u64::from(1.25_f32.to_bits()))),
        (32, Term::Float(Operation::Binary(FloatOp::Mul, single), [3, 4, 3])),
        (32, convert(FloatConversion::ToInteger { from: single, width: 32, signed: true, outside }, 5)),
        (16, Term::Concat(1, 2)),
        (32, Term::SignExtend(7)),
        (32, Term::Binary(BinaryOp::Add, 6, 8)),
        (8, Term::Constant(10)),
        (1, Term::Compare(CompareOp::Ult, 10, 0)),
        (32, Term::Constant(13)),
        (1, Term::Compare(CompareOp::Slt, 9, 12)),
        (1, Term::Compare(CompareOp::Eq, 9, 12)),
    ];
    for root in [13, 14] {
        let question = Question { terms: terms.clone(), roots: vec![11, root], inputs: 3 };
        let Some(Verdict::Satisfiable(bytes)) = decide(&question) else { panic!("nothing was found") };
        assert!(is_solution(&question, &bytes), "{bytes:?}");
    }
}

#[test]
fn numbers_at_both_ends_of_64_bits_are_met() {
    let ends = [0, 1, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX];
    let mut word: Vec<(u32, Term)> = (0..8).map(|byte| (8, Term::Input(byte))).collect();
    for byte in 1..8 {
        let above = if byte == 1 { 0 } else { word.len() as u32 - 1 };
        word.push((8 * (byte + 1), Term::Concat(above, byte)));
    }
    // A great number at first, read without a sign, and less than zero with one.
    word.push((64, Term::Not(word.len() as u32 - 1)));
    let number = word.len() as u32 - 1;
    let mut found = 0;
    for (left, right) in ends.into_iter().flat_map(|left| ends.map(|right| (left, right))) {
        let mut ask = |term: Term, op, is_first: bool| {
            let mut terms = word.clone();
            terms.extend([(64, Term::Constant(left)), (64, Term::Constant(right)), (64, term)]);
            let (a, b) = if is_first { (number + 3, number + 2) } else { (number + 2, number + 3) };
            terms.extend([(1, Term::Compare(op, a, b)), (1, Term::Not(number + 4))]);
            for root in [number + 4, number + 5] {
                let question = Question { terms: terms.clone(), roots: vec![root], inputs: 8 };
                if let Some(Verdict::Satisfiable(bytes)) = decide(&question) {
                    assert!(is_solution(&question, &bytes), "{bytes:?} {question:?}");
                    found += 1;
                }
            }
        };
        for op in OPERATORS_OF_TRUTHS {
            for binary in BinaryOp::ALL {
                ask(Term::Binary(binary, number, number + 1), op, true);
                ask(Term::Binary(binary, number + 1, number), op, false);
            }
        }
    }
    assert!(found > 3000, "{found}");
}
