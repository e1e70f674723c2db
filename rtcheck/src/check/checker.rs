//! The checker: what the machine asks, and what it counts.

mod pass;
mod turn;

use super::batch::{Batch, BatchCheck, Counted, Quick, Site, Tally};
use super::configuration::Configuration;
use super::footprint::{Footprint, Key, Memory};
use super::memory::{CacheKind, CheckMark, Tables};
use super::walk::{Frame, NOWHERE, Steps, Walk, accepts_atomic};
use crate::base::Clock;
use crate::regtype::{TypeId, Types};
use crate::term::{Cell, Store, Tag};
use cache_core::audit::{Audit, Auditor};
use cache_core::table::Counting;
use rustc_hash::FxHashSet;

/// What checks cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Checks of a term against a type, as assertions ask for them.
    pub checks: u64,
    /// Nodes visited: calls of Algorithm 1's function. Each check visits at least its root.
    pub visits: u64,
    /// Visited nodes whose type was remembered.
    pub hits: u64,
    /// Those of the hits that were arguments of a term checked just before.
    pub inherited: u64,
    /// Visited compound nodes whose type was not remembered.
    pub misses: u64,
    /// Pairs remembered.
    pub inserted: u64,
    /// Pairs that left for room.
    pub evicted: u64,
    /// Pairs that left because what made them true was undone or moved. What is remembered beside a term and goes with
    /// it is not counted.
    pub dropped: u64,
    /// The greatest depth at which a node was visited.
    pub deepest: u64,
    /// Hits that were checked by walking the term again.
    pub audited: u64,
    /// Audits that found the remembered answer to be wrong.
    pub disagreements: u64,
}

/// What the checks that one place in the program asks for have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteCounters {
    /// How often it asked.
    pub checks: u64,
    /// How often the answer was no.
    pub failures: u64,
    /// Nodes visited.
    pub visits: u64,
    /// Visited nodes whose type was remembered.
    pub hits: u64,
    /// Those of the hits that were arguments of a term checked just before.
    pub inherited: u64,
    /// The greatest depth at which a node was visited.
    pub deepest: u64,
    /// Nanoseconds, while somebody measures.
    pub nanoseconds: u64,
}

/// Measures short times.
struct Stopwatch {
    clock: Clock,
    /// What asking twice costs by itself.
    own: u64,
}

impl Stopwatch {
    fn new(clock: Clock) -> Self {
        let pause = || {
            let start = clock();
            clock() - start
        };
        let own = (0..1000).map(|_| pause()).min().unwrap_or(0);
        Self { clock, own }
    }

    fn since(&self, start: u64) -> u64 {
        (self.clock)().saturating_sub(start + self.own)
    }
}

/// What is known of a site.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// What it checked last.
    last: Key,
    counters: SiteCounters,
    /// Checks whose answer was remembered and nothing else was to do, which `counters` does not know.
    remembered: u64,
    /// Of a site in a batch: checks that are counted here, by themselves, although all of their batch passed, less
    /// those that passed although not all of their batch did.
    apart: u64,
}

impl Place {
    const NEW: Self = Self {
        last: NOWHERE,
        counters: SiteCounters {
            checks: 0,
            failures: 0,
            visits: 0,
            hits: 0,
            inherited: 0,
            deepest: 0,
            nanoseconds: 0,
        },
        remembered: 0,
        apart: 0,
    };

    /// What the checks of the site have cost, but for those that passed with a batch.
    fn own(&self) -> SiteCounters {
        let mut counters = self.counters;
        counters.checks += self.remembered;
        counters.visits += self.remembered;
        counters.hits += self.remembered;
        counters
    }
}

/// Checks terms, remembers what held, counts.
pub struct Checker {
    tables: Tables,
    configuration: Configuration,
    auditor: Auditor,
    audited: u64,
    disagreements: u64,
    frames: Vec<Frame>,
    accepted: FxHashSet<Key>,
    sites: Vec<Place>,
    /// The checks of all batches, those of one behind each other.
    batched: Vec<Counted>,
    /// What is looked at first of each of them; set aside, so that nothing is found, while batches are not gone through
    /// by what is known at once.
    quick: Vec<Quick>,
    aside: Vec<Quick>,
    /// What was checked last anywhere.
    last: Key,
    /// Whether hits are never audited.
    plain: bool,
    /// Whether in addition types are remembered beside the cells, and nobody measures: whether batches are gone through
    /// by what is known at once.
    at_once: bool,
    clock: Option<Stopwatch>,
    #[cfg(feature = "plant")]
    fault: Option<crate::base::plant::Fault>,
}

