//! Lines that begin with `#`: which parts of a text count (`#if`, `#elsif`, `#else`, `#endif`), and where
//! the next line stands (`#line`, which [`crate::base::source`] reads).
//!
//! They are lines wherever they stand, in comments too. What does not count is blanked out and not cut out,
//! so that all other places stay where they are.

use std::borrow::Cow;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::{FileId, Span};

/// What becomes of the lines between two conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// They count.
    Counts,
    /// They do not, and a later part may.
    Waits,
    /// They do not, and no later part does.
    Over,
}

/// A text with only those parts that count. A condition is a name, with `!` in front where it must not be
/// given; `FILE_0` is given in the first file of a program, `FILE_1` in the second one, and no other is.
pub(super) fn conditional<'a>(file: FileId, text: &'a str, index: usize) -> (Cow<'a, str>, Vec<Diagnostic>) {
    let is_directive = |line: &str| line.trim_start_matches([' ', '\t']).starts_with('#');
    // Most texts have none at all, which is quickly seen.
    if !text.as_bytes().contains(&b'#') || !text.split('\n').any(is_directive) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let given = format!("FILE_{index}");
    let holds = |condition: &str| {
        let name = condition.trim_start_matches(|c: char| c == '!' || c.is_whitespace());
        let negations = condition.matches('!').count() - name.matches('!').count();
        (name == given) == negations.is_multiple_of(2)
    };
    let (mut result, mut diagnostics) = (String::with_capacity(text.len()), Vec::new());
    // The innermost conditional comes last; where it is over, everything inside is.
    let mut open: Vec<Part> = Vec::new();
    let mut report = |start: usize, message: String| {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        diagnostics.push(Diagnostic::error(Stage::Directive, Span { file, start, end: start }, message));
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let directive = line.trim();
        let part = open.last().copied().unwrap_or(Part::Counts);
        let counts = if let Some(condition) = directive.strip_prefix("#if") {
            open.push(match part {
                Part::Counts if holds(condition.trim()) => Part::Counts,
                Part::Counts => Part::Waits,
                Part::Waits | Part::Over => Part::Over,
            });
            false
        } else if let Some(otherwise) = otherwise(directive) {
            let Some(last) = open.last_mut() else {
                report(start, format!("Unrecognized pragma: #MalformedInput: misplaced {}", otherwise.0));
                break;
            };
            *last = match part {
                Part::Waits if otherwise.1.is_none_or(|condition| holds(condition.trim())) => Part::Counts,
                Part::Waits => Part::Waits,
                Part::Counts | Part::Over => Part::Over,
            };
            false
        } else if directive == "#endif" {
            if open.pop().is_none() {
                report(start, "Unrecognized pragma: #MalformedInput: misplaced #endif".to_owned());
                break;
            }
            false
        } else if part == Part::Counts && line.starts_with('#') {
            pragma(directive).into_iter().for_each(|message| report(start, message));
            false
        } else {
            part == Part::Counts
        };
        if counts {
            result.push_str(line);
        } else {
            let blank = |byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
            result.extend(line.bytes().map(blank));
        }
    }
    if at == text.len() && !open.is_empty() {
        report(at, "Unrecognized pragma: #MalformedInput: missing #endif".to_owned());
    }
    (Cow::Owned(result), diagnostics)
}

/// The word of a line that begins another part, and the condition of that part if it has one.
fn otherwise(directive: &str) -> Option<(&'static str, Option<&str>)> {
    if directive == "#else" {
        return Some(("#else", None));
    }
    directive.strip_prefix("#elsif").map(|condition| ("#elsif", Some(condition)))
}

/// What is wrong with a line that is no condition.
fn pragma(directive: &str) -> Option<String> {
    let Some(place) = directive.strip_prefix("#line").filter(|rest| rest.is_empty() || rest.starts_with(' '))
    else {
        return Some(format!("Unrecognized pragma: {directive}"));
    };
    let number = place.split_whitespace().next().unwrap_or("");
    let malformed = number.parse::<i32>().is_err();
    malformed.then(|| format!("Malformed (#line num [filename]) pragma: {directive}"))
}
