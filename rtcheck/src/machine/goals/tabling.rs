//! Tables: the answers of calls of predicates declared by `:- table`.
//!
//! A call is known by its variant. The first call of one evaluates the predicate's clauses to the end and keeps every
//! answer; later ones read the answers. A call that is met again while it is evaluated reads what there is so far,
//! which may be too little: then calls depend on each other, and the *leader* of such a component, the oldest of them,
//! is evaluated again until every reader has seen all answers of what it read. Then all of them are complete. Which
//! calls depend on each other is found as in Tarjan's algorithm, by the position of the oldest one that is reached.
//!
//! Where a better answer replaces another one, a round may go from answer to answer and end with those that it began
//! with: of two paths of one length, each takes the other's place again in every round. Then all that can be found is
//! found, though readers have not seen the last answers last.
//!
//! Readers see answers that arrive while they read, so a left recursion takes two or three rounds whatever the number
//! of answers is.
//!
//! A component in which a call depends on the negation of one that is not complete is evaluated by the *alternating
//! fixpoint*: what follows if none of these negations holds is true (the *lower* phase); what follows if they all
//! hold but those of true answers is possible (the *upper* one); then the lower phase is repeated with the negations
//! of what is not possible, and so on, until no more is true, each phase over all calls of the component, whoever
//! asked for them. What is possible and not true is *undefined*, as in the well-founded model.
//! The same goes for whoever reads undefined answers: a lower phase passes over them, an upper one takes them.
//!
//! A clause that is added to a predicate declared `incremental`, or taken from one, makes all tables *stale* that were
//! begun before: the next call of one evaluates it again. Which of them depend on the predicate is not followed. A table
//! that is stale or abolished, or whose evaluation an exception left, is *retired*: no call finds it, and it goes, with its
//! number, when the choicepoints of those who read it have gone.
//!
//! What an engine evaluates belongs to its stacks. While it waits no call finds its tables that are not complete: others
//! evaluate them for themselves, and the table that is complete last takes the place of one that was before.

pub(crate) use self::open::Outcome;
use crate::machine::Machine;
use crate::term::Record;
use rustc_hash::FxHashMap;

mod open;

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its clauses run.
    Active,
    /// They ran, but depend on an older call that is not done.
    Waiting,
    /// It has all answers.
    Complete,
}

/// What a component is evaluated for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// What is true.
    #[default]
    Lower,
    /// What may be true.
    Upper,
}

/// An answer that somebody reads.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) answer: Record,
    /// The position behind it.
    pub(crate) next: usize,
    /// Whether it is the last one for good.
    pub(crate) last: bool,
    /// Whether it may be undefined.
    pub(crate) delayed: bool,
}

/// A call and its answers.
#[derive(Debug)]
struct Table {
    call: Record,
    state: State,
    /// The answers in the order in which they were found; those that a better one replaced are gone.
    answers: Vec<Option<Record>>,
    /// Where each answer is, by the arguments that tell answers apart.
    positions: FxHashMap<Record, usize>,
    /// The position among the calls that are not complete.
    index: usize,
    /// The least such position that it is known to depend on.
    low: usize,
    /// The round in which it was evaluated last.
    round: u64,
    /// For the active: when its present round began.
    began: u64,
    /// The fewest answers with which a reader of this round was content.
    read: usize,
    /// Whether this round found an answer with a new key.
    fresh: bool,
    /// The answers with which this round began, of the keys whose answers were replaced in it.
    replaced: FxHashMap<Record, Record>,
    /// How many bytes its records have.
    bytes: usize,
    /// How many changes of incremental predicates there had been when it was begun.
    changes: u64,
    /// The fewest choicepoints that there were when somebody began to read it: a reader that may ask for more answers has
    /// one above them.
    floor: usize,
    /// The phase in which its evaluation began.
    outer: Phase,
    /// The round in which it was asked for last so that nothing is left out.
    asked: u64,
    /// Whether its clauses asked for a negation that is not known or read what is undefined.
    is_open: bool,
    /// How many answers the last lower phase found, if there was one.
    sure: Option<usize>,
    /// What the last upper phase found, with the keys.
    possible: Option<Vec<(Record, Record)>>,
    /// From which position on the answers are undefined.
    undefined: usize,
    /// What answers of an upper phase rest on: lists of goals, each once.
    conditions: FxHashMap<Record, Vec<Record>>,
}

