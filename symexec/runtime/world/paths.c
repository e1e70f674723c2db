/* Descriptors and paths beyond open and read: one folder, "/", has all files; there are no links and no
 * permissions. What would make folders, links or devices fails with EPERM. */
#include "../source/file.h"

enum { EPERM = 1, EACCES = 13, ENOSYS = 38, ENODEV = 19, AT_HERE = -100 };

int strcmp(const char *left, const char *right);
char *strdup(const char *text);

static int fail(int error) {
  errno = error;
  return -1;
}

/* ---- Descriptors ---- */

int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  long argument = command == 1 || command == 3 ? 0 : va_arg(arguments, long);
  va_end(arguments);
  switch (command) {
  case 0:    /* F_DUPFD */
  case 1030: /* F_DUPFD_CLOEXEC */ return file_duplicate(descriptor, (int)argument);
  case 1: return file_flags(descriptor) < 0 ? -1 : 0;
  case 2: return file_flags(descriptor) < 0 ? -1 : 0;
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
int fsync(int descriptor) { return known(descriptor); }
int fdatasync(int descriptor) { return known(descriptor); }
int syncfs(int descriptor) { return known(descriptor); }
void sync(void) {}
int fallocate(int descriptor, int mode, long offset, long length) {
  (void)descriptor, (void)mode, (void)offset, (void)length;
  return fail(95); /* EOPNOTSUPP */
}
int flock(int descriptor, int operation) { return (void)operation, known(descriptor); }
int dup3(int old, int new, int flags) {
  (void)flags;
  int dup2(int, int);
  return old == new ? fail(EINVAL) : dup2(old, new);
}
int pipe(int *ends) { return file_pipe(ends); }
int pipe2(int *ends, int flags) { return (void)flags, file_pipe(ends); }
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

/* ---- Paths beside descriptors of folders: there is one folder ---- */

int access(const char *path, int mode);
int stat(const char *path, void *status);

static bool is_folder(const char *path) { return file_is_folder(path); }

int openat(int folder, const char *path, int flags, ...) { return (void)folder, file_open(path, flags); }
int openat64(int folder, const char *path, int flags, ...) { return (void)folder, file_open(path, flags); }
int faccessat(int folder, const char *path, int mode, int flags) {
  return (void)folder, (void)flags, access(path, mode);
}
int euidaccess(const char *path, int mode) { return access(path, mode); }
int eaccess(const char *path, int mode) { return access(path, mode); }
int fstatat(int folder, const char *path, void *status, int flags) {
  int fstat(int, void *);
  bool itself = (flags & 0x1000) != 0 && *path == 0; /* AT_EMPTY_PATH */
  return itself && folder != AT_HERE ? fstat(folder, status) : stat(itself ? "." : path, status);
}
int fstatat64(int folder, const char *path, void *status, int flags) {
  return fstatat(folder, path, status, flags);
}
int unlinkat(int folder, const char *path, int flags) { return (void)folder, (void)flags, file_remove(path); }
int rename(const char *from, const char *to) { return file_rename(from, to); }
int renameat(int folder, const char *from, int other, const char *to) {
  return (void)folder, (void)other, file_rename(from, to);
}
int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
  (void)folder, (void)other;
  return (flags & 1) != 0 && access(to, 0) == 0 ? fail(EEXIST) : file_rename(from, to);
}
ptrdiff_t readlink(const char *path, char *to, size_t size) {
  (void)to, (void)size;
  return access(path, 0) == 0 || is_folder(path) ? fail(EINVAL) : fail(ENOENT);
}
ptrdiff_t readlinkat(int folder, const char *path, char *to, size_t size) {
  return (void)folder, readlink(path, to, size);
}

static int refuse(const char *path) { return is_folder(path) ? fail(EEXIST) : fail(EPERM); }

int mkdir(const char *path, unsigned mode) { return (void)mode, refuse(path); }
int mkdirat(int folder, const char *path, unsigned mode) { return (void)folder, (void)mode, refuse(path); }
int mkfifo(const char *path, unsigned mode) { return (void)mode, refuse(path); }
int mkfifoat(int folder, const char *path, unsigned mode) { return (void)folder, (void)mode, refuse(path); }
int mknod(const char *path, unsigned mode, uint64_t device) { return (void)mode, (void)device, refuse(path); }
int mknodat(int folder, const char *path, unsigned mode, uint64_t device) {
  return (void)folder, (void)mode, (void)device, refuse(path);
}
int link(const char *from, const char *to) { return (void)from, refuse(to); }
int linkat(int folder, const char *from, int other, const char *to, int flags) {
  return (void)folder, (void)other, (void)flags, link(from, to);
}
int symlink(const char *from, const char *to) { return (void)from, refuse(to); }
int symlinkat(const char *from, int folder, const char *to) { return (void)folder, symlink(from, to); }
int rmdir(const char *path) { return is_folder(path) ? fail(16) : access(path, 0) == 0 ? fail(ENOTDIR) : -1; }

