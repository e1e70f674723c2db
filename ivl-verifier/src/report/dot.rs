//! Control flow as Boogie's `-printCFG` writes it, for Graphviz.

use std::fmt::Write;

use crate::base::names::Names;
use crate::resolve::program::{Block, Transfer};

/// The graph of the blocks that control can reach: nodes as they are met, then the ways between them; the last way on
/// from a block is followed first.
pub(crate) fn dot(names: &Names, blocks: &[Block]) -> String {
    // A block without a name is not the program's: it sets assumption variables.
    let entry = blocks.iter().position(|block| !names.text(block.label).is_empty()).unwrap_or(0);
    let label = |at: usize| names.text(blocks[at].label);
    let mut met = vec![false; blocks.len()];
    let mut done = vec![false; blocks.len()];
    let (mut nodes, mut edges) = (String::new(), String::new());
    let mut work = vec![entry];
    while let Some(at) = work.pop() {
        let Some(block) = blocks.get(at) else { continue };
        if std::mem::replace(&mut done[at], true) {
            continue;
        }
        note(&mut nodes, &mut met, at, label(at));
        let Transfer::Goto(targets) = &block.transfer else { continue };
        for target in targets {
            note(&mut nodes, &mut met, *target, label(*target));
            let _ = writeln!(edges, "  \"{}\" -> \"{}\";", label(at), label(*target));
        }
        work.extend(targets);
    }
    format!("digraph G {{\n{nodes}{edges}}}\n")
}

fn note(nodes: &mut String, met: &mut [bool], at: usize, label: &str) {
    if !std::mem::replace(&mut met[at], true) {
        let _ = writeln!(nodes, "  \"{label}\" [shape=box];");
    }
}
