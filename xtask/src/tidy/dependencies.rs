//! Who may depend on whom, and on what.

use super::source::Place;
use super::{Finding, Tree};

const CORE: &str = "cache-core";
const XTASK: &str = "xtask";
/// Measures the core beside other caches.
const PEERS: &str = "cache-core-peers";
const TOOLS: [&str; 3] = ["ivl-verifier", "symexec", "rtcheck"];
const ENGINES: [&str; 4] = ["z3", "z3-sys", "llvm-sys", "llvm-ir"];
/// Digests, caches, eviction policies, stores and encoders: the core's business. Hash maps that are fast
/// (`rustc-hash`) are not among them, as their order and their hashes never leave a run.
const CACHING: [&str; 26] = [
    "ahash",
    "bincode",
    "blake2",
    "blake3",
    "cacache",
    "crc32fast",
    "dashmap",
    "fjall",
    "foyer",
    "fxhash",
    "heed",
    "lru",
    "md-5",
    "mini-moka",
    "moka",
    "postcard",
    "quick_cache",
    "redb",
    "rusqlite",
    "seahash",
    "sha1",
    "sha2",
    "siphasher",
    "sled",
    "twox-hash",
    "xxhash-rust",
];

/// What is no cache although its name is on the list: `run.stats` is a database as KLEE writes it, and a test
/// suite tells the SHA-256 of its program, as its format demands. `md5_hash/3` and `sha_hash/3` are predicates
/// of Prolog programs.
const NO_CACHE: [(&str, &str); 5] = [
    ("symexec", "rusqlite"),
    ("symexec", "sha2"),
    ("rtcheck", "md-5"),
    ("rtcheck", "sha1"),
    ("rtcheck", "sha2"),
];

/// `cache-core` builds and passes its tests without any set-up.
pub(super) fn core_is_free(tree: &Tree) -> Vec<Finding> {
    depends_on_none(tree, |name| name == CORE, |_| ENGINES.iter().chain(&TOOLS))
}

/// xtask builds on a fresh machine, and starts the tools as programs.
pub(super) fn xtask_is_free(tree: &Tree) -> Vec<Finding> {
    depends_on_none(tree, |name| name == XTASK, |_| ENGINES.iter().chain(&TOOLS))
}

/// No tool depends on another.
pub(super) fn tools_are_apart(tree: &Tree) -> Vec<Finding> {
    depends_on_none(
        tree,
        |name| TOOLS.contains(&name),
        |name| TOOLS.iter().filter(move |tool| **tool != name),
    )
}

fn depends_on_none<'n, N>(
    tree: &'n Tree,
    which: impl Fn(&str) -> bool,
    forbidden: impl Fn(&'n str) -> N,
) -> Vec<Finding>
where
    N: Iterator<Item = &'static &'static str>,
{
    let mut findings = Vec::new();
    for package in tree.members().filter(|package| which(&package.name)) {
        for name in forbidden(&package.name).filter(|name| package.all.contains(**name)) {
            findings.push(Finding::at(
                &manifest(&package.name),
                0,
                format!("depends, directly or not, on {name}"),
            ));
        }
    }
    findings
}

fn manifest(package: &str) -> String {
    format!("{package}/Cargo.toml")
}

/// No digest, policy, eviction or store code outside `cache-core`: neither by its crates nor by hand.
pub(super) fn caching_is_in_the_core(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in tree.members().filter(|package| ![CORE, PEERS].contains(&package.name.as_str())) {
        let denied = CACHING.iter().filter(|name| !NO_CACHE.contains(&(package.name.as_str(), **name)));
        for name in denied.filter(|name| package.direct.contains(**name)) {
            findings.push(Finding::at(
                &manifest(&package.name),
                0,
                format!("{name}: caching belongs to {CORE}"),
            ));
        }
    }
    for source in tree.sources.iter().filter(|source| source.package().is_some_and(|package| package != CORE))
    {
        let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
        for (at, token) in source.tokens.iter().enumerate().filter(|(_, token)| !token.test) {
            let by_hand = match token.text.as_str() {
                "DefaultHasher" | "FxHasher" | "RandomState" => true,
                "Hasher" | "Policy" | "Store" => text(at + 1) == "for",
                _ => false,
            };
            if by_hand {
                let message = format!("`{}`: digests, policies and stores belong to {CORE}", token.text);
                findings.push(Finding::at(&source.path, token.line, message));
            }
        }
    }
    findings
}

/// All calls of bincode are in one module, so that it can be replaced.
pub(super) fn one_module_encodes(tree: &Tree) -> Vec<Finding> {
    let calls = |source: &&super::source::Source| {
        source.place != Place::Beside && source.tokens.iter().any(|token| token.text == "bincode")
    };
    let callers: Vec<&str> = tree.sources.iter().filter(calls).map(|source| source.path.as_str()).collect();
    let first = callers.first().copied().unwrap_or_default();
    callers
        .iter()
        .skip(1)
        .map(|path| Finding::at(path, 0, format!("calls bincode, as {first} does")))
        .collect()
}

