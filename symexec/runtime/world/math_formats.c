/* Functions of math.h under the names of formats (TS 18661-3): those of _Float32 are float's, those of _Float64 and
 * _Float32x double's, those of _Float64x long double's. Each is one call of the function that has the older name.
 */

#define IN_ALL(WHAT, name) \
  WHAT(float, name##f32, name##f) \
  WHAT(double, name##f64, name) \
  WHAT(double, name##f32x, name) \
  WHAT(long double, name##f64x, name##l)

#define ONE(type, name, older) \
  type older(type); \
  type name(type x) { return older(x); }
#define TWO(type, name, older) \
  type older(type, type); \
  type name(type x, type y) { return older(x, y); }
#define THREE(type, name, older) \
  type older(type, type, type); \
  type name(type x, type y, type z) { return older(x, y, z); }
#define WITH_INT(type, name, older) \
  type older(type, int); \
  type name(type x, int n) { return older(x, n); }
#define WITH_LONG(type, name, older) \
  type older(type, long); \
  type name(type x, long n) { return older(x, n); }
#define TO_INT(type, name, older) \
  int older(type); \
  int name(type x) { return older(x); }
#define TO_LONG(type, name, older) \
  long older(type); \
  long name(type x) { return older(x); }
#define TO_LONG_LONG(type, name, older) \
  long long older(type); \
  long long name(type x) { return older(x); }
#define WITH_PLACE(type, name, older) \
  type older(type, int *); \
  type name(type x, int *to) { return older(x, to); }
#define IN_PARTS(type, name, older) \
  type older(type, type *); \
  type name(type x, type *to) { return older(x, to); }
#define OF_INT(type, name, older) \
  type older(int, type); \
  type name(int n, type x) { return older(n, x); }

#define ALL_ONE(name) IN_ALL(ONE, name)
#define ALL_TWO(name) IN_ALL(TWO, name)

ALL_ONE(acos) ALL_ONE(acosh) ALL_ONE(asin) ALL_ONE(asinh) ALL_ONE(atan) ALL_ONE(atanh) ALL_ONE(cbrt) ALL_ONE(ceil)
ALL_ONE(cos) ALL_ONE(cosh) ALL_ONE(erf) ALL_ONE(erfc) ALL_ONE(exp) ALL_ONE(exp10) ALL_ONE(exp2) ALL_ONE(expm1)
ALL_ONE(fabs) ALL_ONE(floor) ALL_ONE(j0) ALL_ONE(j1) ALL_ONE(lgamma) ALL_ONE(log) ALL_ONE(log10) ALL_ONE(log1p)
ALL_ONE(log2) ALL_ONE(logb) ALL_ONE(nearbyint) ALL_ONE(rint) ALL_ONE(round) ALL_ONE(roundeven) ALL_ONE(sin)
ALL_ONE(sinh) ALL_ONE(sqrt) ALL_ONE(tan) ALL_ONE(tanh) ALL_ONE(tgamma) ALL_ONE(trunc) ALL_ONE(y0) ALL_ONE(y1)
ALL_TWO(atan2) ALL_TWO(copysign) ALL_TWO(fdim) ALL_TWO(fmax) ALL_TWO(fmin) ALL_TWO(fmod) ALL_TWO(hypot)
ALL_TWO(nextafter) ALL_TWO(pow) ALL_TWO(remainder)
IN_ALL(THREE, fma)
IN_ALL(WITH_INT, ldexp)
IN_ALL(WITH_INT, scalbn)
IN_ALL(WITH_LONG, scalbln)
IN_ALL(TO_INT, ilogb)
IN_ALL(TO_LONG, lrint)
IN_ALL(TO_LONG, lround)
IN_ALL(TO_LONG_LONG, llrint)
IN_ALL(TO_LONG_LONG, llround)
IN_ALL(WITH_PLACE, frexp)
IN_ALL(IN_PARTS, modf)
IN_ALL(OF_INT, jn)
IN_ALL(OF_INT, yn)

#define COMPLEX(type, name, older) \
  type _Complex older(type _Complex); \
  type _Complex name(type _Complex z) { return older(z); }
#define COMPLEX_TWO(type, name, older) \
  type _Complex older(type _Complex, type _Complex); \
  type _Complex name(type _Complex x, type _Complex y) { return older(x, y); }
#define OF_COMPLEX(type, name, older) \
  type older(type _Complex); \
  type name(type _Complex z) { return older(z); }

IN_ALL(OF_COMPLEX, cabs)
IN_ALL(OF_COMPLEX, carg)
IN_ALL(OF_COMPLEX, cimag)
IN_ALL(OF_COMPLEX, creal)
IN_ALL(COMPLEX, cacos)
IN_ALL(COMPLEX, cacosh)
IN_ALL(COMPLEX, casin)
IN_ALL(COMPLEX, casinh)
IN_ALL(COMPLEX, catan)
IN_ALL(COMPLEX, catanh)
IN_ALL(COMPLEX, ccos)
IN_ALL(COMPLEX, ccosh)
IN_ALL(COMPLEX, cexp)
IN_ALL(COMPLEX, clog)
IN_ALL(COMPLEX, conj)
IN_ALL(COMPLEX, cproj)
IN_ALL(COMPLEX, csin)
IN_ALL(COMPLEX, csinh)
IN_ALL(COMPLEX, csqrt)
IN_ALL(COMPLEX, ctan)
IN_ALL(COMPLEX, ctanh)
IN_ALL(COMPLEX_TWO, cpow)
