//! Accesses of those elements of a vector that a mask names, as compilers make them of loops with conditions.
//!
//! Each element is an access under a condition. Where the mask is known while the program runs, elements that
//! it leaves out are jumped over. Where it is unknown but the element's place is known and certainly right,
//! the access is made in any case, and what it changes is chosen by the mask: so such a vector makes no paths.
//! Everywhere else both sides of the mask are followed, as in the loop that the compiler had.

use symexec::base::bits::BinaryOp;
use symexec::exec::CERTAIN_ACCESS;
use symexec::module::{
    Argument, Call, Callee, Class, Constant, Instruction, Operand, Predicate, Register, Term,
};

use super::Failure;
use super::function::Body;
use super::types::Lane;
use crate::llvm::{Type, Value};

/// An element of a vector in memory.
struct Element {
    lane: Lane,
    place: Operand,
    wanted: Operand,
}

impl<'p> Body<'_, 'p> {
    /// Lowers a masked access; `None` if it is none.
    pub(super) fn masked(
        &mut self,
        value: Value<'p>,
        name: &str,
        to: Register,
    ) -> Option<Result<(), Failure>> {
        let is = |whole: &str| name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'));
        Some(if is("masked.load") || is("masked.gather") {
            self.load_where(value, [0, 2, 3], to)
        } else if is("masked.store") || is("masked.scatter") {
            self.store_where(value, [0, 1, 3])
        } else if is("masked.expandload") {
            self.expanding_load(value, to)
        } else if is("masked.compressstore") {
            self.compressing_store(value)
        } else if is("get.active.lane.mask") {
            self.active_lanes(value, to)
        } else {
            return None;
        })
    }

    /// The scalars of an operand by its number.
    pub(super) fn operands_at(&mut self, value: Value<'p>, index: u32) -> Result<Vec<Operand>, Failure> {
        self.operands(value.operand(index).ok_or("an operand is missing")?)
    }

    /// The elements of a vector that lie one behind the other, or where a vector of addresses says.
    fn elements(
        &mut self,
        ty: Type<'p>,
        places: &[Operand],
        mask: &[Operand],
    ) -> Result<Vec<Element>, Failure> {
        let lanes = self.lowering.lanes(ty)?;
        if lanes.iter().any(|lane| lane.packed) || lanes.len() != mask.len() {
            return Err(format!("a masked access to a `{}` is not supported", ty.text()));
        }
        let one = if let [one] = places { Some(*one).filter(|_| lanes.len() > 1) } else { None };
        let mut elements = Vec::new();
        for (index, (lane, wanted)) in lanes.into_iter().zip(mask).enumerate() {
            let place = match one {
                Some(place) => self.moved(place, lane.offset),
                None => *places.get(index).ok_or("an address is missing")?,
            };
            elements.push(Element { lane, place, wanted: *wanted });
        }
        Ok(elements)
    }

    fn load_where(
        &mut self,
        value: Value<'p>,
        [places, mask, other]: [u32; 3],
        to: Register,
    ) -> Result<(), Failure> {
        let places = self.operands_at(value, places)?;
        let mask = self.operands_at(value, mask)?;
        let other = self.operands_at(value, other)?;
        self.masked_load(value.ty(), &places, &mask, &other, to)
    }

    fn store_where(&mut self, value: Value<'p>, [stored, places, mask]: [u32; 3]) -> Result<(), Failure> {
        let places = self.operands_at(value, places)?;
        let mask = self.operands_at(value, mask)?;
        self.masked_store(value.operand(stored).ok_or("a store of nothing")?, &places, &mask)
    }

    /// Loads the elements that a mask wants; the others are those of another vector.
    pub(super) fn masked_load(
        &mut self,
        ty: Type<'p>,
        places: &[Operand],
        mask: &[Operand],
        other: &[Operand],
        to: Register,
    ) -> Result<(), Failure> {
        for (index, element) in self.elements(ty, places, mask)?.into_iter().enumerate() {
            let width = element.lane.width;
            let (to, other) = (Self::after(to, index), *other.get(index).ok_or("an element is missing")?);
            self.copy(width, to, other);
            let accessed = self.accessed(&element, false);
            self.only_where(accessed, |body| {
                let loaded = body.fresh(1);
                body.emit(Instruction::Load { width, to: loaded, pointer: element.place });
                let chosen = body.select(width, element.wanted, Operand::register(loaded), other);
                body.copy(width, to, chosen);
            });
        }
        Ok(())
    }

    /// Stores the elements that a mask wants.
    pub(super) fn masked_store(
        &mut self,
        stored: Value<'p>,
        places: &[Operand],
        mask: &[Operand],
    ) -> Result<(), Failure> {
        let ty = stored.ty();
        let stored = self.operands(stored)?;
        for (element, stored) in self.elements(ty, places, mask)?.into_iter().zip(stored) {
            let width = element.lane.width;
            let accessed = self.accessed(&element, true);
            self.only_where(accessed, |body| {
                let chosen = match body.known_bit(element.wanted) {
                    Some(_) => stored,
                    None => {
                        let before = body.fresh(1);
                        body.emit(Instruction::Load { width, to: before, pointer: element.place });
                        body.select(width, element.wanted, stored, Operand::register(before))
                    }
                };
                body.emit(Instruction::Store { width, value: chosen, pointer: element.place });
            });
        }
        Ok(())
    }

    /// The elements that are wanted come from memory without gaps.
    fn expanding_load(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let first = self.scalar(value.operand(0))?;
        let mask = self.operands_at(value, 1)?;
        let other = self.operands_at(value, 2)?;
        let mut next = self.lowering.bits(64, 0);
        for (index, element) in self.elements(value.ty(), &[first], &mask)?.into_iter().enumerate() {
            let width = element.lane.width;
            let (to, other) = (Self::after(to, index), *other.get(index).ok_or("an element is missing")?);
            self.copy(width, to, other);
            let place = self.element_place(first, next, width);
            self.only_where(element.wanted, |body| {
                body.emit(Instruction::Load { width, to, pointer: place });
            });
            next = self.counted(next, element.wanted);
        }
        Ok(())
    }

    /// The elements that are wanted go to memory without gaps.
    fn compressing_store(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let ty = value.operand(0).ok_or("a store of nothing")?.ty();
        let stored = self.operands_at(value, 0)?;
        let first = self.scalar(value.operand(1))?;
        let mask = self.operands_at(value, 2)?;
        let mut next = self.lowering.bits(64, 0);
        for (element, stored) in self.elements(ty, &[first], &mask)?.into_iter().zip(stored) {
            let width = element.lane.width;
            let place = self.element_place(first, next, width);
            self.only_where(element.wanted, |body| {
                body.emit(Instruction::Store { width, value: stored, pointer: place });
            });
            next = self.counted(next, element.wanted);
        }
        Ok(())
    }

    /// The place of an element of a width by its number.
    fn element_place(&mut self, first: Operand, number: Operand, width: u32) -> Operand {
        let terms = vec![Term { index: number, width: 64, scale: u64::from(width / 8) }];
        let (terms, count) = self.add_terms(terms);
        let to = self.fresh(1);
        self.emit(Instruction::Offset { to, base: first, constant: 0, first: terms, count });
        Operand::register(to)
    }

    /// A number, one more if a bit is set.
    fn counted(&mut self, number: Operand, bit: Operand) -> Operand {
        let bit = self.extend(false, 1, 64, bit);
        self.binary(BinaryOp::Add, 64, number, bit)
    }

    /// Element `i` is wanted if `base + i`, without an end, is less than a limit.
    fn active_lanes(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let base = value.operand(0).ok_or("an operand is missing")?;
        let width = base.ty().integer_width();
        let base = self.scalar(Some(base))?;
        let limit = self.scalar(value.operand(1))?;
        let [base, limit] = [base, limit].map(|number| self.extend(false, width, width + 32, number));
        for index in 0..self.lowering.lane_count(value.ty())? {
            let number = self.lowering.bits(width + 32, index as u64);
            let number = self.binary(BinaryOp::Add, width + 32, base, number);
            let active = self.compare(Predicate::Ult, width + 32, number, limit);
            self.copy(1, Self::after(to, index), active);
        }
        Ok(())
    }

    /// Under which condition an element is accessed: where it is wanted, or where that can do no harm.
    fn accessed(&mut self, element: &Element, write: bool) -> Operand {
        if self.known_bit(element.wanted).is_some() {
            return element.wanted;
        }
        let certain = self.declared(CERTAIN_ACCESS);
        let bytes = self.lowering.bits(64, u64::from(element.lane.width.div_ceil(8)));
        let write = self.lowering.bits(1, u64::from(write));
        let argument =
            |value, width| Argument { value, width, signed: false, class: Class::Integer, copied: None };
        let to = self.fresh(1);
        self.add_call(Call {
            callee: Callee::Function(certain),
            arguments: vec![
                argument(element.wanted, 1),
                argument(element.place, 64),
                argument(bytes, 64),
                argument(write, 1),
            ],
            to,
            results: vec![1],
            pad: None,
        });
        Operand::register(to)
    }

    /// A bit that the program's text tells.
    pub(super) fn known_bit(&self, bit: Operand) -> Option<bool> {
        self.known_number(bit).map(|number| number == 1)
    }

    /// A number that the program's text tells.
    pub(super) fn known_number(&self, operand: Operand) -> Option<u64> {
        match self.lowering.module.constants.get(operand.get().err()?.index())? {
            Constant::Bits { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// What is executed only where a bit is set.
    fn only_where(&mut self, bit: Operand, body: impl FnOnce(&mut Self)) {
        match self.known_bit(bit) {
            Some(true) => body(self),
            Some(false) => {}
            None => {
                let skipped = self.skip_unless(bit);
                body(self);
                self.land_here(skipped);
            }
        }
    }
}
