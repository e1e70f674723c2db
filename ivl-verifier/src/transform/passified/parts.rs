//! The parts in which a body is asked where attributes say so, and what they are called.

use std::collections::BTreeSet;

use crate::base::source::Span;
use crate::resolve::unparse::plain::{PlainCommand, PlainJump, PlainKind};
use crate::transform::passified::flow::Flow;
use crate::transform::passified::tidy::{Facts, assumed, checks, coalesce, drop_unchecked, stop_at_never};

/// A part of a body.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) flow: Flow,
    pub(crate) origin: Origin,
}

/// What a part is of, and why.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Root,
    /// What goes through these marks.
    Focus(Vec<Span>),
    /// What is checked where this statement leaves.
    Jump(Box<Origin>, Span, Leaving),
    /// What is checked where no isolated statement leaves.
    Remaining(Box<Origin>),
    Assertion(Box<Origin>, Span),
    /// On one way, by the blocks that it chooses.
    Path(Box<Origin>, Vec<Span>),
    /// Behind a mark.
    Split(Box<Origin>, Span),
}

/// How a statement leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    Return,
    Goto,
}

impl Origin {
    /// What follows the name of the implementation.
    pub(crate) fn name(&self, line: &dyn Fn(Span) -> usize) -> String {
        let lines = |all: &[Span]| all.iter().map(|at| line(*at).to_string()).collect::<Vec<_>>().join(",");
        match self {
            Self::Root => String::new(),
            Self::Focus(marks) => format!("/focus[{}]", lines(marks)),
            Self::Jump(inner, at, Leaving::Return) => format!("{}/return@{}", inner.name(line), line(*at)),
            Self::Jump(inner, at, Leaving::Goto) => format!("{}/goto@{}", inner.name(line), line(*at)),
            Self::Remaining(inner) => format!("{}/remainingAssertions", inner.name(line)),
            Self::Assertion(inner, at) => format!("{}/assert@{}", inner.name(line), line(*at)),
            Self::Path(inner, blocks) => format!("{}/path[{}]", inner.name(line), lines(blocks)),
            Self::Split(inner, at) => format!("{}/split@{}", inner.name(line), line(*at)),
        }
    }
}

/// What is known of the body besides its blocks.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'g> {
    pub(super) facts: Facts<'g>,
    /// Whether each check is to be asked by itself.
    pub(super) each: bool,
    /// Whether a jump is written in the text, and not the end of a body.
    pub(super) written: &'g dyn Fn(Span) -> bool,
    pub(super) relax_focus: bool,
}

/// The parts of a body.
pub(super) fn parts(flow: &Flow, wanted: Wanted<'_>) -> Vec<Part> {
    let has_checks = |part: &Part| {
        let mut commands = part.flow.order.iter().flat_map(|at| part.flow.commands(*at));
        commands.any(|it| matches!(it.kind, PlainKind::Assert(_)))
    };
    let mut all = Vec::new();
    for focussed in focus(&Body::of(flow, wanted)) {
        let (jumps, rest) = jumps(&focussed, wanted);
        let (assertions, rest) = assertions(&rest, wanted);
        let mut found: Vec<Part> = jumps.into_iter().chain(assertions).collect();
        found.extend(splits(&rest, wanted));
        found.retain(has_checks);
        if found.is_empty() {
            found.push(focussed);
        }
        all.extend(found);
    }
    all
}

/// A body that parts are taken from.
struct Body<'f, 'g> {
    flow: &'f Flow,
    /// Its blocks, each behind its predecessors.
    order: Vec<usize>,
    wanted: Wanted<'g>,
}

impl<'f, 'g> Body<'f, 'g> {
    fn of(flow: &'f Flow, wanted: Wanted<'g>) -> Self {
        Self { flow, order: flow.topological().unwrap_or_default(), wanted }
    }

    /// What is said in a block if nothing is asked there.
    fn assumed(&self, at: usize) -> Vec<PlainCommand> {
        self.flow.commands(at).iter().map(|command| assumed(self.wanted.facts, command)).collect()
    }

    /// The blocks among some that may lie on a way through one: those before it and those behind it.
    fn on_ways_through(&self, at: usize) -> BTreeSet<usize> {
        &self.flow.reachable(at, false) | &self.flow.reachable(at, true)
    }

