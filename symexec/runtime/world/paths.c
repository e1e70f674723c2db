/* Descriptors and paths beyond those that source/file.c and source/names.c have: what is kept of nothing
 * (locks, owners). Devices cannot be made (EPERM). */
#include "../source/file.h"
#include "../source/metadata.h"

enum { EPERM = 1, ENOSYS = 38, ENODEV = 19 };

static int fail(int error) {
  errno = error;
  return -1;
}

/* ---- Descriptors ---- */

/* A new descriptor, if it is one, that closes on exec or does not. */
static int closes_on_exec(int descriptor, bool closes) {
  if (descriptor >= 0)
    file_set_closes(descriptor, closes);
  return descriptor;
}

int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  long argument = command == 1 || command == 3 ? 0 : va_arg(arguments, long);
  va_end(arguments);
  switch (command) {
  case 0: /* F_DUPFD */ return file_duplicate(descriptor, (int)argument);
  case 1030: /* F_DUPFD_CLOEXEC */ return closes_on_exec(file_duplicate(descriptor, (int)argument), true);
  case 1: /* F_GETFD */ return file_flags(descriptor) < 0 ? -1 : file_closes(descriptor);
  case 2: /* F_SETFD */
    return file_flags(descriptor) < 0 ? -1 : (file_set_closes(descriptor, (argument & 1) != 0), 0);
  case 3: return file_flags(descriptor);
  case 4: return file_set_flags(descriptor, (int)argument);
  case 5:
  case 6:
  case 7: return file_flags(descriptor) < 0 ? -1 : 0; /* locks: nobody else is there */
  default: return fail(EINVAL);
  }
}
int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  long argument = command == 1 || command == 3 ? 0 : va_arg(arguments, long);
  va_end(arguments);
  return fcntl(descriptor, command, argument);
}

static int known(int descriptor) { return file_flags(descriptor) < 0 ? -1 : 0; }

int posix_fadvise(int descriptor, long offset, long length, int advice) {
  (void)offset, (void)length, (void)advice;
  return known(descriptor) == 0 ? 0 : errno;
}
/* What is no file's content cannot be brought to the disk. Where it is unknown what a descriptor leads to, that is one
 * choice. */
int fsync(int descriptor) {
  struct file *file = metadata_behind(descriptor);
  if (file != NULL && ((int)metadata_is(file, A_PIPE) | (int)metadata_is(file, A_DEVICE)) != 0)
    return fail(EINVAL);
  return known(descriptor);
}
int fdatasync(int descriptor) { return fsync(descriptor); }
int syncfs(int descriptor) { return known(descriptor); }
void sync(void) {}

