//! Threads that take turns: what becomes of unknown inputs, locks that nobody gives back, and one order for every way to
//! explore. What threads print is compared in `natively`.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::jobs::{counted, options, same, written};
use crate::program::{Ran, explore_files};

const START: &str = r"
#include <errno.h>
#include <klee/klee.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
";

fn program(folder: &TempDir, body: &str) -> PathBuf {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    std::fs::write(&file, format!("{START}{body}")).unwrap();
    file
}

fn explored(folder: &TempDir, body: &str, options: &[&str]) -> Ran {
    explore_files(folder, &[program(folder, body)], options)
}

/// Three threads add up unknown numbers, each its own and some in a variable of its own.
const SUMS: &str = r#"
enum { ALL = 3, NUMBERS = 2 };
static unsigned char in[ALL][NUMBERS];
static unsigned total, order;
static _Thread_local unsigned own = 5;
static void *add(void *argument) {
  unsigned self = (unsigned)(intptr_t)argument;
  for (int i = 0; i < NUMBERS; i++) {
    if (in[self][i] > 200) { errno = (int)self + 1; break; }
    own += in[self][i];
    pthread_mutex_lock(&one);
    unsigned seen = total;
    sched_yield();
    total = seen + in[self][i];
    order = order * 4 + self + 1;
    pthread_mutex_unlock(&one);
  }
  return (void *)(uintptr_t)(own + ((unsigned)errno << 16));
}
int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  pthread_t all[ALL];
  errno = 9;
  for (int i = 0; i < ALL; i++) klee_assert(pthread_create(&all[i], 0, add, (void *)(intptr_t)i) == 0);
  unsigned sum = 0;
  for (int i = 0; i < ALL; i++) {
    void *result;
    klee_assert(pthread_join(all[i], &result) == 0);
    unsigned mine = 5, stopped = 0;
    for (int k = 0; k < NUMBERS && !(stopped |= in[i][k] > 200); k++) mine += in[i][k];
    klee_assert((uintptr_t)result == (stopped ? (unsigned)(i + 1) << 16 : 0) + mine);
    sum += mine - 5;
  }
  klee_assert(sum == total && own == 5 && errno == 9);
  if (total == 401) klee_report_error(__FILE__, 1, "found", "found");
  return 0;
}
"#;

#[test]
fn threads_with_unknown_inputs_lose_nothing_with_every_model_and_cache() {
    let folder = tempfile::tempdir().unwrap();
    for extra in [
        &["--memory-model", "forking"][..],
        &["--memory-model", "segmented"],
        &["--query-cache", "none", "--no-counterexample-cache", "--search", "random-path"],
    ] {
        let ran = explored(&folder, SUMS, extra);
        assert_eq!(ran.errors(), [("found".to_owned(), "Error: found".to_owned())], "{}", ran.stderr);
        // Each thread ends after none, one or both of its numbers; only 17 of these 27 ways have three numbers or more, as 401 needs.
        assert_eq!((ran.result("completed"), ran.result("partial")), (27, 17), "{}", ran.stderr);
    }
}

#[test]
fn several_processes_find_what_one_finds_with_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(&folder, SUMS);
    let one = explore_files(&folder, std::slice::from_ref(&file), &options("forking", &[]));
    let jobs = explore_files(&folder, std::slice::from_ref(&file), &options("forking", &["--jobs", "2"]));
    same(&written(&one.folder), &written(&jobs.folder), "two processes");
    assert_eq!(counted(&one), counted(&jobs));
}

#[test]
fn who_waits_without_end_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let told = |body: &str| {
        let ran = explored(&folder, body, &[]);
        assert_eq!(ran.result("completed"), 0, "{}", ran.stderr);
        ran.errors().into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    let all = ["Error: all threads wait for each other"];
    let crossed = "static void *run(void *p) { pthread_mutex_lock(&other); sched_yield(); pthread_mutex_lock(&one); return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_lock(&one); sched_yield(); pthread_mutex_lock(&other); return 0; }";
    assert_eq!(told(crossed), all);
    let nobody = "static void *run(void *p) { pthread_mutex_lock(&one); pthread_cond_wait(&changed, &one); return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return pthread_join(t, 0); }";
    assert_eq!(told(nobody), all);
    let kept = "static void *run(void *p) { pthread_mutex_lock(&one); return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return pthread_mutex_lock(&one); }";
    assert_eq!(told(kept), all);
    let alone = ["Error: the only thread waits for another one"];
    assert_eq!(told("int main(void) { pthread_mutex_lock(&one); return pthread_mutex_lock(&one); }"), alone);
    assert_eq!(told("int main(void) { sem_t s; sem_init(&s, 0, 0); return sem_wait(&s); }"), alone);
}

