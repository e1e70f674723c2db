//! Delimited continuations: `shift/1` leaves the goal of the nearest `reset/3` whose ball unifies, which gets what was
//! left to do of that goal as a goal of its own.
//!
//! What is left to do is the chain of environments between the two. Each is copied with the slots that the code at its
//! continuation still reads (the collector knows them too), as a term `'$continuation'(Number, Value...)`: the number
//! stands for a place in the code and the slots there, so that no term says by itself where to jump. Calling the
//! continuation makes the environments again, from the outermost on, and returns into the innermost. It may be called
//! any number of times, copied and kept.
//!
//! Slots that hold positions of choicepoints mean nothing elsewhere. A cut that comes behind `shift/1` cuts what the
//! call of the continuation left since it began, unless it chooses a branch (`->`, `\+`) whose choicepoint is still
//! there; a soft cut finds nothing to do. A `catch/3` between the two catches again what is left of its goal. This is
//! how SWI-Prolog has it; and so is that nothing leaves a goal whose solutions findall/3 collects.
//!
//! Cost: nothing until it is used; the environments between the two at each `shift/1`. From the first one on the code
//! of retracted clauses is not used again, since a continuation may lead into it.

use crate::machine::{Address, ENVIRONMENT_HEADER, Instruction, Live, Machine, PredicateId, Throw, Y, fixed};
use crate::term::{Cell, Tag, atom};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Where continuations lead.
#[derive(Debug, Default)]
pub(in crate::machine) struct Continuations {
    /// The address behind the goal of `reset/3`.
    reset_return: Address,
    /// The address at which `reset/3` ends behind a `shift/1`.
    reset_exit: Address,
    places: Vec<Place>,
    numbers: FxHashMap<(Address, usize), usize>,
}

/// A place at which a clause waits for a call.
#[derive(Debug)]
struct Place {
    /// Where it goes on.
    address: Address,
    /// How many slots its environment has.
    size: usize,
    /// Those whose values are kept.
    kept: Vec<Y>,
    /// Those that hold the position to which a cut returns.
    cuts: Vec<Y>,
    /// Those that hold the position of a choicepoint that stays behind.
    lost: Vec<Y>,
}

/// A position at which no choicepoint ever is.
const NOWHERE: i64 = Cell::MAX_INT - 1;

impl Machine {
    /// Defines `reset/3`, which is recognized by its return address, and what `shift/1` and `call_continuation/1` do.
    pub(in crate::machine) fn define_continuations(&mut self) {
        use Instruction as I;
        let reset = self.atoms.intern("reset");
        let reset = self.predicate_in(atom::SYSTEM, reset, 3);
        let code = [
            I::Allocate(2),
            I::GetVariableY(0, 1),
            I::GetVariableY(1, 2),
            I::Call(PredicateId::CALL, Live::ALL),
            I::PutValueY(1, 0),
            I::GetConstant(0, Cell::int(0)),
            I::Deallocate,
            I::Proceed,
        ];
        self.define_code(reset, &code);
        let body = self.predicate_at(reset).body;
        self.continuations.reset_return = body + 4;
        self.continuations.reset_exit = body + 6;
        for name in ["shift", "shift_for_copy"] {
            let shift = self.atoms.intern(name);
            let shift = self.predicate_in(atom::SYSTEM, shift, 1);
            self.define_code(shift, &[I::Shift]);
        }
        let call = self.atoms.intern("call_continuation");
        let call = self.predicate_in(atom::SYSTEM, call, 1);
        self.define_code(call, &[I::Continue]);
    }

    /// `shift(Ball)`, at its call: gives the address at which its `reset/3` goes on.
    pub(in crate::machine) fn shift(&mut self) -> Result<Address, Throw> {
        let ball = self.x[0];
        let (mut address, mut environment) = (self.continuation, self.environment);
        let (mut frames, mut collects) = (Vec::new(), false);
        loop {
            if address == fixed::STOP {
                return self.existence_error("reset", ball);
            }
            if address == self.continuations.reset_return {
                let pattern = self.environments[environment + ENVIRONMENT_HEADER];
                if self.may_unify(pattern, ball) {
                    if collects {
                        return self.existence_error("reset", ball);
                    }
                    break;
                }
            }
            collects |= self.collects_at(address);
            if let Some(goal) = self.caught_again(address, environment, &mut frames) {
                frames = vec![goal];
            } else {
                frames.push(self.frame_term(address, environment));
            }
            address = self.environments[environment + 1].int_value() as Address;
            environment = self.environments[environment].int_value() as usize;
        }
        // Code that a continuation leads to stays where it is.
        self.reclaimed.pinned = true;
        let list = self.store.list(&frames, Cell::atom(atom::NIL));
        let name = self.atoms.intern("call_continuation");
        let continuation = self.store.compound(name, &[list]);
        self.environment = environment;
        let [pattern, rest] = [0, 1].map(|slot| self.environments[environment + ENVIRONMENT_HEADER + slot]);
        let unified = self.store.unify(pattern, ball) && self.store.unify(rest, continuation);
        Ok(if unified { self.continuations.reset_exit } else { fixed::FAIL })
    }

