//! Implementations: locals, blocks and commands.

mod assignment;
mod call;
mod notes;

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::blocks::{FlatBlock, FlatCommand, FlatTransfer, flatten};
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::infer::Context;
use crate::resolve::program::{
    Block, Code, Command, CommandKind, Implementation, Isolation, Observation, ProcedureId, Transfer,
    Variable, VariableKind, Wishes,
};
use crate::resolve::resolver::Resolver;
use crate::resolve::types::TypeVariableId;
use crate::syntax::ast::{self, Attribute, DeclarationKind, Signature, UnaryOp};

impl<'a> Resolver<'a> {
    /// Resolves every implementation, in the order of the text.
    pub(super) fn resolve_bodies(&mut self) {
        let ast = self.ast;
        for declaration in &ast.declarations {
            match &declaration.kind {
                DeclarationKind::Procedure(procedure) => {
                    if let Some(body) = &procedure.body
                        && let Some(id) = self.procedures.get(&procedure.signature.name.name).copied()
                    {
                        self.resolve_implementation(
                            &procedure.signature,
                            body,
                            &declaration.attributes,
                            id,
                            true,
                        );
                    }
                }
                DeclarationKind::Implementation(implementation) => {
                    let name = implementation.signature.name;
                    let declared = self.procedures.get(&name.name).copied();
                    let id = declared.unwrap_or_else(|| {
                        let text = self.text(name.name).to_owned();
                        let message = format!("implementation given for undeclared procedure: {text}");
                        self.name_error(name.span, message);
                        // Its mistakes are told as if there were one.
                        self.quietly(|resolver| resolver.add_procedure(&implementation.signature, false, &[]))
                    });
                    self.resolve_implementation(
                        &implementation.signature,
                        &implementation.body,
                        &declaration.attributes,
                        id,
                        false,
                    );
                }
                _ => {}
            }
        }
    }

