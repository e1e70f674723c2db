//! The second loop of inference: expressions whose types are known become nodes of the graph.

use super::Walk;
use super::hints;
use super::tables::{Finding, NameMeaning, Slot, Tables};
use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::resolve::graph::{NodeId, NodeKind, QuantifierNode, Spelled};
use crate::resolve::program::VariableKind;
use crate::resolve::resolver::Resolver;
use crate::resolve::spelling;
use crate::syntax::ast::{AttributeValue, BinaryOp, Binder, ExprId, ExprKind, Quantifier, UnaryOp};
use crate::syntax::print;

impl Walk<'_, '_, '_> {
    /// Warns of type parameters that nothing determines, outermost first, and makes them `int`.
    fn warn_of_ambiguity(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let entered = std::mem::take(&mut self.tables.order_entered);
        for expr in &entered {
            if let Some(open) = self.open.get(expr) {
                self.resolver.settle_open(self.span(*expr), open);
            }
        }
        self.tables.order_entered = entered;
    }

    /// Builds the graph of everything that was visited; gives the nodes of some expressions.
    pub(super) fn build(mut self, wanted: &[ExprId]) -> Vec<NodeId> {
        self.warn_of_ambiguity();
        let Self { resolver, mut tables, inside_old, scattered, .. } = self;
        let Tables { slots, findings, order, .. } = &mut tables;
        let is_scattered = |expr: &ExprId| inside_old.get(expr).is_some_and(|it| scattered.contains(it));
        let ast = resolver.ast;
        let int = resolver.program.types.int();
        let unknown = resolver.program.types.unknown();
        let missing = resolver.missing_node();
        for expr in order.iter().copied() {
            let Slot { ty: found, finding, .. } = slots[expr.index()];
            let ty = resolver.program.types.settle(found.unwrap_or(unknown), Some(int));
            let finding = finding.and_then(|at| findings.get(at as usize));
            let get = |id: &ExprId| slots[id.index()].node.unwrap_or(missing);
            let all = |ids: &[ExprId]| ids.iter().map(&get).collect::<Vec<_>>();
            let kind = match (&ast.exprs[expr].kind, finding) {
                (ExprKind::Bool(value), _) => NodeKind::Bool(*value),
                (ExprKind::Int(value), _) => NodeKind::Int(value.clone()),
                (ExprKind::Real(mantissa, exponent), _) => NodeKind::Real(mantissa.clone(), *exponent),
                (ExprKind::BitVector(value, width), _) => NodeKind::BitVector(value.clone(), *width),
                (ExprKind::Float(text), _) => NodeKind::Float(text.clone()),
                (ExprKind::RoundingMode(mode), _) => NodeKind::RoundingMode(mode),
                (ExprKind::Text(text), _) => NodeKind::Text(text.clone()),
                (ExprKind::Name(_), Some(Finding::Name(meaning))) => match meaning {
                    NameMeaning::Variable(id) => {
                        let is_state = resolver.program.variables[*id].kind == VariableKind::Global;
                        let variable = resolver.program.graph.variable(*id, ty);
                        if !is_state || !is_scattered(&expr) {
                            slots[expr.index()].node = Some(variable);
                            continue;
                        }
                        NodeKind::Old(variable)
                    }
                    NameMeaning::Constant(id) => NodeKind::Constant(*id),
                    NameMeaning::Bound(variable) => NodeKind::Bound(variable.clone()),
                    NameMeaning::Value(value) => {
                        slots[expr.index()].node = Some(get(value));
                        continue;
                    }
                },
                (ExprKind::Unary(op, a), _) => NodeKind::Unary(*op, get(a)),
                (ExprKind::Binary(op, a, b), finding) => {
                    let (mut left, mut right) = (get(a), get(b));
                    if let Some(Finding::ToReal(convert_left, convert_right)) = finding {
                        let real = resolver.program.types.real();
                        for (convert, side) in [(convert_left, &mut left), (convert_right, &mut right)] {
                            if *convert {
                                *side =
                                    resolver.program.graph.add(NodeKind::Unary(UnaryOp::ToReal, *side), real);
                            }
                        }
                    }
                    if let (Some(truths), BinaryOp::Eq | BinaryOp::Ne) = (&mut resolver.truths, op)
                        && resolver.program.graph.ty(left) == resolver.program.types.bool()
                    {
                        truths.push(expr);
                    }
                    NodeKind::Binary(*op, left, right)
                }
                (ExprKind::Apply(_, arguments), Some(Finding::Function(id, holes))) => {
                    let holes =
                        holes.iter().map(|hole| resolver.program.types.settle(*hole, Some(int))).collect();
                    NodeKind::Apply(*id, holes, all(arguments))
                }
                (ExprKind::Apply(_, arguments), Some(Finding::Constructor(id))) => {
                    NodeKind::Construct(*id, all(arguments))
                }
                (ExprKind::Apply(_, arguments), Some(Finding::Field(places))) => {
                    let whole = arguments.first().map_or(missing, &get);
                    let node = resolver.read_field(whole, places, ty);
                    slots[expr.index()].node = Some(node);
                    continue;
                }
                (ExprKind::Apply(_, arguments), Some(Finding::Test(id))) => {
                    NodeKind::Is(*id, arguments.first().map_or(missing, &get))
                }
                (ExprKind::Select(map, indices), _) => NodeKind::Select(get(map), all(indices)),
                (ExprKind::Store(map, indices, value), _) => {
                    NodeKind::Store(get(map), all(indices), get(value))
                }
                (ExprKind::Code(_), Some(Finding::Code(index, values))) => {
                    let values = values.iter().map(|(variable, value)| (*variable, get(value))).collect();
                    resolver.program.codes[*index as usize].values = values;
                    NodeKind::Code(*index)
                }
                // What is older already does not grow older.
                (ExprKind::Old(a), _) if inside_old.contains_key(&expr) || scattered.contains(&expr) => {
                    slots[expr.index()].node = Some(get(a));
                    continue;
                }
                (ExprKind::Extract(a, high, low), _) => NodeKind::Extract(get(a), *high, *low),
                (ExprKind::Field(a, _), Some(Finding::Field(places))) => {
                    let node = resolver.read_field(get(a), places, ty);
                    slots[expr.index()].node = Some(node);
                    continue;
                }
                (ExprKind::FieldUpdate(a, _, value), Some(Finding::Field(places))) => {
                    let node = resolver.write_field(get(a), places, get(value), ty);
                    slots[expr.index()].node = Some(node);
                    continue;
                }
                (ExprKind::Is(a, _), Some(Finding::Constructor(id))) => NodeKind::Is(*id, get(a)),
                (ExprKind::Old(a), _) => NodeKind::Old(get(a)),
                (ExprKind::IfThenElse(a, b, c), _) => NodeKind::IfThenElse(get(a), get(b), get(c)),
                (ExprKind::Coerce(a, _), _) => {
                    slots[expr.index()].node = Some(get(a));
                    continue;
                }
                (ExprKind::Let(binding), _) => {
                    slots[expr.index()].node = Some(get(&binding.body));
                    continue;
                }
                (ExprKind::Quantifier(quantifier), Some(Finding::Quantifier(variables, bound, named))) => {
                    let mut triggers = Vec::new();
                    let mut no_triggers = Vec::new();
                    for trigger in &quantifier.triggers {
                        let terms = all(&trigger.terms);
                        if trigger.negative { no_triggers.extend(terms) } else { triggers.push(terms) }
                    }
                    resolver.check_triggers(quantifier, variables, bound, &get);
                    if resolver.never_patterns && quantifier.binder != Binder::Lambda {
                        resolver.never_triggers(get(&quantifier.body), bound, &mut no_triggers);
                    }
                    let mut body = get(&quantifier.body);
                    let hints = hints::of(resolver, &quantifier.attributes, &mut |_, expr| get(&expr));
                    if !hints.is_empty() {
                        let ty = resolver.program.graph.ty(body);
                        body = resolver.program.graph.add(NodeKind::Hinted(hints, body), ty);
                    }
                    NodeKind::Quantifier(Box::new(QuantifierNode {
                        binder: quantifier.binder,
                        type_parameters: variables.clone(),
                        bound: bound.clone(),
                        pools: hints::pools(resolver, quantifier),
                        weight: weight(resolver, quantifier),
                        triggers,
                        no_triggers,
                        attributes: if *named { identity(resolver, quantifier) } else { None },
                        spelled: spelled(resolver, quantifier),
                        body,
                    }))
                }
                // An error was reported.
                _ => {
                    slots[expr.index()].node = Some(missing);
                    continue;
                }
            };
            let node = resolver.program.graph.add(kind, ty);
            slots[expr.index()].node = Some(node);
        }
        let nodes = wanted.iter().map(|expr| slots[expr.index()].node.unwrap_or(missing)).collect();
        tables.clear();
        resolver.tables.push(tables);
        nodes
    }
}

