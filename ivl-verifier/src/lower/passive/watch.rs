//! What happens to the state in each block, noted for those who tell values of counterexamples.

use super::{Environment, Passifier};
use crate::lower::cut::{CutCommand, Required};
use crate::lower::{Event, PrintedPiece};
use crate::resolve::graph::{NodeKind, VariableId};
use crate::resolve::program::{Observation, Printed};

impl Passifier<'_> {
    /// Notes the values at the start of a block that so many blocks lead to: all of them on entry, and where
    /// ways meet those that may have got a new incarnation.
    pub(super) fn note_start(&mut self, ways: usize, environment: &Environment) {
        if ways == 1 {
            return;
        }
        let values = self.variables.iter().filter(|it| !self.assumptions.contains(it));
        let values = values.filter_map(|it| Some(Event::Set(*it, *environment.get(it)?)));
        self.events.extend(values);
    }

    /// Notes what a command did to the state.
    pub(super) fn note(&mut self, command: &CutCommand, environment: &Environment, start: &Environment) {
        let mut set: Vec<VariableId> = Vec::new();
        match command {
            CutCommand::Assume(_) | CutCommand::Ensured(_) => {}
            CutCommand::Assert(assertion) | CutCommand::Ensure(assertion) => {
                self.events.push(Event::Check(assertion.check));
            }
            CutCommand::Havoc(variables) | CutCommand::Forget(variables) => set.extend(variables),
            CutCommand::Assign(pairs) => set.extend(pairs.iter().map(|(variable, _)| *variable)),
            CutCommand::Call(call, required) => {
                let checks = required.iter().filter_map(Required::check);
                self.events.extend(checks.map(|assertion| Event::Check(assertion.check)));
                set.extend(&self.program.procedures[call.callee].modifies);
                set.extend(&call.outputs);
            }
            CutCommand::Observe(
                Observation::Start
                | Observation::Id(_)
                | Observation::SplitHere
                | Observation::Focus
                | Observation::IsolatedReturn(_)
                | Observation::AllowSplit,
            ) => {}
            CutCommand::Observe(Observation::Capture(name)) => {
                self.events.push(Event::Capture(name.clone()));
            }
            CutCommand::Observe(Observation::Print(pieces)) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Printed::Text(text) => PrintedPiece::Text(text.clone()),
                    Printed::Value(value) => match *self.graph.kind(*value) {
                        NodeKind::Variable(variable) => PrintedPiece::Variable(variable),
                        _ => PrintedPiece::Value(self.value(*value, environment, start)),
                    },
                });
                let pieces = pieces.collect();
                self.events.push(Event::Print(pieces));
            }
        }
        let set = set.into_iter().filter_map(|it| Some(Event::Set(it, *environment.get(&it)?)));
        self.events.extend(set);
    }
}
