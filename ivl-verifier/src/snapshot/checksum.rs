//! Entity checksums, from the resolved and typed content.
//!
//! A checksum is a confirming digest of canonical bytes, composed of those of its parts, since results
//! meet the disk. It names what an entity refers to by name, kind and type,
//! never by id, and leaves out positions. Attributes count where they mean something to verification
//! or to what is reported.
//!
//! Here are declarations; `types`, `expressions` and `bodies` have the rest. Each names every field of what it digests, so
//! that a new one cannot be forgotten.

mod bodies;
mod expressions;
mod types;

use cache_core::digest::{Confirm, Encoder};
use cache_core::key::CacheKey;
use rustc_hash::FxHashMap;

use crate::base::arena::Numbers;
use crate::base::names::Symbol;
use crate::resolve::graph::{ConstantId, FunctionId, NodeId, VariableId};
use crate::resolve::program::{
    Axiom, AxiomId, Condition, Constant, Function, InlineWish, Meaning, Procedure, ProcedureId, Program,
    Variable, VariableKind,
};
use crate::resolve::types::{TypeId, TypeNameId};

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

    /// The checksum of a function, its body included.
    pub(crate) fn function(&mut self, id: FunctionId) -> Confirm {
        if let Some(digest) = self.functions.get(&id) {
            return *digest;
        }
        // What is never a pattern is told with each quantifier.
        let Function {
            name,
            type_parameters,
            parameters,
            result,
            body,
            bound,
            meaning,
            never_pattern: _,
            identity: _,
        } = &self.program.functions[id];
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

    pub(crate) fn names(&self, ids: &[VariableId], out: &mut Encoder) {
        out.sequence(ids.len());
        for id in ids {
            self.variable_name_and_kind(*id, out);
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
