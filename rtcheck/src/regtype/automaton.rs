//! All types of a program: definitions, and the states of one automaton.

use super::Primitive;
use super::definition::{Clause, Constant, Definition, Pattern, TypeExpression};
use super::irregular::{NotRegular, Place};
use super::state::{Shape, State, TypeId, Words};
use super::union::{Item, ItemId, Union};
use crate::term::{Atom, Atoms, Cell, atom};
use cache_core::digest::Digest;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    definitions: FxHashMap<(Atom, usize), Result<Rc<Definition>, NotRegular>>,
    primitives: FxHashMap<Atom, Primitive>,
    /// The module whose type a name without a module is.
    owners: FxHashMap<(Atom, usize), Atom>,
    /// The names of types that another module's type of the same name made longer.
    longer: FxHashMap<(Atom, Atom, usize), Atom>,
    pub(super) shorter: FxHashMap<Atom, Atom>,
    pub(super) items: Vec<Item>,
    pub(super) item_nesting: Vec<u32>,
    pub(super) item_ids: FxHashMap<Item, ItemId>,
    /// The states of unions under the present definitions.
    pub(super) known: FxHashMap<Union, TypeId>,
    /// What is known not to have one.
    pub(super) failed: FxHashMap<Union, NotRegular>,
    /// States by what they accept; never forgotten, so that an identifier means the same terms for ever.
    pub(super) identities: FxHashMap<Digest, TypeId>,
    /// Whether names mean other types than before.
    changed: bool,
    pub(super) digests: Vec<Digest>,
    pub(super) shapes: Vec<Shape<TypeId>>,
    pub(super) names: Vec<String>,
    states: Vec<State>,
    arguments: Vec<TypeId>,
    /// The words of the arguments' states.
    words: Vec<Words>,
    structures: Vec<(Cell, u32)>,
    constants: Vec<Cell>,
    boxed: FxHashMap<TypeId, Vec<Vec<Cell>>>,
}

