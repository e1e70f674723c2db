//! The functions by which programs talk to the engine, where their effect is more than a value.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::program::{Ran, explore_files};

fn run(folder: &TempDir, body: &str) -> Ran {
    run_with(folder, body, &[])
}

fn run_with(folder: &TempDir, body: &str, arguments: &[&str]) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file: PathBuf = folder.path().join(format!("p{number}.c"));
    let text = format!(
        "#include <klee/klee.h>\n#include <assert.h>\n#include <math.h>\n#include <errno.h>\n#include <string.h>\n{body}"
    );
    std::fs::write(&file, text).unwrap();
    explore_files(folder, &[file], arguments)
}

#[test]
fn a_choice_is_below_its_limit_and_none_is_below_zero() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "int main(void) { uintptr_t n = klee_choose(3); assert(n < 3);\n\
           if (n == 0) return 0; if (n == 1) return 1; return 2; }\n",
    );
    assert_eq!((ran.code, ran.result("completed")), (0, 3), "{}", ran.stderr);
    assert!(ran.inputs().iter().all(|test| test[0].0 == "klee_choose" && test[0].1.len() == 8));
    let ran = run(&folder, "int main(void) { return (int)klee_choose(0); }\n");
    assert_eq!((ran.code, ran.result("completed"), ran.result("tests")), (0, 0, 0), "{}", ran.stderr);
}

#[test]
fn preferred_inputs_are_taken_where_the_path_admits_them() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "int main(void) { unsigned char c; klee_make_symbolic(&c, 1, \"c\");\n\
           klee_prefer_cex(&c, c == 'x'); klee_prefer_cex(&c, c > 'w');\n\
           if (c < 'a') return 1; return 0; }\n",
    );
    let mut bytes: Vec<u8> = ran.inputs().iter().map(|test| test[0].1[0]).collect();
    bytes.sort_unstable();
    assert_eq!(ran.result("completed"), 2);
    assert!(bytes[0] < b'a' && bytes[1] == b'x', "{bytes:?}");
}

#[test]
fn values_ranges_and_the_stack_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "static void inner(int k) { klee_stack_trace(); klee_warning(\"mind\"); klee_print_expr(\"known\", k); }\n\
         int main(void) { int r = klee_range(3, 9, \"r\"); klee_print_range(\"r\", r);\n\
           klee_print_expr(\"sum\", r + 1); inner(5); for (int i = 0; i < 2; i++) klee_warning_once(\"only once\"); klee_open_merge(); klee_close_merge(); return 0; }\n",
    );
    for expected in [
        "r:(ReadLSB w32 0 r) ~= 3 (in [3, 8])",
        "sum:(Add w32 1\n         (ReadLSB w32 0 r))",
        "known:5",
        "KLEE: WARNING ONCE: klee_open_merge ignored, use '-use-merge'",
        "KLEE: WARNING: inner: mind",
        "KLEE: WARNING ONCE: main: only once",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches("only once").count(), 1);
    assert_eq!(ran.code, 0);
}

#[test]
fn an_object_at_a_fixed_place_can_be_used_and_its_neighbourhood_cannot() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "int main(void) { volatile int *port = (int *)0x80; klee_define_fixed_object((void *)port, 8);\n\
           port[1] = 7; assert(port[1] == 7 && klee_get_obj_size((void *)port) == 8);\n\
           return port[2]; }\n",
    );
    assert_eq!(ran.errors().len(), 1, "{}", ran.stderr);
    assert_eq!(ran.errors()[0].0, "ptr");
    assert!(ran.stderr.contains(":8:") || ran.stderr.contains("c:8"), "{}", ran.stderr);
    let ran = run(
        &folder,
        "int main(void) { klee_define_fixed_object((void *)0x80, 8); klee_define_fixed_object((void *)0x84, 8); return 0; }\n",
    );
    assert_eq!(ran.errors()[0].0, "user", "{}", ran.stderr);
}

