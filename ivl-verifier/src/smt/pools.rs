//! Instances of quantifiers from pools of terms, as Boogie's attributes ask for them.
//!
//! A program says which terms a quantifier needs where no trigger finds them: `{:pool "p"}` on a bound variable has
//! the terms of pool `p` put for it, `{:add_to_pool "p", e}` on a command puts `e` there, and on a quantifier it does
//! so for each value that is chosen for the quantifier's variables. The design:
//!
//! - Translation leaves [`Hints`] beside the query: which quantifiers and lambdas want pools, and what goes into them.
//!   Without any, nothing happens here.
//! - From the assertions downwards, outside of other binders, a quantifier whose values are *chosen* (an existential
//!   one that is assumed, a universal one that is to be proved) is replaced by its body at new constants if pools
//!   matter inside it. That may make its terms part of pools.
//! - Every other quantifier that stands outside of binders and all of whose variables have pools gets an instance for
//!   each combination of terms of the right sorts. It stays where it is: `q` becomes `q && instances` (`q || instances`
//!   for an existential one), which means the same wherever it stands. Instances are looked through in turn, so this
//!   ends when nothing new comes, or at the bounds below.
//! - A lambda whose variables all have pools gets instances of its axiom for each application of its function.
//!
//! Why nothing can become wrong: constants are new, one set for each quantifier, and stand for what makes it true (or
//! false) if anything does; instances follow from their quantifiers. Whatever is in a pool, the query is satisfiable
//! exactly if it was before. The hints are part of the expressions whose digests are the key (`snapshot/checksum`).
//!
//! Where Boogie differs: it drops a quantifier that wants pools unless `-keepQuantifier` is given; here it always
//! stays. It looks through conditions only, here axioms with pools have instances too. It ends when nothing new comes,
//! that is, perhaps never.

mod hints;
mod substitution;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::hints::{Hints, LambdaWish, Offer, Wish};
use self::substitution::Substitution;
use crate::base::arena::Arena;
use crate::base::names::Symbol;
use crate::smt::term::{Bound, Builder, Op, Quantifier, SortId, Term, TermId};

/// How many instances are made at most; what is left out is an assumption that is not made.
const MAX_INSTANCES: usize = 4096;
/// How many instances may lead to each other, each with a term that the one before it put into a pool.
const MAX_GENERATION: u32 = 8;

/// Puts instances beside the quantifiers of a query that want pools: in its background and in a goal, which it gives
/// back. It is a lie to choose the same wherever variables have one name and type.
pub(crate) fn instantiate(builder: &mut Builder, hints: Hints, goal: TermId, choose_once: bool) -> TermId {
    if !hints.matter() {
        return goal;
    }
    let mut work = Instantiation {
        builder,
        hints,
        touched: FxHashMap::default(),
        free: FxHashMap::default(),
        visited: FxHashSet::default(),
        pools: FxHashMap::default(),
        chosen: FxHashMap::default(),
        constants: choose_once.then(FxHashMap::default),
        quantifiers: IndexMap::new(),
        applications: IndexMap::new(),
        count: 0,
    };
    work.run(goal)
}

/// Whether a formula counts where it is true, where it is false, or in a way that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Polarity {
    Asserted,
    Denied,
    Either,
}

impl Polarity {
    fn flipped(self) -> Self {
        match self {
            Self::Asserted => Self::Denied,
            Self::Denied => Self::Asserted,
            Self::Either => Self::Either,
        }
    }

    /// The polarities of the parts of a term that has this one.
    fn of_parts(self, term: &Term) -> Vec<(TermId, Self)> {
        let mut parts = Vec::new();
        term.for_each_part(|part| parts.push((part, Self::Either)));
        match (term, parts.as_mut_slice()) {
            (Term::Op(Op::Not, _), [a]) => a.1 = self.flipped(),
            (Term::Op(Op::And | Op::Or, _), all) => all.iter_mut().for_each(|part| part.1 = self),
            (Term::Op(Op::Implies, _), [a, b]) => (a.1, b.1) = (self.flipped(), self),
            (Term::Op(Op::IfThenElse, _), [_, a, b]) => (a.1, b.1) = (self, self),
            _ => {}
        }
        parts
    }
}

/// What is made of a quantifier at a place.
enum Treatment {
    Chosen,
    Instances,
    Left,
}

/// The terms in a pool, each with how many instances led to it.
type Pool = IndexMap<(TermId, SortId), u32>;

/// Instances by the terms that are put for variables.
type Instances = IndexMap<Vec<TermId>, TermId>;

