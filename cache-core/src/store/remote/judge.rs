//! Judging the records that came: signatures are dear, so many are checked side by side.

use super::Remote;
use super::record::{self, Opened, Refused};
use crate::key::Checksum;
use crate::stats::MissReason;

/// Why there is no payload.
pub(super) enum Failed {
    Missing(MissReason),
    Refused(Refused),
}

/// What a record holds, if there was one.
pub(super) type Checked = Result<Option<Opened>, Failed>;

impl Remote {
    /// Checks and unpacks records, on as many threads as there are cores where there are many.
    pub(super) fn open_all(
        &self,
        ids: &[Checksum],
        records: Vec<Result<Option<Vec<u8>>, MissReason>>,
    ) -> Vec<Checked> {
        /// A thread is worth its start for so many signatures.
        const EACH: usize = 32;
        let trust = (&self.options.trust, self.own.as_ref());
        let open = |(id, record): (&Checksum, Result<Option<Vec<u8>>, MissReason>)| match record {
            Ok(Some(record)) => record::open(id, &record, trust, &self.signed, self.believes_all())
                .map(Some)
                .map_err(Failed::Refused),
            Ok(None) => Ok(None),
            Err(why) => Err(Failed::Missing(why)),
        };
        // To count the cores reads a dozen files, which takes as long as a request to a server nearby.
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = match ids.len() / EACH {
            few @ 0..2 => few,
            most => most.min(cores()),
        };
        if threads < 2 {
            return ids.iter().zip(records).map(open).collect();
        }
        let share = ids.len().div_ceil(threads);
        let mut records = records.into_iter();
        std::thread::scope(|scope| {
            let parts: Vec<_> = ids
                .chunks(share)
                .map(|ids| {
                    let records: Vec<_> = records.by_ref().take(ids.len()).collect();
                    let part =
                        scope.spawn(move || ids.iter().zip(records).map(open).collect::<Vec<Checked>>());
                    (ids.len(), part)
                })
                .collect();
            let lost = |count| (0..count).map(|_| Err(Failed::Missing(MissReason::Unreachable))).collect();
            parts.into_iter().flat_map(|(count, part)| part.join().unwrap_or_else(|_| lost(count))).collect()
        })
    }
}

/// What is told of a record that is refused.
pub(super) fn refusal(why: Refused, address: &str) -> String {
    let what = match why {
        Refused::Malformed => "is none, or is damaged",
        Refused::Foreign => "is of another version",
        Refused::Stranger => "is signed by nobody who is trusted",
        Refused::Forged => "was not signed for its question by the key that it names",
        Refused::Resting => "may rest on what a key signed that is not trusted",
    };
    format!(
        "its record {address} {what}, so it is not used, nor are others like it: if this happens again, \
         find out who writes to the server, and which keys should be trusted"
    )
}
