//! The bytes on disk, as `docs/format.md` describes them. Pure: bytes to values and back, no files.
//!
//! All integers are little-endian, all checksums are xxh3-64. Every file begins with a magic word and
//! the version of its format, in the same place in every version ever; nothing behind the version is
//! looked at where that is not ours. Checksums come last, behind what they protect.

use xxhash_rust::xxh3::xxh3_64;

use crate::digest::{Confirm, Digest};
use crate::key::Checksum;

/// Version of the format of packs, indexes and large files.
pub(crate) const VERSION: u32 = 2;

pub(crate) const PACK_MAGIC: [u8; 8] = *b"REPRPACK";
pub(crate) const INDEX_MAGIC: [u8; 8] = *b"REPRINDX";
pub(crate) const LARGE_MAGIC: [u8; 8] = *b"REPRLARG";
pub(crate) const USAGE_MAGIC: [u8; 8] = *b"REPRUSED";

/// Length of a pack's header.
pub(crate) const PACK_HEADER: usize = 32;
/// Length of a record without its payload and checksum.
pub(crate) const RECORD_HEADER: usize = 58;
/// Length of a checksum.
pub(crate) const CHECKSUM: usize = 8;
/// Longest payload inside a pack. A record that claims more is damaged.
pub(crate) const MAX_INLINE: usize = 1 << 20;
/// Length of an index's header.
pub(crate) const INDEX_HEADER: usize = 64;
/// Length of a bucket's slot in the fan-out table.
pub(crate) const SLOT: usize = 16;
/// Length of an entry of an index.
pub(crate) const INDEX_ENTRY: usize = 30;
/// Length of a large file without its payload and checksum.
pub(crate) const LARGE_HEADER: usize = 72;
/// Length of the file `maintenance`.
pub(crate) const USAGE_FILE: usize = 32;
/// Sequence numbers from here on are damage: none is ever reached by counting, at a million puts in a second for
/// eight years.
pub(crate) const SEQUENCE_END: u64 = 1 << 48;
/// Longest pack that is written: offsets have 40 bits.
pub(crate) const MAX_PACK: u64 = 1 << 39;

/// State of a record: it counts.
pub(crate) const LIVE: u8 = 1;
/// State of a record: struck out in place.
pub(crate) const STRUCK: u8 = 0;

/// What a file's first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header<T> {
    /// Ours.
    Ours(T),
    /// The same kind of file in another version.
    Foreign,
    /// Not such a file, or damaged.
    Damaged,
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// An entry with its payload.
    Inline = 1,
    /// An entry whose payload is in a file of its own.
    Large = 2,
    /// The entry of this digest was removed.
    Tombstone = 3,
}

impl Kind {
    pub(crate) fn of(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Inline),
            2 => Some(Self::Large),
            3 => Some(Self::Tombstone),
            _ => None,
        }
    }
}

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) state: u8,
    pub(crate) kind: Kind,
    /// Length of the payload.
    pub(crate) length: u32,
    pub(crate) sequence: u64,
    pub(crate) id: Checksum,
}

impl Record {
    /// Length of the whole record for a payload of `length` bytes.
    pub(crate) fn size(length: u32) -> u64 {
        RECORD_HEADER as u64 + u64::from(length) + CHECKSUM as u64
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}

/// A little-endian integer of `N` bytes, at most eight.
fn short_at<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let mut out = [0; 8];
    out[..N].copy_from_slice(&bytes[at..at + N]);
    u64::from_le_bytes(out)
}

/// The `N` lowest bytes of an integer.
fn short<const N: usize>(value: u64) -> [u8; N] {
    array(&value.to_le_bytes(), 0)
}

/// Kind and length of a record share three bytes: the length, which is at most [`MAX_INLINE`], has the lower 22 bits.
const KIND_SHIFT: u32 = 22;

fn kind_and_length(kind: Kind, length: u32) -> [u8; 3] {
    short(u64::from(kind as u8) << KIND_SHIFT | u64::from(length))
}

