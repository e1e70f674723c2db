//! Built-in functions: those of the solver's theories, updates of sequences, which not all solvers have, and Boogie's
//! operations on maps, element by element.
//!
//! The solver has such operations for arrays with one index. For other maps, and for maps that are no arrays, a
//! function is declared, and an axiom says what it gives at each place: no more than what the operation means.

use num_bigint::BigInt;

use super::{Translated, Translator, narrow};
use crate::resolve::program::{Meaning, Program};
use crate::resolve::types::{Type, TypeId};
use crate::smt::term::{Bound, Op, Sort, SortId, Term, TermId};
use crate::smt::text::{ELEMENT_INSIDE, sort_text};

/// An operation on maps, element by element: its name, what it does to elements and what SMT-LIB calls that.
struct MapOperation {
    name: &'static str,
    op: Op,
    text: &'static str,
    elements: Elements,
}

/// What the elements may be, and what comes of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    /// Integers, of which one comes.
    Integers,
    /// Numbers, of which one comes.
    Numbers,
    /// Numbers, which are compared.
    Compared,
    /// Any, which are compared.
    Equal,
    /// Truth values, so many of them.
    Truths(usize),
    /// A truth value, and two of which it chooses one.
    Chosen,
}

/// The name of the map that has the same element everywhere.
const CONSTANT: &str = "MapConst";

/// The name of what puts others into a sequence.
pub(super) const UPDATE: &str = "seq.update";

/// Boogie's operations on maps.
static OPERATIONS: [MapOperation; 16] = {
    const fn operation(name: &'static str, op: Op, text: &'static str, elements: Elements) -> MapOperation {
        MapOperation { name, op, text, elements }
    }
    [
        operation("MapAdd", Op::Add, "+", Elements::Numbers),
        operation("MapSub", Op::Sub, "-", Elements::Numbers),
        operation("MapMul", Op::Mul, "*", Elements::Numbers),
        operation("MapDiv", Op::Div, "div", Elements::Integers),
        operation("MapMod", Op::Mod, "mod", Elements::Integers),
        operation("MapGt", Op::Gt, ">", Elements::Compared),
        operation("MapGe", Op::Ge, ">=", Elements::Compared),
        operation("MapLt", Op::Lt, "<", Elements::Compared),
        operation("MapLe", Op::Le, "<=", Elements::Compared),
        operation("MapEq", Op::Eq, "=", Elements::Equal),
        operation("MapIff", Op::Eq, "=", Elements::Truths(2)),
        operation("MapOr", Op::Or, "or", Elements::Truths(2)),
        operation("MapAnd", Op::And, "and", Elements::Truths(2)),
        operation("MapNot", Op::Not, "not", Elements::Truths(1)),
        operation("MapImp", Op::Implies, "=>", Elements::Truths(2)),
        operation("MapIte", Op::IfThenElse, "ite", Elements::Chosen),
    ]
};

/// Whether a program has built-in functions on maps that only the solver's arrays have.
pub(crate) fn needs_arrays(program: &Program) -> bool {
    let is_map = |ty: &TypeId| matches!(program.types.get(*ty), Type::Map(..));
    program.functions.iter().any(|(_, function)| {
        let Meaning::Builtin(name) = &function.meaning else { return false };
        let ours = name == CONSTANT || OPERATIONS.iter().any(|it| it.name == name);
        !ours && (is_map(&function.result) || function.parameters.iter().any(is_map))
    })
}

