/* The members of malloc's family that are made of others. malloc, calloc, realloc, aligned_alloc, memalign
 * and free are the engine's. */
#include "runtime.h"

void *realloc(void *object, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
size_t klee_get_obj_size(void *object);

enum { PAGE = 4096 };

int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  void *object = aligned_alloc(alignment, size);
  if (object == NULL)
    return ENOMEM;
  *place = object;
  return 0;
}

void *valloc(size_t size) { return aligned_alloc(PAGE, size); }

void *pvalloc(size_t size) {
  size_t whole;
  if (__builtin_add_overflow(size, PAGE - 1, &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  return aligned_alloc(PAGE, whole / PAGE * PAGE);
}

void *reallocarray(void *object, size_t count, size_t size) {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(object, whole);
}

/* What was asked for: glibc's has some bytes more. */
size_t malloc_usable_size(void *object) { return object == NULL ? 0 : klee_get_obj_size(object); }
