//! The worker program of `ivl`: answers queries with Z3, or with another solver's program.
//!
//! It is started by `ivl` and talks to it over its standard input and output; nothing else in this
//! package links Z3. Every query is solved in a fresh context whose terms are made in the order of the
//! query, so that equal queries cost and answer the same, whatever was asked before. Started as
//! `ivl-solver --program FAMILY PROGRAM`, it starts the program for each query, and talks SMT-LIB 2 with it.

mod build;
mod instances;
mod linked;
mod model;
mod operations;
mod process;
mod settings;
mod solve;
mod spoken;
mod theory;
mod turns;

use std::path::PathBuf;
use std::process::ExitCode;

use cache_core::{codec, worker};
use ivl_verifier::base::engine::{Family, PROGRAM_FLAG, SOLVER_VERSION};
use ivl_verifier::base::system::{OperatingSystem, System};
use ivl_verifier::smt::answer::{Reply, Request, Response};
use ivl_verifier::smt::term::Query;
use ivl_verifier::smt::wire;

use linked::Linked;
use process::Process;
use solve::{Budget, Solved, solve};

/// Who answers queries.
enum Solver {
    /// The linked Z3; whether the thread's own context was used before.
    Linked { used: bool },
    /// A program of a family.
    Program(Family, PathBuf),
}

fn main() -> ExitCode {
    let mut arguments = OperatingSystem::new().arguments().into_iter().skip(1);
    let mut solver = match arguments.next() {
        None => Solver::Linked { used: false },
        Some(flag) if flag == PROGRAM_FLAG => {
            let family = arguments.next().and_then(|name| name.parse::<Family>().ok());
            match (family, arguments.next()) {
                (Some(family), Some(program)) => Solver::Program(family, program.into()),
                _ => return refuse("expected a family of solvers and a program"),
            }
        }
        Some(other) => return refuse(&format!("{other} is not known here")),
    };
    let found = z3::full_version();
    let linked = matches!(solver, Solver::Linked { .. });
    if linked
        && !found.split_whitespace().any(|word| word.trim_start_matches('v').starts_with(SOLVER_VERSION))
    {
        return refuse(&format!(
            "this is Z3 {found}, but {SOLVER_VERSION} is needed: run `cargo xtask setup`"
        ));
    }
    // A panic is an answer; nobody reads standard error while it serves.
    std::panic::set_hook(Box::new(|_| {}));
    match worker::serve(|bytes| codec::encode(&answer(bytes, &mut solver)).unwrap_or_default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(&error.to_string()),
    }
}

/// Ends the program before it serves; the parent shows what is written here.
#[expect(clippy::print_stderr, reason = "the supervisor reads standard error when a worker does not start")]
fn refuse(message: &str) -> ExitCode {
    eprintln!("ivl-solver: {message}");
    ExitCode::from(2)
}

/// Answers a request.
fn answer(bytes: &[u8], solver: &mut Solver) -> Reply {
    let failed = |reason: String| Reply::of(Response::failed(reason));
    let request: Request = match codec::decode(bytes) {
        Ok(request) => request,
        Err(error) => return failed(format!("the request cannot be read: {error}")),
    };
    let query = match wire::read(&request.query) {
        Ok(query) => query,
        Err(error) => return failed(error.to_string()),
    };
    // What the bindings of Z3 do not expect is a panic there; it concerns this query alone.
    let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match solver {
        Solver::Linked { .. } if request.instances => {
            let config = &mut z3::Config::new();
            config.set_proof_generation(true);
            settings::make(&query.options)
                .and_then(|()| z3::with_z3_config(config, || instances::needed(&query, &request)))
                .unwrap_or_else(failed)
        }
        Solver::Program(..) if request.instances => {
            failed("only the linked solver tells of proofs".to_owned())
        }
        Solver::Linked { used } => turns::answer(&query, &request, &mut |settings, budget| {
            settings::make(settings)?;
            linked(&query, &request, budget, used)
        }),
        Solver::Program(family, program) => turns::answer(&query, &request, &mut |settings, budget| {
            let mut process = Process::start(program, *family, &query, &request, settings, budget)?;
            solve(&mut process, &query, &request, budget)
        }),
    }));
    reply.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        failed(format!("the solver refused the query: {}", text.unwrap_or("for no known reason")))
    })
}

/// Asks the linked Z3 in a fresh context. `used` says whether the thread's own context was used before.
fn linked(query: &Query, request: &Request, budget: Budget, used: &mut bool) -> Result<Solved, String> {
    let ask = || solve(&mut Linked::new(query, request, budget)?, query, request, budget);
    if !std::mem::replace(used, true) {
        // The thread's own context, which is made where it is first used, with the same configuration.
        // A context takes 17 MB before it holds anything, so one more is felt.
        return ask();
    }
    z3::with_z3_config(&z3::Config::new(), ask)
}
