//! Calls replaced by the bodies of what they call: `{:inline n}` procedures, n deep.
//!
//! The caller gets a variable for each parameter, result and local variable of the callee, and one for
//! the old value of each global variable that the callee may change. Blocks and variables are named as
//! Boogie names them (`inline$P$0$anon0`); a variable whose name is taken gets one that no program can
//! have, since variables are told apart by their names in keys and checksums. Preconditions are checked where the body
//! starts, postconditions where it ends.
//!
//! What is inlined is part of the caller from then on: keys, reach and queries see the result alone.

mod names;
mod scope;

use rustc_hash::{FxHashMap, FxHashSet};

use self::scope::Scope;
use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{
    Block, Call, CheckNotes, CheckOrigin, Command, CommandKind, Condition, Implementation, ImplementationId,
    InlineWish, ProcedureId, Program, Transfer,
};
use crate::resolve::types::{TypeId, TypeVariableId};

/// What becomes of a call when its callee was inlined as often as it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Inlining {
    /// Nothing is inlined.
    None,
    /// Control that gets there is not looked at further.
    #[default]
    Assume,
    /// Control must not get there.
    Assert,
    /// The call stays, and means what the specification says.
    Spec,
}

/// How many blocks an implementation may grow to.
const MAX_BLOCKS: usize = 200_000;
/// How deep calls may be inlined into each other.
const MAX_DEPTH: usize = 500;

/// Inlines in every implementation that is verified, and gives what is wrong.
pub(crate) fn inline(program: &mut Program, bodies: &Bodies) -> Vec<Diagnostic> {
    let ids = program.implementations.ids().filter(|id| !program.implementations[*id].wishes.skip);
    let ids: Vec<ImplementationId> = ids.collect();
    inline_in(program, &ids, bodies)
}

/// Inlines every procedure with a body in the given implementations, so deep, for contracts to be inferred, as
/// Boogie's `-inlineDepth` has it: a body that is verified for itself is there for what it does, so its
/// assertions are left out and its postconditions are assumed. Gives what is wrong.
pub(crate) fn inline_for_inference(
    program: &mut Program,
    ids: &[ImplementationId],
    depth: u32,
) -> Vec<Diagnostic> {
    let bodies = Bodies::for_inference(program, depth);
    inline_in(program, ids, &bodies)
}

fn inline_in(program: &mut Program, ids: &[ImplementationId], bodies: &Bodies) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for id in ids.iter().copied() {
        let implementation = &program.implementations[id];
        if !bodies.may_inline(&implementation.blocks) {
            continue;
        }
        let (blocks, locals) = (implementation.blocks.clone(), implementation.locals.clone());
        match bodies.inlined(program, &blocks, &locals, 0) {
            Some(Inlined { blocks, locals, order }) => {
                if blocks.len() != program.implementations[id].blocks.len() {
                    program.layouts.insert(id, order);
                }
                program.implementations[id].locals = locals;
                program.implementations[id].blocks = blocks;
            }
            None => {
                let implementation = &program.implementations[id];
                let name = program.names.text(implementation.name);
                let message = format!("inlining makes the implementation {name} too large");
                diagnostics.push(Diagnostic::error(Stage::Declarations, implementation.span, message));
            }
        }
    }
    diagnostics
}

/// How often a body is inlined into itself, if it asks for that: what its procedure says counts.
fn times(program: &Program, body: &Implementation) -> Option<u32> {
    let wish = |inline: Option<InlineWish>| inline.and_then(InlineWish::times);
    wish(program.procedures[body.procedure].inline).or(wish(body.wishes.inline))
}

/// The first body of each procedure.
fn first_bodies(program: &Program) -> FxHashMap<ProcedureId, Implementation> {
    let mut sources: FxHashMap<ProcedureId, Implementation> = FxHashMap::default();
    for (_, implementation) in program.implementations.iter() {
        sources.entry(implementation.procedure).or_insert_with(|| implementation.clone());
    }
    sources
}

/// Blocks with their calls inlined.
pub(crate) struct Inlined {
    pub(crate) blocks: Vec<Block>,
    /// The local variables, with those that came with the calls.
    pub(crate) locals: Vec<VariableId>,
    /// The order in which a reader meets the blocks: what is inlined stands where the call was.
    pub(crate) order: Vec<usize>,
}

/// What may be inlined: the first body of each procedure, and how often.
#[derive(Default)]
pub(crate) struct Bodies {
    sources: FxHashMap<ProcedureId, Implementation>,
    limits: FxHashMap<ProcedureId, u32>,
    /// The names of the program's variables that look like those of copies.
    taken: FxHashSet<Symbol>,
    mode: Inlining,
    /// How deep all are inlined, for contracts to be inferred.
    depth: u32,
}

