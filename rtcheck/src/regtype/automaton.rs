//! From definitions to the states and transitions of one automaton.

use super::Primitive;
use super::definition::{Definition, Pattern, TypeExpression};
use crate::term::{Atom, Atoms, Cell, Tag, atom};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// A state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(crate) u32);

/// Why a property is not a regular type that a deterministic top-down automaton recognizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotRegular {
    reason: String,
}

impl NotRegular {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// What a state accepts.
#[derive(Clone, Debug)]
pub enum State {
    /// A primitive type.
    Primitive(Primitive),
    /// Constants, primitive types of atomic terms, and constructors.
    Constructors(Constructors),
}

/// The transitions into one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constructors {
    /// Atomic terms accepted by kind.
    pub atomic: Vec<Primitive>,
    /// Atoms and small integers, sorted.
    pub constants: Vec<Cell>,
    /// For a list cell: the states of head and tail.
    pub list: Option<[TypeId; 2]>,
    /// For a structure, by functor cell, sorted: where its arguments' states start in [`Types::arguments`].
    pub structures: Vec<(Cell, u32)>,
}

/// All states of a program's types.
#[derive(Debug)]
pub struct Types {
    states: Vec<State>,
    names: Vec<String>,
    arguments: Vec<TypeId>,
    definitions: FxHashMap<(Atom, usize), Definition>,
    instances: FxHashMap<(Atom, Vec<TypeId>), Result<TypeId, NotRegular>>,
}

/// Instances of parametric types beyond this number mean that the type is not regular: each instance needs
/// another one.
const MAX_STATES: usize = 100_000;