#[test]
fn who_waits_for_a_moment_goes_on_when_nobody_else_can() {
    let body = "static int woken;\n\
        static void *run(void *p) { struct timespec end; clock_gettime(CLOCK_REALTIME, &end); end.tv_sec += 5; pthread_mutex_lock(&one);\n\
          int error = 0; while (!woken && !error) error = pthread_cond_timedwait(&changed, &one, &end); pthread_mutex_unlock(&one); return (void *)(intptr_t)error; }\n\
        int main(void) { unsigned char x; klee_make_symbolic(&x, 1, \"x\"); pthread_t t; void *got; pthread_create(&t, 0, run, 0);\n\
          if (x < 10) sleep(2); else sleep(9); pthread_mutex_lock(&one); woken = 1; pthread_cond_signal(&changed); pthread_mutex_unlock(&one);\n\
          pthread_join(t, &got); klee_assert((intptr_t)got == (x < 10 ? 0 : ETIMEDOUT)); return 0; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = explored(&folder, &body.replace("static int", "#include <time.h>\nstatic int"), &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 2), "{}", ran.stderr);
}

#[test]
fn threads_that_sleep_wake_in_the_order_of_their_moments() {
    let body = "static char order[8]; static int count;\n\
        static void *sleeps(void *p) { usleep((intptr_t)p * 20000); order[count++] = '0' + (intptr_t)p; return p; }\n\
        int main(void) { pthread_t t[4]; intptr_t spans[4] = {3, 1, 4, 2}; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, sleeps, (void *)spans[i]);\n\
          usleep(50000); order[count++] = '-'; for (int i = 0; i < 4; i++) pthread_join(t[i], 0); klee_assert(!strcmp(order, \"12-34\")); return 0; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = explored(&folder, &body.replace("static char", "#include <string.h>\nstatic char"), &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn each_thread_has_a_number_of_its_own_for_the_system_too() {
    let body = "static int seen[3];\n\
        static void *run(void *p) { *(int *)p = gettid(); pthread_yield(); klee_assert(*(int *)p == gettid() && getpid() != gettid()); return 0; }\n\
        int main(void) { pthread_t t[2]; seen[2] = gettid(); for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, seen + i);\n\
          for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n\
          klee_assert(seen[0] != seen[1] && seen[0] != seen[2] && seen[1] != seen[2] && seen[2] == getpid() && gettid() == getpid()); return 0; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = explored(
        &folder,
        &format!("#define _GNU_SOURCE\nint gettid(void), pthread_yield(void);\n{body}"),
        &[],
    );
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn words_that_languages_wait_at_are_waited_at() {
    let body = "#include <sys/syscall.h>\n#include <linux/futex.h>\nstatic atomic_uint word; static unsigned char x;\n\
        static void *run(void *p) { if (x > 9) { word = 1; syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1); } return p; }\n\
        int main(void) { klee_make_symbolic(&x, 1, \"x\"); pthread_t t; pthread_create(&t, 0, run, 0);\n\
          while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0);\n\
          klee_assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0) == -1 && errno == EAGAIN); return pthread_join(t, 0); }";
    let folder = tempfile::tempdir().unwrap();
    let ran = explored(&folder, body, &[]);
    let errors: Vec<String> = ran.errors().into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        (errors, ran.result("completed")),
        (vec!["Error: all threads wait for each other".to_owned()], 1),
        "{}",
        ran.stderr
    );
}

#[test]
fn errors_in_threads_have_their_own_stack_and_ended_variables_are_told() {
    let body = "static int *left; static void *run(void *p) { int here = 7; left = &here; if (*(int *)p > 3) return 0; return left; }\n\
        int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); pthread_t t; pthread_create(&t, 0, run, &x); pthread_join(t, 0); return *left; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = explored(&folder, body, &[]);
    let errors = ran.errors();
    assert_eq!(errors.len(), 1, "{}", ran.stderr);
    assert!(errors[0].1.contains("memory error"), "{errors:?}");
    let body = "static void *run(void *p) { return (void *)(intptr_t)*(volatile int *)p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return pthread_join(t, 0); }";
    let ran = explored(&folder, body, &[]);
    assert_eq!(ran.errors().len(), 1, "{}", ran.stderr);
}

#[test]
fn the_order_that_is_explored_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let ran = explored(
        &folder,
        "static void *run(void *p) { return p; } int main(void) { pthread_t t; return pthread_create(&t, 0, run, 0); }",
        &[],
    );
    assert!(ran.stderr.contains("one order of what they do is explored"), "{}", ran.stderr);
}
