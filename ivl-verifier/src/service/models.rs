//! Values of counterexamples that are known: found with the query that they are of, told without a question.
//!
//! A model belongs to one query with its names, and says something of the terms beside it whose values are wanted. The
//! key of its entry is the bytes of both; nothing is renamed. Which checks fail is looked up elsewhere, and stays what
//! counts: the values of an error are those that a run found which asked this very query. Where they are missing the
//! query is asked once more, for them alone.

use cache_core::cache::{Asked, Cost, Lookup};
use cache_core::digest::Confirm;
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;

use super::request::Question;
use super::values::Told;
use super::{Task, Verifier, failures};
use crate::lower::Passive;
use crate::report::{CheckError, Report, Verdict};
use crate::resolve::program::Program;
use crate::smt::answer::{Model, Outcome, Response};
use crate::smt::stored::{StoredResult, StoredValues};

/// The schema of what is stored.
const VERSION: u32 = 1;

/// The models of a response's failures, in their order, each with the number of the piece that it is of.
pub(super) type Models = Vec<(usize, Model)>;

/// The number of no piece: of a failure whose model is not known.
const UNKNOWN: usize = usize::MAX;

/// The models, where they are known.
pub(super) fn known(models: Models) -> Vec<Option<Model>> {
    models.into_iter().map(|(piece, model)| (piece != UNKNOWN).then_some(model)).collect()
}

/// The model of a piece, if it is known.
pub(super) fn of_piece(number: usize, model: Option<Model>) -> (usize, Model) {
    model.map_or_else(|| (UNKNOWN, Model::default()), |model| (number, model))
}

/// What a model is read with.
pub(super) fn telling<'t>(
    told: &'t [Option<Told>],
    models: &'t [(usize, Model)],
    at: usize,
) -> Option<(&'t Told, &'t Model)> {
    let (piece, model) = models.get(at)?;
    Some((told.get(*piece)?.as_ref()?, model))
}

/// A response, where another one to the same query found a check to fail with its way, and the models of that.
fn merged(known: &Response, fresh: &Response, models: &[(usize, Model)]) -> (Response, Models) {
    let mut response = known.clone();
    let mut found = Vec::new();
    for failure in &mut response.failures {
        let again = fresh.failures.iter().zip(models).find(|(it, _)| it.label == failure.label);
        found.push(again.map_or_else(
            || of_piece(UNKNOWN, None),
            |(again, model)| {
                *failure = again.clone();
                model.clone()
            },
        ));
    }
    (response, found)
}

impl Verifier {
    /// Whether values are wanted of errors that come without any.
    pub(super) fn lacks_values(&self, errors: &[CheckError]) -> bool {
        self.options.values && errors.iter().any(|error| error.counterexample.is_none())
    }

    /// The key of the values with which checks of a query fail, if values are wanted.
    pub(super) fn values_key(&self, (query, wanted): &Question) -> Option<KeyBuilder> {
        let beside = wanted.as_ref()?;
        let begin = KeyBuilder::new("ivl values", VERSION)
            .engine(self.options.engine.family.name(), &self.options.engine.version);
        if self.forgets_the_query() {
            return Some(begin);
        }
        let beside = beside.as_ref().map(|(bytes, terms)| (Confirm::of(bytes), terms.as_slice()));
        Some(begin.content("query", &Confirm::of(query)).content("beside", &beside))
    }

    /// What is known of a query's answer with the values of its failures, which are none if none are wanted. `None` if
    /// they are wanted, not known, and may be asked for.
    pub(super) fn with_values(
        &mut self,
        response: &Response,
        key: Option<&Key>,
        limits: &Limits,
    ) -> Option<(Response, Models)> {
        let Some(key) = key.filter(|_| !response.failures.is_empty()) else {
            return Some((response.clone(), Vec::new()));
        };
        let Lookup::Hit { answer: StoredValues { response: fresh, models }, .. } =
            self.values.lookup(key, limits)
        else {
            // Where nothing is asked, errors are told without.
            return (!self.options.mode.asks()).then(|| merged(response, response, &[]));
        };
        let models: Models = models.into_iter().map(|model| (0, model)).collect();
        Some(merged(response, &fresh, &models))
    }

    /// Keeps the values that an answer came with; or compares them with those that are kept, if the answer is asked for
    /// to be compared.
    pub(super) fn keep_values(
        &mut self,
        (key, limits): (Option<&Key>, &Limits),
        response: &Response,
        models: &[Model],
        (seconds, is_audit): (f64, bool),
    ) {
        let Some(key) = key.filter(|_| self.tracked.is_empty() && response.outcome != Outcome::Failed) else {
            return;
        };
        let answer = StoredValues { response: response.clone(), models: models.to_vec() };
        let fresh = Asked { answer, cost: Cost { seconds, resource: response.resource } };
        match is_audit.then(|| self.values.lookup(key, limits)) {
            Some(Lookup::Hit { answer, .. }) => drop(self.values.settle_audit(key, limits, &answer, &fresh)),
            _ => self.values.fill(key, limits, &fresh),
        }
    }

    /// The report of a stored result whose errors were looked up or asked for again to get values. What is stored is
    /// what counts: an error that the solver did not find again has no values.
    pub(super) fn valued(
        &mut self,
        program: &Program,
        (task, passive, told): (&Task, &Passive, &[Option<Told>]),
        stored: &StoredResult,
        fresh: &Response,
        models: &[(usize, Model)],
    ) -> Report {
        let (response, found) = merged(&stored.response, fresh, models);
        let mut report = self.blank(program, task, Verdict::Decided(response.outcome));
        match failures::errors(program, passive, &response, &|at| telling(told, &found, at)) {
            Some(errors) => report.errors = errors,
            None => report.verdict = Verdict::Failed("the solver's answer does not fit its query".to_owned()),
        }
        report.limits_met = response.out_of_limits;
        if self.options.retell {
            report.obligations = failures::obligations(passive, &stored.response);
            report.resource = stored.response.resource;
        }
        report
    }

    /// Says of a report whose values may not be asked for that they are missing.
    pub(super) fn say_what_lacks(&self, report: &mut Report) {
        if !self.options.mode.asks() && self.lacks_values(&report.errors) {
            report.because.push("values of its errors are not stored".to_owned());
        }
    }

    /// Whether values are to be those of any query.
    #[cfg(feature = "plant")]
    fn forgets_the_query(&self) -> bool {
        self.options.fault == Some(crate::base::plant::Fault::OtherValues)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn forgets_the_query(&self) -> bool {
        false
    }
}
