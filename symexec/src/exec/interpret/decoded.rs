//! The straight road, a second time: instructions that were executed on it before, in a form that takes few steps.
//!
//! An instruction says what a reader of programs wants to know, and each time it is executed somebody has to find out
//! that its result has 32 bits, that its second operand is a number, that it was covered long ago. What was executed
//! once is *decoded*: these things are looked at, and what is left is sixteen bytes. Only instructions that were
//! completed are, so nothing needs to be noted of them but which way a branch went; how many there were is said by
//! where a stretch of them began and where it ended.
//!
//! A decoded instruction means what it meant before (module `known`), and completes if and only if that one does.

use std::rc::Rc;

use super::known::{self, Operands, Surroundings};
use crate::base::bits::BinaryOp;
use crate::exec::search::coverage::Branches;
use crate::exec::{Executor, Frame, State};
use crate::memory::{Memory, Value};
use crate::module::{EdgeId, Function, Instruction, Module, Operand, Predicate, Register};

/// The decoded instructions of all functions.
pub(in crate::exec) struct Decoded(Vec<Vec<Code>>);

/// An instruction. Widths are of at most 64 bits.
#[derive(Clone, Copy)]
enum Code {
    /// It is not decoded.
    Whole,
    /// Reads a variable of so many bytes.
    Load { bytes: u8, to: Register, pointer: Operand },
    /// Writes one.
    Store { bytes: u8, value: Operand, pointer: Operand },
    /// An operation.
    Binary { op: BinaryOp, width: u8, to: Register, left: Operand, right: Operand },
    /// One whose second operand is a number.
    BinaryNumber { op: BinaryOp, width: u8, to: Register, left: Operand, right: u32 },
    /// A comparison.
    Compare { predicate: Predicate, width: u8, to: Register, left: Operand, right: Operand },
    /// One whose second operand is a number.
    CompareNumber { predicate: Predicate, width: u8, to: Register, left: Operand, right: u32 },
    /// A pointer plus a number.
    Behind { to: Register, base: Operand, constant: i32 },
    /// A pointer plus a number of elements.
    Element { width: u8, scale: u16, to: Register, base: Operand, index: Operand },
    /// Some low bits.
    Low { width: u8, to: Register, value: Operand },
    /// A wider number with zeros above.
    ZeroExtend { to: Register, value: Operand },
    /// A wider number with copies of its highest bit above.
    SignExtend { from: u8, width: u8, to: Register, value: Operand },
    /// A value as it is.
    Copy { to: Register, value: Operand },
    /// A jump without moves.
    Go { target: u32 },
    /// A jump.
    Jump { edge: EdgeId },
    /// A branch.
    Branch { condition: Operand, yes: EdgeId, no: EdgeId },
}

impl Decoded {
    /// Nothing is decoded yet.
    pub(in crate::exec) fn of(module: &Module) -> Self {
        Self(module.functions.iter().map(|_| Vec::new()).collect())
    }
}

/// The decoded form of an instruction, if it has one.
fn decode(instruction: Instruction, function: &Function, constants: &[Option<Value>]) -> Code {
    let number = |operand: Operand| match operand.get() {
        Err(constant) => match constants.get(constant.index()) {
            Some(Some(Value::Bits(bits))) => u32::try_from(*bits).ok(),
            _ => None,
        },
        Ok(_) => None,
    };
    let narrow = |width: u32| u8::try_from(width).ok().filter(|width| (1..=64).contains(width));
    let whole_bytes = |width: u32| u8::try_from(width / 8).ok().filter(|_| width.is_multiple_of(8));
    let decoded = match instruction {
        Instruction::Load { width, to, pointer } => {
            whole_bytes(width).map(|bytes| Code::Load { bytes, to, pointer })
        }
        Instruction::Store { width, value, pointer } => {
            whole_bytes(width).map(|bytes| Code::Store { bytes, value, pointer })
        }
        Instruction::Binary { op, width, to, left, right } => {
            narrow(width).map(|width| match number(right) {
                Some(right) => Code::BinaryNumber { op, width, to, left, right },
                None => Code::Binary { op, width, to, left, right },
            })
        }
        Instruction::Compare { predicate, width, to, left, right } => {
            narrow(width).map(|width| match number(right) {
                Some(right) => Code::CompareNumber { predicate, width, to, left, right },
                None => Code::Compare { predicate, width, to, left, right },
            })
        }
        Instruction::Offset { to, base, constant, first, count } => {
            let terms = function.terms.get(first as usize..(first + count) as usize).unwrap_or_default();
            match terms {
                [] => i32::try_from(constant).ok().map(|constant| Code::Behind { to, base, constant }),
                [term] if constant == 0 => u16::try_from(term.scale)
                    .ok()
                    .zip(narrow(term.width))
                    .map(|(scale, width)| Code::Element { width, scale, to, base, index: term.index }),
                _ => None,
            }
        }
        Instruction::Extend { signed: is_signed, from, width, to, value } => {
            narrow(width).zip(narrow(from)).map(|(width, from)| {
                if is_signed {
                    Code::SignExtend { from, width, to, value }
                } else {
                    Code::ZeroExtend { to, value }
                }
            })
        }
        Instruction::Extract { from, low: 0, width, to, value } if from <= 64 => {
            narrow(width).map(|width| Code::Low { width, to, value })
        }
        Instruction::Copy { to, value, .. } => Some(Code::Copy { to, value }),
        Instruction::Jump(edge) => match function.edges.get(edge.index()) {
            Some(found) if found.count == 0 => Some(Code::Go { target: found.target }),
            _ => Some(Code::Jump { edge }),
        },
        Instruction::Branch { condition, yes, no } => Some(Code::Branch { condition, yes, no }),
        _ => None,
    };
    decoded.unwrap_or(Code::Whole)
}

