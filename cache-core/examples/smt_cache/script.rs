//! What the asker wrote: the bytes as they came, and where each command begins and ends.
//!
//! Commands are cut out before they are read, since a client that writes into a pipe waits for the answer to one
//! before it writes the next. What no command can begin with ([`Next::Strange`]) is the solver's business.

use std::io::{self, Read};
use std::ops::Range;

/// What comes next in the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A command, from its first parenthesis to its last.
    Command(Range<usize>),
    /// Something that is no command begins here: a stray parenthesis, bytes that are no text.
    Strange(usize),
    /// The input ends, and with it no command is left open.
    End,
}

/// A place in the script, counted as solvers do: lines from 1, bytes in a line from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Whether the line before ends with a comment, behind which some versions of Z3 count columns from 1.
    pub(crate) behind_comment: bool,
}

/// The script as far as it was read.
#[derive(Debug)]
pub(crate) struct Script {
    /// Whether columns are counted as Z3 does it, who counts some from 1.
    is_z3: bool,
    bytes: Vec<u8>,
    /// Where each line begins, the first aside.
    lines: Vec<usize>,
    /// Those of them that begin behind a comment, in order.
    behind_comments: Vec<usize>,
    /// Up to here commands were handed out.
    taken: usize,
    ended: bool,
}

/// The bytes that mean something to the scanner within a command.
const STOPS: [bool; 256] = {
    let (mut stops, bytes, mut at) = ([false; 256], *b"()\"|;", 0);
    while at < bytes.len() {
        stops[bytes[at] as usize] = true;
        at += 1;
    }
    stops
};

/// What the scanner is inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Plain,
    Comment,
    Text,
    Quoted,
}

impl Script {
    /// A script of which nothing was read yet, for Z3 or another solver.
    pub(crate) fn new(is_z3: bool) -> Self {
        Self {
            is_z3,
            bytes: Vec::new(),
            lines: Vec::new(),
            behind_comments: Vec::new(),
            taken: 0,
            ended: false,
        }
    }

    /// Bytes of the script.
    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// Everything that was read and not handed out.
    pub(crate) fn rest(&self, from: usize) -> &[u8] {
        self.bytes.get(from..).unwrap_or_default()
    }

    /// Whether these bytes stand somewhere in what was read.
    pub(crate) fn contains(&self, text: &[u8]) -> bool {
        self.bytes.windows(text.len().max(1)).any(|window| window == text)
    }

    /// Where a byte stands.
    pub(crate) fn place(&self, at: usize) -> Place {
        let before = self.lines.partition_point(|begin| *begin <= at);
        let begin = before.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(0);
        // Z3 counts the columns of the first line from 1.
        Place {
            line: before + 1,
            column: at - begin + usize::from(before == 0 && self.is_z3),
            behind_comment: self.behind_comments.binary_search(&begin).is_ok(),
        }
    }

    /// The next command, read from `input` as far as needed.
    pub(crate) fn next(&mut self, input: &mut dyn Read) -> io::Result<Next> {
        let (mut at, mut depth, mut begin) = (self.taken, 0_usize, self.taken);
        let mut inside = Inside::Plain;
        loop {
            let Some(&byte) = self.bytes.get(at) else {
                if self.read(input)? {
                    continue;
                }
                self.taken = at;
                return Ok(if depth == 0 && inside != Inside::Quoted && inside != Inside::Text {
                    Next::End
                } else {
                    Next::Strange(begin)
                });
            };
            match (inside, byte) {
                (Inside::Comment, b'\n') => {
                    inside = Inside::Plain;
                    if self.behind_comments.last().is_none_or(|last| *last < at + 1) {
                        self.behind_comments.push(at + 1);
                    }
                }
                (Inside::Text, b'"') | (Inside::Quoted, b'|') => inside = Inside::Plain,
                // Z3 counts the columns of a line that begins inside a quoted symbol or a text from 1.
                (Inside::Quoted | Inside::Text, b'\n') => {
                    if self.is_z3
                        && let Ok(line) = self.lines.binary_search(&(at + 1))
                        && let Some(begin) = self.lines.get_mut(line)
                    {
                        *begin = at;
                    }
                }
                // Some solvers let a backslash quote the bar that follows, others do not.
                (Inside::Quoted, b'\\') => return Ok(Next::Strange(begin)),
                (Inside::Comment | Inside::Text | Inside::Quoted, _)
                | (Inside::Plain, b' ' | b'\t' | b'\r' | b'\n') => {}
                (Inside::Plain, b';') => inside = Inside::Comment,
                (Inside::Plain, b'(') => {
                    if depth == 0 {
                        begin = at;
                    }
                    depth += 1;
                }
                (Inside::Plain, _) if depth == 0 => return Ok(Next::Strange(at)),
                (Inside::Plain, b')') => {
                    depth -= 1;
                    if depth == 0 {
                        self.taken = at + 1;
                        return Ok(Next::Command(begin..at + 1));
                    }
                }
                (Inside::Plain, b'"') => inside = Inside::Text,
                (Inside::Plain, b'|') => inside = Inside::Quoted,
                (Inside::Plain, _) => {}
            }
            at += 1;
            if inside == Inside::Plain && depth > 0 {
                let rest = self.bytes.get(at..).unwrap_or_default();
                at += rest.iter().position(|byte| STOPS[usize::from(*byte)]).unwrap_or(rest.len());
            }
        }
    }

    /// Reads what there is; false at the end.
    fn read(&mut self, input: &mut dyn Read) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        // Little at first: for a small script no more memory is touched than it needs.
        let mut buffer = vec![0; self.bytes.len().clamp(1 << 12, 1 << 14)];
        let count = loop {
            match input.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count?,
            }
        };
        self.ended = count == 0;
        let fresh = buffer.get(..count).unwrap_or_default();
        let base = self.bytes.len();
        self.lines.extend(
            fresh.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| base + at + 1),
        );
        self.bytes.extend_from_slice(fresh);
        Ok(count > 0)
    }
}

/// Whether a command has this name.
pub(crate) fn is_called(command: &[u8], name: &str) -> bool {
    let words = command.strip_prefix(b"(").unwrap_or_default().trim_ascii_start();
    words.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}
