/* Of math.h: what is left of a division to the nearest whole number, and products with a sum that are
 * rounded once. Exact, in all three formats.
 *
 * As in math.c: no floating-point exceptions, and errno is set by remainder only, whose zeros have the sign of x;
 * glibc's have another in rare cases.
 */
#include "runtime.h"

enum { EDOM = 33 };

#define REST(suffix, type)                                                                             \
  type fmod##suffix(type x, type y);                                                                   \
  type remainder##suffix(type x, type y) {                                                             \
    type from = __builtin_elementwise_abs(x), by = __builtin_elementwise_abs(y);                       \
    if (x != x || y != y)                                                                              \
      return x + y;                                                                                    \
    if (from - from != 0 || y == 0) {                                                                  \
      errno = EDOM;                                                                                    \
      return (x * y) / (x * y);                                                                        \
    }                                                                                                  \
    /* Twice the divisor tells whether the quotient is odd; where it is infinite, x is less. */        \
    type rest = by + by - (by + by) == 0 ? fmod##suffix(from, by + by) : from;                         \
    bool odd = rest >= by;                                                                             \
    if (odd && by - by == 0)                                                                           \
      rest -= by;                                                                                      \
    type beyond = by - rest;                                                                           \
    if (rest > beyond || (rest == beyond && odd))                                                      \
      rest = -beyond;                                                                                  \
    return __builtin_elementwise_copysign((type)1, x) < 0 ? -rest : rest;                              \
  }                                                                                                    \
  type fma##suffix(type x, type y, type z) { return __builtin_elementwise_fma(x, y, z); }

REST(f, float)
REST(, double)
REST(l, long double)