impl Checker {
    /// A checker that remembers nothing yet.
    #[must_use]
    pub fn new(configuration: Configuration) -> Self {
        let at_once = configuration.audit == Audit::Never && configuration.cache == CacheKind::Cells;
        let mut checker = Self {
            tables: Tables::new(configuration.cache, configuration.size),
            configuration,
            auditor: Auditor::new(configuration.audit),
            audited: 0,
            disagreements: 0,
            frames: Vec::new(),
            accepted: FxHashSet::default(),
            sites: Vec::new(),
            batched: Vec::new(),
            quick: Vec::new(),
            aside: Vec::new(),
            last: NOWHERE,
            plain: configuration.audit == Audit::Never,
            at_once,
            clock: None,
            #[cfg(feature = "plant")]
            fault: None,
        };
        // No batch starts with the first check, so that not even one without checks is found where it is set aside.
        let (used, unused) = (vec![Quick::new(&BatchCheck::NOBODYS)], Vec::new());
        (checker.quick, checker.aside) = if at_once { (used, unused) } else { (unused, used) };
        checker.batched.push(Counted::new(BatchCheck::NOBODYS, 0));
        checker
    }

    /// Starts over as another configuration asks: nothing is remembered, nothing was counted, and time is not measured.
    /// Batches stay, since compiled predicates hold their numbers: in the middle of a program's life this is the way to
    /// another configuration, and not a checker put in place of this one.
    pub fn restart(&mut self, configuration: Configuration) {
        let batched = std::mem::replace(self, Self::new(configuration)).batched;
        for Counted { check, last, .. } in batched.into_iter().skip(1) {
            self.add_to_batch(check, last);
        }
    }

    /// Measures the time of every check from now on.
    pub fn measure(&mut self, clock: Clock) {
        self.clock = Some(Stopwatch::new(clock));
        self.at_once = false;
        self.open(false);
    }

    /// Lets batches be gone through by what is known at once, if they ever are, or not for now.
    pub(crate) fn open(&mut self, open: bool) {
        if self.quick.is_empty() == (open && self.at_once) {
            std::mem::swap(&mut self.quick, &mut self.aside);
        }
    }

    /// Whether a term has a type, without binding anything. A cyclic term has no recursive type.
    #[inline]
    pub fn check(&mut self, store: &Store, types: &Types, term: Cell, id: TypeId, site: Site) -> bool {
        if self.clock.is_some() {
            return self.timed_check(store, types, term, id, site);
        }
        self.untimed_check(store, types, term, id, site)
    }

    #[cold]
    fn timed_check(&mut self, store: &Store, types: &Types, term: Cell, id: TypeId, site: Site) -> bool {
        let start = self.clock.as_ref().map_or(0, |stopwatch| (stopwatch.clock)());
        let holds = self.untimed_check(store, types, term, id, site);
        let spent = self.clock.as_ref().map_or(0, |stopwatch| stopwatch.since(start));
        self.place(site).counters.nanoseconds += spent;
        holds
    }

    /// Whether the time of checks is measured.
    #[inline]
    pub(crate) fn is_measuring(&self) -> bool {
        self.clock.is_some()
    }

    /// Makes a batch of checks, none of whose sites is in another one.
    pub(crate) fn batch(&mut self, checks: impl Iterator<Item = BatchCheck>) -> Batch {
        let start = self.batched.len();
        for check in checks {
            self.add_to_batch(check, 0);
        }
        let end = self.batched.len();
        for counted in &mut self.batched[start..] {
            counted.last = end as u32 - 1;
        }
        Batch::of(start..end)
    }

    fn add_to_batch(&mut self, check: BatchCheck, last: u32) {
        self.place(check.site);
        let quick = if self.aside.is_empty() { &mut self.quick } else { &mut self.aside };
        quick.push(Quick::new(&check));
        self.batched.push(Counted::new(check, last));
    }

    /// As [`Checker::check`] of a dereferenced cell whose tag alone does not give it the type, while nobody measures.
    #[inline]
    pub(crate) fn check_dereferenced(
        &mut self,
        store: &Store,
        types: &Types,
        term: Cell,
        id: TypeId,
        site: Site,
    ) -> bool {
        match term.tag() {
            Tag::Lis | Tag::Str => self.check_compound(store, types, term, id, site),
            _ => {
                let holds = accepts_atomic(store, types, id, term);
                self.count_test(site, holds)
            }
        }
    }

    #[inline]
    fn untimed_check(&mut self, store: &Store, types: &Types, term: Cell, id: TypeId, site: Site) -> bool {
        let term = store.deref(term);
        let tag = term.tag();
        if types.state(id).accepts_tag(tag) {
            return self.count_test(site, true);
        }
        match tag {
            Tag::Lis | Tag::Str => self.check_compound(store, types, term, id, site),
            _ => {
                let holds = accepts_atomic(store, types, id, term);
                self.count_test(site, holds)
            }
        }
    }

