//! Choices: which sides of a condition are possible, and one state for each.

use std::rc::Rc;
use std::time::Duration;

use crate::base::bits::Bits;
use crate::exec::calls::builtins::Builtin;
use crate::exec::decisions::part::lost;
use crate::exec::decisions::trail::{Decision, Way, place};
use crate::exec::{Ending, ErrorKind, Executor, ForkKind, Hot, PathError, State, Step, Stop};
use crate::expr::{Evaluator, ExprId, Model};
use crate::module::{Callee, Instruction, LocationId};
use crate::solver::SolverError;

impl Executor<'_> {
    /// Which of several conditions holds on this path. They exclude one another, and one of them holds.
    ///
    /// Where more than one is possible, the state becomes the first of them, a new state is made for
    /// each other, and all of them come back here knowing their side.
    pub(in crate::exec) fn choose(&mut self, state: &mut State, sides: &[ExprId]) -> Step<usize> {
        self.choose_where(state, sides, true)
    }

    /// [`Self::choose`]; `inhibits` says whether there is one side only where forks are inhibited.
    fn choose_where(&mut self, state: &mut State, sides: &[ExprId], inhibits: bool) -> Step<usize> {
        let known = |side: &ExprId| self.arena.is_true(*side) || state.assumed.contains(side);
        if let Some(side) = sides.iter().position(known) {
            return Ok(side);
        }
        if let Some(decision) = self.ahead.get(state.trail.len()).copied() {
            return self.retake(state, sides, decision);
        }
        let place = place(state.position(), sides);
        let decided =
            |side: usize, way| Decision { side: u32::try_from(side).unwrap_or(u32::MAX), way, place };
        let start = self.system.elapsed();
        // Others come before a question that is dear, if there are others.
        let waits = !self.patient && !self.is_bound && self.searcher.len() > 0;
        self.solver.budget().set(self.config.put_off.filter(|_| waits).map(|most| self.share(state, most)));
        let possible = self.possible_sides(state, sides);
        self.solver.budget().set(None);
        let took = self.system.elapsed().saturating_sub(start);
        state.questions += 1;
        self.note_question(state, took);
        self.hot(state).given_up += u32::from(matches!(possible, Err(SolverError::Dear)));
        let mut possible = possible?;
        let seeds = match possible.len() {
            0 | 1 => None,
            _ if state.seeds.is_empty() => None,
            _ => Some(self.split_seeds(state, sides, &mut possible)),
        };
        match possible.as_slice() {
            [] => Err(PathError::new(ErrorKind::Solver, "no side of a choice is possible").into()),
            [only] => {
                // Other sides were possible, but no seed leads there.
                if seeds.is_some() {
                    self.assume(state, sides[*only]);
                    self.is_bound = true;
                }
                state.trail.push(decided(*only, if seeds.is_some() { Way::Seeded } else { Way::Only }));
                Ok(*only)
            }
            [first, others @ ..] => {
                if self.config.max_depth.is_some_and(|limit| state.depth >= limit) {
                    return Err(Stop::Ended(Ending::Early("max-depth exceeded.".to_owned())));
                }
                if let Some(yes) = self.replayed_side(state)? {
                    let side = usize::from(!yes);
                    state.trail.push(decided(side, Way::Inhibited));
                    self.is_bound = true;
                    self.assume(state, sides[side]);
                    return Ok(side);
                }
                if let Some(why) = self.reason_not_to_fork(state).filter(|_| inhibits) {
                    self.warn_once(&format!("skipping fork ({why})"));
                    self.explored.inhibited_forks += 1;
                    let seeded =
                        |side: &&usize| seeds.as_ref().is_some_and(|seeds| !seeds[**side].is_empty());
                    let side = *possible.iter().find(seeded).unwrap_or(first);
                    state.trail.push(decided(side, Way::Inhibited));
                    self.is_bound = true;
                    self.assume(state, sides[side]);
                    self.drop_seeds(state, sides[side]);
                    return Ok(side);
                }
                self.errs = !inhibits;
                let start = self.system.elapsed();
                let branches = self.is_at_branch(state) && self.records_branch(state);
                for side in others.iter().rev() {
                    let mut forked = state.clone();
                    forked.id = self.next_state;
                    self.next_state += 1;
                    forked.depth += 1;
                    forked.fresh = true;
                    forked.trail.push(decided(*side, Way::Forked));
                    forked.new_coverage = false;
                    forked.new_lines = Rc::default();
                    self.assume(&mut forked, sides[*side]);
                    if let Some(seeds) = &seeds {
                        forked.seeds = Rc::clone(&seeds[*side]);
                    }
                    if branches {
                        forked.choices.push_back_mut(*side == 0);
                    }
                    self.forked.push(forked);
                }
                state.trail.push(decided(*first, Way::Forked));
                self.assume(state, sides[*first]);
                if let Some(seeds) = &seeds {
                    state.seeds = Rc::clone(&seeds[*first]);
                }
                if branches {
                    state.choices.push_back_mut(*first == 0);
                }
                self.times.forks += self.system.elapsed().saturating_sub(start);
                Err(Stop::Again)
            }
        }
    }

    /// Whether the instruction at which a state is chooses between the two sides of a condition.
    pub(in crate::exec) fn is_at_branch(&self, state: &State) -> bool {
        let (function, position) = state.position();
        let code = &self.module.functions[function.index()].code;
        matches!(code.get(position as usize), Some(Instruction::Branch { .. }))
    }

    /// Why the instruction at which a state is forks.
    pub(in crate::exec) fn fork_kind(&self, state: &State) -> ForkKind {
        let (function, position) = state.position();
        let function = &self.module.functions[function.index()];
        match function.code.get(position as usize) {
            Some(Instruction::Switch(_)) => ForkKind::Switch,
            Some(
                Instruction::Load { .. }
                | Instruction::Store { .. }
                | Instruction::CopyMemory { .. }
                | Instruction::FillMemory { .. },
            ) => ForkKind::MemOp,
            Some(Instruction::Call(call)) => match function.calls.get(call.index()).map(|call| call.callee) {
                Some(Callee::Function(callee)) => {
                    self.builtins[callee.index()].map_or(ForkKind::Call, Builtin::fork_kind)
                }
                _ => ForkKind::Indirect,
            },
            _ => ForkKind::Conditional,
        }
    }

    /// Notes that something was asked where a state is, and how long that took.
    pub(in crate::exec) fn note_question(&mut self, state: &State, took: Duration) {
        let hot = self.hot(state);
        hot.questions += 1;
        hot.time += took;
        hot.longest = hot.longest.max(took);
    }

    /// The counts of the instruction at which a state is.
    pub(in crate::exec) fn hot(&mut self, state: &State) -> &mut Hot {
        let location = state.frames.last().map_or(LocationId(0), |frame| frame.location);
        self.hot.entry(state.position()).or_insert_with(|| Hot::new(location))
    }

    /// How much a question may cost where a state is: less, the more often questions there were given up. They are
    /// given up for others, which is in vain if each takes as long until it is.
    fn share(&self, state: &State, most: u64) -> u64 {
        /// The least share is this power of two less than the whole.
        const SMALLEST: u32 = 6;
        let given_up = self.hot.get(&state.position()).map_or(0, |hot| hot.given_up);
        (most >> given_up.min(SMALLEST)).max(1)
    }

    /// The places of those sides that can hold on this path.
    fn possible_sides(&mut self, state: &State, sides: &[ExprId]) -> Result<Vec<usize>, SolverError> {
        let mut possible = Vec::new();
        let mut constraints = Rc::clone(&state.constraints);
        if sides.len() > 2 {
            // Many are about one byte, of which one look says everything.
            if let Some(found) = self.solver.possible(&mut self.arena, &constraints, sides) {
                return Ok((0..).zip(found).filter_map(|(place, holds)| holds.then_some(place)).collect());
            }
            // Most are about few of the path's inputs; each side's question is spared the others.
            constraints = Rc::new(self.slices.of(&self.arena, sides, &constraints));
        }
        for (place, side) in sides.iter().enumerate() {
            let last = place + 1 == sides.len();
            let refuted = self.arena.is_false(*side) || {
                let opposite = self.arena.not(*side);
                state.assumed.contains(&opposite)
            };
            if refuted {
                continue;
            }
            // What is left when all others are impossible needs no question.
            if last && possible.is_empty() || self.may_hold(&constraints, *side)? {
                possible.push(place);
            }
        }
        Ok(possible)
    }

    /// Why a choice is to have one side only, if so: the first of those that are possible.
    fn reason_not_to_fork(&self, state: &State) -> Option<&'static str> {
        if !state.forks {
            return Some("fork disabled on current path");
        }
        if state.frames.iter().any(|frame| self.one_way.contains(&frame.function)) {
            return Some("one way is followed here, as --one-way says");
        }
        if self.is_memory_scarce() {
            return Some("memory cap exceeded");
        }
        let limit = self.config.max_forks?;
        (self.explored.forks.saturating_add(self.forks_elsewhere) >= limit).then_some("max-forks reached")
    }

    /// Whether a condition holds on this path; both if both are possible.
    pub(in crate::exec) fn decide(&mut self, state: &mut State, condition: ExprId) -> Step<bool> {
        let condition = self.by_digits(state, condition);
        let opposite = self.arena.not(condition);
        let side = self.choose(state, &[condition, opposite]);
        self.end_digits();
        Ok(side? == 0)
    }

    /// Where a byte, of any width, is first in a known text; the text's length if it is nowhere. One choice of all
    /// places, so that late ones are as likely as early ones.
    pub(in crate::exec) fn position_of(
        &mut self,
        state: &mut State,
        text: &[u8],
        letter: ExprId,
    ) -> Step<u64> {
        let width = self.arena.width(letter);
        let (mut places, mut sides) = (Vec::new(), Vec::new());
        let mut nowhere = self.arena.truth(true);
        for (place, byte) in text.iter().enumerate() {
            if text[..place].contains(byte) {
                continue;
            }
            let byte = self.arena.constant(width, u64::from(*byte));
            let here = self.arena.equal(byte, letter);
            let elsewhere = self.arena.not(here);
            nowhere = self.arena.and(nowhere, elsewhere);
            places.push(place as u64);
            sides.push(here);
        }
        places.push(text.len() as u64);
        sides.push(nowhere);
        let side = self.choose(state, &sides)?;
        Ok(places[side])
    }

    /// Whether an error happens on this path; both if both are possible. Also where forks are inhibited:
    /// the path with the error ends with this instruction, so that there are no more paths to follow than
    /// without it, and its test is what the exploration is for.
    pub(in crate::exec) fn fails(&mut self, state: &mut State, error: ExprId) -> Step<bool> {
        let fine = self.arena.not(error);
        Ok(self.choose_where(state, &[error, fine], false)? == 0)
    }

    /// Makes a condition hold from now on; `None` if it cannot.
    pub(in crate::exec) fn require(&mut self, state: &mut State, condition: ExprId) -> Step<Option<()>> {
        if self.arena.is_true(condition) || state.assumed.contains(&condition) {
            return Ok(Some(()));
        }
        let condition = self.by_digits(state, condition);
        let constraints = Rc::clone(&state.constraints);
        let start = self.system.elapsed();
        let can_hold = self.may_hold(&constraints, condition);
        self.note_question(state, self.system.elapsed().saturating_sub(start));
        if matches!(can_hold, Ok(true)) {
            self.assume(state, condition);
            self.drop_seeds(state, condition);
        }
        self.end_digits();
        if !can_hold? {
            return Ok(None);
        }
        Ok(Some(()))
    }

    /// The value of an expression on this path: the least one first, or that of a seed, and a state for the
    /// others.
    pub(in crate::exec) fn enumerate(&mut self, state: &mut State, expr: ExprId) -> Step<u64> {
        if let Some(value) = self.known_value(state, expr) {
            return Ok(value);
        }
        let least = self.chosen_value(state, expr)?;
        let constant = self.arena.bits(&least);
        let here = self.arena.equal(constant, expr);
        if !self.decide(state, here)? {
            // The path may not go on with a value that it has just excluded.
            let message = "a value that the solver gave is not possible";
            return Err(PathError::new(ErrorKind::Solver, message).into());
        }
        least.to_u64().ok_or_else(|| PathError::new(ErrorKind::Model, "a value of more than 64 bits").into())
    }

    /// The value of an expression that is looked at first: that of the oldest seed, or the least one.
    pub(in crate::exec) fn chosen_value(&mut self, state: &State, expr: ExprId) -> Result<Bits, SolverError> {
        match self.seeded_value(state, expr) {
            Some(value) => Ok(value),
            None => {
                let start = self.system.elapsed();
                let relevant = self.slices.of(&self.arena, &[expr], &state.constraints);
                let least = self.solver.least_value(&mut self.arena, &relevant, expr);
                self.note_question(state, self.system.elapsed().saturating_sub(start));
                least
            }
        }
    }

    /// A value that something outside is computed of: each where one unknown byte makes them, which are 256 at most, and
    /// the least one otherwise. One choice of all of them, which costs one look at that byte.
    pub(in crate::exec) fn few_or_least(&mut self, state: &mut State, expr: ExprId, why: &str) -> Step<u64> {
        if let Some(value) = self.known_value(state, expr) {
            return Ok(value);
        }
        let Some(byte) = self.slices.only_byte(&self.arena, expr) else {
            return self.concretize(state, expr, why);
        };
        self.resolve_merged(state, expr)?;
        let mut values: Vec<Bits> = Vec::new();
        for given in 0..=u8::MAX {
            let value = Evaluator::new(&self.arena, &Model::new([(byte, given)])).value(expr);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let mut sides = Vec::new();
        for value in &values {
            let constant = self.arena.bits(value);
            sides.push(self.arena.equal(constant, expr));
        }
        let side = self.choose(state, &sides)?;
        values[side]
            .to_u64()
            .ok_or_else(|| PathError::new(ErrorKind::Model, "a value of more than 64 bits").into())
    }

    /// The least value of an expression, or that of a seed, which it has from now on; other values are given up.
    pub(in crate::exec) fn concretize(&mut self, state: &mut State, expr: ExprId, why: &str) -> Step<u64> {
        if let Some(value) = self.known_value(state, expr) {
            return Ok(value);
        }
        let least = self.concretize_bits(state, expr, why)?;
        least.to_u64().ok_or_else(|| PathError::new(ErrorKind::Model, "a value of more than 64 bits").into())
    }

    /// [`Self::concretize`] for values of any width.
    pub(in crate::exec) fn concretize_bits(
        &mut self,
        state: &mut State,
        expr: ExprId,
        why: &str,
    ) -> Step<Bits> {
        self.resolve_merged(state, expr)?;
        let seeded = !state.seeds.is_empty();
        let least = self.chosen_value(state, expr)?;
        let constant = self.arena.bits(&least);
        let here = self.arena.equal(constant, expr);
        if !self.arena.is_true(here) {
            let which = if seeded { "a seed's" } else { "the least" };
            let told = format!("concretized symbolic {why}: only {which} value is explored");
            // What the path determines was no choice. Who follows another one tells nothing.
            if !self.is_retracing() && !self.warned.contains(&told) {
                match self.may_differ(state, expr, &least) {
                    Ok(false) => {}
                    Ok(true) | Err(SolverError::Unknown(_)) => self.warn_once(&told),
                    Err(error) => return Err(error.into()),
                }
            }
            state.assume(here);
            self.drop_seeds(state, here);
        }
        Ok(least)
    }

    /// Whether an expression has the same value wherever its path leads.
    pub(in crate::exec) fn has_one_value(&mut self, state: &State, expr: ExprId) -> Step<bool> {
        let known = self.arena.concrete(expr);
        if self.arena.as_bits(known).is_some() || self.known_value(state, expr).is_some() {
            return Ok(true);
        }
        let least = self.chosen_value(state, expr)?;
        Ok(!self.may_differ(state, expr, &least)?)
    }

    /// The one value that a path leaves an integer; `None` if there are more, or nobody knows. What is done with one
    /// value meets other choices than what is done with several, and whether a solver answers may differ from run to
    /// run, so the outcome is a decision of the path: whoever follows it does the same.
    pub(in crate::exec) fn only_value(&mut self, state: &mut State, expr: ExprId) -> Step<Option<Bits>> {
        /// The sides of this decision.
        const ONE: u32 = 0;
        const PERHAPS_MORE: u32 = 1;
        let place = place(state.position(), &[expr]);
        let taken = self.ahead.get(state.trail.len()).copied();
        if let Some(decision) = taken {
            if decision.place != place || decision.side > PERHAPS_MORE {
                return Err(lost());
            }
            state.trail.push(decision);
            if decision.side == PERHAPS_MORE {
                return Ok(None);
            }
        }
        let value = match self.known_value(state, expr) {
            Some(known) => Some(Bits::new(self.arena.width(expr), known)),
            None => match self.some_value(state, expr) {
                // It is the only one, as was found out before.
                Ok(value) if taken.is_some() => Some(value),
                Ok(value) => match self.may_differ(state, expr, &value) {
                    Ok(false) => Some(value),
                    Ok(true) | Err(SolverError::Unknown(_)) => None,
                    Err(error) => return Err(error.into()),
                },
                Err(SolverError::Unknown(_)) if taken.is_none() => None,
                Err(error) => return Err(error.into()),
            },
        };
        if taken.is_none() {
            let side = if value.is_some() { ONE } else { PERHAPS_MORE };
            state.trail.push(Decision { side, way: Way::Only, place });
        }
        Ok(value)
    }

    /// A value that an expression may have on a path, whichever costs least: for whoever asks for all of them.
    fn some_value(&mut self, state: &State, expr: ExprId) -> Result<Bits, SolverError> {
        let relevant = self.slices.of(&self.arena, &[expr], &state.constraints);
        let model = self.solver.witness(&mut self.arena, &relevant)?;
        Ok(Evaluator::new(&self.arena, &model).value(expr))
    }

    /// Whether an expression may have another value than this one on a path.
    fn may_differ(&mut self, state: &State, expr: ExprId, value: &Bits) -> Result<bool, SolverError> {
        let constant = self.arena.bits(value);
        let here = self.arena.equal(constant, expr);
        let elsewhere = self.arena.not(here);
        self.solver.may_hold(&mut self.arena, &state.constraints, elsewhere)
    }

    /// The value of an expression, if it is a constant or was chosen before.
    pub(in crate::exec) fn known_value(&mut self, state: &State, expr: ExprId) -> Option<u64> {
        if let Some(value) = self.arena.as_u64(expr) {
            return Some(value);
        }
        let (constraints, facts) = (Rc::clone(&state.constraints), Rc::clone(&state.facts));
        let mut known = constraints.iter().rev().chain(facts.iter().rev());
        known.find_map(|truth| self.arena.as_equality(*truth, expr))
    }
}
