//! Unknown pointers, objects of unknown size, tables of distances: where an access goes.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::program::{Ran, explore_files};

/// Explores a program of C, with `body` in `main`, under a memory model.
fn main_of(folder: &TempDir, globals: &str, body: &str, model: &str) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    let text = format!(
        "#include <klee/klee.h>\n#include <stdlib.h>\n#include <string.h>\n{globals}\nint main(void) {{\n{body}\n}}\n"
    );
    std::fs::write(&file, text).unwrap();
    explore_files(folder, &[file], &["--memory-model", model])
}

const MODELS: [&str; 2] = ["forking", "segmented"];

/// The kinds of errors and the number of paths that end by themselves.
fn outcome(ran: &Ran) -> (Vec<String>, u64) {
    let kinds = ran.errors().into_iter().map(|(kind, _)| kind).collect();
    (kinds, ran.result("completed"))
}

#[test]
fn unknown_pointers_that_equal_an_address_lead_there() {
    let folder = tempfile::tempdir().unwrap();
    let globals =
        "char buf[8], other[4]; int calls;\nvoid one(void) { calls++; }\nvoid two(void) { calls += 2; }";
    for (body, errors, completed) in [
        (
            "void (*f)(void); klee_make_symbolic(&f, 8, \"f\"); if (f == one) f(); klee_assert(calls == (f == one));",
            vec![],
            2,
        ),
        (
            "char *p; klee_make_symbolic(&p, 8, \"p\"); if (p == buf + 3) *p = 7; klee_assert(buf[3] == 7 * (p == buf + 3));",
            vec![],
            2,
        ),
        (
            "char *p; klee_make_symbolic(&p, 8, \"p\"); klee_assume((p == buf) | (p == other)); *p = 5; klee_assert(buf[0] + other[0] == 5);",
            vec![],
            2,
        ),
        (
            "char *p; klee_make_symbolic(&p, 8, \"p\"); klee_assume((p == buf) | (p == 0)); *p = 5;",
            vec!["ptr"],
            1,
        ),
        (
            "void (*f)(void); klee_make_symbolic(&f, 8, \"f\"); klee_assume((f == one) | (f == two)); f(); klee_assert(calls == 1 + (f == two));",
            vec![],
            2,
        ),
        (
            "char *p; klee_make_symbolic(&p, 8, \"p\"); klee_assume((p >= buf) & (p < buf + 8)); *p = 9; int s = 0; for (int i = 0; i < 8; i++) s += buf[i]; klee_assert(s == 9);",
            vec![],
            1,
        ),
        (
            "unsigned long n; klee_make_symbolic(&n, 8, \"n\"); klee_assume(n == (unsigned long)&other[2]); other[2] = 3; klee_assert(*(char *)n == 3);",
            vec![],
            1,
        ),
    ] {
        for model in MODELS {
            let ran = main_of(&folder, globals, body, model);
            assert_eq!(
                outcome(&ran),
                (errors.iter().map(ToString::to_string).collect(), completed),
                "{body}"
            );
        }
    }
}

#[test]
fn a_pointer_that_may_be_anywhere_costs_little_and_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let many: String = (0..100).map(|number| format!("static char v{number}[16];")).collect();
    let uses: String = (0..100).map(|number| format!("v{number}[1] = 1;")).collect();
    let body = format!("{uses} char *p; klee_make_symbolic(&p, 8, \"p\"); *p = 1;");
    let ran = main_of(&folder, &many, &body, "forking");
    assert!(ran.stderr.contains("more than 32 objects"), "{}", ran.stderr);
    assert!(ran.errors().iter().any(|(kind, _)| kind == "ptr"), "{:?}", ran.errors());
    assert!(ran.engine("queries") < 2000, "{}", ran.engine("queries"));
}

