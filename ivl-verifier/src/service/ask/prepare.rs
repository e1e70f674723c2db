//! What becomes of a task before anything is sent: its query is made, and what is known takes the place of asking.
//!
//! In this order: an implementation that is asked in pieces is left to [`super::pieces`]; where values of known
//! failures are all that is wanted, those that are kept are told; the same query may have been answered before; an
//! earlier version may leave a part of the query, or instances that proved it then, of which the cheaper is asked
//! first.

use std::sync::Arc;

use cache_core::cache::{Asked, Cost, Lookup};
use cache_core::digest::Digest;
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::worker::Request as PoolRequest;

use super::{Arrived, Pieces, Sent};
use crate::lower::cut::Cut;
use crate::lower::pieces::Piece;
use crate::lower::{Passive, Unsupported};
use crate::report::{Origin, Report, TraceItem, Verdict};
use crate::resolve::program::{AxiomId, Program};
use crate::service::models::telling;
use crate::service::recall::{Names, Recalled, Record, nothing_left};
use crate::service::replay::{Portion, Replayed};
use crate::service::request::{Question, query_key, query_text, request};
use crate::service::trace::trace;
use crate::service::values::Told;
use crate::service::{Task, UNCHANGED, Verifier, failures};
use crate::smt::term::Query;
use crate::smt::translate::Made;
use crate::smt::wire;
use crate::vc;

/// What becomes of a task before anything is sent.
pub(super) enum Prepared {
    /// Nothing has to be asked.
    Known(Box<Report>),
    Asked(Box<Sent>, PoolRequest),
    /// It is to be asked in pieces.
    Divided(Box<Sent>),
}

impl Prepared {
    fn known(report: Report) -> Self {
        Self::Known(Box::new(report))
    }
}

/// The whole query of a task.
struct Whole {
    query: Query,
    question: Question,
    key: Key,
    /// Where the values of its failures are kept, if values are wanted.
    values_key: Option<Key>,
    /// What is needed to read models, if values are wanted.
    told: Vec<Option<Told>>,
    limits: Limits,
}

/// What is asked instead of the whole query.
enum Instead {
    /// What an earlier version's proof leaves.
    Rest(Box<Recalled>, Query),
    /// Instances that proved it.
    Instances(Replayed),
}

impl Instead {
    fn query(&self) -> &Query {
        match self {
            Self::Rest(_, query) => query,
            Self::Instances(replayed) => &replayed.ground,
        }
    }
}

impl Verifier {
    /// Makes the query of a task, without what earlier versions know of it; or its report, if the solver
    /// need not be asked.
    pub(super) fn prepare(
        &mut self,
        program: &mut Program,
        names: Option<&Arc<Names>>,
        mut task: Task,
        axioms: &[AxiomId],
    ) -> Prepared {
        let unsupported = |it: &Self, program: &Program, task: &Task, Unsupported { message, .. }| {
            Prepared::known(it.blank(program, task, Verdict::Unsupported(message)))
        };
        let (cut, passive, pieces) = match self.lowered(program, task.id, &task.reach) {
            Ok(lowered) => lowered,
            Err(error) => return unsupported(self, program, &task, error),
        };
        if !pieces.is_empty() {
            return self.divided(program, task, axioms, (&cut, passive, pieces));
        }
        let whole = match self.whole_query(program, &task, axioms, &passive) {
            Ok(whole) => whole,
            Err(error) => return unsupported(self, program, &task, error),
        };
        if let Some(report) = self.kept_values(program, &task, &passive, &whole) {
            return Prepared::known(report);
        }
        // Checks that are assumed are known of nothing.
        let selective = program.implementations[task.id].wishes.selective;
        let names = names.filter(|_| !selective);
        let record = names.map(|names| self.record(program, names, &task, &cut));
        if let Some(report) = self.same_query(program, &task, &passive, &whole, record.as_ref()) {
            return Prepared::known(report);
        }
        let (instead, trace) = self.instead(program, &mut task, axioms, &cut, record.as_ref(), &whole.query);
        self.asked(
            program,
            Sent { trace, record, ..Sent::of(task, passive, whole.limits.clone()) },
            whole,
            instead,
        )
    }

