//! Signatures, and the walk over all declarations.
//!
//! Length: one pass for each kind of declaration over one table of names.

mod old_datatypes;
mod order;
mod type_names;

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::Span;
use crate::resolve::graph::{BoundVariable, FunctionId, NodeId, VariableId};
use crate::resolve::infer::Context;
use crate::resolve::program::{
    Axiom, Condition, Constant, Function, GlobalName, InlineWish, Meaning, Owner, Procedure, ProcedureId,
    Variable, VariableKind,
};
use crate::resolve::resolver::{FunctionMeaning, Phase, Resolver, ValueMeaning};
use crate::resolve::types::{Type, TypeId};
use crate::syntax::ast::{self, Attribute, AttributeValue, DeclarationKind, ExprKind, Ident};
use crate::syntax::print;

/// What is said of a variable whose name is taken.
fn declared_twice(name: &str) -> String {
    format!("more than one declaration of variable name: {name}")
}

impl<'a> Resolver<'a> {
    pub(super) fn run(&mut self) {
        self.collect_type_names();
        self.phase = Phase::Types;
        self.cut_cycles();
        for index in 0..self.synonyms.len() {
            self.resolve_synonym(index);
        }
        self.collect_constructors();
        self.collect_old_constructors();
        self.check_datatypes();
        self.phase = Phase::Declarations;
        self.collect_values();
        self.declare_order();
        self.collect_procedures();
        self.resolve_contents();
        self.order_constants();
        self.collect_owners();
        self.resolve_bodies();
        self.phase = Phase::Expansion;
        self.check_expansions();
    }

    fn collect_values(&mut self) {
        let mut axioms: FxHashSet<String> = FxHashSet::default();
        for declaration in &self.ast.declarations {
            match &declaration.kind {
                DeclarationKind::Axiom(_) => {
                    if let Some(name) = self.text_attribute(&declaration.attributes, "name")
                        && !axioms.insert(name.clone())
                    {
                        let message = format!("more than one declaration of axiom name: {name}");
                        self.name_taken(declaration.span, message);
                    }
                }
                DeclarationKind::Constants { unique, names, .. } => {
                    for name in names {
                        let ty = self.resolve_type(name.ty);
                        let existential = self.flag(&declaration.attributes, "existential");
                        let constant =
                            Constant { name: name.name.name, ty, unique: *unique, existential, value: None };
                        let id = self.program.constants.push(constant);
                        self.program.declared.insert(GlobalName::Constant(id), name.name.span);
                        // Boogie reports about a constant where its declaration starts.
                        let name = Ident { span: declaration.span, ..name.name };
                        self.declare_value(name, ValueMeaning::Constant(id));
                    }
                }
                DeclarationKind::Variables(names) => {
                    for name in names {
                        let id = self.add_variable(name, VariableKind::Global);
                        self.program.globals.push(id);
                        self.program.declared.insert(GlobalName::Variable(id), name.name.span);
                        self.declare_value(name.name, ValueMeaning::Variable(id));
                    }
                }
                DeclarationKind::Function(function)
                    if !self.is_old_constructor(function, &declaration.attributes) =>
                {
                    self.collect_function(function, &declaration.attributes);
                }
                _ => {}
            }
        }
    }

    fn declare_value(&mut self, name: Ident, meaning: ValueMeaning) {
        // Of several declarations the first one is meant.
        match self.values.entry(name.name) {
            Entry::Vacant(vacant) => drop(vacant.insert(meaning)),
            Entry::Occupied(_) => self.name_taken(name.span, declared_twice(self.text(name.name))),
        }
    }

    /// Enters the name of a function or constructor.
    fn declare_function(&mut self, name: Ident, meaning: FunctionMeaning) {
        if let Entry::Vacant(vacant) = self.functions.entry(name.name) {
            vacant.insert(meaning);
            return;
        }
        let message = format!("more than one declaration of function name: {}", self.text(name.name));
        self.name_taken(name.span, message);
    }

    /// Reports a variable of a name that is taken.
    pub(super) fn declared_twice(&mut self, name: Ident) {
        let message = declared_twice(self.text(name.name));
        self.name_error(name.span, message);
    }

