//! Reading terms.

use super::atoms::text_argument;
use super::lists::list_argument;
use super::streams::{on_stream, position_term, stream_term, text_input};
use super::written::text_of;
use crate::base::Span;
use crate::machine::{Machine, Outcome, StreamId, StreamPosition, Throw};
use crate::read::{Flags, Lexer, Parser, Quotes, ReadTerm, SyntaxError, Token};
use crate::term::{Cell, Operators, Tag, WriteOptions, atom, variables};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("read", 1, |m| read(m, None));
    machine.define_builtin("read", 2, |m| read(m, Some(0)));
    machine.define_builtin("read_term", 2, |m| read_term(m, None));
    machine.define_builtin("read_term", 3, |m| read_term(m, Some(0)));
    machine.define_builtin("read_term_from_atom", 3, |m| {
        let options = read_options(m, 2)?;
        let text = text_argument(m, 0)?;
        let (read, spans) = read_text_as(m, &text, &options)?;
        let at = |byte: usize| {
            let mut position = StreamPosition::default();
            position.pass(text.get(..byte).unwrap_or_default());
            position
        };
        let comments = comments(&text, &spans, at);
        finish(m, 1, &options, &read, StreamPosition::default(), &comments)
    });
    machine.define_builtin("term_to_atom", 2, |m| {
        let term = m.argument(0);
        if term.tag() == Tag::Ref {
            let text = text_argument(m, 1)?;
            let read = read_text(m, &text)?;
            return Ok(m.unify_argument(0, read.term));
        }
        let text = text_of(m, term, WriteOptions::QUOTED);
        let cell = Cell::atom(m.atoms.intern(&text));
        let given = m.argument(1);
        if given.tag() == Tag::Ref || given == cell {
            return Ok(m.unify_argument(1, cell));
        }
        if given.tag() == Tag::Str {
            return m.type_error_named("text", given);
        }
        // Another text of the same term.
        let text = text_argument(m, 1)?;
        let read = read_text(m, &text)?;
        Ok(m.unify_argument(0, read.term))
    });
    machine.define_builtin("atom_to_term", 3, |m| {
        let text = text_argument(m, 0)?;
        let read = read_text(m, &text)?;
        let names = named(m, &read, |_| true);
        Ok(m.unify_argument(1, read.term) && m.unify_argument(2, names))
    });
}

/// What to do where a text is no term.
#[derive(Clone, Copy, Default, PartialEq)]
enum OnSyntaxError {
    #[default]
    Error,
    Fail,
    /// Read the next term instead.
    Next,
}

/// What `read_term/2` is asked for: the free or bound terms to unify with it.
#[derive(Default)]
struct ReadOptions {
    variables: Option<Cell>,
    variable_names: Option<Cell>,
    singletons: Option<Cell>,
    term_position: Option<Cell>,
    subterm_positions: Option<Cell>,
    comments: Option<Cell>,
    on_error: OnSyntaxError,
    flags: Flags,
    /// The operators of the module that was asked for.
    operators: Option<Operators>,
}

fn read_options(m: &mut Machine, i: usize) -> Result<ReadOptions, Throw> {
    let mut options = ReadOptions { flags: m.flags, ..ReadOptions::default() };
    for option in list_argument(m, i)? {
        if option.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let Some((name, 1)) = m.store.functor(option) else { return m.domain_error("read_option", option) };
        let value = m.store.argument(option, 0);
        let word = if value.tag() == Tag::Atm { m.atoms.text(value.as_atom()) } else { "" };
        if m.flags.strict && matches!(m.atoms.text(name), "variables" | "variable_names" | "singletons") {
            // What is no list cannot be their value.
            if m.store.list_elements(value).is_err_and(|tail| tail.tag() != Tag::Ref) {
                return m.domain_error("read_option", option);
            }
        }
        match m.atoms.text(name) {
            "variables" => options.variables = Some(value),
            "variable_names" => options.variable_names = Some(value),
            // `singletons(warning)` is for those who load programs.
            "singletons" if word == "warning" => {}
            "singletons" => options.singletons = Some(value),
            "term_position" => options.term_position = Some(value),
            "subterm_positions" => options.subterm_positions = Some(value),
            "comments" => options.comments = Some(value),
            "syntax_errors" if value.tag() == Tag::Ref => return m.instantiation_error(),
            "syntax_errors" => {
                options.on_error = match word {
                    "error" => OnSyntaxError::Error,
                    "fail" | "quiet" => OnSyntaxError::Fail,
                    "dec10" => OnSyntaxError::Next,
                    _ => return m.domain_error("read_option", option),
                }
            }
            "double_quotes" | "back_quotes" => {
                let Some(quotes) = Quotes::named(word) else { return m.domain_error("read_option", option) };
                if m.atoms.text(name) == "double_quotes" {
                    options.flags.double_quotes = quotes;
                } else {
                    options.flags.back_quotes = quotes;
                }
            }
            "module" => options.operators = module_operators(m, value),
            // What other systems know and what changes nothing here.
            "cycles" | "dotlists" | "var_prefix" | "backquoted_string" | "process_comment" => {}
            _ => return m.domain_error("read_option", option),
        }
    }
    Ok(options)
}

