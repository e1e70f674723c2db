//! Calling what waits for variables that were bound.
//!
//! A binding of a variable with attributes is noted in the store. The loop that runs while there are such variables
//! looks for notes in front of every instruction that can tell the difference: calls, built-ins, tests, arithmetic,
//! cuts, the beginnings of alternatives, returns, and `fail`. There it *wakes*: `'$wakeup'(List)` is called between that
//! instruction and the one before, as if a clause had said so. So what waits may leave choicepoints, throw, be cut and
//! wait for garbage collections like every other goal.
//!
//! The call needs what the rest of the clause needs kept: registers, and for the collector the slots of the
//! environment. Which these are the compiler knew; here it is found again, by following the code from the instruction
//! to the clause's next calls and returns. The result is a small piece of code that keeps the registers in an
//! environment of its own, made once for each place and kept until clauses' code moves:
//! ```text
//!        call '$wakeup'/1, live slots of the clause   never executed: tells the collector about the next address
//! back:  jump place                                   where the clause's environment seems to wait
//! start: allocate; get_variable Y0..Yn, X..; save_cut Yn+1; move X, X0
//!        call '$wakeup'/1; put_value Y0..Yn, X..; restore_cut Yn+1; deallocate; jump place
//! ```
//! Cost: nothing while no variable has attributes and no goal of `undo/1` waits, since that is another form of the loop. A place costs its clause's
//! length once.

use crate::machine::{Address, Instruction, Machine, PredicateId, X, Y};
use crate::term::{Cell, atom};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What was made for places.
#[derive(Debug, Default)]
pub(in crate::machine) struct Wakes {
    known: FxHashMap<(Address, usize), Wake>,
}

/// The code for one place.
#[derive(Clone, Copy, Debug)]
struct Wake {
    /// The code, from its first to behind its last instruction.
    code: (Address, Address),
    /// Where it starts.
    start: Address,
    /// The register for the list.
    list: X,
    /// The continuation that tells about the clause's environment, if it has one.
    back: Option<Address>,
}

/// What an instruction does with registers and slots.
#[derive(Default)]
struct Effect {
    reads: Vec<X>,
    writes: Vec<X>,
    reads_slots: Vec<Y>,
    writes_slots: Vec<Y>,
    /// No instruction of this clause follows.
    ends: bool,
    environment: Environment,
}

/// What an instruction tells about the environment.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Environment {
    /// Nothing.
    #[default]
    Unknown,
    /// The clause has none yet, or no longer.
    Outer,
    /// It is made here.
    Made,
    /// It is the clause's.
    Own,
    /// The clause's ends here.
    Left,
}

/// What is read before it is written from some instruction on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Needed {
    registers: BTreeSet<X>,
    slots: BTreeSet<Y>,
}

/// Whether what waits is called in front of this instruction.
pub(in crate::machine) fn is_place(instruction: Instruction) -> bool {
    use Instruction as I;
    matches!(
        instruction,
        I::Call(..)
            | I::Execute(_)
            | I::DeallocateExecute(_)
            | I::Proceed
            | I::DeallocateProceed
            | I::FinishOne(..)
            | I::Finish(..)
            | I::Builtin(..)
            | I::Test(..)
            | I::CompareTerms(..)
            | I::CompareNumbers(..)
            | I::CompareSmall(..)
            | I::Evaluate(..)
            | I::Arithmetic(..)
            | I::Add(..)
            | I::Subtract(..)
            | I::AddSmall(..)
            | I::ArithmeticSmall(..)
            | I::SaveLevel(_)
            | I::TryElse(_)
            | I::Cut(_)
            | I::NeckCut
            | I::SoftCut(_)
            | I::Fail
    )
}

impl Machine {
    /// Gives the address at which to go on so that what waits for bound variables is called first, and then the
    /// instruction at `place`.
    #[cold]
    pub(in crate::machine) fn wake(&mut self, place: Address) -> Address {
        let woken = self.store.take_woken();
        let name = self.atoms.intern("wake");
        let goals: Vec<Cell> = woken
            .into_iter()
            .map(|(attributes, value)| self.store.compound(name, &[attributes, value]))
            .collect();
        let list = self.store.list(&goals, Cell::atom(atom::NIL));
        self.insert_call(place, list)
    }

    /// Lets the built-in that is running go on as a goal of the library, which may leave choices. The goal is called
    /// as soon as the built-in has succeeded, before anything else.
    pub(crate) fn call_next(&mut self, goal: Cell) {
        // The loop looks there where it looks for garbage.
        self.next_call = Some((goal, std::mem::replace(&mut self.store.collect_at, 0)));
    }

