//! Basic blocks.

use std::marker::PhantomData;

use llvm_sys::prelude::LLVMBasicBlockRef;

/// A basic block of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'p> {
    pub(super) raw: LLVMBasicBlockRef,
    /// Lasts as long as the program that it belongs to.
    program: PhantomData<&'p ()>,
}

impl Block<'_> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self { raw, program: PhantomData })
    }
}
