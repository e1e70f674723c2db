//! What a program can reach: its own functions and variables, and of the runtime what these use.

use rustc_hash::FxHashSet;

use crate::llvm::{Program, Value};

/// The functions and variables that are lowered.
pub(super) fn reachable(program: &Program) -> FxHashSet<Value<'_>> {
    let mut reached = FxHashSet::default();
    let mut seen: FxHashSet<Value<'_>> = FxHashSet::default();
    let own = program.functions().chain(program.globals()).filter(|value| program.is_own(*value));
    let mut stack: Vec<Value<'_>> = own.filter(|value| !value.is_declaration()).collect();
    while let Some(value) = stack.pop() {
        if !seen.insert(value) {
            continue;
        }
        if value.is_function() {
            reached.insert(value);
            for block in value.blocks() {
                for instruction in block.instructions() {
                    stack.extend(constants(instruction));
                }
            }
        } else if value.is_global() {
            reached.insert(value);
            stack.extend(value.initializer());
        } else if let Some(target) = value.aliasee() {
            stack.push(target);
        } else if let Some((function, _)) = value.block_address() {
            stack.push(function);
        } else {
            stack.extend(constants(value));
        }
    }
    reached
}

/// The operands that are constants: what is not, is an instruction or parameter of the same function.
fn constants(value: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    (0..value.operand_count())
        .filter_map(move |index| value.operand(index))
        .filter(|operand| operand.is_constant())
}