    /// Some of the blocks, in topological order, with other commands; control ends where `leaves` says so.
    fn restricted(
        &self,
        keep: Option<&BTreeSet<usize>>,
        commands: &dyn Fn(usize) -> Vec<PlainCommand>,
        leaves: &dyn Fn(usize) -> bool,
    ) -> Flow {
        let mut new = self.flow.clone();
        let kept = |at: &usize| keep.is_none_or(|keep| keep.contains(at));
        new.order = self.order.iter().copied().filter(kept).collect();
        for at in new.order.clone() {
            *new.commands_mut(at) = commands(at);
            if let Some(targets) = new.targets_mut(at) {
                targets.retain(kept);
                new.blocks[at].plain.jump_attributes.clear();
            }
            if leaves(at) {
                new.blocks[at].plain.jump = PlainJump::Return(Span::NOWHERE);
            }
        }
        drop_unchecked(&mut new, self.wanted.facts.graph);
        coalesce(&mut new);
        new
    }
}

/// How many ways through `{:focus}` marks are told apart at most; further marks mean nothing then.
const MOST_WAYS: usize = 1 << 10;

/// A way through some marks that avoids others.
#[derive(Clone)]
struct Way {
    /// The marks that it goes through, the last one first.
    marks: Vec<Span>,
    within: BTreeSet<usize>,
    /// Where nothing is asked, because it stands before a mark.
    assumed: BTreeSet<usize>,
}

/// The ways through `{:focus}` marks, and those that avoid them.
fn focus(body: &Body<'_, '_>) -> Vec<Part> {
    let mark = |at: &usize| {
        let command = body.flow.commands(*at).iter().find(|it| it.has("focus"))?;
        Some((*at, command.span))
    };
    let mut marks: Vec<(usize, Span)> = body.order.iter().filter_map(mark).collect();
    if body.wanted.relax_focus {
        marks.reverse();
    }
    if marks.is_empty() {
        return vec![Part { flow: body.flow.clone(), origin: Origin::Root }];
    }
    let all = body.order.iter().copied().collect();
    let mut ways = vec![Way { marks: Vec::new(), within: all, assumed: BTreeSet::new() }];
    for (at, span) in marks {
        let enough = ways.len() >= MOST_WAYS;
        let mut next = Vec::new();
        for way in ways {
            if enough || !way.within.contains(&at) || way.assumed.contains(&at) {
                next.push(way);
                continue;
            }
            let dominated = dominated(body.flow, &body.order, at, &way.within);
            next.push(Way { within: &way.within - &dominated, ..way.clone() });
            let before = body.flow.reachable(at, false);
            next.push(Way {
                marks: std::iter::once(span).chain(way.marks).collect(),
                within: &way.within & &body.on_ways_through(at),
                assumed: (&way.assumed | &before).into_iter().filter(|it| *it != at).collect(),
            });
        }
        ways = next;
    }
    let part = |way: Way| {
        let commands = |at: usize| match way.assumed.contains(&at) {
            true => body.assumed(at),
            false => body.flow.commands(at).to_vec(),
        };
        let flow = body.restricted(Some(&way.within), &commands, &|_| false);
        Part { flow, origin: if way.marks.is_empty() { Origin::Root } else { Origin::Focus(way.marks) } }
    };
    ways.into_iter().map(part).collect()
}

/// The blocks that control gets to through one block only, among some.
fn dominated(flow: &Flow, order: &[usize], by: usize, within: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); flow.blocks.len()];
    for (from, to) in flow.edges() {
        if within.contains(&from) {
            before[to].push(from);
        }
    }
    for at in order.iter().filter(|at| within.contains(at)) {
        if *at == by || !before[*at].is_empty() && before[*at].iter().all(|it| found.contains(it)) {
            found.insert(*at);
        }
    }
    found
}

/// Whether an attribute isolates, and if so whether on each path.
fn isolation(attributes: &[String]) -> Option<bool> {
    let own = attributes.iter().find(|it| it.split_whitespace().next() == Some("isolate"))?;
    Some(own.contains("\"paths\""))
}

