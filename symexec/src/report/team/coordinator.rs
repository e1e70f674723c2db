//! The coordinator of a team.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use cache_core::mode::Mode;
use cache_core::worker::{Supervisor, WorkerConfig};

use super::super::folder::make_folder;
use super::super::joint::{Joint, add, in_order, unite};
use super::super::options::Options;
use super::super::output::Output;
use super::super::render::Found;
use super::super::run_error::RunError;
use super::super::workers::again;
use super::{Ask, Begin, Line, Said, Slice};
use crate::base::system::System;
use crate::exec::{Account, Decision, Explored, Halt, Observer, Progress, Share, Subtree, TerminationKind};
use crate::module::Module;
use crate::module::reader::{decode, encode};
use crate::solver::Counts;

/// How long a worker goes on until it answers, if nobody waits for it.
const SLICE: Duration = Duration::from_millis(50);

/// The file that says that the user wants the run to end.
const STOP: &str = "stop";

/// How often it is looked whether the user wants something.
const LOOK: Duration = Duration::from_millis(50);

/// How often accounts are given in the middle of a subtree.
const ACCOUNT: Duration = Duration::from_secs(1);

/// How long workers may take to end what they explore when the run stops.
const TIME_TO_STOP: Duration = Duration::from_millis(1500);

/// A subtree that is to be explored.
#[derive(Clone, Debug)]
struct Task {
    subtree: Subtree,
    share: Option<Share>,
    /// Whether a worker died with it before.
    again: bool,
}

/// A subtree that is being explored.
#[derive(Debug)]
struct Work {
    task: Task,
    given: BTreeSet<Vec<Decision>>,
    found: Vec<Found>,
    account: Account,
    divided: Option<Vec<Vec<Decision>>>,
    /// Counted since the last account.
    since: Explored,
    states: u64,
    /// Whether it was asked to give something away, and whether it had nothing.
    giving: bool,
    poor: bool,
    next_account: Duration,
}

/// What the coordinator knows of a worker.
#[derive(Debug)]
struct Member {
    asks: Sender<Vec<u8>>,
    work: Option<Work>,
    /// Whether an answer is due.
    asked: bool,
    begun: bool,
    counts: Counts,
    expressions: u64,
    memory: u64,
    peak: u64,
}

/// Why there is no answer.
enum Failure {
    /// The worker is no more.
    Died(String),
    /// It says that no worker can do it.
    Unable(String),
}

type Answer = (usize, Result<Said, Failure>);

/// Explores a program with as many workers as the options say; a folder of theirs lasts as long as the run.
///
/// # Errors
/// If no worker can explore it at all.
pub(in super::super) fn explore(
    options: &Options,
    system: &Rc<dyn System>,
    program: &[u8],
    module: &Module,
    output: &mut Output,
    scratch: &Path,
) -> Result<Joint, RunError> {
    let own_cache = options.cache_dir.is_none() && options.mode != Mode::Off && options.jobs > 1;
    let (answers, inbox) = channel();
    let give_up = Arc::new(AtomicBool::new(false));
    let mut members = Vec::new();
    for number in 0..options.jobs.max(1) {
        let (worker, arguments) = again(options.restart, &**system);
        let mut config = WorkerConfig::new(worker);
        config.arguments = arguments;
        let (asks, to_ask) = channel();
        let (answers, give_up) = (answers.clone(), Arc::clone(&give_up));
        thread::Builder::new()
            .name("team".to_owned())
            .spawn(move || attend(number, config, &to_ask, &answers, &give_up))
            .map_err(|error| RunError::Reader(error.to_string()))?;
        let begin = Begin {
            program: program.to_vec(),
            cache: own_cache.then(|| scratch.join("cache")),
            folder: scratch.join(format!("worker-{}", number + 1)),
            stop: scratch.join(STOP),
            number: number + 1,
        };
        make_folder(&**system, &begin.folder)?;
        let begin = encode(&Ask::Begin(Box::new(begin))).map_err(RunError::Reader)?;
        // The thread keeps it, since a worker that is started anew needs it again.
        let _ = asks.send(begin);
        members.push(Member::new(asks));
    }
    let mut team = Team {
        options,
        system: &**system,
        module,
        output,
        scratch,
        members,
        inbox,
        give_up,
        queue: VecDeque::new(),
        joint: Joint::default(),
        announced: BTreeSet::new(),
        retired: Counts::default(),
        stopping: None,
        stop_at: None,
        deadline: options.exec.max_time.map(|limit| system.elapsed().saturating_add(limit)),
        #[cfg(feature = "plant")]
        given: 0,
    };
    team.joint.account.explored.total = module.instructions() as u64;
    team.queue.push_back(Task { subtree: Subtree::default(), share: options.share, again: false });
    team.run()
}

