//! Instructions of one clause.

mod branches;
mod goals;
mod registers;

pub(super) use registers::register;

use super::allocate::{Analysis, VariableId};
use super::body::Goal;
use super::label::{LABELS, Label, target};
use super::live::note_live_slots;
use super::peephole::peephole;
use super::{CompileError, Exit};
use crate::machine::{Address, Instruction as I, Live, Machine, X, Y};
use crate::term::{Cell, Tag, atom};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    X(X),
    Y(Y),
}

/// What is known at one place of the code: where variables are and which registers are taken.
#[derive(Clone, Debug, Default)]
struct Path {
    locations: Vec<Option<Location>>,
    /// Argument registers of the head that still hold a variable which lives in a slot.
    copies: Vec<Option<X>>,
    /// The variables of which one may be in a register or has a copy there, so that a call need not look at all.
    in_registers: Vec<VariableId>,
    copied: Vec<VariableId>,
    taken: Vec<bool>,
    /// Those of them that are free and no argument registers.
    gaps: BTreeSet<usize>,
}

const FAIL: Address = 0;

/// Writes the instructions of one clause. Addresses are relative to the clause until [`Emitter::finish`].
pub(super) struct Emitter<'a> {
    pub(super) machine: &'a mut Machine,
    pub(super) analysis: Analysis,
    pub(super) code: Vec<I>,
    path: Path,
    slots: Vec<Option<Y>>,
    next_slot: usize,
    labels: Vec<Option<u32>>,
    cut_slot: Option<Y>,
    environment: bool,
    exit: Exit,
    most_registers: usize,
    /// The registers that were taken since the goal began that is written.
    newly_taken: Vec<X>,
}

/// The instructions of a clause, to be placed at the address given. Registers are reserved.
pub(super) fn clause(
    machine: &mut Machine,
    head: Cell,
    body: &[Goal],
    at: Address,
    exit: Exit,
) -> Result<Vec<I>, CompileError> {
    let analysis = Analysis::new(&machine.store, head, body);
    let permanent = analysis.variables.iter().any(|variable| variable.permanent);
    let environment = permanent || analysis.needs_environment;
    let mut emitter = Emitter::new(machine, analysis, environment);
    emitter.exit = exit;
    emitter.clause(head, body)?;
    emitter.finish(at)
}

impl<'a> Emitter<'a> {
    pub(super) fn new(machine: &'a mut Machine, analysis: Analysis, environment: bool) -> Self {
        let count = analysis.variables.len();
        Self {
            machine,
            analysis,
            code: Vec::new(),
            path: Path { locations: vec![None; count], copies: vec![None; count], ..Path::default() },
            slots: vec![None; count],
            next_slot: 0,
            labels: Vec::new(),
            cut_slot: None,
            environment,
            exit: Exit::Plain,
            most_registers: 0,
            newly_taken: Vec::new(),
        }
    }
}

