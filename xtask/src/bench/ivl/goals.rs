//! What the project set out to reach, and what was measured.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::super::Size;
use super::super::measure::children_seconds;
use super::super::table::{Table, ratio};
use super::figures::Measured;
use super::peers::Against;
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// The session whose last snapshot is repeated until it has as many lines as the goal speaks of.
const REPEATED: &str = "3-sequences";

/// Processor seconds of a run of `ivl verify` with a cache folder.
fn seconds(programs: &Programs, scratch: &Scratch, file: &Path) -> Result<f64, Error> {
    let mut command = programs.command("ivl", scratch);
    command.args(["verify", "--cores", "1", "--rlimit", "20000000", "--json"]).arg(file);
    let start = children_seconds();
    process::output(&mut command)?;
    Ok(children_seconds() - start)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Measures, and answers each goal.
pub(super) fn table(
    programs: &Programs,
    size: Size,
    measured: &[Measured],
    against: Option<&Against>,
    raw: &mut Vec<Value>,
) -> Result<Table, Error> {
    let mut table = Table::new(
        "ivl: goals",
        "What was set out to be reached, and what this run measured; processor time depends on what else the machine \
         does.",
        &["goal", "measured", "met"],
    );
    let mut add = |goal: &str, measured: String, met: Option<bool>| {
        let met = met.map_or("-", |met| if met { "yes" } else { "no" });
        table.rows.push(vec![goal.to_owned(), measured, met.to_owned()]);
    };
    let above: Vec<&str> = measured
        .iter()
        .filter(|it| it.fine.resource > it.basic.resource)
        .map(|it| it.session.name.as_str())
        .collect();
    add(
        "fine-grained at most basic, in resource, summed over each session",
        if above.is_empty() {
            "every session".to_owned()
        } else {
            format!("above basic: {}", above.join(", "))
        },
        Some(above.is_empty()),
    );
    if let Some(one) = measured.iter().find(|it| it.session.name == REPEATED) {
        let lines = if size == Size::Smoke { 1_000 } else { 10_000 };
        let text = one.session.snapshots.last().map_or("", |it| it.text.as_str());
        let unchanged = unchanged(programs, &repeated(text, lines))?;
        raw.push(json!({ "lines": lines, "unchanged": unchanged }));
        let goal = format!("{lines} lines of which nothing changed, new process, filled cache: 50 ms");
        add(&goal, format!("{:.0} ms", unchanged * 1e3), (size > Size::Smoke).then_some(unchanged <= 0.05));
    }
    let Some(against) = against else {
        add("goals beside boogie and dafny", "run with --peers where they are installed".to_owned(), None);
        return Ok(table);
    };
    let worst = |values: &[f64], better: fn(f64, f64) -> f64| values.iter().copied().reduce(better);
    let goal = "a third of boogie's processor time over the conformance tests that both answer";
    match against.conformance {
        Some(part) => add(goal, ratio(part), Some(part <= 1.0 / 3.0)),
        None => add(goal, "not measured".to_owned(), None),
    }
    match worst(&against.printed, f64::max) {
        Some(part) => {
            add("printed by dafny, from scratch: not slower than boogie", ratio(part), Some(part <= 1.0));
        }
        None => add("printed by dafny, from scratch", "not measured".to_owned(), None),
    }
    match worst(&against.edits, f64::min) {
        Some(factor) => add(
            "printed by dafny, after an edit of one method (median): 10 times less than from scratch",
            ratio(factor),
            Some(factor >= 10.0),
        ),
        None => add("printed by dafny, after an edit of one method", "not measured".to_owned(), None),
    }
    Ok(table)
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

/// A program as dafny prints it.
pub(super) struct Printed<'t> {
    pub(super) text: &'t str,
}

/// How many methods of a printed program are edited in a quick run.
const SMOKE_METHODS: usize = 4;

/// What edits of single methods take.
pub(super) struct Edits {
    pub(super) methods: usize,
    /// How much less a run after an edit takes than one from scratch.
    pub(super) median: f64,
}

/// Verifies a program, and then each of the programs in which one implementation begins with another statement.
pub(super) fn one_method_edits(
    programs: &Programs,
    printed: &Printed<'_>,
    size: Size,
) -> Result<Edits, Error> {
    let mut variants = variants(printed.text);
    let methods = variants.len();
    if size == Size::Smoke {
        // The first ones are the smallest, so a few from everywhere.
        variants = variants.into_iter().step_by(methods.div_ceil(SMOKE_METHODS).max(1)).collect();
    }
    let scratch = Scratch::new()?;
    let file = scratch.path().join("program.bpl");
    let run = |text: &str| {
        fs::write(&file, text).map_err(Error::writing(&file))?;
        seconds(programs, &scratch, &file)
    };
    let cold = run(printed.text)?;
    let warm: Result<Vec<f64>, Error> = variants.iter().map(|text| run(text)).collect();
    Ok(Edits { methods, median: cold / median(warm?) })
}

/// The program once for each implementation, which begins with one more assertion there: behind its first label,
/// or behind its variables.
fn variants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut variants = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        if !line.starts_with("implementation") {
            continue;
        }
        let body = lines.iter().skip(start).position(|line| line.starts_with('{')).map(|at| start + at + 1);
        let Some(mut at) = body else { continue };
        // The condition of a variable may stand on a line of its own.
        let mut open = false;
        while let Some(line) = lines.get(at) {
            open |= line.trim_start().starts_with("var ");
            if !open && !line.trim().is_empty() {
                break;
            }
            open &= !line.trim_end().ends_with(';');
            at += 1;
        }
        let is_label = lines.get(at).is_some_and(|line| line.trim_end().ends_with(':'));
        let (before, after) = lines.split_at(at + usize::from(is_label));
        variants.push(format!("{}\n    assert 1 < 2;\n{}\n", before.join("\n"), after.join("\n")));
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::{repeated, variants};

    #[test]
    fn copies_have_names_of_their_own() {
        let text = "var x: int;\nfunction {:inline} f(y: int): int { y + x }\nconst unique c: int;\n";
        let twice = repeated(text, 6);
        assert_eq!(twice.lines().count(), 8);
        assert!(twice.contains("function {:inline} f_0(y: int): int { y + x_0 }"), "{twice}");
        assert!(twice.contains("const unique c_1: int;"), "{twice}");
    }

    #[test]
    fn each_implementation_is_edited_once() {
        let text = "implementation A()\n{\n  var x: int\n     where x > 0;\n\n  anon0:\n    x := 1;\n    return;\n}\nimplementation B()\n{\n  assert true;\n}\n";
        let found = variants(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("anon0:\n    assert 1 < 2;\n    x := 1;"), "{}", found[0]);
        assert!(found[1].contains("{\n    assert 1 < 2;\n  assert true;"), "{}", found[1]);
    }
}