/// The operators for an option `module(Module)`: those that hold, and what the module's text has of its own; `None` if
/// that is nothing.
pub(super) fn module_operators(m: &Machine, module: Cell) -> Option<Operators> {
    let own = &m.find_module((module.tag() == Tag::Atm).then(|| module.as_atom())?)?.own_operators;
    (!own.is_empty()).then(|| m.operators.with(own))
}

fn read(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let options = ReadOptions { flags: m.flags, ..ReadOptions::default() };
    let id = text_input(m, stream)?;
    read_stream(m, id, usize::from(stream.is_some()), &options)
}

fn read_term(m: &mut Machine, stream: Option<usize>) -> Outcome {
    if let Some(i) = stream
        && m.argument(i).tag() == Tag::Ref
    {
        return m.instantiation_error();
    }
    let result = usize::from(stream.is_some());
    let options = read_options(m, result + 1)?;
    let id = text_input(m, stream)?;
    read_stream(m, id, result, &options)
}

fn read_stream(m: &mut Machine, id: StreamId, result: usize, options: &ReadOptions) -> Outcome {
    loop {
        let conversions = m.conversions();
        let clause = on_stream(m, id, |stream, system| stream.take_clause(system, &conversions))?;
        let mut parser = Parser::new(clause.text(), clause.at, options.flags);
        parser.convert(conversions);
        if options.subterm_positions.is_some() {
            parser.locate(&mut m.atoms, clause.position(clause.at).characters);
        }
        if options.comments.is_some() {
            parser.note_comments();
        }
        let operators = options.operators.as_ref().unwrap_or(&m.operators);
        let read = parser.read(&mut m.store, &mut m.atoms, operators);
        let place = match &read {
            Ok(Some(read)) => read.span.start,
            Ok(None) => clause.text().len(),
            Err(error) => error.span.start,
        };
        let passed = parser.position();
        let position = clause.position(place);
        let comments = comments(clause.text(), parser.comments(), |byte| clause.position(byte));
        let at_end = matches!(read, Ok(None));
        if let Some(stream) = m.streams.get_mut(id) {
            stream.give_back(clause, passed, at_end);
        }
        match read {
            Ok(Some(read)) => return finish(m, result, options, &read, position, &comments),
            Ok(None) => {
                return finish(m, result, options, &end_of_file(), position, &comments);
            }
            Err(_) if options.on_error == OnSyntaxError::Fail => return Ok(false),
            Err(error) => {
                let stream = stream_term(m, id);
                let place = [position.line(), position.column, position.characters].map(Cell::count);
                let context = [stream, place[0], place[1], place[2]];
                let name = m.atoms.intern("stream");
                let context = m.store.compound(name, &context);
                let error = syntax_error(m, &error, context);
                if options.on_error == OnSyntaxError::Error {
                    return m.throw_term(error);
                }
                tell(m, error)?;
            }
        }
    }
}

/// The comments of a text, each with its place in the stream.
fn comments(
    text: &str,
    spans: &[Span],
    position: impl Fn(usize) -> StreamPosition,
) -> Vec<(StreamPosition, String)> {
    let of =
        |span: &Span| (position(span.start), text.get(span.start..span.end).unwrap_or_default().to_owned());
    spans.iter().map(of).collect()
}

/// Tells an error as a message.
fn tell(m: &mut Machine, error: Cell) -> Result<(), Throw> {
    let name = m.atoms.intern("print_message");
    let goal = m.store.compound(name, &[Cell::atom(atom::ERROR), error]);
    let goal = m.qualified(atom::SYSTEM, goal);
    m.run_inside(goal).map(drop)
}

/// The term `error(syntax_error(Message), Context)`.
fn syntax_error(m: &mut Machine, error: &SyntaxError, context: Cell) -> Cell {
    let message = Cell::atom(m.atoms.intern(&error.message));
    let formal = m.store.compound(atom::SYNTAX_ERROR, &[message]);
    m.store.compound(atom::ERROR, &[formal, context])
}

