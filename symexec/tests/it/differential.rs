//! Random C programs print the same natively and in the engine, with known inputs and with unknown ones
//! that are assumed to be the same.

mod generate;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use generate::{Features, program};

/// How many programs there are beside those of every run of the tests, for a long search by hand.
const MORE: &str = "SYMEXEC_DIFFERENTIAL_PROGRAMS";

/// Printing for the native program.
const NATIVE: &str = "int puts(const char *);\nvoid klee_warning(const char *line) { puts(line); }\n";

fn native(folder: &Path, file: &Path) -> Vec<String> {
    let (print, binary) = (folder.join("print.c"), folder.join("native"));
    fs::write(&print, NATIVE).unwrap();
    let compiled = Command::new("clang-19")
        .args(["-O0", "-w", "-fwrapv", "-ffp-contract=off", "-o"])
        .args([&binary, file, &print])
        .arg("-lm")
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().unwrap();
    let lines: Vec<String> = String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect();
    // The last line is the exit code.
    let code = ran.status.code().map(|code| format!("{code:016x}"));
    assert_eq!(lines.last().cloned(), code, "{}: {:?}", file.display(), ran.status);
    lines
}

fn engine(folder: &Path, file: &Path, arguments: &[&str]) -> Result<Vec<String>, String> {
    let output = folder.join(format!("out-{}", arguments.len()));
    let ran = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .arg("run")
        .arg(file)
        .args(["--write-no-tests", "--output-dir"])
        .arg(&output)
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    if ran.status.code() != Some(0) || !said.contains("completed paths = 1\n") {
        return Err(said);
    }
    let hexadecimal = |line: &&str| line.len() == 16 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lines = said.lines().filter_map(|line| line.rsplit(": ").next());
    Ok(lines.filter(hexadecimal).map(str::to_owned).collect())
}

/// Where two outputs part, with what led there.
fn compare(expected: &[String], found: &Result<Vec<String>, String>) -> Option<String> {
    let found = match found {
        Ok(found) => found,
        Err(said) => return Some(said.lines().rev().take(25).collect::<Vec<_>>().join("\n")),
    };
    if found == expected {
        return None;
    }
    let place = expected.iter().zip(found).position(|(one, other)| one != other);
    let place = place.unwrap_or(expected.len().min(found.len()));
    let mut text = format!("line {place} of {} and {}:", expected.len(), found.len());
    let _ = write!(text, " native {:?}, engine {:?}", expected.get(place), found.get(place));
    Some(text)
}