impl Bodies {
    pub(crate) fn new(program: &Program, mode: Inlining) -> Self {
        let asks = |it: &Implementation| times(program, it).is_some();
        // Where nothing is inlined, nothing need be copied.
        let any = program.implementations.iter().any(|(_, it)| asks(it));
        let sources = if any { first_bodies(program) } else { FxHashMap::default() };
        let limits = sources.iter().filter_map(|(id, body)| Some((*id, times(program, body)?))).collect();
        Self { sources, limits, taken: names::taken(program), mode, depth: 0 }
    }

    /// Every body, to be inlined that deep, wherever it is called.
    fn for_inference(program: &Program, depth: u32) -> Self {
        let (sources, limits) = (first_bodies(program), FxHashMap::default());
        Self { sources, limits, taken: names::taken(program), mode: Inlining::Spec, depth }
    }

    fn may_inline(&self, blocks: &[Block]) -> bool {
        self.mode != Inlining::None
            && (self.depth > 0 || !self.limits.is_empty())
            && blocks.iter().flat_map(|block| &block.commands).any(|command| {
                matches!(&command.kind, CommandKind::Call(call) if self.sources.contains_key(&call.callee))
            })
    }

    /// The body that a call of a procedure may be replaced by.
    pub(crate) fn source(&self, id: ProcedureId) -> Option<&Implementation> {
        let may = self.mode != Inlining::None && (self.depth > 0 || self.limits.contains_key(&id));
        if may { self.sources.get(&id) } else { None }
    }

    pub(crate) fn source_mut(&mut self, id: ProcedureId) -> Option<&mut Implementation> {
        self.sources.get_mut(&id)
    }

    /// Blocks with their calls inlined, and the local variables that came with that; `level` variables are
    /// bound around them. `None` if they get too large.
    pub(crate) fn inlined(
        &self,
        program: &mut Program,
        blocks: &[Block],
        locals: &[VariableId],
        level: u32,
    ) -> Option<Inlined> {
        if !self.may_inline(blocks) {
            let order = (0..blocks.len()).collect();
            return Some(Inlined { blocks: blocks.to_vec(), locals: locals.to_vec(), order });
        }
        let prefix = names::prefix(program, blocks, locals);
        let mut inliner = Inliner {
            program,
            prefix,
            level,
            mode: self.mode,
            sources: &self.sources,
            left: self.limits.clone(),
            unasked: self.depth,
            inferring: self.depth > 0,
            numbers: FxHashMap::default(),
            bound_types: FxHashMap::default(),
            taken: self.taken.clone(),
            locals: locals.to_vec(),
            blocks: Vec::new(),
            order: Vec::new(),
            depth: 0,
            too_large: false,
        };
        inliner.body(blocks, &Scope::default(), None);
        let Inliner { blocks, locals, order, too_large, .. } = inliner;
        (!too_large).then_some(Inlined { blocks, locals, order })
    }
}

/// The blocks in the order in which they are reached if the last way on is followed first; those that are not
/// reached come last.
fn boogie_order(blocks: &[Block]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        if blocks.get(at).is_none() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        order.push(at);
        if let Transfer::Goto(targets) = &blocks[at].transfer {
            work.extend(targets);
        }
    }
    order.extend((0..blocks.len()).filter(|at| !seen[*at]));
    order
}

struct Inliner<'p> {
    program: &'p mut Program,
    /// Before the names of all copies.
    prefix: String,
    /// How many variables are bound around the blocks; none are around what is inlined.
    level: u32,
    mode: Inlining,
    sources: &'p FxHashMap<ProcedureId, Implementation>,
    /// How often each procedure may still be inlined into itself here.
    left: FxHashMap<ProcedureId, u32>,
    /// How deep procedures that do not ask for it may still be inlined here.
    unasked: u32,
    /// Whether contracts are inferred: what is inlined is verified for itself, and is not checked again.
    inferring: bool,
    /// How often each procedure was inlined.
    numbers: FxHashMap<ProcedureId, u32>,
    /// What became of the type variables that quantifiers of callees bind, by the callee's prefix.
    bound_types: FxHashMap<(Symbol, TypeVariableId), TypeId>,
    /// Names that a copy must not have.
    taken: FxHashSet<Symbol>,
    locals: Vec<VariableId>,
    blocks: Vec<Block>,
    order: Vec<usize>,
    depth: usize,
    too_large: bool,
}

/// What the pieces of a block are called that lie behind inlined calls in it: `label$count`.
#[derive(Clone, Copy)]
struct Pieces {
    label: Symbol,
    span: Span,
    count: u32,
}

