/* Exact functions of math.h: the same bits. */
#include "compare.h"

#include <math.h>
#include <string.h>

OURS(fabs);
OURS(floor);
OURS(ceil);
OURS(trunc);
OURS(round);
OURS(rint);
OURS(nearbyint);
OURS(fabsf);
OURS(floorf);
OURS(ceilf);
OURS(truncf);
OURS(roundf);
OURS(rintf);
OURS(nearbyintf);
OURS(sqrt);
OURS(copysign);
OURS(fmin);
OURS(fmax);
OURS(fmod);
OURS(sqrtf);
OURS(copysignf);
OURS(fminf);
OURS(fmaxf);
OURS(fmodf);
OURS(ldexp);
OURS(ldexpf);
OURS(scalbn);
OURS(scalbnf);
OURS(scalbln);
OURS(scalblnf);
OURS(frexp);
OURS(frexpf);
OURS(modf);
OURS(modff);
OURS(logb);
OURS(logbf);
OURS(ilogb);
OURS(ilogbf);
OURS(fdim);
OURS(fdimf);
OURS(lround);
OURS(lroundf);
OURS(llround);
OURS(llroundf);
OURS(lrint);
OURS(lrintf);
OURS(llrint);
OURS(llrintf);
OURS(nextafter);
OURS(nextafterf);

OURS(remainder);
OURS(remainderf);
OURS(drem);
OURS(dremf);
OURS(remquo);
OURS(remquof);
OURS(fma);
OURS(fmaf);
OURS(fmal);
/* As the compiler's own library has them. */
float __powisf2(float x, int n);
double __powidf2(double x, int n);
long double __powixf2(long double x, int n);
OURS(__powisf2);
OURS(__powidf2);
OURS(__powixf2);
OURS(fabsl);
OURS(floorl);
OURS(ceill);
OURS(truncl);
OURS(roundl);
OURS(rintl);
OURS(nearbyintl);
OURS(sqrtl);
OURS(copysignl);
OURS(fminl);
OURS(fmaxl);
OURS(fdiml);
OURS(fmodl);
OURS(remainderl);
OURS(dreml);
OURS(remquol);
OURS(ldexpl);
OURS(scalbnl);
OURS(scalblnl);
OURS(frexpl);
OURS(modfl);
OURS(logbl);
OURS(ilogbl);
OURS(lroundl);
OURS(llroundl);
OURS(lrintl);
OURS(llrintl);
OURS(nextafterl);

/* Any bits, small numbers with halves, and the edges. */
static double draw_number(void) {
  static const double edges[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, INFINITY, -INFINITY, NAN, 5e-324, 1e-310, 1e308, 4503599627370496.5};
  double number;
  uint64_t bits = draw();
  memcpy(&number, &bits, sizeof number);
  /* What is not a number is quiet: fmin and fmax of one that signals differ. */
  if (number != number)
    number = NAN;
  return sometimes(4) ? edges[below(sizeof edges / sizeof *edges)] : sometimes(2) ? (double)(int64_t)(bits % 4001 - 2000) / 4 : number;
}

/* Of zeros with different signs either may be the lesser one, and glibc's remainder of a number above zero
 * may be the one below. */
