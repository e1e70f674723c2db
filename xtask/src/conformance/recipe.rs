//! The `RUN:` lines of a test, as far as Boogie's tests use them.
//!
//! ```text
//! // RUN: %parallel-boogie OPTIONS "%s" > "%t"      the verifier, its output into a file
//! // RUN: ! %boogie OPTIONS "%s"                    the same, and it must end with an error code
//! // RUN: %diff "%s.expect" "%t"                    compare
//! // RUN: %OutputCheck --file-to-check "%t" "%s"    find the lines of `// CHECK-L:` in a file, in order
//! ```

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::output::{Differences, compare};
use crate::programs::Programs;
use crate::scratch::Scratch;

/// Options that both spellings of the verifier stand for.
const OPTIONS: [&str; 2] = ["-timeLimit:30", "-useBaseNameForFileName"];

/// What to do, in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Recipe {
    steps: Vec<Step>,
    /// The texts of `// CHECK-L:` lines.
    checks: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Verify {
        arguments: Vec<String>,
        /// The file that takes the output, and whether it is added to.
        into: Option<(String, bool)>,
        must_fail: bool,
    },
    Compare {
        expected: String,
        found: String,
    },
    Find {
        within: String,
    },
}

/// Reads the recipe from a test's text, or returns the line that is none of the known ones.
pub(super) fn read(text: &str) -> Result<Recipe, String> {
    let after = |line: &str, mark: &str| line.split_once(mark).map(|(_, rest)| rest.trim().to_owned());
    let checks = text.lines().filter_map(|line| after(line, "CHECK-L:")).collect();
    let lines = text.lines().filter_map(|line| after(line, "RUN:"));
    let steps: Result<Vec<Step>, String> = lines.map(|line| step(&line).ok_or(line)).collect();
    Ok(Recipe { steps: steps?, checks })
}

fn step(line: &str) -> Option<Step> {
    let mut words = words(line);
    let must_fail = words.first().is_some_and(|word| word == "!");
    if must_fail {
        words.remove(0);
    }
    let (program, rest) = words.split_first()?;
    match (program.as_str(), rest) {
        ("%parallel-boogie" | "%boogie", rest) => {
            let mut arguments = rest.to_vec();
            let mut into = None;
            if let Some(at) = arguments.iter().position(|word| word == ">" || word == ">>") {
                let [mark, file] = arguments.split_off(at).try_into().ok()?;
                into = Some((file, mark == ">>"));
            }
            Some(Step::Verify { arguments, into, must_fail })
        }
        ("%diff", [expected, found]) => {
            Some(Step::Compare { expected: expected.clone(), found: found.clone() })
        }
        ("%OutputCheck", [option, within, _]) if option == "--file-to-check" => {
            Some(Step::Find { within: within.clone() })
        }
        _ => None,
    }
}

/// Words of a command line; double quotes group, anywhere in a word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

impl Recipe {
    /// Runs the steps beside the test's file; returns what differs, or why it could not be found out.
    pub(super) fn run(
        &self,
        programs: &Programs,
        scratch: &Scratch,
        test: &Path,
        patience: Duration,
    ) -> Result<Differences, String> {
        let folder = test.parent().unwrap_or(test);
        let name = test.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let output = format!("{}.tmp", test.to_string_lossy());
        let fill = |word: &str| word.replace("%s", &test.to_string_lossy()).replace("%t", &output);
        let mut differences = Differences::default();
        let mut options: Vec<String> = Vec::new();
        for step in &self.steps {
            match step {
                Step::Verify { arguments, into, must_fail } => {
                    let mut command = programs.command("ivl", scratch);
                    command.current_dir(folder).arg("boogie").args(OPTIONS);
                    for word in arguments {
                        // The suite passes the whole path and asks for base names.
                        command.arg(if word == "%s" { name.clone() } else { fill(word) });
                    }
                    options.extend(arguments.iter().cloned());
                    let (stdout, stderr, code) = within(&mut command, patience)?;
                    if code.is_none() {
                        return Err(format!("the verifier was ended by a signal\n{stderr}"));
                    }
                    if *must_fail && code == Some(0) {
                        differences
                            .counting
                            .push("ended with 0, where an error code was expected".to_owned());
                    }
                    // A verifier that gave up says so on standard error, which the suite does not look at.
                    if code.is_some_and(|code| code > 1) && stdout.is_empty() {
                        differences.counting.push(stderr);
                    }
                    if let Some((file, add)) = into {
                        let file = fill(file);
                        let before = if *add { fs::read(&file).unwrap_or_default() } else { Vec::new() };
                        let all = [before, stdout.into_bytes()].concat();
                        fs::write(&file, all).map_err(|error| format!("{file}: {error}"))?;
                    }
                }
                Step::Compare { expected, found } => {
                    let read = |file: &str| {
                        let file = fill(file);
                        fs::read(&file)
                            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                            .map_err(|error| format!("{file}: {error}"))
                    };
                    differences.add(compare(&read(expected)?, &read(found)?, &options));
                }
                Step::Find { within } => {
                    let file = fill(within);
                    let text = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
                    let mut rest = text.lines();
                    for check in &self.checks {
                        if !rest.any(|line| line.contains(check)) {
                            differences.counting.push(format!("not found, or not in this order: {check}"));
                        }
                    }
                }
            }
        }
        Ok(differences)
    }
}

