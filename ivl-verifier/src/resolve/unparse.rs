//! Resolved expressions, types and bodies as syntax again, for printing.
//!
//! What resolution took away stays away: positions, type synonyms, `let`. Names are those of the program;
//! a caller may give variables others. The work is a loop over the nodes below, children first.

pub(crate) mod plain;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::blocks::outcome;
use crate::resolve::graph::{FunctionId, NodeId, NodeKind, QuantifierNode, VariableId};
use crate::resolve::program::{
    Block, Call, CheckNotes, CheckOrigin, Command, CommandKind, Implementation, Isolation, Observation,
    Printed, Program, Transfer, Variable, VariableKind, Visibility,
};
use crate::resolve::spelling::Form;
use crate::resolve::types::TypeId;
use crate::syntax::ast::{
    self, Ast, AttributeValue, BigBlock, BinaryOp, BlockEnd, Body, Expr, ExprId, ExprKind, Ident, Quantifier,
    Signature, Statements, Target, TargetStep, Trigger, TypeExprId, TypedName, UnaryOp,
};
use crate::syntax::print::{self, places::Places};

/// Makes syntax of parts of a program.
pub(crate) struct Unparser<'p> {
    program: &'p Program,
    ast: Ast,
    made: FxHashMap<NodeId, ExprId>,
    /// Other names of variables.
    renamed: FxHashMap<VariableId, Symbol>,
    /// Whether long lines of implementations are broken.
    breaks: bool,
    /// Whether what control never gets to behind a block is left out.
    prunes: bool,
}

