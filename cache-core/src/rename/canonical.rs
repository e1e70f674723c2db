//! Canonical forms of queries: an expression under a set of constraints, up to renaming.
//!
//! The atoms are numbered, then each constraint is written as its shape digest and the numbers of its
//! atoms, and the constraints are sorted. Whatever the numbering, equal forms imply a bijection between
//! the queries; a bad numbering can only miss one.
//!
//! # How atoms are numbered
//! 1. The expression that is asked about numbers its own atoms, in its canonical order.
//! 2. Constraints with unnumbered atoms have a *key*: the shape digest with the numbers of the numbered
//!    atoms filled in. The least key that one constraint alone has is taken, and that constraint numbers
//!    its atoms; the keys of constraints that share them are refined. Repeated until no key is unique.
//! 3. Then keys are refined by how atoms are shared between constraints (colour refinement): an atom's
//!    colour is the sorted list of the keys and places where it occurs, and a constraint's new key has the
//!    colours of its atoms. Back to step 2, if that tells any two apart.
//! 4. Otherwise the constraints that share the least key look the same from everywhere. One is taken, by the
//!    identity of its atoms, so that the input order still does not matter; but a renamed copy may take
//!    another one. If the choice is not provably harmless it is counted as a *tie*.
//!
//! # Cost
//! Steps 1, 2 and 4 are O(n log n) in the number n of atoms in all constraints together; step 3 is O(n)
//! and is done at most [`REFINEMENTS`] times per query, which is the same for every renamed copy.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::atom::{AtomId, small};
use super::encoding::QUERY;
use super::normalizer::{Normal, Normalizer, Translate};
use super::shape::{Shape, Shapes};
use super::unordered::Order;
use crate::digest::{Confirm, Digest, Encoder};
use crate::key::Checksum;

/// How often keys are refined by sharing before ties are broken by identity.
const REFINEMENTS: u32 = 16;

/// An expression under a set of constraints: is it true under all of them? Without an expression: do the constraints
/// have a model?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The expression that is asked about.
    pub expression: Option<Shape>,
    /// What is assumed; a set, so order and repetitions do not matter.
    pub constraints: &'a [Shape],
}

/// The bijection between the atoms of a query and canonical numbers.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    atoms: Vec<AtomId>,
    numbers: FxHashMap<AtomId, u32>,
}

impl Renaming {
    /// The canonical number of an atom, which is the next one if it had none: what is said of a query behind it may speak
    /// of atoms that do not occur in it. Renamed copies number them alike if they are told of them in one order.
    pub fn add(&mut self, atom: AtomId) -> u32 {
        let next = small(self.atoms.len());
        let number = *self.numbers.entry(atom).or_insert(next);
        if number == next {
            self.atoms.push(atom);
        }
        number
    }

    /// The atoms, by canonical number.
    #[must_use]
    pub fn atoms(&self) -> &[AtomId] {
        &self.atoms
    }

    /// The canonical number of an atom; absent if it does not occur in the query.
    #[must_use]
    pub fn number(&self, atom: AtomId) -> Option<u32> {
        self.numbers.get(&atom).copied()
    }

    /// The atom with a canonical number.
    #[must_use]
    pub fn atom(&self, number: u32) -> Option<AtomId> {
        self.atoms.get(number as usize).copied()
    }
}

/// Models: values by atom on the query's side, by canonical number on the form's. The values must not
/// mention atoms themselves.
impl<V: Clone> Translate<Vec<(AtomId, V)>> for Renaming {
    type Form = Vec<(u32, V)>;

    fn to_form(&self, own: &Vec<(AtomId, V)>) -> Option<Self::Form> {
        own.iter().map(|(atom, value)| Some((self.number(*atom)?, value.clone()))).collect()
    }

    fn to_own(&self, form: &Self::Form) -> Option<Vec<(AtomId, V)>> {
        form.iter().map(|(number, value)| Some((self.atom(*number)?, value.clone()))).collect()
    }
}

/// A query in canonical form, and the ways back from it.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// Equal only for queries that are equal up to renaming, order and repetition of constraints.
    pub digest: Digest,
    /// Atoms and their canonical numbers.
    pub renaming: Renaming,
    /// Constraints and their canonical places.
    pub order: Order,
    /// How many choices between constraints were made by identity alone: for each, a renamed copy of the
    /// query may have another digest, which is a miss and never a wrong hit.
    pub ties: u32,
}

