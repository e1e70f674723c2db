//! Clauses: whose they are, and what is odd about them.

use super::{LoadError, Loader, show_indicator};
use crate::base::{Diagnostic, Source, Span};
use crate::machine::{Denied, Kind, Link, Machine, Place, PredicateId, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, Record, SourceNames, atom, named_variables, nullary, source_names};
use std::rc::Rc;

/// The clauses of one predicate as they are read.
pub(super) struct Pending {
    pub(super) id: PredicateId,
    pub(super) source: Rc<Source>,
    pub(super) clauses: Vec<Record>,
    /// The rules that they are, as they were written, if they are rules.
    pub(super) written: Vec<Record>,
    /// The names of the variables, of rules as they were written, as far as they are known.
    pub(super) names: Vec<Option<SourceNames>>,
    pub(super) spans: Vec<Span>,
    /// Which of the clauses are those of other files.
    pub(super) foreign: Vec<bool>,
    /// How often files had changed what they share when these were looked at.
    pub(super) seen: usize,
    /// Whether they are rules with `=>`, one of which must match.
    pub(super) rules: bool,
    /// Whether they have no code, or code that lacks some of them.
    pub(super) dirty: bool,
    /// Whether they cannot be compiled, which was told.
    pub(super) faulty: bool,
    /// How many clauses were compiled for it so far, each time counted.
    pub(super) compiled: usize,
    /// How many of the clauses the machine has.
    pub(super) told: usize,
}

/// Predicates of `user` that any text adds to, and any program while it runs, without a declaration.
const SHARED: &[(&str, usize)] = &[
    ("exception", 3),
    ("file_search_path", 2),
    ("library_directory", 1),
    ("message_hook", 3),
    ("message_property", 2),
    ("portray", 1),
    ("prolog_file_type", 2),
    ("prolog_load_file", 2),
];

/// How many variables a warning names.
const MOST_NAMED: usize = 12;

impl Loader {
    pub(super) fn clause(&mut self, machine: &mut Machine, clause: Cell, read: &ReadTerm) {
        let source = machine.source_module;
        let (context, clause) = machine.strip_module(source, clause);
        let written = clause;
        let rule = self.matching_rule(machine, clause, read);
        let (clause, is_rule) = match rule {
            Some(Ok(clause)) => (clause, true),
            Some(Err(())) => return,
            None => (clause, false),
        };
        let (head, body) = match machine.store.match_structure::<2>(clause, atom::NECK) {
            Some([head, body]) => (head, Some(body)),
            None => (nullary::as_goal(&machine.store, clause), None),
        };
        let (module, head) = machine.strip_module(context, head);
        let mut head = nullary::as_goal(&machine.store, head);
        let Some((name, arity)) = machine.store.functor(head) else {
            self.error("a clause needs an atom or a compound term as its head", read.span);
            return;
        };
        let said = (name, arity);
        if !self.tabled.is_empty() {
            let id = machine.predicate_in(module, name, arity);
            if let Some(other) = self.tabled_head(machine, id, head) {
                head = other;
            }
        }
        let mut body = body;
        if !self.transparent.is_empty()
            && let Some((worker, goals)) = self.transparent_clause(machine, (module, head), body, read)
        {
            (head, body) = (worker, goals);
        }
        let Some((name, arity)) = machine.store.functor(head) else { return };
        // A body belongs to the text's module, whatever module its head says.
        let body = body.map(|body| if module == context { body } else { machine.qualified(context, body) });
        let clause = match body {
            Some(body) => machine.store.compound(atom::NECK, &[head, body]),
            None => head,
        };
        let Some(id) = self.defined_predicate(machine, module, name, arity, read.span) else { return };
        if module == atom::USER
            && !machine.flags.strict
            && machine.predicate_at(id).kind == Kind::Undefined
            && SHARED.contains(&(machine.atoms.text(name), arity))
        {
            machine.make_dynamic(id);
            machine.predicate_mut(id).multifile = true;
        }
        if !self.library {
            // Where the clauses go to a predicate of another name, the text knows the one that it declares.
            let said = machine.predicate_in(module, said.0, said.1);
            self.warn_of_scattering(machine, (id, said), read.span);
        }
        if machine.predicate_at(id).kind == Kind::Dynamic {
            if machine.count_clauses(id) == 0 {
                machine.predicate_mut(id).rules = is_rule;
            }
            if machine.predicate_at(id).rules == is_rule {
                self.dynamic_clause(machine, id, head, body, read);
            } else {
                self.two_kinds(machine, id, read.span);
            }
            return;
        }
        let position = match self.positions.get(&id) {
            Some(&position) => position,
            None => self.begin_predicate(machine, id, read.span),
        };
        let pending = &mut self.predicates[position];
        pending.catch_up(machine, self.file, read.span);
        if pending.clauses.is_empty() {
            pending.rules = is_rule;
        } else if pending.rules != is_rule {
            self.two_kinds(machine, id, read.span);
            return;
        }
        pending.clauses.push(Record::new(&machine.store, clause));
        let shown = if is_rule { written } else { clause };
        if is_rule {
            pending.written.push(Record::new(&machine.store, written));
        }
        // Nobody is shown a clause of the library.
        let names = if self.library { None } else { source_names(&machine.store, shown, &read.variables) };
        pending.names.push(names);
        pending.spans.push(read.span);
        pending.foreign.push(false);
        self.needs_code(position);
    }

