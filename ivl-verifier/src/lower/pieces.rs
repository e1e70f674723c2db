//! Implementations in pieces: each is a query of its own, within limits of its own.
//!
//! A piece is a set of checks together with the ways on which they are asked: edges of control flow whose loops are
//! cut. What its query says of a way is what the query of the whole says of it: a check of another piece is assumed
//! where control passes it, and only if what follows may rely on it. What comes after the last check of the piece,
//! and what leads to none, is left out; nothing that stands behind a check is ever assumed of it. So a check fails on
//! a way in its piece if and only if it fails there in the whole, and it is enough that
//!
//! > every way from the entry to a check is in exactly one of the pieces that ask the check.
//!
//! One piece with everything has this property, and each step of a division keeps it: either the checks of a
//! piece are shared out, each with all ways of the piece (`{:isolate}`, `{:split_here}`, each check by itself
//! or some together), or the ways are, by whether they go through some block, each way with all of its checks
//! (`{:focus}`, `return {:isolate}`). A step of the second kind copies checks that lie behind the block on some
//! ways only; those before it stay with the ways that avoid it, since every way to them does. Where paths are
//! wanted (`{:isolate "paths"}`) the ways are told apart at each branch that allows it (`{:allow_split}`) by
//! where they go on, first by whether they come to it at all. No step turns a check that is in no other piece
//! into an assumption, which is what makes Boogie 3.5 verify false programs where `{:focus}` and
//! `{:split_here}` meet.
//!
//! A piece that runs out of its limits can be divided further ([`smaller`]) by steps of the same two kinds, down to one
//! check on one path.
//!
//! A division is a function of the cut implementation, where marks are [`Observation`]s and
//! [`super::Check::isolation`], and of a [`Division`]. An implementation without marks costs one walk over its
//! commands; a step costs its piece's blocks.

use std::sync::Arc;

use crate::lower::cut::{Cut, CutCommand, Required};
use crate::lower::{Assertion, Passive, PassiveCommand};
use crate::resolve::program::{Isolation, Observation};

/// What one query asks. Blocks are numbered as in [`super::Passive`].
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The numbers of the checks, in the order of control.
    pub(crate) checks: Vec<usize>,
    /// Where control may go after each block.
    pub(crate) ways: Arc<Ways>,
}

/// The successors of each block; blocks are in topological order.
pub(crate) type Ways = Vec<Vec<usize>>;

/// After how many parts ways are not divided further: paths through several blocks in focus can be exponentially many,
/// as those to a check can be.
const MOST_PARTS: usize = 64;

/// How an implementation is divided beside what marks say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// Not at all.
    Marked,
    /// Each check is asked by itself.
    EachCheck,
    /// What marks leave together is shared out to so many pieces at most, in the order of control.
    AtMost(usize),
}

/// The pieces of an implementation, in the order of their first checks. None if it is asked as a whole; one of it all
/// if it `may_divide` later and has checks.
pub(crate) fn pieces(cut: &Cut, division: Division, may_divide: bool) -> Vec<Piece> {
    if division == Division::Marked && !may_divide && !is_marked(cut) {
        return Vec::new();
    }
    let pieces = Flow::new(cut).divide(division);
    if may_divide || pieces.len() > 1 { pieces } else { Vec::new() }
}

/// A piece in so many smaller ones at most: its checks are shared out, or, if there is only one, the ways to it, where
/// control first chooses among them. One check on one path is not divided.
pub(crate) fn smaller(piece: &Piece, passive: &Passive, most: usize) -> Vec<Piece> {
    if piece.checks.len() > 1 {
        let part = |checks: Vec<usize>| Piece { checks, ways: Arc::clone(&piece.ways) };
        return shares(&piece.checks, most).into_iter().map(part).collect();
    }
    let ways = path(piece, passive);
    let Some(at) = ways.iter().position(|successors| successors.len() > 1) else { return Vec::new() };
    let part = |successors: Vec<usize>| {
        let mut ways = ways.clone();
        ways[at] = successors;
        Piece { checks: piece.checks.clone(), ways: Arc::new(ways) }
    };
    shares(&ways[at], most).into_iter().map(part).collect()
}

