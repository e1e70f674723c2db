//! What is pending: statements of the script that the solver is not known to accept yet. They are settled by
//! what is known of exactly these statements, by what was said to the same words before, or by the solver.

use std::io;

use cache_core::limits::Limits;
use cache_core::rename::Renaming;

use super::super::answer::{Piece, Repeated, Said, to_form, to_own};
use super::super::scope::Id;
use super::super::script::is_called;
use super::live::Asked;
use super::{Outcome, Pending, Session, Step, Then, What};

impl Session<'_> {
    /// Makes sure that the solver accepts what is pending, or gives its errors.
    pub(super) fn settle(&mut self) -> Outcome {
        if self.pending.is_empty() {
            return Ok(Then::Goes);
        }
        let ids: Vec<Id> = self.pending.iter().map(|it| it.id).collect();
        let key = self.knowledge.accepted(&self.scope, &self.scope.closure(&ids));
        let limits = Limits::unlimited();
        let known = if self.opaque { None } else { self.knowledge.lookup(&key, &limits) };
        if let Some((Said::Nothing, false)) = known {
            return self.accept();
        }
        let ranges =
            self.pending.iter().filter_map(|it| self.steps.get(it.step)).map(|step| step.range.clone());
        let words: Vec<&[u8]> = ranges.map(|range| self.script.bytes(range)).collect();
        let written = self.knowledge.objected(&self.scope, &words);
        let objected = if self.opaque { None } else { self.knowledge.lookup(&written, &limits) };
        if let Some((Said::Objections(objections), false)) = objected
            && self.object(&objections)?
        {
            return Ok(Then::Goes);
        }
        let behind_check = self.pending.iter().any(|it| it.behind_check);
        self.feed(if behind_check { Asked::Last } else { Asked::Nothing })?;
        let mut accepted = true;
        let mut objections: Option<Vec<Option<Vec<Piece>>>> = Some(Vec::new());
        let pending = std::mem::take(&mut self.pending);
        let first = pending.first().map_or(0, |it| it.step);
        for number in first..self.steps.len() {
            let Some(step) = self.steps.get_mut(number) else { continue };
            let sent = std::mem::replace(&mut step.sent, true);
            let range = step.range.clone();
            let Some(id) = pending.iter().find(|it| it.step == number).map(|it| it.id) else {
                // A level that was opened in between.
                if !sent && let Some(solver) = &mut self.solver {
                    solver.write(self.script.bytes(range.clone()), self.script.place(range.start));
                }
                continue;
            };
            let response = self.ask(&range)?;
            let text = String::from_utf8_lossy(&response.0).into_owned();
            self.out.write_all(&response.0)?;
            self.out.flush()?;
            if !response.1 {
                return Ok(Then::Ends(self.end()?));
            }
            // Z3 goes on without a logic that it does not know.
            let ignored = self.engine.is_z3
                && text == "unsupported\n"
                && is_called(self.script.bytes(range.clone()), "set-logic");
            if ignored || text.contains("(error") {
                let repeated = Repeated { as_written: true, ..self.repeated(&range) };
                let form = to_form(&text, &repeated, &self.scope.names, &Renaming::default());
                match (&mut objections, form.filter(|_| self.engine.is_z3)) {
                    (Some(all), Some(form)) => all.push(Some(form)),
                    _ => objections = None,
                }
                self.scope.take_back(id);
                self.refuse(number);
                accepted = false;
                continue;
            }
            if let Some(all) = &mut objections {
                all.push(None);
            }
            if !matches!(text.trim_end(), "" | "success") {
                // A warning, or an option that it does not know: whether it holds is not for us to say.
                self.opaque = true;
                accepted = false;
            }
        }
        if known.is_some() && !accepted {
            self.disagree("the cache took for accepted what the solver does not accept");
        }
        if accepted && known.is_none() && !self.opaque {
            self.knowledge.fill(&key, &limits, Said::Nothing, 0.0);
        } else if let Some(objections) = objections.filter(|_| !accepted && !self.opaque) {
            self.knowledge.fill(&written, &limits, Said::Objections(objections), 0.0);
        }
        Ok(Then::Goes)
    }

    /// Says what the solver said of what is pending, and takes back what it refused; false if these are not its words
    /// for it.
    fn object(&mut self, objections: &[Option<Vec<Piece>>]) -> io::Result<bool> {
        if objections.len() != self.pending.len() {
            return Ok(false);
        }
        let mut said = Vec::new();
        for (Pending { step, .. }, objection) in self.pending.iter().zip(objections) {
            let Some(Step { range, .. }) = self.steps.get(*step) else { return Ok(false) };
            let repeated = self.repeated(range);
            let own =
                |pieces: &Vec<Piece>| to_own(pieces, &repeated, &self.scope.names, &Renaming::default());
            match objection.as_ref().map(own) {
                None => said.push(None),
                Some(Some(text)) => said.push(Some(text)),
                Some(None) => return Ok(false),
            }
        }
        for (Pending { id, step, praised, .. }, objection) in
            std::mem::take(&mut self.pending).into_iter().zip(said)
        {
            match objection {
                Some(text) => {
                    self.scope.take_back(id);
                    self.refuse(step);
                    self.failed |= text.contains("(error");
                    self.say(&text)?;
                }
                None if praised => self.say("success\n")?,
                None => {}
            }
        }
        Ok(true)
    }

    fn refuse(&mut self, step: usize) {
        if let Some(step) = self.steps.get_mut(step) {
            step.what = What::Refused;
        }
    }

    /// What is pending is in order.
    fn accept(&mut self) -> Outcome {
        let praised = std::mem::take(&mut self.pending).iter().filter(|it| it.praised).count();
        if praised > 0 {
            self.say(&"success\n".repeat(praised))?;
        }
        Ok(Then::Goes)
    }
}