/// What is checked where an isolated statement leaves, and the rest.
fn jumps(part: &Part, wanted: Wanted<'_>) -> (Vec<Part>, Part) {
    let flow = &part.flow;
    let body = Body::of(flow, wanted);
    let mut found = Vec::new();
    let mut isolated = BTreeSet::new();
    for at in flow.order.iter().copied() {
        let block = &flow.blocks[at];
        if !matches!(block.plain.jump, PlainJump::Goto(_)) {
            continue;
        }
        let by_attribute = isolation(&block.plain.jump_attributes);
        let returns = block.left_at.filter(|span| (wanted.written)(*span));
        if by_attribute.is_none() && !(wanted.each && returns.is_some()) {
            continue;
        }
        isolated.insert(at);
        let (place, how) = match block.left_at {
            Some(place) => (place, Leaving::Return),
            None => (block.plain.span, Leaving::Goto),
        };
        let origin = Origin::Jump(Box::new(part.origin.clone()), place, how);
        let [target, ..] = *flow.targets(at) else { continue };
        let within = body.on_ways_through(at);
        if by_attribute == Some(true) {
            found.extend(paths(&body, (target, &within), flow.commands(target), &origin));
        } else {
            let before = flow.reachable(at, false);
            let commands = |it: usize| match before.contains(&it) {
                true => body.assumed(it),
                false => flow.commands(it).to_vec(),
            };
            found.push(Part { flow: body.restricted(Some(&within), &commands, &|_| false), origin });
        }
    }
    if found.is_empty() {
        return (found, part.clone());
    }
    let commands = |at: usize| flow.commands(at).to_vec();
    let rest = body.restricted(None, &commands, &|at| isolated.contains(&at));
    (found, Part { flow: rest, origin: Origin::Remaining(Box::new(part.origin.clone())) })
}

/// How many paths to an isolated check are told apart at most.
const MOST_PATHS: usize = 64;

/// A part for each path to a block among some, as branches that allow it tell them apart, with what is said in that block.
fn paths(
    body: &Body<'_, '_>,
    (last, within): (usize, &BTreeSet<usize>),
    last_commands: &[PlainCommand],
    origin: &Origin,
) -> Vec<Part> {
    let flow = body.flow;
    let allows = |at: &usize| {
        let attributes = &flow.blocks[*at].plain.jump_attributes;
        within.contains(at) && attributes.iter().any(|it| it.split_whitespace().next() == Some("allow_split"))
    };
    let branches: Vec<usize> = body.order.iter().copied().filter(allows).collect();
    let told_apart = !branches.is_empty();
    // The blocks that each path chooses, and those that it may go through.
    let mut ways: Vec<(Vec<usize>, BTreeSet<usize>)> = vec![(Vec::new(), within.clone())];
    for branch in branches {
        let before = flow.reachable(branch, false);
        let enough = ways.len() >= MOST_PATHS;
        let mut next = Vec::new();
        for (choices, within) in ways {
            if enough || !within.contains(&branch) {
                next.push((choices, within));
                continue;
            }
            let targets: Vec<usize> =
                flow.targets(branch).iter().copied().filter(|it| within.contains(it)).collect();
            for target in &targets {
                let on_the_way = &before | &flow.reachable(*target, true);
                let choice = Some(*target).filter(|_| targets.len() > 1);
                next.push((choices.iter().copied().chain(choice).collect(), &within & &on_the_way));
            }
            // Ways around the branch.
            if !targets.is_empty() && !flow.reachable(branch, true).contains(&last) {
                next.push((choices, within));
            }
        }
        ways = next;
    }
    let part = |(choices, within): (Vec<usize>, BTreeSet<usize>)| {
        let commands = |at: usize| match at == last {
            true => last_commands.to_vec(),
            false => body.assumed(at),
        };
        let mut chosen: Vec<Span> = choices.iter().map(|at| flow.blocks[*at].plain.span).collect();
        chosen.sort();
        let flow = body.restricted(Some(&within), &commands, &|at| at == last);
        let origin = origin.clone();
        Part { flow, origin: if told_apart { Origin::Path(Box::new(origin), chosen) } else { origin } }
    };
    ways.into_iter().map(part).collect()
}