/// The ways of a piece from the entry to its checks, and no further.
pub(crate) fn path(piece: &Piece, passive: &Passive) -> Ways {
    let asks = |command: &PassiveCommand| matches!(command, PassiveCommand::Assert(it) if piece.checks.contains(&it.check));
    let blocks = passive.blocks.iter().enumerate();
    let asked = blocks.filter(|(_, block)| block.commands.iter().any(asks)).map(|(at, _)| at);
    let mut ways = leading(&piece.ways, asked);
    let there = reached(&ways, 0);
    ways.iter_mut().zip(there).filter(|(_, there)| !there).for_each(|(successors, _)| successors.clear());
    ways
}

fn is_marked(cut: &Cut) -> bool {
    let mark = |command: &CutCommand| matches!(command, CutCommand::Observe(it) if it.divides());
    cut.checks.iter().any(|check| check.isolation != Isolation::Together)
        || cut.blocks.iter().any(|it| it.commands.iter().any(mark))
}

/// A check at its place.
#[derive(Clone, Copy, Debug)]
struct Place {
    check: usize,
    block: usize,
    /// The last `{:split_here}` that every way to it goes through; 0 if there is none.
    group: usize,
    isolation: Isolation,
    /// Whether it is one of the implementation's own postconditions.
    leaving: bool,
}

/// What a division looks at.
struct Flow {
    ways: Ways,
    /// In the order of control.
    checks: Vec<Place>,
    foci: Vec<usize>,
    /// The blocks that end in a `return {:isolate}`, and whether each path to them is wanted.
    returns: Vec<(usize, bool)>,
    /// The blocks whose branches tell paths apart.
    branches: Vec<usize>,
}

/// A piece while it is divided.
#[derive(Clone)]
struct Part {
    checks: Vec<Place>,
    ways: Arc<Ways>,
}

impl Flow {
    fn new(cut: &Cut) -> Self {
        let mut number = vec![0; cut.blocks.len()];
        for (index, at) in cut.order.iter().enumerate() {
            number[*at] = index;
        }
        let successors = |at: &usize| cut.blocks[*at].successors.iter().map(|to| number[*to]).collect();
        let ways: Ways = cut.order.iter().map(successors).collect();
        let above = dominators(&ways);
        let mut flow =
            Self { ways, checks: Vec::new(), foci: Vec::new(), returns: Vec::new(), branches: Vec::new() };
        // The group in which each block ends.
        let mut groups: Vec<usize> = Vec::new();
        let mut count = 0;
        for (block, at) in cut.order.iter().enumerate() {
            let mut group = if block == 0 { 0 } else { groups.get(above[block]).copied().unwrap_or(0) };
            for command in &cut.blocks[*at].commands {
                // Of checks that are not asked in the whole nothing is asked in a piece.
                let mut add = |assertion: &Assertion, leaving: bool| {
                    let Assertion { check, settled, .. } = *assertion;
                    if settled {
                        return;
                    }
                    let isolation = cut.checks.get(check).map_or_else(Isolation::default, |it| it.isolation);
                    flow.checks.push(Place { check, block, group, isolation, leaving });
                };
                match command {
                    CutCommand::Assert(it) => add(it, false),
                    CutCommand::Ensure(it) => add(it, true),
                    CutCommand::Call(_, required) => {
                        required.iter().filter_map(Required::check).for_each(|it| add(it, false));
                    }
                    CutCommand::Observe(Observation::SplitHere) => {
                        count += 1;
                        group = count;
                    }
                    CutCommand::Observe(Observation::Focus) if flow.foci.last() != Some(&block) => {
                        flow.foci.push(block);
                    }
                    CutCommand::Observe(Observation::IsolatedReturn(isolation)) => {
                        flow.returns.push((block, *isolation == Isolation::OnEachPath));
                    }
                    CutCommand::Observe(Observation::AllowSplit) if flow.branches.last() != Some(&block) => {
                        flow.branches.push(block);
                    }
                    CutCommand::Assume(_)
                    | CutCommand::Ensured(_)
                    | CutCommand::Havoc(_)
                    | CutCommand::Forget(_)
                    | CutCommand::Assign(_)
                    | CutCommand::Observe(_) => {}
                }
            }
            groups.push(group);
        }
        flow
    }