    pub(super) fn add_variable(&mut self, name: &ast::TypedName, kind: VariableKind) -> VariableId {
        let ty = self.resolve_type(name.ty);
        let assumption = kind == VariableKind::Local && self.flag(&name.attributes, "assumption");
        let made = Variable::made(name.name.name, ty, kind);
        let variable = Variable { assumption, span: name.name.span, ..made };
        let id = self.program.variables.push(variable);
        self.variable_types.push((id, name.ty));
        id
    }

    fn collect_function(&mut self, function: &ast::Function, attributes: &[Attribute]) {
        let start = self.type_scope.len();
        let type_parameters = self.enter_type_parameters(&function.type_parameters);
        let parameters: Vec<TypeId> =
            function.parameters.iter().map(|(_, ty)| self.resolve_type(*ty)).collect();
        let result = self.resolve_type(function.result);
        let types: Vec<TypeId> = parameters.iter().copied().chain([result]).collect();
        self.check_occurrences(start, &types, (function.name.span, "function arguments"));
        self.type_scope.truncate(start);
        let unnamed = self.program.names.intern("");
        let bound = parameters
            .iter()
            .zip(&function.parameters)
            .enumerate()
            .map(|(level, (ty, (name, _)))| BoundVariable {
                name: name.map_or(unnamed, |name| name.name),
                ty: *ty,
                level: u32::try_from(level).unwrap_or(u32::MAX),
            })
            .collect();
        let builtin = self
            .text_attribute(attributes, "builtin")
            .or_else(|| self.text_attribute(attributes, "bvbuiltin"));
        let meaning = match builtin {
            Some(name) => Meaning::Builtin(name),
            None if self.flag(attributes, "inline") && function.body.is_some() => Meaning::Inline,
            None if self.flag(attributes, "define") && function.body.is_some() => Meaning::Define,
            None => Meaning::Declared,
        };
        let never_pattern = self.flag(attributes, "never_pattern");
        self.never_patterns |= never_pattern;
        let id = self.program.functions.push(Function {
            name: function.name.name,
            type_parameters,
            parameters,
            result,
            body: None,
            bound,
            meaning,
            never_pattern,
            identity: self.flag(attributes, "identity"),
        });
        if let Some(checksum) = self.text_attribute(attributes, "checksum") {
            self.program.client.functions.insert(id, checksum);
        }
        self.declare_function(function.name, FunctionMeaning::Function(id));
    }

    /// A procedure with these parameters, of which nothing else is known yet.
    pub(super) fn add_procedure(
        &mut self,
        signature: &'a ast::Signature,
        pure: bool,
        attributes: &[Attribute],
    ) -> ProcedureId {
        let start = self.type_scope.len();
        let type_parameters = self.enter_type_parameters(&signature.type_parameters);
        let inputs: Vec<VariableId> =
            signature.inputs.iter().map(|it| self.add_variable(it, VariableKind::Input)).collect();
        let outputs: Vec<VariableId> =
            signature.outputs.iter().map(|it| self.add_variable(it, VariableKind::Output)).collect();
        if self.type_scope.len() > start {
            let types: Vec<TypeId> =
                inputs.iter().chain(&outputs).map(|id| self.program.variables[*id].ty).collect();
            self.check_occurrences(start, &types, (signature.name.span, "procedure arguments"));
        }
        self.type_scope.truncate(start);
        self.program.procedures.push(Procedure {
            name: signature.name.name,
            type_parameters,
            inputs,
            outputs,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            pure,
            inline: self.inline_wish(attributes),
            skip: self.wants_verified(attributes) == Some(false),
            selective: self.switched_on(attributes, "selective_checking"),
        })
    }

    fn collect_procedures(&mut self) {
        for declaration in &self.ast.declarations {
            let DeclarationKind::Procedure(procedure) = &declaration.kind else { continue };
            let signature = &procedure.signature;
            let id = self.add_procedure(signature, procedure.pure, &declaration.attributes);
            if let Some(checksum) = self.text_attribute(&declaration.attributes, "checksum") {
                self.program.client.procedures.insert(id, checksum);
            }
            if let Entry::Vacant(vacant) = self.procedures.entry(signature.name.name) {
                vacant.insert(id);
            } else {
                let message = format!(
                    "more than one declaration of procedure name: {}",
                    self.text(signature.name.name)
                );
                self.name_taken(signature.name.span, message);
            }
        }
    }

