//! Questions over one or two unknown bytes, decided without a solver: every value is tried.
//!
//! Most questions of programs that read text are about one byte. Its 256 values are tried at once, term by
//! term, which takes microseconds where a solver takes a millisecond to be set up. Two bytes are tried where
//! the question is small: 256 times as much. Of a number of more bytes those values are tried that comparisons with
//! constants leave, if these are few (`klee_range`). Floating-point arithmetic is computed as the machine does, where
//! a solver takes seconds for a few operations. What has vectors of more than 64 bits is left to the solver.
//!
//! Like every answer of the chain's end, a solution is a function of the canonical question: the least value
//! that solves it.

mod by_byte;

use super::buffers::SHORT;
use super::intervals::{Left, left_off};
use super::question::{Question, Term, Verdict};
use crate::base::bits::{BinaryOp, Bits, CompareOp, mask, signed, small_binary, small_compare};
use crate::base::float::Operation;

pub(super) use by_byte::{Table, tables};

/// How many values a byte has.
pub(super) const VALUES: usize = 256;

/// The most values that are tried of all numbers of a question together: as many as two bytes have.
const MOST_TOGETHER: u64 = 1 << 16;

/// The most stores that reads pass by, counted for each time that all terms are computed: as much work as the most terms
/// over two bytes.
const MOST_PASSED: usize = MOST_WHERE_DEAR[2] * VALUES;

/// How many values are tried at once.
const LANES: usize = VALUES;

/// The most terms that are no constants of a question over no byte, one and two.
const MOST_TERMS: [usize; 3] = [256, 4096, 96];

/// The most operations on floating-point numbers of a question over no byte, one and two.
const MOST_FLOATS: [usize; 3] = [256, 1024, 48];

/// The same where a table is read or floating-point numbers are computed, which takes solvers long.
const MOST_WHERE_DEAR: [usize; 3] = [4096, 4096, 1024];

/// The most terms with constants, which cost little: those of tables are many.
const MOST_CONSTANTS: usize = 1 << 16;

/// The most elements that all arrays of a question have together.
const MOST_ELEMENTS: usize = 1 << 16;

/// The values of a term, one for each value that is tried.
type Vector = Box<[u64; LANES]>;

/// The most vectors that are kept for the next question.
const MOST_KEPT: usize = 1 << 9;

/// Vectors that are used again: two kilobytes for each term are more to ask for, and to clear, than to compute.
#[derive(Default)]
pub struct Vectors(Vec<Vector>);

impl Vectors {
    /// One of any content.
    fn take(&mut self) -> Vector {
        self.0.pop().unwrap_or_else(|| Box::new([0; LANES]))
    }

    /// Takes one back.
    pub(super) fn keep(&mut self, values: Vector) {
        if self.0.len() < MOST_KEPT {
            self.0.push(values);
        }
    }

    /// Takes back what a term was.
    fn give_back(&mut self, lanes: Lanes<'_>) {
        if let Lanes::Each(values) = lanes {
            self.keep(values);
        }
    }
}

/// What a term is for every value that is tried.
enum Lanes<'a> {
    /// The same for all.
    Same(u64),
    Each(Vector),
    Array(&'a [u32]),
    Store(u32, u32, u32),
}

/// The most terms that are no constants of a choice with many sides over no byte, one and two.
const MOST_OF_CHOICES: [usize; 3] = [4096, 4096, 512];

/// Decides a question; `None` if it has too many unknown bytes, is too large, or is of another kind.
#[must_use]
pub fn decide(question: &Question) -> Option<Verdict> {
    decide_up_to(question, VALUES, &mut Vectors::default())
}

