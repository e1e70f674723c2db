/* What programs about the machine's vectors share: they say what they compute of drawn values. It stands in front of
 * them. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>
void klee_warning(const char *line);
static void say(uint64_t value) {
  static char line[17];
  for (int k = 15; k >= 0; k--, value >>= 4)
    line[k] = "0123456789abcdef"[value & 15];
  klee_warning(line);
}
static void sayv(__m128i v) {
  uint64_t w[2];
  memcpy(w, &v, 16);
  say(w[0]);
  say(w[1]);
}
static uint64_t seed = 0x123456789abcdef0;
static uint64_t draw(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}
