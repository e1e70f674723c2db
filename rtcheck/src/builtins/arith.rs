//! Arithmetic predicates as they are called through call/N; in clauses they are instructions.

use crate::machine::{Comparison, Machine, Outcome};
use crate::term::{Number, Tag, atom, compare};
use std::cmp::Ordering;

macro_rules! comparisons {
    ($machine:ident, $function:ident, $($name:literal => $comparison:ident),*) => {
        $($machine.define_builtin($name, 2, |m| $function(m, Comparison::$comparison));)*
    };
}

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("is", 2, |m| {
        let value = m.argument(1);
        let value = m.evaluate(value)?;
        let cell = m.store.make_number(&value);
        Ok(m.unify_argument(0, cell))
    });
    comparisons!(machine, numbers, "=:=" => Equal, "=\\=" => NotEqual, "<" => Less, "=<" => LessEqual,
        ">" => Greater, ">=" => GreaterEqual);
    comparisons!(machine, terms, "==" => Equal, "\\==" => NotEqual, "@<" => Less, "@=<" => LessEqual,
        "@>" => Greater, "@>=" => GreaterEqual);
    machine.define_builtin("=", 2, |m| {
        let right = m.argument(1);
        Ok(m.unify_argument(0, right))
    });
    machine.define_builtin("var", 1, |m| Ok(m.argument(0).tag() == Tag::Ref));
    machine.define_builtin("nonvar", 1, |m| Ok(m.argument(0).tag() != Tag::Ref));
    machine.define_builtin("atom", 1, |m| Ok(m.argument(0).tag() == Tag::Atm));
    // '$rational'(Number, Numerator, Denominator)
    machine.define_builtin("$rational", 3, |m| {
        let cell = m.argument(0);
        let Some((numerator, denominator)) = m.store.number(cell).and_then(|number| number.to_ratio()) else {
            return Ok(false);
        };
        let [numerator, denominator] =
            [numerator, denominator].map(|part| m.store.make_number(&Number::integer(part)));
        Ok(m.unify_argument(1, numerator) && m.unify_argument(2, denominator))
    });
    machine.define_builtin("integer", 1, |m| Ok(m.store.is_integer(m.argument(0))));
    machine.define_builtin("float", 1, |m| Ok(m.store.is_float(m.argument(0))));
    machine.define_builtin("number", 1, |m| Ok(matches!(m.argument(0).tag(), Tag::Int | Tag::Box)));
    machine.define_builtin("atomic", 1, |m| Ok(m.argument(0).is_atomic()));
    machine.define_builtin("compound", 1, |m| Ok(matches!(m.argument(0).tag(), Tag::Str | Tag::Lis)));
    machine
        .define_builtin("callable", 1, |m| Ok(matches!(m.argument(0).tag(), Tag::Atm | Tag::Str | Tag::Lis)));
    machine.define_builtin("succ", 2, succ);
    machine.define_builtin("$seed", 1, |m| {
        let seed = m.argument(0).bits();
        // The generator never leaves 0.
        m.random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Ok(true)
    });
}

fn numbers(m: &mut Machine, comparison: Comparison) -> Outcome {
    let (left, right) = (m.argument(0), m.argument(1));
    let left = m.evaluate(left)?;
    let right = m.evaluate(right)?;
    let order = left.compare(&right);
    Ok(order.map_or(comparison == Comparison::NotEqual, |order| comparison.accepts(order)))
}

fn terms(m: &mut Machine, comparison: Comparison) -> Outcome {
    Ok(comparison.accepts(compare(&m.store, &m.atoms, m.argument(0), m.argument(1))))
}

fn succ(m: &mut Machine) -> Outcome {
    let (low, high) = (m.argument(0), m.argument(1));
    for given in [low, high] {
        if given.tag() != Tag::Ref && !m.store.is_integer(given) {
            return m.type_error(atom::INTEGER, given);
        }
    }
    let (known, step, other) =
        if low.tag() == Tag::Ref { (high, atom::MINUS, 0) } else { (low, atom::PLUS, 1) };
    let Some(number) = m.store.number(known) else { return m.instantiation_error() };
    for given in [low, high] {
        if m.store.number(given).is_some_and(|number| number.compare(&Number::Int(0)) == Some(Ordering::Less))
        {
            return m.domain_error("not_less_than_zero", given);
        }
    }
    if other == 0 && number == Number::Int(0) {
        return Ok(false);
    }
    let value = m.apply(step, number, Number::Int(1))?;
    let cell = m.store.make_number(&value);
    Ok(m.unify_argument(other, cell))
}
