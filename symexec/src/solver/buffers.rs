//! Long arrays of unknown bytes: contents of packets and files, read at unknown places.
//!
//! As a tree of choices ([`super::tables`]) such an array has as many choices as bytes for each read, all different, and
//! four reads from three kilobytes occupy a solver for minutes. As an array of the solver's theory it costs what is read:
//! nothing is known of its bytes but what is said of single ones. So input bytes that are elements of a long array, by
//! themselves or put together from neighbours, are what the theory's array has at their places, wherever they occur.
//! Where very many of them occur by themselves, the theory would compare each with every read, and trees are better.

use rustc_hash::FxHashMap;

use super::question::{Question, Term};

/// Arrays of at most so many elements are short: they stay as they are, and are read by chains of choices.
pub(super) const SHORT: usize = 128;

/// The most bytes of arrays that occur outside of them.
///
/// Three kilobytes of which so many are letters, read at an unknown place and behind it (7 questions): with 100 bytes
/// 0.94 million units of Z3's work instead of 6.97 with trees, with 500 2.58 million, where trees had 10.5 and did not
/// end in 30 s; nor did they with 700. Whether more is better was not measured. With a sum of 100 bytes beside it is the
/// other way round: trees end after 17.5 million, and arrays do not in 30 s.
const MOST_ALONE: usize = 1 << 9;

/// The most bytes of an element.
const MOST_BYTES: u32 = 8;

/// Where something lies: in which array, at which place.
type Place = (u32, i64);

/// How a long array is seen in one of the solver's theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Which.
    pub buffer: u32,
    /// The place of the first element's lowest byte.
    pub first: i64,
    /// How far apart elements lie.
    pub stride: i64,
    /// How many bytes an element has.
    pub bytes: i64,
    /// How many elements there are.
    pub count: u64,
}

/// The long arrays of a question that are unknown bytes.
#[derive(Debug, Default)]
pub struct Buffers {
    /// Of each input.
    places: Vec<Option<Place>>,
    taken: FxHashMap<Place, u32>,
    views: FxHashMap<u32, View>,
    /// The terms that are needed where elements are not.
    needed: Vec<bool>,
    count: u32,
}

impl Buffers {
    /// Finds them.
    #[must_use]
    pub fn of(question: &Question) -> Self {
        let mut found = Self::default();
        for (number, (_, term)) in (0..).zip(&question.terms) {
            if let Term::Literal(elements) = term
                && elements.len() > SHORT
            {
                found.view(question, number, elements);
            }
        }
        if found.views.is_empty() || found.alone(question) > MOST_ALONE {
            return Self::default();
        }
        found
    }

    /// The array that a term is, if it is one of these.
    #[must_use]
    pub fn view_of(&self, term: u32) -> Option<View> {
        self.views.get(&term).copied()
    }

    /// Where an input byte lies, if it is of one of them.
    #[must_use]
    pub fn place_of(&self, input: u32) -> Option<(u32, i64)> {
        self.places.get(input as usize).copied().flatten()
    }

    /// How many arrays there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether a term is there for more than being an element of one of them.
    #[must_use]
    pub fn needs(&self, term: u32) -> bool {
        self.needed.is_empty() || self.needed.get(term as usize).copied().unwrap_or(true)
    }

    /// Takes an array as one of these if each element is input bytes, and each byte has a place of its own, the same
    /// as in the arrays before.
    fn view(&mut self, question: &Question, number: u32, elements: &[u32]) {
        let Some(all) = elements.iter().map(|it| bytes(question, *it)).collect::<Option<Vec<_>>>() else {
            return;
        };
        let (Some(first), Some(second)) = (all.first(), all.get(1)) else { return };
        let width = first.len();
        let shared = second.first().and_then(|start| first.iter().position(|byte| byte == start));
        let stride = shared.unwrap_or(width) as i64;
        if stride == 0 || all.iter().any(|bytes| bytes.len() != width) {
            return;
        }
        let offsets = || {
            all.iter().zip(0..).flat_map(move |(bytes, element)| {
                bytes.iter().zip(0..).map(move |(input, byte): (_, i64)| (*input, element * stride + byte))
            })
        };
        let known =
            offsets().find_map(|(input, offset)| self.place_of(input).map(|(of, at)| (of, at - offset)));
        let (buffer, start) = known.unwrap_or((self.count, 0));
        let mut new: FxHashMap<Place, u32> = FxHashMap::default();
        let mut places: FxHashMap<u32, Place> = FxHashMap::default();
        for (input, offset) in offsets() {
            let place = (buffer, start + offset);
            let is_free = self.taken.get(&place).is_none_or(|other| *other == input)
                && *new.entry(place).or_insert(input) == input
                && *places.entry(input).or_insert(place) == place
                && self.place_of(input).is_none_or(|known| known == place);
            if !is_free {
                return;
            }
        }
        self.count = self.count.max(buffer + 1);
        self.places.resize(question.inputs as usize, None);
        for (input, offset) in offsets() {
            if let Some(known) = self.places.get_mut(input as usize) {
                *known = Some((buffer, start + offset));
            }
        }
        self.taken.extend(new);
        let (bytes, count) = (width as i64, elements.len() as u64);
        self.views.insert(number, View { buffer, first: start, stride, bytes, count });
    }

