//! What the verifier prints, taken apart into kinds of lines, and compared kind by kind.
//!
//! White space inside a line and empty lines do not count. Diagnostics are compared as a multiset per
//! summary, since the order in which implementations are verified is not part of the verdict; a related
//! location belongs to the diagnostic before it, and so does an execution trace.

use serde::Serialize;

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// `F.bpl(line,column): message`, with its related locations.
    Diagnostic,
    /// `Boogie program verifier finished with ...`, `N type checking errors detected in ...`.
    Summary,
    /// An execution trace, with what it is the trace of.
    Trace,
    /// Counterexample models and values of traces; they depend on the solver's version.
    Model,
    /// What a cache did, asked for by `-traceCaching`.
    Action,
    /// A program, asked for by one of the options `-print...`.
    Program,
    /// Anything else.
    Message,
}

/// What differs.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// Each difference that counts, as lines to print.
    pub(super) counting: Vec<String>,
    /// Kinds that differ and do not count.
    pub(super) apart: Vec<Kind>,
}

impl Differences {
    /// Adds what another comparison of the same test found.
    pub(super) fn add(&mut self, other: Differences) {
        self.counting.extend(other.counting);
        self.apart.extend(other.apart);
        self.apart.sort();
        self.apart.dedup();
    }
}

/// Compares two outputs of a run with the given options.
pub(super) fn compare(expected: &str, found: &str, options: &[String]) -> Differences {
    let (expected, found) = (take_apart(expected, options), take_apart(found, options));
    let mut differences = Differences::default();
    for kind in [
        Kind::Diagnostic,
        Kind::Summary,
        Kind::Message,
        Kind::Trace,
        Kind::Model,
        Kind::Action,
        Kind::Program,
    ] {
        let (expected, found) = (lines(&expected, kind), lines(&found, kind));
        if expected == found {
            continue;
        }
        match kind {
            Kind::Diagnostic | Kind::Summary | Kind::Message | Kind::Trace => {
                // Removing line by line leaves what only one side has, however often.
                let mut surplus = found.clone();
                for line in &expected {
                    match surplus.iter().position(|other| other == line) {
                        Some(at) => drop(surplus.remove(at)),
                        None => differences.counting.push(format!("expected, not found: {line}")),
                    }
                }
                differences
                    .counting
                    .extend(surplus.iter().map(|line| format!("found, not expected: {line}")));
                if differences.counting.is_empty() {
                    differences.counting.push("the same lines in another order".to_owned());
                }
            }
            Kind::Model | Kind::Action | Kind::Program => differences.apart.push(kind),
        }
    }
    differences
}

/// The lines of one kind. Diagnostics and traces are sorted within each stretch that a summary ends; whole
/// ones stay together.
fn lines(parts: &[(usize, Kind, String)], kind: Kind) -> Vec<String> {
    let mut lines: Vec<(usize, &String)> = parts
        .iter()
        .filter(|(_, other, _)| *other == kind)
        .map(|(stretch, _, line)| (*stretch, line))
        .collect();
    if matches!(kind, Kind::Diagnostic | Kind::Trace) {
        lines.sort();
    }
    lines.into_iter().map(|(_, line)| line.clone()).collect()
}

/// Takes an output apart into stretch, kind and text.
fn take_apart(text: &str, options: &[String]) -> Vec<(usize, Kind, String)> {
    let option =
        |name: &str| options.iter().any(|option| option.trim_start_matches(['-', '/']).starts_with(name));
    let (prints, traces) = (option("print") && !option("printAssignment"), option("traceCaching"));
    let mut parts: Vec<(usize, Kind, String)> = Vec::new();
    let mut stretch = 0;
    // The kind of lines that do not say themselves what they are.
    let mut inside: Option<Kind> = None;
    // Behind the trace of values nothing is indented.
    let mut augmented = false;
    for line in text.lines() {
        let indented = line.starts_with(' ');
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            continue;
        }
        let kind = match inside {
            Some(Kind::Model) => {
                if line.starts_with("*** END_MODEL") {
                    inside = None;
                }
                Kind::Model
            }
            _ if line.starts_with("*** MODEL") => {
                inside = Some(Kind::Model);
                Kind::Model
            }
            _ if is_summary(&line) => Kind::Summary,
            _ if line == "Execution trace:" || line == "Augmented execution trace:" => {
                inside = Some(Kind::Trace);
                augmented = line.starts_with("Augmented");
                if augmented { Kind::Model } else { Kind::Trace }
            }
            Some(Kind::Trace) if augmented && !is_diagnostic(&line) => Kind::Model,
            Some(Kind::Trace) if indented => Kind::Trace,
            _ if is_diagnostic(&line) => {
                inside = None;
                Kind::Diagnostic
            }
            _ if traces && (line.starts_with("Processing ") || line.starts_with(">>>")) => Kind::Action,
            _ if prints => Kind::Program,
            _ => Kind::Message,
        };
        if kind == Kind::Diagnostic
            && line.contains("): Related location")
            && let Some((_, _, before)) =
                parts.iter_mut().rev().find(|(_, kind, _)| *kind == Kind::Diagnostic)
        {
            *before = format!("{before} / {line}");
            continue;
        }
        if kind == Kind::Trace {
            let last = |wanted: Kind| parts.iter().rposition(|(_, kind, _)| *kind == wanted);
            match (last(Kind::Trace), last(Kind::Diagnostic)) {
                (Some(trace), _) if indented => parts[trace].2.push_str(&format!(" / {line}")),
                (_, Some(of)) => {
                    // Related locations count there.
                    let of = parts[of].2.split(" / ").next().unwrap_or_default();
                    parts.push((stretch, kind, format!("{of} / {line}")));
                }
                _ => parts.push((stretch, kind, line)),
            }
            continue;
        }
        parts.push((stretch, kind, line));
        stretch += usize::from(kind == Kind::Summary);
    }
    parts
}

