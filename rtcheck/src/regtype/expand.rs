//! Which terms a set of types accepts at the root.
//!
//! An [`Item`] is a type with concrete parameters, or a pattern. A set of terms is a union of intersections of
//! items; its expansion lists the kinds, constants and functors that it accepts, the latter with what each
//! alternative asks of the arguments. Clauses whose head is a variable are followed to the types they name; a
//! type met again on the way adds nothing, since a term that is in it has a shorter reason to be.

use super::Primitive;
use super::automaton::Types;
use super::definition::{Constant, Pattern, TypeExpression};
use super::irregular::{NotRegular, Place};
use super::state::Kinds;
use super::union::{Item, ItemId, Meet, Union};
use crate::term::{Atoms, Cell};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Types nested deeper than this as parameters of types are taken for the sign that there is no end to them.
const MAX_PARAMETER_NESTING: u32 = 100;
/// Intersections nested deeper than this through clauses for every term are given up.
const MAX_INTERSECTIONS: usize = 200;
/// So many steps may be spent on one type.
const MAX_STEPS: usize = 2_000_000;

/// One alternative of a term's shape at the root.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Flat {
    Kinds(Kinds),
    /// Ground compound terms.
    Ground,
    Constant(Constant),
    Compound(Cell, Vec<Meet>, Option<Place>),
}

/// What one alternative asks of a functor's arguments, and the clause it is from.
pub(super) type Arguments = (Vec<Meet>, Option<Place>);

/// What a union accepts at the root.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) kinds: Kinds,
    pub(super) ground: bool,
    pub(super) constants: BTreeSet<Constant>,
    /// By functor the alternatives for the arguments.
    pub(super) compounds: BTreeMap<Cell, Vec<Arguments>>,
}

/// Expands unions, each once.
pub(super) struct Expander<'a> {
    pub(super) types: &'a mut Types,
    pub(super) atoms: &'a Atoms,
    known: FxHashMap<Union, Rc<Expanded>>,
    steps: usize,
}

impl<'a> Expander<'a> {
    pub(super) fn new(types: &'a mut Types, atoms: &'a Atoms) -> Self {
        Self { types, atoms, known: FxHashMap::default(), steps: 0 }
    }

