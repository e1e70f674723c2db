/* Memory by the page: anonymous, and files that are mapped. There are no pages: a mapping is an object of whole pages,
 * and protections are not kept.
 *
 * A private mapping of a file is a copy. A shared one is the file's content itself, so that whoever reads or writes the
 * file sees what is in it at once, and nothing is left to do for `msync`; the content then has the room of all pages that
 * are mapped and does not move. Behind the file's end there are zeros: in its last page that is so on Linux too. */
#include "../source/file.h"
#include "../source/metadata.h"

enum { EACCES = 13, ENODEV = 19, ENOSYS = 38 };

enum { SHARED = 1, PRIVATE = 2, VALIDATED = 3, SHARING = 15, FIXED = 0x10, ANONYMOUS = 0x20, NOWHERE_ELSE = 0x100000 };
enum { MAY_WRITE = 2 };
enum { MAY_MOVE = 1 };
enum { PAGE = 4096 };

/* What `mmap` gave and `munmap` did not take yet. */
struct mapping {
  unsigned char *start;
  size_t size;       /* in whole pages, whatever of it there is */
  struct file *file; /* whose content it is; null for memory of its own */
  const struct file *from; /* of which memory of its own is a copy, from a place on; null if it began with zeros */
  size_t offset;
  struct mapping *next;
};
static struct mapping *mappings;

void *aligned_alloc(size_t alignment, size_t size);
size_t klee_get_obj_size(void *object);

static void *failed(int error) {
  errno = error;
  return (void *)-1;
}

/* Whole pages; 0 if there are not so many. */
static size_t pages(size_t size) {
  size_t whole;
  return __builtin_add_overflow(size, PAGE - 1, &whole) ? 0 : whole / PAGE * PAGE;
}

/* The mapping in which a place is. Most are asked for by their starts, which depends on no address. */
static struct mapping **mapping_of(const void *place) {
  for (struct mapping **at = &mappings; *at != NULL; at = &(*at)->next)
    if ((*at)->start == place)
      return at;
  for (struct mapping **at = &mappings; *at != NULL; at = &(*at)->next)
    if ((uintptr_t)place - (uintptr_t)(*at)->start < (*at)->size)
      return at;
  return NULL;
}

/* Takes note of a mapping, of which all but its neighbour is given. */
static void *add(struct mapping new) {
  struct mapping *mapping = new.start == NULL ? NULL : malloc(sizeof *mapping);
  if (mapping == NULL)
    return failed(ENOMEM);
  *mapping = new;
  mapping->next = mappings;
  mappings = mapping;
  return new.start;
}

static void take(struct mapping **at) {
  struct mapping *mapping = *at;
  *at = mapping->next;
  if (mapping->file == NULL)
    free(mapping->start);
  else
    mapping->file->mapped--;
  free(mapping);
}

/* How much of so many bytes a file has from a place on. */
static size_t had(const struct file *file, size_t offset, size_t size) {
  size_t left = offset < file->size ? file->size - offset : 0;
  return left < size ? left : size;
}

/* Memory of its own with what a file has from a place on, or zeros. Pages that begin behind its end are not there. */
static unsigned char *copied(const struct file *file, size_t offset, size_t size) {
  size_t there = file == NULL ? size : pages(had(file, offset, size));
  unsigned char *memory = aligned_alloc(PAGE, there);
  if (memory == NULL)
    return NULL;
  memset(memory, 0, there);
  if (file != NULL)
    memcpy(memory, file->bytes + offset, had(file, offset, size));
  return memory;
}

/* In the place of what is mapped there; only within one mapping that began with zeros. */
static void *fixed(unsigned char *place, size_t size, const struct file *file, size_t offset) {
  struct mapping **at = mapping_of(place);
  if (at == NULL || (*at)->file != NULL || (*at)->from != NULL ||
      size > (*at)->size - (size_t)(place - (*at)->start))
    return failed(ENOMEM);
  memset(place, 0, size);
  if (file != NULL)
    memcpy(place, file->bytes + offset, had(file, offset, size));
  return place;
}