    fn two_kinds(&mut self, machine: &Machine, id: PredicateId, span: Span) {
        let name = show_indicator(machine, id);
        let diagnostic = Diagnostic::error(format!("`{name}` has clauses with `:-` and with `=>`"), span)
            .label("another kind of clause than those before")
            .help("write all clauses of a predicate with `=>`, or none");
        self.diagnostics.push(diagnostic);
    }

    /// The predicate that a text defines under a name, if it may.
    pub(super) fn defined_predicate(
        &mut self,
        machine: &mut Machine,
        module: Atom,
        name: Atom,
        arity: usize,
        span: Span,
    ) -> Option<PredicateId> {
        let id = machine.predicate_in(module, name, arity);
        if let Link::Imported { from, weak: true } = machine.predicate_at(id).link {
            let from = machine.predicate_at(machine.origin(from)).module;
            if from != atom::SYSTEM && !self.names_redefined(name, arity) {
                let message = format!(
                    "`{}/{arity}` is defined here, so that of `{}` is not imported",
                    machine.atoms.text(name),
                    machine.atoms.text(from)
                );
                self.warning(message, span);
            }
        }
        let late = machine.is_expanded(id);
        let own = match machine.own_predicate(module, name, arity) {
            Err(Denied::Protected) if self.redefines(module, name, arity) => {
                if !self.says_it_redefines(name, arity) {
                    let name = machine.atoms.text(name);
                    let message =
                        format!("`{name}/{arity}` is built in: that of this module takes its place");
                    self.warning(message, span);
                }
                Ok(machine.replace_built_in(id))
            }
            own => own,
        };
        match own {
            Ok(id) => {
                if late && machine.predicate_at(id).kind == Kind::Undefined {
                    // Clauses compiled before called the built-in.
                    self.need_code_anew(machine);
                }
                Some(id)
            }
            Err(denied) => {
                self.denied(machine, denied, name, arity, span);
                None
            }
        }
    }

    /// The first clause of a predicate in this text: earlier clauses from another text, or from this one when it
    /// was loaded before, are replaced.
    fn begin_predicate(&mut self, machine: &mut Machine, id: PredicateId, span: Span) -> usize {
        let mut clauses = Vec::new();
        let mut spans = Vec::new();
        if let Some(file) = self.file {
            let path = machine.loading.files[file].path;
            let line = self.source.line(span.start);
            let known = machine.predicate_at(id);
            if known.multifile {
                clauses = machine.loading.shared_clauses(id, Some(path));
                spans = vec![span; clauses.len()];
            } else if known.kind == Kind::Static
                && let Some(Place { file: other, line: other_line }) = known.place
                && other != path
            {
                let message = format!(
                    "`{}` replaces the definition at {}:{other_line}",
                    show_indicator(machine, id),
                    machine.atoms.text(other)
                );
                let diagnostic =
                    Diagnostic::warning(message, span).help("if both belong together: `:- multifile`");
                self.diagnostics.push(diagnostic);
            }
            machine.predicate_mut(id).place = Some(Place { file: path, line });
            machine.loading.files[file].predicates.push(id);
        } else if self.library {
            let file = machine.atoms.intern(&self.source.name);
            let line = self.source.line(span.start);
            machine.predicate_mut(id).place = Some(Place { file, line });
        }
        let source = Rc::clone(&self.source);
        let names = vec![None; clauses.len()];
        let foreign = vec![true; clauses.len()];
        let rules = !clauses.is_empty() && machine.predicate_at(id).rules;
        self.predicates.push(Pending {
            id,
            source,
            clauses,
            written: Vec::new(),
            names,
            spans,
            foreign,
            seen: machine.loading.changes_shared(id),
            rules,
            dirty: false,
            faulty: false,
            compiled: 0,
            told: 0,
        });
        let position = self.predicates.len() - 1;
        self.positions.insert(id, position);
        position
    }

