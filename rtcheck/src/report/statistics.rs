//! The statistics file.

use super::profile::{rows, site};
use super::violation::violation_json;
use crate::machine::Machine;
use cache_core::stats::MissReason;
use reprise_tools::report::{QUERIES, Report};

/// What `--stats FILE` writes: checks are the engine's questions, node visits its work.
#[must_use]
pub fn statistics(machine: &mut Machine, exit: i32) -> Report {
    let sites: Vec<serde_json::Value> = rows(machine)
        .iter()
        .filter(|row| row.counters.checks > 0)
        .map(|row| site(&row.predicate, row.when, &row.property, &row.counters))
        .collect();
    let counters = machine.checker.counters();
    let configuration = machine.checker.configuration();
    let mut report = Report::new("rtcheck", env!("CARGO_PKG_VERSION"));
    report.cache.hits = counters.hits;
    if counters.misses > 0 {
        report.cache.misses.insert(MissReason::Absent, counters.misses);
    }
    report.cache.evicted = counters.evicted;
    report.engine(QUERIES, counters.checks);
    report.engine("checks", counters.checks);
    report.engine("node_visits", counters.visits);
    report.engine("inherited", counters.inherited);
    report.engine("inserted", counters.inserted);
    report.engine("dropped", counters.dropped);
    report.engine("deepest_check", counters.deepest);
    report.engine("audited", counters.audited);
    report.engine("audit_disagreements", counters.disagreements);
    report.engine("calls", machine.calls());
    report.engine("collections", machine.counters.collections);
    report.engine("violations", machine.violations);
    report.engine("check_cache", configuration.cache.name());
    if configuration.cache.has_table() {
        report.engine("cache_size", configuration.size);
        report.engine("depth_limit", configuration.depth_limit);
        report.engine("cache_every", configuration.every.get());
    }
    report.engine("properties", sites);
    let recorded: Vec<serde_json::Value> =
        machine.recorded.clone().iter().filter_map(|ball| violation_json(machine, ball)).collect();
    report.engine("recorded_violations", recorded);
    report.result = serde_json::json!({ "exit": exit });
    report
}
