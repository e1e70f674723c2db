//! Clauses as people write them: portray_clause/1 and listing/1.
//!
//! Each goal stands on a line of its own; alternatives and conditions stand in brackets, aligned. What is still to be
//! written waits on a stack, so long and deep bodies need no native stack.

use super::database::referred;
use super::output::full_stop;
use super::streams::{put_text, text_output};
use crate::machine::{Kind, Machine, Meta, Outcome};
use crate::term::{Atom, Cell, SourceNames, Tag, WriteOptions, Writer, atom, clause_names, named_variables};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("portray_clause", 1, |m| portray_clause(m, None));
    machine.define_builtin("portray_clause", 2, |m| portray_clause(m, Some(0)));
    machine.define_builtin("$dynamic_predicates", 3, |m| predicates_of(m, Kind::Dynamic));
    machine.define_builtin("$static_predicates", 3, |m| predicates_of(m, Kind::Static));
    machine.define_builtin("$static_clauses", 4, static_clauses);
    machine.define_builtin("$open_clauses", 2, open_clauses);
    machine.define_builtin("$name_variables", 2, name_dynamic);
}

fn portray_clause(m: &mut Machine, stream: Option<usize>) -> Outcome {
    let id = text_output(m, stream)?;
    let text = clause_text(m, m.argument(usize::from(stream.is_some())));
    put_text(m, id, &text)
}

const OPTIONS: WriteOptions =
    WriteOptions { spaced_arguments: true, named_variables: true, ..WriteOptions::QUOTED };

/// What is still to be written.
enum Task {
    /// A goal, or control constructs, at an indentation, as an operand of a priority.
    Body(Cell, usize, u16),
    /// What stands in a bracket of alternatives.
    Alternatives(Cell, usize),
    /// The arguments of a goal from one on, those that are goals as such, each on a line of its own.
    Arguments(Cell, usize, usize),
    Text(&'static str),
    /// A new line and its indentation.
    Line(usize),
}

/// A clause with its full stop and the end of its line.
pub(super) fn clause_text(m: &Machine, clause: Cell) -> String {
    let names = clause_names(&m.store, clause);
    let write = |term: Cell, priority: u16| {
        Writer::new(&m.store, &m.atoms, &m.operators, OPTIONS).names(&names).text(term, priority)
    };
    let clause = m.store.deref(clause);
    let mut text = String::new();
    let mut tasks = Vec::new();
    // Control constructs of a cyclic body would have no end.
    let finite = m.store.is_acyclic(clause);
    if let Some([head, body]) = m.store.match_structure::<2>(clause, atom::NECK).filter(|_| finite) {
        text.push_str(&write(head, 1199));
        if body != Cell::atom(atom::TRUE) {
            tasks.extend([Task::Body(body, 4, 1199), Task::Line(4), Task::Text(" :-")]);
        }
    } else if let Some([head, body]) =
        m.store.match_structure::<2>(clause, atom::DCG_ARROW).filter(|_| finite)
    {
        text.push_str(&write(head, 1199));
        tasks.extend([Task::Body(body, 4, 1199), Task::Line(4), Task::Text(" -->")]);
    } else if let Some((arrow, [head, body])) = rule(m, clause).filter(|_| finite) {
        text.push_str(&write(head, 1199));
        tasks.extend([Task::Body(body, 4, 1199), Task::Line(4), Task::Text(arrow)]);
    } else if let Some([body]) = m.store.match_structure::<1>(clause, atom::NECK).filter(|_| finite) {
        text.push_str(":- ");
        tasks.push(Task::Body(body, 3, 1199));
    } else if finite
        && let Some((atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2) | (atom::NOT, 1)) =
            m.store.functor(clause)
    {
        tasks.push(Task::Body(clause, 0, 1199));
    } else {
        text.push_str(&write(clause, 1199));
    }
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(part) => text.push_str(part),
            Task::Line(indentation) => {
                text.push('\n');
                text.push_str(&" ".repeat(indentation));
            }
            Task::Body(goal, indentation, priority) => {
                let goal = m.store.deref(goal);
                match m.store.functor(goal) {
                    Some((atom::COMMA, 2)) if priority >= 1000 => {
                        let [left, right] = [0, 1].map(|i| m.store.argument(goal, i));
                        tasks.extend([
                            Task::Body(right, indentation, 1000),
                            Task::Line(indentation),
                            Task::Text(","),
                            Task::Body(left, indentation, 999),
                        ]);
                    }
                    Some((atom::COMMA, 2)) => bracket(goal, indentation, &mut text, &mut tasks, false),
                    Some((atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2)) => {
                        bracket(goal, indentation, &mut text, &mut tasks, true);
                    }
                    // A space keeps what is negated apart, as other systems write it.
                    Some((atom::NOT, 1)) if priority >= 999 => {
                        text.push_str("\\+ ");
                        tasks.push(Task::Body(m.store.argument(goal, 0), indentation + 3, 900));
                    }
                    Some((name, _)) if has_long_argument(m, goal) => {
                        text.push_str(&write(Cell::atom(name), 0));
                        text.push('(');
                        tasks.extend([Task::Text(")"), Task::Arguments(goal, 0, column(&text))]);
                    }
                    _ => text.push_str(&write(goal, priority)),
                }
            }
            Task::Arguments(goal, i, indentation) => {
                let argument = m.store.argument(goal, i);
                if m.store.functor(goal).is_some_and(|(_, arity)| i + 1 < arity) {
                    let next = Task::Arguments(goal, i + 1, indentation);
                    tasks.extend([next, Task::Line(indentation), Task::Text(",")]);
                }
                if calls_argument(m, goal, i) {
                    tasks.push(Task::Body(argument, indentation, 999));
                } else {
                    text.push_str(&write(argument, 999));
                }
            }
            Task::Alternatives(goal, indentation) => {
                let goal = m.store.deref(goal);
                let between = match m.store.functor(goal) {
                    Some((atom::SEMICOLON, 2)) => ";   ",
                    Some((atom::ARROW, 2)) => "->  ",
                    Some((atom::SOFT_ARROW, 2)) => "*-> ",
                    _ => {
                        tasks.push(Task::Body(goal, indentation + 4, 1199));
                        continue;
                    }
                };
                let [left, right] = [0, 1].map(|i| m.store.argument(goal, i));
                // To the left of `;` may stand `->`; everything else there gets brackets of its own.
                let nested = matches!(m.store.functor(left), Some((atom::ARROW | atom::SOFT_ARROW, 2)));
                let left = if between.starts_with(';') && nested {
                    Task::Alternatives(left, indentation)
                } else {
                    Task::Body(left, indentation + 4, 1049)
                };
                let right = if between.starts_with(';') {
                    Task::Alternatives(right, indentation)
                } else {
                    Task::Body(right, indentation + 4, 1049)
                };
                tasks.extend([right, Task::Text(between), Task::Line(indentation), left]);
            }
        }
    }
    let end = full_stop(&text);
    text.push_str(end);
    text.push('\n');
    text
}

