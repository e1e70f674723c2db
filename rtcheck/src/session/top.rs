//! The top level: queries are read, run, and answered until the input ends.
//!
//! Where lines come from is behind [`Lines`]: a terminal with editing and history, or plain input, which shows no
//! prompts so that scripts and tests can drive it. After an answer that may not be the last one a terminal takes a
//! key, `;` for the next; from plain input a line with `;` asks for the next, and any other line goes on as the
//! next query. A terminal is shown long answers shortened; `w`, as a key or as a query, shows the last one whole.

mod kept;

use self::kept::{expanded, keep_answers};
use crate::base::{Diagnostic, Source};
use crate::builtins::{LoadError, load_into_user, load_text};
use crate::machine::{Machine, Query, RunOutcome, StreamError, StreamId};
use crate::read::{Conversions, FUNCTION_NAME, Lexer, Parser, ReadTerm, Token};
use crate::report;
use crate::term::{Cell, Tag, WriteOptions, Writer, atom, occurrences};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

const PROMPT: &str = "?- ";
const TRACING: &str = "[trace] ?- ";
const CONTINUED: &str = "|    ";

const HELP: &str = "\
Type a goal and a full stop. Behind an answer `;` asks for another one, the key for a new line for none.

  [file].                   loads file.pl; `consult/1` and `use_module/1` do, too
  make.                     loads again what changed since
  [user].                   reads clauses from here, up to `end_of_file.`
  listing(p/1).             shows the clauses of a predicate
  help(append/3).           tells what a predicate does; `apropos(word)` looks for a word
  w.                        shows the last answer whole, if it was shortened
  X is $Y + 1.              $Y is what Y was in an answer before
  trace, Goal.              shows each call; `spy(p/1)` waits for one, `nodebug` ends it
  rtcheck_statistics.       tells what was checked so far, and what the cache saved
  halt.                     ends the session

Assertions of what is loaded are checked at each call and success. A violation ends the goal and not the session.
";

/// What keys mean behind an answer.
const KEYS: &str = "\
  ; space n r tab    another answer
  w                  this one whole
  enter . a c q      enough
";

const CLAUSE: &str = "\
error: this is a clause, and the prompt takes goals
help: `[user].` reads clauses from here, up to `end_of_file.`, `[file].` those of a file, and `assertz((Head :- Body)).`
      adds one to a dynamic predicate
";

/// How deep the terms of a shortened answer are shown; of a list so many elements.
const SHORT: usize = 10;

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The line, without its end.
    Text(String),
    /// The user interrupted it.
    Interrupted,
    /// The input ended.
    End,
}

/// What is wanted after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Another answer.
    Another,
    /// The same answer, not shortened.
    Whole,
    /// No other.
    Enough,
}

/// Where the lines of queries come from.
pub trait Lines {
    /// The next line.
    fn line(&mut self, machine: &mut Machine, prompt: &str) -> Line;

    /// Shows the last line of an answer that may not be the last one, and tells what is wanted: by a key.
    fn more(&mut self, machine: &mut Machine, answer: &str) -> Wish {
        wish_by_key(machine, answer)
    }

    /// Whether somebody types them, who can be asked while a goal runs.
    fn is_terminal(&self) -> bool {
        false
    }

    /// Learns the names that a user may want completed. They are made only if somebody asks.
    fn offer(&mut self, names: &mut dyn FnMut() -> Vec<String>);
}

fn wish_by_key(machine: &mut Machine, answer: &str) -> Wish {
    write(machine, &format!("{answer} "));
    loop {
        machine.flush_output();
        let (wish, shown) = match machine.system.read_key() {
            Ok(Some(b';' | b' ' | b'n' | b'r' | b'\t')) => (Wish::Another, ";"),
            Ok(Some(b'w')) => (Wish::Whole, "[whole]"),
            Ok(Some(b'h' | b'?')) => {
                write(machine, &format!("\n{KEYS}{answer} "));
                continue;
            }
            // What ends a line, a goal or a session means that this is enough; other keys mean nothing.
            Ok(Some(key)) if !b"\r\n.acq\x03\x04".contains(&key) => continue,
            Ok(_) | Err(_) => (Wish::Enough, "."),
        };
        write(machine, &format!("{shown}\n"));
        return wish;
    }
}

