// What ends a path.
#include "klee/klee.h"
#include <exception>
#include <stdlib.h>

struct Base {
  Base() { call(); }
  virtual void pure() = 0;
  void call();
  virtual ~Base() {}
};
void Base::call() { pure(); }
struct Derived : Base {
  void pure() override {}
};
struct Throws {
  ~Throws() noexcept(false) { throw 1; }
};
static void silent() noexcept { throw 3; }
namespace names {
template <class T> struct Error {
  T value;
};
} // namespace names
struct Says : std::exception {
  const char *what() const noexcept override { return "something is wrong"; }
};
static int loop(int n);
static int again = 0;
static int loop(int n) {
  static int value = n > 0 ? loop(n - 1) : 1;
  return value;
}

int main() {
  switch (klee_range(0, 16, "k")) {
  case 0:
    throw names::Error<int>();
  case 1:
    throw Says();
  case 2: {
    Derived d;
    break;
  }
  case 3: {
    Throws one;
    throw 2;
  }
  case 4:
    silent();
    break;
  case 5:
    delete new int[3];
    break;
  case 6:
    delete[] new int;
    break;
  case 7:
    free(new int);
    break;
  case 8:
    delete (int *)malloc(4);
    break;
  case 9: {
    int *p = new int;
    delete p;
    delete p;
    break;
  }
  case 10: {
    int *p = new int[2];
    delete[] (p + 1);
    break;
  }
  case 11: {
    int n = klee_range(1, 5, "n");
    int *p = new int[n];
    p[3] = 1;
    delete[] p;
    break;
  }
  case 12:
    std::terminate();
  case 13:
    throw;
  case 14:
    return loop(1);
  }
  return 0;
}
