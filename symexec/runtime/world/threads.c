/* Threads: they take turns. Each runs until it waits for another one, sleeps, yields or ends; then the next one in a ring
 * does. So one order is explored, the same on every path with the same choices, and what a lock protects is never seen
 * half done; that a program behaves in other orders too is not shown, which a warning says.
 *
 * A thread that waits looks again whenever it is its turn. When all have looked in vain, one after the other, time passes
 * until the first of those is due that wait for a moment; if there is none, the program would wait without end.
 *
 * Stacks are the engine's, as those of makecontext. Variables of threads (`_Thread_local`) are one object each, of the
 * thread that runs: what the others have in them is put away while they wait. Their addresses are the same in all
 * threads.
 */
#include <stdarg.h>

#include "../source/threads.h"

enum { ESRCH = 3, EDEADLK = 35, EAGAIN = 11, KEYS = 128, ROUNDS = 4 };

void *calloc(size_t count, size_t size);
__attribute__((noreturn)) void exit(int status);
void klee_warning_once(const char *message);
__attribute__((noreturn)) void siglongjmp(void *buffer, int value);
int pthread_attr_getdetachstate(const void *attributes, int *state);

struct context;
typedef void plain(void);
/* The engine's (world/contexts.c). */
void __symexec_context_set(uint64_t *number);
__attribute__((noreturn)) void __symexec_context_go(const uint64_t *number, int ends);
void __symexec_context_make(uint64_t *number, void *stack, void *first, plain *function, struct context *link, int count, long a, long b, long c, long d, long e, long f, long g, long h);
/* A variable of threads, with its size; null behind the last one. */
void *__symexec_thread_variable(unsigned place, size_t *size);
/* Variables of threads are as they are when one begins. */
void __symexec_thread_begin(void);

struct thread {
  /* In the ring of those that have not ended, and among all that were made. */
  struct thread *next, *older;
  unsigned long id;
  /* Where it goes on. */
  uint64_t number;
  /* What it has in the variables of threads while others run. */
  unsigned char *variables;
  void *(*start)(void *);
  void *argument, *result;
  bool has_begun, has_ended, is_detached, is_joined, is_cancelled, keeps_on;
  /* Until when it waits. */
  bool has_due;
  struct moment due;
  /* What pthread_cleanup_push left, the last one first. */
  struct handler *handlers;
  /* Destructors of its variables, the last one first. */
  struct ending *endings;
  const void *values[KEYS];
};

static struct thread first = {.next = &first, .id = 1, .has_begun = true};
static struct thread *self = &first, *newest = &first;
static unsigned long last_id = 1;
/* How many have not ended, and how many have looked in vain since one went on. */
static unsigned alive = 1, in_vain;

/* glibc's word for who would rather spare locks. */
char __libc_single_threaded = 1;

unsigned long threads_self(void) { return self->id; }
bool threads_is_cancelled(void) { return self->is_cancelled; }
unsigned long pthread_self(void) { return self->id; }
int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

__attribute__((noreturn)) void threads_forever(void) {
  const char *message = newest == &first ? "the only thread waits for another one" : "all threads wait for each other";
  klee_report_error(__FILE__, __LINE__, message, "user");
}

/* ---- Turns ---- */

static void keep_variables(void) {
  size_t size, all = 0;
  void *variable;
  if (self->variables == NULL) {
    for (unsigned place = 0; __symexec_thread_variable(place, &size) != NULL; place++)
      all += size;
    self->variables = malloc(all + 1);
  }
  all = 0;
  for (unsigned place = 0; (variable = __symexec_thread_variable(place, &size)) != NULL; place++, all += size)
    memcpy(self->variables + all, variable, size);
}
static void bring_variables(void) {
  size_t size, all = 0;
  void *variable;
  if (self->variables == NULL)
    __symexec_thread_begin();
  else
    for (unsigned place = 0; (variable = __symexec_thread_variable(place, &size)) != NULL; place++, all += size)
      memcpy(variable, self->variables + all, size);
}

static __attribute__((noreturn)) void run(struct thread *next, bool ends) {
  self = next;
  bring_variables();
  __symexec_context_go(&next->number, ends);
}
/* Comes back when it is the thread's turn again. */
__attribute__((noinline)) static void let_run(struct thread *next) {
  keep_variables();
  __symexec_context_set(&self->number);
  run(next, false);
}

void threads_go_on(void) { in_vain = 0; }
void threads_yield(void) {
  in_vain = 0;
  if (self->next != self)
    let_run(self->next);
  in_vain = 0;
}

void pthread_testcancel(void);

/* Whether nobody is due before this one, and, if so, whether anybody is due. */
static bool is_first_due(bool *is_one) {
  bool is_first = true;
  *is_one = self->has_due;
  for (struct thread *other = self->next; other != self; other = other->next)
    if (other->has_due) {
      *is_one = true;
      is_first &= !self->has_due || !is_before(other->due, self->due);
    }
  return is_first;
}

