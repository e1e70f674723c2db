//! Collections of atoms: which of those that a program made are still mentioned anywhere.
//!
//! Everything that outlives a built-in is looked at, whether it is needed or not: all cells of the stacks, those of
//! engines that wait, records outside the store, clauses and their code, and the tables of what is known by name
//! (predicates, modules, operators, flags, streams). A word that only looks like an atom keeps one. So nothing has to
//! be known of what a program does with its atoms, and nothing has to be counted while it runs.
//!
//! What loading a text leaves (types, contracts, proofs, tests) is not looked at: whenever a text was loaded, all atoms
//! that there are at that time stay for good. Nor are the variables of Rust code that waits for a run: atoms go only
//! while the outermost run is one of a program ([`Machine::let_atoms_go`]) and no built-in waits for another.
//!
//! Cost: what there is to look at. As many bytes as a quarter of that are made in between, so it is a constant for each
//! byte of an atom's text.

use crate::machine::goals::tabling::Tabling;
use crate::machine::{Bag, Global, Lie, Machine, Meta};
use crate::term::{Atom, Bits, Cell, Record, Store, Tag};
use rustc_hash::FxHashMap;

/// The atoms that were met.
struct Mentions {
    met: Bits,
    /// How many numbers of atoms there are.
    numbers: usize,
    forgets_records: bool,
}

impl Mentions {
    fn atom(&mut self, atom: Atom) {
        if (atom.0 as usize) < self.numbers {
            self.met.insert(atom.0 as usize);
        }
    }

    /// The atom of a constant or a functor. A raw word of a number may be mistaken for one.
    #[inline]
    fn cell(&mut self, cell: Cell) {
        match cell.tag() {
            Tag::Atm | Tag::Txt => self.atom(cell.as_atom()),
            Tag::Hdr if cell.is_functor() => self.atom(cell.name()),
            _ => {}
        }
    }

    fn cells(&mut self, cells: &[Cell]) {
        cells.iter().for_each(|&cell| self.cell(cell));
    }

    fn record(&mut self, record: &Record) {
        if !self.forgets_records {
            self.cells(record.cells());
        }
    }

    fn store(&mut self, store: &Store) {
        for cells in [&store.cells, &store.trail, &store.roots] {
            self.cells(cells);
        }
    }

    fn bags(&mut self, bags: &[Bag]) {
        bags.iter().flat_map(|bag| &bag.solutions).for_each(|record| self.record(record));
    }

    fn globals(&mut self, globals: &FxHashMap<Atom, Global>) {
        globals.iter().for_each(|(&name, global)| {
            self.atom(name);
            global.record.iter().for_each(|record| self.record(record));
        });
    }

    fn tables(&mut self, tabling: &Tabling) {
        tabling.records().for_each(|record| self.record(record));
    }
}

impl Machine {
    /// From now on the goal that is run is a program's, and whoever runs it keeps no atom but those that there are
    /// already: others may be collected. Or no longer.
    pub(crate) fn let_atoms_go(&mut self, may_go: bool) {
        self.atoms.keep_all();
        self.atoms_may_go = may_go;
    }

    /// A program wants atoms to be collected at the next call.
    pub(crate) fn collect_atoms_soon(&mut self) {
        self.atoms.look_soon();
        self.look_up_soon();
    }

    /// Whether nothing mentions atoms but what a collection looks at.
    pub(in crate::machine) fn atoms_may_go(&self) -> bool {
        self.atoms_may_go
            && self.waiting.len() == 1
            && self.loading.open.is_empty()
            && self.engines.askers().all(|asker| asker.waiting.len() == 1)
    }

    /// Takes away the atoms that nothing mentions.
    pub(in crate::machine) fn collect_atoms(&mut self) {
        let numbers = self.atoms.numbers();
        let forgets_records = self.tells(Lie::ForgetRecords);
        let mut mentions = Mentions { met: Bits::new(numbers), numbers, forgets_records };
        self.look_at_stacks(&mut mentions);
        self.look_at_records(&mut mentions);
        self.look_at_code(&mut mentions);
        self.look_at_names(&mut mentions);
        let looked_at = self.memory_in_use();
        self.counters.atoms_collected += self.atoms.sweep(&mentions.met, looked_at) as u64;
        self.counters.atom_collections += 1;
    }

    fn look_at_stacks(&self, mentions: &mut Mentions) {
        mentions.store(&self.store);
        mentions.cells(&self.x[..self.registers]);
        mentions.cells(&self.environments);
        mentions.cells(&self.choice_arguments);
        mentions.cells(self.cleanups.due());
        mentions.bags(&self.bags);
        mentions.globals(&self.globals);
        self.next_call.iter().for_each(|&(goal, _)| mentions.cell(goal));
        for stacks in self.other_stacks() {
            mentions.store(&stacks.store);
            for cells in stacks.cells() {
                mentions.cells(cells);
            }
            mentions.bags(&stacks.bags);
            mentions.globals(&stacks.globals);
        }
    }

    fn look_at_records(&self, mentions: &mut Mentions) {
        self.undo_goals.values().for_each(|goal| mentions.record(goal));
        self.recorded.iter().for_each(|record| mentions.record(record));
        self.shared.iter().for_each(|(&name, record)| {
            mentions.atom(name);
            mentions.record(record);
        });
        self.prolog_flag_terms.values().for_each(|record| mentions.record(record));
        self.engines.records().for_each(|record| mentions.record(record));
        self.escaped.iter().for_each(|(ball, _)| mentions.record(ball));
        mentions.tables(&self.tabling);
        let (texts, rules) = (&self.loading.texts, &self.loading.text_rules);
        texts.values().chain(rules.values()).flatten().for_each(|clause| mentions.record(clause));
        for clause in &self.clauses {
            mentions.record(&clause.term);
            mentions.cells(clause.keys());
        }
    }

    fn look_at_code(&self, mentions: &mut Mentions) {
        self.code.constants().for_each(|cell| mentions.cell(cell));
        for table in &self.tables {
            table.cases.for_each_cell(|cell| mentions.cell(cell));
        }
    }

    fn look_at_names(&self, mentions: &mut Mentions) {
        for predicate in &self.predicates {
            mentions.atom(predicate.module);
            mentions.atom(predicate.name);
            predicate.place.iter().for_each(|place| mentions.atom(place.file));
            for mode in &predicate.meta {
                if let &Meta::Plain(mode) = mode {
                    mentions.atom(mode);
                }
            }
        }
        for module in self.all_modules() {
            let listed = module.exports.iter().map(|&(name, _)| name);
            let listed = listed.chain(module.operators.iter().map(|&(name, _)| name));
            listed.chain(module.packages.iter().copied()).for_each(|name| mentions.atom(name));
            [Some(module.name), module.file, module.base]
                .into_iter()
                .flatten()
                .for_each(|name| mentions.atom(name));
        }
        self.operators.names().for_each(|name| mentions.atom(name));
        self.prolog_flags.iter().for_each(|(&name, &value)| {
            mentions.atom(name);
            mentions.cell(value);
        });
        self.prolog_flag_terms.keys().for_each(|&name| mentions.atom(name));
        self.streams.names().for_each(|name| mentions.atom(name));
        for file in &self.loading.files {
            mentions.atom(file.path);
            mentions.atom(file.module);
        }
        self.loading.libraries.iter().for_each(|&library| mentions.atom(library));
        mentions.atom(self.source_module);
    }
}
