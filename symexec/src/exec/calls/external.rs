//! Functions that lie outside: the inexact ones of `math.h`, and those that a user declared.
//!
//! Neither is followed; both are computed for known arguments. The functions of `math.h` are the system's
//! own, as Rust's library reaches them, or called as if they were declared (`mathematics`). A declared one
//! lies in a program of its own (`report::external` writes it), started for each call with the arguments
//! and the buffers that pointers lead to, and giving back its result and the buffers: so a call can neither
//! harm the engine nor leave a trace that another path would see. What is unknown is made known before,
//! with a warning.

mod declaration;
mod mathematics;

use std::path::PathBuf;

pub(crate) use declaration::MOST_PARAMETERS;
pub use declaration::{Declaration, DeclarationError, Passed};
pub(crate) use mathematics::by_parts;
pub use mathematics::mathematics;

use crate::base::bits::{Bits, mask, signed};
use crate::exec::access::pointers::Offset;
use crate::exec::{ErrorKind, Executor, PathError, State, Step, Stop};
use crate::expr::ExprId;
use crate::memory::{ObjectId, Value};
use crate::module::{Call, FunctionId, Register};

/// What may be called outside of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExternalCalls {
    /// Nothing.
    None,
    /// Functions whose arguments are known.
    Concrete,
    /// Functions whose arguments can be made known.
    #[default]
    All,
}

reprise_tools::names!(
    ExternalCalls, "treatment of external calls":
    None = "none", Concrete = "concrete", All = "all"
);

/// Which calls of functions outside are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExternalWarnings {
    /// None.
    None,
    /// The first one of each function.
    #[default]
    Once,
    /// All.
    All,
}

reprise_tools::names!(
    ExternalWarnings, "warnings of external calls": None = "none", Once = "once-per-function", All = "all"
);

/// What happens where the program calls a function that nobody defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// The path ends with an error.
    #[default]
    Error,
    /// The call fails with `ENOSYS`: it gives back -1, or null where it gives back a pointer.
    Enosys,
}

reprise_tools::names!(Undefined, "treatment of undefined functions": Error = "error", Enosys = "enosys");

/// A declared function and the program that it lies in.
#[derive(Clone, Debug)]
pub struct External {
    /// The function.
    pub declaration: Declaration,
    /// The program, which takes the number of the function and its arguments, and prints what they come to.
    pub program: PathBuf,
    /// The function's number there.
    pub number: usize,
}

/// How many bits of a `long double` count.
const EXTENDED: u32 = 80;

/// Buffers are handed over as a program's arguments, which may be so long.
const LARGEST_BUFFER: u64 = 1 << 15;

