//! Operations that compute: of instructions, and of constant expressions that do not fold.

use symexec::base::bits::BinaryOp;
use symexec::module::{
    FloatConversion, FloatOp, FloatPredicate, FloatUnary, Instruction, Operand, Predicate, Register, Term,
};

use super::function::Body;
use super::signatures::signature_word;
use super::types::Lane;
use super::{Failure, Lowering};
use crate::llvm::{AtomicOp, IntPredicate, Opcode, Type, TypeKind, Value};

impl<'p> Lowering<'p> {
    /// The constant part and the scaled indices of address arithmetic.
    pub(super) fn address_arithmetic(
        &self,
        value: Value<'p>,
    ) -> Result<(i64, Vec<(Value<'p>, u64)>), Failure> {
        let mut ty = value.source_element_type().ok_or("address arithmetic without type")?;
        let (mut constant, mut terms) = (0i64, Vec::new());
        for position in 1..value.operand_count() {
            let index = value.operand(position).ok_or("address arithmetic without index")?;
            let number =
                index.small_int().map(|bits| symexec::base::bits::signed(bits, index.ty().integer_width()));
            let scale = if position == 1 {
                self.program.size(ty)
            } else if matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
                let field =
                    number.and_then(|n| u32::try_from(n).ok()).ok_or("a field that is no constant")?;
                constant = constant.wrapping_add(self.program.field_offset(ty, field) as i64);
                ty = ty.element(field).ok_or("a field that does not exist")?;
                continue;
            } else {
                ty = ty.element(0).ok_or("an index into something without elements")?;
                self.program.size(ty)
            };
            match number {
                Some(number) => constant = constant.wrapping_add(number.wrapping_mul(scale as i64)),
                None => terms.push((index, scale)),
            }
        }
        Ok((constant, terms))
    }
}

