//! Terms: taking apart, building, copying, comparing.

use crate::machine::{Machine, Outcome};
use crate::term::{Cell, Record, Tag, atom, compare, variables};
use std::cmp::Ordering;

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("functor", 3, functor);
    machine.define_builtin("arg", 3, arg);
    machine.define_builtin("=..", 2, univ);
    machine.define_builtin("copy_term", 2, |m| {
        let copy = Record::new(&m.store, m.argument(0)).restore(&mut m.store);
        Ok(m.unify_argument(1, copy))
    });
    machine.define_builtin("\\=", 2, |m| {
        // The trail holds every binding of this attempt if all cells count as old.
        let (left, right) = (m.argument(0), m.argument(1));
        let trail = m.store.trail.len();
        let boundary = std::mem::replace(&mut m.store.boundary, usize::MAX);
        let unified = m.store.unify(left, right);
        m.store.undo_to(trail);
        m.store.boundary = boundary;
        Ok(!unified)
    });
    machine.define_builtin("unify_with_occurs_check", 2, |m| {
        let (left, right) = (m.argument(0), m.argument(1));
        if !m.store.unify(left, right) {
            return Ok(false);
        }
        Ok(m.store.is_acyclic(left))
    });
    machine.define_builtin("acyclic_term", 1, |m| Ok(m.store.is_acyclic(m.argument(0))));
    machine.define_builtin("compare", 3, |m| {
        let order = m.argument(0);
        if order.tag() != Tag::Ref {
            if order.tag() != Tag::Atm {
                return m.type_error(atom::ATOM, order);
            }
            if !matches!(order.as_atom(), atom::LESS | atom::EQUALS | atom::GREATER) {
                return m.domain_error("order", order);
            }
        }
        let order = match compare(&m.store, &m.atoms, m.argument(1), m.argument(2)) {
            Ordering::Less => atom::LESS,
            Ordering::Equal => atom::EQUALS,
            Ordering::Greater => atom::GREATER,
        };
        Ok(m.unify_argument(0, Cell::atom(order)))
    });
    machine.define_builtin("ground", 1, |m| Ok(variables(&m.store, m.argument(0)).is_empty()));
    machine.define_builtin("term_variables", 2, |m| {
        let variables = variables(&m.store, m.argument(0));
        let list = m.store.list(&variables, Cell::atom(atom::NIL));
        Ok(m.unify_argument(1, list))
    });
    machine.define_builtin("is_list", 1, |m| Ok(m.store.list_elements(m.argument(0)).is_ok()));
    machine.define_builtin("$skip_list", 3, skip_list);
    machine.define_builtin("setarg", 3, setarg);
    machine.define_builtin("$nb_set", 2, |m| {
        let key = m.argument(0);
        if key.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, key);
        }
        let record = Record::new(&m.store, m.argument(1));
        m.globals.insert(key.as_atom(), record);
        Ok(true)
    });
    machine.define_builtin("nb_getval", 2, |m| {
        let key = m.argument(0);
        if key.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, key);
        }
        match m.globals.get(&key.as_atom()).cloned() {
            Some(record) => {
                let value = record.restore(&mut m.store);
                Ok(m.unify_argument(1, value))
            }
            None => m.existence_error("variable", key),
        }
    });
}

fn functor(m: &mut Machine) -> Outcome {
    let term = m.argument(0);
    if term.tag() != Tag::Ref {
        let (name, arity) = match m.store.functor(term) {
            Some((name, arity)) => (Cell::atom(name), arity),
            None => (term, 0),
        };
        return Ok(m.unify_argument(1, name) && m.unify_argument(2, Cell::count(arity)));
    }
    let (name, arity) = (m.argument(1), m.argument(2));
    if name.tag() == Tag::Ref || arity.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if arity.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, arity);
    }
    let count = arity.int_value();
    if count < 0 {
        return m.domain_error("not_less_than_zero", arity);
    }
    if count == 0 {
        return if name.is_atomic() {
            Ok(m.unify_argument(0, name))
        } else {
            m.type_error(atom::ATOMIC, name)
        };
    }
    if !name.is_atomic() {
        return m.type_error(atom::ATOMIC, name);
    }
    if name.tag() != Tag::Atm {
        return m.type_error(atom::CALLABLE, name);
    }
    if count as usize > Cell::MAX_ARITY {
        return m.representation_error("max_arity");
    }
    let arguments: Vec<Cell> = (0..count).map(|_| m.store.variable()).collect();
    let term = m.store.compound(name.as_atom(), &arguments);
    Ok(m.unify_argument(0, term))
}

