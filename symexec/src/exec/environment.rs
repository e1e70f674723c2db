//! What a program is started with where not all of it is known: KLEE's options among its arguments.
//!
//! `--sym-arg N` is an unknown argument of at most N characters, `--sym-args MIN MAX N` between MIN and MAX of
//! them, `--sym-files N SIZE` makes N unknown files named A, B, ... and the same for standard input,
//! `--sym-stdin SIZE` for standard input alone. A template says which bytes of an input are known: all but its
//! question marks; `--sym-stdin-from FILE` and `--sym-file-from NAME FILE` take a whole file as one.
//! `--real-file PATH` puts a file of the machine where it is there, all of it known, and `--sym-env NAME N` is
//! a variable of the environment with at most N unknown characters. `--max-fail N` (`--fd-fail` for one) lets
//! up to N calls of the system fail on a path. `--follow-fork WHICH` says which processes are followed where the
//! program makes one. With `--sym-stdout` what is written to standard output is not
//! shown. With `--sym-metadata` the kind, permissions, owner and times of unknown files and of the standard
//! streams are unknown as well. Each option may have one dash or two.
//!
//! [`Environment::parse`] reads them; the runtime's `start.c` makes what they ask for while the program
//! runs, so that an unknown number of arguments forks; [`Environment::replay`] turns a test back into
//! arguments and files.

mod follow;
mod inputs;
mod replay;

use std::path::Path;

use reprise_tools::names::UnknownName;

pub use follow::Follow;
pub use inputs::{FAILURES, METADATA_INPUT, OUTPUT_INPUT, OUTPUT_SIZE, PROCESS_INPUTS, variable_input};
pub use replay::Replayed;

/// The most arguments, and files, that may be asked for.
const MOST: u32 = 1024;

/// The largest unknown argument or file.
const LARGEST: u64 = 1 << 24;

/// What a program is started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// In order; the program's name is not among them.
    pub entries: Vec<Entry>,
    /// What was asked for and has no effect.
    pub warnings: Vec<String>,
}

/// One thing that a program is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A known argument.
    Argument(String),
    /// Unknown arguments.
    Unknown {
        /// How many at least.
        least: u32,
        /// And at most.
        most: u32,
        /// The most characters in each.
        length: u64,
    },
    /// A file.
    File(InputFile),
    /// A variable of the environment whose value is unknown.
    Variable {
        /// What it is called.
        name: String,
        /// The most characters in its value.
        length: u64,
    },
    /// What files are besides their content is unknown.
    Metadata,
    /// Standard output goes to a file of its own, as in KLEE: it is not shown, and tests have the file.
    Output,
    /// Calls of the system that fail.
    Failures {
        /// How many on a path at most.
        most: u32,
    },
    /// Processes that the program makes.
    Processes(Follow),
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its name; absent for standard input.
    pub name: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// Its bytes, question marks where they are unknown; `None` if all are.
    pub shape: Option<Vec<u8>>,
    /// Whether the program's arguments name the file that the shape was read from, so that a replay can
    /// read it again. Otherwise tests have all bytes.
    pub named_shape: bool,
    /// Whether it is a file of the machine, so that a question mark is one.
    pub real: bool,
}

impl InputFile {
    /// The name of its content in tests, as in KLEE.
    #[must_use]
    pub fn input_name(&self) -> String {
        self.name.as_ref().map_or_else(|| "stdin".to_owned(), |name| format!("{name}_data"))
    }

    /// Whether tests need not have its bytes: none is unknown, and a replay finds them.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.size == 0
            || self.real
            || self.named_shape && self.shape.as_ref().is_some_and(|shape| !shape.contains(&b'?'))
    }
}

