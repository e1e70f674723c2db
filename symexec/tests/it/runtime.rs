//! The runtime that is linked into programs under test agrees with the system's C library, and is
//! what the engine can run.
//!
//! `runtime/source` is compiled natively with `ours_` before every name it defines, so that both
//! libraries are in one program; `runtime/compare` calls both with thousands of generated arguments and
//! prints the differences.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

/// What the engine provides to the runtime; everything else the runtime defines itself.
const ENGINE: &[&str] = &[
    "__assert_fail",
    "__symexec_aside",
    "__symexec_destructor",
    "__symexec_make_input",
    "__symexec_position",
    "__symexec_room",
    "__symexec_write",
    "_exit",
    "aligned_alloc",
    "free",
    "klee_get_obj_size",
    "klee_is_symbolic",
    "klee_mark_global",
    "klee_range",
    "klee_report_error",
    "main",
    "malloc",
    "realloc",
    "atan2",
    "atan2f",
    "atan2l",
    "hypot",
    "hypotf",
    "hypotl",
    "klee_assume",
];

/// The subjects of the comparing program.
const SUBJECTS: &[&str] = &[
    "memory",
    "string",
    "ctype",
    "integer",
    "sort",
    "random",
    "environment",
    "exit",
    "float",
    "complex",
    "conversion",
    "format",
    "stream",
    "fortified",
    "file",
    "names",
    "containers",
    "scan",
    "math",
    "wide",
    "wide_text",
    "wide_stream",
    "options",
    "regex",
    "allocate",
    "number_text",
    "text_rows",
    "addresses",
    "math_more",
];

fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime")
}

/// The C files of a folder of the runtime, sorted.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(runtime().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension() == Some(OsStr::new("c")))
        .collect();
    files.sort();
    files
}

/// The compiler that the project requires; any other serves here as well.
fn compiler() -> &'static str {
    let found = |name: &str| Command::new(name).arg("--version").output().is_ok();
    if found("clang-19") { "clang-19" } else { "cc" }
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Compiles files into a fresh subfolder.
fn compile(folder: &Path, name: &str, options: &[&str], files: &[PathBuf]) -> PathBuf {
    let target = folder.join(name);
    fs::create_dir(&target).unwrap();
    let output = run(Command::new(compiler()).args(options).args(files).current_dir(&target));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "warnings in {name}");
    target
}