    fn divide(self, division: Division) -> Vec<Piece> {
        let Self { ways, checks, foci, returns, branches } = self;
        let whole = Part { checks, ways: Arc::new(ways) };
        let (isolated, rest) = whole.share(|check| check.isolation != Isolation::Together);
        let mut parts: Vec<Part> = Vec::new();
        for part in isolated.into_iter().flat_map(|part| part.by(|check| check.check)) {
            match part.checks.as_slice() {
                [Place { isolation: Isolation::OnEachPath, .. }] => parts.extend(part.paths(&branches)),
                _ => parts.push(part),
            }
        }
        // Returns: the postconditions on the ways through each, then those on the others.
        let (mut leaving, rest) = match rest {
            Some(rest) if !returns.is_empty() => rest.share(|check| check.leaving),
            rest => (None, rest),
        };
        for (block, on_each_path) in returns {
            let (through, avoiding) = leaving.map_or((None, None), |part| part.at(block));
            match through {
                Some(part) if on_each_path => parts.extend(part.paths(&branches)),
                through => parts.extend(through),
            }
            leaving = avoiding;
        }
        let mut others: Vec<Part> = leaving.into_iter().chain(rest).collect();
        // The last block first: a block that comes after another one in focus then avoids no way of it.
        for block in foci.into_iter().rev() {
            if others.len() > MOST_PARTS {
                break;
            }
            others = others
                .into_iter()
                .flat_map(|part| <[Option<Part>; 2]>::from(part.at(block)))
                .flatten()
                .collect();
        }
        parts.extend(others.into_iter().flat_map(|part| part.by(|check| check.group)));
        parts = match division {
            Division::Marked => parts,
            Division::EachCheck => parts.into_iter().flat_map(|part| part.by(|check| check.check)).collect(),
            Division::AtMost(most) => parts.iter().flat_map(|part| part.among(most)).collect(),
        };
        // Checks are in the order of control, which blocks are numbered in.
        let order = |part: &Part| part.checks.first().map(|first| (first.block, first.check));
        parts.sort_by_key(order);
        let piece = |part: Part| Piece {
            checks: part.checks.iter().map(|place| place.check).collect(),
            ways: part.ways,
        };
        parts.into_iter().map(piece).collect()
    }
}

impl Part {
    /// The checks that are wanted, and the others, each with all ways.
    fn share(self, wanted: impl Fn(&Place) -> bool) -> (Option<Self>, Option<Self>) {
        let (wanted, others): (Vec<Place>, Vec<Place>) = self.checks.into_iter().partition(wanted);
        let part =
            |checks: Vec<Place>| (!checks.is_empty()).then(|| Self { checks, ways: Arc::clone(&self.ways) });
        (part(wanted), part(others))
    }

    /// The checks shared out by a number, in the order in which the numbers are met.
    fn by(self, key: impl Fn(&Place) -> usize) -> Vec<Self> {
        let mut place = rustc_hash::FxHashMap::default();
        let mut parts: Vec<Self> = Vec::new();
        for check in self.checks {
            let at = *place.entry(key(&check)).or_insert(parts.len());
            match parts.get_mut(at) {
                Some(part) => part.checks.push(check),
                None => parts.push(Self { checks: vec![check], ways: Arc::clone(&self.ways) }),
            }
        }
        parts
    }

    /// As many checks for each of so many parts, or one less for the last ones.
    fn among(&self, most: usize) -> Vec<Self> {
        let part = |checks: Vec<Place>| Self { checks, ways: Arc::clone(&self.ways) };
        shares(&self.checks, most).into_iter().map(part).collect()
    }

    /// Each path by itself, as the branches of some blocks, in the order of control, tell them apart. All checks are
    /// those of one block.
    fn paths(self, branches: &[usize]) -> Vec<Self> {
        let mut done = Vec::new();
        let mut work = vec![(self.leading(), 0)];
        while let Some((part, from)) = work.pop() {
            let there = reached(&part.ways, 0);
            let chooses = |at: &usize| there[*at] && part.ways[*at].len() > 1;
            let found = branches.iter().copied().enumerate().skip(from).find(|(_, at)| chooses(at));
            let Some((number, at)) = found else {
                done.push(part);
                continue;
            };
            // Where there are too many, those that are not told apart stay together.
            if done.len() + work.len() + part.ways[at].len() + 1 > MOST_PARTS {
                done.push(part);
                continue;
            }
            let (through, avoiding) = part.at(at);
            if let Some(part) = through {
                for to in &part.ways[at] {
                    let mut ways = Ways::clone(&part.ways);
                    ways[at] = vec![*to];
                    let part = Self { checks: part.checks.clone(), ways: Arc::new(ways) };
                    work.push((part.leading(), number + 1));
                }
            }
            work.extend(avoiding.map(|part| (part.leading(), number + 1)));
        }
        done
    }