    /// A task that is asked in pieces.
    fn divided(
        &self,
        program: &Program,
        task: Task,
        axioms: &[AxiomId],
        (cut, passive, pieces): (&Cut, Passive, Vec<Piece>),
    ) -> Prepared {
        let trace = self.traced(program, &task, cut, None);
        let limits = self.limits(program, task.id);
        let pieces = Pieces::new(pieces, self.keeps_going(program, task.id), axioms, &limits);
        Prepared::Divided(Box::new(Sent { trace, pieces: Some(pieces), ..Sent::of(task, passive, limits) }))
    }

    /// What a trace says of a task, where one is wanted.
    fn traced(
        &self,
        program: &Program,
        task: &Task,
        cut: &Cut,
        earlier: Option<&Recalled>,
    ) -> Vec<TraceItem> {
        match self.options.client_checksums {
            Some(_) => trace(program, task.id, cut, earlier.map(Recalled::for_trace)),
            None => Vec::new(),
        }
    }

    fn whole_query(
        &mut self,
        program: &mut Program,
        task: &Task,
        axioms: &[AxiomId],
        passive: &Passive,
    ) -> Result<Whole, Unsupported> {
        let made = self.rest(program, (task.id, &task.reach), axioms, passive, &vc::condition(passive))?;
        let Made { query, names, extended, wanted } = made;
        let bytes = wire::write(&self.disturbed(&query));
        let key = query_key(&self.options.engine, &bytes).finish();
        let extended = extended.map(|(extended, terms)| (wire::write(&extended), terms));
        let question = (bytes, self.options.values.then_some(extended));
        let values_key = self.values_key(&question).map(KeyBuilder::finish);
        let told = vec![self.options.values.then_some(Told { names, wanted })];
        Ok(Whole { query, question, key, values_key, told, limits: self.limits(program, task.id) })
    }

    /// The report of a task whose verdict is known, and the values of whose failures are kept.
    fn kept_values(
        &mut self,
        program: &Program,
        task: &Task,
        passive: &Passive,
        whole: &Whole,
    ) -> Option<Report> {
        let (stored, origin) = task.valued.as_ref()?;
        let (fresh, models) = self.with_values(&stored.response, whole.values_key.as_ref(), &whole.limits)?;
        let mut report = self.valued(program, (task, passive, &whole.told), stored, &fresh, &models);
        report.origin = *origin;
        report.because = vec![UNCHANGED.to_owned()];
        self.say_what_lacks(&mut report);
        Some(report)
    }

    /// The report of a task whose very query was answered before, for whichever program.
    fn same_query(
        &mut self,
        program: &Program,
        task: &Task,
        passive: &Passive,
        whole: &Whole,
        record: Option<&Record>,
    ) -> Option<Report> {
        let limits = &whole.limits;
        let usual =
            task.audited.is_none() && self.options.client_checksums.is_none() && self.tracked.is_empty();
        if !usual {
            return None;
        }
        let Lookup::Hit { answer, audit: false, .. } = self.cache.lookup(&whole.key, limits) else {
            return None;
        };
        let (response, models) = self.with_values(&answer.response, whole.values_key.as_ref(), limits)?;
        let telling = |at: usize| telling(&whole.told, &models, at);
        let errors = failures::errors(program, passive, &response, &telling)?;
        self.cache.fill(&task.key, limits, &Asked { answer: answer.clone(), cost: Cost::default() });
        if let Some(record) = record {
            self.keep(program, task, record, (None, None), passive, &answer.response);
        }
        let mut report = self.blank(program, task, Verdict::Decided(answer.response.outcome));
        report.limits_met = answer.response.out_of_limits;
        report.errors = errors;
        if self.options.retell {
            report.obligations = failures::obligations(passive, &answer.response);
            report.resource = answer.response.resource;
        }
        report.origin = Origin::SameQuery;
        report.because.push("but its query is one that was answered before".to_owned());
        self.say_what_lacks(&mut report);
        Some(report)
    }

