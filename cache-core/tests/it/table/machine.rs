//! The oracle for tables in an abstract machine: a check with the table says what a check without it
//! says, under random bindings, choicepoints, backtracking, cuts and collections that move everything.
//! And it notices a table that ignores marks or moves, and a machine that remembers what may change.

use super::*;

const CELLS: u32 = 12;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Binds a free cell to a list cell or to something else.
    Bind(u32, bool),
    Choicepoint,
    Backtrack,
    Cut,
    Check(u32),
    /// A collection that gives each cell the address of its mirror image.
    Move,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..CELLS, prop::bool::weighted(0.8)).prop_map(|(cell, list)| Step::Bind(cell, list)),
        2 => Just(Step::Choicepoint),
        2 => Just(Step::Backtrack),
        1 => Just(Step::Cut),
        8 => (0..CELLS).prop_map(Step::Check),
        1 => Just(Step::Move),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 0..120)
}

/// A machine of cells that are free, or bound to a list cell (`true`) or to something else.
#[derive(Default)]
struct Machine {
    cells: [Option<bool>; CELLS as usize],
    trail: Vec<u32>,
    choicepoints: Vec<(usize, Mark)>,
}

impl Machine {
    /// The step that a cached check got wrong, if there is one. Failures are remembered by fault only:
    /// a free cell that is no list may be one later.
    fn first_wrong<P: Policy>(
        table: &mut Table<u32, bool, P>,
        steps: &[Step],
        remembers_failures: bool,
    ) -> Option<usize> {
        let mut machine = Self::default();
        for (number, step) in steps.iter().enumerate() {
            match *step {
                Step::Bind(cell, list) => {
                    let bound = &mut machine.cells[cell as usize];
                    if bound.is_none() {
                        *bound = Some(list);
                        machine.trail.push(cell);
                    }
                }
                Step::Choicepoint => machine.choicepoints.push((machine.trail.len(), table.mark())),
                Step::Backtrack => {
                    if let Some((trail, mark)) = machine.choicepoints.pop() {
                        for cell in machine.trail.drain(trail..) {
                            machine.cells[cell as usize] = None;
                        }
                        table.drop_since(mark);
                    }
                }
                Step::Cut => drop(machine.choicepoints.pop()),
                Step::Check(cell) => {
                    let fresh = machine.cells[cell as usize] == Some(true);
                    match table.get(cell).copied() {
                        Some(cached) if cached != fresh => return Some(number),
                        Some(_) => {}
                        None if fresh || remembers_failures => table.insert(cell, fresh),
                        None => {}
                    }
                }
                Step::Move => {
                    let moved = |cell: u32| CELLS - 1 - cell;
                    machine.cells.reverse();
                    machine.trail.iter_mut().for_each(|cell| *cell = moved(*cell));
                    table.relocate(|cell| Some(moved(cell)));
                }
            }
        }
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_cached_check_says_what_a_check_says(steps in steps(), capacity in 1_usize..16) {
        prop_assert_eq!(Machine::first_wrong::<Unbounded>(&mut Table::new(capacity), &steps, false), None);
        prop_assert_eq!(Machine::first_wrong::<DirectMapped>(&mut Table::new(capacity), &steps, false), None);
        prop_assert_eq!(Machine::first_wrong::<Lru>(&mut Table::new(capacity), &steps, false), None);
        prop_assert_eq!(Machine::first_wrong::<S3Fifo>(&mut Table::new(capacity), &steps, false), None);
    }
}

#[test]
fn the_machine_notices_remembered_failures() {
    let law = |steps: Vec<Step>| {
        prop_assert_eq!(Machine::first_wrong::<Lru>(&mut Table::new(16), &steps, true), None);
        Ok(())
    };
    assert!(crate::planted::is_broken(50, &steps(), law));
}

#[cfg(feature = "plant")]
#[test]
fn the_machine_notices_ignored_marks_and_moves() {
    use cache_core::plant::Fault;
    for fault in [Fault::IgnoreMarks, Fault::IgnoreMoves] {
        let law = |steps: Vec<Step>| {
            let mut table: Table<u32, bool, DirectMapped> = Table::new(16);
            table.plant(Some(fault));
            prop_assert_eq!(Machine::first_wrong(&mut table, &steps, false), None);
            Ok(())
        };
        assert!(crate::planted::is_broken(50, &steps(), law), "{fault:?}");
    }
}
