//! Writing terms.

use super::lists::list_argument;
use super::read::module_operators;
use super::streams::{put_text, text_output};
use super::written::{canonical_text, text_of};
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{AttributesWritten, Cell, Operators, Record, Tag, WriteOptions, Writer, atom, is_symbol};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("write", 1, |m| write(m, None, WriteOptions::PLAIN));
    machine.define_builtin("write", 2, |m| write(m, Some(0), WriteOptions::PLAIN));
    machine.define_builtin("writeq", 1, |m| write(m, None, WriteOptions::QUOTED));
    machine.define_builtin("writeq", 2, |m| write(m, Some(0), WriteOptions::QUOTED));
    machine.define_builtin("$print", 2, |m| write(m, Some(0), PRINTED));
    machine.define_builtin("$print_without_quotes", 2, |m| write(m, Some(0), PRINTED_WITHOUT_QUOTES));
    machine.define_builtin("display", 1, |m| write(m, None, DISPLAYED));
    machine.define_builtin("display", 2, |m| write(m, Some(0), DISPLAYED));
    machine.define_builtin("displayq", 1, |m| write(m, None, DISPLAYED_WITH_QUOTES));
    machine.define_builtin("displayq", 2, |m| write(m, Some(0), DISPLAYED_WITH_QUOTES));
    // '$in_words'(Ball, Text): fails if it is neither a violation nor an error of the standard.
    machine.define_builtin("$in_words", 2, |m| {
        let ball = Record::new(&m.store, m.argument(0));
        let Some(text) = m.in_words(&ball) else { return Ok(false) };
        let cell = Cell::atom(m.atoms.intern(text.trim_end()));
        Ok(m.unify_argument(1, cell))
    });
    machine.define_builtin("writeln", 1, |m| write_line(m, None));
    machine.define_builtin("writeln", 2, |m| write_line(m, Some(0)));
    machine.define_builtin("write_canonical", 1, |m| write_canonical(m, None));
    machine.define_builtin("write_canonical", 2, |m| write_canonical(m, Some(0)));
    machine.define_builtin("$write_term", 2, |m| write_term(m, None));
    machine.define_builtin("$write_term", 3, |m| write_term(m, Some(0)));
}

/// What print/1 writes: the texts that portray/1 wrote stand where the terms were.
const PRINTED: WriteOptions =
    WriteOptions { portrayed: true, spelled_variables: true, ..WriteOptions::QUOTED };

/// What Ciao's print/1 writes, whose printq/1 is the other.
const PRINTED_WITHOUT_QUOTES: WriteOptions = WriteOptions { quoted: false, ..PRINTED };

/// What display/1 writes.
const DISPLAYED: WriteOptions =
    WriteOptions { ignore_operators: true, number_variables: false, ..WriteOptions::PLAIN };

/// What displayq/1 writes.
const DISPLAYED_WITH_QUOTES: WriteOptions = WriteOptions { quoted: true, ..DISPLAYED };

/// Writes the argument behind the stream, or the first.
fn write(m: &mut Machine, stream: Option<usize>, options: WriteOptions) -> Outcome {
    let id = text_output(m, stream)?;
    let text = text_of(m, m.argument(usize::from(stream.is_some())), options);
    put_text(m, id, &text)
}

fn write_line(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let id = text_output(m, stream)?;
    let text = text_of(m, m.argument(usize::from(stream.is_some())), WriteOptions::PLAIN);
    put_text(m, id, &(text + "\n"))
}

fn write_canonical(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let id = text_output(m, stream)?;
    let text = canonical_text(m, m.argument(usize::from(stream.is_some())));
    put_text(m, id, &text)
}

/// What `write_term/2` may be told besides [`WriteOptions`].
#[derive(Default)]
struct Extra {
    names: Vec<(Cell, String)>,
    priority: Option<u16>,
    full_stop: bool,
    new_line: bool,
    /// The operators of the module that was asked for.
    operators: Option<Operators>,
}

fn write_term(m: &mut Machine, stream: Option<usize>) -> Outcome {
    if let Some(i) = stream
        && m.argument(i).tag() == Tag::Ref
    {
        return m.instantiation_error();
    }
    let first = usize::from(stream.is_some());
    let (options, extra) = write_options(m, first + 1)?;
    let id = text_output(m, stream)?;
    let term = m.argument(first);
    let operators = extra.operators.as_ref().unwrap_or(&m.operators);
    let mut text = Writer::new(&m.store, &m.atoms, operators, options)
        .names(&extra.names)
        .text(term, extra.priority.unwrap_or(1200));
    if extra.full_stop {
        text.push_str(full_stop(&text));
        text.push(if extra.new_line { '\n' } else { ' ' });
    } else if extra.new_line {
        text.push('\n');
    }
    put_text(m, id, &text)
}