/// [`decide`], trying fewer values of each byte, in given vectors.
pub(super) fn decide_up_to(question: &Question, values: usize, vectors: &mut Vectors) -> Option<Verdict> {
    if !is_small(question, MOST_TERMS) {
        return None;
    }
    let mut solved = None;
    try_all(question, values, vectors, |first, done| {
        let holds = holding(question.roots.iter(), done)?;
        let lane = holds.iter().take(values).position(|holds| *holds);
        solved = lane.map(|lane| match question.inputs {
            0 => Vec::new(),
            1 => vec![lane as u8],
            _ => vec![first as u8, lane as u8],
        });
        Some(solved.is_some())
    })?;
    Some(solved.map_or(Verdict::Unsatisfiable, Verdict::Satisfiable))
}

/// Decides a question whose numbers have few values left by its comparisons with constants; `None` if they have many, or
/// the question is too large or of another kind.
#[must_use]
pub fn decide_few(question: &Question) -> Option<Verdict> {
    decide_among(question, &left_off(question, 0)?, VALUES, &mut Vectors::default())
}

/// [`decide_few`] of given values; `None` if they have many, or the question is too large or of
/// another kind. Of 256 values, or what is left of them, `tried` are tried: all of them, but in a lie.
pub(super) fn decide_among(
    question: &Question,
    left: &Left,
    tried: usize,
    vectors: &mut Vectors,
) -> Option<Verdict> {
    let together = left.count(MOST_TOGETHER)?;
    if !Limits::among(together).allow(question) || passed(question, together) > MOST_PASSED {
        return None;
    }
    let (values, together) = (left.values(), together * tried / VALUES);
    let mut numbers = vec![vec![0; LANES]; values.len()];
    for first in (0..together).step_by(LANES) {
        // The last number is the next one in each lane, and the others when it has begun again. Lanes behind the end are
        // computed as well, and not looked at.
        for lane in 0..LANES {
            let mut place = first + lane;
            for (lanes, values) in numbers.iter_mut().zip(&values).rev() {
                *lanes.get_mut(lane)? = *values.get(place % values.len())?;
                place /= values.len();
            }
        }
        let tried = Tried::Numbers { numbers: &numbers, left };
        let mut done: Vec<Lanes<'_>> = Vec::with_capacity(question.terms.len());
        for (width, term) in &question.terms {
            let Some(value) = evaluate(question, &done, *width, term, tried, vectors) else { break };
            done.push(value);
        }
        let is_done = done.len() == question.terms.len();
        let holds = if is_done { holding(question.roots.iter(), &done) } else { None };
        done.into_iter().for_each(|lanes| vectors.give_back(lanes));
        if let Some(lane) = holds?.iter().take(together - first).position(|holds| *holds) {
            let solution =
                numbers.iter().map(|lanes| lanes.get(lane).copied()).collect::<Option<Vec<_>>>()?;
            return Some(left.solution(&solution));
        }
    }
    Some(Verdict::Unsatisfiable)
}

/// How many stores the reads of a question pass by at most, in each lane and all the times that its terms are computed:
/// what [`Limits`] do not see, since each read looks through all that was stored before it.
fn passed(question: &Question, together: usize) -> usize {
    let mut stores: Vec<usize> = Vec::with_capacity(question.terms.len());
    let mut passed = 0_usize;
    for (_, term) in &question.terms {
        let below = |array: &u32| stores.get(*array as usize).copied().unwrap_or(0);
        let here = if let Term::Store(array, ..) = term { below(array) + 1 } else { 0 };
        if let Term::Read(array, _) = term {
            passed = passed.saturating_add(below(array));
        }
        stores.push(here);
    }
    passed.saturating_mul(together.div_ceil(LANES))
}

/// What unknown bytes are while values are tried.
#[derive(Clone, Copy)]
enum Tried<'a> {
    /// The last one has each value of a byte, and the first of two this one.
    Bytes(u64),
    /// Each has each value of a byte.
    Each,
    /// They are bytes of these numbers, each of which has a value for each lane.
    Numbers { numbers: &'a [Vec<u64>], left: &'a Left },
}