/// The texts of the files that a compilation left, one after the other.
fn texts(folder: &Path) -> String {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// The comparing program, and the names that the runtime defines.
struct Comparison {
    folder: TempDir,
    names: BTreeSet<String>,
}

/// Builds the comparing program.
fn build() -> Comparison {
    let folder = TempDir::new().unwrap();
    let freestanding = ["-ffreestanding", "-fno-builtin", "-Wall", "-Wextra"];
    let listing =
        compile(folder.path(), "names", &[&freestanding[..], &["-S", "-O0"]].concat(), &files("source"));
    let names: BTreeSet<String> = texts(&listing)
        .lines()
        .filter_map(|line| line.trim().strip_prefix(".globl"))
        .filter_map(|rest| rest.split_whitespace().next().map(str::to_owned))
        .collect();

    let mut prefixes =
        String::from("#define malloc provided_malloc\n#define __assert_fail provided_assert_fail\n");
    for name in &names {
        writeln!(prefixes, "#define {name} ours_{name}").unwrap();
    }
    let header = folder.path().join("prefixes.h");
    fs::write(&header, prefixes).unwrap();
    let header = header.to_str().unwrap();
    let ours = compile(
        folder.path(),
        "ours",
        &[&freestanding[..], &["-c", "-O1", "-include", header]].concat(),
        &files("source"),
    );
    let options = ["-c", "-O0", "-fno-builtin", "-Wall", "-Wextra"];
    let compare = compile(folder.path(), "compare", &options, &files("compare"));

    let mut link = Command::new(compiler());
    for objects in [ours, compare] {
        link.args(fs::read_dir(objects).unwrap().map(|entry| entry.unwrap().path()));
    }
    run(link.arg("-lm").arg("-o").arg(folder.path().join("program")));
    Comparison { folder, names }
}

impl Comparison {
    /// Runs a subject: whether all results were the same, and what was printed.
    fn subject(&self, name: &str) -> (bool, String) {
        let program = self.folder.path().join("program");
        let output =
            Command::new(program).arg(name).env_clear().current_dir(self.folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.contains("results compared"),
            "{name} did not end ({}):\n{text}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        (output.status.success(), text)
    }
}

/// One test, because building the program takes most of its time.
#[test]
fn every_function_agrees_with_the_systems_library() {
    let comparison = build();

    let (same, text) = comparison.subject("planted");
    assert!(!same && text.contains("planted strlen"), "a planted difference is not found:\n{text}");

    for subject in SUBJECTS {
        let (same, text) = comparison.subject(subject);
        assert!(same, "{subject}:\n{text}");
    }

    let sources = texts(&runtime().join("compare"));
    let missing: Vec<&String> = comparison
        .names
        .iter()
        // Names of this kind are the runtime's own, met through the functions that use them.
        .filter(|name| !name.starts_with("__symexec_"))
        .filter(|name| {
            !sources.contains(&format!("OURS({name})"))
                && !sources.contains(&format!("OURS_AS({name},"))
                && !sources.contains(&format!("ours_{name}("))
        })
        .collect();
    assert_eq!(missing, Vec::<&String>::new(), "defined and never compared");
}

/// As the engine gets it: bitcode from clang 19, as text.
static BITCODE: LazyLock<Option<String>> = LazyLock::new(|| {
    if compiler() != "clang-19" {
        return None;
    }
    let folder = TempDir::new().unwrap();
    let options = [
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-g",
        "-ffreestanding",
        "-fno-builtin",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-emit-llvm",
        "-S",
    ];
    Some(texts(&compile(folder.path(), "bitcode", &options, &files("source"))))
});

/// The name that follows an `@` at the start of a text.
fn name_after_at(text: &str) -> Option<&str> {
    let name = text.split_once('@')?.1;
    name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next()
}

#[test]
fn the_runtime_needs_nothing_but_what_the_engine_provides() {
    let Some(text) = BITCODE.as_ref() else { return };
    let defined: BTreeSet<&str> = text
        .lines()
        .filter(|line| line.starts_with("define ") || (line.starts_with('@') && !line.contains(" external ")))
        .filter_map(name_after_at)
        .collect();
    let needed: BTreeSet<&str> = text
        .lines()
        .filter(|line| line.starts_with("declare ") || (line.starts_with('@') && line.contains(" external ")))
        .filter_map(name_after_at)
        .filter(|name| !name.starts_with("llvm.") && !defined.contains(name))
        .collect();
    assert_eq!(needed, ENGINE.iter().copied().collect());
}

#[test]
fn the_runtime_contains_nothing_that_the_engine_refuses() {
    let Some(text) = BITCODE.as_ref() else { return };
    for refused in [" asm ", "fence ", "invoke ", "indirectbr ", "@setjmp", "@longjmp"] {
        assert!(!text.contains(refused), "{refused}");
    }
}

#[test]
fn a_program_written_for_klee_compiles_with_the_header() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("program.c");
    fs::write(
        &source,
        "#include <assert.h>\n#include <klee/klee.h>\n\
         int main(void) {\n\
           int a = klee_int(\"a\"), b = klee_range(0, 9, \"b\");\n\
           char text[4];\n\
           klee_make_symbolic(text, sizeof text, \"text\");\n\
           klee_assume(text[3] == 0);\n\
           klee_prefer_cex(text, text[0] == 'x');\n\
           klee_print_expr(\"sum\", a + b);\n\
           klee_open_merge();\n\
           klee_close_merge();\n\
           if (klee_is_symbolic(a) && klee_get_value_i32(a) > 3 && klee_get_obj_size(text) != 4)\n\
             klee_report_error(__FILE__, __LINE__, \"message\", \"kind\");\n\
           klee_assert(klee_choose(3) < 3);\n\
           assert(!klee_is_replay());\n\
           klee_silent_exit(0);\n\
         }\n",
    )
    .unwrap();
    let include = format!("-I{}", runtime().join("include").display());
    for standard in [&["-std=c99"][..], &["-std=gnu17"], &["-x", "c++", "-std=c++17"]] {
        let mut command = Command::new(compiler());
        command.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", &include]).args(standard).arg(&source);
        run(&mut command);
    }
}
