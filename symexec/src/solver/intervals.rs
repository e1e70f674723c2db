//! Questions that compare one unknown number with constants, decided without a solver.
//!
//! A loop up to an unknown bound (`i < n`) asks such a question in each turn, together with all the comparisons before
//! it. What they leave of the number is a set of intervals. The number is made of all input bytes of the question, each
//! once, so everything in the set is a solution. A comparison may see it extended, with zeros or with its sign, and
//! with a constant added: pieces of the number are then seen in another place, in their order.
//!
//! Like every answer of the chain's end, a solution is a function of the canonical question: the least number.

use super::question::{Question, Term, Verdict};
use crate::base::bits::{BinaryOp, CompareOp, mask, small_compare};

/// The most intervals that a set may have.
const MOST_INTERVALS: usize = 1 << 10;

/// Numbers from the first to the second, both included.
type Interval = (u64, u64);

/// Disjoint intervals in ascending order.
type Set = Vec<Interval>;

/// Numbers that are seen as others: from `low` to `high`, from `seen` on.
#[derive(Clone, Copy)]
struct Piece {
    low: u64,
    high: u64,
    seen: u64,
}

/// What a term is.
enum Known {
    Constant(u64),
    /// Input bytes, the least significant first.
    Bytes(Vec<u32>),
    /// The number, seen in pieces, in ascending order of what they are.
    Number(Vec<Piece>),
    /// The numbers for which a truth holds.
    Truth(Set),
}

/// Decides a question; `None` if it is of another kind.
#[must_use]
pub fn decide(question: &Question) -> Option<Verdict> {
    decide_off(question, 0)
}

/// [`decide`], with all bounds off by a number: by none, but in the lie that tests and the oracle tell.
pub(super) fn decide_off(question: &Question, off: u64) -> Option<Verdict> {
    let inputs = usize::try_from(question.inputs).ok().filter(|inputs| (1..=8).contains(inputs))?;
    let mut reader =
        Reader { question, inputs, off, number: None, known: Vec::with_capacity(question.terms.len()) };
    for (width, term) in &question.terms {
        let known = reader.read(*width, term)?;
        reader.known.push(known);
    }
    let mut left = vec![(0, reader.most())];
    for root in &question.roots {
        let Known::Truth(set) = reader.known(*root)? else { return None };
        left = intersection(&left, set)?;
    }
    let number = reader.number?;
    Some(match left.first() {
        None => Verdict::Unsatisfiable,
        Some((least, _)) => {
            let mut values = vec![0; inputs];
            for (input, byte) in number.iter().zip(least.to_le_bytes()) {
                *values.get_mut(*input as usize)? = byte;
            }
            Verdict::Satisfiable(values)
        }
    })
}

struct Reader<'a> {
    question: &'a Question,
    inputs: usize,
    /// What is added to bounds: nothing but in a lie.
    off: u64,
    /// The bytes of the number, once it was compared.
    number: Option<Vec<u32>>,
    known: Vec<Known>,
}

