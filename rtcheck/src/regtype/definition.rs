//! Definitions of regular types as they are read from clauses.
//!
//! A clause is read into small terms with numbered variables. Disjunctions in its body make several
//! alternatives of it; in each the unifications are done (`X = f(Y)` is as good as `f(Y)` in the head), and what is
//! left must be types of variables of the term. So a definition is a list of linear patterns whose variables carry
//! types, each with the number of the clause that it is from. Cost: linear in the clauses, times their
//! alternatives, of which there is a limit.

use super::irregular::NotRegular;
use crate::term::{Atom, Cell, Store, Tag, atom};

/// Patterns and type expressions nested deeper are refused, so that walks over them may recurse.
const MAX_NESTING: usize = 64;
/// A clause whose disjunctions multiply to more alternatives is refused.
const MAX_ALTERNATIVES: usize = 1000;
/// A clause whose unifications make its term larger is refused.
const MAX_NODES: usize = 10_000;

/// An atomic term as a constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constant {
    /// An atom or a small integer.
    Immediate(Cell),
    /// Another number: its words, the header first.
    Boxed(Vec<Cell>),
}

/// A type with parameters: `list(T)`, `int`, or a parameter itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeExpression {
    /// The parameter with this number.
    Parameter(usize),
    /// A type by name, applied to parameters.
    Applied(Atom, Vec<Self>),
    /// `^Term`: the terms of this shape; what would be arguments are types.
    Constructor(Box<Pattern>),
}

/// The shape of a term in the head of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A term variable with the types that the body demands of it; none at all means any term.
    Variable(Vec<TypeExpression>),
    /// An atomic term.
    Constant(Constant),
    /// A compound term: its functor (for a list cell that of `'.'/2`) and arguments.
    Compound(Cell, Vec<Self>),
}

/// One alternative of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What the term looks like.
    pub pattern: Pattern,
    /// The clause that it is from, by position.
    pub position: usize,
}

/// A type's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// How many parameters there are.
    pub parameters: usize,
    /// Which argument of the predicate is the term; the others, in order, are the parameters.
    pub subject: usize,
    /// The alternatives.
    pub clauses: Vec<Clause>,
}

impl Definition {
    /// Reads a definition from the clauses of a predicate. `subject_of` tells which argument of a known type, by
    /// name and number of arguments, is the term.
    ///
    /// # Errors
    /// The first clause that is not that of a regular type, by its position, and why.
    pub fn new(
        store: &Store,
        clauses: &[Cell],
        subject_of: &dyn Fn(Atom, usize) -> Option<usize>,
    ) -> Result<Self, (usize, NotRegular)> {
        let mut alternatives = Vec::new();
        let mut arity = 1;
        for (position, &clause) in clauses.iter().enumerate() {
            let read = Reader::read(store, clause).map_err(|reason| (position, reason))?;
            for alternative in read {
                arity = alternative.head.len();
                alternatives.push((position, alternative));
            }
        }
        if arity == 0 {
            return Err((0, NotRegular::new("a regular type needs an argument: the term")));
        }
        let subject = subject_position(&alternatives, arity, subject_of);
        let mut clauses = Vec::with_capacity(alternatives.len());
        for (position, alternative) in &alternatives {
            let pattern = alternative.pattern(subject).map_err(|reason| (*position, reason))?;
            clauses.push(Clause { pattern, position: *position });
        }
        Ok(Self { parameters: arity - 1, subject, clauses })
    }
}

impl Definition {
    /// Gives the types that the clauses name other names; `name` gets a name and the number of its parameters.
    pub fn rename(&mut self, name: &mut dyn FnMut(Atom, usize) -> Atom) {
        for clause in &mut self.clauses {
            clause.pattern.rename(name);
        }
    }
}

impl Pattern {
    fn rename(&mut self, name: &mut dyn FnMut(Atom, usize) -> Atom) {
        match self {
            Self::Variable(types) => types.iter_mut().for_each(|expression| expression.rename(name)),
            Self::Constant(_) => {}
            Self::Compound(_, arguments) => arguments.iter_mut().for_each(|argument| argument.rename(name)),
        }
    }
}

