//! Types, by their kinds.

use std::marker::PhantomData;
use std::ptr;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;

use super::{TypeKind, owned};

/// A type of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type<'p> {
    pub(super) raw: LLVMTypeRef,
    /// Lasts as long as the program that it belongs to.
    program: PhantomData<&'p ()>,
}

impl<'p> Type<'p> {
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
        Self { raw, program: PhantomData }
    }

    /// Which sort of type it is.
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: defined for every type.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    pub(super) fn is_sized(self) -> bool {
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
