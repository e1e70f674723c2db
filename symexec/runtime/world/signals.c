/* Signals: which handlers there are, which signals wait, and what is sent. Nothing is delivered from outside: they
 * come from the program's own raise, kill and their relatives, and from alarm where the program sleeps or waits.
 *
 * As in Linux, each of several signals that become free at once interrupts the handler of the one before at its
 * start, so that the last one's handler is the first to run.
 */
#include "../source/children.h"
#include "../source/signals.h"

enum { EPERM = 1, ESRCH = 3, EINTR = 4, EAGAIN = 11, SIGNALS = 65, FIRST_OF_REAL_TIME = 34, CONTEXT = 968, CONTEXT_MASK = 296 / 8 };

typedef void handler(int number);
typedef void informed_handler(int number, void *info, void *context);

#define IGNORED ((handler *)1)
#define HELD ((handler *)2)
#define IN_ERROR ((handler *)-1)

/* Flags of actions. */
#define WITH_INFO 4u
#define RESTARTS 0x10000000u
#define NOT_DEFERRED 0x40000000u
#define ONCE 0x80000000u

/* glibc's struct sigaction on x86_64. */
struct action {
  handler *function;
  uint64_t mask[16];
  unsigned flags;
  void (*restorer)(void);
};
_Static_assert(sizeof(struct action) == 152, "glibc's size of struct sigaction");

/* glibc's siginfo_t, of which a process that sends fills this. */
struct info {
  int number, error, code, unused;
  int process;
  unsigned user;
  void *value;
  uint64_t rest[12];
};
_Static_assert(sizeof(struct info) == 128, "glibc's size of siginfo_t");

/* A handler that has been chosen and not begun, with what is blocked when it is done. */
struct chosen {
  int number;
  unsigned flags;
  handler *function;
  struct info info;
  uint64_t before;
};

static struct action actions[SIGNALS];
static uint64_t pending;
_Thread_local uint64_t signals_blocked;

/* What each signal that was sent last tells its handler. */
static struct {
  int code;
  void *value;
} sent[SIGNALS];

static int fail(int error) {
  errno = error;
  return -1;
}

static bool is_signal(int number) { return number > 0 && number < SIGNALS; }
/* glibc keeps two for its threads. */
static bool is_settable(int number) { return is_signal(number) && number != 32 && number != 33; }
static uint64_t bit(int number) { return (uint64_t)1 << (number - 1); }
/* Child, continue, urgent data, window: nothing happens. */
static bool is_harmless(int number) { return number == 17 || number == 18 || number == 23 || number == 28; }

static struct info info_of(int number) {
  struct info info = {.number = number, .code = sent[number].code};
  if (info.code != SI_KERNEL) {
    info.process = children_self;
    info.user = 1000;
    info.value = sent[number].value;
  }
  return info;
}

/* Calls a handler; what is blocked behind it, as what it may have written to its context says. */
static uint64_t call(const struct chosen *chosen) {
  if ((chosen->flags & WITH_INFO) == 0) {
    chosen->function(chosen->number);
    return chosen->before;
  }
  struct info info = chosen->info;
  uint64_t context[CONTEXT / 8];
  memset(context, 0, sizeof context);
  context[CONTEXT_MASK] = chosen->before;
  ((informed_handler *)(void *)chosen->function)(chosen->number, &info, context);
  return blockable(context[CONTEXT_MASK]);
}

/* The first of some signals that is delivered: faults come before the others, as in Linux. */
static int first_of(uint64_t set) {
  uint64_t faults = set & (bit(4) | bit(5) | bit(7) | bit(8) | bit(11) | bit(31));
  return __builtin_ctzll(faults != 0 ? faults : set) + 1;
}

/* Delivers a signal, if it is not 0, and then those that wait and are not blocked; whether a handler ran. What is
   blocked when the last handler is done is given. More handlers than there are signals never wait for each other. */
static bool deliver(int number, uint64_t after) {
  struct chosen chosen[SIGNALS];
  int depth = 0;
  bool ran = false;
  for (;; number = 0) {
    uint64_t ready = pending & ~signals_blocked;
    if (number == 0 && ready != 0 && depth < SIGNALS) {
      number = first_of(ready);
      pending &= ~bit(number);
    }
    if (number == 0) {
      if (depth == 0)
        return ran;
      struct chosen *last = &chosen[--depth];
      signals_blocked = call(last);
      ran = true;
      continue;
    }
    struct action *action = &actions[number];
    handler *function = action->function;
    if (function == IGNORED)
      continue;
    if (function == NULL) {
      if (is_harmless(number))
        continue;
      _exit(128 + number);
    }
    chosen[depth] = (struct chosen){number, action->flags, function, info_of(number), depth == 0 ? after : signals_blocked};
    depth++;
    signals_blocked |= blockable(action->mask[0] | ((action->flags & NOT_DEFERRED) != 0 ? 0 : bit(number)));
    if ((action->flags & ONCE) != 0)
      action->function = NULL;
  }
}

