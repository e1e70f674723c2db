//! The instructions of the abstract machine.
//!
//! They are Warren's with these differences: every variable lives in the store, so there are no unsafe and no
//! local values; nested terms are built and matched from the outside in, the last argument without a register;
//! tests, comparisons and arithmetic are instructions, with an address to go to where they fail (address 0
//! holds [`Instruction::Fail`]). There is no mode: `Unify` instructions match what exists, and where a variable is met
//! instead, the code goes on at `Set` instructions that build the same arguments.
//!
//! Frequent pairs are instructions of their own, since going from one to the next costs as much as what they do.

use crate::check::Counter;
use crate::machine::PredicateId;
use crate::term::Cell;

/// A temporary register.
pub type X = u16;
/// A slot of the current environment.
pub type Y = u16;
/// The position of an instruction in the code area.
pub type Address = u32;

/// Which slots of the environment the code behind a call still reads: for the collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live(u32);

impl Live {
    /// No slot.
    pub const NONE: Self = Self(0);
    /// Every slot of the environment, all of which must be initialised.
    pub const ALL: Self = Self(u32::MAX);
    /// This bit tells that the rest is the number of a set in a table.
    const SET: u32 = 1 << 31;

    /// The slots as bits, if all of them have one.
    pub(crate) fn few(slots: &[Y]) -> Option<Self> {
        let fits = slots.iter().all(|&slot| slot < 31);
        fits.then(|| Self(slots.iter().fold(0, |bits, &slot| bits | 1 << slot)))
    }

    /// The slots of a numbered set.
    pub(crate) const fn numbered(set: u32) -> Self {
        Self(Self::SET | set)
    }

    /// The number of the set, if it is one.
    pub(crate) fn set_number(self) -> Option<usize> {
        (self.0 & Self::SET != 0).then_some((self.0 & !Self::SET) as usize)
    }

    /// The slots, if they are bits.
    pub(crate) fn slots(self) -> impl Iterator<Item = usize> {
        (0..31).filter(move |slot| self.0 >> slot & 1 == 1)
    }
}

/// Type tests that are instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// A free variable.
    Var,
    /// Anything else.
    Nonvar,
    /// An atom.
    Atom,
    /// An integer.
    Integer,
    /// A float.
    Float,
    /// An integer or float.
    Number,
    /// An atom or number.
    Atomic,
    /// A list cell or structure.
    Compound,
    /// An atom, list cell or structure.
    Callable,
}

/// Comparisons of numbers and of terms. The discriminants are sets of the orders that satisfy them: bit 0 is less,
/// bit 1 equal, bit 2 greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Comparison {
    /// Equal.
    Equal = 0b010,
    /// Different.
    NotEqual = 0b101,
    /// Less.
    Less = 0b001,
    /// Less or equal.
    LessEqual = 0b011,
    /// Greater.
    Greater = 0b100,
    /// Greater or equal.
    GreaterEqual = 0b110,
}

impl Comparison {
    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// Whether an order satisfies the comparison.
    #[inline]
    #[must_use]
    pub fn accepts(self, order: std::cmp::Ordering) -> bool {
        self as u8 >> (order as i8 + 1) & 1 == 1
    }
}

