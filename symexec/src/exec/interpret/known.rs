//! The straight road: instructions whose operands are known.
//!
//! Most instructions of most programs compute on known numbers and on variables at known places. They
//! need no solver, make no expression, choose nothing and cannot fail. [`complete`] executes one of them; module
//! `decoded` calls it in a loop over the activation's registers, and stops before the
//! first that is anything else, which [`crate::exec::Executor::step`] then executes with all its cases. Both mean
//! the same, and everything here is also there.

use crate::base::bits::{BinaryOp, CompareOp, mask, signed, small_binary, small_compare};
use crate::exec::search::coverage::Coverage;
use crate::exec::{ExecConfig, State};
use crate::memory::{Allocator, Kind, Memory, NewObject, ObjectId, Value};
use crate::module::{
    Constant, ConstantId, EdgeId, Function, FunctionId, Instruction, Module, Operand, Predicate, Switch,
    SwitchId, Symbol,
};

/// Moves of an edge that are made without memory of their own.
const FEW_MOVES: usize = 8;

/// A local variable of more bytes is none of those that are made on the way.
const SMALL_OBJECT: u64 = 1 << 12;

/// The constants of a module as values; `None` for those that are expressions.
pub(in crate::exec) fn constants(module: &Module, state: &State) -> Vec<Option<Value>> {
    let value = |constant: &Constant| match constant {
        Constant::Bits { value, .. } => Some(Value::Bits(*value)),
        Constant::Wide { .. } => None,
        Constant::Address { symbol, offset } => {
            let object = match symbol {
                Symbol::Global(id) => state.globals.get(id.index()),
                Symbol::Function(id) => state.functions.get(id.index()),
            };
            object.map(|object| Value::Pointer { object: *object, offset: *offset as u64 })
        }
    };
    module.constants.iter().map(value).collect()
}

/// Where the switches of a module lead from known values.
pub(in crate::exec) struct Switches(Vec<Vec<Cases>>);

/// The cases of a switch, by their values.
type Cases = Vec<(u64, EdgeId)>;

impl Switches {
    /// Those of a module.
    pub(in crate::exec) fn of(module: &Module) -> Self {
        let value = |constant: &Constant| match constant {
            Constant::Bits { value, .. } => Some(*value),
            Constant::Wide { .. } | Constant::Address { .. } => None,
        };
        let case = |(constant, edge): &(ConstantId, EdgeId)| {
            Some((module.constants.get(constant.index()).and_then(value)?, *edge))
        };
        let cases = |switch: &Switch| {
            let mut cases: Cases = switch.cases.iter().filter_map(case).collect();
            cases.sort_by_key(|(value, _)| *value);
            cases
        };
        Self(module.functions.iter().map(|function| function.switches.iter().map(cases).collect()).collect())
    }

    /// The cases of a switch by their values, as long as these are of at most 64 bits.
    pub(in crate::exec) fn cases(&self, function: FunctionId, switch: SwitchId) -> &[(u64, EdgeId)] {
        self.0
            .get(function.index())
            .and_then(|switches| switches.get(switch.index()))
            .map_or(&[], Vec::as_slice)
    }

    /// The case of a value; `None` is the default.
    pub(in crate::exec) fn side(&self, function: FunctionId, switch: SwitchId, value: u64) -> Option<EdgeId> {
        let cases = self.0.get(function.index())?.get(switch.index())?;
        let first = cases.first()?.0;
        // Most are dense, or dense at their beginning: a value is as far from the first one as its case is.
        let guess = usize::try_from(value.wrapping_sub(first)).ok().and_then(|place| cases.get(place));
        if let Some((found, edge)) = guess
            && *found == value
        {
            return Some(*edge);
        }
        let place = cases.binary_search_by_key(&value, |(value, _)| *value).ok()?;
        Some(cases[place].1)
    }
}

/// The operands of an activation.
pub(super) struct Operands<'a> {
    pub(super) registers: &'a mut [Value],
    pub(super) constants: &'a [Option<Value>],
}

