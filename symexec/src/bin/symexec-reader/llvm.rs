//! LLVM's C interface behind types that cannot be misused. All unsafe code of this package is here.
//!
//! Length: one wrapper per function of LLVM that is needed; all share the argument below.
//!
//! # Why it is sound
//! - Every [`Value`], [`Type`] and [`Block`] borrows the [`Program`] that it comes from, which owns the
//!   module and its context and disposes of them in `Drop`. So none outlives what it points into.
//! - Nothing here changes a program after [`Program::read`] returned, so no value is ever deleted.
//! - LLVM's getters cast without checking. Each wrapper below is either defined for every value or type,
//!   or asks for the kind first and answers `None` for another one.
//! - Strings that LLVM lends are copied at once; those that it gives away are freed by [`owned`].
#![expect(unsafe_code, reason = "foreign functions; the argument for each is above and beside the call")]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::path::Path;
use std::ptr;

use llvm_sys::LLVMLinkage;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMByteOrder, LLVMByteOrdering, LLVMGetModuleDataLayout,
    LLVMOffsetOfElement, LLVMPointerSize, LLVMSizeOfTypeInBits, LLVMStoreSizeOfType, LLVMTargetDataRef,
};
pub(crate) use llvm_sys::{
    LLVMAtomicRMWBinOp as AtomicOp, LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
use symexec::base::system::System;

use crate::runtime;

/// The list of functions that run at a program's end without being registered.
pub(crate) const DESTRUCTORS: &str = "llvm.global_dtors";

/// A module with all that it owns.
pub(crate) struct Program {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// Where LLVM's diagnostics arrive. Boxed, because LLVM keeps its address.
    diagnostics: Box<Diagnostics>,
    /// What the runtime defines and the program does not, by name.
    borrowed: BTreeSet<String>,
}

/// LLVM's diagnostics so far.
#[derive(Default)]
struct Diagnostics(Vec<String>);

/// Receives LLVM's diagnostics instead of its default handler, which ends the process on errors.
extern "C" fn collect(diagnostic: llvm_sys::prelude::LLVMDiagnosticInfoRef, list: *mut c_void) {
    // SAFETY: LLVM calls this with a live diagnostic; `list` is what `Program::read` boxed,
    // alive as long as the context, and nobody else touches it during a call into LLVM.
    unsafe {
        let text = owned(LLVMGetDiagInfoDescription(diagnostic));
        (*list.cast::<Diagnostics>()).0.push(text);
    }
}

/// Takes over a message that LLVM gives away.
///
/// # Safety
/// `text` is null or a message from LLVM that nobody else frees.
unsafe fn owned(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, so by the caller's promise a terminated string.
    let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    // SAFETY: by the caller's promise nobody else frees it.
    unsafe { LLVMDisposeMessage(text) };
    copy
}

/// Copies a text that LLVM lends.
///
/// # Safety
/// `text` is null or points to `length` readable bytes.
unsafe fn lent(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Program {
    /// The program in LLVM's assembly language.
    pub(crate) fn text(&self) -> String {
        // SAFETY: the module is live; the text is given away.
        unsafe { owned(LLVMPrintModuleToString(self.module)) }
    }

    /// Reads files of bitcode or of LLVM's assembly language and links them in this order; `wanted` are
    /// functions of the runtime that are needed although nothing there calls them.
    pub(crate) fn read(system: &dyn System, files: &[&Path], wanted: &[&str]) -> Result<Self, String> {
        let [first, rest @ ..] = files else { return Err("no file to read".to_owned()) };
        let mut diagnostics = Box::<Diagnostics>::default();
        // SAFETY: the handler matches LLVM's signature; the vector's address is stable and outlives the
        // context, which `Drop` disposes of first.
        let context = unsafe {
            let context = LLVMContextCreate();
            let list: *mut Diagnostics = &raw mut *diagnostics;
            LLVMContextSetDiagnosticHandler(context, Some(collect), list.cast());
            context
        };
        let mut program = Self { context, module: ptr::null_mut(), diagnostics, borrowed: BTreeSet::new() };
        program.module = program.parse(system, first)?;
        for path in rest {
            let module = program.parse(system, path)?;
            // SAFETY: both modules live in this context; linking destroys the second one, which is not
            // used again.
            let failed = unsafe { LLVMLinkModules2(program.module, module) } != 0;
            if failed {
                return Err(format!("linking {}: {}", path.display(), program.diagnostics.0.join("; ")));
            }
        }
        program.link_runtime(wanted)?;
        let mut message = ptr::null_mut();
        // SAFETY: the module is live and the message is taken over below.
        let broken = unsafe {
            LLVMVerifyModule(
                program.module,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &raw mut message,
            )
        } != 0;
        // SAFETY: the verifier gave the message away.
        let message = unsafe { owned(message) };
        if broken {
            return Err(format!("{}: not well formed: {}", first.display(), message.trim()));
        }
        let layout = program.layout();
        // SAFETY: the layout belongs to the live module.
        let (order, pointer) = unsafe { (LLVMByteOrder(layout), LLVMPointerSize(layout)) };
        if !matches!(order, LLVMByteOrdering::LLVMLittleEndian) || pointer != 8 {
            return Err(format!(
                "{}: made for a target that is not little-endian with 64-bit pointers; compile it for x86_64",
                first.display()
            ));
        }
        Ok(program)
    }

    /// Adds the runtime if it has something that the program lacks. Where both define a name, the
    /// program's definition stays.
    fn link_runtime(&mut self, wanted: &[&str]) -> Result<(), String> {
        let names = |program: &Self, declared: bool| -> BTreeSet<String> {
            let values = program.functions().chain(program.globals());
            values.filter(|value| value.is_declaration() == declared).map(Value::name).collect()
        };
        let (mut lacking, own) = (names(self, true), names(self, false));
        lacking.retain(|name| !name.starts_with("llvm.") && !symexec::exec::provides(name));
        lacking.extend(wanted.iter().map(|name| (*name).to_owned()));
        if own.contains(DESTRUCTORS) {
            lacking.insert(symexec::exec::FINISH.to_owned());
        }
        if lacking.is_empty() {
            return Ok(());
        }
        let mut modules = Vec::new();
        for (name, bytes) in runtime::FILES {
            modules.push(
                self.parse_bytes(name, bytes).map_err(|what| format!("the C runtime: {name}: {what}"))?,
            );
        }
        let mut offered = BTreeSet::new();
        for module in &modules {
            for value in values_of(*module).filter(|value| !value.is_declaration() && value.is_visible()) {
                offered.insert(value.name());
                value.make_weak();
            }
        }
        let needed = lacking.intersection(&offered).next().is_some();
        for module in modules {
            if !needed {
                // SAFETY: parsed above, and nothing of it is kept.
                unsafe { LLVMDisposeModule(module) };
                continue;
            }
            let defined = values_of(module).filter(|value| !value.is_declaration()).map(Value::name);
            let borrowed: Vec<String> = defined.filter(|name| !own.contains(name)).collect();
            self.borrowed.extend(borrowed);
            // SAFETY: both modules live in this context; linking destroys the second one.
            let failed = unsafe { LLVMLinkModules2(self.module, module) } != 0;
            if failed {
                return Err(format!("linking the C runtime: {}", self.diagnostics.0.join("; ")));
            }
        }
        Ok(())
    }

    /// Whether a function or variable is the program's, and not the runtime's.
    pub(crate) fn is_own(&self, value: Value<'_>) -> bool {
        !self.borrowed.contains(&value.name())
    }

    fn parse(&mut self, system: &dyn System, path: &Path) -> Result<LLVMModuleRef, String> {
        let place = path.display();
        let bytes = system.read_file(path).map_err(|error| format!("{place}: {error}"))?;
        self.parse_bytes(&place.to_string(), &bytes)
            .map_err(|what| format!("{place}: neither LLVM 19 bitcode nor its assembly language: {what}"))
    }

    fn parse_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<LLVMModuleRef, String> {
        let name = CString::new(name).map_err(|_| "its name has a zero byte".to_owned())?;
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is a copy that LLVM owns and terminates itself; parsing consumes it; both
        // out-parameters are ours.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast::<c_char>().cast_mut(),
                bytes.len(),
                name.as_ptr(),
            );
            LLVMParseIRInContext(self.context, buffer, &raw mut module, &raw mut message)
        } != 0;
        // SAFETY: the parser gave the message away.
        let message = unsafe { owned(message) };
        if failed || module.is_null() {
            return Err(message.lines().next().unwrap_or_default().to_owned());
        }
        Ok(module)
    }

    fn layout(&self) -> LLVMTargetDataRef {
        // SAFETY: the module is live; the layout belongs to it.
        unsafe { LLVMGetModuleDataLayout(self.module) }
    }

    /// The functions, in the module's order.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: a live module, then live functions of it.
        self.chain(
            || unsafe { LLVMGetFirstFunction(self.module) },
            |value| unsafe { LLVMGetNextFunction(value) },
        )
    }

    /// The global variables, in the module's order.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: a live module, then live variables of it.
        self.chain(|| unsafe { LLVMGetFirstGlobal(self.module) }, |value| unsafe { LLVMGetNextGlobal(value) })
    }

    fn chain(
        &self,
        first: impl FnOnce() -> LLVMValueRef,
        next: impl Fn(LLVMValueRef) -> LLVMValueRef,
    ) -> impl Iterator<Item = Value<'_>> {
        std::iter::successors(Value::new(first()), move |value| Value::new(next(value.raw)))
    }

    /// Bytes from one element of a type to the next in an array.
    pub(crate) fn size(&self, ty: Type<'_>) -> u64 {
        // SAFETY: the layout is live; unsized types are excluded.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// Bytes that a store of a type writes.
    pub(crate) fn store_size(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as for `size`.
        if ty.is_sized() { unsafe { LLVMStoreSizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// Bits of a type.
    pub(crate) fn bits(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as for `size`.
        if ty.is_sized() { unsafe { LLVMSizeOfTypeInBits(self.layout(), ty.raw) } } else { 0 }
    }

    /// The alignment of a type in bytes.
    pub(crate) fn alignment(&self, ty: Type<'_>) -> u64 {
        // SAFETY: as for `size`.
        if ty.is_sized() { u64::from(unsafe { LLVMABIAlignmentOfType(self.layout(), ty.raw) }) } else { 1 }
    }

    /// Where an element of a structure begins, in bytes.
    pub(crate) fn field_offset(&self, ty: Type<'_>, field: u32) -> u64 {
        if !matches!(ty.kind(), TypeKind::LLVMStructTypeKind) || !ty.is_sized() || field >= ty.count() {
            return 0;
        }
        // SAFETY: a sized structure that has this field.
        unsafe { LLVMOffsetOfElement(self.layout(), ty.raw, field) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: values borrow the program, so none is left. The module goes before its context, and
        // the list of diagnostics, a field, after both.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// The functions and variables of a module that is not linked yet.
fn values_of<'p>(module: LLVMModuleRef) -> impl Iterator<Item = Value<'p>> {
    // SAFETY: a live module, then live functions of it; the caller links or disposes of it later.
    let functions = std::iter::successors(Value::new(unsafe { LLVMGetFirstFunction(module) }), |value| {
        Value::new(unsafe { LLVMGetNextFunction(value.raw) })
    });
    // SAFETY: as for functions.
    let globals = std::iter::successors(Value::new(unsafe { LLVMGetFirstGlobal(module) }), |value| {
        Value::new(unsafe { LLVMGetNextGlobal(value.raw) })
    });
    functions.chain(globals)
}

/// A type of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type<'p> {
    raw: LLVMTypeRef,
    program: PhantomData<&'p Program>,
}

impl<'p> Type<'p> {
    fn new(raw: LLVMTypeRef) -> Self {
        Self { raw, program: PhantomData }
    }

    /// Which sort of type it is.
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: defined for every type.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    fn is_sized(self) -> bool {
        // SAFETY: defined for every type.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The width of an integer type; 0 for others.
    pub(crate) fn integer_width(self) -> u32 {
        if !matches!(self.kind(), TypeKind::LLVMIntegerTypeKind) {
            return 0;
        }
        // SAFETY: an integer type.
        unsafe { LLVMGetIntTypeWidth(self.raw) }
    }

    /// How many elements a structure, array or vector has; 0 for others.
    pub(crate) fn count(self) -> u32 {
        // SAFETY: each getter is called for its kind.
        unsafe {
            match self.kind() {
                TypeKind::LLVMStructTypeKind => LLVMCountStructElementTypes(self.raw),
                TypeKind::LLVMArrayTypeKind => {
                    u32::try_from(LLVMGetArrayLength2(self.raw)).unwrap_or(u32::MAX)
                }
                TypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(self.raw),
                _ => 0,
            }
        }
    }

    /// The type of an element of a structure, array or vector.
    pub(crate) fn element(self, index: u32) -> Option<Self> {
        if index >= self.count() {
            // An array's elements have a type even where the array is empty.
            if !matches!(self.kind(), TypeKind::LLVMArrayTypeKind) {
                return None;
            }
        }
        // SAFETY: each getter is called for its kind, with an index that exists.
        let raw = unsafe {
            match self.kind() {
                TypeKind::LLVMStructTypeKind => LLVMStructGetTypeAtIndex(self.raw, index),
                _ => LLVMGetElementType(self.raw),
            }
        };
        Some(Self::new(raw))
    }

    /// The result, parameters and openness of a function type.
    pub(crate) fn signature(self) -> Option<(Self, Vec<Self>, bool)> {
        if !matches!(self.kind(), TypeKind::LLVMFunctionTypeKind) {
            return None;
        }
        // SAFETY: a function type; the buffer has as many places as it has parameters.
        unsafe {
            let mut parameters = vec![ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, parameters.as_mut_ptr());
            let parameters = parameters.into_iter().map(Self::new).collect();
            Some((Self::new(LLVMGetReturnType(self.raw)), parameters, LLVMIsFunctionVarArg(self.raw) != 0))
        }
    }

    /// The type as LLVM writes it.
    pub(crate) fn text(self) -> String {
        // SAFETY: defined for every type; the text is given away.
        unsafe { owned(LLVMPrintTypeToString(self.raw)) }
    }
}

/// A basic block of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'p> {
    raw: LLVMBasicBlockRef,
    program: PhantomData<&'p Program>,
}

impl<'p> Block<'p> {
    fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self { raw, program: PhantomData })
    }

    /// Its instructions, in order.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'p>> {
        // SAFETY: a live block, then live instructions of it.
        let first = Value::new(unsafe { LLVMGetFirstInstruction(self.raw) });
        std::iter::successors(first, |value| Value::new(unsafe { LLVMGetNextInstruction(value.raw) }))
    }
}

/// A value of a program: a constant, global, function, parameter or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'p> {
    raw: LLVMValueRef,
    program: PhantomData<&'p Program>,
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
    fn new(raw: LLVMValueRef) -> Option<Self> {
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

    fn has_opcode(self, opcode: Opcode) -> bool {
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
        if !self.is_global() && !self.is_function() && !self.is_alias() {
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

    /// Whether other modules see a global value under its name.
    fn is_visible(self) -> bool {
        // SAFETY: a global value.
        (self.is_global() || self.is_function())
            && unsafe { matches!(LLVMGetLinkage(self.raw), LLVMLinkage::LLVMExternalLinkage) }
    }

    /// Lets another module's definition of the name win.
    fn make_weak(self) {
        if self.is_visible() {
            // SAFETY: a global value of a module that is not linked yet.
            unsafe { LLVMSetLinkage(self.raw, LLVMLinkage::LLVMWeakAnyLinkage) }
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

    /// The text of inline assembly.
    pub(crate) fn assembly(self) -> Option<String> {
        if !self.is_assembly() {
            return None;
        }
        let mut length = 0;
        // SAFETY: inline assembly; the text is lent with its length.
        Some(unsafe { lent(LLVMGetInlineAsmAsmString(self.raw, &raw mut length), length) })
    }

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

    /// File, line and column of an instruction, as far as they are known.
    pub(crate) fn location(self) -> Option<(String, u32, u32)> {
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

/// The number under which LLVM knows an attribute.
pub(crate) fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is passed with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
