//! Where text is put, and how long lines of it are broken.

use crate::syntax::ast::Ast;

/// How long the parts may be together that stand on one line.
const WIDTH: usize = 80;

/// What is broken into lines if it is too long, and is not at its end.
struct Group {
    word: Option<&'static str>,
    parts: Vec<String>,
}

/// Writes things of a program into a text.
pub(super) struct Printer<'a, 'o> {
    pub(super) ast: &'a Ast,
    out: &'o mut String,
    /// Whether long lines are broken.
    breaks: bool,
    groups: Vec<Group>,
    /// For each place where a group may begin, whether one did.
    opened: Vec<bool>,
}

/// Lines, as Boogie breaks them: a group whose parts are longer than a line together has each part on a line of its
/// own, two blanks further to the right.
impl<'a, 'o> Printer<'a, 'o> {
    pub(super) fn new(ast: &'a Ast, out: &'o mut String) -> Self {
        Self { ast, out, breaks: false, groups: Vec::new(), opened: Vec::new() }
    }

    pub(super) fn with_breaks(self, breaks: bool) -> Self {
        Self { breaks, ..self }
    }

    pub(super) fn push(&mut self, text: &str) {
        match self.groups.last_mut().and_then(|group| group.parts.last_mut()) {
            Some(part) => part.push_str(text),
            None => self.out.push_str(text),
        }
    }

    pub(super) fn open(&mut self, word: Option<&'static str>) {
        if !self.breaks {
            return;
        }
        let same = self.groups.last().is_some_and(|group| word.is_some() && group.word == word);
        if same {
            self.may_break();
        } else {
            self.groups.push(Group { word, parts: vec![String::new()] });
        }
        self.opened.push(!same);
    }

    pub(super) fn may_break(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.parts.push(String::new());
        }
    }

    pub(super) fn close(&mut self) {
        if self.opened.pop() != Some(true) {
            return;
        }
        let Some(group) = self.groups.pop() else { return };
        let lines: Vec<&str> =
            group.parts.iter().flat_map(|part| part.split('\n')).filter(|line| !line.is_empty()).collect();
        let length: usize = lines.iter().map(|line| line.chars().count()).sum();
        let between = if length <= WIDTH {
            String::new()
        } else if self.groups.is_empty() {
            let line = self.out.rsplit('\n').next().unwrap_or_default();
            let indentation = line.len() - line.trim_start_matches(' ').len();
            format!("\n{}", " ".repeat(indentation + 2))
        } else {
            "\n  ".to_owned()
        };
        self.push(&lines.join(&between));
    }
}
