//! The evaluation of conditions over the statuses of property literals.

use super::{AfterKind, Contract, Failures, Property, PropertyTest};
use crate::machine::Machine;
use crate::term::{Cell, Tag};

/// Preconditions that hold, as bits.
pub(crate) type Held = u64;

/// What is known of a property in one evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Unknown,
    Holds,
    Fails,
    /// Its call threw this.
    Threw(Cell),
}

impl Status {
    /// The status that Prolog knows as a free variable, 1, 0 or `exception(E)`.
    pub(super) fn read(cell: Cell) -> Self {
        match cell.tag() {
            Tag::Ref => Self::Unknown,
            Tag::Int if cell.int_value() == 1 => Self::Holds,
            Tag::Int => Self::Fails,
            _ => Self::Threw(cell),
        }
    }

    /// The same the other way round.
    pub(super) fn cell(self) -> Option<Cell> {
        match self {
            Self::Unknown => None,
            Self::Holds => Some(Cell::int(1)),
            Self::Fails => Some(Cell::int(0)),
            Self::Threw(cell) => Some(cell),
        }
    }
}

/// Which condition does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violated {
    Calls,
    Compat,
    /// A condition on success, by number.
    After(u16),
}

/// A property that does not hold, and the assertion that demands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) violated: Violated,
    pub(super) property: u16,
    pub(super) assertion: u16,
}

/// Whether one of some preconditions held, or there are none.
pub(super) fn applies(preconditions: &[u16], held: Held) -> bool {
    preconditions.is_empty() || preconditions.iter().any(|&number| held >> number & 1 == 1)
}

/// Where a conjunction's evaluation ended.
enum Conjunction {
    Holds,
    /// The first property that does not hold.
    Fails(u16),
    /// The first property that must be called to know.
    Call(u16),
}

impl Machine {
    /// The preconditions that hold, as bits. If the calls or the compatibility condition does not, `failures` is given
    /// for each of its alternatives the first property that fails. `Err` is a literal that must be called first.
    pub(super) fn preconditions(
        &mut self,
        contract: &Contract,
        statuses: &mut [Status],
        kept: usize,
        failures: &mut Failures,
    ) -> Result<Held, u16> {
        let mut held = 0;
        let shares = self.rtchecks.shares;
        let admitted = |alternatives: &[super::Alternative], held: Held| {
            alternatives.is_empty()
                || alternatives.iter().any(|alternative| held >> alternative.precondition & 1 == 1)
        };
        for (number, precondition) in contract.preconditions.iter().enumerate() {
            // A precondition that nothing behind the call needs is not evaluated once another one admits the call.
            let needed = contract.shared >> number & 1 == 1;
            if !needed && admitted(&contract.calls, held) && admitted(&contract.compat, held) {
                continue;
            }
            if !shares && needed {
                // The older transformation evaluates a precondition for the call and again for each condition behind
                // it.
                for _ in contract
                    .successes
                    .iter()
                    .filter(|success| success.preconditions.contains(&(number as u16)))
                {
                    let _ = self.conjunction(precondition, &contract.before, statuses, kept);
                }
            }
            match self.conjunction(precondition, &contract.before, statuses, kept) {
                Conjunction::Holds => held |= 1 << number,
                Conjunction::Fails(property) => {
                    for (violated, alternatives) in
                        [(Violated::Calls, &contract.calls), (Violated::Compat, &contract.compat)]
                    {
                        let demands = alternatives
                            .iter()
                            .find(|alternative| alternative.precondition as usize == number);
                        if let Some(demands) = demands {
                            failures.push(Failure { violated, property, assertion: demands.assertion });
                        }
                    }
                }
                Conjunction::Call(property) => return Err(property),
            }
        }
        if !failures.is_empty() {
            let (calls, compat) = (admitted(&contract.calls, held), admitted(&contract.compat, held));
            failures.retain(|failure| match failure.violated {
                Violated::Calls => !calls,
                _ => !compat,
            });
        }
        Ok(held)
    }

    /// Evaluates the conditions on success. `failures` is given, for each that does not hold and each of its
    /// alternatives, the first property that fails. `Err` is a literal that must be called first.
    pub(super) fn postconditions(
        &mut self,
        contract: &Contract,
        held: Held,
        statuses: &mut [Status],
        kept: usize,
        failures: &mut Failures,
    ) -> Result<Held, u16> {
        for (number, success) in contract.successes.iter().enumerate() {
            if !applies(&success.preconditions, held) {
                continue;
            }
            let known = failures.len();
            for postcondition in &success.postconditions {
                match self.conjunction(postcondition, &contract.after, statuses, kept) {
                    Conjunction::Holds => {
                        failures.truncate(known);
                        break;
                    }
                    Conjunction::Fails(property) => failures.push(Failure {
                        violated: Violated::After(number as u16),
                        property,
                        assertion: success.assertion,
                    }),
                    Conjunction::Call(property) => return Err(property),
                }
            }
        }
        Ok(held)
    }

    /// Evaluates a conjunction up to the first property that does not hold. Properties whose status is known are not
    /// reified again. The arguments are in registers, or, if `kept` is not 0, in environments from slot `kept - 1` on.
    fn conjunction(
        &mut self,
        conjunction: &[u16],
        properties: &[Property],
        statuses: &mut [Status],
        kept: usize,
    ) -> Conjunction {
        for &number in conjunction {
            // Literals beyond a native array's length are not remembered, only evaluated again.
            let known = statuses.get(number as usize).copied().unwrap_or(Status::Unknown);
            let property = properties[number as usize];
            let holds = match known {
                Status::Holds => continue,
                Status::Fails | Status::Threw(_) => return Conjunction::Fails(number),
                Status::Unknown if property.test.is_called() => return Conjunction::Call(number),
                Status::Unknown => self.test(property, kept),
            };
            if self.rtchecks.shares
                && let Some(status) = statuses.get_mut(number as usize)
            {
                *status = if holds { Status::Holds } else { Status::Fails };
            }
            if !holds {
                return Conjunction::Fails(number);
            }
        }
        Conjunction::Holds
    }

    /// Decides a property without calling anything.
    fn test(&mut self, property: Property, kept: usize) -> bool {
        let argument = match kept {
            0 => self.x[property.argument as usize],
            slot => self.environments[slot - 1 + property.argument as usize],
        };
        match property.test {
            PropertyTest::Type(id) => {
                self.checker.check(&self.store, &self.types, argument, id, property.site)
            }
            PropertyTest::Var => {
                self.checker.count_test(property.site, self.store.deref(argument).tag() == Tag::Ref)
            }
            PropertyTest::Nonvar => {
                self.checker.count_test(property.site, self.store.deref(argument).tag() != Tag::Ref)
            }
            PropertyTest::Compatible(id) => {
                let compatible = crate::check::compatible(&self.store, &self.types, argument, id);
                self.checker.count_test(property.site, compatible)
            }
            // Only what can be decided here is asked for.
            PropertyTest::Call | PropertyTest::CallCompatible => false,
        }
    }
}

impl AfterKind {
    /// The type of the violation, as Ciao names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Compatible => "compatpos",
        }
    }
}
