//! What a run does with each check, as Boogie traces its caching (`-traceCaching:1`).

use crate::base::source::Span;
use crate::lower::cut::{Cut, CutCommand};
use crate::lower::recall::{RecalledCall, Recollection, Settlement};
use crate::report::{CheckAction, TraceItem};
use crate::resolve::graph::{NodeId, VariableId};
use crate::resolve::program::{Call, CommandKind, ImplementationId, Program};
use crate::resolve::unparse::Unparser;

/// The calls that an earlier version relied on with another specification, then every check that control
/// can reach, in the order of control.
pub(super) fn trace(
    program: &Program,
    id: ImplementationId,
    cut: &Cut,
    recalled: Option<(&Recollection, &[Option<Settlement>])>,
) -> Vec<TraceItem> {
    let implementation = program.names.text(program.implementations[id].name).to_owned();
    let mut unparser = Unparser::new(program);
    let mut calls = Vec::new();
    let mut checks = Vec::new();
    let mut ends: Vec<Vec<(String, Option<String>)>> = vec![Vec::new(); cut.blocks.len()];
    let mut variable = 0;
    // Calls in the order of the text, which numbers their parameters.
    let commands = program.implementations[id].blocks.iter().flat_map(|block| &block.commands);
    let mut texts: Vec<(u32, Span, &Call)> = Vec::new();
    for command in commands {
        if let CommandKind::Call(call) = &command.kind {
            texts.push((2 * u32::try_from(texts.len()).unwrap_or(0), command.span, call));
        }
    }
    for at in &cut.order {
        let mut behind = std::mem::take(&mut ends[*at]);
        for (index, command) in cut.blocks[*at].commands.iter().enumerate() {
            let mut check = |unparser: &mut Unparser<'_>, check: usize, condition: NodeId| {
                let action = match recalled.map(|(_, settlements)| settlements.get(check).copied().flatten())
                {
                    Some(Some(Settlement::Held)) => CheckAction::Skipped,
                    Some(Some(Settlement::Failed)) => CheckAction::Recycled,
                    Some(Some(Settlement::Partly)) => CheckAction::PartlyVerified,
                    Some(Some(Settlement::Asked | Settlement::AskedAgain)) | None => CheckAction::Proved,
                    // Control does not get there any more.
                    Some(None) => return,
                };
                let text = format!("assert {};", unparser.text(condition));
                let place = &cut.checks[check];
                let (span, condition) = (place.span, place.condition);
                checks.push(TraceItem::Check { span, condition, text, action, behind: behind.clone() });
            };
            match command {
                CutCommand::Assert(it) | CutCommand::Ensure(it) => {
                    check(&mut unparser, it.check, it.condition);
                }
                CutCommand::Call(call, required) => {
                    let same = |(_, _, other): &(u32, Span, &Call)| {
                        other.callee == call.callee
                            && other.arguments == call.arguments
                            && other.outputs == call.outputs
                    };
                    let text = texts.iter().position(same).map(|at| texts.remove(at));
                    let (number, span) = text.map_or((0, Span::NOWHERE), |(number, span, _)| (number, span));
                    unparser.rename(&formals(program, call, number));
                    for assertion in required.iter().filter_map(|it| it.check()) {
                        check(&mut unparser, assertion.check, assertion.condition);
                    }
                    let recollection = recalled.map(|(recollection, _)| recollection);
                    if let Some(known) = recollection.and_then(|it| it.calls.get(&(*at, index))) {
                        let added = added(program, &mut unparser, known, variable);
                        variable += 1;
                        calls.push(TraceItem::Call {
                            callee: program.names.text(program.procedures[call.callee].name).to_owned(),
                            implementation: implementation.clone(),
                            span,
                            added,
                        });
                    }
                    unparser.rename(&[]);
                    let name = program.names.text(program.procedures[call.callee].name).to_owned();
                    let called = (name, program.client.procedures.get(&call.callee).cloned());
                    if !behind.contains(&called) {
                        behind.push(called);
                    }
                }
                _ => {}
            }
        }
        for successor in &cut.blocks[*at].successors {
            let known = &mut ends[*successor];
            known.extend(behind.iter().filter(|it| !known.contains(it)).cloned().collect::<Vec<_>>());
            known.sort();
        }
    }
    calls.extend(checks);
    calls
}

/// The names by which Boogie calls the parameters of a callee.
fn formals(program: &Program, call: &Call, number: u32) -> Vec<(VariableId, String)> {
    let procedure = &program.procedures[call.callee];
    let name = |number: u32, id: &VariableId| {
        let text = program.names.text(program.variables[*id].name);
        (*id, format!("call{number}formal#AT#{text}"))
    };
    let inputs = procedure.inputs.iter().map(|id| name(number, id));
    inputs.chain(procedure.outputs.iter().map(|id| name(number + 1, id))).collect()
}

/// What is added around a call because of an earlier specification.
fn added(program: &Program, unparser: &mut Unparser<'_>, call: &RecalledCall, variable: u32) -> Vec<String> {
    let name = format!("a##cached##{variable}");
    let Some(specification) = &call.specification else {
        return vec![format!("added after: {name} := {name} && false;")];
    };
    let mut lines = Vec::new();
    for id in &specification.newly_modified {
        let global = program.names.text(program.variables[*id].name);
        lines.push(format!("added before: {global}##old##0 := {global};"));
    }
    let mut conjunction = |nodes: Vec<NodeId>| {
        let texts: Vec<String> = nodes.into_iter().map(|node| unparser.text(node)).collect();
        if texts.is_empty() { "true".to_owned() } else { texts.join(" && ") }
    };
    let required: Vec<NodeId> = specification.requires.iter().map(|(node, _)| *node).collect();
    if !required.is_empty() {
        let condition = conjunction(required);
        lines.push(format!(
            "added before precondition check: assume {{:precondition_previous_snapshot}} {condition};"
        ));
    }
    let mut condition = conjunction(specification.ensures.clone());
    for id in &specification.newly_modified {
        let global = program.names.text(program.variables[*id].name);
        condition.push_str(&format!(" && {global}##old##0 == {global}"));
    }
    lines.push(format!("added after: {name} := {name} && {condition};"));
    lines
}
