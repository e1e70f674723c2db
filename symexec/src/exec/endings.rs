//! What becomes of paths that end: counts, and tests for those that deserve one.

pub(super) mod reached;

use std::collections::BTreeSet;

use super::{Ending, Executor, Halt, Path, Record, State, SymbolicObject, TerminationKind};
use crate::expr::{Evaluator, Model};

impl Executor<'_> {
    /// What becomes of a state whose turn is over.
    pub(super) fn put_back(&mut self, mut state: State, end: Option<Ending>, met: bool) {
        match end {
            Some(ending) => {
                self.searcher.ended(state.id);
                self.leave_meetings(&state);
                // On the way to a subtree no path ends, unless the way is lost.
                if !self.is_retracing() {
                    self.end(&mut state, ending);
                }
            }
            None if met => self.meet(state),
            None => {
                self.look_at_meetings(&state);
                self.wait(state);
            }
        }
    }

    /// Tells the observer that a path has ended, with a test if it deserves one.
    pub(super) fn end(&mut self, state: &mut State, mut ending: Ending) {
        debug_assert!(!state.is_packed());
        let stack = state.stack();
        self.count_ending(state, &ending);
        let wanted = match &ending {
            Ending::Exit | Ending::Early(_) => {
                let is_seeded = !state.seeds.is_empty() && !self.config.seeds.no_tests;
                !self.config.new_coverage_only || state.new_coverage || is_seeded
            }
            Ending::Silent => false,
            Ending::Error(error) => {
                self.explored.errors += 1;
                let named = error.suffix.as_deref().map(|suffix| suffix.trim_end_matches(".err"));
                if self.config.exit_on_error
                    || self.config.exit_on.contains(&error.kind)
                    || named
                        .is_some_and(|named| self.config.exit_on_named.iter().any(|wanted| wanted == named))
                {
                    self.explored.stopped = self.explored.stopped.or(Some(Halt::Error));
                }
                let (function, position) = state.position();
                let trail = if self.config.in_parts { state.trail.forks() } else { Vec::new() };
                let place = (error.message.clone(), function, position);
                // Parts that are put together keep the first error at a place in the order of paths.
                let first = self.seen_errors.get(&place).is_none_or(|before| trail < *before);
                if first {
                    self.seen_errors.insert(place, trail);
                }
                // A suite that is to take every side needs what was taken on the way to a known error, too.
                first || self.config.all_errors || self.config.new_sides && state.new_coverage
            }
        };
        if !wanted {
            return;
        }
        if let Ending::Error(error) = &mut ending {
            self.tell_reached(state, error);
        }
        let inputs = if self.config.tests { self.inputs(state) } else { None };
        self.explored.tests += u64::from(inputs.is_some());
        let values = self.stack_values(state);
        let record = self.record(state);
        let assembly = self.assembly_lines(state);
        let trail = if self.config.in_parts { state.trail.forks() } else { Vec::new() };
        let place = state.position();
        let path = Path { ending, stack, place, trail, assembly, state: state.id, values, inputs, record };
        self.observer.path(self.module, &path);
    }

    pub(super) fn count_ending(&mut self, state: &State, ending: &Ending) {
        let line = self.line(state);
        self.observer.ended(state.id, line, ending);
        *self.explored.ends_by.entry(TerminationKind::of(ending)).or_default() += 1;
        match ending {
            Ending::Exit => self.explored.completed += 1,
            _ => self.explored.partial += 1,
        }
    }

    fn record(&mut self, state: &State) -> Record {
        let condition = self.config.conditions.then(|| self.condition(state, &state.constraints));
        Record {
            condition,
            branches: state.branches.iter().copied().collect(),
            choices: state.choices.iter().copied().collect(),
            new_lines: BTreeSet::clone(&state.new_lines),
        }
    }

    /// Bytes for a state's inputs that lead down its path.
    fn inputs(&mut self, state: &State) -> Option<Vec<(String, Vec<u8>)>> {
        self.solver.see(state.memory.merged_places());
        let start = self.system.elapsed();
        let constraints = self.preferred(state);
        let model = self.solver.model(&mut self.arena, &constraints);
        self.note_question(state, self.system.elapsed().saturating_sub(start));
        let model = match model {
            Ok(model) => model,
            Err(error) => {
                self.observer.warn(&format!("no test for a path: {error}"));
                return None;
            }
        };
        Some(state.inputs.iter().map(|input| (input.name.clone(), self.input_bytes(input, &model))).collect())
    }

    fn input_bytes(&self, input: &SymbolicObject, model: &Model) -> Vec<u8> {
        let all = &self.arena.array(input.array).bytes;
        let length =
            input.length.and_then(|length| Evaluator::new(&self.arena, model).value(length).to_u64());
        let count = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(all.len());
        let bytes = all.iter().take(count).map(|byte| model.get(*byte));
        match &input.shape {
            None => bytes.collect(),
            Some(shape) => {
                let known = shape.iter().map(Some).chain(std::iter::repeat(None));
                let fill = |(byte, known): (u8, Option<&u8>)| {
                    known.copied().filter(|known| *known != b'?').unwrap_or(byte)
                };
                bytes.zip(known).map(fill).collect()
            }
        }
    }
}
