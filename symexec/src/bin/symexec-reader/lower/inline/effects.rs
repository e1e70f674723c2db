//! What the instructions of inline assembly do.

use symexec::base::bits::BinaryOp;
use symexec::module::{Instruction, Operand, Predicate};

use super::super::x86::{A, B, C, D, DI, Place, Step, condition};
use super::{Body, Flags, Known, Machine, Slot};

/// Instructions that say something about time, order and caches only.
const BARRIERS: [&str; 12] = [
    "mfence",
    "lfence",
    "sfence",
    "pause",
    "nop",
    "cld",
    "clflush",
    "endbr64",
    "prefetcht0",
    "prefetcht1",
    "prefetcht2",
    "prefetchnta",
];

/// Instructions whose last letter may be the width.
const SIZED: [&str; 36] = [
    "mov", "xchg", "xadd", "cmpxchg", "add", "adc", "sub", "sbb", "cmp", "test", "and", "or", "xor", "not",
    "neg", "inc", "dec", "shl", "sal", "shr", "sar", "rol", "ror", "mul", "imul", "div", "idiv", "bswap",
    "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bt", "lea", "movabs",
];

impl Body<'_, '_> {
    /// The flags that depend on a result only.
    fn flags_of(&mut self, machine: &mut Machine, width: u32, result: Operand) {
        machine.flags = Flags::default();
        if machine.flags_matter {
            let zero = self.is_zero(width, result);
            let sign = self.bit(width, width - 1, result);
            let byte = self.extract(width, 0, 8, result);
            let ones = self.fresh(1);
            self.emit(Instruction::CountOnes { width: 8, to: ones, value: byte });
            let odd = self.bit(8, 0, Operand::register(ones));
            let parity = self.opposite(odd);
            machine.flags.zero = Some(zero);
            machine.flags.sign = Some(sign);
            machine.flags.parity = Some(parity);
        }
    }

    /// A sum or a difference, with a carry or a borrow that comes in, and all flags.
    fn sum(
        &mut self,
        machine: &mut Machine,
        subtract: bool,
        width: u32,
        (left, right): (Operand, Operand),
        carry: Option<Operand>,
    ) -> Operand {
        let op = if subtract { BinaryOp::Sub } else { BinaryOp::Add };
        let mut result = self.binary(op, width, left, right);
        if let Some(carry) = carry {
            let carry = self.extend(false, 1, width, carry);
            result = self.binary(op, width, result, carry);
        }
        self.flags_of(machine, width, result);
        if machine.flags_matter {
            machine.flags.carry = Some(match carry {
                None if subtract => self.compare(Predicate::Ult, width, left, right),
                None => self.compare(Predicate::Ult, width, result, left),
                Some(carry) => {
                    let wider = width + 1;
                    let [left, right] = [left, right].map(|value| self.extend(false, width, wider, value));
                    let carry = self.extend(false, 1, wider, carry);
                    let sum = self.binary(op, wider, left, right);
                    let sum = self.binary(op, wider, sum, carry);
                    self.bit(wider, width, sum)
                }
            });
            // The sign is wrong: against both of what is added, or, of a difference, against the left side
            // where the right side's is another one.
            let other = if subtract { left } else { result };
            let changed = self.binary(BinaryOp::Xor, width, left, result);
            let against = self.binary(BinaryOp::Xor, width, right, other);
            let both = self.binary(BinaryOp::And, width, changed, against);
            machine.flags.overflow = Some(self.bit(width, width - 1, both));
        }
        result
    }

