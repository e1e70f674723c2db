//! Directives of `format/2` as C has them, which GNU Prolog takes besides: `%5d`, `%.2f`, `%-10s`.
//!
//! They count only where a text without them would have too many arguments, which is an error elsewhere.

use super::{Arguments, Stop, exponential, fixed, general, integer, popped_number};
use crate::builtins::atoms::any_text;
use crate::machine::Machine;
use std::iter::Peekable;
use std::str::Chars;

/// How a conversion fills its field.
#[derive(Default)]
struct Field {
    left: bool,
    zeros: bool,
    plus: bool,
    width: usize,
    precision: Option<usize>,
}

impl Field {
    /// What stands between `%` and the conversion.
    fn read(
        m: &mut Machine,
        rest: &mut Peekable<Chars<'_>>,
        arguments: &mut Arguments,
    ) -> Result<Self, Stop> {
        let mut field = Self::default();
        while let Some(flag) = rest.next_if(|next| "-+0 #".contains(*next)) {
            match flag {
                '-' => field.left = true,
                '+' => field.plus = true,
                '0' => field.zeros = true,
                _ => {}
            }
        }
        field.width = Self::size(m, rest, arguments)?.unwrap_or(0);
        if rest.next_if_eq(&'.').is_some() {
            field.precision = Some(Self::size(m, rest, arguments)?.unwrap_or(0));
        }
        while rest.next_if(|next| matches!(next, 'l' | 'h')).is_some() {}
        Ok(field)
    }

    fn size(
        m: &mut Machine,
        rest: &mut Peekable<Chars<'_>>,
        arguments: &mut Arguments,
    ) -> Result<Option<usize>, Stop> {
        if rest.next_if_eq(&'*').is_some() {
            return popped_number(m, arguments).map(Some);
        }
        let mut size = None;
        while let Some(digit) = rest.peek().and_then(|next| next.to_digit(10)) {
            rest.next();
            size = Some(size.unwrap_or(0_usize).saturating_mul(10).saturating_add(digit as usize));
        }
        // Wide fields are mistakes that should not use up the memory.
        Ok(size.map(|size| size.min(super::MOST)))
    }

    fn number(&self, text: &str) -> String {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None if self.plus => ("+", text),
            None => ("", text),
        };
        let length = sign.len() + digits.chars().count();
        if self.zeros && !self.left && length < self.width {
            return format!("{sign}{}{digits}", "0".repeat(self.width - length));
        }
        self.text(&format!("{sign}{digits}"))
    }

    fn text(&self, text: &str) -> String {
        let width = self.width;
        if self.left { format!("{text:<width$}") } else { format!("{text:>width$}") }
    }
}

/// What stands for a conversion behind `%`, with the arguments that it takes.
pub(super) fn convert(
    m: &mut Machine,
    rest: &mut Peekable<Chars<'_>>,
    arguments: &mut Arguments,
) -> Result<String, Stop> {
    if rest.next_if_eq(&'%').is_some() {
        return Ok("%".to_owned());
    }
    let behind = rest.clone();
    let field = Field::read(m, rest, arguments)?;
    let Some(conversion) = rest.next() else { return Ok("%".to_owned()) };
    Ok(match conversion {
        'd' | 'i' | 'u' => field.number(&integer(m, 'd', arguments)?.to_string()),
        'o' => field.number(&integer(m, 'd', arguments)?.to_str_radix(8)),
        'x' => field.number(&integer(m, 'd', arguments)?.to_str_radix(16)),
        'X' => field.number(&integer(m, 'd', arguments)?.to_str_radix(16).to_uppercase()),
        'c' => {
            let code = integer(m, 'c', arguments)?;
            let character = u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}');
            field.text(&character.to_string())
        }
        's' | 'a' => {
            let cell = arguments.next(m)?;
            let Some(text) = any_text(m, cell) else { return super::argument_error(m, 's', cell) };
            let most = field.precision.unwrap_or(usize::MAX);
            field.text(&text.chars().take(most).collect::<String>())
        }
        'f' | 'e' | 'E' | 'g' | 'G' => {
            let cell = arguments.next(m)?;
            let value = m.evaluate(cell)?;
            let digits = field.precision.unwrap_or(6);
            let text = match conversion {
                'f' => fixed(&value, digits),
                'e' | 'E' => exponential(value.to_f64(), digits),
                _ => general(value.to_f64(), digits),
            };
            field.number(&if conversion.is_uppercase() { text.to_uppercase() } else { text })
        }
        _ => {
            // No conversion: text like any other.
            *rest = behind;
            "%".to_owned()
        }
    })
}
