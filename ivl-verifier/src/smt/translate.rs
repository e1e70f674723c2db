//! Verification conditions and their background to a query.
//!
//! Maps become arrays of arrays, one for each argument, or values with axioms ([`access`]). Inlined functions
//! and `{:define}` macros are expanded; a lambda becomes a function of what is free in it, with an axiom, and
//! equal lambdas become one function, so that they are equal where their free variables are. Order: axioms by
//! their checksums (those behind the others that mention a constant whose value is assumed: [`fixed`]), bodies of
//! functions by name, lambdas as they are met.
//!
//! Length: one rule for each form of expression over one state.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::base::source::Span;
use crate::lower::Unsupported;
use crate::resolve::graph::{BoundVariable, ConstantId, FunctionId, NodeId, NodeKind};
use crate::resolve::graph::{QuantifierNode, Spelled, VariableId};
use crate::resolve::program::{Axiom, AxiomId, Meaning, Program};
use crate::resolve::reach::Reach;
use crate::resolve::types::{Type, TypeId, TypeNameId};
use crate::smt::joints;
use crate::smt::pools::{self, Hints};
use crate::smt::term::{
    Bound, Builder, FunctionId as TermFunctionId, Op, Quantifier, Query, SortId, Term, TermId,
};
use crate::smt::turns::{First, turns};
use crate::syntax::ast::{BinaryOp, Binder, UnaryOp};
use crate::vc::{Condition, Step};
use access::Access;
use differ::Claim;
use fixed::Fixed;
pub(crate) use fixed::OFFSET;
use growth::{Needs, Walked};
use maps::{MapInstance, PolymorphicLambda};
use met::Met;
use place::{Choices, Place};
use polymorphic::Facts;
pub(crate) use rounds::{Shared, query};

pub(crate) mod access;
pub(crate) mod builtin;
mod differ;
mod fixed;
mod growth;
mod hints;
mod lambdas;
mod maps;
mod met;
mod named;
mod operators;
mod others;
mod place;
mod polymorphic;
mod rounds;
mod sorts;

/// What a query is made of besides the program.
pub(crate) struct Task<'t> {
    pub(crate) condition: &'t Condition,
    pub(crate) reach: &'t Reach,
    /// The reached axioms in the order of their checksums.
    pub(crate) axioms: &'t [AxiomId],
    /// The options of the solver.
    pub(crate) options: Vec<(String, String)>,
    /// The share of the query's [first turn](crate::smt::turns).
    pub(crate) share: u64,
    /// Which settings the first turn has.
    pub(crate) first: First,
    pub(crate) error_limit: u32,
    /// Whether lambdas are functions of the variables in them, not of the largest parts that stay the same.
    pub(crate) lift_variables: bool,
    /// Whether maps are values of a sort with axioms, not the solver's arrays.
    pub(crate) maps_by_axioms: bool,
    /// Which axioms say too much.
    pub(crate) lies: Lies,
    /// Where to report what cannot be translated.
    pub(crate) span: Span,
    /// Expressions beside the condition whose values are wanted; `None` if no values are wanted.
    pub(crate) wanted: Option<&'t [NodeId]>,
}

/// Axioms that say too much, for those who look whether anybody notices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lies {
    /// What is kept of a map that is written is said of the written places as well.
    pub(crate) keep_written: bool,
    /// All constants of a type differ.
    pub(crate) tell_constants_apart: bool,
    /// What is chosen for quantifiers that have to do with pools has the name of the variable alone.
    pub(crate) choose_once: bool,
    /// A number above the value that a constant has on entry counts as that value.
    pub(crate) blur_numbers: bool,
}

/// A query, and what is needed to read values of a model of it.
pub(crate) struct Made {
    pub(crate) query: Query,
    /// The names of incarnations and constants in the query; empty unless values are wanted.
    pub(crate) names: ValueNames,
    /// The query with terms behind its own, and the places of those whose values are wanted.
    pub(crate) extended: Option<(Query, Vec<u32>)>,
    /// What each of these is.
    pub(crate) wanted: Vec<NodeId>,
}

