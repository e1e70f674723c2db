/* Names of files: what is known of what they lead to, and how they are made, changed, taken away and listed.
 *
 * Differs from Linux: times are 0 or what a program made them, owners stay who they are, and permissions of
 * folders are not asked. The functions that begin at the folder of a descriptor are the ones that do the work. */
#include "file.h"
#include "listed.h"
#include "metadata.h"

enum { EPERM = 1, EACCES = 13, EBUSY = 16, ENOTEMPTY = 39 };
enum { AT_ITSELF = 0x100, AT_REMOVE_FOLDER = 0x200, AT_FOLLOW = 0x400, AT_EMPTY = 0x1000, KEEP = 1 };

char *strdup(const char *text);

static int fail(int error) {
  errno = error;
  return -1;
}

/* No object lies in the first page. */
static bool is_bad(const void *place) { return (uintptr_t)place < 4096; }

/* What a path leads to; null, with errno, if nothing is there. */
static struct file *at(int folder, const char *path, enum purpose purpose) {
  struct place place;
  if (file_place(folder, path, purpose, &place) < 0)
    return NULL;
  if (place.file == NULL)
    errno = ENOENT;
  return place.file;
}

/* ---- What is known of a file ---- */

/* Files differ by their numbers; all belong to the user that the program is run by (world/identity.c). A
 * stream without a file is like a device. */
static int tell(struct file *file, struct status *status) {
  if (is_bad(status))
    return fail(EFAULT);
  memset(status, 0, sizeof *status);
  status->device = 1;
  status->user = status->group = 1000;
  status->block_size = 4096;
  status->inode = file == NULL ? 1 : file->number;
  status->mode = file == NULL ? A_DEVICE | 0666 : file->mode;
  status->links = file == NULL ? 1 : file->links;
  status->size = file == NULL || is_device(file) ? 0 : (int64_t)file->size;
  status->blocks = (status->size + 511) / 512;
  if (file != NULL)
    memcpy(status->times, file->times, sizeof file->times);
  if (file != NULL && is_folder(file) && file->links > 0) {
    status->links = 2;
    for (const struct name *name = file->names; name != NULL; name = name->next)
      status->links += is_folder(name->file);
  }
  const struct status *unknown = file == NULL ? NULL : metadata_of(file);
  if (unknown != NULL) {
    uint64_t inode = status->inode;
    int64_t size = status->size, blocks = status->blocks;
    *status = *unknown;
    status->inode = inode;
    status->size = size;
    status->blocks = blocks;
  }
  return 0;
}

int fstat(int descriptor, struct status *status) {
  return file_flags(descriptor) < 0 ? -1 : tell(metadata_behind(descriptor), status);
}
int fstatat(int folder, const char *path, struct status *status, int flags) {
  if ((flags & AT_EMPTY) != 0 && *path == 0)
    return folder == AT_HERE ? tell(tree_current, status) : fstat(folder, status);
  struct file *file = at(folder, path, (flags & AT_ITSELF) != 0 ? ITSELF : FOLLOW);
  return file == NULL ? -1 : tell(file, status);
}
int stat(const char *path, struct status *status) { return fstatat(AT_HERE, path, status, 0); }
int lstat(const char *path, struct status *status) { return fstatat(AT_HERE, path, status, AT_ITSELF); }
int stat64(const char *path, struct status *status) { return stat(path, status); }
int lstat64(const char *path, struct status *status) { return lstat(path, status); }
int fstat64(int descriptor, struct status *status) { return fstat(descriptor, status); }
int fstatat64(int folder, const char *path, struct status *status, int flags) {
  return fstatat(folder, path, status, flags);
}

/* ---- Permissions: those of the owner ---- */

int faccessat(int folder, const char *path, int mode, int flags) {
  struct file *file = at(folder, path, (flags & AT_ITSELF) != 0 ? ITSELF : FOLLOW);
  if (file == NULL)
    return -1;
  uint32_t wanted = (uint32_t)(mode & 7) << 6;
  bool allowed = is_folder(file) || is_link(file);
  if (!allowed)
    allowed = file->unknown != NULL ? metadata_lets(file, (uint32_t)(mode & 7)) : (file->mode & wanted) == wanted;
  return allowed ? 0 : fail(EACCES);
}
int access(const char *path, int mode) { return faccessat(AT_HERE, path, mode, 0); }

