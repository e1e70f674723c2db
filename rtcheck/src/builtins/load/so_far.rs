//! Checks while a text is read: its directives, conditions and expansions call what stands in front of them.
//!
//! Contracts are made of what the text has said so far, and made anew when it has ended. Each assertion is looked at
//! once, unless what it asks for comes later or a type has got more clauses, so the work is linear in the text but for
//! types whose clauses are scattered among directives.

use super::Loader;
use super::declarations::{asserted_before, define_type, type_key};
use crate::assertions::{Declared, Problem, keep, normalize};
use crate::machine::{CheckLevel, Kind, Link, Machine, PredicateId};
use rustc_hash::{FxHashMap, FxHashSet};

/// So often assertions are looked at again whose properties may come, at least and for each assertion and predicate of
/// the text: a text of which many are never understood is still read in linear time.
const TRIES: usize = 4096;
const TRIES_EACH: usize = 4;

/// What is known of a text while it is read.
#[derive(Default)]
pub(super) struct SoFar {
    /// Predicates that something was said of and that are not there yet.
    unchecked: Vec<PredicateId>,
    /// Those that are checked as far as their assertions are understood: what they ask for may come.
    not_whole: Vec<PredicateId>,
    /// Those that are checked, with the positions of what the text says of them.
    checked: FxHashMap<PredicateId, usize>,
    /// Predicates that may define types.
    types: Vec<PredicateId>,
    /// Up to where predicates, declared types and declared properties were looked at for that.
    looked_at: [usize; 3],
    /// How many assertions there were.
    said: usize,
    /// How many assertions, predicates, and clauses of types there were when all of that was done last.
    when: (usize, usize, usize),
    /// How often an assertion was looked at again.
    tries: usize,
}

impl SoFar {
    /// Something is said of a predicate.
    pub(super) fn say(&mut self, id: PredicateId) {
        self.said += 1;
        self.unchecked.push(id);
    }

    /// The text is not checked after all: whether calls of a predicate are.
    pub(super) fn forget(&mut self, id: PredicateId) -> bool {
        self.checked.remove(&id).is_some()
    }

    /// The predicates from this position on have other positions now.
    pub(super) fn look_again(&mut self, position: usize) {
        self.looked_at[0] = self.looked_at[0].min(position);
    }
}

impl Loader {
    /// The predicates that define types so far, with their positions and in their order. Each predicate and declaration
    /// is looked at once.
    fn types_so_far(&mut self, machine: &Machine) -> Vec<(usize, PredicateId)> {
        let Self { so_far, declarations, predicates, .. } = self;
        let from = so_far.looked_at;
        let new = predicates.get(from[0]..).unwrap_or_default().iter().map(|pending| pending.id);
        so_far.types.extend(new.filter(|&id| {
            let predicate = machine.predicate_at(id);
            machine.types.is_type(predicate.name, predicate.arity.wrapping_sub(1))
        }));
        let declared = declarations.regtypes.get(from[1]..).unwrap_or_default();
        so_far.types.extend(declared.iter().map(|&(id, ..)| id));
        so_far.types.extend_from_slice(declarations.properties.get(from[2]..).unwrap_or_default());
        so_far.looked_at = [predicates.len(), declarations.regtypes.len(), declarations.properties.len()];
        let known = so_far.types.iter().filter_map(|id| Some((*self.positions.get(id)?, *id)));
        let mut order: Vec<(usize, PredicateId)> = known.collect();
        order.sort_unstable();
        order.dedup();
        order
    }

    /// Defines the types of the text as far as their clauses were read. Returns whether one means something else than
    /// when it was defined before.
    fn define_types_so_far(&mut self, machine: &mut Machine) -> bool {
        let mut order = self.types_so_far(machine);
        let known = &self.declarations.defined_so_far;
        order.retain(|(position, id)| known.get(id) != Some(&self.predicates[*position].clauses.len()));
        for &(_, id) in &order {
            type_key(machine, id);
        }
        let mut changed = false;
        for (position, id) in order {
            let clauses = &self.predicates[position].clauses;
            define_type(machine, id, clauses);
            changed |= self.declarations.defined_so_far.insert(id, clauses.len()).is_some();
        }
        changed
    }

