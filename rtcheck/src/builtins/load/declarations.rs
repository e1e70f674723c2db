//! Assertions and regular types of a text: collected while it is read, put to work at its end.

use super::{Loader, Pending};
use crate::assertions::{Assertion, Declaration, normalize};
use crate::base::{Diagnostic, Source, Span};
use crate::machine::{Instruction, Kind, Machine, PredicateId};
use crate::read::ReadTerm;
use crate::regtype::{Definition, NotRegular, TypeExpression};
use crate::term::{Atom, Cell};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The assertions of one predicate.
struct Asserted {
    source: Rc<Source>,
    assertions: Vec<(Assertion, (usize, usize))>,
    spans: Vec<Span>,
    names: Vec<Atom>,
}

/// What a text declares about its predicates.
#[derive(Default)]
pub(super) struct Declarations {
    asserted: Vec<Asserted>,
    positions: FxHashMap<PredicateId, usize>,
    regtypes: Vec<(PredicateId, Rc<Source>, Span)>,
    /// Properties declared otherwise.
    properties: Vec<PredicateId>,
}

impl Loader {
    pub(super) fn declaration(&mut self, machine: &mut Machine, declaration: Declaration, read: &ReadTerm) {
        match declaration {
            Declaration::Ignored => {}
            Declaration::Property { name, arity, regtype } => {
                let id = machine.predicate(name, arity);
                if regtype {
                    self.declarations.regtypes.push((id, Rc::clone(&self.source), read.span));
                } else {
                    self.declarations.properties.push(id);
                }
            }
            Declaration::Assertion(assertion) => {
                let id = machine.predicate(assertion.head.name, assertion.head.arguments.len());
                let lines = self.lines(read.span);
                let position = *self.declarations.positions.entry(id).or_insert_with(|| {
                    let names = argument_names(machine, &assertion, read);
                    self.declarations.asserted.push(Asserted {
                        source: Rc::clone(&self.source),
                        assertions: Vec::new(),
                        spans: Vec::new(),
                        names,
                    });
                    self.declarations.asserted.len() - 1
                });
                self.declarations.asserted[position].assertions.push((assertion, lines));
                self.declarations.asserted[position].spans.push(read.span);
            }
        }
    }

    /// Turns the clauses of properties into automata's definitions. What is no regular type will be called; of
    /// what is declared to be one the user is told.
    pub(super) fn define_regtypes(&mut self, machine: &mut Machine) {
        let regtypes = std::mem::take(&mut self.declarations.regtypes);
        let declared: FxHashSet<PredicateId> = regtypes.iter().map(|&(id, ..)| id).collect();
        for (id, source, span) in regtypes {
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
        // All names first, since types name each other.
        for &(_, id) in &order {
            self.type_key(machine, id);
        }
        for &(position, id) in &order {
            let predicate = machine.predicate_at(id);
            let (module, arity) = (predicate.module, predicate.arity);
            let name = self.type_key(machine, id);
            let scope = machine.begin_scope();
            let clauses: Vec<Cell> = self.predicates[position]
                .clauses
                .iter()
                .map(|clause| clause.restore(&mut machine.store))
                .collect();
            let types = &machine.types;
            let subject = |name, arity: usize| Some(types.definition(name, arity.checked_sub(1)?)?.subject);
            let definition = Definition::new(&machine.store, &clauses, &subject);
            machine.end_scope(scope);
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
        for (_, id) in order {
            if declared.contains(&id) {
                self.warn_of_irregular(machine, id);
            }
        }
    }

    /// The name under which the types know a predicate of this text.
    fn type_key(&self, machine: &mut Machine, id: PredicateId) -> Atom {
        let predicate = machine.predicate_at(id);
        let (module, name, arity) = (predicate.module, predicate.name, predicate.arity);
        machine.types.claim(&mut machine.atoms, module, name, arity.saturating_sub(1))
    }

    /// Tells of a declared regular type that is none, and where.
    fn warn_of_irregular(&mut self, machine: &mut Machine, id: PredicateId) {
        let arity = machine.predicate_at(id).arity;
        let name = self.type_key(machine, id);
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

    /// Builds the contracts and, with checks on, lets calls go through them.
    pub(super) fn install_contracts(&mut self, machine: &mut Machine) {
        let file = machine.atoms.intern(&self.source.name);
        let mut asserted: Vec<(PredicateId, usize)> =
            self.declarations.positions.iter().map(|(&id, &position)| (id, position)).collect();
        asserted.sort_by_key(|&(_, position)| position);
        for (id, position) in asserted {
            let Asserted { source, assertions, spans, names } = &self.declarations.asserted[position];
            let source = Rc::clone(source);
            let predicate = machine.predicate_at(id);
            let indicator = format!("{}/{}", machine.atoms.text(predicate.name), predicate.arity);
            if predicate.kind == Kind::Undefined {
                let diagnostic =
                    Diagnostic::error(format!("assertion on the unknown predicate `{indicator}`"), spans[0])
                        .help("define it, or correct its name or number of arguments");
                self.tell(machine, &source, diagnostic);
                continue;
            }
            let lines = self.positions.get(&id).map_or((0, 0), |&position| {
                let Pending { source, spans, .. } = &self.predicates[position];
                let first = spans.first().map_or(0, |span| source.line(span.start));
                let last = spans.last().map_or(0, |span| source.line(span.end.saturating_sub(1)));
                (first, last)
            });
            let normalized = normalize(machine, assertions, names, file, lines);
            let problems: Vec<Diagnostic> = normalized
                .problems
                .into_iter()
                .map(|(assertion, reason)| {
                    let message = format!("an assertion on `{indicator}` is not checked whole");
                    let span = spans.get(assertion).copied().unwrap_or_default();
                    Diagnostic::warning(message, span).label(reason)
                })
                .collect();
            for problem in problems {
                self.tell(machine, &source, problem);
            }
            let Some(contract) = normalized.contract else { continue };
            let has_success = !contract.successes.is_empty();
            let number = machine.contracts.len() as u32;
            machine.contracts.push(contract);
            machine.loading.contracts.push((id, number));
            if self.checks {
                let mut wrapper = vec![Instruction::EnterContract(number)];
                if has_success {
                    wrapper.extend([
                        Instruction::CallBody(id),
                        Instruction::LeaveContract(number),
                        Instruction::Deallocate,
                        Instruction::Proceed,
                    ]);
                }
                let address = machine.add_code(&wrapper);
                machine.set_wrapper(id, Some(address));
            }
        }
    }
}

/// Names for the arguments in messages: those of the assertion's variables, `_1` and so on for others.
fn argument_names(machine: &mut Machine, assertion: &Assertion, read: &ReadTerm) -> Vec<Atom> {
    let arguments = &assertion.head.arguments;
    arguments
        .iter()
        .enumerate()
        .map(|(i, argument)| {
            let named = read.variables.iter().find(|(_, variable, _)| variable == argument);
            match named {
                Some((name, ..)) => machine.atoms.intern(name),
                None => machine.atoms.intern(&format!("_{}", i + 1)),
            }
        })
        .collect()
}