static int change_mode(struct file *file, unsigned mode) {
  struct status *unknown = metadata_of(file);
  if (!metadata_is_own(file))
    return fail(EPERM);
  file->mode = (file->mode & KIND) | (mode & 07777);
  if (unknown != NULL)
    unknown->mode = (unknown->mode & KIND) | (mode & 07777);
  return 0;
}

int fchmodat(int folder, const char *path, unsigned mode, int flags) {
  struct file *file = at(folder, path, (flags & AT_ITSELF) != 0 ? ITSELF : FOLLOW);
  return file == NULL ? -1 : change_mode(file, mode);
}
int chmod(const char *path, unsigned mode) { return fchmodat(AT_HERE, path, mode, 0); }
int fchmod(int descriptor, unsigned mode) {
  if (file_flags(descriptor) < 0)
    return -1;
  struct file *file = file_of(descriptor);
  return file == NULL ? 0 : change_mode(file, mode);
}
unsigned umask(unsigned mask) {
  unsigned old = file_mask;
  file_mask = mask & 0777;
  return old;
}

/* ---- Made ---- */

/* The place where a new name is to be; an error if there is something. */
static int to_make(int folder, const char *path, bool a_folder, struct place *place) {
  if (file_place(folder, path, MAKE, place) < 0)
    return -1;
  if (place->file != NULL)
    return fail(EEXIST);
  return tree_goes_on(place) || (!a_folder && place->last[strlen(place->last) - 1] == '/') ? fail(ENOENT) : 0;
}
static int enter(const struct place *place, struct file *file) {
  int error = file == NULL ? ENOMEM : tree_enter(place, file);
  return error == 0 ? 0 : fail(error);
}

int mkdirat(int folder, const char *path, unsigned mode) {
  struct place place;
  if (to_make(folder, path, true, &place) < 0)
    return -1;
  return enter(&place, tree_new(A_FOLDER | (mode & 01777 & ~file_mask), 4096));
}
int mkdir(const char *path, unsigned mode) { return mkdirat(AT_HERE, path, mode); }

int file_make(int folder, const char *path, uint32_t mode) {
  struct place place;
  return to_make(folder, path, false, &place) < 0 ? -1 : enter(&place, tree_new(mode & ~file_mask, 0));
}

int symlinkat(const char *text, int folder, const char *path) {
  struct place place;
  if (is_bad(text))
    return fail(EFAULT);
  size_t length = strlen(text);
  if (length == 0)
    return fail(ENOENT);
  if (to_make(folder, path, false, &place) < 0)
    return -1;
  struct file *link = tree_new(A_LINK | 0777, length + 1);
  if (link == NULL)
    return fail(ENOMEM);
  memcpy(link->bytes, text, length);
  link->size = length;
  return enter(&place, link);
}
int symlink(const char *text, const char *path) { return symlinkat(text, AT_HERE, path); }

int linkat(int folder, const char *from, int other, const char *to, int flags) {
  struct file *file = at(folder, from, (flags & AT_FOLLOW) != 0 ? FOLLOW : ITSELF);
  struct place place;
  if (file == NULL || to_make(other, to, false, &place) < 0)
    return -1;
  if (is_folder(file))
    return fail(EPERM);
  return enter(&place, file);
}
int link(const char *from, const char *to) { return linkat(AT_HERE, from, AT_HERE, to, 0); }

ptrdiff_t readlinkat(int folder, const char *path, char *to, size_t size) {
  if (size == 0)
    return fail(EINVAL);
  struct file *file = at(folder, path, ITSELF);
  if (file == NULL)
    return -1;
  if (!is_link(file))
    return fail(EINVAL);
  if (size > file->size)
    size = file->size;
  memcpy(to, file->bytes, size);
  return (ptrdiff_t)size;
}
ptrdiff_t readlink(const char *path, char *to, size_t size) { return readlinkat(AT_HERE, path, to, size); }

