//! The output folder and the lines on standard error.

use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::exec_tree::ExecTree;
use super::listing::{Listed, Listing};
use super::options::LeftOut;
use super::render::{Found, Renderer};
use super::run_stats::RunStats;
use super::status::Status;
use crate::base::system::System;
use crate::exec::{Ending, Forked, Halt, Observer, Path, Progress, Shown};
use crate::module::Module;

/// Writes tests as they are found, so that an interrupted run leaves what it has.
pub(super) struct Output {
    system: Rc<dyn System>,
    folder: PathBuf,
    renderer: Renderer,
    left_out: LeftOut,
    tests: u64,
    messages: String,
    warnings: String,
    /// The first failure to write; later ones are not reported again.
    failure: Option<String>,
    /// What was written of the last error.
    last_error: Option<String>,
    status: Status,
    /// When the line on the terminal is due again.
    next_status: Duration,
    stats: Option<RunStats>,
    /// The tree of states, if it is wanted.
    tree: Option<ExecTree>,
    /// The list of executed instructions, if it is wanted.
    listed: Option<Listed>,
    stats_interval: Duration,
    /// When a row of `run.stats` is due again.
    next_row: Duration,
}

/// How often the line on a terminal changes.
const STATUS_INTERVAL: Duration = Duration::from_millis(200);

/// What is before each line, as in KLEE.
const PREFIX: &str = "KLEE: ";

impl Output {
    /// Writes into a folder that exists.
    pub(super) fn new(
        system: Rc<dyn System>,
        folder: PathBuf,
        renderer: Renderer,
        stats_interval: Duration,
        left_out: LeftOut,
    ) -> Self {
        let stats = (!left_out.counts).then(|| RunStats::create(&folder.join("run.stats"))).transpose();
        let failed = stats.as_ref().err().map(ToString::to_string);
        let mut output = Self {
            status: Status::new(),
            next_status: Duration::ZERO,
            stats: stats.ok().flatten(),
            tree: None,
            listed: None,
            stats_interval,
            next_row: stats_interval,
            system,
            folder,
            renderer,
            left_out,
            tests: 0,
            messages: String::new(),
            warnings: String::new(),
            failure: None,
            last_error: None,
        };
        if let Some(error) = failed {
            output.warn(&format!("no run.stats: {error}"));
        }
        output
    }

    /// Writes the tree of states from now on.
    pub(super) fn write_tree(&mut self) {
        match ExecTree::create(&self.folder.join("exec_tree.db")) {
            Ok(tree) => self.tree = Some(tree),
            Err(error) => self.lose_tree(&error),
        }
    }

    fn lose_tree(&mut self, error: &rusqlite::Error) {
        self.tree = None;
        self.warn(&format!("exec_tree.db is incomplete: {error}"));
    }

    /// Lists instructions from now on, as they stand in the program's text.
    pub(super) fn list_instructions(&mut self, listing: Listing, assembly: &str) {
        self.listed = Some(Listed::new(listing, assembly));
    }

    /// Writes what is left of the list of instructions, or all of it if it is to be seen at once.
    fn write_listed(&mut self, is_end: bool) {
        let Some((name, text)) = self.listed.as_mut().and_then(|listed| listed.take(is_end)) else { return };
        match name {
            None => self.status.aside(|| self.system.write_output(2, text.as_bytes())),
            Some(name) => {
                if let Err(error) = self.system.append_file(&self.folder.join(name), text.as_bytes()) {
                    self.listed = None;
                    self.warn(&format!("the list of instructions ends: {error}"));
                }
            }
        }
    }

    /// A line on standard error, beside the line that says how far the run is.
    fn say(&self, line: &str) {
        self.status.aside(|| self.system.say(line));
    }

    /// A line for users, also kept in `messages.txt`.
    pub(super) fn message(&mut self, text: &str) {
        self.say(&format!("{PREFIX}{text}"));
        self.note(text);
    }

