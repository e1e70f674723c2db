//! Maps with type parameters: one array for each list of types that they are used at.
//!
//! The map itself is a value of a sort of its own, of which nothing is known but its arrays: two maps
//! whose known arrays are equal may still differ at other types.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::access::Access;
use super::{Translated, Translator};
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, QuantifierNode};
use crate::resolve::types::{Type, TypeId, TypeVariableId};
use crate::smt::term::{Bound, FunctionId as TermFunctionId, Op, Sort, Term, TermId};

/// A map with type parameters at one list of types.
#[derive(Clone)]
pub(super) struct MapInstance {
    kind: InstanceKind,
    arguments: Vec<TypeId>,
}

/// How a map with type parameters is read and written at one list of types.
#[derive(Clone, Copy)]
enum InstanceKind {
    /// By the array at these types.
    Array {
        /// From the map to the array.
        at: TermFunctionId,
        /// The map with another array.
        with: TermFunctionId,
    },
    /// At once.
    Direct(Access),
}

impl MapInstance {
    /// What reads at these types, which no other instance has.
    fn reader(&self) -> TermFunctionId {
        match self.kind {
            InstanceKind::Array { at, .. } => at,
            InstanceKind::Direct(access) => access.read,
        }
    }
}

/// A lambda whose axioms are made at the end, for each instance of its map type.
pub(super) struct PolymorphicLambda {
    pub(super) function: TermFunctionId,
    pub(super) closed: NodeId,
    pub(super) ty: TypeId,
    /// How many instances are done.
    pub(super) done: usize,
}

