//! The clauses of a predicate behind switches on their arguments.
//!
//! One argument is chosen to switch on; where that leaves several clauses, the next one that tells all of them apart.
//! So a call that leaves the first argument free is decided by the second, and facts with equal first arguments by the
//! others. What is left after all switches is tried in order.

use super::body::read_body;
use super::emit;
use super::guard::{Guard, Known, Ways};
use super::label::target;
use super::{CompileError, Exit};
use crate::machine::{Address, Cases, Instruction as I, Machine, SwitchTable, UNPLACED};
use crate::term::{Cell, Tag, atom};
use rustc_hash::FxHashMap;
use std::ops::Range;

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
    compile_by_exits(machine, clauses, &[])
}

/// The same, with the exits of the clauses; those behind the last one given are plain.
///
/// # Errors
/// The same.
pub fn compile_by_exits(
    machine: &mut Machine,
    clauses: &[Cell],
    exits: &[Exit],
) -> Result<Address, CompileError> {
    let parts =
        clauses.iter().map(|&clause| head_and_body(machine, clause)).collect::<Result<Vec<_>, _>>()?;
    let mut compiled = Vec::with_capacity(parts.len());
    machine.compiled.clear();
    for (i, &(head, body)) in parts.iter().enumerate() {
        let exit = exits.get(i).copied().unwrap_or(Exit::Plain);
        let clause = place(machine, (head, body), exit, parts.len() > 1)?;
        machine.compiled.push((clause.address, machine.next_address()));
        compiled.push(clause);
    }
    let arity = parts.first().map_or(0, |&(head, _)| machine.store.arguments(head).1);
    let all: Vec<usize> = (0..compiled.len()).collect();
    let mut chains = Chains { machine, clauses: &compiled, arity, guards: FxHashMap::default() };
    Ok(chains.select(&all, &vec![Known::Nothing; arity], 0))
}

/// A clause that has been compiled.
struct Placed {
    head: Cell,
    address: Address,
    guard: Option<Guard>,
}

/// Puts clauses together. They are named by their positions.
struct Chains<'a> {
    machine: &'a mut Machine,
    clauses: &'a [Placed],
    arity: usize,
    /// Guards by clause, what is known of the arguments, and the address behind.
    guards: FxHashMap<(usize, Vec<Known>, Address), Option<Address>>,
}

/// Switches behind a switch are worth their room for this many levels, with few clauses and with many.
const FEW_CLAUSES: usize = 32;
const LEVELS: (usize, usize) = (3, 1);