/* ---- Taken away ---- */

int unlinkat(int folder, const char *path, int flags) {
  struct place place;
  bool folders = (flags & AT_REMOVE_FOLDER) != 0;
  if (file_place(folder, path, MAKE, &place) < 0)
    return -1;
  if (place.file == NULL)
    return fail(ENOENT);
  if (!is_folder(place.file) && (folders || place.slash))
    return fail(ENOTDIR);
  if (!folders && is_folder(place.file))
    return fail(EISDIR);
  if (place.name == NULL)
    return fail(place.dots == NULL ? EBUSY : place.dots[1] == 0 ? EINVAL : ENOTEMPTY);
  if (folders && place.file->names != NULL)
    return fail(ENOTEMPTY);
  tree_leave(&place);
  return 0;
}
int unlink(const char *path) { return unlinkat(AT_HERE, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_HERE, path, AT_REMOVE_FOLDER); }
int remove(const char *path) {
  int before = errno;
  if (unlink(path) == 0)
    return 0;
  if (errno != EISDIR)
    return -1;
  errno = before;
  return rmdir(path);
}

/* ---- Changed ---- */

static bool is_within(const struct file *folder, const struct file *other) {
  while (folder != other && folder != folder->parent)
    folder = folder->parent;
  return folder == other;
}

int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
  struct place old, new;
  if (file_place(folder, from, MAKE, &old) < 0)
    return -1;
  if (tree_goes_on(&old))
    return fail(ENOENT);
  if (file_place(other, to, MAKE, &new) < 0)
    return -1;
  if (flags & ~(unsigned)KEEP)
    return fail(EINVAL);
  if (tree_goes_on(&new))
    return fail(ENOENT);
  if (old.file != NULL && old.name == NULL)
    return fail(EBUSY);
  if (new.file != NULL && new.name == NULL)
    return fail((flags & KEEP) != 0 ? EEXIST : EBUSY);
  if (old.file == NULL)
    return fail(ENOENT);
  if (new.file != NULL && (flags & KEEP) != 0)
    return fail(EEXIST);
  struct file *file = old.file;
  bool slash = old.slash || new.slash || (new.file == NULL && to[strlen(to) - 1] == '/');
  if (slash && !is_folder(file))
    return fail(ENOTDIR);
  if (is_folder(file) && is_within(new.folder, file))
    return fail(EINVAL);
  if (new.file != NULL && is_folder(new.file) && is_within(old.folder, new.file))
    return fail(ENOTEMPTY);
  if (new.file == file)
    return 0;
  struct name *name = *old.name;
  if (new.file == NULL) {
    int error = tree_enter(&new, file);
    if (error != 0)
      return fail(error);
  } else {
    if (is_folder(file) && !is_folder(new.file))
      return fail(ENOTDIR);
    if (!is_folder(file) && is_folder(new.file))
      return fail(EISDIR);
    if (is_folder(file) && new.file->names != NULL)
      return fail(ENOTEMPTY);
    new.file->links--;
    (*new.name)->file = file;
    file->links++;
    if (is_folder(file))
      file->parent = new.folder;
  }
  /* The new name may have come in front of the old one. */
  for (old.name = &old.folder->names; *old.name != name; old.name = &(*old.name)->next) {
  }
  tree_leave(&old);
  return 0;
}
int renameat(int folder, const char *from, int other, const char *to) {
  return renameat2(folder, from, other, to, 0);
}
int rename(const char *from, const char *to) { return renameat2(AT_HERE, from, AT_HERE, to, 0); }

/* ---- Where the program is ---- */

static int enter_folder(struct file *folder) {
  if (!is_folder(folder))
    return fail(ENOTDIR);
  tree_current = folder;
  return 0;
}
int chdir(const char *path) {
  struct file *folder = at(AT_HERE, path, FOLLOW);
  return folder == NULL ? -1 : enter_folder(folder);
}
int fchdir(int descriptor) {
  if (file_flags(descriptor) < 0)
    return -1;
  struct file *folder = file_of(descriptor);
  return folder == NULL ? fail(ENOTDIR) : enter_folder(folder);
}

