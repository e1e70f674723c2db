//! Goals that are instructions: built-ins, arithmetic, unification.

use super::registers::register;
use super::{Emitter, FAIL, Location};
use crate::compile::CompileError;
use crate::compile::body::Goal;
use crate::compile::label::Label;
use crate::machine::{Arithmetic, Instruction as I, Lie, X};
use crate::term::{Cell, Tag, atom};

impl Emitter<'_> {
    pub(super) fn inline(&mut self, goal: &Goal, otherwise: Option<Label>) -> Result<(), CompileError> {
        let target = otherwise.map_or(FAIL, |label| label.0);
        self.newly_taken.clear();
        let located = self.path.in_registers.len();
        match goal {
            Goal::Cut => match self.cut_slot {
                Some(slot) => self.push(I::Cut(slot)),
                None => self.push(I::NeckCut),
            },
            Goal::Fail => self.push(if otherwise.is_some() { I::Jump(target) } else { I::Fail }),
            Goal::Test(test, term) => {
                let a = self.operand(*term)?;
                self.push(I::Test(*test, a, target));
            }
            Goal::CompareNumbers(comparison, left, right) if self.small(*right).is_some() => {
                let number = self.small(*right).unwrap_or(0);
                let a = self.number(*left, 0)?;
                self.push(I::CompareSmall(*comparison, a, number, target));
            }
            Goal::CompareNumbers(comparison, left, right) if self.small(*left).is_some() => {
                let number = self.small(*left).unwrap_or(0);
                let a = self.number(*right, 0)?;
                self.push(I::CompareSmall(comparison.mirrored(), a, number, target));
            }
            Goal::CompareNumbers(comparison, left, right) => {
                let a = self.number(*left, 0)?;
                let b = self.number(*right, 0)?;
                self.push(I::CompareNumbers(*comparison, a, b, target));
            }
            Goal::CompareTerms(comparison, left, right) => {
                let a = self.operand(*left)?;
                let b = self.operand(*right)?;
                self.push(I::CompareTerms(*comparison, a, b, target));
            }
            Goal::Is(result, expression) => {
                let cell = self.machine.store.deref(*expression);
                let value = self.number(cell, 0)?;
                // A variable may be bound to a term that is still to be evaluated, an atom is a function without
                // arguments, and a string has the value of its character.
                let known = cell.tag() == Tag::Atm && self.machine.tells(Lie::KnownAtoms);
                let value = if matches!(cell.tag(), Tag::Ref | Tag::Atm | Tag::Txt) && !known {
                    let evaluated = self.fresh()?;
                    self.push(I::Evaluate(value, evaluated));
                    evaluated
                } else {
                    value
                };
                self.bind(*result, value)?;
            }
            Goal::Unify(left, right) => self.unify(*left, *right)?,
            Goal::Builtin(builtin, first, count) => {
                let base = self.builtin_arguments(*first, *count)?;
                self.push(I::Builtin(*builtin, base));
            }
            Goal::Call(..) | Goal::MetaCall(_) | Goal::Interpret(_) | Goal::Branches(_) => {}
        }
        // Registers taken only for this goal are free again, unless a variable found its place there.
        let mut newly_taken = std::mem::take(&mut self.newly_taken);
        for register in newly_taken.drain(..) {
            self.free_unless_located(register, located);
        }
        self.newly_taken = newly_taken;
        Ok(())
    }

    /// A built-in's arguments lie in fresh registers side by side, so that nothing else has to move.
    fn builtin_arguments(&mut self, first: usize, count: usize) -> Result<X, CompileError> {
        let top = self.path.taken.iter().rposition(|&taken| taken).map_or(0, |last| last + 1);
        let base = top.max(self.analysis.most_arguments);
        for i in 0..count {
            self.occupy(register(base + i)?);
        }
        for i in 0..count {
            let cell = self.machine.store.at(first + i);
            self.put(register(base + i)?, cell)?;
        }
        register(base)
    }

    /// A register that holds a term.
    fn operand(&mut self, term: Cell) -> Result<X, CompileError> {
        let cell = self.machine.store.deref(term);
        let id = self.analysis.id(cell);
        if let Some(Location::X(register)) = id.and_then(|id| self.location(id)) {
            return Ok(register);
        }
        if let Some(copy) = id.and_then(|id| self.path.copies[id.0 as usize]) {
            return Ok(copy);
        }
        let register = self.fresh()?;
        self.put(register, cell)?;
        Ok(register)
    }

    /// A term that is a small integer.
    pub(in crate::compile) fn small(&self, term: Cell) -> Option<i32> {
        let cell = self.machine.store.deref(term);
        (cell.tag() == Tag::Int).then(|| i32::try_from(cell.int_value()).ok()).flatten()
    }

    /// A register that holds a number, or a term that instructions on numbers evaluate by themselves.
    pub(super) fn number(&mut self, term: Cell, depth: usize) -> Result<X, CompileError> {
        let cell = self.machine.store.deref(term);
        let compound = matches!(cell.tag(), Tag::Str | Tag::Lis);
        if !compound || depth > 100 {
            return self.operand(cell);
        }
        let operation = match self.machine.store.functor(cell) {
            Some((atom::PLUS, 2)) => Some(Arithmetic::Add),
            Some((atom::MINUS, 2)) => Some(Arithmetic::Subtract),
            Some((atom::STAR, 2)) => Some(Arithmetic::Multiply),
            Some((atom::INT_DIVIDE, 2)) => Some(Arithmetic::Divide),
            Some((atom::MOD, 2)) => Some(Arithmetic::Modulo),
            Some((atom::REM, 2)) => Some(Arithmetic::Remainder),
            Some((atom::BIT_AND, 2)) => Some(Arithmetic::And),
            Some((atom::BIT_OR, 2)) => Some(Arithmetic::Or),
            Some((atom::SHIFT_LEFT, 2)) => Some(Arithmetic::ShiftLeft),
            Some((atom::SHIFT_RIGHT, 2)) => Some(Arithmetic::ShiftRight),
            _ => None,
        };
        let Some(operation) = operation else {
            let term = self.operand(cell)?;
            let value = self.fresh()?;
            self.push(I::Evaluate(term, value));
            return Ok(value);
        };
        let (left, right) = (self.machine.store.argument(cell, 0), self.machine.store.argument(cell, 1));
        let small = |cell: Cell, sign: i64| {
            (cell.tag() == Tag::Int).then(|| i32::try_from(sign * cell.int_value()).ok()).flatten()
        };
        // The sides of sums and products may change places: only the one that is no constant can be in error.
        let (left, right) = match operation {
            Arithmetic::Add | Arithmetic::Multiply if small(left, 1).is_some() => (right, left),
            _ => (left, right),
        };
        let addend = match operation {
            Arithmetic::Add => small(right, 1),
            Arithmetic::Subtract => small(right, -1),
            _ => None,
        };
        if let Some(addend) = addend {
            let a = self.number(left, depth + 1)?;
            let value = self.fresh()?;
            self.push(I::AddSmall(a, value, addend));
            return Ok(value);
        }
        let a = self.number(left, depth + 1)?;
        if let Some(constant) = small(right, 1) {
            let value = self.fresh()?;
            self.push(I::ArithmeticSmall(operation, a, value, constant));
            return Ok(value);
        }
        let b = self.number(right, depth + 1)?;
        let value = self.fresh()?;
        self.push(match operation {
            Arithmetic::Add => I::Add(a, b, value),
            Arithmetic::Subtract => I::Subtract(a, b, value),
            _ => I::Arithmetic(operation, a, b, value),
        });
        Ok(value)
    }

    /// Unifies a term with a register whose content is new.
    fn bind(&mut self, term: Cell, register: X) -> Result<(), CompileError> {
        let cell = self.machine.store.deref(term);
        match cell.tag() {
            Tag::Ref => {
                let Some(id) = self.analysis.id(cell) else { return Ok(()) };
                match self.location(id) {
                    Some(Location::X(other)) => self.push(I::Unify(other, register)),
                    Some(Location::Y(slot)) => self.push(I::GetValueY(slot, register)),
                    None if self.is_void(id) => {}
                    None if self.analysis.variable(id).permanent => {
                        let slot = self.slot(id);
                        self.set_location(id, Location::Y(slot));
                        self.push(I::GetVariableY(slot, register));
                    }
                    None => self.set_location(id, Location::X(register)),
                }
            }
            Tag::Atm | Tag::Int | Tag::Txt => {
                self.push(I::GetConstant(register, cell));
            }
            Tag::Lis | Tag::Str => self.match_term(register, cell, false)?,
            _ => {
                let number = self.operand(cell)?;
                self.push(I::Unify(number, register));
            }
        }
        Ok(())
    }

    fn unify(&mut self, left: Cell, right: Cell) -> Result<(), CompileError> {
        let (left, right) = (self.machine.store.deref(left), self.machine.store.deref(right));
        let seen = |emitter: &Self, cell: Cell| emitter.analysis.id(cell).and_then(|id| emitter.location(id));
        // The side that exists already is matched with the other one.
        let (known, other) = match (seen(self, left), seen(self, right)) {
            (Some(_), _) => (left, right),
            (None, Some(_)) => (right, left),
            (None, None) if left.tag() != Tag::Ref => (left, right),
            (None, None) => (right, left),
        };
        if known == other {
            return self.operand(known).map(drop);
        }
        let register = self.operand(known)?;
        self.bind(other, register)
    }
}