/// Asks a worker whatever it is to be asked; runs in a thread of its own.
fn attend(
    number: usize,
    config: WorkerConfig,
    asks: &Receiver<Vec<u8>>,
    answers: &Sender<Answer>,
    give_up: &AtomicBool,
) {
    let mut worker = Supervisor::new(config);
    let mut begin: Option<Vec<u8>> = None;
    let (mut begun, mut ever) = (false, false);
    while let Ok(ask) = asks.recv() {
        let Some(begin) = &begin else {
            begin = Some(ask);
            continue;
        };
        let wanted = || !give_up.load(Ordering::Relaxed);
        let mut say = |ask: &[u8]| -> Result<Said, Failure> {
            let answer = worker.ask_while(&wanted, ask, None);
            let bytes = answer.map_err(|error| Failure::Died(error.to_string()))?;
            let said: Said = decode(&bytes).map_err(Failure::Died)?;
            match said.failed {
                Some(failed) => Err(Failure::Unable(failed)),
                None => Ok(said),
            }
        };
        let said = if begun { Ok(()) } else { say(begin).map(|_| ()) };
        begun = said.is_ok();
        let said = match said {
            Ok(()) => say(&ask),
            // What never began will not begin another time.
            Err(Failure::Died(why)) if !ever && wanted() => Err(Failure::Unable(why)),
            Err(failure) => Err(failure),
        };
        ever |= begun;
        if said.is_err() {
            begun = false;
            worker.stop();
        }
        if answers.send((number, said)).is_err() {
            return;
        }
    }
}

impl Member {
    fn new(asks: Sender<Vec<u8>>) -> Self {
        Self {
            asks,
            work: None,
            asked: false,
            begun: false,
            counts: Counts::default(),
            expressions: 0,
            memory: 0,
            peak: 0,
        }
    }
}

struct Team<'a> {
    options: &'a Options,
    system: &'a dyn System,
    module: &'a Module,
    output: &'a mut Output,
    scratch: &'a Path,
    members: Vec<Member>,
    inbox: Receiver<Answer>,
    /// Tells the threads that answers are not waited for any more.
    give_up: Arc<AtomicBool>,
    queue: VecDeque<Task>,
    joint: Joint,
    /// Errors that users were shown.
    announced: BTreeSet<(String, u32, u32)>,
    /// What workers counted that are no more.
    retired: Counts,
    stopping: Option<Halt>,
    stop_at: Option<Duration>,
    deadline: Option<Duration>,
    /// Subtrees that were given away.
    #[cfg(feature = "plant")]
    given: u64,
}

