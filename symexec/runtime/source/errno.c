/* errno: one variable, as there is one thread. */
#include "runtime.h"

int *__errno_location(void) {
  static int last_error;
  return &last_error;
}
