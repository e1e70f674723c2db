//! An engine in a child process: numbers are factored by trial division, which crashes for some and takes for ever for
//! others. Each of these costs one answer, and a hang its deadline once.
//!
//! Of two children that are asked at the same time the one that answers first ends the other's work ([`Cancel`]).
//!
//! The program starts itself: with the argument `worker` it is the child.
#![expect(clippy::print_stdout, reason = "a program whose user reads what it prints")]

use std::error::Error;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Provenance};
use cache_core::key::KeyBuilder;
use cache_core::limits::{Limits, MachineId};
use cache_core::worker::{Cancel, Supervisor, WorkerConfig, WorkerError, serve};
use serde::{Deserialize, Serialize};

/// How long a number may take.
const DEADLINE: Duration = Duration::from_millis(300);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Factor {
    Least(u64),
    OutOfTime,
}

impl Answer for Factor {
    fn out_of_limits(&self) -> bool {
        *self == Self::OutOfTime
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// The child's work: the least factor of a number. It has two faults.
pub(crate) fn factor(request: &[u8]) -> Vec<u8> {
    let number: u64 = String::from_utf8_lossy(request).parse().unwrap_or(0);
    if number == 0 {
        std::process::abort();
    }
    let mut divisor = 2;
    // One is never left.
    while !number.is_multiple_of(divisor) || number == 1 {
        divisor = divisor % u64::MAX + 1;
    }
    divisor.to_string().into_bytes()
}

/// Asks for some numbers, some of them twice; what was said, and how often a child was started.
pub(crate) fn report(
    child: WorkerConfig,
    numbers: &[u64],
    deadline: Duration,
) -> Result<String, Box<dyn Error>> {
    let mut worker = Supervisor::new(child);
    let mut cache: Cache<Factor> = Cache::new(CacheConfig::default());
    let limits = Limits {
        wall_ms: Some(u64::try_from(deadline.as_millis())?),
        machine: Some(MachineId("this machine".to_owned())),
        ..Limits::default()
    };
    let mut report = String::new();
    for number in numbers {
        let key =
            KeyBuilder::new("factor", 1).engine("trial division", "1").content("number", number).finish();
        let answered = cache.answer(&key, &limits, || {
            let answer = match worker.ask(number.to_string().as_bytes(), Some(deadline)) {
                Ok(said) => {
                    String::from_utf8_lossy(&said).parse().map(Factor::Least).map_err(|_| "no number")?
                }
                // It would take as long again.
                Err(WorkerError::Deadline { .. }) => Factor::OutOfTime,
                // Nothing is known of why, so the next request may do better.
                Err(_) => return Err("the engine failed"),
            };
            Ok(Asked { answer, cost: Cost::default() })
        });
        let words = match answered {
            Ok(answered) => match (answered.answer, answered.provenance) {
                (answer, Provenance::Fresh(_)) => format!("{answer:?}"),
                (answer, _) => format!("{answer:?}, from the cache"),
            },
            Err(error) => error.to_string(),
        };
        report.push_str(&format!("{number}: {words}\n"));
    }
    report.push_str(&format!("{} children\n", worker.starts()));
    Ok(report)
}

/// Asks two children at the same time; who answered first, and what became of the other.
pub(crate) fn race(child: &WorkerConfig, numbers: [u64; 2]) -> Result<String, Box<dyn Error>> {
    let (cancel, (told, said)) = (Cancel::new(), mpsc::channel());
    thread::scope(|scope| {
        for number in numbers {
            let (cancel, told) = (&cancel, told.clone());
            scope.spawn(move || {
                let mut worker = Supervisor::new(child.clone());
                let answer = worker.ask_unless(cancel, number.to_string().as_bytes(), None);
                if answer.is_ok() {
                    cancel.cancel();
                }
                // The receiver is there until both have said what they have to.
                told.send((number, answer)).ok();
            });
        }
    });
    drop(told);
    let mut report = String::new();
    for (number, answer) in said {
        let words = match answer {
            Ok(factor) => String::from_utf8(factor)?,
            Err(error) => error.to_string(),
        };
        report.push_str(&format!("{number}: {words}\n"));
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some("worker") {
        return Ok(serve(factor)?);
    }
    let child = WorkerConfig::new(std::env::current_exe()?).arguments(["worker"]);
    print!("{}", report(child.clone(), &[91, 0, 1, 77, 91, 1], DEADLINE)?);
    print!("{}", race(&child, [1, 91])?);
    Ok(())
}
