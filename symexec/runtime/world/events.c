/* Waiting for something to happen: nothing happens from outside, so descriptors are ready at once, and what
 * would tell of changes, of other processes or of time cannot be made. */
#include "../source/file.h"
#include "../source/signals.h"
#include "../source/threads.h"

enum { EINTR = 4, EAGAIN = 11, ENOSYS = 38, ETIMEDOUT = 110 };

struct timespec {
  int64_t seconds;
  long nanoseconds;
};

/* glibc's struct pollfd. */
struct polled {
  int descriptor;
  short wanted, found;
};

int nanosleep(const struct timespec *span, struct timespec *left);

static int fail(int error) {
  errno = error;
  return -1;
}

static int ready(struct polled *polled, unsigned long count) {
  int found = 0;
  for (unsigned long i = 0; i < count; i++) {
    polled[i].found = 0;
    if (polled[i].descriptor < 0)
      continue;
    int before = errno, flags = file_flags(polled[i].descriptor);
    errno = before;
    if (flags < 0)
      polled[i].found = 0x20; /* POLLNVAL */
    else /* POLLIN, POLLOUT and their kinds of data */
      polled[i].found = polled[i].wanted & (((flags & ACCESS) != WRITE_ONLY ? 0x41 : 0) |
                                            ((flags & ACCESS) != READ_ONLY ? 0x104 : 0));
    found += polled[i].found != 0;
  }
  return found;
}

int poll(struct polled *polled, unsigned long count, int milliseconds) {
  int found = ready(polled, count);
  if (found == 0 && milliseconds > 0) {
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    if (nanosleep(&span, NULL) < 0)
      return -1;
  }
  return found;
}
/* Waits for as long as there is nothing else to wait for, with other signals blocked meanwhile; -1 if a handler has ended
   that, as Linux does also where there is no time to wait. Who would wait for ever does not wait. */
static int wait_for(const struct timespec *span, const uint64_t *mask) {
  uint64_t before = signals_blocked;
  bool ran = mask != NULL && signals_change(mask[0], before);
  if (span == NULL)
    while (!ran && clock_reaches_alarm())
      ran = signals_send(SIGALRM, SI_KERNEL, NULL);
  int result = ran ? fail(EINTR) : span == NULL ? 0 : nanosleep(span, NULL);
  if (mask != NULL)
    signals_change(before, before);
  return result;
}

int ppoll(struct polled *polled, unsigned long count, const struct timespec *span, const uint64_t *mask) {
  int found = ready(polled, count);
  return found == 0 && wait_for(span, mask) < 0 ? -1 : found;
}

/* Of the bits that are set, those whose descriptor is open in one of the ways stay. */
static int keep(int count, uint64_t *set, int never) {
  int found = 0;
  if (set == NULL)
    return 0;
  for (int i = 0; i < count; i++) {
    uint64_t bit = (uint64_t)1 << (i % 64);
    if ((set[i / 64] & bit) == 0)
      continue;
    int flags = file_flags(i);
    if (flags < 0)
      return -1;
    if ((flags & ACCESS) == never)
      set[i / 64] &= ~bit;
    else
      found++;
  }
  return found;
}
int pselect(int count, uint64_t *read, uint64_t *write, uint64_t *odd, const struct timespec *span,
            const uint64_t *mask) {
  if (count < 0 || count > 1024)
    return fail(EINVAL);
  int found = keep(count, read, WRITE_ONLY), written = found < 0 ? -1 : keep(count, write, READ_ONLY);
  if (written < 0)
    return fail(EBADF);
  if (odd != NULL)
    for (int i = 0; i < (count + 63) / 64; i++)
      odd[i] = 0;
  return found + written == 0 && wait_for(span, mask) < 0 ? -1 : found + written;
}
int select(int count, uint64_t *read, uint64_t *write, uint64_t *odd, struct timespec *span) {
  struct timespec exact;
  if (span != NULL)
    exact = (struct timespec){span->seconds, span->nanoseconds * 1000};
  return pselect(count, read, write, odd, span == NULL ? NULL : &exact, NULL);
}
long __fdelt_chk(long descriptor) {
  if (descriptor < 0 || descriptor >= 1024)
    klee_report_error(__FILE__, __LINE__, "a descriptor that no fd_set holds", "user");
  return descriptor / 64;
}

