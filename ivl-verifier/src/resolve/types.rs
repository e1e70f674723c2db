//! Resolved types, each once.
//!
//! Type synonyms are gone. A variable bound by a polymorphic map type is a pair of indices (how many
//! map types out, which of its parameters), so that types that differ only in the names of bound
//! variables are one.

mod shape;
mod write;

use rustc_hash::FxHashMap;

use crate::base::arena::{Arena, Id};
use crate::base::names::{Names, Symbol};

crate::base::arena::typed_ids! {
    /// A resolved type.
    pub(crate) TypeId;
    /// A type constructor or datatype.
    pub(crate) TypeNameId;
    /// A type variable of a declaration or a quantifier.
    pub(crate) TypeVariableId;
}

/// A resolved type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// Stands where a type could not be found; fits everything, since an error was reported.
    Unknown,
    Bool,
    Int,
    Real,
    BitVector(u32),
    /// Widths of exponent and significand.
    Float(u32, u32),
    RoundingMode,
    Text,
    Regex,
    /// A type constructor or datatype applied to arguments.
    Named(TypeNameId, Vec<TypeId>),
    /// A map with so many bound type parameters.
    Map(u32, Vec<TypeId>, TypeId),
    /// A parameter of an enclosing map type: how many map types out, which parameter.
    Bound(u32, u32),
    /// A type variable of a declaration or a quantifier.
    Variable(TypeVariableId),
    /// A type that inference has to find.
    Hole(u32),
}

/// Which leaves a type has that something else may be put for.
#[derive(Clone, Copy, Debug, Default)]
struct Leaves {
    holes: bool,
    bound: bool,
    variables: bool,
}

impl Leaves {
    fn and(self, other: Self) -> Self {
        Self {
            holes: self.holes || other.holes,
            bound: self.bound || other.bound,
            variables: self.variables || other.variables,
        }
    }
}

/// The table of types.
#[derive(Clone, Debug)]
pub(crate) struct Types {
    types: Arena<TypeId, Type>,
    leaves: Arena<TypeId, Leaves>,
    index: FxHashMap<Type, TypeId>,
    /// What inference found for each hole.
    holes: Vec<Option<TypeId>>,
    /// The type parameter that each hole stands for, if it does.
    hole_names: Vec<Option<Symbol>>,
    /// What is known of holes.
    shapes: FxHashMap<u32, shape::Shape>,
    /// Bit vectors that are made of others, where the widths are not known.
    concatenations: Vec<shape::Concatenation>,
    /// Whether there is a map with type parameters. Types that are made of others have one only if these have.
    polymorphic_maps: bool,
}

impl Types {
    pub(crate) const UNKNOWN: usize = 0;

    pub(crate) fn new() -> Self {
        let mut types = Self {
            types: Arena::new(),
            leaves: Arena::new(),
            index: FxHashMap::default(),
            holes: Vec::new(),
            hole_names: Vec::new(),
            shapes: FxHashMap::default(),
            concatenations: Vec::new(),
            polymorphic_maps: false,
        };
        types.intern(Type::Unknown);
        types.intern(Type::Bool);
        types.intern(Type::Int);
        types.intern(Type::Real);
        types
    }

    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.index.get(&ty) {
            return *id;
        }
        let leaves = match &ty {
            Type::Hole(_) => Leaves { holes: true, ..Leaves::default() },
            Type::Bound(..) => Leaves { bound: true, ..Leaves::default() },
            Type::Variable(_) => Leaves { variables: true, ..Leaves::default() },
            Type::Named(_, arguments) => self.leaves_of(arguments),
            Type::Map(_, arguments, result) => {
                let (arguments, result) = (self.leaves_of(arguments), self.leaves[*result]);
                arguments.and(result)
            }
            _ => Leaves::default(),
        };
        self.polymorphic_maps |= matches!(ty, Type::Map(1.., _, _));
        self.leaves.push(leaves);
        let id = self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// Whether a program has maps with type parameters; the same before and after it was verified.
    pub(crate) fn has_polymorphic_maps(&self) -> bool {
        self.polymorphic_maps
    }

    fn leaves_of(&self, parts: &[TypeId]) -> Leaves {
        parts.iter().fold(Leaves::default(), |all, part| all.and(self.leaves[*part]))
    }

    pub(crate) fn unknown(&self) -> TypeId {
        TypeId::from_index(Self::UNKNOWN)
    }

    pub(crate) fn bool(&self) -> TypeId {
        TypeId::from_index(1)
    }

    pub(crate) fn int(&self) -> TypeId {
        TypeId::from_index(2)
    }

    pub(crate) fn real(&self) -> TypeId {
        TypeId::from_index(3)
    }

