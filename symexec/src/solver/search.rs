//! Solutions that are found by search, before a solver is asked.
//!
//! Most questions that have a solution are about a few bytes of text or the digits of numbers, and one is near. The search
//! begins with the least value that is left of each byte (`Spans`). As long as a root does not hold, one that does not
//! is drawn and is to hold, and from there to the bytes each term is given values that it is to have: those with which
//! the operation gives what is wanted of it, the other operand being what it is (`inverse`). That is the
//! propagation-based local search of A. Niemetz, M. Preiner, A. Biere, *Precise and Complete Propagation Based Local
//! Search for Satisfiability Modulo Theories* (CAV 2016), with two differences. What is wanted is an interval rather
//! than a value. And both operands of a sum are moved, the one that can be more things first and so that the other can
//! do the rest: the digits of a number, which is a sum of products with powers of ten, are all found at once.
//!
//! A move after which fewer roots hold is mostly taken back. The search ends after so much work; what it has found is
//! computed again from the bytes alone. It knows nothing but the question, so what it finds is a function of the
//! canonical question, like every answer of the chain's end, and which numbers it draws is fixed.

mod inverse;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::enumerate::{Table, VALUES, Vectors, float_of};
use super::orders;
use super::question::{Question, Term, Verdict};
use super::spans::Spans;
use crate::base::bits::{mask, signed, small_binary, small_compare};

/// After how many moves a search ends.
const MOST_MOVES: usize = 500;

/// After how much work a search ends: terms that were computed, or given something to be.
const MOST_WORK: usize = 30_000;

/// Of so many moves after which fewer roots hold, one is kept.
const ONE_IS_KEPT_OF: u64 = 16;

/// Decides a question; `None` if no solution was found and it does not show that there is none, or the question is too
/// large or of another kind.
#[must_use]
pub fn decide(question: &Question) -> Option<Verdict> {
    decide_among(question, VALUES, Check::Computed, &mut Vectors::default())
}

/// Whether a solution is looked at again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// It is, all of it.
    Computed,
    /// Whatever a search ends with is one: a lie for the oracle to find.
    #[cfg(any(test, feature = "plant"))]
    Omitted,
}

/// [`decide`], with so many values of each byte, in given vectors.
pub(super) fn decide_among(
    question: &Question,
    values: usize,
    check: Check,
    vectors: &mut Vectors,
) -> Option<Verdict> {
    let spans = Spans::of(question, values, vectors)?;
    if spans.is_refuted || orders::is_circle(question) {
        spans.give_back(vectors);
        return Some(Verdict::Unsatisfiable);
    }
    let mut search = Search::new(question, spans);
    search.run();
    let bytes = search.bytes();
    search.spans.give_back(vectors);
    (check != Check::Computed || holds(question, &bytes)).then_some(Verdict::Satisfiable(bytes))
}

/// Whether all roots hold for some bytes.
fn holds(question: &Question, bytes: &[u8]) -> bool {
    let mut values: Vec<u64> = Vec::with_capacity(question.terms.len());
    for (width, term) in &question.terms {
        let value = match term {
            Term::Input(input) => bytes.get(*input as usize).copied().map_or(0, u64::from),
            _ => computed(question, &values, *width, term),
        };
        values.push(value);
    }
    question.roots.iter().all(|root| values.get(*root as usize).is_some_and(|value| value & 1 == 1))
}

/// The value of a term that is no input, by those of the terms before it; arrays have none.
fn computed(question: &Question, values: &[u64], width: u32, term: &Term) -> u64 {
    let of = |term: &u32| values[*term as usize];
    let width_of = |term: &u32| question.terms[*term as usize].0;
    let all = mask(width);
    match term {
        Term::Constant(value) => value & all,
        Term::Not(a) => !of(a) & all,
        Term::Binary(op, a, b) => small_binary(*op, width, of(a), of(b)),
        Term::Compare(op, a, b) => u64::from(small_compare(*op, width_of(a), of(a), of(b))),
        Term::Extract(a, low) => of(a) >> low & all,
        Term::Concat(high, low) => of(high) << width_of(low) | of(low),
        Term::ZeroExtend(a) => of(a),
        Term::SignExtend(a) => signed(of(a), width_of(a)) as u64 & all,
        Term::Choose(condition, yes, no) => of(if of(condition) & 1 == 1 { yes } else { no }),
        Term::Read(array, index) => element(question, values, *array, of(index)).map_or(0, |term| of(&term)),
        Term::Float(operation, operands) => {
            float_of(*operation, operands.map(|it| width_of(&it)), operands.map(|it| of(&it))).unwrap_or(0)
        }
        Term::Input(_) | Term::Wide(_) | Term::Literal(_) | Term::Store(..) => 0,
    }
}

/// The element of an array at a place; `None` behind its end.
fn element(question: &Question, values: &[u64], mut array: u32, index: u64) -> Option<u32> {
    loop {
        match &question.terms[array as usize].1 {
            Term::Store(_, place, element) if values[*place as usize] == index => return Some(*element),
            Term::Store(below, ..) => array = *below,
            Term::Literal(elements) => return elements.get(usize::try_from(index).ok()?).copied(),
            _ => return None,
        }
    }
}

