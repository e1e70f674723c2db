//! The line on a terminal that says how far a run is.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exec::Progress;

/// The line; nothing is drawn where standard error is no terminal.
pub(super) struct Status {
    bar: ProgressBar,
}

impl Status {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Whether anybody sees it.
    pub(super) fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    pub(super) fn show(&self, now: &Progress, memory: u64) {
        self.bar.set_message(text(now, memory));
        self.bar.tick();
    }

    /// Prints something else; the line is drawn again below it.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Paths, states, queries, hits, coverage, memory.
fn text(now: &Progress, memory: u64) -> String {
    let explored = &now.explored;
    let covered = (explored.covered * 100).checked_div(explored.total).unwrap_or(0);
    let asked = now.counts.cache.hits + now.counts.cache.missed();
    let hits = (now.counts.cache.hits * 100).checked_div(asked).unwrap_or(0);
    format!(
        "{}  {} paths, {} errors, {} states, {} queries ({hits} % from the cache), {covered} % covered, {} MB",
        clock(now.elapsed),
        explored.completed + explored.partial,
        explored.errors,
        now.states,
        now.counts.get("queries"),
        memory >> 20,
    )
}

fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::text;
    use crate::exec::{Explored, Progress};

    #[test]
    fn the_line_has_all_that_one_wants_to_know() {
        let explored =
            Explored { completed: 3, partial: 2, errors: 1, covered: 30, total: 40, ..Explored::default() };
        let mut now =
            Progress { explored, states: 7, elapsed: Duration::from_secs(3725), ..Progress::default() };
        now.counts.add("queries", 12);
        now.counts.cache.hits = 1;
        now.counts.cache.misses.insert(cache_core::stats::MissReason::Absent, 3);
        assert_eq!(
            text(&now, 5 << 20),
            "1:02:05  5 paths, 1 errors, 7 states, 12 queries (25 % from the cache), 75 % covered, 5 MB"
        );
        assert!(text(&Progress::default(), 0).contains("0 % covered"));
    }
}
