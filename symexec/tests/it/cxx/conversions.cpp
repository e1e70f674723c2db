// Which conversions lead to a handler: qualifiers, bases, functions, members, null; and what it gets.
#include "klee/klee.h"

using Function = void (*)();
using Silent = void (*)() noexcept;
static void silent() noexcept {}

struct Base {
  virtual ~Base() {}
  int b = 1;
};
struct Derived : Base {
  int three() { return 3; }
};
enum class Color { red, green };

int main() {
  int got = 0, x = 5, *p = &x;
  try {
    throw (Silent) silent;
  } catch (Function) {
    got = 1;
  }
  klee_assert(got == 1);
  try {
    throw (Function) silent;
  } catch (Silent) {
    got = 1;
  } catch (Function) {
    got = 2;
  }
  klee_assert(got == 2);
  try {
    throw Color::green;
  } catch (int) {
    got = 1;
  } catch (Color color) {
    got = color == Color::green ? 3 : 0;
  }
  klee_assert(got == 3);
  try {
    throw p;
  } catch (int *const &q) {
    got = *q;
  }
  klee_assert(got == 5);
  try {
    throw &p;
  } catch (const int **) {
    got = 1;
  } catch (const int *const *q) {
    got = **q + 1;
  }
  klee_assert(got == 6);
  try {
    throw &Derived::three;
  } catch (int (Base::*)()) {
    got = 1;
  } catch (int (Derived::*member)()) {
    Derived derived;
    got = (derived.*member)();
  }
  klee_assert(got == 3);
  try {
    throw "x";
  } catch (char *) {
    got = 1;
  } catch (const char *text) {
    got = text[0];
  }
  klee_assert(got == 'x');
  static int array[3] = {7};
  try {
    throw array;
  } catch (int *a) {
    got = a[0];
  }
  klee_assert(got == 7);
  // A reference is the exception, a value is a copy of its part.
  try {
    try {
      throw Derived();
    } catch (Base &base) {
      base.b = 9;
      throw;
    }
  } catch (Derived &derived) {
    got = derived.b;
  }
  klee_assert(got == 9);
  try {
    try {
      throw Derived();
    } catch (Base base) {
      base.b = 9;
      throw;
    }
  } catch (Derived &derived) {
    got = derived.b;
  }
  klee_assert(got == 1);
  volatile int v = 4;
  try {
    throw &v;
  } catch (const void *) {
    got = 0;
  } catch (const volatile void *) {
    got = 2;
  }
  klee_assert(got == 2);
  return 0;
}
