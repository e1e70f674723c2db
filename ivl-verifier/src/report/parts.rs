//! A report of a run that can be put together from its parts: what is true of each implementation, in the order of the
//! program, as JSON lines.
//!
//! Nothing enters that depends on how a result was found, on times, or on the machine. So the report of a job
//! that several machines shared, merged, is byte for byte the report of one machine. The report of a shard
//! begins with a line of its own that says which one it is; everything else is as in the whole report, but for
//! the implementations that are missing.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use cache_core::digest::Confirm;
use serde_json::{Value, json};

use super::{Snapshot, json as shown};
use crate::base::source::{FileId, Sources};

/// One of several shares of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1 on.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let shard = Self { number: number.parse().ok()?, of: of.parse().ok()? };
            (1..=shard.of).contains(&shard.number).then_some(shard)
        });
        parsed.ok_or_else(|| "expected I/N with I from 1 to N".to_owned())
    }
}

/// The report of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    text: String,
}

impl Parts {
    /// Adds a program with what this run found out about it.
    pub fn add(&mut self, title: &str, sources: &Sources, files: &[FileId], snapshot: &Snapshot) {
        let texts: Vec<&str> = files.iter().map(|file| sources.file(*file).text()).collect();
        let diagnostics: Vec<Value> =
            snapshot.diagnostics.iter().map(|it| shown::diagnostic(sources, it)).collect();
        self.line(&json!({
            "kind": "program",
            "title": title,
            "text": Confirm::of(texts.join("\0").as_bytes()).to_string(),
            "diagnostics": diagnostics,
            "implementations": snapshot.total,
        }));
        for report in &snapshot.reports {
            let mut value = shown::verdict(sources, report);
            if let Value::Object(fields) = &mut value {
                fields.insert("kind".to_owned(), json!("implementation"));
                fields.insert("index".to_owned(), json!(report.index));
            }
            self.line(&value);
        }
    }

    /// The report, of a shard where it is one, with the run's exit code.
    #[must_use]
    pub fn finish(self, shard: Option<Shard>, version: &str, code: u8) -> String {
        let mut whole = Self::default();
        if let Some(shard) = shard {
            whole.line(&json!({ "kind": "shard", "shard": shard.to_string(), "code": code }));
        }
        whole.line(&json!({ "kind": "report", "schema": 1, "tool": "ivl", "version": version }));
        whole.text + &self.text
    }

    fn line(&mut self, value: &Value) {
        self.text.push_str(&value.to_string());
        self.text.push('\n');
    }
}

/// The report of one machine, from those of shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The report.
    pub text: String,
    /// The exit code of the run on one machine.
    pub code: u8,
    /// How many implementations there are.
    pub implementations: usize,
    /// How many of them are verified.
    pub verified: usize,
}

/// A program of a report: its line, and its implementations' by their places.
type Part<'a> = (&'a str, BTreeMap<u64, &'a str>);

/// Puts the reports of all shards of a job together.
///
/// # Errors
/// Says which shard is missing or given twice, and where reports do not belong together: other versions, other
/// programs, implementations that nobody or more than one shard verified.
pub fn merge(reports: &[(String, String)]) -> Result<Merged, String> {
    let mut head: Option<&str> = None;
    let mut programs: Vec<Part<'_>> = Vec::new();
    let mut given: BTreeMap<u64, &str> = BTreeMap::new();
    let mut of = None;
    let mut code = 0;
    for (name, text) in reports {
        let mut lines = text.lines();
        let wrong = |what: &str| format!("{name}: {what}");
        let shard = parsed(name, lines.next().unwrap_or(""))?;
        if shard["kind"] != "shard" {
            return Err(wrong("is no report of a shard: `ivl verify --shard I/N --report FILE` writes such"));
        }
        let said: Shard =
            shard["shard"].as_str().unwrap_or("").parse().map_err(|error: String| wrong(&error))?;
        if *of.get_or_insert(said.of) != said.of {
            return Err(wrong(&format!("is a shard of {}, others are of {}", said.of, of.unwrap_or(0))));
        }
        if let Some(other) = given.insert(u64::from(said.number), name) {
            return Err(wrong(&format!("is shard {said}, as is {other}")));
        }
        code = code.max(shard["code"].as_u64().unwrap_or(0));
        let first = lines.next().unwrap_or("");
        if *head.get_or_insert(first) != first {
            return Err(wrong("was written by another version than others"));
        }
        let mut at = None;
        for line in lines {
            let value = parsed(name, line)?;
            if value["kind"] == "program" {
                let next = at.map_or(0, |at| at + 1);
                match programs.get(next) {
                    None if given.len() == 1 => programs.push((line, BTreeMap::new())),
                    Some((known, _)) if *known == line => {}
                    _ => {
                        return Err(wrong(&format!(
                            "is about other programs than others: {}",
                            value["title"]
                        )));
                    }
                }
                at = Some(next);
                continue;
            }
            let (Some(at), Some(index)) = (at, value["index"].as_u64()) else {
                return Err(wrong("has a line that belongs to no program"));
            };
            if programs[at].1.insert(index, line).is_some() {
                return Err(wrong(&format!(
                    "{} was verified by another shard too: give all shards the same costs",
                    value["name"]
                )));
            }
        }
        if at.map_or(0, |at| at + 1) != programs.len() {
            return Err(wrong("is about fewer programs than others"));
        }
    }
    let of = u64::from(of.ok_or("there are no reports to merge")?);
    if let Some(missing) = (1..=of).find(|number| !given.contains_key(number)) {
        return Err(format!("the report of shard {missing}/{of} is missing: run that shard again"));
    }
    let mut merged = Merged {
        text: String::new(),
        code: u8::try_from(code).unwrap_or(u8::MAX),
        implementations: 0,
        verified: 0,
    };
    let mut add = |line: &str| {
        merged.text.push_str(line);
        merged.text.push('\n');
    };
    add(head.unwrap_or(""));
    for (line, implementations) in &programs {
        let program = parsed("the reports", line)?;
        let expected = program["implementations"].as_u64().unwrap_or(0);
        if implementations.len() as u64 != expected {
            return Err(format!(
                "{} of the {expected} implementations of {} are in no report: give all shards the same costs",
                expected.saturating_sub(implementations.len() as u64),
                program["title"]
            ));
        }
        add(line);
        implementations.values().for_each(|line| add(line));
    }
    let verdicts = programs.iter().flat_map(|(_, all)| all.values());
    for line in verdicts {
        merged.implementations += 1;
        merged.verified += usize::from(parsed("the reports", line)?["verdict"] == "valid");
    }
    Ok(merged)
}

fn parsed(name: &str, line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map_err(|_| format!("{name}: is no report of a shard, or is cut off"))
}
