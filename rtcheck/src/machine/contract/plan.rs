//! A contract as the machine executes it where nothing is violated: a few words for each property, statuses as bits.
//!
//! The tests of kinds of terms are decided by the tag of a cell, a type by its tag or by what is remembered. Nothing
//! is allocated, and a call whose contract has nothing to check behind it goes on in its clauses without a frame. Where
//! a condition does not hold, the statuses that are known go to the evaluation that finds out what to tell
//! (`evaluate`), which reifies nothing a second time.

use super::evaluate::{Held, Status};
use super::gate::{Gate, Way};
use super::{Contract, Property, PropertyTest};
use crate::check::{Batch, BatchCheck, Checker, Counter, Site};
use crate::machine::contract::proof::{Behind, SecondBody};
use crate::machine::{Address, ENVIRONMENT_HEADER, Lie, Machine, PredicateId};
use crate::regtype::{TypeId, Types, Words};
use crate::term::{Cell, Store, Tag};
use std::ops::Range;

/// A property of one argument.
#[derive(Clone, Copy, Debug)]
struct Check {
    /// The argument, from 0.
    argument: u16,
    /// A bit for each [`Tag`] all of whose cells have the property.
    tags: u8,
    /// The property's number, at most 63.
    number: u8,
    /// The type that decides where the tag does not.
    id: TypeId,
    site: Site,
}

/// Properties that must hold together, as a range among a plan's checks.
#[derive(Clone, Copy, Debug)]
struct Conjunction {
    from: u16,
    to: u16,
}

/// A precondition.
#[derive(Clone, Copy, Debug)]
struct Precondition {
    conjunction: Conjunction,
    /// Whether something behind the call asks for its status.
    needed: bool,
}

/// A condition on success.
#[derive(Clone, Debug)]
struct Success {
    /// Preconditions of which one must have held; none at all means any call.
    preconditions: Held,
    postconditions: Vec<Conjunction>,
}

/// What there is to do for calls of one contract.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Plan {
    predicate: PredicateId,
    arity: usize,
    checks: Vec<Check>,
    preconditions: Vec<Precondition>,
    /// Preconditions of which one must hold, for calls and for compatibility; none at all means any call.
    calls: Held,
    compat: Held,
    successes: Vec<Success>,
    straight: Option<Straight>,
    /// What is entered when the checks in front of the call have passed, if not the predicate's body.
    pub(in crate::machine) second: Option<SecondBody>,
}

/// A plan without a choice: one precondition at most, and all that is checked behind the call must hold. That is what
/// nearly all contracts are.
#[derive(Clone, Debug)]
struct Straight {
    before: Box<[Check]>,
    after: Box<[Check]>,
    /// The preconditions that hold if these checks do.
    held: Held,
    /// What counts that all checks of one side passed.
    batches: [Batch; 2],
}

/// In place of the check that is open, where a plan has choices or is not followed.
pub(super) const NOT_FOLLOWED: usize = usize::MAX;

/// The statuses of properties, by bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statuses {
    known: u64,
    holds: u64,
}

impl Statuses {
    /// The same as the evaluation with messages knows them.
    pub(super) fn spelled_out(self) -> [Status; 64] {
        std::array::from_fn(|i| match (self.known >> i & 1, self.holds >> i & 1) {
            (0, _) => Status::Unknown,
            (_, 0) => Status::Fails,
            _ => Status::Holds,
        })
    }

    /// Whether all checks of a conjunction hold, of arguments found by their numbers: in order, until one fails; each
    /// is made once, and its status kept.
    #[inline(always)]
    fn hold(
        &mut self,
        checker: &mut Checker,
        store: &Store,
        types: &Types,
        checks: &[Check],
        argument: impl Fn(u16) -> Cell,
    ) -> bool {
        for check in checks {
            let bit = check.bit();
            if self.known & bit != 0 {
                if self.holds & bit == 0 {
                    return false;
                }
                continue;
            }
            let cell = store.deref(argument(check.argument));
            self.known |= bit;
            let holds = if check.tags >> cell.tag_number() & 1 != 0 {
                checker.count_test(check.site, true)
            } else if check.id == BatchCheck::NO_TYPE {
                checker.count_test(check.site, false)
            } else {
                checker.check_dereferenced(store, types, cell, check.id, check.site)
            };
            if !holds {
                return false;
            }
            self.holds |= bit;
        }
        true
    }
}

