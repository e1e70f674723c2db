//! The query cache: which of "holds" and "does not hold" are possible, by canonical question.
//!
//! An entry is found by what is asked, negation taken off, and the set of constraints. With
//! [`Naming::AddressAware`] two questions are the same when a bijection of base addresses (of objects of
//! equal sizes) and of input bytes leads from one to the other: the paper's section III-B with its
//! Algorithm 1, here through cache-core's shapes. With [`Naming::Plain`] they are the same when all
//! names and numeric addresses are.
//!
//! Solutions are cached as well, by the number that an input has in the canonical question; a cached
//! one is evaluated under the state's own constraints before it is used, and a failure is a miss.
//!
//! Length: truths and solutions, each with its key, its price and what is counted of it.

mod entry;
mod key;

use std::rc::Rc;

use cache_core::audit::Audit;
use cache_core::cache::{Asked, Cache, CacheConfig, Cost, Lookup, Question as CacheQuestion};
use cache_core::digest::{Confirm, Digest, Encoder};
use cache_core::key::Checksum;
use cache_core::limits::Limits;
use cache_core::mode::Mode;
use cache_core::policy::Unbounded;
use cache_core::stats::CacheStats;
use rustc_hash::FxHashMap;

pub use entry::read_entry;
use entry::{Sides, Values};
use key::{Kind, confirm, key_content};
pub use key::{Naming, key_digest};

use super::engine::Engine;
use super::lessons::Lessons;
use super::lies::Lies;
use super::places::MergedPlaces;
use super::process::Budget;
use super::trail::Trail;
use super::translate::{
    LastForm, Translated, canonical, canonical_as_if_agnostic, concrete, is_agnostic, question,
};
use super::{Counts, Decided, Query, Solver, SolverError, Z3_VERSION};
use crate::expr::{Arena, Evaluator, ExprId, InputId, Marks, Model, Node};

/// What was found out about a question when it was asked first, so that asking it again with the same
/// expressions costs no canonical form. Most questions of a run are such repetitions.
#[derive(Clone, Copy)]
struct Seen {
    key: Key,
    agnostic: bool,
    /// Whether an address occurs in it.
    dependent: bool,
    /// Whether the solvers behind know what the answer is, by side.
    told: [bool; 2],
}

/// What was found out about questions, by their expressions: what is asked, then the constraints in their
/// order. Looked up, never listed.
type ByExpressions<T> = FxHashMap<Box<[ExprId]>, T>;

/// The key of an entry. The confirming digest is of the canonical question's own bytes.
#[derive(Clone, Copy)]
struct Key {
    digest: Digest,
    /// Computed beforehand where a disk store will ask for it.
    confirm: Option<Confirm>,
}

impl CacheQuestion for Key {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn confirm(&self) -> Confirm {
        self.confirm.unwrap_or_else(|| Confirm::of(&self.digest.to_bytes()))
    }
}

