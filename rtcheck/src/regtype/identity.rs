//! One identifier for states that accept the same terms.
//!
//! New states are compared with each other and with the known states they lead to by partition refinement
//! (Moore), so that what cannot be told apart is one state. Each state that is left gets a digest of everything
//! reachable from it: strongly connected components are taken in the order in which they depend on each other, a
//! state inside a component is written as the number of its first occurrence (the renaming of cache-core), one
//! outside as its digest. So definitions equal up to the names of their states have equal digests, in whatever
//! order they came, and a definition that changes, changes the digests of all that depend on it.

use super::Primitive;
use super::automaton::Types;
use super::construct::{NewState, Target};
use super::definition::{Constant, Pattern, TypeExpression};
use super::state::{Shape, TypeId, boxed};
use super::union::{Item, ItemId, Union};
use crate::term::{Atom, Atoms, Cell, Number, Tag, format_float, quoted_atom, quoted_text};
use cache_core::digest::{Digest, Encoder};
use cache_core::rename::Parameters;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl Types {
    /// Gives new states identifiers and keeps them; the identifier of the first.
    pub(super) fn identify(&mut self, atoms: &Atoms, states: Vec<NewState>) -> TypeId {
        let classes = self.classes(&states);
        let count = states.len();
        // One state stands for each class without a known member.
        let mut ids: Vec<Option<TypeId>> = classes.iter().take(count).map(|class| class.known).collect();
        let representative: Vec<usize> = classes.iter().take(count).map(|class| class.first).collect();
        let mut graph = DiGraph::<usize, ()>::new();
        let nodes: Vec<NodeIndex> = (0..count).map(|state| graph.add_node(state)).collect();
        for (state, new) in states.iter().enumerate() {
            for target in new.shape.structures.values().flatten() {
                if let Target::New(target) = *target {
                    graph.add_edge(nodes[representative[state]], nodes[representative[target]], ());
                }
            }
        }
        for component in petgraph::algo::kosaraju_scc(&graph) {
            let mut members: Vec<usize> = component
                .into_iter()
                .map(|node| graph[node])
                .filter(|&state| representative[state] == state && ids[state].is_none())
                .collect();
            members.sort_unstable();
            let resolve = |target: &Target, ids: &[Option<TypeId>]| match *target {
                Target::Known(id) => Ok(id),
                Target::New(state) => ids[representative[state]].ok_or(representative[state]),
            };
            let digests: Vec<Digest> = members
                .iter()
                .map(|&root| {
                    self.digest(atoms, root, |state| {
                        let shape = &states[state].shape;
                        shape.map(|target| resolve(target, &ids))
                    })
                })
                .collect();
            let first_free = self.count() as u32;
            let mut fresh = Vec::new();
            for (&state, digest) in members.iter().zip(&digests) {
                ids[state] = Some(self.identities.get(digest).copied().unwrap_or_else(|| {
                    fresh.push((state, *digest));
                    TypeId(first_free + fresh.len() as u32 - 1)
                }));
            }
            for (state, digest) in fresh {
                // Every member of the component has an identifier now, and what lies outside had one.
                let shape = states[state].shape.map(|target| resolve(target, &ids).unwrap_or(TypeId(0)));
                let name = self.union_name(atoms, &states[state].union);
                self.add_state(name, digest, shape);
            }
        }
        self.add_words();
        for (state, new) in states.into_iter().enumerate() {
            if let Some(id) = ids[representative[state]] {
                self.known.insert(new.union, id);
            }
        }
        ids[representative[0]].unwrap_or(TypeId(0))
    }

    /// The class of each new state, and then of the known states reachable from them.
    fn classes(&self, states: &[NewState]) -> Vec<Class> {
        let count = states.len();
        let mut known: Vec<TypeId> = Vec::new();
        let mut numbers: FxHashMap<TypeId, usize> = FxHashMap::default();
        let mut reach = |id: TypeId, known: &mut Vec<TypeId>| {
            *numbers.entry(id).or_insert_with(|| {
                known.push(id);
                count + known.len() - 1
            })
        };
        let mut targets: Vec<Vec<usize>> = states
            .iter()
            .map(|new| {
                let arguments = new.shape.structures.values().flatten();
                arguments
                    .map(|target| match *target {
                        Target::New(state) => state,
                        Target::Known(id) => reach(id, &mut known),
                    })
                    .collect()
            })
            .collect();
        let mut next = 0;
        while let Some(&id) = known.get(next) {
            next += 1;
            targets.push(
                self.shape(id).structures.values().flatten().map(|&id| reach(id, &mut known)).collect(),
            );
        }
        let mut signatures: FxHashMap<LocalShape, usize> = FxHashMap::default();
        let mut class: Vec<usize> = Vec::with_capacity(targets.len());
        for state in states
            .iter()
            .map(|new| local_shape(&new.shape))
            .chain(known.iter().map(|&id| local_shape(self.shape(id))))
        {
            let fresh = signatures.len();
            class.push(*signatures.entry(state).or_insert(fresh));
        }
        let mut classes = signatures.len();
        loop {
            let mut refined: FxHashMap<(usize, Vec<usize>), usize> = FxHashMap::default();
            let next: Vec<usize> = (0..class.len())
                .map(|node| {
                    let signature =
                        (class[node], targets[node].iter().map(|&target| class[target]).collect());
                    let fresh = refined.len();
                    *refined.entry(signature).or_insert(fresh)
                })
                .collect();
            class = next;
            if refined.len() == classes {
                break;
            }
            classes = refined.len();
        }
        let mut members = vec![Class { first: usize::MAX, known: None }; classes];
        for (node, &class) in class.iter().enumerate() {
            let members = &mut members[class];
            members.first = members.first.min(node);
            if node >= count {
                members.known = Some(known[node - count]);
            }
        }
        class.into_iter().map(|class| members[class]).collect()
    }

    /// The digest of a state, given the states of its component: `shape` says what a state accepts and where it
    /// leads, inside the component by number, outside by identifier.
    fn digest(
        &self,
        atoms: &Atoms,
        root: usize,
        shape: impl Fn(usize) -> Shape<Result<TypeId, usize>>,
    ) -> Digest {
        let mut out = Encoder::new();
        let mut inside = Parameters::new();
        let mut queue = VecDeque::from([root]);
        inside.name(root, &mut out);
        while let Some(state) = queue.pop_front() {
            let shape = shape(state);
            write_local(atoms, &shape, &mut out);
            for target in shape.structures.values().flatten() {
                match *target {
                    Ok(id) => {
                        out.variant(0);
                        out.nested(self.digests[id.0 as usize]);
                    }
                    Err(state) => {
                        out.variant(1);
                        let seen = inside.values().len();
                        inside.name(state, &mut out);
                        if inside.values().len() > seen {
                            queue.push_back(state);
                        }
                    }
                }
            }
        }
        out.digest()
    }

    /// Adds the state of a primitive type, whose identifier is its position.
    pub(super) fn add_primitive(&mut self, primitive: Primitive, atoms: &Atoms) {
        let (kinds, ground) = primitive.accepts();
        let shape: Shape<TypeId> =
            Shape { kinds, ground, constants: BTreeSet::new(), structures: BTreeMap::new() };
        let digest = self.digest(atoms, 0, |_| shape.map(|&id| Ok(id)));
        self.add_state(primitive.name().to_owned(), digest, shape);
    }

    /// A type's name without the module that tells it from others.
    fn shown(&self, name: Atom) -> Atom {
        self.shorter.get(&name).copied().unwrap_or(name)
    }

    /// How a union is written.
    fn union_name(&self, atoms: &Atoms, union: &Union) -> String {
        let meet = |meet: &Vec<ItemId>| match meet.as_slice() {
            [] => "term".to_owned(),
            [item] => self.item_name(atoms, *item),
            several => {
                let names: Vec<String> = several.iter().map(|&item| self.item_name(atoms, item)).collect();
                format!("({})", names.join(","))
            }
        };
        match union.as_slice() {
            [one] => meet(one),
            several => format!("({})", several.iter().map(meet).collect::<Vec<_>>().join(";")),
        }
    }

    fn item_name(&self, atoms: &Atoms, item: ItemId) -> String {
        match &self.items[item.0 as usize] {
            Item::Primitive(primitive) => primitive.name().to_owned(),
            Item::Instance(name, parameters) => {
                let names: Vec<String> = parameters.iter().map(|&item| self.item_name(atoms, item)).collect();
                applied(quoted_atom(atoms.text(self.shown(*name))), &names)
            }
            Item::Pattern(pattern, environment) => {
                format!("^{}", self.pattern_name(atoms, pattern, environment))
            }
        }
    }

    fn pattern_name(&self, atoms: &Atoms, pattern: &Pattern, environment: &[ItemId]) -> String {
        match pattern {
            Pattern::Constant(constant) => constant_name(atoms, constant),
            Pattern::Compound(functor, arguments) => {
                let names: Vec<String> = arguments
                    .iter()
                    .map(|argument| self.pattern_name(atoms, argument, environment))
                    .collect();
                applied(functor_name(atoms, *functor), &names)
            }
            Pattern::Variable(types) => {
                let names: Vec<String> = types
                    .iter()
                    .map(|expression| self.expression_name(atoms, expression, environment))
                    .collect();
                match names.as_slice() {
                    [] => "term".to_owned(),
                    [one] => one.clone(),
                    several => format!("({})", several.join(",")),
                }
            }
        }
    }

    pub(super) fn expression_name(
        &self,
        atoms: &Atoms,
        expression: &TypeExpression,
        environment: &[ItemId],
    ) -> String {
        match expression {
            TypeExpression::Parameter(i) => {
                environment.get(*i).map_or_else(String::new, |&item| self.item_name(atoms, item))
            }
            TypeExpression::Applied(name, parameters) => {
                let names: Vec<String> = parameters
                    .iter()
                    .map(|parameter| self.expression_name(atoms, parameter, environment))
                    .collect();
                applied(quoted_atom(atoms.text(self.shown(*name))), &names)
            }
            TypeExpression::Constructor(pattern) => {
                format!("^{}", self.pattern_name(atoms, pattern, environment))
            }
        }
    }
}