/* A file gets as long as is asked for, unless its size is to be kept; holes cannot be made (EOPNOTSUPP). */
int fallocate(int descriptor, int mode, long offset, long length) {
  enum { KEEP_SIZE = 1, EFBIG = 27, EOPNOTSUPP = 95 };
  int ftruncate(int, long), fstat(int, struct status *);
  struct status status;
  int flags = file_flags(descriptor);
  if (flags < 0 || fstat(descriptor, &status) < 0)
    return -1;
  if (offset < 0 || length <= 0)
    return fail(EINVAL);
  if ((mode & ~KEEP_SIZE) != 0)
    return fail(EOPNOTSUPP);
  if ((flags & ACCESS) == READ_ONLY)
    return fail(EBADF);
  struct file *file = metadata_behind(descriptor);
  if (file == NULL || !metadata_is(file, AN_ORDINARY_FILE))
    return fail(file != NULL && metadata_is(file, A_PIPE) ? ESPIPE : ENODEV);
  long end;
  if (__builtin_add_overflow(offset, length, &end))
    return fail(EFBIG);
  return (mode & KEEP_SIZE) != 0 || end <= status.size ? 0 : ftruncate(descriptor, end);
}
int flock(int descriptor, int operation) { return (void)operation, known(descriptor); }
int dup3(int old, int new, int flags) {
  int dup2(int, int);
  if (old == new || (flags & ~CLOSE_ON_EXEC) != 0)
    return fail(EINVAL);
  return closes_on_exec(dup2(old, new), flags != 0);
}
int pipe(int *ends) { return file_pipe(ends); }
int pipe2(int *ends, int flags) {
  enum { NO_WAITING = 04000, PACKETS = 040000 };
  if ((flags & ~(CLOSE_ON_EXEC | NO_WAITING | PACKETS)) != 0)
    return fail(EINVAL);
  if (file_pipe(ends) < 0)
    return -1;
  for (int i = 0; i < 2; i++)
    closes_on_exec(ends[i], (flags & CLOSE_ON_EXEC) != 0);
  return 0;
}
ptrdiff_t copy_file_range(int in, long *in_offset, int out, long *out_offset, size_t count, unsigned flags) {
  (void)in, (void)in_offset, (void)out, (void)out_offset, (void)count, (void)flags;
  return fail(ENOSYS);
}
ptrdiff_t pread(int descriptor, void *to, size_t count, long offset) {
  long here = file_seek(descriptor, 0, FROM_HERE);
  if (here < 0 || file_seek(descriptor, offset, FROM_START) < 0)
    return -1;
  ptrdiff_t result = file_read(descriptor, to, count);
  file_seek(descriptor, here, FROM_START);
  return result;
}
ptrdiff_t pwrite(int descriptor, const void *from, size_t count, long offset) {
  long here = file_seek(descriptor, 0, FROM_HERE);
  if (here < 0 || file_seek(descriptor, offset, FROM_START) < 0)
    return -1;
  ptrdiff_t result = file_write(descriptor, from, count);
  file_seek(descriptor, here, FROM_START);
  return result;
}

struct vector {
  void *bytes;
  size_t count;
};
ptrdiff_t readv(int descriptor, const struct vector *parts, int count) {
  ptrdiff_t all = 0;
  for (int i = 0; i < count; i++) {
    ptrdiff_t here = file_read(descriptor, parts[i].bytes, parts[i].count);
    if (here < 0)
      return all > 0 ? all : here;
    all += here;
    if ((size_t)here < parts[i].count)
      break;
  }
  return all;
}
ptrdiff_t writev(int descriptor, const struct vector *parts, int count) {
  ptrdiff_t all = 0;
  for (int i = 0; i < count; i++) {
    ptrdiff_t here = file_write(descriptor, parts[i].bytes, parts[i].count);
    if (here < 0)
      return all > 0 ? all : here;
    all += here;
  }
  return all;
}

ptrdiff_t preadv(int descriptor, const struct vector *parts, int count, long offset) {
  long here = file_seek(descriptor, 0, FROM_HERE);
  if (here < 0 || file_seek(descriptor, offset, FROM_START) < 0)
    return -1;
  ptrdiff_t result = readv(descriptor, parts, count);
  file_seek(descriptor, here, FROM_START);
  return result;
}
ptrdiff_t pwritev(int descriptor, const struct vector *parts, int count, long offset) {
  long here = file_seek(descriptor, 0, FROM_HERE);
  if (here < 0 || file_seek(descriptor, offset, FROM_START) < 0)
    return -1;
  ptrdiff_t result = writev(descriptor, parts, count);
  file_seek(descriptor, here, FROM_START);
  return result;
}
ptrdiff_t preadv64(int descriptor, const struct vector *parts, int count, long offset) {
  return preadv(descriptor, parts, count, offset);
}
ptrdiff_t pwritev64(int descriptor, const struct vector *parts, int count, long offset) {
  return pwritev(descriptor, parts, count, offset);
}

/* ---- What is kept of nothing ---- */

int access(const char *path, int mode);
int euidaccess(const char *path, int mode) { return access(path, mode); }
int eaccess(const char *path, int mode) { return access(path, mode); }

