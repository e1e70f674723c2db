//! Functions that the engine provides. Those of KLEE's interface are taken by name even where the
//! program has a body for them (drivers have empty ones, so that they link natively); of the others,
//! the program's own definition wins.

use std::rc::Rc;

use super::inputs::UNNAMED;
use super::panics::Panic;
use super::pointers::Offset;
use super::{Ending, ErrorKind, Executor, ForkKind, PathError, State, Step, Stop};
use crate::base::bits::BinaryOp;
use crate::expr::ExprId;
use crate::memory::{Origin, Value};
use crate::module::{Call, Callee, Function};

/// The function by which an access is asked for that nobody may want: `(wanted, pointer, bytes, write)`. It
/// gives one where the access is certainly right, and otherwise whether it is wanted.
pub const CERTAIN_ACCESS: &str = "__symexec_certain_access";

/// A function that the engine provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    MakeSymbolic,
    Assume,
    KleeAbort,
    ReportError,
    SilentExit,
    IsSymbolic,
    GetValue,
    PreferCex,
    Warning,
    WarningOnce,
    ObjectSize,
    CheckAccess,
    Range,
    Int,
    Choose,
    PrintValue,
    PrintRange,
    PrintCondition,
    StackTrace,
    DefineObject,
    GetErrno,
    SetForking,
    Position,
    CertainAccess,
    Nothing,
    NoEffect,
    OpenMerge,
    CloseMerge,
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    Free,
    Abort,
    Exit,
    AssertFail,
    Copy,
    Fill,
    ErrnoLocation,
    Write,
    MakeInput,
    SetJump,
    Jump,
    Destructor,
    Room,
    Aside,
    New,
    Delete(Origin),
    ReplacesNew,
    Pad,
    Clause,
    Land,
    Fail,
    Panic(Panic),
}

impl Builtin {
    /// What its forks count as.
    pub(super) fn fork_kind(self) -> ForkKind {
        match self {
            Self::Malloc | Self::Calloc | Self::AlignedAlloc => ForkKind::Alloc,
            Self::Realloc => ForkKind::Realloc,
            Self::Free | Self::Delete(_) => ForkKind::Free,
            Self::New => ForkKind::Alloc,
            Self::GetValue => ForkKind::GetVal,
            Self::Copy | Self::Fill => ForkKind::MemOp,
            Self::ObjectSize | Self::CheckAccess => ForkKind::ResolvePointer,
            _ => ForkKind::Call,
        }
    }
}

/// Whether the engine provides a function of this name where the program has none.
#[must_use]
pub fn provides(name: &str) -> bool {
    super::external::computes(name)
        || find(&Function { name: name.to_owned(), ..Function::default() }).is_some()
}

/// The function that the engine provides under a name.
pub(super) fn find(function: &Function) -> Option<Builtin> {
    use Builtin as B;
    let always = match function.name.as_str() {
        "klee_make_symbolic" => B::MakeSymbolic,
        "klee_assume" => B::Assume,
        "klee_abort" => B::KleeAbort,
        "klee_report_error" => B::ReportError,
        "klee_silent_exit" => B::SilentExit,
        "klee_is_symbolic" => B::IsSymbolic,
        "klee_get_valuef" | "klee_get_valued" | "klee_get_valuel" | "klee_get_valuell"
        | "klee_get_value_i32" | "klee_get_value_i64" => B::GetValue,
        "klee_prefer_cex" => B::PreferCex,
        "klee_warning" => B::Warning,
        "klee_warning_once" => B::WarningOnce,
        "klee_get_obj_size" => B::ObjectSize,
        "klee_check_memory_access" => B::CheckAccess,
        "klee_range" => B::Range,
        "klee_int" => B::Int,
        "klee_set_forking" => B::SetForking,
        "klee_choose" => B::Choose,
        "klee_print_expr" => B::PrintValue,
        "klee_print_range" => B::PrintRange,
        "klee_dump_kquery_var" => B::PrintCondition,
        "klee_stack_trace" => B::StackTrace,
        "klee_define_fixed_object" => B::DefineObject,
        "klee_get_errno" => B::GetErrno,
        // The runtime has one as well, for whoever compiles it natively.
        "__errno_location" => B::ErrnoLocation,
        "klee_is_replay" | "klee_mark_global" | "klee_posix_prefer_cex" => B::Nothing,
        "klee_open_merge" => B::OpenMerge,
        "klee_close_merge" => B::CloseMerge,
        "klee_merge" | "klee_alias_function" => B::NoEffect,
        name => match super::panics::find(name) {
            Some(panic) => B::Panic(panic),
            None if function.is_defined() => return None,
            None => return provided(name),
        },
    };
    Some(always)
}

