//! Five crates under `symexec`: what each says of itself holds for all inputs of a size. `docs/languages.md` tells
//! how it is built; the argument names the crate.

use reprise_symexec::{any, assume};

fn base64_decodes_what_it_encodes() {
    let bytes: [u8; 2] = any("bytes");
    let text = base64::encode(bytes);
    assert_eq!(base64::decode(&text).unwrap(), bytes);
}

fn hex_decodes_hexadecimal_digits_and_nothing_else() {
    let text: [u8; 3] = any("text");
    match hex::decode(&text[..2]) {
        Ok(bytes) => {
            let again = hex::encode(bytes);
            assert_eq!(again.as_bytes(), text[..2].to_ascii_lowercase());
        }
        Err(_) => assert!(!text[..2].iter().all(u8::is_ascii_hexdigit)),
    }
    assert!(hex::decode(text).is_err());
}

fn itoa_writes_what_the_standard_library_reads() {
    let number: i8 = any("number");
    let mut buffer = itoa::Buffer::new();
    assert_eq!(buffer.format(number).parse::<i8>(), Ok(number));
}

fn memchr_finds_what_a_loop_finds() {
    let hay: [u8; 4] = any("hay");
    assert_eq!(memchr::memchr(b'x', &hay), hay.iter().position(|byte| *byte == b'x'));
    let found = memchr::memmem::find(&hay, b"ab").is_some();
    assert_eq!(found, hay.windows(2).any(|pair| pair == b"ab"));
}

fn smallvec_inserts_and_moves_to_the_heap() {
    let count: u8 = any("count");
    assume(count < 6);
    let mut list: smallvec::SmallVec<[u8; 2]> = (0..count).collect();
    let at: u8 = any("at");
    assume(at <= count);
    list.insert(usize::from(at), 99);
    assert_eq!(list[usize::from(at)], 99);
    assert_eq!(list.spilled(), count >= 2);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("base64") => base64_decodes_what_it_encodes(),
        Some("hex") => hex_decodes_hexadecimal_digits_and_nothing_else(),
        Some("itoa") => itoa_writes_what_the_standard_library_reads(),
        Some("memchr") => memchr_finds_what_a_loop_finds(),
        Some("smallvec") => smallvec_inserts_and_moves_to_the_heap(),
        _ => println!("base64, hex, itoa, memchr or smallvec?"),
    }
}