/// Why an option among the program's arguments cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvironmentError {
    /// Values are missing.
    #[error("{option} expects {expected}")]
    Missing {
        /// The option as it was written.
        option: String,
        /// What should follow it.
        expected: &'static str,
    },
    /// A value is no number, or too large.
    #[error("{option}: `{value}` is no number up to {most}")]
    Number {
        /// The option as it was written.
        option: String,
        /// The value.
        value: String,
        /// The largest number that would do.
        most: u64,
    },
    /// The least number of arguments is above the largest one.
    #[error("{option}: the least number of arguments, {least}, is above the largest, {most}")]
    Order {
        /// The option as it was written.
        option: String,
        /// The least number.
        least: u64,
        /// The largest one.
        most: u64,
    },
    /// A variable of the environment cannot have this name.
    #[error("{option}: `{name}` is no name of a variable: it is not empty and has no `=`")]
    Variable {
        /// The option as it was written.
        option: String,
        /// The name.
        name: String,
    },
    /// A word is none of those that there are.
    #[error("{option}: {error}")]
    Choice {
        /// The option as it was written.
        option: String,
        /// What is wrong, with the words that there are.
        error: String,
    },
    /// A template cannot be read.
    #[error("{option}: cannot read {file}: {error}")]
    Template {
        /// The option as it was written.
        option: String,
        /// The file.
        file: String,
        /// Why.
        error: String,
    },
}

/// Reads a whole file.
pub type ReadFile<'a> = dyn Fn(&Path) -> Result<Vec<u8>, String> + 'a;

