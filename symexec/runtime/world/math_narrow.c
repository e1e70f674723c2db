/* Functions of math.h that compute with more digits than their result has, and round once (TS 18661-1): fadd and its
 * relatives, also under the names of formats.
 *
 * What the wider arithmetic cannot represent is rounded to the neighbour whose last bit is odd. The narrower number is
 * then rounded as from the exact one, since it has at least two bits less. As in math.c there are no floating-point
 * exceptions; errno is set by square roots only.
 */
#include "../source/runtime.h"

enum { EDOM = 33 };

typedef __float128 quad;

/* A rounded number, with something of the sign of what it lacks: its neighbour if its last bit is even. Without branches,
 * since a number that is not known would fork at each.
 */
static quad odd(quad rounded, quad missing) {
  unsigned __int128 bits;
  memcpy(&bits, &rounded, sizeof bits);
  int changes = ((missing > 0) | (missing < 0)) & (rounded != 0) & (rounded - rounded == 0) & !(bits & 1);
  int away = (rounded > 0) == (missing > 0);
  bits += (unsigned __int128)(__int128)(changes * (2 * away - 1));
  memcpy(&rounded, &bits, sizeof bits);
  return rounded;
}

/* What a sum is short of, exactly (Knuth). */
static quad missing_of_sum(quad x, quad y, quad sum) {
  quad other = sum - x;
  return (x - (sum - other)) + (y - other);
}

static quad add(quad x, quad y) {
  quad sum = x + y;
  return odd(sum, missing_of_sum(x, y, sum));
}

static quad sub(quad x, quad y) { return add(x, -y); }

static quad mul(quad x, quad y) {
  quad product = x * y;
  return odd(product, __builtin_elementwise_fma(x, y, -product));
}

static quad div(quad x, quad y) {
  quad quotient = x / y;
  quad missing = __builtin_elementwise_fma(-quotient, y, x);
  return odd(quotient, missing * __builtin_elementwise_copysign((quad)1, y));
}

static quad root(quad x) {
  quad result = __builtin_elementwise_sqrt(x);
  return odd(result, __builtin_elementwise_fma(-result, result, x));
}

/* What the product lacks is added to what its sum with the third number lacks, and both to the sum. */
static quad multiply_add(quad x, quad y, quad z) {
  quad product = x * y, sum = product + z;
  if (sum - sum != 0)
    return sum;
  quad of_product = __builtin_elementwise_fma(x, y, -product), of_sum = missing_of_sum(product, z, sum);
  quad rest = of_sum + of_product, last = missing_of_sum(of_sum, of_product, rest);
  /* A zero keeps its sign. */
  if (sum == 0 && rest == 0)
    return sum;
  quad result = sum + rest, missing = missing_of_sum(sum, rest, result);
  return odd(result, missing != 0 ? missing : last);
}

#define NARROW(to, from, before, behind) \
  to before##add##behind(from x, from y) { return (to)add(x, y); } \
  to before##sub##behind(from x, from y) { return (to)sub(x, y); } \
  to before##mul##behind(from x, from y) { return (to)mul(x, y); } \
  to before##div##behind(from x, from y) { return (to)div(x, y); } \
  to before##fma##behind(from x, from y, from z) { return (to)multiply_add(x, y, z); } \
  to before##sqrt##behind(from x) { \
    if (x < 0) \
      errno = EDOM; \
    return (to)root(x); \
  }

NARROW(float, double, f, )
NARROW(float, long double, f, l)
NARROW(double, long double, d, l)
NARROW(float, double, f32, f32x)
NARROW(float, double, f32, f64)
NARROW(float, long double, f32, f64x)
NARROW(float, quad, f32, f128)
NARROW(double, double, f32x, f64)
NARROW(double, long double, f32x, f64x)
NARROW(double, quad, f32x, f128)
NARROW(double, long double, f64, f64x)
NARROW(double, quad, f64, f128)
