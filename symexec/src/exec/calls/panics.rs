//! Panics of Rust, told where they are raised.
//!
//! Everything that panics in Rust calls one of a few functions of `core` with the place in the program. They are
//! taken by their names instead of being run: what they would do, print a text and end the process, says less and
//! looks at values that it prints, which forks where these are unknown. So a panic is an error of its place in the
//! source, one for all values; values in its message are shown as `{}`. Panic hooks and `catch_unwind` see nothing
//! of it.

use crate::exec::{ErrorKind, Executor, PathError, State, Step};
use crate::memory::{Life, ObjectId, Value};
use crate::module::is_rust_library;

/// A function that panics, by its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Panic {
    /// A text in two words, and the place.
    Text,
    /// A message with values, by address, and the place.
    Format,
    /// An index and a length, and the place.
    Bounds,
}

/// Functions that panic, as Rust's compiler names them; a hash follows.
const FUNCTIONS: [(&str, Panic); 5] = [
    ("_ZN4core9panicking5panic17h", Panic::Text),
    ("_ZN4core9panicking9panic_str17h", Panic::Text),
    ("_ZN3std9panicking11begin_panic17h", Panic::Text),
    ("_ZN4core9panicking9panic_fmt17h", Panic::Format),
    ("_ZN4core9panicking18panic_bounds_check17h", Panic::Bounds),
];

/// The longest text that is read.
const LONGEST: u64 = 1000;

/// Which function that panics has this name.
pub(in crate::exec) fn find(name: &str) -> Option<Panic> {
    if !name.starts_with("_ZN") {
        return None;
    }
    FUNCTIONS.into_iter().find(|(start, _)| name.starts_with(start)).map(|(_, panic)| panic)
}

impl Executor<'_> {
    /// Ends the path with an error that says where the program panicked, and what about.
    pub(in crate::exec) fn panic(
        &mut self,
        state: &mut State,
        panic: Panic,
        arguments: &[Value],
    ) -> Step<()> {
        let at = |place: usize| arguments.get(place).copied().unwrap_or_default();
        let (text, place) = match panic {
            Panic::Text => (self.string(state, at(0), at(1)), at(2)),
            Panic::Format => (self.pieces(state, at(0)), at(1)),
            Panic::Bounds => {
                let shown = |value: Value| match value {
                    Value::Bits(number) => number.to_string(),
                    _ => "{}".to_owned(),
                };
                let text = format!(
                    "index out of bounds: the len is {} but the index is {}",
                    shown(at(1)),
                    shown(at(0))
                );
                (Some(text), at(2))
            }
        };
        let mut message = "panicked".to_owned();
        let place = self.location_of(state, place);
        if let Some((file, line, column)) = &place {
            message.push_str(&format!(" at {file}:{line}:{column}"));
        }
        if let Some(text) = text {
            message.push_str(&format!(": {text}"));
        }
        let place = place.map(|(file, line, _)| (file, line));
        let place = place.filter(|(file, _)| !is_rust_library(file)).or_else(|| self.own_place(state));
        Err(PathError { place, ..PathError::new(ErrorKind::Panic, message) }.into())
    }

    /// The innermost place that is not in Rust's library.
    fn own_place(&self, state: &State) -> Option<(String, u32)> {
        state.frames.iter().rev().find_map(|frame| {
            let location = self.module.locations.get(frame.location.index())?;
            let file = self.module.text(location.file?);
            (!is_rust_library(file) && location.line > 0).then(|| (file.to_owned(), location.line))
        })
    }

    /// A place in the source: a text in two words, then line and column.
    fn location_of(&mut self, state: &mut State, location: Value) -> Option<(String, u32, u32)> {
        let file = self.peek(state, location, 0, 8)?;
        let length = self.peek(state, location, 8, 8)?;
        let file = self.string(state, file, length)?;
        let number = |value: Value| match value {
            Value::Bits(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let line = number(self.peek(state, location, 16, 4)?)?;
        let column = number(self.peek(state, location, 20, 4)?)?;
        Some((file, line, column))
    }

    /// The constant parts of a message, whose table its first two words tell, with the values between them.
    fn pieces(&mut self, state: &mut State, message: Value) -> Option<String> {
        let table = self.peek(state, message, 0, 8)?;
        let Value::Bits(count) = self.peek(state, message, 8, 8)? else { return None };
        let mut parts = Vec::new();
        for place in 0..count.min(LONGEST) {
            let text = self.peek(state, table, 16 * place, 8)?;
            let length = self.peek(state, table, 16 * place + 8, 8)?;
            parts.push(self.string(state, text, length)?);
        }
        let mut text = parts.join("{}");
        // The number of values is the last of its words.
        if let Some(Value::Bits(values)) = self.peek(state, message, 40, 8)
            && values >= count.max(1)
        {
            text.push_str("{}");
        }
        Some(text)
    }

    /// A text by address and length; unknown bytes are question marks.
    fn string(&mut self, state: &mut State, text: Value, length: Value) -> Option<String> {
        let Value::Bits(length) = length else { return None };
        let mut bytes = Vec::new();
        for place in 0..length.min(LONGEST) {
            bytes.push(match self.peek(state, text, place, 1)? {
                Value::Bits(byte) => u8::try_from(byte).unwrap_or(b'?'),
                _ => b'?',
            });
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What lies at a distance from a known place, if it is there.
    fn peek(&mut self, state: &mut State, pointer: Value, distance: u64, bytes: u32) -> Option<Value> {
        let Value::Pointer { object, offset } = pointer else { return None };
        let place = offset.checked_add(distance)?;
        let readable = |object: ObjectId| {
            let object = state.memory.object(object)?;
            let end = place.checked_add(u64::from(bytes))?;
            (object.life == Life::Live && end <= object.size && object.length.is_none()).then_some(())
        };
        readable(object)?;
        Some(state.memory.load(&mut self.arena, &mut self.allocator, object, place, bytes))
    }
}
