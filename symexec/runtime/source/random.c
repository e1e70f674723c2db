/* Pseudo-random numbers: rand, random with states of every size, rand_r, and the 48-bit family.
 *
 * The generators are glibc's (an additive feedback over 31 words; POSIX's linear congruence modulo
 * 2^48), so that a program that draws numbers takes the same path when its test is replayed natively.
 * An unknown seed gives unknown numbers.
 */
#include "runtime.h"

/* glibc's struct random_data: where numbers of a state are added and read, how many there are, how far apart that is. */
struct generator {
  int32_t *front, *rear, *state;
  int kind, words, lag;
  int32_t *end;
};
_Static_assert(sizeof(struct generator) == 48, "glibc's size of struct random_data");

/* The kinds of states: the bytes that they take, and what they have. The first one is a single word. */
enum { KINDS = 5 };
static const struct {
  unsigned bytes;
  int words, lag;
} kinds[KINDS] = {{8, 0, 0}, {32, 7, 3}, {64, 15, 1}, {128, 31, 3}, {256, 63, 1}};

static int fail(void) {
  errno = EINVAL;
  return -1;
}

static void use(struct generator *generator, int kind, int32_t *state) {
  generator->kind = kind;
  generator->words = kinds[kind].words;
  generator->lag = kinds[kind].lag;
  generator->state = state;
  generator->end = state + generator->words;
}

/* In front of a state its kind is kept, and how far reading has come. */
static void keep(const struct generator *generator) {
  int place = generator->kind == 0 ? 0 : (int)(generator->rear - generator->state);
  generator->state[-1] = place * KINDS + generator->kind;
}

int random_r(struct generator *generator, int32_t *to) {
  if (generator == NULL || to == NULL)
    return fail();
  if (generator->kind == 0) {
    *to = generator->state[0] = (int32_t)(((uint32_t)generator->state[0] * 1103515245u + 12345u) & INT32_MAX);
    return 0;
  }
  uint32_t word = (uint32_t)*generator->front + (uint32_t)*generator->rear;
  *generator->front = (int32_t)word;
  *to = (int32_t)(word >> 1);
  if (++generator->front == generator->end)
    generator->front = generator->state;
  if (++generator->rear == generator->end)
    generator->rear = generator->state;
  return 0;
}

int srandom_r(unsigned seed, struct generator *generator) {
  if (generator == NULL || generator->kind < 0 || generator->kind >= KINDS)
    return -1;
  /* 16807 * word modulo 2^31 - 1, by Schrage's method on signed words. */
  int32_t word = seed == 0 ? 1 : (int32_t)seed, *state = generator->state;
  state[0] = word;
  if (generator->kind == 0)
    return 0;
  for (int i = 1; i < generator->words; i++) {
    word = 16807 * (word % 127773) - 2836 * (word / 127773);
    /* An unknown seed makes no paths. */
    word += word >> 31 & INT32_MAX;
    state[i] = word;
  }
  generator->front = state + generator->lag;
  generator->rear = state;
  for (int i = 0, unused; i < 10 * generator->words; i++)
    random_r(generator, &unused);
  return 0;
}

int initstate_r(unsigned seed, char *bytes, size_t size, struct generator *generator) {
  if (generator == NULL)
    return fail();
  if (generator->state != NULL)
    keep(generator);
  int kind = KINDS - 1;
  while (kind >= 0 && size < kinds[kind].bytes)
    kind--;
  if (kind < 0)
    return fail();
  use(generator, kind, (int32_t *)(void *)bytes + 1);
  srandom_r(seed, generator);
  keep(generator);
  return 0;
}

int setstate_r(char *bytes, struct generator *generator) {
  if (bytes == NULL || generator == NULL)
    return fail();
  int32_t *state = (int32_t *)(void *)bytes + 1;
  /* First, as both may be the same. */
  keep(generator);
  int kind = state[-1] % KINDS, place = state[-1] / KINDS;
  if (kind < 0 || place < 0 || (kind > 0 && place >= kinds[kind].words))
    return fail();
  use(generator, kind, state);
  if (kind > 0) {
    generator->rear = state + place;
    generator->front = state + (place + generator->lag) % generator->words;
  }
  return 0;
}

