//! `hide`, `reveal`, `push` and `pop`: which axioms a check may use.
//!
//! A `hideable` axiom in the `uses` clause of a function holds only where a constant of that function does,
//! of which nothing is known. What is hidden at a place of a body is found by going through its control
//! flow; where ways meet, what one of them hides is hidden. A check counts as known wherever the constant
//! of a function that is not hidden there is false, so that the function's axioms may be used to prove it;
//! of the constants of hidden functions nothing is said, so that theirs may not. Where control leaves, the
//! constants of what is not hidden are assumed, for the postconditions.
//!
//! A program without any of the four statements has no such constants.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::blocks::{FlatBlock, FlatCommand, FlatTransfer};
use crate::resolve::declare::{FunctionMeaning, Resolver};
use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::{Command, CommandKind, Constant};
use crate::syntax::ast::{self, Attribute, BinaryOp, CommandKind as Statement, Ident, UnaryOp, Visibility};

/// What is hidden at a place, by function: innermost scope last.
pub(super) type Hidden = Vec<BTreeSet<usize>>;

impl<'a> Resolver<'a> {
    /// Makes a function's hideable axiom depend on the function's constant.
    pub(super) fn hideable(&mut self, axiom: NodeId, owner: FunctionId) -> NodeId {
        let bool = self.program.types.bool();
        let constant = match self.visible.iter().find(|(function, _)| *function == owner) {
            Some((_, constant)) => *constant,
            None => {
                // No name of a program has a space in it.
                let name = format!("visible {}", self.text(self.program.functions[owner].name));
                let name = self.program.names.intern(&name);
                let id = self.program.constants.push(Constant {
                    name,
                    ty: bool,
                    unique: false,
                    existential: false,
                    value: None,
                });
                let constant = self.program.graph.add(NodeKind::Constant(id), bool);
                self.visible.push((owner, constant));
                constant
            }
        };
        self.program.graph.add(NodeKind::Binary(BinaryOp::Implies, constant, axiom), bool)
    }

    /// Whether a declaration says of an axiom that it can be hidden, or of a function that it cannot.
    pub(super) fn says(&self, attributes: &[Attribute], word: &str) -> bool {
        ast::attribute(attributes, &self.ast.names, word).is_some()
    }

    /// What is hidden at the start of each block.
    pub(super) fn hidden(&mut self, blocks: &[FlatBlock<'a>]) -> Vec<Hidden> {
        let mut starts: Vec<Option<Hidden>> = vec![None; blocks.len()];
        if self.visible.is_empty() || blocks.is_empty() {
            return vec![vec![BTreeSet::new()]; blocks.len()];
        }
        let index: FxHashMap<Symbol, usize> =
            blocks.iter().enumerate().map(|(index, block)| (block.label, index)).collect();
        starts[0] = Some(vec![BTreeSet::new()]);
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let Some(mut state) = starts[at].clone() else { continue };
            for command in &blocks[at].commands {
                if let FlatCommand::Simple(ast::Command { kind: Statement::Visibility(change), .. }) = command
                {
                    self.change(&mut state, change);
                }
            }
            let FlatTransfer::Goto(targets) = &blocks[at].transfer else { continue };
            for target in targets.iter().filter_map(|label| index.get(label).copied()) {
                let joined = match &starts[target] {
                    None => state.clone(),
                    Some(known) => known.iter().zip(&state).map(|(one, other)| one | other).collect(),
                };
                if starts[target].as_ref() != Some(&joined) {
                    starts[target] = Some(joined);
                    work.push(target);
                }
            }
        }
        starts.into_iter().map(|state| state.unwrap_or_else(|| vec![BTreeSet::new()])).collect()
    }

    /// What a statement makes of what is hidden.
    pub(super) fn change(&mut self, state: &mut Hidden, change: &Visibility) {
        let all = |this: &Self| this.visible.iter().map(|(function, _)| function.index()).collect();
        match change {
            Visibility::Push => state.extend(state.last().cloned()),
            Visibility::Pop => {
                if state.len() > 1 {
                    state.pop();
                }
            }
            Visibility::Hide(names) => {
                let named = names.as_deref().map_or_else(|| all(self), |names| self.named(names));
                if let Some(hidden) = state.last_mut() {
                    hidden.extend(named);
                }
            }
            Visibility::Reveal(names) => {
                let named: BTreeSet<usize> =
                    names.as_deref().map_or_else(|| all(self), |names| self.named(names));
                if let Some(hidden) = state.last_mut() {
                    hidden.retain(|function| !named.contains(function));
                }
            }
        }
    }

    fn named(&self, names: &[Ident]) -> BTreeSet<usize> {
        let function = |name: &Ident| match self.functions.get(&name.name) {
            Some(FunctionMeaning::Function(id)) => Some(id.index()),
            _ => None,
        };
        names.iter().filter_map(function).collect()
    }

    /// Reports names in a statement that are not those of functions.
    pub(super) fn check_names(&mut self, change: &Visibility) {
        let (Visibility::Hide(Some(names)) | Visibility::Reveal(Some(names))) = change else { return };
        for name in names {
            if !self.functions.contains_key(&name.name) {
                let message = format!("undeclared function: {}", self.text(name.name));
                self.name_error(name.span, message);
            }
        }
    }

    /// Lets a check be proved with the axioms that are not hidden.
    pub(super) fn allow(&mut self, kind: &mut CommandKind, state: &Hidden) {
        let visible = self.not_hidden(state);
        let notes = match kind {
            CommandKind::Assert(_, notes) | CommandKind::Invariant { notes, .. } => notes,
            CommandKind::Call(call) => &mut call.notes,
            CommandKind::Assume(_) | CommandKind::Havoc(_) | CommandKind::Assign(_) => return,
        };
        let bool = self.program.types.bool();
        for constant in visible {
            let graph = &mut self.program.graph;
            let missing = graph.add(NodeKind::Unary(UnaryOp::Not, constant), bool);
            let under = match notes.verified_under {
                None => missing,
                Some(known) => graph.add(NodeKind::Binary(BinaryOp::Or, known, missing), bool),
            };
            notes.verified_under = Some(under);
        }
    }

    /// The axioms that are not hidden where control leaves.
    pub(super) fn leave(&mut self, state: &Hidden, span: Span) -> Vec<Command> {
        let visible = self.not_hidden(state).into_iter();
        visible.map(|constant| Command { kind: CommandKind::Assume(constant), span }).collect()
    }

    fn not_hidden(&self, state: &Hidden) -> Vec<NodeId> {
        let hidden = state.last();
        let visible = self.visible.iter();
        visible
            .filter(|(function, _)| hidden.is_none_or(|hidden| !hidden.contains(&function.index())))
            .map(|(_, constant)| *constant)
            .collect()
    }
}
