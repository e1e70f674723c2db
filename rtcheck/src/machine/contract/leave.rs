//! Contracts that are left where one argument or two have types behind the call.
//!
//! A recursion that builds a term on its way back leaves one frame after the other by the same instruction. It goes on
//! with the next frame by itself, and what the check needs is found once.

use super::gate::{FEW, FRAME_OF_FEW};
use crate::check::Counter;
use crate::machine::code::instruction::X;
use crate::machine::{Address, ENVIRONMENT_HEADER, Machine};
use crate::term::Cell;

/// The frame that is left: the one below, where to go on, and the first arguments.
type Frame = [Cell; FRAME_OF_FEW];

impl Machine {
    #[inline(always)]
    fn frame_of_few(&self) -> Option<&Frame> {
        self.environments.get(self.environment..)?.first_chunk::<FRAME_OF_FEW>()
    }

    /// Leaves the frame.
    #[inline(always)]
    fn return_from(&mut self, outer: Cell, returns: Cell) {
        self.environment = outer.int_value() as usize;
        self.continuation = returns.int_value() as Address;
    }

    /// Evaluates the condition on success of a contract whose instruction stands at an address, where one kept argument
    /// of the first [`FEW`] is checked by one check: by what is known at once. Where all is well the frame is left. The
    /// error is the position of the check that is open.
    #[inline(always)]
    pub(in crate::machine) fn leave_one(
        &mut self,
        argument: X,
        counter: Counter,
        here: Address,
    ) -> Result<(), usize> {
        let Some(&[outer, returns, _, ref slots @ ..]) = self.frame_of_few() else { return Err(0) };
        if returns == Cell::count(here as usize) {
            return self.leave_in_turn(argument, counter, here);
        }
        let word = slots[argument as usize % FEW];
        if !self.checker.passes::<true>(counter, &self.store, &self.types, word) {
            return Err(0);
        }
        self.return_from(outer, returns);
        Ok(())
    }

    /// The same of all frames one below the other that are left by this instruction.
    #[inline(never)]
    fn leave_in_turn(&mut self, argument: X, counter: Counter, here: Address) -> Result<(), usize> {
        let Self { checker, store, types, environments, environment, continuation, .. } = self;
        let argument = ENVIRONMENT_HEADER + argument as usize % FEW;
        let frame = |environment: usize| -> Option<&Frame> {
            environments.get(environment..)?.first_chunk::<FRAME_OF_FEW>()
        };
        let (back, mut at) = (Cell::count(here as usize), *environment);
        let Some(mut left) = frame(at) else { return Err(0) };
        let first = left[argument];
        let next = || {
            let [outer, returns, ..] = *left;
            at = outer.int_value() as usize;
            let below = if returns == back { frame(at) } else { None };
            let Some(below) = below else {
                *continuation = returns.int_value() as Address;
                return None;
            };
            left = below;
            Some(left[argument])
        };
        let all = checker.pass_in_turn(counter, store, types, first, next);
        *environment = at;
        if all { Ok(()) } else { Err(0) }
    }

    /// The same of two arguments, each by one check. The error is the position of the check that is open.
    #[inline(always)]
    pub(in crate::machine) fn leave_two(&mut self, one: X, other: X, counter: Counter) -> Result<(), usize> {
        let Some(&[outer, returns, _, ref slots @ ..]) = self.frame_of_few() else { return Err(0) };
        let (one, other) = (slots[one as usize % FEW], slots[other as usize % FEW]);
        let (store, types) = (&self.store, &self.types);
        if !self.checker.passes::<false>(counter, store, types, one) {
            return Err(0);
        }
        if !self.checker.passes::<true>(counter.next(), store, types, other) {
            return Err(1);
        }
        self.return_from(outer, returns);
        Ok(())
    }
}
