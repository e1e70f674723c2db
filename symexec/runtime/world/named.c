/* Memory and semaphores that processes share by names: the first are files of `/dev/shm`, the second live as long as the
 * program, of which there is one process. */
#include "../source/file.h"

enum { ENAMETOOLONG = 36, LONGEST = 255 };

int open(const char *, int, ...), unlink(const char *), mkdir(const char *, unsigned);
int strcmp(const char *, const char *);
char *strchr(const char *, int), *strcpy(char *restrict, const char *restrict);
void *calloc(size_t, size_t);

static int fail(int error) {
  errno = error;
  return -1;
}

/* A name without its slashes at the beginning; NULL, with `errno`, for what is none. */
static const char *plain(const char *name) {
  while (*name == '/')
    name++;
  size_t length = strlen(name);
  if (length == 0 || strchr(name, '/') != NULL)
    return fail(EINVAL), NULL;
  if (length > LONGEST)
    return fail(ENAMETOOLONG), NULL;
  return name;
}

/* ---- Memory ---- */

static const char folder[] = "/dev/shm";

static const char *place(const char *name, char *to) {
  const char *rest = plain(name);
  if (rest == NULL)
    return NULL;
  memcpy(to, folder, sizeof folder - 1);
  to[sizeof folder - 1] = '/';
  memcpy(to + sizeof folder, rest, strlen(rest) + 1);
  return to;
}

int shm_open(const char *name, int flags, unsigned mode) {
  char path[sizeof folder + LONGEST + 1];
  if (place(name, path) == NULL)
    return -1;
  /* It is there already but for the first one. */
  int before = errno;
  mkdir(folder, 01777);
  errno = before;
  return open(path, flags | NO_LINK | CLOSE_ON_EXEC, mode);
}
int shm_unlink(const char *name) {
  char path[sizeof folder + LONGEST + 1];
  return place(name, path) == NULL ? -1 : unlink(path);
}

/* ---- Semaphores ---- */

struct named {
  /* A `sem_t` (world/locks.c). */
  unsigned semaphore[8];
  struct named *next;
  char *name;
  unsigned opened;
};
static struct named *all;

static struct named **find(const char *name) {
  struct named **at = &all;
  while (*at != NULL && ((*at)->name == NULL || strcmp((*at)->name, name) != 0))
    at = &(*at)->next;
  return at;
}

static void forget(struct named **at) {
  struct named *gone = *at;
  *at = gone->next;
  free(gone);
}

void *sem_open(const char *name, int flags, ...) {
  name = plain(name);
  if (name == NULL)
    return NULL;
  struct named *found = *find(name);
  if (found != NULL && (flags & CREATE) != 0 && (flags & EXCLUSIVE) != 0)
    return fail(EEXIST), NULL;
  if (found == NULL && (flags & CREATE) == 0)
    return fail(ENOENT), NULL;
  if (found == NULL) {
    va_list list;
    va_start(list, flags);
    (void)va_arg(list, unsigned);
    unsigned value = va_arg(list, unsigned);
    va_end(list);
    if ((int)value < 0)
      return fail(EINVAL), NULL;
    found = calloc(1, sizeof *found);
    char *copy = malloc(strlen(name) + 1);
    if (found == NULL || copy == NULL)
      return free(found), free(copy), fail(ENOMEM), NULL;
    *found->semaphore = value;
    found->name = strcpy(copy, name);
    found->next = all;
    all = found;
  }
  found->opened++;
  return found;
}
int sem_close(void *semaphore) {
  for (struct named **at = &all; *at != NULL; at = &(*at)->next)
    if (*at == semaphore && (*at)->opened > 0) {
      if (--(*at)->opened == 0 && (*at)->name == NULL)
        forget(at);
      return 0;
    }
  return fail(EINVAL);
}
int sem_unlink(const char *name) {
  name = plain(name);
  if (name == NULL)
    return -1;
  struct named **at = find(name);
  if (*at == NULL)
    return fail(ENOENT);
  free((*at)->name);
  (*at)->name = NULL;
  if ((*at)->opened == 0)
    forget(at);
  return 0;
}
