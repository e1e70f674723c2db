//! Statement checksums: of a statement and of all that precedes it in control flow (section 4.1 of the
//! paper), of implementations whose loops are cut.
//!
//! Equal checksums of a check in two programs mean: the same states reach it by the same statements, and
//! the same is asked of them, as long as every call on the way brings back the same states. Of a call only
//! its own text counts; what its procedure promises is the business of assumption variables. Everything
//! that a statement mentions counts with its dependencies: types, and functions with their bodies. Axioms
//! do not count; they are compared as a whole (see [`super::proof`]).
//!
//! Where ways meet, the checksums of their ends are sorted: which way stands first in the text means
//! nothing. A block without statements adds nothing, so an empty branch is as good as none, and ways with
//! equal ends are one way.
//!
//! **Additions.** A check or an assumption only takes states away from what follows. So a check that held
//! holds as well behind one more of them, and the checksums of a later version can be made without those that are
//! new ([`Counted::Known`]): where a checksum is then that of an earlier version, there are no states here that the
//! earlier run did not meet. What is new is told by *marks*: the checksum of a check or an assumption behind the
//! other statements alone, without those checks and assumptions that precede it. Marks only say what is left out;
//! whatever they say, equal checksums mean what they meant. What was checked or assumed before and is so no more
//! is missing in the checksums of all that follows it, which relied upon it.
//! Nothing of this holds of a check that failed: the state in which it did may be one that was taken away.

use cache_core::digest::{Confirm, Encoder};
use cache_core::key::CacheKey;
use rustc_hash::FxHashSet;

use crate::lower::Assertion;
use crate::lower::cut::{Cut, CutCommand, Required};
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{Call, CheckNotes, Implementation, ProcedureId, Program, VariableKind};
use crate::snapshot::checksum::Checksums;
use crate::snapshot::closure::{Closures, Mentions};

/// The statement checksums of one implementation.
#[derive(Clone, Debug)]
pub(crate) struct Statements {
    /// What precedes each block.
    pub(crate) starts: Vec<Confirm>,
    /// Each block with what precedes it. Branches start alike and end each with its own assumption.
    pub(crate) ends: Vec<Confirm>,
    /// Each check, by its number; `None` for checks that control cannot reach.
    pub(crate) checks: Vec<Option<Confirm>>,
    /// The block in which each check stands.
    pub(crate) places: Vec<usize>,
    /// What the checks of a call stand behind, by block and command: the call itself, with its arguments.
    pub(crate) calls: Vec<((usize, usize), Confirm)>,
    /// The marks of checks and assumptions that stand for themselves, sorted.
    pub(crate) marks: Vec<Confirm>,
}

/// Which checks and assumptions count for the checksums of what follows them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counted<'m> {
    /// All of them.
    All,
    /// Those with these marks, which are sorted.
    Known(&'m [Confirm]),
}

impl Counted<'_> {
    fn counts(self, mark: Confirm) -> bool {
        match self {
            Self::All => true,
            Self::Known(marks) => marks.binary_search(&mark).is_ok(),
        }
    }
}

/// How many facts are kept apart before they are digested: a set is digested as often as a check stands behind it.
const MOST_FACTS: usize = 256;

/// What precedes a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Before {
    /// What leads to the present state, with the checks and assumptions that count on the way.
    chain: Confirm,
    /// The marks of those that count and speak of the present state, sorted: in which order they were found out
    /// does not matter to what follows.
    facts: Vec<Confirm>,
    /// What leads to the present state, without checks and assumptions.
    bare: Confirm,
}

impl Before {
    fn of(chain: Confirm, bare: Confirm) -> Self {
        Self { chain, facts: Vec::new(), bare }
    }

    fn confirm(&self) -> Confirm {
        if self.facts.is_empty() {
            return self.chain;
        }
        let mut out = Encoder::new();
        out.variant(18);
        out.nested_confirm(self.chain);
        out.sequence(self.facts.len());
        self.facts.iter().for_each(|fact| out.nested_confirm(*fact));
        out.confirm()
    }

    fn add(&mut self, fact: Confirm) {
        if let Err(at) = self.facts.binary_search(&fact) {
            self.facts.insert(at, fact);
        }
        if self.facts.len() > MOST_FACTS {
            self.chain = self.confirm();
            self.facts.clear();
        }
    }
}