bool threads_wait(const struct moment *until) {
  bool is_one;
  self->has_due = until != NULL;
  if (until != NULL) {
    self->due = *until;
    if (!is_before(clock_now, *until))
      return self->has_due = false;
  }
  if (++in_vain > alive && is_first_due(&is_one) && (self->has_due || !is_one)) {
    if (until != NULL)
      clock_now = *until;
    in_vain = 0;
    return self->has_due = false;
  }
  if (self->next != self)
    let_run(self->next);
  self->has_due = false;
  return true;
}

/* Sleeps until the last moment before one that is not this thread's: the clock goes there by who sleeps alone. */
static void sleep_until(struct moment end) {
  bool is_one;
  pthread_testcancel();
  self->due = end;
  in_vain = 0;
  while (self->next != self && is_before(clock_now, end)) {
    self->has_due = true;
    if (++in_vain > alive && is_first_due(&is_one))
      break;
    let_run(self->next);
    pthread_testcancel();
  }
  self->has_due = false;
  in_vain = 0;
}

int sched_yield(void) { return threads_yield(), 0; }
int pthread_yield(void) { return sched_yield(); }

/* ---- Threads ---- */

static struct thread *find(unsigned long id) {
  struct thread *found = newest;
  while (found != NULL && found->id != id)
    found = found->older;
  return found;
}
/* One that can still be named. */
static struct thread *there(unsigned long id) {
  struct thread *found = find(id);
  return found == NULL || found->is_joined || (found->has_ended && found->is_detached) ? NULL : found;
}

__attribute__((noreturn)) void pthread_exit(void *result);

/* The first activation of a thread. */
static __attribute__((noreturn)) void begin_thread(void *function, struct context *link, int count, long a, long b, long c, long d, long e, long f, long g, long h) {
  (void)function, (void)link, (void)count, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  in_vain = 0;
  pthread_testcancel();
  pthread_exit(self->start(self->argument));
}

