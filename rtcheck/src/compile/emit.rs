//! Instructions of one clause.
//!
//! Length: registers, labels, goals and branches share the emitter's state of one path through a clause.

use super::allocate::{Analysis, VariableId, occurrences_in};
use super::body::{Branch, Condition, Goal, branches_are_simple};
use super::label::{LABELS, Label, target};
use super::live::note_live_slots;
use super::peephole::peephole;
use super::{CompileError, Exit};
use crate::machine::{Address, Arithmetic, Instruction as I, Lie, Live, Machine, X, Y};
use crate::term::{Cell, Tag, atom};
use rustc_hash::FxHashSet;

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
    taken: Vec<bool>,
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
            path: Path { locations: vec![None; count], copies: vec![None; count], taken: Vec::new() },
            slots: vec![None; count],
            next_slot: 0,
            labels: Vec::new(),
            cut_slot: None,
            environment,
            exit: Exit::Plain,
            most_registers: 0,
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
                self.path.copies[id.0 as usize] = Some(a);
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
                            self.path.copies[id.0 as usize] = Some(a);
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

    pub(super) fn occupy(&mut self, register: X) {
        let index = register as usize;
        if self.path.taken.len() <= index {
            self.path.taken.resize(index + 1, false);
        }
        self.path.taken[index] = true;
        for copy in &mut self.path.copies {
            if *copy == Some(register) {
                *copy = None;
            }
        }
        self.most_registers = self.most_registers.max(index + 1);
    }

    pub(super) fn free(&mut self, register: X) {
        if let Some(taken) = self.path.taken.get_mut(register as usize) {
            *taken = false;
        }
    }

    fn free_unless_located(&mut self, register: X) {
        if !self.path.locations.contains(&Some(Location::X(register))) {
            self.free(register);
        }
    }

    fn is_taken(&self, register: X) -> bool {
        self.path.taken.get(register as usize).copied().unwrap_or(false)
    }

    /// A register that is no argument register of the head or of a call, and free.
    pub(super) fn fresh(&mut self) -> Result<X, CompileError> {
        let mut index = self.analysis.most_arguments;
        while self.path.taken.get(index).copied().unwrap_or(false) {
            index += 1;
        }
        let register = register(index)?;
        self.occupy(register);
        Ok(register)
    }

    pub(super) fn location(&self, id: VariableId) -> Option<Location> {
        self.path.locations[id.0 as usize]
    }

    pub(super) fn set_location(&mut self, id: VariableId, location: Location) {
        self.path.locations[id.0 as usize] = Some(location);
    }

    pub(super) fn is_void(&self, id: VariableId) -> bool {
        self.analysis.variable(id).occurrences == 1
    }

    pub(super) fn slot(&mut self, id: VariableId) -> Y {
        if let Some(slot) = self.slots[id.0 as usize] {
            return slot;
        }
        let slot = self.new_slot();
        self.slots[id.0 as usize] = Some(slot);
        slot
    }

    fn new_slot(&mut self) -> Y {
        // Too many slots are found out when the environment's size is filled in.
        let slot = self.next_slot as Y;
        self.next_slot += 1;
        slot
    }

    /// Gives a variable at its first occurrence a place: its slot, the argument register where the next call
    /// wants it if that is free, or a fresh register.
    pub(super) fn place(&mut self, id: VariableId) -> Result<Location, CompileError> {
        let variable = self.analysis.variable(id);
        let location = if variable.permanent {
            Location::Y(self.slot(id))
        } else {
            match variable.wanted {
                Some(wanted) if !self.is_taken(wanted) => {
                    self.occupy(wanted);
                    Location::X(wanted)
                }
                _ => Location::X(self.fresh()?),
            }
        };
        self.set_location(id, location);
        Ok(location)
    }

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

    /// A call overwrites every register.
    fn forget_registers(&mut self) {
        self.path.taken.fill(false);
        self.path.copies.fill(None);
        for location in &mut self.path.locations {
            if matches!(location, Some(Location::X(_))) {
                *location = None;
            }
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

    /// Frees the registers of variables that are not among a call's arguments.
    fn release_dead(&mut self, cells: &[Cell]) {
        let mut alive = vec![false; self.path.locations.len()];
        let mut pending = cells.to_vec();
        while let Some(cell) = pending.pop() {
            let cell = self.machine.store.deref(cell);
            if let Some(VariableId(id)) = self.analysis.id(cell) {
                alive[id as usize] = true;
            } else {
                let (first, count) = self.machine.store.arguments(cell);
                pending.extend((first..first + count).map(|i| self.machine.store.at(i)));
            }
        }
        self.path.taken.fill(false);
        for (i, alive) in alive.into_iter().enumerate() {
            match self.path.locations[i] {
                Some(Location::X(register)) if alive => self.occupy(register),
                Some(Location::X(_)) => self.path.locations[i] = None,
                _ => {}
            }
        }
    }

    /// Moves registers as if all at once.
    fn parallel_move(&mut self, mut moves: Vec<(X, X)>) -> Result<(), CompileError> {
        while !moves.is_empty() {
            let free = moves.iter().position(|&(_, to)| moves.iter().all(|&(from, _)| from != to));
            match free {
                Some(position) => {
                    let (from, to) = moves.swap_remove(position);
                    self.push(I::Move(from, to));
                    self.occupy(to);
                }
                None => {
                    // Only cycles are left: one register steps aside.
                    let (from, _) = moves[0];
                    let aside = self.fresh()?;
                    self.push(I::Move(from, aside));
                    for (source, _) in &mut moves {
                        if *source == from {
                            *source = aside;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn inline(&mut self, goal: &Goal, otherwise: Option<Label>) -> Result<(), CompileError> {
        let target = otherwise.map_or(FAIL, |label| label.0);
        let taken = self.path.taken.clone();
        match goal {
            Goal::Cut => match self.cut_slot {
                Some(slot) => self.push(I::Cut(slot)),
                None => self.push(I::NeckCut),
            },
            Goal::Fail => self.push(if otherwise.is_some() { I::Jump(target) } else { I::Fail }),
            Goal::Test(test, term) => {
                let a = self.operand(*term)?;
                self.push(I::Test(*test, a, target));
            }
            Goal::CompareNumbers(comparison, left, right) if self.small(*right).is_some() => {
                let number = self.small(*right).unwrap_or(0);
                let a = self.number(*left, 0)?;
                self.push(I::CompareSmall(*comparison, a, number, target));
            }
            Goal::CompareNumbers(comparison, left, right) if self.small(*left).is_some() => {
                let number = self.small(*left).unwrap_or(0);
                let a = self.number(*right, 0)?;
                self.push(I::CompareSmall(comparison.mirrored(), a, number, target));
            }
            Goal::CompareNumbers(comparison, left, right) => {
                let a = self.number(*left, 0)?;
                let b = self.number(*right, 0)?;
                self.push(I::CompareNumbers(*comparison, a, b, target));
            }
            Goal::CompareTerms(comparison, left, right) => {
                let a = self.operand(*left)?;
                let b = self.operand(*right)?;
                self.push(I::CompareTerms(*comparison, a, b, target));
            }
            Goal::Is(result, expression) => {
                let cell = self.machine.store.deref(*expression);
                let value = self.number(cell, 0)?;
                // A variable may be bound to a term that is still to be evaluated, an atom is a function without
                // arguments, and a string has the value of its character.
                let known = cell.tag() == Tag::Atm && self.machine.tells(Lie::KnownAtoms);
                let value = if matches!(cell.tag(), Tag::Ref | Tag::Atm | Tag::Txt) && !known {
                    let evaluated = self.fresh()?;
                    self.push(I::Evaluate(value, evaluated));
                    evaluated
                } else {
                    value
                };
                self.bind(*result, value)?;
            }
            Goal::Unify(left, right) => self.unify(*left, *right)?,
            Goal::Builtin(builtin, first, count) => {
                let base = self.builtin_arguments(*first, *count)?;
                self.push(I::Builtin(*builtin, base));
            }
            Goal::Call(..) | Goal::MetaCall(_) | Goal::Interpret(_) | Goal::Branches(_) => {}
        }
        // Registers taken only for this goal are free again, unless a variable found its place there.
        let now = self.path.taken.clone();
        for (index, is_taken) in now.into_iter().enumerate() {
            if is_taken && !taken.get(index).copied().unwrap_or(false) {
                self.free_unless_located(register(index)?);
            }
        }
        Ok(())
    }

    /// A built-in's arguments lie in fresh registers side by side, so that nothing else has to move.
    fn builtin_arguments(&mut self, first: usize, count: usize) -> Result<X, CompileError> {
        let top = self.path.taken.iter().rposition(|&taken| taken).map_or(0, |last| last + 1);
        let base = top.max(self.analysis.most_arguments);
        for i in 0..count {
            self.occupy(register(base + i)?);
        }
        for i in 0..count {
            let cell = self.machine.store.at(first + i);
            self.put(register(base + i)?, cell)?;
        }
        register(base)
    }

    /// A register that holds a term.
    fn operand(&mut self, term: Cell) -> Result<X, CompileError> {
        let cell = self.machine.store.deref(term);
        let id = self.analysis.id(cell);
        if let Some(Location::X(register)) = id.and_then(|id| self.location(id)) {
            return Ok(register);
        }
        if let Some(copy) = id.and_then(|id| self.path.copies[id.0 as usize]) {
            return Ok(copy);
        }
        let register = self.fresh()?;
        self.put(register, cell)?;
        Ok(register)
    }

    /// A term that is a small integer.
    pub(super) fn small(&self, term: Cell) -> Option<i32> {
        let cell = self.machine.store.deref(term);
        (cell.tag() == Tag::Int).then(|| i32::try_from(cell.int_value()).ok()).flatten()
    }

    /// A register that holds a number, or a term that instructions on numbers evaluate by themselves.
    fn number(&mut self, term: Cell, depth: usize) -> Result<X, CompileError> {
        let cell = self.machine.store.deref(term);
        let compound = matches!(cell.tag(), Tag::Str | Tag::Lis);
        if !compound || depth > 100 {
            return self.operand(cell);
        }
        let operation = match self.machine.store.functor(cell) {
            Some((atom::PLUS, 2)) => Some(Arithmetic::Add),
            Some((atom::MINUS, 2)) => Some(Arithmetic::Subtract),
            Some((atom::STAR, 2)) => Some(Arithmetic::Multiply),
            Some((atom::INT_DIVIDE, 2)) => Some(Arithmetic::Divide),
            Some((atom::MOD, 2)) => Some(Arithmetic::Modulo),
            Some((atom::REM, 2)) => Some(Arithmetic::Remainder),
            Some((atom::BIT_AND, 2)) => Some(Arithmetic::And),
            Some((atom::BIT_OR, 2)) => Some(Arithmetic::Or),
            Some((atom::SHIFT_LEFT, 2)) => Some(Arithmetic::ShiftLeft),
            Some((atom::SHIFT_RIGHT, 2)) => Some(Arithmetic::ShiftRight),
            _ => None,
        };
        let Some(operation) = operation else {
            let term = self.operand(cell)?;
            let value = self.fresh()?;
            self.push(I::Evaluate(term, value));
            return Ok(value);
        };
        let (left, right) = (self.machine.store.argument(cell, 0), self.machine.store.argument(cell, 1));
        let small = |cell: Cell, sign: i64| {
            (cell.tag() == Tag::Int).then(|| i32::try_from(sign * cell.int_value()).ok()).flatten()
        };
        // The sides of sums and products may change places: only the one that is no constant can be in error.
        let (left, right) = match operation {
            Arithmetic::Add | Arithmetic::Multiply if small(left, 1).is_some() => (right, left),
            _ => (left, right),
        };
        let addend = match operation {
            Arithmetic::Add => small(right, 1),
            Arithmetic::Subtract => small(right, -1),
            _ => None,
        };
        if let Some(addend) = addend {
            let a = self.number(left, depth + 1)?;
            let value = self.fresh()?;
            self.push(I::AddSmall(a, value, addend));
            return Ok(value);
        }
        let a = self.number(left, depth + 1)?;
        if let Some(constant) = small(right, 1) {
            let value = self.fresh()?;
            self.push(I::ArithmeticSmall(operation, a, value, constant));
            return Ok(value);
        }
        let b = self.number(right, depth + 1)?;
        let value = self.fresh()?;
        self.push(match operation {
            Arithmetic::Add => I::Add(a, b, value),
            Arithmetic::Subtract => I::Subtract(a, b, value),
            _ => I::Arithmetic(operation, a, b, value),
        });
        Ok(value)
    }

    /// Unifies a term with a register whose content is new.
    fn bind(&mut self, term: Cell, register: X) -> Result<(), CompileError> {
        let cell = self.machine.store.deref(term);
        match cell.tag() {
            Tag::Ref => {
                let Some(id) = self.analysis.id(cell) else { return Ok(()) };
                match self.location(id) {
                    Some(Location::X(other)) => self.push(I::Unify(other, register)),
                    Some(Location::Y(slot)) => self.push(I::GetValueY(slot, register)),
                    None if self.is_void(id) => {}
                    None if self.analysis.variable(id).permanent => {
                        let slot = self.slot(id);
                        self.set_location(id, Location::Y(slot));
                        self.push(I::GetVariableY(slot, register));
                    }
                    None => self.set_location(id, Location::X(register)),
                }
            }
            Tag::Atm | Tag::Int | Tag::Txt => {
                self.push(I::GetConstant(register, cell));
            }
            Tag::Lis | Tag::Str => self.match_term(register, cell, false)?,
            _ => {
                let number = self.operand(cell)?;
                self.push(I::Unify(number, register));
            }
        }
        Ok(())
    }

    fn unify(&mut self, left: Cell, right: Cell) -> Result<(), CompileError> {
        let (left, right) = (self.machine.store.deref(left), self.machine.store.deref(right));
        let seen = |emitter: &Self, cell: Cell| emitter.analysis.id(cell).and_then(|id| emitter.location(id));
        // The side that exists already is matched with the other one.
        let (known, other) = match (seen(self, left), seen(self, right)) {
            (Some(_), _) => (left, right),
            (None, Some(_)) => (right, left),
            (None, None) if left.tag() != Tag::Ref => (left, right),
            (None, None) => (right, left),
        };
        if known == other {
            return self.operand(known).map(drop);
        }
        let register = self.operand(known)?;
        self.bind(other, register)
    }

    // Branches.

    fn branches(&mut self, branches: &[Branch], tail: bool) -> Result<(), CompileError> {
        self.initialize_shared(branches)?;
        let simple = branches_are_simple(branches);
        let start = self.path.clone();
        let end = self.label();
        let mut last = None;
        // What the conditions passed so far have left of the copies in argument registers.
        let mut copies = start.copies.clone();
        for (position, branch) in branches.iter().enumerate() {
            self.path = Path { copies: copies.clone(), ..start.clone() };
            if !simple {
                self.forget_registers();
            }
            let is_last = position + 1 == branches.len();
            if branch.is_simple() {
                let condition = branch.condition.as_ref().map_or(&[][..], |condition| &condition.goals);
                if is_last {
                    self.sequence(condition, false, None)?;
                } else {
                    let next = self.label();
                    self.sequence(condition, false, Some(next))?;
                    last = Some(next);
                    for (copy, left) in copies.iter_mut().zip(&self.path.copies) {
                        *copy = copy.filter(|_| copy == left);
                    }
                }
                self.sequence(&branch.body, tail, None)?;
                if !tail && !is_last {
                    self.push(I::Jump(end.0));
                }
                if let Some(next) = last.take() {
                    self.set_label(next);
                }
            } else if let Some(condition) = &branch.condition {
                self.conditional(condition, branch, is_last, tail, end)?;
            } else if is_last {
                self.sequence(&branch.body, tail, None)?;
            } else {
                let next = self.label();
                self.push(I::TryElse(next.0));
                self.sequence(&branch.body, tail, None)?;
                if !tail {
                    self.push(I::Jump(end.0));
                }
                self.set_label(next);
                self.push(I::TrustElse(Live::NONE));
            }
        }
        // No branch was taken: the last one had a condition that went on failing.
        if !tail {
            self.set_label(end);
            // Behind the branches only what was placed before them is known to have a place.
            self.path = start;
            self.forget_registers();
        }
        Ok(())
    }

    fn conditional(
        &mut self,
        condition: &Condition,
        branch: &Branch,
        is_last: bool,
        tail: bool,
        end: Label,
    ) -> Result<(), CompileError> {
        let level = self.new_slot();
        self.push(I::SaveLevel(level));
        let next = self.label();
        // The last branch's choicepoint fails at once, so that a cut in the condition has the same meaning.
        self.push(I::TryElse(next.0));
        // A cut in a condition is local to it: it keeps the choicepoint just made.
        let outer_cut = self.cut_slot;
        if contains_cut(&condition.goals) {
            let slot = self.new_slot();
            self.push(I::SaveLevel(slot));
            self.cut_slot = Some(slot);
        }
        self.sequence(&condition.goals, false, None)?;
        self.cut_slot = outer_cut;
        self.push(if condition.soft { I::SoftCut(level) } else { I::Cut(level) });
        self.forget_registers();
        self.sequence(&branch.body, tail, None)?;
        if !tail {
            self.push(I::Jump(end.0));
        }
        self.set_label(next);
        self.push(I::TrustElse(Live::NONE));
        if is_last {
            self.push(I::Fail);
        }
        Ok(())
    }

    /// Variables whose first occurrence lies in a branch but which occur behind the branches as well are made
    /// before, since the code behind cannot know which branch was taken.
    fn initialize_shared(&mut self, branches: &[Branch]) -> Result<(), CompileError> {
        let mut counts: Vec<(u32, u32)> =
            occurrences_in(&self.machine.store, &self.analysis, branches).into_iter().collect();
        counts.sort_unstable();
        for (id, count) in counts {
            let id = VariableId(id);
            let variable = self.analysis.variable(id);
            if self.location(id).is_none() && count < variable.occurrences && variable.permanent {
                let slot = self.slot(id);
                self.set_location(id, Location::Y(slot));
                let scratch = self.fresh()?;
                self.push(I::PutVariableY(slot, scratch));
                self.free(scratch);
            }
        }
        Ok(())
    }
}

/// Whether a cut occurs among goals, at any depth (which is bounded) but not inside an inner condition.
fn contains_cut(goals: &[Goal]) -> bool {
    goals.iter().any(|goal| match goal {
        Goal::Cut => true,
        Goal::Branches(branches) => branches.iter().any(|branch| contains_cut(&branch.body)),
        _ => false,
    })
}

/// A register by its number.
pub(super) fn register(index: usize) -> Result<X, CompileError> {
    // The highest registers stay free for the machine's own use.
    X::try_from(index).ok().filter(|&x| x < X::MAX - 32).ok_or(CompileError::TooLarge)
}
