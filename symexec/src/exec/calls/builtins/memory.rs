//! Memory as it is looked at and written: sizes, accesses that are asked about, copies, known places.

use super::{Arguments, CERTAIN_ACCESS, SIGNATURE};
use crate::exec::access::allocate::points_nowhere;
use crate::exec::access::pointers::Offset;
use crate::exec::{ErrorKind, Executor, ForkKind, PathError, State, Step};
use crate::expr::ExprId;
use crate::memory::Value;

/// A function about memory that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Memory {
    DefineObject,
    ObjectSize,
    Room,
    CheckAccess,
    CertainAccess,
    Position,
    Signature,
    Copy,
    /// The same, where the compiler knows how much room there is (`_FORTIFY_SOURCE`).
    CheckedCopy,
    Fill,
    CheckedFill,
    ErrnoLocation,
    GetErrno,
    MarkGlobal,
    Destructor,
}

impl Memory {
    /// Under a name of KLEE's interface, or under one that the runtime has as well, for whoever compiles it natively.
    pub(super) fn of_klee(name: &str) -> Option<Self> {
        Some(match name {
            "klee_define_fixed_object" => Self::DefineObject,
            "klee_get_obj_size" => Self::ObjectSize,
            "klee_check_memory_access" => Self::CheckAccess,
            "klee_get_errno" => Self::GetErrno,
            "klee_mark_global" => Self::MarkGlobal,
            "__errno_location" => Self::ErrnoLocation,
            _ => return None,
        })
    }

    /// Under a name that the program may define itself.
    pub(super) fn provided(name: &str) -> Option<Self> {
        Some(match name {
            "memcpy" | "memmove" => Self::Copy,
            "__memcpy_chk" | "__memmove_chk" => Self::CheckedCopy,
            "memset" => Self::Fill,
            "__memset_chk" => Self::CheckedFill,
            "__symexec_room" => Self::Room,
            "__symexec_position" => Self::Position,
            SIGNATURE => Self::Signature,
            "__symexec_destructor" => Self::Destructor,
            CERTAIN_ACCESS => Self::CertainAccess,
            _ => return None,
        })
    }

    /// What its forks count as.
    pub(super) fn fork_kind(self) -> ForkKind {
        match self {
            Self::Copy | Self::CheckedCopy | Self::Fill | Self::CheckedFill => ForkKind::MemOp,
            Self::ObjectSize | Self::CheckAccess => ForkKind::ResolvePointer,
            _ => ForkKind::Call,
        }
    }
}

