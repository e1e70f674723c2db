//! Dependency checksums: an entity with all that it refers to, directly or not.
//!
//! Functions, constants and types refer to each other through bodies, parameters and fields. Axioms are
//! nobody's dependency here: what is said of an axiom is said by itself (see [`super::proof`]).

use cache_core::deps::{Entity as Declared, Snapshot, Unresolved};
use cache_core::digest::{Confirm, Encoder};
use cache_core::key::Checksum;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::{Program, VariableKind};
use crate::resolve::reach::Entity;
use crate::resolve::types::{Type, TypeId};
use crate::snapshot::checksum::Checksums;

/// The dependency checksums of the functions, constants and types of a program.
#[derive(Debug)]
pub(crate) struct Closures {
    of: FxHashMap<Entity, Confirm>,
    recursive: FxHashSet<FunctionId>,
}

impl Closures {
    /// `None` if names do not tell the declarations apart, which a resolved program never has: nothing may be
    /// compared then. Costs the size of all declarations, each once.
    pub(crate) fn new(program: &Program) -> Option<Self> {
        let mut checksums = Checksums::new(program);
        let mut entities = Vec::new();
        let mut declared = Vec::new();
        // Which function's body mentions which.
        let mut bodies: DiGraph<(), ()> = DiGraph::new();
        for _ in program.functions.ids() {
            bodies.add_node(());
        }
        let mut add = |entity: Entity, checksum: Confirm, mentioned: Vec<Entity>| {
            let mut out = Encoder::new();
            out.nested_confirm(checksum);
            let depends_on = mentioned.into_iter().map(|entity| name(program, entity)).collect();
            let checksum = Checksum::of_encoded(&out);
            declared.push(Declared { name: name(program, entity), checksum, depends_on });
            entities.push(entity);
        };
        for (id, function) in program.functions.iter() {
            let mut mentions = Mentions::new(program);
            function.parameters.iter().for_each(|ty| mentions.ty(*ty));
            mentions.ty(function.result);
            if let Some(body) = function.body {
                mentions.expr(body);
            }
            for entity in &mentions.found {
                if let Entity::Function(mentioned) = entity {
                    bodies.add_edge(NodeIndex::new(id.index()), NodeIndex::new(mentioned.index()), ());
                }
            }
            add(Entity::Function(id), checksums.function(id), mentions.found);
        }
        for (id, constant) in program.constants.iter() {
            let mut mentions = Mentions::new(program);
            mentions.ty(constant.ty);
            add(Entity::Constant(id), checksums.constant(id), mentions.found);
        }
        for (id, constructor) in program.type_constructors.iter() {
            let mut mentions = Mentions::new(program);
            for constructor in &constructor.constructors {
                program.constructors[*constructor].fields.iter().for_each(|(_, ty)| mentions.ty(*ty));
            }
            add(Entity::Type(id), checksums.type_name(id), mentions.found);
        }
        let snapshot = Snapshot::of(declared, Unresolved::Absent).ok()?;
        let checksum = |entity: Entity| snapshot.get(&name(program, entity)).map(|it| it.dependency.confirm);
        let of = entities.into_iter().filter_map(|entity| Some((entity, checksum(entity)?))).collect();
        let recursive = tarjan_scc(&bodies)
            .into_iter()
            .filter(|group| group.len() > 1 || group.iter().any(|it| bodies.contains_edge(*it, *it)))
            .flatten()
            .map(|node| FunctionId::from_index(node.index()))
            .collect();
        Some(Self { of, recursive })
    }

    /// Whether a function's body leads back to it. Other bodies are definitions: whatever is true without
    /// them is as true with them.
    pub(crate) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(&function)
    }

    /// The checksum of an entity with all that it refers to.
    pub(crate) fn entity(&self, entity: Entity) -> Option<Confirm> {
        self.of.get(&entity).copied()
    }

    /// Appends everything that expressions and types refer to, in the order of their names.
    pub(crate) fn mentioned_into(&self, program: &Program, mentions: Mentions<'_>, out: &mut Encoder) {
        let mut found: Vec<(String, Option<Confirm>)> =
            mentions.found.into_iter().map(|it| (name(program, it), self.entity(it))).collect();
        found.sort();
        out.sequence(found.len());
        for (name, checksum) in found {
            out.text(&name);
            match checksum {
                Some(checksum) => {
                    out.some();
                    out.nested_confirm(checksum);
                }
                None => out.none(),
            }
        }
    }
}

/// The name of an entity with its kind: unique in a program.
pub(crate) fn name(program: &Program, entity: Entity) -> String {
    let names = &program.names;
    match entity {
        Entity::Function(id) => format!("function {}", names.text(program.functions[id].name)),
        Entity::Constant(id) => format!("constant {}", names.text(program.constants[id].name)),
        Entity::Global(id) => format!("variable {}", names.text(program.variables[id].name)),
        Entity::Type(id) => format!("type {}", names.text(program.type_constructors[id].name)),
    }
}

/// The functions, constants and types that expressions and types refer to directly; global variables too.
pub(crate) struct Mentions<'p> {
    program: &'p Program,
    pub(crate) found: Vec<Entity>,
    entities: FxHashSet<Entity>,
    nodes: FxHashSet<NodeId>,
    types: FxHashSet<TypeId>,
}

impl<'p> Mentions<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            found: Vec::new(),
            entities: FxHashSet::default(),
            nodes: FxHashSet::default(),
            types: FxHashSet::default(),
        }
    }

    fn add(&mut self, entity: Entity) {
        if self.entities.insert(entity) {
            self.found.push(entity);
        }
    }

    /// What a type refers to.
    pub(crate) fn ty(&mut self, root: TypeId) {
        let mut work = vec![root];
        while let Some(ty) = work.pop() {
            if !self.types.insert(ty) {
                continue;
            }
            match self.program.types.get(ty) {
                Type::Named(name, arguments) => {
                    self.add(Entity::Type(*name));
                    work.extend(arguments);
                }
                Type::Map(_, arguments, result) => {
                    work.extend(arguments);
                    work.push(*result);
                }
                _ => {}
            }
        }
    }

    /// What an expression refers to. The conditions of variables are not part of it.
    pub(crate) fn expr(&mut self, root: NodeId) {
        let program = self.program;
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            if !self.nodes.insert(node) {
                continue;
            }
            self.ty(program.graph.ty(node));
            match program.graph.kind(node) {
                NodeKind::Variable(id) if program.variables[*id].kind == VariableKind::Global => {
                    self.add(Entity::Global(*id));
                }
                NodeKind::Constant(id) => self.add(Entity::Constant(*id)),
                NodeKind::Apply(id, types, _) => {
                    self.add(Entity::Function(*id));
                    types.iter().for_each(|ty| self.ty(*ty));
                }
                NodeKind::Quantifier(quantifier) => quantifier.bound.iter().for_each(|it| self.ty(it.ty)),
                NodeKind::Is(constructor, _)
                | NodeKind::Construct(constructor, _)
                | NodeKind::Field(constructor, _, _) => {
                    self.add(Entity::Type(program.constructors[*constructor].datatype));
                }
                _ => {}
            }
            program.graph.kind(node).for_each_child(|child| work.push(child));
        }
    }
}
