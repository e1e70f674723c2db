//! Digests of texts: MD5 and those of the SHA families, as lists of bytes; numbers for terms without variables.

use super::atoms::text_of_cell;
use super::lists::list_argument;
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Tag, atom};
use cache_core::digest::Encoder;
use md5::{Digest as _, Md5};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

pub(super) fn define(machine: &mut Machine) {
    // '$digest'(Algorithm, Encoding, Text, Bytes)
    machine.define_builtin("$digest", 4, |m| {
        let text = bytes(m, 1, 2)?;
        let algorithm = m.argument(0);
        let name = if algorithm.tag() == Tag::Atm { m.atoms.text(algorithm.as_atom()) } else { "" };
        let digest: Vec<u8> = match name {
            "md5" => Md5::digest(&text).to_vec(),
            "sha1" => Sha1::digest(&text).to_vec(),
            "sha224" => Sha224::digest(&text).to_vec(),
            "sha256" => Sha256::digest(&text).to_vec(),
            "sha384" => Sha384::digest(&text).to_vec(),
            "sha512" => Sha512::digest(&text).to_vec(),
            _ if algorithm.tag() == Tag::Ref => return m.instantiation_error(),
            _ => return m.domain_error("algorithm", algorithm),
        };
        unify_bytes(m, 3, &digest)
    });
    // '$text_bytes'(Encoding, Text, Bytes)
    machine.define_builtin("$text_bytes", 3, |m| {
        let text = bytes(m, 0, 1)?;
        unify_bytes(m, 2, &text)
    });
    // '$term_hash'(Term, Hash): a number of 24 bits; none for a term with variables. Fails for a cyclic term.
    machine.define_builtin("$term_hash", 2, |m| {
        let term = m.argument(0);
        if !m.store.is_acyclic(term) {
            return Ok(false);
        }
        match ground_hash(m, term) {
            Some(hash) => Ok(m.unify_argument(1, Cell::int((hash & 0x00ff_ffff) as i64))),
            None => Ok(true),
        }
    });
}

/// Of the term's parts, in order: the texts of names, not their numbers, which differ from run to run. `None` for a term
/// with variables.
fn ground_hash(m: &Machine, term: Cell) -> Option<u64> {
    let mut parts = Encoder::new();
    let mut pending = vec![term];
    while let Some(cell) = pending.pop() {
        let cell = m.store.deref(cell);
        parts.variant(cell.tag() as u32);
        match cell.tag() {
            Tag::Ref => return None,
            Tag::Int => parts.i64(cell.int_value()),
            Tag::Box => parts.text(&super::written::canonical_text(m, cell)),
            Tag::Atm | Tag::Txt => parts.text(m.atoms.text(cell.as_atom())),
            _ => {
                let (name, arity) = m.store.functor(cell)?;
                parts.text(m.atoms.text(name));
                parts.sequence(arity);
                let (first, count) = m.store.arguments(cell);
                pending.extend((first..first + count).rev().map(|i| m.store.at(i)));
            }
        }
    }
    Some(parts.digest().low())
}

fn unify_bytes(m: &mut Machine, i: usize, bytes: &[u8]) -> Outcome {
    let cells: Vec<Cell> = bytes.iter().map(|&byte| Cell::int(i64::from(byte))).collect();
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(i, list))
}

/// The bytes of a text in an encoding, both arguments by number. In `octet` a character is a byte.
fn bytes(m: &mut Machine, encoding: usize, text: usize) -> Result<Vec<u8>, Throw> {
    let (encoding, cell) = (m.argument(encoding), m.argument(text));
    let name =
        if encoding.tag() == Tag::Atm { m.atoms.text(encoding.as_atom()).to_owned() } else { String::new() };
    match &*name {
        // The empty list is a text without codes.
        "utf8" | "octet" if cell == Cell::atom(atom::NIL) => Ok(Vec::new()),
        "utf8" => Ok(text_of_cell(m, cell)?.into_bytes()),
        "octet" if cell.tag() == Tag::Lis => {
            let mut bytes = Vec::new();
            for element in list_argument(m, text)? {
                match u8::try_from(if element.tag() == Tag::Int { element.int_value() } else { -1 }) {
                    Ok(byte) => bytes.push(byte),
                    Err(_) => return m.type_error_named("byte", element),
                }
            }
            Ok(bytes)
        }
        "octet" => {
            let characters = text_of_cell(m, cell)?;
            let bytes: Result<Vec<u8>, _> = characters.chars().map(u8::try_from).collect();
            match bytes {
                Ok(bytes) => Ok(bytes),
                Err(_) => m.representation_error("encoding"),
            }
        }
        _ => m.domain_error("encoding", encoding),
    }
}
