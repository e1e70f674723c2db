/* Who and where the program is: constants, so that a test means the same everywhere. Users are numbers
 * here; users.c has their names. */
#include "../source/children.h"
#include "../source/threads.h"

/* Threads have numbers behind those of processes. */
enum { ID = 1000, PAGE = 4096, OF_THREADS = 100000 };

int getpid(void) { return children_self; }
int getppid(void) { return children_parent; }
unsigned long (*threads_number)(void);
int gettid(void) {
  unsigned long number = threads_number == NULL ? 1 : threads_number();
  return number == 1 ? children_self : OF_THREADS + (int)number;
}
int getpgrp(void) { return FIRST_PROCESS; }
int getsid(int process) { return process == 0 ? FIRST_PROCESS : process; }
int tcgetpgrp(int descriptor) {
  (void)descriptor;
  errno = ENOTTY;
  return -1;
}
unsigned getuid(void) { return ID; }
unsigned geteuid(void) { return ID; }
unsigned getgid(void) { return ID; }
unsigned getegid(void) { return ID; }
int getgroups(int count, unsigned *groups) {
  if (count > 0)
    *groups = ID;
  return 1;
}
int getgrouplist(const char *user, unsigned group, unsigned *groups, int *count) {
  (void)user;
  bool fits = *count > 0;
  if (fits)
    *groups = group;
  *count = 1;
  return fits ? 1 : -1;
}
int group_member(unsigned group) { return group == ID; }
long gethostid(void) { return 0x7f0101; }
int getpagesize(void) { return PAGE; }

int gethostname(char *to, size_t size) {
  static const char name[] = "host";
  memcpy(to, name, size < sizeof name ? size : sizeof name);
  return 0;
}

int uname(char (*fields)[65]) {
  static const char *const texts[] = {"Linux", "host", "6.1.0", "#1", "x86_64", "(none)"};
  for (int i = 0; i < 6; i++) {
    memset(fields[i], 0, sizeof *fields);
    memcpy(fields[i], texts[i], strlen(texts[i]));
  }
  return 0;
}

long sysconf(int name) {
  switch (name) {
  case 0: return 2097152; /* bytes of arguments */
  case 2: return 100;     /* ticks in a second */
  case 4: return 64;      /* descriptors */
  case 30: return PAGE;
  case 83:
  case 84: return 1; /* processors */
  case 85: return 1 << 18; /* pages */
  case 86: return 1 << 17;
  default: errno = EINVAL; return -1;
  }
}

/* No limits but those that a program sets, which hold for nothing: what is below the highest number is kept. */
enum { LIMITS = 16 };
static uint64_t below_none[LIMITS][2];

static bool is_limit(unsigned resource) {
  if (resource >= LIMITS)
    errno = EINVAL;
  return resource < LIMITS;
}
int getrlimit(int resource, uint64_t *limits) {
  if (!is_limit((unsigned)resource))
    return -1;
  limits[0] = UINT64_MAX - below_none[resource][0];
  limits[1] = UINT64_MAX - below_none[resource][1];
  return 0;
}
int setrlimit(int resource, const uint64_t *limits) {
  if (!is_limit((unsigned)resource))
    return -1;
  if (limits[0] > limits[1]) {
    errno = EINVAL;
    return -1;
  }
  if (limits[1] > UINT64_MAX - below_none[resource][1]) {
    errno = 1; /* EPERM */
    return -1;
  }
  below_none[resource][0] = UINT64_MAX - limits[0];
  below_none[resource][1] = UINT64_MAX - limits[1];
  return 0;
}
int getpriority(int which, unsigned who) {
  (void)which, (void)who;
  return 0;
}

/* ---- Random bytes: pseudo-random ones ---- */

long random(void);
ptrdiff_t getrandom(void *to, size_t count, unsigned flags) {
  (void)flags;
  unsigned char *bytes = to;
  for (size_t i = 0; i < count; i++)
    bytes[i] = (unsigned char)(random() >> 8);
  return (ptrdiff_t)count;
}
int getentropy(void *to, size_t count) {
  getrandom(to, count, 0);
  return 0;
}

void arc4random_buf(void *to, size_t count) { getrandom(to, count, 0); }
unsigned arc4random(void) {
  unsigned number;
  arc4random_buf(&number, sizeof number);
  return number;
}
unsigned arc4random_uniform(unsigned bound) { return bound == 0 ? 0 : arc4random() % bound; }

/* What is asked of the system as a text: where its programs are. */
size_t confstr(int name, char *to, size_t size) {
  static const char path[] = "/bin:/usr/bin";
  if (name != 0) {
    errno = EINVAL;
    return 0;
  }
  size_t length = size < sizeof path ? size : sizeof path;
  if (length > 0) {
    memcpy(to, path, length);
    to[length - 1] = 0;
  }
  return sizeof path;
}

/* ---- Device numbers, as glibc packs them ---- */

uint64_t gnu_dev_makedev(unsigned major, unsigned minor) {
  uint64_t high = major, low = minor;
  return (high & 0xfff) << 8 | (high & 0xfffff000) << 32 | (low & 0xff) | (low & 0xffffff00) << 12;
}
unsigned gnu_dev_major(uint64_t device) {
  return (unsigned)((device >> 8 & 0xfff) | (device >> 32 & 0xfffff000));
}
unsigned gnu_dev_minor(uint64_t device) {
  return (unsigned)((device & 0xff) | (device >> 12 & 0xffffff00));
}

int getpgid(int process) {
  if (process == 0 || process == children_self || children_has(process))
    return FIRST_PROCESS;
  errno = 3; /* ESRCH */
  return -1;
}
unsigned long getauxval(unsigned long kind) {
  if (kind == 6)
    return PAGE;
  errno = ENOENT;
  return 0;
}
const char *gnu_get_libc_version(void) { return "2.36"; }
int getdomainname(char *to, size_t size) {
  static const char name[] = "(none)";
  memcpy(to, name, size < sizeof name ? size : sizeof name);
  return 0;
}
int sethostname(const char *name, size_t size) { return (void)name, (void)size, errno = 1, -1; }
int getrlimit64(int resource, uint64_t *to) { return getrlimit(resource, to); }
int setrlimit64(int resource, const uint64_t *from) { return setrlimit(resource, from); }
int prlimit(int process, int resource, const uint64_t *from, uint64_t *to) {
  if (process != 0 && process != children_self && !children_has(process)) {
    errno = 3; /* ESRCH */
    return -1;
  }
  uint64_t before[2];
  if (getrlimit(resource, before) != 0 || (from != NULL && setrlimit(resource, from) != 0))
    return -1;
  if (to != NULL)
    memcpy(to, before, sizeof before);
  return 0;
}
int prlimit64(int process, int resource, const uint64_t *from, uint64_t *to) {
  return prlimit(process, resource, from, to);
}

/* What the heap holds is the engine's business. */
struct heap {
  size_t numbers[10];
};
struct heap mallinfo2(void) { return (struct heap){{0}}; }
struct small_heap {
  int numbers[10];
};
struct small_heap mallinfo(void) { return (struct small_heap){{0}}; }
int malloc_trim(size_t pad) { return (void)pad, 0; }
int mallopt(int parameter, int value) { return (void)parameter, (void)value, 1; }
void malloc_stats(void) {}
int mlockall(int flags) { return (void)flags, 0; }
int munlockall(void) { return 0; }