impl Canonical {
    /// The confirming digest of the canonical form, from the confirming digests of the expression and of
    /// the constraints (asked for by place in `query.constraints`, repetitions left out). Compute it only
    /// for queries that meet the disk.
    pub fn confirm(
        &self,
        shapes: &Shapes,
        query: &Query<'_>,
        expression: Option<Confirm>,
        mut constraint: impl FnMut(usize) -> Confirm,
    ) -> Confirm {
        let mut out = Encoder::new();
        out.variant(QUERY);
        match expression {
            None => out.none(),
            Some(expression) => {
                out.some();
                out.nested_confirm(expression);
            }
        }
        out.sequence(self.order.places().len());
        for place in self.order.places() {
            out.nested_confirm(constraint(*place));
            if let Some(shape) = query.constraints.get(*place) {
                let atoms = shapes.atoms_of(shape.atoms);
                write_numbers(
                    atoms.iter().filter_map(|atom| self.renaming.number(*atom)),
                    atoms.len(),
                    &mut out,
                );
            }
        }
        out.confirm()
    }
}

/// Brings a query into canonical form, walking no term: only the lists of atoms are read.
///
/// ```
/// use cache_core::rename::{Query, Shapes, canonicalize};
///
/// let mut shapes = Shapes::new();
/// let variables: Vec<_> = (0..4).map(|_| shapes.fresh("int").1).collect();
/// let mut form = |[x, y]: [usize; 2], swap: bool| {
///     let small = shapes.node("< 1", &[variables[x]]);
///     let sum = shapes.node("+ < 3", &[variables[x], variables[y]]);
///     let constraints = if swap { [sum, small] } else { [small, sum] };
///     canonicalize(&shapes, &Query { expression: None, constraints: &constraints }).digest
/// };
/// // x < 1, x + y < 3 and u + v < 3, u < 1 are one query.
/// assert_eq!(form([0, 1], false), form([2, 3], true));
/// ```
#[must_use]
pub fn canonicalize(shapes: &Shapes, query: &Query<'_>) -> Canonical {
    let mut renaming = Renaming::default();
    if let Some(expression) = query.expression {
        for atom in shapes.atoms_of(expression.atoms) {
            renaming.add(atom);
        }
    }
    let constraints = query.constraints;
    let mut table = Table::new(shapes, constraints);
    // Sorted by digest and by the identity of atoms: neither the order nor repetitions of the input matter
    // below, and the first of several constraints with one key is the one with the least identities.
    let distinct = Order::by(constraints.len(), |a, b| table.compare(a, b));
    table.keep(distinct.places());
    let ties = Numbering::new(&table, &mut renaming).run();

    let numbers: Vec<u32> =
        table.atoms.iter().map(|atom| renaming.number(*atom).unwrap_or(u32::MAX)).collect();
    let row = |place: usize| &numbers[table.rows[place].clone()];
    // Of all members, sorted together, so that repeated ones have their place as well.
    let places: Vec<usize> = (0..constraints.len()).filter_map(|member| distinct.place(member)).collect();
    let order = Order::by(constraints.len(), |a, b| {
        let by_digest = constraints[a].digest.cmp(&constraints[b].digest);
        by_digest.then_with(|| row(places[a]).cmp(row(places[b])))
    });
    let mut out = Encoder::new();
    out.variant(QUERY);
    match query.expression {
        None => out.none(),
        Some(expression) => {
            out.some();
            out.nested(expression.digest);
        }
    }
    out.sequence(order.places().len());
    for member in order.places() {
        out.nested(constraints[*member].digest);
        let row = row(places[*member]);
        write_numbers(row.iter().copied(), row.len(), &mut out);
    }
    Canonical { digest: out.digest(), renaming, order, ties }
}

/// A [`Query`] with what confirms its parts, from [`Shapes::confirm_node`].
#[derive(Clone, Copy, Debug)]
pub struct Confirmed<'a> {
    /// The expression that is asked about.
    pub expression: Option<(Shape, Confirm)>,
    /// What is assumed.
    pub constraints: &'a [(Shape, Confirm)],
}

/// Normalizes whole queries; see [`canonicalize`], which engines call where most queries never meet the disk.
impl Normalizer<Confirmed<'_>> for Shapes {
    type Back = Canonical;

    fn normalize(&self, confirmed: Confirmed<'_>) -> Normal<Canonical> {
        let Confirmed { expression, constraints } = confirmed;
        let shapes: Vec<Shape> = constraints.iter().map(|(shape, _)| *shape).collect();
        let query = Query { expression: expression.map(|(shape, _)| shape), constraints: &shapes };
        let back = canonicalize(self, &query);
        let confirm =
            back.confirm(self, &query, expression.map(|(_, confirm)| confirm), |place| constraints[place].1);
        Normal { checksum: Checksum { digest: back.digest, confirm }, back }
    }
}

