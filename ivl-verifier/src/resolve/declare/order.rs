//! The partial order of values, as programs had it before Boogie 3: `a <: b`, and constants that say which others stand
//! directly above them (`const c: T extends a, unique b complete;`).
//!
//! `<:` is a function with a type parameter, and axioms say that it is an order. What a constant says is axioms too, those
//! of Boogie 2: it differs from its parents and is below them, with nothing between; what is above it is above a parent;
//! what is below a `unique` edge is below no other one (a function of what is below tells the edge); and with
//! `complete`, what is below it is below one of the constants that name it.

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::base::source::Span;
use crate::resolve::graph::{
    BoundVariable, ConstantId, FunctionId, NodeId, NodeKind, QuantifierNode, Spelled,
};
use crate::resolve::program::{Axiom, Function, Meaning, Owner};
use crate::resolve::resolver::{FunctionMeaning, Resolver, ValueMeaning};
use crate::resolve::types::{Type, TypeId, TypeVariableId};
use crate::syntax::ast::{BinaryOp, Binder, DeclarationKind, Ident, ORDER, UnaryOp};

/// What says on which edge below a constant something is: no name of a program.
const EDGE: &str = "<: edge";

/// A constant with what stands above it.
struct Ordered {
    id: ConstantId,
    parents: Vec<(bool, ConstantId)>,
    complete: bool,
}

