/* fenv.h, for arithmetic that rounds to the nearest number and raises nothing: as much as a system without floating-point
 * exceptions and other directions has.
 *
 * Differs from glibc: other directions cannot be chosen, which the result says, and exceptions are never found raised.
 */
#include "../source/runtime.h"

enum { TO_NEAREST = 0 };

void klee_warning_once(const char *message);

int fegetround(void) { return TO_NEAREST; }

int fesetround(int direction) {
  if (direction == TO_NEAREST)
    return 0;
  klee_warning_once("fesetround: numbers are rounded to the nearest one");
  return 1;
}

int feclearexcept(int which) { return (void)which, 0; }
int feraiseexcept(int which) { return (void)which, 0; }
int fetestexcept(int which) { return (void)which, 0; }
int fegetexcept(void) { return 0; }
int fedisableexcept(int which) { return (void)which, 0; }
int feenableexcept(int which) { return which == 0 ? 0 : -1; }

int fegetexceptflag(uint16_t *flags, int which) { return (void)which, *flags = 0, 0; }
int fesetexceptflag(const uint16_t *flags, int which) { return (void)flags, (void)which, 0; }

/* glibc's fenv_t of x86_64; FE_DFL_ENV is no address. */
struct environment {
  uint32_t words[8];
};

int fegetenv(struct environment *environment) {
  memset(environment, 0, sizeof *environment);
  return 0;
}
int feholdexcept(struct environment *environment) { return fegetenv(environment); }
int fesetenv(const struct environment *environment) { return (void)environment, 0; }
int feupdateenv(const struct environment *environment) { return (void)environment, 0; }
