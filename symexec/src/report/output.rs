//! The output folder and the lines on standard error.

use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;

use super::files::{describe, error_file};
use crate::base::system::System;
use crate::exec::{Ending, Halt, Observer, Path};
use crate::module::Module;
use crate::testcase::KTest;

/// Writes tests as they are found, so that an interrupted run leaves what it has.
pub(super) struct Output {
    system: Rc<dyn System>,
    folder: PathBuf,
    arguments: Vec<String>,
    /// Whether errors at a place that had one are told again.
    all_errors: bool,
    tests: u64,
    messages: String,
    warnings: String,
    /// The first failure to write; later ones are not reported again.
    failure: Option<String>,
}

/// What is before each line, as in KLEE.
const PREFIX: &str = "KLEE: ";

impl Output {
    /// Writes into a folder that exists.
    pub(super) fn new(
        system: Rc<dyn System>,
        folder: PathBuf,
        arguments: Vec<String>,
        all_errors: bool,
    ) -> Self {
        Self {
            system,
            folder,
            arguments,
            all_errors,
            tests: 0,
            messages: String::new(),
            warnings: String::new(),
            failure: None,
        }
    }

    /// A line for users, also kept in `messages.txt`.
    pub(super) fn message(&mut self, text: &str) {
        let line = format!("{PREFIX}{text}");
        self.system.say(&line);
        self.messages.push_str(&line);
        self.messages.push('\n');
    }

    fn write(&mut self, name: &str, bytes: &[u8]) {
        let path = self.folder.join(name);
        if let Err(error) = self.system.write_file(&path, bytes)
            && self.failure.is_none()
        {
            let text = format!("cannot write {}: {error}; the exploration goes on", path.display());
            self.failure = Some(text.clone());
            self.warn(&text);
        }
    }

    /// Writes the files of the end; says whether everything could be written.
    pub(super) fn finish(&mut self, info: &str) -> Result<(), String> {
        self.write("info", info.as_bytes());
        let (messages, warnings) = (std::mem::take(&mut self.messages), std::mem::take(&mut self.warnings));
        self.write("messages.txt", messages.as_bytes());
        self.write("warnings.txt", warnings.as_bytes());
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// The folder.
    pub(super) fn folder(&self) -> &FilePath {
        &self.folder
    }
}

impl Observer for Output {
    fn path(&mut self, module: &Module, path: &Path) {
        let number = self.tests + u64::from(path.inputs.is_some());
        if let Some(inputs) = &path.inputs {
            self.tests = number;
            let test =
                KTest { arguments: self.arguments.clone(), objects: inputs.clone(), ..KTest::default() };
            match test.to_bytes() {
                Ok(bytes) => self.write(&format!("test{number:06}.ktest"), &bytes),
                Err(error) => self.warn(&error.to_string()),
            }
        }
        match &path.ending {
            Ending::Error(error) => {
                self.message(&format!("ERROR: {}: {}", describe(module, path), error.message));
                if !self.all_errors {
                    self.message("NOTE: now ignoring this error at this location");
                }
                if path.inputs.is_some() {
                    let suffix = error.suffix.as_deref().unwrap_or(error.kind.suffix());
                    let text = error_file(module, path, error);
                    self.write(&format!("test{number:06}.{suffix}.err"), text.as_bytes());
                }
            }
            Ending::Early(reason) if path.inputs.is_some() => {
                self.write(&format!("test{number:06}.early"), format!("{reason}\n").as_bytes());
            }
            _ => {}
        }
    }

    fn halt(&mut self, reason: &Halt) {
        match reason {
            Halt::Interrupt => self.message("ctrl-c detected, requesting interpreter to halt."),
            Halt::Error => {}
            _ => self.message(&format!("HaltTimer invoked: {}", reason.reason())),
        }
        self.message("halting execution, dumping remaining states");
    }

    fn output(&mut self, descriptor: u64, bytes: &[u8]) {
        self.system.write_output(descriptor, bytes);
    }

    fn warn(&mut self, text: &str) {
        let line = format!("{PREFIX}WARNING: {text}");
        self.system.say(&line);
        self.warnings.push_str(&line);
        self.warnings.push('\n');
    }
}