/// A term of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Variable(usize),
    Constant(Constant),
    Compound(Atom, Vec<Self>),
}

/// One alternative of a clause after its unifications: the arguments of the head, and the goals left.
struct Alternative {
    head: Vec<Term>,
    goals: Vec<Term>,
}

/// Reads the terms of one clause.
struct Reader<'a> {
    store: &'a Store,
    variables: Vec<Cell>,
}

impl<'a> Reader<'a> {
    fn read(store: &'a Store, clause: Cell) -> Result<Vec<Alternative>, NotRegular> {
        let clause = store.deref(clause);
        let (head, body) = match store.match_structure::<2>(clause, atom::NECK) {
            Some([head, body]) => (head, body),
            None => (clause, Cell::atom(atom::TRUE)),
        };
        let mut reader = Self { store, variables: Vec::new() };
        let (_, arity) = store.arguments(head);
        let head =
            (0..arity).map(|i| reader.term(store.argument(head, i), 0)).collect::<Result<Vec<_>, _>>()?;
        let bodies = reader.body(body)?;
        let mut alternatives = Vec::with_capacity(bodies.len());
        for goals in bodies {
            let mut unifier = Unifier { bound: vec![None; reader.variables.len()], nodes: 0 };
            let mut rest = Vec::new();
            let mut possible = true;
            for goal in goals {
                match goal {
                    Term::Compound(atom::EQUALS, sides) if sides.len() == 2 => {
                        possible = possible && unifier.unify(&sides[0], &sides[1], 0)?;
                    }
                    Term::Constant(Constant::Immediate(goal)) if goal == Cell::atom(atom::TRUE) => {}
                    Term::Constant(Constant::Immediate(goal))
                        if goal == Cell::atom(atom::FAIL) || goal == Cell::atom(atom::FALSE) =>
                    {
                        possible = false;
                    }
                    goal => rest.push(goal),
                }
            }
            if possible {
                let head = head.iter().map(|term| unifier.resolved(term, 0)).collect::<Result<_, _>>()?;
                let goals = rest.iter().map(|term| unifier.resolved(term, 0)).collect::<Result<_, _>>()?;
                alternatives.push(Alternative { head, goals });
            }
        }
        Ok(alternatives)
    }

    fn term(&mut self, cell: Cell, depth: usize) -> Result<Term, NotRegular> {
        if depth > MAX_NESTING {
            return Err(NotRegular::new("a term is nested too deep"));
        }
        match cell.tag() {
            Tag::Ref => {
                let known = self.variables.iter().position(|&variable| variable == cell);
                Ok(Term::Variable(known.unwrap_or_else(|| {
                    self.variables.push(cell);
                    self.variables.len() - 1
                })))
            }
            Tag::Lis | Tag::Str => {
                let Some((name, arity)) = self.store.functor(cell) else {
                    return Err(NotRegular::new("a term is no pattern"));
                };
                let arguments = (0..arity)
                    .map(|i| self.term(self.store.argument(cell, i), depth + 1))
                    .collect::<Result<_, _>>()?;
                Ok(Term::Compound(name, arguments))
            }
            _ => Ok(Term::Constant(constant(self.store, cell))),
        }
    }

    /// The body as a disjunction of conjunctions.
    fn body(&mut self, body: Cell) -> Result<Vec<Vec<Term>>, NotRegular> {
        // Each conjunction with the goals that are not taken apart yet, the next on top.
        let mut pending = vec![(Vec::new(), vec![body])];
        let mut done: Vec<Vec<Term>> = Vec::new();
        while let Some((mut conjunction, mut rest)) = pending.pop() {
            if pending.len() + done.len() > MAX_ALTERNATIVES {
                return Err(NotRegular::new("the disjunctions of the body have too many alternatives"));
            }
            loop {
                let Some(goal) = rest.pop() else {
                    done.push(conjunction);
                    break;
                };
                let goal = self.store.deref(goal);
                if let Some([left, right]) = self.store.match_structure::<2>(goal, atom::COMMA) {
                    rest.extend([right, left]);
                } else if let Some([left, right]) = self.store.match_structure::<2>(goal, atom::SEMICOLON) {
                    let mut other = rest.clone();
                    other.push(right);
                    pending.push((conjunction.clone(), other));
                    rest.push(left);
                } else {
                    conjunction.push(self.term(goal, 0)?);
                }
            }
        }
        Ok(done)
    }
}

