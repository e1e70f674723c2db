//! Contracts: a predicate's assertion conditions, evaluated around its calls (section 4 of the paper).
//!
//! The paper generates clauses `p_C` and `p_S` that reify properties with `reify_check/2` and combine the
//! results by bitwise arithmetic. Here the same structure is data: the distinct property literals before and
//! after the call, the distinct conjunctions of preconditions over the former, and which of them calls and
//! success conditions speak of. Each literal is reified at most once before and once after the call; only the
//! statuses of whole preconditions cross over.
//!
//! A contract whose literals are all regular types, `var` or `nonvar` is evaluated by the machine itself, on the
//! argument registers, with one slot of the environment for the statuses that cross over. A contract that has to call
//! predicates (other properties) or to watch the computation (`is_det` and so on) goes through the library's
//! `'$rtc_calls'/2` and its relatives: Prolog that asks [`Machine::contract_step`] what to call next, so that no
//! property is ever run on the native stack. `evaluate` is shared by both; `violation` makes the terms that tell what
//! was violated, `location` finds the clause that called.
//!
//! While a property is being called no contract is checked and no variable of its arguments can be bound
//! ([`Machine::guard`]).

pub(super) mod proof;
mod evaluate;
mod exits;
mod flags;
mod gate;
mod leave;
mod location;
mod plan;
mod violation;

pub use exits::Promise;
pub(super) use flags::Wrappers;
pub use flags::{CallLocation, CheckFlags, CheckLevel, OnViolation};
pub(super) use gate::Gate;
pub use location::ClauseCode;
pub(super) use plan::Plan;

use super::code::instruction::{Instruction, Live};
use super::contract::proof::Claims;
use super::{Address, ENVIRONMENT_HEADER, Machine, Outcome, PredicateId};
use crate::check::Site;
use crate::regtype::TypeId;
use crate::term::{Atom, Cell, Record, atom};
use evaluate::{Failure, Held, Status};
use plan::Statuses;

/// How a property literal is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyTest {
    /// The argument has a regular type.
    Type(TypeId),
    /// The argument is a free variable.
    Var,
    /// The argument is not a free variable.
    Nonvar,
    /// Some instance of the argument has a regular type.
    Compatible(TypeId),
    /// The literal, called, succeeds and binds nothing.
    Call,
    /// The literal, called, succeeds; its bindings are undone.
    CallCompatible,
}

impl PropertyTest {
    /// Whether the machine must run Prolog to decide it.
    #[must_use]
    pub fn is_called(self) -> bool {
        matches!(self, Self::Call | Self::CallCompatible)
    }
}

/// A property literal: a test of one argument, or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// Which argument, from 0, if it is a test of one.
    pub argument: u16,
    /// What must hold.
    pub test: PropertyTest,
    /// Where the check is asked for: another number for each literal of each contract, before and after.
    pub site: Site,
}

/// A literal as a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// `t(Literal, X1, ..., Xn, Y1, ..., Ym)`: the literal, the head's arguments and its other variables, all as
    /// variables.
    pub term: Record,
    /// The names of its variables that are not the head's.
    pub others: Vec<Atom>,
    /// The module in which it is called.
    pub module: Atom,
    /// Whether it is a property of the computation that the program itself defines.
    pub own: bool,
}

/// Where an assertion stands, and what it calls the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionPlace {
    /// The file.
    pub file: Atom,
    /// The first and the last line.
    pub lines: (usize, usize),
    /// The names of the head's variables.
    pub names: Vec<Atom>,
}

/// What is violated when a condition after the call does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterKind {
    /// A postcondition.
    Success,
    /// The arguments are no longer compatible with what they were said to be compatible with.
    Compatible,
}

/// One assertion's condition on success: if the precondition held at the call, the postcondition must hold now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuccessCondition {
    /// What it is.
    pub kind: AfterKind,
    /// Which preconditions, by number; one must have held. None at all means any call.
    pub preconditions: Vec<u16>,
    /// The alternatives of the postcondition, each a conjunction of properties by number.
    pub postconditions: Vec<Vec<u16>>,
    /// The assertion, by its number among the contract's.
    pub assertion: u16,
}

/// One assertion's condition on the computation: if the precondition held at the call, it must have the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompCondition {
    /// Which preconditions, by number; one must have held. None at all means any call.
    pub preconditions: Vec<u16>,
    /// The property.
    pub literal: Literal,
    /// The assertion, by its number among the contract's.
    pub assertion: u16,
}

/// One alternative of what a call may look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which precondition, by number.
    pub precondition: u16,
    /// The assertion, by its number among the contract's.
    pub assertion: u16,
}