    /// The same without the ways that lead to none of its checks.
    fn leading(self) -> Self {
        let ways = leading(&self.ways, self.checks.iter().map(|place| place.block));
        Self { checks: self.checks, ways: Arc::new(ways) }
    }

    /// The ways through a block, and those that avoid it, each with the checks on them.
    fn at(self, block: usize) -> (Option<Self>, Option<Self>) {
        let behind = reached(&self.ways, block);
        if !reached(&self.ways, 0)[block] {
            return (None, Some(self));
        }
        let mut before = vec![false; self.ways.len()];
        for at in (0..block).rev() {
            before[at] = self.ways[at].iter().any(|to| *to == block || before[*to]);
        }
        let restricted = |keep: &dyn Fn(usize, usize) -> bool| -> Arc<Ways> {
            let kept =
                |(at, to): (usize, &Vec<usize>)| to.iter().copied().filter(|to| keep(at, *to)).collect();
            Arc::new(self.ways.iter().enumerate().map(kept).collect())
        };
        let through = restricted(&|at, to| to == block || before[to] || behind[at]);
        let avoiding = restricted(&|at, to| at != block && to != block);
        let part = |ways: Arc<Ways>, wanted: &dyn Fn(usize) -> bool| {
            let there = reached(&ways, 0);
            let on = |check: &&Place| wanted(check.block) && there[check.block];
            let checks: Vec<Place> = self.checks.iter().filter(on).copied().collect();
            (!checks.is_empty()).then_some(Self { checks, ways })
        };
        (part(through, &|at| behind[at]), part(avoiding, &|at| at != block))
    }
}

/// As many for each of so many shares, or one less for the last ones.
fn shares<T: Copy>(all: &[T], most: usize) -> Vec<Vec<T>> {
    let most = most.clamp(1, all.len().max(1));
    let (each, more) = (all.len() / most, all.len() % most);
    let mut rest = all;
    let share = |number: usize| {
        let (some, others) = rest.split_at(each + usize::from(number < more));
        rest = others;
        some.to_vec()
    };
    (0..most).map(share).collect()
}

/// The ways that lead to some blocks.
fn leading(ways: &Ways, blocks: impl Iterator<Item = usize>) -> Ways {
    let mut leads = vec![false; ways.len()];
    blocks.for_each(|at| leads[at] = true);
    for at in (0..ways.len()).rev() {
        leads[at] |= ways[at].iter().any(|to| leads[*to]);
    }
    let kept = |to: &Vec<usize>| to.iter().copied().filter(|to| leads[*to]).collect();
    ways.iter().map(kept).collect()
}

/// What can be reached from a block, which is one of them.
fn reached(ways: &Ways, from: usize) -> Vec<bool> {
    let mut reached = vec![false; ways.len()];
    if let Some(first) = reached.get_mut(from) {
        *first = true;
    }
    for at in from..ways.len() {
        if reached[at] {
            ways[at].iter().for_each(|to| reached[*to] = true);
        }
    }
    reached
}

/// The last block before each one that every way to it goes through; the entry has none and stands for itself.
fn dominators(ways: &Ways) -> Vec<usize> {
    let mut above: Vec<Option<usize>> = vec![None; ways.len()];
    for (at, successors) in ways.iter().enumerate() {
        for to in successors {
            let mut other = at;
            let mut common = above[*to].unwrap_or(at);
            // Whoever comes later in the order is not above the other one.
            while common != other {
                let later = common.max(other);
                let next = above[later].unwrap_or(0);
                if common == later { common = next } else { other = next }
            }
            above[*to] = Some(common);
        }
    }
    above.into_iter().map(|it| it.unwrap_or(0)).collect()
}
