//! What the project set out to reach, and what was measured.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde_json::json;

use super::super::Size;
use super::super::report::Section;
use super::super::table::ratio;
use super::figures::{self, Measured};
use super::keystroke;
use super::peers::Against;
use super::single::{median, seconds};
use crate::error::Error;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// The session whose last snapshot is repeated until it has as many lines as the goal speaks of.
const REPEATED: &str = "3-sequences";

/// Measures, and answers each goal.
pub(super) fn add_to(
    programs: &Programs,
    size: Size,
    measured: &[Measured],
    against: Option<&Against>,
    section: &mut Section,
) -> Result<(), Error> {
    let above: Vec<&str> = measured
        .iter()
        .filter(|it| it.fine.resource > it.basic.resource)
        .map(|it| it.session.name.as_str())
        .collect();
    section.goals.add(
        "fine-grained caching at most basic, resource of each session",
        if above.is_empty() {
            "every session".to_owned()
        } else {
            format!("above basic: {}", above.join(", "))
        },
        Some(above.is_empty()),
    );
    let (attempts, succeeded) = figures::attempts(measured);
    section.goals.add(
        "replayed proofs: four of five attempts succeed",
        format!("{succeeded} of {attempts}"),
        (attempts > 0).then_some(5 * succeeded >= 4 * attempts),
    );
    if let Some(one) = measured.iter().find(|it| it.session.name == REPEATED) {
        let lines = if size == Size::Smoke { 1_000 } else { 10_000 };
        let text = one.session.snapshots.last().map_or("", |it| it.text.as_str());
        let program = repeated(text, lines);
        let unchanged = unchanged(programs, &program)?;
        let keystroke = keystroke::seconds(programs, &program)?;
        section.raw.push(json!({ "lines": lines, "unchanged": unchanged, "keystroke": keystroke }));
        let goal = format!("{lines} unchanged lines, new process: at most 50 ms");
        section.goals.add(
            goal,
            format!("{:.0} ms", unchanged * 1e3),
            (size > Size::Smoke).then_some(unchanged <= 0.05),
        );
        section.goals.add(
            format!("{lines} lines, keystroke to diagnostics: at most 100 ms"),
            format!("{:.0} ms", keystroke * 1e3),
            (size > Size::Smoke).then_some(keystroke <= 0.1),
        );
    }
    let Some(against) = against else {
        section.goals.add("goals beside boogie and dafny", "run with --peers", None);
        return Ok(());
    };
    let worst = |values: &[f64], better: fn(f64, f64) -> f64| values.iter().copied().reduce(better);
    let goal = "conformance tests: at most a third of boogie's time";
    match against.conformance {
        Some(part) => section.goals.add(goal, ratio(part), Some(part <= 1.0 / 3.0)),
        None => section.goals.add(goal, "not measured".to_owned(), None),
    }
    match worst(&against.printed, f64::max) {
        Some(part) => {
            section.goals.add(
                "printed by dafny, from scratch: at most boogie's time",
                ratio(part),
                Some(part <= 1.0),
            );
        }
        None => section.goals.add("printed by dafny, from scratch", "not measured".to_owned(), None),
    }
    match worst(&against.edits, f64::min) {
        Some(factor) => section.goals.add(
            "printed by dafny, edit of one method (median): 10 times less",
            ratio(factor),
            Some(factor >= 10.0),
        ),
        None => section.goals.add(
            "printed by dafny, after an edit of one method",
            "not measured".to_owned(),
            None,
        ),
    }
    Ok(())
}

/// Fills a cache, and measures a process that finds everything there.
fn unchanged(programs: &Programs, text: &str) -> Result<f64, Error> {
    let scratch = Scratch::new()?;
    let file = scratch.path().join("program.bpl");
    fs::write(&file, text).map_err(Error::writing(&file))?;
    seconds(programs, &scratch, &file)?;
    let runs: Result<Vec<f64>, Error> = (0..15).map(|_| seconds(programs, &scratch, &file)).collect();
    runs.map(median)
}

/// A program beside itself under other names, until it has so many lines.
fn repeated(text: &str, lines: usize) -> String {
    let names = declared(text);
    let copies = lines.div_ceil(text.lines().count().max(1));
    let mut all = String::new();
    for copy in 0..copies {
        let mut word = String::new();
        for c in text.chars().chain(['\n']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            all.push_str(&word);
            if names.contains(word.as_str()) {
                // Writing to a string cannot fail.
                write!(all, "_{copy}").ok();
            }
            word.clear();
            all.push(c);
        }
    }
    all
}

/// What the lines of a program declare, one declaration in a line.
fn declared(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '{' || c == ':'));
        let first = words.next().unwrap_or_default();
        if matches!(first, "type" | "var" | "const" | "function" | "procedure") {
            names.extend(words.find(|it| !it.is_empty() && !it.starts_with('{') && *it != "unique"));
        }
    }
    // A colon may follow the name at once.
    names.into_iter().map(|name| name.trim_end_matches(':')).collect()
}

#[cfg(test)]
mod tests {
    use super::repeated;

    #[test]
    fn copies_have_names_of_their_own() {
        let text = "var x: int;\nfunction {:inline} f(y: int): int { y + x }\nconst unique c: int;\n";
        let twice = repeated(text, 6);
        assert_eq!(twice.lines().count(), 8);
        assert!(twice.contains("function {:inline} f_0(y: int): int { y + x_0 }"), "{twice}");
        assert!(twice.contains("const unique c_1: int;"), "{twice}");
    }
}
