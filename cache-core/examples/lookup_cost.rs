//! What a look-up costs, in instructions.
//!
//! ```text
//! lookup_cost WHAT COUNT
//! ```
//!
//! looks one of 256 held keys up COUNT times. Run it under `valgrind --tool=callgrind` with N and with
//! 2N look-ups and divide the difference by N: start-up and filling cancel out, and the result does not
//! depend on the machine's load. Build it with `--release`. WHAT is
//!
//! - `loop`: the same loop without a look-up, to be subtracted; `loop:u32` for keys of one word;
//! - a policy, `direct-mapped`, `lru`, `s3-fifo` or `unbounded`: keys are pairs of words (a term's address
//!   and its type); `direct-mapped:u32` for keys of one word;
//! - a policy with `+counting` behind it: the same with statistics.

use std::hint::black_box;
use std::process::ExitCode;

use cache_core::policy::{DirectMapped, Lru, Policy, S3Fifo, Unbounded};
use cache_core::table::{Counting, Recorder, Silent, Table, TableKey};

const ENTRIES: u32 = 256;

/// A key made of the number of the entry.
trait Numbered: TableKey {
    fn numbered(number: u32) -> Self;
}

impl Numbered for u32 {
    fn numbered(number: u32) -> Self {
        number % ENTRIES
    }
}

impl Numbered for (u32, u32) {
    fn numbered(number: u32) -> Self {
        (number % ENTRIES, 1)
    }
}

fn look_up<K: Numbered, P: Policy, R: Recorder>(count: u32) -> u32 {
    let mut table: Table<K, (), P, R> = Table::new(ENTRIES as usize);
    (0..ENTRIES).for_each(|number| table.insert(K::numbered(number), ()));
    let mut found = 0;
    for number in 0..count {
        found += u32::from(table.contains(black_box(K::numbered(number))));
    }
    found
}

fn no_look_up<K: Numbered>(count: u32) -> u32 {
    let mut found = 0;
    for number in 0..count {
        black_box(K::numbered(number));
        found += 1;
    }
    found
}

fn run(what: &str, count: u32) -> Option<u32> {
    Some(match what {
        "loop" => no_look_up::<(u32, u32)>(count),
        "loop:u32" => no_look_up::<u32>(count),
        "direct-mapped:u32" => look_up::<u32, DirectMapped, Silent>(count),
        "direct-mapped" => look_up::<(u32, u32), DirectMapped, Silent>(count),
        "direct-mapped+counting" => look_up::<(u32, u32), DirectMapped, Counting>(count),
        "lru" => look_up::<(u32, u32), Lru, Silent>(count),
        "lru+counting" => look_up::<(u32, u32), Lru, Counting>(count),
        "s3-fifo" => look_up::<(u32, u32), S3Fifo, Silent>(count),
        "s3-fifo+counting" => look_up::<(u32, u32), S3Fifo, Counting>(count),
        "unbounded" => look_up::<(u32, u32), Unbounded, Silent>(count),
        "unbounded+counting" => look_up::<(u32, u32), Unbounded, Counting>(count),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (what, count) = (arguments.next().unwrap_or_default(), arguments.next());
    let found =
        count.and_then(|count| count.parse().ok()).and_then(|count| Some((run(&what, count)?, count)));
    match found {
        Some((found, count)) if found == count => ExitCode::SUCCESS,
        // The figure would be that of a miss.
        Some(_) => ExitCode::FAILURE,
        None => ExitCode::from(2),
    }
}
