//! Which slots of an environment are still read behind each call of a clause.
//!
//! One pass from the last instruction to the first, since code inside a clause only jumps forward. What is found is
//! exact in both directions that matter to the collector: a slot counted is initialised on every way there, and what
//! a slot not counted holds is never read again.

use super::label::target;
use crate::machine::{Address, Instruction as I, Machine, Y};

/// A set of slots.
#[derive(Clone, Default)]
struct Slots(Vec<u64>);

impl Slots {
    fn add(&mut self, slot: Y) {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
    }

    fn remove(&mut self, slot: Y) {
        self.0[slot as usize / 64] &= !(1 << (slot % 64));
    }

    fn add_all(&mut self, others: &Self) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    fn list(&self) -> Vec<Y> {
        let mut slots = Vec::new();
        for (i, &word) in self.0.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                slots.push((i * 64 + left.trailing_zeros() as usize) as Y);
                left &= left - 1;
            }
        }
        slots
    }
}

/// Fills in the live slots of the calls and alternatives of a clause's code. `position` finds where in the code a
/// target lies that is a label of it.
pub(super) fn note_live_slots(
    machine: &mut Machine,
    code: &mut [I],
    slots: usize,
    position: &dyn Fn(Address) -> Option<usize>,
) {
    if slots == 0 {
        return;
    }
    let empty = Slots(vec![0; slots.div_ceil(64)]);
    // The slots live at the targets of jumps.
    let mut at: rustc_hash::FxHashMap<usize, Slots> = code
        .iter()
        .filter_map(|&instruction| target(&mut instruction.clone()).and_then(|to| position(*to)))
        .map(|to| (to, empty.clone()))
        .collect();
    let mut live = empty.clone();
    for i in (0..code.len()).rev() {
        let ahead = target(&mut code[i]).and_then(|to| position(*to)).and_then(|to| at.get(&to));
        match code[i] {
            I::Execute(_) | I::Proceed | I::Fail => live = empty.clone(),
            I::Jump(_) => live = ahead.cloned().unwrap_or_else(|| empty.clone()),
            I::GetVariableY(slot, _)
            | I::UnifyVariableY(slot)
            | I::PutVariableY(slot, _)
            | I::SetVariableY(slot)
            | I::SaveLevel(slot)
            | I::SaveCut(slot) => live.remove(slot),
            I::GetValueY(slot, _)
            | I::UnifyValueY(slot)
            | I::PutValueY(slot, _)
            | I::SetValueY(slot)
            | I::Cut(slot)
            | I::SoftCut(slot) => live.add(slot),
            I::Call(predicate, _) => code[i] = I::Call(predicate, machine.live(&live.list())),
            I::TrustElse(_) => code[i] = I::TrustElse(machine.live(&live.list())),
            _ => {
                if let Some(ahead) = ahead {
                    live.add_all(ahead);
                }
            }
        }
        if let Some(known) = at.get_mut(&i) {
            known.clone_from(&live);
        }
    }
}