/// Lines of the program's own standard input.
#[derive(Debug, Default)]
pub struct PlainLines {
    /// A line that was read too early.
    waiting: Option<Line>,
}

impl PlainLines {
    /// The next line of `user_input`, which goals read from as well.
    fn read(machine: &mut Machine) -> Line {
        let Some(stream) = machine.streams.get_mut(StreamId::INPUT) else { return Line::End };
        match stream.next_line(&mut *machine.system) {
            Ok(Some(line)) => Line::Text(line),
            Ok(None) | Err(StreamError::PastEnd | StreamError::System(_)) => Line::End,
            Err(StreamError::Encoding) => Line::Interrupted,
        }
    }
}

impl Lines for PlainLines {
    fn line(&mut self, machine: &mut Machine, _prompt: &str) -> Line {
        self.waiting.take().unwrap_or_else(|| Self::read(machine))
    }

    fn more(&mut self, machine: &mut Machine, answer: &str) -> Wish {
        let next = Self::read(machine);
        let more = matches!(&next, Line::Text(text) if text.trim_start().starts_with(';'));
        if !more && !matches!(&next, Line::Text(text) if text.trim().is_empty()) {
            self.waiting = Some(next);
        }
        write(machine, &format!("{answer}{}\n", if more { " ;" } else { " ." }));
        if more { Wish::Another } else { Wish::Enough }
    }

    fn offer(&mut self, _names: &mut dyn FnMut() -> Vec<String>) {}
}

/// What follows a query.
enum Next {
    Query,
    Exit(i32),
}

/// Loads files and answers queries until the input ends or a goal asks to end. Returns the exit code.
pub(super) fn top(machine: &mut Machine, files: &[PathBuf], lines: &mut dyn Lines) -> i32 {
    for file in files {
        match load_into_user(machine, file) {
            Ok(()) => {}
            Err(LoadError::Halted(code)) => return finish(machine, code),
            Err(error) => tell(machine, &format!("error: {error}\n")),
        }
    }
    machine.asks = lines.is_terminal();
    let mut text = String::new();
    let mut last = Answer::default();
    loop {
        machine.flush_output();
        lines.offer(&mut || names(machine));
        let prompt = match (text.trim().is_empty(), machine.watches_calls()) {
            (true, false) => PROMPT,
            (true, true) => TRACING,
            (false, _) => CONTINUED,
        };
        match lines.line(machine, prompt) {
            Line::Text(line) => {
                text.push_str(&line);
                text.push('\n');
            }
            Line::Interrupted => text.clear(),
            Line::End => {
                if !text.trim().is_empty() {
                    // The text ends in the middle of a query, which is then told.
                    let _ = query(machine, &text, lines, &mut last);
                }
                return finish(machine, 0);
            }
        }
        while is_complete(&text, machine.conversions()) {
            let (rest, next) = query(machine, &text, lines, &mut last);
            text = text.split_off(rest.min(text.len()));
            if let Next::Exit(code) = next {
                return finish(machine, code);
            }
        }
        if text.trim().is_empty() {
            text.clear();
        }
    }
}

fn finish(machine: &mut Machine, code: i32) -> i32 {
    machine.flush_output();
    code
}

/// Writes to `user_output`, wherever the program's own output goes.
fn write(machine: &mut Machine, text: &str) {
    let current = std::mem::replace(&mut machine.streams.output, StreamId::OUTPUT);
    machine.write_output(text);
    machine.streams.output = current;
}

fn tell(machine: &mut Machine, text: &str) {
    machine.flush_output();
    // Nothing better can be done when standard error is closed.
    let _ = machine.system.write_error(text.as_bytes());
}

/// Whether a text has a full stop that ends a query.
fn is_complete(text: &str, conversions: Conversions) -> bool {
    let mut lexer = Lexer::new(text, 0).strict(true).converting(conversions);
    loop {
        match lexer.token() {
            Ok(Token::End) => return true,
            Ok(Token::EndOfText) => return false,
            Ok(_) => {}
            // A quoted text may go on; what ends like a query is told to be wrong.
            Err(_) => return text.trim_end().ends_with('.'),
        }
    }
}

