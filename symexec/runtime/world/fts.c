/* Trees of folders as BSD has them: fts_open, fts_read and their relatives.
 *
 * The order is that of readdir, or the comparison's. Differs from glibc: no folder is entered on the way, so paths stay
 * relative to where the walk began (as with FTS_NOCHDIR), each entry has a path of its own, and everything is looked at
 * with FTS_NOSTAT, too. There is one volume: FTS_XDEV leaves nothing out.
 */
#include "../source/listed.h"
#include "../source/metadata.h"
#include "../source/tree.h"

/* glibc's FTSENT. */
struct found {
  struct found *cycle, *parent, *link;
  long number;
  void *pointer;
  char *access_path, *path;
  int error, descriptor;
  uint16_t path_length, name_length;
  uint64_t inode, device, links;
  int16_t level;
  uint16_t info, flags, instruction;
  struct status *status;
  char name[];
};

typedef int order(const struct found **left, const struct found **right);

/* glibc's FTS. */
struct walk {
  struct found *current, *child, **array;
  uint64_t device;
  char *path;
  int descriptor, path_length, items;
  order *order;
  int options;
};

void *opendir(const char *path);
struct listed *readdir(void *listing);
int closedir(void *listing);
int stat(const char *path, struct status *status);
int lstat(const char *path, struct status *status);
void qsort(void *start, size_t count, size_t size, int (*order)(const void *, const void *));

/* Options (FTS_COMFOLLOW and its relatives), what an entry is, and what is to be done with it. */
enum { FOLLOW_ARGUMENTS = 1, LOGICAL = 2, PHYSICAL = 16, SHOW_DOTS = 32, ALL_OPTIONS = 255, NAMES_ONLY = 256 };
enum { PRE = 1, CYCLE, OTHER, UNREADABLE, DOT, POST, FAILED, ORDINARY, INITIAL, NO_STATUS, UNASKED, LINK, LINK_TO_NOTHING };
enum { AGAIN = 1, THROUGH, NO_INSTRUCTION, SKIP };
enum { ABOVE_ROOTS = -1 };

static bool is_dots(const char *name) { return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0)); }

static struct found *make(const char *name, struct found *parent, const char *path) {
  size_t length = strlen(name), of_path = strlen(path);
  struct found *entry = malloc(sizeof *entry + length + 1);
  struct status *status = malloc(sizeof *status);
  char *copy = malloc(of_path + 1);
  if (entry == NULL || status == NULL || copy == NULL) {
    free(entry);
    free(status);
    free(copy);
    return NULL;
  }
  *entry = (struct found){.parent = parent, .status = status, .instruction = NO_INSTRUCTION, .descriptor = -1};
  memset(status, 0, sizeof *status);
  memcpy(entry->name, name, length + 1);
  memcpy(copy, path, of_path + 1);
  entry->path = entry->access_path = copy;
  entry->name_length = (uint16_t)length;
  entry->path_length = (uint16_t)of_path;
  entry->level = parent == NULL ? ABOVE_ROOTS : (int16_t)(parent->level + 1);
  return entry;
}

static void drop(struct found *entry) {
  free(entry->path);
  free(entry->status);
  free(entry);
}

static void drop_list(struct found *entry) {
  while (entry != NULL) {
    struct found *next = entry->link;
    drop(entry);
    entry = next;
  }
}

/* Looks at an entry and says what it is. */
static int look(const struct walk *walk, struct found *entry, bool follows) {
  struct status *status = entry->status;
  follows |= (walk->options & LOGICAL) != 0;
  if (follows ? stat(entry->path, status) != 0 : lstat(entry->path, status) != 0) {
    int error = errno;
    if (follows && lstat(entry->path, status) == 0) {
      errno = 0;
      return LINK_TO_NOTHING;
    }
    entry->error = error;
    memset(status, 0, sizeof *status);
    return NO_STATUS;
  }
  entry->device = status->device;
  entry->inode = status->inode;
  entry->links = status->links;
  uint32_t kind = status->mode & KIND;
  if (kind != A_FOLDER)
    return kind == A_LINK ? LINK : kind == AN_ORDINARY_FILE ? ORDINARY : OTHER;
  if (is_dots(entry->name) && entry->level > 0)
    return DOT;
  for (struct found *above = entry->parent; above != NULL && above->level > ABOVE_ROOTS; above = above->parent)
    if (above->inode == entry->inode && above->device == entry->device) {
      entry->cycle = above;
      return CYCLE;
    }
  return PRE;
}

/* Puts a list in order; as it is, without memory. */
static struct found *sorted(const struct walk *walk, struct found *first) {
  size_t count = 0, place = 0;
  for (struct found *entry = first; entry != NULL; entry = entry->link)
    count++;
  struct found **all = walk->order == NULL || count < 2 ? NULL : malloc(count * sizeof *all);
  if (all == NULL)
    return first;
  for (struct found *entry = first; entry != NULL; entry = entry->link)
    all[place++] = entry;
  qsort(all, count, sizeof *all, (int (*)(const void *, const void *))walk->order);
  for (place = 0; place < count; place++)
    all[place]->link = place + 1 < count ? all[place + 1] : NULL;
  first = all[0];
  free(all);
  return first;
}

/* The entry of a name in a folder. */
static struct found *child_of(struct found *folder, const char *name) {
  size_t prefix = folder->path_length, length = strlen(name);
  bool slash = prefix > 0 && folder->path[prefix - 1] == '/';
  char *path = malloc(prefix + length + 2);
  if (path == NULL)
    return NULL;
  memcpy(path, folder->path, prefix);
  path[prefix] = '/';
  memcpy(path + prefix + !slash, name, length + 1);
  struct found *entry = make(name, folder, path);
  free(path);
  return entry;
}