    /// The goal that [`Machine::call_next`] left, called in front of the instruction at `place`.
    #[cold]
    pub(in crate::machine) fn take_next_call(&mut self, place: Address) -> Option<Address> {
        let (goal, collect_at) = self.next_call.take()?;
        self.store.collect_at = collect_at;
        Some(self.insert_call(place, goal))
    }

    /// The address of a call of `'$wakeup'/1` with this argument, which goes on at `place`.
    pub(in crate::machine) fn insert_call(&mut self, place: Address, list: Cell) -> Address {
        let slots = self.environments[self.environment + 2].int_value() as usize & 0xffff;
        let wake = match self.wakes.known.get(&(place, slots)) {
            Some(&wake) => wake,
            None => {
                let wake = self.make_wake(place, slots);
                self.wakes.known.insert((place, slots), wake);
                wake
            }
        };
        self.x[wake.list as usize] = list;
        if let Some(back) = wake.back {
            // The clause's environment keeps the continuation.
            self.continuation = back;
        }
        wake.start
    }

    /// Gives up what was made: other clauses may come to lie at the places.
    pub(in crate::machine) fn forget_wakes(&mut self) {
        for wake in std::mem::take(&mut self.wakes.known).into_values() {
            self.retire_code(wake.code.0, wake.code.1);
        }
    }

    fn make_wake(&mut self, place: Address, slots: usize) -> Wake {
        use Instruction as I;
        let (needed, own) = self.needed_at(place, slots);
        let name = self.atoms.intern("$wakeup");
        let predicate: PredicateId = self.predicate_in(atom::SYSTEM, name, 1);
        let registers: Vec<X> = needed.registers.iter().copied().collect();
        // One more than those in use, and not the first, in which arguments are.
        let list = registers.last().map_or(1, |&last| last.saturating_add(1).max(1));
        self.reserve_registers(list as usize + 1);
        let kept: Vec<Y> = (0..=registers.len() as Y).collect();
        let barrier = registers.len() as Y;
        let outer: Vec<Y> = needed.slots.iter().copied().collect();
        let (outer, inner) = (self.live(&outer), self.live(&kept));
        let mut code = vec![I::Call(predicate, outer), I::Jump(place), I::Allocate(barrier + 1)];
        code.extend(registers.iter().zip(0..).map(|(&register, slot)| I::GetVariableY(slot, register)));
        code.extend([I::SaveCut(barrier), I::Move(list, 0), I::Call(predicate, inner)]);
        code.extend(registers.iter().zip(0..).map(|(&register, slot)| I::PutValueY(slot, register)));
        code.extend([I::RestoreCut(barrier), I::Deallocate, I::Jump(place)]);
        let range = self.place_code(code, |_| None);
        Wake {
            code: (range.start, range.end),
            start: range.start + 2,
            list,
            back: own.then_some(range.start + 1),
        }
    }

