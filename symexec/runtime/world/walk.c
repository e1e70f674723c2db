/* Trees of folders, walked: ftw and nftw.
 *
 * A folder is opened, read and closed before what is in it is visited, so a walk holds one descriptor at a time however
 * deep the tree is; the limit of descriptors has no effect. One file is one volume: FTW_MOUNT excludes nothing.
 */
#include "../source/listed.h"
#include "../source/metadata.h"
#include "../source/tree.h"

/* glibc's struct FTW. */
struct where {
  int base, level;
};

typedef int visit(const char *path, const struct status *status, int type, struct where *where);
typedef int plain_visit(const char *path, const struct status *status, int type);

void *opendir(const char *path);
struct listed *readdir(void *listing);
int closedir(void *listing);
int stat(const char *path, struct status *status);
int lstat(const char *path, struct status *status);
int chdir(const char *path);
char *getcwd(char *to, size_t size);
char *strdup(const char *text);
void *realloc(void *object, size_t size);

/* What a path is (FTW_F and its relatives). */
enum { IS_FILE, IS_FOLDER, UNREADABLE, UNKNOWN, IS_LINK, FOLDER_IS_DONE, LEADS_NOWHERE };
/* Flags, and what a function may return where it is asked for actions. */
enum { ITSELF_ONLY = 1, ENTERS = 4, CHILDREN_FIRST = 8, ACTIONS = 16 };
enum { GO_ON, STOP, SKIP_CHILDREN, SKIP_SIBLINGS };

/* A walk; what it has met is the numbers of all folders, which links may lead to again. */
struct walk {
  visit *visit;
  plain_visit *plain;
  int flags;
  char *home;
  uint64_t *met;
  size_t count;
};

/* Tells the function of the user about a path. With FTW_CHDIR that is done in the folder before its last name, and, as
 * in glibc, of a folder that is done in this folder itself. */
static int tell(const struct walk *walk, char *path, const struct status *status, int type, struct where where) {
  if (walk->plain != NULL)
    return walk->plain(path, status, type == LEADS_NOWHERE ? UNKNOWN : type);
  size_t end = type == FOLDER_IS_DONE ? strlen(path) : (size_t)where.base;
  if ((walk->flags & ENTERS) == 0 || end == 0)
    return walk->visit(path, status, type, &where);
  char first = path[end];
  path[end] = 0;
  int failed = chdir(path);
  path[end] = first;
  int result = failed != 0 ? -1 : walk->visit(path, status, type, &where);
  chdir(walk->home);
  return result;
}

/* What is at a path, and its status: all zeros where nothing is. */
static int type_of(const struct walk *walk, const char *path, struct status *status) {
  memset(status, 0, sizeof *status);
  bool follows = (walk->flags & ITSELF_ONLY) == 0;
  if (!follows || stat(path, status) != 0) {
    if (lstat(path, status) != 0)
      return UNKNOWN;
    if ((status->mode & KIND) == A_LINK)
      return follows ? LEADS_NOWHERE : IS_LINK;
  }
  return (status->mode & KIND) == A_FOLDER ? IS_FOLDER : IS_FILE;
}

/* Whether a folder was met before, which is noted; so without memory, too, where the walk goes no deeper. */
static bool was_met(struct walk *walk, uint64_t inode) {
  for (size_t i = 0; i < walk->count; i++)
    if (walk->met[i] == inode)
      return true;
  uint64_t *more = realloc(walk->met, (walk->count + 1) * sizeof *more);
  if (more == NULL)
    return true;
  walk->met = more;
  more[walk->count++] = inode;
  return false;
}

/* The paths of what is in a folder, one after the other, each ended by a zero, and an empty one; null if it cannot be
 * read. */
