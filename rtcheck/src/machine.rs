//! The abstract machine: registers, stacks, code, predicates, and the loop that runs them.
//!
//! One flat code area holds the instructions of all predicates; an address is a position in it. Terms lie in
//! the [`Store`]; environments lie on one growing stack, choicepoints on another with their saved arguments on
//! a third. Nothing points into a stack but indices, so each may grow at any time, and a call in Prolog never
//! uses the native stack.
//!
//! A predicate has two entries: its *body*, and the *entry* that calls go to. With checks on the entry of a
//! predicate with assertions is its wrapper, with checks off it is the body; the code of clauses is the same.
//!
//! Built-ins and the compilation of clauses lie in higher layers; the machine reaches them through
//! [`Builtin`] and [`Hooks`].

mod arithmetic;
mod code;
mod collect;
mod contract;
mod control;
mod database;
mod errors;
mod goals;
mod hooks;
mod lie;
mod limits;
mod program;
mod run;
mod stacks;
mod streams;

pub(crate) use arithmetic::is_repeatable;
pub use code::instruction::{Address, Arithmetic, Comparison, Instruction, Live, Test, X, Y};
pub use code::{Cases, Kind, SwitchTable};
pub use contract::proof::{Behind, Claims, Judged, JudgedCall, Judgement, Proofs, TextProofs};
pub use contract::{
    AfterKind, Alternative, AssertionPlace, CallLocation, CheckFlags, CheckLevel, ClauseCode, CompCondition,
    Contract, Literal, OnViolation, Promise, Property, PropertyTest, SuccessCondition, Violation,
};
use control::fixed;
pub use database::dynamic::{Clause, ClauseId};
pub(crate) use database::reclaim::UNPLACED;
pub use errors::error::{Outcome, Throw};
pub use errors::thrown::Origin;
pub(crate) use goals::budget::{Budget, Resource};
pub(crate) use goals::depth::DepthLimit;
pub(crate) use goals::engine::{Answer, TEMPLATE};
pub use goals::query::{Query, RunOutcome};
pub(crate) use goals::tabling::{Calling, Reading, Tabling};
pub use hooks::{Hooks, Reporters};
pub(crate) use lie::Lie;
pub use limits::Limits;
pub(crate) use program::library::Uncompiled;
pub use program::loading::{
    FileVersion, Goal, KeptAssertion, LoadMessage, Loading, OpenFile, SourceFile, UnitTest,
};
pub use program::modules::{Denied, Link, Meta, Module, Place, Predicate};
pub use program::predicate::PredicateId;
pub(crate) use streams::column_behind;
pub use streams::encoding::Encoding;
pub(crate) use streams::locale::Locale;
pub use streams::stream::{
    ClauseText, EndOfStream, EofAction, Place as StreamPlace, Stream, StreamError, StreamMode, StreamPosition,
};
pub use streams::{StreamId, Streams};

use crate::base::System;
use crate::check::{CheckMark, Checker, Configuration};
use crate::read::{Conversions, Flags};
use crate::regtype::Types;
use crate::term::{Atom, Atoms, Cell, Operators, Record, Store, atom};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A built-in predicate: finds its arguments with [`Machine::argument`].
pub type Builtin = fn(&mut Machine) -> Outcome;

/// A choicepoint.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// Where to continue on backtracking.
    alternative: Address,
    /// The continuation of the call.
    continuation: Address,
    /// The environment of the call.
    environment: usize,
    /// The first free place on the stack of environments: what lies below is still needed.
    environment_top: usize,
    /// How long the store and the trail were.
    store: usize,
    trail: usize,
    /// Where the saved arguments start.
    arguments: usize,
    /// What the check cache remembers from here on is forgotten on backtracking.
    mark: CheckMark,
}

/// How many registers there are: one for each operand of type [`X`].
const REGISTERS: usize = 1 << 16;
/// The largest arity of predicates that are called.
pub(crate) const MAX_PROCEDURE_ARITY: usize = REGISTERS - 16;

fn no_registers() -> Box<[Cell; REGISTERS]> {
    let mut registers = vec![Cell::int(0); REGISTERS].into_boxed_slice();
    loop {
        // The length is right, so this succeeds at once; an array by itself would lie on the native stack for a moment.
        match registers.try_into() {
            Ok(registers) => return registers,
            Err(others) => registers = others,
        }
    }
}

/// The words at the start of an environment, in front of its slots.
const ENVIRONMENT_HEADER: usize = 3;

/// A global variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Global {
    /// The copy that `nb_setval/2` made.
    pub(crate) record: Option<Record>,
    /// The root that holds `$(Value)` since `b_setval/2`, or `$(Value, Version)` since the copy was asked for, until
    /// backtracking makes it what it was.
    pub(crate) root: Option<usize>,
    /// How often a copy was made or taken away: of an earlier version nothing holds any more.
    pub(crate) version: usize,
}