impl Environment {
    /// Reads the options among a program's arguments (its name not among them). `template`, if given,
    /// is the shape of every unknown input file whose own is not given.
    ///
    /// # Errors
    /// If an option is used wrongly.
    pub fn parse(
        arguments: &[String],
        template: Option<&[u8]>,
        read: &ReadFile<'_>,
    ) -> Result<Self, EnvironmentError> {
        let mut environment = Self::default();
        let mut words = Words { rest: arguments.iter(), option: String::new() };
        // Where standard input is unknown because files are.
        let mut implied = Vec::new();
        while let Some(word) = words.rest.next() {
            let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or_default();
            word.clone_into(&mut words.option);
            let unknown = |name: Option<String>, size: u64| {
                let shape = template.map(|template| {
                    let length = usize::try_from(size).unwrap_or(usize::MAX);
                    let known = template.iter().copied().chain(std::iter::repeat(b'?'));
                    known.take(length).collect()
                });
                Entry::File(InputFile { name, size, shape, named_shape: false, real: false })
            };
            match name {
                "sym-arg" => {
                    let length = words.number("an integer argument <max-len>", LARGEST)?;
                    environment.entries.push(Entry::Unknown { least: 1, most: 1, length });
                }
                "sym-args" => {
                    const EXPECTED: &str = "three integer arguments <min-argvs> <max-argvs> <max-len>";
                    let least = words.number(EXPECTED, MOST.into())?;
                    let most = words.number(EXPECTED, MOST.into())?;
                    let length = words.number(EXPECTED, LARGEST)?;
                    if least > most {
                        return Err(EnvironmentError::Order { option: word.clone(), least, most });
                    }
                    let (least, most) = (least as u32, most as u32);
                    environment.entries.push(Entry::Unknown { least, most, length });
                }
                "sym-files" => {
                    const EXPECTED: &str = "two integer arguments <no-sym-files> <sym-file-len>";
                    let count = words.number(EXPECTED, 26)?;
                    let size = words.number(EXPECTED, LARGEST)?;
                    for number in 0..count as u8 {
                        let name = char::from(b'A' + number).to_string();
                        environment.entries.push(unknown(Some(name), size));
                    }
                    implied.push(environment.entries.len());
                    environment.entries.push(unknown(None, size));
                }
                "sym-stdin" if words.is_number() => {
                    let size = words.number("one integer argument <sym-stdin-len>", LARGEST)?;
                    environment.entries.push(unknown(None, size));
                }
                "sym-stdin-from" | "sym-stdin" => {
                    let shape = words.file("a file", read)?;
                    let size = shape.len() as u64;
                    environment.entries.push(Entry::File(InputFile {
                        name: None,
                        size,
                        shape: Some(shape),
                        named_shape: true,
                        real: false,
                    }));
                }
                "sym-file-from" => {
                    const EXPECTED: &str = "a name and a file";
                    let name = words.next(EXPECTED)?.clone();
                    let shape = words.file(EXPECTED, read)?;
                    let size = shape.len() as u64;
                    environment.entries.push(Entry::File(InputFile {
                        name: Some(name),
                        size,
                        shape: Some(shape),
                        named_shape: true,
                        real: false,
                    }));
                }
                "real-file" => {
                    let path = words.rest.as_slice().first().cloned().unwrap_or_default();
                    let bytes = words.file("a file", read)?;
                    environment.entries.push(Entry::File(InputFile {
                        name: Some(path),
                        size: bytes.len() as u64,
                        shape: Some(bytes),
                        named_shape: true,
                        real: true,
                    }));
                }
                "sym-env" => {
                    const EXPECTED: &str = "a name and the most characters in its value";
                    let name = words.next(EXPECTED)?.clone();
                    let length = words.number(EXPECTED, LARGEST)?;
                    if name.is_empty() || name.contains('=') {
                        return Err(EnvironmentError::Variable { option: word.clone(), name });
                    }
                    environment.entries.push(Entry::Variable { name, length });
                }
                "max-fail" => {
                    let most = words.number("an integer argument <max-failures>", MOST.into())? as u32;
                    fails(&mut environment.entries, most);
                }
                "follow-fork" => {
                    let value = words.next("none, child, parent or both")?;
                    let refuse = |error: UnknownName| EnvironmentError::Choice {
                        option: word.clone(),
                        error: error.to_string(),
                    };
                    environment.follow(value.parse().map_err(refuse)?);
                }
                "sym-metadata" => {
                    if !environment.entries.contains(&Entry::Metadata) {
                        environment.entries.push(Entry::Metadata);
                    }
                }
                "fd-fail" => fails(&mut environment.entries, 1),
                "sym-stdout" => {
                    if !environment.entries.contains(&Entry::Output) {
                        environment.entries.push(Entry::Output);
                    }
                }
                "save-all-writes" | "unsafe" => {
                    environment.warnings.push(format!("{word} has no effect here"));
                }
                "bout-file" => {
                    words.next("a value")?;
                    environment.warnings.push(format!("{word} has no effect here"));
                }
                _ => environment.entries.push(Entry::Argument(word.clone())),
            }
        }
        // Of several standard inputs the last one counts, as in KLEE; one that comes with files counts only
        // if nothing else asks for one.
        let inputs = || environment.entries.iter().enumerate().filter(|(_, entry)| is_input(entry));
        let asked_for = inputs().rfind(|(place, _)| !implied.contains(place));
        let counts = asked_for.or_else(|| inputs().next_back()).map(|(place, _)| place);
        let mut place = 0;
        environment.entries.retain(|entry| {
            place += 1;
            !is_input(entry) || Some(place - 1) == counts
        });
        Ok(environment)
    }

    /// Lets what files are besides their content be unknown where the content of some is, as with `--sym-metadata`.
    pub fn let_metadata_be_unknown(&mut self) {
        let is_unknown = |entry: &Entry| match entry {
            Entry::File(file) => !file.real && (file.shape.is_none() || !file.is_known()),
            Entry::Output => true,
            _ => false,
        };
        if self.entries.iter().any(is_unknown) && !self.entries.contains(&Entry::Metadata) {
            self.entries.insert(0, Entry::Metadata);
        }
    }

    /// Follows processes that the program makes; what was said last counts.
    pub fn follow(&mut self, which: Follow) {
        self.entries.retain(|entry| !matches!(entry, Entry::Processes(_)));
        if which != Follow::Nobody {
            self.entries.push(Entry::Processes(which));
        }
    }

