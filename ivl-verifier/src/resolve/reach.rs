//! What an implementation can reach: the entities whose change can change its verdict, and at the same
//! time everything that is sent to the solver with it.
//!
//! An axiom is reached when one of its triggers consists of reached functions and constants only: the
//! solver instantiates quantifiers by their triggers, so an axiom none of whose triggers can ever be
//! matched cannot take part in a proof. An axiom without triggers is reached through any function or
//! constant that it mentions, and always if it mentions none. The condition of a global variable holds on entry
//! whether the variable is mentioned or not, so it reaches the variable as an axiom with the same words would be
//! reached, and through the global variables that it mentions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::{Id, Marks};
use crate::resolve::graph::{ConstantId, FunctionId, NodeId, NodeKind, VariableId};
use crate::resolve::program::{
    Axiom, AxiomId, CommandKind, ImplementationId, Meaning, Owner, ProcedureId, Program, VariableKind,
};
use crate::resolve::types::{Type, TypeId, TypeNameId};
use crate::syntax::ast::{BinaryOp, Binder};

/// Something that a declaration can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entity {
    Function(FunctionId),
    Constant(ConstantId),
    Global(VariableId),
    Type(TypeNameId),
}

/// What an implementation reaches. Each list is sorted by name; axioms keep the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) functions: Vec<FunctionId>,
    pub(crate) constants: Vec<ConstantId>,
    pub(crate) globals: Vec<VariableId>,
    pub(crate) types: Vec<TypeNameId>,
    pub(crate) axioms: Vec<AxiomId>,
    /// The implementation's own procedure and those it calls.
    pub(crate) procedures: Vec<ProcedureId>,
}

/// Which axioms a query is sent with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axioms {
    /// Those that could take part in a proof.
    #[default]
    Reached,
    /// Those that Boogie leaves where it prunes (`-prune:1`).
    AsPruned,
    /// All, as Boogie sends them where it does not: axioms that contradict each other then prove everything.
    All,
}

/// What the axioms of a program, and the conditions of its global variables, need to be reached; made once per
/// program.
pub(crate) struct AxiomIndex {
    facts: Vec<FactEntry>,
    /// The facts that an entity can help to reach.
    by_entity: FxHashMap<Entity, Vec<usize>>,
    /// The facts that are always reached.
    always: Vec<usize>,
}

/// What is true wherever an implementation begins.
#[derive(Clone, Copy)]
enum Fact {
    Axiom(AxiomId),
    /// The condition of a global variable.
    Condition(VariableId),
}

struct FactEntry {
    fact: Fact,
    /// Reached if all entities of one of these are.
    alternatives: Vec<Vec<Entity>>,
}

