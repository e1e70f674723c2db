//! The reader on altered text: never a panic, always an end. The fuzz target `read` does the same with coverage.

use crate::reader_law::read_all;
use crate::support::fixture;

/// A small generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Pieces that mean something to the reader.
const PIECES: &[&str] = &[
    "'",
    "\"",
    "`",
    "0'",
    "\\",
    "\\x",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|",
    ".",
    ". ",
    ".\n",
    "%",
    "/*",
    "*/",
    "-",
    "- ",
    ":-",
    "-->",
    "=",
    "\\+",
    "dynamic ",
    "1.0e",
    "0x",
    "1_",
    "16'",
    "_",
    "X",
    "é",
    "∀",
    "\u{feff}",
    "\u{0}",
    "𝄞",
    "$VAR",
    "1.0Inf",
    " ",
    "\n",
    "\t",
    "a",
    "f(",
    "[]",
    "{}",
    "!",
    ";",
    "|| ",
    "is ",
    "9999999999999999999999",
];

#[test]
fn altered_programs_are_read_to_their_end() {
    let seeds =
        [include_str!("syntax.txt").replace(" || ", " .\n"), fixture("avl.pl"), fixture("amqueue.pl")];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut terms, mut errors) = (0, 0);
    for round in 0..6000 {
        let seed = seeds[round % seeds.len()].as_bytes();
        let start = random.below(seed.len());
        let mut bytes = seed[start..(start + 300).min(seed.len())].to_vec();
        for _ in 0..random.below(6) {
            let at = random.below(bytes.len() + 1);
            match random.below(5) {
                0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
                1 if at < bytes.len() => {
                    bytes.remove(at);
                }
                2 => {
                    let end = (at + random.below(20)).min(bytes.len());
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    let piece = PIECES[random.below(PIECES.len())];
                    bytes.splice(at..at, piece.bytes());
                }
            }
        }
        let found = read_all(&String::from_utf8_lossy(&bytes));
        terms += found.0;
        errors += found.1;
    }
    // The texts are worth reading: some are programs and some are not.
    assert!(terms > 5000 && errors > 5000, "{terms} {errors}");
}

#[test]
fn random_pieces_are_read_to_their_end() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut terms = 0;
    for _ in 0..6000 {
        let count = 1 + random.below(6);
        let text: String = (0..count).map(|_| PIECES[random.below(PIECES.len())]).collect();
        terms += read_all(&format!("{text} .\n{text}")).0;
    }
    assert!(terms > 1000, "{terms}");
}

#[test]
fn deep_and_open_texts_cost_their_length() {
    for piece in
        ["(", "[", "{", "f(", "- ", "-(", "\\+ ", "[a|", "a:-(", "- - [", "'", "0'", "a,", "/*", "\"a\" "]
    {
        let text = piece.repeat(200_000);
        let (_, errors) = read_all(&text);
        assert!(errors <= text.len(), "{piece}");
    }
}
