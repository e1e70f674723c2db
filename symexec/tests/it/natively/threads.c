/* Threads whose results do not depend on their order: locks, conditions, barriers, semaphores, values and variables of
   their own, ends of several kinds. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static void *twice(void *argument) { return (void *)((intptr_t)argument * 2); }
static void results(void) {
  pthread_t all[5];
  intptr_t sum = 0;
  for (intptr_t i = 0; i < 5; i++) printf("%d", pthread_create(&all[i], 0, twice, (void *)i));
  for (int i = 4; i >= 0; i--) {
    void *result;
    printf("%d", pthread_join(all[i], &result));
    sum += (intptr_t)result;
  }
  printf(" %d %d\n", (int)sum, pthread_join(pthread_self(), 0) == EDEADLK);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int counter, steps;
static atomic_int atomic;
static void *count(void *argument) {
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(&lock);
    int seen = counter;
    if (i % 5 == 0) sched_yield();
    counter = seen + 1;
    pthread_mutex_unlock(&lock);
    atomic++;
  }
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  steps += *(int *)argument;
  steps += pthread_mutex_unlock(&recursive);
  steps += pthread_mutex_unlock(&recursive);
  return argument;
}
static void locks(void) {
  pthread_t all[4];
  int numbers[4] = {1, 10, 100, 1000};
  for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, count, &numbers[i]);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(all[i], &result);
    printf("%d", result == &numbers[i]);
  }
  printf(" %d %d %d\n", counter, steps, atomic);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t checking;
  pthread_mutex_init(&checking, &attributes);
  printf("%d %d", pthread_mutex_unlock(&checking) == EPERM, pthread_mutex_lock(&checking));
  printf(" %d", pthread_mutex_lock(&checking) == EDEADLK);
  printf(" %d", pthread_mutex_trylock(&checking) == EBUSY);
  struct timespec past = {1, 0};
  pthread_mutex_lock(&lock);
  printf(" %d %d %d\n", pthread_mutex_trylock(&lock) == EBUSY, pthread_mutex_timedlock(&lock, &past) == ETIMEDOUT, pthread_mutex_unlock(&lock));
}

/* One place for what is made and not yet taken. */
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int item, is_full, ended;
static void *make(void *argument) {
  for (int i = 1; i <= 6; i++) {
    pthread_mutex_lock(&lock);
    while (is_full) pthread_cond_wait(&empty, &lock);
    item = i * i, is_full = 1;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  while (is_full) pthread_cond_wait(&empty, &lock);
  ended = 1;
  pthread_cond_broadcast(&full);
  pthread_mutex_unlock(&lock);
  return 0;
}
static void *take(void *argument) {
  int *sum = argument;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!is_full && !ended) pthread_cond_wait(&full, &lock);
    if (!is_full) break;
    *sum += item, is_full = 0;
    pthread_cond_signal(&empty);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
static void conditions(void) {
  pthread_t maker, takers[3];
  int sums[3] = {0};
  for (int i = 0; i < 3; i++) pthread_create(&takers[i], 0, take, &sums[i]);
  pthread_create(&maker, 0, make, 0);
  pthread_join(maker, 0);
  for (int i = 0; i < 3; i++) pthread_join(takers[i], 0);
  printf("%d", sums[0] + sums[1] + sums[2]);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 1000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  pthread_mutex_lock(&lock);
  printf(" %d\n", pthread_cond_timedwait(&full, &lock, &soon) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
}

static _Thread_local int own = 7, *where = &steps;
static pthread_key_t key;
static atomic_int destroyed;
static void destroy(void *value) { destroyed += *(int *)value; }
static void *variables(void *argument) {
  static int values[3] = {1, 20, 300};
  int before = own, self = *(int *)argument;
  own += self;
  errno = self;
  pthread_setspecific(key, &values[self]);
  sched_yield();
  usleep(10);
  int *mine = pthread_getspecific(key);
  return (void *)(intptr_t)(before * 1000 + own * 100 + (errno == self) * 10 + (mine == &values[self]));
}
static void own_variables(void) {
  pthread_t all[3];
  int numbers[3] = {0, 1, 2};
  own = 3, errno = 77;
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, variables, &numbers[i]);
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_join(all[i], &result);
    printf("%d ", (int)(intptr_t)result);
  }
  printf("%d %d %d %d\n", own, errno, (int)destroyed, *where);
}