impl Reader<'_> {
    fn known(&self, term: u32) -> Option<&Known> {
        self.known.get(term as usize)
    }

    fn width(&self, term: u32) -> Option<u32> {
        self.question.terms.get(term as usize).map(|(width, _)| *width)
    }

    /// The greatest number.
    fn most(&self) -> u64 {
        mask(u32::try_from(self.inputs * 8).unwrap_or(64))
    }

    /// A bound of a width, as it is taken.
    fn bound(&self, bound: u64, width: u32) -> u64 {
        bound.wrapping_add(self.off) & mask(width)
    }

    /// What a term is, of those before it; `None` for anything else.
    fn read(&mut self, width: u32, term: &Term) -> Option<Known> {
        if width > 64 {
            return None;
        }
        Some(match term {
            Term::Constant(value) => Known::Constant(value & mask(width)),
            Term::Input(number) => Known::Bytes(vec![*number]),
            Term::Concat(high, low) => match (self.known(*high)?, self.known(*low)?) {
                (Known::Bytes(high), Known::Bytes(low)) => Known::Bytes([&low[..], high].concat()),
                (Known::Constant(0), Known::Bytes(_) | Known::Number(_)) => Known::Number(self.number(*low)?),
                _ => return None,
            },
            Term::ZeroExtend(of) => match self.known(*of)? {
                // Zero or one, as C has its truths.
                Known::Truth(set) => Known::Truth(set.clone()),
                _ => Known::Number(self.number(*of)?),
            },
            Term::SignExtend(of) => {
                let inner = self.width(*of)?;
                let (half, above) = (1 << (inner - 1), mask(width) - mask(inner));
                let pieces = self.number(*of)?;
                Known::Number(moved(&pieces, half - 1, |seen| if seen < half { seen } else { seen + above }))
            }
            Term::Binary(BinaryOp::Add, a, b) => {
                let (of, added) = match (self.known(*a)?, self.known(*b)?) {
                    (Known::Constant(added), _) => (*b, *added),
                    (_, Known::Constant(added)) => (*a, *added),
                    _ => return None,
                };
                let pieces = self.number(of)?;
                Known::Number(moved(&pieces, mask(width) - added, |seen| {
                    seen.wrapping_add(added) & mask(width)
                }))
            }
            Term::Not(of) if width == 1 => match self.known(*of)? {
                Known::Truth(set) => Known::Truth(complement(set, self.most())),
                _ => return None,
            },
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                match (self.known(*a)?, self.known(*b)?) {
                    (Known::Truth(a), Known::Truth(b)) if *op == BinaryOp::And => {
                        Known::Truth(intersection(a, b)?)
                    }
                    (Known::Truth(a), Known::Truth(b)) => {
                        let most = self.most();
                        let neither = intersection(&complement(a, most), &complement(b, most))?;
                        Known::Truth(complement(&neither, most))
                    }
                    _ => return None,
                }
            }
            Term::Compare(op, a, b) => {
                let width = self.width(*a)?;
                let (of, seen) = match (self.known(*a)?, self.known(*b)?) {
                    (Known::Constant(_), Known::Constant(_)) => return None,
                    (Known::Truth(set), Known::Constant(bound)) => {
                        let holds = [0, 1].map(|truth| small_compare(*op, width, truth, *bound));
                        return Some(Known::Truth(compared(set, holds, self.most())));
                    }
                    (Known::Constant(bound), Known::Truth(set)) => {
                        let holds = [0, 1].map(|truth| small_compare(*op, width, *bound, truth));
                        return Some(Known::Truth(compared(set, holds, self.most())));
                    }
                    (_, Known::Constant(bound)) => (*a, below(*op, self.bound(*bound, width), width)),
                    (Known::Constant(bound), _) => (*b, above(*op, self.bound(*bound, width), width)),
                    _ => return None,
                };
                Known::Truth(numbers(&self.number(of)?, &seen))
            }
            _ => return None,
        })
    }

    /// The pieces of a term that is the number, or what is made of it.
    fn number(&mut self, term: u32) -> Option<Vec<Piece>> {
        let bytes = match self.known(term)? {
            Known::Number(pieces) => return Some(pieces.clone()),
            Known::Bytes(bytes) => bytes,
            _ => return None,
        };
        match &self.number {
            Some(number) if number == bytes => {}
            Some(_) => return None,
            None => {
                // All bytes, so each once.
                let all = (0..self.question.inputs).all(|input| bytes.contains(&input));
                if !all || bytes.len() != self.inputs {
                    return None;
                }
                self.number = Some(bytes.clone());
            }
        }
        Some(vec![Piece { low: 0, high: self.most(), seen: 0 }])
    }
}

/// Pieces that are seen elsewhere, cut behind what is seen as `last`: up to there, and from there on, `to` keeps the
/// order and the distances.
fn moved(pieces: &[Piece], last: u64, to: impl Fn(u64) -> u64) -> Vec<Piece> {
    let mut result = Vec::with_capacity(pieces.len() + 1);
    for Piece { low, high, seen } in pieces.iter().copied() {
        let end = seen + (high - low);
        if seen <= last && last < end {
            let cut = low + (last - seen);
            result.push(Piece { low, high: cut, seen: to(seen) });
            result.push(Piece { low: cut + 1, high, seen: to(last + 1) });
        } else {
            result.push(Piece { low, high, seen: to(seen) });
        }
    }
    result
}

/// The numbers that are seen in a set.
fn numbers(pieces: &[Piece], set: &[Interval]) -> Set {
    let mut result = Set::new();
    for Piece { low, high, seen } in pieces {
        let end = seen + (high - low);
        for (first, last) in set {
            let (first, last) = (*seen.max(first), end.min(*last));
            if first <= last {
                result.push((low + (first - seen), low + (last - seen)));
            }
        }
    }
    result
}