/// Arithmetic that is an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `//`
    Divide,
    /// `mod`
    Modulo,
    /// `rem`
    Remainder,
    /// `/\`
    And,
    /// `\/`
    Or,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Backtracks.
    Fail,
    /// Ends a run with success.
    Stop,
    /// Ends a run with failure.
    StopFail,

    /// Makes an environment with this many slots.
    Allocate(u16),
    /// Leaves the environment.
    Deallocate,
    /// Leaves the environment and calls a predicate in its place.
    DeallocateExecute(PredicateId),
    /// Leaves the environment and returns.
    DeallocateProceed,
    /// Calls a predicate. The slots are those needed after the call.
    Call(PredicateId, Live),
    /// Calls a predicate in place of the rest of the clause.
    Execute(PredicateId),
    /// Returns.
    Proceed,
    /// Continues elsewhere.
    Jump(Address),
    /// The predicate has no clauses: an error, or failure if it is dynamic.
    Undefined(PredicateId),
    /// The predicate is one of the library whose clauses are not compiled yet: they are, and it goes on there. Or it is
    /// one of a text that is being read, and the clauses read so far run one by one.
    Uncompiled(PredicateId),
    /// Calls the library's tracer with the call of this predicate, which came from another module or from its own.
    Traced(PredicateId, bool),
    /// Gives the goals among the arguments the module of this predicate and continues at the one that it follows.
    Forward(PredicateId),
    /// Calls the goal in X0 with this many additional arguments behind it.
    MetaCall(u16),
    /// Calls a built-in whose arguments start at a register.
    Builtin(u32, X),
    /// Starts the clauses of a dynamic predicate.
    Dynamic(PredicateId),
    /// Continues with the next clause of a dynamic predicate.
    DynamicNext,

    /// Makes a choicepoint for the next instruction and continues at an address.
    Try(Address, u16),
    /// Leaves the choicepoint for the next instruction and continues at an address.
    Retry(Address),
    /// Drops the choicepoint and continues at an address.
    Trust(Address),
    /// Makes a choicepoint without arguments for an address.
    TryElse(Address),
    /// Drops the choicepoint that led here. The slots are those needed from here on.
    TrustElse(Live),
    /// Chooses clauses by an argument.
    Switch(u32),
    /// Chooses clauses by an argument: where to go with a variable, a list cell, and `[]`. Anything else fails.
    SwitchList(X, Address, Address, Address),
    /// [`Instruction::SwitchList`] with the list's clause behind it: X becomes its head, X its tail.
    SwitchListVariables(X, X, X, Address, Address),
    /// In front of a predicate whose clause for lists says `p([H|T], [H|R]) :- p(T, R)`, with the list in X,
    /// the other one in X and perhaps more arguments that stay: executes this clause as often as the first
    /// argument is a list, and continues at an address. So it copies a list, with one instruction.
    CopyList(X, X, PredicateId, Address),
    /// Continues elsewhere if X is a variable that may be bound.
    JumpIfFree(X, Address),
    /// Goes elsewhere unless X, which is not free, is a constant.
    MatchConstant(X, Address, Cell),
    /// Goes elsewhere unless X, which is not free, is a list cell, whose arguments are then next.
    MatchList(X, Address),
    /// Goes elsewhere unless X, which is not free, is a structure, whose arguments are then next.
    MatchStructure(X, Address, Cell),
    /// Goes elsewhere if two terms are different whatever is bound, and to another place if that depends on it.
    MatchValue(X, X, Address, Address),
    /// Goes elsewhere unless two numbers compare so, and to another place if one is none.
    MatchNumbers(Comparison, X, X, Address, Address),
    /// Goes elsewhere unless a number and a small integer compare so, and to another place if it is none.
    MatchSmall(Comparison, X, i32, Address, Address),
    /// Keeps the present choicepoint in a slot.
    SaveLevel(Y),
    /// Keeps in a slot the choicepoint that a cut returns to.
    SaveCut(Y),
    /// The choicepoint that a cut returns to is the one in a slot again.
    RestoreCut(Y),
    /// Cuts back to the choicepoint in a slot.
    Cut(Y),
    /// Cuts back to the choicepoint at the predicate's call.
    NeckCut,
    /// Makes the choicepoint above the one in a slot fail without effect.
    SoftCut(Y),
    /// Makes the choicepoint of `catch/3` and keeps its position in slot 0.
    PushCatch,
    /// Drops the choicepoint of `catch/3` if nothing is above it.
    PopCatch,
    /// Drops the choicepoint that led here and backtracks.
    PopFail,
    /// Drops the choicepoint that led here, runs the cleanup that it holds, and backtracks.
    Cleanup,
    /// Collects garbage; no register is needed afterwards.
    Collect,

    /// X := X.
    Move(X, X),
    /// X := X, twice, one after the other.
    Moves(X, X, X, X),
    /// Y := X.
    GetVariableY(Y, X),
    /// Y := X, twice.
    GetVariablesY(Y, X, Y, X),
    /// Unifies Y with X.
    GetValueY(Y, X),
    /// Unifies X with X.
    GetValueX(X, X),
    /// Unifies X with a constant.
    GetConstant(X, Cell),
    /// Unifies X with a structure whose arguments follow; a free variable goes elsewhere to get one.
    GetStructure(X, Address, Cell),
    /// Unifies X with a list cell whose head and tail follow; a free variable goes elsewhere to get one.
    GetList(X, Address),
    /// Unifies X with a list cell whose head and tail are variables met first here.
    GetListVariables(X, X, X),
    /// Unifies X with a list cell of a known head and a tail met first here.
    GetListValue(X, X, X),

    /// The next argument into X.
    UnifyVariableX(X),
    /// The next argument into Y.
    UnifyVariableY(Y),
    /// Unifies the next argument with X.
    UnifyValueX(X),
    /// Unifies the next argument with Y.
    UnifyValueY(Y),
    /// Unifies the next argument with a constant.
    UnifyConstant(Cell),
    /// Skips arguments.
    UnifyVoid(u16),
    /// The next two arguments into X and X.
    UnifyVariables(X, X),
    /// The last argument is a list cell, whose head and tail follow; a free variable goes elsewhere.
    UnifyTailList(Address),
    /// The last argument is a structure, whose arguments follow; a free variable goes elsewhere.
    UnifyTailStructure(Address, Cell),

    /// A new variable into Y and X.
    PutVariableY(Y, X),
    /// A new variable into X.
    PutVariableX(X),
    /// X := Y.
    PutValueY(Y, X),
    /// X := Y, twice.
    PutValuesY(Y, X, Y, X),
    /// X := a constant.
    PutConstant(X, Cell),
    /// X := a number that does not fit into a cell, by its position in their table.
    PutBoxed(X, u32),
    /// X := a new structure whose arguments follow.
    PutStructure(X, Cell),
    /// X := a new list cell whose head and tail follow.
    PutList(X),
    /// The free variable in X, just made, becomes a structure whose arguments follow.
    FillStructure(X, Cell),
    /// The free variable in X, just made, becomes a list cell whose head and tail follow.
    FillList(X),

    /// The next argument is a new variable, also in X.
    SetVariableX(X),
    /// The next argument is a new variable, also in Y.
    SetVariableY(Y),
    /// The next argument is X.
    SetValueX(X),
    /// The next arguments are X and X.
    SetValuesX(X, X),
    /// The next argument is Y.
    SetValueY(Y),
    /// The next argument is a constant.
    SetConstant(Cell),
    /// The next arguments are new variables.
    SetVoid(u16),
    /// The last argument is a new list cell, whose head and tail follow.
    SetTailList,
    /// The last argument is a new structure, whose arguments follow.
    SetTailStructure(Cell),

    /// Unifies two registers, or goes elsewhere.
    Unify(X, X),
    /// Tests the kind of a term, or goes elsewhere.
    Test(Test, X, Address),
    /// Compares two terms in the standard order, or goes elsewhere.
    CompareTerms(Comparison, X, X, Address),
    /// Compares two numbers, or goes elsewhere.
    CompareNumbers(Comparison, X, X, Address),
    /// Compares a number with a small integer, or goes elsewhere.
    CompareSmall(Comparison, X, i32, Address),
    /// X := the value of an arithmetic term.
    Evaluate(X, X),
    /// X := X op X.
    Arithmetic(Arithmetic, X, X, X),
    /// X := X op a small integer.
    ArithmeticSmall(Arithmetic, X, X, i32),
    /// X := X + X.
    Add(X, X, X),
    /// X := X - X.
    Subtract(X, X, X),
    /// X := X + a small integer.
    AddSmall(X, X, i32),

    /// Checks a contract's preconditions on the arguments; continues at the body, or behind this instruction
    /// with an environment that keeps the arguments if there are postconditions to check.
    EnterContract(u32),
    /// The same where so many checks from one on are made in front of the call, nothing is checked behind it, and the
    /// body is at an address.
    EnterBare(u32, Counter, Address, u8),
    /// The same with two checks, and with three, as most have: nothing has to be asked for their number.
    EnterBareTwo(u32, Counter, Address),
    /// See [`Instruction::EnterBareTwo`].
    EnterBareThree(u32, Counter, Address),
    /// The same where conditions on success are checked behind the call: with the number of arguments that the
    /// environment keeps.
    EnterFramed(u32, Counter, Address, u8, u8),
    /// The same with two checks, and with three.
    EnterFramedTwo(u32, Counter, Address, u8),
    /// See [`Instruction::EnterFramedTwo`].
    EnterFramedThree(u32, Counter, Address, u8),
    /// The same where the arguments are not few.
    EnterFramedWide(u32, Counter, Address, u8, u8),
    /// Continues at the second body of the predicate of a contract whose calls condition is proved, with an environment
    /// that keeps the arguments and returns to the address.
    EnterProved(u32, Address),
    /// Continues at an address while what was proved may be relied upon.
    EnterTrusted(Address),
    /// Checks a contract's postconditions on the kept arguments; continues further on if they are violated.
    LeaveContract(u32),
    /// The same where one kept argument is checked, by one check.
    LeaveOne(u32, X, Counter),
    /// The same of two, the second of which is counted behind the first.
    LeaveTwo(u32, X, X, Counter),
    /// Makes the environment of a contract that was entered without one: so many arguments are kept, and a return goes
    /// to the address, where they are checked.
    KeepArguments(u8, Address),
    /// Returns from a clause whose arguments are all in their registers, once one of them is checked by the check on
    /// success of this contract. Whatever the check leaves open is left to the contract.
    FinishOne(u32, X, Counter),
    /// The same where so many checks from one on are made.
    Finish(u32, Counter, u8),
    /// Goes on after a violated calls condition that the program survives.
    ResumeContract(u32),
    /// Leaves the goal of the nearest `reset/3` whose ball unifies with X0.
    Shift,
    /// Goes on where the continuation in X0 says.
    Continue,
    /// Calls the body of the predicate of the contract in X0 with the arguments in X1.
    ContractBody,
    /// Calls the body of a predicate, without its contract.
    CallBody(PredicateId),

    // Each of these is two instructions in the place of the first; see `Instruction::with`.
    /// Move, Execute.
    MoveExecute(X, X, PredicateId),
    /// UnifyVariableX, Execute.
    UnifyVariableExecute(X, PredicateId),
    /// GetListValue, Execute.
    GetListValueExecute(X, X, X, PredicateId),
    /// PutVariableY, Call.
    PutVariableCall(Y, X, PredicateId),
    /// PutValueY, Call.
    PutValueCall(Y, X, PredicateId),
    /// PutValuesY, DeallocateExecute.
    PutValuesLeave(Y, X, Y, X, PredicateId),
    /// PutValueY, DeallocateExecute.
    PutValueLeave(Y, X, PredicateId),
    /// GetConstant, Proceed.
    GetConstantProceed(X, Cell),
    /// GetValueX, Proceed.
    GetValueProceed(X, X),
    /// Unify, Proceed.
    UnifyProceed(X, X),
    /// GetList, UnifyVariableX.
    GetListVariable(X, Address, X),
    /// GetList, UnifyValueX.
    GetListSame(X, Address, X),
    /// GetList, UnifyVoid.
    GetListVoid(X, Address, u16),
    /// UnifyVoid, UnifyVariableX.
    UnifyVoidVariable(u16, X),
    /// Allocate, SaveCut.
    AllocateSaveCut(u16, Y),
    /// AddSmall, Move.
    AddSmallMove(X, X, i32, X, X),
}

