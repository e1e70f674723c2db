/* Files in memory and the descriptors through which programs see them: open, read, write, lseek.
 *
 * There are the files with which the program was started (start.c), whose bytes may be unknown, and
 * those that it makes itself. Nothing of the machine's file system is seen: what is not there cannot be
 * opened (ENOENT). Descriptors 1 and 2 lead to the engine; /dev/null takes everything and has nothing.
 * Differs from Linux: one folder and no links, permissions or times; a call that could be interrupted never
 * is; at most 64 descriptors.
 */
#include "file.h"

ptrdiff_t __symexec_write(int descriptor, const void *bytes, size_t count);
int strcmp(const char *left, const char *right);

/* An open file: descriptors that were duplicated share it. */
struct opening {
  struct file *file; /* null: nothing to read */
  int sink;          /* where written bytes go without a file: a descriptor of the engine, or 0 for nowhere */
  int flags;
  size_t position;
  unsigned users;
};

enum { DESCRIPTORS = 64 };

static struct opening standard[3] = {
    {.flags = READ_ONLY, .users = 1},
    {.sink = 1, .flags = WRITE_ONLY, .users = 1},
    {.sink = 2, .flags = WRITE_ONLY, .users = 1},
};

static struct opening *descriptors[DESCRIPTORS] = {&standard[0], &standard[1], &standard[2]};

static struct file *files;

static struct opening *opening_of(int descriptor) {
  struct opening *opening = descriptor >= 0 && descriptor < DESCRIPTORS ? descriptors[descriptor] : NULL;
  if (opening == NULL)
    errno = EBADF;
  return opening;
}

static int fail(int error) {
  errno = error;
  return -1;
}

/* No object lies in the first page: a system call looks at such a pointer only if it has to, and says so. */
static bool is_bad(const void *place) { return (uintptr_t)place < 4096; }

void __symexec_make_input(void *bytes, size_t size, const char *name, const char *shape);

static struct {
  const char *name;
  int *failing; /* the number of the call that fails */
  int calls;
} failures[CALLS] = {{.name = "read_fail"}, {.name = "write_fail"}, {.name = "close_fail"}, {.name = "ftruncate_fail"}, {.name = "getcwd_fail"}};
static unsigned failures_left;

bool file_failures(unsigned most) {
  for (int i = 0; i < CALLS; i++) {
    failures[i].failing = malloc(sizeof(int));
    if (failures[i].failing == NULL)
      return false;
    __symexec_make_input(failures[i].failing, sizeof(int), failures[i].name, NULL);
  }
  failures_left = most;
  return true;
}

bool file_fails(enum call call) {
  if (failures_left == 0 || *failures[call].failing != ++failures[call].calls)
    return false;
  failures_left--;
  errno = call == FIND_FOLDER ? ERANGE : EIO;
  return true;
}

struct file *file_add(const char *name, size_t size) {
  struct file *file = malloc(sizeof *file);
  unsigned char *bytes = malloc(size == 0 ? 1 : size);
  size_t length = strlen(name);
  char *copy = malloc(length + 1);
  if (file == NULL || bytes == NULL || copy == NULL)
    return NULL;
  memcpy(copy, name, length + 1);
  memset(bytes, 0, size);
  static uint64_t last_number = 2;
  *file = (struct file){
      .name = copy, .bytes = bytes, .size = size, .room = size, .number = ++last_number, .next = files};
  files = file;
  return file;
}

void file_of_input(struct file *file) {
  standard[0].file = file;
  /* No program can open it by a name. */
  struct file **place = &files;
  while (*place != NULL && *place != file)
    place = &(*place)->next;
  if (*place != NULL)
    *place = file->next;
}

/* The one folder, which is its own parent. */
static struct file folder = {.name = "/", .size = 4096, .number = 2};

/* A file's name without the folder in which everything is; empty for the folder itself. */
static const char *name_in(const char *path) {
  for (;;) {
    if (path[0] == '/')
      path++;
    else if (path[0] == '.' && path[1] == '/')
      path += 2;
    else
      return path;
  }
}

