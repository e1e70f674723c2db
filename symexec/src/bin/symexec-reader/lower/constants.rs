//! Constants: in operands, and in the initial values of variables.

use symexec::base::bits::mask;
use symexec::module::{Constant, Operand, Relocation, Symbol};

use super::{Failure, Lowering};
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};

/// Constants nest at most so deep.
const DEEPEST: u32 = 500;

/// The initial content of a variable.
pub(super) struct Image {
    pub(super) bytes: Vec<u8>,
    pub(super) relocations: Vec<Relocation>,
}

/// A constant expression that folds.
#[derive(Clone, Copy)]
pub(super) enum Folded {
    Number(u64),
    Address(Symbol, i64),
}

impl<'p> Lowering<'p> {
    /// The symbol and offset that a constant pointer stands for.
    pub(super) fn symbol(&self, value: Value<'p>) -> Option<(Symbol, i64)> {
        match self.fold(value, 0) {
            Some(Folded::Address(symbol, offset)) => Some((symbol, offset)),
            _ => None,
        }
    }

    /// Folds constants and constant expressions over addresses and numbers of up to 64 bits.
    pub(super) fn fold(&self, value: Value<'p>, depth: u32) -> Option<Folded> {
        if depth > DEEPEST {
            return None;
        }
        if value.is_weak_reference() && !symexec::exec::provides(&value.name()) && !self.keeps_missing {
            return Some(Folded::Number(0));
        }
        if let Some(&id) = self.functions.get(&value) {
            return Some(Folded::Address(Symbol::Function(id), 0));
        }
        if let Some(&id) = self.globals.get(&value) {
            return Some(Folded::Address(Symbol::Global(id), 0));
        }
        if let Some(target) = value.aliasee() {
            return self.fold(target, depth + 1);
        }
        if let Some(number) = value.small_int() {
            return Some(Folded::Number(number));
        }
        if matches!(value.ty().kind(), TypeKind::LLVMPointerTypeKind) && value.is_zero() {
            return Some(Folded::Number(0));
        }
        if let Some((function, block)) = value.block_address() {
            return Some(Folded::Number(self.block_number(function, block)?));
        }
        if !value.is_expression() {
            return None;
        }
        let operand = |index| self.fold(value.operand(index)?, depth + 1);
        let width = match value.ty().kind() {
            TypeKind::LLVMPointerTypeKind => 64,
            _ => value.ty().integer_width(),
        };
        match value.opcode()? {
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast | Opcode::LLVMIntToPtr | Opcode::LLVMPtrToInt => {
                match operand(0)? {
                    Folded::Number(number) => Some(Folded::Number(number & mask(width))),
                    address if width == 64 => Some(address),
                    Folded::Address(..) => None,
                }
            }
            Opcode::LLVMTrunc => match operand(0)? {
                Folded::Number(number) => Some(Folded::Number(number & mask(width))),
                Folded::Address(..) => None,
            },
            Opcode::LLVMGetElementPtr => {
                let (constant, terms) = self.address_arithmetic(value).ok()?;
                if !terms.is_empty() {
                    return None;
                }
                match operand(0)? {
                    Folded::Number(number) => Some(Folded::Number(number.wrapping_add(constant as u64))),
                    Folded::Address(symbol, offset) => {
                        Some(Folded::Address(symbol, offset.wrapping_add(constant)))
                    }
                }
            }
            Opcode::LLVMAdd => match (operand(0)?, operand(1)?) {
                (Folded::Number(a), Folded::Number(b)) => {
                    Some(Folded::Number(a.wrapping_add(b) & mask(width)))
                }
                (Folded::Address(symbol, offset), Folded::Number(number))
                | (Folded::Number(number), Folded::Address(symbol, offset))
                    if width == 64 =>
                {
                    Some(Folded::Address(symbol, offset.wrapping_add(number as i64)))
                }
                _ => None,
            },
            Opcode::LLVMSub => match (operand(0)?, operand(1)?) {
                (Folded::Number(a), Folded::Number(b)) => {
                    Some(Folded::Number(a.wrapping_sub(b) & mask(width)))
                }
                (Folded::Address(symbol, offset), Folded::Number(number)) if width == 64 => {
                    Some(Folded::Address(symbol, offset.wrapping_sub(number as i64)))
                }
                (Folded::Address(one, a), Folded::Address(other, b)) if one == other => {
                    Some(Folded::Number(a.wrapping_sub(b) as u64 & mask(width)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The distance between two symbols, as tables of position-independent code have it.
    fn difference(&self, value: Value<'p>, offset: u64) -> Option<Relocation> {
        let bits = value.ty().integer_width();
        if !value.is_expression() || !bits.is_multiple_of(8) || bits > 64 {
            return None;
        }
        let difference = match value.opcode()? {
            Opcode::LLVMTrunc => value.operand(0)?,
            _ => value,
        };
        if difference.opcode()? != Opcode::LLVMSub || difference.ty().integer_width() != 64 {
            return None;
        }
        let operand = |index| difference.operand(index).and_then(|operand| self.symbol(operand));
        let ((symbol, addend), less) = (operand(0)?, operand(1)?);
        Some(Relocation { offset, symbol, addend, less: Some(less), bytes: bits / 8 })
    }

    /// The number that stands for the address of a basic block: it can be stored, compared and jumped
    /// to, and points to nothing.
    pub(super) fn block_number(&self, function: Value<'p>, block: crate::llvm::Block<'p>) -> Option<u64> {
        let id = self.functions.get(&function)?;
        let position = function.blocks().iter().position(|candidate| *candidate == block)?;
        Some((7 << 60) | (u64::from(id.0) << 28) | (position as u64 + 1))
    }

    /// A scalar constant, if it needs no code.
    pub(super) fn scalar_constant(&mut self, value: Value<'p>) -> Result<Option<Constant>, Failure> {
        if let Some(folded) = self.fold(value, 0) {
            let width = match value.ty().kind() {
                TypeKind::LLVMPointerTypeKind => 64,
                _ => value.ty().integer_width(),
            };
            return Ok(Some(match folded {
                Folded::Number(number) => Constant::Bits { width, value: number },
                Folded::Address(symbol, offset) => Constant::Address { symbol, offset },
            }));
        }
        if value.is_int() {
            let width = value.ty().integer_width();
            let text = value.text();
            let digits = text.rsplit(' ').next().unwrap_or_default();
            let number: num_bigint::BigInt =
                digits.parse().map_err(|_| format!("the constant `{text}` cannot be read"))?;
            let modulus = num_bigint::BigInt::from(1) << width;
            let number = ((number % &modulus) + &modulus) % &modulus;
            let mut bytes = number.to_bytes_le().1;
            bytes.resize(width.div_ceil(8) as usize, 0);
            return Ok(Some(Constant::Wide { width, bytes }));
        }
        if value.is_float() {
            return self.float_constant(value).map(Some);
        }
        Ok(None)
    }

    fn float_constant(&self, value: Value<'p>) -> Result<Constant, Failure> {
        match value.ty().kind() {
            TypeKind::LLVMDoubleTypeKind => {
                if let Some(number) = value.small_float() {
                    return Ok(Constant::Bits { width: 64, value: number.to_bits() });
                }
            }
            TypeKind::LLVMFloatTypeKind => {
                if let Some(number) = value.small_float() {
                    return Ok(Constant::Bits { width: 32, value: u64::from((number as f32).to_bits()) });
                }
            }
            _ => {
                // LLVM writes these formats bit by bit: a letter for the format, then hexadecimal digits.
                let text = value.text();
                let digits = text.rsplit(' ').next().unwrap_or_default();
                let bits = self.program.bits(value.ty()) as u32;
                let (letter, hex) =
                    digits.strip_prefix("0x").unwrap_or_default().split_at_checked(1).unwrap_or(("", ""));
                let mut number =
                    u128::from_str_radix(hex, 16).map_err(|_| format!("cannot read `{text}`"))?;
                if letter == "L" || letter == "M" {
                    number = number.rotate_left(64);
                }
                return Ok(if bits <= 64 {
                    Constant::Bits { width: bits, value: number as u64 }
                } else {
                    let mut bytes = number.to_le_bytes().to_vec();
                    bytes.truncate(bits.div_ceil(8) as usize);
                    Constant::Wide { width: bits, bytes }
                });
            }
        }
        Err(format!("the constant `{}` cannot be read", value.text()))
    }

    /// The scalars of a constant without code; `None` if some of it needs code.
    pub(super) fn constant_lanes(
        &mut self,
        value: Value<'p>,
        depth: u32,
    ) -> Result<Option<Vec<Operand>>, Failure> {
        if depth > DEEPEST {
            return Err("a constant is nested too deeply".to_owned());
        }
        if value.is_undefined() || matches!(value.kind(), ValueKind::LLVMConstantAggregateZeroValueKind) {
            // Undefined values are zero, as in KLEE: one of the values that they may have.
            let lanes = self.lanes(value.ty())?;
            return Ok(Some(lanes.iter().map(|lane| self.bits(lane.width, 0)).collect()));
        }
        if matches!(
            value.kind(),
            ValueKind::LLVMConstantStructValueKind
                | ValueKind::LLVMConstantArrayValueKind
                | ValueKind::LLVMConstantVectorValueKind
                | ValueKind::LLVMConstantDataArrayValueKind
                | ValueKind::LLVMConstantDataVectorValueKind
        ) {
            let mut lanes = Vec::new();
            for index in 0..value.ty().count() {
                let Some(element) = value.constant_element(index) else { return Ok(None) };
                match self.constant_lanes(element, depth + 1)? {
                    Some(more) => lanes.extend(more),
                    None => return Ok(None),
                }
            }
            return Ok(Some(lanes));
        }
        Ok(self.scalar_constant(value)?.map(|constant| vec![self.constant(constant)]))
    }

    /// Writes a constant into a variable's image.
    pub(super) fn initialize(
        &mut self,
        image: &mut Image,
        value: Value<'p>,
        offset: u64,
        depth: u32,
    ) -> Result<(), Failure> {
        if depth > DEEPEST {
            return Err("the initial value is nested too deeply".to_owned());
        }
        if value.is_zero() || value.is_undefined() {
            return Ok(());
        }
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        if let Some(bytes) = value.constant_bytes() {
            return write(image, at, &bytes);
        }
        let ty = value.ty();
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                for field in 0..ty.count() {
                    if let Some(element) = value.constant_element(field) {
                        let inside = offset + self.program.field_offset(ty, field);
                        self.initialize(image, element, inside, depth + 1)?;
                    }
                }
                Ok(())
            }
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                let Some(first) = ty.element(0) else { return Ok(()) };
                let step = match ty.kind() {
                    TypeKind::LLVMArrayTypeKind => self.program.size(first),
                    _ if self.program.bits(first).is_multiple_of(8) => self.program.bits(first) / 8,
                    _ => {
                        return Err("vectors of elements that do not fill bytes are not supported".to_owned());
                    }
                };
                for index in 0..ty.count() {
                    if let Some(element) = value.constant_element(index) {
                        self.initialize(image, element, offset + u64::from(index) * step, depth + 1)?;
                    }
                }
                Ok(())
            }
            _ => match self.scalar_constant(value)? {
                Some(Constant::Bits { value: number, .. }) => {
                    let size = self.program.store_size(ty) as usize;
                    let bytes = number.to_le_bytes();
                    write(image, at, bytes.get(..size).unwrap_or(&bytes))
                }
                Some(Constant::Wide { bytes, .. }) => write(image, at, &bytes),
                Some(Constant::Address { symbol, offset: addend }) => {
                    image.relocations.push(Relocation { offset, symbol, addend, less: None, bytes: 8 });
                    Ok(())
                }
                None if let Some(relocation) = self.difference(value, offset) => {
                    image.relocations.push(relocation);
                    Ok(())
                }
                None => Err(format!("its initial value `{}` is too complex", value.text())),
            },
        }
    }
}

fn write(image: &mut Image, at: usize, bytes: &[u8]) -> Result<(), Failure> {
    let place = at.checked_add(bytes.len()).and_then(|end| image.bytes.get_mut(at..end));
    place.ok_or("its initial value is larger than the variable")?.copy_from_slice(bytes);
    Ok(())
}
