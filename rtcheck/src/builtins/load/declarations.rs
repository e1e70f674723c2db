//! Assertions and regular types of a text: collected while it is read, put to work at its end.

use super::outside::is_foreign;
use super::{Loader, Pending};
use crate::assertions::{
    AssertionKind, Declaration, Declared, Modes, Normalized, Problem, keep, normalize, normalize_test, parse,
    restored,
};
use crate::base::{Diagnostic, Source, Span};
use crate::machine::{
    AssertionPlace, ClauseCode, Contract, KeptAssertion, Kind, Machine, PredicateId, UnitTest,
};
use crate::read::ReadTerm;
use crate::regtype::{Definition, NotRegular, TypeExpression};
use crate::term::{Atom, Cell, Record, atom};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The assertions of one predicate.
#[derive(Default)]
pub(super) struct Asserted {
    pub(super) assertions: Vec<Declared>,
    /// For each the number of the unit test that it is.
    tests: Vec<Option<usize>>,
    places: Vec<(Rc<Source>, Span)>,
}

/// What a text declares about its predicates.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) asserted: Vec<Asserted>,
    pub(super) positions: FxHashMap<PredicateId, usize>,
    pub(super) regtypes: Vec<(PredicateId, Rc<Source>, Span)>,
    /// Properties declared otherwise.
    pub(super) properties: Vec<PredicateId>,
    /// Types that are defined before the text has ended, and of how many clauses.
    pub(super) defined_so_far: FxHashMap<PredicateId, usize>,
    pub(super) modes: Modes,
}

impl Loader {
    /// Reads a declaration of the assertion language. False if the directive is none.
    pub(super) fn declare(&mut self, machine: &mut Machine, directive: Cell, read: &ReadTerm) -> bool {
        let modes = &mut self.declarations.modes;
        let Machine { store, atoms, modules, .. } = machine;
        let is_module = |name| modules.has(name);
        let Some(declaration) = parse(store, atoms, modes, &is_module, directive) else {
            return false;
        };
        match declaration {
            Ok(declaration) => self.declaration(machine, declaration, read),
            Err(reason) => {
                self.diagnostics.push(Diagnostic::error("ill-formed assertion", read.span).label(reason));
            }
        }
        true
    }

    fn declaration(&mut self, machine: &mut Machine, declaration: Declaration, read: &ReadTerm) {
        match declaration {
            Declaration::Ignored => {}
            Declaration::Property { module, name, arity, regtype } => {
                let id = machine.predicate_in(module.unwrap_or(machine.source_module), name, arity);
                machine.predicate_mut(id).property = true;
                if regtype {
                    self.declarations.regtypes.push((id, Rc::clone(&self.source), read.span));
                } else {
                    self.declarations.properties.push(id);
                }
            }
            Declaration::Assertion(assertion) => {
                let names: Vec<(Cell, Atom)> = read
                    .variables
                    .iter()
                    .map(|(name, variable, _)| (*variable, machine.atoms.intern(name)))
                    .collect();
                let of_head = (1..)
                    .zip(&assertion.head.arguments)
                    .map(|(i, argument)| {
                        let named = names.iter().find(|(variable, _)| variable == argument);
                        named.map_or_else(|| machine.atoms.intern(&format!("_{i}")), |&(_, name)| name)
                    })
                    .collect();
                let file = machine.atoms.intern(&self.source.name);
                let place = AssertionPlace { file, lines: self.lines(read.span), names: of_head };
                let module = machine.source_module;
                let declared = Declared { assertion, place, module, names, chosen: false };
                let is_test = matches!(declared.assertion.kind, AssertionKind::Test | AssertionKind::Texec);
                let test = is_test.then(|| keep_test(machine, &declared));
                let head = &declared.assertion.head;
                let module = head.module.unwrap_or(machine.source_module);
                let id = machine.predicate_in(module, head.name, head.arguments.len());
                self.so_far.say(id);
                let position = *self.declarations.positions.entry(id).or_insert_with(|| {
                    self.declarations.asserted.push(Asserted::default());
                    self.declarations.asserted.len() - 1
                });
                self.declarations.asserted[position].assertions.push(declared);
                self.declarations.asserted[position].tests.push(test);
                let place = (Rc::clone(&self.source), read.span);
                self.declarations.asserted[position].places.push(place);
            }
        }
    }

