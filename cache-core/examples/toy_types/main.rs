//! A toy type checker that caches its types: what it takes to use `cache-core` for something else.
//!
//! The language has numbers, functions and definitions; a definition sees those above it. The checker
//! infers a type for each ([`infer`]), which is the question that is cached. Four versions of a program
//! are checked one after the other, each by a fresh run over the same store, and for each definition the
//! program prints its type, where it came from, and why the engine had to be asked:
//!
//! - The key of a definition ([`program`]) is made of its body *up to the names of bound variables*, and
//!   of the dependency checksums of what it refers to. So renaming a variable or moving a definition asks
//!   nothing, and editing one asks for it and for what depends on it. Its own name is no part of the
//!   question: two definitions with the same body share an answer.
//! - The answer has type variables of its own, which the engine invents; they are numbered by first
//!   occurrence before they are stored, so that equal types are equal answers.
//!
//! Run it with `cargo run -p cache-core --example toy_types`.

#![expect(clippy::print_stdout, reason = "it is a program")]

mod infer;
mod program;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;

use cache_core::cache::{Asked, Cache, CacheConfig, Cost, Provenance};
use cache_core::key::{Change, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::store::{MemoryStore, Store};

use infer::{Verdict, infer};
use program::{Program, versions};

fn main() {
    print!("{}", report());
}

/// Checks all versions, each in a run of its own over one store, and says what happened.
pub(crate) fn report() -> String {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let mut text = String::new();
    for (title, program) in versions() {
        let config = CacheConfig::default().store(Arc::clone(&store));
        let mut cache: Cache<Verdict> = Cache::new(config);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{title}");
        check(&program, &mut cache, &mut text);
        let stats = cache.finish();
        let _ = writeln!(
            text,
            "  {} from the cache, {} inferred, {} of them again\n",
            stats.hits,
            stats.missed(),
            stats.stale
        );
    }
    text
}

fn check(program: &Program, cache: &mut Cache<Verdict>, text: &mut String) {
    let snapshot = program.snapshot();
    let mut types: BTreeMap<&str, Verdict> = BTreeMap::new();
    for definition in &program.definitions {
        let mut builder = KeyBuilder::new("type", 1).engine("unification", "1");
        if let Some(record) = snapshot.get(definition.name) {
            builder = builder.content("body", &record.entity);
            for callee in &record.depends_on {
                if let Some(record) = snapshot.get(callee) {
                    builder = builder.dependency(callee, &record.dependency);
                }
            }
        }
        let key = builder.finish();
        let answered = cache.answer(&key, &Limits::unlimited(), || {
            Ok::<_, Infallible>(Asked { answer: infer(&definition.body, &types), cost: Cost::default() })
        });
        // The engine does not fail, and the mode is not offline.
        let Ok(answered) = answered else { continue };
        let origin = match answered.provenance {
            Provenance::Fresh(why) => match cache.explain_miss(definition.name, &key) {
                Some(changes) => format!("inferred again: {}", list(&changes)),
                None => format!("inferred: {why}"),
            },
            Provenance::Memory | Provenance::Store => "from the cache".to_owned(),
        };
        // The latest key of a definition is what the next version's miss is explained by.
        cache.remember(definition.name, &key);
        let _ = writeln!(text, "  {:6} : {:34} {origin}", definition.name, answered.answer.to_string());
        types.insert(definition.name, answered.answer);
    }
}

fn list(changes: &[Change]) -> String {
    let each = changes.iter().map(|change| match change {
        Change::Changed(kind, name) => format!("{kind:?} `{name}` changed"),
        Change::Added(kind, name) => format!("{kind:?} `{name}` is new"),
        Change::Removed(kind, name) => format!("{kind:?} `{name}` is gone"),
    });
    each.collect::<Vec<_>>().join(", ").to_lowercase()
}
