//! LLVM's C interface behind types that cannot be misused. All unsafe code of this package is here.
//!
//! - `program`: a module with its context, read, linked with the runtime, verified; the target's layout;
//! - `types`, `value`: types, and what is asked of values of all kinds, constants and globals;
//! - `instruction`: functions, blocks and instructions.
//!
//! One wrapper per function of LLVM that is needed; all share the argument below.
//!
//! # Why it is sound
//! - Every [`Value`], [`Type`] and [`Block`] borrows the [`Program`] that it comes from, which owns the
//!   module and its context and disposes of them in `Drop`. So none outlives what it points into.
//! - Nothing here changes a program after [`Program::read`] returned, so no value is ever deleted.
//! - LLVM's getters cast without checking. Each wrapper below is either defined for every value or type,
//!   or asks for the kind first and answers `None` for another one.
//! - Strings that LLVM lends are copied at once; those that it gives away are freed by [`owned`].
#![expect(unsafe_code, reason = "foreign functions; the argument for each is above and beside the call")]

mod block;
mod instruction;
mod program;
mod types;
mod value;

use std::ffi::{CStr, c_char};

use llvm_sys::core::{LLVMDisposeMessage, LLVMGetEnumAttributeKindForName};
pub(crate) use llvm_sys::{
    LLVMAtomicRMWBinOp as AtomicOp, LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};

pub(crate) use block::Block;
pub(crate) use program::{DESTRUCTORS, Program, RESUME};
pub(crate) use types::Type;
pub(crate) use value::Value;

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

/// The number under which LLVM knows an attribute.
pub(crate) fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is passed with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