    /// Follows one instruction; `None` if it is not known.
    pub(super) fn step(&mut self, machine: &mut Machine, step: &Step) -> Known<()> {
        let name = step.name.as_str();
        if BARRIERS.contains(&name) {
            return Some(());
        }
        if step.repeated {
            return self.repeated(machine, step);
        }
        // A processor without any feature that it would have to be asked for, and a clock that stands.
        let zeroed: &[u8] = match name {
            "cpuid" => &[A, B, C, D],
            "xgetbv" | "rdtsc" => &[A, D],
            "rdtscp" => &[A, C, D],
            _ => &[],
        };
        for register in zeroed {
            let zero = self.number(64, 0);
            self.write_register(machine, *register, 64, zero)?;
        }
        if !zeroed.is_empty() {
            return Some(());
        }
        // The control words as programs find them; a source of random numbers that never has one.
        let constant = match name {
            "fnstcw" | "fstcw" => Some((16, 0x37f)),
            "stmxcsr" => Some((32, 0x1f80)),
            "rdrand" | "rdseed" => Some((Self::natural(machine, &step.places)?, 0)),
            _ => None,
        };
        if let (Some((width, value)), [target]) = (constant, step.places.as_slice()) {
            let value = self.number(width, value);
            let no = self.number(1, 0);
            machine.flags = Flags { carry: Some(no), ..Flags::default() };
            return self.write(machine, target, width, value);
        }
        if let Some((from, into)) = sign_extension(name) {
            let value = self.read_register(machine, A, from)?;
            let wide = self.extend(true, from, into.1, value);
            if into.0 == A {
                return self.write_register(machine, A, into.1, wide);
            }
            let high = self.extract(into.1, from, from, wide);
            return self.write_register(machine, D, from, high);
        }
        if let Some(rest) = name.strip_prefix("set")
            && let (Some(condition), [target]) = (condition(rest), step.places.as_slice())
        {
            let flag = self.condition(machine, condition)?;
            let byte = self.extend(false, 1, 8, flag);
            return self.write(machine, target, 8, byte);
        }
        if let Some(rest) = name.strip_prefix("cmov") {
            let sized = || condition(&rest[..rest.len().checked_sub(1)?]).zip(suffix(rest));
            let (condition, width) = match condition(rest) {
                Some(condition) => (condition, Self::natural(machine, &step.places)?),
                None => sized()?,
            };
            let [from, target] = step.places.as_slice() else { return None };
            let flag = self.condition(machine, condition)?;
            let (yes, no) = (self.read(machine, from, width)?, self.read(machine, target, width)?);
            let chosen = self.select(width, flag, yes, no);
            return self.write(machine, target, width, chosen);
        }
        if let Some((signed, from, into)) = widening(name) {
            let [source, target] = step.places.as_slice() else { return None };
            let value = self.read(machine, source, from)?;
            let wide = self.extend(signed, from, into, value);
            return self.write(machine, target, into, wide);
        }
        let (base, width) = match SIZED.contains(&name) {
            true => (name, Self::natural(machine, &step.places)?),
            false => (&name[..name.len().checked_sub(1)?], suffix(name)?),
        };
        if !SIZED.contains(&base) || ![8, 16, 32, 64].contains(&width) {
            return None;
        }
        match step.places.as_slice() {
            [only] => self.with_one(machine, base, width, only),
            [source, target] => self.with_two(machine, base, width, source, target),
            [factor, source, target] if base == "imul" => {
                let factor = self.read(machine, factor, width)?;
                let value = self.read(machine, source, width)?;
                self.product(machine, width, factor, value, target)
            }
            _ => None,
        }
    }

    /// The width that operands have by themselves.
    fn natural(machine: &Machine, places: &[Place]) -> Known<u32> {
        places.iter().rev().find_map(|place| match place {
            Place::Operand(_, Some(part)) | Place::Register(_, part) => Some(part.width),
            Place::Operand(number, None) => {
                let (slot, width) = *machine.operands.get(*number)?;
                // How wide memory is, its text does not say.
                matches!(machine.slots.get(slot)?, Slot::Value(_)).then_some(width)
            }
            Place::Number(_) | Place::Memory(..) => None,
        })
    }

    fn repeated(&mut self, machine: &mut Machine, step: &Step) -> Known<()> {
        if step.name == "stosb" && step.places.is_empty() {
            let to = self.read_register(machine, DI, 64)?;
            let value = self.read_register(machine, A, 8)?;
            let length = self.read_register(machine, C, 64)?;
            self.emit(Instruction::FillMemory { to, value, length, width: 64 });
            let end = self.binary(BinaryOp::Add, 64, to, length);
            let zero = self.number(64, 0);
            self.write_register(machine, DI, 64, end)?;
            return self.write_register(machine, C, 64, zero);
        }
        None
    }