bool signals_change(uint64_t blocked, uint64_t after) {
  signals_blocked = blockable(blocked);
  return deliver(0, after);
}

bool signals_send(int number, int code, void *value) {
  if ((pending & bit(number)) != 0) {
    /* Of each one waits, the first; those of real time would wait one behind the other. */
    if (number < FIRST_OF_REAL_TIME)
      return false;
    klee_report_error(__FILE__, __LINE__, "real-time signals of one number that wait together are not modelled", "user");
  }
  sent[number].code = code;
  sent[number].value = value;
  if ((signals_blocked & bit(number)) == 0)
    return deliver(number, signals_blocked);
  pending |= bit(number);
  return false;
}

/* ---- Actions ---- */

/* What was sent before is forgotten by whom it does not concern any more. */
static void set_action(int number, const struct action *action) {
  actions[number] = *action;
  if (action->function == IGNORED || (action->function == NULL && is_harmless(number)))
    pending &= ~bit(number);
}

int sigaction(int number, const struct action *action, struct action *old) {
  if (!is_settable(number) || ((number == 9 || number == 19) && action != NULL))
    return fail(EINVAL);
  struct action before = actions[number];
  if (action != NULL)
    set_action(number, action);
  if (old != NULL)
    *old = before;
  return 0;
}

static handler *change(int number, handler *function, unsigned flags) {
  if (!is_settable(number) || number == 9 || number == 19 || function == IN_ERROR) {
    errno = EINVAL;
    return IN_ERROR;
  }
  handler *old = actions[number].function;
  struct action action = {.function = function, .flags = flags};
  set_action(number, &action);
  return old;
}
handler *signal(int number, handler *function) { return change(number, function, RESTARTS); }
handler *bsd_signal(int number, handler *function) { return signal(number, function); }
handler *ssignal(int number, handler *function) { return signal(number, function); }
handler *__sysv_signal(int number, handler *function) { return change(number, function, ONCE | NOT_DEFERRED); }
handler *sysv_signal(int number, handler *function) { return __sysv_signal(number, function); }
int siginterrupt(int number, int flag) {
  if (!is_settable(number))
    return fail(EINVAL);
  if (flag != 0)
    actions[number].flags &= ~RESTARTS;
  else
    actions[number].flags |= RESTARTS;
  return 0;
}

/* ---- Sending ---- */

static int send_self(int number, int code, void *value) {
  if (number == 0)
    return 0;
  if (!is_signal(number))
    return fail(EINVAL);
  signals_send(number, code, value);
  return 0;
}
int raise(int number) { return send_self(number, SI_TKILL, NULL); }
int gsignal(int number) { return raise(number); }

static int send(int process, int number, int code, void *value) {
  if (process == children_self || process == 0 || process == -children_self)
    return send_self(number, code, value);
  return children_has(process) ? 0 : fail(ESRCH);
}
int kill(int process, int number) { return send(process, number, SI_USER, NULL); }
int killpg(int group, int number) { return kill(-group, number); }
int sigqueue(int process, int number, void *value) { return send(process, number, SI_QUEUE, value); }
int pthread_kill(unsigned long thread, int number) {
  (void)thread;
  return raise(number) == 0 ? 0 : errno;
}

/* ---- Sets ---- */

int sigemptyset(uint64_t *set) {
  memset(set, 0, 128);
  return 0;
}
int sigfillset(uint64_t *set) {
  memset(set, 255, 128);
  set[0] &= ~(bit(32) | bit(33));
  return 0;
}
int sigaddset(uint64_t *set, int number) {
  if (!is_settable(number))
    return fail(EINVAL);
  set[0] |= bit(number);
  return 0;
}
int sigdelset(uint64_t *set, int number) {
  if (!is_settable(number))
    return fail(EINVAL);
  set[0] &= ~bit(number);
  return 0;
}
int sigismember(const uint64_t *set, int number) {
  if (!is_signal(number))
    return fail(EINVAL);
  return (int)(set[0] >> (number - 1) & 1);
}
int sigisemptyset(const uint64_t *set) { return set[0] == 0; }
int sigandset(uint64_t *to, const uint64_t *left, const uint64_t *right) {
  uint64_t both = left[0] & right[0];
  sigemptyset(to);
  to[0] = both;
  return 0;
}
int sigorset(uint64_t *to, const uint64_t *left, const uint64_t *right) {
  uint64_t either = left[0] | right[0];
  sigemptyset(to);
  to[0] = either;
  return 0;
}

/* ---- What is blocked and what waits ---- */