    /// Resolves what is inside declarations, in the order of the text, all but bodies of implementations.
    fn resolve_contents(&mut self) {
        let ast = self.ast;
        let mut functions = self.program.functions.ids();
        let mut procedures = self.program.procedures.ids();
        let mut globals = self.program.globals.clone().into_iter();
        for declaration in &ast.declarations {
            // Those of procedures and implementations may speak of parameters.
            if !matches!(declaration.kind, DeclarationKind::Procedure(_) | DeclarationKind::Implementation(_))
            {
                let context = Context { globals: true, ..Context::default() };
                let types = declaration.kind.is_type();
                self.phase = if types { Phase::Types } else { Phase::Declarations };
                self.check_attributes(&declaration.attributes, &context);
                self.phase = Phase::Declarations;
            }
            match &declaration.kind {
                DeclarationKind::Axiom(expr) => {
                    let context = Context::default();
                    let bool = self.program.types.bool();
                    let wrong = "axioms must be of type bool";
                    let expr = self.expression_of(*expr, &context, Some(bool), |_, _| {
                        (declaration.span, wrong.to_owned())
                    });
                    let include = self.flag(&declaration.attributes, "include_dep");
                    let id = self.text_attribute(&declaration.attributes, "id");
                    let id = id.map(|id| self.program.names.intern(&id));
                    self.program.axioms.push(Axiom { expr, include, owners: Vec::new(), id, tracked: None });
                }
                DeclarationKind::Variables(names) => {
                    for (name, id) in names.iter().zip(&mut globals) {
                        if let Some(condition) = name.condition {
                            let context = Context { globals: true, ..Context::default() };
                            let outer = std::mem::replace(&mut self.phase, Phase::Conditions);
                            let condition = self.where_clause(condition, name.name.span, &context);
                            self.phase = outer;
                            self.program.variables[id].condition = Some(condition);
                        }
                    }
                }
                DeclarationKind::Function(function)
                    if !self.is_old_constructor(function, &declaration.attributes) =>
                {
                    if let Some(id) = functions.next() {
                        self.resolve_function(function, id);
                    }
                }
                DeclarationKind::Procedure(procedure) => {
                    if let Some(id) = procedures.next() {
                        self.resolve_procedure(procedure, &declaration.attributes, id);
                    }
                }
                _ => {}
            }
        }
    }

    /// Finds the functions and constants in whose `uses` clauses axioms stand.
    fn collect_owners(&mut self) {
        let ast = self.ast;
        let mut axioms = vec![None; ast.declarations.len()];
        let mut ids = self.program.axioms.ids();
        for (index, declaration) in ast.declarations.iter().enumerate() {
            if let DeclarationKind::Axiom(_) = &declaration.kind {
                axioms[index] = ids.next();
            }
        }
        for declaration in &ast.declarations {
            let (uses, owners): (&[usize], Vec<Owner>) = match &declaration.kind {
                DeclarationKind::Constants { names, uses, .. } => {
                    let constant = |name: &ast::TypedName| match self.values.get(&name.name.name) {
                        Some(ValueMeaning::Constant(id)) => Some(Owner::Constant(*id)),
                        _ => None,
                    };
                    (uses, names.iter().filter_map(constant).collect())
                }
                DeclarationKind::Function(function) => {
                    let owner = match self.functions.get(&function.name.name) {
                        Some(FunctionMeaning::Function(id)) => Some(Owner::Function(*id)),
                        _ => None,
                    };
                    (&function.uses, owner.into_iter().collect())
                }
                _ => continue,
            };
            for index in uses {
                let Some(axiom) = axioms.get(*index).copied().flatten() else { continue };
                self.program.axioms[axiom].owners.extend(&owners);
                let hideable = ast.has_visibility
                    && self.says(&ast.declarations[*index].attributes, "hideable")
                    && !self.says(&declaration.attributes, "revealed");
                if let (true, [Owner::Function(owner)]) = (hideable, owners.as_slice()) {
                    let expr = self.program.axioms[axiom].expr;
                    self.program.axioms[axiom].expr = self.hideable(expr, *owner);
                }
            }
        }
    }

    pub(super) fn where_clause(&mut self, condition: ast::ExprId, name: Span, context: &Context) -> NodeId {
        let bool = self.program.types.bool();
        let wrong = "where clauses must be of type bool";
        self.expression_of(condition, context, Some(bool), |_, _| (name, wrong.to_owned()))
    }

