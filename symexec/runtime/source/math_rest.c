/* Of math.h: what divisions leave (fmod, remainder, drem, remquo), and products with a sum that are rounded once.
 * Exact, in all three formats.
 *
 * Numbers are divided bit by bit, as at school, by differences and comparisons that do not branch: so what is left of
 * unknown numbers is a matter of integers, without a division in it. How many bits the quotient has, paths tell apart,
 * a few bits in each.
 *
 * As in math.c: no floating-point exceptions, and errno is set by fmod, remainder and drem only. Zeros have the sign of
 * x; glibc's of remainder have another in rare cases. remquo tells the last three bits of a quotient.
 */
#include "parts.h"

enum { EDOM = 33, TOP_BIT = 63, TOGETHER = 16 };

/* A number with its highest bit at the top: mantissa * 2^exponent, in units of the format's least digit. */
struct number {
  uint64_t mantissa;
  int exponent;
};

/* What a division leaves, times 2^exponent, and the last bits of its quotient. */
struct rest {
  uint64_t left;
  int exponent;
  unsigned quotient;
  bool negative;
};

/* All ones where something holds: a choice without a branch. */
static uint64_t where(bool holds) { return 0 - (uint64_t)holds; }
static uint64_t choose(uint64_t which, uint64_t yes, uint64_t no) { return (yes & which) | (no & ~which); }

/* The zeros in front of a number; 63 of zero, too. */
static int leading_zeros(uint64_t number) {
  int zeros = 0;
  for (int step = 32; step > 0; step /= 2) {
    uint64_t none = where(number >> (64 - step) == 0);
    number = choose(none, number << step, number);
    zeros += step & (int)none;
  }
  return zeros;
}

/* Numbers without a leading one have the least exponent of those that have one. */
static struct number number_of(struct parts parts) {
  int zeros = leading_zeros(parts.mantissa);
  return (struct number){parts.mantissa << zeros, parts.exponent + (parts.exponent == 0) - zeros};
}

/* What is left, as a number of a format with so many digits, in which it is exact. */
static struct parts parts_of(struct rest rest, int digits) {
  int zeros = leading_zeros(rest.left), exponent = rest.exponent - zeros + 64 - digits;
  uint64_t is_normal = where(exponent > 0);
  uint64_t missing = choose(is_normal, 0, (uint64_t)(1 - exponent)) & TOP_BIT;
  exponent &= (int)(is_normal & where(rest.left != 0));
  return (struct parts){rest.left << zeros >> (64 - digits) >> missing, exponent, rest.negative};
}

/* Divides x by y, which has no greater exponent. */
static struct rest divide(struct number x, struct number y) {
  int steps = x.exponent - y.exponent, each = klee_is_symbolic((uintptr_t)steps) ? TOGETHER : 1;
  uint64_t taken = where(x.mantissa >= y.mantissa), left = x.mantissa - (y.mantissa & taken), quotient = taken & 1;
  for (; steps > 0; steps -= each)
    for (int i = 0; i < each; i++) {
      uint64_t counts = where(i < steps), twice = left << 1;
      taken = where(left >> TOP_BIT != 0) | where(twice >= y.mantissa);
      left = choose(counts, twice - (y.mantissa & taken), left);
      quotient = choose(counts, quotient << 1 | (taken & 1), quotient);
    }
  return (struct rest){left, y.exponent, (unsigned)quotient, false};
}

/* The same for a quotient that is the nearest whole number, of two the even one; what is left may then be below zero.
 * The exponent of x may be less by one than that of y. */
static struct rest divide_to_nearest(struct number x, struct number y) {
  struct rest rest = {x.mantissa, x.exponent, 0, false};
  /* Here y is twice its mantissa, in the units of x. */
  uint64_t until_next = 2 * y.mantissa - x.mantissa, is_up = where(x.mantissa > y.mantissa);
  if (x.exponent >= y.exponent) {
    rest = divide(x, y);
    until_next = y.mantissa - rest.left;
    is_up = where(rest.left > until_next) | where((rest.left == until_next) & (rest.quotient & 1));
  }
  rest.left = choose(is_up, until_next, rest.left);
  rest.quotient += (unsigned)is_up & 1;
  rest.negative = is_up & 1;
  return rest;
}

