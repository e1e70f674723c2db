//! Bodies, statements and commands.

use super::Parser;
use crate::base::source::Span;
use crate::syntax::ast::{
    Attribute, BigBlock, BlockEnd, Body, Branch, Command, CommandKind, Condition, ExprId, Ident, Statements,
    Target, TargetStep, TypedName, Visibility,
};
use crate::syntax::lexer::Kind;

/// A run of commands that is being collected.
#[derive(Default)]
struct Run {
    label: Option<Ident>,
    start: Option<Span>,
    commands: Vec<Command>,
}

impl Run {
    /// Closes the run with what follows it, and starts a new one.
    fn close(&mut self, at: Span, end: BlockEnd, jump: Vec<Attribute>) -> BigBlock {
        let Self { label, start, commands } = std::mem::take(self);
        BigBlock { label, jump, ..BigBlock::of(start.unwrap_or(at), commands, end) }
    }

    fn is_empty(&self) -> bool {
        self.label.is_none() && self.commands.is_empty()
    }

    fn add(&mut self, command: Command) {
        self.start.get_or_insert(command.span);
        self.commands.push(command);
    }
}

impl Parser<'_> {
    /// `{ var ...; statements }`
    pub(super) fn body(&mut self) -> Body {
        self.sign("{");
        let locals = self.locals();
        Body { locals, written: None, statements: self.statements() }
    }

    /// The rest of a code expression after its opening sign.
    pub(super) fn code_body(&mut self) -> Body {
        let locals = self.locals();
        let mut blocks = vec![self.code_block()];
        while self.kind() == Kind::Ident {
            blocks.push(self.code_block());
        }
        let end = self.sign("}|");
        Body { locals, written: None, statements: Statements { blocks, end } }
    }

    /// A labelled block of a code expression.
    fn code_block(&mut self) -> BigBlock {
        let label = self.ident();
        let mut run = Run { label: Some(label), start: Some(label.span), commands: Vec::new() };
        self.sign(":");
        while self.begins_command() {
            if self.label().is_some() {
                self.refuse("SpecBlock's can only have one label");
            } else {
                run.commands.extend(self.command());
            }
        }
        let span = self.span();
        let (end, jump) = match self.kind() {
            Kind::Keyword("goto") => self.jump(),
            Kind::Keyword("return") => {
                self.bump();
                let attributes = self.attributes();
                let value = self.expression();
                // Boogie tells what is wrong with it where it ends.
                (BlockEnd::ReturnValue(self.previous(), value), attributes)
            }
            _ => {
                self.invalid("SpecBlock");
                (BlockEnd::FallThrough, Vec::new())
            }
        };
        self.sign(";");
        run.close(span, end, jump)
    }

    fn locals(&mut self) -> Vec<TypedName> {
        let mut locals = Vec::new();
        while self.eat_keyword("var").is_some() {
            let attributes = self.attributes();
            locals.extend(self.variables(&attributes));
            self.sign(";");
        }
        locals
    }

    fn block_statements(&mut self) -> Statements {
        self.sign("{");
        if !self.enter() {
            let end = self.span();
            let block = Run::default().close(end, BlockEnd::FallThrough, Vec::new());
            return Statements { blocks: vec![block], end };
        }
        let statements = self.statements();
        self.leave();
        statements
    }

    /// Statements up to and with the closing brace.
    fn statements(&mut self) -> Statements {
        let mut blocks = Vec::new();
        let mut run = Run::default();
        let opening = self.span();
        loop {
            let span = self.span();
            let (end, jump) = match self.kind() {
                Kind::Keyword("goto" | "return") => {
                    let (end, jump) = self.jump();
                    self.sign(";");
                    (end, jump)
                }
                Kind::Keyword("break") => {
                    self.bump();
                    let label = (self.kind() == Kind::Ident).then(|| self.ident());
                    self.sign(";");
                    (BlockEnd::Break(span, label), Vec::new())
                }
                Kind::Keyword("if") => (self.conditional(), Vec::new()),
                Kind::Keyword("while") => (self.repetition(), Vec::new()),
                _ if !self.begins_command() => break,
                _ => {
                    if let Some(label) = self.label() {
                        if !run.is_empty() {
                            blocks.push(run.close(span, BlockEnd::FallThrough, Vec::new()));
                        }
                        run.label = Some(label);
                        run.start = Some(label.span);
                    } else if let Some(command) = self.command() {
                        run.add(command);
                    }
                    continue;
                }
            };
            blocks.push(run.close(span, end, jump));
        }
        let closed = self.is_sign("}");
        let mut end = self.sign("}");
        if !closed {
            // What is wrong with jumps is found behind what is wrong here.
            end = self.span();
        }
        if !run.is_empty() || blocks.is_empty() {
            let at = if blocks.is_empty() { opening } else { end };
            blocks.push(run.close(at, BlockEnd::FallThrough, Vec::new()));
        }
        Statements { blocks, end }
    }

    /// A label with its colon, if one stands here.
    fn label(&mut self) -> Option<Ident> {
        let found =
            self.kind() == Kind::Ident && self.kind_after(1) == Kind::Sign(":") && !self.is_visibility();
        found.then(|| {
            let label = self.ident();
            self.bump();
            label
        })
    }

    /// `goto` or `return` without the semicolon; the caller has seen the word.
    fn jump(&mut self) -> (BlockEnd, Vec<Attribute>) {
        let token = self.bump();
        let attributes = self.attributes();
        if token.kind == Kind::Keyword("goto") {
            (BlockEnd::Goto(token.span, self.idents()), attributes)
        } else {
            (BlockEnd::Return(token.span), attributes)
        }
    }

    fn guard(&mut self) -> Option<ExprId> {
        self.sign("(");
        let mut guard = None;
        if self.begins_expression() {
            guard = Some(self.expression());
        } else if self.eat_sign("*").is_none() {
            self.invalid("Guard");
        }
        self.sign(")");
        guard
    }

    fn conditional(&mut self) -> BlockEnd {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let span = self.keyword("if");
            let attributes = self.attributes();
            let guard = self.guard();
            let then = self.block_statements();
            branches.push(Branch { span, attributes, guard, then });
            if self.eat_keyword("else").is_none() {
                break;
            }
            if self.is_sign("{") {
                otherwise = Some(self.block_statements());
                break;
            }
            if !self.is_keyword("if") {
                self.invalid("IfCmd");
                break;
            }
        }
        BlockEnd::If { branches, otherwise }
    }

    fn repetition(&mut self) -> BlockEnd {
        let span = self.keyword("while");
        let guard = self.guard();
        let mut invariants = Vec::new();
        while self.is_keyword("invariant") || self.is_keyword("free") {
            // Boogie reports about an invariant at `free` if it is there.
            let at = self.span();
            let free = self.eat_keyword("free").is_some();
            self.keyword("invariant");
            let attributes = self.attributes();
            if self.begins_expression() {
                let expr = self.expression();
                invariants.push(Condition { free, expr, attributes, span: at });
            } else if matches!(self.kind(), Kind::Keyword("call" | "async" | "free")) {
                self.refuse_concurrent();
            } else {
                self.invalid("WhileCmd");
            }
            self.sign(";");
        }
        let body = self.block_statements();
        BlockEnd::While { span, guard, invariants, body }
    }

    fn begins_command(&self) -> bool {
        matches!(
            self.kind(),
            Kind::Ident | Kind::Keyword("assert" | "assume" | "havoc" | "call" | "free" | "async" | "par")
        )
    }

    /// One command with its semicolon; the caller has seen that one begins here. None if nothing is left of it.
    fn command(&mut self) -> Option<Command> {
        let span = self.span();
        let command = match self.kind() {
            Kind::Keyword(word @ ("assert" | "assume")) => {
                self.bump();
                let attributes = self.attributes();
                let expr = self.expression();
                let kind =
                    if word == "assert" { CommandKind::Assert(expr) } else { CommandKind::Assume(expr) };
                Command { kind, attributes, span }
            }
            Kind::Keyword("havoc") => {
                self.bump();
                Command { kind: CommandKind::Havoc(self.idents()), attributes: Vec::new(), span }
            }
            Kind::Keyword("async" | "par") => {
                self.refuse_concurrent();
                return None;
            }
            Kind::Keyword(_) => {
                let free = self.eat_keyword("free").is_some();
                let call = self.call(free);
                self.sign(";");
                return call;
            }
            _ if self.is_visibility() => Command { kind: self.visibility(), attributes: Vec::new(), span },
            _ => return self.assignment(),
        };
        self.sign(";");
        Some(command)
    }

    /// Whether a statement starts here that says which axioms may be used.
    fn is_visibility(&self) -> bool {
        ["hide", "reveal", "push", "pop"].iter().any(|word| self.is_word(word))
    }

    fn visibility(&mut self) -> CommandKind {
        let word = self.bump().span;
        let word = self.slice(word).to_owned();
        self.ast.has_visibility = true;
        CommandKind::Visibility(match word.as_str() {
            "push" => Visibility::Push,
            "pop" => Visibility::Pop,
            word => {
                let mut names = None;
                if self.kind() == Kind::Ident {
                    names = Some(vec![self.ident()]);
                } else if self.eat_sign("*").is_none() {
                    self.invalid("LabelOrCmd");
                }
                if word == "hide" { Visibility::Hide(names) } else { Visibility::Reveal(names) }
            }
        })
    }

    /// `x, m[i] := e, f;` or `C(x, y) := e;`
    fn assignment(&mut self) -> Option<Command> {
        let first = self.ident();
        if self.eat_sign("(").is_some() {
            let names = self.idents();
            self.sign(")");
            let span = self.sign(":=");
            let attributes = self.attributes();
            let value = self.expression();
            self.sign(";");
            return Some(Command { kind: CommandKind::Unpack(first, names, value), attributes, span });
        }
        if !matches!(self.kind(), Kind::Sign("[" | "->" | "," | ":=")) {
            self.invalid("LabelOrAssign");
            return None;
        }
        let mut targets = vec![self.target(first)];
        while self.eat_sign(",").is_some() {
            let base = self.ident();
            targets.push(self.target(base));
        }
        let span = self.sign(":=");
        let attributes = self.attributes();
        let values = self.expressions();
        self.sign(";");
        Some(Command { kind: CommandKind::Assign(targets, values), attributes, span })
    }

    fn target(&mut self, base: Ident) -> Target {
        let mut steps = Vec::new();
        loop {
            if let Some(at) = self.eat_sign("[") {
                let indices = if self.begins_expression() { self.expressions() } else { Vec::new() };
                self.sign("]");
                steps.push(TargetStep::Index(at, indices));
            } else if self.eat_sign("->").is_some() {
                steps.push(TargetStep::Field(self.ident()));
            } else {
                return Target { base, steps };
            }
        }
    }

    /// A call without its semicolon. None if what is called cannot be told.
    fn call(&mut self, free: bool) -> Option<Command> {
        let span = self.keyword("call");
        let attributes = self.attributes();
        let first = self.ident();
        let (outputs, callee) = if self.is_sign("(") {
            (Vec::new(), first)
        } else if self.is_sign(",") || self.is_sign(":=") {
            let mut outputs = vec![first];
            while self.eat_sign(",").is_some() {
                outputs.push(self.ident());
            }
            self.sign(":=");
            (outputs, self.ident())
        } else {
            self.invalid("CallParams");
            return None;
        };
        self.sign("(");
        let arguments = self.arguments();
        Some(Command { kind: CommandKind::Call { free, outputs, callee, arguments }, attributes, span })
    }
}
