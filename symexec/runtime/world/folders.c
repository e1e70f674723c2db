/* Folders as lists, names taken apart, and the order of versions. */
#include "../source/listed.h"

void *opendir(const char *path);
struct listed *readdir(void *listing);
int closedir(void *listing);
int strcmp(const char *left, const char *right);
char *strrchr(const char *text, int character);
void *realloc(void *object, size_t size);
void qsort(void *start, size_t count, size_t size, int (*order)(const void *, const void *));

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
  if (length == 1 && path[0] == '/')
    return path + strlen(path) - 1;
  /* Nothing is written where nothing is cut: the path may be a constant. */
  if (path[length] != 0)
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