    fn resolve_implementation(
        &mut self,
        signature: &'a Signature,
        body: &'a ast::Body,
        attributes: &[Attribute],
        procedure: ProcedureId,
        shared: bool,
    ) {
        let start = self.type_scope.len();
        let entity = self.program.procedures[procedure].clone();
        let mut locals: FxHashMap<Symbol, VariableId> = FxHashMap::default();
        let (type_parameters, inputs, outputs) = if shared {
            let names = signature.type_parameters.iter().map(|it| it.name);
            self.type_scope.extend(names.zip(entity.type_parameters.iter().copied()));
            let names = signature.inputs.iter().chain(&signature.outputs);
            locals.extend(
                names.map(|it| it.name.name).zip(entity.inputs.iter().chain(&entity.outputs).copied()),
            );
            if self.has_diagnostics() {
                self.report_again(signature, attributes, &locals);
            }
            (entity.type_parameters, entity.inputs, entity.outputs)
        } else {
            self.own_parameters(signature, &entity, &mut locals)
        };
        let mut local_ids = Vec::new();
        for name in &body.locals {
            let id = self.add_variable(name, VariableKind::Local);
            if locals.insert(name.name.name, id).is_some() {
                self.declared_twice(name.name);
            }
            local_ids.push(id);
        }
        let context = Context { globals: true, locals: locals.clone(), ..Context::default() };
        if !shared {
            self.check_attributes(attributes, &context);
        }
        for name in &body.locals {
            self.check_attributes(&name.attributes, &context);
        }
        let mut assumptions = Vec::new();
        for (name, id) in body.locals.iter().zip(&local_ids) {
            if self.program.variables[*id].assumption {
                assumptions.push(*id);
            }
            if let Some(condition) = name.condition {
                if self.program.variables[*id].assumption {
                    let message = "assumption variable may not be declared with a where clause";
                    self.name_error(name.name.span, message);
                }
                let condition = self.where_clause(condition, name.name.span, &context);
                self.program.variables[*id].condition = Some(condition);
            }
            let is_bool =
                self.program.types.shallow(self.program.variables[*id].ty) == self.program.types.bool();
            if self.program.variables[*id].assumption && !is_bool {
                self.type_error(name.name.span, "assumption variable must be of type 'bool'");
            }
        }
        let context = Context { globals: !entity.pure, two_state: true, ..context };
        let (flat, diagnostics) = flatten(&body.statements, &mut self.program.names, false);
        for diagnostic in diagnostics {
            self.diagnostic(diagnostic);
        }
        let index: FxHashMap<Symbol, usize> =
            flat.iter().enumerate().map(|(index, block)| (block.label, index)).collect();
        self.strengthened.clear();
        let (entity_skip, entity_selective) = (entity.skip, entity.selective);
        let modifies = entity.modifies;
        let pure = entity.pure;
        let scope = Scope { context, modifies, pure, result: None };
        let mut blocks: Vec<Block> =
            flat.iter().map(|block| self.resolve_block(block, &index, &scope)).collect();
        if let Some(entry) = self.assumption_entry(&assumptions, signature.name.span) {
            for block in &mut blocks {
                if let Transfer::Goto(targets) = &mut block.transfer {
                    targets.iter_mut().for_each(|target| *target += 1);
                }
            }
            blocks.insert(0, entry);
        }
        let name = signature.name;
        let (identity, sibling) = self.identity(attributes, name.name, procedure);
        let split = ["split_here", "focus", "isolate", "vcs_split_on_every_assert"];
        let says = |attributes: &[Attribute]| split.iter().any(|word| self.says(attributes, word));
        let apart = says(attributes)
            || flat.iter().flat_map(|block| &block.commands).any(|command| match command {
                FlatCommand::Simple(command) => says(&command.attributes),
                FlatCommand::Invariant(condition) => says(&condition.attributes),
                FlatCommand::Guard { .. } => false,
            });
        let selective = |attributes: &[Attribute]| self.switched_on(attributes, "selective_checking");
        let wishes = Wishes {
            apart,
            each_check: match "vcs_split_on_every_assert" {
                word if self.switched_on(attributes, word) => Some(true),
                word => self.switched_off(attributes, word).then_some(false),
            },
            max_pieces: self.number(attributes, "vcs_max_splits"),
            keep_going: self.number(attributes, "vcs_max_keep_going_splits"),
            selective: entity_selective || selective(attributes),
            skip: self.wants_verified(attributes).map_or(entity_skip, |wanted| !wanted),
            time_limit: self.number(attributes, "timeLimit"),
            resource_limit: self.number(attributes, "rlimit"),
            priority: self.number(attributes, "priority"),
            inline: self.inline_wish(attributes),
            solver_options: self.solver_options(attributes),
            verbose_name: self.text_attribute(attributes, "verboseName"),
            praise: self.text_attribute(attributes, "msg_if_verifies"),
        };
        let checksum = self.text_attribute(attributes, "checksum");
        let id = self.program.implementations.push(Implementation {
            name: name.name,
            identity,
            sibling,
            procedure,
            type_parameters,
            inputs,
            outputs,
            locals: local_ids,
            blocks,
            wishes,
            span: name.span,
            end: body.statements.end,
        });
        self.siblings.entry(procedure).or_insert((id, 1));
        if let Some(checksum) = checksum {
            self.program.client.implementations.insert(id, checksum);
        }
        self.type_scope.truncate(start);
    }

    /// What is wrong with a signature is wrong with the procedure and with the implementation that are
    /// declared by it together, and told of both.
    fn report_again(
        &mut self,
        signature: &Signature,
        attributes: &[Attribute],
        locals: &FxHashMap<Symbol, VariableId>,
    ) {
        let known = self.type_errors;
        let start = self.type_scope.len();
        let outer = std::mem::take(&mut self.type_scope);
        self.enter_type_parameters(&signature.type_parameters);
        let mut types = Vec::new();
        let mut seen = Vec::new();
        for name in signature.inputs.iter().chain(&signature.outputs) {
            if seen.contains(&name.name.name) {
                self.declared_twice(name.name);
            }
            seen.push(name.name.name);
            types.push(self.resolve_type(name.ty));
        }
        self.check_occurrences(0, &types, (signature.name.span, "implementation arguments"));
        self.type_scope = outer;
        self.type_scope.truncate(start);
        let context = Context { globals: true, locals: locals.clone(), ..Context::default() };
        for name in signature.inputs.iter().chain(&signature.outputs) {
            self.check_attributes(&name.attributes, &context);
        }
        self.check_attributes(attributes, &context);
        self.type_errors = known;
    }

    /// Who the next implementation is across snapshots, which no other one of the program is, and which one of
    /// its procedure it is if that has several.
    fn identity(
        &mut self,
        attributes: &[Attribute],
        name: Symbol,
        procedure: ProcedureId,
    ) -> (String, Option<u32>) {
        let sibling = self.siblings.get_mut(&procedure).map(|(first, count)| {
            *count += 1;
            self.program.implementations[*first].sibling = Some(1);
            *count
        });
        let wanted = self.text_attribute(attributes, "id").unwrap_or_else(|| self.text(name).to_owned());
        // Also what a program calls by one name is told apart. No name of a procedure has a space in it, and
        // what `{:id}` says is tried until it is new.
        let mut number = sibling.unwrap_or(1);
        let mut identity = if number == 1 { wanted.clone() } else { format!("{wanted} {number}") };
        while !self.identities.insert(identity.clone()) {
            number += 1;
            identity = format!("{wanted} {number}");
        }
        (identity, sibling)
    }

