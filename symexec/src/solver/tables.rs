//! Reads from long arrays as trees of choices over the bits of their indices.
//!
//! An array of a solver's theory instantiates its axioms for every element, and a chain of comparisons compares the
//! index with each: both take long for the tables that programs have (properties of characters, states of automata,
//! hash tables that are mostly empty). A tree has as many choices as there are different subtrees at most, of one bit
//! each: two equal halves need no choice, and equal pairs of halves are one term.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::buffers::{Buffers, SHORT};
use super::question::{Question, Term};
use crate::base::bits::CompareOp;

/// The question with a tree for each read from a long array, so that no array in it is long; itself if none is.
#[must_use]
pub fn as_trees(question: &Question) -> Cow<'_, Question> {
    as_trees_beside(question, &Buffers::default())
}

/// [`as_trees`] for all long arrays but those that are put otherwise.
#[must_use]
pub fn as_trees_beside<'q>(question: &'q Question, buffers: &Buffers) -> Cow<'q, Question> {
    let is_long = |(number, (_, term)): (u32, &(u32, Term))| {
        matches!(term, Term::Literal(elements) if elements.len() > SHORT) && buffers.view_of(number).is_none()
    };
    if !(0..).zip(&question.terms).any(is_long) {
        return Cow::Borrowed(question);
    }
    let mut writer = Writer { question, buffers, terms: Vec::new(), numbers: Vec::new() };
    for (width, term) in &question.terms {
        let number = writer.rewrite(*width, term);
        writer.numbers.push(number);
    }
    let roots = question.roots.iter().map(|root| writer.number(*root)).collect();
    Cow::Owned(Question { roots, terms: writer.terms, inputs: question.inputs })
}

struct Writer<'a> {
    question: &'a Question,
    buffers: &'a Buffers,
    terms: Vec<(u32, Term)>,
    /// What became of the question's terms.
    numbers: Vec<u32>,
}

impl Writer<'_> {
    /// The number of one of the question's terms in the new one.
    fn number(&self, old: u32) -> u32 {
        self.numbers.get(old as usize).copied().unwrap_or(0)
    }

    fn add(&mut self, width: u32, term: Term) -> u32 {
        self.terms.push((width, term));
        u32::try_from(self.terms.len() - 1).unwrap_or(u32::MAX)
    }

    fn rewrite(&mut self, width: u32, term: &Term) -> u32 {
        let stays = u32::try_from(self.numbers.len()).is_ok_and(|here| self.buffers.view_of(here).is_some());
        let term = match term {
            Term::Read(array, index) => return self.read(width, *array, *index),
            // Nothing reads a long one any more.
            Term::Literal(elements) if elements.len() > SHORT && !stays => Term::Literal(Vec::new()),
            term => term.map(|old| self.number(old)),
        };
        self.add(width, term)
    }

    /// A read: the newest write to its place, or what was there before all writes.
    fn read(&mut self, width: u32, array: u32, index: u32) -> u32 {
        let question = self.question;
        let mut writes = Vec::new();
        let mut below = array;
        let elements = loop {
            match question.terms.get(below as usize) {
                Some((_, Term::Store(older, place, value))) => {
                    writes.push((self.number(*place), self.number(*value)));
                    below = *older;
                }
                Some((_, Term::Literal(elements)))
                    if elements.len() > SHORT && self.buffers.view_of(below).is_none() =>
                {
                    break elements;
                }
                _ => return self.add(width, Term::Read(self.number(array), self.number(index))),
            }
        };
        let index = self.number(index);
        let elements: Vec<u32> = elements.iter().map(|element| self.number(*element)).collect();
        let mut result = self.tree(width, elements, index);
        for (place, value) in writes.into_iter().rev() {
            let here = self.add(1, Term::Compare(CompareOp::Eq, index, place));
            result = self.add(width, Term::Choose(here, value, result));
        }
        result
    }

    /// The element at an index, zero behind the last one.
    fn tree(&mut self, width: u32, elements: Vec<u32>, index: u32) -> u32 {
        let count = elements.len() as u64;
        let mut row = elements;
        let mut bit = 0;
        // Each turn halves the row: of two neighbours the lowest bit that is left takes one.
        while row.len() > 1 {
            let is_set = self.add(1, Term::Extract(index, bit));
            let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            row = row
                .chunks(2)
                .map(|pair| match *pair {
                    [low, high] if low != high => *known
                        .entry((low, high))
                        .or_insert_with(|| self.add(width, Term::Choose(is_set, high, low))),
                    // Behind the end anything may be.
                    _ => pair[0],
                })
                .collect();
            bit += 1;
        }
        let end = self.add(64, Term::Constant(count));
        let inside = self.add(1, Term::Compare(CompareOp::Ult, index, end));
        let zero = self.add(width, Term::Constant(0));
        self.add(width, Term::Choose(inside, row[0], zero))
    }
}

