//! What is written of a path that has ended: files beside each other under one number, and messages.
//!
//! It is made where the path was followed, without its number, so that what several processes found can be put
//! in order before it is numbered and written.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::files::{describe, error_file, lines};
use super::options::{TestFiles, XmlTests};
use super::test_suite::test_case;
use crate::base::system::System;
use crate::exec::{Ending, Path, REACHED, Record};
use crate::module::{FunctionId, Module};
use crate::testcase::KTest;

/// Makes what is written.
pub(super) struct Renderer {
    system: Rc<dyn System>,
    arguments: Vec<String>,
    /// Whether errors at a place that had one are told again.
    all_errors: bool,
    files: TestFiles,
}

/// What is written of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    /// The sides that it took where others were possible, if parts of the program are explored.
    pub(super) trail: Vec<u32>,
    /// What its error says and where it happened, if it ended in one.
    pub(super) error: Option<(String, FunctionId, u32)>,
    /// Whether it has a test, which has a number of its own.
    pub(super) is_test: bool,
    /// Its files: what follows the number in their names, and their bytes.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// Files that could not be made, and why.
    pub(super) missing: Vec<(String, String)>,
    /// What users are told.
    pub(super) messages: Vec<String>,
}

impl Renderer {
    /// For the tests of a program that was started with these arguments.
    pub(super) fn new(
        system: Rc<dyn System>,
        arguments: Vec<String>,
        all_errors: bool,
        files: TestFiles,
    ) -> Self {
        Self { system, arguments, all_errors, files }
    }

    /// What is written of a path.
    pub(super) fn render(&self, module: &Module, path: &Path) -> Found {
        let mut found =
            Found { trail: path.trail.clone(), is_test: path.inputs.is_some(), ..Found::default() };
        if let Some(inputs) = &path.inputs {
            let test =
                KTest { arguments: self.arguments.clone(), objects: inputs.clone(), ..KTest::default() };
            match test.to_bytes() {
                Ok(bytes) => found.add("ktest", bytes),
                Err(error) => found.missing.push(("ktest".to_owned(), error.to_string())),
            }
            self.beside(module, &path.record, &mut found);
            let reached =
                matches!(&path.ending, Ending::Error(error) if error.suffix.as_deref() == Some(REACHED));
            let wanted = match self.files.xml {
                XmlTests::None => false,
                XmlTests::All => true,
                XmlTests::Reaching => reached,
            };
            if wanted {
                found.add("xml", test_case(inputs, reached));
            }
        }
        match &path.ending {
            Ending::Error(error) => {
                let (function, position) = path.place;
                found.error = Some((error.message.clone(), function, position));
                found.messages.push(format!("ERROR: {}: {}", describe(module, path), error.message));
                if !self.all_errors {
                    found.messages.push("NOTE: now ignoring this error at this location".to_owned());
                }
                if found.is_test {
                    let suffix = error.suffix.as_deref().unwrap_or(error.kind.suffix());
                    found.add(&format!("{suffix}.err"), error_file(module, path, error));
                }
            }
            Ending::Early(reason) if found.is_test => found.add("early", format!("{reason}\n")),
            _ => {}
        }
        found
    }

    /// What is wanted beside a test.
    fn beside(&self, module: &Module, record: &Record, found: &mut Found) {
        let TestFiles {
            kquery,
            cvc,
            smtlib,
            coverage,
            paths,
            symbolic_paths,
            info,
            xml: _,
            no_assembly: _,
            bitcode: _,
            tree: _,
        } = self.files;
        if let Some(condition) = &record.condition {
            let texts =
                [("kquery", kquery.then(|| condition.kquery())), ("cvc", cvc.then(|| condition.cvc()))];
            for (suffix, text) in texts {
                match text {
                    Some(Ok(text)) => found.add(suffix, text),
                    Some(Err(error)) => found.missing.push((suffix.to_owned(), error.to_string())),
                    None => {}
                }
            }
        }
        if let Some(condition) = record.condition.as_ref().filter(|_| smtlib) {
            found.add("smt2", condition.smtlib());
        }
        if coverage {
            found.add("cov", lines(module, &record.new_lines));
        }
        let digits = |sides: &[bool]| -> String {
            sides.iter().map(|side| if *side { "1\n" } else { "0\n" }).collect()
        };
        if paths {
            found.add("path", digits(&record.branches));
        }
        if symbolic_paths {
            found.add("sym.path", digits(&record.choices));
        }
        if info {
            let elapsed = self.system.elapsed().as_secs_f64();
            found.add("info", format!("Time to generate test case: {elapsed:.2}s\n"));
        }
    }
}

impl Found {
    fn add(&mut self, suffix: &str, bytes: impl Into<Vec<u8>>) {
        self.files.push((suffix.to_owned(), bytes.into()));
    }
}
