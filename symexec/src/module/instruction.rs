//! The instructions: scalar, in three-address form, small and `Copy`; long parts are in side tables of
//! the function.

use serde::{Deserialize, Serialize};

use super::{ConstantId, FunctionId, TextId};
use crate::base::bits::BinaryOp;
use crate::base::float::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary};
use crate::base::id::id;

id! {
    /// A register of a function's activation.
    Register
}
id! {
    /// An [`Edge`] of a function.
    EdgeId
}
id! {
    /// A [`Call`] of a function.
    CallId
}
id! {
    /// A [`Switch`] of a function.
    SwitchId
}
id! {
    /// A [`LandingPad`] of a function.
    PadId
}

/// Where an instruction takes a scalar from: a register or a constant, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

const CONSTANT: u32 = 1 << 31;

impl Operand {
    /// The content of a register.
    #[must_use]
    pub fn register(register: Register) -> Self {
        Self(register.0 & !CONSTANT)
    }

    /// A constant.
    #[must_use]
    pub fn constant(constant: ConstantId) -> Self {
        Self(constant.0 | CONSTANT)
    }

    /// Which of the two it is.
    pub fn get(self) -> Result<Register, ConstantId> {
        if self.0 & CONSTANT == 0 { Ok(Register(self.0)) } else { Err(ConstantId(self.0 & !CONSTANT)) }
    }
}

/// A comparison of integers or pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "LLVM's names: unsigned and signed, less, greater, or equal")]
pub enum Predicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// One step of a program. Widths are in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instruction {
    /// An operation on two integers; a pointer is an integer of [`super::POINTER_BITS`].
    Binary {
        /// Which one.
        op: BinaryOp,
        /// Of the operands and the result.
        width: u32,
        /// Takes the result.
        to: Register,
        /// First operand.
        left: Operand,
        /// Second operand.
        right: Operand,
    },
    /// A comparison of two integers or pointers; the result has one bit.
    Compare {
        /// Which one.
        predicate: Predicate,
        /// Of the operands.
        width: u32,
        /// Takes the result.
        to: Register,
        /// First operand.
        left: Operand,
        /// Second operand.
        right: Operand,
    },
    /// One of two values.
    Select {
        /// Of the values.
        width: u32,
        /// Takes the result.
        to: Register,
        /// One bit.
        condition: Operand,
        /// The value for 1.
        yes: Operand,
        /// The value for 0.
        no: Operand,
    },
    /// Some bits of a value; truncation is `low: 0`.
    Extract {
        /// Width of the operand.
        from: u32,
        /// The lowest bit taken.
        low: u32,
        /// How many are taken.
        width: u32,
        /// Takes the result.
        to: Register,
        /// The operand.
        value: Operand,
    },
    /// A wider value.
    Extend {
        /// Whether copies of the highest bit come in, and not zeros.
        signed: bool,
        /// Width of the operand.
        from: u32,
        /// Width of the result.
        width: u32,
        /// Takes the result.
        to: Register,
        /// The operand.
        value: Operand,
    },
    /// Two values, one above the other.
    Concat {
        /// Width of the upper value.
        high_width: u32,
        /// Width of the lower value.
        low_width: u32,
        /// Takes the result.
        to: Register,
        /// The upper value.
        high: Operand,
        /// The lower value.
        low: Operand,
    },
    /// A value as it is.
    Copy {
        /// Of the value.
        width: u32,
        /// Takes the result.
        to: Register,
        /// The value.
        value: Operand,
    },
    /// How many bits are one.
    CountOnes {
        /// Of operand and result.
        width: u32,
        /// Takes the result.
        to: Register,
        /// The operand.
        value: Operand,
    },
    /// How many zeros there are before the first one; the width if there is none.
    CountZeros {
        /// Whether they are counted from the highest bit, and not from the lowest.
        leading: bool,
        /// Of operand and result.
        width: u32,
        /// Takes the result.
        to: Register,
        /// The operand.
        value: Operand,
    },
    /// A pointer plus a constant plus scaled terms.
    Offset {
        /// Takes the result.
        to: Register,
        /// The pointer.
        base: Operand,
        /// In bytes.
        constant: i64,
        /// First of the terms.
        first: u32,
        /// How many terms.
        count: u32,
    },
    /// Reads from memory, little-endian; as many bytes as the width needs.
    Load {
        /// Of the result.
        width: u32,
        /// Takes the result.
        to: Register,
        /// From where.
        pointer: Operand,
    },
    /// Writes to memory.
    Store {
        /// Of the value.
        width: u32,
        /// What.
        value: Operand,
        /// Where.
        pointer: Operand,
    },
    /// A new object that lives as long as the activation.
    Allocate {
        /// Takes its address.
        to: Register,
        /// In bytes, of one element.
        size: u64,
        /// How many elements.
        count: Operand,
        /// Width of the count.
        count_width: u32,
        /// In bytes.
        alignment: u64,
    },
    /// How many local objects the activation has, for [`Self::RestoreStack`].
    SaveStack {
        /// Takes the number.
        to: Register,
    },
    /// Ends the life of the objects that [`Self::Allocate`] made since.
    RestoreStack {
        /// What was saved.
        saved: Operand,
    },
    /// Copies bytes.
    CopyMemory {
        /// Where to.
        to: Operand,
        /// Where from.
        from: Operand,
        /// How many.
        length: Operand,
        /// Width of the length.
        width: u32,
    },
    /// Writes one byte many times.
    FillMemory {
        /// Where to.
        to: Operand,
        /// The byte.
        value: Operand,
        /// How many.
        length: Operand,
        /// Width of the length.
        width: u32,
    },
    /// Points a `va_list` to the first argument beyond the fixed ones.
    StartArguments {
        /// The list.
        list: Operand,
    },
    /// An operation on two floating-point numbers.
    Float {
        /// Which one.
        op: FloatOp,
        /// Of operands and result.
        format: FloatFormat,
        /// Takes the result.
        to: Register,
        /// First operand.
        left: Operand,
        /// Second operand.
        right: Operand,
    },
    /// An operation on one floating-point number.
    FloatUnary {
        /// Which one.
        op: FloatUnary,
        /// Of operand and result.
        format: FloatFormat,
        /// Takes the result.
        to: Register,
        /// The operand.
        value: Operand,
    },
    /// A product plus a third number, rounded once.
    FloatFused {
        /// Of operands and result.
        format: FloatFormat,
        /// Takes the result.
        to: Register,
        /// First factor.
        left: Operand,
        /// Second factor.
        right: Operand,
        /// What is added.
        added: Operand,
    },
    /// A comparison of floating-point numbers; the result has one bit.
    FloatCompare {
        /// Which one.
        predicate: FloatPredicate,
        /// Of the operands.
        format: FloatFormat,
        /// Takes the result.
        to: Register,
        /// First operand.
        left: Operand,
        /// Second operand.
        right: Operand,
    },
    /// A conversion to or from floating point.
    FloatConvert {
        /// Which one.
        conversion: FloatConversion,
        /// Takes the result.
        to: Register,
        /// The operand.
        value: Operand,
    },
    /// A call.
    Call(CallId),
    /// Goes on elsewhere.
    Jump(EdgeId),
    /// Goes on at one of two places.
    Branch {
        /// One bit.
        condition: Operand,
        /// For 1.
        yes: EdgeId,
        /// For 0.
        no: EdgeId,
    },
    /// Goes on at one of many places.
    Switch(SwitchId),
    /// Ends the activation.
    Return {
        /// First of the results among the function's operands.
        first: u32,
        /// How many.
        count: u32,
    },
    /// Must not be reached.
    Unreachable,
    /// Something that the engine cannot run, or the program must not do; reaching it is an error with this text.
    Refuse(TextId),
}

