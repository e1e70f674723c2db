/* What threads wait for. The state of each lock is in the program's structure, all of it zero where nothing was done yet,
 * as static initializers leave it; who waits at a condition is known here. */
#include "../source/threads.h"

enum { EPERM = 1, EAGAIN = 11, EBUSY = 16, EDEADLK = 35, ETIMEDOUT = 110 };

/* One of those that are never there again, or whose moment it is. */
static int over(const struct moment *until) {
  if (until == NULL)
    threads_forever();
  return ETIMEDOUT;
}

/* ---- Mutexes ---- */

/* glibc's places of what its initializers set. */
struct mutex {
  int is_taken;
  unsigned more;
  int owner;
  unsigned users;
  int kind;
};
enum { PLAIN, RECURSIVE, CHECKING, KINDS = 3 };

int pthread_mutex_init(struct mutex *mutex, const uint8_t *attributes) {
  return *mutex = (struct mutex){.kind = attributes == NULL ? PLAIN : *attributes}, 0;
}
int pthread_mutex_destroy(struct mutex *mutex) { return mutex->is_taken != 0 ? EBUSY : 0; }

static int take(struct mutex *mutex, const struct moment *until, bool tries) {
  int me = (int)threads_self();
  if (mutex->is_taken != 0 && mutex->owner == me) {
    if ((mutex->kind & KINDS) == RECURSIVE)
      return mutex->more++, 0;
    if ((mutex->kind & KINDS) == CHECKING)
      return tries ? EBUSY : EDEADLK;
  }
  while (mutex->is_taken != 0) {
    if (tries)
      return EBUSY;
    if (!threads_wait(until))
      return over(until);
  }
  threads_go_on();
  mutex->is_taken = 1;
  mutex->more = 0;
  mutex->owner = me;
  return 0;
}
int pthread_mutex_lock(struct mutex *mutex) { return take(mutex, NULL, false); }
int pthread_mutex_trylock(struct mutex *mutex) { return take(mutex, NULL, true); }
int pthread_mutex_timedlock(struct mutex *mutex, const struct moment *until) { return take(mutex, until, false); }
int pthread_mutex_clocklock(struct mutex *mutex, int clock, const struct moment *until) {
  return (void)clock, take(mutex, until, false);
}
int pthread_mutex_unlock(struct mutex *mutex) {
  int kind = mutex->kind & KINDS;
  if ((kind == RECURSIVE || kind == CHECKING) && (mutex->is_taken == 0 || mutex->owner != (int)threads_self()))
    return EPERM;
  if (kind == RECURSIVE && mutex->more > 0)
    return mutex->more--, 0;
  mutex->is_taken = mutex->owner = 0;
  threads_go_on();
  return 0;
}
int pthread_mutex_consistent(struct mutex *mutex) { return (void)mutex, EINVAL; }

/* ---- Conditions ---- */

/* Those that wait, the first one first; each is a variable of its thread. */
struct waiting {
  struct waiting *next;
  const void *condition;
};
static struct waiting *waiting;

int pthread_cond_init(void *condition, const void *attributes) { return (void)attributes, memset(condition, 0, 48), 0; }
int pthread_cond_destroy(void *condition) { return (void)condition, 0; }
static void wake(const void *condition, bool all) {
  for (struct waiting **place = &waiting; *place != NULL;)
    if ((*place)->condition == condition) {
      (*place)->condition = NULL;
      *place = (*place)->next;
      threads_go_on();
      if (!all)
        return;
    } else {
      place = &(*place)->next;
    }
}
int pthread_cond_signal(void *condition) { return wake(condition, false), 0; }
int pthread_cond_broadcast(void *condition) { return wake(condition, true), 0; }

static void forget(struct waiting *me) {
  for (struct waiting **place = &waiting; *place != NULL; place = &(*place)->next)
    if (*place == me) {
      *place = me->next;
      return;
    }
}
int pthread_setcancelstate(int state, int *old);
void pthread_testcancel(void);
/* One that is cancelled here has the lock again when its handlers run. */
static int await(void *condition, struct mutex *mutex, const struct moment *until) {
  struct waiting *me = malloc(sizeof *me), **last = &waiting;
  int error = 0, state;
  if (me == NULL)
    return 12; /* ENOMEM */
  *me = (struct waiting){NULL, condition};
  while (*last != NULL)
    last = &(*last)->next;
  *last = me;
  unsigned more = mutex->more;
  mutex->is_taken = mutex->owner = 0;
  threads_go_on();
  pthread_setcancelstate(1, &state);
  while (me->condition != NULL && error == 0 && !(state == 0 && threads_is_cancelled()))
    if (!threads_wait(until))
      error = over(until);
  threads_go_on();
  forget(me);
  free(me);
  take(mutex, NULL, false);
  mutex->more = more;
  pthread_setcancelstate(state, NULL);
  pthread_testcancel();
  return error;
}
int pthread_cond_wait(void *condition, struct mutex *mutex) { return await(condition, mutex, NULL); }
int pthread_cond_timedwait(void *condition, struct mutex *mutex, const struct moment *until) {
  return await(condition, mutex, until);
}
int pthread_cond_clockwait(void *condition, struct mutex *mutex, int clock, const struct moment *until) {
  return (void)clock, await(condition, mutex, until);
}
int pthread_condattr_init(void *attributes) { return (void)attributes, 0; }
int pthread_condattr_destroy(void *attributes) { return (void)attributes, 0; }
int pthread_condattr_setclock(void *attributes, int clock) { return (void)attributes, (void)clock, 0; }
int pthread_condattr_setpshared(void *attributes, int shared) { return (void)attributes, (void)shared, 0; }

/* ---- Locks of readers and writers ---- */

