//! Directives: what the loader does itself, and what it runs as a goal.

use super::files::{self, Spec};
use super::{LoadError, Loader, Mode, show};
use crate::base::{Diagnostic, Source, Span};
use crate::machine::{Goal, Machine, Meta};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, Tag, atom};
use std::rc::Rc;

/// A part of the text between `:- if` and `:- endif`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    state: ConditionState,
    /// Where it begins.
    span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConditionState {
    /// The part counts.
    Active,
    /// No part counted yet.
    Waiting,
    /// A part counted already, or the whole lies in a part that does not.
    Done,
}

/// When goals of `initialization/2` are run that packages add to a text, as a term is shown.
const PREPARATION: &str = "'$preparation'";

/// `name/arity` of a directive, and its arguments.
type Shape = (String, Vec<Cell>);

impl Loader {
    /// Whether what is read now counts.
    pub(super) fn is_active(&self) -> bool {
        self.conditions.iter().all(|condition| condition.state == ConditionState::Active)
    }

    fn shape(&self, machine: &Machine, directive: Cell) -> Option<Shape> {
        let (name, arity) = machine.store.functor(directive)?;
        let arguments = (0..arity).map(|i| machine.store.argument(directive, i)).collect();
        Some((machine.atoms.text(name).to_owned(), arguments))
    }