    /// What the code from a place to the next calls and returns needs, and whether the environment is the clause's.
    /// An environment of a clause has so many `slots`.
    fn needed_at(&self, place: Address, slots: usize) -> (Needed, bool) {
        let mut effects: BTreeMap<Address, (Effect, Vec<Address>)> = BTreeMap::new();
        let mut pending = vec![place];
        while let Some(address) = pending.pop() {
            if effects.contains_key(&address) {
                continue;
            }
            let instruction = self.code_at(address);
            let effect = self.effect(instruction, slots);
            let mut next = self.targets(instruction);
            if !effect.ends && !matches!(instruction, Instruction::Jump(_)) {
                next.push(address + 1);
            }
            pending.extend(&next);
            effects.insert(address, (effect, next));
        }
        let mut needed: BTreeMap<Address, Needed> = BTreeMap::new();
        loop {
            let mut changed = false;
            for (&address, (effect, next)) in effects.iter().rev() {
                let mut here = Needed::default();
                for other in next.iter().filter_map(|to| needed.get(to)) {
                    here.registers.extend(&other.registers);
                    here.slots.extend(&other.slots);
                }
                for register in &effect.writes {
                    here.registers.remove(register);
                }
                for slot in &effect.writes_slots {
                    here.slots.remove(slot);
                }
                if matches!(effect.environment, Environment::Made | Environment::Left) {
                    here.slots.clear();
                }
                here.registers.extend(&effect.reads);
                here.slots.extend(&effect.reads_slots);
                if needed.get(&address) != Some(&here) {
                    needed.insert(address, here);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // The environment is that of the caller if the clause gets to its call or return without leaving one.
        let mut outer = false;
        let mut seen = BTreeSet::new();
        let mut pending = vec![place];
        while let Some(address) = pending.pop() {
            let Some((effect, next)) = effects.get(&address) else { continue };
            if !seen.insert(address) {
                continue;
            }
            match effect.environment {
                Environment::Outer | Environment::Made => outer = true,
                Environment::Own | Environment::Left => {}
                Environment::Unknown => pending.extend(next),
            }
        }
        let mut here = needed.remove(&place).unwrap_or_default();
        if outer {
            here.slots.clear();
        }
        (here, !outer)
    }

    /// Whether what a slot held is not read by the instructions of a clause behind this one: it is written, or they
    /// have no environment, or there are none. Behind a call the clause goes on.
    pub(in crate::machine) fn gives_up_slot(&self, instruction: Instruction, slot: Y, slots: usize) -> bool {
        let effect = self.effect(instruction, slots);
        let returns = matches!(instruction, Instruction::Call(..) | Instruction::CallBody(_));
        effect.writes_slots.contains(&slot)
            || matches!(effect.environment, Environment::Made | Environment::Left | Environment::Outer)
            || (effect.ends && !returns)
    }

    /// Whether an instruction writes one of the first so many registers.
    pub(crate) fn overwrites(&self, instruction: Instruction, registers: usize) -> bool {
        self.effect(instruction, 0).writes.iter().any(|&register| (register as usize) < registers)
    }

    /// What an instruction reads before it writes, in this order.
    fn effect(&self, instruction: Instruction, slots: usize) -> Effect {
        use Instruction as I;
        let arguments = |count: usize| (0..count as X).collect::<Vec<X>>();
        let arity = |predicate: PredicateId| arguments(self.predicate_at(predicate).arity);
        let reads = |reads: &[X]| Effect { reads: reads.to_vec(), ..Effect::default() };
        let moves = |reads: &[X], writes: &[X]| Effect {
            reads: reads.to_vec(),
            writes: writes.to_vec(),
            ..Effect::default()
        };
        let own = |effect: Effect| Effect { environment: Environment::Own, ..effect };
        let gets = |slots: &[Y], effect: Effect| own(Effect { writes_slots: slots.to_vec(), ..effect });
        let puts = |slots: &[Y], effect: Effect| own(Effect { reads_slots: slots.to_vec(), ..effect });
        let ends =
            |reads: Vec<X>, environment| Effect { reads, ends: true, environment, ..Effect::default() };
        match instruction {
            I::Call(predicate, live) => {
                let kept: Vec<Y> = if live == crate::machine::Live::ALL {
                    (0..slots as Y).collect()
                } else if let Some(number) = live.set_number() {
                    self.live_sets[number].to_vec()
                } else {
                    live.slots().map(|slot| slot as Y).collect()
                };
                Effect { reads_slots: kept, ..ends(arity(predicate), Environment::Own) }
            }
            I::CallBody(predicate) => {
                Effect { reads_slots: (0..slots as Y).collect(), ..ends(arity(predicate), Environment::Own) }
            }
            I::Execute(predicate)
            | I::Forward(predicate)
            | I::Traced(predicate, _)
            | I::Dynamic(predicate)
            | I::Undefined(predicate)
            | I::Uncompiled(predicate) => ends(arity(predicate), Environment::Outer),
            I::DeallocateExecute(predicate) => ends(arity(predicate), Environment::Left),
            I::Proceed => ends(Vec::new(), Environment::Outer),
            I::DeallocateProceed => ends(Vec::new(), Environment::Left),
            I::MetaCall(additional) => ends(arguments(additional as usize + 1), Environment::Outer),
            I::Shift | I::Continue => ends(arguments(1), Environment::Outer),
            I::Fail | I::Stop | I::StopFail | I::PopFail | I::Cleanup | I::DynamicNext => {
                ends(Vec::new(), Environment::Unknown)
            }
            // These stand where no variable has been bound since the call.
            I::EnterContract(_)
            | I::EnterBare(..)
            | I::EnterBareTwo(..)
            | I::EnterBareThree(..)
            | I::EnterFramed(..)
            | I::EnterFramedTwo(..)
            | I::EnterFramedThree(..)
            | I::EnterFramedWide(..)
            | I::EnterProved(..)
            | I::EnterTrusted(_)
            | I::LeaveContract(_)
            | I::LeaveOne(..)
            | I::LeaveTwo(..)
            | I::ResumeContract(_)
            | I::ContractBody => ends(Vec::new(), Environment::Unknown),
            I::Try(..) | I::Retry(_) | I::Trust(_) | I::Switch(_) | I::CopyList(..) => {
                ends(Vec::new(), Environment::Unknown)
            }
            I::KeepArguments(count, _) => {
                Effect { environment: Environment::Made, ..reads(&arguments(count as usize)) }
            }
            I::FinishOne(contract, ..) | I::Finish(contract, ..) => {
                ends(arity(self.contracts[contract as usize].predicate), Environment::Outer)
            }
            I::Allocate(_) => Effect { environment: Environment::Made, ..Effect::default() },
            I::Deallocate => Effect { environment: Environment::Left, ..Effect::default() },
            I::Builtin(builtin, base) => {
                let count = self.builtin_arities[builtin as usize];
                reads(&(base..base + count).collect::<Vec<X>>())
            }
            I::Jump(_)
            | I::TryElse(_)
            | I::TrustElse(_)
            | I::NeckCut
            | I::Collect
            | I::UnifyConstant(_)
            | I::UnifyVoid(_)
            | I::UnifyTailList(_)
            | I::UnifyTailStructure(..)
            | I::SetConstant(_)
            | I::SetVoid(_)
            | I::SetTailList
            | I::SetTailStructure(_) => Effect::default(),
            I::SaveLevel(slot) | I::SaveCut(slot) | I::UnifyVariableY(slot) | I::SetVariableY(slot) => {
                gets(&[slot], Effect::default())
            }
            I::Cut(slot)
            | I::SoftCut(slot)
            | I::RestoreCut(slot)
            | I::UnifyValueY(slot)
            | I::SetValueY(slot) => puts(&[slot], Effect::default()),
            I::PushCatch => gets(&[0], reads(&[0, 1, 2])),
            I::PopCatch => puts(&[0], Effect::default()),
            I::Move(from, to) => moves(&[from], &[to]),
            I::Moves(from, to, other_from, other_to) => {
                // What the second one reads may be what the first one wrote.
                let second = if other_from == to { from } else { other_from };
                moves(&[from, second], &[to, other_to])
            }
            I::GetVariableY(slot, a) => gets(&[slot], reads(&[a])),
            I::GetVariablesY(slot, a, other, b) => gets(&[slot, other], reads(&[a, b])),
            I::GetValueY(slot, a) => puts(&[slot], reads(&[a])),
            I::GetValueX(a, b)
            | I::Unify(a, b)
            | I::MatchValue(a, b, ..)
            | I::MatchNumbers(_, a, b, ..)
            | I::CompareTerms(_, a, b, _)
            | I::CompareNumbers(_, a, b, _)
            | I::SetValuesX(a, b) => reads(&[a, b]),
            I::GetConstant(a, _)
            | I::GetStructure(a, ..)
            | I::GetList(a, _)
            | I::SwitchList(a, ..)
            | I::JumpIfFree(a, _)
            | I::MatchConstant(a, ..)
            | I::MatchList(a, _)
            | I::MatchStructure(a, ..)
            | I::UnifyValueX(a)
            | I::SetValueX(a)
            | I::FillStructure(a, _)
            | I::FillList(a)
            | I::Test(_, a, _)
            | I::CompareSmall(_, a, ..)
            | I::MatchSmall(_, a, ..) => reads(&[a]),
            I::GetListVariables(a, head, tail) | I::SwitchListVariables(a, head, tail, ..) => {
                moves(&[a], &[head, tail])
            }
            I::GetListValue(a, head, tail) => moves(&[a, head], &[tail]),
            I::UnifyVariableX(a)
            | I::PutVariableX(a)
            | I::PutConstant(a, _)
            | I::PutBoxed(a, _)
            | I::PutStructure(a, _)
            | I::PutList(a)
            | I::SetVariableX(a) => moves(&[], &[a]),
            I::UnifyVariables(a, b) => moves(&[], &[a, b]),
            I::PutVariableY(slot, a) => gets(&[slot], moves(&[], &[a])),
            I::PutValueY(slot, a) => puts(&[slot], moves(&[], &[a])),
            I::PutValuesY(slot, a, other, b) => puts(&[slot, other], moves(&[], &[a, b])),
            I::Evaluate(a, to) | I::AddSmall(a, to, _) | I::ArithmeticSmall(_, a, to, _) => {
                moves(&[a], &[to])
            }
            I::Add(a, b, to) | I::Subtract(a, b, to) | I::Arithmetic(_, a, b, to) => moves(&[a, b], &[to]),
            // Two in one: the second stands behind.
            I::MoveExecute(..)
            | I::UnifyVariableExecute(..)
            | I::GetListValueExecute(..)
            | I::PutVariableCall(..)
            | I::PutValueCall(..)
            | I::PutValuesLeave(..)
            | I::PutValueLeave(..)
            | I::GetConstantProceed(..)
            | I::GetValueProceed(..)
            | I::UnifyProceed(..)
            | I::GetListVariable(..)
            | I::GetListSame(..)
            | I::GetListVoid(..)
            | I::UnifyVoidVariable(..)
            | I::AllocateSaveCut(..)
            | I::AddSmallMove(..) => self.effect(instruction.alone(), slots),
        }
    }
}