impl Inliner<'_> {
    fn label(&mut self, text: &str) -> Symbol {
        self.program.names.intern(text)
    }

    /// Adds blocks with their calls inlined. Where they return, control goes to `exit`, if there is one.
    /// Gives the index of the first one.
    fn body(&mut self, blocks: &[Block], scope: &Scope, exit: Option<usize>) -> usize {
        // The first piece of each block comes in the order of the blocks, so that targets are known; what
        // follows calls is put behind them.
        let first = self.blocks.len();
        for block in blocks {
            let text = format!("{}{}", scope.prefix, self.program.names.text(block.label));
            let label = self.label(&text);
            let transfer = Transfer::Goto(Vec::new());
            let (span, continues, tested) = (block.span, block.continues, block.tested);
            self.blocks.push(Block { label, span, commands: Vec::new(), transfer, continues, tested });
        }
        // What continues a block is a part of it, also where pieces are named.
        let mut pieces: Vec<Option<Pieces>> = vec![None; blocks.len()];
        // Calls are numbered, and blocks ordered, as Boogie goes through them.
        for index in boogie_order(blocks) {
            let block = &blocks[index];
            self.order.push(first + index);
            let own = Pieces { label: self.blocks[first + index].label, span: block.span, count: 0 };
            let mut of = pieces[index].unwrap_or(own);
            let last = self.commands(first + index, block, scope, &mut of);
            if let Transfer::Goto(targets) = &block.transfer {
                targets.iter().filter(|it| blocks[**it].continues).for_each(|it| pieces[*it] = Some(of));
            }
            self.blocks[last].transfer = match (&block.transfer, exit) {
                (Transfer::Goto(targets), _) => {
                    Transfer::Goto(targets.iter().map(|target| first + target).collect())
                }
                (Transfer::Return(_), Some(exit)) => Transfer::Goto(vec![exit]),
                (Transfer::Return(span), None) => Transfer::Return(*span),
            };
        }
        first
    }

    /// Fills a block and those that follow its calls; gives the index of the last one.
    fn commands(&mut self, start: usize, block: &Block, scope: &Scope, of: &mut Pieces) -> usize {
        let mut current = start;
        for command in &block.commands {
            let checked =
                matches!(command.kind, CommandKind::Assert(..) | CommandKind::Invariant { free: false, .. });
            if checked && scope.inlined && self.inferring {
                continue;
            }
            let command = self.renamed(command, scope);
            let CommandKind::Call(call) = &command.kind else {
                self.blocks[current].commands.push(command);
                continue;
            };
            let left = self.left.get(&call.callee).copied();
            match left.or((self.unasked > 0).then_some(self.unasked)) {
                Some(0) => {
                    let bool = self.program.types.bool();
                    let never = self.program.graph.add(NodeKind::Bool(false), bool);
                    let kind = match self.mode {
                        Inlining::Assert => CommandKind::Assert(never, CheckNotes::default()),
                        Inlining::Spec | Inlining::None => command.kind,
                        Inlining::Assume => CommandKind::Assume(never),
                    };
                    self.blocks[current].commands.push(Command { kind, span: command.span });
                }
                Some(count) if self.sources.contains_key(&call.callee) => {
                    if self.depth >= MAX_DEPTH || self.blocks.len() >= MAX_BLOCKS {
                        self.too_large = true;
                        return current;
                    }
                    let asked = left.is_some();
                    if asked {
                        self.left.insert(call.callee, count - 1);
                    } else {
                        self.unasked -= 1;
                    }
                    self.depth += 1;
                    let (entry, exit) = self.call(call, command.span);
                    self.order.push(exit);
                    self.depth -= 1;
                    if asked {
                        self.left.insert(call.callee, count);
                    } else {
                        self.unasked += 1;
                    }
                    self.blocks[current].transfer = Transfer::Goto(vec![entry]);
                    of.count += 1;
                    let text = format!("{}${}", self.program.names.text(of.label), of.count);
                    let label = self.label(&text);
                    let transfer = Transfer::Goto(Vec::new());
                    let (span, commands) = (of.span, Vec::new());
                    let (continues, tested) = (false, false);
                    self.blocks.push(Block { label, span, commands, transfer, continues, tested });
                    current = self.blocks.len() - 1;
                    self.order.push(current);
                    self.blocks[exit].transfer = Transfer::Goto(vec![current]);
                }
                _ => self.blocks[current].commands.push(command),
            }
        }
        current
    }

    /// Adds the blocks of a callee; gives the one to enter and the one that control leaves from.
    fn call(&mut self, call: &Call, at: Span) -> (usize, usize) {
        let source = &self.sources[&call.callee];
        let procedure = self.program.procedures[call.callee].clone();
        let number = self.numbers.entry(call.callee).or_insert(0);
        let prefix = format!("{}{}${number}$", self.prefix, self.program.names.text(procedure.name));
        *number += 1;
        let mut scope = Scope { prefix: prefix.clone(), inlined: true, ..Scope::default() };
        for parameters in [&source.type_parameters, &procedure.type_parameters] {
            scope.types.extend(parameters.iter().copied().zip(call.type_arguments.iter().copied()));
        }
        for variable in source.locals.iter().chain(&source.inputs).chain(&source.outputs) {
            let new = self.copy(*variable, &prefix, &scope);
            scope.variables.insert(*variable, new);
        }
        let (mine, theirs) =
            (source.inputs.iter().chain(&source.outputs), procedure.inputs.iter().chain(&procedure.outputs));
        for (mine, theirs) in mine.zip(theirs) {
            let new = scope.variables[mine];
            scope.variables.insert(*theirs, new);
        }
        for global in &procedure.modifies {
            let new = self.copy(*global, &prefix, &scope);
            scope.old.insert(*global, new);
        }
        // Conditions of the copies speak of the copies. What is passed need not meet its own.
        for variable in source.locals.iter().chain(&source.outputs) {
            if let Some(condition) = self.program.variables[*variable].condition {
                let condition = self.expr(condition, &scope);
                self.program.variables[scope.variables[variable]].condition = Some(condition);
            }
        }
        let mut commands = Vec::new();
        for (input, argument) in source.inputs.iter().zip(&call.arguments) {
            commands.push(CommandKind::Assign(vec![(scope.variables[input], *argument)]));
        }
        // What is free is neither checked nor believed, since the body itself is there, but it keeps its place. A
        // free call is checked like any other: its body is no specification to be taken on trust.
        for condition in &procedure.requires {
            let expr = self.claimed(condition, &scope);
            if condition.always {
                commands.push(CommandKind::Assume(expr));
                continue;
            }
            let origin = CheckOrigin::Precondition(condition.span);
            let notes = CheckNotes {
                message: condition.message.clone().or_else(|| call.notes.message.clone()),
                origin,
                ..call.notes.clone()
            };
            commands.push(CommandKind::Assert(expr, notes));
        }
        let fresh: Vec<VariableId> =
            source.locals.iter().chain(&source.outputs).map(|it| scope.variables[it]).collect();
        if !fresh.is_empty() {
            commands.push(CommandKind::Enter(fresh));
        }
        for global in &procedure.modifies {
            let value = self.variable(*global);
            commands.push(CommandKind::Assign(vec![(scope.old[global], value)]));
        }
        let entry = self.around(&format!("{prefix}Entry"), source.span, at, commands);

        let mut commands = Vec::new();
        let inferring = self.inferring;
        for condition in &procedure.ensures {
            if inferring {
                let expr = self.expr(condition.expr, &scope);
                commands.push(CommandKind::Assume(expr));
                continue;
            }
            let expr = self.claimed(condition, &scope);
            if condition.free || condition.assumed_inline {
                commands.push(CommandKind::Assume(expr));
                continue;
            }
            let origin = CheckOrigin::Postcondition(condition.span);
            let (message, subsumption) = (condition.message.clone(), self.program.subsumption);
            let notes = CheckNotes { message, subsumption, origin, ..CheckNotes::default() };
            commands.push(CommandKind::Assert(expr, notes));
        }
        for (output, target) in source.outputs.iter().zip(&call.outputs) {
            let value = self.variable(scope.variables[output]);
            commands.push(CommandKind::Assign(vec![(*target, value)]));
        }
        let exit = self.around(&format!("{prefix}Return"), source.span, at, commands);

        self.order.push(entry);
        let sources = self.sources;
        let first = self.body(&sources[&call.callee].blocks, &scope, Some(exit));
        self.blocks[entry].transfer = Transfer::Goto(vec![first]);
        (entry, exit)
    }

    /// What a condition of a callee says around its body: nothing if it is free, unless it is always assumed.
    fn claimed(&mut self, condition: &Condition, scope: &Scope) -> NodeId {
        if condition.free && !condition.always && !condition.assumed_inline {
            let bool = self.program.types.bool();
            return self.program.graph.add(NodeKind::Bool(true), bool);
        }
        self.expr(condition.expr, scope)
    }

    /// A block in front of a callee's body or behind it, for the call at `at`; where it goes is filled in later.
    fn around(&mut self, label: &str, span: Span, at: Span, commands: Vec<CommandKind>) -> usize {
        let commands = commands.into_iter().map(|kind| Command { kind, span: at }).collect();
        let label = self.label(label);
        let transfer = Transfer::Goto(Vec::new());
        self.blocks.push(Block { label, span, commands, transfer, continues: false, tested: false });
        self.blocks.len() - 1
    }
}
