//! Elements of maps, fields of datatypes, and what else is looked at when types are known: type parameters
//! that nothing determined, triggers that leave some out.

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::graph::{BoundVariable, ConstructorId, NodeId, NodeKind};
use crate::resolve::resolver::Resolver;
use crate::resolve::types::{Type, TypeId, TypeVariableId};
use crate::syntax::ast::{ExprId, Quantifier};

/// Makes words of the types of an index, which is given by its number.
type TypesOfIndex<'n, 'a> = dyn Fn(&Resolver<'a>, usize, [TypeId; 2]) -> [String; 2] + 'n;

/// How messages name a map and the types of an index: the one found and the one expected.
pub(super) struct Naming<'n, 'a> {
    pub(super) whole: &'n dyn Fn(&Resolver<'a>) -> (Span, String),
    pub(super) types: &'n TypesOfIndex<'n, 'a>,
}

impl<'a> Resolver<'a> {
    /// Makes the types that nothing determined `int`, or what is known of them, with a warning.
    pub(super) fn settle_open(&mut self, span: Span, holes: &[TypeId]) {
        let int = self.program.types.int();
        for hole in holes {
            let left = self.program.types.shallow(*hole);
            let Type::Hole(_) = self.program.types.get(left) else { continue };
            let name = self.program.types.hole_name(*hole);
            let (chosen, shown) = self.program.types.default_of(left, int);
            self.program.types.unify(left, chosen);
            if let Some(name) = name
                && self.type_errors == 0
            {
                let shown = shown.unwrap_or_else(|| self.show(chosen));
                let message =
                    format!("type parameter {} is ambiguous, instantiating to {shown}", self.text(name));
                self.warning(span, message);
            }
        }
    }

    /// Every type parameter of a quantifier occurs in the type of a bound variable or in each trigger.
    pub(super) fn check_triggers(
        &mut self,
        quantifier: &Quantifier,
        variables: &[TypeVariableId],
        bound: &[BoundVariable],
        node: &dyn Fn(&ExprId) -> NodeId,
    ) {
        for (variable, name) in variables.iter().zip(&quantifier.type_parameters) {
            let types = &self.program.types;
            if bound.iter().any(|it| types.mentions(it.ty, &[*variable])) {
                continue;
            }
            for trigger in quantifier.triggers.iter().filter(|it| !it.negative) {
                let terms: Vec<NodeId> = trigger.terms.iter().map(node).collect();
                let graph = &self.program.graph;
                let types = &self.program.types;
                let mentioned = graph.below(&terms).into_iter().any(|id| {
                    types.mentions(graph.ty(id), &[*variable])
                        || matches!(graph.kind(id), NodeKind::Apply(_, list, _)
                            if list.iter().any(|ty| types.mentions(*ty, &[*variable])))
                });
                if !mentioned {
                    let message = format!(
                        "trigger does not mention {}, which does not occur in variables types either",
                        self.text(name.name)
                    );
                    self.type_error(trigger.span, message);
                }
            }
        }
    }

    /// The applications in the body of a quantifier that its functions forbid as triggers (`{:never_pattern}`), behind
    /// those that it forbids itself. What mentions a variable that is bound further inside could be none anyway.
    pub(super) fn never_triggers(
        &self,
        body: NodeId,
        bound: &[BoundVariable],
        no_triggers: &mut Vec<NodeId>,
    ) {
        let graph = &self.program.graph;
        let inside = bound.last().map_or(0, |last| last.level + 1);
        for id in graph.below(&[body]) {
            let NodeKind::Apply(function, _, _) = graph.kind(id) else { continue };
            if !self.program.functions[*function].never_pattern || no_triggers.contains(&id) {
                continue;
            }
            let further =
                |part: &NodeId| matches!(graph.kind(*part), NodeKind::Bound(it) if it.level >= inside);
            if !graph.below(&[id]).iter().any(further) {
                no_triggers.push(id);
            }
        }
    }

    /// Reports what is no map, by its place and its text.
    fn no_map(&mut self, what: &str, (span, text): (Span, String)) -> (TypeId, Vec<TypeId>) {
        self.type_error(span, format!("{what} applied to a non-map: {text}"));
        (self.program.types.unknown(), Vec::new())
    }