/// The constant that a dereferenced atomic cell is.
pub(crate) fn constant(store: &Store, cell: Cell) -> Constant {
    if cell.tag() == Tag::Box {
        let words = store.at(cell.index()).header_words();
        Constant::Boxed((cell.index()..=cell.index() + words).map(|i| store.at(i)).collect())
    } else {
        Constant::Immediate(cell)
    }
}

/// Bindings of a clause's variables.
struct Unifier {
    bound: Vec<Option<Term>>,
    /// How many nodes were made so far.
    nodes: usize,
}

impl Unifier {
    /// Follows bindings at the root.
    fn walk<'a>(&'a self, mut term: &'a Term) -> &'a Term {
        while let Term::Variable(variable) = term {
            match &self.bound[*variable] {
                Some(next) => term = next,
                None => break,
            }
        }
        term
    }

    /// Whether two terms can be made equal.
    fn unify(&mut self, left: &Term, right: &Term, depth: usize) -> Result<bool, NotRegular> {
        self.spend(depth)?;
        let (left, right) = (self.walk(left).clone(), self.walk(right).clone());
        match (&left, &right) {
            _ if left == right => Ok(true),
            (Term::Variable(variable), other) | (other, Term::Variable(variable)) => {
                if self.occurs(*variable, other, 0)? {
                    return Err(NotRegular::new("a unification makes a cyclic term"));
                }
                self.bound[*variable] = Some(other.clone());
                Ok(true)
            }
            (Term::Compound(f, left), Term::Compound(g, right)) if f == g && left.len() == right.len() => {
                for (left, right) in left.iter().zip(right) {
                    if !self.unify(left, right, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn occurs(&mut self, variable: usize, term: &Term, depth: usize) -> Result<bool, NotRegular> {
        self.spend(depth)?;
        match self.walk(term).clone() {
            Term::Variable(other) => Ok(other == variable),
            Term::Constant(_) => Ok(false),
            Term::Compound(_, arguments) => {
                for argument in &arguments {
                    if self.occurs(variable, argument, depth + 1)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The term with all bindings filled in.
    fn resolved(&mut self, term: &Term, depth: usize) -> Result<Term, NotRegular> {
        self.spend(depth)?;
        match self.walk(term).clone() {
            Term::Compound(name, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|argument| self.resolved(argument, depth + 1))
                    .collect::<Result<_, _>>()?;
                Ok(Term::Compound(name, arguments))
            }
            other => Ok(other),
        }
    }

    fn spend(&mut self, depth: usize) -> Result<(), NotRegular> {
        self.nodes += 1;
        if depth > MAX_NESTING || self.nodes > MAX_NODES {
            return Err(NotRegular::new("the unifications of the body make too large a term"));
        }
        Ok(())
    }
}

/// Which argument is the term. The paper puts it first, today's Ciao last. It is the one that some clause takes
/// apart or speaks of, and that no clause uses as a type.
fn subject_position(
    alternatives: &[(usize, Alternative)],
    arity: usize,
    subject_of: &dyn Fn(Atom, usize) -> Option<usize>,
) -> usize {
    let mut is_term = vec![false; arity];
    let mut is_type = vec![false; arity];
    for (_, alternative) in alternatives {
        let place = |term: &Term| alternative.head.iter().position(|argument| argument == term);
        for (i, argument) in alternative.head.iter().enumerate() {
            is_term[i] |= !matches!(argument, Term::Variable(_));
        }
        for goal in &alternative.goals {
            let Term::Compound(name, arguments) = goal else { continue };
            let (term, types) = match (*name, arguments.len()) {
                (atom::CALL, 2) => (1, 0..1),
                (_, 1) => (0, 0..0),
                (name, count) => match subject_of(name, count) {
                    Some(0) => (0, 1..count),
                    Some(subject) if subject == count - 1 => (subject, 0..subject),
                    _ => continue,
                },
            };
            if let Some(i) = place(&arguments[term]) {
                is_term[i] = true;
            }
            for argument in &arguments[types] {
                if let Some(i) = place(argument) {
                    is_type[i] = true;
                }
            }
        }
    }
    let candidates = || (0..arity).filter(|&i| !is_type[i]);
    candidates().rfind(|&i| is_term[i]).or_else(|| candidates().next_back()).unwrap_or(arity - 1)
}

impl Alternative {
    /// The pattern of the term, its variables with the types that the goals demand.
    fn pattern(&self, subject: usize) -> Result<Pattern, NotRegular> {
        let mut parameters = Vec::with_capacity(self.head.len() - 1);
        for (i, argument) in self.head.iter().enumerate() {
            match argument {
                _ if i == subject => {}
                Term::Variable(variable) if !parameters.contains(variable) => parameters.push(*variable),
                _ => {
                    return Err(NotRegular::new(
                        "the parameters of a regular type must be distinct variables",
                    ));
                }
            }
        }
        let scope = Scope { parameters: &parameters };
        let demands = self.goals.iter().map(|goal| scope.demand(goal)).collect::<Result<Vec<_>, _>>()?;
        let mut seen = Vec::new();
        let pattern = shape(&self.head[subject], &demands, &parameters, &mut seen)?;
        match demands.iter().find(|(variable, _)| !seen.contains(variable)) {
            None => Ok(pattern),
            Some(_) => Err(NotRegular::new("the body speaks of a variable that is not in the term")),
        }
    }
}

/// The pattern of a term. `seen` collects its variables.
fn shape(
    term: &Term,
    demands: &[(usize, TypeExpression)],
    parameters: &[usize],
    seen: &mut Vec<usize>,
) -> Result<Pattern, NotRegular> {
    match term {
        Term::Variable(variable) => {
            if seen.contains(variable) {
                return Err(NotRegular::new("a variable occurs twice in the term"));
            }
            if parameters.contains(variable) {
                return Err(NotRegular::new("a parameter occurs in the term"));
            }
            seen.push(*variable);
            let mut types: Vec<TypeExpression> = Vec::new();
            for (of, expression) in demands {
                if of == variable && !types.contains(expression) {
                    types.push(expression.clone());
                }
            }
            Ok(Pattern::Variable(types))
        }
        Term::Constant(constant) => Ok(Pattern::Constant(constant.clone())),
        Term::Compound(name, arguments) => {
            let functor = Cell::functor(*name, arguments.len());
            let arguments = arguments
                .iter()
                .map(|argument| shape(argument, demands, parameters, seen))
                .collect::<Result<_, _>>()?;
            Ok(Pattern::Compound(functor, arguments))
        }
    }
}

/// What the names in a clause's types mean.
struct Scope<'a> {
    parameters: &'a [usize],
}

impl Scope<'_> {
    /// A goal of the body: the term variable it speaks of, and its type.
    fn demand(&self, goal: &Term) -> Result<(usize, TypeExpression), NotRegular> {
        let Term::Compound(name, arguments) = goal else {
            return Err(NotRegular::new("a goal of the body is no type of a variable"));
        };
        let is_subject = |term: &Term| matches!(term, Term::Variable(v) if !self.parameters.contains(v));
        let subjects: Vec<usize> = (0..arguments.len()).filter(|&i| is_subject(&arguments[i])).collect();
        let &[subject] = subjects.as_slice() else {
            return Err(NotRegular::new(if subjects.is_empty() {
                "a goal of the body is no type of a variable"
            } else {
                "a goal of the body relates two parts of the term"
            }));
        };
        let Term::Variable(variable) = arguments[subject] else {
            return Err(NotRegular::new("a goal of the body is no type of a variable"));
        };
        if *name == atom::CALL {
            // call(T, X), or call(list, int, X) for call(list(int), X).
            let Some((first, more)) = arguments[..subject].split_first() else {
                return Err(NotRegular::new("a goal of the body calls the term"));
            };
            if subject + 1 != arguments.len() {
                return Err(NotRegular::new("a goal of the body is no type of a variable"));
            }
            let mut expression = self.expression(first)?;
            if !more.is_empty() {
                let TypeExpression::Applied(_, parameters) = &mut expression else {
                    return Err(NotRegular::new("a parameter is applied to parameters"));
                };
                for argument in more {
                    parameters.push(self.expression(argument)?);
                }
            }
            return Ok((variable, expression));
        }
        let types = arguments
            .iter()
            .enumerate()
            .filter(|&(i, _)| i != subject)
            .map(|(_, argument)| self.expression(argument))
            .collect::<Result<_, _>>()
            .map_err(|error| {
                NotRegular::new(format!("a goal of the body is no type of a variable: {error}"))
            })?;
        Ok((variable, TypeExpression::Applied(*name, types)))
    }

    fn expression(&self, term: &Term) -> Result<TypeExpression, NotRegular> {
        match term {
            Term::Variable(variable) => self
                .parameters
                .iter()
                .position(|parameter| parameter == variable)
                .map(TypeExpression::Parameter)
                .ok_or_else(|| NotRegular::new("a type depends on a part of the term")),
            Term::Constant(Constant::Immediate(cell)) if cell.tag() == Tag::Atm => {
                Ok(TypeExpression::Applied(cell.as_atom(), Vec::new()))
            }
            Term::Constant(_) => Err(NotRegular::new(NO_TYPE)),
            Term::Compound(atom::CARET, arguments) if arguments.len() == 1 => {
                Ok(TypeExpression::Constructor(Box::new(self.constructor(&arguments[0])?)))
            }
            Term::Compound(name, arguments) => {
                let parameters =
                    arguments.iter().map(|argument| self.expression(argument)).collect::<Result<_, _>>()?;
                Ok(TypeExpression::Applied(*name, parameters))
            }
        }
    }

    /// What stands behind `^`: a constant, or a functor with types as arguments.
    fn constructor(&self, term: &Term) -> Result<Pattern, NotRegular> {
        match term {
            Term::Variable(_) => Err(NotRegular::new(NO_TYPE)),
            Term::Constant(constant) => Ok(Pattern::Constant(constant.clone())),
            Term::Compound(name, arguments) => {
                let functor = Cell::functor(*name, arguments.len());
                let arguments = arguments
                    .iter()
                    .map(|argument| Ok(Pattern::Variable(vec![self.expression(argument)?])))
                    .collect::<Result<_, _>>()?;
                Ok(Pattern::Compound(functor, arguments))
            }
        }
    }
}

const NO_TYPE: &str = "expected a type: a name, perhaps with types as parameters, or `^` and a constructor";

impl TypeExpression {
    /// Gives the types that are named other names; `name` gets a name and the number of its parameters.
    pub fn rename(&mut self, name: &mut dyn FnMut(Atom, usize) -> Atom) {
        match self {
            Self::Parameter(_) => {}
            Self::Applied(atom, parameters) => {
                *atom = name(*atom, parameters.len());
                parameters.iter_mut().for_each(|parameter| parameter.rename(name));
            }
            Self::Constructor(pattern) => pattern.rename(name),
        }
    }

    /// Reads a type from a term such as `list(int)` or `^pair(int,atm)`; `parameter` tells which variables are
    /// parameters, and at which depth the term lies.
    ///
    /// # Errors
    /// The term is not a type.
    pub fn read(
        store: &Store,
        cell: Cell,
        depth: usize,
        parameter: &dyn Fn(Cell) -> Option<usize>,
    ) -> Result<Self, NotRegular> {
        let mut reader = Reader { store, variables: Vec::new() };
        let term = reader.term(store.deref(cell), depth)?;
        let mut parameters = Vec::new();
        for (variable, &cell) in reader.variables.iter().enumerate() {
            if let Some(number) = parameter(cell) {
                if parameters.len() <= number {
                    parameters.resize(number + 1, usize::MAX);
                }
                parameters[number] = variable;
            }
        }
        Scope { parameters: &parameters }.expression(&term)
    }
}
