//! What is neither true nor false: negations of calls that depend on each other, by the alternating fixpoint.

use super::{Phase, State, Table, Tabling};
use crate::term::Record;

/// How a negation, or what has no truth value, ends where it was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fails,
    Holds,
    /// It is left open.
    Delayed,
}

impl Tabling {
    /// The component of a leader is evaluated from no answers on. `keep` puts aside what the last phase found.
    pub(super) fn start_phase(&mut self, leader: usize, index: usize, keep: impl Fn(&mut Table)) {
        for position in index..self.now.incomplete.len() {
            let id = self.now.incomplete[position];
            let Some(table) = self.tables.get_mut(id).and_then(Option::as_mut) else { continue };
            keep(table);
            table.take_answers();
            if self.now.phase == Phase::Upper {
                table.conditions.clear();
            }
            let possible = table.possible.iter().flatten();
            let bytes = table.call.bytes()
                + possible.map(|(key, answer)| key.bytes() + answer.bytes()).sum::<usize>();
            self.freed += table.bytes.saturating_sub(bytes);
            table.bytes = table.bytes.min(bytes);
        }
        self.start_round(leader, index);
    }

    /// What the innermost evaluation asked for is not known: how that ends in the present phase.
    pub(super) fn leave_open(&mut self) -> Outcome {
        let Some(&id) = self.now.active.last() else { return Outcome::Delayed };
        if let Some(table) = self.get(id) {
            table.is_open = true;
        }
        match self.now.phase {
            Phase::Lower => Outcome::Fails,
            Phase::Upper => Outcome::Delayed,
        }
    }

    /// What is neither true nor false.
    pub(crate) fn undefined(&mut self) -> Outcome {
        self.leave_open()
    }

    /// The negation of a call that was called just before; `None` if it has no table.
    pub(crate) fn negation(&mut self, call: &Record) -> Option<Outcome> {
        let id = self.table_of(call)?;
        let table = self.tables.get(id)?.as_ref()?;
        let is_empty = table.answers.iter().all(Option::is_none);
        if table.state == State::Complete {
            return Some(match (is_empty, table.undefined) {
                (true, _) => Outcome::Holds,
                (false, 0) => self.leave_open(),
                (false, _) => Outcome::Fails,
            });
        }
        let (sure, impossible) = (table.sure, table.possible.as_ref().is_some_and(Vec::is_empty));
        Some(match self.now.phase {
            // What is true stays true.
            Phase::Lower if !is_empty => Outcome::Fails,
            Phase::Lower if impossible => Outcome::Holds,
            Phase::Upper if sure.is_some_and(|sure| sure > 0) => Outcome::Fails,
            _ => self.leave_open(),
        })
    }

    /// Whether answers need what they rest on noted.
    pub(crate) fn is_upper(&self) -> bool {
        self.now.phase == Phase::Upper
    }

    /// An answer of an upper phase rests on a list of goals. Returns how many bytes are kept for it.
    pub(crate) fn add_condition(&mut self, id: usize, key: Record, condition: Record) -> usize {
        let Some(table) = self.get(id) else { return 0 };
        let bytes = condition.bytes();
        let conditions = table.conditions.entry(key).or_default();
        if conditions.contains(&condition) {
            return 0;
        }
        conditions.push(condition);
        table.bytes += bytes;
        bytes
    }

    /// Whether an answer of a complete table is defined, with the lists of goals on which it rests; `None` where no table
    /// has it.
    pub(crate) fn conditions(&self, answer: &Record) -> Option<(bool, Vec<Record>)> {
        let tables = self.tables.iter().flatten();
        let mut complete =
            tables.filter(|table| table.state == State::Complete && self.known.contains_key(&table.call));
        complete.find_map(|table| {
            let position = table.answers.iter().position(|known| known.as_ref() == Some(answer))?;
            Some((position < table.undefined, table.conditions.get(answer).cloned().unwrap_or_default()))
        })
    }

    /// A call of a leader's component that was not asked for in this round. Which clauses ask for one may change with the
    /// phase; what is true of it counts in both. `None` where nothing is open, or everything was asked for.
    pub(crate) fn unasked(&mut self, leader: usize) -> Option<Record> {
        let (index, low, began) = self.get(leader).map(|table| (table.index, table.low, table.began))?;
        let component = self.now.incomplete.get(index..).filter(|_| low == index)?;
        let is_open = |&id: &usize| self.tables[id].as_ref().is_some_and(|table| table.is_open);
        if !component.iter().any(is_open) {
            return None;
        }
        let is_unasked = |&id: &usize| {
            let table = self.tables[id].as_ref();
            table.is_some_and(|table| {
                table.state == State::Waiting && table.round < began && table.asked < began
            })
        };
        let id = component.iter().copied().find(is_unasked)?;
        let table = self.get(id)?;
        table.asked = began;
        Some(table.call.clone())
    }

    /// Begins the next phase of a component whose rounds find nothing new, if it needs one.
    pub(super) fn turn_phase(&mut self, leader: usize, component: &[usize]) -> bool {
        let tables = || component.iter().filter_map(|&id| self.tables[id].as_ref());
        if !tables().any(|table| table.is_open) {
            return false;
        }
        let is_lower = self.now.phase == Phase::Lower;
        let Some((index, is_first)) =
            self.tables[leader].as_ref().map(|table| (table.index, table.possible.is_none()))
        else {
            return false;
        };
        // What is true stays true, so that counts tell.
        let (before, now) = tables().fold((0, 0), |(before, now), table| {
            (before + table.sure.unwrap_or(0), now + table.positions.len())
        });
        if is_lower && !is_first && now <= before {
            return false;
        }
        self.now.phase = if is_lower { Phase::Upper } else { Phase::Lower };
        self.start_phase(leader, index, |table| {
            if is_lower {
                table.sure = Some(table.positions.len());
            } else {
                table.possible = Some(table.take_answers());
            }
        });
        true
    }
}