    /// `call_continuation(Frames)`, at its call: gives the address at which the innermost one goes on.
    pub(in crate::machine) fn call_continuation(&mut self) -> Result<Address, Throw> {
        let mut list = self.store.deref(self.x[0]);
        let (mut goal, mut frames) = (None, Vec::new());
        while list.tag() == Tag::Lis {
            let frame = self.store.argument(list, 0);
            if frames.is_empty() && goal.is_none() && self.store.functor(frame) == Some((atom::CALL, 1)) {
                goal = Some(self.store.argument(frame, 0));
                list = self.store.argument(list, 1);
                continue;
            }
            let Some(number) = self.place_of(frame) else {
                return self.type_error_named("continuation", frame);
            };
            frames.push((frame, number));
            list = self.store.argument(list, 1);
        }
        match list {
            end if end == Cell::atom(atom::NIL) => {}
            end if end.tag() == Tag::Ref => return self.instantiation_error(),
            end => return self.type_error(atom::LIST, end),
        }
        let barrier = Cell::count(self.choices.len());
        for (frame, number) in frames.into_iter().rev() {
            let (address, size) =
                (self.continuations.places[number].address, self.continuations.places[number].size);
            self.allocate(size as u16);
            let first = self.environment + ENVIRONMENT_HEADER;
            let place = &self.continuations.places[number];
            let control = self.library.has_control(address);
            for (i, &slot) in place.kept.iter().enumerate() {
                let value = self.store.argument(frame, i + 1);
                let value = if control && value.tag() == Tag::Int { barrier } else { value };
                self.environments[first + slot as usize] = value;
            }
            for (i, &slot) in (place.kept.len() + 1..).step_by(2).zip(&place.cuts) {
                let [level, owner] = [0, 1].map(|j| self.store.argument(frame, i + j));
                let same = self.is_branch_of(level, owner);
                self.environments[first + slot as usize] = if same { level } else { barrier };
            }
            for &slot in &place.lost {
                self.environments[first + slot as usize] = Cell::int(NOWHERE);
            }
            self.continuation = address;
        }
        if let Some(goal) = goal {
            self.x[0] = goal;
            self.cut_barrier = self.choices.len();
            return Ok(self.predicate_at(PredicateId::CALL).entry);
        }
        Ok(self.continuation)
    }

    /// Whether a choicepoint at a position is that of a branch of the clause whose environment is given: then a
    /// cut that takes the branch means it.
    fn is_branch_of(&self, level: Cell, owner: Cell) -> bool {
        let choice = match (level.tag(), owner.tag()) {
            (Tag::Int, Tag::Int) => {
                usize::try_from(level.int_value()).ok().and_then(|level| self.choices.get(level))
            }
            _ => None,
        };
        choice.is_some_and(|choice| {
            matches!(self.code_at(choice.alternative), Instruction::TrustElse(_))
                && owner == Cell::count(choice.environment)
        })
    }

    /// If an environment is that of a `catch/3`: the goal that goes on with what is left inside of it, and catches
    /// again.
    fn caught_again(&mut self, address: Address, environment: usize, inner: &mut Vec<Cell>) -> Option<Cell> {
        let Instruction::PopCatch = self.code_at(address) else { return None };
        let position = self.environments[environment + ENVIRONMENT_HEADER].int_value() as usize;
        let choice = self.choices.get(position).filter(|choice| choice.environment == environment)?;
        let first = choice.arguments;
        let [catcher, recovery] = [1, 2].map(|i| self.choice_arguments.get(first + i).copied());
        let (catcher, recovery) = (catcher?, recovery?);
        let left = self.store.list(&std::mem::take(inner), Cell::atom(atom::NIL));
        let name = self.atoms.intern("call_continuation");
        let left = self.store.compound(name, &[left]);
        let catch = self.store.compound(atom::CATCH, &[left, catcher, recovery]);
        Some(self.store.compound(atom::CALL, &[catch]))
    }

