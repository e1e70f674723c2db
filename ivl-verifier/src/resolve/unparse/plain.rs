//! Commands with the attributes that they are printed with, and blocks of them: what a transformation for printing
//! works on, since attributes are found by places that it takes away.

use crate::base::source::Span;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{Block, Command, CommandKind, Implementation, Transfer, VariableKind};
use crate::resolve::unparse::{Unparser, ident};
use crate::syntax::ast::{self, BigBlock, BinaryOp, BlockEnd, Body, ExprId, ExprKind, Statements, UnaryOp};
use crate::syntax::print;

/// A command, and how it is printed.
#[derive(Clone, Debug)]
pub(crate) struct PlainCommand {
    pub(crate) kind: PlainKind,
    /// Its attributes, each as it stands between its braces, without the colon.
    pub(crate) attributes: Vec<String>,
    /// Whether its condition is a test that failed: printed as the comparison that holds instead.
    pub(crate) negated: bool,
    /// What `{:subsumption}` says, where it is a check: whether what follows may rely on it.
    pub(crate) subsumption: u32,
    /// Where it stands in the text, or what it was made of does.
    pub(crate) span: Span,
}

/// What it does.
#[derive(Clone, Debug)]
pub(crate) enum PlainKind {
    Assert(NodeId),
    Assume(NodeId),
    /// Assumes that these are equal, in words that say so whatever their types are.
    Equal(Vec<(NodeId, NodeId)>),
    /// Any other command.
    Step(CommandKind),
}

impl PlainCommand {
    /// A command without attributes.
    pub(crate) fn of(kind: PlainKind, span: Span) -> Self {
        Self { kind, attributes: Vec::new(), negated: false, subsumption: 2, span }
    }

    /// Whether it has an attribute of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|it| it.split_whitespace().next() == Some(name))
    }
}

/// A block of such commands.
#[derive(Clone, Debug)]
pub(crate) struct PlainBlock {
    pub(crate) label: String,
    pub(crate) span: Span,
    pub(crate) commands: Vec<PlainCommand>,
    pub(crate) jump: PlainJump,
    /// The attributes of the jump.
    pub(crate) jump_attributes: Vec<String>,
    /// Whether bounds were inferred here.
    pub(crate) cut: bool,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlainJump {
    /// On to one of these blocks.
    Goto(Vec<usize>),
    /// The implementation returns, at this place.
    Return(Span),
}

impl Unparser<'_> {
    /// The blocks of an implementation in the given order, each with those that continue it, the numbers in their jumps
    /// being those of this order. Blocks that are not in it are not jumped to.
    pub(crate) fn plain_blocks(
        &mut self,
        implementation: &Implementation,
        order: &[usize],
        cuts: Option<&std::collections::BTreeSet<usize>>,
    ) -> Vec<PlainBlock> {
        let starts = self.starts(implementation, order);
        let mut number = vec![None; implementation.blocks.len()];
        for (index, at) in starts.iter().enumerate() {
            number[*at] = Some(index);
        }
        let plain = |this: &mut Self, at: usize| {
            let first = &implementation.blocks[at];
            let mut commands = this.plain_commands(first);
            let mut last = first;
            while !this.ends(last, cuts)
                && let Transfer::Goto(targets) = &last.transfer
                && let [only] = *targets.as_slice()
                && implementation.blocks[only].continues
            {
                last = &implementation.blocks[only];
                commands.extend(this.plain_commands(last));
            }
            let jump = match &last.transfer {
                Transfer::Goto(_) if this.ends(last, cuts) => PlainJump::Return(Span::NOWHERE),
                Transfer::Goto(targets) => {
                    PlainJump::Goto(targets.iter().filter_map(|target| number[*target]).collect())
                }
                Transfer::Return(at) => PlainJump::Return(*at),
            };
            let jump_attributes = this.jump(last);
            PlainBlock {
                label: this.program.names.text(first.label).to_owned(),
                span: first.span,
                commands,
                jump,
                jump_attributes: this.words(&jump_attributes),
                cut: cuts.is_some_and(|cuts| cuts.contains(&at)),
            }
        };
        starts.into_iter().map(|at| plain(self, at)).collect()
    }

    fn words(&self, attributes: &[ast::Attribute]) -> Vec<String> {
        crate::resolve::spelling::texts(&self.ast, attributes)
    }

    /// The commands of a block, but for those that say something to others only.
    fn plain_commands(&mut self, block: &Block) -> Vec<PlainCommand> {
        let printed = self.commands(block);
        let mut commands = Vec::new();
        for (command, printed) in block.commands.iter().zip(printed) {
            let says_nothing = matches!(command.kind, CommandKind::Observe(_));
            if says_nothing || self.is_shown_elsewhere(&command.kind, command.span) {
                continue;
            }
            commands.push(self.plain_command(command, &printed));
        }
        commands
    }