/// Functions that are provided where the program has none.
fn provided(name: &str) -> Option<Builtin> {
    use Builtin as B;
    Some(match name {
        "malloc" => B::Malloc,
        "calloc" => B::Calloc,
        "realloc" => B::Realloc,
        "aligned_alloc" | "memalign" => B::AlignedAlloc,
        "free" | "cfree" => B::Free,
        "abort" => B::Abort,
        "exit" | "_exit" | "_Exit" => B::Exit,
        "__assert_fail" | "__assert_rtn" | "_assert" | "__assert" | "klee_assert_fail" => B::AssertFail,
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => B::Copy,
        "memset" | "__memset_chk" => B::Fill,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => B::SetJump,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => B::Jump,
        "__symexec_write" => B::Write,
        "__symexec_make_input" => B::MakeInput,
        "__symexec_destructor" => B::Destructor,
        "__symexec_room" => B::Room,
        "__symexec_position" => B::Position,
        CERTAIN_ACCESS => B::CertainAccess,
        "__symexec_aside" => B::Aside,
        "__symexec_new" => B::New,
        "__symexec_replaces_new" => B::ReplacesNew,
        "__symexec_pad" => B::Pad,
        "__symexec_clause" => B::Clause,
        "__symexec_land" => B::Land,
        "__symexec_fail" => B::Fail,
        _ => return super::operators::deletes(name).map(B::Delete),
    })
}

/// The longest string that is read from memory for a name or a message.
const LONGEST_TEXT: u64 = 4096;

