//! Arithmetic where a program may look at exceptions or choose how numbers are rounded (`-ffp-model=strict`, the pragma
//! `FENV_ACCESS`): the plain operations, since numbers are rounded to the nearest one and nothing is raised
//! (`runtime/world/rounding.c`); and the storage of half precision as integers.

use symexec::module::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, Instruction, Register};

use super::Failure;
use super::function::Body;
use super::operations::float_predicate;
use crate::llvm::{Opcode, TypeKind, Value};

/// How LLVM names its predicates, from the number 1 on.
const PREDICATES: [&str; 14] =
    ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une"];

/// What the names of these intrinsics begin with, behind `llvm.`.
pub(super) const PREFIX: &str = "experimental.constrained.";

impl<'p> Body<'_, 'p> {
    /// Lowers `llvm.experimental.constrained.NAME`.
    pub(super) fn constrained(&mut self, value: Value<'p>, name: &str, to: Register) -> Result<(), Failure> {
        let operands = (0..value.argument_count()).filter_map(|index| value.operand(index));
        let words: Vec<String> = operands.filter_map(word).collect();
        if let Some(word) = words.iter().find(|word| word.starts_with("round.") && !is_nearest(word)) {
            return Err(format!("rounding by {word} is not supported"));
        }
        let base = name.split('.').next().unwrap_or_default();
        match base {
            "fadd" => self.float_binary(value, to, FloatOp::Add),
            "fsub" => self.float_binary(value, to, FloatOp::Sub),
            "fmul" => self.float_binary(value, to, FloatOp::Mul),
            "fdiv" => self.float_binary(value, to, FloatOp::Div),
            "frem" => self.float_binary(value, to, FloatOp::Rem),
            "fptosi" => self.convert(Opcode::LLVMFPToSI, value, to),
            "fptoui" => self.convert(Opcode::LLVMFPToUI, value, to),
            "sitofp" => self.convert(Opcode::LLVMSIToFP, value, to),
            "uitofp" => self.convert(Opcode::LLVMUIToFP, value, to),
            "fpext" | "fptrunc" => self.convert(Opcode::LLVMFPTrunc, value, to),
            "fcmp" | "fcmps" => {
                let known = words.iter().find_map(|word| float_predicate_named(word));
                self.float_compare(value, to, known.ok_or("a comparison without predicate")?)
            }
            // Once only, or a name of many would come here as often.
            _ if name.starts_with(PREFIX) => {
                Err(format!("the intrinsic function `llvm.{PREFIX}{name}` is not supported"))
            }
            _ => self.intrinsic(value, name),
        }
    }

    /// Lowers `llvm.convert.to.fp16` and `llvm.convert.from.fp16`.
    pub(super) fn half_as_bits(
        &mut self,
        value: Value<'p>,
        is_from: bool,
        to: Register,
    ) -> Result<(), Failure> {
        let operand = value.operand(0).ok_or("an operand is missing")?;
        let number = if is_from { value.ty() } else { operand.ty() };
        let format = self.lowering.lanes(number)?.first().ok_or("no number")?.format();
        let conversion = match is_from {
            true => FloatConversion::Format(FloatFormat::Half, format),
            false => FloatConversion::Format(format, FloatFormat::Half),
        };
        let value = self.scalar(Some(operand))?;
        self.emit(Instruction::FloatConvert { conversion, to, value });
        Ok(())
    }
}

/// A comparison by LLVM's name for it.
pub(super) fn float_predicate_named(name: &str) -> Option<FloatPredicate> {
    (1..).zip(PREDICATES).find(|(_, known)| *known == name).map(|(number, _)| float_predicate(number))
}

/// A word for the compiler among operands.
pub(super) fn word(operand: Value<'_>) -> Option<String> {
    if !matches!(operand.ty().kind(), TypeKind::LLVMMetadataTypeKind) {
        return None;
    }
    operand.text().split('"').nth(1).map(str::to_owned)
}

/// Whether a program asks for the nearest number, or for what it has chosen before, which is the same.
fn is_nearest(word: &str) -> bool {
    matches!(word, "round.tonearest" | "round.dynamic")
}