    /// Turns the clauses of properties into automata's definitions. What is no regular type will be called; of
    /// what is declared to be one the user is told.
    pub(super) fn define_regtypes(&mut self, machine: &mut Machine) {
        let declared: FxHashSet<PredicateId> =
            self.declarations.regtypes.iter().map(|&(id, ..)| id).collect();
        let order = self.types_of_text(machine, &declared);
        for (id, source, span) in std::mem::take(&mut self.declarations.regtypes) {
            let predicate = machine.predicate_at(id);
            if self.positions.contains_key(&id) {
                continue;
            }
            let (name, arity, predicate_module) = (predicate.name, predicate.arity, predicate.module);
            if predicate.kind == Kind::Dynamic && arity > 0 {
                let reason = NotRegular::new("its clauses may change while the program runs");
                let name = machine.types.claim(&mut machine.atoms, predicate_module, name, arity - 1);
                machine.types.define_irregular(name, arity - 1, 0, reason);
            } else if predicate.kind == Kind::Undefined {
                let message = format!("regular type `{}` has no clauses", machine.atoms.text(name));
                self.tell(machine, &source, Diagnostic::error(message, span));
            }
        }
        // All names first, since types name each other.
        for &(_, id) in &order {
            type_key(machine, id);
        }
        let so_far = &self.declarations.defined_so_far;
        let is_new = |&(position, id): &(usize, PredicateId)| {
            so_far.get(&id) != Some(&self.predicates[position].clauses.len())
        };
        if order.iter().any(is_new) {
            for &(position, id) in &order {
                define_type(machine, id, &self.predicates[position].clauses);
            }
        }
        for (_, id) in order {
            if declared.contains(&id) {
                self.warn_of_irregular(machine, id);
            }
        }
    }

    /// The predicates of the text that define types, with their positions and in their order.
    pub(super) fn types_of_text(
        &self,
        machine: &Machine,
        declared: &FxHashSet<PredicateId>,
    ) -> Vec<(usize, PredicateId)> {
        let mut order: Vec<(usize, PredicateId)> =
            self.positions.iter().map(|(&id, &position)| (position, id)).collect();
        order.sort_unstable();
        // A predicate that has the name of a library's type is what the program means by that name.
        order.retain(|&(_, id)| {
            let predicate = machine.predicate_at(id);
            let parameters = predicate.arity.wrapping_sub(1);
            declared.contains(&id)
                || self.declarations.properties.contains(&id)
                || machine.types.is_type(predicate.name, parameters)
        });
        order
    }

    /// Tells of a declared regular type that is none, and where.
    fn warn_of_irregular(&mut self, machine: &mut Machine, id: PredicateId) {
        let arity = machine.predicate_at(id).arity;
        let name = type_key(machine, id);
        // A parametric type is judged by its instances, where they are used; here as one of any terms.
        let any = TypeExpression::Applied(machine.atoms.intern("term"), Vec::new());
        let expression = TypeExpression::Applied(name, vec![any; arity.saturating_sub(1)]);
        let Err(reason) = machine.types.resolve(&machine.atoms, &expression) else { return };
        // What lies in a clause of another type is told there.
        let Some(place) = reason.place().filter(|place| (place.name, place.parameters + 1) == (name, arity))
        else {
            return;
        };
        let (source, span) = match self.positions.get(&id) {
            Some(&position) => {
                let Pending { source, spans, .. } = &self.predicates[position];
                (Rc::clone(source), spans.get(place.clause).copied())
            }
            None => (Rc::clone(&self.source), None),
        };
        let indicator = format!("{}/{arity}", machine.atoms.text(machine.predicate_at(id).name));
        let message = format!("`{indicator}` is not a regular type: it is checked by calling it");
        let diagnostic = Diagnostic::warning(message, span.unwrap_or_default()).label(reason.to_string());
        self.tell(machine, &source, diagnostic);
    }

