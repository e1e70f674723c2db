//! The compilation of the clauses that were read, each predicate's together.
//!
//! A directive, and an expansion of the text's own, may call what stands in front of it, so clauses are compiled before
//! one runs. With an expansion that is in front of every clause, and a predicate of thousands of clauses would be
//! compiled thousands of times. So one that was compiled often *grows*: its clauses are added to a dynamic predicate of
//! the machine, each once, if it is called at all. It is compiled again when it has become longer by a part of itself,
//! or was called as often as it has clauses, and when the text ends; all of that is linear in its length.

use super::clauses::Pending;
use super::{Loader, lines_of, show_indicator};
use crate::base::{Diagnostic, Source, Span};
use crate::compile::{CompileError, compile_predicate};
use crate::machine::{Kind, Machine, PredicateId};
use crate::term::{Cell, Record, atom};
use std::rc::Rc;

impl Pending {
    /// Whether compiling it costs no more than what was read and called warrants.
    fn is_worth_compiling(&self, machine: &Machine) -> bool {
        const AT_LEAST: usize = 256;
        const FACTOR: usize = 3;
        let calls = machine.calls_while_growing(self.id);
        self.compiled + self.clauses.len() <= AT_LEAST + FACTOR * self.clauses.len() + calls
    }

    /// Gives the machine the clauses that it does not have yet, or all of them.
    fn tell(&mut self, machine: &mut Machine, file: Option<usize>) {
        if self.told == 0 {
            // What grew out of other clauses, or in another order, is not what these mean.
            machine.end_growth(self.id);
            let loading = &mut machine.loading;
            loading.texts.remove(&self.id);
            loading.text_indexes.remove(&self.id);
            loading.text_names.remove(&self.id);
            loading.text_rules.remove(&self.id);
        }
        let loading = &mut machine.loading;
        loading.texts.entry(self.id).or_default().extend_from_slice(&self.clauses[self.told..]);
        loading.text_names.entry(self.id).or_default().extend_from_slice(&self.names[self.told..]);
        // Those of other files are there as clauses only.
        if self.written.len() == self.clauses.len() {
            loading.text_rules.entry(self.id).or_default().extend_from_slice(&self.written[self.told..]);
        } else {
            loading.text_rules.remove(&self.id);
        }
        self.share(machine, file);
        self.told = self.clauses.len();
    }

    /// The same for the clauses of a predicate that files define together.
    fn share(&mut self, machine: &mut Machine, file: Option<usize>) {
        if machine.predicate_at(self.id).multifile
            && let Some(file) = file
        {
            let path = machine.loading.files[file].path;
            let from = self.foreign[..self.told].iter().filter(|foreign| !**foreign).count();
            let own =
                self.clauses.iter().zip(&self.foreign).skip(self.told).filter(|(_, foreign)| !**foreign);
            let own = own.map(|(clause, _)| clause.clone()).collect();
            machine.loading.share_clauses(self.id, path, from, own);
            self.seen = machine.loading.changes_shared(self.id);
        }
    }

    /// Takes over what other files have changed of a predicate that they define too: one that was loaded between two
    /// clauses may have added some.
    pub(super) fn catch_up(&mut self, machine: &mut Machine, file: Option<usize>, span: Span) {
        let changes = machine.loading.changes_shared(self.id);
        let Some(file) = file.filter(|_| changes != self.seen) else { return };
        self.seen = changes;
        let path = machine.loading.files[file].path;
        let others = machine.loading.shared_clauses(self.id, Some(path));
        let known = self.clauses.iter().zip(&self.foreign).filter(|(_, foreign)| **foreign);
        let known: Vec<&Record> = known.map(|(clause, _)| clause).collect();
        let mut new = &others[..];
        if others.len() >= known.len() && others.iter().zip(&known).all(|(other, known)| other == *known) {
            new = &others[known.len()..];
        } else {
            keep_own(&mut self.clauses, &self.foreign);
            keep_own(&mut self.names, &self.foreign);
            keep_own(&mut self.spans, &self.foreign);
            self.foreign.retain(|foreign| !foreign);
        }
        // What the machine has are the other file's clauses of the predicate, with those that were told before.
        self.told = 0;
        self.clauses.extend_from_slice(new);
        self.names.resize(self.clauses.len(), None);
        self.spans.resize(self.clauses.len(), span);
        self.foreign.resize(self.clauses.len(), true);
    }
}

impl Loader {
    /// Lets files define a predicate together. Clauses that stand in front of the declaration, here or in a file that
    /// knows of none, are those of their file from now on.
    pub(super) fn multifile(&mut self, machine: &mut Machine, id: PredicateId) {
        if std::mem::replace(&mut machine.predicate_mut(id).multifile, true) {
            return;
        }
        if machine.predicate_at(id).kind == Kind::Undefined {
            machine.define_empty(id);
        }
        if let Some(&position) = self.positions.get(&id) {
            self.predicates[position].told = 0;
            self.needs_code(position);
        } else if let Some((path, clauses)) = self.text_elsewhere(machine, id) {
            machine.loading.share_clauses(id, path, 0, clauses);
        }
    }

    /// Notes that a predicate has clauses that are not compiled.
    pub(super) fn needs_code(&mut self, position: usize) {
        let pending = &mut self.predicates[position];
        if !std::mem::replace(&mut pending.dirty, true) {
            self.dirty.push(pending.id);
        }
    }

    /// Notes that what is compiled of the text is not what it means any more.
    pub(super) fn need_code_anew(&mut self, machine: &mut Machine) {
        for position in 0..self.predicates.len() {
            self.needs_code(position);
            machine.end_growth(self.predicates[position].id);
        }
    }

