//! Inline assembly: the handful that headers of compilers and of gnulib have.

use symexec::base::bits::BinaryOp;
use symexec::module::{Instruction, Operand};

use super::Failure;
use super::function::Body;
use crate::llvm::Value;

/// Instructions without a result that say something about time and order only.
const BARRIERS: [&str; 7] = ["mfence", "lfence", "sfence", "pause", "nop", "rep; nop", "rep nop"];

impl<'p> Body<'_, 'p> {
    /// Lowers inline assembly; whether it is known.
    pub(super) fn inline_assembly(&mut self, value: Value<'p>, text: &str) -> Result<bool, Failure> {
        let results = self.lowering.lanes(value.ty())?;
        let mut arguments = Vec::new();
        for index in 0..value.argument_count() {
            let argument = value.operand(index).ok_or("assembly without an operand")?;
            arguments.extend(self.operands(argument)?);
        }
        let to = self.result(value);
        if results.is_empty() {
            return Ok(text.is_empty() || BARRIERS.contains(&text));
        }
        // What the compiler is only not to look through.
        if text.is_empty() && arguments.len() == results.len() {
            for (place, (lane, argument)) in results.iter().zip(arguments).enumerate() {
                self.copy(lane.width, Self::after(to, place), argument);
            }
            return Ok(true);
        }
        // A processor without any feature that it would have to be asked for, and a clock that stands.
        let asks = ["cpuid", "xgetbv", "rdtsc"].iter().any(|name| text.contains(name));
        if asks {
            for (place, lane) in results.iter().enumerate() {
                let zero = self.lowering.bits(lane.width, 0);
                self.copy(lane.width, Self::after(to, place), zero);
            }
            return Ok(true);
        }
        let (Some(lane), [argument]) = (results.first(), arguments.as_slice()) else { return Ok(false) };
        let name = text.split_whitespace().next().unwrap_or_default();
        let suffixed =
            |plain: &str| name.strip_prefix(plain).is_some_and(|rest| ["", "l", "q"].contains(&rest));
        let one_line = !text.contains([';', '\n']) && results.len() == 1;
        let width = lane.width;
        if one_line && suffixed("bswap") {
            let swapped = self.reverse(width, 8, *argument);
            self.copy(width, to, swapped);
            return Ok(true);
        }
        if one_line && (suffixed("bsf") || suffixed("tzcnt") || suffixed("lzcnt")) {
            let leading = name.starts_with("lz");
            self.emit(Instruction::CountZeros { leading, width, to, value: *argument });
            return Ok(true);
        }
        if one_line && suffixed("bsr") {
            let zeros = self.fresh(1);
            self.emit(Instruction::CountZeros { leading: true, width, to: zeros, value: *argument });
            let last = self.lowering.bits(width, u64::from(width) - 1);
            let position = self.binary(BinaryOp::Sub, width, last, Operand::register(zeros));
            self.copy(width, to, position);
            return Ok(true);
        }
        Ok(false)
    }
}
