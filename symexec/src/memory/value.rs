//! What a register or a place in memory holds.

use super::ObjectId;
use crate::expr::{ExprId, Marks};

/// A scalar. Its width is said by whoever holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Known bits, at most 64.
    Bits(u64),
    /// A place in an object: 64 bits whose value does not matter yet.
    Pointer {
        /// In which object.
        object: ObjectId,
        /// How many bytes from its start, modulo 2^64.
        offset: u64,
    },
    /// Anything else.
    Expr(ExprId),
}

impl Value {
    /// Marks the expression, if it is one.
    pub(crate) fn trace(self, marks: &mut Marks) {
        if let Self::Expr(expr) = self {
            marks.mark(expr);
        }
    }
}

impl Default for Value {
    fn default() -> Self {
        Self::Bits(0)
    }
}
