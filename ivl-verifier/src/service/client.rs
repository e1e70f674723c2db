//! Boogie's own rule of what may be reused: the checksums that a program gives its entities.
//!
//! This is for the sake of Boogie's snapshot tests alone (`-verifySnapshots:N`). An implementation whose
//! checksum stayed, and so did those of all it depends on, has the result that it had, at the places where
//! it had it; everything else is verified, with single checks reused as always. What an implementation
//! depends on is what Boogie collects: its procedure, those it calls, and the functions that any of these
//! mention, directly or through definitions. If one of them has no checksum, nothing is known.

use std::collections::{BTreeMap, BTreeSet};

use super::{Verifier, identity};
use crate::base::arena::Id;
use crate::report::{CheckAction, CheckError, Report, TraceItem};
use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::{CommandKind, ImplementationId, ProcedureId, Program};

/// What is said of an implementation: its own checksum, and those of what it depends on by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    own: String,
    dependencies: Option<BTreeMap<String, String>>,
}

/// The last result of an implementation.
#[derive(Clone, Debug)]
pub(super) struct Claimed {
    claim: Claim,
    report: Report,
}

/// The claim about an implementation; `None` if the program makes none.
pub(super) fn claim(program: &Program, id: ImplementationId) -> Option<Claim> {
    let own = program.client.implementations.get(&id)?.clone();
    Some(Claim { own, dependencies: dependencies(program, id) })
}

fn dependencies(program: &Program, id: ImplementationId) -> Option<BTreeMap<String, String>> {
    let implementation = &program.implementations[id];
    let mut procedures: BTreeSet<usize> = BTreeSet::from([implementation.procedure.index()]);
    let mut roots: Vec<NodeId> = Vec::new();
    let variables = implementation.inputs.iter().chain(&implementation.outputs).chain(&implementation.locals);
    roots.extend(variables.filter_map(|id| program.variables[*id].condition));
    for command in implementation.blocks.iter().flat_map(|block| &block.commands) {
        match &command.kind {
            CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, notes, .. } => {
                roots.push(*expr);
                roots.extend(notes.verified_under);
            }
            CommandKind::Assume(expr) => roots.push(*expr),
            CommandKind::Havoc(_)
            | CommandKind::Enter(_)
            | CommandKind::Visibility(_)
            | CommandKind::Observe(_) => {}
            CommandKind::Assign(pairs) => roots.extend(pairs.iter().map(|(_, value)| *value)),
            CommandKind::Call(call) => {
                procedures.insert(call.callee.index());
                roots.extend(&call.arguments);
                roots.extend(call.notes.verified_under);
            }
        }
    }
    let mut found = BTreeMap::new();
    for procedure in procedures.into_iter().map(ProcedureId::from_index) {
        let entity = &program.procedures[procedure];
        roots.extend(entity.requires.iter().chain(&entity.ensures).map(|condition| condition.expr));
        let parameters = entity.inputs.iter().chain(&entity.outputs);
        roots.extend(parameters.filter_map(|id| program.variables[*id].condition));
        let checksum = program.client.procedures.get(&procedure)?;
        found.insert(format!("procedure {}", program.names.text(entity.name)), checksum.clone());
    }
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    while !roots.is_empty() {
        let mentioned = functions(program, &std::mem::take(&mut roots));
        for function in mentioned.into_iter().filter(|id| seen.insert(id.index())) {
            let entity = &program.functions[function];
            let checksum = program.client.functions.get(&function)?;
            found.insert(format!("function {}", program.names.text(entity.name)), checksum.clone());
            roots.extend(entity.body);
            // Axioms that define the function: it is in a trigger of theirs.
            for (_, axiom) in program.axioms.iter() {
                if triggers(program, axiom.expr).contains(&function) {
                    roots.push(axiom.expr);
                }
            }
        }
    }
    Some(found)
}

fn functions(program: &Program, roots: &[NodeId]) -> Vec<FunctionId> {
    let below = program.graph.below(roots).into_iter();
    below
        .filter_map(|node| match program.graph.kind(node) {
            NodeKind::Apply(id, _, _) => Some(*id),
            _ => None,
        })
        .collect()
}

fn triggers(program: &Program, axiom: NodeId) -> Vec<FunctionId> {
    let mut found = Vec::new();
    for node in program.graph.below(&[axiom]) {
        if let NodeKind::Quantifier(quantifier) = program.graph.kind(node) {
            let terms: Vec<NodeId> = quantifier.triggers.iter().flatten().copied().collect();
            found.extend(functions(program, &terms));
        }
    }
    found
}

impl Verifier {
    /// The result that an implementation had, if the program claims that nothing changed.
    pub(super) fn claimed(&self, program: &Program, id: ImplementationId, level: u32) -> Option<Report> {
        let known = self.claims.get(&identity(program, id))?;
        let claim = claim(program, id)?;
        let unchanged = claim == known.claim && claim.dependencies.is_some();
        // At the third level errors are found again, so that they come at their new places.
        (unchanged && (level < 3 || known.report.errors.is_empty())).then(|| {
            let trace = Vec::new();
            Report { index: id.index(), trace, ..known.report.clone() }
        })
    }

    /// Puts the errors that were reused where they stood, if the level asks for that, and remembers the
    /// result.
    pub(super) fn claim(&mut self, program: &Program, report: &mut Report, level: u32) {
        let id = ImplementationId::from_index(report.index);
        let identity = identity(program, id);
        if level == 2
            && let Some(known) = self.claims.get(&identity)
        {
            old_places(report, &known.report);
        }
        match claim(program, id) {
            // What was not looked at again stays as it was, with its trace.
            Some(claim)
                if report.trace.is_empty()
                    && self.claims.get(&identity).is_some_and(|it| it.claim == claim) => {}
            Some(claim) => {
                let report = report.clone();
                self.claims.insert(identity, Claimed { claim, report });
            }
            None => drop(self.claims.remove(&identity)),
        }
    }
}

/// The check that an error is about, in the trace.
fn traced<'r>(report: &'r Report, error: &CheckError) -> Option<&'r TraceItem> {
    let at = error.diagnostic.span;
    let related = error.diagnostic.related.first().map(|(span, _)| *span);
    report.trace.iter().find(|item| match item {
        TraceItem::Check { span, condition: None, .. } => *span == at,
        TraceItem::Check { span, condition, .. } => {
            *condition == related && (*span == at || Some(*span) == related)
        }
        TraceItem::Call { .. } => false,
    })
}

/// Replaces errors that were reported again by those of the earlier report. Boogie does not report an error
/// again behind a call of something whose checksum changed, whatever its specification says.
fn old_places(report: &mut Report, earlier: &Report) {
    let mut left: Vec<(Option<&TraceItem>, &CheckError)> =
        earlier.errors.iter().map(|error| (traced(earlier, error), error)).collect();
    let mut replaced = Vec::new();
    for (index, error) in report.errors.iter().enumerate() {
        let Some(TraceItem::Check { text, behind, action: CheckAction::Recycled, .. }) =
            traced(report, error)
        else {
            continue;
        };
        let same = |(item, old): &(Option<&TraceItem>, &CheckError)| {
            old.diagnostic.message == error.diagnostic.message
                && item.is_none_or(|item| {
                    matches!(item, TraceItem::Check { text: old, behind: before, .. }
                        if old == text && before == behind)
                })
        };
        if let Some(at) = left.iter().position(same) {
            replaced.push((index, left.remove(at).1.clone()));
        }
    }
    for (index, error) in replaced {
        report.errors[index] = error;
    }
}