#[test]
fn bodies_that_drivers_bring_for_the_engines_functions_are_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "void klee_make_symbolic(void *a, size_t n, const char *s) { memset(a, 0, n); (void)s; }\n\
         void klee_assume(uintptr_t c) { (void)c; }\n\
         int klee_range(int a, int b, const char *s) { (void)b; (void)s; return a; }\n\
         int main(void) { char c; klee_make_symbolic(&c, 1, \"c\"); klee_assume(c != 3);\n\
           assert(c != 3); if (c == 4) return 1; return klee_range(0, 2, \"d\") ? 2 : 3; }\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.inputs().iter().any(|test| test.len() == 2), "{:?}", ran.inputs());
}

#[test]
fn an_error_file_has_the_values_of_the_calls() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "static int f(int a, char *p, int unknown) { (void)unknown; return p[a]; }\n\
         int main(void) { char p[2] = {0}; return f(300, p, klee_int(\"x\")); }\n",
    );
    let text = std::fs::read_to_string(ran.folder.join("test000001.ptr.err")).unwrap();
    let first = text.lines().find(|line| line.contains("#0 in f(")).unwrap();
    assert!(first.contains("#0 in f(300, 0x") && first.contains(", symbolic) at "), "{text}");
    assert!(text.starts_with("Error: memory error: out of bound pointer\nFile: "), "{text}");
}

#[test]
fn exact_functions_of_mathematics_run() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "int main(void) { volatile double x = -2.5, y = 0.7;\n\
           assert(floor(x) == -3 && ceil(x) == -2 && trunc(x) == -2 && round(x) == -3 && rint(x) == -2);\n\
           assert(fabs(x) == 2.5 && sqrt(6.25) == 2.5 && fmax(x, y) == y && fmin(x, y) == x);\n\
           assert(fmod(7.5, 2) == 1.5 && fmod(x, 1) == -0.5 && copysign(y, x) == -y && sqrtf(9) == 3);\n\
           errno = 0; sqrt(x); assert(errno == EDOM); return 0; }\n",
    );
    assert_eq!((ran.code, ran.result("completed")), (0, 1), "{}", ran.stderr);
}

#[test]
fn what_divisions_of_unknown_numbers_leave_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "double fmod(double, double); double remainder(double, double); float remquof(float, float, int *);\n\
         int main(void) { double x; float y; int last; klee_make_symbolic(&x, sizeof x, \"x\"); klee_make_symbolic(&y, sizeof y, \"y\");\n\
           klee_assume((x >= 8) & (x < 512)); klee_assume((y >= 4) & (y < 8));\n\
           double rest = fmod(x, 3), nearest = remainder(x, 3); assert((rest >= 0) & (rest < 3));\n\
           assert((nearest == rest) | (nearest == rest - 3));\n\
           if (rest == 1.25) assert(x < 300);\n\
           float left = remquof(y, 2.5f, &last); if ((left == -1) & (last == 3)) klee_report_error(\"here\", 1, \"found\", \"found.err\");\n\
           return 0; }\n",
    );
    let kinds: Vec<String> = ran.errors().into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["assert", "found"], "{}", ran.stderr);
    // Nothing was made known on the way.
    assert!(!ran.stderr.contains("floating-point number"), "{}", ran.stderr);
    for (name, test) in ran.tests() {
        let bytes = |place: usize| test.objects[place].1.as_slice();
        if ran.folder.join(name.replace("ktest", "assert.err")).exists() {
            let x = f64::from_le_bytes(bytes(0).try_into().unwrap());
            assert!(x % 3.0 == 1.25 && x >= 300.0, "{x}");
        } else if ran.folder.join(name.replace("ktest", "found.err")).exists() {
            let y = f32::from_le_bytes(bytes(1).try_into().unwrap());
            assert!(y == 6.5, "{y}");
        }
    }
}