impl Executor<'_> {
    /// What a function about memory gives back.
    pub(super) fn memory(
        &mut self,
        state: &mut State,
        function: Memory,
        arguments: &Arguments<'_>,
    ) -> Step<Option<Value>> {
        Ok(match function {
            Memory::DefineObject => {
                let size = self.number(state, arguments.get(1)?, "size of an object")?;
                self.define_object(state, arguments.get(0)?.0, size)?;
                None
            }
            Memory::ObjectSize => {
                let nowhere = |stop| points_nowhere(stop, "klee_get_obj_size");
                let (object, _) = self.resolve(state, arguments.get(0)?.0).map_err(nowhere)?;
                self.usable(state, object, false).map_err(nowhere)?;
                let found = state.memory.object(object).map(|object| (object.size, object.length));
                Some(match found.unwrap_or_default() {
                    (_, Some(length)) => self.value(length),
                    (size, None) => Value::Bits(size),
                })
            }
            Memory::Room => {
                let (object, offset) = self.resolve(state, arguments.get(0)?.0)?;
                let known = state.memory.object(object).is_some_and(|object| object.length.is_none());
                let live = known && self.usable(state, object, false).is_ok();
                let size = state.memory.object(object).map_or(0, |object| object.size);
                Some(Value::Bits(match offset {
                    Offset::Known(offset) if live => size.saturating_sub(offset),
                    _ => 0,
                }))
            }
            Memory::MarkGlobal => {
                let (object, _) = self.resolve(state, arguments.get(0)?.0)?;
                self.usable(state, object, false)?;
                state.memory.mark_global(object);
                None
            }
            Memory::CheckAccess => {
                let size = self.number(state, arguments.get(1)?, "size of an access")?;
                self.check_access(state, arguments.get(0)?.0, size)?;
                None
            }
            Memory::CertainAccess => {
                let bytes = self.number(state, arguments.get(2)?, "size of an access")?;
                let write = matches!(arguments.get(3)?.0, Value::Bits(1));
                Some(self.certain_access(state, arguments.get(0)?.0, arguments.get(1)?.0, bytes, write))
            }
            Memory::Position => {
                let (text, (letter, width)) = (self.text(state, arguments.get(0)?.0)?, arguments.get(1)?);
                let letter = self.expression(state, letter, width);
                Some(Value::Bits(self.position_of(state, text.as_bytes(), letter)?))
            }
            Memory::Signature => {
                let function = self.called_function(state, arguments.get(0)?.0)?;
                let word = self.number(state, arguments.get(1)?, "word of a signature")?;
                let signature = self.module.functions[function.index()].signature;
                let word = usize::try_from(word).ok().and_then(|word| signature.get(word));
                Some(Value::Bits(word.copied().map_or(0, u64::from)))
            }
            Memory::Copy | Memory::CheckedCopy => {
                let length = self.expression_of(state, arguments.get(2)?);
                if function == Memory::CheckedCopy {
                    self.demand_room(state, length, arguments.get(3)?, "memcpy overflow")?;
                }
                let length = self.enumerate(state, length)?;
                self.copy_memory(state, arguments.get(0)?.0, arguments.get(1)?.0, length)?;
                Some(arguments.get(0)?.0)
            }
            Memory::Fill | Memory::CheckedFill => {
                let length = self.expression_of(state, arguments.get(2)?);
                if function == Memory::CheckedFill {
                    self.demand_room(state, length, arguments.get(3)?, "memset overflow")?;
                }
                let length = self.enumerate(state, length)?;
                let byte = self.expression_of(state, arguments.get(1)?);
                let byte = self.arena.extract(byte, 0, 8);
                let byte = self.value(byte);
                self.fill_memory(state, arguments.get(0)?.0, byte, length)?;
                Some(arguments.get(0)?.0)
            }
            Memory::ErrnoLocation => Some(Value::Pointer { object: state.errno, offset: 0 }),
            Memory::GetErrno => {
                let errno = state.errno;
                Some(state.memory.load(&mut self.arena, &mut self.allocator, errno, 0, 4))
            }
            Memory::Destructor => {
                let place = self.number(state, arguments.get(0)?, "number of a destructor")?;
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                let function = self.module.destructors.get(place);
                let object = function.and_then(|function| state.functions.get(function.index()));
                Some(object.map_or(Value::Bits(0), |object| Value::Pointer { object: *object, offset: 0 }))
            }
        })
    }

    /// What is written fits into the room that the compiler knows of, which may be a part of an object. Where it knows
    /// nothing, this is the greatest number.
    fn demand_room(
        &mut self,
        state: &mut State,
        length: ExprId,
        room: (Value, u32),
        otherwise: &str,
    ) -> Step<()> {
        let room = self.expression_of(state, room);
        let (room, length) = (self.wide(room), self.wide(length));
        let exceeds = self.arena.less(room, length);
        if self.fails(state, exceeds)? {
            return Err(PathError::new(ErrorKind::Ptr, otherwise).into());
        }
        Ok(())
    }

    /// A number of bytes in 64 bits. A caller that sees another prototype may pass it narrower or wider.
    pub(super) fn wide(&mut self, count: ExprId) -> ExprId {
        match self.arena.width(count) {
            64 => count,
            0..64 => self.arena.zero_extend(count, 64),
            _ => self.arena.extract(count, 0, 64),
        }
    }
}