impl<'p> Unparser<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let ast = Ast { names: program.names.clone(), ..Ast::default() };
        Self {
            program,
            ast,
            made: FxHashMap::default(),
            renamed: FxHashMap::default(),
            breaks: false,
            prunes: false,
        }
    }

    /// Breaks long lines of implementations, or not.
    pub(crate) fn with_breaks(self, breaks: bool) -> Self {
        Self { breaks, ..self }
    }

    /// Leaves out what control never gets to behind a block.
    pub(crate) fn pruning(self) -> Self {
        Self { prunes: true, ..self }
    }

    /// Gives variables other names from here on, and forgets those given before.
    pub(crate) fn rename(&mut self, names: &[(VariableId, String)]) {
        self.made.clear();
        self.renamed = names.iter().map(|(id, name)| (*id, self.ast.names.intern(name))).collect();
    }

    /// An expression as text.
    pub(crate) fn text(&mut self, node: NodeId) -> String {
        let expr = self.expr(node);
        print::expression(&self.ast, expr)
    }

    /// An implementation as text, its control flow as labelled blocks.
    pub(crate) fn implementation(&mut self, implementation: &Implementation) -> String {
        let order: Vec<usize> = (0..implementation.blocks.len()).collect();
        self.ordered(implementation, &order, None).0
    }

    /// The same, with blocks in the given order, those that continue another one as a part of it. With the heads of
    /// loops at which bounds were inferred these are marked. With where everything stands in it.
    pub(crate) fn ordered(
        &mut self,
        implementation: &Implementation,
        order: &[usize],
        cuts: Option<&BTreeSet<usize>>,
    ) -> (String, Places) {
        let signature = self.signature(ident(implementation.name), implementation);
        let locals: Vec<TypedName> = implementation.locals.iter().map(|id| self.typed(*id)).collect();
        let starts = self.starts(implementation, order);
        let blocks = starts.into_iter().map(|at| self.block(at, implementation, cuts)).collect();
        let statements = Statements { blocks, end: Span::NOWHERE };
        let kind = ast::DeclarationKind::Implementation(Box::new(ast::Implementation {
            signature,
            body: Body { locals, written: None, statements },
        }));
        let declaration = ast::Declaration { kind, attributes: Vec::new(), span: Span::NOWHERE };
        self.ast.declarations = vec![declaration];
        print::program_placed(&self.ast, &[], self.breaks)
    }

    /// The blocks of an order that are shown: not those that continue another one, and in place of the block in which
    /// assumption variables become true, which the text does not have, the one behind it.
    fn starts(&self, implementation: &Implementation, order: &[usize]) -> Vec<usize> {
        let blocks = &implementation.blocks;
        let made = |at: usize| self.program.names.text(blocks[at].label).is_empty();
        let behind = |at: usize| match &blocks[at].transfer {
            Transfer::Goto(targets) if made(at) => targets.first().copied(),
            _ => None,
        };
        let first = order.iter().find_map(|at| behind(*at));
        let shown =
            order.iter().filter(|at| Some(**at) != first && blocks.get(**at).is_some_and(|it| !it.continues));
        shown.map(|at| behind(*at).unwrap_or(*at)).collect()
    }

    /// An implementation's signature under a name: conditions and attributes of parameters stand at the procedure.
    fn signature(&mut self, name: Ident, implementation: &Implementation) -> Signature {
        let mut parameters = |ids: &[VariableId]| -> Vec<TypedName> {
            let plain =
                |id: &VariableId| TypedName { condition: None, attributes: Vec::new(), ..self.typed(*id) };
            ids.iter().map(plain).collect()
        };
        let (inputs, outputs) = (parameters(&implementation.inputs), parameters(&implementation.outputs));
        let variables = &self.program.type_names.variables;
        let type_parameters = implementation.type_parameters.iter().map(|id| ident(variables[*id])).collect();
        Signature { name, type_parameters, inputs, outputs }
    }

    fn typed(&mut self, id: VariableId) -> TypedName {
        let Variable { name, ty, condition, span, kind, .. } = self.program.variables[id].clone();
        let program = self.program;
        let spelled = program.spelling.variable(span);
        let ty = match spelled {
            Some(spelled) if !spelled.generic || kind != VariableKind::Inlined => {
                self.ast.spelled_type(&spelled.ty)
            }
            _ => self.ty(ty),
        };
        let condition = condition.map(|condition| self.expr(condition));
        let attributes = spelled.map_or(&[][..], |it| it.attributes.as_slice());
        TypedName { name: ident(name), ty, condition, attributes: self.written(attributes) }
    }

    /// Whether nothing is shown behind a block, since control does not get there. Inference leaves out all such blocks,
    /// inlining those of the body itself.
    fn ends(&self, block: &Block, cuts: Option<&BTreeSet<usize>>) -> bool {
        let own = !self.program.names.text(block.label).starts_with("inline$");
        self.prunes && block.dead_end(&self.program.graph).is_some() && (cuts.is_some() || own)
    }

    /// A block with those that continue it.
    fn block(
        &mut self,
        at: usize,
        implementation: &Implementation,
        cuts: Option<&BTreeSet<usize>>,
    ) -> BigBlock {
        let first = &implementation.blocks[at];
        let mut last = first;
        let mut commands = self.commands(first);
        while let Transfer::Goto(targets) = &last.transfer
            && !self.ends(last, cuts)
            && let [only] = *targets.as_slice()
            && implementation.blocks[only].continues
        {
            last = &implementation.blocks[only];
            commands.extend(self.commands(last));
        }
        let end = match &last.transfer {
            _ if self.ends(last, cuts) => BlockEnd::Return(Span::NOWHERE),
            Transfer::Goto(targets) => {
                let labels = targets.iter().map(|at| ident(implementation.blocks[*at].label)).collect();
                BlockEnd::Goto(Span::NOWHERE, labels)
            }
            Transfer::Return(_) => BlockEnd::Return(Span::NOWHERE),
        };
        let mut block = BigBlock::of(Span::NOWHERE, commands, end);
        block.label = Some(ident(first.label));
        block.jump = self.jump(last);
        block.cut = cuts.is_some_and(|cuts| cuts.contains(&at));
        block
    }

    /// The commands of a block; what is known after a test stands first in the blocks that a test made.
    fn commands(&mut self, block: &Block) -> Vec<ast::Command> {
        let inferred = |kind: &CommandKind| matches!(kind, CommandKind::Invariant { notes, .. } if notes.origin == CheckOrigin::Inferred);
        let mut commands: Vec<ast::Command> =
            block.commands.iter().map(|command| self.command(command)).collect();
        let outcome = outcome(self.program.names.text(block.label)).filter(|_| block.tested);
        let at = block.commands.iter().position(|command| !inferred(&command.kind));
        if let (Some(at), Some(outcome)) = (at, outcome)
            && let CommandKind::Assume(test) = block.commands[at].kind
        {
            if let (false, NodeKind::Unary(UnaryOp::Not, inner)) = (outcome, self.program.graph.kind(test)) {
                commands[at].kind = ast::CommandKind::Assume(self.denied(*inner));
            }
            let partition = self.attribute("partition", Vec::new());
            commands[at].attributes.push(partition);
        }
        commands
    }

    /// What holds where something does not: of a comparison the opposite one.
    fn denied(&mut self, node: NodeId) -> ExprId {
        let graph = &self.program.graph;
        if let NodeKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) = *graph.kind(node)
            && graph.ty(a) == self.program.types.bool()
        {
            let (a, b) = (self.expr(a), self.expr(b));
            let b = if op == BinaryOp::Eq { self.add(ExprKind::Unary(UnaryOp::Not, b)) } else { b };
            return self.add(ExprKind::Binary(BinaryOp::Iff, a, b));
        }
        let made = self.expr(node);
        self.ast.negation(made)
    }

    fn command(&mut self, command: &Command) -> ast::Command {
        let program = self.program;
        let said = |form: Form| program.spelling.attributes(form, command.span);
        let mut attributes = Vec::new();
        let name = |this: &Self, id: VariableId| ident(this.program.variables[id].name);
        let kind = match &command.kind {
            // What attributes are about is shown at the command that has them.
            kind if self.is_shown_elsewhere(kind, command.span) => ast::CommandKind::Havoc(Vec::new()),
            CommandKind::Assert(expr, CheckNotes { origin: CheckOrigin::Assertion, .. }) => {
                attributes = self.attributes(said(Form::Assert).or(said(Form::Invariant)), *expr);
                ast::CommandKind::Assert(self.expr(*expr))
            }
            CommandKind::Assert(expr, _) => {
                attributes.extend(self.hints(*expr));
                ast::CommandKind::Assert(self.expr(*expr))
            }
            CommandKind::Invariant { expr, free, notes } if notes.origin == CheckOrigin::Inferred => {
                attributes.push(self.attribute("inferred", Vec::new()));
                let expr = self.expr(*expr);
                if *free { ast::CommandKind::Assume(expr) } else { ast::CommandKind::Assert(expr) }
            }
            CommandKind::Invariant { expr, free: false, .. } => {
                attributes = self.attributes(said(Form::Invariant), *expr);
                ast::CommandKind::Assert(self.expr(*expr))
            }
            CommandKind::Assume(expr) => {
                attributes = self.attributes(said(Form::Assume).or(said(Form::Invariant)), *expr);
                ast::CommandKind::Assume(self.expr(*expr))
            }
            CommandKind::Invariant { expr, free: true, .. } => {
                attributes = self.attributes(said(Form::Invariant), *expr);
                ast::CommandKind::Assume(self.expr(*expr))
            }
            CommandKind::Observe(observation) => {
                let (name, parameters) = match observation {
                    Observation::Id(name) => {
                        ("id", vec![AttributeValue::Text(self.program.names.text(*name).to_owned())])
                    }
                    Observation::Start => ("start_checking_here", Vec::new()),
                    Observation::SplitHere => ("split_here", Vec::new()),
                    Observation::Focus => ("focus", Vec::new()),
                    Observation::IsolatedReturn(Isolation::OnEachPath) => {
                        ("isolate", vec![AttributeValue::Text("paths".to_owned())])
                    }
                    Observation::IsolatedReturn(_) => ("isolate", Vec::new()),
                    Observation::AllowSplit => ("allow_split", Vec::new()),
                    Observation::Capture(text) => ("captureState", vec![AttributeValue::Text(text.clone())]),
                    Observation::Print(pieces) => {
                        let pieces = pieces.iter().map(|piece| match piece {
                            Printed::Text(text) => AttributeValue::Text(text.clone()),
                            Printed::Value(value) => AttributeValue::Expr(self.expr(*value)),
                        });
                        ("print", pieces.collect())
                    }
                };
                attributes.push(self.attribute(name, parameters));
                ast::CommandKind::Assume(self.add(ExprKind::Bool(true)))
            }
            CommandKind::Havoc(variables) | CommandKind::Enter(variables) => {
                ast::CommandKind::Havoc(variables.iter().map(|id| self.havocked(*id)).collect())
            }
            CommandKind::Assign(pairs) => {
                attributes = self.written(said(Form::Assign).unwrap_or_default());
                let parts = pairs.iter().map(|(id, value)| self.assignment(*id, *value));
                let (targets, values) = parts.unzip();
                ast::CommandKind::Assign(targets, values)
            }
            CommandKind::Visibility(change) => ast::CommandKind::Visibility(self.visibility(change)),
            CommandKind::Call(call) => {
                let Call { callee, free, arguments, outputs, .. } = &**call;
                attributes = self.written(said(Form::Call).unwrap_or_default());
                ast::CommandKind::Call {
                    free: *free,
                    outputs: outputs.iter().map(|id| name(self, *id)).collect(),
                    callee: ident(self.program.procedures[*callee].name),
                    arguments: arguments.iter().map(|argument| self.expr(*argument)).collect(),
                }
            }
        };
        ast::Command { kind, attributes, span: Span::NOWHERE }
    }

    /// The attributes of a condition: those of the text, or what is known of them without it.
    fn attributes(&mut self, said: Option<&[String]>, condition: NodeId) -> Vec<ast::Attribute> {
        match said {
            Some(texts) => self.written(texts),
            None => self.hints(condition),
        }
    }

    /// Whether a command stands for an attribute that is printed with another one.
    fn is_shown_elsewhere(&self, kind: &CommandKind, at: Span) -> bool {
        let form = self.program.spelling.form(at);
        match kind {
            CommandKind::Observe(Observation::IsolatedReturn(_) | Observation::AllowSplit) => {
                self.program.spelling.is_known()
            }
            CommandKind::Observe(_) => form.is_some(),
            // Terms for pools.
            CommandKind::Assume(expr) => {
                let hints = matches!(self.program.graph.kind(*expr), NodeKind::Hinted(..));
                hints && matches!(form, Some(Form::Assign | Form::Call))
            }
            _ => false,
        }
    }

    /// The attributes of the jump at the end of a block.
    fn jump(&mut self, block: &Block) -> Vec<ast::Attribute> {
        if !self.program.spelling.is_known() {
            return Vec::new();
        }
        let of_jump = |command: &Command| match command.kind {
            CommandKind::Observe(Observation::IsolatedReturn(Isolation::OnEachPath)) => {
                Some("isolate \"paths\"")
            }
            CommandKind::Observe(Observation::IsolatedReturn(_)) => Some("isolate"),
            CommandKind::Observe(Observation::AllowSplit) => Some("allow_split"),
            _ => None,
        };
        let words: Vec<&str> = block.commands.iter().filter_map(of_jump).collect();
        words.into_iter().map(|word| self.attribute(word, Vec::new())).collect()
    }

    /// A target and what is assigned to it: the elements of a map that are written, where a map is assigned with one
    /// element changed, since that is what such an assignment became.
    fn assignment(&mut self, variable: VariableId, value: NodeId) -> (Target, ExprId) {
        let graph = &self.program.graph;
        let mut steps = Vec::new();
        let mut value = value;
        let is_target = |map: NodeId| matches!(graph.kind(map), NodeKind::Variable(it) if *it == variable);
        let mut selected: Option<(NodeId, &[NodeId])> = None;
        while let NodeKind::Store(map, indices, new) = graph.kind(value) {
            let written = match selected {
                None => is_target(*map),
                Some((outer, at)) => {
                    matches!(graph.kind(*map), NodeKind::Select(inner, its) if *inner == outer && its == at)
                }
            };
            if !written {
                break;
            }
            selected = Some((*map, indices));
            steps.push(indices);
            value = *new;
        }
        let steps: Vec<TargetStep> = steps
            .into_iter()
            .map(|indices| {
                TargetStep::Index(Span::NOWHERE, indices.iter().map(|index| self.expr(*index)).collect())
            })
            .collect();
        (Target { base: ident(self.program.variables[variable].name), steps }, self.expr(value))
    }

    fn visibility(&self, change: &Visibility) -> ast::Visibility {
        let names = |functions: &Option<Vec<FunctionId>>| {
            let name = |id: &FunctionId| ident(self.program.functions[*id].name);
            functions.as_ref().map(|functions| functions.iter().map(name).collect())
        };
        match change {
            Visibility::Push => ast::Visibility::Push,
            Visibility::Pop => ast::Visibility::Pop,
            Visibility::Hide(functions) => ast::Visibility::Hide(names(functions)),
            Visibility::Reveal(functions) => ast::Visibility::Reveal(names(functions)),
        }
    }

    /// A variable that gets any value, with the condition that is assumed of it then.
    fn havocked(&mut self, id: VariableId) -> Ident {
        let Variable { name, condition, .. } = self.program.variables[id];
        let Some(condition) = condition else { return ident(name) };
        let text = format!("{} /* where {} */", self.program.names.text(name), self.text(condition));
        ident(self.ast.names.intern(&text))
    }

    fn add(&mut self, kind: ExprKind) -> ExprId {
        self.ast.exprs.push(Expr { kind, span: Span::NOWHERE })
    }

    fn ty(&mut self, id: TypeId) -> TypeExprId {
        let text = self.program.types.show(id, &self.program.names, &self.program.type_names);
        self.ast.spelled_type(&text)
    }

    /// Attributes by the words that the text has for them.
    fn written(&mut self, texts: &[String]) -> Vec<ast::Attribute> {
        texts.iter().map(|text| self.attribute(text, Vec::new())).collect()
    }

    fn expr(&mut self, root: NodeId) -> ExprId {
        for node in self.program.graph.below(&[root]) {
            if !self.made.contains_key(&node) {
                let kind = self.kind(node);
                let expr = self.add(kind);
                self.made.insert(node, expr);
            }
        }
        match self.made.get(&root) {
            Some(expr) => *expr,
            None => self.add(ExprKind::Missing),
        }
    }

    /// The form of a node whose parts are made.
    fn kind(&mut self, node: NodeId) -> ExprKind {
        let program = self.program;
        let part = |id: &NodeId| self.made[id];
        let all = |ids: &[NodeId]| ids.iter().map(part).collect::<Vec<ExprId>>();
        match program.graph.kind(node) {
            NodeKind::Bool(value) => ExprKind::Bool(*value),
            NodeKind::Int(value) => ExprKind::Int(value.clone()),
            NodeKind::Real(mantissa, exponent) => ExprKind::Real(mantissa.clone(), *exponent),
            NodeKind::BitVector(value, width) => ExprKind::BitVector(value.clone(), *width),
            NodeKind::Float(text) => ExprKind::Float(text.clone()),
            NodeKind::RoundingMode(mode) => ExprKind::RoundingMode(mode),
            NodeKind::Text(text) => ExprKind::Text(text.clone()),
            NodeKind::Variable(id) | NodeKind::Incarnation(id, 0) => {
                ExprKind::Name(self.renamed.get(id).copied().unwrap_or(program.variables[*id].name))
            }
            NodeKind::Incarnation(id, number) => {
                let name = program.names.text(program.variables[*id].name);
                ExprKind::Name(self.ast.names.intern(&format!("{name}@{}", number - 1)))
            }
            NodeKind::Constant(id) => ExprKind::Name(program.constants[*id].name),
            NodeKind::Bound(bound) => ExprKind::Name(bound.name),
            NodeKind::Unary(op, a) => ExprKind::Unary(*op, part(a)),
            // Boogie shows the equality of truth values as what it is.
            NodeKind::Binary(BinaryOp::Ne, a, b) if program.graph.ty(*a) == program.types.bool() => {
                let (a, b) = (part(a), part(b));
                ExprKind::Binary(BinaryOp::Iff, a, self.add(ExprKind::Unary(UnaryOp::Not, b)))
            }
            NodeKind::Binary(BinaryOp::Eq, a, b) if program.graph.ty(*a) == program.types.bool() => {
                ExprKind::Binary(BinaryOp::Iff, part(a), part(b))
            }
            NodeKind::Binary(op, a, b) => ExprKind::Binary(*op, part(a), part(b)),
            NodeKind::Apply(id, _, arguments) => {
                ExprKind::Apply(ident(program.functions[*id].name), all(arguments))
            }
            NodeKind::Construct(id, arguments) => {
                ExprKind::Apply(ident(program.constructors[*id].name), all(arguments))
            }
            NodeKind::Select(map, indices) => ExprKind::Select(part(map), all(indices)),
            NodeKind::Store(map, indices, value) => ExprKind::Store(part(map), all(indices), part(value)),
            NodeKind::Extract(a, high, low) => ExprKind::Extract(part(a), *high, *low),
            NodeKind::Field(id, index, a) => {
                let field = program.constructors[*id].fields.get(*index as usize);
                match field {
                    Some((name, _)) => ExprKind::Field(part(a), ident(*name)),
                    None => ExprKind::Missing,
                }
            }
            NodeKind::Is(id, a) => ExprKind::Is(part(a), ident(program.constructors[*id].name)),
            NodeKind::Old(a) => ExprKind::Old(part(a)),
            NodeKind::IfThenElse(a, b, c) => ExprKind::IfThenElse(part(a), part(b), part(c)),
            NodeKind::Code(_) => ExprKind::Missing,
            NodeKind::Quantifier(quantifier) => {
                let body = part(&quantifier.body);
                let triggers = quantifier.triggers.iter().map(|terms| (false, all(terms)));
                let excluded = quantifier.no_triggers.iter().map(|term| (true, vec![part(term)]));
                let triggers = triggers
                    .chain(excluded)
                    .map(|(negative, terms)| Trigger { negative, terms, span: Span::NOWHERE })
                    .collect();
                let bound = quantifier
                    .bound
                    .iter()
                    .enumerate()
                    .map(|(at, bound)| TypedName {
                        name: ident(bound.name),
                        ty: self.ty(bound.ty),
                        condition: None,
                        attributes: self.pools(quantifier.pools.get(at).map_or(&[], Vec::as_slice)),
                    })
                    .collect();
                let variables = &program.type_names.variables;
                ExprKind::Quantifier(Box::new(Quantifier {
                    binder: quantifier.binder,
                    type_parameters: quantifier
                        .type_parameters
                        .iter()
                        .map(|id| ident(variables[*id]))
                        .collect(),
                    bound,
                    attributes: self.quantifier_attributes(quantifier),
                    triggers,
                    body,
                }))
            }
            // Attributes stand at quantifiers and commands, which look for them themselves.
            NodeKind::Hinted(_, a) => self.ast.exprs[part(a)].kind.clone(),
        }
    }
}

