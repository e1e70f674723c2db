//! Exceptions: the landing pads of calls, and what resumes.
//!
//! A landing pad belongs to the call whose exceptions it gets, not to its block: the engine, which ends
//! activations down to that of the call, writes exception and selector into the registers of the pad's
//! instruction and takes the edge to its block. So nothing is executed for a pad that nothing comes to.
//! Selectors are numbers of types, the same in all functions, and of filters, below zero.

use symexec::module::{Argument, Call, Callee, Class, Clause, ClauseKind, LandingPad, Operand, PadId};

use super::function::{Body, length};
use super::{Failure, Lowering};
use crate::llvm::{Opcode, RESUME, TypeKind, Value};

impl<'p> Lowering<'p> {
    /// The number of the type that a description describes; of null, that of all types.
    pub(super) fn selector(&mut self, description: Value<'p>) -> Result<i32, Failure> {
        let symbol = match self.symbol(description) {
            Some((symbol, 0)) => Some(symbol),
            None if description.is_zero() => None,
            _ => return Err(format!("the description `{}` of a type is not supported", description.text())),
        };
        let next = i32::try_from(self.selectors.len()).unwrap_or(i32::MAX).saturating_add(1);
        Ok(*self.selectors.entry(symbol).or_insert(next))
    }

    fn description(&mut self, value: Value<'p>) -> Result<Operand, Failure> {
        let constant = match self.symbol(value) {
            Some((symbol, offset)) => symexec::module::Constant::Address { symbol, offset },
            None => symexec::module::Constant::Bits { width: 64, value: 0 },
        };
        Ok(self.constant(constant))
    }
}

impl<'p> Body<'_, 'p> {
    /// The landing pad of an invoke; `None` for a call.
    pub(super) fn landing_pad(&mut self, invoke: Value<'p>) -> Result<Option<PadId>, Failure> {
        let Some(block) = invoke.unwind_destination() else { return Ok(None) };
        let pad = block.instructions().find(|value| value.opcode() != Some(Opcode::LLVMPHI));
        let pad = pad.filter(|value| value.opcode() == Some(Opcode::LLVMLandingPad));
        let pad = pad.ok_or("exceptions of another system than that of Itanium are not supported")?;
        let mut clauses = Vec::new();
        for (place, value) in pad.clauses().into_iter().enumerate() {
            if value.ty().kind() == TypeKind::LLVMArrayTypeKind {
                for index in 0..value.ty().count() {
                    let description = value.constant_element(index).ok_or("a filter without its types")?;
                    let ty = self.lowering.description(description)?;
                    clauses.push(Clause { kind: ClauseKind::Allowed, ty, selector: 0 });
                }
                let selector = -i32::try_from(place).unwrap_or(i32::MAX).saturating_add(1);
                let ty = self.lowering.bits(64, 0);
                clauses.push(Clause { kind: ClauseKind::Filter, ty, selector });
            } else {
                let selector = self.lowering.selector(value)?;
                let ty = self.lowering.description(value)?;
                clauses.push(Clause { kind: ClauseKind::Catch, ty, selector });
            }
        }
        if pad.is_cleanup() {
            let ty = self.lowering.bits(64, 0);
            clauses.push(Clause { kind: ClauseKind::Cleanup, ty, selector: 0 });
        }
        let (edge, to) = (self.edge(block)?, self.result(pad));
        let id = PadId(length(self.code.pads.len()));
        self.code.pads.push(LandingPad { edge, to, clauses });
        Ok(Some(id))
    }

    /// An exception goes on where it came from before it was cleaned up behind.
    pub(super) fn lower_resume(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let thrown = value.operand(0).ok_or("a resume of nothing")?;
        let exception = *self.operands(thrown)?.first().ok_or("a resume of nothing")?;
        let resume = self.declared(RESUME);
        let argument =
            Argument { value: exception, width: 64, signed: false, class: Class::Integer, copied: None };
        let to = self.result(value);
        let callee = Callee::Function(resume);
        self.add_call(Call { callee, arguments: vec![argument], to, results: Vec::new(), pad: None });
        self.emit(symexec::module::Instruction::Unreachable);
        Ok(())
    }

    /// `llvm.eh.typeid.for`.
    pub(super) fn type_number(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let description = value.operand(0).ok_or("an operand is missing")?;
        let selector = self.lowering.selector(description)?;
        let number = self.lowering.bits(32, u64::from(selector.cast_unsigned()));
        let to = self.result(value);
        self.copy(32, to, number);
        Ok(())
    }
}
