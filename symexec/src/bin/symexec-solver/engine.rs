//! Questions put to Z3.
//!
//! Z3's run time depends on the order in which terms are made and dropped, so both are a function of
//! the question: terms are made in its order and dropped with the vectors that hold them. Reads from short arrays
//! become chains of choices, which bit-blast well, those from longer ones trees (module `tables` of the library), and those
//! from long arrays of unknown bytes are read from arrays of the theory (`buffers`).
//!
//! Nothing is kept from one question to the next. A solver that stays, with a literal for each constraint
//! and the question as assumptions, so that what was learned on a path serves its later questions, was
//! measured without the caches above: on seven programs (80 to 11,185 questions each) it took 1.0 to 4.1
//! times the time of new solvers, whether it was replaced after 100 constraints or after 1,000. Questions
//! are sliced, small and canonical here, and what a solver has seen before weighs more than what it learned.

use std::borrow::Cow;

use symexec::base::bits::{BinaryOp, CompareOp};
use symexec::base::system::{RealSystem, System};
use symexec::solver::buffers::{Buffers, View};
use symexec::solver::question::{Question, Request, Response, Term, Verdict, Wanted};
use symexec::solver::tables::as_trees_beside;
use z3::ast::{Array, BV, Bool};
use z3::{Config, Params, SatResult, Solver, Sort, Tactic};

/// How much Z3's solvers may do for a question by turns, in their own units: the plain one for some
/// milliseconds, then the one that bit-blasts, then each ten times as much as before. So no question costs
/// much more than with the solver that is right for it: of make's and bash's largest ones the plain solver
/// takes a hundredth of what the other does, of those of the benchmark's programs it is the other way round.
const TURNS: [(Engine, u64); 4] = [
    (Engine::Plain, SMALL),
    (Engine::BitBlasting, 40 * SMALL),
    (Engine::Plain, 400 * SMALL),
    (Engine::BitBlasting, 4_000 * SMALL),
];

/// What the plain solver may do first.
///
/// Most questions are small, and then what costs is setting a solver up. That of the logic of arrays and
/// bit vectors is made of dozens of tactics, 1.6 ms of them for a question that takes no time; the plain
/// one takes a fifth, and 1.3 to 3.4 times less in all on the questions of the benchmark's programs. On
/// hard questions it is the other way round.
const SMALL: u64 = 20_000;

/// Which of Z3's solvers is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    Plain,
    BitBlasting,
}

/// Answers a question.
///
/// A model is to be a function of its question, so it is asked for in a context of its own: in a shared
/// one Z3's choices would depend on the questions before, and so would the point at which limits end its
/// work. So is everything where what it costs decides what comes next. All else shares a context, which takes a
/// millisecond to make.
pub(crate) fn answer(request: &Request) -> Response {
    if let Cow::Owned(question) = as_trees_beside(&request.question, &buffers(&request.question)) {
        return answer(&Request { question, ..request.clone() });
    }
    let allowed = [request.resource, request.give_up].into_iter().flatten().min();
    if request.question.has_floats() {
        return alone(&Request { resource: allowed, ..request.clone() }, Engine::BitBlasting);
    }
    let allowed = allowed.unwrap_or(u64::MAX);
    let shares = request.wanted != Wanted::Model && request.resource.is_none() && !request.exact;
    let system = RealSystem::default();
    let mut spent = 0;
    for (place, (engine, turn)) in TURNS.into_iter().enumerate() {
        let left = allowed - spent;
        let elapsed = u64::try_from(system.elapsed().as_millis()).unwrap_or(u64::MAX);
        let wall_ms = request.wall_ms.map(|wall| wall.saturating_sub(elapsed).max(1));
        let out_of_time = request.wall_ms.is_some_and(|wall| elapsed >= wall);
        let resource = Some(turn.min(left));
        let limited = Request { wall_ms, resource, ..request.clone() };
        let response = match place {
            0 if shares => solve(&limited, engine),
            _ => alone(&limited, engine),
        };
        let used = turn.min(left);
        spent = spent.saturating_add(used);
        let answered = !matches!(response.verdict, Verdict::Unknown(_));
        if answered || spent >= allowed || out_of_time {
            return Response { resource: spent - used + response.resource, ..response };
        }
    }
    let elapsed = u64::try_from(system.elapsed().as_millis()).unwrap_or(u64::MAX);
    let last = Request {
        wall_ms: request.wall_ms.map(|wall| wall.saturating_sub(elapsed).max(1)),
        resource: (allowed < u64::MAX).then(|| allowed.saturating_sub(spent)),
        ..request.clone()
    };
    let response = alone(&last, Engine::Plain);
    Response { resource: spent + response.resource, ..response }
}