bool file_is_folder(const char *path) {
  if (path[0] == 0)
    return false;
  path = name_in(path);
  while (path[0] == '.' && path[1] == '.' && path[2] == '/')
    path = name_in(path + 3);
  return path[0] == 0 || (path[0] == '.' && (path[1] == 0 || (path[1] == '.' && path[2] == 0)));
}

/* Where the pointer to a file of this name is, or to the null behind the last one. */
static struct file **place_of(const char *path) {
  path = name_in(path);
  struct file **place = &files;
  while (*place != NULL && strcmp((*place)->name, path) != 0)
    place = &(*place)->next;
  return place;
}

static int lowest_free(int from) {
  for (int i = from; i < DESCRIPTORS; i++)
    if (descriptors[i] == NULL)
      return i;
  return fail(EMFILE);
}

int file_open(const char *path, int flags) {
  if (is_bad(path))
    return fail(EFAULT);
  int descriptor = lowest_free(0);
  if (descriptor < 0)
    return -1;
  struct file *file = NULL;
  if (strcmp(path, "/dev/null") != 0) {
    file = *place_of(path);
    if (file == NULL && file_is_folder(path)) {
      if ((flags & (CREATE | EXCLUSIVE)) == (CREATE | EXCLUSIVE))
        return fail(EEXIST);
      if ((flags & ACCESS) != READ_ONLY || (flags & (CREATE | TRUNCATE)) != 0)
        return fail(EISDIR);
      file = &folder;
    } else if (file != NULL && (flags & FOLDER) != 0)
      return fail(ENOTDIR);
    if (file == NULL && (flags & CREATE) == 0)
      return fail(ENOENT);
    if (file != NULL && (flags & (CREATE | EXCLUSIVE)) == (CREATE | EXCLUSIVE))
      return fail(EEXIST);
    if (file == NULL && *name_in(path) == 0)
      return fail(ENOENT);
    if (file == NULL && (file = file_add(name_in(path), 0)) == NULL)
      return fail(ENOMEM);
    if (flags & TRUNCATE)
      file->size = 0;
  }
  struct opening *opening = malloc(sizeof *opening);
  if (opening == NULL)
    return fail(ENOMEM);
  *opening = (struct opening){.file = file, .flags = flags, .users = 1};
  descriptors[descriptor] = opening;
  return descriptor;
}

int file_close(int descriptor) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL || file_fails(CLOSE))
    return -1;
  descriptors[descriptor] = NULL;
  if (--opening->users == 0 && (opening < standard || opening >= standard + 3))
    free(opening);
  return 0;
}

ptrdiff_t file_read(int descriptor, void *to, size_t count) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if ((opening->flags & ACCESS) == WRITE_ONLY)
    return fail(EBADF);
  if (is_bad(to) && count > 0)
    return fail(EFAULT);
  if (count > 0 && file_fails(READ))
    return -1;
  if (opening->file == &folder)
    return fail(EISDIR);
  if (opening->file == NULL || opening->position >= opening->file->size)
    return 0;
  size_t left = opening->file->size - opening->position;
  if (count > left)
    count = left;
  memcpy(to, opening->file->bytes + opening->position, count);
  opening->position += count;
  return (ptrdiff_t)count;
}

/* Makes room for so many bytes; new ones are zero. */
static bool grow(struct file *file, size_t size) {
  if (size > file->room) {
    size_t room = file->room < 32 ? 64 : file->room * 2;
    if (room < size)
      room = size;
    unsigned char *bytes = malloc(room);
    if (bytes == NULL)
      return false;
    memcpy(bytes, file->bytes, file->size);
    free(file->bytes);
    file->bytes = bytes;
    file->room = room;
  }
  if (size > file->size) {
    memset(file->bytes + file->size, 0, size - file->size);
    file->size = size;
  }
  return true;
}

