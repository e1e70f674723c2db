//! The worker that answers questions: the only one that links Z3.
//!
//! `symexec` starts it and asks over its standard input and output. It refuses to start with another
//! version of Z3 than the one that is part of every key.

mod engine;

use std::process::ExitCode;

use cache_core::codec;
use symexec::solver::Z3_VERSION;
use symexec::solver::question::{Request, Response, Verdict};

fn main() -> ExitCode {
    // "Z3 5.4.0.0 hash" or "5.4.0.0": the version's first three numbers count.
    let found = z3::full_version();
    if !found.trim_start_matches("Z3 ").starts_with(&format!("{Z3_VERSION}.")) {
        say(&format!(
            "linked with Z3 {found}, but keys of stored answers say {Z3_VERSION}; run `cargo xtask setup`"
        ));
        return ExitCode::from(2);
    }
    let served = cache_core::worker::serve(|bytes| {
        let response = match codec::decode::<Request>(bytes) {
            Ok(request) => engine::answer(&request),
            Err(error) => Response {
                verdict: Verdict::Unknown(format!("the question cannot be read: {error}")),
                resource: 0,
            },
        };
        codec::encode(&response).unwrap_or_default()
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error.to_string());
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "the program's own edge; its parent shows it to users")]
fn say(text: &str) {
    eprintln!("symexec-solver: {text}");
}