impl Operands<'_> {
    #[inline]
    pub(super) fn get(&self, operand: Operand) -> Option<Value> {
        match operand.get() {
            Ok(register) => self.registers.get(register.index()).copied(),
            Err(constant) => self.constants.get(constant.index()).copied().flatten(),
        }
    }

    #[inline]
    pub(super) fn bits(&self, operand: Operand) -> Option<u64> {
        match self.get(operand) {
            Some(Value::Bits(bits)) => Some(bits),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, register: crate::module::Register, value: Value) {
        if let Some(place) = self.registers.get_mut(register.index()) {
            *place = value;
        }
    }

    /// The known value of a switch, and its default.
    fn switch(&self, function: &Function, id: SwitchId) -> Option<(u64, EdgeId)> {
        let switch = function.switches.get(id.index())?;
        Some((self.bits(switch.value)?, switch.default))
    }

    /// A jump's moves, all at once, and its target; `None` if something is no value yet.
    #[inline]
    pub(super) fn follow(&mut self, function: &Function, edge: EdgeId) -> Option<u32> {
        let edge = function.edges.get(edge.index())?;
        if edge.count == 0 {
            return Some(edge.target);
        }
        let moves = function.moves.get(edge.first as usize..(edge.first + edge.count) as usize)?;
        if let [only] = moves {
            let value = self.get(only.value)?;
            self.set(only.to, value);
            return Some(edge.target);
        }
        if moves.len() > FEW_MOVES {
            return None;
        }
        let mut values = [Value::Bits(0); FEW_MOVES];
        for (value, moved) in values.iter_mut().zip(moves) {
            *value = self.get(moved.value)?;
        }
        for (value, moved) in values.iter().zip(moves) {
            self.set(moved.to, *value);
        }
        Some(edge.target)
    }

    /// The sum of a pointer or number and scaled terms, all of them known.
    fn offset(
        &self,
        function: &Function,
        base: Operand,
        constant: i64,
        first: u32,
        count: u32,
    ) -> Option<Value> {
        let mut sum = constant as u64;
        for term in function.terms.get(first as usize..(first + count) as usize)? {
            let index = self.bits(term.index)?;
            sum = sum.wrapping_add((signed(index, term.width) as u64).wrapping_mul(term.scale));
        }
        match self.get(base)? {
            Value::Pointer { object, offset } => {
                Some(Value::Pointer { object, offset: offset.wrapping_add(sum) })
            }
            Value::Bits(bits) => Some(Value::Bits(bits.wrapping_add(sum))),
            Value::Expr(_) => None,
        }
    }
}

/// An operation on known operands that cannot fail.
#[inline]
pub(super) fn binary(op: BinaryOp, width: u32, left: Value, right: Value) -> Option<Value> {
    if width > 64 {
        return None;
    }
    if let (Value::Bits(a), Value::Bits(b)) = (left, right) {
        let fails = match op {
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => b == 0,
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => b >= u64::from(width),
            _ => false,
        };
        return (!fails).then(|| Value::Bits(small_binary(op, width, a, b)));
    }
    ordinary(op, left, right)
}

/// What instructions on known operands need beside these.
pub(super) struct Surroundings<'a> {
    pub(super) config: &'a ExecConfig,
    pub(super) switches: &'a Switches,
    pub(super) allocator: &'a mut Allocator,
    /// The local variables of the activation.
    pub(super) locals: &'a mut Vec<ObjectId>,
    pub(super) coverage: &'a mut Coverage,
    /// Set where a branch is the first to take a side.
    pub(super) new_coverage: &'a mut bool,
}

/// Executes an instruction if everything that it needs is known; where the next one is then.
pub(super) fn complete(
    at: &mut Operands<'_>,
    function: (FunctionId, &Function),
    position: u32,
    memory: &mut Memory,
    around: &mut Surroundings<'_>,
) -> Option<u32> {
    let (id, function) = function;
    let Surroundings { config, switches, allocator, locals, coverage, new_coverage } = around;
    match *function.code.get(position as usize)? {
        Instruction::Load { width, to, pointer } => match at.get(pointer) {
            Some(Value::Pointer { object, offset }) if width.is_multiple_of(8) => {
                let value = memory.load_known(object, offset, width / 8)?;
                at.set(to, value);
            }
            _ => return None,
        },
        Instruction::Store { width, value, pointer } => match (at.get(value), at.get(pointer)) {
            (Some(value), Some(Value::Pointer { object, offset })) if width.is_multiple_of(8) => {
                memory.store_known(object, offset, width / 8, value).then_some(())?;
            }
            _ => return None,
        },
        Instruction::Binary { op, width, to, left, right } => {
            let value = binary(op, width, at.get(left)?, at.get(right)?)?;
            at.set(to, value);
        }
        Instruction::Compare { predicate, width, to, left, right } => {
            let truth = truth_of_known(predicate, width, at.get(left)?, at.get(right)?, memory)?;
            at.set(to, Value::Bits(u64::from(truth)));
        }
        Instruction::Offset { to, base, constant, first, count } => {
            let value = at.offset(function, base, constant, first, count)?;
            at.set(to, value);
        }
        Instruction::Extend { signed: is_signed, from, width, to, value } if width <= 64 => {
            let bits = at.bits(value)?;
            let bits = if is_signed { signed(bits, from) as u64 & mask(width) } else { bits };
            at.set(to, Value::Bits(bits));
        }
        Instruction::Extract { from, low, width, to, value } if from <= 64 => {
            let bits = at.bits(value)?;
            at.set(to, Value::Bits((bits >> low) & mask(width)));
        }
        Instruction::Copy { to, value, .. } => {
            let value = at.get(value)?;
            at.set(to, value);
        }
        // Where sides count, those of choices are noted one by one.
        Instruction::Select { .. } if config.new_sides => return None,
        Instruction::Select { to, condition, yes, no, .. } => {
            let value = at.get(if at.bits(condition)? & 1 == 1 { yes } else { no })?;
            at.set(to, value);
        }
        Instruction::Allocate { to, size, count, alignment, .. } => {
            let size = size.saturating_mul(at.bits(count)?);
            // What is large is made where memory is looked at often.
            if size > SMALL_OBJECT {
                return None;
            }
            let site = *function.locations.get(position as usize)?;
            let object =
                memory.allocate(allocator, NewObject { kind: Kind::Stack, size, alignment, site })?;
            locals.push(object);
            at.set(to, Value::Pointer { object, offset: 0 });
        }
        Instruction::Jump(edge) => return at.follow(function, edge),
        Instruction::Branch { condition, yes, no } => {
            let holds = at.bits(condition)? & 1 == 1;
            let target = at.follow(function, if holds { yes } else { no })?;
            **new_coverage |= coverage.branch(id, position, holds) && config.new_sides;
            return Some(target);
        }
        Instruction::Switch(switch) => {
            let (bits, default) = at.switch(function, switch)?;
            let target = at.follow(function, switches.side(id, switch, bits).unwrap_or(default))?;
            coverage.passed(id, position);
            return Some(target);
        }
        _ => return None,
    }
    Some(position + 1)
}

