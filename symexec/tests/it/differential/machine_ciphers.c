/* Instructions for ciphers and hashes, on drawn values. */
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
