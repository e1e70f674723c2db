//! Ciao's functional notation, for texts that use the packages `fsyntax` or `functional`: each clause is handed to the
//! library's text `fsyntax`, which gives the clauses in plain Prolog that it stands for.

use super::directives::{indicator, items};
use super::{LoadError, Loader, show};
use crate::base::Span;
use crate::machine::{Machine, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, OperatorDefinition, OperatorKind, Record, Tag, atom};

/// What a text evaluates without being told by `~`.
#[derive(Clone, Debug, Default)]
pub(super) struct Functional {
    /// Arithmetic.
    arithmetic: bool,
    /// Functions that the text defines with `:=`.
    defined: bool,
    /// Functions by name and number of arguments, the value not counted.
    functions: Vec<(Atom, usize)>,
    /// Heads such as `f(~, _)` of those whose value is not the last argument.
    returns: Vec<Record>,
    /// Clauses that come back are plain.
    translating: bool,
}

/// The notation's operators.
const OPERATORS: [(&str, u16, OperatorKind); 7] = [
    ("~", 50, OperatorKind::Fx),
    ("^", 25, OperatorKind::Fy),
    (":=", 1150, OperatorKind::Xfx),
    ("?", 910, OperatorKind::Xfy),
    ("|", 1100, OperatorKind::Xfy),
    ("fun_eval", 1150, OperatorKind::Fx),
    ("fun_return", 1150, OperatorKind::Fx),
];

impl Loader {
    /// The text uses the notation; with `functional`, arithmetic and the text's own functions need no `~`.
    pub(super) fn use_functional(&mut self, machine: &mut Machine, functional: bool) {
        let state = self.functional.get_or_insert_default();
        state.arithmetic |= functional;
        state.defined |= functional;
        for (name, priority, kind) in OPERATORS {
            let name = machine.atoms.intern(name);
            machine.operators.define(name, OperatorDefinition { priority, kind });
        }
    }

    /// `:- fun_eval Function`, `arith(true)`, `defined(true)` or their opposites.
    pub(super) fn fun_eval(&mut self, machine: &mut Machine, what: Cell, span: Span) {
        for (_, item) in items(machine, machine.source_module, what) {
            let known = indicator(machine, item);
            let text = show(machine, item);
            let Some(state) = &mut self.functional else {
                self.error("`fun_eval` without the package `fsyntax`", span);
                return;
            };
            match (text.as_str(), known) {
                ("arith(true)", _) => state.arithmetic = true,
                ("arith(false)", _) => state.arithmetic = false,
                ("defined(true)", _) => state.defined = true,
                ("defined(false)", _) => state.defined = false,
                (_, Some(function)) => state.functions.push(function),
                _ => self.warning(
                    format!("expected Name/Arity, arith(true) or defined(true), found `{text}`"),
                    span,
                ),
            }
        }
    }

    /// `:- fun_return f(~, _)`: the value of this function is another argument than the last.
    pub(super) fn fun_return(&mut self, machine: &Machine, head: Cell, span: Span) {
        let value = machine.atoms.find("~");
        let (first, arity) = machine.store.arguments(head);
        let is_value = |cell: Cell| cell.tag() == Tag::Atm && Some(cell.as_atom()) == value;
        let values = (first..first + arity).filter(|&i| is_value(machine.store.at(i))).count();
        let Some(state) = &mut self.functional else {
            self.error("`fun_return` without the package `fsyntax`", span);
            return;
        };
        if values == 1 {
            state.returns.push(Record::new(&machine.store, head));
        } else {
            let message = format!("expected a head such as `f(~, _)`, found `{}`", show(machine, head));
            self.warning(message, span);
        }
    }

    /// Loads what a clause in functional notation stands for; `None` if the text does not use the notation.
    pub(super) fn functional_clause(
        &mut self,
        machine: &mut Machine,
        term: Cell,
        read: &ReadTerm,
    ) -> Option<Result<bool, LoadError>> {
        let state = self.functional.as_mut().filter(|state| !state.translating)?;
        if [atom::NECK, atom::QUERY]
            .iter()
            .any(|&name| machine.store.match_structure::<1>(term, name).is_some())
        {
            return None;
        }
        if state.defined {
            let becomes = machine.atoms.intern(":=");
            let rule = machine.store.match_structure::<2>(term, atom::NECK).map_or(term, |[head, _]| head);
            if let Some([head, _]) = machine.store.match_structure::<2>(rule, becomes)
                && let Some(function) = machine.store.functor(head)
                && !state.functions.contains(&function)
            {
                state.functions.push(function);
            }
        }
        let (arithmetic, functions, returns) =
            (state.arithmetic, state.functions.clone(), state.returns.clone());
        let functions: Vec<Cell> =
            functions.into_iter().map(|(name, arity)| machine.indicator(name, arity)).collect();
        let functions = machine.store.list(&functions, Cell::atom(atom::NIL));
        let flag = Cell::atom(if arithmetic { atom::TRUE } else { atom::FALSE });
        let evaluated = machine.atoms.intern("e");
        let returns: Vec<Cell> = returns.iter().map(|head| head.restore(&mut machine.store)).collect();
        let returns = machine.store.list(&returns, Cell::atom(atom::NIL));
        let evaluated = machine.store.compound(evaluated, &[flag, functions, returns]);
        let name = machine.atoms.intern("$functional");
        let result = machine.store.variable();
        let goal = machine.store.compound(name, &[term, evaluated, result]);
        Some(match machine.run(goal) {
            RunOutcome::Succeeded => {
                self.warn_of_singletons(read);
                self.set_translating(true);
                let result = machine.store.deref(result);
                let outcome = self.expanded(machine, result, read);
                self.set_translating(false);
                outcome
            }
            RunOutcome::Halted(code) => Err(LoadError::Halted(code)),
            RunOutcome::Failed | RunOutcome::Threw(_) => {
                self.error("this is no clause in functional notation", read.span);
                Ok(false)
            }
        })
    }

    /// `:- regtype colour := red | green` declares a property and is its first clause; `None` for other directives.
    pub(super) fn functional_property(
        &mut self,
        machine: &mut Machine,
        directive: Cell,
        read: &ReadTerm,
    ) -> Option<Result<bool, LoadError>> {
        self.functional.as_ref()?;
        let becomes = machine.atoms.intern(":=");
        let kinds = ["regtype", "prop"].map(|kind| machine.atoms.intern(kind));
        let (kind, clause) = kinds.into_iter().find_map(|kind| {
            let [clause] = machine.store.match_structure::<1>(directive, kind)?;
            Some((kind, clause))
        })?;
        let [head, _] = machine.store.match_structure::<2>(clause, becomes)?;
        let (name, arity) = machine.store.functor(head)?;
        // The value is one argument more.
        let indicator = machine.indicator(name, arity + 1);
        let declaration = machine.store.compound(kind, &[indicator]);
        self.declare(machine, declaration, read);
        self.functional_clause(machine, clause, read)
    }

    fn set_translating(&mut self, translating: bool) {
        if let Some(state) = &mut self.functional {
            state.translating = translating;
        }
    }
}