    /// The type of a map's element at indices of given types, each with its place, and the types for which
    /// the map's type parameters stand. `whole` says where the map stands and what it is called.
    pub(super) fn element(
        &mut self,
        (span, map): (Span, TypeId),
        indices: &[(TypeId, Span)],
        what: &str,
        naming: &Naming<'_, 'a>,
    ) -> (TypeId, Vec<TypeId>) {
        let unknown = self.program.types.unknown();
        let types = &self.program.types;
        let map = types.shallow(map);
        // Nearly always there is nothing to be found out.
        if let Type::Map(0, arguments, result) = types.get(map)
            && arguments.len() == indices.len()
            && arguments.iter().zip(indices).all(|(wanted, (found, _))| types.shallow(*found) == *wanted)
        {
            return (*result, Vec::new());
        }
        let (parameters, arguments, result) = match self.program.types.get(map).clone() {
            Type::Map(parameters, arguments, result) => (parameters, arguments, result),
            Type::Unknown => return (unknown, Vec::new()),
            Type::Hole(_) => {
                let used: Vec<TypeId> = indices.iter().map(|(ty, _)| *ty).collect();
                if let Some(element) = self.program.types.used_as_map(map, &used) {
                    return (element, Vec::new());
                }
                return self.no_map(what, (naming.whole)(self));
            }
            _ => return self.no_map(what, (naming.whole)(self)),
        };
        let names = self.map_names.get(&map).cloned().unwrap_or_default();
        let holes: Vec<TypeId> = (0..parameters as usize)
            .map(|index| match names.get(index) {
                Some(name) => self.program.types.hole_named(*name),
                None => self.program.types.hole(),
            })
            .collect();
        let (arguments, result) = self.program.types.open_map(&arguments, result, &holes);
        if arguments.len() != indices.len() {
            let message = format!(
                "wrong number of arguments in {what}: {} instead of {}",
                indices.len(),
                arguments.len()
            );
            self.type_error(span, message);
            return (unknown, Vec::new());
        }
        for (index, ((found, at), expected)) in indices.iter().zip(arguments).enumerate() {
            if !self.program.types.unify(*found, expected) {
                let [found, expected] = (naming.types)(self, index, [*found, expected]);
                let message =
                    format!("invalid type for argument {index} in {what}: {found} (expected: {expected})");
                self.type_error(*at, message);
            }
        }
        (result, holes)
    }

    /// `whole->field`: the field of whichever constructor made the value. If that has none of the name, it is the
    /// field that the first constructor with one has, whatever that is there.
    pub(super) fn read_field(
        &mut self,
        whole: NodeId,
        places: &[(ConstructorId, u32)],
        ty: TypeId,
    ) -> NodeId {
        let mut value = None;
        for (constructor, index) in places {
            let field = self.program.graph.add(NodeKind::Field(*constructor, *index, whole), ty);
            value = Some(self.if_made_by(*constructor, whole, field, value, ty));
        }
        value.unwrap_or(whole)
    }

    /// `whole->(field := value)`: the same constructor with one field changed. If that has none of the name, the
    /// first constructor with one makes the new value, of the other fields of the old one.
    pub(super) fn write_field(
        &mut self,
        whole: NodeId,
        places: &[(ConstructorId, u32)],
        value: NodeId,
        ty: TypeId,
    ) -> NodeId {
        let mut updated = None;
        for (constructor, changed) in places {
            let entity = &self.program.constructors[*constructor];
            let (fields, datatype) = (entity.fields.clone(), entity.datatype);
            let entity = self.program.type_constructors[datatype].clone();
            let arguments = match self.program.types.get(ty) {
                Type::Named(_, arguments) => arguments.clone(),
                _ => Vec::new(),
            };
            let map: FxHashMap<_, _> = entity.parameters.into_iter().zip(arguments).collect();
            let mut parts = Vec::new();
            for (index, (name, field)) in fields.into_iter().enumerate() {
                if index == *changed as usize {
                    parts.push(value);
                    continue;
                }
                let field = self.program.types.substitute(field, &map);
                let places = self.places_of(&entity.constructors, name);
                parts.push(self.read_field(whole, &places, field));
            }
            let made = self.program.graph.add(NodeKind::Construct(*constructor, parts), ty);
            updated = Some(self.if_made_by(*constructor, whole, made, updated, ty));
        }
        updated.unwrap_or(whole)
    }

    /// Where a field stands in the constructors that have it. In the old notation of datatypes constructors may have
    /// fields of one name with different types: then those count that are like the first.
    pub(super) fn places_of(
        &self,
        constructors: &[ConstructorId],
        field: Symbol,
    ) -> Vec<(ConstructorId, u32)> {
        let place = |constructor: &ConstructorId| {
            let fields = &self.program.constructors[*constructor].fields;
            let index = fields.iter().position(|(name, _)| *name == field)?;
            Some((*constructor, u32::try_from(index).unwrap_or(u32::MAX)))
        };
        let mut places: Vec<(ConstructorId, u32)> = constructors.iter().filter_map(place).collect();
        let ty = |(constructor, index): &(ConstructorId, u32)| {
            self.program.constructors[*constructor].fields[*index as usize].1
        };
        let first = places.first().map(ty);
        places.retain(|place| Some(ty(place)) == first);
        places
    }

    /// One node where a constructor made the value, and another one otherwise, if there is another one.
    fn if_made_by(
        &mut self,
        constructor: ConstructorId,
        whole: NodeId,
        then: NodeId,
        otherwise: Option<NodeId>,
        ty: TypeId,
    ) -> NodeId {
        let Some(otherwise) = otherwise else { return then };
        let bool = self.program.types.bool();
        let test = self.program.graph.add(NodeKind::Is(constructor, whole), bool);
        self.program.graph.add(NodeKind::IfThenElse(test, then, otherwise), ty)
    }
}