impl<'p> Body<'_, 'p> {
    /// Lowers an operation; its results go to the registers from `to` on.
    pub(super) fn operation(
        &mut self,
        opcode: Opcode,
        value: Value<'p>,
        to: Register,
    ) -> Result<(), Failure> {
        if let Some(op) = integer_op(opcode) {
            if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) && value.is_only_chosen() {
                return self.shift_ahead(op, value, to);
            }
            return self.lanewise(value, to, |to, lane, left, right| Instruction::Binary {
                op,
                width: lane.width,
                to,
                left,
                right,
            });
        }
        if let Some(op) = float_op(opcode) {
            return self.lanewise(value, to, |to, lane, left, right| {
                let format = lane.format();
                Instruction::Float { op, format, to, left, right }
            });
        }
        match opcode {
            Opcode::LLVMFNeg => self.float_unary(value, to, FloatUnary::Neg),
            Opcode::LLVMICmp => {
                let predicate = int_predicate(value.int_predicate().ok_or("a comparison without predicate")?);
                self.lanewise(value, to, |to, lane, left, right| Instruction::Compare {
                    predicate,
                    width: lane.width,
                    to,
                    left,
                    right,
                })
            }
            Opcode::LLVMFCmp => {
                let predicate = value.real_predicate().ok_or("a comparison without predicate")?;
                self.float_compare(value, to, float_predicate(predicate as u32))
            }
            Opcode::LLVMSelect => self.choose(value, to),
            Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr => self.resize(value, to, matches!(opcode, Opcode::LLVMSExt)),
            Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt => self.convert(opcode, value, to),
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => self.reinterpret(value, to),
            Opcode::LLVMFreeze => self.copy_lanes(value, 0, to),
            Opcode::LLVMGetElementPtr => self.offset(value, to),
            Opcode::LLVMAlloca => self.allocate(value, to),
            Opcode::LLVMLoad if signature_word(value).is_some() => self.signature(value, to),
            Opcode::LLVMLoad => {
                let pointer = self.scalar(value.operand(0))?;
                self.load(value.ty(), pointer, to)
            }
            Opcode::LLVMStore => {
                let stored = value.operand(0).ok_or("a store of nothing")?;
                let pointer = self.scalar(value.operand(1))?;
                let lanes = self.operands(stored)?;
                self.store(stored.ty(), &lanes, pointer)
            }
            Opcode::LLVMFence => Ok(()),
            Opcode::LLVMVAArg => self.next_argument(value, to),
            Opcode::LLVMAtomicRMW => self.atomic(value, to),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(value, to),
            Opcode::LLVMExtractValue => self.extract_value(value, to),
            Opcode::LLVMInsertValue => self.insert_value(value, to),
            Opcode::LLVMExtractElement => self.extract_element(value, to),
            Opcode::LLVMInsertElement => self.insert_element(value, to),
            Opcode::LLVMShuffleVector => self.shuffle(value, to),
            _ => Err(format!("the instruction `{}` is not supported", value.text().trim())),
        }
    }

    /// One instruction per scalar of two operands.
    fn lanewise(
        &mut self,
        value: Value<'p>,
        to: Register,
        build: impl Fn(Register, Lane, Operand, Operand) -> Instruction,
    ) -> Result<(), Failure> {
        let left = value.operand(0).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(left.ty())?;
        let right = self.operands(value.operand(1).ok_or("an operand is missing")?)?;
        let left = self.operands(left)?;
        for (index, lane) in lanes.iter().enumerate() {
            let (Some(left), Some(right)) = (left.get(index), right.get(index)) else { continue };
            self.emit(build(Self::after(to, index), *lane, *left, *right));
        }
        Ok(())
    }

    /// A shift that a compiler computes ahead, whether its distance is in range or not, since its result is chosen
    /// only where it is: as the machine does it, which looks at the lower bits of the distance, and no error.
    fn shift_ahead(&mut self, op: BinaryOp, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let left = value.operand(0).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(left.ty())?;
        let right = self.operands(value.operand(1).ok_or("an operand is missing")?)?;
        let left = self.operands(left)?;
        for (index, Lane { width, .. }) in lanes.iter().copied().enumerate() {
            let (Some(left), Some(right)) = (left.get(index).copied(), right.get(index).copied()) else {
                continue;
            };
            // Distances of a width that is no power of two have no lower bits that would be in range.
            let (within, most) = match u64::from(width) {
                width if width.is_power_of_two() => (BinaryOp::And, width - 1),
                width => (BinaryOp::URem, width),
            };
            let most = self.lowering.bits(width, most);
            let right = self.binary(within, width, right, most);
            self.emit(Instruction::Binary { op, width, to: Self::after(to, index), left, right });
        }
        Ok(())
    }

    /// What a conversion converts, scalar by scalar: from and into which lane, which operand and into which
    /// register.
    pub(super) fn conversions(
        &mut self,
        value: Value<'p>,
        to: Register,
    ) -> Result<impl Iterator<Item = (Lane, Lane, Operand, Register)> + use<>, Failure> {
        let operand = value.operand(0).ok_or("an operand is missing")?;
        let from = self.lowering.lanes(operand.ty())?;
        let into = self.lowering.lanes(value.ty())?;
        let operands = self.operands(operand)?;
        let each = from.into_iter().zip(into).zip(operands).enumerate();
        Ok(each.map(move |(index, ((from, into), value))| (from, into, value, Self::after(to, index))))
    }

    /// One instruction per scalar of a floating-point operand.
    pub(super) fn float_unary(
        &mut self,
        value: Value<'p>,
        to: Register,
        op: FloatUnary,
    ) -> Result<(), Failure> {
        let operand = value.operand(0).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(operand.ty())?;
        for (index, (lane, value)) in lanes.iter().zip(self.operands(operand)?).enumerate() {
            let format = lane.format();
            self.emit(Instruction::FloatUnary { op, format, to: Self::after(to, index), value });
        }
        Ok(())
    }

    /// One floating-point instruction per scalar of two operands.
    pub(super) fn float_binary(
        &mut self,
        value: Value<'p>,
        to: Register,
        op: FloatOp,
    ) -> Result<(), Failure> {
        self.lanewise(value, to, |to, lane, left, right| {
            let format = lane.format();
            Instruction::Float { op, format, to, left, right }
        })
    }

    pub(super) fn float_compare(
        &mut self,
        value: Value<'p>,
        to: Register,
        predicate: FloatPredicate,
    ) -> Result<(), Failure> {
        self.lanewise(value, to, |to, lane, left, right| {
            let format = lane.format();
            Instruction::FloatCompare { predicate, format, to, left, right }
        })
    }

    fn choose(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let condition = self.operands(value.operand(0).ok_or("an operand is missing")?)?;
        let yes = self.operands(value.operand(1).ok_or("an operand is missing")?)?;
        let no = self.operands(value.operand(2).ok_or("an operand is missing")?)?;
        let lanes = self.lowering.lanes(value.ty())?;
        for (index, lane) in lanes.iter().enumerate() {
            let condition = condition.get(index).or(condition.first());
            let (Some(condition), Some(yes), Some(no)) = (condition, yes.get(index), no.get(index)) else {
                continue;
            };
            self.emit(Instruction::Select {
                width: lane.width,
                to: Self::after(to, index),
                condition: *condition,
                yes: *yes,
                no: *no,
            });
        }
        Ok(())
    }

    /// Truncation and extension, also between pointers and integers.
    fn resize(&mut self, value: Value<'p>, to: Register, signed: bool) -> Result<(), Failure> {
        for (from, into, value, to) in self.conversions(value, to)? {
            let (from, width) = (from.width, into.width);
            self.emit(match from.cmp(&width) {
                std::cmp::Ordering::Less => Instruction::Extend { signed, from, width, to, value },
                std::cmp::Ordering::Equal => Instruction::Copy { width, to, value },
                std::cmp::Ordering::Greater => Instruction::Extract { from, low: 0, width, to, value },
            });
        }
        Ok(())
    }

    pub(super) fn convert(&mut self, opcode: Opcode, value: Value<'p>, to: Register) -> Result<(), Failure> {
        for (from, into, value, to) in self.conversions(value, to)? {
            let conversion = match opcode {
                Opcode::LLVMFPToUI | Opcode::LLVMFPToSI => {
                    let signed = matches!(opcode, Opcode::LLVMFPToSI);
                    self.whole_number(from.format(), into.width, signed, to, value);
                    continue;
                }
                Opcode::LLVMUIToFP | Opcode::LLVMSIToFP => FloatConversion::FromInteger {
                    width: from.width,
                    to: into.format(),
                    signed: matches!(opcode, Opcode::LLVMSIToFP),
                },
                _ => FloatConversion::Format(from.format(), into.format()),
            };
            self.emit(Instruction::FloatConvert { conversion, to, value });
        }
        Ok(())
    }

    /// The same bits under another type: put together and cut apart where the scalars differ.
    fn reinterpret(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let operand = value.operand(0).ok_or("an operand is missing")?;
        let from = self.lowering.lanes(operand.ty())?;
        let into = self.lowering.lanes(value.ty())?;
        let widths = |lanes: &[Lane]| lanes.iter().map(|lane| lane.width).collect::<Vec<_>>();
        if widths(&from) == widths(&into) {
            return self.copy_lanes(value, 0, to);
        }
        let operands = self.operands(operand)?;
        let whole = self.join(&widths(&from), &operands);
        self.cut(whole, &widths(&into), to)
    }

    /// Scalars as one value, the first lowest.
    pub(super) fn join(&mut self, widths: &[u32], operands: &[Operand]) -> Option<(Operand, u32)> {
        let mut whole: Option<(Operand, u32)> = None;
        for (width, operand) in widths.iter().zip(operands) {
            whole = Some(match whole {
                None => (*operand, *width),
                Some(low) => (self.concat((*operand, *width), low), low.1 + width),
            });
        }
        whole
    }

    /// One value as scalars, the first lowest.
    fn cut(&mut self, whole: Option<(Operand, u32)>, widths: &[u32], to: Register) -> Result<(), Failure> {
        let (whole, from) = whole.ok_or("a value without parts")?;
        let mut low = 0;
        for (index, width) in widths.iter().enumerate() {
            let to = Self::after(to, index);
            self.emit(if *width == from {
                Instruction::Copy { width: *width, to, value: whole }
            } else {
                Instruction::Extract { from, low, width: *width, to, value: whole }
            });
            low += width;
        }
        Ok(())
    }

    /// Copies an operand's scalars as they are.
    pub(super) fn copy_lanes(&mut self, value: Value<'p>, operand: u32, to: Register) -> Result<(), Failure> {
        let operand = value.operand(operand).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(operand.ty())?;
        for (index, (lane, value)) in lanes.iter().zip(self.operands(operand)?).enumerate() {
            self.copy(lane.width, Self::after(to, index), value);
        }
        Ok(())
    }

    fn offset(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let (constant, indices) = self.lowering.address_arithmetic(value)?;
        let bases = self.operands(value.operand(0).ok_or("an operand is missing")?)?;
        let mut scaled = Vec::new();
        for (index, scale) in indices {
            let width = self.lowering.lanes(index.ty())?.first().map_or(64, |lane| lane.width);
            if width > 64 {
                return Err(
                    "address arithmetic with an index of more than 64 bits is not supported".to_owned()
                );
            }
            scaled.push((self.operands(index)?, width, scale));
        }
        // In a vector of addresses, what is a scalar counts for all of them.
        for lane in 0..self.lowering.lane_count(value.ty())? {
            let of = |operands: &[Operand]| operands.get(lane).or(operands.first()).copied();
            let base = of(&bases).ok_or("an operand is missing")?;
            let mut terms = Vec::new();
            for (operands, width, scale) in &scaled {
                let index = of(operands).ok_or("an operand is missing")?;
                terms.push(Term { index, width: *width, scale: *scale });
            }
            let (first, count) = self.add_terms(terms);
            self.emit(Instruction::Offset { to: Self::after(to, lane), base, constant, first, count });
        }
        Ok(())
    }

    fn allocate(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let ty = value.allocated_type().ok_or("an allocation without type")?;
        let size = self.lowering.program.size(ty);
        let alignment = value.alignment().max(self.lowering.program.alignment(ty)).max(1);
        let number = value.operand(0).ok_or("an allocation without count")?;
        let count_width = number.ty().integer_width();
        let count = self.scalar(Some(number))?;
        self.emit(Instruction::Allocate { to, size, count, count_width, alignment });
        Ok(())
    }

    /// A pointer some bytes after another.
    pub(super) fn moved(&mut self, base: Operand, bytes: u64) -> Operand {
        if bytes == 0 {
            return base;
        }
        let to = self.fresh(1);
        self.emit(Instruction::Offset { to, base, constant: bytes as i64, first: 0, count: 0 });
        Operand::register(to)
    }

    fn load(&mut self, ty: Type<'p>, pointer: Operand, to: Register) -> Result<(), Failure> {
        let lanes = self.lowering.lanes(ty)?;
        if let [first, rest @ ..] = lanes.as_slice()
            && first.packed
        {
            if rest.iter().any(|lane| lane.offset != first.offset) {
                return Err(format!("loading a `{}` is not supported", ty.text()));
            }
            let widths: Vec<u32> = lanes.iter().map(|lane| lane.width).collect();
            let width = widths.iter().sum();
            let whole = self.fresh(1);
            self.emit(Instruction::Load { width, to: whole, pointer });
            return self.cut(Some((Operand::register(whole), width)), &widths, to);
        }
        for (index, lane) in lanes.iter().enumerate() {
            let pointer = self.moved(pointer, lane.offset);
            self.emit(Instruction::Load { width: lane.width, to: Self::after(to, index), pointer });
        }
        Ok(())
    }

    fn store(&mut self, ty: Type<'p>, values: &[Operand], pointer: Operand) -> Result<(), Failure> {
        let lanes = self.lowering.lanes(ty)?;
        if let [first, rest @ ..] = lanes.as_slice()
            && first.packed
        {
            if rest.iter().any(|lane| lane.offset != first.offset) {
                return Err(format!("storing a `{}` is not supported", ty.text()));
            }
            let widths: Vec<u32> = lanes.iter().map(|lane| lane.width).collect();
            if let Some((value, width)) = self.join(&widths, values) {
                self.emit(Instruction::Store { width, value, pointer });
            }
            return Ok(());
        }
        for (lane, value) in lanes.iter().zip(values) {
            let pointer = self.moved(pointer, lane.offset);
            self.emit(Instruction::Store { width: lane.width, value: *value, pointer });
        }
        Ok(())
    }

    /// There is one thread, so an atomic operation is its parts in a row.
    fn atomic(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let pointer = self.scalar(value.operand(0))?;
        let operand = value.operand(1).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(operand.ty())?;
        let [lane] = lanes.as_slice() else { return Err("an atomic operation on an aggregate".to_owned()) };
        let width = lane.width;
        let right = self.scalar(Some(operand))?;
        self.emit(Instruction::Load { width, to, pointer });
        let old = Operand::register(to);
        let op = value.atomic_op().ok_or("an atomic operation without operation")?;
        let simple = |op| Some(op);
        let (binary, choice) = match op {
            AtomicOp::LLVMAtomicRMWBinOpXchg => (None, None),
            AtomicOp::LLVMAtomicRMWBinOpAdd => (simple(BinaryOp::Add), None),
            AtomicOp::LLVMAtomicRMWBinOpSub => (simple(BinaryOp::Sub), None),
            AtomicOp::LLVMAtomicRMWBinOpAnd | AtomicOp::LLVMAtomicRMWBinOpNand => {
                (simple(BinaryOp::And), None)
            }
            AtomicOp::LLVMAtomicRMWBinOpOr => (simple(BinaryOp::Or), None),
            AtomicOp::LLVMAtomicRMWBinOpXor => (simple(BinaryOp::Xor), None),
            AtomicOp::LLVMAtomicRMWBinOpMax => (None, Some(Predicate::Sgt)),
            AtomicOp::LLVMAtomicRMWBinOpMin => (None, Some(Predicate::Slt)),
            AtomicOp::LLVMAtomicRMWBinOpUMax => (None, Some(Predicate::Ugt)),
            AtomicOp::LLVMAtomicRMWBinOpUMin => (None, Some(Predicate::Ult)),
            _ => return self.uncommon_atomic(op, *lane, (old, right), pointer),
        };
        let mut new = match (binary, choice) {
            (Some(op), _) => self.binary(op, width, old, right),
            (None, Some(predicate)) => {
                let keep = self.compare(predicate, width, old, right);
                self.select(width, keep, old, right)
            }
            (None, None) => right,
        };
        if matches!(op, AtomicOp::LLVMAtomicRMWBinOpNand) {
            new = self.invert(width, new);
        }
        self.emit(Instruction::Store { width, value: new, pointer });
        Ok(())
    }

    /// Atomic operations on floating-point numbers, and those that count around.
    fn uncommon_atomic(
        &mut self,
        op: AtomicOp,
        lane: Lane,
        (old, right): (Operand, Operand),
        pointer: Operand,
    ) -> Result<(), Failure> {
        let (width, format) = (lane.width, lane.format());
        let (zero, one) = (self.lowering.bits(width, 0), self.lowering.bits(width, 1));
        let new = match op {
            AtomicOp::LLVMAtomicRMWBinOpFAdd | AtomicOp::LLVMAtomicRMWBinOpFSub => {
                let add = matches!(op, AtomicOp::LLVMAtomicRMWBinOpFAdd);
                let op = if add { FloatOp::Add } else { FloatOp::Sub };
                let to = self.fresh(1);
                self.emit(Instruction::Float { op, format, to, left: old, right });
                Operand::register(to)
            }
            AtomicOp::LLVMAtomicRMWBinOpFMax => self.float_chosen("maxnum", &lane, old, right),
            AtomicOp::LLVMAtomicRMWBinOpFMin => self.float_chosen("minnum", &lane, old, right),
            AtomicOp::LLVMAtomicRMWBinOpUIncWrap => {
                let last = self.compare(Predicate::Uge, width, old, right);
                let more = self.binary(BinaryOp::Add, width, old, one);
                self.select(width, last, zero, more)
            }
            AtomicOp::LLVMAtomicRMWBinOpUDecWrap => {
                let first = self.compare(Predicate::Eq, width, old, zero);
                let outside = self.compare(Predicate::Ugt, width, old, right);
                let around = self.binary(BinaryOp::Or, 1, first, outside);
                let less = self.binary(BinaryOp::Sub, width, old, one);
                self.select(width, around, right, less)
            }
            _ => return Err("this atomic operation is not supported".to_owned()),
        };
        self.emit(Instruction::Store { width, value: new, pointer });
        Ok(())
    }

    /// All bits inverted.
    pub(super) fn invert(&mut self, width: u32, value: Operand) -> Operand {
        let zero = self.lowering.bits(width, 0);
        let one = self.lowering.bits(width, 1);
        let ones = self.binary(BinaryOp::Sub, width, zero, one);
        self.binary(BinaryOp::Xor, width, value, ones)
    }

    fn compare_exchange(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let pointer = self.scalar(value.operand(0))?;
        let expected = value.operand(1).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(expected.ty())?;
        let [lane] = lanes.as_slice() else { return Err("an atomic operation on an aggregate".to_owned()) };
        let expected = self.scalar(Some(expected))?;
        let new = self.scalar(value.operand(2))?;
        self.emit(Instruction::Load { width: lane.width, to, pointer });
        let old = Operand::register(to);
        let equal = self.compare(Predicate::Eq, lane.width, old, expected);
        let stored = self.select(lane.width, equal, new, old);
        self.emit(Instruction::Store { width: lane.width, value: stored, pointer });
        self.copy(1, Self::after(to, 1), equal);
        Ok(())
    }
}

