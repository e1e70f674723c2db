//! Engines: goals whose solutions are asked for one by one, as coroutines of the program.
//!
//! An engine has stacks of its own: terms, environments, choicepoints, global variables. To ask it for a solution is to
//! exchange the machine's stacks for its own, run to the solution, and exchange them back, so nothing that runs ever
//! knows of two pairs of stacks. What goes in and out (the goal, answers, what is posted) is a record. Predicates,
//! flags, streams and tables belong to all.
//!
//! Whoever looks for something in all stacks looks into those that wait, too: clauses that a search may still see, and
//! code that somebody returns to.
//!
//! Cost: nothing until there is an engine; some pointers, the registers and the two copies of its answer for each
//! solution. Checks remember nothing across an exchange, since they do so by the places of terms.

use super::budget;
use super::cleanup;
use super::depth;
use super::tabling;
use crate::machine::database::reclaim;
use crate::machine::{
    Address, Bag, Choice, ENVIRONMENT_HEADER, Global, Instruction, Machine, Outcome, Query, RunOutcome,
    Throw, fixed,
};
use crate::term::{Atom, Cell, Record, Store, atom};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::swap;

/// The root of an engine's store that holds the template of its answers. Those of global variables come behind it.
pub(crate) const TEMPLATE: usize = 0;

/// Engines that ask engines use the native stack; more are an error.
const MOST_NESTED: usize = 64;

/// The engines there are.
#[derive(Debug, Default)]
pub(crate) struct Engines {
    waiting: BTreeMap<i64, Engine>,
    /// Those that are running, each asked by the one before, with the stacks of whoever asked.
    running: Vec<(i64, Stacks)>,
    /// How many there have been.
    count: i64,
    /// What the one that is running gives without having ended.
    yielded: Option<Record>,
    /// Those that have ended and were not destroyed.
    ended: BTreeSet<i64>,
    /// What was posted to engines and not fetched yet.
    posted: BTreeMap<i64, Record>,
    /// The address at which an engine goes on that has yielded.
    yield_return: Address,
}

/// An engine that waits to be asked.
#[derive(Debug)]
struct Engine {
    stacks: Stacks,
    query: Query,
}

/// What the machine exchanges.
#[derive(Debug)]
pub(in crate::machine) struct Stacks {
    pub(in crate::machine) store: Store,
    pub(in crate::machine) environments: Vec<Cell>,
    pub(in crate::machine) environment: usize,
    pub(in crate::machine) continuation: Address,
    pub(in crate::machine) choices: Vec<Choice>,
    environment_floor: usize,
    pub(in crate::machine) choice_arguments: Vec<Cell>,
    pub(in crate::machine) waiting: Vec<reclaim::Waiting>,
    pub(in crate::machine) waiting_at: Address,
    cut_barrier: usize,
    run_base: usize,
    cleanups: cleanup::Cleanups,
    pub(in crate::machine) bags: Vec<Bag>,
    pub(in crate::machine) globals: FxHashMap<Atom, Global>,
    guarded: Option<(usize, bool)>,
    next_call: Option<(Cell, usize)>,
    depths: depth::Depths,
    bounds: budget::Bounds,
    evaluation: tabling::Evaluation,
    base: usize,
    /// The argument registers in use.
    registers: Vec<Cell>,
}

/// What asking an engine gave.
pub(crate) enum Answer {
    /// A solution, or what it yielded.
    Given(Record),
    /// How its goal ended.
    Ended(RunOutcome),
    /// There is no such engine, it is running, or too many are.
    Unknown,
    Running,
    TooDeep,
}

impl Engines {
    /// The stacks of those who wait for an engine that runs.
    pub(in crate::machine) fn askers(&self) -> impl Iterator<Item = &Stacks> {
        self.running.iter().map(|(_, stacks)| stacks)
    }

    /// The records that are on their way to an engine or from it.
    pub(in crate::machine) fn records(&self) -> impl Iterator<Item = &Record> {
        self.yielded.iter().chain(self.posted.values())
    }
}

impl Stacks {
    /// The cells outside the store.
    pub(in crate::machine) fn cells(&self) -> [&[Cell]; 4] {
        [&self.environments, &self.choice_arguments, &self.registers, self.cleanups.due()]
    }

    fn bytes(&self) -> usize {
        let cells = self.store.len() + self.store.trail.len() + self.environments.len();
        (cells + self.choice_arguments.len()) * size_of::<Cell>() + self.choices.len() * size_of::<Choice>()
    }
}