fn is_summary(line: &str) -> bool {
    line.starts_with("Boogie program verifier finished")
        || line.contains(" errors detected in ")
        || line.contains(" error detected in ")
}

/// Whether a line begins with `FILE(line,column): `.
fn is_diagnostic(line: &str) -> bool {
    let Some((place, _)) = line.split_once("): ") else { return false };
    let Some((file, numbers)) = place.rsplit_once('(') else { return false };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !file.contains(' ')
        && numbers.split_once(',').is_some_and(|(line, column)| number(line) && number(column))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Kind, compare, take_apart};

    const OUTPUT: &str = "A.bpl(14,3): Error: a precondition for this call could not be proved\n\
        A.bpl(6,3): Related location: this is the precondition that could not be proved\n\
        Execution trace:\n    A.bpl(14,3): anon0\n\
        A.bpl(34,1): Error: this assertion could not be proved\n\
        Execution trace:\n    A.bpl(34,1): anon0\n\n\
        Boogie program verifier finished with 4 verified, 2 errors\n";

    /// How many lines of each kind an output has.
    fn kinds(text: &str, options: &[&str]) -> BTreeMap<Kind, usize> {
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let mut kinds = BTreeMap::new();
        for (_, kind, _) in take_apart(text, &options) {
            *kinds.entry(kind).or_insert(0) += 1;
        }
        kinds
    }

    #[test]
    fn lines_are_told_apart() {
        let found = kinds(OUTPUT, &[]);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [(Kind::Diagnostic, 2), (Kind::Summary, 1), (Kind::Trace, 2)]
        );
        let found = kinds(
            "Processing command (at A.bpl(1,2)) assert x;\n  >>> DoNothingToAssert\n",
            &["-traceCaching:1"],
        );
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(Kind::Action, 2)]);
        let found = kinds("procedure P();\n", &["-print:-"]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(Kind::Program, 1)]);
        let found = kinds(
            "*** MODEL\nx -> 1\n*** END_MODEL\nAssignment computed by Houdini:\n",
            &["/printAssignment"],
        );
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(Kind::Model, 3), (Kind::Message, 1)]);
    }

    #[test]
    fn traces_count_and_so_do_positions() {
        let differences = compare(OUTPUT, &OUTPUT.replace("A.bpl(34,1): anon0", "A.bpl(35,1): anon0"), &[]);
        assert_eq!(differences.counting.len(), 2, "{differences:?}");
        let valued = OUTPUT.replace("anon0\n\n", "anon0\nAugmented execution trace:\nx=1\n\n");
        let differences = compare(&valued, &valued.replace("x=1", "x=2"), &[]);
        assert!(differences.counting.is_empty());
        assert_eq!(differences.apart, [Kind::Model]);
        let differences = compare(OUTPUT, &OUTPUT.replace("A.bpl(6,3)", "A.bpl(6,4)"), &[]);
        assert_eq!(differences.counting.len(), 2, "{differences:?}");
        let differences = compare(OUTPUT, &OUTPUT.replace("4 verified", "5 verified"), &[]);
        assert_eq!(differences.counting.len(), 2);
    }

    #[test]
    fn the_order_of_diagnostics_within_a_summary_does_not_count() {
        let (one, other) = ("A.bpl(1,1): Error: x\n", "A.bpl(2,1): Error: y\n");
        let end = "Boogie program verifier finished with 0 verified, 2 errors\n";
        assert!(
            compare(&format!("{one}{other}{end}"), &format!("{other}{one}{end}"), &[]).counting.is_empty()
        );
        let expected = format!("{one}{end}{other}{end}");
        let found = format!("{other}{end}{one}{end}");
        assert!(!compare(&expected, &found, &[]).counting.is_empty());
    }

    #[test]
    fn an_empty_output_is_no_agreement() {
        assert_eq!(compare(OUTPUT, "", &[]).counting.len(), 5);
    }
}