fn write_numbers(numbers: impl Iterator<Item = u32>, count: usize, out: &mut Encoder) {
    out.sequence(count);
    for number in numbers {
        out.u64(u64::from(number));
    }
}

/// The constraints as rows of atoms.
struct Table {
    digests: Vec<Digest>,
    rows: Vec<Range<usize>>,
    atoms: Vec<AtomId>,
}

impl Table {
    fn new(shapes: &Shapes, constraints: &[Shape]) -> Self {
        let mut table = Self { digests: Vec::new(), rows: Vec::new(), atoms: Vec::new() };
        for shape in constraints {
            let start = table.atoms.len();
            table.atoms.extend(shapes.atoms_of(shape.atoms));
            table.rows.push(start..table.atoms.len());
            table.digests.push(shape.digest);
        }
        table
    }

    fn row(&self, constraint: usize) -> &[AtomId] {
        &self.atoms[self.rows[constraint].clone()]
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        self.digests[a].cmp(&self.digests[b]).then_with(|| self.row(a).cmp(self.row(b)))
    }

    /// Keeps these rows only, in this order.
    fn keep(&mut self, places: &[usize]) {
        self.digests = places.iter().map(|place| self.digests[*place]).collect();
        self.rows = places.iter().map(|place| self.rows[*place].clone()).collect();
    }
}

/// A constraint while atoms are numbered.
struct Row {
    key: Digest,
    /// How many of its atoms have no number yet.
    free: usize,
}

/// The state of steps 2 to 4. Constraints are numbers in the order of the table.
struct Numbering<'a> {
    table: &'a Table,
    renaming: &'a mut Renaming,
    rows: Vec<Row>,
    /// Where each atom that is not numbered at the start occurs: constraints and places in them.
    occurrences: FxHashMap<AtomId, Vec<(usize, u32)>>,
    /// The constraints with free atoms, by key.
    active: BTreeSet<(Digest, usize)>,
    /// How many active constraints have a key.
    sharing: FxHashMap<Digest, usize>,
    /// The keys that one active constraint alone has.
    unique: BTreeSet<Digest>,
    /// Whether keys of active constraints moved since they were last found to be stable.
    moved: bool,
    refinements: u32,
    ties: u32,
    scratch: Encoder,
}

impl<'a> Numbering<'a> {
    fn new(table: &'a Table, renaming: &'a mut Renaming) -> Self {
        let mut numbering = Self {
            table,
            renaming,
            rows: Vec::with_capacity(table.rows.len()),
            occurrences: FxHashMap::default(),
            active: BTreeSet::new(),
            sharing: FxHashMap::default(),
            unique: BTreeSet::new(),
            moved: true,
            refinements: 0,
            ties: 0,
            scratch: Encoder::new(),
        };
        for constraint in 0..table.rows.len() {
            let mut filled = Vec::new();
            for (place, atom) in (0_u32..).zip(table.row(constraint)) {
                match numbering.renaming.number(*atom) {
                    Some(number) => filled.push((place, number)),
                    None => numbering.occurrences.entry(*atom).or_default().push((constraint, place)),
                }
            }
            let free = table.row(constraint).len() - filled.len();
            let key = numbering.filled_in(table.digests[constraint], &filled);
            numbering.rows.push(Row { key, free });
            if free > 0 {
                numbering.activate(constraint);
            }
        }
        numbering
    }

    /// Numbers all atoms; the number of ties.
    fn run(mut self) -> u32 {
        loop {
            if let Some(key) = self.unique.first().copied() {
                if let Some(constraint) = self.first_with(key) {
                    self.number(constraint);
                }
            } else if self.moved && self.refinements < REFINEMENTS {
                self.refine();
            } else if let Some((_, constraint)) = self.active.first().copied() {
                if !self.interchangeable(constraint) {
                    self.ties += 1;
                }
                self.number(constraint);
            } else {
                return self.ties;
            }
        }
    }

