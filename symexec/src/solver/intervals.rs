//! Questions that compare one unknown number with constants, decided without a solver.
//!
//! A loop up to an unknown bound (`i < n`) asks such a question in each turn, together with all the comparisons before
//! it. What they leave of the number is a set of intervals. The number is made of all input bytes of the question, each
//! once, so everything in the set is a solution. A comparison may see it extended, with zeros or with its sign, and
//! with a constant added: pieces of the number are then seen in another place, in their order.
//!
//! Where other terms are in the question as well, or several numbers, the comparisons say which numbers are left to try
//! (`Left`).
//!
//! Like every answer of the chain's end, a solution is a function of the canonical question: the least number.

use super::implied::implied;
use super::question::{Question, Term, Verdict};
use super::ranges::{Interval, Set, above, below, complement, intersection};
use crate::base::bits::{BinaryOp, mask, small_compare};

/// The most unknown bytes of a question.
const MOST_BYTES: usize = 64;

/// The most pieces in which a number is seen: each term has them anew.
const MOST_PIECES: usize = 64;

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
    /// One of the numbers, seen in pieces, in ascending order of what they are.
    Number(usize, Vec<Piece>),
    /// The values of one of the numbers for which a truth holds.
    Truth(usize, Set),
    /// Anything else.
    Other,
}

/// What the comparisons of a question leave of its numbers.
pub(super) struct Left {
    numbers: Vec<Number>,
    /// Whether the question is nothing but these comparisons.
    is_all: bool,
}

struct Number {
    /// Its input bytes, the least significant first.
    bytes: Vec<u32>,
    /// The values that are left.
    set: Set,
}

/// Decides a question; `None` if it is of another kind.
#[must_use]
pub fn decide(question: &Question) -> Option<Verdict> {
    decide_off(question, 0)
}

/// [`decide`], with all bounds off by a number: by none, but in the lie that tests tell.
fn decide_off(question: &Question, off: u64) -> Option<Verdict> {
    left_off(question, off)?.verdict()
}

/// What the comparisons of a question leave of its numbers, with all bounds off by a number: by none, but in the lie that
/// tests and the oracle tell. `None` if it has too many unknown bytes.
pub(super) fn left_off(question: &Question, off: u64) -> Option<Left> {
    let inputs = usize::try_from(question.inputs).ok().filter(|inputs| (1..=MOST_BYTES).contains(inputs))?;
    let numbers = numbers_of(question, inputs);
    let mut reader = Reader { question, off, numbers, known: Vec::with_capacity(question.terms.len()) };
    for (width, term) in &question.terms {
        let known = reader.read(*width, term).unwrap_or(Known::Other);
        reader.known.push(known);
    }
    let mut sets: Vec<Set> = reader.numbers.iter().map(|bytes| vec![(0, most(bytes))]).collect();
    for (term, holds) in implied(question) {
        if let Known::Truth(number, truth) = reader.known(term)? {
            let set = sets.get_mut(*number)?;
            let most = reader.most(*number);
            *set =
                if holds { intersection(set, truth) } else { intersection(set, &complement(truth, most)) }?;
        }
    }
    // Of truths about one number all that they say was found.
    let mut roots = question.roots.iter();
    let is_all = roots.all(|root| matches!(reader.known(*root), Some(Known::Truth(..))));
    let numbers = reader.numbers.into_iter().zip(sets).map(|(bytes, set)| Number { bytes, set });
    Some(Left { numbers: numbers.collect(), is_all })
}

/// The numbers that the unknown bytes of a question make, each byte in one: those that are compared, extended or added
/// to, the longest ones first, and bytes by themselves.
fn numbers_of(question: &Question, inputs: usize) -> Vec<Vec<u32>> {
    let mut bytes: Vec<Option<Vec<u32>>> = Vec::with_capacity(question.terms.len());
    let mut used = Vec::new();
    for (_, term) in &question.terms {
        let of = |term: &u32| bytes.get(*term as usize).cloned().flatten();
        let here = match term {
            Term::Input(number) => Some(vec![*number]),
            Term::Concat(high, low) => match (of(high), of(low)) {
                (Some(high), Some(low)) if high.len() + low.len() <= 8 => Some([low, high].concat()),
                (_, low) => {
                    used.extend(low);
                    None
                }
            },
            Term::ZeroExtend(of) | Term::SignExtend(of) => {
                used.extend(bytes.get(*of as usize).cloned().flatten());
                None
            }
            Term::Binary(BinaryOp::Add, a, b) | Term::Compare(_, a, b) => {
                used.extend([of(a), of(b)].into_iter().flatten());
                None
            }
            _ => None,
        };
        bytes.push(here);
    }
    // Of equally long ones the first one, as in the question.
    used.sort_by_key(|bytes| std::cmp::Reverse(bytes.len()));
    let mut numbers: Vec<Vec<u32>> = Vec::new();
    let mut is_taken = vec![false; inputs];
    for bytes in used.into_iter().chain((0..question.inputs).map(|input| vec![input])) {
        let mut taken = is_taken.clone();
        let is_free = bytes
            .iter()
            .all(|input| taken.get_mut(*input as usize).is_some_and(|taken| !std::mem::replace(taken, true)));
        if is_free {
            is_taken = taken;
            numbers.push(bytes);
        }
    }
    numbers
}