/// The statement checksums of an implementation. Costs the size of what it mentions. Conditions of variables
/// mention variables, unless the lie is to be told that they do not.
pub(crate) fn statements(
    program: &Program,
    closures: &Closures,
    implementation: &Implementation,
    cut: &Cut,
    conditions_count: bool,
    counted: Counted<'_>,
) -> Statements {
    let mut digester = Digester { program, closures, checksums: Checksums::new(program) };
    let mut met = Met::new(program);
    if conditions_count {
        met.conditions(implementation);
    }
    let mut predecessors = vec![Vec::new(); cut.blocks.len()];
    for at in &cut.order {
        for successor in &cut.blocks[*at].successors {
            predecessors[*successor].push(*at);
        }
    }
    let unreached = Encoder::new().confirm();
    let mut starts = vec![unreached; cut.blocks.len()];
    let mut ends = vec![Before::of(unreached, unreached); cut.blocks.len()];
    let mut checks = vec![None; cut.checks.len()];
    let mut places = vec![0; cut.checks.len()];
    let mut calls = Vec::new();
    let mut marks = Vec::new();
    for at in &cut.order {
        let mut current = match predecessors[*at].as_slice() {
            [] => digester.entry(implementation, counted, &mut marks),
            several => meeting(&several.iter().map(|at| &ends[*at]).collect::<Vec<_>>()),
        };
        starts[*at] = current.confirm();
        for (index, command) in cut.blocks[*at].commands.iter().enumerate() {
            let before = current.confirm();
            current = digester.passed(current, command, &met, counted, &mut marks);
            met.command(command);
            if let CutCommand::Call(call, required) = command {
                let mut before = digester.parameters(current.confirm(), call.callee);
                calls.push(((*at, index), before));
                for required in required {
                    before = digester.required(before, required);
                    if let Required::Check(assertion) = required {
                        checks[assertion.check] = Some(before);
                        places[assertion.check] = *at;
                    }
                }
            }
            if let CutCommand::Assert(assertion) | CutCommand::Ensure(assertion) = command {
                checks[assertion.check] = Some(digester.command(before, command, &met));
                places[assertion.check] = *at;
            }
        }
        ends[*at] = current;
    }
    marks.sort_unstable();
    marks.dedup();
    let ends = ends.iter().map(Before::confirm).collect();
    Statements { starts, ends, checks, places, calls, marks }
}

/// What precedes a block in which ways meet. Ways with equal ends are one.
fn meeting(ends: &[&Before]) -> Before {
    match ends.split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => (*first).clone(),
        _ => Before::of(
            met_by(ends.iter().map(|end| end.confirm()).collect()),
            met_by(ends.iter().map(|end| end.bare).collect()),
        ),
    }
}

fn met_by(mut ways: Vec<Confirm>) -> Confirm {
    ways.sort_unstable();
    ways.dedup();
    if let [only] = ways.as_slice() {
        return *only;
    }
    let mut out = Encoder::new();
    out.variant(1);
    out.sequence(ways.len());
    ways.into_iter().for_each(|way| out.nested_confirm(way));
    out.confirm()
}

/// The checksums of preconditions that are met one after the other behind `before`.
pub(crate) fn preconditions(
    program: &Program,
    closures: &Closures,
    before: Confirm,
    required: &[Required],
) -> Vec<Confirm> {
    let mut digester = Digester { program, closures, checksums: Checksums::new(program) };
    let mut current = before;
    let mut all = Vec::new();
    for required in required {
        current = digester.required(current, required);
        all.push(current);
    }
    all
}

/// What the commands so far mention, in the order of control, whether or not a way leads from them to the
/// present one; what the conditions of variables mention is known from the beginning.
struct Met<'p> {
    program: &'p Program,
    nodes: FxHashSet<NodeId>,
    variables: FxHashSet<VariableId>,
}

impl<'p> Met<'p> {
    fn new(program: &'p Program) -> Self {
        Self { program, nodes: FxHashSet::default(), variables: FxHashSet::default() }
    }

    fn conditions(&mut self, implementation: &Implementation) {
        let Implementation { inputs, outputs, locals, .. } = implementation;
        let variables = inputs.iter().chain(outputs).chain(locals);
        let conditions = variables.filter_map(|id| self.program.variables[*id].condition);
        self.expressions(conditions.collect());
    }

    /// Whether a variable has any value as it is: a local one without a condition, which no condition of
    /// another variable and no command so far mentioned.
    /// To give it any value changes nothing, so a loop that assigns a new variable leaves what comes after
    /// it as it was.
    fn is_fresh(&self, id: VariableId) -> bool {
        let variable = &self.program.variables[id];
        matches!(variable.kind, VariableKind::Local | VariableKind::Inlined)
            && variable.condition.is_none()
            && !variable.assumption
            && !self.variables.contains(&id)
    }