/// What variables and constants are called in a query.
#[derive(Default)]
pub(crate) struct ValueNames {
    pub(crate) incarnations: FxHashMap<(VariableId, u32), String>,
    pub(crate) constants: FxHashMap<ConstantId, String>,
    /// The constants of which it is sent what they are more than these values.
    pub(crate) fixed: FxHashMap<ConstantId, BigInt>,
}

/// What the walk over an expression does next.
enum Work {
    Visit(NodeId),
    Make(NodeId),
    /// A lambda is a function of the terms of these nodes.
    Lambda(NodeId, TermFunctionId, Vec<NodeId>),
    /// The first node means what the second one does.
    Alias(NodeId, NodeId),
}

struct Translator<'p> {
    /// The constants whose values are assumed.
    fixed: &'p Fixed,
    program: &'p mut Program,
    span: Span,
    builder: Builder,
    sorts: FxHashMap<TypeId, SortId>,
    /// The name of each datatype that was met.
    datatypes: FxHashMap<TypeId, String>,
    datatype_work: Vec<(Option<usize>, TypeNameId, Vec<TypeId>, String)>,
    terms: FxHashMap<NodeId, TermId>,
    functions: FxHashMap<(FunctionId, Vec<TypeId>), TermFunctionId>,
    constants: FxHashMap<ConstantId, TermFunctionId>,
    incarnations: FxHashMap<(VariableId, u32), TermFunctionId>,
    /// Lambdas by their closed form.
    lambdas: FxHashMap<NodeId, TermFunctionId>,
    lambda_work: Vec<(TermFunctionId, NodeId)>,
    power: Option<TermFunctionId>,
    /// Instances of functions with type parameters whose bodies are still to be said.
    definition_work: Vec<(FunctionId, Vec<TypeId>, Option<usize>)>,
    /// Instances at the ends of chains without end, which something else may need by a shorter way; looked up, never
    /// listed.
    undefined: FxHashSet<(FunctionId, Vec<TypeId>)>,
    /// Where these were looked for.
    walked: Walked,
    defined: Needs<FunctionId>,
    /// The datatypes whose constructors are declared.
    made: Needs<TypeNameId>,
    /// What earlier rounds met.
    known: Met,
    /// What this round meets.
    met: Met,
    /// Whether there was a quantifier over types.
    over_types: bool,
    choices: Choices,
    lies: Lies,
    /// Predicates that stand for quantifiers over types, by these with parameters for what is free.
    predicates: FxHashMap<NodeId, FunctionId>,
    facts: &'p mut Facts,
    map_instances: FxHashMap<TypeId, Vec<MapInstance>>,
    /// The keys of `map_instances` in the order in which they came.
    map_order: Vec<TypeId>,
    polymorphic: Vec<PolymorphicLambda>,
    /// What compares values of types that may be one.
    comparisons: FxHashMap<(SortId, SortId), TermFunctionId>,
    lift_variables: bool,
    /// Whether maps are values of a sort with axioms.
    by_axioms: bool,
    /// The functions that read and write maps of a type, and pairs of them that something is known of.
    accesses: FxHashMap<TypeId, Access>,
    access_order: Vec<(Access, Access)>,
    /// Built-in functions on maps that have axioms, by their names and types.
    map_functions: FxHashMap<(&'static str, Vec<TypeId>), TermFunctionId>,
    /// What the implementation assumes and what is to be proved.
    claims: Vec<Claim>,
    /// What the program says of pools of terms.
    hints: Hints,
}

type Translated<T> = Result<T, Unsupported>;

impl<'p> Translator<'p> {
    fn new(
        program: &'p mut Program,
        task: &Task<'_>,
        (fixed, facts): (&'p Fixed, &'p mut Facts),
        known: Met,
    ) -> Self {
        Translator {
            fixed,
            program,
            span: task.span,
            builder: Builder::default(),
            sorts: FxHashMap::default(),
            datatypes: FxHashMap::default(),
            datatype_work: Vec::new(),
            terms: FxHashMap::default(),
            functions: FxHashMap::default(),
            definition_work: Vec::new(),
            undefined: FxHashSet::default(),
            walked: Walked::default(),
            defined: Needs::default(),
            made: Needs::default(),
            constants: FxHashMap::default(),
            incarnations: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            lambda_work: Vec::new(),
            power: None,
            known,
            met: Met::default(),
            over_types: false,
            choices: Choices::default(),
            lies: task.lies,
            predicates: FxHashMap::default(),
            facts,
            map_instances: FxHashMap::default(),
            map_order: Vec::new(),
            polymorphic: Vec::new(),
            comparisons: FxHashMap::default(),
            lift_variables: task.lift_variables,
            by_axioms: task.maps_by_axioms,
            accesses: FxHashMap::default(),
            access_order: Vec::new(),
            map_functions: FxHashMap::default(),
            claims: Vec::new(),
            hints: Hints::default(),
        }
    }

