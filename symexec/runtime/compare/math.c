/* Exact functions of math.h: the same bits. */
#include "compare.h"

#include <math.h>

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

static void same_double(double ours, double theirs, const char *name, double x, double y) {
  bool same = (ours != ours && theirs != theirs) || memcmp(&ours, &theirs, sizeof ours) == 0;
  /* Of zeros with different signs either may be the lesser one. */
  same |= ours == 0 && theirs == 0 && (name[1] == 'm' && (name[2] == 'i' || name[2] == 'a'));
  same_truth(same, 1, "%s(%a, %a): %a here, %a there", name, x, y, ours, theirs);
}

#define UNARY(name)                                                                                    \
  same_double(ours_##name(x), name(x), #name, x, 0);                                                   \
  same_double(ours_##name##f((float)x), name##f((float)x), #name "f", x, 0)
#define BINARY(name)                                                                                   \
  same_double(ours_##name(x, y), name(x, y), #name, x, y);                                             \
  same_double(ours_##name##f((float)x, (float)y), name##f((float)x, (float)y), #name "f", x, y)

void compare_math(void) {
  for (int round_number = 0; round_number < 20000; round_number++) {
    double x = draw_number(), y = draw_number();
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
  }
  ours_errno = 0;
  ours_sqrt(-1);
  same_number(ours_errno, EDOM, "errno of sqrt");
}
