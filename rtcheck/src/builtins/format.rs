//! `format/2`: text with directives.
//!
//! Text is collected and written at once, so that columns can be filled: `~t` marks a place that grows, `~N|` and `~N+`
//! end a column at a position and share what is missing among its marks. An error writes what came before it.
//!
//! Directives that call the program (`~p` where it defines `portray/1`, and `~@`) run it inside, with its output
//! captured.
//!
//! A text that would have too many arguments is read once more with C's directives (`percent`).

mod percent;

use super::atoms::any_text;
use super::streams::{put_text, text_output};
use super::written::{canonical_text, text_of};
use crate::machine::{Locale, Machine, RunOutcome, Throw, column_behind};
use crate::term::{Atom, Cell, Number, Tag, WriteOptions, atom};
use num_bigint::{BigInt, Sign};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("$format", 3, |m| {
        let id = text_output(m, Some(0))?;
        let column = m.streams.get(id).map_or(0, |stream| stream.position.column);
        let mut page = Page::new(column);
        let result = format(m, 1, 2, &mut page);
        put_text(m, id, &page.text)?;
        match result {
            Ok(()) => Ok(true),
            Err(Stop::Failed) => Ok(false),
            Err(Stop::Threw(throw)) => Err(throw),
        }
    });
    // '$format_predicate'(Character, Module, Name, Arity): the directive of this character calls Module:Name/Arity.
    machine.define_builtin("$format_predicate", 4, |m| {
        let [character, module, name] = [0, 1, 2].map(|i| m.argument(i).as_atom());
        let arity = m.argument(3).int_value() as usize;
        if let Some(character) = m.atoms.text(character).chars().next() {
            m.format_directives.insert(character, (module, name, arity));
        }
        Ok(true)
    });
    // '$format_predicates'(List): what was defined so, `format(Character, Module, Name, Arity)` each.
    machine.define_builtin("$format_predicates", 1, |m| {
        let mut cells = Vec::new();
        let functor = m.atoms.intern("format");
        for (character, (module, name, arity)) in m.format_directives.clone() {
            let parts = [m.atoms.character(character), module, name].map(Cell::atom);
            cells.push(m.store.compound(functor, &[&parts[..], &[Cell::count(arity)]].concat()));
        }
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    // '$set_locale'(DecimalPoint, Separator, Sizes, Repeats): how numbers are written where `:` asks for it.
    machine.define_builtin("$set_locale", 4, |m| {
        let [decimal_point, separator] = [0, 1].map(|i| m.atoms.text(m.argument(i).as_atom()).to_owned());
        let mut groups = Vec::new();
        let mut sizes = m.argument(2);
        while sizes.tag() == Tag::Lis {
            groups.push(usize::try_from(m.store.argument(sizes, 0).int_value()).unwrap_or(usize::MAX));
            sizes = m.store.argument(sizes, 1);
        }
        let repeats = m.argument(3) == Cell::atom(atom::TRUE);
        m.locale = Locale { decimal_point, separator, groups, repeats };
        Ok(true)
    });
}

/// Why a text is not written to its end.
pub(super) enum Stop {
    /// A goal of the caller's failed, and so the call does.
    Failed,
    Threw(Throw),
}

impl From<Throw> for Stop {
    fn from(throw: Throw) -> Self {
        Self::Threw(throw)
    }
}

/// The text so far, and what of it may still grow.
struct Page {
    text: String,
    /// The column in front of the text's last line.
    left: usize,
    /// Where the last column ended: the byte in the text and the column there.
    stop: (usize, usize),
    /// Places that grow, by byte, and what they are filled with.
    fills: Vec<(usize, char)>,
}

impl Page {
    fn new(column: usize) -> Self {
        Self { text: String::new(), left: column, stop: (0, 0), fills: Vec::new() }
    }

    /// The column behind the text.
    fn column(&self) -> usize {
        column_behind(self.left, &self.text)
    }

    /// Ends a column: text since the last stop is filled up to a position.
    fn end_column(&mut self, position: Option<usize>, plus: Option<usize>) {
        let (byte, column) = self.stop;
        let before = if self.text[byte..].contains('\n') { 0 } else { column };
        let now = self.column();
        let target = match (position, plus) {
            (Some(position), _) => position,
            (None, Some(width)) => before + width,
            (None, None) => now,
        };
        let missing = target.saturating_sub(now);
        if missing > 0 {
            if self.fills.is_empty() {
                self.fills.push((self.text.len(), ' '));
            }
            let count = self.fills.len();
            // What cannot be shared evenly goes to the last places.
            let (each, more) = (missing / count, missing % count);
            for (i, &(place, character)) in self.fills.iter().enumerate().rev() {
                let size = each + usize::from(i >= count - more);
                self.text.insert_str(place, &character.to_string().repeat(size));
            }
        }
        self.fills.clear();
        self.stop = (self.text.len(), self.column());
    }
}

/// The arguments that are left.
struct Arguments {
    left: std::vec::IntoIter<Cell>,
    /// Whose goals those among them are.
    module: Atom,
}

impl Arguments {
    fn next(&mut self, m: &mut Machine) -> Result<Cell, Stop> {
        match self.left.next() {
            Some(cell) => Ok(m.store.deref(cell)),
            None => format_error(m, "not enough arguments"),
        }
    }
}

fn format_error<T>(m: &mut Machine, reason: &str) -> Result<T, Stop> {
    let (name, reason) = (m.atoms.intern("format"), Cell::atom(m.atoms.intern(reason)));
    let formal = m.store.compound(name, &[reason]);
    Ok(m.throw_error(formal)?)
}

/// The argument of a directive is not of its kind.
fn argument_error<T>(m: &mut Machine, directive: char, argument: Cell) -> Result<T, Stop> {
    let name = m.atoms.intern("format_argument_type");
    let directive = Cell::atom(m.atoms.character(directive));
    let formal = m.store.compound(name, &[directive, argument]);
    Ok(m.throw_error(formal)?)
}

/// The arguments, and the module of the call that named them, which stands in front of them for calls from a module.
fn whose(m: &Machine, arguments: Cell) -> (Atom, Cell) {
    match m.store.match_structure::<2>(arguments, atom::COLON) {
        Some([module, inner])
            if module.tag() == Tag::Atm
                && module != Cell::atom(atom::USER)
                && m.find_module(module.as_atom()).is_some() =>
        {
            (module.as_atom(), inner)
        }
        _ => (atom::USER, arguments),
    }
}

/// The number that a directive takes from the arguments.
fn popped_number(m: &mut Machine, arguments: &mut Arguments) -> Result<usize, Stop> {
    let cell = arguments.next(m)?;
    match (cell.tag() == Tag::Int).then(|| usize::try_from(cell.int_value())) {
        Some(Ok(value)) => Ok(value),
        _ => format_error(m, "no or negative integer for `*' argument"),
    }
}

fn format(m: &mut Machine, template: usize, arguments: usize, page: &mut Page) -> Result<(), Stop> {
    let template = m.argument(template);
    if template.tag() == Tag::Ref {
        return Ok(m.instantiation_error()?);
    }
    let Some(template) = any_text(m, template) else { return Ok(m.type_error_named("text", template)?) };
    let (module, all) = whose(m, m.argument(arguments));
    // What is no list is the only argument.
    let left = m.store.list_elements(all).unwrap_or_else(|_| vec![all]);
    let mut directives = Arguments { left: left.clone().into_iter(), module };
    directed(m, &template, &mut directives, page, false)?;
    if directives.left.next().is_none() {
        return Ok(());
    }
    // Goals run once.
    if !m.flags.strict && template.contains('%') && !template.contains("~@") {
        let mut arguments = Arguments { left: left.into_iter(), module };
        let mut again = Page::new(page.left);
        if directed(m, &template, &mut arguments, &mut again, true).is_ok() && arguments.left.next().is_none()
        {
            *page = again;
            return Ok(());
        }
    }
    format_error(m, "too many arguments")
}

/// Adds a text with its directives to the page, with C's among them if that is wished.
fn directed(
    m: &mut Machine,
    template: &str,
    arguments: &mut Arguments,
    page: &mut Page,
    percent: bool,
) -> Result<(), Stop> {
    let mut rest = template.chars().peekable();
    while let Some(next) = rest.next() {
        if percent && next == '%' {
            let text = percent::convert(m, &mut rest, arguments)?;
            page.text.push_str(&text);
            continue;
        }
        if next != '~' {
            page.text.push(next);
            continue;
        }
        // The number in front of a directive: digits, a character behind a back quote, or an argument.
        let mut number = None;
        match rest.peek() {
            Some('`') => {
                rest.next();
                number = rest.next().map(|character| u32::from(character) as usize);
            }
            Some('*') => {
                rest.next();
                number = Some(popped_number(m, arguments)?);
            }
            _ => {
                while let Some(digit) = rest.peek().and_then(|next| next.to_digit(10)) {
                    rest.next();
                    number = Some(number.unwrap_or(0usize).saturating_mul(10).saturating_add(digit as usize));
                }
            }
        }
        // Wide columns and long fractions are mistakes that should not use up the memory.
        if number.is_some_and(|number| number > MOST) {
            return format_error(m, "the number of a directive is too large");
        }
        // SWI-Prolog's mark for numbers as the locale writes them.
        let local = rest.next_if_eq(&':').is_some();
        let Some(directive) = rest.next() else { return format_error(m, "truncated format specification") };
        apply(m, directive, number, local, arguments, page)?;
    }
    Ok(())
}

/// The largest number of a directive: characters beyond that are none.
const MOST: usize = 0x0010_ffff;

fn apply(
    m: &mut Machine,
    directive: char,
    number: Option<usize>,
    local: bool,
    arguments: &mut Arguments,
    page: &mut Page,
) -> Result<(), Stop> {
    if let Some(&(module, name, arity)) = m.format_directives.get(&directive) {
        let mut all = vec![number.map_or(Cell::atom(m.atoms.intern("default")), Cell::count)];
        for _ in 1..arity {
            all.push(arguments.next(m)?);
        }
        let goal = m.store.compound(name, &all);
        let goal = m.qualified(module, goal);
        let text = captured(m, goal)?;
        page.text.push_str(&text);
        return Ok(());
    }
    match directive {
        '~' => page.text.push('~'),
        'n' => page.text.push_str(&"\n".repeat(number.unwrap_or(1))),
        'N' => {
            if page.column() > 0 {
                page.text.push('\n');
            }
        }
        't' => {
            let fill = number.and_then(|code| char::from_u32(code as u32)).unwrap_or(' ');
            page.fills.push((page.text.len(), fill));
        }
        '|' => page.end_column(number, None),
        '+' => page.end_column(None, Some(number.unwrap_or(8))),
        'i' => {
            arguments.next(m)?;
        }
        'w' | 'q' | 'k' => {
            let cell = arguments.next(m)?;
            let text = match directive {
                'w' => text_of(m, cell, WriteOptions::PLAIN),
                'q' => text_of(m, cell, WriteOptions::QUOTED),
                _ => canonical_text(m, cell),
            };
            page.text.push_str(&text);
        }
        'p' => {
            let cell = arguments.next(m)?;
            let text = printed(m, cell)?;
            page.text.push_str(&text);
        }
        'W' => {
            let (cell, options) = (arguments.next(m)?, arguments.next(m)?);
            let name = m.atoms.intern("write_term");
            let goal = m.store.compound(name, &[cell, options]);
            let text = captured(m, goal)?;
            page.text.push_str(&text);
        }
        '@' => {
            let goal = arguments.next(m)?;
            let goal =
                if arguments.module == atom::USER { goal } else { m.qualified(arguments.module, goal) };
            let text = captured(m, goal)?;
            page.text.push_str(&text);
        }
        'a' => {
            let cell = arguments.next(m)?;
            if !cell.is_atomic() {
                return argument_error(m, 'a', cell);
            }
            page.text.push_str(&text_of(m, cell, WriteOptions::PLAIN));
        }
        's' => {
            let cell = arguments.next(m)?;
            let is_number = matches!(cell.tag(), Tag::Int | Tag::Box);
            match any_text(m, cell).filter(|_| !is_number) {
                // So many characters of it.
                Some(text) => page.text.extend(text.chars().take(number.unwrap_or(usize::MAX))),
                None => return argument_error(m, 's', cell),
            }
        }
        'c' => {
            let cell = arguments.next(m)?;
            let code = if cell.tag() == Tag::Int { u32::try_from(cell.int_value()).ok() } else { None };
            let Some(character) = code.and_then(char::from_u32) else { return argument_error(m, 'c', cell) };
            page.text.extend(std::iter::repeat_n(character, number.unwrap_or(1)));
        }
        'd' | 'D' | 'I' => {
            let value = integer(m, directive, arguments)?;
            let text = match directive {
                'd' if local => m.locale.write(&pointed(&value, number.unwrap_or(0))),
                'd' => pointed(&value, number.unwrap_or(0)),
                'D' => Locale::thousands().write(&pointed(&value, number.unwrap_or(0))),
                _ => Locale { separator: "_".to_owned(), ..Locale::thousands() }.write(&pointed(&value, 0)),
            };
            page.text.push_str(&text);
        }
        'r' | 'R' => {
            let value = integer(m, directive, arguments)?;
            let radix = number.unwrap_or(8);
            if !(2..=36).contains(&radix) {
                return Ok(m.domain_error("radix", Cell::count(radix))?);
            }
            let text = value.to_str_radix(radix as u32);
            page.text.push_str(&if directive == 'R' { text.to_uppercase() } else { text });
        }
        'e' | 'E' | 'f' | 'g' | 'G' => {
            let cell = arguments.next(m)?;
            if cell.tag() == Tag::Ref {
                return Ok(m.instantiation_error()?);
            }
            let value = m.evaluate(cell)?;
            let digits = number.unwrap_or(6);
            let text = match directive {
                'e' | 'E' => exponential(value.to_f64(), digits),
                'f' if local => m.locale.write(&fixed(&value, digits)),
                'f' => fixed(&value, digits),
                _ => general(value.to_f64(), digits),
            };
            page.text.push_str(&if directive.is_uppercase() { text.to_uppercase() } else { text });
        }
        other => {
            let other = Cell::atom(m.atoms.character(other));
            return Ok(m.existence_error("format_character", other)?);
        }
    }
    Ok(())
}

/// What print/1 writes.
fn printed(m: &mut Machine, cell: Cell) -> Result<String, Stop> {
    let name = m.atoms.intern("portray");
    if m.find_predicate_in(atom::USER, name, 1).is_none() {
        let options = WriteOptions { spelled_variables: true, ..WriteOptions::QUOTED };
        return Ok(text_of(m, cell, options));
    }
    let name = m.atoms.intern("print");
    let goal = m.store.compound(name, &[cell]);
    captured(m, goal)
}

/// What a goal writes, if it succeeds.
fn captured(m: &mut Machine, goal: Cell) -> Result<String, Stop> {
    let output = m.streams.start_capture();
    let capture = m.streams.output;
    let outcome = m.run(goal);
    let text = m.streams.end_capture(capture, output);
    match outcome {
        RunOutcome::Succeeded => Ok(text),
        RunOutcome::Failed => Err(Stop::Failed),
        RunOutcome::Threw(ball) => Err(Throw::Ball(ball).into()),
        RunOutcome::Halted(code) => Err(Throw::Halt(code).into()),
    }
}

/// The integer that the next argument is or evaluates to.
fn integer(m: &mut Machine, directive: char, arguments: &mut Arguments) -> Result<BigInt, Stop> {
    let cell = arguments.next(m)?;
    if cell.tag() == Tag::Ref {
        return Ok(m.instantiation_error()?);
    }
    match m.evaluate(cell)?.to_big() {
        Some(value) => Ok(value),
        None => argument_error(m, directive, cell),
    }
}

/// An integer with a point in front of its last digits.
fn pointed(value: &BigInt, fraction: usize) -> String {
    let digits = value.magnitude().to_string();
    let digits = format!("{digits:0>width$}", width = fraction + 1);
    let (whole, part) = digits.split_at(digits.len() - fraction);
    let mut text = String::new();
    if value.sign() == Sign::Minus {
        text.push('-');
    }
    text.push_str(whole);
    if fraction > 0 {
        text.push('.');
        text.push_str(part);
    }
    text
}

/// C's `inf` and `nan`, which have no digits.
fn special(value: f64) -> Option<String> {
    if value.is_nan() {
        return Some("nan".to_owned());
    }
    value.is_infinite().then(|| if value > 0.0 { "inf" } else { "-inf" }.to_owned())
}

/// A number with so many digits behind the point; exact for integers of any size.
fn fixed(value: &Number, digits: usize) -> String {
    match value {
        Number::Float(value) => special(*value).unwrap_or_else(|| format!("{value:.digits$}")),
        // As many digits as are wanted, the last one rounded away from zero.
        Number::Rational(value) => {
            let power = BigInt::from(10).pow(digits as u32);
            let scaled = Number::quotient(value.numerator() * power, value.denominator().clone());
            let whole = match scaled {
                Some(Number::Rational(scaled)) => scaled.round(),
                scaled => scaled.and_then(|scaled| scaled.to_big()).unwrap_or_default(),
            };
            let text = pointed(&whole, digits);
            // What is rounded to zero keeps its sign.
            let sign = if value.numerator().sign() == Sign::Minus && whole.sign() == Sign::NoSign {
                "-"
            } else {
                ""
            };
            sign.to_owned() + &text
        }
        Number::Int(_) | Number::Big(_) => {
            let zeros = if digits > 0 { format!(".{}", "0".repeat(digits)) } else { String::new() };
            value.to_big().unwrap_or_default().to_string() + &zeros
        }
    }
}

/// As C writes with `%e`.
fn exponential(value: f64, digits: usize) -> String {
    special(value).unwrap_or_else(|| {
        let text = format!("{value:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        format!("{mantissa}e{sign}{exponent:0>2}")
    })
}

/// As C writes with `%g`.
fn general(value: f64, digits: usize) -> String {
    if let Some(text) = special(value) {
        return text;
    }
    let digits = digits.max(1);
    // The exponent after rounding to so many digits decides.
    let text = exponential(value, digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
    let power: i64 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if power < -4 || power >= digits as i64 {
        return format!("{}e{exponent}", trim(mantissa));
    }
    trim(&format!("{value:.0$}", (digits as i64 - 1 - power) as usize))
}
