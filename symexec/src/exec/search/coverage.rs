//! What was executed, and how far a state is from what was not.
//!
//! The distance of an instruction is the number of steps to the nearest one that no path has completed,
//! along the code of its function; a call may also lead into the callee. A state's distance is the least
//! over its activations, since each goes on where the one above returns, and as many steps later as that
//! takes. A side of a branch that was passed many times and never taken is farther than it looks, and the more
//! so the more often: some sides no path can take, and states would otherwise crowd before them.
//! Distances are computed anew once something was covered and as many instructions have run as the
//! program has, and some for each state that waits where these are many, so they cost at most a constant per
//! instruction executed.

use serde::{Deserialize, Serialize};

use crate::exec::State;
use crate::module::{Callee, FunctionId, Instruction, Module};

/// Executed to its end.
const DONE: u8 = 1;
/// A branch went to its first side.
const YES: u8 = 2;
/// A branch went to its second side.
const NO: u8 = 4;

/// With so many passes, a side that a branch never took is a step farther; up to a limit of steps.
const VAIN: u32 = 8;
const MOST_VAIN: u32 = 4_000;
/// Where nothing was covered since they were computed, distances wait so many times longer.
const PATIENCE: u64 = 8;
/// And they wait so many instructions longer for each state, all of which get new weights then, beyond a number of them
/// that costs less than the distances.
const PER_STATE: u64 = 32;
const FEW_STATES: u64 = 1_000;

/// Far from everything that is new.
const FAR: u32 = u32::MAX;

/// What paths have executed so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Per function and instruction.
    marks: Vec<Vec<u8>>,
    /// How often each branch and switch was passed.
    #[serde(skip)]
    passes: Vec<Vec<u32>>,
    covered: u64,
    #[serde(skip)]
    distances: Vec<Vec<u32>>,
    /// The steps from each instruction to the end of its activation.
    #[serde(skip)]
    to_return: Vec<Vec<u32>>,
    /// How much was covered when the distances were computed.
    computed_for: Option<u64>,
    /// The number of instructions executed from which on they may be computed again.
    next: u64,
    /// The same where nothing was covered since, but branches were passed.
    later: u64,
}

impl Coverage {
    pub(in crate::exec) fn new(module: &Module) -> Self {
        let marks = module.functions.iter().map(|function| vec![0; function.code.len()]).collect();
        let passes = module.functions.iter().map(|function| vec![0; function.code.len()]).collect();
        Self { marks, passes, ..Self::default() }
    }

    /// Adds what other paths of the same program have executed.
    pub fn unite(&mut self, other: &Self) {
        if self.marks.is_empty() {
            self.clone_from(other);
            return;
        }
        for (marks, others) in self.marks.iter_mut().zip(&other.marks) {
            for (mark, other) in marks.iter_mut().zip(others) {
                self.covered += u64::from(*mark & DONE == 0 && *other & DONE != 0);
                *mark |= *other;
            }
        }
    }

    /// Notes that an instruction was completed; whether it is the first time.
    pub(in crate::exec) fn done(&mut self, function: FunctionId, position: u32) -> bool {
        let mark = &mut self.marks[function.index()][position as usize];
        let new = *mark & DONE == 0;
        if new {
            *mark |= DONE;
            self.covered += 1;
        }
        new
    }

    /// Notes which side a branch took; whether it is the first time.
    pub(in crate::exec) fn branch(&mut self, function: FunctionId, position: u32, yes: bool) -> bool {
        self.branches_of(function).took(position as usize, yes)
    }

