//! A tree as Boogie prints it with `-printDesugared`, once names and types are known: calls with what they stand for,
//! `havoc` with the conditions that are assumed behind it, and equality of truth values as `<==>`.
//!
//! A call gives its arguments to variables of its own, checks the preconditions, remembers what the callee may change,
//! forgets it together with the results, assumes the postconditions, and hands the results on. All of that is made of
//! the expressions of the tree, in which parameters become those variables: nothing is verified by it.

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::program::{Call, CommandKind as Resolved, Program};
use crate::resolve::types::TypeId;
use crate::syntax::ast::{
    self, Ast, BigBlock, BinaryOp, BlockEnd, Body, Command, CommandKind, DeclarationKind, Expr, ExprId,
    ExprKind, Ident, Procedure, Statements, Target, TypedName, UnaryOp,
};
use crate::syntax::print;

/// Notes in a tree what its calls stand for, and changes what Boogie prints in another way then. `truths` are the
/// equalities of truth values.
pub(crate) fn desugar(ast: &mut Ast, program: &mut Program, truths: &[ExprId]) {
    for expr in truths {
        if let ExprKind::Binary(op, a, b) = ast.exprs[*expr].kind {
            let b = match op {
                BinaryOp::Ne => add(ast, ExprKind::Unary(UnaryOp::Not, b)),
                _ => b,
            };
            ast.exprs[*expr].kind = ExprKind::Binary(BinaryOp::Iff, a, b);
        }
    }
    let calls: FxHashMap<Span, Call> = program
        .implementations
        .iter()
        .flat_map(|(_, it)| &it.blocks)
        .flat_map(|block| &block.commands)
        .filter_map(|command| match &command.kind {
            Resolved::Call(call) => Some((command.span, (**call).clone())),
            _ => None,
        })
        .collect();
    let mut declarations = std::mem::take(&mut ast.declarations);
    let mut desugarer = Desugarer {
        program,
        calls,
        procedures: FxHashMap::default(),
        globals: FxHashMap::default(),
        locals: FxHashMap::default(),
        ast,
    };
    for declaration in &declarations {
        match &declaration.kind {
            DeclarationKind::Procedure(procedure) => {
                let declared = (**procedure).clone();
                desugarer.procedures.insert(procedure.signature.name.name, declared);
            }
            DeclarationKind::Variables(names) => {
                desugarer.globals.extend(names.iter().map(|it| (it.name.name, it.clone())));
            }
            _ => {}
        }
    }
    for declaration in &mut declarations {
        match &mut declaration.kind {
            DeclarationKind::Procedure(procedure) => {
                let Procedure { signature, body, .. } = &mut **procedure;
                if let Some(body) = body {
                    let names = signature.inputs.iter().chain(&signature.outputs).chain(&body.locals);
                    desugarer.locals = names.map(|it| (it.name.name, it.clone())).collect();
                    desugarer.body(body);
                }
            }
            DeclarationKind::Implementation(implementation) => {
                let ast::Implementation { signature, body } = &mut **implementation;
                let names = signature.inputs.iter().chain(&signature.outputs).chain(&body.locals);
                desugarer.locals = names.map(|it| (it.name.name, it.clone())).collect();
                desugarer.body(body);
            }
            _ => {}
        }
    }
    ast.declarations = declarations;
}

struct Desugarer<'a> {
    program: &'a mut Program,
    /// The calls of the program, by their places.
    calls: FxHashMap<Span, Call>,
    procedures: FxHashMap<Symbol, Procedure>,
    globals: FxHashMap<Symbol, TypedName>,
    /// The parameters and local variables around what is looked at.
    locals: FxHashMap<Symbol, TypedName>,
    ast: &'a mut Ast,
}

