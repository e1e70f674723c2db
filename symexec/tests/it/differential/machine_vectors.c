/* What programs write with the header for the machine's vectors, each with its result handed to `say`. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>
void klee_warning(const char *line);
static void say(uint64_t value) { static char line[17]; for (int k = 15; k >= 0; k--, value >>= 4) line[k] = "0123456789abcdef"[value & 15]; klee_warning(line); }
static void sayv(__m128i v) { uint64_t w[2]; memcpy(w, &v, 16); say(w[0]); say(w[1]); }
uint8_t text[32] = "hello, world: 0123456789 abcxyz"; int16_t s[8] = {1, -2, 300, -400, 32767, -32768, 7, 8}, r[8] = {9, 8, -7, 600, 5000, 4, -3000, 2};
uint64_t q = 0x123456789abcdef0, m = 0x00ff0ff0f0f00f0f;
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,crc32"))), apply_to = function)
int main(void) {
  __m128i a = _mm_loadu_si128((void *)text), b = _mm_loadu_si128((void *)(text + 16)), x = _mm_loadu_si128((void *)s), y = _mm_loadu_si128((void *)r);
  say(_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_set1_epi8('l')))); 
  sayv(_mm_sad_epu8(a, b)); 
  sayv(_mm_madd_epi16(x, y)); 
  sayv(_mm_packs_epi16(x, y)); sayv(_mm_packus_epi16(x, y)); sayv(_mm_packs_epi32(x, y)); sayv(_mm_packus_epi32(x, y));
  sayv(_mm_shuffle_epi8(a, b)); 
  sayv(_mm_mulhi_epi16(x, y)); sayv(_mm_mulhi_epu16(x, y)); sayv(_mm_mulhrs_epi16(x, y)); sayv(_mm_maddubs_epi16(a, x)); sayv(_mm_avg_epu8(a, b)); 
  sayv(_mm_slli_epi16(x, 3)); sayv(_mm_srai_epi16(x, 2)); sayv(_mm_srl_epi32(x, _mm_cvtsi32_si128(5))); sayv(_mm_sll_epi64(x, _mm_cvtsi32_si128(70))); sayv(_mm_slli_si128(a, 3)); sayv(_mm_alignr_epi8(a, b, 5));
  say(_mm_crc32_u8(1, 77)); say(_mm_crc32_u64(5, q)); 
  say(_pext_u64(q, m)); say(_pdep_u64(q, m)); say(_bzhi_u64(q, 13)); say(_bextr_u64(q, 5, 9)); say(_blsr_u64(q)); say(_lzcnt_u64(q)); say(_tzcnt_u64(q));
  say(_mm_movemask_ps(_mm_castsi128_ps(x))); say(_mm_movemask_pd(_mm_castsi128_pd(x))); say(_mm_testz_si128(a, b)); say(_mm_testc_si128(a, a)); say(_mm256_movemask_epi8(_mm256_set_m128i(a, x)));
  sayv(_mm_blendv_epi8(a, b, x)); sayv(_mm_sign_epi16(x, y)); sayv(_mm_hadd_epi16(x, y)); sayv(_mm_abs_epi16(x)); sayv(_mm_min_epu8(a, b)); sayv(_mm_adds_epi16(x, y)); sayv(_mm_subs_epu8(a, b)); 
  sayv(_mm_cvtps_epi32(_mm_set_ps(1.5f, 2.5f, -3.7f, 1e20f))); sayv(_mm_cvttps_epi32(_mm_set_ps(1.5f, 2.5f, -3.7f, 1e20f))); sayv(_mm_castps_si128(_mm_min_ps(_mm_set_ps(1, 2, 3, 4), _mm_set1_ps(2.5f)))); sayv(_mm_castps_si128(_mm_cmplt_ps(_mm_set_ps(1, 2, 3, 4), _mm_set1_ps(2.5f)))); sayv(_mm_castps_si128(_mm_round_ps(_mm_set_ps(1.5f, 2.5f, 3.5f, -4.5f), 0)));  say(_mm_cvtsd_si64(_mm_set_sd(2.5))); say(_mm_cvtss_si32(_mm_set_ss(-2.5f)));
  unsigned long long out; say(_addcarry_u64(1, q, ~q, &out)); say(out); say(0);
  return 0; }
#pragma clang attribute pop
