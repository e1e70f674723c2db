//! Checks that stand in the comments of a test: those of `OutputCheck` and of `FileCheck`.
//!
//! Each names something that the output must have, behind what the check before it found; `-NEXT` on the very next
//! line, `-SAME` on the same line, `-DAG` anywhere behind, in any order among those that stand together; `-NOT`
//! something that must not come in between. `OutputCheck` looks for regular expressions, or for texts with `-L`,
//! `FileCheck` for texts in which `{{...}}` is a regular expression, white space of any length is alike, and
//! `[[NAME:...]]` remembers what `[[NAME]]` stands for later.

use regex_lite::{Captures, Regex, escape};
use std::collections::BTreeMap;

/// Whose checks they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tool {
    OutputCheck,
    /// With the prefixes of its checks.
    FileCheck(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Next,
    Same,
    Not,
    Any,
    Empty,
    Count(usize),
}

struct Check {
    form: Form,
    pattern: String,
    /// Whether it is the text itself.
    literal: bool,
    line: usize,
}

/// What of the checks in a test's text an output does not meet; `name` is the name of the test's file.
pub(super) fn missing(tool: &Tool, test: &str, name: &str, output: &str) -> Vec<String> {
    let checks = read(tool, test);
    if checks.is_empty() {
        return vec!["the test has no checks".to_owned()];
    }
    let lines: Vec<&str> = output.lines().collect();
    let mut search = Search { tool, name, lines: &lines, variables: BTreeMap::new() };
    match search.run(&checks) {
        Ok(()) => Vec::new(),
        Err(detail) => vec![detail],
    }
}

/// The checks of a text, in their order.
fn read(tool: &Tool, test: &str) -> Vec<Check> {
    let mut checks = Vec::new();
    for (index, line) in test.lines().enumerate() {
        let found = match tool {
            Tool::OutputCheck => line.trim_start().strip_prefix("//").map(str::trim_start).and_then(|rest| {
                let rest = rest.strip_prefix("CHECK")?;
                let (form, pattern) = rest.split_once(':')?;
                Some((form, pattern))
            }),
            Tool::FileCheck(prefixes) => prefixes.iter().find_map(|prefix| {
                let at = line.find(prefix.as_str())?;
                let before = line[..at].chars().next_back();
                let (form, pattern) = line[at + prefix.len()..].split_once(':')?;
                let whole = before.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
                whole.then_some((form, pattern))
            }),
        };
        let Some((form, pattern)) = found else { continue };
        let (form, literal) = match (tool, form) {
            (Tool::OutputCheck, "-L") => ("", true),
            (Tool::OutputCheck, "-NEXT-L") => ("-NEXT", true),
            (Tool::OutputCheck, "-NOT-L") => ("-NOT", true),
            (_, form) => (form, false),
        };
        let form = match (tool, form) {
            (_, "") => Form::Plain,
            (_, "-NEXT") => Form::Next,
            (_, "-NOT") => Form::Not,
            (Tool::FileCheck(_), "-LABEL") => Form::Plain,
            (Tool::FileCheck(_), "-SAME") => Form::Same,
            (Tool::FileCheck(_), "-DAG") => Form::Any,
            (Tool::FileCheck(_), "-EMPTY") => Form::Empty,
            (Tool::FileCheck(_), form) => match form.strip_prefix("-COUNT-").map(str::parse) {
                Some(Ok(count)) => Form::Count(count),
                _ => continue,
            },
            _ => continue,
        };
        checks.push(Check { form, pattern: pattern.trim().to_owned(), literal, line: index + 1 });
    }
    checks
}

struct Search<'t> {
    tool: &'t Tool,
    name: &'t str,
    lines: &'t [&'t str],
    /// What `[[NAME]]` stands for.
    variables: BTreeMap<String, String>,
}

/// A place behind a match: a line, and where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: usize,
    column: usize,
}

