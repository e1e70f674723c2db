//! Programs as the engine runs them: compact, flat, free of types.
//!
//! The reader lowers LLVM's types to what the engine needs: every register is one scalar (an integer,
//! a pointer or a floating-point number as bits), aggregates and vectors are several registers in a
//! row, and address arithmetic is a constant plus scaled terms. All tables are vectors under typed
//! ids; nothing here knows LLVM, and the whole is serialisable, because it crosses a process boundary.

mod alias;
mod instruction;
pub mod library;
pub mod reader;

pub use alias::AliasError;
pub use instruction::{
    Argument, Call, CallId, Callee, Class, Clause, ClauseKind, Copied, Edge, EdgeId, Instruction, LandingPad,
    Move, OUTSIDE_OF_VECTOR, Operand, PadId, Predicate, Register, Switch, SwitchId, Term,
};

pub use crate::base::float::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary, Outside};

use serde::{Deserialize, Serialize};

use crate::base::id::id;

id! {
    /// A function of a [`Module`].
    FunctionId
}
id! {
    /// A global variable of a [`Module`].
    GlobalId
}
id! {
    /// A constant of a [`Module`].
    ConstantId
}
id! {
    /// A source position of a [`Module`]; position 0 stands for an unknown one.
    LocationId
}
id! {
    /// A text of a [`Module`].
    TextId
}

/// The version of the serialised form; reader and engine must agree.
pub const FORMAT: u32 = 12;

/// The number of bits of a pointer. Other targets are refused by the reader.
pub const POINTER_BITS: u32 = 64;

/// A whole program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    /// [`FORMAT`] of the reader that wrote this.
    pub format: u32,
    /// Functions, declared and defined.
    pub functions: Vec<Function>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Constants, each once.
    pub constants: Vec<Constant>,
    /// Source positions, each once.
    pub locations: Vec<Location>,
    /// Names of source files and texts of refused instructions, each once.
    pub texts: Vec<String>,
    /// Functions to run before `main`, in order.
    pub constructors: Vec<FunctionId>,
    /// Functions to run where `main` begins, in order, with its arguments: those in sections `.init_array`, by
    /// which Rust's library gets them.
    pub initializers: Vec<FunctionId>,
    /// Functions to run at the end, in order, behind those that the program registered.
    pub destructors: Vec<FunctionId>,
    /// The linked program in LLVM's assembly language, if it was asked for.
    pub assembly: String,
    /// The same as bitcode, if it was asked for.
    pub bitcode: Vec<u8>,
    /// What the reader wants users to know.
    pub warnings: Vec<String>,
}

/// A source position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location {
    /// The file's name, with its folder where the compiler recorded one.
    pub file: Option<TextId>,
    /// Counted from 1; 0 if unknown.
    pub line: u32,
    /// Counted from 1; 0 if unknown.
    pub column: u32,
}

/// A global variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its linker name.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// In bytes, a power of two.
    pub alignment: u64,
    /// Whether writing to it is an error.
    pub constant: bool,
    /// Whether each thread has one of its own.
    pub thread_local: bool,
    /// Whether the program has a definition of it.
    pub defined: bool,
    /// The initial bytes; as many as `size` says if it is defined.
    pub bytes: Vec<u8>,
    /// Addresses in the initial value; the bytes below them are zero.
    pub relocations: Vec<Relocation>,
    /// Why its initial value could not be read, if so; using it is an error with this text.
    pub unreadable: Option<TextId>,
}

/// An address in a global's initial value, or the distance between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    /// Where it is, in bytes from the start of the global.
    pub offset: u64,
    /// What it points to.
    pub symbol: Symbol,
    /// What is added to the address of the symbol.
    pub addend: i64,
    /// The symbol, and what is added to it, whose address is taken away.
    pub less: Option<(Symbol, i64)>,
    /// How many bytes of the result are there; eight for an address.
    pub bytes: u32,
}

/// Something with an address of its own from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Symbol {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
}

/// A constant scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Constant {
    /// Up to 64 bits.
    Bits {
        /// The number of bits.
        width: u32,
        /// The value, below 2^width.
        value: u64,
    },
    /// More than 64 bits.
    Wide {
        /// The number of bits.
        width: u32,
        /// The value, little-endian.
        bytes: Vec<u8>,
    },
    /// An address.
    Address {
        /// Of what.
        symbol: Symbol,
        /// Plus so many bytes.
        offset: i64,
    },
}

impl Constant {
    /// The number of bits.
    #[must_use]
    pub fn width(&self) -> u32 {
        match self {
            Self::Bits { width, .. } | Self::Wide { width, .. } => *width,
            Self::Address { .. } => POINTER_BITS,
        }
    }
}

/// A function; without code if it is only declared.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Function {
    /// Its linker name.
    pub name: String,
    /// The widths of its parameters in bits, after aggregates were split; they arrive in the registers
    /// from 0 on.
    pub parameters: Vec<u32>,
    /// The names of its parameters, where the compiler kept them; after aggregates were split.
    pub names: Vec<Option<TextId>>,
    /// Whether it is the C runtime's and not the program's.
    pub runtime: bool,
    /// What `-fsanitize=function` keeps of its type in front of its code; zeros if that was not asked for.
    pub signature: [u32; 2],
    /// Whether its result is a pointer.
    pub returns_pointer: bool,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// The widths of its results, after aggregates were split.
    pub results: Vec<u32>,
    /// How many registers an activation needs.
    pub registers: u32,
    /// The code, block after block; the entry is at 0.
    pub code: Vec<Instruction>,
    /// The source position of each instruction.
    pub locations: Vec<LocationId>,
    /// The line of each instruction in [`Module::assembly`]; empty if that is.
    pub assembly: Vec<u32>,
    /// Jumps with the moves that stand for phi instructions.
    pub edges: Vec<Edge>,
    /// Moves of the edges.
    pub moves: Vec<Move>,
    /// Calls.
    pub calls: Vec<Call>,
    /// Switches.
    pub switches: Vec<Switch>,
    /// Landing pads, one for each call that has one.
    pub pads: Vec<LandingPad>,
    /// Scaled terms of address arithmetic.
    pub terms: Vec<Term>,
    /// Operands of returns.
    pub operands: Vec<Operand>,
}

impl Function {
    /// Whether the program has a definition of it.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        !self.code.is_empty()
    }
}

/// Whether a file of sources is one of Rust's library, as its compilers call these.
#[must_use]
pub fn is_rust_library(file: &str) -> bool {
    file.starts_with("library/") || file.starts_with("/rustc/") || file.starts_with("/usr/src/rustc-")
}

impl Module {
    /// The function of a name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|function| function.name == name).map(FunctionId::at)
    }

    /// A text by id; empty for an id of another module.
    #[must_use]
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id.index()).map_or("", String::as_str)
    }

    /// How many instructions all functions have.
    #[must_use]
    pub fn instructions(&self) -> usize {
        self.functions.iter().map(|function| function.code.len()).sum()
    }
}
