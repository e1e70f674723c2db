//! Source files and positions in them.

use std::ops::Range;
use std::sync::Arc;

use crate::base::arena::{Arena, Id};

crate::base::arena::typed_ids! {
    /// A source file of a run.
    pub FileId;
}

/// A range of bytes in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// No place in any file: for what concerns a program as a whole.
    pub const NOWHERE: Self = Self { file: FileId(u32::MAX), start: 0, end: 0 };

    /// The range from the start of this span to the end of another one in the same file.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { file: self.file, start: self.start, end: end.end.max(self.end) }
    }
}

/// A position as users read it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The name under which the file was given.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1; in what was printed from 0, as Boogie counts there.
    pub column: u32,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Vec<u32>,
    directives: Vec<Directive>,
    /// Of a print: lines, and columns from 0, of what was printed.
    places: Vec<(u32, u32)>,
}

/// A line `#line NUMBER FILE`, which names the place of the line after it.
#[derive(Clone, Debug)]
struct Directive {
    /// Its own line, from 1.
    line: u32,
    number: u32,
    file: Arc<str>,
}

/// The directives of a text. Without a name the file stays.
fn directives(name: &str, text: &str) -> Vec<Directive> {
    let mut found: Vec<Directive> = Vec::new();
    if !text.contains("#line") {
        return found;
    }
    for (index, line) in text.lines().enumerate() {
        let Some(rest) = line.strip_prefix("#line") else { continue };
        if !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let rest = rest.trim();
        let (number, file) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Ok(number) = number.parse() else { continue };
        let file = match (file.trim(), found.last()) {
            ("", Some(last)) => Arc::clone(&last.file),
            ("", None) => Arc::from(name),
            (file, _) => Arc::from(file),
        };
        found.push(Directive { line: u32::try_from(index + 1).unwrap_or(u32::MAX), number, file });
    }
    found
}

impl SourceFile {
    /// The name under which the file was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The content.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines, all of them whole, that a range of bytes lies in: the number of the first one, from 1, and
    /// where they lie in the text. Behind the last line's end there is only that line to show.
    #[must_use]
    pub fn lines_around(&self, range: &Range<usize>) -> (usize, Range<usize>) {
        let last_byte = self.text.len().saturating_sub(1);
        let start_of =
            |line: usize| self.line_starts.get(line).map_or(self.text.len(), |start| *start as usize);
        let line_of =
            |byte: usize| self.line_starts.partition_point(|start| *start as usize <= byte.min(last_byte));
        let (first, last) = (line_of(range.start), line_of(range.end));
        (first, start_of(first - 1)..start_of(last))
    }
}

/// The source files of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Arena<FileId, SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let mut line_starts = vec![0];
        // Lines are short, so each byte is looked at; to look for the next end costs more.
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        line_starts.extend(ends.map(|(index, _)| u32::try_from(index + 1).unwrap_or(u32::MAX)));
        // What is said about the end of a text without a last line break stands behind one, as Boogie adds it.
        if !text.is_empty() && !text.ends_with('\n') {
            line_starts.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        }
        let directives = directives(name, text);
        self.files.push(SourceFile {
            name: Arc::from(name),
            text: Arc::from(text),
            line_starts,
            directives,
            places: Vec::new(),
        })
    }

    /// Adds what was printed, by the lines and columns of the things in it: the "bytes" of spans in it are numbers of
    /// places. It has no text to be shown.
    pub fn add_print(&mut self, name: &str, places: Vec<(u32, u32)>) -> FileId {
        let id = self.add(name, "");
        self.files[id].places = places;
        id
    }

    /// Whether a span is a place in a print.
    #[must_use]
    pub fn is_printed(&self, span: Span) -> bool {
        span != Span::NOWHERE && !self.files[span.file].places.is_empty()
    }

    /// A file.
    #[must_use]
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file]
    }

    /// The id of the first file, if there is one.
    #[must_use]
    pub fn first(&self) -> Option<FileId> {
        (!self.files.is_empty()).then(|| FileId::from_index(0))
    }

    /// The position of a span's first byte.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        if span == Span::NOWHERE {
            return Position { file: Arc::from(""), line: 0, column: 0 };
        }
        let file = &self.files[span.file];
        if let Some((line, column)) = file.places.get(span.start as usize) {
            return Position { file: Arc::clone(&file.name), line: *line, column: *column };
        }
        let line = file.line_starts.partition_point(|start| *start <= span.start).max(1);
        let start = file.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let end = (span.start as usize).min(file.text.len());
        let column = file.text.get(start..end).map_or(0, |text| text.chars().count());
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let (name, line) = match file.directives.partition_point(|it| it.line < line).checked_sub(1) {
            None => (&file.name, line),
            Some(last) => {
                let Directive { line: at, number, file: name } = &file.directives[last];
                (name, number.saturating_add(line - at - 1))
            }
        };
        Position { file: Arc::clone(name), line, column: u32::try_from(column + 1).unwrap_or(u32::MAX) }
    }
}