/// Which of the first `choices` roots can hold, each for itself together with all the other roots; `None` as for
/// [`decide`].
pub fn possible(
    question: &Question,
    choices: usize,
    values: usize,
    vectors: &mut Vectors,
) -> Option<Vec<bool>> {
    if !is_small(question, MOST_OF_CHOICES) {
        return None;
    }
    let (sides, others) = question.roots.split_at_checked(choices)?;
    let mut possible = vec![false; choices];
    try_all(question, values, vectors, |_, done| {
        let mut holds = holding(others.iter(), done)?;
        holds.iter_mut().skip(values).for_each(|holds| *holds = false);
        if holds.contains(&true) {
            for (possible, side) in possible.iter_mut().zip(sides).filter(|(possible, _)| !**possible) {
                let side = done.get(*side as usize)?;
                *possible = match side {
                    Lanes::Same(truth) => truth & 1 == 1,
                    Lanes::Each(truths) => {
                        holds.iter().zip(truths.iter()).any(|(holds, truth)| *holds && truth & 1 == 1)
                    }
                    Lanes::Array(_) | Lanes::Store(..) => return None,
                };
            }
        }
        Some(!possible.contains(&false))
    })?;
    Some(possible)
}

/// How many terms a question may have that are no constants.
struct Limits {
    terms: usize,
    /// Operations on floating-point numbers among them.
    floats: usize,
    /// The terms where a table is read or floating-point numbers are computed.
    where_dear: usize,
}

impl Limits {
    /// Of a question over so many bytes.
    fn of(bytes: u32, most: [usize; 3]) -> Option<Self> {
        let of = |most: [usize; 3]| most.get(bytes as usize).copied();
        Some(Self { terms: of(most)?, floats: of(MOST_FLOATS)?, where_dear: of(MOST_WHERE_DEAR)? })
    }

    /// Of a question whose numbers have so many values together: with few as over one byte, with many as much work as over
    /// two, which is computing a term 6.3 million times, or 67 million times where it is dear to solvers.
    fn among(together: usize) -> Self {
        let times = together.div_ceil(LANES).max(1);
        let [terms, floats, where_dear] = [MOST_TERMS, MOST_FLOATS, MOST_WHERE_DEAR]
            .map(|[_, of_one, of_two]| of_one.min(of_two * VALUES / times));
        Self { terms, floats, where_dear }
    }

    /// Whether a question has no more, and all of them such as can be tried.
    fn allow(&self, question: &Question) -> bool {
        let (mut computed, mut elements, mut floats, mut is_dear) = (0, 0, 0, false);
        for (width, term) in &question.terms {
            if let Term::Literal(all) = term {
                elements += all.len();
            }
            let is_float = matches!(term, Term::Float(..));
            floats += usize::from(is_float);
            is_dear |= is_float || matches!(term, Term::Literal(all) if all.len() > SHORT);
            computed += usize::from(!matches!(term, Term::Constant(_)));
            if *width > 64 || matches!(term, Term::Wide(_)) || elements > MOST_ELEMENTS {
                return false;
            }
        }
        computed <= if is_dear { self.where_dear } else { self.terms }
            && floats <= self.floats
            && question.terms.len() <= MOST_CONSTANTS
    }
}

/// Whether a question has few enough terms, by its bytes, all of them such as can be tried.
fn is_small(question: &Question, most: [usize; 3]) -> bool {
    Limits::of(question.inputs, most).is_some_and(|limits| limits.allow(question))
}

