//! States that meet again: `klee_open_merge` and `klee_close_merge`, and the older `klee_merge`, where merging is
//! asked for.
//!
//! A state that opens begins a *meeting*, to which all states belong that fork from it until they close. One
//! that closes waits; where another one waits at the same place already, with the same activations, inputs and
//! objects, the two become one: values that differ are a choice by what the first one's path has assumed since
//! they parted, and what it knows is that either path is right. Nothing that was not true on both is kept: facts
//! about unknown pointers, preferences, sizes that were followed. The two conditions must exclude each other,
//! or the choice would lose one side; where they are not opposites, the solver is asked.
//!
//! What cannot be one stays two, and goes on as it is: objects that only one has, contents that were written at
//! unknown places or lie in segments that were made since they parted, inputs that were made since. All that is
//! compared is part of the states, and the questions are truths, so caches change no meeting.
//!
//! States that wait go on when the last one of their meeting has closed or ended; with
//! `--use-incomplete-merge` also when one that is still under way has come to twice as many choices as those
//! that wait came to, so that one that never closes holds nobody up.
//!
//! At `klee_merge`, which nothing opens, a state waits until all states of the program wait or have ended.
//!
//! A state that became part of another one has not ended: it is neither a path nor a test of its own. So what
//! a path decided no longer says what it is, which is why programs are not explored in parts with merging.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::bits::BinaryOp;
use crate::base::float::Operation;
use crate::exec::state::Belongs;
use crate::exec::{Executor, Frame, Stack, State, Step, Stop};
use crate::expr::{Arena, ExprId};
use crate::memory::Value;
use crate::module::{Function, FunctionId, Instruction, Module, Operand};

/// States that may become one.
#[derive(Debug, Default)]
struct Meeting {
    /// How many are under way.
    under_way: u64,
    /// Those that are there, with the choices that each came to.
    met: Vec<(State, u64)>,
}

/// The meeting of all states, at `klee_merge`; the others are numbered from 0.
const OF_ALL: u64 = u64::MAX;

/// The meetings that were opened and not left.
#[derive(Debug, Default)]
pub(in crate::exec) struct Meetings {
    open: BTreeMap<u64, Meeting>,
    next: u64,
    /// The widths of registers, where they were needed.
    widths: BTreeMap<FunctionId, Rc<[u32]>>,
}

impl Meetings {
    /// The states that wait for others.
    pub(in crate::exec) fn waiting(&self) -> impl Iterator<Item = &State> {
        self.open.values().flat_map(|meeting| &meeting.met).map(|(state, _)| state)
    }
}

