//! Terms of the solver's logic as a graph.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::base::arena::Arena;

crate::base::arena::typed_ids! {
    /// A sort of a [`Query`].
    pub SortId;
    /// A declared function or constant of a [`Query`].
    pub FunctionId;
    /// A term of a [`Query`].
    pub TermId;
}

/// A sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Whole numbers.
    Int,
    /// Real numbers.
    Real,
    /// Bit vectors of a width.
    BitVector(u32),
    /// Floating-point numbers: widths of exponent and significand.
    Float(u32, u32),
    /// Rounding modes.
    RoundingMode,
    /// Strings.
    Text,
    /// Regular expressions over strings.
    Regex,
    /// A sort without meaning of its own.
    Declared(String),
    /// Arrays.
    Array(SortId, SortId),
    /// A datatype of the query, by its name.
    Datatype(String),
    /// A sort of a theory by its SMT-LIB name, such as `Seq`, applied to sorts.
    Theory(String, Vec<SortId>),
}

/// A declared function; a constant if it takes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// The name; unique in the query.
    pub name: String,
    /// The sorts of its arguments.
    pub arguments: Vec<SortId>,
    /// The sort of its result.
    pub result: SortId,
    /// Whether the solver is given one argument more, in front, which is the same everywhere
    /// ([`joints`](crate::smt::joints)).
    pub anchored: bool,
}

/// A datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datatype {
    /// The name; that of its sort.
    pub name: String,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    /// The name.
    pub name: String,
    /// Names and sorts of its fields.
    pub fields: Vec<(String, SortId)>,
}

/// Operations of the solver's theories.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Op {
    Not,
    And,
    Or,
    Implies,
    Eq,
    Distinct,
    IfThenElse,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    RealDiv,
    Lt,
    Le,
    Gt,
    Ge,
    ToReal,
    ToInt,
    Select,
    Store,
    Concat,
    /// Bits from high to low, both included.
    Extract(u32, u32),
    /// The constructor at an index of a datatype.
    Construct(String, u32),
    /// Whether the constructor at an index of a datatype made a value.
    Test(String, u32),
    /// The field at an index of the constructor at an index of a datatype.
    Field(String, u32, u32),
    /// The array of this sort that has the same element everywhere.
    ConstArray(SortId),
    /// A function of a theory under its SMT-LIB name, such as `bvadd` or `(_ sign_extend 8)`.
    Named(String),
}

/// A variable bound by a quantifier: an occurrence means the innermost binder of its level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// Its name.
    pub name: String,
    /// How many variables are bound around its binder.
    pub level: u32,
    /// Its sort.
    pub sort: SortId,
}

/// A quantifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantifier {
    /// Whether it is universal.
    pub universal: bool,
    /// What it binds.
    pub bound: Vec<Bound>,
    /// Triggers, each a list of terms that must all be matched.
    pub triggers: Vec<Vec<TermId>>,
    /// Terms that must not be triggers.
    pub no_triggers: Vec<TermId>,
    /// The weight.
    pub weight: u32,
    /// The body.
    pub body: TermId,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(BigInt),
    /// A fraction in lowest terms with a positive denominator.
    Real(BigInt, BigInt),
    /// A bit vector.
    BitVector(BigInt, u32),
    /// A string.
    Text(String),
    /// A rounding mode by its short name.
    RoundingMode(String),
    /// [`CONTROL`]`(0, n)`: where control goes after block `n`, or which check fails there.
    Control(u32),
    /// A declared function applied to arguments.
    Apply(FunctionId, Vec<TermId>),
    /// A bound variable.
    Bound(Bound),
    /// An operation.
    Op(Op, Vec<TermId>),
    /// A quantifier.
    Quantifier(Box<Quantifier>),
}

impl Term {
    /// Calls a function with each direct part, in a fixed order.
    pub fn for_each_part(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Self::Apply(_, parts) | Self::Op(_, parts) => parts.iter().for_each(|part| visit(*part)),
            Self::Quantifier(quantifier) => {
                quantifier.triggers.iter().flatten().for_each(|part| visit(*part));
                quantifier.no_triggers.iter().for_each(|part| visit(*part));
                visit(quantifier.body);
            }
            _ => {}
        }
    }
}

