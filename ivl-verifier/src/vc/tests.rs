//! Pieces ask what the whole asks: the same checks fail, on the same ways.
//!
//! Random control flow with assumptions, checks and marks is run in all states of a few truth values, which are all
//! that its conditions say. So it is known which checks fail and on which ways, of the whole and of each piece.

use std::collections::BTreeMap;

use super::{Condition, Step, condition};
use crate::base::arena::Id;
use crate::base::source::Span;
use crate::lower::cut::{Cut, CutBlock, CutCommand};
use crate::lower::pieces::{Division, Piece, path, pieces, smaller};
use crate::lower::{Assertion, Check, CheckKind, Passive, PassiveBlock, PassiveCommand};
use crate::resolve::graph::NodeId;
use crate::resolve::program::{Isolation, Observation};

/// How many truth values there are.
const ATOMS: usize = 4;

/// A sequence of numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap_or(0) % limit
    }

    fn atom(&mut self) -> NodeId {
        NodeId::from_index(self.below(ATOMS))
    }
}

/// Blocks in topological order, each of which can be reached; the last one has postconditions.
fn any(numbers: &mut Numbers) -> Cut {
    let count = 2 + numbers.below(6);
    let mut successors = vec![Vec::new(); count];
    for at in 1..count {
        successors[numbers.below(at)].push(at);
        for from in &mut successors[..at] {
            if numbers.below(4) == 0 && !from.contains(&at) {
                from.push(at);
            }
        }
    }
    let mut checks = Vec::new();
    let mut blocks = Vec::new();
    for (at, successors) in successors.into_iter().enumerate() {
        let mut commands = Vec::new();
        for _ in 0..numbers.below(5) {
            let condition = numbers.atom();
            let isolation = [Isolation::Apart, Isolation::OnEachPath][numbers.below(2)];
            commands.push(match numbers.below(9) {
                0 => CutCommand::Observe(Observation::SplitHere),
                1 => CutCommand::Observe(Observation::Focus),
                2 if successors.is_empty() => CutCommand::Observe(Observation::IsolatedReturn(isolation)),
                2 | 3 => CutCommand::Assume(condition),
                4 => CutCommand::Observe(Observation::AllowSplit),
                _ => {
                    checks.push(Check {
                        kind: CheckKind::Assertion,
                        message: None,
                        span: Span::NOWHERE,
                        condition: None,
                        candidate: None,
                        isolation: if numbers.below(4) == 0 { isolation } else { Isolation::Together },
                    });
                    let verified_under = (numbers.below(4) == 0).then(|| numbers.atom());
                    let (check, subsumes) = (checks.len() - 1, numbers.below(3) > 0);
                    let settled = numbers.below(8) == 0;
                    let assertion = Assertion { check, condition, verified_under, subsumes, settled };
                    if at + 1 == count {
                        CutCommand::Ensure(assertion)
                    } else {
                        CutCommand::Assert(assertion)
                    }
                }
            });
        }
        blocks.push(CutBlock {
            label: None,
            continues: false,
            commands,
            successors,
            returns: None,
            beyond: Vec::new(),
        });
    }
    Cut { blocks, checks, order: (0..count).collect() }
}

/// The same as passive blocks: conditions have no variables.
fn passive(cut: &Cut) -> Passive {
    let command = |command: &CutCommand| match command {
        CutCommand::Assume(condition) => Some(PassiveCommand::Assume(*condition)),
        CutCommand::Assert(assertion) | CutCommand::Ensure(assertion) => {
            Some(PassiveCommand::Assert(*assertion))
        }
        _ => None,
    };
    let block = |block: &CutBlock| PassiveBlock {
        label: None,
        continues: false,
        commands: block.commands.iter().filter_map(command).collect(),
        successors: block.successors.clone(),
        returns: None,
        beyond: Vec::new(),
    };
    let blocks = cut.blocks.iter().map(block).collect();
    Passive {
        blocks,
        checks: cut.checks.clone(),
        settlements: Vec::new(),
        history: Vec::new(),
        leaving: None,
    }
}

/// What fails: state, way and label, with how often that is found.
type Failures = BTreeMap<(usize, Vec<usize>, usize), usize>;

fn run(condition: &Condition, state: usize, way: &mut Vec<usize>, at: usize, found: &mut Failures) {
    way.push(at);
    let holds = |node: NodeId| state >> node.index() & 1 == 1;
    let block = &condition.blocks[at];
    let goes_on = block.steps.iter().rev().all(|step| match step {
        Step::Assume(assumed) => holds(*assumed),
        Step::Assert { label, condition, verified_under, subsumes } => {
            if !holds(*condition) && !verified_under.is_some_and(holds) {
                *found.entry((state, way.clone(), *label)).or_insert(0) += 1;
            }
            holds(*condition) || !subsumes
        }
    });
    if goes_on {
        block.successors.iter().for_each(|to| run(condition, state, way, *to, found));
    }
    way.pop();
}

