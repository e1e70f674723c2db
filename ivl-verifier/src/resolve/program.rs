//! A resolved program: flat lists of entities that refer to each other by id.

use crate::base::arena::Arena;
use crate::base::names::{Names, Symbol};
use crate::base::source::{FileId, Span};
use crate::resolve::graph::{ConstantId, ConstructorId, FunctionId, Graph, NodeId, NodeKind, VariableId};
use crate::resolve::spelling::Spelling;
use crate::resolve::types::{TypeId, TypeNameId, TypeNames, TypeVariableId, Types};
use crate::syntax::print::places::{BlocksPlaced, span as placed_at};

crate::base::arena::typed_ids! {
    /// A procedure.
    pub(crate) ProcedureId;
    /// An implementation.
    pub(crate) ImplementationId;
    /// An axiom.
    pub(crate) AxiomId;
}

/// A resolved program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) names: Names,
    pub(crate) types: Types,
    pub(crate) type_names: TypeNames,
    pub(crate) graph: Graph,
    pub(crate) type_constructors: Arena<TypeNameId, TypeConstructor>,
    pub(crate) constructors: Arena<ConstructorId, Constructor>,
    pub(crate) variables: Arena<VariableId, Variable>,
    pub(crate) constants: Arena<ConstantId, Constant>,
    pub(crate) functions: Arena<FunctionId, Function>,
    pub(crate) axioms: Arena<AxiomId, Axiom>,
    /// The global variables.
    pub(crate) globals: Vec<VariableId>,
    /// Where global variables and constants are declared, for the order in which they are told.
    pub(crate) declared: std::collections::BTreeMap<GlobalName, Span>,
    pub(crate) procedures: Arena<ProcedureId, Procedure>,
    pub(crate) implementations: Arena<ImplementationId, Implementation>,
    /// Code expressions, those inside others before them.
    pub(crate) codes: Vec<Code>,
    /// In which order the blocks of implementations with inlined calls are printed.
    pub(crate) layouts: std::collections::BTreeMap<ImplementationId, Vec<usize>>,
    /// The heads of loops at which bounds were inferred, for printing.
    pub(crate) cuts: std::collections::BTreeMap<ImplementationId, std::collections::BTreeSet<usize>>,
    /// The functions that inference of bounds looks through.
    pub(crate) identities: std::collections::BTreeSet<FunctionId>,
    /// Whether execution traces show blocks in which nothing is left to be said.
    pub(crate) keeps_empty_blocks: bool,
    /// Whether execution traces show the blocks that Boogie adds in front and behind.
    pub(crate) shows_added_blocks: bool,
    /// Whether a return that nothing is said before is told at the end of the body.
    pub(crate) merges_exits: bool,
    /// Whether free invariants, and assumptions among invariants, are assumed where invariants are checked, too.
    pub(crate) assumes_free_invariants: bool,
    /// Whether what follows a check may rely on it, for checks that cannot say so: 0 never, 1 unless it is a quantifier.
    pub(crate) subsumption: Option<u32>,
    /// The functions with axioms that can be hidden, each with the constant under which these hold.
    pub(crate) hideable: Vec<(FunctionId, NodeId)>,
    /// What the text says and nothing else knows, where the program is to be printed; else nothing.
    pub(crate) spelling: Spelling,
    /// What `{:checksum}` says; it counts only where a run asks for that.
    pub(crate) client: ClientChecksums,
}

/// What has a value throughout a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum GlobalName {
    Variable(VariableId),
    Constant(ConstantId),
}

/// The checksums that a program gives its entities, and of which entities it says nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientChecksums {
    pub(crate) functions: rustc_hash::FxHashMap<FunctionId, String>,
    pub(crate) procedures: rustc_hash::FxHashMap<ProcedureId, String>,
    pub(crate) implementations: rustc_hash::FxHashMap<ImplementationId, String>,
}

