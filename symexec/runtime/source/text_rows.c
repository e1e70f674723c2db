/* Texts behind one another in one piece of memory (argz), some of which are names with values (envz). */
#include "runtime.h"

void *realloc(void *object, size_t size);
char *strstr(const char *text, const char *part);
char *stpcpy(char *target, const char *source);
void *mempcpy(void *target, const void *source, size_t count);

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

/* ---- Names with values ---- */

static size_t name_length(const char *text) {
  size_t length = 0;
  while (text[length] != 0 && text[length] != '=')
    length++;
  return length;
}

char *envz_entry(const char *texts, size_t length, const char *name) {
  size_t wanted = name_length(name);
  for (const char *text = texts; text < texts + length; text += strlen(text) + 1)
    if (name_length(text) == wanted && memcmp(text, name, wanted) == 0)
      return (char *)text;
  return NULL;
}

char *envz_get(const char *texts, size_t length, const char *name) {
  char *entry = envz_entry(texts, length, name);
  if (entry == NULL)
    return NULL;
  entry += name_length(entry);
  return *entry == 0 ? NULL : entry + 1;
}

void envz_remove(char **texts, size_t *length, const char *name) {
  char *entry = envz_entry(*texts, *length, name);
  if (entry != NULL)
    argz_delete(texts, length, entry);
}

int envz_add(char **texts, size_t *length, const char *name, const char *value) {
  envz_remove(texts, length, name);
  if (value == NULL)
    return argz_add(texts, length, name);
  size_t before = strlen(name), behind = strlen(value) + 1;
  char *whole = realloc(*texts, *length + before + 1 + behind);
  if (whole == NULL)
    return ENOMEM;
  char *to = mempcpy(whole + *length, name, before);
  *to = '=';
  memcpy(to + 1, value, behind);
  *texts = whole;
  *length += before + 1 + behind;
  return 0;
}

int envz_merge(char **texts, size_t *length, const char *more, size_t count, int overrides) {
  int error = 0;
  for (const char *text = more; error == 0 && text < more + count; text += strlen(text) + 1) {
    char *known = envz_entry(*texts, *length, text);
    if (known != NULL && overrides == 0)
      continue;
    if (known != NULL)
      argz_delete(texts, length, known);
    error = argz_add(texts, length, text);
  }
  return error;
}

void envz_strip(char **texts, size_t *length) {
  size_t kept = 0;
  for (size_t place = 0, size; place < *length; place += size) {
    const char *text = *texts + place;
    size = strlen(text) + 1;
    if (text[name_length(text)] == 0)
      continue;
    memmove(*texts + kept, text, size);
    kept += size;
  }
  *length = kept;
}