char *get_current_dir_name(void) { return tree_path(tree_current); }
char *getcwd(char *to, size_t size) {
  if (file_fails(FIND_FOLDER))
    return NULL;
  if (to != NULL && size == 0) {
    errno = EINVAL;
    return NULL;
  }
  char *path = tree_path(tree_current);
  size_t length = path == NULL ? 0 : strlen(path) + 1;
  if (path == NULL || (to == NULL && size == 0))
    return path;
  if (length > size) {
    free(path);
    errno = ERANGE;
    return NULL;
  }
  if (to == NULL && (to = malloc(size)) == NULL)
    return NULL;
  memcpy(to, path, length);
  free(path);
  return to;
}

char *realpath(const char *path, char *to) {
  struct place place;
  if (path == NULL) {
    errno = EINVAL;
    return NULL;
  }
  if (file_place(AT_HERE, path, FOLLOW, &place) < 0)
    return NULL;
  if (place.file == NULL) {
    errno = ENOENT;
    return NULL;
  }
  bool folder = is_folder(place.file);
  char *start = tree_path(folder ? place.file : place.folder);
  const char *last = folder ? "" : (*place.name)->text;
  if (start == NULL)
    return NULL;
  size_t length = strlen(start), rest = strlen(last);
  bool slash = !folder && length > 1;
  if (to == NULL && (to = malloc(length + slash + rest + 1)) == NULL)
    return NULL;
  memcpy(to, start, length);
  to[length] = '/';
  memcpy(to + length + slash, last, rest + 1);
  free(start);
  return to;
}
char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

/* ---- Listed ---- */

struct listing {
  struct file *folder;
  struct name *next;
  long place;
  int descriptor;
  struct listed entry;
};

void rewinddir(struct listing *listing) {
  listing->next = listing->folder->names;
  listing->place = 0;
}
struct listing *fdopendir(int descriptor) {
  if (file_flags(descriptor) < 0)
    return NULL;
  struct file *folder = file_of(descriptor);
  if (folder == NULL || !is_folder(folder)) {
    errno = ENOTDIR;
    return NULL;
  }
  struct listing *listing = malloc(sizeof *listing);
  if (listing != NULL) {
    *listing = (struct listing){.folder = folder, .descriptor = descriptor};
    rewinddir(listing);
  }
  return listing;
}
struct listing *opendir(const char *path) {
  int descriptor = file_open(AT_HERE, path, READ_ONLY | FOLDER | CLOSE_ON_EXEC, 0);
  return descriptor < 0 ? NULL : fdopendir(descriptor);
}
struct listed *readdir(struct listing *listing) {
  const char *text = listing->place == 0 ? "." : "..";
  struct file *file = listing->place == 0 ? listing->folder : listing->folder->parent;
  if (listing->place >= 2) {
    if (listing->next == NULL)
      return NULL;
    text = listing->next->text;
    file = listing->next->file;
    listing->next = listing->next->next;
  }
  struct listed *entry = &listing->entry;
  memcpy(entry->name, text, strlen(text) + 1);
  entry->inode = file->number;
  entry->offset = ++listing->place;
  entry->length = sizeof *entry;
  entry->type = (uint8_t)(file->mode >> 12); /* DT_DIR and its relatives */
  return entry;
}
struct listed *readdir64(struct listing *listing) { return readdir(listing); }
int readdir_r(struct listing *listing, struct listed *to, struct listed **told) {
  struct listed *entry = readdir(listing);
  *told = entry == NULL ? NULL : memcpy(to, entry, offsetof(struct listed, name) + strlen(entry->name) + 1);
  return 0;
}
int readdir64_r(struct listing *listing, struct listed *to, struct listed **told) { return readdir_r(listing, to, told); }
long telldir(struct listing *listing) { return listing->place; }
void seekdir(struct listing *listing, long place) {
  rewinddir(listing);
  while (listing->place < place && readdir(listing) != NULL) {
  }
}
int closedir(struct listing *listing) {
  int descriptor = listing->descriptor;
  free(listing);
  return file_close(descriptor);
}
int dirfd(struct listing *listing) { return listing->descriptor; }
