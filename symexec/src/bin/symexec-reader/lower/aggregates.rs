//! Parts of aggregates and vectors: moves between registers.

use symexec::module::{OUTSIDE_OF_VECTOR, Operand, Predicate, Register};

use super::Failure;
use super::function::Body;
use crate::llvm::{Type, TypeKind, Value};

/// What is said of numbers of elements that a vector does not have.
const OUT_OF_BOUNDS_READ: &str = OUTSIDE_OF_VECTOR[0];
const OUT_OF_BOUNDS_WRITE: &str = OUTSIDE_OF_VECTOR[1];

impl<'p> Body<'_, 'p> {
    /// The scalars before, and in, the part of an aggregate that indices lead to.
    pub(super) fn part(&self, ty: Type<'p>, indices: &[u32]) -> Result<(usize, usize), Failure> {
        let (mut ty, mut before) = (ty, 0);
        for index in indices {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    for field in 0..*index {
                        let element = ty.element(field).ok_or("a part that does not exist")?;
                        before += self.lowering.lane_count(element)?;
                    }
                }
                _ => {
                    let element = ty.element(0).ok_or("a part that does not exist")?;
                    before += self.lowering.lane_count(element)? * *index as usize;
                }
            }
            ty = ty.element(*index).ok_or("a part that does not exist")?;
        }
        Ok((before, self.lowering.lane_count(ty)?))
    }

    pub(super) fn extract_value(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let aggregate = value.operand(0).ok_or("an operand is missing")?;
        let (before, count) = self.part(aggregate.ty(), &value.indices())?;
        let lanes = self.lowering.lanes(aggregate.ty())?;
        let operands = self.operands(aggregate)?;
        for (index, (lane, operand)) in lanes.iter().zip(operands).skip(before).take(count).enumerate() {
            self.copy(lane.width, Self::after(to, index), operand);
        }
        Ok(())
    }

    pub(super) fn insert_value(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let aggregate = value.operand(0).ok_or("an operand is missing")?;
        let (before, count) = self.part(aggregate.ty(), &value.indices())?;
        let lanes = self.lowering.lanes(aggregate.ty())?;
        let mut operands = self.operands(aggregate)?;
        let inserted = self.operands(value.operand(1).ok_or("an operand is missing")?)?;
        for (place, operand) in operands.iter_mut().skip(before).take(count).zip(inserted) {
            *place = operand;
        }
        for (index, (lane, operand)) in lanes.iter().zip(operands).enumerate() {
            self.copy(lane.width, Self::after(to, index), operand);
        }
        Ok(())
    }

    pub(super) fn extract_element(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let vector = value.operand(0).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(vector.ty())?;
        let operands = self.operands(vector)?;
        let index = value.operand(1).ok_or("an operand is missing")?;
        let Some(first) = lanes.first() else { return Err("an empty vector".to_owned()) };
        if let Some(number) = index.small_int() {
            let operand = usize::try_from(number).ok().and_then(|number| operands.get(number));
            if operand.is_none() && !value.is_only_chosen() {
                self.refuse(OUT_OF_BOUNDS_READ);
            }
            let operand = operand.copied().unwrap_or_else(|| self.lowering.bits(first.width, 0));
            self.copy(first.width, to, operand);
            return Ok(());
        }
        let width = index.ty().integer_width();
        let index = self.scalar(Some(index))?;
        self.refuse_beyond(value, (index, width), operands.len(), OUT_OF_BOUNDS_READ);
        let mut chosen = operands[0];
        for (position, operand) in operands.iter().enumerate().skip(1) {
            let here = self.lowering.bits(width, position as u64);
            let here = self.compare(Predicate::Eq, width, index, here);
            chosen = self.select(first.width, here, *operand, chosen);
        }
        self.copy(first.width, to, chosen);
        Ok(())
    }

    /// An error where the number of an element is none of its vector's. Without one where the result only goes into
    /// what a `select` chooses from: compilers compute that ahead, in range or not. A number too narrow to be beyond
    /// never is.
    fn refuse_beyond(&mut self, value: Value<'p>, (index, width): (Operand, u32), count: usize, what: &str) {
        let reaches = width >= 64 || count as u64 >> width == 0;
        if !reaches || value.is_only_chosen() {
            return;
        }
        let count = self.lowering.bits(width, count as u64);
        let beyond = self.compare(Predicate::Uge, width, index, count);
        self.refuse_where(beyond, what);
    }

    pub(super) fn insert_element(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let vector = value.operand(0).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(vector.ty())?;
        let operands = self.operands(vector)?;
        let inserted = self.scalar(value.operand(1))?;
        let index = value.operand(2).ok_or("an operand is missing")?;
        let number = index.small_int();
        let width = index.ty().integer_width();
        let index = self.scalar(Some(index))?;
        if number.is_some_and(|number| number >= operands.len() as u64) && !value.is_only_chosen() {
            self.refuse(OUT_OF_BOUNDS_WRITE);
        } else if number.is_none() {
            self.refuse_beyond(value, (index, width), operands.len(), OUT_OF_BOUNDS_WRITE);
        }
        for (position, (lane, operand)) in lanes.iter().zip(operands).enumerate() {
            let chosen = match number {
                Some(number) if number == position as u64 => inserted,
                Some(_) => operand,
                None => {
                    let here = self.lowering.bits(width, position as u64);
                    let here = self.compare(Predicate::Eq, width, index, here);
                    self.select(lane.width, here, inserted, operand)
                }
            };
            self.copy(lane.width, Self::after(to, position), chosen);
        }
        Ok(())
    }

    pub(super) fn shuffle(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let first = value.operand(0).ok_or("an operand is missing")?;
        let lanes = self.lowering.lanes(first.ty())?;
        let Some(lane) = lanes.first().copied() else { return Err("an empty vector".to_owned()) };
        let mut operands = self.operands(first)?;
        operands.extend(self.operands(value.operand(1).ok_or("an operand is missing")?)?);
        for (index, chosen) in value.shuffle_mask().into_iter().enumerate() {
            let operand = chosen.and_then(|chosen| operands.get(chosen as usize).copied());
            let operand = operand.unwrap_or_else(|| self.lowering.bits(lane.width, 0));
            self.copy(lane.width, Self::after(to, index), operand);
        }
        Ok(())
    }
}
