/* What threads, locks and processes are to be like, and limits: what is kept, and what is refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define SHOW(what)                                   \
  do {                                               \
    errno = 0;                                       \
    long shown = (long)(what);                       \
    printf("%s: %ld, %d\n", #what, shown, errno);    \
  } while (0)

static void of_threads(void) {
  pthread_attr_t a;
  int number = 7;
  size_t size = 0;
  void *stack;
  static char room[65536];
  struct sched_param priority = {3};
  SHOW(pthread_attr_init(&a));
  SHOW((pthread_attr_getdetachstate(&a, &number), number));
  SHOW((pthread_attr_getguardsize(&a, &size), size));
  SHOW((pthread_attr_getstacksize(&a, &size), size));
  SHOW(pthread_attr_setdetachstate(&a, 9));
  SHOW(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED));
  SHOW((pthread_attr_getdetachstate(&a, &number), number));
  SHOW(pthread_attr_setguardsize(&a, 8192));
  SHOW((pthread_attr_getguardsize(&a, &size), size));
  SHOW(pthread_attr_setstacksize(&a, 1));
  SHOW(pthread_attr_setstacksize(&a, 1 << 20));
  SHOW((pthread_attr_getstacksize(&a, &size), size));
  SHOW(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS));
  SHOW(pthread_attr_setscope(&a, 7));
  SHOW(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM));
  SHOW(pthread_attr_setschedparam(&a, &priority));
  SHOW(pthread_attr_setschedpolicy(&a, 77));
  SHOW(pthread_attr_setschedpolicy(&a, SCHED_RR));
  SHOW((pthread_attr_getschedpolicy(&a, &number), number));
  SHOW(pthread_attr_setschedparam(&a, &priority));
  priority.sched_priority = 0;
  SHOW(pthread_attr_setschedparam(&a, &priority));
  SHOW((pthread_attr_getschedparam(&a, &priority), priority.sched_priority));
  SHOW(pthread_attr_setinheritsched(&a, 44));
  SHOW(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED));
  SHOW((pthread_attr_getinheritsched(&a, &number), number));
  SHOW(pthread_attr_setstack(&a, room, 100));
  SHOW(pthread_attr_setstack(&a, room, sizeof room));
  SHOW((pthread_attr_getstack(&a, &stack, &size), stack == room && size == sizeof room));
  SHOW(pthread_setconcurrency(-3));
  SHOW(pthread_setconcurrency(3));
  SHOW(pthread_getconcurrency());
}

static void of_locks(void) {
  pthread_mutexattr_t a;
  int number = 7;
  SHOW(pthread_mutexattr_init(&a));
  SHOW(pthread_mutexattr_settype(&a, 99));
  SHOW(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE));
  SHOW(pthread_mutexattr_setprotocol(&a, 9));
  SHOW(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT));
  SHOW(pthread_mutexattr_setrobust(&a, 9));
  SHOW(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));
  SHOW(pthread_mutexattr_setpshared(&a, 9));
  SHOW((pthread_mutexattr_getpshared(&a, &number), number));
  SHOW((pthread_mutexattr_getprotocol(&a, &number), number));
  SHOW((pthread_mutexattr_getrobust(&a, &number), number));
  SHOW((pthread_mutexattr_gettype(&a, &number), number));
}

static void of_processes(void) {
  struct sched_param priority = {0}, urgent = {5};
  struct rlimit limit = {1, 2}, before;
  SHOW(sched_getparam(0, NULL));
  SHOW(sched_getparam(-1, &priority));
  SHOW(sched_setparam(0, NULL));
  SHOW(sched_setparam(0, &urgent));
  SHOW(sched_setscheduler(0, SCHED_OTHER, NULL));
  SHOW(sched_setscheduler(0, 99, &priority));
  SHOW(sched_setscheduler(0, SCHED_FIFO, &priority));
  SHOW(sched_setscheduler(0, SCHED_OTHER, &urgent));
  SHOW(sched_setscheduler(0, SCHED_OTHER, &priority));
  SHOW(prlimit(0, 99, NULL, NULL));
  SHOW(prlimit(0, 99, NULL, &limit));
  SHOW(getrlimit(99, &limit));
  SHOW(setrlimit(-1, &limit));
  SHOW(getrlimit(RLIMIT_CPU, &limit));
  limit = (struct rlimit){10, 5};
  SHOW(setrlimit(RLIMIT_CPU, &limit));
  SHOW(prlimit(0, RLIMIT_CPU, &limit, NULL));
  limit = (struct rlimit){5000, 10000};
  SHOW(prlimit(getpid(), RLIMIT_CPU, &limit, &before));
  limit = (struct rlimit){6000, 9000};
  SHOW(prlimit(0, RLIMIT_CPU, &limit, &before));
  SHOW(before.rlim_cur);
  SHOW(before.rlim_max);
  SHOW(getrlimit(RLIMIT_CPU, &limit));
  SHOW(limit.rlim_cur);
  int count = 0;
  printf("%d\n", getgrouplist("nobody-here", 77, NULL, &count));
}

int main(void) {
  of_threads();
  of_locks();
  of_processes();
  return 0;
}