    /// Takes a predicate out of those that the text defines.
    pub(super) fn withdraw(&mut self, position: usize) -> Pending {
        for later in self.positions.values_mut().filter(|later| **later > position) {
            *later -= 1;
        }
        self.so_far.look_again(position);
        self.predicates.remove(position)
    }

    /// Makes the clauses of a predicate that was taken out those of a dynamic one.
    pub(super) fn add_withdrawn(&mut self, machine: &mut Machine, pending: &Pending) {
        machine.predicate_mut(pending.id).rules = pending.rules;
        let clauses = pending.clauses.iter().zip(&pending.spans).zip(&pending.names).zip(&pending.foreign);
        for (((clause, &span), names), _) in clauses.filter(|(_, foreign)| !**foreign) {
            let clause = clause.restore(&mut machine.store);
            let named = names.as_ref().map(|names| named_variables(&machine.store, clause, names));
            let variables = named.into_iter().flatten().map(|(variable, name)| (name, variable, 1)).collect();
            let (head, body) = match machine.store.match_structure::<2>(clause, atom::NECK) {
                Some([head, body]) => (head, Some(body)),
                None => (clause, None),
            };
            let read = ReadTerm { term: clause, variables, layout: None, span };
            self.dynamic_clause(machine, pending.id, head, body, &read);
        }
    }

    /// The static clauses that other files gave a predicate, by file.
    pub(super) fn clauses_elsewhere(&self, machine: &Machine, id: PredicateId) -> Vec<(Atom, Vec<Record>)> {
        let predicate = machine.predicate_at(id);
        if predicate.place.is_some() && predicate.kind == Kind::Static && predicate.multifile {
            let own = self.file.map(|file| machine.loading.files[file].path);
            return machine.loading.shared_by_file(id, own);
        }
        self.text_elsewhere(machine, id).into_iter().collect()
    }

    /// The static clauses of a predicate that is defined by one file, which is another one than that of the text.
    pub(super) fn text_elsewhere(&self, machine: &Machine, id: PredicateId) -> Option<(Atom, Vec<Record>)> {
        let predicate = machine.predicate_at(id);
        let own = self.file.map(|file| machine.loading.files[file].path);
        let Place { file, .. } = predicate.place.filter(|place| Some(place.file) != own)?;
        let clauses = machine.loading.texts.get(&id).filter(|_| predicate.kind == Kind::Static)?;
        Some((file, clauses.clone()))
    }

    /// Makes such clauses those of a predicate that is dynamic now. They stay those of their files.
    pub(super) fn add_from_elsewhere(
        &mut self,
        machine: &mut Machine,
        id: PredicateId,
        elsewhere: Vec<(Atom, Vec<Record>)>,
    ) {
        for (path, clauses) in elsewhere {
            let file = machine.loading.file(path);
            for clause in clauses {
                let clause = clause.restore(&mut machine.store);
                let clause = match machine.store.match_structure::<2>(clause, atom::NECK) {
                    Some(_) => clause,
                    None => machine.store.compound(atom::NECK, &[clause, Cell::atom(atom::TRUE)]),
                };
                if let (Ok(added), Some(file)) = (machine.add_clause(id, clause, false), file) {
                    machine.loading.files[file].clauses.push(added);
                    machine.keep_clause_id(added);
                }
            }
        }
    }

