//! Entity checksums, from the resolved and typed content.
//!
//! A checksum is a confirming digest of canonical bytes, composed of those of its parts, since results
//! meet the disk. It names what an entity refers to by name, kind and type,
//! never by id, and leaves out positions. Attributes count where they mean something to verification
//! or to what is reported.
//!
//! Length: it names every field of every entity, so that a new one cannot be forgotten.

use std::collections::hash_map::Entry;

use cache_core::digest::{Confirm, Encoder};
use cache_core::key::CacheKey;
use rustc_hash::FxHashMap;

use crate::base::arena::{Id, Numbers};
use crate::base::names::Symbol;
use crate::resolve::graph::{
    BoundVariable, ConstantId, FunctionId, Hint, NodeId, NodeKind, QuantifierNode, VariableId,
};
use crate::resolve::program::{
    Axiom, AxiomId, Block, Call, CheckNotes, CheckOrigin, Command, CommandKind, Condition, Constant,
    Constructor, Function, Implementation, ImplementationId, InlineWish, Isolation, Meaning, Observation,
    Procedure, ProcedureId, Program, Transfer, TypeConstructor, Variable, VariableKind, Visibility,
};
use crate::resolve::types::{Type, TypeId, TypeNameId, TypeVariableId};
use crate::syntax::ast::{BinaryOp, Binder, UnaryOp};

/// Digests the entities of one program, each expression and type once.
pub(crate) struct Checksums<'p> {
    program: &'p Program,
    nodes: FxHashMap<NodeId, Confirm>,
    /// Stands for a checksum that is being made.
    pending: Confirm,
    types: FxHashMap<TypeId, Confirm>,
    globals: FxHashMap<VariableId, Confirm>,
    constants: FxHashMap<ConstantId, Confirm>,
    type_names: FxHashMap<TypeNameId, Confirm>,
    functions: FxHashMap<FunctionId, Confirm>,
    axioms: FxHashMap<AxiomId, Confirm>,
    procedures: FxHashMap<ProcedureId, Confirm>,
    /// Whether what is being digested is written out, and what of it was written so far.
    written_out: bool,
    written_nodes: Numbers<NodeId>,
    written_types: Numbers<TypeId>,
    /// For walks over expressions that begin: what is to be looked at, and whether what is below it was.
    work: Vec<(NodeId, bool)>,
    fresh: Vec<NodeId>,
    /// For what is written out next.
    spare: Encoder,
}

