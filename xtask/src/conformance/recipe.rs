//! The `RUN:` lines of a test, as far as tests laid out like Boogie's use them.
//!
//! ```text
//! // RUN: %parallel-boogie OPTIONS "%s" > "%t"      the verifier, its output into a file
//! // RUN: ! %boogie OPTIONS "%s"                    the same, and it must end with an error code
//! // RUN: %diff "%s.expect" "%t"                    compare
//! // RUN: %OutputCheck --file-to-check "%t" "%s"    the checks in the comments of a file
//! // RUN: %boogie "%s" | FileCheck "%s"             the same, of another tool
//! // RUN: grep -c x "%t" || true                    tools of the system that only look at and move files
//! // UNSUPPORTED: *   // REQUIRES: x   // XFAIL: *  not run; not run; must fail
//! ```
//!
//! A line fails if its last command does, a pipe if one of its commands does; the first line that fails ends the
//! test. `%s` is the test, `%t` a file beside it, `%S` and `%T` their folder, `%%` a percent sign.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command as Program, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::checks::{self, Tool};
use super::output::{Differences, compare};
use super::shell::{self, Command, Pipe, When};
use crate::programs::Programs;
use crate::scratch::Scratch;

/// Options that both spellings of the verifier stand for.
const OPTIONS: [&str; 2] = ["-timeLimit:30", "-useBaseNameForFileName"];

/// Tools of the system that tests may use: they look at files, or move them inside of the test's folder.
const TOOLS: &[&str] = &[
    "cat", "cp", "cut", "echo", "egrep", "false", "fgrep", "grep", "head", "mkdir", "mv", "printf", "rm",
    "sed", "sort", "tail", "test", "touch", "tr", "true", "uniq", "wc",
];

/// What to do, in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Recipe {
    lines: Vec<Vec<(When, Pipe)>>,
    /// Whether the test is expected to fail.
    must_fail: bool,
}

/// Reads the recipe from a test's text, or says why it is not run.
pub(super) fn read(text: &str) -> Result<Recipe, String> {
    let after = |line: &str, mark: &str| line.split_once(mark).map(|(_, rest)| rest.trim().to_owned());
    let features = |mark: &str| -> Vec<String> {
        let all = text.lines().filter_map(|line| after(line, mark));
        all.flat_map(|it| it.split(',').map(|one| one.trim().to_owned()).collect::<Vec<_>>()).collect()
    };
    let everywhere = |mark: &str| features(mark).iter().any(|it| matches!(it.as_str(), "*" | "true"));
    if everywhere("UNSUPPORTED:") {
        return Err("the test says that it is not supported".to_owned());
    }
    if let Some(feature) = features("REQUIRES:").into_iter().find(|it| it != "true") {
        return Err(format!("requires {feature}"));
    }
    let mut lines = Vec::new();
    let mut open = String::new();
    for line in text.lines().filter_map(|line| after(line, "RUN:")) {
        // A line may go on in the next one.
        match line.strip_suffix('\\') {
            Some(part) => open.push_str(&format!("{part} ")),
            None => {
                let line = std::mem::take(&mut open) + &line;
                let pipes = shell::parse(&line).filter(|pipes| {
                    let mut commands = pipes.iter().flat_map(|(_, pipe)| &pipe.commands);
                    commands.all(|command| command.words.first().is_some_and(|word| is_known(word)))
                });
                lines.push(pipes.ok_or_else(|| format!("cannot run `{line}`"))?);
            }
        }
    }
    if !open.is_empty() {
        return Err(format!("cannot run `{open}`"));
    }
    Ok(Recipe { lines, must_fail: everywhere("XFAIL:") })
}

fn is_known(program: &str) -> bool {
    let special = [
        "%parallel-boogie",
        "%boogie",
        "%diff",
        "diff",
        "%OutputCheck",
        "OutputCheck",
        "%FileCheck",
        "FileCheck",
    ];
    special.contains(&program) || TOOLS.contains(&program)
}

/// What a command left behind.
#[derive(Default)]
struct Ended {
    output: String,
    errors: String,
    code: i32,
    /// What it found, if it compared something.
    found: Differences,
}