fn failures<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Failures {
    let mut found = Failures::new();
    for condition in conditions {
        (0..1 << ATOMS).for_each(|state| run(condition, state, &mut Vec::new(), 0, &mut found));
    }
    found
}

/// A piece, or smaller ones in its place.
fn further(piece: Piece, passive: &Passive, numbers: &mut Numbers) -> Vec<Piece> {
    let smaller =
        if numbers.below(3) == 0 { Vec::new() } else { smaller(&piece, passive, 2 + numbers.below(2)) };
    if smaller.is_empty() { vec![piece] } else { smaller }
}

/// The number of the first of some programs of which the pieces, changed by a lie, do not ask what the whole does.
fn first_difference(lie: impl Fn(&mut Vec<Condition>, &mut Numbers)) -> Option<u64> {
    (0..3_000).find(|seed| {
        let mut numbers = Numbers(*seed);
        let cut = any(&mut numbers);
        let whole = condition(&passive(&cut));
        let division = [Division::Marked, Division::EachCheck, Division::AtMost(2)][numbers.below(3)];
        let mut pieces = pieces(&cut, division, numbers.below(2) == 0);
        if pieces.is_empty() {
            return false;
        }
        // As if some of them had run out of their limits.
        for _ in 0..numbers.below(3) {
            let passive = passive(&cut);
            pieces = pieces.into_iter().flat_map(|piece| further(piece, &passive, &mut numbers)).collect();
        }
        let mut conditions: Vec<Condition> = pieces.iter().map(|piece| whole.of(piece)).collect();
        lie(&mut conditions, &mut numbers);
        failures([&whole]) != failures(&conditions)
    })
}

#[test]
fn each_way_to_a_failing_check_is_in_one_piece() {
    assert_eq!(first_difference(|_, _| {}), None);
}

/// The law notices when a check is in no piece, or in two; when what follows a check counts for it; and when what is
/// checked elsewhere is assumed although what follows must not rely on it.
#[test]
fn the_law_notices_wrong_pieces() {
    type Lie = fn(&mut Vec<Condition>, &mut Numbers);
    let lies: [(&str, Lie); 4] = [
        ("a piece is lost", |conditions, numbers| {
            conditions.remove(numbers.below(conditions.len()));
        }),
        ("a piece is asked twice", |conditions, numbers| {
            conditions.push(conditions[numbers.below(conditions.len())].clone());
        }),
        ("assumed before it is met", |conditions, _| {
            // Steps stand in the opposite order.
            let blocks = conditions.iter_mut().flat_map(|condition| &mut condition.blocks);
            blocks.for_each(|block| block.steps.sort_by_key(|step| matches!(step, Step::Assume(_))));
        }),
        ("assumed although nothing may rely on it", |conditions, _| {
            let steps = conditions.iter_mut().flat_map(|it| &mut it.blocks).flat_map(|it| &mut it.steps);
            for step in steps {
                if let Step::Assert { subsumes, .. } = step {
                    *subsumes = true;
                }
            }
        }),
    ];
    for (what, lie) in lies {
        assert!(first_difference(lie).is_some(), "{what}");
    }
}

/// Division does something: pieces are smaller than the whole, and there are several kinds of them.
#[test]
fn pieces_are_smaller_than_the_whole() {
    let size = |condition: &Condition| condition.blocks.iter().map(|block| block.steps.len()).sum::<usize>();
    let (mut divided, mut smaller, mut pieces_in_all) = (0, 0, 0);
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let cut = any(&mut numbers);
        let whole = condition(&passive(&cut));
        let pieces = pieces(&cut, Division::Marked, false);
        divided += usize::from(!pieces.is_empty());
        pieces_in_all += pieces.len();
        smaller += pieces.iter().filter(|piece| size(&whole.of(piece)) < size(&whole)).count();
    }
    assert!(divided > 150 && pieces_in_all > 3 * divided, "{divided} {pieces_in_all}");
    assert!(4 * smaller > 3 * pieces_in_all, "{smaller} of {pieces_in_all}");
}

/// What is divided again and again ends in one check on one path.
#[test]
fn the_smallest_pieces_are_one_check_on_one_path() {
    let mut smallest = 0;
    for seed in 0..300 {
        let cut = any(&mut Numbers(seed));
        let passive = passive(&cut);
        let mut work = pieces(&cut, Division::Marked, true);
        while let Some(piece) = work.pop() {
            let parts = smaller(&piece, &passive, 2);
            assert_ne!(parts.len(), 1);
            if parts.is_empty() {
                assert_eq!(piece.checks.len(), 1, "{seed}");
                assert!(path(&piece, &passive).iter().all(|to| to.len() <= 1), "{seed}");
                smallest += 1;
            }
            work.extend(parts);
        }
    }
    assert!(smallest > 1_000, "{smallest}");
}
