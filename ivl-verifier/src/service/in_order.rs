//! Reports in the order of the program, whichever came first, so that what is printed depends on neither the number of
//! worker programs nor on what was known.

use std::collections::BTreeMap;

use crate::report::Report;

/// Passes reports on: as they come, or each as soon as all before it were there.
pub(super) struct InOrder<'a> {
    each: &'a mut dyn FnMut(&Report),
    /// By [`Report::index`], those that are still to be passed on, the next one last; absent where they go on as they come.
    left: Option<Vec<usize>>,
    waiting: BTreeMap<usize, Report>,
}

impl<'a> InOrder<'a> {
    /// In this order, or as they come.
    pub(super) fn new(each: &'a mut dyn FnMut(&Report), order: Option<Vec<usize>>) -> Self {
        let left = order.map(|order| order.into_iter().rev().collect());
        Self { each, left, waiting: BTreeMap::new() }
    }

    /// A report has come.
    pub(super) fn add(&mut self, report: &Report) {
        let Some(left) = &mut self.left else { return (self.each)(report) };
        if left.last() != Some(&report.index) {
            self.waiting.insert(report.index, report.clone());
            return;
        }
        (self.each)(report);
        left.pop();
        while let Some(next) = left.last().and_then(|next| self.waiting.remove(next)) {
            (self.each)(&next);
            left.pop();
        }
    }

    /// No more will come: what waits for one that never came goes on.
    pub(super) fn end(mut self) {
        while let Some(next) = self.left.as_mut().and_then(Vec::pop) {
            if let Some(report) = self.waiting.remove(&next) {
                (self.each)(&report);
            }
        }
    }
}