impl Search<'_> {
    fn run(&mut self, checks: &[Check]) -> Result<(), String> {
        let mut place = Place { line: 0, column: 0 };
        let mut found_any = false;
        let mut forbidden: Vec<&Check> = Vec::new();
        let mut index = 0;
        while let Some(check) = checks.get(index) {
            index += 1;
            let fail = |what: &str| Err(format!("line {}: {what}: {}", check.line, check.pattern));
            let before = place;
            let found = match check.form {
                Form::Not => {
                    forbidden.push(check);
                    continue;
                }
                Form::Plain => self.find(check, place)?,
                Form::Count(count) => {
                    let mut last = None;
                    for _ in 0..count {
                        last = self.find(check, place)?;
                        let Some((_, end)) = last else { break };
                        place = end;
                    }
                    last
                }
                Form::Same => self.find(check, place)?.filter(|(start, _)| start.line == before.line),
                Form::Next | Form::Empty => {
                    let next = if found_any { self.next_line(place) } else { 0 };
                    match (check.form, self.lines.get(next)) {
                        (Form::Empty, Some(line)) => line.trim().is_empty().then_some({
                            let at = Place { line: next, column: line.len() };
                            (at, at)
                        }),
                        _ => self
                            .find(check, Place { line: next, column: 0 })?
                            .filter(|(start, _)| start.line == next),
                    }
                }
                Form::Any => {
                    // All that stand together begin behind the same place.
                    let mut end = place;
                    let mut first = None;
                    let mut together = Some(check);
                    while let Some(one) = together {
                        let Some((at, behind)) = self.find(one, place)? else {
                            return Err(format!("line {}: not found: {}", one.line, one.pattern));
                        };
                        first = Some(first.map_or(at, |it: Place| it.min(at)));
                        end = end.max(behind);
                        together = checks.get(index).filter(|next| next.form == Form::Any);
                        index += usize::from(together.is_some());
                    }
                    first.map(|first| (first, end))
                }
            };
            let Some((start, end)) = found else { return fail("not found behind what comes before it") };
            self.absent(&forbidden, before, start)?;
            forbidden.clear();
            found_any = true;
            place = match self.tool {
                // One line, one check.
                Tool::OutputCheck => Place { line: end.line + 1, column: 0 },
                Tool::FileCheck(_) => end,
            };
        }
        let end = Place { line: self.lines.len(), column: 0 };
        self.absent(&forbidden, place, end)
    }

    /// The line behind a place.
    fn next_line(&self, place: Place) -> usize {
        match self.tool {
            Tool::OutputCheck => place.line,
            Tool::FileCheck(_) => place.line + 1,
        }
    }

    /// Fails if one of these is found between two places.
    fn absent(&mut self, forbidden: &[&Check], from: Place, to: Place) -> Result<(), String> {
        for check in forbidden {
            if self.find(check, from)?.is_some_and(|(start, _)| start < to) {
                return Err(format!("line {}: found, and must not be: {}", check.line, check.pattern));
            }
        }
        Ok(())
    }

    /// The first match behind a place: where it begins and ends.
    fn find(&mut self, check: &Check, from: Place) -> Result<Option<(Place, Place)>, String> {
        let (pattern, names) = self.pattern(check)?;
        for (line, text) in self.lines.iter().enumerate().skip(from.line) {
            let skipped = if line == from.line { from.column.min(text.len()) } else { 0 };
            let Some(captures) = pattern.captures_at(text, skipped) else { continue };
            for (index, name) in names.iter().enumerate() {
                if let Some(value) = captures.name(&format!("v{index}")) {
                    self.variables.insert(name.clone(), value.as_str().to_owned());
                }
            }
            let Some(whole) = captures.get(0) else { continue };
            let at = |column| Place { line, column };
            return Ok(Some((at(whole.start()), at(whole.end()))));
        }
        Ok(None)
    }

    /// The regular expression of a check, and the names that it gives to parts.
    fn pattern(&self, check: &Check) -> Result<(Regex, Vec<String>), String> {
        let mut names = Vec::new();
        let text = match self.tool {
            Tool::OutputCheck => {
                let text = self.places(&check.pattern, check)?;
                if check.literal { escape(&text) } else { portable(&text) }
            }
            Tool::FileCheck(_) => self.mixed(&check.pattern, &mut names),
        };
        let wrong = |error: regex_lite::Error| format!("line {}: {error}: {}", check.line, check.pattern);
        Ok((Regex::new(&text).map_err(wrong)?, names))
    }

    /// `${LINE:+1}` and `${CHECKFILE_NAME}`, as `OutputCheck` knows them.
    fn places(&self, pattern: &str, check: &Check) -> Result<String, String> {
        let text = pattern.replace("${CHECKFILE_NAME}", self.name);
        let line = Regex::new(r"\$\{LINE(?::([+-]\d+))?\}").map_err(|error| error.to_string())?;
        let number = |captures: &Captures<'_>| {
            let offset = captures.get(1).and_then(|it| it.as_str().parse::<i64>().ok()).unwrap_or(0);
            (i64::try_from(check.line).unwrap_or(i64::MAX).saturating_add(offset)).to_string()
        };
        Ok(line.replace_all(&text, number).into_owned())
    }

    /// A pattern of `FileCheck`.
    fn mixed(&self, pattern: &str, names: &mut Vec<String>) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while !rest.is_empty() {
            if let Some((inner, behind)) = rest.strip_prefix("{{").and_then(|it| it.split_once("}}")) {
                out.push_str(&format!("(?:{})", portable(inner)));
                rest = behind;
            } else if let Some((inner, behind)) = rest.strip_prefix("[[").and_then(|it| it.split_once("]]")) {
                match inner.split_once(':') {
                    Some((name, inner)) => {
                        out.push_str(&format!("(?P<v{}>{})", names.len(), portable(inner)));
                        names.push(name.to_owned());
                    }
                    None => out.push_str(&escape(self.variables.get(inner).map_or("", String::as_str))),
                }
                rest = behind;
            } else if rest.starts_with(char::is_whitespace) {
                out.push_str("[ \\t]+");
                rest = rest.trim_start();
            } else {
                let end = rest.char_indices().skip(1).find(|(at, c)| {
                    c.is_whitespace() || rest[*at..].starts_with("{{") || rest[*at..].starts_with("[[")
                });
                let (text, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
                out.push_str(&escape(text));
                rest = behind;
            }
        }
        out
    }
}