impl Team<'_> {
    fn run(mut self) -> Result<Joint, RunError> {
        loop {
            self.look();
            if self.stopping.is_none() {
                self.hand_out()?;
            }
            if self.members.iter().all(|member| !member.asked) {
                break;
            }
            match self.inbox.recv_timeout(LOOK) {
                Ok((number, said)) => self.take(number, said)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.end()
    }

    /// Looks at the clock and the user.
    fn look(&mut self) {
        let now = self.system.elapsed();
        if self.output.wants_progress(now) {
            let progress = self.progress();
            self.output.progress(&progress);
        }
        if self.system.interrupted() {
            self.stop(Halt::Interrupt);
        }
        // Workers look at this themselves, so that this is for those that cannot.
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.stop(Halt::Time);
        }
        if self.stop_at.is_some_and(|at| now >= at) {
            self.give_up.store(true, Ordering::Relaxed);
        }
    }

    fn stop(&mut self, halt: Halt) {
        if self.stopping.is_none() {
            self.stopping = Some(halt);
            self.stop_at = Some(self.system.elapsed() + TIME_TO_STOP);
            self.output.halt(&halt);
            if halt == Halt::Interrupt {
                // Who does not see it is stopped a moment later.
                let _ = self.system.write_file(&self.scratch.join(STOP), b"");
            }
        }
    }

    fn explored(&self) -> Explored {
        let mut sum = self.joint.account.explored.clone();
        for work in self.members.iter().filter_map(|member| member.work.as_ref()) {
            add(&mut sum, &work.account.explored);
            add(&mut sum, &work.since);
        }
        sum
    }

    fn progress(&self) -> Progress {
        let works = || self.members.iter().filter_map(|member| member.work.as_ref());
        let states = works().map(|work| work.states).sum::<u64>() + self.queue.len() as u64;
        let mut explored = self.explored();
        explored.covered = self.joint.coverage.covered();
        Progress {
            explored,
            counts: self.counts(),
            states,
            branches: self.joint.coverage.branches(self.module),
            elapsed: self.system.elapsed(),
            times: self.joint.account.times,
        }
    }

    fn counts(&self) -> Counts {
        let mut counts = self.retired.clone();
        for member in &self.members {
            counts.add_all(&member.counts);
        }
        counts
    }

    fn slice(&self, number: usize) -> Slice {
        let idle = self.members.iter().filter(|member| member.work.is_none()).count();
        let wanted = idle.saturating_sub(self.queue.len());
        let now = self.system.elapsed();
        let work = self.members.get(number).and_then(|member| member.work.as_ref());
        let give = work.filter(|work| work.states > 1 && !work.poor).map_or(0, |_| wanted);
        Slice {
            time: SLICE,
            to_give: wanted > 0,
            give,
            remaining: self.deadline.map(|deadline| deadline.saturating_sub(now)),
            forks: self.explored().forks,
            account: work.is_some_and(|work| now >= work.next_account),
        }
    }

    fn ask(&mut self, number: usize, ask: &Ask) -> Result<(), RunError> {
        let bytes = encode(ask).map_err(RunError::Reader)?;
        if let Some(member) = self.members.get_mut(number) {
            member.asked = member.asks.send(bytes).is_ok();
            member.begun = true;
        }
        Ok(())
    }

    /// Gives subtrees to those that have none.
    fn hand_out(&mut self) -> Result<(), RunError> {
        for number in 0..self.members.len() {
            if self.members[number].work.is_some() || self.members[number].asked {
                continue;
            }
            let Some(task) = self.queue.pop_front() else { return Ok(()) };
            self.members[number].work = Some(Work::new(task.clone(), self.system.elapsed() + ACCOUNT));
            let slice = Slice { give: 0, ..self.slice(number) };
            self.ask(number, &Ask::GoTo(Box::new(task.subtree), task.share, slice))?;
        }
        Ok(())
    }

    /// Takes an answer, and asks for more if there is more.
    fn take(&mut self, number: usize, said: Result<Said, Failure>) -> Result<(), RunError> {
        let Some(member) = self.members.get_mut(number) else { return Ok(()) };
        member.asked = false;
        let said = match said {
            Ok(said) => said,
            Err(Failure::Died(why)) => {
                self.died(number, &why);
                return Ok(());
            }
            Err(Failure::Unable(why)) => return Err(RunError::Parts(why)),
        };
        (member.expressions, member.memory) = (said.expressions, said.memory);
        member.peak = member.peak.max(said.peak);
        member.counts = said.counts;
        for (once, warning) in said.warnings {
            if !self.joint.warnings.iter().any(|(_, known)| *known == warning) {
                if once {
                    self.output.warn_once(&warning);
                } else {
                    self.output.warn(&warning);
                }
                self.joint.warnings.push((once, warning));
            }
        }
        for line in said.lines {
            match line {
                Line::Text(text) => self.output.print(&text),
                Line::Bytes(descriptor, bytes) => self.output.output(descriptor, &bytes),
            }
        }
        for found in &said.found {
            let first = found.error.clone().is_some_and(|(text, function, position)| {
                self.announced.insert((text, function.0, position))
            });
            if first || found.error.is_some() && self.options.exec.all_errors {
                self.output.announce(found);
            }
        }
        let Some(work) = member.work.as_mut() else { return Ok(()) };
        let halt = said.explored.stopped;
        work.poor = work.giving && said.given.is_empty();
        work.states = said.states;
        work.found.extend(said.found);
        work.divided = work.divided.take().or(said.divided);
        work.since = said.explored;
        if let Some(account) = said.account {
            let (account, coverage) = *account;
            unite(&mut work.account, account);
            self.joint.coverage.unite(&coverage);
            work.since = Explored::default();
            work.next_account = self.system.elapsed() + ACCOUNT;
        }
        for subtree in said.given {
            work.given.insert(subtree.prefix.clone());
            #[cfg(feature = "plant")]
            {
                use crate::base::plant::Fault;
                self.given += 1;
                if self.options.fault == Some(Fault::DropSubtree) {
                    continue;
                }
                if self.options.fault == Some(Fault::RepeatSubtree) {
                    self.queue.push_back(Task { subtree: subtree.clone(), share: None, again: false });
                }
            }
            self.queue.push_back(Task { subtree, share: None, again: false });
        }
        if said.lost {
            self.lose(number, "the way to it is lost");
        } else if said.over
            && let Some(work) = self.members[number].work.take()
        {
            self.commit(work);
        }
        if let Some(halt) = halt {
            self.stop(halt);
        }
        self.look_at_limits();
        if self.members[number].work.is_none() {
            return Ok(());
        }
        match self.stopping {
            Some(halt) => self.ask(number, &Ask::Stop(halt)),
            None => {
                let slice = self.slice(number);
                if let Some(work) = self.members[number].work.as_mut() {
                    work.giving = slice.give > 0;
                }
                self.ask(number, &Ask::GoOn(slice))
            }
        }
    }

    fn look_at_limits(&mut self) {
        let config = &self.options.exec;
        let explored = self.explored();
        let states: u64 =
            self.members.iter().filter_map(|member| member.work.as_ref()).map(|work| work.states).sum();
        let most = &mut self.joint.account.explored.most_states;
        *most = (*most).max(states);
        if config.max_instructions.is_some_and(|limit| explored.instructions >= limit) {
            self.stop(Halt::Instructions);
        } else if config.max_tests.is_some_and(|limit| explored.tests >= limit) {
            self.stop(Halt::Tests);
        } else if config.max_states.is_some_and(|limit| states >= limit as u64) {
            self.stop(Halt::States);
        }
    }

    /// What a worker explored is done.
    fn commit(&mut self, work: Work) {
        unite(&mut self.joint.account, work.account);
        add(&mut self.joint.account.explored, &work.since);
        self.joint.found.extend(work.found);
        if let Some(divided) = work.divided {
            self.joint.divided = divided;
        }
    }

    /// A worker died. What it explored is explored again, once.
    fn died(&mut self, number: usize, why: &str) {
        let counts = std::mem::take(&mut self.members[number].counts);
        self.retired.add_all(&counts);
        if self.stopping.is_some() {
            if let Some(work) = self.members[number].work.take() {
                self.commit(work);
            }
            return;
        }
        let again = self.members[number].work.as_ref().is_some_and(|work| work.task.again);
        if again {
            self.lose(number, why);
            return;
        }
        let Some(work) = self.members[number].work.take() else { return };
        self.output.warn(&format!("a worker ended, and what it explored is explored again: {why}"));
        let mut task = work.task;
        task.subtree.without.extend(work.given);
        self.queue.push_front(Task { again: true, ..task });
    }

    /// A subtree cannot be explored to its end.
    fn lose(&mut self, number: usize, why: &str) {
        if let Some(work) = self.members[number].work.take() {
            let text =
                format!("paths are lost: a part of the program could not be explored to its end: {why}");
            self.output.warn(&text);
            self.joint.warnings.push((false, text));
            self.commit(work);
            self.leave(1);
        }
    }

    /// Counts paths that nobody followed to their end.
    fn leave(&mut self, count: u64) {
        let explored = &mut self.joint.account.explored;
        explored.partial += count;
        *explored.ends_by.entry(TerminationKind::Early).or_default() += count;
    }

    fn end(mut self) -> Result<Joint, RunError> {
        self.leave(self.queue.len() as u64);
        // The rest is for those who come later.
        for number in 0..self.members.len() {
            if self.members[number].begun && self.stopping.is_none() {
                self.ask(number, &Ask::End)?;
            }
        }
        while self.members.iter().any(|member| member.asked) && !self.system.interrupted() {
            match self.inbox.recv_timeout(LOOK) {
                Ok((number, said)) => {
                    let Some(member) = self.members.get_mut(number) else { continue };
                    member.asked = false;
                    if let Ok(said) = said {
                        member.counts = said.counts;
                        member.peak = member.peak.max(said.peak);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.joint.counts = self.counts();
        self.joint.expressions = self.members.iter().map(|member| member.expressions).sum();
        self.joint.peak = self.members.iter().map(|member| member.peak).max().unwrap_or(0);
        let explored = &mut self.joint.account.explored;
        explored.covered = self.joint.coverage.covered();
        explored.stopped = self.stopping;
        let progress = self.joint.progress(self.module, self.system);
        self.output.progress(&progress);
        let mut joint = self.joint;
        // A suite that is to take every side wants what was covered on the way to a known error; that for a
        // call does not.
        let config = &self.options.exec;
        let all = config.all_errors || config.new_sides && config.reach.is_none();
        joint.found = in_order(joint.found, all);
        joint.account.explored.tests = joint.found.iter().filter(|found| found.is_test).count() as u64;
        Ok(joint)
    }
}

impl Work {
    fn new(task: Task, next_account: Duration) -> Self {
        Self {
            task,
            given: BTreeSet::new(),
            found: Vec::new(),
            account: Account::default(),
            divided: None,
            since: Explored::default(),
            states: 0,
            giving: false,
            poor: false,
            next_account,
        }
    }
}
