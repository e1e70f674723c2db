//! Which types a text speaks of, which include which, and what is known of a term as a set of them.
//!
//! Every type is closed under instantiation: it accepts variables only where it accepts all terms. So a fact that a
//! term has a type stays true however far its variables are bound, and whatever they share. Inclusion is the greatest
//! simulation between states of the automaton: it may miss an inclusion and never invents one.

use crate::regtype::{Constant, Kinds, Primitive, Shape, TypeId, Types};
use crate::term::Cell;
use rustc_hash::FxHashMap;

/// Texts that speak of more types than this are not analysed.
const MAX_TYPES: usize = 512;
const WORDS: usize = MAX_TYPES / 64;

/// A set of types, by their positions in the universe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set([u64; WORDS]);

impl Set {
    const EMPTY: Self = Self([0; WORDS]);

    fn has(self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 != 0
    }

    fn add(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// What is known of a term: types that it has, and of which kinds it can be. Kinds are told apart only where free
/// variables are not among them, since only then does a term stay what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    types: Set,
    kinds: Kinds,
}

impl Facts {
    /// Of any term.
    pub(super) const NOTHING: Self = Self { types: Set::EMPTY, kinds: Kinds::ALL };
    /// Of a term that does not exist: what is never reached.
    pub(super) const NEVER: Self = Self { types: Set([u64::MAX; WORDS]), kinds: Kinds::NONE };

    /// Whether no term is like this.
    pub(super) fn are_contradictory(self) -> bool {
        self.kinds == Kinds::NONE
    }

    /// Whether the term is not a free variable.
    pub(super) fn is_bound(self) -> bool {
        !self.kinds.contains(Kinds::VARIABLE)
    }

    /// Whether the term is of one of these kinds.
    pub(super) fn are_within(self, kinds: Kinds) -> bool {
        kinds.contains(self.kinds)
    }

    /// What is known of a term that is like one or the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self { types: self.types.and(other.types), kinds: self.kinds.or(other.kinds) }
    }
}

/// The types that a text speaks of, with those of their arguments.
pub(super) struct Universe<'a> {
    types: &'a Types,
    ids: Vec<TypeId>,
    positions: FxHashMap<TypeId, usize>,
    /// For each type those that include it.
    above: Vec<Set>,
    /// The kinds of its terms.
    kinds: Vec<Kinds>,
}

impl<'a> Universe<'a> {
    /// The universe of some types. `None` if there are too many.
    pub(super) fn new(types: &'a Types, roots: impl Iterator<Item = TypeId>) -> Option<Self> {
        let mut universe = Self {
            types,
            ids: Vec::new(),
            positions: FxHashMap::default(),
            above: Vec::new(),
            kinds: Vec::new(),
        };
        let mut pending: Vec<TypeId> =
            Primitive::ALL.into_iter().map(Types::primitive).chain(roots).collect();
        while let Some(id) = pending.pop() {
            if universe.positions.contains_key(&id) {
                continue;
            }
            if universe.ids.len() == MAX_TYPES {
                return None;
            }
            universe.positions.insert(id, universe.ids.len());
            universe.ids.push(id);
            pending.extend(types.shape(id).structures.values().flatten().copied());
        }
        universe.kinds = (0..universe.ids.len()).map(|i| universe.kinds_of(i)).collect();
        universe.include();
        Some(universe)
    }

