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
    machine.compiled.clear();
    for &(head, body) in &parts {
        let address = place(machine, head, body)?;
        addresses.push(address);
        machine.compiled.push((address, machine.next_address()));
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
///
/// A clause that begins with tests and a cut needs no choicepoint: its tests lead to the next clause themselves.
fn chain(machine: &mut Machine, clauses: &[Address], arity: usize) -> Address {
    // From the end: each address is where to go with the clauses from there on.
    let mut rest: &[Address] = clauses;
    let mut next = 0;
    let mut is_last = true;
    while let Some((&clause, before)) = rest.split_last() {
        if is_last {
            next = clause;
        } else if let Some(guard) = guard(machine, clause, arity, next) {
            next = guard;
        } else {
            // All clauses in front of this one up to a guarded one share its choicepoint.
            let plain =
                before.iter().rev().take_while(|&&clause| guard(machine, clause, arity, 0).is_none()).count();
            let (others, together) = rest.split_at(before.len() - plain);
            let mut code = vec![I::Try(together[0], arity as u16)];
            code.extend(together[1..].iter().map(|&clause| I::Retry(clause)));
            code.push(I::Trust(next));
            next = machine.add_code(&code);
            rest = others;
            continue;
        }
        is_last = false;
        rest = before;
    }
    next
}

/// The tests of a clause that is nothing but tests in front of its first cut, with what follows: the clause behind the
/// cut, or `next`. With `next` 0, only whether there are such tests.
fn guard(machine: &mut Machine, clause: Address, arity: usize, next: Address) -> Option<Address> {
    let kept = |register: u16| register as usize >= arity;
    let mut code = Vec::new();
    let mut address = clause;
    loop {
        let mut instruction = machine.code_at(address);
        address += 1;
        match &mut instruction {
            I::Test(_, _, to)
            | I::CompareNumbers(_, _, _, to)
            | I::CompareSmall(_, _, _, to)
            | I::CompareTerms(_, _, _, to)
                if *to == 0 =>
            {
                *to = next;
            }
            I::AddSmall(_, to, _) | I::Evaluate(_, to) | I::Arithmetic(_, _, _, to) | I::Move(_, to)
                if kept(*to) => {}
            I::PutConstant(to, _) | I::PutBoxed(to, _) if kept(*to) => {}
            I::NeckCut => break,
            _ => return None,
        }
        code.push(instruction);
    }
    if next == 0 {
        return Some(0);
    }
    // Entered with the choicepoints of the call, the cut has nothing to remove.
    code.push(I::Jump(address));
    Some(machine.add_code(&code))
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
