/* Memory at aligned places, of several elements, and how much there is. */
#include "compare.h"

#include <malloc.h>

OURS(posix_memalign);
OURS(valloc);
OURS(pvalloc);
OURS(reallocarray);
OURS(malloc_usable_size);

/* Writes all of an object and gives it back. */
static void use(char *object, size_t size, size_t alignment, const char *name) {
  same_number((long long)((uintptr_t)object % alignment), 0, "where %s puts %zu bytes", name, size);
  same_number(ours_malloc_usable_size(object) >= size, 1, "malloc_usable_size of %zu bytes of %s", size, name);
  memset(object, 1, size);
  free(object);
}

void compare_allocate(void) {
  for (int round = 0; round < 2000; round++) {
    size_t alignment = sometimes(2) ? (size_t)1 << below(14) : below(100), size = below(5000);
    void *ours = NULL, *theirs = NULL;
    int error = posix_memalign(&theirs, alignment, size);
    same_number(ours_posix_memalign(&ours, alignment, size), error, "posix_memalign(%zu, %zu)", alignment, size);
    same_number(ours != NULL, theirs != NULL, "the place of posix_memalign(%zu, %zu)", alignment, size);
    free(theirs);
    if (ours != NULL)
      use(ours, size, alignment, "posix_memalign");
    use(ours_valloc(size), size, 4096, "valloc");
    use(ours_pvalloc(size), (size + 4095) / 4096 * 4096, 4096, "pvalloc");
  }
  same_number(ours_malloc_usable_size(NULL), malloc_usable_size(NULL), "malloc_usable_size of nothing");
  static const size_t sizes[] = {0, 1, 7, 100, SIZE_MAX / 2, SIZE_MAX / 7, SIZE_MAX};
  for (unsigned i = 0; i < 7; i++)
    for (unsigned j = 0; j < 7; j++) {
      char *ours = malloc(3), *theirs = malloc(3);
      memcpy(ours, "ab", 3), memcpy(theirs, "ab", 3);
      ours_errno = errno = 0;
      char *more = ours_reallocarray(ours, sizes[i], sizes[j]), *others = reallocarray(theirs, sizes[i], sizes[j]);
      same_number(more != NULL, others != NULL, "reallocarray(%zu, %zu)", sizes[i], sizes[j]);
      if (more == NULL && sizes[i] != 0 && sizes[j] != 0) {
        /* Of a product that is merely too large the error is the engine's affair. */
        if (sizes[i] > SIZE_MAX / sizes[j])
          same_number(ours_errno, errno, "the error of reallocarray(%zu, %zu)", sizes[i], sizes[j]);
        same_number(memcmp(ours, "ab", 3), 0, "what reallocarray(%zu, %zu) leaves", sizes[i], sizes[j]);
      }
      if (more != NULL && sizes[i] * sizes[j] >= 3)
        same_number(memcmp(more, "ab", 3), 0, "what reallocarray(%zu, %zu) keeps", sizes[i], sizes[j]);
    }
}
