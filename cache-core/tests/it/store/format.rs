//! The document of the format and the code say the same: the files of its example are written and compared
//! byte by byte.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;

use cache_core::digest::{Confirm, Digest};
use cache_core::key::Checksum;
use cache_core::store::{DiskOptions, DiskStore, Store};
use tempfile::TempDir;

use super::faults::Faults;
use super::{files, fresh_folder, open, open_on, small};

/// The entry of the example: its digests are shown in full there.
fn example() -> Checksum {
    Checksum {
        digest: Digest::from_bytes(std::array::from_fn(|at| 0xa0 + u8::try_from(at).unwrap())),
        confirm: Confirm::from_bytes(std::array::from_fn(|at| 0xc0 + u8::try_from(at).unwrap())),
    }
}

/// Bytes as the document shows them: offset, sixteen bytes in hexadecimal.
fn dump(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (row, bytes) in bytes.chunks(16).enumerate() {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "{:04x}  {}", row * 16, bytes.join(" ")).unwrap();
    }
    text
}

/// Compares a file with the block of the document that follows the title `name`.
fn check(name: &str, bytes: &[u8]) {
    let document = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/format.md")).unwrap();
    let (_, rest) = document.split_once(&format!("Example: {name}\n")).unwrap();
    let (_, rest) = rest.split_once("```text\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let written = dump(bytes);
    assert_eq!(block, written, "docs/format.md and the code differ in the {name}:\n{written}");
}

fn written(options: DiskOptions, payload: &[u8]) -> TempDir {
    let folder = fresh_folder();
    let storage = Faults::with_token(0x0123_4567_89ab_cdef) as Arc<_>;
    let store = DiskStore::open_on(storage, folder.path().join("cache"), options).unwrap();
    store.put(&example(), payload).unwrap();
    store.maintain().unwrap();
    folder
}

#[test]
fn the_files_of_the_example_are_as_the_document_shows_them() {
    let folder = written(small(), b"unsat");
    check("a pack with one entry", &fs::read(&files(&folder, "packs", "0123456789abcdef.pack")[0]).unwrap());
    check("the maintenance file", &fs::read(&files(&folder, ".", "maintenance")[0]).unwrap());
    let folder = written(small().large_from(4), b"unsat");
    let name = "afaeadacabaaa9a8a7a6a5a4a3a2a1a0.large";
    check("a large file", &fs::read(&files(&folder, "large", name)[0]).unwrap());
}

#[test]
fn the_index_of_the_example_is_as_the_document_shows_it() {
    let folder = fresh_folder();
    for _ in 0..8 {
        open(&folder).put(&example(), b"unsat").unwrap();
    }
    // The eight packs are merged into one of the example's token, with the newest of the eight records.
    let store = open_on(&Faults::with_token(0x0123_4567_89ab_cdef), &folder);
    store.maintain().unwrap();
    assert!(!files(&folder, "packs", ".index").is_empty());
    assert_eq!(files(&folder, "packs", ".pack").len(), 1);
    check(
        "an index with one entry",
        &fs::read(&files(&folder, "packs", "0123456789abcdef.index")[0]).unwrap(),
    );
}