    /// One round of translation, and what it met if the next one could make use of it.
    fn translate(mut self, task: &Task<'_>, axioms: &[AxiomId]) -> Translated<(Made, Option<Met>)> {
        self.background(task, axioms)?;
        let goal = self.goal(task.condition)?;
        self.finish_definitions()?;
        self.finish_maps()?;
        self.finish_accesses();
        self.finish_datatypes()?;
        self.finish_sequences();
        let met = self.over_types.then(|| std::mem::take(&mut self.met));
        let hints = std::mem::take(&mut self.hints);
        let goal = pools::instantiate(&mut self.builder, hints, goal, task.lies.choose_once);
        self.builder.query.goal = Some(goal);
        self.builder.query.options.clone_from(&task.options);
        self.builder.query.error_limit = task.error_limit;
        joints::anchor(&mut self.builder.query);
        self.builder.query.turns = turns(&self.builder.query, task.share, task.first);
        let names = task.wanted.map(|_| self.value_names()).unwrap_or_default();
        let wanted = task.wanted.unwrap_or_default();
        if wanted.is_empty() {
            let query = self.builder.query;
            return Ok((Made { query, names, extended: None, wanted: Vec::new() }, met));
        }
        let query = self.builder.query.clone();
        let (wanted, terms) = self.beside(wanted);
        let extended = Some((self.builder.query, terms));
        Ok((Made { query, names, extended, wanted }, met))
    }

    /// The axioms of lambdas and of instances of functions that were met, and of those that these meet.
    fn finish_definitions(&mut self) -> Translated<()> {
        loop {
            self.finish_lambdas()?;
            let mut again = self.polymorphic_lambdas()?;
            if let Some((function, types, needed_by)) = self.definition_work.pop() {
                // Nothing is said of what the body of a function that needs itself without end needs there: that is less
                // than there is to say, and so proves less.
                let of = (&self.program.types, types.as_slice());
                if self.defined.enter(function, of, needed_by) {
                    self.definition(function, &types)?;
                } else {
                    let instance = (function, types);
                    self.walked.leave(&instance);
                    self.undefined.insert(instance);
                }
                again = true;
            }
            if !again {
                break;
            }
        }
        Ok(())
    }
}

/// What only a counterexample needs.
impl Translator<'_> {
    fn value_names(&self) -> ValueNames {
        let name = |id: &TermFunctionId| self.builder.query.functions[*id].name.clone();
        ValueNames {
            incarnations: self.incarnations.iter().map(|(key, id)| (*key, name(id))).collect(),
            constants: self.constants.iter().map(|(key, id)| (*key, name(id))).collect(),
            fixed: self.fixed.values().clone(),
        }
    }

    /// The terms of expressions that the query itself does not need. Those that would need more than terms
    /// (functions that nothing is said of, datatypes, axioms of lambdas) have no value.
    fn beside(&mut self, wanted: &[NodeId]) -> (Vec<NodeId>, Vec<u32>) {
        let mut found = (Vec::new(), Vec::new());
        for node in wanted {
            let before = self.builder.query.functions.as_slice().len();
            let term = self.term(*node);
            if !self.datatype_work.is_empty() {
                break;
            }
            if let (Ok(term), true) = (term, before == self.builder.query.functions.as_slice().len()) {
                found.0.push(*node);
                found.1.push(narrow(term.index()));
            }
        }
        found
    }
}

