//! Ciao's translations of sentences: `:- add_sentence_trans(p/3, Priority)` hands each term of the text to a predicate
//! of a compilation module, in the order of the priorities, as `p(Term, Terms, Module)` or `p(Term, Terms)`. Where it
//! fails the term stays as it is. The end of the text is a term too. `:- add_goal_trans(p/3, Priority)` does so with goals.

use super::directives::indicator;
use super::{LoadError, Loader, show};
use crate::base::Span;
use crate::machine::{Machine, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, Tag, atom};

/// A translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Translation {
    priority: i64,
    /// Where the predicate is, if the text says so; else the text sees it.
    module: Option<Atom>,
    name: Atom,
    arity: usize,
}

impl Translation {
    /// Puts it behind those of its priority.
    fn enter(self, translations: &mut Vec<Self>) {
        let at = translations.partition_point(|other| other.priority <= self.priority);
        translations.insert(at, self);
    }
}

impl Loader {
    /// `:- add_sentence_trans(Name/Arity, Priority)`, perhaps `Module:Name/Arity`.
    pub(super) fn add_translation(&mut self, machine: &mut Machine, spec: Cell, priority: Cell, span: Span) {
        if let Some(translation) = self.translation(machine, spec, priority, span) {
            translation.enter(&mut self.translations);
        }
    }

    /// `:- add_goal_trans(Name/Arity, Priority)`.
    pub(super) fn add_goal_translation(
        &mut self,
        machine: &mut Machine,
        spec: Cell,
        priority: Cell,
        span: Span,
    ) {
        if let Some(translation) = self.translation(machine, spec, priority, span) {
            translation.enter(&mut self.goal_translations);
        }
    }

    fn translation(
        &mut self,
        machine: &mut Machine,
        spec: Cell,
        priority: Cell,
        span: Span,
    ) -> Option<Translation> {
        let (mut module, mut inner) = (None, spec);
        if let Some([home, named]) = machine.store.match_structure::<2>(spec, atom::COLON)
            && home.tag() == Tag::Atm
        {
            (module, inner) = (Some(home.as_atom()), named);
        }
        if let Some([named, arity]) = machine.store.match_structure::<2>(spec, atom::SLASH)
            && let Some([home, name]) = machine.store.match_structure::<2>(named, atom::COLON)
            && home.tag() == Tag::Atm
        {
            module = Some(home.as_atom());
            inner = machine.store.compound(atom::SLASH, &[name, arity]);
        }
        let known = indicator(machine, inner).filter(|&(_, arity)| matches!(arity, 2 | 3));
        let (Some((name, arity)), Tag::Int) = (known, priority.tag()) else {
            let text = show(machine, spec);
            self.warning(format!("expected Name/2 or Name/3 and a priority, found `{text}`"), span);
            return None;
        };
        Some(Translation { priority: priority.int_value(), module, name, arity })
    }

    /// Whether the text itself may define a translation of goals.
    pub(super) fn translates_goals_itself(&self, machine: &Machine) -> bool {
        let text = machine.source_module;
        self.goal_translations.iter().any(|translation| translation.module.is_none_or(|home| home == text))
    }

    /// The translations of goals that are there, as the library takes them:
    /// `'$translation'(Home, Name, Arity, Module)`.
    pub(super) fn goal_translations(&self, machine: &mut Machine) -> Vec<Cell> {
        let mut found = Vec::new();
        for &Translation { name, arity, module: home, .. } in &self.goal_translations {
            let home = home.unwrap_or(machine.source_module);
            if machine.find_predicate_in(home, name, arity).is_some() {
                let functor = machine.atoms.intern("$translation");
                let module = Cell::atom(machine.source_module);
                let arguments = [Cell::atom(home), Cell::atom(name), Cell::count(arity), module];
                found.push(machine.store.compound(functor, &arguments));
            }
        }
        found
    }

    /// A library of the engine's own whose `sentence/3` translates the terms of the text from here on, and whose
    /// `goal/3`, if it has one, the goals.
    pub(super) fn translate_by(&mut self, machine: &mut Machine, library: &str) {
        let module = Some(machine.atoms.intern(library));
        if self.translations.iter().any(|known| known.module == module) {
            return;
        }
        let name = machine.atoms.intern("sentence");
        self.translations.insert(0, Translation { priority: i64::MIN, module, name, arity: 3 });
        let name = machine.atoms.intern("goal");
        self.goal_translations.insert(0, Translation { priority: i64::MIN, module, name, arity: 3 });
    }

    /// What the translations make of a term; `None` if none wants it.
    pub(super) fn translate(
        &mut self,
        machine: &mut Machine,
        term: Cell,
        read: &ReadTerm,
    ) -> Result<Option<Cell>, LoadError> {
        let mut translated = None;
        for Translation { priority, name, arity, module: home } in self.translations.clone() {
            let module = machine.source_module;
            let home = home.unwrap_or(module);
            if home == module {
                // What this text defines itself translates what follows.
                self.compile(machine);
            }
            if machine.find_predicate_in(home, name, arity).is_none() {
                continue;
            }
            let result = machine.store.variable();
            let arguments = [translated.unwrap_or(term), result, Cell::atom(module)];
            let goal = machine.store.compound(name, &arguments[..arity]);
            let goal = machine.qualified(home, goal);
            match machine.run(goal) {
                RunOutcome::Succeeded => translated = Some(machine.store.deref(result)),
                RunOutcome::Failed => {}
                RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
                RunOutcome::Threw(ball) => {
                    self.threw(machine, goal, &ball, read.span);
                    if priority == i64::MIN {
                        // A term that a library of the engine's refuses means nothing without it.
                        return Ok(Some(Cell::atom(atom::NIL)));
                    }
                }
            }
        }
        Ok(translated)
    }

    /// Hands `end_of_file` to the program's expansions where nobody wrote it: what they collected from the text, they
    /// may give now.
    pub(super) fn end_of_text(&mut self, machine: &mut Machine) -> Result<(), LoadError> {
        if self.ended || self.library {
            return Ok(());
        }
        self.close_blocks(machine);
        let end = self.source.text.len();
        let scope = machine.begin_scope();
        let read = ReadTerm {
            term: Cell::atom(atom::END_OF_FILE),
            span: Span { start: end.saturating_sub(1), end },
            layout: None,
            variables: Vec::new(),
        };
        let expanded = match self.expand(machine, read.term, &read) {
            Ok(Some(terms)) => self.expanded(machine, terms, &read),
            Ok(None) => Ok(false),
            Err(error) => Err(error),
        };
        match expanded {
            Ok(true) => machine.keep_scope(scope),
            _ => {
                if let Some(code) = machine.end_scope(scope) {
                    return Err(LoadError::Halted(code));
                }
            }
        }
        expanded.map(|_| ())
    }
}
