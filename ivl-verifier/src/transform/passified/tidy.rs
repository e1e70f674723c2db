//! Blocks that say nothing go, and blocks that only follow each other become one.

use std::collections::BTreeSet;

use crate::resolve::graph::{Graph, NodeId, NodeKind};
use crate::resolve::unparse::plain::{PlainCommand, PlainJump, PlainKind};
use crate::transform::passified::flow::{Flow, never};

/// Takes out empty blocks, whose names go to what has none.
pub(super) fn remove_empty(flow: &mut Flow) {
    let Some(start) = flow.order.first().copied() else { return };
    let (postorder, keep, names) = walk(flow, start);
    for at in postorder {
        if keep.contains(&at) || !flow.commands(at).is_empty() {
            continue;
        }
        let before = flow.blocks[at].predecessors.clone();
        for from in &before {
            if let Some(targets) = flow.targets_mut(*from)
                && let Some(index) = targets.iter().position(|to| *to == at)
            {
                targets.remove(index);
            }
        }
        let successors = flow.targets(at).to_vec();
        if successors.is_empty() {
            continue;
        }
        if let [only] = *successors.as_slice()
            && flow.blocks[at].of_text
            && names[start] != Some(at)
            && !flow.blocks[only].of_text
        {
            hand_on_name(flow, at, only);
        }
        for from in &before {
            if let Some(targets) = flow.targets_mut(*from) {
                for successor in &successors {
                    if !targets.contains(successor) {
                        targets.push(*successor);
                    }
                }
            }
        }
    }
    let assumes = |it: &PlainCommand| matches!(it.kind, PlainKind::Assume(_) | PlainKind::Equal(_));
    if let (false, true, Some(named)) =
        (flow.blocks[start].of_text, flow.commands(start).iter().all(assumes), names[start])
    {
        flow.blocks[start].of_text = true;
        flow.blocks[start].plain.span = flow.blocks[named].plain.span;
        flow.blocks[start].plain.label = flow.blocks[named].plain.label.clone();
    }
}

/// Gives a block the name of an empty one before it; others jump to it last then.
fn hand_on_name(flow: &mut Flow, from: usize, to: usize) {
    for before in flow.blocks[to].predecessors.clone() {
        if before != from
            && let Some(targets) = flow.targets_mut(before)
        {
            if let Some(index) = targets.iter().position(|it| *it == to) {
                targets.remove(index);
            }
            targets.push(to);
        }
    }
    flow.blocks[to].of_text = true;
    flow.blocks[to].plain.span = flow.blocks[from].plain.span;
    flow.blocks[to].plain.label = flow.blocks[from].plain.label.clone();
}

/// The blocks in postorder, those that stay, and whose name each may take.
fn walk(flow: &Flow, start: usize) -> (Vec<usize>, BTreeSet<usize>, Vec<Option<usize>>) {
    let mut names: Vec<Option<usize>> = vec![None; flow.blocks.len()];
    let mut postorder = Vec::new();
    let mut finished = BTreeSet::new();
    let mut keep = BTreeSet::new();
    let (mut visited, mut open) = (BTreeSet::from([start]), BTreeSet::new());
    let mut work = vec![start];
    while let Some(at) = work.pop() {
        if open.contains(&at) {
            postorder.push(at);
            finished.insert(at);
            names[at] = name_of(flow, at, start, &keep, &names);
            continue;
        }
        open.insert(at);
        work.push(at);
        if !flow.targets(at).is_empty() && !flow.blocks[at].plain.jump_attributes.is_empty() {
            keep.insert(at);
        }
        for to in flow.targets(at) {
            if visited.insert(*to) {
                work.push(*to);
            } else if open.contains(to) && !finished.contains(to) {
                keep.insert(*to);
            }
        }
    }
    keep.insert(start);
    (postorder, keep, names)
}

fn name_of(
    flow: &Flow,
    at: usize,
    start: usize,
    keep: &BTreeSet<usize>,
    names: &[Option<usize>],
) -> Option<usize> {
    let empty = flow.commands(at).is_empty();
    let targets = flow.targets(at);
    if targets.is_empty() {
        return (empty && flow.blocks[at].of_text).then_some(at);
    }
    if !empty && at != start {
        return None;
    }
    if flow.blocks[at].of_text {
        return Some(at);
    }
    let mut all = targets.iter().map(|to| if keep.contains(to) { None } else { names[*to] });
    let first = all.next()?;
    if all.all(|it| it == first) { first } else { None }
}