/// Runs programs; panics with the seeds of those that differ, whose folders are kept.
fn check(first: u64, few: u64, floats: bool, symbolic: bool) {
    let (mut differences, mut undecided) = (Vec::new(), 0);
    let more = std::env::var(MORE).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = more.map_or(first..first + few, |more| first + 1000..first + 1000 + more);
    for seed in seeds {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.c");
        let features = Features { floats, functions: if symbolic { 2 } else { 6 } };
        fs::write(&file, program(seed, features)).unwrap();
        let expected = native(folder.path(), &file);
        // Every other program is left to the solver, which is not told what the inputs are equal to.
        let arguments: &[&str] = match (symbolic, seed % 2) {
            (false, _) => &[],
            (true, 0) => &["-D", "SYMBOLIC", "--max-solver-time", "20"],
            (true, _) => &["-D", "SYMBOLIC", "--max-solver-time", "20", "--no-equality-substitution"],
        };
        let found = engine(folder.path(), &file, arguments);
        // What the solver cannot decide in time is no difference.
        if found.as_ref().is_err_and(|said| said.contains("the solver found no answer")) {
            undecided += 1;
            continue;
        }
        if let Some(difference) = compare(&expected, &found) {
            differences.push(format!("seed {seed}, {}:\n{difference}", folder.keep().display()));
        }
    }
    assert!(undecided * 2 <= few || more.is_some(), "{undecided} of {few} are undecided");
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn programs_on_integers_and_memory_print_what_they_print_natively() {
    check(0, 3, false, false);
}

#[test]
fn programs_on_floating_point_numbers_print_what_they_print_natively() {
    check(1_000_000, 3, true, false);
}

#[test]
fn programs_on_unknown_inputs_with_one_value_print_what_they_print_natively() {
    check(2_000_000, 2, false, true);
}

#[test]
fn programs_on_unknown_floating_point_numbers_print_what_they_print_natively() {
    check(3_000_000, 1, true, true);
}

/// A program prints in the engine what it prints natively.
fn does_what_it_does_natively(name: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    let expected = native(folder.path(), &file);
    let difference = compare(&expected, &engine(folder.path(), &file, &[]));
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
}

#[test]
fn uncommon_instructions_and_intrinsics_do_what_they_do_natively() {
    does_what_it_does_natively("instructions.ll", include_str!("differential/instructions.ll"));
}

#[test]
fn structures_and_vectors_in_variable_arguments_are_read_as_they_are_natively() {
    does_what_it_does_natively("variadic.c", include_str!("differential/variadic.c"));
}

/// Code for processors with vectors of 256 and 512 bits, and for those without, does what the same text does
/// natively. Products and sums stay apart, as they are in what runs natively.
#[test]
fn vector_code_does_what_the_text_does_natively() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vectors.c");
    fs::write(&file, include_str!("differential/vectors.c")).unwrap();
    let expected = native(folder.path(), &file);
    assert!(expected.len() > 50, "{expected:?}");
    for options in [
        "-O0",
        "-O1 -ffp-contract=off",
        "-O2 -ffp-contract=off -fno-math-errno",
        "-O3 -ffp-contract=off -march=x86-64-v3",
        "-O3 -ffp-contract=off -march=x86-64-v4",
        "-O2 -ffp-contract=off -march=x86-64-v4 -mprefer-vector-width=512",
    ] {
        let apart = tempfile::tempdir().unwrap();
        let bitcode = apart.path().join("vectors.bc");
        let compiled = Command::new("clang-19")
            .args(options.split(' '))
            .args(["-w", "-fwrapv", "-emit-llvm", "-c", "-o"])
            .args([&bitcode, &file])
            .status()
            .unwrap();
        assert!(compiled.success());
        let difference = compare(&expected, &engine(apart.path(), &bitcode, &[]));
        assert!(difference.is_none(), "{options}: {}", difference.unwrap_or_default());
    }
}

/// Takes the liberties away that `-Ofast` writes into a program: flags of instructions, attributes of functions.
/// What is left is what the engine computes, each operation rounded by itself; a compiler that may fuse products
/// with sums or approximate square roots gets other last bits.
fn without_liberties(text: &str) -> String {
    const FLAGS: &[&str] = &["fast ", "reassoc ", "nnan ", "ninf ", "nsz ", "arcp ", "contract ", "afn "];
    let mut out = String::new();
    for line in text.lines() {
        let is_attribute = |word: &&str| !(word.contains("-math\"=") || word.contains("-fp-math"));
        let kept = if line.starts_with("attributes ") {
            line.split(' ').filter(is_attribute).collect::<Vec<_>>().join(" ")
        } else {
            FLAGS.iter().fold(line.to_owned(), |line, flag| line.replace(&format!(" {flag}"), " "))
        };
        out.push_str(&kept);
        out.push('\n');
    }
    out
}

