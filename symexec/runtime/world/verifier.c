/* Unknown values as the competitions on software verification and testing ask for them.
 *
 * Each value is an input of its own, called by the function that made it: a test suite tells them in the order in
 * which they were asked for. Sizes are those of the competition's validator for 64-bit programs. */
#include "../source/runtime.h"

void klee_make_symbolic(void *object, size_t size, const char *name);
__attribute__((noreturn)) void klee_silent_exit(int status);

#define UNKNOWN(type, name)                                               \
  type __VERIFIER_nondet_##name(void) {                                   \
    type value;                                                           \
    klee_make_symbolic(&value, sizeof value, "__VERIFIER_nondet_" #name); \
    return value;                                                         \
  }

UNKNOWN(char, char)
UNKNOWN(unsigned char, uchar)
UNKNOWN(unsigned char, u8)
UNKNOWN(unsigned char, U8)
UNKNOWN(unsigned char, unsigned_char)
UNKNOWN(short, short)
UNKNOWN(unsigned short, ushort)
UNKNOWN(unsigned short, u16)
UNKNOWN(unsigned short, U16)
UNKNOWN(int, int)
UNKNOWN(unsigned, uint)
UNKNOWN(unsigned, u32)
UNKNOWN(unsigned, U32)
UNKNOWN(unsigned, unsigned)
UNKNOWN(unsigned, size_t)
UNKNOWN(long, long)
UNKNOWN(unsigned long, ulong)
UNKNOWN(long long, longlong)
UNKNOWN(unsigned long long, ulonglong)
UNKNOWN(unsigned long, u64)
UNKNOWN(unsigned long, U64)
UNKNOWN(__int128, int128)
UNKNOWN(unsigned __int128, uint128)
UNKNOWN(long long, loff_t)
UNKNOWN(unsigned long, sector_t)
UNKNOWN(unsigned long, pthread_t)
UNKNOWN(unsigned long, pointer)
UNKNOWN(unsigned long, pchar)
UNKNOWN(float, float)
UNKNOWN(double, double)

/* A whole number that is 0 or 1: the validator reads one, and any other means 1. */
_Bool __VERIFIER_nondet_bool(void) {
  unsigned char value;
  klee_make_symbolic(&value, sizeof value, "__VERIFIER_nondet_bool");
  return value & 1;
}

enum { LETTERS = 8 };

/* A line of one to eight letters that can be seen: the validator reads up to the end of a line. */
const char *__VERIFIER_nondet_string(void) {
  char *text = malloc(LETTERS + 1);
  if (!text) return text;
  char letters[LETTERS];
  klee_make_symbolic(letters, sizeof letters, "__VERIFIER_nondet_string");
  _Bool seen = letters[0] != 0;
  _Bool ended = 0;
  for (size_t at = 0; at < LETTERS; at++) {
    ended = ended | (letters[at] == 0);
    /* What follows the end is nothing, so that each text has one form. */
    seen = seen & ((ended & (letters[at] == 0)) | (!ended & (letters[at] >= ' ') & (letters[at] <= '~')));
    text[at] = letters[at];
  }
  text[LETTERS] = 0;
  if (!seen) klee_silent_exit(0);
  return text;
}

/* A run in which this does not hold is none; what it did before counts, as the validator counts it. */
void __VERIFIER_assume(int holds) {
  if (!holds) _exit(1);
}

void __VERIFIER_assert(int holds) {
  if (!holds) __assert_fail("__VERIFIER_assert", __FILE__, __LINE__, __func__);
}

__attribute__((noreturn)) void __VERIFIER_error(void) {
  __assert_fail("__VERIFIER_error", __FILE__, __LINE__, __func__);
}

/* There is one thread, which nothing interrupts. */
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