    /// Compiles the predicates that have new clauses, or lets them grow, since more of the text comes.
    pub(super) fn compile(&mut self, machine: &mut Machine) {
        self.compile_if(machine, Pending::is_worth_compiling);
        if !self.library {
            self.check_so_far(machine);
        }
    }

    /// Compiles the predicates that have new clauses.
    pub(super) fn compile_all(&mut self, machine: &mut Machine) {
        self.compile_if(machine, |_, _| true);
    }

    fn compile_if(&mut self, machine: &mut Machine, worth: fn(&Pending, &Machine) -> bool) {
        let dirty = std::mem::take(&mut self.dirty);
        // Those that were withdrawn are not there any more.
        let mut positions: Vec<usize> =
            dirty.into_iter().filter_map(|id| self.positions.get(&id).copied()).collect();
        positions.sort_unstable();
        let module = machine.source_module;
        let mut problems = Vec::new();
        for position in positions {
            let pending = &mut self.predicates[position];
            if self.library || worth(pending, machine) {
                pending.dirty = false;
                problems.extend(Self::compile_one(machine, pending, self.library, self.file));
                continue;
            }
            self.dirty.push(pending.id);
            if pending.told < pending.clauses.len() {
                pending.tell(machine, self.file);
            }
            machine.let_grow(pending.id);
            machine.predicate_mut(pending.id).rules = pending.rules;
        }
        machine.source_module = module;
        for (source, diagnostic) in problems {
            self.tell(machine, &source, diagnostic);
        }
    }

    /// Compiles a predicate. Returns what is wrong with it.
    fn compile_one(
        machine: &mut Machine,
        pending: &mut Pending,
        library: bool,
        file: Option<usize>,
    ) -> Option<(Rc<Source>, Diagnostic)> {
        let scope = machine.begin_scope();
        let mut clauses: Vec<Cell> =
            pending.clauses.iter().map(|clause| clause.restore(&mut machine.store)).collect();
        if pending.rules {
            clauses.push(no_matching_rule(machine, pending.id));
        }
        pending.compiled += clauses.len();
        machine.source_module = machine.predicate_at(pending.id).module;
        let compiled = compile_predicate(machine, &clauses);
        machine.drop_scope(scope);
        match compiled {
            Ok(address) => {
                let kind = if library { Kind::Library } else { Kind::Static };
                if !library {
                    // Whether calls are traced is asked when it is defined, and depends on its being a program's.
                    pending.tell(machine, file);
                }
                machine.define(pending.id, kind, address);
                machine.end_growth(pending.id);
                machine.predicate_mut(pending.id).rules = pending.rules;
                if library {
                    pending.share(machine, file);
                    return None;
                }
                let file = machine.atoms.intern(&pending.source.name);
                let lines: Vec<(usize, usize)> =
                    pending.spans.iter().map(|&span| lines_of(&pending.source, span)).collect();
                Self::note_clauses(machine, pending.id, file, &pending.foreign, &lines);
                None
            }
            Err(error) => {
                let span = pending.spans.first().copied().unwrap_or_default();
                let help = match error {
                    CompileError::TooLarge => "split the clause",
                    _ => "every goal must be an atom, a compound term or a variable",
                };
                let name = show_indicator(machine, pending.id);
                let message = format!("`{name}` cannot be compiled: {error}");
                pending.share(machine, file);
                if std::mem::replace(&mut pending.faulty, true) {
                    return None;
                }
                Some((Rc::clone(&pending.source), Diagnostic::error(message, span).help(help)))
            }
        }
    }
}

/// Leaves of what there is for each clause what belongs to clauses of the text.
fn keep_own<T>(all: &mut Vec<T>, foreign: &[bool]) {
    let mut foreign = foreign.iter();
    all.retain(|_| foreign.next() == Some(&false));
}

/// Compiles what files have of a predicate that they define together, as when one of them is taken back. False if none
/// has clauses.
pub(super) fn compile_shared(machine: &mut Machine, id: PredicateId) -> bool {
    let texts = machine.loading.shared_clauses(id, None);
    if texts.is_empty() {
        return false;
    }
    let source_module = machine.source_module;
    machine.source_module = machine.predicate_at(id).module;
    let scope = machine.begin_scope();
    let mut clauses: Vec<Cell> = texts.iter().map(|clause| clause.restore(&mut machine.store)).collect();
    if machine.predicate_at(id).rules {
        clauses.push(no_matching_rule(machine, id));
    }
    let compiled = compile_predicate(machine, &clauses);
    machine.drop_scope(scope);
    machine.source_module = source_module;
    // Clauses that cannot be compiled together were told of when they were loaded.
    let Ok(address) = compiled else { return false };
    let loading = &mut machine.loading;
    loading.text_names.insert(id, vec![None; texts.len()]);
    loading.texts.insert(id, texts);
    loading.text_indexes.remove(&id);
    loading.text_rules.remove(&id);
    machine.define(id, Kind::Static, address);
    machine.end_growth(id);
    true
}

/// The last clause of a predicate of rules: it throws.
fn no_matching_rule(machine: &mut Machine, id: PredicateId) -> Cell {
    let predicate = machine.predicate_at(id);
    let (name, arity, module) = (predicate.name, predicate.arity, predicate.module);
    let arguments: Vec<Cell> = (0..arity).map(|_| machine.store.variable()).collect();
    let head = if arity == 0 { Cell::atom(name) } else { machine.store.compound(name, &arguments) };
    let culprit = if module == atom::USER { head } else { machine.qualified(module, head) };
    let name = machine.atoms.intern("$no_matching_rule");
    let body = machine.store.compound(name, &[culprit]);
    let body = machine.qualified(atom::SYSTEM, body);
    machine.store.compound(atom::NECK, &[head, body])
}
