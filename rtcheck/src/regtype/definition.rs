//! Definitions of regular types as they are read from clauses.

use super::NotRegular;
use crate::term::{Atom, Cell, Store, Tag, atom};

/// Patterns and type expressions nested deeper are refused, so that walks over them may recurse.
const MAX_NESTING: usize = 64;

/// A type with parameters: `list(T)`, `int`, or a parameter itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExpression {
    /// The parameter with this number.
    Parameter(usize),
    /// A type by name, applied to parameters.
    Applied(Atom, Vec<Self>),
}

/// The shape of a term in the head of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A term variable with the types that the body demands of it.
    Variable(Vec<TypeExpression>),
    /// An atom or a small integer.
    Constant(Cell),
    /// A compound term: its functor (for a list cell that of `'.'/2`) and arguments.
    Compound(Cell, Vec<Self>),
}

/// A type's definition: one pattern per clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// How many parameters there are.
    pub parameters: usize,
    /// Which argument of the predicate is the term; the others, in order, are the parameters.
    pub subject: usize,
    /// The clauses' patterns.
    pub clauses: Vec<Pattern>,
}

impl Definition {
    /// Reads a definition from the clauses of a predicate.
    ///
    /// # Errors
    /// The first clause that is not that of a regular type, by its position, and why.
    pub fn new(store: &Store, clauses: &[Cell]) -> Result<Self, (usize, NotRegular)> {
        let heads: Vec<(Cell, Cell)> = clauses.iter().map(|&clause| split(store, clause)).collect();
        let arity = heads.first().map_or(1, |&(head, _)| store.arguments(head).1);
        if arity == 0 {
            return Err((0, NotRegular::new("a regular type needs an argument: the term")));
        }
        let subject = subject_position(store, &heads, arity);
        let mut patterns = Vec::with_capacity(clauses.len());
        for (position, &(head, body)) in heads.iter().enumerate() {
            let clause = ClauseReader { store, subject, head, arity };
            patterns.push(clause.read(body).map_err(|reason| (position, reason))?);
        }
        Ok(Self { parameters: arity - 1, subject, clauses: patterns })
    }
}

/// Head and body of a clause; the body of a fact is `true`.
fn split(store: &Store, clause: Cell) -> (Cell, Cell) {
    let clause = store.deref(clause);
    match store.match_structure::<2>(clause, atom::NECK) {
        Some([head, body]) => (head, body),
        None => (clause, Cell::atom(atom::TRUE)),
    }
}

/// The paper puts the term first, today's Ciao last: the argument that some clause takes apart is the term.
fn subject_position(store: &Store, heads: &[(Cell, Cell)], arity: usize) -> usize {
    let taken_apart = |i: usize| heads.iter().any(|&(head, _)| store.argument(head, i).tag() != Tag::Ref);
    if !taken_apart(0) && taken_apart(arity - 1) { arity - 1 } else { 0 }
}

struct ClauseReader<'a> {
    store: &'a Store,
    subject: usize,
    head: Cell,
    arity: usize,
}

