//! `:- module_transparent p/1`, SWI-Prolog's: clauses that know the module of who calls them.
//!
//! The goals of such a clause are those of its text, but what they are given to call, and what asks for the context, is
//! of the caller's module. So the clauses have one argument more, the context, and goals in them pass it on. A call gets
//! it where calls from other modules give goals their module ([`crate::machine::Meta::Context`]).

use super::directives::{indicator, items};
use super::{Loader, show};
use crate::machine::{Instruction, Kind, Machine, Meta, Outcome, Place, PredicateId, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, Record, atom, source_names};

impl Loader {
    /// `:- module_transparent Specs`.
    pub(super) fn module_transparent(&mut self, machine: &mut Machine, specs: Cell, read: &ReadTerm) {
        for (module, spec) in items(machine, machine.source_module, specs) {
            let Some((name, arity)) = indicator(machine, spec) else {
                let message = format!("expected Name/Arity, found `{}`", show(machine, spec));
                self.error(message, read.span);
                continue;
            };
            let id = machine.predicate_in(module, name, arity);
            // What has clauses already, or is called through a clause of its own, keeps the module of its text.
            let is_new = matches!(machine.predicate_at(id).kind, Kind::Undefined | Kind::Static);
            if is_new && !self.positions.contains_key(&id) && !self.tabled.contains_key(&id) {
                // Clauses in front of those of the predicate may call it.
                self.transparent.entry(id).or_insert(false);
                machine.pass_context(id);
            }
        }
    }

    /// The clause with the context that stands for one of such a predicate; `None` if the predicate is another one.
    pub(super) fn transparent_clause(
        &mut self,
        machine: &mut Machine,
        (module, head): (Atom, Cell),
        body: Option<Cell>,
        read: &ReadTerm,
    ) -> Option<(Cell, Option<Cell>)> {
        let (name, arity) = machine.store.functor(head)?;
        let id = machine.predicate_in(module, name, arity);
        let &is_defined = self.transparent.get(&id)?;
        if machine.predicate_at(id).kind == Kind::Dynamic {
            self.not_transparent(machine, id);
            return None;
        }
        if !is_defined && !self.define_transparent(machine, id, read) {
            return None;
        }
        let clause = match body {
            Some(body) => machine.store.compound(atom::NECK, &[head, body]),
            None => head,
        };
        let record = Record::new(&machine.store, clause);
        machine.loading.texts.entry(id).or_default().push(record);
        let names = source_names(&machine.store, clause, &read.variables);
        machine.loading.text_names.entry(id).or_default().push(names);
        let context = machine.store.variable();
        let (first, arity) = machine.store.arguments(head);
        let mut arguments: Vec<Cell> = (first..first + arity).map(|i| machine.store.at(i)).collect();
        arguments.push(context);
        let worker = worker(machine, name);
        let head = machine.store.compound(worker, &arguments);
        Some((head, body.map(|body| in_context(machine, body, context))))
    }

    /// Lets a predicate keep the module of its text, as those do that are dynamic.
    pub(super) fn not_transparent(&mut self, machine: &mut Machine, id: PredicateId) {
        if self.transparent.remove(&id).is_some() {
            machine.drop_context(id);
        }
    }

    /// Lets calls of the predicate pass their module to its clauses. False if the text may not define it.
    fn define_transparent(&mut self, machine: &mut Machine, id: PredicateId, read: &ReadTerm) -> bool {
        let predicate = machine.predicate_at(id);
        let (module, name, arity) = (predicate.module, predicate.name, predicate.arity);
        if self.defined_predicate(machine, module, name, arity, read.span).is_none() {
            self.not_transparent(machine, id);
            return false;
        }
        if let Some(file) = self.file {
            let (file, line) = (&mut machine.loading.files[file], self.source.line(read.span.start));
            file.predicates.push(id);
            let place = Place { file: file.path, line };
            machine.predicate_mut(id).place = Some(place);
        }
        machine.loading.texts.insert(id, Vec::new());
        machine.loading.text_names.insert(id, Vec::new());
        machine.loading.text_indexes.remove(&id);
        let worker = worker(machine, name);
        let clauses = machine.predicate_in(module, worker, arity + 1);
        let entry = machine.add_code(&[Instruction::Execute(clauses)]);
        machine.define(id, Kind::Static, entry);
        self.transparent.insert(id, true);
        true
    }
}

/// The name of the predicate that has the clauses.
fn worker(machine: &mut Machine, name: Atom) -> Atom {
    let worker = format!("{} transparent", machine.atoms.text(name));
    machine.atoms.intern(&worker)
}

