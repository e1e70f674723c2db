/* Files in memory and the descriptors through which programs see them: open, read, write, lseek.
 *
 * There are the files with which the program was started (start.c), whose bytes may be unknown, and
 * those that it makes itself (tree.c). Nothing of the machine's file system is seen: what is not there cannot
 * be opened (ENOENT). Descriptors 1 and 2 lead to the engine; /dev/null takes everything and has nothing.
 * A pipe with a name (mkfifo) is one whose writers have come and gone: it is read as empty, and opening it to write
 * fails, as nobody reads.
 * Differs from Linux: permissions are those of the owner, who may do everything with folders, and there are no
 * times; a call that could be interrupted never is; at most 64 descriptors.
 */
#include "file.h"
#include "metadata.h"

ptrdiff_t __symexec_write(int descriptor, const void *bytes, size_t count);
char *strchr(const char *text, int character);

/* What is in a device that has no content, by its number in /dev (tree.c). */
enum device { NOTHING, ZEROS, NO_ROOM, FIRST_STREAM };
enum { ENXIO = 6, EACCES = 13, ELOOP = 40 };

/* An open file: descriptors that were duplicated share it. */
struct opening {
  struct file *file;  /* null: nothing to read */
  int sink;           /* where written bytes go without a file: a descriptor of the engine, or 0 for nowhere */
  enum device device; /* what there is without a file */
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

/* Which descriptors do not outlive exec; of those that are not open, none. */
static bool closing[DESCRIPTORS];

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

unsigned file_mask = 022;

struct file *file_add(const char *name, size_t size) {
  char *path = malloc(strlen(name) + 1);
  struct file *file = tree_new(AN_ORDINARY_FILE | 0644, size);
  if (path == NULL || file == NULL)
    return NULL;
  memcpy(path, name, strlen(name) + 1);
  struct place place;
  for (char *slash = strchr(path + 1, '/'); *path != 0 && slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (tree_walk(tree_current, path, true, &place) == 0 && place.file == NULL)
      tree_enter(&place, tree_new(A_FOLDER | 0755, 4096));
    *slash = '/';
  }
  if (tree_walk(tree_current, path, true, &place) != 0)
    return NULL;
  if (place.name != NULL) {
    tree_leave(&place);
    place.last = path + strlen(path);
    while (place.last > path && place.last[-1] != '/')
      place.last--;
  }
  return place.last != NULL && tree_enter(&place, file) == 0 ? file : NULL;
}

void file_of_input(struct file *file) { standard[0].file = file; }

int file_place(int folder, const char *path, enum purpose purpose, struct place *to) {
  if (is_bad(path))
    return fail(EFAULT);
  struct file *from = tree_current;
  if (folder != AT_HERE && *path != '/') {
    struct opening *opening = opening_of(folder);
    if (opening == NULL)
      return -1;
    if (opening->file == NULL || !is_folder(opening->file))
      return fail(ENOTDIR);
    from = opening->file;
  }
  int error = tree_walk(from, path, purpose, to);
  return error == 0 ? 0 : fail(error);
}

static int lowest_free(int from) {
  for (int i = from; i < DESCRIPTORS; i++)
    if (descriptors[i] == NULL)
      return i;
  return fail(EMFILE);
}

/* The file that is at a place, or is made there; null, with errno, if it cannot be opened so. */
static struct file *to_be_opened(const struct place *place, int flags, unsigned mode) {
  struct file *file = place->file;
  bool makes = (flags & CREATE) != 0, writes = (flags & ACCESS) != READ_ONLY || (flags & TRUNCATE) != 0;
  int error = 0;
  if (file == NULL) {
    if (!makes)
      error = ENOENT;
    else if ((file = tree_new(AN_ORDINARY_FILE | (mode & 07777 & ~file_mask), 0)) == NULL)
      error = ENOMEM;
    else
      error = tree_enter(place, file);
  } else if (makes && place->slash)
    error = EISDIR;
  else if (makes && (flags & EXCLUSIVE) != 0)
    error = EEXIST;
  else if (is_link(file))
    error = (flags & FOLDER) != 0 ? ENOTDIR : ELOOP;
  else if (is_folder(file))
    error = makes || writes ? EISDIR : 0;
  else if ((flags & FOLDER) != 0)
    error = ENOTDIR;
  else if (is_socket(file) || (is_pipe(file) && (flags & ACCESS) == WRITE_ONLY))
    error = ENXIO;
  else if (((flags & ACCESS) != WRITE_ONLY && (file->mode & 0400) == 0) || (writes && (file->mode & 0200) == 0))
    error = EACCES;
  else if (!metadata_lets(file, ((flags & ACCESS) != WRITE_ONLY ? 4 : 0) | (writes ? 2 : 0)))
    error = EACCES;
  errno = error == 0 ? errno : error;
  return error == 0 ? file : NULL;
}

int file_open(int folder, const char *path, int flags, unsigned mode) {
  struct place place;
  bool follows = (flags & NO_LINK) == 0 && (flags & (CREATE | EXCLUSIVE)) != (CREATE | EXCLUSIVE);
  bool makes = (flags & CREATE) != 0;
  if (is_bad(path))
    return fail(EFAULT);
  int descriptor = lowest_free(0);
  if (descriptor < 0)
    return -1;
  if (file_place(folder, path, makes ? follows ? FOLLOW_TO_MAKE : MAKE : follows ? FOLLOW : ITSELF, &place) < 0)
    return -1;
  struct file *file = to_be_opened(&place, flags, mode);
  if (file == NULL)
    return -1;
  enum device device = NOTHING;
  if (is_device(file)) {
    device = (enum device)file->size;
    if (device >= FIRST_STREAM) {
      descriptor = file_duplicate((int)(device - FIRST_STREAM), 0);
      if (descriptor >= 0)
        closing[descriptor] = (flags & CLOSE_ON_EXEC) != 0;
      return descriptor;
    }
    file = NULL;
  } else if (flags & TRUNCATE)
    file->size = 0;
  if (file_over(file, flags) < 0)
    return -1;
  descriptors[descriptor]->device = device;
  return descriptor;
}

int file_over(struct file *file, int flags) {
  int descriptor = lowest_free(0);
  struct opening *opening = malloc(sizeof *opening);
  if (descriptor < 0 || opening == NULL)
    return descriptor < 0 ? -1 : fail(ENOMEM);
  *opening = (struct opening){.file = file, .flags = flags, .users = 1};
  descriptors[descriptor] = opening;
  closing[descriptor] = (flags & CLOSE_ON_EXEC) != 0;
  return descriptor;
}

struct file *file_of(int descriptor) {
  struct opening *opening = opening_of(descriptor);
  return opening == NULL ? NULL : opening->file;
}

/* A descriptor, which is open, is no longer. */
static void let_go(int descriptor) {
  struct opening *opening = descriptors[descriptor];
  descriptors[descriptor] = NULL;
  closing[descriptor] = false;
  if (--opening->users == 0 && (opening < standard || opening >= standard + 3))
    free(opening);
}

int file_close(int descriptor) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL || file_fails(CLOSE))
    return -1;
  const struct handlers *handlers = opening->file != NULL && opening->users == 1 ? opening->file->handlers : NULL;
  let_go(descriptor);
  return handlers != NULL && handlers->close != NULL ? handlers->close(handlers->cookie) : 0;
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
  if (opening->file != NULL && is_folder(opening->file))
    return fail(EISDIR);
  const struct handlers *handlers = opening->file == NULL ? NULL : opening->file->handlers;
  if (handlers != NULL)
    return handlers->read == NULL ? -1 : handlers->read(handlers->cookie, to, count);
  if (opening->file == NULL && opening->device != NOTHING) {
    memset(to, 0, count);
    return (ptrdiff_t)count;
  }
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
  if (size > file->room && (file->fixed || file->mapped > 0))
    return false;
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

