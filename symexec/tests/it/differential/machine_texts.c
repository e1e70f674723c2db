/* Comparisons of texts in vectors (SSE4.2), on drawn texts of few letters, so that much is equal. */
/* Zeros are rare, and there are letters above 127. */
static __m128i text(int few) {
  uint8_t bytes[16];
  for (int i = 0; i < 16; i++)
    bytes[i] = draw() % 13 == 0 ? 0 : (uint8_t)("ab\xf0z"[draw() % (few ? 2 : 4)]);
  __m128i v;
  memcpy(&v, bytes, 16);
  return v;
}
#pragma clang attribute push(__attribute__((target("sse4.2"))), apply_to = function)
#define ONE(MODE)                                                                                                     \
  do {                                                                                                                \
    __m128i a = text(draw() & 1), b = text(draw() & 1);                                                               \
    int la = (int)(draw() % 40) - 20, lb = (int)(draw() % 40) - 20;                                                   \
    if (draw() % 9 == 0)                                                                                              \
      la = (int)0x80000000;                                                                                           \
    uint64_t flags = 0;                                                                                               \
    flags = flags << 8 | _mm_cmpistri(a, b, MODE);                                                                    \
    flags = flags << 1 | _mm_cmpistra(a, b, MODE);                                                                    \
    flags = flags << 1 | _mm_cmpistrc(a, b, MODE);                                                                    \
    flags = flags << 1 | _mm_cmpistro(a, b, MODE);                                                                    \
    flags = flags << 1 | _mm_cmpistrs(a, b, MODE);                                                                    \
    flags = flags << 1 | _mm_cmpistrz(a, b, MODE);                                                                    \
    flags = flags << 8 | _mm_cmpestri(a, la, b, lb, MODE);                                                            \
    flags = flags << 1 | _mm_cmpestra(a, la, b, lb, MODE);                                                            \
    flags = flags << 1 | _mm_cmpestrc(a, la, b, lb, MODE);                                                            \
    flags = flags << 1 | _mm_cmpestro(a, la, b, lb, MODE);                                                            \
    flags = flags << 1 | _mm_cmpestrs(a, la, b, lb, MODE);                                                            \
    flags = flags << 1 | _mm_cmpestrz(a, la, b, lb, MODE);                                                            \
    say(flags);                                                                                                       \
    sayv(_mm_cmpistrm(a, b, MODE));                                                                                   \
    sayv(_mm_cmpestrm(a, la, b, lb, MODE));                                                                           \
  } while (0)
#define FOUR(MODE) ONE(MODE); ONE(MODE + 1); ONE(MODE + 2); ONE(MODE + 3)
#define ALL(MODE) FOUR(MODE); FOUR(MODE + 4); FOUR(MODE + 8); FOUR(MODE + 12)
int main(void) {
  for (int round = 0; round < 3; round++) {
    ALL(0x00); ALL(0x10); ALL(0x20); ALL(0x30);
    ALL(0x40); ALL(0x50); ALL(0x60); ALL(0x70);
  }
  say(0);
  return 0;
}
#pragma clang attribute pop
