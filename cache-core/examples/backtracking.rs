//! Truths that are undone: a machine that backtracks remembers which of its lists are well typed.
//!
//! The machine keeps lists in cells, pushes numbers onto them, and goes back to a choicepoint, behind which it uses
//! the cells again. A check walks down a list until it meets a cell that is known to begin a list of numbers. What was
//! found out behind a choicepoint is true no more when the machine returns there ([`Table::drop_since`]). With
//! [`EveryNth`] only every n-th cell below the one that is checked is remembered: less room, and the next walk goes
//! less than n cells further.
#![expect(clippy::print_stdout, reason = "a program whose user reads what it prints")]

use std::num::NonZeroU32;

use cache_core::policy::{Admission, EveryNth, Everything, S3Fifo};
use cache_core::table::{Mark, Table};

/// A cell: what is in front, and the cell of the rest; the empty list has none.
#[derive(Clone, Copy)]
struct Cell {
    is_number: bool,
    rest: Option<u32>,
}

/// A point to which the machine can return.
struct Choicepoint {
    cells: usize,
    mark: Mark,
}

/// The machine, with what it remembers under one rule of admission.
struct Machine<A> {
    cells: Vec<Cell>,
    known: Table<u32, (), S3Fifo>,
    admission: A,
    /// So many cells were looked at by checks.
    looked_at: u64,
}

impl<A: Admission> Machine<A> {
    /// Without cells; remembers `entries` of them.
    fn new(entries: usize, admission: A) -> Self {
        Self { cells: Vec::new(), known: Table::new(entries), admission, looked_at: 0 }
    }

    fn push(&mut self, is_number: bool, rest: Option<u32>) -> Option<u32> {
        self.cells.push(Cell { is_number, rest });
        u32::try_from(self.cells.len() - 1).ok()
    }

    fn choicepoint(&self) -> Choicepoint {
        Choicepoint { cells: self.cells.len(), mark: self.known.mark() }
    }

    /// Returns to a choicepoint: newer cells are used again, and what was found out since is forgotten.
    fn fail(&mut self, to: &Choicepoint) {
        self.cells.truncate(to.cells);
        self.known.drop_since(to.mark);
    }

    /// Whether this is a list of numbers.
    fn is_list(&mut self, list: Option<u32>) -> bool {
        let (mut at, mut walked) = (list, Vec::new());
        while let Some(address) = at {
            if self.known.contains(address) {
                break;
            }
            self.looked_at += 1;
            let Some(cell) = self.cells.get(address as usize).filter(|cell| cell.is_number) else {
                return false;
            };
            walked.push(address);
            at = cell.rest;
        }
        for (depth, address) in (0..).zip(walked) {
            if self.admission.admits(depth) {
                self.known.insert(address, ());
            }
        }
        true
    }

    /// Pushes `length` numbers and checks the list at every fourth, then goes back half the way and pushes something
    /// else into the cells that become free; what the checks said, a letter for each.
    fn run(&mut self, length: usize) -> String {
        let mut said = String::new();
        let mut check = |machine: &mut Self, list| said.push(if machine.is_list(list) { 'y' } else { 'n' });
        let (mut list, mut half) = (None, None);
        for number in 0..length {
            if number == length / 2 {
                half = Some((self.choicepoint(), list));
            }
            list = self.push(true, list);
            if number % 4 == 3 {
                check(self, list);
            }
        }
        if let Some((choicepoint, before)) = half {
            self.fail(&choicepoint);
            list = self.push(false, before);
            check(self, list);
            list = self.push(true, list);
            check(self, list);
            check(self, before);
        }
        said
    }
}

/// One run, in a line.
fn line<A: Admission>(what: &str, mut machine: Machine<A>) -> String {
    let said = machine.run(16);
    let (looked_at, remembered) = (machine.looked_at, machine.known.len());
    format!("{what}: {said}, {looked_at} cells looked at, {remembered} remembered\n")
}

/// The same run with nothing, everything and every fourth cell remembered.
pub(crate) fn report() -> String {
    let fourth = EveryNth(NonZeroU32::new(4).unwrap_or(NonZeroU32::MIN));
    [
        line("no room     ", Machine::new(0, Everything)),
        line("every cell  ", Machine::new(256, Everything)),
        line("every fourth", Machine::new(256, fourth)),
    ]
    .concat()
}

fn main() {
    print!("{}", report());
}
