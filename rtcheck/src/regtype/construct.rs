//! Deterministic transitions.
//!
//! The alternatives of a functor are tuples of unions. They become one tuple by two steps that keep the set of
//! terms exactly: a tuple that another one includes is dropped, and two tuples that differ in one position only are
//! merged there. If more than one is left, no step of this kind helps and the type is given up.
//!
//! Inclusion is simulation: each alternative of the one has an alternative of the other that includes it argument
//! by argument; pairs under way count as included, which is right because every term is finite. Cost: at most the
//! product of the alternatives for each pair of unions, bounded by a number of steps.

use super::Primitive;
use super::automaton::Types;
use super::definition::TypeExpression;
use super::expand::{Expanded, Expander};
use super::irregular::{NotRegular, Place};
use super::state::{Kinds, Shape, TypeId};
use super::union::{Item, Meet, Union, union_of};
use crate::term::{Atoms, Cell};
use rustc_hash::FxHashMap;

/// A type that needs more states is taken for one that needs ever more.
const MAX_STATES: usize = 10_000;
/// Pairs under way beyond this many: the inclusion is given up, which is always allowed.
const MAX_PAIRS: usize = 200;
/// Tuples beyond this many are compared by what they are written as only.
const MAX_COMPARED: usize = 48;

/// Where an argument's state is found while an automaton is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Target {
    /// A state that was known before.
    Known(TypeId),
    /// A state of this construction, by number.
    New(usize),
}

/// One state of a construction.
pub(super) struct NewState {
    pub(super) union: Union,
    pub(super) shape: Shape<Target>,
}

impl Types {
    /// The state of a type without free parameters.
    ///
    /// # Errors
    /// A type that is not known, not regular, or not deterministic.
    pub fn resolve(&mut self, atoms: &Atoms, expression: &TypeExpression) -> Result<TypeId, NotRegular> {
        let item = Expander::new(self, atoms).evaluate(expression, &[])?;
        let union = match &self.items[item.0 as usize] {
            Item::Primitive(primitive) => return Ok(Self::primitive(*primitive)),
            _ => vec![vec![item]],
        };
        if let Some(&known) = self.known.get(&union) {
            return Ok(known);
        }
        if let Some(reason) = self.failed.get(&union) {
            return Err(reason.clone());
        }
        match construct(self, atoms, union.clone()) {
            Ok(states) => Ok(self.identify(atoms, states)),
            Err(reason) => {
                self.failed.insert(union, reason.clone());
                Err(reason)
            }
        }
    }
}

/// Builds the states that a union needs and that are not known yet; the first is its own.
fn construct(types: &mut Types, atoms: &Atoms, root: Union) -> Result<Vec<NewState>, NotRegular> {
    let mut builder = Builder {
        expander: Expander::new(types, atoms),
        order: vec![root.clone()],
        numbers: FxHashMap::default(),
    };
    builder.numbers.insert(root, 0);
    let mut states = Vec::new();
    while let Some(union) = builder.order.get(states.len()).cloned() {
        let shape = builder.shape(&union)?;
        states.push(NewState { union, shape });
    }
    Ok(states)
}

struct Builder<'a> {
    expander: Expander<'a>,
    /// The unions of the states, in the order in which they were met.
    order: Vec<Union>,
    numbers: FxHashMap<Union, usize>,
}

/// One alternative for the arguments of a functor.
type Tuple = (Vec<Union>, Option<Place>);

