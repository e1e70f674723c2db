//! Signals that a program sends itself: what handlers are told, what is blocked meanwhile, what alarms end.

use crate::world::{holds, run};

/// A program whose handlers note what they are called with.
fn handlers_hold(body: &str) {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        &format!(
            "static char seen[99]; static int has(int n) {{ sigset_t m; sigprocmask(SIG_BLOCK, 0, &m); return sigismember(&m, n); }}\n\
             static void note(int n) {{ sprintf(seen + strlen(seen), \"%d%d%d,\", n, has(SIGUSR1), has(SIGUSR2)); }}\n\
             static void first(int n) {{ note(n); if (n == SIGUSR1) raise(SIGUSR2); note(-n); }}\n\
             static siginfo_t told; static void informed(int n, siginfo_t *i, void *c) {{ note(n); told = *i; klee_assert(c != 0); }}\n\
             static sigjmp_buf place; static void jumps(int n) {{ note(n); siglongjmp(place, n); }}\n\
             static struct sigaction action(int n, void (*f)(int), int flags, int blocks) {{\n\
               struct sigaction a = {{.sa_handler = f, .sa_flags = flags}}, old;\n\
               if (blocks) sigaddset(&a.sa_mask, blocks); klee_assert(sigaction(n, &a, &old) == 0); return old; }}\n\
             static sigset_t of(int n) {{ sigset_t s; sigemptyset(&s); if (n) sigaddset(&s, n); return s; }}\n\
             int main(void) {{ sigset_t s = of(SIGUSR1), none = of(0), o; {body} return 0; }}"
        ),
        &[],
    );
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{body}\n{}", ran.stderr);
}

#[test]
fn handlers_with_information_are_told_who_sent_the_signal_and_how() {
    handlers_hold(
        "action(SIGUSR1, (void (*)(int))informed, SA_SIGINFO, 0); raise(SIGUSR1);\n\
         klee_assert(told.si_signo == SIGUSR1 && told.si_code == SI_TKILL && told.si_pid == getpid() && told.si_uid == getuid());\n\
         kill(getpid(), SIGUSR1); klee_assert(told.si_code == SI_USER); union sigval v = {.sival_int = 7};\n\
         sigqueue(getpid(), SIGUSR1, v); klee_assert(told.si_code == SI_QUEUE && told.si_value.sival_int == 7);",
    );
}

#[test]
fn blocked_signals_wait() {
    handlers_hold(
        "signal(SIGUSR1, note); klee_assert(sigprocmask(SIG_BLOCK, &s, 0) == 0); raise(SIGUSR1); raise(SIGUSR1);\n\
         klee_assert(!seen[0] && sigpending(&o) == 0 && sigismember(&o, SIGUSR1) == 1 && !sigismember(&o, SIGUSR2));\n\
         klee_assert(sigprocmask(7, &none, &o) == -1 && errno == EINVAL && !seen[0]);\n\
         klee_assert(sigprocmask(SIG_UNBLOCK, &s, &o) == 0 && sigismember(&o, SIGUSR1) && !strcmp(seen, \"1010,\"));\n\
         sigpending(&o); klee_assert(!sigismember(&o, SIGUSR1)); seen[0] = 0; sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1);\n\
         errno = 0; klee_assert(sigsuspend(&none) == -1 && errno == EINTR && !strcmp(seen, \"1010,\") && has(SIGUSR1));\n\
         raise(SIGUSR1); signal(SIGUSR1, SIG_IGN); signal(SIGUSR1, note); sigprocmask(SIG_SETMASK, &none, 0); klee_assert(!seen[5]);\n\
         sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1); int n = 0; klee_assert(sigwait(&s, &n) == 0 && n == SIGUSR1 && !seen[5]);",
    );
}

#[test]
fn of_several_signals_that_become_free_the_last_interrupts_those_before() {
    handlers_hold(
        "signal(SIGUSR1, note); signal(SIGUSR2, note); sigaddset(&s, SIGUSR2); sigprocmask(SIG_BLOCK, &s, 0);\n\
         raise(SIGUSR2); raise(SIGUSR1); sigprocmask(SIG_SETMASK, &none, 0); klee_assert(!strcmp(seen, \"1211,1010,\"));",
    );
}