impl Translator<'_> {
    /// A function of the solver's theories, at arguments of some types.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        parts: Vec<TermId>,
        types: &[TypeId],
        ty: TypeId,
    ) -> Translated<TermId> {
        let sort = self.sort(ty)?;
        if let Some(term) = self.map_operation(name, &parts, types, ty)? {
            return Ok(term);
        }
        if name == UPDATE && parts.len() == 3 {
            let function = self.sequence_update(ty, sort)?;
            return Ok(self.builder.term(Term::Apply(function, parts)));
        }
        let name = indexed(name);
        let is_theory = matches!(self.builder.query.sorts[sort], Sort::Theory(..));
        Ok(if parts.is_empty() && is_theory && !name.starts_with('(') {
            // A constant such as `seq.empty` has one meaning for each sort.
            let text = sort_text(&self.builder.query, sort);
            self.builder.op(Op::Named(format!("(as {name} {text})")), parts)
        } else {
            self.builder.op(Op::Named(name), parts)
        })
    }

    /// The function that gives a sequence in which others stand from a place on, which not every solver has: so many of
    /// them as there is room for, and none where the place is outside, as cvc5 defines it. What it gives is said twice,
    /// as a whole and element by element: from the whole to an element that stays takes Z3 thirty times as long and more,
    /// and through two of them longer than anybody waits. It is a function, so that it can stand in triggers.
    fn sequence_update(&mut self, ty: TypeId, sort: SortId) -> Translated<crate::smt::term::FunctionId> {
        let key = (UPDATE, vec![ty]);
        if let Some(function) = self.map_functions.get(&key) {
            return Ok(*function);
        }
        let int = self.builder.sort(Sort::Int);
        let text = format!("{UPDATE}@{}", self.shown_list(&key.1));
        let function = self.builder.declare(&text, vec![sort, int, sort], sort);
        self.map_functions.insert(key, function);
        let named = |name: &str| Op::Named(name.to_owned());
        let variable = |level: u32, name: &str, sort: SortId| Bound { name: name.to_owned(), level, sort };
        let mut bound = vec![variable(0, "whole", sort), variable(1, "at", int), variable(2, "new", sort)];
        let terms: Vec<TermId> = bound.iter().map(|it| self.builder.term(Term::Bound(it.clone()))).collect();
        let (whole, at, new) = (terms[0], terms[1], terms[2]);
        let updated = self.builder.term(Term::Apply(function, terms));
        let zero = self.builder.term(Term::Int(BigInt::from(0)));
        let length = self.builder.op(named("seq.len"), vec![whole]);
        let count = self.builder.op(named("seq.len"), vec![new]);
        let room = self.builder.op(Op::Sub, vec![length, at]);
        let end = self.builder.op(Op::Add, vec![at, count]);
        let not_before = self.builder.op(Op::Le, vec![zero, at]);
        let inside = self.builder.op(Op::Lt, vec![at, length]);
        let meant = self.builder.op(Op::And, vec![not_before, inside]);
        let before = self.builder.op(named("seq.extract"), vec![whole, zero, at]);
        let fits = self.builder.op(named("seq.extract"), vec![new, zero, room]);
        let behind = self.builder.op(named("seq.extract"), vec![whole, end, length]);
        let joined = self.builder.op(named("seq.++"), vec![before, fits, behind]);
        let is = self.builder.op(Op::IfThenElse, vec![meant, joined, whole]);
        let is = self.builder.op(Op::Eq, vec![updated, is]);
        self.axiom(bound.clone(), updated, is);
        let new_length = self.builder.op(named("seq.len"), vec![updated]);
        let as_long = self.builder.op(Op::Eq, vec![new_length, length]);
        self.axiom(bound.clone(), updated, as_long);
        // What is put over all of what was put there before.
        let over = variable(3, "over", sort);
        let last = self.builder.term(Term::Bound(over.clone()));
        let again = self.builder.term(Term::Apply(function, vec![updated, at, last]));
        let at_once = self.builder.term(Term::Apply(function, vec![whole, at, last]));
        let last_count = self.builder.op(named("seq.len"), vec![last]);
        let covers = self.builder.op(Op::Eq, vec![count, last_count]);
        let equal = self.builder.op(Op::Eq, vec![again, at_once]);
        let body = self.builder.implies(covers, equal);
        self.axiom([bound.clone(), vec![over]].concat(), again, body);
        // Elements.
        let place = variable(3, "place", int);
        let here = self.builder.term(Term::Bound(place.clone()));
        bound.push(place);
        let mut element = |of: TermId, at: TermId| self.builder.op(named(ELEMENT_INSIDE), vec![of, at]);
        let (found, kept) = (element(updated, here), element(whole, here));
        let offset = self.builder.op(Op::Sub, vec![here, at]);
        let replaced = self.builder.op(named(ELEMENT_INSIDE), vec![new, offset]);
        let from = self.builder.op(Op::Le, vec![at, here]);
        let to = self.builder.op(Op::Lt, vec![here, end]);
        let among = self.builder.op(Op::And, vec![not_before, from, to]);
        let not_among = self.builder.op(Op::Not, vec![among]);
        let first = self.builder.op(Op::Le, vec![zero, here]);
        let inside = self.builder.op(Op::Lt, vec![here, length]);
        for (conditions, element) in [([first, inside, not_among], kept), ([first, inside, among], replaced)]
        {
            let condition = self.builder.op(Op::And, conditions.to_vec());
            let equal = self.builder.op(Op::Eq, vec![found, element]);
            let body = self.builder.implies(condition, equal);
            self.axiom(bound.clone(), found, body);
        }
        Ok(function)
    }

    /// One of Boogie's operations on maps, if it is one and its arguments fit; else the solver is asked what it is.
    fn map_operation(
        &mut self,
        name: &str,
        parts: &[TermId],
        types: &[TypeId],
        ty: TypeId,
    ) -> Translated<Option<TermId>> {
        let Type::Map(0, places, element) = self.program.types.get(ty).clone() else { return Ok(None) };
        if name == CONSTANT {
            let [value] = parts else { return Ok(None) };
            if types != [element] {
                return Ok(None);
            }
            if self.by_axioms {
                let function = self.map_function(CONSTANT, None, types, (&places, ty))?;
                return Ok(Some(self.builder.term(Term::Apply(function, parts.to_vec()))));
            }
            let mut sort = self.sort(element)?;
            let mut map = *value;
            for place in places.into_iter().rev() {
                let index = self.sort(place)?;
                sort = self.builder.sort(Sort::Array(index, sort));
                map = self.builder.op(Op::ConstArray(sort), vec![map]);
            }
            return Ok(Some(map));
        }
        let Some(operation) = OPERATIONS.iter().find(|it| it.name == name) else { return Ok(None) };
        let mut elements = Vec::new();
        for ty in types {
            match self.program.types.get(*ty) {
                Type::Map(0, found, element) if *found == places => elements.push(*element),
                _ => return Ok(None),
            }
        }
        if !self.fit(operation, &elements, element) {
            return Ok(None);
        }
        if self.by_axioms || places.len() != 1 {
            let function = self.map_function(operation.name, Some(operation), types, (&places, ty))?;
            return Ok(Some(self.builder.term(Term::Apply(function, parts.to_vec()))));
        }
        let mut sorts = Vec::new();
        for ty in &elements {
            sorts.push(self.sort(*ty)?);
        }
        let result = self.sort(element)?;
        let text = |sort: SortId| sort_text(&self.builder.query, sort);
        let sorts: Vec<String> = sorts.into_iter().map(text).collect();
        let name = format!("(_ map ({} ({}) {}))", operation.text, sorts.join(" "), text(result));
        Ok(Some(self.builder.op(Op::Named(name), parts.to_vec())))
    }

    /// Whether an operation takes elements of these types and gives one of that type.
    fn fit(&self, operation: &MapOperation, elements: &[TypeId], result: TypeId) -> bool {
        let types = &self.program.types;
        let (bool, int) = (types.bool(), types.int());
        let number = |ty: TypeId| ty == int || ty == types.real();
        match (operation.elements, elements) {
            (Elements::Integers, [a, b]) => *a == int && *b == int && result == int,
            (Elements::Numbers, [a, b]) => number(*a) && a == b && result == *a,
            (Elements::Compared, [a, b]) => number(*a) && a == b && result == bool,
            (Elements::Equal, [a, b]) => a == b && result == bool,
            (Elements::Truths(count), all) => {
                all.len() == count && all.iter().all(|it| *it == bool) && result == bool
            }
            (Elements::Chosen, [condition, a, b]) => *condition == bool && a == b && result == *a,
            _ => false,
        }
    }

    /// The function that stands for an operation at some types, with the axiom that says what it gives: the same
    /// element everywhere where there is no operation.
    fn map_function(
        &mut self,
        name: &'static str,
        operation: Option<&MapOperation>,
        types: &[TypeId],
        (places, ty): (&[TypeId], TypeId),
    ) -> Translated<crate::smt::term::FunctionId> {
        let key = (name, types.iter().copied().chain([ty]).collect::<Vec<_>>());
        if let Some(function) = self.map_functions.get(&key) {
            return Ok(*function);
        }
        let result = self.sort(ty)?;
        let mut sorts = Vec::new();
        for ty in types {
            sorts.push(self.sort(*ty)?);
        }
        let text = format!("{name}@{}", self.shown_list(&key.1));
        let function = self.builder.declare(&text, sorts.clone(), result);
        self.map_functions.insert(key, function);
        let mut bound: Vec<Bound> = Vec::new();
        let mut variable = |prefix: &str, sort: SortId| {
            let level = narrow(bound.len());
            bound.push(Bound { name: format!("{prefix}{level}"), level, sort });
            Term::Bound(bound[bound.len() - 1].clone())
        };
        let arguments: Vec<Term> = sorts.into_iter().map(|sort| variable("map", sort)).collect();
        let mut at = Vec::new();
        for place in places {
            at.push(variable("at", self.sort(*place)?));
        }
        let arguments: Vec<TermId> = arguments.into_iter().map(|it| self.builder.term(it)).collect();
        let at: Vec<TermId> = at.into_iter().map(|it| self.builder.term(it)).collect();
        let whole = self.builder.term(Term::Apply(function, arguments.clone()));
        let element = self.element(ty, whole, at.clone())?;
        let value = match operation {
            None => arguments[0],
            Some(operation) => {
                let mut parts = Vec::new();
                for (map, ty) in arguments.into_iter().zip(types) {
                    parts.push(self.element(*ty, map, at.clone())?);
                }
                self.builder.op(operation.op.clone(), parts)
            }
        };
        let body = self.builder.op(Op::Eq, vec![element, value]);
        self.axiom(bound, element, body);
        Ok(function)
    }
}

/// The SMT-LIB name of a built-in function. Clients write names with parameters as Simplify had them: `zero_extend 32`
/// stands for `(_ zero_extend 32)`, and `rotate_left 1`, `repeat 2` and their relatives are names of the same kind.
fn indexed(name: &str) -> String {
    let mut words = name.split_whitespace();
    let plain = words.next().is_some_and(|word| !word.contains(['(', ')', '|', '"', ';']));
    let parameters: Vec<&str> = words.collect();
    let numbers = parameters.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if plain && numbers && !parameters.is_empty() { format!("(_ {})", name.trim()) } else { name.to_owned() }
}