/// The parts of a clause that is a rule, and what stands between them.
fn rule(m: &Machine, clause: Cell) -> Option<(&'static str, [Cell; 2])> {
    let (name, 2) = m.store.functor(clause)? else { return None };
    let arrow = if name == atom::IMPLIES { " =>" } else { " ?=>" };
    m.is_rule_arrow(name).then(|| (arrow, [0, 1].map(|i| m.store.argument(clause, i))))
}

fn bracket(goal: Cell, indentation: usize, text: &mut String, tasks: &mut Vec<Task>, alternatives: bool) {
    let inner = if alternatives {
        text.push_str("(   ");
        Task::Alternatives(goal, indentation)
    } else {
        text.push_str("( ");
        Task::Body(goal, indentation + 2, 1199)
    };
    tasks.extend([Task::Text(")"), Task::Line(indentation), inner]);
}

/// How many characters stand on the last line of a text.
fn column(text: &str) -> usize {
    text.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// Whether an argument of a goal is called, with how many more arguments however.
fn calls_argument(m: &Machine, goal: Cell, i: usize) -> bool {
    let Some((name, arity)) = m.store.functor(goal) else { return false };
    let Some(id) = m.find_predicate_in(atom::USER, name, arity) else { return false };
    matches!(m.predicate_at(m.origin(id)).meta.get(i), Some(Meta::Goal(_)))
}

/// Whether a goal calls a conjunction or alternatives, which need lines of their own.
fn has_long_argument(m: &Machine, goal: Cell) -> bool {
    let Some((_, arity)) = m.store.functor(goal) else { return false };
    (0..arity).any(|i| {
        let constructs = [atom::COMMA, atom::SEMICOLON, atom::ARROW, atom::SOFT_ARROW];
        let functor = m.store.functor(m.store.argument(goal, i));
        functor.is_some_and(|(name, arity)| arity == 2 && constructs.contains(&name))
            && calls_argument(m, goal, i)
    })
}

/// Binds the variables that have names in the clause's text to terms that are written as these.
fn name_variables(m: &mut Machine, clause: Cell, names: &SourceNames) {
    let functor = m.atoms.intern("$VAR");
    for (variable, name) in named_variables(&m.store, clause, names) {
        let name = Cell::atom(m.atoms.intern(&name));
        let term = m.store.compound(functor, &[name]);
        m.store.unify(variable, term);
    }
}

/// `'$name_variables'(Reference, Clause)`: gives the variables of a dynamic clause their names, if it has any.
fn name_dynamic(m: &mut Machine) -> Outcome {
    let clause = m.argument(1);
    let names = referred(m, 0).and_then(|id| m.loading.clause_names.get(&id).cloned());
    if let Some(names) = names {
        name_variables(m, clause, &names);
    }
    Ok(true)
}

/// `'$static_clauses'(Module, Name, Arity, Clauses)`: the clauses of a static predicate of a program, or its rules, their
/// variables named as in its text.
fn static_clauses(m: &mut Machine) -> Outcome {
    let (module, name, arity) = (m.argument(0), m.argument(1), m.argument(2));
    if (module.tag(), name.tag(), arity.tag()) != (Tag::Atm, Tag::Atm, Tag::Int) {
        return Ok(false);
    }
    let Some(id) = m.find_predicate_in(module.as_atom(), name.as_atom(), arity.int_value() as usize) else {
        return Ok(false);
    };
    let id = m.origin(id);
    let rules = m.loading.text_rules.get(&id).filter(|_| m.predicate_at(id).rules);
    let records = rules.or_else(|| m.loading.texts.get(&id)).cloned().unwrap_or_default();
    let names = m.loading.text_names.get(&id).cloned().unwrap_or_default();
    let mut cells = Vec::with_capacity(records.len());
    for (i, record) in records.iter().enumerate() {
        let clause = record.restore(&mut m.store);
        if let Some(names) = names.get(i).and_then(Option::as_ref) {
            name_variables(m, clause, names);
        }
        cells.push(clause);
    }
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(3, list))
}

