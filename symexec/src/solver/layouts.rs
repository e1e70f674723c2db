//! A check of definition IV.5 of the query-caching paper: the answer to an address-agnostic question is
//! the same in every isomorphic layout.
//!
//! For test runs. Every question that is treated as agnostic and in which an address occurs is solved
//! again with the same objects at other places, in another order and at other distances. An answer that
//! differs is a fault of the classes of expressions, or of whoever trusted them.

use cache_core::digest::Encoder;
use rustc_hash::FxHashSet;

use super::process::Process;
use super::translate::{Layout, canonical_as_if_agnostic, is_agnostic};
use super::{Counts, Query, Solver, SolverError};
use crate::expr::{AddressId, Arena, ExprId, Marks, Model, Node};

/// The solver that asks again elsewhere.
pub struct Layouts {
    inner: Box<dyn Solver>,
    process: Process,
    /// In how many layouts each question is asked.
    rounds: u32,
    /// Whether questions that depend on the layout are treated as if they did not: a planted fault.
    believes_all: bool,
    /// Questions that were checked, each once.
    checked: FxHashSet<(ExprId, Box<[ExprId]>)>,
    disagreements: u64,
    warnings: Vec<String>,
}

impl Layouts {
    /// Checks what `inner` answers in `rounds` layouts, solved by `process`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, process: Process, rounds: u32, believes_all: bool) -> Self {
        Self {
            inner,
            process,
            rounds,
            believes_all,
            checked: FxHashSet::default(),
            disagreements: 0,
            warnings: Vec::new(),
        }
    }

    fn check(&mut self, arena: &mut Arena, query: &Query, answer: bool) -> Result<(), SolverError> {
        let mentions = |id: &ExprId| arena.info(*id).addresses;
        if !query.constraints.iter().chain([&query.expr]).any(mentions)
            || !(self.believes_all || is_agnostic(arena, query))
            || !self.checked.insert((query.expr, query.constraints.as_slice().into()))
        {
            return Ok(());
        }
        let addresses = addresses(arena, query);
        let form = canonical_as_if_agnostic(arena, query);
        for round in 0..self.rounds {
            let mut seed = Encoder::new();
            seed.nested(form.digest);
            seed.u64(u64::from(round));
            let layout = layout(arena, &addresses, &seed);
            if self.process.satisfiable_in(arena, &form, &layout)? != answer {
                self.disagreements += 1;
                self.warnings.push(format!(
                    "a question was taken for independent of where objects lie and is not: its answer is {answer}, \
                     but not with the objects at {:x?}",
                    addresses.iter().map(|address| layout[address]).collect::<Vec<_>>()
                ));
                break;
            }
        }
        Ok(())
    }
}

/// The addresses of a query, in the order in which they were made.
fn addresses(arena: &Arena, query: &Query) -> Vec<AddressId> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    let mut stack: Vec<ExprId> = query.constraints.iter().chain([&query.expr]).copied().collect();
    while let Some(id) = stack.pop() {
        if !arena.info(id).addresses || !seen.insert(id) {
            continue;
        }
        match arena.node(id) {
            Node::Address(address) => found.push(address),
            _ => arena.children(id, &mut stack),
        }
    }
    found.sort_unstable();
    found
}

/// Places that do not overlap, for objects of the same sizes; any order and any distances. The same
/// every time for the same seed.
fn layout(arena: &Arena, addresses: &[AddressId], seed: &Encoder) -> Layout {
    let bytes = seed.digest().to_bytes();
    let mut state = bytes.iter().fold(1u64, |state, byte| state.wrapping_mul(257) ^ u64::from(*byte));
    let mut next = |below: u64| {
        // Knuth's constants for 64 bits; the high bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut order = addresses.to_vec();
    for place in (1..order.len()).rev() {
        let other = usize::try_from(next(place as u64 + 1)).unwrap_or(0);
        order.swap(place, other);
    }
    let mut layout = Layout::default();
    let mut base = 0x1_0000 + next(0x1000) * 16;
    for address in order {
        layout.insert(address, base);
        let size = arena.address(address).size;
        // Distances from one red zone to some pages.
        let gap = if next(2) == 0 { 16 } else { 16 + next(0x1000) * 16 };
        base = base.saturating_add(size).saturating_add(gap).next_multiple_of(16);
    }
    layout
}

impl Solver for Layouts {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    /// What is asked again elsewhere is asked one by one.
    fn possible(&mut self, _: &mut Arena, _: &[ExprId], _: &[ExprId]) -> Option<Vec<bool>> {
        None
    }

    fn trace(&mut self, marks: &mut Marks) {
        self.checked.iter().for_each(|(asked, constraints)| {
            constraints.iter().chain([asked]).for_each(|condition| marks.mark(*condition));
        });
        self.process.trace(marks);
        self.inner.trace(marks);
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let answer = self.inner.satisfiable(arena, query)?;
        self.check(arena, query, answer)?;
        Ok(answer)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let model = self.inner.model(arena, query)?;
        self.check(arena, query, model.is_some())?;
        Ok(model)
    }

    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let model = self.inner.witness(arena, query)?;
        self.check(arena, query, model.is_some())?;
        Ok(model)
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
        let mut own = Counts::default();
        self.process.count(&mut own);
        counts.add("layout_checks", own.get("solver_queries"));
        counts.add("layout_disagreements", self.disagreements);
        counts.disagreements += self.disagreements;
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = self.inner.take_warnings();
        warnings.append(&mut self.warnings);
        warnings.extend(self.process.take_warnings());
        warnings
    }
}

#[cfg(test)]
mod tests {
    use cache_core::digest::Encoder;

    use super::layout;
    use crate::expr::{AddressId, Arena, RenameInputs};

    #[test]
    fn layouts_are_isomorphic_and_differ() {
        let mut arena = Arena::new(RenameInputs(true));
        let sizes = [0u64, 1, 16, 40, 5000];
        for (number, size) in (0u32..).zip(sizes) {
            arena.new_address(size, 0x1000 * u64::from(number + 1), number);
        }
        let addresses: Vec<AddressId> = (0..sizes.len()).map(AddressId::at).collect();
        let mut orders = std::collections::BTreeSet::new();
        for number in 0..50u64 {
            let mut seed = Encoder::new();
            seed.u64(number);
            let places = layout(&arena, &addresses, &seed);
            let mut sorted: Vec<(u64, u64)> =
                addresses.iter().map(|address| (places[address], arena.address(*address).size)).collect();
            orders.insert(sorted.clone());
            sorted.sort_unstable();
            assert!(sorted[0].0 > 0);
            for pair in sorted.windows(2) {
                assert!(pair[0].0 + pair[0].1 + 16 <= pair[1].0, "{sorted:?}");
            }
            assert_eq!(places, layout(&arena, &addresses, &seed));
        }
        assert!(orders.len() > 40);
    }
}
