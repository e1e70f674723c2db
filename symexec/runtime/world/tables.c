/* Tables and lists of texts that few programs use: hsearch, argz, swab. */
#include "../source/runtime.h"

enum { ESRCH = 3 };

void *calloc(size_t count, size_t size);
void *realloc(void *object, size_t size);
int strcmp(const char *left, const char *right);
char *strstr(const char *text, const char *part);
char *stpcpy(char *target, const char *source);
void *mempcpy(void *target, const void *source, size_t count);

/* ---- One table (hsearch), which is looked through from its start: keys may be unknown ---- */

struct entry {
  char *key;
  void *data;
};

/* glibc's struct hsearch_data. */
struct table {
  struct entry *entries;
  unsigned size, filled;
};

enum { FIND, ENTER };

int hcreate_r(size_t count, struct table *table) {
  if (table == NULL || table->entries != NULL)
    return errno = table == NULL ? EINVAL : errno, 0;
  if (count >= UINT_MAX / 2)
    return errno = ENOMEM, 0;
  /* As many as glibc takes: the next odd prime from 3 on. */
  unsigned size = count < 3 ? 3 : (unsigned)count | 1;
  for (unsigned divisor = 3; divisor <= size / divisor; divisor += 2)
    if (size % divisor == 0) {
      size += 2;
      divisor = 1;
    }
  *table = (struct table){calloc(size, sizeof(struct entry)), size, 0};
  return table->entries != NULL;
}
void hdestroy_r(struct table *table) {
  if (table == NULL) {
    errno = EINVAL;
    return;
  }
  free(table->entries);
  table->entries = NULL;
}
int hsearch_r(struct entry item, int action, struct entry **found, struct table *table) {
  for (unsigned i = 0; i < table->filled; i++)
    if (strcmp(table->entries[i].key, item.key) == 0) {
      *found = &table->entries[i];
      return 1;
    }
  *found = NULL;
  if (action != ENTER)
    return errno = ESRCH, 0;
  if (table->filled == table->size)
    return errno = ENOMEM, 0;
  table->entries[table->filled] = item;
  *found = &table->entries[table->filled++];
  return 1;
}

static struct table the_table;
int hcreate(size_t count) { return hcreate_r(count, &the_table); }
void hdestroy(void) { hdestroy_r(&the_table); }
struct entry *hsearch(struct entry item, int action) {
  struct entry *found;
  hsearch_r(item, action, &found, &the_table);
  return found;
}

/* ---- Texts behind one another (argz) ---- */

size_t argz_count(const char *texts, size_t length) {
  size_t count = 0;
  for (size_t place = 0; place < length; place += strlen(texts + place) + 1)
    count++;
  return count;
}
void argz_extract(const char *texts, size_t length, char **to) {
  for (size_t place = 0; place < length; place += strlen(texts + place) + 1)
    *to++ = (char *)texts + place;
  *to = NULL;
}
void argz_stringify(char *texts, size_t length, int between) {
  for (size_t place = 0; place < length; place++) {
    place += strlen(texts + place);
    if (place + 1 < length)
      texts[place] = (char)between;
  }
}
char *argz_next(const char *texts, size_t length, const char *before) {
  if (before == NULL)
    return length == 0 ? NULL : (char *)texts;
  const char *next = before + strlen(before) + 1;
  return next >= texts + length ? NULL : (char *)next;
}
int argz_append(char **texts, size_t *length, const char *more, size_t count) {
  if (count == 0)
    return 0;
  char *whole = realloc(*texts, *length + count);
  if (whole == NULL)
    return ENOMEM;
  memcpy(whole + *length, more, count);
  *texts = whole;
  *length += count;
  return 0;
}
int argz_add(char **texts, size_t *length, const char *text) {
  return argz_append(texts, length, text, strlen(text) + 1);
}
int argz_add_sep(char **texts, size_t *length, const char *text, int separator) {
  size_t from = *length, to = from;
  if (*text == 0)
    return 0;
  int error = argz_append(texts, length, text, strlen(text) + 1);
  if (error != 0)
    return error;
  /* Separators that meet are one, and there is none at the start; behind one at the end is an empty text. */
  for (; from < *length; from++) {
    char c = (*texts)[from];
    if (c != (char)separator)
      (*texts)[to++] = c;
    else if (to > 0 && (*texts)[to - 1] != 0)
      (*texts)[to++] = 0;
  }
  *length = to;
  return 0;
}
int argz_create_sep(const char *text, int separator, char **texts, size_t *length) {
  *texts = NULL;
  *length = 0;
  return argz_add_sep(texts, length, text, separator);
}
int argz_create(char *const *list, char **texts, size_t *length) {
  *texts = NULL;
  *length = 0;
  for (; *list != NULL; list++)
    if (argz_add(texts, length, *list) != 0) {
      free(*texts);
      *texts = NULL;
      *length = 0;
      return ENOMEM;
    }
  return 0;
}
void argz_delete(char **texts, size_t *length, char *text) {
  if (text == NULL)
    return;
  size_t size = strlen(text) + 1;
  *length -= size;
  memmove(text, text + size, *length - (size_t)(text - *texts));
  if (*length == 0) {
    free(*texts);
    *texts = NULL;
  }
}
int argz_insert(char **texts, size_t *length, char *before, const char *text) {
  if (before == NULL)
    return argz_add(texts, length, text);
  if (before < *texts || before >= *texts + *length)
    return EINVAL;
  while (before > *texts && before[-1] != 0)
    before--;
  size_t place = (size_t)(before - *texts), size = strlen(text) + 1;
  char *whole = realloc(*texts, *length + size);
  if (whole == NULL)
    return ENOMEM;
  memmove(whole + place + size, whole + place, *length - place);
  memcpy(whole + place, text, size);
  *texts = whole;
  *length += size;
  return 0;
}

/* Counts the texts that had something to replace, as glibc does. */
int argz_replace(char **texts, size_t *length, const char *old, const char *new, unsigned *count) {
  if (old == NULL || *old == 0)
    return 0;
  size_t from = strlen(old), to = strlen(new), found = 0;
  unsigned changed = 0;
  for (char *text = *texts, *end = *texts + *length; text < end; text += strlen(text) + 1) {
    size_t before = found;
    for (char *at = text; (at = strstr(at, old)) != NULL; at += from)
      found++;
    changed += found > before;
  }
  if (found == 0)
    return 0;
  size_t size = *length - found * from + found * to;
  char *whole = malloc(size), *target = whole;
  if (whole == NULL)
    return ENOMEM;
  for (char *text = *texts, *end = *texts + *length; text < end; text += strlen(text) + 1) {
    for (char *at; (at = strstr(text, old)) != NULL; text = at + from) {
      target = mempcpy(target, text, (size_t)(at - text));
      target = mempcpy(target, new, to);
    }
    target = stpcpy(target, text) + 1;
  }
  free(*texts);
  *texts = whole;
  *length = size;
  if (count != NULL)
    *count += changed;
  return 0;
}

/* ---- Pairs of bytes ---- */

void swab(const void *from, void *to, ptrdiff_t count) {
  const char *source = from;
  char *target = to;
  for (ptrdiff_t i = 0; i + 1 < count; i += 2) {
    char first = source[i], second = source[i + 1];
    target[i] = second;
    target[i + 1] = first;
  }
}