/// The states that accept the same terms as one.
#[derive(Clone, Copy)]
struct Class {
    /// The first of them: a new one, if there is one.
    first: usize,
    /// The known one, if there is one.
    known: Option<TypeId>,
}

/// What a state accepts without looking at arguments.
type LocalShape = (u8, bool, Vec<Constant>, Vec<Cell>);

fn local_shape<T>(shape: &Shape<T>) -> LocalShape {
    let constants = shape.constants.iter().cloned().collect();
    (shape.kinds.0, shape.ground, constants, shape.structures.keys().copied().collect())
}

fn write_local<T>(atoms: &Atoms, shape: &Shape<T>, out: &mut Encoder) {
    out.u64(u64::from(shape.kinds.0));
    out.bool(shape.ground);
    out.sequence(shape.constants.len());
    for constant in &shape.constants {
        match constant {
            Constant::Immediate(cell) if cell.tag() == Tag::Atm => {
                out.variant(0);
                out.text(atoms.text(cell.as_atom()));
            }
            Constant::Immediate(cell) if cell.tag() == Tag::Txt => {
                out.variant(3);
                out.text(atoms.text(cell.as_atom()));
            }
            Constant::Immediate(cell) => {
                out.variant(1);
                out.i64(cell.int_value());
            }
            Constant::Boxed(words) => {
                out.variant(2);
                out.sequence(words.len());
                for word in words {
                    out.u64(word.bits());
                }
            }
        }
    }
    out.sequence(shape.structures.len());
    for functor in shape.structures.keys() {
        out.text(atoms.text(functor.name()));
        out.u64(functor.arity() as u64);
    }
}

