//! The worker program of `ivl`: answers queries with Z3.
//!
//! It is started by `ivl` and talks to it over its standard input and output; nothing else in this
//! package links Z3. Every query is solved in a fresh context whose terms are made in the order of the
//! query, so that equal queries cost and answer the same, whatever was asked before.

mod build;
mod model;
mod operations;
mod settings;
mod solve;
mod theory;

use std::process::ExitCode;

use cache_core::{codec, worker};
use ivl_verifier::smt::answer::{Reply, Request, Response, SOLVER_VERSION};
use ivl_verifier::smt::wire;

fn main() -> ExitCode {
    let found = z3::full_version();
    if !found.split_whitespace().any(|word| word.trim_start_matches('v').starts_with(SOLVER_VERSION)) {
        return refuse(&format!(
            "this is Z3 {found}, but {SOLVER_VERSION} is needed: run `cargo xtask setup`"
        ));
    }
    let mut solved = 0_u64;
    match worker::serve(|bytes| codec::encode(&answer(bytes, &mut solved)).unwrap_or_default()) {
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

/// Answers a request; `solved` counts the queries that were put to the solver.
fn answer(bytes: &[u8], solved: &mut u64) -> Reply {
    let failed = |reason: String| Reply::of(Response::failed(reason));
    let request: Request = match codec::decode(bytes) {
        Ok(request) => request,
        Err(error) => return failed(format!("the request cannot be read: {error}")),
    };
    match wire::read(&request.query) {
        Ok(query) => {
            if let Err(reason) = settings::make(&query.options) {
                return failed(reason);
            }
            *solved += 1;
            if *solved == 1 {
                // The thread's own context, which is made where it is first used, with the same configuration.
                // A context takes 17 MB before it holds anything, so one more is felt.
                return solve::solve(&query, &request);
            }
            z3::with_z3_config(&z3::Config::new(), || solve::solve(&query, &request))
        }
        Err(error) => failed(error.to_string()),
    }
}
