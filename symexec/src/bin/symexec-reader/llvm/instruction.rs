//! Functions, blocks and instructions.

use llvm_sys::core::*;
use llvm_sys::debuginfo::{
    LLVMDIFileGetFilename, LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt, LLVMDILocationGetLine,
    LLVMDILocationGetScope, LLVMDIScopeGetFile, LLVMInstructionGetDebugLoc,
};

use super::{AtomicOp, Block, IntPredicate, Opcode, RealPredicate, Type, Value, lent};

impl<'p> Block<'p> {
    /// Its instructions, in order.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'p>> {
        // SAFETY: a live block, then live instructions of it.
        let first = Value::new(unsafe { LLVMGetFirstInstruction(self.raw) });
        std::iter::successors(first, |value| Value::new(unsafe { LLVMGetNextInstruction(value.raw) }))
    }
}

impl<'p> Value<'p> {
    /// The parameters of a function.
    pub(crate) fn parameters(self) -> Vec<Self> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: a function; the index is below the count.
        unsafe {
            (0..LLVMCountParams(self.raw)).filter_map(|i| Self::new(LLVMGetParam(self.raw, i))).collect()
        }
    }

    /// The blocks of a function, the entry first.
    pub(crate) fn blocks(self) -> Vec<Block<'p>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: a function, then live blocks of it.
        let first = Block::new(unsafe { LLVMGetFirstBasicBlock(self.raw) });
        std::iter::successors(first, |block| Block::new(unsafe { LLVMGetNextBasicBlock(block.raw) }))
            .collect()
    }

    /// The type in an attribute of a function's parameter, such as `byval`.
    pub(crate) fn call_attribute_type(self, argument: u32, kind: u32) -> Option<Type<'p>> {
        if !self.is_call_value() && !self.is_invoke_value() {
            return None;
        }
        // SAFETY: a call; index 0 is the result, so arguments count from 1; the attribute is asked for
        // its type only if it has one.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            if attribute.is_null() || LLVMIsTypeAttribute(attribute) == 0 {
                return None;
            }
            Some(Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The number in an attribute of a function's parameter, such as `align`; 0 if there is none.
    pub(crate) fn call_attribute_number(self, argument: u32, kind: u32) -> u64 {
        if !self.is_call_value() && !self.is_invoke_value() {
            return 0;
        }
        // SAFETY: as in `call_attribute_type`; the attribute is asked for its number only if it has one.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            if attribute.is_null() || LLVMIsEnumAttribute(attribute) == 0 {
                return 0;
            }
            LLVMGetEnumAttributeValue(attribute)
        }
    }

    /// Whether a function's parameter has an attribute, such as `signext`, at a call.
    pub(crate) fn has_call_attribute(self, argument: u32, kind: u32) -> bool {
        // SAFETY: as in `call_attribute_type`; only whether it is there matters.
        (self.is_call_value() || self.is_invoke_value())
            && unsafe { !LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind).is_null() }
    }

    /// How many parameters the type has that a function is called with; what follows is variable.
    pub(crate) fn fixed_arguments(self) -> u32 {
        if !self.is_call_value() && !self.is_invoke_value() {
            return 0;
        }
        // SAFETY: a call, which has the type of a function.
        unsafe { LLVMCountParamTypes(LLVMGetCalledFunctionType(self.raw)) }
    }

    /// What a call calls.
    pub(crate) fn callee(self) -> Option<Self> {
        if !self.is_call_value() && !self.is_invoke_value() {
            return None;
        }
        // SAFETY: a call.
        Self::new(unsafe { LLVMGetCalledValue(self.raw) })
    }

    /// How many arguments a call has.
    pub(crate) fn argument_count(self) -> u32 {
        if !self.is_call_value() && !self.is_invoke_value() {
            return 0;
        }
        // SAFETY: a call.
        unsafe { LLVMGetNumArgOperands(self.raw) }
    }

    /// Where an invoke goes on when the callee returns.
    pub(crate) fn normal_destination(self) -> Option<Block<'p>> {
        if !self.is_invoke_value() {
            return None;
        }
        // SAFETY: an invoke.
        Block::new(unsafe { LLVMGetNormalDest(self.raw) })
    }

    /// Where an invoke goes on when an exception leaves the callee.
    pub(crate) fn unwind_destination(self) -> Option<Block<'p>> {
        if !self.is_invoke_value() {
            return None;
        }
        // SAFETY: an invoke.
        Block::new(unsafe { LLVMGetUnwindDest(self.raw) })
    }

    /// Whether a landing pad is entered whatever is thrown.
    pub(crate) fn is_cleanup(self) -> bool {
        // SAFETY: a landing pad.
        self.has_opcode(Opcode::LLVMLandingPad) && unsafe { LLVMIsCleanup(self.raw) != 0 }
    }

    /// The clauses of a landing pad: the description of a type that is caught, or an array of those that pass.
    pub(crate) fn clauses(self) -> Vec<Self> {
        if !self.has_opcode(Opcode::LLVMLandingPad) {
            return Vec::new();
        }
        // SAFETY: a landing pad; the index is below the count.
        unsafe {
            (0..LLVMGetNumClauses(self.raw)).filter_map(|i| Self::new(LLVMGetClause(self.raw, i))).collect()
        }
    }

    /// The successors of a terminator.
    pub(crate) fn successors(self) -> Vec<Block<'p>> {
        if !self.is_terminator() {
            return Vec::new();
        }
        // SAFETY: a terminator; the index is below the count.
        unsafe {
            (0..LLVMGetNumSuccessors(self.raw))
                .filter_map(|i| Block::new(LLVMGetSuccessor(self.raw, i)))
                .collect()
        }
    }

    /// The default target of a switch.
    pub(crate) fn default_destination(self) -> Option<Block<'p>> {
        if !self.is_switch_value() {
            return None;
        }
        // SAFETY: a switch.
        Block::new(unsafe { LLVMGetSwitchDefaultDest(self.raw) })
    }

    /// The condition of a branch that has one.
    pub(crate) fn condition(self) -> Option<Self> {
        if !self.has_opcode(Opcode::LLVMBr) {
            return None;
        }
        // SAFETY: a branch; the condition is asked for only if there is one.
        unsafe { if LLVMIsConditional(self.raw) != 0 { Self::new(LLVMGetCondition(self.raw)) } else { None } }
    }

    /// The values and blocks that flow into a phi instruction.
    pub(crate) fn incoming(self) -> Vec<(Self, Block<'p>)> {
        if !self.is_phi_value() {
            return Vec::new();
        }
        // SAFETY: a phi instruction; the index is below the count.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .filter_map(|i| {
                    let value = Self::new(LLVMGetIncomingValue(self.raw, i))?;
                    Some((value, Block::new(LLVMGetIncomingBlock(self.raw, i))?))
                })
                .collect()
        }
    }

    /// The comparison of an integer comparison.
    pub(crate) fn int_predicate(self) -> Option<IntPredicate> {
        if !self.has_opcode(Opcode::LLVMICmp) {
            return None;
        }
        // SAFETY: an integer comparison.
        Some(unsafe { LLVMGetICmpPredicate(self.raw) })
    }

    /// The comparison of a floating-point comparison.
    pub(crate) fn real_predicate(self) -> Option<RealPredicate> {
        if !self.has_opcode(Opcode::LLVMFCmp) {
            return None;
        }
        // SAFETY: a floating-point comparison.
        Some(unsafe { LLVMGetFCmpPredicate(self.raw) })
    }

    /// The type that an allocation allocates.
    pub(crate) fn allocated_type(self) -> Option<Type<'p>> {
        if !self.has_opcode(Opcode::LLVMAlloca) {
            return None;
        }
        // SAFETY: an allocation.
        Some(Type::new(unsafe { LLVMGetAllocatedType(self.raw) }))
    }

    /// The type that address arithmetic starts from.
    pub(crate) fn source_element_type(self) -> Option<Type<'p>> {
        if !self.has_opcode(Opcode::LLVMGetElementPtr) {
            return None;
        }
        // SAFETY: address arithmetic.
        Some(Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) }))
    }

    /// The indices of an access to an element of an aggregate.
    pub(crate) fn indices(self) -> Vec<u32> {
        if !self.has_opcode(Opcode::LLVMExtractValue) && !self.has_opcode(Opcode::LLVMInsertValue) {
            return Vec::new();
        }
        // SAFETY: an access to an element; LLVM lends as many indices as it says.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count).to_vec()
        }
    }

    /// The mask of a shuffle; `None` for elements that do not matter.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        if !self.has_opcode(Opcode::LLVMShuffleVector) {
            return Vec::new();
        }
        // SAFETY: a shuffle; the index is below the count.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok())
                .collect()
        }
    }

    /// The operation of an atomic read-modify-write.
    pub(crate) fn atomic_op(self) -> Option<AtomicOp> {
        if !self.has_opcode(Opcode::LLVMAtomicRMW) {
            return None;
        }
        // SAFETY: an atomic read-modify-write.
        Some(unsafe { LLVMGetAtomicRMWBinOp(self.raw) })
    }

    /// File, line and column of an instruction, as far as they are known. For what is inlined from Rust's library, the
    /// place where the program calls it.
    pub(crate) fn location(self) -> Option<(String, u32, u32)> {
        let innermost = self.innermost_location()?;
        if !symexec::module::is_rust_library(&innermost.0) {
            return Some(innermost);
        }
        let own = self.callers().into_iter().find(|(file, ..)| !symexec::module::is_rust_library(file));
        Some(own.unwrap_or(innermost))
    }

    /// The places where the function that an instruction was inlined from is called, innermost first.
    fn callers(self) -> Vec<(String, u32, u32)> {
        let mut found = Vec::new();
        // SAFETY: an instruction with a location, as `innermost_location` found; each location, scope and file is asked
        // for only where the one before is there; names are lent with their length.
        unsafe {
            let mut place = LLVMInstructionGetDebugLoc(self.raw);
            while !place.is_null() {
                place = LLVMDILocationGetInlinedAt(place);
                if place.is_null() {
                    break;
                }
                let scope = LLVMDILocationGetScope(place);
                let file = if scope.is_null() { scope } else { LLVMDIScopeGetFile(scope) };
                if !file.is_null() {
                    let mut length = 0;
                    let name = LLVMDIFileGetFilename(file, &raw mut length);
                    let (line, column) = (LLVMDILocationGetLine(place), LLVMDILocationGetColumn(place));
                    found.push((lent(name, length as usize), line, column));
                }
            }
        }
        found
    }

    fn innermost_location(self) -> Option<(String, u32, u32)> {
        if !self.is_instruction() {
            return None;
        }
        let mut length = 0;
        // SAFETY: an instruction; the name is lent with its length.
        unsafe {
            let line = LLVMGetDebugLocLine(self.raw);
            if line == 0 {
                return None;
            }
            let name = LLVMGetDebugLocFilename(self.raw, &raw mut length);
            Some((lent(name, length as usize), line, LLVMGetDebugLocColumn(self.raw)))
        }
    }
}
