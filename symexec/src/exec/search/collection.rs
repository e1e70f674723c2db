//! When expressions are looked through for those that nobody has any more, and who has some.
//!
//! Between two instructions, all that goes on with a run has its expressions in one of these: the states that wait, of
//! whatever kind, and the one that runs; those that wait at meetings; the program's constants; and what the solvers
//! remember, as far as they do not forget it then. What an instruction has on its way it has nowhere else, so nothing is
//! collected while one is executed.
//!
//! Which expressions there are decides nothing. So where collections are made changes no path, no test and no question,
//! and a run need not be the same in how much memory it had.

use std::rc::Rc;

use crate::exec::state::packed::Packed;
use crate::exec::state::{Frame, Stack, State, SymbolicObject};
use crate::exec::{Executor, Landing, Variadic};
use crate::expr::Marks;
use crate::memory::Value;

impl Executor<'_> {
    /// Takes away the expressions that nobody has, if it is time to. No instruction may be under way; `running` is the
    /// state that is not among those that wait.
    #[inline]
    pub(in crate::exec) fn collect_in_time(&mut self, running: Option<&State>) {
        if self.arena.has_doubled() || self.watch.wants_room() || self.is_due() {
            self.collect(running);
        }
    }

    #[inline(never)]
    fn collect(&mut self, running: Option<&State>) {
        let mut marks = self.arena.marks();
        let waiting = self.searcher.all().filter(|_| !self.forgets_waiting());
        let all = waiting.chain(self.meetings.waiting()).chain(&self.forked).chain(running);
        all.for_each(|state| trace_state(state, &mut marks));
        self.searcher.recent().for_each(|frame| trace_frame(frame, &mut marks));
        self.constants.iter().flatten().for_each(|value| value.trace(&mut marks));
        for (condition, asked) in &self.digits {
            marks.mark(*condition);
            marks.mark(*asked);
        }
        self.solver.trace(&mut marks);
        self.slices.forget();
        self.arena.collect(marks, self.is_thorough());
        if self.watch.wanted_room() {
            self.system.give_back_memory();
        }
    }

    /// Whether one is to be made by number, to see that it changes nothing.
    #[cfg(feature = "plant")]
    fn is_due(&mut self) -> bool {
        self.looks += 1;
        self.config.collect_every.is_some_and(|every| self.looks.is_multiple_of(every.max(1)))
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "collections are made by number only where faults can be planted")]
    fn is_due(&self) -> bool {
        false
    }

    /// Whether what goes is taken away even where that gives no memory back, so that whoever has it is found out.
    fn is_thorough(&self) -> bool {
        #[cfg(feature = "plant")]
        return self.config.collect_every.is_some();
        #[cfg(not(feature = "plant"))]
        return false;
    }

    /// Whether the lie is to be told that states that wait have no expressions.
    #[cfg(feature = "plant")]
    fn forgets_waiting(&self) -> bool {
        self.config.forget_waiting
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn forgets_waiting(&self) -> bool {
        false
    }
}

/// Marks the expressions that a state has.
fn trace_state(state: &State, marks: &mut Marks) {
    state.frames.iter().for_each(|frame| trace_frame(frame, marks));
    state.memory.trace(marks);
    for list in [&state.constraints, &state.facts, &state.preferences] {
        if marks.enters(list) {
            list.iter().for_each(|truth| marks.mark(*truth));
        }
    }
    // All constraints are assumed, so these are more only where there are facts, or states became one.
    if state.assumed.size() != state.constraints.len() {
        state.assumed.iter().for_each(|truth| marks.mark(*truth));
    }
    if marks.enters(&state.inputs) {
        let lengths = state.inputs.iter().filter_map(|SymbolicObject { length, .. }| *length);
        lengths.for_each(|length| marks.mark(length));
    }
    state.targets.keys().for_each(|base| marks.mark(*base));
    state.whereabouts.keys().for_each(|(pointer, _)| marks.mark(*pointer));
    state.large_sizes.keys().for_each(|size| marks.mark(*size));
    for Landing { blocked, .. } in state.landings.values() {
        blocked.iter().for_each(|blocked| blocked.trace(marks));
    }
    for stack in state.stacks.values() {
        if marks.enters(stack) {
            let Stack { frames, made } = &**stack;
            let first = made.iter().map(|(frame, _)| frame);
            frames.iter().chain(first).for_each(|frame| trace_frame(frame, marks));
        }
    }
}

fn trace_frame(frame: &Rc<Frame>, marks: &mut Marks) {
    if !marks.enters(frame) {
        return;
    }
    let packed = frame.packed.as_ref().map(Packed::registers).unwrap_or_default();
    let more = frame.variadic.iter().map(|Variadic { value, .. }| value);
    let values: [&[Value]; 2] = [&frame.registers, &packed];
    values.into_iter().flatten().chain(more).for_each(|value| value.trace(marks));
}
