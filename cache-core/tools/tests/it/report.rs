//! The shape of reports.

use cache_core::stats::MissReason;
use reprise_tools::report::{QUERIES, Report, SOLVER_QUERIES};

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
        "seconds_saved": 0.5,
        "audits": 0,
        "disagreements": 0
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