    /// A product that is as wide as its factors.
    fn product(
        &mut self,
        machine: &mut Machine,
        width: u32,
        left: Operand,
        right: Operand,
        target: &Place,
    ) -> Known<()> {
        let result = self.binary(BinaryOp::Mul, width, left, right);
        machine.flags = Flags::default();
        if machine.flags_matter {
            let wider = 2 * width;
            let [left, right] = [left, right].map(|value| self.extend(true, width, wider, value));
            let exact = self.binary(BinaryOp::Mul, wider, left, right);
            let back = self.extend(true, width, wider, result);
            let lost = self.compare(Predicate::Ne, wider, exact, back);
            machine.flags = Flags { carry: Some(lost), overflow: Some(lost), ..Flags::default() };
        }
        self.write(machine, target, width, result)
    }

    fn with_one(&mut self, machine: &mut Machine, base: &str, width: u32, place: &Place) -> Known<()> {
        let value = self.read(machine, place, width)?;
        match base {
            "not" => {
                let ones = self.number(width, u64::MAX);
                let result = self.binary(BinaryOp::Xor, width, value, ones);
                self.write(machine, place, width, result)
            }
            "neg" => {
                let zero = self.number(width, 0);
                let result = self.sum(machine, true, width, (zero, value), None);
                self.write(machine, place, width, result)
            }
            "inc" | "dec" => {
                let carry = machine.flags.carry;
                let one = self.number(width, 1);
                let result = self.sum(machine, base == "dec", width, (value, one), None);
                machine.flags.carry = carry;
                self.write(machine, place, width, result)
            }
            "shl" | "sal" | "shr" | "sar" | "rol" | "ror" => {
                self.with_two(machine, base, width, &Place::Number(1), place)
            }
            "bswap" => {
                let swapped = self.reverse(width, 8, value);
                self.write(machine, place, width, swapped)
            }
            "mul" | "imul" if width > 8 => {
                let (signed, wider) = (base == "imul", 2 * width);
                let factor = self.read_register(machine, A, width)?;
                let [left, right] = [factor, value].map(|value| self.extend(signed, width, wider, value));
                let product = self.binary(BinaryOp::Mul, wider, left, right);
                let low = self.extract(wider, 0, width, product);
                let high = self.extract(wider, width, width, product);
                machine.flags = Flags::default();
                if machine.flags_matter {
                    let back = self.extend(signed, width, wider, low);
                    let lost = self.compare(Predicate::Ne, wider, back, product);
                    machine.flags = Flags { carry: Some(lost), overflow: Some(lost), ..Flags::default() };
                }
                self.write_register(machine, A, width, low)?;
                self.write_register(machine, D, width, high)
            }
            "div" | "idiv" if width > 8 => {
                let (signed, wider) = (base == "idiv", 2 * width);
                let low = self.read_register(machine, A, width)?;
                let high = self.read_register(machine, D, width)?;
                let dividend = self.concat((high, width), (low, width));
                let divisor = self.extend(signed, width, wider, value);
                let (quotient, rest) = match signed {
                    true => (BinaryOp::SDiv, BinaryOp::SRem),
                    false => (BinaryOp::UDiv, BinaryOp::URem),
                };
                let quotient = self.binary(quotient, wider, dividend, divisor);
                let rest = self.binary(rest, wider, dividend, divisor);
                let fitting = self.extract(wider, 0, width, quotient);
                let back = self.extend(signed, width, wider, fitting);
                let lost = self.compare(Predicate::Ne, wider, back, quotient);
                self.refuse_where(lost, "the quotient of a division has more bits than its register");
                let rest = self.extract(wider, 0, width, rest);
                machine.flags = Flags::default();
                self.write_register(machine, A, width, fitting)?;
                self.write_register(machine, D, width, rest)
            }
            _ => None,
        }
    }

