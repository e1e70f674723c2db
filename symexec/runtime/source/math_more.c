/* Of math.h: kinds of numbers as functions, neighbours, the even of two nearest whole numbers, greater and lesser ones.
 *
 * Differs from glibc: no floating-point exceptions, and errno is not set.
 */
#include "runtime.h"

/* Names that are macros of math.h, and those that it had before there were such. */
#define KINDS(suffix, type, word, infinity, most)                                                      \
  static word magnitude##suffix(type x) {                                                              \
    word bits;                                                                                         \
    memcpy(&bits, &x, sizeof bits);                                                                    \
    return bits & most;                                                                                \
  }                                                                                                    \
  int isinf##suffix(type x) { return (magnitude##suffix(x) == infinity) * (x < 0 ? -1 : 1); }          \
  int isnan##suffix(type x) { return magnitude##suffix(x) > infinity; }                                \
  int finite##suffix(type x) { return magnitude##suffix(x) < infinity; }

KINDS(, double, uint64_t, (uint64_t)0x7ff << 52, UINT64_MAX >> 1)
KINDS(f, float, uint32_t, 0xffu << 23, UINT32_MAX >> 1)

/* Of the ten bytes the upper two are sign and exponent; below the leading one of the rest all others are zero in an
   infinity. */
static void parts_of(long double x, uint64_t *digits, unsigned *exponent) {
  uint16_t upper;
  memcpy(digits, &x, sizeof *digits);
  memcpy(&upper, (const char *)&x + sizeof *digits, sizeof upper);
  *exponent = upper & 0x7fff;
}
int isinfl(long double x) {
  uint64_t digits;
  unsigned exponent;
  parts_of(x, &digits, &exponent);
  return ((exponent == 0x7fff) & (digits << 1 == 0)) * (x < 0 ? -1 : 1);
}
int isnanl(long double x) {
  uint64_t digits;
  unsigned exponent;
  parts_of(x, &digits, &exponent);
  return (exponent == 0x7fff) & (digits << 1 != 0);
}
int finitel(long double x) {
  uint64_t digits;
  unsigned exponent;
  parts_of(x, &digits, &exponent);
  return exponent != 0x7fff;
}

unsigned long long strtoull(const char *text, char **end, int base);

/* What the digits below the highest one are, as a text says, if it is a number. */
static uint64_t said(const char *text, unsigned bits) {
  char *end;
  uint64_t number = strtoull(text, &end, 0);
  return end > text && *end == 0 && is_alnum((unsigned char)*text) ? number & (((uint64_t)1 << bits) - 1) : 0;
}
double nan(const char *text) {
  uint64_t bits = (uint64_t)0xfff << 51 | said(text, 51);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}
float nanf(const char *text) {
  uint32_t bits = 0x1ffu << 22 | (uint32_t)said(text, 22);
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}
long double nanl(const char *text) {
  uint64_t digits = (uint64_t)3 << 62 | said(text, 62);
  uint16_t exponent = 0x7fff;
  long double number = 0;
  memcpy(&number, &digits, sizeof digits);
  memcpy((char *)&number + sizeof digits, &exponent, sizeof exponent);
  return number;
}

double roundeven(double x) { return __builtin_elementwise_roundeven(x); }
float roundevenf(float x) { return __builtin_elementwise_roundeven(x); }
long double roundevenl(long double x) { return __builtin_elementwise_roundeven(x); }

double nextafter(double x, double y);
float nextafterf(float x, float y);
long double nextafterl(long double x, long double y);

/* Which neighbour it is, is decided in the wider format; both zeros are equal, and the second one's sign counts. */
#define TOWARDS(suffix, type)                                                                          \
  type nexttoward##suffix(type x, long double y) {                                                     \
    if (x == y || y != y)                                                                              \
      return (type)(x == y ? y : x + y);                                                               \
    type far = (type)__builtin_inf();                                                                  \
    return nextafter##suffix(x, x < y ? far : -far);                                                   \
  }                                                                                                    \
  type nextup##suffix(type x) { return nextafter##suffix(x, (type)__builtin_inf()); }                  \
  type nextdown##suffix(type x) { return nextafter##suffix(x, -(type)__builtin_inf()); }
TOWARDS(, double)
TOWARDS(f, float)
TOWARDS(l, long double)

/* The greater and the lesser of two, where a zero is greater than the negative one: if one is no number, the result is
   none (fmaximum), or the other one (fmaximum_num); by magnitude first (fmaximum_mag). */
#define EXTREMES(suffix, type)                                                                         \
  static bool is_less##suffix(type x, type y) {                                                        \
    return x < y || (x == y && __builtin_signbit(x) && !__builtin_signbit(y));                         \
  }                                                                                                    \
  type fmaximum##suffix(type x, type y) {                                                              \
    return x != x || y != y ? x + y : is_less##suffix(x, y) ? y : x;                                   \
  }                                                                                                    \
  type fminimum##suffix(type x, type y) {                                                              \
    return x != x || y != y ? x + y : is_less##suffix(x, y) ? x : y;                                   \
  }                                                                                                    \
  type fmaximum_num##suffix(type x, type y) {                                                          \
    return x == x && y != y ? x : y == y && x != x ? y : fmaximum##suffix(x, y);                       \
  }                                                                                                    \
  type fminimum_num##suffix(type x, type y) {                                                          \
    return x == x && y != y ? x : y == y && x != x ? y : fminimum##suffix(x, y);                       \
  }                                                                                                    \
  static int by_magnitude##suffix(type x, type y) {                                                    \
    type a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y);                           \
    return a < b ? -1 : a > b;                                                                         \
  }                                                                                                    \
  type fmaximum_mag##suffix(type x, type y) {                                                          \
    int order = by_magnitude##suffix(x, y);                                                            \
    return order == 0 ? fmaximum##suffix(x, y) : order < 0 ? y : x;                                    \
  }                                                                                                    \
  type fminimum_mag##suffix(type x, type y) {                                                          \
    int order = by_magnitude##suffix(x, y);                                                            \
    return order == 0 ? fminimum##suffix(x, y) : order < 0 ? x : y;                                    \
  }                                                                                                    \
  type fmaximum_mag_num##suffix(type x, type y) {                                                      \
    return x == x && y != y ? x : y == y && x != x ? y : fmaximum_mag##suffix(x, y);                   \
  }                                                                                                    \
  type fminimum_mag_num##suffix(type x, type y) {                                                      \
    return x == x && y != y ? x : y == y && x != x ? y : fminimum_mag##suffix(x, y);                   \
  }
EXTREMES(, double)
EXTREMES(f, float)
EXTREMES(l, long double)

int ilogb(double x);
int ilogbf(float x);
int ilogbl(long double x);
/* The same numbers as those of ilogb, where these are numbers. */
#define EXPONENT(suffix, type)                                                                         \
  long llogb##suffix(type x) {                                                                         \
    int exponent = ilogb##suffix(x);                                                                   \
    return x == 0 || x != x ? LONG_MIN : x - x != 0 ? LONG_MAX : exponent;                             \
  }
EXPONENT(, double)
EXPONENT(f, float)
EXPONENT(l, long double)
