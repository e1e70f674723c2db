//! Queries as canonical bytes.
//!
//! Equal queries have equal bytes and different ones different bytes, on every machine. All numbers
//! are LEB128; texts and lists carry their lengths; big integers are decimal texts. Reading refuses
//! whatever writing could not have made: ids must refer backwards, so what was read has no cycles.

use num_bigint::BigInt;

use crate::base::arena::Id;
use crate::smt::term::{
    Bound, Constructor, Datatype, Function, FunctionId, Op, Quantifier, Query, Sort, SortId, Term, TermId,
    Turn,
};

/// The first bytes: a mark and the version of the format.
const MAGIC: &[u8] = b"IVLQ\x03";

/// Bytes that are no query.
#[derive(Debug, thiserror::Error)]
#[error("the bytes at {at} are no query")]
pub struct NotAQuery {
    /// The position of the first byte that does not fit.
    pub at: usize,
}

/// Writes a query as its canonical bytes.
#[must_use]
pub fn write(query: &Query) -> Vec<u8> {
    let Query { options, turns, sorts, datatypes, functions, terms, background, goal, error_limit } = query;
    let mut out = Writer { bytes: MAGIC.to_vec() };
    out.list(options, Writer::option);
    out.list(turns, |out, Turn { share, options }| {
        out.number(*share);
        out.list(options, Writer::option);
    });
    out.list(sorts.as_slice(), Writer::sort);
    out.list(datatypes, |out, datatype| {
        out.text(&datatype.name);
        out.list(&datatype.constructors, |out, constructor| {
            out.text(&constructor.name);
            out.list(&constructor.fields, |out, (name, sort)| {
                out.text(name);
                out.id(*sort);
            });
        });
    });
    out.list(functions.as_slice(), |out, function| {
        out.text(&function.name);
        out.ids(&function.arguments);
        out.id(function.result);
        out.number(u64::from(function.anchored));
    });
    out.list(terms.as_slice(), Writer::term);
    out.ids(background);
    out.list(goal.as_slice(), |out, goal| out.id(*goal));
    out.number(u64::from(*error_limit));
    out.bytes
}