int sigprocmask(int how, const uint64_t *set, uint64_t *old) {
  if (set != NULL && (how < 0 || how > 2))
    return fail(EINVAL);
  uint64_t before = signals_blocked;
  if (set != NULL) {
    uint64_t change = blockable(set[0] & ~(bit(32) | bit(33)));
    signals_blocked = how == 0 ? before | change : how == 1 ? before & ~change : change;
  }
  if (old != NULL) {
    sigemptyset(old);
    old[0] = before;
  }
  deliver(0, signals_blocked);
  return 0;
}
/* BSD's forms, whose masks have the first 32 signals. */
int siggetmask(void) { return (int)signals_blocked; }
int sigsetmask(int mask) {
  int before = siggetmask();
  uint64_t set = (uint32_t)mask;
  sigprocmask(2, &set, NULL);
  return before;
}
int sigblock(int mask) { return sigsetmask(mask | siggetmask()); }
int pthread_sigmask(int how, const uint64_t *set, uint64_t *old) {
  return sigprocmask(how, set, old) == 0 ? 0 : errno;
}
int sigpending(uint64_t *set) {
  sigemptyset(set);
  set[0] = pending & signals_blocked;
  return 0;
}

static int block(int how, int number) {
  uint64_t set[16];
  sigemptyset(set);
  return sigaddset(set, number) < 0 ? -1 : sigprocmask(how, set, NULL);
}
int sighold(int number) { return block(0, number); }
int sigrelse(int number) { return block(1, number); }
int sigignore(int number) { return signal(number, IGNORED) == IN_ERROR ? -1 : 0; }
handler *sigset(int number, handler *function) {
  if (!is_settable(number))
    return signal(number, function);
  bool held = (signals_blocked & bit(number)) != 0;
  handler *old = function == HELD ? actions[number].function : change(number, function, 0);
  if (old != IN_ERROR && block(function == HELD ? 0 : 1, number) < 0)
    return IN_ERROR;
  return held && old != IN_ERROR ? HELD : old;
}

/* A signal that nobody sends would be waited for without end. */
static __attribute__((noreturn)) void wait_for_ever(void) { _exit(128 + SIGALRM); }

static int suspend(uint64_t blocked) {
  uint64_t before = signals_blocked;
  bool ran = signals_change(blocked, before);
  if (!ran && clock_reaches_alarm()) {
    sent[SIGALRM].code = SI_KERNEL;
    pending |= bit(SIGALRM);
    ran = deliver(0, before);
  }
  if (!ran)
    wait_for_ever();
  signals_change(before, before);
  return fail(EINTR);
}
int sigsuspend(const uint64_t *set) { return suspend(set[0]); }
int pause(void) { return suspend(signals_blocked); }

/* glibc's struct timespec. */
struct patience {
  int64_t seconds;
  long nanoseconds;
};

/* Takes one of a set that waits; 0 if there is none. */
static int take(uint64_t set, struct info *to) {
  uint64_t ready = pending & set;
  if (ready == 0)
    return 0;
  int number = first_of(ready);
  pending &= ~bit(number);
  if (to != NULL)
    *to = info_of(number);
  return number;
}
int sigwaitinfo(const uint64_t *set, struct info *to) {
  int number = take(set[0], to);
  if (number != 0)
    return number;
  if (!clock_reaches_alarm())
    wait_for_ever();
  if ((set[0] & bit(SIGALRM)) == 0) {
    if (!signals_send(SIGALRM, SI_KERNEL, NULL))
      wait_for_ever();
    return fail(EINTR);
  }
  sent[SIGALRM].code = SI_KERNEL;
  pending |= bit(SIGALRM);
  return take(set[0], to);
}
int sigtimedwait(const uint64_t *set, struct info *to, const struct patience *patience) {
  if (patience == NULL)
    return sigwaitinfo(set, to);
  if (patience->seconds < 0 || patience->nanoseconds < 0 || patience->nanoseconds >= 1000000000)
    return fail(EINVAL);
  int number = take(set[0], to);
  if (number != 0)
    return number;
  if (!clock_reaches_alarm_within(patience->seconds, patience->nanoseconds))
    return fail(EAGAIN);
  if ((set[0] & bit(SIGALRM)) == 0)
    return fail(signals_send(SIGALRM, SI_KERNEL, NULL) ? EINTR : EAGAIN);
  sent[SIGALRM].code = SI_KERNEL;
  pending |= bit(SIGALRM);
  return take(set[0], to);
}
int sigwait(const uint64_t *set, int *number) {
  do
    *number = sigwaitinfo(set, NULL);
  while (*number < 0);
  return 0;
}

/* ---- Jumps ---- */

/* What was blocked where a jump leads to; without that, what is now. */
uint64_t __symexec_landing_signals(void *buffer);
__attribute__((noreturn)) void __symexec_longjmp(void *buffer, int value);

/* What the jump frees is delivered before it. */
__attribute__((noreturn)) void siglongjmp(void *buffer, int value) {
  uint64_t blocked = __symexec_landing_signals(buffer);
  signals_change(blocked, blocked);
  __symexec_longjmp(buffer, value);
}

/* ---- Stacks of handlers, which are told and not used; the numbers for everyone ---- */

static struct {
  void *start;
  int flags;
  size_t size;
} other_stack = {.flags = 2};
int sigaltstack(const void *stack, void *old) {
  if (old != NULL)
    memcpy(old, &other_stack, sizeof other_stack);
  if (stack != NULL)
    memcpy(&other_stack, stack, sizeof other_stack);
  return 0;
}
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }
