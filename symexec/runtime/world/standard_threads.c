/* The threads of C11 (threads.h), which are POSIX's with results of their own. */
#include "../source/runtime.h"

enum { SUCCESS = 0, BUSY = 1, ERROR = 2, NO_MEMORY = 3, TIMED_OUT = 4 };
enum { EBUSY = 16, ETIMEDOUT = 110 };

int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument);
int pthread_join(unsigned long thread, void **result);
int pthread_detach(unsigned long thread);
unsigned long pthread_self(void);
__attribute__((noreturn)) void pthread_exit(void *result);
int pthread_mutex_init(void *mutex, const void *attributes);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_timedlock(void *mutex, const void *until);
int pthread_mutex_trylock(void *mutex);
int pthread_mutex_unlock(void *mutex);
int pthread_mutex_destroy(void *mutex);
int pthread_cond_init(void *condition, const void *attributes);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);
int pthread_cond_wait(void *condition, void *mutex);
int pthread_cond_timedwait(void *condition, void *mutex, const void *until);
int pthread_cond_destroy(void *condition);
int pthread_key_create(unsigned *key, void (*destroy)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);
int sched_yield(void);
int pthread_once(int *done, void (*function)(void));
int clock_nanosleep(int clock, int flags, const void *span, void *left);

static int told(int error) {
  switch (error) {
  case 0: return SUCCESS;
  case ENOMEM: return NO_MEMORY;
  case ETIMEDOUT: return TIMED_OUT;
  case EBUSY: return BUSY;
  default: return ERROR;
  }
}

int thrd_create(unsigned long *thread, int (*start)(void *), void *argument) {
  return told(pthread_create(thread, NULL, (void *(*)(void *))(void *)start, argument));
}
int thrd_join(unsigned long thread, int *result) {
  void *given = NULL;
  int error = pthread_join(thread, &given);
  if (error == 0 && result != NULL)
    *result = (int)(intptr_t)given;
  return told(error);
}
int thrd_detach(unsigned long thread) { return told(pthread_detach(thread)); }
unsigned long thrd_current(void) { return pthread_self(); }
int thrd_equal(unsigned long left, unsigned long right) { return left == right; }
void thrd_yield(void) { sched_yield(); }
__attribute__((noreturn)) void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }

/* 0 when the time is over, -1 if a handler of a signal has ended that, -2 for a time that is none. */
int thrd_sleep(const void *span, void *left) {
  int error = clock_nanosleep(0, 0, span, left);
  return error == 0 ? 0 : error == 4 /* EINTR */ ? -1 : -2;
}

/* Plain or timed (2), and recursive (1). */
int mtx_init(void *mutex, int type) {
  uint8_t attributes[4] = {type & 1};
  return type < 0 || type > 3 ? ERROR : told(pthread_mutex_init(mutex, attributes));
}
int mtx_lock(void *mutex) { return told(pthread_mutex_lock(mutex)); }
int mtx_timedlock(void *mutex, const void *until) { return told(pthread_mutex_timedlock(mutex, until)); }
int mtx_trylock(void *mutex) { return told(pthread_mutex_trylock(mutex)); }
int mtx_unlock(void *mutex) { return told(pthread_mutex_unlock(mutex)); }
void mtx_destroy(void *mutex) { pthread_mutex_destroy(mutex); }

int cnd_init(void *condition) { return told(pthread_cond_init(condition, NULL)); }
int cnd_signal(void *condition) { return told(pthread_cond_signal(condition)); }
int cnd_broadcast(void *condition) { return told(pthread_cond_broadcast(condition)); }
int cnd_wait(void *condition, void *mutex) { return told(pthread_cond_wait(condition, mutex)); }
int cnd_timedwait(void *condition, void *mutex, const void *until) {
  return told(pthread_cond_timedwait(condition, mutex, until));
}
void cnd_destroy(void *condition) { pthread_cond_destroy(condition); }

int tss_create(unsigned *key, void (*destroy)(void *)) { return told(pthread_key_create(key, destroy)); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return told(pthread_setspecific(key, value)); }

void call_once(int *done, void (*function)(void)) { pthread_once(done, function); }