/// Computes all terms for every value of the last byte, once for each of the first one's, until it is enough; `None`
/// if a term cannot be computed, or the question is malformed.
fn try_all<'a>(
    question: &'a Question,
    values: usize,
    vectors: &mut Vectors,
    mut is_enough: impl FnMut(u64, &[Lanes<'a>]) -> Option<bool>,
) -> Option<()> {
    let has_first = question.inputs == 2;
    // What the first of two bytes has no part in is evaluated once.
    let varying = if has_first { with_first(question) } else { Vec::new() };
    let firsts = if has_first { values } else { 1 };
    let mut done: Vec<Lanes<'_>> = Vec::with_capacity(question.terms.len());
    let mut is_decided = Some(());
    'all: for first in 0..firsts as u64 {
        let evaluated = (0..question.terms.len())
            .filter(|_| first == 0)
            .chain(varying.iter().copied().filter(|_| first > 0));
        for place in evaluated {
            let (width, term) = &question.terms[place];
            let Some(value) = evaluate(question, &done, *width, term, Tried::Bytes(first), vectors) else {
                is_decided = None;
                break 'all;
            };
            match done.get_mut(place) {
                Some(known) => vectors.give_back(std::mem::replace(known, value)),
                None => done.push(value),
            }
        }
        match is_enough(first, &done) {
            Some(false) => {}
            Some(true) => break,
            None => {
                is_decided = None;
                break;
            }
        }
    }
    done.into_iter().for_each(|lanes| vectors.give_back(lanes));
    is_decided
}

/// The terms in which the first input occurs.
fn with_first(question: &Question) -> Vec<usize> {
    let mut varies: Vec<bool> = Vec::with_capacity(question.terms.len());
    for (_, term) in &question.terms {
        let mut here = matches!(term, Term::Input(0));
        // An array stands for its elements, which are looked up where it is read.
        let _ = term.map(|operand| {
            here |= varies.get(operand as usize).copied().unwrap_or(false);
            operand
        });
        varies.push(here);
    }
    (0..).zip(varies).filter_map(|(place, varies)| varies.then_some(place)).collect()
}

/// The values of the last input with which some terms hold; `None` if the question is malformed.
fn holding<'q>(roots: impl Iterator<Item = &'q u32>, done: &[Lanes<'_>]) -> Option<[bool; LANES]> {
    let mut holds = [true; LANES];
    for root in roots {
        match done.get(*root as usize)? {
            Lanes::Same(value) if value & 1 == 1 => {}
            Lanes::Same(_) => return Some([false; LANES]),
            Lanes::Each(values) => {
                for (holds, value) in holds.iter_mut().zip(values.iter()) {
                    *holds &= value & 1 == 1;
                }
            }
            Lanes::Array(_) | Lanes::Store(..) => return None,
        }
    }
    Some(holds)
}

/// The value of a vector in a lane.
fn at(lanes: &Lanes<'_>, lane: usize) -> Option<u64> {
    match lanes {
        Lanes::Same(value) => Some(*value),
        Lanes::Each(values) => values.get(lane).copied(),
        Lanes::Array(_) | Lanes::Store(..) => None,
    }
}

