//! Cases made smaller: a step less, a step replaced by a part of it, a smaller term.

use super::program::{Case, Step};
use super::term::Term;

impl Case {
    /// What is left after one step of making it smaller, in every way; the greatest pieces go first.
    pub(super) fn smaller(&self) -> Vec<Case> {
        let with = |goal| Case { goal, ..self.clone() };
        let mut all: Vec<Case> = smaller(&self.goal).into_iter().map(with).collect();
        for (at, relay) in self.relays.iter().enumerate() {
            for less in relay.smaller() {
                let mut case = self.clone();
                case.relays[at] = less;
                all.push(case);
            }
        }
        all
    }
}

fn smaller(all: &[Step]) -> Vec<Vec<Step>> {
    let mut smaller_ones = Vec::new();
    let splice = |from: usize, to: usize, instead: &[Step]| -> Vec<Step> {
        all[..from].iter().chain(instead).chain(&all[to..]).cloned().collect()
    };
    // Halves first, then single steps from the end: what comes after a difference does not matter.
    if all.len() > 3 {
        let half = all.len() / 2;
        smaller_ones.push(splice(half, all.len(), &[]));
        smaller_ones.push(splice(0, half, &[]));
    }
    for at in (0..all.len()).rev() {
        smaller_ones.push(splice(at, at + 1, &[]));
    }
    for (at, step) in all.iter().enumerate() {
        smaller_ones.extend(parts(step).iter().map(|part| splice(at, at + 1, part)));
        smaller_ones.extend(simpler(step).iter().map(|step| splice(at, at + 1, std::slice::from_ref(step))));
    }
    smaller_ones
}

/// The goals inside a step.
fn parts(step: &Step) -> Vec<&Vec<Step>> {
    match step {
        Step::Either(one, other) | Step::ForAll(one, other) => vec![one, other],
        Step::IfThenElse(test, one, other) | Step::SoftIfThenElse(test, one, other) => vec![test, one, other],
        Step::Not(inside) | Step::Once(inside) | Step::Catch(inside) | Step::FindAll(_, inside) => {
            vec![inside]
        }
        _ => Vec::new(),
    }
}

/// A step with one of its goals or terms made smaller, in every way.
fn simpler(step: &Step) -> Vec<Step> {
    let mut simpler = Vec::new();
    for (number, part) in parts(step).into_iter().enumerate() {
        for less in smaller(part) {
            let mut step = step.clone();
            if let Some(part) = part_mut(&mut step, number) {
                *part = less;
            }
            simpler.push(step);
        }
    }
    match step {
        Step::Choose(variable, terms) if terms.len() > 1 => {
            simpler.extend(terms.iter().map(|one| Step::Unify(*variable, one.clone())));
        }
        Step::Unify(variable, value) => {
            simpler.extend(subterms(value).into_iter().map(|value| Step::Unify(*variable, value)));
        }
        Step::Grow { kind, levels, from, to } if *levels > 1 => {
            simpler.push(Step::Grow { kind: *kind, levels: levels / 2, from: *from, to: *to });
        }
        _ => {}
    }
    simpler
}

fn part_mut(step: &mut Step, number: usize) -> Option<&mut Vec<Step>> {
    match (step, number) {
        (Step::Either(part, _) | Step::ForAll(part, _), 0)
        | (Step::Either(_, part) | Step::ForAll(_, part), 1)
        | (Step::IfThenElse(part, _, _) | Step::SoftIfThenElse(part, _, _), 0)
        | (Step::IfThenElse(_, part, _) | Step::SoftIfThenElse(_, part, _), 1)
        | (Step::IfThenElse(_, _, part) | Step::SoftIfThenElse(_, _, part), 2)
        | (Step::Not(part) | Step::Once(part) | Step::Catch(part) | Step::FindAll(_, part), 0) => Some(part),
        _ => None,
    }
}

/// A term with one compound inside replaced by one of its own arguments.
fn subterms(value: &Term) -> Vec<Term> {
    let Term::Compound(name, arguments) = value else { return Vec::new() };
    let mut smaller: Vec<Term> =
        arguments.iter().filter(|argument| matches!(argument, Term::Compound(..))).cloned().collect();
    for (at, argument) in arguments.iter().enumerate() {
        for less in subterms(argument) {
            let mut arguments = arguments.clone();
            arguments[at] = less;
            smaller.push(Term::Compound(name, arguments));
        }
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::super::super::random::Random;
    use super::super::generate;

    /// Shrinking ends: what is taken away makes the text of the program no longer.
    #[test]
    fn smaller_cases_are_smaller() {
        let size = |case: &super::Case| format!("{:?}", case.goal).len();
        for number in 0..50 {
            let case = generate::case(&mut Random::of_case(3, number));
            let smaller = case.smaller();
            assert!(smaller.len() >= case.goal.len());
            assert!(smaller.iter().all(|less| size(less) <= size(&case) + 8), "{number}");
        }
    }
}