/// The assertion conditions of one predicate.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The predicate.
    pub predicate: PredicateId,
    /// The distinct properties that preconditions are made of.
    pub before: Vec<Property>,
    /// The distinct properties that postconditions are made of.
    pub after: Vec<Property>,
    /// The literals of [`Contract::before`] and [`Contract::after`] as terms.
    pub literals: [Vec<Literal>; 2],
    /// The distinct preconditions: conjunctions of properties by number. At most [`Contract::MAX_PRECONDITIONS`].
    pub preconditions: Vec<Vec<u16>>,
    /// The preconditions, as bits, whose statuses cross over to conditions behind the call.
    pub shared: Held,
    /// The calls condition: one of these must hold. Empty if every call is admissible.
    pub calls: Vec<Alternative>,
    /// The same for compatibility.
    pub compat: Vec<Alternative>,
    /// The conditions on success.
    pub successes: Vec<SuccessCondition>,
    /// The conditions on the computation.
    pub comps: Vec<CompCondition>,
    /// The assertions.
    pub assertions: Vec<AssertionPlace>,
    /// The file of the predicate's clauses.
    pub file: Atom,
    /// The lines of the predicate's clauses.
    pub lines: (usize, usize),
    /// The library predicate that evaluates the contract, if the machine cannot do so alone.
    pub driver: Option<PredicateId>,
    /// What is proved and checked all the same, for audits.
    pub claims: Claims,
    /// Whether it is another contract once more, for calls whose condition is proved.
    pub again: bool,
    /// Whether it is that of a unit test, around calls of the predicate with its own contract.
    pub test: bool,
}

impl Contract {
    /// Their statuses must fit into one cell.
    pub const MAX_PRECONDITIONS: usize = 60;

    /// Whether another contract of the same assertions asks for the same: names may mean something else by now.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let same = |one: &[Property], other: &[Property]| {
            let tests = |properties: &[Property]| -> Vec<(u16, PropertyTest)> {
                properties.iter().map(|property| (property.argument, property.test)).collect()
            };
            tests(one) == tests(other)
        };
        self.driver == other.driver
            && self.assertions == other.assertions
            && same(&self.before, &other.before)
            && same(&self.after, &other.after)
    }

    /// Whether anything is checked behind the call.
    #[must_use]
    pub fn checks_after(&self) -> bool {
        !self.successes.is_empty()
    }
}

/// A violated assertion condition.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The term `rtcheck(Type, Pred, Dict, Prop, Valid, Locs)`, as Ciao signals it.
    pub ball: Record,
}

/// A number that stands for the evaluation before the call where one evaluation is meant.
const BEFORE: i64 = -1;

impl Machine {
    /// Writes the code that calls of a contract's predicate go through, and returns its address. `violations` is the
    /// library predicate that is told of violations.
    pub fn add_wrapper(&mut self, number: u32, violations: PredicateId) -> Address {
        let contract = &self.contracts[number as usize];
        let arity = self.predicate_at(contract.predicate).arity;
        let plan = Plan::new(contract, arity, &self.types, &mut self.checker);
        if self.plans.len() <= number as usize {
            self.plans.resize_with(number as usize + 1, || None);
            self.gates.resize(number as usize + 1, Gate::CLOSED);
        }
        self.plans[number as usize] = plan;
        (self.gates[number as usize].entry, self.gates[number as usize].by_exits) = (None, None);
        self.refresh_gate(number);
        let contract = &self.contracts[number as usize];
        let mut code = vec![self.entering(number)];
        if contract.driver.is_none() {
            if contract.checks_after() {
                code.extend([
                    Instruction::CallBody(contract.predicate),
                    self.leaving(number),
                    Instruction::Deallocate,
                    Instruction::Proceed,
                ]);
            }
            // The way on after a violation that the program survives.
            code.extend([Instruction::Call(violations, Live::ALL), Instruction::ResumeContract(number)]);
            if contract.checks_after() {
                code.extend([
                    Instruction::Call(violations, Live::ALL),
                    Instruction::Deallocate,
                    Instruction::Proceed,
                ]);
            }
        }
        let entry = self.add_code(&code);
        self.gates[number as usize].entry = Some(entry);
        entry
    }

    /// Evaluates a contract's preconditions on the argument registers. Returns where to go on: the body, if
    /// nothing is left to check afterwards, or the given address with an environment that keeps the arguments.
    #[inline(always)]
    pub(super) fn enter_contract(&mut self, number: u32, next: Address) -> Address {
        // Behind this instruction is the one that calls the body.
        let mut open = plan::NOT_FOLLOWED;
        match self.enter_known(number, next + 1, &mut open) {
            Some(address) => address,
            None => self.enter_open(number, next, open),
        }
    }

