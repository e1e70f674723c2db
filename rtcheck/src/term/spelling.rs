//! The texts of numbers, atoms and strings as they read back, and the names of numbered variables.

use super::{Number, is_alphanumeric, is_invisible, is_symbol, starts_name};

/// The text of a number as it is read back.
pub(super) fn number_text(number: &Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Big(value) => value.to_string(),
        Number::Float(value) => format_float(*value),
        Number::Rational(value) => format!("{}r{}", value.numerator(), value.denominator()),
    }
}

/// The shortest text that reads back as the same float, always with a point.
#[must_use]
pub fn format_float(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    if value.is_nan() {
        return "1.5NaN".to_owned();
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e15).contains(&magnitude) {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        return format!("{mantissa}{point}e{sign}{exponent}");
    }
    let text = value.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// The name of the numbered variable: a letter, and from 26 on a number behind it.
#[must_use]
pub fn variable_name(number: u64) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// Whether an atom reads as itself without quotes.
fn is_bare(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        None => false,
        Some(first) if starts_name(first) => characters.all(is_alphanumeric),
        Some(first) if is_symbol(first) => {
            characters.all(is_symbol) && text != "." && !text.starts_with("/*")
        }
        Some(_) => matches!(text, "[]" | "{}" | "!" | ";"),
    }
}

/// The text of an atom with quotes if reading it back needs them.
#[must_use]
pub fn quoted_atom(text: &str) -> String {
    if is_bare(text) { text.to_owned() } else { quoted_text(text, '\'') }
}

/// A text in quotes as it is read back.
#[must_use]
pub fn quoted_text(text: &str, quote: char) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(quote);
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\u{b}' => quoted.push_str("\\v"),
            other if other == quote => quoted.extend(['\\', quote]),
            other if is_invisible(other) => quoted.push_str(&format!("\\x{:X}\\", u32::from(other))),
            other => quoted.push(other),
        }
    }
    quoted.push(quote);
    quoted
}