    /// Whether all entries are known arguments, so that an ordinary start does.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.entries.iter().all(|entry| matches!(entry, Entry::Argument(_)))
    }
}

/// Lets calls fail; the last option of several counts.
fn fails(entries: &mut Vec<Entry>, most: u32) {
    entries.retain(|entry| !matches!(entry, Entry::Failures { .. }));
    if most > 0 {
        entries.push(Entry::Failures { most });
    }
}

fn is_input(entry: &Entry) -> bool {
    matches!(entry, Entry::File(InputFile { name: None, .. }))
}

/// The words behind an option.
struct Words<'a> {
    rest: std::slice::Iter<'a, String>,
    option: String,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &'static str) -> Result<&'a String, EnvironmentError> {
        let option = self.option.clone();
        self.rest.next().ok_or(EnvironmentError::Missing { option, expected })
    }

    /// Whether the next word is a number, or missing.
    fn is_number(&self) -> bool {
        self.rest.clone().next().is_none_or(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn number(&mut self, expected: &'static str, most: u64) -> Result<u64, EnvironmentError> {
        let value = self.next(expected)?;
        value.parse().ok().filter(|number| *number <= most).ok_or_else(|| EnvironmentError::Number {
            option: self.option.clone(),
            value: value.clone(),
            most,
        })
    }

    fn file(&mut self, expected: &'static str, read: &ReadFile<'_>) -> Result<Vec<u8>, EnvironmentError> {
        let file = self.next(expected)?;
        read(Path::new(file)).map_err(|error| EnvironmentError::Template {
            option: self.option.clone(),
            file: file.clone(),
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Environment, Follow, InputFile};

    fn parse(line: &str) -> Result<Environment, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let read = |path: &std::path::Path| match path.to_str() {
            Some("shape") => Ok(b"a=?;".to_vec()),
            _ => Err("no such file".to_owned()),
        };
        Environment::parse(&words, None, &read).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_taken_in_their_order_with_one_dash_or_two() {
        let given = |text: &str| Entry::Argument(text.to_owned());
        let unknown = |least, most, length| Entry::Unknown { least, most, length };
        let file = |name: Option<&str>, size| {
            let name = name.map(str::to_owned);
            Entry::File(InputFile { name, size, shape: None, named_shape: false, real: false })
        };
        for (line, expected) in [
            ("-x y", vec![given("-x"), given("y")]),
            ("--sym-arg 3 -- -sym-arg 0", vec![unknown(1, 1, 3), given("--"), unknown(1, 1, 0)]),
            ("a -sym-args 0 2 10 b", vec![given("a"), unknown(0, 2, 10), given("b")]),
            ("--sym-files 2 8", vec![file(Some("A"), 8), file(Some("B"), 8), file(None, 8)]),
            ("--sym-files 1 8 -sym-stdin 4", vec![file(Some("A"), 8), file(None, 4)]),
            ("-sym-stdin 4 x --sym-files 1 8", vec![file(None, 4), given("x"), file(Some("A"), 8)]),
            ("-sym-stdin 4 --sym-stdin 3", vec![file(None, 3)]),
            ("--sym-files 1 8 -sym-files 1 2", vec![file(Some("A"), 8), file(Some("A"), 2), file(None, 2)]),
            ("--save-all-writes --max-fail 1 --fd-fail -max-fail 2", vec![Entry::Failures { most: 2 }]),
            ("--sym-stdout -sym-stdout", vec![Entry::Output]),
            ("--max-fail 0", vec![]),
            ("--follow-fork child --follow-fork both", vec![Entry::Processes(Follow::Both)]),
            ("-follow-fork parent -follow-fork none", vec![]),
        ] {
            assert_eq!(parse(line).unwrap().entries, expected, "{line}");
        }
        assert_eq!(parse("--save-all-writes --max-fail 1").unwrap().warnings.len(), 1);
        assert!(parse("-x").unwrap().is_plain() && !parse("--sym-stdin 1").unwrap().is_plain());
    }

    #[test]
    fn wrong_use_is_named() {
        for (line, expected) in [
            ("--sym-arg", "--sym-arg expects an integer argument <max-len>"),
            (
                "--sym-args 1 2",
                "--sym-args expects three integer arguments <min-argvs> <max-argvs> <max-len>",
            ),
            ("-sym-args 2 1 3", "-sym-args: the least number of arguments, 2"),
            ("--sym-arg many", "`many` is no number"),
            ("--sym-arg -1", "`-1` is no number"),
            ("--sym-args 0 99999999999 1", "no number up to 1024"),
            ("--sym-files 27 1", "up to 26"),
            ("--max-fail", "--max-fail expects an integer argument"),
            ("--follow-fork", "--follow-fork expects none, child, parent or both"),
            ("--follow-fork all", "--follow-fork: "),
            ("--sym-stdin-from nowhere", "cannot read nowhere: no such file"),
            ("--sym-file-from A", "a name and a file"),
            ("--real-file nowhere", "--real-file: cannot read nowhere"),
            ("--sym-env A", "a name and the most characters"),
            ("--sym-env A=B 3", "`A=B` is no name"),
        ] {
            let message = parse(line).unwrap_err();
            assert!(message.contains(expected), "{line}: {message}");
        }
    }

    #[test]
    fn a_template_is_the_shape_of_all_unknown_files() {
        let words = ["--sym-files", "1", "4"].map(str::to_owned);
        let environment = Environment::parse(&words, Some(b"x?"), &|_| Err(String::new())).unwrap();
        for entry in &environment.entries {
            let Entry::File(file) = entry else { panic!("{entry:?}") };
            assert_eq!(file.shape.as_deref(), Some(b"x???".as_slice()));
            assert!(!file.is_known());
        }
        let shaped = parse("--sym-stdin-from shape").unwrap();
        let Entry::File(file) = &shaped.entries[0] else { panic!() };
        assert_eq!((file.size, file.shape.as_deref()), (4, Some(b"a=?;".as_slice())));
    }

    #[test]
    fn files_of_the_machine_are_known_and_variables_are_not() {
        let environment = parse("--real-file shape --sym-env HOME 3").unwrap();
        let Entry::File(file) = &environment.entries[0] else { panic!() };
        assert!(file.is_known() && file.real && file.size == 4);
        assert_eq!(environment.entries[1], Entry::Variable { name: "HOME".to_owned(), length: 3 });
        let replayed = environment.replay(&[("env_HOME".to_owned(), b"/\0x".to_vec())]);
        assert_eq!(replayed.variables, [("HOME".to_owned(), b"/".to_vec())]);
        assert_eq!(replayed.files, [(Some("shape".to_owned()), b"a=?;".to_vec())]);
    }

    #[test]
    fn a_test_is_turned_back_into_arguments_and_files() {
        let environment = parse("x --sym-args 0 3 2 --sym-arg 1 --sym-args 0 1 1 --sym-files 1 2").unwrap();
        let inputs: Vec<(String, Vec<u8>)> = [
            ("n_args", &[2, 0, 0, 0][..]),
            ("arg00", b"ab\0"),
            ("arg01", b"\0zz"),
            ("arg02", b"cd"),
            ("n_args_1", &[0, 0, 0, 0]),
            ("A_data", b"hi"),
            ("stdin", b"yo"),
        ]
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .into();
        let replayed = environment.replay(&inputs);
        assert_eq!(replayed.arguments, [&b"x"[..], b"ab", b"", b"c"]);
        assert_eq!(replayed.files, [(Some("A".to_owned()), b"hi".to_vec()), (None, b"yo".to_vec())]);
    }
}
