//! A run: read, explore, report.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use cache_core::store::Store;

use super::conclusion::{Outcome, STATS_INTERVAL, conclude, exit_code, shown_arguments};
use super::folder::{make_folder, output_folder};
use super::options::{Options, QueryCacheKind, STANDARD_INPUT, Style, XmlTests};
use super::output::Output;
use super::parts::check_parts;
use super::program::{config, environment, read_seeds, undefined};
use super::render::Renderer;
use super::run_error::RunError;
use super::workers::locate;
use super::{kept, shard, team};
use crate::base::system::System;
use crate::exec::{Account, Coverage, Executor, Explored, Halt, Observer};
use crate::expr::{Arena, RenameInputs};
use crate::module::Module;
use crate::module::reader::Request;
use crate::solver::Counts;
use crate::solver::chain::{ChainConfig, assemble};
use crate::solver::engine::{Choice, Engine};
use crate::solver::process::{Budget, Patience, ProcessConfig};
use crate::solver::query_cache::Naming;

/// Does a run; gives its exit code.
///
/// # Errors
/// If the program cannot be read or started, or nothing can be written; exit code 2 belongs to these.
pub fn run(options: &Options, system: &Rc<dyn System>) -> Result<u8, RunError> {
    check_parts(options)?;
    let engines = options.solver.engines(&**system).map_err(RunError::Solver)?;
    let environment = environment(options, system)?;
    let seeds = read_seeds(options, &**system)?;
    let assembly = options.style == Style::Klee;
    // It lasts as long as the run.
    let outside = tempfile::tempdir().map_err(|error| RunError::External(error.to_string()))?;
    let bitcode = options.files.bitcode;
    let mut request = Request { start: environment.is_some(), assembly, bitcode, ..options.program.clone() };
    for file in request.files.iter_mut().filter(|file| file.as_os_str() == STANDARD_INPUT) {
        let failed = |error| RunError::Write { path: PathBuf::from(STANDARD_INPUT), error };
        let copy = outside.path().join("standard-input.bc");
        let bytes = system.read_input().map_err(failed)?;
        system.write_file(&copy, &bytes).map_err(failed)?;
        *file = copy;
    }
    let (program, mut module) = match kept::read(&request, options, system) {
        Err(RunError::Interrupted) => return interrupted(options, system),
        read => read?,
    };
    let mut replaced = Vec::new();
    for (from, to) in &options.aliases {
        replaced.extend(module.alias(from, to)?);
    }
    let mut output = begin(options, system)?;
    for text in &replaced {
        output.message(text);
    }
    for warning in &options.warnings {
        output.warn(warning);
    }
    for warning in environment.iter().flat_map(|environment| &environment.warnings) {
        output.warn(warning);
    }
    if options.solver_resource.is_some() && options.solver != Choice::Z3 {
        output.warn("work in the solver's own units (--solver-resource) is limited for Z3 only");
    }
    if !seeds.is_empty() {
        output.message(&format!("using {} seeds", seeds.len()));
    }
    if assembly {
        for warning in undefined(&module) {
            output.warn(&warning);
        }
    }
    for warning in &module.warnings {
        output.warn(warning);
    }
    if options.files.tree {
        output.write_tree();
    }
    if let Some(listing) = options.instructions {
        output.list_instructions(listing, &module.assembly);
    }
    if assembly && !options.files.no_assembly {
        output.add_file("assembly.ll", &std::mem::take(&mut module.assembly));
    }
    if bitcode {
        output.add_bytes("final.bc", &std::mem::take(&mut module.bitcode));
    }
    add_metadata(&mut output, options, system);
    if let Some(folder) = &options.log_smt {
        make_folder(&**system, folder)?;
    }
    let config = config(options, system, environment, seeds, &module, outside.path())?;
    let result = if options.in_parts() {
        let joint = team::explore(options, system, &program, &module, &mut output, outside.path())?;
        for found in &joint.found {
            output.put(found, true);
        }
        if options.share.is_some() {
            shard::keep(&mut output, options, &config, &program, &joint);
        }
        Outcome::from(joint)
    } else {
        drop(program);
        let store = kept::open(options, &**system, &mut output);
        let chain = ChainConfig {
            logs: Some((output.folder().to_owned(), options.query_log)),
            ..chain(options, system, engines, store)
        };
        let solver = assemble(&chain);
        let arena = Arena::new(RenameInputs(options.rename_inputs));
        let mut executor = Executor::new(&module, &config, Rc::clone(system), arena, solver, &mut output);
        executor.run()?;
        Outcome {
            counts: executor.solver().counts(),
            expressions: executor.arena().len() as u64,
            peak: system.peak_memory(),
            coverage: executor.coverage().clone(),
            account: executor.take_account(),
        }
    };
    if result.account.explored.stopped == Some(Halt::Error) && assembly && options.exec.exit_on_error {
        output.tell_last_error();
    }
    conclude(&mut output, options, system, &module, &result)?;
    Ok(exit_code(options, &result.account.explored, &result.counts))
}