/// Solutions that a findall/3 under way has collected.
#[derive(Clone, Debug)]
pub(crate) struct Bag {
    /// How many choicepoints there were when it began; the next one is its own.
    pub(crate) level: usize,
    /// The solutions.
    pub(crate) solutions: Vec<Record>,
    /// What they take.
    pub(crate) bytes: usize,
}

/// Counts of what a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunCounters {
    /// Collections of garbage.
    pub collections: u64,
    /// Collections of atoms, and what they took away.
    pub atom_collections: u64,
    /// Atoms that were taken away.
    pub atoms_collected: u64,
}

/// What values a flag takes that a program created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlagKind {
    Boolean,
    Atom,
    Integer,
    Float,
    Term,
}

/// A flag that a program created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnFlag {
    pub(crate) kind: FlagKind,
    /// Whether it stays as it is.
    pub(crate) is_fixed: bool,
}

/// The machine with everything that one program run needs.
pub struct Machine {
    /// The terms.
    pub store: Store,
    /// The atoms.
    pub atoms: Atoms,
    /// The operators.
    pub operators: Operators,
    /// The flags of the reader.
    pub flags: Flags,
    /// How the text of a module begins to be read.
    pub flags_of_modules: Flags,
    /// The regular types.
    pub types: Types,
    /// The checker of regular types, with its cache.
    pub checker: Checker,
    /// The world outside.
    pub system: Box<dyn System>,
    /// What the program reads and writes.
    pub streams: Streams,
    /// The flags of run-time checking.
    pub rtchecks: CheckFlags,
    /// Violations that were recorded.
    pub recorded: Vec<Record>,
    /// Goals that wait on the trail of some store, by the numbers that stand for them there.
    undo_goals: BTreeMap<usize, Record>,
    /// The program has ended: no goal of `undo/1` runs any more.
    halting: bool,
    /// Violations so far.
    pub violations: u64,
    /// Contracts by their number in [`Instruction::EnterContract`].
    pub contracts: Vec<Contract>,
    /// How many of them were counted, and how many properties these have.
    pub(crate) counted_sites: (usize, usize),
    /// What was proved of their conditions.
    pub proofs: Proofs,
    /// How contracts are evaluated, by the same number; none if that takes more.
    plans: Vec<Option<contract::Plan>>,
    /// By contract: what is looked at first of its plan.
    gates: Vec<contract::Gate>,
    /// What the run did.
    pub counters: RunCounters,
    /// Bags of findall/3 under construction.
    pub(crate) bags: Vec<Bag>,
    /// The predicates whose calls go to wrappers first, and what the innermost wrapper calls.
    wrapped: FxHashMap<PredicateId, PredicateId>,
    /// Global variables.
    pub(crate) globals: FxHashMap<Atom, Global>,
    /// What all engines share by name: flags, counters of new names, and what variables of libraries are at first.
    pub(crate) shared: FxHashMap<Atom, Record>,
    /// Values of Prolog flags that programs set.
    pub(crate) prolog_flags: FxHashMap<Atom, Cell>,
    /// Values of flags that lie in no single cell.
    pub(crate) prolog_flag_terms: FxHashMap<Atom, Record>,
    /// Those that the program created: what values they take.
    pub(crate) own_flags: FxHashMap<Atom, OwnFlag>,
    /// Characters that `char_conversion/2` converts.
    pub(crate) conversions: Rc<BTreeMap<char, char>>,
    /// The flag `char_conversion`: whether the reader does so.
    pub(crate) converts: bool,
    /// What is loaded.
    pub loading: Loading,
    /// The module of the text that is being loaded; `user` while a program runs.
    pub source_module: Atom,
    /// Programs' arguments.
    pub(crate) arguments: Vec<String>,
    /// The state of the random generator.
    pub(crate) random: u64,

