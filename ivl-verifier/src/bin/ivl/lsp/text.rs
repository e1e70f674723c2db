//! The text of an open document: positions in the client's units and in bytes, and edits.
//!
//! An edit makes a new text and finds its lines again: both take time in the length of the text, which is far below
//! that of looking at the program. A position beyond a line or the text means its end, as the protocol demands.

use std::ops::Range;

use lsp_types::{Position, TextDocumentContentChangeEvent};

/// What the client counts columns in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Halves of UTF-16, which every client understands.
    Utf16,
}

/// A text with its lines.
#[derive(Clone, Debug)]
pub(super) struct Text {
    content: String,
    /// Where lines start.
    lines: Vec<usize>,
    encoding: Encoding,
}

/// What an edit replaces: the bytes that go, and how many come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) gone: Range<usize>,
    pub(super) come: usize,
}

impl Edit {
    /// Where a range of the text before is in the text after: what the edit touches shrinks to what is left of it.
    pub(super) fn moved(&self, range: &Range<usize>) -> Range<usize> {
        let shift = |at: usize, touched: usize| {
            if at <= self.gone.start {
                at
            } else if at < self.gone.end {
                touched
            } else {
                at - self.gone.len() + self.come
            }
        };
        // What is put in front of it is not part of it.
        let pushed = self.gone.is_empty() && range.start == self.gone.start;
        let start =
            if pushed { range.start + self.come } else { shift(range.start, self.gone.start + self.come) };
        start..shift(range.end, self.gone.start).max(start)
    }
}

impl Text {
    pub(super) fn new(content: String, encoding: Encoding) -> Self {
        let ends = content.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Self { content, lines, encoding }
    }

    pub(super) fn content(&self) -> &str {
        &self.content
    }

    /// The byte at a position.
    pub(super) fn byte(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.lines.get(line).copied() else { return self.content.len() };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.content.len());
        let line = self.content[start..end].trim_end_matches(['\n', '\r']);
        let mut units = position.character as usize;
        for (at, letter) in line.char_indices() {
            let width = self.width(letter);
            if units < width {
                return start + at;
            }
            units -= width;
        }
        start + line.len()
    }

    /// The position of a byte.
    pub(super) fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.content.len());
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or(0);
        let before = self.content.get(start..byte).unwrap_or_default();
        let units = before.chars().map(|letter| self.width(letter)).sum();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(units) }
    }

    pub(super) fn range(&self, bytes: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range { start: self.position(bytes.start), end: self.position(bytes.end) }
    }

    /// Where the line of a byte starts.
    pub(super) fn line_start(&self, byte: usize) -> usize {
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        self.lines.get(line).copied().unwrap_or(0)
    }

    /// Makes a change, and tells what it replaced.
    pub(super) fn change(&mut self, change: &TextDocumentContentChangeEvent) -> Edit {
        let gone = match change.range {
            None => 0..self.content.len(),
            Some(range) => {
                let start = self.byte(range.start);
                start..self.byte(range.end).max(start)
            }
        };
        let come = change.text.len();
        let mut content = std::mem::take(&mut self.content);
        content.replace_range(gone.clone(), &change.text);
        *self = Self::new(content, self.encoding);
        Edit { gone, come }
    }

    fn width(&self, letter: char) -> usize {
        match self.encoding {
            Encoding::Utf8 => letter.len_utf8(),
            Encoding::Utf16 => letter.len_utf16(),
        }
    }
}
