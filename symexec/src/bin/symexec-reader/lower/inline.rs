//! Inline assembly: the handful that headers of compilers and of gnulib have.

use std::cmp::Ordering;

use symexec::base::bits::BinaryOp;
use symexec::module::{Instruction, Operand, Register};

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
        let mut widths = Vec::new();
        for index in 0..value.argument_count() {
            let argument = value.operand(index).ok_or("assembly without an operand")?;
            arguments.extend(self.operands(argument)?);
            widths.extend(self.lowering.lanes(argument.ty())?.iter().map(|lane| lane.width));
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
        // The operation has its operand's width, and a result that may be narrower or wider.
        let width = widths.first().copied().unwrap_or(lane.width);
        if one_line && suffixed("bswap") && width == lane.width {
            let swapped = self.reverse(width, 8, *argument);
            self.copy(width, to, swapped);
            return Ok(true);
        }
        if one_line && (suffixed("bsf") || suffixed("tzcnt") || suffixed("lzcnt")) {
            let leading = name.starts_with("lz");
            let zeros = self.fresh(1);
            self.emit(Instruction::CountZeros { leading, width, to: zeros, value: *argument });
            self.emit(resized(width, lane.width, to, Operand::register(zeros)));
            return Ok(true);
        }
        if one_line && suffixed("bsr") {
            let zeros = self.fresh(1);
            self.emit(Instruction::CountZeros { leading: true, width, to: zeros, value: *argument });
            let last = self.lowering.bits(width, u64::from(width) - 1);
            let position = self.binary(BinaryOp::Sub, width, last, Operand::register(zeros));
            self.emit(resized(width, lane.width, to, position));
            return Ok(true);
        }
        Ok(false)
    }
}

/// A number in as many bits as are wanted.
fn resized(from: u32, width: u32, to: Register, value: Operand) -> Instruction {
    match from.cmp(&width) {
        Ordering::Less => Instruction::Extend { signed: false, from, width, to, value },
        Ordering::Equal => Instruction::Copy { width, to, value },
        Ordering::Greater => Instruction::Extract { from, low: 0, width, to, value },
    }
}