/// A search, and where it is.
struct Search<'q> {
    question: &'q Question,
    spans: Spans,
    /// The term of each input; `None` where it occurs nowhere.
    inputs: Vec<Option<u32>>,
    /// The values of all terms.
    values: Vec<u64>,
    /// By term: those that it is an operand of.
    users: Vec<Vec<u32>>,
    is_root: Vec<bool>,
    /// How many roots do not hold.
    failing: usize,
    /// Inputs that were changed since the last move began, with what they were.
    changed: Vec<(u32, u64)>,
    /// Terms whose operands have changed.
    is_stale: Vec<bool>,
    work: usize,
    draws: u64,
}

impl<'q> Search<'q> {
    /// A search that begins with the least values of all bytes.
    fn new(question: &'q Question, spans: Spans) -> Self {
        let count = question.terms.len();
        let mut search = Self {
            question,
            inputs: vec![None; spans.left.len()],
            spans,
            values: Vec::with_capacity(count),
            users: vec![Vec::new(); count],
            is_root: vec![false; count],
            failing: 0,
            changed: Vec::new(),
            is_stale: vec![false; count],
            work: 0,
            draws: 7,
        };
        for root in &question.roots {
            search.is_root[*root as usize] = true;
        }
        for (number, (width, term)) in (0..).zip(&question.terms) {
            let value = if let Term::Input(input) = term {
                search.inputs[*input as usize] = Some(number);
                search.spans.left[*input as usize].first().copied().map_or(0, u64::from)
            } else {
                computed(question, &search.values, *width, term)
            };
            search.failing += usize::from(search.is_root[number as usize] && value & 1 == 0);
            search.values.push(value);
            let _ = term.map(|operand| {
                if search.is_unknown(operand) {
                    search.users[operand as usize].push(number);
                }
                operand
            });
        }
        search
    }

    /// Moves until all roots hold, or it is enough.
    fn run(&mut self) {
        for _ in 0..MOST_MOVES {
            if self.failing == 0 || self.work > MOST_WORK {
                return;
            }
            let failing: Vec<u32> =
                self.question.roots.iter().copied().filter(|root| self.value(*root) & 1 == 0).collect();
            let root = self.one_of(&failing);
            self.changed.clear();
            let before = self.failing;
            self.give(root, (1, 1), 0);
            if self.failing > before && self.below(ONE_IS_KEPT_OF) != 0 {
                for (input, value) in std::mem::take(&mut self.changed).into_iter().rev() {
                    self.set(input, value);
                }
            }
        }
    }

    /// The values of the bytes.
    fn bytes(&self) -> Vec<u8> {
        self.inputs.iter().map(|input| input.map_or(0, |input| self.value(input) as u8)).collect()
    }

    fn value(&self, term: u32) -> u64 {
        self.values[term as usize]
    }

    fn is_unknown(&self, term: u32) -> bool {
        self.spans.is_unknown[term as usize]
    }

    /// Sets an input, and computes what follows, each term after its operands.
    fn set(&mut self, input: u32, value: u64) {
        let former = self.value(input);
        if former == value {
            return;
        }
        self.changed.push((input, former));
        let mut stale = BinaryHeap::new();
        self.replace(input, value);
        self.spoil(input, &mut stale);
        while let Some(Reverse(number)) = stale.pop() {
            self.is_stale[number as usize] = false;
            self.work += 1;
            let (width, term) = &self.question.terms[number as usize];
            // What is stored and listed shows where it is read.
            let is_array = matches!(term, Term::Literal(_) | Term::Store(..));
            let value = match &self.spans.tables[number as usize] {
                Some((byte, Table::Each(values))) => values[usize::from(self.byte(*byte))],
                _ => computed(self.question, &self.values, *width, term),
            };
            if is_array || value != self.value(number) {
                self.replace(number, value);
                self.spoil(number, &mut stale);
            }
        }
    }

    /// The value of an input byte.
    fn byte(&self, byte: u32) -> u8 {
        self.inputs[byte as usize].map_or(0, |input| self.value(input) as u8)
    }

    fn replace(&mut self, term: u32, value: u64) {
        if self.is_root[term as usize] {
            match (self.value(term) & 1, value & 1) {
                (1, 0) => self.failing += 1,
                (0, 1) => self.failing -= 1,
                _ => {}
            }
        }
        self.values[term as usize] = value;
    }

    /// Notes that what a term is an operand of is to be computed.
    fn spoil(&mut self, term: u32, stale: &mut BinaryHeap<Reverse<u32>>) {
        for user in &self.users[term as usize] {
            if !std::mem::replace(&mut self.is_stale[*user as usize], true) {
                stale.push(Reverse(*user));
            }
        }
    }

    /// A number below another one, or any where that is 0.
    fn below(&mut self, end: u64) -> u64 {
        self.draws =
            self.draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = self.draws ^ self.draws >> 18;
        if end == 0 { drawn } else { ((u128::from(drawn) * u128::from(end)) >> 64) as u64 }
    }

    /// One of some things, of which there are some.
    fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        let place = self.below(things.len() as u64);
        things[place as usize]
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
