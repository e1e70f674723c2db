/* Paths by patterns: glob. Flags that ask for what is not here are refused. */
#include "../source/listed.h"

void *opendir(const char *path);
struct listed *readdir(void *listing);
int closedir(void *listing);
int strcmp(const char *left, const char *right);
char *strdup(const char *text);
void *realloc(void *object, size_t size);
void qsort(void *start, size_t count, size_t size, int (*order)(const void *, const void *));
int fnmatch(const char *pattern, const char *text, int flags);
int access(const char *path, int mode);
ptrdiff_t readlink(const char *path, char *to, size_t size);
char *getenv(const char *name);

struct names {
  size_t count;
  char **names;
  size_t before;
  int flags;
  void *functions[5];
};

enum {
  MARKED = 2,
  UNSORTED = 4,
  BEFORE = 8,
  UNMATCHED = 16,
  APPENDED = 32,
  NO_ESCAPE = 64,
  WITH_DOTS = 128,
  HAD_PATTERN = 256,
  OWN_FUNCTIONS = 512,
  BRACES = 1024,
  NO_PATTERN = 2048,
  HOMES = 4096,
  ONLY_FOLDERS = 8192,
  KNOWN_HOMES = 16384,
};

/* What glob gives back. */
enum { FOUND, NO_SPACE, NONE = 3 };

static int by_name(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool add(struct names *to, const char *name) {
  char **more = realloc(to->names, (to->before + to->count + 2) * sizeof *more), *copy = strdup(name);
  if (more == NULL || copy == NULL)
    return false;
  to->names = more;
  more[to->before + to->count++] = copy;
  more[to->before + to->count] = NULL;
  return true;
}

/* Whether there is something in a text that a pattern may be made of. */
static bool is_pattern(const char *text, size_t length) {
  bool found = false;
  for (size_t i = 0; i < length; i++)
    found |= (text[i] == '*') | (text[i] == '?') | (text[i] == '[') | (text[i] == '\\');
  return found;
}

/* Whether glibc takes a text for a pattern: a backslash is none if it escapes nothing. */
static bool is_wild(const char *text, int flags) {
  bool found = false;
  for (; *text != 0; text++)
    found |= (*text == '*') | (*text == '?') | (*text == '[') | ((*text == '\\') & ((flags & NO_ESCAPE) == 0));
  return found;
}

/* A folder's path with a name and what follows that; null if there is no memory. */
static char *join(const char *folder, const char *name, size_t length, const char *rest, size_t rest_length) {
  size_t size = strlen(folder);
  char *path = malloc(size + length + rest_length + 1);
  if (path != NULL) {
    memcpy(path, folder, size);
    memcpy(path + size, name, length);
    memcpy(path + size + length, rest, rest_length);
    path[size + length + rest_length] = 0;
  }
  return path;
}

/* A link that leads nowhere is there; a slash behind asks for where it leads. */
static bool is_there(const char *path) {
  char first;
  return access(path, 0) == 0 || readlink(path, &first, 1) >= 0;
}

static bool is_folder(const char *path) {
  char *inside = join(path, "/.", 2, "", 0);
  bool is = inside != NULL && access(inside, 0) == 0;
  free(inside);
  return is;
}

/* Adds to `to` what a folder's path becomes by the next part of a pattern, with the slashes behind that. */
static bool extend(struct names *to, const char *folder, const char *part, size_t length, size_t slashes, int flags) {
  enum { A_FOLDER = 4, A_LINK = 10 };
  if (!is_pattern(part, length)) {
    char *path = join(folder, part, length, part + length, slashes);
    bool added = path != NULL && (!is_there(path) || add(to, path));
    free(path);
    return added;
  }
  void *listing = opendir(*folder == 0 ? "." : folder);
  char *pattern = join("", part, length, "", 0);
  bool added = pattern != NULL;
  int matching = 1 | ((flags & WITH_DOTS) != 0 ? 0 : 4) | ((flags & NO_ESCAPE) != 0 ? 2 : 0);
  struct listed *entry;
  while (added && listing != NULL && (entry = readdir(listing)) != NULL) {
    if ((flags & ONLY_FOLDERS) != 0 && entry->type != 0 && entry->type != A_FOLDER && entry->type != A_LINK)
      continue;
    if (fnmatch(pattern, entry->name, matching) != 0)
      continue;
    char *path = join(folder, entry->name, strlen(entry->name), part + length, slashes);
    bool is_wanted = path != NULL && ((flags & ONLY_FOLDERS) == 0 || entry->type != A_LINK || is_folder(path));
    added = path != NULL && (!is_wanted || !is_there(path) || add(to, path));
    free(path);
  }
  if (listing != NULL)
    closedir(listing);
  free(pattern);
  return added;
}

static void forget(struct names *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->names[i]);
  free(names->names);
}