#[test]
fn output_is_read_whoever_looks_at_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = |body: &str| {
        format!(
            "long write(int, const void *, unsigned long);\n\
             int main(void) {{ static char b[4]; unsigned long n; int d; {body} return 0; }}\n"
        )
    };
    let count = "klee_make_symbolic(&n, sizeof n, \"n\");";
    // Errors and completed paths: of a count that may be too large, both.
    for (body, errors, completed) in [
        ("write(1, b, 100);".to_owned(), 1, 0),
        ("write(1, b, 4); write(1, b + 4, 0); write(1, 0, 0);".to_owned(), 0, 1),
        ("write(1, b + 1, 4);".to_owned(), 1, 0),
        ("klee_make_symbolic(&d, sizeof d, \"d\"); __symexec_write(d, b, 5);".to_owned(), 1, 0),
        (format!("{count} write(1, b, n);"), 1, 1),
        (format!("{count} klee_assume(n <= 4); write(1, b, n);"), 0, 1),
        (format!("{count} klee_assume(n <= 4); write(1, b + 1, n);"), 1, 1),
        (format!("{count} klee_assume(n <= 4); write(1, b + 5, n);"), 1, 1),
        (format!("{count} klee_assume(n <= 4); write(1, 0, n);"), 0, 2),
        (format!("{count} klee_assume(n - 1 < 4); write(1, b + 5, n);"), 1, 0),
    ] {
        let text = format!("long __symexec_write(int, const void *, unsigned long);\n{}", program(&body));
        let ran = run(&folder, &text);
        assert_eq!(
            (ran.errors().len(), ran.result("completed")),
            (errors, completed),
            "{body}: {}",
            ran.stderr
        );
        assert!(ran.errors().iter().all(|(kind, _)| kind == "ptr"), "{body}: {:?}", ran.errors());
    }
}