fn bits(numbers: impl Iterator<Item = u16>) -> Held {
    numbers.fold(0, |bits, number| bits | 1 << number)
}

#[inline]
fn admits(preconditions: Held, held: Held) -> bool {
    preconditions == 0 || preconditions & held != 0
}

impl Plan {
    /// The plan of a contract, if the machine can evaluate it alone and its properties are few enough.
    pub(super) fn new(
        contract: &Contract,
        arity: usize,
        types: &Types,
        checker: &mut Checker,
    ) -> Option<Self> {
        if contract.driver.is_some() || contract.before.len() > 64 || contract.after.len() > 64 {
            return None;
        }
        let mut checks = Vec::new();
        let mut conjunction = |numbers: &[u16], properties: &[Property]| {
            let from = u16::try_from(checks.len()).ok()?;
            for &number in numbers {
                checks.push(check(properties[number as usize], number, types)?);
            }
            Some(Conjunction { from, to: u16::try_from(checks.len()).ok()? })
        };
        let mut preconditions = Vec::new();
        for (number, precondition) in contract.preconditions.iter().enumerate() {
            let conjunction = conjunction(precondition, &contract.before)?;
            preconditions.push(Precondition { conjunction, needed: contract.shared >> number & 1 == 1 });
        }
        let mut successes = Vec::new();
        for success in &contract.successes {
            let postconditions: Option<Vec<Conjunction>> = success
                .postconditions
                .iter()
                .map(|postcondition| conjunction(postcondition, &contract.after))
                .collect();
            successes.push(Success {
                preconditions: bits(success.preconditions.iter().copied()),
                postconditions: postconditions?,
            });
        }
        let demanded = |alternatives: &[super::Alternative]| {
            bits(alternatives.iter().map(|alternative| alternative.precondition))
        };
        let mut plan = Self {
            predicate: contract.predicate,
            arity,
            checks,
            preconditions,
            calls: demanded(&contract.calls),
            compat: demanded(&contract.compat),
            successes,
            straight: None,
            second: None,
        };
        plan.straight = plan.straightened(types, checker);
        Some(plan)
    }

    /// Whether a calls condition that is proved leaves nothing open of what matters behind the call: there are no
    /// choices, and no condition on success has a precondition of its own.
    pub(in crate::machine) fn is_settled_by_calls(&self) -> bool {
        self.straight.as_ref().is_some_and(|straight| straight.held & !self.calls == 0)
    }

    /// What a call whose calls condition is proved enters: the statuses of preconditions, the number of
    /// arguments and the second body. `None` where the calls condition does not settle what matters, or there
    /// is no second body.
    pub(in crate::machine) fn proved(&self) -> Option<(Held, usize, SecondBody)> {
        self.is_settled_by_calls().then_some(())?;
        Some((self.straight.as_ref()?.held, self.arity, self.second?))
    }

    /// The same for whoever follows a plan without a choice.
    pub(super) fn gate(&self) -> Option<Gate> {
        let straight = self.straight.as_ref()?;
        let leaves = !straight.after.is_empty();
        Some(Gate {
            batches: straight.batches,
            held: Cell::int(straight.held as i64),
            predicate: self.predicate,
            arity: u16::try_from(self.arity).ok()?,
            way: match self.second {
                Some(_) => Way::Second,
                None if leaves => Way::Framed,
                None => Way::Bare,
            },
            leaves,
            second: self.second,
            entry: None,
            by_exits: None,
        })
    }

