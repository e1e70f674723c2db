/* Complex numbers: products and quotients, which compilers call, and the parts of complex.h that are exact
 * or that math.h computes.
 *
 * Quotients of float are computed in double, and so need no care. In the other formats Smith's way of scaling is
 * taken, with the steps of Baudin and Smith ("A robust complex division in Scilab", 2012) against results that
 * vanish or overflow on the way, in the order in which libgcc has them: so the bits are those of a native run.
 * Where both parts of a result are no numbers, infinities are recovered as Annex G of C says.
 */
#include "runtime.h"

#define IS_NAN(x) ((x) != (x))
#define IS_FINITE(x) ((x) - (x) == 0)
#define IS_INFINITE(x) (!IS_NAN(x) && !IS_FINITE(x))
#define SIGNED_AS(x, y) __builtin_elementwise_copysign(x, y)
#define SIZE(x) __builtin_elementwise_abs(x)

#define PRODUCT(name, type)                                                                            \
  /* One of an infinity's sign, zero otherwise. */                                                     \
  static type boxed_##name(type x) { return SIGNED_AS((type)(IS_INFINITE(x) ? 1 : 0), x); }            \
  /* A zero instead of what is no number. */                                                           \
  static type number_##name(type x) { return IS_NAN(x) ? SIGNED_AS((type)0, x) : x; }                  \
  type _Complex name(type a, type b, type c, type d) {                                                 \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                               \
    type real = ac - bd, imaginary = ad + bc;                                                          \
    if (!IS_NAN(real) || !IS_NAN(imaginary))                                                           \
      return __builtin_complex(real, imaginary);                                                       \
    bool recover = false;                                                                              \
    if (IS_INFINITE(a) || IS_INFINITE(b)) {                                                            \
      a = boxed_##name(a), b = boxed_##name(b), c = number_##name(c), d = number_##name(d);            \
      recover = true;                                                                                  \
    }                                                                                                  \
    if (IS_INFINITE(c) || IS_INFINITE(d)) {                                                            \
      c = boxed_##name(c), d = boxed_##name(d), a = number_##name(a), b = number_##name(b);            \
      recover = true;                                                                                  \
    }                                                                                                  \
    if (!recover && (IS_INFINITE(ac) || IS_INFINITE(bd) || IS_INFINITE(ad) || IS_INFINITE(bc))) {      \
      a = number_##name(a), b = number_##name(b), c = number_##name(c), d = number_##name(d);          \
      recover = true;                                                                                  \
    }                                                                                                  \
    if (recover) {                                                                                     \
      real = (type)__builtin_inff() * (a * c - b * d);                                                 \
      imaginary = (type)__builtin_inff() * (a * d + b * c);                                            \
    }                                                                                                  \
    return __builtin_complex(real, imaginary);                                                         \
  }

PRODUCT(__mulsc3, float)
PRODUCT(__muldc3, double)
PRODUCT(__mulxc3, long double)

/* What is left to do about a quotient of which both parts are no numbers. */
#define RECOVERED(name, type, product)                                                                 \
  static type _Complex recovered_##name(type a, type b, type c, type d, type _Complex quotient) {      \
    const type infinity = (type)__builtin_inff();                                                      \
    if (!IS_NAN(__real__ quotient) || !IS_NAN(__imag__ quotient))                                      \
      return quotient;                                                                                 \
    if (c == 0 && d == 0 && (!IS_NAN(a) || !IS_NAN(b)))                                                \
      return __builtin_complex(SIGNED_AS(infinity, c) * a, SIGNED_AS(infinity, c) * b);                \
    if ((IS_INFINITE(a) || IS_INFINITE(b)) && IS_FINITE(c) && IS_FINITE(d)) {                          \
      a = boxed_##product(a), b = boxed_##product(b);                                                  \
      return __builtin_complex(infinity * (a * c + b * d), infinity * (b * c - a * d));                \
    }                                                                                                  \
    if ((IS_INFINITE(c) || IS_INFINITE(d)) && IS_FINITE(a) && IS_FINITE(b)) {                          \
      c = boxed_##product(c), d = boxed_##product(d);                                                  \
      return __builtin_complex((type)0 * (a * c + b * d), (type)0 * (b * c - a * d));                  \
    }                                                                                                  \
    return quotient;                                                                                   \
  }