/// The numbers for which a comparison holds whose operand is a truth, if it holds for none and for one.
fn compared(set: &[Interval], [none, one]: [bool; 2], most: u64) -> Set {
    match (none, one) {
        (false, false) => Set::new(),
        (false, true) => set.to_vec(),
        (true, false) => complement(set, most),
        (true, true) => vec![(0, most)],
    }
}

/// Of all vectors of a width those that are equal to a bound, or below it.
fn below(op: CompareOp, bound: u64, width: u32) -> Set {
    let half = 1 << (width - 1);
    let up_to = |first: u64| if bound > first { vec![(first, bound - 1)] } else { Set::new() };
    match op {
        CompareOp::Eq => vec![(bound, bound)],
        CompareOp::Ult => up_to(0),
        CompareOp::Slt if bound >= half => up_to(half),
        CompareOp::Slt => [up_to(0), vec![(half, mask(width))]].concat(),
    }
}

/// Of all vectors of a width those that are equal to a bound, or above it.
fn above(op: CompareOp, bound: u64, width: u32) -> Set {
    let half = 1 << (width - 1);
    let from = |last: u64| if bound < last { vec![(bound + 1, last)] } else { Set::new() };
    match op {
        CompareOp::Eq => vec![(bound, bound)],
        CompareOp::Ult => from(mask(width)),
        CompareOp::Slt if bound < half => from(half - 1),
        CompareOp::Slt => [vec![(0, half - 1)], from(mask(width))].concat(),
    }
}

/// What is in no interval.
fn complement(set: &[Interval], most: u64) -> Set {
    let mut result = Set::new();
    let mut next = Some(0);
    for (first, last) in set {
        if let Some(next) = next
            && next < *first
        {
            result.push((next, first - 1));
        }
        next = last.checked_add(1);
    }
    if let Some(next) = next
        && next <= most
    {
        result.push((next, most));
    }
    result
}