/// A type constructor, or a datatype if it has constructors.
#[derive(Clone, Debug)]
pub(crate) struct TypeConstructor {
    pub(crate) name: Symbol,
    pub(crate) arity: usize,
    /// The type parameters of a datatype.
    pub(crate) parameters: Vec<TypeVariableId>,
    /// The constructors of a datatype.
    pub(crate) constructors: Vec<ConstructorId>,
    /// Whether it was declared as a datatype.
    pub(crate) datatype: bool,
    /// The meaning for the solver that `{:builtin "..."}` gives it.
    pub(crate) builtin: Option<String>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub(crate) struct Constructor {
    pub(crate) name: Symbol,
    pub(crate) datatype: TypeNameId,
    /// Names and types of its fields, the latter over the datatype's type parameters.
    pub(crate) fields: Vec<(Symbol, TypeId)>,
}

/// What kind of variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum VariableKind {
    Global,
    Input,
    Output,
    Local,
    /// A local variable or a result of an inlined body. Its condition is that body's affair: nothing is known
    /// of it before control enters there.
    Inlined,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Symbol,
    pub(crate) ty: TypeId,
    pub(crate) kind: VariableKind,
    /// Its `where` clause.
    pub(crate) condition: Option<NodeId>,
    /// From `{:assumption}`: it starts out true and is only ever strengthened.
    pub(crate) assumption: bool,
    /// Where the text declares it; what was made has no place. For printing alone.
    pub(crate) span: Span,
}

impl Variable {
    /// A variable that the text does not declare, of which nothing is known.
    pub(crate) fn made(name: Symbol, ty: TypeId, kind: VariableKind) -> Self {
        Self { name, ty, kind, condition: None, assumption: false, span: Span::NOWHERE }
    }
}

/// A constant.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) name: Symbol,
    pub(crate) ty: TypeId,
    pub(crate) unique: bool,
    /// From `{:existential}`: whether it holds is to be found out.
    pub(crate) existential: bool,
    /// What is taken for it meanwhile.
    pub(crate) value: Option<bool>,
}

/// What a function means to the solver beyond its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Uninterpreted but for its body and the axioms.
    Declared,
    /// A function of the solver's theories, from `{:builtin}` or `{:bvbuiltin}`.
    Builtin(String),
    /// Replaced by its body wherever it is applied, from `{:inline}`.
    Inline,
    /// A macro of the solver, from `{:define}`.
    Define,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Symbol,
    pub(crate) type_parameters: Vec<TypeVariableId>,
    pub(crate) parameters: Vec<TypeId>,
    pub(crate) result: TypeId,
    /// The body over bound variables of levels 0, 1, ..., one for each parameter.
    pub(crate) body: Option<NodeId>,
    /// The bound variables that stand for the parameters in the body.
    pub(crate) bound: Vec<crate::resolve::graph::BoundVariable>,
    pub(crate) meaning: Meaning,
    /// From `{:never_pattern}`: the solver does not choose applications of it as triggers.
    pub(crate) never_pattern: bool,
    /// From `{:identity}`: inference looks through it, if the program says that it gives its argument back.
    pub(crate) identity: bool,
}

/// An axiom.
#[derive(Clone, Debug)]
pub(crate) struct Axiom {
    pub(crate) expr: NodeId,
    /// From `{:include_dep}`: when pruning, it is reached through whatever it mentions.
    pub(crate) include: bool,
    /// In whose `uses` clause it stands.
    pub(crate) owners: Vec<Owner>,
    /// From `{:id "..."}`.
    pub(crate) id: Option<Symbol>,
    /// What is sent in place of it where it is to be found out whether a proof needs it.
    pub(crate) tracked: Option<NodeId>,
}

/// What has a `uses` clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Function(FunctionId),
    Constant(ConstantId),
}

/// A precondition or postcondition.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) free: bool,
    /// From `{:always_assume}` on a free condition: it is assumed where it would be checked, too.
    pub(crate) always: bool,
    /// From `{:InlineAssume}` on a postcondition: behind an inlined body it is assumed.
    pub(crate) assumed_inline: bool,
    pub(crate) expr: NodeId,
    /// What `{:msg "..."}` says instead of the usual words.
    pub(crate) message: Option<String>,
    /// From `{:id "..."}`.
    pub(crate) id: Option<Symbol>,
    pub(crate) span: Span,
}