/// The greatest number of so many bytes.
fn most(bytes: &[u32]) -> u64 {
    mask(u32::try_from(bytes.len() * 8).unwrap_or(64))
}

impl Left {
    /// The answer, if comparisons of one number are all that there is, or leave nothing of any number.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        if self.numbers.iter().any(|number| number.set.is_empty()) {
            return Some(Verdict::Unsatisfiable);
        }
        let [number] = &self.numbers[..] else { return None };
        self.is_all.then(|| match number.set.first() {
            None => Verdict::Unsatisfiable,
            Some((least, _)) => self.solution(&[*least]),
        })
    }

    /// How many values all numbers have together, if it is no more than so many.
    pub(super) fn count(&self, most: u64) -> Option<usize> {
        let mut together = 1_u64;
        for number in &self.numbers {
            let mut count = 0_u64;
            for (first, last) in &number.set {
                count = count.checked_add(last - first)?.checked_add(1)?;
            }
            together = together.checked_mul(count).filter(|together| *together <= most)?;
        }
        usize::try_from(together).ok()
    }

    /// The values of each number in ascending order.
    pub(super) fn values(&self) -> Vec<Vec<u64>> {
        let values = |number: &Number| number.set.iter().flat_map(|(first, last)| *first..=*last).collect();
        self.numbers.iter().map(values).collect()
    }

    /// The numbers as a solution.
    pub(super) fn solution(&self, numbers: &[u64]) -> Verdict {
        let mut values = vec![0; self.numbers.iter().map(|number| number.bytes.len()).sum()];
        for (number, value) in self.numbers.iter().zip(numbers) {
            for (input, byte) in number.bytes.iter().zip(value.to_le_bytes()) {
                if let Some(value) = values.get_mut(*input as usize) {
                    *value = byte;
                }
            }
        }
        Verdict::Satisfiable(values)
    }

    /// Which number an input is a byte of, and which one, the least significant being 0.
    pub(super) fn place_of(&self, input: u32) -> Option<(usize, usize)> {
        (0..).zip(&self.numbers).find_map(|(number, Number { bytes, .. })| {
            bytes.iter().position(|it| *it == input).map(|byte| (number, byte))
        })
    }
}

struct Reader<'a> {
    question: &'a Question,
    /// What is added to bounds: nothing but in a lie.
    off: u64,
    /// The bytes of each number.
    numbers: Vec<Vec<u32>>,
    known: Vec<Known>,
}