#[test]
fn handlers_block_their_own_signal_and_those_of_their_mask() {
    handlers_hold(
        "action(SIGUSR1, first, 0, SIGUSR2); action(SIGUSR2, note, 0, 0); raise(SIGUSR1);\n\
         klee_assert(!strcmp(seen, \"1011,-1011,1201,\")); seen[0] = 0; klee_assert(!has(SIGUSR1));\n\
         action(SIGUSR1, note, SA_NODEFER, 0); raise(SIGUSR1); klee_assert(!strcmp(seen, \"1000,\"));\n\
         action(SIGUSR1, note, SA_RESETHAND, SIGUSR2); raise(SIGUSR1); struct sigaction a = action(SIGUSR1, note, 0, 0);\n\
         klee_assert(a.sa_handler == SIG_DFL); action(SIGUSR1, note, SA_RESETHAND | SA_SIGINFO, SIGUSR2); signal(SIGUSR1, note);\n\
         seen[0] = 0; raise(SIGUSR1); raise(SIGUSR1); klee_assert(!strcmp(seen, \"1010,1010,\"));",
    );
}

#[test]
fn jumps_out_of_handlers_bring_back_what_was_blocked() {
    handlers_hold(
        "signal(SIGUSR1, jumps); volatile int times = 0; int n = sigsetjmp(place, 1); klee_assert(!has(SIGUSR1));\n\
         if (times++ < 3) raise(SIGUSR1); klee_assert(n == SIGUSR1 && !strcmp(seen, \"1010,1010,1010,\"));\n\
         times = 0; if (sigsetjmp(place, 0) == 0) raise(SIGUSR1); klee_assert(has(SIGUSR1));",
    );
}

#[test]
fn of_signals_that_wait_each_waits_once_and_faults_come_first() {
    handlers_hold(
        "signal(SIGHUP, note); signal(SIGUSR1, note); signal(SIGSEGV, note); sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0);\n\
         raise(SIGUSR1); raise(SIGSEGV); raise(SIGHUP); sigprocmask(SIG_SETMASK, &none, 0);\n\
         klee_assert(!strcmp(seen, \"1010,100,1100,\")); action(SIGUSR2, (void (*)(int))informed, SA_SIGINFO, 0);\n\
         sigprocmask(SIG_BLOCK, &s, 0); for (int i = 1; i < 4; i++) sigqueue(getpid(), SIGUSR2, (union sigval){i});\n\
         sigprocmask(SIG_SETMASK, &none, 0); klee_assert(told.si_value.sival_int == 1);",
    );
}

