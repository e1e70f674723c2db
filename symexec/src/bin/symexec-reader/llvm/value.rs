//! What is asked of values of all kinds, of constants and of globals.

use std::ffi::CStr;
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMInlineAsmDialect, LLVMLinkage};

use super::{Block, Opcode, Type, ValueKind, lent, owned};

/// A value of a program: a constant, global, function, parameter or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'p> {
    pub(super) raw: LLVMValueRef,
    /// Lasts as long as the program that it belongs to.
    program: PhantomData<&'p ()>,
}

/// Getters that are defined for every value.
macro_rules! every_value {
    ($($(#[$doc:meta])* $name:ident: $call:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(self) -> bool {
            // SAFETY: defined for every value.
            unsafe { !$call(self.raw).is_null() }
        }
    )*};
}

impl<'p> Value<'p> {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self { raw, program: PhantomData })
    }

    every_value! {
        /// Whether it is an instruction.
        is_instruction: LLVMIsAInstruction;
        /// Whether it is a function.
        is_function: LLVMIsAFunction;
        /// Whether it is a global variable.
        is_global: LLVMIsAGlobalVariable;
        /// Whether it is another name for something.
        is_alias: LLVMIsAGlobalAlias;
        /// Whether it is a constant integer.
        is_int: LLVMIsAConstantInt;
        /// Whether it is a constant floating-point number.
        is_float: LLVMIsAConstantFP;
        /// Whether it is an expression over constants.
        is_expression: LLVMIsAConstantExpr;
        /// Whether it is inline assembly.
        is_assembly: LLVMIsAInlineAsm;
        /// Whether it is the address of a basic block.
        is_block_address: LLVMIsABlockAddress;
        /// Whether it is undefined or poison.
        is_undefined: LLVMIsAUndefValue;
        /// Whether it is a phi instruction.
        is_phi_value: LLVMIsAPHINode;
        /// Whether it is a call.
        is_call_value: LLVMIsACallInst;
        /// Whether it is an invoke.
        is_invoke_value: LLVMIsAInvokeInst;
        /// Whether it has operands.
        is_user: LLVMIsAUser;
        /// Whether it ends a block.
        is_terminator: LLVMIsATerminatorInst;
        /// Whether it is a switch.
        is_switch_value: LLVMIsASwitchInst;
        /// Whether it is a constant.
        is_constant: LLVMIsAConstant;
    }

    /// Which sort of value it is.
    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: defined for every value.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    /// Its type.
    pub(crate) fn ty(self) -> Type<'p> {
        // SAFETY: defined for every value.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// Its name; empty if it has none.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: defined for every value; the text is lent with its length.
        unsafe { lent(LLVMGetValueName2(self.raw, &raw mut length), length) }
    }

    /// The value as LLVM writes it.
    pub(crate) fn text(self) -> String {
        // SAFETY: defined for every value; the text is given away.
        unsafe { owned(LLVMPrintValueToString(self.raw)) }
    }

    /// Whether it is a constant with all bits zero.
    pub(crate) fn is_zero(self) -> bool {
        // SAFETY: defined for every value.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    /// An operand.
    pub(crate) fn operand(self, index: u32) -> Option<Self> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: a user that has this operand.
        Self::new(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// How many operands it has.
    pub(crate) fn operand_count(self) -> u32 {
        if !self.is_user() {
            return 0;
        }
        // SAFETY: a user.
        u32::try_from(unsafe { LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    /// The operation of an instruction or of a constant expression.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        // SAFETY: each getter is called for its kind.
        unsafe {
            if self.is_instruction() {
                Some(LLVMGetInstructionOpcode(self.raw))
            } else if self.is_expression() {
                Some(LLVMGetConstOpcode(self.raw))
            } else {
                None
            }
        }
    }

    pub(super) fn has_opcode(self, opcode: Opcode) -> bool {
        self.opcode() == Some(opcode)
    }

    /// An element of a constant structure, array or vector.
    pub(crate) fn constant_element(self, index: u32) -> Option<Self> {
        if !self.is_constant() || index >= self.ty().count() {
            return None;
        }
        // SAFETY: a constant; the call itself answers null for one without elements.
        Self::new(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant array of bytes.
    pub(crate) fn constant_bytes(self) -> Option<Vec<u8>> {
        if !matches!(self.kind(), ValueKind::LLVMConstantDataArrayValueKind) {
            return None;
        }
        let mut length = 0;
        // SAFETY: constant data; it is a string exactly if its elements are bytes; the text is lent
        // with its length.
        unsafe {
            if LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let text = LLVMGetAsString(self.raw, &raw mut length);
            Some(std::slice::from_raw_parts(text.cast::<u8>(), length).to_vec())
        }
    }

    /// The value of a constant integer of at most 64 bits.
    pub(crate) fn small_int(self) -> Option<u64> {
        if !self.is_int() || self.ty().integer_width() > 64 {
            return None;
        }
        // SAFETY: a constant integer that fits.
        Some(unsafe { LLVMConstIntGetZExtValue(self.raw) })
    }

    /// The two numbers of the metadata of a kind on a function.
    pub(crate) fn pair(self, kind: &CStr) -> Option<[u32; 2]> {
        if !self.is_function() {
            return None;
        }
        // SAFETY: a function belongs to a module and that to a context; the entries are ours until they are disposed of,
        // and each index is below their number. A node has as many operands as it says, and each is a value or null.
        unsafe {
            let context = LLVMGetModuleContext(LLVMGetGlobalParent(self.raw));
            let length = u32::try_from(kind.to_bytes().len()).ok()?;
            let wanted = LLVMGetMDKindIDInContext(context, kind.as_ptr(), length);
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &raw mut count);
            let mut places = 0..u32::try_from(count).unwrap_or(0);
            let found = places.find(|place| LLVMValueMetadataEntriesGetKind(entries, *place) == wanted);
            let found = found.map(|place| LLVMValueMetadataEntriesGetMetadata(entries, place));
            LLVMDisposeValueMetadataEntries(entries);
            let node = LLVMMetadataAsValue(context, found?);
            if LLVMGetMDNodeNumOperands(node) != 2 {
                return None;
            }
            let mut operands = [std::ptr::null_mut(); 2];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            let number = |raw: LLVMValueRef| {
                let value = (!raw.is_null()).then_some(Self { raw, program: PhantomData })?;
                u32::try_from(value.small_int()?).ok()
            };
            Some([number(operands[0])?, number(operands[1])?])
        }
    }

    /// The value of a constant of type `float` or `double`.
    pub(crate) fn small_float(self) -> Option<f64> {
        if !self.is_float() {
            return None;
        }
        let mut loses = 0;
        // SAFETY: a constant floating-point number.
        let value = unsafe { LLVMConstRealGetDouble(self.raw, &raw mut loses) };
        (loses == 0).then_some(value)
    }

    /// The type of a global's content or of a function.
    pub(crate) fn content_type(self) -> Option<Type<'p>> {
        if !self.is_global() && !self.is_function() && !self.is_alias() && self.resolver().is_none() {
            return None;
        }
        // SAFETY: a global value.
        Some(Type::new(unsafe { LLVMGlobalGetValueType(self.raw) }))
    }

    /// Whether a global value has no definition here.
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a global value.
        (self.is_global() || self.is_function()) && unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether a global value is null unless somebody defines it, and nobody does.
    pub(crate) fn is_weak_reference(self) -> bool {
        // SAFETY: a global value.
        self.is_declaration()
            && unsafe { matches!(LLVMGetLinkage(self.raw), LLVMLinkage::LLVMExternalWeakLinkage) }
    }

    /// Whether anything uses the value.
    pub(crate) fn is_used(self) -> bool {
        // SAFETY: defined for every value.
        unsafe { !LLVMGetFirstUse(self.raw).is_null() }
    }

    /// Whether the value goes nowhere but, through operations that cannot fail, into what a `select` chooses from, or a
    /// `freeze`: then it may be anything where it is not chosen.
    pub(crate) fn is_only_chosen(self) -> bool {
        const MOST_STEPS: usize = 32;
        let (mut open, mut seen) = (vec![self.raw], vec![self.raw]);
        while let Some(value) = open.pop() {
            // SAFETY: uses and users of an instruction are instructions of its function, which lives as long as it.
            let mut next = unsafe { LLVMGetFirstUse(value) };
            if next.is_null() {
                return false;
            }
            while !next.is_null() {
                let user = unsafe { LLVMGetUser(next) };
                next = unsafe { LLVMGetNextUse(next) };
                match unsafe { LLVMGetInstructionOpcode(user) } {
                    Opcode::LLVMFreeze => {}
                    Opcode::LLVMSelect if unsafe { LLVMGetOperand(user, 0) } != value => {}
                    Opcode::LLVMAnd
                    | Opcode::LLVMOr
                    | Opcode::LLVMXor
                    | Opcode::LLVMAdd
                    | Opcode::LLVMSub
                    | Opcode::LLVMICmp
                    | Opcode::LLVMTrunc
                    | Opcode::LLVMZExt
                    | Opcode::LLVMSExt => {
                        if !seen.contains(&user) {
                            seen.push(user);
                            open.push(user);
                        }
                        if seen.len() > MOST_STEPS {
                            return false;
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// Whether other modules see a global value under its name.
    pub(super) fn is_visible(self) -> bool {
        // SAFETY: a global value.
        (self.is_global() || self.is_function())
            && unsafe { matches!(LLVMGetLinkage(self.raw), LLVMLinkage::LLVMExternalLinkage) }
    }

    /// Lets another module's definition of the name win.
    pub(super) fn make_weak(self) {
        self.offer(LLVMLinkage::LLVMWeakAnyLinkage);
    }

    /// The same, and is linked only where something that is linked uses it.
    pub(super) fn make_optional(self) {
        self.offer(LLVMLinkage::LLVMLinkOnceAnyLinkage);
    }

    fn offer(self, linkage: LLVMLinkage) {
        if self.is_visible() {
            // SAFETY: a global value of a module that is not linked yet.
            unsafe { LLVMSetLinkage(self.raw, linkage) }
        }
    }

    /// The initial value of a global variable.
    pub(crate) fn initializer(self) -> Option<Self> {
        if !self.is_global() || self.is_declaration() {
            return None;
        }
        // SAFETY: a global variable.
        Self::new(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// Whether a global variable must not be written.
    pub(crate) fn is_read_only(self) -> bool {
        // SAFETY: a global variable.
        self.is_global() && unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Whether each thread has a global variable of its own.
    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        self.is_global() && unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// The section that a variable is put into; empty if it is not said.
    pub(crate) fn section(self) -> String {
        if !self.is_global() {
            return String::new();
        }
        // SAFETY: a global variable; the text is lent, and null if there is none.
        let text = unsafe { LLVMGetSection(self.raw) };
        if text.is_null() {
            return String::new();
        }
        // SAFETY: not null, so a terminated text.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    /// The alignment that a global or an allocation asks for; 0 if none.
    pub(crate) fn alignment(self) -> u64 {
        if !self.is_global() && !self.has_opcode(Opcode::LLVMAlloca) {
            return 0;
        }
        // SAFETY: a kind that has an alignment.
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    /// What an alias stands for.
    pub(crate) fn aliasee(self) -> Option<Self> {
        if !self.is_alias() {
            return None;
        }
        // SAFETY: an alias.
        Self::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// The function that chooses what this one is.
    pub(crate) fn resolver(self) -> Option<Self> {
        if self.kind() != ValueKind::LLVMGlobalIFuncValueKind {
            return None;
        }
        // SAFETY: a function that a resolver chooses.
        Self::new(unsafe { LLVMGetGlobalIFuncResolver(self.raw) })
    }

    /// Whether the code of a function may use a feature of the processor.
    pub(crate) fn has_feature(self, feature: &str) -> bool {
        const NAME: &str = "target-features";
        // Beside these numbers those of the parameters count from 1, and the result is 0.
        const OF_FUNCTION: u32 = u32::MAX;
        let length = u32::try_from(NAME.len()).unwrap_or(0);
        // SAFETY: a function; the name's bytes are not kept.
        let attribute =
            unsafe { LLVMGetStringAttributeAtIndex(self.raw, OF_FUNCTION, NAME.as_ptr().cast(), length) };
        if attribute.is_null() {
            return false;
        }
        let mut length = 0;
        // SAFETY: a string attribute; what it gives lives as long as the context.
        let text = unsafe {
            let text = LLVMGetStringAttributeValue(attribute, &mut length);
            std::slice::from_raw_parts(text.cast::<u8>(), length as usize)
        };
        text.split(|byte| *byte == b',').any(|one| one == feature.as_bytes())
    }

    /// The function and block of a block's address.
    pub(crate) fn block_address(self) -> Option<(Self, Block<'p>)> {
        if !self.is_block_address() {
            return None;
        }
        // SAFETY: the address of a block.
        unsafe {
            let function = Self::new(LLVMGetBlockAddressFunction(self.raw))?;
            Some((function, Block::new(LLVMGetBlockAddressBasicBlock(self.raw))?))
        }
    }

    /// The text of inline assembly, and the constraints of its operands if it is in the notation of AT&T.
    pub(crate) fn assembly(self) -> Option<(String, Option<String>)> {
        if !self.is_assembly() {
            return None;
        }
        let mut length = 0;
        // SAFETY: inline assembly; the texts are lent with their length.
        unsafe {
            let text = lent(LLVMGetInlineAsmAsmString(self.raw, &raw mut length), length);
            let constraints = lent(LLVMGetInlineAsmConstraintString(self.raw, &raw mut length), length);
            let is_known =
                matches!(LLVMGetInlineAsmDialect(self.raw), LLVMInlineAsmDialect::LLVMInlineAsmDialectATT);
            Some((text, is_known.then_some(constraints)))
        }
    }
}