/// A procedure.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub(crate) name: Symbol,
    pub(crate) type_parameters: Vec<TypeVariableId>,
    pub(crate) inputs: Vec<VariableId>,
    pub(crate) outputs: Vec<VariableId>,
    pub(crate) requires: Vec<Condition>,
    pub(crate) ensures: Vec<Condition>,
    /// The global variables it may change, sorted by id, each once.
    pub(crate) modifies: Vec<VariableId>,
    pub(crate) pure: bool,
    /// From `{:inline n}`.
    pub(crate) inline: Option<InlineWish>,
    /// From `{:verify false}`: its implementations are not verified.
    pub(crate) skip: bool,
    /// From `{:selective_checking}`, which then holds of its implementations.
    pub(crate) selective: bool,
}

/// An implementation.
#[derive(Clone, Debug)]
pub(crate) struct Implementation {
    pub(crate) name: Symbol,
    /// Who it is across snapshots: `{:id "..."}`, or its name; with a number where that is taken.
    pub(crate) identity: String,
    /// Which of its procedure's implementations it is, from 1, if there are several.
    pub(crate) sibling: Option<u32>,
    pub(crate) procedure: ProcedureId,
    /// Its own, or those of its procedure if it is declared together with it.
    pub(crate) type_parameters: Vec<TypeVariableId>,
    pub(crate) inputs: Vec<VariableId>,
    pub(crate) outputs: Vec<VariableId>,
    pub(crate) locals: Vec<VariableId>,
    /// The blocks; the first one is the entry.
    pub(crate) blocks: Vec<Block>,
    /// What the attributes ask for.
    pub(crate) wishes: Wishes,
    pub(crate) span: Span,
    /// Where its body ends.
    pub(crate) end: Span,
}

impl Implementation {
    /// Gives blocks the places at which they were printed, in a file of places, and with `commands` the commands in
    /// them. A precondition of an inlined callee keeps that of its call, and a postcondition has that of the jump
    /// behind it, as in Boogie.
    pub(crate) fn print_at(&mut self, names: &Names, blocks: &BlocksPlaced, file: FileId, commands: bool) {
        for first in 0..self.blocks.len() {
            let Some(placed) = blocks.get(names.text(self.blocks[first].label)) else { continue };
            self.blocks[first].span = placed_at(file, placed.label);
            let jump = placed_at(file, placed.jump);
            let mut printed = placed.commands.iter();
            let mut at = first;
            loop {
                let block = &mut self.blocks[at];
                let own = block.commands.iter_mut().filter(|_| commands);
                for (command, place) in own.zip(printed.by_ref()) {
                    match &command.kind {
                        CommandKind::Assert(_, CheckNotes { origin: CheckOrigin::Precondition(_), .. }) => {}
                        CommandKind::Assert(_, CheckNotes { origin: CheckOrigin::Postcondition(_), .. }) => {
                            command.span = jump;
                        }
                        _ => command.span = placed_at(file, *place),
                    }
                }
                match &mut block.transfer {
                    Transfer::Return(span) => *span = jump,
                    Transfer::Goto(targets) => {
                        if let [only] = *targets.as_slice()
                            && self.blocks[only].continues
                        {
                            at = only;
                            continue;
                        }
                    }
                }
                break;
            }
        }
    }
}

/// What `{:inline value}` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InlineWish {
    /// To be inlined into itself so often.
    Times(u32),
    /// Any other value: nothing is inlined, and the body is not verified by itself all the same, as in Boogie.
    Nowhere,
}

impl InlineWish {
    /// How often to inline, if the value is a number.
    pub(crate) fn times(self) -> Option<u32> {
        match self {
            Self::Times(times) => Some(times),
            Self::Nowhere => None,
        }
    }
}

/// What the attributes of an implementation ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// `{:verify false}`.
    pub(crate) skip: bool,
    /// `{:timeLimit n}` in seconds.
    pub(crate) time_limit: Option<u64>,
    /// `{:rlimit n}`.
    pub(crate) resource_limit: Option<u64>,
    /// `{:priority n}`.
    pub(crate) priority: Option<u64>,
    /// `{:inline n}`.
    pub(crate) inline: Option<InlineWish>,
    /// `{:split_here}` and its relatives: not everything is to be asked at once.
    pub(crate) apart: bool,
    /// `{:vcs_split_on_every_assert}`: whether each check is to be asked by itself.
    pub(crate) each_check: Option<bool>,
    /// `{:vcs_max_splits n}`: into how many pieces its checks are shared out otherwise.
    pub(crate) max_pieces: Option<u32>,
    /// From `{:vcs_max_keep_going_splits n}`: into how many pieces what runs out of limits is divided.
    pub(crate) keep_going: Option<u32>,
    /// `{:selective_checking}`: what does not come after a `{:start_checking_here}` is assumed, not checked.
    pub(crate) selective: bool,
    /// `{:smt_option name, value}` and `{:random_seed n}`: options of the solver, by their names without `smt.`.
    pub(crate) solver_options: Vec<(String, String)>,
    /// `{:verboseName text}`: what it is called where Boogie tells of it.
    pub(crate) verbose_name: Option<String>,
    /// `{:msg_if_verifies text}`: what is told where it is verified.
    pub(crate) praise: Option<String>,
}

