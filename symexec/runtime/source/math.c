/* The exact functions of math.h: those whose result the standard fixes to the last bit.
 *
 * All are one instruction of the engine. Differs from glibc: no floating-point exceptions, what
 * is not a number is always quiet, and errno is set by sqrt only. What takes numbers apart
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
