/* What stands for intrinsic functions of LLVM whose results the machine's compilers compute by functions. */
#include "runtime.h"

/* x to a whole power, with the products that compiler-rt and LLVM's own code for known powers make. */
#define POWER(name, type)                                                                              \
  type name(type x, int n) {                                                                           \
    bool inverse = n < 0;                                                                              \
    type result = 1;                                                                                   \
    for (;; x *= x) {                                                                                  \
      if (n & 1)                                                                                       \
        result *= x;                                                                                   \
      n /= 2;                                                                                          \
      if (n == 0)                                                                                      \
        return inverse ? 1 / result : result;                                                          \
    }                                                                                                  \
  }

POWER(__powisf2, float)
POWER(__powidf2, double)
POWER(__powixf2, long double)

/* The two results of llvm.frexp. */
#define PARTS(suffix, type)                                                                            \
  type frexp##suffix(type x, int *exponent);                                                           \
  type __symexec_fraction##suffix(type x) {                                                            \
    int exponent;                                                                                      \
    return frexp##suffix(x, &exponent);                                                                \
  }                                                                                                    \
  int __symexec_exponent##suffix(type x) {                                                             \
    int exponent;                                                                                      \
    frexp##suffix(x, &exponent);                                                                       \
    return exponent;                                                                                   \
  }

PARTS(f, float)
PARTS(, double)
PARTS(l, long double)
