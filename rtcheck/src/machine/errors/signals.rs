//! Signals: which `intercept/3` handles one.
//!
//! An `intercept/3` whose goal is running is found as a `catch/3` is: by its environment among those that the running
//! goal returns to. So entering and leaving one costs nothing but its environment, and backtracking and exceptions
//! need no book-keeping. A handler runs inside the sender, by `'$run_handler'/2`, whose environment says around which
//! `intercept/3` handlers of further signals are looked for.

use crate::machine::{ENVIRONMENT_HEADER, Instruction, Live, Machine, Outcome, PredicateId};
use crate::term::{Cell, atom};

impl Machine {
    /// Defines `intercept/3` and `'$run_handler'/2`, which are recognized by their return addresses.
    pub(in crate::machine) fn define_signals(&mut self) {
        use Instruction as I;
        let call = PredicateId::CALL;
        let intercept = self.atoms.intern("intercept");
        let intercept = self.predicate_in(atom::SYSTEM, intercept, 3);
        let code = [
            I::Allocate(2),
            I::GetVariableY(0, 1),
            I::GetVariableY(1, 2),
            I::Call(call, Live::ALL),
            I::Deallocate,
            I::Proceed,
        ];
        self.define_code(intercept, &code);
        self.intercept_return = self.predicate_at(intercept).body + 4;
        let handler = self.atoms.intern("$run_handler");
        let handler = self.predicate_in(atom::SYSTEM, handler, 2);
        let code =
            [I::Allocate(1), I::GetVariableY(0, 1), I::Call(call, Live::ALL), I::Deallocate, I::Proceed];
        self.define_code(handler, &code);
        self.handler_return = self.predicate_at(handler).body + 3;
    }

    /// `'$handlers'(Handlers)`: `handler(Pattern, Goal, Frame)` for each `intercept/3` whose goal is running, the
    /// innermost first, without those around which a handler is running.
    pub(crate) fn signal_handlers(&mut self) -> Outcome {
        let mut frames = Vec::new();
        let mut hidden_to = None;
        for (address, environment) in self.return_addresses() {
            let slot = |i: usize| self.environments[environment + ENVIRONMENT_HEADER + i];
            if address == self.handler_return {
                // Nothing further in than that intercept/3 handles what its own handler sends.
                let frame = self.store.deref(slot(0)).int_value() as usize;
                hidden_to = Some(hidden_to.map_or(frame, |known: usize| known.min(frame)));
            } else if address == self.intercept_return && hidden_to.is_none_or(|frame| environment < frame) {
                frames.push((slot(0), slot(1), environment));
            }
        }
        let name = self.atoms.intern("handler");
        let handlers: Vec<Cell> = frames
            .into_iter()
            .map(|(pattern, goal, frame)| self.store.compound(name, &[pattern, goal, Cell::count(frame)]))
            .collect();
        let list = self.store.list(&handlers, Cell::atom(atom::NIL));
        Ok(self.unify_argument(0, list))
    }
}