/// The attributes that distinguish quantifiers inside lambdas.
fn identity(resolver: &mut Resolver<'_>, quantifier: &Quantifier) -> Option<Symbol> {
    let weight = resolver.ast.names.find("weight");
    let mut counting = quantifier.attributes.clone();
    counting.retain(|attribute| Some(attribute.name.name) != weight);
    let text = print::attributes(resolver.ast, &counting);
    (!text.is_empty()).then(|| resolver.program.names.intern(&text))
}

/// The attributes as they were written, for printing.
fn spelled(resolver: &mut Resolver<'_>, quantifier: &Quantifier) -> Spelled {
    let texts = spelling::texts(resolver.ast, &quantifier.attributes);
    Spelled(texts.iter().map(|text| resolver.program.names.intern(text)).collect())
}

fn weight(resolver: &Resolver<'_>, quantifier: &Quantifier) -> Option<u32> {
    let attribute = crate::syntax::ast::attribute(&quantifier.attributes, &resolver.ast.names, "weight")?;
    match attribute.parameters.first()? {
        AttributeValue::Expr(expr) => match &resolver.ast.exprs[*expr].kind {
            ExprKind::Int(weight) => u32::try_from(weight.clone()).ok(),
            _ => None,
        },
        AttributeValue::Text(_) => None,
    }
}