    /// Counts steps, so that no definition takes for ever.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), NotRegular> {
        self.steps += steps;
        if self.steps > MAX_STEPS {
            return Err(NotRegular::new("it takes too long to make the type deterministic"));
        }
        Ok(())
    }

    /// The item of an expression whose parameters are given.
    pub(super) fn evaluate(
        &mut self,
        expression: &TypeExpression,
        environment: &[ItemId],
    ) -> Result<ItemId, NotRegular> {
        match expression {
            TypeExpression::Parameter(i) => {
                environment.get(*i).copied().ok_or_else(|| NotRegular::new("a parameter without a type"))
            }
            TypeExpression::Constructor(pattern) => {
                self.types.item(Item::Pattern((**pattern).clone(), environment.to_vec()))
            }
            TypeExpression::Applied(name, parameters) => {
                let parameters = parameters
                    .iter()
                    .map(|parameter| self.evaluate(parameter, environment))
                    .collect::<Result<Vec<_>, _>>()?;
                match self.types.meaning(*name, parameters.len()) {
                    Some(None) => self.types.item(Item::Instance(*name, parameters)),
                    Some(Some(primitive)) => self.types.item(Item::Primitive(primitive)),
                    None => Err(NotRegular::new(format!(
                        "unknown type `{}/{}`",
                        self.atoms.text(*name),
                        parameters.len() + 1
                    ))),
                }
            }
        }
    }

    /// What a union accepts at the root.
    pub(super) fn expand(&mut self, union: &Union) -> Result<Rc<Expanded>, NotRegular> {
        if let Some(known) = self.known.get(union) {
            return Ok(Rc::clone(known));
        }
        let mut expanded = Expanded::default();
        let mut seen = FxHashSet::default();
        for meet in union {
            for flat in self.flats_of_meet(meet, &mut Vec::new())? {
                if seen.insert(flat.clone()) {
                    match flat {
                        Flat::Kinds(kinds) => expanded.kinds = expanded.kinds.or(kinds),
                        Flat::Ground => expanded.ground = true,
                        Flat::Constant(constant) => {
                            expanded.constants.insert(constant);
                        }
                        Flat::Compound(functor, arguments, place) => {
                            expanded.compounds.entry(functor).or_default().push((arguments, place));
                        }
                    }
                }
            }
        }
        let kinds = expanded.kinds;
        expanded.constants.retain(|constant| !kinds.contains(Kinds::of_constant(constant)));
        if kinds.contains(Kinds::COMPOUND) {
            expanded.compounds.clear();
            expanded.ground = false;
        }
        let expanded = Rc::new(expanded);
        self.known.insert(union.clone(), Rc::clone(&expanded));
        Ok(expanded)
    }

    fn flats_of_meet(&mut self, meet: &Meet, path: &mut Vec<ItemId>) -> Result<Vec<Flat>, NotRegular> {
        let Some((&first, rest)) = meet.split_first() else { return Ok(vec![Flat::Kinds(Kinds::ALL)]) };
        let mut flats = self.flats_of_item(first, path)?;
        for &item in rest {
            let others = self.flats_of_item(item, path)?;
            self.spend(flats.len() * others.len())?;
            let mut both = Vec::new();
            for left in &flats {
                for right in &others {
                    self.intersection(left, right, &mut both)?;
                }
            }
            flats = both;
        }
        Ok(flats)
    }

    fn flats_of_item(&mut self, item: ItemId, path: &mut Vec<ItemId>) -> Result<Vec<Flat>, NotRegular> {
        if path.contains(&item) {
            return Ok(Vec::new());
        }
        if path.len() > MAX_INTERSECTIONS {
            return Err(NotRegular::new("types that name each other are nested too deep"));
        }
        let start = path.len();
        path.push(item);
        let mut included = FxHashSet::default();
        included.insert(item);
        let mut pending = vec![item];
        let mut flats = Vec::new();
        while let Some(item) = pending.pop() {
            for (pattern, environment, place) in self.alternatives(item, &mut flats)? {
                self.spend(1)?;
                match pattern {
                    Pattern::Variable(types) => {
                        match self.meet(&types, &environment).map_err(|e| e.at(place))?.as_slice() {
                            &[other] => {
                                if included.insert(other) && !path.contains(&other) {
                                    pending.push(other);
                                }
                            }
                            several => flats.extend(self.flats_of_meet(&several.to_vec(), path)?),
                        }
                    }
                    Pattern::Constant(constant) => flats.push(Flat::Constant(constant)),
                    Pattern::Compound(functor, arguments) => {
                        let arguments = arguments
                            .iter()
                            .map(|argument| self.argument(argument, &environment))
                            .collect::<Result<Vec<_>, _>>()
                            .map_err(|error| error.at(place))?;
                        flats.push(Flat::Compound(functor, arguments, place));
                    }
                }
            }
        }
        path.truncate(start);
        Ok(flats)
    }

    /// The clauses of an item with their parameters; what a primitive type accepts goes to `flats`.
    #[expect(clippy::type_complexity, reason = "the tuples are taken apart at once")]
    fn alternatives(
        &mut self,
        item: ItemId,
        flats: &mut Vec<Flat>,
    ) -> Result<Vec<(Pattern, Vec<ItemId>, Option<Place>)>, NotRegular> {
        match self.types.items[item.0 as usize].clone() {
            Item::Primitive(primitive) => {
                let (kinds, ground) = primitive.accepts();
                flats.push(Flat::Kinds(kinds));
                if ground {
                    flats.push(Flat::Ground);
                }
                Ok(Vec::new())
            }
            Item::Pattern(pattern, environment) => Ok(vec![(pattern, environment, None)]),
            Item::Instance(name, parameters) => {
                let definition = self.types.known_definition(self.atoms, name, parameters.len())?;
                let place = |clause| Some(Place { name, parameters: parameters.len(), clause });
                Ok(definition
                    .clauses
                    .iter()
                    .map(|clause| (clause.pattern.clone(), parameters.clone(), place(clause.position)))
                    .collect())
            }
        }
    }

    fn meet(&mut self, types: &[TypeExpression], environment: &[ItemId]) -> Result<Meet, NotRegular> {
        let term = self.types.item(Item::Primitive(Primitive::Term))?;
        let mut meet = Vec::with_capacity(types.len());
        for expression in types {
            let item = self.evaluate(expression, environment)?;
            if item != term {
                meet.push(item);
            }
        }
        meet.sort_unstable();
        meet.dedup();
        Ok(meet)
    }

    /// What is asked of an argument.
    fn argument(&mut self, pattern: &Pattern, environment: &[ItemId]) -> Result<Meet, NotRegular> {
        match pattern {
            Pattern::Variable(types) => self.meet(types, environment),
            nested => Ok(vec![self.types.item(Item::Pattern(nested.clone(), environment.to_vec()))?]),
        }
    }

    /// The terms in both alternatives.
    fn intersection(&mut self, left: &Flat, right: &Flat, both: &mut Vec<Flat>) -> Result<(), NotRegular> {
        match (left, right) {
            (Flat::Kinds(left), Flat::Kinds(right)) => {
                let kinds = left.and(*right);
                if kinds != Kinds::NONE {
                    both.push(Flat::Kinds(kinds));
                }
            }
            (Flat::Kinds(kinds), Flat::Constant(constant))
            | (Flat::Constant(constant), Flat::Kinds(kinds)) => {
                if kinds.contains(Kinds::of_constant(constant)) {
                    both.push(Flat::Constant(constant.clone()));
                }
            }
            (Flat::Kinds(kinds), other) | (other, Flat::Kinds(kinds)) => {
                if kinds.contains(Kinds::COMPOUND) {
                    both.push(other.clone());
                }
            }
            (Flat::Constant(left), Flat::Constant(right)) => {
                if left == right {
                    both.push(Flat::Constant(left.clone()));
                }
            }
            (Flat::Constant(_), _) | (_, Flat::Constant(_)) => {}
            (Flat::Ground, Flat::Ground) => both.push(Flat::Ground),
            (Flat::Ground, Flat::Compound(functor, arguments, place))
            | (Flat::Compound(functor, arguments, place), Flat::Ground) => {
                let ground = vec![self.types.item(Item::Primitive(Primitive::Ground))?];
                let arguments = arguments.iter().map(|argument| meet_of(argument, &ground)).collect();
                both.push(Flat::Compound(*functor, arguments, *place));
            }
            (Flat::Compound(f, left, place), Flat::Compound(g, right, _)) => {
                if f == g {
                    let arguments =
                        left.iter().zip(right).map(|(left, right)| meet_of(left, right)).collect();
                    both.push(Flat::Compound(*f, arguments, *place));
                }
            }
        }
        Ok(())
    }
}

fn meet_of(left: &Meet, right: &Meet) -> Meet {
    let mut meet: Meet = left.iter().chain(right).copied().collect();
    meet.sort_unstable();
    meet.dedup();
    meet
}

impl Types {
    /// The number of an item.
    pub(super) fn item(&mut self, item: Item) -> Result<ItemId, NotRegular> {
        if let Some(&known) = self.item_ids.get(&item) {
            return Ok(known);
        }
        let parameters = match &item {
            Item::Primitive(_) => &[][..],
            Item::Instance(_, parameters) | Item::Pattern(_, parameters) => parameters.as_slice(),
        };
        let nesting = parameters.iter().map(|&id| self.item_nesting[id.0 as usize] + 1).max().unwrap_or(0);
        if nesting > MAX_PARAMETER_NESTING {
            return Err(NotRegular::new("the type needs ever more instances of itself"));
        }
        let id = ItemId(self.items.len() as u32);
        self.items.push(item.clone());
        self.item_nesting.push(nesting);
        self.item_ids.insert(item, id);
        Ok(id)
    }
}
