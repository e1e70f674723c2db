//! Warnings of one run: each said once, and not too many.

use std::collections::BTreeSet;

/// More different warnings than this in one run are only counted.
const MOST: usize = 16;

/// Collects warnings.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    said: BTreeSet<String>,
    pending: Vec<String>,
    unsaid: u64,
}

impl Warnings {
    pub(super) fn add(&mut self, warning: String) {
        if self.said.contains(&warning) {
            return;
        }
        if self.said.len() == MOST {
            self.unsaid += 1;
            return;
        }
        self.said.insert(warning.clone());
        self.pending.push(warning);
    }

    /// What was not taken yet.
    pub(super) fn take(&mut self) -> Vec<String> {
        let mut taken = std::mem::take(&mut self.pending);
        if self.unsaid > 0 {
            taken.push(format!("{} more cache warnings are not shown", self.unsaid));
            self.unsaid = 0;
        }
        taken
    }
}
