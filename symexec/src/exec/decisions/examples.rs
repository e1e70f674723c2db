//! Examples: one input is followed beside a path whose questions are dear.
//!
//! A state with a dear question waits until no other is left (`put_off`), and a run with a limit seldom comes to it:
//! what lies behind arithmetic on unknown numbers would never be seen. So the first states that are put off at a
//! place, or whose questions cost as much together, leave another one, which goes on from there with every byte of its
//! inputs fixed; what it asks is decided by putting these in. The bytes are those of a test of the path, and, after
//! the first example of a place, digits that are drawn where the path allows them: of numbers, zero shows little.
//!
//! What an example finds is true, as it is a part of the path that waits. That path has it once more when its turn
//! comes. So there are examples only in runs for new coverage, where nobody counts paths.

use std::rc::Rc;

use crate::exec::{Executor, State};
use crate::expr::{ExprId, InputId};

/// How many examples are followed from one place.
const EACH: u32 = 4;

/// How many bytes are drawn at most; each asks a question.
const DRAWN: usize = 64;

impl Executor<'_> {
    /// Whether the questions of a state have come to cost what puts one off, with that of its last turn.
    pub(in crate::exec) fn is_costly(&self, state: &mut State, price: u64) -> bool {
        let Some(limit) = self.config.put_off else { return false };
        state.spent = state.spent.saturating_add(price);
        let is_costly = state.dear.is_some() || state.spent > limit;
        if is_costly {
            state.spent = 0;
        }
        is_costly
    }

    /// A state that goes on beside one whose questions are dear; `None` where none is wanted, or found cheaply.
    pub(in crate::exec) fn example(&mut self, state: &State) -> Option<State> {
        let config = self.config;
        let wanted = config.examples && config.new_coverage_only && !config.in_parts;
        if !wanted || state.is_example || !state.seeds.is_empty() || state.replay.is_some() {
            return None;
        }
        let made = self.examples.entry(state.position()).or_default();
        *made += 1;
        let round = *made;
        if round > EACH {
            return None;
        }
        self.solver.budget().set(config.put_off);
        let truths = self.example_of(state, round);
        self.solver.budget().set(None);
        let mut example = state.clone();
        for truth in truths? {
            example.assume(truth);
        }
        example.id = self.next_state;
        self.next_state += 1;
        example.is_example = true;
        example.new_coverage = false;
        example.new_lines = Rc::default();
        Some(example)
    }

    /// What is true of every byte of an input that leads down a path.
    fn example_of(&mut self, state: &State, round: u32) -> Option<Vec<ExprId>> {
        let arrays = state.inputs.iter().map(|input| input.array);
        let bytes: Vec<InputId> = arrays.flat_map(|array| self.arena.array(array).bytes.to_vec()).collect();
        let mut constraints = Vec::clone(&state.constraints);
        let drawn = if round == 1 { 0 } else { DRAWN };
        for (place, byte) in bytes.iter().enumerate().take(drawn) {
            let wish = self.equals(*byte, b'0' + digit(round, place as u64));
            match self.solver.may_hold(&mut self.arena, &constraints, wish) {
                Ok(true) => constraints.push(wish),
                Ok(false) => {}
                Err(_) => break,
            }
        }
        let model = self.solver.model(&mut self.arena, &constraints).ok()?;
        Some(bytes.into_iter().map(|byte| self.equals(byte, model.get(byte))).collect())
    }

    fn equals(&mut self, byte: InputId, value: u8) -> ExprId {
        let byte = self.arena.input_byte(byte);
        let value = self.arena.constant(8, value.into());
        self.arena.equal(value, byte)
    }
}

/// A digit that looks drawn, and is the same in each run.
fn digit(round: u32, place: u64) -> u8 {
    let mixed = (u64::from(round) << 32 | place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u8::try_from((mixed >> 40) % 10).unwrap_or(0)
}
