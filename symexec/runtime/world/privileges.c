/* What only a system's administrator may do, who the user of programs that are explored is not (world/identity.c). */
#include "../source/runtime.h"

enum { EPERM = 1, USER = 1000, PORTS = 65536 };

static int fail(int error) {
  errno = error;
  return -1;
}

int ioperm(unsigned long from, unsigned long count, int on) {
  if (from + count <= from || from + count > PORTS)
    return fail(EINVAL);
  return on ? fail(EPERM) : 0;
}
int iopl(int level) { return (unsigned)level > 3 ? fail(EINVAL) : level > 0 ? fail(EPERM) : 0; }

/* They give the id that was, whether or not the new one is allowed. */
int setfsuid(unsigned user) { return (void)user, USER; }
int setfsgid(unsigned group) { return (void)group, USER; }

int acct(const char *path) { return (void)path, fail(EPERM); }
int reboot(int command) { return (void)command, fail(EPERM); }
int swapon(const char *path, int flags) { return (void)path, (void)flags, fail(EPERM); }
int swapoff(const char *path) { return (void)path, fail(EPERM); }
int setdomainname(const char *name, size_t size) { return (void)name, (void)size, fail(EPERM); }
int klogctl(int command, char *to, int size) { return (void)command, (void)to, (void)size, fail(EPERM); }
int vhangup(void) { return fail(EPERM); }
int pivot_root(const char *new_root, const char *old) { return (void)new_root, (void)old, fail(EPERM); }
int init_module(void *image, unsigned long size, const char *values) {
  return (void)image, (void)size, (void)values, fail(EPERM);
}
int delete_module(const char *name, unsigned flags) { return (void)name, (void)flags, fail(EPERM); }