/// The caching solver.
pub struct QueryCache {
    inner: Box<dyn Solver>,
    /// Shared with the solver at the end of the chain.
    forms: LastForm,
    /// Shared with the engine, which says where questions see merged objects.
    places: MergedPlaces,
    /// Asked by audits: a solver without caches, in the state's own layout.
    auditor: Box<dyn Solver>,
    naming: Naming,
    /// Whose answers these are.
    engines: String,
    lies: Lies,
    mode: Mode,
    /// Whether entries meet a disk, and so must be confirmed.
    confirms: bool,
    /// Whether answers are asked for again, for which they have to be asked for one by one.
    audits: bool,
    /// Whether what an answer cost is to be known of each, since that decides what comes first.
    exact: bool,
    sides: Cache<Sides, Unbounded>,
    values: Cache<Values, Unbounded>,
    /// What the questions of this run leave for the next.
    trail: Option<Trail>,
    seen_truths: ByExpressions<Seen>,
    lessons: Lessons,
    /// With what the inputs of the canonical question are here.
    seen_models: ByExpressions<(Seen, Rc<[InputId]>)>,
    /// The expressions of the question at hand, kept for its space.
    asked: Vec<ExprId>,
    /// Questions that were not stored when they were asked first.
    entries: u64,
    ties: u64,
    truths: u64,
    /// What all answers cost when they were found, whoever found them.
    price: u64,
    /// What is spent on a question for now.
    budget: Budget,
    /// Questions that were put off, and what they cost at least, however they are answered later.
    dear: FxHashMap<(Digest, bool), u64>,
    address_dependent: u64,
    layout_dependent: u64,
    moved: u64,
    offline_misses: u64,
    unfit_models: u64,
    upgraded: u64,
    truth_hits: u64,
    model_hits: u64,
    disagreements: u64,
    /// How the caches were made; without a store they are made anew where memory is short.
    config: CacheConfig,
    /// What those counted that are no longer there, and what they warned of.
    former: (CacheStats, Vec<String>),
    /// What the last of the caches over the store said at the end.
    finished: Option<CacheStats>,
}

impl QueryCache {
    /// Caches before `inner`; `auditor` is asked where the configuration audits hits.
    #[must_use]
    pub fn new(
        inner: Box<dyn Solver>,
        auditor: Box<dyn Solver>,
        naming: Naming,
        config: CacheConfig,
    ) -> Self {
        Self {
            inner,
            forms: LastForm::default(),
            places: MergedPlaces::default(),
            auditor,
            naming,
            engines: Z3_VERSION.to_owned(),
            lies: Lies::default(),
            mode: config.mode,
            confirms: config.store.is_some(),
            audits: config.audit != Audit::Never,
            exact: false,
            sides: Cache::new(config.clone()),
            values: Cache::new(config.clone()),
            config,
            former: Default::default(),
            trail: None,
            seen_truths: FxHashMap::default(),
            lessons: Lessons::default(),
            seen_models: FxHashMap::default(),
            asked: Vec::new(),
            entries: 0,
            ties: 0,
            truths: 0,
            price: 0,
            budget: Budget::default(),
            dear: FxHashMap::default(),
            address_dependent: 0,
            layout_dependent: 0,
            moved: 0,
            offline_misses: 0,
            unfit_models: 0,
            upgraded: 0,
            truth_hits: 0,
            model_hits: 0,
            disagreements: 0,
            finished: None,
        }
    }

    /// Shares canonical forms with the solver at the end of the chain.
    #[must_use]
    pub fn sharing(mut self, forms: LastForm) -> Self {
        self.forms = forms;
        self
    }

    /// Holds the answers of given solvers, and takes no others'.
    #[must_use]
    pub fn answered_by(mut self, engines: &[Engine]) -> Self {
        self.engines = engines.iter().map(Engine::identity).collect::<Vec<_>>().join(", ");
        self
    }

    /// Whether questions over few bytes are decided by their values in front of the solver, whose solutions are others.
    /// What it holds answers of is known by now ([`QueryCache::answered_by`]).
    #[must_use]
    pub fn trying_values(mut self, tries: bool) -> Self {
        if !tries {
            self.engines.push_str(", every question");
        }
        self
    }

    /// Gives no answer of which it does not know what it cost, where that is to be a function of the question. What it
    /// holds answers of is known by now ([`QueryCache::answered_by`]).
    #[must_use]
    pub fn pricing(mut self, exact: bool) -> Self {
        self.exact = exact;
        if exact {
            self.engines.push_str(", at exact prices");
        }
        self
    }

    /// Commits a fault, or none: for oracles that prove that they would notice.
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn planting(mut self, fault: Option<crate::base::plant::Fault>) -> Self {
        self.lies = Lies::of(fault);
        self
    }

