//! The query cache of a solver: are these constraints satisfiable, and by what?
//!
//! The constraints are `a < b` between variables with a range of values; the engine tries assignments. Two queries
//! with other variables, or in another order, are one question, and its model comes back in the variables of whoever
//! asks. A query that cost too much is asked again only with a larger budget. Queries that contain a contradiction
//! which an earlier run found need no engine ([`KeptSets`]), nor do those that are contained in what a model of this
//! run satisfies ([`SetTree`]); there names count. Processes that share the folder take turns at a query
//! ([`CacheConfig::lease_wait`]), so that one of them asks the engine and the others get its answer.
#![expect(clippy::print_stdout, reason = "a program whose user reads what it prints")]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Provenance};
use cache_core::key::KeyBuilder;
use cache_core::limits::Limits;
use cache_core::rename::{AtomId, Confirmed, NameChecksum, Normalizer, Shapes, Translate};
use cache_core::sets::KeptSets;
use cache_core::store::{DiskOptions, DiskStore, Store};
use cache_core::subsume::{NameSet, SetTree};
use serde::{Deserialize, Serialize};

/// What the engine says, with variables as numbers of the normal form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Verdict {
    Model(Vec<(u32, u64)>),
    Unsatisfiable,
    OutOfBudget,
}

impl Answer for Verdict {
    fn out_of_limits(&self) -> bool {
        *self == Self::OutOfBudget
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        // Any model is as good as another.
        matches!((self, fresh), (Self::Model(_), Self::Model(_))) || self == fresh
    }
}

/// How many values a variable may have.
const VALUES: u64 = 4;
/// So many contradictions are kept.
const CONTRADICTIONS: usize = 1000;

/// The first assignment of values below `values` that satisfies `constraints`, after at most `budget` tries.
fn engine(variables: &[AtomId], constraints: &[(AtomId, AtomId)], values: u64, budget: u64) -> (Found, u64) {
    let mut tried = 0;
    let mut model: Vec<(AtomId, u64)> = variables.iter().map(|it| (*it, 0)).collect();
    loop {
        if tried == budget {
            return (Found::Nothing, tried);
        }
        tried += 1;
        let value = |atom| model.iter().find(|(it, _)| *it == atom).map_or(0, |(_, value)| *value);
        if constraints.iter().all(|(low, high)| value(*low) < value(*high)) {
            return (Found::Model(model), tried);
        }
        // The next assignment, the first variable fastest.
        let Some(at) = model.iter().position(|(_, value)| *value + 1 < values) else {
            return (Found::Contradiction, tried);
        };
        model[at].1 += 1;
        model[..at].iter_mut().for_each(|(_, value)| *value = 0);
    }
}

enum Found {
    Model(Vec<(AtomId, u64)>),
    Contradiction,
    Nothing,
}

/// What is known of sets of constraints over the same variables.
struct Sets {
    contradictions: KeptSets<()>,
    /// Models in words, of this run.
    satisfied: SetTree<String>,
}

