//! Arithmetic where a program may look at exceptions or choose how numbers are rounded (`-ffp-model=strict`, the pragma
//! `FENV_ACCESS`): the plain operations, since numbers are rounded to the nearest one and nothing is raised
//! (`runtime/world/rounding.c`); and the storage of half precision as integers.

use symexec::module::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, Instruction, Register};

use super::Failure;
use super::function::Body;
use crate::llvm::{Opcode, Value};

/// How LLVM names what two numbers are to be: where one is greater, less, or both the same.
const PREDICATES: [(&str, [bool; 4]); 14] = [
    ("oeq", [true, false, false, false]),
    ("ogt", [false, true, false, false]),
    ("oge", [true, true, false, false]),
    ("olt", [false, false, true, false]),
    ("ole", [true, false, true, false]),
    ("one", [false, true, true, false]),
    ("ord", [true, true, true, false]),
    ("uno", [false, false, false, true]),
    ("ueq", [true, false, false, true]),
    ("ugt", [false, true, false, true]),
    ("uge", [true, true, false, true]),
    ("ult", [false, false, true, true]),
    ("ule", [true, false, true, true]),
    ("une", [false, true, true, true]),
];

impl<'p> Body<'_, 'p> {
    /// Lowers `llvm.experimental.constrained.NAME`.
    pub(super) fn constrained(&mut self, value: Value<'p>, name: &str, to: Register) -> Result<(), Failure> {
        let mut words = (0..value.argument_count()).filter_map(|index| value.operand(index)).map(Value::text);
        if let Some(word) = words.find(|text| text.contains("!\"round.") && !is_nearest(text)) {
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
                let word = value.operand(2).ok_or("a comparison without predicate")?.text();
                let known = PREDICATES.iter().find(|(name, _)| word.contains(name));
                let (_, [equal, greater, less, unordered]) =
                    *known.ok_or("a comparison without predicate")?;
                let predicate = FloatPredicate { equal, greater, less, unordered };
                self.float_compare(value, to, predicate)
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

/// Whether a program asks for the nearest number, or for what it has chosen before, which is the same.
fn is_nearest(text: &str) -> bool {
    text.contains("round.tonearest\"") || text.contains("round.dynamic\"")
}
