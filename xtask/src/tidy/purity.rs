//! Parsers, normalizers, caches and engines are pure; printing, clocks, environment, files and foreign
//! libraries each have their one place.

use super::source::{Path, Place, Source};
use super::{Finding, Tree};

const CORE: &str = "cache-core";
/// What the three tools share.
const SHARED: &str = "reprise-tools";
const XTASK: &str = "xtask";
const READER: &str = "symexec-reader";

/// Only `report` and the programs' main files print. `base` may: its `System` is the way to the output.
/// A worker's frames on standard output are `cache_core::worker`'s.
pub(super) fn only_reports_print(tree: &Tree) -> Vec<Finding> {
    const MACROS: [&str; 4] = ["print", "println", "eprint", "eprintln"];
    let mut findings = Vec::new();
    for source in library_code(tree) {
        let may_print = matches!(source.layer(), Some("report" | "base"))
            || (source.package() == Some(CORE) && source.layer() == Some("worker"));
        if matches!(source.place, Place::Program { .. }) || may_print {
            continue;
        }
        for (at, token) in source.tokens.iter().enumerate() {
            let calls = source.tokens.get(at + 1).is_some_and(|next| next.text == "!");
            if calls && !token.test && MACROS.contains(&token.text.as_str()) {
                findings.push(Finding::at(&source.path, token.line, format!("`{}!` prints", token.text)));
            }
        }
        for path in source.paths().iter().filter(|path| !path.test) {
            let stream = |name: &str| path.segments.ends_with(&["io".to_owned(), name.to_owned()]);
            if stream("stdout") || stream("stderr") {
                findings.push(Finding::at(&source.path, path.line, "writes to a standard stream"));
            }
        }
    }
    findings
}

/// The clock, the environment and files are reached through `base`'s `System`; in the core by `store` `worker`
/// and `system` only, and solvers' programs through what the tools share. The program that reads LLVM's bitcode
/// is an edge as a whole: files are what it reads, and clang what it starts.
pub(super) fn only_edges_reach_out(tree: &Tree) -> Vec<Finding> {
    let reaches_out = |path: &Path| {
        let [first, second, ..] = path.segments.as_slice() else { return false };
        match (first.as_str(), second.as_str()) {
            // Addresses of the network and points in time are values: who reaches out connects, or asks the clock.
            ("std", "net") => !path
                .segments
                .last()
                .is_some_and(|name| name.starts_with("Ip") || name.starts_with("SocketAddr")),
            ("std", "fs" | "env" | "process") => true,
            ("std", "time") => path.segments.iter().any(|name| name == "Instant" || name == "now"),
            ("Instant" | "SystemTime", "now") | ("fs" | "env", _) => true,
            _ => false,
        }
    };
    let mut findings = Vec::new();
    for source in library_code(tree) {
        let edge = match (source.package(), source.layer()) {
            (Some(CORE), Some("store" | "system" | "worker"))
            | (Some(SHARED), Some("program"))
            | (_, Some("base")) => true,
            _ => matches!(&source.place, Place::Program { name, .. } if name == READER),
        };
        if edge {
            continue;
        }
        for path in source.paths().iter().filter(|path| !path.test && reaches_out(path)) {
            let shown = path.segments.join("::");
            // `main` needs an exit code, which reaches nothing.
            if shown == "std::process::ExitCode" || shown == "std::process" {
                continue;
            }
            findings.push(Finding::at(
                &source.path,
                path.line,
                format!("`{shown}` reaches out of the program"),
            ));
        }
    }
    findings
}

/// Z3 is called by the programs `*-solver` only, LLVM by `symexec-reader` only.
pub(super) fn engines_are_in_workers(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.sources {
        let program = match &source.place {
            Place::Program { name, .. } => name.as_str(),
            Place::Module { .. } | Place::Root { .. } | Place::Beside => "",
        };
        for path in source.paths() {
            let allowed = match path.segments.first().map(String::as_str) {
                Some("z3" | "z3_sys") => program.ends_with("-solver"),
                Some("llvm_sys") => program == READER,
                _ => true,
            };
            if !allowed {
                let shown = path.segments.join("::");
                findings.push(Finding::at(
                    &source.path,
                    path.line,
                    format!("`{shown}` belongs to a worker program"),
                ));
            }
        }
    }
    findings
}

/// Everything that becomes part of the library or a tool: no tests, no build scripts, not xtask.
fn library_code(tree: &Tree) -> impl Iterator<Item = &Source> {
    tree.sources.iter().filter(|source| source.package().is_some_and(|package| package != XTASK))
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::{engines_are_in_workers, only_edges_reach_out, only_reports_print};

    #[test]
    fn printing_outside_of_reports_is_found() {
        let found = places(
            only_reports_print,
            &[
                ("tool/src/read.rs", "fn f() {\n println!(\"x\"); }\nuse std::io::{self, stderr};"),
                ("tool/src/check.rs", "fn f() { writeln!(std::io::stdout(), \"x\"); }"),
                ("tool/src/report/text.rs", "fn f() { println!(\"x\") }"),
                ("tool/src/main.rs", "fn f() { eprintln!(\"x\") }"),
                ("tool/src/bin/tool-solver.rs", "fn f() { eprintln!(\"x\") }"),
                ("tool/tests/it/main.rs", "fn f() { eprintln!(\"x\") }"),
                (
                    "tool/src/term.rs",
                    "/// println!\nfn f() { x.stdout(); } #[cfg(test)] mod t { fn f() { print!(\"\") } }",
                ),
            ],
        );
        assert_eq!(found, ["tool/src/check.rs:1", "tool/src/read.rs:2", "tool/src/read.rs:3"]);
    }

    #[test]
    fn reaching_out_past_the_system_is_found() {
        let found = places(
            only_edges_reach_out,
            &[
                (
                    "tool/src/read.rs",
                    "use std::fs;\nuse std::time::{Duration, Instant};\nfn f() { std::env::var(\"X\"); }",
                ),
                (
                    "tool/src/term.rs",
                    "use std::time::Duration; use std::process::ExitCode; fn f() { env!(\"X\"); }",
                ),
                ("tool/src/base/system.rs", "use std::fs;"),
                ("symexec/src/bin/symexec-reader/main.rs", "use std::fs;"),
                ("cache-core/src/store/disk.rs", "use std::fs;"),
                ("cache-core/src/table.rs", "use std::time::Instant;"),
                ("tool/src/key.rs", "use std::net::{IpAddr, SocketAddrV4};\nuse std::time::SystemTime;"),
                ("tool/src/name.rs", "use std::net::ToSocketAddrs;\nfn f() { SystemTime::now(); }"),
            ],
        );
        let expected = [
            "cache-core/src/table.rs:1",
            "tool/src/name.rs:1",
            "tool/src/name.rs:2",
            "tool/src/read.rs:1",
            "tool/src/read.rs:2",
            "tool/src/read.rs:3",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_engine_in_a_tool_itself_is_found() {
        let found = places(
            engines_are_in_workers,
            &[
                ("tool/src/smt.rs", "use z3::ast::Bool;"),
                ("tool/src/bin/tool-solver.rs", "use z3::{Config, Solver};"),
                ("tool/src/bin/tool-solver/translate.rs", "use z3::ast;\nuse llvm_sys::core;"),
                ("tool/src/bin/symexec-reader.rs", "use llvm_sys::core;"),
                ("tool/tests/it/z.rs", "use z3::Solver;"),
            ],
        );
        assert_eq!(
            found,
            ["tool/src/bin/tool-solver/translate.rs:2", "tool/src/smt.rs:1", "tool/tests/it/z.rs:1"]
        );
    }
}