impl Types {
    /// The primitive types and `list/1`, `list/2`.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> Self {
        let mut types = Self {
            states: Primitive::ALL.into_iter().map(State::Primitive).collect(),
            names: Primitive::ALL.into_iter().map(|primitive| primitive.name().to_owned()).collect(),
            arguments: Vec::new(),
            definitions: FxHashMap::default(),
            instances: FxHashMap::default(),
        };
        for (name, primitive) in Primitive::NAMES {
            types.instances.insert((atoms.intern(name), Vec::new()), Ok(Self::primitive(primitive)));
        }
        let term = TypeExpression::Applied(atoms.intern("term"), Vec::new());
        let cons = |head: TypeExpression, tail: TypeExpression| {
            let functor = Cell::functor(atom::DOT, 2);
            Pattern::Compound(functor, vec![Pattern::Variable(vec![head]), Pattern::Variable(vec![tail])])
        };
        let nil = Pattern::Constant(Cell::atom(atom::NIL));
        let element = TypeExpression::Parameter(0);
        let tails = [
            TypeExpression::Applied(atom::LIST, Vec::new()),
            TypeExpression::Applied(atom::LIST, vec![element.clone()]),
        ];
        for (parameters, (head, tail)) in [term, element].into_iter().zip(tails).enumerate() {
            let clauses = vec![nil.clone(), cons(head, tail)];
            types.define(atom::LIST, Definition { parameters, subject: 0, clauses });
        }
        types
    }

    /// The state of a primitive type.
    #[must_use]
    pub fn primitive(primitive: Primitive) -> TypeId {
        TypeId(primitive as u32)
    }

    /// Adds or replaces a definition. Replacing one forgets every instance, since any may depend on it; the
    /// states stay, so that identifiers are never used again for another type.
    pub fn define(&mut self, name: Atom, definition: Definition) {
        let key = (name, definition.parameters);
        if self.definitions.get(&key) == Some(&definition) {
            return;
        }
        if self.definitions.insert(key, definition).is_some() {
            let primitives = Primitive::ALL.len() as u32;
            self.instances.retain(|_, instance| matches!(instance, Ok(TypeId(id)) if *id < primitives));
        }
    }

    /// The definition of a name with a number of parameters.
    #[must_use]
    pub fn definition(&self, name: Atom, parameters: usize) -> Option<&Definition> {
        self.definitions.get(&(name, parameters))
    }

    /// Whether a name with a number of parameters is a type.
    #[must_use]
    pub fn is_type(&self, name: Atom, parameters: usize) -> bool {
        self.definitions.contains_key(&(name, parameters))
            || (parameters == 0 && self.instances.contains_key(&(name, Vec::new())))
    }

    /// What a state accepts.
    #[inline]
    #[must_use]
    pub fn state(&self, id: TypeId) -> &State {
        &self.states[id.0 as usize]
    }

    /// The states of arguments, as [`Constructors::structures`] points into them.
    #[inline]
    #[must_use]
    pub fn arguments(&self) -> &[TypeId] {
        &self.arguments
    }

    /// The type as it is written.
    #[must_use]
    pub fn name(&self, id: TypeId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The state of a type without free parameters.
    ///
    /// # Errors
    /// A type that is not known, not regular, or not deterministic.
    pub fn resolve(&mut self, atoms: &Atoms, expression: &TypeExpression) -> Result<TypeId, NotRegular> {
        let states = self.states.len();
        let mut pending = Vec::new();
        let mut result = self.instance(atoms, expression, &[], &mut pending);
        while let (Ok(_), Some((id, key))) = (&result, pending.pop()) {
            if let Err(reason) = self.build(atoms, id, &key.0, &key.1, &mut pending) {
                result = Err(reason);
            }
        }
        if result.is_err() {
            // What was begun is not finished: forget it, or later questions would find it.
            self.instances.retain(|_, instance| {
                instance.as_ref().is_ok_and(|id| (id.0 as usize) < states.max(Primitive::ALL.len()))
            });
            self.states.truncate(states);
            self.names.truncate(states);
        }
        result
    }

    fn instance(
        &mut self,
        atoms: &Atoms,
        expression: &TypeExpression,
        environment: &[TypeId],
        pending: &mut Vec<(TypeId, (Atom, Vec<TypeId>))>,
    ) -> Result<TypeId, NotRegular> {
        let (name, parameters) = match expression {
            TypeExpression::Parameter(i) => {
                return environment
                    .get(*i)
                    .copied()
                    .ok_or_else(|| NotRegular::new("parameter without a type"));
            }
            TypeExpression::Applied(name, parameters) => (*name, parameters),
        };
        let parameters = parameters
            .iter()
            .map(|parameter| self.instance(atoms, parameter, environment, pending))
            .collect::<Result<Vec<_>, _>>()?;
        let key = (name, parameters);
        if let Some(known) = self.instances.get(&key) {
            return known.clone();
        }
        let (name, parameters) = (key.0, key.1.len());
        if !self.definitions.contains_key(&(name, parameters)) {
            return Err(NotRegular::new(format!("unknown type `{}/{}`", atoms.text(name), parameters + 1)));
        }
        let id = self.new_state(self.instance_name(atoms, &key))?;
        self.instances.insert(key.clone(), Ok(id));
        pending.push((id, key));
        Ok(id)
    }

    fn instance_name(&self, atoms: &Atoms, (name, parameters): &(Atom, Vec<TypeId>)) -> String {
        let mut text = atoms.text(*name).to_owned();
        for (i, &parameter) in parameters.iter().enumerate() {
            text.push(if i == 0 { '(' } else { ',' });
            text.push_str(self.name(parameter));
        }
        if !parameters.is_empty() {
            text.push(')');
        }
        text
    }

    fn new_state(&mut self, name: String) -> Result<TypeId, NotRegular> {
        if self.states.len() >= MAX_STATES || name.len() > 10_000 {
            return Err(NotRegular::new("the type needs ever more instances of itself"));
        }
        let id = TypeId(self.states.len() as u32);
        self.states.push(State::Constructors(Constructors::default()));
        self.names.push(name);
        Ok(id)
    }

    /// Fills in the transitions of an instance.
    fn build(
        &mut self,
        atoms: &Atoms,
        id: TypeId,
        name: &Atom,
        parameters: &[TypeId],
        pending: &mut Vec<(TypeId, (Atom, Vec<TypeId>))>,
    ) -> Result<(), NotRegular> {
        let mut state = Constructors::default();
        let mut any = None;
        // A clause whose head is a variable includes another type: its clauses are taken over.
        let mut included = vec![(*name, parameters.to_vec())];
        let mut next = 0;
        while let Some((name, environment)) = included.get(next).cloned() {
            next += 1;
            let Some(definition) = self.definitions.get(&(name, environment.len())).cloned() else {
                match self.instances.get(&(name, environment)) {
                    Some(Ok(id)) if (id.0 as usize) < Primitive::ALL.len() => {
                        include_primitive(&mut state, &mut any, Primitive::ALL[id.0 as usize])?;
                    }
                    _ => return Err(NotRegular::new(format!("unknown type `{}`", atoms.text(name)))),
                }
                continue;
            };
            for pattern in &definition.clauses {
                match pattern {
                    Pattern::Variable(types) => match types.as_slice() {
                        [] => include_primitive(&mut state, &mut any, Primitive::Term)?,
                        [TypeExpression::Applied(name, parameters)] => {
                            let parameters = parameters
                                .iter()
                                .map(|parameter| self.instance(atoms, parameter, &environment, pending))
                                .collect::<Result<Vec<_>, _>>()?;
                            let key = (*name, parameters);
                            if !included.contains(&key) {
                                included.push(key);
                            }
                        }
                        _ => {
                            return Err(NotRegular::new(
                                "a clause for every term with several types, or with a parameter, is not deterministic",
                            ));
                        }
                    },
                    Pattern::Constant(constant) => insert_constant(&mut state, *constant)?,
                    Pattern::Compound(functor, arguments) => {
                        let states = arguments
                            .iter()
                            .map(|argument| self.argument_state(atoms, argument, &environment, pending))
                            .collect::<Result<Vec<_>, _>>()?;
                        self.insert_structure(atoms, &mut state, *functor, &states)?;
                    }
                }
            }
        }
        self.states[id.0 as usize] = match any {
            Some(primitive) if state != Constructors::default() => {
                return Err(NotRegular::new(format!(
                    "a clause for every term of type {} overlaps another one",
                    primitive.name()
                )));
            }
            Some(primitive) => State::Primitive(primitive),
            None => State::Constructors(state),
        };
        Ok(())
    }

    /// The state of an argument: that of its type, any term, or a nameless one for a nested pattern.
    fn argument_state(
        &mut self,
        atoms: &Atoms,
        pattern: &Pattern,
        environment: &[TypeId],
        pending: &mut Vec<(TypeId, (Atom, Vec<TypeId>))>,
    ) -> Result<TypeId, NotRegular> {
        let mut state = Constructors::default();
        match pattern {
            Pattern::Variable(types) => {
                return match types.as_slice() {
                    [] => Ok(Self::primitive(Primitive::Term)),
                    [expression] => self.instance(atoms, expression, environment, pending),
                    _ => Err(NotRegular::new("a variable with two types: write a type of its own for it")),
                };
            }
            Pattern::Constant(constant) => insert_constant(&mut state, *constant)?,
            Pattern::Compound(functor, arguments) => {
                let states = arguments
                    .iter()
                    .map(|argument| self.argument_state(atoms, argument, environment, pending))
                    .collect::<Result<Vec<_>, _>>()?;
                self.insert_structure(atoms, &mut state, *functor, &states)?;
            }
        }
        // Equal nameless states share an identifier, so that clauses with the same nested pattern agree.
        let primitives = Primitive::ALL.len();
        let same = self.states.iter().zip(&self.names).skip(primitives).position(|(known, name)| {
            name == "pattern" && matches!(known, State::Constructors(known) if *known == state)
        });
        if let Some(position) = same {
            return Ok(TypeId((primitives + position) as u32));
        }
        let id = self.new_state("pattern".to_owned())?;
        self.states[id.0 as usize] = State::Constructors(state);
        Ok(id)
    }

    fn insert_structure(
        &mut self,
        atoms: &Atoms,
        state: &mut Constructors,
        functor: Cell,
        states: &[TypeId],
    ) -> Result<(), NotRegular> {
        let clash = || {
            NotRegular::new(format!(
                "two clauses for `{}/{}` with different types of arguments are not deterministic",
                atoms.text(functor.name()),
                functor.arity()
            ))
        };
        if let (true, &[head, tail]) = (functor == Cell::functor(atom::DOT, 2), states) {
            return match state.list.replace([head, tail]) {
                Some(other) if other != [head, tail] => Err(clash()),
                _ => Ok(()),
            };
        }
        match state.structures.binary_search_by_key(&functor, |&(functor, _)| functor) {
            Ok(found) => {
                let first = state.structures[found].1 as usize;
                if self.arguments[first..first + states.len()] == *states { Ok(()) } else { Err(clash()) }
            }
            Err(place) => {
                state.structures.insert(place, (functor, self.arguments.len() as u32));
                self.arguments.extend_from_slice(states);
                Ok(())
            }
        }
    }

    /// The states reachable from one, with their transitions, one per line, in the paper's notation
    /// (Example 2): `tree(q1,int,q1) -> q1`.
    #[must_use]
    pub fn listing(&self, atoms: &Atoms, root: TypeId) -> String {
        let mut order = vec![root];
        let mut text = String::new();
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            let State::Constructors(state) = self.state(id) else { continue };
            let target = self.name(id);
            for primitive in &state.atomic {
                let _ = writeln!(text, "{} -> {target}", primitive.name());
            }
            for constant in &state.constants {
                let name = if constant.tag() == Tag::Int {
                    constant.int_value().to_string()
                } else {
                    crate::term::quoted_atom(atoms.text(constant.as_atom()))
                };
                let _ = writeln!(text, "{name} -> {target}");
            }
            let list = state.list.map(|states| ("'.'".to_owned(), states.to_vec()));
            let structures = state.structures.iter().map(|&(functor, first)| {
                let states = &self.arguments[first as usize..first as usize + functor.arity()];
                (crate::term::quoted_atom(atoms.text(functor.name())), states.to_vec())
            });
            for (name, states) in list.into_iter().chain(structures) {
                let names: Vec<&str> = states.iter().map(|&state| self.name(state)).collect();
                let _ = writeln!(text, "{name}({}) -> {target}", names.join(","));
                for state in states {
                    if !order.contains(&state) {
                        order.push(state);
                    }
                }
            }
        }
        text
    }
}

