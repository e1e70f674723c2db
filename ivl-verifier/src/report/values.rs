//! Values of counterexamples as text: as a programmer writes them, as Boogie prints its models, as JSON.

use std::fmt::Write;

use serde_json::json;

use crate::report::{Binding, Counterexample, PrintedValue};
use crate::smt::answer::{Model, Value};

/// How many entries of a map are shown to a reader.
const SHOWN_ENTRIES: usize = 8;

/// Variables with their values, as a programmer would write them.
#[must_use]
pub(crate) fn bindings(values: &[Binding]) -> String {
    let shown: Vec<String> =
        values.iter().map(|(name, value)| format!("{name} = {}", plain(value))).collect();
    shown.join(", ")
}

/// A name of the query without what tells instances of types apart.
fn short(name: &str) -> &str {
    let name = name.split(' ').next().unwrap_or(name);
    name.split("@@").next().unwrap_or(name)
}

/// A value as a programmer would write it.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.clone(),
        Value::Real(numerator, denominator) if denominator == "1" => format!("{numerator}.0"),
        Value::Real(numerator, denominator) => format!("{numerator}.0 / {denominator}.0"),
        Value::BitVector(number, width) => format!("{number}bv{width}"),
        Value::Text(text) => format!("{text:?}"),
        Value::Element(name) => element(name),
        Value::Construct(name, fields) => {
            let fields: Vec<String> = fields.iter().map(plain).collect();
            format!("{}({})", short(name), fields.join(", "))
        }
        Value::Map(entries, otherwise) => {
            let mut parts: Vec<String> = distinct(entries)
                .take(SHOWN_ENTRIES)
                .map(|(index, element)| format!("{} := {}", plain(index), plain(element)))
                .collect();
            if distinct(entries).nth(SHOWN_ENTRIES).is_some() {
                parts.push("...".to_owned());
            }
            if let Some(otherwise) = otherwise {
                let word = if parts.is_empty() { "all" } else { "else" };
                parts.push(format!("{word} {}", plain(otherwise)));
            }
            format!("[{}]", parts.join(", "))
        }
        Value::Other(text) => text.clone(),
    }
}

/// The entries of a map that count: the first one for each place.
fn distinct(entries: &[(Value, Value)]) -> impl Iterator<Item = &(Value, Value)> {
    let mut seen: Vec<&Value> = Vec::new();
    entries.iter().filter(move |(index, _)| {
        let new = !seen.contains(&index);
        seen.push(index);
        new
    })
}

/// `T@Ref!val!2` is the third element of `Ref`.
fn element(name: &str) -> String {
    let name = name.strip_prefix("T@").unwrap_or(name);
    match name.split_once("!val!") {
        Some((sort, number)) => format!("{sort}#{number}"),
        None => name.to_owned(),
    }
}

/// A value as JSON.
pub(crate) fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Bool(value) => json!(value),
        Value::Construct(name, fields) => {
            json!({ "constructor": short(name), "fields": fields.iter().map(json).collect::<Vec<_>>() })
        }
        Value::Map(entries, otherwise) => {
            let entries: Vec<_> = distinct(entries)
                .map(|(index, element)| json!({ "at": json(index), "value": json(element) }))
                .collect();
            json!({ "entries": entries, "else": otherwise.as_deref().map(json) })
        }
        // Numbers may be larger than other readers of JSON can hold.
        _ => json!(plain(value)),
    }
}

/// Maps by numbers, as the solver shows them: `(_ (as-array) (k!1))`, and what that is.
#[derive(Default)]
struct Tables<'v> {
    numbers: Vec<&'v Value>,
}