    /// How many of the bytes occur by themselves; also notes what is needed.
    fn alone(&mut self, question: &Question) -> usize {
        self.needed = vec![false; question.terms.len()];
        let mut alone = 0;
        let mut waiting = question.roots.clone();
        while let Some(number) = waiting.pop() {
            let Some(needed) = self.needed.get_mut(number as usize) else { continue };
            if std::mem::replace(needed, true) {
                continue;
            }
            match question.terms.get(number as usize).map(|(_, term)| term) {
                Some(Term::Input(input)) => alone += usize::from(self.place_of(*input).is_some()),
                Some(Term::Literal(_)) if self.views.contains_key(&number) => {}
                Some(term) => {
                    let _ = term.map(|operand| {
                        waiting.push(operand);
                        operand
                    });
                }
                None => {}
            }
        }
        alone
    }
}

/// The input bytes that a term is, the lowest first, if it is nothing else.
fn bytes(question: &Question, term: u32) -> Option<Vec<u32>> {
    match question.terms.get(term as usize)? {
        (_, Term::Input(number)) => Some(vec![*number]),
        // No deeper than it is wide.
        (width, Term::Concat(high, low)) if *width <= 8 * MOST_BYTES => {
            Some([bytes(question, *low)?, bytes(question, *high)?].concat())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffers, View};
    use crate::solver::question::{Question, Term};

    /// Input bytes, arrays of what is made of them, and a read from each array at the first byte.
    fn question(inputs: u32, arrays: &[Vec<Vec<u32>>]) -> (Question, Vec<u32>) {
        let mut terms: Vec<(u32, Term)> = (0..inputs).map(|input| (8, Term::Input(input))).collect();
        let (mut literals, mut roots) = (Vec::new(), Vec::new());
        for elements in arrays {
            let mut numbers = Vec::new();
            for bytes in elements {
                let mut element = bytes[0];
                for (byte, place) in bytes.iter().zip(1..).skip(1) {
                    terms.push((8 * place, Term::Concat(*byte, element)));
                    element = terms.len() as u32 - 1;
                }
                numbers.push(element);
            }
            terms.push((8 * elements[0].len() as u32, Term::Literal(numbers)));
            literals.push(terms.len() as u32 - 1);
            terms.push((8 * elements[0].len() as u32, Term::Read(terms.len() as u32 - 1, 0)));
            roots.push(terms.len() as u32 - 1);
        }
        (Question { terms, roots, inputs }, literals)
    }

    #[test]
    fn views_of_the_same_bytes_are_of_one_array() {
        let single = (10..310).map(|byte| vec![byte]).collect();
        let overlapping = (10..309).map(|byte| vec![byte, byte + 1]).collect();
        let apart = (0..150).map(|place| vec![12 + 2 * place, 13 + 2 * place]).collect();
        let others = (400..600).map(|byte| vec![byte]).collect();
        let (question, literals) = question(600, &[single, overlapping, apart, others]);
        let found = Buffers::of(&question);
        let view = |first, stride, bytes, count| Some(View { buffer: 0, first, stride, bytes, count });
        assert_eq!(found.view_of(literals[0]), view(0, 1, 1, 300));
        assert_eq!(found.view_of(literals[1]), view(0, 1, 2, 299));
        assert_eq!(found.view_of(literals[2]), view(2, 2, 2, 150));
        assert_eq!(found.view_of(literals[3]).map(|view| view.buffer), Some(1));
        assert_eq!(
            (found.place_of(9), found.place_of(15), found.place_of(311)),
            (None, Some((0, 5)), Some((0, 301)))
        );
        // The index of the reads is needed, what is only an element is not.
        assert!(found.needs(0) && !found.needs(20) && found.needs(literals[0]));
    }

    #[test]
    fn what_has_no_place_of_its_own_is_no_such_array() {
        let twice = (0..200).map(|byte| vec![byte % 150]).collect();
        let moved = (0..200).map(|byte| vec![if byte < 100 { byte } else { byte + 1 }]).collect();
        let plain: Vec<Vec<u32>> = (0..201).map(|byte| vec![byte]).collect();
        let (question, literals) = question(300, &[twice, plain, moved]);
        let found = Buffers::of(&question);
        assert_eq!(found.view_of(literals[0]), None);
        assert!(found.view_of(literals[1]).is_some());
        assert_eq!(found.view_of(literals[2]), None);
    }

    #[test]
    fn bytes_that_mostly_occur_alone_are_not_taken() {
        let all: Vec<Vec<u32>> = (0..600).map(|byte| vec![byte]).collect();
        let (mut question, literals) = question(600, &[all]);
        assert!(Buffers::of(&question).view_of(literals[0]).is_some());
        question.roots.extend(0..600);
        assert_eq!(Buffers::of(&question).view_of(literals[0]), None);
    }
}
