//! Calls of a program's predicates that are watched, for the tracer.
//!
//! While calls are watched, the entries of the program's predicates lead to [`Instruction::Traced`]. It makes a goal
//! of the arguments and calls `'$trace'(Goal, Way)` of the library (`library/tracer.pl`) in its place, which shows the
//! ports and calls the goal once more, this time past the watch. So only entries differ: assertions are checked, cuts
//! stay local, and what waits, throws or leaves choices does so as ever. Goals that the compiler puts into the clause
//! itself (unification, comparison, arithmetic, type tests) and the library's predicates are not watched.
//!
//! Cost: nothing while nothing is watched. A watched call costs its goal and the library's text.

use crate::machine::{Address, Instruction, Kind, Machine, PredicateId};
use crate::term::{Cell, atom};
use rustc_hash::FxHashMap;

/// What is watched.
#[derive(Debug, Default)]
pub(in crate::machine) struct Tracing {
    on: bool,
    /// The predicate that is entered past the watch with its next call, and whether as from another module.
    entering: Option<(PredicateId, bool)>,
    /// The entries that lead here, so that each is made once.
    entries: FxHashMap<(PredicateId, bool), Address>,
}

impl Machine {
    /// Watches all calls of the program's predicates, those that were defined since the last time too, or none.
    pub(crate) fn watch_calls(&mut self, on: bool) {
        self.tracing.on = on;
        self.tracing.entering = None;
        let own: Vec<PredicateId> = (0..self.predicates.len())
            .filter_map(|number| u32::try_from(number).ok().map(PredicateId))
            .filter(|id| self.is_of_program(*id))
            .collect();
        for id in own {
            self.refresh(id);
        }
    }

    /// Whether calls are watched.
    pub(crate) fn watches_calls(&self) -> bool {
        self.tracing.on
    }

    /// Lets the next call of the predicate of a way pass the watch.
    pub(crate) fn pass_watch(&mut self, way: i64) {
        let number = u32::try_from(way / 2).unwrap_or(u32::MAX);
        self.tracing.entering = Some((PredicateId(number), way % 2 == 1));
    }

    /// Whether a predicate is one whose clauses the program's text or its own goals gave.
    fn is_of_program(&self, id: PredicateId) -> bool {
        let predicate = self.predicate_at(id);
        // Libraries that are compiled when a program asks for them are no texts of its own.
        let library =
            predicate.place.is_some_and(|place| self.atoms.text(place.file).starts_with("library("));
        predicate.link.target().is_none()
            && !library
            && match predicate.kind {
                Kind::Static => self.loading.texts.contains_key(&id),
                Kind::Dynamic => predicate.module == atom::USER || predicate.place.is_some(),
                _ => false,
            }
    }

    /// Whether calls of a predicate are watched.
    pub(in crate::machine) fn watches(&self, id: PredicateId) -> bool {
        // What comes behind the arguments would be lost on the way.
        self.tracing.on && self.is_of_program(id) && !self.predicate_at(id).passes_context()
    }

    /// Where calls of a watched predicate go, of its own module and of others.
    pub(in crate::machine) fn watched(&mut self, id: PredicateId) -> (Address, Address) {
        let [own, others] = [false, true].map(|outside| match self.tracing.entries.get(&(id, outside)) {
            Some(address) => *address,
            None => {
                let address = self.add_code(&[Instruction::Traced(id, outside)]);
                self.tracing.entries.insert((id, outside), address);
                address
            }
        });
        (own, others)
    }

    /// Executes [`Instruction::Traced`]: where it goes on.
    pub(in crate::machine) fn traced(&mut self, id: PredicateId, outside: bool) -> Address {
        if let Some((entering, outside)) = self.tracing.entering.take()
            && entering == id
        {
            let predicate = self.predicate_at(id);
            let inner = predicate.wrapper.unwrap_or(predicate.body);
            return if outside { predicate.exported_wrapper.unwrap_or(inner) } else { inner };
        }
        let (module, name, arity) = {
            let predicate = self.predicate_at(id);
            (predicate.module, predicate.name, predicate.arity)
        };
        if !outside && self.qualifies(id) {
            self.qualify_arguments(id, module);
        }
        let goal = self.called(name, arity);
        self.x[0] = if module == atom::USER { goal } else { self.qualified(module, goal) };
        self.x[1] = Cell::int(i64::from(id.0) * 2 + i64::from(outside));
        self.enter(atom::SYSTEM, atom::TRACE, 2)
    }
}