static bool signs_may_differ(const char *name) {
  static const char *const names[] = {"fmin", "fmax", "remainder", "drem", NULL};
  for (int i = 0; names[i] != NULL; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static void same_double(double ours, double theirs, const char *name, double x, double y) {
  bool same = (ours != ours && theirs != theirs) || memcmp(&ours, &theirs, sizeof ours) == 0;
  same |= ours == 0 && theirs == 0 && signs_may_differ(name);
  same_truth(same, 1, "%s(%a, %a): %a here, %a there", name, x, y, ours, theirs);
}

#define UNARY(name)                                                                                    \
  same_double(ours_##name(x), name(x), #name, x, 0);                                                   \
  same_double(ours_##name##f((float)x), name##f((float)x), #name "f", x, 0)
#define BINARY(name)                                                                                   \
  same_double(ours_##name(x, y), name(x, y), #name, x, y);                                             \
  same_double(ours_##name##f((float)x, (float)y), name##f((float)x, (float)y), #name "f", x, y)

/* The last three bits of the quotient are promised, and its sign. */
#define QUOTIENT(name, same, x, y)                                                                     \
  do {                                                                                                 \
    int ours = 0, theirs = 0;                                                                          \
    same(ours_##name(x, y, &ours), name(x, y, &theirs), #name, x, y);                                  \
    same_number(ours % 8, theirs % 8, "quotient by " #name "(%La, %La)", (long double)(x), (long double)(y)); \
  } while (0)

static void compare_quotients(double x, double y) {
  QUOTIENT(remquo, same_double, x, y);
  QUOTIENT(remquof, same_double, (float)x, (float)y);
}

/* With an exponent, and results that are no double. */
static void compare_parts(double x, double y) {
  static const int edges[] = {0, 1, -1, 1023, -1022, -1074, 2000, -2000, 2147483647, -2147483647 - 1};
  int n = sometimes(3) ? edges[below(sizeof edges / sizeof *edges)] : (int)(draw() % 2400) - 1200;
  same_double(ours_ldexp(x, n), ldexp(x, n), "ldexp", x, n);
  same_double(ours_ldexpf((float)x, n / 8), ldexpf((float)x, n / 8), "ldexpf", x, n / 8);
  same_double(ours_scalbn(x, n), scalbn(x, n), "scalbn", x, n);
  same_double(ours_scalbnf((float)x, n), scalbnf((float)x, n), "scalbnf", x, n);
  same_double(ours_scalbln(x, n * 4l), scalbln(x, n * 4l), "scalbln", x, n);
  same_double(ours_scalblnf((float)x, n * 4l), scalblnf((float)x, n * 4l), "scalblnf", x, n);
  same_double(ours___powidf2(x, n), __powidf2(x, n), "powi", x, n);
  same_double(ours___powisf2((float)x, n / 8), __powisf2((float)x, n / 8), "powif", x, n / 8);
  int ours = 7, theirs = 7;
  same_double(ours_frexp(x, &ours), frexp(x, &theirs), "frexp", x, 0);
  same_number(ours, theirs, "exponent by frexp(%a)", x);
  same_double(ours_frexpf((float)x, &ours), frexpf((float)x, &theirs), "frexpf", x, 0);
  same_number(ours, theirs, "exponent by frexpf(%a)", x);
  double our_part, their_part;
  same_double(ours_modf(x, &our_part), modf(x, &their_part), "modf", x, 0);
  same_double(our_part, their_part, "whole part by modf", x, 0);
  float our_float, their_float;
  same_double(ours_modff((float)x, &our_float), modff((float)x, &their_float), "modff", x, 0);
  same_double(our_float, their_float, "whole part by modff", x, 0);
  UNARY(logb);
  same_number(ours_ilogb(x), ilogb(x), "ilogb(%a)", x);
  same_number(ours_ilogbf((float)x), ilogbf((float)x), "ilogbf(%a)", x);
  BINARY(fdim);
  BINARY(nextafter);
  /* What does not fit is anything. */
  if (!(fabs(x) < 0x1p62))
    x = 0.5;
  same_number(ours_lround(x), lround(x), "lround(%a)", x);
  same_number(ours_lroundf((float)x), lroundf((float)x), "lroundf(%a)", x);
  same_number(ours_llround(x), llround(x), "llround(%a)", x);
  same_number(ours_llroundf((float)x), llroundf((float)x), "llroundf(%a)", x);
  same_number(ours_lrint(x), lrint(x), "lrint(%a)", x);
  same_number(ours_lrintf((float)x), lrintf((float)x), "lrintf(%a)", x);
  same_number(ours_llrint(x), llrint(x), "llrint(%a)", x);
  same_number(ours_llrintf((float)x), llrintf((float)x), "llrintf(%a)", x);
}

/* Any bits that are a number of the x87, and the edges; one whose leading bit contradicts its exponent is
 * none. */
static long double draw_long(void) {
  static const long double edges[] = {0.0L,      -0.0L,     0.5L,       -2.5L,      INFINITY,    -INFINITY,   NAN,
                                      0x1p-16445L, 0x1p-16382L, 0x1.fffffffffffffffep-16383L, 0x1.fffffffffffffffep16383L, 0x1p63L};
  if (sometimes(4))
    return edges[below(sizeof edges / sizeof *edges)];
  if (sometimes(2))
    return draw_number();
  struct {
    uint64_t mantissa;
    uint64_t rest;
  } bits = {draw(), draw() & 0xffff};
  if (sometimes(2))
    bits.rest = (bits.rest & 0x803f) + 16383 - 32;
  bits.mantissa = bits.rest & 0x7fff ? bits.mantissa | 1ull << 63 : bits.mantissa >> 1;
  long double number = 0;
  memcpy(&number, &bits, 10);
  return number == number ? number : NAN;
}

static void same_long(long double ours, long double theirs, const char *name, long double x, long double y) {
  bool same = (ours != ours && theirs != theirs) || memcmp(&ours, &theirs, 10) == 0;
  same |= ours == 0 && theirs == 0 && signs_may_differ(name);
  same_truth(same, 1, "%s(%La, %La): %La here, %La there", name, x, y, ours, theirs);
}

#define UNARY_LONG(name) same_long(ours_##name(x), name(x), #name, x, 0)
#define BINARY_LONG(name) same_long(ours_##name(x, y), name(x, y), #name, x, y)

static void compare_long(long double x, long double y) {
  UNARY_LONG(fabsl);
  UNARY_LONG(floorl);
  UNARY_LONG(ceill);
  UNARY_LONG(truncl);
  UNARY_LONG(roundl);
  UNARY_LONG(rintl);
  UNARY_LONG(nearbyintl);
  UNARY_LONG(sqrtl);
  UNARY_LONG(logbl);
  long double z = draw_long();
  same_long(ours_fmal(x, y, z), fmal(x, y, z), "fmal", x, y);
  BINARY_LONG(copysignl);
  BINARY_LONG(fminl);
  BINARY_LONG(fmaxl);
  BINARY_LONG(fdiml);
  BINARY_LONG(fmodl);
  BINARY_LONG(remainderl);
  BINARY_LONG(dreml);
  QUOTIENT(remquol, same_long, x, y);
  BINARY_LONG(nextafterl);
  static const int edges[] = {0, 1, -1, 16383, -16382, -16445, 32000, -32000, 2147483647, -2147483647 - 1};
  int n = sometimes(3) ? edges[below(sizeof edges / sizeof *edges)] : (int)(draw() % 33000) - 16500;
  same_long(ours_ldexpl(x, n), ldexpl(x, n), "ldexpl", x, n);
  same_long(ours_scalbnl(x, n), scalbnl(x, n), "scalbnl", x, n);
  same_long(ours_scalblnl(x, n * 4l), scalblnl(x, n * 4l), "scalblnl", x, n);
  same_long(ours___powixf2(x, n / 64), __powixf2(x, n / 64), "powil", x, n / 64);
  int ours = 7, theirs = 7;
  same_long(ours_frexpl(x, &ours), frexpl(x, &theirs), "frexpl", x, 0);
  same_number(ours, theirs, "exponent by frexpl(%La)", x);
  long double our_part, their_part;
  same_long(ours_modfl(x, &our_part), modfl(x, &their_part), "modfl", x, 0);
  same_long(our_part, their_part, "whole part by modfl", x, 0);
  same_number(ours_ilogbl(x), ilogbl(x), "ilogbl(%La)", x);
  if (!(fabsl(x) < 0x1p62L))
    x = 0.5;
  same_number(ours_lroundl(x), lroundl(x), "lroundl(%La)", x);
  same_number(ours_llroundl(x), llroundl(x), "llroundl(%La)", x);
  same_number(ours_lrintl(x), lrintl(x), "lrintl(%La)", x);
  same_number(ours_llrintl(x), llrintl(x), "llrintl(%La)", x);
}

void compare_math(void) {
  for (int round_number = 0; round_number < 20000; round_number++) {
    double x = draw_number(), y = draw_number();
    pretend_symbolic = sometimes(2);
    UNARY(fabs);
    UNARY(floor);
    UNARY(ceil);
    UNARY(trunc);
    UNARY(round);
    UNARY(rint);
    UNARY(nearbyint);
    UNARY(sqrt);
    BINARY(copysign);
    BINARY(fmin);
    BINARY(fmax);
    BINARY(fmod);
    BINARY(remainder);
    BINARY(drem);
    compare_quotients(x, y);
    double z = draw_number();
    same_double(ours_fma(x, y, z), fma(x, y, z), "fma", x, y);
    same_double(ours_fmaf((float)x, (float)y, (float)z), fmaf((float)x, (float)y, (float)z), "fmaf", x, y);
    compare_parts(x, y);
    compare_long(draw_long(), draw_long());
  }
  pretend_symbolic = 0;
  ours_errno = 0;
  ours_ldexp(1, 5000);
  same_number(ours_errno, ERANGE, "errno of ldexp");
  ours_errno = 0;
  ours_sqrt(-1);
  same_number(ours_errno, EDOM, "errno of sqrt");
}
