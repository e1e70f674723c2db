//! The clauses of static predicates as their texts have them, found by any of their first arguments, for `clause/2`.

use crate::machine::{Machine, PredicateId};
use crate::term::{Cell, Record, atom};
use rustc_hash::FxHashMap;

/// Predicates with fewer clauses are searched one by one.
const WORTH_INDEXING: usize = 8;

/// The clauses of a predicate by their arguments, made when they are first searched.
#[derive(Debug)]
pub(crate) struct TextIndex {
    /// What indexing sees in the arguments of each clause.
    keys: Vec<Box<[Cell]>>,
    /// By argument, the numbers of the clauses with each key; `None` where some clause takes anything.
    arguments: Vec<Option<FxHashMap<Cell, Vec<usize>>>>,
}

impl TextIndex {
    fn new(machine: &mut Machine, records: &[Record]) -> Self {
        let mut index = Self { keys: Vec::with_capacity(records.len()), arguments: Vec::new() };
        index.extend(machine, records);
        index
    }

    /// Adds the clauses that are not there yet.
    fn extend(&mut self, machine: &mut Machine, records: &[Record]) {
        let known = self.keys.len();
        if known == records.len() {
            return;
        }
        let scope = machine.begin_scope();
        for record in &records[known..] {
            let clause = record.restore(&mut machine.store);
            let head =
                machine.store.match_structure::<2>(clause, atom::NECK).map_or(clause, |[head, _]| head);
            self.keys.push(machine.keys_of(head));
        }
        machine.drop_scope(scope);
        if known == 0 {
            let arity = self.keys.first().map_or(0, |keys| keys.len());
            self.arguments = vec![Some(FxHashMap::default()); arity];
        }
        for (argument, clauses) in self.arguments.iter_mut().enumerate() {
            for (number, keys) in self.keys.iter().enumerate().skip(known) {
                match clauses {
                    Some(_) if keys[argument] == Machine::ANY_KEY => *clauses = None,
                    Some(clauses) => clauses.entry(keys[argument]).or_default().push(number),
                    None => break,
                }
            }
        }
    }

    /// The numbers of the clauses that may match a head with these keys, in order.
    fn find(&self, wanted: &[Cell]) -> Vec<usize> {
        let admits = |&number: &usize| {
            let keys = self.keys[number].iter().zip(wanted);
            keys.into_iter()
                .all(|(&key, &wanted)| key == wanted || key == Machine::ANY_KEY || wanted == Machine::ANY_KEY)
        };
        let told = self.arguments.iter().zip(wanted).filter(|(_, wanted)| **wanted != Machine::ANY_KEY);
        let found = told.filter_map(|(clauses, wanted)| {
            clauses.as_ref().map(|clauses| clauses.get(wanted).map_or(&[][..], Vec::as_slice))
        });
        match found.min_by_key(|numbers| numbers.len()) {
            Some(numbers) => numbers.iter().copied().filter(admits).collect(),
            None => (0..self.keys.len()).filter(admits).collect(),
        }
    }
}

impl Machine {
    /// The clauses of a static predicate whose first arguments may be those of a head, made anew, in their order.
    pub(crate) fn matching_texts(&mut self, id: PredicateId, head: Cell) -> Vec<Cell> {
        // What is made meanwhile runs no goal, so that nobody sees that the clauses are away.
        let Some(records) = self.loading.texts.get_mut(&id).map(std::mem::take) else { return Vec::new() };
        let index = match self.loading.text_indexes.remove(&id) {
            None if records.len() > WORTH_INDEXING => Some(TextIndex::new(self, &records)),
            // The text is still being read.
            Some(mut index) => {
                index.extend(self, &records);
                Some(index)
            }
            None => None,
        };
        let numbers = match &index {
            Some(index) => index.find(&self.keys_of(head)),
            None => (0..records.len()).collect(),
        };
        let clauses = numbers.into_iter().map(|number| records[number].restore(&mut self.store)).collect();
        if let Some(index) = index {
            self.loading.text_indexes.insert(id, index);
        }
        self.loading.texts.insert(id, records);
        clauses
    }
}
