/* Instructions for ciphers and hashes, on drawn values. */
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
#pragma clang attribute push(__attribute__((target("aes,pclmul,sha,sse4.1"))), apply_to = function)
int main(void) {
  for (int round = 0; round < 6; round++) {
    __m128i a = _mm_set_epi64x(draw(), draw()), b = _mm_set_epi64x(draw(), draw()), c = _mm_set_epi64x(draw(), draw());
    if (round == 0)
      a = _mm_setzero_si128();
    sayv(_mm_aesenc_si128(a, b));
    sayv(_mm_aesenclast_si128(a, b));
    sayv(_mm_aesdec_si128(a, b));
    sayv(_mm_aesdeclast_si128(a, b));
    sayv(_mm_aesimc_si128(a));
    sayv(_mm_aeskeygenassist_si128(a, 0x1b));
    sayv(_mm_clmulepi64_si128(a, b, 0x00));
    sayv(_mm_clmulepi64_si128(a, b, 0x01));
    sayv(_mm_clmulepi64_si128(a, b, 0x10));
    sayv(_mm_clmulepi64_si128(a, b, 0x11));
    sayv(_mm_sha1msg1_epu32(a, b));
    sayv(_mm_sha1msg2_epu32(a, b));
    sayv(_mm_sha1nexte_epu32(a, b));
    sayv(_mm_sha1rnds4_epu32(a, b, 0));
    sayv(_mm_sha1rnds4_epu32(a, b, 1));
    sayv(_mm_sha1rnds4_epu32(a, b, 2));
    sayv(_mm_sha1rnds4_epu32(a, b, 3));
    sayv(_mm_sha256msg1_epu32(a, b));
    sayv(_mm_sha256msg2_epu32(a, b));
    sayv(_mm_sha256rnds2_epu32(a, b, c));
  }
  say(0);
  return 0;
}
#pragma clang attribute pop