fn evaluate<'a>(
    question: &'a Question,
    done: &[Lanes<'a>],
    width: u32,
    term: &'a Term,
    tried: Tried<'_>,
    vectors: &mut Vectors,
) -> Option<Lanes<'a>> {
    let of = |number: &u32| done.get(*number as usize);
    let width_of = |number: &u32| question.terms.get(*number as usize).map(|(width, _)| *width);
    let all = mask(width);
    Some(match term {
        Term::Constant(value) => Lanes::Same(value & all),
        Term::Input(input) => unknown(question, *input, tried, vectors)?,
        Term::Not(a) => one(of(a)?, |a| !a & all, vectors)?,
        Term::Binary(op, a, b) => binary(*op, width, of(a)?, of(b)?, vectors)?,
        Term::Compare(op, a, b) => compare(*op, width_of(a)?, of(a)?, of(b)?, vectors)?,
        Term::Extract(a, low) => one(of(a)?, |a| a.checked_shr(*low).unwrap_or(0) & all, vectors)?,
        Term::Concat(high, low) => {
            let below = width_of(low)?;
            let join = |high: u64, low| (high.checked_shl(below).unwrap_or(0) | low) & all;
            two(of(high)?, of(low)?, join, vectors)?
        }
        Term::ZeroExtend(a) => one(of(a)?, |a| a, vectors)?,
        Term::SignExtend(a) => {
            let inner = width_of(a)?;
            one(of(a)?, |a| signed(a, inner) as u64 & all, vectors)?
        }
        Term::Choose(condition, yes, no) => {
            let (yes, no) = (of(yes)?, of(no)?);
            match of(condition)? {
                Lanes::Same(truth) => one(if truth & 1 == 1 { yes } else { no }, |value| value, vectors)?,
                Lanes::Each(truths) => {
                    let mut values = vectors.take();
                    for (lane, (value, truth)) in values.iter_mut().zip(truths.iter()).enumerate() {
                        *value = at(if truth & 1 == 1 { yes } else { no }, lane)?;
                    }
                    Lanes::Each(values)
                }
                Lanes::Array(_) | Lanes::Store(..) => return None,
            }
        }
        Term::Read(array, index) => {
            let index = of(index)?;
            if let Lanes::Same(index) = index {
                let constant = |number: &u32| matches!(of(number), Some(Lanes::Same(_)));
                if let Some(Lanes::Array(elements)) = of(array) {
                    let found = usize::try_from(*index).ok().and_then(|index| elements.get(index));
                    match found {
                        None => return Some(Lanes::Same(0)),
                        Some(element) if constant(element) => {
                            return Some(Lanes::Same(at(of(element)?, 0)?));
                        }
                        Some(_) => {}
                    }
                }
            }
            let mut values = vectors.take();
            for (lane, value) in values.iter_mut().enumerate() {
                *value = element(done, *array, at(index, lane)?, lane)?;
            }
            Lanes::Each(values)
        }
        Term::Float(operation, operands) => {
            let widths = operands.map(|operand| width_of(&operand));
            let [Some(a), Some(b), Some(c)] = widths else { return None };
            let [x, y, z] = operands.each_ref().map(of);
            float(*operation, [a, b, c], [x?, y?, z?], vectors)?
        }
        Term::Literal(elements) => Lanes::Array(elements),
        Term::Store(array, index, value) => Lanes::Store(*array, *index, *value),
        Term::Wide(_) => return None,
    })
}

/// An unknown byte.
fn unknown<'a>(
    question: &Question,
    input: u32,
    tried: Tried<'_>,
    vectors: &mut Vectors,
) -> Option<Lanes<'a>> {
    Some(match tried {
        Tried::Bytes(first) if input == 0 && question.inputs == 2 => Lanes::Same(first),
        Tried::Bytes(_) | Tried::Each => {
            let mut values = vectors.take();
            for (value, place) in values.iter_mut().zip(0..) {
                *value = place;
            }
            Lanes::Each(values)
        }
        Tried::Numbers { numbers, left } => {
            let (number, byte) = left.place_of(input)?;
            let mut values = vectors.take();
            for (value, number) in values.iter_mut().zip(numbers.get(number)?) {
                *value = number >> (8 * byte) & 0xff;
            }
            Lanes::Each(values)
        }
    })
}

/// An element of an array in a lane; zero behind its end.
fn element(done: &[Lanes<'_>], array: u32, index: u64, lane: usize) -> Option<u64> {
    let mut array = array;
    loop {
        match done.get(array as usize)? {
            Lanes::Store(below, place, value) => {
                if at(done.get(*place as usize)?, lane)? == index {
                    return at(done.get(*value as usize)?, lane);
                }
                array = *below;
            }
            Lanes::Array(elements) => {
                let found = usize::try_from(index).ok().and_then(|index| elements.get(index));
                return match found {
                    None => Some(0),
                    Some(element) => at(done.get(*element as usize)?, lane),
                };
            }
            Lanes::Same(_) | Lanes::Each(_) => return None,
        }
    }
}

/// An operation lane by lane. Each operator has a loop of its own: one that asked in each lane which operator it is
/// would take several times as long.
fn binary<'a>(
    op: BinaryOp,
    width: u32,
    a: &Lanes<'_>,
    b: &Lanes<'_>,
    vectors: &mut Vectors,
) -> Option<Lanes<'a>> {
    macro_rules! by_operator {
        ($($op:ident)*) => {
            match op { $(BinaryOp::$op => two(a, b, |a, b| small_binary(BinaryOp::$op, width, a, b), vectors),)* }
        };
    }
    by_operator!(Add Sub Mul UDiv URem SDiv SRem And Or Xor Shl LShr AShr)
}

