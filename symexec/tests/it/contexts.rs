//! Stacks of `makecontext`: what programs do with them where inputs are unknown, and what they must not do. What they
//! print without unknown inputs is compared in `natively`.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::jobs::{counted, merged, options, same, written};
use crate::program::explore_files;

const START: &str = r"
#include <klee/klee.h>
#include <stdlib.h>
#include <ucontext.h>
enum { STACK = 16384 };
static char memory[STACK];
static ucontext_t outside, inside;
static void on(ucontext_t *context, void *stack, ucontext_t *after) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = STACK;
  context->uc_link = after;
}
static void nothing(void) {}
";

fn program(folder: &TempDir, body: &str) -> PathBuf {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    std::fs::write(&file, format!("{START}{body}")).unwrap();
    file
}

/// Five coroutines take turns. Each adds up unknown numbers, waits before each, and ends early at a number that is too
/// large; what they do is compared with the same sums without coroutines.
const SCHEDULER: &str = r#"
enum { ALL = 5, TURNS = 2 };
static ucontext_t all[ALL];
static unsigned char in[ALL][TURNS], sums[ALL], ended[ALL], order[ALL * TURNS], ran;
static void worker(int self) {
  unsigned char sum = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    order[ran++] = self;
    if (self % 2 == 0 && in[self][turn] > 200) break;
    sum += in[self][turn];
    swapcontext(&all[self], &outside);
  }
  sums[self] = sum;
  ended[self] = 1;
}
int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < ALL; i++) {
    on(&all[i], malloc(STACK), &outside);
    makecontext(&all[i], (void (*)(void))worker, 1, i);
  }
  for (int left = ALL; left > 0;) {
    left = 0;
    for (int i = 0; i < ALL; i++)
      if (!ended[i]) {
        swapcontext(&outside, &all[i]);
        left += !ended[i];
      }
  }
  for (int i = 0; i < ALL; i++) {
    unsigned char sum = 0;
    for (int turn = 0; turn < TURNS && !(i % 2 == 0 && in[i][turn] > 200); turn++) sum += in[i][turn];
    klee_assert(sums[i] == sum);
  }
  klee_assert(order[0] == 0 && order[4] == 4 && ran > ALL);
  if (sums[1] == 77 && sums[2] == 78) klee_report_error(__FILE__, 1, "found", "found");
  return 0;
}
"#;

#[test]
fn coroutines_with_unknown_inputs_have_the_paths_of_the_same_code_without() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(&folder, SCHEDULER);
    for model in ["forking", "segmented"] {
        let ran = explore_files(&folder, std::slice::from_ref(&file), &["--memory-model", model]);
        // Three of them end after none, one or both of their numbers; two thirds of these ways have a sum of 78.
        assert_eq!(ran.errors(), [("found".to_owned(), "Error: found".to_owned())], "{}", ran.stderr);
        assert_eq!((ran.result("completed"), ran.result("partial")), (54, 18), "{}", ran.stderr);
    }
}

#[test]
fn several_processes_and_shards_find_what_one_finds_with_stacks() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(&folder, &SCHEDULER.replace("TURNS = 2", "TURNS = 1"));
    let one = explore_files(&folder, std::slice::from_ref(&file), &options("forking", &[]));
    let jobs = explore_files(&folder, std::slice::from_ref(&file), &options("forking", &["--jobs", "2"]));
    same(&written(&one.folder), &written(&jobs.folder), "two processes");
    let shards = merged(&folder, &file, &options("forking", &[]), 3, "shards");
    same(&written(&one.folder), &written(&shards.folder), "three shards");
    assert_eq!((counted(&one), counted(&one)), (counted(&jobs), counted(&shards)));
}

#[test]
fn paths_that_part_on_one_stack_have_their_own_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let body = "static unsigned char x; static int got;\n\
        static void counts(void) { int sum = 0; for (int i = 0; i < 4; i++) { if (x > 10 * i) { sum += 1; klee_warning_once(\"more\"); } else sum += 100; got = sum; swapcontext(&inside, &outside); } }\n\
        int main(void) { klee_make_symbolic(&x, 1, \"x\"); on(&inside, memory, &outside); makecontext(&inside, counts, 0);\n\
        for (int i = 0; i < 4; i++) swapcontext(&outside, &inside);\n\
        int sum = 0; for (int i = 0; i < 4; i++) sum += x > 10 * i ? 1 : 100; klee_assert(got == sum); return 0; }";
    let ran = explore_files(&folder, &[program(&folder, body)], &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 5), "{}", ran.stderr);
}

#[test]
fn paths_become_one_again_only_where_waiting_stacks_are_equal() {
    let folder = tempfile::tempdir().unwrap();
    let merges = |body: &str| {
        let body = format!(
            "static unsigned char x; static void part(void) {{ {body} }}\n\
             int main(void) {{ klee_make_symbolic(&x, 1, \"x\"); on(&inside, memory, &outside); makecontext(&inside, part, 0); klee_open_merge();\n\
             swapcontext(&outside, &inside); klee_close_merge(); return 0; }}"
        );
        let ran = explore_files(&folder, &[program(&folder, &body)], &["--use-merge"]);
        assert_eq!(ran.errors(), [], "{}", ran.stderr);
        ran.result("completed")
    };
    assert_eq!(
        merges(
            "if (x > 7) { klee_warning(\"more\"); swapcontext(&inside, &outside); } else swapcontext(&inside, &outside);"
        ),
        2
    );
    assert_eq!(merges("if (x > 7) klee_warning(\"more\");"), 1);
}