impl Emitter<'_> {
    pub(super) fn push(&mut self, instruction: I) {
        self.code.push(instruction);
    }

    fn clause(&mut self, head: Cell, body: &[Goal]) -> Result<(), CompileError> {
        // Tests up to a cut come before everything else, so that trying the clause costs no environment and, as `index`
        // arranges it, no choicepoint.
        let tests = self.leading_tests(head, body);
        if let Some(tests) = tests {
            self.plain_head(head)?;
            self.sequence(&body[..tests], false, None)?;
            self.push(I::NeckCut);
        }
        if let Exit::Behind(frame) = self.exit {
            self.push(frame);
        }
        let start = self.code.len();
        if self.environment {
            // The number of slots is filled in at the end.
            self.push(I::Allocate(0));
        }
        if self.analysis.late_cut {
            let slot = self.new_slot();
            self.cut_slot = Some(slot);
            self.push(I::SaveCut(slot));
        }
        if tests.is_some() {
            self.settle_head(head)?;
        } else {
            self.head(head)?;
        }
        self.sequence(&body[tests.map_or(0, |tests| tests + 1)..], true, None)?;
        if self.environment {
            let slots = u16::try_from(self.next_slot).map_err(|_| CompileError::TooLarge)?;
            self.code[start] = I::Allocate(slots);
        }
        Ok(())
    }

    /// How many tests there are in front of the clause's first cut, if there is nothing else, they concern variables of
    /// the head only, and the head's arguments are different variables.
    fn leading_tests(&self, head: Cell, body: &[Goal]) -> Option<usize> {
        let tests = body.iter().position(|goal| matches!(goal, Goal::Cut))?;
        let store = &self.machine.store;
        let (first, arity) = store.arguments(head);
        let mut variables = FxHashSet::default();
        for i in first..first + arity {
            let argument = store.deref(store.at(i));
            if argument.tag() != Tag::Ref || !variables.insert(argument) {
                return None;
            }
        }
        let known =
            |cell: Cell| crate::term::variables(store, cell).iter().all(|cell| variables.contains(cell));
        let all_tests = body[..tests].iter().all(|goal| match goal {
            Goal::Test(_, cell) => known(*cell),
            Goal::CompareNumbers(_, left, right) | Goal::CompareTerms(_, left, right) => {
                known(*left) && known(*right)
            }
            _ => false,
        });
        all_tests.then_some(tests)
    }

    /// The variables that are the head's arguments are where the call put them.
    fn plain_head(&mut self, head: Cell) -> Result<(), CompileError> {
        for (a, id) in self.head_variables(head)? {
            self.occupy(a);
            self.set_location(id, Location::X(a));
        }
        Ok(())
    }

    /// Variables that are the head's arguments get the places that the rest of the clause needs them in.
    fn settle_head(&mut self, head: Cell) -> Result<(), CompileError> {
        for (a, id) in self.head_variables(head)? {
            if self.analysis.variable(id).permanent {
                let slot = self.slot(id);
                self.set_location(id, Location::Y(slot));
                self.push(I::GetVariableY(slot, a));
                self.set_copy(id, a);
            }
            if self.analysis.variable(id).permanent || self.is_void(id) {
                self.free(a);
            }
        }
        Ok(())
    }

    fn head_variables(&self, head: Cell) -> Result<Vec<(X, VariableId)>, CompileError> {
        let store = &self.machine.store;
        let (first, arity) = store.arguments(head);
        let mut variables = Vec::with_capacity(arity);
        for i in 0..arity {
            if let Some(id) = self.analysis.id(store.deref(store.at(first + i))) {
                variables.push((register(i)?, id));
            }
        }
        Ok(variables)
    }

    fn head(&mut self, head: Cell) -> Result<(), CompileError> {
        let (first, arity) = self.machine.store.arguments(head);
        for i in 0..arity {
            self.occupy(register(i)?);
        }
        for i in 0..arity {
            let a = register(i)?;
            let cell = self.machine.store.deref(self.machine.store.at(first + i));
            match cell.tag() {
                Tag::Ref => {
                    let Some(id) = self.analysis.id(cell) else { continue };
                    match self.location(id) {
                        Some(Location::X(other)) => self.push(I::GetValueX(other, a)),
                        Some(Location::Y(slot)) => self.push(I::GetValueY(slot, a)),
                        None if self.is_void(id) => {}
                        None if self.analysis.variable(id).permanent => {
                            let slot = self.slot(id);
                            self.set_location(id, Location::Y(slot));
                            self.push(I::GetVariableY(slot, a));
                            self.set_copy(id, a);
                        }
                        None => {
                            self.set_location(id, Location::X(a));
                            continue;
                        }
                    }
                    self.free(a);
                }
                Tag::Atm | Tag::Int | Tag::Txt => {
                    self.push(I::GetConstant(a, cell));
                    self.free(a);
                }
                Tag::Box => {
                    let number = self.fresh()?;
                    self.put(number, cell)?;
                    self.push(I::GetValueX(number, a));
                    self.free(number);
                    self.free(a);
                }
                _ => {
                    self.match_term(a, cell, true)?;
                }
            }
        }
        Ok(())
    }

    // Registers, slots, locations.

    // Labels.

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(LABELS + self.labels.len() as u32 - 1)
    }

    pub(super) fn set_label(&mut self, label: Label) {
        self.labels[(label.0 - LABELS) as usize] = Some(self.code.len() as u32);
    }

    pub(super) fn finish(mut self, at: Address) -> Result<Vec<I>, CompileError> {
        let labels: Vec<u32> = self.labels.iter().map(|label| label.unwrap_or(0)).collect();
        note_live_slots(self.machine, &mut self.code, self.next_slot, &|target| {
            target.checked_sub(LABELS).map(|label| labels[label as usize] as usize)
        });
        self.code = peephole(&self.code, &mut self.labels);
        let labels = &self.labels;
        for target in self.code.iter_mut().filter_map(target) {
            if *target >= LABELS {
                *target = at + labels[(*target - LABELS) as usize].unwrap_or(0);
            }
        }
        self.thread_jumps(at);
        self.machine.reserve_registers(self.most_registers.max(self.analysis.most_arguments) + 16);
        Ok(self.code)
    }

    /// What leads to a jump leads to where that goes, and a jump to where a clause ends is the end itself.
    fn thread_jumps(&mut self, at: Address) {
        for i in 0..self.code.len() {
            let mut instruction = self.code[i];
            let Some(to) = target(&mut instruction) else { continue };
            match to.checked_sub(at).and_then(|to| self.code.get(to as usize)) {
                Some(&I::Jump(further)) => *to = further,
                Some(
                    &end @ (I::Proceed | I::Execute(_) | I::DeallocateProceed | I::DeallocateExecute(_)),
                ) if matches!(self.code[i], I::Jump(_)) => {
                    instruction = end;
                }
                _ => continue,
            }
            self.code[i] = instruction;
        }
    }

    // Goals.

    /// Emits a sequence. `tail`: the clause ends behind it. `otherwise`: where tests go that fail; the clause
    /// backtracks if there is no such place.
    pub(super) fn sequence(
        &mut self,
        goals: &[Goal],
        tail: bool,
        otherwise: Option<Label>,
    ) -> Result<(), CompileError> {
        for (position, goal) in goals.iter().enumerate() {
            let last = tail && position + 1 == goals.len();
            match goal {
                Goal::Call(predicate, first, count) => {
                    self.arguments(*first, *count)?;
                    if last {
                        self.leave_environment();
                        self.push(I::Execute(*predicate));
                        return Ok(());
                    }
                    self.push(I::Call(*predicate, Live::NONE));
                    self.forget_registers();
                }
                Goal::MetaCall(goal) => {
                    let call = self.machine.predicate(atom::CALL, 1);
                    self.put_moving(0, *goal)?;
                    if last {
                        self.leave_environment();
                        self.push(I::Execute(call));
                        return Ok(());
                    }
                    self.push(I::Call(call, Live::NONE));
                    self.forget_registers();
                }
                Goal::Interpret(goal) => {
                    let exec = self.machine.predicate(atom::EXEC, 2);
                    self.put_moving(0, *goal)?;
                    if let Some(slot) = self.cut_slot {
                        self.push(I::PutValueY(slot, 1));
                    }
                    if last {
                        self.leave_environment();
                        self.push(I::Execute(exec));
                        return Ok(());
                    }
                    self.push(I::Call(exec, Live::NONE));
                    self.forget_registers();
                }
                Goal::Branches(branches) => {
                    self.branches(branches, last)?;
                    if last {
                        return Ok(());
                    }
                }
                inline => self.inline(inline, otherwise)?,
            }
            if matches!(goal, Goal::Fail) && otherwise.is_none() {
                return Ok(());
            }
        }
        if tail {
            self.leave_environment();
            self.push(match self.exit {
                Exit::Through(finish, _) if !self.environment => finish,
                _ => I::Proceed,
            });
        }
        Ok(())
    }

    fn leave_environment(&mut self) {
        if self.environment {
            self.push(I::Deallocate);
        }
    }

    /// Puts a term into an argument register before a call with this one term.
    fn put_moving(&mut self, target: X, term: Cell) -> Result<(), CompileError> {
        let cell = self.machine.store.deref(term);
        if self.is_taken(target) && !cell.is_immediate() && cell.tag() != Tag::Ref {
            let register = self.fresh()?;
            self.put(register, cell)?;
            self.push(I::Move(register, target));
            return Ok(());
        }
        self.put(target, cell)
    }

    /// Puts the arguments of a call into the argument registers. The registers' variables are dead afterwards
    /// unless they are arguments.
    fn arguments(&mut self, first: usize, count: usize) -> Result<(), CompileError> {
        let cells: Vec<Cell> =
            (0..count).map(|i| self.machine.store.deref(self.machine.store.at(first + i))).collect();
        self.release_dead(&cells);
        // Compound terms first, while everything they are made of is still in its place.
        let mut moves: Vec<(X, X)> = Vec::new();
        let mut later: Vec<(X, Cell)> = Vec::new();
        for (i, &cell) in cells.iter().enumerate() {
            let target = register(i)?;
            match cell.tag() {
                Tag::Lis | Tag::Str => {
                    let built = if self.is_taken(target) { self.fresh()? } else { target };
                    self.occupy(built);
                    self.build_term(built, cell)?;
                    if built != target {
                        moves.push((built, target));
                    }
                }
                _ => later.push((target, cell)),
            }
        }
        // Then variables that are in registers, as one parallel move.
        later.retain(|&(target, cell)| {
            let location = self.analysis.id(cell).and_then(|id| self.location(id));
            match location {
                Some(Location::X(from)) if cell.tag() == Tag::Ref => {
                    if from != target {
                        moves.push((from, target));
                    }
                    false
                }
                _ => true,
            }
        });
        self.parallel_move(moves)?;
        // Then what no register holds.
        for (target, cell) in later {
            self.put(target, cell)?;
        }
        Ok(())
    }

    // Branches.
}
