/* Products and quotients of complex numbers as the compiler's own library has them, and their parts: the same
 * bits. */
#include "compare.h"

#include <complex.h>
#include <float.h>
#include <math.h>

/* What compilers call. */
#define CALLED(suffix, type)                                                                           \
  type _Complex __mul##suffix##c3(type a, type b, type c, type d);                                     \
  type _Complex __div##suffix##c3(type a, type b, type c, type d)
CALLED(s, float);
CALLED(d, double);
CALLED(x, long double);
OURS(__mulsc3);
OURS(__muldc3);
OURS(__mulxc3);
OURS(__divsc3);
OURS(__divdc3);
OURS(__divxc3);
OURS(creal);
OURS(crealf);
OURS(creall);
OURS(cimag);
OURS(cimagf);
OURS(cimagl);
OURS(conj);
OURS(conjf);
OURS(conjl);
OURS(cproj);
OURS(cprojf);
OURS(cprojl);
OURS(cabs);
OURS(cabsf);
OURS(cabsl);
OURS(carg);
OURS(cargf);
OURS(cargl);

/* The edges of a format, small numbers with halves, and numbers with exponents all over. */
static long double draw_part(long double largest, long double least, int exponents) {
  const long double edges[] = {0, -0.0L, 1, -1, INFINITY, -INFINITY, NAN, largest, least, largest / 2, least / 4};
  if (sometimes(5))
    return edges[below(sizeof edges / sizeof *edges)];
  if (sometimes(2))
    return (long double)((int)below(4001) - 2000) / 4;
  long double part = ldexpl((long double)(draw() | 1), (int)below((size_t)(2 * exponents)) - exponents);
  return sometimes(2) ? part : -part;
}

/* Of what is no number, the sign is not compared. */
static bool same_part(long double ours, long double theirs) {
  if (isnan(ours) || isnan(theirs))
    return isnan(ours) && isnan(theirs);
  return ours == theirs && !signbit(ours) == !signbit(theirs);
}

static void same_complex(long double complex ours, long double complex theirs, const char *name, long double a,
                         long double b, long double c, long double d) {
  bool same = same_part(creall(ours), creall(theirs)) && same_part(cimagl(ours), cimagl(theirs));
  same_truth(same, 1, "%s(%La, %La, %La, %La): %La %La here, %La %La there", name, a, b, c, d, creall(ours),
             cimagl(ours), creall(theirs), cimagl(theirs));
}

#define FORMAT(letter, suffix, type, largest, least, exponents)                                        \
  static void compare_##letter(void) {                                                                 \
    type part[4];                                                                                      \
    for (int place = 0; place < 4; place++)                                                            \
      part[place] = (type)draw_part(largest, least, exponents);                                        \
    type a = part[0], b = part[1], c = part[2], d = part[3];                                           \
    same_complex(ours___mul##letter##c3(a, b, c, d), __mul##letter##c3(a, b, c, d), "product", a, b, c, d); \
    same_complex(ours___div##letter##c3(a, b, c, d), __div##letter##c3(a, b, c, d), "quotient", a, b, c, d); \
    type complex z = __builtin_complex(a, b);                                                          \
    same_complex(ours_creal##suffix(z), creal##suffix(z), "creal", a, b, 0, 0);                        \
    same_complex(ours_cimag##suffix(z), cimag##suffix(z), "cimag", a, b, 0, 0);                        \
    same_complex(ours_conj##suffix(z), conj##suffix(z), "conj", a, b, 0, 0);                           \
    same_complex(ours_cproj##suffix(z), cproj##suffix(z), "cproj", a, b, 0, 0);                        \
    same_complex(ours_cabs##suffix(z), cabs##suffix(z), "cabs", a, b, 0, 0);                           \
    same_complex(ours_carg##suffix(z), carg##suffix(z), "carg", a, b, 0, 0);                           \
  }

FORMAT(s, f, float, FLT_MAX, FLT_MIN, 150)
FORMAT(d, , double, DBL_MAX, DBL_MIN, 1100)
FORMAT(x, l, long double, LDBL_MAX, LDBL_MIN, 16000)

void compare_complex(void) {
  for (int round_number = 0; round_number < 20000; round_number++) {
    compare_s();
    compare_d();
    compare_x();
  }
}