    /// The branches of a function, to note which sides they take.
    pub(in crate::exec) fn branches_of(&mut self, function: FunctionId) -> Branches<'_> {
        let Self { marks, passes, .. } = self;
        let passes = passes.get_mut(function.index()).map(Vec::as_mut_slice);
        Branches { marks: &mut marks[function.index()], passes: passes.unwrap_or_default() }
    }

    /// Notes that a branch or a switch was passed.
    pub(in crate::exec) fn passed(&mut self, function: FunctionId, position: u32) {
        if let Some(passes) = self.passes.get_mut(function.index()) {
            let passes = &mut passes[position as usize];
            *passes = passes.saturating_add(1);
        }
    }

    /// Whether paths took both sides of a branch.
    pub(in crate::exec) fn took_both(&self, function: FunctionId, position: u32) -> bool {
        self.marks[function.index()][position as usize] & (YES | NO) == YES | NO
    }

    /// How many instructions were completed by some path.
    #[must_use]
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// Whether some path completed an instruction.
    #[must_use]
    pub fn is_covered(&self, function: FunctionId, position: usize) -> bool {
        self.marks
            .get(function.index())
            .and_then(|marks| marks.get(position))
            .is_some_and(|mark| mark & DONE != 0)
    }

    /// Conditional branches: all, those of which both sides were taken, those of which one was.
    #[must_use]
    pub fn branches(&self, module: &Module) -> [u64; 3] {
        let mut counts = [0; 3];
        for (function, marks) in module.functions.iter().zip(&self.marks) {
            for (instruction, mark) in function.code.iter().zip(marks) {
                if matches!(instruction, Instruction::Branch { .. }) {
                    counts[0] += 1;
                    counts[1] += u64::from(mark & (YES | NO) == YES | NO);
                    counts[2] += u64::from(matches!(mark & (YES | NO), YES | NO));
                }
            }
        }
        counts
    }

    /// Whether distances should be computed again before a state is chosen.
    pub(in crate::exec) fn is_stale(&self, instructions: u64) -> bool {
        let changed = self.computed_for != Some(self.covered);
        let due = if changed { self.next } else { self.later };
        self.computed_for.is_none() || instructions >= due
    }

    /// Computes all distances.
    pub(in crate::exec) fn measure(&mut self, module: &Module, instructions: u64, states: usize) {
        let pause = module.instructions() as u64 + PER_STATE * (states as u64).saturating_sub(FEW_STATES);
        self.computed_for = Some(self.covered);
        self.next = instructions.saturating_add(pause);
        self.later = instructions.saturating_add(PATIENCE * pause);
        if self.to_return.is_empty() {
            self.to_return = self.steps_to(Goal::Return, module);
        }
        self.distances = self.steps_to(Goal::New, module);
    }

    /// The steps from each instruction to the nearest that is a goal.
    fn steps_to(&self, goal: Goal, module: &Module) -> Vec<Vec<u32>> {
        let mut steps: Vec<Vec<u32>> = self.marks.iter().map(|marks| vec![FAR; marks.len()]).collect();
        // Entries get nearer from round to round; few rounds suffice for what is near. What returns at all is asked
        // once, and takes as many as calls are nested.
        let rounds = match goal {
            Goal::New => 4,
            Goal::Return => 64,
        };
        for _ in 0..rounds {
            let mut changed = false;
            for place in 0..module.functions.len() {
                changed |= self.measure_function(goal, module, place, &mut steps);
            }
            if !changed {
                break;
            }
        }
        steps
    }

    /// One pass over a function, last instruction first; whether something got nearer.
    fn measure_function(&self, goal: Goal, module: &Module, place: usize, steps: &mut [Vec<u32>]) -> bool {
        let function = &module.functions[place];
        let mut changed = false;
        // A second pass carries distances over the edges that lead back.
        for _ in 0..2 {
            for position in (0..function.code.len()).rev() {
                let at = |position: usize| steps[place].get(position).copied().unwrap_or(FAR);
                // What was passed often and never went there is hard to reach from here.
                let passes = self.passes.get(place).and_then(|passes| passes.get(position)).copied();
                let vain = (passes.unwrap_or(0) / VAIN).min(MOST_VAIN);
                let edge = |edge: crate::module::EdgeId| {
                    function.edges.get(edge.index()).map_or(FAR, |edge| {
                        let target = edge.target as usize;
                        let is_new = goal == Goal::New
                            && self.marks[place].get(target).is_some_and(|mark| mark & DONE == 0);
                        at(target).saturating_add(if is_new { vain } else { 0 })
                    })
                };
                let after = match function.code[position] {
                    instruction
                        if match goal {
                            // What no path completes is not new, for ever.
                            Goal::New => {
                                self.marks[place][position] & DONE == 0
                                    && !matches!(
                                        instruction,
                                        Instruction::Unreachable | Instruction::Refuse(_)
                                    )
                            }
                            Goal::Return => matches!(instruction, Instruction::Return { .. }),
                        } =>
                    {
                        changed |= steps[place][position] != 0;
                        steps[place][position] = 0;
                        continue;
                    }
                    Instruction::Jump(target) => edge(target),
                    Instruction::Branch { yes, no, .. } => edge(yes).min(edge(no)),
                    Instruction::Switch(switch) => {
                        function.switches.get(switch.index()).map_or(FAR, |switch| {
                            let cases = switch.cases.iter().map(|(_, target)| edge(*target)).min();
                            cases.unwrap_or(FAR).min(edge(switch.default))
                        })
                    }
                    Instruction::Return { .. } | Instruction::Unreachable | Instruction::Refuse(_) => FAR,
                    Instruction::Call(call) => {
                        let inside = match function.calls.get(call.index()).map(|call| call.callee) {
                            Some(Callee::Function(callee)) => steps[callee.index()].first().copied(),
                            _ => None,
                        };
                        let pad = function.calls.get(call.index()).and_then(|call| call.pad);
                        let pad = pad.and_then(|pad| function.pads.get(pad.index()));
                        let thrown = pad.map_or(FAR, |pad| edge(pad.edge));
                        match goal {
                            Goal::New => inside.unwrap_or(FAR).min(thrown).min(at(position + 1)),
                            // What has no code, or is not known, comes back at once.
                            Goal::Return => at(position + 1).saturating_add(inside.unwrap_or(0)).min(thrown),
                        }
                    }
                    _ => at(position + 1),
                };
                let distance = after.saturating_add(1);
                if distance < steps[place][position] {
                    steps[place][position] = distance;
                    changed = true;
                }
            }
        }
        changed
    }

    /// How many steps a state is from what no path has completed, itself included, in its activation or, behind the
    /// steps to its end, in one that waits for it; `None` if nothing of that kind is known to be reached.
    pub(in crate::exec) fn distance(&self, state: &State) -> Option<u64> {
        let (mut least, mut left) = (FAR, 0u32);
        for (above, frame) in state.frames.iter().rev().enumerate() {
            // One that waits goes on behind its call.
            let position = frame.position as usize + usize::from(above > 0);
            let of = |table: &[Vec<u32>]| {
                table
                    .get(frame.function.index())
                    .and_then(|steps| steps.get(position))
                    .copied()
                    .unwrap_or(FAR)
            };
            least = least.min(left.saturating_add(of(&self.distances)));
            left = left.saturating_add(of(&self.to_return));
            if left >= least {
                break;
            }
        }
        (least != FAR).then(|| u64::from(least) + 1)
    }
}

/// The branches of a function.
pub(in crate::exec) struct Branches<'a> {
    marks: &'a mut [u8],
    passes: &'a mut [u32],
}

impl Branches<'_> {
    /// Notes which side a branch took; whether it is the first time.
    #[inline]
    pub(in crate::exec) fn took(&mut self, position: usize, yes: bool) -> bool {
        if let Some(passes) = self.passes.get_mut(position) {
            *passes = passes.saturating_add(1);
        }
        let Some(mark) = self.marks.get_mut(position) else { return false };
        let side = if yes { YES } else { NO };
        let new = *mark & side == 0;
        *mark |= side;
        new
    }
}

/// What the steps are counted to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// An instruction that no path has completed.
    New,
    /// The end of the activation.
    Return,
}
