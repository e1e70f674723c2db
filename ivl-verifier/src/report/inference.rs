//! How it was found out which constants hold (`-contractInfer`), as Boogie tells it in a trace.

use std::collections::BTreeSet;

use crate::report::{Report, Verdict};
use crate::smt::answer::Outcome;

/// A search for constants that hold together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inference {
    /// The implementations that were looked at, in the program's order.
    pub implementations: Vec<String>,
    /// What was asked, one after the other.
    pub attempts: Vec<Attempt>,
}

/// An implementation that was asked about under the constants that were left.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Its name.
    pub name: String,
    /// What came out.
    pub outcome: Outcome,
    /// How long the solver took in this run.
    pub seconds: f64,
    /// The constants that were dropped after that, once for each check that failed.
    pub dropped: Vec<String>,
    /// Whether nothing is known of it, so that what its checks depend on was dropped.
    pub given_up: bool,
}

impl Attempt {
    /// What a result says, before anything is dropped.
    pub(crate) fn of(report: &Report) -> Self {
        let outcome = match report.verdict {
            _ if !report.errors.is_empty() => Outcome::Refuted,
            Verdict::Decided(outcome) => outcome,
            _ => Outcome::Failed,
        };
        let (name, seconds) = (report.name.clone(), report.seconds);
        Self { name, outcome, seconds, dropped: Vec::new(), given_up: false }
    }
}

/// What stands above what was found.
#[must_use]
pub fn search(inference: &Inference, assignment: &[(String, bool)]) -> String {
    let mut out = "Collecting existential constants...\nBuilding call graph...\n".to_owned();
    out.push_str(&format!("Number of implementations = {}\n", inference.implementations.len()));
    out.push_str("Beginning VC generation for Houdini...\n");
    for name in &inference.implementations {
        out.push_str(&format!("Generating VC for {name}\n"));
    }
    let mut dropped: BTreeSet<&str> = BTreeSet::new();
    for attempt in &inference.attempts {
        let Attempt { name, seconds, .. } = attempt;
        out.push_str(&format!("Verifying {name}\n"));
        out.push_str(&format!("Houdini assignment axiom: {}\n", axiom(assignment, &dropped)));
        let outcome = attempt.outcome.word();
        out.push_str(&format!("Outcome = {outcome}\nTime taken = {seconds}\n"));
        if attempt.given_up {
            out.push_str(&format!("Timeout/Spaceout while verifying {name}\n"));
        }
        for constant in &attempt.dropped {
            out.push_str(&format!("Removing {constant}\n"));
            dropped.insert(constant);
        }
    }
    out
}

/// What is taken to hold of the constants.
fn axiom(assignment: &[(String, bool)], dropped: &BTreeSet<&str>) -> String {
    if assignment.is_empty() {
        return "true".to_owned();
    }
    let literal = |(name, _): &(String, bool)| {
        if dropped.contains(&name.as_str()) { format!(" (! {name})") } else { format!(" {name}") }
    };
    let literals: String = assignment.iter().map(literal).collect();
    format!("(And true{literals})")
}

/// What stands below: how many constants hold, and what it took. No question is asked for unsatisfiable cores here.
#[must_use]
pub fn figures(inference: &Inference, assignment: &[(String, bool)]) -> String {
    let holds = assignment.iter().filter(|(_, holds)| *holds).count();
    let seconds: f64 = inference.attempts.iter().map(|it| it.seconds).sum();
    format!(
        "Number of true assignments = {holds}\nNumber of false assignments = {}\nProver time = {seconds:.2}\n\
         Unsat core prover time = 0.00\nNumber of prover queries = {}\nNumber of unsat core prover queries = 0\n\
         Number of unsat core prunings = 0\n",
        assignment.len() - holds,
        inference.attempts.len()
    )
}