/* How a type's numbers are taken apart and put together, where the leading one of the digits is not written. */
#define FORMAT(suffix, type, word, DIGITS, INFINITE)                                                   \
  static struct parts taken_apart##suffix(type x) {                                                    \
    word bits;                                                                                         \
    memcpy(&bits, &x, sizeof bits);                                                                    \
    int exponent = (int)(bits >> (DIGITS - 1)) & INFINITE;                                             \
    uint64_t leading = (uint64_t)(exponent != 0) << (DIGITS - 1);                                      \
    uint64_t digits = bits & (((word)1 << (DIGITS - 1)) - 1);                                          \
    return (struct parts){digits | leading, exponent, bits >> (8 * sizeof bits - 1)};                  \
  }                                                                                                    \
  static type put_together##suffix(struct parts parts) {                                               \
    word digits = (word)parts.mantissa & (((word)1 << (DIGITS - 1)) - 1);                              \
    word bits = (word)parts.negative << (8 * sizeof bits - 1) | (word)parts.exponent << (DIGITS - 1) | digits; \
    type x;                                                                                            \
    memcpy(&x, &bits, sizeof x);                                                                       \
    return x;                                                                                          \
  }

FORMAT(f, float, uint32_t, 24, 0xff)
FORMAT(, double, uint64_t, 53, 0x7ff)

/* Whether an exponent is that of what is not finite, and the digits are some besides the leading one. */
static bool is_none(struct parts parts, int digits, int infinite) {
  return (parts.exponent == infinite) & (parts.mantissa << (65 - digits) != 0);
}

#define REST(suffix, type, DIGITS, INFINITE)                                                           \
  type fmod##suffix(type x, type y) {                                                                  \
    struct parts a = taken_apart##suffix(x), b = taken_apart##suffix(y);                               \
    if (is_none(a, DIGITS, INFINITE) | is_none(b, DIGITS, INFINITE))                                   \
      return x + y;                                                                                    \
    if ((a.exponent == INFINITE) | (b.mantissa == 0)) {                                                \
      errno = EDOM;                                                                                    \
      return (x * y) / (x * y);                                                                        \
    }                                                                                                  \
    struct number from = number_of(a), by = number_of(b);                                              \
    if (from.exponent < by.exponent)                                                                   \
      return x;                                                                                        \
    struct rest rest = divide(from, by);                                                               \
    rest.negative = a.negative;                                                                        \
    return put_together##suffix(parts_of(rest, DIGITS));                                               \
  }                                                                                                    \
  type remquo##suffix(type x, type y, int *quotient) {                                                 \
    struct parts a = taken_apart##suffix(x), b = taken_apart##suffix(y);                               \
    *quotient = 0;                                                                                     \
    if (is_none(a, DIGITS, INFINITE) | is_none(b, DIGITS, INFINITE))                                   \
      return x + y;                                                                                    \
    if ((a.exponent == INFINITE) | (b.mantissa == 0))                                                  \
      return (x * y) / (x * y);                                                                        \
    struct number from = number_of(a), by = number_of(b);                                              \
    if ((from.exponent < by.exponent - 1) | (b.exponent == INFINITE))                                  \
      return x;                                                                                        \
    struct rest rest = divide_to_nearest(from, by);                                                    \
    int last = (int)(rest.quotient & 7), sign = -(int)(a.negative ^ b.negative);                       \
    *quotient = (last ^ sign) - sign;                                                                  \
    rest.negative ^= a.negative;                                                                       \
    return put_together##suffix(parts_of(rest, DIGITS));                                               \
  }                                                                                                    \
  type remainder##suffix(type x, type y) {                                                             \
    int quotient;                                                                                      \
    struct parts a = taken_apart##suffix(x), b = taken_apart##suffix(y);                               \
    bool fails = (a.exponent == INFINITE) | (b.mantissa == 0);                                         \
    if (fails & !is_none(a, DIGITS, INFINITE) & !is_none(b, DIGITS, INFINITE))                         \
      errno = EDOM;                                                                                    \
    return remquo##suffix(x, y, &quotient);                                                            \
  }                                                                                                    \
  type drem##suffix(type x, type y) { return remainder##suffix(x, y); }                                \
  type fma##suffix(type x, type y, type z) { return __builtin_elementwise_fma(x, y, z); }

REST(f, float, 24, 0xff)
REST(, double, 53, 0x7ff)
REST(l, long double, 64, 0x7fff)