impl AxiomIndex {
    /// As Boogie prunes: an axiom in a `uses` clause is reached through its owner, one with
    /// triggers through those, any other one through what it mentions if it says `{:include_dep}`, and
    /// else never.
    pub(crate) fn new(program: &Program, sent: Axioms) -> Self {
        let axioms = program.axioms.iter().map(|(id, axiom)| {
            let alternatives = match sent {
                Axioms::Reached => alternatives(program, axiom.expr),
                Axioms::AsPruned => pruned(program, axiom),
                Axioms::All => vec![Vec::new()],
            };
            FactEntry { fact: Fact::Axiom(id), alternatives }
        });
        let conditions = program.globals.iter().filter_map(|id| {
            let condition = program.variables[*id].condition?;
            let alternatives = match sent {
                Axioms::Reached => alternatives(program, condition),
                // Boogie prunes axioms only.
                Axioms::AsPruned | Axioms::All => vec![Vec::new()],
            };
            Some(FactEntry { fact: Fact::Condition(*id), alternatives })
        });
        let facts: Vec<FactEntry> = axioms.chain(conditions).collect();
        let mut by_entity: FxHashMap<Entity, Vec<usize>> = FxHashMap::default();
        let mut always = Vec::new();
        for (index, entry) in facts.iter().enumerate() {
            for entity in entry.alternatives.iter().flatten() {
                let list = by_entity.entry(*entity).or_default();
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
            if entry.alternatives.iter().any(Vec::is_empty) {
                always.push(index);
            }
        }
        Self { facts, by_entity, always }
    }
}

fn pruned(program: &Program, axiom: &Axiom) -> Vec<Vec<Entity>> {
    let mut found: Vec<Vec<Entity>> = axiom
        .owners
        .iter()
        .map(|owner| {
            vec![match owner {
                Owner::Function(id) => Entity::Function(*id),
                Owner::Constant(id) => Entity::Constant(*id),
            }]
        })
        .collect();
    let mut triggers = Vec::new();
    for node in program.graph.below(&[axiom.expr]) {
        if let NodeKind::Quantifier(quantifier) = program.graph.kind(node) {
            triggers.extend(quantifier.triggers.iter().map(|trigger| symbols(program, trigger)));
        }
    }
    if !triggers.is_empty() {
        found.extend(triggers);
    } else if axiom.include {
        found.extend(symbols(program, &[axiom.expr]).into_iter().map(|entity| vec![entity]));
    }
    // Not even what mentions nothing is always there.
    found.retain(|needed| !needed.is_empty());
    found
}

fn alternatives(program: &Program, axiom: NodeId) -> Vec<Vec<Entity>> {
    let mut found = Vec::new();
    let mut conjuncts = vec![axiom];
    while let Some(node) = conjuncts.pop() {
        match program.graph.kind(node) {
            NodeKind::Binary(BinaryOp::And, a, b) => conjuncts.extend([*a, *b]),
            NodeKind::Quantifier(quantifier)
                if quantifier.binder == Binder::Forall && !quantifier.triggers.is_empty() =>
            {
                for trigger in &quantifier.triggers {
                    found.push(symbols(program, trigger));
                }
            }
            _ => {
                let mentioned = symbols(program, &[node]);
                if mentioned.is_empty() {
                    found.push(Vec::new());
                }
                found.extend(mentioned.into_iter().map(|entity| vec![entity]));
            }
        }
    }
    found
}

/// The functions, constants and global variables that expressions consist of after inlining.
fn symbols(program: &Program, roots: &[NodeId]) -> Vec<Entity> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work = roots.to_vec();
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        match program.graph.kind(node) {
            NodeKind::Constant(id) => found.push(Entity::Constant(*id)),
            NodeKind::Variable(id) if program.variables[*id].kind == VariableKind::Global => {
                found.push(Entity::Global(*id));
            }
            NodeKind::Apply(id, _, _) => match (&program.functions[*id].meaning, program.functions[*id].body)
            {
                (Meaning::Inline, Some(body)) => work.push(body),
                (Meaning::Builtin(_), _) => {}
                _ => found.push(Entity::Function(*id)),
            },
            _ => {}
        }
        program.graph.kind(node).for_each_child(|child| work.push(child));
    }
    found.sort_unstable_by_key(|entity| match entity {
        Entity::Function(id) => (0, id.index()),
        Entity::Constant(id) => (1, id.index()),
        Entity::Global(id) => (2, id.index()),
        Entity::Type(id) => (3, id.index()),
    });
    found.dedup();
    found
}

/// What a walk has come to; handed from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Visited {
    nodes: Marks<NodeId>,
    types: Marks<TypeId>,
    /// For walks over expressions: what is left to be looked at.
    work: Vec<NodeId>,
}

/// Everything that an implementation reaches.
pub(crate) fn reach(
    program: &Program,
    index: &AxiomIndex,
    implementation: ImplementationId,
    visited: &mut Visited,
) -> Reach {
    visited.nodes.clear();
    visited.types.clear();
    let mut walk = Walk {
        program,
        index,
        reached: FxHashSet::default(),
        facts: FxHashSet::default(),
        visited,
        result: Reach::default(),
        work: Vec::new(),
    };
    walk.implementation(implementation);
    for at in &index.always {
        walk.fact(*at);
    }
    walk.run();
    let mut result = walk.result;
    let names = &program.names;
    result.functions.sort_by_key(|id| names.text(program.functions[*id].name));
    result.constants.sort_by_key(|id| names.text(program.constants[*id].name));
    result.globals.sort_by_key(|id| names.text(program.variables[*id].name));
    result.types.sort_by_key(|id| names.text(program.type_constructors[*id].name));
    result.procedures.sort_by_key(|id| names.text(program.procedures[*id].name));
    result.procedures.dedup();
    result.axioms.sort_unstable_by_key(|id| id.index());
    result
}

struct Walk<'p> {
    program: &'p Program,
    index: &'p AxiomIndex,
    reached: FxHashSet<Entity>,
    facts: FxHashSet<usize>,
    visited: &'p mut Visited,
    result: Reach,
    work: Vec<Entity>,
}