    /// Notes where the code of a predicate's clauses, just compiled, came from. Some may be those of other files,
    /// of which nothing is known.
    pub(super) fn note_clauses(
        machine: &mut Machine,
        id: PredicateId,
        file: Atom,
        foreign: &[bool],
        lines: &[(usize, usize)],
    ) {
        let compiled = std::mem::take(&mut machine.compiled);
        let code: Vec<ClauseCode> = compiled
            .into_iter()
            .zip(lines)
            .zip(foreign)
            .filter(|(_, foreign)| !**foreign)
            .map(|(((start, end), &lines), _)| ClauseCode { start, end, predicate: id, file, lines })
            .collect();
        machine.add_clause_code(&code);
    }

    /// Builds the contracts and, with checks on, lets calls go through them.
    pub(super) fn install_contracts(&mut self, machine: &mut Machine) {
        let mut asserted: Vec<(PredicateId, usize)> =
            self.declarations.positions.iter().map(|(&id, &position)| (id, position)).collect();
        asserted.sort_by_key(|&(_, position)| position);
        if let Some(file) = self.file {
            let path = machine.loading.files[file].path;
            machine.loading.end_so_far(path);
        }
        let mut checked: FxHashMap<PredicateId, u32> = FxHashMap::default();
        let mut others = Vec::new();
        let module = machine.source_module;
        let first = machine.contracts.len() as u32;
        for (id, position) in asserted {
            // That of the text, or of one of its units of tests.
            machine.source_module = machine.predicate_at(id).module;
            let Asserted { assertions, tests, places } =
                std::mem::take(&mut self.declarations.asserted[position]);
            let predicate = machine.predicate_at(id);
            let (name, arity) = (predicate.name, predicate.arity);
            let indicator = format!("{}/{arity}", machine.atoms.text(name));
            let Some(origin) = machine.find_predicate_in(predicate.module, name, arity) else {
                if assertions.iter().any(|it| it.assertion.comp.iter().any(|&comp| is_foreign(machine, comp)))
                {
                    self.outside.add_predicate(name, arity);
                }
                if self.outside.has_predicate(name, arity) {
                    continue;
                }
                let help = match self.other_arities(machine, name) {
                    others if others.is_empty() => {
                        "define it, or correct its name or number of arguments".to_owned()
                    }
                    others => format!("there is {others}: correct the number of arguments, or define it"),
                };
                let message = format!("assertion on the unknown predicate `{indicator}`");
                let (source, span) = &places[0];
                // An entry point says how others would call, which costs nothing where nobody can.
                let is_entry = |declared: &Declared| declared.assertion.kind == AssertionKind::Entry;
                let diagnostic = if assertions.iter().all(is_entry) {
                    Diagnostic::warning(message, *span)
                } else {
                    Diagnostic::error(message, *span)
                };
                self.tell(machine, source, diagnostic.help(help));
                continue;
            };
            for ((declared, test), (source, span)) in assertions.iter().zip(tests).zip(&places) {
                let Some(test) = test else { continue };
                let (contract, problems) = normalize_test(machine, declared);
                for (_, problem) in problems {
                    let (Problem::Error(reason) | Problem::Note(reason)) = problem;
                    let message = format!("a test of `{indicator}` is not checked whole");
                    self.tell(machine, source, Diagnostic::warning(message, *span).label(reason));
                }
                if let Some(contract) = contract {
                    machine.loading.tests[test].contract = Some(machine.contracts.len() as u32);
                    machine.contracts.push(contract);
                }
            }
            let only_tests = assertions.iter().all(|declared| {
                matches!(declared.assertion.kind, AssertionKind::Test | AssertionKind::Texec)
            });
            if only_tests && !machine.rtchecks.test {
                continue;
            }
            let is_library = matches!(machine.predicate_at(id).kind, Kind::Library | Kind::Control);
            if origin != id || is_library {
                let (source, span) = &places[0];
                let module = machine.atoms.text(machine.predicate_at(origin).module);
                let message =
                    format!("`{indicator}` is a predicate of `{module}`: its calls are not checked");
                let diagnostic = Diagnostic::warning(message, *span).label("an assertion on it");
                self.tell(machine, source, diagnostic);
                continue;
            }
            if machine.predicate_at(id).passes_context() {
                let (source, span) = &places[0];
                let message =
                    format!("`{indicator}` knows the module of who calls it: its calls are not checked");
                let diagnostic = Diagnostic::warning(message, *span).label("an assertion on it");
                self.tell(machine, source, diagnostic);
                continue;
            }
            let (file, lines) = self.clauses_place(machine, id);
            let own: Vec<&Declared> = assertions
                .iter()
                .filter(|declared| declared.assertion.is_checked(machine.rtchecks))
                .collect();
            let kept: Vec<KeptAssertion> =
                own.into_iter().filter_map(|declared| keep(machine, declared)).collect();
            let replaces = !machine.predicate_at(id).multifile && self.positions.contains_key(&id);
            if self.checks && replaces && !kept.is_empty() {
                machine.loading.drop_replaced(id);
            }
            let mut all = asserted_before(machine, id);
            let before = all.len();
            all.extend(assertions);
            let mut normalized = normalize(machine, &all, file, lines);
            for (assertion, problem) in std::mem::take(&mut normalized.problems) {
                // Those of other texts were told when these were read.
                let own = assertion.checked_sub(before).and_then(|position| places.get(position));
                let Some((source, span)) = own else { continue };
                let message = format!("an assertion on `{indicator}` is not checked whole");
                let (Problem::Error(reason) | Problem::Note(reason)) = problem;
                self.tell(machine, source, Diagnostic::warning(message, *span).label(reason));
            }
            if !self.checks {
                if self.so_far.forget(id) {
                    drop_contracts(machine, id);
                }
                continue;
            }
            if let Some(file) = self.file {
                let path = machine.loading.files[file].path;
                machine.loading.keep_assertions(id, path, kept);
            }
            let outside = machine.loading.is_checked_outside(id);
            match self.install(machine, id, normalized, outside) {
                Some(number) => {
                    checked.insert(id, number);
                }
                None => others.push(id),
            }
        }
        self.check_again(machine);
        self.follow_types(machine, first);
        machine.source_module = module;
        self.spare_checks(machine, &checked, &others);
    }

