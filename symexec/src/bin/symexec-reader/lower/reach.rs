//! What a program can reach: its own functions and variables, and of the runtime what these use.

use rustc_hash::FxHashSet;

use crate::llvm::{DESTRUCTORS, Program, RESUME, Value};
use crate::runtime::functions_for;

/// Functions of the runtime that register others for the end of the program, which then does not end with
/// `main`.
const REGISTER: [&str; 3] = ["atexit", "on_exit", "__cxa_atexit"];

/// The functions and variables that are lowered; `wanted` are needed although nothing calls them.
pub(super) fn reachable<'p>(program: &'p Program, wanted: &[&str]) -> FxHashSet<Value<'p>> {
    let mut reached = FxHashSet::default();
    let mut seen: FxHashSet<Value<'_>> = FxHashSet::default();
    let own = program.functions().chain(program.globals()).filter(|value| program.is_own(*value));
    let mut stack: Vec<Value<'_>> = own.filter(|value| !value.is_declaration()).collect();
    let named = |name: &str| program.functions().find(|value| value.name() == name);
    stack.extend(wanted.iter().filter_map(|name| named(name)));
    if program.unwinds() {
        stack.extend(named(RESUME));
    }
    while let Some(value) = stack.pop() {
        let registers =
            value.is_function() && !program.is_own(value) && REGISTER.contains(&value.name().as_str());
        if registers || value.name() == DESTRUCTORS {
            stack.extend(named(symexec::exec::FINISH));
        }
        if !seen.insert(value) {
            continue;
        }
        if value.is_function() {
            let name = value.name();
            if name.starts_with("llvm.") {
                stack.extend(functions_for(&name).iter().filter_map(|name| named(name)));
            }
            reached.insert(value);
            for block in value.blocks() {
                for instruction in block.instructions() {
                    stack.extend(constants(instruction));
                }
            }
        } else if value.is_global() {
            reached.insert(value);
            stack.extend(value.initializer());
        } else if let Some(resolver) = value.resolver() {
            reached.insert(value);
            stack.push(resolver);
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
