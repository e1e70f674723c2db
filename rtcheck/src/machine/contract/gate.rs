//! What is looked at first where a contract is entered and left: its checks, its frame, and the instructions that hold
//! them.
//!
//! A contract without a choice, of which nothing was proved, is entered by one instruction that holds where its checks
//! are, how many, the frame and the body. What may change of that, another body or a proof, writes the instruction
//! anew; whoever needs more than it holds looks at the gate.

use crate::check::{Batch, BatchCheck, Counter};
use crate::machine::code::instruction::Instruction;
use crate::machine::contract::proof::SecondBody;
use crate::machine::{Address, ENVIRONMENT_HEADER, Machine, PredicateId};
use crate::term::Cell;
use std::ops::Range;

/// What is looked at where a plan without a choice is followed and nothing is violated.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct Gate {
    /// [`Batch::NONE`] if there is no such plan.
    pub(super) batches: [Batch; 2],
    /// The preconditions that hold if the checks in front of the call do.
    pub(super) held: Cell,
    pub(super) predicate: PredicateId,
    pub(super) arity: u16,
    pub(super) way: Way,
    /// Whether anything is checked behind the call.
    pub(super) leaves: bool,
    /// What is entered instead of the body, if anything is.
    pub(super) second: Option<SecondBody>,
    /// Where the instruction is that enters, once there is one.
    pub(super) entry: Option<Address>,
    /// Clauses that make a frame themselves where they need one, and the body whose clauses they are.
    pub(super) by_exits: Option<(Address, Address)>,
}

/// What is entered when the checks in front of a call have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The body, with a frame.
    Framed,
    /// The body.
    Bare,
    /// A second body, while proofs may be relied upon.
    Second,
}

impl Gate {
    /// In place of one where there is no such plan.
    pub(in crate::machine) const CLOSED: Self = Self {
        batches: [Batch::NONE; 2],
        held: Cell::int(0),
        predicate: PredicateId(0),
        arity: 0,
        way: Way::Bare,
        leaves: false,
        second: None,
        entry: None,
        by_exits: None,
    };

    /// The checks in front of the call, where there is such a plan.
    pub(super) fn batch_in_front(&self) -> Option<Batch> {
        self.is_open().then_some(self.batches[0])
    }

    /// How many arguments a frame keeps, if there is one; if they are few and there is no second body.
    pub(super) fn frame(&self) -> Option<Option<u8>> {
        match self.way {
            Way::Framed => Some(Some(u8::try_from(self.arity).ok()?)),
            Way::Bare => Some(None),
            Way::Second => None,
        }
    }

    /// The address at which a frame is left: behind the entry stands the call of the body.
    pub(super) fn leave(&self) -> Option<Address> {
        self.entry.map(|entry| entry + 2)
    }

    /// The checks behind the call, where there is such a plan.
    pub(super) fn behind(&self) -> Option<Batch> {
        self.is_open().then_some(self.batches[1])
    }

    /// The preconditions that hold where the checks in front of the call do: there is one, or nobody asks.
    pub(in crate::machine) const HELD: Cell = Cell::int(1);

    /// Whether there is such a plan.
    pub(super) fn is_open(&self) -> bool {
        !self.batches[0].is_none()
    }
}

/// So many arguments are kept without a look at their number.
pub(super) const FEW: usize = 8;
/// The words of such a frame: the header, the arguments, and which preconditions held.
pub(super) const FRAME_OF_FEW: usize = ENVIRONMENT_HEADER + FEW + 1;
/// So many are kept by copying as many, when there are no fewer than [`FEW`].
const MORE: usize = 16;
/// The words of such a frame.
const FRAME_OF_MORE: usize = ENVIRONMENT_HEADER + MORE + 1;

/// The third word of a contract's frame: one level more than that of the frame below, and the number of slots.
#[inline(always)]
fn contract_frame(below: i64, arity: usize) -> Cell {
    Cell::int((below | 0xffff) + (arity + 2) as i64)
}