/// The texts of errors where an element is read or written that a vector does not have. They have a kind of their own
/// in KLEE.
pub const OUTSIDE_OF_VECTOR: [&str; 2] =
    ["Out of bounds read when extracting element", "Out of bounds write when inserting element"];

/// A scaled term of address arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// The index, signed.
    pub index: Operand,
    /// Its width.
    pub width: u32,
    /// Bytes per step.
    pub scale: u64,
}

/// A jump: all moves happen at once, then the code goes on at the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Position in the function's code.
    pub target: u32,
    /// First of the moves.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// One move of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Takes the value.
    pub to: Register,
    /// The value before the jump.
    pub value: Operand,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// With what, after aggregates were split.
    pub arguments: Vec<Argument>,
    /// The first register of the result; the others follow.
    pub to: Register,
    /// The widths of the results, after aggregates were split.
    pub results: Vec<u32>,
    /// Where to go on if an exception leaves the callee; `None` if it leaves the caller as well.
    pub pad: Option<PadId>,
}

/// Where an exception goes on that leaves a call, and which ones it wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LandingPad {
    /// Leads to what follows the landing pad's own instruction.
    pub edge: EdgeId,
    /// Takes the exception; the register behind it takes the selector.
    pub to: Register,
    /// What it wants, in the program's order.
    pub clauses: Vec<Clause>,
}

/// A part of what a landing pad wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// Which sort.
    pub kind: ClauseKind,
    /// The description of a type; null for all types.
    pub ty: Operand,
    /// What the pad's code calls it.
    pub selector: i32,
}

/// A sort of clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClauseKind {
    /// Every exception on its way out.
    Cleanup,
    /// Exceptions of a type.
    Catch,
    /// A type of a filter, which ends with [`ClauseKind::Filter`].
    Allowed,
    /// All exceptions but those of the types before.
    Filter,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callee {
    /// A function by name.
    Function(FunctionId),
    /// Whatever a pointer points to.
    Pointer(Operand),
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// The value; a pointer to it if it is passed in memory.
    pub value: Operand,
    /// Its width.
    pub width: u32,
    /// Whether the rest of its register is filled with its sign, and not with zeros.
    pub signed: bool,
    /// What it takes to pass it.
    pub class: Class,
    /// Set if the value lies in memory, of which the callee gets a copy.
    pub copied: Option<Copied>,
}

impl Argument {
    /// How many bits of its register have its value, sign included; the rest is taken for zeros, as the
    /// machine's instructions on 32 bits leave it, though the convention promises nothing about it.
    #[must_use]
    pub fn filled(&self) -> u32 {
        if self.signed { self.width.max(32) } else { self.width }
    }
}

/// What passes an argument, by the convention of x86_64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// Registers for integers and pointers, if enough are left.
    Integer,
    /// A register for floating-point numbers and vectors, if one is left.
    Vector,
    /// The register of the argument before: it is a further element of the same vector.
    Continued,
    /// Memory.
    Memory,
}

/// An argument that is passed in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// How many bytes it has.
    pub size: u64,
    /// To which multiple of bytes its copy is aligned.
    pub alignment: u64,
}

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// What decides.
    pub value: Operand,
    /// Its width.
    pub width: u32,
    /// Values with their targets, in the program's order.
    pub cases: Vec<(ConstantId, EdgeId)>,
    /// Where to go otherwise.
    pub default: EdgeId,
}