/// Runs the first query of a text. Returns where the rest begins.
fn query(machine: &mut Machine, text: &str, lines: &mut dyn Lines, last: &mut Answer) -> (usize, Next) {
    let scope = machine.begin_scope();
    let mut parser = Parser::new(text, 0, machine.flags);
    parser.convert(machine.conversions());
    let read = parser.read(&mut machine.store, &mut machine.atoms, &machine.operators);
    let rest = parser.position();
    let next = match read {
        Ok(Some(read)) => answer(machine, &read, &text[..rest.min(text.len())], lines, last),
        Ok(None) => Next::Query,
        Err(error) => {
            let diagnostic = Diagnostic::error("syntax error", error.span).label(error.message);
            let shown = report::diagnostics(&Source::new("<query>", text), &[diagnostic]);
            tell(machine, &shown);
            Next::Query
        }
    };
    let next = machine.end_scope(scope).map_or(next, Next::Exit);
    (rest, next)
}

/// Runs a query and shows its answers.
fn answer(
    machine: &mut Machine,
    read: &ReadTerm,
    text: &str,
    lines: &mut dyn Lines,
    last: &mut Answer,
) -> Next {
    let mut goal = machine.store.deref(read.term);
    for prefix in [atom::QUERY, atom::NECK] {
        if let Some([inner]) = machine.store.match_structure::<1>(goal, prefix) {
            goal = inner;
        }
    }
    if let Some(next) = own_command(machine, goal, lines, last) {
        return next;
    }
    let has_functions = machine.atoms.find(FUNCTION_NAME).is_some();
    if !machine.flags.strict && (text.contains('$') || has_functions) {
        match expanded(machine, goal, read) {
            Ok(new) => goal = new,
            Err(next) => return next,
        }
    }
    if machine.source_module != atom::USER {
        goal = machine.qualified(machine.source_module, goal);
    }
    machine.interrupt().store(false, Ordering::Relaxed);
    if machine.watches_calls() {
        // What was loaded meanwhile is watched as well.
        machine.watch_calls(true);
    }
    machine.let_atoms_go(true);
    let mut query = machine.open_query(goal);
    let next = answers(machine, &mut query, read, lines, last);
    let halted = machine.close_query(query, false);
    machine.let_atoms_go(false);
    halted.map_or(next, Next::Exit)
}

fn answers(
    machine: &mut Machine,
    query: &mut Query,
    read: &ReadTerm,
    lines: &mut dyn Lines,
    last: &mut Answer,
) -> Next {
    loop {
        match machine.next_solution(query) {
            RunOutcome::Succeeded => {
                begin_line(machine);
                *last = Answer::of(machine, read, lines.is_terminal());
                keep_answers(machine, read);
                if !machine.may_have_more(query) {
                    write(machine, &format!("{}.\n", last.shown));
                    return Next::Query;
                }
                let mut wish = ask(machine, &last.shown, lines);
                while wish == Wish::Whole {
                    wish = ask(machine, &last.whole, lines);
                }
                if wish == Wish::Enough {
                    return Next::Query;
                }
            }
            RunOutcome::Failed => {
                begin_line(machine);
                write(machine, "false.\n");
                return Next::Query;
            }
            RunOutcome::Threw(ball) => {
                begin_line(machine);
                let text = report::error(machine, &ball);
                tell(machine, &text);
                return Next::Query;
            }
            RunOutcome::Halted(code) => return Next::Exit(code),
        }
    }
}

/// Shows an answer that may not be the last one.
fn ask(machine: &mut Machine, answer: &str, lines: &mut dyn Lines) -> Wish {
    let (first, last) = answer.rsplit_once('\n').map_or(("", answer), |parts| parts);
    if !first.is_empty() {
        write(machine, &format!("{first}\n"));
    }
    machine.flush_output();
    lines.more(machine, last)
}

fn begin_line(machine: &mut Machine) {
    let column = machine.streams.get(StreamId::OUTPUT).map_or(0, |stream| stream.position.column);
    if column > 0 {
        write(machine, "\n");
    }
}

