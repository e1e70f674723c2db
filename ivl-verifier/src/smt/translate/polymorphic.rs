//! What ranges over types, made finite: the solver has no type variables.
//!
//! Functions and maps with type parameters become one function and one array for each list of types they
//! are used at. A quantifier over types that is *assumed* becomes the conjunction of its instances at the
//! types that are met, which says less than it does. Where it must be *proved*, its type variable becomes
//! a sort of its own about which nothing is known; assumptions are instantiated at that sort too. That
//! sort stands for a type at which no map is used: a store at one type changes nothing at another, which
//! only distinct types allow to say. So the types at which maps are used are proved one by one.
//!
//! It is another sort below each value that is chosen around it ([`super::place`]).
//!
//! Under any other quantifier no one sort will do. There the sort [`super::others`] stands for the union of all
//! types at which no map is used: what is proved of the union holds of each of its parts, provided that
//! the formula is parametric ([`Translator::is_parametric`]). Assumptions are instantiated at the union
//! only if they speak of a single value of the type, which then belongs to one of the parts; definitions
//! also if they are parametric and not recursive ([`Translator::is_defined_at`]). Where none of this fits,
//! an assumption is dropped and a proof fails; so nothing is proved that does not hold of all types.
//!
//! Instances lead to new instances: translation is repeated with what it met until nothing new comes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::met::Uses;
use super::place::Place;
use super::{Translated, Translator, narrow};
use crate::base::arena::Id;
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, QuantifierNode};
use crate::resolve::program::{Function, Meaning};
use crate::resolve::types::{Type, TypeId, TypeVariableId};
use crate::syntax::ast::{BinaryOp, Binder, UnaryOp};

/// How many instances of one quantifier are made at most. Instances that are left out are assumptions
/// that are not made.
const MAX_INSTANCES: usize = 400;
/// How many formulas are looked at to take one apart. What is left whole has worse triggers.
const MAX_PARTS: usize = 4 * MAX_INSTANCES;

/// What was found out of the expressions of a program, which is the same in every query.
#[derive(Default)]
pub(super) struct Facts {
    /// Which hold quantifiers over types.
    type_quantifiers: FxHashMap<NodeId, bool>,
    /// What they are with functions expanded.
    expanded: FxHashMap<NodeId, NodeId>,
    /// What they say with types in the places of type variables.
    instances: FxHashMap<(NodeId, Vec<(TypeVariableId, TypeId)>), NodeId>,
}

/// How a formula is put together from its parts.
enum Plan {
    /// The same form over other parts.
    Rebuild,
    All,
    Any,
}