    /// Goes on with the contract that the instruction at an address enters, from a check on that is open.
    #[inline(never)]
    pub(super) fn enter_open_at(&mut self, address: Address, open: usize) -> Address {
        match self.code_at(address).entered_contract() {
            Some(number) => self.enter_open(number, address + 1, open),
            None => super::fixed::FAIL,
        }
    }

    #[inline(never)]
    fn enter_open(&mut self, number: u32, next: Address, open: usize) -> Address {
        let failed = match self.enter_straight(number, next + 1, open) {
            Ok(address) => return address,
            Err(failed) => failed,
        };
        let statuses = match self.enter_plan(number, next + 1, failed) {
            Ok(address) => return address,
            Err(statuses) => statuses,
        };
        // The contract leaves the table while it is used: checks need the rest of the machine.
        let contracts = std::mem::take(&mut self.contracts);
        let contract = &contracts[number as usize];
        let address = self.enter_checked(number, contract, next, statuses);
        self.contracts = contracts;
        address
    }

    fn enter_checked(
        &mut self,
        number: u32,
        contract: &Contract,
        next: Address,
        statuses: Statuses,
    ) -> Address {
        let predicate = self.predicate_at(contract.predicate);
        let (arity, body) = (predicate.arity, predicate.body);
        if self.guarded.is_some() {
            // A property is being called: what it calls is not checked.
            return body;
        }
        if let Some(driver) = contract.driver {
            let arguments: Vec<Cell> = self.x[..arity].to_vec();
            self.x[1] = self.store.compound(atom::VAR_FUNCTOR, &arguments);
            self.x[0] = Cell::count(number as usize);
            return self.predicate_at(driver).entry;
        }
        let mut statuses = statuses.spelled_out();
        let mut failures = Vec::new();
        let held = self.preconditions(contract, &mut statuses, 0, &mut failures).unwrap_or_default();
        let keeps = contract.successes.iter().any(|success| evaluate::applies(&success.preconditions, held));
        if failures.is_empty() && !keeps {
            return body;
        }
        // Every slot is filled at once: to the collector all slots of a contract's environment are live.
        self.allocate((arity + 1) as u16);
        let first = self.environment + ENVIRONMENT_HEADER;
        self.environments[first..first + arity].copy_from_slice(&self.x[..arity]);
        self.environments[first + arity] = Cell::int(held as i64);
        if failures.is_empty() {
            return next;
        }
        let values: Vec<Cell> = self.x[..arity].to_vec();
        self.x[0] = self.violations(contract, true, &failures, &[], &values);
        if contract.checks_after() { next + 4 } else { next }
    }

    /// Goes on after a violated calls condition that the program survives: restores the argument registers from the
    /// environment, then as [`Machine::enter_contract`]. `next` is the address behind the instruction.
    pub(super) fn resume_contract(&mut self, number: u32, next: Address) -> Address {
        let contract = &self.contracts[number as usize];
        let predicate = self.predicate_at(contract.predicate);
        let (arity, body) = (predicate.arity, predicate.body);
        let first = self.environment + ENVIRONMENT_HEADER;
        let held = self.environments[first + arity].int_value() as Held;
        let keeps = contract.successes.iter().any(|success| evaluate::applies(&success.preconditions, held));
        self.x[..arity].copy_from_slice(&self.environments[first..first + arity]);
        if keeps {
            return next - 6;
        }
        self.deallocate();
        self.cut_barrier = self.choices.len();
        body
    }

    /// Evaluates a contract's postconditions on the arguments kept in the environment.
    #[inline(always)]
    pub(super) fn leave_contract(&mut self, number: u32, next: Address) -> Address {
        let mut open = plan::NOT_FOLLOWED;
        match self.leave_known(number, &mut open) {
            Some(address) => address,
            None => self.leave_open(number, next, open),
        }
    }

