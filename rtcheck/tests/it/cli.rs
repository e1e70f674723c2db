//! The command line.

use std::path::Path;
use std::process::{Command, Output};

fn rtcheck(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtcheck")).args(arguments).output().expect("the program starts")
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/prolog").join(name).display().to_string()
}

#[test]
fn the_benchmarks_print_what_is_expected() {
    for name in ["amqueue", "avl", "btree", "heap", "length", "rbtree", "set", "tree"] {
        let out = rtcheck(&["run", &fixture(&format!("{name}.pl")), "--", "256"]);
        let expected =
            std::fs::read(fixture(&format!("{name}.256.out"))).expect("it lies beside the program");
        assert_eq!((out.status.code(), out.stdout), (Some(0), expected));
        assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    }
}

/// The expected output is SWI-Prolog's.
#[test]
fn the_classics_print_what_other_systems_print() {
    for name in ["nrev", "tak", "queens", "zebra", "crypt", "deriv", "poly_10", "browse"] {
        let out = rtcheck(&["run", &fixture(&format!("classics/{name}.pl")), "--", "1"]);
        let expected =
            std::fs::read(fixture(&format!("classics/{name}.out"))).expect("it lies beside the program");
        assert_eq!((out.status.code(), out.stdout, out.stderr), (Some(0), expected, Vec::new()), "{name}");
    }
}

#[test]
fn statistics_have_the_shape_of_all_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let stats = folder.path().join("stats.json");
    let out = rtcheck(&["run", &fixture("amqueue.pl"), "--stats", &stats.display().to_string(), "--", "64"]);
    assert_eq!(out.status.code(), Some(0));
    let text = std::fs::read_to_string(stats).expect("it was written");
    let report: cache_core::stats::Report = serde_json::from_str(&text).expect("it is a report");
    assert_eq!(report.tool, "rtcheck");
    assert_eq!(report.engine["violations"], 0);
    assert!(report.cache.hits > 0 && report.engine["node_visits"].as_u64() > Some(0));
}

#[test]
fn a_profile_has_a_row_per_property_and_tells_what_would_help() {
    let out = rtcheck(&[
        "profile",
        &fixture("tree.pl"),
        "--check-cache",
        "lru",
        "--cache-size",
        "4",
        "--json",
        "--compare",
        "--",
        "256",
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    let profile: serde_json::Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    let rows = profile["rows"].as_array().expect("there are rows");
    // insert: a key and a tree at the call, a tree at the success; contains: a key and a tree.
    let mut kinds: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("it is text");
            (text("predicate"), text("when"), text("property"))
        })
        .collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [
            ("tree:contains/2", "calls", "bintree(T,int)"),
            ("tree:contains/2", "calls", "int(K)"),
            ("tree:insert/3", "calls", "bintree(T0,int)"),
            ("tree:insert/3", "calls", "int(K)"),
            ("tree:insert/3", "success", "bintree(T,int)"),
        ]
    );
    let find = |when: &str| {
        rows.iter()
            .find(|row| {
                row["predicate"] == "tree:insert/3" && row["when"] == when && row["property"] != "int(K)"
            })
            .expect("it is among them")
    };
    let (calls, success) = (find("calls"), find("success"));
    assert_eq!(calls["checks"], success["checks"]);
    let better = success["better"]["visits"].as_u64().expect("a larger cache helps");
    assert!(better < success["visits"].as_u64().expect("a count") / 2);

    let table = rtcheck(&["profile", &fixture("tree.pl"), "--", "64"]);
    let table = String::from_utf8(table.stdout).expect("it is text");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("64"), "the program's own output comes first");
    let summary = lines.next().expect("a summary");
    assert!(summary.contains(" checks visited ") && summary.ends_with("that the program ran"), "{summary}");
    assert_eq!(table.matches("tree:insert/3 calls: bintree(T0,int)").count(), 1);
}

#[test]
fn a_missing_file_is_unusable_input() {
    let out = rtcheck(&["run", "no-such-file.pl"]);
    assert_eq!(out.status.code(), Some(2));
    let error = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(error.contains("no-such-file.pl") && error.contains("is the path right"), "{error}");
}

#[test]
fn wrong_options_are_usage_errors() {
    for arguments in [
        &["run", "x.pl", "--check-cache", "fast"][..],
        &["run", "x.pl", "--audit", "sometimes"],
        &["run", "x.pl", "--depth-limit", "deep"],
        &["walk"],
    ] {
        assert_eq!(rtcheck(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
