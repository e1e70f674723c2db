/* Comparing and searching bytes: memcmp, memchr, memmem and their relatives.
 *
 * Differs from glibc: a comparison's result is the difference of the first bytes that differ; the
 * standard promises no more than the sign.
 */
#include "runtime.h"

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *l = left, *r = right;
  for (size_t i = 0; i < count; i++)
    if (l[i] != r[i])
      return l[i] - r[i];
  return 0;
}

int bcmp(const void *left, const void *right, size_t count) { return memcmp(left, right, count); }

void *memchr(const void *bytes, int byte, size_t count) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < count; i++)
    if (b[i] == (unsigned char)byte)
      return (void *)(b + i);
  return NULL;
}

void *memrchr(const void *bytes, int byte, size_t count) {
  const unsigned char *b = bytes;
  for (size_t i = count; i > 0; i--)
    if (b[i - 1] == (unsigned char)byte)
      return (void *)(b + i - 1);
  return NULL;
}

/* The byte must occur. */
void *rawmemchr(const void *bytes, int byte) {
  const unsigned char *b = bytes;
  while (*b != (unsigned char)byte)
    b++;
  return (void *)b;
}

void *memmem(const void *hay, size_t hay_size, const void *needle, size_t needle_size) {
  const unsigned char *h = hay;
  if (needle_size > hay_size)
    return NULL;
  for (size_t i = 0; i <= hay_size - needle_size; i++)
    if (memcmp(h + i, needle, needle_size) == 0)
      return (void *)(h + i);
  return NULL;
}