/* The state of those who have none, seeded with 1 when it is first used. */
static int32_t words[32];
static struct generator shared;

static struct generator *begun(void) {
  if (shared.state == NULL)
    initstate_r(1, (char *)words, sizeof words, &shared);
  return &shared;
}

void srandom(unsigned seed) { srandom_r(seed, begun()); }

long random(void) {
  int32_t number;
  random_r(begun(), &number);
  return number;
}

char *initstate(unsigned seed, char *bytes, size_t size) {
  char *before = (char *)(begun()->state - 1);
  return initstate_r(seed, bytes, size, &shared) < 0 ? NULL : before;
}

char *setstate(char *bytes) {
  char *before = (char *)(begun()->state - 1);
  return setstate_r(bytes, &shared) < 0 ? NULL : before;
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

/* glibc's struct drand48_data. Until somebody sets what a state is multiplied by and what is added, it is POSIX's. */
struct congruence {
  unsigned short words[3], before[3];
  unsigned short added, is_set;
  uint64_t factor;
};
_Static_assert(sizeof(struct congruence) == 24, "glibc's size of struct drand48_data");

static struct congruence shared48;

static void set48(struct congruence *state, uint64_t factor, unsigned short added) {
  state->factor = factor;
  state->added = added;
  state->is_set = 1;
}

/* The next number of a state that may be another than the one whose factor it has. */
static uint64_t next48(unsigned short words[3], struct congruence *state) {
  if (!state->is_set)
    set48(state, 0x5deece66dull, 11);
  uint64_t x = (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
  x = (x * state->factor + state->added) & ((1ull << 48) - 1);
  words[0] = (unsigned short)x;
  words[1] = (unsigned short)(x >> 16);
  words[2] = (unsigned short)(x >> 32);
  return x;
}

/* Exact: 48 bits fit into a double's 53. */
static double fraction48(uint64_t x) { return (double)x / (double)(1ull << 48); }

int srand48_r(long seed, struct congruence *state) {
  state->words[0] = 0x330e;
  state->words[1] = (unsigned short)seed;
  state->words[2] = (unsigned short)((unsigned long)seed >> 16);
  set48(state, 0x5deece66dull, 11);
  return 0;
}

int seed48_r(unsigned short words[3], struct congruence *state) {
  memcpy(state->before, state->words, sizeof state->before);
  memcpy(state->words, words, sizeof state->words);
  set48(state, 0x5deece66dull, 11);
  return 0;
}

int lcong48_r(unsigned short words[7], struct congruence *state) {
  memcpy(state->words, words, sizeof state->words);
  set48(state, (uint64_t)words[5] << 32 | (uint64_t)words[4] << 16 | words[3], words[6]);
  return 0;
}

int erand48_r(unsigned short words[3], struct congruence *state, double *to) {
  *to = fraction48(next48(words, state));
  return 0;
}
int nrand48_r(unsigned short words[3], struct congruence *state, long *to) {
  *to = (long)(next48(words, state) >> 17);
  return 0;
}
int jrand48_r(unsigned short words[3], struct congruence *state, long *to) {
  *to = (int32_t)(next48(words, state) >> 16);
  return 0;
}
int drand48_r(struct congruence *state, double *to) { return erand48_r(state->words, state, to); }
int lrand48_r(struct congruence *state, long *to) { return nrand48_r(state->words, state, to); }
int mrand48_r(struct congruence *state, long *to) { return jrand48_r(state->words, state, to); }

void srand48(long seed) { srand48_r(seed, &shared48); }
unsigned short *seed48(unsigned short words[3]) {
  seed48_r(words, &shared48);
  return shared48.before;
}
void lcong48(unsigned short words[7]) { lcong48_r(words, &shared48); }

double erand48(unsigned short words[3]) { return fraction48(next48(words, &shared48)); }
long nrand48(unsigned short words[3]) { return (long)(next48(words, &shared48) >> 17); }
long jrand48(unsigned short words[3]) { return (int32_t)(next48(words, &shared48) >> 16); }
double drand48(void) { return erand48(shared48.words); }
long lrand48(void) { return nrand48(shared48.words); }
long mrand48(void) { return jrand48(shared48.words); }