impl<'v> Tables<'v> {
    /// A value in Boogie's form of Z3's.
    fn text(&mut self, value: &'v Value) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(number) => signed(number),
            Value::Real(numerator, denominator) if denominator == "1" => signed(&format!("{numerator}.0")),
            Value::Real(numerator, denominator) => match numerator.strip_prefix('-') {
                Some(numerator) => format!("(- (/ {numerator}.0 {denominator}.0))"),
                None => format!("(/ {numerator}.0 {denominator}.0)"),
            },
            Value::BitVector(number, width) => format!("{number}bv{width}"),
            Value::Text(text) => format!("\"{}\"", text.replace('"', "\"\"")),
            Value::Element(name) => name.clone(),
            Value::Construct(name, fields) if fields.is_empty() => short(name).to_owned(),
            Value::Construct(name, fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.text(field)).collect();
                format!("({} {})", short(name), fields.join(" "))
            }
            Value::Map(..) => {
                let at = self.numbers.iter().position(|it| *it == value).unwrap_or_else(|| {
                    self.numbers.push(value);
                    self.numbers.len() - 1
                });
                format!("(_ (as-array) (k!{at}))")
            }
            Value::Other(text) => text.clone(),
        }
    }
}

fn signed(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(number) => format!("(- {number})"),
        None => number.to_owned(),
    }
}

/// A model with its states in Boogie's layout.
#[must_use]
pub(crate) fn boogie_model(found: &Counterexample) -> String {
    let Counterexample { initial, captured, model, .. } = found;
    let Model { constants, functions, terms: _ } = model;
    let mut tables = Tables::default();
    let mut out = String::from("*** MODEL\n");
    let mut sorted: Vec<_> = constants.iter().collect();
    sorted.sort_by_key(|(name, _)| name);
    for (name, value) in sorted {
        let _ = writeln!(out, "{name} -> {}", tables.text(value));
    }
    let table =
        |out: &mut String, name: &str, entries: Vec<(Vec<String>, String)>, otherwise: Option<String>| {
            let _ = writeln!(out, "{name} -> {{");
            for (arguments, value) in entries {
                let _ = writeln!(out, "  {} -> {value}", arguments.join(" "));
            }
            if let Some(otherwise) = otherwise {
                let _ = writeln!(out, "  else -> {otherwise}");
            }
            out.push_str("}\n");
        };
    for (name, entries, otherwise) in functions {
        let entries = entries
            .iter()
            .map(|(arguments, value)| {
                (arguments.iter().map(|it| tables.text(it)).collect(), tables.text(value))
            })
            .collect();
        let otherwise = otherwise.as_ref().map(|value| tables.text(value));
        table(&mut out, name, entries, otherwise);
    }
    let mut states = String::new();
    let first = (!initial.is_empty()).then_some(("<initial>", initial));
    let later = captured.iter().map(|(name, values)| (name.as_str(), values));
    for (name, values) in first.into_iter().chain(later) {
        let _ = writeln!(states, "*** STATE {name}");
        for (name, value) in values {
            let _ = writeln!(states, "  {name} -> {}", tables.text(value));
        }
        states.push_str("*** END_STATE\n");
    }
    // What a map holds may be maps again.
    let mut done = 0;
    while let Some(Value::Map(entries, otherwise)) = tables.numbers.get(done).copied() {
        let entries = distinct(entries)
            .map(|(index, element)| (vec![tables.text(index)], tables.text(element)))
            .collect();
        let otherwise = otherwise.as_deref().map(|value| tables.text(value));
        table(&mut out, &format!("k!{done}"), entries, otherwise);
        done += 1;
    }
    out.push_str(&states);
    out.push_str("*** END_MODEL\n");
    out
}

/// What `{:print}` prints, in Boogie's layout; nothing if nothing is printed.
#[must_use]
pub(crate) fn augmented_trace(found: &Counterexample) -> String {
    if found.printed.is_empty() {
        return String::new();
    }
    let mut out = String::from("Augmented execution trace:\n");
    for line in &found.printed {
        for piece in line {
            match piece {
                PrintedValue::Text(text) => out.push_str(text),
                // Boogie shows the terms of data as the solver writes them.
                PrintedValue::Value(Some(value)) => out.push_str(&Tables::default().text(value)),
                PrintedValue::Value(None) => out.push('?'),
            }
        }
        out.push('\n');
    }
    out
}