    pub(crate) fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    pub(crate) fn hole(&mut self) -> TypeId {
        let number = u32::try_from(self.holes.len()).unwrap_or(u32::MAX);
        self.holes.push(None);
        self.hole_names.push(None);
        self.intern(Type::Hole(number))
    }

    /// A hole for a type parameter of this name.
    pub(crate) fn hole_named(&mut self, name: Symbol) -> TypeId {
        let hole = self.hole();
        if let Some(last) = self.hole_names.last_mut() {
            *last = Some(name);
        }
        hole
    }

    /// The type parameter that a hole stands for.
    pub(crate) fn hole_name(&self, hole: TypeId) -> Option<Symbol> {
        match self.types[hole] {
            Type::Hole(number) => self.hole_names.get(number as usize).copied().flatten(),
            _ => None,
        }
    }

    /// The type variable that a type is, if it is one.
    pub(crate) fn variable(&self, ty: TypeId) -> Option<TypeVariableId> {
        match self.get(ty) {
            Type::Variable(variable) => Some(*variable),
            _ => None,
        }
    }

    /// The type itself, or what was found for it if it is a hole.
    pub(crate) fn shallow(&self, mut id: TypeId) -> TypeId {
        while let Type::Hole(number) = self.types[id] {
            match self.holes.get(number as usize).copied().flatten() {
                Some(found) => id = found,
                None => break,
            }
        }
        id
    }

    /// Rebuilds a type bottom-up with a function for its leaves, which learns how many map types
    /// enclose the leaf; parts without leaves of the given kind stay. The depth of types is bounded by the
    /// parser's limit on nesting.
    fn rebuild(
        &mut self,
        id: TypeId,
        depth: u32,
        concerned: fn(Leaves) -> bool,
        leaf: &mut dyn FnMut(&mut Self, TypeId, u32) -> TypeId,
    ) -> TypeId {
        if !concerned(self.leaves[id]) {
            return id;
        }
        match self.types[id].clone() {
            Type::Named(name, arguments) => {
                let mut rebuilt = |it| self.rebuild(it, depth, concerned, leaf);
                let arguments = arguments.into_iter().map(&mut rebuilt).collect();
                self.intern(Type::Named(name, arguments))
            }
            Type::Map(parameters, arguments, result) => {
                let mut rebuilt = |it| self.rebuild(it, depth + 1, concerned, leaf);
                let arguments = arguments.into_iter().map(&mut rebuilt).collect();
                let result = rebuilt(result);
                self.intern(Type::Map(parameters, arguments, result))
            }
            _ => leaf(self, id, depth),
        }
    }

    /// Replaces every hole by what was found for it; holes that are left become the given type.
    pub(crate) fn settle(&mut self, id: TypeId, default: Option<TypeId>) -> TypeId {
        self.rebuild(id, 0, |leaves| leaves.holes, &mut |types, leaf, _| {
            let found = types.shallow(leaf);
            match types.get(found) {
                Type::Hole(_) => match default {
                    Some(default) => types.default_of(found, default).0,
                    None => found,
                },
                _ if found == leaf => leaf,
                _ => types.settle(found, default),
            }
        })
    }

    /// Replaces type variables.
    pub(crate) fn substitute(&mut self, id: TypeId, map: &FxHashMap<TypeVariableId, TypeId>) -> TypeId {
        if map.is_empty() {
            return id;
        }
        self.rebuild(id, 0, |leaves| leaves.variables, &mut |types, leaf, depth| match types.get(leaf) {
            Type::Variable(variable) => match map.get(variable) {
                Some(new) => types.shift(*new, depth),
                None => leaf,
            },
            _ => leaf,
        })
    }

    /// A type as it reads that many map types further in.
    fn shift(&mut self, id: TypeId, by: u32) -> TypeId {
        if by == 0 {
            return id;
        }
        self.rebuild(id, 0, |leaves| leaves.bound, &mut |types, leaf, depth| match *types.get(leaf) {
            Type::Bound(out, index) if out >= depth => types.intern(Type::Bound(out + by, index)),
            _ => leaf,
        })
    }

    /// The argument types and the result type of a map type under given type arguments.
    pub(crate) fn open_map(
        &mut self,
        arguments: &[TypeId],
        result: TypeId,
        actual: &[TypeId],
    ) -> (Vec<TypeId>, TypeId) {
        let mut leaf = |types: &mut Self, leaf: TypeId, depth: u32| match *types.get(leaf) {
            Type::Bound(out, index) if out == depth => actual.get(index as usize).copied().unwrap_or(leaf),
            _ => leaf,
        };
        let mut opened = |ty| self.rebuild(ty, 0, |leaves| leaves.bound, &mut leaf);
        (arguments.iter().map(|it| opened(*it)).collect(), opened(result))
    }

