//! Places inside a clause's code, before they are known and after.

use crate::machine::{Address, Instruction as I};

/// An address that is not known yet: an index into the labels, above all real addresses of one clause.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Label(pub(super) u32);
/// Labels are numbered from here on.
pub(super) const LABELS: u32 = 1 << 31;

/// Where an instruction of a clause may go besides the next one.
pub(super) fn target(instruction: &mut I) -> Option<&mut Address> {
    match instruction {
        I::Jump(to)
        | I::TryElse(to)
        | I::Test(_, _, to)
        | I::CompareNumbers(_, _, _, to)
        | I::CompareSmall(_, _, _, to)
        | I::CompareTerms(_, _, _, to)
        | I::JumpIfFree(_, to)
        | I::GetList(_, to)
        | I::GetStructure(_, to, _)
        | I::UnifyTailList(to)
        | I::UnifyTailStructure(to, _) => Some(to),
        _ => None,
    }
}
