/* Signals, and what a process may change of itself. Handlers are registered, and called only by the program's own
 * raise, kill and abort; nothing is delivered from outside. Other processes are in children.c. */
#include "../source/children.h"

enum { EPERM = 1, ESRCH = 3, EINTR = 4, EAGAIN = 11, SIGNALS = 65 };

typedef void handler(int number);

/* glibc's struct sigaction on x86_64. */
struct action {
  handler *function;
  uint64_t mask[16];
  int flags;
  void (*restorer)(void);
};
_Static_assert(sizeof(struct action) == 152, "glibc's size of struct sigaction");

static struct action actions[SIGNALS];
static uint64_t blocked[16];

static int fail(int error) {
  errno = error;
  return -1;
}

static bool is_signal(int number) { return number > 0 && number < SIGNALS; }

int sigaction(int number, const struct action *action, struct action *old) {
  if (!is_signal(number) || ((number == 9 || number == 19) && action != NULL))
    return fail(EINVAL);
  if (old != NULL)
    *old = actions[number];
  if (action != NULL)
    actions[number] = *action;
  return 0;
}

handler *signal(int number, handler *function) {
  if (!is_signal(number) || number == 9 || number == 19) {
    errno = EINVAL;
    return (handler *)-1;
  }
  handler *old = actions[number].function;
  actions[number].function = function;
  return old;
}

int raise(int number) {
  if (number == 0)
    return 0;
  if (!is_signal(number))
    return fail(EINVAL);
  handler *function = actions[number].function;
  if (function == (handler *)1)
    return 0;
  if (function != NULL) {
    function(number);
    return 0;
  }
  /* Child, continue, urgent data, window: nothing happens. */
  if (number == 17 || number == 18 || number == 23 || number == 28)
    return 0;
  _exit(128 + number);
}

int kill(int process, int number) {
  if (process == children_self || process == 0 || process == -children_self)
    return raise(number);
  return children_has(process) ? 0 : fail(ESRCH);
}
int killpg(int group, int number) { return kill(-group, number); }
int pthread_kill(unsigned long thread, int number) {
  (void)thread;
  return raise(number) == 0 ? 0 : errno;
}

int sigemptyset(uint64_t *set) {
  memset(set, 0, 128);
  return 0;
}
int sigfillset(uint64_t *set) {
  memset(set, 255, 128);
  return 0;
}
int sigaddset(uint64_t *set, int number) {
  if (!is_signal(number))
    return fail(EINVAL);
  set[0] |= (uint64_t)1 << (number - 1);
  return 0;
}
int sigdelset(uint64_t *set, int number) {
  if (!is_signal(number))
    return fail(EINVAL);
  set[0] &= ~((uint64_t)1 << (number - 1));
  return 0;
}
int sigismember(const uint64_t *set, int number) {
  if (!is_signal(number))
    return fail(EINVAL);
  return (int)(set[0] >> (number - 1) & 1);
}
int sigprocmask(int how, const uint64_t *set, uint64_t *old) {
  if (old != NULL)
    memcpy(old, blocked, sizeof blocked);
  if (set == NULL)
    return 0;
  for (int i = 0; i < 16; i++)
    blocked[i] = how == 0 ? blocked[i] | set[i] : how == 1 ? blocked[i] & ~set[i] : set[i];
  return how < 0 || how > 2 ? fail(EINVAL) : 0;
}
int pthread_sigmask(int how, const uint64_t *set, uint64_t *old) {
  return sigprocmask(how, set, old) == 0 ? 0 : errno;
}
int sigpending(uint64_t *set) { return sigemptyset(set); }
int sigaltstack(const void *stack, void *old) { return (void)stack, (void)old, 0; }
int siginterrupt(int number, int flag) { return (void)number, (void)flag, 0; }
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

/* A signal that nobody sends would be waited for without end. */
int pause(void) { _exit(128 + 14); }
int sigsuspend(const uint64_t *set) {
  (void)set;
  _exit(128 + 14);
}

int setuid(unsigned user) { return user == 1000 ? 0 : fail(EPERM); }
int setgid(unsigned group) { return group == 1000 ? 0 : fail(EPERM); }
int setgroups(size_t count, const unsigned *groups) { return (void)count, (void)groups, fail(EPERM); }
int setpgid(int process, int group) { return (void)process, (void)group, 0; }
int setsid(void) { return fail(EPERM); }
int setpriority(int which, unsigned who, int priority) { return (void)which, (void)who, (void)priority, 0; }
int nice(int increment) { return increment; }
int prctl(int option, ...) { return (void)option, 0; }

int __cxa_atexit(void (*function)(void *), void *object, void *module);
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module) {
  return __cxa_atexit(function, object, module);
}

int daemon(int stay, int keep) { return (void)stay, (void)keep, fail(EAGAIN); }
int ptrace(int request, ...) { return (void)request, fail(EPERM); }
int sigwait(const uint64_t *set, int *number) {
  (void)number;
  sigsuspend(set);
  return EINVAL;
}
int sigisemptyset(const uint64_t *set) { return set[0] == 0; }
handler *sigset(int number, handler *function) { return signal(number, function); }
handler *__sysv_signal(int number, handler *function) { return signal(number, function); }
int sigqueue(int process, int number, void *value) { return (void)value, kill(process, number); }
int sigtimedwait(const uint64_t *set, void *info, const void *patience) {
  return (void)set, (void)info, (void)patience, fail(EAGAIN);
}
int sigwaitinfo(const uint64_t *set, void *info) { return (void)info, sigsuspend(set); }
int setpgrp(void) { return 0; }
int unshare(int flags) { return (void)flags, fail(EPERM); }
int setns(int descriptor, int kind) { return (void)descriptor, (void)kind, fail(EPERM); }