#[test]
fn waiting_with_a_mask_ends_with_the_first_handler() {
    let folder = tempfile::tempdir().unwrap();
    let body = "static int n; static void again(int s) { n++; raise(s); }\n\
        int main(void) { sigset_t s, none, o; sigemptyset(&s); sigemptyset(&none); sigaddset(&s, SIGUSR1);\n\
        signal(SIGUSR1, again); sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1);\n\
        klee_assert(sigsuspend(&none) == -1 && errno == EINTR && n == 1);\n\
        klee_assert(sigpending(&o) == 0 && sigismember(&o, SIGUSR1)); return 0; }";
    let ran = run(&folder, body, &["--max-instructions", "1000000"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn alarms_end_sleep_and_waiting() {
    handlers_hold(
        "klee_assert(alarm(10) == 0 && alarm(0) == 10 && alarm(0) == 0); signal(SIGALRM, note); alarm(3);\n\
         klee_assert(pause() == -1 && errno == EINTR && !strcmp(seen, \"1400,\")); time_t t = time(0); alarm(2);\n\
         klee_assert(sleep(5) == 3 && time(0) == t + 2 && !strcmp(seen, \"1400,1400,\") && sleep(5) == 0);\n\
         alarm(9); sleep(4); klee_assert(alarm(0) == 5); alarm(1); struct timespec w = {3, 0}, left;\n\
         klee_assert(nanosleep(&w, &left) == -1 && errno == EINTR && left.tv_sec == 2);\n\
         alarm(1); klee_assert(poll(0, 0, 3000) == -1 && errno == EINTR); alarm(1); errno = 0;\n\
         klee_assert(select(0, 0, 0, 0, &(struct timeval){3, 0}) == -1 && errno == EINTR);",
    );
}

#[test]
fn what_a_jump_frees_is_delivered_before_it() {
    handlers_hold(
        "signal(SIGUSR1, note); signal(SIGUSR2, note); volatile int times = 0; int n = sigsetjmp(place, 1);\n\
         if (times++ == 0) { sigaddset(&s, SIGUSR2); sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR2); raise(SIGUSR1); klee_assert(!seen[0]); siglongjmp(place, 0); }\n\
         klee_assert(n == 1 && !strcmp(seen, \"1211,1010,\") && !has(SIGUSR1));\n\
         seen[0] = 0; if (sigsetjmp(place, 0) == 0) { sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR2); siglongjmp(place, 3); }\n\
         klee_assert(!seen[0] && has(SIGUSR2)); sigprocmask(SIG_SETMASK, &none, 0); klee_assert(!strcmp(seen, \"1201,\"));",
    );
}

#[test]
fn waits_have_masks_of_their_own() {
    handlers_hold(
        "s = of(SIGUSR1); signal(SIGUSR1, note); sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1); struct timespec now = {0, 0}; int p[2]; pipe(p);\n\
         klee_assert(ppoll(0, 0, &now, 0) == 0 && ppoll(0, 0, &now, &s) == 0 && !seen[0]); struct pollfd out = {p[1], POLLOUT, 0};\n\
         klee_assert(ppoll(&out, 1, &now, &none) == 1 && !seen[0]); errno = 0;\n\
         klee_assert(ppoll(0, 0, &now, &none) == -1 && errno == EINTR && !strcmp(seen, \"1010,\") && has(SIGUSR1)); seen[0] = 0;\n\
         raise(SIGUSR1); errno = 0; klee_assert(pselect(0, 0, 0, 0, &(struct timespec){5, 0}, &none) == -1 && errno == EINTR && !strcmp(seen, \"1010,\"));\n\
         s = of(SIGUSR2); klee_assert(pselect(0, 0, 0, 0, &now, &s) == 0 && !has(SIGUSR2) && has(SIGUSR1)); seen[0]=0;\n\
         signal(SIGALRM, note); alarm(1); errno = 0; klee_assert(ppoll(0, 0, 0, 0) == -1 && errno == EINTR && !strcmp(seen, \"1410,\")); sigprocmask(SIG_SETMASK, &none, 0);",
    );
}

#[test]
fn timers_end_and_begin_again() {
    handlers_hold(
        "struct itimerval t = {{0, 200000}, {0, 500000}}, old; signal(SIGALRM, note); klee_assert(setitimer(ITIMER_REAL, &t, &old) == 0 && old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);\n\
         klee_assert(getitimer(ITIMER_REAL, &old) == 0 && old.it_value.tv_usec > 100000 && old.it_interval.tv_usec == 200000);\n\
         klee_assert(pause() == -1 && pause() == -1 && usleep(900000) == -1 && !strcmp(seen, \"1400,1400,1400,\"));\n\
         t.it_value = (struct timeval){0, 0}; klee_assert(setitimer(ITIMER_REAL, &t, &old) == 0 && old.it_value.tv_usec > 1 && usleep(300000) == 0);\n\
         t.it_value.tv_usec = 1000000; klee_assert(setitimer(ITIMER_REAL, &t, 0) == -1 && errno == EINVAL); t = (struct itimerval){{0, 0}, {2, 600000}};\n\
         setitimer(ITIMER_REAL, &t, 0); klee_assert(alarm(0) == 3 && getitimer(ITIMER_REAL, &old) == 0 && !old.it_value.tv_sec && !old.it_value.tv_usec && getitimer(7, &old) == -1);",
    );
}

#[test]
fn a_signal_is_waited_for_as_long_as_a_program_wants() {
    handlers_hold(
        "s = of(SIGALRM); sigaddset(&s, SIGUSR1); sigprocmask(SIG_BLOCK, &s, 0); siginfo_t i; struct timespec w = {2, 0}; time_t t;\n\
         errno = 0; klee_assert(sigtimedwait(&s, &i, &(struct timespec){0, 0}) == -1 && errno == EAGAIN); alarm(1);\n\
         klee_assert(sigtimedwait(&s, &i, &w) == SIGALRM && i.si_signo == SIGALRM); raise(SIGUSR1); klee_assert(sigtimedwait(&s, 0, &w) == SIGUSR1);\n\
         t = time(0); errno = 0; klee_assert(sigtimedwait(&s, 0, &w) == -1 && errno == EAGAIN && time(0) - t >= 2); signal(SIGALRM, note);\n\
         sigprocmask(SIG_SETMASK, &none, 0); s = of(SIGUSR1); alarm(1); errno = 0; klee_assert(sigtimedwait(&s, 0, &w) == -1 && errno == EINTR && !strcmp(seen, \"1400,\"));\n\
         w.tv_nsec = -1; klee_assert(sigtimedwait(&s, 0, &w) == -1 && errno == EINVAL);",
    );
}

#[test]
fn signals_have_names() {
    holds(
        "klee_assert(!strcmp(strsignal(11), \"Segmentation fault\") && !strcmp(strsignal(31), \"Bad system call\"));\n\
         klee_assert(!strcmp(strsignal(99), \"Unknown signal 99\") && !strcmp(strsignal(0), \"Unknown signal 0\"));\n\
         klee_assert(!strcmp(strsignal(36), \"Real-time signal 2\") && !strcmp(strsignal(-3), \"Unknown signal -3\"));",
    );
}
