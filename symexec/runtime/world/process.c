/* What a process may change of itself. Signals are in signals.c, other processes in children.c. */
#include "../source/runtime.h"

enum { EPERM = 1, EAGAIN = 11 };

static int fail(int error) {
  errno = error;
  return -1;
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
int setpgrp(void) { return 0; }
int unshare(int flags) { return (void)flags, fail(EPERM); }
int setns(int descriptor, int kind) { return (void)descriptor, (void)kind, fail(EPERM); }
