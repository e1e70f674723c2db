//! Long arrays of unknown bytes, put to the solver as arrays of its theory and as trees.

use std::collections::BTreeMap;

use cache_core::codec;
use cache_core::worker::{Supervisor, WorkerConfig};
use symexec::base::bits::{BinaryOp, CompareOp, mask, small_compare};
use symexec::solver::buffers::Buffers;
use symexec::solver::question::{Question, Request, Response, Term, Verdict, Wanted};
use symexec::solver::tables::as_trees;

/// Numbers that are drawn one after the other.
struct Draws(u64);

impl Draws {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count as u64) as usize
    }
}

/// A question that grows.
#[derive(Default)]
struct Growing {
    terms: Vec<(u32, Term)>,
    /// Arrays, with the bits of an element and how many there are.
    arrays: Vec<(u32, u32, usize)>,
    /// Vectors of eight bits and more.
    vectors: Vec<u32>,
}

impl Growing {
    fn add(&mut self, width: u32, term: Term) -> u32 {
        self.terms.push((width, term));
        self.terms.len() as u32 - 1
    }

    fn constant(&mut self, width: u32, value: u64) -> u32 {
        self.add(width, Term::Constant(value & mask(width)))
    }

    fn width(&self, term: u32) -> u32 {
        self.terms[term as usize].0
    }

    /// A vector in another width, of its lower bits.
    fn fit(&mut self, term: u32, width: u32) -> u32 {
        match self.width(term) {
            same if same == width => term,
            more if more > width => self.add(width, Term::Extract(term, 0)),
            _ => self.add(width, Term::ZeroExtend(term)),
        }
    }

    /// An array of the bytes of a buffer: elements of so many bytes, so far apart, from a byte on.
    fn view(&mut self, buffer: &[u32], first: usize, bytes: usize, stride: usize) {
        let mut elements = Vec::new();
        for part in buffer[first..].windows(bytes).step_by(stride) {
            let mut element = part[0];
            for (byte, place) in part.iter().zip(1..).skip(1) {
                element = self.add(8 * place, Term::Concat(*byte, element));
            }
            elements.push(element);
        }
        let (width, count) = (8 * bytes as u32, elements.len());
        let literal = self.add(width, Term::Literal(elements));
        self.arrays.push((literal, width, count));
    }
}

/// Random reads from two long buffers, at places that are unknown, read themselves, or behind the end; some elements
/// are replaced, and some bytes occur by themselves.
fn question(draws: &mut Draws) -> Question {
    let mut it = Growing::default();
    let lengths = [140 + draws.below(40), 600 + draws.below(30)];
    let inputs = 4 + lengths[0] + lengths[1];
    for input in 0..inputs as u32 {
        it.add(8, Term::Input(input));
    }
    let buffers =
        [(4..4 + lengths[0] as u32).collect::<Vec<_>>(), (4 + lengths[0] as u32..inputs as u32).collect()];
    it.vectors.extend(0..4);
    for buffer in &buffers {
        for _ in 0..=draws.below(3) {
            let bytes = 1 << draws.below(3);
            // Neighbours that overlap, or that touch.
            let stride = if draws.below(2) == 0 || buffer.len() / bytes < 130 { 1 } else { bytes };
            it.view(buffer, draws.below(8), bytes, stride);
        }
    }
    let mut roots = Vec::new();
    for _ in 0..2 + draws.below(4) {
        for _ in 0..=draws.below(2) {
            let (array, width, count) = it.arrays[draws.below(it.arrays.len())];
            let from = it.vectors[draws.below(it.vectors.len())];
            let mut index = it.fit(from, 64);
            if draws.below(2) == 0 {
                let added = it.constant(64, (count - 1 - draws.below(9)) as u64);
                index = it.add(64, Term::Binary(BinaryOp::Add, index, added));
            }
            let read = it.add(width, Term::Read(array, index));
            it.vectors.push(read);
            if draws.below(3) == 0 {
                let value = it.vectors[draws.below(it.vectors.len())];
                let value = it.fit(value, width);
                let stored = it.add(width, Term::Store(array, index, value));
                it.arrays.push((stored, width, count));
            }
        }
        if draws.below(3) == 0 {
            let buffer = &buffers[draws.below(2)];
            it.vectors.push(buffer[draws.below(buffer.len())]);
        }
        let newest = *it.vectors.last().unwrap();
        let width = it.width(newest);
        let other = match draws.below(3) {
            0 => {
                let other = it.vectors[draws.below(it.vectors.len())];
                it.fit(other, width)
            }
            _ => {
                let few = draws.below(3) as u64;
                it.constant(width, if draws.below(2) == 0 { few } else { few.wrapping_mul(0x9137_5bd1) })
            }
        };
        let op = [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt][draws.below(3)];
        let (a, b) = if draws.below(2) == 0 { (newest, other) } else { (other, newest) };
        let mut root = it.add(1, Term::Compare(op, a, b));
        if draws.below(3) == 0 {
            root = it.add(1, Term::Not(root));
        }
        roots.push(root);
    }
    Question { terms: it.terms, roots, inputs: inputs as u32 }
}

