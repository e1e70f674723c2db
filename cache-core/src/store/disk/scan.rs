//! Reading a pack from front to back: how the records of a pack without an index are found.

use std::io;

use super::format::{self, RECORD_HEADER, Record, STRUCK};
use crate::store::storage::StoredFile;

/// How much is read at first: what a short run left, and no more pages are touched than it needs.
const FIRST: usize = 8 << 10;
/// How much is read at a time at most; each time four times as much.
const CHUNK: usize = 256 << 10;

/// Gives every whole record from `from` on with its offset, until the end of the file or the first bytes
/// that are no whole record (a torn tail, a record that is being written, damage). Returns the offset
/// behind the last whole record and whether the file ends there.
pub(crate) fn scan(
    file: &dyn StoredFile,
    from: u64,
    mut visit: impl FnMut(u64, &Record),
) -> io::Result<(u64, bool)> {
    let mut window = Window { file, start: from, bytes: Vec::new(), next: FIRST, ended: false };
    let mut offset = from;
    loop {
        let head = window.at(offset, RECORD_HEADER)?;
        if head.is_empty() {
            return Ok((offset, true));
        }
        let Some(header) = head.first_chunk().and_then(format::parse_record_header) else {
            return Ok((offset, false));
        };
        let size = Record::size(header.length);
        // Within MAX_INLINE, so it fits.
        let whole = window.at(offset, usize::try_from(size).unwrap_or(usize::MAX))?;
        // What was struck out because it is damaged does not end the pack. If its length is what is
        // damaged, the bytes found by it are no record.
        let struck = header.state == STRUCK && whole.len() as u64 == size;
        if !struck && format::parse_record(whole).is_none() {
            return Ok((offset, false));
        }
        visit(offset, &header);
        offset += size;
    }
}

/// A stretch of the file in memory.
struct Window<'a> {
    file: &'a dyn StoredFile,
    start: u64,
    bytes: Vec<u8>,
    /// How much is read next.
    next: usize,
    /// Whether the file ended behind these bytes when they were read.
    ended: bool,
}

impl Window<'_> {
    /// The bytes at `offset`, `length` of them or as many as there are. Offsets never go back.
    fn at(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let mut skip = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        if self.bytes.len().saturating_sub(skip) < length && !self.ended {
            self.bytes.clear();
            self.bytes.resize(length.max(self.next), 0);
            self.next = (self.next * 4).min(CHUNK);
            let read = self.file.read_at(&mut self.bytes, offset)?;
            self.ended = read < self.bytes.len();
            self.bytes.truncate(read);
            self.start = offset;
            skip = 0;
        }
        let rest = self.bytes.get(skip..).unwrap_or_default();
        Ok(&rest[..rest.len().min(length)])
    }
}
