//! The worker that answers questions: the only one that links Z3.
//!
//! `symexec` starts it and asks over its standard input and output. It refuses to start with another
//! version of Z3 than the one that is part of every key. Started as `symexec-solver --program FAMILY PROGRAM` it puts
//! questions to another solver's program, and those which that one cannot answer to Z3.

mod engine;
mod program;

use std::process::ExitCode;

use cache_core::codec;
use program::Outside;
use symexec::base::system::{RealSystem, System};
use symexec::solver::Z3_VERSION;
use symexec::solver::engine::{Family, PROGRAM_FLAG};
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
    let mut outside = match outside(&RealSystem::default()) {
        Ok(outside) => outside,
        Err(error) => {
            say(&error);
            return ExitCode::from(2);
        }
    };
    let served = cache_core::worker::serve(|bytes| {
        let response = match (codec::decode::<Request>(bytes), &mut outside) {
            (Ok(request), None) => engine::answer(&request),
            (Ok(request), Some(outside)) => outside.answer(&request),
            (Err(error), _) => Response {
                verdict: Verdict::Unknown(format!("the question cannot be read: {error}")),
                resource: 0,
                buffers: false,
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

/// The program that is to answer instead of the linked Z3, if the arguments name one.
fn outside(system: &dyn System) -> Result<Option<Outside>, String> {
    let mut arguments = system.arguments().into_iter();
    let Some(flag) = arguments.next() else { return Ok(None) };
    if flag != PROGRAM_FLAG {
        return Err(format!("{} is not known here", flag.display()));
    }
    let family = arguments.next().and_then(|name| name.to_str()?.parse::<Family>().ok());
    let (Some(family), Some(program)) = (family, arguments.next()) else {
        return Err("expected a family of solvers and a program".to_owned());
    };
    let outside = Outside::new(family, program.into());
    #[cfg(feature = "plant")]
    let outside = match arguments.next() {
        Some(flag) if flag == symexec::solver::engine::LATE_FLAG => outside.late(),
        _ => outside,
    };
    Ok(Some(outside))
}

#[expect(clippy::print_stderr, reason = "the program's own edge; its parent shows it to users")]
fn say(text: &str) {
    eprintln!("symexec-solver: {text}");
}
