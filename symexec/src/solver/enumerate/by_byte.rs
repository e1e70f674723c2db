//! The values of the terms that depend on one unknown byte, for all values of it at once, in questions over any number
//! of bytes.

use super::{LANES, Lanes, Limits, MOST_PASSED, Tried, Vector, Vectors, evaluate, passed};
use crate::solver::question::{Question, Term};

/// The most terms that are no constants of a question whose terms over one byte are computed for all its values.
const MOST_OF_TABLES: usize = 1 << 12;

/// The most operations on floating-point numbers of such a question.
const MOST_FLOATS_OF_TABLES: usize = 64;

/// The values of a term that depends on one byte at most.
pub(in crate::solver) enum Table {
    /// It depends on none.
    Same(u64),
    /// By the byte's value.
    Each(Vector),
}

/// On what a term depends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depends {
    Nothing,
    Byte(u32),
    Several,
}

/// The values of the terms that depend on one byte at most, with the byte; those of other terms are absent. `None` if the
/// question is too large, or a term cannot be computed.
pub(in crate::solver) fn tables(
    question: &Question,
    vectors: &mut Vectors,
) -> Option<Vec<Option<(u32, Table)>>> {
    let limits = Limits { terms: MOST_OF_TABLES, floats: MOST_FLOATS_OF_TABLES, where_dear: MOST_OF_TABLES };
    if !limits.allow(question) || passed(question, LANES) > MOST_PASSED {
        return None;
    }
    let mut depends: Vec<Depends> = Vec::with_capacity(question.terms.len());
    let mut done: Vec<Lanes<'_>> = Vec::with_capacity(question.terms.len());
    for (width, term) in &question.terms {
        let mut on = if let Term::Input(input) = term { Depends::Byte(*input) } else { Depends::Nothing };
        let _ = term.map(|operand| {
            on = match (on, depends.get(operand as usize).copied().unwrap_or(Depends::Several)) {
                (Depends::Nothing, other) | (other, Depends::Nothing) => other,
                (on, other) if on == other => on,
                _ => Depends::Several,
            };
            operand
        });
        done.push(match (on, term) {
            (_, Term::Literal(elements)) => Lanes::Array(elements),
            (_, Term::Store(array, index, value)) => Lanes::Store(*array, *index, *value),
            // Nothing that is computed here is made of these.
            (Depends::Several, Term::Float(..)) => return None,
            (Depends::Several, _) => Lanes::Same(0),
            _ => evaluate(question, &done, *width, term, Tried::Each, vectors)?,
        });
        depends.push(on);
    }
    let table = |(on, lanes)| match (on, lanes) {
        (Depends::Several, _) | (_, Lanes::Array(_) | Lanes::Store(..)) => None,
        (Depends::Nothing, Lanes::Same(value)) => Some((0, Table::Same(value))),
        // What is read from an array of constants at a known place is as many vectors.
        (Depends::Nothing, Lanes::Each(values)) => Some((0, Table::Same(values[0]))),
        (Depends::Byte(_), Lanes::Same(value)) => Some((0, Table::Same(value))),
        (Depends::Byte(byte), Lanes::Each(values)) => Some((byte, Table::Each(values))),
    };
    Some(depends.into_iter().zip(done).map(table).collect())
}
