/* Folders as lists, names taken apart, and the order of versions. */
#include "../source/listed.h"

void *opendir(const char *path);
struct listed *readdir(void *listing);
int closedir(void *listing);
int strcmp(const char *left, const char *right);
char *strdup(const char *text);
char *strrchr(const char *text, int character);
void *realloc(void *object, size_t size);
void qsort(void *start, size_t count, size_t size, int (*order)(const void *, const void *));
int fnmatch(const char *pattern, const char *text, int flags);
int access(const char *path, int mode);

/* As glibc: runs of digits are compared as numbers, those that begin with zeros as fractions. */
int strverscmp(const char *left, const char *right) {
  size_t i = 0, start = 0;
  bool in_digits = false;
  while (left[i] == right[i]) {
    if (left[i] == 0)
      return 0;
    if (!is_digit((unsigned char)left[i]))
      in_digits = false;
    else if (!in_digits) {
      in_digits = true;
      start = i;
    }
    i++;
  }
  unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
  /* Equal zeros so far, and what follows makes the number a fraction or ends it. */
  bool zeros = in_digits && left[start] == '0';
  if (zeros) {
    size_t end = start;
    while (end < i && left[end] == '0')
      end++;
    if (end == i) {
      /* More zeros are less; a digit after zeros only is less than none. */
      if (is_digit(a) != is_digit(b))
        return is_digit(a) ? -1 : 1;
      return a - b;
    }
    return a - b;
  }
  if (in_digits || (is_digit(a) && is_digit(b))) {
    if (!in_digits && (a == '0' || b == '0'))
      return a - b;
    size_t l = i, r = i;
    while (is_digit((unsigned char)left[l]))
      l++;
    while (is_digit((unsigned char)right[r]))
      r++;
    if (l != r)
      return l < r ? -1 : 1;
  }
  return a - b;
}

int alphasort(const struct listed **left, const struct listed **right) {
  return strcmp((*left)->name, (*right)->name);
}
int alphasort64(const struct listed **left, const struct listed **right) { return alphasort(left, right); }
int versionsort(const struct listed **left, const struct listed **right) {
  return strverscmp((*left)->name, (*right)->name);
}
int versionsort64(const struct listed **left, const struct listed **right) { return versionsort(left, right); }

int scandir(const char *path, struct listed ***to, int (*wanted)(const struct listed *),
            int (*order)(const struct listed **, const struct listed **)) {
  void *listing = opendir(path);
  if (listing == NULL)
    return -1;
  struct listed **entries = NULL, *entry;
  size_t count = 0;
  while ((entry = readdir(listing)) != NULL) {
    if (wanted != NULL && !wanted(entry))
      continue;
    struct listed **more = realloc(entries, (count + 1) * sizeof *entries), *copy = malloc(sizeof *copy);
    if (more == NULL || copy == NULL) {
      closedir(listing);
      errno = ENOMEM;
      return -1;
    }
    entries = more;
    *copy = *entry;
    entries[count++] = copy;
  }
  closedir(listing);
  if (order != NULL && count > 1)
    qsort(entries, count, sizeof *entries, (int (*)(const void *, const void *))order);
  *to = entries;
  return (int)count;
}
int scandir64(const char *path, struct listed ***to, int (*wanted)(const struct listed *),
              int (*order)(const struct listed **, const struct listed **)) {
  return scandir(path, to, wanted, order);
}

/* ---- Names taken apart ---- */

char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash == NULL ? (char *)path : slash + 1;
}
char *__xpg_basename(char *path) {
  if (path == NULL || *path == 0)
    return ".";
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  if (length == 1)
    return path[0] == '/' ? path + strlen(path) - 1 : (path[1] = 0, path);
  path[length] = 0;
  return basename(path);
}
char *dirname(char *path) {
  if (path == NULL || *path == 0)
    return ".";
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  while (length > 0 && path[length - 1] != '/')
    length--;
  if (length == 0)
    return ".";
  while (length > 1 && path[length - 1] == '/')
    length--;
  path[length] = 0;
  return path;
}

/* ---- Paths by patterns ---- */

struct names {
  size_t count;
  char **names;
  size_t before;
  int flags;
  void *functions[5];
};

enum { MARKED = 2, UNSORTED = 4, BEFORE = 8, UNMATCHED = 16, APPENDED = 32, NO_ESCAPE = 64, NO_SPACE = 1, NONE = 3 };

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

/* Adds to `to` what a folder's path becomes by the next part of a pattern, with the slashes behind that. */
static bool extend(struct names *to, const char *folder, const char *part, size_t length, size_t slashes, int flags) {
  if (!is_pattern(part, length)) {
    char *path = join(folder, part, length, part + length, slashes);
    bool added = path != NULL && (access(path, 0) != 0 || add(to, path));
    free(path);
    return added;
  }
  void *listing = opendir(*folder == 0 ? "." : folder);
  char *pattern = join("", part, length, "", 0);
  bool added = pattern != NULL;
  struct listed *entry;
  while (added && listing != NULL && (entry = readdir(listing)) != NULL) {
    if (fnmatch(pattern, entry->name, 1 | 4 | ((flags & NO_ESCAPE) != 0 ? 2 : 0)) != 0)
      continue;
    char *path = join(folder, entry->name, strlen(entry->name), part + length, slashes);
    /* A slash behind asks for a folder. */
    added = path != NULL && (access(path, 0) != 0 || add(to, path));
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

int glob(const char *pattern, int flags, int (*failed)(const char *, int), struct names *to) {
  (void)failed;
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
  to->flags = flags;
  size_t first = to->count, lead = 0;
  while (pattern[lead] == '/')
    lead++;
  struct names found = {0};
  char *start = join("", pattern, lead, "", 0);
  bool added = start != NULL && add(&found, start);
  free(start);
  /* Part by part, from all paths of the parts before. */
  const char *part = pattern + lead;
  while (added && *part != 0) {
    size_t length = 0, slashes = 0;
    while (part[length] != 0 && part[length] != '/')
      length++;
    while (part[length + slashes] == '/')
      slashes++;
    struct names next = {0};
    for (size_t i = 0; added && i < found.count; i++)
      added = extend(&next, found.names[i], part, length, slashes, flags);
    forget(&found);
    found = next;
    part += length + slashes;
  }
  for (size_t i = 0; added && i < found.count && *pattern != 0; i++)
    added = add(to, found.names[i]);
  forget(&found);
  if (!added)
    return NO_SPACE;
  if (to->count == first)
    return (flags & UNMATCHED) == 0 ? NONE : add(to, pattern) ? 0 : NO_SPACE;
  if ((flags & UNSORTED) == 0)
    qsort(to->names + to->before + first, to->count - first, sizeof *to->names, by_name);
  return 0;
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
