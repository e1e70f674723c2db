//! What an analysis says of assertion conditions: a row for each, with the places that are left to run time.

use super::profile::literals;
use crate::machine::{Contract, Judged, Judgement, Machine};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What is known of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It cannot fail.
    Proved,
    /// Somewhere it cannot hold.
    Refuted,
    /// It is checked while the program runs, at one place at least.
    RunTime,
}

/// A place where a condition is evaluated.
#[derive(Clone, Debug)]
pub struct Place {
    /// The predicate whose clause calls, and its lines. Nothing for calls from elsewhere, and for successes.
    pub call: Option<(String, (usize, usize))>,
    /// What is known there.
    pub verdict: Verdict,
    /// Why it is not proved.
    pub reason: Option<String>,
}

/// An assertion condition.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The predicate, as `Module:Name/Arity`.
    pub predicate: String,
    /// `calls` or `success`.
    pub kind: &'static str,
    /// What must hold, as it is written.
    pub demand: String,
    /// What is known of it at all its places.
    pub verdict: Verdict,
    /// Where it is evaluated.
    pub places: Vec<Place>,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Refuted => "refuted",
            Self::RunTime => "run time",
        }
    }
}

/// The conditions of all contracts of the program, in its order.
#[must_use]
pub fn conditions(machine: &mut Machine) -> Vec<Condition> {
    let numbers: Vec<u32> = machine.loading.all_contracts();
    let mut conditions = Vec::new();
    for number in numbers {
        let contract = machine.contracts[number as usize].clone();
        let judged = machine.proofs.judged.iter().rev().find(|judged| judged.contract == number).cloned();
        of_contract(machine, &contract, judged.as_ref(), &mut conditions);
    }
    conditions
}

fn of_contract(
    machine: &mut Machine,
    contract: &Contract,
    judged: Option<&Judged>,
    conditions: &mut Vec<Condition>,
) {
    let predicate = indicator(machine, contract.predicate);
    let [before, after] = literals(machine, contract);
    let alternatives = |texts: &[String], all: &mut dyn Iterator<Item = &Vec<u16>>| {
        let each: Vec<String> = all
            .map(|conjunction| {
                let texts: Vec<&str> = conjunction.iter().map(|&i| texts[i as usize].as_str()).collect();
                texts.join(", ")
            })
            .collect();
        each.join("; ")
    };
    let place = |call, judgement: &Judgement, texts: &[String]| {
        let (verdict, reason) = match judgement {
            Judgement::Proved => (Verdict::Proved, None),
            Judgement::Refuted(i) => {
                (Verdict::Refuted, Some(format!("`{}` cannot hold", texts[*i as usize])))
            }
            Judgement::Unknown(i) => {
                (Verdict::RunTime, Some(format!("`{}` is not known to hold", texts[*i as usize])))
            }
            Judgement::BehindUnknown => {
                (Verdict::RunTime, Some("something unknown is called before".to_owned()))
            }
        };
        Place { call, verdict, reason }
    };
    let beyond = || Place {
        call: None,
        verdict: Verdict::RunTime,
        reason: Some("the predicate, or one of its conditions, is left to run time".to_owned()),
    };
    let mut add = |kind, demand, places: Vec<Place>| {
        let verdict = match () {
            () if places.iter().any(|place| place.verdict == Verdict::Refuted) => Verdict::Refuted,
            () if places.iter().any(|place| place.verdict == Verdict::RunTime) => Verdict::RunTime,
            () => Verdict::Proved,
        };
        conditions.push(Condition { predicate: predicate.clone(), kind, demand, verdict, places });
    };
    if !contract.calls.is_empty() {
        let mut all = contract
            .calls
            .iter()
            .map(|alternative| &contract.preconditions[alternative.precondition as usize]);
        let demand = alternatives(&before, &mut all);
        let mut places = match judged {
            Some(judged) => judged
                .calls
                .iter()
                .map(|call| {
                    place(Some((indicator(machine, call.caller), call.lines)), &call.judgement, &before)
                })
                .collect(),
            None => vec![beyond()],
        };
        if judged.is_some() {
            places.push(Place {
                call: None,
                verdict: Verdict::RunTime,
                reason: Some("calls from elsewhere are checked".to_owned()),
            });
        }
        add("calls", demand, places);
    }
    for (i, success) in contract.successes.iter().enumerate() {
        let demand = alternatives(&after, &mut success.postconditions.iter());
        let judgement = judged.and_then(|judged| judged.successes.get(i));
        let places = vec![judgement.map_or_else(beyond, |judgement| place(None, judgement, &after))];
        add("success", demand, places);
    }
}

fn indicator(machine: &Machine, id: crate::machine::PredicateId) -> String {
    let predicate = machine.predicate_at(id);
    let (module, name) = (machine.atoms.text(predicate.module), machine.atoms.text(predicate.name));
    format!("{module}:{name}/{}", predicate.arity)
}

fn lines((first, last): (usize, usize)) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
}

/// The conditions as a text: a summary, then a line for each condition and each of its places.
#[must_use]
pub fn conditions_text(conditions: &[Condition]) -> String {
    let places = || conditions.iter().flat_map(|condition| &condition.places);
    let inside = || places().filter(|place| place.reason.is_none() || place.call.is_some());
    let count = |verdict| places().filter(|place| place.verdict == verdict).count();
    let mut text = format!(
        "{} conditions, {} places: {} proved, {} refuted, {} left to run time ({} inside the program)\n",
        conditions.len(),
        places().count(),
        count(Verdict::Proved),
        count(Verdict::Refuted),
        count(Verdict::RunTime),
        inside().filter(|place| place.verdict == Verdict::RunTime).count(),
    );
    for Condition { predicate, kind, demand, places, .. } in conditions {
        let _ = writeln!(text, "{predicate} {kind}: {demand}");
        for Place { call, verdict, reason } in places {
            let _ = write!(text, "    {}", verdict.name());
            if let Some((caller, at)) = call {
                let _ = write!(text, " in {caller}, {}", lines(*at));
            }
            if let Some(reason) = reason {
                let _ = write!(text, ": {reason}");
            }
            text.push('\n');
        }
    }
    text
}

/// The conditions for other programs.
#[must_use]
pub fn conditions_json(conditions: &[Condition]) -> Value {
    let rows: Vec<Value> = conditions
        .iter()
        .map(|Condition { predicate, kind, demand, verdict, places }| {
            let places: Vec<Value> = places
                .iter()
                .map(|Place { call, verdict, reason }| {
                    let mut place = json!({ "verdict": verdict.name() });
                    if let Some((caller, (first, last))) = call {
                        place["caller"] = caller.as_str().into();
                        place["lines"] = json!([first, last]);
                    }
                    if let Some(reason) = reason {
                        place["reason"] = reason.as_str().into();
                    }
                    place
                })
                .collect();
            json!({
                "predicate": predicate, "kind": kind, "demand": demand, "verdict": verdict.name(), "places": places,
            })
        })
        .collect();
    json!({ "conditions": rows })
}