/* ---- Braces ---- */

/* Where an alternative ends: its comma or brace; null if it does not. */
static const char *alternative_end(const char *text, int flags) {
  for (int depth = 0; *text != 0; text++) {
    if (*text == '\\' && (flags & NO_ESCAPE) == 0 && text[1] != 0)
      text++;
    else if (*text == '{')
      depth++;
    else if ((*text == '}' && depth-- == 0) || (*text == ',' && depth == 0))
      return text;
  }
  return NULL;
}

/* The first brace that has an end; null if there is none. */
static const char *first_brace(const char *text, int flags) {
  for (; *text != 0 && *text != '{'; text++)
    if (*text == '\\' && (flags & NO_ESCAPE) == 0 && text[1] != 0)
      text++;
  const char *end = *text == 0 ? NULL : text;
  while (end != NULL && *end != '}')
    end = alternative_end(end + 1, flags);
  return end == NULL ? NULL : text;
}

/* Puts in the place of each pattern with braces those that it stands for, until there is none. */
static bool without_braces(struct names *patterns, int flags) {
  for (bool again = true, added = true; again;) {
    struct names next = {0};
    again = false;
    for (size_t i = 0; added && i < patterns->count; i++) {
      const char *pattern = patterns->names[i], *brace = first_brace(pattern, flags), *end = brace;
      if (brace == NULL) {
        added = add(&next, pattern);
        continue;
      }
      while (*end != '}')
        end = alternative_end(end + 1, flags);
      const char *rest = end + 1;
      for (const char *from = brace; added && *from != '}'; from = end) {
        end = alternative_end(from + 1, flags);
        char *tail = join("", from + 1, (size_t)(end - from - 1), rest, strlen(rest));
        char *whole = tail == NULL ? NULL : join("", pattern, (size_t)(brace - pattern), tail, strlen(tail));
        added = whole != NULL && add(&next, whole);
        free(tail);
        free(whole);
      }
      again = true;
    }
    forget(patterns);
    *patterns = next;
    if (!added)
      return false;
  }
  return true;
}

/* ---- Homes ---- */

/* glibc's struct passwd. */
struct user {
  char *name, *password;
  unsigned id, group;
  char *comment, *home, *shell;
};
struct user *getpwnam(const char *name);

/* A pattern with its home in the place of the tilde, which is new; null if there is none, with `*known` false, or no
 * memory. */
static char *with_home(const char *pattern, bool *known) {
  size_t length = 1;
  while (pattern[length] != 0 && pattern[length] != '/')
    length++;
  const char *home = NULL;
  if (length == 1)
    home = getenv("HOME");
  else {
    char *name = join("", pattern + 1, length - 1, "", 0);
    struct user *user = name == NULL ? NULL : getpwnam(name);
    home = user == NULL ? NULL : user->home;
    free(name);
  }
  *known = home != NULL && *home != 0;
  if (!*known)
    return NULL;
  size_t size = strlen(home);
  /* The root's slash is the pattern's. */
  if (pattern[length] == '/' && home[size - 1] == '/')
    size--;
  return join("", home, size, pattern + length, strlen(pattern + length));
}

/* ---- glob ---- */