struct readers {
  unsigned reading;
  int writer;
};
int pthread_rwlock_init(struct readers *lock, const void *attributes) {
  return (void)attributes, *lock = (struct readers){0}, 0;
}
int pthread_rwlock_destroy(struct readers *lock) { return (void)lock, 0; }
static int share(struct readers *lock, const struct moment *until, bool tries) {
  if (!tries && lock->writer == (int)threads_self())
    return EDEADLK;
  while (lock->writer != 0) {
    if (tries)
      return EBUSY;
    if (!threads_wait(until))
      return over(until);
  }
  threads_go_on();
  return lock->reading++, 0;
}
static int own(struct readers *lock, const struct moment *until, bool tries) {
  if (!tries && lock->writer == (int)threads_self())
    return EDEADLK;
  while (lock->writer != 0 || lock->reading != 0) {
    if (tries)
      return EBUSY;
    if (!threads_wait(until))
      return over(until);
  }
  threads_go_on();
  return lock->writer = (int)threads_self(), 0;
}
int pthread_rwlock_rdlock(struct readers *lock) { return share(lock, NULL, false); }
int pthread_rwlock_wrlock(struct readers *lock) { return own(lock, NULL, false); }
int pthread_rwlock_timedrdlock(struct readers *lock, const struct moment *until) { return share(lock, until, false); }
int pthread_rwlock_timedwrlock(struct readers *lock, const struct moment *until) { return own(lock, until, false); }
int pthread_rwlock_clockrdlock(struct readers *lock, int clock, const struct moment *until) {
  return (void)clock, share(lock, until, false);
}
int pthread_rwlock_clockwrlock(struct readers *lock, int clock, const struct moment *until) {
  return (void)clock, own(lock, until, false);
}
int pthread_rwlock_tryrdlock(struct readers *lock) { return share(lock, NULL, true); }
int pthread_rwlock_trywrlock(struct readers *lock) { return own(lock, NULL, true); }
int pthread_rwlock_unlock(struct readers *lock) {
  if (lock->writer != 0)
    lock->writer = 0;
  else if (lock->reading != 0)
    lock->reading--;
  threads_go_on();
  return 0;
}
int pthread_rwlockattr_init(void *attributes) { return (void)attributes, 0; }
int pthread_rwlockattr_destroy(void *attributes) { return (void)attributes, 0; }
int pthread_rwlockattr_setkind_np(void *attributes, int kind) { return (void)attributes, (void)kind, 0; }
int pthread_rwlockattr_setpshared(void *attributes, int shared) { return (void)attributes, (void)shared, 0; }

/* ---- Spinning ---- */

int pthread_spin_init(int *lock, int shared) { return (void)shared, *lock = 0; }
int pthread_spin_lock(int *lock) {
  while (*lock != 0)
    if (!threads_wait(NULL))
      threads_forever();
  threads_go_on();
  return *lock = 1, 0;
}
int pthread_spin_trylock(int *lock) { return *lock != 0 ? EBUSY : (*lock = 1, 0); }
int pthread_spin_unlock(int *lock) { return threads_go_on(), *lock = 0; }
int pthread_spin_destroy(int *lock) { return (void)lock, 0; }

/* ---- Semaphores ---- */

int sem_init(unsigned *semaphore, int shared, unsigned value) { return (void)shared, *semaphore = value, 0; }
int sem_destroy(unsigned *semaphore) { return (void)semaphore, 0; }
int sem_post(unsigned *semaphore) { return threads_go_on(), ++*semaphore, 0; }
int sem_trywait(unsigned *semaphore) {
  if (*semaphore == 0) {
    errno = EAGAIN;
    return -1;
  }
  return --*semaphore, 0;
}
int sem_timedwait(unsigned *semaphore, const struct moment *until) {
  pthread_testcancel();
  while (*semaphore == 0) {
    if (!threads_wait(until)) {
      errno = over(until);
      return -1;
    }
    pthread_testcancel();
  }
  threads_go_on();
  return --*semaphore, 0;
}
int sem_clockwait(unsigned *semaphore, int clock, const struct moment *until) {
  return (void)clock, sem_timedwait(semaphore, until);
}
int sem_wait(unsigned *semaphore) { return sem_timedwait(semaphore, NULL); }
int sem_getvalue(unsigned *semaphore, int *to) { return *to = (int)*semaphore, 0; }

/* ---- Barriers ---- */

struct barrier {
  unsigned count, here, round;
};
int pthread_barrier_init(struct barrier *barrier, const void *attributes, unsigned count) {
  (void)attributes;
  return count == 0 ? EINVAL : (*barrier = (struct barrier){count, 0, 0}, 0);
}
int pthread_barrier_wait(struct barrier *barrier) {
  unsigned round = barrier->round;
  if (++barrier->here >= barrier->count) {
    barrier->here = 0;
    barrier->round++;
    threads_go_on();
    return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
  }
  while (barrier->round == round)
    if (!threads_wait(NULL))
      threads_forever();
  threads_go_on();
  return 0;
}
int pthread_barrier_destroy(struct barrier *barrier) { return (void)barrier, 0; }
int pthread_barrierattr_init(void *attributes) { return (void)attributes, 0; }
int pthread_barrierattr_destroy(void *attributes) { return (void)attributes, 0; }
int pthread_barrierattr_setpshared(void *attributes, int shared) { return (void)attributes, (void)shared, 0; }

/* ---- Once ---- */

int pthread_once(int *done, void (*function)(void)) {
  enum { NOT, NOW, DONE };
  if (*done == NOT) {
    *done = NOW;
    function();
    *done = DONE;
    threads_go_on();
  }
  while (*done != DONE)
    if (!threads_wait(NULL))
      threads_forever();
  threads_go_on();
  return 0;
}