    /// Whether two types can be made equal by filling holes; fills them.
    pub(crate) fn unify(&mut self, left: TypeId, right: TypeId) -> bool {
        let (left, right) = (self.shallow(left), self.shallow(right));
        if left == right {
            return true;
        }
        match (self.types[left].clone(), self.types[right].clone()) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Hole(number), _) => self.fill(number, right),
            (_, Type::Hole(number)) => self.fill(number, left),
            (Type::Named(a, xs), Type::Named(b, ys)) => {
                a == b && xs.len() == ys.len() && xs.into_iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            (Type::Map(m, xs, x), Type::Map(n, ys, y)) => {
                m == n
                    && xs.len() == ys.len()
                    && xs.into_iter().zip(ys).all(|(x, y)| self.unify(x, y))
                    && self.unify(x, y)
            }
            _ => false,
        }
    }

    /// Whether two types could be equal for some choice of the type variables in them. Fills no holes.
    pub(crate) fn may_agree(&self, left: TypeId, right: TypeId) -> bool {
        self.agree(left, right, true)
    }

    /// The same, where type parameters of maps stand for themselves only.
    pub(crate) fn comparable(&self, left: TypeId, right: TypeId) -> bool {
        self.agree(left, right, false)
    }

    fn agree(&self, left: TypeId, right: TypeId, instances: bool) -> bool {
        let mut work = vec![(left, right)];
        while let Some((left, right)) = work.pop() {
            let (left, right) = (self.shallow(left), self.shallow(right));
            if left == right {
                continue;
            }
            match (&self.types[left], &self.types[right]) {
                (Type::Hole(number), _) if self.shape_may_agree(*number, right) => {}
                (_, Type::Hole(number)) if self.shape_may_agree(*number, left) => {}
                (Type::Hole(_), _) | (_, Type::Hole(_)) => return false,
                (Type::Unknown, _) | (_, Type::Unknown) => {}
                (Type::Bound(..), _) | (_, Type::Bound(..)) if !instances => return false,
                (Type::Bound(..), _) | (_, Type::Bound(..)) => {}
                (Type::Variable(_), _) | (_, Type::Variable(_)) => {}
                (Type::Named(a, xs), Type::Named(b, ys)) if a == b => {
                    work.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Type::Map(m, xs, x), Type::Map(n, ys, y)) if m == n && xs.len() == ys.len() => {
                    work.extend(xs.iter().copied().zip(ys.iter().copied()));
                    work.push((*x, *y));
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether one of these type variables occurs in a type.
    pub(crate) fn mentions(&self, id: TypeId, variables: &[TypeVariableId]) -> bool {
        self.any_leaf(id, &|leaf, _| matches!(leaf, Type::Variable(variable) if variables.contains(variable)))
    }

    /// How deep a type is nested.
    pub(crate) fn depth(&self, id: TypeId) -> usize {
        // The depth of types is bounded by the parser.
        match &self.types[self.shallow(id)] {
            Type::Named(_, arguments) => 1 + arguments.iter().map(|it| self.depth(*it)).max().unwrap_or(0),
            Type::Map(_, arguments, result) => {
                1 + arguments.iter().chain([result]).map(|it| self.depth(*it)).max().unwrap_or(0)
            }
            _ => 1,
        }
    }

    /// Whether a type is a pattern with something for its variables; finds what.
    pub(crate) fn match_type(
        &self,
        pattern: TypeId,
        actual: TypeId,
        variables: &[TypeVariableId],
        found: &mut FxHashMap<TypeVariableId, TypeId>,
    ) -> bool {
        let mut work = vec![(pattern, actual)];
        while let Some((pattern, actual)) = work.pop() {
            match (&self.types[pattern], &self.types[actual]) {
                (Type::Variable(variable), _) if variables.contains(variable) => {
                    if self.mentions_bound(actual) || *found.entry(*variable).or_insert(actual) != actual {
                        return false;
                    }
                }
                (Type::Named(a, xs), Type::Named(b, ys)) if a == b => {
                    work.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Type::Map(m, xs, x), Type::Map(n, ys, y)) if m == n && xs.len() == ys.len() => {
                    work.extend(xs.iter().copied().zip(ys.iter().copied()));
                    work.push((*x, *y));
                }
                _ if pattern == actual => {}
                _ => return false,
            }
        }
        true
    }

    /// Finds what the parameters of a map type stand for where an argument or result of it has the given
    /// type.
    pub(crate) fn match_map(
        &self,
        pattern: TypeId,
        actual: TypeId,
        depth: u32,
        found: &mut [Option<TypeId>],
    ) {
        let mut work = vec![(pattern, actual, depth)];
        while let Some((pattern, actual, depth)) = work.pop() {
            match (&self.types[pattern], &self.types[actual]) {
                (Type::Bound(out, index), _) if *out == depth => {
                    if let Some(slot) = found.get_mut(*index as usize)
                        && !self.mentions_bound(actual)
                    {
                        slot.get_or_insert(actual);
                    }
                }
                (Type::Named(a, xs), Type::Named(b, ys)) if a == b => {
                    work.extend(xs.iter().zip(ys).map(|(x, y)| (*x, *y, depth)));
                }
                (Type::Map(m, xs, x), Type::Map(n, ys, y)) if m == n && xs.len() == ys.len() => {
                    work.extend(xs.iter().zip(ys).map(|(x, y)| (*x, *y, depth + 1)));
                    work.push((*x, *y, depth + 1));
                }
                _ => {}
            }
        }
    }

    /// The map type with the given type variables as its parameters.
    pub(crate) fn generalize(
        &mut self,
        variables: &[TypeVariableId],
        arguments: &[TypeId],
        result: TypeId,
    ) -> TypeId {
        let mut leaf = |types: &mut Self, leaf: TypeId, depth: u32| match types.get(leaf) {
            Type::Variable(variable) => match variables.iter().position(|it| it == variable) {
                Some(index) => types.intern(Type::Bound(depth, u32::try_from(index).unwrap_or(u32::MAX))),
                None => leaf,
            },
            _ => leaf,
        };
        let mut general = |ty| self.rebuild(ty, 0, |leaves| leaves.variables, &mut leaf);
        let arguments = arguments.iter().map(|it| general(*it)).collect();
        let result = general(result);
        self.intern(Type::Map(u32::try_from(variables.len()).unwrap_or(u32::MAX), arguments, result))
    }

    fn fill(&mut self, number: u32, ty: TypeId) -> bool {
        if self.mentions_hole(ty, number) || self.mentions_bound(ty) || !self.fits_shape(number, ty) {
            return false;
        }
        match self.holes.get_mut(number as usize) {
            Some(slot) => {
                *slot = Some(ty);
                true
            }
            None => false,
        }
    }

    fn any_leaf(&self, id: TypeId, test: &dyn Fn(&Type, u32) -> bool) -> bool {
        let mut work = vec![(id, 0)];
        while let Some((id, depth)) = work.pop() {
            let id = self.shallow(id);
            match &self.types[id] {
                Type::Named(_, arguments) => work.extend(arguments.iter().map(|it| (*it, depth))),
                Type::Map(_, arguments, result) => {
                    work.extend(arguments.iter().map(|it| (*it, depth + 1)));
                    work.push((*result, depth + 1));
                }
                leaf => {
                    if test(leaf, depth) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn mentions_hole(&self, id: TypeId, number: u32) -> bool {
        self.any_leaf(id, &|leaf, _| *leaf == Type::Hole(number))
    }

    /// Whether a type inside a map type mentions a parameter of that map type.
    pub(crate) fn mentions_parameter(&self, id: TypeId, parameter: usize) -> bool {
        let mentioned = |out: u32, index: u32, depth: u32| out == depth && index as usize == parameter;
        self.any_leaf(
            id,
            &|leaf, depth| matches!(leaf, Type::Bound(out, index) if mentioned(*out, *index, depth)),
        )
    }

    fn mentions_bound(&self, id: TypeId) -> bool {
        self.any_leaf(id, &|leaf, depth| matches!(leaf, Type::Bound(out, _) if *out >= depth))
    }

    /// Whether a type variable of a declaration or quantifier occurs in a type.
    pub(crate) fn is_open(&self, id: TypeId) -> bool {
        self.any_leaf(id, &|leaf, _| matches!(leaf, Type::Variable(_)))
    }

    /// Whether a type holds a map with type parameters of its own.
    pub(crate) fn has_polymorphic_map(&self, id: TypeId) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            match &self.types[self.shallow(id)] {
                Type::Named(_, arguments) => work.extend(arguments),
                Type::Map(parameters, arguments, result) => {
                    if *parameters > 0 {
                        return true;
                    }
                    work.extend(arguments);
                    work.push(*result);
                }
                _ => {}
            }
        }
        false
    }

    /// The type as Boogie writes it.
    pub(crate) fn show(&self, id: TypeId, names: &Names, of: &TypeNames) -> String {
        self.show_as_written(id, names, of, &FxHashMap::default())
    }

    /// The same, with the type parameters of maps as they were called where each map was first written.
    pub(crate) fn show_as_written(
        &self,
        id: TypeId,
        names: &Names,
        of: &TypeNames,
        written: &FxHashMap<TypeId, Vec<Symbol>>,
    ) -> String {
        write::shown(self, id, (names, of), written)
    }
}

/// The names behind the ids in types.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeNames {
    pub(crate) constructors: Arena<TypeNameId, Symbol>,
    pub(crate) variables: Arena<TypeVariableId, Symbol>,
}