/// The long arrays that are put as those of Z3's theory. Questions that are put as text have none.
fn buffers(question: &Question) -> Buffers {
    if question.has_floats() { Buffers::default() } else { Buffers::of(question) }
}

/// Answers a question in a context of its own.
fn alone(request: &Request, engine: Engine) -> Response {
    z3::with_z3_config(&Config::new(), || solve(request, engine))
}

fn solve(request: &Request, engine: Engine) -> Response {
    let floats = request.question.has_floats();
    let solver = match engine {
        Engine::Plain => Tactic::new("smt").solver(),
        Engine::BitBlasting if floats => Solver::new(),
        Engine::BitBlasting => Solver::new_for_logic("QF_AUFBV").unwrap_or_default(),
    };
    let mut parameters = Params::new();
    parameters.set_u32("random_seed", 0);
    if let Some(wall) = request.wall_ms {
        parameters.set_u32("timeout", u32::try_from(wall).unwrap_or(u32::MAX));
    }
    if let Some(resource) = request.resource {
        parameters.set_u32("rlimit", u32::try_from(resource).unwrap_or(u32::MAX));
    }
    solver.set_params(&parameters);
    let before = resource(&solver);
    let mut encoder = Encoder {
        question: &request.question,
        buffers: buffers(&request.question),
        solver: &solver,
        made: Vec::new(),
        inputs: Vec::new(),
        arrays: Vec::new(),
    };
    let encoded = if floats { encoder.encode_as_text() } else { encoder.encode() };
    if let Err(what) = encoded {
        return Response { verdict: Verdict::Unknown(what), resource: 0, buffers: false };
    }
    let verdict = match solver.check() {
        SatResult::Unsat => Verdict::Unsatisfiable,
        SatResult::Unknown => {
            Verdict::Unknown(solver.get_reason_unknown().unwrap_or_else(|| "no reason given".to_owned()))
        }
        SatResult::Sat if request.wanted == Wanted::Truth => Verdict::Satisfiable(Vec::new()),
        SatResult::Sat => match solver.get_model() {
            None => Verdict::Unknown("a solution that cannot be read".to_owned()),
            Some(model) => Verdict::Satisfiable(
                encoder
                    .inputs
                    .iter()
                    .map(|input| model.eval(input, true).and_then(|value| value.as_u64()).unwrap_or(0) as u8)
                    .collect(),
            ),
        },
    };
    let spent = resource(&solver).saturating_sub(before);
    Response { verdict, resource: spent, buffers: encoder.buffers.count() > 0 }
}

/// Z3's own measure of work, of all solvers in a context together.
fn resource(solver: &Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(z3::StatisticsValue::UInt(count)) => u64::from(count),
        Some(z3::StatisticsValue::Double(count)) => count as u64,
        None => 0,
    }
}

/// A term made for Z3.
enum Made {
    Vector(BV),
    /// A vector of width 1, kept as a truth value.
    Truth(Bool),
    /// Arrays are made where they are read.
    Array,
}

struct Encoder<'a> {
    question: &'a Question,
    buffers: Buffers,
    solver: &'a Solver,
    made: Vec<Made>,
    inputs: Vec<BV>,
    /// Of the theory, one for each buffer.
    arrays: Vec<Array>,
}

type Encoded<T> = Result<T, String>;

