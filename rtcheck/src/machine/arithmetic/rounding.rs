//! Values rounded in a direction: `roundtoward(Expression, Mode)`.
//!
//! Processors round to the nearest number unless they are told otherwise, and Rust has no means to tell them. Of the
//! four operations and of conversions the exact value is a fraction, of a square root its square is, so the neighbour in
//! the wanted direction is found by comparing. Other functions keep the nearest value that they are known to have.

use super::function;
use crate::term::{Atom, Number, atom};
use std::cmp::Ordering;

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Toward {
    Nearest,
    Zero,
    Positive,
    Negative,
}

impl Toward {
    /// The direction of a mode's name.
    pub(super) fn named(mode: &str) -> Option<Self> {
        Some(match mode {
            "to_nearest" => Self::Nearest,
            "to_zero" => Self::Zero,
            "to_positive" => Self::Positive,
            "to_negative" => Self::Negative,
            _ => return None,
        })
    }
}

/// The value of a function in a direction, given the nearest one.
pub(super) fn directed(name: Atom, operands: &[Number], nearest: Number, toward: Toward) -> Number {
    let Number::Float(value) = nearest else { return nearest };
    let (zero, fraction) = (Number::Int(0), Number::exactly(value));
    let sides = match operands {
        [square] if name == atom::SQRT => {
            let own = fraction.and_then(|root| function::exact(atom::STAR, root.clone(), root).ok());
            own.zip(exactly(square)).and_then(|(own, exact)| exact.compare(&own)).map(|side| (side, false))
        }
        _ => exact(name, operands)
            .and_then(|exact| Some((exact.compare(&fraction?)?, exact.compare(&zero)? == Ordering::Less))),
    };
    let Some((side, is_negative)) = sides else { return nearest };
    let up = match toward {
        Toward::Nearest => return nearest,
        Toward::Positive => true,
        Toward::Negative => false,
        Toward::Zero => is_negative,
    };
    Number::Float(match side {
        Ordering::Greater if up => value.next_up(),
        Ordering::Less if !up => value.next_down(),
        _ => value,
    })
}

/// The exact value of an operation, if it is a fraction.
fn exact(name: Atom, operands: &[Number]) -> Option<Number> {
    match operands {
        [left, right] if matches!(name, atom::PLUS | atom::MINUS | atom::STAR | atom::SLASH) => {
            function::exact(name, exactly(left)?, exactly(right)?).ok()
        }
        [value] if name == atom::FLOAT => exactly(value),
        _ => None,
    }
}

/// A number as a fraction; infinite ones are none.
fn exactly(number: &Number) -> Option<Number> {
    match number {
        Number::Float(value) => Number::exactly(*value),
        other => Some(other.clone()),
    }
}