    /// Fetches beforehand what the last run of a program asked, and notes what this one asks, if the store is far
    /// away. What it holds answers of is known by now ([`QueryCache::answered_by`]).
    #[must_use]
    pub fn on_the_trail_of(mut self, program: &str, config: CacheConfig) -> Self {
        let naming = match self.naming {
            Naming::Plain => "plain",
            Naming::AddressAware => "address-aware",
        };
        self.trail = Trail::follow(program, &format!("{naming}, {}", self.engines), config);
        self
    }

    /// Shares with the solver how much is spent on a question for now.
    #[must_use]
    pub fn within(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Sees merged objects where it is told.
    #[must_use]
    pub fn seeing(mut self, places: MergedPlaces) -> Self {
        self.places = places;
        self
    }

    /// Writes down the expressions of a question, by which it is found among those seen.
    fn write_down(&mut self, query: &Query) {
        self.asked.clear();
        self.asked.push(query.expr);
        self.asked.extend(&query.constraints);
    }

    /// The key of a truth, and whether one of its sides is asked for the first time with these expressions.
    fn truth_key(&mut self, arena: &mut Arena, query: &Query, negated: bool) -> (Key, bool) {
        self.write_down(query);
        let place = usize::from(negated);
        if let Some(seen) = self.seen_truths.get_mut(self.asked.as_slice()) {
            let is_new = !std::mem::replace(&mut seen.told[place], true);
            let seen = *seen;
            self.count_kind(seen);
            return (seen.key, is_new);
        }
        let mut seen = self.look_at(arena, query, Kind::Truth);
        seen.told[place] = true;
        self.seen_truths.insert(self.asked.as_slice().into(), seen);
        self.count_kind(seen);
        (seen.key, true)
    }

    /// Tells the solvers behind what they were not asked: that a side of a truth has a solution, if one is known, or
    /// has none.
    fn teach(&mut self, arena: &mut Arena, (query, positive): (&Query, &Query), key: Digest, side: bool) {
        let negated = query.expr != positive.expr;
        let answer = if !side {
            Decided::Contradictory
        } else if self.lessons.has(key, negated) {
            let form = self.forms.of(arena, positive);
            let inputs = question(arena, &form).inputs;
            Decided::Solvable(self.lessons.model(key, negated, &inputs).map(Rc::new))
        } else {
            return;
        };
        self.inner.learn(arena, query, answer);
    }

    /// The key of a solution, and the inputs in the order of the canonical question.
    fn model_key(&mut self, arena: &mut Arena, query: &Query) -> (Key, Rc<[InputId]>) {
        self.write_down(query);
        let (seen, inputs) = match self.seen_models.get(self.asked.as_slice()) {
            Some((seen, inputs)) => (*seen, Rc::clone(inputs)),
            None => {
                let (expr, negated) = without_negation(arena, query.expr);
                let positive = Query { constraints: query.constraints.clone(), expr };
                let kind = if negated { Kind::NegatedModel } else { Kind::Model };
                let seen = self.look_at(arena, &positive, kind);
                let form = self.forms.of(arena, &positive);
                let Translated { inputs, .. } = question(arena, &form);
                let inputs: Rc<[InputId]> = inputs.into();
                self.seen_models.insert(self.asked.as_slice().into(), (seen, Rc::clone(&inputs)));
                (seen, inputs)
            }
        };
        self.count_kind(seen);
        (seen.key, inputs)
    }

    /// The query as it is seen with merged objects at their segments' places, if that is another one.
    fn seen(&mut self, arena: &mut Arena, query: &Query) -> Option<Query> {
        let seen = self.places.seen(arena, query);
        self.moved += u64::from(seen.is_some());
        seen
    }

    fn count_kind(&mut self, seen: Seen) {
        self.layout_dependent += u64::from(!seen.agnostic);
        self.address_dependent += u64::from(seen.dependent);
    }

    /// Computes the key of a query; `kind` keeps truths and solutions apart.
    fn look_at(&mut self, arena: &mut Arena, query: &Query, kind: Kind) -> Seen {
        let agnostic = is_agnostic(arena, query);
        let dependent = query.constraints.iter().chain([&query.expr]).any(|id| arena.info(*id).addresses);
        let told;
        let query = match self.lies {
            Lies { drop_constraints: true, .. } | Lies { trust_models: true, .. }
                if kind != Kind::Truth || self.lies.drop_constraints =>
            {
                told = Query { constraints: Vec::new(), expr: query.expr };
                &told
            }
            Lies { .. } => query,
        };
        let kind = kind.name();
        let (head, ties) = match self.naming {
            Naming::AddressAware if self.lies.ignore_layout => {
                let form = canonical_as_if_agnostic(arena, query);
                let mut out = Encoder::new();
                out.text(kind);
                out.nested(form.digest);
                (out, form.ties)
            }
            naming => key_content(arena, query, naming, kind, &self.forms, &self.engines),
        };
        self.ties += u64::from(ties);
        let confirm = self.confirms.then(|| {
            let form = match self.naming {
                Naming::AddressAware => canonical(arena, query),
                Naming::Plain => {
                    let query = concrete(arena, query);
                    canonical(arena, &query)
                }
            };
            confirm(arena, &form, head.bytes())
        });
        let key = Key { digest: head.digest(), confirm };
        if let Some(trail) = &mut self.trail {
            trail.note(Checksum { digest: key.digest(), confirm: key.confirm() });
        }
        Seen { key, agnostic, dependent, told: [false; 2] }
    }

    /// Refuses an answer whose finding cost more than is spent for now.
    fn afford(&self, resource: u64) -> Result<(), SolverError> {
        let is_dear = self.budget.get().is_some_and(|most| resource > most);
        if is_dear && !self.lies.free_answers { Err(SolverError::Dear) } else { Ok(()) }
    }

    /// Counts what an answer cost that is known.
    fn pay(&mut self, resource: u64) {
        self.price += if self.lies.free_answers { 0 } else { resource };
    }

    /// Notes that a question was put off: what it costs is more than the largest budget that did not do.
    fn note_dear(&mut self, key: Digest, negated: bool) {
        let least = self.budget.get().map_or(0, |most| most.saturating_add(1));
        let known = self.dear.entry((key, negated)).or_default();
        *known = least.max(*known);
    }

    /// What an answer is noted to cost: not less than what was too much before.
    fn price_of(&mut self, question: (Digest, bool), resource: u64) -> u64 {
        self.dear.remove(&question).map_or(resource, |least| resource.max(least))
    }

    fn fresh_side(
        &mut self,
        arena: &mut Arena,
        query: &Query,
        (key, negated): (Digest, bool),
        known: Sides,
    ) -> Result<(Sides, Cost), SolverError> {
        let before = self.inner.spent();
        let answer = match self.inner.decide(arena, query) {
            Err(SolverError::Dear) => {
                self.note_dear(key, negated);
                return Err(SolverError::Dear);
            }
            Err(SolverError::Unknown(_)) if self.lies.keep_failures => false,
            answer => match answer? {
                Decided::Solvable(model) => {
                    // Others with the plain cache's keys have the same names, by which they are found anyhow.
                    if let (Some(model), Naming::AddressAware) = (model, self.naming) {
                        let (expr, _) = without_negation(arena, query.expr);
                        let form =
                            self.forms.of(arena, &Query { constraints: query.constraints.clone(), expr });
                        self.lessons.keep(key, negated, &question(arena, &form).inputs, &model);
                    }
                    true
                }
                Decided::Contradictory => false,
            },
        };
        let after = self.inner.spent();
        let mut sides = known;
        sides.set(negated, answer);
        let cost = Cost {
            seconds: after.seconds - before.seconds,
            resource: after.resource.saturating_sub(before.resource),
        };
        let cost = Cost { resource: self.price_of((key, negated), cost.resource), ..cost };
        sides.cost(negated, cost.resource);
        self.price += cost.resource;
        Ok((sides, cost))
    }

    fn fit(&mut self, arena: &Arena, query: &Query, inputs: &[InputId], values: &[u8]) -> Option<Model> {
        let model = Model::new(inputs.iter().copied().zip(values.iter().copied()));
        let mut evaluator = Evaluator::new(arena, &model);
        let fits = self.lies.trust_models
            || inputs.len() == values.len()
                && query.constraints.iter().chain([&query.expr]).all(|truth| evaluator.holds(*truth));
        self.unfit_models += u64::from(!fits);
        fits.then_some(model)
    }
}

/// What is asked without its negation, and whether it had one.
fn without_negation(arena: &Arena, expr: ExprId) -> (ExprId, bool) {
    match arena.node(expr) {
        Node::Not(inner) => (inner, true),
        _ => (expr, false),
    }
}

impl Solver for QueryCache {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        self.truths += 1;
        // An audit asks about objects where they are, as the state does.
        let own = query;
        let seen = self.seen(arena, query);
        let query = seen.as_ref().unwrap_or(query);
        let (expr, negated) = without_negation(arena, query.expr);
        let negated = negated && !self.lies.mix_sides;
        let positive = Query { constraints: query.constraints.clone(), expr };
        let (key, is_new) = self.truth_key(arena, &positive, negated);
        let limits = Limits::unlimited();
        let mut known = Sides::default();
        match self.sides.lookup(&key, &limits) {
            Lookup::Hit { answer, audit, .. } => {
                // What the other side told has no price of its own.
                let price = answer.resource(negated).or((!self.exact).then_some(0));
                if let Some((side, price)) = answer.get(negated).zip(price) {
                    self.afford(price)?;
                    self.truth_hits += 1;
                    self.pay(price);
                    if !audit {
                        if is_new {
                            self.teach(arena, (query, &positive), key.digest, side);
                        }
                        return Ok(side);
                    }
                    let fresh = self.auditor.satisfiable(arena, own)?;
                    let mut sides = Sides::default();
                    sides.set(negated, fresh);
                    let asked = Asked { answer: sides, cost: Cost::default() };
                    self.disagreements += u64::from(fresh != side);
                    self.sides.settle_audit(&key, &limits, &answer, &asked);
                    return Ok(fresh);
                }
                self.upgraded += 1;
                known = answer;
            }
            Lookup::Miss(_) if !self.mode.asks() => {
                self.offline_misses += 1;
                return Err(SolverError::Offline);
            }
            Lookup::Miss(_) => self.entries += 1,
        }
        let (sides, cost) = self.fresh_side(arena, query, (key.digest, negated), known)?;
        self.sides.fill(&key, &limits, &Asked { answer: sides, cost });
        sides.get(negated).ok_or_else(|| SolverError::Unknown("no answer".to_owned()))
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let own = query;
        let seen = self.seen(arena, query);
        let query = seen.as_ref().unwrap_or(query);
        let (key, inputs) = self.model_key(arena, query);
        let limits = Limits::unlimited();
        match self.values.lookup(&key, &limits) {
            // That there is a solution shows where one is evaluated; that there is none can only be asked.
            Lookup::Hit { answer: answer @ Values(None), audit, saved, .. } => {
                self.afford(saved.resource)?;
                self.model_hits += 1;
                self.pay(saved.resource);
                if !audit {
                    return Ok(None);
                }
                let fresh = self.auditor.model(arena, own)?;
                let known = Values(fresh.as_ref().map(|_| Vec::new()));
                self.disagreements += u64::from(known != answer);
                let asked = Asked { answer: known, cost: Cost::default() };
                self.values.settle_audit(&key, &limits, &answer, &asked);
                return Ok(fresh);
            }
            Lookup::Hit { answer: Values(Some(values)), saved, .. } => {
                self.afford(saved.resource)?;
                if let Some(model) = self.fit(arena, own, &inputs, &values) {
                    self.model_hits += 1;
                    self.pay(saved.resource);
                    return Ok(Some(model));
                }
            }
            Lookup::Miss(_) if !self.mode.asks() => {
                self.offline_misses += 1;
                return Err(SolverError::Offline);
            }
            Lookup::Miss(_) => self.entries += 1,
        }
        let before = self.inner.spent();
        let model = self.inner.model(arena, query).inspect_err(|error| {
            if *error == SolverError::Dear {
                self.note_dear(key.digest, false);
            }
        })?;
        let after = self.inner.spent();
        let values = model.as_ref().map(|model| inputs.iter().map(|input| model.get(*input)).collect());
        let cost = Cost {
            seconds: after.seconds - before.seconds,
            resource: after.resource.saturating_sub(before.resource),
        };
        let cost = Cost { resource: self.price_of((key.digest, false), cost.resource), ..cost };
        self.price += cost.resource;
        self.values.fill(&key, &limits, &Asked { answer: Values(values), cost });
        Ok(model)
    }

