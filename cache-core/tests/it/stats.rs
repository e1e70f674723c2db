//! Laws of `cache_core::stats`.

use cache_core::stats::{CacheStats, MissReason};

#[test]
fn every_miss_reason_has_its_own_name_and_explanation() {
    let mut names = std::collections::BTreeSet::new();
    let mut explanations = std::collections::BTreeSet::new();
    for reason in MissReason::ALL {
        assert!(names.insert(serde_json::to_string(&reason).unwrap()));
        assert!(explanations.insert(reason.explain()));
    }
}

#[test]
fn statistics_of_two_caches_add_up() {
    let mut first = CacheStats {
        hits: 1,
        bytes: 10,
        seconds_saved: 1.0,
        audits: 5,
        disagreements: 1,
        ..CacheStats::default()
    };
    first.miss(MissReason::Absent);
    let mut second = CacheStats {
        hits: 2,
        stale: 1,
        evicted: 3,
        bytes: 7,
        seconds_saved: 2.5,
        audits: 4,
        disagreements: 2,
        ..CacheStats::default()
    };
    second.miss(MissReason::Absent);
    second.miss(MissReason::Damaged);
    first += &second;
    assert_eq!((first.hits, first.missed(), first.stale, first.evicted, first.bytes), (3, 3, 1, 3, 10));
    assert_eq!(first.misses[&MissReason::Absent], 2);
    assert_eq!((first.seconds_saved, first.audits, first.disagreements), (3.5, 9, 3));
}