/// What is in both sets; `None` if it is in too many intervals.
fn intersection(a: &[Interval], b: &[Interval]) -> Option<Set> {
    let mut result = Set::new();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some((first, last)), Some((other_first, other_last))) = (a.peek(), b.peek()) {
        let common = (*first.max(other_first), *last.min(other_last));
        if common.0 <= common.1 {
            result.push(common);
        }
        if last < other_last {
            a.next();
        } else {
            b.next();
        }
    }
    (result.len() <= MOST_INTERVALS).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::{decide, decide_off};
    use crate::base::bits::{BinaryOp, CompareOp, mask, signed, small_compare};
    use crate::solver::question::{Question, Term, Verdict};

    /// Numbers that are drawn one after the other.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, count: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % count
        }
    }

    /// A question over one number of two bytes, whose second input is the lower byte.
    fn question(draws: &mut Draws) -> Question {
        let mut terms = vec![(8, Term::Input(0)), (8, Term::Input(1)), (16, Term::Concat(0, 1))];
        let add = |terms: &mut Vec<(u32, Term)>, width, term| {
            terms.push((width, term));
            terms.len() as u32 - 1
        };
        let mut truths = Vec::new();
        for _ in 0..=draws.below(4) {
            let (mut seen, mut width) = (2, 16);
            for _ in 0..draws.below(4) {
                (seen, width) = match draws.below(3) {
                    0 => (add(&mut terms, width + 8, Term::ZeroExtend(seen)), width + 8),
                    1 => (add(&mut terms, width + 8, Term::SignExtend(seen)), width + 8),
                    _ => {
                        let added = draws.below(1 << 31).wrapping_mul(0x1_0003) & mask(width);
                        let added = add(&mut terms, width, Term::Constant(added));
                        (add(&mut terms, width, Term::Binary(BinaryOp::Add, seen, added)), width)
                    }
                };
            }
            let bound = match draws.below(3) {
                0 => draws.below(1 << 16),
                1 => mask(width) - draws.below(1 << 16),
                _ => (1 << (width - 1)) - 1 + draws.below(3),
            };
            let bound = add(&mut terms, width, Term::Constant(bound & mask(width)));
            let op = [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt][draws.below(3) as usize];
            let (a, b) = if draws.below(2) == 0 { (seen, bound) } else { (bound, seen) };
            let mut truth = add(&mut terms, 1, Term::Compare(op, a, b));
            if draws.below(2) == 0 {
                truth = add(&mut terms, 1, Term::Not(truth));
            }
            if draws.below(3) == 0 {
                // As C has it: a truth as a number that is compared with one.
                let wide = add(&mut terms, 24, Term::ZeroExtend(truth));
                let bound = add(&mut terms, 24, Term::Constant(draws.below(3)));
                let (a, b) = if draws.below(2) == 0 { (wide, bound) } else { (bound, wide) };
                truth = add(&mut terms, 1, Term::Compare(op, a, b));
            }
            if let Some(before) = truths.last().copied()
                && draws.below(2) == 0
            {
                let op = [BinaryOp::And, BinaryOp::Or][draws.below(2) as usize];
                truth = add(&mut terms, 1, Term::Binary(op, before, truth));
            }
            truths.push(truth);
        }
        Question { terms, roots: truths, inputs: 2 }
    }

    /// Whether all roots hold for a number.
    fn holds(question: &Question, number: u64) -> bool {
        let mut values: Vec<u64> = Vec::new();
        for (width, term) in &question.terms {
            let of = |number: &u32| values[*number as usize];
            let width_of = |number: &u32| question.terms[*number as usize].0;
            let value = match term {
                Term::Constant(value) => *value,
                Term::Input(0) => number >> 8,
                Term::Input(_) => number & 0xff,
                Term::Concat(high, low) => of(high) << 8 | of(low),
                Term::ZeroExtend(a) => of(a),
                Term::SignExtend(a) => signed(of(a), width_of(a)) as u64,
                Term::Binary(BinaryOp::Add, a, b) => of(a).wrapping_add(of(b)),
                Term::Binary(BinaryOp::And, a, b) => of(a) & of(b),
                Term::Binary(_, a, b) => of(a) | of(b),
                Term::Not(a) => !of(a),
                Term::Compare(op, a, b) => u64::from(small_compare(*op, width_of(a), of(a), of(b))),
                other => panic!("{other:?}"),
            };
            values.push(value & mask(*width));
        }
        question.roots.iter().all(|root| values[*root as usize] == 1)
    }

    #[test]
    fn the_least_number_of_all_is_found() {
        let mut draws = Draws(7);
        let (mut without, mut noticed) = (0, 0);
        for _ in 0..400 {
            let question = question(&mut draws);
            let least = (0..1 << 16).find(|number| holds(&question, *number));
            let expected = match least {
                None => Verdict::Unsatisfiable,
                Some(number) => Verdict::Satisfiable(vec![(number >> 8) as u8, number as u8]),
            };
            without += usize::from(least.is_none());
            noticed += usize::from(decide_off(&question, 1).as_ref() != Some(&expected));
            assert_eq!(decide(&question), Some(expected), "{question:?}");
        }
        assert!((20..380).contains(&without), "{without}");
        // A bound that is one off shows.
        assert!(noticed > 50, "{noticed}");
    }

    #[test]
    fn what_is_no_comparison_of_the_whole_number_is_left() {
        let whole = vec![(8, Term::Input(0)), (8, Term::Input(1)), (16, Term::Concat(0, 1))];
        let with = |terms: &[(u32, Term)]| {
            let terms = [whole.clone(), terms.to_vec()].concat();
            Question { roots: vec![terms.len() as u32 - 1], terms, inputs: 2 }
        };
        let compare = |a, b| (1, Term::Compare(CompareOp::Ult, a, b));
        let constant = |width| (width, Term::Constant(5));
        assert!(decide(&with(&[constant(16), compare(3, 2)])).is_some());
        // A part, the bytes in another order, one byte twice, two terms, a product.
        assert_eq!(decide(&with(&[constant(8), compare(0, 3)])), None);
        let swapped = [(16, Term::Concat(1, 0)), constant(16), compare(2, 4), compare(3, 4)];
        assert_eq!(decide(&with(&swapped)), None);
        assert_eq!(decide(&with(&[(16, Term::Concat(0, 0)), constant(16), compare(3, 4)])), None);
        assert_eq!(decide(&with(&[compare(2, 2)])), None);
        let product = [(16, Term::Binary(BinaryOp::Mul, 2, 2)), constant(16), compare(3, 4)];
        assert_eq!(decide(&with(&product)), None);
    }
}