/// Whether an instruction may hold the argument of a check behind the call.
pub(super) fn fits_an_instruction(check: &BatchCheck) -> bool {
    check.words.id != BatchCheck::NO_TYPE && (check.argument as usize) < FEW
}

impl Machine {
    /// What enters a contract: where its checks are few and nothing was proved, an instruction that holds all there is
    /// to know.
    pub(super) fn entering(&self, number: u32) -> Instruction {
        let gate = &self.gates[number as usize];
        let few = || {
            let (first, count) = gate.batch_in_front()?.first()?;
            let body = self.predicate_at(gate.predicate).body;
            let clauses = gate.by_exits.filter(|&(_, of)| of == body).map(|(clauses, _)| clauses);
            // Clauses make their frames themselves.
            let frame = gate.frame()?.filter(|_| clauses.is_none());
            let to = clauses.unwrap_or(body);
            Some(match (frame, count) {
                (None, 2) => Instruction::EnterBareTwo(number, first, to),
                (None, 3) => Instruction::EnterBareThree(number, first, to),
                (None, _) => Instruction::EnterBare(number, first, to, count),
                (Some(arity), _) if arity as usize > FEW => {
                    Instruction::EnterFramedWide(number, first, to, count, arity)
                }
                (Some(arity), 2) => Instruction::EnterFramedTwo(number, first, to, arity),
                (Some(arity), 3) => Instruction::EnterFramedThree(number, first, to, arity),
                (Some(arity), _) => Instruction::EnterFramed(number, first, to, count, arity),
            })
        };
        few().unwrap_or(Instruction::EnterContract(number))
    }

    /// A predicate has another body: brings contracts that enter it up to date.
    pub(in crate::machine) fn refresh_entering(&mut self, id: PredicateId) {
        for number in 0..self.gates.len() {
            if self.gates[number].predicate == id && self.gates[number].entry.is_some() {
                self.refresh_gate(number as u32);
            }
        }
    }

    /// What leaves a contract: where one argument or two have types behind the call, an instruction that holds them.
    pub(super) fn leaving(&self, number: u32) -> Instruction {
        let checks: Vec<(BatchCheck, Counter)> = self.gates[number as usize]
            .behind()
            .into_iter()
            .flat_map(|batch| self.checker.checks_of(batch))
            .collect();
        match checks[..] {
            _ if checks.iter().any(|(check, _)| !fits_an_instruction(check)) => {
                Instruction::LeaveContract(number)
            }
            [(only, counter)] => Instruction::LeaveOne(number, only.argument, counter),
            [(one, counter), (other, _)] => {
                Instruction::LeaveTwo(number, one.argument, other.argument, counter)
            }
            _ => Instruction::LeaveContract(number),
        }
    }

    /// Enters a body with a frame that keeps more than [`FEW`] arguments, once the checks in front of the call have passed.
    /// If one of them is open, the contract whose entry is at an address goes on with it.
    #[inline(never)]
    pub(in crate::machine) fn enter_wide(
        &mut self,
        checks: Range<usize>,
        body: Address,
        arity: u8,
        entry: Address,
    ) -> Address {
        match self.pass_registers(checks) {
            Ok(()) => {
                self.keep_many(arity as usize, Gate::HELD, entry + 2);
                body
            }
            Err(open) => self.enter_open_at(entry, open),
        }
    }