impl Executor<'_> {
    /// `klee_open_merge`.
    pub(in crate::exec) fn open_meeting(&mut self, state: &mut State) {
        if !self.config.merging {
            return self.warn_once("klee_open_merge ignored, use '-use-merge'");
        }
        let meeting = self.meetings.next;
        self.meetings.next += 1;
        self.meetings.open.insert(meeting, Meeting { under_way: 1, met: Vec::new() });
        state.meetings.push(Belongs { meeting, depth: state.depth });
        self.log_meeting(|| format!("open merge: {meeting}, by state {}", state.id));
    }

    /// `klee_close_merge`: the state stands behind it, and waits there.
    pub(in crate::exec) fn close_meeting(&mut self, state: &mut State) -> Step<()> {
        if !self.config.merging {
            self.warn_once("klee_close_merge ignored, use '-use-merge'");
        } else if state.meetings.is_empty() {
            let (number, line) = (state.id, self.line(state));
            self.warn_once_of(
                "klee_close_merge",
                &format!(
                    "state {number} ran into a close at line {line} of the assembly without a preceding open"
                ),
            );
        } else {
            self.advance(state);
            return Err(Stop::Met);
        }
        Ok(())
    }

    /// `klee_merge`: the state stands behind it, and waits there until nobody is under way.
    pub(in crate::exec) fn wait_for_all(&mut self, state: &mut State) -> Step<()> {
        if !self.config.merging {
            self.warn_once("klee_merge ignored, use '-use-merge'");
            return Ok(());
        }
        self.meetings.open.entry(OF_ALL).or_default();
        state.meetings.push(Belongs { meeting: OF_ALL, depth: state.depth });
        self.advance(state);
        Err(Stop::Met)
    }

    /// New states belong where the one belongs that they come from.
    pub(in crate::exec) fn join_meetings(&mut self, state: &State) {
        for belongs in &state.meetings {
            if let Some(meeting) = self.meetings.open.get_mut(&belongs.meeting) {
                meeting.under_way += 1;
            }
        }
    }

    /// A state comes to no meeting any more.
    pub(in crate::exec) fn leave_meetings(&mut self, state: &State) {
        for belongs in &state.meetings {
            self.one_less(belongs.meeting);
        }
    }

    /// Where others have waited long enough for a state, they go on.
    pub(in crate::exec) fn look_at_meetings(&mut self, state: &State) {
        if !self.config.incomplete_merging {
            return;
        }
        for belongs in &state.meetings {
            let Some(meeting) = self.meetings.open.get_mut(&belongs.meeting) else { continue };
            let longest = meeting.met.iter().map(|(_, choices)| *choices).max();
            let choices = state.depth.saturating_sub(belongs.depth);
            if longest.is_some_and(|longest| choices > longest.saturating_mul(2)) {
                let met = std::mem::take(&mut meeting.met);
                self.log_meeting(|| {
                    format!("merge {} waits no longer for state {}", belongs.meeting, state.id)
                });
                if self.config.log_incomplete_merges {
                    self.observer().print("Preemptively releasing states");
                }
                self.go_on(met);
            }
        }
    }

    /// A state has come to `klee_close_merge`, and stands behind it.
    pub(in crate::exec) fn meet(&mut self, mut state: State) {
        let Some(belongs) = state.meetings.pop() else { return self.wait(state) };
        let number = belongs.meeting;
        let choices = state.depth.saturating_sub(belongs.depth);
        let place = state.position();
        let count = self.meetings.open.get(&number).map_or(0, |meeting| meeting.met.len());
        if number != OF_ALL {
            self.log_meeting(|| format!("close merge: {number}, by state {}", state.id));
        }
        self.searcher.ended(state.id);
        for index in 0..count {
            let known = self.meetings.open.get(&number).and_then(|meeting| meeting.met.get(index));
            let Some((known, _)) = known.filter(|(known, _)| known.position() == place).cloned() else {
                continue;
            };
            if let Some(joined) = self.joined(&known, &state) {
                self.log_meeting(|| format!("merged state {} into state {}", state.id, known.id));
                if let Some((known, longest)) =
                    self.meetings.open.get_mut(&number).and_then(|meeting| meeting.met.get_mut(index))
                {
                    *known = joined;
                    *longest = choices.max(*longest);
                }
                // Of the two that belonged to meetings around this one, one is left.
                self.leave_meetings(&state);
                return self.one_less(number);
            }
            self.log_meeting(|| format!("states {} and {} cannot be merged", known.id, state.id));
        }
        if let Some(meeting) = self.meetings.open.get_mut(&number) {
            meeting.met.push((state, choices));
        }
        self.one_less(number);
    }

    /// Lets all go on that wait for others.
    pub(in crate::exec) fn end_meetings(&mut self) {
        let numbers: Vec<u64> = self.meetings.open.keys().copied().collect();
        for number in numbers {
            if let Some(meeting) = self.meetings.open.get_mut(&number) {
                let met = std::mem::take(&mut meeting.met);
                self.go_on(met);
            }
        }
    }

    fn one_less(&mut self, number: u64) {
        // Who is under way to the meeting of all, nobody counts: it ends when nobody is left.
        let open = self.meetings.open.get_mut(&number).filter(|_| number != OF_ALL);
        let Some(meeting) = open else { return };
        meeting.under_way = meeting.under_way.saturating_sub(1);
        if meeting.under_way == 0
            && let Some(meeting) = self.meetings.open.remove(&number)
        {
            self.go_on(meeting.met);
        }
    }

    fn go_on(&mut self, met: Vec<(State, u64)>) {
        for (state, _) in met {
            self.wait(state);
        }
    }

    fn log_meeting(&mut self, text: impl FnOnce() -> String) {
        if self.config.log_merges {
            self.observer().print(&text());
        }
    }

    /// Two states that stand at the same place as one; `None` if they cannot be.
    fn joined(&mut self, one: &State, two: &State) -> Option<State> {
        if !are_alike(one, two) {
            return None;
        }
        let shared = one.constraints.iter().zip(two.constraints.iter()).take_while(|(a, b)| a == b).count();
        let [first, second] = [one, two].map(|state| {
            let truth = self.arena.truth(true);
            state.constraints[shared..].iter().fold(truth, |all, next| self.arena.and(all, *next))
        });
        let opposite = self.arena.not(first);
        if opposite != second {
            let both = self.arena.and(first, second);
            self.solver.see(one.memory.merged_places());
            let prefix = &one.constraints[..shared];
            if self.solver.may_hold(&mut self.arena, prefix, both).unwrap_or(true) {
                return None;
            }
        }
        let condition = if self.swaps_sides() { second } else { first };
        let mut choose = |arena: &mut Arena, yes, no| arena.choose(condition, yes, no);
        let mut joined = one.clone();
        joined.memory = one.memory.joined(&two.memory, &mut self.arena, &mut self.allocator, &mut choose)?;
        for (place, frame) in two.frames.iter().enumerate() {
            if !Rc::ptr_eq(frame, &one.frames[place]) {
                self.join_registers(&mut joined, place, frame, condition)?;
            }
        }
        self.join_knowledge(&mut joined, two, shared, (first, second));
        Some(joined)
    }

    fn join_registers(
        &mut self,
        joined: &mut State,
        place: usize,
        other: &Frame,
        condition: ExprId,
    ) -> Option<()> {
        let widths = self.register_widths(other.function);
        let State { frames, memory, .. } = joined;
        let frame = Rc::make_mut(frames.get_mut(place)?);
        for (index, (value, other)) in frame.registers.iter_mut().zip(&other.registers).enumerate() {
            if value == other {
                continue;
            }
            let width = [*value, *other].into_iter().find_map(|value| match value {
                Value::Expr(expr) => Some(self.arena.width(expr)),
                _ => None,
            });
            let width = width.or_else(|| widths.get(index).copied().filter(|width| *width > 0))?;
            let [yes, no] = [*value, *other]
                .map(|value| memory.expression(&mut self.arena, &mut self.allocator, value, width));
            if self.arena.width(yes) != self.arena.width(no) {
                return None;
            }
            let chosen = self.arena.choose(condition, yes, no);
            *value = self.arena.as_u64(chosen).map_or(Value::Expr(chosen), Value::Bits);
        }
        Some(())
    }

    /// What is known of a joined state is what was known of both, and that one of the two paths is right.
    fn join_knowledge(
        &mut self,
        joined: &mut State,
        two: &State,
        shared: usize,
        (first, second): (ExprId, ExprId),
    ) {
        let either = self.arena.binary(BinaryOp::Or, first, second);
        joined.constraints = Rc::new(joined.constraints[..shared].to_vec());
        joined.assumed = joined.assumed.iter().filter(|truth| two.assumed.contains(truth)).copied().collect();
        if !self.arena.is_true(either) {
            joined.assume(either);
        }
        let both = |one: &[ExprId], two: &[ExprId]| {
            let shared = one.iter().zip(two).take_while(|(a, b)| a == b);
            Rc::new(shared.map(|(fact, _)| *fact).collect::<Vec<_>>())
        };
        joined.facts = both(&joined.facts, &two.facts);
        joined.preferences = both(&joined.preferences, &two.preferences);
        let kept = joined.targets.iter().filter(|(base, (_, targets))| {
            two.targets.get(base).is_some_and(|(_, others)| others == targets)
        });
        joined.targets = kept.map(|(base, targets)| (*base, targets.clone())).collect();
        let kept = joined.whereabouts.iter().filter(|(key, objects)| {
            two.whereabouts
                .get(key)
                .is_some_and(|others| others.objects == objects.objects && others.more == objects.more)
        });
        joined.whereabouts = kept.map(|(key, objects)| (*key, Rc::clone(objects))).collect();
        for place in &two.selected {
            joined.selected.insert_mut(*place);
        }
        joined.depth = joined.depth.max(two.depth);
        joined.questions += two.questions;
        joined.new_coverage |= two.new_coverage;
        joined.since_new = joined.since_new.into_iter().chain(two.since_new).min();
        if !two.new_lines.is_empty() {
            Rc::make_mut(&mut joined.new_lines).extend(two.new_lines.iter());
        }
    }

    /// The lie, if it is to be told, that what the first path has is what the second one has.
    fn swaps_sides(&self) -> bool {
        #[cfg(feature = "plant")]
        return self.config.swap_merged;
        #[cfg(not(feature = "plant"))]
        false
    }

    fn register_widths(&mut self, function: FunctionId) -> Rc<[u32]> {
        let module = self.module;
        let widths = self.meetings.widths.entry(function);
        Rc::clone(widths.or_insert_with(|| {
            let function = module.functions.get(function.index());
            function.map_or_else(Rc::default, |function| widths_of(module, function))
        }))
    }
}