impl Types {
    /// The primitive types and those of Ciao's library that are made of them.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> Self {
        let mut types = Self {
            definitions: FxHashMap::default(),
            primitives: FxHashMap::default(),
            owners: FxHashMap::default(),
            longer: FxHashMap::default(),
            shorter: FxHashMap::default(),
            items: Vec::new(),
            item_nesting: Vec::new(),
            item_ids: FxHashMap::default(),
            known: FxHashMap::default(),
            failed: FxHashMap::default(),
            identities: FxHashMap::default(),
            changed: false,
            digests: Vec::new(),
            shapes: Vec::new(),
            names: Vec::new(),
            states: Vec::new(),
            arguments: Vec::new(),
            words: Vec::new(),
            structures: Vec::new(),
            constants: Vec::new(),
            boxed: FxHashMap::default(),
        };
        for (name, primitive) in Primitive::NAMES {
            let name = atoms.intern(name);
            types.primitives.insert(name, primitive);
            types.owners.insert((name, 0), atom::SYSTEM);
        }
        for primitive in Primitive::ALL {
            types.add_primitive(primitive, atoms);
        }
        types.add_words();
        types.define_library(atoms);
        types
    }

    /// The types of Ciao's `basic_props` that have definitions, with today's order of arguments.
    fn define_library(&mut self, atoms: &mut Atoms) {
        let applied = |name: Atom, parameters: Vec<TypeExpression>| TypeExpression::Applied(name, parameters);
        let parameter = || TypeExpression::Parameter(0);
        let of = |expression: TypeExpression| Pattern::Variable(vec![expression]);
        let constant = |name: Atom| Pattern::Constant(Constant::Immediate(Cell::atom(name)));
        let pair = |name: Atom, left: Pattern, right: Pattern| {
            Pattern::Compound(Cell::functor(name, 2), vec![left, right])
        };
        let mut define = |name: Atom, parameters: usize, clauses: Vec<Pattern>| {
            let clauses = clauses
                .into_iter()
                .enumerate()
                .map(|(position, pattern)| Clause { pattern, position })
                .collect();
            self.owners.insert((name, parameters), atom::SYSTEM);
            self.define(name, Definition { parameters, subject: parameters, clauses });
        };
        let name = |atoms: &mut Atoms, text: &str| atoms.intern(text);
        let simple = |atoms: &mut Atoms, text: &str| applied(atoms.intern(text), Vec::new());

        let any = Pattern::Variable(Vec::new());
        let list = |element: TypeExpression| applied(atom::LIST, vec![element]);
        define(
            atom::LIST,
            0,
            vec![constant(atom::NIL), pair(atom::DOT, any, of(applied(atom::LIST, Vec::new())))],
        );
        define(
            atom::LIST,
            1,
            vec![constant(atom::NIL), pair(atom::DOT, of(parameter()), of(list(parameter())))],
        );
        let nlist = name(atoms, "nlist");
        let nested = || of(applied(nlist, vec![parameter()]));
        define(nlist, 1, vec![constant(atom::NIL), pair(atom::DOT, nested(), nested()), of(parameter())]);
        let sequence = name(atoms, "sequence");
        let more = of(applied(sequence, vec![parameter()]));
        define(sequence, 1, vec![of(parameter()), pair(atom::COMMA, of(parameter()), more)]);
        define(
            name(atoms, "sequence_or_list"),
            1,
            vec![of(list(parameter())), of(applied(sequence, vec![parameter()]))],
        );
        let codes = list(simple(atoms, "character_code"));
        let strings = simple(atoms, "$string");
        define(name(atoms, "string"), 0, vec![of(codes), of(strings)]);
        let bytes = list(simple(atoms, "int"));
        define(name(atoms, "bytelist"), 0, vec![of(bytes)]);
        let atoms_type = simple(atoms, "atm");
        define(name(atoms, "atm_or_atm_list"), 0, vec![of(atoms_type.clone()), of(list(atoms_type.clone()))]);
        let slash = name(atoms, "/");
        let arity = simple(atoms, "nnegint");
        define(name(atoms, "predname"), 0, vec![pair(slash, of(atoms_type), of(arity))]);
        let specifiers = ["fy", "fx", "yfx", "xfy", "xfx", "yf", "xf"];
        let specifiers = specifiers.map(|text| constant(atoms.intern(text))).to_vec();
        define(name(atoms, "operator_specifier"), 0, specifiers);
        let truth = ["true", "false"].map(|text| constant(atoms.intern(text))).to_vec();
        define(name(atoms, "bool"), 0, truth);
    }

    /// The state of a primitive type.
    #[must_use]
    pub fn primitive(primitive: Primitive) -> TypeId {
        TypeId(primitive as u32)
    }

    /// Gives a module's type the name under which it is known here, which is its own unless another module was
    /// first.
    pub fn claim(&mut self, atoms: &mut Atoms, home: Atom, name: Atom, parameters: usize) -> Atom {
        if *self.owners.entry((name, parameters)).or_insert(home) == home {
            return name;
        }
        *self.longer.entry((home, name, parameters)).or_insert_with(|| {
            self.changed = true;
            let longer = atoms.intern(&format!("{}:{}", atoms.text(home), atoms.text(name)));
            self.shorter.insert(longer, name);
            longer
        })
    }

    /// The name under which a module's type is known here.
    #[must_use]
    pub fn known_as(&self, home: Atom, name: Atom, parameters: usize) -> Atom {
        self.longer.get(&(home, name, parameters)).copied().unwrap_or(name)
    }

    /// Adds or replaces a definition. Any state may depend on a replaced one, so all are worked out again when they
    /// are next asked for; what accepts the same terms as before keeps its identifier.
    pub fn define(&mut self, name: Atom, definition: Definition) {
        let key = (name, definition.parameters);
        self.set_definition(key, Ok(Rc::new(definition)));
    }

    /// Says that the predicate of this name with so many parameters is a property which is not a regular type, and
    /// why; `clause` is the position of the clause that makes it so.
    pub fn define_irregular(&mut self, name: Atom, parameters: usize, clause: usize, reason: NotRegular) {
        let place = Place { name, parameters, clause };
        self.set_definition((name, parameters), Err(reason.at(Some(place))));
    }

    fn set_definition(&mut self, key: (Atom, usize), definition: Result<Rc<Definition>, NotRegular>) {
        if self.definitions.get(&key) != Some(&definition) {
            self.changed |= self.definitions.insert(key, definition).is_some();
            self.known.clear();
            self.failed.clear();
        }
    }

    /// Whether names mean other types than when this was asked last.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The regular definition of a name with a number of parameters.
    #[must_use]
    pub fn definition(&self, name: Atom, parameters: usize) -> Option<&Definition> {
        self.definitions.get(&(name, parameters))?.as_deref().ok()
    }

    /// Whether a name with a number of parameters is a type, regular or not.
    #[must_use]
    pub fn is_type(&self, name: Atom, parameters: usize) -> bool {
        self.meaning(name, parameters).is_some()
    }

    /// What a name stands for: a primitive type, or (`Some(None)`) one with a definition.
    pub(super) fn meaning(&self, name: Atom, parameters: usize) -> Option<Option<Primitive>> {
        if self.definitions.contains_key(&(name, parameters)) {
            return Some(None);
        }
        if parameters == 0 { self.primitives.get(&name).map(|&primitive| Some(primitive)) } else { None }
    }

    pub(super) fn known_definition(
        &self,
        atoms: &Atoms,
        name: Atom,
        parameters: usize,
    ) -> Result<Rc<Definition>, NotRegular> {
        match self.definitions.get(&(name, parameters)) {
            Some(definition) => definition.clone(),
            None => Err(NotRegular::new(format!("unknown type `{}/{}`", atoms.text(name), parameters + 1))),
        }
    }

    /// What a state accepts, as the checker reads it.
    #[inline]
    #[must_use]
    pub fn state(&self, id: TypeId) -> &State {
        &self.states[id.0 as usize]
    }

    /// What a state accepts.
    #[must_use]
    pub fn shape(&self, id: TypeId) -> &Shape<TypeId> {
        &self.shapes[id.0 as usize]
    }

    /// The states of arguments, as [`Types::find_structure`] points into them.
    #[inline]
    #[must_use]
    pub fn arguments(&self) -> &[TypeId] {
        &self.arguments
    }

    /// What a type accepts of words.
    pub(crate) fn words_of(&self, id: TypeId) -> Words {
        let state = self.state(id);
        let range = |(first, count): (u32, u32)| first as usize..(first + count) as usize;
        Words::new(
            id,
            state,
            &self.constants[range(state.constants)],
            &self.structures[range(state.structures)],
        )
    }

    /// What the states of the arguments of a structure with a functor accept of words; if the type with these words lists
    /// it.
    #[inline(always)]
    pub(crate) fn words_of_arguments(&self, words: &Words, functor: Cell) -> Option<&[Words]> {
        let from = match words.of_structure(functor) {
            Some(from) => from,
            None if words.may_list_more() => self.find_structure(self.state(words.id), functor)?,
            None => return None,
        };
        self.words.get(from as usize..)?.get(..functor.arity())
    }

    /// What the states of the head and the tail of a list cell accept of words; if the type with these words lists them.
    #[inline(always)]
    pub(crate) fn words_of_list(&self, words: &Words) -> Option<&[Words; 2]> {
        self.words.get(words.of_list()..)?.first_chunk()
    }

    /// Works out the words of states that were added.
    pub(super) fn add_words(&mut self) {
        let new: Vec<Words> =
            self.arguments[self.words.len()..].iter().map(|&id| self.words_of(id)).collect();
        self.words.extend(new);
    }

    /// Where in [`Types::arguments`] the states of a functor's arguments start, if a state lists it.
    #[inline]
    #[must_use]
    pub fn find_structure(&self, state: &State, functor: Cell) -> Option<u32> {
        let (first, count) = state.structures;
        let structures = &self.structures[first as usize..(first + count) as usize];
        if count <= 8 {
            return structures.iter().find(|(known, _)| *known == functor).map(|&(_, first)| first);
        }
        let found = structures.binary_search_by_key(&functor, |&(known, _)| known).ok()?;
        Some(structures[found].1)
    }

    /// Whether a state lists an atom or a small integer.
    #[inline]
    #[must_use]
    pub fn has_constant(&self, state: &State, cell: Cell) -> bool {
        let (first, count) = state.constants;
        let constants = &self.constants[first as usize..(first + count) as usize];
        if count <= 8 { constants.contains(&cell) } else { constants.binary_search(&cell).is_ok() }
    }

    /// Whether a state lists a number that does not fit into a cell, by its words.
    #[must_use]
    pub fn has_boxed(&self, id: TypeId, words: &[Cell]) -> bool {
        self.boxed.get(&id).is_some_and(|known| known.iter().any(|known| known == words))
    }

    /// The type as it is written.
    #[must_use]
    pub fn name(&self, id: TypeId) -> &str {
        &self.names[id.0 as usize]
    }

    /// How many states there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Adds a state in the form in which the checker reads it. Its arguments' states may come later.
    pub(super) fn add_state(&mut self, name: String, digest: Digest, shape: Shape<TypeId>) {
        let id = TypeId(self.states.len() as u32);
        let list = Cell::functor(atom::DOT, 2);
        let ground = Self::primitive(Primitive::Ground);
        let constants = self.constants.len() as u32;
        let structures = self.structures.len() as u32;
        let mut boxed = Vec::new();
        for constant in &shape.constants {
            match constant {
                Constant::Immediate(cell) => self.constants.push(*cell),
                Constant::Boxed(words) => boxed.push(words.clone()),
            }
        }
        for (&functor, states) in &shape.structures {
            if functor != list {
                self.structures.push((functor, self.arguments.len() as u32));
                self.arguments.extend_from_slice(states);
            }
        }
        let pair =
            shape.structures.get(&list).and_then(|states| <[TypeId; 2]>::try_from(states.as_slice()).ok());
        let pair = pair.or(shape.ground.then_some([ground, ground]));
        let list_states = self.arguments.len() as u32;
        self.arguments.extend(pair.into_iter().flatten());
        self.states.push(State {
            tags: super::state::tags(shape.kinds),
            kinds: shape.kinds,
            ground: shape.ground,
            boxed: !boxed.is_empty(),
            list: pair,
            list_states,
            constants: (constants, self.constants.len() as u32 - constants),
            structures: (structures, self.structures.len() as u32 - structures),
        });
        if !boxed.is_empty() {
            self.boxed.insert(id, boxed);
        }
        self.identities.insert(digest, id);
        self.digests.push(digest);
        self.names.push(name);
        self.shapes.push(shape);
    }
}
