//! Contracts: a predicate's assertion conditions, evaluated around its calls (section 4 of the paper).
//!
//! The paper generates clauses `p_C` and `p_S` that reify properties with `reify_check/2` and combine the
//! results by bitwise arithmetic. Here the same structure is data: the distinct property literals before and
//! after the call, the distinct conjunctions of preconditions over the former, and which of them calls and
//! success conditions speak of. Each literal is reified at most once before and once after the call; only the
//! statuses of whole preconditions cross over, in one slot of the environment.

use super::{Address, ENVIRONMENT_HEADER, Machine, OnViolation, PredicateId, Throw};
use crate::check::Site;
use crate::regtype::TypeId;
use crate::term::{Atom, Cell, Record, Tag, atom};

/// How a property of one argument is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyTest {
    /// The argument has a regular type.
    Type(TypeId),
    /// The argument is a free variable.
    Var,
    /// The argument is not a free variable.
    Nonvar,
}

/// A property literal: a test of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// Which argument, from 0.
    pub argument: u16,
    /// What must hold of it.
    pub test: PropertyTest,
    /// Where the check is asked for: another number for each literal of each contract, before and after.
    pub site: Site,
}

/// One assertion's success condition: if the precondition held at the call, the postcondition must hold now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuccessCondition {
    /// Which preconditions, by number; one must have held. None at all means any call.
    pub preconditions: Vec<u16>,
    /// The alternatives of the postcondition, each a conjunction of properties by number.
    pub postconditions: Vec<Vec<u16>>,
    /// The lines of the assertion.
    pub lines: (usize, usize),
}

/// One alternative of what a call may look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Which precondition, by number.
    pub precondition: u16,
    /// The lines of the assertion.
    pub lines: (usize, usize),
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
    /// The distinct preconditions: conjunctions of properties by number. At most [`Contract::MAX_PRECONDITIONS`].
    pub preconditions: Vec<Vec<u16>>,
    /// The calls condition: one of these must hold. Empty if every call is admissible.
    pub calls: Vec<Alternative>,
    /// The success conditions.
    pub successes: Vec<SuccessCondition>,
    /// `t(Head, [Before, ...], [After, ...])`, the head and the properties as terms in which `'$VAR'(Name)`
    /// stands for the head's variables; for messages.
    pub template: Record,
    /// The names of the head's variables.
    pub names: Vec<Atom>,
    /// The file and the lines of the predicate's clauses.
    pub file: Atom,
    /// The lines of the predicate's clauses.
    pub lines: (usize, usize),
}

impl Contract {
    /// Their statuses must fit into one cell.
    pub const MAX_PRECONDITIONS: usize = 60;
}

/// A violated assertion condition.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The term `rtcheck(Type, Pred, Dict, Prop, Valid, Locs)`, as Ciao signals it.
    pub ball: Record,
}

/// What is known of a property in one evaluation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Unknown,
    Holds,
    Fails,
}

impl Machine {
    /// Evaluates a contract's preconditions on the argument registers. Returns where to go on: the body, if
    /// nothing is left to check afterwards, or the given address with an environment that keeps the arguments.
    pub(super) fn enter_contract(&mut self, number: u32, next: Address) -> Result<Address, Throw> {
        // The contract leaves the table while it is used: checks need the rest of the machine.
        let contracts = std::mem::take(&mut self.contracts);
        let result = self.evaluate_preconditions(&contracts[number as usize]);
        self.contracts = contracts;
        let held = match result {
            Ok(held) => held,
            Err(failed) => {
                self.violated(number, "calls", &failed, true)?;
                0
            }
        };
        let contract = &self.contracts[number as usize];
        let to_check = contract.successes.iter().any(|success| applies(success, held));
        let predicate = self.predicate_at(contract.predicate);
        let (arity, body) = (predicate.arity, predicate.body);
        if !to_check {
            return Ok(body);
        }
        self.allocate_slots(arity + 1);
        let first = self.environment + ENVIRONMENT_HEADER;
        self.environments[first..first + arity].copy_from_slice(&self.x[..arity]);
        self.environments[first + arity] = Cell::int(held as i64);
        Ok(next)
    }

