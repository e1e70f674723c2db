//! Streams: what a program reads and writes, and where it stands in it.
//!
//! An input stream holds decoded text (or bytes, if it is binary) from where the program stands, and asks for another
//! block when that ends; a stream that can be repositioned keeps what was read. An output stream holds bytes until
//! there are enough, somebody asks for them to be written, goes to another place, or a program waits for input.
//!
//! What the operating system refuses is a [`StreamError`]; the predicates of streams turn it into terms.

use super::encoding::Encoding;
use crate::base::{FileHandle, System};
use crate::read::{Conversions, Lexer, Token};
use crate::term::Atom;
use std::io;

/// What a stream was opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamMode {
    /// Reading.
    Read,
    /// Writing from an empty file on.
    Write,
    /// Writing behind what is there.
    Append,
    /// Writing over what is there.
    Update,
}

/// What reading behind the end does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EofAction {
    /// It is an error.
    Error,
    /// It meets the end again.
    #[default]
    EofCode,
    /// It looks whether there is more now.
    Reset,
}

/// Where bytes come from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Standard input.
    Input,
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// A file.
    File(FileHandle),
    /// Nowhere: what is written is kept, and what is read is all there already.
    Memory,
}

/// Where a program stands in a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamPosition {
    /// Bytes before it.
    pub bytes: usize,
    /// Characters before it.
    pub characters: usize,
    /// Lines before it.
    pub lines: usize,
    /// The column on its line: the characters before it, unless some of them move further.
    pub column: usize,
}

impl StreamPosition {
    /// The line, counted from 1.
    #[must_use]
    pub fn line(self) -> usize {
        self.lines + 1
    }

    /// Goes past a text.
    pub(crate) fn pass(&mut self, text: &str) {
        self.bytes += text.len();
        let characters = text.chars().count();
        self.characters += characters;
        match text.rfind('\n') {
            Some(newline) => {
                self.lines += text.matches('\n').count();
                self.column = super::column_behind(0, &text[newline + 1..]);
            }
            None => self.column = super::column_behind(self.column, text),
        }
    }
}

/// Why a stream gives or takes nothing.
#[derive(Debug)]
pub enum StreamError {
    /// The operating system says so.
    System(io::Error),
    /// The bytes are not text in the stream's encoding, or a character has no bytes in it.
    Encoding,
    /// The end was met before, and meeting it again is an error.
    PastEnd,
}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// How far input has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndOfStream {
    /// Something is left, or may come.
    Not,
    /// Nothing is left.
    At,
    /// The end was read.
    Past,
}

/// A stream.
#[derive(Debug)]
pub struct Stream {
    /// What it was opened for.
    pub mode: StreamMode,
    /// Where its bytes are.
    pub place: Place,
    /// The name of its file, as the program gave it.
    pub file: Option<Atom>,
    /// Its other names.
    pub aliases: Vec<Atom>,
    /// Whether it is a stream of bytes.
    pub binary: bool,
    /// How its characters are bytes.
    pub encoding: Encoding,
    /// Input: whether its first bytes may tell another encoding.
    pub looks_for_mark: bool,
    /// Whether its first bytes tell its encoding.
    pub is_marked: bool,
    /// What reading behind its end does.
    pub eof_action: EofAction,
    /// Whether it can be repositioned.
    pub reposition: bool,
    /// Where the program stands.
    pub position: StreamPosition,
    /// Input: what was decoded, and how much of it the program has read.
    text: String,
    at: usize,
    /// Input: the start of a character whose end did not come yet; of a binary stream all bytes, with `at` counting
    /// in them.
    bytes: Vec<u8>,
    /// Input: bytes were met that are no characters. [`char::REPLACEMENT_CHARACTER`] stands for them.
    invalid: bool,
    /// Input: no more bytes come.
    exhausted: bool,
    /// Input: the end was read.
    past: bool,
    /// Output: what is not handed on yet.
    pub(in crate::machine) pending: Vec<u8>,
}

/// Text of an input stream that is being parsed.
#[derive(Debug)]
pub struct ClauseText {
    text: String,
    /// Where to start in it.
    pub at: usize,
    end: usize,
    start: StreamPosition,
}

