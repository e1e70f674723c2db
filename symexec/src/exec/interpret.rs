//! One instruction at a time.

pub(super) mod choose;
mod crossings;
pub(super) mod decoded;
pub(super) mod digits;
pub(super) mod float;
pub(super) mod known;

use std::rc::Rc;

use super::{ErrorKind, Executor, PathError, State, Step};
use crate::base::bits::{BinaryOp, Bits, CompareOp, mask, signed, small_binary};
use crate::expr::ExprId;
use crate::memory::Value;
use crate::module::{
    Call, Constant, ConstantId, EdgeId, Instruction, Operand, Predicate, Register, Symbol, Term,
};
use known::{as_comparison, ordinary, truth_of_known};

impl<'m> Executor<'m> {
    /// Executes the instruction at which a state is, and moves it on.
    pub(super) fn step(&mut self, state: &mut State) -> Step<()> {
        let module = self.module;
        let (function_id, position) = state.position();
        let function = &module.functions[function_id.index()];
        let Some(instruction) = function.code.get(position as usize).copied() else {
            return Err(PathError::new(ErrorKind::Exec, "the end of a function was reached").into());
        };
        if let Some(frame) = state.frame_mut() {
            frame.location = function.locations[position as usize];
        }
        self.solver.at(self.explored.instructions);
        if self.config.show_instructions {
            self.show(state);
        }
        let executed = self.execute(state, instruction);
        let ends = match &executed {
            Ok(()) => false,
            Err(stop) if stop.executes() => true,
            Err(_) => return executed,
        };
        // What ends a path was executed too: a program that is run natively comes to its last line.
        if self.coverage.done(function_id, position) {
            state.new_coverage = true;
            Rc::make_mut(&mut state.new_lines).insert(function.locations[position as usize]);
        }
        if !ends {
            self.explored.instructions += 1;
            state.shown = false;
            if self.counts_executions() {
                *self.executions.entry((function_id, position)).or_default() += 1;
            }
        }
        executed
    }

