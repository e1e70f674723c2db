//! `symexec cc` and `symexec link`: built programs become bitcode that is explored.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::program::explore_files;

const MAIN: &str = "#include <klee/klee.h>\n#include \"kind.h\"\n\
    int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); return kind(x) == KIND ? 1 : half(4) - 2; }\n";
const KIND: &str = "#include \"kind.h\"\nstatic int limit = 9;\n\
    int kind(int x) { if (x < 0) return KIND - 1; if (x > limit) return KIND; return twice(x); }\n";
const TWICE: &str = "static int limit = 2;\nint twice(int x) { return x * limit; }\n";
const UNUSED: &str = "#include \"kind.h\"\nextern inline int half(int);\nint nobody(void);\nint unused(void) { return nobody(); }\n";

/// A project with sources in one folder and objects in another.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/include/klee/klee.h");
    write("include/klee/klee.h", &std::fs::read_to_string(header).unwrap());
    write("src/kind.h", "int kind(int), twice(int);\ninline int half(int x) { return x / 2; }\n");
    write("src/main.c", MAIN);
    write("src/kind.c", KIND);
    write("src/twice.c", TWICE);
    write("src/unused.c", UNUSED);
    // For native links; the engine takes its own.
    write(
        "src/klee.c",
        "void klee_make_symbolic(void *p, unsigned long n, const char *s) { (void)p, (void)n, (void)s; }\n",
    );
    std::fs::create_dir(folder.path().join("obj")).unwrap();
    folder
}

fn start(program: &str, folder: &TempDir, words: &str) -> Output {
    Command::new(program).current_dir(folder.path()).args(words.split_whitespace()).output().unwrap()
}