    fn command(&mut self, command: &CutCommand) {
        let mut roots: Vec<NodeId> = Vec::new();
        let mut assertion = |assertion: &Assertion| {
            roots.push(assertion.condition);
            roots.extend(assertion.verified_under);
        };
        match command {
            CutCommand::Assert(it) | CutCommand::Ensure(it) => assertion(it),
            CutCommand::Assume(expr) | CutCommand::Ensured(expr) => roots.push(*expr),
            CutCommand::Havoc(variables) | CutCommand::Forget(variables) => self.variables.extend(variables),
            CutCommand::Observe(_) => {}
            CutCommand::Assign(pairs) => {
                self.variables.extend(pairs.iter().map(|(id, _)| *id));
                roots.extend(pairs.iter().map(|(_, value)| *value));
            }
            CutCommand::Call(call, _) => {
                self.variables.extend(&call.outputs);
                roots.extend(&call.arguments);
                roots.extend(call.notes.verified_under);
            }
        }
        self.expressions(roots);
    }

    fn expressions(&mut self, mut roots: Vec<NodeId>) {
        while let Some(node) = roots.pop() {
            if self.nodes.insert(node) {
                let kind = self.program.graph.kind(node);
                if let NodeKind::Variable(id) = kind {
                    self.variables.insert(*id);
                }
                kind.for_each_child(|child| roots.push(child));
            }
        }
    }
}

struct Digester<'p> {
    program: &'p Program,
    closures: &'p Closures,
    checksums: Checksums<'p>,
}

