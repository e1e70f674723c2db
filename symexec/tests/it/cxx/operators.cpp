// Operators of the program's own: what the library's others do is up to them.
#include "klee/klee.h"
#include <cstdlib>
#include <new>

static int taken, given;

void *operator new(size_t size) {
  taken++;
  return std::malloc(size);
}
void operator delete(void *object) noexcept {
  given += object != nullptr;
  std::free(object);
}

struct Destroyed {
  int x;
  ~Destroyed() {}
};
struct alignas(32) Wide {
  char bytes[32];
};
struct Throws {
  Throws() { throw 1; }
};
struct Own {
  static int live;
  int a;
  void *operator new(size_t size) {
    live++;
    return ::operator new(size);
  }
  void operator delete(void *object) {
    live--;
    ::operator delete(object);
  }
};
int Own::live;

int main() {
  delete new int;
  klee_assert(taken == 1 && given == 1);
  delete[] new Destroyed[3];
  klee_assert(taken == 2 && given == 2);
  delete new (std::nothrow) int;
  klee_assert(taken == 3 && given == 3);
  delete[] new (std::nothrow) int[2];
  klee_assert(taken == 4 && given == 4);
  // Of those with an alignment the program has none.
  delete new Wide;
  delete[] new Wide[2];
  klee_assert(taken == 4 && given == 4);
  Own *own = new Own;
  klee_assert(Own::live == 1 && taken == 5);
  delete own;
  klee_assert(Own::live == 0 && given == 5);
  try {
    new Throws;
  } catch (int) {
  }
  klee_assert(taken == 6 && given == 6);
  delete (int *)nullptr;
  return 0;
}