    /// A line in `messages.txt`.
    fn note(&mut self, text: &str) {
        self.messages.push_str(PREFIX);
        self.messages.push_str(text);
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

    /// Writes what was found of a path; `said` tells whether its messages were seen already.
    pub(super) fn put(&mut self, found: &Found, said: bool) {
        let number = self.tests + u64::from(found.is_test);
        self.tests = number;
        for (suffix, bytes) in &found.files {
            if suffix.ends_with(".err") {
                self.last_error = Some(String::from_utf8_lossy(bytes).into_owned());
            }
            self.write(&format!("test{number:06}.{suffix}"), bytes);
        }
        for (suffix, error) in &found.missing {
            self.warn(&format!("no test{number:06}.{suffix}: {error}"));
        }
        for message in &found.messages {
            if said {
                self.note(message);
            } else {
                self.message(message);
            }
        }
    }

    /// Says that the last error ends the run, as KLEE does.
    pub(super) fn tell_last_error(&mut self) {
        let error = self.last_error.take().unwrap_or_default();
        self.message(format!("ERROR: EXITING ON ERROR:\n{error}").trim_end());
    }

    /// Shows what was found of a path that is written later.
    pub(super) fn announce(&self, found: &Found) {
        for message in &found.messages {
            self.say(&format!("{PREFIX}{message}"));
        }
    }

    /// Writes the files of the end; says whether everything could be written.
    pub(super) fn finish(&mut self, info: &str) -> Result<(), String> {
        self.stats = None;
        self.write_listed(true);
        if let Some(Err(error)) = self.tree.take().map(ExecTree::finish) {
            self.lose_tree(&error);
        }
        self.write("info", info.as_bytes());
        let (messages, warnings) = (std::mem::take(&mut self.messages), std::mem::take(&mut self.warnings));
        self.write("messages.txt", messages.as_bytes());
        self.write("warnings.txt", warnings.as_bytes());
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// Takes the line on the terminal away.
    pub(super) fn end_status(&mut self) {
        self.status.end();
    }

    /// Writes one more file.
    pub(super) fn add_file(&mut self, name: &str, text: &str) {
        self.write(name, text.as_bytes());
    }

    /// Writes one more file, of bytes.
    pub(super) fn add_bytes(&mut self, name: &str, bytes: &[u8]) {
        self.write(name, bytes);
    }

    /// A warning, also kept in `warnings.txt`.
    fn warning(&mut self, kind: &str, text: &str) {
        let line = format!("{PREFIX}{kind}: {text}");
        if !self.left_out.shown_warnings {
            self.say(&line);
        }
        self.warnings.push_str(&line);
        self.warnings.push('\n');
    }

    /// The folder.
    pub(super) fn folder(&self) -> &FilePath {
        &self.folder
    }
}

impl Observer for Output {
    fn path(&mut self, module: &Module, path: &Path) {
        let found = self.renderer.render(module, path);
        self.put(&found, false);
    }

    fn tell(&mut self, text: &str) {
        self.message(text);
    }

    fn halt(&mut self, reason: &Halt) {
        match reason {
            Halt::Interrupt => self.message("ctrl-c detected, requesting interpreter to halt."),
            Halt::Error | Halt::Seeds => {}
            _ => self.message(&format!("HaltTimer invoked: {}", reason.reason())),
        }
        self.message("halting execution, dumping remaining states");
    }

    fn print(&mut self, line: &str) {
        self.say(line);
    }

    fn instruction(&mut self, module: &Module, shown: &Shown) {
        if let Some(listed) = &mut self.listed {
            listed.add(module, shown);
        }
        self.write_listed(false);
    }

    fn forked(&mut self, forked: &Forked<'_>) {
        if let Some(Err(error)) = self.tree.as_mut().map(|tree| tree.forked(forked)) {
            self.lose_tree(&error);
        }
    }

    fn ended(&mut self, state: u64, line: u32, ending: &Ending) {
        if let Some(Err(error)) = self.tree.as_mut().map(|tree| tree.ended(state, line, ending)) {
            self.lose_tree(&error);
        }
    }

    fn output(&mut self, descriptor: u64, bytes: &[u8]) {
        self.status.aside(|| self.system.write_output(descriptor, bytes));
    }

    fn wants_progress(&mut self, elapsed: Duration) -> bool {
        elapsed >= self.next_row || self.status.is_shown() && elapsed >= self.next_status
    }

    fn progress(&mut self, now: &Progress) {
        let memory = self.system.memory();
        if self.status.is_shown() {
            self.next_status = now.elapsed + STATUS_INTERVAL;
            self.status.show(now, memory);
        }
        // The last row is the sum; rows before it come at their interval.
        if now.states > 0 && now.elapsed < self.next_row {
            return;
        }
        self.next_row = now.elapsed + self.stats_interval;
        let added = self.stats.as_ref().map(|stats| stats.add(now, memory, self.system.processor_micros()));
        if let Some(Err(error)) = added {
            self.stats = None;
            self.warn(&format!("run.stats ends here: {error}"));
        }
    }

    fn warn(&mut self, text: &str) {
        self.warning("WARNING", text);
    }

    fn warn_once(&mut self, text: &str) {
        self.warning("WARNING ONCE", text);
    }
}