/// `'$open_clauses'(Module:Head, Clauses)`: the clauses of a static predicate of a program whose arguments may be
/// those of the head. False for other predicates, and if only what the standard says is wanted, where such clauses are
/// private (ISO 8.8.1).
fn open_clauses(m: &mut Machine) -> Outcome {
    let (module, head) = m.strip_module(atom::USER, m.argument(0));
    let Some((name, arity)) = m.store.functor(head) else { return Ok(false) };
    let Some(id) = m.find_predicate_in(module, name, arity) else { return Ok(false) };
    if m.flags.strict || m.predicate_at(id).kind != Kind::Static {
        return Ok(false);
    }
    let clauses = m.matching_texts(m.origin(id), head);
    let list = m.store.list(&clauses, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// `'$dynamic_predicates'(Module, NameOrVariable, List)`, `'$static_predicates'(Module, NameOrVariable, List)`: the
/// predicates of a kind of a module, as `Name/Arity`, in the order of their names' texts and their arities.
fn predicates_of(m: &mut Machine, kind: Kind) -> Outcome {
    let (module, name) = (m.argument(0), m.argument(1));
    if module.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, module);
    }
    let mut found: Vec<(Atom, usize)> = m
        .predicates()
        .map(|(_, predicate)| predicate)
        .filter(|predicate| {
            predicate.kind == kind
                && predicate.module == module.as_atom()
                && (name.tag() == Tag::Ref || name == Cell::atom(predicate.name))
        })
        .map(|predicate| (predicate.name, predicate.arity))
        .collect();
    found.sort_by(|left, right| (m.atoms.text(left.0), left.1).cmp(&(m.atoms.text(right.0), right.1)));
    let cells: Vec<Cell> = found.into_iter().map(|(name, arity)| m.indicator(name, arity)).collect();
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(2, list))
}