impl Translator<'_> {
    fn unsupported<T>(&self, message: impl Into<String>) -> Translated<T> {
        Err(Unsupported { message: message.into(), span: self.span })
    }

    fn name(&self, symbol: crate::base::names::Symbol) -> String {
        self.program.names.text(symbol).to_owned()
    }

    /// What is said of functions, constants and axioms, of these in the given order.
    fn background(&mut self, task: &Task<'_>, axioms: &[AxiomId]) -> Translated<()> {
        self.declared(task)?;
        for axiom in axioms {
            let said = self.axiom_without_types(*axiom)?;
            let term = self.term(said)?;
            self.builder.query.background.push(term);
        }
        Ok(())
    }

    /// What an axiom says without quantifiers over types.
    fn axiom_without_types(&mut self, axiom: AxiomId) -> Translated<NodeId> {
        let Axiom { expr, tracked, .. } = self.program.axioms[axiom];
        self.without_types(tracked.unwrap_or(expr), Place::ASSUMED)
    }

    /// The bodies of functions without type parameters, and which constants differ.
    fn declared(&mut self, task: &Task<'_>) -> Translated<()> {
        for function in &task.reach.functions {
            if self.program.functions[*function].type_parameters.is_empty() {
                self.definition(*function, &[])?;
            }
        }
        self.distinct(&task.reach.constants)
    }

    /// `forall x :: {f(x)} f(x) == body` for a function with a body that is not expanded.
    fn definition(&mut self, id: FunctionId, types: &[TypeId]) -> Translated<()> {
        let function = self.program.functions[id].clone();
        let (Some(body), Meaning::Declared) = (function.body, &function.meaning) else { return Ok(()) };
        if !self.is_defined_at(id, types) {
            return Ok(());
        }
        let map: FxHashMap<_, _> =
            function.type_parameters.iter().copied().zip(types.iter().copied()).collect();
        let body = self.instantiated(body, &map);
        let bound: Vec<BoundVariable> = function
            .bound
            .iter()
            .map(|it| BoundVariable { ty: self.program.types.substitute(it.ty, &map), ..it.clone() })
            .collect();
        let result = self.program.types.substitute(function.result, &map);
        let bool = self.program.types.bool();
        let graph = &mut self.program.graph;
        let arguments: Vec<NodeId> =
            bound.iter().map(|it| graph.add(NodeKind::Bound(it.clone()), it.ty)).collect();
        let applied = graph.add(NodeKind::Apply(id, types.to_vec(), arguments), result);
        let equation = graph.add(NodeKind::Binary(BinaryOp::Eq, applied, body), bool);
        let axiom = if bound.is_empty() {
            equation
        } else {
            let quantifier = QuantifierNode {
                binder: Binder::Forall,
                type_parameters: Vec::new(),
                bound,
                pools: Vec::new(),
                weight: None,
                triggers: vec![vec![applied]],
                no_triggers: Vec::new(),
                attributes: None,
                spelled: Spelled::default(),
                body: equation,
            };
            graph.add(NodeKind::Quantifier(Box::new(quantifier)), bool)
        };
        let axiom = self.without_types(axiom, Place::ASSUMED)?;
        let term = self.term(axiom)?;
        self.builder.query.background.push(term);
        Ok(())
    }

    /// Unique constants of one type differ.
    fn distinct(&mut self, constants: &[ConstantId]) -> Translated<()> {
        let mut groups: Vec<(TypeId, Vec<TermId>)> = Vec::new();
        for id in constants {
            let constant = self.program.constants[*id].clone();
            if !constant.unique && !self.lies.tell_constants_apart {
                continue;
            }
            let node = self.program.graph.add(NodeKind::Constant(*id), constant.ty);
            let term = self.term(node)?;
            match groups.iter_mut().find(|(ty, _)| *ty == constant.ty) {
                Some((_, group)) => group.push(term),
                None => groups.push((constant.ty, vec![term])),
            }
        }
        for (_, group) in groups {
            if group.len() > 1 {
                let term = self.builder.op(Op::Distinct, group);
                self.builder.query.background.push(term);
            }
        }
        Ok(())
    }

    /// The negated verification condition. Blocks come in topological order, so going backwards finds
    /// every successor done.
    fn goal(&mut self, condition: &Condition) -> Translated<TermId> {
        let mut correct: Vec<Option<TermId>> = vec![None; condition.blocks.len()];
        for (at, block) in condition.blocks.iter().enumerate().rev() {
            let control = self.builder.term(Term::Control(narrow(at)));
            let mut edges = Vec::new();
            for successor in &block.successors {
                let Some(done) = correct.get(*successor).copied().flatten() else {
                    return self.unsupported("the control flow has a cycle that could not be cut");
                };
                let target = self.builder.term(Term::Int(BigInt::from(*successor)));
                let taken = self.builder.op(Op::Eq, vec![control, target]);
                edges.push(self.builder.implies(taken, done));
            }
            let mut rest = self.builder.and(edges);
            for step in &block.steps {
                rest = match *step {
                    Step::Assume(assumed) => {
                        let assumed = self.without_types(assumed, Place::ASSUMED)?;
                        let assumed = self.term(assumed)?;
                        self.claims.push(Claim { term: assumed, when_true: true, when_false: false });
                        self.builder.implies(assumed, rest)
                    }
                    Step::Assert { label, condition, verified_under, subsumes } => {
                        let proved = self.without_types(condition, Place::PROVED)?;
                        let mut checked = self.term(proved)?;
                        self.claims.push(Claim { term: checked, when_true: false, when_false: true });
                        let assumed = self.without_types(condition, Place::ASSUMED)?;
                        let condition = self.term(assumed)?;
                        if let Some(under) = verified_under {
                            let under = self.without_types(under, Place::PROVED)?;
                            let under = self.term(under)?;
                            checked = self.builder.op(Op::Or, vec![under, checked]);
                        }
                        // Labels of checks are negative and never 0, so they differ from blocks.
                        let number = self.builder.term(Term::Int(-BigInt::from(label) - 1));
                        let fails = self.builder.op(Op::Eq, vec![control, number]);
                        let check = self.builder.implies(fails, checked);
                        let after = if subsumes { self.builder.implies(condition, rest) } else { rest };
                        self.builder.and(vec![check, after])
                    }
                };
            }
            correct[at] = Some(rest);
        }
        let entry = correct.first().copied().flatten();
        let entry = entry.unwrap_or_else(|| self.builder.bool(true));
        Ok(self.builder.op(Op::Not, vec![entry]))
    }

    fn bound(&mut self, variable: &BoundVariable) -> Translated<Bound> {
        Ok(Bound { name: self.name(variable.name), level: variable.level, sort: self.sort(variable.ty)? })
    }

    /// The term of an expression.
    fn term(&mut self, root: NodeId) -> Translated<TermId> {
        let mut work = vec![Work::Visit(root)];
        while let Some(step) = work.pop() {
            match step {
                Work::Visit(node) => {
                    if !self.terms.contains_key(&node) {
                        self.visit(node, &mut work)?;
                    } else if !self.undefined.is_empty() {
                        self.meet_again(node);
                    }
                }
                Work::Make(node) => {
                    let term = self.make(node)?;
                    self.terms.insert(node, term);
                }
                Work::Lambda(node, function, holes) => {
                    let arguments = self.all(&holes)?;
                    let term = self.builder.term(Term::Apply(function, arguments));
                    self.terms.insert(node, term);
                }
                Work::Alias(node, other) => {
                    if let Some(term) = self.terms.get(&other).copied() {
                        self.terms.insert(node, term);
                    }
                }
            }
        }
        self.done(root)
    }

    fn done(&self, node: NodeId) -> Translated<TermId> {
        match self.terms.get(&node) {
            Some(term) => Ok(*term),
            None => self.unsupported("an expression could not be translated"),
        }
    }

    fn visit(&mut self, node: NodeId, work: &mut Vec<Work>) -> Translated<()> {
        let kind = self.program.graph.kind(node).clone();
        match &kind {
            NodeKind::Apply(id, types, arguments) => {
                let function = self.program.functions[*id].clone();
                if let Some(expanded) = self.expansion(&function, types, arguments) {
                    work.push(Work::Alias(node, expanded));
                    work.push(Work::Visit(expanded));
                    return Ok(());
                }
            }
            NodeKind::Quantifier(quantifier) if quantifier.binder == Binder::Lambda => {
                return self.visit_lambda(node, quantifier, work);
            }
            // The number is no term of the query.
            NodeKind::Binary(op, a, b) if self.fixed.compared(&self.program.graph, *op, *a, *b).is_some() => {
                work.push(Work::Make(node));
                return Ok(());
            }
            _ => {}
        }
        work.push(Work::Make(node));
        let first = work.len();
        kind.for_each_child(|child| work.push(Work::Visit(child)));
        work[first..].reverse();
        Ok(())
    }

    /// The term of a bound variable or an incarnation.
    fn leaf(&mut self, node: NodeId) -> Translated<TermId> {
        let ty = self.program.graph.ty(node);
        match self.program.graph.kind(node).clone() {
            NodeKind::Bound(variable) => {
                let variable = self.bound(&variable)?;
                Ok(self.builder.term(Term::Bound(variable)))
            }
            NodeKind::Incarnation(variable, number) => {
                let function = match self.incarnations.get(&(variable, number)) {
                    Some(function) => *function,
                    None => {
                        let sort = self.sort(ty)?;
                        let base = self.name(self.program.variables[variable].name);
                        let name = if number == 0 { base } else { format!("{base}@{number}") };
                        let function = self.builder.declare(&name, Vec::new(), sort);
                        self.incarnations.insert((variable, number), function);
                        function
                    }
                };
                Ok(self.builder.term(Term::Apply(function, Vec::new())))
            }
            _ => self.unsupported("a variable has no value where it is used"),
        }
    }

    fn all(&self, nodes: &[NodeId]) -> Translated<Vec<TermId>> {
        nodes.iter().map(|node| self.done(*node)).collect()
    }

    /// The term of an expression whose parts are done.
    fn make(&mut self, node: NodeId) -> Translated<TermId> {
        let ty = self.program.graph.ty(node);
        let kind = self.program.graph.kind(node).clone();
        let term = match kind {
            NodeKind::Bool(value) => Term::Bool(value),
            NodeKind::Int(value) => Term::Int(value),
            NodeKind::Real(mantissa, exponent) => real(&mantissa, exponent),
            NodeKind::BitVector(_, 0) => {
                return self.unsupported("bit vectors of width 0 are not supported");
            }
            NodeKind::BitVector(value, width) => Term::BitVector(value, width),
            NodeKind::Text(text) => Term::Text(text),
            NodeKind::RoundingMode(mode) => Term::RoundingMode(mode.to_owned()),
            NodeKind::Float(text) => return self.float(&text),
            NodeKind::Bound(_) | NodeKind::Incarnation(..) => return self.leaf(node),
            NodeKind::Code(_) => return self.unsupported("a code expression is not supported here"),
            NodeKind::Variable(_) | NodeKind::Old(_) => {
                return self.unsupported("a variable has no value where it is used");
            }
            NodeKind::Constant(id) if self.program.constants[id].value.is_some() => {
                Term::Bool(self.program.constants[id].value == Some(true))
            }
            NodeKind::Constant(id) => {
                let constant = self.constant(id, ty)?;
                match self.fixed.value(id).cloned() {
                    None => return Ok(constant),
                    Some(value) => {
                        let value = self.builder.term(Term::Int(value));
                        Term::Op(Op::Add, vec![constant, value])
                    }
                }
            }
            NodeKind::Unary(op, a) => {
                let float = matches!(self.program.types.get(self.program.graph.ty(a)), Type::Float(..));
                let op = match op {
                    UnaryOp::Not => Op::Not,
                    UnaryOp::Neg if float => Op::Named("fp.neg".to_owned()),
                    UnaryOp::Neg => Op::Neg,
                    UnaryOp::ToInt | UnaryOp::ToReal if float => {
                        return self.unsupported("conversions of floats are not supported");
                    }
                    UnaryOp::ToInt => Op::ToInt,
                    UnaryOp::ToReal => Op::ToReal,
                };
                Term::Op(op, vec![self.done(a)?])
            }
            NodeKind::Binary(op, a, b) => return self.binary(op, a, b),
            NodeKind::Apply(id, types, arguments) => return self.apply(id, &types, &arguments, ty),
            NodeKind::Construct(constructor, arguments) => {
                let (name, index) = self.constructor(constructor, ty)?;
                Term::Op(Op::Construct(name, index), self.all(&arguments)?)
            }
            NodeKind::Is(constructor, a) => {
                let whole = self.program.graph.ty(a);
                let (name, index) = self.constructor(constructor, whole)?;
                Term::Op(Op::Test(name, index), vec![self.done(a)?])
            }
            NodeKind::Field(constructor, field, a) => {
                let whole = self.program.graph.ty(a);
                let (name, index) = self.constructor(constructor, whole)?;
                Term::Op(Op::Field(name, index, field), vec![self.done(a)?])
            }
            NodeKind::Select(map, indices) => return self.selected(map, &indices, ty),
            NodeKind::Store(map, indices, value) => return self.updated(map, &indices, value),
            NodeKind::Extract(a, high, low) => {
                if high == low {
                    return self.unsupported("bit vectors of width 0 are not supported");
                }
                // Whoever checks types compares widths only, as Boogie does.
                if let Type::BitVector(width) = self.program.types.get(self.program.graph.ty(a))
                    && high > *width
                {
                    let message = format!("a bit vector of {width} bits has no bits [{high}:{low}]");
                    return self.unsupported(message);
                }
                Term::Op(Op::Extract(high - 1, low), vec![self.done(a)?])
            }
            NodeKind::IfThenElse(a, b, c) => {
                Term::Op(Op::IfThenElse, vec![self.done(a)?, self.done(b)?, self.done(c)?])
            }
            NodeKind::Quantifier(quantifier) => return self.quantifier(&quantifier),
            NodeKind::Hinted(hints, a) => {
                let offers = self.offers(&hints)?;
                self.hints.offers.extend(offers);
                return self.done(a);
            }
        };
        Ok(self.builder.term(term))
    }

    /// A constant of the program; what it is more than its value if that is assumed, which no program has a name for.
    fn constant(&mut self, id: ConstantId, ty: TypeId) -> Translated<TermId> {
        let function = match self.constants.get(&id) {
            Some(function) => *function,
            None => {
                let sort = self.sort(ty)?;
                let mut name = self.name(self.program.constants[id].name);
                if self.fixed.value(id).is_some() {
                    name.push_str(OFFSET);
                }
                let function = self.builder.declare(&name, Vec::new(), sort);
                self.constants.insert(id, function);
                function
            }
        };
        Ok(self.builder.term(Term::Apply(function, Vec::new())))
    }

    fn quantifier(&mut self, quantifier: &QuantifierNode) -> Translated<TermId> {
        if !quantifier.type_parameters.is_empty() {
            return self.unsupported("a quantifier over types inside another expression is not supported");
        }
        let mut bound = Vec::new();
        for variable in &quantifier.bound {
            bound.push(self.bound(variable)?);
        }
        let mut triggers = Vec::new();
        for terms in &quantifier.triggers {
            triggers.push(self.all(terms)?);
        }
        let wish = self.wish(quantifier)?;
        let quantifier = Quantifier {
            universal: quantifier.binder == Binder::Forall,
            bound,
            triggers,
            no_triggers: self.all(&quantifier.no_triggers)?,
            weight: quantifier.weight.unwrap_or(1),
            body: self.done(quantifier.body)?,
        };
        let term = self.builder.term(Term::Quantifier(Box::new(quantifier)));
        if let Some(wish) = wish {
            self.hints.wish(term, wish);
        }
        Ok(term)
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The name of a parameter of a lifted lambda; no name of a program has an exclamation mark.
fn parameter_name(level: usize) -> String {
    format!("lambda!{level}")
}

/// A decimal number as a fraction in lowest terms.
fn real(mantissa: &BigInt, exponent: i32) -> Term {
    let power: BigInt = BigInt::from(10).pow(exponent.unsigned_abs());
    let (numerator, denominator) =
        if exponent >= 0 { (mantissa * power, BigInt::one()) } else { (mantissa.clone(), power) };
    let common = numerator.gcd(&denominator);
    if common.is_one() || common == BigInt::default() {
        return Term::Real(numerator, denominator);
    }
    Term::Real(numerator / &common, denominator / common)
}
