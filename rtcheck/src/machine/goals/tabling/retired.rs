//! Tables that no call finds any more, and how they go.

use super::Tabling;
use crate::term::Record;
use rustc_hash::FxHashMap;

impl Tabling {
    /// Hides the complete table of a call from calls.
    pub(super) fn retire(&mut self, call: &Record) {
        self.retired.extend(self.known.remove(call));
    }

    /// Takes the retired tables away that nobody reads any more.
    pub(super) fn sweep(&mut self, choicepoints: usize, alone: bool) {
        let Self { retired, tables, free, freed, .. } = self;
        retired.retain(|&id| {
            let unread = alone && tables[id].as_ref().is_none_or(|table| choicepoints <= table.floor);
            if unread {
                *freed += tables[id].take().map_or(0, |table| table.bytes);
                free.push(id);
            }
            !unread
        });
    }

    /// The evaluation of a table was left by an exception: what is not complete since is forgotten.
    pub(super) fn abandon(&mut self, id: usize, choicepoints: usize, alone: bool) {
        let Some((index, outer)) = self.get(id).map(|table| (table.index, table.outer)) else { return };
        self.now.phase = outer;
        if let Some(position) = self.now.active.iter().position(|&active| active == id) {
            let active = self.now.active.split_off(position);
            while self.now.leaders.pop_if(|leader| active.contains(leader)).is_some() {}
        }
        let incomplete = self.now.incomplete.split_off(index.min(self.now.incomplete.len()));
        self.forget(&incomplete);
        self.sweep(choicepoints, alone);
    }

    /// Whoever reads such a table finds nothing any more.
    pub(super) fn forget(&mut self, incomplete: &[usize]) {
        for &id in incomplete {
            self.hide(id);
            if let Some(table) = self.get(id) {
                table.answers = Vec::new();
                table.positions = FxHashMap::default();
                table.replaced = FxHashMap::default();
                (table.possible, table.conditions) = (None, FxHashMap::default());
            }
        }
        self.retired.extend(incomplete);
    }

    /// No call finds a table of the stacks that run any more.
    fn hide(&mut self, id: usize) {
        if let Some(table) = self.tables[id].as_ref()
            && self.now.known.get(&table.call) == Some(&id)
        {
            self.now.known.remove(&table.call);
        }
    }

    /// Forgets what is complete.
    pub(super) fn clear(&mut self, choicepoints: usize, alone: bool) {
        let mut complete: Vec<usize> = self.known.drain().map(|(_, id)| id).collect();
        complete.sort_unstable();
        self.retired.extend(complete);
        self.sweep(choicepoints, alone);
    }
}
