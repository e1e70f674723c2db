//! `cache-core` beside other caches and stores: what `cargo xtask bench core` runs.
//!
//! Each figure is one line of JSON: what was measured (`group`), of what (`system`), `value` and `unit`. Times are
//! processor time of the whole process, threads of the other systems included, of one operation; of several rounds
//! that alternate between the systems the least counts, so that a busy machine shows in none of them more than in
//! another. All systems get the same keys (both digests of a question) and the same answers.
//!
//! - `memory`: look-ups of what is held in memory;
//! - `disk`: puts, gets, opening a folder, and the room that an entry takes;
//! - `keys`: making keys;
//! - `remote`: hits over loopback, where nginx and redis-server are installed; elapsed time, as the server
//!   takes most of it.
//!
//! `cache-core-peers [ROUNDS [GROUP]]` measures one group alone, where one is named.

mod disk;
mod keys;
mod memory;
mod remote;
mod subject;

use std::error::Error;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// How often everything is done: enough for the least to stand still.
const ROUNDS: usize = 5;

/// One figure.
#[derive(serde::Serialize)]
struct Row<'a> {
    group: &'a str,
    what: &'a str,
    system: &'a str,
    value: f64,
    unit: &'a str,
}

/// Measures a group, in so many rounds.
type Measure = fn(usize) -> Result<(), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().map_or(Ok(ROUNDS), |text| text.parse())?;
    let only = arguments.next();
    let groups: [(&str, Measure); 4] = [
        ("keys", keys::measure),
        ("memory", memory::measure),
        ("disk", disk::measure),
        ("remote", remote::measure),
    ];
    for (group, measure) in groups {
        if only.as_deref().is_none_or(|only| only == group) {
            measure(rounds)?;
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a benchmark's output is its purpose")]
fn tell(group: &str, what: &str, system: &str, value: f64, unit: &str) -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string(&Row { group, what, system, value, unit })?);
    Ok(())
}

/// Processor time of this process so far.
fn spent() -> Result<Duration, Box<dyn Error>> {
    Ok(Duration::from(clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?))
}

/// Nanoseconds of processor time that each of `count` operations takes, which `act` does all of.
fn each(count: u64, act: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let before = spent()?;
    act()?;
    Ok((spent()? - before).as_nanos() as f64 / count as f64)
}

/// The least of several rounds for each of several systems.
#[derive(Default)]
struct Least(Vec<(&'static str, &'static str, f64, &'static str)>);

impl Least {
    fn add(&mut self, what: &'static str, system: &'static str, value: f64, unit: &'static str) {
        match self.0.iter_mut().find(|row| row.0 == what && row.1 == system) {
            Some(row) => row.2 = row.2.min(value),
            None => self.0.push((what, system, value, unit)),
        }
    }

    fn tell(&self, group: &str) -> Result<(), Box<dyn Error>> {
        self.0.iter().try_for_each(|(what, system, value, unit)| tell(group, what, system, *value, unit))
    }
}