impl Instruction {
    /// The instruction that does what this one and the next do, for pairs that are frequent in programs: going from one
    /// to the next costs as much as what they do. It takes the place of the first one only. The second one stays where
    /// it is, since others go there and the collector, the tracer and others read the code: all but the loop see the
    /// first alone.
    #[must_use]
    pub(in crate::machine) fn with(self, next: Self) -> Option<Self> {
        use Instruction as I;
        Some(match (self, next) {
            (I::Move(from, to), I::Execute(called)) => I::MoveExecute(from, to, called),
            (I::UnifyVariableX(a), I::Execute(called)) => I::UnifyVariableExecute(a, called),
            (I::GetListValue(a, head, tail), I::Execute(called)) => {
                I::GetListValueExecute(a, head, tail, called)
            }
            (I::PutVariableY(slot, a), I::Call(called, _)) => I::PutVariableCall(slot, a, called),
            (I::PutValueY(slot, a), I::Call(called, _)) => I::PutValueCall(slot, a, called),
            (I::PutValuesY(slot, a, other, b), I::DeallocateExecute(called)) => {
                I::PutValuesLeave(slot, a, other, b, called)
            }
            (I::PutValueY(slot, a), I::DeallocateExecute(called)) => I::PutValueLeave(slot, a, called),
            (I::GetConstant(a, constant), I::Proceed) => I::GetConstantProceed(a, constant),
            (I::GetValueX(a, b), I::Proceed) => I::GetValueProceed(a, b),
            (I::Unify(a, b), I::Proceed) => I::UnifyProceed(a, b),
            (I::GetList(a, build), I::UnifyVariableX(head)) => I::GetListVariable(a, build, head),
            (I::GetList(a, build), I::UnifyValueX(head)) => I::GetListSame(a, build, head),
            (I::GetList(a, build), I::UnifyVoid(count)) => I::GetListVoid(a, build, count),
            (I::UnifyVoid(count), I::UnifyVariableX(a)) => I::UnifyVoidVariable(count, a),
            (I::Allocate(slots), I::SaveCut(slot)) => I::AllocateSaveCut(slots, slot),
            (I::AddSmall(a, to, addend), I::Move(from, other)) => I::AddSmallMove(a, to, addend, from, other),
            _ => return None,
        })
    }

