/* Changing ids, which stay as they are, and what is known of the machine. */
#include "../source/runtime.h"

enum { EPERM = 1, ID = 1000 };

static int fail(int error) {
  errno = error;
  return -1;
}

int initgroups(const char *user, unsigned group) { return (void)user, (void)group, fail(EPERM); }

static bool allowed(unsigned id) { return id == ID || id == (unsigned)-1; }
int seteuid(unsigned user) { return allowed(user) ? 0 : fail(EPERM); }
int setegid(unsigned group) { return allowed(group) ? 0 : fail(EPERM); }
int setreuid(unsigned real, unsigned used) { return allowed(real) && allowed(used) ? 0 : fail(EPERM); }
int setregid(unsigned real, unsigned used) { return allowed(real) && allowed(used) ? 0 : fail(EPERM); }
int setresuid(unsigned real, unsigned used, unsigned kept) {
  return allowed(kept) ? setreuid(real, used) : fail(EPERM);
}
int setresgid(unsigned real, unsigned used, unsigned kept) {
  return allowed(kept) ? setregid(real, used) : fail(EPERM);
}
int getresuid(unsigned *real, unsigned *used, unsigned *kept) {
  *real = *used = *kept = ID;
  return 0;
}
int getresgid(unsigned *real, unsigned *used, unsigned *kept) { return getresuid(real, used, kept); }

/* ---- The machine ---- */

int sched_getaffinity(int process, size_t size, uint64_t *set) {
  (void)process;
  if (size < 8)
    return fail(EINVAL);
  memset(set, 0, size);
  set[0] = 1;
  return 0;
}
int sched_setaffinity(int process, size_t size, const uint64_t *set) {
  return (void)process, (void)size, (void)set, 0;
}
int __sched_cpucount(size_t size, const uint64_t *set) {
  int count = 0;
  for (size_t i = 0; i < size / 8; i++)
    count += __builtin_popcountll(set[i]);
  return count;
}
void *__sched_cpualloc(size_t count) { return malloc((count + 63) / 64 * 8); }
void __sched_cpufree(void *set) { free(set); }
int sched_getcpu(void) { return 0; }
int getcpu(unsigned *processor, unsigned *node) {
  if (processor != NULL)
    *processor = 0;
  if (node != NULL)
    *node = 0;
  return 0;
}
/* Processes take turns as usual, which has the one priority 0. */
int sched_getparam(int process, int *priority) {
  return priority == NULL || process < 0 ? fail(EINVAL) : (*priority = 0, 0);
}
int sched_setparam(int process, const int *priority) {
  return priority == NULL || process < 0 || *priority != 0 ? fail(EINVAL) : 0;
}
/* Without rights there are those ways whose one priority is 0: as usual, in batches, and when nobody else wants to. */
int sched_setscheduler(int process, int policy, const int *priority) {
  bool is_usual = policy == 0 || policy == 3 || policy == 5, is_urgent = policy == 1 || policy == 2;
  if (priority == NULL || process < 0 || (!is_usual && !is_urgent) || (*priority != 0) != is_urgent)
    return fail(EINVAL);
  return is_usual ? 0 : fail(EPERM);
}
int sched_rr_get_interval(int process, int64_t *span) {
  return process < 0 ? fail(EINVAL) : (span[0] = 0, span[1] = 4000000, 0);
}
int personality(unsigned long kind) { return kind == 0 || kind == 0xffffffff ? 0 : fail(EINVAL); }
long get_phys_pages(void) { return 1 << 18; }
long get_avphys_pages(void) { return 1 << 17; }
int get_nprocs(void) { return 1; }
int get_nprocs_conf(void) { return 1; }
int getdtablesize(void) { return 1024; }
int getloadavg(double *loads, int count) {
  for (int i = 0; i < count && i < 3; i++)
    loads[i] = 0;
  return count < 0 ? -1 : count > 3 ? 3 : count;
}

struct machine {
  long uptime;
  unsigned long loads[3], memory, free, shared, buffers, swap, free_swap;
  uint16_t processes, padding;
  unsigned long high, free_high;
  uint32_t unit;
};
_Static_assert(sizeof(struct machine) == 112, "glibc's size of struct sysinfo");
int sysinfo(struct machine *to) {
  *to = (struct machine){.uptime = 1000, .memory = 1ul << 30, .free = 1ul << 29, .processes = 1, .unit = 1};
  return 0;
}
