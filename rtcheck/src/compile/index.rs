//! The clauses of a predicate behind a switch on one argument.

use super::CompileError;
use super::body::read_body;
use super::emit;
use crate::machine::{Address, Cases, Instruction as I, Machine, SwitchTable};
use crate::term::{Cell, Tag, atom};

const EMPTY_LIST: Cell = Cell::atom(atom::NIL);

/// What a clause's indexed argument is.
#[derive(Clone, Copy, PartialEq)]
enum Key {
    Any,
    List,
    /// An atom, a small integer or a functor cell.
    Cell(Cell),
    /// A boxed number: only clauses for any term and for boxed numbers can match it.
    Boxed,
}

/// Compiles the clauses of a predicate, each a fact or `(Head :- Body)`, and returns where they start.
///
/// # Errors
/// A clause that cannot be compiled.
pub fn compile_predicate(machine: &mut Machine, clauses: &[Cell]) -> Result<Address, CompileError> {
    let parts = clauses.iter().map(|&clause| split(machine, clause)).collect::<Result<Vec<_>, _>>()?;
    let mut addresses = Vec::with_capacity(parts.len());
    for &(head, body) in &parts {
        addresses.push(place(machine, head, body)?);
    }
    let (arity, keys) = choose_argument(machine, &parts);
    let Some((argument, keys)) = keys else { return Ok(chain(machine, &addresses, arity)) };

    let select = |accept: &dyn Fn(Key) -> bool| -> Vec<Address> {
        addresses.iter().zip(&keys).filter(|&(_, &key)| accept(key)).map(|(&address, _)| address).collect()
    };
    let mut table = SwitchTable {
        argument: argument as u16,
        variable: chain(machine, &addresses, arity),
        list: chain(machine, &select(&|key| matches!(key, Key::Any | Key::List)), arity),
        other: chain(machine, &select(&|key| matches!(key, Key::Any | Key::Boxed)), arity),
        cases: Cases::default(),
    };
    let mut cases: Vec<(Cell, Vec<Address>)> = Vec::new();
    let mut positions = rustc_hash::FxHashMap::default();
    let mut any = Vec::new();
    for (&key, &address) in keys.iter().zip(&addresses) {
        match key {
            Key::Any => {
                any.push(address);
                for (_, chain) in &mut cases {
                    chain.push(address);
                }
            }
            Key::Cell(cell) => {
                let position = *positions.entry(cell).or_insert_with(|| {
                    cases.push((cell, any.clone()));
                    cases.len() - 1
                });
                cases[position].1.push(address);
            }
            Key::List | Key::Boxed => {}
        }
    }
    let cases: Vec<_> =
        cases.into_iter().map(|(cell, addresses)| (cell, chain(machine, &addresses, arity))).collect();
    if let (0, [] | [(EMPTY_LIST, _)]) = (table.other, cases.as_slice()) {
        let empty = cases.first().map_or(0, |&(_, address)| address);
        return Ok(machine.add_code(&[I::SwitchList(table.argument, table.variable, table.list, empty)]));
    }
    table.cases = Cases::new(cases);
    let table = machine.add_table(table);
    Ok(machine.add_code(&[I::Switch(table)]))
}

/// Compiles one clause `(Head :- Body)` by itself.
///
/// # Errors
/// The clause cannot be compiled.
pub fn compile_clause_body(machine: &mut Machine, clause: Cell) -> Result<Address, CompileError> {
    let (head, body) = split(machine, clause)?;
    place(machine, head, body)
}

fn split(machine: &Machine, clause: Cell) -> Result<(Cell, Cell), CompileError> {
    let clause = machine.store.deref(clause);
    let (head, body) = match machine.store.match_structure::<2>(clause, atom::NECK) {
        Some([head, body]) => (head, body),
        None => (clause, Cell::atom(atom::TRUE)),
    };
    let head = match machine.store.match_structure::<2>(head, atom::COLON) {
        Some([_, inner]) => inner,
        None => head,
    };
    if machine.store.functor(head).is_none() { Err(CompileError::Head(head)) } else { Ok((head, body)) }
}

fn place(machine: &mut Machine, head: Cell, body: Cell) -> Result<Address, CompileError> {
    let goals = read_body(machine, body)?;
    let at = machine.next_address();
    let code = emit::clause(machine, head, &goals, at)?;
    // Compiling a clause makes predicates for its calls, whose own instruction may have come first.
    if machine.next_address() == at {
        return Ok(machine.add_code(&code));
    }
    let at = machine.next_address();
    let code = emit::clause(machine, head, &goals, at)?;
    Ok(machine.add_code(&code))
}

/// Instructions that try clauses in order; the clause itself if there is one, failure if there is none.
fn chain(machine: &mut Machine, clauses: &[Address], arity: usize) -> Address {
    match *clauses {
        [] => 0,
        [only] => only,
        [first, ref middle @ .., last] => {
            let mut code = vec![I::Try(first, arity as u16)];
            code.extend(middle.iter().map(|&clause| I::Retry(clause)));
            code.push(I::Trust(last));
            machine.add_code(&code)
        }
    }
}

/// The argument to switch on: the first one on which no clause takes any term, else the first on which not
/// all do. With the arity, and the clauses' keys there; none if a switch would be useless.
fn choose_argument(machine: &Machine, parts: &[(Cell, Cell)]) -> (usize, Option<(usize, Vec<Key>)>) {
    let arity = parts.first().map_or(0, |&(head, _)| machine.store.arguments(head).1);
    if parts.len() < 2 {
        return (arity, None);
    }
    let keys = |argument: usize| -> Vec<Key> {
        parts.iter().map(|&(head, _)| key(machine, machine.store.argument(head, argument))).collect()
    };
    let mut useful = None;
    for argument in 0..arity.min(4) {
        let keys = keys(argument);
        let any = keys.iter().filter(|&&key| key == Key::Any).count();
        if any == 0 {
            return (arity, Some((argument, keys)));
        }
        if any < keys.len() && useful.is_none() {
            useful = Some((argument, keys));
        }
    }
    (arity, useful)
}

fn key(machine: &Machine, cell: Cell) -> Key {
    match cell.tag() {
        Tag::Ref => Key::Any,
        Tag::Lis => Key::List,
        Tag::Str => Key::Cell(machine.store.at(cell.index())),
        Tag::Box => Key::Boxed,
        _ => Key::Cell(cell),
    }
}