/// Whether two states differ in nothing but values and what they have assumed.
fn are_alike(one: &State, two: &State) -> bool {
    let inputs =
        one.inputs.len() == two.inputs.len()
            && one.inputs.iter().zip(two.inputs.iter()).all(|(a, b)| {
                (a.array, &a.name, &a.shape, a.length) == (b.array, &b.name, &b.shape, b.length)
            });
    let frames = one.frames.len() == two.frames.len()
        && one.frames.iter().zip(&two.frames).all(|(a, b)| Rc::ptr_eq(a, b) || are_frames_alike(a, b));
    inputs
        && frames
        && one.names == two.names
        && one.meetings == two.meetings
        && one.landings.iter().eq(two.landings.iter())
        && one.stack == two.stack
        && one.stacks.size() == two.stacks.size()
        && one.stacks.iter().zip(two.stacks.iter()).all(|(a, b)| a.0 == b.0 && are_stacks_equal(a.1, b.1))
        && one.aliases == two.aliases
        && one.large_sizes == two.large_sizes
        && (one.seeds.is_empty() && two.seeds.is_empty())
        && one.replay == two.replay
        && one.forks == two.forks
        && (one.errno, &one.globals, &one.functions) == (two.errno, &two.globals, &two.functions)
}

/// Whether two stacks are one in values too: those that wait are not joined.
fn are_stacks_equal(one: &Rc<Stack>, two: &Rc<Stack>) -> bool {
    let are_equal = |(a, b): (&Rc<Frame>, &Rc<Frame>)| {
        Rc::ptr_eq(a, b) || (are_frames_alike(a, b) && a.registers == b.registers)
    };
    Rc::ptr_eq(one, two)
        || (one.frames.len() == two.frames.len()
            && one.frames.iter().zip(&two.frames).all(are_equal)
            && one.made.iter().zip(&two.made).all(|(a, b)| Rc::ptr_eq(&a.0, &b.0) && a.1 == b.1)
            && one.made.is_some() == two.made.is_some())
}

