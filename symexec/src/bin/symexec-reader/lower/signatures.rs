//! What `-fsanitize=function` keeps of functions: two words in front of their code, a mark and a number for the type.
//! There is no code here, so what reads them asks the engine.

use symexec::exec::SIGNATURE;
use symexec::module::{Argument, Call, Callee, Class, Register};

use super::Failure;
use super::function::Body;
use crate::llvm::Value;

impl<'p> Body<'_, 'p> {
    /// What `-fsanitize=function` reads in front of the code of a function.
    pub(super) fn signature(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let (function, word) = signature_word(value).ok_or("no signature")?;
        let pointer = self.scalar(Some(function))?;
        let word = self.lowering.bits(32, word);
        let argument =
            |value, width| Argument { value, width, signed: false, class: Class::Integer, copied: None };
        let arguments = vec![argument(pointer, 64), argument(word, 32)];
        let callee = Callee::Function(self.declared(SIGNATURE));
        self.add_call(Call { callee, arguments, to, results: vec![32], pad: None });
        Ok(())
    }
}

/// The function, and which of the two words in front of its code, if that is what a load reads.
pub(super) fn signature_word(load: Value<'_>) -> Option<(Value<'_>, u64)> {
    let place = load.operand(0)?;
    let words = place.source_element_type()?;
    if words.text() != "<{ i32, i32 }>" || place.operand(1)?.small_int()? != 0xffff_ffff {
        return None;
    }
    Some((place.operand(0)?, place.operand(2)?.small_int()?))
}