/// A test that is being run.
struct Run<'r> {
    programs: &'r Programs,
    scratch: &'r Scratch,
    test: &'r Path,
    folder: &'r Path,
    name: String,
    patience: Duration,
    /// The options of all runs of the verifier so far.
    options: Vec<String>,
}

impl Recipe {
    /// Runs the lines beside the test's file; returns what differs, or why it could not be found out.
    pub(super) fn run(
        &self,
        programs: &Programs,
        scratch: &Scratch,
        test: &Path,
        patience: Duration,
    ) -> Result<Differences, String> {
        let folder = test.parent().unwrap_or(test);
        let name = test.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut run = Run { programs, scratch, test, folder, name, patience, options: Vec::new() };
        let mut differences = Differences::default();
        for line in &self.lines {
            let (failed, found) = run.line(line)?;
            let Differences { counting, apart } = found;
            // What a line that does not fail has found does not count.
            differences.add(Differences { counting: if failed { counting } else { Vec::new() }, apart });
            if failed {
                break;
            }
        }
        if self.must_fail {
            let failed = !differences.counting.is_empty();
            differences.counting.clear();
            if !failed {
                differences.counting.push("the test passes, and is marked as one that fails".to_owned());
            }
        }
        Ok(differences)
    }
}

impl Run<'_> {
    /// A word with what it stands for.
    fn fill(&self, word: &str) -> String {
        let folder = self.folder.to_string_lossy();
        let test = self.test.to_string_lossy();
        let mut out = String::new();
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once('%') {
            out.push_str(before);
            let mut letters = behind.chars();
            match letters.next() {
                Some('s') => out.push_str(&test),
                Some('t') => out.push_str(&format!("{test}.tmp")),
                Some('S' | 'T') => out.push_str(&folder),
                Some('%') => out.push('%'),
                Some(other) => out.push_str(&format!("%{other}")),
                None => out.push('%'),
            }
            rest = letters.as_str();
        }
        out + rest
    }

    /// Runs a line. Whether it failed, and what was found on the way.
    fn line(&mut self, pipes: &[(When, Pipe)]) -> Result<(bool, Differences), String> {
        let mut failed = false;
        let mut all = Differences::default();
        for (when, pipe) in pipes {
            let skipped = match when {
                When::Always => false,
                When::AfterSuccess => failed,
                When::AfterFailure => !failed,
            };
            if !skipped {
                let (code, found) = self.pipe(pipe)?;
                failed = (code != 0) != pipe.negated;
                all.add(found);
                if failed && pipe.negated {
                    all.counting.push("ended with 0, where an error code was expected".to_owned());
                }
            }
        }
        Ok((failed, all))
    }

    /// Runs a pipe. Its code is that of the last command that failed.
    fn pipe(&mut self, pipe: &Pipe) -> Result<(i32, Differences), String> {
        let mut input = String::new();
        let mut code = 0;
        let mut all = Differences::default();
        for command in &pipe.commands {
            if let Some(file) = &command.input {
                input = self.content(file)?;
            }
            let ended = self.command(&command.words, &input)?;
            if ended.code != 0 {
                code = ended.code;
                if ended.found.counting.is_empty() {
                    let shown = command.words.join(" ");
                    all.counting.push(format!("`{shown}` ended with {code}\n{}", ended.errors));
                }
            }
            all.add(ended.found);
            input = self.keep(command, ended.output, &ended.errors)?;
        }
        Ok((code, all))
    }

    /// Writes what a command printed where that belongs; the rest is for the next command.
    fn keep(&self, command: &Command, mut output: String, errors: &str) -> Result<String, String> {
        if command.errors_too {
            output.push_str(errors);
        } else if let Some(file) = &command.errors {
            self.write(file, errors)?;
        }
        match &command.output {
            Some(file) => self.write(file, &output).map(|()| String::new()),
            None => Ok(output),
        }
    }

    fn write(&self, (file, add): &(String, bool), text: &str) -> Result<(), String> {
        let file = self.fill(file);
        if file == "/dev/null" {
            return Ok(());
        }
        let path = self.folder.join(&file);
        let before = if *add { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        fs::write(&path, [before.as_slice(), text.as_bytes()].concat())
            .map_err(|error| format!("{file}: {error}"))
    }

    fn content(&self, file: &str) -> Result<String, String> {
        let file = self.fill(file);
        let bytes = fs::read(self.folder.join(&file)).map_err(|error| format!("{file}: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn command(&mut self, words: &[String], input: &str) -> Result<Ended, String> {
        let Some((program, arguments)) = words.split_first() else { return Ok(Ended::default()) };
        match program.as_str() {
            "%parallel-boogie" | "%boogie" => self.verify(arguments, input),
            "%diff" | "diff" => self.compare(arguments, input),
            "%OutputCheck" | "OutputCheck" => {
                self.check(&Tool::OutputCheck, arguments, &["--file-to-check"], input)
            }
            "%FileCheck" | "FileCheck" => {
                let prefixes = arguments.iter().filter_map(|word| {
                    let (option, value) = word.trim_start_matches('-').split_once('=')?;
                    matches!(option, "check-prefix" | "check-prefixes").then_some(value)
                });
                let mut prefixes: Vec<String> =
                    prefixes.flat_map(|it| it.split(',').map(str::to_owned)).collect();
                if prefixes.is_empty() {
                    prefixes.push("CHECK".to_owned());
                }
                self.check(&Tool::FileCheck(prefixes), arguments, &["--input-file", "-input-file"], input)
            }
            tool => {
                let mut program = Program::new(tool);
                program.current_dir(self.folder).args(arguments.iter().map(|word| self.fill(word)));
                let (output, errors, code) = within(&mut program, input, self.patience)?;
                Ok(Ended { output, errors, code: code.unwrap_or(-1), found: Differences::default() })
            }
        }
    }

    fn verify(&mut self, arguments: &[String], input: &str) -> Result<Ended, String> {
        let mut program = self.programs.command("ivl", self.scratch);
        program.current_dir(self.folder).arg("boogie").args(OPTIONS);
        for word in arguments {
            // The suite passes the whole path and asks for base names.
            program.arg(if word == "%s" { self.name.clone() } else { self.fill(word) });
        }
        self.options.extend(arguments.iter().cloned());
        let (output, errors, code) = within(&mut program, input, self.patience)?;
        let Some(code) = code else { return Err(format!("the verifier was ended by a signal\n{errors}")) };
        Ok(Ended { output, errors, code, found: Differences::default() })
    }

    fn compare(&self, arguments: &[String], input: &str) -> Result<Ended, String> {
        let files: Vec<&String> =
            arguments.iter().filter(|word| *word == "-" || !word.starts_with('-')).collect();
        let [expected, found] = files.as_slice() else {
            return Err(format!("cannot compare {arguments:?}"));
        };
        let read = |file: &str| if file == "-" { Ok(input.to_owned()) } else { self.content(file) };
        let found = compare(&read(expected)?, &read(found)?, &self.options);
        Ok(Ended { code: i32::from(!found.counting.is_empty()), found, ..Ended::default() })
    }

    /// Looks for the checks of the file that is named, in the input or in the file that an option names.
    fn check(
        &self,
        tool: &Tool,
        arguments: &[String],
        option: &[&str],
        input: &str,
    ) -> Result<Ended, String> {
        let mut output = None;
        let mut test = None;
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if let Some(name) = option.iter().find_map(|option| word.strip_prefix(option)) {
                let file = match name.strip_prefix('=') {
                    Some(file) => Some(file.to_owned()),
                    None => words.next().cloned(),
                };
                output = file;
            } else if !word.starts_with('-') {
                test = Some(word);
            }
        }
        let Some(test) = test else { return Err(format!("no file with checks in {arguments:?}")) };
        let test_name =
            Path::new(&self.fill(test)).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let output = match &output {
            Some(file) => self.content(file)?,
            None => input.to_owned(),
        };
        let counting = checks::missing(tool, &self.content(test)?, &test_name, &output);
        let code = i32::from(!counting.is_empty());
        Ok(Ended { code, found: Differences { counting, apart: Vec::new() }, ..Ended::default() })
    }
}

/// Runs a program for at most so long, with some standard input; returns its standard output, its standard error and
/// its code.
fn within(
    program: &mut Program,
    input: &str,
    patience: Duration,
) -> Result<(String, String, Option<i32>), String> {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // A program that does not read all of it is none the worse.
        std::thread::spawn(move || stdin.write_all(input.as_bytes()).ok());
    }
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
    use super::{Duration, Program, Recipe, read, within};
    use crate::programs::Programs;
    use crate::scratch::Scratch;

    #[test]
    fn recipes_are_read() {
        let text = "// RUN: ! %boogie -a \"%s\" \\\n// RUN: >> \"%t\"\n// RUN: %diff \"%s.expect\" \"%t\"\n\
                    // UNSUPPORTED: batch_mode\nprocedure P();\n";
        let recipe = read(text).unwrap();
        assert_eq!((recipe.lines.len(), recipe.must_fail), (2, false));
        assert!(read(&format!("{text}// XFAIL: *\n")).unwrap().must_fail);
        assert_eq!(read("// RUN: bash \"%s\""), Err("cannot run `bash \"%s\"`".to_owned()));
        assert_eq!(read("// RUN: true | bash"), Err("cannot run `true | bash`".to_owned()));
        assert_eq!(read("// RUN: true \\"), Err("cannot run `true  `".to_owned()));
        assert_eq!(read("// REQUIRES: x\n// RUN: true"), Err("requires x".to_owned()));
        assert!(read("// UNSUPPORTED: a, *\n// RUN: true").is_err());
    }

    /// What differs when a test with this text is run.
    fn differs(text: &str) -> Vec<String> {
        let scratch = Scratch::new().unwrap();
        let test = scratch.path().join("t.bpl");
        std::fs::write(&test, text).unwrap();
        std::fs::write(scratch.path().join("t.bpl.expect"), "t.bpl(1,1): Error: x\n").unwrap();
        let recipe: Recipe = read(text).unwrap();
        let differences = recipe.run(&Programs::nowhere(), &scratch, &test, Duration::from_secs(60));
        differences.unwrap().counting
    }

    #[test]
    fn lines_end_well_or_not() {
        for text in [
            "// RUN: true\n// RUN: ! false\n// RUN: not grep nothing \"%t\"\n",
            "// RUN: false || true\n",
            "// RUN: echo 't.bpl(1,1):  Error: x' > %t\n// RUN: %diff \"%s.expect\" \"%t\"\n",
            "// RUN: cat \"%s\" > \"%t\" && grep -c R.N \"%t\" > %T/n; test -s %S/n\n",
            "// RUN: echo '  a 7' | %OutputCheck \"%s\"\n// CHECK: a \\d\n",
            "// RUN: echo 'a 100%%' > %t\n// RUN: FileCheck --input-file=%t %s\n// CHECK: a {{[0-9]+}}%\n",
            "// RUN: echo x > %t\n// RUN: echo y >> %t\n// RUN: %OutputCheck --file-to-check \"%t\" \"%s\"\n// CHECK: x\n// CHECK-NEXT: y\n",
            "// XFAIL: *\n// RUN: false\n",
            "// RUN: ! %diff \"%s.expect\" \"%s\"\n",
        ] {
            assert_eq!(differs(text), Vec::<String>::new(), "{text}");
        }
        for text in [
            "// RUN: false\n// RUN: true\n",
            "// RUN: ! true\n",
            "// RUN: false | cat\n",
            "// RUN: true && false\n",
            "// RUN: echo 't.bpl(2,1): Error: x' > %t\n// RUN: %diff \"%s.expect\" \"%t\"\n",
            "// RUN: echo b | %OutputCheck \"%s\"\n// CHECK: a\n",
            "// RUN: grep nothing %s.expect\n",
            "// XFAIL: *\n// RUN: true\n",
        ] {
            assert!(!differs(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended() {
        let mut program = Program::new("cat");
        let (reader, writer) = std::io::pipe().unwrap();
        // `cat` waits for this pipe, whose writing end stays open.
        program.arg(format!("/proc/{}/fd/{}", std::process::id(), std::os::fd::AsRawFd::as_raw_fd(&reader)));
        assert!(within(&mut program, "", Duration::from_millis(50)).is_err());
        drop(writer);
        let (stdout, _, code) = within(&mut Program::new("cat"), "x\n", Duration::from_secs(60)).unwrap();
        assert_eq!((stdout.as_str(), code), ("x\n", Some(0)));
    }
}
