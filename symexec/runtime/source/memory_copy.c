/* Copying and filling bytes: memcpy, memmove, memset and their relatives.
 *
 * With a known length the work is the compiler's intrinsic, which the engine does in one step and
 * without taking pointers apart into bytes. With an unknown length a loop forks once per byte, so
 * that every length is explored.
 */
#include "runtime.h"

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  if (!klee_is_symbolic(count)) {
    __builtin_memcpy(to, from, count);
    return to;
  }
  unsigned char *out = to;
  const unsigned char *in = from;
  for (size_t i = 0; i < count; i++)
    out[i] = in[i];
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if (!klee_is_symbolic(count)) {
    __builtin_memmove(to, from, count);
    return to;
  }
  unsigned char *out = to;
  const unsigned char *in = from;
  /* The distance, as an unsigned number, is below `count` only if `to` lies inside the source. */
  if ((uintptr_t)out - (uintptr_t)in >= count)
    for (size_t i = 0; i < count; i++)
      out[i] = in[i];
  else
    for (size_t i = count; i > 0; i--)
      out[i - 1] = in[i - 1];
  return to;
}

void *memset(void *to, int byte, size_t count) {
  if (!klee_is_symbolic(count)) {
    __builtin_memset(to, byte, count);
    return to;
  }
  unsigned char *out = to;
  for (size_t i = 0; i < count; i++)
    out[i] = (unsigned char)byte;
  return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
  return (unsigned char *)memcpy(to, from, count) + count;
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t count) {
  unsigned char *out = to;
  const unsigned char *in = from;
  for (size_t i = 0; i < count; i++) {
    out[i] = in[i];
    if (in[i] == (unsigned char)last)
      return out + i + 1;
  }
  return NULL;
}

void bcopy(const void *from, void *to, size_t count) { memmove(to, from, count); }

void bzero(void *to, size_t count) { memset(to, 0, count); }

void explicit_bzero(void *to, size_t count) { memset(to, 0, count); }