/// The one term in a text, whose full stop may be missing. Throws a syntax error with the text and the place in it.
pub(super) fn read_text(m: &mut Machine, text: &str) -> Result<ReadTerm, Throw> {
    let options = ReadOptions { flags: m.flags, ..ReadOptions::default() };
    read_text_as(m, text, &options).map(|(read, _)| read)
}

/// The same, as options say, and where the text's comments are.
fn read_text_as(m: &mut Machine, text: &str, options: &ReadOptions) -> Result<(ReadTerm, Vec<Span>), Throw> {
    if text.trim().is_empty() {
        return Ok((end_of_file(), Vec::new()));
    }
    // A point right behind a symbol would be part of it, and a comment would swallow it.
    let closed = format!("{text}\n.");
    let mut parser = Parser::new(&closed, 0, options.flags);
    parser.convert(m.conversions());
    parser.note_comments();
    if options.subterm_positions.is_some() {
        parser.locate(&mut m.atoms, 0);
    }
    let operators = options.operators.as_ref().unwrap_or(&m.operators);
    let mut read = parser.read(&mut m.store, &mut m.atoms, operators);
    if read.is_ok() && parser.position() < closed.len() {
        // The text has a full stop of its own: only the added one may follow, or else what follows is not read.
        let mut lexer = Lexer::new(&closed, parser.position()).converting(m.conversions());
        let next = lexer.token();
        let span = lexer.span();
        if options.flags.strict && (next, lexer.token()) != (Ok(Token::End), Ok(Token::EndOfText)) {
            let message = "expected the end of the text behind the full stop".to_owned();
            read = Err(SyntaxError { message, span });
        }
    }
    match read {
        Ok(read) => Ok((read.unwrap_or_else(end_of_file), parser.comments().to_vec())),
        Err(error) => {
            let place = text.get(..error.span.start).unwrap_or(text).chars().count();
            let (name, text) = (m.atoms.intern("string"), Cell::atom(m.atoms.intern(text)));
            let context = m.store.compound(name, &[text, Cell::count(place)]);
            let error = syntax_error(m, &error, context);
            m.throw_term(error)
        }
    }
}

/// What is read where a text ends.
fn end_of_file() -> ReadTerm {
    let term = Cell::atom(atom::END_OF_FILE);
    ReadTerm { term, span: Span::default(), layout: None, variables: Vec::new() }
}

/// The list `['X'=V,...]` of the named variables with an acceptable number of occurrences.
fn named(m: &mut Machine, read: &ReadTerm, accept: impl Fn(usize) -> bool) -> Cell {
    let mut pairs = Vec::with_capacity(read.variables.len());
    for (name, variable, count) in &read.variables {
        if accept(*count) {
            let name = Cell::atom(m.atoms.intern(name));
            pairs.push(m.store.compound(atom::EQUALS, &[name, *variable]));
        }
    }
    m.store.list(&pairs, Cell::atom(atom::NIL))
}

/// Unifies the term and what was asked for about it.
fn finish(
    m: &mut Machine,
    result: usize,
    options: &ReadOptions,
    read: &ReadTerm,
    position: StreamPosition,
    comments: &[(StreamPosition, String)],
) -> Outcome {
    let mut pairs = Vec::new();
    if let Some(wanted) = options.variables {
        let found = variables(&m.store, read.term);
        pairs.push((wanted, m.store.list(&found, Cell::atom(atom::NIL))));
    }
    if let Some(wanted) = options.variable_names {
        pairs.push((wanted, named(m, read, |_| true)));
    }
    if let Some(wanted) = options.singletons {
        pairs.push((wanted, named(m, read, |count| count == 1)));
    }
    if let Some(wanted) = options.term_position {
        pairs.push((wanted, position_term(m, position)));
    }
    if let (Some(wanted), Some(layout)) = (options.subterm_positions, read.layout) {
        pairs.push((wanted, layout));
    }
    if let Some(wanted) = options.comments {
        let mut found = Vec::with_capacity(comments.len());
        for (position, text) in comments {
            let text = Cell::string(m.atoms.intern(text));
            let position = position_term(m, *position);
            found.push(m.store.compound(atom::MINUS, &[position, text]));
        }
        pairs.push((wanted, m.store.list(&found, Cell::atom(atom::NIL))));
    }
    if !m.unify_argument(result, read.term) {
        return Ok(false);
    }
    Ok(pairs.into_iter().all(|(wanted, found)| m.store.unify(wanted, found)))
}