fn kind_and_length_at(bytes: &[u8], at: usize) -> Option<(Kind, u32)> {
    let both = short_at::<3>(bytes, at);
    let kind = Kind::of((both >> KIND_SHIFT).to_le_bytes()[0])?;
    let length = u32::try_from(both & ((1 << KIND_SHIFT) - 1)).ok()?;
    (length as usize <= MAX_INLINE).then_some((kind, length))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

/// Splits off the checksum at the end and says whether it is that of `bytes` from `from` on.
fn checked(bytes: &[u8], from: usize) -> bool {
    bytes
        .split_last_chunk::<CHECKSUM>()
        .is_some_and(|(body, sum)| body.len() >= from && xxh3_64(&body[from..]) == u64::from_le_bytes(*sum))
}

fn push_checksum(bytes: &mut Vec<u8>, from: usize) {
    let sum = xxh3_64(&bytes[from..]);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// Reads magic and version, then the rest of a header whose last bytes are its checksum.
fn header<T>(
    bytes: &[u8],
    length: usize,
    magic: [u8; 8],
    rest: impl FnOnce(&[u8]) -> Option<T>,
) -> Header<T> {
    if bytes.len() < 12 || bytes[..8] != magic {
        return Header::Damaged;
    }
    if u32_at(bytes, 8) != VERSION {
        return Header::Foreign;
    }
    if bytes.len() < length || !checked(&bytes[..length], 0) {
        return Header::Damaged;
    }
    rest(bytes).map_or(Header::Damaged, Header::Ours)
}

/// The header of the pack `token`.
pub(crate) fn pack_header(token: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PACK_HEADER);
    bytes.extend_from_slice(&PACK_MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&token.to_le_bytes());
    push_checksum(&mut bytes, 0);
    bytes
}

/// The token of a pack from its header.
pub(crate) fn parse_pack_header(bytes: &[u8]) -> Header<u64> {
    header(bytes, PACK_HEADER, PACK_MAGIC, |bytes| Some(u64_at(bytes, 16)))
}

/// A whole live record.
pub(crate) fn record(kind: Kind, sequence: u64, id: &Checksum, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(RECORD_HEADER + payload.len() + CHECKSUM);
    bytes.push(LIVE);
    #[expect(clippy::cast_possible_truncation, reason = "callers keep inline payloads within MAX_INLINE")]
    bytes.extend_from_slice(&kind_and_length(kind, payload.len() as u32));
    bytes.extend_from_slice(&short::<6>(sequence));
    bytes.extend_from_slice(&id.digest.to_bytes());
    bytes.extend_from_slice(&id.confirm.to_bytes());
    bytes.extend_from_slice(payload);
    push_checksum(&mut bytes, 1);
    bytes
}

/// The header of a record, unchecked but for what makes its length believable.
pub(crate) fn parse_record_header(bytes: &[u8; RECORD_HEADER]) -> Option<Record> {
    let (kind, length) = kind_and_length_at(bytes, 1)?;
    let record = Record {
        state: bytes[0],
        kind,
        length,
        sequence: short_at::<6>(bytes, 4),
        id: Checksum {
            digest: Digest::from_bytes(array(bytes, 10)),
            confirm: Confirm::from_bytes(array(bytes, 26)),
        },
    };
    (record.state <= LIVE).then_some(record)
}

/// A whole record and its payload, or nothing where any byte but the state is not as it was written.
pub(crate) fn parse_record(bytes: &[u8]) -> Option<(Record, &[u8])> {
    let record = parse_record_header(bytes.first_chunk()?)?;
    let whole = Record::size(record.length) == bytes.len() as u64 && checked(bytes, 1);
    whole.then(|| (record, &bytes[RECORD_HEADER..bytes.len() - CHECKSUM]))
}

/// What an index says of its pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexHeader {
    /// The pack.
    pub(crate) token: u64,
    /// The number of buckets is two to the power of this.
    pub(crate) bits: u32,
    /// Entries.
    pub(crate) count: u64,
    /// Length of the pack that the index covers.
    pub(crate) pack_length: u64,
    /// The highest sequence number in the pack.
    pub(crate) max_sequence: u64,
}

