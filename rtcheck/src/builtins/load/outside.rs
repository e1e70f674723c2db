//! What a text says is defined elsewhere: predicates that are compiled from another language (`:- impl_defined(p/1)`,
//! the properties `foreign` and `foreign_low`, `:- use_foreign_library(f)`), and declarations that the text adds to the
//! language (`:- new_declaration(d/1)`). Nothing of it is there when it is called; the text loads.

use super::Loader;
use crate::base::Span;
use crate::machine::Machine;
use crate::term::{Atom, Cell, OperatorKind, Tag, atom};
use rustc_hash::FxHashSet;

/// Names and numbers of arguments.
#[derive(Default)]
pub(super) struct Outside {
    predicates: FxHashSet<(Atom, usize)>,
    declarations: FxHashSet<(Atom, usize)>,
    /// Built-in predicates that the module replaces for itself.
    redefined: FxHashSet<(Atom, usize)>,
    /// All that it defines, and it says so.
    redefines_all: bool,
    /// It is a module of Ciao's: what it defines comes before what is built in, with a warning.
    is_ciao_module: bool,
    /// A package that the text uses is not known.
    lacks_package: bool,
    /// The module loads foreign code, which may define whatever its text does not.
    uses_foreign_library: bool,
}

impl Outside {
    /// Whether a predicate is said to be defined elsewhere.
    pub(super) fn has_predicate(&self, name: Atom, arity: usize) -> bool {
        self.uses_foreign_library || self.predicates.contains(&(name, arity))
    }

    /// Notes that the module loads foreign code.
    pub(super) fn uses_foreign_library(&mut self) {
        self.uses_foreign_library = true;
    }

    /// Notes that a predicate is.
    pub(super) fn add_predicate(&mut self, name: Atom, arity: usize) {
        self.predicates.insert((name, arity));
    }
}

impl Loader {
    /// `:- redefining(Name/Arity)`; `_` for everything.
    pub(super) fn redefining(&mut self, machine: &Machine, specs: Cell, span: Span) {
        if specs.tag() == Tag::Ref {
            self.outside.redefines_all = true;
            return;
        }
        for (_, name, arity) in self.indicators(machine, specs, span) {
            self.outside.redefined.insert((name, arity));
        }
    }

    /// Whether the module sees no built-in predicate but those that it names.
    pub(super) fn redefines_everything(&self) -> bool {
        self.outside.redefines_all
    }

    /// The package `noprelude`: the module sees no built-in predicate but those that it names.
    pub(super) fn redefine_all(&mut self) {
        self.outside.redefines_all = true;
    }

    /// Notes that the text is a module of Ciao's.
    pub(super) fn is_ciao_module(&mut self) {
        self.outside.is_ciao_module = true;
    }

    /// Notes that a package is not known, and makes operators of it where its texts cannot be read without them.
    pub(super) fn lack_package(&mut self, machine: &mut Machine, package: &str) {
        self.outside.lacks_package = true;
        let operators: &[(&str, u16, OperatorKind)] = match package {
            "make" => &[("<=", 1125, OperatorKind::Xfx), ("<-", 1125, OperatorKind::Xfx)],
            _ => &[],
        };
        self.define_operators(machine, operators);
    }

    /// Whether a directive is no goal that is known, and may be one of a package that is not there.
    pub(super) fn may_be_of_package(&mut self, machine: &mut Machine, directive: Cell) -> bool {
        if !self.outside.lacks_package {
            return false;
        }
        self.compile(machine);
        let (module, goal) = machine.strip_module(machine.source_module, directive);
        let Some((name, arity)) = machine.store.functor(goal) else { return false };
        machine.find_predicate_in(module, name, arity).is_none()
    }

    /// Whether the text says that it replaces a built-in predicate.
    pub(super) fn says_it_redefines(&self, name: Atom, arity: usize) -> bool {
        self.outside.redefines_all || self.names_redefined(name, arity)
    }

    /// Whether the text names a predicate as one that it redefines.
    pub(super) fn names_redefined(&self, name: Atom, arity: usize) -> bool {
        self.outside.redefined.contains(&(name, arity))
    }

    /// Whether a module replaces a built-in predicate for itself. Control constructs are part of every clause.
    pub(super) fn redefines(&self, module: Atom, name: Atom, arity: usize) -> bool {
        let constructs = [
            atom::COMMA,
            atom::SEMICOLON,
            atom::ARROW,
            atom::SOFT_ARROW,
            atom::CUT,
            atom::NOT,
            atom::CALL,
            atom::BAR,
        ];
        module != atom::USER
            && !constructs.contains(&name)
            && (self.outside.is_ciao_module || self.says_it_redefines(name, arity))
    }

    /// Whether the text has added a declaration.
    pub(super) fn adds_declaration(&self, machine: &Machine, name: &str, arity: usize) -> bool {
        machine.atoms.find(name).is_some_and(|name| self.outside.declarations.contains(&(name, arity)))
    }

    /// `:- impl_defined(Name/Arity)`, or a list of such.
    pub(super) fn impl_defined(&mut self, machine: &Machine, specs: Cell, span: Span) {
        for (_, name, arity) in self.indicators(machine, specs, span) {
            self.outside.add_predicate(name, arity);
        }
    }

    /// `:- new_declaration(Name/Arity)`.
    pub(super) fn new_declaration(&mut self, machine: &Machine, specs: Cell, span: Span) {
        for (_, name, arity) in self.indicators(machine, specs, span) {
            self.outside.declarations.insert((name, arity));
        }
    }
}

/// Whether a property of a computation says that the predicate is code of another language.
pub(super) fn is_foreign(machine: &Machine, property: Cell) -> bool {
    let mut open = vec![property];
    while let Some(cell) = open.pop() {
        let cell = machine.store.deref(cell);
        if matches!(cell.tag(), Tag::Atm | Tag::Str) {
            let Some((name, arity)) = machine.store.functor(cell) else { continue };
            match (machine.atoms.text(name), arity) {
                ("foreign" | "foreign_low", _) => return true,
                ("," | "+", 2) => open.extend((0..2).map(|i| machine.store.argument(cell, i))),
                _ => {}
            }
        }
    }
    false
}
