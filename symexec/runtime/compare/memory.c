/* Copying, filling, comparing and searching bytes. */
#include "compare.h"

OURS(memcpy);
OURS(memmove);
OURS(memset);
OURS(mempcpy);
OURS(memccpy);
OURS(bcopy);
OURS(bzero);
OURS(explicit_bzero);
OURS(memcmp);
OURS(bcmp);
OURS(memchr);
OURS(memrchr);
OURS(rawmemchr);
OURS(memmem);

/* Fills the last `size` bytes of a room and of its twin alike, with few different values. */
static void fill(unsigned room, unsigned twin, size_t size) {
  for (size_t i = 0; i < size; i++)
    room_end(room, size)[i] = room_end(twin, size)[i] = (char)(sometimes(8) ? draw() : below(3));
}

static void copies(void) {
  for (int round = 0; round < 4000; round++) {
    pretend_symbolic = (unsigned)below(2);
    size_t size = below(64) + 1, count = below(size + 1);
    fill(0, 1, size);
    fill(2, 3, size);
    char *from = room_end(0, size) + size - count, *from_twin = room_end(1, size) + size - count;
    char *ours = room_end(2, size), *theirs = room_end(3, size);
    int byte = (int)below(4);
    switch (below(7)) {
    case 0:
      same_number((char *)ours_memcpy(ours, from, count) - ours, 0, "memcpy's result");
      memcpy(theirs, from, count);
      break;
    case 1:
      same_number((char *)ours_mempcpy(ours, from, count) - ours,
                  (char *)mempcpy(theirs, from, count) - theirs, "mempcpy's result");
      break;
    case 2: {
      char *o = ours_memccpy(ours, from, byte, count), *t = memccpy(theirs, from, byte, count);
      same_number(o == NULL ? -1 : o - ours, t == NULL ? -1 : t - theirs, "memccpy's result");
      break;
    }
    case 3:
      same_number((char *)ours_memset(ours, byte + 256, count) - ours, 0, "memset's result");
      memset(theirs, byte, count);
      break;
    case 4:
      ours_bzero(ours, count);
      memset(theirs, 0, count);
      break;
    case 5:
      ours_explicit_bzero(ours, count);
      memset(theirs, 0, count);
      break;
    case 6: {
      /* Within one room, in both directions. */
      size_t to = below(size - count + 1);
      if (sometimes(2)) {
        ours_memmove(room_end(0, size) + to, from, count);
        memmove(room_end(1, size) + to, from_twin, count);
        from = room_end(0, size) + to;
        from_twin = room_end(1, size) + to;
      }
      size_t back = below(size - count + 1);
      ours_bcopy(from, room_end(0, size) + back, count);
      bcopy(from_twin, room_end(1, size) + back, count);
      break;
    }
    }
    same_bytes(room_end(0, size), room_end(1, size), size, "the source of a copy of %zu bytes", count);
    same_bytes(ours, theirs, size, "the target of a copy of %zu bytes", count);
  }
  pretend_symbolic = 0;
}

static void searches(void) {
  for (int round = 0; round < 4000; round++) {
    size_t size = below(40) + 1, part = below(5);
    fill(0, 1, size);
    const char *l = room_end(0, size), *r = room_end(1, size);
    if (sometimes(2))
      room_end(1, size)[below(size)] ^= (char)(1 << below(8));
    same_sign(ours_memcmp(l, r, size), memcmp(l, r, size), "memcmp of %zu bytes", size);
    same_truth(ours_bcmp(l, r, size), bcmp(l, r, size), "bcmp of %zu bytes", size);
    int byte = (int)below(5) + 256 * (int)below(2);
    same_number((intptr_t)ours_memchr(l, byte, size), (intptr_t)memchr(l, byte, size), "memchr");
    same_number((intptr_t)ours_memrchr(l, byte, size), (intptr_t)memrchr(l, byte, size), "memrchr");
    if (memchr(l, byte, size) != NULL)
      same_number((intptr_t)ours_rawmemchr(l, byte), (intptr_t)memchr(l, byte, size), "rawmemchr");
    fill(2, 3, part);
    const char *needle = room_end(2, part);
    same_number((intptr_t)ours_memmem(l, size, needle, part), (intptr_t)memmem(l, size, needle, part),
                "memmem of %zu in %zu bytes", part, size);
  }
}

void compare_memory(void) {
  copies();
  searches();
}
