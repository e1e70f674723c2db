/* Kinds of numbers, neighbours, and greater and lesser ones: the same bits. */
#include "compare.h"

#include <math.h>

#undef isinf
#undef isnan
/* Not declared, or as macros only. */
#define DECLARE(result, name, ...) extern result ours_##name(__VA_ARGS__), name(__VA_ARGS__)
#define OF_ONE(result, name)                                                                           \
  DECLARE(result, name, double);                                                                       \
  DECLARE(result, name##f, float);                                                                     \
  DECLARE(result, name##l, long double)
#define SAME_OF_ONE(name)                                                                              \
  DECLARE(double, name, double);                                                                       \
  DECLARE(float, name##f, float);                                                                      \
  DECLARE(long double, name##l, long double)
#define SAME_OF_TWO(name)                                                                              \
  DECLARE(double, name, double, double);                                                               \
  DECLARE(float, name##f, float, float);                                                               \
  DECLARE(long double, name##l, long double, long double)

OF_ONE(int, isinf);
OF_ONE(int, isnan);
OF_ONE(int, finite);
OF_ONE(long, llogb);
OURS(finite);
OURS(fmaximum);
OURS(fmaximum_mag);
OURS(fmaximum_mag_num);
OURS(fmaximum_num);
OURS(fminimum);
OURS(fminimum_mag);
OURS(fminimum_mag_num);
OURS(fminimum_num);
OURS(isinf);
OURS(isnan);
OURS(llogb);
OURS(nextdown);
OURS(nextup);
OURS(roundeven);
OURS(isinff);
OURS(isinfl);
OURS(isnanf);
OURS(isnanl);
OURS(finitef);
OURS(finitel);
OURS(llogbf);
OURS(llogbl);
OURS(nan);
OURS(nanf);
OURS(nanl);
SAME_OF_ONE(roundeven);
SAME_OF_ONE(nextup);
SAME_OF_ONE(nextdown);
OURS(roundevenf);
OURS(roundevenl);
OURS(nextupf);
OURS(nextupl);
OURS(nextdownf);
OURS(nextdownl);
OURS(nexttoward);
OURS(nexttowardf);
OURS(nexttowardl);
SAME_OF_TWO(fmaximum);
SAME_OF_TWO(fminimum);
SAME_OF_TWO(fmaximum_num);
SAME_OF_TWO(fminimum_num);
SAME_OF_TWO(fmaximum_mag);
SAME_OF_TWO(fminimum_mag);
SAME_OF_TWO(fmaximum_mag_num);
SAME_OF_TWO(fminimum_mag_num);
OURS(fmaximumf);
OURS(fmaximuml);
OURS(fminimumf);
OURS(fminimuml);
OURS(fmaximum_numf);
OURS(fmaximum_numl);
OURS(fminimum_numf);
OURS(fminimum_numl);
OURS(fmaximum_magf);
OURS(fmaximum_magl);
OURS(fminimum_magf);
OURS(fminimum_magl);
OURS(fmaximum_mag_numf);
OURS(fmaximum_mag_numl);
OURS(fminimum_mag_numf);
OURS(fminimum_mag_numl);

static double draw_number(void) {
  static const double special[] = {0.0, -0.0, 1, -1, 0.5, 2.5, 3.5, -0.5, 1e300, 5e-324, -2.2250738585072014e-308, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
  uint64_t bits = draw();
  double number;
  memcpy(&number, &bits, sizeof number);
  return sometimes(2) ? special[below(sizeof special / sizeof *special)] : sometimes(2) ? (double)below(100) / 4 - 12 : number;
}

/* Of long double the ten bytes that count; numbers that are none are one. */
static void same_bits(long double ours, long double theirs, const char *name, long double x, long double y) {
  bool none = ours != ours && theirs != theirs;
  same_truth(none || memcmp(&ours, &theirs, 10) == 0, 1, "%s of %Lg and %Lg: %La, %La", name, x, y, ours, theirs);
}

#define ONE(name) same_bits(ours_##name(x), name(x), #name, x, 0), same_bits(ours_##name##f(fx), name##f(fx), #name "f", fx, 0), \
  same_bits(ours_##name##l(lx), name##l(lx), #name "l", lx, 0)
#define NUMBER(name) same_number(ours_##name(x), name(x), #name " of %g", x), same_number(ours_##name##f(fx), name##f(fx), #name "f of %g", x), \
  same_number(ours_##name##l(lx), name##l(lx), #name "l of %Lg", lx)
#define TRUTH(name) same_truth(ours_##name(x), name(x), #name " of %g", x), same_truth(ours_##name##f(fx), name##f(fx), #name "f of %g", x), \
  same_truth(ours_##name##l(lx), name##l(lx), #name "l of %Lg", lx)
#define TWO(name) same_bits(ours_##name(x, y), name(x, y), #name, x, y), same_bits(ours_##name##f(fx, fy), name##f(fx, fy), #name "f", fx, fy), \
  same_bits(ours_##name##l(lx, ly), name##l(lx, ly), #name "l", lx, ly)

void compare_math_more(void) {
  for (int round = 0; round < 3000; round++) {
    double x = draw_number(), y = sometimes(5) ? x : draw_number();
    float fx = (float)x, fy = (float)y;
    long double lx = sometimes(2) ? x : x * 1.1L, ly = sometimes(2) ? y : y * 1.1L;
    NUMBER(isinf);
    TRUTH(isnan);
    TRUTH(finite);
    NUMBER(llogb);
    ONE(roundeven);
    ONE(nextup);
    ONE(nextdown);
    TWO(fmaximum);
    TWO(fminimum);
    TWO(fmaximum_num);
    TWO(fminimum_num);
    TWO(fmaximum_mag);
    TWO(fminimum_mag);
    TWO(fmaximum_mag_num);
    TWO(fminimum_mag_num);
    same_bits(ours_nexttoward(x, ly), nexttoward(x, ly), "nexttoward", x, ly);
    same_bits(ours_nexttowardf(fx, ly), nexttowardf(fx, ly), "nexttowardf", fx, ly);
    same_bits(ours_nexttowardl(lx, ly), nexttowardl(lx, ly), "nexttowardl", lx, ly);
    char text[8];
    draw_text(text, below(5), "12x0(");
    double mine = ours_nan(text), theirs = nan(text);
    same_bytes(&mine, &theirs, sizeof mine, "nan of '%s'", text);
    float my_single = ours_nanf(text), their_single = nanf(text);
    same_bytes(&my_single, &their_single, sizeof my_single, "nanf of '%s'", text);
    long double my_long = ours_nanl(text), their_long = nanl(text);
    same_bytes(&my_long, &their_long, 10, "nanl of '%s'", text);
  }
}
