//! Resolved expressions as one graph in which equal expressions are one node.
//!
//! Children have smaller ids than their parents, so a pass over a graph is a loop. Nodes have no
//! positions. A bound variable is its name, its type and its *level*, the number of bound variables
//! around its binder where it was read; an occurrence means the innermost binder of that variable. What is
//! free in a quantifier has lower levels than what that binds. A quantifier that was put for a variable
//! keeps its levels below any binder, so levels order binders only once they are
//! [renumbered](Graph::renumbered). `let` is gone: the body refers to the values' nodes directly, which
//! costs nothing since nodes are shared.
//!
//! Length: one type for each form of node, and the one table that all of them are in.

use std::hash::{Hash, Hasher};

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::resolve::types::{Type, TypeId, TypeVariableId, Types};
use crate::syntax::ast::{BinaryOp, Binder, UnaryOp};

crate::base::arena::typed_ids! {
    /// A resolved expression.
    pub(crate) NodeId;
    /// A global variable, parameter, result or local variable.
    pub(crate) VariableId;
    /// A constant.
    pub(crate) ConstantId;
    /// A function.
    pub(crate) FunctionId;
    /// A constructor of a datatype.
    pub(crate) ConstructorId;
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BoundVariable {
    pub(crate) name: Symbol,
    pub(crate) ty: TypeId,
    pub(crate) level: u32,
}

/// The attributes of a quantifier as they were written, each as it stands between its braces, without the colon. For
/// printing alone: quantifiers that differ in nothing else are the same, and have those of the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelled(pub(crate) Vec<Symbol>);

impl PartialEq for Spelled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Spelled {}

impl Hash for Spelled {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A quantifier or lambda.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct QuantifierNode {
    pub(crate) binder: Binder,
    pub(crate) type_parameters: Vec<TypeVariableId>,
    pub(crate) bound: Vec<BoundVariable>,
    /// For each bound variable, the pools whose terms are to be put for it; empty if there are none at all.
    pub(crate) pools: Vec<Vec<Symbol>>,
    /// The weight for the solver, if one was given.
    pub(crate) weight: Option<u32>,
    pub(crate) triggers: Vec<Vec<NodeId>>,
    /// Terms that must not be triggers.
    pub(crate) no_triggers: Vec<NodeId>,
    /// The attributes as text, weights aside, of what stands in a lambda: lambdas that differ in them differ.
    pub(crate) attributes: Option<Symbol>,
    pub(crate) spelled: Spelled,
    pub(crate) body: NodeId,
}

/// A term that is put into a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hint {
    pub(crate) pool: Symbol,
    pub(crate) term: NodeId,
    /// Whether values that are chosen alone put it there, not those that a pool gives (`{:skolem_add_to_pool}`).
    pub(crate) chosen_only: bool,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NodeKind {
    Bool(bool),
    Int(BigInt),
    /// Mantissa and power of ten.
    Real(BigInt, i32),
    BitVector(BigInt, u32),
    Float(String),
    RoundingMode(&'static str),
    Text(String),
    Variable(VariableId),
    /// The value of a variable at one point of an execution; only `lower` makes these.
    Incarnation(VariableId, u32),
    Constant(ConstantId),
    Bound(BoundVariable),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    /// A function, its type arguments, its arguments.
    Apply(FunctionId, Vec<TypeId>, Vec<NodeId>),
    Construct(ConstructorId, Vec<NodeId>),
    Select(NodeId, Vec<NodeId>),
    Store(NodeId, Vec<NodeId>, NodeId),
    Extract(NodeId, u32, u32),
    /// The field at an index of a constructor.
    Field(ConstructorId, u32, NodeId),
    Is(ConstructorId, NodeId),
    Old(NodeId),
    IfThenElse(NodeId, NodeId, NodeId),
    Quantifier(Box<QuantifierNode>),
    /// An expression with terms beside it that are put into pools, from `{:add_to_pool}`. As the body of a
    /// quantifier it puts them there for each value that is chosen or put for the quantifier's variables.
    Hinted(Vec<Hint>, NodeId),
    /// A code expression, by its place in the program's list; gone before keys and queries are made.
    Code(u32),
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) ty: TypeId,
}

impl NodeKind {
    /// Calls a function with each child, in a fixed order: terms of triggers before the body.
    pub(crate) fn for_each_child(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Bool(_)
            | Self::Int(_)
            | Self::Real(..)
            | Self::BitVector(..)
            | Self::Float(_)
            | Self::RoundingMode(_)
            | Self::Text(_)
            | Self::Variable(_)
            | Self::Incarnation(..)
            | Self::Constant(_)
            | Self::Bound(_)
            | Self::Code(_) => {}
            Self::Unary(_, a)
            | Self::Extract(a, _, _)
            | Self::Field(_, _, a)
            | Self::Is(_, a)
            | Self::Old(a) => {
                visit(*a);
            }
            Self::Binary(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Self::Apply(_, _, arguments) | Self::Construct(_, arguments) => {
                arguments.iter().for_each(|it| visit(*it));
            }
            Self::Select(map, indices) => {
                visit(*map);
                indices.iter().for_each(|it| visit(*it));
            }
            Self::Store(map, indices, value) => {
                visit(*map);
                indices.iter().for_each(|it| visit(*it));
                visit(*value);
            }
            Self::IfThenElse(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Self::Quantifier(quantifier) => {
                quantifier.triggers.iter().flatten().for_each(|it| visit(*it));
                quantifier.no_triggers.iter().for_each(|it| visit(*it));
                visit(quantifier.body);
            }
            Self::Hinted(hints, a) => {
                hints.iter().for_each(|hint| visit(hint.term));
                visit(*a);
            }
        }
    }

    /// The same kind with each child replaced.
    pub(crate) fn map_children(&self, mut map: impl FnMut(NodeId) -> NodeId) -> Self {
        let mut all = |ids: &[NodeId]| ids.iter().map(|it| map(*it)).collect::<Vec<_>>();
        match self {
            Self::Bool(_)
            | Self::Int(_)
            | Self::Real(..)
            | Self::BitVector(..)
            | Self::Float(_)
            | Self::RoundingMode(_)
            | Self::Text(_)
            | Self::Variable(_)
            | Self::Incarnation(..)
            | Self::Constant(_)
            | Self::Bound(_)
            | Self::Code(_) => self.clone(),
            Self::Unary(op, a) => Self::Unary(*op, map(*a)),
            Self::Extract(a, high, low) => Self::Extract(map(*a), *high, *low),
            Self::Field(constructor, index, a) => Self::Field(*constructor, *index, map(*a)),
            Self::Is(constructor, a) => Self::Is(*constructor, map(*a)),
            Self::Old(a) => Self::Old(map(*a)),
            Self::Binary(op, a, b) => Self::Binary(*op, map(*a), map(*b)),
            Self::Apply(function, types, arguments) => Self::Apply(*function, types.clone(), all(arguments)),
            Self::Construct(constructor, arguments) => Self::Construct(*constructor, all(arguments)),
            Self::Select(base, indices) => {
                let indices = all(indices);
                Self::Select(map(*base), indices)
            }
            Self::Store(base, indices, value) => {
                let indices = all(indices);
                Self::Store(map(*base), indices, map(*value))
            }
            Self::IfThenElse(a, b, c) => Self::IfThenElse(map(*a), map(*b), map(*c)),
            Self::Quantifier(quantifier) => {
                let triggers = quantifier.triggers.iter().map(|terms| all(terms)).collect();
                let no_triggers = all(&quantifier.no_triggers);
                let body = map(quantifier.body);
                let node = QuantifierNode { triggers, no_triggers, body, ..(**quantifier).clone() };
                Self::Quantifier(Box::new(node))
            }
            Self::Hinted(hints, a) => {
                let hints = hints.iter().map(|hint| Hint { term: map(hint.term), ..*hint }).collect();
                Self::Hinted(hints, map(*a))
            }
        }
    }
}

/// A node, how many variables are bound around it, and what each variable that is free in it means.
type Nested = (NodeId, u32, Vec<NodeId>);

/// Which bound variables are free in expressions, and which expressions have binders inside.
#[derive(Default)]
struct FreeVariables(FxHashMap<NodeId, (Vec<NodeId>, bool)>);

impl FreeVariables {
    /// Looks at an expression and all its parts, which come before it.
    fn learn(&mut self, graph: &Graph, root: NodeId) {
        for id in graph.below(&[root]) {
            let mut free: Vec<NodeId> = Vec::new();
            let mut binds = false;
            let kind = graph.kind(id);
            kind.for_each_child(|child| {
                binds |= self.binds(child);
                for leaf in self.of(child) {
                    if !free.contains(leaf) {
                        free.push(*leaf);
                    }
                }
            });
            match kind {
                NodeKind::Bound(_) => free.push(id),
                NodeKind::Quantifier(quantifier) => {
                    binds = true;
                    free.retain(|leaf| {
                        !matches!(graph.kind(*leaf), NodeKind::Bound(bound) if quantifier.bound.contains(bound))
                    });
                }
                _ => {}
            }
            self.0.insert(id, (free, binds));
        }
    }

    fn of(&self, id: NodeId) -> &[NodeId] {
        self.0.get(&id).map_or(&[], |(free, _)| free)
    }

    fn binds(&self, id: NodeId) -> bool {
        self.0.get(&id).is_some_and(|(_, binds)| *binds)
    }
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// By their ids, and each to be found.
    nodes: IndexSet<Node, FxBuildHasher>,
    /// By variable, its node if there is one: most expressions are names.
    variables: Vec<Option<NodeId>>,
}

impl Graph {
    /// A graph with room for so many nodes.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { nodes: IndexSet::with_capacity_and_hasher(count, FxBuildHasher), variables: Vec::new() }
    }

    /// The node of an expression; the same one for equal expressions.
    pub(crate) fn add(&mut self, kind: NodeKind, ty: TypeId) -> NodeId {
        NodeId::from_index(self.nodes.insert_full(Node { kind, ty }).0)
    }

    /// The node of a variable of a type.
    pub(crate) fn variable(&mut self, id: VariableId, ty: TypeId) -> NodeId {
        if let Some(Some(known)) = self.variables.get(id.index())
            && self.ty(*known) == ty
        {
            return *known;
        }
        let node = self.add(NodeKind::Variable(id), ty);
        if id.index() >= self.variables.len() {
            self.variables.resize((id.index() + 1).next_power_of_two(), None);
        }
        self.variables[id.index()] = Some(node);
        node
    }

    pub(crate) fn kind(&self, id: NodeId) -> &NodeKind {
        &self.nodes[id.index()].kind
    }

    pub(crate) fn ty(&self, id: NodeId) -> TypeId {
        self.nodes[id.index()].ty
    }

    /// An expression without the terms beside it that are put into pools.
    pub(crate) fn unhinted(&self, mut expr: NodeId) -> NodeId {
        while let NodeKind::Hinted(_, inner) = self.kind(expr) {
            expr = *inner;
        }
        expr
    }

    /// The first constant that fits among the premises of an implication, or of an implication behind another one.
    pub(crate) fn candidate(
        &self,
        mut expr: NodeId,
        fits: &dyn Fn(ConstantId) -> bool,
    ) -> Option<ConstantId> {
        while let NodeKind::Binary(BinaryOp::Implies, premise, rest) = self.kind(self.unhinted(expr)) {
            match self.kind(*premise) {
                NodeKind::Constant(id) if fits(*id) => return Some(*id),
                _ => expr = *rest,
            }
        }
        None
    }

    /// Everything that the given expressions consist of, children before parents, each once.
    pub(crate) fn below(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work: Vec<NodeId> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                found.push(id);
                self.kind(id).for_each_child(|child| work.push(child));
            }
        }
        found.sort_unstable_by_key(|id| id.index());
        found
    }

    /// Rebuilds an expression, replacing nodes for which the function gives another one. The function
    /// is asked top-down; where it answers, nothing below is looked at. `memo` may be kept across calls
    /// that use the same function.
    pub(crate) fn replace(
        &mut self,
        root: NodeId,
        memo: &mut FxHashMap<NodeId, NodeId>,
        replacement: &mut dyn FnMut(&mut Self, NodeId) -> Option<NodeId>,
    ) -> NodeId {
        let mut work = vec![(root, false)];
        while let Some((id, ready)) = work.pop() {
            if memo.contains_key(&id) {
                continue;
            }
            if ready {
                let Node { kind, ty } = self.nodes[id.index()].clone();
                let kind = kind.map_children(|child| memo.get(&child).copied().unwrap_or(child));
                let new = self.add(kind, ty);
                memo.insert(id, new);
            } else if let Some(new) = replacement(self, id) {
                memo.insert(id, new);
            } else {
                work.push((id, true));
                self.nodes[id.index()].kind.for_each_child(|child| work.push((child, false)));
            }
        }
        memo.get(&root).copied().unwrap_or(root)
    }

    /// Rebuilds an expression: the given leaves are replaced, and bound variables of level `from` and
    /// above, with their binders, move to level `to` and above.
    pub(crate) fn transplant(
        &mut self,
        root: NodeId,
        leaves: &FxHashMap<NodeId, NodeId>,
        from: u32,
        to: u32,
    ) -> NodeId {
        let level = |level: u32| if level >= from { level - from + to } else { level };
        let moved = |bound: &BoundVariable| BoundVariable { level: level(bound.level), ..bound.clone() };
        let mut memo: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.below(&[root]) {
            let new = match leaves.get(&id) {
                Some(leaf) => *leaf,
                None => {
                    let Node { kind, ty } = self.nodes[id.index()].clone();
                    let mut kind = kind.map_children(|child| memo.get(&child).copied().unwrap_or(child));
                    match &mut kind {
                        NodeKind::Bound(bound) => *bound = moved(bound),
                        NodeKind::Quantifier(quantifier) => {
                            quantifier.bound = quantifier.bound.iter().map(moved).collect();
                        }
                        _ => {}
                    }
                    self.add(kind, ty)
                }
            };
            memo.insert(id, new);
        }
        memo.get(&root).copied().unwrap_or(root)
    }

    /// Rebuilds an expression so that the level of each binder in it is `from` and the number of variables
    /// bound around it *in this expression*; what is free in it stays. Substitution puts whole quantifiers
    /// below others without moving them, so that levels tell nothing of how binders are nested until then.
    ///
    /// A node is rebuilt once for each depth and meaning of what is free in it: once, if nothing was put
    /// where it does not belong.
    pub(crate) fn renumbered(&mut self, root: NodeId, from: u32) -> NodeId {
        let mut free = FreeVariables::default();
        free.learn(self, root);
        let outside = free.of(root).to_vec();
        let start: Nested = (root, from, outside);
        let mut memo: FxHashMap<Nested, NodeId> = FxHashMap::default();
        let mut work = vec![(start.clone(), false)];
        while let Some((nested, ready)) = work.pop() {
            if memo.contains_key(&nested) {
                continue;
            }
            let (id, depth, meanings) = &nested;
            let around: FxHashMap<NodeId, NodeId> =
                free.of(*id).iter().copied().zip(meanings.iter().copied()).collect();
            if let NodeKind::Bound(_) = self.kind(*id) {
                memo.insert(nested.clone(), around.get(id).copied().unwrap_or(*id));
                continue;
            }
            let mut inside = around;
            let mut below = *depth;
            let mut bound = Vec::new();
            if let NodeKind::Quantifier(quantifier) = self.kind(*id).clone() {
                for old in &quantifier.bound {
                    let new = BoundVariable { level: below, ..old.clone() };
                    let old = self.add(NodeKind::Bound(old.clone()), old.ty);
                    inside.insert(old, self.add(NodeKind::Bound(new.clone()), new.ty));
                    bound.push(new);
                    below = below.saturating_add(1);
                }
            }
            let nested_child = |child: NodeId| -> Nested {
                let depth = if free.binds(child) { below } else { 0 };
                let meaning = |leaf: &NodeId| inside.get(leaf).copied().unwrap_or(*leaf);
                (child, depth, free.of(child).iter().map(meaning).collect())
            };
            if !ready {
                work.push((nested.clone(), true));
                self.kind(*id).for_each_child(|child| work.push((nested_child(child), false)));
                continue;
            }
            let Node { kind, ty } = self.nodes[id.index()].clone();
            let mut kind =
                kind.map_children(|child| memo.get(&nested_child(child)).copied().unwrap_or(child));
            if let NodeKind::Quantifier(quantifier) = &mut kind {
                quantifier.bound = bound;
            }
            let new = self.add(kind, ty);
            memo.insert(nested, new);
        }
        memo.get(&start).copied().unwrap_or(root)
    }

    /// Rebuilds an expression with the names of its bound variables replaced by those of their levels, so
    /// that expressions which differ in such names only become one.
    pub(crate) fn rename_bound(&mut self, root: NodeId, name: &mut dyn FnMut(u32) -> Symbol) -> NodeId {
        let mut memo: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.below(&[root]) {
            let Node { kind, ty } = self.nodes[id.index()].clone();
            let mut kind = kind.map_children(|child| memo.get(&child).copied().unwrap_or(child));
            match &mut kind {
                NodeKind::Bound(bound) => bound.name = name(bound.level),
                NodeKind::Quantifier(quantifier) => {
                    quantifier.bound.iter_mut().for_each(|bound| bound.name = name(bound.level));
                }
                _ => {}
            }
            let new = self.add(kind, ty);
            memo.insert(id, new);
        }
        memo.get(&root).copied().unwrap_or(root)
    }

    /// Rebuilds an expression with type variables replaced.
    pub(crate) fn instantiate(
        &mut self,
        types: &mut Types,
        root: NodeId,
        map: &FxHashMap<TypeVariableId, TypeId>,
    ) -> NodeId {
        if map.is_empty() {
            return root;
        }
        let mut memo: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.below(&[root]) {
            let Node { kind, ty } = self.nodes[id.index()].clone();
            let mut kind = kind.map_children(|child| memo.get(&child).copied().unwrap_or(child));
            match &mut kind {
                NodeKind::Bound(bound) => bound.ty = types.substitute(bound.ty, map),
                NodeKind::Apply(_, arguments, _) => {
                    arguments.iter_mut().for_each(|it| *it = types.substitute(*it, map));
                }
                NodeKind::Quantifier(quantifier) => {
                    quantifier.bound.iter_mut().for_each(|it| it.ty = types.substitute(it.ty, map));
                    // Renamed, that is; what is bound is no place for any other type.
                    for parameter in &mut quantifier.type_parameters {
                        if let Some(Type::Variable(new)) = map.get(parameter).map(|new| types.get(*new)) {
                            *parameter = *new;
                        }
                    }
                }
                _ => {}
            }
            let ty = types.substitute(ty, map);
            let new = self.add(kind, ty);
            memo.insert(id, new);
        }
        memo.get(&root).copied().unwrap_or(root)
    }

    /// The largest parts of a lambda that mention no variable bound at the given level or above, in the
    /// order in which a reader meets them; literals and what holds a quantifier are taken apart instead.
    /// Levels are those of [`Self::renumbered`] from that level on.
    pub(crate) fn largest_outside(&self, lambda: NodeId, from: u32) -> Vec<NodeId> {
        let mut inside = rustc_hash::FxHashSet::default();
        for id in self.below(&[lambda]) {
            let mut mentions = match self.kind(id) {
                NodeKind::Bound(bound) => bound.level >= from,
                NodeKind::Quantifier(_) | NodeKind::Code(_) => true,
                _ => self.is_literal(id),
            };
            self.kind(id).for_each_child(|child| {
                mentions |= inside.contains(&child) && !self.is_literal(child);
            });
            if mentions {
                inside.insert(id);
            }
        }
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![lambda];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if inside.contains(&id) {
                let first = work.len();
                self.kind(id).for_each_child(|child| work.push(child));
                work[first..].reverse();
            } else {
                found.push(id);
            }
        }
        found
    }

    fn is_literal(&self, id: NodeId) -> bool {
        matches!(
            self.kind(id),
            NodeKind::Bool(_)
                | NodeKind::Int(_)
                | NodeKind::Real(..)
                | NodeKind::BitVector(..)
                | NodeKind::Float(_)
                | NodeKind::RoundingMode(_)
                | NodeKind::Text(_)
        )
    }

    /// One more than the highest level of a bound variable below the given expressions; 0 if there is none.
    pub(crate) fn levels_below(&self, roots: &[NodeId]) -> u32 {
        let level = |id: NodeId| match self.kind(id) {
            NodeKind::Bound(bound) => bound.level + 1,
            _ => 0,
        };
        self.below(roots).into_iter().map(level).max().unwrap_or(0)
    }

    /// The bound variables and incarnations that occur free in an expression, in the order in which a
    /// reader meets them.
    pub(crate) fn free_leaves(&self, root: NodeId) -> Vec<NodeId> {
        let mut free: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        // Children come first, so what is free in them is known.
        for id in self.below(&[root]) {
            let mut found: Vec<NodeId> = Vec::new();
            match self.kind(id) {
                NodeKind::Bound(_) | NodeKind::Incarnation(..) => found.push(id),
                kind => kind.for_each_child(|child| {
                    for leaf in free.get(&child).into_iter().flatten() {
                        if !found.contains(leaf) {
                            found.push(*leaf);
                        }
                    }
                }),
            }
            if let NodeKind::Quantifier(quantifier) = self.kind(id) {
                found.retain(|leaf| {
                    !matches!(self.kind(*leaf), NodeKind::Bound(bound) if quantifier.bound.contains(bound))
                });
            }
            free.insert(id, found);
        }
        free.remove(&root).unwrap_or_default()
    }
}