    fn shape(&self, i: usize) -> &'a Shape<TypeId> {
        self.types.shape(self.ids[i])
    }

    fn position(&self, id: TypeId) -> Option<usize> {
        self.positions.get(&id).copied()
    }

    fn kinds_of(&self, i: usize) -> Kinds {
        let shape = self.shape(i);
        let constants = shape.constants.iter().map(Kinds::of_constant);
        let compound =
            if shape.ground || !shape.structures.is_empty() { Kinds::COMPOUND } else { Kinds::NONE };
        constants.fold(shape.kinds.or(compound), Kinds::or)
    }

    /// Finds out which types include which: all pairs at first, without those that fail a look at one level, until
    /// none does.
    fn include(&mut self) {
        let count = self.ids.len();
        let mut all = Set::EMPTY;
        (0..count).for_each(|i| all.add(i));
        self.above = vec![all; count];
        loop {
            let next: Vec<Set> = (0..count)
                .map(|below| {
                    let mut kept = Set::EMPTY;
                    for above in (0..count).filter(|&above| self.above[below].has(above)) {
                        if self.includes(below, above) {
                            kept.add(above);
                        }
                    }
                    kept
                })
                .collect();
            if next == self.above {
                return;
            }
            self.above = next;
        }
    }

    /// Whether one type includes another if what is said of their arguments is right.
    fn includes(&self, below: usize, above: usize) -> bool {
        let (small, large) = (self.shape(below), self.shape(above));
        if !large.kinds.contains(small.kinds) || !small.constants.iter().all(|c| accepts(large, c)) {
            return false;
        }
        if large.kinds.contains(Kinds::COMPOUND) {
            return true;
        }
        let ground = Types::primitive(Primitive::Ground);
        let within = |argument: TypeId, other: TypeId| match (self.position(argument), self.position(other)) {
            (Some(argument), Some(other)) => self.above[argument].has(other),
            _ => false,
        };
        let structures =
            small.structures.iter().all(|(functor, arguments)| match large.structures.get(functor) {
                Some(others) => {
                    arguments.iter().zip(others).all(|(&argument, &other)| within(argument, other))
                }
                None => large.ground && arguments.iter().all(|&argument| within(argument, ground)),
            });
        // Ground terms of functors that only the larger type lists.
        let others = !small.ground
            || large.ground
                && large
                    .structures
                    .iter()
                    .filter(|(functor, _)| !small.structures.contains_key(functor))
                    .all(|(_, arguments)| arguments.iter().all(|&argument| within(ground, argument)));
        structures && others
    }

    /// That a term has a type.
    pub(super) fn of_type(&self, id: TypeId) -> Facts {
        match self.position(id) {
            Some(i) => self.both(Facts { types: self.above[i], kinds: self.kinds[i] }, Facts::NOTHING),
            None => Facts::NOTHING,
        }
    }

    /// That a term is of one of these kinds, which must not be free variables.
    pub(super) fn of_kinds(&self, kinds: Kinds) -> Facts {
        self.both(Facts { types: Set::EMPTY, kinds }, Facts::NOTHING)
    }

    /// That a term is of a primitive type.
    pub(super) fn of_primitive(&self, primitive: Primitive) -> Facts {
        self.of_type(Types::primitive(primitive))
    }

    /// Whether a term of which this is known has a type.
    pub(super) fn has(&self, facts: Facts, id: TypeId) -> bool {
        self.types.shape(id).kinds.contains(Kinds::ALL)
            || self.position(id).is_some_and(|i| facts.types.has(i))
    }

    /// What is known of a term if both is.
    pub(super) fn both(&self, one: Facts, other: Facts) -> Facts {
        let mut types = one.types.or(other.types);
        let mut kinds = one.kinds.and(other.kinds);
        for i in 0..self.ids.len() {
            if types.has(i) {
                kinds = kinds.and(self.kinds[i]);
            }
        }
        if kinds == Kinds::NONE {
            return Facts::NEVER;
        }
        if !kinds.contains(Kinds::VARIABLE) {
            for i in 0..self.ids.len() {
                if self.shape(i).kinds.contains(kinds) {
                    types = types.or(self.above[i]);
                }
            }
        }
        Facts { types, kinds }
    }

    /// What is known of a constant.
    pub(super) fn constant(&self, constant: &Constant) -> Facts {
        let mut types = Set::EMPTY;
        for i in (0..self.ids.len()).filter(|&i| accepts(self.shape(i), constant)) {
            types.add(i);
        }
        Facts { types, kinds: Kinds::of_constant(constant) }
    }

    /// What is known of a compound term whose arguments are known.
    pub(super) fn compound(&self, functor: Cell, arguments: &[Facts]) -> Facts {
        let ground = Types::primitive(Primitive::Ground);
        let mut types = Set::EMPTY;
        for i in 0..self.ids.len() {
            let shape = self.shape(i);
            let accepted = shape.kinds.contains(Kinds::COMPOUND)
                || match shape.structures.get(&functor) {
                    Some(states) => arguments.iter().zip(states).all(|(&facts, &id)| self.has(facts, id)),
                    None => shape.ground && arguments.iter().all(|&facts| self.has(facts, ground)),
                };
            if accepted {
                types.add(i);
            }
        }
        Facts { types, kinds: Kinds::COMPOUND }
    }

    /// What is known of each element of a list of which this is known, from types whose lists have elements of one type
    /// only.
    pub(super) fn elements(&self, facts: Facts) -> Facts {
        let mut elements = Facts::NOTHING;
        for i in (0..self.ids.len()).filter(|&i| facts.types.has(i)) {
            if let Some(element) = self.element(i) {
                elements = self.both(elements, self.of_type(element));
            }
        }
        elements
    }

    /// What is known of a list whose elements are all of lists of which this is known: such types that the empty list
    /// has, too.
    pub(super) fn lists(&self, facts: Facts) -> Facts {
        let nil = Constant::Immediate(Cell::atom(crate::term::atom::NIL));
        let mut lists = Facts::NOTHING;
        for i in (0..self.ids.len()).filter(|&i| facts.types.has(i)) {
            if self.element(i).is_some() && accepts(self.shape(i), &nil) {
                lists = self.both(lists, self.of_type(self.ids[i]));
            }
        }
        lists
    }

    /// The type of all elements of a type's lists, if it has only lists with one for all of them.
    fn element(&self, i: usize) -> Option<TypeId> {
        let shape = self.shape(i);
        if shape.ground || shape.kinds.contains(Kinds::COMPOUND) || shape.kinds.contains(Kinds::VARIABLE) {
            return None;
        }
        match shape.structures.get(&Cell::functor(crate::term::atom::DOT, 2))?.as_slice() {
            &[element, tail] if tail == self.ids[i] => Some(element),
            _ => None,
        }
    }

    /// What is known of the arguments of a compound term of which this is known. `None` if there is no such term.
    pub(super) fn arguments(&self, facts: Facts, functor: Cell) -> Option<Vec<Facts>> {
        if !facts.kinds.contains(Kinds::COMPOUND) {
            return None;
        }
        let ground = Types::primitive(Primitive::Ground);
        let mut arguments = vec![Facts::NOTHING; functor.arity()];
        for i in (0..self.ids.len()).filter(|&i| facts.types.has(i)) {
            let shape = self.shape(i);
            if shape.kinds.contains(Kinds::COMPOUND) {
                continue;
            }
            match shape.structures.get(&functor) {
                Some(states) => {
                    for (argument, &id) in arguments.iter_mut().zip(states) {
                        *argument = self.both(*argument, self.of_type(id));
                    }
                }
                None if shape.ground => {
                    for argument in &mut arguments {
                        *argument = self.both(*argument, self.of_type(ground));
                    }
                }
                None => return None,
            }
        }
        Some(arguments)
    }
}

/// Whether a type accepts a constant.
fn accepts(shape: &Shape<TypeId>, constant: &Constant) -> bool {
    shape.kinds.contains(Kinds::of_constant(constant)) || shape.constants.contains(constant)
}