#[test]
fn code_with_liberties_is_computed_as_it_is_written() {
    let modern = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    for options in ["-Ofast -march=x86-64-v3", "-O3 -ffast-math", "-O2 -march=x86-64-v3", "-O1"] {
        if options.contains("v3") && !modern {
            crate::program::tell_left_out(options);
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let (file, text) = (folder.path().join("fast.c"), folder.path().join("fast.ll"));
        fs::write(&file, include_str!("differential/fast.c")).unwrap();
        let compiled = Command::new("clang-19")
            .args(options.split(' '))
            .args(["-w", "-fwrapv", "-S", "-emit-llvm", "-o"])
            .args([&text, &file])
            .status()
            .unwrap();
        assert!(compiled.success());
        let found = engine(folder.path(), &text, &[]);
        let plain = folder.path().join("plain.ll");
        fs::write(&plain, without_liberties(&fs::read_to_string(&text).unwrap())).unwrap();
        let expected = native(folder.path(), &plain);
        assert!(expected.len() > 1000, "{}", expected.len());
        let difference = compare(&expected, &found);
        assert!(difference.is_none(), "{options}: {}", difference.unwrap_or_default());
    }
}

#[test]
fn functions_for_the_machines_vectors_do_what_they_do_natively() {
    if !std::is_x86_feature_detected!("avx2") || !std::is_x86_feature_detected!("bmi2") {
        crate::program::tell_left_out("functions for vectors");
        return;
    }
    does_what_it_does_natively("machine_vectors.c", include_str!("differential/machine_vectors.c"));
}

/// The same of a program behind the header that these programs share.
fn says_what_it_says_natively(name: &str, text: &str) {
    does_what_it_does_natively(name, &[include_str!("differential/machine.h"), text].concat());
}

#[test]
fn functions_for_ciphers_and_hashes_do_what_they_do_natively() {
    let there = std::is_x86_feature_detected!("aes") && std::is_x86_feature_detected!("pclmulqdq");
    if !there || !std::is_x86_feature_detected!("sha") {
        crate::program::tell_left_out("functions for ciphers");
        return;
    }
    says_what_it_says_natively("machine_ciphers.c", include_str!("differential/machine_ciphers.c"));
}

#[test]
fn comparisons_of_texts_in_vectors_do_what_they_do_natively() {
    if !std::is_x86_feature_detected!("sse4.2") {
        crate::program::tell_left_out("comparisons of texts in vectors");
        return;
    }
    says_what_it_says_natively("machine_texts.c", include_str!("differential/machine_texts.c"));
}

#[test]
fn numbers_with_a_fixed_point_do_what_they_do_natively() {
    does_what_it_does_natively("fixed_point.ll", include_str!("differential/fixed_point.ll"));
}

#[test]
fn masked_accesses_and_variable_arguments_do_what_they_do_natively() {
    does_what_it_does_natively("masked.ll", include_str!("differential/masked.ll"));
}

#[test]
fn functions_that_a_resolver_chooses_are_what_they_are_natively() {
    does_what_it_does_natively("indirect.c", include_str!("differential/indirect.c"));
}

#[test]
fn inline_assembly_does_what_it_does_natively() {
    does_what_it_does_natively("assembly.c", include_str!("differential/assembly.c"));
}

#[test]
fn floating_point_numbers_out_of_the_ordinary_do_what_they_do_natively() {
    // All of them, known; some of them, unknown: either decided by the solver or, where constraints are
    // substituted, computed as expressions are.
    for (first, step, arguments) in [
        (0, 1, &[][..]),
        (1, 3, &["-D", "SYMBOLIC"][..]),
        (3, 5, &["-D", "SYMBOLIC", "--no-equality-substitution"][..]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("floats.c");
        let head =
            format!("#define INPUTS 1\n#define VALUES 0\n#define FIRST {first}\n#define STEP {step}\n");
        let parts = [&head, include_str!("differential/prelude.h"), include_str!("differential/floats.c")];
        fs::write(&file, parts.concat()).unwrap();
        let expected = native(folder.path(), &file);
        assert!(expected.len() > 100, "{expected:?}");
        let difference = compare(&expected, &engine(folder.path(), &file, arguments));
        assert!(difference.is_none(), "{arguments:?}: {}", difference.unwrap_or_default());
    }
}

/// Which of two structures is handed over is decided while the call begins.
const CHOSEN: &str = r#"
#include <klee/klee.h>
struct S { long a[4]; };
static struct S one, two;
static void say(unsigned long value) {
  static char line[17];
  for (int k = 15; k >= 0; k--, value >>= 4)
    line[k] = "0123456789abcdef"[value & 15];
  klee_warning(line);
}
static void take(struct S first, struct S second) { say((unsigned long)&first); say((unsigned long)&second); }
int main(void) {
  struct S *some = klee_int("which") ? &one : &two;
  if (LAST) take(one, *some); else take(*some, one);
  return 0;
}
"#;

#[test]
fn a_call_that_begins_anew_leaves_no_copies_of_its_arguments_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chosen.c");
    fs::write(&file, CHOSEN).unwrap();
    // A copy that is left behind moves what is allocated after it.
    let places = |last: &str| {
        let said = Command::new(env!("CARGO_BIN_EXE_symexec"))
            .arg("run")
            .arg(&file)
            .args(["--symbolic-addresses", "none", "--allocation", "per-state", "-D", last, "--output-dir"])
            .arg(folder.path().join(last))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let lines = said.lines().filter_map(|line| line.split_once("say: "));
        let lines: Vec<String> = lines.map(|(_, place)| place.to_owned()).collect();
        assert_eq!(lines.len(), 4, "{said}");
        lines
    };
    assert_eq!(places("LAST=0"), places("LAST=1"));
}