    /// The file of a predicate's clauses, and their lines.
    pub(super) fn clauses_place(&self, machine: &mut Machine, id: PredicateId) -> (Atom, (usize, usize)) {
        if let Some(&position) = self.positions.get(&id) {
            let Pending { source, spans, .. } = &self.predicates[position];
            let first = spans.first().map_or(0, |span| source.line(span.start));
            let last = spans.last().map_or(0, |span| source.line(span.end.saturating_sub(1)));
            return (machine.atoms.intern(&source.name), (first, last));
        }
        let own_file = machine.atoms.intern(&self.source.name);
        (machine.predicate_at(id).place.map_or(own_file, |place| place.file), (0, 0))
    }

    /// Lets calls of a predicate go through contracts. Returns the number of the one that all calls go through.
    /// `exports_only`: only calls from other modules are checked.
    pub(super) fn install(
        &self,
        machine: &mut Machine,
        id: PredicateId,
        normalized: Normalized,
        exports_only: bool,
    ) -> Option<u32> {
        let violations = machine.atoms.intern("$rtc_violations");
        let violations = machine.predicate_in(atom::SYSTEM, violations, 1);
        let number = machine.contracts.len() as u32;
        let is_only = normalized.inner.is_some() && normalized.exported.is_none() && !exports_only;
        // What another file said of it is in these too.
        let had_others = machine.loading.drop_contracts(id);
        let wrap = |machine: &mut Machine, contract: Option<Contract>| {
            let number = machine.contracts.len() as u32;
            machine.contracts.push(contract?);
            machine.loading.add_contract(id, number);
            Some(machine.add_wrapper(number, violations))
        };
        let inner = wrap(machine, normalized.inner);
        let exported = wrap(machine, normalized.exported);
        let (inner, exported) = match exports_only {
            false => (inner, exported),
            // Calls from other modules: a predicate that is not exported has none.
            true if self.is_exported(machine, id) => (None, exported.or(inner)),
            true => (None, None),
        };
        if inner.is_some() || exported.is_some() || had_others {
            let asks = self.asks_for_checks && self.positions.contains_key(&id);
            machine.set_wrappers(id, inner, exported, asks.then_some(true));
        }
        is_only.then_some(number)
    }

