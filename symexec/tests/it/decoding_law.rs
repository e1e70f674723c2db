//! The law of everything that reads bytes from outside, for tests and for the fuzz target.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use symexec::module::reader;
use symexec::solver::query_cache;
use symexec::solver::question;
use symexec::testcase::KTest;

/// Bytes are refused, or what was read is written and read again as the same.
pub(crate) fn decode_all(bytes: &[u8]) {
    // Older versions are written as the newest one, and names that are no UTF-8 with replacement marks.
    if let Ok(test) = KTest::from_bytes(bytes) {
        let again = test.to_bytes().and_then(|bytes| KTest::from_bytes(&bytes));
        assert_eq!(again.as_ref(), Ok(&test));
    }
    message::<reader::Request>(bytes);
    message::<reader::Response>(bytes);
    message::<question::Request>(bytes);
    message::<question::Response>(bytes);
    query_cache::read_entry(bytes);
}

/// What is read is written, and read again as the same bytes.
fn message<T: Serialize + DeserializeOwned + Debug>(bytes: &[u8]) {
    if let Ok(read) = reader::decode::<T>(bytes) {
        let written = reader::encode(&read).unwrap_or_default();
        let again = reader::decode::<T>(&written).and_then(|again| reader::encode(&again));
        assert_eq!(again.as_deref(), Ok(written.as_slice()), "{read:?}");
    }
}
