//! Checks while a text is read: its directives, conditions and expansions call what stands in front of them.
//!
//! Contracts are made of what the text has said so far, and made anew when it has ended. Each assertion is looked at
//! once, unless what it asks for comes later or a type has got more clauses, so the work is linear in the text but for
//! types whose clauses are scattered among directives.

use super::Loader;
use super::declarations::{asserted_before, define_type, type_key};
use crate::assertions::{Problem, normalize};
use crate::machine::{CheckLevel, Kind, Link, Machine, PredicateId};
use rustc_hash::FxHashSet;

impl Loader {
    /// Defines the types of the text as far as their clauses were read. Returns whether one means something else than
    /// when it was defined before.
    fn define_types_so_far(&mut self, machine: &mut Machine) -> bool {
        let declared: FxHashSet<PredicateId> =
            self.declarations.regtypes.iter().map(|&(id, ..)| id).collect();
        let mut order = self.types_of_text(machine, &declared);
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
        let seen = (self.said, self.predicates.len(), self.clauses_of_types());
        if self.checked_when == seen {
            return;
        }
        self.checked_when = seen;
        let scope = machine.begin_scope();
        if self.define_types_so_far(machine) {
            // They may be what conditions ask for that are checked already.
            let mut all: Vec<(usize, PredicateId)> =
                self.checked_so_far.iter().map(|(&id, &position)| (position, id)).collect();
            all.sort_unstable();
            self.unchecked_so_far.extend(all.into_iter().map(|(_, id)| id));
            self.checked_so_far.clear();
        }
        self.checked_when.2 = self.clauses_of_types();
        let waiting = std::mem::take(&mut self.unchecked_so_far);
        let module = machine.source_module;
        let mut once = FxHashSet::default();
        for id in waiting {
            if !once.insert(id) {
                continue;
            }
            let position = self.declarations.positions[&id];
            let assertions = self.declarations.asserted[position].assertions.clone();
            let predicate = machine.predicate_at(id);
            let is_known = self.positions.contains_key(&id) || predicate.link == Link::Own;
            let is_checked = is_known && matches!(predicate.kind, Kind::Static | Kind::Dynamic);
            if !is_checked || predicate.passes_context() {
                self.unchecked_so_far.push(id);
                continue;
            }
            let (module, multifile) = (predicate.module, predicate.multifile);
            machine.source_module = module;
            let replaces = !multifile && self.positions.contains_key(&id);
            if replaces && assertions.iter().any(|declared| declared.assertion.is_checked(machine.rtchecks)) {
                machine.loading.drop_replaced(id);
            }
            let (file, lines) = self.clauses_place(machine, id);
            let mut all = asserted_before(machine, id);
            let outside = machine.rtchecks.level == CheckLevel::Exports
                && (all.is_empty() || machine.loading.is_checked_outside(id));
            all.extend(assertions);
            let normalized = normalize(machine, &all, file, lines);
            let is_whole =
                normalized.problems.iter().all(|(_, problem)| !matches!(problem, Problem::Error(_)));
            self.install(machine, id, normalized, outside);
            if is_whole {
                self.checked_so_far.insert(id, position);
            } else {
                // What it asks for may come.
                self.unchecked_so_far.push(id);
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