    /// Evaluates a contract's postconditions on the arguments kept in the environment.
    pub(super) fn leave_contract(&mut self, number: u32) -> Result<(), Throw> {
        let contracts = std::mem::take(&mut self.contracts);
        let result = self.evaluate_postconditions(&contracts[number as usize]);
        self.contracts = contracts;
        match result {
            Ok(()) => Ok(()),
            Err(failed) => self.violated(number, "success", &failed, false),
        }
    }

    /// The preconditions that hold, as bits; or, if the calls condition is violated, for each of its
    /// alternatives the first property that fails and the assertion's lines.
    fn evaluate_preconditions(&mut self, contract: &Contract) -> Result<u64, Vec<Failure>> {
        let mut statuses = [Status::Unknown; 64];
        let mut failures = Vec::new();
        let mut held = 0;
        for (number, precondition) in contract.preconditions.iter().enumerate() {
            // A precondition that no success condition needs is not evaluated once another one admits the call.
            let needed =
                contract.successes.iter().any(|success| success.preconditions.contains(&(number as u16)));
            let admitted = contract.calls.iter().any(|calls| held >> calls.precondition & 1 == 1);
            if !needed && admitted {
                continue;
            }
            match self.conjunction(precondition, &contract.before, &mut statuses, 0) {
                None => held |= 1 << number,
                Some(property) => {
                    let calls = contract.calls.iter().find(|calls| calls.precondition as usize == number);
                    if let Some(calls) = calls {
                        failures.push(Failure { property, lines: calls.lines });
                    }
                }
            }
        }
        let admitted = contract.calls.is_empty()
            || contract.calls.iter().any(|calls| held >> calls.precondition & 1 == 1);
        if admitted { Ok(held) } else { Err(failures) }
    }

    fn evaluate_postconditions(&mut self, contract: &Contract) -> Result<(), Vec<Failure>> {
        let arity = self.predicate_at(contract.predicate).arity;
        let first = self.environment + ENVIRONMENT_HEADER;
        let held = self.environments[first + arity].int_value() as u64;
        let mut statuses = [Status::Unknown; 64];
        for success in &contract.successes {
            if !applies(success, held) {
                continue;
            }
            let mut failures = Vec::new();
            for postcondition in &success.postconditions {
                match self.conjunction(postcondition, &contract.after, &mut statuses, first + 1) {
                    None => {
                        failures.clear();
                        break;
                    }
                    Some(property) => failures.push(Failure { property, lines: success.lines }),
                }
            }
            if !failures.is_empty() {
                return Err(failures);
            }
        }
        Ok(())
    }

    /// The first property of a conjunction that fails. Properties whose status is known are not reified again.
    /// The arguments are in registers, or, if `kept` is not 0, in the environment from slot `kept - 1` on.
    fn conjunction(
        &mut self,
        conjunction: &[u16],
        properties: &[Property],
        statuses: &mut [Status; 64],
        kept: usize,
    ) -> Option<u16> {
        conjunction.iter().copied().find(|&number| {
            // Literals beyond the array's length are not remembered, only evaluated again.
            let known = statuses.get(number as usize).copied().unwrap_or(Status::Unknown);
            if known != Status::Unknown {
                return known == Status::Fails;
            }
            let property = properties[number as usize];
            let argument = match kept {
                0 => self.x[property.argument as usize],
                slot => self.environments[slot - 1 + property.argument as usize],
            };
            let holds = match property.test {
                PropertyTest::Type(id) => {
                    self.checker.check(&self.store, &self.types, argument, id, property.site)
                }
                PropertyTest::Var => {
                    self.checker.count_test(property.site, self.store.deref(argument).tag() == Tag::Ref)
                }
                PropertyTest::Nonvar => {
                    self.checker.count_test(property.site, self.store.deref(argument).tag() != Tag::Ref)
                }
            };
            if let Some(status) = statuses.get_mut(number as usize) {
                *status = if holds { Status::Holds } else { Status::Fails };
            }
            !holds
        })
    }