/// Answers one query in words.
fn query(
    cache: &mut Cache<Verdict>,
    sets: &mut Sets,
    constraints: &[(&str, &str)],
    budget: u64,
) -> Result<String, Box<dyn Error>> {
    let named: Vec<NameChecksum> = constraints.iter().map(|it| NameChecksum::node(it, &[])).collect();
    if sets.contradictions.subset(&named, |()| true).is_some() {
        return Ok("unsatisfiable (contains a known contradiction)".to_owned());
    }
    // Nothing of this outlives the run, so the short digests are enough.
    let members: NameSet = named.iter().map(|it| it.digest()).collect();
    if let Some(model) = sets.satisfied.superset(&members, |_| true) {
        return Ok(format!("{model} (satisfies more than this)"));
    }
    let mut shapes = Shapes::new();
    let mut variables = Vec::new();
    for (low, high) in constraints {
        for name in [low, high] {
            if !variables.iter().any(|(known, _, _)| known == name) {
                // All variables have one type, so nothing but their place tells them apart.
                let (atom, shape) = shapes.fresh("variable");
                variables.push((*name, atom, (shape, shapes.confirm_atom(atom))));
            }
        }
    }
    let of =
        |name: &str| variables.iter().find(|(known, _, _)| *known == name).ok_or("a variable is missing");
    let mut terms = Vec::new();
    for (low, high) in constraints {
        let children = [of(low)?.2, of(high)?.2];
        let shape = shapes.node("<", &children.map(|(shape, _)| shape));
        terms.push((shape, shapes.confirm_node(|out| out.text("<"), &children)));
    }
    let normal = shapes.normalize(Confirmed { expression: None, constraints: &terms });
    let key = KeyBuilder::new("orders", 1)
        .engine("assignments", "1")
        .option("values", &VALUES)
        .content("constraints", &normal.checksum)
        .finish();

    let pairs: Result<Vec<_>, &str> =
        constraints.iter().map(|(low, high)| Ok((of(low)?.1, of(high)?.1))).collect();
    let (pairs, atoms): (_, Vec<AtomId>) = (pairs?, variables.iter().map(|(_, atom, _)| *atom).collect());
    let renaming = &normal.back.renaming;
    let limits = Limits { resource: Some(budget), ..Limits::default() };
    let ask = || {
        let (found, tried) = engine(&atoms, &pairs, VALUES, budget);
        let answer = match found {
            Found::Model(model) => {
                Verdict::Model(renaming.to_form(&model).ok_or("a model speaks of something else")?)
            }
            Found::Contradiction => Verdict::Unsatisfiable,
            Found::Nothing => Verdict::OutOfBudget,
        };
        Ok::<_, &str>(Asked { answer, cost: Cost { seconds: 0.0, resource: tried } })
    };
    let answered = cache.answer(&key, &limits, ask)?;
    if answered.answer == Verdict::Unsatisfiable {
        sets.contradictions.insert(&named, ());
    }
    let words = match &answered.answer {
        Verdict::Model(form) => {
            let mut model: Vec<String> = Vec::new();
            for (atom, value) in renaming.to_own(form).ok_or("the model does not fit")? {
                let name =
                    variables.iter().find(|(_, known, _)| *known == atom).map_or("", |(name, _, _)| name);
                model.push(format!("{name} = {value}"));
            }
            model.sort();
            let model = model.join(", ");
            sets.satisfied.insert(&members, model.clone());
            model
        }
        Verdict::Unsatisfiable => "unsatisfiable".to_owned(),
        Verdict::OutOfBudget => "out of budget".to_owned(),
    };
    let origin = match answered.provenance {
        Provenance::Fresh(why) => format!("{} tries: {why}", answered.cost.resource),
        Provenance::Memory | Provenance::Store => "from the cache".to_owned(),
    };
    Ok(format!("{words} ({origin})"))
}

/// Constraints, and the budget for them.
type Asking<'a> = (&'a [(&'a str, &'a str)], u64);

/// Two runs over one folder.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut report = String::new();
    let runs: [&[Asking<'_>]; 2] = [
        &[
            (&[("a", "b"), ("b", "c")], 1000),
            (&[("a", "b"), ("b", "a")], 1000),
            (&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")], 100),
        ],
        &[
            (&[("y", "z"), ("x", "y")], 1000),
            (&[("y", "z")], 1),
            (&[("q", "p"), ("p", "q")], 1),
            (&[("b", "c"), ("b", "a"), ("a", "b")], 1),
            (&[("v", "w"), ("w", "x"), ("x", "y"), ("y", "z")], 50),
            (&[("v", "w"), ("w", "x"), ("x", "y"), ("y", "z")], 2000),
        ],
    ];
    for (number, run) in runs.into_iter().enumerate() {
        report.push_str(&format!("run {}\n", number + 1));
        let store: Arc<dyn Store> = Arc::new(DiskStore::open(folder.path(), DiskOptions::default())?);
        let known = KeyBuilder::new("contradictions", 1).engine("assignments", "1").option("values", &VALUES);
        let mut contradictions = KeptSets::new(Arc::clone(&store), &known.finish(), CONTRADICTIONS);
        contradictions.load()?;
        let mut sets = Sets { contradictions, satisfied: SetTree::new() };
        let config = CacheConfig::default().store(store).lease_wait(Duration::from_secs(5));
        let mut cache: Cache<Verdict> = Cache::new(config);
        for (constraints, budget) in run {
            let asked: Vec<String> =
                constraints.iter().map(|(low, high)| format!("{low} < {high}")).collect();
            report.push_str(&format!(
                "  {}: {}\n",
                asked.join(", "),
                query(&mut cache, &mut sets, constraints, *budget)?
            ));
        }
        sets.contradictions.save()?;
        cache.finish();
        for warning in cache.take_warnings() {
            report.push_str(&format!("  warning: {warning}\n"));
        }
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