void *mmap(void *place, size_t size, int protection, int flags, int descriptor, long offset) {
  size_t whole = pages(size);
  int sharing = flags & SHARING;
  if (size == 0 || sharing == 0 || sharing > VALIDATED || offset < 0 || offset % PAGE != 0)
    return failed(EINVAL);
  if (whole == 0)
    return failed(ENOMEM);
  struct file *file = NULL;
  if ((flags & ANONYMOUS) == 0) {
    int opened = file_flags(descriptor);
    if (opened < 0)
      return failed(EBADF);
    file = file_of(descriptor);
    if (file == NULL || !is_ordinary(file) || file->fixed || !metadata_is(file, AN_ORDINARY_FILE))
      return failed(ENODEV);
    if ((opened & ACCESS) == WRITE_ONLY ||
        (sharing != PRIVATE && (protection & MAY_WRITE) != 0 && (opened & ACCESS) != READ_AND_WRITE))
      return failed(EACCES);
  }
  bool is_shared = file != NULL && sharing != PRIVATE;
  if ((flags & NOWHERE_ELSE) != 0)
    return failed(mapping_of(place) != NULL ? EEXIST : ENOMEM);
  if ((flags & FIXED) != 0)
    return is_shared ? failed(ENOMEM) : fixed(place, whole, file, (size_t)offset);
  if (!is_shared)
    return add((struct mapping){
        .start = copied(file, (size_t)offset, whole), .size = whole, .from = file, .offset = (size_t)offset});
  if (whole > SIZE_MAX / 2 || !file_maps(file, (size_t)offset + whole))
    return failed(ENOMEM);
  void *start = add((struct mapping){.start = file->bytes + offset, .size = whole, .file = file});
  if (start == (void *)-1)
    file->mapped--;
  return start;
}

/* A mapping goes as a whole, when its last page does; parts that are given back earlier stay what they are. */
int munmap(void *place, size_t size) {
  size_t whole = pages(size);
  if (whole == 0) {
    errno = EINVAL;
    return -1;
  }
  struct mapping **at = mapping_of(place);
  if (at != NULL && (*at)->start == place && whole >= (*at)->size)
    take(at);
  return 0;
}

void *mremap(void *place, size_t size, size_t wanted, int flags, ...) {
  size_t whole = pages(wanted);
  struct mapping **at = mapping_of(place);
  if (at == NULL || (*at)->start != place)
    return failed(at == NULL ? EFAULT : ENOMEM);
  if (wanted == 0 || size == 0 || (flags & ~MAY_MOVE) != 0)
    return failed(EINVAL);
  struct mapping *mapping = *at;
  if (whole <= mapping->size && whole != 0) {
    mapping->size = whole;
    return place;
  }
  if (whole == 0 || (flags & MAY_MOVE) == 0 || mapping->file != NULL || mapping->from != NULL)
    return failed(ENOMEM);
  unsigned char *memory = copied(NULL, 0, whole);
  if (memory == NULL)
    return failed(ENOMEM);
  size_t there = klee_get_obj_size(mapping->start);
  memcpy(memory, mapping->start, there < whole ? there : whole);
  free(mapping->start);
  mapping->start = memory;
  mapping->size = whole;
  return memory;
}

int mprotect(void *place, size_t size, int protection) { return (void)place, (void)size, (void)protection, 0; }
/* Which pages are there is not known: objects lie in no pages. */
int mincore(void *place, size_t size, unsigned char *present) {
  (void)place, (void)size, (void)present;
  errno = ENOSYS;
  return -1;
}
/* What a program does not need of memory of its own is what it was at first. */
int madvise(void *place, size_t size, int advice) {
  enum { DONT_NEED = 4 };
  struct mapping **at = advice == DONT_NEED ? mapping_of(place) : NULL;
  if (at == NULL || (*at)->file != NULL)
    return 0;
  struct mapping *mapping = *at;
  size_t before = (size_t)((unsigned char *)place - mapping->start), whole = pages(size);
  if (whole > mapping->size - before)
    whole = mapping->size - before;
  if (mapping->from == NULL)
    memset(place, 0, whole);
  else
    memcpy(place, mapping->from->bytes + mapping->offset + before,
           had(mapping->from, mapping->offset + before, whole));
  return 0;
}
int posix_madvise(void *place, size_t size, int advice) { return (void)place, (void)size, (void)advice, 0; }
int msync(void *place, size_t size, int flags) { return (void)place, (void)size, (void)flags, 0; }
int mlock(const void *place, size_t size) { return (void)place, (void)size, 0; }
int munlock(const void *place, size_t size) { return (void)place, (void)size, 0; }
void *mmap64(void *place, size_t size, int protection, int flags, int descriptor, long offset) {
  return mmap(place, size, protection, flags, descriptor, offset);
}
