//! Contracts that are left by the exits of their clauses, most of them without a frame.
//!
//! A frame keeps the arguments of a call for what is checked behind it, and makes a call of every last call. Two kinds
//! of clauses need none:
//! - One that calls nothing ends with its arguments still in their registers: its last instruction makes the checks
//!   ([`Instruction::FinishOne`], [`Instruction::Finish`]). Only what these leave open, a violation among it, makes the
//!   frame after all and goes the way of every contract, so that the same is told.
//! - One that *hands on*: each check on success is one that the contract of its last call makes of the same variable,
//!   at the same moment, since nothing happens between the two returns. If that one holds, so does this one, and is not
//!   made; if not, it throws, and this one is not reached. Nothing that runs between the call of the clause's predicate
//!   and its last call may be a goal of the program, neither in this clause nor in one that may have been tried before:
//!   so nobody defines what is called anew or switches checks off meanwhile.
//!
//! The other clauses make the frame when they are entered ([`Instruction::KeepArguments`]). A predicate gets such
//! clauses beside its body where that pays (`builtins/load/exits`); its contract enters them where
//! [`Instruction::EnterBare`] passes, and the body with a frame wherever it does not: while a property is called, checks
//! are timed or audited, another policy remembers types, variables have attributes, or a program names what lets a goal
//! go on that violated something, `intercept/3` and the flag `on_violation`, or what changes an argument for good. They
//! rest on the contracts of what is called, as proofs do, and are given up with them.

use super::gate::Gate;
use crate::check::Counter;
use crate::machine::code::instruction::{Instruction, X};
use crate::machine::{Address, Machine};
use crate::regtype::TypeId;
use crate::term::{Tag, Watch};

/// What a contract checks of an argument behind every call that returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The argument, from 0.
    pub argument: u16,
    /// The property: its type, and the tags all of whose cells have it.
    pub property: (TypeId, u8),
}

impl Machine {
    /// What a contract without a choice checks behind each call that it admits; `None` for any other contract, for one
    /// that checks nothing behind some calls, and while its predicate has a second body.
    #[must_use]
    pub fn promises(&self, number: u32) -> Option<Vec<Promise>> {
        self.plans.get(number as usize)?.as_ref()?.is_settled_by_calls().then_some(())?;
        let gate = self.gates.get(number as usize)?;
        gate.frame()??;
        let checks = self.checker.checks_of(gate.behind()?);
        Some(
            checks
                .map(|(check, _)| Promise {
                    argument: check.argument,
                    property: (check.words.id, check.tags),
                })
                .collect(),
        )
    }

    /// The arguments, from 0, that are no free variables where the checks in front of a call have passed.
    #[must_use]
    pub fn bound_arguments(&self, number: u32) -> Vec<u16> {
        let batch = self.gates.get(number as usize).and_then(Gate::batch_in_front);
        let checks = batch.into_iter().flat_map(|batch| self.checker.checks_of(batch));
        let is_bound = |tags: u8| tags & 1 << Tag::Ref as u8 == 0;
        checks.filter(|(check, _)| is_bound(check.tags)).map(|(check, _)| check.argument).collect()
    }

    /// The instruction that ends a clause of a contract's predicate which calls nothing, and the one that makes the
    /// frame of another. `None` where [`Machine::promises`] is.
    #[must_use]
    pub fn exits(&self, number: u32) -> Option<(Instruction, Instruction)> {
        let gate = self.gates.get(number as usize)?;
        let arity = gate.frame()??;
        let behind = gate.behind()?;
        let mut checks = self.checker.checks_of(behind);
        let finish = match (checks.next(), checks.next()) {
            (Some((check, counter)), None) => Instruction::FinishOne(number, check.argument, counter),
            _ => {
                let (first, count) = behind.first()?;
                Instruction::Finish(number, first, count)
            }
        };
        Some((finish, Instruction::KeepArguments(arity, gate.leave()?)))
    }

    /// Lets a contract enter clauses that were compiled with its exits.
    pub fn leave_by_exits(&mut self, number: u32, clauses: Address) {
        let Some(gate) = self.gates.get_mut(number as usize) else { return };
        let body = self.predicates[gate.predicate.0 as usize].body;
        gate.by_exits = Some((clauses, body));
        self.refresh_gate(number);
    }

    /// Lets a contract enter the body again.
    pub(in crate::machine) fn leave_by_frames(&mut self, number: u32) {
        if let Some(gate) = self.gates.get_mut(number as usize) {
            gate.by_exits = None;
            self.refresh_gate(number);
        }
    }

    /// Whether a violation ends the call that it happens in, and what a clause has found of an argument holds when the
    /// next one is tried: no program named what could change that.
    #[inline(always)]
    pub(in crate::machine) fn knows_all_exits(&self) -> bool {
        !self.atoms.has_watched(Watch::Exits)
    }

    /// Enters a contract as its gate says, without its exits.
    #[inline(never)]
    pub(in crate::machine) fn enter_by_gate(&mut self, number: u32, next: Address) -> Address {
        self.enter_contract(number, next)
    }

    /// Enters clauses or a body without a frame, if the checks in front of the call have passed. If one of them is open,
    /// the contract whose entry is at an address goes on with it.
    #[inline(always)]
    pub(in crate::machine) fn enter_bare(
        &mut self,
        passed: Result<(), usize>,
        body: Address,
        entry: Address,
    ) -> Address {
        match passed {
            Ok(()) => body,
            Err(open) => self.enter_open_at(entry, open),
        }
    }

    /// Returns where an argument in its register passes the only check on success by what is known at once.
    #[inline(always)]
    pub(in crate::machine) fn finish_one(&mut self, number: u32, argument: X, counter: Counter) -> Address {
        let word = self.x[argument as usize];
        match self.checker.passes::<true>(counter, &self.store, &self.types, word) {
            true => self.continuation,
            false => self.finish_open(number),
        }
    }

    /// The same of all checks on success.
    #[inline(never)]
    pub(in crate::machine) fn finish(&mut self, number: u32, first: Counter, count: u8) -> Address {
        match self.pass_registers(first.range(count)) {
            Ok(()) => self.continuation,
            Err(_) => self.finish_open(number),
        }
    }

    /// Makes the frame of a contract whose arguments are in their registers, and gives the address at which it is left.
    #[cold]
    #[inline(never)]
    fn finish_open(&mut self, number: u32) -> Address {
        let gate = self.gates[number as usize];
        let arity = self.predicate_at(self.contracts[number as usize].predicate).arity;
        // The wrapper of the contract stays where it is, whatever its gate says.
        let Some(back) = gate.leave() else { return crate::machine::fixed::FAIL };
        self.keep_arguments(arity, Gate::HELD, back);
        back
    }
}