static char *list(const char *folder) {
  void *listing = opendir(folder);
  if (listing == NULL)
    return NULL;
  size_t prefix = strlen(folder), length = 0;
  bool slash = prefix > 0 && folder[prefix - 1] == '/';
  char *paths = malloc(1);
  struct listed *entry;
  while (paths != NULL && (entry = readdir(listing)) != NULL) {
    const char *name = entry->name;
    if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0)))
      continue;
    size_t size = prefix + !slash + strlen(name) + 1;
    char *more = realloc(paths, length + size + 1);
    if (more == NULL) {
      free(paths);
      paths = NULL;
      break;
    }
    paths = more;
    memcpy(paths + length, folder, prefix);
    paths[length + prefix] = '/';
    memcpy(paths + length + size - strlen(name) - 1, name, strlen(name) + 1);
    length += size;
  }
  closedir(listing);
  if (paths != NULL)
    paths[length] = 0;
  return paths;
}

static int walk_from(struct walk *walk, char *path, struct where where);

/* What is in a folder, one after the other. */
static int walk_children(struct walk *walk, char *paths, size_t prefix, int level) {
  int result = GO_ON;
  for (char *path = paths; *path != 0 && result == GO_ON; path += strlen(path) + 1) {
    struct where where = {.base = (int)prefix, .level = level};
    result = walk_from(walk, path, where);
  }
  return (walk->flags & ACTIONS) != 0 && result == SKIP_SIBLINGS ? GO_ON : result;
}

static int walk_folder(struct walk *walk, char *path, const struct status *status, struct where where) {
  bool acts = (walk->flags & ACTIONS) != 0, is_late = (walk->flags & CHILDREN_FIRST) != 0;
  char *paths = list(path);
  if (paths == NULL)
    return tell(walk, path, status, UNREADABLE, where);
  int result = is_late ? GO_ON : tell(walk, path, status, IS_FOLDER, where);
  size_t prefix = strlen(path);
  if (result == GO_ON)
    result = walk_children(walk, paths, prefix + (prefix > 0 && path[prefix - 1] == '/' ? 0 : 1), where.level + 1);
  else if (acts && result == SKIP_CHILDREN)
    result = GO_ON;
  free(paths);
  return result == GO_ON && is_late ? tell(walk, path, status, FOLDER_IS_DONE, where) : result;
}

static int walk_from(struct walk *walk, char *path, struct where where) {
  struct status status;
  int type = type_of(walk, path, &status), result;
  if (type != IS_FOLDER)
    result = where.level == 0 && type == UNKNOWN ? -1 : tell(walk, path, &status, type, where);
  else if ((walk->flags & ITSELF_ONLY) == 0 && was_met(walk, status.inode))
    result = GO_ON;
  else
    result = walk_folder(walk, path, &status, where);
  return (walk->flags & ACTIONS) != 0 && result == SKIP_CHILDREN ? GO_ON : result;
}

static int start(struct walk *walk, const char *path) {
  if (*path == 0) {
    errno = ENOENT;
    return -1;
  }
  char *own = strdup(path);
  walk->home = (walk->flags & ENTERS) != 0 ? getcwd(NULL, 0) : NULL;
  size_t length = strlen(path), base;
  while (own != NULL && length > 1 && own[length - 1] == '/')
    own[--length] = 0;
  for (base = length; base > 0 && path[base - 1] != '/'; base--)
    ;
  int result = own == NULL ? -1 : walk_from(walk, own, (struct where){.base = (int)base, .level = 0});
  free(own);
  free(walk->home);
  free(walk->met);
  return (walk->flags & ACTIONS) != 0 && result == SKIP_SIBLINGS ? GO_ON : result;
}

int nftw(const char *path, visit *visit, int descriptors, int flags) {
  (void)descriptors;
  struct walk walk = {.visit = visit, .flags = flags};
  return start(&walk, path);
}
int nftw64(const char *path, visit *visit, int descriptors, int flags) {
  return nftw(path, visit, descriptors, flags);
}

int ftw(const char *path, plain_visit *visit, int descriptors) {
  (void)descriptors;
  struct walk walk = {.plain = visit};
  return start(&walk, path);
}
int ftw64(const char *path, plain_visit *visit, int descriptors) { return ftw(path, visit, descriptors); }