/// The function that says where control goes.
pub const CONTROL: &str = "ControlFlow";

/// Stands behind the name of each constructor, so that it is no function of the solver's theories; no name of a
/// program has an `@`.
pub const CONSTRUCTOR: &str = "@@";

/// A try to answer a query that ends early: if the resource count reaches its share, the next one begins afresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How far the solver's resource count may go.
    pub share: u64,
    /// Settings that are made behind those of the query.
    pub options: Vec<(String, String)>,
}

/// A question for the solver: are the assertions satisfiable?
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Settings of the solver, in the order in which they are made.
    pub options: Vec<(String, String)>,
    /// What is tried for a while before all that is left of the limits is spent under the settings above.
    pub turns: Vec<Turn>,
    /// The sorts, parts first.
    pub sorts: Arena<SortId, Sort>,
    /// The datatypes; they may refer to each other.
    pub datatypes: Vec<Datatype>,
    /// The declared functions and constants.
    pub functions: Arena<FunctionId, Function>,
    /// The terms, parts first.
    pub terms: Arena<TermId, Term>,
    /// What is known.
    pub background: Vec<TermId>,
    /// What is asked: satisfiable together with the background if and only if a check can fail.
    pub goal: Option<TermId>,
    /// After how many failing checks to stop; 0 means never.
    pub error_limit: u32,
}

impl Query {
    /// Whether there is a quantifier in it. Without one the solver decides nearly everything.
    pub fn has_quantifiers(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Quantifier(_)))
    }
}

/// A [`Query`] that is being made: finds the existing id of what was added before.
#[derive(Debug)]
pub struct Builder {
    /// What was made so far.
    pub query: Query,
    sorts: FxHashMap<Sort, SortId>,
    terms: FxHashMap<Term, TermId>,
    names: FxHashMap<String, u32>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            query: Query::default(),
            sorts: FxHashMap::default(),
            terms: FxHashMap::default(),
            // What is declared in every query and is no function of the program, whatever that calls its own.
            names: FxHashMap::from_iter([(CONTROL.to_owned(), 1)]),
        }
    }
}

impl Builder {
    /// A sort, added if it is new.
    pub fn sort(&mut self, sort: Sort) -> SortId {
        if let Some(id) = self.sorts.get(&sort) {
            return *id;
        }
        let id = self.query.sorts.push(sort.clone());
        self.sorts.insert(sort, id);
        id
    }

    /// A term, added if it is new.
    pub fn term(&mut self, term: Term) -> TermId {
        if let Some(id) = self.terms.get(&term) {
            return *id;
        }
        let id = self.query.terms.push(term.clone());
        self.terms.insert(term, id);
        id
    }

    /// An operation.
    pub fn op(&mut self, op: Op, parts: Vec<TermId>) -> TermId {
        self.term(Term::Op(op, parts))
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.term(Term::Bool(value))
    }

    /// `premise ==> conclusion`, simplified where one of them is `true`.
    pub fn implies(&mut self, premise: TermId, conclusion: TermId) -> TermId {
        match (&self.query.terms[premise], &self.query.terms[conclusion]) {
            (Term::Bool(true), _) | (_, Term::Bool(true)) => conclusion,
            _ => self.op(Op::Implies, vec![premise, conclusion]),
        }
    }

    /// The conjunction of terms, without those that are `true`.
    pub fn and(&mut self, mut parts: Vec<TermId>) -> TermId {
        parts.retain(|part| self.query.terms[*part] != Term::Bool(true));
        match parts.as_slice() {
            [] => self.bool(true),
            [only] => *only,
            _ => self.op(Op::And, parts),
        }
    }

    /// Declares a function under a name like the given one, changed if that is taken.
    pub fn declare(&mut self, name: &str, arguments: Vec<SortId>, result: SortId) -> FunctionId {
        let name = self.unique(name);
        self.query.functions.push(Function { name, arguments, result, anchored: false })
    }

    /// A name like the given one that is not taken. `@@` occurs in no name of a program.
    pub fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}@@{}", *count - 1) }
    }
}
