//! The engine's own code: where it lies, and which predicates of the library are not compiled yet.
//!
//! A program calls few of the library's predicates, and compiling all of them is what a start would take most for. So a
//! predicate begins as one instruction, [`Instruction::Uncompiled`], and its clauses are compiled when a call comes
//! there first. The instruction then becomes a jump, for whoever has kept the address, and the entries of the predicate
//! and of those that follow it become the address of the code. That is no new definition: nobody is told, no proof is
//! doubted, and what kind of predicate it is, its place and its declarations are known from the start.
//!
//! Compiling runs no goal, moves no register and touches no stack: the terms of the clauses are left in the store as
//! garbage.

use crate::machine::{Address, Instruction, Kind, Machine, PredicateId};
use crate::term::Operators;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The engine's own code.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// The code of the built-ins' own predicates.
    pub(in crate::machine) builtins: Range<Address>,
    /// That of the library, in order.
    code: Vec<Range<Address>>,
    /// That of its text of control: an integer in an environment there is a position of a choicepoint.
    control: Vec<Range<Address>>,
    /// What is not compiled yet.
    waiting: FxHashMap<PredicateId, Uncompiled>,
    /// The operators that the texts are read with, whatever a program declares.
    pub(crate) operators: Option<Operators>,
}

/// A predicate of the library that nobody has called yet.
#[derive(Debug)]
pub(crate) struct Uncompiled {
    /// The texts of its clauses.
    pub(crate) clauses: Vec<&'static str>,
    /// Whether they are of the text of control.
    pub(crate) control: bool,
}

impl Library {
    /// Whether an address is in the library's code.
    pub(in crate::machine) fn has(&self, address: Address) -> bool {
        contains(&self.code, address)
    }

    /// Whether it is in the code of control.
    pub(in crate::machine) fn has_control(&self, address: Address) -> bool {
        contains(&self.control, address)
    }
}

/// Whether one of the ranges, which are in order, has an address.
fn contains(ranges: &[Range<Address>], address: Address) -> bool {
    let behind = ranges.partition_point(|range| range.start <= address);
    ranges[..behind].last().is_some_and(|range| range.contains(&address))
}

impl Machine {
    /// Notes that the code of the built-ins' own predicates ends here, and the library's begins.
    pub(crate) fn begin_library(&mut self) {
        self.library.builtins = 0..self.next_address();
        self.library.operators = Some(self.operators.clone());
    }

    /// Defines a predicate of the library whose clauses are compiled when it is called first. Returns where calls go.
    pub(crate) fn define_uncompiled(&mut self, id: PredicateId, uncompiled: Uncompiled) -> Address {
        let stub = self.add_code(&[Instruction::Uncompiled(id)]);
        self.define(id, Kind::Library, stub);
        self.library.waiting.insert(id, uncompiled);
        stub
    }

    /// Executes [`Instruction::Uncompiled`]: where the clauses of the predicate are, which are compiled now.
    #[cold]
    pub(crate) fn compile_called(&mut self, id: PredicateId, stub: Address) -> Address {
        let Some(uncompiled) = self.library.waiting.remove(&id) else {
            // The instruction is a jump once the library's clauses are there.
            return self.call_growing(id);
        };
        let start = self.next_address();
        let address = (self.hooks.compile_library)(self, &uncompiled.clauses);
        let code = start..self.next_address();
        if uncompiled.control {
            self.library.control.push(code.clone());
        }
        self.library.code.push(code);
        self.set_code(stub, Instruction::Jump(address));
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let predicate = self.predicate_mut(id);
            let places = [&mut predicate.entry, &mut predicate.exported, &mut predicate.body];
            for place in places.into_iter().filter(|place| **place == stub) {
                *place = address;
            }
            pending.extend_from_slice(&predicate.followers);
            self.refresh_entering(id);
        }
        address
    }

    /// Compiles the clauses of a predicate that may be waiting for its first call.
    pub(crate) fn compile_waiting(&mut self, id: PredicateId) {
        let id = self.origin(id);
        let stub = self.predicate_at(id).body;
        if self.code_at(stub) == Instruction::Uncompiled(id) {
            let scope = self.begin_scope();
            self.compile_called(id, stub);
            self.drop_scope(scope);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_the_range_that_has_it() {
        let ranges = [3..5, 5..5, 9..12];
        let found: Vec<Address> = (0..14).filter(|&address| contains(&ranges, address)).collect();
        assert_eq!(found, [3, 4, 9, 10, 11]);
    }
}
