//! A worker of a team.

use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use cache_core::worker::serve;

use super::super::conclusion::shown_arguments;
use super::super::folder;
use super::super::kept;
use super::super::options::Options;
use super::super::program::{self, understand};
use super::super::render::{Found, Renderer};
use super::super::run;
use super::super::run_error::RunError;
use super::{Ask, Begin, Line, Said, Slice};
use crate::base::system::{RealSystem, System};
use crate::exec::{ExecConfig, Executor, Observer, Path, Share, Subtree};
use crate::expr::{Arena, RenameInputs};
use crate::module::Module;
use crate::module::reader::{decode, encode};
use crate::solver::chain::assemble;

/// How often it is looked whether the user wants the run to end.
const LOOK: Duration = Duration::from_millis(100);

/// Serves the coordinator that started this process with its own options; `interrupt` is what tells the system that
/// the user wants the run to end.
///
/// # Errors
/// If standard input and output are no coordinator's.
pub fn serve_team(options: &Options, system: &Rc<dyn System>, interrupt: &Arc<AtomicBool>) -> io::Result<()> {
    let mut worker = None;
    serve(|request| {
        let said = decode(request).and_then(|ask| {
            if let Ask::Begin(begin) = &ask {
                watch(begin.stop.clone(), Arc::clone(interrupt)).map_err(|error| error.to_string())?;
            }
            answer(&mut worker, ask, options, system)
        });
        let said = said.unwrap_or_else(|failed| Said { failed: Some(failed), ..Said::default() });
        // What does not go into bytes is told as bytes that are no answer.
        encode(&said).unwrap_or_default()
    })
}

/// Interrupts the process as soon as there is a file.
fn watch(stop: PathBuf, interrupt: Arc<AtomicBool>) -> io::Result<()> {
    // Nobody ever says anything: it is a clock.
    let (silent, clock) = channel::<()>();
    let look = move || {
        let system = RealSystem::default();
        while !system.exists(&stop) {
            let _ = clock.recv_timeout(LOOK);
        }
        interrupt.store(true, Ordering::Relaxed);
        drop(silent);
    };
    thread::Builder::new().name("stop".to_owned()).spawn(look)?;
    Ok(())
}

/// What was observed since the last answer.
#[derive(Default)]
struct Heard {
    found: Vec<Found>,
    warnings: Vec<(bool, String)>,
    lines: Vec<Line>,
}

/// Keeps what it hears for the next answer.
struct Listener {
    renderer: Renderer,
    heard: Rc<RefCell<Heard>>,
}

impl Observer for Listener {
    fn path(&mut self, module: &Module, path: &Path) {
        let found = self.renderer.render(module, path);
        // Of a path without a test there may be nothing to say.
        if found.is_test || !found.messages.is_empty() || !found.missing.is_empty() {
            self.heard.borrow_mut().found.push(found);
        }
    }

    fn warn(&mut self, text: &str) {
        self.heard.borrow_mut().warnings.push((false, text.to_owned()));
    }

    fn warn_once(&mut self, text: &str) {
        self.heard.borrow_mut().warnings.push((true, text.to_owned()));
    }

    fn print(&mut self, line: &str) {
        self.heard.borrow_mut().lines.push(Line::Text(line.to_owned()));
    }

    fn output(&mut self, descriptor: u64, bytes: &[u8]) {
        self.heard.borrow_mut().lines.push(Line::Bytes(descriptor, bytes.to_vec()));
    }
}

struct Worker {
    executor: Executor<'static>,
    heard: Rc<RefCell<Heard>>,
    system: Rc<dyn System>,
}

fn answer(
    worker: &mut Option<Worker>,
    ask: Ask,
    options: &Options,
    system: &Rc<dyn System>,
) -> Result<Said, String> {
    if let Ask::Begin(begin) = ask {
        *worker = Some(Worker::new(&begin, options, system).map_err(|error| error.to_string())?);
        return Ok(Said::default());
    }
    let Some(worker) = worker else { return Err("a worker is asked before it could get ready".to_owned()) };
    match ask {
        Ask::Begin(_) => Ok(Said::default()),
        Ask::GoTo(subtree, share, slice) => worker.go_to(&subtree, share, slice),
        Ask::GoOn(slice) => Ok(worker.go_on(slice)),
        Ask::Stop(halt) => {
            worker.executor.stop(halt);
            worker.executor.end_all();
            Ok(worker.said(true, true))
        }
        Ask::End => {
            worker.executor.end_all();
            Ok(worker.said(true, false))
        }
    }
}

