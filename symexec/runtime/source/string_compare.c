/* Comparisons of strings.
 *
 * Differs from glibc: results are differences of characters, of which the standard promises the sign
 * only; the locale is "C", so strcoll is strcmp and strxfrm copies.
 */
#include "runtime.h"

int strcmp(const char *left, const char *right) {
  for (;; left++, right++) {
    if (*left != *right)
      return (unsigned char)*left - (unsigned char)*right;
    if (*left == 0)
      return 0;
  }
}

int strncmp(const char *left, const char *right, size_t limit) {
  for (size_t i = 0; i < limit; i++) {
    if (left[i] != right[i])
      return (unsigned char)left[i] - (unsigned char)right[i];
    if (left[i] == 0)
      return 0;
  }
  return 0;
}

int strcasecmp(const char *left, const char *right) {
  for (;; left++, right++) {
    int l = to_lower((unsigned char)*left), r = to_lower((unsigned char)*right);
    if (l != r)
      return l - r;
    if (l == 0)
      return 0;
  }
}

int strncasecmp(const char *left, const char *right, size_t limit) {
  for (size_t i = 0; i < limit; i++) {
    int l = to_lower((unsigned char)left[i]), r = to_lower((unsigned char)right[i]);
    if (l != r)
      return l - r;
    if (l == 0)
      return 0;
  }
  return 0;
}

int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strlen(from);
  if (length < size)
    memcpy(to, from, length + 1);
  else if (size > 0)
    memcpy(to, from, size);
  return length;
}
