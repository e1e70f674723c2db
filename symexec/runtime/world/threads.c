/* Threads: there is one. Others cannot be made, so what waits for one would wait without end. */
#include "../source/runtime.h"

enum { ESRCH = 3, EDEADLK = 35, EAGAIN = 11, ETIMEDOUT = 110, KEYS = 128 };

void *calloc(size_t count, size_t size);
__attribute__((noreturn)) void exit(int status);

static __attribute__((noreturn)) void forever(void) {
  klee_report_error(__FILE__, __LINE__, "the only thread waits for another one", "user");
}

int pthread_join(unsigned long thread, void **result) {
  (void)result;
  return thread == 1 ? EDEADLK : ESRCH;
}
int pthread_detach(unsigned long thread) { return thread == 1 ? 0 : ESRCH; }
int pthread_cancel(unsigned long thread) { return thread == 1 ? 0 : ESRCH; }
int pthread_equal(unsigned long left, unsigned long right) { return left == right; }
__attribute__((noreturn)) void pthread_exit(void *result) {
  (void)result;
  exit(0);
}
int pthread_cond_wait(void *condition, void *mutex) {
  (void)condition, (void)mutex;
  forever();
}
int pthread_cond_timedwait(void *condition, void *mutex, const void *until) {
  return (void)condition, (void)mutex, (void)until, ETIMEDOUT;
}
int pthread_cond_clockwait(void *condition, void *mutex, int clock, const void *until) {
  return (void)clock, pthread_cond_timedwait(condition, mutex, until);
}
int pthread_condattr_init(void *attributes) { return (void)attributes, 0; }
int pthread_condattr_destroy(void *attributes) { return (void)attributes, 0; }
int pthread_condattr_setclock(void *attributes, int clock) { return (void)attributes, (void)clock, 0; }
/* Where the thread's stack is, nobody can say: its variables are objects of their own. */
int pthread_getattr_np(unsigned long thread, void *attributes) {
  (void)thread, (void)attributes;
  return ESRCH;
}
int pthread_setname_np(unsigned long thread, const char *name) { return (void)thread, (void)name, 0; }
int pthread_setcancelstate(int state, int *old) {
  (void)state;
  if (old != NULL)
    *old = 0;
  return 0;
}
int pthread_setcanceltype(int type, int *old) { return pthread_setcancelstate(type, old); }
void pthread_testcancel(void) {}
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
  return (void)before, (void)parent, (void)child, 0;
}
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *module) {
  return (void)before, (void)parent, (void)child, (void)module, 0;
}

int pthread_rwlock_init(void *lock, const void *attributes) { return (void)lock, (void)attributes, 0; }
int pthread_rwlock_destroy(void *lock) { return (void)lock, 0; }
int pthread_rwlock_rdlock(void *lock) { return (void)lock, 0; }
int pthread_rwlock_wrlock(void *lock) { return (void)lock, 0; }
int pthread_rwlock_timedrdlock(void *lock, const void *until) { return (void)lock, (void)until, 0; }
int pthread_rwlock_timedwrlock(void *lock, const void *until) { return (void)lock, (void)until, 0; }
int pthread_rwlock_tryrdlock(void *lock) { return (void)lock, 0; }
int pthread_rwlock_trywrlock(void *lock) { return (void)lock, 0; }
int pthread_rwlock_unlock(void *lock) { return (void)lock, 0; }
int pthread_spin_init(void *lock, int shared) { return (void)lock, (void)shared, 0; }
int pthread_spin_lock(void *lock) { return (void)lock, 0; }
int pthread_spin_trylock(void *lock) { return (void)lock, 0; }
int pthread_spin_unlock(void *lock) { return (void)lock, 0; }
int pthread_spin_destroy(void *lock) { return (void)lock, 0; }

int sem_init(unsigned *semaphore, int shared, unsigned value) { return (void)shared, *semaphore = value, 0; }
int sem_destroy(unsigned *semaphore) { return (void)semaphore, 0; }
int sem_post(unsigned *semaphore) { return ++*semaphore, 0; }
int sem_trywait(unsigned *semaphore) {
  if (*semaphore == 0) {
    errno = EAGAIN;
    return -1;
  }
  return --*semaphore, 0;
}
int sem_wait(unsigned *semaphore) {
  if (*semaphore == 0)
    forever();
  return --*semaphore, 0;
}