/// Reads what [`write()`] wrote.
///
/// # Errors
/// [`NotAQuery`] for anything else.
pub fn read(bytes: &[u8]) -> Result<Query, NotAQuery> {
    let mut input = Reader { bytes, at: 0, sorts: 0, functions: 0, terms: 0 };
    input.query().ok_or(NotAQuery { at: input.at })
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    fn id(&mut self, id: impl Id) {
        self.length(id.index());
    }

    fn option(&mut self, (name, value): &(String, String)) {
        self.text(name);
        self.text(value);
    }

    fn ids<I: Id>(&mut self, ids: &[I]) {
        self.list(ids, |out, id| out.id(*id));
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn integer(&mut self, value: &BigInt) {
        self.text(&value.to_string());
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.length(items.len());
        for item in items {
            write(self, item);
        }
    }

    fn sort(&mut self, sort: &Sort) {
        match sort {
            Sort::Bool => self.number(0),
            Sort::Int => self.number(1),
            Sort::Real => self.number(2),
            Sort::BitVector(width) => {
                self.number(3);
                self.number(u64::from(*width));
            }
            Sort::Float(exponent, significand) => {
                self.number(4);
                self.number(u64::from(*exponent));
                self.number(u64::from(*significand));
            }
            Sort::RoundingMode => self.number(5),
            Sort::Text => self.number(6),
            Sort::Regex => self.number(7),
            Sort::Declared(name) => {
                self.number(8);
                self.text(name);
            }
            Sort::Array(index, element) => {
                self.number(9);
                self.id(*index);
                self.id(*element);
            }
            Sort::Theory(name, arguments) => {
                self.number(11);
                self.text(name);
                self.ids(arguments);
            }
            Sort::Datatype(name) => {
                self.number(10);
                self.text(name);
            }
        }
    }

    fn bound(&mut self, bound: &Bound) {
        self.text(&bound.name);
        self.number(u64::from(bound.level));
        self.id(bound.sort);
    }

    fn op(&mut self, op: &Op) {
        if let Some(index) = PLAIN_OPS.iter().position(|plain| plain == op) {
            self.length(index);
            return;
        }
        match op {
            Op::Extract(high, low) => {
                self.number(100);
                self.number(u64::from(*high));
                self.number(u64::from(*low));
            }
            Op::Construct(name, index) => {
                self.number(101);
                self.text(name);
                self.number(u64::from(*index));
            }
            Op::Test(name, index) => {
                self.number(102);
                self.text(name);
                self.number(u64::from(*index));
            }
            Op::Field(name, constructor, index) => {
                self.number(103);
                self.text(name);
                self.number(u64::from(*constructor));
                self.number(u64::from(*index));
            }
            Op::ConstArray(sort) => {
                self.number(105);
                self.id(*sort);
            }
            Op::Named(name) => {
                self.number(104);
                self.text(name);
            }
            _ => self.number(105),
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Bool(value) => self.number(u64::from(*value)),
            Term::Int(value) => {
                self.number(2);
                self.integer(value);
            }
            Term::Real(numerator, denominator) => {
                self.number(3);
                self.integer(numerator);
                self.integer(denominator);
            }
            Term::BitVector(value, width) => {
                self.number(4);
                self.integer(value);
                self.number(u64::from(*width));
            }
            Term::Text(text) => {
                self.number(5);
                self.text(text);
            }
            Term::RoundingMode(mode) => {
                self.number(6);
                self.text(mode);
            }
            Term::Control(block) => {
                self.number(7);
                self.number(u64::from(*block));
            }
            Term::Apply(function, arguments) => {
                self.number(8);
                self.id(*function);
                self.ids(arguments);
            }
            Term::Bound(bound) => {
                self.number(9);
                self.bound(bound);
            }
            Term::Op(op, parts) => {
                self.number(10);
                self.op(op);
                self.ids(parts);
            }
            Term::Quantifier(quantifier) => {
                self.number(11);
                let Quantifier { universal, bound, triggers, no_triggers, weight, body } = &**quantifier;
                self.number(u64::from(*universal));
                self.list(bound, Self::bound);
                self.list(triggers, |out, terms| out.ids(terms));
                self.ids(no_triggers);
                self.number(u64::from(*weight));
                self.id(*body);
            }
        }
    }
}

/// The operations without parameters; their numbers are their positions. Never reorder.
const PLAIN_OPS: &[Op] = &[
    Op::Not,
    Op::And,
    Op::Or,
    Op::Implies,
    Op::Eq,
    Op::Distinct,
    Op::IfThenElse,
    Op::Neg,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div,
    Op::Mod,
    Op::RealDiv,
    Op::Lt,
    Op::Le,
    Op::Gt,
    Op::Ge,
    Op::ToReal,
    Op::ToInt,
    Op::Select,
    Op::Store,
    Op::Concat,
];

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    /// How many sorts, functions and terms were read: ids must be smaller.
    sorts: usize,
    functions: usize,
    terms: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// A number in as few bytes as it takes: every query has one form only, the one that is digested.
    fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let placed = bits << shift;
            if placed >> shift != bits || byte == 0 && shift > 0 {
                return None;
            }
            value |= placed;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// A length, which cannot be larger than what is left to read.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.bytes.len() - self.at).then_some(length)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.length()?;
        let text = self.bytes.get(self.at..self.at + length)?;
        self.at += length;
        String::from_utf8(text.to_vec()).ok()
    }

    fn integer(&mut self) -> Option<BigInt> {
        let text = self.text()?;
        // Signs and zeros in front, which the number is not written with, are other forms of it.
        text.parse().ok().filter(|value: &BigInt| value.to_string() == text)
    }

    fn id<I: Id>(&mut self, count: usize) -> Option<I> {
        let index = usize::try_from(self.number()?).ok()?;
        (index < count).then(|| I::from_index(index))
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.length()?).map(|_| read(self)).collect()
    }

    fn sort_id(&mut self) -> Option<SortId> {
        self.id(self.sorts)
    }

    fn term_id(&mut self) -> Option<TermId> {
        self.id(self.terms)
    }

    fn query(&mut self) -> Option<Query> {
        if !self.bytes.starts_with(MAGIC) {
            return None;
        }
        self.at = MAGIC.len();
        let options = self.list(Self::option)?;
        let turns =
            self.list(|input| Some(Turn { share: input.number()?, options: input.list(Self::option)? }))?;
        let sorts = self.list(|input| {
            let sort = input.sort()?;
            input.sorts += 1;
            Some(sort)
        })?;
        let datatypes = self.list(|input| {
            let name = input.text()?;
            let constructors = input.list(|input| {
                let name = input.text()?;
                let fields = input.list(|input| Some((input.text()?, input.sort_id()?)))?;
                Some(Constructor { name, fields })
            })?;
            Some(Datatype { name, constructors })
        })?;
        let functions = self.list(|input| {
            let name = input.text()?;
            let arguments = input.list(Self::sort_id)?;
            let result = input.sort_id()?;
            let anchored = input.flag()?;
            input.functions += 1;
            Some(Function { name, arguments, result, anchored })
        })?;
        let terms = self.list(|input| {
            let term = input.term()?;
            input.terms += 1;
            Some(term)
        })?;
        let background = self.list(Self::term_id)?;
        let goal = self.list(Self::term_id)?;
        let error_limit = self.small()?;
        (goal.len() <= 1 && self.at == self.bytes.len()).then(|| Query {
            options,
            turns,
            sorts: sorts.into_iter().collect(),
            datatypes,
            functions: functions.into_iter().collect(),
            terms: terms.into_iter().collect(),
            background,
            goal: goal.first().copied(),
            error_limit,
        })
    }

    fn option(&mut self) -> Option<(String, String)> {
        Some((self.text()?, self.text()?))
    }

    fn sort(&mut self) -> Option<Sort> {
        Some(match self.number()? {
            0 => Sort::Bool,
            1 => Sort::Int,
            2 => Sort::Real,
            3 => Sort::BitVector(self.small()?),
            4 => Sort::Float(self.small()?, self.small()?),
            5 => Sort::RoundingMode,
            6 => Sort::Text,
            7 => Sort::Regex,
            8 => Sort::Declared(self.text()?),
            9 => Sort::Array(self.sort_id()?, self.sort_id()?),
            10 => Sort::Datatype(self.text()?),
            11 => Sort::Theory(self.text()?, self.list(Self::sort_id)?),
            _ => return None,
        })
    }

    fn bound(&mut self) -> Option<Bound> {
        Some(Bound { name: self.text()?, level: self.small()?, sort: self.sort_id()? })
    }

    fn op(&mut self) -> Option<Op> {
        let number = usize::try_from(self.number()?).ok()?;
        Some(match number {
            100 => Op::Extract(self.small()?, self.small()?),
            101 => Op::Construct(self.text()?, self.small()?),
            102 => Op::Test(self.text()?, self.small()?),
            103 => Op::Field(self.text()?, self.small()?, self.small()?),
            104 => Op::Named(self.text()?),
            105 => Op::ConstArray(self.sort_id()?),
            _ => PLAIN_OPS.get(number)?.clone(),
        })
    }

    fn term(&mut self) -> Option<Term> {
        Some(match self.number()? {
            0 => Term::Bool(false),
            1 => Term::Bool(true),
            2 => Term::Int(self.integer()?),
            3 => Term::Real(self.integer()?, self.integer()?),
            4 => Term::BitVector(self.integer()?, self.small()?),
            5 => Term::Text(self.text()?),
            6 => Term::RoundingMode(self.text()?),
            7 => Term::Control(self.small()?),
            8 => {
                let function: FunctionId = self.id(self.functions)?;
                Term::Apply(function, self.list(Self::term_id)?)
            }
            9 => Term::Bound(self.bound()?),
            10 => Term::Op(self.op()?, self.list(Self::term_id)?),
            11 => Term::Quantifier(Box::new(Quantifier {
                universal: self.flag()?,
                bound: self.list(Self::bound)?,
                triggers: self.list(|input| input.list(Self::term_id))?,
                no_triggers: self.list(Self::term_id)?,
                weight: self.small()?,
                body: self.term_id()?,
            })),
            _ => return None,
        })
    }
}