    /// Lets calls that the text makes while it is read be checked, by what it has said so far of predicates that have
    /// clauses. What is wrong with its assertions is told when it has ended, and what is proved of them is found out
    /// then.
    pub(super) fn check_so_far(&mut self, machine: &mut Machine) {
        if !self.checks || self.declarations.asserted.is_empty() {
            return;
        }
        let seen = (self.so_far.said, self.predicates.len(), self.clauses_of_types());
        let is_new = self.so_far.when != seen;
        if !is_new && self.so_far.unchecked.is_empty() {
            return;
        }
        let mut ready = Vec::new();
        if is_new {
            if self.define_types_so_far(machine) {
                // They may be what conditions ask for that are checked already.
                let mut all: Vec<(usize, PredicateId)> =
                    self.so_far.checked.drain().map(|(id, position)| (position, id)).collect();
                all.sort_unstable();
                ready.extend(all.into_iter().map(|(_, id)| id));
            }
            self.so_far.when = (seen.0, seen.1, self.clauses_of_types());
            let tries = self.so_far.tries + self.so_far.not_whole.len();
            if tries <= TRIES + TRIES_EACH * (seen.0 + seen.1) {
                self.so_far.tries = tries;
                ready.append(&mut self.so_far.not_whole);
            }
        }
        let positions = &self.positions;
        self.so_far.unchecked.retain(|&id| {
            let predicate = machine.predicate_at(id);
            let is_ready = matches!(predicate.kind, Kind::Static | Kind::Dynamic)
                && (predicate.link == Link::Own || positions.contains_key(&id))
                && !predicate.passes_context();
            if is_ready {
                ready.push(id);
            }
            !is_ready
        });
        if !ready.is_empty() {
            self.check_ready(machine, ready);
        }
    }

    /// Lets calls of these be checked, which are there, by what was said of them.
    fn check_ready(&mut self, machine: &mut Machine, ready: Vec<PredicateId>) {
        let scope = machine.begin_scope();
        let module = machine.source_module;
        let mut once = FxHashSet::default();
        for id in ready {
            if !once.insert(id) {
                continue;
            }
            let position = self.declarations.positions[&id];
            let assertions = self.declarations.asserted[position].assertions.clone();
            let predicate = machine.predicate_at(id);
            let (module, multifile) = (predicate.module, predicate.multifile);
            machine.source_module = module;
            let replaces = !multifile && self.positions.contains_key(&id);
            if replaces && assertions.iter().any(|declared| declared.assertion.is_checked(machine.rtchecks)) {
                machine.loading.drop_replaced(id);
            }
            let (file, lines) = self.clauses_place(machine, id);
            let path = self.file.map(|file| machine.loading.files[file].path);
            if let Some(path) = path {
                machine.loading.drop_so_far(id, path);
            }
            let mut all = asserted_before(machine, id);
            let outside = machine.rtchecks.level == CheckLevel::Exports
                && (all.is_empty() || machine.loading.is_checked_outside(id));
            if let Some(path) = path {
                let own =
                    assertions.iter().filter(|declared| declared.assertion.is_checked(machine.rtchecks));
                let own: Vec<&Declared> = own.collect();
                let kept = own.into_iter().filter_map(|declared| keep(machine, declared)).collect();
                machine.loading.keep_so_far(id, path, kept);
            }
            all.extend(assertions);
            let normalized = normalize(machine, &all, file, lines);
            let is_whole =
                normalized.problems.iter().all(|(_, problem)| !matches!(problem, Problem::Error(_)));
            self.install(machine, id, normalized, outside);
            self.so_far.checked.insert(id, position);
            if !is_whole {
                self.so_far.not_whole.push(id);
            }
        }
        machine.source_module = module;
        machine.checker.clear();
        machine.drop_scope(scope);
    }

    /// How many clauses the types of the text have that are defined so far.
    fn clauses_of_types(&self) -> usize {
        let known = self.declarations.defined_so_far.keys();
        known
            .filter_map(|id| self.positions.get(id))
            .map(|&position| self.predicates[position].clauses.len())
            .sum()
    }
}