int sem_timedwait(unsigned *semaphore, const void *until) {
  (void)until;
  if (*semaphore > 0)
    return --*semaphore, 0;
  errno = ETIMEDOUT;
  return -1;
}
int sem_getvalue(unsigned *semaphore, int *to) { return *to = (int)*semaphore, 0; }

/* Others that would come to a barrier cannot be made. */
int pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count) {
  (void)attributes;
  return count == 0 ? EINVAL : (*barrier = count, 0);
}
int pthread_barrier_wait(unsigned *barrier) {
  if (*barrier > 1)
    forever();
  return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
}
int pthread_barrier_destroy(unsigned *barrier) { return (void)barrier, 0; }

int pthread_mutex_timedlock(void *mutex, const void *until) { return (void)mutex, (void)until, 0; }
int pthread_mutex_clocklock(void *mutex, int clock, const void *until) {
  return (void)mutex, (void)clock, (void)until, 0;
}
int pthread_condattr_setpshared(void *attributes, int shared) { return (void)attributes, (void)shared, 0; }
int pthread_rwlockattr_init(void *attributes) { return (void)attributes, 0; }
int pthread_rwlockattr_destroy(void *attributes) { return (void)attributes, 0; }
int pthread_rwlockattr_setkind_np(void *attributes, int kind) { return (void)attributes, (void)kind, 0; }
int pthread_rwlockattr_setpshared(void *attributes, int shared) { return (void)attributes, (void)shared, 0; }
int pthread_barrierattr_init(void *attributes) { return (void)attributes, 0; }
int pthread_barrierattr_destroy(void *attributes) { return (void)attributes, 0; }
int pthread_barrierattr_setpshared(void *attributes, int shared) { return (void)attributes, (void)shared, 0; }
int pthread_mutex_consistent(void *mutex) { return (void)mutex, EINVAL; }
int pthread_setschedparam(unsigned long thread, int policy, const void *parameters) {
  (void)parameters;
  return thread != 1 ? ESRCH : policy == 0 ? 0 : 1; /* EPERM */
}
int pthread_getschedparam(unsigned long thread, int *policy, int *parameters) {
  return thread != 1 ? ESRCH : (*policy = *parameters = 0, 0);
}
int pthread_getname_np(unsigned long thread, char *to, size_t size) {
  return thread != 1 ? ESRCH : size < 8 ? 34 : (memcpy(to, "program", 8), 0);
}
int pthread_getaffinity_np(unsigned long thread, size_t size, unsigned char *to) {
  return thread != 1 ? ESRCH : (memset(to, 0, size), *to = 1, 0);
}
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) {
  return (void)size, (void)set, thread != 1 ? ESRCH : 0;
}
int sched_yield(void) { return 0; }
int sched_get_priority_min(int policy) { return policy == 1 || policy == 2; }
int sched_get_priority_max(int policy) { return policy == 1 || policy == 2 ? 99 : 0; }
int sched_getscheduler(int process) { return (void)process, 0; }

static struct {
  bool used;
  const void *value;
} keys[KEYS];
int pthread_key_create(unsigned *key, void (*destroy)(void *)) {
  (void)destroy; /* the first thread's values are not destroyed when the process ends */
  for (unsigned i = 0; i < KEYS; i++)
    if (!keys[i].used) {
      keys[i].used = true;
      keys[i].value = NULL;
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
void *pthread_getspecific(unsigned key) { return key < KEYS ? (void *)keys[key].value : NULL; }
int pthread_setspecific(unsigned key, const void *value) {
  if (key >= KEYS || !keys[key].used)
    return EINVAL;
  keys[key].value = value;
  return 0;
}

/* Libraries that are loaded while the program runs: none is found. */
void *dlopen(const char *path, int flags) { return (void)path, (void)flags, NULL; }
void *dlsym(void *library, const char *name) { return (void)library, (void)name, NULL; }
int dlclose(void *library) { return (void)library, 0; }
char *dlerror(void) { return "libraries cannot be loaded here"; }
int dl_iterate_phdr(int (*visit)(void *, size_t, void *), void *data) { return (void)visit, (void)data, 0; }
int _Unwind_Backtrace(int (*visit)(void *, void *), void *data) { return (void)visit, (void)data, 0; }
uintptr_t _Unwind_GetIP(void *activation) { return (void)activation, 0; }
int backtrace(void **to, int count) { return (void)to, (void)count, 0; }
void backtrace_symbols_fd(void *const *from, int count, int descriptor) {
  (void)from, (void)count, (void)descriptor;
}
