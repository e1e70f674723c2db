//! Loading programs: reading, declarations, compilation, contracts, directives.

mod declarations;

use self::declarations::Declarations;
use crate::assertions::parse;
use crate::base::{Diagnostic, Source, Span};
use crate::compile::{CompileError, compile_predicate};
use crate::machine::{Denied, Kind, Machine, Meta, PredicateId, RunOutcome};
use crate::read::{Parser, ReadTerm};
use crate::term::{Atom, Cell, Record, Tag, atom};
use rustc_hash::FxHashMap;

/// Why a program cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The program asked to end while it was loaded.
    #[error("the program ended with halt({0}) while it was loaded")]
    Halted(i32),
}

/// The clauses of one predicate as they are read.
struct Pending {
    id: PredicateId,
    clauses: Vec<Cell>,
    spans: Vec<Span>,
    dirty: bool,
}

/// Loads one source text into a machine.
pub struct Loader {
    /// The text.
    pub source: Source,
    /// What was wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Directives that failed or threw: where, and the ball if there was one.
    pub failed_directives: Vec<(Span, Option<Record>)>,
    /// Goals to run when everything is loaded.
    pub initialization: Vec<Record>,
    /// Predicates with contracts, by their number there.
    pub contracts: Vec<(PredicateId, u32)>,
    library: bool,
    checks: bool,
    predicates: Vec<Pending>,
    positions: FxHashMap<PredicateId, usize>,
    declarations: Declarations,
}

impl Loader {
    /// A loader for a user's program. With `checks` off, assertions are read and judged but not compiled.
    #[must_use]
    pub fn new(source: Source, checks: bool) -> Self {
        Self {
            source,
            diagnostics: Vec::new(),
            failed_directives: Vec::new(),
            initialization: Vec::new(),
            contracts: Vec::new(),
            library: false,
            checks,
            predicates: Vec::new(),
            positions: FxHashMap::default(),
            declarations: Declarations::default(),
        }
    }

    /// A loader for the engine's own library.
    #[must_use]
    pub fn library(source: Source) -> Self {
        Self { library: true, ..Self::new(source, false) }
    }

