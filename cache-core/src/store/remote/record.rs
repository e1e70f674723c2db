//! The bytes of a record in a remote cache: pure, no input may panic it.
//!
//! ```text
//! what        bytes  signed
//! field        2-6     no    `stdout_raw` of an `ActionResult` of Bazel's protocol, and its length
//! version        1     no    of this layout; the address depends on it too
//! hint           8     no    how the signer's public key begins
//! signature     64     no    ed25519, of the root of the batch in which the record was sent
//! path     2 + 32n     no    n siblings on the way to that root
//!               48    yes    the question's two digests, which are not sent: the asker has them
//! encoding       1    yes    0: as it is, 1: LZ4
//! length         4    yes    of the payload, little-endian
//! others         2    yes    m, little-endian
//!              16m    yes    digests of other signers' public keys, on whose answers this one may rest
//! body                yes    the payload, encoded
//! ```
//!
//! What is signed of a record is its leaf, which leads to the root by the path and by no other ([`batch`]).
//! The question is signed and not sent, so a record that is given for another question is signed by nobody. Nothing
//! of a record is decoded before its signature is known to be good, but for the path. Servers of Bazel's protocol may
//! insist that a record is an `ActionResult`, and may add fields of their own; so it is one, and others' fields are
//! passed over.

use super::batch::{self, Node, Path, Signed};
use super::keys::{Fingerprint, SecretKey, Trust};
use crate::digest::Confirm;
use crate::key::Checksum;
use crate::store::MAX_PAYLOAD;

/// Said before everything that is signed, so that a signature made for another purpose is none here.
const PURPOSE: &[u8] = b"reprise remote record 3\0";
const VERSION: u8 = 3;
const PLAIN: u8 = 0;
const LZ4: u8 = 1;
/// Field 5, length-delimited.
const FIELD: u64 = 5;
/// Payloads shorter than this are not compressed.
const COMPRESS_FROM: usize = 64;

/// Why a record is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Refused {
    /// It is not laid out as a record.
    Malformed,
    /// It is laid out as another version's.
    Foreign,
    /// It says that it is signed by a key that is not trusted.
    Stranger,
    /// It says that it is signed by a trusted key, which did not sign it for this question.
    Forged,
    /// It may rest on what a key signed that is not trusted.
    Resting,
}

/// What is sent.
pub(super) struct Outgoing {
    pub(super) id: Checksum,
    /// Not longer than [`MAX_PAYLOAD`].
    pub(super) payload: Vec<u8>,
    /// On whose answers it may rest, beside the signer's; fewer than 2^16.
    pub(super) others: Vec<Fingerprint>,
}

/// What a record holds.
pub(super) struct Opened {
    pub(super) payload: Vec<u8>,
    /// Which of the trusted keys signed it.
    pub(super) signer: usize,
    /// On whose answers it may rest beside: trusted keys, and the reader's own.
    pub(super) others: Vec<Fingerprint>,
}

/// Where a record lies: 64 hexadecimal digits.
pub(super) fn address(id: &Checksum) -> String {
    Confirm::of(&[PURPOSE, &id.digest.to_bytes(), &id.confirm.to_bytes()].concat()).to_string()
}

/// The records of what is sent, in its order, under one signature for each [`batch::MOST`] of them.
pub(super) fn seal(outgoing: &[Outgoing], key: &SecretKey) -> Vec<Vec<u8>> {
    outgoing.chunks(batch::MOST).flat_map(|some| seal_batch(some, key)).collect()
}

fn seal_batch(outgoing: &[Outgoing], key: &SecretKey) -> Vec<Vec<u8>> {
    let contents: Vec<Vec<u8>> = outgoing.iter().map(content).collect();
    let leaves: Vec<Node> =
        outgoing.iter().zip(&contents).map(|(sent, content)| leaf(&sent.id, content)).collect();
    let (root, paths) = batch::tree(&leaves);
    let mut head = vec![VERSION];
    head.extend(key.public().hint());
    head.extend(key.sign(&statement(root)));
    let record = |(path, content): (Path, Vec<u8>)| {
        let mut record = head.clone();
        path.write(&mut record);
        record.extend(content);
        let mut message = Vec::with_capacity(6 + record.len());
        write_varint(&mut message, FIELD << 3 | 2);
        write_varint(&mut message, record.len() as u64);
        message.extend(record);
        message
    };
    paths.into_iter().zip(contents).map(record).collect()
}

