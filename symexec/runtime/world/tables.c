/* A table that few programs use, and pairs of bytes: hsearch, swab. */
#include "../source/runtime.h"

enum { ESRCH = 3 };

void *calloc(size_t count, size_t size);
int strcmp(const char *left, const char *right);

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