    /// Reports functions that are replaced by bodies which lead back to them, and such without bodies.
    fn check_expansions(&mut self) {
        let expanded = |function: &Function| matches!(function.meaning, Meaning::Inline | Meaning::Define);
        let mut graph: petgraph::graph::DiGraph<FunctionId, ()> = petgraph::graph::DiGraph::new();
        let nodes: Vec<_> = self.program.functions.ids().map(|id| graph.add_node(id)).collect();
        for (id, function) in self.program.functions.iter() {
            let (true, Some(body)) = (expanded(function), function.body) else { continue };
            for node in self.program.graph.below(&[body]) {
                if let crate::resolve::graph::NodeKind::Apply(callee, _, _) = self.program.graph.kind(node)
                    && expanded(&self.program.functions[*callee])
                {
                    graph.add_edge(nodes[id.index()], nodes[callee.index()], ());
                }
            }
        }
        for component in petgraph::algo::tarjan_scc(&graph) {
            let cyclic =
                component.len() > 1 || component.iter().any(|node| graph.contains_edge(*node, *node));
            if !cyclic {
                continue;
            }
            let mut functions: Vec<FunctionId> = component.iter().map(|node| graph[*node]).collect();
            functions.sort_unstable_by_key(|id| id.index());
            let names: Vec<&str> =
                functions.iter().map(|id| self.text(self.program.functions[*id].name)).collect();
            let message = format!("Call cycle detected among functions: {}", names.join(", "));
            let declared = self.ast.declarations.iter().filter(|it| {
                matches!(&it.kind, DeclarationKind::Function(function)
                    if !self.is_old_constructor(function, &it.attributes))
            });
            if let Some(declaration) = declared.clone().nth(functions[0].index()) {
                self.diagnostic(Diagnostic::error(Stage::Declarations, declaration.span, message));
            }
        }
        for declaration in &self.ast.declarations {
            let DeclarationKind::Function(function) = &declaration.kind else { continue };
            for attribute in ["inline", "define"] {
                if function.body.is_none() && self.flag(&declaration.attributes, attribute) {
                    let message = format!("Function with :{attribute} attribute must have a body");
                    self.diagnostic(Diagnostic::error(Stage::Declarations, declaration.span, message));
                }
            }
        }
    }

    fn resolve_function(&mut self, function: &ast::Function, id: FunctionId) {
        let parameters = function.parameters.iter().filter_map(|(name, _)| *name);
        let names: Vec<Ident> = parameters.chain(function.result_name).collect();
        for (index, name) in names.iter().enumerate() {
            if names[..index].iter().any(|earlier| earlier.name == name.name) {
                self.declared_twice(*name);
            }
        }
        let Some(body) = function.body else { return };
        let start = self.type_scope.len();
        let variables = self.program.functions[id].type_parameters.clone();
        self.type_scope.extend(function.type_parameters.iter().map(|it| it.name).zip(variables));
        let bound = self.program.functions[id].bound.clone();
        let level = u32::try_from(bound.len()).unwrap_or(u32::MAX);
        let named = function.parameters.iter().filter_map(|(name, ty)| Some((name.as_ref()?.name, *ty)));
        let context = Context { bound, level, declared: named.collect(), ..Context::default() };
        let returned = self.spelled(Some(&function.result.into()), self.program.functions[id].result);
        let result = self.program.functions[id].result;
        let (name, span) = (function.name.span, self.ast.exprs[body].span);
        let meaning = &self.program.functions[id].meaning;
        let (inline, define) = (*meaning == Meaning::Inline, *meaning == Meaning::Define);
        let before = self.type_errors;
        let nodes = self.expressions_together(&[body], &context, |resolver, types| {
            if resolver.program.types.unify(types[0], result) {
                return;
            }
            let found = resolver.shown(body, types[0], &|name| context.near(resolver, name));
            // Unless it is put in place of calls, a body says what a call is equal to; that has no type if the body
            // is wrong in itself.
            if !inline && before == resolver.type_errors {
                let message =
                    format!("invalid argument types ({returned} and {found}) to binary operator ==");
                resolver.type_error(name, message);
            }
            if inline || define {
                let message = format!("function body with invalid type: {found} (expected: {returned})");
                resolver.type_error(span, message);
            }
        });
        let node = nodes[0];
        self.program.functions[id].body = Some(node);
        self.type_scope.truncate(start);
    }