/// Every comparison is `=` or `<`, with its operands exchanged or its result negated.
pub(in crate::exec) fn as_comparison(predicate: Predicate) -> (CompareOp, bool, bool) {
    match predicate {
        Predicate::Eq => (CompareOp::Eq, false, false),
        Predicate::Ne => (CompareOp::Eq, false, true),
        Predicate::Ult => (CompareOp::Ult, false, false),
        Predicate::Uge => (CompareOp::Ult, false, true),
        Predicate::Ugt => (CompareOp::Ult, true, false),
        Predicate::Ule => (CompareOp::Ult, true, true),
        Predicate::Slt => (CompareOp::Slt, false, false),
        Predicate::Sge => (CompareOp::Slt, false, true),
        Predicate::Sgt => (CompareOp::Slt, true, false),
        Predicate::Sle => (CompareOp::Slt, true, true),
    }
}

/// Arithmetic on places in objects whose result is a number or a place.
pub(in crate::exec) fn ordinary(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    match (op, left, right) {
        (BinaryOp::Add, Value::Pointer { object, offset }, Value::Bits(bits))
        | (BinaryOp::Add, Value::Bits(bits), Value::Pointer { object, offset }) => {
            Some(Value::Pointer { object, offset: offset.wrapping_add(bits) })
        }
        (BinaryOp::Sub, Value::Pointer { object, offset }, Value::Bits(bits)) => {
            Some(Value::Pointer { object, offset: offset.wrapping_sub(bits) })
        }
        (
            BinaryOp::Sub,
            Value::Pointer { object, offset: a },
            Value::Pointer { object: other, offset: b },
        ) if object == other => Some(Value::Bits(a.wrapping_sub(b))),
        _ => None,
    }
}

/// A comparison that the layout of memory has no part in, of values that are known.
pub(in crate::exec) fn truth_of_known(
    predicate: Predicate,
    width: u32,
    left: Value,
    right: Value,
    memory: &Memory,
) -> Option<bool> {
    let (op, exchange, negate) = as_comparison(predicate);
    let (left, right) = if exchange { (right, left) } else { (left, right) };
    let size = |object| memory.object(object).map_or(0, |object| object.size);
    let truth = match (left, right) {
        (Value::Bits(a), Value::Bits(b)) if width <= 64 => small_compare(op, width, a, b),
        (Value::Pointer { object, offset: a }, Value::Pointer { object: other, offset: b })
            if object == other =>
        {
            // Within one object order is the order of offsets; outside, it is a matter of numbers.
            match op {
                CompareOp::Eq => a == b,
                _ if a <= size(object) && b <= size(object) => a < b,
                _ => return None,
            }
        }
        // No place in an object is null.
        (Value::Pointer { object, offset }, Value::Bits(0))
        | (Value::Bits(0), Value::Pointer { object, offset })
            if op == CompareOp::Eq && offset <= size(object) =>
        {
            false
        }
        _ => return None,
    };
    Some(truth != negate)
}