/* Devices are made by nobody but the superuser. */
int mknodat(int folder, const char *path, unsigned mode, uint64_t device) {
  (void)device;
  struct place place;
  uint32_t kind = mode & KIND;
  if (kind == 0)
    kind = AN_ORDINARY_FILE;
  if (kind == AN_ORDINARY_FILE || kind == A_PIPE || kind == A_SOCKET)
    return file_make(folder, path, kind | (mode & 07777));
  if (kind != A_DEVICE && kind != A_FOLDER && kind != 060000)
    return fail(EINVAL);
  if (file_place(folder, path, MAKE, &place) < 0)
    return -1;
  return fail(place.file == NULL ? EPERM : EEXIST);
}
int mknod(const char *path, unsigned mode, uint64_t device) { return mknodat(AT_HERE, path, mode, device); }
int mkfifoat(int folder, const char *path, unsigned mode) {
  return file_make(folder, path, A_PIPE | (mode & 07777));
}
int mkfifo(const char *path, unsigned mode) { return mkfifoat(AT_HERE, path, mode); }

/* Owners are not kept. */
static int exists_at(int folder, const char *path, int flags) {
  struct place place;
  if (file_place(folder, path, (flags & 0x100) != 0 ? ITSELF : FOLLOW, &place) < 0)
    return -1;
  return place.file == NULL ? fail(ENOENT) : 0;
}
static int exists(const char *path) { return exists_at(AT_HERE, path, 0); }
int fchmodat(int folder, const char *path, unsigned mode, int flags);
int lchmod(const char *path, unsigned mode) { return fchmodat(AT_HERE, path, mode, 0x100); }
int chown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, exists(path); }
int lchown(const char *path, unsigned user, unsigned group) {
  return (void)user, (void)group, exists_at(AT_HERE, path, 0x100);
}
int fchown(int descriptor, unsigned user, unsigned group) {
  return (void)user, (void)group, known(descriptor);
}
int fchownat(int folder, const char *path, unsigned user, unsigned group, int flags) {
  return (void)user, (void)group, exists_at(folder, path, flags);
}
/* Times are those that a program gives, of last access and change, whatever it reads and writes then. */
struct moment {
  int64_t seconds;
  long fraction; /* nanoseconds, or microseconds */
};
enum { AT_ONCE = 0x3fffffff, AS_BEFORE = 0x3ffffffe };
int clock_gettime(int clock, struct moment *to);

static int set_times(struct file *file, const struct moment *times) {
  for (int i = 0; i < 2 && times != NULL; i++)
    if (times[i].fraction != AT_ONCE && times[i].fraction != AS_BEFORE &&
        (times[i].fraction < 0 || times[i].fraction >= 1000000000))
      return fail(EINVAL);
  if (file == NULL)
    return 0;
  struct status *unknown = metadata_of(file);
  int64_t *kept = unknown == NULL ? file->times : unknown->times;
  struct moment now;
  clock_gettime(0, &now);
  for (int i = 0; i < 2; i++) {
    const struct moment *given = times == NULL || times[i].fraction == AT_ONCE ? &now : &times[i];
    if (given->fraction == AS_BEFORE)
      continue;
    kept[2 * i] = given->seconds;
    kept[2 * i + 1] = given->fraction;
  }
  return 0;
}
int futimens(int descriptor, const struct moment *times) {
  return known(descriptor) < 0 ? -1 : set_times(metadata_behind(descriptor), times);
}
int utimensat(int folder, const char *path, const struct moment *times, int flags) {
  struct place place;
  if (path == NULL)
    return fail(EINVAL);
  if (file_place(folder, path, (flags & 0x100) != 0 ? ITSELF : FOLLOW, &place) < 0)
    return -1;
  return place.file == NULL ? fail(ENOENT) : set_times(place.file, times);
}