    /// Resolves a code expression; `context` says what is known around it. Its values are not known yet.
    pub(super) fn code(&mut self, body: &'a ast::Body, context: &Context, span: Span, in_old: bool) -> u32 {
        let mut context = context.clone();
        let level = context.level;
        let mut locals = Vec::new();
        for name in &body.locals {
            let id = self.add_variable(name, VariableKind::Local);
            context.locals.insert(name.name.name, id);
            context.bound.retain(|bound| bound.name != name.name.name);
            locals.push(id);
        }
        for (name, id) in body.locals.iter().zip(&locals) {
            if let Some(condition) = name.condition {
                let condition = self.where_clause(condition, name.name.span, &context);
                self.program.variables[*id].condition = Some(condition);
            }
        }
        let (flat, diagnostics) = flatten(&body.statements, &mut self.program.names, true);
        for diagnostic in diagnostics {
            self.diagnostic(diagnostic);
        }
        let index: FxHashMap<Symbol, usize> =
            flat.iter().enumerate().map(|(index, block)| (block.label, index)).collect();
        let name = self.program.names.intern("result");
        let ty = self.program.types.bool();
        let result = self.program.variables.push(Variable::made(name, ty, VariableKind::Local));
        let scope = Scope { context, modifies: Vec::new(), pure: false, result: Some(result) };
        let blocks = flat.iter().map(|block| self.resolve_block(block, &index, &scope)).collect();
        let values = Vec::new();
        self.program.codes.push(Code { locals, result, blocks, values, in_old, level, span });
        u32::try_from(self.program.codes.len() - 1).unwrap_or(u32::MAX)
    }

    /// The block that runs first if there are assumption variables, which start out true.
    fn assumption_entry(&mut self, assumptions: &[VariableId], span: Span) -> Option<Block> {
        let bool = self.program.types.bool();
        let truth = self.program.graph.add(NodeKind::Bool(true), bool);
        let pairs: Vec<_> = assumptions.iter().map(|variable| (*variable, truth)).collect();
        let label = self.program.names.intern("");
        let commands = vec![Command { kind: CommandKind::Assign(pairs), span }];
        (!assumptions.is_empty()).then(|| Block {
            label,
            span,
            commands,
            transfer: Transfer::Goto(vec![1]),
            continues: false,
            tested: false,
        })
    }

