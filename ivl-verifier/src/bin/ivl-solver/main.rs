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
mod turns;

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
    // A panic is an answer; nobody reads standard error while it serves.
    std::panic::set_hook(Box::new(|_| {}));
    let mut used = false;
    match worker::serve(|bytes| codec::encode(&answer(bytes, &mut used)).unwrap_or_default()) {
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

/// Answers a request; `used` says whether the thread's own context was used before.
fn answer(bytes: &[u8], used: &mut bool) -> Reply {
    let failed = |reason: String| Reply::of(Response::failed(reason));
    let request: Request = match codec::decode(bytes) {
        Ok(request) => request,
        Err(error) => return failed(format!("the request cannot be read: {error}")),
    };
    match wire::read(&request.query) {
        // What the bindings of Z3 do not expect is a panic there; it concerns this query alone.
        Ok(query) => {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| turns::answer(&query, &request, used)))
                .unwrap_or_else(|panic| {
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                    failed(format!("the solver refused the query: {}", text.unwrap_or("for no known reason")))
                })
        }
        Err(error) => failed(error.to_string()),
    }
}
