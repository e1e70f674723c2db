/* Functions of complex.h that are inexact: the system's own library computes them, outside.
 *
 * Two numbers go to `__symexec_` and the function's name and two come back, since a call outside hands over no
 * structure; the engine knows these names as it knows those of math.h, and calls nothing where a program uses none.
 */
#include "../source/runtime.h"

#define ONE(name, type)                                                                                \
  void __symexec_##name(type real, type imaginary, type *to_real, type *to_imaginary);                 \
  type _Complex name(type _Complex z) {                                                                \
    type real, imaginary;                                                                              \
    __symexec_##name(__real__ z, __imag__ z, &real, &imaginary);                                       \
    return __builtin_complex(real, imaginary);                                                         \
  }

#define IN_ALL_FORMATS(name) ONE(name##f, float) ONE(name, double) ONE(name##l, long double)

IN_ALL_FORMATS(cacos)
IN_ALL_FORMATS(cacosh)
IN_ALL_FORMATS(casin)
IN_ALL_FORMATS(casinh)
IN_ALL_FORMATS(catan)
IN_ALL_FORMATS(catanh)
IN_ALL_FORMATS(ccos)
IN_ALL_FORMATS(ccosh)
IN_ALL_FORMATS(cexp)
IN_ALL_FORMATS(clog)
IN_ALL_FORMATS(clog10)
IN_ALL_FORMATS(csin)
IN_ALL_FORMATS(csinh)
IN_ALL_FORMATS(csqrt)
IN_ALL_FORMATS(ctan)
IN_ALL_FORMATS(ctanh)

#define POWER(name, type)                                                                              \
  void __symexec_##name(type real, type imaginary, type by_real, type by_imaginary, type *to_real,     \
                        type *to_imaginary);                                                           \
  type _Complex name(type _Complex z, type _Complex by) {                                              \
    type real, imaginary;                                                                              \
    __symexec_##name(__real__ z, __imag__ z, __real__ by, __imag__ by, &real, &imaginary);             \
    return __builtin_complex(real, imaginary);                                                         \
  }

POWER(cpowf, float)
POWER(cpow, double)
POWER(cpowl, long double)