int epoll_create(int size) { return (void)size, fail(ENOSYS); }
int epoll_create1(int flags) { return (void)flags, fail(ENOSYS); }
int epoll_ctl(int set, int operation, int descriptor, void *event) {
  return (void)set, (void)operation, (void)descriptor, (void)event, fail(EBADF);
}
int epoll_wait(int set, void *events, int count, int span) {
  return (void)set, (void)events, (void)count, (void)span, fail(EBADF);
}
int epoll_pwait(int set, void *events, int count, int span, const void *mask) {
  return (void)mask, epoll_wait(set, events, count, span);
}
int epoll_pwait2(int set, void *events, int count, const struct timespec *span, const void *mask) {
  return (void)span, (void)mask, epoll_wait(set, events, count, 0);
}
int eventfd(unsigned count, int flags) { return (void)count, (void)flags, fail(ENOSYS); }
int signalfd(int descriptor, const void *mask, int flags) {
  return (void)descriptor, (void)mask, (void)flags, fail(ENOSYS);
}
int timerfd_create(int clock, int flags) { return (void)clock, (void)flags, fail(ENOSYS); }
/* No descriptor is a timer or a counter. */
static int no_such(int descriptor) { return file_flags(descriptor) < 0 ? -1 : fail(EINVAL); }
int timerfd_settime(int timer, int flags, const void *span, void *before) {
  return (void)flags, (void)span, (void)before, no_such(timer);
}
int timerfd_gettime(int timer, void *to) { return (void)to, no_such(timer); }
int eventfd_read(int counter, uint64_t *to) { return (void)to, no_such(counter); }
int eventfd_write(int counter, uint64_t number) { return (void)number, no_such(counter); }
int inotify_init(void) { return fail(ENOSYS); }
int inotify_init1(int flags) { return (void)flags, fail(ENOSYS); }
int inotify_add_watch(int set, const char *path, unsigned mask) {
  return (void)set, (void)path, (void)mask, fail(EBADF);
}
int inotify_rm_watch(int set, int watch) { return (void)set, (void)watch, fail(EBADF); }

/* Timers of this kind are set and never end. */
int timer_create(int clock, void *event, void **timer) {
  (void)clock, (void)event;
  *timer = NULL;
  return 0;
}
int timer_delete(void *timer) { return (void)timer, 0; }
int timer_settime(void *timer, int flags, const void *value, void *old) {
  (void)timer, (void)flags, (void)value;
  if (old != NULL)
    memset(old, 0, 2 * sizeof(struct timespec));
  return 0;
}
int timer_gettime(void *timer, void *value) { return (void)timer, memset(value, 0, 32), 0; }

ptrdiff_t read(int, void *, size_t), write(int, const void *, size_t), getrandom(void *, size_t, unsigned);
int open(const char *, int, ...), close(int), sched_yield(void), getpid(void), gettid(void);
__attribute__((noreturn)) void _exit(int);

/* What programs ask the kernel for by numbers. */
static bool is_plain(long number, va_list list, long *result) {
  enum { READ, WRITE, OPEN, CLOSE, YIELD = 24, PROCESS = 39, THREAD = 186, EXIT_ALL = 231, RANDOM = 318 };
  bool has_none = number == YIELD || number == PROCESS || number == THREAD;
  bool is_known = has_none || number <= CLOSE || number == EXIT_ALL || number == RANDOM;
  long with[3] = {0, 0, 0};
  for (int i = 0; is_known && !has_none && i < (number == CLOSE || number == EXIT_ALL ? 1 : 3); i++)
    with[i] = va_arg(list, long);
  switch (number) {
  case READ: return *result = read((int)with[0], (void *)with[1], (size_t)with[2]), true;
  case WRITE: return *result = write((int)with[0], (const void *)with[1], (size_t)with[2]), true;
  case OPEN: return *result = open((const char *)with[0], (int)with[1], (unsigned)with[2]), true;
  case CLOSE: return *result = close((int)with[0]), true;
  case YIELD: return *result = sched_yield(), true;
  case PROCESS: return *result = getpid(), true;
  case THREAD: return *result = gettid(), true;
  case RANDOM: return *result = getrandom((void *)with[0], (size_t)with[1], (unsigned)with[2]), true;
  case EXIT_ALL: _exit((int)with[0]);
  default: return false;
  }
}

/* The kernel by numbers: what languages make their locks of, and what of the rest is simple. */
long syscall(long number, ...) {
  enum { FUTEX = 202, WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, COMMANDS = 127, BILLION = 1000000000 };
  va_list list;
  va_start(list, number);
  if (number != FUTEX) {
    long result;
    bool is = is_plain(number, list, &result);
    va_end(list);
    return is ? result : fail(ENOSYS);
  }
  const unsigned *word = va_arg(list, const unsigned *);
  int command = va_arg(list, int) & COMMANDS;
  unsigned expected = va_arg(list, unsigned);
  /* Who wakes others says nothing of a time. */
  bool waits = command == WAIT || command == WAIT_BITSET;
  const struct timespec *span = waits ? va_arg(list, const struct timespec *) : NULL;
  va_end(list);
  if (command == WAKE || command == WAKE_BITSET)
    return threads_go_on(), 0;
  if (!waits)
    return fail(ENOSYS);
  if (*word != expected)
    return fail(EAGAIN);
  struct moment end = clock_now;
  if (span != NULL && command == WAIT_BITSET) {
    end = (struct moment){span->seconds, span->nanoseconds};
  } else if (span != NULL) {
    end.nanoseconds += span->nanoseconds;
    end.seconds += span->seconds + end.nanoseconds / BILLION;
    end.nanoseconds %= BILLION;
  }
  if (threads_wait(span == NULL ? NULL : &end))
    return 0;
  if (span == NULL)
    threads_forever();
  return fail(ETIMEDOUT);
}
