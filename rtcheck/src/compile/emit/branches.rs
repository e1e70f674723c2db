//! Disjunctions and conditions inside a clause.

use super::{Emitter, Location, Path};
use crate::compile::CompileError;
use crate::compile::allocate::{VariableId, occurrences_in};
use crate::compile::body::{Branch, Condition, Goal, branches_are_simple};
use crate::compile::label::Label;
use crate::machine::{Instruction as I, Live};

impl Emitter<'_> {
    pub(super) fn branches(&mut self, branches: &[Branch], tail: bool) -> Result<(), CompileError> {
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