impl Resolver<'_> {
    /// Declares the order, where a program speaks of it.
    pub(super) fn declare_order(&mut self) {
        if self.ast.has_order {
            let id = self.function_of_two(ORDER, true);
            let name = self.program.functions[id].name;
            self.functions.insert(name, FunctionMeaning::Function(id));
        }
    }

    /// Says what holds of it: of all values, and of constants that name others.
    pub(super) fn order_constants(&mut self) {
        let below = self.program.names.find(ORDER).and_then(|name| self.functions.get(&name));
        let Some(FunctionMeaning::Function(below)) = below.copied() else { return };
        let (constants, places) = self.ordered();
        let parents_first = self.refuse_circles(&constants, &places);
        if self.has_errors() {
            return;
        }
        self.doubt_shortcuts(&constants, &places, &parents_first);
        self.is_an_order(below);
        let edge = constants.iter().flat_map(|it| &it.parents).any(|(unique, _)| *unique);
        let edge = edge.then(|| self.function_of_two(EDGE, false));
        for constant in &constants {
            self.above(constant, below);
            if let Some(edge) = edge {
                self.apart(constant, below, edge);
            }
        }
        let mut children: FxHashMap<ConstantId, Vec<ConstantId>> = FxHashMap::default();
        for constant in &constants {
            for (_, parent) in &constant.parents {
                children.entry(*parent).or_default().push(constant.id);
            }
        }
        for constant in constants.iter().filter(|it| it.complete) {
            let children = children.remove(&constant.id).unwrap_or_default();
            self.nothing_else_below(constant.id, &children, below);
        }
    }

    /// A function of two values of a type, to truth values or to that type.
    fn function_of_two(&mut self, name: &str, to_truth: bool) -> FunctionId {
        let name = self.program.names.intern(name);
        let (variable, ty) = self.some_type();
        let result = if to_truth { self.program.types.bool() } else { ty };
        let bound = self.variables(ty, 2);
        self.program.functions.push(Function {
            name,
            type_parameters: vec![variable],
            parameters: vec![ty, ty],
            result,
            body: None,
            bound,
            meaning: Meaning::Declared,
            never_pattern: false,
            identity: false,
        })
    }

    fn some_type(&mut self) -> (TypeVariableId, TypeId) {
        let name = self.program.names.intern("a");
        let variable = self.program.type_names.variables.push(name);
        (variable, self.program.types.intern(Type::Variable(variable)))
    }

    fn variables(&mut self, ty: TypeId, count: u32) -> Vec<BoundVariable> {
        (0..count)
            .map(|level| BoundVariable { name: self.program.names.intern(&format!("x{level}")), ty, level })
            .collect()
    }

    /// The constants that say what is above them, and where, with what is wrong with that.
    fn ordered(&mut self) -> (Vec<Ordered>, Vec<Span>) {
        let ast = self.ast;
        let mut found = Vec::new();
        let mut places = Vec::new();
        let mut ids = self.program.constants.ids();
        for declaration in &ast.declarations {
            let DeclarationKind::Constants { names, order, .. } = &declaration.kind else { continue };
            for (_, id) in names.iter().zip(&mut ids) {
                let Some(order) = order else { continue };
                let mut parents: Vec<(bool, ConstantId)> = Vec::new();
                for (unique, parent) in &order.parents {
                    if let Some(meant) = self.parent(id, *parent, &parents) {
                        parents.push((*unique, meant));
                    }
                }
                places.push(order.parents.first().map_or(declaration.span, |(_, parent)| parent.span));
                found.push(Ordered { id, parents, complete: order.complete });
            }
        }
        (found, places)
    }

    /// The constant that a parent's name means.
    fn parent(
        &mut self,
        child: ConstantId,
        parent: Ident,
        known: &[(bool, ConstantId)],
    ) -> Option<ConstantId> {
        let name = self.text(parent.name).to_owned();
        let message = match self.values.get(&parent.name).copied() {
            None => format!("undeclared identifier: {name}"),
            Some(ValueMeaning::Variable(_)) => "the parent of a constant has to be a constant".to_owned(),
            Some(ValueMeaning::Constant(id)) if id == child => "constant cannot be its own parent".to_owned(),
            Some(ValueMeaning::Constant(id)) if known.iter().any(|(_, it)| *it == id) => {
                format!("{name} occurs more than once as parent")
            }
            Some(ValueMeaning::Constant(id)) => {
                let (found, expected) = (self.program.constants[id].ty, self.program.constants[child].ty);
                if found == expected {
                    return Some(id);
                }
                let (found, expected) = (self.show(found), self.show(expected));
                let message =
                    format!("parent of constant has incompatible type ({found} instead of {expected})");
                self.type_error(parent.span, message);
                return None;
            }
        };
        self.name_error(parent.span, message);
        None
    }

    /// Constants that are above themselves would make everything true. Gives all constants, each behind what is above
    /// it.
    fn refuse_circles(&mut self, constants: &[Ordered], places: &[Span]) -> Vec<ConstantId> {
        let mut above: DiGraph<ConstantId, ()> = DiGraph::new();
        let nodes: Vec<_> = self.program.constants.ids().map(|id| above.add_node(id)).collect();
        for constant in constants {
            for (_, parent) in &constant.parents {
                above.add_edge(nodes[constant.id.index()], nodes[parent.index()], ());
            }
        }
        let components = tarjan_scc(&above);
        let circles = components.iter().filter(|circle| circle.len() > 1);
        let circles: FxHashSet<ConstantId> = circles.flatten().map(|node| above[*node]).collect();
        for (constant, place) in constants.iter().zip(places) {
            if circles.contains(&constant.id) {
                let name = self.text(self.program.constants[constant.id].name).to_owned();
                self.name_error(*place, format!("the constants above {name} lead back to it"));
            }
        }
        components.into_iter().flatten().map(|node| above[node]).collect()
    }

    /// Warns of constants that name a parent and what is above it. Nothing is between a constant and its parent, and
    /// the first of these parents is, and is neither: everything follows from that.
    ///
    /// Cost: of what is above a constant's parents only what is at least as far from the top as one of them is looked at.
    fn doubt_shortcuts(&mut self, constants: &[Ordered], places: &[Span], parents_first: &[ConstantId]) {
        let above: FxHashMap<ConstantId, Vec<ConstantId>> = constants
            .iter()
            .map(|it| (it.id, it.parents.iter().map(|(_, parent)| *parent).collect()))
            .collect();
        let mut depths: FxHashMap<ConstantId, usize> = FxHashMap::default();
        for id in parents_first {
            let parents = above.get(id).into_iter().flatten().filter_map(|parent| depths.get(parent));
            let depth = parents.max().map_or(0, |most| most + 1);
            depths.insert(*id, depth);
        }
        for (constant, place) in constants.iter().zip(places) {
            let Some(parents) = above.get(&constant.id).filter(|it| it.len() > 1) else { continue };
            let Some((lower, upper)) = shortcut(&above, &depths, parents) else { continue };
            let [name, lower, upper] =
                [constant.id, lower, upper].map(|id| self.text(self.program.constants[id].name).to_owned());
            let message = format!(
                "{name} extends {lower} and {upper}, which is above {lower}: nothing is between a constant and what it \
                 extends, so everything can be proved"
            );
            self.doubt(*place, message);
        }
    }

    /// `x <: x`; `x <: y && y <: z ==> x <: z`; `x <: y && y <: x ==> x == y`.
    fn is_an_order(&mut self, below: FunctionId) {
        let bool = self.program.types.bool();
        for count in 1..=3_u32 {
            let (variable, ty) = self.some_type();
            let bound = self.variables(ty, count);
            let graph = &mut self.program.graph;
            let nodes: Vec<NodeId> =
                bound.iter().map(|it| graph.add(NodeKind::Bound(it.clone()), ty)).collect();
            let (trigger, body) = match nodes.as_slice() {
                [x, y, z] => {
                    let [first, second, whole] =
                        [(*x, *y), (*y, *z), (*x, *z)].map(|pair| self.is_below(below, ty, pair));
                    let both = self.both(BinaryOp::And, first, second);
                    (vec![first, second], self.both(BinaryOp::Implies, both, whole))
                }
                [x, y] => {
                    let [first, second] = [(*x, *y), (*y, *x)].map(|pair| self.is_below(below, ty, pair));
                    let both = self.both(BinaryOp::And, first, second);
                    let equal = self.program.graph.add(NodeKind::Binary(BinaryOp::Eq, *x, *y), bool);
                    (vec![first, second], self.both(BinaryOp::Implies, both, equal))
                }
                _ => {
                    let own = self.is_below(below, ty, (nodes[0], nodes[0]));
                    (vec![own], own)
                }
            };
            self.holds(vec![variable], bound, trigger, body, None);
        }
    }

    /// What a constant says of what is above it.
    fn above(&mut self, constant: &Ordered, below: FunctionId) {
        let (ty, own) = self.constant_node(constant.id);
        let bound = self.variables(ty, 1);
        let other = self.program.graph.add(NodeKind::Bound(bound[0].clone()), ty);
        let from_own = self.is_below(below, ty, (own, other));
        let mut all = self.equal(own, other);
        for (_, parent) in &constant.parents {
            let parent = self.constant_node(*parent).1;
            let equal = self.equal(own, parent);
            let bool = self.program.types.bool();
            let differs = self.program.graph.add(NodeKind::Unary(UnaryOp::Not, equal), bool);
            self.axiom(differs, Some(constant.id));
            let directly = self.is_below(below, ty, (own, parent));
            self.axiom(directly, Some(constant.id));
            // Nothing is between.
            let to_parent = self.is_below(below, ty, (other, parent));
            let between = self.both(BinaryOp::And, from_own, to_parent);
            let (is_own, is_parent) = (self.equal(own, other), self.equal(parent, other));
            let an_end = self.both(BinaryOp::Or, is_own, is_parent);
            let body = self.both(BinaryOp::Implies, between, an_end);
            self.holds(Vec::new(), bound.clone(), vec![from_own, to_parent], body, Some(constant.id));
            let above_parent = self.is_below(below, ty, (parent, other));
            all = self.both(BinaryOp::Or, all, above_parent);
        }
        let body = self.both(BinaryOp::Implies, from_own, all);
        self.holds(Vec::new(), bound, vec![from_own], body, Some(constant.id));
    }

    /// What is below an edge that is apart from others is there on that edge.
    fn apart(&mut self, constant: &Ordered, below: FunctionId, edge: FunctionId) {
        for (_, parent) in constant.parents.iter().filter(|(unique, _)| *unique) {
            let (ty, own) = self.constant_node(constant.id);
            let parent = self.constant_node(*parent).1;
            let bound = self.variables(ty, 1);
            let other = self.program.graph.add(NodeKind::Bound(bound[0].clone()), ty);
            let to_own = self.is_below(below, ty, (other, own));
            let told = self.program.graph.add(NodeKind::Apply(edge, vec![ty], vec![parent, other]), ty);
            let this = self.equal(told, own);
            let body = self.both(BinaryOp::Implies, to_own, this);
            self.holds(Vec::new(), bound, vec![to_own], body, Some(constant.id));
        }
    }

    fn nothing_else_below(&mut self, constant: ConstantId, children: &[ConstantId], below: FunctionId) {
        let (ty, own) = self.constant_node(constant);
        let bound = self.variables(ty, 1);
        let other = self.program.graph.add(NodeKind::Bound(bound[0].clone()), ty);
        let to_own = self.is_below(below, ty, (other, own));
        let mut all = self.equal(own, other);
        for child in children {
            let child = self.constant_node(*child).1;
            let below_child = self.is_below(below, ty, (other, child));
            all = self.both(BinaryOp::Or, all, below_child);
        }
        let body = self.both(BinaryOp::Implies, to_own, all);
        self.holds(Vec::new(), bound, vec![to_own], body, Some(constant));
    }

    fn constant_node(&mut self, id: ConstantId) -> (TypeId, NodeId) {
        let ty = self.program.constants[id].ty;
        (ty, self.program.graph.add(NodeKind::Constant(id), ty))
    }

    fn is_below(&mut self, below: FunctionId, ty: TypeId, (a, b): (NodeId, NodeId)) -> NodeId {
        let bool = self.program.types.bool();
        self.program.graph.add(NodeKind::Apply(below, vec![ty], vec![a, b]), bool)
    }

    fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.both(BinaryOp::Eq, a, b)
    }

    fn both(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        let bool = self.program.types.bool();
        self.program.graph.add(NodeKind::Binary(op, a, b), bool)
    }

    /// `forall<types> bound :: {trigger} body`, as an axiom.
    fn holds(
        &mut self,
        type_parameters: Vec<TypeVariableId>,
        bound: Vec<BoundVariable>,
        trigger: Vec<NodeId>,
        body: NodeId,
        owner: Option<ConstantId>,
    ) {
        let bool = self.program.types.bool();
        let quantifier = QuantifierNode {
            binder: Binder::Forall,
            type_parameters,
            bound,
            pools: Vec::new(),
            weight: None,
            triggers: vec![trigger],
            no_triggers: Vec::new(),
            attributes: None,
            spelled: Spelled::default(),
            body,
        };
        let expr = self.program.graph.add(NodeKind::Quantifier(Box::new(quantifier)), bool);
        self.axiom(expr, owner);
    }

    fn axiom(&mut self, expr: NodeId, owner: Option<ConstantId>) {
        let owners = owner.map(Owner::Constant).into_iter().collect();
        self.program.axioms.push(Axiom { expr, include: false, owners, id: None, tracked: None });
    }
}

/// The first of some constants that has another of them above itself, and that other one. `depths` are the longest ways
/// to what has nothing above it.
fn shortcut(
    above: &FxHashMap<ConstantId, Vec<ConstantId>>,
    depths: &FxHashMap<ConstantId, usize>,
    parents: &[ConstantId],
) -> Option<(ConstantId, ConstantId)> {
    let depth = |id: &ConstantId| depths.get(id).copied().unwrap_or(0);
    let least = parents.iter().map(depth).min()?;
    parents.iter().find_map(|lower| {
        let mut seen = FxHashSet::default();
        let mut work = vec![*lower];
        while let Some(at) = work.pop() {
            for next in above.get(&at).into_iter().flatten().filter(|next| depth(next) >= least) {
                if parents.contains(next) {
                    return Some((*lower, *next));
                }
                if seen.insert(*next) {
                    work.push(*next);
                }
            }
        }
        None
    })
}
