//! The table of streams.
//!
//! A stream is a number in it; numbers are not used again, so that a closed stream is known as such. Captures, as
//! `with_output_to/2` needs them, are output streams without a place.

pub(super) mod encoding;
pub(super) mod locale;
pub(super) mod stream;

use crate::base::System;
use crate::term::{Atom, atom};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::io;
use stream::{EofAction, Place, Stream, StreamError, StreamMode};

/// The number of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub(crate) usize);

impl StreamId {
    /// `user_input`.
    pub const INPUT: Self = Self(0);
    /// `user_output`.
    pub const OUTPUT: Self = Self(1);
    /// `user_error`.
    pub const ERROR: Self = Self(2);
}

/// The table of streams.
#[derive(Debug)]
pub struct Streams {
    streams: BTreeMap<StreamId, Stream>,
    /// The number of the next stream.
    next: usize,
    aliases: FxHashMap<Atom, StreamId>,
    /// The current input.
    pub input: StreamId,
    /// The current output.
    pub output: StreamId,
    /// Why text for standard output was lost, if some was.
    pub lost: Option<io::Error>,
}

impl Default for Streams {
    fn default() -> Self {
        Self::new()
    }
}

impl Streams {
    /// The standard streams.
    #[must_use]
    pub fn new() -> Self {
        let standard = [
            (atom::USER_INPUT, StreamMode::Read, Place::Input),
            (atom::USER_OUTPUT, StreamMode::Append, Place::Output),
            (atom::USER_ERROR, StreamMode::Append, Place::Error),
        ];
        let mut streams = Self {
            streams: BTreeMap::new(),
            next: 0,
            aliases: FxHashMap::default(),
            input: StreamId::INPUT,
            output: StreamId::OUTPUT,
            lost: None,
        };
        for (alias, mode, place) in standard {
            let mut stream = Stream::new(mode, place);
            stream.aliases.push(alias);
            if place == Place::Input {
                stream.eof_action = EofAction::Reset;
            }
            streams.add(stream);
        }
        streams
    }

    /// Adds an open stream, with its aliases.
    pub fn add(&mut self, stream: Stream) -> StreamId {
        let id = StreamId(self.next);
        self.next += 1;
        for &alias in &stream.aliases {
            self.aliases.insert(alias, id);
        }
        self.streams.insert(id, stream);
        id
    }

    /// The stream of a number, if it is open.
    #[must_use]
    pub fn get(&self, id: StreamId) -> Option<&Stream> {
        self.streams.get(&id)
    }

    /// The stream of a number, if it is open.
    pub fn get_mut(&mut self, id: StreamId) -> Option<&mut Stream> {
        self.streams.get_mut(&id)
    }

    /// The stream of an alias.
    #[must_use]
    pub fn alias(&self, alias: Atom) -> Option<StreamId> {
        self.aliases.get(&alias).copied()
    }

    /// Gives an alias to a stream; another stream loses it.
    pub fn set_alias(&mut self, alias: Atom, id: StreamId) {
        if let Some(old) = self.aliases.insert(alias, id)
            && let Some(stream) = self.get_mut(old)
        {
            stream.aliases.retain(|&known| known != alias);
        }
        if let Some(stream) = self.get_mut(id) {
            stream.aliases.push(alias);
        }
    }

    /// The aliases and files of all streams.
    pub(super) fn names(&self) -> impl Iterator<Item = Atom> {
        self.streams.values().flat_map(|stream| stream.aliases.iter().copied().chain(stream.file))
    }

    /// The numbers of all open streams, in order.
    pub fn open(&self) -> impl Iterator<Item = StreamId> + '_ {
        self.streams.keys().copied()
    }

    /// Takes a stream out of the table; its aliases are free again, and where it was current the standard
    /// stream is.
    pub fn remove(&mut self, id: StreamId) -> Option<Stream> {
        let stream = self.streams.remove(&id)?;
        for alias in &stream.aliases {
            self.aliases.remove(alias);
        }
        if self.input == id {
            self.input = StreamId::INPUT;
        }
        if self.output == id {
            self.output = StreamId::OUTPUT;
        }
        Some(stream)
    }

    /// Closes a stream, after handing on what it holds back.
    ///
    /// # Errors
    /// That could not be written; the stream is closed all the same.
    pub fn close(&mut self, system: &mut dyn System, id: StreamId) -> Result<(), StreamError> {
        let Some(mut stream) = self.remove(id) else { return Ok(()) };
        let result = stream.flush(system);
        if let Place::File(file) = stream.place {
            system.close_file(file);
        }
        result
    }

    /// Starts to collect what is written to the current output. Returns the current output until now.
    pub fn start_capture(&mut self) -> StreamId {
        let capture = self.add(Stream::new(StreamMode::Write, Place::Memory));
        std::mem::replace(&mut self.output, capture)
    }

    /// Starts to collect what is written to the stream of an alias, by that name or as the current output. Returns the
    /// collecting stream and the one that had the alias.
    pub fn redirect(&mut self, alias: Atom) -> (StreamId, StreamId) {
        let collected = self.alias(alias).unwrap_or(StreamId::OUTPUT);
        let output = self.start_capture();
        let capture = self.output;
        if output != collected {
            self.output = output;
        }
        self.set_alias(alias, capture);
        (capture, collected)
    }

    /// Gives an alias back to the stream that had it before [`Streams::redirect`], and gives what was written.
    pub fn end_redirection(&mut self, alias: Atom, capture: StreamId, to: StreamId) -> String {
        let output = if self.output == capture { to } else { self.output };
        self.set_alias(alias, to);
        self.end_capture(capture, output)
    }

    /// Ends the capture that is the current output, and gives what was written.
    pub fn end_capture(&mut self, capture: StreamId, output: StreamId) -> String {
        let text = self.remove(capture).map(|stream| stream.pending).unwrap_or_default();
        self.output = if self.get(output).is_some() { output } else { StreamId::OUTPUT };
        String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Hands on what all output streams hold back.
    pub fn flush_all(&mut self, system: &mut dyn System) {
        for stream in self.streams.values_mut() {
            let result = stream.flush(system);
            if let (Err(StreamError::System(error)), Place::Output) = (result, stream.place) {
                self.lost.get_or_insert(error);
            }
        }
    }
}

/// The column behind a text that begins in a column. A tabulator goes to the next multiple of eight, a backspace one
/// back, a carriage return to the first.
#[must_use]
pub(crate) fn column_behind(column: usize, text: &str) -> usize {
    if !text.bytes().any(|byte| matches!(byte, 0x08..=0x0d)) {
        return column + text.chars().count();
    }
    text.chars().fold(column, |column, character| match character {
        '\t' => (column | 7) + 1,
        '\u{8}' => column.saturating_sub(1),
        '\n' | '\r' => 0,
        _ => column + 1,
    })
}
