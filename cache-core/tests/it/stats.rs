//! Laws of `cache_core::stats`.

use cache_core::stats::{CacheStats, MissReason, QUERIES, Report, SOLVER_QUERIES};

#[test]
fn a_report_has_the_shape_that_all_tools_share() {
    let mut report = Report::new("ivl", "0.1.0");
    report.cache.hits = 2;
    report.cache.miss(MissReason::Limits);
    report.cache.miss(MissReason::Absent);
    report.cache.miss(MissReason::Absent);
    report.cache.seconds_saved = 0.5;
    report.engine(SOLVER_QUERIES, 3);
    report.engine(QUERIES, 5);
    let text = report.to_json().unwrap();
    insta::assert_snapshot!(text, @r#"
    {
      "schema": 1,
      "tool": "ivl",
      "version": "0.1.0",
      "cache": {
        "hits": 2,
        "misses": {
          "absent": 2,
          "limits": 1
        },
        "stale": 0,
        "evicted": 0,
        "bytes": 0,
        "seconds_saved": 0.5
      },
      "engine": {
        "queries": 5,
        "solver_queries": 3
      },
      "result": null
    }
    "#);
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
}

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
    let mut first = CacheStats { hits: 1, bytes: 10, seconds_saved: 1.0, ..CacheStats::default() };
    first.miss(MissReason::Absent);
    let mut second = CacheStats { hits: 2, stale: 1, evicted: 3, bytes: 7, ..CacheStats::default() };
    second.miss(MissReason::Absent);
    second.miss(MissReason::Damaged);
    first += &second;
    assert_eq!((first.hits, first.missed(), first.stale, first.evicted, first.bytes), (3, 3, 1, 3, 10));
    assert_eq!(first.misses[&MissReason::Absent], 2);
}
