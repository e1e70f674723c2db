//! Bodies: blocks, statements and commands.

use super::attributes;
use super::expression::NONE;
use super::lines::Printer;
use super::places::BlockPlaced;
use crate::base::source::Span;
use crate::syntax::ast::{
    BigBlock, BlockEnd, Body, Command, CommandKind, ExprId, Ident, Statements, Target, TargetStep, Visibility,
};

impl Printer<'_, '_> {
    pub(super) fn body(&mut self, body: &Body) {
        self.push("{\n");
        self.body_lines(body, 1);
        self.push("}\n\n\n");
    }

    pub(super) fn body_lines(&mut self, body: &Body, level: usize) {
        for local in &body.locals {
            self.push("  ");
            self.mark(local.name.span);
            self.push("var ");
            self.typed_name(local);
            self.push(";\n");
        }
        if let Some(written) = &body.written {
            self.push(if body.locals.is_empty() { "" } else { "\n" });
            self.line(level, "/*** structured program:");
            self.statements(written, level);
            self.line(level, "**** end structured program */");
        }
        // Blocks that were made have labels that stand nowhere.
        let made = |label: Ident| label.span == Span::NOWHERE;
        let is_made = body.statements.blocks.first().is_some_and(|block| block.label.is_some_and(made));
        if is_made || !body.locals.is_empty() {
            self.push("\n");
        }
        self.statements(&body.statements, level);
    }

    /// A list of statements. The depth of statements is bounded by the parser.
    fn statements(&mut self, statements: &Statements, level: usize) {
        for (index, block) in statements.blocks.iter().enumerate() {
            if index > 0 {
                self.push("\n");
            }
            self.block(block, level);
        }
    }

    fn block(&mut self, block: &BigBlock, level: usize) {
        let mut placed = BlockPlaced { label: self.here(), ..BlockPlaced::default() };
        if let Some(label) = block.label {
            let mark = if block.cut { "  // cut point" } else { "" };
            self.line(level, &format!("{}:{mark}", self.bare_name(label.name)));
        }
        for command in &block.commands {
            if command.is_nothing() {
                placed.commands.push(self.here());
                continue;
            }
            self.push(&"  ".repeat(level + 1));
            placed.commands.push(self.here());
            self.command(command);
            self.push("\n");
            if let Some(body) = self.ast.desugared.get(&command.span) {
                self.desugaring(body, level + 1);
            }
        }
        let level = level + 1;
        placed.jump = match &block.end {
            BlockEnd::Goto(..) => self.here_at(level),
            _ => self.here(),
        };
        if let (Some(label), BlockEnd::Goto(..) | BlockEnd::Return(_)) = (block.label, &block.end) {
            let label = self.ast.names.text(label.name).to_owned();
            self.mark_block(&label, placed);
        }
        match &block.end {
            BlockEnd::FallThrough => {}
            BlockEnd::Goto(_, labels) => {
                let attributes = attributes(self.ast, &block.jump);
                let labels: Vec<String> = labels.iter().map(|it| self.bare_name(it.name)).collect();
                self.line(level, &format!("goto {attributes}{};", labels.join(", ")));
            }
            BlockEnd::Return(at) => {
                self.mark(*at);
                let attributes = attributes(self.ast, &block.jump);
                self.line(level, &format!("{};", format!("return {attributes}").trim_end()));
            }
            BlockEnd::ReturnValue(_, value) => {
                self.push(&"  ".repeat(level));
                self.push("return ");
                self.attributes(&block.jump);
                self.expression(*value, NONE, false);
                self.push(";\n");
            }
            BlockEnd::Break(_, None) => self.line(level, "break;"),
            BlockEnd::Break(_, Some(label)) => {
                self.line(level, &format!("break {};", self.bare_name(label.name)));
            }
            BlockEnd::If { branches, otherwise } => {
                for (index, branch) in branches.iter().enumerate() {
                    let attributes = attributes(self.ast, &branch.attributes);
                    let word = if index > 0 { "else if" } else { "if" };
                    self.guarded(level, format!("{word} {attributes}").trim_end(), branch.guard);
                    self.braced(&branch.then, level);
                }
                if let Some(otherwise) = otherwise {
                    self.line(level, "else");
                    self.braced(otherwise, level);
                }
            }
            BlockEnd::While { guard, invariants, body, .. } => {
                self.guarded(level, "while", *guard);
                for invariant in invariants {
                    let free = if invariant.free { "free " } else { "" };
                    self.push(&format!("{}{free}invariant ", "  ".repeat(level + 1)));
                    self.attributes(&invariant.attributes);
                    self.expression(invariant.expr, NONE, false);
                    self.push(";\n");
                }
                self.braced(body, level);
            }
        }
    }