    /// Checks what other files say of predicates that this one spoke of when it was loaded before.
    pub(super) fn check_again(&self, machine: &mut Machine) {
        let Some(file) = self.file else { return };
        for id in std::mem::take(&mut machine.loading.files[file].unchecked) {
            let is_checked = !machine.loading.contracts(id).is_empty();
            if is_checked || machine.predicate_at(id).kind == Kind::Undefined {
                continue;
            }
            machine.source_module = machine.predicate_at(id).module;
            let assertions = asserted_before(machine, id);
            // What is wrong with them was told when they were read.
            let place = assertions.first().map(|declared| (declared.place.file, (0, 0)));
            if let Some((path, lines)) = place {
                let normalized = normalize(machine, &assertions, path, lines);
                let outside = machine.loading.is_checked_outside(id);
                self.install(machine, id, normalized, outside);
            }
        }
    }

    /// Builds contracts anew that were there before the text, where it changed types that they ask for.
    pub(super) fn follow_types(&self, machine: &mut Machine, first: u32) {
        if !machine.types.take_changed() {
            return;
        }
        for id in machine.loading.asserted() {
            let numbers = machine.loading.contracts(id).iter().filter(|&&number| number < first);
            let numbers: Vec<usize> = numbers.map(|&number| number as usize).collect();
            let Some(&number) = numbers.first() else { continue };
            let Contract { file, lines, .. } = machine.contracts[number];
            machine.source_module = machine.predicate_at(id).module;
            let assertions = asserted_before(machine, id);
            let normalized = normalize(machine, &assertions, file, lines);
            let new: Vec<&Contract> = normalized.inner.iter().chain(&normalized.exported).collect();
            let old: Vec<&Contract> = numbers.iter().map(|&number| &machine.contracts[number]).collect();
            let is_same = |(new, old): (&&Contract, &&Contract)| new.agrees_with(old);
            if new.len() != old.len() || !new.iter().zip(&old).all(is_same) {
                let outside = machine.loading.is_checked_outside(id);
                self.install(machine, id, normalized, outside);
            }
        }
    }

    /// Whether other modules can call a predicate of this text by name. Those of a text without a module are
    /// everyone's.
    fn is_exported(&self, machine: &mut Machine, id: PredicateId) -> bool {
        let predicate = machine.predicate_at(id);
        let (module, indicator) = (predicate.module, (predicate.name, predicate.arity));
        self.exports_all || module == atom::USER || machine.module(module).exports.contains(&indicator)
    }

    /// The predicates of a name that the text defines, for a message.
    fn other_arities(&self, machine: &Machine, name: Atom) -> String {
        let mut arities: Vec<usize> = self
            .predicates
            .iter()
            .map(|pending| machine.predicate_at(pending.id))
            .filter(|predicate| predicate.name == name)
            .map(|predicate| predicate.arity)
            .collect();
        arities.sort_unstable();
        let text = machine.atoms.text(name);
        let all: Vec<String> = arities.iter().map(|arity| format!("`{text}/{arity}`")).collect();
        all.join(", ")
    }
}

/// Lets calls of a predicate be unchecked.
pub(super) fn drop_contracts(machine: &mut Machine, id: PredicateId) {
    if machine.loading.drop_contracts(id) {
        machine.set_wrappers(id, None, None, None);
    }
}

/// The name under which the types know a predicate.
pub(super) fn type_key(machine: &mut Machine, id: PredicateId) -> Atom {
    let predicate = machine.predicate_at(id);
    let (module, name, arity) = (predicate.module, predicate.name, predicate.arity);
    machine.types.claim(&mut machine.atoms, module, name, arity.saturating_sub(1))
}

