//! Modules in front of what an assertion speaks of: `m:p(X) : int(X)`, `m:(p(X) => int(X))`, `m:p/1`.
//!
//! Since `:` also separates the calls field from the head, and binds tighter than the other marks, `m:p(X) : int(X)` is
//! read as `m:(p(X) : int(X))`, and `m:p(X)` may be a predicate `m/0` with a condition. What a module is tells.

use super::{Fields, Parser};
use crate::term::{Cell, Tag, atom};

impl Parser<'_> {
    /// Takes the module off a head that stands alone: `m:p(X)`, and `m:p/1`, which reads as `(m:p)/1`.
    pub(super) fn take_module(&mut self, fields: &mut Fields) {
        let head = self.store.deref(fields.head);
        let inner = self.store.match_structure::<2>(head, atom::SLASH);
        let qualified = inner.map_or(head, |[name, _]| name);
        let Some([module, name]) = self.store.match_structure::<2>(qualified, atom::COLON) else { return };
        if fields.module.is_none() && module.tag() == Tag::Atm {
            fields.module = Some(module.as_atom());
            fields.head = match inner {
                Some([_, arity]) => self.store.compound(atom::SLASH, &[name, arity]),
                None => name,
            };
        }
    }

    /// The head behind a module and a `:`, and the calls field behind the head, as in `m:p(X)` and `m:(p(X) : int(X))`.
    /// `None` if the name in front of the `:` is rather that of a predicate without arguments.
    pub(super) fn qualified_head(&self, module: Cell, rest: Cell) -> Option<(Cell, Option<Cell>)> {
        let (module, rest) = (self.store.deref(module), self.store.deref(rest));
        if module.tag() != Tag::Atm || !(self.is_module)(module.as_atom()) {
            return None;
        }
        let (head, calls) = match self.store.match_structure::<2>(rest, atom::COLON) {
            Some([head, calls]) => (self.store.deref(head), Some(calls)),
            None => (rest, None),
        };
        if self.indicator(head).is_some() {
            return Some((head, calls));
        }
        // A condition that comes without a predicate's arguments speaks of something, a head of nothing yet.
        let (name, arity @ 1..) = self.store.functor(head)? else { return None };
        let is_argument = |argument: Cell| {
            argument.tag() == Tag::Ref
                || calls.is_some()
                || self.store.functor(argument).is_some_and(|(mode, arity)| {
                    (0..=arity).any(|parameters| self.modes.is_mode(self.atoms, mode, parameters))
                })
        };
        let is_head = ![atom::COMMA, atom::SEMICOLON, atom::STAR].contains(&name)
            && (0..arity).all(|i| is_argument(self.store.argument(head, i)));
        is_head.then_some((head, calls))
    }
}