/// A part for each check that is asked by itself, and the rest.
fn assertions(part: &Part, wanted: Wanted<'_>) -> (Vec<Part>, Part) {
    let flow = &part.flow;
    let body = Body::of(flow, wanted);
    let mut found = Vec::new();
    let mut isolated = BTreeSet::new();
    for at in flow.order.iter().copied() {
        for (index, command) in flow.commands(at).iter().enumerate() {
            if !matches!(command.kind, PlainKind::Assert(_)) {
                continue;
            }
            let by_attribute = isolation(&command.attributes);
            if by_attribute.is_none() && !wanted.each {
                continue;
            }
            isolated.insert((at, index));
            let mut up_to = body.assumed(at);
            up_to.truncate(index);
            up_to.push(command.clone());
            let within = flow.reachable(at, false);
            if by_attribute == Some(true) {
                // The names of these leave out the marks before them, by the source of Boogie.
                let origin = Origin::Assertion(Box::new(Origin::Root), command.span);
                found.extend(paths(&body, (at, &within), &up_to, &origin));
            } else {
                let commands = |it: usize| if it == at { up_to.clone() } else { body.assumed(it) };
                let flow = body.restricted(Some(&within), &commands, &|_| false);
                let origin = Origin::Assertion(Box::new(part.origin.clone()), command.span);
                found.push(Part { flow, origin });
            }
        }
    }
    if found.is_empty() {
        return (found, part.clone());
    }
    let commands = |at: usize| {
        let all = flow.commands(at).iter().enumerate();
        let kept = all.map(|(index, command)| match isolated.contains(&(at, index)) {
            true => assumed(wanted.facts, command),
            false => command.clone(),
        });
        kept.collect()
    };
    let rest = body.restricted(None, &commands, &|_| false);
    (found, Part { flow: rest, origin: part.origin.clone() })
}

/// The parts behind `{:split_here}` marks, and what comes before all of them.
fn splits(part: &Part, wanted: Wanted<'_>) -> Vec<Part> {
    let flow = &part.flow;
    let here = |command: &PlainCommand| command.has("split_here");
    let marks: Vec<(usize, usize)> = flow
        .order
        .iter()
        .flat_map(|at| {
            let all = flow.commands(*at).iter().enumerate();
            all.filter(|(_, command)| here(command)).map(|(index, _)| (*at, index))
        })
        .collect();
    if marks.is_empty() {
        return vec![part.clone()];
    }
    let governing = governing(flow, &marks);
    let first = flow.order.first().copied().unwrap_or(0);
    let mut found = Vec::new();
    for mark in std::iter::once(None).chain(marks.iter().copied().map(Some)) {
        let own = mark.map_or(first, |(at, _)| at);
        let mut count = 0;
        let mut new = flow.clone();
        for at in flow.order.iter().copied() {
            let mut verify = at != own && governing[at] == mark || at == own && mark.is_none();
            let commands = flow.commands(at).iter().enumerate();
            let commands: Vec<PlainCommand> = commands
                .map(|(index, command)| {
                    if here(command) {
                        verify = at == own && mark == Some((at, index));
                    }
                    count += usize::from(verify && checks(wanted.facts.graph, command));
                    if verify { command.clone() } else { assumed(wanted.facts, command) }
                })
                .collect();
            *new.commands_mut(at) = commands;
        }
        if count == 0 {
            continue;
        }
        stop_at_never(&mut new, wanted.facts.graph);
        drop_unchecked(&mut new, wanted.facts.graph);
        coalesce(&mut new);
        let origin = match mark {
            None => part.origin.clone(),
            Some((at, index)) => Origin::Split(Box::new(part.origin.clone()), flow.commands(at)[index].span),
        };
        found.push(Part { flow: new, origin });
    }
    found
}

/// The mark that is the last one on every way to where each block begins.
fn governing(flow: &Flow, marks: &[(usize, usize)]) -> Vec<Option<(usize, usize)>> {
    let dominators = flow.dominators();
    let mut governing = vec![None; flow.blocks.len()];
    for at in flow.topological().unwrap_or_default() {
        let above = dominators.immediate_dominator(petgraph::graph::NodeIndex::new(at));
        if let Some(above) = above.map(petgraph::graph::NodeIndex::index) {
            let last = marks.iter().rev().find(|(block, _)| *block == above);
            governing[at] = last.copied().or(governing[above]);
        }
    }
    governing
}