    fn allocate_slots(&mut self, slots: usize) {
        self.allocate(slots as u16);
        // To the collector all slots of a contract's environment are live.
        let first = self.environment + ENVIRONMENT_HEADER;
        self.environments[first..first + slots].fill(Cell::int(0));
    }

    /// Signals a violation, as the flags say.
    fn violated(&mut self, number: u32, kind: &str, failures: &[Failure], before: bool) -> Result<(), Throw> {
        self.violations += 1;
        let ball = self.violation_term(number, kind, failures, before);
        let ball = Record::new(&self.store, ball);
        match self.on_violation {
            OnViolation::Throw => Err(Throw::Ball(ball)),
            OnViolation::Report => {
                (self.hooks.reporters.violation)(self, &Violation { ball });
                Ok(())
            }
        }
    }

    /// `rtcheck(Type, Pred, Dict, Prop, Valid, Locs)`.
    fn violation_term(&mut self, number: u32, kind: &str, failures: &[Failure], before: bool) -> Cell {
        let contract = self.contracts[number as usize].clone();
        let template = contract.template.restore(&mut self.store);
        let head = self.store.argument(template, 0);
        let properties = self.store.argument(template, if before { 1 } else { 2 });
        let properties = self.store.list_elements(properties).unwrap_or_default();
        let table = if before { &contract.before } else { &contract.after };

        let slot = self.environment + ENVIRONMENT_HEADER;
        let value = |machine: &Self, argument: usize| {
            let cell = if before { machine.x[argument] } else { machine.environments[slot + argument] };
            machine.store.deref(cell)
        };
        let arity = contract.names.len();
        let dictionary: Vec<Cell> = (0..arity)
            .map(|i| {
                let value = value(self, i);
                self.store.compound(atom::EQUALS, &[Cell::atom(contract.names[i]), value])
            })
            .collect();
        let mut valid: Vec<Cell> = Vec::new();
        let mut alternatives: Vec<Cell> = Vec::new();
        let mut seen = Vec::new();
        for failure in failures {
            let property = properties[failure.property as usize];
            if !alternatives.contains(&property) {
                alternatives.push(property);
            }
            let argument = table[failure.property as usize].argument as usize;
            if !seen.contains(&argument) {
                seen.push(argument);
                let name = self.store.compound(atom::VAR_FUNCTOR, &[Cell::atom(contract.names[argument])]);
                let value = value(self, argument);
                valid.push(self.store.compound(atom::EQUALS, &[name, value]));
            }
        }
        let mut property = alternatives.pop().unwrap_or(Cell::atom(atom::FAIL));
        while let Some(alternative) = alternatives.pop() {
            property = self.store.compound(atom::SEMICOLON, &[alternative, property]);
        }
        let assertion_lines = failures.first().map_or(contract.lines, |failure| failure.lines);
        let locations = [("asrloc", assertion_lines), ("predloc", contract.lines)].map(|(name, lines)| {
            let location = self.location(contract.file, lines);
            let name = self.atoms.intern(name);
            self.store.compound(name, &[location])
        });
        let nil = Cell::atom(atom::NIL);
        let dictionary = self.store.list(&dictionary, nil);
        let valid = self.store.list(&valid, nil);
        let locations = self.store.list(&locations, nil);
        let kind = Cell::atom(self.atoms.intern(kind));
        self.store.compound(atom::RTCHECK, &[kind, head, dictionary, property, valid, locations])
    }

    /// `loc(File, FirstLine, LastLine)`.
    fn location(&mut self, file: Atom, lines: (usize, usize)) -> Cell {
        let name = self.atoms.intern("loc");
        self.store.compound(name, &[Cell::atom(file), Cell::count(lines.0), Cell::count(lines.1)])
    }
}

/// A property that failed, by number, and the lines of the assertion that demands it.
struct Failure {
    property: u16,
    lines: (usize, usize),
}

/// Whether a success condition's precondition was among those that held.
fn applies(success: &SuccessCondition, held: u64) -> bool {
    success.preconditions.is_empty() || success.preconditions.iter().any(|&number| held >> number & 1 == 1)
}
