/* Sorting and searching arrays. */
#include "compare.h"

#include <search.h>

OURS(qsort);
OURS(qsort_r);
OURS(bsearch);
OURS(lfind);
OURS(lsearch);

static unsigned long asked;

/* By the first byte alone, so that equal elements can be told apart by the others. */
static int by_first(const void *left, const void *right) {
  asked++;
  return *(const unsigned char *)left - *(const unsigned char *)right;
}

static int by_first_with(const void *left, const void *right, void *context) {
  ++*(unsigned long *)context;
  return by_first(left, right);
}

/* The expected result is made by a stable insertion sort, which glibc's qsort is not in every version. */
static void sort_slowly(unsigned char *elements, size_t count, size_t size) {
  unsigned char element[600];
  for (size_t i = 1; i < count; i++) {
    memcpy(element, elements + i * size, size);
    size_t j = i;
    for (; j > 0 && elements[(j - 1) * size] > *element; j--)
      memcpy(elements + j * size, elements + (j - 1) * size, size);
    memcpy(elements + j * size, element, size);
  }
}

/* The least k with 2^k >= n, times n: an upper bound of what a merge sort asks. */
static unsigned long bound(size_t n) {
  unsigned long k = 0;
  while ((1ul << k) < n)
    k++;
  return n * k;
}

static void sorts(void) {
  static const size_t sizes[] = {1, 2, 4, 8, 12, 24, 255, 256, 257, 600};
  for (int round = 0; round < 1500; round++) {
    size_t size = sizes[below(sizeof sizes / sizeof *sizes)];
    size_t most = ROOM_SIZE / size < 200 ? ROOM_SIZE / size : 200, count = below(most + 1);
    unsigned char *ours = (unsigned char *)room_end(0, count * size);
    unsigned char *theirs = (unsigned char *)room_end(1, count * size);
    bool few = sometimes(2);
    for (size_t i = 0; i < count * size; i++)
      ours[i] = theirs[i] = (unsigned char)(few ? below(4) : draw() >> 20);
    sort_slowly(theirs, count, size);
    asked = 0;
    refuse_memory = sometimes(4);
    if (sometimes(2)) {
      ours_qsort(ours, count, size, by_first);
    } else {
      unsigned long asked_with = 0;
      ours_qsort_r(ours, count, size, by_first_with, &asked_with);
      same_number((long long)asked_with, (long long)asked, "the context of qsort_r");
    }
    refuse_memory = false;
    same_bytes(ours, theirs, count * size, "%zu elements of %zu bytes, sorted", count, size);
    same_number(asked <= bound(count), 1, "%lu comparisons for %zu elements", asked, count);
  }
}

/* Comparisons that never call two elements equal: one keeps their order, the other turns it around. */
static int first_or_left(const void *left, const void *right) {
  return *(const unsigned char *)left > *(const unsigned char *)right ? 1 : -1;
}
static int first_or_right(const void *left, const void *right) {
  return *(const unsigned char *)left < *(const unsigned char *)right ? -1 : 1;
}

static void sorts_without_ties(void) {
  unsigned char elements[200][2];
  for (int round = 0; round < 400; round++) {
    size_t count = below(201);
    bool turns = sometimes(2);
    for (size_t i = 0; i < count; i++) {
      elements[i][0] = (unsigned char)below(5);
      elements[i][1] = (unsigned char)i;
    }
    refuse_memory = sometimes(4);
    ours_qsort(elements, count, 2, turns ? first_or_right : first_or_left);
    refuse_memory = false;
    for (size_t i = 1; i < count; i++) {
      const unsigned char *left = elements[i - 1], *right = elements[i];
      bool is_first = left[0] < right[0] || (left[0] == right[0] && (left[1] < right[1]) != turns);
      same_number(is_first, 1, "elements %zu and %zu of %zu, sorted without ties", i - 1, i, count);
    }
  }
}

static void searches(void) {
  for (int round = 0; round < 3000; round++) {
    size_t size = below(4) + 1, count = below(40), full = count;
    unsigned char *elements = (unsigned char *)room_end(0, (count + 1) * size), key[4];
    for (size_t i = 0; i < (count + 1) * size; i++)
      elements[i] = (unsigned char)below(200);
    for (size_t i = 0; i < size; i++)
      key[i] = (unsigned char)below(200);
    void *ours = ours_lfind(key, elements, &count, size, by_first);
    void *theirs = lfind(key, elements, &count, size, by_first);
    same_number((intptr_t)ours, (intptr_t)theirs, "lfind in %zu elements", count);
    ours = ours_lsearch(key, elements, &full, size, by_first);
    same_number((intptr_t)ours, theirs != NULL ? (intptr_t)theirs : (intptr_t)(elements + count * size),
                "lsearch in %zu elements", count);
    same_number((long long)full, (long long)count + (theirs == NULL), "the count after lsearch");
    if (theirs == NULL)
      same_bytes(ours, key, size, "the element that lsearch appended");
    /* Distinct first bytes, so that there is one answer. */
    for (size_t i = 0; i < count; i++)
      elements[i * size] = (unsigned char)(3 + 5 * i);
    key[0] = (unsigned char)below(220);
    same_number((intptr_t)ours_bsearch(key, elements, count, size, by_first),
                (intptr_t)bsearch(key, elements, count, size, by_first), "bsearch of %d in %zu elements", key[0],
                count);
  }
}

void compare_sort(void) {
  sorts();
  sorts_without_ties();
  searches();
}