impl Reader<'_> {
    fn known(&self, term: u32) -> Option<&Known> {
        self.known.get(term as usize)
    }

    fn width(&self, term: u32) -> Option<u32> {
        self.question.terms.get(term as usize).map(|(width, _)| *width)
    }

    /// The greatest value of a number.
    fn most(&self, number: usize) -> u64 {
        self.numbers.get(number).map_or(0, |bytes| most(bytes))
    }

    /// A bound of a width, as it is taken.
    fn bound(&self, bound: u64, width: u32) -> u64 {
        bound.wrapping_add(self.off) & mask(width)
    }

    /// What a term is, of those before it; `None` for anything else.
    fn read(&self, width: u32, term: &Term) -> Option<Known> {
        if width > 64 {
            return None;
        }
        Some(match term {
            Term::Constant(value) => Known::Constant(value & mask(width)),
            Term::Input(number) => Known::Bytes(vec![*number]),
            Term::Concat(high, low) => match (self.known(*high)?, self.known(*low)?) {
                (Known::Bytes(high), Known::Bytes(low)) => Known::Bytes([&low[..], high].concat()),
                (Known::Constant(0), Known::Bytes(_) | Known::Number(..)) => {
                    let (number, pieces) = self.number(*low)?;
                    Known::Number(number, pieces)
                }
                _ => return None,
            },
            Term::ZeroExtend(of) => match self.known(*of)? {
                // Zero or one, as C has its truths.
                Known::Truth(number, set) => Known::Truth(*number, set.clone()),
                _ => {
                    let (number, pieces) = self.number(*of)?;
                    Known::Number(number, pieces)
                }
            },
            Term::SignExtend(of) => {
                let inner = self.width(*of)?;
                let (half, above) = (1 << (inner - 1), mask(width) - mask(inner));
                let (number, pieces) = self.number(*of)?;
                let to = |seen| if seen < half { seen } else { seen + above };
                Known::Number(number, moved(&pieces, half - 1, to))
            }
            Term::Binary(BinaryOp::Add, a, b) => {
                let (of, added) = match (self.known(*a)?, self.known(*b)?) {
                    (Known::Constant(added), _) => (*b, *added),
                    (_, Known::Constant(added)) => (*a, *added),
                    _ => return None,
                };
                let (number, pieces) = self.number(of)?;
                let to = |seen: u64| seen.wrapping_add(added) & mask(width);
                Known::Number(number, moved(&pieces, mask(width) - added, to))
            }
            Term::Not(of) if width == 1 => match self.known(*of)? {
                Known::Truth(number, set) => Known::Truth(*number, complement(set, self.most(*number))),
                _ => return None,
            },
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                match (self.known(*a)?, self.known(*b)?) {
                    (Known::Truth(number, a), Known::Truth(same, b)) if number == same => {
                        if *op == BinaryOp::And {
                            return Some(Known::Truth(*number, intersection(a, b)?));
                        }
                        let most = self.most(*number);
                        let neither = intersection(&complement(a, most), &complement(b, most))?;
                        Known::Truth(*number, complement(&neither, most))
                    }
                    _ => return None,
                }
            }
            Term::Compare(op, a, b) => {
                let width = self.width(*a)?;
                let (of, seen) = match (self.known(*a)?, self.known(*b)?) {
                    (Known::Constant(_), Known::Constant(_)) => return None,
                    (Known::Truth(number, set), Known::Constant(bound)) => {
                        let holds = [0, 1].map(|truth| small_compare(*op, width, truth, *bound));
                        return Some(Known::Truth(*number, compared(set, holds, self.most(*number))));
                    }
                    (Known::Constant(bound), Known::Truth(number, set)) => {
                        let holds = [0, 1].map(|truth| small_compare(*op, width, *bound, truth));
                        return Some(Known::Truth(*number, compared(set, holds, self.most(*number))));
                    }
                    (_, Known::Constant(bound)) => (*a, below(*op, self.bound(*bound, width), width)),
                    (Known::Constant(bound), _) => (*b, above(*op, self.bound(*bound, width), width)),
                    _ => return None,
                };
                let (number, pieces) = self.number(of)?;
                Known::Truth(number, numbers(&pieces, &seen))
            }
            _ => return None,
        })
    }

    /// The number that a term is, or is made of, with its pieces.
    fn number(&self, term: u32) -> Option<(usize, Vec<Piece>)> {
        match self.known(term)? {
            Known::Number(number, pieces) => (pieces.len() <= MOST_PIECES).then(|| (*number, pieces.clone())),
            Known::Bytes(bytes) => {
                let number = self.numbers.iter().position(|it| it == bytes)?;
                Some((number, vec![Piece { low: 0, high: self.most(number), seen: 0 }]))
            }
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use super::{decide, decide_off, left_off};
    use crate::base::bits::{BinaryOp, CompareOp, mask, signed, small_compare};
    use crate::solver::enumerate::{self, VALUES, Vectors, decide_among};
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
    fn of_what_comparisons_leave_the_least_number_is_found_by_trying() {
        let mut draws = Draws(3);
        let (mut found, mut without, mut noticed) = (0, 0, 0);
        for _ in 0..300 {
            let mut question = question(&mut draws);
            // A product of the number, with one of its bytes mixed in, is to be a multiple of something.
            let mut add = |width, term| {
                question.terms.push((width, term));
                question.terms.len() as u32 - 1
            };
            let (byte, factor) =
                (add(16, Term::ZeroExtend(0)), add(16, Term::Constant(draws.below(1 << 16))));
            let product = add(16, Term::Binary(BinaryOp::Mul, 2, factor));
            let mixed = add(16, Term::Binary(BinaryOp::Xor, product, byte));
            let (divisor, zero) = (add(16, Term::Constant(1 + draws.below(300))), add(16, Term::Constant(0)));
            // Or of the number itself, which may be zero.
            let divisor = if draws.below(3) == 0 { 2 } else { divisor };
            let op = [BinaryOp::URem, BinaryOp::SRem][draws.below(2) as usize];
            let rest = add(16, Term::Binary(op, mixed, divisor));
            let is_multiple = add(1, Term::Compare(CompareOp::Eq, rest, zero));
            question.roots.push(is_multiple);
            let expected = enumerate::decide(&question);
            let among =
                |off| decide_among(&question, &left_off(&question, off)?, VALUES, &mut Vectors::default());
            // Comparisons alone decide where they leave nothing.
            assert!(decide(&question).is_none_or(|verdict| Some(verdict) == expected), "{question:?}");
            assert_eq!(among(0), expected, "{question:?}");
            found += usize::from(matches!(expected, Some(Verdict::Satisfiable(_))));
            without += usize::from(expected == Some(Verdict::Unsatisfiable));
            noticed += usize::from(among(1) != expected);
        }
        assert!(found > 30 && without > 30 && noticed > 3, "{found} {without} {noticed}");
    }

    #[test]
    fn of_several_numbers_all_values_are_tried_together() {
        let mut draws = Draws(11);
        let (mut found, mut without, mut noticed) = (0, 0, 0);
        for _ in 0..300 {
            // Two bytes with bounds, seen as numbers of 16 bits, and a remainder of what is made of both.
            let mut terms = vec![(8, Term::Input(0)), (8, Term::Input(1))];
            let mut roots = Vec::new();
            let mut add = |width, term| {
                terms.push((width, term));
                terms.len() as u32 - 1
            };
            let (mut wide, mut bounds) = (Vec::new(), Vec::new());
            for byte in [1, 0] {
                let (bound, above) = (add(8, Term::Constant(draws.below(256))), draws.below(2) == 0);
                let (a, b) = if above { (bound, byte) } else { (byte, bound) };
                bounds.push(add(1, Term::Compare(CompareOp::Ult, a, b)));
                wide.push(add(16, Term::ZeroExtend(byte)));
            }
            // As C has it: truths as numbers, of which both or either are compared with zero or one.
            let op = [BinaryOp::And, BinaryOp::Or][draws.below(2) as usize];
            let truths = [0, 1].map(|place| add(32, Term::ZeroExtend(bounds[place])));
            let (joined, value) = (
                add(32, Term::Binary(op, truths[0], truths[1])),
                add(32, Term::Constant(draws.below(3).min(1))),
            );
            roots.push(add(1, Term::Compare(CompareOp::Eq, value, joined)));
            let product = add(16, Term::Binary(BinaryOp::Mul, wide[0], wide[1]));
            let divisor = add(16, Term::Constant(2 + draws.below(9000)));
            let rest = add(16, Term::Binary(BinaryOp::URem, product, divisor));
            let wanted = add(16, Term::Constant(draws.below(50)));
            roots.push(add(1, Term::Compare(CompareOp::Eq, rest, wanted)));
            let mut question = Question { terms, roots, inputs: 2 };
            let among = |question: &Question, off| {
                decide_among(question, &left_off(question, off)?, VALUES, &mut Vectors::default())
            };
            let expected = enumerate::decide(&question).unwrap();
            noticed += usize::from(among(&question, 1) != among(&question, 0));
            match among(&question, 0).unwrap() {
                Verdict::Satisfiable(values) => {
                    found += 1;
                    for (input, value) in (0..).zip(values) {
                        question.terms.push((8, Term::Constant(u64::from(value))));
                        let constant = question.terms.len() as u32 - 1;
                        question.terms.push((1, Term::Compare(CompareOp::Eq, input, constant)));
                        question.roots.push(constant + 1);
                    }
                    assert!(matches!(enumerate::decide(&question), Some(Verdict::Satisfiable(_))));
                }
                verdict => {
                    without += 1;
                    assert_eq!(verdict, expected, "{question:?}");
                }
            }
        }
        assert!(found > 30 && without > 20 && noticed > 3, "{found} {without} {noticed}");
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