/// Lets a predicate's clauses be the definition of the type of its name, or say why they are none.
pub(super) fn define_type(machine: &mut Machine, id: PredicateId, clauses: &[Record]) {
    let predicate = machine.predicate_at(id);
    let (module, arity) = (predicate.module, predicate.arity);
    let name = type_key(machine, id);
    let scope = machine.begin_scope();
    let clauses: Vec<Cell> = clauses.iter().map(|clause| clause.restore(&mut machine.store)).collect();
    let types = &machine.types;
    let subject = |name, arity: usize| Some(types.definition(name, arity.checked_sub(1)?)?.subject);
    let definition = Definition::new(&machine.store, &clauses, &subject);
    machine.drop_scope(scope);
    match definition {
        Ok(mut definition) => {
            definition.rename(&mut |name, parameters| machine.type_name(module, name, parameters));
            machine.types.define(name, definition);
        }
        Err((clause, reason)) => {
            machine.types.define_irregular(name, arity.saturating_sub(1), clause, reason);
        }
    }
}

/// Lets the type of a predicate that files define together be what is left of its clauses.
pub(super) fn define_type_anew(machine: &mut Machine, id: PredicateId) {
    let predicate = machine.predicate_at(id);
    let (module, name) = (predicate.module, predicate.name);
    let Some(parameters) = predicate.arity.checked_sub(1) else { return };
    if machine.types.is_type(machine.types.known_as(module, name, parameters), parameters) {
        let clauses = machine.loading.shared_clauses(id, None);
        define_type(machine, id, &clauses);
    }
}

/// What is known of a predicate from texts that were loaded before and still count.
pub(super) fn asserted_before(machine: &mut Machine, id: PredicateId) -> Vec<Declared> {
    let kept = machine.loading.kept_assertions(id);
    kept.iter().filter_map(|kept| restored(machine, kept)).collect()
}

/// Keeps a `test` or `texec` assertion to be run. Returns its number.
fn keep_test(machine: &mut Machine, declared: &Declared) -> usize {
    let assertion = &declared.assertion;
    let head = machine.store.compound(assertion.head.name, &assertion.head.arguments);
    let yes = Cell::atom(atom::TRUE);
    // Modes and star forms are in the formulas; a field that was written as a goal is kept as it is.
    let conjunction = |machine: &mut Machine, formula: &[Vec<Cell>]| {
        let conjunctions: Vec<Cell> = formula
            .iter()
            .map(|literals| {
                literals
                    .iter()
                    .rev()
                    .fold(yes, |rest, &literal| machine.store.compound(atom::COMMA, &[literal, rest]))
            })
            .collect();
        let (&last, others) = conjunctions.split_last()?;
        Some(
            others
                .iter()
                .rev()
                .fold(last, |rest, &first| machine.store.compound(atom::SEMICOLON, &[first, rest])),
        )
    };
    let of_modes = conjunction(machine, &assertion.calls).unwrap_or(yes);
    let pre = match assertion.written[0] {
        Some(goal) if assertion.goal => machine.store.compound(atom::COMMA, &[of_modes, goal]),
        _ => of_modes,
    };
    let post = conjunction(machine, &assertion.success).unwrap_or(yes);
    let comp = machine.store.list(&assertion.comp, Cell::atom(atom::NIL));
    let kind = if assertion.kind == AssertionKind::Test { "test" } else { "texec" };
    let kind = Cell::atom(machine.atoms.intern(kind));
    let mut names = Vec::new();
    for &(variable, name) in &declared.names {
        names.push(machine.store.compound(atom::EQUALS, &[Cell::atom(name), variable]));
    }
    let names = machine.store.list(&names, Cell::atom(atom::NIL));
    let name = machine.atoms.intern("test");
    let term = machine.store.compound(name, &[kind, head, pre, post, comp, names]);
    let comment = assertion
        .comment
        .and_then(|comment| crate::builtins::atoms::any_text(machine, comment))
        .unwrap_or_default();
    machine.loading.tests.push(UnitTest {
        term: Record::new(&machine.store, term),
        module: assertion.head.module.unwrap_or(machine.source_module),
        place: declared.place.clone(),
        predicate: format!("{}/{}", machine.atoms.text(assertion.head.name), assertion.head.arguments.len()),
        comment,
        contract: None,
        unit: false,
    });
    machine.loading.tests.len() - 1
}