    /// The contract that it enters.
    #[must_use]
    pub(in crate::machine) fn entered_contract(self) -> Option<u32> {
        use Instruction as I;
        match self {
            I::EnterContract(number)
            | I::EnterBare(number, ..)
            | I::EnterBareTwo(number, ..)
            | I::EnterBareThree(number, ..)
            | I::EnterFramed(number, ..)
            | I::EnterFramedTwo(number, ..)
            | I::EnterFramedThree(number, ..)
            | I::EnterFramedWide(number, ..) => Some(number),
            _ => None,
        }
    }

    /// The constant or functor that stands in it.
    #[must_use]
    pub(in crate::machine) fn constant(self) -> Option<Cell> {
        use Instruction as I;
        match self {
            I::MatchConstant(_, _, cell)
            | I::MatchStructure(_, _, cell)
            | I::GetConstant(_, cell)
            | I::GetConstantProceed(_, cell)
            | I::GetStructure(_, _, cell)
            | I::UnifyConstant(cell)
            | I::UnifyTailStructure(_, cell)
            | I::PutConstant(_, cell)
            | I::PutStructure(_, cell)
            | I::FillStructure(_, cell)
            | I::SetConstant(cell)
            | I::SetTailStructure(cell) => Some(cell),
            _ => None,
        }
    }

