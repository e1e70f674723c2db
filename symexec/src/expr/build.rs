//! Making expressions: every constructor simplifies, so that equal meanings often are equal nodes.
//!
//! Normal forms that others rely on: constants stand on the left of commutative operations; there is
//! only `<`, so `a <= b` is `not (b < a)`; a pointer with something added is `Add(pointer, integer)`
//! with everything added in one integer; a constant summand of an integer is outermost.
//! Each rule looks a bounded number of levels down, so construction takes bounded time and stack.

use num_bigint::BigUint;

use super::{Arena, Class, ExprId, Info, InputId, LiteralId, Node, WideId};
use crate::base::bits::{BinaryOp, Bits, CompareOp, mask, signed};

impl Arena {
    /// A constant of at most 64 bits.
    pub fn constant(&mut self, width: u32, value: u64) -> ExprId {
        if width > 64 {
            return self.bits(&Bits::new(width, value));
        }
        self.add(Node::Constant(value & mask(width)), Info { width, class: Class::Integer, addresses: false })
    }

    /// A constant of any width.
    pub fn bits(&mut self, bits: &Bits) -> ExprId {
        if let (Some(value), true) = (bits.to_u64(), bits.width() <= 64) {
            return self.constant(bits.width(), value);
        }
        let value: BigUint = bits.to_big();
        let next = WideId::at(self.wide.len());
        let id = *self.wide_ids.entry(value.clone()).or_insert(next);
        if id == next {
            self.wide.push(value);
        }
        self.add(Node::Wide(id), Info { width: bits.width(), class: Class::Integer, addresses: false })
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> ExprId {
        self.constant(1, u64::from(value))
    }

    /// An unknown byte.
    pub fn input_byte(&mut self, input: InputId) -> ExprId {
        self.add(Node::Input(input), Info { width: 8, class: Class::Integer, addresses: false })
    }

    fn is_null(&self, id: ExprId) -> bool {
        self.node(id) == Node::Constant(0)
    }

    fn is_constant(&self, id: ExprId) -> bool {
        matches!(self.node(id), Node::Constant(_) | Node::Wide(_))
    }

    fn mentions(&self, operands: &[ExprId]) -> bool {
        operands.iter().any(|id| self.info(*id).addresses)
    }

    fn plain(&self, width: u32, operands: &[ExprId]) -> Info {
        let class = Class::of_all(operands.iter().map(|id| self.class(*id)));
        Info { width, class, addresses: self.mentions(operands) }
    }

    /// The pointer and the integer that an expression of class `Pointer` or `Offset` is the sum of; no
    /// integer stands for zero.
    #[must_use]
    pub fn split_pointer(&self, id: ExprId) -> Option<(ExprId, Option<ExprId>)> {
        match (self.class(id), self.node(id)) {
            (Class::Pointer, _) => Some((id, None)),
            (Class::Offset, Node::Binary(BinaryOp::Add, pointer, added)) => Some((pointer, Some(added))),
            _ => None,
        }
    }

    /// [`Self::split_pointer`], where null is a pointer as well.
    fn split_nullable(&self, id: ExprId) -> Option<(ExprId, Option<ExprId>)> {
        if self.is_null(id) { Some((id, None)) } else { self.split_pointer(id) }
    }

    /// The constant summand and the rest of a sum.
    pub(super) fn split_sum(&self, id: ExprId) -> (u64, Option<ExprId>) {
        match self.node(id) {
            Node::Constant(value) => (value, None),
            Node::Binary(BinaryOp::Add, a, b) => match self.node(a) {
                Node::Constant(value) => (value, Some(b)),
                _ => (0, Some(id)),
            },
            _ => (0, Some(id)),
        }
    }

    /// An operation on two vectors of one width.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if self.is_constant(a)
            && self.is_constant(b)
            && let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b))
        {
            return self.bits(&Bits::binary(op, &x, &y));
        }
        let commutative =
            matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        let (a, b) = if commutative && self.is_constant(b) { (b, a) } else { (a, b) };
        let simplified = match op {
            BinaryOp::Add => self.simplify_add(a, b),
            BinaryOp::Sub => self.simplify_sub(a, b),
            BinaryOp::Mul => self.simplify_mul(a, b),
            BinaryOp::UDiv | BinaryOp::URem => self.simplify_unsigned_division(op, a, b),
            BinaryOp::SDiv => (self.as_u64(b) == Some(1)).then_some(a),
            BinaryOp::SRem => None,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.simplify_bitwise(op, a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.simplify_shift(op, a, b),
        };
        simplified.unwrap_or_else(|| {
            let info = self.plain(width, &[a, b]);
            self.add(Node::Binary(op, a, b), info)
        })
    }

    fn simplify_add(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if self.is_null(a) {
            return Some(b);
        }
        for (pointer, integer) in [(a, b), (b, a)] {
            if self.class(integer) != Class::Integer {
                continue;
            }
            let Some((base, added)) = self.split_pointer(pointer) else { continue };
            let sum = match added {
                None => integer,
                Some(added) => self.binary(BinaryOp::Add, added, integer),
            };
            if self.is_null(sum) {
                return Some(base);
            }
            let info = Info { width, class: Class::Offset, addresses: true };
            return Some(self.add(Node::Binary(BinaryOp::Add, base, sum), info));
        }
        if width > 64 || self.class(a) != Class::Integer || self.class(b) != Class::Integer {
            return None;
        }
        // All constant summands become one, outermost.
        let ((x, rest_a), (y, rest_b)) = (self.split_sum(a), self.split_sum(b));
        if y == 0 && (x == 0 || rest_a.is_none()) {
            return None;
        }
        let total = self.constant(width, x.wrapping_add(y));
        let rest = match (rest_a, rest_b) {
            (Some(a), Some(b)) => self.raw_add(a, b),
            (Some(rest), None) | (None, Some(rest)) => rest,
            (None, None) => return Some(total),
        };
        if self.is_null(total) {
            return Some(rest);
        }
        Some(self.raw_add(total, rest))
    }

    fn raw_add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let info = self.plain(self.width(a), &[a, b]);
        self.add(Node::Binary(BinaryOp::Add, a, b), info)
    }

    fn simplify_sub(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if a == b {
            return Some(self.constant(width, 0));
        }
        if let Some(value) = self.as_bits(b) {
            let minus = Bits::binary(BinaryOp::Sub, &Bits::new(width, 0), &value);
            let minus = self.bits(&minus);
            return Some(self.binary(BinaryOp::Add, minus, a));
        }
        if let (Some((base, left)), Some((other, right))) = (self.split_pointer(a), self.split_pointer(b))
            && base == other
        {
            let zero = self.constant(width, 0);
            let (left, right) = (left.unwrap_or(zero), right.unwrap_or(zero));
            return Some(self.binary(BinaryOp::Sub, left, right));
        }
        if let Some((base, added)) = self.split_pointer(a)
            && self.class(b) == Class::Integer
        {
            let zero = self.constant(width, 0);
            let difference = self.binary(BinaryOp::Sub, added.unwrap_or(zero), b);
            return Some(self.binary(BinaryOp::Add, base, difference));
        }
        if width > 64 || self.class(a) != Class::Integer || self.class(b) != Class::Integer {
            return None;
        }
        let ((x, rest_a), (y, rest_b)) = (self.split_sum(a), self.split_sum(b));
        if x == 0 && y == 0 {
            return None;
        }
        let (Some(rest_a), Some(rest_b)) = (rest_a, rest_b) else { return None };
        let total = self.constant(width, x.wrapping_sub(y));
        let rest = self.binary(BinaryOp::Sub, rest_a, rest_b);
        Some(self.binary(BinaryOp::Add, total, rest))
    }

    fn simplify_mul(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        let factor = self.as_u64(a)?;
        match factor {
            0 => return Some(a),
            1 => return Some(b),
            _ => {}
        }
        match self.node(b) {
            Node::Binary(BinaryOp::Mul, c, x) => {
                let other = self.as_u64(c)?;
                let product = self.constant(width, factor.wrapping_mul(other));
                Some(self.binary(BinaryOp::Mul, product, x))
            }
            Node::Binary(BinaryOp::Add, c, x) if self.class(b) == Class::Integer => {
                let other = self.as_u64(c)?;
                let product = self.constant(width, factor.wrapping_mul(other));
                let rest = self.binary(BinaryOp::Mul, a, x);
                Some(self.binary(BinaryOp::Add, product, rest))
            }
            _ => None,
        }
    }

    /// Division by powers of two is a matter of bits.
    fn simplify_unsigned_division(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let divisor = self.as_u64(b)?;
        if !divisor.is_power_of_two() {
            return None;
        }
        let width = self.width(a);
        if op == BinaryOp::UDiv {
            let shift = self.constant(width, u64::from(divisor.trailing_zeros()));
            return Some(self.binary(BinaryOp::LShr, a, shift));
        }
        let low = self.constant(width, divisor - 1);
        Some(self.binary(BinaryOp::And, low, a))
    }

    fn simplify_bitwise(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if a == b {
            return Some(if op == BinaryOp::Xor { self.constant(width, 0) } else { a });
        }
        let known = self.as_bits(a)?;
        match op {
            _ if known.is_zero() => Some(if op == BinaryOp::And { a } else { b }),
            BinaryOp::And if known.is_ones() => Some(b),
            BinaryOp::Or if known.is_ones() => Some(a),
            BinaryOp::Xor if known.is_ones() => Some(self.not(b)),
            BinaryOp::And => {
                // A mask of low bits keeps these.
                let kept = known.to_u64()?.checked_add(1).filter(|next| next.is_power_of_two())?;
                let low = self.extract(b, 0, kept.trailing_zeros());
                Some(self.zero_extend(low, width))
            }
            _ => None,
        }
    }

    fn simplify_shift(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        let shift = self.as_bits(b)?;
        if shift.is_zero() {
            return Some(a);
        }
        let inside = shift.to_u64().filter(|shift| *shift < u64::from(width));
        match (op, inside) {
            (BinaryOp::AShr, _) => None,
            (_, None) => Some(self.constant(width, 0)),
            (BinaryOp::LShr, Some(shift)) => {
                let shift = u32::try_from(shift).ok()?;
                let kept = self.extract(a, shift, width - shift);
                Some(self.zero_extend(kept, width))
            }
            _ => None,
        }
    }

    /// All bits inverted; the negation of a truth value.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        if let Some(bits) = self.as_bits(a) {
            return self.bits(&bits.not());
        }
        if let Node::Not(inner) = self.node(a) {
            return inner;
        }
        let info = self.plain(self.width(a), &[a]);
        self.add(Node::Not(a), info)
    }

    /// Conjunction of truth values.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::And, a, b)
    }

    /// Equality.
    pub fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(CompareOp::Eq, a, b)
    }

    /// Unsigned `a < b`.
    pub fn less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(CompareOp::Ult, a, b)
    }

    /// A comparison of two vectors of one width.
    pub fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.truth(op == CompareOp::Eq);
        }
        if self.is_constant(a)
            && self.is_constant(b)
            && let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b))
        {
            return self.truth(Bits::compare(op, &x, &y));
        }
        let (a, b) = if op == CompareOp::Eq && self.is_constant(b) { (b, a) } else { (a, b) };
        let simplified = match op {
            CompareOp::Eq => self.simplify_equal(a, b),
            CompareOp::Ult => self.simplify_less(a, b),
            CompareOp::Slt => self.simplify_signed_less(a, b),
        };
        simplified.unwrap_or_else(|| {
            let null = |arena: &Self, id| arena.class(id) == Class::Pointer || arena.is_null(id);
            let mut info = self.plain(1, &[a, b]);
            if op == CompareOp::Eq && null(self, a) && null(self, b) {
                info.class = Class::Integer;
            }
            self.add(Node::Compare(op, a, b), info)
        })
    }

    fn simplify_equal(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let Some(answer) = self.simplify_pointer_equal(a, b) {
            return Some(answer);
        }
        if let (Node::ZeroExtend(x), Node::ZeroExtend(y)) | (Node::SignExtend(x), Node::SignExtend(y)) =
            (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.equal(x, y));
        }
        let value = self.as_bits(a)?;
        let width = value.width();
        if width == 1 {
            return Some(if value.is_zero() { self.not(b) } else { b });
        }
        match self.node(b) {
            Node::Not(x) => {
                let value = self.bits(&value.not());
                Some(self.equal(value, x))
            }
            Node::ZeroExtend(x) | Node::SignExtend(x) => {
                let narrow = value.extract(0, self.width(x));
                let back = match self.node(b) {
                    Node::ZeroExtend(_) => narrow.zero_extend(width),
                    _ => narrow.sign_extend(width),
                };
                if back != value {
                    return Some(self.truth(false));
                }
                let narrow = self.bits(&narrow);
                Some(self.equal(narrow, x))
            }
            Node::Binary(BinaryOp::Add, c, x) if self.class(b) == Class::Integer => {
                let c = self.as_bits(c)?;
                let rest = self.bits(&Bits::binary(BinaryOp::Sub, &value, &c));
                Some(self.equal(rest, x))
            }
            Node::Choose(condition, yes, no) => {
                let (yes, no) = (self.as_bits(yes)?, self.as_bits(no)?);
                Some(match (yes == value, no == value) {
                    (true, true) => self.truth(true),
                    (false, false) => self.truth(false),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                })
            }
            _ => None,
        }
    }

    /// Equalities of pointers that hold, or do not, in every layout.
    fn simplify_pointer_equal(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (base, added) = self.split_nullable(a)?;
        let (other, added_to_other) = self.split_nullable(b)?;
        if base == other {
            let zero = self.constant(64, 0);
            return Some(self.equal(added.unwrap_or(zero), added_to_other.unwrap_or(zero)));
        }
        // Places in different objects (or just behind them, in the red zone) and null are distinct.
        let inside = |arena: &Self, base: ExprId, added: Option<ExprId>| match arena.node(base) {
            Node::Address(id) => {
                let added = added.map_or(Some(0), |added| arena.as_u64(added));
                added.is_some_and(|added| added <= arena.address(id).size)
            }
            Node::Constant(_) => added.is_none(),
            _ => false,
        };
        if inside(self, base, added) && inside(self, other, added_to_other) {
            return Some(self.truth(false));
        }
        // A choice between such places against one of them.
        for (choice, place) in [(a, b), (b, a)] {
            let Node::Choose(condition, yes, no) = self.node(choice) else { continue };
            let simple = |arena: &Self, id| matches!(arena.node(id), Node::Address(_) | Node::Constant(_));
            if simple(self, place) && simple(self, yes) && simple(self, no) {
                return Some(match (yes == place, no == place) {
                    (true, true) => self.truth(true),
                    (false, false) => self.truth(false),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                });
            }
        }
        None
    }

    fn simplify_less(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if let (Node::ZeroExtend(x), Node::ZeroExtend(y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.less(x, y));
        }
        if let Some(value) = self.as_bits(b) {
            if value.is_zero() {
                return Some(self.truth(false));
            }
            if value.to_u64() == Some(1) {
                let zero = self.constant(width, 0);
                return Some(self.equal(zero, a));
            }
            if let Node::ZeroExtend(x) = self.node(a) {
                let narrow = value.extract(0, self.width(x));
                if narrow.zero_extend(width) != value {
                    return Some(self.truth(true));
                }
                let narrow = self.bits(&narrow);
                return Some(self.less(x, narrow));
            }
        }
        if let Some(value) = self.as_bits(a) {
            if value.is_ones() {
                return Some(self.truth(false));
            }
            if let Node::ZeroExtend(x) = self.node(b) {
                let narrow = value.extract(0, self.width(x));
                if narrow.zero_extend(width) != value {
                    return Some(self.truth(false));
                }
                let narrow = self.bits(&narrow);
                return Some(self.less(narrow, x));
            }
        }
        None
    }

    fn simplify_signed_less(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        // A zero-extended vector is not negative; neither is a constant without its highest bit.
        let positive = |arena: &Self, id| match arena.node(id) {
            Node::ZeroExtend(_) => true,
            _ => arena.as_bits(id).is_some_and(|bits| !bits.bit(width - 1)),
        };
        match (positive(self, a), positive(self, b)) {
            (true, true) => return Some(self.less(a, b)),
            (true, false) if self.is_constant(b) => return Some(self.truth(false)),
            (false, true) if self.is_constant(a) => return Some(self.truth(true)),
            _ => {}
        }
        if let (Node::SignExtend(x), Node::SignExtend(y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.compare(CompareOp::Slt, x, y));
        }
        for (extended, constant) in [(a, b), (b, a)] {
            let (Node::SignExtend(x), Some(value)) = (self.node(extended), self.as_bits(constant)) else {
                continue;
            };
            let narrow = value.extract(0, self.width(x));
            if narrow.sign_extend(width) == value {
                let narrow = self.bits(&narrow);
                let (x, y) = if extended == a { (x, narrow) } else { (narrow, x) };
                return Some(self.compare(CompareOp::Slt, x, y));
            }
            // The constant lies beyond all values of the other side.
            let below = value.bit(width - 1);
            return Some(self.truth((extended == a) != below));
        }
        None
    }

    /// `width` bits from position `low` on; they lie inside.
    pub fn extract(&mut self, value: ExprId, low: u32, width: u32) -> ExprId {
        let (mut value, mut low) = (value, low);
        loop {
            let from = self.width(value);
            if low == 0 && width == from {
                return value;
            }
            match self.node(value) {
                Node::Extract(inner, below) => {
                    value = inner;
                    low += below;
                }
                Node::Concat(high, lower) => {
                    let split = self.width(lower);
                    if low >= split {
                        value = high;
                        low -= split;
                    } else if low + width <= split {
                        value = lower;
                    } else {
                        let upper = self.raw_extract(high, 0, low + width - split);
                        let lower = self.extract(lower, low, split - low);
                        return self.concat(upper, lower);
                    }
                }
                Node::ZeroExtend(inner) if low >= self.width(inner) => return self.constant(width, 0),
                Node::ZeroExtend(inner) | Node::SignExtend(inner) if low + width <= self.width(inner) => {
                    value = inner;
                }
                Node::ZeroExtend(inner) if low == 0 => return self.zero_extend(inner, width),
                Node::SignExtend(inner) if low == 0 => return self.sign_extend(inner, width),
                _ => return self.raw_extract(value, low, width),
            }
        }
    }

    fn raw_extract(&mut self, value: ExprId, low: u32, width: u32) -> ExprId {
        if low == 0 && width == self.width(value) {
            return value;
        }
        if let Some(bits) = self.as_bits(value) {
            return self.bits(&bits.extract(low, width));
        }
        // The low bits of a sum depend on the low bits of its parts only. Worth it where the parts
        // shrink at once: arithmetic on `char`, which C does on `int`.
        if let Node::Binary(op, a, b) = self.node(value) {
            let shrinks = |arena: &Self, id| {
                arena.is_constant(id)
                    || matches!(arena.node(id), Node::ZeroExtend(x) | Node::SignExtend(x) if arena.width(x) <= width)
            };
            let low_bits = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) && low == 0;
            let each_bit = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
            if (low_bits || each_bit) && low == 0 && shrinks(self, a) && shrinks(self, b) {
                let (a, b) = (self.extract(a, 0, width), self.extract(b, 0, width));
                return self.binary(op, a, b);
            }
        }
        let info = self.plain(width, &[value]);
        self.add(Node::Extract(value, low), info)
    }

    /// One vector above another.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let width = self.width(high) + self.width(low);
        if let Some(value) = self.as_bits(high) {
            if let Some(lower) = self.as_bits(low) {
                return self.bits(&Bits::concat(&value, &lower));
            }
            if value.is_zero() {
                return self.zero_extend(low, width);
            }
        }
        // Neighbouring pieces of one vector.
        if let Node::Extract(whole, from) = self.node(high) {
            let below = match self.node(low) {
                Node::Extract(other, start) if other == whole => Some((start, self.width(low))),
                _ => None,
            };
            if let Some((start, count)) = below
                && start + count == from
            {
                return self.extract(whole, start, width);
            }
        }
        let info = self.plain(width, &[high, low]);
        self.add(Node::Concat(high, low), info)
    }

    /// Zeros added above up to `width`.
    pub fn zero_extend(&mut self, value: ExprId, width: u32) -> ExprId {
        if self.width(value) == width {
            return value;
        }
        if let Some(bits) = self.as_bits(value) {
            return self.bits(&bits.zero_extend(width));
        }
        let value = if let Node::ZeroExtend(inner) = self.node(value) { inner } else { value };
        let info = self.plain(width, &[value]);
        self.add(Node::ZeroExtend(value), info)
    }

    /// Copies of the highest bit added above up to `width`.
    pub fn sign_extend(&mut self, value: ExprId, width: u32) -> ExprId {
        if self.width(value) == width {
            return value;
        }
        if let Some(bits) = self.as_bits(value) {
            return self.bits(&bits.sign_extend(width));
        }
        let value = match self.node(value) {
            Node::ZeroExtend(_) => return self.zero_extend(value, width),
            Node::SignExtend(inner) => inner,
            _ => value,
        };
        let info = self.plain(width, &[value]);
        self.add(Node::SignExtend(value), info)
    }

    /// `yes` if the condition is 1, else `no`.
    pub fn choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        if yes == no {
            return yes;
        }
        let (condition, yes, no) = match self.node(condition) {
            Node::Constant(0) => return no,
            Node::Constant(_) => return yes,
            Node::Not(inner) => (inner, no, yes),
            _ => (condition, yes, no),
        };
        let width = self.width(yes);
        if width == 1 && self.is_true(yes) && self.is_false(no) {
            return condition;
        }
        if width == 1 && self.is_false(yes) && self.is_true(no) {
            return self.not(condition);
        }
        // Pointers with something added: the choice of the pointer, plus the choice of what is added.
        if (self.class(yes) == Class::Offset || self.class(no) == Class::Offset)
            && let (Some((base, added)), Some((other, added_to_other))) =
                (self.split_nullable(yes), self.split_nullable(no))
        {
            let zero = self.constant(64, 0);
            let base = self.raw_choose(condition, base, other);
            let added = self.raw_choose(condition, added.unwrap_or(zero), added_to_other.unwrap_or(zero));
            return self.binary(BinaryOp::Add, base, added);
        }
        self.raw_choose(condition, yes, no)
    }

    fn raw_choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        if yes == no {
            return yes;
        }
        let class = if self.class(condition) == Class::Integer {
            Class::either((self.class(yes), self.is_null(yes)), (self.class(no), self.is_null(no)))
        } else {
            Class::Layout
        };
        let addresses = self.mentions(&[condition, yes, no]);
        self.add(Node::Choose(condition, yes, no), Info { width: self.width(yes), class, addresses })
    }

    /// An array given element by element; there is at least one, and all have one width.
    pub fn literal_array(&mut self, elements: &[ExprId]) -> ExprId {
        let width = elements.first().map_or(8, |first| self.width(*first));
        let mut class: Option<(Class, bool)> = None;
        for element in elements {
            let own = (self.class(*element), self.is_null(*element));
            class = Some(match class {
                None => own,
                Some(before) => (Class::either(before, own), before.1 && own.1),
            });
        }
        let class = class.map_or(Class::Integer, |(class, _)| class);
        // One element that is a sum makes all of them sums (of null and zero, if need be).
        let class = if class == Class::Layout && elements.iter().all(|id| self.split_nullable(*id).is_some())
        {
            Class::Offset
        } else {
            class
        };
        let next = LiteralId::at(self.literals.len());
        let key: Box<[ExprId]> = elements.into();
        let id = *self.literal_ids.entry(key.clone()).or_insert(next);
        if id == next {
            self.literals.push(key);
        }
        let addresses = self.mentions(elements);
        self.add(Node::Literal(id), Info { width, class, addresses })
    }

    /// An array with one element replaced.
    pub fn store(&mut self, array: ExprId, index: ExprId, value: ExprId) -> ExprId {
        let width = self.width(array);
        if let (Node::Literal(literal), Some(place)) = (self.node(array), self.as_u64(index)) {
            let mut elements = self.literal(literal).to_vec();
            if let Some(element) = usize::try_from(place).ok().and_then(|place| elements.get_mut(place)) {
                *element = value;
                return self.literal_array(&elements);
            }
        }
        // What is overwritten at once does not matter.
        let array = match self.node(array) {
            Node::Store(below, same, _) if same == index => below,
            _ => array,
        };
        let class = if self.class(index) == Class::Integer {
            match self.class(array) {
                // An array of zeros becomes one of pointers with the first pointer.
                Class::Integer if self.class(value) == Class::Pointer && self.is_zeros(array) => {
                    Class::Pointer
                }
                class => Class::either((class, false), (self.class(value), self.is_null(value))),
            }
        } else {
            Class::Layout
        };
        let class = if class == Class::Offset { Class::Layout } else { class };
        let addresses = self.mentions(&[array, index, value]);
        self.add(Node::Store(array, index, value), Info { width, class, addresses })
    }

    fn is_zeros(&self, array: ExprId) -> bool {
        match self.node(array) {
            Node::Literal(literal) => self.literal(literal).iter().all(|element| self.is_null(*element)),
            _ => false,
        }
    }

    /// An element of an array; zero behind its end.
    pub fn read(&mut self, array: ExprId, index: ExprId) -> ExprId {
        let width = self.width(array);
        let mut array = array;
        loop {
            match self.node(array) {
                Node::Store(_, place, value) if place == index => return value,
                Node::Store(below, place, _) if self.is_constant(place) && self.is_constant(index) => {
                    array = below;
                }
                _ => break,
            }
        }
        if let Node::Literal(literal) = self.node(array) {
            if let Some(place) = self.as_u64(index) {
                let element = usize::try_from(place).ok().and_then(|place| self.literal(literal).get(place));
                return element.copied().unwrap_or_else(|| self.constant(width, 0));
            }
            if self.class(array) == Class::Offset && self.class(index) == Class::Integer {
                return self.read_sums(literal, index);
            }
        }
        let class = if self.class(index) == Class::Integer { self.class(array) } else { Class::Layout };
        let addresses = self.mentions(&[array, index]);
        self.add(Node::Read(array, index), Info { width, class, addresses })
    }

    /// An element of an array of pointers with something added: the sum of elements of two arrays.
    fn read_sums(&mut self, literal: LiteralId, index: ExprId) -> ExprId {
        let zero = self.constant(64, 0);
        let elements = self.literal(literal).to_vec();
        let (mut bases, mut sums) = (Vec::new(), Vec::new());
        for element in elements {
            let (base, added) = self.split_nullable(element).unwrap_or((element, None));
            bases.push(base);
            sums.push(added.unwrap_or(zero));
        }
        let bases = self.literal_array(&bases);
        let sums = self.literal_array(&sums);
        let base = self.read(bases, index);
        let added = self.read(sums, index);
        self.binary(BinaryOp::Add, base, added)
    }

    /// The signed reading of a constant of at most 64 bits.
    #[must_use]
    pub fn as_i64(&self, id: ExprId) -> Option<i64> {
        self.as_u64(id).map(|value| signed(value, self.width(id)))
    }

    /// The constant that a truth says an expression equals.
    #[must_use]
    pub fn as_equality(&self, truth: ExprId, expr: ExprId) -> Option<u64> {
        match self.node(truth) {
            Node::Compare(CompareOp::Eq, constant, same) if same == expr => self.as_u64(constant),
            _ => None,
        }
    }
}
