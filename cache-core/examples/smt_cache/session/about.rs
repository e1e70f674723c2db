//! Questions about the last check: models, values, cores, labels. Answers about one model belong together, so what was
//! said of it is part of the question for more of it.

use std::ops::Range;

use cache_core::key::Checksum;
use cache_core::rename::Renaming;

use super::super::answer::{Repeated, Said, Verdict, to_form, to_own};
use super::super::knowledge::{Numbered, question};
use super::super::model::{members, same_words};
use super::super::read::Tree;
use super::super::term::{Bound, term};
use super::{Outcome, Session, Step, Then, What};

/// What was asked about a check so far, in the names of the check and of what was asked first: that tells apart what
/// looks the same in the check.
pub(super) struct About {
    renaming: Renaming,
    /// All that was asked and said; absent once something could not be said in these names.
    said: Option<Checksum>,
}

impl Session<'_> {
    /// A question about the last check.
    pub(super) fn about(&mut self, tree: &Tree, range: Range<usize>) -> Outcome {
        let Some(mut last) = self.last.take().filter(|_| !self.opaque && self.pending.is_empty()) else {
            return self.unkept(range, false);
        };
        let asked = term(tree, tree.root(), Bound::Spelled, &mut self.scope.names);
        let mut about = last.about.take().unwrap_or_else(|| {
            let first = question(&self.scope, Some(asked), &last.terms);
            About { renaming: first.back.renaming, said: Some(first.checksum) }
        });
        let asked = Numbered::of(asked, &self.scope, &mut about.renaming);
        let repeated = self.repeated(&range);
        let gave_up = last.verdict == Verdict::Unknown;
        let key = about.said.map(|said| self.knowledge.about(&self.scope, last.verdict, &said, &asked));
        let known = key.as_ref().and_then(|key| self.knowledge.lookup(key, &last.limits));
        let known = known.and_then(|(said, audit)| match said {
            Said::Text { pieces, .. } => {
                let response = to_own(&pieces, &repeated, &self.scope.names, &about.renaming)?;
                Some((response, pieces, audit))
            }
            _ => None,
        });
        let known = known
            .filter(|(response, ..)| !response.starts_with("(error") || self.status_behind_error().is_some());
        let step = Step { range: range.clone(), what: What::Query, sent: false };
        if let Some((response, pieces, false)) = known {
            self.steps.push(step);
            self.tally.known += 1;
            self.failed |= response.starts_with("(error");
            self.say(&response)?;
            about.said = about.said.map(|before| self.knowledge.said(&before, &asked, &pieces));
            last.about = Some(about);
            last.responses.push(response);
            self.last = Some(last);
            return Ok(Then::Goes);
        }
        self.last = Some(last);
        self.feed_last()?;
        self.steps.push(step);
        self.sent_last();
        let Some(mut last) = self.last.take() else { return Ok(Then::Goes) };
        let (text, alive) = match last.other_model {
            false => self.ask(&range)?,
            true => self.ask_in_model(&last, &range)?,
        };
        let audited = known.and_then(|(response, ..)| {
            let text = String::from_utf8_lossy(&text).into_owned();
            (alive && !same_words(&response, &text)).then_some(response)
        });
        // Another model may be as good as the solver's own, and then it stays.
        let wrong = match &audited {
            Some(response) => !self.is_possible(&last, response)?,
            None => false,
        };
        let text = match audited {
            Some(response) if !wrong => response.into_bytes(),
            _ => text,
        };
        self.out.write_all(&text)?;
        self.out.flush()?;
        if !alive {
            return Ok(Then::Ends(self.end()?));
        }
        self.tally.asked += 1;
        if let Ok(response) = String::from_utf8(text) {
            if wrong {
                self.disagree("the cache held a response that the solver says cannot be");
            }
            let form = to_form(&response, &repeated, &self.scope.names, &about.renaming);
            self.survived |= response.starts_with("(error");
            let before = about.said.take();
            about.said = before
                .zip(form.as_ref())
                .map(|(before, pieces)| self.knowledge.said(&before, &asked, pieces));
            if let (Some(key), Some(pieces)) = (key, form)
                && !last.other_model
            {
                self.knowledge.fill(&key, &last.limits, Said::Text { pieces, gave_up }, 0.0);
            }
            last.about = Some(about);
            last.responses.push(response);
            self.last = Some(last);
        }
        Ok(Then::Goes)
    }

    /// What a response may repeat of a command.
    pub(super) fn repeated(&self, command: &Range<usize>) -> Repeated {
        let text = str::from_utf8(self.script.bytes(command.clone())).unwrap_or_default();
        let may_repeat = self.engine.is_z3 && text.contains("get-value");
        let terms = match may_repeat.then(|| members(text)).flatten().as_deref() {
            Some([word, terms]) if word == "get-value" => members(terms),
            _ => None,
        };
        let end = self.script.place(command.end - 1);
        Repeated { end, terms: terms.unwrap_or_default(), as_written: false }
    }
}