    code: code::CodeArea,
    /// Numbers in clauses that do not fit into cells.
    numbers: code::Numbers,
    /// Room of clauses that are gone.
    reclaimed: database::reclaim::Reclaimed,
    /// Where the loop continues behind the built-in that is running.
    waiting_at: Address,
    /// What waits for the runs under way, from the outermost on.
    waiting: Vec<database::reclaim::Waiting>,
    tables: Vec<SwitchTable>,
    predicates: Vec<Predicate>,
    pub(crate) modules: program::modules::Modules,
    builtins: Vec<Builtin>,
    /// How many arguments each has.
    builtin_arities: Vec<u16>,
    clauses: Vec<Clause>,
    generation: u64,
    /// The transactions under way.
    transactions: database::dynamic::Transactions,
    /// How numbers are written where a directive of `format/2` asks for it.
    pub(crate) locale: Locale,
    /// Directives of `format/2` that programs define, with the module, name and arity of what writes them.
    pub(crate) format_directives: BTreeMap<char, (Atom, Atom, usize)>,
    hooks: Hooks,
    /// Whether the loop that runs is the one that looks for bound variables with attributes.
    waking: bool,
    /// Tables of answers.
    pub(crate) tabling: Tabling,
    /// Which calls are watched.
    tracing: goals::trace::Tracing,
    /// Whether somebody sits at a terminal who can be asked while a goal runs.
    pub(crate) asks: bool,
    /// Code that calls what waits for variables.
    wakes: goals::wake::Wakes,
    /// Where delimited continuations lead.
    continuations: goals::delimited::Continuations,
    /// Goals with stacks of their own.
    engines: goals::engine::Engines,
    /// The engine's own code.
    pub(crate) library: program::library::Library,
    /// The predicates of texts that are read and were called meanwhile.
    growing: FxHashMap<PredicateId, program::growing::Growing>,
    /// How deep calls may be.
    pub(crate) depths: goals::depth::Depths,
    /// A goal to call behind the built-in that is running, and the bound of garbage that holds again then.
    next_call: Option<(Cell, usize)>,
    /// Where the code of each clause of the predicate compiled last starts and ends.
    pub(crate) compiled: Vec<(Address, Address)>,
    /// Where the code of programs' clauses is.
    clause_code: Vec<ClauseCode>,
    /// The wrappers of predicates with assertions.
    wrappers: BTreeMap<PredicateId, contract::Wrappers>,
    /// The evaluation of a property that is under way: how many choicepoints there were when it began, and whether
    /// it may bind nothing.
    guarded: Option<(usize, bool)>,
    /// Where the goals of `intercept/3` and of its handlers return to.
    intercept_return: Address,
    handler_return: Address,

    /// As many registers as an operand can name, so that none is out of bounds.
    x: Box<[Cell; REGISTERS]>,
    /// How many of them are in use by any code.
    registers: usize,
    /// The register at which the running built-in's arguments start.
    base: usize,
    /// The next argument of the compound term that is being matched.
    next: usize,
    environments: Vec<Cell>,
    /// The current environment.
    environment: usize,
    continuation: Address,
    choices: Vec<Choice>,
    /// What the newest choicepoint keeps of the environments lies below this.
    environment_floor: usize,
    choice_arguments: Vec<Cell>,
    /// How many choicepoints there were when the current predicate was called.
    cut_barrier: usize,
    cleanups: goals::cleanup::Cleanups,
    /// The instruction that threw last.
    failed_at: Address,
    /// Where a ball was thrown last; the ball that left a run last, while nothing else was run, and where
    /// it was thrown.
    thrown: Option<errors::thrown::Thrown>,
    escaped: Option<(Record, errors::thrown::Thrown)>,
    /// Where the choicepoints of the innermost run start.
    run_base: usize,
    /// Sets of live slots that do not fit into an instruction, and their numbers.
    live_sets: Vec<Box<[Y]>>,
    live_set_numbers: FxHashMap<Box<[Y]>, u32>,
    /// What a program may use before it gets an error.
    pub limits: Limits,
    /// What goals under way may use.
    budgets: goals::budget::Budgets,
    /// The bounds of the engine that is running.
    bounds: goals::budget::Bounds,
    /// What goals that run are interrupted for.
    pub(crate) signals: goals::interruption::Interruptions,
    /// Bytes of records outside the store: solutions that are collected, clauses of dynamic predicates.
    pub(crate) outside: usize,
    /// The goal got its error for too much memory, and some more to handle it.
    granted: bool,
    /// Calls until the loop looks up; see `limits`.
    fuel: u32,
    /// Calls until then when it looked last.
    refuel: u32,
    /// Calls up to the last look.
    calls_before: u64,
    /// Whether whoever waits for the outermost run keeps no atom that may go.
    atoms_may_go: bool,
    /// For tests: collections happen every so many calls.
    collect_every: Option<u32>,
    /// Set from outside to stop the goal.
    interrupt: Arc<AtomicBool>,
    #[cfg(feature = "plant")]
    fault: Option<crate::base::plant::Fault>,
}