/// The full stop behind a text, which must not run into its last token.
pub(super) fn full_stop(text: &str) -> &'static str {
    if text.chars().next_back().is_some_and(is_symbol) { " ." } else { "." }
}

/// The options in a list.
fn write_options(m: &mut Machine, i: usize) -> Result<(WriteOptions, Extra), Throw> {
    let mut options = WriteOptions { number_variables: false, ..WriteOptions::PLAIN };
    let mut extra = Extra::default();
    for option in list_argument(m, i)? {
        if option.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let Some((name, 1)) = m.store.functor(option) else { return m.domain_error("write_option", option) };
        let value = m.store.argument(option, 0);
        if value.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let truth = match value {
            _ if value == Cell::atom(atom::TRUE) => Some(true),
            _ if value == Cell::atom(atom::FALSE) => Some(false),
            _ => None,
        };
        let number = (value.tag() == Tag::Int).then(|| value.int_value());
        let word = if value.tag() == Tag::Atm { m.atoms.text(value.as_atom()) } else { "" };
        match (m.atoms.text(name), truth, number, word) {
            ("quoted", Some(truth), ..) => options.quoted = truth,
            ("ignore_ops", Some(truth), ..) => {
                options.ignore_operators = truth;
                options.dotted_lists |= truth && m.flags.strict;
            }
            ("dotlists" | "no_lists", Some(truth), ..) => options.dotted_lists = truth,
            ("numbervars", Some(truth), ..) => options.number_variables = truth,
            ("portray" | "portrayed", Some(truth), ..) => options.portrayed = truth,
            ("portray_goal", ..) => options.portrayed = true,
            ("fullstop", Some(truth), ..) => extra.full_stop = truth,
            ("nl", Some(truth), ..) => extra.new_line = truth,
            ("max_depth", _, Some(0), _) => options.most_depth = None,
            ("max_depth", _, Some(depth @ 1..), _) => options.most_depth = Some(depth as usize),
            ("priority", _, Some(priority @ 0..=1200), _) => extra.priority = Some(priority as u16),
            ("spacing", _, _, "next_argument") => options.spaced_arguments = true,
            ("spacing", _, _, "standard") => options.spaced_arguments = false,
            ("attributes", _, _, "ignore" | "portray") => options.attributes = AttributesWritten::Nothing,
            ("attributes", _, _, "dots") => options.attributes = AttributesWritten::Dots,
            ("attributes", _, _, "write") => options.attributes = AttributesWritten::All,
            ("module", ..) => extra.operators = module_operators(m, value),
            ("variable_names", ..) => extra.names = variable_names(m, option, value)?,
            // What other systems know: cycles are always cut off, and there is nothing else that these would change.
            (
                "cycles"
                | "character_escapes"
                | "character_escapes_unicode"
                | "brace_terms"
                | "partial"
                | "portray_clause"
                | "quote_non_ascii",
                Some(_),
                ..,
            )
            | ("blobs" | "back_quotes" | "double_quotes" | "float_format" | "integer_format", ..) => {}
            _ => return m.domain_error("write_option", option),
        }
    }
    Ok((options, extra))
}

/// The list of an option `variable_names(['X'=V,...])`; what is no free variable any more has no name.
fn variable_names(m: &mut Machine, option: Cell, list: Cell) -> Result<Vec<(Cell, String)>, Throw> {
    let elements = match m.store.list_elements(list) {
        Ok(elements) => elements,
        Err(tail) if tail.tag() == Tag::Ref => return m.instantiation_error(),
        Err(_) => return m.domain_error("write_option", option),
    };
    let mut names = Vec::with_capacity(elements.len());
    for element in elements {
        if element.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let Some([name, variable]) = m.store.match_structure::<2>(element, atom::EQUALS) else {
            return m.domain_error("write_option", option);
        };
        match name.tag() {
            Tag::Ref => return m.instantiation_error(),
            Tag::Atm => {}
            _ => return m.domain_error("write_option", option),
        }
        if variable.tag() == Tag::Ref {
            names.push((variable, m.atoms.text(name.as_atom()).to_owned()));
        }
    }
    Ok(names)
}