ptrdiff_t file_write(int descriptor, const void *from, size_t count) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if ((opening->flags & ACCESS) == READ_ONLY)
    return fail(EBADF);
  if (is_bad(from) && count > 0)
    return fail(EFAULT);
  if (file_fails(WRITE))
    return -1;
  if (opening->file == NULL)
    return opening->sink == 0 ? (ptrdiff_t)count : __symexec_write(opening->sink, from, count);
  if (count == 0)
    return 0;
  if (opening->flags & APPEND)
    opening->position = opening->file->size;
  if (!grow(opening->file, opening->position + count))
    return fail(ENOSPC);
  memcpy(opening->file->bytes + opening->position, from, count);
  opening->position += count;
  return (ptrdiff_t)count;
}

long file_seek(int descriptor, long offset, int from) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if (opening->file == NULL)
    return opening->sink == 0 && opening >= standard + 3 ? 0 : fail(ESPIPE);
  long start = from == FROM_START  ? 0
               : from == FROM_HERE ? (long)opening->position
               : from == FROM_END  ? (long)opening->file->size
                                   : -1;
  if (start < 0 || offset < -start || offset > LONG_MAX - start)
    return fail(EINVAL);
  opening->position = (size_t)(start + offset);
  return start + offset;
}

int file_remove(const char *path) {
  if (is_bad(path))
    return fail(EFAULT);
  struct file **place = place_of(path);
  if (*place == NULL)
    return fail(ENOENT);
  /* Whoever has it open goes on using it. */
  *place = (*place)->next;
  return 0;
}

bool file_is_sink(int descriptor) {
  struct opening *opening = descriptor >= 0 && descriptor < DESCRIPTORS ? descriptors[descriptor] : NULL;
  return opening != NULL && opening->file == NULL;
}

int file_flags(int descriptor) {
  struct opening *opening = opening_of(descriptor);
  return opening == NULL ? -1 : opening->flags & ~(CREATE | EXCLUSIVE | TRUNCATE);
}

int file_set_flags(int descriptor, int flags) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  opening->flags = (opening->flags & ACCESS) | (flags & ~ACCESS);
  return 0;
}

int file_duplicate(int descriptor, int from) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if (from < 0 || from >= DESCRIPTORS)
    return fail(EINVAL);
  int new = lowest_free(from);
  if (new >= 0) {
    opening->users++;
    descriptors[new] = opening;
  }
  return new;
}

int file_pipe(int *ends) {
  struct file *file = file_add("", 0);
  if (file == NULL)
    return fail(ENOMEM);
  files = file->next;
  for (int i = 0; i < 2; i++) {
    struct opening *opening = malloc(sizeof *opening);
    int descriptor = lowest_free(0);
    if (opening == NULL || descriptor < 0)
      return fail(EMFILE);
    *opening = (struct opening){.file = file, .flags = i == 0 ? READ_ONLY : WRITE_ONLY | APPEND, .users = 1};
    descriptors[descriptor] = opening;
    ends[i] = descriptor;
  }
  return 0;
}

struct file *file_first(void) { return files; }

int file_rename(const char *from, const char *to) {
  if (is_bad(from) || is_bad(to))
    return fail(EFAULT);
  struct file *file = *place_of(from);
  if (file == NULL || *name_in(to) == 0)
    return fail(ENOENT);
  if (*place_of(to) == file)
    return 0;
  if (*place_of(to) != NULL)
    file_remove(to);
  size_t length = strlen(name_in(to));
  char *copy = malloc(length + 1);
  if (copy == NULL)
    return fail(ENOMEM);
  memcpy(copy, name_in(to), length + 1);
  file->name = copy;
  return 0;
}

/* ---- The names that programs know ---- */