impl Translator<'_> {
    pub(super) fn instantiated(&mut self, root: NodeId, map: &FxHashMap<TypeVariableId, TypeId>) -> NodeId {
        self.program.graph.instantiate(&mut self.program.types, root, map)
    }

    /// The body of an expanded function at its arguments.
    pub(super) fn expansion(
        &mut self,
        function: &Function,
        types: &[TypeId],
        arguments: &[NodeId],
    ) -> Option<NodeId> {
        let (Meaning::Inline | Meaning::Define, Some(body)) = (&function.meaning, function.body) else {
            return None;
        };
        let map: FxHashMap<_, _> =
            function.type_parameters.iter().copied().zip(types.iter().copied()).collect();
        let body = self.instantiated(body, &map);
        let bound: Vec<BoundVariable> = function
            .bound
            .iter()
            .map(|it| BoundVariable { ty: self.program.types.substitute(it.ty, &map), ..it.clone() })
            .collect();
        let graph = &mut self.program.graph;
        let leaves = bound
            .iter()
            .zip(arguments)
            .map(|(it, argument)| (graph.add(NodeKind::Bound(it.clone()), it.ty), *argument))
            .collect();
        let to = graph.levels_below(arguments);
        Some(graph.transplant(body, &leaves, narrow(bound.len()), to))
    }

    /// The expression with expanded functions replaced wherever they are applied.
    pub(super) fn expanded(&mut self, root: NodeId) -> NodeId {
        if let Some(known) = self.facts.expanded.get(&root) {
            return *known;
        }
        let expanded = self.expanded_anew(root);
        self.facts.expanded.insert(root, expanded);
        expanded
    }

    fn expanded_anew(&mut self, root: NodeId) -> NodeId {
        let mut root = root;
        loop {
            let below = self.program.graph.below(&[root]);
            let mut leaves = FxHashMap::default();
            for id in below {
                if let NodeKind::Apply(function, types, arguments) = self.program.graph.kind(id).clone() {
                    let function = self.program.functions[function].clone();
                    if let Some(expansion) = self.expansion(&function, &types, &arguments) {
                        leaves.insert(id, expansion);
                        break;
                    }
                }
            }
            if leaves.is_empty() {
                return root;
            }
            root = self.program.graph.transplant(root, &leaves, 0, 0);
        }
    }

    /// Which expressions hold a quantifier over types, expanded functions looked through.
    pub(super) fn holds_type_quantifier(&mut self, root: NodeId) -> bool {
        if let Some(known) = self.facts.type_quantifiers.get(&root) {
            return *known;
        }
        for id in self.program.graph.below(&[root]) {
            if self.facts.type_quantifiers.contains_key(&id) {
                continue;
            }
            let kind = self.program.graph.kind(id).clone();
            let mut holds = match &kind {
                NodeKind::Quantifier(quantifier) => {
                    quantifier.binder != Binder::Lambda && !quantifier.type_parameters.is_empty()
                }
                NodeKind::Apply(function, _, _) => {
                    let function = &self.program.functions[*function];
                    match (&function.meaning, function.body) {
                        // Expanded functions do not lead back to themselves, so this ends; how deep it
                        // goes is the number of functions between.
                        (Meaning::Inline | Meaning::Define, Some(body)) => self.holds_type_quantifier(body),
                        _ => false,
                    }
                }
                _ => false,
            };
            kind.for_each_child(|child| {
                holds |= self.facts.type_quantifiers.get(&child).copied().unwrap_or(false);
            });
            self.facts.type_quantifiers.insert(id, holds);
        }
        self.facts.type_quantifiers.get(&root).copied().unwrap_or(false)
    }

    /// A formula without quantifiers over types that may be used at its place instead.
    pub(super) fn without_types(&mut self, root: NodeId, place: Place) -> Translated<NodeId> {
        if !self.holds_type_quantifier(root) {
            return Ok(root);
        }
        self.over_types = true;
        let mut work = vec![(root, place, None)];
        let mut memo: FxHashMap<(NodeId, Place), NodeId> = FxHashMap::default();
        while let Some((id, place, plan)) = work.pop() {
            if memo.contains_key(&(id, place)) {
                continue;
            }
            match plan {
                None => {
                    if !self.holds_type_quantifier(id) {
                        memo.insert((id, place), id);
                        continue;
                    }
                    let (plan, node, parts) = self.plan(id, place)?;
                    let requests = parts.clone();
                    work.push((id, place, Some((plan, node, parts))));
                    work.extend(requests.into_iter().map(|(part, place)| (part, place, None)));
                }
                Some((plan, node, parts)) => {
                    let parts: Vec<NodeId> =
                        parts.iter().map(|part| memo.get(part).copied().unwrap_or(part.0)).collect();
                    let bool = self.program.types.bool();
                    let new = match plan {
                        Plan::Rebuild => self.rebuilt(node, &parts, place),
                        Plan::All | Plan::Any => {
                            let (op, empty) = match plan {
                                Plan::All => (BinaryOp::And, true),
                                _ => (BinaryOp::Or, false),
                            };
                            let graph = &mut self.program.graph;
                            let first = parts.first().copied();
                            let first = first.unwrap_or_else(|| graph.add(NodeKind::Bool(empty), bool));
                            parts
                                .into_iter()
                                .skip(1)
                                .fold(first, |left, right| graph.add(NodeKind::Binary(op, left, right), bool))
                        }
                    };
                    memo.insert((id, place), new);
                }
            }
        }
        Ok(memo.get(&(root, place)).copied().unwrap_or(root))
    }

    /// A formula of the given form with other Boolean parts.
    fn rebuilt(&mut self, node: NodeId, parts: &[NodeId], place: Place) -> NodeId {
        let ty = self.program.graph.ty(node);
        let kind = match (self.program.graph.kind(node).clone(), parts) {
            (NodeKind::Unary(op, _), [a]) => NodeKind::Unary(op, *a),
            (NodeKind::Binary(op, _, _), [a, b]) => NodeKind::Binary(op, *a, *b),
            (NodeKind::IfThenElse(condition, _, _), [a, b]) => NodeKind::IfThenElse(condition, *a, *b),
            (NodeKind::Hinted(mut hints, _), [a]) => {
                hints.retain(|hint| !self.holds_type_quantifier(hint.term));
                NodeKind::Hinted(hints, *a)
            }
            (NodeKind::Quantifier(quantifier), [body]) => {
                let quantifier = QuantifierNode { body: *body, ..*quantifier };
                if quantifier.bound.is_empty() {
                    return *body;
                }
                if (quantifier.binder == Binder::Forall) == place.assumed && quantifier.triggers.is_empty() {
                    return self.taken_apart(&quantifier, ty);
                }
                NodeKind::Quantifier(Box::new(quantifier))
            }
            (kind, _) => kind,
        };
        self.program.graph.add(kind, ty)
    }

    /// A quantifier over values as one for each part of its body. Its instances at several types are such
    /// parts: the solver finds triggers for a quantifier around one of them, but for none around several.
    fn taken_apart(&mut self, quantifier: &QuantifierNode, bool: TypeId) -> NodeId {
        let universal = quantifier.binder == Binder::Forall;
        let mut bodies = self.parts(quantifier.body, universal, &mut { MAX_PARTS });
        if bodies.len() > MAX_INSTANCES {
            bodies = vec![quantifier.body];
        }
        let op = if universal { BinaryOp::And } else { BinaryOp::Or };
        let graph = &mut self.program.graph;
        let mut whole = None;
        for body in bodies {
            let part = QuantifierNode { body, ..quantifier.clone() };
            let part = graph.add(NodeKind::Quantifier(Box::new(part)), bool);
            whole = Some(match whole {
                Some(whole) => graph.add(NodeKind::Binary(op, whole, part), bool),
                None => part,
            });
        }
        whole.unwrap_or(quantifier.body)
    }

    /// Formulas whose conjunction, or disjunction, is a formula; itself if these are not several.
    /// Looks at as many formulas as its budget is.
    fn parts(&mut self, root: NodeId, conjunction: bool, budget: &mut usize) -> Vec<NodeId> {
        let Some(rest) = budget.checked_sub(1) else { return vec![root] };
        *budget = rest;
        let bool = self.program.graph.ty(root);
        match *self.program.graph.kind(root) {
            NodeKind::Unary(UnaryOp::Not, a) => {
                let parts = self.parts(a, !conjunction, budget);
                if parts.len() == 1 {
                    return vec![root];
                }
                let graph = &mut self.program.graph;
                parts.into_iter().map(|it| graph.add(NodeKind::Unary(UnaryOp::Not, it), bool)).collect()
            }
            NodeKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b)
                if (op == BinaryOp::And) == conjunction =>
            {
                let mut parts = self.parts(a, conjunction, budget);
                parts.extend(self.parts(b, conjunction, budget));
                parts
            }
            // One side is taken apart, the other one is repeated.
            NodeKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (left, right) = (self.parts(a, conjunction, budget), self.parts(b, conjunction, budget));
                let graph = &mut self.program.graph;
                let mut both = |a, b| graph.add(NodeKind::Binary(op, a, b), bool);
                if right.len() > 1 {
                    right.into_iter().map(|it| both(a, it)).collect()
                } else if left.len() > 1 {
                    left.into_iter().map(|it| both(it, b)).collect()
                } else {
                    vec![root]
                }
            }
            NodeKind::Binary(BinaryOp::Implies, a, b) if conjunction => {
                let parts = self.parts(b, true, budget);
                if parts.len() == 1 {
                    return vec![root];
                }
                let graph = &mut self.program.graph;
                parts
                    .into_iter()
                    .map(|it| graph.add(NodeKind::Binary(BinaryOp::Implies, a, it), bool))
                    .collect()
            }
            _ => vec![root],
        }
    }

    /// How to do without the quantifiers over types in a formula that holds some: the form to build, a
    /// node of that form, and the parts with their places.
    #[expect(clippy::type_complexity, reason = "three things that belong together once")]
    fn plan(&mut self, id: NodeId, place: Place) -> Translated<(Plan, NodeId, Vec<(NodeId, Place)>)> {
        let bool = self.program.types.bool();
        let kind = self.program.graph.kind(id).clone();
        Ok(match kind {
            NodeKind::Unary(UnaryOp::Not, a) => (Plan::Rebuild, id, vec![(a, place.flipped())]),
            NodeKind::Hinted(_, a) => (Plan::Rebuild, id, vec![(a, place)]),
            NodeKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                (Plan::Rebuild, id, vec![(a, place), (b, place)])
            }
            NodeKind::Binary(BinaryOp::Implies, a, b) => {
                (Plan::Rebuild, id, vec![(a, place.flipped()), (b, place)])
            }
            NodeKind::Binary(op @ (BinaryOp::Iff | BinaryOp::Eq | BinaryOp::Ne), a, b)
                if self.program.graph.ty(a) == bool =>
            {
                let graph = &mut self.program.graph;
                let left = graph.add(NodeKind::Binary(BinaryOp::Implies, a, b), bool);
                let right = graph.add(NodeKind::Binary(BinaryOp::Implies, b, a), bool);
                if op == BinaryOp::Ne {
                    let both = graph.add(NodeKind::Binary(BinaryOp::And, left, right), bool);
                    let not = graph.add(NodeKind::Unary(UnaryOp::Not, both), bool);
                    (Plan::All, not, vec![(not, place)])
                } else {
                    (Plan::All, id, vec![(left, place), (right, place)])
                }
            }
            NodeKind::IfThenElse(condition, a, b) if self.program.graph.ty(a) == bool => {
                if self.holds_type_quantifier(condition) {
                    let graph = &mut self.program.graph;
                    let met = graph.add(NodeKind::Binary(BinaryOp::Implies, condition, a), bool);
                    let unmet = graph.add(NodeKind::Binary(BinaryOp::Or, condition, b), bool);
                    (Plan::All, id, vec![(met, place), (unmet, place)])
                } else {
                    (Plan::Rebuild, id, vec![(a, place), (b, place)])
                }
            }
            NodeKind::Apply(function, types, arguments) => {
                let function = self.program.functions[function].clone();
                match self.expansion(&function, &types, &arguments) {
                    Some(body) => (Plan::All, body, vec![(body, place)]),
                    None => (Plan::Rebuild, self.named(id)?, Vec::new()),
                }
            }
            NodeKind::Quantifier(quantifier) if quantifier.binder != Binder::Lambda => {
                let quantifier = self.plain_triggers(&quantifier)?;
                if quantifier.type_parameters.is_empty() {
                    let body = quantifier.body;
                    // A value is chosen once where a universal formula is proved or an existential one
                    // is assumed.
                    let chosen = (quantifier.binder == Binder::Forall) != place.assumed;
                    let id = self.program.graph.add(NodeKind::Quantifier(Box::new(quantifier)), bool);
                    let chain = self.choice(id, place);
                    let values = self.choices.number(chain);
                    let place = Place { below: place.below || !chosen, values, ..place };
                    (Plan::Rebuild, id, vec![(body, place)])
                } else {
                    self.plan_type_quantifier(id, &quantifier, place)
                }
            }
            _ => (Plan::Rebuild, self.named(id)?, Vec::new()),
        })
    }

    fn plan_type_quantifier(
        &mut self,
        id: NodeId,
        quantifier: &QuantifierNode,
        place: Place,
    ) -> (Plan, NodeId, Vec<(NodeId, Place)>) {
        let universal = quantifier.binder == Binder::Forall;
        let variables = quantifier.type_parameters.clone();
        // What it mentions is looked for in its triggers, too, and an expanded function is never met itself.
        let mut whole = QuantifierNode { body: self.expanded(quantifier.body), ..quantifier.clone() };
        for term in whole.triggers.iter_mut().flatten() {
            *term = self.expanded(*term);
        }
        let chosen = universal != place.assumed;
        let plan = if universal { Plan::All } else { Plan::Any };
        let mut lists = if chosen {
            let others = place.below.then(|| self.others());
            let mut choices = Vec::new();
            let mut all = self.known.map_types();
            for variable in &variables {
                let other = others.unwrap_or_else(|| self.chosen_sort(id, place, *variable));
                if !all.contains(&other) {
                    all.push(other);
                }
                choices.push(all.clone());
            }
            let lists = product(&choices, MAX_INSTANCES + 1);
            if lists.len() > MAX_INSTANCES || place.below && !self.is_parametric(&whole) {
                // Some instances do not say that all hold: assumed, it says nothing; proved, it fails.
                let bool = self.program.types.bool();
                let constant = self.program.graph.add(NodeKind::Bool(place.assumed), bool);
                return (Plan::All, id, vec![(constant, place)]);
            }
            lists
        } else {
            // What is met may be the union of types: what is said of several values of one type does not
            // hold of values of its different parts.
            let lists = self.instances(&whole);
            lists.into_iter().filter(|list| !list.iter().any(|ty| self.is_of_others(*ty))).collect()
        };
        if !chosen
            && variables.len() == 1
            && let Some(others) = self.known.others
            && self.is_about_one_value(&whole)
        {
            lists.push(vec![others]);
        }
        let mut parts = Vec::new();
        for list in lists {
            let part = self.instance(&whole, &list);
            if !parts.contains(&(part, place)) {
                parts.push((part, place));
            }
        }
        (plan, id, parts)
    }

    fn instance(&mut self, quantifier: &QuantifierNode, types: &[TypeId]) -> NodeId {
        let bool = self.program.types.bool();
        let plain = QuantifierNode { type_parameters: Vec::new(), ..quantifier.clone() };
        let root = if plain.bound.is_empty() {
            plain.body
        } else {
            self.program.graph.add(NodeKind::Quantifier(Box::new(plain)), bool)
        };
        let map = quantifier.type_parameters.iter().copied().zip(types.iter().copied());
        let key = (root, map.collect::<Vec<_>>());
        if let Some(known) = self.facts.instances.get(&key) {
            return *known;
        }
        let instance = self.instantiated(root, &key.1.iter().copied().collect());
        self.facts.instances.insert(key, instance);
        instance
    }

    pub(super) fn fresh_type(&mut self, name: &str) -> TypeId {
        let symbol = self.program.names.intern(name);
        let variable = self.program.type_names.variables.push(symbol);
        self.program.types.intern(Type::Variable(variable))
    }

    /// The types at which an assumed quantifier is instantiated: those at which what it mentions is used.
    fn instances(&mut self, quantifier: &QuantifierNode) -> Vec<Vec<TypeId>> {
        let variables = &quantifier.type_parameters;
        let roots: Vec<NodeId> = if quantifier.triggers.is_empty() {
            vec![quantifier.body]
        } else {
            quantifier.triggers.iter().flatten().copied().collect()
        };
        let graph = &self.program.graph;
        let types = &self.program.types;
        let mut candidates: Vec<BTreeSet<(String, TypeId)>> = vec![BTreeSet::new(); variables.len()];
        let mut patterns: Vec<(Vec<Vec<TypeId>>, Vec<TypeId>)> = Vec::new();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let every_type: Vec<Vec<TypeId>> = self.known.types.values().map(|ty| vec![*ty]).collect();
        let mut collect = |roots: &[NodeId], patterns: &mut Vec<(Vec<Vec<TypeId>>, Vec<TypeId>)>| {
            let mut every: Vec<TypeId> = Vec::new();
            for id in graph.below(roots) {
                if !seen.insert(id) {
                    continue;
                }
                let (uses, list) = match graph.kind(id) {
                    NodeKind::Apply(function, arguments, _) => {
                        let name = self.program.names.text(self.program.functions[*function].name);
                        (self.known_uses(name), arguments.clone())
                    }
                    NodeKind::Select(map, indices) | NodeKind::Store(map, indices, _) => {
                        let ty = graph.ty(*map);
                        if !matches!(types.get(ty), Type::Map(1.., _, _)) || types.mentions(ty, variables) {
                            continue;
                        }
                        let element = match graph.kind(id) {
                            NodeKind::Store(_, _, value) => graph.ty(*value),
                            _ => graph.ty(id),
                        };
                        let indices: Vec<TypeId> = indices.iter().map(|it| graph.ty(*it)).collect();
                        let Some(arguments) = self.map_arguments(ty, &indices, element) else { continue };
                        (self.known.maps.get(&self.shown(ty)), arguments)
                    }
                    // What is made of or taken from a datatype may be of any type that there is.
                    NodeKind::Construct(..) => {
                        every.push(graph.ty(id));
                        continue;
                    }
                    NodeKind::Field(_, _, whole) | NodeKind::Is(_, whole) => {
                        every.push(graph.ty(*whole));
                        continue;
                    }
                    _ => continue,
                };
                if list.iter().any(|ty| types.mentions(*ty, variables)) {
                    let uses = uses.map_or_else(Vec::new, |uses| uses.values().cloned().collect());
                    patterns.push((uses, list));
                }
            }
            every.retain(|ty| types.mentions(*ty, variables));
            every.sort_unstable_by_key(|ty| ty.index());
            every.dedup();
            patterns.extend(every.into_iter().map(|ty| (every_type.clone(), vec![ty])));
        };
        collect(&roots, &mut patterns);
        if patterns.is_empty() {
            collect(&[quantifier.body], &mut patterns);
        }
        let add = |pattern: &[TypeId],
                   actual: &[TypeId],
                   candidates: &mut Vec<BTreeSet<(String, TypeId)>>| {
            let mut found = FxHashMap::default();
            if pattern.len() == actual.len()
                && pattern.iter().zip(actual).all(|(p, a)| types.match_type(*p, *a, variables, &mut found))
            {
                for (variable, set) in variables.iter().zip(candidates) {
                    if let Some(ty) = found.get(variable) {
                        set.insert((self.shown(*ty), *ty));
                    }
                }
            }
        };
        for (uses, pattern) in &patterns {
            for actual in uses {
                add(pattern, actual, &mut candidates);
            }
        }
        let covered: Vec<bool> = variables
            .iter()
            .map(|variable| {
                patterns.iter().any(|(_, list)| list.iter().any(|ty| types.mentions(*ty, &[*variable])))
            })
            .collect();
        for (index, variable) in variables.iter().enumerate() {
            if covered[index] {
                continue;
            }
            // Nothing polymorphic is applied to it: the types of bound variables tell what fits.
            let mut found = Vec::new();
            let bound =
                quantifier.bound.iter().map(|it| it.ty).filter(|ty| types.mentions(*ty, &[*variable]));
            let shapes: Vec<TypeId> = bound.collect();
            for actual in self.known.types.values() {
                let mut map = FxHashMap::default();
                if shapes.is_empty() {
                    found.push(*actual);
                }
                for shape in &shapes {
                    map.clear();
                    if types.match_type(*shape, *actual, variables, &mut map)
                        && let Some(ty) = map.get(variable)
                    {
                        found.push(*ty);
                    }
                }
            }
            candidates[index].extend(found.into_iter().map(|ty| (self.shown(ty), ty)));
        }
        let lists: Vec<Vec<TypeId>> =
            candidates.into_iter().map(|set| set.into_iter().map(|(_, ty)| ty).collect()).collect();
        product(&lists, MAX_INSTANCES)
    }

    fn known_uses(&self, name: &str) -> Option<&Uses> {
        self.known.functions.get(name)
    }
}

/// The combinations of one element of each list, at most so many.
fn product(lists: &[Vec<TypeId>], limit: usize) -> Vec<Vec<TypeId>> {
    let mut found: Vec<Vec<TypeId>> = vec![Vec::new()];
    for list in lists {
        let mut longer = Vec::new();
        for start in &found {
            for ty in list {
                if longer.len() < limit {
                    let mut next = start.clone();
                    next.push(*ty);
                    longer.push(next);
                }
            }
        }
        found = longer;
    }
    found
}
