//! Models as data: what constants, functions and wanted terms are where a check fails.

use std::collections::VecDeque;

use ivl_verifier::smt::answer::{Model, Table, Value};
use ivl_verifier::smt::term::{CONSTRUCTOR, Query};
use z3::ast::{Ast, Dynamic};
use z3::{DeclKind, FuncInterp, SortKind};

use crate::build::Builder;

/// How many values a model may consist of; what is beyond is told as text without an end.
const MAX_VALUES: usize = 100_000;
/// How deep values are taken apart.
const MAX_DEPTH: usize = 100;
/// How long the text of a value may be that is not taken apart.
const MAX_TEXT: usize = 2_000;

/// What a model says about a query, and about terms beside it.
pub(crate) fn values(built: &Builder, model: &z3::Model, query: &Query, wanted: &[Option<Dynamic>]) -> Model {
    let mut reader = Reader { model, left: MAX_VALUES };
    let mut result = Model::default();
    for (function, declared) in query.functions.as_slice().iter().zip(&built.functions) {
        if function.arguments.is_empty() {
            if let Some(value) = model.get_const_interp(&declared.apply(&[])) {
                result.constants.push((function.name.clone(), reader.value(&value, 0)));
            }
        } else if let Some(found) = model.get_func_interp(declared) {
            let (mut table, otherwise) = reader.table(&found, 0);
            if function.anchored {
                // What it takes in front is no argument of the query's.
                table.iter_mut().for_each(|(arguments, _)| drop(arguments.drain(..arguments.len().min(1))));
            }
            result.functions.push((function.name.clone(), table, otherwise));
        }
    }
    for term in wanted {
        let value = term.as_ref().and_then(|term| model.eval(term, true));
        result.terms.push(value.map(|value| reader.value(&value, 0)));
    }
    result
}

struct Reader<'m> {
    model: &'m z3::Model,
    left: usize,
}

impl Reader<'_> {
    fn table(&mut self, found: &FuncInterp, depth: usize) -> (Table, Option<Value>) {
        let mut table = Vec::new();
        for entry in found.get_entries() {
            if self.left == 0 {
                break;
            }
            let arguments = entry.get_args().iter().map(|it| self.value(it, depth + 1)).collect();
            table.push((arguments, self.value(&entry.get_value(), depth + 1)));
        }
        let otherwise = found.get_else().map(|value| self.value(&value, depth + 1));
        (table, otherwise)
    }

    fn value(&mut self, value: &Dynamic, depth: usize) -> Value {
        if self.left == 0 || depth > MAX_DEPTH {
            return Value::Other("...".to_owned());
        }
        self.left -= 1;
        self.known(value, depth).unwrap_or_else(|| {
            let mut text = value.to_string();
            if text.len() > MAX_TEXT {
                let end = (0..=MAX_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                text.truncate(end);
                text.push_str("...");
            }
            Value::Other(text)
        })
    }

    /// A value of a form that has a name here.
    fn known(&mut self, value: &Dynamic, depth: usize) -> Option<Value> {
        Some(match value.sort_kind() {
            SortKind::Bool => Value::Bool(value.as_bool()?.as_bool()?),
            SortKind::Int => Value::Int(number(&value.to_string())?),
            SortKind::Real => {
                let (numerator, denominator) = fraction(&value.to_string())?;
                Value::Real(numerator, denominator)
            }
            SortKind::Bv => {
                let (number, width) = vector(value)?;
                Value::BitVector(number, width)
            }
            SortKind::Uninterpreted => Value::Element(value.safe_decl().ok()?.name()),
            SortKind::Datatype => {
                let constructor = value.safe_decl().ok()?;
                if constructor.kind() != DeclKind::DtConstructor {
                    return None;
                }
                let fields = value.children().iter().map(|it| self.value(it, depth + 1)).collect();
                Value::Construct(constructor.name().replacen(CONSTRUCTOR, "", 1), fields)
            }
            SortKind::Array => self.map(value, depth)?,
            SortKind::Seq => Value::Text(value.as_string()?.as_string()?),
            _ => return None,
        })
    }

    fn map(&mut self, value: &Dynamic, depth: usize) -> Option<Value> {
        let mut entries = VecDeque::new();
        let mut current = value.clone();
        loop {
            if let Some(function) = current.as_array()?.as_array_func_decl() {
                let (table, otherwise) = self.table(&self.model.get_func_interp(&function)?, depth);
                for (mut arguments, element) in table {
                    entries.push_back((arguments.pop()?, element));
                }
                return Some(Value::Map(entries.into(), otherwise.map(Box::new)));
            }
            let parts = current.children();
            match (current.safe_decl().ok()?.kind(), parts.as_slice()) {
                (DeclKind::Store, [map, index, element]) => {
                    if self.left == 0 {
                        return Some(Value::Map(entries.into(), None));
                    }
                    entries.push_back((self.value(index, depth + 1), self.value(element, depth + 1)));
                    current = map.clone();
                }
                (DeclKind::ConstArray, [element]) => {
                    let otherwise = self.value(element, depth + 1);
                    return Some(Value::Map(entries.into(), Some(Box::new(otherwise))));
                }
                _ => return None,
            }
        }
    }
}

/// A bit vector as a number in decimals, and its width.
pub(crate) fn vector(value: &Dynamic) -> Option<(String, u32)> {
    let vector = value.as_bv()?;
    let text = vector.to_string();
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => return None,
    };
    let number = num_bigint::BigUint::parse_bytes(digits.as_bytes(), radix)?;
    Some((number.to_string(), vector.get_size()))
}

/// A whole number as the solver writes it.
pub(crate) fn number(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| format!("{sign}{digits}"))
}

/// A fraction as the solver writes it: `2.0`, `(- 2.0)`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
pub(crate) fn fraction(text: &str) -> Option<(String, String)> {
    if let Some(inner) = text.strip_prefix("(- (/ ").and_then(|rest| rest.strip_suffix("))")) {
        let (numerator, denominator) = fraction(&format!("(/ {inner})"))?;
        return Some((format!("-{numerator}"), denominator));
    }
    if let Some(inner) = text.strip_prefix("(/ ").and_then(|rest| rest.strip_suffix(')')) {
        let at = inner.rfind(' ')?;
        return Some((number(&inner[..at])?, number(&inner[at + 1..])?));
    }
    Some((number(text)?, "1".to_owned()))
}