impl Translator<'_> {
    /// The type arguments of a map type that make its arguments and its result these types.
    pub(super) fn map_arguments(
        &self,
        map: TypeId,
        indices: &[TypeId],
        element: TypeId,
    ) -> Option<Vec<TypeId>> {
        let types = &self.program.types;
        let Type::Map(count, arguments, result) = types.get(map) else { return None };
        let mut found = vec![None; *count as usize];
        for (pattern, actual) in arguments.iter().zip(indices).chain([(result, &element)]) {
            types.match_map(*pattern, *actual, 0, &mut found);
        }
        let int = types.int();
        Some(found.into_iter().map(|ty| ty.unwrap_or(int)).collect())
    }

    /// The sort of a map type with type parameters: nothing is known of it but its arrays.
    pub(super) fn polymorphic_map_sort(&mut self, ty: TypeId) -> Sort {
        Sort::Declared(format!("M@{}", self.shown(ty)))
    }

    /// The functions for a map type with type parameters at a list of types.
    pub(super) fn map_instance(&mut self, map: TypeId, arguments: &[TypeId]) -> Translated<MapInstance> {
        if let Some(instances) = self.map_instances.get(&map)
            && let Some(instance) = instances.iter().find(|it| it.arguments == arguments)
        {
            return Ok(instance.clone());
        }
        let Type::Map(_, parameters, result) = self.program.types.get(map).clone() else {
            return self.unsupported("a map is expected here");
        };
        let (parameters, result) = self.program.types.open_map(&parameters, result, arguments);
        let text = format!("{}{}", self.shown(map), self.shown_list(arguments));
        let kind = if self.by_axioms {
            InstanceKind::Direct(self.declare_access(map, &parameters, result, &text)?)
        } else {
            let array = self.program.types.intern(Type::Map(0, parameters, result));
            let whole = self.sort(map)?;
            let array = self.sort(array)?;
            let at = self.builder.declare(&format!("at@{text}"), vec![whole], array);
            let with = self.builder.declare(&format!("with@{text}"), vec![whole, array], whole);
            InstanceKind::Array { at, with }
        };
        let instance = MapInstance { kind, arguments: arguments.to_vec() };
        if !self.map_instances.contains_key(&map) {
            self.map_order.push(map);
        }
        self.map_instances.entry(map).or_default().push(instance.clone());
        let (name, list) = (self.shown(map), self.shown_list(arguments));
        self.met.maps.entry(name).or_default().insert(list, arguments.to_vec());
        Ok(instance)
    }

    /// The instance of a map with type parameters that a selection or store concerns; none for other maps.
    pub(super) fn instance_of(
        &mut self,
        map: NodeId,
        indices: &[NodeId],
        element: TypeId,
    ) -> Translated<Option<MapInstance>> {
        let ty = self.program.graph.ty(map);
        if !matches!(self.program.types.get(ty), Type::Map(1.., _, _)) {
            return Ok(None);
        }
        let indices: Vec<TypeId> = indices.iter().map(|index| self.program.graph.ty(*index)).collect();
        let Some(arguments) = self.map_arguments(ty, &indices, element) else {
            return self.unsupported("a map is expected here");
        };
        self.map_instance(ty, &arguments).map(Some)
    }

    /// The element of a map with type parameters.
    pub(super) fn read_instance(
        &mut self,
        instance: &MapInstance,
        whole: TermId,
        places: Vec<TermId>,
    ) -> Translated<TermId> {
        Ok(match instance.kind {
            InstanceKind::Array { at, .. } => {
                let mut element = self.builder.term(Term::Apply(at, vec![whole]));
                for place in places {
                    element = self.builder.op(Op::Select, vec![element, place]);
                }
                element
            }
            InstanceKind::Direct(access) => {
                let arguments = std::iter::once(whole).chain(places).collect();
                self.builder.term(Term::Apply(access.read, arguments))
            }
        })
    }

    /// A map with type parameters that has another element.
    pub(super) fn write_instance(
        &mut self,
        instance: &MapInstance,
        whole: TermId,
        places: &[TermId],
        new: TermId,
    ) -> Translated<TermId> {
        Ok(match instance.kind {
            InstanceKind::Array { at, with } => {
                let array = self.builder.term(Term::Apply(at, vec![whole]));
                let array = self.updated_array(array, places, new);
                self.builder.term(Term::Apply(with, vec![whole, array]))
            }
            InstanceKind::Direct(access) => {
                let arguments = std::iter::once(whole).chain(places.iter().copied()).chain([new]).collect();
                self.builder.term(Term::Apply(access.write, arguments))
            }
        })
    }

    /// What is known of stores into maps with type parameters: they change what is read at their types and
    /// nothing else.
    pub(super) fn finish_maps(&mut self) -> Translated<()> {
        for map in self.map_order.clone() {
            let instances = self.map_instances.get(&map).cloned().unwrap_or_default();
            let whole = Bound { name: "map".to_owned(), level: 0, sort: self.sort(map)? };
            for changed in &instances {
                for read in &instances {
                    let mut pairs = read.arguments.iter().zip(&changed.arguments);
                    let same = read.reader() == changed.reader();
                    if !same && !pairs.any(|(a, b)| self.differ(*a, *b)) {
                        continue;
                    }
                    match (changed.kind, read.kind) {
                        (InstanceKind::Direct(changed), InstanceKind::Direct(read)) => {
                            self.access_order.push((changed, read));
                        }
                        (InstanceKind::Array { at, with }, InstanceKind::Array { at: read, .. }) => {
                            self.array_axiom(&whole, (at, with), read);
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// What is read of a map with another array.
    fn array_axiom(
        &mut self,
        whole: &Bound,
        (at, with): (TermFunctionId, TermFunctionId),
        read: TermFunctionId,
    ) {
        let sort = self.builder.query.functions[at].result;
        let array = Bound { name: "array".to_owned(), level: 1, sort };
        let whole_term = self.builder.term(Term::Bound(whole.clone()));
        let array_term = self.builder.term(Term::Bound(array.clone()));
        let new = self.builder.term(Term::Apply(with, vec![whole_term, array_term]));
        let after = self.builder.term(Term::Apply(read, vec![new]));
        let expected =
            if read == at { array_term } else { self.builder.term(Term::Apply(read, vec![whole_term])) };
        let body = self.builder.op(Op::Eq, vec![after, expected]);
        // A store says what it stores; what it keeps is said where someone looks.
        let trigger = if read == at { new } else { after };
        self.axiom(vec![whole.clone(), array], trigger, body);
    }

    /// Whether two types differ for sure: a type that stands for one at which no map is used differs
    /// from those at which one is.
    fn differ(&self, left: TypeId, right: TypeId) -> bool {
        let types = &self.program.types;
        let stands_for =
            |ty: TypeId| self.known.others == Some(ty) || self.known.chosen.values().any(|it| *it == ty);
        let mut work = vec![(left, right)];
        while let Some((left, right)) = work.pop() {
            if left == right {
                continue;
            }
            let used = |ty: &TypeId| {
                self.known.maps.values().flat_map(BTreeMap::values).flatten().any(|it| it == ty)
            };
            match (types.get(left), types.get(right)) {
                (Type::Variable(_), _) | (_, Type::Variable(_)) => {
                    if (stands_for(left) && used(&right)) || (stands_for(right) && used(&left)) {
                        return true;
                    }
                }
                (Type::Named(a, xs), Type::Named(b, ys)) => {
                    if a != b {
                        return true;
                    }
                    work.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Type::Map(m, xs, x), Type::Map(n, ys, y)) => {
                    if m != n || xs.len() != ys.len() {
                        return true;
                    }
                    work.extend(xs.iter().copied().zip(ys.iter().copied()));
                    work.push((*x, *y));
                }
                _ => return true,
            }
        }
        false
    }

    /// `left == right` for expressions of different types.
    pub(super) fn unequal_types(&mut self, left: NodeId, right: NodeId) -> Translated<TermId> {
        let (a, b) = (self.program.graph.ty(left), self.program.graph.ty(right));
        let types = &self.program.types;
        let polymorphic = types.has_polymorphic_map(a) || types.has_polymorphic_map(b);
        if !polymorphic && !types.may_agree(a, b) {
            return Ok(self.builder.bool(false));
        }
        // Whether the types are one is not known, so nothing is known of the values but that it does not matter which of
        // them stands first.
        let mut sides = [(self.sort(a)?, self.done(left)?), (self.sort(b)?, self.done(right)?)];
        sides.sort_by_key(|(sort, _)| *sort);
        let [(first, left), (second, right)] = sides;
        let key = (first, second);
        let function = match self.comparisons.get(&key) {
            Some(function) => *function,
            None => {
                let bool = self.builder.sort(Sort::Bool);
                let function = self.builder.declare("equal@", vec![first, second], bool);
                self.comparisons.insert(key, function);
                function
            }
        };
        Ok(self.builder.term(Term::Apply(function, vec![left, right])))
    }

    /// The axioms of lambdas with type parameters for instances that have none yet; says whether there
    /// were any.
    pub(super) fn polymorphic_lambdas(&mut self) -> Translated<bool> {
        let mut any = false;
        for index in 0..self.polymorphic.len() {
            let PolymorphicLambda { function, closed, ty, done } = self.polymorphic[index];
            let instances = self.map_instances.get(&ty).cloned().unwrap_or_default();
            self.polymorphic[index].done = instances.len();
            for instance in instances.into_iter().skip(done) {
                any = true;
                let NodeKind::Quantifier(lambda) = self.program.graph.kind(closed).clone() else { continue };
                // Of the union of types it says only what it says of each of them.
                if instance.arguments.iter().any(|ty| self.is_of_others(*ty)) {
                    let whole = QuantifierNode { body: self.expanded(lambda.body), ..(*lambda).clone() };
                    if !self.is_parametric(&whole) {
                        continue;
                    }
                }
                let map =
                    lambda.type_parameters.iter().copied().zip(instance.arguments.iter().copied()).collect();
                let plain = self.instantiated_lambda(&lambda, &map);
                self.lambda_axiom(function, ty, Some(&instance), &plain)?;
            }
        }
        Ok(any)
    }

    fn instantiated_lambda(
        &mut self,
        lambda: &QuantifierNode,
        map: &FxHashMap<TypeVariableId, TypeId>,
    ) -> QuantifierNode {
        let body = self.instantiated(lambda.body, map);
        let bound = lambda
            .bound
            .iter()
            .map(|it| BoundVariable { ty: self.program.types.substitute(it.ty, map), ..it.clone() })
            .collect();
        QuantifierNode { type_parameters: Vec::new(), bound, body, ..lambda.clone() }
    }
}