    fn execute(&mut self, state: &mut State, instruction: Instruction) -> Step<()> {
        match instruction {
            Instruction::Binary { op, width, to, left, right } => {
                let (left, right) = (self.get(state, left), self.get(state, right));
                let value = self.binary(state, op, width, left, right)?;
                self.set(state, to, value);
            }
            Instruction::Compare { predicate, width, to, left, right } => {
                let (left, right) = (self.get(state, left), self.get(state, right));
                let value = self.compare(state, predicate, width, left, right);
                self.set(state, to, value);
            }
            Instruction::Select { width, to, condition, yes, no } => {
                let value = self.select(state, width, condition, yes, no)?;
                self.set(state, to, value);
            }
            Instruction::Extract { from, low, width, to, value } => {
                let value = self.get(state, value);
                let result = match value {
                    Value::Bits(bits) if from <= 64 => Value::Bits((bits >> low) & mask(width)),
                    value => {
                        let value = self.expression(state, value, from);
                        let result = self.arena.extract(value, low, width);
                        self.value(result)
                    }
                };
                self.set(state, to, result);
            }
            Instruction::Extend { signed: is_signed, from, width, to, value } => {
                let value = self.get(state, value);
                let result = match value {
                    Value::Bits(bits) if width <= 64 && is_signed => {
                        Value::Bits(signed(bits, from) as u64 & mask(width))
                    }
                    Value::Bits(bits) if width <= 64 => Value::Bits(bits),
                    value => {
                        let value = self.expression(state, value, from);
                        let result = if is_signed {
                            self.arena.sign_extend(value, width)
                        } else {
                            self.arena.zero_extend(value, width)
                        };
                        self.value(result)
                    }
                };
                self.set(state, to, result);
            }
            Instruction::Concat { high_width, low_width, to, high, low } => {
                let (high, low) = (self.get(state, high), self.get(state, low));
                let high = self.expression(state, high, high_width);
                let low = self.expression(state, low, low_width);
                let result = self.arena.concat(high, low);
                let result = self.value(result);
                self.set(state, to, result);
            }
            Instruction::Copy { to, value, .. } => {
                let value = self.get(state, value);
                self.set(state, to, value);
            }
            Instruction::CountOnes { width, to, value } => {
                let value = self.get(state, value);
                let value = self.expression(state, value, width);
                let ones = self.arena.count_ones(value);
                let result = self.value(ones);
                self.set(state, to, result);
            }
            Instruction::CountZeros { leading, width, to, value } => {
                let value = self.get(state, value);
                let value = self.expression(state, value, width);
                let zeros = self.arena.count_zeros(value, leading);
                let result = self.value(zeros);
                self.set(state, to, result);
            }
            Instruction::Offset { to, base, constant, first, count } => {
                let value = self.offset(state, base, constant, first, count);
                self.set(state, to, value);
            }
            Instruction::Load { width, to, pointer } => {
                let pointer = self.get(state, pointer);
                let value = self.load(state, pointer, width)?;
                let value = self.doubted(state, value, width);
                self.set(state, to, value);
            }
            Instruction::Store { width, value, pointer } => {
                let (value, pointer) = (self.get(state, value), self.get(state, pointer));
                self.store(state, pointer, width, value)?;
            }
            Instruction::Allocate { to, size, count, count_width, alignment } => {
                let count = self.get(state, count);
                let value = match count {
                    Value::Bits(count) => {
                        self.allocate_local(state, size.saturating_mul(count), alignment)?
                    }
                    count => {
                        let count = self.expression(state, count, count_width);
                        self.allocate_locals(state, size, count, alignment)?
                    }
                };
                self.set(state, to, value);
            }
            Instruction::SaveStack { to } => self.save_stack(state, to),
            Instruction::RestoreStack { saved } => self.restore_stack(state, saved),
            Instruction::CopyMemory { to, from, length, width } => {
                let (to, from) = (self.get(state, to), self.get(state, from));
                let length = self.get(state, length);
                let length = self.expression(state, length, width);
                let length = self.enumerate(state, length)?;
                self.copy_memory(state, to, from, length)?;
            }
            Instruction::FillMemory { to, value, length, width } => {
                let (to, value) = (self.get(state, to), self.get(state, value));
                let length = self.get(state, length);
                let length = self.expression(state, length, width);
                let length = self.enumerate(state, length)?;
                self.fill_memory(state, to, value, length)?;
            }
            Instruction::StartArguments { list } => {
                let list = self.get(state, list);
                self.start_arguments(state, list)?;
            }
            Instruction::Float { op, format, to, left, right } => {
                let (left, right) = (self.get(state, left), self.get(state, right));
                let value = self.float(state, op, format, left, right)?;
                self.set(state, to, value);
            }
            Instruction::FloatUnary { op, format, to, value } => {
                let value = self.get(state, value);
                let value = self.float_unary(state, op, format, value)?;
                self.set(state, to, value);
            }
            Instruction::FloatFused { format, to, left, right, added } => {
                let operands = [left, right, added].map(|operand| self.get(state, operand));
                let value = self.float_fused(state, format, operands)?;
                self.set(state, to, value);
            }
            Instruction::FloatCompare { predicate, format, to, left, right } => {
                let (left, right) = (self.get(state, left), self.get(state, right));
                let value = self.float_compare(state, predicate, format, left, right)?;
                self.set(state, to, value);
            }
            Instruction::FloatConvert { conversion, to, value } => {
                let value = self.get(state, value);
                let value = self.float_convert(state, conversion, value)?;
                self.set(state, to, value);
            }
            Instruction::Call(call) => return self.call(state, call),
            Instruction::Jump(edge) => {
                self.follow(state, edge);
                return Ok(());
            }
            Instruction::Branch { condition, yes, no } => {
                let holds = match self.get(state, condition) {
                    Value::Bits(bits) => bits & 1 == 1,
                    value => {
                        let condition = self.expression(state, value, 1);
                        self.decide(state, condition)?
                    }
                };
                let (function, position) = state.position();
                if self.coverage.branch(function, position, holds) && self.config.new_sides {
                    state.new_coverage = true;
                }
                self.record_branch(state, holds)?;
                self.follow(state, if holds { yes } else { no });
                return Ok(());
            }
            Instruction::Switch(switch) => return self.switch(state, switch),
            Instruction::Return { first, count } => return self.leave(state, first, count),
            Instruction::Unreachable => {
                return Err(PathError::new(ErrorKind::Exec, "reached \"unreachable\" instruction").into());
            }
            Instruction::Refuse(text) => {
                return Err(PathError::refused(self.module.text(text)).into());
            }
        }
        self.advance(state);
        Ok(())
    }