/* Permissions and owners are not kept. */
static int exists(const char *path) { return is_folder(path) ? 0 : access(path, 0); }
int chmod(const char *path, unsigned mode) { return (void)mode, exists(path); }
int lchmod(const char *path, unsigned mode) { return (void)mode, exists(path); }
int fchmod(int descriptor, unsigned mode) { return (void)mode, known(descriptor); }
int fchmodat(int folder, const char *path, unsigned mode, int flags) {
  return (void)folder, (void)mode, (void)flags, exists(path);
}
int chown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, exists(path); }
int lchown(const char *path, unsigned user, unsigned group) { return (void)user, (void)group, exists(path); }
int fchown(int descriptor, unsigned user, unsigned group) {
  return (void)user, (void)group, known(descriptor);
}
int fchownat(int folder, const char *path, unsigned user, unsigned group, int flags) {
  return (void)folder, (void)user, (void)group, (void)flags, exists(path);
}
int utimensat(int folder, const char *path, const void *times, int flags) {
  return (void)folder, (void)times, (void)flags, exists(path);
}
int futimens(int descriptor, const void *times) { return (void)times, known(descriptor); }
int utimes(const char *path, const void *times) { return (void)times, exists(path); }
int truncate(const char *path, long size) {
  int ftruncate(int, long);
  int descriptor = file_open(path, WRITE_ONLY);
  if (descriptor < 0)
    return -1;
  int result = ftruncate(descriptor, size);
  file_close(descriptor);
  return result;
}
unsigned umask(unsigned mask) {
  static unsigned known_mask = 022;
  unsigned old = known_mask;
  known_mask = mask & 0777;
  return old;
}
long pathconf(const char *path, int name) {
  (void)path;
  return name == 3 ? 255 : name == 4 ? 4096 : name == 0 ? 127 : -1;
}
long fpathconf(int descriptor, int name) { return (void)descriptor, pathconf("", name); }

/* ---- Where the program is ---- */

char *getcwd(char *to, size_t size) {
  if (file_fails(FIND_FOLDER))
    return NULL;
  if (to == NULL)
    return strdup("/");
  if (size < 2) {
    errno = size == 0 ? EINVAL : ERANGE;
    return NULL;
  }
  memcpy(to, "/", 2);
  return to;
}
char *get_current_dir_name(void) { return strdup("/"); }
int chdir(const char *path) { return is_folder(path) ? 0 : access(path, 0) == 0 ? fail(ENOTDIR) : -1; }
/* Whether a descriptor was opened for the folder. */
static bool of_folder(int descriptor) {
  int fstat(int, void *);
  struct {
    uint64_t first[3];
    uint32_t mode, rest[29];
  } status;
  return fstat(descriptor, &status) == 0 && (status.mode & 0170000) == 040000;
}
int fchdir(int descriptor) { return known(descriptor) < 0 ? -1 : of_folder(descriptor) ? 0 : fail(ENOTDIR); }
int chroot(const char *path) { return (void)path, fail(EPERM); }

char *realpath(const char *path, char *to) {
  if (!is_folder(path) && access(path, 0) != 0)
    return NULL;
  while (path[0] == '/' || (path[0] == '.' && path[1] == '/'))
    path += path[0] == '/' ? 1 : 2;
  size_t length = is_folder(path) ? 0 : strlen(path);
  if (to == NULL && (to = malloc(length + 2)) == NULL)
    return NULL;
  to[0] = '/';
  memcpy(to + 1, path, length);
  to[length + 1] = 0;
  return to;
}
char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

/* ---- The folder as a list ---- */

/* glibc's struct dirent on x86_64. */
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[256];
};

struct listing {
  struct file *next;
  unsigned place;
  int descriptor;
  struct entry entry;
};

