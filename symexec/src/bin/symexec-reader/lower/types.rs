//! Types as lists of scalars with their places in memory.

use symexec::module::FloatFormat;

use super::{Failure, Lowering};
use crate::llvm::{Type, TypeKind};

/// No value in registers is split into more scalars than this.
const MOST_LANES: usize = 1 << 16;

/// No variable is larger than this: the engine keeps objects in its own memory.
pub(super) const MOST_BYTES: usize = 1 << 30;

/// Types nest at most so deep; LLVM itself stops somewhere as well.
const DEEPEST: u32 = 200;

/// A scalar of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// In bits.
    pub(crate) width: u32,
    /// From the start of the value in memory, in bytes. Means nothing where `packed` is set.
    pub(crate) offset: u64,
    /// Set for floating-point numbers.
    pub(crate) float: Option<FloatFormat>,
    /// Whether it is an element of a vector whose elements do not fill whole bytes.
    pub(crate) packed: bool,
}

impl Lane {
    /// The format that arithmetic is done in; for what is no such number one of its width, which no
    /// arithmetic knows.
    pub(crate) fn format(&self) -> FloatFormat {
        self.float.unwrap_or(FloatFormat::Other(self.width))
    }
}

impl<'p> Lowering<'p> {
    /// The scalars of a type, in order; none for `void`.
    pub(crate) fn lanes(&self, ty: Type<'p>) -> Result<Vec<Lane>, Failure> {
        let mut lanes = Vec::new();
        self.add_lanes(ty, 0, 0, &mut lanes)?;
        Ok(lanes)
    }

    fn add_lanes(&self, ty: Type<'p>, offset: u64, depth: u32, lanes: &mut Vec<Lane>) -> Result<(), Failure> {
        if depth > DEEPEST || lanes.len() >= MOST_LANES {
            return Err(format!("the type `{}` has too many parts to be held in registers", ty.text()));
        }
        let mut scalar = |width, float| lanes.push(Lane { width, offset, float, packed: false });
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind | TypeKind::LLVMMetadataTypeKind | TypeKind::LLVMTokenTypeKind => {}
            TypeKind::LLVMIntegerTypeKind => scalar(ty.integer_width(), None),
            TypeKind::LLVMPointerTypeKind => scalar(64, None),
            TypeKind::LLVMFloatTypeKind => scalar(32, Some(FloatFormat::Single)),
            TypeKind::LLVMDoubleTypeKind => scalar(64, Some(FloatFormat::Double)),
            TypeKind::LLVMHalfTypeKind => scalar(16, Some(FloatFormat::Half)),
            TypeKind::LLVMBFloatTypeKind => scalar(16, Some(FloatFormat::Brain)),
            TypeKind::LLVMX86_FP80TypeKind => scalar(80, Some(FloatFormat::Extended)),
            TypeKind::LLVMFP128TypeKind => scalar(128, Some(FloatFormat::Quadruple)),
            TypeKind::LLVMPPC_FP128TypeKind => scalar(128, Some(FloatFormat::Other(128))),
            TypeKind::LLVMStructTypeKind => {
                for field in 0..ty.count() {
                    let Some(element) = ty.element(field) else { continue };
                    let inside = offset + self.program.field_offset(ty, field);
                    self.add_lanes(element, inside, depth + 1, lanes)?;
                }
            }
            TypeKind::LLVMArrayTypeKind => {
                let Some(element) = ty.element(0) else { return Ok(()) };
                let step = self.program.size(element);
                for index in 0..ty.count() {
                    self.add_lanes(element, offset + u64::from(index) * step, depth + 1, lanes)?;
                }
            }
            TypeKind::LLVMVectorTypeKind => {
                let Some(element) = ty.element(0) else { return Ok(()) };
                let bits = self.program.bits(element);
                let before = lanes.len();
                for index in 0..ty.count() {
                    self.add_lanes(element, offset + u64::from(index) * bits / 8, depth + 1, lanes)?;
                }
                if !bits.is_multiple_of(8) {
                    for lane in &mut lanes[before..] {
                        lane.packed = true;
                        lane.offset = offset;
                    }
                }
            }
            _ => return Err(format!("values of type `{}` are not supported", ty.text())),
        }
        Ok(())
    }

    /// How many scalars a type has.
    pub(crate) fn lane_count(&self, ty: Type<'p>) -> Result<usize, Failure> {
        Ok(self.lanes(ty)?.len())
    }
}