bool file_maps(struct file *file, size_t room) {
  void *aligned_alloc(size_t, size_t);
  enum { PAGE = 4096 };
  if (room < file->size)
    room = (file->size + PAGE - 1) / PAGE * PAGE;
  if (file->mapped > 0 && room > file->room)
    return false;
  if (file->mapped == 0) {
    unsigned char *bytes = aligned_alloc(PAGE, room);
    if (bytes == NULL)
      return false;
    memset(bytes, 0, room);
    memcpy(bytes, file->bytes, file->size);
    free(file->bytes);
    file->bytes = bytes;
    file->room = room;
  }
  file->mapped++;
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
  if (opening->file == NULL && opening->device == NO_ROOM && count > 0)
    return fail(ENOSPC);
  if (opening->file == NULL)
    return opening->sink == 0 ? (ptrdiff_t)count : __symexec_write(opening->sink, from, count);
  if (count == 0)
    return 0;
  const struct handlers *handlers = opening->file->handlers;
  if (handlers != NULL)
    return handlers->write == NULL ? -1 : handlers->write(handlers->cookie, from, count);
  if (opening->flags & APPEND)
    opening->position = opening->file->size;
  struct file *file = opening->file;
  if (file->fixed && opening->position < file->room && count > file->room - opening->position)
    count = file->room - opening->position;
  if (!grow(file, opening->position + count))
    return fail(ENOSPC);
  memcpy(opening->file->bytes + opening->position, from, count);
  opening->position += count;
  /* An array that a stream writes ends with a zero as long as there is room. */
  if (file->fixed && file->size == opening->position && file->size < file->room)
    file->bytes[file->size] = 0;
  return (ptrdiff_t)count;
}