impl Digester<'_> {
    /// What is known on entry, but for the conditions of variables, which are compared as a whole.
    fn entry(
        &mut self,
        implementation: &Implementation,
        counted: Counted<'_>,
        marks: &mut Vec<Confirm>,
    ) -> Before {
        let procedure = &self.program.procedures[implementation.procedure];
        let mut out = Encoder::new();
        out.variant(0);
        let theirs = procedure.inputs.iter().chain(&procedure.outputs);
        let mine = implementation.inputs.iter().chain(&implementation.outputs);
        for (theirs, mine) in theirs.zip(mine) {
            // A parameter that has one name in both places says nothing that its uses do not say.
            if self.program.variables[*theirs].name != self.program.variables[*mine].name {
                out.some();
                self.checksums.names(&[*theirs, *mine], &mut out);
            }
        }
        out.none();
        if procedure.type_parameters != implementation.type_parameters {
            self.checksums.type_parameters(&procedure.type_parameters, &mut out);
            self.checksums.type_parameters(&implementation.type_parameters, &mut out);
        }
        let bare = out.confirm();
        let mut before = Before::of(bare, bare);
        for condition in &procedure.requires {
            let mark = self.condition(bare, 17, condition.expr);
            marks.push(mark);
            if counted.counts(mark) {
                before.add(mark);
            }
        }
        before
    }

    /// What precedes the statement behind a command. A check or an assumption that does not count leaves it as it was,
    /// and so does one that says nothing.
    fn passed(
        &mut self,
        mut before: Before,
        command: &CutCommand,
        met: &Met<'_>,
        counted: Counted<'_>,
        marks: &mut Vec<Confirm>,
    ) -> Before {
        match command {
            CutCommand::Assume(expr) | CutCommand::Ensured(expr) if self.says_nothing(*expr) => {}
            CutCommand::Assert(_)
            | CutCommand::Ensure(_)
            | CutCommand::Assume(_)
            | CutCommand::Ensured(_) => {
                let mark = self.command(before.bare, command, met);
                marks.push(mark);
                if counted.counts(mark) {
                    before.add(mark);
                }
            }
            _ => {
                let (earlier, bare) = (before.confirm(), before.bare);
                let chain = self.command(earlier, command, met);
                if chain != earlier {
                    before = Before::of(chain, self.command(bare, command, met));
                }
            }
        }
        before
    }

    fn says_nothing(&self, expr: NodeId) -> bool {
        matches!(self.program.graph.kind(expr), NodeKind::Bool(true))
    }

    /// An expression with all that it depends on.
    fn closed(&mut self, expr: NodeId, out: &mut Encoder) {
        out.nested_confirm(self.checksums.expr(expr));
        let mut mentions = Mentions::new(self.program);
        mentions.expr(expr);
        self.closures.mentioned_into(self.program, mentions, out);
    }

    /// A call whose preconditions follow: they stand over the callee's parameters and mean nothing without
    /// the call's arguments, which are part of its checksum, and which parameter has which.
    fn parameters(&mut self, call: Confirm, callee: ProcedureId) -> Confirm {
        let procedure = &self.program.procedures[callee];
        let mut out = Encoder::new();
        out.variant(15);
        out.nested_confirm(call);
        self.checksums.type_parameters(&procedure.type_parameters, &mut out);
        self.checksums.names(&procedure.inputs, &mut out);
        self.checksums.names(&procedure.outputs, &mut out);
        out.confirm()
    }

    fn required(&mut self, before: Confirm, required: &Required) -> Confirm {
        match required {
            Required::Check(assertion) => self.check(before, 10, assertion),
            Required::Known(condition) => self.condition(before, 13, *condition),
        }
    }

    /// A condition that is known at its place.
    fn condition(&mut self, before: Confirm, kind: u32, condition: NodeId) -> Confirm {
        let mut out = Encoder::new();
        out.variant(kind);
        out.nested_confirm(before);
        self.closed(condition, &mut out);
        out.confirm()
    }

    fn check(&mut self, before: Confirm, kind: u32, assertion: &Assertion) -> Confirm {
        // The number of the check and what is known of it are no part of what it asks.
        let Assertion { check: _, condition, verified_under, subsumes, settled: _ } = assertion;
        let mut out = Encoder::new();
        out.variant(kind);
        out.nested_confirm(before);
        self.closed(*condition, &mut out);
        match verified_under {
            None => out.none(),
            Some(under) => {
                out.some();
                self.closed(*under, &mut out);
            }
        }
        subsumes.encode(&mut out);
        out.confirm()
    }

    /// The checksum after a command; `met` is what stands before it.
    fn command(&mut self, before: Confirm, command: &CutCommand, met: &Met<'_>) -> Confirm {
        let mut out = Encoder::new();
        match command {
            CutCommand::Assert(assertion) => return self.check(before, 11, assertion),
            CutCommand::Ensure(assertion) => return self.check(before, 12, assertion),
            CutCommand::Assume(expr) => return self.condition(before, 2, *expr),
            CutCommand::Ensured(expr) => return self.condition(before, 14, *expr),
            CutCommand::Observe(_) => return before,
            CutCommand::Havoc(variables) => {
                let counting: Vec<VariableId> =
                    variables.iter().copied().filter(|id| !met.is_fresh(*id)).collect();
                if counting.is_empty() {
                    return before;
                }
                out.variant(3);
                out.nested_confirm(before);
                out.sequence(counting.len());
                for variable in counting {
                    self.havocked(variable, &mut out);
                }
            }
            CutCommand::Forget(variables) => {
                out.variant(16);
                out.nested_confirm(before);
                out.sequence(variables.len());
                variables.iter().for_each(|id| self.havocked(*id, &mut out));
            }
            CutCommand::Assign(pairs) => {
                out.variant(4);
                out.nested_confirm(before);
                out.sequence(pairs.len());
                for (variable, value) in pairs {
                    self.checksums.names(&[*variable], &mut out);
                    self.closed(*value, &mut out);
                }
            }
            CutCommand::Call(call, _) => {
                let Call { callee, free, type_arguments, arguments, outputs, notes } = &**call;
                // Whether what follows may rely on the preconditions.
                let CheckNotes {
                    message: _,
                    verified_under,
                    subsumption,
                    origin: _,
                    isolation: _,
                    tracked: _,
                    possibly_unreachable: _,
                } = notes;
                out.variant(5);
                out.nested_confirm(before);
                out.text(self.program.names.text(self.program.procedures[*callee].name));
                free.encode(&mut out);
                self.checksums.type_list(type_arguments, &mut out);
                let mut mentions = Mentions::new(self.program);
                type_arguments.iter().for_each(|ty| mentions.ty(*ty));
                self.closures.mentioned_into(self.program, mentions, &mut out);
                out.sequence(arguments.len());
                for argument in arguments {
                    self.closed(*argument, &mut out);
                }
                self.checksums.names(outputs, &mut out);
                match verified_under {
                    None => out.none(),
                    Some(under) => {
                        out.some();
                        self.closed(*under, &mut out);
                    }
                }
                subsumption.encode(&mut out);
            }
        }
        out.confirm()
    }

    /// A variable that gets any value, with the condition that is assumed of it then.
    fn havocked(&mut self, variable: VariableId, out: &mut Encoder) {
        self.checksums.variable_into(variable, out);
        let variable = &self.program.variables[variable];
        let mut mentions = Mentions::new(self.program);
        mentions.ty(variable.ty);
        if let Some(condition) = variable.condition {
            mentions.expr(condition);
        }
        self.closures.mentioned_into(self.program, mentions, out);
    }
}
