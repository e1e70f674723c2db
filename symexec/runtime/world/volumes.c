/* Volumes, extended attributes and what else is known of files: all are on one volume. */
#include "../source/file.h"
#include "../source/metadata.h"

enum { EOPNOTSUPP = 95 };

int stat(const char *path, void *status);
int lstat(const char *path, void *status);
int fstat(int descriptor, void *status);
int fstatat(int folder, const char *path, void *status, int flags);
char *strstr(const char *text, const char *wanted);

static int fail(int error) {
  errno = error;
  return -1;
}

/* glibc's struct statfs, statvfs and statx on x86_64, as far as they are filled. */
struct volume {
  long type, block_size;
  uint64_t blocks, free, available, files, free_files;
  int id[2];
  long name_length, fragment_size, flags, spare[4];
};
struct portable_volume {
  unsigned long block_size, fragment_size;
  uint64_t blocks, free, available, files, free_files, available_files;
  unsigned long id, flags, name_length;
  int spare[6];
};
struct extended {
  uint32_t mask, block_size;
  uint64_t attributes;
  uint32_t links, user, group;
  uint16_t mode, padding;
  uint64_t inode, size, blocks, attributes_mask;
  struct {
    int64_t seconds;
    uint32_t nanoseconds, padding;
  } times[4];
  uint32_t devices[4];
  uint64_t mount, spare[13];
};
_Static_assert(sizeof(struct volume) == 120 && sizeof(struct portable_volume) == 112 && sizeof(struct extended) == 256,
               "glibc's sizes");

static int tell(struct volume *to) {
  memset(to, 0, sizeof *to);
  to->type = metadata_volume(0xef53);
  to->block_size = to->fragment_size = 4096;
  to->blocks = 1 << 20;
  to->free = to->available = 1 << 19;
  to->files = 1 << 16;
  to->free_files = 1 << 15;
  to->name_length = 255;
  return 0;
}
int statfs(const char *path, struct volume *to) {
  struct status status;
  return stat(path, &status) < 0 ? -1 : tell(to);
}
int fstatfs(int descriptor, struct volume *to) { return file_flags(descriptor) < 0 ? -1 : tell(to); }
int statfs64(const char *path, struct volume *to) { return statfs(path, to); }
int fstatfs64(int descriptor, struct volume *to) { return fstatfs(descriptor, to); }

static int translate(const struct volume *from, struct portable_volume *to) {
  memset(to, 0, sizeof *to);
  to->block_size = (unsigned long)from->block_size;
  to->fragment_size = (unsigned long)from->fragment_size;
  to->blocks = from->blocks;
  to->free = from->free;
  to->available = from->available;
  to->files = from->files;
  to->free_files = to->available_files = from->free_files;
  to->name_length = (unsigned long)from->name_length;
  return 0;
}
int statvfs(const char *path, struct portable_volume *to) {
  struct volume volume;
  return statfs(path, &volume) < 0 ? -1 : translate(&volume, to);
}
int fstatvfs(int descriptor, struct portable_volume *to) {
  struct volume volume;
  return fstatfs(descriptor, &volume) < 0 ? -1 : translate(&volume, to);
}
int statvfs64(const char *path, struct portable_volume *to) { return statvfs(path, to); }
int fstatvfs64(int descriptor, struct portable_volume *to) { return fstatvfs(descriptor, to); }

int statx(int folder, const char *path, int flags, unsigned mask, struct extended *to) {
  (void)mask;
  struct status status;
  if (fstatat(folder, path, &status, flags) < 0)
    return -1;
  memset(to, 0, sizeof *to);
  to->mask = 0x7ff; /* all but the time of birth */
  to->block_size = (uint32_t)status.block_size;
  to->links = (uint32_t)status.links;
  to->user = status.user;
  to->group = status.group;
  to->mode = (uint16_t)status.mode;
  to->inode = status.inode;
  to->size = (uint64_t)status.size;
  to->blocks = (uint64_t)status.blocks;
  int order[] = {0, -1, 2, 1};
  for (int i = 0; i < 4; i++)
    if (order[i] >= 0) {
      to->times[i].seconds = status.times[2 * order[i]];
      to->times[i].nanoseconds = (uint32_t)status.times[2 * order[i] + 1];
    }
  return 0;
}

/* Under glibc's names of before 2.33. */
int __xstat(int version, const char *path, void *status) { return (void)version, stat(path, status); }
int __lxstat(int version, const char *path, void *status) { return (void)version, lstat(path, status); }
int __fxstat(int version, int descriptor, void *status) { return (void)version, fstat(descriptor, status); }
int __xstat64(int version, const char *path, void *status) { return (void)version, stat(path, status); }
int __lxstat64(int version, const char *path, void *status) { return (void)version, lstat(path, status); }
int __fxstat64(int version, int descriptor, void *status) { return (void)version, fstat(descriptor, status); }