fn arg(m: &mut Machine) -> Outcome {
    let (n, term) = (m.argument(0), m.argument(1));
    if n.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if !m.store.is_integer(n) {
        return m.type_error(atom::INTEGER, n);
    }
    if !matches!(term.tag(), Tag::Str | Tag::Lis) {
        return m.type_error(atom::COMPOUND, term);
    }
    if n.tag() != Tag::Int || n.int_value() < 0 {
        return m.domain_error("not_less_than_zero", n);
    }
    let (first, count) = m.store.arguments(term);
    let position = n.int_value() as usize;
    if position == 0 || position > count {
        return Ok(false);
    }
    let argument = m.store.at(first + position - 1);
    Ok(m.unify_argument(2, argument))
}

fn univ(m: &mut Machine) -> Outcome {
    let term = m.argument(0);
    if term.tag() != Tag::Ref {
        let mut elements = vec![match m.store.functor(term) {
            Some((name, _)) => Cell::atom(name),
            None => term,
        }];
        let (first, count) = m.store.arguments(term);
        elements.extend((first..first + count).map(|i| m.store.at(i)));
        let list = m.store.list(&elements, Cell::atom(atom::NIL));
        return Ok(m.unify_argument(1, list));
    }
    let elements = match m.store.list_elements(m.argument(1)) {
        Ok(elements) => elements,
        Err(tail) if tail.tag() == Tag::Ref => return m.instantiation_error(),
        Err(_) => {
            let list = m.argument(1);
            return m.type_error(atom::LIST, list);
        }
    };
    let Some((&name, arguments)) = elements.split_first() else {
        let list = m.argument(1);
        return m.domain_error("non_empty_list", list);
    };
    if name.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let term = if arguments.is_empty() {
        if !name.is_atomic() {
            return m.type_error(atom::ATOMIC, name);
        }
        name
    } else {
        if name.tag() != Tag::Atm {
            let expected = if name.is_atomic() { atom::CALLABLE } else { atom::ATOMIC };
            return m.type_error(expected, name);
        }
        m.store.compound(name.as_atom(), arguments)
    };
    Ok(m.unify_argument(0, term))
}

/// `'$skip_list'(List, Length, Tail)`: how many list cells there are in front of the tail. A cyclic list is an
/// error of type.
fn skip_list(m: &mut Machine) -> Outcome {
    let list = m.argument(0);
    let mut cell = list;
    let mut length = 0;
    while cell.tag() == Tag::Lis {
        length += 1;
        if length > m.store.len() {
            return m.type_error(atom::LIST, Cell::atom(atom::NIL));
        }
        cell = m.store.argument(cell, 1);
    }
    Ok(m.unify_argument(1, Cell::count(length)) && m.unify_argument(2, cell))
}

/// Destructive assignment, undone on backtracking. What was checked may be false now.
fn setarg(m: &mut Machine) -> Outcome {
    let (n, term, value) = (m.argument(0), m.argument(1), m.argument(2));
    if n.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, n);
    }
    if !matches!(term.tag(), Tag::Str | Tag::Lis) {
        return m.type_error(atom::COMPOUND, term);
    }
    let (first, count) = m.store.arguments(term);
    let position = n.int_value();
    if position < 1 || position as usize > count {
        return Ok(false);
    }
    m.store.assign(first + position as usize - 1, value);
    m.checker.clear();
    Ok(true)
}