/// A comparison lane by lane, of operands of this width.
fn compare<'a>(
    op: CompareOp,
    width: u32,
    a: &Lanes<'_>,
    b: &Lanes<'_>,
    vectors: &mut Vectors,
) -> Option<Lanes<'a>> {
    macro_rules! by_operator {
        ($($op:ident)*) => {
            match op {
                $(CompareOp::$op => {
                    two(a, b, |a, b| u64::from(small_compare(CompareOp::$op, width, a, b)), vectors)
                })*
            }
        };
    }
    by_operator!(Eq Ult Slt)
}

/// An operation on floating-point numbers lane by lane, of operands of these widths.
fn float<'a>(
    operation: Operation,
    widths: [u32; 3],
    operands: [&Lanes<'_>; 3],
    vectors: &mut Vectors,
) -> Option<Lanes<'a>> {
    let compute = |lane: usize| {
        let [a, b, c] = operands.map(|operand| at(operand, lane));
        float_of(operation, widths, [a?, b?, c?])
    };
    if operands.iter().all(|operand| matches!(operand, Lanes::Same(_))) {
        return Some(Lanes::Same(compute(0)?));
    }
    let mut values = vectors.take();
    for (lane, value) in values.iter_mut().enumerate() {
        *value = compute(lane)?;
    }
    Some(Lanes::Each(values))
}

/// An operation on floating-point numbers with operands of these widths; `None` if the result has more than 64 bits.
pub(super) fn float_of(operation: Operation, widths: [u32; 3], operands: [u64; 3]) -> Option<u64> {
    operation.evaluate_natively(operands).or_else(|| {
        let [a, b, c] = [0, 1, 2].map(|place: usize| Bits::new(widths[place], operands[place]));
        operation.evaluate(&[&a, &b, &c]).to_u64()
    })
}

fn one<'a>(a: &Lanes<'_>, operation: impl Fn(u64) -> u64, vectors: &mut Vectors) -> Option<Lanes<'a>> {
    Some(match a {
        Lanes::Same(a) => Lanes::Same(operation(*a)),
        Lanes::Each(values) => {
            let mut result = vectors.take();
            for (result, value) in result.iter_mut().zip(values.iter()) {
                *result = operation(*value);
            }
            Lanes::Each(result)
        }
        Lanes::Array(_) | Lanes::Store(..) => return None,
    })
}

fn two<'a>(
    a: &Lanes<'_>,
    b: &Lanes<'_>,
    operation: impl Fn(u64, u64) -> u64,
    vectors: &mut Vectors,
) -> Option<Lanes<'a>> {
    Some(match (a, b) {
        (Lanes::Same(a), Lanes::Same(b)) => Lanes::Same(operation(*a, *b)),
        (Lanes::Same(a), b) => one(b, |b| operation(*a, b), vectors)?,
        (a, Lanes::Same(b)) => one(a, |a| operation(a, *b), vectors)?,
        (Lanes::Each(a), Lanes::Each(b)) => {
            let mut result = vectors.take();
            for ((result, a), b) in result.iter_mut().zip(a.iter()).zip(b.iter()) {
                *result = operation(*a, *b);
            }
            Lanes::Each(result)
        }
        _ => return None,
    })
}