    /// What is asked instead of the whole query, if earlier versions leave less; and what a trace says.
    fn instead(
        &mut self,
        program: &mut Program,
        task: &mut Task,
        axioms: &[AxiomId],
        cut: &Cut,
        record: Option<&Record>,
        query: &Query,
    ) -> (Option<Instead>, Vec<TraceItem>) {
        let earlier = match record {
            // Errors of earlier versions are known without values.
            Some(record) if task.audited.is_none() && !self.options.values => {
                self.recalled(program, task, cut, record)
            }
            _ => None,
        };
        let trace = self.traced(program, task, cut, earlier.as_ref());
        let earlier = earlier.filter(|recalled| {
            if !self.options.thrifty || recalled.is_complete() {
                return true;
            }
            let doubt = recalled.doubt(query.has_quantifiers());
            task.because.extend(doubt.map(|doubt| format!("{doubt}, so it is asked as a whole")));
            doubt.is_none()
        });
        // Of a part and of instances that prove the whole, these are the cheaper ones.
        if !earlier.as_ref().is_some_and(Recalled::is_complete)
            && let Some(replayed) = self.replayed(program, task, Portion::Whole, query)
        {
            return (Some(Instead::Instances(replayed)), trace);
        }
        // What cannot be asked in part is asked as a whole.
        let rest = earlier.and_then(|recalled| {
            let passive = &recalled.passive;
            let made = self.rest(program, (task.id, &task.reach), axioms, passive, &vc::condition(passive));
            Some(Instead::Rest(Box::new(recalled), made.ok()?.query))
        });
        (rest, trace)
    }

    /// The request for what is to be asked; where an earlier version leaves nothing to ask, the report.
    fn asked(
        &mut self,
        program: &Program,
        mut one: Sent,
        whole: Whole,
        instead: Option<Instead>,
    ) -> Prepared {
        let Whole { query, question: (bytes, extended), key, values_key, told, limits: _ } = whole;
        one.query_key = Some(key);
        one.values_key = values_key;
        one.told = told;
        one.digest = Digest::of(&bytes);
        let first = instead.as_ref().map(|instead| self.disturbed(instead.query()));
        let name = program.names.text(program.implementations[one.task.id].name);
        one.query = self.options.log_queries.then(|| {
            let whole = self.disturbed(&query);
            query_text(&one.limits, name, first.as_deref().unwrap_or(&whole))
        });
        one.edited = self.is_recorded(program, &one.task).then(|| bytes.clone());
        let mut asked = first.as_deref().map_or_else(|| bytes.clone(), wire::write);
        drop(first);
        let mut attempt = None;
        match instead {
            None => {}
            Some(Instead::Instances(replayed)) => {
                attempt = Some(replayed.budget());
                one.replayed = Some((bytes, replayed.took));
            }
            Some(Instead::Rest(recalled, _)) if recalled.is_complete() => {
                one.recalled = Some((*recalled, bytes));
                one.nothing_asked = true;
                match self.settled(program, &mut one, nothing_left(), &[], 0.0) {
                    Arrived::Report(report) => return Prepared::Known(report),
                    Arrived::Again => {
                        one.nothing_asked = false;
                        asked = one.recalled.take().map_or(asked, |(_, whole)| whole);
                    }
                }
            }
            Some(Instead::Rest(recalled, _)) => {
                attempt = Some(match self.options.thrifty {
                    true => recalled.budget(self.options.switch_after),
                    false => u64::MAX,
                });
                one.recalled = Some((*recalled, bytes));
            }
        }
        match request(&one.limits, (asked, extended), attempt, &self.tracked) {
            Ok(request) => Prepared::Asked(Box::new(one), request),
            Err(error) => Prepared::known(self.blank(program, &one.task, Verdict::Failed(error))),
        }
    }
}
