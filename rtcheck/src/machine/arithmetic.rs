//! Arithmetic: small integers in the loop, the evaluation of terms here, the functions in `function`.

mod function;
mod rounding;

use super::{Arithmetic, Machine, Throw};
use crate::term::{Atom, Cell, Number, Tag, atom, nullary};
use function::Undefined;
use num_integer::Integer;
use rounding::{Toward, directed};

/// An operation on small integers; `None` where the general way is needed.
#[inline]
pub(super) fn small(operation: Arithmetic, left: i64, right: i64) -> Option<i64> {
    match operation {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide => left.checked_div(right),
        Arithmetic::Modulo => (right != 0).then(|| left.mod_floor(&right)),
        Arithmetic::Remainder => left.checked_rem(right),
        Arithmetic::And => Some(left & right),
        Arithmetic::Or => Some(left | right),
        Arithmetic::ShiftRight => (0..64).contains(&right).then(|| left >> right),
        Arithmetic::ShiftLeft => {
            let shift = u32::try_from(right).ok().filter(|&shift| shift < 60)?;
            left.checked_mul(1 << shift)
        }
    }
}

/// Whether an evaluable functor depends on nothing but its arguments, so that its value is the same each time. Those of
/// one and two arguments do whose values `function` knows: it has nothing else to depend on.
pub(crate) fn is_repeatable(name: Atom, arity: usize) -> bool {
    let one = || Number::Int(1);
    match arity {
        0 => matches!(
            name,
            atom::PI
                | atom::E
                | atom::INF
                | atom::INFINITE
                | atom::NAN
                | atom::EPSILON
                | atom::MAX_TAGGED_INTEGER
                | atom::MIN_TAGGED_INTEGER
                | atom::MAX_INTEGER
                | atom::MIN_INTEGER
        ),
        1 => !matches!(function::unary(name, one()), Err(Undefined::Unknown)),
        2 => !matches!(function::binary(name, one(), one()), Err(Undefined::Unknown)),
        _ => false,
    }
}

impl Machine {
    pub(super) fn general_arithmetic(
        &mut self,
        operation: Arithmetic,
        left: Cell,
        right: Cell,
    ) -> Result<Cell, Throw> {
        if let Some(value) = self.floating(operation, left, right) {
            return Ok(self.store.make_number(&Number::Float(value)));
        }
        let left = self.evaluate(left)?;
        let right = self.evaluate(right)?;
        let name = match operation {
            Arithmetic::Add => atom::PLUS,
            Arithmetic::Subtract => atom::MINUS,
            Arithmetic::Multiply => atom::STAR,
            Arithmetic::Divide => atom::INT_DIVIDE,
            Arithmetic::Modulo => atom::MOD,
            Arithmetic::Remainder => atom::REM,
            Arithmetic::And => atom::BIT_AND,
            Arithmetic::Or => atom::BIT_OR,
            Arithmetic::ShiftLeft => atom::SHIFT_LEFT,
            Arithmetic::ShiftRight => atom::SHIFT_RIGHT,
        };
        let value = self.binary(name, left, right)?;
        Ok(self.store.make_number(&value))
    }

    /// An operation on floats and small integers that are already there; `None` where the general way is needed.
    fn floating(&self, operation: Arithmetic, left: Cell, right: Cell) -> Option<f64> {
        let of = |cell: Cell| match self.store.number(cell)? {
            Number::Int(value) => Some((value as f64, false)),
            Number::Float(value) => Some((value, true)),
            Number::Big(_) | Number::Rational(_) => None,
        };
        let ((left, one), (right, other)) = (of(left)?, of(right)?);
        let value = match operation {
            _ if !one && !other => return None,
            Arithmetic::Add => left + right,
            Arithmetic::Subtract => left - right,
            Arithmetic::Multiply => left * right,
            _ => return None,
        };
        // What is not finite is an error or not, as the flags say.
        value.is_finite().then_some(value)
    }