/// The blocks of a code expression.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) locals: Vec<VariableId>,
    /// What is returned.
    pub(crate) result: VariableId,
    /// They return where the result is set.
    pub(crate) blocks: Vec<Block>,
    /// The variables that stand for names which `let` binds around it, with their values.
    pub(crate) values: Vec<(VariableId, NodeId)>,
    /// Whether `old` is around it, which does not concern these values.
    pub(crate) in_old: bool,
    /// How many bound variables are around it.
    pub(crate) level: u32,
    pub(crate) span: Span,
}

/// A labelled block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) label: Symbol,
    pub(crate) span: Span,
    pub(crate) commands: Vec<Command>,
    pub(crate) transfer: Transfer,
    /// Whether execution traces take it for the rest of the block that comes before it.
    pub(crate) continues: bool,
    /// Whether the outcome of a test is assumed first, which was no command in the text.
    pub(crate) tested: bool,
}

impl Block {
    /// How many of its commands are run at most, if one of them says that nothing comes after it.
    pub(crate) fn dead_end(&self, graph: &Graph) -> Option<usize> {
        let inferred = |notes: &CheckNotes| notes.origin == CheckOrigin::Inferred;
        let never = |expr: NodeId| matches!(graph.kind(expr), NodeKind::Bool(false));
        let last = self.commands.iter().position(|command| match &command.kind {
            CommandKind::Assume(expr) => never(*expr),
            // Control is pruned before bounds are inferred.
            CommandKind::Invariant { notes, .. } if inferred(notes) => false,
            CommandKind::Invariant { expr, free: true, .. } => never(*expr),
            CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, free: false, notes } => {
                never(*expr) && notes.subsumption != Some(0)
            }
            _ => false,
        });
        last.map(|last| last + 1)
    }

    /// Whether it asserts or assumes a literal `false`: Boogie takes nothing to come after such a block, also where an
    /// assertion is not assumed once it was checked ([`dead_end`](Self::dead_end) does not end there).
    pub(crate) fn says_false(&self, graph: &Graph) -> bool {
        self.commands.iter().any(|command| match &command.kind {
            CommandKind::Assume(expr)
            | CommandKind::Assert(expr, _)
            | CommandKind::Invariant { expr, .. } => matches!(graph.kind(*expr), NodeKind::Bool(false)),
            _ => false,
        })
    }

    /// Where there are checks from a command of a block on.
    pub(crate) fn checks_from(&self, from: usize, program: &Program) -> Vec<Span> {
        let mut checks = Vec::new();
        for command in self.commands.get(from..).unwrap_or_default() {
            match &command.kind {
                CommandKind::Assert(..) | CommandKind::Invariant { free: false, .. } => {
                    checks.push(command.span);
                }
                CommandKind::Call(call) if !call.free => {
                    let requires = &program.procedures[call.callee].requires;
                    checks.extend(requires.iter().filter(|it| !it.free).map(|_| command.span));
                }
                _ => {}
            }
        }
        checks
    }
}

/// Where control goes after a block.
#[derive(Clone, Debug)]
pub(crate) enum Transfer {
    /// To one of these blocks (indices into the implementation's blocks).
    Goto(Vec<usize>),
    /// Out, at this place.
    Return(Span),
}

/// A command at a place.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) kind: CommandKind,
    pub(crate) span: Span,
}

