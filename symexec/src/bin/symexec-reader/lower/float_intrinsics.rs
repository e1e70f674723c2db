//! Intrinsic functions on floating-point numbers, and conversions to integers, expressed in the engine's few
//! instructions.

use symexec::base::bits::BinaryOp;
use symexec::module::{
    FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary, Instruction, Operand, Outside,
    Predicate, Register,
};

use super::Failure;
use super::function::Body;
use super::types::Lane;
use crate::llvm::Value;

impl<'p> Body<'_, 'p> {
    /// Lowers an intrinsic function on floating-point numbers; `None` if it is none.
    pub(super) fn float_intrinsic(
        &mut self,
        value: Value<'p>,
        name: &str,
        to: Register,
    ) -> Option<Result<(), Failure>> {
        let base = name.split('.').next().unwrap_or_default();
        let unary = match base {
            "fabs" => Some(FloatUnary::Abs),
            "sqrt" => Some(FloatUnary::Sqrt),
            "floor" => Some(FloatUnary::Floor),
            "ceil" => Some(FloatUnary::Ceil),
            "trunc" => Some(FloatUnary::Trunc),
            "round" => Some(FloatUnary::Round),
            "rint" | "nearbyint" | "roundeven" => Some(FloatUnary::RoundEven),
            _ => None,
        };
        if let Some(op) = unary {
            return Some(self.float_unary(value, to, op));
        }
        match base {
            "minnum" | "maxnum" | "minimum" | "maximum" => Some(self.float_choice(value, base, to)),
            "copysign" => Some(self.float_binary(value, to, FloatOp::CopySign)),
            "fptosi" | "fptoui" if name.contains(".sat.") => {
                Some(self.saturated(value, to, base == "fptosi"))
            }
            "lround" | "llround" => Some(self.whole(value, to, FloatUnary::Round)),
            "lrint" | "llrint" => Some(self.whole(value, to, FloatUnary::RoundEven)),
            "fmuladd" => Some(self.multiply_add(value, to, false)),
            "fma" => Some(self.multiply_add(value, to, true)),
            "is" if name.starts_with("is.fpclass") => Some(self.float_class(value, to)),
            _ => None,
        }
    }

    /// The lesser or greater of two numbers. `minnum` and `maxnum` prefer what is a number, `minimum` and
    /// `maximum` what is not, and they tell zeros apart.
    fn float_choice(&mut self, value: Value<'p>, kind: &str, to: Register) -> Result<(), Failure> {
        let lanes = self.lowering.lanes(value.ty())?;
        let left = self.operands(value.operand(0).ok_or("an operand is missing")?)?;
        let right = self.operands(value.operand(1).ok_or("an operand is missing")?)?;
        for (index, lane) in lanes.iter().enumerate() {
            let (a, b) = (left[index], right[index]);
            let chosen = self.float_chosen(kind, lane, a, b);
            self.copy(lane.width, Self::after(to, index), chosen);
        }
        Ok(())
    }

    pub(super) fn float_chosen(&mut self, kind: &str, lane: &Lane, a: Operand, b: Operand) -> Operand {
        let less = kind.starts_with("min");
        let never = FloatPredicate { equal: false, less: false, greater: false, unordered: false };
        let before = FloatPredicate { less, greater: !less, ..never };
        let (width, format) = (lane.width, lane.format());
        let compare = |body: &mut Self, predicate, left, right| {
            let to = body.fresh(1);
            body.emit(Instruction::FloatCompare { predicate, format, to, left, right });
            Operand::register(to)
        };
        let first = compare(self, before, a, b);
        let unordered = FloatPredicate { unordered: true, ..never };
        if kind.ends_with("num") {
            let only = compare(self, unordered, b, b);
            let either = self.binary(BinaryOp::Or, 1, first, only);
            return self.select(width, either, a, b);
        }
        // Equal numbers differ in the sign of a zero at most.
        let equal = compare(self, FloatPredicate { equal: true, ..never }, a, b);
        let op = if less { BinaryOp::Or } else { BinaryOp::And };
        let both = self.binary(op, width, a, b);
        let unknown = compare(self, unordered, a, a);
        let keep = self.binary(BinaryOp::Or, 1, first, unknown);
        let chosen = self.select(width, keep, a, b);
        self.select(width, equal, both, chosen)
    }

    /// A product and a sum, rounded once. `fmuladd` (`once` is false) may do so as well, and does where there is
    /// such an instruction: for the two formats of vectors.
    fn multiply_add(&mut self, value: Value<'p>, to: Register, once: bool) -> Result<(), Failure> {
        let lanes = self.lowering.lanes(value.ty())?;
        let mut parts = Vec::new();
        for index in 0..3 {
            parts.push(self.operands(value.operand(index).ok_or("an operand is missing")?)?);
        }
        for (index, lane) in lanes.iter().enumerate() {
            let format = lane.format();
            let (left, right, added) = (parts[0][index], parts[1][index], parts[2][index]);
            let to = Self::after(to, index);
            let has_instruction = matches!(format, FloatFormat::Single | FloatFormat::Double);
            if once || self.fuses && has_instruction {
                self.emit(Instruction::FloatFused { format, to, left, right, added });
                continue;
            }
            // Native code without such an instruction rounds in between.
            let product = self.fresh(1);
            self.emit(Instruction::Float { op: FloatOp::Mul, format, to: product, left, right });
            let left = Operand::register(product);
            self.emit(Instruction::Float { op: FloatOp::Add, format, to, left, right: added });
        }
        Ok(())
    }

    /// To the nearest integer, and 0 of what is not a number.
    fn saturated(&mut self, value: Value<'p>, to: Register, signed: bool) -> Result<(), Failure> {
        for (from, into, value, to) in self.conversions(value, to)? {
            self.convert_to(from.format(), into.width, signed, Outside::Nearest, to, value);
        }
        Ok(())
    }

    /// To a signed integer, rounded in another way before.
    fn whole(&mut self, value: Value<'p>, to: Register, op: FloatUnary) -> Result<(), Failure> {
        for (from, into, value, to) in self.conversions(value, to)? {
            let format = from.format();
            let rounded = self.fresh(1);
            self.emit(Instruction::FloatUnary { op, format, to: rounded, value });
            let rounded = Operand::register(rounded);
            self.whole_number(format, into.width, true, to, rounded);
        }
        Ok(())
    }

    /// To an integer as C converts. What does not fit is undefined there; here it is what clang's code for
    /// x86_64 makes of it. The machine converts to signed integers of few widths, of which others are cut;
    /// what it cannot hold becomes the least of them.
    pub(super) fn whole_number(
        &mut self,
        from: FloatFormat,
        width: u32,
        signed: bool,
        to: Register,
        value: Operand,
    ) {
        let wide = match (from, width, signed) {
            // The library's functions go to the nearest integer, and there are none for narrow ones.
            (FloatFormat::Quadruple, ..32, _) => 32,
            (FloatFormat::Quadruple, ..) | (_, 65.., _) => {
                return self.convert_to(from, width, signed, Outside::Nearest, to, value);
            }
            (_, 64, false) => return self.unsigned_number(from, to, value),
            (FloatFormat::Extended, ..=8, _) | (FloatFormat::Extended, ..=16, true) => 16,
            (_, ..32, _) | (_, 32, true) => 32,
            _ => 64,
        };
        let outside = if from == FloatFormat::Quadruple { Outside::Nearest } else { Outside::Least };
        if wide == width {
            return self.convert_to(from, width, true, outside, to, value);
        }
        let whole = self.fresh(1);
        self.convert_to(from, wide, true, outside, whole, value);
        let cut = self.extract(wide, 0, width, Operand::register(whole));
        self.copy(width, to, cut);
    }

    /// To an unsigned integer of 64 bits: what is too large for a signed one is reduced before.
    fn unsigned_number(&mut self, from: FloatFormat, to: Register, value: Operand) {
        let signed = |body: &mut Self, value| {
            let to = body.fresh(1);
            body.convert_to(from, 64, true, Outside::Least, to, value);
            Operand::register(to)
        };
        let limit = self.lowering.bits(64, 1 << 63);
        let large = self.fresh(1);
        let conversion = FloatConversion::FromInteger { width: 64, to: from, signed: false };
        self.emit(Instruction::FloatConvert { conversion, to: large, value: limit });
        let large = Operand::register(large);
        let reduced = self.fresh(1);
        self.emit(Instruction::Float {
            op: FloatOp::Sub,
            format: from,
            to: reduced,
            left: value,
            right: large,
        });
        let reduced = signed(self, Operand::register(reduced));
        let small = signed(self, value);
        if from == FloatFormat::Extended {
            // The code for the x87 compares; clang leaves open where what is not a number goes.
            let less = FloatPredicate { equal: false, less: true, greater: false, unordered: false };
            let below = self.fresh(1);
            self.emit(Instruction::FloatCompare {
                predicate: less,
                format: from,
                to: below,
                left: value,
                right: large,
            });
            let above = self.binary(BinaryOp::Xor, 64, reduced, limit);
            let chosen = self.select(64, Operand::register(below), small, above);
            return self.copy(64, to, chosen);
        }
        let shift = self.lowering.bits(64, 63);
        let taken = self.binary(BinaryOp::AShr, 64, small, shift);
        let taken = self.binary(BinaryOp::And, 64, reduced, taken);
        let chosen = self.binary(BinaryOp::Or, 64, small, taken);
        self.copy(64, to, chosen);
    }

    fn convert_to(
        &mut self,
        from: FloatFormat,
        width: u32,
        signed: bool,
        outside: Outside,
        to: Register,
        value: Operand,
    ) {
        let conversion = FloatConversion::ToInteger { from, width, signed, outside };
        self.emit(Instruction::FloatConvert { conversion, to, value });
    }

    /// Sums, products, least and greatest of the numbers of a vector. The first two begin with another
    /// operand and go in order.
    pub(super) fn reduce_floats(
        &mut self,
        value: Value<'p>,
        kind: &str,
        to: Register,
    ) -> Result<(), Failure> {
        let ordered = matches!(kind, "fadd" | "fmul");
        let vector = value.operand(u32::from(ordered)).ok_or("an operand is missing")?;
        let lane = self.lowering.lanes(vector.ty())?.first().copied().ok_or("an empty vector")?;
        let format = lane.format();
        let mut lanes = self.operands(vector)?.into_iter();
        let first = if ordered { Some(self.scalar(value.operand(0))?) } else { lanes.next() };
        let mut result = first.ok_or("an empty vector")?;
        for right in lanes {
            result = match kind {
                "fadd" | "fmul" => {
                    let op = if kind == "fadd" { FloatOp::Add } else { FloatOp::Mul };
                    let to = self.fresh(1);
                    self.emit(Instruction::Float { op, format, to, left: result, right });
                    Operand::register(to)
                }
                "fmin" => self.float_chosen("minnum", &lane, result, right),
                "fmax" => self.float_chosen("maxnum", &lane, result, right),
                "fminimum" => self.float_chosen("minimum", &lane, result, right),
                _ => self.float_chosen("maximum", &lane, result, right),
            };
        }
        self.copy(lane.width, to, result);
        Ok(())
    }

    /// Whether a number is of certain classes, by bits: LLVM's `is.fpclass`.
    fn float_class(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let operand = value.operand(0).ok_or("an operand is missing")?;
        let tested = value.operand(1).and_then(Value::small_int).ok_or("a test without classes")?;
        let lanes = self.lowering.lanes(operand.ty())?;
        for (index, (lane, number)) in lanes.iter().zip(self.operands(operand)?).enumerate() {
            let parts = lane.float.and_then(FloatFormat::parts);
            let (exponent_bits, _) = parts.ok_or("classes of such numbers are not supported")?;
            let (width, fraction) = (lane.width, lane.width - 1 - exponent_bits);
            // The x87 writes the leading one of normal numbers and infinities down.
            let leading = if lane.float == Some(FloatFormat::Extended) { 1u128 << (fraction - 1) } else { 0 };
            let infinity = (((1u128 << exponent_bits) - 1) << fraction) | leading;
            let sign = self.extract(width, width - 1, 1, number);
            let magnitude = self.lowering.wide_bits(width, (1u128 << (width - 1)) - 1);
            let magnitude = self.binary(BinaryOp::And, width, number, magnitude);
            // Classes are ranges of magnitudes: with a sign, or of what is not a number.
            let quiet = infinity | 1 << (fraction - if leading == 0 { 1 } else { 2 });
            let least_normal = if leading == 0 { 1u128 << fraction } else { leading };
            let ranges = [
                (0x001, None, infinity + 1, quiet),
                (0x002, None, quiet, 1u128 << (width - 1)),
                (0x004, Some(1), infinity, infinity + 1),
                (0x008, Some(1), least_normal, infinity),
                (0x010, Some(1), 1, least_normal),
                (0x020, Some(1), 0, 1),
                (0x040, Some(0), 0, 1),
                (0x080, Some(0), 1, least_normal),
                (0x100, Some(0), least_normal, infinity),
                (0x200, Some(0), infinity, infinity + 1),
            ];
            let mut result = self.lowering.bits(1, 0);
            for (class, wanted, from, until) in ranges {
                if tested & class == 0 {
                    continue;
                }
                let from = self.lowering.wide_bits(width, from);
                let until = self.lowering.wide_bits(width, until);
                let above = self.compare(Predicate::Uge, width, magnitude, from);
                let below = self.compare(Predicate::Ult, width, magnitude, until);
                let mut inside = self.binary(BinaryOp::And, 1, above, below);
                if let Some(wanted) = wanted {
                    let wanted = self.lowering.bits(1, wanted);
                    let same = self.compare(Predicate::Eq, 1, sign, wanted);
                    inside = self.binary(BinaryOp::And, 1, inside, same);
                }
                result = self.binary(BinaryOp::Or, 1, result, inside);
            }
            self.copy(1, Self::after(to, index), result);
        }
        Ok(())
    }
}