    fn with_two(
        &mut self,
        machine: &mut Machine,
        base: &str,
        width: u32,
        source: &Place,
        target: &Place,
    ) -> Known<()> {
        match base {
            "lea" => {
                let Place::Memory(displacement, from, index) = source else { return None };
                let index = index.as_ref().map(|(index, scale)| (&**index, *scale));
                let address = self.address(machine, *displacement, from.as_deref(), index)?;
                let address = self.extract(64, 0, width, address);
                return self.write(machine, target, width, address);
            }
            "mov" | "movabs" => {
                let value = self.read(machine, source, width)?;
                return self.write(machine, target, width, value);
            }
            "shl" | "sal" | "shr" | "sar" | "rol" | "ror" => {
                return self.shift(machine, base, width, source, target);
            }
            "bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt" => {
                return self.count(machine, base, width, source, target);
            }
            _ => {}
        }
        let from = self.read(machine, source, width)?;
        let old = self.read(machine, target, width)?;
        let result = match base {
            "xchg" => {
                self.write(machine, source, width, old)?;
                from
            }
            "add" | "xadd" => {
                let result = self.sum(machine, false, width, (old, from), None);
                if base == "xadd" {
                    self.write(machine, source, width, old)?;
                }
                result
            }
            "sub" => self.sum(machine, true, width, (old, from), None),
            "adc" | "sbb" => {
                let carry = machine.flags.carry?;
                self.sum(machine, base == "sbb", width, (old, from), Some(carry))
            }
            "cmp" => {
                self.sum(machine, true, width, (old, from), None);
                return Some(());
            }
            "and" | "or" | "xor" | "test" => {
                let op = match base {
                    "or" => BinaryOp::Or,
                    "xor" => BinaryOp::Xor,
                    _ => BinaryOp::And,
                };
                let result = self.binary(op, width, old, from);
                self.flags_of(machine, width, result);
                let zero = self.number(1, 0);
                (machine.flags.carry, machine.flags.overflow) = (Some(zero), Some(zero));
                if base == "test" {
                    return Some(());
                }
                result
            }
            "imul" => return self.product(machine, width, old, from, target),
            "bt" => {
                // In memory the place may be far beyond the operand.
                let (slot, _) = Self::slot(machine, target, width)?;
                if !matches!(machine.slots.get(slot)?, Slot::Value(_)) {
                    return None;
                }
                let most = self.number(width, u64::from(width) - 1);
                let place = self.binary(BinaryOp::And, width, from, most);
                let shifted = self.binary(BinaryOp::LShr, width, old, place);
                let bit = self.bit(width, 0, shifted);
                machine.flags = Flags { carry: Some(bit), ..Flags::default() };
                return Some(());
            }
            "cmpxchg" => {
                let expected = self.read_register(machine, A, width)?;
                machine.flags_matter = true;
                self.sum(machine, true, width, (expected, old), None);
                let same = machine.flags.zero?;
                let kept = self.select(width, same, expected, old);
                self.write_register(machine, A, width, kept)?;
                self.select(width, same, from, old)
            }
            _ => return None,
        };
        self.write(machine, target, width, result)
    }

