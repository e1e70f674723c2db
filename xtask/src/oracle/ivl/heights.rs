//! Numbers that say what may be used where, as front ends print them: each procedure begins with
//! `free requires 5 == height`, and axioms hold where `3 <= height`. From one version to the next all numbers above
//! one move, which means nothing, and sometimes one of them alone moves, which does.

use super::super::random::Random;
use super::program::{Clause, Declaration, Program};

/// The constant. No other name looks like it.
const HEIGHT: &str = "height$";
/// How many numbers there are.
const NUMBERS: usize = 7;

/// Gives the versions of a program such numbers.
pub(super) fn give(random: &mut Random, versions: &mut [Program]) {
    // By the places of what has them, which most edits leave alone.
    let mut numbers: Vec<usize> = (0..24).map(|_| random.below(NUMBERS)).collect();
    let mut first = true;
    for version in versions {
        if !first && random.chance(1, 3) {
            let at = random.below(numbers.len());
            numbers[at] = random.below(NUMBERS);
        }
        first = false;
        let (from, by) = (random.below(NUMBERS), random.below(4));
        let number = |at: usize| {
            let number = numbers[at % numbers.len()];
            if number >= from { number + by } else { number }
        };
        for (at, declaration) in version.declarations.iter_mut().enumerate() {
            match declaration {
                Declaration::Axiom(axiom) => *axiom = format!("{} <= {HEIGHT} ==> {axiom}", number(at)),
                Declaration::Procedure(procedure) => {
                    let text = format!("{} == {HEIGHT}", number(at));
                    procedure.clauses.push(Clause { before: true, free: true, text });
                }
                _ => {}
            }
        }
        version.declarations.insert(0, Declaration::Height(HEIGHT.to_owned()));
    }
}
