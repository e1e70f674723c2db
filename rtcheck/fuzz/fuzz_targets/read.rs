//! Any bytes as a program's text: the reader comes to its end, every place that it speaks of lies in the text, and
//! what it read is written so that it reads back as the same term.

#![no_main]

#[path = "../../tests/it/reader_law.rs"]
mod reader_law;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    reader_law::read_all(&String::from_utf8_lossy(bytes));
});