    fn check_compound(&mut self, store: &Store, types: &Types, term: Cell, id: TypeId, site: Site) -> bool {
        if self.tables.is_beside() {
            let cells = &mut self.tables.cells;
            // What is an argument of a term that holds is remembered itself: nothing is to inherit.
            let held = Memory::holds(cells, (term.index() as u32, id.0));
            if self.plain {
                if held.is_some() {
                    self.place(site).remembered += 1;
                    return true;
                }
                let mut tally = Tally::default();
                if cells.glance(store, types, term, &types.words_of(id), &mut tally) {
                    let Tally { hits, visits, deepest } = tally;
                    let counters = &mut self.place(site).counters;
                    counters.checks += 1;
                    counters.visits += 1 + visits;
                    counters.hits += hits;
                    counters.deepest = counters.deepest.max(deepest);
                    return true;
                }
            }
            self.place(site);
            return self.walk(store, types, (term, id, site), held, [NOWHERE; 2]);
        }
        let key = (term.index() as u32, id.0);
        let before_anywhere = std::mem::replace(&mut self.last, key);
        // What is remembered ends most checks.
        let held = self.tables.holds(key);
        let plain = self.plain;
        let place = self.place(site);
        let before_here = std::mem::replace(&mut place.last, key);
        if held.is_some() && plain {
            place.remembered += 1;
            return true;
        }
        self.walk(store, types, (term, id, site), held, [before_here, before_anywhere])
    }

    /// The check of a term of which only the root was looked up.
    fn walk(
        &mut self,
        store: &Store,
        types: &Types,
        (term, id, site): (Cell, TypeId, Site),
        held: Option<Footprint>,
        parents: [Key; 2],
    ) -> bool {
        let configuration = &self.configuration;
        let parents = if configuration.inherit { parents } else { [NOWHERE; 2] };
        let mut walk = Walk {
            store,
            types,
            configuration,
            limit: configuration.depth_limit.unwrap_or(u32::MAX),
            every: configuration.every.get(),
            auditor: (configuration.audit != Audit::Never).then_some(&mut self.auditor),
            frames: &mut self.frames,
            accepted: &mut self.accepted,
            sharing: false,
            footprint: Footprint::NOTHING,
            steps: Steps::default(),
            #[cfg(feature = "plant")]
            fault: self.fault,
        };
        let holds = walk.run(&mut self.tables, (term, id), held, parents);
        let steps = walk.steps;
        self.audited += steps.audited;
        self.disagreements += steps.disagreements;
        let counters = &mut self.sites[site.0 as usize].counters;
        counters.checks += 1;
        counters.failures += u64::from(!holds);
        counters.visits += steps.visits;
        counters.hits += steps.hits;
        counters.inherited += steps.inherited;
        counters.deepest = counters.deepest.max(u64::from(steps.deepest));
        #[cfg(feature = "plant")]
        if !holds && self.fault == Some(crate::base::plant::Fault::RememberFailures) {
            self.tables.remember(store, (term.index() as u32, id.0));
        }
        holds
    }

    #[inline]
    fn place(&mut self, site: Site) -> &mut Place {
        let number = site.0 as usize;
        if number >= self.sites.len() {
            self.sites.resize(number + 1, Place::NEW);
        }
        &mut self.sites[number]
    }

    /// Makes the checker commit a fault, or none: for oracles that prove that they would notice.
    #[cfg(feature = "plant")]
    pub fn plant(&mut self, fault: Option<crate::base::plant::Fault>) {
        self.fault = fault;
        self.tables.plant(fault);
    }

    /// Counts a test of one cell as a check that visits one node, and returns its result.
    #[inline]
    pub fn count_test(&mut self, site: Site, holds: bool) -> bool {
        let counters = &mut self.place(site).counters;
        counters.checks += 1;
        counters.visits += 1;
        counters.failures += u64::from(!holds);
        holds
    }

    /// The time, if checks are measured.
    #[must_use]
    pub fn clock(&self) -> u64 {
        self.clock.as_ref().map_or(0, |stopwatch| (stopwatch.clock)())
    }

    /// Counts a check that called a property and began at a time of [`Checker::clock`]. It visits no nodes itself.
    pub fn count_call(&mut self, site: Site, holds: bool, since: u64) {
        let spent = self.clock.as_ref().map_or(0, |stopwatch| stopwatch.since(since));
        let counters = &mut self.place(site).counters;
        counters.checks += 1;
        counters.failures += u64::from(!holds);
        counters.nanoseconds += spent;
    }

    /// A point in the history of what is remembered, for a choicepoint.
    #[inline]
    pub fn mark(&mut self) -> CheckMark {
        self.tables.mark()
    }

