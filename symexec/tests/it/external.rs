//! Calls of functions that the program does not define: of `math.h`, and declared ones.

use tempfile::TempDir;

use crate::program::{Ran, explore_files};

fn run(text: &str, arguments: &[&str]) -> Ran {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).unwrap();
    let mut ran = explore_files(&folder, &[source], arguments);
    // What an error says, and the warnings.
    for entry in std::fs::read_dir(&ran.folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "err" || extension == "txt") {
            ran.stderr += &std::fs::read_to_string(path).unwrap();
        }
    }
    ran
}

/// Of which the values are known from the mathematics: sin 0, pow 2 10, log of 1, and what errno becomes.
const MATH: &str = "
#include <assert.h>
#include <errno.h>
#include <math.h>
int main(void) {
  volatile double two = 2, ten = 10, zero = 0, less = -1, big = 1000;
  assert(sin(zero) == 0 && cos(zero) == 1 && pow(two, ten) == 1024 && log(1 + zero) == 0);
  assert(powf((float)two, 3.0f) == 8 && cbrt(8 + zero) == 2 && hypot(3 + zero, 4) == 5);
  assert(fabs(exp(1 + zero) - 2.718281828459045) < 1e-15 && fabs(atan2(1, 1 + zero) * 4 - 3.141592653589793) < 1e-15);
  errno = 0;
  assert(isnan(log(less)) && errno == EDOM);
  errno = 0;
  assert(isinf(exp(big)) && errno == ERANGE);
  errno = 0;
  assert(exp(-big) == 0 && errno == ERANGE);
  errno = 0;
  assert(exp(-INFINITY) == 0 && isinf(log(INFINITY)) && isnan(sin(NAN)) && errno == 0);
  return 0;
}";