struct listing *fdopendir(int descriptor) {
  if (known(descriptor) < 0)
    return NULL;
  if (!of_folder(descriptor)) {
    errno = ENOTDIR;
    return NULL;
  }
  struct listing *listing = malloc(sizeof *listing);
  if (listing != NULL)
    *listing = (struct listing){.next = file_first(), .descriptor = descriptor};
  return listing;
}
struct listing *opendir(const char *path) {
  int descriptor = file_open(path, READ_ONLY | FOLDER);
  return descriptor < 0 ? NULL : fdopendir(descriptor);
}
struct entry *readdir(struct listing *listing) {
  const char *name = listing->place == 0 ? "." : listing->place == 1 ? ".." : NULL;
  struct file *entry_file = NULL;
  if (name == NULL) {
    if (listing->next == NULL)
      return NULL;
    entry_file = listing->next;
    name = entry_file->name;
    listing->next = entry_file->next;
  }
  size_t length = strlen(name);
  if (length > 255)
    length = 255;
  struct entry *entry = &listing->entry;
  memcpy(entry->name, name, length);
  entry->name[length] = 0;
  entry->inode = entry_file == NULL ? 2 : entry_file->number;
  listing->place++;
  entry->offset = listing->place;
  entry->length = sizeof *entry;
  entry->type = listing->place <= 2 ? 4 : 8;
  return entry;
}
struct entry *readdir64(struct listing *listing) { return readdir(listing); }
void rewinddir(struct listing *listing) {
  listing->next = file_first();
  listing->place = 0;
}
int closedir(struct listing *listing) {
  int descriptor = listing->descriptor;
  free(listing);
  return file_close(descriptor);
}
int dirfd(struct listing *listing) { return listing->descriptor; }

/* ---- Files that are made for a while ---- */

static int make(char *name, size_t behind, int flags) {
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
    int descriptor = file_open(name, READ_AND_WRITE | CREATE | EXCLUSIVE | flags);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
}
int mkstemp(char *name) { return make(name, 0, 0); }
int mkstemp64(char *name) { return make(name, 0, 0); }
int mkostemp(char *name, int flags) { return make(name, 0, flags & APPEND); }
int mkstemps(char *name, int behind) { return make(name, (size_t)behind, 0); }
int mkostemps(char *name, int behind, int flags) { return make(name, (size_t)behind, flags & APPEND); }
/* A name that nothing has yet; empty if there is none. */
char *mktemp(char *name) {
  int descriptor = make(name, 0, 0);
  if (descriptor < 0) {
    name[0] = 0;
    return name;
  }
  file_close(descriptor);
  file_remove(name);
  return name;
}
char *mkdtemp(char *name) { return (void)name, errno = EPERM, NULL; }

/* ---- Memory by the page: the anonymous one only ---- */

void *aligned_alloc(size_t alignment, size_t size);
void *mmap(void *place, size_t size, int protection, int flags, int descriptor, long offset) {
  (void)place, (void)protection, (void)descriptor, (void)offset;
  if ((flags & 0x20) == 0 || size == 0) {
    errno = size == 0 ? EINVAL : ENODEV;
    return (void *)-1;
  }
  void *memory = aligned_alloc(4096, size);
  if (memory == NULL) {
    errno = ENOMEM;
    return (void *)-1;
  }
  return memset(memory, 0, size);
}
int munmap(void *place, size_t size) {
  (void)size;
  free(place);
  return 0;
}
void *mremap(void *place, size_t size, size_t wanted, int flags, ...) {
  if (wanted > 0 && wanted <= size)
    return place;
  if (wanted == 0 || (flags & 1) == 0) {
    errno = wanted == 0 ? EINVAL : ENOMEM;
    return (void *)-1;
  }
  /* It may move. */
  void *memory = mmap(NULL, wanted, 0, 0x20, -1, 0);
  if (memory != (void *)-1) {
    memcpy(memory, place, size);
    munmap(place, size);
  }
  return memory;
}
int mprotect(void *place, size_t size, int protection) { return (void)place, (void)size, (void)protection, 0; }
/* Which pages are there is not known: objects lie in no pages. */
int mincore(void *place, size_t size, unsigned char *present) {
  (void)place, (void)size, (void)present;
  errno = ENOSYS;
  return -1;
}
int madvise(void *place, size_t size, int advice) { return (void)place, (void)size, (void)advice, 0; }

/* ---- Names by patterns ---- */

unsigned long wctype(const char *name);
int iswctype(unsigned c, unsigned long class);

/* The character class in brackets behind `pattern`; where it ends, null if it does not. */
static const char *in_brackets(const char *pattern, unsigned char c, bool fold, bool *matches) {
  int negated = *pattern == '!' || *pattern == '^', found = 0;
  pattern += negated;
  const char *start = pattern;
  for (; *pattern != ']' || pattern == start; pattern++) {
    if (*pattern == 0)
      return NULL;
    if (pattern[0] == '[' && pattern[1] == ':') {
      char name[8];
      size_t length = 0;
      while (length < sizeof name - 1 && is_alpha((unsigned char)pattern[2 + length])) {
        name[length] = pattern[2 + length];
        length++;
      }
      name[length] = 0;
      if (pattern[2 + length] == ':' && pattern[3 + length] == ']') {
        found |= iswctype(c, wctype(name)) != 0;
        pattern += 3 + length;
        continue;
      }
    }
    if (*pattern == '\\' && pattern[1] != 0)
      pattern++;
    unsigned char low = (unsigned char)*pattern, high = low;
    if (pattern[1] == '-' && pattern[2] != ']' && pattern[2] != 0) {
      high = (unsigned char)pattern[2];
      pattern += 2;
    }
    found |= (low <= c) & (c <= high);
    if (fold)
      found |= ((low <= to_lower(c)) & (to_lower(c) <= high)) | ((low <= to_upper(c)) & (to_upper(c) <= high));
  }
  *matches = (found != 0) != (negated != 0);
  return pattern;
}