impl ClauseReader<'_> {
    fn read(&self, body: Cell) -> Result<Pattern, NotRegular> {
        let parameters = self.parameters()?;
        let mut literals = Vec::new();
        let mut rest = vec![body];
        while let Some(goal) = rest.pop() {
            let goal = self.store.deref(goal);
            if let Some([left, right]) = self.store.match_structure::<2>(goal, atom::COMMA) {
                rest.extend([right, left]);
            } else if goal != Cell::atom(atom::TRUE) {
                literals.push(self.literal(goal, &parameters)?);
            }
        }
        let mut used = vec![false; literals.len()];
        let mut seen = Vec::new();
        let pattern =
            self.pattern(self.store.argument(self.head, self.subject), &literals, &mut used, &mut seen, 0)?;
        match used.iter().position(|used| !used) {
            None => Ok(pattern),
            Some(_) => Err(NotRegular::new("the body speaks of a variable that is not in the term")),
        }
    }

    fn parameters(&self) -> Result<Vec<Cell>, NotRegular> {
        let parameters: Vec<Cell> = (0..self.arity)
            .filter(|&i| i != self.subject)
            .map(|i| self.store.argument(self.head, i))
            .collect();
        for (i, parameter) in parameters.iter().enumerate() {
            if parameter.tag() != Tag::Ref || parameters[..i].contains(parameter) {
                return Err(NotRegular::new("parameters of a regular type must be distinct variables"));
            }
        }
        Ok(parameters)
    }

    /// A body literal: the term variable it speaks of, and its type.
    fn literal(&self, goal: Cell, parameters: &[Cell]) -> Result<(Cell, TypeExpression), NotRegular> {
        let Some((name, arity @ 1..)) = self.store.functor(goal) else {
            return Err(NotRegular::new("the body of a regular type may hold types of term variables only"));
        };
        let arguments: Vec<Cell> = (0..arity).map(|i| self.store.argument(goal, i)).collect();
        let is_subject = |cell: &Cell| cell.tag() == Tag::Ref && !parameters.contains(cell);
        if name == atom::CALL && arity == 2 {
            let expression = self.expression(arguments[0], parameters, 0)?;
            return Ok((arguments[1], expression));
        }
        // Either order: the argument that is a term variable is the term, the first one if there are more.
        let subject = if is_subject(&arguments[0]) { 0 } else { arity - 1 };
        if !is_subject(&arguments[subject]) {
            return Err(NotRegular::new("a literal of a regular type must speak of a term variable"));
        }
        let types = arguments
            .iter()
            .enumerate()
            .filter(|&(i, _)| i != subject)
            .map(|(_, &argument)| self.expression(argument, parameters, 0))
            .collect::<Result<_, _>>()?;
        Ok((arguments[subject], TypeExpression::Applied(name, types)))
    }

    fn expression(
        &self,
        cell: Cell,
        parameters: &[Cell],
        depth: usize,
    ) -> Result<TypeExpression, NotRegular> {
        if let Some(position) = parameters.iter().position(|&parameter| parameter == cell) {
            return Ok(TypeExpression::Parameter(position));
        }
        TypeExpression::read(self.store, cell, depth, &|argument| {
            parameters.iter().position(|&parameter| parameter == argument)
        })
    }

    fn pattern(
        &self,
        cell: Cell,
        literals: &[(Cell, TypeExpression)],
        used: &mut [bool],
        seen: &mut Vec<Cell>,
        depth: usize,
    ) -> Result<Pattern, NotRegular> {
        if depth > MAX_NESTING {
            return Err(NotRegular::new("the term is nested too deep"));
        }
        match cell.tag() {
            Tag::Ref => {
                if seen.contains(&cell) {
                    return Err(NotRegular::new("a variable occurs twice in the term"));
                }
                seen.push(cell);
                let mut types = Vec::new();
                for (literal, used) in literals.iter().zip(used) {
                    if literal.0 == cell {
                        *used = true;
                        types.push(literal.1.clone());
                    }
                }
                Ok(Pattern::Variable(types))
            }
            Tag::Atm | Tag::Int => Ok(Pattern::Constant(cell)),
            Tag::Lis | Tag::Str => {
                let Some((name, arity)) = self.store.functor(cell) else {
                    return Err(NotRegular::new("the term is not a pattern"));
                };
                let arguments = (0..arity)
                    .map(|i| self.pattern(self.store.argument(cell, i), literals, used, seen, depth + 1))
                    .collect::<Result<_, _>>()?;
                Ok(Pattern::Compound(Cell::functor(name, arity), arguments))
            }
            Tag::Box | Tag::Fun | Tag::Hdr => {
                Err(NotRegular::new("floats and large integers cannot be constructors"))
            }
        }
    }
}

impl TypeExpression {
    /// Reads a type from a term such as `list(int)`; `parameter` tells which variables are parameters.
    ///
    /// # Errors
    /// The term is not a type.
    pub fn read(
        store: &Store,
        cell: Cell,
        depth: usize,
        parameter: &dyn Fn(Cell) -> Option<usize>,
    ) -> Result<Self, NotRegular> {
        if depth > MAX_NESTING {
            return Err(NotRegular::new("the type is nested too deep"));
        }
        if let Some(position) = parameter(cell) {
            return Ok(Self::Parameter(position));
        }
        let Some((name, arity)) = store.functor(cell) else {
            return Err(NotRegular::new("expected a type: a name, perhaps with types as parameters"));
        };
        let parameters = (0..arity)
            .map(|i| Self::read(store, store.argument(cell, i), depth + 1, parameter))
            .collect::<Result<_, _>>()?;
        Ok(Self::Applied(name, parameters))
    }
}