#[test]
fn without_forks_errors_of_checks_still_have_tests_and_the_path_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(void) { static int a[4]; unsigned i; klee_make_symbolic(&i, sizeof i, \"i\");\n\
        klee_set_forking(0); a[i] = 1; int q = 8 / (int)i; q = q << (i + 29); klee_set_forking(1);\n\
        assert(i < 3 && i > 0); return q; }\n";
    let ran = run(&folder, text);
    // Of the indices outside of the array, of 0, and of 3; 1 and 2 go on together.
    let kinds: Vec<String> = ran.errors().into_iter().map(|(kind, _)| kind).collect();
    assert_eq!((kinds.len(), ran.result("completed"), ran.result("paths")), (3, 1, 4), "{}", ran.stderr);
    for kind in ["ptr", "div", "overshift"] {
        assert!(kinds.iter().any(|found| found == kind), "{kind}: {kinds:?}");
    }
    assert_eq!(ran.inputs().len(), 4);
}

#[test]
fn later_objects_avoid_those_at_fixed_places() {
    let folder = tempfile::tempdir().unwrap();
    // The fixed object lies where the next ones would: behind one that was just made.
    let text = "#include <stdlib.h>\nint main(void) { char *first = malloc(40); uintptr_t place = (uintptr_t)first + 64;\n\
        place = klee_get_value_i64(place); klee_define_fixed_object((void *)place, 1000);\n\
        for (int i = 0; i < 40; i++) { uintptr_t p = klee_get_value_i64((uintptr_t)malloc(40));\n\
        assert(p + 40 <= place || place + 1000 <= p); } return 0; }\n";
    let ran = run(&folder, text);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn infinite_numbers_of_the_narrow_format_become_the_least_integer() {
    let folder = tempfile::tempdir().unwrap();
    // The exact arithmetic says so of known numbers; the solver must of unknown ones, whose values are not
    // substituted. The bounds of these integers are infinite in this format.
    let text = "int main(void) { union { unsigned short bits; _Float16 number; } x; klee_make_symbolic(&x, sizeof x, \"x\");\n\
        klee_assume((x.bits & 0x7fff) == 0x7c00); assert((int)x.number == -2147483647 - 1); return 0; }\n";
    let ran = run_with(&folder, text, &["--no-equality-substitution"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn what_the_engines_functions_cannot_do_ends_in_klees_words() {
    let folder = tempfile::tempdir().unwrap();
    for (body, kind, message) in [
        ("klee_make_symbolic(a, 8, \"a\");", "user", "Wrong size given to klee_make_symbolic"),
        ("klee_make_symbolic(a, 20, \"a\");", "user", "Wrong size given to klee_make_symbolic"),
        ("klee_make_symbolic(a + 1, 12, \"a\");", "ptr", "memory error: invalid pointer: make_symbolic"),
        ("klee_make_symbolic(0, 4, \"a\");", "ptr", "memory error: invalid pointer: make_symbolic"),
        ("klee_make_symbolic((void *)\"abc\", 4, \"a\");", "user", "cannot make readonly object symbolic"),
        ("free(p); klee_make_symbolic(p, 4, \"a\");", "ptr", "memory error: invalid pointer: make_symbolic"),
        (
            "klee_make_symbolic((void *)0x123456789, 4, \"a\");",
            "ptr",
            "memory error: invalid pointer: make_symbolic",
        ),
        ("free((void *)0x123456789);", "ptr", "memory error: invalid pointer: free"),
        (
            "klee_make_symbolic((void *)0x123456789, klee_int(\"n\"), \"a\");",
            "ptr",
            "memory error: invalid pointer: make_symbolic",
        ),
        ("free(p); klee_get_obj_size(p);", "ptr", "memory error: invalid pointer: klee_get_obj_size"),
        (
            "klee_get_obj_size((void *)0x123456789);",
            "ptr",
            "memory error: invalid pointer: klee_get_obj_size",
        ),
        ("klee_get_obj_size(0);", "ptr", "memory error: invalid pointer: klee_get_obj_size"),
        ("klee_range(5, 5, \"a\");", "user", "invalid range: begin is not below end"),
        ("klee_report_error(\"f.c\", 3, \"mine\", \"my.err\");", "my", "mine"),
        ("klee_report_error(\"f.c\", 3, \"mine\", \"my\");", "my", "mine"),
        ("klee_report_error(\"f.c\", 3, \"mine\", \"../my\");", "report_error", "mine"),
        ("((void (*)(void))a)();", "exec", "invalid function pointer"),
        ("((void (*)(void))0)();", "exec", "invalid function pointer"),
        ("((void (*)(void))(uintptr_t)(klee_int(\"n\") | 1))();", "exec", "invalid function pointer"),
    ] {
        let text = format!(
            "#include <stdlib.h>\nint main(void) {{ static int a[4]; char *p = malloc(4); p[0] = 0; {body} return 0; }}\n"
        );
        let ran = run(&folder, &text);
        let expected = vec![(kind.to_owned(), format!("Error: {message}"))];
        assert_eq!((ran.errors(), ran.result("completed")), (expected, 0), "{body}: {}", ran.stderr);
    }
}

#[test]
fn numbers_are_rounded_to_the_nearest_and_programs_are_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "#include <float.h>\nint main(void) { klee_assert(FLT_ROUNDS == 1); klee_assert(__builtin_flt_rounds() == 1); return 0; }\n",
    );
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn inputs_without_a_name_are_called_unnamed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "int main(void) { char a, b; klee_make_symbolic(&a, 1, 0); klee_make_symbolic(&b, 1, \"\"); klee_int(\"\"); return 0; }\n",
    );
    let tests = ran.inputs();
    let names: Vec<&str> = tests[0].iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["unnamed", "unnamed_1", "unnamed_2"], "{}", ran.stderr);
}

#[test]
fn printing_unknown_values_makes_no_paths_and_tells_the_right_length() {
    let folder = tempfile::tempdir().unwrap();
    let run = |body: &str| {
        let text = format!(
            "#include <stdio.h>\nint main(void) {{ int i; short h; unsigned long u; double d; char s[4], b[200];\n\
             klee_make_symbolic(&i, sizeof i, \"i\"); klee_make_symbolic(&u, sizeof u, \"u\");\n\
             klee_make_symbolic(&h, sizeof h, \"h\"); klee_make_symbolic(&d, sizeof d, \"d\");\n\
             klee_make_symbolic(s, sizeof s, \"s\"); klee_assume(s[3] == 0); {body} return 0; }}\n"
        );
        run(&folder, &text)
    };
    // `snprintf` forks for each length; on each of these paths the length that was printed is the same.
    for format in [
        "\"%d\", (signed char)i",
        "\"<%+hhd%c>%%\", i, i",
        "\"%08.3hhd|\", h",
        "\"% hd%%\", h % 100",
        "\"%-12ld|\", (long)(signed char)u",
        "\"%.0u\", i & 3",
        "\"%#o\", h & 0x3f",
        "\"%#lx and %X\", u & 0xfff, i & 0x1f",
        "\"%s|%5.2s|%-4s\", s, s, s",
    ] {
        let ran = run(&format!(
            "int n = printf({format}); int m = snprintf(b, sizeof b, {format}); assert(n == m);"
        ));
        assert_eq!(ran.errors(), [], "{format}: {}", ran.stderr);
        assert!(ran.result("completed") > 1, "{format}");
        let ran = run(&format!("assert(printf({format}) >= 0); fprintf(stderr, {format});"));
        assert_eq!((ran.errors(), ran.result("paths")), (vec![], 1), "{format}: {}", ran.stderr);
    }
    for body in [
        "puts(s); fputs(s + 1, stdout); fputs(s, stderr);",
        "printf(\"%f %20.3e %g %a %Lf\\n\", d, d, d, d, (long double)d);",
        "assert(printf(\"%.100f\", d) > 0);",
    ] {
        let ran = run(body);
        assert_eq!((ran.errors(), ran.result("paths")), (vec![], 1), "{body}: {}", ran.stderr);
    }
    // A text without an end is read to where its object ends.
    for body in ["printf(\"%s\", s);", "puts(s);", "fputs(s + 1, stderr);", "printf(\"%9.5s\", s);"] {
        let ran = run(&format!(
            "klee_make_symbolic(s, sizeof s, \"t\"); {body} assert(!s[1] | !s[2] | !s[3] | !s[0]);"
        ));
        assert_eq!((ran.errors().len(), ran.result("paths")), (1, 2), "{body}: {}", ran.stderr);
        assert_eq!(ran.errors()[0].0, "ptr", "{body}");
    }
    let ran = run("klee_make_symbolic(s, sizeof s, \"t\"); printf(\"%.4s\", s);");
    assert_eq!((ran.errors(), ran.result("paths")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn what_is_computed_from_addresses_alone_is_not_symbolic() {
    let folder = tempfile::tempdir().unwrap();
    for (value, expected) in [
        ("(uintptr_t)p", 0),
        ("(uintptr_t)p % 64", 0),
        ("(uintptr_t)p ^ (uintptr_t)q", 0),
        ("(uintptr_t)(p < q)", 0),
        ("(uintptr_t)(p + x)", 1),
        ("(uintptr_t)x", 1),
        ("(uintptr_t)(x - x)", 0),
        ("(uintptr_t)main", 0),
    ] {
        let ran = run(
            &folder,
            &format!(
                "#include <stdlib.h>\nint main(void) {{ char *p = malloc(8), *q = malloc(8); int x = klee_int(\"x\");\n\
                 assert(klee_is_symbolic({value}) == {expected}); return q == p; }}\n"
            ),
        );
        assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{value}: {}", ran.stderr);
    }
}

#[test]
fn an_unknown_mask_makes_paths_only_where_an_access_may_be_wrong() {
    let text = |pointer: &str| {
        format!(
            "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare void @klee_make_symbolic(ptr, i64, ptr)
declare void @klee_abort()
@n = constant [2 x i8] c\"a\\00\"
define i32 @main() {{
  %a = alloca <4 x i32>
  %b = alloca <4 x i32>
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %b
  call void @klee_make_symbolic(ptr %a, i64 16, ptr @n)
  %v = load <4 x i32>, ptr %a
  %m = icmp sgt <4 x i32> %v, <i32 3, i32 3, i32 3, i32 3>
  %from = getelementptr i8, ptr {pointer}
  %l = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %from, i32 4, <4 x i1> %m, <4 x i32> <i32 9, i32 9, i32 9, i32 9>)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %l, ptr %b, i32 4, <4 x i1> %m)
  %after = load <4 x i32>, ptr %b
  %first = extractelement <4 x i32> %after, i32 0
  %wrong = icmp eq i32 %first, 9
  br i1 %wrong, label %abort, label %good
abort:
  call void @klee_abort()
  unreachable
good:
  ret i32 0
}}
"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, pointer: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text(pointer)).unwrap();
        explore_files(&folder, &[file], &[])
    };
    let inside = run("inside.ll", "%b, i64 0");
    assert_eq!((inside.code, inside.result("completed")), (0, 1), "{}", inside.stderr);
    // Elements beyond the end are errors where the mask wants them, and only there.
    let outside = run("outside.ll", "%b, i64 8");
    assert!(outside.stderr.contains("out of bound pointer"), "{}", outside.stderr);
    assert_eq!((outside.code, outside.result("completed")), (1, 1), "{}", outside.stderr);
}