impl Chains<'_> {
    /// Code that chooses among clauses by their arguments and tries those that are left, when something is known of the
    /// arguments already.
    fn select(&mut self, clauses: &[usize], known: &[Known], depth: usize) -> Address {
        let Some((argument, keys)) = self.choose_argument(clauses, known, depth) else {
            return self.chain(clauses, known);
        };
        let keyed = |accept: &dyn Fn(Key) -> bool| -> Vec<usize> {
            clauses.iter().zip(&keys).filter(|&(_, &key)| accept(key)).map(|(&clause, _)| clause).collect()
        };
        let now = |what: Known| {
            let mut known = known.to_vec();
            known[argument] = what;
            known
        };
        let (free, matched) = (now(Known::Free), now(Known::Matched));
        let mut groups: Vec<(Cell, Vec<usize>)> = Vec::new();
        let mut positions = FxHashMap::default();
        let mut any = Vec::new();
        for (&key, &clause) in keys.iter().zip(clauses) {
            match key {
                Key::Any => {
                    any.push(clause);
                    for (_, group) in &mut groups {
                        group.push(clause);
                    }
                }
                Key::Cell(cell) => {
                    let position = *positions.entry(cell).or_insert_with(|| {
                        groups.push((cell, any.clone()));
                        groups.len() - 1
                    });
                    groups[position].1.push(clause);
                }
                Key::List | Key::Boxed => {}
            }
        }
        let variable = self.select(clauses, &free, depth + 1);
        let list = self.select(&keyed(&|key| matches!(key, Key::Any | Key::List)), &matched, depth + 1);
        // What is no case may be a number of any size: of the argument only that it is not free is known.
        let other = self.chain(&keyed(&|key| matches!(key, Key::Any | Key::Boxed)), known);
        let cases: Vec<(Cell, Address)> = groups
            .into_iter()
            .map(|(cell, group)| (cell, self.select(&group, &matched, depth + 1)))
            .collect();
        let argument = argument as u16;
        if let (0, [] | [(EMPTY_LIST, _)]) = (other, cases.as_slice()) {
            let empty = cases.first().map_or(0, |&(_, address)| address);
            return self.switch_list(argument, variable, list, empty);
        }
        let table = SwitchTable { argument, variable, list, other, cases: Cases::new(cases) };
        let table = self.machine.add_table(table);
        self.machine.add_code(&[I::Switch(table)])
    }

    /// Chooses between lists. A single clause for them that has room in front takes its head and tail at once.
    fn switch_list(&mut self, argument: u16, variable: Address, list: Address, empty: Address) -> Address {
        let is_clause = self.clauses.iter().any(|clause| clause.address == list);
        if is_clause
            && let I::GetListVariables(register, head, tail) = self.machine.code_at(list)
            && register == argument
            && self.machine.code_at(list - 1) == ROOM
        {
            self.machine.set_code(list - 1, I::SwitchListVariables(argument, head, tail, variable, empty));
            return self.copy_list(argument, head, tail, list).unwrap_or(list - 1);
        }
        self.machine.add_code(&[I::SwitchList(argument, variable, list, empty)])
    }

    /// In front of a clause for lists that does nothing but copy one goes an instruction that does so to its end.
    fn copy_list(&mut self, argument: u16, head: u16, tail: u16, list: Address) -> Option<Address> {
        let (I::GetListValue(copy, value, rest), I::Execute(predicate)) =
            (self.machine.code_at(list + 1), self.machine.code_at(list + 2))
        else {
            return None;
        };
        let stays = tail == argument && value == head && rest == copy && copy != argument;
        // The register of the head is nobody's at the next call.
        let all_stay = stays && head as usize >= self.arity && (copy as usize) < self.arity;
        all_stay.then(|| self.machine.add_code(&[I::CopyList(argument, copy, predicate, list - 1)]))
    }

    /// The argument to switch on, with the clauses' keys there: the first one on which at most half of the clauses take
    /// any term, else the first on which not all do. Behind another switch it must tell all clauses apart. None if a
    /// switch would be useless.
    fn choose_argument(&self, clauses: &[usize], known: &[Known], depth: usize) -> Option<(usize, Vec<Key>)> {
        let levels = if clauses.len() <= FEW_CLAUSES { LEVELS.0 } else { LEVELS.1 };
        let (&first, _) = clauses.split_first().filter(|(_, others)| !others.is_empty())?;
        // Where the first clause is likely to be the last one tried, looking further is a waste.
        let decides = |guard: &Guard| guard.is_useful(&self.machine.store, known);
        if depth > levels || depth > 0 && self.clauses[first].guard.as_ref().is_some_and(decides) {
            return None;
        }
        let mut useful = None;
        for argument in (0..self.arity.min(4)).filter(|&argument| known[argument] == Known::Nothing) {
            let keys: Vec<Key> = clauses
                .iter()
                .map(|&clause| {
                    key(self.machine, self.machine.store.argument(self.clauses[clause].head, argument))
                })
                .collect();
            let any = keys.iter().filter(|&&key| key == Key::Any).count();
            let differ = keys.iter().any(|key| *key != keys[0]);
            let tells_apart = if depth == 0 { 2 * any <= keys.len() } else { any == 0 && differ };
            if tells_apart {
                return Some((argument, keys));
            }
            if depth == 0 && any < keys.len() && useful.is_none() {
                useful = Some((argument, keys));
            }
        }
        useful
    }

    /// Instructions that try clauses in order; the clause itself if there is one, failure if there is none. Clauses
    /// with a guard make a choicepoint only where it is open whether they are the last one.
    fn chain(&mut self, clauses: &[usize], known: &[Known]) -> Address {
        // From the end: each address is where to go with the clauses from there on.
        let mut rest: &[usize] = clauses;
        let mut next = 0;
        let mut is_last = true;
        while let Some((&clause, before)) = rest.split_last() {
            if is_last {
                next = self.clauses[clause].address;
            } else if let Some(guard) = self.guard(clause, known, next) {
                next = guard;
            } else {
                // All clauses in front of this one up to a guarded one share its choicepoint.
                let plain = before.iter().rev().take_while(|&&clause| !self.has_guard(clause, known)).count();
                let (others, together) = rest.split_at(before.len() - plain);
                next = self.tried(together, next);
                rest = others;
                continue;
            }
            is_last = false;
            rest = before;
        }
        next
    }

    /// Makes a choicepoint and tries clauses, and what is behind them.
    fn tried(&mut self, clauses: &[usize], next: Address) -> Address {
        let address = |&clause: &usize| self.clauses[clause].address;
        let mut code: Vec<I> = clauses.iter().map(|clause| I::Retry(address(clause))).collect();
        if let (Some(first), Some(clause)) = (code.first_mut(), clauses.first()) {
            *first = I::Try(address(clause), self.arity as u16);
        }
        code.push(I::Trust(next));
        self.machine.add_code(&code)
    }

    fn has_guard(&self, clause: usize, known: &[Known]) -> bool {
        let guard = self.clauses[clause].guard.as_ref();
        guard.is_some_and(|guard| guard.is_useful(&self.machine.store, known))
    }

    /// The code that decides for a clause, with what follows at `next`.
    fn guard(&mut self, clause: usize, known: &[Known], next: Address) -> Option<Address> {
        if !self.has_guard(clause, known) {
            return None;
        }
        let index = (clause, known.to_vec(), next);
        if let Some(&address) = self.guards.get(&index) {
            return address;
        }
        let address = self.make_guard(clause, known, next);
        self.guards.insert(index, address);
        address
    }

    fn make_guard(&mut self, clause: usize, known: &[Known], next: Address) -> Option<Address> {
        let placed = &self.clauses[clause];
        if let Some(code) = leading_tests(self.machine, placed.address, self.arity, next) {
            return Some(self.machine.add_code(&code));
        }
        let commit = placed.address;
        // In front of the guard is the choicepoint that it may have to make.
        let unknown = self.machine.next_address();
        let ways = Ways { commit, otherwise: next, unknown };
        let Ok(code) = placed.guard.as_ref()?.code(self.machine, known, ways, unknown + 2) else {
            // Too few registers for the guard leave the choicepoint.
            return Some(self.tried(&[clause], next));
        };
        if code == [I::Jump(commit)] {
            return Some(commit);
        }
        self.tried(&[clause], next);
        Some(self.machine.add_code(&code))
    }
}

