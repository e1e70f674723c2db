/* Names of domains that are asked for: no server answers. What is sent is refused, as where nobody listens. */
#include "../source/runtime.h"

enum { ECONNREFUSED = 111, TRY_AGAIN = 2, SIZE_OF_STATE = 568 };

int *__h_errno_location(void);

static int refuse(void) {
  *__h_errno_location() = TRY_AGAIN;
  errno = ECONNREFUSED;
  return -1;
}

/* glibc's struct __res_state, all of which is zero. */
void *__res_state(void) {
  static long state[SIZE_OF_STATE / sizeof(long)];
  return state;
}

/* Under the names that the header makes of res_init and its relatives. */
int __res_init(void) { return 0; }
int __res_ninit(void *state) { return (void)state, 0; }
void __res_nclose(void *state) { (void)state; }

int res_query(const char *name, int class, int type, unsigned char *answer, int size) {
  return (void)name, (void)class, (void)type, (void)answer, (void)size, refuse();
}
int res_search(const char *name, int class, int type, unsigned char *answer, int size) {
  return (void)name, (void)class, (void)type, (void)answer, (void)size, refuse();
}
int res_querydomain(const char *name, const char *domain, int class, int type, unsigned char *answer, int size) {
  return (void)name, (void)domain, (void)class, (void)type, (void)answer, (void)size, refuse();
}
int res_send(const unsigned char *question, int length, unsigned char *answer, int size) {
  return (void)question, (void)length, (void)answer, (void)size, refuse();
}
int res_nquery(void *state, const char *name, int class, int type, unsigned char *answer, int size) {
  return (void)state, res_query(name, class, type, answer, size);
}
int res_nsearch(void *state, const char *name, int class, int type, unsigned char *answer, int size) {
  return (void)state, res_search(name, class, type, answer, size);
}
int res_nquerydomain(void *state, const char *name, const char *domain, int class, int type, unsigned char *answer, int size) {
  return (void)state, res_querydomain(name, domain, class, type, answer, size);
}
int res_nsend(void *state, const unsigned char *question, int length, unsigned char *answer, int size) {
  return (void)state, res_send(question, length, answer, size);
}
