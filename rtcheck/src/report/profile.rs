//! Where the time of checks goes: a row per predicate and property.

use crate::check::SiteCounters;
use crate::machine::{Contract, Machine};
use crate::term::{WriteOptions, Writer};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What the checks of one property of one predicate cost.
#[derive(Clone, Debug)]
pub struct Row {
    /// The predicate, as `Module:Name/Arity`.
    pub predicate: String,
    /// `calls` or `success`.
    pub when: &'static str,
    /// The property as it is written in the assertion.
    pub property: String,
    /// What its checks cost.
    pub counters: SiteCounters,
    /// The setting under which the same checks visited fewest nodes, and how many, if that was tried and is worth
    /// telling.
    pub better: Option<(String, u64)>,
}

/// What the checks of one run cost.
#[derive(Clone, Debug)]
pub struct Profile {
    /// A row for each property that was checked, the dearest first.
    pub rows: Vec<Row>,
    /// Nanoseconds that the program ran, checks included.
    pub nanoseconds: u64,
}

/// Other settings are worth telling of if they save this share of a row's visits.
const WORTH: f64 = 0.3;

impl Profile {
    /// Puts rows in order. Rows that cost the same stay in the order of the program.
    #[must_use]
    pub fn new(mut rows: Vec<Row>, nanoseconds: u64) -> Self {
        rows.retain(|row| row.counters.checks > 0);
        rows.sort_by_key(|row| std::cmp::Reverse((row.counters.nanoseconds, row.counters.visits)));
        Self { rows, nanoseconds }
    }

    /// Compares with a run of the same program under another setting.
    pub fn compare(&mut self, setting: &str, other: &Self) {
        for row in &mut self.rows {
            let same = |known: &&Row| {
                (&known.predicate, known.when, &known.property) == (&row.predicate, row.when, &row.property)
            };
            let Some(other) = other.rows.iter().find(same) else { continue };
            let visits = other.counters.visits;
            let best = row.better.as_ref().map_or(row.counters.visits, |(_, visits)| *visits);
            // A run that did not do the same checks says nothing.
            if other.counters.checks == row.counters.checks
                && visits < best
                && (visits as f64) < row.counters.visits as f64 * (1.0 - WORTH)
            {
                row.better = Some((setting.to_owned(), visits));
            }
        }
    }

    fn checking(&self) -> u64 {
        self.rows.iter().map(|row| row.counters.nanoseconds).sum()
    }

    /// The profile as a table.
    #[must_use]
    pub fn table(&self) -> String {
        let total = self.checking();
        let (checks, visits) = self.rows.iter().fold((0, 0), |(checks, visits), row| {
            (checks + row.counters.checks, visits + row.counters.visits)
        });
        let mut text = format!(
            "{checks} checks visited {visits} nodes in {}, {} of the {} that the program ran\n",
            milliseconds(total),
            percent(total, self.nanoseconds),
            milliseconds(self.nanoseconds)
        );
        if self.rows.is_empty() {
            return text;
        }
        let _ = writeln!(
            text,
            "\n{:>6} {:>12} {:>10} {:>12} {:>6} {:>6}  property",
            "share", "time", "checks", "visits", "hits", "depth"
        );
        for Row { predicate, when, property, counters, better } in &self.rows {
            let SiteCounters { checks, failures, visits, hits, deepest, nanoseconds, .. } = *counters;
            let _ = write!(
                text,
                "{:>6} {:>12} {checks:>10} {visits:>12} {:>6} {deepest:>6}  {predicate} {when}: {property}",
                percent(nanoseconds, total),
                milliseconds(nanoseconds),
                percent(hits, visits),
            );
            if failures > 0 {
                let _ = write!(text, " (did not hold {failures} times)");
            }
            text.push('\n');
            if let Some((setting, visits)) = better {
                let _ = writeln!(text, "{:>56}  with {setting}: {visits} visits", "");
            }
        }
        text
    }

    /// The profile for other programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|Row { predicate, when, property, counters, better }| {
                let mut row = site(predicate, when, property, counters);
                row["nanoseconds"] = counters.nanoseconds.into();
                if let Some((setting, visits)) = better {
                    row["better"] = json!({ "setting": setting, "visits": visits });
                }
                row
            })
            .collect();
        json!({ "checking_nanoseconds": self.checking(), "running_nanoseconds": self.nanoseconds, "rows": rows })
    }
}

/// A row for each property of each contract, in the order of the program.
#[must_use]
pub fn rows(machine: &mut Machine) -> Vec<Row> {
    let mut rows = Vec::new();
    for number in 0..machine.contracts.len() {
        let contract = machine.contracts[number].clone();
        if contract.again {
            continue;
        }
        let predicate = machine.predicate_at(contract.predicate);
        let (module, name) = (machine.atoms.text(predicate.module), machine.atoms.text(predicate.name));
        let predicate = format!("{module}:{name}/{}", predicate.arity);
        let texts = literals(machine, &contract);
        for ((when, properties), texts) in
            [("calls", &contract.before), ("success", &contract.after)].into_iter().zip(texts)
        {
            for (property, text) in properties.iter().zip(texts) {
                rows.push(Row {
                    predicate: predicate.clone(),
                    when,
                    property: text,
                    counters: machine.checker.site_counters(property.site),
                    better: None,
                });
            }
        }
    }
    rows
}

/// The properties of a contract before and after the call, as they are written.
pub(super) fn literals(machine: &mut Machine, contract: &Contract) -> [Vec<String>; 2] {
    let names = contract.assertions[0].names.clone();
    let options = WriteOptions { named_variables: true, ..WriteOptions::QUOTED };
    contract.literals.each_ref().map(|side| {
        side.iter()
            .map(|literal| {
                let (term, _) = machine.named_literal(literal, &names);
                Writer::new(&machine.store, &machine.atoms, &machine.operators, options).text(term, 999)
            })
            .collect()
    })
}

/// The counts of a property's checks, which are the same on every run.
pub(super) fn site(predicate: &str, when: &str, property: &str, counters: &SiteCounters) -> Value {
    json!({
        "predicate": predicate,
        "when": when,
        "property": property,
        "checks": counters.checks,
        "failures": counters.failures,
        "visits": counters.visits,
        "hits": counters.hits,
        "inherited": counters.inherited,
        "deepest": counters.deepest,
    })
}

fn milliseconds(nanoseconds: u64) -> String {
    format!("{:.3} ms", nanoseconds as f64 / 1e6)
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}