impl ClauseText {
    /// The text, which ends with the clause.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text[..self.end]
    }

    /// The stream's position at a byte of the text that is not before the start.
    #[must_use]
    pub fn position(&self, byte: usize) -> StreamPosition {
        let mut position = self.start;
        position.pass(self.text.get(self.at..byte).unwrap_or_default());
        position
    }
}

/// What is read and dropped when this much of it was read.
const KEEP: usize = 1 << 16;
/// Output is handed on when there is this much of it.
const FULL: usize = 1 << 16;

impl Stream {
    /// A stream at its start.
    #[must_use]
    pub fn new(mode: StreamMode, place: Place) -> Self {
        Self {
            mode,
            place,
            file: None,
            aliases: Vec::new(),
            binary: false,
            encoding: Encoding::Utf8,
            looks_for_mark: false,
            is_marked: false,
            eof_action: EofAction::EofCode,
            reposition: false,
            position: StreamPosition::default(),
            text: String::new(),
            at: 0,
            bytes: Vec::new(),
            invalid: false,
            exhausted: false,
            past: false,
            pending: Vec::new(),
        }
    }

    /// A text as an input stream.
    #[must_use]
    pub fn of_text(text: String) -> Self {
        Self { text, exhausted: true, reposition: true, ..Self::new(StreamMode::Read, Place::Memory) }
    }

    /// Whether it is read from.
    #[must_use]
    pub fn is_input(&self) -> bool {
        self.mode == StreamMode::Read
    }

    /// How far input has come, as far as that is known without waiting for more.
    #[must_use]
    pub fn end(&self) -> EndOfStream {
        let left = if self.binary { self.at < self.bytes.len() } else { self.at < self.text.len() };
        if self.past {
            EndOfStream::Past
        } else if left || !self.exhausted {
            EndOfStream::Not
        } else {
            EndOfStream::At
        }
    }