fn insert_constant(state: &mut Constructors, constant: Cell) -> Result<(), NotRegular> {
    let covered = state.atomic.iter().any(|primitive| accepts_constant(*primitive, constant));
    if covered {
        return Err(NotRegular::new("a constant is accepted by another clause already"));
    }
    if let Err(place) = state.constants.binary_search(&constant) {
        state.constants.insert(place, constant);
    }
    Ok(())
}

fn accepts_constant(primitive: Primitive, constant: Cell) -> bool {
    let is_atom = constant.tag() == Tag::Atm;
    match primitive {
        Primitive::Int | Primitive::Number => !is_atom,
        Primitive::NonNegative => !is_atom && constant.int_value() >= 0,
        Primitive::Atom => is_atom,
        Primitive::Constant => true,
        _ => false,
    }
}

fn include_primitive(
    state: &mut Constructors,
    any: &mut Option<Primitive>,
    primitive: Primitive,
) -> Result<(), NotRegular> {
    match primitive {
        Primitive::Term | Primitive::Callable | Primitive::Compound | Primitive::Ground => {
            if any.replace(primitive).is_some_and(|other| other != primitive) {
                return Err(NotRegular::new("two clauses for every term of a type overlap"));
            }
        }
        atomic => {
            if state.constants.iter().any(|&constant| accepts_constant(atomic, constant)) {
                return Err(NotRegular::new("a constant is accepted by another clause already"));
            }
            if !state.atomic.contains(&atomic) {
                state.atomic.push(atomic);
            }
        }
    }
    Ok(())
}
