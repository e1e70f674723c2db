/* Pseudo-random numbers: rand, random, rand_r, and the 48-bit family.
 *
 * The generators are glibc's (an additive feedback over 31 words; POSIX's linear congruence modulo
 * 2^48), so that a program that draws numbers takes the same path when its test is replayed natively.
 * An unknown seed gives unknown numbers.
 */
#include "runtime.h"

enum { WORDS = 31, LAG = 3, DISCARDED = 310 };

static uint32_t state[WORDS];
static int front;
static bool seeded;

static uint32_t next(void) {
  int rear = front + WORDS - LAG;
  if (rear >= WORDS)
    rear -= WORDS;
  uint32_t word = state[front] += state[rear];
  front = front + 1 == WORDS ? 0 : front + 1;
  return word >> 1;
}

void srandom(unsigned seed) {
  /* 16807 * word modulo 2^31 - 1, by Schrage's method on signed words. */
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  state[0] = (uint32_t)word;
  for (int i = 1; i < WORDS; i++) {
    word = 16807 * (word % 127773) - 2836 * (word / 127773);
    if (word < 0)
      word += INT32_MAX;
    state[i] = (uint32_t)word;
  }
  front = LAG;
  seeded = true;
  for (int i = 0; i < DISCARDED; i++)
    next();
}

long random(void) {
  if (!seeded)
    srandom(1);
  return (long)next();
}

void srand(unsigned seed) { srandom(seed); }

int rand(void) { return (int)random(); }

int rand_r(unsigned *seed) {
  uint32_t word = *seed, result = 0;
  for (int i = 0; i < 3; i++) {
    word = word * 1103515245u + 12345;
    uint32_t bits = i == 0 ? 11 : 10;
    result = result << 10 ^ ((word >> 16) & ((1u << bits) - 1));
  }
  *seed = word;
  return (int)result;
}

/* ---- The 48-bit family; states are three words, the least significant first. ---- */

static unsigned short words48[3];

static uint64_t next48(unsigned short words[3]) {
  uint64_t x = (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
  x = (x * 0x5deece66dull + 11) & ((1ull << 48) - 1);
  words[0] = (unsigned short)x;
  words[1] = (unsigned short)(x >> 16);
  words[2] = (unsigned short)(x >> 32);
  return x;
}

/* Exact: 48 bits fit into a double's 53. */
static double fraction48(uint64_t x) { return (double)x / (double)(1ull << 48); }

void srand48(long seed) {
  words48[0] = 0x330e;
  words48[1] = (unsigned short)seed;
  words48[2] = (unsigned short)((unsigned long)seed >> 16);
}

double drand48(void) { return fraction48(next48(words48)); }

double erand48(unsigned short words[3]) { return fraction48(next48(words)); }

long lrand48(void) { return (long)(next48(words48) >> 17); }

long nrand48(unsigned short words[3]) { return (long)(next48(words) >> 17); }

long mrand48(void) { return (int32_t)(next48(words48) >> 16); }

long jrand48(unsigned short words[3]) { return (int32_t)(next48(words) >> 16); }