impl Encoder<'_> {
    fn encode(&mut self) -> Encoded<()> {
        let (places, bytes) = (Sort::bitvector(64), Sort::bitvector(8));
        for number in 0..self.buffers.count() {
            self.arrays.push(Array::new_const(format!("buffer{number}"), &places, &bytes));
        }
        for number in 0..self.question.inputs {
            let input = match self.buffers.place_of(number) {
                Some((buffer, place)) => self.byte(buffer, &BV::from_i64(place, 64))?,
                None => BV::new_const(format!("in{number}"), 8),
            };
            self.inputs.push(input);
        }
        for (number, (width, term)) in (0..).zip(&self.question.terms) {
            // Terms that are not made are asked for by nothing.
            let made = if self.buffers.needs(number) { self.term(*width, term)? } else { Made::Array };
            self.made.push(made);
        }
        for root in &self.question.roots {
            let truth = self.truth(*root)?;
            self.solver.assert(&truth);
        }
        Ok(())
    }

    /// Questions with floating-point arithmetic are read as text: the bindings lack the conversions from
    /// bits.
    fn encode_as_text(&mut self) -> Encoded<()> {
        self.solver.from_string(symexec::solver::smtlib::definitions(self.question));
        if self.solver.get_assertions().len() < self.question.roots.len() {
            return Err("a question that Z3 cannot read".to_owned());
        }
        for number in 0..self.question.inputs {
            self.inputs.push(BV::new_const(format!("in{number}"), 8));
        }
        Ok(())
    }

    fn made(&self, number: u32) -> Encoded<&Made> {
        self.made.get(number as usize).ok_or_else(|| "a term that comes too late".to_owned())
    }

    fn vector(&self, number: u32) -> Encoded<BV> {
        match self.made(number)? {
            Made::Vector(vector) => Ok(vector.clone()),
            Made::Truth(truth) => Ok(truth.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))),
            Made::Array => Err("an array where a vector belongs".to_owned()),
        }
    }

    fn truth(&self, number: u32) -> Encoded<Bool> {
        match self.made(number)? {
            Made::Truth(truth) => Ok(truth.clone()),
            _ => Ok(self.vector(number)?.eq(BV::from_u64(1, 1))),
        }
    }

    fn term(&self, width: u32, term: &Term) -> Encoded<Made> {
        let v = |number: &u32| self.vector(*number);
        let is_truth = |number: &u32| matches!(self.made(*number), Ok(Made::Truth(_)));
        Ok(Made::Vector(match term {
            Term::Constant(value) => BV::from_u64(*value, width),
            Term::Wide(bytes) => {
                let digits = wide_decimal(bytes);
                BV::from_str(width, &digits).ok_or("a constant that cannot be read")?
            }
            Term::Input(number) => {
                self.inputs.get(*number as usize).cloned().ok_or("an input that does not exist")?
            }
            Term::Not(a) if is_truth(a) => return Ok(Made::Truth(!&self.truth(*a)?)),
            Term::Not(a) => v(a)?.bvnot(),
            Term::Binary(op, a, b) if width == 1 && is_truth(a) && is_truth(b) => {
                let (a, b) = (self.truth(*a)?, self.truth(*b)?);
                match op {
                    BinaryOp::And => return Ok(Made::Truth(Bool::and(&[&a, &b]))),
                    BinaryOp::Or => return Ok(Made::Truth(Bool::or(&[&a, &b]))),
                    BinaryOp::Xor => return Ok(Made::Truth(a.xor(&b))),
                    _ => binary(*op, &v_of(&a), &v_of(&b)),
                }
            }
            Term::Binary(op, a, b) => binary(*op, &v(a)?, &v(b)?),
            Term::Compare(op, a, b) => {
                let (a, b) = (v(a)?, v(b)?);
                return Ok(Made::Truth(match op {
                    CompareOp::Eq => a.eq(b),
                    CompareOp::Ult => a.bvult(&b),
                    CompareOp::Slt => a.bvslt(&b),
                }));
            }
            Term::Extract(a, low) => v(a)?.extract(low + width - 1, *low),
            Term::Concat(high, low) => v(high)?.concat(&v(low)?),
            Term::ZeroExtend(a) => {
                let a = v(a)?;
                a.zero_ext(width.saturating_sub(a.get_size()))
            }
            Term::SignExtend(a) => {
                let a = v(a)?;
                a.sign_ext(width.saturating_sub(a.get_size()))
            }
            Term::Choose(condition, yes, no) => {
                let condition = self.truth(*condition)?;
                if is_truth(yes) && is_truth(no) {
                    return Ok(Made::Truth(condition.ite(&self.truth(*yes)?, &self.truth(*no)?)));
                }
                condition.ite(&v(yes)?, &v(no)?)
            }
            Term::Literal(_) | Term::Store(..) => return Ok(Made::Array),
            Term::Float(..) => return Err("floating-point arithmetic in a question without".to_owned()),
            Term::Read(array, index) => self.read(*array, &v(index)?)?,
        }))
    }

    /// A byte of a buffer.
    fn byte(&self, buffer: u32, place: &BV) -> Encoded<BV> {
        let array = self.arrays.get(buffer as usize).ok_or("a buffer that does not exist")?;
        array.select(place).as_bv().ok_or_else(|| "a buffer of other things than bytes".to_owned())
    }

    /// An element of a buffer; zero behind its end, as of every array.
    fn element(&self, view: View, index: &BV) -> Encoded<BV> {
        let place = index.bvmul(BV::from_i64(view.stride, 64)).bvadd(BV::from_i64(view.first, 64));
        let mut element = self.byte(view.buffer, &place)?;
        for byte in 1..view.bytes {
            element = self.byte(view.buffer, &place.bvadd(BV::from_i64(byte, 64)))?.concat(&element);
        }
        let inside = index.bvult(BV::from_u64(view.count, 64));
        Ok(inside.ite(&element, &BV::from_u64(0, element.get_size())))
    }

    fn read(&self, array: u32, index: &BV) -> Encoded<BV> {
        // The newest writes first.
        let mut writes = Vec::new();
        let mut below = array;
        let mut result = loop {
            if let Some(view) = self.buffers.view_of(below) {
                break self.element(view, index)?;
            }
            match self.question.terms.get(below as usize) {
                Some((_, Term::Store(array, place, value))) => {
                    writes.push((*place, *value));
                    below = *array;
                }
                Some((width, Term::Literal(elements))) => {
                    let mut result = BV::from_u64(0, *width);
                    for (place, element) in elements.iter().enumerate().rev() {
                        result =
                            index.eq(BV::from_u64(place as u64, 64)).ite(&self.vector(*element)?, &result);
                    }
                    break result;
                }
                _ => return Err("a read from no array".to_owned()),
            }
        };
        for (place, value) in writes.into_iter().rev() {
            result = index.eq(self.vector(place)?).ite(&self.vector(value)?, &result);
        }
        Ok(result)
    }
}

fn v_of(truth: &Bool) -> BV {
    truth.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))
}

fn binary(op: BinaryOp, a: &BV, b: &BV) -> BV {
    match op {
        BinaryOp::Add => a.bvadd(b),
        BinaryOp::Sub => a.bvsub(b),
        BinaryOp::Mul => a.bvmul(b),
        BinaryOp::UDiv => a.bvudiv(b),
        BinaryOp::SDiv => a.bvsdiv(b),
        BinaryOp::URem => a.bvurem(b),
        BinaryOp::SRem => a.bvsrem(b),
        BinaryOp::And => a.bvand(b),
        BinaryOp::Or => a.bvor(b),
        BinaryOp::Xor => a.bvxor(b),
        BinaryOp::Shl => a.bvshl(b),
        BinaryOp::LShr => a.bvlshr(b),
        BinaryOp::AShr => a.bvashr(b),
    }
}

fn wide_decimal(bytes: &[u8]) -> String {
    num_bigint::BigUint::from_bytes_le(bytes).to_string()
}
