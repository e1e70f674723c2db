//! Instructions that match and build terms.

use super::CompileError;
use super::allocate::VariableId;
use super::emit::{Emitter, Location};
use crate::machine::{Instruction as I, Lie, X};
use crate::term::{Cell, Tag, atom};

/// One argument in a chain of nested last arguments.
enum Part {
    /// An argument other than a compound last one.
    Argument(Cell),
    /// The last argument is a list cell.
    TailList,
    /// The last argument is a structure with this functor.
    TailStructure(Cell),
}

impl Emitter<'_> {
    /// A term's arguments, and those of its compound last argument, and so on, in the order in which matching
    /// or building them needs no register for the last ones.
    fn chain(&self, term: Cell) -> Vec<Part> {
        let store = &self.machine.store;
        let mut parts = Vec::new();
        let mut term = term;
        loop {
            let (first, count) = store.arguments(term);
            for i in 0..count {
                let argument = store.deref(store.at(first + i));
                if i + 1 < count {
                    parts.push(Part::Argument(argument));
                    continue;
                }
                match argument.tag() {
                    Tag::Lis => parts.push(Part::TailList),
                    Tag::Str => parts.push(Part::TailStructure(store.at(argument.index()))),
                    _ => {
                        parts.push(Part::Argument(argument));
                        return parts;
                    }
                }
                term = argument;
            }
            if count == 0 {
                return parts;
            }
        }
    }

    /// Numbers that do not fit into cells get their registers before a chain, whose cells must lie together.
    fn prepare_numbers(&mut self, parts: &[Part]) -> Result<Vec<X>, CompileError> {
        let mut registers = Vec::new();
        for part in parts {
            if let Part::Argument(cell) = part
                && cell.tag() == Tag::Box
            {
                let register = self.fresh()?;
                let number = self.machine.add_number(*cell);
                self.push(I::PutBoxed(register, number));
                registers.push(register);
            }
        }
        Ok(registers)
    }

    /// Matches a register with a compound term. `own`: nobody needs the register afterwards.
    pub(super) fn match_term(&mut self, register: X, term: Cell, own: bool) -> Result<(), CompileError> {
        let mut pending = vec![(register, term, own)];
        while let Some((register, term, own)) = pending.pop() {
            let parts = self.chain(term);
            let mut numbers = self.prepare_numbers(&parts)?.into_iter();
            if term.tag() == Tag::Lis {
                self.push(I::GetList(register, 0));
            } else {
                let functor = self.functor(term);
                self.push(I::GetStructure(register, 0, functor));
            }
            // The register is read: nested terms may use it again.
            if own {
                self.free(register);
            }
            let mut nested = Vec::new();
            for part in parts {
                match part {
                    Part::TailList => self.push(I::UnifyTailList(0)),
                    Part::TailStructure(functor) => {
                        self.push(I::UnifyTailStructure(0, functor));
                    }
                    Part::Argument(cell) => match cell.tag() {
                        Tag::Ref => self.match_variable(cell)?,
                        Tag::Atm | Tag::Int | Tag::Txt => {
                            self.push(I::UnifyConstant(cell));
                        }
                        Tag::Box => {
                            if let Some(number) = numbers.next() {
                                self.push(I::UnifyValueX(number));
                                self.free(number);
                            }
                        }
                        _ => {
                            let register = self.fresh()?;
                            self.push(I::UnifyVariableX(register));
                            nested.push((register, cell, true));
                        }
                    },
                }
            }
            pending.extend(nested.into_iter().rev());
        }
        Ok(())
    }

    fn match_variable(&mut self, cell: Cell) -> Result<(), CompileError> {
        let Some(id) = self.analysis.id(cell) else { return Ok(()) };
        match self.location(id) {
            Some(Location::X(register)) => self.push(I::UnifyValueX(register)),
            Some(Location::Y(slot)) => self.push(I::UnifyValueY(slot)),
            None if self.is_void(id) => {
                if let Some(I::UnifyVoid(count)) = self.code.last_mut() {
                    *count += 1;
                } else {
                    self.push(I::UnifyVoid(1));
                }
            }
            None => match self.place(id)? {
                Location::X(register) => self.push(I::UnifyVariableX(register)),
                Location::Y(slot) => self.push(I::UnifyVariableY(slot)),
            },
        }
        Ok(())
    }

    /// Builds a compound term in a register.
    pub(super) fn build_term(&mut self, register: X, term: Cell) -> Result<(), CompileError> {
        let mut pending = vec![(register, term, false)];
        while let Some((register, term, nested)) = pending.pop() {
            let parts = self.chain(term);
            let mut numbers = self.prepare_numbers(&parts)?.into_iter();
            let functor = self.functor(term);
            self.push(match (term.tag() == Tag::Lis, nested) {
                (true, false) => I::PutList(register),
                (true, true) => I::FillList(register),
                (false, false) => I::PutStructure(register, functor),
                (false, true) => I::FillStructure(register, functor),
            });
            if nested {
                self.free(register);
            }
            let mut inner = Vec::new();
            for part in parts {
                match part {
                    Part::TailList => self.push(I::SetTailList),
                    Part::TailStructure(functor) => {
                        self.push(I::SetTailStructure(functor));
                    }
                    Part::Argument(cell) => match cell.tag() {
                        Tag::Ref => self.build_variable(cell)?,
                        Tag::Atm | Tag::Int | Tag::Txt => {
                            self.push(I::SetConstant(cell));
                        }
                        Tag::Box => {
                            if let Some(number) = numbers.next() {
                                self.push(I::SetValueX(number));
                                self.free(number);
                            }
                        }
                        _ => {
                            let register = self.fresh()?;
                            self.push(I::SetVariableX(register));
                            inner.push((register, cell, true));
                        }
                    },
                }
            }
            pending.extend(inner.into_iter().rev());
        }
        Ok(())
    }

    fn build_variable(&mut self, cell: Cell) -> Result<(), CompileError> {
        let Some(id) = self.analysis.id(cell) else { return Ok(()) };
        match self.location(id) {
            Some(Location::X(register)) => self.push(I::SetValueX(register)),
            Some(Location::Y(slot)) => self.push(I::SetValueY(slot)),
            None if self.is_void(id) => {
                if let Some(I::SetVoid(count)) = self.code.last_mut() {
                    *count += 1;
                } else {
                    self.push(I::SetVoid(1));
                }
            }
            None => match self.place(id)? {
                Location::X(register) => self.push(I::SetVariableX(register)),
                Location::Y(slot) => self.push(I::SetVariableY(slot)),
            },
        }
        Ok(())
    }

    /// A structure's functor cell.
    fn functor(&self, term: Cell) -> Cell {
        let functor = self.machine.store.functor(term);
        functor.map_or(Cell::functor(atom::NIL, 0), |(name, arity)| Cell::functor(name, arity))
    }

    /// Puts any term into a given register, which holds nothing that is still needed.
    pub(super) fn put(&mut self, register: X, term: Cell) -> Result<(), CompileError> {
        let cell = self.machine.store.deref(term);
        match cell.tag() {
            Tag::Ref => self.put_variable(register, cell),
            Tag::Txt if self.machine.tells(Lie::StringAtoms) => {
                self.push(I::PutConstant(register, Cell::atom(cell.as_atom())));
            }
            Tag::Atm | Tag::Int | Tag::Txt => {
                self.push(I::PutConstant(register, cell));
            }
            Tag::Box => {
                let number = self.machine.add_number(cell);
                self.push(I::PutBoxed(register, number));
            }
            _ => return self.build_term(register, cell),
        }
        Ok(())
    }

    fn put_variable(&mut self, register: X, cell: Cell) {
        let id = self.analysis.id(cell);
        match id.and_then(|id| self.location(id)) {
            Some(Location::X(from)) => {
                if from != register {
                    self.push(I::Move(from, register));
                }
            }
            Some(Location::Y(slot)) => self.push(I::PutValueY(slot, register)),
            None => self.first_put(register, id),
        }
    }

    /// The first occurrence of a variable is in a register that a goal reads.
    fn first_put(&mut self, register: X, id: Option<VariableId>) {
        let Some(id) = id else { return };
        if self.analysis.variable(id).permanent {
            let slot = self.slot(id);
            self.set_location(id, Location::Y(slot));
            self.push(I::PutVariableY(slot, register));
        } else {
            self.push(I::PutVariableX(register));
            if !self.is_void(id) {
                self.set_location(id, Location::X(register));
                self.occupy(register);
            }
        }
    }
}
