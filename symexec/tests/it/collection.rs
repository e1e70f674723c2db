//! Expressions that nobody has any more go, and nothing else changes.

use std::collections::BTreeMap;

use reprise_tools::report::Report;
use serde_json::Value;

use crate::program::{Ran, explore_files, fixture};

/// All that a run leaves, but for what it took.
#[derive(Debug, PartialEq)]
struct Whole {
    code: i32,
    files: BTreeMap<String, Vec<u8>>,
    result: String,
    counts: Vec<(String, u64)>,
}

/// Counts of the engine that are about costs, and not about what was done.
const COSTS: [&str; 2] = ["expressions", "peak_memory_bytes"];

fn whole(ran: &Ran) -> Option<Whole> {
    let report = ran.report.as_ref()?;
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(&ran.folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Those with times, and with the name of the folder.
        if !["info", "run.stats", "messages.txt", "profile.json"].contains(&name.as_str()) {
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
    let counts = report.engine.iter().filter(|(name, _)| !COSTS.contains(&name.as_str()));
    let counts = counts.filter_map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect();
    let result = serde_json::to_string(&report.result).unwrap();
    Some(Whole { code: ran.code, files, result, counts })
}

/// States wait with tables that were written at unknown places, with facts about digits, and with unknown sizes.
const TABLES: &str = r#"
#include <stdlib.h>
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);
struct pair { int key; short *value; };
int main(void) {
    unsigned char text[5], at;
    unsigned long size;
    short one = 1, two = 2;
    struct pair table[4] = {{1, &one}, {2, &two}, {3, &one}, {4, 0}};
    klee_make_symbolic(text, sizeof text, "text");
    klee_make_symbolic(&at, 1, "at");
    klee_make_symbolic(&size, sizeof size, "size");
    if (size > 40 || size == 0) return 1;
    char *copy = malloc(size);
    if (at < 4) {
        table[at].key = text[0];
        table[(at + 1) & 3].value = &two;
    }
    unsigned number = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        if (text[i] >= '0' && text[i] <= '9') number = number * 10 + text[i] - '0';
        else if (text[i] == ' ') sum += i * at;
        else if (text[i] == 'x') sum ^= table[i & 3].key;
        else break;
        copy[i < size ? i : 0] = text[i] + number;
        if (number == 123) return 2;
        if (number > 7000) return 3;
    }
    if (sum > 9 && table[1].key == 7) return 4;
    if (size > 3 && copy[3] == 'x') return 5;
    return table[at & 3].value == &two ? *table[at & 3].value : 0;
}
"#;

/// What runs of a fixture leave, or of the program above, with these options and with these and more.
fn explored(name: &str, options: &[&str], more: &[&str]) -> [Option<Whole>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mut file = fixture(name);
    if name == "tables" {
        file = folder.path().join("tables.c");
        std::fs::write(&file, TABLES).unwrap();
    }
    [&[], more].map(|more| whole(&explore_files(&folder, &[file.clone()], &[options, more].concat())))
}

const PROGRAMS: [&str; 7] =
    ["matrix-4-3.ll", "markers.ll", "mixed.ll", "pointers.ll", "errors.ll", "layout.ll", "tables"];

/// That both runs are the same; says where they are not.
fn same([one, other]: [Option<Whole>; 2], what: &str) {
    let (one, other) = (one.unwrap(), other.unwrap_or_else(|| panic!("{what}: no report")));
    assert_eq!(one.result, other.result, "{what}");
    assert_eq!(one.counts, other.counts, "{what}");
    let names = |whole: &Whole| whole.files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other), "{what}");
    let differing: Vec<&String> =
        one.files.keys().filter(|name| one.files[*name] != other.files[*name]).collect();
    assert!(one == other && differing.is_empty(), "{what}: {differing:?}");
}

#[test]
fn whenever_expressions_go_the_run_is_the_same() {
    let searches: [&[&str]; 4] = [
        &["--search", "dfs"],
        &["--search", "bfs", "--put-off", "1"],
        &["--search", "random-path", "--search", "nurs:covnew"],
        &["--search", "random-state", "--query-cache", "none"],
    ];
    for (place, program) in PROGRAMS.into_iter().enumerate() {
        for (number, model) in ["forking", "segmented"].into_iter().enumerate() {
            let options = [
                &["--memory-model", model, "--max-instructions", "1500"][..],
                searches[(place + 2 * number) % 4],
            ]
            .concat();
            let every = ["1", "5"][(place + number) % 2];
            same(
                explored(program, &options, &["--collect-every", every]),
                &format!("{program} {options:?} {every}"),
            );
        }
    }
}

#[test]
fn every_search_goes_the_same_way_though_expressions_go() {
    for search in [
        "dfs",
        "bfs",
        "random-state",
        "random-path",
        "nurs:covnew",
        "nurs:md2u",
        "nurs:depth",
        "nurs:icnt",
        "nurs:qc",
    ] {
        let limit = ["--search", search, "--max-instructions", "1500"];
        same(explored("tables", &limit, &["--collect-every", "3"]), search);
    }
}

#[test]
fn a_waiting_state_whose_expressions_go_is_noticed() {
    for search in ["bfs", "dfs"] {
        let [plain, planted] = explored("tables", &["--search", search], &["--plant", "forget-waiting"]);
        assert!(plain.is_some() && plain != planted, "{search}");
    }
}

/// Expressions that a path keeps, and behind these as many as is said that it does not; too few for a collection where
/// nothing is short.
const SHORT_OF_MEMORY: &str = r#"
void klee_make_symbolic(void *, unsigned long, const char *);
unsigned kept[300000];
int main(void) {
    unsigned x, sum = 0;
    klee_make_symbolic(&x, sizeof x, "x");
    for (unsigned i = 0; i < 300000; i++) kept[i] = x * (2 * i + 3);
    for (unsigned i = 0; i < GONE; i++) sum = (x ^ (7 * i + 3)) + i;
    return sum == 7 ? kept[5] == 11 : 2;
}
"#;

#[test]
fn expressions_of_nobody_go_before_a_run_stops_for_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let explored = |gone: &str, more: &[&str]| {
        let file = folder.path().join(format!("gone-{gone}.c"));
        std::fs::write(&file, SHORT_OF_MEMORY.replace("GONE", gone)).unwrap();
        explore_files(&folder, &[file], more).report.unwrap()
    };
    let megabytes = |report: &Report| report.engine["peak_memory_bytes"].as_u64().unwrap() >> 20;
    let (least, whole) = (megabytes(&explored("1", &[])), explored("200000", &[]));
    let most = megabytes(&whole);
    assert!(least + 8 < most, "{least} and {most} MB");
    // What stays has room, and part of what goes.
    let short = explored("200000", &[&format!("--max-memory={}", least + (most - least) * 2 / 3)]);
    assert_eq!((&short.result["stopped"], short.result["paths"].as_u64()), (&Value::Null, Some(2)));
    assert_eq!(short.result, whole.result);
    // Where nothing can go it stops.
    let stopped = explored("200000", &[&format!("--max-memory={}", least / 2)]);
    assert_eq!(stopped.result["stopped"], "the memory limit was reached");
}