    fn dynamic_clause(
        &mut self,
        machine: &mut Machine,
        id: PredicateId,
        head: Cell,
        body: Option<Cell>,
        read: &ReadTerm,
    ) {
        let span = read.span;
        let body = body.unwrap_or(Cell::atom(atom::TRUE));
        let clause = machine.store.compound(atom::NECK, &[head, body]);
        match machine.add_clause(id, clause, false) {
            Ok(_) => {
                if let (Some(file), Some((_, last))) = (self.file, machine.predicate_at(id).clauses) {
                    machine.loading.files[file].clauses.push(last);
                    machine.keep_clause_id(last);
                    if let Some(names) = source_names(&machine.store, clause, &read.variables) {
                        machine.loading.clause_names.insert(last, names);
                    }
                    let path = machine.loading.files[file].path;
                    let line = self.source.line(span.start);
                    machine.predicate_mut(id).place.get_or_insert(Place { file: path, line });
                }
            }
            Err(_) => {
                let diagnostic = Diagnostic::error("the clause cannot be compiled", span)
                    .help("every goal must be an atom, a compound term or a variable");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Somebody else's predicate cannot be defined.
    pub(super) fn denied(&mut self, machine: &Machine, denied: Denied, name: Atom, arity: usize, span: Span) {
        let indicator = format!("{}/{arity}", machine.atoms.text(name));
        let message = match denied {
            Denied::Imported(module) => {
                format!("`{indicator}` is imported from `{}`", machine.atoms.text(module))
            }
            Denied::Protected | Denied::Defined => format!("`{indicator}` is built in"),
        };
        // A text that stands for Ciao's engine says there what is built in here.
        let diagnostic = if denied == Denied::Protected && self.redefines_everything() {
            Diagnostic::warning(message, span).label("a clause for it, which has no effect")
        } else {
            Diagnostic::error(message, span).label("a clause for it").help("choose another name")
        };
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn warn_of_singletons(&mut self, read: &ReadTerm) {
        if self.library || !self.warn_singletons {
            return;
        }
        let names: Vec<&str> = read
            .variables
            .iter()
            .filter(|(name, _, count)| *count == 1 && !name.starts_with('_'))
            .map(|(name, ..)| name.as_str())
            .collect();
        if !names.is_empty() {
            let plural = if names.len() == 1 { "variable occurs" } else { "variables occur" };
            let shown = names.len().min(MOST_NAMED);
            let mut message = format!("{plural} only once: {}", names[..shown].join(", "));
            if shown < names.len() {
                message.push_str(&format!(" and {} more", names.len() - shown));
            }
            // The clause's first line says which one.
            let text = self.source.text.get(read.span.start..read.span.end).unwrap_or_default();
            let first = text.find('\n').unwrap_or(text.len());
            let diagnostic =
                Diagnostic::warning(message, Span::new(read.span.start, read.span.start + first))
                    .help("write `_` if no other occurrence is meant");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Clauses of one predicate belong together: one that stands apart is often a slip. The text calls the predicate by
    /// another name than that of its clauses where these are called through a clause of their own.
    fn warn_of_scattering(&mut self, machine: &Machine, (id, said): (PredicateId, PredicateId), span: Span) {
        let previous = self.previous.replace(id);
        if previous == Some(id) || !self.warn_discontiguous {
            return;
        }
        let Some(&position) = self.positions.get(&id) else { return };
        let predicate = machine.predicate_at(said);
        if predicate.discontiguous || predicate.multifile || !self.scattered.insert(id) {
            return;
        }
        let pending = &self.predicates[position];
        let Some(last) = pending.spans.last() else { return };
        let indicator = show_indicator(machine, said);
        let message = format!(
            "clauses of `{indicator}` do not stand together: others end on line {}",
            pending.source.line(last.end.saturating_sub(1))
        );
        let help = format!("if that is meant: `:- discontiguous {indicator}.`");
        self.diagnostics.push(Diagnostic::warning(message, span).help(help));
    }

    /// The clause that a rule `Head, Guard => Body` stands for: its head is matched without binding anything in
    /// the call. `None` if the term is no rule.
    fn matching_rule(
        &mut self,
        machine: &mut Machine,
        rule: Cell,
        read: &ReadTerm,
    ) -> Option<Result<Cell, ()>> {
        machine.rule_head(rule).filter(|head| head.tag() != crate::term::Tag::Ref)?;
        let name = machine.atoms.intern("$matching_rule");
        let result = machine.store.variable();
        let goal = machine.store.compound(name, &[rule, result]);
        let goal = machine.qualified(atom::SYSTEM, goal);
        if let RunOutcome::Succeeded = machine.run(goal) {
            return Some(Ok(machine.store.deref(result)));
        }
        self.error("a rule needs an atom or a compound term as its head", read.span);
        Some(Err(()))
    }

    pub(super) fn grammar_rule(
        &mut self,
        machine: &mut Machine,
        rule: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        let translate = machine.atoms.intern("dcg_translate_rule");
        let result = machine.store.variable();
        let goal = machine.store.compound(translate, &[rule, result]);
        match machine.run(goal) {
            RunOutcome::Succeeded => {
                let clause = machine.store.deref(result);
                self.clause(machine, clause, read);
            }
            RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
            RunOutcome::Failed | RunOutcome::Threw(_) => self.error("this is no grammar rule", read.span),
        }
        Ok(())
    }
}
