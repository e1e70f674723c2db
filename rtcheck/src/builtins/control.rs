//! Control, all-solutions, flags, statistics.

use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Number, Record, Tag, atom, compare};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("halt", 0, |_| Err(Throw::Halt(0)));
    machine.define_builtin("halt", 1, |m| {
        let code = m.argument(0);
        if code.tag() != Tag::Int {
            return m.type_error(atom::INTEGER, code);
        }
        Err(Throw::Halt(code.int_value() as i32))
    });
    machine.define_builtin("throw", 1, |m| {
        let ball = m.argument(0);
        if ball.tag() == Tag::Ref { m.instantiation_error() } else { m.throw_term(ball) }
    });
    machine.define_builtin("$cut", 1, |m| {
        let level = m.argument(0).int_value() as usize;
        m.cut_to(level);
        Ok(true)
    });
    machine.define_builtin("$level", 1, |m| {
        let level = Cell::count(m.level());
        Ok(m.unify_argument(0, level))
    });
    machine.define_builtin("$check_body", 1, |m| {
        let body = m.argument(0);
        m.check_body(body).map(|()| true)
    });
    machine.define_builtin("$bag_new", 1, |m| {
        m.bags.push(Vec::new());
        let handle = Cell::count(m.bags.len() - 1);
        Ok(m.unify_argument(0, handle))
    });
    machine.define_builtin("$bag_add", 2, |m| {
        let handle = m.argument(0).int_value() as usize;
        let record = Record::new(&m.store, m.argument(1));
        if let Some(bag) = m.bags.get_mut(handle) {
            bag.push(record);
        }
        Ok(true)
    });
    machine.define_builtin("$bag_take", 2, |m| {
        let handle = m.argument(0).int_value() as usize;
        // Bags above belong to goals that ended by an exception.
        let bag = if handle < m.bags.len() { m.bags.swap_remove(handle) } else { Vec::new() };
        m.bags.truncate(handle);
        let elements: Vec<Cell> = bag.iter().map(|record| record.restore(&mut m.store)).collect();
        let list = m.store.list(&elements, Cell::atom(atom::NIL));
        Ok(m.unify_argument(1, list))
    });
    machine.define_builtin("$msort", 2, |m| sort(m, false));
    machine.define_builtin("$sort", 2, |m| sort(m, true));
    machine.define_builtin("$keysort", 2, keysort);
    machine.define_builtin("$cpu_time", 1, |m| {
        let milliseconds = Cell::int(m.system.cpu_time().as_millis() as i64);
        Ok(m.unify_argument(0, milliseconds))
    });
    machine.define_builtin("$cpu_nanoseconds", 1, |m| {
        let nanoseconds = Number::Int(m.system.cpu_time().as_nanos() as i64);
        let cell = m.store.make_number(&nanoseconds);
        Ok(m.unify_argument(0, cell))
    });
    machine.define_builtin("$wall_time", 1, |m| {
        let milliseconds = Cell::int(m.system.wall_time().as_millis() as i64);
        Ok(m.unify_argument(0, milliseconds))
    });
    machine.define_builtin("$inferences", 1, |m| {
        let calls = Cell::int(m.calls() as i64);
        Ok(m.unify_argument(0, calls))
    });
    machine.define_builtin("$program_arguments", 1, |m| {
        let arguments = m.arguments.clone();
        let cells: Vec<Cell> = arguments.iter().map(|text| Cell::atom(m.atoms.intern(text))).collect();
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
}

/// A proper list, or the error that its absence is.
pub(super) fn list_argument(machine: &mut Machine, i: usize) -> Result<Vec<Cell>, Throw> {
    let list = machine.argument(i);
    match machine.store.list_elements(list) {
        Ok(elements) => Ok(elements),
        Err(tail) if tail.tag() == Tag::Ref => machine.instantiation_error(),
        Err(_) => machine.type_error(atom::LIST, list),
    }
}

fn sort(m: &mut Machine, unique: bool) -> Outcome {
    let mut elements = list_argument(m, 0)?;
    elements.sort_by(|&left, &right| compare(&m.store, &m.atoms, left, right));
    if unique {
        elements.dedup_by(|left, right| compare(&m.store, &m.atoms, *left, *right).is_eq());
    }
    let list = m.store.list(&elements, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

fn keysort(m: &mut Machine) -> Outcome {
    let elements = list_argument(m, 0)?;
    let mut keyed = Vec::with_capacity(elements.len());
    for pair in elements {
        match m.store.match_structure::<2>(pair, atom::MINUS) {
            Some([key, _]) => keyed.push((key, pair)),
            None => return m.type_error_named("pair", pair),
        }
    }
    keyed.sort_by(|&(left, _), &(right, _)| compare(&m.store, &m.atoms, left, right));
    let pairs: Vec<Cell> = keyed.into_iter().map(|(_, pair)| pair).collect();
    let list = m.store.list(&pairs, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}
