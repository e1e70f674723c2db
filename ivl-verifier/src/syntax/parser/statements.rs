//! Bodies, statements and commands.

use super::expressions::Conditions;
use super::{Parsed, Parser, Reported};
use crate::base::source::Span;
use crate::syntax::ast::{
    BigBlock, BlockEnd, Body, Branch, Command, CommandKind, Condition, ExprId, Ident, Statements, Target,
    TargetStep, Visibility,
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
    fn close(&mut self, at: Span, end: BlockEnd) -> BigBlock {
        let Self { label, start, commands } = std::mem::take(self);
        BigBlock { label, span: start.unwrap_or(at), commands, end }
    }

    fn is_empty(&self) -> bool {
        self.label.is_none() && self.commands.is_empty()
    }
}

impl Parser<'_> {
    /// `{ var ...; statements }`
    pub(super) fn body(&mut self) -> Parsed<Body> {
        self.sign("{")?;
        let mut locals = Vec::new();
        while self.is_keyword("var") {
            let parsed = self.local_variables();
            match parsed {
                Ok(names) => locals.extend(names),
                Err(Reported) => self.skip_statement(),
            }
        }
        let statements = self.statements("}")?;
        Ok(Body { locals, statements })
    }

    /// The rest of a code expression after its opening sign.
    pub(super) fn code_body(&mut self) -> Parsed<Body> {
        let mut locals = Vec::new();
        while self.is_keyword("var") {
            locals.extend(self.local_variables()?);
        }
        let statements = self.nested(|parser| parser.statements("}|"))?;
        Ok(Body { locals, statements })
    }

    fn local_variables(&mut self) -> Parsed<Vec<crate::syntax::ast::TypedName>> {
        self.keyword("var")?;
        let attributes = self.attributes()?;
        let mut names = self.typed_names(Conditions::Allowed)?;
        for name in &mut names {
            name.attributes.extend(attributes.iter().cloned());
        }
        self.sign(";")?;
        Ok(names)
    }

    /// Skips to behind the next semicolon, or to a closing brace or the next declaration.
    fn skip_statement(&mut self) {
        loop {
            match self.kind() {
                Kind::End
                | Kind::Sign("}" | "}|" | "{")
                | Kind::Keyword("procedure" | "implementation" | "function" | "axiom" | "const" | "type") => {
                    return;
                }
                Kind::Sign(";") => {
                    self.bump();
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn block_statements(&mut self) -> Parsed<Statements> {
        self.sign("{")?;
        self.nested(|parser| parser.statements("}"))
    }

    /// Statements up to and with a closing sign.
    fn statements(&mut self, close: &str) -> Parsed<Statements> {
        let mut blocks = Vec::new();
        let mut run = Run::default();
        let opening = self.span();
        while !self.is_sign(close) {
            if matches!(
                self.kind(),
                Kind::End
                    | Kind::Keyword("procedure" | "implementation" | "function" | "axiom" | "const" | "type")
            ) {
                return self.expected(&format!("\"{close}\""));
            }
            let before = self.at;
            if let Err(Reported) = self.statement(&mut run, &mut blocks) {
                self.skip_statement();
                if self.at == before {
                    self.bump();
                }
            }
        }
        let end = self.bump().span;
        if !run.is_empty() || blocks.is_empty() {
            blocks.push(run.close(if blocks.is_empty() { opening } else { end }, BlockEnd::FallThrough));
        }
        Ok(Statements { blocks, end })
    }

    fn statement(&mut self, run: &mut Run, blocks: &mut Vec<BigBlock>) -> Parsed<()> {
        let span = self.span();
        if self.kind() == Kind::Ident && self.kind_after(1) == Kind::Sign(":") {
            let label = self.ident()?;
            self.bump();
            if !run.is_empty() {
                blocks.push(run.close(span, BlockEnd::FallThrough));
            }
            run.label = Some(label);
            run.start = Some(span);
            return Ok(());
        }
        let end = match self.kind() {
            Kind::Keyword("goto") => {
                self.bump();
                let targets = self.idents()?;
                self.sign(";")?;
                BlockEnd::Goto(span, targets)
            }
            Kind::Keyword("return") => {
                self.bump();
                if self.eat_sign(";").is_some() {
                    BlockEnd::Return(span)
                } else {
                    let value = self.expression()?;
                    self.sign(";")?;
                    BlockEnd::ReturnValue(span, value)
                }
            }
            Kind::Keyword("break") => {
                self.bump();
                let label = if self.is_sign(";") { None } else { Some(self.ident()?) };
                self.sign(";")?;
                BlockEnd::Break(span, label)
            }
            Kind::Keyword("if") => self.conditional()?,
            Kind::Keyword("while") => self.repetition()?,
            _ => {
                let command = self.command()?;
                run.start.get_or_insert(command.span);
                run.commands.push(command);
                return Ok(());
            }
        };
        blocks.push(run.close(span, end));
        Ok(())
    }

    fn guard(&mut self) -> Parsed<Option<ExprId>> {
        self.sign("(")?;
        let guard = if self.eat_sign("*").is_some() { None } else { Some(self.expression()?) };
        self.sign(")")?;
        Ok(guard)
    }

    fn conditional(&mut self) -> Parsed<BlockEnd> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let span = self.keyword("if")?;
            let guard = self.guard()?;
            let then = self.block_statements()?;
            branches.push(Branch { span, guard, then });
            if self.eat_keyword("else").is_none() {
                break;
            }
            if !self.is_keyword("if") {
                otherwise = Some(self.block_statements()?);
                break;
            }
        }
        Ok(BlockEnd::If { branches, otherwise })
    }

    fn repetition(&mut self) -> Parsed<BlockEnd> {
        let span = self.keyword("while")?;
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        while self.is_keyword("invariant") || self.is_keyword("free") {
            // Boogie reports about an invariant at `free` if it is there.
            let at = self.span();
            let free = self.eat_keyword("free").is_some();
            self.keyword("invariant")?;
            let attributes = self.attributes()?;
            let expr = self.expression()?;
            self.sign(";")?;
            invariants.push(Condition { free, expr, attributes, span: at });
        }
        let body = self.block_statements()?;
        Ok(BlockEnd::While { span, guard, invariants, body })
    }

    fn command(&mut self) -> Parsed<Command> {
        let span = self.span();
        let (kind, attributes, span) = match self.kind() {
            Kind::Keyword(word @ ("assert" | "assume")) => {
                self.bump();
                let attributes = self.attributes()?;
                let expr = self.expression()?;
                let kind =
                    if word == "assert" { CommandKind::Assert(expr) } else { CommandKind::Assume(expr) };
                (kind, attributes, span)
            }
            Kind::Keyword("havoc") => {
                self.bump();
                (CommandKind::Havoc(self.idents()?), Vec::new(), span)
            }
            Kind::Keyword("call") => self.call(false)?,
            Kind::Keyword("free") => {
                self.bump();
                self.call(true)?
            }
            Kind::Keyword("async" | "par" | "yield") => {
                return self.error(span, "concurrent programs (Civl) are not supported");
            }
            Kind::Ident if self.is_visibility() => (self.visibility()?, Vec::new(), span),
            Kind::Ident if self.kind_after(1) == Kind::Sign("(") => {
                let constructor = self.ident()?;
                self.sign("(")?;
                let targets = if self.is_sign(")") { Vec::new() } else { self.idents()? };
                self.sign(")")?;
                let at = self.sign(":=")?;
                let value = self.expression()?;
                (CommandKind::Unpack(constructor, targets, value), Vec::new(), at)
            }
            Kind::Ident => {
                let mut targets = vec![self.target()?];
                while self.eat_sign(",").is_some() {
                    targets.push(self.target()?);
                }
                let at = self.sign(":=")?;
                let values = self.expressions()?;
                (CommandKind::Assign(targets, values), Vec::new(), at)
            }
            _ => return self.invalid("LabelOrCmd"),
        };
        self.sign(";")?;
        Ok(Command { kind, attributes, span })
    }

    /// Whether a statement starts here that says which axioms may be used; its words are names elsewhere.
    fn is_visibility(&self) -> bool {
        let next = self.kind_after(1);
        match next {
            Kind::Ident | Kind::Sign("*") => self.is_word("hide") || self.is_word("reveal"),
            Kind::Sign(";") => self.is_word("push") || self.is_word("pop"),
            _ => false,
        }
    }

    fn visibility(&mut self) -> Parsed<CommandKind> {
        let word = self.slice(self.span()).to_owned();
        self.bump();
        self.ast.has_visibility = true;
        Ok(CommandKind::Visibility(match word.as_str() {
            "push" => Visibility::Push,
            "pop" => Visibility::Pop,
            word => {
                let names = if self.eat_sign("*").is_some() { None } else { Some(self.idents()?) };
                if word == "hide" { Visibility::Hide(names) } else { Visibility::Reveal(names) }
            }
        }))
    }

    fn target(&mut self) -> Parsed<Target> {
        let base = self.ident()?;
        let mut steps = Vec::new();
        loop {
            if let Some(at) = self.eat_sign("[") {
                let indices = if self.is_sign("]") { Vec::new() } else { self.expressions()? };
                self.sign("]")?;
                steps.push(TargetStep::Index(at, indices));
            } else if self.eat_sign("->").is_some() {
                steps.push(TargetStep::Field(self.ident()?));
            } else {
                return Ok(Target { base, steps });
            }
        }
    }

    fn call(&mut self, free: bool) -> Parsed<(CommandKind, Vec<crate::syntax::ast::Attribute>, Span)> {
        let span = self.keyword("call")?;
        let attributes = self.attributes()?;
        let first = self.ident()?;
        let (outputs, callee) = if self.is_sign("(") {
            (Vec::new(), first)
        } else {
            let mut outputs = vec![first];
            while self.eat_sign(",").is_some() {
                outputs.push(self.ident()?);
            }
            self.sign(":=")?;
            (outputs, self.ident()?)
        };
        self.sign("(")?;
        let arguments = if self.is_sign(")") { Vec::new() } else { self.expressions()? };
        self.sign(")")?;
        Ok((CommandKind::Call { free, outputs, callee, arguments }, attributes, span))
    }
}
