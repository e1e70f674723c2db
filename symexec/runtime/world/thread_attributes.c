/* What threads and locks are to be like: kept for those who ask, refused where glibc refuses it. No thread is made by it. */
#include "../source/runtime.h"

enum { ENOTSUP = 95, LEAST_STACK = 16384, STACK = 8 << 20, GUARD = 4096 };

/* As large as glibc's pthread_attr_t, or less. */
struct attributes {
  int priority, policy, is_detached, is_explicit;
  size_t guard, size;
  char *stack;
};
_Static_assert(sizeof(struct attributes) <= 56, "glibc's size of pthread_attr_t");

int pthread_attr_init(struct attributes *attributes) {
  *attributes = (struct attributes){.guard = GUARD, .size = STACK};
  return 0;
}
int pthread_attr_destroy(struct attributes *attributes) { return (void)attributes, 0; }

int pthread_attr_setdetachstate(struct attributes *attributes, int state) {
  return (unsigned)state > 1 ? EINVAL : (attributes->is_detached = state, 0);
}
int pthread_attr_getdetachstate(const struct attributes *attributes, int *state) {
  return *state = attributes->is_detached, 0;
}
int pthread_attr_setinheritsched(struct attributes *attributes, int way) {
  return (unsigned)way > 1 ? EINVAL : (attributes->is_explicit = way, 0);
}
int pthread_attr_getinheritsched(const struct attributes *attributes, int *way) {
  return *way = attributes->is_explicit, 0;
}
/* Threads compete with those of the whole system. */
int pthread_attr_setscope(struct attributes *attributes, int scope) {
  return (void)attributes, scope == 0 ? 0 : scope == 1 ? ENOTSUP : EINVAL;
}
int pthread_attr_getscope(const struct attributes *attributes, int *scope) { return (void)attributes, *scope = 0, 0; }

int pthread_attr_setschedpolicy(struct attributes *attributes, int policy) {
  return (unsigned)policy > 2 ? EINVAL : (attributes->policy = policy, 0);
}
int pthread_attr_getschedpolicy(const struct attributes *attributes, int *policy) {
  return *policy = attributes->policy, 0;
}
/* Taking turns as usual has the one priority 0, the other ways have 1 to 99. */
int pthread_attr_setschedparam(struct attributes *attributes, const int *priority) {
  bool is_usual = attributes->policy == 0;
  if (*priority < !is_usual || *priority > (is_usual ? 0 : 99))
    return EINVAL;
  return attributes->priority = *priority, 0;
}
int pthread_attr_getschedparam(const struct attributes *attributes, int *priority) {
  return *priority = attributes->priority, 0;
}

int pthread_attr_setguardsize(struct attributes *attributes, size_t size) { return attributes->guard = size, 0; }
int pthread_attr_getguardsize(const struct attributes *attributes, size_t *size) {
  return *size = attributes->guard, 0;
}
int pthread_attr_setstacksize(struct attributes *attributes, size_t size) {
  return size < LEAST_STACK ? EINVAL : (attributes->size = size, 0);
}
int pthread_attr_getstacksize(const struct attributes *attributes, size_t *size) {
  return *size = attributes->size, 0;
}
int pthread_attr_setstack(struct attributes *attributes, void *stack, size_t size) {
  if (size < LEAST_STACK)
    return EINVAL;
  attributes->stack = stack;
  attributes->size = size;
  return 0;
}
/* Where a stack is that nobody set, nobody can say: its variables are objects of their own. */
int pthread_attr_getstack(const struct attributes *attributes, void **stack, size_t *size) {
  if (attributes->stack == NULL)
    return EINVAL;
  *stack = attributes->stack;
  *size = attributes->size;
  return 0;
}
int pthread_attr_setaffinity_np(struct attributes *attributes, size_t size, const void *set) {
  return (void)attributes, (void)size, (void)set, 0;
}

/* ---- Locks ---- */

/* As large as glibc's pthread_mutexattr_t. */
struct of_locks {
  uint8_t type, pshared, protocol, robust;
};

int pthread_mutexattr_init(struct of_locks *attributes) { return *attributes = (struct of_locks){0}, 0; }
int pthread_mutexattr_destroy(struct of_locks *attributes) { return (void)attributes, 0; }
#define OF_LOCKS(field, most)                                                                                  \
  int pthread_mutexattr_set##field(struct of_locks *attributes, int value) {                                   \
    return (unsigned)value > most ? EINVAL : (attributes->field = (uint8_t)value, 0);                          \
  }                                                                                                            \
  int pthread_mutexattr_get##field(const struct of_locks *attributes, int *value) {                            \
    return *value = attributes->field, 0;                                                                      \
  }
OF_LOCKS(type, 3)
OF_LOCKS(protocol, 2)
OF_LOCKS(robust, 1)
OF_LOCKS(pshared, 1)

/* How many threads a program would like to have at work; nothing follows from it. */
static int wanted;
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : (wanted = level, 0); }
int pthread_getconcurrency(void) { return wanted; }