#[test]
fn sizes_that_are_unknown_stay_so_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let unknown = "unsigned n, i; klee_make_symbolic(&n, 4, \"n\");";
    for (body, errors, completed) in [
        ("klee_assume(n > 0 & n < 16); char *p = malloc(n); p[8] = 2; klee_assert(n > 8);", vec!["ptr"], 1),
        (
            "klee_assume(n > 0 & n < 16); char *p = malloc(n); klee_make_symbolic(&i, 4, \"i\"); if (i < n) p[i] = 3;",
            vec![],
            2,
        ),
        (
            "klee_assume(n > 0 & n < 16); char *p = malloc(n); klee_make_symbolic(&i, 4, \"i\"); klee_assume(i <= n); p[i] = 3;",
            vec!["ptr"],
            1,
        ),
        ("char *p = malloc(n); if (!p) return 2; if (n > 10) p[10] = 1;", vec!["model"], 4),
        ("int *p = calloc(n, 4); if (!p) return 1; if (n > 3) p[3] = 7; p[0] = 1;", vec!["model", "ptr"], 4),
        (
            "klee_assume(n > 0 & n < 20); char *p = malloc(4); p[3] = 5; p = realloc(p, n); if (n > 3) klee_assert(p[3] == 5); p[0] = 1;",
            vec![],
            2,
        ),
        ("klee_assume(n < 3); char *p = realloc(malloc(4), n); klee_assert(p != 0 || n == 0);", vec![], 2),
        ("klee_assume(n > 0 & n < 10); char a[n]; a[0] = 1; a[5] = 2;", vec!["ptr"], 1),
        (
            "klee_assume(n > 0 & n < 10); char *p = malloc(n); klee_assert(klee_get_obj_size(p) == n); free(p);",
            vec![],
            1,
        ),
        ("klee_assume(n == 7); char *p = malloc(n); p[6] = 1;", vec![], 1),
        // An input has the size of its object on each path.
        (
            "klee_assume(n <= 20); char *p = malloc(n); klee_make_symbolic(p, 20, \"p\"); if (p[2] == 'x') return 1;",
            vec!["user"],
            2,
        ),
        (
            "klee_assume(n <= 20); char *p = malloc(n); if (n != 10) return 2; klee_make_symbolic(p, 10, \"p\"); if (p[9] == 'x') return 1;",
            vec![],
            3,
        ),
        (
            "unsigned char k; klee_make_symbolic(&k, 1, \"k\"); klee_assume(n > 0 & n < 9 & k < 5); char *p = calloc(n, k); klee_make_symbolic(p, (int) n * k, \"p\"); if (n == 3 && k == 3 && p[8] == 5) return 1;",
            vec![],
            4,
        ),
    ] {
        for model in MODELS {
            let ran = main_of(&folder, "", &format!("{unknown} {body}"), model);
            assert_eq!(
                outcome(&ran),
                (errors.iter().map(ToString::to_string).collect(), completed),
                "{body}"
            );
        }
    }
}

/// A program in LLVM's assembly language, explored.
fn assembly(folder: &TempDir, text: &str, klee: bool) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file: PathBuf = folder.path().join(format!("p{number}.ll"));
    std::fs::write(&file, text).unwrap();
    // Both ways to place objects.
    let placement = if klee { "per-state" } else { "shared" };
    explore_files(folder, &[file], &["--allocation", placement])
}

#[test]
fn tables_of_distances_lead_to_their_targets() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
@one = internal constant [4 x i8] c"one\00"
@two = internal constant [40 x i8] c"two\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"
@table = internal constant [2 x i32] [
  i32 trunc (i64 sub (i64 ptrtoint (ptr @one to i64), i64 ptrtoint (ptr @table to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr @two to i64), i64 ptrtoint (ptr @table to i64)) to i32) ]
@wide = internal constant i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @two, i64 1) to i64), i64 ptrtoint (ptr @wide to i64))
@n = internal constant [2 x i8] c"n\00"
declare ptr @llvm.load.relative.i64(ptr, i64)
declare void @klee_make_symbolic(ptr, i64, ptr)
declare void @klee_assume(i64)
declare void @klee_abort()
define void @check(i1 %ok) {
  br i1 %ok, label %yes, label %no
yes:
  ret void
no:
  call void @klee_abort()
  unreachable
}
define i32 @main() {
  %near = call ptr @llvm.load.relative.i64(ptr @table, i64 0)
  %o = load i8, ptr %near
  %first = icmp eq i8 %o, 111
  call void @check(i1 %first)
  %distance = load i64, ptr @wide
  %far = getelementptr i8, ptr @wide, i64 %distance
  %w = load i8, ptr %far
  %second = icmp eq i8 %w, 119
  call void @check(i1 %second)
  %place = alloca i64
  call void @klee_make_symbolic(ptr %place, i64 8, ptr @n)
  %index = load i64, ptr %place
  %small = icmp ult i64 %index, 2
  %holds = zext i1 %small to i64
  call void @klee_assume(i64 %holds)
  %offset = shl i64 %index, 2
  %some = call ptr @llvm.load.relative.i64(ptr @table, i64 %offset)
  %c = load i8, ptr %some
  %is_o = icmp eq i8 %c, 111
  %is_t = icmp eq i8 %c, 116
  %either = or i1 %is_o, %is_t
  call void @check(i1 %either)
  ret i32 0
}
"#;
    for klee in [false, true] {
        let ran = assembly(&folder, text, klee);
        assert_eq!(outcome(&ran), (vec![], 2), "{}", ran.stderr);
    }
}

#[test]
fn what_cannot_be_read_is_an_error_only_where_it_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
@a = internal global i32 1
@odd = internal constant i32 trunc (i64 mul (i64 ptrtoint (ptr @a to i64), i64 3) to i32)
@n = internal constant [2 x i8] c"n\00"
declare void @klee_make_symbolic(ptr, i64, ptr)
define void @scales(<vscale x 4 x i32> %v) {
  ret void
}
define i32 @main() {
  %place = alloca i8
  call void @klee_make_symbolic(ptr %place, i64 1, ptr @n)
  %byte = load i8, ptr %place
  switch i8 %byte, label %fine [ i8 1, label %odd
                                 i8 2, label %vector ]
odd:
  %value = load i32, ptr @odd
  ret i32 %value
vector:
  call void @scales(<vscale x 4 x i32> zeroinitializer)
  ret i32 0
fine:
  %known = load i32, ptr @a
  ret i32 %known
}
"#;
    let ran = assembly(&folder, text, false);
    let (kinds, completed) = outcome(&ran);
    assert_eq!(completed, 1, "{}", ran.stderr);
    assert_eq!(kinds, ["exec", "exec"], "{}", ran.stderr);
    assert!(ran.errors().iter().any(|(_, text)| text.contains("`odd`")), "{:?}", ran.errors());
}

