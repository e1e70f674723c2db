//! What `symexec klee` counts and writes.

use symexec::testcase::KTest;

use crate::klee::{Klee, klee, source};
use crate::program::fixture;

#[test]
fn what_tests_cost_is_counted_where_their_paths_end() {
    let folder = tempfile::tempdir().unwrap();
    // The second side is known to be possible by its condition alone; only its test needs a solution of both. Vectors of
    // more than 64 bits are left to the solver.
    let text = "#include <klee/klee.h>\nint main(void) {\n  unsigned long x, y;\n  klee_make_symbolic(&x, 8, \"x\");\n\
        klee_make_symbolic(&y, 8, \"y\");\n  if ((unsigned __int128)x * 17 + y > 1000)\n    return 1;\n  return 0;\n}\n";
    let stats = folder.path().join("stats.json");
    let given = format!("--stats={}", stats.display());
    let ran =
        klee(&folder, &[&given, "--use-cex-cache=false", "--use-cache=false"], &source(&folder, text), &[]);
    let profile: serde_json::Value =
        serde_json::from_slice(&std::fs::read(ran.folder.join("profile.json")).unwrap()).unwrap();
    let questions = |line: u64| -> u64 {
        let spots = profile["spots"].as_array().unwrap().iter();
        spots.filter(|spot| spot["line"] == line).map(|spot| spot["questions"].as_u64().unwrap()).sum()
    };
    assert_eq!((questions(6), questions(9)), (1, 2), "{profile}");
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    let engine = |name: &str| report["engine"][name].as_u64().unwrap();
    assert_eq!((engine("models"), engine("known_models")), (2, 0), "{report}");
    let info = std::fs::read_to_string(ran.folder.join("info")).unwrap();
    let total = format!("KLEE: done: total queries = {}\n", engine("queries"));
    assert!(info.contains(&total), "{info}");
}

#[test]
fn tests_of_flags_in_words_need_no_solver() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\nint main(void) { unsigned x, n = 0; klee_make_symbolic(&x, 4, \"x\");\n\
        for (int i = 5; i < 11; i++) if (x & (1u << i)) n += i; return n; }\n";
    let stats = folder.path().join("stats.json");
    let ran = klee(&folder, &[&format!("--stats={}", stats.display())], &source(&folder, text), &[]);
    assert_eq!(ran.done("generated tests"), 64, "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    assert_eq!(report["engine"]["solver_queries"], 0, "{report}");
    let mut seen: Vec<u32> = Vec::new();
    for name in ran.files().iter().filter(|name| name.ends_with(".ktest")) {
        let test = KTest::from_bytes(&std::fs::read(ran.folder.join(name)).unwrap()).unwrap();
        seen.push(u32::from_le_bytes(test.objects[0].1.as_slice().try_into().unwrap()) >> 5 & 63);
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..64).collect::<Vec<u32>>());
}

#[test]
fn files_and_warnings_are_left_out_if_they_are_not_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let program = fixture("matrix.ll");
    let ran = klee(&folder, &["--watchdog"], &program, &[]);
    let has = |ran: &Klee, name: &str| ran.files().iter().any(|file| file == name);
    assert!(has(&ran, "run.stats") && has(&ran, "run.istats") && ran.stderr.contains("WARNING: --watchdog"));
    let ran = klee(
        &folder,
        &["--watchdog", "--warnings-only-to-file", "--output-stats=false", "--output-istats=0"],
        &program,
        &[],
    );
    assert!(!has(&ran, "run.stats") && !has(&ran, "run.istats"), "{:?}", ran.files());
    assert!(!ran.stderr.contains("WARNING"), "{}", ran.stderr);
    let warnings = std::fs::read_to_string(ran.folder.join("warnings.txt")).unwrap();
    assert!(warnings.contains("WARNING: --watchdog"), "{warnings}");
}
#[test]
fn an_undefined_function_that_is_given_something_unknown_is_told_as_klee_does() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\nint nowhere(int, char *);\nint main(void) {\n  int x; char c;\n\
        klee_make_symbolic(&x, 4, \"x\");\n  if (x == 3) return nowhere(x, &c);\n  if (x == 4) return nowhere(5, &c);\n\
        return nowhere(x, &c);\n}\n";
    let ran = klee(&folder, &["--search=dfs"], &source(&folder, text), &[]);
    let told = |what: &str| ran.stderr.matches(what).count();
    assert_eq!(told("external call with symbolic argument: nowhere"), 1, "{}", ran.stderr);
    assert_eq!(told("failed external call: nowhere"), 2, "{}", ran.stderr);
}