    /// The first one of two that [`Instruction::with`] put together; any other instruction as it is.
    #[must_use]
    pub(in crate::machine) fn alone(self) -> Self {
        use Instruction as I;
        match self {
            I::MoveExecute(from, to, _) => I::Move(from, to),
            I::UnifyVariableExecute(a, _) => I::UnifyVariableX(a),
            I::GetListValueExecute(a, head, tail, _) => I::GetListValue(a, head, tail),
            I::PutVariableCall(slot, a, _) => I::PutVariableY(slot, a),
            I::PutValueCall(slot, a, _) | I::PutValueLeave(slot, a, _) => I::PutValueY(slot, a),
            I::PutValuesLeave(slot, a, other, b, _) => I::PutValuesY(slot, a, other, b),
            I::GetConstantProceed(a, constant) => I::GetConstant(a, constant),
            I::GetValueProceed(a, b) => I::GetValueX(a, b),
            I::UnifyProceed(a, b) => I::Unify(a, b),
            I::GetListVariable(a, build, _) | I::GetListSame(a, build, _) | I::GetListVoid(a, build, _) => {
                I::GetList(a, build)
            }
            I::UnifyVoidVariable(count, _) => I::UnifyVoid(count),
            I::AllocateSaveCut(slots, _) => I::Allocate(slots),
            I::AddSmallMove(a, to, addend, ..) => I::AddSmall(a, to, addend),
            other => other,
        }
    }
}