/* What is in the current folder; if nothing is, or it cannot be read, the folder says so where it is entered. */
static struct found *build(struct walk *walk, bool enters) {
  struct found *folder = walk->current, *first = NULL, **end = &first;
  void *listing = opendir(folder->path);
  if (listing == NULL) {
    if (enters) {
      folder->info = UNREADABLE;
      folder->error = errno;
    }
    return NULL;
  }
  struct listed *listed;
  while ((listed = readdir(listing)) != NULL) {
    if ((walk->options & SHOW_DOTS) == 0 && is_dots(listed->name))
      continue;
    struct found *entry = child_of(folder, listed->name);
    if (entry == NULL) {
      folder->info = FAILED;
      folder->error = ENOMEM;
      break;
    }
    entry->info = (uint16_t)look(walk, entry, false);
    *end = entry;
    end = &entry->link;
  }
  closedir(listing);
  if (first == NULL && enters && folder->info != FAILED)
    folder->info = POST;
  return sorted(walk, first);
}

/* The last name of an argument, as glibc calls it. */
static const char *last_name(const char *path) {
  const char *last = path;
  for (const char *c = path; *c != 0; c++)
    if (*c == '/' && (c > path || c[1] != 0))
      last = c + 1;
  return last;
}

int fts_close(struct walk *walk) {
  struct found *entry = walk->current;
  while (entry != NULL) {
    struct found *next = entry->link != NULL ? entry->link : entry->parent;
    drop(entry);
    entry = next;
  }
  drop_list(walk->child);
  free(walk);
  return 0;
}

struct walk *fts_open(char *const *paths, int options, order *order) {
  struct walk *walk = (options & ~ALL_OPTIONS) == 0 ? malloc(sizeof *walk) : NULL;
  if (walk == NULL) {
    errno = (options & ~ALL_OPTIONS) == 0 ? ENOMEM : EINVAL;
    return NULL;
  }
  *walk = (struct walk){.order = order, .options = options, .descriptor = -1};
  struct found *above = make("", NULL, ""), *first = NULL, **end = &first;
  int error = above == NULL ? ENOMEM : 0;
  for (; error == 0 && *paths != NULL; paths++) {
    struct found *entry = **paths == 0 ? NULL : make(last_name(*paths), above, *paths);
    if (entry == NULL) {
      error = **paths == 0 ? ENOENT : ENOMEM;
      break;
    }
    entry->info = (uint16_t)look(walk, entry, (options & FOLLOW_ARGUMENTS) != 0);
    *end = entry;
    end = &entry->link;
  }
  struct found *begin = error == 0 ? make("", above, "") : NULL;
  if (begin == NULL) {
    drop_list(first);
    if (above != NULL)
      drop(above);
    free(walk);
    errno = error == 0 ? ENOMEM : error;
    return NULL;
  }
  begin->info = INITIAL;
  begin->link = sorted(walk, first);
  walk->current = begin;
  return walk;
}

/* The next entry beside one that is done, or the folder above it, which is done then. */
static struct found *beside(struct walk *walk, struct found *done) {
  for (;;) {
    struct found *next = done->link, *above = done->parent;
    drop(done);
    if (next == NULL) {
      if (above->level == ABOVE_ROOTS) {
        drop(above);
        errno = 0;
        return walk->current = NULL;
      }
      above->info = above->error != 0 ? FAILED : POST;
      return walk->current = above;
    }
    if (next->instruction != SKIP || next->level == 0) {
      if (next->instruction == THROUGH) {
        next->info = (uint16_t)look(walk, next, true);
        next->instruction = NO_INSTRUCTION;
      }
      return walk->current = next;
    }
    done = next;
  }
}

struct found *fts_read(struct walk *walk) {
  struct found *entry = walk->current;
  if (entry == NULL)
    return NULL;
  int instruction = entry->instruction;
  entry->instruction = NO_INSTRUCTION;
  if (instruction == AGAIN || (instruction == THROUGH && (entry->info == LINK || entry->info == LINK_TO_NOTHING))) {
    entry->info = (uint16_t)look(walk, entry, instruction == THROUGH);
    return entry;
  }
  if (entry->info != PRE)
    return beside(walk, entry);
  if (instruction == SKIP) {
    drop_list(walk->child);
    walk->child = NULL;
    entry->info = POST;
    return entry;
  }
  struct found *first = walk->child != NULL ? walk->child : build(walk, true);
  walk->child = NULL;
  return first == NULL ? entry : (walk->current = first);
}

struct found *fts_children(struct walk *walk, int instruction) {
  if (instruction != 0 && instruction != NAMES_ONLY) {
    errno = EINVAL;
    return NULL;
  }
  struct found *entry = walk->current;
  errno = 0;
  if (entry == NULL || (entry->info != PRE && entry->info != INITIAL))
    return NULL;
  if (entry->info == INITIAL)
    return entry->link;
  drop_list(walk->child);
  return walk->child = build(walk, false);
}

int fts_set(struct walk *walk, struct found *entry, int instruction) {
  (void)walk;
  if (instruction < 0 || instruction > SKIP) {
    errno = EINVAL;
    return 1;
  }
  entry->instruction = (uint16_t)instruction;
  return 0;
}

/* The names of programs that are compiled for large files. */
struct walk *fts64_open(char *const *paths, int options, order *order) { return fts_open(paths, options, order); }
struct found *fts64_read(struct walk *walk) { return fts_read(walk); }
struct found *fts64_children(struct walk *walk, int instruction) { return fts_children(walk, instruction); }
int fts64_set(struct walk *walk, struct found *entry, int instruction) { return fts_set(walk, entry, instruction); }
int fts64_close(struct walk *walk) { return fts_close(walk); }