impl<'p> Checksums<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            nodes: FxHashMap::default(),
            pending: Encoder::new().confirm(),
            types: FxHashMap::default(),
            globals: FxHashMap::default(),
            constants: FxHashMap::default(),
            type_names: FxHashMap::default(),
            functions: FxHashMap::default(),
            axioms: FxHashMap::default(),
            procedures: FxHashMap::default(),
            written_out: false,
            written_nodes: Numbers::default(),
            written_types: Numbers::default(),
            work: Vec::new(),
            fresh: Vec::new(),
            spare: Encoder::new(),
        }
    }

    /// Begins something whose expressions and types are written out, each part once. Ends with [`Self::end`].
    fn begin(&mut self) -> Encoder {
        self.written_out = true;
        self.written_nodes.clear();
        self.written_types.clear();
        let mut out = std::mem::take(&mut self.spare);
        out.clear();
        out
    }

    fn end(&mut self, out: Encoder) -> Confirm {
        self.written_out = false;
        let digest = out.confirm();
        self.spare = out;
        digest
    }

    fn text(&self, symbol: Symbol) -> &'p str {
        self.program.names.text(symbol)
    }

    /// The type variables in a type count by name: which declaration binds them is clear where they
    /// stand.
    fn variable_name(&self, variable: TypeVariableId) -> &'p str {
        self.text(self.program.type_names.variables[variable])
    }

    fn ty(&mut self, id: TypeId) -> Confirm {
        if let Some(digest) = self.types.get(&id) {
            return *digest;
        }
        // The depth of types is bounded by the parser.
        let mut out = Encoder::new();
        match self.program.types.get(id).clone() {
            Type::Unknown => out.variant(0),
            Type::Bool => out.variant(1),
            Type::Int => out.variant(2),
            Type::Real => out.variant(3),
            Type::BitVector(width) => {
                out.variant(4);
                width.encode(&mut out);
            }
            Type::Float(exponent, significand) => {
                out.variant(5);
                (exponent, significand).encode(&mut out);
            }
            Type::RoundingMode => out.variant(6),
            Type::Text => out.variant(7),
            Type::Regex => out.variant(8),
            Type::Named(name, arguments) => {
                out.variant(9);
                out.text(self.text(self.program.type_constructors[name].name));
                self.nested_types(&arguments, &mut out);
            }
            Type::Map(parameters, arguments, result) => {
                out.variant(10);
                parameters.encode(&mut out);
                self.nested_types(&arguments, &mut out);
                out.nested_confirm(self.ty(result));
            }
            Type::Bound(back, index) => {
                out.variant(11);
                (back, index).encode(&mut out);
            }
            Type::Variable(variable) => {
                out.variant(12);
                out.text(self.variable_name(variable));
            }
            Type::Hole(_) => out.variant(13),
        }
        let digest = out.confirm();
        self.types.insert(id, digest);
        digest
    }

    fn nested_types(&mut self, types: &[TypeId], out: &mut Encoder) {
        out.sequence(types.len());
        for ty in types {
            out.nested_confirm(self.ty(*ty));
        }
    }

    fn type_into(&mut self, id: TypeId, out: &mut Encoder) {
        match self.written_types.get(id).filter(|_| self.written_out) {
            Some(number) => out.variant(number),
            None => {
                out.nested_confirm(self.ty(id));
                if self.written_out {
                    self.written_types.add(id);
                }
            }
        }
    }

    pub(crate) fn type_list(&mut self, types: &[TypeId], out: &mut Encoder) {
        out.sequence(types.len());
        for ty in types {
            self.type_into(*ty, out);
        }
    }

    pub(crate) fn type_parameters(&self, variables: &[TypeVariableId], out: &mut Encoder) {
        out.sequence(variables.len());
        for variable in variables {
            out.text(self.variable_name(*variable));
        }
    }

    /// The checksum of an expression.
    pub(crate) fn expr(&mut self, root: NodeId) -> Confirm {
        if let Some(digest) = self.nodes.get(&root) {
            return *digest;
        }
        // What has none yet: a node whose checksum is known has it for all below it.
        let mut found = Vec::new();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if let Entry::Vacant(place) = self.nodes.entry(id) {
                place.insert(self.pending);
                found.push(id);
                self.program.graph.kind(id).for_each_child(|child| work.push(child));
            }
        }
        // Children come first.
        found.sort_unstable_by_key(|id| id.index());
        let mut digest = self.pending;
        for id in found {
            digest = self.node(id);
            self.nodes.insert(id, digest);
        }
        digest
    }

    /// Writes an expression, or its checksum.
    fn expr_into(&mut self, root: NodeId, out: &mut Encoder) {
        if !self.written_out {
            out.nested_confirm(self.expr(root));
            return;
        }
        let (mut work, mut fresh) = (std::mem::take(&mut self.work), std::mem::take(&mut self.fresh));
        work.push((root, false));
        while let Some((id, ready)) = work.pop() {
            if self.written_nodes.get(id).is_some() {
                continue;
            }
            if ready {
                // Numbers are given in the order in which parts are written.
                self.written_nodes.add(id);
                fresh.push(id);
                continue;
            }
            work.push((id, true));
            let first = work.len();
            self.program.graph.kind(id).for_each_child(|child| work.push((child, false)));
            work[first..].reverse();
        }
        out.sequence(fresh.len());
        for id in fresh.drain(..) {
            self.node_into(id, out);
        }
        self.child(root, out);
        (self.work, self.fresh) = (work, fresh);
    }

    fn child(&self, id: NodeId, out: &mut Encoder) {
        match self.written_nodes.get(id).filter(|_| self.written_out) {
            Some(number) => out.variant(number),
            None => out.nested_confirm(self.nodes[&id]),
        }
    }

    fn children(&self, ids: &[NodeId], out: &mut Encoder) {
        out.sequence(ids.len());
        for id in ids {
            self.child(*id, out);
        }
    }

    fn bound(&mut self, bound: &BoundVariable, out: &mut Encoder) {
        let BoundVariable { name, ty, level } = bound;
        out.text(self.text(*name));
        self.type_into(*ty, out);
        level.encode(out);
    }

    fn node(&mut self, id: NodeId) -> Confirm {
        let mut out = Encoder::new();
        self.node_into(id, &mut out);
        out.confirm()
    }

    /// Writes an expression whose parts are known: those by their numbers, or by their checksums.
    fn node_into(&mut self, id: NodeId, out: &mut Encoder) {
        let program = self.program;
        self.type_into(program.graph.ty(id), out);
        match program.graph.kind(id) {
            NodeKind::Bool(value) => {
                out.variant(0);
                value.encode(out);
            }
            NodeKind::Int(value) => {
                out.variant(1);
                out.text(&value.to_string());
            }
            NodeKind::Real(mantissa, exponent) => {
                out.variant(2);
                out.text(&mantissa.to_string());
                exponent.encode(out);
            }
            NodeKind::BitVector(value, width) => {
                out.variant(3);
                out.text(&value.to_string());
                width.encode(out);
            }
            NodeKind::Float(text) => {
                out.variant(4);
                out.text(text);
            }
            NodeKind::RoundingMode(mode) => {
                out.variant(5);
                out.text(mode);
            }
            NodeKind::Text(text) => {
                out.variant(6);
                out.text(text);
            }
            NodeKind::Variable(variable) => {
                out.variant(7);
                self.variable_name_and_kind(*variable, out);
            }
            NodeKind::Incarnation(variable, number) => {
                out.variant(8);
                self.variable_name_and_kind(*variable, out);
                number.encode(out);
            }
            NodeKind::Constant(constant) => {
                out.variant(9);
                out.text(self.text(program.constants[*constant].name));
            }
            NodeKind::Bound(bound) => {
                out.variant(10);
                self.bound(bound, out);
            }
            NodeKind::Unary(op, a) => {
                out.variant(11);
                out.variant(unary_number(*op));
                self.child(*a, out);
            }
            NodeKind::Binary(op, a, b) => {
                out.variant(12);
                out.variant(binary_number(*op));
                self.child(*a, out);
                self.child(*b, out);
            }
            NodeKind::Apply(function, types, arguments) => {
                out.variant(13);
                out.text(self.text(program.functions[*function].name));
                self.type_list(types, out);
                self.children(arguments, out);
            }
            NodeKind::Construct(constructor, arguments) => {
                out.variant(14);
                out.text(self.text(program.constructors[*constructor].name));
                self.children(arguments, out);
            }
            NodeKind::Select(map, indices) => {
                out.variant(15);
                self.child(*map, out);
                self.children(indices, out);
            }
            NodeKind::Store(map, indices, value) => {
                out.variant(16);
                self.child(*map, out);
                self.children(indices, out);
                self.child(*value, out);
            }
            NodeKind::Extract(a, high, low) => {
                out.variant(17);
                self.child(*a, out);
                (*high, *low).encode(out);
            }
            NodeKind::Field(constructor, index, a) => {
                out.variant(18);
                out.text(self.text(program.constructors[*constructor].name));
                index.encode(out);
                self.child(*a, out);
            }
            NodeKind::Is(constructor, a) => {
                out.variant(19);
                out.text(self.text(program.constructors[*constructor].name));
                self.child(*a, out);
            }
            NodeKind::Old(a) => {
                out.variant(20);
                self.child(*a, out);
            }
            NodeKind::IfThenElse(a, b, c) => {
                out.variant(21);
                self.children(&[*a, *b, *c], out);
            }
            NodeKind::Quantifier(quantifier) => {
                out.variant(22);
                self.quantifier(quantifier, out);
            }
            NodeKind::Code(index) => {
                out.variant(23);
                index.encode(out);
            }
            NodeKind::Hinted(hints, a) => {
                out.variant(24);
                out.sequence(hints.len());
                for Hint { pool, term, chosen_only } in hints {
                    out.text(self.text(*pool));
                    self.child(*term, out);
                    chosen_only.encode(out);
                }
                self.child(*a, out);
            }
        }
    }

    fn quantifier(&mut self, quantifier: &QuantifierNode, out: &mut Encoder) {
        let QuantifierNode {
            binder,
            type_parameters,
            bound,
            pools,
            weight,
            triggers,
            no_triggers,
            attributes,
            // For printing alone.
            spelled: _,
            body,
        } = quantifier;
        out.variant(match binder {
            Binder::Forall => 0,
            Binder::Exists => 1,
            Binder::Lambda => 2,
        });
        self.type_parameters(type_parameters, out);
        out.sequence(bound.len());
        for variable in bound {
            self.bound(variable, out);
        }
        out.sequence(pools.len());
        for names in pools {
            out.sequence(names.len());
            names.iter().for_each(|name| out.text(self.text(*name)));
        }
        weight.encode(out);
        out.sequence(triggers.len());
        for terms in triggers {
            self.children(terms, out);
        }
        self.children(no_triggers, out);
        match attributes {
            None => out.none(),
            Some(attributes) => {
                out.some();
                out.text(self.text(*attributes));
            }
        }
        self.child(*body, out);
    }

    fn variable_name_and_kind(&self, id: VariableId, out: &mut Encoder) {
        let variable = &self.program.variables[id];
        out.text(self.text(variable.name));
        out.variant(kind_number(variable.kind));
    }

    /// A variable with its type and its condition.
    pub(crate) fn variable_into(&mut self, id: VariableId, out: &mut Encoder) {
        let Variable { name, ty, kind, condition, assumption, span: _ } = &self.program.variables[id];
        out.text(self.text(*name));
        self.type_into(*ty, out);
        out.variant(kind_number(*kind));
        assumption.encode(out);
        match condition {
            None => out.none(),
            Some(condition) => {
                out.some();
                self.expr_into(*condition, out);
            }
        }
    }

    fn variables_into(&mut self, ids: &[VariableId], out: &mut Encoder) {
        out.sequence(ids.len());
        for id in ids {
            self.variable_into(*id, out);
        }
    }

    /// The checksum of a global variable.
    pub(crate) fn global(&mut self, id: VariableId) -> Confirm {
        if let Some(digest) = self.globals.get(&id) {
            return *digest;
        }
        let mut out = Encoder::new();
        self.variable_into(id, &mut out);
        let digest = out.confirm();
        self.globals.insert(id, digest);
        digest
    }

    /// The checksum of a constant.
    pub(crate) fn constant(&mut self, id: ConstantId) -> Confirm {
        if let Some(digest) = self.constants.get(&id) {
            return *digest;
        }
        // That it is to be found out shows in the value that is taken for it.
        let Constant { name, ty, unique, existential: _, value } = &self.program.constants[id];
        let mut out = Encoder::new();
        out.text(self.text(*name));
        out.nested_confirm(self.ty(*ty));
        unique.encode(&mut out);
        value.encode(&mut out);
        let digest = out.confirm();
        self.constants.insert(id, digest);
        digest
    }

    /// The checksum of a type constructor or datatype.
    pub(crate) fn type_name(&mut self, id: TypeNameId) -> Confirm {
        if let Some(digest) = self.type_names.get(&id) {
            return *digest;
        }
        let program = self.program;
        let TypeConstructor { name, arity, parameters, constructors, datatype, builtin } =
            &program.type_constructors[id];
        let mut out = Encoder::new();
        out.text(self.text(*name));
        out.u64(*arity as u64);
        self.type_parameters(parameters, &mut out);
        out.sequence(constructors.len());
        for constructor in constructors {
            let Constructor { name, datatype: _, fields } = &program.constructors[*constructor];
            out.text(self.text(*name));
            out.sequence(fields.len());
            for (name, ty) in fields {
                out.text(self.text(*name));
                out.nested_confirm(self.ty(*ty));
            }
        }
        datatype.encode(&mut out);
        builtin.encode(&mut out);
        let digest = out.confirm();
        self.type_names.insert(id, digest);
        digest
    }

    /// The checksum of a function, its body included.
    pub(crate) fn function(&mut self, id: FunctionId) -> Confirm {
        if let Some(digest) = self.functions.get(&id) {
            return *digest;
        }
        // What is never a pattern is told with each quantifier.
        let Function { name, type_parameters, parameters, result, body, bound, meaning, never_pattern: _ } =
            &self.program.functions[id];
        let mut out = self.begin();
        out.text(self.text(*name));
        self.type_parameters(type_parameters, &mut out);
        self.type_list(parameters, &mut out);
        self.type_into(*result, &mut out);
        match body {
            None => out.none(),
            Some(body) => {
                out.some();
                out.sequence(bound.len());
                for variable in bound {
                    self.bound(variable, &mut out);
                }
                self.expr_into(*body, &mut out);
            }
        }
        match meaning {
            Meaning::Declared => out.variant(0),
            Meaning::Builtin(name) => {
                out.variant(1);
                out.text(name);
            }
            Meaning::Inline => out.variant(2),
            Meaning::Define => out.variant(3),
        }
        let digest = self.end(out);
        self.functions.insert(id, digest);
        digest
    }

    /// The checksum of an axiom.
    pub(crate) fn axiom(&mut self, id: AxiomId) -> Confirm {
        if let Some(digest) = self.axioms.get(&id) {
            return *digest;
        }
        // What it belongs to decides whether it is reached, and counts no further.
        let Axiom { expr, include: _, owners: _, id: _, tracked: _ } = &self.program.axioms[id];
        let digest = self.expr(*expr);
        self.axioms.insert(id, digest);
        digest
    }

    fn conditions(&mut self, conditions: &[Condition], out: &mut Encoder) {
        out.sequence(conditions.len());
        for condition in conditions {
            // Messages are told as they are at present, like places: no verdict depends on them.
            let Condition { free, always, assumed_inline, expr, message: _, id: _, span: _ } = condition;
            free.encode(out);
            always.encode(out);
            assumed_inline.encode(out);
            self.expr_into(*expr, out);
        }
    }

    /// The checksum of a procedure: what its implementations and its callers rely on.
    pub(crate) fn procedure(&mut self, id: ProcedureId) -> Confirm {
        if let Some(digest) = self.procedures.get(&id) {
            return *digest;
        }
        let Procedure {
            name,
            type_parameters,
            inputs,
            outputs,
            requires,
            ensures,
            modifies,
            pure,
            inline,
            skip: _,
            selective: _,
        } = &self.program.procedures[id];
        let mut out = self.begin();
        out.text(self.text(*name));
        self.type_parameters(type_parameters, &mut out);
        self.variables_into(inputs, &mut out);
        self.variables_into(outputs, &mut out);
        self.conditions(requires, &mut out);
        self.conditions(ensures, &mut out);
        // The order of a modifies clause means nothing.
        let mut modifies: Vec<&str> =
            modifies.iter().map(|it| self.text(self.program.variables[*it].name)).collect();
        modifies.sort_unstable();
        out.sequence(modifies.len());
        for name in modifies {
            out.text(name);
        }
        pure.encode(&mut out);
        inline.and_then(InlineWish::times).encode(&mut out);
        let digest = self.end(out);
        self.procedures.insert(id, digest);
        digest
    }

    /// The checksum of an implementation, without what it refers to.
    ///
    /// Labels of blocks and most wishes of attributes are left out: labels are shown from the current
    /// program, and limits and priorities are no part of the question.
    pub(crate) fn implementation(&mut self, id: ImplementationId) -> Confirm {
        let program = self.program;
        let Implementation {
            name,
            identity: _,
            sibling: _,
            procedure,
            type_parameters,
            inputs,
            outputs,
            locals,
            blocks,
            wishes,
            span: _,
            end: _,
        } = &program.implementations[id];
        let mut out = self.begin();
        out.text(self.text(*name));
        out.text(self.text(program.procedures[*procedure].name));
        self.type_parameters(type_parameters, &mut out);
        self.variables_into(inputs, &mut out);
        self.variables_into(outputs, &mut out);
        self.variables_into(locals, &mut out);
        out.sequence(blocks.len());
        for block in blocks {
            let Block { label: _, span: _, commands, transfer, continues, tested: _ } = block;
            // What leads a loop goes on into what continues its head.
            out.variant(u8::from(*continues).into());
            // What is only to be told of the state changes no verdict.
            let counts = |command: &&Command| match &command.kind {
                CommandKind::Observe(it) => it.divides() || wishes.selective && *it == Observation::Start,
                _ => true,
            };
            out.sequence(commands.iter().filter(counts).count());
            for command in commands.iter().filter(counts) {
                self.command(command, &mut out);
            }
            match transfer {
                Transfer::Goto(targets) => {
                    out.variant(0);
                    out.sequence(targets.len());
                    for target in targets {
                        out.u64(*target as u64);
                    }
                }
                Transfer::Return(_) => out.variant(1),
            }
        }
        // The wishes that change what is asked.
        if wishes.selective {
            out.variant(1);
        }
        if wishes.each_check.is_some() || wishes.max_pieces.is_some() {
            out.variant(2);
            wishes.each_check.encode(&mut out);
            wishes.max_pieces.encode(&mut out);
        }
        if !wishes.solver_options.is_empty() {
            out.variant(3);
            wishes.solver_options.encode(&mut out);
        }
        if wishes.keep_going.is_some() {
            out.variant(4);
            wishes.keep_going.encode(&mut out);
        }
        if program.assumes_free_invariants {
            out.variant(5);
        }
        if program.subsumption.is_some() {
            out.variant(6);
            program.subsumption.encode(&mut out);
        }
        self.end(out)
    }

    fn notes(&mut self, notes: &CheckNotes, out: &mut Encoder) {
        // What is tracked is a variant of the program, whose results are kept nowhere.
        let CheckNotes {
            message: _,
            verified_under,
            subsumption,
            origin,
            isolation,
            tracked: _,
            possibly_unreachable: _,
        } = notes;
        match verified_under {
            None => out.none(),
            Some(under) => {
                out.some();
                self.expr_into(*under, out);
            }
        }
        subsumption.encode(out);
        out.variant(match origin {
            CheckOrigin::Assertion => 0,
            CheckOrigin::Precondition(_) => 1,
            CheckOrigin::Postcondition(_) => 2,
            CheckOrigin::Inferred => 3,
            CheckOrigin::Unpacking => 4,
        });
        out.variant(match isolation {
            Isolation::Together => 0,
            Isolation::Apart => 1,
            Isolation::OnEachPath => 2,
        });
    }

    pub(crate) fn names(&self, ids: &[VariableId], out: &mut Encoder) {
        out.sequence(ids.len());
        for id in ids {
            self.variable_name_and_kind(*id, out);
        }
    }

    /// What a statement says can be used is noted with each check; here it only ends the invariants of a loop.
    fn visibility(&self, change: &Visibility, out: &mut Encoder) {
        let mut functions = |variant: u32, functions: &Option<Vec<FunctionId>>| {
            out.variant(variant);
            let Some(functions) = functions else { return out.none() };
            out.some();
            out.sequence(functions.len());
            for function in functions {
                out.text(self.text(self.program.functions[*function].name));
            }
        };
        match change {
            Visibility::Push => out.variant(0),
            Visibility::Pop => out.variant(1),
            Visibility::Hide(names) => functions(2, names),
            Visibility::Reveal(names) => functions(3, names),
        }
    }

    fn command(&mut self, command: &Command, out: &mut Encoder) {
        let Command { kind, span: _ } = command;
        match kind {
            CommandKind::Assert(expr, notes) => {
                out.variant(0);
                self.expr_into(*expr, out);
                self.notes(notes, out);
            }
            CommandKind::Assume(expr) => {
                out.variant(1);
                self.expr_into(*expr, out);
            }
            CommandKind::Invariant { expr, free, notes } => {
                out.variant(2);
                self.expr_into(*expr, out);
                free.encode(out);
                self.notes(notes, out);
            }
            CommandKind::Observe(it) => {
                out.variant(7);
                out.variant(match it {
                    Observation::Start => 0,
                    Observation::SplitHere => 1,
                    Observation::Focus => 2,
                    Observation::IsolatedReturn(Isolation::OnEachPath) => 5,
                    Observation::IsolatedReturn(_) => 3,
                    Observation::AllowSplit => 6,
                    // These do not count.
                    Observation::Print(_) | Observation::Capture(_) | Observation::Id(_) => 4,
                });
            }
            CommandKind::Havoc(variables) => {
                out.variant(3);
                self.names(variables, out);
            }
            CommandKind::Enter(variables) => {
                out.variant(8);
                self.names(variables, out);
            }
            CommandKind::Assign(pairs) => {
                out.variant(4);
                out.sequence(pairs.len());
                for (variable, value) in pairs {
                    self.variable_name_and_kind(*variable, out);
                    self.expr_into(*value, out);
                }
            }
            CommandKind::Visibility(change) => {
                out.variant(6);
                self.visibility(change, out);
            }
            CommandKind::Call(call) => {
                out.variant(5);
                let Call { callee, free, type_arguments, arguments, outputs, notes } = &**call;
                out.text(self.text(self.program.procedures[*callee].name));
                free.encode(out);
                self.type_list(type_arguments, out);
                out.sequence(arguments.len());
                for argument in arguments {
                    self.expr_into(*argument, out);
                }
                self.names(outputs, out);
                self.notes(notes, out);
            }
        }
    }
}

fn kind_number(kind: VariableKind) -> u32 {
    match kind {
        VariableKind::Global => 0,
        VariableKind::Input => 1,
        VariableKind::Output => 2,
        VariableKind::Local => 3,
        VariableKind::Inlined => 4,
    }
}

fn unary_number(op: UnaryOp) -> u32 {
    match op {
        UnaryOp::Not => 0,
        UnaryOp::Neg => 1,
        UnaryOp::ToInt => 2,
        UnaryOp::ToReal => 3,
    }
}

fn binary_number(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Iff => 0,
        BinaryOp::Implies => 1,
        BinaryOp::And => 2,
        BinaryOp::Or => 3,
        BinaryOp::Eq => 4,
        BinaryOp::Ne => 5,
        BinaryOp::Lt => 6,
        BinaryOp::Le => 7,
        BinaryOp::Gt => 8,
        BinaryOp::Ge => 9,
        BinaryOp::Concat => 10,
        BinaryOp::Add => 11,
        BinaryOp::Sub => 12,
        BinaryOp::Mul => 13,
        BinaryOp::Div => 14,
        BinaryOp::Mod => 15,
        BinaryOp::RealDiv => 16,
        BinaryOp::Pow => 17,
    }
}