    fn plain_command(&self, command: &Command, printed: &ast::Command) -> PlainCommand {
        let attributes = self.words(&printed.attributes);
        let failed = attributes.last().is_some_and(|it| it == "partition")
            && !matches!(&printed.kind, ast::CommandKind::Assume(expr)
                if matches!(self.ast.exprs[*expr].kind, ExprKind::Unary(UnaryOp::Not, _)));
        let plain = |kind: PlainKind| PlainCommand { attributes, ..PlainCommand::of(kind, command.span) };
        match &command.kind {
            CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, free: false, notes } => {
                let subsumption = notes.subsumption.unwrap_or(2);
                PlainCommand { subsumption, ..plain(PlainKind::Assert(*expr)) }
            }
            CommandKind::Assume(expr) | CommandKind::Invariant { expr, free: true, .. } => {
                PlainCommand { negated: failed, ..plain(PlainKind::Assume(*expr)) }
            }
            kind => plain(PlainKind::Step(kind.clone())),
        }
    }

    /// An implementation with these blocks in place of its own, its name followed by a suffix, as text; with these
    /// local variables, unless they are not to be shown.
    pub(crate) fn plain(
        &mut self,
        implementation: &Implementation,
        suffix: &str,
        blocks: &[&PlainBlock],
        targets: &dyn Fn(usize) -> Option<String>,
        locals: Option<&[VariableId]>,
    ) -> String {
        let name = format!("{}{suffix}", self.program.names.text(implementation.name));
        let name = ident(self.ast.names.intern(&name));
        let signature = self.signature(name, implementation);
        let has_locals = locals.is_some_and(|it| !it.is_empty());
        let locals = locals.unwrap_or_default().iter().map(|id| self.local(*id)).collect();
        let blocks = blocks.iter().map(|block| self.plain_block(block, targets)).collect();
        let statements = Statements { blocks, end: Span::NOWHERE };
        let kind = ast::DeclarationKind::Implementation(Box::new(ast::Implementation {
            signature,
            body: Body { locals, written: None, statements },
        }));
        let declaration = ast::Declaration { kind, attributes: Vec::new(), span: Span::NOWHERE };
        self.ast.declarations = vec![declaration];
        let text = print::program_placed(&self.ast, &[], self.breaks).0;
        // A second empty line separates local variables from what were structured statements once.
        match text.find("\n\n  ").filter(|_| has_locals) {
            Some(at) => format!("{}\n{}", &text[..at], &text[at..]),
            None => text,
        }
    }

    /// A local variable; an incarnation has neither the attributes nor the condition of its variable.
    fn local(&mut self, id: VariableId) -> ast::TypedName {
        let mut name = self.typed(id);
        let variable = &self.program.variables[id];
        if variable.kind == VariableKind::Local && self.program.names.text(variable.name).contains("#AT#") {
            name.attributes.clear();
        }
        name
    }

    fn plain_block(&mut self, block: &PlainBlock, targets: &dyn Fn(usize) -> Option<String>) -> BigBlock {
        let commands = block.commands.iter().map(|command| self.printed(command)).collect();
        let end = match &block.jump {
            PlainJump::Goto(to) => {
                let names: Vec<String> = to.iter().filter_map(|at| targets(*at)).collect();
                let labels = names.iter().map(|name| ident(self.ast.names.intern(name)));
                BlockEnd::Goto(Span::NOWHERE, labels.collect())
            }
            PlainJump::Return(_) => BlockEnd::Return(Span::NOWHERE),
        };
        let label = ident(self.ast.names.intern(&block.label));
        let jump = self.written(&block.jump_attributes);
        BigBlock { label: Some(label), jump, cut: block.cut, ..BigBlock::of(Span::NOWHERE, commands, end) }
    }

    fn printed(&mut self, command: &PlainCommand) -> ast::Command {
        let kind = match &command.kind {
            PlainKind::Assert(expr) => ast::CommandKind::Assert(self.expr(*expr)),
            PlainKind::Assume(expr) => {
                let denied = match self.program.graph.kind(*expr) {
                    NodeKind::Unary(UnaryOp::Not, inner) if command.negated => Some(*inner),
                    _ => None,
                };
                ast::CommandKind::Assume(match denied {
                    Some(inner) => self.denied(inner),
                    None => self.expr(*expr),
                })
            }
            PlainKind::Equal(pairs) => {
                let mut all: Option<ExprId> = None;
                for (left, right) in pairs {
                    let (left, right) = (self.expr(*left), self.expr(*right));
                    let equal = self.add(ExprKind::Binary(BinaryOp::Eq, left, right));
                    all = Some(match all {
                        Some(before) => self.add(ExprKind::Binary(BinaryOp::And, before, equal)),
                        None => equal,
                    });
                }
                let all = all.unwrap_or_else(|| self.add(ExprKind::Bool(true)));
                ast::CommandKind::Assume(all)
            }
            PlainKind::Step(kind) => {
                let whole = Command { kind: kind.clone(), span: command.span };
                return self.command(&whole);
            }
        };
        let attributes = self.written(&command.attributes);
        ast::Command { kind, attributes, span: Span::NOWHERE }
    }
}
