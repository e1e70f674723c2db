/* qsort: a stable merge sort, bottom up.
 *
 * What counts here is the number of comparisons, for each may fork the path. Runs of up to 16 elements
 * are made by binary insertion, longer ones by merging; both come close to the least possible
 * number, and never ask what earlier answers imply. Small arrays need no memory. For larger ones a
 * copy of the array is allocated; if there is none to be had, binary insertion sorts it all, slowly.
 * Elements are moved by memmove, so pointers in them stay whole.
 *
 * Differs from glibc: stable, which glibc's was until 2.36 and is not any more. The one that comes
 * first is always the left one, as there: of elements that a comparison never calls equal (it says
 * `a < b ? -1 : 1`) the order is then glibc's too. Another comparison that is no order gives some
 * permutation, here as there.
 */
#include "runtime.h"

typedef int (*compare_fn)(const void *, const void *, void *);

enum { RUN = 16 };

/* Elements up to this size are moved through a buffer on the stack. */
enum { SMALL = 256 };

/* Moves element `from` down to position `to`, and those between up by one. */
static void insert(unsigned char *elements, size_t size, size_t to, size_t from) {
  unsigned char buffer[SMALL];
  unsigned char *target = elements + to * size, *source = elements + from * size;
  for (size_t done = 0; done < size;) {
    /* Slice by slice: large elements are rotated a buffer's width at a time. */
    size_t part = size - done < SMALL ? size - done : SMALL;
    memcpy(buffer, source + done, part);
    if (part == size)
      memmove(target + size, target, (from - to) * size);
    else
      for (unsigned char *e = source; e > target; e -= size)
        memcpy(e + done, e - size + done, part);
    memcpy(target + done, buffer, part);
    done += part;
  }
}

/* Sorts elements first <= i < last, of which those before `sorted` are sorted already. */
static void insertion_sort(unsigned char *elements, size_t size, size_t first, size_t sorted, size_t last,
                           compare_fn compare, void *context) {
  for (size_t i = sorted; i < last; i++) {
    /* The place behind all elements that are not greater. */
    size_t low = first, high = i;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (compare(elements + middle * size, elements + i * size, context) > 0)
        high = middle;
      else
        low = middle + 1;
    }
    if (low != i)
      insert(elements, size, low, i);
  }
}

/* Merges two sorted neighbours, first <= i < middle and middle <= i < last, from one array to another. */
static void merge(const unsigned char *from, unsigned char *to, size_t size, size_t first, size_t middle,
                  size_t last, compare_fn compare, void *context) {
  size_t left = first, right = middle, out = first;
  while (left < middle && right < last) {
    bool take_right = compare(from + left * size, from + right * size, context) > 0;
    memcpy(to + out++ * size, from + (take_right ? right++ : left++) * size, size);
  }
  memcpy(to + out * size, from + left * size, (middle - left) * size);
  out += middle - left;
  memcpy(to + out * size, from + right * size, (last - right) * size);
}

void qsort_r(void *array, size_t count, size_t size, compare_fn compare, void *context) {
  unsigned char *elements = array;
  if (count < 2 || size == 0)
    return;
  unsigned char *other = count <= RUN ? NULL : malloc(count * size);
  if (other == NULL) {
    insertion_sort(elements, size, 0, 1, count, compare, context);
    return;
  }
  for (size_t first = 0; first < count; first += RUN) {
    size_t last = count - first < RUN ? count : first + RUN;
    insertion_sort(elements, size, first, first + 1, last, compare, context);
  }
  unsigned char *from = elements, *to = other;
  for (size_t run = RUN; run < count; run *= 2) {
    for (size_t first = 0; first < count; first += 2 * run) {
      size_t middle = count - first < run ? count : first + run;
      size_t last = count - middle < run ? count : middle + run;
      merge(from, to, size, first, middle, last, compare, context);
    }
    unsigned char *swap = from;
    from = to;
    to = swap;
  }
  if (from != elements)
    memcpy(elements, from, count * size);
  free(other);
}

/* A comparison without context, as the context of one with. */
struct plain {
  int (*compare)(const void *, const void *);
};

static int compare_plain(const void *left, const void *right, void *context) {
  return ((struct plain *)context)->compare(left, right);
}

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  struct plain plain = {compare};
  qsort_r(array, count, size, compare_plain, &plain);
}