/// Attributes that help with quantifiers.
impl Unparser<'_> {
    fn attribute(&mut self, name: &str, parameters: Vec<AttributeValue>) -> ast::Attribute {
        let (name, span) = (ident(self.ast.names.intern(name)), Span::NOWHERE);
        ast::Attribute { name, span, parameters, last: span }
    }

    fn quantifier_attributes(&mut self, quantifier: &QuantifierNode) -> Vec<ast::Attribute> {
        if !quantifier.spelled.0.is_empty() {
            let names = &self.program.names;
            let texts: Vec<String> =
                quantifier.spelled.0.iter().map(|text| names.text(*text).to_owned()).collect();
            return self.written(&texts);
        }
        let weight = quantifier.weight.map(|weight| self.attribute(&format!("weight {weight}"), Vec::new()));
        weight.into_iter().chain(self.made_hints(quantifier.body)).collect()
    }

    fn pools(&mut self, pools: &[Symbol]) -> Vec<ast::Attribute> {
        let names = &self.program.names;
        let texts: Vec<_> =
            pools.iter().map(|pool| AttributeValue::Text(names.text(*pool).to_owned())).collect();
        if texts.is_empty() { Vec::new() } else { vec![self.attribute("pool", texts)] }
    }

    /// The attributes that put terms into pools, of a command with this condition.
    fn hints(&mut self, condition: NodeId) -> Vec<ast::Attribute> {
        self.expr(condition);
        self.made_hints(condition)
    }

    /// The same of an expression whose parts are made.
    fn made_hints(&mut self, expr: NodeId) -> Vec<ast::Attribute> {
        let program = self.program;
        let NodeKind::Hinted(hints, _) = program.graph.kind(expr) else { return Vec::new() };
        hints
            .iter()
            .filter_map(|hint| {
                let term = self.made.get(&hint.term).copied()?;
                let name = if hint.chosen_only { "skolem_add_to_pool" } else { "add_to_pool" };
                let pool = AttributeValue::Text(program.names.text(hint.pool).to_owned());
                Some(self.attribute(name, vec![pool, AttributeValue::Expr(term)]))
            })
            .collect()
    }
}

fn ident(name: Symbol) -> Ident {
    Ident { name, span: Span::NOWHERE }
}