impl Desugarer<'_> {
    fn body(&mut self, body: &mut Body) {
        self.statements(&mut body.statements);
        if let Some(written) = &mut body.written {
            self.statements(written);
        }
    }

    /// The depth of statements is bounded by the parser.
    fn statements(&mut self, statements: &mut Statements) {
        for block in &mut statements.blocks {
            for command in &mut block.commands {
                self.command(command);
            }
            match &mut block.end {
                BlockEnd::If { branches, otherwise } => {
                    let inner = branches.iter_mut().map(|it| &mut it.then).chain(otherwise);
                    inner.for_each(|it| self.statements(it));
                }
                BlockEnd::While { body, .. } => self.statements(body),
                BlockEnd::FallThrough
                | BlockEnd::Goto(..)
                | BlockEnd::Return(_)
                | BlockEnd::ReturnValue(..)
                | BlockEnd::Break(..) => {}
            }
        }
    }

    fn command(&mut self, command: &mut Command) {
        match &mut command.kind {
            CommandKind::Havoc(names) => {
                for name in names {
                    let condition = self.declared(name.name).and_then(|it| it.condition);
                    name.name = self.havocked(name.name, condition);
                }
            }
            CommandKind::Call { .. } => {
                if let Some(body) = self.call(command) {
                    self.ast.desugared.insert(command.span, body);
                }
            }
            CommandKind::Assert(_)
            | CommandKind::Assume(_)
            | CommandKind::Assign(..)
            | CommandKind::Unpack(..)
            | CommandKind::Visibility(_) => {}
        }
    }

    /// The declaration of a variable.
    fn declared(&self, name: Symbol) -> Option<&TypedName> {
        self.locals.get(&name).or_else(|| self.globals.get(&name))
    }

    /// The type of an argument as its variable is declared; nothing where there is no variable.
    fn passed(&self, mut argument: ExprId) -> Option<ast::TypeExprId> {
        while let ExprKind::Store(map, ..) = &self.ast.exprs[argument].kind {
            argument = *map;
        }
        let ExprKind::Name(name) = self.ast.exprs[argument].kind else { return None };
        self.declared(name).map(|it| it.ty)
    }

    /// A variable with the condition that is assumed of it once it was forgotten.
    fn havocked(&mut self, name: Symbol, condition: Option<ExprId>) -> Symbol {
        let Some(condition) = condition else { return name };
        let condition = print::expression(self.ast, condition);
        let text = format!("{} /* where {condition} */", self.ast.names.text(name));
        self.ast.names.intern(&text)
    }

    /// What a call stands for.
    fn call(&mut self, command: &Command) -> Option<Body> {
        let CommandKind::Call { outputs, callee, arguments, free } = &command.kind else { return None };
        let procedure = self.procedures.get(&callee.name)?.clone();
        let resolved = self.calls.get(&command.span)?.clone();
        let signature = &procedure.signature;
        let mut made = Made::default();
        let mut number = 0;
        let mut named = |ast: &mut Ast, kind: &str, of: Symbol| {
            let text = format!("call{number}{kind}#AT#{}", ast.names.text(of));
            number += 1;
            ast.names.intern(&text)
        };
        let mut inputs = Vec::new();
        for (index, input) in signature.inputs.iter().enumerate() {
            let name = named(self.ast, "formal", input.name.name);
            let passed = arguments.get(index).and_then(|it| self.passed(*it));
            let argument = resolved.arguments.get(index).map(|it| self.program.graph.ty(*it));
            let ty = self.ty(&procedure, input.ty, (passed, argument));
            made.locals.push(TypedName { name: ident(name), ty, condition: None, attributes: Vec::new() });
            made.now.insert(input.name.name, name);
            inputs.push(name);
        }
        for global in &procedure.modifies {
            let name = named(self.ast, "old", global.name);
            let ty = self.globals.get(&global.name)?.ty;
            made.locals.push(TypedName { name: ident(name), ty, condition: None, attributes: Vec::new() });
            made.before.insert(global.name, name);
        }
        let mut results = Vec::new();
        for (index, output) in signature.outputs.iter().enumerate() {
            let name = named(self.ast, "formal", output.name.name);
            let declared = self.program.procedures[resolved.callee].outputs.get(index);
            let declared = declared.map(|it| self.program.variables[*it].ty);
            let declared = declared.map(|it| self.instance(it, &resolved));
            let receiver = outputs.get(index).and_then(|it| self.declared(it.name)).map(|it| it.ty);
            let ty = self.ty(&procedure, output.ty, (receiver, declared));
            made.now.insert(output.name.name, name);
            results.push((name, ty, output.condition));
        }
        for (name, ty, condition) in &results {
            let condition = condition.map(|it| self.renamed(it, &made));
            made.locals.push(TypedName { name: ident(*name), ty: *ty, condition, attributes: Vec::new() });
        }
        for (name, argument) in inputs.iter().zip(arguments) {
            made.push(assignment(*name, *argument));
        }
        for condition in procedure.requires.iter().filter(|it| !it.free && !free) {
            let expr = self.renamed(condition.expr, &made);
            let attributes = command.attributes.clone();
            made.push_with(CommandKind::Assert(expr), attributes);
        }
        for global in &procedure.modifies {
            let value = add(self.ast, ExprKind::Name(global.name));
            let old = made.before[&global.name];
            made.push(assignment(old, value));
        }
        let mut forgotten = Vec::new();
        for global in &procedure.modifies {
            let condition = self.globals.get(&global.name).and_then(|it| it.condition);
            forgotten.push(ident(self.havocked(global.name, condition)));
        }
        let first = made.locals.len() - results.len();
        for local in &made.locals[first..] {
            forgotten.push(ident(self.havocked(local.name.name, local.condition)));
        }
        made.push(CommandKind::Havoc(forgotten));
        for condition in &procedure.ensures {
            let expr = self.renamed(condition.expr, &made);
            made.push(CommandKind::Assume(expr));
        }
        for ((name, ..), output) in results.iter().zip(outputs) {
            let value = add(self.ast, ExprKind::Name(*name));
            made.push(assignment(output.name, value));
        }
        let Made { locals, commands, .. } = made;
        let blocks = vec![BigBlock::of(Span::NOWHERE, commands, BlockEnd::FallThrough)];
        let statements = Statements { blocks, end: Span::NOWHERE };
        Some(Body { locals, written: None, statements })
    }

    /// The type of a parameter at a call: as it is written, unless the callee's type parameters may be in it. Then it
    /// is that of the variable which is passed or receives a result, as that is written, or what is known.
    fn ty(
        &mut self,
        procedure: &Procedure,
        written: ast::TypeExprId,
        (passed, known): (Option<ast::TypeExprId>, Option<TypeId>),
    ) -> ast::TypeExprId {
        let known = match known {
            Some(known) if !procedure.signature.type_parameters.is_empty() => known,
            _ => return written,
        };
        if let Some(passed) = passed {
            return passed;
        }
        let text = self.program.types.show(known, &self.program.names, &self.program.type_names);
        self.ast.spelled_type(&text)
    }

    /// A type of the callee for the types that a call passes.
    fn instance(&mut self, ty: TypeId, call: &Call) -> TypeId {
        let parameters = &self.program.procedures[call.callee].type_parameters;
        let map = parameters.iter().copied().zip(call.type_arguments.iter().copied()).collect();
        self.program.types.substitute(ty, &map)
    }

    /// An expression of the callee in the variables of a call.
    fn renamed(&mut self, root: ExprId, made: &Made) -> ExprId {
        // What `old` is around has the old values; children have smaller numbers than their parents.
        let mut needed = std::collections::BTreeSet::new();
        let mut work = vec![(root, false)];
        while let Some((expr, in_old)) = work.pop() {
            if needed.insert((expr, in_old)) {
                let inside = in_old || matches!(self.ast.exprs[expr].kind, ExprKind::Old(_));
                let mut kind = self.ast.exprs[expr].kind.clone();
                kind.for_each_part(&mut |part| work.push((*part, inside)));
            }
        }
        let mut done: FxHashMap<(ExprId, bool), ExprId> = FxHashMap::default();
        for (expr, in_old) in needed {
            let mut kind = self.ast.exprs[expr].kind.clone();
            let new = match &mut kind {
                ExprKind::Old(inner) => done.get(&(*inner, true)).copied().unwrap_or(*inner),
                ExprKind::Name(name) => {
                    let old = made.before.get(name).filter(|_| in_old);
                    match old.or_else(|| made.now.get(name)) {
                        Some(new) => add(self.ast, ExprKind::Name(*new)),
                        None => expr,
                    }
                }
                _ => {
                    kind.for_each_part(&mut |part| {
                        *part = done.get(&(*part, in_old)).copied().unwrap_or(*part);
                    });
                    add(self.ast, kind)
                }
            };
            done.insert((expr, in_old), new);
        }
        done.get(&(root, false)).copied().unwrap_or(root)
    }
}

/// What a call becomes.
#[derive(Default)]
struct Made {
    locals: Vec<TypedName>,
    commands: Vec<Command>,
    /// The variables of the callee's parameters, and those that have the old values of what it may change.
    now: FxHashMap<Symbol, Symbol>,
    before: FxHashMap<Symbol, Symbol>,
}

impl Made {
    fn push(&mut self, kind: CommandKind) {
        self.push_with(kind, Vec::new());
    }

    fn push_with(&mut self, kind: CommandKind, attributes: Vec<ast::Attribute>) {
        self.commands.push(Command { kind, attributes, span: Span::NOWHERE });
    }
}

fn assignment(target: Symbol, value: ExprId) -> CommandKind {
    CommandKind::Assign(vec![Target { base: ident(target), steps: Vec::new() }], vec![value])
}

fn add(ast: &mut Ast, kind: ExprKind) -> ExprId {
    ast.exprs.push(Expr { kind, span: Span::NOWHERE })
}

fn ident(name: Symbol) -> Ident {
    Ident { name, span: Span::NOWHERE }
}