/// A regular expression of Python's or of LLVM's: there `\<` is a bracket.
fn portable(pattern: &str) -> String {
    pattern.replace("\\<", "<").replace("\\>", ">").replace("\\Z", "$")
}

#[cfg(test)]
mod tests {
    use super::{Tool, missing};

    const OUTPUT: &str = "start\n  [0.1 s] a(3)\nb <x>\n\nend 3\n";

    fn meets(tool: &Tool, checks: &str) -> bool {
        missing(tool, checks, "t.bpl", OUTPUT).is_empty()
    }

    #[test]
    fn output_is_checked_line_by_line() {
        let meets = |checks: &str| meets(&Tool::OutputCheck, checks);
        for checks in [
            "// CHECK: start\n// CHECK-NEXT: \\[.* s\\] a\\(3\\)\n// CHECK-L: b <x>\n",
            "// CHECK-L: a(3)\n// CHECK-NOT: start\n// CHECK: ^end \\d$",
            "//CHECK: \\<x\\>\n// CHECK-NOT-L: a(3)\n",
            "// CHECK-NEXT: start\n",
            "\n\n// CHECK-L: end ${LINE}\n",
            "// CHECK-L: end ${LINE:+2}\n",
        ] {
            assert!(meets(checks), "{checks}");
        }
        for checks in [
            "// CHECK: end\n// CHECK: start\n",
            "// CHECK: start\n// CHECK-NEXT: b\n",
            "// CHECK: start\n// CHECK-NOT: b <\n// CHECK: end\n",
            "// CHECK-NOT: end\n",
            "// CHECK: a\\(4\\)\n",
            "// CHECK-L: a.3.\n",
            "// CHECK: start\n// CHECK: start\n",
            "nothing to check\n",
            "// CHECK: (\n",
        ] {
            assert!(!meets(checks), "{checks}");
        }
    }

    #[test]
    fn files_are_checked_text_by_text() {
        let tool = Tool::FileCheck(vec!["CHECK".to_owned()]);
        let meets = |checks: &str| meets(&tool, checks);
        for checks in [
            "// CHECK: start\n// CHECK-NEXT: [0.1   s]\n// CHECK-SAME: a([[N:[0-9]+]])\n// CHECK: end [[N]]\n",
            "// CHECK-DAG: end\n// CHECK-DAG: start\n",
            "# CHECK: b {{<.>}}\n# CHECK-EMPTY:\n# CHECK-NEXT: end\n",
            "// CHECK-COUNT-3: {{[se]}}\n",
            "// CHECK-LABEL: start\n// CHECK-NOT: c\n// CHECK: b\n",
        ] {
            assert!(meets(checks), "{checks}");
        }
        for checks in [
            "// CHECK: start\n// CHECK-SAME: a(\n",
            "// CHECK: [[N:x]]\n// CHECK: end [[N]]\n",
            "// CHECK-DAG: end\n// CHECK-DAG: begin\n",
            "// CHECK: start\n// CHECK-EMPTY:\n",
            "// CHECK-COUNT-9: s\n",
            "// MYCHECK: start\n",
        ] {
            assert!(!meets(checks), "{checks}");
        }
        let other = Tool::FileCheck(vec!["ERR".to_owned()]);
        assert!(missing(&other, "// CHECK: nowhere\n// ERR: end\n", "t", OUTPUT).is_empty());
    }
}
