//! Intrinsic functions for instructions of x86_64 that have no other name in LLVM: what programs write with
//! `immintrin.h`, and what stays of it where nothing is optimised. Vectors of 256 bits are two of 128 bits side by
//! side, as they are for the machine.

use symexec::base::bits::BinaryOp;
use symexec::module::{FloatFormat, FloatPredicate, FloatUnary, Instruction, Operand, Predicate, Register};

use super::Failure;
use super::function::Body;
use crate::llvm::Value;

/// The polynomial of CRC-32C, its bits in reverse order.
const CRC32C: u64 = 0x82f6_3b78;

/// An argument's scalars and their width.
pub(super) type Scalars = (Vec<Operand>, u32);

impl<'p> Body<'_, 'p> {
    /// Lowers such a function; `None` if it is none that is known.
    pub(super) fn x86_intrinsic(
        &mut self,
        value: Value<'p>,
        name: &str,
        to: Register,
    ) -> Option<Result<(), Failure>> {
        let whole = name.strip_prefix("x86.")?;
        let (family, base) = whole.split_once('.').unwrap_or((whole, whole));
        let base = if ["addcarry", "subborrow"].contains(&family) { family } else { base };
        let base = [".128", ".256"].into_iter().find_map(|size| base.strip_suffix(size)).unwrap_or(base);
        let arguments = match self.arguments_of(value) {
            Ok(arguments) => arguments,
            Err(what) => return Some(Err(what)),
        };
        let special = self.cipher(whole, &arguments).or_else(|| self.text_comparison(whole, &arguments));
        let results = match arguments.as_slice() {
            _ if special.is_some() => special,
            [one] => self.of_one(base, one),
            [one, two] => self.of_two(base, one, two),
            [one, two, three] => self.of_three(base, one, two, three),
            _ => None,
        }?;
        Some(self.lowering.lanes(value.ty()).and_then(|lanes| {
            if lanes.len() != results.len() {
                return Err(format!("the intrinsic function `llvm.{name}` has another result"));
            }
            for (index, (lane, result)) in lanes.iter().zip(results).enumerate() {
                self.copy(lane.width, Self::after(to, index), result);
            }
            Ok(())
        }))
    }

    fn arguments_of(&mut self, value: Value<'p>) -> Result<Vec<Scalars>, Failure> {
        let mut arguments = Vec::new();
        for index in 0..value.argument_count() {
            let argument = value.operand(index).ok_or("an operand is missing")?;
            let width = self.lowering.lanes(argument.ty())?.first().map_or(0, |lane| lane.width);
            arguments.push((self.operands(argument)?, width));
        }
        Ok(arguments)
    }

    fn of_one(&mut self, base: &str, (one, width): &Scalars) -> Option<Vec<Operand>> {
        match base {
            // The sign of each element, as bits of a number.
            "pmovmskb" | "movmsk.ps" | "movmsk.pd" => {
                let mut mask = self.lowering.bits(32, 0);
                for (index, element) in (0..).zip(one) {
                    let sign = self.extract(*width, width - 1, 1, *element);
                    let sign = self.extend(false, 1, 32, sign);
                    let place = self.lowering.bits(32, index);
                    let sign = self.binary(BinaryOp::Shl, 32, sign, place);
                    mask = self.binary(BinaryOp::Or, 32, mask, sign);
                }
                Some(vec![mask])
            }
            "cvtps2dq" | "cvtss2si" | "cvtsd2si" | "cvttps2dq" | "cvttss2si" | "cvttsd2si" => {
                let count = if base.ends_with("dq") { one.len() } else { 1 };
                Some(one[..count].iter().map(|one| self.rounded_whole(base, *width, 32, *one)).collect())
            }
            "cvtss2si64" | "cvtsd2si64" | "cvttss2si64" | "cvttsd2si64" => {
                Some(vec![self.rounded_whole(base, *width, 64, *one.first()?)])
            }
            _ => None,
        }
    }

    /// To a signed integer, to the nearest or towards zero; the least one for what does not fit.
    fn rounded_whole(&mut self, name: &str, from: u32, width: u32, value: Operand) -> Operand {
        let format = if from == 32 { FloatFormat::Single } else { FloatFormat::Double };
        let op = if name.starts_with("cvtt") { FloatUnary::Trunc } else { FloatUnary::RoundEven };
        let rounded = self.fresh(1);
        self.emit(Instruction::FloatUnary { op, format, to: rounded, value });
        let to = self.fresh(1);
        self.whole_number(format, width, true, to, Operand::register(rounded));
        Operand::register(to)
    }

    fn of_two(&mut self, base: &str, one: &Scalars, two: &Scalars) -> Option<Vec<Operand>> {
        let ((a, width), (b, _)) = (one, two);
        let width = *width;
        let each = |body: &mut Self, operation: &mut dyn FnMut(&mut Self, Operand, Operand) -> Operand| {
            Some(a.iter().zip(b).map(|(a, b)| operation(body, *a, *b)).collect())
        };
        match base {
            "psad.bw" => Some(self.sums_of_differences(a, b)),
            "pmadd.wd" => Some(self.sums_of_products(a, b, (16, 32), true)),
            "pmadd.ub.sw" => Some(self.sums_of_products(a, b, (8, 16), false)),
            "packsswb" | "packssdw" => Some(self.packed(a, b, width, true)),
            "packuswb" | "packusdw" => Some(self.packed(a, b, width, false)),
            "pshuf.b" => Some(self.shuffled(a, b)),
            "pmulh.w" | "pmulhu.w" | "pmul.hr.sw" => each(self, &mut |body, a, b| {
                let [a, b] = [a, b].map(|one| body.extend(base != "pmulhu.w", 16, 32, one));
                let mut product = body.binary(BinaryOp::Mul, 32, a, b);
                if base != "pmul.hr.sw" {
                    return body.extract(32, 16, 16, product);
                }
                let half = body.lowering.bits(32, 1 << 14);
                product = body.binary(BinaryOp::Add, 32, product, half);
                body.extract(32, 15, 16, product)
            }),
            "pavg.b" | "pavg.w" => each(self, &mut |body, a, b| {
                let [a, b] = [a, b].map(|one| body.extend(false, width, width + 1, one));
                let sum = body.binary(BinaryOp::Add, width + 1, a, b);
                let one = body.lowering.bits(width + 1, 1);
                let sum = body.binary(BinaryOp::Add, width + 1, sum, one);
                body.extract(width + 1, 1, width, sum)
            }),
            "psign.b" | "psign.w" | "psign.d" => each(self, &mut |body, a, b| {
                let zero = body.lowering.bits(width, 0);
                let minus = body.binary(BinaryOp::Sub, width, zero, a);
                let negative = body.compare(Predicate::Slt, width, b, zero);
                let none = body.compare(Predicate::Eq, width, b, zero);
                let kept = body.select(width, none, zero, a);
                body.select(width, negative, minus, kept)
            }),
            "phadd.w" | "phadd.d" | "phsub.w" | "phsub.d" => {
                let op = if base.starts_with("phadd") { BinaryOp::Add } else { BinaryOp::Sub };
                let per = (128 / width) as usize;
                let mut all = Vec::new();
                for (a, b) in a.chunks(per).zip(b.chunks(per)) {
                    for pair in a.chunks(2).chain(b.chunks(2)) {
                        all.push(self.binary(op, width, *pair.first()?, *pair.get(1)?));
                    }
                }
                Some(all)
            }
            // Of what does not compare, zeros among it, the second one.
            "min.ps" | "max.ps" | "min.pd" | "max.pd" => {
                let format = if width == 32 { FloatFormat::Single } else { FloatFormat::Double };
                let less = base.starts_with("min");
                let predicate = FloatPredicate { equal: false, less, greater: !less, unordered: false };
                each(self, &mut |body, left, right| {
                    let to = body.fresh(1);
                    body.emit(Instruction::FloatCompare { predicate, format, to, left, right });
                    body.select(width, Operand::register(to), left, right)
                })
            }
            "round.ps" | "round.pd" => {
                let format = if width == 32 { FloatFormat::Single } else { FloatFormat::Double };
                let way = self.known_number(*b.first()?)?;
                let op = match way & 7 {
                    1 => FloatUnary::Floor,
                    2 => FloatUnary::Ceil,
                    3 => FloatUnary::Trunc,
                    _ => FloatUnary::RoundEven,
                };
                let rounded = a.iter().map(|value| {
                    let to = self.fresh(1);
                    self.emit(Instruction::FloatUnary { op, format, to, value: *value });
                    Operand::register(to)
                });
                Some(rounded.collect())
            }
            "ptestz" | "ptestc" | "ptestnzc" => Some(vec![self.tested(base, a, b, width)]),
            "crc32.32.8" | "crc32.32.16" | "crc32.32.32" | "crc32.64.64" | "crc32.64.8" => {
                Some(vec![self.crc(*a.first()?, width, *b.first()?, two.1)])
            }
            "pext.32" | "pext.64" => Some(vec![self.gathered_bits(*a.first()?, *b.first()?, width)]),
            "pdep.32" | "pdep.64" => Some(vec![self.scattered_bits(*a.first()?, *b.first()?, width)]),
            "bzhi.32" | "bzhi.64" => {
                let count = self.extract(width, 0, 8, *b.first()?);
                let count = self.extend(false, 8, width, count);
                Some(vec![self.low_bits(*a.first()?, count, width)])
            }
            "bextr.32" | "bextr.64" => {
                let control = *b.first()?;
                let [from, count] = [0, 8].map(|low| {
                    let part = self.extract(width, low, 8, control);
                    self.extend(false, 8, width, part)
                });
                let shifted = self.shifted(BinaryOp::LShr, width, *a.first()?, from);
                Some(vec![self.low_bits(shifted, count, width)])
            }
            _ => self.shift_of(base, one, two),
        }
    }

    fn of_three(
        &mut self,
        base: &str,
        one: &Scalars,
        two: &Scalars,
        three: &Scalars,
    ) -> Option<Vec<Operand>> {
        match base {
            "addcarry" | "subborrow" => {
                let (carry, wide) = (*one.0.first()?, two.1 + 1);
                let (a, b) = (*two.0.first()?, *three.0.first()?);
                let none = self.lowering.bits(one.1, 0);
                let none = self.compare(Predicate::Eq, one.1, carry, none);
                let carry = self.invert(1, none);
                let carry = self.extend(false, 1, wide, carry);
                let [a, b] = [a, b].map(|number| self.extend(false, two.1, wide, number));
                let op = if base == "addcarry" { BinaryOp::Add } else { BinaryOp::Sub };
                let result = self.binary(op, wide, a, b);
                let result = self.binary(op, wide, result, carry);
                let beyond = self.extract(wide, two.1, 1, result);
                Some(vec![self.extend(false, 1, 8, beyond), self.extract(wide, 0, two.1, result)])
            }
            "pblendvb" | "blendvps" | "blendvpd" => {
                let width = one.1;
                let each = one.0.iter().zip(&two.0).zip(&three.0);
                let chosen = each.map(|((a, b), mask)| {
                    let sign = self.extract(width, width - 1, 1, *mask);
                    self.select(width, sign, *b, *a)
                });
                Some(chosen.collect())
            }
            _ => None,
        }
    }

    /// Of eight bytes each, the sum of the differences' magnitudes.
    fn sums_of_differences(&mut self, a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let mut sums = Vec::new();
        for (a, b) in a.chunks(8).zip(b.chunks(8)) {
            let mut sum = self.lowering.bits(64, 0);
            for (a, b) in a.iter().zip(b) {
                let above = self.choice(Predicate::Ugt, 8, *a, *b);
                let below = self.choice(Predicate::Ult, 8, *a, *b);
                let difference = self.binary(BinaryOp::Sub, 8, above, below);
                let difference = self.extend(false, 8, 64, difference);
                sum = self.binary(BinaryOp::Add, 64, sum, difference);
            }
            sums.push(sum);
        }
        sums
    }

    /// Of two neighbours each, the sum of the products: whole, or as near as it fits where unsigned bytes are
    /// multiplied with signed ones.
    fn sums_of_products(
        &mut self,
        a: &[Operand],
        b: &[Operand],
        (from, width): (u32, u32),
        signed: bool,
    ) -> Vec<Operand> {
        let wide = 2 * width;
        let mut sums = Vec::new();
        for (a, b) in a.chunks(2).zip(b.chunks(2)) {
            let mut sum = self.lowering.bits(wide, 0);
            for (a, b) in a.iter().zip(b) {
                let (a, b) = (self.extend(signed, from, wide, *a), self.extend(true, from, wide, *b));
                let product = self.binary(BinaryOp::Mul, wide, a, b);
                sum = self.binary(BinaryOp::Add, wide, sum, product);
            }
            sums.push(match signed {
                true => self.extract(wide, 0, width, sum),
                false => self.saturated_to(sum, wide, width, true),
            });
        }
        sums
    }

    /// Elements of half the width, as near as they fit: of each 128 bits those of the first, then of the second.
    fn packed(&mut self, a: &[Operand], b: &[Operand], width: u32, signed: bool) -> Vec<Operand> {
        let per = (128 / width) as usize;
        let mut all = Vec::new();
        for (a, b) in a.chunks(per).zip(b.chunks(per)) {
            for element in a.iter().chain(b) {
                all.push(self.saturated_to(*element, width, width / 2, signed));
            }
        }
        all
    }

    /// A signed number as the nearest one of another width, signed or not.
    fn saturated_to(&mut self, value: Operand, from: u32, width: u32, signed: bool) -> Operand {
        let (least, most) = if signed {
            (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1)
        } else {
            (0, (1i64 << width) - 1)
        };
        let [least, most] = [least, most].map(|bound| self.lowering.bits(from, bound as u64));
        let below = self.choice(Predicate::Slt, from, value, most);
        let inside = self.choice(Predicate::Sgt, from, below, least);
        self.extract(from, 0, width, inside)
    }

    /// Bytes of each 128 bits by the numbers of the second vector; zero where its highest bit is set.
    fn shuffled(&mut self, a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let mut all = Vec::new();
        for (a, b) in a.chunks(16).zip(b.chunks(16)) {
            let widths = vec![8; a.len()];
            let Some((whole, width)) = self.join(&widths, a) else { continue };
            for number in b {
                let place = self.extract(8, 0, 4, *number);
                let place = self.extend(false, 4, width, place);
                let three = self.lowering.bits(width, 3);
                let place = self.binary(BinaryOp::Shl, width, place, three);
                let moved = self.binary(BinaryOp::LShr, width, whole, place);
                let byte = self.extract(width, 0, 8, moved);
                let none = self.extract(8, 7, 1, *number);
                let zero = self.lowering.bits(8, 0);
                all.push(self.select(8, none, zero, byte));
            }
        }
        all
    }

    /// Whether vectors share no bit (`z`), the first one has all of the second (`c`), or neither.
    fn tested(&mut self, base: &str, a: &[Operand], b: &[Operand], width: u32) -> Operand {
        let mut found = [self.lowering.bits(width, 0), self.lowering.bits(width, 0)];
        for (a, b) in a.iter().zip(b) {
            let not = self.invert(width, *a);
            for (found, mask) in found.iter_mut().zip([*a, not]) {
                let part = self.binary(BinaryOp::And, width, mask, *b);
                *found = self.binary(BinaryOp::Or, width, *found, part);
            }
        }
        let zero = self.lowering.bits(width, 0);
        let [z, c] = found.map(|found| self.compare(Predicate::Eq, width, found, zero));
        let result = if base.starts_with("ptestz") {
            z
        } else if base.starts_with("ptestc") {
            c
        } else {
            let either = self.binary(BinaryOp::Or, 1, z, c);
            self.invert(1, either)
        };
        self.extend(false, 1, 32, result)
    }

    /// CRC-32C, bit by bit.
    fn crc(&mut self, before: Operand, width: u32, data: Operand, bits: u32) -> Operand {
        let mut crc = self.extract(width, 0, 32, before);
        let polynomial = self.lowering.bits(32, CRC32C);
        let [zero, one] = [0, 1].map(|bits| self.lowering.bits(32, bits));
        for place in 0..bits {
            let bit = self.extract(bits, place, 1, data);
            let low = self.extract(32, 0, 1, crc);
            let bit = self.binary(BinaryOp::Xor, 1, bit, low);
            let shifted = self.binary(BinaryOp::LShr, 32, crc, one);
            let added = self.select(32, bit, polynomial, zero);
            crc = self.binary(BinaryOp::Xor, 32, shifted, added);
        }
        self.extend(false, 32, width, crc)
    }

    /// The bits that a mask names, without gaps.
    fn gathered_bits(&mut self, value: Operand, mask: Operand, width: u32) -> Operand {
        let [mut result, mut count] = [self.lowering.bits(width, 0); 2];
        for place in 0..width {
            let wanted = self.extract(width, place, 1, mask);
            let bit = self.extract(width, place, 1, value);
            let bit = self.binary(BinaryOp::And, 1, bit, wanted);
            let bit = self.extend(false, 1, width, bit);
            let bit = self.binary(BinaryOp::Shl, width, bit, count);
            result = self.binary(BinaryOp::Or, width, result, bit);
            let wanted = self.extend(false, 1, width, wanted);
            count = self.binary(BinaryOp::Add, width, count, wanted);
        }
        result
    }

    /// The lowest bits, to where a mask has bits.
    fn scattered_bits(&mut self, value: Operand, mask: Operand, width: u32) -> Operand {
        let [mut result, mut count] = [self.lowering.bits(width, 0); 2];
        for place in 0..width {
            let wanted = self.extract(width, place, 1, mask);
            let moved = self.binary(BinaryOp::LShr, width, value, count);
            let bit = self.extract(width, 0, 1, moved);
            let bit = self.binary(BinaryOp::And, 1, bit, wanted);
            let bit = self.extend(false, 1, width, bit);
            let up = self.lowering.bits(width, place.into());
            let bit = self.binary(BinaryOp::Shl, width, bit, up);
            result = self.binary(BinaryOp::Or, width, result, bit);
            let wanted = self.extend(false, 1, width, wanted);
            count = self.binary(BinaryOp::Add, width, count, wanted);
        }
        result
    }

    /// So many of the lowest bits; all if there are no more.
    fn low_bits(&mut self, value: Operand, count: Operand, width: u32) -> Operand {
        let ones = self.lowering.bits(width, u64::MAX);
        let above = self.shifted(BinaryOp::Shl, width, ones, count);
        let mask = self.invert(width, above);
        self.binary(BinaryOp::And, width, value, mask)
    }

    /// A shift by any number: nothing is left, or copies of the sign, where that is too far.
    fn shifted(&mut self, op: BinaryOp, width: u32, value: Operand, by: Operand) -> Operand {
        let last = self.lowering.bits(width, u64::from(width) - 1);
        let far = self.compare(Predicate::Ugt, width, by, last);
        let near = self.select(width, far, last, by);
        let result = self.binary(op, width, value, near);
        if op == BinaryOp::AShr {
            return result;
        }
        let zero = self.lowering.bits(width, 0);
        self.select(width, far, zero, result)
    }

    /// Shifts of all elements by one number, which is an operand or the lower half of a vector.
    fn shift_of(&mut self, base: &str, one: &Scalars, two: &Scalars) -> Option<Vec<Operand>> {
        let (kind, element) = base.split_once('.')?;
        let op = match kind.trim_end_matches('i') {
            "psll" => BinaryOp::Shl,
            "psrl" => BinaryOp::LShr,
            "psra" => BinaryOp::AShr,
            _ => return None,
        };
        let ((values, width), (by, by_width)) = (one, two);
        if !matches!((element, width), ("w", 16) | ("d", 32) | ("q", 64)) {
            return None;
        }
        let lower = if kind.ends_with('i') { 1 } else { (64 / by_width) as usize };
        let widths = vec![*by_width; lower];
        let (count, wide) = self.join(&widths, by.get(..lower)?)?;
        // As a number of the elements' width, which is none that is too far if it does not fit.
        let most = self.lowering.bits(wide, u64::from(*width));
        let count = self.choice(Predicate::Ult, wide, count, most);
        let count = if wide < *width {
            self.extend(false, wide, *width, count)
        } else {
            self.extract(wide, 0, *width, count)
        };
        Some(values.iter().map(|value| self.shifted(op, *width, *value, count)).collect())
    }
}
