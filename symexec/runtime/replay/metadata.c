/* Files whose metadata are a test's, where the test has them (--sym-metadata), for a program that runs natively.
 *
 * The file that REPLAY_METADATA names has a line for each: the file's name (`stdin` and `stdout` are the streams)
 * and the bytes of a struct stat; and for `volume`, the type of the volume that they are on. What the program asks the system about these files is asked, and then answered as
 * the test says; sizes and numbers stay the machine's, as in the engine's model (runtime/source/metadata.c), which
 * tells what a pipe and a terminal do. x86_64 only, where the kernel's struct stat is glibc's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

/* Whose program it is, in the engine's model. */
enum { MOST = 64, USER = 1000 };

/* A file of the machine, and what it is said to be. */
static struct known {
  struct stat real, told;
} files[MOST];
static int file_count;
static unsigned long volume_type;
static bool has_volume;

static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

__attribute__((constructor)) static void read_metadata(void) {
  const char *path = getenv("REPLAY_METADATA");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  char name[4096], digits[2 * sizeof(struct stat) + 1];
  while (file != NULL && file_count < MOST && fscanf(file, " %4095s %288s", name, digits) == 2) {
    if (strcmp(name, "volume") == 0) {
      has_volume = true;
      /* Bytes from the least on. */
      for (int i = 7; i >= 0; i--)
        volume_type = volume_type << 8 | digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]);
      continue;
    }
    struct known *known = &files[file_count];
    int stream = strcmp(name, "stdin") == 0 ? 0 : strcmp(name, "stdout") == 0 ? 1 : -1;
    long found = stream >= 0 ? syscall(SYS_fstat, stream, &known->real)
                             : syscall(SYS_newfstatat, AT_FDCWD, name, &known->real, 0);
    for (size_t i = 0; i < sizeof known->told; i++)
      ((unsigned char *)&known->told)[i] = (unsigned char)(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
    file_count += found == 0;
  }
  if (file != NULL)
    fclose(file);
}

static struct known *known_as(const struct stat *real) {
  for (int i = 0; i < file_count; i++)
    if (files[i].real.st_dev == real->st_dev && files[i].real.st_ino == real->st_ino)
      return &files[i];
  return NULL;
}

static struct known *known_at(int descriptor) {
  struct stat real;
  return syscall(SYS_fstat, descriptor, &real) == 0 ? known_as(&real) : NULL;
}

/* Says of a file what the test says. */
static int told(long result, struct stat *status) {
  const struct known *known = result == 0 ? known_as(status) : NULL;
  if (known == NULL)
    return (int)result;
  struct stat real = *status;
  *status = known->told;
  status->st_ino = real.st_ino;
  status->st_size = real.st_size;
  status->st_blocks = real.st_blocks;
  return 0;
}

int fstatat(int folder, const char *path, struct stat *status, int flags) {
  return told(syscall(SYS_newfstatat, folder, path, status, flags), status);
}
int fstat(int descriptor, struct stat *status) { return told(syscall(SYS_fstat, descriptor, status), status); }
int stat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, 0); }
int lstat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW); }
int fstatat64(int folder, const char *path, struct stat64 *status, int flags) {
  return fstatat(folder, path, (struct stat *)status, flags);
}
int fstat64(int descriptor, struct stat64 *status) { return fstat(descriptor, (struct stat *)status); }
int stat64(const char *path, struct stat64 *status) { return stat(path, (struct stat *)status); }
int lstat64(const char *path, struct stat64 *status) { return lstat(path, (struct stat *)status); }

static int of_volume(long result, struct statfs *status) {
  if (result == 0 && has_volume)
    status->f_type = (long)volume_type;
  return (int)result;
}
int statfs(const char *path, struct statfs *status) { return of_volume(syscall(SYS_statfs, path, status), status); }
int fstatfs(int descriptor, struct statfs *status) {
  return of_volume(syscall(SYS_fstatfs, descriptor, status), status);
}
int statfs64(const char *path, struct statfs64 *status) { return statfs(path, (struct statfs *)status); }
int fstatfs64(int descriptor, struct statfs64 *status) { return fstatfs(descriptor, (struct statfs *)status); }

static int changed(long result, struct known *known, mode_t mode) {
  if (result == 0 && known != NULL)
    known->told.st_mode = (known->told.st_mode & S_IFMT) | (mode & 07777);
  return (int)result;
}
static int fail(int error) {
  errno = error;
  return -1;
}
static bool is_anothers(const struct known *known) { return known != NULL && known->told.st_uid != USER; }
static struct known *known_by(int folder, const char *path, int flags) {
  struct stat real;
  return syscall(SYS_newfstatat, folder, path, &real, flags) == 0 ? known_as(&real) : NULL;
}

int fchmodat(int folder, const char *path, mode_t mode, int flags) {
  struct stat real;
  long found = syscall(SYS_newfstatat, folder, path, &real, flags);
  if (found == 0 && is_anothers(known_as(&real)))
    return fail(EPERM);
  return changed(syscall(SYS_fchmodat, folder, path, mode), found == 0 ? known_as(&real) : NULL, mode);
}
int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }
int fchmod(int descriptor, mode_t mode) {
  if (is_anothers(known_at(descriptor)))
    return fail(EPERM);
  return changed(syscall(SYS_fchmod, descriptor, mode), known_at(descriptor), mode);
}

