//! Predicates that are called through a clause of their own, while the clauses of the text go to a predicate of another
//! name: tabled ones (`:- table p/2, q(_, min)`), those that must be deterministic (`:- det p/2`), and those that wait for
//! arguments (`:- block p(-, ?), p(?, -)`, of SICStus Prolog and Ciao). Those that get the modules of who calls them
//! (`:- meta_predicate p(addmodule)`, of Ciao) are called through a clause that passes these, while the clauses of the text
//! have more arguments.

use super::directives::{indicator, items, meta};
use super::{LoadError, Loader, show};
use crate::base::Diagnostic;
use crate::machine::{Kind, Machine, Meta, PredicateId, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, atom};

/// A way to call the clauses of a text through another one.
struct Wrapping {
    /// What is said of the predicate, which is part of the name of its clauses.
    word: &'static str,
    /// The predicate of the library that makes the clause.
    wrapper: &'static str,
    /// What a declaration names.
    expected: &'static str,
    /// What is wrong where no clause can be made, and the way out.
    wrong: &'static str,
    help: &'static str,
}

const TABLED: Wrapping = Wrapping {
    word: "tabled",
    wrapper: "$table_wrapper",
    expected: "Name/Arity or a head with modes",
    wrong: "no modes of a table",
    help: "a mode is `_`, `index`, `min`, `max`, `first`, `last`, `sum`, `lattice(P/3)` or `po(P/2)`",
};

const DETERMINISTIC: Wrapping = Wrapping {
    word: "det",
    wrapper: "$det_wrapper",
    expected: "Name/Arity",
    wrong: "no predicate",
    help: "write Name/Arity",
};

const BLOCKED: Wrapping = Wrapping {
    word: "block",
    wrapper: "$block_wrapper",
    expected: "a head with `-` and `?` as its arguments",
    wrong: "no conditions for which a call waits",
    help: "write heads such as `p(-, ?)`",
};

impl Loader {
    /// `:- table Specs`.
    pub(super) fn table(
        &mut self,
        machine: &mut Machine,
        specs: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        let as_name = machine.atoms.intern("as");
        let dynamic = machine.atoms.intern("dynamic");
        for (module, item) in items(machine, machine.source_module, specs) {
            let item = machine.store.match_structure::<2>(item, as_name).map_or(item, |[item, _]| item);
            for (module, item) in items(machine, module, item) {
                let item = machine.store.match_structure::<1>(item, dynamic).map_or(item, |[inner]| inner);
                self.wrap(machine, module, item, None, read, &TABLED)?;
            }
        }
        Ok(())
    }

    /// `:- det Specs`: calls that fail, or leave a choicepoint, are errors.
    pub(super) fn det(
        &mut self,
        machine: &mut Machine,
        specs: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        for (module, item) in items(machine, machine.source_module, specs) {
            self.wrap(machine, module, item, None, read, &DETERMINISTIC)?;
        }
        Ok(())
    }

    /// `:- block Heads`: a call waits while all arguments at a `-` of one of the heads are free variables.
    pub(super) fn suspend(
        &mut self,
        machine: &mut Machine,
        heads: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        let mut predicates: Vec<(Atom, Cell, Vec<Cell>)> = Vec::new();
        for (module, head) in items(machine, machine.source_module, heads) {
            let functor = machine.store.functor(head);
            match predicates.iter_mut().find(|(_, first, _)| machine.store.functor(*first) == functor) {
                Some((.., known)) => known.push(head),
                None => predicates.push((module, head, vec![head])),
            }
        }
        for (module, head, all) in predicates {
            let all = machine.store.list(&all, Cell::atom(atom::NIL));
            self.wrap(machine, module, head, Some(all), read, &BLOCKED)?;
        }
        Ok(())
    }