#[test]
fn weak_symbols_without_a_definition_are_null_and_unused_results_need_none() {
    let folder = tempfile::tempdir().unwrap();
    let globals = "extern int missing(void) __attribute__((weak)); extern int absent __attribute__((weak));\n\
                   static void nothing(void) {}\n";
    let body = "klee_assert(missing == 0); klee_assert(&absent == 0); if (missing) missing();\n\
                ((int (*)(void))nothing)(); return 0;";
    assert_eq!(outcome(&main_of(&folder, globals, body, "forking")), (vec![], 1));
    // What is looked at has to be there.
    let body = "return ((int (*)(void))nothing)();";
    assert_eq!(outcome(&main_of(&folder, globals, body, "forking")), (vec!["exec".to_owned()], 0));
}

#[test]
fn system_calls_say_that_a_pointer_is_bad() {
    let folder = tempfile::tempdir().unwrap();
    let globals = "#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <sys/stat.h>\n#include <unistd.h>";
    let body = "struct stat s; klee_assert(read(0, 0, 0) == 0);\n\
                errno = 0; klee_assert(read(0, (void *)1, 1) == -1 && errno == EFAULT);\n\
                errno = 0; klee_assert(write(1, 0, 1) == -1 && errno == EFAULT);\n\
                errno = 0; klee_assert(open(0, O_RDONLY) == -1 && errno == EFAULT);\n\
                errno = 0; klee_assert(stat(0, &s) == -1 && errno == EFAULT);\n\
                errno = 0; klee_assert(fstat(0, 0) == -1 && errno == EFAULT);\n\
                errno = 0; klee_assert(unlink(0) == -1 && errno == EFAULT); return 0;";
    let ran = main_of(&folder, globals, body, "forking");
    assert_eq!(outcome(&ran), (vec![], 1), "{}", ran.stderr);
}

/// What a program takes from one large object (pools, arenas): a table of entries, which are found by an
/// unknown hash and followed from one to the next. Where an entry lies is an element of a table of distances,
/// so each field that is read is one of the fields of the entries, and no question depends on where the object
/// lies.
#[test]
fn entries_inside_one_large_object_are_read_one_by_one() {
    let globals = "struct entry { struct entry *next; unsigned key; int value; };\n\
        static _Alignas(8) char pool[4096]; static size_t used = 100;\n\
        static void *take(size_t size) { void *p = pool + (used + 7 & ~7ul); used = (char *)p - pool + size; return p; }";
    let body = "struct entry **table = take(8 * sizeof *table);\n\
        memset(table, 0, 8 * sizeof *table);\n\
        for (unsigned k = 0; k < 12; k += 2) {\n\
          struct entry *e = take(sizeof *e); e->key = k; e->value = 100 + k; e->next = table[k & 7]; table[k & 7] = e; }\n\
        unsigned wanted; klee_make_symbolic(&wanted, sizeof wanted, \"wanted\");\n\
        struct entry *e = table[wanted & 7];\n\
        while (e && e->key != wanted) e = e->next;\n\
        klee_assert(!e == (wanted >= 12 || wanted % 2));\n\
        klee_assert(!e || e->value == 100 + (int)wanted);";
    for model in MODELS {
        let folder = tempfile::tempdir().unwrap();
        let ran = main_of(&folder, globals, body, model);
        assert_eq!(outcome(&ran).0, Vec::<String>::new(), "{model}: {}", ran.stderr);
        assert_eq!(ran.engine("layout_dependent_queries"), 0, "{model}");
    }
}

#[test]
fn a_table_of_pointers_that_another_path_read_before_has_the_pointers_of_this_path() {
    let folder = tempfile::tempdir().unwrap();
    // The table and its address are those of both paths, the addresses of what is in it are made by each.
    let body = "short one = 1, two = 2; short *table[4] = {&one, &two, &one, &two}; unsigned char at, other;\n\
        klee_make_symbolic(&at, 1, \"at\"); klee_make_symbolic(&other, 1, \"other\");\n\
        if (at >= 4) return 1;\n\
        short **volatile q = table + at; int result = 20;\n\
        if (other > 7) result = 10;\n\
        klee_assert((*q == &two) == (at & 1)); if (*q == &two) return result;\n\
        return result + 1;";
    for model in MODELS {
        let ran = main_of(&folder, "", body, model);
        assert_eq!(outcome(&ran), (vec![], 5), "{model}: {}", ran.stderr);
    }
}