/* Adds the paths of one pattern, which has no braces. */
static int add_paths(const char *pattern, int flags, struct names *to) {
  size_t first = to->count, lead = 0, size = strlen(pattern), stem = size;
  while (stem > 0 && pattern[stem - 1] == '/')
    stem--;
  /* As in glibc, slashes behind a pattern ask for folders and mark them, but what the last part names without a
   * pattern may be something else. Behind one letter a slash is kept, and marked again. */
  bool is_short = stem == 1 && stem < size;
  if (stem > 1 && stem < size)
    flags |= MARKED | ONLY_FOLDERS;
  char *at_home = NULL;
  if ((flags & (HOMES | KNOWN_HOMES)) != 0 && *pattern == '~') {
    bool known;
    at_home = with_home(pattern, &known);
    if (known && at_home == NULL)
      return NO_SPACE;
    if (!known && (flags & KNOWN_HOMES) != 0)
      return NONE;
  }
  const char *whole = at_home == NULL ? pattern : at_home;
  /* A home alone is there whether it is or not, and so is that of somebody unknown. */
  bool is_home = (flags & (HOMES | KNOWN_HOMES)) != 0 && *pattern == '~' && *strchrnul(pattern, '/') == 0;
  while (whole[lead] == '/')
    lead++;
  struct names found = {0};
  char *start = join("", whole, lead > 0, "", 0);
  bool added = start != NULL && add(&found, start);
  free(start);
  /* Part by part, from all paths of the parts before. */
  const char *part = whole + lead;
  if (is_home) {
    forget(&found);
    found = (struct names){0};
    added = added && add(&found, whole);
    part = "";
  }
  while (added && *part != 0) {
    size_t length = 0, slashes = 0;
    while (part[length] != 0 && part[length] != '/')
      length++;
    while (part[length + slashes] == '/')
      slashes++;
    /* Only the last part sees dots that lead. */
    bool is_last = part[length + slashes] == 0;
    struct names next = {0};
    for (size_t i = 0; added && i < found.count; i++)
      added = extend(&next, found.names[i], part, length, is_last ? is_short : slashes, flags & ~(is_last && !is_short ? 0 : WITH_DOTS));
    forget(&found);
    found = next;
    part += length + slashes;
  }
  for (size_t i = 0; added && i < found.count && *whole != 0; i++) {
    const char *path = found.names[i];
    char *marked = join(path, "/", 1, "", 0);
    bool mark = (flags & MARKED) != 0 || (is_short && size - stem > 1);
    added = marked != NULL && add(to, mark && is_folder(path) ? marked : path);
    free(marked);
  }
  forget(&found);
  bool is_itself = (flags & UNMATCHED) != 0 || ((flags & NO_PATTERN) != 0 && at_home == NULL && !is_wild(pattern, flags));
  if (added && to->count == first && is_itself) {
    /* Without the slashes behind two letters and more, as in glibc. */
    char *itself = join("", pattern, is_short ? stem + 1 : stem, "", 0);
    added = itself != NULL && add(to, itself);
    free(itself);
  }
  free(at_home);
  if (!added)
    return NO_SPACE;
  if (to->count == first)
    return NONE;
  if ((flags & UNSORTED) == 0)
    qsort(to->names + to->before + first, to->count - first, sizeof *to->names, by_name);
  return FOUND;
}

int glob(const char *pattern, int flags, int (*failed)(const char *, int), struct names *to) {
  (void)failed;
  if ((flags & OWN_FUNCTIONS) != 0)
    klee_report_error(__FILE__, __LINE__, "glob with GLOB_ALTDIRFUNC is not modelled", "user");
  if ((flags & APPENDED) == 0) {
    to->count = 0;
    to->names = NULL;
    if ((flags & BEFORE) == 0)
      to->before = 0;
    if (to->before > 0 && (to->names = malloc((to->before + 1) * sizeof *to->names)) == NULL)
      return NO_SPACE;
    for (size_t i = 0; i < to->before; i++)
      to->names[i] = NULL;
  }
  to->flags = flags | (is_wild(pattern, flags) ? HAD_PATTERN : 0);
  if ((flags & BRACES) == 0 || first_brace(pattern, flags) == NULL)
    return add_paths(pattern, flags, to);
  struct names patterns = {0};
  bool made = add(&patterns, pattern) && without_braces(&patterns, flags);
  size_t first = to->count;
  int result = made ? FOUND : NO_SPACE;
  for (size_t i = 0; made && result != NO_SPACE && i < patterns.count; i++)
    result = add_paths(patterns.names[i], flags & ~(UNMATCHED | NO_PATTERN), to);
  forget(&patterns);
  if (result == NO_SPACE)
    return NO_SPACE;
  if (to->count > first)
    return FOUND;
  return (flags & (UNMATCHED | NO_PATTERN)) == 0 ? NONE : add_paths(pattern, flags, to);
}
void globfree(struct names *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->names[names->before + i]);
  free(names->names);
  names->names = NULL;
  names->count = 0;
}
int glob64(const char *pattern, int flags, int (*failed)(const char *, int), struct names *to) {
  return glob(pattern, flags, failed, to);
}
void globfree64(struct names *names) { globfree(names); }
