//! LLVM's intrinsic functions, expressed in plain instructions wherever that is possible.

use symexec::base::bits::BinaryOp;
use symexec::module::{
    Argument, Call, Callee, Class, FloatFormat, Function, FunctionId, Instruction, Operand, Predicate,
    Register, Symbol, Term,
};

use super::Failure;
use super::constrained;
use super::function::Body;
use super::predicated;
use super::types::Lane;
use crate::llvm::Value;
use crate::runtime::functions_for;

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
            "clear_cache",
            "dbg",
            "lifetime",
            "assume",
            "invariant",
            "experimental.noalias.scope.decl",
            "donothing",
            "prefetch",
            "var.annotation",
            "sideeffect",
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
        if is("stacksave") {
            self.emit(Instruction::SaveStack { to });
            return Ok(());
        }
        if is("stackrestore") {
            let saved = self.scalar(value.operand(0))?;
            self.emit(Instruction::RestoreStack { saved });
            return Ok(());
        }
        const ZERO: [&str; 3] = ["returnaddress", "frameaddress", "addressofreturnaddress"];
        if ZERO.into_iter().any(is) {
            let width = self.width(value)?;
            let zero = self.lowering.bits(width, 0);
            self.copy(width, to, zero);
            return Ok(());
        }
        if is("is.constant") {
            let width = self.width(value)?;
            let known = value.operand(0).is_some_and(|operand| operand.is_int() || operand.is_float());
            let answer = self.lowering.bits(width, u64::from(known));
            self.copy(width, to, answer);
            return Ok(());
        }
        // To nearest, as the runtime rounds.
        if is("get.rounding") {
            let width = self.width(value)?;
            let nearest = self.lowering.bits(width, 1);
            self.copy(width, to, nearest);
            return Ok(());
        }
        if is("objectsize") {
            // What the compiler does not know: all ones, or zero if the minimum is asked for.
            let width = self.width(value)?;
            let is_set = |index| value.operand(index).is_some_and(|flag| flag.small_int() == Some(1));
            let unknown = if is_set(1) { 0 } else { u64::MAX };
            let known = value.operand(0).and_then(|pointer| self.known_size(pointer, is_set(2)));
            let answer = self.lowering.bits(width, known.unwrap_or(unknown));
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
                pad: None,
            });
            return Ok(());
        }
        if is("eh.typeid.for") {
            return self.type_number(value);
        }
        // `__builtin_setjmp` and `__builtin_longjmp`; the first word of a buffer is this function's, behind which the
        // compiler has stored what it wants there.
        if is("eh.sjlj.setjmp") || is("eh.sjlj.longjmp") {
            let buffer = self.scalar(value.operand(0))?;
            let argument =
                |value, width| Argument { value, width, signed: true, class: Class::Integer, copied: None };
            let mut arguments = vec![argument(buffer, 64)];
            let sets = is("eh.sjlj.setjmp");
            if !sets {
                arguments.push(argument(self.lowering.bits(32, 1), 32));
            }
            // Not what programs may define themselves.
            let own = if sets { "__symexec_setjmp" } else { "__symexec_longjmp" };
            let callee = Callee::Function(self.declared(own));
            let results = if sets { vec![32] } else { Vec::new() };
            self.add_call(Call { callee, arguments, to, results, pad: None });
            return Ok(());
        }
        if let Some(done) = self.list_intrinsic(value, name) {
            return done;
        }
        if is("load.relative") {
            // The place of the table, plus the 32 bits in it at a distance.
            let table = self.scalar(value.operand(0))?;
            let distance = value.operand(1).ok_or("an operand is missing")?;
            let width = distance.ty().integer_width();
            let distance = self.scalar(Some(distance))?;
            let place = self.moved_by(table, distance, width);
            let short = self.fresh(1);
            self.emit(Instruction::Load { width: 32, to: short, pointer: place });
            let long = self.extend(true, 32, 64, Operand::register(short));
            let target = self.moved_by(table, long, 64);
            self.copy(64, to, target);
            return Ok(());
        }
        if let Some(name) = name.strip_prefix(predicated::PREFIX) {
            return self.predicated(value, name, to);
        }
        if let Some(name) = name.strip_prefix(constrained::PREFIX) {
            return self.constrained(value, name, to);
        }
        if is("convert.to.fp16") || is("convert.from.fp16") {
            return self.half_as_bits(value, is("convert.from.fp16"), to);
        }
        if let Some(done) = self.float_intrinsic(value, name, to) {
            return done;
        }
        let special = self.vector_intrinsic(value, name, to);
        let special = special.or_else(|| self.masked(value, name, to));
        let special = special.or_else(|| self.x86_intrinsic(value, name, to));
        if let Some(done) = special {
            return done;
        }
        let functions = functions_for(name);
        if !functions.is_empty() {
            return self.by_functions(value, &functions, to);
        }
        self.integer_intrinsic(value, name, to)
    }

    /// How many bytes a variable has from a place on that the text of the program tells.
    fn known_size(&self, pointer: Value<'p>, null_is_unknown: bool) -> Option<u64> {
        if pointer.is_constant() && pointer.is_zero() {
            return (!null_is_unknown).then_some(0);
        }
        match self.lowering.symbol(pointer) {
            Some((Symbol::Global(id), offset)) => {
                let global = &self.lowering.module.globals[id.index()];
                let offset = u64::try_from(offset).ok()?;
                global.defined.then(|| global.size.saturating_sub(offset))
            }
            _ => {
                let ty = pointer.allocated_type()?;
                let count = pointer.operand(0)?.small_int()?;
                Some(self.lowering.program.size(ty).saturating_mul(count))
            }
        }
    }

    fn three(&mut self, value: Value<'p>) -> Result<(Operand, Operand, Operand), Failure> {
        Ok((self.scalar(value.operand(0))?, self.scalar(value.operand(1))?, self.scalar(value.operand(2))?))
    }

    pub(super) fn width(&self, value: Value<'p>) -> Result<u32, Failure> {
        self.lowering.lanes(value.ty())?.first().map(|lane| lane.width).ok_or_else(|| "no result".to_owned())
    }

    /// The function of a name, declared without parameters if the program does not mention it.
    pub(super) fn declared(&mut self, name: &str) -> FunctionId {
        if let Some(id) = self.lowering.module.function(name) {
            return id;
        }
        let id = FunctionId::at(self.lowering.module.functions.len());
        self.lowering.module.functions.push(Function { name: name.to_owned(), ..Function::default() });
        id
    }

    /// `left` if it compares so to `right`, else `right`.
    pub(super) fn choice(
        &mut self,
        predicate: Predicate,
        width: u32,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let keep = self.compare(predicate, width, left, right);
        self.select(width, keep, left, right)
    }

    /// Calls functions for each scalar, every one of which gives one result.
    fn by_functions(&mut self, value: Value<'p>, names: &[String], to: Register) -> Result<(), Failure> {
        let mut arguments = Vec::new();
        for index in 0..value.argument_count() {
            let argument = value.operand(index).ok_or("an operand is missing")?;
            let lanes = self.lowering.lanes(argument.ty())?;
            // Words for the compiler are no arguments.
            if !lanes.is_empty() {
                arguments.push((self.operands(argument)?, lanes));
            }
        }
        let results = self.lowering.lanes(value.ty())?;
        let each = results.len() / names.len();
        for (place, lane) in results.iter().enumerate() {
            let name = names.get(place / each.max(1)).ok_or("a result without a function")?;
            let callee = Callee::Function(self.declared(name));
            let of = |(operands, lanes): &(Vec<Operand>, Vec<Lane>)| {
                // A scalar beside vectors counts for all elements.
                let at = (place % each.max(1)).min(operands.len().saturating_sub(1));
                let (value, lane) = (*operands.get(at)?, lanes.get(at)?);
                let class = match lane.float {
                    None => Class::Integer,
                    Some(FloatFormat::Extended) => Class::Memory,
                    Some(_) => Class::Vector,
                };
                Some(Argument { value, width: lane.width, signed: lane.float.is_none(), class, copied: None })
            };
            let arguments = arguments.iter().filter_map(of).collect();
            let to = Self::after(to, place);
            self.add_call(Call { callee, arguments, to, results: vec![lane.width], pad: None });
        }
        Ok(())
    }

    fn integer_intrinsic(&mut self, value: Value<'p>, name: &str, to: Register) -> Result<(), Failure> {
        let unsupported = || {
            // Those of AVX-512 are not even begun; compilers need not make them.
            let way_out = if name.starts_with("x86.avx512") {
                ": it is one of AVX-512; build without it, for instance with `-march=x86-64-v3`"
            } else {
                ""
            };
            format!("the intrinsic function `llvm.{name}` is not supported{way_out}")
        };
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
                    let refuses = value.operand(1).is_some_and(|flag| flag.small_int() == Some(1));
                    self.absolute(width, a, refuses)
                }
                _ => {
                    let b = at(1).ok_or_else(unsupported)?;
                    match parts.as_slice() {
                        ["umin", ..] => self.choice(Predicate::Ult, width, a, b),
                        ["umax", ..] => self.choice(Predicate::Ugt, width, a, b),
                        ["smin", ..] => self.choice(Predicate::Slt, width, a, b),
                        ["smax", ..] => self.choice(Predicate::Sgt, width, a, b),
                        ["scmp" | "ucmp", ..] => {
                            let into = self.lowering.lanes(value.ty())?;
                            let into = into.get(index).ok_or_else(unsupported)?.width;
                            let result = self.three_way(parts[0] == "scmp", width, into, a, b);
                            self.copy(into, to, result);
                            continue;
                        }
                        ["sshl" | "ushl", "sat", ..] => {
                            self.saturating_shift(parts[0] == "sshl", width, a, b)
                        }
                        ["ptrmask", ..] => self.binary(BinaryOp::And, width, a, b),
                        ["uadd" | "sadd" | "usub" | "ssub" | "umul" | "smul", "with", "overflow", ..] => {
                            let (result, overflow) = self.checked(parts[0], width, a, b);
                            self.copy(1, Self::after(to, count), overflow);
                            result
                        }
                        ["uadd" | "sadd" | "usub" | "ssub", "sat", ..] => {
                            self.saturating(parts[0], width, a, b)
                        }
                        ["smul" | "umul" | "sdiv" | "udiv", "fix", rest @ ..] => {
                            let scale = value.operand(2).and_then(Value::small_int);
                            let scale = scale.ok_or_else(unsupported)?;
                            let exact = self.fixed_point(parts[0], width, (a, b), scale);
                            self.narrowed(parts[0], width, exact, rest.first() == Some(&"sat"))
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
    pub(super) fn reverse(&mut self, width: u32, step: u32, value: Operand) -> Operand {
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
                self.signed_limit(width, a)
            }
        };
        self.select(width, overflow, nearest, result)
    }

    /// The product or the quotient of numbers with `scale` bits behind the point, rounded down as LLVM's own code for it
    /// does, in twice the width.
    fn fixed_point(&mut self, kind: &str, width: u32, (a, b): (Operand, Operand), scale: u64) -> Operand {
        let (signed, wide) = (kind.starts_with('s'), 2 * width);
        let [a, b] = [a, b].map(|number| self.extend(signed, width, wide, number));
        let scale = self.lowering.bits(wide, scale);
        if kind.ends_with("mul") {
            let product = self.binary(BinaryOp::Mul, wide, a, b);
            let op = if signed { BinaryOp::AShr } else { BinaryOp::LShr };
            return self.binary(op, wide, product, scale);
        }
        let a = self.binary(BinaryOp::Shl, wide, a, scale);
        if !signed {
            return self.binary(BinaryOp::UDiv, wide, a, b);
        }
        let quotient = self.binary(BinaryOp::SDiv, wide, a, b);
        let back = self.binary(BinaryOp::Mul, wide, quotient, b);
        let has_rest = self.compare(Predicate::Ne, wide, a, back);
        let signs = self.binary(BinaryOp::Xor, wide, a, b);
        let zero = self.lowering.bits(wide, 0);
        let is_negative = self.compare(Predicate::Slt, wide, signs, zero);
        let is_above = self.binary(BinaryOp::And, 1, has_rest, is_negative);
        let one = self.extend(false, 1, wide, is_above);
        self.binary(BinaryOp::Sub, wide, quotient, one)
    }

    /// A number of twice the width modulo 2^width, or the nearest one that fits.
    fn narrowed(&mut self, kind: &str, width: u32, exact: Operand, saturates: bool) -> Operand {
        let signed = kind.starts_with('s');
        let result = self.extract(2 * width, 0, width, exact);
        if !saturates {
            return result;
        }
        let back = self.extend(signed, width, 2 * width, result);
        let overflow = self.compare(Predicate::Ne, 2 * width, exact, back);
        let upper = self.extract(2 * width, width, width, exact);
        let zero = self.lowering.bits(width, 0);
        let nearest = if signed { self.signed_limit(width, upper) } else { self.invert(width, zero) };
        self.select(width, overflow, nearest, result)
    }

    /// A pointer moved by a number of bytes.
    fn moved_by(&mut self, base: Operand, distance: Operand, width: u32) -> Operand {
        let (first, count) = self.add_terms(vec![Term { index: distance, width, scale: 1 }]);
        let to = self.fresh(1);
        self.emit(Instruction::Offset { to, base, constant: 0, first, count });
        Operand::register(to)
    }

    /// A number without its sign; `refuses` says whether the least one, which has no opposite, is an error.
    pub(super) fn absolute(&mut self, width: u32, a: Operand, refuses: bool) -> Operand {
        let zero = self.lowering.bits(width, 0);
        if refuses {
            let least = self.least(width);
            let poison = self.compare(Predicate::Eq, width, a, least);
            self.refuse_where(poison, "llvm.abs called with poison and INT_MIN");
        }
        let negative = self.compare(Predicate::Slt, width, a, zero);
        let minus = self.binary(BinaryOp::Sub, width, zero, a);
        self.select(width, negative, minus, a)
    }

    /// The least signed number of a width.
    fn least(&mut self, width: u32) -> Operand {
        let one = self.lowering.bits(width, 1);
        let top = self.lowering.bits(width, u64::from(width) - 1);
        self.binary(BinaryOp::Shl, width, one, top)
    }

    /// The least signed number of a width if an operand is negative, otherwise the greatest.
    fn signed_limit(&mut self, width: u32, a: Operand) -> Operand {
        let zero = self.lowering.bits(width, 0);
        let least = self.least(width);
        let most = self.invert(width, least);
        let negative = self.compare(Predicate::Slt, width, a, zero);
        self.select(width, negative, least, most)
    }

    /// Minus one, zero or one in `into` bits, as the first operand is less, equal or greater.
    fn three_way(&mut self, signed: bool, width: u32, into: u32, a: Operand, b: Operand) -> Operand {
        let (less, greater) =
            if signed { (Predicate::Slt, Predicate::Sgt) } else { (Predicate::Ult, Predicate::Ugt) };
        let (less, greater) = (self.compare(less, width, a, b), self.compare(greater, width, a, b));
        let (zero, one) = (self.lowering.bits(into, 0), self.lowering.bits(into, 1));
        let minus = self.invert(into, zero);
        let above = self.select(into, greater, one, zero);
        self.select(into, less, minus, above)
    }

    /// Shifted to the left, or the nearest value that fits.
    fn saturating_shift(&mut self, signed: bool, width: u32, a: Operand, b: Operand) -> Operand {
        let result = self.binary(BinaryOp::Shl, width, a, b);
        let op = if signed { BinaryOp::AShr } else { BinaryOp::LShr };
        let back = self.binary(op, width, result, b);
        let lost = self.compare(Predicate::Ne, width, back, a);
        let zero = self.lowering.bits(width, 0);
        let all = self.invert(width, zero);
        let nearest = if signed { self.signed_limit(width, a) } else { all };
        self.select(width, lost, nearest, result)
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
