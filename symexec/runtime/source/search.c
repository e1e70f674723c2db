/* Searching in arrays: bsearch, lfind, lsearch. */
#include "runtime.h"

void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const unsigned char *elements = array;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const void *element = elements + middle * size;
    int order = compare(key, element);
    if (order == 0)
      return (void *)element;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

void *lfind(const void *key, const void *array, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
  const unsigned char *elements = array;
  for (size_t i = 0; i < *count; i++)
    if (compare(key, elements + i * size) == 0)
      return (void *)(elements + i * size);
  return NULL;
}

/* As lfind, and appends the key where it is missing; the array has room for it. */
void *lsearch(const void *key, void *array, size_t *count, size_t size,
              int (*compare)(const void *, const void *)) {
  void *found = lfind(key, array, count, size, compare);
  if (found != NULL)
    return found;
  return memcpy((unsigned char *)array + (*count)++ * size, key, size);
}