impl IndexHeader {
    /// Length of the whole index file; nothing where that is no honest number.
    pub(crate) fn file_length(&self) -> Option<u64> {
        let table = (SLOT as u64).checked_shl(self.bits)?;
        let entries = self.count.checked_mul(INDEX_ENTRY as u64)?;
        (INDEX_HEADER as u64).checked_add(table)?.checked_add(entries)
    }
}

/// The header of an index.
pub(crate) fn index_header(index: &IndexHeader) -> Vec<u8> {
    let IndexHeader { token, bits, count, pack_length, max_sequence } = *index;
    let mut bytes = Vec::with_capacity(INDEX_HEADER);
    bytes.extend_from_slice(&INDEX_MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(&token.to_le_bytes());
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(&pack_length.to_le_bytes());
    bytes.extend_from_slice(&max_sequence.to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    push_checksum(&mut bytes, 0);
    bytes
}

/// The header of an index from its bytes.
pub(crate) fn parse_index_header(bytes: &[u8]) -> Header<IndexHeader> {
    header(bytes, INDEX_HEADER, INDEX_MAGIC, |bytes| {
        let index = IndexHeader {
            bits: u32_at(bytes, 12),
            token: u64_at(bytes, 16),
            count: u64_at(bytes, 24),
            pack_length: u64_at(bytes, 32),
            max_sequence: u64_at(bytes, 40),
        };
        (index.bits <= 32 && index.max_sequence < SEQUENCE_END).then_some(index)
    })
}

/// A bucket's slot in the fan-out table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// Number of the bucket's first entry.
    pub(crate) first: u32,
    /// How many entries it has.
    pub(crate) count: u32,
    /// See [`bucket_checksum`].
    pub(crate) checksum: u64,
}

impl Slot {
    pub(crate) fn to_bytes(self) -> [u8; SLOT] {
        let mut bytes = [0; SLOT];
        bytes[..4].copy_from_slice(&self.first.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.count.to_le_bytes());
        bytes[8..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    pub(crate) fn parse(bytes: &[u8; SLOT]) -> Self {
        Self { first: u32_at(bytes, 0), count: u32_at(bytes, 4), checksum: u64_at(bytes, 8) }
    }
}

/// The checksum of a bucket: of its pack, its number, its slot and its entries, so that neither of
/// them can be taken for another's.
pub(crate) fn bucket_checksum(token: u64, bucket: u64, first: u32, count: u32, entries: &[u8]) -> u64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(&token.to_le_bytes());
    hasher.update(&bucket.to_le_bytes());
    hasher.update(&first.to_le_bytes());
    hasher.update(&count.to_le_bytes());
    hasher.update(entries);
    hasher.digest()
}

/// An entry of an index: where in the pack the newest record of a digest is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    pub(crate) digest: Digest,
    pub(crate) sequence: u64,
    pub(crate) offset: u64,
    /// Length of the payload.
    pub(crate) length: u32,
    pub(crate) kind: Kind,
}

impl IndexEntry {
    pub(crate) fn to_bytes(self) -> [u8; INDEX_ENTRY] {
        let mut bytes = [0; INDEX_ENTRY];
        bytes[..16].copy_from_slice(&self.digest.to_bytes());
        bytes[16..22].copy_from_slice(&short::<6>(self.sequence));
        bytes[22..27].copy_from_slice(&short::<5>(self.offset));
        bytes[27..].copy_from_slice(&kind_and_length(self.kind, self.length));
        bytes
    }

    pub(crate) fn parse(bytes: &[u8; INDEX_ENTRY]) -> Option<Self> {
        let (kind, length) = kind_and_length_at(bytes, 27)?;
        Some(Self {
            digest: Digest::from_bytes(array(bytes, 0)),
            sequence: short_at::<6>(bytes, 16),
            offset: short_at::<5>(bytes, 22),
            length,
            kind,
        })
    }
}

/// The bucket of a digest: its highest bits.
pub(crate) fn bucket_of(digest: Digest, bits: u32) -> u64 {
    let high = u64::from_le_bytes(array(&digest.to_bytes(), 8));
    // A shift by the whole width is no shift in Rust, hence the checked one.
    high.checked_shr(64 - bits).unwrap_or(0)
}

/// A large file up to its payload. Payload and checksum follow.
pub(crate) fn large_header(id: &Checksum, length: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LARGE_HEADER);
    bytes.extend_from_slice(&LARGE_MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&id.digest.to_bytes());
    bytes.extend_from_slice(&id.confirm.to_bytes());
    bytes
}

