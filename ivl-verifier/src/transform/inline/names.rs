//! Names of what is inlined.

use rustc_hash::FxHashSet;

use crate::base::names::Symbol;
use crate::resolve::graph::VariableId;
use crate::resolve::program::{Block, Program, VariableKind};

/// What the names of copies begin with. Where something was inlined before, or a program has such names itself, more
/// `$` tell them apart, as many as in Boogie.
pub(super) fn prefix(program: &Program, blocks: &[Block], locals: &[VariableId]) -> String {
    let globals = program.variables.iter().filter(|(_, it)| it.kind == VariableKind::Global);
    let variables = locals.iter().map(|id| program.variables[*id].name).chain(globals.map(|(_, it)| it.name));
    let mut prefix = "inline$".to_owned();
    for name in variables.chain(blocks.iter().map(|block| block.label)) {
        let name = program.names.text(name);
        if let Some(rest) = name.strip_prefix(&prefix) {
            let own = rest.bytes().take_while(|it| *it == b'$').count();
            // One more than the name has there.
            prefix.extend(std::iter::repeat_n('$', (own + 1).min(rest.len())));
            if prefix == name {
                prefix.push('$');
            }
        }
    }
    prefix
}

/// The names of variables that look like those of copies.
pub(super) fn taken(program: &Program) -> FxHashSet<Symbol> {
    let names = program.variables.iter().map(|(_, variable)| variable.name);
    names.filter(|name| program.names.text(*name).starts_with("inline$")).collect()
}
