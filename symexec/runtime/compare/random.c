/* Pseudo-random numbers are the same ones, number by number. */
#include "compare.h"

OURS(rand);
OURS(srand);
OURS(random);
OURS(srandom);
OURS(rand_r);
OURS(srand48);
OURS(drand48);
OURS(erand48);
OURS(lrand48);
OURS(nrand48);
OURS(mrand48);
OURS(jrand48);
OURS(initstate);
OURS(setstate);
OURS(initstate_r);
OURS(setstate_r);
OURS(srandom_r);
OURS(random_r);
OURS(seed48);
OURS(lcong48);
OURS(srand48_r);
OURS(seed48_r);
OURS(lcong48_r);
OURS(drand48_r);
OURS(erand48_r);
OURS(lrand48_r);
OURS(nrand48_r);
OURS(mrand48_r);
OURS(jrand48_r);

/* As bits, for a difference of the last digit is one. */
static void same_double(double ours, double theirs, const char *name) {
  same_bytes(&ours, &theirs, sizeof ours, "%s", name);
}

enum { LARGEST = 300 };

/* States of every size, one in the place of another, and the first one again. */
static void compare_states(void) {
  static const size_t sizes[] = {0, 7, 8, 31, 32, 63, 64, 127, 128, 255, 256, LARGEST};
  for (int round = 0; round < 200; round++) {
    static _Alignas(8) char ours[2][LARGEST], theirs[2][LARGEST];
    struct random_data our_data = {0}, their_data = {0};
    int32_t our_number, their_number;
    for (int which = 0; which < 2; which++) {
      size_t size = sizes[draw() % (sizeof sizes / sizeof *sizes)];
      unsigned seed = (unsigned)draw();
      int did = ours_initstate_r(seed, ours[which], size, &our_data);
      same_number(did, initstate_r(seed, theirs[which], size, &their_data), "initstate_r of %zu bytes", size);
      if (did < 0)
        initstate_r(seed, theirs[which], 64, &their_data), ours_initstate_r(seed, ours[which], 64, &our_data);
      for (int i = 0; i < 80; i++) {
        ours_random_r(&our_data, &our_number), random_r(&their_data, &their_number);
        same_number(our_number, their_number, "random_r number %d in %zu bytes", i, size);
      }
    }
    for (int i = 0; i < 50; i++) {
      int which = (int)(draw() % 2);
      same_number(ours_setstate_r(ours[which], &our_data), setstate_r(theirs[which], &their_data), "setstate_r");
      if (sometimes(9))
        ours_srandom_r((unsigned)i, &our_data), srandom_r((unsigned)i, &their_data);
      ours_random_r(&our_data, &our_number), random_r(&their_data, &their_number);
      same_number(our_number, their_number, "random_r after setstate_r");
    }
    /* The shared one, which is then the usual one again. */
    char *our_old = ours_initstate(7, ours[0], 64), *their_old = initstate(7, theirs[0], 64);
    for (int i = 0; i < 20; i++)
      same_number(ours_random(), random(), "random of initstate");
    same_number(ours_setstate(our_old) == ours[0], setstate(their_old) == theirs[0], "setstate");
    same_number(ours_random(), random(), "random after setstate");
  }
}

/* States of the 48-bit family, with factors of their own or not; the shared one as well. */
static void compare_congruences(void) {
  struct drand48_data our_data = {0}, their_data = {0};
  for (int round = 0; round < 300; round++) {
    unsigned short words[7], o[3], t[3];
    for (int i = 0; i < 7; i++)
      words[i] = (unsigned short)draw();
    memcpy(o, words, sizeof o), memcpy(t, words, sizeof t);
    switch (below(4)) {
    case 0: {
      long seed = (long)draw();
      ours_srand48_r(seed, &our_data), srand48_r(seed, &their_data);
      break;
    }
    case 1: ours_seed48_r(words, &our_data), seed48_r(words, &their_data); same_bytes(ours_seed48(words), seed48(words), sizeof o, "the state before seed48"); break;
    case 2: ours_lcong48_r(words, &our_data), lcong48_r(words, &their_data); ours_lcong48(words), lcong48(words); break;
    default: break;
    }
    double our_fraction, their_fraction;
    long our_number, their_number;
    ours_drand48_r(&our_data, &our_fraction), drand48_r(&their_data, &their_fraction);
    same_double(our_fraction, their_fraction, "drand48_r");
    ours_erand48_r(o, &our_data, &our_fraction), erand48_r(t, &their_data, &their_fraction);
    same_double(our_fraction, their_fraction, "erand48_r");
    ours_lrand48_r(&our_data, &our_number), lrand48_r(&their_data, &their_number);
    same_number(our_number, their_number, "lrand48_r");
    ours_nrand48_r(o, &our_data, &our_number), nrand48_r(t, &their_data, &their_number);
    same_number(our_number, their_number, "nrand48_r");
    ours_mrand48_r(&our_data, &our_number), mrand48_r(&their_data, &their_number);
    same_number(our_number, their_number, "mrand48_r");
    ours_jrand48_r(o, &our_data, &our_number), jrand48_r(t, &their_data, &their_number);
    same_number(our_number, their_number, "jrand48_r");
    same_number(ours_lrand48(), lrand48(), "lrand48 of the shared state");
    same_bytes(o, t, sizeof o, "a state");
    same_bytes(&our_data, &their_data, sizeof our_data, "all of a state");
  }
}

void compare_random(void) {
  /* Unseeded first: as with seed 1. */
  for (int i = 0; i < 500; i++)
    same_number(ours_rand(), rand(), "rand number %d without a seed", i);
  for (int round = 0; round < 200; round++) {
    unsigned seed = round < 3 ? (unsigned)round : (unsigned)draw();
    sometimes(2) ? (ours_srand(seed), srand(seed)) : (ours_srandom(seed), srandom(seed));
    for (int i = 0; i < 100; i++)
      sometimes(2) ? same_number(ours_rand(), rand(), "rand number %d of seed %u", i, seed)
                   : same_number(ours_random(), random(), "random number %d of seed %u", i, seed);
    unsigned ours = seed, theirs = seed;
    for (int i = 0; i < 20; i++)
      same_number(ours_rand_r(&ours), rand_r(&theirs), "rand_r of seed %u", seed);
    ours_srand48((long)seed);
    srand48((long)seed);
    unsigned short o[3], t[3];
    for (int i = 0; i < 3; i++)
      o[i] = t[i] = (unsigned short)draw();
    for (int i = 0; i < 20; i++) {
      same_number(ours_lrand48(), lrand48(), "lrand48");
      same_number(ours_mrand48(), mrand48(), "mrand48");
      same_double(ours_drand48(), drand48(), "drand48");
      same_number(ours_nrand48(o), nrand48(t), "nrand48");
      same_number(ours_jrand48(o), jrand48(t), "jrand48");
      same_double(ours_erand48(o), erand48(t), "erand48");
      same_bytes(o, t, sizeof o, "the state of the 48-bit family");
    }
  }
  compare_states();
  compare_congruences();
}