    #[inline(never)]
    pub(super) fn leave_open(&mut self, number: u32, next: Address, open: usize) -> Address {
        let failed = match self.leave_straight(number, open) {
            Ok(address) => return address,
            Err(failed) => failed,
        };
        let statuses = match self.leave_plan(number, failed) {
            Ok(address) => return address,
            Err(statuses) => statuses,
        };
        let contracts = std::mem::take(&mut self.contracts);
        let contract = &contracts[number as usize];
        let arity = self.predicate_at(contract.predicate).arity;
        let first = self.environment + ENVIRONMENT_HEADER;
        let held = self.environments[first + arity].int_value() as Held;
        let mut statuses = statuses.spelled_out();
        let mut failures = Vec::new();
        // Nothing has to be called, or there would be a driver.
        let _ = self.postconditions(contract, held, &mut statuses, first + 1, &mut failures);
        if !failures.is_empty() {
            let values: Vec<Cell> = self.environments[first..first + arity].to_vec();
            self.x[0] = self.violations(contract, false, &failures, &[], &values);
        }
        self.contracts = contracts;
        if failures.is_empty() { next } else { next + 4 }
    }

    /// Calls the body of a contract's predicate: the contract's number is in the first register, the term of its
    /// arguments in the second.
    pub(super) fn contract_body(&mut self) -> Address {
        let number = self.store.deref(self.x[0]).int_value() as usize;
        let arguments = self.store.deref(self.x[1]);
        let contract = &self.contracts[number];
        let (test, predicate) = (contract.test, self.predicate_at(contract.predicate));
        let (arity, body) = (predicate.arity, if test { predicate.entry } else { predicate.body });
        let (first, _) = self.store.arguments(arguments);
        for i in 0..arity {
            self.x[i] = self.store.at(first + i);
        }
        self.cut_barrier = self.choices.len();
        body
    }

    /// `'$rtc_step'(Number, Phase, Arguments, Statuses, Step)`: evaluates as much of a contract as needs no call.
    /// The phase is -1 before the call; behind it, the preconditions that held. `Statuses` is `s(S1, ...)` with a free
    /// variable for each literal whose status is unknown. `Step` is `call(K, Protect)` if the status of the K-th
    /// literal (from 1) is needed, which may bind nothing if `Protect` is 1, else `done(Held, Balls)`.
    pub(crate) fn contract_step(&mut self) -> Outcome {
        let number = self.argument(0).int_value() as usize;
        let phase = self.argument(1).int_value();
        let (arguments, vector) = (self.argument(2), self.argument(3));
        let (first, count) = self.store.arguments(vector);
        let mut statuses: Vec<Status> =
            (first..first + count).map(|i| Status::read(self.store.deref(self.store.at(i)))).collect();
        let (start, arity) = self.store.arguments(arguments);
        // The arguments take the place of an environment's slots.
        let kept = self.environments.len();
        self.environments.extend((start..start + arity).map(|i| self.store.at(i)));
        let contracts = std::mem::take(&mut self.contracts);
        let contract = &contracts[number];
        let mut failures = Vec::new();
        let step = if phase == BEFORE {
            self.preconditions(contract, &mut statuses, kept + 1, &mut failures)
        } else {
            self.postconditions(contract, phase as Held, &mut statuses, kept + 1, &mut failures)
        };
        let values: Vec<Cell> = self.environments.split_off(kept);
        let step = match step {
            Ok(held) => {
                let balls = if failures.is_empty() {
                    Cell::atom(atom::NIL)
                } else {
                    self.violations(contract, phase == BEFORE, &failures, &statuses, &values)
                };
                let done = self.atoms.intern("done");
                self.store.compound(done, &[Cell::int(held as i64), balls])
            }
            Err(literal) => {
                let properties = if phase == BEFORE { &contract.before } else { &contract.after };
                let protect = properties[literal as usize].test == PropertyTest::Call;
                let cells = [Cell::count(literal as usize + 1), Cell::int(i64::from(protect))];
                self.store.compound(atom::CALL, &cells)
            }
        };
        self.contracts = contracts;
        for (i, status) in (first..first + count).zip(&statuses) {
            let cell = self.store.deref(self.store.at(i));
            let known = status.cell();
            if cell.tag() == crate::term::Tag::Ref
                && known.is_some_and(|known| !self.store.unify(cell, known))
            {
                return Ok(false);
            }
        }
        Ok(self.unify_argument(4, step))
    }