/* The same in microseconds, and in seconds. */
static const struct moment *exact(const struct moment *times, struct moment *to) {
  if (times == NULL)
    return NULL;
  for (int i = 0; i < 2; i++) {
    bool is_good = times[i].fraction >= 0 && times[i].fraction < 1000000;
    to[i] = (struct moment){times[i].seconds, is_good ? times[i].fraction * 1000 : -1};
  }
  return to;
}
int futimesat(int folder, const char *path, const struct moment *times) {
  struct moment all[2];
  times = exact(times, all);
  return path == NULL ? futimens(folder, times) : utimensat(folder, path, times, 0);
}
int utimes(const char *path, const struct moment *times) {
  struct moment all[2];
  return utimensat(AT_HERE, path, exact(times, all), 0);
}
int lutimes(const char *path, const struct moment *times) {
  struct moment all[2];
  return utimensat(AT_HERE, path, exact(times, all), 0x100);
}
int futimes(int descriptor, const struct moment *times) {
  struct moment all[2];
  return futimens(descriptor, exact(times, all));
}
int utime(const char *path, const int64_t *times) {
  if (times == NULL)
    return utimensat(AT_HERE, path, NULL, 0);
  struct moment all[2] = {{times[0], 0}, {times[1], 0}};
  return utimensat(AT_HERE, path, all, 0);
}
int truncate(const char *path, long size) {
  int ftruncate(int, long);
  int descriptor = file_open(AT_HERE, path, WRITE_ONLY, 0);
  if (descriptor < 0)
    return -1;
  int result = ftruncate(descriptor, size);
  file_close(descriptor);
  return result;
}
long pathconf(const char *path, int name) {
  (void)path;
  return name == 3 ? 255 : name == 4 ? 4096 : name == 0 ? 127 : -1;
}
long fpathconf(int descriptor, int name) { return (void)descriptor, pathconf("", name); }

int chroot(const char *path) { return (void)path, fail(EPERM); }

/* ---- Files that are made for a while ---- */

int mkdir(const char *path, unsigned mode);

/* What mkstemp and its relatives make: a file, a folder, or nothing but a name. */
enum made { A_FILE, ANOTHER_FOLDER, A_NAME };

static int make(char *name, size_t behind, int flags, enum made made) {
  size_t length = strlen(name);
  if (length < behind + 6)
    return fail(EINVAL);
  char *place = name + length - behind - 6;
  for (int i = 0; i < 6; i++)
    if (place[i] != 'X')
      return fail(EINVAL);
  static unsigned next;
  for (;;) {
    unsigned number = next++;
    for (int i = 5; i >= 0; i--, number /= 26)
      place[i] = (char)('a' + number % 26);
    int before = errno, result;
    if (made == A_NAME) {
      result = access(name, 0) == 0 ? fail(EEXIST) : errno == ENOENT ? 0 : -1;
    } else if (made == ANOTHER_FOLDER)
      result = mkdir(name, 0700);
    else
      result = file_open(AT_HERE, name, READ_AND_WRITE | CREATE | EXCLUSIVE | flags, 0600);
    if (result >= 0)
      errno = before;
    if (result >= 0 || errno != EEXIST)
      return result;
  }
}
int mkstemp(char *name) { return make(name, 0, 0, A_FILE); }
int mkstemp64(char *name) { return make(name, 0, 0, A_FILE); }
int mkostemp(char *name, int flags) { return make(name, 0, flags & (APPEND | CLOSE_ON_EXEC), A_FILE); }
int mkstemps(char *name, int behind) { return make(name, (size_t)behind, 0, A_FILE); }
int mkstemps64(char *name, int behind) { return mkstemps(name, behind); }
int mkostemps(char *name, int behind, int flags) {
  return make(name, (size_t)behind, flags & (APPEND | CLOSE_ON_EXEC), A_FILE);
}
int mkostemps64(char *name, int behind, int flags) { return mkostemps(name, behind, flags); }
/* A name that nothing has yet; empty if there is none. */
char *mktemp(char *name) {
  if (make(name, 0, 0, A_NAME) < 0)
    name[0] = 0;
  return name;
}
enum { TEMPORARY = 20 };
/* Such a name in /tmp. */
char *tmpnam(char *name) {
  static char own[TEMPORARY];
  if (name == NULL)
    name = own;
  memcpy(name, "/tmp", 4);
  memcpy(name + 4, "/fileXXXXXX", 12);
  return make(name, 0, 0, A_NAME) < 0 ? NULL : name;
}
char *tmpnam_r(char *name) { return name == NULL ? NULL : tmpnam(name); }
/* Such a name in a folder, /tmp unless there is another, with at most five characters of the caller's in front. */
char *tempnam(const char *folder, const char *start) {
  size_t front = start == NULL ? 4 : strnlen(start, 5);
  if (start == NULL)
    start = "file";
  if (folder == NULL || access(folder, 0) != 0)
    folder = "/tmp";
  size_t length = strlen(folder);
  char *name = malloc(length + front + 8);
  if (name == NULL)
    return NULL;
  memcpy(name, folder, length);
  name[length++] = '/';
  memcpy(name + length, start, front);
  memcpy(name + length + front, "XXXXXX", 7);
  if (make(name, 0, 0, A_NAME) == 0)
    return name;
  free(name);
  return NULL;
}
char *mkdtemp(char *name) { return make(name, 0, 0, ANOTHER_FOLDER) < 0 ? NULL : name; }

