//! Attributes of commands: how checks are reported and what is known of them, and what is to be told of the state.

use crate::base::diagnostic::Diagnostic;
use crate::resolve::blocks::isolation;
use crate::resolve::infer::Context;
use crate::resolve::program::{CheckNotes, CheckOrigin, Observation, Printed};
use crate::resolve::resolver::Resolver;
use crate::syntax::ast::{self, Attribute, AttributeValue};

impl Resolver<'_> {
    /// What attributes say of a check.
    pub(super) fn notes(&mut self, attributes: &[Attribute], context: &Context) -> CheckNotes {
        let verified_under = match ast::attribute(attributes, &self.ast.names, "verified_under") {
            None => None,
            Some(attribute) => {
                let wrong = "attribute :verified_under accepts only one argument of type bool";
                match attribute.parameters.as_slice() {
                    [AttributeValue::Expr(expr)] => {
                        let bool = self.program.types.bool();
                        let span = attribute.span;
                        let told = self.diagnostics.len();
                        let found =
                            self.expression_of(*expr, context, Some(bool), |_, _| (span, wrong.to_owned()));
                        // What is wrong inside was told with all attributes.
                        let again = self.diagnostics.split_off(told);
                        let is_new = |it: &Diagnostic| self.diagnostics.iter().all(|(_, known)| known != it);
                        let new: Vec<_> = again.into_iter().filter(|(_, it)| is_new(it)).collect();
                        self.diagnostics.extend(new);
                        Some(found)
                    }
                    [AttributeValue::Text(_)] => {
                        self.type_error(attribute.span, wrong);
                        None
                    }
                    // How many there may be is told with all attributes.
                    _ => None,
                }
            }
        };
        CheckNotes {
            message: self.text_attribute(attributes, "msg"),
            verified_under,
            subsumption: self.number(attributes, "subsumption"),
            origin: CheckOrigin::Assertion,
            isolation: isolation(attributes, &self.ast.names),
            tracked: None,
            possibly_unreachable: self.switched_on(attributes, "PossiblyUnreachable"),
        }
    }

    /// How the attributes of an assumption, an assertion or an invariant divide the implementation around it.
    pub(super) fn divisions(&self, attributes: &[Attribute]) -> Vec<Observation> {
        let marks = [("split_here", Observation::SplitHere), ("focus", Observation::Focus)];
        let marks = marks.into_iter().filter(|(word, _)| self.switched_on(attributes, word));
        marks.map(|(_, mark)| mark).collect()
    }

    /// What the attributes of an assumption or assertion ask for. What is wrong with them is found where attributes
    /// are checked.
    pub(super) fn observations(&mut self, command: &ast::Command, context: &Context) -> Vec<Observation> {
        let is_assumption = matches!(command.kind, ast::CommandKind::Assume(_));
        let is_check = matches!(command.kind, ast::CommandKind::Assert(_));
        let mut found = Vec::new();
        if (is_assumption || is_check) && self.switched_on(&command.attributes, "start_checking_here") {
            found.push(Observation::Start);
        }
        if is_assumption || is_check {
            found.extend(self.divisions(&command.attributes));
        }
        if !is_assumption {
            return found;
        }
        for attribute in &command.attributes {
            match self.text(attribute.name.name) {
                "captureState" => {
                    if let Some(AttributeValue::Text(name)) = attribute.parameters.first() {
                        found.push(Observation::Capture(name.clone()));
                    }
                }
                "print" => {
                    let pieces = attribute.parameters.iter().map(|value| match value {
                        AttributeValue::Text(text) => Printed::Text(text.clone()),
                        AttributeValue::Expr(expr) => {
                            let span = attribute.span;
                            Printed::Value(self.expression_quietly(*expr, context, span))
                        }
                    });
                    found.push(Observation::Print(pieces.collect()));
                }
                _ => {}
            }
        }
        found
    }
}
