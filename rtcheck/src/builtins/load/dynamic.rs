//! `:- dynamic`: predicates whose clauses may change while the program runs.

use super::Loader;
use super::directives::items;
use crate::base::Span;
use crate::machine::{Kind, Machine};
use crate::term::{Atom, Cell, atom};

impl Loader {
    /// `:- dynamic Specs`, which may say that tables follow the clauses.
    pub(super) fn dynamic(&mut self, machine: &mut Machine, specs: Cell, span: Span) {
        let as_name = machine.atoms.intern("as");
        for (module, item) in items(machine, machine.source_module, specs) {
            let Some([item, what]) = machine.store.match_structure::<2>(item, as_name) else {
                self.dynamic_predicates(machine, module, item, false, span);
                continue;
            };
            let words = ["incremental", "monotonic"].map(|word| Cell::atom(machine.atoms.intern(word)));
            let (mut rest, mut incremental) = (what, words.contains(&what));
            while let Some([first, others]) = machine.store.match_structure::<2>(rest, atom::COMMA) {
                incremental |= words.contains(&first) || words.contains(&others);
                rest = others;
            }
            self.dynamic_predicates(machine, module, item, incremental, span);
        }
    }

    /// Declares what an indicator, or several, name in a module.
    fn dynamic_predicates(
        &mut self,
        machine: &mut Machine,
        module: Atom,
        specs: Cell,
        incremental: bool,
        span: Span,
    ) {
        let specs = machine.qualified(module, specs);
        for (module, name, arity) in self.indicators(machine, specs, span) {
            let Some(id) = self.defined_predicate(machine, module, name, arity, span) else { continue };
            self.not_transparent(machine, id);
            let elsewhere = self.clauses_elsewhere(machine, id);
            let earlier = self.positions.remove(&id).map(|position| self.withdraw(position));
            if machine.predicate_at(id).kind == Kind::Static {
                machine.undefine(id);
            }
            machine.make_dynamic(id);
            machine.predicate_mut(id).incremental |= incremental;
            self.add_from_elsewhere(machine, id, elsewhere);
            if let Some(earlier) = earlier {
                let message = format!(
                    "`{}/{arity}` has clauses already: declare it dynamic before them",
                    machine.atoms.text(name)
                );
                self.warning(message, span);
                self.add_withdrawn(machine, &earlier);
            }
        }
    }
}