impl Executor<'_> {
    pub(super) fn builtin(
        &mut self,
        state: &mut State,
        builtin: Builtin,
        call: &Call,
        arguments: &[Value],
        widths: &[u32],
    ) -> Step<()> {
        let argument = |place: usize| {
            let found = arguments.get(place).copied().zip(widths.get(place).copied());
            found.ok_or_else(|| {
                Stop::from(PathError::new(ErrorKind::User, "calling function with too few arguments"))
            })
        };
        let result = match builtin {
            Builtin::MakeSymbolic => {
                let size = match self.whole_size(state, argument(0)?.0, argument(1)?)? {
                    Some(size) => size,
                    None => self.number(state, argument(1)?, "size of an input")?,
                };
                let name = match arguments.get(2) {
                    Some(name) => self.input_name(state, *name)?,
                    None => UNNAMED.to_owned(),
                };
                self.make_symbolic(state, argument(0)?.0, size, &name, None)?;
                None
            }
            Builtin::MakeInput => {
                let size = self.number(state, argument(1)?, "size of an input")?;
                let name = self.text(state, argument(2)?.0)?;
                let shape = match argument(3)?.0 {
                    Value::Bits(0) => None,
                    shape => Some(Rc::from(self.known_bytes(state, shape, size, b'?')?)),
                };
                self.make_symbolic(state, argument(0)?.0, size, &name, shape.as_ref())?;
                None
            }
            Builtin::Assume => {
                let (value, width) = argument(0)?;
                let value = self.expression(state, value, width);
                let zero = self.arena.constant(width, 0);
                let fails = self.arena.equal(zero, value);
                let holds = self.arena.not(fails);
                if self.require(state, holds)?.is_none() {
                    if self.config.silent_assumptions {
                        return Err(Stop::Ended(Ending::Silent));
                    }
                    let message = "invalid klee_assume call (provably false)";
                    return Err(PathError::new(ErrorKind::User, message).into());
                }
                None
            }
            Builtin::KleeAbort | Builtin::Abort => {
                return Err(PathError::new(ErrorKind::Abort, "abort failure").into());
            }
            Builtin::ReportError => {
                let message = self.text(state, argument(2)?.0)?;
                let suffix = self.text(state, argument(3)?.0)?;
                // Some programs say `kind.err`, as the file is to be called.
                let suffix = suffix.strip_suffix(".err").unwrap_or(&suffix).to_owned();
                let named = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
                let plain = !suffix.is_empty() && !suffix.starts_with('.') && suffix.bytes().all(named);
                // What the runtime finds is told of where the program called it.
                self.leave_runtime(state);
                let error = PathError::new(ErrorKind::Report, message);
                return Err(PathError { suffix: plain.then_some(suffix), ..error }.into());
            }
            Builtin::AssertFail => {
                let message = self.text(state, argument(0)?.0)?;
                return Err(PathError::new(ErrorKind::Assert, format!("ASSERTION FAIL: {message}")).into());
            }
            Builtin::SilentExit => return Err(Stop::Ended(Ending::Silent)),
            Builtin::Exit => return Err(Stop::Ended(Ending::Exit)),
            Builtin::IsSymbolic => {
                let unknown = match argument(0)?.0 {
                    // What is computed from addresses alone is a number.
                    Value::Expr(expr) => {
                        let number = self.arena.concrete(expr);
                        self.arena.as_bits(number).is_none()
                    }
                    Value::Bits(_) | Value::Pointer { .. } => false,
                };
                Some(Value::Bits(u64::from(unknown)))
            }
            Builtin::GetValue => {
                let (value, width) = argument(0)?;
                let value = self.expression(state, value, width);
                self.resolve_merged(state, value)?;
                let least = self.chosen_value(state, value)?;
                let least = self.arena.bits(&least);
                Some(self.value(least))
            }
            Builtin::Warning | Builtin::WarningOnce => {
                let text = self.text(state, argument(0)?.0)?;
                let (function, _) = state.position();
                let text = format!("{}: {text}", self.module.functions[function.index()].name);
                if builtin == Builtin::Warning {
                    self.observer().warn(&text);
                } else {
                    self.warn_once(&text);
                }
                None
            }
            Builtin::Nothing => Some(Value::Bits(0)).filter(|_| !call.results.is_empty()),
            Builtin::OpenMerge => {
                self.open_meeting(state);
                None
            }
            Builtin::CloseMerge => {
                self.close_meeting(state)?;
                None
            }
            Builtin::NoEffect => {
                let name = match call.callee {
                    Callee::Function(function) => self.module.functions[function.index()].name.as_str(),
                    Callee::Pointer(_) => "a function of the engine",
                };
                self.warn_once(&format!("{name} has no effect here"));
                Some(Value::Bits(0)).filter(|_| !call.results.is_empty())
            }
            Builtin::PreferCex => {
                self.prefer(state, argument(1)?);
                None
            }
            Builtin::Choose => Some(self.choose_below(state, argument(0)?)?),
            Builtin::PrintValue | Builtin::PrintRange => {
                let text = self.text(state, argument(0)?.0)?;
                self.print_value(state, &text, argument(1)?, builtin == Builtin::PrintRange)?;
                None
            }
            Builtin::PrintCondition => {
                self.print_condition(state);
                None
            }
            Builtin::StackTrace => {
                self.print_stack(state);
                None
            }
            Builtin::DefineObject => {
                let size = self.number(state, argument(1)?, "size of an object")?;
                self.define_object(state, argument(0)?.0, size)?;
                None
            }
            Builtin::GetErrno => {
                let errno = state.errno;
                Some(state.memory.load(&mut self.arena, &mut self.allocator, errno, 0, 4))
            }
            Builtin::ObjectSize => {
                let (object, _) = self.resolve(state, argument(0)?.0)?;
                self.usable(state, object, false)?;
                let found = state.memory.object(object).map(|object| (object.size, object.length));
                Some(match found.unwrap_or_default() {
                    (_, Some(length)) => self.value(length),
                    (size, None) => Value::Bits(size),
                })
            }
            Builtin::Position => {
                let (text, (letter, width)) = (self.text(state, argument(0)?.0)?, argument(1)?);
                let letter = self.expression(state, letter, width);
                Some(Value::Bits(self.position_of(state, text.as_bytes(), letter)?))
            }
            Builtin::Room => {
                let (object, offset) = self.resolve(state, argument(0)?.0)?;
                let known = state.memory.object(object).is_some_and(|object| object.length.is_none());
                let live = known && self.usable(state, object, false).is_ok();
                let size = state.memory.object(object).map_or(0, |object| object.size);
                Some(Value::Bits(match offset {
                    Offset::Known(offset) if live => size.saturating_sub(offset),
                    _ => 0,
                }))
            }
            Builtin::CertainAccess => {
                let bytes = self.number(state, argument(2)?, "size of an access")?;
                let write = matches!(argument(3)?.0, Value::Bits(1));
                Some(self.certain_access(state, argument(0)?.0, argument(1)?.0, bytes, write))
            }
            Builtin::Aside => Some(self.aside(state)),
            Builtin::CheckAccess => {
                let size = self.number(state, argument(1)?, "size of an access")?;
                self.check_access(state, argument(0)?.0, size)?;
                None
            }
            Builtin::Int => {
                let name = self.input_name(state, argument(0)?.0)?;
                Some(self.symbolic_int(state, &name)?)
            }
            Builtin::Range => Some(self.range(state, argument(0)?, argument(1)?, argument(2)?.0)?),
            Builtin::Malloc => {
                let size = self.expression_of(state, argument(0)?);
                Some(self.allocate_unknown(state, size, 16)?)
            }
            Builtin::AlignedAlloc => {
                let alignment = self.number(state, argument(0)?, "alignment of an allocation")?;
                let size = self.expression_of(state, argument(1)?);
                Some(self.allocate_unknown(state, size, alignment.max(16))?)
            }
            Builtin::Calloc => {
                let count = self.expression_of(state, argument(0)?);
                let size = self.expression_of(state, argument(1)?);
                Some(match self.product(state, count, size)? {
                    Some(total) => self.allocate_unknown(state, total, 16)?,
                    None => Value::Bits(0),
                })
            }
            Builtin::Realloc => {
                let size = self.expression_of(state, argument(1)?);
                Some(self.reallocate(state, argument(0)?.0, size)?)
            }
            Builtin::Free => {
                self.give_back(state, argument(0)?.0, Origin::Malloc)?;
                None
            }
            Builtin::Delete(way) => {
                self.give_back(state, argument(0)?.0, way)?;
                None
            }
            Builtin::New => {
                let size = self.expression_of(state, argument(0)?);
                let alignment = self.number(state, argument(1)?, "alignment of an allocation")?;
                let form = self.number(state, argument(2)?, "form of an allocation")?;
                let value = self.allocate_unknown(state, size, alignment.max(16))?;
                if let Value::Pointer { object, .. } = value {
                    let origin = if form == 1 { Origin::New } else { Origin::NewArray };
                    state.memory.mark(object, |object| object.origin = origin);
                }
                Some(value)
            }
            Builtin::ReplacesNew => {
                let aligned = self.number(state, argument(0)?, "form of an allocation")? != 0;
                Some(Value::Bits(u64::from(self.own_operators.replaces_new(aligned))))
            }
            Builtin::Pad => {
                let below = self.number(state, argument(0)?, "number of an activation")?;
                Some(Value::Bits(self.next_pad(state, below)))
            }
            Builtin::Clause => {
                let activation = self.number(state, argument(0)?, "number of an activation")?;
                let number = self.number(state, argument(1)?, "number of a clause")?;
                Some(Value::Bits(u64::from(self.clause(state, activation, number, argument(2)?.0)?)))
            }
            Builtin::Land => {
                let activation = self.number(state, argument(0)?, "number of an activation")?;
                return self.land(state, activation, argument(1)?.0, argument(2)?.0);
            }
            Builtin::Panic(panic) => return self.panic(state, panic, arguments),
            Builtin::Fail => {
                let kind = self.number(state, argument(0)?, "kind of an error")?;
                return self.fail(state, kind, argument(1)?.0, argument(2)?.0);
            }
            Builtin::Copy => {
                let length = self.expression_of(state, argument(2)?);
                let length = self.enumerate(state, length)?;
                self.copy_memory(state, argument(0)?.0, argument(1)?.0, length)?;
                Some(argument(0)?.0)
            }
            Builtin::Fill => {
                let length = self.expression_of(state, argument(2)?);
                let length = self.enumerate(state, length)?;
                let byte = self.expression_of(state, argument(1)?);
                let byte = self.arena.extract(byte, 0, 8);
                let byte = self.value(byte);
                self.fill_memory(state, argument(0)?.0, byte, length)?;
                Some(argument(0)?.0)
            }
            // All output is taken.
            Builtin::Write => {
                self.written(state, argument(0)?.0, argument(1)?.0, argument(2)?)?;
                Some(argument(2)?.0)
            }
            Builtin::SetForking => {
                state.forks = self.number(state, argument(0)?, "switch of forking")? != 0;
                None
            }
            Builtin::SetJump => {
                self.set_jump(state, argument(0)?.0)?;
                Some(Value::Bits(0))
            }
            Builtin::Jump => return self.jump(state, argument(0)?.0, argument(1)?),
            Builtin::Destructor => {
                let place = self.number(state, argument(0)?, "number of a destructor")?;
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                let function = self.module.destructors.get(place);
                let object = function.and_then(|function| state.functions.get(function.index()));
                Some(object.map_or(Value::Bits(0), |object| Value::Pointer { object: *object, offset: 0 }))
            }
            Builtin::ErrnoLocation => Some(Value::Pointer { object: state.errno, offset: 0 }),
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

    pub(super) fn expression_of(&mut self, state: &mut State, (value, width): (Value, u32)) -> ExprId {
        self.expression(state, value, width)
    }

    /// A number that steers the engine: the least one if it is unknown.
    pub(super) fn number(&mut self, state: &mut State, argument: (Value, u32), why: &str) -> Step<u64> {
        let expr = self.expression_of(state, argument);
        self.concretize(state, expr, why)
    }

    /// A string of the program, up to its first byte that is zero or unknown.
    pub(super) fn text(&mut self, state: &mut State, pointer: Value) -> Step<String> {
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

    /// Output: its bytes must be there, whoever looks at them. The observer is shown what is known.
    fn written(
        &mut self,
        state: &mut State,
        descriptor: Value,
        from: Value,
        (count, width): (Value, u32),
    ) -> Step<()> {
        let count = match count {
            Value::Bits(count) => count,
            count => {
                let count = self.expression(state, count, width);
                let count = match width {
                    64 => count,
                    0..64 => self.arena.zero_extend(count, 64),
                    _ => self.arena.extract(count, 0, 64),
                };
                self.readable(state, from, count)?;
                if let Value::Bits(descriptor) = descriptor
                    && self.config.echo
                {
                    self.observer().output(descriptor, b"?");
                }
                return Ok(());
            }
        };
        if count == 0 {
            return Ok(());
        }
        match descriptor {
            Value::Bits(descriptor) if self.config.echo => {
                let bytes = self.known_bytes(state, from, count, b'?')?;
                self.observer().output(descriptor, &bytes);
            }
            _ => {
                self.place(state, from, count, false)?;
            }
        }
        Ok(())
    }

    /// Checks a read of an unknown number of bytes, without a state for each number. None is always fine.
    fn readable(&mut self, state: &mut State, from: Value, count: ExprId) -> Step<()> {
        let zero = self.arena.constant(64, 0);
        let none = self.arena.equal(zero, count);
        let live = matches!(from, Value::Pointer { object, .. } if self.usable(state, object, false).is_ok());
        // Only what cannot fail for other reasons needs no path of its own for nothing at all.
        if !live && self.decide(state, none)? {
            return Ok(());
        }
        let (object, offset) = self.resolve(state, from)?;
        self.usable(state, object, false)?;
        let found = state.memory.object(object).map(|object| (object.size, object.length));
        let (size, length) = found.unwrap_or_default();
        // The length of a text in its object is known to fit without a question.
        if let (Offset::Known(start), None) = (offset, length)
            && let Some(left) = size.checked_sub(start)
        {
            let (least, most) = self.arena.range(count);
            if least >= 0 && most <= i128::from(left) {
                return Ok(());
            }
        }
        let size = length.unwrap_or_else(|| self.arena.constant(64, size));
        let start = match offset {
            Offset::Known(offset) => self.arena.constant(64, offset),
            Offset::Unknown(offset) => offset,
        };
        // Outside if the start is, or if more is wanted than there is from there.
        let left = self.arena.binary(BinaryOp::Sub, size, start);
        let starts_outside = self.arena.less(size, start);
        let too_many = self.arena.less(left, count);
        let outside = self.arena.binary(BinaryOp::Or, starts_outside, too_many);
        let some = self.arena.not(none);
        let outside = self.arena.and(some, outside);
        if self.fails(state, outside)? {
            let mut error = self.out_of_bounds(state, object, offset, 0);
            error.details.pop();
            error.details.push("access: an unknown number of bytes".to_owned());
            return Err(error.into());
        }
        Ok(())
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