int open(const char *path, int flags, ...) { return file_open(path, flags); }
int open64(const char *path, int flags, ...) { return file_open(path, flags); }
int creat(const char *path, unsigned mode) {
  (void)mode;
  return file_open(path, WRITE_ONLY | CREATE | TRUNCATE);
}
int close(int descriptor) { return file_close(descriptor); }
ptrdiff_t read(int descriptor, void *to, size_t count) { return file_read(descriptor, to, count); }
ptrdiff_t write(int descriptor, const void *from, size_t count) { return file_write(descriptor, from, count); }
long lseek(int descriptor, long offset, int from) { return file_seek(descriptor, offset, from); }
long lseek64(int descriptor, long offset, int from) { return file_seek(descriptor, offset, from); }
int unlink(const char *path) { return file_remove(path); }
int remove(const char *path) { return file_remove(path); }

int access(const char *path, int mode) {
  (void)mode;
  if (is_bad(path))
    return fail(EFAULT);
  bool known = *place_of(path) != NULL || file_is_folder(path) || strcmp(path, "/dev/null") == 0;
  return known ? 0 : fail(ENOENT);
}

int ftruncate(int descriptor, long size) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if (file_fails(TRUNCATE_FILE))
    return -1;
  if (size < 0 || opening->file == NULL || (opening->flags & ACCESS) == READ_ONLY)
    return fail(EINVAL);
  if ((size_t)size <= opening->file->size)
    opening->file->size = (size_t)size;
  else if (!grow(opening->file, (size_t)size))
    return fail(ENOSPC);
  return 0;
}

int dup2(int old, int new) {
  struct opening *opening = opening_of(old);
  if (opening == NULL)
    return -1;
  if (new < 0 || new >= DESCRIPTORS)
    return fail(EBADF);
  if (new == old)
    return new;
  if (descriptors[new] != NULL)
    file_close(new);
  opening->users++;
  descriptors[new] = opening;
  return new;
}

int dup(int old) {
  if (opening_of(old) == NULL)
    return -1;
  int new = lowest_free(0);
  return new < 0 ? -1 : dup2(old, new);
}

int isatty(int descriptor) {
  if (opening_of(descriptor) != NULL)
    errno = ENOTTY;
  return 0;
}

/* ---- What is known of a file: glibc's struct stat on x86_64 ---- */

struct status {
  uint64_t device, inode, links;
  uint32_t mode, user, group, unused;
  uint64_t special;
  int64_t size, block_size, blocks;
  int64_t times[6], spare[3];
};
_Static_assert(sizeof(struct status) == 144, "glibc's size of struct stat");

/* Files differ by their numbers; all belong to the user that the program is run by (world/identity.c). */
static int tell(const struct file *file, struct status *status) {
  memset(status, 0, sizeof *status);
  status->device = 1;
  status->inode = file == NULL ? 1 : file->number;
  status->links = file == &folder ? 2 : 1;
  status->user = status->group = 1000;
  /* A device, the folder or an ordinary file. */
  status->mode = file == NULL ? 020666 : file == &folder ? 040755 : 0100644;
  status->size = file == NULL ? 0 : (int64_t)file->size;
  status->block_size = 4096;
  status->blocks = (status->size + 511) / 512;
  return 0;
}

int fstat(int descriptor, struct status *status) {
  struct opening *opening = opening_of(descriptor);
  if (opening != NULL && is_bad(status))
    return fail(EFAULT);
  return opening == NULL ? -1 : tell(opening->file, status);
}

int stat(const char *path, struct status *status) {
  if (is_bad(path))
    return fail(EFAULT);
  struct file *file = *place_of(path);
  if (file == NULL && file_is_folder(path))
    file = &folder;
  bool device = file == NULL && strcmp(path, "/dev/null") == 0;
  if ((file != NULL || device) && is_bad(status))
    return fail(EFAULT);
  return file == NULL && !device ? fail(ENOENT) : tell(file, status);
}

int lstat(const char *path, struct status *status) { return stat(path, status); }
int stat64(const char *path, struct status *status) { return stat(path, status); }
int lstat64(const char *path, struct status *status) { return stat(path, status); }
int fstat64(int descriptor, struct status *status) { return fstat(descriptor, status); }
