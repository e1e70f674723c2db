//! Making expressions: every constructor simplifies, so that equal meanings often are equal nodes.
//!
//! Normal forms that others rely on: constants stand on the left of commutative operations; there is
//! only `<`, so `a <= b` is `not (b < a)`; a pointer with something added is `Add(pointer, integer)`
//! with everything added in one integer; a constant summand of an integer is outermost.
//! Each rule looks a bounded number of levels down, so construction takes bounded time and stack.

use num_bigint::BigUint;

use super::{Arena, Class, ExprId, Info, InputId, Node, OperationId, WideId};
use crate::base::bits::{BinaryOp, Bits, CompareOp, mask, signed};
use crate::base::float::Operation;

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

    pub(super) fn is_null(&self, id: ExprId) -> bool {
        self.node(id) == Node::Constant(0)
    }

    /// Whether it is null or another [marker](super::FIRST_MARKER).
    pub(super) fn is_marker(&self, id: ExprId) -> bool {
        match self.node(id) {
            Node::Constant(0) => true,
            Node::Constant(value) => value >= super::FIRST_MARKER && self.width(id) == 64,
            _ => false,
        }
    }

    pub(super) fn is_constant(&self, id: ExprId) -> bool {
        matches!(self.node(id), Node::Constant(_) | Node::Wide(_))
    }

    pub(super) fn mentions(&self, operands: &[ExprId]) -> bool {
        operands.iter().any(|id| self.info(*id).addresses)
    }

    pub(super) fn plain(&self, width: u32, operands: &[ExprId]) -> Info {
        let class = Class::of_all(operands.iter().map(|id| self.class(*id)));
        Info { width, class, addresses: self.mentions(operands) }
    }

    /// The pointer and the integer that an expression of class `Pointer` or `Offset` is the sum of; no
    /// integer stands for zero.
    #[must_use]
    #[inline]
    pub fn split_pointer(&self, id: ExprId) -> Option<(ExprId, Option<ExprId>)> {
        let (node, info) = self.entry(id);
        match (info.class, node) {
            (Class::Pointer, _) => Some((id, None)),
            (Class::Offset, Node::Binary(BinaryOp::Add, pointer, added)) => Some((*pointer, Some(*added))),
            _ => None,
        }
    }

    /// [`Self::split_pointer`], where a marker is a pointer as well.
    pub(crate) fn split_markable(&self, id: ExprId) -> Option<(ExprId, Option<ExprId>)> {
        if self.is_marker(id) { Some((id, None)) } else { self.split_pointer(id) }
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
            BinaryOp::SDiv if self.as_u64(b) == Some(1) => Some(a),
            BinaryOp::SDiv | BinaryOp::SRem => {
                self.divided_again(op, a, b).or_else(|| self.narrow_division(op, a, b))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.simplify_bitwise(op, a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.simplify_shift(op, a, b),
        };
        simplified.unwrap_or_else(|| {
            let info = self.plain(width, &[a, b]);
            let made = self.add(Node::Binary(op, a, b), info);
            self.narrow_result(made)
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
        for (pointer, distance) in [(a, b), (b, a)] {
            if let Some(target) = self.reached(pointer, distance) {
                return Some(target);
            }
        }
        if let Some(whole) = self.put_together(a, b) {
            return Some(whole);
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
            (Some(a), Some(b)) => self.put_together(a, b).unwrap_or_else(|| self.raw_add(a, b)),
            (Some(rest), None) | (None, Some(rest)) => rest,
            (None, None) => return Some(total),
        };
        if self.is_null(total) {
            return Some(rest);
        }
        Some(self.raw_add(total, rest))
    }

    /// Where the distance between two places leads to from the second one, or from another place in the same
    /// object.
    fn reached(&mut self, from: ExprId, distance: ExprId) -> Option<ExprId> {
        let Node::Binary(BinaryOp::Sub, target, start) = self.node(distance) else { return None };
        let ((base, here), (other, there)) = (self.split_pointer(from)?, self.split_pointer(start)?);
        if base != other || !self.class(target).is_pointer() {
            return None;
        }
        let zero = self.constant(64, 0);
        let further = self.binary(BinaryOp::Sub, here.unwrap_or(zero), there.unwrap_or(zero));
        Some(self.binary(BinaryOp::Add, target, further))
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
        if let Some(rest) = self.taken_apart(a, b) {
            return Some(rest);
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
        let Some(divisor) = self.as_u64(b).filter(|divisor| divisor.is_power_of_two()) else {
            return self.divided_again(op, a, b).or_else(|| self.narrow_division(op, a, b));
        };
        let width = self.width(a);
        if op == BinaryOp::UDiv {
            let shift = self.constant(width, u64::from(divisor.trailing_zeros()));
            return Some(self.binary(BinaryOp::LShr, a, shift));
        }
        let low = self.constant(width, divisor - 1);
        Some(self.binary(BinaryOp::And, low, a))
    }

    /// Division of narrow numbers that were made wide: C divides `char` as `int`, and dividers are what
    /// solvers find hardest, by the square of their width. Neither operand is negative then, so signed
    /// division is unsigned division.
    fn narrow_division(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if let Some(narrow) = self.narrow_signed_division(op, a, b) {
            return Some(narrow);
        }
        let bits = |id| match self.node(id) {
            Node::ZeroExtend(inner) => Some(self.width(inner)),
            Node::Constant(value) => Some((64 - value.leading_zeros()).max(1)),
            _ => None,
        };
        let narrow = bits(a)?.max(bits(b)?);
        if narrow >= width {
            return None;
        }
        let quotient = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv);
        let op = if quotient { BinaryOp::UDiv } else { BinaryOp::URem };
        let (x, y) = (self.extract(a, 0, narrow), self.extract(b, 0, narrow));
        let result = self.binary(op, x, y);
        let result = self.zero_extend(result, width);
        if !quotient {
            // The remainder of a division by zero is the dividend, at every width.
            return Some(result);
        }
        // The quotient is all ones, of which there are more in a wider vector.
        let zero = self.constant(narrow, 0);
        let by_zero = self.equal(zero, y);
        let ones = self.bits(&Bits::new(width, 0).not());
        Some(self.choose(by_zero, ones, result))
    }

    /// The same of a sign-extended number by a constant above zero: quotient and remainder are of the narrower width.
    fn narrow_signed_division(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let Node::SignExtend(inner) = self.node(a) else { return None };
        let (width, narrow) = (self.width(a), self.width(inner));
        let fits = |divisor: &u64| narrow <= 64 && *divisor > 0 && divisor >> (narrow - 1) == 0;
        let divisor = self.as_u64(b).filter(fits)?;
        if !matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
            return None;
        }
        let divisor = self.constant(narrow, divisor);
        let result = self.binary(op, inner, divisor);
        Some(self.sign_extend(result, width))
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

    /// An operation on floating-point numbers of a format that is computed with. At least one operand is
    /// given; only as many as the operation has matter.
    pub fn float(&mut self, operation: Operation, operands: &[ExprId]) -> ExprId {
        let first = operands.first().copied().unwrap_or_else(|| self.truth(false));
        let known: Option<Vec<Bits>> = operands.iter().map(|id| self.as_bits(*id)).collect();
        if let Some(known) = known {
            let known: Vec<&Bits> = known.iter().collect();
            return self.bits(&operation.evaluate(&known));
        }
        let operand = |place: usize| operands.get(place).copied().unwrap_or(first);
        let operands = [first, operand(1), operand(2)];
        let info = self.plain(operation.width(), &operands);
        let next = OperationId::at(self.operations.len());
        let id = *self.operation_ids.entry(operation).or_insert(next);
        if id == next {
            self.operations.push(operation);
        }
        self.add(Node::Float(id, operands), info)
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

    /// The two sides of an equality.
    #[must_use]
    pub fn as_sides_of_equality(&self, truth: ExprId) -> Option<(ExprId, ExprId)> {
        match self.node(truth) {
            Node::Compare(CompareOp::Eq, one, other) => Some((one, other)),
            _ => None,
        }
    }
}