/// Queries that the top level answers itself, unless the program defines them.
fn own_command(machine: &mut Machine, goal: Cell, lines: &mut dyn Lines, last: &Answer) -> Option<Next> {
    if let Some([file, rest]) = machine.store.match_structure::<2>(goal, atom::DOT)
        && file == Cell::atom(atom::USER)
        && rest == Cell::atom(atom::NIL)
    {
        return Some(clauses(machine, lines));
    }
    let help = machine.atoms.intern("help");
    if goal == Cell::atom(help) && machine.find_predicate(help, 0).is_none() {
        write(machine, HELP);
        return Some(Next::Query);
    }
    let whole = machine.atoms.intern("w");
    if goal == Cell::atom(whole) && machine.find_predicate(whole, 0).is_none() {
        write(machine, &format!("{}.\n", last.whole));
        return Some(Next::Query);
    }
    let (rule, grammar) = (atom::NECK, machine.atoms.intern("-->"));
    if let Some((name, 2)) = machine.store.functor(goal)
        && (name == rule || name == grammar)
        && machine.find_predicate(name, 2).is_none()
    {
        tell(machine, CLAUSE);
        return Some(Next::Query);
    }
    None
}

/// Reads clauses from the input, up to its end or `end_of_file.`
fn clauses(machine: &mut Machine, lines: &mut dyn Lines) -> Next {
    let mut text = String::new();
    loop {
        match lines.line(machine, "|: ") {
            Line::Text(line) if line.trim() == "end_of_file." => break,
            Line::Text(line) => {
                text.push_str(&line);
                text.push('\n');
            }
            Line::Interrupted => return Next::Query,
            Line::End => break,
        }
    }
    match load_text(machine, "user", text) {
        Ok(()) => write(machine, "true.\n"),
        Err(LoadError::Halted(code)) => return Next::Exit(code),
        Err(error) => tell(machine, &format!("error: {error}\n")),
    }
    Next::Query
}

/// An answer as text.
struct Answer {
    /// As it is shown.
    shown: String,
    /// The same, not shortened.
    whole: String,
}

impl Default for Answer {
    fn default() -> Self {
        Self { shown: "true".to_owned(), whole: "true".to_owned() }
    }
}

impl Answer {
    /// That of a query; shortened for a terminal.
    fn of(machine: &mut Machine, read: &ReadTerm, is_terminal: bool) -> Self {
        let whole = show_answer(machine, read, None);
        let shown = if is_terminal { show_answer(machine, read, Some(SHORT)) } else { whole.clone() };
        Self { shown, whole }
    }
}

/// The bindings of a query's variables: `X = Y, Y = 1`, one line for each value; `true` if there is nothing to say.
fn show_answer(machine: &mut Machine, read: &ReadTerm, most_depth: Option<usize>) -> String {
    let scope = machine.begin_scope();
    let mut groups: Vec<(Vec<&str>, Cell)> = Vec::new();
    let mut known: FxHashMap<Cell, usize> = FxHashMap::default();
    for (name, variable, _) in &read.variables {
        if name.starts_with('_') {
            continue;
        }
        let value = machine.store.deref(*variable);
        let position = *known.entry(value).or_insert_with(|| {
            groups.push((Vec::new(), value));
            groups.len() - 1
        });
        groups[position].0.push(name);
    }
    let program = residual_program(machine).unwrap_or_default();
    let residual = residual_goals(machine, &groups);
    let shown = groups.len();
    groups.extend(residual.into_iter().map(|goal| (Vec::new(), goal)));
    name_variables(machine, read, &groups);
    let options = WriteOptions {
        quoted: true,
        number_variables: true,
        named_variables: true,
        spaced_arguments: true,
        most_depth,
        most_steps: Some(4000),
        ..WriteOptions::default()
    };
    let mut lines = Vec::new();
    let mut equations_before = 0;
    for (position, (names, value)) in groups.iter().enumerate() {
        if position >= shown {
            let writer = Writer::new(&machine.store, &machine.atoms, &machine.operators, options);
            lines.push(writer.text(*value, 999));
            continue;
        }
        let mut parts: Vec<String> =
            names.windows(2).map(|pair| format!("{} = {}", pair[0], pair[1])).collect();
        let was_free = value.tag() == Tag::Ref;
        if let (Some(last), false) = (names.last(), was_free) {
            let writer = Writer::new(&machine.store, &machine.atoms, &machine.operators, options);
            if let Some(equations) = writer.cyclic_equations(*value, last, equations_before) {
                equations_before += equations.len();
                parts.extend(equations.into_iter().map(|(name, text)| format!("{name} = {text}")));
                lines.push(parts.join(", "));
                continue;
            }
            let text =
                Writer::new(&machine.store, &machine.atoms, &machine.operators, options).text(*value, 699);
            parts.push(format!("{last} = {text}"));
        }
        if !parts.is_empty() {
            lines.push(parts.join(", "));
        }
    }
    // Showing an answer is no goal of the program: what waits is told, and ends nothing.
    let _ = machine.end_scope(scope);
    if lines.is_empty() { "true".to_owned() } else { program + &lines.join(",\n") }
}