fn integer_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Sub,
        Opcode::LLVMMul => BinaryOp::Mul,
        Opcode::LLVMUDiv => BinaryOp::UDiv,
        Opcode::LLVMSDiv => BinaryOp::SDiv,
        Opcode::LLVMURem => BinaryOp::URem,
        Opcode::LLVMSRem => BinaryOp::SRem,
        Opcode::LLVMShl => BinaryOp::Shl,
        Opcode::LLVMLShr => BinaryOp::LShr,
        Opcode::LLVMAShr => BinaryOp::AShr,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        _ => return None,
    })
}

fn float_op(opcode: Opcode) -> Option<FloatOp> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatOp::Add,
        Opcode::LLVMFSub => FloatOp::Sub,
        Opcode::LLVMFMul => FloatOp::Mul,
        Opcode::LLVMFDiv => FloatOp::Div,
        Opcode::LLVMFRem => FloatOp::Rem,
        _ => return None,
    })
}

fn int_predicate(predicate: IntPredicate) -> Predicate {
    match predicate {
        IntPredicate::LLVMIntEQ => Predicate::Eq,
        IntPredicate::LLVMIntNE => Predicate::Ne,
        IntPredicate::LLVMIntUGT => Predicate::Ugt,
        IntPredicate::LLVMIntUGE => Predicate::Uge,
        IntPredicate::LLVMIntULT => Predicate::Ult,
        IntPredicate::LLVMIntULE => Predicate::Ule,
        IntPredicate::LLVMIntSGT => Predicate::Sgt,
        IntPredicate::LLVMIntSGE => Predicate::Sge,
        IntPredicate::LLVMIntSLT => Predicate::Slt,
        IntPredicate::LLVMIntSLE => Predicate::Sle,
    }
}

/// LLVM numbers its predicates by exactly these four bits.
pub(super) fn float_predicate(bits: u32) -> FloatPredicate {
    FloatPredicate {
        equal: bits & 1 != 0,
        greater: bits & 2 != 0,
        less: bits & 4 != 0,
        unordered: bits & 8 != 0,
    }
}