/// Whether all roots hold for values of the inputs.
fn holds(question: &Question, inputs: &[u8]) -> bool {
    let mut values: Vec<u64> = Vec::new();
    // What is not there is zero.
    let mut arrays: Vec<BTreeMap<u64, u64>> = Vec::new();
    for (width, term) in &question.terms {
        let of = |number: &u32| values[*number as usize];
        let width_of = |number: &u32| question.terms[*number as usize].0;
        let mut array = BTreeMap::new();
        let value = match term {
            Term::Constant(value) => *value,
            Term::Input(input) => u64::from(inputs[*input as usize]),
            Term::Not(a) => !of(a),
            Term::Binary(BinaryOp::Add, a, b) => of(a).wrapping_add(of(b)),
            Term::Compare(op, a, b) => u64::from(small_compare(*op, width_of(a), of(a), of(b))),
            Term::Extract(a, low) => of(a) >> low,
            Term::Concat(high, low) => of(high) << width_of(low) | of(low),
            Term::ZeroExtend(a) => of(a),
            Term::Read(from, index) => arrays[*from as usize].get(&of(index)).copied().unwrap_or(0),
            Term::Literal(elements) => {
                array = (0..).zip(elements.iter().map(of)).collect();
                0
            }
            Term::Store(from, index, value) => {
                array.clone_from(&arrays[*from as usize]);
                array.insert(of(index), of(value));
                0
            }
            other => panic!("{other:?}"),
        };
        values.push(value & mask(*width));
        arrays.push(array);
    }
    question.roots.iter().all(|root| values[*root as usize] == 1)
}

#[test]
fn arrays_of_the_theory_and_trees_have_the_same_answers() {
    let mut solver = Supervisor::new(WorkerConfig::new(env!("CARGO_BIN_EXE_symexec-solver")));
    let mut ask = |question: &Question| {
        let question = question.clone();
        let request = Request {
            question,
            wanted: Wanted::Model,
            wall_ms: None,
            resource: Some(20_000_000),
            give_up: None,
            exact: false,
        };
        let answer = solver.ask(&codec::encode(&request).unwrap(), None).unwrap();
        codec::decode::<Response>(&answer).unwrap().verdict
    };
    let mut draws = Draws(11);
    let (mut with, mut without) = (0, 0);
    for _ in 0..60 {
        let question = question(&mut draws);
        // None as it is: one or both buffers are seen as such.
        assert!(Buffers::of(&question).count() > 0, "{question:?}");
        let answers = [ask(&question), ask(&as_trees(&question))];
        for answer in &answers {
            if let Verdict::Satisfiable(values) = answer {
                assert!(holds(&question, values), "{values:?} {question:?}");
            }
        }
        match answers {
            [Verdict::Satisfiable(_), Verdict::Satisfiable(_)] => with += 1,
            [Verdict::Unsatisfiable, Verdict::Unsatisfiable] => without += 1,
            // A tree may be too dear.
            [_, Verdict::Unknown(_)] => {}
            different => panic!("{different:?} {question:?}"),
        }
    }
    assert!(with > 20 && without > 5, "{with} {without}");
}