    /// What a call stands for.
    fn desugaring(&mut self, body: &Body, level: usize) {
        self.line(level, "/*** desugaring:");
        self.line(level, "{");
        let inside = "  ".repeat(level + 1);
        for local in &body.locals {
            self.push(&format!("{inside}var "));
            self.typed_name(local);
            self.push(";\n");
        }
        for command in body.statements.blocks.iter().flat_map(|block| &block.commands) {
            self.push(&inside);
            self.command(command);
            self.push("\n");
        }
        self.line(level, "}");
        self.line(level, "**** end desugaring */");
    }

    fn line(&mut self, level: usize, text: &str) {
        self.push(&format!("{}{text}\n", "  ".repeat(level)));
    }

    fn guarded(&mut self, level: usize, word: &str, guard: Option<ExprId>) {
        self.push(&format!("{}{word} (", "  ".repeat(level)));
        match guard {
            Some(guard) => self.expression(guard, NONE, false),
            None => self.push("*"),
        }
        self.push(")\n");
    }

    fn braced(&mut self, statements: &Statements, level: usize) {
        self.line(level, "{");
        self.statements(statements, level + 1);
        self.line(level, "}");
    }

    pub(super) fn command(&mut self, command: &Command) {
        let attributes = &command.attributes;
        self.mark(command.span);

        match &command.kind {
            CommandKind::Assert(expr) | CommandKind::Assume(expr) => {
                let is_check = matches!(command.kind, CommandKind::Assert(_));
                self.push(if is_check { "assert " } else { "assume " });
                self.attributes(attributes);
                self.expression(*expr, NONE, false);
            }
            CommandKind::Havoc(names) => {
                self.push("havoc ");
                self.used(names);
            }
            CommandKind::Assign(targets, values) => {
                for (index, target) in targets.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" });
                    self.target(target);
                }
                self.push(" := ");
                self.attributes(attributes);
                self.list(values);
            }
            CommandKind::Unpack(constructor, names, value) => {
                self.push(&format!("{}({}) := ", self.name(constructor.name), self.names(names)));
                self.attributes(attributes);
                self.expression(*value, NONE, false);
            }
            CommandKind::Visibility(change) => {
                let names = |names: &Option<Vec<Ident>>| match names {
                    Some(names) => self.names(names),
                    None => "*".to_owned(),
                };
                let text = match change {
                    Visibility::Hide(of) => format!("hide {}", names(of)),
                    Visibility::Reveal(of) => format!("reveal {}", names(of)),
                    Visibility::Push => "push".to_owned(),
                    Visibility::Pop => "pop".to_owned(),
                };
                self.push(&text);
            }
            CommandKind::Call { free, outputs, callee, arguments } => {
                self.push(if *free { "free call " } else { "call " });
                self.attributes(attributes);
                if !outputs.is_empty() {
                    self.used(outputs);
                    self.push(" := ");
                }
                self.push(&format!("{}(", self.name(callee.name)));
                self.list(arguments);
                self.push(")");
            }
        }
        self.push(";");
    }

    fn target(&mut self, target: &Target) {
        self.push(&self.name(target.base.name));
        for step in &target.steps {
            match step {
                TargetStep::Index(_, indices) => {
                    self.push("[");
                    self.list(indices);
                    self.push("]");
                }
                TargetStep::Field(field) => self.push(&format!("->{}", self.name(field.name))),
            }
        }
    }
}