impl Table {
    /// What it keeps besides its answers.
    fn open_records(&self) -> impl Iterator<Item = &Record> {
        let possible = self.possible.iter().flatten().flat_map(|(key, answer)| [key, answer]);
        possible.chain(self.conditions.iter().flat_map(|(key, conditions)| conditions.iter().chain([key])))
    }

    /// Takes its answers away, with their keys.
    fn take_answers(&mut self) -> Vec<(Record, Record)> {
        let mut positions: Vec<(Record, usize)> = self.positions.drain().collect();
        positions.sort_unstable_by_key(|&(_, position)| position);
        let mut answers = std::mem::take(&mut self.answers);
        positions
            .into_iter()
            .filter_map(|(key, position)| Some((key, answers.get_mut(position)?.take()?)))
            .collect()
    }

    /// Whether this round ends with other answers than it began with.
    fn has_changed(&self) -> bool {
        let now = |key| self.positions.get(key).and_then(|&position| self.answers[position].as_ref());
        self.fresh || self.replaced.iter().any(|(key, before)| now(key) != Some(before))
    }

    fn begin_round(&mut self) {
        self.read = usize::MAX;
        self.fresh = false;
        self.replaced.clear();
    }
}

/// What a call has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calling {
    /// Nobody called it before: evaluate the clauses first.
    Begin,
    /// Evaluate the clauses first.
    Evaluate,
    /// Read the answers.
    Read,
}

/// All tables.
#[derive(Debug, Default)]
pub(crate) struct Tabling {
    tables: Vec<Option<Table>>,
    /// Those that are complete, by their calls.
    known: FxHashMap<Record, usize>,
    now: Evaluation,
    rounds: u64,
    /// How often a clause of an incremental predicate was added or erased.
    changes: u64,
    /// Tables that no call finds any more, but somebody may be reading.
    retired: Vec<usize>,
    /// Numbers of tables that are gone.
    free: Vec<usize>,
    /// Bytes of tables that are gone, since somebody asked.
    freed: usize,
}

/// The tables that are being evaluated: of the stacks that run, or of some that wait.
#[derive(Debug, Default)]
pub(in crate::machine) struct Evaluation {
    /// Those that are not complete, the oldest first.
    incomplete: Vec<usize>,
    /// The same by their calls. Other stacks do not find them, whoever waits.
    known: FxHashMap<Record, usize>,
    /// The active ones, from the outermost on.
    active: Vec<usize>,
    phase: Phase,
}

impl Machine {
    /// The table of a call, and what is to be done with it.
    pub(crate) fn call_table(&mut self, call: Record) -> (usize, Calling) {
        let (choicepoints, alone) = (self.choices.len(), self.other_stacks().next().is_none());
        let bytes = call.bytes();
        let (table, calling) = self.tabling.call(call, choicepoints, alone);
        self.outside -= std::mem::take(&mut self.tabling.freed);
        if calling == Calling::Begin {
            self.hold(bytes);
        }
        (table, calling)
    }

    /// The evaluation of a table was left by an exception.
    pub(crate) fn abandon_table(&mut self, table: usize) {
        let (choicepoints, alone) = (self.choices.len(), self.other_stacks().next().is_none());
        self.tabling.abandon(table, choicepoints, alone);
        self.outside -= std::mem::take(&mut self.tabling.freed);
    }

    /// The clauses of the innermost active table ran once. True if that is all for now; false if they are to run
    /// again.
    pub(crate) fn end_table_round(&mut self, table: usize) -> bool {
        let (choicepoints, alone) = (self.choices.len(), self.other_stacks().next().is_none());
        let retired = self.tabling.retired.len();
        let ended = self.tabling.end_round(table);
        if self.tabling.retired.len() > retired {
            self.tabling.sweep(choicepoints, alone);
        }
        self.outside -= std::mem::take(&mut self.tabling.freed);
        ended
    }

    /// How many numbers there are for tables: of those that are kept, and of others that the next ones get.
    #[must_use]
    pub fn table_numbers(&self) -> usize {
        self.tabling.tables.len()
    }

