//! Where text is put, and how long lines of it are broken.

use super::places::{BlockPlaced, Places};
use crate::base::source::Span;
use crate::syntax::ast::{Ast, ExprId, TypeExprId};

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
    /// Where things are printed.
    places: Places,
    /// The line, from 1, and the column, from 0, of what comes next; lines that are broken count as one, as in Boogie.
    at: (u32, u32),
}

/// Lines, as Boogie breaks them: a group whose parts are longer than a line together has each part on a line of its
/// own, two blanks further to the right.
impl<'a, 'o> Printer<'a, 'o> {
    pub(super) fn new(ast: &'a Ast, out: &'o mut String) -> Self {
        Self {
            ast,
            out,
            breaks: false,
            groups: Vec::new(),
            opened: Vec::new(),
            places: Places::default(),
            at: (1, 0),
        }
    }

    pub(super) fn with_breaks(self, breaks: bool) -> Self {
        Self { breaks, ..self }
    }

    /// Continues at a line, with the places that were found before.
    pub(super) fn continuing(self, line: u32, places: Places) -> Self {
        Self { at: (line, 0), places, ..self }
    }

    /// Gives this place a number.
    pub(super) fn here(&mut self) -> u32 {
        self.places.note(self.at)
    }

    /// Gives the place a number that is so deep in this line.
    pub(super) fn here_at(&mut self, level: usize) -> u32 {
        let column = u32::try_from(2 * level).unwrap_or(u32::MAX);
        self.places.note((self.at.0, column))
    }

    /// Notes that a thing of the text is printed here.
    pub(super) fn mark(&mut self, span: Span) {
        if span == Span::NOWHERE {
            return;
        }
        self.places.note_span(span, self.at);
    }

    pub(super) fn mark_implementation(&mut self) {
        self.places.note_implementation(self.at);
    }

    pub(super) fn mark_expression(&mut self, expr: ExprId) {
        self.places.note_expression(expr, self.at);
    }

    pub(super) fn mark_type(&mut self, ty: TypeExprId) {
        self.places.note_type(ty, self.at);
    }

    pub(super) fn mark_block(&mut self, label: &str, block: BlockPlaced) {
        self.places.note_block(label, block);
    }

    /// The line of what comes next, and the places of what came before.
    pub(super) fn finish(self) -> (u32, Places) {
        (self.at.0, self.places)
    }

    pub(super) fn push(&mut self, text: &str) {
        for character in text.chars() {
            self.at = if character == '\n' { (self.at.0 + 1, 0) } else { (self.at.0, self.at.1 + 1) };
        }
        self.put(text);
    }

    fn put(&mut self, text: &str) {
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
        self.put(&lines.join(&between));
    }
}