impl Worker {
    fn new(begin: &Begin, options: &Options, system: &Rc<dyn System>) -> Result<Self, RunError> {
        let mut options = options.clone();
        if options.cache_dir.is_none() {
            options.cache_dir.clone_from(&begin.cache);
        }
        let mut module = understand(&begin.program)?;
        for (from, to) in &options.aliases {
            module.alias(from, to)?;
        }
        let environment = program::environment(&options, system)?;
        let seeds = program::read_seeds(&options, &**system)?;
        let config = program::config(&options, system, environment, seeds, &module, &begin.folder)?;
        let share = |limit: Option<u64>| limit.map(|limit| limit / options.jobs.max(1) as u64);
        let config = ExecConfig {
            in_parts: true,
            // The coordinator says how long the run still lasts.
            max_time: None,
            max_memory: share(config.max_memory),
            ..config
        };
        if let Some(folder) = &mut options.log_smt {
            *folder = folder.join(format!("worker-{}", begin.number));
            folder::make_folder(&**system, folder)?;
        }
        let heard = Rc::new(RefCell::new(Heard::default()));
        let mut listener = Listener {
            renderer: Renderer::new(
                Rc::clone(system),
                shown_arguments(&options),
                config.all_errors,
                options.files,
            ),
            heard: Rc::clone(&heard),
        };
        let store = kept::open(&options, &**system, &mut listener);
        let engines = options.solver.engines(&**system).map_err(RunError::Solver)?;
        let solver = assemble(&run::chain(&options, system, engines, store));
        let arena = Arena::new(RenameInputs(options.rename_inputs));
        // They last as long as the process.
        let (module, config, listener) =
            (Box::leak(Box::new(module)), Box::leak(Box::new(config)), Box::leak(Box::new(listener)));
        let executor = Executor::new(module, config, Rc::clone(system), arena, solver, listener);
        Ok(Self { executor, heard, system: Rc::clone(system) })
    }

    fn go_to(&mut self, subtree: &Subtree, share: Option<Share>, slice: Slice) -> Result<Said, String> {
        self.prepare(slice);
        let arrived = self.executor.go_to(subtree).map_err(|error| error.to_string())?;
        if !arrived {
            let stopped = self.executor.explored().stopped.is_some();
            return Ok(Said { lost: !stopped, ..self.said(true, true) });
        }
        let divided = share.map(|share| {
            let divided = self.executor.divide(share);
            if share.number != 1 {
                *self.heard.borrow_mut() = Heard::default();
            }
            divided
        });
        Ok(Said { divided, ..self.go_on(slice) })
    }

    fn prepare(&mut self, slice: Slice) {
        let end = slice.remaining.map(|remaining| self.system.elapsed() + remaining);
        self.executor.set_bounds(end, slice.forks);
    }

    fn go_on(&mut self, slice: Slice) -> Said {
        self.prepare(slice);
        if slice.give > 0 {
            let given = self.executor.give(slice.give);
            return Said { given, ..self.said(false, slice.account) };
        }
        let end = self.system.elapsed() + slice.time;
        let over = self.executor.explore(Some(end), slice.to_give);
        if over && self.executor.explored().stopped.is_some() {
            self.executor.end_all();
        }
        self.said(over, over || slice.account)
    }

    /// An answer with everything that was heard, and an account if it is wanted.
    fn said(&mut self, over: bool, account: bool) -> Said {
        let Heard { found, warnings, lines } = std::mem::take(&mut *self.heard.borrow_mut());
        let explored = self.executor.explored().clone();
        let account =
            account.then(|| Box::new((self.executor.take_account(), self.executor.coverage().clone())));
        Said {
            over,
            found,
            warnings,
            lines,
            states: self.executor.waiting() as u64,
            explored,
            account,
            counts: self.executor.solver().counts(),
            expressions: self.executor.arena().len() as u64,
            memory: self.system.memory(),
            peak: self.system.peak_memory(),
            ..Said::default()
        }
    }
}