#[test]
fn what_waits_in_a_loop_waits_at_one_place() {
    let folder = tempfile::tempdir().unwrap();
    let body = "#include <string.h>\nstatic unsigned char x; static ucontext_t before; static void waits(void) { for (;;) swapcontext(&inside, &outside); }\n\
        static void turn(void) { swapcontext(&outside, &inside); }\n\
        int main(void) { klee_make_symbolic(&x, 1, \"x\"); on(&inside, memory, &outside); makecontext(&inside, waits, 0); turn();\n\
        before = inside; turn(); klee_assert(!memcmp(&before, &inside, sizeof before));\n\
        klee_open_merge(); if (x > 7) turn(); klee_close_merge(); return 0; }";
    let ran = explore_files(&folder, &[program(&folder, body)], &["--use-merge"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn contexts_that_lead_nowhere_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |body: &str| {
        let ran = explore_files(&folder, &[program(&folder, body)], &[]);
        let errors = ran.errors();
        assert_eq!(errors.len(), 1, "{body}\n{}", ran.stderr);
        errors[0].clone()
    };
    let user = |message: &str| ("user".to_owned(), format!("Error: {message}"));
    let never = user("setcontext to a context that was not initialised");
    assert_eq!(fails("int main(void) { return setcontext(&inside); }"), never);
    assert_eq!(fails("int main(void) { return swapcontext(&outside, &inside); }"), never);
    let unset = user("makecontext of a context that getcontext has not initialised");
    let body = "int main(void) { inside.uc_stack.ss_sp = memory; inside.uc_stack.ss_size = STACK; makecontext(&inside, nothing, 0); return 0; }";
    assert_eq!(fails(body), unset);
    let returned = user("setcontext to a context whose function has returned");
    let body = "static void saves(void) { getcontext(&inside); } int main(void) { saves(); return setcontext(&inside); }";
    assert_eq!(fails(body), returned);
    let body = "int main(void) { on(&inside, memory, &outside); makecontext(&inside, nothing, 0); swapcontext(&outside, &inside); return setcontext(&inside); }";
    assert_eq!(fails(body), returned);
    // The stack of one that waits is given to another one.
    let body = "static ucontext_t other; static void waits(void) { swapcontext(&inside, &outside); }\n\
        int main(void) { on(&inside, memory, &outside); makecontext(&inside, waits, 0); swapcontext(&outside, &inside);\n\
        on(&other, memory, &outside); makecontext(&other, nothing, 0); return setcontext(&inside); }";
    assert_eq!(fails(body), returned);
    let small = user("makecontext with a stack of fewer than 128 bytes");
    assert_eq!(
        fails("int main(void) { getcontext(&inside); makecontext(&inside, nothing, 0); return 0; }"),
        small
    );
    let body = "int main(void) { on(&inside, memory + 1, 0); makecontext(&inside, nothing, 0); return 0; }";
    assert_eq!(fails(body).0, "ptr");
    let body = "static void waits(void) { swapcontext(&inside, &outside); } int main(void) { void *stack = malloc(STACK);\n\
        on(&inside, stack, &outside); makecontext(&inside, waits, 0); swapcontext(&outside, &inside); free(stack); return setcontext(&inside); }";
    assert_eq!(fails(body).0, "ptr");
    let body = "#include <setjmp.h>\nstatic jmp_buf jump; static void waits(void) { if (setjmp(jump) == 0) swapcontext(&inside, &outside); }\n\
        int main(void) { void *stack = malloc(STACK); on(&inside, stack, &outside); makecontext(&inside, waits, 0); swapcontext(&outside, &inside);\n\
        free(stack); longjmp(jump, 1); }";
    assert_eq!(fails(body).0, "ptr");
    // Nor are those of a stack that waits in memory that is given back.
    for ends in ["free(stack);", "stack = realloc(stack, 2 * STACK);"] {
        let body = format!(
            "static int *left; static void waits(void) {{ int local = 1; left = &local; swapcontext(&inside, &outside); }}\n\
             int main(void) {{ void *stack = malloc(STACK); on(&inside, stack, &outside); makecontext(&inside, waits, 0);\n\
             swapcontext(&outside, &inside); klee_assert(*left == 1); {ends} return *left; }}"
        );
        assert_eq!(fails(&body).0, "ptr");
    }
    // A local variable of a stack that has ended is no more.
    let body = "static int *left; static void leaves(void) { int local = 1; left = &local; }\n\
        int main(void) { on(&inside, memory, &outside); makecontext(&inside, leaves, 0); swapcontext(&outside, &inside); return *left; }";
    assert_eq!(fails(body).0, "ptr");
}