    /// Forgets of what was remembered since a choicepoint what need not be true after backtracking to it: what rests on
    /// bindings that the trail, from its length then on, is about to undo, or on cells beyond the store's length then.
    /// The result is the choicepoint's mark from now on.
    #[inline]
    pub(crate) fn backtrack(
        &mut self,
        store: &Store,
        mark: CheckMark,
        trail: usize,
        top: usize,
    ) -> CheckMark {
        self.tables.backtrack(store, mark, trail, top)
    }

    /// How many bytes are used beyond what is the same for every program.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes()
    }

    /// Forgets everything: a term was changed destructively, or types were redefined.
    pub fn clear(&mut self) {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::base::plant::Fault::IgnoreChanges) {
            return;
        }
        self.tables.clear();
    }

    /// Follows cells that a collection moved; `None` where a cell is gone, as those from an index to the `next` one are.
    pub fn relocate(&mut self, mut moved: impl FnMut(usize) -> Option<usize>, next: impl Fn(usize) -> usize) {
        // What was checked last is looked up before it is believed, but must not name another term by chance.
        let mut follow = |(cell, id): Key| match moved(cell as usize).map(u32::try_from) {
            Some(Ok(cell)) if cell != NOWHERE.0 => (cell, id),
            _ => NOWHERE,
        };
        for place in &mut self.sites {
            if place.last != NOWHERE {
                place.last = follow(place.last);
            }
        }
        if self.last != NOWHERE {
            self.last = follow(self.last);
        }
        self.tables.relocate(moved, next);
    }

    /// Counts that a condition did not hold that was proved.
    pub(crate) fn disagree(&mut self) {
        self.disagreements += 1;
    }

    /// What checks have cost so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        let Counting { hits: _, misses, inserted, evicted, dropped } = self.tables.counting();
        let mut counters = Counters {
            misses,
            inserted,
            evicted,
            dropped,
            audited: self.audited,
            disagreements: self.disagreements,
            ..Counters::default()
        };
        let mut batched = vec![Vec::new(); self.sites.len()];
        for (at, counted) in self.batched.iter().enumerate() {
            if let Some(of_site) = batched.get_mut(counted.check.site.0 as usize) {
                of_site.push(at);
            }
        }
        for (number, batched) in batched.into_iter().enumerate() {
            let site = self.counters_of(Site(number as u32), &batched);
            counters.checks += site.checks;
            counters.visits += site.visits;
            counters.hits += site.hits;
            counters.inherited += site.inherited;
            counters.deepest = counters.deepest.max(site.deepest);
        }
        counters
    }

    /// What the checks of one site have cost so far.
    #[must_use]
    pub fn site_counters(&self, site: Site) -> SiteCounters {
        let checks = self.batched.iter().enumerate();
        let of_site = checks.filter(|(_, counted)| counted.check.site == site).map(|(at, _)| at);
        self.counters_of(site, &of_site.collect::<Vec<usize>>())
    }

    /// The same, with the positions of its checks that are made in batches.
    fn counters_of(&self, site: Site, batched: &[usize]) -> SiteCounters {
        let Some(place) = self.sites.get(site.0 as usize) else { return SiteCounters::default() };
        let mut counters = place.own();
        let mut with_batch = 0_u64.wrapping_sub(place.apart);
        let quick = if self.aside.is_empty() { &self.quick } else { &self.aside };
        for &at in batched {
            let counted = &self.batched[at];
            let last = counted.last as usize;
            let same = |&at: &usize| self.batched.get(at).is_some_and(|other| other.last as usize == last);
            let batch = (0..=last).rev().take_while(same);
            let quickly: u64 = batch.map(|at| quick[at].times).sum();
            with_batch = with_batch.wrapping_add(self.batched[last].times + quickly);
            counters.hits += counted.tally.hits + quick[at].hits;
            counters.visits += counted.tally.visits;
            counters.deepest = counters.deepest.max(counted.tally.deepest);
        }
        counters.checks = counters.checks.wrapping_add(with_batch);
        counters.visits = counters.visits.wrapping_add(with_batch);
        counters
    }

    /// How checks are done.
    #[must_use]
    pub fn configuration(&self) -> Configuration {
        self.configuration
    }
}

impl Walk<'_> {
    /// Walks a remembered term again without memory; the fresh answer is the one that counts.
    #[cold]
    pub(super) fn audit(&mut self, cell: Cell, id: TypeId) -> bool {
        self.steps.audited += 1;
        let holds = Checker::new(Configuration::UNCACHED).check(self.store, self.types, cell, id, Site(0));
        if !holds {
            self.steps.disagreements += 1;
        }
        holds
    }
}