/// A whole large file.
pub(crate) fn large_file(id: &Checksum, payload: &[u8]) -> Vec<u8> {
    let mut bytes = large_header(id, payload.len() as u64);
    bytes.reserve_exact(payload.len() + CHECKSUM);
    bytes.extend_from_slice(payload);
    push_checksum(&mut bytes, 0);
    bytes
}

/// The id and the payload's length of a whole large file.
pub(crate) fn parse_large_file(bytes: &[u8]) -> Header<Checksum> {
    header(bytes, bytes.len(), LARGE_MAGIC, |bytes| {
        if bytes.len() < LARGE_HEADER + CHECKSUM {
            return None;
        }
        let whole = u64_at(bytes, 16) == (bytes.len() - LARGE_HEADER - CHECKSUM) as u64;
        whole.then(|| Checksum {
            digest: Digest::from_bytes(array(bytes, 24)),
            confirm: Confirm::from_bytes(array(bytes, 40)),
        })
    })
}

/// The file `maintenance`: how many bytes the folder held when it was last maintained.
pub(crate) fn usage_file(bytes: u64) -> Vec<u8> {
    let mut file = Vec::with_capacity(USAGE_FILE);
    file.extend_from_slice(&USAGE_MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&bytes.to_le_bytes());
    push_checksum(&mut file, 0);
    file
}

/// The bytes that [`usage_file`] wrote down; nothing where they are not known.
pub(crate) fn parse_usage_file(bytes: &[u8]) -> Option<u64> {
    match header(bytes, USAGE_FILE, USAGE_MAGIC, |bytes| Some(u64_at(bytes, 16))) {
        Header::Ours(bytes) => Some(bytes),
        Header::Foreign | Header::Damaged => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checksum proves that nothing was changed by accident, and nothing more.
    #[test]
    fn what_no_store_writes_is_damage_whatever_its_checksum_says() {
        let id = Checksum { digest: Digest::of(b"q"), confirm: Confirm::of(b"q") };
        let whole = IndexHeader { token: 7, bits: 3, count: 9, pack_length: 999, max_sequence: 5 };
        let header = |header: IndexHeader| parse_index_header(&index_header(&header));
        assert_eq!(header(whole), Header::Ours(whole));
        assert_eq!(
            header(IndexHeader { bits: 32, ..whole }),
            Header::Ours(IndexHeader { bits: 32, ..whole })
        );
        assert_eq!(header(IndexHeader { bits: 33, ..whole }), Header::Damaged);
        assert_eq!(header(IndexHeader { max_sequence: SEQUENCE_END, ..whole }), Header::Damaged);

        let file = large_file(&id, b"payload");
        assert_eq!(parse_large_file(&file), Header::Ours(id));
        // Behind the version, which says first whose they are.
        for length in 16..file.len() - CHECKSUM {
            let mut shorter = file[..length].to_vec();
            push_checksum(&mut shorter, 0);
            assert_eq!(parse_large_file(&shorter), Header::Damaged, "{length}");
        }
    }
}