/* ---- The list of volumes ---- */

struct mounted {
  char *source, *place, *type, *options;
  int frequency, pass;
};

/* A list is the place in it. */
void *setmntent(const char *path, const char *mode) {
  (void)path, (void)mode;
  int *place = malloc(sizeof *place);
  if (place != NULL)
    *place = 0;
  return place;
}
/* As on most machines: volumes that hold no files of anybody's, a place that cannot be reached, and a part of the one
 * volume that is mounted a second time. */
struct mounted *getmntent(int *list) {
  static struct mounted all[] = {
      {"/dev/root", "/", "ext4", "rw", 0, 0},
      {"udev", "/dev", "devtmpfs", "rw,nosuid", 0, 0},
      {"proc", "/proc", "proc", "rw,nosuid", 0, 0},
      {"server:/home", "/home", "nfs", "rw", 0, 0},
      {"/dev/root", "/work", "ext4", "rw,bind", 0, 0},
  };
  return (size_t)*list < sizeof all / sizeof *all ? &all[(*list)++] : NULL;
}
int endmntent(void *list) {
  free(list);
  return 1;
}
char *hasmntopt(const struct mounted *mounted, const char *option) {
  size_t length = strlen(option);
  for (char *place = mounted->options; (place = strstr(place, option)) != NULL; place++)
    if ((place == mounted->options || place[-1] == ',') &&
        (place[length] == 0 || place[length] == ',' || place[length] == '='))
      return place;
  return NULL;
}
int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data) {
  return (void)source, (void)target, (void)type, (void)flags, (void)data, fail(1);
}
int umount(const char *target) { return (void)target, fail(1); }
int umount2(const char *target, int flags) { return (void)target, (void)flags, fail(1); }

/* ---- Extended attributes: the volume has none ---- */

ptrdiff_t getxattr(const char *path, const char *name, void *to, size_t size) {
  return (void)path, (void)name, (void)to, (void)size, fail(EOPNOTSUPP);
}
ptrdiff_t lgetxattr(const char *path, const char *name, void *to, size_t size) {
  return (void)path, (void)name, (void)to, (void)size, fail(EOPNOTSUPP);
}
ptrdiff_t fgetxattr(int descriptor, const char *name, void *to, size_t size) {
  return (void)descriptor, (void)name, (void)to, (void)size, fail(EOPNOTSUPP);
}
ptrdiff_t listxattr(const char *path, char *to, size_t size) {
  return (void)path, (void)to, (void)size, fail(EOPNOTSUPP);
}
ptrdiff_t llistxattr(const char *path, char *to, size_t size) {
  return (void)path, (void)to, (void)size, fail(EOPNOTSUPP);
}
ptrdiff_t flistxattr(int descriptor, char *to, size_t size) {
  return (void)descriptor, (void)to, (void)size, fail(EOPNOTSUPP);
}
int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return (void)path, (void)name, (void)value, (void)size, (void)flags, fail(EOPNOTSUPP);
}
int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return (void)path, (void)name, (void)value, (void)size, (void)flags, fail(EOPNOTSUPP);
}
int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
  return (void)descriptor, (void)name, (void)value, (void)size, (void)flags, fail(EOPNOTSUPP);
}
int removexattr(const char *path, const char *name) { return (void)path, (void)name, fail(EOPNOTSUPP); }

ptrdiff_t sendfile(int out, int in, long *offset, size_t count) {
  return (void)out, (void)in, (void)offset, (void)count, fail(EINVAL);
}
ptrdiff_t sendfile64(int out, int in, long *offset, size_t count) { return sendfile(out, in, offset, count); }
/* Pipes are not moved as a whole; who asks reads and writes instead. */
ptrdiff_t splice(int in, long *in_offset, int out, long *out_offset, size_t count, unsigned flags) {
  (void)in, (void)in_offset, (void)out, (void)out_offset, (void)count, (void)flags;
  return fail(EINVAL);
}
ptrdiff_t tee(int in, int out, size_t count, unsigned flags) {
  return (void)in, (void)out, (void)count, (void)flags, fail(EINVAL);
}
ptrdiff_t vmsplice(int descriptor, const void *parts, size_t count, unsigned flags) {
  return (void)descriptor, (void)parts, (void)count, (void)flags, fail(EBADF);
}
int sync_file_range(int descriptor, long offset, long count, unsigned flags) {
  return (void)offset, (void)count, (void)flags, file_flags(descriptor) < 0 ? -1 : 0;
}
