//! What is said of look-ups to come: to stores that are far, of what will be looked up, and by whom that reads.

use super::*;

/// A store of others that writes down what it is told of.
#[derive(Default)]
struct Far(Mutex<Vec<Checksum>>);

impl Store for Far {
    fn get(&self, _: &Checksum) -> std::result::Result<Found, StoreError> {
        Ok(Found::Missing(MissReason::Absent))
    }
    fn is_far(&self) -> bool {
        true
    }
    fn prefetch(&self, ids: &[Checksum]) {
        self.0.lock().unwrap().extend(ids);
    }
    fn put(&self, _: &Checksum, _: &[u8]) -> std::result::Result<(), StoreError> {
        Ok(())
    }
    fn remove(&self, _: &Checksum) -> std::result::Result<(), StoreError> {
        Ok(())
    }
    fn clean(&self) -> std::result::Result<(), StoreError> {
        Ok(())
    }
    fn usage(&self) -> std::result::Result<Usage, StoreError> {
        Ok(Usage::default())
    }
    fn verify(&self) -> std::result::Result<Verified, StoreError> {
        Ok(Verified::default())
    }
    fn counters(&self) -> Counters {
        Counters::default()
    }
}

/// What a far store was told under a mode: how much of questions, how much of histories.
fn told(mode: Mode) -> (usize, usize) {
    let far = Arc::new(Far::default());
    let cache: Cache<Verdict> =
        Cache::new(CacheConfig::default().mode(mode).store(Arc::clone(&far) as Arc<dyn Store>));
    let questions = [question(1), question(2)];
    cache.prefetch(&questions);
    let first = std::mem::take(&mut *far.0.lock().unwrap());
    if mode.reads() {
        let ids = questions.each_ref().map(|key| Checksum { digest: key.digest(), confirm: key.confirm() });
        assert_eq!(first, ids);
    }
    cache.prefetch_history(["a", "b", "c"]);
    (first.len(), far.0.lock().unwrap().len())
}

#[test]
fn whoever_reads_says_what_will_be_looked_up() {
    assert_eq!(told(Mode::Off), (0, 0));
    assert_eq!(told(Mode::Read), (2, 3));
    assert_eq!(told(Mode::ReadWrite), (2, 3));
    assert_eq!(told(Mode::Offline), (2, 3));
    // Histories are read for what is added to them.
    assert_eq!(told(Mode::Rebuild), (0, 3));
}

#[test]
fn a_question_without_a_name_is_called_by_its_digest() {
    let id = Checksum::of(&1_u64);
    let remembered = Remembered { digest: id.digest, confirm: id.confirm, parts: Vec::new() };
    assert_eq!(remembered.name(), format!("question {}", id.digest));
}

#[test]
fn settings_are_shown_without_what_they_hold() {
    let shown = format!("{:?}", CacheConfig::default().store(memory_store()).mode(Mode::Read));
    assert!(shown.contains("mode: Read") && shown.contains("store: true"), "{shown}");
}
