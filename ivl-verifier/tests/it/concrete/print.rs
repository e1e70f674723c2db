//! Programs as text.

use super::formula::{PRELUDE, Scope, Writer};
use super::numbers::Numbers;
use super::program::{
    Body, Check, GLOBAL, INPUT, LOCAL, NAMES, Procedure, Program, RESULT, State, Statement, States, Value,
    read,
};
use super::shape::Shape;

impl Program {
    pub(super) fn text(&self, seed: u64) -> String {
        let mut printer = Printer {
            program: self,
            writer: Writer::default(),
            numbers: Numbers::new(seed ^ 0x5bd1_e995),
            divided: seed.is_multiple_of(3),
            text: PRELUDE.to_owned(),
        };
        printer.line(&format!("var {};", bit(self.shape, "g")));
        for procedure in &self.procedures {
            printer.procedure(procedure);
        }
        let Printer { text, writer, .. } = printer;
        text + &writer.functions
    }
}

/// The declaration of a variable.
fn bit(shape: Shape, name: &str) -> String {
    let value = shape.read(name);
    format!("{name}: {} where 0 <= {value} && {value} <= 1", shape.ty())
}

/// Programs as text.
struct Printer<'p> {
    program: &'p Program,
    writer: Writer,
    numbers: Numbers,
    /// Whether implementations are asked in pieces.
    divided: bool,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn formula(&mut self, about: &[usize], tuples: &States, two_state: bool) -> String {
        let env: Vec<String> = about.iter().map(|at| read(self.program.shape, *at)).collect();
        let depth = self.numbers.below(3);
        let tuples: Vec<State> = tuples.iter().cloned().collect();
        self.writer.formula(&env, &tuples, Scope { two_state, changes: true }, depth, &mut self.numbers)
    }

    fn claim(&mut self, check: usize) -> String {
        let Check { about, met, .. } = &self.program.checks[check];
        format!("{} // check {check}", self.formula(about, met, true) + ";")
    }

    fn condition(&self, condition: Option<Value>) -> String {
        condition.map_or("*".to_owned(), |value| format!("{} == 1", value.text(self.program.shape)))
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign(pairs) => {
                    let shape = self.program.shape;
                    let written = |(target, value): &(usize, Value)| {
                        shape.write(NAMES[*target], &format!("({})", value.text(shape)))
                    };
                    let (targets, values): (Vec<String>, Vec<String>) = pairs.iter().map(written).unzip();
                    self.line(&format!("{} := {};", targets.join(", "), values.join(", ")));
                }
                Statement::Havoc(target) => self.line(&format!("havoc {};", NAMES[*target])),
                Statement::Assume(about, allowed) => {
                    let formula = self.formula(about, allowed, true);
                    self.line(&format!("assume {{:add_to_pool \"bits\", 0, 1}} {formula};"));
                }
                Statement::Assert(check) => {
                    let attribute = ["", "{:subsumption 0} ", "{:verified_under g != g} ", ""];
                    let attribute = attribute[self.numbers.below(4)];
                    let piece = ["{:split_here} ", "", "{:isolate} ", "{:focus} "][*check % 4];
                    let piece = if self.divided { piece } else { "" };
                    let claim = self.claim(*check);
                    self.line(&format!("assert {attribute}{piece}{claim}"));
                }
                Statement::If(condition, then, otherwise) => {
                    self.line(&format!("if ({}) {{", self.condition(*condition)));
                    self.statements(then);
                    self.line("} else {");
                    self.statements(otherwise);
                    self.line("}");
                }
                Statement::While(condition, invariant, free, body) => {
                    self.line(&format!("while ({})", self.condition(*condition)));
                    let claim = self.claim(*invariant);
                    self.line(&format!("invariant {claim}"));
                    if let Some(free) = free {
                        let free = self.formula(&[LOCAL, GLOBAL], free, true);
                        self.line(&format!("free invariant {free};"));
                    }
                    self.line("{");
                    self.statements(body);
                    self.line("}");
                }
                Statement::Break => self.line("break;"),
                Statement::Call { callee, argument, result, free } => {
                    let name = self.program.procedures[*callee].name;
                    let any = ["true", "2", "heap", "e"][self.numbers.below(4)];
                    let call = if *free { "free call" } else { "call" };
                    let argument = argument.text(self.program.shape);
                    self.line(&format!("{call} {} := {name}({any}, {argument});", NAMES[*result]));
                }
            }
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let attribute = procedure.inlined.map_or(String::new(), |depth| format!("{{:inline {depth}}} "));
        let name = procedure.name;
        let [input, result, local] = [INPUT, RESULT, LOCAL].map(|it| {
            let condition = if it == INPUT { &procedure.input } else { &procedure.conditions[it - RESULT] };
            let bit = bit(if it == INPUT { Shape::Number } else { self.program.shape }, NAMES[it]);
            format!("{bit} && {}", self.formula(&[it, GLOBAL], condition, false))
        });
        self.line(&format!("procedure {attribute}{name}<t>(e: t, {input}) returns ({result})"));
        let requires = self.formula(&[INPUT, GLOBAL], &procedure.requires, false);
        self.line(&format!("requires {requires};"));
        let free = self.formula(&[INPUT, GLOBAL], &procedure.free_requires, false);
        self.line(&format!("free requires {free};"));
        self.line("modifies g;");
        let claim = self.claim(procedure.ensures);
        self.line(&format!("ensures {claim}"));
        let free = self.formula(&[RESULT, GLOBAL], &procedure.free_ensures, true);
        self.line(&format!("free ensures {free};"));
        self.line(&format!("{{ var {local};"));
        match &procedure.body {
            Body::Statements(statements) => self.statements(statements),
            Body::Blocks(blocks) => {
                for (at, (check, statements, targets)) in blocks.iter().enumerate() {
                    let claim = self.claim(*check);
                    self.line(&format!("L{at}: assert {claim}"));
                    self.statements(statements);
                    let labels: Vec<String> = targets.iter().map(|target| format!("L{target}")).collect();
                    self.line(&if labels.is_empty() {
                        "return;".to_owned()
                    } else {
                        format!("goto {};", labels.join(", "))
                    });
                }
            }
        }
        self.line("}");
    }
}
