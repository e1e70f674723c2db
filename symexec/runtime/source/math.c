/* The exact functions of math.h: those whose result the standard fixes to the last bit.
 *
 * All but fmod are one instruction of the engine. Differs from glibc: no floating-point exceptions, what
 * is not a number is always quiet, and errno is set by sqrt and fmod only. What takes numbers apart
 * is in math_parts.c, long double in math_long.c, remainders and fused products in math_rest.c; logarithms,
 * powers and angles are called outside (exec/external.rs).
 */
#include "runtime.h"

enum { EDOM = 33 };

#define EXACT(name, operation)                                                                         \
  double name(double x) { return operation(x); }                                                       \
  float name##f(float x) { return operation(x); }

EXACT(fabs, __builtin_elementwise_abs)
EXACT(floor, __builtin_elementwise_floor)
EXACT(ceil, __builtin_elementwise_ceil)
EXACT(trunc, __builtin_elementwise_trunc)
EXACT(round, __builtin_elementwise_round)
EXACT(rint, __builtin_elementwise_rint)
EXACT(nearbyint, __builtin_elementwise_nearbyint)

double sqrt(double x) {
  if (x < 0)
    errno = EDOM;
  return __builtin_elementwise_sqrt(x);
}

float sqrtf(float x) {
  if (x < 0)
    errno = EDOM;
  return __builtin_elementwise_sqrt(x);
}

double copysign(double x, double y) { return __builtin_elementwise_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_elementwise_copysign(x, y); }

/* Of a number and what is none, the number; of two, the lesser or the greater. */
double fmin(double x, double y) { return __builtin_elementwise_min(x, y); }
float fminf(float x, float y) { return __builtin_elementwise_min(x, y); }
double fmax(double x, double y) { return __builtin_elementwise_max(x, y); }
float fmaxf(float x, float y) { return __builtin_elementwise_max(x, y); }

/* The rest of a division, with the sign of x: long division of the mantissas, exact. */
double fmod(double x, double y) {
  uint64_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  const uint64_t top = 1ull << 63, infinity = 0x7ffull << 52, hidden = 1ull << 52;
  uint64_t sign = a & top;
  a &= ~top;
  b &= ~top;
  if (a > infinity || b > infinity)
    return x + y;
  if (a == infinity || b == 0) {
    errno = EDOM;
    return (x * y) / (x * y);
  }
  if (b == infinity || a < b)
    return x;
  int a_exponent = (int)(a >> 52), b_exponent = (int)(b >> 52);
  uint64_t a_mantissa = a_exponent == 0 ? a : (a & (hidden - 1)) | hidden;
  uint64_t b_mantissa = b_exponent == 0 ? b : (b & (hidden - 1)) | hidden;
  a_exponent += a_exponent == 0;
  b_exponent += b_exponent == 0;
  /* y may have fewer digits than x where it is close to zero. */
  a_mantissa %= b_mantissa;
  for (int steps = a_exponent - b_exponent; steps > 0; steps--) {
    a_mantissa <<= 1;
    if (a_mantissa >= b_mantissa)
      a_mantissa -= b_mantissa;
  }
  int exponent = b_exponent;
  while (a_mantissa != 0 && a_mantissa < hidden && exponent > 1) {
    a_mantissa <<= 1;
    exponent--;
  }
  uint64_t bits = sign | a_mantissa;
  if (a_mantissa >= hidden)
    bits = sign | (a_mantissa - hidden) | (uint64_t)exponent << 52;
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/* Both are doubles exactly, and so is the rest, which has no more bits than y. */
float fmodf(float x, float y) { return (float)fmod(x, y); }
