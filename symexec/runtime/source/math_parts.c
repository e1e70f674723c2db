/* Functions of math.h that take numbers apart and put them together: exact as well.
 *
 * Differs from glibc: no floating-point exceptions, and errno is set by ldexp, scalbn, scalbln, logb and
 * ilogb only. What a number that does not fit is rounded to is not fixed by the standard.
 */
#include "runtime.h"

enum { EDOM = 33 };

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static const uint64_t magnitude = UINT64_MAX >> 1, infinity = 0x7ffull << 52;

static bool is_finite(double x) { return (bits_of(x) & magnitude) < infinity; }

/* x * 2^n, rounded once: only the last product can be inexact, or the result is zero anyway. */
static double scale(double x, int n) {
  /* All results with a longer way are zeros or infinities. */
  n = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
  for (; n > 1023; n -= 1000)
    x *= 0x1p1000;
  for (; n < -1022; n += 900)
    x *= 0x1p-900;
  return x * of_bits((uint64_t)(n + 1023) << 52);
}

static double checked(double x, double result) {
  if (is_finite(x) && x != 0 && (!is_finite(result) || result == 0))
    errno = ERANGE;
  return result;
}

static int to_int(long n) { return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n; }

/* A float is a double, and what it becomes has room in one: rounding to float is the only one. */
double scalbn(double x, int n) { return checked(x, scale(x, n)); }
float scalbnf(float x, int n) { return (float)checked(x, (float)scale(x, n > 500 ? 500 : n < -500 ? -500 : n)); }
double ldexp(double x, int n) { return scalbn(x, n); }
float ldexpf(float x, int n) { return scalbnf(x, n); }
double scalbln(double x, long n) { return scalbn(x, to_int(n)); }
float scalblnf(float x, long n) { return scalbnf(x, to_int(n)); }

/* The exponent of a finite number that is not zero: 2^exponent <= |x| < 2^(exponent + 1). */
static int exponent_of(double x) {
  uint64_t bits = bits_of(x) & magnitude;
  if (bits >> 52 == 0)
    return (int)((bits_of(x * 0x1p54) & magnitude) >> 52) - 1023 - 54;
  return (int)(bits >> 52) - 1023;
}

double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !is_finite(x))
    return x;
  int found = exponent_of(x) + 1;
  *exponent = found;
  return scale(x, -found);
}

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

double modf(double x, double *whole) {
  double part = __builtin_elementwise_trunc(x);
  *whole = part;
  return __builtin_elementwise_copysign(is_finite(x) ? x - part : x == x ? 0 : x, x);
}

float modff(float x, float *whole) {
  double part;
  float rest = (float)modf(x, &part);
  *whole = (float)part;
  return rest;
}

double logb(double x) {
  if (x == 0) {
    errno = ERANGE;
    return of_bits(infinity | ~magnitude);
  }
  return is_finite(x) ? exponent_of(x) : x * x;
}

float logbf(float x) { return (float)logb(x); }

int ilogb(double x) {
  if (x == 0 || !is_finite(x)) {
    errno = EDOM;
    return x == 0 || x != x ? INT_MIN : INT_MAX;
  }
  return exponent_of(x);
}

int ilogbf(float x) { return ilogb(x); }

double fdim(double x, double y) { return x <= y ? 0 : x - y; }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }

#define TO_INTEGER(name, type, operation)                                                              \
  type name(double x) { return (type)operation(x); }                                                   \
  type name##f(float x) { return (type)operation(x); }

TO_INTEGER(lround, long, __builtin_elementwise_round)
TO_INTEGER(llround, long long, __builtin_elementwise_round)
TO_INTEGER(lrint, long, __builtin_elementwise_rint)
TO_INTEGER(llrint, long long, __builtin_elementwise_rint)

/* Numbers of one sign have the order of their bits. */
double nextafter(double x, double y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return of_bits(1 | (bits_of(y) & ~magnitude));
  return of_bits(bits_of(x) + ((x < y) == (x > 0) ? 1 : -1));
}

float nextafterf(float x, float y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  uint32_t bits, sign;
  memcpy(&bits, &x, sizeof bits);
  memcpy(&sign, &y, sizeof sign);
  bits = x == 0 ? 1 | (sign & 1u << 31) : bits + ((x < y) == (x > 0) ? 1 : -1);
  memcpy(&x, &bits, sizeof x);
  return x;
}
