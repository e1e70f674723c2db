//! Any bytes as what the solver's program is sent, what it answers, and what is stored: all of it is read or
//! refused, and a query that is read is written as the same bytes.

#![no_main]

#[path = "../../tests/it/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    laws::bytes(bytes);
});