impl<T> Shape<T> {
    /// The same shape with other names for the states of arguments.
    pub(super) fn map<U>(&self, rename: impl Fn(&T) -> U) -> Shape<U> {
        Shape {
            kinds: self.kinds,
            ground: self.ground,
            constants: self.constants.clone(),
            structures: self
                .structures
                .iter()
                .map(|(&functor, states)| (functor, states.iter().map(&rename).collect()))
                .collect(),
        }
    }
}

/// A name with arguments.
fn applied(mut text: String, arguments: &[String]) -> String {
    if !arguments.is_empty() {
        text.push('(');
        text.push_str(&arguments.join(","));
        text.push(')');
    }
    text
}

/// A functor's name; that of list cells is quoted as any other.
pub(super) fn functor_name(atoms: &Atoms, functor: Cell) -> String {
    quoted_atom(atoms.text(functor.name()))
}

/// A constant as it is written.
pub(super) fn constant_name(atoms: &Atoms, constant: &Constant) -> String {
    match constant {
        Constant::Immediate(cell) if cell.tag() == Tag::Atm => quoted_atom(atoms.text(cell.as_atom())),
        Constant::Immediate(cell) if cell.tag() == Tag::Txt => quoted_text(atoms.text(cell.as_atom()), '"'),
        Constant::Immediate(cell) => cell.int_value().to_string(),
        Constant::Boxed(words) => {
            let (store, cell) = boxed(words);
            match store.number(cell) {
                Some(Number::Int(value)) => value.to_string(),
                Some(Number::Big(value)) => value.to_string(),
                Some(Number::Float(value)) => format_float(value),
                Some(Number::Rational(value)) => format!("{}r{}", value.numerator(), value.denominator()),
                None => "other".to_owned(),
            }
        }
    }
}
