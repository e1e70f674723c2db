// Exception specifications with types, which C++ had until 2017.
#include "klee/klee.h"

static void only_char(int k) throw(char, long) {
  if (k == 0)
    throw 'c';
  if (k == 1)
    throw 2L;
  if (k == 2)
    throw 3;
}

int main() {
  int k = klee_range(0, 4, "k");
  try {
    only_char(k);
  } catch (char) {
    klee_assert(k == 0);
  } catch (long) {
    klee_assert(k == 1);
  }
  return 0;
}