/// What is written from now on, and where.
fn begin(options: &Options, system: &Rc<dyn System>) -> Result<Output, RunError> {
    let folder = output_folder(options, system)?;
    let arguments = shown_arguments(options);
    let renderer = Renderer::new(Rc::clone(system), arguments, options.exec.all_errors, options.files);
    let interval = options.stats_interval.unwrap_or(STATS_INTERVAL);
    let mut output = Output::new(Rc::clone(system), folder, renderer, interval, options.left_out);
    output.message(&format!("output directory is \"{}\"", output.folder().display()));
    Ok(output)
}

/// The end of a run that was interrupted before there was a program.
fn interrupted(options: &Options, system: &Rc<dyn System>) -> Result<u8, RunError> {
    let mut output = begin(options, system)?;
    output.halt(&Halt::Interrupt);
    add_metadata(&mut output, options, system);
    let explored = Explored { stopped: Some(Halt::Interrupt), ..Explored::default() };
    let result = Outcome {
        account: Account { explored, ..Account::default() },
        coverage: Coverage::default(),
        counts: Counts::default(),
        expressions: 0,
        peak: system.peak_memory(),
    };
    conclude(&mut output, options, system, &Module::default(), &result)?;
    Ok(exit_code(options, &result.account.explored, &result.counts))
}

/// What belongs to tests as XML, where these are written.
fn add_metadata(output: &mut Output, options: &Options, system: &Rc<dyn System>) {
    if options.files.xml != XmlTests::None {
        let metadata = options.suite.metadata(&options.program.files, &options.exec.entry, &**system);
        output.add_file("metadata.xml", &metadata.document());
    }
}

/// What a program is called, wherever it lies.
fn named(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy());
    names.collect::<Vec<_>>().join(" ")
}

pub(super) fn chain(
    options: &Options,
    system: &Rc<dyn System>,
    engines: Vec<Engine>,
    store: Option<Arc<dyn Store>>,
) -> ChainConfig {
    ChainConfig {
        process: ProcessConfig {
            system: Rc::clone(system),
            program: locate(&**system, "symexec-solver"),
            engines,
            patience: Patience::default(),
            enumerate: options.enumerate,
            #[cfg(feature = "plant")]
            skip_values: options.fault == Some(crate::base::plant::Fault::SkipValues),
            #[cfg(feature = "plant")]
            move_bounds: options.fault == Some(crate::base::plant::Fault::MoveBounds),
            #[cfg(feature = "plant")]
            mix_bytes: options.fault == Some(crate::base::plant::Fault::MixBytes),
            #[cfg(feature = "plant")]
            late_answers: options.fault == Some(crate::base::plant::Fault::LateAnswers),
            #[cfg(feature = "plant")]
            trust_search: options.fault == Some(crate::base::plant::Fault::TrustSearch),
            wall: options.max_solver_time,
            resource: options.solver_resource,
            budget: Budget::default(),
            // What is found by a limit of time depends on the machine in any case.
            exact: options.exec.put_off.is_some() && options.exec.max_time.is_none(),
            memory_bytes: options.solver_memory,
            log: options.log_smt.clone(),
            own_layout: false,
        },
        query_cache: match options.query_cache {
            QueryCacheKind::None => None,
            QueryCacheKind::Plain => Some(Naming::Plain),
            QueryCacheKind::AddressAware => Some(Naming::AddressAware),
        },
        mode: options.mode,
        audit: options.audit,
        store,
        program: named(&options.program.files),
        #[cfg(feature = "plant")]
        fault: options.fault,
        counterexamples: options.counterexamples,
        try_all: options.try_all,
        equalities: options.equalities,
        check_layouts: options.check_layouts,
        logs: None,
    }
}