/// What waits for variables of an answer.
fn residual_goals(machine: &mut Machine, groups: &[(Vec<&str>, Cell)]) -> Vec<Cell> {
    // Constraints of handling rules need no variables, nor does what a program adds by `residual_goals/1`.
    let has_rules = machine.atoms.find("chr").is_some_and(|chr| machine.find_module(chr).is_some());
    let rules = machine.atoms.find("$residual_rules");
    let adds = rules.is_some_and(|rules| machine.globals.contains_key(&rules));
    if !machine.store.has_attributes() && !has_rules && !adds && !is_undefined(machine) {
        return Vec::new();
    }
    let values: Vec<Cell> = groups.iter().map(|&(_, value)| value).collect();
    let values = machine.store.list(&values, Cell::atom(atom::NIL));
    let goals = machine.store.variable();
    let name = machine.atoms.intern("$residual_goals");
    let goal = machine.store.compound(name, &[values, goals]);
    let goal = machine.qualified(atom::SYSTEM, goal);
    match machine.run(goal) {
        RunOutcome::Succeeded => machine.store.list_elements(goals).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Whether an answer rests on what is neither true nor false.
fn is_undefined(machine: &Machine) -> bool {
    machine.atoms.find("$delays").is_some_and(|delays| machine.globals.contains_key(&delays))
}

/// The clauses on which such an answer rests.
fn residual_program(machine: &mut Machine) -> Option<String> {
    if !is_undefined(machine) {
        return None;
    }
    let text = machine.store.variable();
    let name = machine.atoms.intern("$residual_text");
    let goal = machine.store.compound(name, &[text]);
    let goal = machine.qualified(atom::SYSTEM, goal);
    match machine.run(goal) {
        RunOutcome::Succeeded => {
            let options = WriteOptions::default();
            let text =
                Writer::new(&machine.store, &machine.atoms, &machine.operators, options).text(text, 1200);
            Some(format!("% WFS residual program\n{text}\n"))
        }
        _ => None,
    }
}

/// Gives free variables the names under which an answer speaks of them: those of the query, `_A` and so on for others
/// that occur more than once, `_` for the rest.
fn name_variables(machine: &mut Machine, read: &ReadTerm, groups: &[(Vec<&str>, Cell)]) {
    let mut taken: FxHashSet<String> = read.variables.iter().map(|(name, ..)| name.clone()).collect();
    for (names, value) in groups {
        if let (Tag::Ref, Some(name)) = (value.tag(), names.last()) {
            name_variable(machine, *value, name);
        }
    }
    let roots: Vec<Cell> = groups.iter().map(|&(_, value)| value).collect();
    let mut number = 0;
    for (variable, several) in occurrences(&machine.store, &roots) {
        if !several {
            name_variable(machine, variable, "_");
            continue;
        }
        let name = loop {
            let letter = char::from(b'A' + (number % 26) as u8);
            let name = if number < 26 { format!("_{letter}") } else { format!("_{letter}{}", number / 26) };
            number += 1;
            if taken.insert(name.clone()) {
                break name;
            }
        };
        name_variable(machine, variable, &name);
    }
}

fn name_variable(machine: &mut Machine, variable: Cell, name: &str) {
    let name = Cell::atom(machine.atoms.intern(name));
    let term = machine.store.compound(atom::VAR_FUNCTOR, &[name]);
    machine.store.unify(variable, term);
}

/// Names that a user may want completed: atoms that are words, those of predicates among them.
fn names(machine: &Machine) -> Vec<String> {
    let is_word = |text: &str| {
        text.starts_with(|first: char| first.is_lowercase())
            && text.chars().all(|character| character.is_alphanumeric() || character == '_')
    };
    let mut names: Vec<String> =
        machine.atoms.texts().filter(|text| text.len() > 1 && is_word(text)).map(str::to_owned).collect();
    names.sort_unstable();
    names
}