/// Runs the program under test; nothing is printed but by `link`.
fn ok(folder: &TempDir, words: &str) -> Output {
    let output = start(env!("CARGO_BIN_EXE_symexec"), folder, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn paths(folder: &TempDir, bitcode: &str) -> u64 {
    let ran = explore_files(folder, &[folder.path().join(bitcode)], &[]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    ran.result("completed")
}

#[test]
fn a_program_of_objects_and_an_archive_is_explored() {
    let folder = project();
    let compile = "cc -Iinclude -DKIND=70 -O2 -g -c";
    for name in ["main", "kind", "twice", "unused", "klee"] {
        ok(&folder, &format!("{compile} -MD -MF obj/{name}.d -o obj/{name}.o src/{name}.c"));
    }
    assert!(folder.path().join("obj/main.d").exists());
    assert!(start("ar", &folder, "crs lib.a obj/twice.o obj/unused.o obj/klee.o").status.success());
    ok(&folder, "cc -o program obj/main.o obj/kind.o lib.a -lm");
    // Neither the objects nor their folder are needed any more.
    std::fs::remove_dir_all(folder.path().join("obj")).unwrap();
    let said = ok(&folder, "link program -o out.bc");
    // The optimised program has its copy of `half`; without optimisation it would take it from `unused`.
    assert_eq!(String::from_utf8_lossy(&said.stderr), "symexec: out.bc: 5 modules\n");
    assert_eq!(paths(&folder, "out.bc"), 3);
    assert!(start("./program", &folder, "").status.code().is_some());

    // An archive beside the program adds nothing where nothing is missing; by itself it is taken as a whole.
    let said = ok(&folder, "link program lib.a");
    assert_eq!(String::from_utf8_lossy(&said.stderr), "symexec: program.bc: 5 modules\n");
    let said = ok(&folder, "link lib.a");
    assert_eq!(String::from_utf8_lossy(&said.stderr), "symexec: lib.a.bc: 3 modules\n");
    // So is what a linker would take for an object.
    ok(&folder, &format!("{compile} -o kind.o src/kind.c"));
    let said = ok(&folder, "link kind.o lib.a");
    assert_eq!(String::from_utf8_lossy(&said.stderr), "symexec: kind.o.bc: 2 modules\n");
}

/// A compiler that optimises leaves out the call of a function without effect, so that nothing defines it in
/// the program; the bitcode has the call.
#[test]
fn what_the_optimised_program_did_not_need_is_taken_from_the_archives_it_was_linked_with() {
    let folder = project();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join("src").join(name), text).unwrap();
    write(
        "main.c",
        "#include <klee/klee.h>\n__attribute__((const)) int pick(int), choose(int);\nint kind(int);\n\
         int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); pick(x); choose(x); return kind(x); }\n",
    );
    write("kind.c", "int kind(int x) { if (x > 3) return 2; return 1; }\n");
    // Defines again what the program has, which nobody sees as long as it is not linked.
    write(
        "pick.c",
        "int kind(int x) { return __builtin_trap(), x; }\nint deep(int);\nint pick(int x) { return deep(x); }\n",
    );
    write("deep.c", "int deep(int x) { return x + 1; }\n");
    write("choose.c", "int choose(int x) { return x; }\n");
    let compile = |names: &[&str]| {
        for name in names {
            ok(&folder, &format!("cc -Iinclude -O2 -c -o obj/{name}.o src/{name}.c"));
        }
    };
    compile(&["main", "kind", "pick", "deep", "choose", "unused", "klee"]);
    std::fs::create_dir(folder.path().join("lib")).unwrap();
    assert!(start("ar", &folder, "crs lib/libdeep.a obj/deep.o obj/unused.o").status.success());
    assert!(start("ar", &folder, "crs pick.a obj/pick.o obj/kind.o").status.success());
    ok(&folder, "cc -shared -o lib/libchoose.so obj/choose.o");
    ok(&folder, "cc -O2 obj/main.o obj/kind.o obj/klee.o -Llib -Wl,pick.a -ldeep -lchoose -lm -o program");
    let said = ok(&folder, "link program -o all.bc");
    assert_eq!(String::from_utf8_lossy(&said.stderr), "symexec: all.bc: 6 modules\n");
    assert_eq!(paths(&folder, "all.bc"), 2);

    // What was linked and is gone is told.
    std::fs::remove_file(folder.path().join("pick.a")).unwrap();
    let said = String::from_utf8_lossy(&ok(&folder, "link program").stderr).into_owned();
    assert!(said.contains("pick.a") && said.ends_with("program.bc: 4 modules\n"), "{said}");
}

#[test]
fn sources_compiled_and_linked_at_once_are_captured_too() {
    let folder = project();
    ok(&folder, "cc -Iinclude -DKIND=70 -c src/twice.c src/klee.c");
    assert!(start("ar", &folder, "crsT thin.a twice.o klee.o").status.success());
    ok(&folder, "cc -Iinclude -DKIND=70 -O2 -s src/main.c src/kind.c thin.a -o program");
    ok(&folder, "link program -o all.bc");
    assert_eq!(paths(&folder, "all.bc"), 3);
    ok(&folder, "cc -fPIC -shared -o lib.so src/twice.c");
    assert_eq!(
        String::from_utf8_lossy(&ok(&folder, "link lib.so klee.o").stderr),
        "symexec: lib.so.bc: 2 modules\n"
    );
}

#[test]
fn the_compiler_is_heard_as_it_is() {
    let folder = project();
    let clang = start("clang-19", &folder, "-c src/main.c -o x.o");
    let ours = start(env!("CARGO_BIN_EXE_symexec"), &folder, "cc -c src/main.c -o x.o");
    assert_eq!((ours.status.code(), ours.stderr), (clang.status.code(), clang.stderr));
    assert_eq!(ours.status.code(), Some(1));
    let version = ok(&folder, "cc --version");
    assert!(String::from_utf8_lossy(&version.stdout).contains("clang version 19"));
    let text = ok(&folder, "cc -Iinclude -E src/main.c");
    assert!(String::from_utf8_lossy(&text.stdout).contains("klee_make_symbolic"));
}

#[test]
fn what_has_no_bitcode_says_how_to_get_some() {
    let folder = project();
    assert!(start("clang-19", &folder, "-Iinclude -c src/twice.c -o plain.o").status.success());
    std::fs::write(folder.path().join("script"), "#!/bin/sh\n").unwrap();
    std::fs::write(folder.path().join("text"), "text").unwrap();
    for name in ["plain.o", "script", "text", "missing"] {
        let output = start(env!("CARGO_BIN_EXE_symexec"), &folder, &format!("link {name}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(name) && (name == "missing" || said.contains("symexec cc")), "{said}");
    }
    // libtool's script beside the real program.
    std::fs::create_dir(folder.path().join(".libs")).unwrap();
    ok(&folder, "cc -DKIND=1 -c src/twice.c -o .libs/script");
    ok(&folder, "link script -o real.bc");
}

/// Clang refuses what gcc 12 warns of; a program's own options may refuse it all the same.
#[test]
fn c_of_before_the_newest_compilers_is_compiled() {
    let folder = project();
    let text = "typedef void (*done)(void) __attribute__((noreturn)); static void end(void) { for (;;) {} }\n\
        static done handler = end; static count = 3; int later(int);\n\
        int main(void) { int x; char *p = 5; klee_make_symbolic(&x, sizeof x, \"x\"); return handler == 0 || early(x) == (int)(long)p ? 1 : count; }\n\
        int early(int x) { return x; }\n";
    std::fs::write(folder.path().join("old.c"), text).unwrap();
    let built = ok(&folder, "cc -Wno-implicit-function-declaration -c old.c -o old.o");
    assert!(String::from_utf8_lossy(&built.stderr).contains("warning"));
    ok(&folder, "link old.o -o old.bc");
    assert_eq!(paths(&folder, "old.bc"), 2);
    let refused =
        start(env!("CARGO_BIN_EXE_symexec"), &folder, "cc -Werror=int-conversion -c old.c -o old.o");
    assert_eq!(refused.status.code(), Some(1));
}

/// `libintl.h` includes `locale.h` for its macros, which are only there where programs are optimised.
#[test]
fn sources_that_need_what_headers_have_for_optimised_programs_are_captured() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("a.h"),
        "#ifdef __OPTIMIZE__\nenum { NEEDED = 3 };\n#else\nenum { OTHER = 4 };\n#endif\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("a.c"), "#include \"a.h\"\nint main(void) { return NEEDED - 3; }\n")
        .unwrap();
    std::fs::write(folder.path().join("b.c"), "#include \"a.h\"\nint main(void) { return OTHER - 4; }\n")
        .unwrap();
    let output = ok(&folder, "cc -O2 -o a a.c");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    ok(&folder, "link a -o a.bc");
    assert_eq!(paths(&folder, "a.bc"), 1);
    // The rest is captured as headers are without optimisation, and a source that neither way compiles is told.
    ok(&folder, "cc -O0 -o b b.c");
    ok(&folder, "link b -o b.bc");
    assert_eq!(paths(&folder, "b.bc"), 1);
}