RECOVERED(__divsc3, float, __mulsc3)
RECOVERED(__divdc3, double, __muldc3)
RECOVERED(__divxc3, long double, __mulxc3)

float _Complex __divsc3(float a, float b, float c, float d) {
  double x = a, y = b, u = c, v = d, size = u * u + v * v;
  float real = (float)((x * u + y * v) / size), imaginary = (float)((y * u - x * v) / size);
  return recovered___divsc3(a, b, c, d, __builtin_complex(real, imaginary));
}

/* The quotient by the ratio of the divisor's lesser part to the other. All four numbers are halved where the divisor
 * is near the largest one, and enlarged where a step would be lost below the least one. */
#define QUOTIENT(name, type, largest, least, precision)                                                \
  type _Complex name(type a, type b, type c, type d) {                                                 \
    const type big = largest / 2, small = precision;                                                   \
    const bool swapped = SIZE(c) < SIZE(d);                                                            \
    type more = swapped ? d : c, less = swapped ? c : d, scale = 1;                                    \
    if (SIZE(more) >= big)                                                                             \
      a /= 2, b /= 2, more /= 2, less /= 2;                                                            \
    const type limit = big * small;                                                                    \
    if (SIZE(more) < small)                                                                            \
      scale = 1 / small;                                                                               \
    else if (SIZE(more) < limit && ((SIZE(a) < least && SIZE(b) < limit) ||                            \
                                    (SIZE(b) < least && SIZE(a) < limit)))                             \
      scale = 1 / small;                                                                               \
    a *= scale, b *= scale, more *= scale, less *= scale;                                              \
    type ratio = less / more, size = less * ratio + more;                                              \
    const bool far = SIZE(ratio) > least;                                                              \
    type real, imaginary;                                                                              \
    if (swapped) {                                                                                     \
      real = ((far ? a * ratio : less * (a / more)) + b) / size;                                       \
      imaginary = ((far ? b * ratio : less * (b / more)) - a) / size;                                  \
    } else {                                                                                           \
      real = (a + (far ? b * ratio : less * (b / more))) / size;                                       \
      imaginary = (b - (far ? a * ratio : less * (a / more))) / size;                                  \
    }                                                                                                  \
    return recovered_##name(a, b, swapped ? less : more, swapped ? more : less,                        \
                            __builtin_complex(real, imaginary));                                       \
  }

QUOTIENT(__divdc3, double, __DBL_MAX__, __DBL_MIN__, __DBL_EPSILON__)
QUOTIENT(__divxc3, long double, __LDBL_MAX__, __LDBL_MIN__, __LDBL_EPSILON__)

#define PARTS(suffix, type)                                                                            \
  type hypot##suffix(type x, type y);                                                                  \
  type atan2##suffix(type y, type x);                                                                  \
  type creal##suffix(type _Complex z) { return __real__ z; }                                           \
  type cimag##suffix(type _Complex z) { return __imag__ z; }                                           \
  type _Complex conj##suffix(type _Complex z) { return __builtin_complex(__real__ z, -__imag__ z); }   \
  type _Complex cproj##suffix(type _Complex z) {                                                       \
    if (!IS_INFINITE(__real__ z) && !IS_INFINITE(__imag__ z))                                          \
      return z;                                                                                        \
    return __builtin_complex((type)__builtin_inff(), SIGNED_AS((type)0, __imag__ z));                  \
  }                                                                                                    \
  type cabs##suffix(type _Complex z) { return hypot##suffix(__real__ z, __imag__ z); }                 \
  type carg##suffix(type _Complex z) { return atan2##suffix(__imag__ z, __real__ z); }

PARTS(f, float)
PARTS(, double)
PARTS(l, long double)
