//! The index of a pack to which nothing is appended any more.
//!
//! Sorted by digest, with a fan-out table over the digests' highest bits, and searched in place by
//! positional reads: opening one reads its header of 64 bytes, a look-up reads one slot of the table
//! and one bucket (16 entries on average), however many entries there are. Header and buckets carry
//! checksums, so that an altered index is noticed and set aside (the pack itself is then scanned)
//! instead of hiding a newer entry behind an older one.

use std::io;

use super::format::{
    self, Header, INDEX_ENTRY, INDEX_HEADER, IndexEntry, IndexHeader, SLOT, Slot, bucket_checksum, bucket_of,
};
use crate::digest::Digest;
use crate::store::storage::StoredFile;

/// Entries per bucket that the size of the table aims at.
const PER_BUCKET: u64 = 16;

/// An index, whose file is given where it is read.
pub(crate) struct Index {
    header: IndexHeader,
}

/// What an index says about a digest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    Found(IndexEntry),
    Absent,
    /// The index cannot be used.
    Damaged,
}

impl Index {
    /// Opens the index of the pack `token`, whose file has `pack_length` bytes.
    pub(crate) fn open(file: &dyn StoredFile, token: u64, pack_length: u64) -> io::Result<Header<Self>> {
        let mut bytes = [0; INDEX_HEADER];
        let read = file.read_at(&mut bytes, 0)?;
        let header = match format::parse_index_header(&bytes[..read]) {
            Header::Ours(header) => header,
            Header::Foreign => return Ok(Header::Foreign),
            Header::Damaged => return Ok(Header::Damaged),
        };
        // A pack may have been cut off (its records are then damaged, which is for them to say), but one
        // that is longer than its index says holds entries that the index does not know.
        let fits = header.token == token
            && pack_length <= header.pack_length
            && header.file_length() == Some(file.length()?);
        Ok(if fits { Header::Ours(Self { header }) } else { Header::Damaged })
    }

    /// Entries.
    pub(crate) fn count(&self) -> u64 {
        self.header.count
    }

    /// The highest sequence number in the pack.
    pub(crate) fn max_sequence(&self) -> u64 {
        self.header.max_sequence
    }

    /// Finds the record of a digest. Of the entries beside it in the bucket no more is looked at than their digests.
    pub(crate) fn find(&self, file: &dyn StoredFile, digest: Digest) -> io::Result<Lookup> {
        let Some(bytes) = self.bucket(file, bucket_of(digest, self.header.bits))? else {
            return Ok(Lookup::Damaged);
        };
        let (entries, _) = bytes.as_chunks::<INDEX_ENTRY>();
        let wanted = digest.to_bytes();
        // There is one entry for each digest; of several, which only a forger writes, the last counts.
        let found = entries.iter().rev().find(|entry| entry.starts_with(&wanted));
        Ok(match found.map(IndexEntry::parse) {
            None => Lookup::Absent,
            Some(None) => Lookup::Damaged,
            Some(Some(entry)) => Lookup::Found(entry),
        })
    }

    /// Gives every entry in order of the digests; says whether the whole index could be read.
    pub(crate) fn each(&self, file: &dyn StoredFile, mut visit: impl FnMut(IndexEntry)) -> io::Result<bool> {
        let mut count = 0;
        for bucket in 0..1_u64 << self.header.bits {
            let Some(bytes) = self.bucket(file, bucket)? else { return Ok(false) };
            let (entries, _) = bytes.as_chunks::<INDEX_ENTRY>();
            for entry in entries {
                let Some(entry) = IndexEntry::parse(entry) else { return Ok(false) };
                count += 1;
                visit(entry);
            }
        }
        Ok(count == self.header.count)
    }

    /// The entries of one bucket as bytes; nothing where it is damaged.
    fn bucket(&self, file: &dyn StoredFile, bucket: u64) -> io::Result<Option<Vec<u8>>> {
        let IndexHeader { token, bits, count, .. } = self.header;
        let mut slot = [0; SLOT];
        if file.read_at(&mut slot, INDEX_HEADER as u64 + bucket * SLOT as u64)? < SLOT {
            return Ok(None);
        }
        let slot = Slot::parse(&slot);
        if u64::from(slot.first) + u64::from(slot.count) > count {
            return Ok(None);
        }
        let table_end = INDEX_HEADER as u64 + ((SLOT as u64) << bits);
        // Honest buckets are small; a forged count is bounded by the file's length, which was checked.
        let mut bytes = vec![0; slot.count as usize * INDEX_ENTRY];
        let read = file.read_at(&mut bytes, table_end + u64::from(slot.first) * INDEX_ENTRY as u64)?;
        let checksum = bucket_checksum(token, bucket, slot.first, slot.count, &bytes);
        Ok((read == bytes.len() && checksum == slot.checksum).then_some(bytes))
    }
}

/// The whole index of a pack: `entries` in any order, one per digest.
pub(crate) fn build(token: u64, pack_length: u64, mut entries: Vec<IndexEntry>) -> Vec<u8> {
    entries.sort_unstable_by_key(|entry| entry.digest);
    let count = entries.len() as u64;
    let bits = count.div_ceil(PER_BUCKET).next_power_of_two().trailing_zeros();
    let max_sequence = entries.iter().map(|entry| entry.sequence).max().unwrap_or(0);
    let mut bytes = format::index_header(&IndexHeader { token, bits, count, pack_length, max_sequence });
    let table_end = INDEX_HEADER + (SLOT << bits);
    bytes.resize(table_end, 0);
    for entry in &entries {
        bytes.extend_from_slice(&entry.to_bytes());
    }
    let mut first = 0;
    for bucket in 0..1_usize << bits {
        let here = entries[first..].iter().take_while(|entry| bucket_of(entry.digest, bits) == bucket as u64);
        let end = first + here.count();
        let range = table_end + first * INDEX_ENTRY..table_end + end * INDEX_ENTRY;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a pack holds fewer than 2^32 entries of 66 bytes"
        )]
        let (from, length) = (first as u32, (end - first) as u32);
        let checksum = bucket_checksum(token, bucket as u64, from, length, &bytes[range]);
        let at = INDEX_HEADER + bucket * SLOT;
        bytes[at..at + SLOT].copy_from_slice(&Slot { first: from, count: length, checksum }.to_bytes());
        first = end;
    }
    bytes
}