    /// The parameters of an implementation that is declared apart from its procedure.
    fn own_parameters(
        &mut self,
        signature: &Signature,
        entity: &crate::resolve::program::Procedure,
        locals: &mut FxHashMap<Symbol, VariableId>,
    ) -> (Vec<TypeVariableId>, Vec<VariableId>, Vec<VariableId>) {
        let name = self.text(signature.name.name).to_owned();
        if signature.type_parameters.len() != entity.type_parameters.len() {
            let message = format!("mismatched number of type parameters in procedure implementation: {name}");
            self.type_error(signature.name.span, message);
        }
        let start = self.type_scope.len();
        let variables = self.enter_type_parameters(&signature.type_parameters);
        let comparable = signature.type_parameters.len() == entity.type_parameters.len();
        let map: FxHashMap<_, _> = entity
            .type_parameters
            .iter()
            .copied()
            .zip(
                variables
                    .iter()
                    .map(|it| self.program.types.intern(crate::resolve::types::Type::Variable(*it))),
            )
            .collect();
        let mut all = Vec::new();
        for (mine, theirs, kind, what) in [
            (&signature.inputs, &entity.inputs, VariableKind::Input, "in-parameter"),
            (&signature.outputs, &entity.outputs, VariableKind::Output, "out-parameter"),
        ] {
            let comparable = comparable && mine.len() == theirs.len();
            if variables.len() == entity.type_parameters.len() && mine.len() != theirs.len() {
                let message = format!("mismatched number of {what}s in procedure implementation: {name}");
                self.type_error(signature.name.span, message);
            }
            let mut ids = Vec::new();
            for (index, typed) in mine.iter().enumerate() {
                let id = self.add_variable(typed, kind);
                if locals.insert(typed.name.name, id).is_some() {
                    self.declared_twice(typed.name);
                }
                if let Some(declared) = theirs.get(index).filter(|_| comparable) {
                    let expected = self.program.types.substitute(self.program.variables[*declared].ty, &map);
                    if !self.program.types.unify(self.program.variables[id].ty, expected) {
                        let declared_name = self.program.variables[*declared].name;
                        let mut message = format!(
                            "mismatched type of {what} in implementation {name}: {}",
                            self.text(declared_name)
                        );
                        if declared_name != typed.name.name {
                            message.push_str(&format!(
                                " (named {} in implementation)",
                                self.text(typed.name.name)
                            ));
                        }
                        self.type_error(signature.name.span, message);
                    }
                }
                ids.push(id);
            }
            all.push(ids);
        }
        let outputs = all.pop().unwrap_or_default();
        let inputs = all.pop().unwrap_or_default();
        if self.type_scope.len() > start {
            let types: Vec<_> =
                inputs.iter().chain(&outputs).map(|id| self.program.variables[*id].ty).collect();
            self.check_occurrences(start, &types, (signature.name.span, "implementation arguments"));
        }
        // Conditions of the procedure's parameters hold for the implementation's as well.
        let mut memo = FxHashMap::default();
        let pairs: Vec<(VariableId, VariableId)> = entity
            .inputs
            .iter()
            .chain(&entity.outputs)
            .copied()
            .zip(inputs.iter().chain(&outputs).copied())
            .collect();
        let renaming: FxHashMap<VariableId, VariableId> = pairs.iter().copied().collect();
        for (theirs, mine) in &pairs {
            if let Some(condition) = self.program.variables[*theirs].condition {
                let condition = self.program.graph.instantiate(&mut self.program.types, condition, &map);
                let renamed = self.rename_variables(condition, &renaming, &mut memo);
                self.program.variables[*mine].condition = Some(renamed);
            }
        }
        (variables, inputs, outputs)
    }

    fn rename_variables(
        &mut self,
        expr: NodeId,
        renaming: &FxHashMap<VariableId, VariableId>,
        memo: &mut FxHashMap<NodeId, NodeId>,
    ) -> NodeId {
        let variables = &self.program.variables;
        self.program.graph.replace(expr, memo, &mut |graph, id| match graph.kind(id) {
            NodeKind::Variable(variable) => {
                let new = *renaming.get(variable)?;
                Some(graph.add(NodeKind::Variable(new), variables[new].ty))
            }
            _ => None,
        })
    }

    fn resolve_block(
        &mut self,
        block: &FlatBlock<'a>,
        index: &FxHashMap<Symbol, usize>,
        scope: &Scope,
    ) -> Block {
        let mut commands = Vec::new();
        for command in &block.commands {
            match *command {
                FlatCommand::Guard { expr, negated, span } => {
                    let bool = self.program.types.bool();
                    let guard = if negated {
                        // The negation stands nowhere in the text.
                        let wrong = |found: &str, _: &str| {
                            let message = format!("invalid argument type ({found}) to unary operator !");
                            (Span::NOWHERE, message)
                        };
                        let guard = self.expression_of(expr, &scope.context, Some(bool), wrong);
                        self.program.graph.add(NodeKind::Unary(UnaryOp::Not, guard), bool)
                    } else {
                        self.boolean_of(expr, &scope.context, span, "an assumed expression")
                    };
                    commands.push(Command { kind: CommandKind::Assume(guard), span });
                }
                FlatCommand::Invariant(condition) => {
                    self.check_attributes(&condition.attributes, &scope.context);
                    let what =
                        if condition.free { "an assumed expression" } else { "an asserted expression" };
                    let expr = self.boolean_of(condition.expr, &scope.context, condition.span, what);
                    let expr = self.hinted(expr, &condition.attributes, &scope.context);
                    let notes = self.notes(&condition.attributes, &scope.context);
                    for mark in self.divisions(&condition.attributes) {
                        commands.push(Command { kind: CommandKind::Observe(mark), span: condition.span });
                    }
                    self.name_next(&condition.attributes, condition.span, &mut commands);
                    let kind = CommandKind::Invariant { expr, free: condition.free, notes };
                    commands.push(Command { kind, span: condition.span });
                }
                FlatCommand::Simple(command) => {
                    for observation in self.observations(command, &scope.context) {
                        let kind = CommandKind::Observe(observation);
                        commands.push(Command { kind, span: command.span });
                    }
                    self.name_next(&command.attributes, command.span, &mut commands);
                    let kinds = self.resolve_command(command, scope).into_iter();
                    commands.extend(kinds.map(|kind| Command { kind, span: command.span }));
                }
            }
        }
        let transfer = match &block.transfer {
            FlatTransfer::Goto(labels) => {
                let mut targets: Vec<usize> = Vec::new();
                for target in labels.iter().filter_map(|label| index.get(label).copied()) {
                    if !targets.contains(&target) {
                        targets.push(target);
                    }
                }
                if block.allows_split {
                    let kind = CommandKind::Observe(Observation::AllowSplit);
                    commands.push(Command { kind, span: block.span });
                }
                Transfer::Goto(targets)
            }
            FlatTransfer::Return(span, isolation) => {
                if *isolation != Isolation::Together {
                    let kind = CommandKind::Observe(Observation::IsolatedReturn(*isolation));
                    commands.push(Command { kind, span: *span });
                }
                Transfer::Return(*span)
            }
            FlatTransfer::ReturnValue(span, value) => {
                let value = self.boolean_of(*value, &scope.context, *span, "a return expression");
                match scope.result {
                    Some(result) => {
                        let kind = CommandKind::Assign(vec![(result, value)]);
                        commands.push(Command { kind, span: *span });
                    }
                    None => {
                        self.name_error(*span, "return with a value is allowed in code expressions only");
                    }
                }
                Transfer::Return(*span)
            }
        };
        let tested = matches!(block.commands.first(), Some(FlatCommand::Guard { .. }));
        Block { label: block.label, span: block.span, commands, transfer, continues: false, tested }
    }