/// A quantifier that gets instances.
#[derive(Default)]
struct Known {
    polarities: Vec<Polarity>,
    instances: Instances,
}

struct Instantiation<'b> {
    builder: &'b mut Builder,
    hints: Hints,
    /// Whether pools matter in a term.
    touched: FxHashMap<TermId, bool>,
    /// The bound variables that are free in a term.
    free: FxHashMap<TermId, Vec<TermId>>,
    visited: FxHashSet<(TermId, Polarity)>,
    pools: FxHashMap<Symbol, Pool>,
    /// The bodies of quantifiers at the constants that were chosen for them.
    chosen: FxHashMap<TermId, TermId>,
    /// The constants by names and types, if these are all that counts.
    constants: Option<FxHashMap<(String, SortId), TermId>>,
    quantifiers: IndexMap<TermId, Known>,
    /// Applications of functions of lambdas, with the instances of each of their axioms.
    applications: IndexMap<(TermId, usize), Instances>,
    count: usize,
}

impl Instantiation<'_> {
    fn run(&mut self, goal: TermId) -> TermId {
        for offer in std::mem::take(&mut self.hints.offers) {
            self.offer(offer, 0);
        }
        let background = std::mem::take(&mut self.builder.query.background);
        for root in background.iter().chain([&goal]) {
            self.scan(*root, Polarity::Asserted, 0);
        }
        while self.round() {}
        let mut background: Vec<TermId> =
            background.into_iter().map(|root| self.rewritten(root, Polarity::Asserted)).collect();
        let equations: Vec<TermId> =
            self.applications.values().flat_map(|all| all.values().copied()).collect();
        background.extend(equations.into_iter().map(|root| self.rewritten(root, Polarity::Asserted)));
        self.builder.query.background = background;
        self.rewritten(goal, Polarity::Asserted)
    }

    fn term(&self, id: TermId) -> &Term {
        &self.builder.query.terms[id]
    }

    /// Puts a term into a pool, if no bound variable is free in it.
    fn offer(&mut self, offer: Offer, generation: u32) {
        self.learn_free(offer.term);
        if generation <= MAX_GENERATION && self.free.get(&offer.term).is_some_and(Vec::is_empty) {
            self.pools.entry(offer.pool).or_default().entry((offer.term, offer.sort)).or_insert(generation);
        }
    }

    /// Finds out which bound variables are free in a term and its parts.
    fn learn_free(&mut self, root: TermId) {
        let terms = &self.builder.query.terms;
        learn(terms, root, &mut self.free, |id, term, known| {
            let mut found: Vec<TermId> = Vec::new();
            term.for_each_part(|part| {
                for leaf in known.get(&part).into_iter().flatten() {
                    if !found.contains(leaf) {
                        found.push(*leaf);
                    }
                }
            });
            match term {
                Term::Bound(_) => found.push(id),
                Term::Quantifier(quantifier) => found.retain(
                    |leaf| !matches!(&terms[*leaf], Term::Bound(leaf) if quantifier.bound.contains(leaf)),
                ),
                _ => {}
            }
            found
        });
    }

    /// Whether pools matter in a term: a quantifier that has to do with them is in it, or a lambda.
    fn is_touched(&mut self, root: TermId) -> bool {
        let hints = &self.hints;
        learn(&self.builder.query.terms, root, &mut self.touched, |id, term, known| {
            let mut touched = match term {
                Term::Quantifier(_) => hints.quantifiers.contains_key(&id),
                Term::Apply(function, _) => hints.lambdas.contains_key(function),
                _ => false,
            };
            term.for_each_part(|part| touched |= known.get(&part).copied().unwrap_or(false));
            touched
        });
        self.touched.get(&root).copied().unwrap_or(false)
    }

    fn treatment(&self, id: TermId, quantifier: &Quantifier, polarity: Polarity) -> Treatment {
        let chosen = if quantifier.universal { Polarity::Denied } else { Polarity::Asserted };
        if polarity == chosen {
            return Treatment::Chosen;
        }
        let pools = self.hints.quantifiers.get(&id).map_or(&[][..], |wish| &wish.pools);
        let all = !pools.is_empty() && pools.iter().all(|pools| !pools.is_empty());
        if all { Treatment::Instances } else { Treatment::Left }
    }

    /// Looks through a term outside of binders for quantifiers and lambdas that have to do with pools.
    fn scan(&mut self, root: TermId, polarity: Polarity, generation: u32) {
        let mut work = vec![(root, polarity)];
        while let Some((id, polarity)) = work.pop() {
            if !self.is_touched(id) || !self.visited.insert((id, polarity)) {
                continue;
            }
            let Term::Quantifier(quantifier) = self.term(id).clone() else {
                if let Term::Apply(function, _) = self.term(id)
                    && let Some(axioms) = self.hints.lambdas.get(function)
                {
                    for axiom in 0..axioms.len() {
                        self.applications.entry((id, axiom)).or_default();
                    }
                }
                work.extend(polarity.of_parts(self.term(id)));
                continue;
            };
            match self.treatment(id, &quantifier, polarity) {
                Treatment::Left => {}
                Treatment::Chosen => {
                    let body = self.choose(id, &quantifier, generation);
                    work.push((body, polarity));
                }
                Treatment::Instances => {
                    let known = self.quantifiers.entry(id).or_default();
                    known.polarities.push(polarity);
                    work.extend(known.instances.values().map(|instance| (*instance, polarity)));
                }
            }
        }
    }

    /// The body of a quantifier at constants that stand for what is chosen.
    fn choose(&mut self, id: TermId, quantifier: &Quantifier, generation: u32) -> TermId {
        if let Some(body) = self.chosen.get(&id) {
            return *body;
        }
        let mut map = Vec::new();
        for bound in &quantifier.bound {
            let named = (bound.name.clone(), bound.sort);
            let known = self.constants.as_ref().and_then(|all| all.get(&named)).copied();
            let constant = known.unwrap_or_else(|| {
                // No name of a program has an `@` in it.
                let function =
                    self.builder.declare(&format!("{}@chosen", bound.name), Vec::new(), bound.sort);
                self.builder.term(Term::Apply(function, Vec::new()))
            });
            if let Some(constants) = &mut self.constants {
                constants.insert(named, constant);
            }
            map.push((bound.clone(), constant));
        }
        let body = self.put(id, quantifier, map, generation, true);
        self.chosen.insert(id, body);
        body
    }

    /// The body of a quantifier with terms put for its variables, and what it offers with them put into pools.
    fn put(
        &mut self,
        id: TermId,
        quantifier: &Quantifier,
        map: Vec<(Bound, TermId)>,
        generation: u32,
        chosen: bool,
    ) -> TermId {
        let offers = self.hints.quantifiers.get(&id).map(|wish| wish.offers.clone()).unwrap_or_default();
        let mut substitution = Substitution::new(map);
        for offer in offers {
            if chosen || !offer.chosen_only {
                let term = substitution.apply(self, offer.term);
                self.offer(Offer { term, ..offer }, generation);
            }
        }
        substitution.apply(self, quantifier.body)
    }

    /// Makes the instances for which there are terms; whether there was a new one.
    fn round(&mut self) -> bool {
        let before = self.count;
        let mut at = 0;
        while let Some((id, _)) = self.quantifiers.get_index(at) {
            let id = *id;
            at += 1;
            let (Term::Quantifier(quantifier), Some(wish)) =
                (self.term(id).clone(), self.hints.quantifiers.get(&id))
            else {
                continue;
            };
            let pools = wish.pools.clone();
            for (terms, generation) in self.combinations(&quantifier.bound, &pools) {
                let known = self.quantifiers.get(&id);
                if self.count >= MAX_INSTANCES || known.is_some_and(|it| it.instances.contains_key(&terms)) {
                    continue;
                }
                self.count += 1;
                let map = quantifier.bound.iter().cloned().zip(terms.iter().copied()).collect();
                let instance = self.put(id, &quantifier, map, generation + 1, false);
                let Some(known) = self.quantifiers.get_mut(&id) else { continue };
                known.instances.insert(terms, instance);
                for polarity in known.polarities.clone() {
                    self.scan(instance, polarity, generation + 1);
                }
            }
        }
        at = 0;
        while let Some((&(application, axiom), _)) = self.applications.get_index(at) {
            at += 1;
            self.apply_lambda(application, axiom);
        }
        self.count > before
    }

    /// Makes the instances of the axiom of a lambda for an application of its function.
    fn apply_lambda(&mut self, application: TermId, axiom: usize) {
        let Term::Apply(function, arguments) = self.term(application).clone() else { return };
        let Some(wish) = self.hints.lambdas.get(&function).and_then(|all| all.get(axiom)).cloned() else {
            return;
        };
        let Term::Quantifier(quantifier) = self.term(wish.axiom).clone() else { return };
        let variables = quantifier.bound.get(wish.arguments..).unwrap_or_default();
        for (terms, generation) in self.combinations(variables, &wish.pools) {
            let key = (application, axiom);
            let known = self.applications.get(&key).is_some_and(|all| all.contains_key(&terms));
            if known || self.count >= MAX_INSTANCES {
                continue;
            }
            self.count += 1;
            let values = arguments.iter().chain(&terms).copied();
            let map = quantifier.bound.iter().cloned().zip(values).collect();
            let instance = self.put(wish.axiom, &quantifier, map, generation + 1, false);
            self.applications.entry(key).or_default().insert(terms, instance);
            self.scan(instance, Polarity::Asserted, generation + 1);
        }
    }

    /// What may be put for variables, with how many instances led there.
    fn combinations(&self, variables: &[Bound], pools: &[Vec<Symbol>]) -> Vec<(Vec<TermId>, u32)> {
        let mut found: Vec<(Vec<TermId>, u32)> = vec![(Vec::new(), 0)];
        for (variable, pools) in variables.iter().zip(pools) {
            let mut fitting: IndexMap<TermId, u32> = IndexMap::new();
            for ((term, sort), generation) in pools.iter().filter_map(|it| self.pools.get(it)).flatten() {
                if *sort == variable.sort {
                    let known = fitting.entry(*term).or_insert(*generation);
                    *known = (*known).min(*generation);
                }
            }
            let mut longer = Vec::new();
            for (start, generation) in &found {
                for (term, other) in &fitting {
                    if longer.len() < MAX_INSTANCES {
                        let mut next = start.clone();
                        next.push(*term);
                        longer.push((next, (*generation).max(*other)));
                    }
                }
            }
            found = longer;
        }
        found
    }

    /// A formula with what is chosen in place of quantifiers, and instances beside them.
    fn rewritten(&mut self, root: TermId, polarity: Polarity) -> TermId {
        let mut memo: FxHashMap<(TermId, Polarity), TermId> = FxHashMap::default();
        let mut work = vec![(root, polarity, false)];
        while let Some((id, polarity, ready)) = work.pop() {
            if memo.contains_key(&(id, polarity)) {
                continue;
            }
            if !self.is_touched(id) {
                memo.insert((id, polarity), id);
                continue;
            }
            let term = self.term(id).clone();
            let parts: Vec<(TermId, Polarity)> = match &term {
                Term::Quantifier(quantifier) => match self.treatment(id, quantifier, polarity) {
                    Treatment::Left => Vec::new(),
                    Treatment::Chosen => {
                        self.chosen.get(&id).map(|body| (*body, polarity)).into_iter().collect()
                    }
                    Treatment::Instances => {
                        let instances =
                            self.quantifiers.get(&id).into_iter().flat_map(|it| it.instances.values());
                        instances.map(|instance| (*instance, polarity)).collect()
                    }
                },
                _ => polarity.of_parts(&term),
            };
            if !ready {
                work.push((id, polarity, true));
                work.extend(parts.into_iter().map(|(part, polarity)| (part, polarity, false)));
                continue;
            }
            let parts: Vec<TermId> =
                parts.iter().map(|part| memo.get(part).copied().unwrap_or(part.0)).collect();
            let new = match term {
                Term::Quantifier(quantifier) => {
                    match (self.treatment(id, &quantifier, polarity), parts.as_slice()) {
                        (Treatment::Chosen, [body]) => *body,
                        (Treatment::Instances, [_, ..]) => {
                            let op = if quantifier.universal { Op::And } else { Op::Or };
                            let all = [id].into_iter().chain(parts).collect();
                            self.builder.op(op, all)
                        }
                        _ => id,
                    }
                }
                Term::Apply(function, _) => self.builder.term(Term::Apply(function, parts)),
                Term::Op(op, _) => self.builder.term(Term::Op(op, parts)),
                _ => id,
            };
            memo.insert((id, polarity), new);
        }
        memo.get(&(root, polarity)).copied().unwrap_or(root)
    }
}

/// Learns something of a term and all its parts that is not known yet; of the parts first, since `of` tells it from
/// what is known of these.
fn learn<T>(
    terms: &Arena<TermId, Term>,
    root: TermId,
    known: &mut FxHashMap<TermId, T>,
    of: impl Fn(TermId, &Term, &FxHashMap<TermId, T>) -> T,
) {
    let mut work = vec![(root, false)];
    while let Some((id, ready)) = work.pop() {
        if known.contains_key(&id) {
            continue;
        }
        let term = &terms[id];
        if ready {
            let learnt = of(id, term, known);
            known.insert(id, learnt);
        } else {
            work.push((id, true));
            term.for_each_part(|part| work.push((part, false)));
        }
    }
}