/// What `{:selective_checking}` asks for: what does not come after a `{:start_checking_here}` is assumed.
pub(super) fn check_selectively(flow: &mut Flow, facts: Facts<'_>) {
    let starts = |at: &usize| flow.commands(*at).iter().any(|command| command.has("start_checking_here"));
    let mut checked = BTreeSet::new();
    for start in flow.order.iter().copied().filter(starts) {
        let within = checked.contains(&start);
        let mut behind = flow.reachable(start, true);
        if !within {
            behind.remove(&start);
        }
        checked.extend(behind);
    }
    for at in flow.order.clone() {
        if checked.contains(&at) {
            continue;
        }
        let mut copying = false;
        for command in flow.commands_mut(at) {
            copying |= command.has("start_checking_here");
            if !copying {
                *command = assumed(facts, command);
            }
        }
    }
}

/// What is needed to make an assumption of a check.
#[derive(Clone, Copy)]
pub(super) struct Facts<'g> {
    pub(super) graph: &'g Graph,
    /// What always holds.
    pub(super) yes: NodeId,
}

/// A check as what follows may rely on; other commands as they are.
pub(super) fn assumed(facts: Facts<'_>, command: &PlainCommand) -> PlainCommand {
    let PlainKind::Assert(expr) = command.kind else { return command.clone() };
    let graph = facts.graph;
    let quantifier = matches!(graph.kind(graph.unhinted(expr)), NodeKind::Quantifier(_));
    let relied_on = command.subsumption >= 2 || command.subsumption == 1 && !quantifier;
    PlainCommand::of(PlainKind::Assume(if relied_on { expr } else { facts.yes }), command.span)
}

/// Whether a command is a check of something.
pub(super) fn checks(graph: &Graph, command: &PlainCommand) -> bool {
    matches!(command.kind, PlainKind::Assert(expr) if !matches!(graph.kind(expr), NodeKind::Bool(true)))
}

/// Takes out blocks from which control gets to no check.
pub(super) fn drop_unchecked(flow: &mut Flow, graph: &Graph) {
    let Some(start) = flow.order.first().copied() else { return };
    let mut interesting = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![(start, false)];
    while let Some((at, ready)) = work.pop() {
        if !ready {
            if seen.insert(at) {
                work.push((at, true));
                work.extend(flow.targets(at).iter().map(|to| (*to, false)));
            }
            continue;
        }
        if let Some(targets) = flow.targets_mut(at) {
            targets.retain(|to| interesting.contains(to));
        }
        let goes_on = !flow.targets(at).is_empty();
        if goes_on || flow.commands(at).iter().any(|command| checks(graph, command)) {
            interesting.insert(at);
        }
    }
    interesting.insert(start);
    flow.order.retain(|at| interesting.contains(at));
}

/// Lets control end at what never holds.
pub(super) fn stop_at_never(flow: &mut Flow, graph: &Graph) {
    for at in flow.order.clone() {
        let assumes = |command: &PlainCommand| matches!(command.kind, PlainKind::Assume(_));
        let first = flow.commands(at).iter().position(|it| assumes(it) && never(graph, it));
        if let Some(first) = first {
            flow.commands_mut(at).truncate(first + 1);
            if matches!(flow.blocks[at].plain.jump, PlainJump::Goto(_)) {
                flow.blocks[at].plain.jump = PlainJump::Return(flow.blocks[at].plain.span);
            }
        }
    }
}

/// Makes one block of those that only follow each other.
pub(super) fn coalesce(flow: &mut Flow) {
    let Some(start) = flow.order.first().copied() else { return };
    let mut seen = BTreeSet::new();
    let mut several = BTreeSet::new();
    let mut work = vec![start];
    while let Some(at) = work.pop() {
        if seen.insert(at) {
            work.extend(flow.targets(at));
        } else {
            several.insert(at);
        }
    }
    let (mut kept, mut removed) = (BTreeSet::new(), BTreeSet::new());
    let mut work = vec![start];
    while let Some(at) = work.pop() {
        if !kept.insert(at) {
            continue;
        }
        match *flow.targets(at) {
            [only] if !several.contains(&only) => {
                join(flow, at, only);
                removed.insert(only);
                kept.remove(&at);
                work.push(at);
            }
            _ => work.extend(flow.targets(at)),
        }
    }
    flow.order.retain(|at| kept.contains(at) && !removed.contains(at));
}

fn join(flow: &mut Flow, at: usize, next: usize) {
    let joined = flow.blocks[next].clone();
    flow.commands_mut(at).extend(joined.plain.commands);
    flow.blocks[at].plain.jump = joined.plain.jump;
    flow.blocks[at].plain.jump_attributes = joined.plain.jump_attributes;
    flow.blocks[at].left_at = joined.left_at;
    if !flow.blocks[at].of_text && joined.of_text {
        flow.blocks[at].of_text = true;
        flow.blocks[at].plain.span = joined.plain.span;
        flow.blocks[at].plain.label = joined.plain.label;
    }
}