    /// Says how the next command is told, if its attributes do.
    fn name_next(&mut self, attributes: &[Attribute], span: Span, commands: &mut Vec<Command>) {
        if let Some(name) = self.text_attribute(attributes, "id") {
            let name = self.program.names.intern(&name);
            commands.push(Command { kind: CommandKind::Observe(Observation::Id(name)), span });
        }
    }

    fn resolve_command(&mut self, command: &ast::Command, scope: &Scope) -> Vec<CommandKind> {
        let context = &scope.context;
        self.check_attributes(&command.attributes, context);
        if let Some(id) = self.text_attribute(&command.attributes, "id")
            && !self.statement_ids.insert(id.clone())
        {
            self.name_error(command.span, format!("more than one statement with same id: {id}"));
        }
        let kind = match &command.kind {
            ast::CommandKind::Assert(expr) => {
                let expr = self.boolean_of(*expr, context, command.span, "an asserted expression");
                let expr = self.hinted(expr, &command.attributes, context);
                Some(CommandKind::Assert(expr, self.notes(&command.attributes, context)))
            }
            ast::CommandKind::Assume(expr) => {
                let expr = self.boolean_of(*expr, context, command.span, "an assumed expression");
                let expr = self.hinted(expr, &command.attributes, context);
                Some(CommandKind::Assume(expr))
            }
            ast::CommandKind::Havoc(names) => {
                let variables = names.iter().filter_map(|name| self.assignable(*name, command.span, scope));
                Some(CommandKind::Havoc(variables.collect()))
            }
            ast::CommandKind::Assign(targets, values) => {
                self.assignment(command.span, targets, values, scope)
            }
            ast::CommandKind::Unpack(constructor, targets, value) => {
                return self.unpack(command.span, *constructor, targets, *value, scope);
            }
            ast::CommandKind::Call { free, outputs, callee, arguments } => {
                let notes = self.notes(&command.attributes, context);
                self.call(command.span, (*free, *callee), outputs, arguments, notes, scope)
            }
            ast::CommandKind::Visibility(change) => Some(CommandKind::Visibility(self.visibility(change))),
        };
        let is_condition = matches!(command.kind, ast::CommandKind::Assert(_) | ast::CommandKind::Assume(_));
        let bool = self.program.types.bool();
        let truth = self.program.graph.add(NodeKind::Bool(true), bool);
        let hinted = if is_condition { truth } else { self.hinted(truth, &command.attributes, context) };
        (hinted != truth).then_some(CommandKind::Assume(hinted)).into_iter().chain(kind).collect()
    }

    fn variable_node(&mut self, variable: VariableId) -> NodeId {
        let ty = self.program.variables[variable].ty;
        self.program.graph.variable(variable, ty)
    }
}

/// What holds throughout a body.
struct Scope {
    context: Context,
    modifies: Vec<VariableId>,
    pure: bool,
    /// What takes the value that a code expression returns.
    result: Option<VariableId>,
}