/// A function of one number: of `double` and of `float`.
type One = (&'static str, fn(f64) -> f64, fn(f32) -> f32);
/// A function of two numbers.
type Two = (&'static str, fn(f64, f64) -> f64, fn(f32, f32) -> f32);

/// Functions of `math.h` for which Rust's library calls the system's.
const ONE: &[One] = &[
    ("acos", f64::acos, f32::acos),
    ("asin", f64::asin, f32::asin),
    ("atan", f64::atan, f32::atan),
    ("cbrt", f64::cbrt, f32::cbrt),
    ("cos", f64::cos, f32::cos),
    ("cosh", f64::cosh, f32::cosh),
    ("exp", f64::exp, f32::exp),
    ("exp2", f64::exp2, f32::exp2),
    ("expm1", f64::exp_m1, f32::exp_m1),
    ("log", f64::ln, f32::ln),
    ("log10", f64::log10, f32::log10),
    ("log1p", f64::ln_1p, f32::ln_1p),
    ("log2", f64::log2, f32::log2),
    ("sin", f64::sin, f32::sin),
    ("sinh", f64::sinh, f32::sinh),
    ("tan", f64::tan, f32::tan),
    ("tanh", f64::tanh, f32::tanh),
];

const TWO: &[Two] =
    &[("atan2", f64::atan2, f32::atan2), ("hypot", f64::hypot, f32::hypot), ("pow", f64::powf, f32::powf)];

/// A function of `math.h`.
#[derive(Clone, Copy)]
enum Math {
    One(&'static One),
    Two(&'static Two),
}

/// The function of a name, and whether it is the one for `float`.
fn math(name: &str) -> Option<(Math, bool)> {
    let of = |name: &str| {
        let one = ONE.iter().find(|one| one.0 == name).map(Math::One);
        one.or_else(|| TWO.iter().find(|two| two.0 == name).map(Math::Two))
    };
    of(name).map(|found| (found, false)).or_else(|| of(name.strip_suffix('f')?).map(|found| (found, true)))
}

/// Whether a function of this name is computed outside without having been declared.
pub(in crate::exec) fn computes(name: &str) -> bool {
    math(name).is_some() || mathematics(name).is_some()
}

/// Values of `errno`.
const ENOSYS: u64 = 38;
const EDOM: u64 = 33;
const ERANGE: u64 = 34;

impl Executor<'_> {
    /// Calls a function that the program does not define.
    pub(in crate::exec) fn call_outside(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        call: &Call,
        arguments: &[Value],
        widths: &[u32],
    ) -> Step<()> {
        let config = self.config;
        let module = self.module;
        let function = &module.functions[callee.index()];
        let name = function.name.as_str();
        let declared = config.externals.iter().find(|external| external.declaration.name == name);
        let math = math(name);
        if declared.is_none() && math.is_none() && config.undefined == Undefined::Enosys {
            self.warn_once(&format!("undefined function: {name}: calls fail with ENOSYS (--undefined)"));
            self.set_errno(state, ENOSYS);
            let result = if function.returns_pointer { 0 } else { u64::MAX };
            for (place, width) in (call.to.0..).zip(&call.results) {
                let value = match *width {
                    0..=64 => Value::Bits(result & mask(*width)),
                    width => Value::Expr(self.arena.constant(width, 0)),
                };
                self.set(state, Register(place), value);
            }
            self.advance(state);
            return Ok(());
        }
        if config.external_calls == ExternalCalls::None {
            self.observer().warn(&format!("Disallowed call to external function: {name}"));
            return Err(PathError::new(ErrorKind::User, "external calls disallowed").into());
        }
        if declared.is_none() && math.is_none() {
            if config.external_calls == ExternalCalls::Concrete {
                self.refuse_unknown(state, name, arguments)?;
            }
            let way = if is_of_cxx_library(name) {
                "it is of a C++ library: `cargo xtask setup --languages` brings libc++, against which C++ is then compiled"
            } else {
                "give the file that defines it as well, declare it by --external-call, or let it fail by \
                 --undefined=enosys"
            };
            let message =
                format!("failed external call: {name}: there is no definition of `{name}` here; {way}");
            return Err(PathError::new(ErrorKind::External, message).into());
        }
        self.explored.external_calls += 1;
        let result = match (declared, math) {
            (Some(declared), _) => self.call_declared(state, declared, call, arguments, widths)?,
            (None, Some((function, single))) => {
                Some(self.compute_outside(state, name, function, single, arguments, widths)?)
            }
            (None, None) => None,
        };
        match (result, call.results.as_slice()) {
            (Some(value), [width]) => {
                let value = match value {
                    Value::Bits(bits) => Value::Bits(bits & mask(*width)),
                    value => value,
                };
                self.set(state, call.to, value);
            }
            (_, []) => {}
            _ => return Err(unlike(name)),
        }
        self.advance(state);
        Ok(())
    }

    /// An argument's bits.
    fn known_argument(&mut self, state: &mut State, name: &str, value: Value, width: u32) -> Step<u64> {
        if let Value::Bits(bits) = value {
            return Ok(bits & mask(width));
        }
        let expr = self.argument_outside(state, name, value, width)?;
        self.concretize(state, expr, &format!("argument of {name}"))
    }

    /// The bits of a `long double`, as the program that is called reads them.
    fn known_extended(&mut self, state: &mut State, name: &str, value: Value) -> Step<String> {
        let expr = self.argument_outside(state, name, value, EXTENDED)?;
        let bits = self.concretize_bits(state, expr, &format!("argument of {name}"))?;
        let part = |low, width| bits.extract(low, width).to_u64().unwrap_or(0);
        Ok(format!("{:x}.{:x}", part(0, 64), part(64, 16)))
    }

    /// An argument, which may be unknown only where that is allowed.
    fn argument_outside(&mut self, state: &mut State, name: &str, value: Value, width: u32) -> Step<ExprId> {
        let expr = self.expression(state, value, width);
        if self.config.external_calls != ExternalCalls::All && !self.has_one_value(state, expr)? {
            let message = format!("external call with symbolic argument: {name}");
            return Err(PathError::new(ErrorKind::User, message).into());
        }
        Ok(expr)
    }

    /// Nothing outside is called with unknown arguments; that is told before it is told that there is nothing, as in KLEE.
    fn refuse_unknown(&mut self, state: &mut State, name: &str, arguments: &[Value]) -> Step<()> {
        for value in arguments {
            if let Value::Expr(expr) = *value
                && !self.has_one_value(state, expr)?
            {
                let message = format!("external call with symbolic argument: {name}");
                return Err(PathError::new(ErrorKind::User, message).into());
            }
        }
        Ok(())
    }

    fn compute_outside(
        &mut self,
        state: &mut State,
        name: &str,
        function: Math,
        single: bool,
        arguments: &[Value],
        widths: &[u32],
    ) -> Step<Value> {
        let width = if single { 32 } else { 64 };
        let count = if matches!(function, Math::One(_)) { 1 } else { 2 };
        if arguments.len() != count || widths.iter().any(|given| *given != width) {
            return Err(unlike(name));
        }
        let mut bits = [0; 2];
        for (place, argument) in bits.iter_mut().zip(arguments) {
            *place = match *argument {
                Value::Bits(bits) => bits & mask(width),
                argument => {
                    let expr = self.argument_outside(state, name, argument, width)?;
                    self.few_or_least(state, expr, &format!("argument of {name}"))?
                }
            };
        }
        let numbers = bits
            .map(|bits| if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) });
        let [a, b] = numbers;
        let (number, bits) = match (function, single) {
            (Math::One((_, double, _)), false) => of_double(double(a)),
            (Math::Two((_, double, _)), false) => of_double(double(a, b)),
            (Math::One((_, _, float)), true) => of_float(float(a as f32)),
            (Math::Two((_, _, float)), true) => of_float(float(a as f32, b as f32)),
        };
        let given = &numbers[..count];
        let vanished = number == 0.0
            && match function {
                Math::One((name, ..)) => name.starts_with("exp") && *name != "expm1",
                Math::Two((name, ..)) => *name == "pow" && a != 0.0,
            };
        if number.is_nan() && !given.iter().any(|one| one.is_nan()) {
            self.set_errno(state, EDOM);
        } else if (number.is_infinite() || vanished) && given.iter().all(|one| one.is_finite()) {
            self.set_errno(state, ERANGE);
        }
        Ok(Value::Bits(bits))
    }

    fn set_errno(&mut self, state: &mut State, error: u64) {
        let errno = state.errno;
        state.memory.store(&mut self.arena, &mut self.allocator, errno, 0, 4, Value::Bits(error));
    }

    fn call_declared(
        &mut self,
        state: &mut State,
        external: &External,
        call: &Call,
        arguments: &[Value],
        widths: &[u32],
    ) -> Step<Option<Value>> {
        let Declaration { name, parameters, result, .. } = &external.declaration;
        if arguments.len() != parameters.len() {
            return Err(unlike(name));
        }
        self.warn_once(&format!("calling external: {name}"));
        let mut words = vec![external.number.to_string()];
        let mut buffers: Vec<(ObjectId, Vec<u8>)> = Vec::new();
        let given = call.arguments.iter().zip(arguments.iter().zip(widths));
        for (passed, (argument, (value, width))) in parameters.iter().zip(given) {
            let expected = match passed {
                Passed::Integer => 8..=64,
                Passed::Single => 32..=32,
                Passed::Double | Passed::Pointer => 64..=64,
                Passed::Extended => 80..=80,
            };
            // Truths have one bit.
            if !expected.contains(width) && (*width != 1 || *passed != Passed::Integer) {
                return Err(unlike(name));
            }
            words.push(match passed {
                Passed::Pointer => self.buffer(state, name, *value, &mut buffers)?,
                Passed::Extended => self.known_extended(state, name, *value)?,
                _ => {
                    let bits = self.known_argument(state, name, *value, *width)?;
                    let filled = argument.filled();
                    let bits =
                        if filled > *width { signed(bits, *width) as u64 & mask(filled) } else { bits };
                    format!("{bits:x}")
                }
            });
        }
        for (_, bytes) in &buffers {
            words.push(hexadecimal(bytes));
        }
        let arguments: Vec<_> = words.into_iter().map(Into::into).collect();
        let failed = |how: String| {
            Stop::from(PathError::new(ErrorKind::External, format!("failed external call: {name}: {how}")))
        };
        let output =
            self.system.run(&external.program, &arguments).map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(format!("it did not come back ({})", output.status)));
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let answer = Answer::read(&said, buffers.len()).ok_or_else(|| failed("no answer".to_owned()))?;
        for ((object, before), after) in buffers.iter().zip(&answer.buffers) {
            if before.len() != after.len() {
                return Err(failed("no answer".to_owned()));
            }
            if before != after {
                self.usable(state, *object, true)?;
            }
            for (offset, (_, byte)) in
                (0u64..).zip(before.iter().zip(after)).filter(|(_, (old, new))| old != new)
            {
                let byte = Value::Bits(u64::from(*byte));
                state.memory.store(&mut self.arena, &mut self.allocator, *object, offset, 1, byte);
            }
        }
        if answer.errno != 0 {
            self.set_errno(state, answer.errno);
        }
        Ok(match (result, answer.inside) {
            (None, _) => None,
            (Some(Passed::Pointer), Some(place)) => {
                let (object, _) = buffers.get(place).ok_or_else(|| failed("no answer".to_owned()))?;
                Some(Value::Pointer { object: *object, offset: answer.result as u64 })
            }
            (Some(Passed::Pointer), None) if answer.result != 0 => {
                return Err(failed("it gave a pointer to memory that is not the program's".to_owned()));
            }
            (Some(Passed::Extended), _) => {
                let bits =
                    Bits::from_le_bytes(EXTENDED, &answer.result.to_le_bytes()[..EXTENDED as usize / 8]);
                Some(Value::Expr(self.arena.bits(&bits)))
            }
            (Some(_), _) => Some(Value::Bits(answer.result as u64)),
        })
    }

    /// A pointer as a word for the program that is called: which buffer, and how far into it.
    fn buffer(
        &mut self,
        state: &mut State,
        name: &str,
        pointer: Value,
        buffers: &mut Vec<(ObjectId, Vec<u8>)>,
    ) -> Step<String> {
        let number = self.expression(state, pointer, 64);
        let zero = self.arena.constant(64, 0);
        let is_null = self.arena.equal(zero, number);
        if self.decide(state, is_null)? {
            return Ok("-".to_owned());
        }
        let (object, offset) = self.resolve(state, pointer)?;
        self.usable(state, object, false)?;
        let offset = match offset {
            Offset::Known(offset) => offset,
            Offset::Unknown(offset) => self.concretize(state, offset, &format!("argument of {name}"))?,
        };
        let size = state.memory.object(object).map_or(0, |object| object.size);
        if size > LARGEST_BUFFER || offset > size {
            let message = format!(
                "failed external call: {name}: it is given a pointer into an object of {size} bytes, and those of \
                 {LARGEST_BUFFER} at most are handed over"
            );
            return Err(PathError::new(ErrorKind::External, message).into());
        }
        let place = match buffers.iter().position(|(known, _)| *known == object) {
            Some(place) => place,
            None => {
                let mut bytes = Vec::new();
                for at in 0..size {
                    let byte = state.memory.load(&mut self.arena, &mut self.allocator, object, at, 1);
                    bytes.push(self.known_argument(state, name, byte, 8)? as u8);
                    if !matches!(byte, Value::Bits(_)) {
                        // It was made known by a constraint; memory is told as well.
                        let known = Value::Bits(u64::from(bytes.last().copied().unwrap_or(0)));
                        if !matches!(byte, Value::Pointer { .. }) && self.usable(state, object, true).is_ok()
                        {
                            state.memory.store(&mut self.arena, &mut self.allocator, object, at, 1, known);
                        }
                    }
                }
                buffers.push((object, bytes));
                buffers.len() - 1
            }
        };
        Ok(format!("{place}:{offset:x}"))
    }
}