impl Machine {
    /// Defines what ends the loop of an engine that yields.
    pub(in crate::machine) fn define_engines(&mut self) {
        let stop = self.atoms.intern("$engine_stop");
        let stop = self.predicate_in(atom::SYSTEM, stop, 0);
        self.define_code(stop, &[Instruction::Stop, Instruction::Proceed]);
        self.engines.yield_return = self.predicate_at(stop).body + 1;
    }

    /// Makes an engine for the pair of a template and a goal.
    pub(crate) fn create_engine(&mut self, pair: Cell) -> i64 {
        let pair = Record::new(&self.store, pair);
        let mut stacks = Stacks {
            store: Store::new(),
            environments: vec![Cell::int(0); ENVIRONMENT_HEADER],
            environment: 0,
            continuation: fixed::STOP,
            choices: Vec::new(),
            environment_floor: 0,
            choice_arguments: Vec::new(),
            waiting: Vec::new(),
            waiting_at: fixed::FAIL,
            cut_barrier: 0,
            run_base: 0,
            cleanups: cleanup::Cleanups::default(),
            bags: Vec::new(),
            globals: FxHashMap::default(),
            guarded: None,
            next_call: None,
            depths: depth::Depths::default(),
            bounds: budget::Bounds::at(self.calls()),
            evaluation: tabling::Evaluation::default(),
            base: 0,
            registers: Vec::new(),
        };
        self.exchange(&mut stacks);
        let pair = pair.restore(&mut self.store);
        let (template, goal) = (self.store.argument(pair, 0), self.store.argument(pair, 1));
        // The query keeps the goal itself.
        // The first root of a new store is that of the template.
        self.store.roots.push(template);
        let query = self.open_query(goal);
        self.exchange(&mut stacks);
        self.outside += stacks.bytes();
        self.engines.count += 1;
        let number = self.engines.count;
        self.engines.waiting.insert(number, Engine { stacks, query });
        number
    }

    /// Asks an engine for its next solution, or gives a thread its turn.
    pub(crate) fn ask_engine(&mut self, number: i64, is_thread: bool) -> Answer {
        if self.engine_is_running(number) {
            return Answer::Running;
        }
        if self.engines.running.len() >= MOST_NESTED {
            return Answer::TooDeep;
        }
        let Some(Engine { stacks, mut query }) = self.engines.waiting.remove(&number) else {
            return Answer::Unknown;
        };
        self.enter_engine(number, stacks, is_thread);
        let outcome = self.next_solution(&mut query);
        let answer = match outcome {
            RunOutcome::Succeeded => {
                let yielded = self.engines.yielded.take();
                if yielded.is_some() {
                    query.go_on_at(self.engines.yield_return);
                }
                Ok(yielded.unwrap_or_else(|| Record::new(&self.store, self.store.root(TEMPLATE))))
            }
            ended => Err(ended),
        };
        let answer = match answer {
            Ok(answer) => Ok((answer, query)),
            // What an exception has not passed yet is passed now.
            Err(ended) => match self.close_engine(query) {
                Some(code) => Err(RunOutcome::Halted(code)),
                None => Err(ended),
            },
        };
        let Some(stacks) = self.leave_engine() else { return Answer::Unknown };
        match answer {
            Ok((answer, query)) => {
                self.outside += stacks.bytes();
                self.engines.waiting.insert(number, Engine { stacks, query });
                Answer::Given(answer)
            }
            Err(ended) => {
                self.engines.posted.remove(&number);
                self.engines.ended.insert(number);
                Answer::Ended(ended)
            }
        }
    }

    /// Ends an engine, and cleans up what its goal left, which may end the program. One that has ended by itself is only
    /// forgotten. Fails if there is none that waits.
    pub(crate) fn destroy_engine(&mut self, number: i64) -> Outcome {
        if self.engines.ended.remove(&number) {
            return Ok(true);
        }
        let Some(Engine { stacks, query }) = self.engines.waiting.remove(&number) else { return Ok(false) };
        self.enter_engine(number, stacks, true);
        let halted = self.close_engine(query);
        self.leave_engine();
        self.engines.posted.remove(&number);
        halted.map_or(Ok(true), |code| Err(Throw::Halt(code)))
    }

    /// The engine that is running will never run again.
    fn close_engine(&mut self, query: Query) -> Option<i32> {
        let halted = self.close_query(query, false);
        self.tabling.end_evaluation();
        halted
    }