    /// What costs no more than a look-up is not looked up.
    fn possible(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        conditions: &[ExprId],
    ) -> Option<Vec<bool>> {
        if self.audits { None } else { self.inner.possible(arena, constraints, conditions) }
    }

    fn forget(&mut self) {
        self.seen_truths = FxHashMap::default();
        self.seen_models = FxHashMap::default();
        self.lessons = Lessons::default();
        if self.config.store.is_none() {
            let Self { sides, values, config, former: (stats, warnings), .. } = self;
            *stats += &sides.stats();
            *stats += &values.stats();
            warnings.extend(sides.take_warnings());
            warnings.extend(values.take_warnings());
            (*sides, *values) = (Cache::new(config.clone()), Cache::new(config.clone()));
        }
        self.inner.forget();
    }

    /// Questions that were seen stay: where one is seen anew, more may be known of it to teach, and fewer questions would be
    /// asked than without a collection.
    fn trace(&mut self, marks: &mut Marks) {
        let seen = self.seen_truths.keys().chain(self.seen_models.keys());
        seen.for_each(|asked| asked.iter().for_each(|expr| marks.mark(*expr)));
        self.forms.forget();
        self.auditor.trace(marks);
        self.inner.trace(marks);
    }

    fn price(&self) -> u64 {
        self.price
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
        counts.add("query_cache_truth_hits", self.truth_hits);
        counts.add("query_cache_model_hits", self.model_hits);
        counts.add("query_cache_entries", self.entries);
        counts.add("query_cache_ties", self.ties);
        counts.add("query_cache_upgraded", self.upgraded);
        counts.add("query_cache_unfit_models", self.unfit_models);
        counts.add("offline_misses", self.offline_misses);
        counts.add("truth_queries", self.truths);
        counts.add("address_dependent_queries", self.address_dependent);
        counts.add("layout_dependent_queries", self.layout_dependent);
        counts.add("moved_queries", self.moved);
        if let Some(trail) = &self.trail {
            counts.add("foreseen_queries", trail.foreseen());
        }
        let mut audits = Counts::default();
        self.auditor.count(&mut audits);
        counts.add("audit_queries", audits.get("solver_queries"));
        counts.disagreements += self.disagreements;
        counts.cache += &self.former.0;
        counts.cache += &self.sides.stats();
        counts.cache += &self.finished.clone().unwrap_or_else(|| self.values.stats());
    }

    fn finish(&mut self) {
        if let Some(trail) = &mut self.trail {
            trail.leave();
        }
        // Both caches keep their entries in one store, which the last of them brings in order.
        self.finished = Some(self.values.finish());
        self.inner.finish();
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = self.inner.take_warnings();
        warnings.append(&mut self.former.1);
        warnings.extend(self.sides.take_warnings());
        warnings.extend(self.values.take_warnings());
        warnings.extend(self.auditor.take_warnings());
        warnings
    }
}
