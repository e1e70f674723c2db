//! Instructions on known operands: executed in a row, they do what they do one by one.

use std::collections::BTreeMap;

use crate::klee::{Klee, klee, source};

/// Loops, calls, numbers of all sizes, pointers in variables, structures and arrays; few unknown bytes, and errors
/// below calls.
const PROGRAM: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { short small; char *text; unsigned long long wide; struct pair *next; };
static int table[6] = {5, -3, 70000, -70000, 0, 1};
static const char *const words[3] = {"one", "three", "eleven"};
static struct pair *first;
static unsigned sum(const int *from, int count) {
  unsigned total = 0;
  for (int i = 0; i < count; i++) total = total * 31 + (unsigned)from[i];
  return total;
}
static int depth(int n) { return n <= 0 ? table[4] : 1 + depth(n - 1); }
static void add(short small, const char *text) {
  struct pair *pair = malloc(sizeof *pair);
  pair->small = small;
  pair->text = strdup(text);
  pair->wide = (unsigned long long)small * 0x100000001ull;
  pair->next = first;
  first = pair;
}
static int mixed(int kind, signed char low, unsigned char high) {
  switch (kind) {
    case 0: return low >> 1;
    case 1: return high << 3;
    case 7: return low % 5 + high / 7;
    default: return low ^ high;
  }
}
static unsigned numbers(void) {
  unsigned sum = 0;
  for (int i = -9; i < 9; i++) {
    signed char c = (signed char)(i * 29);
    short s = (short)(c * 777);
    unsigned char u = (unsigned char)(c + 200);
    unsigned short w = (unsigned short)(s * 3);
    long long wide = (long long)s * 0x123456789ll;
    const int *middle = table + 3;
    sum = sum * 31 + (c < 5) + 2u * (s <= c) + 4u * (u > 100) + 8u * (i > -4) + 16u * (wide >= s) + 32u * (w < u) + 64u * (sum * 5u < sum);
    sum ^= (unsigned)middle[i % 3];
    sum += (unsigned)(wide >> 20) + (unsigned)c + u + w + (unsigned)(s / 7) + (unsigned)(s % 11) + (unsigned)(c == u);
    sum -= (unsigned)((i & 3) != 2) << (i & 7);
  }
  return sum;
}
static int reach(const char *bytes, int at) { return bytes[at]; }
int main(void) {
  char unknown[2];
  klee_make_symbolic(unknown, sizeof unknown, "unknown");
  for (int i = 0; i < 9; i++) add((short)(i * -4099), words[i % 3]);
  unsigned total = sum(table, 6) + (unsigned)depth(5);
  printf("%u\n", numbers());
  for (struct pair *pair = first; pair; pair = pair->next)
    total += (unsigned)(pair->wide >> 16) + (unsigned)pair->small + (unsigned)strlen(pair->text);
  for (int i = 0; i < 10; i++) total += (unsigned)mixed(i, (signed char)(i * 77), (unsigned char)(i * 91));
  if (unknown[0] > 3) total += sum(table, 5);
  if (unknown[1] == 'x') table[1] = depth(unknown[0] > 3 ? 4 : 2);
  total += sum(table, 6);
  char near[4] = {1, 2, 3, 4};
  printf("%u\n", total);
  total += (unsigned)reach(near, unknown[0] == 9 ? 4 : 2);
  return (int)(total & 1) + table[1];
}
"#;

/// What a run left that does not depend on how long it took.
fn left(run: &Klee) -> BTreeMap<String, String> {
    let said = |name: &String| name.ends_with(".err") || name.ends_with(".ktest") || name == "coverage.info";
    let names = run.files().into_iter().filter(said);
    names
        .map(|name| (name.clone(), format!("{:?}", std::fs::read(run.folder.join(&name)).unwrap())))
        .collect()
}

#[test]
fn instructions_do_in_a_row_what_they_do_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let whole = klee(&folder, &[], &program, &[]);
    let all = whole.done("total instructions");
    assert!(all > 2500, "{}", whole.stderr);
    assert_eq!(whole.files().iter().filter(|name| name.ends_with(".ptr.err")).count(), 1, "{}", whole.stderr);
    // What gcc's code prints.
    assert!(whole.stdout.starts_with("2856563190\n"), "{}", whole.stdout);
    // Wherever a run is cut off, it is where it would be, and has executed as many as it may.
    let limits = (0..24).map(|part| all * part / 23 + part).chain([1, 2, 3]).filter(|limit| *limit > 0);
    for limit in limits {
        let limited = format!("--max-instructions={limit}");
        let row = klee(&folder, &[&limited], &program, &[]);
        let single = klee(&folder, &[&limited, "--write-paths"], &program, &[]);
        let done = "total instructions";
        assert_eq!((row.done(done), single.done(done)), (limit.min(all), limit.min(all)), "{limit}");
        assert_eq!(row.done("completed paths"), single.done("completed paths"), "{limit}");
        assert_eq!(row.stdout, single.stdout, "{limit}");
        assert_eq!(left(&row), left(&single), "{limit}");
    }
}

/// Loops in a caller behind calls that have returned, and a callee that is dear by itself, so that whose instructions
/// are counted decides which state goes on.
const RETURNS: &str = r#"
#include <klee/klee.h>
static int table[32];
static int dear(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += table[i & 31] ^ i; return sum; }
static int cheap(int n) { return n + 1; }
static int below(const unsigned char *in, int i) {
  int sum = 0;
  if (in[i & 3] > 100 + i) sum = dear(40);
  for (int j = 0; j < 30; j++) sum += table[j & 31];
  return cheap(sum);
}
static int beside(const unsigned char *in, int i) {
  int sum = cheap(i);
  for (int j = 0; j < 90; j++) sum += table[j & 31] * j;
  if (in[i & 3] < 50 - i) sum += cheap(sum);
  return sum;
}
int main(void) {
  unsigned char in[4];
  klee_make_symbolic(in, sizeof in, "in");
  int sum = 0;
  for (int i = 0; i < 12; i++) sum += i & 1 ? below(in, i) : beside(in, i);
  return sum & 1;
}
"#;

#[test]
fn a_search_by_what_paths_of_calls_take_goes_the_same_way_in_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, RETURNS);
    for limit in (1..14).map(|part| part * 1_700) {
        let limited = format!("--max-instructions={limit}");
        let row = klee(&folder, &["--search=nurs:cpicnt", &limited], &program, &[]);
        let single = klee(&folder, &["--search=nurs:cpicnt", &limited, "--write-paths"], &program, &[]);
        assert_eq!(left(&row), left(&single), "{limit}");
    }
}
