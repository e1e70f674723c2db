//! Lines from a terminal: editing, history, completion of names.

use rtcheck::base::System;
use rtcheck::machine::Machine;
use rtcheck::session::{Line, Lines};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::path::{Path, PathBuf};

/// Names that may be completed, in order.
#[derive(Default)]
struct Names(Vec<String>);

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..position];
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, character)| character.is_alphanumeric() || *character == '_')
            .last()
            .map_or(position, |(start, _)| start);
        let prefix = &before[start..];
        if prefix.is_empty() {
            return Ok((position, Vec::new()));
        }
        let first = self.0.partition_point(|name| name.as_str() < prefix);
        let found = self.0[first..].iter().take_while(|name| name.starts_with(prefix)).cloned().collect();
        Ok((start, found))
    }
}

impl rustyline::hint::Hinter for Names {
    type Hint = String;
}
impl rustyline::highlight::Highlighter for Names {}
impl rustyline::validate::Validator for Names {}
impl Helper for Names {}

/// A terminal.
pub(crate) struct Terminal {
    editor: Editor<Names, FileHistory>,
    history: Option<PathBuf>,
}

impl Terminal {
    /// The terminal on standard input and output, with the history of earlier sessions.
    pub(crate) fn new(system: &mut dyn System) -> rustyline::Result<Self> {
        let config = Config::builder().max_history_size(2000)?.completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Names::default()));
        let history = history_file(system);
        if let Some(path) = &history {
            // There is none at first.
            let _ = editor.load_history(path);
        }
        Ok(Self { editor, history })
    }
}

/// `$XDG_STATE_HOME/reprise/rtcheck-history`, as the conventions of Unix desktops have it.
fn history_file(system: &mut dyn System) -> Option<PathBuf> {
    let state = system
        .environment("XDG_STATE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(system.environment("HOME")?).join(".local/state")))?;
    let folder = state.join("reprise");
    let parents: Vec<&Path> = folder.ancestors().collect();
    for parent in parents.into_iter().rev() {
        // It is there as a rule; where it cannot be made, there will be no history.
        let _ = system.make_directory(parent);
    }
    Some(folder.join("rtcheck-history"))
}

impl Lines for Terminal {
    fn is_terminal(&self) -> bool {
        true
    }

    fn line(&mut self, _machine: &mut Machine, prompt: &str) -> Line {
        match self.editor.readline(prompt) {
            Ok(line) => {
                // A history that cannot be kept is no reason to fail.
                let _ = self.editor.add_history_entry(&line);
                Line::Text(line)
            }
            Err(ReadlineError::Interrupted) => Line::Interrupted,
            Err(_) => Line::End,
        }
    }

    fn offer(&mut self, names: &mut dyn FnMut() -> Vec<String>) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.0 = names();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(path) = &self.history {
            // A history that cannot be kept is no reason to fail.
            let _ = self.editor.save_history(path);
        }
    }
}