/// What a record says of its payload: encoding, length, others, body.
fn content(Outgoing { id: _, payload, others }: &Outgoing) -> Vec<u8> {
    let packed = if payload.len() < COMPRESS_FROM { Vec::new() } else { lz4_flex::block::compress(payload) };
    let smaller = !packed.is_empty() && packed.len() < payload.len();
    let (encoding, body) = if smaller { (LZ4, packed.as_slice()) } else { (PLAIN, payload.as_slice()) };
    #[expect(clippy::cast_possible_truncation, reason = "within MAX_PAYLOAD, and within what was said")]
    let (length, count) = (payload.len() as u32, others.len() as u16);
    let mut content = Vec::with_capacity(7 + others.as_flattened().len() + body.len());
    content.push(encoding);
    content.extend(length.to_le_bytes());
    content.extend(count.to_le_bytes());
    content.extend_from_slice(others.as_flattened());
    content.extend_from_slice(body);
    content
}

/// What a record holds, if a trusted key signed it for this question, and it rests on nothing that another key signed
/// but trusted ones and the reader's `own`. With the planted lie nobody need have signed anything.
pub(super) fn open(
    id: &Checksum,
    record: &[u8],
    (trust, own): (&Trust, Option<&Fingerprint>),
    signed: &Signed,
    planted: bool,
) -> Result<Opened, Refused> {
    let record = field(record).ok_or(Refused::Malformed)?;
    match record.first() {
        Some(&VERSION) => {}
        Some(_) => return Err(Refused::Foreign),
        None => return Err(Refused::Malformed),
    }
    let (hint, rest) = record[1..].split_first_chunk::<8>().ok_or(Refused::Malformed)?;
    let (signature, rest) = rest.split_first_chunk::<64>().ok_or(Refused::Malformed)?;
    let (path, content) = Path::read(rest).ok_or(Refused::Malformed)?;
    if !trust.knows(*hint) && !planted {
        return Err(Refused::Stranger);
    }
    let root = path.root(leaf(id, content));
    let claim = (*hint, root, *signature);
    let signer = signed.by(claim, || trust.signer(*hint, &statement(root), signature));
    let signer = signer.or(planted.then_some(0)).ok_or(Refused::Forged)?;
    // From here on the bytes are those that the signer wrote.
    let (encoding, rest) = content.split_first().ok_or(Refused::Malformed)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or(Refused::Malformed)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (count, rest) = rest.split_first_chunk::<2>().ok_or(Refused::Malformed)?;
    let named = usize::from(u16::from_le_bytes(*count)) * size_of::<Fingerprint>();
    let (named, body) = rest.split_at_checked(named).ok_or(Refused::Malformed)?;
    let others: Vec<Fingerprint> = named.as_chunks().0.to_vec();
    if !planted && !trust.covers(&others, own) {
        return Err(Refused::Resting);
    }
    let payload = match *encoding {
        _ if length > MAX_PAYLOAD => return Err(Refused::Malformed),
        PLAIN => body.to_vec(),
        LZ4 => lz4_flex::block::decompress(body, length).map_err(|_| Refused::Malformed)?,
        _ => return Err(Refused::Foreign),
    };
    if payload.len() == length { Ok(Opened { payload, signer, others }) } else { Err(Refused::Malformed) }
}

/// What is signed of a record.
fn leaf(id: &Checksum, content: &[u8]) -> Node {
    batch::leaf(&[&id.digest.to_bytes(), &id.confirm.to_bytes(), content])
}

/// What is signed of a batch.
fn statement(root: Node) -> Vec<u8> {
    [PURPOSE, &root].concat()
}

/// The field of a message that holds the record.
fn field(mut message: &[u8]) -> Option<&[u8]> {
    let mut found = None;
    while !message.is_empty() {
        let tag = read_varint(&mut message)?;
        let length = match tag & 7 {
            0 => {
                read_varint(&mut message)?;
                0
            }
            1 => 8,
            2 => usize::try_from(read_varint(&mut message)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (content, rest) = message.split_at_checked(length)?;
        if tag == (FIELD << 3 | 2) {
            found = Some(content);
        }
        message = rest;
    }
    found
}

fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