    /// A frame that keeps at most [`FEW`] arguments of a call whose preconditions held, for what is checked behind it.
    #[inline(always)]
    pub(in crate::machine) fn keep_few(&mut self, arity: u8, back: Address) {
        let (start, word) = self.top();
        // Every slot is filled at once: to the collector all slots of a contract's environment are live. Arguments are
        // copied without a loop, some too many, to where nothing is kept.
        let free = self.environments.get_mut(..start + ENVIRONMENT_HEADER + MORE);
        let frame = free.and_then(|free| free.last_chunk_mut::<{ ENVIRONMENT_HEADER + MORE }>());
        let Some(frame) = frame else {
            return self.keep_any(arity as usize, Gate::HELD, back);
        };
        let [outer, returns, level, x0, x1, x2, x3, x4, x5, x6, x7, ..] = frame;
        *outer = Cell::count(self.environment);
        *returns = Cell::count(self.continuation as usize);
        *level = contract_frame(word, arity as usize);
        let x = &self.x;
        [*x0, *x1, *x2, *x3, *x4, *x5, *x6, *x7] = [x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]];
        // More than that have an instruction of their own.
        frame[ENVIRONMENT_HEADER + arity as usize % MORE] = Gate::HELD;
        self.environment = start;
        self.continuation = back;
    }

    /// A frame that keeps the arguments and the preconditions that held, for what is checked behind the call. That of
    /// choicepoints stays as the call has set it.
    #[inline(always)]
    pub(in crate::machine) fn keep_arguments(&mut self, arity: usize, held: Cell, back: Address) {
        let (start, word) = self.top();
        // Every slot is filled at once: to the collector all slots of a contract's environment are live. Few arguments
        // are copied without a loop, some too many, to where nothing is kept.
        if arity > FEW {
            return self.keep_many(arity, held, back);
        }
        let free = self.environments.get_mut(start..);
        let Some(frame) = free.and_then(|free| free.first_chunk_mut::<FRAME_OF_FEW>()) else {
            return self.keep_many(arity, held, back);
        };
        let x = &self.x;
        *frame = [
            Cell::count(self.environment),
            Cell::count(self.continuation as usize),
            contract_frame(word, arity),
            x[0],
            x[1],
            x[2],
            x[3],
            x[4],
            x[5],
            x[6],
            x[7],
            held,
        ];
        frame[ENVIRONMENT_HEADER + arity] = held;
        self.environment = start;
        self.continuation = back;
    }

    /// The same for more arguments, copied in the same way.
    #[inline(never)]
    fn keep_many(&mut self, arity: usize, held: Cell, back: Address) {
        let (start, word) = self.top();
        let frame =
            self.environments.get_mut(start..).and_then(|free| free.first_chunk_mut::<FRAME_OF_MORE>());
        let (Some(frame), Some(kept)) = (frame.filter(|_| arity <= MORE), self.x.first_chunk::<MORE>())
        else {
            return self.keep_any(arity, held, back);
        };
        frame[0] = Cell::count(self.environment);
        frame[1] = Cell::count(self.continuation as usize);
        frame[2] = contract_frame(word, arity);
        frame[ENVIRONMENT_HEADER..ENVIRONMENT_HEADER + MORE].copy_from_slice(kept);
        frame[ENVIRONMENT_HEADER + arity] = held;
        self.environment = start;
        self.continuation = back;
    }

    /// The same for any number of arguments.
    #[inline(never)]
    fn keep_any(&mut self, arity: usize, held: Cell, back: Address) {
        let (start, word) = self.top();
        // With room for words too many of other frames.
        let end = start + ENVIRONMENT_HEADER + arity.max(MORE) + 16;
        if end > self.environments.len() {
            self.grow_environments(end);
        }
        let frame = &mut self.environments[start..end];
        frame[0] = Cell::count(self.environment);
        frame[1] = Cell::count(self.continuation as usize);
        frame[2] = contract_frame(word, arity);
        let slots = &mut frame[ENVIRONMENT_HEADER..];
        slots[..arity].copy_from_slice(&self.x[..arity]);
        slots[arity] = held;
        self.environment = start;
        self.continuation = back;
    }

    /// Makes room for environments up to an index.
    #[cold]
    pub(in crate::machine) fn grow_environments(&mut self, end: usize) {
        self.environments.resize(2 * end, Cell::int(0));
    }
}