/* ---- Names of before large files ---- */

ptrdiff_t pread64(int descriptor, void *to, size_t count, long offset) {
  return pread(descriptor, to, count, offset);
}
ptrdiff_t pwrite64(int descriptor, const void *from, size_t count, long offset) {
  return pwrite(descriptor, from, count, offset);
}
int ftruncate64(int descriptor, long size) {
  int ftruncate(int, long);
  return ftruncate(descriptor, size);
}
int truncate64(const char *path, long size) { return truncate(path, size); }
int mkostemp64(char *name, int flags) { return mkostemp(name, flags); }
int posix_fadvise64(int descriptor, long offset, long length, int advice) {
  return posix_fadvise(descriptor, offset, length, advice);
}
int fallocate64(int descriptor, int mode, long offset, long length) {
  return fallocate(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, long offset, long length) {
  int before = errno, error = 0;
  if (fallocate(descriptor, 0, offset, length) < 0)
    error = errno;
  errno = before;
  return error;
}
int posix_fallocate64(int descriptor, long offset, long length) {
  return posix_fallocate(descriptor, offset, length);
}
int lockf(int descriptor, int command, long length) { return (void)command, (void)length, known(descriptor); }
int lockf64(int descriptor, int command, long length) { return lockf(descriptor, command, length); }
void *sbrk(intptr_t increment) {
  (void)increment;
  errno = ENOMEM;
  return (void *)-1;
}

int memfd_create(const char *name, unsigned flags) {
  (void)name;
  struct file *file = tree_new(AN_ORDINARY_FILE | 0777, 0);
  return file == NULL ? fail(ENOMEM) : file_over(file, READ_AND_WRITE | ((flags & 1) != 0 ? CLOSE_ON_EXEC : 0));
}
int close_range(unsigned first, unsigned last, int flags) {
  enum { UNSHARED = 2, LATER = 4 };
  if (first > last || (flags & ~(UNSHARED | LATER)) != 0)
    return fail(EINVAL);
  int before = errno;
  for (unsigned i = first; i <= last && i < 64; i++)
    if (file_flags((int)i) >= 0) {
      if ((flags & LATER) != 0)
        file_set_closes((int)i, true);
      else
        file_close((int)i);
    }
  errno = before;
  return 0;
}
void closefrom(int first) { close_range(first < 0 ? 0 : (unsigned)first, UINT_MAX, 0); }

/* With glibc's checks of the room. */
int __open_2(const char *path, int flags) { return file_open(AT_HERE, path, flags, 0); }
int __open64_2(const char *path, int flags) { return file_open(AT_HERE, path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return file_open(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return file_open(folder, path, flags, 0); }
char *realpath(const char *path, char *to);
char *getcwd(char *to, size_t size);
char *__realpath_chk(const char *path, char *to, size_t room) { return (void)room, realpath(path, to); }
char *__getcwd_chk(char *to, size_t size, size_t room) { return getcwd(to, size < room ? size : room); }
void explicit_bzero(void *to, size_t count);
void __explicit_bzero_chk(void *to, size_t count, size_t room) { (void)room, explicit_bzero(to, count); }