impl Walk<'_> {
    fn implementation(&mut self, id: ImplementationId) {
        let program = self.program;
        let implementation = &program.implementations[id];
        self.procedure(implementation.procedure);
        for variable in
            implementation.inputs.iter().chain(&implementation.outputs).chain(&implementation.locals)
        {
            self.variable(*variable);
        }
        for command in implementation.blocks.iter().flat_map(|block| &block.commands) {
            match &command.kind {
                CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, notes, .. } => {
                    self.expr(*expr);
                    if let Some(under) = notes.verified_under {
                        self.expr(under);
                    }
                }
                CommandKind::Assume(expr) => self.expr(*expr),
                // Changes no verdict, so nothing is reached through it.
                CommandKind::Visibility(_) | CommandKind::Observe(_) => {}
                CommandKind::Havoc(variables) | CommandKind::Enter(variables) => {
                    variables.iter().for_each(|it| self.variable(*it));
                }
                CommandKind::Assign(pairs) => {
                    for (variable, value) in pairs {
                        self.variable(*variable);
                        self.expr(*value);
                    }
                }
                CommandKind::Call(call) => {
                    self.procedure(call.callee);
                    call.arguments.iter().for_each(|it| self.expr(*it));
                    call.outputs.iter().for_each(|it| self.variable(*it));
                    call.type_arguments.iter().for_each(|it| self.ty(*it));
                    if let Some(under) = call.notes.verified_under {
                        self.expr(under);
                    }
                }
            }
        }
    }

    fn procedure(&mut self, id: ProcedureId) {
        if self.result.procedures.contains(&id) {
            return;
        }
        self.result.procedures.push(id);
        let procedure = &self.program.procedures[id];
        for variable in procedure.inputs.iter().chain(&procedure.outputs).chain(&procedure.modifies) {
            self.variable(*variable);
        }
        for condition in procedure.requires.iter().chain(&procedure.ensures) {
            self.expr(condition.expr);
        }
    }

    fn variable(&mut self, id: VariableId) {
        let variable = &self.program.variables[id];
        if variable.kind == VariableKind::Global {
            self.entity(Entity::Global(id));
        } else {
            self.ty(variable.ty);
            if let Some(condition) = variable.condition {
                self.expr(condition);
            }
        }
    }

    fn entity(&mut self, entity: Entity) {
        if self.reached.insert(entity) {
            self.work.push(entity);
        }
    }

    fn expr(&mut self, root: NodeId) {
        let program = self.program;
        // A condition of a variable is walked over within the walk that came to the variable.
        let below = self.visited.work.len();
        self.visited.work.push(root);
        while self.visited.work.len() > below
            && let Some(node) = self.visited.work.pop()
        {
            if !self.visited.nodes.insert(node) {
                continue;
            }
            self.ty(program.graph.ty(node));
            let kind = program.graph.kind(node);
            match kind {
                NodeKind::Variable(id) => self.variable(*id),
                NodeKind::Constant(id) => self.entity(Entity::Constant(*id)),
                NodeKind::Apply(id, types, _) => {
                    self.entity(Entity::Function(*id));
                    types.iter().for_each(|it| self.ty(*it));
                }
                NodeKind::Quantifier(quantifier) => quantifier.bound.iter().for_each(|it| self.ty(it.ty)),
                NodeKind::Is(constructor, _)
                | NodeKind::Construct(constructor, _)
                | NodeKind::Field(constructor, _, _) => {
                    self.entity(Entity::Type(program.constructors[*constructor].datatype));
                }
                _ => {}
            }
            kind.for_each_child(|child| self.visited.work.push(child));
        }
    }

    fn ty(&mut self, ty: TypeId) {
        if !self.visited.types.insert(ty) {
            return;
        }
        // The depth of types is bounded by the parser.
        let program = self.program;
        match program.types.get(ty) {
            Type::Named(name, arguments) => {
                self.entity(Entity::Type(*name));
                arguments.iter().for_each(|it| self.ty(*it));
            }
            Type::Map(_, arguments, result) => {
                arguments.iter().for_each(|it| self.ty(*it));
                self.ty(*result);
            }
            _ => {}
        }
    }

    fn fact(&mut self, at: usize) {
        if self.facts.insert(at) {
            match self.index.facts[at].fact {
                Fact::Axiom(id) => {
                    self.result.axioms.push(id);
                    self.expr(self.program.axioms[id].expr);
                }
                Fact::Condition(id) => self.entity(Entity::Global(id)),
            }
        }
    }

    fn run(&mut self) {
        while let Some(entity) = self.work.pop() {
            let program = self.program;
            match entity {
                Entity::Function(id) => {
                    self.result.functions.push(id);
                    let function = &program.functions[id];
                    function.parameters.iter().for_each(|it| self.ty(*it));
                    self.ty(function.result);
                    if let Some(body) = function.body {
                        self.expr(body);
                    }
                }
                Entity::Constant(id) => {
                    self.result.constants.push(id);
                    self.ty(program.constants[id].ty);
                }
                Entity::Global(id) => {
                    self.result.globals.push(id);
                    self.ty(program.variables[id].ty);
                    if let Some(condition) = program.variables[id].condition {
                        self.expr(condition);
                    }
                }
                Entity::Type(id) => {
                    self.result.types.push(id);
                    for constructor in &program.type_constructors[id].constructors {
                        program.constructors[*constructor].fields.iter().for_each(|(_, ty)| self.ty(*ty));
                    }
                }
            }
            for at in self.index.by_entity.get(&entity).into_iter().flatten() {
                let met = self.index.facts[*at]
                    .alternatives
                    .iter()
                    .any(|alternative| alternative.iter().all(|needed| self.reached.contains(needed)));
                if met {
                    self.fact(*at);
                }
            }
        }
    }
}