/// How a stretch of decoded instructions ended.
struct Stretch {
    /// Where the next instruction is.
    position: u32,
    /// How many were executed.
    done: u64,
    /// Whether a branch took a side that none had taken before.
    new_side: bool,
}

impl Executor<'_> {
    /// Executes instructions of the innermost activation as long as everything that they need is known, at most `most`;
    /// how many.
    pub(super) fn run_known(&mut self, state: &mut State, most: u64) -> u64 {
        let Self { module, config, coverage, constants, switches, decoded, allocator, .. } = self;
        let State { frames, memory, new_coverage, new_lines, .. } = state;
        let Some(frame) = frames.last_mut().map(Rc::make_mut) else { return 0 };
        let id = frame.function;
        let function = &module.functions[id.index()];
        let codes = &mut decoded.0[id.index()];
        if codes.is_empty() {
            codes.resize(function.code.len(), Code::Whole);
        }
        let Frame { registers, locals, .. } = frame;
        let mut at = Operands { registers, constants };
        let mut position = frame.position;
        let mut done = 0;
        while done < most {
            let stretch =
                run(&mut at, function, codes, memory, coverage.branches_of(id), position, most - done);
            position = stretch.position;
            done += stretch.done;
            *new_coverage |= stretch.new_side && config.new_sides;
            let place = position as usize;
            let (Some(code), Some(instruction)) = (codes.get_mut(place), function.code.get(place)) else {
                break;
            };
            if done == most || !matches!(code, Code::Whole) {
                break;
            }
            let mut around = Surroundings { config, switches, allocator, locals, coverage, new_coverage };
            let Some(next) = known::complete(&mut at, (id, function), position, memory, &mut around) else {
                break;
            };
            if coverage.done(id, position) {
                *new_coverage = true;
                if let Some(location) = function.locations.get(place) {
                    Rc::make_mut(new_lines).insert(*location);
                }
            }
            *code = decode(*instruction, function, constants);
            done += 1;
            position = next;
        }
        if done > 0 {
            frame.position = position;
            if let Some(location) = function.locations.get(position as usize) {
                frame.location = *location;
            }
            self.explored.instructions += done;
        }
        done
    }
}