__attribute__((noinline)) int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument) {
  struct thread *made = calloc(1, sizeof *made);
  void *stack = malloc(1);
  int is_detached = 0;
  if (made == NULL || stack == NULL)
    return EAGAIN;
  if (attributes != NULL)
    pthread_attr_getdetachstate(attributes, &is_detached);
  klee_warning_once("threads take turns: one order of what they do is explored");
  clock_threads = sleep_until;
  threads_number = threads_self;
  __libc_single_threaded = 0;
  made->id = ++last_id;
  made->start = start;
  made->argument = argument;
  made->is_detached = is_detached != 0;
  __symexec_context_set(&made->number);
  __symexec_context_make(&made->number, stack, (void *)begin_thread, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  made->older = newest;
  newest = made;
  /* The last one in the ring. */
  struct thread *last = self;
  while (last->next != self)
    last = last->next;
  last->next = made;
  made->next = self;
  alive++;
  in_vain = 0;
  *thread = made->id;
  return 0;
}

static int join(unsigned long id, void **result, const struct moment *until, bool tries) {
  struct thread *other = find(id);
  if (other == NULL || other->is_joined)
    return ESRCH;
  if (other == self)
    return EDEADLK;
  if (other->is_detached)
    return EINVAL;
  while (!other->has_ended) {
    if (tries)
      return 16; /* EBUSY */
    pthread_testcancel();
    if (!threads_wait(until)) {
      if (until == NULL)
        threads_forever();
      return 110; /* ETIMEDOUT */
    }
    pthread_testcancel();
  }
  threads_go_on();
  other->is_joined = true;
  if (result != NULL)
    *result = other->result;
  return 0;
}
int pthread_join(unsigned long thread, void **result) { return join(thread, result, NULL, false); }
int pthread_tryjoin_np(unsigned long thread, void **result) { return join(thread, result, NULL, true); }
int pthread_timedjoin_np(unsigned long thread, void **result, const struct moment *until) {
  return join(thread, result, until, false);
}
int pthread_clockjoin_np(unsigned long thread, void **result, int clock, const struct moment *until) {
  return (void)clock, join(thread, result, until, false);
}
int pthread_detach(unsigned long thread) {
  struct thread *other = there(thread);
  if (other == NULL)
    return ESRCH;
  return other->is_detached ? EINVAL : (other->is_detached = true, 0);
}

/* ---- Ends ---- */

/* glibc's struct of pthread_cleanup_push. */
struct handler {
  unsigned char buffer[72];
  struct handler *before;
};
int __sigsetjmp(void *buffer, int keeps_signals);

void __pthread_register_cancel(struct handler *handler) {
  handler->before = self->handlers;
  self->handlers = handler;
}
void __pthread_unregister_cancel(struct handler *handler) { self->handlers = handler->before; }
/* What is pushed in another way (C++, `-fexceptions`) is a local variable with a destructor. */

struct ending {
  struct ending *before;
  void (*function)(void *);
  void *object;
};
/* Whether the thread that runs calls a function when it ends, and not the program when that ends. */
bool __symexec_threads_at_end(void (*function)(void *), void *object) {
  struct ending *ending = self == &first ? NULL : malloc(sizeof *ending);
  if (ending == NULL)
    return false;
  *ending = (struct ending){self->endings, function, object};
  self->endings = ending;
  return true;
}

static struct {
  bool used;
  void (*destroy)(void *);
} keys[KEYS];

static __attribute__((noreturn)) void end_thread(void) {
  struct handler *handler = self->handlers;
  if (handler != NULL) {
    self->handlers = handler->before;
    siglongjmp(handler->buffer, 1);
  }
  for (struct ending *ending; (ending = self->endings) != NULL; free(ending)) {
    self->endings = ending->before;
    ending->function(ending->object);
  }
  bool some = true;
  for (int round = 0; some && round < ROUNDS; round++) {
    some = false;
    for (unsigned key = 0; key < KEYS; key++) {
      void *value = (void *)self->values[key];
      if (value == NULL || !keys[key].used || keys[key].destroy == NULL)
        continue;
      self->values[key] = NULL;
      some = true;
      keys[key].destroy(value);
    }
  }
  self->has_ended = true;
  in_vain = 0;
  if (--alive == 0)
    exit(0);
  struct thread *last = self;
  while (last->next != self)
    last = last->next;
  last->next = self->next;
  /* The first one's variables are there until the program ends. */
  run(self->next, self != &first);
}
/* Behind the handler that was last. */
__attribute__((noreturn)) void __pthread_unwind_next(struct handler *handler) {
  (void)handler;
  end_thread();
}
__attribute__((noreturn)) void pthread_exit(void *result) {
  self->result = result;
  self->keeps_on = true;
  end_thread();
}

int pthread_cancel(unsigned long thread) {
  struct thread *other = there(thread);
  return other == NULL ? ESRCH : (other->is_cancelled = true, in_vain = 0, 0);
}
void pthread_testcancel(void) {
  if (self->is_cancelled && !self->keeps_on)
    pthread_exit((void *)-1); /* PTHREAD_CANCELED */
}
int pthread_setcancelstate(int state, int *old) {
  if ((unsigned)state > 1)
    return EINVAL;
  if (old != NULL)
    *old = self->keeps_on;
  self->keeps_on = state;
  return 0;
}
/* A thread ends where it waits or asks, whatever is said here. */
int pthread_setcanceltype(int type, int *old) {
  if ((unsigned)type > 1)
    return EINVAL;
  if (old != NULL)
    *old = 0;
  return 0;
}

/* ---- What is kept of them ---- */

int pthread_key_create(unsigned *key, void (*destroy)(void *)) {
  for (unsigned i = 0; i < KEYS; i++)
    if (!keys[i].used) {
      keys[i].used = true;
      keys[i].destroy = destroy;
      for (struct thread *each = newest; each != NULL; each = each->older)
        each->values[i] = NULL;
      *key = i;
      return 0;
    }
  return EAGAIN;
}
int __pthread_key_create(unsigned *key, void (*destroy)(void *)) { return pthread_key_create(key, destroy); }
int pthread_key_delete(unsigned key) {
  if (key >= KEYS || !keys[key].used)
    return EINVAL;
  keys[key].used = false;
  return 0;
}
void *pthread_getspecific(unsigned key) { return key < KEYS ? (void *)self->values[key] : NULL; }
int pthread_setspecific(unsigned key, const void *value) {
  if (key >= KEYS || !keys[key].used)
    return EINVAL;
  self->values[key] = value;
  return 0;
}

/* Where a thread's stack is, nobody can say: its variables are objects of their own. */
int pthread_getattr_np(unsigned long thread, void *attributes) {
  (void)thread, (void)attributes;
  return ESRCH;
}
int pthread_setname_np(unsigned long thread, const char *name) { return (void)thread, (void)name, 0; }
int pthread_getname_np(unsigned long thread, char *to, size_t size) {
  return there(thread) == NULL ? ESRCH : size < 8 ? 34 : (memcpy(to, "program", 8), 0);
}
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
  return (void)before, (void)parent, (void)child, 0;
}
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *module) {
  return (void)before, (void)parent, (void)child, (void)module, 0;
}
int pthread_setschedparam(unsigned long thread, int policy, const void *parameters) {
  (void)parameters;
  return there(thread) == NULL ? ESRCH : policy == 0 ? 0 : 1; /* EPERM */
}
int pthread_getschedparam(unsigned long thread, int *policy, int *parameters) {
  return there(thread) == NULL ? ESRCH : (*policy = *parameters = 0, 0);
}
int pthread_getaffinity_np(unsigned long thread, size_t size, unsigned char *to) {
  return there(thread) == NULL ? ESRCH : (memset(to, 0, size), *to = 1, 0);
}
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) {
  return (void)size, (void)set, there(thread) == NULL ? ESRCH : 0;
}
int sched_get_priority_min(int policy) { return policy == 1 || policy == 2; }
int sched_get_priority_max(int policy) { return policy == 1 || policy == 2 ? 99 : 0; }
int sched_getscheduler(int process) { return (void)process, 0; }