#[test]
fn inexact_functions_of_known_numbers_are_computed() {
    let ran = run(MATH, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Beside each value what glibc gives, to the last bit where that is a mathematical fact.
const RARE: &str = "
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <klee/klee.h>
#include <math.h>
int main(void) {
  volatile double half = 0.5, zero = 0, less = -1;
  volatile long double long_half = 0.5L, long_two = 2;
  assert(tgamma(half * 10) == 24 && exp10(zero) == 1 && erf(zero) == 0 && erfc(zero) == 1);
  assert(acosh(1 + zero) == 0 && asinhf((float)zero) == 0 && isinf(atanh(1 + zero)) && j0(zero) == 1 && jn(3, zero) == 0);
  assert(powl(long_two, 100) == 0x1p100L && exp2l(long_two * 5) == 1024 && log2l(long_half) == -1 && cbrtl(long_two * 4) == 2);
  assert(hypotl(long_two + 1, 4) == 5 && atan2l(long_two - 2, 1) == 0 && tgammal(long_two * 3) == 120);
  /* More bits than a double has. */
  assert(fabsl(expl(long_half) * expl(-long_half) - 1) < 1e-18L && expl(long_half) != (long double)exp(half));
  double sine, cosine;
  sincos(zero, &sine, &cosine);
  int sign = 0;
  assert(sine == 0 && cosine == 1 && lgamma_r(-half, &sign) > 0 && sign == -1);
  errno = 0;
  assert(isnan(logl(less)) && errno == EDOM);
  double unknown;
  klee_make_symbolic(&unknown, sizeof unknown, \"unknown\");
  klee_assume(unknown == 0.5);
  assert(erf(unknown) == erf(half));
  long double longer = unknown;
  assert(logl(longer) == logl(long_half));
  /* Compilers make calls of complex products and quotients. */
  volatile double complex three = 3 + 4 * I, unit = I;
  assert(three * unit == -4 + 3 * I && three / unit == 4 - 3 * I && cabs(three) == 5 && carg(-unit * unit) == 0);
  volatile float complex minus = -4;
  volatile long double complex long_unit = I;
  assert(csqrt(-3 + 4 * unit) == 1 + 2 * I && csqrtf(minus) == 2 * I && cexp(three - three) == 1 && clog(unit / unit) == 0);
  assert(cpow(three, 0) == 1 && cimagl(casinhl(long_unit)) == asinl(1) && creall(cacosl(long_unit - long_unit)) == acosl(0));
  double complex some = unknown + 1.5 * I;
  assert(csin(some) == csin(0.5 + 1.5 * unit));
  return 0;
}";

#[test]
fn rare_functions_and_those_of_long_double_are_computed_without_being_declared() {
    let ran = run(RARE, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("calling external: powl"), "{}", ran.stderr);
    let none = run(RARE, &["--external-calls", "none"]);
    assert!(none.stderr.contains("external calls disallowed"), "{}", none.stderr);
}

const UNKNOWN: &str = "
#include <klee/klee.h>
#include <math.h>
int main(void) {
  UNSIGNED x;
  klee_make_symbolic(&x, sizeof x, \"x\");
  klee_assume(x > 2);
  return log2(x) > 1.5 || log2(x) < 0;
}";

#[test]
fn unknown_arguments_are_made_known_or_refused_as_one_likes() {
    let [byte, word] = ["unsigned char", "unsigned short"].map(|of| UNKNOWN.replace("UNSIGNED", of));
    // A byte has few values, each of which is followed; what is computed of it again has one then.
    let few = run(&byte, &[]);
    assert_eq!((few.code, few.result("completed")), (0, 253), "{}", few.stderr);
    assert!(!few.stderr.contains("concretized"), "{}", few.stderr);
    let all = run(&word, &[]);
    assert_eq!((all.code, all.result("completed")), (0, 1), "{}", all.stderr);
    assert!(all.stderr.contains("concretized symbolic argument of log2"), "{}", all.stderr);
    let concrete = run(&byte, &["--external-calls", "concrete"]);
    assert_eq!(concrete.code, 1);
    assert!(concrete.stderr.contains("external call with symbolic argument: log2"), "{}", concrete.stderr);
    let none = run(&byte, &["--external-calls", "none"]);
    assert!(none.stderr.contains("external calls disallowed"), "{}", none.stderr);
}

/// Functions that the C runtime lacks, with results, buffers, pointers into them and errno.
const DECLARED: &str = "
#include <klee/klee.h>
#include <assert.h>
#include <errno.h>
#include <stddef.h>
double erf(double);
float tgammaf(float);
int ffsl(long);
int strverscmp(const char *, const char *);
void *memccpy(void *, const void *, int, size_t);
int main(void) {
  assert(erf(0) == 0 && erf(100) == 1 && tgammaf(5) == 24 && ffsl(48) == 5);
  assert(strverscmp(\"a9\", \"a10\") < 0 && strverscmp(\"a10\", \"a9\") > 0);
  char text[8] = \"abc;def\", copy[8] = \"#######\";
  char *end = memccpy(copy + 1, text, ';', 7);
  assert(end == copy + 5 && copy[0] == '#' && copy[1] == 'a' && copy[4] == ';' && copy[5] == '#');
  assert(memccpy(copy, text, 'x', 3) == NULL && copy[0] == 'a');
  errno = 0;
  assert(tgammaf(-1) != 0 && errno == EDOM && klee_get_errno() == EDOM);
  return 0;
}";

/// Each with its prototype.
const PROTOTYPES: [&str; 5] = [
    "double erf(double)",
    "float tgammaf(float x);",
    "int ffsl(long)",
    "int strverscmp(const char *, const char *)",
    "void *memccpy(void *restrict, const void *restrict, int, size_t)",
];

#[test]
fn declared_functions_are_called_with_their_buffers() {
    let arguments: Vec<&str> = PROTOTYPES.iter().flat_map(|text| ["--external-call", text]).collect();
    let ran = run(DECLARED, &arguments);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("calling external: erf"), "{}", ran.stderr);
    // Without the declaration, the path ends where the function is called, and says how to go on.
    let text = "#include <arpa/inet.h>\nint main(void) { return inet_network(\"1.2\") != 0; }";
    let ran = run(text, &arguments);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("failed external call: inet_network"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--external-call"), "{}", ran.stderr);
}

/// Functions called through prototypes with narrower parameters than they have: what clang's code passes.
const NARROWER: &str = "
#include <klee/klee.h>
#include <assert.h>
int narrow_signed(signed char, short) __asm__(\"div_sum\");
int narrow_unsigned(unsigned char, unsigned short) __asm__(\"div_sum\");
int inside_signed(signed char, long) __asm__(\"inside\");
int inside_unsigned(unsigned char, long) __asm__(\"inside\");
int div_sum(int, int);
int main(void) {
  signed char a = -3;
  short b = -1000;
  assert(narrow_signed(a, b) == -1003);
  assert(narrow_unsigned((unsigned char)a, (unsigned short)b) == 253 + 64536);
  assert(inside_signed(a, 5) == -3 && inside_unsigned((unsigned char)a, 5) == 253);
  a = (signed char)klee_int(\"a\");
  klee_assume(a < -100);
  assert(inside_signed(a, 5) < -100 && inside_unsigned((unsigned char)a, 5) > 100);
  return 0;
}";

const NARROWER_LIBRARY: &str = "int div_sum(int a, int b) { return a + b; }";
const NARROWER_INSIDE: &str = "int inside(int a, long b) { return b == 5 ? a : 0; }";

#[test]
fn arguments_narrower_than_their_parameters_are_extended_as_the_caller_says() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (library, inside, program) = (path("library.c"), path("inside.c"), path("program.c"));
    std::fs::write(&library, NARROWER_LIBRARY).unwrap();
    std::fs::write(&inside, NARROWER_INSIDE).unwrap();
    std::fs::write(&program, NARROWER).unwrap();
    let object = path("library.o");
    let compiled =
        std::process::Command::new("clang-19").args(["-c", "-o"]).args([&object, &library]).status();
    assert!(compiled.unwrap().success());
    let library = object.display().to_string();
    let arguments = ["--external-call", "int div_sum(int, int)", "--external-library", &library];
    let ran = explore_files(&folder, &[program, inside], &arguments);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.errors());
}

const UNKNOWN_BUFFER: &str = "
#include <klee/klee.h>
#include <assert.h>
unsigned inet_network(const char *);
int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, \"text\");
  klee_assume(text[0] == 'q');
  klee_assume(text[3] == 0);
  unsigned number = inet_network(text);
  assert(number > 0);
  /* Made known: there is one path, and its test says with what. */
  if (text[1] == 0)
    return 0;
  assert(0);
}";

#[test]
fn unknown_bytes_of_buffers_are_known_after_a_call() {
    let prototype = ["--external-call", "unsigned inet_network(const char *)"];
    let ran = run(UNKNOWN_BUFFER, &prototype);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.result("paths"), 1);
    assert!(ran.stderr.contains("concretized symbolic argument of inet_network"), "{}", ran.stderr);
}

const HARM: &str = "
#include <stdlib.h>
unsigned inet_network(const char *);
char *sigdescr_np(int);
double erf(float);
int main(int count, char **arguments) {
  switch (atoi(arguments[1])) {
  case 0: return inet_network((const char *)0);
  case 1: return *sigdescr_np(10);
  case 2: return erf(1.0f) > 0;
  }
  return 0;
}";

#[test]
fn what_goes_wrong_outside_is_an_error_of_the_path() {
    let declared = [
        "--external-call",
        "unsigned inet_network(const char *)",
        "--external-call",
        "char *sigdescr_np(int)",
        "--external-call",
        "double erf(double)",
    ];
    for (case, expected) in [
        ("0", "failed external call: inet_network: it did not come back (signal: 11"),
        ("1", "failed external call: sigdescr_np: it gave a pointer to memory that is not the program's"),
        ("2", "failed external call: erf: it is called with other types than it is declared with"),
    ] {
        let ran = run(HARM, &[&declared[..], &["--", case]].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{case}: {}", ran.stderr);
    }
}

#[test]
fn declarations_that_cannot_be_called_are_refused() {
    for (text, expected) in [
        ("erf", "a prototype in C is expected"),
        ("double erf(double", "do not end with"),
        ("int printf(const char *, ...)", "variable number of arguments"),
        ("div_t f(struct x)", "structures"),
        ("double _Complex csin(double _Complex)", "not handed over"),
        ("void qsort(void *, size_t, size_t, int (*)(const void *, const void *))", "pointers to functions"),
        ("f(int)", "names no function"),
        (&format!("int f(int{})", ", int".repeat(64)), "more than 64 parameters"),
        ("nonsense f(int)", "cannot be called"),
        ("int no_such_function(int)", "cannot be called"),
    ] {
        let ran = run("int main(void) { return 0; }", &["--external-call", text]);
        assert_eq!(ran.code, 2, "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{text}: {}", ran.stderr);
    }
}
