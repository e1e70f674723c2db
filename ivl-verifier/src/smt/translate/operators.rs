//! Operators, literals of floating-point numbers and applications of functions.

use super::fixed::Compared;
use super::{Translated, Translator};
use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::Meaning;
use crate::resolve::types::{Type, TypeId};
use crate::smt::term::{Op, Sort, Term, TermId};
use crate::syntax::ast::BinaryOp;
use crate::syntax::float::{self, Float, FloatValue};

impl Translator<'_> {
    /// A literal of a floating-point number, as it is written.
    pub(super) fn float(&mut self, text: &str) -> Translated<TermId> {
        let Some(Float { exponent, significand, value }) = float::parse(text) else {
            return self.unsupported("a floating-point literal is ill-formed");
        };
        let widths = format!("{exponent} {significand}");
        Ok(match value {
            FloatValue::NaN => self.builder.op(Op::Named(format!("(_ NaN {widths})")), Vec::new()),
            FloatValue::Infinity(negative) => {
                let sign = if negative { '-' } else { '+' };
                self.builder.op(Op::Named(format!("(_ {sign}oo {widths})")), Vec::new())
            }
            FloatValue::Bits(bits) => {
                let bits = self.builder.term(Term::BitVector(bits, exponent + significand));
                self.builder.op(Op::Named(format!("(_ to_fp {widths})")), vec![bits])
            }
        })
    }

    /// An operation on two operands, by the type of the first.
    pub(super) fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> Translated<TermId> {
        let float = matches!(self.program.types.get(self.program.graph.ty(a)), Type::Float(..));
        if float && let Some((name, rounded)) = float_operator(op) {
            let mut parts = vec![self.done(a)?, self.done(b)?];
            if rounded {
                parts.insert(0, self.builder.term(Term::RoundingMode("RNE".to_owned())));
            }
            return Ok(self.builder.op(Op::Named(name.to_owned()), parts));
        }
        if self.program.graph.ty(a) != self.program.graph.ty(b) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let equal = self.unequal_types(a, b)?;
            return Ok(if op == BinaryOp::Eq { equal } else { self.builder.op(Op::Not, vec![equal]) });
        }
        let parts = match self.fixed.compared(&self.program.graph, op, a, b) {
            None => vec![self.done(a)?, self.done(b)?],
            Some(Compared { constant, sign, first }) => {
                let ty = self.program.graph.ty(a);
                let constant = self.constant(constant, ty)?;
                let sign = self.builder.term(Term::Int(sign));
                if first { vec![constant, sign] } else { vec![sign, constant] }
            }
        };
        let op = match op {
            BinaryOp::Iff | BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => {
                let equal = self.builder.op(Op::Eq, parts);
                return Ok(self.builder.op(Op::Not, vec![equal]));
            }
            BinaryOp::Implies => Op::Implies,
            BinaryOp::And => Op::And,
            BinaryOp::Or => Op::Or,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::Concat => Op::Concat,
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div => Op::Div,
            BinaryOp::Mod => Op::Mod,
            BinaryOp::RealDiv => Op::RealDiv,
            BinaryOp::Pow => {
                let function = match self.power {
                    Some(function) => function,
                    None => {
                        let real = self.builder.sort(Sort::Real);
                        let function = self.builder.declare("real_pow", vec![real, real], real);
                        self.power = Some(function);
                        function
                    }
                };
                return Ok(self.builder.term(Term::Apply(function, parts)));
            }
        };
        Ok(self.builder.op(op, parts))
    }

    /// What was translated before is needed by something else: what it applies, and what was left undefined at the
    /// end of a chain, is defined after all.
    pub(super) fn meet_again(&mut self, root: NodeId) {
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            let Some(first) = self.walked.enter(node) else { continue };
            let kind = self.program.graph.kind(node).clone();
            let mut parts = Vec::new();
            if let NodeKind::Apply(id, types, arguments) = &kind {
                let function = self.program.functions[*id].clone();
                match self.expansion(&function, types, arguments) {
                    Some(expanded) => parts.push(expanded),
                    None if !types.is_empty() => {
                        let key = (*id, types.to_vec());
                        if first {
                            self.walked.applies(node, &key);
                        }
                        if self.undefined.remove(&key) {
                            self.definition_work.push((key.0, key.1, self.defined.now()));
                        }
                    }
                    None => {}
                }
            }
            if parts.is_empty() {
                kind.for_each_child(|child| parts.push(child));
            }
            if first {
                parts.iter().for_each(|part| self.walked.part(*part, node));
            }
            work.extend(parts);
        }
    }

    /// The application of a function that is not expanded.
    pub(super) fn apply(
        &mut self,
        id: FunctionId,
        types: &[TypeId],
        arguments: &[NodeId],
        ty: TypeId,
    ) -> Translated<TermId> {
        let parts = self.all(arguments)?;
        if let Meaning::Builtin(name) = &self.program.functions[id].meaning {
            let name = name.clone();
            let types: Vec<TypeId> = arguments.iter().map(|it| self.program.graph.ty(*it)).collect();
            return self.builtin(&name, parts, &types, ty);
        }
        let key = (id, types.to_vec());
        let function = match self.functions.get(&key) {
            Some(function) => {
                let function = *function;
                if self.undefined.remove(&key) {
                    self.definition_work.push((id, key.1, self.defined.now()));
                }
                function
            }
            None => {
                let result = self.sort(ty)?;
                let mut sorts = Vec::new();
                for argument in arguments {
                    let ty = self.program.graph.ty(*argument);
                    sorts.push(self.sort(ty)?);
                }
                let mut name = self.name(self.program.functions[id].name);
                if !types.is_empty() {
                    self.meet_function(&name, types);
                    self.definition_work.push((id, types.to_vec(), self.defined.now()));
                }
                for ty in types {
                    name.push_str(&format!(" ({})", self.shown(*ty)));
                }
                let function = self.builder.declare(&name, sorts, result);
                self.functions.insert(key, function);
                function
            }
        };
        Ok(self.builder.term(Term::Apply(function, parts)))
    }
}

/// What an operator means for floats, and whether it rounds (to nearest, as Boogie does).
fn float_operator(op: BinaryOp) -> Option<(&'static str, bool)> {
    Some(match op {
        BinaryOp::Add => ("fp.add", true),
        BinaryOp::Sub => ("fp.sub", true),
        BinaryOp::Mul => ("fp.mul", true),
        BinaryOp::RealDiv => ("fp.div", true),
        BinaryOp::Lt => ("fp.lt", false),
        BinaryOp::Le => ("fp.leq", false),
        BinaryOp::Gt => ("fp.gt", false),
        BinaryOp::Ge => ("fp.geq", false),
        _ => return None,
    })
}