    /// Whether an address is the one to which the goal of findall/3 returns, which then keeps a solution: such a goal
    /// cannot be left.
    fn collects_at(&mut self, address: Address) -> bool {
        if !self.library.has(address) {
            return false;
        }
        let add = self.atoms.intern("$bag_add");
        let add = self.predicate_in(atom::SYSTEM, add, 2);
        let Instruction::Builtin(add, _) = self.code_at(self.predicate_at(add).body) else { return false };
        let code = (address..).map(|address| self.code_at(address)).take(8);
        let mut code =
            code.take_while(|instruction| !matches!(instruction, Instruction::Call(..) | Instruction::Fail));
        code.any(|instruction| matches!(instruction, Instruction::Builtin(number, _) if number == add))
    }

    /// Whether two terms unify, which leaves no trace. What waits for their variables is not asked.
    fn may_unify(&mut self, left: Cell, right: Cell) -> bool {
        let scope = self.begin_scope();
        let unified = self.store.unify(left, right);
        self.drop_scope(scope);
        unified
    }

    /// What an environment needs at its continuation, as a term.
    fn frame_term(&mut self, address: Address, environment: usize) -> Cell {
        let size = self.environments[environment + 2].int_value() as usize & 0xffff;
        let number = match self.continuations.numbers.get(&(address, size)) {
            Some(&number) => number,
            None => {
                let place = self.describe(address, size);
                self.continuations.places.push(place);
                let number = self.continuations.places.len() - 1;
                self.continuations.numbers.insert((address, size), number);
                number
            }
        };
        let first = environment + ENVIRONMENT_HEADER;
        let kept = &self.continuations.places[number].kept;
        let mut arguments = vec![Cell::count(number)];
        arguments.extend(kept.iter().map(|&slot| self.environments[first + slot as usize]));
        for &slot in &self.continuations.places[number].cuts {
            arguments.extend([self.environments[first + slot as usize], Cell::count(environment)]);
        }
        let name = self.atoms.intern("$continuation");
        self.store.compound(name, &arguments)
    }

    /// The number of the place that a term stands for, if it is one with all its values.
    fn place_of(&mut self, frame: Cell) -> Option<usize> {
        let (name, arity) = self.store.functor(frame)?;
        let number = self.store.argument(frame, 0);
        if name != self.atoms.intern("$continuation") || number.tag() != Tag::Int {
            return None;
        }
        let number = usize::try_from(number.int_value()).ok()?;
        let place = self.continuations.places.get(number)?;
        (place.kept.len() + 2 * place.cuts.len() + 1 == arity).then_some(number)
    }

    /// What is to be kept at a place: the slots that are live there, told apart by what reads them first.
    fn describe(&self, address: Address, size: usize) -> Place {
        let live: Vec<Y> = match self.code_at(address - 1) {
            Instruction::Call(_, live) if live == Live::ALL => (0..size as Y).collect(),
            Instruction::Call(_, live) => match live.set_number() {
                Some(number) => self.live_sets[number].to_vec(),
                None => live.slots().map(|slot| slot as Y).collect(),
            },
            _ => (0..size as Y).collect(),
        };
        let mut place = Place { address, size, kept: Vec::new(), cuts: Vec::new(), lost: Vec::new() };
        for slot in live {
            match self.reader_of(slot, address, size) {
                Some(Instruction::Cut(_) | Instruction::RestoreCut(_)) => place.cuts.push(slot),
                Some(Instruction::SoftCut(_) | Instruction::PopCatch) => place.lost.push(slot),
                _ => place.kept.push(slot),
            }
        }
        place
    }

    /// The instruction that reads a slot as a position of a choicepoint before it is written again, if one does.
    fn reader_of(&self, slot: Y, address: Address, size: usize) -> Option<Instruction> {
        let mut seen = BTreeSet::new();
        let mut pending = vec![address];
        while let Some(address) = pending.pop() {
            if !seen.insert(address) {
                continue;
            }
            let instruction = self.code_at(address);
            match instruction {
                Instruction::Cut(of) | Instruction::RestoreCut(of) | Instruction::SoftCut(of)
                    if of == slot =>
                {
                    return Some(instruction);
                }
                Instruction::PopCatch if slot == 0 => return Some(instruction),
                _ => {}
            }
            if self.gives_up_slot(instruction, slot, size) {
                continue;
            }
            pending.extend(self.targets(instruction));
            if !matches!(instruction, Instruction::Jump(_)) {
                pending.push(address + 1);
            }
        }
        None
    }
}
