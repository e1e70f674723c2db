//! Variables with attributes: what their library needs of the store.

use crate::machine::{Machine, Outcome};
use crate::term::{Cell, Record, Tag, atom, variables};

pub(super) fn define(machine: &mut Machine) {
    // '$attributes'(X, Attributes): fails if X is no variable with attributes.
    machine.define_builtin("$attributes", 2, |m| {
        let variable = m.argument(0);
        if variable.tag() != Tag::Ref {
            return Ok(false);
        }
        let Some(attributes) = m.store.attributes_of(variable.index()) else { return Ok(false) };
        Ok(attributes != Cell::atom(atom::NIL) && m.unify_argument(1, attributes))
    });
    machine.define_builtin("$put_attributes", 2, |m| {
        let (variable, attributes) = (m.argument(0), m.argument(1));
        if attributes.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        Ok(variable.tag() == Tag::Ref && m.store.put_attributes(variable.index(), attributes))
    });
    machine.define_builtin("term_attvars", 2, attributed_variables);
    machine.define_builtin("copy_term_nat", 2, |m| {
        let copy = Record::plain(&m.store, m.argument(0)).restore(&mut m.store);
        Ok(m.unify_argument(1, copy))
    });
    machine.define_builtin("$unifier", 4, unifier);
    // '$attributed_variables'(Pairs): all variables with attributes, the oldest first, each with these.
    machine.define_builtin("$attributed_variables", 1, |m| {
        let mut pairs = Vec::new();
        for index in m.store.attributed() {
            let variable = m.store.deref(m.store.at(index));
            let Some(attributes) = m.store.attributes_of(index) else { continue };
            if variable.tag() == Tag::Ref && variable.index() == index && attributes != Cell::atom(atom::NIL)
            {
                pairs.push(m.store.compound(atom::MINUS, &[variable, attributes]));
            }
        }
        let list = m.store.list(&pairs, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
}

/// The variables with attributes in a term, and in their attributes.
fn attributed_variables(m: &mut Machine) -> Outcome {
    let mut found: Vec<Cell> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    if m.store.has_attributes() {
        let mut pending = vec![m.argument(0)];
        while let Some(term) = pending.pop() {
            let mut attributes = Vec::new();
            for variable in variables(&m.store, term) {
                let Some(value) = m.store.attributes_of(variable.index()) else { continue };
                if value != Cell::atom(atom::NIL) && seen.insert(variable) {
                    found.push(variable);
                    attributes.push(value);
                }
            }
            pending.extend(attributes.into_iter().rev());
        }
    }
    let list = m.store.list(&found, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// `'$unifier'(X, Y, Variables, Terms)`: the variables that unifying two terms would bind, the last first, and to what.
/// Nothing is bound. Fails if the terms do not unify.
fn unifier(m: &mut Machine) -> Outcome {
    let (left, right) = (m.argument(0), m.argument(1));
    let Some(bindings) = m.store.unifier(left, right) else { return Ok(false) };
    let (variables, terms): (Vec<Cell>, Vec<Cell>) = bindings.into_iter().unzip();
    let variables = m.store.list(&variables, Cell::atom(atom::NIL));
    let terms = m.store.list(&terms, Cell::atom(atom::NIL));
    Ok(m.unify_argument(2, variables) && m.unify_argument(3, terms))
}
