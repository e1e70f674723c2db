//! Functions that the engine provides. Those of KLEE's interface are taken by name even where the
//! program has a body for them (drivers have empty ones, so that they link natively); of the others,
//! the program's own definition wins.
//!
//! Each kind has a file, with the names of its functions and what they do: `unknown` (inputs and assumptions), `heap`
//! (objects made and given back), `memory` (what is looked at and copied), `telling` (output and warnings), `paths`
//! (what concerns the path as a whole), `leaving` (what does not come back).

mod heap;
mod leaving;
mod memory;
mod paths;
mod telling;
mod unknown;

use self::heap::Heap;
use self::leaving::Leaving;
use self::memory::Memory;
use self::paths::Paths;
use self::telling::Telling;
use self::unknown::Unknown;
use crate::exec::{ErrorKind, Executor, ForkKind, PathError, State, Step, Stop};
use crate::expr::ExprId;
use crate::memory::Value;
use crate::module::{Call, Function};

/// The function by which an access is asked for that nobody may want: `(wanted, pointer, bytes, write)`. It
/// gives one where the access is certainly right, and otherwise whether it is wanted.
pub const CERTAIN_ACCESS: &str = "__symexec_certain_access";

/// The function that gives a word of what `-fsanitize=function` keeps of a function: `(function, word)`.
pub const SIGNATURE: &str = "__symexec_signature";

/// A function that the engine provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Builtin {
    Unknown(Unknown),
    Heap(Heap),
    Memory(Memory),
    Telling(Telling),
    Paths(Paths),
    Leaving(Leaving),
    /// Says no, or nothing.
    Nothing,
}

impl Builtin {
    /// What its forks count as.
    pub(in crate::exec) fn fork_kind(self) -> ForkKind {
        match self {
            Self::Heap(function) => function.fork_kind(),
            Self::Memory(function) => function.fork_kind(),
            Self::Unknown(Unknown::GetValue) => ForkKind::GetVal,
            _ => ForkKind::Call,
        }
    }

    /// The function under a name of KLEE's interface.
    fn of_klee(name: &str) -> Option<Self> {
        if matches!(name, "klee_is_replay" | "klee_posix_prefer_cex") {
            return Some(Self::Nothing);
        }
        Unknown::of_klee(name)
            .map(Self::Unknown)
            .or_else(|| Memory::of_klee(name).map(Self::Memory))
            .or_else(|| Telling::of_klee(name).map(Self::Telling))
            .or_else(|| Paths::of_klee(name).map(Self::Paths))
            .or_else(|| Leaving::of_klee(name).map(Self::Leaving))
    }

    /// The function under a name that the program may define itself.
    fn provided(name: &str) -> Option<Self> {
        Heap::provided(name)
            .map(Self::Heap)
            .or_else(|| Memory::provided(name).map(Self::Memory))
            .or_else(|| Leaving::provided(name).map(Self::Leaving))
            .or_else(|| Paths::provided(name).map(Self::Paths))
            .or_else(|| Unknown::provided(name).map(Self::Unknown))
            .or_else(|| Telling::provided(name).map(Self::Telling))
    }
}

/// Whether the engine provides a function of this name where the program has none.
#[must_use]
pub fn provides(name: &str) -> bool {
    super::external::computes(name)
        || find(&Function { name: name.to_owned(), ..Function::default() }).is_some()
}

/// The function that the engine provides under a name.
pub(in crate::exec) fn find(function: &Function) -> Option<Builtin> {
    let name = function.name.as_str();
    Builtin::of_klee(name).or_else(|| (!function.is_defined()).then(|| Builtin::provided(name)).flatten())
}

/// The arguments of a call, with their widths in bits.
struct Arguments<'a> {
    values: &'a [Value],
    widths: &'a [u32],
}

impl Arguments<'_> {
    /// An argument that must be there.
    fn get(&self, place: usize) -> Step<(Value, u32)> {
        let found = self.values.get(place).copied().zip(self.widths.get(place).copied());
        found.ok_or_else(|| {
            Stop::from(PathError::new(ErrorKind::User, "calling function with too few arguments"))
        })
    }
}

/// The longest string that is read from memory for a name or a message.
const LONGEST_TEXT: u64 = 4096;

impl Executor<'_> {
    /// Calls a function, and goes on behind the call if the function comes back.
    pub(in crate::exec) fn builtin(
        &mut self,
        state: &mut State,
        builtin: Builtin,
        call: &Call,
        arguments: &[Value],
        widths: &[u32],
    ) -> Step<()> {
        let arguments = &Arguments { values: arguments, widths };
        let result = match builtin {
            Builtin::Unknown(function) => self.unknown(state, function, arguments)?,
            Builtin::Heap(function) => self.heap(state, function, arguments)?,
            Builtin::Memory(function) => self.memory(state, function, arguments)?,
            Builtin::Telling(function) => self.telling(state, function, arguments)?,
            Builtin::Paths(function) => self.paths(state, function, arguments)?,
            Builtin::Leaving(function) => return self.leaving(state, function, arguments),
            Builtin::Nothing => Some(Value::Bits(0)).filter(|_| !call.results.is_empty()),
        };
        if let (Some(value), [width]) = (result, call.results.as_slice()) {
            let value = match value {
                Value::Bits(bits) => Value::Bits(bits & crate::base::bits::mask(*width)),
                value => value,
            };
            self.set(state, call.to, value);
        }
        self.advance(state);
        Ok(())
    }

    pub(in crate::exec) fn expression_of(
        &mut self,
        state: &mut State,
        (value, width): (Value, u32),
    ) -> ExprId {
        self.expression(state, value, width)
    }

    /// A number that steers the engine: the least one if it is unknown.
    pub(in crate::exec) fn number(
        &mut self,
        state: &mut State,
        argument: (Value, u32),
        why: &str,
    ) -> Step<u64> {
        let expr = self.expression_of(state, argument);
        self.concretize(state, expr, why)
    }

    /// A string of the program, up to its first byte that is zero or unknown.
    pub(in crate::exec) fn text(&mut self, state: &mut State, pointer: Value) -> Step<String> {
        let (object, start) = self.known_place(state, pointer, 1, false)?;
        let size = state.memory.object(object).map_or(0, |object| object.size);
        let mut bytes = Vec::new();
        for offset in start..size.min(start.saturating_add(LONGEST_TEXT)) {
            match state.memory.load(&mut self.arena, &mut self.allocator, object, offset, 1) {
                Value::Bits(byte) if byte != 0 => bytes.push(byte as u8),
                _ => break,
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Bytes of memory, with `unknown` for those that are not known.
    fn known_bytes(&mut self, state: &mut State, from: Value, count: u64, unknown: u8) -> Step<Vec<u8>> {
        let (object, start) = self.known_place(state, from, count, false)?;
        let mut bytes = Vec::new();
        for offset in start..start.saturating_add(count) {
            bytes.push(match state.memory.load(&mut self.arena, &mut self.allocator, object, offset, 1) {
                Value::Bits(byte) => byte as u8,
                _ => unknown,
            });
        }
        Ok(bytes)
    }
}