    /// Reads and compiles the text and runs its directives.
    ///
    /// # Errors
    /// The program asked to end. Everything else is in [`Loader::diagnostics`].
    pub fn load(&mut self, machine: &mut Machine) -> Result<(), LoadError> {
        let text = self.source.text.clone();
        let mut parser = Parser::new(&text, 0, machine.flags);
        loop {
            parser.flags = machine.flags;
            match parser.read(&mut machine.store, &mut machine.atoms, &machine.operators) {
                Ok(None) => break,
                Ok(Some(read)) => self.term(machine, &read)?,
                Err(error) => {
                    let diagnostic = Diagnostic::error("syntax error", error.span).label(error.message);
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        self.compile(machine);
        if !self.library {
            self.define_regtypes(machine);
            self.install_contracts(machine);
        }
        Ok(())
    }

    fn lines(&self, span: Span) -> (usize, usize) {
        (self.source.line(span.start), self.source.line(span.end.saturating_sub(1)))
    }

    fn term(&mut self, machine: &mut Machine, read: &ReadTerm) -> Result<(), LoadError> {
        let term = machine.store.deref(read.term);
        if let Some([directive]) = machine.store.match_structure::<1>(term, atom::NECK) {
            return self.directive(machine, directive, read);
        }
        if let Some([directive]) = machine.store.match_structure::<1>(term, atom::QUERY) {
            return self.directive(machine, directive, read);
        }
        if machine.store.match_structure::<2>(term, atom::DCG_ARROW).is_some() {
            return self.grammar_rule(machine, term, read);
        }
        self.clause(machine, term, read);
        Ok(())
    }

    fn clause(&mut self, machine: &mut Machine, clause: Cell, read: &ReadTerm) {
        self.warn_of_singletons(read);
        let head = match machine.store.match_structure::<2>(clause, atom::NECK) {
            Some([head, _]) => head,
            None => clause,
        };
        let Some((name, arity)) = machine.store.functor(head) else {
            let diagnostic =
                Diagnostic::error("a clause needs an atom or a compound term as its head", read.span);
            self.diagnostics.push(diagnostic);
            return;
        };
        let id = match machine.own_predicate(machine.source_module, name, arity) {
            Ok(id) => id,
            Err(denied) => return self.denied(machine, denied, name, arity, read.span),
        };
        if machine.predicate_at(id).kind == Kind::Dynamic {
            let Some(clause) = self.as_rule(machine, clause) else { return };
            if machine.add_clause(id, clause, false).is_err() {
                self.diagnostics.push(Diagnostic::error("the clause cannot be compiled", read.span));
            }
            return;
        }
        let position = *self.positions.entry(id).or_insert_with(|| {
            self.predicates.push(Pending { id, clauses: Vec::new(), spans: Vec::new(), dirty: true });
            self.predicates.len() - 1
        });
        let pending = &mut self.predicates[position];
        pending.clauses.push(clause);
        pending.spans.push(read.span);
        pending.dirty = true;
    }

    /// Somebody else's predicate cannot be defined.
    fn denied(&mut self, machine: &Machine, denied: Denied, name: Atom, arity: usize, span: Span) {
        let indicator = format!("{}/{arity}", machine.atoms.text(name));
        let message = match denied {
            Denied::Imported(module) => {
                format!("`{indicator}` is imported from `{}`", machine.atoms.text(module))
            }
            Denied::Protected | Denied::Defined => format!("`{indicator}` is built in"),
        };
        let diagnostic =
            Diagnostic::error(message, span).label("a clause for it").help("choose another name");
        self.diagnostics.push(diagnostic);
    }

    fn as_rule(&self, machine: &mut Machine, clause: Cell) -> Option<Cell> {
        if machine.store.match_structure::<2>(clause, atom::NECK).is_some() {
            return Some(clause);
        }
        Some(machine.store.compound(atom::NECK, &[clause, Cell::atom(atom::TRUE)]))
    }

    fn warn_of_singletons(&mut self, read: &ReadTerm) {
        if self.library {
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
            let message = format!("{plural} only once: {}", names.join(", "));
            let diagnostic =
                Diagnostic::warning(message, read.span).help("write `_` if no other occurrence is meant");
            self.diagnostics.push(diagnostic);
        }
    }

    fn grammar_rule(&mut self, machine: &mut Machine, rule: Cell, read: &ReadTerm) -> Result<(), LoadError> {
        let translate = machine.atoms.intern("dcg_translate_rule");
        let result = machine.store.variable();
        let goal = machine.store.compound(translate, &[rule, result]);
        match machine.run(goal) {
            RunOutcome::Succeeded => {
                let clause = machine.store.deref(result);
                self.clause(machine, clause, read);
            }
            RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
            RunOutcome::Failed | RunOutcome::Threw(_) => {
                self.diagnostics.push(Diagnostic::error("this is no grammar rule", read.span));
            }
        }
        Ok(())
    }

    fn directive(
        &mut self,
        machine: &mut Machine,
        directive: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        if let Some(declaration) = parse(&mut machine.store, &mut machine.atoms, directive) {
            match declaration {
                Ok(declaration) => self.declaration(machine, declaration, read),
                Err(reason) => {
                    self.diagnostics.push(Diagnostic::error("ill-formed assertion", read.span).label(reason));
                }
            }
            return Ok(());
        }
        if let Some((name, arity)) = machine.store.functor(directive) {
            match (machine.atoms.text(name), arity) {
                ("initialization", 1 | 2) => {
                    let goal = machine.store.argument(directive, 0);
                    self.initialization.push(Record::new(&machine.store, goal));
                    return Ok(());
                }
                // Everything is one module so far, and all libraries are there.
                ("module" | "use_module", 1..=3) | ("use_package", 1) | ("ensure_loaded", 1) => return Ok(()),
                ("data", 1) => {
                    let dynamic = machine.atoms.intern("dynamic");
                    let argument = machine.store.argument(directive, 0);
                    let goal = machine.store.compound(dynamic, &[argument]);
                    return self.run_directive(machine, goal, read.span);
                }
                ("meta_predicate", 1) => {
                    let heads = machine.store.argument(directive, 0);
                    self.meta_predicates(machine, heads, read.span);
                    return Ok(());
                }
                ("multifile" | "discontiguous", 1) => return Ok(()),
                _ => {}
            }
        }
        self.run_directive(machine, directive, read.span)
    }

    /// `p(0, ?, :), ...`, perhaps as a list.
    fn meta_predicates(&mut self, machine: &mut Machine, heads: Cell, span: Span) {
        let mut pending = vec![heads];
        while let Some(head) = pending.pop() {
            let head = machine.store.deref(head);
            if let Some([first, rest]) = machine
                .store
                .match_structure::<2>(head, atom::COMMA)
                .or_else(|| machine.store.match_structure::<2>(head, atom::DOT))
                // The head `','(0, 0)` is a term of the same shape.
                .filter(|[first, _]| machine.store.arguments(*first).1 > 0)
            {
                pending.extend([rest, first]);
                continue;
            }
            if head == Cell::atom(atom::NIL) {
                continue;
            }
            let (module, head) = machine.strip_module(machine.source_module, head);
            let Some((name, arity)) = machine.store.functor(head) else {
                let message = "`meta_predicate` needs heads such as `p(0, ?)`";
                self.diagnostics.push(Diagnostic::error(message, span));
                continue;
            };
            let meta = (0..arity).map(|i| meta(machine, machine.store.argument(head, i))).collect();
            match machine.own_predicate(module, name, arity) {
                Ok(id) => machine.set_meta(id, meta),
                Err(denied) => self.denied(machine, denied, name, arity, span),
            }
        }
    }

    fn run_directive(&mut self, machine: &mut Machine, goal: Cell, span: Span) -> Result<(), LoadError> {
        self.compile(machine);
        match machine.run(goal) {
            RunOutcome::Succeeded => Ok(()),
            RunOutcome::Halted(code) => Err(LoadError::Halted(code)),
            RunOutcome::Failed => {
                self.failed_directives.push((span, None));
                Ok(())
            }
            RunOutcome::Threw(ball) => {
                self.failed_directives.push((span, Some(ball)));
                Ok(())
            }
        }
    }

    /// Compiles the predicates that have new clauses.
    fn compile(&mut self, machine: &mut Machine) {
        let kind = if self.library { Kind::Library } else { Kind::Static };
        for pending in &mut self.predicates {
            if !std::mem::replace(&mut pending.dirty, false) {
                continue;
            }
            match compile_predicate(machine, &pending.clauses) {
                Ok(address) => machine.define(pending.id, kind, address),
                Err(error) => {
                    let span = pending.spans.first().copied().unwrap_or_default();
                    let help = match error {
                        CompileError::TooLarge => "split the clause",
                        _ => "every goal must be an atom, a compound term or a variable",
                    };
                    let name = machine.atoms.text(machine.predicate_at(pending.id).name);
                    let message = format!("`{name}` cannot be compiled: {error}");
                    self.diagnostics.push(Diagnostic::error(message, span).help(help));
                }
            }
        }
    }
}

/// What a term in a `meta_predicate` declaration says of an argument; Ciao's names are known as well.
fn meta(machine: &Machine, term: Cell) -> Meta {
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
            ("clause" | "fact" | "spec", 0) | ("list", 1) => Meta::Module,
            _ => Meta::Plain(name),
        },
        None => Meta::Plain(atom::QUESTION),
    }
}

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("consult", 1, |m| {
        let file = m.argument(0);
        if file.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, file);
        }
        m.permission_error("load", "source_file", file)
    });
}