    /// `:- meta_predicate p(addmodule, ?)`, Ciao's: whoever calls `p/2` calls `p/3` with the caller's module behind the
    /// argument. The clause that does so is added. Returns the declarations of the arguments of `p/2`.
    pub(super) fn pass_modules(
        &mut self,
        machine: &mut Machine,
        (module, name): (Atom, Atom),
        arguments: &[Cell],
        read: &ReadTerm,
    ) -> Vec<Cell> {
        let add = machine.atoms.intern("addmodule");
        let (any, qualified) = (Cell::atom(atom::QUESTION), Cell::atom(atom::COLON));
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        let (mut given, mut passed, mut goals) = (Vec::new(), Vec::new(), Vec::new());
        for &argument in arguments {
            let variable = machine.store.variable();
            given.push(variable);
            let of = match machine.store.functor(argument) {
                Some((functor, 0)) if functor == add => any,
                Some((functor, 1)) if functor == add => machine.store.argument(argument, 0),
                _ => {
                    outer.push(argument);
                    inner.push(argument);
                    passed.push(variable);
                    continue;
                }
            };
            let (plain, home) = (machine.store.variable(), machine.store.variable());
            let strip = machine.atoms.intern("strip_module");
            let strip = machine.store.compound(strip, &[variable, home, plain]);
            goals.push(machine.qualified(atom::SYSTEM, strip));
            // What needs no module says nothing of who calls, and neither does a list whose elements have theirs.
            let kind = meta(machine, of);
            let kept = !matches!(kind, Meta::Plain(_) | Meta::Each);
            outer.push(if kept { of } else { qualified });
            inner.extend([of, any]);
            let value = if kept {
                variable
            } else if kind == Meta::Each {
                let each = machine.store.variable();
                let name = machine.atoms.intern("$each_of_module");
                let goal = machine.store.compound(name, &[plain, home, each]);
                goals.push(machine.qualified(atom::SYSTEM, goal));
                each
            } else {
                plain
            };
            passed.extend([value, home]);
        }
        let arity = arguments.len();
        if goals.is_empty() || self.positions.contains_key(&machine.predicate_in(module, name, arity)) {
            return outer;
        }
        let worker = machine.predicate_in(module, name, passed.len());
        let inner = inner.into_iter().map(|argument| meta(machine, argument)).collect();
        machine.set_meta(worker, inner);
        goals.push(machine.store.compound(name, &passed));
        let body =
            goals.into_iter().rev().reduce(|rest, goal| machine.store.compound(atom::COMMA, &[goal, rest]));
        let head = machine.store.compound(name, &given);
        let clause = machine.store.compound(atom::NECK, &[head, body.unwrap_or(Cell::atom(atom::TRUE))]);
        let clause = if module == machine.source_module { clause } else { machine.qualified(module, clause) };
        self.clause(machine, clause, read);
        outer
    }

    fn wrap(
        &mut self,
        machine: &mut Machine,
        module: Atom,
        spec: Cell,
        argument: Option<Cell>,
        read: &ReadTerm,
        wrapping: &Wrapping,
    ) -> Result<(), LoadError> {
        let known = match indicator(machine, spec) {
            Some((name, arity)) => {
                let arguments: Vec<Cell> = (0..arity).map(|_| machine.store.variable()).collect();
                let head =
                    if arity == 0 { Cell::atom(name) } else { machine.store.compound(name, &arguments) };
                Some((name, arity, head))
            }
            None => machine.store.functor(spec).map(|(name, arity)| (name, arity, spec)),
        };
        let Some((name, arity, head)) = known else {
            let message = format!("expected {}, found `{}`", wrapping.expected, show(machine, spec));
            self.error(message, read.span);
            return Ok(());
        };
        let Some(id) = self.defined_predicate(machine, module, name, arity, read.span) else { return Ok(()) };
        if self.tabled.contains_key(&id) {
            return Ok(());
        }
        let worker = format!("{} {}", machine.atoms.text(name), wrapping.word);
        if self.positions.contains_key(&id) || machine.predicate_at(id).kind == Kind::Dynamic {
            let text = format!("`{}/{arity}` has clauses already, or is dynamic", machine.atoms.text(name));
            let help = format!("declare it {} before its clauses", wrapping.word);
            let diagnostic = Diagnostic::error(text, read.span).help(help);
            self.diagnostics.push(diagnostic);
            return Ok(());
        }
        let worker = machine.atoms.intern(&worker);
        let result = machine.store.variable();
        let wrapper = machine.atoms.intern(wrapping.wrapper);
        let goal = machine
            .store
            .compound(wrapper, &[Cell::atom(module), argument.unwrap_or(head), Cell::atom(worker), result]);
        let goal = machine.qualified(atom::SYSTEM, goal);
        match machine.run(goal) {
            RunOutcome::Succeeded => {}
            RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
            RunOutcome::Failed | RunOutcome::Threw(_) => {
                let message = format!("{}: `{}`", wrapping.wrong, show(machine, spec));
                let diagnostic = Diagnostic::error(message, read.span).help(wrapping.help);
                self.diagnostics.push(diagnostic);
                return Ok(());
            }
        }
        let clause = machine.store.deref(result);
        let clause = if module == machine.source_module { clause } else { machine.qualified(module, clause) };
        self.clause(machine, clause, read);
        if let Some(clauses) = self.defined_predicate(machine, module, worker, arity, read.span)
            && machine.predicate_at(clauses).kind == Kind::Undefined
        {
            machine.define_empty(clauses);
        }
        self.tabled.insert(id, worker);
        Ok(())
    }

    /// The head of a clause, under the name of the clauses if its predicate is tabled.
    pub(super) fn tabled_head(&self, machine: &mut Machine, id: PredicateId, head: Cell) -> Option<Cell> {
        let &worker = self.tabled.get(&id)?;
        let (first, arity) = machine.store.arguments(head);
        let arguments: Vec<Cell> = (first..first + arity).map(|i| machine.store.at(i)).collect();
        Some(if arity == 0 { Cell::atom(worker) } else { machine.store.compound(worker, &arguments) })
    }
}