    /// The machine's stacks become those of an engine.
    fn enter_engine(&mut self, number: i64, mut stacks: Stacks, is_thread: bool) {
        self.outside -= stacks.bytes();
        self.exchange(&mut stacks);
        self.enter_bounds(&stacks.bounds, is_thread);
        self.begin_turn(is_thread);
        self.outside += stacks.bytes();
        self.engines.running.push((number, stacks));
    }

    /// They become those of whoever asked again; what the engine has is given back.
    fn leave_engine(&mut self) -> Option<Stacks> {
        let (_, mut stacks) = self.engines.running.pop()?;
        self.leave_bounds();
        self.end_turn();
        self.outside -= stacks.bytes();
        self.exchange(&mut stacks);
        Some(stacks)
    }

    fn exchange(&mut self, other: &mut Stacks) {
        self.checker.clear();
        let mut registers = self.x[..self.registers].to_vec();
        swap(&mut registers, &mut other.registers);
        self.x[..registers.len()].copy_from_slice(&registers);
        other.store.floats_first = self.store.floats_first;
        swap(&mut self.store, &mut other.store);
        swap(&mut self.environments, &mut other.environments);
        swap(&mut self.environment, &mut other.environment);
        swap(&mut self.continuation, &mut other.continuation);
        swap(&mut self.choices, &mut other.choices);
        swap(&mut self.environment_floor, &mut other.environment_floor);
        swap(&mut self.choice_arguments, &mut other.choice_arguments);
        swap(&mut self.waiting, &mut other.waiting);
        swap(&mut self.waiting_at, &mut other.waiting_at);
        swap(&mut self.cut_barrier, &mut other.cut_barrier);
        swap(&mut self.run_base, &mut other.run_base);
        swap(&mut self.cleanups, &mut other.cleanups);
        swap(&mut self.bags, &mut other.bags);
        swap(&mut self.globals, &mut other.globals);
        swap(&mut self.guarded, &mut other.guarded);
        self.checker.open(self.guarded.is_none());
        swap(&mut self.next_call, &mut other.next_call);
        swap(&mut self.depths, &mut other.depths);
        swap(&mut self.bounds, &mut other.bounds);
        self.tabling.exchange(&mut other.evaluation);
        swap(&mut self.base, &mut other.base);
    }

    /// Whether there is an engine of this number.
    pub(crate) fn engine_exists(&self, number: i64) -> bool {
        self.engines.waiting.contains_key(&number) || self.engine_is_running(number)
    }

    /// Whether there is one that may be asked.
    pub(crate) fn engine_waits(&self, number: i64) -> bool {
        self.engines.waiting.contains_key(&number)
    }

    fn engine_is_running(&self, number: i64) -> bool {
        self.engines.running.iter().any(|&(running, _)| running == number)
    }

    /// The numbers of all engines.
    pub(crate) fn engine_numbers(&self) -> Vec<i64> {
        let running = self.engines.running.iter().map(|&(number, _)| number);
        let mut numbers: Vec<i64> = self.engines.waiting.keys().copied().chain(running).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The numbers of those that are running, the innermost first.
    pub(crate) fn running_engines(&self) -> Vec<i64> {
        self.engines.running.iter().rev().map(|&(number, _)| number).collect()
    }

    /// The number of the engine that is running.
    pub(crate) fn own_engine(&self) -> Option<i64> {
        self.engines.running.last().map(|&(number, _)| number)
    }

    /// Notes what the engine that is running gives at its next stop. False if it cannot stop here: none is
    /// running, or a built-in of it waits for what runs.
    pub(crate) fn yield_from_engine(&mut self, term: Cell) -> bool {
        if self.engines.running.is_empty() || self.waiting.len() != 1 {
            return false;
        }
        self.engines.yielded = Some(Record::new(&self.store, term));
        true
    }

    /// Leaves a term for an engine. False if there is one that it did not fetch.
    pub(crate) fn post_to_engine(&mut self, number: i64, term: Cell) -> bool {
        let record = Record::new(&self.store, term);
        let free = !self.engines.posted.contains_key(&number);
        if free {
            self.engines.posted.insert(number, record);
        }
        free
    }

    /// What was left for the engine that is running.
    pub(crate) fn fetch_posted(&mut self) -> Option<Cell> {
        let posted = self.engines.posted.remove(&self.own_engine()?)?;
        Some(posted.restore(&mut self.store))
    }

    /// The stacks that wait.
    pub(in crate::machine) fn other_stacks(&self) -> impl Iterator<Item = &Stacks> {
        let waiting = self.engines.waiting.values().map(|engine| &engine.stacks);
        waiting.chain(self.engines.running.iter().map(|(_, stacks)| stacks))
    }
}
