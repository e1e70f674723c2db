//! `cargo xtask tidy`: the workspace's own rules, above all every **Architecture Invariant**.
//!
//! A rule is a function from a [`Tree`] (the tracked files and the resolved dependencies) to findings.
//! Rules over code read tokens, not text, so that comments and strings never count. Each rule has a test
//! that plants a violation in a tree of a few lines and sees it found.

mod tree;
mod source;
mod dependencies;
mod layers;
mod circles;
mod purity;
mod keys;
mod files;
mod conduct;
mod soundness;

use std::fmt;

use crate::error::Error;
use tree::Tree;

/// A place where a rule is broken.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// Relative to the root of the checkout.
    path: String,
    /// Counted from one; zero where the whole file is meant.
    line: usize,
    message: String,
}

impl Finding {
    fn at(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { path, line, message } = self;
        if *line == 0 {
            write!(formatter, "{path}: {message}")
        } else {
            write!(formatter, "{path}:{line}: {message}")
        }
    }
}

/// A rule, with the sentence that it stands for.
struct Rule {
    says: &'static str,
    check: fn(&Tree) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { says: "every Rust file consists of Rust tokens", check: files::files_are_read },
    Rule {
        says: "cache-core depends on no tool and on neither Z3 nor LLVM",
        check: dependencies::core_is_free,
    },
    Rule { says: "xtask depends on no tool and on neither Z3 nor LLVM", check: dependencies::xtask_is_free },
    Rule { says: "the tools never depend on each other", check: dependencies::tools_are_apart },
    Rule {
        says: "digests, policies and stores live in cache-core only",
        check: dependencies::caching_is_in_the_core,
    },
    Rule { says: "one module calls bincode", check: dependencies::one_module_encodes },
    Rule { says: "licences are on the list of deny.toml", check: dependencies::licences_are_allowed },
    Rule { says: "every crate inherits the workspace's lints", check: dependencies::lints_are_inherited },
    Rule { says: "modules are layers in the order of ARCHITECTURE.md", check: layers::modules_are_layers },
    Rule { says: "no files take names from each other in a circle", check: circles::names_go_one_way },
    Rule { says: "only `report` and the programs' main print", check: purity::only_reports_print },
    Rule {
        says: "clock, environment and files are reached through `System`",
        check: purity::only_edges_reach_out,
    },
    Rule {
        says: "Z3 and LLVM are called by their worker programs only",
        check: purity::engines_are_in_workers,
    },
    Rule { says: "keys name every field, and no id is a key", check: keys::keys_name_every_field },
    Rule { says: "long files give a reason, very long ones are split", check: files::files_are_short },
    Rule { says: "every module explains itself", check: files::modules_are_documented },
    Rule { says: "the project names no machine and no registry", check: files::no_machine_is_named },
    Rule { says: "the README shows the two commands", check: files::readme_shows_the_commands },
    Rule { says: "CHANGELOG has a short line for each change", check: files::changes_are_told_briefly },
    Rule { says: "packages hold what they copy", check: files::packages_hold_what_they_copy },
    Rule { says: "every fixture has its expectation beside it", check: files::fixtures_have_expectations },
    Rule {
        says: "tests neither hide nor sleep, and no code is left undone",
        check: conduct::nothing_is_left_undone,
    },
    Rule { says: "every test is run", check: conduct::every_test_is_run },
    Rule { says: "every lie in docs/soundness.md has its test", check: soundness::lies_are_tested },
];

/// Checks every rule and prints what it finds.
pub(crate) fn run() -> Result<(), Error> {
    let tree = Tree::of_checkout()?;
    let mut count = 0;
    for Rule { says, check } in RULES {
        let mut findings = check(&tree);
        findings.sort();
        if !findings.is_empty() {
            println!("tidy: {says}");
        }
        for finding in &findings {
            println!("   {finding}");
        }
        count += findings.len();
    }
    println!("tidy: {} rules, {} files, {count} findings", RULES.len(), tree.files.len());
    if count == 0 { Ok(()) } else { Err(Error::Findings(format!("tidy found {count} places to mend"))) }
}

/// What the tests of the rules share.
#[cfg(test)]
mod check {
    use super::{Finding, Tree};

    /// The findings of a rule in a tree of the given files, as `path:line` without the messages.
    #[track_caller]
    pub(super) fn places(rule: fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
        let mut findings = rule(&Tree::of_texts(files));
        findings.sort();
        findings.iter().map(|Finding { path, line, .. }| format!("{path}:{line}")).collect()
    }
}