    fn straightened(&self, types: &Types, checker: &mut Checker) -> Option<Straight> {
        let of = |conjunction: Conjunction| &self.checks[conjunction.from as usize..conjunction.to as usize];
        let (before, held) = match self.preconditions[..] {
            [] => (&[][..], 0),
            [only] if only.needed || self.calls != 0 || self.compat != 0 => (of(only.conjunction), 1),
            _ => return None,
        };
        let mut after: Vec<Check> = Vec::new();
        for success in &self.successes {
            if success.preconditions & !held != 0 {
                return None;
            }
            let &[only] = &success.postconditions[..] else { return None };
            for check in of(only) {
                if after.iter().all(|known| known.number != check.number) {
                    after.push(*check);
                }
            }
        }
        let batches =
            [before, &after].map(|checks| checker.batch(checks.iter().map(|check| check.in_batch(types))));
        Some(Straight { before: before.into(), after: after.into(), held, batches })
    }
}

impl Straight {
    /// What is known when the check at a position failed and those before it held.
    fn statuses(checks: &[Check], failed: usize) -> Statuses {
        let holds = checks[..failed].iter().fold(0, |bits, check| bits | check.bit());
        Statuses { known: holds | checks[failed].bit(), holds }
    }
}

/// The check of a property, unless a walk for compatibility or a call decides it.
fn check(property: Property, number: u16, types: &Types) -> Option<Check> {
    let only_variables = 1 << Tag::Ref as u8;
    let (tags, id) = match property.test {
        PropertyTest::Type(id) => (types.state(id).tags, id),
        PropertyTest::Var => (only_variables, BatchCheck::NO_TYPE),
        PropertyTest::Nonvar => (!only_variables, BatchCheck::NO_TYPE),
        PropertyTest::Compatible(_) | PropertyTest::Call | PropertyTest::CallCompatible => return None,
    };
    let number = u8::try_from(number).ok()?;
    Some(Check { argument: property.argument, tags, number, id, site: property.site })
}

impl Check {
    /// The bit of the property among the statuses.
    #[inline(always)]
    fn bit(&self) -> u64 {
        1 << self.number
    }

    /// The check as one of a batch.
    fn in_batch(&self, types: &Types) -> BatchCheck {
        let Self { argument, tags, id, site, .. } = *self;
        let words = if id == BatchCheck::NO_TYPE { Words::of_tags(tags, id) } else { types.words_of(id) };
        BatchCheck { words, tags, argument, site }
    }
}

impl Machine {
    /// Brings what is looked at first of a plan up to date with it.
    pub(in crate::machine) fn refresh_gate(&mut self, number: u32) {
        // Only where each property is reified once is a plan followed.
        let gate = self.plans[number as usize].as_ref().filter(|_| self.rtchecks.shares).and_then(Plan::gate);
        let Gate { entry, by_exits, .. } = self.gates[number as usize];
        self.gates[number as usize] = Gate { entry, by_exits, ..gate.unwrap_or(Gate::CLOSED) };
        if let Some(entry) = entry {
            self.set_code(entry, self.entering(number));
        }
    }

    /// A check of a plan without choices failed: counts those before it, which passed without their batch, and tells
    /// what is known.
    #[cold]
    fn straight_failure(&mut self, number: u32, side: usize, failed: usize) -> Statuses {
        let Some(straight) = self.plans[number as usize].as_ref().and_then(|plan| plan.straight.as_ref())
        else {
            return Statuses::default();
        };
        let checks = if side == 0 { &straight.before } else { &straight.after };
        for check in &checks[..=failed] {
            self.checker.not_in_batch(check.site);
        }
        Straight::statuses(checks, failed)
    }

    /// Whether plans may be followed now: no property is being called, nobody measures the time of checks, and each
    /// property is reified once.
    #[inline]
    fn follows_plans(&self) -> bool {
        self.guarded.is_none() && self.rtchecks.shares && !self.checker.is_measuring()
    }