    /// Moves to the next instruction.
    pub(super) fn advance(&mut self, state: &mut State) {
        if let Some(frame) = state.frame_mut() {
            frame.position += 1;
        }
    }

    /// The value of an operand.
    pub(super) fn get(&mut self, state: &State, operand: Operand) -> Value {
        match operand.get() {
            Ok(register) => state
                .frames
                .last()
                .and_then(|frame| frame.registers.get(register.index()).copied())
                .unwrap_or_default(),
            Err(constant) => self.constant(state, constant),
        }
    }

    /// The value of a constant.
    pub(super) fn constant(&mut self, state: &State, constant: ConstantId) -> Value {
        let module = self.module;
        match module.constants.get(constant.index()) {
            Some(Constant::Bits { value, .. }) => Value::Bits(*value),
            Some(Constant::Wide { width, bytes }) => {
                Value::Expr(self.arena.bits(&Bits::from_le_bytes(*width, bytes)))
            }
            Some(Constant::Address { symbol, offset }) => {
                let object = match symbol {
                    Symbol::Global(id) => state.globals.get(id.index()),
                    Symbol::Function(id) => state.functions.get(id.index()),
                };
                object.map_or(Value::Bits(0), |object| Value::Pointer {
                    object: *object,
                    offset: *offset as u64,
                })
            }
            None => Value::Bits(0),
        }
    }

    /// Sets a register of the innermost activation.
    pub(super) fn set(&mut self, state: &mut State, register: Register, value: Value) {
        if let Some(place) = state.frame_mut().and_then(|frame| frame.registers.get_mut(register.index())) {
            *place = value;
        }
    }

    /// A value as an expression.
    pub(super) fn expression(&mut self, state: &mut State, value: Value, width: u32) -> ExprId {
        state.memory.expression(&mut self.arena, &mut self.allocator, value, width)
    }

    /// An expression as a value: known bits, a place in an object, or itself.
    pub(super) fn value(&self, expr: ExprId) -> Value {
        if let Some(bits) = self.arena.as_u64(expr) {
            return Value::Bits(bits);
        }
        if let Some((base, added)) = self.arena.split_pointer(expr)
            && let crate::expr::Node::Address(address) = self.arena.node(base)
        {
            let offset = added.map_or(Some(0), |added| self.arena.as_u64(added));
            if let Some(offset) = offset {
                let object = crate::memory::ObjectId(self.arena.address(address).object);
                return Value::Pointer { object, offset };
            }
        }
        Value::Expr(expr)
    }

    fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        width: u32,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        match (op, left, right) {
            (BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem, _, _)
                if self.config.check_div_zero =>
            {
                let zero = self.arena.constant(width, 0);
                let divisor = self.expression(state, right, width);
                let by_zero = self.arena.equal(zero, divisor);
                if self.fails(state, by_zero)? {
                    return Err(PathError::new(ErrorKind::Div, "divide by zero").into());
                }
            }
            (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, _, _) if self.config.check_overshift => {
                let known = matches!(right, Value::Bits(shift) if shift < u64::from(width));
                if !known {
                    let shift = self.expression(state, right, width);
                    let bits = self.arena.constant(width, u64::from(width));
                    // A vector of few bits may be unable to hold its own width; then no shift is too far.
                    let too_far = if width < 64 && u64::from(width) > mask(width) {
                        self.arena.truth(false)
                    } else {
                        let fits = self.arena.less(shift, bits);
                        self.arena.not(fits)
                    };
                    if self.fails(state, too_far)? {
                        return Err(PathError::new(ErrorKind::Overshift, "overshift error").into());
                    }
                }
            }
            _ => {}
        }
        Ok(match (op, left, right) {
            (_, Value::Bits(a), Value::Bits(b)) if width <= 64 => Value::Bits(small_binary(op, width, a, b)),
            _ => {
                if let Some(value) = ordinary(op, left, right) {
                    return Ok(value);
                }
                let left = self.expression(state, left, width);
                let right = self.expression(state, right, width);
                let result = self.arena.binary(op, left, right);
                self.value(result)
            }
        })
    }

    fn compare(
        &mut self,
        state: &mut State,
        predicate: Predicate,
        width: u32,
        left: Value,
        right: Value,
    ) -> Value {
        if let Some(truth) = truth_of_known(predicate, width, left, right, &state.memory) {
            return Value::Bits(u64::from(truth));
        }
        let (op, exchange, negate) = as_comparison(predicate);
        let (left, right) = if exchange { (right, left) } else { (left, right) };
        let left = self.expression(state, left, width);
        let right = self.expression(state, right, width);
        let decided = if op == CompareOp::Ult { self.arena.pointer_less(left, right) } else { None };
        let mut result = decided.unwrap_or_else(|| self.arena.compare(op, left, right));
        if negate {
            result = self.arena.not(result);
        }
        self.value(result)
    }

    fn select(
        &mut self,
        state: &mut State,
        width: u32,
        condition: Operand,
        yes: Operand,
        no: Operand,
    ) -> Step<Value> {
        let (function, position) = state.position();
        // Where several processes share the paths, what is decided is a matter of the path alone: what another one has
        // covered would lead whoever goes the same way astray.
        let decides = self.config.new_sides
            && if self.config.in_parts {
                !state.selected.contains(&(function, position))
            } else {
                !self.coverage.took_both(function, position)
            };
        let condition = match self.get(state, condition) {
            Value::Bits(bits) => {
                let holds = bits & 1 == 1;
                if decides && self.coverage.branch(function, position, holds) {
                    state.new_coverage = true;
                }
                return Ok(self.get(state, if holds { yes } else { no }));
            }
            value => self.expression(state, value, 1),
        };
        // A choice of the program that the compiler made no branch of.
        if decides {
            let holds = self.decide(state, condition)?;
            if self.config.in_parts {
                state.selected.insert_mut((function, position));
            }
            if self.coverage.branch(function, position, holds) {
                state.new_coverage = true;
            }
            return Ok(self.get(state, if holds { yes } else { no }));
        }
        let (yes, no) = (self.get(state, yes), self.get(state, no));
        let yes = self.expression(state, yes, width);
        let no = self.expression(state, no, width);
        let result = self.arena.choose(condition, yes, no);
        Ok(self.value(result))
    }

    fn offset(&mut self, state: &mut State, base: Operand, constant: i64, first: u32, count: u32) -> Value {
        let module = self.module;
        let base = self.get(state, base);
        let mut known = constant as u64;
        let mut unknown: Option<ExprId> = None;
        let function = &module.functions[state.position().0.index()];
        let terms = function.terms.get(first as usize..(first + count) as usize).unwrap_or_default();
        for Term { index, width, scale } in terms {
            match self.get(state, *index) {
                Value::Bits(bits) => {
                    known = known.wrapping_add((signed(bits, *width) as u64).wrapping_mul(*scale));
                }
                value => {
                    let index = self.expression(state, value, *width);
                    let index = self.arena.sign_extend(index, 64);
                    let scale = self.arena.constant(64, *scale);
                    let term = self.arena.binary(BinaryOp::Mul, scale, index);
                    unknown = Some(match unknown {
                        None => term,
                        Some(sum) => self.arena.binary(BinaryOp::Add, sum, term),
                    });
                }
            }
        }
        match (base, unknown) {
            (Value::Pointer { object, offset }, None) => {
                Value::Pointer { object, offset: offset.wrapping_add(known) }
            }
            (Value::Bits(bits), None) => Value::Bits(bits.wrapping_add(known)),
            (base, unknown) => {
                let base = self.expression(state, base, 64);
                let mut added = self.arena.constant(64, known);
                if let Some(unknown) = unknown {
                    added = self.arena.binary(BinaryOp::Add, added, unknown);
                }
                let sum = self.arena.binary(BinaryOp::Add, base, added);
                self.value(sum)
            }
        }
    }

    /// Jumps: all moves of the edge at once, then the target.
    pub(super) fn follow(&mut self, state: &mut State, edge: EdgeId) {
        let module = self.module;
        let function = &module.functions[state.position().0.index()];
        let Some(edge) = function.edges.get(edge.index()) else { return };
        let moves =
            function.moves.get(edge.first as usize..(edge.first + edge.count) as usize).unwrap_or_default();
        if let [only] = moves {
            let value = self.get(state, only.value);
            self.set(state, only.to, value);
        } else if !moves.is_empty() {
            let values: Vec<Value> = moves.iter().map(|moved| self.get(state, moved.value)).collect();
            for (moved, value) in moves.iter().zip(values) {
                self.set(state, moved.to, value);
            }
        }
        if let Some(frame) = state.frame_mut() {
            frame.position = edge.target;
        }
    }

    fn switch(&mut self, state: &mut State, id: crate::module::SwitchId) -> Step<()> {
        let module = self.module;
        let function = &module.functions[state.position().0.index()];
        let Some(switch) = function.switches.get(id.index()) else { return Ok(()) };
        let value = self.get(state, switch.value);
        let (id_function, position) = state.position();
        if let Value::Bits(bits) = value {
            self.coverage.passed(id_function, position);
            let edge = self.switches.side(state.position().0, id, bits).unwrap_or(switch.default);
            self.follow(state, edge);
            return Ok(());
        }
        // One side per target, in the order of the values, as in KLEE, the default last.
        let value = self.expression(state, value, switch.width);
        let mut cases: Vec<(ExprId, EdgeId)> = Vec::with_capacity(switch.cases.len());
        let sorted = self.switches.cases(id_function, id);
        if sorted.len() == switch.cases.len() {
            let arena = &mut self.arena;
            cases.extend(sorted.iter().map(|(bits, edge)| (arena.constant(switch.width, *bits), *edge)));
        } else {
            for (constant, edge) in &switch.cases {
                let constant = self.constant(state, *constant);
                cases.push((self.expression(state, constant, switch.width), *edge));
            }
        }
        let mut targets: Vec<(EdgeId, ExprId)> = Vec::new();
        let mut otherwise = self.arena.truth(true);
        for (constant, edge) in &cases {
            let here = self.arena.equal(*constant, value);
            let not_here = self.arena.not(here);
            otherwise = self.arena.and(otherwise, not_here);
            if *edge == switch.default && !self.config.split_switches {
                continue;
            }
            if self.config.split_switches {
                targets.push((*edge, here));
                continue;
            }
            match targets.iter_mut().find(|(known, _)| known == edge) {
                Some((_, condition)) => *condition = self.arena.binary(BinaryOp::Or, *condition, here),
                None => targets.push((*edge, here)),
            }
        }
        if switch.cases.iter().any(|(_, edge)| *edge == switch.default) {
            // Cases that go to the default belong to it.
            otherwise = self.arena.truth(true);
            for (_, condition) in &targets {
                let not_here = self.arena.not(*condition);
                otherwise = self.arena.and(otherwise, not_here);
            }
        }
        targets.push((switch.default, otherwise));
        let sides: Vec<ExprId> = targets.iter().map(|(_, condition)| *condition).collect();
        let side = self.choose(state, &sides)?;
        self.coverage.passed(id_function, position);
        let edge = targets[side].0;
        self.follow(state, edge);
        Ok(())
    }

    /// The call at which the innermost activation stands.
    fn current_call(&self, state: &State) -> Option<&'m Call> {
        let (function, position) = state.position();
        let function = &self.module.functions[function.index()];
        match function.code.get(position as usize)? {
            Instruction::Call(id) => function.calls.get(id.index()),
            _ => None,
        }
    }

    /// Ends the innermost activation and hands its results to the caller.
    fn leave(&mut self, state: &mut State, first: u32, count: u32) -> Step<()> {
        let module = self.module;
        let function = &module.functions[state.position().0.index()];
        let operands = function.operands.get(first as usize..(first + count) as usize).unwrap_or_default();
        let values: Vec<Value> = operands.iter().map(|operand| self.get(state, *operand)).collect();
        let Some(frame) = state.frames.pop() else { return Ok(()) };
        frame.leave(&mut state.memory);
        if state.frames.is_empty() {
            // The stack is kept for reports.
            state.frames.push(frame);
            if self.finish(state, values.first().copied()).is_some() {
                return Ok(());
            }
            return Err(super::Stop::Ended(super::Ending::Exit));
        }
        // The caller stands at the call, which says where it takes results.
        let call = if frame.called { self.current_call(state) } else { None };
        if let Some(call) = call {
            if call.results.len() == values.len() {
                for (place, value) in (call.to.0..).zip(values) {
                    self.set(state, Register(place), value);
                }
            } else if !call.results.is_empty() {
                let message = "return void when caller expected a result";
                return Err(PathError::new(ErrorKind::Exec, message).into());
            }
        }
        if frame.called {
            self.advance(state);
        }
        Ok(())
    }
}