/// A body whose goals pass a context on.
fn in_context(machine: &mut Machine, body: Cell, context: Cell) -> Cell {
    let name = machine.atoms.intern("$in_context");
    let result = machine.store.variable();
    let module = Cell::atom(machine.source_module);
    let goal = machine.store.compound(name, &[body, module, context, result]);
    let goal = machine.qualified(atom::SYSTEM, goal);
    match machine.run(goal) {
        RunOutcome::Succeeded => machine.store.deref(result),
        // It is told of as a body that cannot be compiled.
        _ => body,
    }
}

/// `'$context_goal'(Module:Goal, Context, Called)`: a goal of a clause that passes a context on.
pub(super) fn context_goal(m: &mut Machine) -> Outcome {
    let (home, goal) = m.strip_module(atom::USER, m.argument(0));
    let context = m.argument(1);
    let Some((name, arity)) = m.store.functor(goal) else { return Ok(m.unify_argument(2, goal)) };
    let id = m.predicate_in(home, name, arity);
    let id = m.origin(id);
    if m.predicate_at(id).passes_context() {
        let at = m.atoms.intern("@");
        let called = m.store.compound(at, &[goal, context]);
        return Ok(m.unify_argument(2, called));
    }
    let meta = m.predicate_at(id).meta.clone();
    if meta.is_empty() || arity == 0 {
        return Ok(m.unify_argument(2, goal));
    }
    let mut arguments = Vec::with_capacity(arity);
    for i in 0..arity {
        let argument = m.store.argument(goal, i);
        let kept = matches!(meta.get(i), None | Some(Meta::Plain(_) | Meta::Each));
        arguments.push(if kept { argument } else { m.store.compound(atom::COLON, &[context, argument]) });
    }
    let called = m.store.compound(name, &arguments);
    Ok(m.unify_argument(2, called))
}

/// `'$at'(Goal, Module, Called)`: the goal with the module as the context of its goals.
pub(super) fn at(m: &mut Machine) -> Outcome {
    let (home, goal) = m.strip_module(atom::USER, m.argument(0));
    let context = m.argument(1);
    if context.tag() == crate::term::Tag::Ref {
        return m.instantiation_error();
    }
    if context.tag() != crate::term::Tag::Atm {
        return m.type_error(atom::ATOM, context);
    }
    let Some((name, arity)) = m.store.functor(goal) else { return m.type_error(atom::CALLABLE, goal) };
    if is_control(name, arity) {
        let called = control_at(m, home, goal, context, 0);
        return Ok(m.unify_argument(2, called));
    }
    let id = m.predicate_in(home, name, arity);
    let id = m.origin(id);
    let meta = m.predicate_at(id).meta.clone();
    let mut arguments: Vec<Cell> = (0..arity)
        .map(|i| {
            let argument = m.store.argument(goal, i);
            match meta.get(i) {
                Some(&meta) => m.with_module(meta, context.as_atom(), argument),
                None => argument,
            }
        })
        .collect();
    let (mut home, mut name) = (home, name);
    if m.predicate_at(id).passes_context() && m.predicate_at(id).kind != Kind::Undefined {
        (home, name) = (m.predicate_at(id).module, worker(m, name));
        arguments.push(context);
    }
    let called = if arguments.is_empty() { goal } else { m.store.compound(name, &arguments) };
    let called = m.qualified(home, called);
    Ok(m.unify_argument(2, called))
}

fn is_control(name: Atom, arity: usize) -> bool {
    matches!(
        (name, arity),
        (atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2) | (atom::NOT, 1)
    )
}

/// A control construct is no goal that has a context: those in it do, which are looked for in the module named.
fn control_at(m: &mut Machine, home: Atom, goal: Cell, context: Cell, depth: usize) -> Cell {
    match m.store.functor(goal) {
        Some((atom::CUT, 0)) => goal,
        // What is deeper gets its context when it is called.
        Some((name, arity)) if is_control(name, arity) && depth < 100 => {
            let mut arguments = Vec::with_capacity(arity);
            for i in 0..arity {
                let argument = m.store.argument(goal, i);
                arguments.push(control_at(m, home, argument, context, depth + 1));
            }
            m.store.compound(name, &arguments)
        }
        _ => {
            let at = m.atoms.intern("@");
            let goal = m.store.compound(atom::COLON, &[Cell::atom(home), goal]);
            m.store.compound(at, &[goal, context])
        }
    }
}
