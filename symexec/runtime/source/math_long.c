/* The exact functions of math.h for long double.
 *
 * As in math.c and math_parts.c: no floating-point exceptions, and errno is set by sqrtl, ldexpl, scalbnl,
 * scalblnl, logbl and ilogbl only.
 */
#include "parts.h"

enum { EDOM = 33, BIAS = 16383, LAST = 63, TOP = 0x7fff };

static long double power_of_two(int n) { return put_togetherl((struct parts){1ull << LAST, n + BIAS, false}); }

static bool is_finite(long double x) { return taken_apartl(x).exponent != TOP; }

#define EXACT(name, operation)                                                                         \
  long double name(long double x) { return operation(x); }

EXACT(fabsl, __builtin_elementwise_abs)
EXACT(floorl, __builtin_elementwise_floor)
EXACT(ceill, __builtin_elementwise_ceil)
EXACT(truncl, __builtin_elementwise_trunc)
EXACT(roundl, __builtin_elementwise_round)
EXACT(rintl, __builtin_elementwise_rint)
EXACT(nearbyintl, __builtin_elementwise_nearbyint)

long double sqrtl(long double x) {
  if (x < 0)
    errno = EDOM;
  return __builtin_elementwise_sqrt(x);
}

long double copysignl(long double x, long double y) { return __builtin_elementwise_copysign(x, y); }
long double fminl(long double x, long double y) { return __builtin_elementwise_min(x, y); }
long double fmaxl(long double x, long double y) { return __builtin_elementwise_max(x, y); }
long double fdiml(long double x, long double y) { return x <= y ? 0 : x - y; }

/* x * 2^n, rounded once: only the last product can be inexact, or the result is zero anyway. */
static long double scale(long double x, int n) {
  /* All results with a longer way are zeros or infinities. */
  n = n > 33000 ? 33000 : n < -33000 ? -33000 : n;
  for (; n > BIAS; n -= 16000)
    x *= power_of_two(16000);
  for (; n < 1 - BIAS; n += 16000)
    x *= power_of_two(-16000);
  return x * power_of_two(n);
}

long double scalbnl(long double x, int n) {
  long double result = scale(x, n);
  if (is_finite(x) && x != 0 && (!is_finite(result) || result == 0))
    errno = ERANGE;
  return result;
}

long double ldexpl(long double x, int n) { return scalbnl(x, n); }

long double scalblnl(long double x, long n) {
  return scalbnl(x, n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n);
}

/* The exponent of a finite number that is not zero: 2^exponent <= |x| < 2^(exponent + 1). */
static int exponent_of(long double x) {
  struct parts parts = taken_apartl(x);
  if (parts.exponent == 0)
    return taken_apartl(x * power_of_two(64)).exponent - BIAS - 64;
  return parts.exponent - BIAS;
}

long double frexpl(long double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !is_finite(x))
    return x;
  *exponent = exponent_of(x) + 1;
  return scale(x, -*exponent);
}

long double modfl(long double x, long double *whole) {
  long double part = __builtin_elementwise_trunc(x);
  *whole = part;
  return __builtin_elementwise_copysign(is_finite(x) ? x - part : x == x ? 0 : x, x);
}

long double logbl(long double x) {
  if (x == 0) {
    errno = ERANGE;
    return -1 / __builtin_elementwise_abs(x);
  }
  return is_finite(x) ? exponent_of(x) : x * x;
}

int ilogbl(long double x) {
  if (x == 0 || !is_finite(x)) {
    errno = EDOM;
    return x == 0 || x != x ? INT_MIN : INT_MAX;
  }
  return exponent_of(x);
}

#define TO_INTEGER(name, type, operation)                                                              \
  type name(long double x) { return (type)operation(x); }

TO_INTEGER(lroundl, long, __builtin_elementwise_round)
TO_INTEGER(llroundl, long long, __builtin_elementwise_round)
TO_INTEGER(lrintl, long, __builtin_elementwise_rint)
TO_INTEGER(llrintl, long long, __builtin_elementwise_rint)

/* The neighbour of a number above zero, away from zero or towards it. */
static long double next_to(long double x, bool away) {
  struct parts parts = taken_apartl(x);
  if (away && ++parts.mantissa == 0) {
    parts.mantissa = 1ull << LAST;
    parts.exponent++;
  } else if (away && parts.exponent == 0 && parts.mantissa >> LAST) {
    parts.exponent = 1;
  } else if (!away && parts.mantissa-- == 1ull << LAST && parts.exponent > 0) {
    parts.exponent--;
    if (parts.exponent > 0)
      parts.mantissa = UINT64_MAX;
  }
  return put_togetherl(parts);
}

long double nextafterl(long double x, long double y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return __builtin_elementwise_copysign(put_togetherl((struct parts){1, 0, false}), y);
  bool away = (x < y) == (x > 0);
  return __builtin_elementwise_copysign(next_to(__builtin_elementwise_abs(x), away), x);
}