static pthread_barrier_t barrier;
static sem_t semaphore;
static atomic_int arrived, serial;
static void *meet(void *argument) {
  arrived++;
  for (int i = 0; i < 3; i++) serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  int seen = arrived;
  sem_post(&semaphore);
  return (void *)(intptr_t)seen;
}
static void barriers(void) {
  pthread_t all[4];
  pthread_barrier_init(&barrier, 0, 4);
  sem_init(&semaphore, 0, 0);
  for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, meet, 0);
  for (int i = 0; i < 4; i++) printf("%d", sem_wait(&semaphore));
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(all[i], &result);
    printf(" %d", (int)(intptr_t)result);
  }
  printf(" %d %d\n", (int)serial, sem_trywait(&semaphore));
}

static pthread_rwlock_t reading = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spinning;
static int value, spun, times;
static void first(void) { sched_yield(), times++; }
static void *readers(void *argument) {
  pthread_once(&once, first);
  pthread_rwlock_rdlock(&reading);
  int before = value;
  sched_yield();
  printf("%d", before == value);
  pthread_rwlock_unlock(&reading);
  pthread_rwlock_wrlock(&reading);
  int seen = value;
  sched_yield();
  value = seen + 1;
  pthread_rwlock_unlock(&reading);
  pthread_spin_lock(&spinning);
  spun++;
  pthread_spin_unlock(&spinning);
  return 0;
}
static void shared(void) {
  pthread_t all[3];
  pthread_spin_init(&spinning, 0);
  for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, readers, 0);
  for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
  printf(" %d %d %d\n", value, spun, times);
}

static void clean(void *argument) { printf("clean %s\n", (char *)argument); }
static void *waits(void *argument) {
  pthread_cleanup_push(clean, "outer");
  pthread_cleanup_push(clean, "inner");
  if (argument) pthread_exit(argument);
  sem_post(&semaphore);
  for (;;) sleep(1);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}
static void *pops(void *argument) {
  pthread_cleanup_push(clean, "popped");
  pthread_cleanup_pop(1);
  return argument;
}
static void *waits_for_nothing(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
  sem_post(&semaphore);
  for (;;) pthread_cond_wait(&empty, &lock);
  pthread_cleanup_pop(1);
  return argument;
}
static void ends(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, waits, "given");
  pthread_join(thread, &result);
  printf("%s\n", (char *)result);
  pthread_create(&thread, 0, waits, 0);
  sem_wait(&semaphore);
  int error = pthread_cancel(thread);
  pthread_join(thread, &result);
  printf("%d %d\n", error, result == PTHREAD_CANCELED);
  pthread_create(&thread, 0, pops, 0);
  pthread_join(thread, &result);
  pthread_create(&thread, 0, waits_for_nothing, 0);
  sem_wait(&semaphore);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  printf("%d %d", result == PTHREAD_CANCELED, pthread_mutex_trylock(&lock));
  printf(" %d\n", pthread_mutex_unlock(&lock));
}

static int of_c11(void *argument) { return *(int *)argument + 1; }
static void *detached(void *argument) { return sem_post(&semaphore), argument; }
int main(void) {
  results();
  locks();
  conditions();
  own_variables();
  barriers();
  shared();
  ends();
  thrd_t c11;
  int number = 41, result;
  printf("%d", thrd_create(&c11, of_c11, &number));
  printf(" %d", thrd_join(c11, &result));
  printf(" %d\n", result);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attributes, detached, 0);
  sem_wait(&semaphore);
  pthread_create(&thread, 0, waits, "last");
  pthread_exit(0);
}
