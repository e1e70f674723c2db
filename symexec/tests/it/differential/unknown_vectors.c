/* Loops of which clang makes vector instructions, on unknown inputs. What they give is what the same loops give one
 * element at a time; and which way the program then goes is told by an input of its own, so that a test that goes
 * another way natively does not fit. */
#include <klee/klee.h>
#include <stdint.h>
#define N 16
#define NI __attribute__((noinline))
#define SLOWLY _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#define PAIR(TYPE, NAME, ELEMENT, BODY)                                                \
  NI static TYPE NAME##_together(const ELEMENT *x) { TYPE r = 0; for (int i = 0; i < N; i++) { BODY; } return r; } \
  NI static TYPE NAME##_slowly(const ELEMENT *x) { TYPE r = 0; SLOWLY for (int i = 0; i < N; i++) { BODY; } return r; }
PAIR(int, sum, int32_t, r += x[i])
PAIR(int, most, int32_t, r = x[i] > r ? x[i] : r)
PAIR(int, below, int32_t, r += x[i] < 0)
PAIR(int, sign, int32_t, r |= x[i] < -90 ? 1 << i : 0)
PAIR(unsigned, equal, uint8_t, r += x[i] == 'x')
PAIR(unsigned, mixed, uint8_t, r ^= (unsigned)x[i] * 2654435761u >> (i & 7))
PAIR(float, total, float, r += x[i] * 0.5f)
static int32_t a[N] = {3, 0, -4, 1, 5, 9, 0, 6, 5, 0, 3, 5, 8, 9, 0, 7};
static uint8_t b[N] = "some known bytes";
static float f[N] = {1, 2, -1, 0.5f};
#define SAME(NAME, FROM) klee_assert(NAME##_together(FROM) == NAME##_slowly(FROM))

int main(void) {
  static const int places[] = {1, 6, 9, 14};
  for (int i = 0; i < 4; i++)
    a[places[i]] = klee_range(-100, 128, "number");
  uint8_t bytes[2];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  b[5] = bytes[0], b[6] = bytes[1];
  int8_t few = (int8_t)klee_range(0, 8, "few");
  f[3] = few;
  SAME(sum, a);
  SAME(most, a);
  SAME(below, a);
  SAME(sign, a);
  SAME(equal, b);
  SAME(mixed, b);
  SAME(total, f);
  int way = most_together(a) > 100      ? 1
            : sum_together(a) == 77     ? 2
            : below_together(a) >= 3    ? 3
            : equal_together(b) == 2    ? 4
            : total_together(f) > 4.2f  ? 5
            : mixed_together(b) == 0x2a ? 6
            : sign_together(a) == 64    ? 7
                                        : 0;
  uint8_t told;
  klee_make_symbolic(&told, 1, "way");
  klee_assume(told == way);
  return 0;
}
