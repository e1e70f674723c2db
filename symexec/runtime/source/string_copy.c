/* Lengths, copies and concatenations of strings, and copies in new memory.
 *
 * A copy is one loop over the characters, with one question per character ("is this the end?");
 * measuring first and copying then would ask the same questions and walk twice.
 */
#include "runtime.h"

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != 0)
    length++;
  return length;
}

size_t strnlen(const char *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length] != 0)
    length++;
  return length;
}

/* Copies with the final zero and returns where that is in the copy. */
char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from) != 0) {
    to++;
    from++;
  }
  return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}

char *strcat(char *restrict to, const char *restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}

/* Writes exactly `count` bytes, zeros after the end of `from`; returns where the first zero is, or
 * the end. */
char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
  size_t i = 0;
  while (i < count && (to[i] = from[i]) != 0)
    i++;
  if (i < count)
    memset(to + i, 0, count - i);
  return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
  stpncpy(to, from, count);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
  char *out = to + strlen(to);
  size_t i = 0;
  while (i < count && (out[i] = from[i]) != 0)
    i++;
  out[i] = 0;
  return to;
}

/* Copies what fits into `size` bytes with a final zero; returns the length of `from`. */
size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t i = 0;
  while (i + 1 < size && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  if (size > 0)
    to[i] = 0;
  return i + strlen(from + i);
}

/* As strlcpy behind the string that is there; returns the length it tried to make. */
size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strnlen(to, size);
  return length + strlcpy(to + length, from, size - length);
}

/* The first `length` characters in new memory, or null with ENOMEM. */
static char *duplicate(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (copy == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strdup(const char *text) { return duplicate(text, strlen(text)); }

char *strndup(const char *text, size_t limit) { return duplicate(text, strnlen(text, limit)); }

/* glibc's headers of some versions expand to these. */
char *__strdup(const char *text) { return strdup(text); }

char *__strndup(const char *text, size_t limit) { return strndup(text, limit); }