    /// Evaluates the preconditions of a contract on the argument registers by what is known at once. Where all
    /// is well: the address to go on at, with a frame that returns to `back` if something is left to check.
    /// `None` where a check is `open`, by its position, or the plan is not followed.
    #[inline(always)]
    pub(super) fn enter_known(&mut self, number: u32, back: Address, open: &mut usize) -> Option<Address> {
        let batch = self.gates.get(number as usize)?.batch_in_front()?;
        if let Err(at) = self.pass_registers(batch.range()) {
            *open = at;
            return None;
        }
        let gate = &self.gates[number as usize];
        let Gate { held, predicate, arity, way, .. } = *gate;
        match way {
            Way::Framed => self.keep_arguments(arity as usize, held, back),
            Way::Bare => {}
            Way::Second => return Some(self.enter_gate(number, back)),
        }
        Some(self.predicates[predicate.0 as usize].body)
    }

    /// Makes the checks of a batch of the argument registers by what is known at once; the error is the position of the
    /// first that is open. While a property is called nothing is known.
    #[inline(always)]
    pub(in crate::machine) fn pass_registers(&mut self, batch: Range<usize>) -> Result<(), usize> {
        let lies = self.tells(Lie::TrustTags);
        self.checker.pass_known(batch, &self.store, &self.types, lies, &self.x[..])
    }

    /// The same of so many checks from one on.
    #[inline(always)]
    pub(in crate::machine) fn pass_few_registers<const N: usize>(
        &mut self,
        first: Counter,
    ) -> Result<(), usize> {
        let (start, lies) = (first.range(0).start, self.tells(Lie::TrustTags));
        self.checker.pass_few::<N>(start, &self.store, &self.types, lies, &self.x[..])
    }

    /// The same from a check on that is open. The error is the check that fails.
    #[inline(always)]
    pub(super) fn enter_straight(
        &mut self,
        number: u32,
        back: Address,
        open: usize,
    ) -> Result<Address, usize> {
        let Some(gate) = self.gates.get(number as usize) else { return Err(0) };
        if open == NOT_FOLLOWED || !gate.is_open() || !self.follows_plans() {
            return Err(0);
        }
        let lies = self.tells(Lie::TrustTags);
        self.checker.pass_rest(gate.batches[0], open, &self.store, &self.types, lies, &self.x[..])?;
        Ok(self.enter_gate(number, back))
    }

    /// Goes on at the body or second body behind checks that passed.
    fn enter_gate(&mut self, number: u32, back: Address) -> Address {
        let gate = self.gates[number as usize];
        let (body, behind) = match gate.second {
            Some(second) if self.trusts_proofs() => (second.address, second.behind),
            _ => (self.predicates[gate.predicate.0 as usize].body, Behind::Checked),
        };
        if gate.leaves && behind != Behind::Proved {
            self.keep_arguments(gate.arity as usize, gate.held, behind.back(back));
        }
        body
    }

    /// The same for what [`Machine::enter_straight`] leaves; or the statuses that are known.
    #[inline(never)]
    pub(super) fn enter_plan(
        &mut self,
        number: u32,
        back: Address,
        failed: usize,
    ) -> Result<Address, Statuses> {
        let mut statuses = Statuses::default();
        if !self.follows_plans() {
            return Err(statuses);
        }
        let Some(Some(plan)) = self.plans.get(number as usize) else { return Err(statuses) };
        if plan.straight.is_some() {
            return Err(self.straight_failure(number, 0, failed));
        }
        let mut held: Held = 0;
        for (i, precondition) in plan.preconditions.iter().enumerate() {
            if !precondition.needed && admits(plan.calls, held) && admits(plan.compat, held) {
                continue;
            }
            let Conjunction { from, to } = precondition.conjunction;
            let checks = &plan.checks[from as usize..to as usize];
            let argument = |argument: u16| self.x[argument as usize];
            let all = statuses.hold(&mut self.checker, &self.store, &self.types, checks, argument);
            held |= u64::from(all) << i;
        }
        if !admits(plan.calls, held) || !admits(plan.compat, held) {
            return Err(statuses);
        }
        let (body, behind) = match plan.second {
            Some(second) if self.trusts_proofs() => (second.address, second.behind),
            _ => (self.predicates[plan.predicate.0 as usize].body, Behind::Checked),
        };
        if behind == Behind::Proved
            || !plan.successes.iter().any(|success| admits(success.preconditions, held))
        {
            return Ok(body);
        }
        self.keep_arguments(plan.arity, Cell::int(held as i64), behind.back(back));
        Ok(body)
    }