    /// Directives that are obeyed in parts that do not count, too: the ends of such parts.
    pub(super) fn block(
        &mut self,
        machine: &mut Machine,
        directive: Cell,
        read: &ReadTerm,
    ) -> Option<Result<(), LoadError>> {
        let (name, arguments) = self.shape(machine, directive)?;
        match (name.as_str(), arguments.as_slice()) {
            ("if", &[goal]) => {
                let state = if self.is_active() {
                    match self.holds(machine, goal, read.span) {
                        Ok(true) => ConditionState::Active,
                        Ok(false) => ConditionState::Waiting,
                        Err(error) => return Some(Err(error)),
                    }
                } else {
                    ConditionState::Done
                };
                self.conditions.push(Condition { state, span: read.span });
            }
            ("elif" | "elseif", &[goal]) => {
                let Some(mut condition) = self.open_condition(read.span) else { return Some(Ok(())) };
                condition.state = match condition.state {
                    ConditionState::Waiting => match self.holds(machine, goal, read.span) {
                        Ok(true) => ConditionState::Active,
                        Ok(false) => ConditionState::Waiting,
                        Err(error) => return Some(Err(error)),
                    },
                    ConditionState::Active | ConditionState::Done => ConditionState::Done,
                };
                self.conditions.push(condition);
            }
            ("else", &[]) => {
                let Some(mut condition) = self.open_condition(read.span) else { return Some(Ok(())) };
                condition.state = match condition.state {
                    ConditionState::Waiting => ConditionState::Active,
                    ConditionState::Active | ConditionState::Done => ConditionState::Done,
                };
                self.conditions.push(condition);
            }
            ("endif", &[]) => {
                self.open_condition(read.span);
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    fn open_condition(&mut self, span: Span) -> Option<Condition> {
        let condition = self.conditions.pop();
        if condition.is_none() {
            self.error("there is no `:- if` that this belongs to", span);
        }
        condition
    }

    fn holds(&mut self, machine: &mut Machine, goal: Cell, span: Span) -> Result<bool, LoadError> {
        Ok(self.run_goal(machine, goal, span)? == Some(true))
    }

    /// Tells of parts that the text does not end.
    pub(super) fn close_blocks(&mut self, machine: &mut Machine) {
        for condition in std::mem::take(&mut self.conditions) {
            self.error("`:- if` without `:- endif`", condition.span);
        }
        if let Some(block) = self.leave_tests(machine) {
            self.error("`:- begin_tests` without `:- end_tests`", block.span);
        }
    }

    /// The parts of a conjunction of which each declares something: no goal could do that.
    fn conjoined_declarations(&self, machine: &Machine, directive: Cell) -> Option<Vec<Cell>> {
        const DECLARATIONS: [&str; 9] = [
            "dynamic",
            "discontiguous",
            "multifile",
            "thread_local",
            "table",
            "use_module",
            "meta_predicate",
            "module_transparent",
            "set_prolog_flag",
        ];
        let mut parts = Vec::new();
        let mut rest = directive;
        while let Some([first, others]) = machine.store.match_structure::<2>(rest, atom::COMMA) {
            parts.push(first);
            rest = others;
        }
        parts.push(rest);
        let declares = |&part: &Cell| {
            let shape = self.shape(machine, part);
            shape.is_some_and(|(name, arguments)| {
                DECLARATIONS.contains(&name.as_str()) && !arguments.is_empty()
            })
        };
        (parts.len() > 1 && parts.iter().all(declares)).then_some(parts)
    }

    /// Obeys a directive. Returns whether something keeps a part of it.
    pub(super) fn directive(
        &mut self,
        machine: &mut Machine,
        directive: Cell,
        read: &ReadTerm,
        at_start: bool,
    ) -> Result<bool, LoadError> {
        let span = read.span;
        if let Some(outcome) = self.functional_property(machine, directive, read) {
            return outcome;
        }
        if self.declare(machine, directive, read) {
            return Ok(true);
        }
        let Some((name, arguments)) = self.shape(machine, directive) else {
            self.error("a directive must be a goal", span);
            return Ok(false);
        };
        if let Some(declarations) = self.conjoined_declarations(machine, directive) {
            let mut kept = false;
            for declaration in declarations {
                kept |= self.directive(machine, declaration, read, false)?;
            }
            return Ok(kept);
        }
        match (name.as_str(), arguments.as_slice()) {
            ("module", &[name, exports]) => {
                let packages = Cell::atom(atom::NIL);
                self.begin_module(machine, name, exports, packages, span, at_start)?;
            }
            ("module", &[name, exports, packages]) => {
                // Ciao's modules come before its built-in predicates.
                self.is_ciao_module();
                self.begin_module(machine, name, exports, packages, span, at_start)?;
                self.print_as_in_ciao(machine, span);
            }
            // O'Ciao's.
            ("class" | "interface", &[module, ref rest @ ..])
                if at_start && module.tag() == Tag::Atm && rest.len() <= 2 =>
            {
                self.is_ciao_module();
                let nil = Cell::atom(atom::NIL);
                let exports = rest.first().copied().unwrap_or(nil);
                let first = Cell::atom(machine.atoms.intern(&name));
                let packages = machine.store.list(&[first], rest.get(1).copied().unwrap_or(nil));
                self.begin_module(machine, module, exports, packages, span, at_start)?;
            }
            ("use_package", &[packages]) => {
                self.use_packages(machine, packages, span)?;
                self.print_as_in_ciao(machine, span);
            }
            ("fun_return", &[head]) => self.fun_return(machine, head, span),
            ("fun_eval", &[functions]) => self.fun_eval(machine, functions, span),
            ("function", &[functions]) if self.functional.is_some() => self.fun_eval(machine, functions, span),
            ("export", &[exports]) => self.export(machine, exports, span),
            ("use_module" | "autoload", &[files]) => self.use_modules(machine, files, None, false, span)?,
            ("use_module", &[file, imports]) => {
                self.use_modules(machine, file, Some(imports), false, span)?;
            }
            ("autoload", &[file, imports]) => {
                let outer = std::mem::replace(&mut self.imports_what_is_missing, true);
                let result = self.use_modules(machine, file, Some(imports), false, span);
                self.imports_what_is_missing = outer;
                result?;
            }
            ("reexport", &[files]) => self.use_modules(machine, files, None, true, span)?,
            ("reexport", &[file, imports]) => self.use_modules(machine, file, Some(imports), true, span)?,
            ("import", &[module, imports]) => self.import_from(machine, module, imports, span),
            ("ensure_loaded", &[files]) => self.load_others(machine, files, Mode::Ensure, span)?,
            ("consult" | "load_files", &[files]) | ("load_files", &[files, _]) => {
                self.load_others(machine, files, Mode::Consult, span)?;
            }
            (".", _) if arguments.len() == 2 => {
                self.load_others(machine, directive, Mode::Consult, span)?;
            }
            ("include", &[file]) => return self.include(machine, file, span).map(|()| true),
            ("initialization", &[goal]) => self.initialization(machine, goal, None, span)?,
            ("initialization", &[goal, when]) => self.initialization(machine, goal, Some(when), span)?,
            ("dynamic" | "data" | "concurrent" | "thread_local", &[specs]) => {
                self.dynamic(machine, specs, span);
            }
            ("multifile" | "discontiguous", &[specs]) => {
                for (module, name_, arity) in self.indicators(machine, specs, span) {
                    let Some(id) = self.defined_predicate(machine, module, name_, arity, span) else {
                        continue;
                    };
                    if name == "multifile" {
                        self.multifile(machine, id);
                    } else {
                        machine.predicate_mut(id).discontiguous = true;
                    }
                }
            }
            ("redefining", &[specs]) => self.redefining(machine, specs, span),
            ("impl_defined", &[specs]) => self.impl_defined(machine, specs, span),
            ("use_foreign_library", &[_] | &[_, _]) => self.outside.uses_foreign_library(),
            ("new_declaration", &[specs] | &[specs, _]) => self.new_declaration(machine, specs, span),
            (name, _) if self.adds_declaration(machine, name, arguments.len()) => {}
            ("meta_predicate", &[heads]) => self.meta_predicates(machine, heads, read),
            ("load_compilation_module", &[files]) => {
                self.use_modules(machine, files, None, false, span)?;
            }
            ("add_sentence_trans" | "add_term_trans", &[spec, priority]) => {
                self.add_translation(machine, spec, priority, span);
            }
            ("add_goal_trans", &[spec, priority]) => {
                self.add_goal_translation(machine, spec, priority, span);
            }
            // Of Ciao's package `unittestdecls`.
            ("load_test_module", &[files]) => self.use_modules(machine, files, None, false, span)?,
            ("load_test_module", &[file, imports]) => {
                self.use_modules(machine, file, Some(imports), false, span)?;
            }
            ("load_test_package", &[packages]) => self.use_packages(machine, packages, span)?,
            ("begin_tests", &[unit]) => self.begin_tests(machine, unit, Cell::atom(atom::NIL), span),
            ("begin_tests", &[unit, options]) => self.begin_tests(machine, unit, options, span),
            ("end_tests", &[unit]) => self.end_tests(machine, unit, span),
            ("table", &[specs]) => self.table(machine, specs, read)?,
            ("module_transparent", &[specs]) => self.module_transparent(machine, specs, read),
            ("det", &[specs]) => self.det(machine, specs, read)?,
            ("block", &[heads]) => self.suspend(machine, heads, read)?,
            ("style_check", &[style]) => self.style(machine, style),
            ("set_prolog_flag", &[flag, value])
                if self.set_own_flag(machine, flag, value) => {}
            ("encoding", &[encoding]) => {
                // It stands in front of everything else, `:- module` too.
                self.at_start = at_start;
                let text = show(machine, encoding).to_lowercase();
                if !["utf8", "'utf-8'", "ascii", "us_ascii"].contains(&text.as_str()) {
                    self.warning("texts are read as UTF-8", span);
                }
            }
            ("thread_initialization", &[goal]) => self.run_directive(machine, goal, span)?,
            // What other systems want to know and this one need not.
            (
                "public"
                | "mode"
                | "volatile"
                | "index"
                | "license"
                | "set_module"
                | "noprofile"
                | "doc"
                | "comment"
                | "ensure_linked"
                | "create_prolog_flag"
                | "predicate_options"
                // Of Ciao's packages, and of compilation that is none here.
                | "package"
                | "attribute"
                | "active_tclp"
                | "primitive_meta_predicate"
                | "inline"
                | "unfold"
                | "cost_center"
                | "no_cost_center"
                | "resource"
                | "head_cost"
                | "literal_cost"
                | "add_clause_trans"
                | "on_abort"
                | "push_prolog_flag"
                | "pop_prolog_flag"
                | "function"
                | "bundle"
                | "use_foreign_source"
                | "extra_compiler_opts"
                | "extra_linker_opts"
                | "use_compiler"
                | "use_linker"
                | "$props"
                | "$context"
                | "$trust_exports"
                | "$native_include_c_source"
                | "$native_include_c_header",
                _,
            ) if machine
                .find_predicate(
                    machine.store.functor(directive).map_or(atom::NIL, |(name, _)| name),
                    arguments.len(),
                )
                .is_none() => {}
            // What operations cost if nothing else is said: for analysers.
            ("+", &[default, _])
                if default.tag() == Tag::Atm && machine.atoms.text(default.as_atom()) == "trust_default" => {}
            (name, _) if self.may_be_of_package(machine, directive) => {
                let message = format!("the directive `{name}/{}` is not known", arguments.len());
                let help = "a package that is not there may have it";
                self.diagnostics.push(Diagnostic::warning(message, span).help(help));
            }
            _ => self.run_directive(machine, directive, span)?,
        }
        Ok(false)
    }

    fn initialization(
        &mut self,
        machine: &mut Machine,
        goal: Cell,
        when: Option<Cell>,
        span: Span,
    ) -> Result<(), LoadError> {
        let when = when.map_or_else(String::new, |when| show(machine, when));
        if when == "now" {
            return self.run_directive(machine, goal, span);
        }
        let (module, inner) = machine.strip_module(machine.source_module, goal);
        if machine.store.functor(inner).is_none() {
            self.error("`initialization` needs a goal", span);
            return Ok(());
        }
        let qualified = if module == atom::USER { inner } else { machine.qualified(module, inner) };
        let goal = self.goal(machine, qualified, span);
        match when.as_str() {
            "main" => machine.loading.main = Some(goal),
            // What a package adds to a text says nothing about how the program starts.
            PREPARATION => self.initialization.push(Goal { prepares: true, ..goal }),
            "" | "after_load" | "program" | "restore" | "restore_state" => self.initialization.push(goal),
            // There are no saved states.
            "prepare_state" => {}
            _ => {
                self.error("`initialization/2` knows now, after_load, restore_state, program and main", span);
            }
        }
        Ok(())
    }

    fn style(&mut self, machine: &Machine, style: Cell) {
        for (sign, on) in [(atom::PLUS, true), (atom::MINUS, false)] {
            if let Some([what]) = machine.store.match_structure::<1>(style, sign) {
                match show(machine, what).as_str() {
                    "singleton" => self.warn_singletons = on,
                    "discontiguous" => self.warn_discontiguous = on,
                    _ => {}
                }
            }
        }
    }

    /// `p/1, q//2` or a list of such, each perhaps with a module.
    pub(super) fn indicators(
        &mut self,
        machine: &Machine,
        specs: Cell,
        span: Span,
    ) -> Vec<(Atom, Atom, usize)> {
        let mut found = Vec::new();
        for (module, spec) in items(machine, machine.source_module, specs) {
            match indicator(machine, spec) {
                Some((name, arity)) => found.push((module, name, arity)),
                None => {
                    let message = format!("expected Name/Arity, found `{}`", show(machine, spec));
                    self.error(message, span);
                }
            }
        }
        found
    }

    /// `p(0, ?, :), ...`, perhaps as a list.
    fn meta_predicates(&mut self, machine: &mut Machine, heads: Cell, read: &ReadTerm) {
        // The head `','(0, 0)` is a term of the same shape as a list of heads.
        for (module, head) in items(machine, machine.source_module, heads) {
            let Some((name, arity)) = machine.store.functor(head) else {
                self.error("`meta_predicate` needs heads such as `p(0, ?)`", read.span);
                continue;
            };
            let arguments: Vec<Cell> = (0..arity).map(|i| machine.store.argument(head, i)).collect();
            let arguments = self.pass_modules(machine, (module, name), &arguments, read);
            let meta = arguments.iter().map(|&argument| meta(machine, argument)).collect();
            match machine.own_predicate(module, name, arity) {
                Ok(id) => machine.set_meta(id, meta),
                Err(denied) => self.denied(machine, denied, name, arity, read.span),
            }
        }
    }

    /// Reads another file as a part of this text.
    pub(super) fn include(&mut self, machine: &mut Machine, file: Cell, span: Span) -> Result<(), LoadError> {
        let Some(spec) = files::spec(machine, file) else {
            self.error("expected the name of a file", span);
            return Ok(());
        };
        if self.included >= 32 {
            self.error("files include each other without end", span);
            return Ok(());
        }
        let (path, text) = match files::text(machine, &spec) {
            Ok(text) => text,
            Err(error) => {
                self.cannot_load(&error, span);
                return Ok(());
            }
        };
        self.flush(machine);
        let outer = std::mem::replace(&mut self.source, Rc::new(Source::new(path, text)));
        self.included += 1;
        let (conditions, tests) = (std::mem::take(&mut self.conditions), self.tests.take());
        let result = self.text(machine);
        self.close_blocks(machine);
        self.flush(machine);
        (self.conditions, self.tests) = (conditions, tests);
        self.ended = false;
        self.included -= 1;
        self.source = outer;
        result
    }

    /// Loads files, for `consult` and its like, and imports what they export.
    fn load_others(
        &mut self,
        machine: &mut Machine,
        files: Cell,
        mode: Mode,
        span: Span,
    ) -> Result<(), LoadError> {
        for (module, file) in items(machine, machine.source_module, files) {
            let Some(spec) = files::spec(machine, file) else {
                self.error("expected the name of a file", span);
                continue;
            };
            self.load_other(machine, &spec, module, None, mode, span)?;
        }
        Ok(())
    }

    /// Loads a file before the rest of this one. What went wrong inside it is told there.
    pub(super) fn load_other(
        &mut self,
        machine: &mut Machine,
        spec: &Spec,
        module: Atom,
        imports: Option<Cell>,
        mode: Mode,
        span: Span,
    ) -> Result<Option<files::Loaded>, LoadError> {
        self.compile(machine);
        self.flush(machine);
        match files::load(machine, spec, module, mode) {
            Ok(loaded) => {
                self.import_loaded(machine, loaded, spec, module, imports, span);
                Ok(Some(loaded))
            }
            Err(LoadError::Halted(code)) => Err(LoadError::Halted(code)),
            Err(error) => {
                self.cannot_load(&error, span);
                Ok(None)
            }
        }
    }

    fn cannot_load(&mut self, error: &LoadError, span: Span) {
        let diagnostic = match error {
            LoadError::Missing { name, tried } => Diagnostic::error(format!("cannot find {name}"), span)
                .help(format!("looked for {}", tried.join(", "))),
            LoadError::NoLibrary(name) => Diagnostic::warning(format!("there is no library {name}"), span)
                .help("predicates that only it has are unknown when they are called"),
            other => Diagnostic::error(other.to_string(), span),
        };
        self.diagnostics.push(diagnostic);
    }
}

/// The parts of a comma list, a list, or both, each with its module. A pair whose left side is no compound term is
/// a part itself.
pub(super) fn items(machine: &Machine, module: Atom, term: Cell) -> Vec<(Atom, Cell)> {
    let mut found = Vec::new();
    let mut pending = vec![(module, term)];
    while let Some((module, term)) = pending.pop() {
        let (module, term) = machine.strip_module(module, term);
        let pair = machine
            .store
            .match_structure::<2>(term, atom::COMMA)
            .filter(|[left, _]| left.tag() == Tag::Str)
            .or_else(|| machine.store.match_structure::<2>(term, atom::DOT));
        if let Some([left, right]) = pair {
            pending.extend([(module, right), (module, left)]);
        } else if term != Cell::atom(atom::NIL) {
            found.push((module, term));
        }
    }
    found
}

/// `Name/Arity` or `Name//Arity`.
pub(super) fn indicator(machine: &Machine, term: Cell) -> Option<(Atom, usize)> {
    for (slash, more) in [(atom::SLASH, 0), (atom::INT_DIVIDE, 2)] {
        if let Some([name, arity]) = machine.store.match_structure::<2>(term, slash) {
            let arity = (arity.tag() == Tag::Int).then(|| u16::try_from(arity.int_value()).ok())??;
            return (name.tag() == Tag::Atm).then(|| (name.as_atom(), usize::from(arity) + more));
        }
    }
    None
}

/// What a term in a `meta_predicate` declaration says of an argument; Ciao's names are known as well.
pub(super) fn meta(machine: &Machine, term: Cell) -> Meta {
    if term.tag() == Tag::Int {
        return u8::try_from(term.int_value()).map_or(Meta::Module, Meta::Goal);
    }
    match machine.store.functor(term) {
        Some((atom::COLON, 0)) => Meta::Module,
        Some((atom::CARET, 0)) => Meta::Exists,
        Some((atom::INT_DIVIDE, 0)) => Meta::Grammar,
        Some((name, arity)) => match (machine.atoms.text(name), arity) {
            ("goal", 0) => Meta::Goal(0),
            ("pred", 1) => meta(machine, machine.store.argument(term, 0)),
            ("clause" | "fact" | "spec", 0) => Meta::Module,
            ("list", 1) => match meta(machine, machine.store.argument(term, 0)) {
                Meta::Plain(_) => Meta::Plain(atom::QUESTION),
                _ => Meta::Each,
            },
            _ => Meta::Plain(name),
        },
        None => Meta::Plain(atom::QUESTION),
    }
}
