//! Names for the parts of a program that have none (`-warnVacuousProofs`), and which of them are to be proved.
//!
//! What is to be proved and is not needed for a proof, control does not get to, or what is assumed before it
//! contradicts itself: it is proved, and that says nothing. The names, and the order of numbers in them, are Boogie's.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::names::Symbol;
use crate::base::source::{Position, Span};
use crate::resolve::graph::NodeKind;
use crate::resolve::program::{Command, CommandKind, ImplementationId, Observation, ProcedureId, Program};

/// Something that is to be proved.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// Names every assertion, assumption, call, precondition and postcondition, and gives what each implementation has to
/// prove by itself. `position` tells where a part stands.
pub(crate) fn name_parts(
    program: &mut Program,
    position: &dyn Fn(Span) -> Position,
) -> FxHashMap<ImplementationId, Vec<Goal>> {
    let mut namer = Namer { program, position, count: 0, named: FxHashSet::default() };
    let ids: Vec<ImplementationId> = namer.program.implementations.ids().collect();
    ids.into_iter().map(|id| (id, namer.implementation(id))).collect()
}

struct Namer<'p> {
    program: &'p mut Program,
    position: &'p dyn Fn(Span) -> Position,
    count: usize,
    /// The procedures whose conditions have names.
    named: FxHashSet<ProcedureId>,
}

impl Namer<'_> {
    /// A name for a part of some kind.
    fn name(&mut self, kind: &str, span: Span) -> Symbol {
        self.count += 1;
        let Position { line, column, .. } = (self.position)(span);
        let text = format!("id_l{line}_c{column}_{kind}_{}", self.count);
        self.program.names.intern(&text)
    }

    fn goal(&self, name: Symbol, span: Span) -> Goal {
        Goal { name: self.program.names.text(name).to_owned(), span }
    }

    fn implementation(&mut self, id: ImplementationId) -> Vec<Goal> {
        let mut goals = Vec::new();
        let mut blocks = std::mem::take(&mut self.program.implementations[id].blocks);
        for block in &mut blocks {
            let mut given = None;
            let mut commands = Vec::with_capacity(block.commands.len());
            for command in std::mem::take(&mut block.commands) {
                let (kind, is_goal) = match &command.kind {
                    CommandKind::Observe(Observation::Id(name)) => {
                        given = Some(*name);
                        commands.push(command);
                        continue;
                    }
                    CommandKind::Assert(expr, _) | CommandKind::Invariant { expr, free: false, .. } => {
                        let is_true = matches!(self.program.graph.kind(*expr), NodeKind::Bool(true));
                        (if is_true { "" } else { "assert" }, !is_true)
                    }
                    CommandKind::Assume(_) | CommandKind::Invariant { free: true, .. } => ("assume", false),
                    CommandKind::Call(_) => ("call", false),
                    CommandKind::Havoc(_)
                    | CommandKind::Enter(_)
                    | CommandKind::Assign(_)
                    | CommandKind::Visibility(_)
                    | CommandKind::Observe(_) => ("", false),
                };
                let span = command.span;
                let name = match given.take() {
                    None if !kind.is_empty() => {
                        let name = self.name(kind, span);
                        commands.push(Command { kind: CommandKind::Observe(Observation::Id(name)), span });
                        Some(name)
                    }
                    given => given,
                };
                if let (Some(name), true) = (name, is_goal) {
                    goals.push(self.goal(name, span));
                }
                commands.push(command);
            }
            block.commands = commands;
        }
        self.program.implementations[id].blocks = blocks;
        let procedure = self.program.implementations[id].procedure;
        if self.named.insert(procedure) {
            self.conditions(procedure);
        }
        for condition in self.program.procedures[procedure].ensures.iter().filter(|it| !it.free) {
            goals.extend(condition.id.map(|name| self.goal(name, condition.span)));
        }
        goals
    }

    /// Names the conditions of a procedure, postconditions first.
    fn conditions(&mut self, id: ProcedureId) {
        for at in 0..self.program.procedures[id].ensures.len() {
            let condition = &self.program.procedures[id].ensures[at];
            if condition.id.is_none() && !condition.free {
                let name = self.name("ensures", condition.span);
                self.program.procedures[id].ensures[at].id = Some(name);
            }
        }
        for at in 0..self.program.procedures[id].requires.len() {
            let condition = &self.program.procedures[id].requires[at];
            if condition.id.is_none() {
                let name = self.name("requires", condition.span);
                self.program.procedures[id].requires[at].id = Some(name);
            }
        }
    }
}