    /// The value of a number, or of a function of such values, down to so many levels: most expressions are small,
    /// and need no stack. `None` for everything else, errors and what is not the same each time among it.
    fn small_expression(&mut self, term: Cell, levels: u32) -> Option<Number> {
        let cell = self.store.deref(term);
        if cell.tag() != Tag::Str || levels == 0 {
            return self.store.number(cell);
        }
        let value = match self.store.functor(cell)? {
            (atom::RANDOM, _) => return None,
            (name, 2) if self.gives_floats(name) || self.gives_rationals(name) => return None,
            (name, 1) => {
                let value = self.small_expression(self.store.argument(cell, 0), levels - 1)?;
                if self.wants_float(name, &value) {
                    return None;
                }
                function::unary(name, value)
            }
            (name, 2) => {
                let left = self.small_expression(self.store.argument(cell, 0), levels - 1)?;
                let right = self.small_expression(self.store.argument(cell, 1), levels - 1)?;
                function::binary(name, left, right)
            }
            _ => return None,
        };
        value.ok()
    }

    /// The value of an arithmetic term: small ones at once, others by an explicit stack.
    pub(crate) fn evaluate(&mut self, term: Cell) -> Result<Number, Throw> {
        enum Task {
            Term(Cell),
            Apply(Atom, usize),
            /// Values are rounded so from here on.
            Round(Toward),
        }
        let cell = self.store.deref(term);
        if let Some(number) = self.small_expression(cell, 3) {
            return Ok(number);
        }
        let mut tasks = vec![Task::Term(cell)];
        let mut steps = self.store.len();
        let mut values: Vec<Number> = Vec::new();
        let mut toward = Toward::Nearest;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Round(outer) => toward = outer,
                Task::Apply(name, arity) => {
                    let operands = match toward {
                        Toward::Nearest => Vec::new(),
                        _ => values[values.len().saturating_sub(arity)..].to_vec(),
                    };
                    // As many values as the function has arguments were pushed since.
                    let mut operand = || values.pop().unwrap_or(Number::Int(0));
                    let last = operand();
                    let value = match arity {
                        1 => self.unary(name, last)?,
                        2 => {
                            let left = operand();
                            self.binary(name, left, last)?
                        }
                        _ => {
                            let (exponent, base) = (operand(), operand());
                            let value = function::power_modulo(base, exponent, last);
                            self.defined(name, 3, value)?
                        }
                    };
                    values.push(match toward {
                        Toward::Nearest => value,
                        _ => directed(name, &operands, value, toward),
                    });
                }
                Task::Term(cell) => {
                    let cell = self.store.deref(cell);
                    if let Some(number) = self.store.number(cell) {
                        values.push(number);
                        continue;
                    }
                    match steps.checked_sub(1) {
                        Some(left) => steps = left,
                        // More steps than cells: parts are shared, or the expression is cyclic.
                        None if self.store.is_acyclic(term) => steps = usize::MAX,
                        None => return self.type_error_named("expression", term),
                    }
                    match self.store.functor(cell) {
                        None if cell.tag() == Tag::Txt => values.push(self.only_character(cell)?),
                        None => return self.instantiation_error(),
                        Some((name, 0)) => values.push(self.constant_function(name)?),
                        Some((atom::NULLARY_FUNCTOR, 1)) => {
                            let constant = nullary::as_goal(&self.store, cell);
                            if constant == cell {
                                return self.not_evaluable(atom::NULLARY_FUNCTOR, 1);
                            }
                            values.push(self.constant_function(constant.as_atom())?);
                        }
                        Some((atom::ROUNDTOWARD, 2)) => {
                            tasks.push(Task::Round(toward));
                            toward = self.direction(self.store.argument(cell, 1))?;
                            tasks.push(Task::Term(self.store.argument(cell, 0)));
                        }
                        Some((name, arity @ (1 | 2))) => {
                            if cell.tag() == Tag::Lis {
                                tasks.push(Task::Term(self.only_element(cell)?));
                                continue;
                            }
                            tasks.push(Task::Apply(name, arity));
                            for i in (0..arity).rev() {
                                tasks.push(Task::Term(self.store.argument(cell, i)));
                            }
                        }
                        Some((atom::POWM, 3)) => {
                            tasks.push(Task::Apply(atom::POWM, 3));
                            for i in (0..3).rev() {
                                tasks.push(Task::Term(self.store.argument(cell, i)));
                            }
                        }
                        Some((name, arity)) => return self.not_evaluable(name, arity),
                    }
                }
            }
        }
        Ok(values.pop().unwrap_or(Number::Int(0)))
    }

    /// The direction that the second argument of `roundtoward/2` names.
    fn direction(&mut self, mode: Cell) -> Result<Toward, Throw> {
        let mode = self.store.deref(mode);
        match mode.tag() {
            Tag::Ref => self.instantiation_error(),
            Tag::Atm => match Toward::named(self.atoms.text(mode.as_atom())) {
                Some(toward) => Ok(toward),
                None => self.domain_error("round", mode),
            },
            _ => self.type_error(atom::ATOM, mode),
        }
    }

    fn not_evaluable<T>(&mut self, name: Atom, arity: usize) -> Result<T, Throw> {
        let indicator = self.indicator(name, arity);
        self.type_error(atom::EVALUABLE, indicator)
    }

    fn constant_function(&mut self, name: Atom) -> Result<Number, Throw> {
        Ok(match name {
            atom::PI => Number::Float(std::f64::consts::PI),
            atom::E => Number::Float(std::f64::consts::E),
            atom::INF | atom::INFINITE => Number::Float(f64::INFINITY),
            atom::NAN => Number::Float(f64::NAN),
            atom::EPSILON => Number::Float(f64::EPSILON),
            atom::MAX_TAGGED_INTEGER => Number::Int(Cell::MAX_INT),
            atom::MIN_TAGGED_INTEGER => Number::Int(Cell::MIN_INT),
            atom::CPUTIME => Number::Float(self.system.cpu_time().as_secs_f64()),
            atom::REALTIME => Number::Int(self.system.calendar_time().as_secs() as i64),
            atom::MAX_INTEGER => Number::Int(i64::MAX),
            atom::MIN_INTEGER => Number::Int(i64::MIN),
            atom::RANDOM | atom::RANDOM_FLOAT => {
                Number::Float((self.next_random() >> 11) as f64 / (1_u64 << 53) as f64)
            }
            _ => return self.not_evaluable(name, 0),
        })
    }

    /// The next pseudo-random number (xorshift64*): the same in every run.
    pub(crate) fn next_random(&mut self) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A string of one character has the value of that character.
    fn only_character(&mut self, string: Cell) -> Result<Number, Throw> {
        let mut characters = self.atoms.text(string.as_atom()).chars();
        match (characters.next(), characters.next()) {
            (Some(only), None) => Ok(Number::Int(i64::from(u32::from(only)))),
            _ => self.type_error(atom::CHARACTER, string),
        }
    }

    /// `[X]` has the value of X; a character there is its code.
    fn only_element(&mut self, list: Cell) -> Result<Cell, Throw> {
        let (head, tail) = (self.store.argument(list, 0), self.store.argument(list, 1));
        if head.tag() == Tag::Ref || tail.tag() == Tag::Ref {
            return self.instantiation_error();
        }
        if tail != Cell::atom(atom::NIL) {
            return self.not_evaluable(atom::DOT, 2);
        }
        if head.tag() == Tag::Txt {
            return self.type_error(atom::CHARACTER, head);
        }
        if head.tag() == Tag::Atm {
            let mut characters = self.atoms.text(head.as_atom()).chars();
            if let (Some(only), None) = (characters.next(), characters.next()) {
                return Ok(Cell::int(i64::from(u32::from(only))));
            }
        }
        Ok(head)
    }

    fn unary(&mut self, name: Atom, value: Number) -> Result<Number, Throw> {
        if matches!(name, atom::RANDOM) {
            return self.random_below(&value);
        }
        if self.wants_float(name, &value) {
            let value = self.store.make_number(&value);
            return self.type_error(atom::FLOAT, value);
        }
        let value = function::unary(name, value);
        self.defined(name, 1, value)
    }

    /// The value of a function of two numbers.
    pub(crate) fn apply(&mut self, name: Atom, left: Number, right: Number) -> Result<Number, Throw> {
        self.binary(name, left, right)
    }

    /// Whether a function of integers has a floating-point value, which is how the standard defines these two (9.1.4,
    /// 9.3.1).
    fn gives_floats(&self, name: Atom) -> bool {
        self.flags.strict && matches!(name, atom::SLASH | atom::POWER)
    }

    /// Whether a function is one of those that the standard has for floating-point numbers only (9.1.1), and this is
    /// none.
    fn wants_float(&self, name: Atom, value: &Number) -> bool {
        let rounds = matches!(
            name,
            atom::FLOOR
                | atom::TRUNCATE
                | atom::ROUND
                | atom::CEILING
                | atom::FLOAT_INTEGER_PART
                | atom::FLOAT_FRACTIONAL_PART
        );
        self.flags.strict && rounds && !matches!(value, Number::Float(_))
    }

    /// Whether a function of integers has rational numbers as values: the flag `prefer_rationals`.
    fn gives_rationals(&self, name: Atom) -> bool {
        self.flags.rationals && !self.flags.strict && matches!(name, atom::SLASH | atom::POWER | atom::CARET)
    }

    fn binary(&mut self, name: Atom, left: Number, right: Number) -> Result<Number, Throw> {
        let mut value = if self.gives_rationals(name) {
            function::exact(name, left, right)
        } else {
            function::binary(name, left, right)
        };
        if self.gives_floats(name) {
            value = value.and_then(|value| function::unary(atom::FLOAT, value));
        }
        self.defined(name, 2, value)
    }

    /// `random(Limit)`.
    fn random_below(&mut self, limit: &Number) -> Result<Number, Throw> {
        match *limit {
            Number::Int(limit) if limit > 0 => Ok(Number::Int((self.next_random() % limit as u64) as i64)),
            Number::Float(_) => {
                let culprit = self.store.make_number(limit);
                self.type_error(atom::INTEGER, culprit)
            }
            _ => {
                let culprit = self.store.make_number(limit);
                self.domain_error("not_less_than_one", culprit)
            }
        }
    }

    /// Whether a flag says that a function has a value where the standard has an error: infinity where it grows without
    /// end, and what is no number where it has no value at all.
    fn takes_limit(&self, what: Atom, limit: f64) -> bool {
        let is = |flag: &str, value: &str| {
            let (flag, value) = (self.atoms.find(flag), self.atoms.find(value));
            flag.and_then(|flag| self.prolog_flags.get(&flag)).copied() == value.map(Cell::atom)
                && value.is_some()
        };
        if limit.is_nan() {
            return is("float_undefined", "nan");
        }
        match what {
            atom::FLOAT_OVERFLOW => is("float_overflow", "infinity"),
            atom::ZERO_DIVISOR => is("float_zero_div", "infinity"),
            // The logarithm of 0, and the integer of what is none.
            _ => is("float_undefined", "nan"),
        }
    }

    /// The value, or the exception that its absence is.
    fn defined(
        &mut self,
        name: Atom,
        arity: usize,
        value: Result<Number, Undefined>,
    ) -> Result<Number, Throw> {
        match value {
            Ok(value) => Ok(value),
            Err(Undefined::Evaluation(what, limit)) if self.takes_limit(what, limit) => {
                Ok(Number::Float(limit))
            }
            Err(Undefined::Evaluation(what, _) | Undefined::NoInteger(what)) => self.evaluation_error(what),
            Err(Undefined::Type(expected, culprit)) => {
                let culprit = self.store.make_number(&culprit);
                self.type_error(expected, culprit)
            }
            Err(Undefined::Domain(expected, culprit)) => {
                let culprit = self.store.make_number(&culprit);
                self.domain_error(expected, culprit)
            }
            Err(Undefined::Memory) => self.resource_error(atom::MEMORY),
            Err(Undefined::Unknown) => self.not_evaluable(name, arity),
        }
    }
}