#[cfg(test)]
mod tests {
    use super::{SHORT, as_trees};
    use crate::solver::question::{Question, Term};

    /// The value of a term of 64 bits or a truth, if the only input byte has a value.
    fn value(question: &Question, number: u32, input: u64) -> u64 {
        let of = |number: u32| value(question, number, input);
        match &question.terms[number as usize].1 {
            Term::Constant(value) => *value,
            Term::Input(_) => input,
            Term::ZeroExtend(a) => of(*a),
            Term::Extract(a, low) => of(*a) >> low & 1,
            Term::Compare(op, a, b) => u64::from(crate::base::bits::small_compare(*op, 64, of(*a), of(*b))),
            Term::Choose(condition, yes, no) => of(if of(*condition) == 1 { *yes } else { *no }),
            Term::Binary(_, a, b) => of(*a) + of(*b),
            other => panic!("{other:?}"),
        }
    }

    /// A table of so many elements, with some writes, read at the input plus a distance.
    fn question(count: u64, element: impl Fn(u64) -> u64, distance: u64, writes: &[(u64, u64)]) -> Question {
        let mut terms = vec![(8, Term::Input(0)), (64, Term::ZeroExtend(0)), (64, Term::Constant(distance))];
        terms.push((64, Term::Binary(crate::base::bits::BinaryOp::Add, 1, 2)));
        let first = terms.len() as u32;
        terms.extend((0..count).map(|place| (64, Term::Constant(element(place)))));
        // Equal elements are one term, as in a question.
        let term_of =
            |place: u64| (0..count).find(|other| element(*other) == element(place)).unwrap_or(place);
        let elements = (0..count).map(|place| first + term_of(place) as u32).collect();
        terms.push((64, Term::Literal(elements)));
        let mut array = terms.len() as u32 - 1;
        for (place, value) in writes {
            terms.push((64, Term::Constant(*place)));
            terms.push((64, Term::Constant(*value)));
            let newest = terms.len() as u32;
            terms.push((64, Term::Store(array, newest - 2, newest - 1)));
            array = newest;
        }
        terms.push((64, Term::Read(array, 3)));
        let root = terms.len() as u32 - 1;
        Question { terms, roots: vec![root], inputs: 1 }
    }

    #[test]
    fn a_tree_has_the_elements_of_its_table() {
        for count in [129, 200, 255, 256, 257, 300] {
            for distance in [0, 100] {
                let element = |place: u64| if place % 7 < 3 { 9 } else { place * 3 };
                let writes = [(5, 1111), (140, 2222), (5, 3333)];
                let question = question(count, element, distance, &writes);
                let trees = as_trees(&question);
                for input in 0..256 {
                    let index = input + distance;
                    let expected = match index {
                        5 => 3333,
                        140 => 2222,
                        _ if index < count => element(index),
                        _ => 0,
                    };
                    assert_eq!(value(&trees, trees.roots[0], input), expected, "{index} of {count}");
                }
            }
        }
    }

    #[test]
    fn equal_parts_of_a_table_are_one_part_of_its_tree() {
        let choices = |question: &Question| {
            let trees = as_trees(question);
            trees.terms.iter().filter(|(_, term)| matches!(term, Term::Choose(..))).count()
        };
        // One choice for the end, and one for each bit that matters.
        assert_eq!(choices(&question(1 << 12, |_| 4, 0, &[])), 1);
        assert_eq!(choices(&question(1 << 12, |place| place & 1, 0, &[])), 2);
        assert_eq!(choices(&question(1 << 12, |place| u64::from(place == 77), 0, &[])), 13);
        // Short ones are not touched.
        let short = question(SHORT as u64, |place| place, 0, &[]);
        assert_eq!(*as_trees(&short), short);
    }
}
