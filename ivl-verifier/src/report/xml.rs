//! Results as XML, in the form of Boogie's `-xml`.
//!
//! One `method` for each implementation, with its errors and its checks. Checks are told in batches, as the solver is
//! asked about them: each piece of an implementation is one, or the whole.

use std::time::Duration;

use crate::base::source::{Sources, Span};
use crate::report::{PieceReport, Report, Verdict};
use crate::smt::answer::Outcome;

/// A text as part of an attribute.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#xA;"),
            // No other control characters exist in XML.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A moment since the beginning of 1970 as a date, by the rules of the Gregorian calendar.
fn date(moment: Duration) -> String {
    let (days, rest) = (moment.as_secs() / 86_400, moment.as_secs() % 86_400);
    // Years begin in March here, so that the day that some of them lack is their last. There are 146,097 days in 400
    // years; day 0 lies 719,468 days after the first of March of the year 0.
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month <= 2);
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    let milliseconds = moment.subsec_millis();
    format!("{year:04}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z")
}

/// The same moment as a part of a file's name.
#[must_use]
pub fn moment(since: Duration) -> String {
    date(since).replace(' ', "T").replace(':', ".")
}

fn place(sources: &Sources, span: Span) -> String {
    if span == Span::NOWHERE {
        return "file=\"\" line=\"0\" column=\"0\"".to_owned();
    }
    let position = sources.position(span);
    format!("file=\"{}\" line=\"{}\" column=\"{}\"", quoted(&position.file), position.line, position.column)
}

/// What opens the document, for a run that was called with these words.
#[must_use]
pub fn opening(version: &str, command_line: &[String]) -> String {
    let words = quoted(&command_line.join(" "));
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<boogie version=\"{version}\" commandLine=\"{words}\">\n"
    )
}

/// What closes the document.
#[must_use]
pub fn closing() -> &'static str {
    "</boogie>"
}

/// The results of a program that consists of files; it ended at a moment since the beginning of 1970. Each
/// piece is a batch. What the program has words for has no place and is an assertion's, as in Boogie, unless places are
/// wanted for all.
#[must_use]
pub fn program(
    sources: &Sources,
    files: &[String],
    (reports, own_places): (&[Report], bool),
    end: Duration,
) -> String {
    let name = files.last().map_or_else(String::new, |file| quoted(file));
    let mut out = format!("<file name=\"{name}\">\n");
    for file in files {
        out.push_str(&format!("  <fileFragment name=\"{}\" />\n", quoted(file)));
    }
    for report in reports {
        out.push_str(&method(sources, (report, own_places), end));
    }
    out.push_str("</file>\n");
    out
}

fn method(sources: &Sources, (report, own_places): (&Report, bool), end: Duration) -> String {
    let start = date(end.saturating_sub(Duration::try_from_secs_f64(report.seconds).unwrap_or_default()));
    let mut out = format!("  <method name=\"{}\" startTime=\"{start}\">\n", quoted(&report.name));
    for error in &report.errors {
        let placed = own_places || !error.own_words;
        let message = match error.words {
            "a precondition for this call could not be proved" if placed => "precondition violation",
            "a postcondition could not be proved on this return path" if placed => "postcondition violation",
            "this loop invariant could not be proved on entry" => "loop invariant entry violation",
            "this invariant could not be proved to be maintained by the loop" => {
                "loop invariant maintenance violation"
            }
            _ => "assertion violation",
        };
        let at = if placed { format!(" {}", place(sources, error.diagnostic.span)) } else { String::new() };
        out.push_str(&format!("    <error message=\"{message}\"{at}>\n"));
        for (span, _) in error.diagnostic.related.iter().filter(|_| placed) {
            out.push_str(&format!("      <related {} />\n", place(sources, *span)));
        }
        out.push_str("      <trace>\n");
        for (span, label) in &error.trace {
            let at = place(sources, *span);
            out.push_str(&format!("        <traceNode {at} label=\"{}\" />\n", quoted(label)));
        }
        out.push_str("      </trace>\n    </error>\n");
    }
    let whole = PieceReport {
        obligations: report.obligations.clone(),
        outcome: match report.verdict {
            Verdict::Decided(outcome) => outcome,
            _ => Outcome::Failed,
        },
        seconds: report.seconds,
        resource: report.resource,
    };
    let batches = if report.pieces.is_empty() { std::slice::from_ref(&whole) } else { &report.pieces };
    for (index, batch) in batches.iter().enumerate() {
        let number = index + 1;
        out.push_str(&format!(
            "    <assertionBatch number=\"{number}\" iteration=\"0\" startTime=\"{start}\">\n"
        ));
        for obligation in &batch.obligations {
            out.push_str(&format!("      <assertion {} />\n", place(sources, obligation.span)));
        }
        let outcome = match batch.outcome {
            _ if batch.obligations.iter().any(|obligation| obligation.failed) => "invalid",
            Outcome::TimeOut => "timeout",
            Outcome::OutOfMemory => "outofmemory",
            Outcome::OutOfResource => "outofresource",
            Outcome::Valid | Outcome::Refuted => "valid",
            Outcome::NotProved | Outcome::Failed => "undetermined",
        };
        out.push_str(&format!(
            "      <conclusion duration=\"{:.7}\" outcome=\"{outcome}\" resourceCount=\"{}\" />\n    </assertionBatch>\n",
            batch.seconds, batch.resource
        ));
    }
    let outcome = match &report.verdict {
        Verdict::Decided(Outcome::Valid) => "correct",
        Verdict::Decided(_) if !report.errors.is_empty() => "errors",
        Verdict::Decided(Outcome::TimeOut) => "timedout",
        Verdict::Decided(Outcome::OutOfMemory) => "outofmemory",
        Verdict::Decided(Outcome::OutOfResource) => "outofresource",
        Verdict::Decided(Outcome::Refuted | Outcome::NotProved) => "inconclusive",
        _ => "solverexception",
    };
    out.push_str(&format!(
        "    <conclusion endTime=\"{}\" duration=\"{:.7}\" resourceCount=\"{}\" outcome=\"{outcome}\" />\n  </method>\n",
        date(end),
        report.seconds,
        report.resource
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::{date, quoted};
    use std::time::Duration;

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00:00.000Z"),
            (951_782_399, "2000-02-28 23:59:59.000Z"),
            (951_782_400, "2000-02-29 00:00:00.000Z"),
            (951_868_800, "2000-03-01 00:00:00.000Z"),
            (4_107_542_400, "2100-03-01 00:00:00.000Z"),
            (1_735_689_599, "2024-12-31 23:59:59.000Z"),
        ] {
            assert_eq!(date(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a<b>&\"c\"\n\u{1}"), "a&lt;b&gt;&amp;&quot;c&quot;&#xA; ");
    }
}
