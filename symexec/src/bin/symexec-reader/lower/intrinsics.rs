//! LLVM's intrinsic functions, expressed in plain instructions wherever that is possible.

use symexec::base::bits::BinaryOp;
use symexec::module::{
    Call, Callee, FloatFormat, FloatOp, FloatPredicate, FloatUnary, Function, FunctionId, Instruction,
    Operand, Predicate, Register,
};

use super::Failure;
use super::function::Body;
use super::types::Lane;
use crate::llvm::Value;

/// The size of a `va_list` on x86_64.
const VA_LIST_BYTES: u64 = 24;

impl<'p> Body<'_, 'p> {
    /// Lowers the call of an intrinsic function.
    pub(super) fn intrinsic(&mut self, value: Value<'p>, name: &str) -> Result<(), Failure> {
        let name = name.strip_prefix("llvm.").unwrap_or(name);
        let to = self.result(value);
        let is = |prefix: &str| {
            name == prefix || name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
        };
        if ["memcpy", "memmove"].into_iter().any(is) {
            let (target, source, length) = self.three(value)?;
            let width = value.operand(2).map_or(64, |length| length.ty().integer_width());
            self.emit(Instruction::CopyMemory { to: target, from: source, length, width });
            return Ok(());
        }
        if is("memset") {
            let (target, byte, length) = self.three(value)?;
            let width = value.operand(2).map_or(64, |length| length.ty().integer_width());
            self.emit(Instruction::FillMemory { to: target, value: byte, length, width });
            return Ok(());
        }
        const NOTHING: [&str; 14] = [
            "dbg",
            "lifetime",
            "assume",
            "invariant",
            "experimental.noalias.scope.decl",
            "donothing",
            "prefetch",
            "var.annotation",
            "sideeffect",
            "stackrestore",
            "va_end",
            "pseudoprobe",
            "fake.use",
            "instrprof",
        ];
        if NOTHING.into_iter().any(is) {
            return Ok(());
        }
        const SAME: [&str; 9] = [
            "expect",
            "annotation",
            "ptr.annotation",
            "ssa.copy",
            "launder.invariant.group",
            "strip.invariant.group",
            "threadlocal.address",
            "arithmetic.fence",
            "canonicalize",
        ];
        if SAME.into_iter().any(is) {
            return self.copy_lanes(value, 0, to);
        }
        const ZERO: [&str; 5] =
            ["stacksave", "returnaddress", "frameaddress", "is.constant", "addressofreturnaddress"];
        if ZERO.into_iter().any(is) {
            let width = self.width(value)?;
            let zero = self.lowering.bits(width, 0);
            self.copy(width, to, zero);
            return Ok(());
        }
        if is("objectsize") {
            // What the compiler does not know: all ones, or zero if the minimum is asked for.
            let width = self.width(value)?;
            let minimum = value.operand(1).is_some_and(|flag| flag.small_int() == Some(1));
            let answer = self.lowering.bits(width, if minimum { 0 } else { u64::MAX });
            self.copy(width, to, answer);
            return Ok(());
        }
        if ["trap", "debugtrap", "ubsantrap"].into_iter().any(is) {
            let abort = self.declared("abort");
            self.add_call(Call {
                callee: Callee::Function(abort),
                arguments: Vec::new(),
                to,
                results: Vec::new(),
            });
            return Ok(());
        }
        if is("va_start") {
            let list = self.scalar(value.operand(0))?;
            self.emit(Instruction::StartArguments { list });
            return Ok(());
        }
        if is("va_copy") {
            let target = self.scalar(value.operand(0))?;
            let source = self.scalar(value.operand(1))?;
            let length = self.lowering.bits(64, VA_LIST_BYTES);
            self.emit(Instruction::CopyMemory { to: target, from: source, length, width: 64 });
            return Ok(());
        }
        if let Some(done) = self.float_intrinsic(value, name, to) {
            return done;
        }
        if let Some(kind) = name.strip_prefix("vector.reduce.") {
            return self.reduce(value, kind.split('.').next().unwrap_or_default(), to);
        }
        self.integer_intrinsic(value, name, to)
    }

    fn three(&mut self, value: Value<'p>) -> Result<(Operand, Operand, Operand), Failure> {
        Ok((self.scalar(value.operand(0))?, self.scalar(value.operand(1))?, self.scalar(value.operand(2))?))
    }

    fn width(&self, value: Value<'p>) -> Result<u32, Failure> {
        self.lowering.lanes(value.ty())?.first().map(|lane| lane.width).ok_or_else(|| "no result".to_owned())
    }

    /// The function of a name, declared without parameters if the program does not mention it.
    fn declared(&mut self, name: &str) -> FunctionId {
        if let Some(id) = self.lowering.module.function(name) {
            return id;
        }
        let id = FunctionId::at(self.lowering.module.functions.len());
        self.lowering.module.functions.push(Function { name: name.to_owned(), ..Function::default() });
        id
    }

    fn float_intrinsic(&mut self, value: Value<'p>, name: &str, to: Register) -> Option<Result<(), Failure>> {
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

    fn float_chosen(&mut self, kind: &str, lane: &Lane, a: Operand, b: Operand) -> Operand {
        let less = kind.starts_with("min");
        let never = FloatPredicate { equal: false, less: false, greater: false, unordered: false };
        let before = FloatPredicate { less, greater: !less, ..never };
        let (width, format) = (lane.width, lane.float.unwrap_or(FloatFormat::Other(lane.width)));
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

    /// A product and a sum, rounded once. `fmuladd` may do so as well.
    fn multiply_add(&mut self, value: Value<'p>, to: Register, fused: bool) -> Result<(), Failure> {
        let lanes = self.lowering.lanes(value.ty())?;
        let mut parts = Vec::new();
        for index in 0..3 {
            parts.push(self.operands(value.operand(index).ok_or("an operand is missing")?)?);
        }
        for (index, lane) in lanes.iter().enumerate() {
            let format = lane.float.unwrap_or(FloatFormat::Other(lane.width));
            let (left, right, added) = (parts[0][index], parts[1][index], parts[2][index]);
            let to = Self::after(to, index);
            if fused {
                self.emit(Instruction::FloatFused { format, to, left, right, added });
                continue;
            }
            // Native code without such an instruction rounds in between, and is compared with.
            let product = self.fresh(1);
            self.emit(Instruction::Float { op: FloatOp::Mul, format, to: product, left, right });
            let left = Operand::register(product);
            self.emit(Instruction::Float { op: FloatOp::Add, format, to, left, right: added });
        }
        Ok(())
    }

    /// Whether a number is of certain classes, by bits: LLVM's `is.fpclass`.
    fn float_class(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let operand = value.operand(0).ok_or("an operand is missing")?;
        let tested = value.operand(1).and_then(Value::small_int).ok_or("a test without classes")?;
        let lanes = self.lowering.lanes(operand.ty())?;
        for (index, (lane, number)) in lanes.iter().zip(self.operands(operand)?).enumerate() {
            let parts = lane.float.and_then(FloatFormat::parts).filter(|_| lane.width <= 64);
            let (exponent_bits, _) = parts.ok_or("classes of such numbers are not supported")?;
            let (width, fraction) = (lane.width, lane.width - 1 - exponent_bits);
            let infinity = ((1u64 << exponent_bits) - 1) << fraction;
            let sign = self.extract(width, width - 1, 1, number);
            let magnitude = self.lowering.bits(width, (1u64 << (width - 1)) - 1);
            let magnitude = self.binary(BinaryOp::And, width, number, magnitude);
            // Classes are ranges of magnitudes: with a sign, or of what is not a number.
            let quiet = infinity | 1 << (fraction - 1);
            let least_normal = 1u64 << fraction;
            let ranges = [
                (0x001, None, infinity + 1, quiet),
                (0x002, None, quiet, 1u64 << (width - 1)),
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
                let (from, until) = (self.lowering.bits(width, from), self.lowering.bits(width, until));
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

    fn reduce(&mut self, value: Value<'p>, kind: &str, to: Register) -> Result<(), Failure> {
        let width = self.width(value)?;
        let lanes = self.operands(value.operand(0).ok_or("an operand is missing")?)?;
        let (first, rest) = lanes.split_first().ok_or("an empty vector")?;
        let mut result = *first;
        for lane in rest {
            result = match kind {
                "add" => self.binary(BinaryOp::Add, width, result, *lane),
                "mul" => self.binary(BinaryOp::Mul, width, result, *lane),
                "and" => self.binary(BinaryOp::And, width, result, *lane),
                "or" => self.binary(BinaryOp::Or, width, result, *lane),
                "xor" => self.binary(BinaryOp::Xor, width, result, *lane),
                "smax" => self.choice(Predicate::Sgt, width, result, *lane),
                "smin" => self.choice(Predicate::Slt, width, result, *lane),
                "umax" => self.choice(Predicate::Ugt, width, result, *lane),
                "umin" => self.choice(Predicate::Ult, width, result, *lane),
                _ => {
                    return Err(format!("the intrinsic function `{}` is not supported", value.text().trim()));
                }
            };
        }
        self.copy(width, to, result);
        Ok(())
    }

    /// `left` if it compares so to `right`, else `right`.
    fn choice(&mut self, predicate: Predicate, width: u32, left: Operand, right: Operand) -> Operand {
        let keep = self.compare(predicate, width, left, right);
        self.select(width, keep, left, right)
    }

    fn integer_intrinsic(&mut self, value: Value<'p>, name: &str, to: Register) -> Result<(), Failure> {
        let unsupported = || format!("the intrinsic function `llvm.{name}` is not supported");
        let first = value.operand(0).ok_or_else(unsupported)?;
        let lanes = self.lowering.lanes(first.ty())?;
        let mut arguments = Vec::new();
        for index in 0..value.argument_count() {
            arguments.push(self.operands(value.operand(index).ok_or_else(unsupported)?)?);
        }
        let parts: Vec<&str> = name.split('.').collect();
        let count = lanes.len();
        for (index, lane) in lanes.iter().enumerate() {
            let width = lane.width;
            let at = |argument: usize| arguments.get(argument).and_then(|lanes| lanes.get(index)).copied();
            let a = at(0).ok_or_else(unsupported)?;
            let to = Self::after(to, index);
            if let ["ctpop", ..] = parts.as_slice() {
                self.emit(Instruction::CountOnes { width, to, value: a });
                continue;
            }
            if let ["ctlz" | "cttz", ..] = parts.as_slice() {
                self.emit(Instruction::CountZeros { leading: parts[0] == "ctlz", width, to, value: a });
                continue;
            }
            let result = match parts.as_slice() {
                ["bswap", ..] => self.reverse(width, 8, a),
                ["bitreverse", ..] => self.reverse(width, 1, a),
                ["abs", ..] => {
                    let zero = self.lowering.bits(width, 0);
                    let negative = self.compare(Predicate::Slt, width, a, zero);
                    let minus = self.binary(BinaryOp::Sub, width, zero, a);
                    self.select(width, negative, minus, a)
                }
                _ => {
                    let b = at(1).ok_or_else(unsupported)?;
                    match parts.as_slice() {
                        ["umin", ..] => self.choice(Predicate::Ult, width, a, b),
                        ["umax", ..] => self.choice(Predicate::Ugt, width, a, b),
                        ["smin", ..] => self.choice(Predicate::Slt, width, a, b),
                        ["smax", ..] => self.choice(Predicate::Sgt, width, a, b),
                        ["ptrmask", ..] => self.binary(BinaryOp::And, width, a, b),
                        ["uadd" | "sadd" | "usub" | "ssub" | "umul" | "smul", "with", "overflow", ..] => {
                            let (result, overflow) = self.checked(parts[0], width, a, b);
                            self.copy(1, Self::after(to, count), overflow);
                            result
                        }
                        ["uadd" | "sadd" | "usub" | "ssub", "sat", ..] => {
                            self.saturating(parts[0], width, a, b)
                        }
                        ["fshl" | "fshr", ..] => {
                            let shift = at(2).ok_or_else(unsupported)?;
                            self.funnel(parts[0] == "fshl", width, (a, b), shift)
                        }
                        _ => return Err(unsupported()),
                    }
                }
            };
            self.copy(width, to, result);
        }
        Ok(())
    }

    /// The pieces of `step` bits in reverse order.
    fn reverse(&mut self, width: u32, step: u32, value: Operand) -> Operand {
        let pieces: Vec<Operand> =
            (0..width / step).rev().map(|piece| self.extract(width, piece * step, step, value)).collect();
        let widths = vec![step; pieces.len()];
        self.join(&widths, &pieces).map_or(value, |(whole, _)| whole)
    }

    /// The operation in twice the width, where it is exact.
    fn wide(&mut self, kind: &str, width: u32, a: Operand, b: Operand) -> Operand {
        let signed = kind.starts_with('s');
        let a = self.extend(signed, width, 2 * width, a);
        let b = self.extend(signed, width, 2 * width, b);
        let op = match &kind[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        self.binary(op, 2 * width, a, b)
    }

    /// The result modulo 2^width, and whether it is not the exact one.
    fn checked(&mut self, kind: &str, width: u32, a: Operand, b: Operand) -> (Operand, Operand) {
        let exact = self.wide(kind, width, a, b);
        let result = self.extract(2 * width, 0, width, exact);
        let back = self.extend(kind.starts_with('s'), width, 2 * width, result);
        let overflow = self.compare(Predicate::Ne, 2 * width, exact, back);
        (result, overflow)
    }

    /// The result, or the nearest one that fits.
    fn saturating(&mut self, kind: &str, width: u32, a: Operand, b: Operand) -> Operand {
        let (result, overflow) = self.checked(kind, width, a, b);
        let zero = self.lowering.bits(width, 0);
        let nearest = match kind {
            "uadd" => self.invert(width, zero),
            "usub" => zero,
            _ => {
                // Signed overflow goes away from zero on the first operand's side.
                let one = self.lowering.bits(width, 1);
                let top = self.lowering.bits(width, u64::from(width) - 1);
                let least = self.binary(BinaryOp::Shl, width, one, top);
                let most = self.invert(width, least);
                let negative = self.compare(Predicate::Slt, width, a, zero);
                self.select(width, negative, least, most)
            }
        };
        self.select(width, overflow, nearest, result)
    }

    /// The upper (or lower) half of two values in a row, shifted to the left (or right).
    fn funnel(&mut self, left: bool, width: u32, (high, low): (Operand, Operand), shift: Operand) -> Operand {
        let modulus = self.lowering.bits(width, u64::from(width));
        let shift = self.binary(BinaryOp::URem, width, shift, modulus);
        let shift = self.extend(false, width, 2 * width, shift);
        let both = self.concat((high, width), (low, width));
        let op = if left { BinaryOp::Shl } else { BinaryOp::LShr };
        let shifted = self.binary(op, 2 * width, both, shift);
        self.extract(2 * width, if left { width } else { 0 }, width, shifted)
    }
}