    /// The same, where a file of which nothing is at hand is asked for more: it has it, or ends here.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn found_end(&mut self, system: &mut dyn System) -> Result<EndOfStream, StreamError> {
        let left = if self.binary { self.at < self.bytes.len() } else { self.at < self.text.len() };
        if matches!(self.place, Place::File(_)) && !left {
            self.fill(system)?;
        }
        Ok(self.end())
    }

    /// Asks for another block. False at the end.
    fn fill(&mut self, system: &mut dyn System) -> Result<bool, StreamError> {
        if self.exhausted {
            return Ok(false);
        }
        if !self.reposition && self.at > KEEP {
            if self.binary {
                self.bytes.drain(..self.at);
            } else {
                self.text.drain(..self.at);
            }
            self.at = 0;
        }
        let count = match self.place {
            Place::Input => system.read_input(&mut self.bytes)?,
            Place::File(file) => system.read_block(file, &mut self.bytes)?,
            Place::Output | Place::Error | Place::Memory => 0,
        };
        self.exhausted = count == 0;
        if !self.binary {
            self.decode();
        }
        Ok(count > 0)
    }

    /// Turns as many bytes as possible into text.
    fn decode(&mut self) {
        if self.looks_for_mark {
            // The longest mark has three bytes.
            if self.bytes.len() < 3 && !self.exhausted {
                return;
            }
            self.looks_for_mark = false;
            if let Some((encoding, length)) = Encoding::marked(&self.bytes) {
                self.encoding = encoding;
                self.is_marked = true;
                self.bytes.drain(..length);
            }
        }
        self.invalid |= !self.encoding.decode(&mut self.bytes, &mut self.text, self.exhausted);
    }

    /// Fills until there is something to read. False at the end.
    fn ready(&mut self, system: &mut dyn System) -> Result<bool, StreamError> {
        if self.past {
            match self.eof_action {
                EofAction::Error => return Err(StreamError::PastEnd),
                EofAction::EofCode => return Ok(false),
                EofAction::Reset => {
                    self.past = false;
                    self.exhausted = self.place == Place::Memory;
                }
            }
        }
        loop {
            let length = if self.binary { self.bytes.len() } else { self.text.len() };
            if self.at < length {
                return Ok(true);
            }
            if self.exhausted {
                return Ok(false);
            }
            self.fill(system)?;
        }
    }

    /// The next character, which stays there. `None` at the end.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn peek(&mut self, system: &mut dyn System) -> Result<Option<char>, StreamError> {
        Ok(if self.ready(system)? { self.text[self.at..].chars().next() } else { None })
    }

    /// The next character, which is passed. `None` at the end, which is passed as well.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn next(&mut self, system: &mut dyn System) -> Result<Option<char>, StreamError> {
        let next = self.peek(system)?;
        match next {
            Some(character) => self.pass(character.len_utf8()),
            None => self.past = true,
        }
        if self.invalid && next == Some(char::REPLACEMENT_CHARACTER) {
            return Err(StreamError::Encoding);
        }
        Ok(next)
    }

    /// The next byte of a binary stream, which stays there.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn peek_byte(&mut self, system: &mut dyn System) -> Result<Option<u8>, StreamError> {
        Ok(if self.ready(system)? { Some(self.bytes[self.at]) } else { None })
    }

    /// The next byte of a binary stream, which is passed.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn next_byte(&mut self, system: &mut dyn System) -> Result<Option<u8>, StreamError> {
        let next = self.peek_byte(system)?;
        if next.is_some() {
            self.at += 1;
            self.position.bytes += 1;
            self.position.characters += 1;
        } else {
            self.past = true;
        }
        Ok(next)
    }

    fn pass(&mut self, length: usize) {
        self.position.pass(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// The rest of the line, without its end, which is passed; `None` at the end of the stream.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn next_line(&mut self, system: &mut dyn System) -> Result<Option<String>, StreamError> {
        if !self.ready(system)? {
            self.past = true;
            return Ok(None);
        }
        let mut searched = self.at;
        loop {
            if let Some(length) = self.text[searched..].find('\n') {
                let end = searched + length;
                let line = self.text[self.at..end].to_owned();
                self.pass(end + 1 - self.at);
                return self.valid(line).map(Some);
            }
            // Filling may drop what lies before the program's place.
            let ahead = self.text.len() - self.at;
            let filled = self.fill(system)?;
            searched = self.at + ahead;
            if !filled {
                let line = self.text[self.at..].to_owned();
                self.pass(line.len());
                return self.valid(line).map(Some);
            }
        }
    }

    /// So many of the next characters, which stay there, or all where there are less.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn peek_text(&mut self, system: &mut dyn System, count: usize) -> Result<String, StreamError> {
        if !self.ready(system)? {
            return Ok(String::new());
        }
        while self.text[self.at..].chars().nth(count).is_none() && self.fill(system)? {}
        self.valid(self.text[self.at..].chars().take(count).collect())
    }

    /// The text, unless bytes in it were no characters.
    fn valid(&self, text: String) -> Result<String, StreamError> {
        if self.invalid && text.contains(char::REPLACEMENT_CHARACTER) {
            return Err(StreamError::Encoding);
        }
        Ok(text)
    }

    /// All that is left.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn rest(&mut self, system: &mut dyn System) -> Result<String, StreamError> {
        while self.fill(system)? {}
        let rest = self.text[self.at..].to_owned();
        self.pass(rest.len());
        self.past = true;
        self.valid(rest)
    }

    /// Lends the text up to and with the next full stop, for parsing. It must be given back.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn take_clause(
        &mut self,
        system: &mut dyn System,
        conversions: &Conversions,
    ) -> Result<ClauseText, StreamError> {
        let end = if self.ready(system)? { self.clause_end(system, conversions)? } else { self.at };
        if self.invalid && self.text[self.at..end].contains(char::REPLACEMENT_CHARACTER) {
            self.pass(end - self.at);
            return Err(StreamError::Encoding);
        }
        Ok(ClauseText { text: std::mem::take(&mut self.text), at: self.at, end, start: self.position })
    }

    /// Takes back what [`Stream::take_clause`] lent, and passes it up to where the reader went on after an error, if
    /// that is less. `at_end`: it held nothing to read.
    pub fn give_back(&mut self, clause: ClauseText, passed: usize, at_end: bool) {
        self.text = clause.text;
        self.pass(clause.end.min(passed.max(clause.at)) - clause.at);
        self.past = at_end;
    }

    /// The place behind the next full stop, or the end of the text. A token is looked at again for each block that
    /// ends inside it.
    fn clause_end(
        &mut self,
        system: &mut dyn System,
        conversions: &Conversions,
    ) -> Result<usize, StreamError> {
        let mut from = self.at;
        loop {
            let mut lexer = Lexer::new(&self.text, from).converting(conversions.clone());
            let token = lexer.token();
            let end = lexer.position();
            if (end >= self.text.len() || lexer.ran_out()) && !self.exhausted {
                // The token may go on in the next block; filling may drop what was passed.
                let ahead = from - self.at;
                self.fill(system)?;
                from = self.at + ahead;
                continue;
            }
            match token {
                Ok(Token::End | Token::EndOfText) => return Ok(end),
                Err(_) if lexer.broke_off() => return Ok(end),
                Ok(_) | Err(_) => from = end,
            }
        }
    }

    /// How many bytes there are.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn length(&mut self, system: &mut dyn System) -> Result<usize, StreamError> {
        if !self.is_input() {
            self.flush(system)?;
            let Place::File(file) = self.place else { return Ok(self.position.bytes) };
            return Ok(usize::try_from(system.file_length(file)?).unwrap_or(usize::MAX));
        }
        while self.fill(system)? {}
        Ok(if self.binary { self.bytes.len() } else { self.text.len() })
    }

    /// Goes to a position that the stream had before, or may have later. False if there is none such.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn seek(&mut self, system: &mut dyn System, position: StreamPosition) -> Result<bool, StreamError> {
        if !self.is_input() {
            return self.seek_output(system, position);
        }
        while self.fill(system)? {}
        let target = position.bytes;
        let valid = if self.binary { target <= self.bytes.len() } else { self.text.is_char_boundary(target) };
        if valid {
            self.at = target;
            self.position = position;
            self.past = false;
        }
        Ok(valid)
    }

    fn seek_output(
        &mut self,
        system: &mut dyn System,
        position: StreamPosition,
    ) -> Result<bool, StreamError> {
        let Place::File(file) = self.place else { return Ok(false) };
        let valid = position.bytes <= self.length(system)?;
        if valid {
            system.seek_file(file, position.bytes as u64)?;
            self.position = position;
        }
        Ok(valid)
    }

    /// Writes a text.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn write(&mut self, system: &mut dyn System, text: &str) -> Result<(), StreamError> {
        let (bytes, held) = (self.position.bytes, self.pending.len());
        self.position.pass(text);
        if !self.encoding.encode(text, &mut self.pending) {
            return Err(StreamError::Encoding);
        }
        // Positions of outputs are places in files.
        self.position.bytes = bytes + (self.pending.len() - held);
        self.written(system)
    }

    /// Writes what tells a reader the encoding. It is no character of the text.
    pub fn write_mark(&mut self) {
        // An encoding that has no bytes for the mark needs none.
        let mut mark = Vec::new();
        if self.encoding.encode("\u{feff}", &mut mark) {
            self.position.bytes += mark.len();
            self.is_marked = true;
            self.pending.extend(mark);
        }
    }

    /// Writes a byte.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn write_byte(&mut self, system: &mut dyn System, byte: u8) -> Result<(), StreamError> {
        self.pending.push(byte);
        self.position.bytes += 1;
        self.position.characters += 1;
        self.written(system)
    }

    fn written(&mut self, system: &mut dyn System) -> Result<(), StreamError> {
        let full = self.pending.len() > FULL && self.place != Place::Memory;
        if full || self.place == Place::Error { self.flush(system) } else { Ok(()) }
    }

    /// Hands on what is held back. What cannot be written is lost.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn flush(&mut self, system: &mut dyn System) -> Result<(), StreamError> {
        if self.pending.is_empty() || self.place == Place::Memory {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        match self.place {
            Place::Output => system.write_output(&pending)?,
            Place::Error => system.write_error(&pending)?,
            Place::File(file) => system.write_block(file, &pending)?,
            Place::Input | Place::Memory => {}
        }
        Ok(())
    }
}