/// Every package of any build has a licence of deny.toml's list.
pub(super) fn licences_are_allowed(tree: &Tree) -> Vec<Finding> {
    let text = tree.files.get("deny.toml").map_or("", String::as_str);
    let list = text.split_once("[licenses]").and_then(|(_, rest)| rest.split_once("allow = [")).and_then(
        |(_, rest)| {
            let (list, _) = rest.split_once(']')?;
            Some(
                list.split(',')
                    .map(|item| item.trim().trim_matches('"'))
                    .filter(|item| !item.is_empty())
                    .collect(),
            )
        },
    );
    let allowed: Vec<&str> = list.unwrap_or_default();
    let mut findings = Vec::new();
    for package in &tree.packages {
        let licence = package.licence.as_deref().unwrap_or("none");
        if !is_allowed(licence, &allowed) {
            let message = format!("the licence of {} ({licence}) is not on the list", package.name);
            findings.push(Finding::at("deny.toml", 0, message));
        }
    }
    findings
}

/// Whether a licence expression grants a licence of the list: a disjunction of conjunctions, as SPDX
/// has it (`A OR B AND C`; the older `A/B` is a disjunction). One pair of parentheses around a
/// disjunction inside a conjunction occurs as well.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    if let Some((before, rest)) = expression.split_once('(')
        && let Some((inside, after)) = rest.split_once(')')
    {
        // Each alternative of the parenthesis, put in its place.
        return inside.split(" OR ").any(|one| is_allowed(&format!("{before}{one}{after}"), allowed));
    }
    expression.split(" OR ").any(|all| all.split(" AND ").all(|one| allowed.contains(&one.trim())))
}

/// Every crate inherits the workspace's lints, and every manifest of a crate is one of a member.
pub(super) fn lints_are_inherited(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.files.iter().filter(|(path, _)| path.ends_with("/Cargo.toml"));
    let inherits = |text: &str| {
        let mut section = "";
        text.lines().any(|line| {
            let line = line.trim();
            if line.starts_with('[') {
                section = line;
            }
            section == "[lints]" && line.replace(' ', "") == "workspace=true"
        })
    };
    manifests
        .filter(|(_, text)| !inherits(text))
        .map(|(path, _)| Finding::at(path, 0, "lacks `[lints] workspace = true`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::super::{Finding, Tree};

    fn count(rule: fn(&Tree) -> Vec<Finding>, members: &[(&str, &[&str])]) -> usize {
        rule(&Tree::of_members(members)).len()
    }

    #[test]
    fn an_engine_or_a_tool_below_the_core_is_found() {
        assert_eq!(count(super::core_is_free, &[("cache-core", &["petgraph"]), ("symexec", &["z3"])]), 0);
        assert_eq!(count(super::core_is_free, &[("cache-core", &["z3-sys", "rtcheck"])]), 2);
    }

    #[test]
    fn an_engine_below_xtask_is_found() {
        assert_eq!(count(super::xtask_is_free, &[("xtask", &["clap"]), ("ivl-verifier", &["z3"])]), 0);
        assert_eq!(count(super::xtask_is_free, &[("xtask", &["llvm-sys"])]), 1);
    }

    #[test]
    fn a_tool_below_another_is_found() {
        assert_eq!(
            count(super::tools_are_apart, &[("symexec", &["cache-core"]), ("rtcheck", &["cache-core"])]),
            0
        );
        assert_eq!(count(super::tools_are_apart, &[("symexec", &["cache-core", "rtcheck"])]), 1);
    }

    #[test]
    fn caching_outside_the_core_is_found() {
        assert_eq!(
            count(super::caching_is_in_the_core, &[("cache-core", &["blake3"]), ("rtcheck", &["clap"])]),
            0
        );
        assert_eq!(count(super::caching_is_in_the_core, &[("rtcheck", &["blake3", "lru"])]), 2);
        let found = places(
            super::caching_is_in_the_core,
            &[
                ("tool/src/a.rs", "use std::hash::DefaultHasher;\nimpl Store for Files {}"),
                ("tool/src/b.rs", "fn f(cache: &dyn Store) {}"),
                ("cache-core/src/store.rs", "impl Store for Files {}"),
            ],
        );
        assert_eq!(found, ["tool/src/a.rs:1", "tool/src/a.rs:2"]);
    }

    #[test]
    fn a_second_module_that_calls_bincode_is_found() {
        let one = ("cache-core/src/encode.rs", "fn f() { bincode::serde::encode() }");
        let other = ("cache-core/src/table.rs", "use bincode::config;");
        assert!(places(super::one_module_encodes, &[one]).is_empty());
        assert_eq!(places(super::one_module_encodes, &[one, other]), ["cache-core/src/table.rs:0"]);
    }

    #[test]
    fn a_licence_off_the_list_is_found() {
        let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"];
        for fine in
            ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-2.0", "(MIT OR GPL-2.0) AND Unicode-3.0", "MIT AND Apache-2.0"]
        {
            assert!(super::is_allowed(fine, &allowed), "{fine}");
        }
        for wrong in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "none"] {
            assert!(!super::is_allowed(wrong, &allowed), "{wrong}");
        }
        let mut tree = Tree::of_members(&[("a", &[])]);
        tree.files.insert("deny.toml".to_owned(), "[licenses]\nallow = [\n \"MIT\",\n]\n".to_owned());
        assert_eq!(super::licences_are_allowed(&tree).len(), 1);
    }

    #[test]
    fn a_crate_with_its_own_lints_is_found() {
        let found = places(
            super::lints_are_inherited,
            &[
                ("Cargo.toml", "[workspace]\n"),
                ("a/Cargo.toml", "[package]\n\n[lints]\nworkspace = true\n"),
                ("b/Cargo.toml", "[package]\n[dependencies]\nworkspace = true\n"),
            ],
        );
        assert_eq!(found, ["b/Cargo.toml:0"]);
    }
}