fn are_frames_alike(one: &Frame, two: &Frame) -> bool {
    let facts = |frame: &Frame| (frame.function, frame.position, frame.called);
    facts(one) == facts(two)
        && one.locals == two.locals
        && one.areas == two.areas
        && one.variadic == two.variadic
        && one.registers.len() == two.registers.len()
}

/// The widths of a function's registers; 0 of those that nothing writes.
fn widths_of(module: &Module, function: &Function) -> Rc<[u32]> {
    let mut widths = vec![0; function.registers as usize];
    let mut set = |register: u32, width: u32| {
        if let Some(place) = widths.get_mut(register as usize) {
            *place = width;
        }
    };
    for (register, width) in (0..).zip(&function.parameters) {
        set(register, *width);
    }
    for instruction in &function.code {
        let (to, width) = match *instruction {
            Instruction::Binary { to, width, .. }
            | Instruction::Select { to, width, .. }
            | Instruction::Extract { to, width, .. }
            | Instruction::Extend { to, width, .. }
            | Instruction::Copy { to, width, .. }
            | Instruction::CountOnes { to, width, .. }
            | Instruction::CountZeros { to, width, .. }
            | Instruction::Load { to, width, .. } => (to, width),
            Instruction::Compare { to, .. } | Instruction::FloatCompare { to, .. } => (to, 1),
            Instruction::Concat { to, high_width, low_width, .. } => (to, high_width + low_width),
            Instruction::Offset { to, .. }
            | Instruction::Allocate { to, .. }
            | Instruction::SaveStack { to } => (to, 64),
            Instruction::Float { to, format, .. }
            | Instruction::FloatUnary { to, format, .. }
            | Instruction::FloatFused { to, format, .. } => (to, format.width()),
            Instruction::FloatConvert { to, conversion, .. } => (to, Operation::Convert(conversion).width()),
            Instruction::Store { .. }
            | Instruction::RestoreStack { .. }
            | Instruction::CopyMemory { .. }
            | Instruction::FillMemory { .. }
            | Instruction::StartArguments { .. }
            | Instruction::Call(_)
            | Instruction::Jump(_)
            | Instruction::Branch { .. }
            | Instruction::Switch(_)
            | Instruction::Return { .. }
            | Instruction::Unreachable
            | Instruction::Refuse(_) => continue,
        };
        set(to.0, width);
    }
    for call in &function.calls {
        for (register, width) in (call.to.0..).zip(&call.results) {
            set(register, *width);
        }
    }
    for pad in &function.pads {
        set(pad.to.0, 64);
        set(pad.to.0 + 1, 32);
    }
    // What a jump moves has the width of what it moves, which may come from another move.
    let constant = |operand: Operand| operand.get().err().and_then(|id| module.constants.get(id.index()));
    loop {
        let mut changed = false;
        for moved in &function.moves {
            let width = match moved.value.get() {
                Ok(register) => widths.get(register.0 as usize).copied().unwrap_or(0),
                Err(_) => constant(moved.value).map_or(0, crate::module::Constant::width),
            };
            if let Some(place) = widths.get_mut(moved.to.0 as usize).filter(|place| **place == 0 && width > 0)
            {
                *place = width;
                changed = true;
            }
        }
        if !changed {
            return widths.into();
        }
    }
}
