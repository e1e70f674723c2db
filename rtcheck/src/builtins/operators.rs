//! Operators: op/3 and current_op/3.

use super::lists::list_argument;
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Atom, Cell, OperatorDefinition, OperatorKind, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("op", 3, op);
    machine.define_builtin("$operators", 4, operators);
}

fn op(m: &mut Machine) -> Outcome {
    let (priority, kind) = (m.argument(0), m.argument(1));
    let (_, names) = m.strip_module(atom::USER, m.argument(2));
    if [priority, kind, names].iter().any(|cell| cell.tag() == Tag::Ref) || has_unknown(m, names) {
        return m.instantiation_error();
    }
    if !m.store.is_integer(priority) {
        return m.type_error(atom::INTEGER, priority);
    }
    if priority.tag() != Tag::Int || !(0..=1200).contains(&priority.int_value()) {
        return m.domain_error("operator_priority", priority);
    }
    if kind.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, kind);
    }
    let Some(kind_value) = OperatorKind::from_name(m.atoms.text(kind.as_atom())) else {
        return m.domain_error("operator_specifier", kind);
    };
    let definition = OperatorDefinition { priority: priority.int_value() as u16, kind: kind_value };
    let names = match names.tag() {
        // The empty list names no operator, as in SWI-Prolog; to the standard it is an atom too, which cannot be one.
        Tag::Atm if names.as_atom() != atom::NIL || m.flags.strict => vec![names],
        Tag::Atm | Tag::Lis | Tag::Ref => list_argument(m, 2)?,
        _ => return m.type_error(atom::LIST, names),
    };
    // Either all are defined or none.
    let mut checked = Vec::with_capacity(names.len());
    for name in names {
        let (_, name) = m.strip_module(atom::USER, name);
        if name.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, name);
        }
        may_define(m, name.as_atom(), definition)?;
        checked.push(name.as_atom());
    }
    for name in checked {
        m.operators.define(name, definition);
    }
    Ok(true)
}

/// Whether a list has an unknown element or end.
fn has_unknown(m: &Machine, list: Cell) -> bool {
    match m.store.list_elements(list) {
        Ok(elements) => elements.iter().any(|element| element.tag() == Tag::Ref),
        Err(tail) => tail.tag() == Tag::Ref,
    }
}

/// Throws if ISO does not let an atom be such an operator.
fn may_define(m: &mut Machine, name: Atom, definition: OperatorDefinition) -> Result<(), Throw> {
    let OperatorDefinition { priority, kind } = definition;
    let cell = Cell::atom(name);
    match name {
        atom::COMMA => return m.permission_error("modify", "operator", cell),
        atom::NIL | atom::CURLY => return m.permission_error("create", "operator", cell),
        atom::BAR if !kind.is_infix() || (1..=1000).contains(&priority) => {
            return m.permission_error("create", "operator", cell);
        }
        _ => {}
    }
    // With both, the reader could not tell which one is meant.
    let other = if kind.is_infix() {
        m.operators.postfix(name)
    } else if kind.is_prefix() {
        None
    } else {
        m.operators.infix(name)
    };
    if priority > 0 && other.is_some() {
        return m.permission_error("create", "operator", cell);
    }
    Ok(())
}

/// `'$operators'(Priority, Kind, Name, List)`: the operators `op(Priority, Kind, Name)` that may match.
fn operators(m: &mut Machine) -> Outcome {
    let (priority, kind) = (m.argument(0), m.argument(1));
    let (_, name) = m.strip_module(atom::USER, m.argument(2));
    let is_priority = priority.tag() == Tag::Int && (0..=1200).contains(&priority.int_value());
    if priority.tag() != Tag::Ref && !is_priority {
        return m.domain_error("operator_priority", priority);
    }
    let is_kind = kind.tag() == Tag::Atm && OperatorKind::from_name(m.atoms.text(kind.as_atom())).is_some();
    if kind.tag() != Tag::Ref && !is_kind {
        return m.domain_error("operator_specifier", kind);
    }
    let found = match name.tag() {
        Tag::Ref => m.operators.all(&m.atoms),
        Tag::Atm => m.operators.of(name.as_atom()).map(|definition| (name.as_atom(), definition)).collect(),
        _ => return m.type_error(atom::ATOM, name),
    };
    let op = m.atoms.intern("op");
    let mut cells = Vec::with_capacity(found.len());
    for (operator, definition) in found {
        let kind = Cell::atom(m.atoms.intern(definition.kind.name()));
        let priority = Cell::int(i64::from(definition.priority));
        cells.push(m.store.compound(op, &[priority, kind, Cell::atom(operator)]));
    }
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(3, list))
}
