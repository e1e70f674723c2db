//! Any bytes as what comes from outside: tests, programs and answers from workers, entries of a cache. They are
//! refused, or they are what they say and are written as they were read.

#![no_main]

#[path = "../../tests/it/decoding_law.rs"]
mod decoding_law;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    decoding_law::decode_all(bytes);
});