/// How much of an assertion is known before the solver is asked, and how it is reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckNotes {
    /// From `{:msg "..."}`.
    pub(crate) message: Option<String>,
    /// From `{:verified_under e}`: the check is known to hold where this holds.
    pub(crate) verified_under: Option<NodeId>,
    /// From `{:subsumption n}`: what follows may rely on the check unless this is 0.
    pub(crate) subsumption: Option<u32>,
    /// What is checked.
    pub(crate) origin: CheckOrigin,
    /// From `{:isolate}`: whether it is asked by itself.
    pub(crate) isolation: Isolation,
    /// What stands for an invariant on entry, where it is to be maintained, and where it is assumed, if it is to be
    /// found out which of these a proof needs.
    pub(crate) tracked: Option<[NodeId; 3]>,
    /// From `{:PossiblyUnreachable}`: it is no surprise that control does not come here.
    pub(crate) possibly_unreachable: bool,
}

/// Whether a check is asked apart from all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Isolation {
    #[default]
    Together,
    /// From `{:isolate}`: on all ways to it.
    Apart,
    /// From `{:isolate "paths"}`: on each way to it, as branches tell them apart that allow it.
    OnEachPath,
}

/// What an assertion stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CheckOrigin {
    /// Itself.
    #[default]
    Assertion,
    /// That a value which is taken apart was made by the constructor that is named.
    Unpacking,
    /// The precondition at this place, of an inlined callee.
    Precondition(Span),
    /// The postcondition at this place, of an inlined callee.
    Postcondition(Span),
    /// What was inferred: only assumed, unless that is to be checked.
    Inferred,
}

/// The forms of commands.
#[derive(Clone, Debug)]
pub(crate) enum CommandKind {
    Assert(NodeId, CheckNotes),
    Assume(NodeId),
    /// An invariant at the head of a loop; free ones are only assumed.
    Invariant {
        expr: NodeId,
        free: bool,
        notes: CheckNotes,
    },
    Havoc(Vec<VariableId>),
    /// Control enters an inlined body, whose variables these are: they get any values that meet their conditions.
    Enter(Vec<VariableId>),
    /// All at once.
    Assign(Vec<(VariableId, NodeId)>),
    Call(Box<Call>),
    /// Has no effect of its own: when a program was expanded, checks know what they may use.
    Visibility(Visibility),
    /// Does nothing but ask to be told of the state where an error goes by.
    Observe(Observation),
}

/// The statements that say which hideable axioms may be used; without functions, all.
#[derive(Clone, Debug)]
pub(crate) enum Visibility {
    Hide(Option<Vec<FunctionId>>),
    Reveal(Option<Vec<FunctionId>>),
    Push,
    Pop,
}

/// What an attribute asks for at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Observation {
    /// From `{:print ...}`: texts and values.
    Print(Vec<Printed>),
    /// From `{:captureState "name"}`: all variables, under a name.
    Capture(String),
    /// From `{:start_checking_here}`: where checking starts, if that is selective.
    Start,
    /// From `{:split_here}`: what comes after it is asked apart from what comes before.
    SplitHere,
    /// From `{:focus}`: the ways through its block are asked apart from those that avoid it.
    Focus,
    /// From `return {:isolate}`: postconditions are asked apart where control leaves here; on each path, if it says
    /// so.
    IsolatedReturn(Isolation),
    /// From `if {:allow_split}`: its block's branches tell the paths apart that are asked apart.
    AllowSplit,
    /// From `{:id "..."}`: the name by which the next command is told among what a proof needed.
    Id(Symbol),
}

/// A piece of what `{:print}` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Printed {
    Text(String),
    Value(NodeId),
}

impl Observation {
    /// Whether it says how an implementation is divided into pieces.
    pub(crate) fn divides(&self) -> bool {
        matches!(self, Self::SplitHere | Self::Focus | Self::IsolatedReturn(_) | Self::AllowSplit)
    }

    /// Calls a function with each expression in it.
    pub(crate) fn for_each(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        let Self::Print(pieces) = self else { return };
        for piece in pieces {
            if let Printed::Value(value) = piece {
                visit(value);
            }
        }
    }
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: ProcedureId,
    /// Whether the callee's preconditions are not checked.
    pub(crate) free: bool,
    pub(crate) type_arguments: Vec<TypeId>,
    pub(crate) arguments: Vec<NodeId>,
    pub(crate) outputs: Vec<VariableId>,
    pub(crate) notes: CheckNotes,
}