    /// Evaluates the conditions on success of a contract on the arguments in its frame by what is known at once. Where
    /// all is well the frame is left, and the address is where to return. `None` as of [`Machine::enter_known`].
    #[inline(always)]
    pub(super) fn leave_known(&mut self, number: u32, open: &mut usize) -> Option<Address> {
        let batch = self.gates.get(number as usize)?.behind()?;
        let frame = self.environments.get(self.environment..)?;
        let (&[outer, returns, _], slots) = frame.split_first_chunk::<ENVIRONMENT_HEADER>()?;
        let (store, types) = (&self.store, &self.types);
        if let Err(at) = self.checker.pass_known(batch.range(), store, types, false, slots) {
            *open = at;
            return None;
        }
        self.environment = outer.int_value() as usize;
        self.continuation = returns.int_value() as Address;
        Some(self.continuation)
    }

    /// The same from a check on that is open. The error is the check that fails.
    #[inline(always)]
    pub(super) fn leave_straight(&mut self, number: u32, open: usize) -> Result<Address, usize> {
        let Some(gate) = self.gates.get(number as usize) else { return Err(0) };
        if !gate.is_open() || open == NOT_FOLLOWED || !self.rtchecks.shares || self.checker.is_measuring() {
            return Err(0);
        }
        let slots = &self.environments[self.environment + ENVIRONMENT_HEADER..];
        self.checker.pass_rest(gate.batches[1], open, &self.store, &self.types, false, slots)?;
        self.deallocate();
        Ok(self.continuation)
    }

    /// The same for what [`Machine::leave_straight`] leaves; or the statuses that are known.
    #[inline(never)]
    pub(super) fn leave_plan(&mut self, number: u32, failed: usize) -> Result<Address, Statuses> {
        let mut statuses = Statuses::default();
        if self.checker.is_measuring() || !self.rtchecks.shares {
            return Err(statuses);
        }
        let Some(Some(plan)) = self.plans.get(number as usize) else { return Err(statuses) };
        if plan.straight.is_some() {
            return Err(self.straight_failure(number, 1, failed));
        }
        let first = self.environment + ENVIRONMENT_HEADER;
        let held = self.environments[first + plan.arity].int_value() as Held;
        for success in &plan.successes {
            if !admits(success.preconditions, held) {
                continue;
            }
            let mut any = false;
            for &Conjunction { from, to } in &success.postconditions {
                let checks = &plan.checks[from as usize..to as usize];
                let argument = |argument: u16| self.environments[first + argument as usize];
                any = statuses.hold(&mut self.checker, &self.store, &self.types, checks, argument);
                if any {
                    break;
                }
            }
            // Without alternatives there is nothing to hold.
            if !any && !success.postconditions.is_empty() {
                return Err(statuses);
            }
        }
        self.deallocate();
        Ok(self.continuation)
    }

    /// Enters the second body of a contract's predicate, whose calls condition is proved, with a frame that returns to
    /// `back`.
    pub(in crate::machine) fn enter_proved(&mut self, number: u32, back: Address) -> Address {
        let Some((held, arity, second)) =
            self.plans.get(number as usize).and_then(Option::as_ref).and_then(Plan::proved)
        else {
            let predicate = self.contracts[number as usize].predicate;
            return self.predicate_at(predicate).entry;
        };
        self.keep_arguments(arity, Cell::int(held as i64), back);
        second.address
    }
}
