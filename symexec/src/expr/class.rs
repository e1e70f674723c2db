//! How an expression depends on the layout of memory.

/// How an expression depends on the layout of memory; the [module](super) says what each one means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The same in every layout.
    Integer,
    /// The address of an object, null or another [marker](super::FIRST_MARKER).
    Pointer,
    /// A pointer plus an integer.
    Offset,
    /// Anything else.
    Layout,
}

impl Class {
    /// Of an operation whose value is the same in every layout if those of all operands are.
    pub(super) fn of_all(operands: impl IntoIterator<Item = Self>) -> Self {
        let mut all = operands.into_iter();
        if all.all(|class| class == Self::Integer) { Self::Integer } else { Self::Layout }
    }

    /// Whether it is a pointer, with or without something added.
    #[must_use]
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::Pointer | Self::Offset)
    }

    /// Of one of two values, each with whether it is the constant of a marker.
    pub(super) fn either(one: (Self, bool), other: (Self, bool)) -> Self {
        match (one, other) {
            ((a, _), (b, _)) if a == b => a,
            ((Self::Pointer, _), (Self::Integer, true)) | ((Self::Integer, true), (Self::Pointer, _)) => {
                Self::Pointer
            }
            _ => Self::Layout,
        }
    }
}
