//! What waits on the stacks of the parser: open brackets, operands and operators.

use crate::base::Span;
use crate::term::{Atom, Cell, OperatorDefinition};

/// An open bracket, or the whole term.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) operators: usize,
    pub(super) operands: usize,
    /// Where the bracket, or the functor in front of it, starts and ends.
    pub(super) span: Span,
}

/// A term that was read, or the parts of one that is.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) term: Cell,
    pub(super) priority: u16,
    /// Where it stands.
    pub(super) span: Span,
    /// Where its parts stand, if that is asked for.
    pub(super) layout: Cell,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum FrameKind {
    Whole,
    Brackets,
    Curly,
    /// The keys and values of a dict, behind its tag.
    Dict,
    Arguments(Atom),
    List,
    /// Behind the bar of a list.
    ListTail,
}

impl FrameKind {
    /// The largest priority of an operator inside. Commas and bars that separate are no operators, so that outside
    /// strict reading any other operator may stand in an argument.
    pub(super) fn priority(self, strict: bool) -> u16 {
        match self {
            Self::Arguments(_) | Self::List | Self::ListTail if strict => 999,
            _ => 1200,
        }
    }

    pub(super) fn closing(self) -> &'static str {
        match self {
            Self::Whole => "the end of the clause",
            Self::Brackets => "`)`",
            Self::Curly => "`}`",
            Self::Dict => "`,` or `}`",
            Self::Arguments(_) => "`,` or `)`",
            Self::List => "`,`, `|` or `]`",
            Self::ListTail => "`]`",
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Operator {
    pub(super) name: Atom,
    pub(super) definition: OperatorDefinition,
    pub(super) span: Span,
}