impl Builder<'_> {
    fn shape(&mut self, union: &Union) -> Result<Shape<Target>, NotRegular> {
        let expanded = self.expander.expand(union)?;
        let mut shape = Shape {
            kinds: expanded.kinds,
            ground: expanded.ground,
            constants: expanded.constants.clone(),
            structures: std::collections::BTreeMap::new(),
        };
        for &functor in expanded.compounds.keys() {
            let tuples = self.tuples(&expanded, functor)?;
            let arguments = self.merged(functor, tuples)?;
            let targets = arguments.iter().map(|union| self.target(union)).collect::<Result<_, _>>()?;
            shape.structures.insert(functor, targets);
        }
        Ok(shape)
    }

    fn target(&mut self, union: &Union) -> Result<Target, NotRegular> {
        if let Some(&known) = self.expander.types.known.get(union) {
            return Ok(Target::Known(known));
        }
        if let Some(&number) = self.numbers.get(union) {
            return Ok(Target::New(number));
        }
        if self.order.len() >= MAX_STATES {
            return Err(NotRegular::new("the type needs ever more instances of itself"));
        }
        self.numbers.insert(union.clone(), self.order.len());
        self.order.push(union.clone());
        Ok(Target::New(self.order.len() - 1))
    }

    /// What an expanded union asks of a functor's arguments.
    fn tuples(&mut self, expanded: &Expanded, functor: Cell) -> Result<Vec<Tuple>, NotRegular> {
        let single = |meet: &Meet| vec![meet.clone()];
        let mut tuples: Vec<Tuple> = expanded
            .compounds
            .get(&functor)
            .into_iter()
            .flatten()
            .map(|(arguments, place)| (arguments.iter().map(single).collect(), *place))
            .collect();
        if expanded.kinds.contains(Kinds::COMPOUND) {
            tuples.push((vec![vec![Vec::new()]; functor.arity()], None));
        } else if expanded.ground {
            let ground = self.expander.types.item(Item::Primitive(Primitive::Ground))?;
            tuples.push((vec![vec![vec![ground]]; functor.arity()], None));
        }
        Ok(tuples)
    }

    /// One tuple for all.
    fn merged(&mut self, functor: Cell, mut tuples: Vec<Tuple>) -> Result<Vec<Union>, NotRegular> {
        while tuples.len() > 1 {
            let before = tuples.len();
            for position in 0..functor.arity() {
                tuples = merge_equal(tuples, position);
            }
            if tuples.len() > 1 && tuples.len() <= MAX_COMPARED {
                self.drop_included(&mut tuples)?;
                self.merge_equivalent(&mut tuples)?;
            }
            if tuples.len() == before {
                let place = tuples.last().and_then(|(_, place)| *place);
                let error = NotRegular::new(format!(
                    "clauses for `{}/{}` with different types of arguments are not deterministic",
                    self.expander.atoms.text(functor.name()),
                    functor.arity()
                ));
                return Err(error.at(place));
            }
        }
        Ok(tuples.pop().map(|(arguments, _)| arguments).unwrap_or_default())
    }

    /// Drops tuples that others include.
    fn drop_included(&mut self, tuples: &mut Vec<Tuple>) -> Result<(), NotRegular> {
        let mut i = 0;
        while i < tuples.len() {
            let mut included = false;
            for j in 0..tuples.len() {
                if i != j && !included {
                    included = self.includes_all(&tuples[i].0, &tuples[j].0, usize::MAX)?;
                }
            }
            if included {
                tuples.remove(i);
            } else {
                i += 1;
            }
        }
        Ok(())
    }

    /// Merges the first two tuples that are equivalent in all positions but one.
    fn merge_equivalent(&mut self, tuples: &mut Vec<Tuple>) -> Result<(), NotRegular> {
        for i in 0..tuples.len() {
            for j in i + 1..tuples.len() {
                for position in 0..tuples[i].0.len() {
                    if self.includes_all(&tuples[i].0, &tuples[j].0, position)?
                        && self.includes_all(&tuples[j].0, &tuples[i].0, position)?
                    {
                        let (other, _) = tuples.remove(j);
                        let merged = &mut tuples[i].0[position];
                        *merged = union_of(merged.iter().chain(&other[position]).cloned().collect());
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether in each position but one the second tuple includes the first.
    fn includes_all(&mut self, left: &[Union], right: &[Union], but: usize) -> Result<bool, NotRegular> {
        for (position, (left, right)) in left.iter().zip(right).enumerate() {
            if position != but && !self.includes(left, right, &mut Vec::new())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every term of the first union is surely one of the second.
    fn includes(
        &mut self,
        left: &Union,
        right: &Union,
        assumed: &mut Vec<(Union, Union)>,
    ) -> Result<bool, NotRegular> {
        self.expander.spend(1 + assumed.len())?;
        let everything = right.first().is_some_and(Vec::is_empty);
        if everything || left.iter().all(|meet| right.contains(meet)) {
            return Ok(true);
        }
        let pair = (left.clone(), right.clone());
        if assumed.contains(&pair) {
            return Ok(true);
        }
        if assumed.len() >= MAX_PAIRS {
            return Ok(false);
        }
        let (less, more) = (self.expander.expand(left)?, self.expander.expand(right)?);
        let constants_fit = less.constants.iter().all(|constant| {
            more.kinds.contains(Kinds::of_constant(constant)) || more.constants.contains(constant)
        });
        let compounds_fit = !less.ground || more.ground || more.kinds.contains(Kinds::COMPOUND);
        if !more.kinds.contains(less.kinds) || !constants_fit || !compounds_fit {
            return Ok(false);
        }
        let start = assumed.len();
        assumed.push(pair);
        for (&functor, alternatives) in &less.compounds {
            let tuples = self.tuples(&more, functor)?;
            for (arguments, _) in alternatives {
                let mut found = false;
                for (wider, _) in &tuples {
                    let undo = assumed.len();
                    found = true;
                    for (argument, wider) in arguments.iter().zip(wider) {
                        if !self.includes(&vec![argument.clone()], wider, assumed)? {
                            found = false;
                            break;
                        }
                    }
                    if found {
                        break;
                    }
                    assumed.truncate(undo);
                }
                if !found {
                    assumed.truncate(start);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Merges tuples that are written the same in all positions but one.
fn merge_equal(tuples: Vec<Tuple>, position: usize) -> Vec<Tuple> {
    let mut groups: FxHashMap<Vec<Union>, usize> = FxHashMap::default();
    let mut merged: Vec<(Vec<Union>, Option<Place>, Vec<Meet>)> = Vec::new();
    for (mut arguments, place) in tuples {
        let union = std::mem::take(&mut arguments[position]);
        match groups.get(&arguments) {
            Some(&group) => {
                merged[group].1 = place;
                merged[group].2.extend(union);
            }
            None => {
                groups.insert(arguments.clone(), merged.len());
                merged.push((arguments, place, union));
            }
        }
    }
    merged
        .into_iter()
        .map(|(mut arguments, place, union)| {
            arguments[position] = union_of(union);
            (arguments, place)
        })
        .collect()
}
