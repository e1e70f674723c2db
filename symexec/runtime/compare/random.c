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

/* As bits, for a difference of the last digit is one. */
static void same_double(double ours, double theirs, const char *name) {
  same_bytes(&ours, &theirs, sizeof ours, "%s", name);
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
}