fn of_double(number: f64) -> (f64, u64) {
    (number, number.to_bits())
}

fn of_float(number: f32) -> (f64, u64) {
    (f64::from(number), u64::from(number.to_bits()))
}

fn unlike(name: &str) -> Stop {
    let message =
        format!("failed external call: {name}: it is called with other types than it is declared with");
    PathError::new(ErrorKind::External, message).into()
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("=");
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// What the program of a declared function prints.
struct Answer {
    result: u128,
    /// The buffer into which a resulting pointer points; the result is then the distance from its start.
    inside: Option<usize>,
    errno: u64,
    buffers: Vec<Vec<u8>>,
}

impl Answer {
    /// The last lines that begin with the sign of an answer; a function may print as well.
    fn read(text: &str, buffers: usize) -> Option<Self> {
        let line = text.lines().rev().find_map(|line| line.strip_prefix("\u{1}"))?;
        let mut words = line.split(' ');
        let number = |word: &str| u64::from_str_radix(word, 16).ok();
        let result = u128::from_str_radix(words.next()?, 16).ok()?;
        let inside = match words.next()? {
            "-" => None,
            word => Some(word.parse().ok()?),
        };
        let errno = number(words.next()?)?;
        let bytes = |word: &str| -> Option<Vec<u8>> {
            let digits = word.strip_prefix('=')?;
            let pairs = (0..digits.len() / 2).map(|place| digits.get(place * 2..place * 2 + 2));
            pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
        };
        let buffers = (0..buffers).map(|_| bytes(words.next()?)).collect::<Option<_>>()?;
        Some(Self { result, inside, errno, buffers })
    }
}

/// Whether a function is of the namespace `std`, by its name.
fn is_of_cxx_library(name: &str) -> bool {
    ["_ZNSt", "_ZNKSt", "_ZSt", "_ZNSs", "_ZNKSs", "_ZNSo", "_ZNSi", "_ZNSa", "_ZNKSa"]
        .iter()
        .any(|start| name.starts_with(start))
}