impl Machine {
    /// A machine without predicates.
    #[must_use]
    pub fn new(system: Box<dyn System>, checks: Configuration, hooks: Hooks) -> Self {
        let mut atoms = Atoms::new();
        let operators = Operators::new(&mut atoms);
        let types = Types::new(&mut atoms);
        let mut machine = Self {
            store: Store::new(),
            atoms,
            operators,
            flags: Flags::default(),
            flags_of_modules: Flags::default(),
            types,
            checker: Checker::new(checks),
            system,
            streams: Streams::new(),
            rtchecks: CheckFlags::default(),
            recorded: Vec::new(),
            undo_goals: BTreeMap::new(),
            halting: false,
            violations: 0,
            contracts: Vec::new(),
            counted_sites: (0, 0),
            proofs: Proofs::default(),
            plans: Vec::new(),
            gates: Vec::new(),
            counters: RunCounters::default(),
            bags: Vec::new(),
            wrapped: FxHashMap::default(),
            globals: FxHashMap::default(),
            shared: FxHashMap::default(),
            prolog_flags: FxHashMap::default(),
            prolog_flag_terms: FxHashMap::default(),
            own_flags: FxHashMap::default(),
            conversions: Rc::default(),
            converts: false,
            loading: Loading::default(),
            source_module: atom::SYSTEM,
            arguments: Vec::new(),
            random: 0x2545_f491_4f6c_dd1d,
            code: code::CodeArea::new(vec![
                Instruction::Fail,
                Instruction::Stop,
                Instruction::StopFail,
                Instruction::PopFail,
                Instruction::DynamicNext,
                Instruction::Cleanup,
            ]),
            numbers: code::Numbers::default(),
            reclaimed: database::reclaim::Reclaimed::default(),
            waiting_at: fixed::FAIL,
            waiting: Vec::new(),
            tables: Vec::new(),
            predicates: Vec::new(),
            modules: program::modules::Modules::default(),
            builtins: Vec::new(),
            builtin_arities: Vec::new(),
            waking: false,
            tabling: Tabling::default(),
            tracing: goals::trace::Tracing::default(),
            asks: false,
            wakes: goals::wake::Wakes::default(),
            continuations: goals::delimited::Continuations::default(),
            engines: goals::engine::Engines::default(),
            library: program::library::Library::default(),
            growing: FxHashMap::default(),
            depths: goals::depth::Depths::default(),
            next_call: None,
            clauses: Vec::new(),
            generation: 0,
            transactions: database::dynamic::Transactions::default(),
            format_directives: BTreeMap::new(),
            locale: Locale::default(),
            hooks,
            compiled: Vec::new(),
            clause_code: Vec::new(),
            wrappers: BTreeMap::new(),
            guarded: None,
            intercept_return: 0,
            handler_return: 0,
            x: no_registers(),
            registers: 256,
            base: 0,
            next: 0,
            // The outermost environment has no slots and leads nowhere.
            environments: vec![Cell::int(0); ENVIRONMENT_HEADER],
            environment: 0,
            continuation: fixed::STOP,
            choices: Vec::new(),
            environment_floor: 0,
            choice_arguments: Vec::new(),
            cut_barrier: 0,
            cleanups: goals::cleanup::Cleanups::default(),
            failed_at: 0,
            thrown: None,
            escaped: None,
            run_base: 0,
            live_sets: Vec::new(),
            live_set_numbers: FxHashMap::default(),
            limits: Limits::default(),
            budgets: goals::budget::Budgets::default(),
            bounds: goals::budget::Bounds::at(0),
            signals: goals::interruption::Interruptions::default(),
            outside: 0,
            granted: false,
            fuel: 1,
            refuel: 1,
            calls_before: 0,
            atoms_may_go: false,
            collect_every: None,
            interrupt: Arc::default(),
            #[cfg(feature = "plant")]
            fault: None,
        };
        machine.define_control();
        machine
    }

    /// The `i`-th argument, from 0, of the built-in that is running; dereferenced.
    #[must_use]
    pub fn argument(&self, i: usize) -> Cell {
        self.store.deref(self.x[self.base + i])
    }

    /// Unifies the `i`-th argument of the built-in that is running with a term.
    pub fn unify_argument(&mut self, i: usize, term: Cell) -> bool {
        let argument = self.x[self.base + i];
        self.store.unify(argument, term)
    }

    /// Writes to the current output. A failure is remembered in [`Streams::lost`] if it concerns standard output.
    pub fn write_output(&mut self, text: &str) {
        let id = self.streams.output;
        let Some(stream) = self.streams.get_mut(id) else { return };
        if let Err(StreamError::System(error)) = stream.write(&mut *self.system, text)
            && stream.place == StreamPlace::Output
        {
            self.streams.lost.get_or_insert(error);
        }
    }

    /// What the reader converts, while the flag `char_conversion` is on.
    pub(crate) fn conversions(&self) -> Conversions {
        (self.converts && !self.conversions.is_empty()).then(|| Rc::clone(&self.conversions))
    }

    /// Hands what streams hold back to the system. A failure is remembered as by [`Machine::write_output`].
    pub fn flush_output(&mut self) {
        self.streams.flush_all(&mut *self.system);
    }
}
