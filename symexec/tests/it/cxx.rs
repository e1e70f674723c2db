//! C++: programs of ours, each of which says what it expects, explored and replayed natively.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use symexec::base::system::RealSystem;

use crate::program::{Ran, explore_files};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cxx").join(name)
}

/// Explores a program; with flags, after it was compiled with them.
fn run(name: &str, flags: &[&str]) -> (Ran, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut file = program(name);
    if !flags.is_empty() {
        let bitcode = folder.path().join("program.bc");
        let mut clang = Command::new("clang++-19");
        clang.args(flags).args(["-w", "-g", "-emit-llvm", "-c", "-I"]);
        clang.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/include")).arg(&file);
        let output = clang.arg("-o").arg(&bitcode).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        file = bitcode;
    }
    let ran = explore_files(&folder, &[file], &[]);
    (ran, folder)
}

/// Explores a program whose assertions hold; how many paths it has.
fn holds(name: &str, flags: &[&str]) -> u64 {
    let (ran, _folder) = run(name, flags);
    assert_eq!(ran.errors(), [], "{name}: {}", ran.stderr);
    assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
    ran.result("completed")
}

/// What the tests of a run do natively, in the order of their numbers.
fn natively(name: &str, ran: &Ran, folder: &Path) -> Vec<String> {
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    replay.arg("replay").arg(program(name)).args(["-D", "NATIVE"]).current_dir(folder);
    replay.arg("--test").args(ran.tests().into_keys().map(|test| ran.folder.join(test)));
    let output = replay.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.lines().filter_map(|line| Some(line.split_once(".ktest: ")?.1.to_owned())).collect()
}

#[test]
fn an_exception_unwinds_the_activations_between_and_forks_with_the_path() {
    for flags in [&[][..], &["-O2"]] {
        assert_eq!(holds("throw.cpp", flags), 3, "{flags:?}");
    }
    let (ran, folder) = run("throw.cpp", &[]);
    let mut said = natively("throw.cpp", &ran, folder.path());
    said.sort();
    assert_eq!(said, [0, 1, 2].map(|code| format!("the program ended with exit code {code}")));
}

#[test]
fn handlers_get_what_the_standard_says() {
    assert_eq!(holds("classes.cpp", &["-O1"]), 13);
    assert_eq!(holds("classes.cpp", &[]), 13);
    let (ran, folder) = run("classes.cpp", &[]);
    let said = natively("classes.cpp", &ran, folder.path());
    assert_eq!(said, vec!["the program ended with exit code 0"; 13]);
}

#[test]
fn handlers_get_what_converts_to_their_type() {
    assert_eq!(holds("conversions.cpp", &["-std=c++17", "-O2"]), 1);
    let (ran, folder) = run("conversions.cpp", &[]);
    assert_eq!(natively("conversions.cpp", &ran, folder.path()), ["the program ended with exit code 0"]);
}

#[test]
fn exceptions_outside_of_main_have_no_handler_there() {
    for text in [
        "static int f() { throw 1; }\nint g = f();\nint main() { try { return g; } catch (...) { return 1; } }\n",
        "struct S { ~S() noexcept(false) { throw 1; } } s;\nint main() { try { return 0; } catch (...) { return 1; } }\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.cpp");
        std::fs::write(&file, text).unwrap();
        let ran = explore_files(&folder, &[file], &[]);
        let error = ("uncaught_exception".to_owned(), "Error: uncaught exception of type int".to_owned());
        assert_eq!(ran.errors(), [error], "{}", ran.stderr);
    }
}

#[test]
fn destructors_guards_and_handlers_run_in_the_order_of_the_standard() {
    let (ran, _folder) = run("control.cpp", &[]);
    // Variables with destructors end behind main, which this program tells as an error.
    let end = ("end".to_owned(), "Error: the end is reached".to_owned());
    assert_eq!(ran.errors(), [end], "{}", ran.stderr);
    assert_eq!(ran.result("partial"), 2, "{}", ran.stderr);
}

