/* Functions of math.h for _Float128 whose results are exact, or rounded once. Those of the others have no name here. */
#include "../source/runtime.h"

enum { EDOM = 33 };

typedef __float128 quad;

#define EXACT(name, operation) \
  quad name(quad x) { return operation(x); }

EXACT(fabsf128, __builtin_elementwise_abs)
EXACT(floorf128, __builtin_elementwise_floor)
EXACT(ceilf128, __builtin_elementwise_ceil)
EXACT(truncf128, __builtin_elementwise_trunc)
EXACT(roundf128, __builtin_elementwise_round)
EXACT(roundevenf128, __builtin_elementwise_roundeven)
EXACT(rintf128, __builtin_elementwise_rint)
EXACT(nearbyintf128, __builtin_elementwise_nearbyint)

quad sqrtf128(quad x) {
  if (x < 0)
    errno = EDOM;
  return __builtin_elementwise_sqrt(x);
}
quad copysignf128(quad x, quad y) { return __builtin_elementwise_copysign(x, y); }
quad fminf128(quad x, quad y) { return __builtin_elementwise_min(x, y); }
quad fmaxf128(quad x, quad y) { return __builtin_elementwise_max(x, y); }
quad fdimf128(quad x, quad y) { return x <= y ? 0 : x - y; }
quad fmaf128(quad x, quad y, quad z) { return __builtin_elementwise_fma(x, y, z); }
