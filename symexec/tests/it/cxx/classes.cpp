// Which handler gets what: bases, virtual and private ones, pointers, null, exceptions of the library.
#include "klee/klee.h"
#include <exception>
#include <new>
#include <typeinfo>

struct A {
  int a = 1;
  virtual ~A() {}
};
struct B {
  int b = 2;
  virtual ~B() {}
};
struct C : A, B {
  int c = 3;
};
struct V1 : virtual A {
  int v1 = 4;
};
struct V2 : virtual A {
  int v2 = 5;
};
struct D : V1, V2 {
  int d = 6;
};
struct Twice1 : A {};
struct Twice2 : A {};
struct Twice : Twice1, Twice2 {};
struct Private : private A {};
struct E : std::exception {
  const char *what() const noexcept override { return "E!"; }
};

static void thrower(int k) {
  static C c;
  static int i = 3;
  switch (k) {
  case 0:
    throw C();
  case 1:
    throw D();
  case 2:
    throw Private();
  case 3:
    throw &c;
  case 4:
    throw "text";
  case 5:
    throw nullptr;
  case 6:
    throw E();
  case 7:
    throw &i;
  case 8:
    throw std::bad_alloc();
  case 9:
    throw Twice();
  case 10:
    throw &A::a;
  case 11:
    throw (C *)nullptr;
  }
}

static int caught(int k) {
  try {
    thrower(k);
  } catch (B &b) {
    return b.b == 2 ? 1 : -1;
  } catch (A a) {
    return a.a == 1 ? 2 : -2;
  } catch (Private &) {
    return 3;
  } catch (const B *b) {
    return b == nullptr ? 4 : b->b == 2 ? 5 : -5;
  } catch (const char *t) {
    return t[0] == 't' ? 6 : -6;
  } catch (const void *p) {
    return p != nullptr ? 7 : -7;
  } catch (const std::bad_alloc &) {
    return 9;
  } catch (std::exception &e) {
    return e.what()[0] == 'E' ? 8 : -8;
  } catch (Twice &) {
    return 10;
  } catch (int A::*member) {
    return member == &A::a ? 11 : -11;
  }
  return 0;
}

static int casts(A *a) {
  if (B *b = dynamic_cast<B *>(a))
    return b->b;
  if (V2 *v = dynamic_cast<V2 *>(a))
    return v->v2;
  try {
    (void)dynamic_cast<C &>(*a);
  } catch (std::bad_cast &) {
    return 77;
  }
  return 0;
}

int main() {
  int k = klee_range(0, 13, "k");
  const int expected[] = {1, 2, 3, 5, 6, 4, 8, 7, 9, 10, 11, 4, 0};
  klee_assert(caught(k) == expected[k]);
  C c;
  D d;
  A a;
  Twice twice;
  klee_assert(casts(&c) == 2 && casts(&d) == 5 && casts(&a) == 77);
  klee_assert(casts((Twice1 *)&twice) == 77);
  klee_assert(dynamic_cast<Twice2 *>((Twice1 *)&twice) == (Twice2 *)&twice);
  klee_assert(dynamic_cast<void *>((B *)&c) == &c && dynamic_cast<V1 *>((V2 *)&d) == (V1 *)&d);
  klee_assert(typeid(*(A *)&c) == typeid(C) && typeid(int) != typeid(long));
  A *null = nullptr;
  try {
    (void)typeid(*null);
    klee_assert(0);
  } catch (std::bad_typeid &) {
  }
  return 0;
}
