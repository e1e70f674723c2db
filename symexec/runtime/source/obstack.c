/* Stacks of objects that grow: what glibc's obstack.h calls where its macros do not do. */
#include "runtime.h"

int vasprintf(char **restrict to, const char *restrict text, va_list arguments);

struct chunk {
  char *limit;
  struct chunk *previous;
  char content[];
};

/* glibc's struct obstack on x86_64; its macros look into it. */
struct obstack {
  long chunk_size;
  struct chunk *chunk;
  char *object_base, *next_free, *chunk_limit;
  union {
    ptrdiff_t number;
    void *pointer;
  } temporary;
  int alignment_mask;
  void *(*allocate)(void *, long);
  void (*release)(void *, void *);
  void *extra;
  unsigned use_extra : 1, maybe_empty : 1, failed : 1;
};
_Static_assert(sizeof(struct obstack) == 88, "glibc's size of struct obstack");

static __attribute__((noreturn)) void no_memory(void) {
  __attribute__((noreturn)) void exit(int status);
  exit(1);
}
void (*obstack_alloc_failed_handler)(void) = no_memory;
int obstack_exit_failure = 1;

static struct chunk *new_chunk(struct obstack *stack, size_t size) {
  struct chunk *chunk =
      stack->use_extra ? stack->allocate(stack->extra, (long)size) : ((void *(*)(long))(void *)stack->allocate)((long)size);
  if (chunk == NULL)
    obstack_alloc_failed_handler();
  chunk->limit = (char *)chunk + size;
  return chunk;
}
static void release(struct obstack *stack, struct chunk *chunk) {
  if (stack->use_extra)
    stack->release(stack->extra, chunk);
  else
    ((void (*)(void *))(void *)stack->release)(chunk);
}

/* The first place in a chunk that is aligned. Objects of the heap are, to 16 bytes, so that only larger alignments
 * ask where the chunk is. */
static char *start_of(const struct obstack *stack, struct chunk *chunk) {
  size_t mask = (size_t)stack->alignment_mask, behind = sizeof *chunk;
  if (mask < 16)
    return (char *)chunk + ((behind + mask) & ~mask);
  return (char *)chunk + behind + (-((uintptr_t)chunk + behind) & mask);
}

static int begin(struct obstack *stack, int size, int alignment) {
  if (alignment == 0)
    alignment = 16;
  stack->chunk_size = size == 0 ? 4064 : size;
  stack->alignment_mask = alignment - 1;
  struct chunk *chunk = new_chunk(stack, (size_t)stack->chunk_size);
  chunk->previous = NULL;
  stack->chunk = chunk;
  stack->object_base = stack->next_free = start_of(stack, chunk);
  stack->chunk_limit = chunk->limit;
  stack->maybe_empty = stack->failed = 0;
  return 1;
}
int _obstack_begin(struct obstack *stack, int size, int alignment, void *(*allocate)(long), void (*give_back)(void *)) {
  stack->allocate = (void *(*)(void *, long))(void *)allocate;
  stack->release = (void (*)(void *, void *))(void *)give_back;
  stack->use_extra = 0;
  return begin(stack, size, alignment);
}
int _obstack_begin_1(struct obstack *stack, int size, int alignment, void *(*allocate)(void *, long),
                     void (*give_back)(void *, void *), void *extra) {
  stack->allocate = allocate;
  stack->release = give_back;
  stack->extra = extra;
  stack->use_extra = 1;
  return begin(stack, size, alignment);
}

void _obstack_newchunk(struct obstack *stack, int length) {
  struct chunk *old = stack->chunk;
  size_t grown = (size_t)(stack->next_free - stack->object_base);
  size_t size = grown + (size_t)length + (grown >> 3) + (size_t)stack->alignment_mask + 100;
  if (size < (size_t)stack->chunk_size)
    size = (size_t)stack->chunk_size;
  struct chunk *chunk = new_chunk(stack, size);
  chunk->previous = old;
  stack->chunk = chunk;
  stack->chunk_limit = chunk->limit;
  char *base = start_of(stack, chunk);
  memcpy(base, stack->object_base, grown);
  /* A chunk that held nothing but this object is not needed any more. */
  if (!stack->maybe_empty && stack->object_base == start_of(stack, old)) {
    chunk->previous = old->previous;
    release(stack, old);
  }
  stack->object_base = base;
  stack->next_free = base + grown;
  stack->maybe_empty = 0;
}

static bool is_in(const struct chunk *chunk, const void *object) {
  return (uintptr_t)chunk < (uintptr_t)object && (uintptr_t)object <= (uintptr_t)chunk->limit;
}
int _obstack_allocated_p(struct obstack *stack, void *object) {
  struct chunk *chunk = stack->chunk;
  while (chunk != NULL && !is_in(chunk, object))
    chunk = chunk->previous;
  return chunk != NULL;
}
void _obstack_free(struct obstack *stack, void *object) {
  struct chunk *chunk = stack->chunk;
  while (chunk != NULL && !is_in(chunk, object)) {
    struct chunk *previous = chunk->previous;
    release(stack, chunk);
    chunk = previous;
    /* What is now the last chunk may be empty. */
    stack->maybe_empty = 1;
  }
  stack->chunk = chunk;
  if (chunk != NULL) {
    stack->object_base = stack->next_free = object;
    stack->chunk_limit = chunk->limit;
  } else if (object != NULL)
    __assert_fail("the object is in the stack", __FILE__, __LINE__, "obstack_free");
}
void obstack_free(struct obstack *stack, void *object) { _obstack_free(stack, object); }
int _obstack_memory_used(struct obstack *stack) {
  int used = 0;
  for (struct chunk *chunk = stack->chunk; chunk != NULL; chunk = chunk->previous)
    used += (int)(chunk->limit - (char *)chunk);
  return used;
}

int obstack_vprintf(struct obstack *stack, const char *restrict text, va_list arguments) {
  char *printed;
  int length = vasprintf(&printed, text, arguments);
  if (length < 0)
    return -1;
  if (stack->chunk_limit - stack->next_free < length)
    _obstack_newchunk(stack, length);
  memcpy(stack->next_free, printed, (size_t)length);
  stack->next_free += length;
  free(printed);
  return length;
}
int obstack_printf(struct obstack *stack, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = obstack_vprintf(stack, text, arguments);
  va_end(arguments);
  return length;
}
int __obstack_printf_chk(struct obstack *stack, int flag, const char *restrict text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int length = obstack_vprintf(stack, text, arguments);
  va_end(arguments);
  return length;
}
int __obstack_vprintf_chk(struct obstack *stack, int flag, const char *restrict text, va_list arguments) {
  return (void)flag, obstack_vprintf(stack, text, arguments);
}