    /// Forgets the tables that are complete. The answers stay for those who are reading them.
    pub(crate) fn abolish_tables(&mut self) {
        let (choicepoints, alone) = (self.choices.len(), self.other_stacks().next().is_none());
        self.tabling.clear(choicepoints, alone);
        self.outside -= std::mem::take(&mut self.tabling.freed);
    }
}

impl Tabling {
    /// A clause of an incremental predicate was added or erased.
    pub(in crate::machine) fn note_change(&mut self) {
        self.changes += 1;
    }

    /// Whether a call has answers that are complete but may have changed since.
    pub(crate) fn is_stale(&self, call: &Record) -> bool {
        let table = self.table_of(call).and_then(|id| self.tables[id].as_ref());
        table.is_some_and(|table| table.state == State::Complete && table.changes != self.changes)
    }

    /// The calls that have a table which is complete and not stale, each once: other tables may have the same call, some
    /// that are retired and some that other stacks evaluate.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Record> {
        let tables = self.tables.iter().enumerate();
        let calls = tables.filter_map(|(id, table)| Some((id, &table.as_ref()?.call)));
        calls
            .filter(|&(id, call)| self.table_of(call) == Some(id) && self.is_complete(call))
            .map(|(_, call)| call)
    }

    /// The table that a call finds: one that the stacks which run evaluate before a complete one.
    fn table_of(&self, call: &Record) -> Option<usize> {
        self.now.known.get(call).or_else(|| self.known.get(call)).copied()
    }

    fn get(&mut self, table: usize) -> Option<&mut Table> {
        self.tables.get_mut(table)?.as_mut()
    }

    /// Everything that is kept.
    pub(in crate::machine) fn records(&self) -> impl Iterator<Item = &Record> {
        let tables = self.tables.iter().flatten();
        let kept = tables.flat_map(|table| {
            let replaced = table.replaced.iter().flat_map(|(key, before)| [key, before]);
            let answers = table.answers.iter().flatten().chain(table.positions.keys()).chain(replaced);
            answers.chain(table.open_records()).chain([&table.call])
        });
        kept.chain(self.known.keys()).chain(self.now.known.keys())
    }

    /// The table of a call, and what is to be done with it. There are so many choicepoints now; `alone` says that no
    /// other stacks have some.
    fn call(&mut self, call: Record, choicepoints: usize, alone: bool) -> (usize, Calling) {
        if self.is_stale(&call) {
            self.retire(&call);
            self.sweep(choicepoints, alone);
        }
        if let Some(id) = self.table_of(&call) {
            if let Some(table) = self.get(id) {
                table.floor = table.floor.min(choicepoints);
            }
            let (state, index, low, round) = match self.get(id) {
                Some(table) => (table.state, table.index, table.low, table.round),
                None => return (id, Calling::Read),
            };
            if state == State::Complete {
                return (id, Calling::Read);
            }
            self.depend(low.min(index));
            let active = || self.now.active.iter().filter_map(|&id| self.tables[id].as_ref());
            // What younger calls find in a phase of their own is taken back, since they depend on this one now; what it
            // found for them would stay.
            let is_amid = active().any(|table| table.index > index && table.outer != self.now.phase);
            // In a new round of what is older, its answers may be too few.
            let began = active().filter(|table| table.index <= index).map(|table| table.began).max();
            if state == State::Active || is_amid || began.is_none_or(|began| began <= round) {
                return (id, Calling::Read);
            }
            self.begin(id);
            return (id, Calling::Evaluate);
        }
        let index = self.now.incomplete.len();
        let id = self.free.pop().unwrap_or(self.tables.len());
        self.now.known.insert(call.clone(), id);
        let table = Some(Table {
            bytes: call.bytes(),
            call,
            state: State::Active,
            answers: Vec::new(),
            positions: FxHashMap::default(),
            index,
            low: index,
            round: 0,
            began: 0,
            read: usize::MAX,
            fresh: false,
            replaced: FxHashMap::default(),
            changes: self.changes,
            floor: choicepoints,
            outer: self.now.phase,
            asked: 0,
            is_open: false,
            sure: None,
            possible: None,
            undefined: usize::MAX,
            conditions: FxHashMap::default(),
        });
        match self.tables.get_mut(id) {
            Some(place) => *place = table,
            None => self.tables.push(table),
        }
        self.now.incomplete.push(id);
        self.begin(id);
        (id, Calling::Begin)
    }

    /// Whether a call has all its answers.
    pub(crate) fn is_complete(&self, call: &Record) -> bool {
        let table = self.table_of(call).and_then(|id| self.tables[id].as_ref());
        table.is_some_and(|table| table.state == State::Complete && table.changes == self.changes)
    }

    /// Hides the complete table of a call from calls.
    fn retire(&mut self, call: &Record) {
        self.retired.extend(self.known.remove(call));
    }

    /// Takes the retired tables away that nobody reads any more.
    fn sweep(&mut self, choicepoints: usize, alone: bool) {
        let Self { retired, tables, free, freed, .. } = self;
        retired.retain(|&id| {
            let unread = alone && tables[id].as_ref().is_none_or(|table| choicepoints <= table.floor);
            if unread {
                *freed += tables[id].take().map_or(0, |table| table.bytes);
                free.push(id);
            }
            !unread
        });
    }

    fn begin(&mut self, id: usize) {
        let (rounds, phase) = (self.rounds, self.now.phase);
        self.now.active.push(id);
        if let Some(table) = self.get(id) {
            (table.state, table.round, table.outer) = (State::Active, rounds, phase);
        }
    }

    /// The call that is being evaluated depends on the one at a position.
    fn depend(&mut self, low: usize) {
        if let Some(&id) = self.now.active.last()
            && let Some(table) = self.get(id)
        {
            table.low = table.low.min(low);
        }
    }

    /// The clauses of the innermost active table ran once. True if that is all for now; false if they are to run
    /// again.
    fn end_round(&mut self, id: usize) -> bool {
        let phase = self.now.phase;
        let Some((index, low, outer)) = self.get(id).map(|table| (table.index, table.low, table.outer))
        else {
            return true;
        };
        if low < index {
            if phase != outer {
                // It was evaluated for itself, and turns out to depend on what is evaluated in the other phase.
                self.now.phase = outer;
                self.start_phase(id, index, |table| {
                    (table.sure, table.possible) = (None, None);
                });
                return false;
            }
            if let Some(table) = self.get(id) {
                table.state = State::Waiting;
            }
            self.now.active.pop();
            self.depend(low);
            return true;
        }
        let component: Vec<usize> = self.now.incomplete[index..].to_vec();
        let tables = component.iter().filter_map(|&id| self.tables[id].as_ref());
        let mut tables = tables.filter(|table| table.read < table.answers.len());
        if tables.any(Table::has_changed) {
            self.start_round(id, index);
            return false;
        }
        if self.turn_phase(id, &component) {
            return false;
        }
        self.now.phase = outer;
        let began = self.get(id).map_or(0, |table| table.began);
        for &member in &component {
            let Some(table) = self.get(member) else { continue };
            if table.round < began {
                // The last round did not ask for it, so nothing is known of its answers.
                self.forget(&[member]);
            } else {
                table.state = State::Complete;
                table.undefined = table.answers.len();
                let possible = table.possible.take().unwrap_or_default();
                // An answer that another one took the place of may be possible beside it.
                let undefined = possible.into_iter().filter(|(key, answer)| {
                    let position = table.positions.get(key);
                    position.and_then(|&position| table.answers[position].as_ref()) != Some(answer)
                });
                let undefined: Vec<(Record, Record)> = undefined.collect();
                table.answers.extend(undefined.into_iter().map(|(_, answer)| Some(answer)));
                table.positions = FxHashMap::default();
                table.replaced = FxHashMap::default();
                let call = table.call.clone();
                self.now.known.remove(&call);
                // Other stacks may have completed another one for the same call meanwhile.
                self.retired.extend(self.known.insert(call, member));
            }
        }
        self.now.incomplete.truncate(index);
        self.now.active.pop();
        true
    }

    /// The component of a leader is evaluated once more.
    fn start_round(&mut self, leader: usize, index: usize) {
        self.rounds += 1;
        let rounds = self.rounds;
        for position in index..self.now.incomplete.len() {
            let id = self.now.incomplete[position];
            if let Some(table) = self.get(id) {
                table.begin_round();
            }
        }
        if let Some(table) = self.get(leader) {
            (table.began, table.round) = (rounds, rounds);
        }
    }

    /// The evaluation of a table was left by an exception: what is not complete since is forgotten.
    fn abandon(&mut self, id: usize, choicepoints: usize, alone: bool) {
        let Some((index, outer)) = self.get(id).map(|table| (table.index, table.outer)) else { return };
        self.now.phase = outer;
        if let Some(position) = self.now.active.iter().position(|&active| active == id) {
            self.now.active.truncate(position);
        }
        let incomplete = self.now.incomplete.split_off(index.min(self.now.incomplete.len()));
        self.forget(&incomplete);
        self.sweep(choicepoints, alone);
    }

    /// Whoever reads such a table finds nothing any more.
    fn forget(&mut self, incomplete: &[usize]) {
        for &id in incomplete {
            self.hide(id);
            if let Some(table) = self.get(id) {
                table.answers = Vec::new();
                table.positions = FxHashMap::default();
                table.replaced = FxHashMap::default();
                (table.possible, table.conditions) = (None, FxHashMap::default());
            }
        }
        self.retired.extend(incomplete);
    }

    /// No call finds a table of the stacks that run any more.
    fn hide(&mut self, id: usize) {
        if let Some(table) = self.tables[id].as_ref()
            && self.now.known.get(&table.call) == Some(&id)
        {
            self.now.known.remove(&table.call);
        }
    }

    /// Other stacks run from now on: what those before evaluate is kept until they go on.
    pub(in crate::machine) fn exchange(&mut self, other: &mut Evaluation) {
        std::mem::swap(&mut self.now, other);
    }

    /// The stacks that run are going to be given up, and whatever they evaluate.
    pub(in crate::machine) fn end_evaluation(&mut self) {
        let Evaluation { incomplete, .. } = std::mem::take(&mut self.now);
        self.forget(&incomplete);
    }

    /// Adds an answer. `key` tells it apart; an answer with the same key is replaced if `replace` is true. Returns how many
    /// bytes are kept for it.
    pub(crate) fn add(&mut self, id: usize, key: Record, answer: Record, replace: bool) -> usize {
        let Some(table) = self.get(id) else { return 0 };
        let bytes = key.bytes() + answer.bytes();
        let position = table.answers.len();
        if let Some(known) = table.positions.get_mut(&key) {
            if !replace {
                return 0;
            }
            // At the end those who read see it.
            let before = table.answers[*known].take();
            *known = position;
            if let Some(before) = before {
                table.replaced.entry(key).or_insert(before);
            }
        } else {
            table.fresh = true;
            table.positions.insert(key, position);
        }
        table.answers.push(Some(answer));
        table.bytes += bytes;
        bytes
    }

    /// The answer with a key.
    pub(crate) fn find(&mut self, id: usize, key: &Record) -> Option<Record> {
        let table = self.get(id)?;
        let position = *table.positions.get(key)?;
        table.answers.get(position)?.clone()
    }

    /// The first answer from a position on. A reader who finds none is content with what it has seen.
    pub(crate) fn answer(&mut self, id: usize, from: usize) -> Option<Reading> {
        let (upper, outside) = (self.is_upper(), self.now.active.is_empty());
        let table = self.get(id)?;
        let found = (from..table.answers.len()).find(|&position| table.answers[position].is_some());
        let Some(position) = found else {
            table.read = table.read.min(table.answers.len());
            return None;
        };
        let is_complete = table.state == State::Complete;
        let last = is_complete
            && !table.answers[position + 1..].iter().take(64).any(Option::is_some)
            && table.answers.len() <= position + 65;
        let answer = table.answers[position].clone()?;
        let is_undefined = is_complete && position >= table.undefined;
        if is_undefined && self.leave_open() == Outcome::Fails {
            return None;
        }
        let delayed = is_undefined || upper && !is_complete && !outside;
        Some(Reading { answer, next: position + 1, last, delayed })
    }

    /// Forgets what is complete.
    fn clear(&mut self, choicepoints: usize, alone: bool) {
        let mut complete: Vec<usize> = self.known.drain().map(|(_, id)| id).collect();
        complete.sort_unstable();
        self.retired.extend(complete);
        self.sweep(choicepoints, alone);
    }
}