/// Runs a command for at most so long; returns its standard output, its standard error and its code.
fn within(command: &mut Command, patience: Duration) -> Result<(String, String, Option<i32>), String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::channel();
    let read = |stream: Option<Box<dyn Read + Send>>, first: bool| {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                stream.read_to_end(&mut bytes).ok();
            }
            sender.send((first, String::from_utf8_lossy(&bytes).into_owned())).ok();
        });
    };
    read(child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>), true);
    read(child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>), false);
    let mut texts = [String::new(), String::new()];
    for _ in 0..2 {
        match receiver.recv_timeout(patience) {
            Ok((first, text)) => texts[usize::from(!first)] = text,
            Err(_) => {
                end(&mut child);
                return Err(format!("no answer within {} seconds", patience.as_secs()));
            }
        }
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    let [stdout, stderr] = texts;
    Ok((stdout, stderr, status.code()))
}

/// Ends a child; that it may have ended by itself in between is no error.
fn end(child: &mut Child) {
    child.kill().ok();
    child.wait().ok();
}

#[cfg(test)]
mod tests {
    use super::{Command, Duration, Recipe, Step, read, within};

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn run_lines_are_read() {
        let text = "// RUN: ! %boogie -a \"-p:O:x=2\" -b:\"%t\"c \"%s\" >> \"%t\"\n\
                    // RUN: %diff \"%s.expect\" \"%t\"\n\
                    // RUN: %OutputCheck --file-to-check \"%t.smt2\" \"%s\"\n\
                    // CHECK-L: (set-option :rlimit 800000)\nprocedure P();\n";
        let steps = vec![
            Step::Verify {
                arguments: strings(&["-a", "-p:O:x=2", "-b:%tc", "%s"]),
                into: Some(("%t".to_owned(), true)),
                must_fail: true,
            },
            Step::Compare { expected: "%s.expect".to_owned(), found: "%t".to_owned() },
            Step::Find { within: "%t.smt2".to_owned() },
        ];
        assert_eq!(read(text), Ok(Recipe { steps, checks: strings(&["(set-option :rlimit 800000)"]) }));
    }

    #[test]
    fn an_unknown_line_is_named() {
        assert_eq!(read("// RUN: cp \"%s\" \"%t\""), Err("cp \"%s\" \"%t\"".to_owned()));
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended() {
        let mut command = Command::new("cat");
        let (reader, writer) = std::io::pipe().unwrap();
        // `cat` waits for this pipe, whose writing end stays open.
        command.arg(format!("/proc/{}/fd/{}", std::process::id(), std::os::fd::AsRawFd::as_raw_fd(&reader)));
        assert!(within(&mut command, Duration::from_millis(50)).is_err());
        drop(writer);
        let (stdout, _, code) = within(Command::new("echo").arg("x"), Duration::from_secs(60)).unwrap();
        assert_eq!((stdout.as_str(), code), ("x\n", Some(0)));
    }
}