/* FNM_NOESCAPE 2, FNM_PATHNAME 1, FNM_PERIOD 4, FNM_CASEFOLD 16. */
int fnmatch(const char *pattern, const char *text, int flags) {
  const char *start = text, *star = NULL, *behind = NULL;
  bool paths = (flags & 1) != 0, fold = (flags & 16) != 0;
  for (;;) {
    unsigned char c = (unsigned char)*text;
    bool leading = c == '.' && (flags & 4) != 0 && (text == start || (paths && text[-1] == '/'));
    bool one = false;
    const char *next = pattern + 1;
    if (*pattern == '*' && !leading) {
      star = ++pattern;
      behind = text;
      continue;
    }
    if (*pattern == 0 && c == 0)
      return 0;
    if (*pattern == '?')
      one = c != 0 && !(paths && c == '/') && !leading;
    else if (*pattern == '[' && c != 0 && !(paths && c == '/') && !leading) {
      const char *end = in_brackets(pattern + 1, c, fold, &one);
      if (end == NULL)
        one = c == '[';
      else
        next = end + 1;
    } else if (*pattern != 0 && c != 0) {
      unsigned char wanted = (unsigned char)*pattern;
      if (wanted == '\\' && (flags & 2) == 0 && pattern[1] != 0) {
        wanted = (unsigned char)pattern[1];
        next = pattern + 2;
      }
      one = wanted == c || (fold && to_lower(wanted) == to_lower(c));
    }
    if (one) {
      pattern = next;
      text++;
      continue;
    }
    if (star == NULL || *behind == 0 || (paths && *behind == '/'))
      return 1;
    text = ++behind;
    pattern = star;
  }
}

/* ---- Names of before large files ---- */

ptrdiff_t pread64(int descriptor, void *to, size_t count, long offset) {
  return pread(descriptor, to, count, offset);
}
ptrdiff_t pwrite64(int descriptor, const void *from, size_t count, long offset) {
  return pwrite(descriptor, from, count, offset);
}
void *mmap64(void *place, size_t size, int protection, int flags, int descriptor, long offset) {
  return mmap(place, size, protection, flags, descriptor, offset);
}
int ftruncate64(int descriptor, long size) {
  int ftruncate(int, long);
  return ftruncate(descriptor, size);
}
int truncate64(const char *path, long size) { return truncate(path, size); }
int mkostemp64(char *name, int flags) { return mkostemp(name, flags); }
int creat64(const char *path, unsigned mode) { return (void)mode, file_open(path, WRITE_ONLY | CREATE | TRUNCATE); }
int posix_fadvise64(int descriptor, long offset, long length, int advice) {
  return posix_fadvise(descriptor, offset, length, advice);
}
int fallocate64(int descriptor, int mode, long offset, long length) {
  return fallocate(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, long offset, long length) {
  (void)offset, (void)length;
  return known(descriptor) == 0 ? 95 : errno;
}
int posix_fallocate64(int descriptor, long offset, long length) {
  return posix_fallocate(descriptor, offset, length);
}
int lockf(int descriptor, int command, long length) { return (void)command, (void)length, known(descriptor); }
int lockf64(int descriptor, int command, long length) { return lockf(descriptor, command, length); }
int msync(void *place, size_t size, int flags) { return (void)place, (void)size, (void)flags, 0; }
int mlock(const void *place, size_t size) { return (void)place, (void)size, 0; }
int munlock(const void *place, size_t size) { return (void)place, (void)size, 0; }
void *sbrk(intptr_t increment) {
  (void)increment;
  errno = ENOMEM;
  return (void *)-1;
}

/* With glibc's checks of the room. */
int __open_2(const char *path, int flags) { return file_open(path, flags); }
int __open64_2(const char *path, int flags) { return file_open(path, flags); }
int __openat_2(int folder, const char *path, int flags) { return (void)folder, file_open(path, flags); }
int __openat64_2(int folder, const char *path, int flags) { return (void)folder, file_open(path, flags); }
char *__realpath_chk(const char *path, char *to, size_t room) { return (void)room, realpath(path, to); }
char *__getcwd_chk(char *to, size_t size, size_t room) { return getcwd(to, size < room ? size : room); }
void explicit_bzero(void *to, size_t count);
void __explicit_bzero_chk(void *to, size_t count, size_t room) { (void)room, explicit_bzero(to, count); }
