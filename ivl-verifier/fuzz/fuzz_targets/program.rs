//! Any bytes as a program: it is read, resolved and checked, and what can be read is printed so that it reads
//! back the same.

#![no_main]

#[path = "../../tests/it/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    laws::program(&String::from_utf8_lossy(bytes));
});