/// Executes decoded instructions, at most so many, up to the first that is not decoded or does not complete.
fn run(
    at: &mut Operands<'_>,
    function: &Function,
    codes: &[Code],
    memory: &mut Memory,
    mut branches: Branches<'_>,
    begin: u32,
    most: u64,
) -> Stretch {
    // Where the instructions end that may be executed if no jump comes before.
    let until = |begin: usize, most: u64| {
        let end = begin.saturating_add(usize::try_from(most).unwrap_or(usize::MAX));
        codes.get(..end).unwrap_or(codes)
    };
    let mut new_side = false;
    let mut position = begin as usize;
    // What has to be added to a position for the number of executed instructions; only jumps change it.
    let mut before = 0u64.wrapping_sub(position as u64);
    let mut stretch = until(position, most);
    while let Some(code) = stretch.get(position) {
        let target = match *code {
            Code::Whole => break,
            Code::Load { bytes, to, pointer } => {
                let Some(Value::Pointer { object, offset }) = at.get(pointer) else { break };
                let Some(contents) = memory.readable(object, offset, bytes.into()) else { break };
                if let Some(number) = contents.read_number(offset, bytes.into()) {
                    at.set(to, Value::Bits(number));
                } else {
                    let Some(value) = contents.read_piece(offset, bytes.into()) else { break };
                    at.set(to, value);
                }
                None
            }
            Code::Store { bytes, value, pointer } => {
                let (Some(value), Some(Value::Pointer { object, offset })) = (at.get(value), at.get(pointer))
                else {
                    break;
                };
                if !memory.store_known(object, offset, bytes.into(), value) {
                    break;
                }
                None
            }
            Code::Binary { op, width, to, left, right } => {
                let (Some(left), Some(right)) = (at.get(left), at.get(right)) else { break };
                let Some(value) = binary(op, width, left, right) else { break };
                at.set(to, value);
                None
            }
            Code::BinaryNumber { op, width, to, left, right } => {
                let Some(left) = at.get(left) else { break };
                let right = Value::Bits(right.into());
                let Some(value) = binary(op, width, left, right) else { break };
                at.set(to, value);
                None
            }
            Code::Compare { predicate, width, to, left, right } => {
                let (Some(left), Some(right)) = (at.get(left), at.get(right)) else { break };
                let Some(truth) = truth(predicate, width, left, right, memory) else { break };
                at.set(to, Value::Bits(truth.into()));
                None
            }
            Code::CompareNumber { predicate, width, to, left, right } => {
                let Some(left) = at.get(left) else { break };
                let right = Value::Bits(right.into());
                let Some(truth) = truth(predicate, width, left, right, memory) else { break };
                at.set(to, Value::Bits(truth.into()));
                None
            }
            Code::Behind { to, base, constant } => {
                let Some(value) = at.get(base).and_then(|base| behind(base, i64::from(constant) as u64))
                else {
                    break;
                };
                at.set(to, value);
                None
            }
            Code::Element { width, scale, to, base, index } => {
                let (Some(base), Some(index)) = (at.get(base), at.bits(index)) else { break };
                let bytes = signed(index, width).wrapping_mul(scale.into());
                let Some(value) = behind(base, bytes) else { break };
                at.set(to, value);
                None
            }
            Code::Low { width, to, value } => {
                let Some(bits) = at.bits(value) else { break };
                at.set(to, Value::Bits(low(bits, width)));
                None
            }
            Code::ZeroExtend { to, value } => {
                let Some(bits) = at.bits(value) else { break };
                at.set(to, Value::Bits(bits));
                None
            }
            Code::SignExtend { from, width, to, value } => {
                let Some(bits) = at.bits(value) else { break };
                at.set(to, Value::Bits(low(signed(bits, from), width)));
                None
            }
            Code::Copy { to, value } => {
                let Some(value) = at.get(value) else { break };
                at.set(to, value);
                None
            }
            Code::Go { target } => Some(target),
            Code::Jump { edge } => {
                let Some(target) = at.follow(function, edge) else { break };
                Some(target)
            }
            Code::Branch { condition, yes, no } => {
                let Some(bits) = at.bits(condition) else { break };
                let holds = bits & 1 == 1;
                let Some(target) = at.follow(function, if holds { yes } else { no }) else { break };
                new_side |= branches.took(position, holds);
                Some(target)
            }
        };
        position += 1;
        if let Some(target) = target {
            let done = before.wrapping_add(position as u64);
            position = target as usize;
            before = done.wrapping_sub(position as u64);
            stretch = until(position, most - done);
        }
    }
    let done = before.wrapping_add(position as u64);
    Stretch { position: u32::try_from(position).unwrap_or(u32::MAX), done, new_side }
}

/// The result of an operation that cannot fail, of the usual ones on numbers at once.
#[inline(always)]
fn binary(op: BinaryOp, width: u8, left: Value, right: Value) -> Option<Value> {
    let (Value::Bits(a), Value::Bits(b)) = (left, right) else {
        return known::binary(op, width.into(), left, right);
    };
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => return known::binary(op, width.into(), left, right),
    };
    Some(Value::Bits(low(result, width)))
}

/// A number whose highest bit of so many, at least one and at most 64, is a sign, as one of 64 bits.
#[inline(always)]
fn signed(number: u64, width: u8) -> u64 {
    let unused = 64u32.wrapping_sub(width.into());
    (number.wrapping_shl(unused) as i64).wrapping_shr(unused) as u64
}

/// The low bits of a number, at least one and at most all.
#[inline(always)]
fn low(number: u64, width: u8) -> u64 {
    number & u64::MAX.wrapping_shr(64u32.wrapping_sub(width.into()))
}

/// A place so many bytes behind another one.
#[inline(always)]
fn behind(base: Value, bytes: u64) -> Option<Value> {
    match base {
        Value::Pointer { object, offset } => {
            Some(Value::Pointer { object, offset: offset.wrapping_add(bytes) })
        }
        Value::Bits(bits) => Some(Value::Bits(bits.wrapping_add(bytes))),
        Value::Expr(_) => None,
    }
}

/// Whether a comparison holds, of numbers at once.
#[inline(always)]
fn truth(predicate: Predicate, width: u8, left: Value, right: Value, memory: &Memory) -> Option<bool> {
    let (Value::Bits(a), Value::Bits(b)) = (left, right) else {
        return known::truth_of_known(predicate, width.into(), left, right, memory);
    };
    let signed = |bits: u64| signed(bits, width) as i64;
    Some(match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Ult => a < b,
        Predicate::Ule => a <= b,
        Predicate::Ugt => a > b,
        Predicate::Uge => a >= b,
        Predicate::Slt => signed(a) < signed(b),
        Predicate::Sle => signed(a) <= signed(b),
        Predicate::Sgt => signed(a) > signed(b),
        Predicate::Sge => signed(a) >= signed(b),
    })
}