static bool is_terminal(int descriptor) {
  const struct known *known = known_at(descriptor);
  return known != NULL && S_ISCHR(known->told.st_mode);
}

static bool is_stream(const struct known *known) {
  return S_ISFIFO(known->told.st_mode) || S_ISCHR(known->told.st_mode);
}

off_t lseek(int descriptor, off_t offset, int from) {
  const struct known *known = known_at(descriptor);
  return known == NULL || !is_stream(known) ? syscall(SYS_lseek, descriptor, offset, from) : fail(ESPIPE);
}
off64_t lseek64(int descriptor, off64_t offset, int from) { return lseek(descriptor, offset, from); }

/* Whatever the streams of the machine are. */
int fsync(int descriptor) {
  const struct known *known = known_at(descriptor);
  if (known == NULL)
    return (int)syscall(SYS_fsync, descriptor);
  return is_stream(known) ? fail(EINVAL) : 0;
}
int fdatasync(int descriptor) { return fsync(descriptor); }
int ftruncate(int descriptor, off_t size) {
  const struct known *known = known_at(descriptor);
  bool fails = known != NULL && !S_ISREG(known->told.st_mode);
  return fails ? fail(EINVAL) : (int)syscall(SYS_ftruncate, descriptor, size);
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

static struct termios terminal = {
    .c_iflag = 02400,
    .c_oflag = 05,
    .c_cflag = 0277,
    .c_lflag = 0105073,
    .c_cc = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0},
    .c_ispeed = 017,
    .c_ospeed = 017,
};
static struct winsize window = {24, 80, 0, 0};

int ioctl(int descriptor, unsigned long request, ...) {
  va_list more;
  va_start(more, request);
  void *argument = va_arg(more, void *);
  va_end(more);
  if (!is_terminal(descriptor))
    return (int)syscall(SYS_ioctl, descriptor, request, argument);
  if (request == TIOCGWINSZ)
    memcpy(argument, &window, sizeof window);
  else if (request == TIOCSWINSZ)
    memcpy(&window, argument, sizeof window);
  else if (request == TCGETS)
    memcpy(argument, &terminal, 36);
  else {
    errno = EINVAL;
    return -1;
  }
  return 0;
}
/* What is no terminal in the test is none here either, whatever the streams of the machine are. */
static bool refused(int descriptor) {
  if (is_terminal(descriptor))
    return false;
  errno = ENOTTY;
  return true;
}
int isatty(int descriptor) { return !refused(descriptor); }
char *ttyname(int descriptor) { return refused(descriptor) ? NULL : (char *)"/dev/tty"; }
int tcgetattr(int descriptor, struct termios *to) {
  if (refused(descriptor))
    return -1;
  *to = terminal;
  return 0;
}
int tcsetattr(int descriptor, int when, const struct termios *from) {
  if (refused(descriptor))
    return -1;
  if (when < 0 || when > 2) {
    errno = EINVAL;
    return -1;
  }
  terminal = *from;
  return 0;
}
int tcflush(int descriptor, int queue) { return (void)queue, refused(descriptor) ? -1 : 0; }
int tcdrain(int descriptor) { return refused(descriptor) ? -1 : 0; }

/* ---- Permissions, whoever runs the test ---- */

/* Whether a file lets the program's user do what these bits (4, 2, 1) say. */
static bool lets(const struct known *known, unsigned bits) {
  if (known == NULL)
    return true;
  const struct stat *told = &known->told;
  unsigned given = told->st_uid == USER ? told->st_mode >> 6 : told->st_gid == USER ? told->st_mode >> 3 : told->st_mode;
  return (given & bits) == bits;
}

static unsigned bits_of(int flags) {
  int access = flags & O_ACCMODE;
  return (access != O_WRONLY ? 4u : 0) | (access != O_RDONLY || (flags & O_TRUNC) != 0 ? 2u : 0);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, unsigned) : 0;
  va_end(more);
  if (!lets(known_by(folder, path, 0), bits_of(flags)))
    return fail(EACCES);
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}
int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, unsigned) : 0;
  va_end(more);
  return openat(AT_FDCWD, path, flags, mode);
}
int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
int creat(const char *path, mode_t mode) { return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

FILE *fopen(const char *path, const char *mode) {
  unsigned bits = strchr(mode, '+') != NULL ? 6 : *mode == 'r' ? 4 : 2;
  if (!lets(known_by(AT_FDCWD, path, 0), bits)) {
    errno = EACCES;
    return NULL;
  }
  FILE *(*machines)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  return machines == NULL ? NULL : machines(path, mode);
}
FILE *fopen64(const char *, const char *) __attribute__((alias("fopen")));

int faccessat(int folder, const char *path, int mode, int flags) {
  const struct known *known = known_by(folder, path, flags & AT_SYMLINK_NOFOLLOW);
  if (known == NULL)
    return (int)syscall(SYS_faccessat, folder, path, mode);
  return lets(known, (unsigned)mode & 7) ? 0 : fail(EACCES);
}
int access(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, 0); }
int euidaccess(const char *path, int mode) { return access(path, mode); }
int eaccess(const char *path, int mode) { return access(path, mode); }