    /// A key with the numbers of newly numbered atoms. What was filled in earlier is in the old key.
    fn filled_in(&mut self, key: Digest, filled: &[(u32, u32)]) -> Digest {
        if filled.is_empty() {
            return key;
        }
        self.scratch.clear();
        self.scratch.nested(key);
        self.scratch.sequence(filled.len());
        for (place, number) in filled {
            self.scratch.u64(u64::from(*place));
            self.scratch.u64(u64::from(*number));
        }
        self.scratch.digest()
    }

    fn first_with(&self, key: Digest) -> Option<usize> {
        self.active
            .range((key, 0)..)
            .next()
            .filter(|(found, _)| *found == key)
            .map(|(_, constraint)| *constraint)
    }

    fn activate(&mut self, constraint: usize) {
        let key = self.rows[constraint].key;
        self.active.insert((key, constraint));
        let sharing = self.sharing.entry(key).or_default();
        *sharing += 1;
        match *sharing {
            1 => self.unique.insert(key),
            _ => self.unique.remove(&key),
        };
    }

    fn retire(&mut self, constraint: usize) {
        let key = self.rows[constraint].key;
        self.active.remove(&(key, constraint));
        if let Some(sharing) = self.sharing.get_mut(&key) {
            *sharing -= 1;
            match *sharing {
                0 => self.unique.remove(&key),
                1 => self.unique.insert(key),
                _ => false,
            };
        }
    }

    /// Numbers the free atoms of a constraint and refines the keys of the constraints that share them.
    fn number(&mut self, constraint: usize) {
        let mut filled: FxHashMap<usize, Vec<(u32, u32)>> = FxHashMap::default();
        let mut touched = Vec::new();
        for place in self.table.rows[constraint].clone() {
            let atom = self.table.atoms[place];
            if self.renaming.number(atom).is_some() {
                continue;
            }
            let number = self.renaming.add(atom);
            for (sharer, place) in self.occurrences.get(&atom).into_iter().flatten() {
                let news = filled.entry(*sharer).or_default();
                if news.is_empty() {
                    touched.push(*sharer);
                }
                news.push((*place, number));
            }
        }
        for sharer in touched {
            let news = filled.remove(&sharer).unwrap_or_default();
            self.retire(sharer);
            self.rows[sharer].free -= news.len();
            if self.rows[sharer].free > 0 {
                self.rows[sharer].key = self.filled_in(self.rows[sharer].key, &news);
                self.activate(sharer);
                self.moved = true;
            }
        }
    }

    /// Step 3: one round of colour refinement over the active constraints.
    fn refine(&mut self) {
        self.refinements += 1;
        let classes = |active: &BTreeSet<(Digest, usize)>| {
            let mut keys: Vec<Digest> = active.iter().map(|(key, _)| *key).collect();
            keys.dedup();
            keys.len()
        };
        let before = classes(&self.active);
        let mut colours: FxHashMap<AtomId, Digest> = FxHashMap::default();
        let mut news = Vec::with_capacity(self.active.len());
        for (key, constraint) in &self.active {
            let mut out = Encoder::new();
            out.nested(*key);
            for atom in self.table.row(*constraint) {
                if self.renaming.number(*atom).is_none() {
                    out.nested(*colours.entry(*atom).or_insert_with(|| self.colour(*atom)));
                }
            }
            news.push((*constraint, out.digest()));
        }
        for (constraint, _) in &news {
            self.retire(*constraint);
        }
        for (constraint, key) in news {
            self.rows[constraint].key = key;
            self.activate(constraint);
        }
        self.moved = classes(&self.active) > before;
    }

    /// Where a free atom occurs, with the names of other atoms forgotten. All its constraints are active.
    fn colour(&self, atom: AtomId) -> Digest {
        let mut seen: Vec<(Digest, u32)> = self
            .occurrences
            .get(&atom)
            .into_iter()
            .flatten()
            .map(|(constraint, place)| (self.rows[*constraint].key, *place))
            .collect();
        seen.sort_unstable();
        let mut out = Encoder::new();
        out.sequence(seen.len());
        for (key, place) in seen {
            out.nested(key);
            out.u64(u64::from(place));
        }
        out.digest()
    }

    /// Whether taking this constraint rather than another one with its key provably makes no difference:
    /// its free atoms occur nowhere else. Keys are stable, so they tell occurrences apart, and the same
    /// holds for the others; exchanging two of them is an automorphism of the query.
    fn interchangeable(&self, constraint: usize) -> bool {
        !self.moved
            && self.table.row(constraint).iter().all(|atom| {
                self.renaming.number(*atom).is_some()
                    || self.occurrences.get(atom).is_some_and(|occurrences| occurrences.len() == 1)
            })
    }
}