    fn resolve_procedure(
        &mut self,
        procedure: &'a ast::Procedure,
        attributes: &[Attribute],
        id: ProcedureId,
    ) {
        let signature = &procedure.signature;
        let mut modifies = Vec::new();
        for name in &procedure.modifies {
            match self.values.get(&name.name) {
                Some(ValueMeaning::Variable(variable)) => modifies.push(*variable),
                Some(ValueMeaning::Constant(_)) => {
                    let message = format!("modifies list contains constant: {}", self.text(name.name));
                    self.type_error(signature.name.span, message);
                }
                None => {
                    let message = format!("undeclared identifier: {}", self.text(name.name));
                    self.name_error(name.span, message);
                }
            }
        }
        if procedure.pure && !modifies.is_empty() {
            self.name_error(signature.name.span, "unnecessary modifies clause for pure procedure");
        }
        modifies.sort_unstable_by_key(|variable| variable.index());
        modifies.dedup();
        self.program.procedures[id].modifies = modifies;
        let start = self.type_scope.len();
        let entity = self.program.procedures[id].clone();
        self.type_scope
            .extend(signature.type_parameters.iter().map(|it| it.name).zip(entity.type_parameters));
        let mut locals = FxHashMap::default();
        let names = signature.inputs.iter().chain(&signature.outputs);
        let variables: Vec<VariableId> = entity.inputs.iter().chain(&entity.outputs).copied().collect();
        for (name, variable) in names.clone().zip(&variables) {
            if locals.insert(name.name.name, *variable).is_some() {
                self.declared_twice(name.name);
            }
        }
        let context = Context { globals: true, locals: locals.clone(), ..Context::default() };
        for name in signature.inputs.iter().chain(&signature.outputs) {
            self.check_attributes(&name.attributes, &context);
        }
        self.check_attributes(attributes, &context);
        let mut inputs_only = locals.clone();
        for output in &signature.outputs {
            inputs_only.remove(&output.name.name);
        }
        for (index, (name, variable)) in names.zip(&variables).enumerate() {
            if let Some(condition) = name.condition {
                // Conditions of parameters do not see results.
                let visible = if index < entity.inputs.len() { &inputs_only } else { &locals };
                let context =
                    Context { globals: !procedure.pure, locals: visible.clone(), ..Context::default() };
                let condition = self.where_clause(condition, name.name.span, &context);
                self.program.variables[*variable].condition = Some(condition);
            }
        }
        for (conditions, is_requires) in [(&procedure.requires, true), (&procedure.ensures, false)] {
            for condition in conditions {
                let context = Context {
                    globals: !procedure.pure,
                    two_state: !is_requires,
                    locals: if is_requires { inputs_only.clone() } else { locals.clone() },
                    ..Context::default()
                };
                let wrong = if is_requires {
                    "preconditions must be of type bool"
                } else {
                    "postconditions must be of type bool"
                };
                let bool = self.program.types.bool();
                let span = condition.span;
                let expr =
                    self.expression_of(condition.expr, &context, Some(bool), |_, _| (span, wrong.to_owned()));
                self.check_attributes(&condition.attributes, &context);
                let expr = self.hinted(expr, &condition.attributes, &context);
                let message = self.text_attribute(&condition.attributes, "msg");
                let name = self.text_attribute(&condition.attributes, "id");
                let name = name.map(|name| self.program.names.intern(&name));
                let always = condition.free && self.flag(&condition.attributes, "always_assume");
                let assumed_inline = self.flag(&condition.attributes, "InlineAssume");
                let free = condition.free;
                let resolved = Condition { free, always, assumed_inline, expr, message, id: name, span };
                let entity = &mut self.program.procedures[id];
                if is_requires { entity.requires.push(resolved) } else { entity.ensures.push(resolved) }
            }
        }
        self.type_scope.truncate(start);
    }

    /// Resolves the expressions in attributes, for the mistakes in them.
    pub(super) fn check_attributes(&mut self, attributes: &[Attribute], context: &Context) {
        for attribute in attributes {
            let span = attribute.span;
            let optimized = matches!(self.text(attribute.name.name), "minimize" | "maximize");
            let single = if optimized {
                Some("attributes :minimize and :maximize accept only one argument")
            } else if self.text(attribute.name.name) == "verified_under" {
                Some("attribute :verified_under accepts only one argument")
            } else {
                None
            };
            if let (Some(message), true) = (single, attribute.parameters.len() != 1) {
                self.name_error(span, message);
            }
            for value in &attribute.parameters {
                let AttributeValue::Expr(expr) = value else { continue };
                let node = self.expression_of(*expr, context, None, |_, _| (span, String::new()));
                let types = &self.program.types;
                let ty = types.get(types.shallow(self.program.graph.ty(node)));
                if optimized && !matches!(ty, Type::Int | Type::Real | Type::BitVector(_) | Type::Unknown) {
                    let message =
                        "attributes :minimize and :maximize accept only one argument of type int, real or bv";
                    self.type_error(span, message);
                }
            }
        }
    }