    /// A shift or a rotation; its flags are followed if its distance is a number.
    fn shift(
        &mut self,
        machine: &mut Machine,
        base: &str,
        width: u32,
        source: &Place,
        target: &Place,
    ) -> Known<()> {
        let old = self.read(machine, target, width)?;
        let most = if width == 64 { 63 } else { 31 };
        let known = if let Place::Number(number) = source { Some(number & most) } else { None };
        let distance = self.read(machine, source, 8)?;
        let mask = self.number(8, most);
        let distance = self.binary(BinaryOp::And, 8, distance, mask);
        // Wide enough for every distance.
        let wide = self.extend(false, 8, 64, distance);
        machine.flags = Flags::default();
        if base == "rol" || base == "ror" {
            let within = self.number(64, u64::from(width) - 1);
            let wide = self.binary(BinaryOp::And, 64, wide, within);
            let distance = self.extract(64, 0, width, wide);
            let all = self.number(width, u64::from(width));
            let other = self.binary(BinaryOp::Sub, width, all, distance);
            let within = self.number(width, u64::from(width) - 1);
            let other = self.binary(BinaryOp::And, width, other, within);
            let (left, right) = if base == "rol" { (distance, other) } else { (other, distance) };
            let upper = self.binary(BinaryOp::Shl, width, old, left);
            let lower = self.binary(BinaryOp::LShr, width, old, right);
            let result = self.binary(BinaryOp::Or, width, upper, lower);
            if known.is_some_and(|known| known > 0) {
                // What went round last.
                let last = if base == "rol" { 0 } else { width - 1 };
                machine.flags.carry = Some(self.bit(width, last, result));
            }
            return self.write(machine, target, width, result);
        }
        let (op, signed) = match base {
            "shr" => (BinaryOp::LShr, false),
            "sar" => (BinaryOp::AShr, true),
            _ => (BinaryOp::Shl, false),
        };
        let before = self.extend(signed, width, 64, old);
        let after = self.binary(op, 64, before, wide);
        let result = self.extract(64, 0, width, after);
        if let Some(known @ 1..) = known.and_then(|known| u32::try_from(known).ok()).filter(|n| *n <= width) {
            self.flags_of(machine, width, result);
            let last = if op == BinaryOp::Shl { width - known } else { known - 1 };
            machine.flags.carry = Some(self.bit(width, last, old));
        }
        self.write(machine, target, width, result)
    }

    /// Where the first or last bit is, or how many there are.
    fn count(
        &mut self,
        machine: &mut Machine,
        base: &str,
        width: u32,
        source: &Place,
        target: &Place,
    ) -> Known<()> {
        let value = self.read(machine, source, width)?;
        let to = self.fresh(1);
        let leading = base == "bsr" || base == "lzcnt";
        self.emit(match base {
            "popcnt" => Instruction::CountOnes { width, to, value },
            _ => Instruction::CountZeros { leading, width, to, value },
        });
        let mut result = Operand::register(to);
        let none = self.is_zero(width, value);
        if base == "bsr" {
            let last = self.number(width, u64::from(width) - 1);
            result = self.binary(BinaryOp::Sub, width, last, result);
        }
        machine.flags = Flags { zero: Some(none), ..Flags::default() };
        if base == "bsf" || base == "bsr" {
            // Without a bit the target stays as it is.
            let old = self.read(machine, target, width)?;
            result = self.select(width, none, old, result);
        } else if base != "popcnt" {
            let zero = self.is_zero(width, result);
            machine.flags = Flags { carry: Some(none), zero: Some(zero), ..Flags::default() };
        }
        self.write(machine, target, width, result)
    }
}

/// The width that the last letter of a name says.
fn suffix(name: &str) -> Option<u32> {
    match name.as_bytes().last()? {
        b'b' => Some(8),
        b'w' => Some(16),
        b'l' => Some(32),
        b'q' => Some(64),
        _ => None,
    }
}

/// The width of the register that is extended, where to, and to how many bits.
fn sign_extension(name: &str) -> Option<(u32, (u8, u32))> {
    Some(match name {
        "cbtw" | "cbw" => (8, (A, 16)),
        "cwtl" | "cwde" => (16, (A, 32)),
        "cltq" | "cdqe" => (32, (A, 64)),
        "cwtd" | "cwd" => (16, (D, 32)),
        "cltd" | "cdq" => (32, (D, 64)),
        "cqto" | "cqo" => (64, (D, 128)),
        _ => return None,
    })
}

/// `movzbl` and its relatives: whether the sign is kept, from and to how many bits.
fn widening(name: &str) -> Option<(bool, u32, u32)> {
    let (signed, rest) = match (name.strip_prefix("movz"), name.strip_prefix("movs")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let (from, into) = rest.split_at_checked(1).filter(|(_, into)| into.len() == 1)?;
    Some((signed, suffix(from)?, suffix(into)?)).filter(|(_, from, into)| from < into)
}