long file_seek(int descriptor, long offset, int from) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if (opening->file == NULL)
    return opening->sink == 0 && (opening < standard || opening >= standard + 3) ? 0 : fail(ESPIPE);
  const struct handlers *handlers = opening->file->handlers;
  if (handlers != NULL)
    return handlers->seek == NULL ? fail(EINVAL) : handlers->seek(handlers->cookie, &offset, from) != 0 ? -1 : offset;
  if (metadata_is(opening->file, A_PIPE) || metadata_is_terminal(descriptor))
    return fail(ESPIPE);
  long start = from == FROM_START  ? 0
               : from == FROM_HERE ? (long)opening->position
               : from == FROM_END  ? (long)opening->file->size
                                   : -1;
  if (start < 0 || offset < -start || offset > LONG_MAX - start)
    return fail(EINVAL);
  opening->position = (size_t)(start + offset);
  return start + offset;
}

bool file_is_sink(int descriptor) {
  struct opening *opening = descriptor >= 0 && descriptor < DESCRIPTORS ? descriptors[descriptor] : NULL;
  return opening != NULL && opening->file == NULL;
}

int file_flags(int descriptor) {
  struct opening *opening = opening_of(descriptor);
  return opening == NULL ? -1 : opening->flags & ~(CREATE | EXCLUSIVE | TRUNCATE | CLOSE_ON_EXEC);
}

int file_set_flags(int descriptor, int flags) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  opening->flags = (opening->flags & ACCESS) | (flags & ~ACCESS);
  return 0;
}

bool file_closes(int descriptor) { return closing[descriptor]; }
void file_set_closes(int descriptor, bool closes) { closing[descriptor] = closes; }

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
  struct file *file = tree_new(A_PIPE | 0600, 0);
  if (file == NULL)
    return fail(ENOMEM);
  int made[2];
  for (int i = 0; i < 2; i++) {
    struct opening *opening = malloc(sizeof *opening);
    int descriptor = lowest_free(0);
    if (opening == NULL || descriptor < 0) {
      free(opening);
      if (i == 1)
        let_go(made[0]);
      return fail(EMFILE);
    }
    *opening = (struct opening){.file = file, .flags = i == 0 ? READ_ONLY : WRITE_ONLY | APPEND, .users = 1};
    descriptors[descriptor] = opening;
    made[i] = descriptor;
  }
  ends[0] = made[0];
  ends[1] = made[1];
  return 0;
}

/* ---- The names that programs know ---- */

/* The mode behind the flags. Programs forget it, and get a mode of no meaning from the system. */
static unsigned mode_behind(int flags, va_list arguments) {
  const struct {
    unsigned general, floating;
    const void *stack, *saved;
  } *list = (const void *)arguments;
  if ((flags & CREATE) == 0 || (list->general >= 48 && __symexec_room(list->stack) < sizeof(unsigned)))
    return 0600;
  return va_arg(arguments, unsigned);
}
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = mode_behind(flags, arguments);
  va_end(arguments);
  return file_open(AT_HERE, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = mode_behind(flags, arguments);
  va_end(arguments);
  return file_open(AT_HERE, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = mode_behind(flags, arguments);
  va_end(arguments);
  return file_open(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = mode_behind(flags, arguments);
  va_end(arguments);
  return file_open(folder, path, flags, mode);
}
int creat(const char *path, unsigned mode) {
  return file_open(AT_HERE, path, WRITE_ONLY | CREATE | TRUNCATE, mode);
}
int creat64(const char *path, unsigned mode) { return creat(path, mode); }
int close(int descriptor) { return file_close(descriptor); }
ptrdiff_t read(int descriptor, void *to, size_t count) { return file_read(descriptor, to, count); }
ptrdiff_t write(int descriptor, const void *from, size_t count) { return file_write(descriptor, from, count); }
long lseek(int descriptor, long offset, int from) { return file_seek(descriptor, offset, from); }
long lseek64(int descriptor, long offset, int from) { return file_seek(descriptor, offset, from); }
int ftruncate(int descriptor, long size) {
  struct opening *opening = opening_of(descriptor);
  if (opening == NULL)
    return -1;
  if (file_fails(TRUNCATE_FILE))
    return -1;
  if (size < 0 || opening->file == NULL || !is_ordinary(opening->file) || (opening->flags & ACCESS) == READ_ONLY)
    return fail(EINVAL);
  if (!metadata_is(opening->file, AN_ORDINARY_FILE))
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
  if (descriptors[new] != NULL) {
    /* That this failed is told to nobody. */
    file_fails(CLOSE);
    let_go(new);
  }
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
  if (metadata_is_terminal(descriptor))
    return 1;
  if (opening_of(descriptor) != NULL)
    errno = ENOTTY;
  return 0;
}
