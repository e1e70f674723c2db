//! A store that is shared is the store.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use cache_core::key::Checksum;
use cache_core::stats::MissReason;
use cache_core::store::{Claim, Counters, Found, Store, StoreError, Usage, Verified};

use super::{hit, id};

/// Notes what it is asked, and has an answer of its own to everything.
#[derive(Default)]
struct Noting {
    asked: Mutex<Vec<&'static str>>,
}

impl Noting {
    fn note(&self, what: &'static str) {
        self.asked.lock().unwrap().push(what);
    }
}

fn trouble() -> StoreError {
    StoreError::Unreadable { path: PathBuf::from("noting"), source: io::Error::other("a trouble") }
}

impl Store for Noting {
    fn get(&self, _: &Checksum) -> Result<Found, StoreError> {
        self.note("get");
        Ok(hit("own"))
    }
    fn is_far(&self) -> bool {
        true
    }
    fn prefetch(&self, ids: &[Checksum]) {
        assert_eq!(ids, [id("a"), id("b")]);
        self.note("prefetch");
    }
    fn put(&self, _: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        assert_eq!(payload, b"1");
        self.note("put");
        Ok(())
    }
    fn remove(&self, _: &Checksum) -> Result<(), StoreError> {
        self.note("remove");
        Ok(())
    }
    fn claim(&self, _: &Checksum) -> Result<Claim, StoreError> {
        self.note("claim");
        Ok(Claim::Taken)
    }
    fn flush(&self) -> Result<(), StoreError> {
        self.note("flush");
        Ok(())
    }
    fn maintain(&self) -> Result<(), StoreError> {
        self.note("maintain");
        Ok(())
    }
    fn clean(&self) -> Result<(), StoreError> {
        self.note("clean");
        Ok(())
    }
    fn usage(&self) -> Result<Usage, StoreError> {
        Ok(Usage { entries: 3, ..Usage::default() })
    }
    fn verify(&self) -> Result<Verified, StoreError> {
        Ok(Verified { whole: 4, ..Verified::default() })
    }
    fn counters(&self) -> Counters {
        Counters { puts: 5, ..Counters::default() }
    }
    fn signer(&self, _: &Checksum) -> Option<String> {
        Some("somebody".to_owned())
    }
    fn take_troubles(&self) -> Vec<StoreError> {
        vec![trouble()]
    }
}

#[test]
fn what_is_asked_of_a_shared_store_is_asked_of_the_store() {
    let store = Arc::new(Noting::default());
    let shared: &dyn Store = &Arc::clone(&store);
    assert_eq!(shared.get(&id("a")).unwrap(), hit("own"));
    assert_ne!(shared.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    assert!(shared.is_far());
    shared.prefetch(&[id("a"), id("b")]);
    shared.put(&id("a"), b"1").unwrap();
    shared.remove(&id("a")).unwrap();
    assert!(matches!(shared.claim(&id("a")).unwrap(), Claim::Taken));
    shared.flush().unwrap();
    shared.maintain().unwrap();
    shared.clean().unwrap();
    assert_eq!(shared.usage().unwrap().entries, 3);
    assert_eq!(shared.verify().unwrap().whole, 4);
    assert_eq!(shared.counters().puts, 5);
    assert_eq!(shared.signer(&id("a")).as_deref(), Some("somebody"));
    assert_eq!(shared.take_troubles().len(), 1);
    let asked = store.asked.lock().unwrap();
    assert_eq!(*asked, ["get", "get", "prefetch", "put", "remove", "claim", "flush", "maintain", "clean"]);
}