    /// The text of an attribute such as `{:builtin "text"}`: the first one that has a text and nothing else.
    pub(super) fn text_attribute(&self, attributes: &[Attribute], name: &str) -> Option<String> {
        let named = attributes.iter().filter(|it| self.ast.names.text(it.name.name) == name);
        let mut texts = named.filter_map(|attribute| match attribute.parameters.as_slice() {
            [AttributeValue::Text(text)] => Some(text.clone()),
            _ => None,
        });
        texts.next()
    }

    /// The number of an attribute such as `{:inline 1}`.
    pub(super) fn number<T: TryFrom<num_bigint::BigInt>>(
        &self,
        attributes: &[Attribute],
        name: &str,
    ) -> Option<T> {
        match ast::attribute(attributes, &self.ast.names, name)?.parameters.first()? {
            AttributeValue::Text(_) => None,
            AttributeValue::Expr(expr) => match &self.ast.exprs[*expr].kind {
                ExprKind::Int(number) => T::try_from(number.clone()).ok(),
                _ => None,
            },
        }
    }

    /// The solver's options of `{:smt_option name, value}`, as many as there are, and of `{:random_seed n}`.
    pub(super) fn solver_options(&self, attributes: &[Attribute]) -> Vec<(String, String)> {
        let said = attributes.iter().filter(|it| self.ast.names.text(it.name.name) == "smt_option");
        let mut options: Vec<_> = said
            .filter_map(|attribute| match attribute.parameters.as_slice() {
                [AttributeValue::Text(name), value] => {
                    let name = name.to_ascii_lowercase();
                    let name = name.strip_prefix("smt.").unwrap_or(&name).to_owned();
                    let value = match value {
                        AttributeValue::Text(text) => text.clone(),
                        AttributeValue::Expr(expr) => print::expression(self.ast, *expr),
                    };
                    Some((name, value))
                }
                _ => None,
            })
            .collect();
        let seed: Option<u32> = self.number(attributes, "random_seed");
        options.extend(seed.map(|seed| ("random_seed".to_owned(), seed.to_string())));
        options
    }

    /// Whether an attribute such as `{:inline}` is there and not switched off by `false`.
    pub(super) fn flag(&self, attributes: &[Attribute], name: &str) -> bool {
        self.ast.flag(attributes, name)
    }

    /// Whether an attribute such as `{:selective_checking}` or `{:selective_checking true}` switches something on.
    pub(super) fn switched_on(&self, attributes: &[Attribute], name: &str) -> bool {
        self.ast.switched_on(attributes, name)
    }

    /// Whether an attribute such as `{:verify false}` switches something off.
    pub(super) fn switched_off(&self, attributes: &[Attribute], name: &str) -> bool {
        self.ast.switched_off(attributes, name)
    }

    /// The value of an attribute that has one: of several, the last.
    fn last_value(&self, attributes: &[Attribute], name: &str) -> Option<&'a ExprKind> {
        let named = attributes.iter().filter(|it| self.ast.names.text(it.name.name) == name);
        let value = |attribute: &Attribute| match attribute.parameters.as_slice() {
            [AttributeValue::Expr(expr)] => Some(&self.ast.exprs[*expr].kind),
            _ => None,
        };
        named.rev().find_map(value)
    }

    /// What `{:inline value}` asks for.
    pub(super) fn inline_wish(&self, attributes: &[Attribute]) -> Option<InlineWish> {
        self.last_value(attributes, "inline").map(|value| match value {
            ExprKind::Int(times) => {
                u32::try_from(times).map_or(InlineWish::Times(u32::MAX), InlineWish::Times)
            }
            _ => InlineWish::Nowhere,
        })
    }

    /// What `{:verify value}` says.
    pub(super) fn wants_verified(&self, attributes: &[Attribute]) -> Option<bool> {
        match self.last_value(attributes, "verify") {
            Some(ExprKind::Bool(wanted)) => Some(*wanted),
            _ => None,
        }
    }
}