/// Compiles one clause `(Head :- Body)` by itself, and returns where its code lies.
///
/// # Errors
/// The clause cannot be compiled.
pub fn compile_clause_body(machine: &mut Machine, clause: Cell) -> Result<Range<Address>, CompileError> {
    let (head, body) = head_and_body(machine, clause)?;
    let goals = read_body(machine, body)?;
    let code = emit::clause(machine, head, &goals, UNPLACED, Exit::Plain)?;
    Ok(machine.place_code(code, target))
}

/// The head and the body of a clause, without the module that may stand before the head; `true` is the body of a fact.
///
/// # Errors
/// The head is no callable term.
pub(crate) fn head_and_body(machine: &Machine, clause: Cell) -> Result<(Cell, Cell), CompileError> {
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

/// What stands in front of a clause until a switch takes the place.
const ROOM: I = I::Fail;

/// Compiles a clause. `several`: there are others, from which it is to be told by its first list.
fn place(
    machine: &mut Machine,
    (head, body): (Cell, Cell),
    exit: Exit,
    several: bool,
) -> Result<Placed, CompileError> {
    let goals = read_body(machine, body)?;
    // The code may hold its own addresses, and compiling it makes predicates for its calls, whose instructions come
    // first: once they are there, it can be written.
    let mut at = machine.next_address();
    let mut exit = exit;
    let mut code = emit::clause(machine, head, &goals, at, exit)?;
    let arity = machine.store.arguments(head).1;
    let disturbs = |&instruction: &I| {
        matches!(instruction, I::Proceed | I::Allocate(_)) || machine.overwrites(instruction, arity)
    };
    if let Exit::Through(_, frame) = exit
        && code.iter().any(disturbs)
    {
        exit = Exit::Behind(frame);
        code = emit::clause(machine, head, &goals, at, exit)?;
    }
    let room = several && code.iter().any(|instruction| matches!(instruction, I::GetListVariables(..)));
    if room {
        machine.add_code(&[ROOM]);
    }
    if machine.next_address() != at {
        at = machine.next_address();
        code = emit::clause(machine, head, &goals, at, exit)?;
    }
    let guard = if several { Guard::new(&machine.store, head, &goals) } else { None };
    Ok(Placed { head, address: machine.add_code(&code), guard })
}

/// The tests of a clause that is nothing but tests in front of its first cut, with what follows: the clause behind the
/// cut, or `next`.
fn leading_tests(machine: &Machine, clause: Address, arity: usize, next: Address) -> Option<Vec<I>> {
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
            I::AddSmall(_, to, _)
            | I::ArithmeticSmall(_, _, to, _)
            | I::Add(_, _, to)
            | I::Subtract(_, _, to)
            | I::Evaluate(_, to)
            | I::Arithmetic(_, _, _, to)
            | I::Move(_, to)
                if kept(*to) => {}
            I::PutConstant(to, _) | I::PutBoxed(to, _) if kept(*to) => {}
            I::NeckCut => break,
            _ => return None,
        }
        code.push(instruction);
    }
    // Entered with the choicepoints of the call, the cut has nothing to remove.
    code.push(I::Jump(address));
    Some(code)
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