#[test]
fn what_cpp_forbids_is_told_where_the_program_does_it() {
    let (ran, _folder) = run("errors.cpp", &[]);
    let error = |kind: &str, text: &str| (kind.to_owned(), format!("Error: {text}"));
    let expected = [
        error("abort", "abort failure: a static variable is used while it is initialized"),
        error("abort", "abort failure: pure virtual function called"),
        error("abort", "abort failure: std::terminate is called without an exception"),
        error("abort", "abort failure: std::terminate is called without an exception"),
        error("free", "memory error: delete of an object that malloc gave"),
        error("free", "memory error: delete of an object that new[] gave"),
        error("free", "memory error: delete[] of an object that new gave"),
        error("free", "memory error: free of an object that new gave"),
        error("ptr", "memory error: double free"),
        error("ptr", "memory error: invalid pointer: free"),
        error("ptr", "memory error: out of bound pointer"),
        error("uncaught_exception", "uncaught exception of type Says: something is wrong"),
        error("uncaught_exception", "uncaught exception of type int"),
        error("uncaught_exception", "uncaught exception of type int"),
        error("uncaught_exception", "uncaught exception of type names::Error<int>"),
    ];
    assert_eq!(ran.errors(), expected, "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 2, "{}", ran.stderr);
    let line = |text: &str| {
        let source = std::fs::read_to_string(program("errors.cpp")).unwrap();
        source.lines().position(|line| line.contains(text)).unwrap() + 1
    };
    for (text, error) in
        [("throw names", "uncaught exception of type names"), ("delete new", "memory error: delete of")]
    {
        let place = format!("errors.cpp:{}: {error}", line(text));
        assert!(ran.stderr.contains(&place), "{place}: {}", ran.stderr);
    }
}

#[test]
fn operators_of_the_program_take_the_place_of_the_librarys() {
    assert_eq!(holds("operators.cpp", &[]), 1);
    let (ran, folder) = run("operators.cpp", &[]);
    assert_eq!(natively("operators.cpp", &ran, folder.path()), ["the program ended with exit code 0"]);
}

#[test]
fn a_specification_stops_what_it_does_not_name() {
    let (ran, _folder) = run("specification.cpp", &["-std=c++14"]);
    let error = ("unexpected_exception".to_owned(), "Error: unexpected exception of type int".to_owned());
    assert_eq!(ran.errors(), [error], "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 3, "{}", ran.stderr);
}

/// Whether the C++ library is there, without which tests of it do nothing.
fn has_library() -> bool {
    let there = symexec::module::library::folder(&RealSystem::default()).is_some();
    let required = std::env::var("REPRISE_SERVICES").is_ok_and(|value| value == "required");
    assert!(there || !required, "the C++ library is missing: run `cargo xtask setup --languages`");
    there
}

/// Explores a program that uses the library. Its exit codes are those of the same program natively, with the
/// compiler's own library; how many paths lead to which.
fn codes(name: &str) -> (BTreeMap<String, usize>, Ran, tempfile::TempDir) {
    let (ran, folder) = run(name, &[]);
    let mut codes = BTreeMap::new();
    for said in natively(name, &ran, folder.path()) {
        *codes.entry(said).or_insert(0) += 1;
    }
    (codes, ran, folder)
}

fn ends(expected: &[(u32, usize)]) -> BTreeMap<String, usize> {
    expected
        .iter()
        .map(|(code, count)| (format!("the program ended with exit code {code}"), *count))
        .collect()
}

#[test]
fn strings_maps_and_the_librarys_exceptions_are_explored() {
    if !has_library() {
        return;
    }
    let (found, ran, _folder) = codes("library/settings.cpp");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    // Of 27 texts: what natively has one or two settings, and what has an item without a value.
    let native: usize = found.values().sum();
    assert_eq!(native as u64, ran.result("completed"));
    assert_eq!(
        found.keys().cloned().collect::<Vec<_>>(),
        ends(&[(1, 1), (10, 1), (2, 1)]).into_keys().collect::<Vec<_>>()
    );
}

#[test]
fn threads_of_the_library_take_turns_and_end_as_natively() {
    if !has_library() {
        return;
    }
    let (found, ran, _folder) = codes("library/threads.cpp");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    // One path for each number that is above zero or not, and where the first one is seven.
    assert_eq!(
        found,
        ends(&[(10, 1), (11, 3), (12, 3), (13, 1), (51, 1), (52, 2), (53, 1)]),
        "{}",
        ran.stderr
    );
}

#[test]
fn containers_smart_pointers_and_algorithms_are_explored() {
    if !has_library() {
        return;
    }
    let (found, ran, _folder) = codes("library/containers.cpp");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    // An order of three keys, and whether the least is above zero.
    assert_eq!(found, ends(&[(12, 6), (21, 6)]));
}

#[test]
fn streams_read_and_write() {
    if !has_library() {
        return;
    }
    let (ran, _folder) = run("library/streams.cpp", &[]);
    let error = "Error: uncaught exception of type std::runtime_error: two: 2";
    assert_eq!(ran.errors(), [("uncaught_exception".to_owned(), error.to_owned())], "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 2, "{}", ran.stderr);
}

#[test]
fn numbers_in_unknown_texts_are_those_of_a_native_run() {
    if !has_library() {
        return;
    }
    let (found, ran, _folder) = codes("library/numbers.cpp");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    assert_eq!(found.values().sum::<usize>() as u64, ran.result("completed"));
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn exceptions_are_kept_nested_and_thrown_again() {
    if !has_library() {
        return;
    }
    let (found, ran, _folder) = codes("library/nested.cpp");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    assert_eq!(found, ends(&[(0, 1), (1, 1), (2, 1)]));
}

#[test]
fn a_program_that_was_built_natively_is_explored_with_the_library() {
    if !has_library() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let symexec = |arguments: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_symexec"));
        let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let source = program("library/options.cpp");
    symexec(&["c++".as_ref(), source.as_ref(), "-o".as_ref(), "options".as_ref()]);
    symexec(&["link", "options", "-o", "options.bc"].map(OsStr::new));
    let arguments = ["--", "--sym-arg", "2", "--sym-stdin", "2"];
    let ran = explore_files(&folder, &[folder.path().join("options.bc")], &arguments);
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    // Natively with what the tests say, the program ends as one of the engine's paths does.
    let mut codes = BTreeSet::new();
    for test in ran.tests().into_values() {
        let input = |name: &str| test.objects.iter().find(|(object, _)| object == name).unwrap().1.clone();
        let argument: Vec<u8> = input("arg00").into_iter().take_while(|byte| *byte != 0).collect();
        std::fs::write(folder.path().join("stdin"), input("stdin")).unwrap();
        let output = Command::new(folder.path().join("options"))
            .arg(OsStr::from_bytes(&argument))
            .stdin(std::fs::File::open(folder.path().join("stdin")).unwrap())
            .output()
            .unwrap();
        codes.insert(output.status.code().unwrap());
    }
    assert_eq!(codes, BTreeSet::from([0, 1, 9]));
}

#[test]
fn what_only_a_library_of_cpp_has_is_told_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.cpp");
    let text = "namespace std { void of_another_library(); }\nint main() { std::of_another_library(); }\n";
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &[]);
    let said = "failed external call: _ZSt18of_another_libraryv: there is no definition";
    assert!(ran.stderr.contains(said) && ran.stderr.contains("setup --languages"), "{}", ran.stderr);
}

#[test]
fn sources_are_compiled_with_further_options_when_they_are_explored_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.cpp");
    let text = "extern \"C\" void klee_make_symbolic(void *, unsigned long, const char *);\n\
        template <typename T> concept Small = sizeof(T) < 2;\n\
        int code(Small auto value) { if (value == 84) return 7; return 0; }\n\
        int main() { char c; klee_make_symbolic(&c, 1, \"c\"); return code(c); }\n";
    std::fs::write(&file, text).unwrap();
    let older = explore_files(&folder, std::slice::from_ref(&file), &["--compiler-option=-std=c++17"]);
    assert!(older.code == 2 && older.stderr.contains("unknown type name 'concept'"), "{}", older.stderr);
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--compiler-option", "-std=c++20"]);
    assert_eq!((ran.code, ran.result("completed")), (0, 2), "{}", ran.stderr);
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    replay.arg("replay").arg(&file).args(["--compiler-option=-std=c++20", "--test"]);
    replay.args(ran.tests().into_keys().map(|test| ran.folder.join(test)));
    let output = replay.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for code in [0, 7] {
        assert!(said.contains(&format!("the program ended with exit code {code}\n")), "{said}");
    }
}