    /// `'$rtc_goal'(Number, Phase, K, Arguments, Goal)`: the K-th literal as a goal on the arguments. The K-th property
    /// of the computation for a phase of -2, with a module only if it is a program's.
    pub(crate) fn contract_goal(&mut self) -> Outcome {
        let number = self.argument(0).int_value() as usize;
        let phase = self.argument(1).int_value();
        let k = self.argument(2).int_value() as usize - 1;
        let arguments = self.argument(3);
        let contract = &self.contracts[number];
        let literal = match phase {
            -2 => contract.comps[k].literal.clone(),
            BEFORE => contract.literals[0][k].clone(),
            _ => contract.literals[1][k].clone(),
        };
        let term = literal.term.restore(&mut self.store);
        let (first, _) = self.store.arguments(term);
        let (start, arity) = self.store.arguments(arguments);
        // The variables are new, so filling them in needs no trail.
        for i in 0..arity {
            self.store.cells[first + 1 + i] = self.store.at(start + i);
        }
        let goal = self.store.deref(self.store.at(first));
        let bare = if phase == -2 { !literal.own } else { literal.module == atom::USER };
        let goal = if bare { goal } else { self.qualified(literal.module, goal) };
        Ok(self.unify_argument(4, goal))
    }

    /// `'$rtc_called'(Number, Phase, K, Status, Since)`: counts that the K-th literal was called, since a time.
    pub(crate) fn contract_called(&mut self) -> Outcome {
        let contract = &self.contracts[self.argument(0).int_value() as usize];
        let properties =
            if self.argument(1).int_value() == BEFORE { &contract.before } else { &contract.after };
        let site = properties[self.argument(2).int_value() as usize - 1].site;
        let holds = self.argument(3) == Cell::int(1);
        let since = self.argument(4).int_value() as u64;
        self.checker.count_call(site, holds, since);
        Ok(true)
    }

    /// `'$rtc_statuses'(Number, Phase, Statuses)`: a vector of unknown statuses.
    pub(crate) fn contract_statuses(&mut self) -> Outcome {
        let number = self.argument(0).int_value() as usize;
        let before = self.argument(1).int_value() == BEFORE;
        let contract = &self.contracts[number];
        let count = if before { contract.before.len() } else { contract.after.len() };
        let variables: Vec<Cell> = (0..count).map(|_| self.store.variable()).collect();
        let name = self.atoms.intern("s");
        let vector = self.store.compound(name, &variables);
        Ok(self.unify_argument(2, vector))
    }

    /// `'$rtc_comps'(Number, Held, Ks)`: the computation properties that this call must have, as numbers from 1.
    pub(crate) fn contract_comps(&mut self) -> Outcome {
        let number = self.argument(0).int_value() as usize;
        let held = self.argument(1).int_value() as Held;
        let numbers: Vec<Cell> = (1..)
            .zip(&self.contracts[number].comps)
            .filter(|(_, comp)| evaluate::applies(&comp.preconditions, held))
            .map(|(k, _)| Cell::int(k))
            .collect();
        let list = self.store.list(&numbers, Cell::atom(atom::NIL));
        Ok(self.unify_argument(2, list))
    }

    /// `'$rtc_comp_ball'(Number, K, Arguments, Instead, Ball)`: the K-th computation property is violated.
    pub(crate) fn contract_comp_ball(&mut self) -> Outcome {
        let number = self.argument(0).int_value() as usize;
        let k = self.argument(1).int_value() as usize - 1;
        let (arguments, instead) = (self.argument(2), self.argument(3));
        let (start, arity) = self.store.arguments(arguments);
        let values: Vec<Cell> = (start..start + arity).map(|i| self.store.at(i)).collect();
        let contract = self.contracts[number].clone();
        let ball = self.comp_violation(&contract, k, instead, &values);
        Ok(self.unify_argument(4, ball))
    }

    /// Starts the evaluation of a property: until [`Machine::unguard`] no contract is checked and, with `protect`, no
    /// variable that exists now can be bound. A choicepoint must be made before anything is bound.
    pub(crate) fn guard(&mut self, protect: bool) {
        self.guarded = Some((self.choices.len(), protect));
        self.checker.open(false);
        self.store.protect(if protect { self.store.len() } else { 0 });
    }

    /// Ends the evaluation of a property.
    pub(crate) fn unguard(&mut self) {
        self.guarded = None;
        self.checker.open(true);
        self.store.protect(0);
    }

    /// Ends it if the choicepoints that were made in it are gone, as after an exception.
    pub(super) fn unguard_above(&mut self, choices: usize) {
        if self.guarded.is_some_and(|(level, _)| choices <= level) {
            self.unguard();
        }
    }

    /// Sets the protected part of the store again after its cells were moved.
    pub(crate) fn protect_again(&mut self) {
        let below = match self.guarded {
            Some((level, true)) => self.choices.get(level).map_or(self.store.len(), |choice| choice.store),
            _ => 0,
        };
        self.store.protect(below);
    }

    /// Whether a property is being evaluated.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guarded.is_some()
    }
}

/// What was violated before a call or behind it, and by which assertions.
type Failures = Vec<Failure>;
