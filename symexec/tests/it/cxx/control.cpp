// What runs in which order: nested and rethrown exceptions, destructors, constructors that throw, guards, the ends of
// the program, memory.
#include "klee/klee.h"
#include <exception>
#include <new>

static long order;
static void mark(int n) { order = order * 10 + n; }
static long marks() {
  long seen = order;
  order = 0;
  return seen;
}

struct Mark {
  int n;
  Mark(int n) : n(n) {}
  ~Mark() { mark(n); }
};

struct Member : Mark {
  Mark inner;
  Member(int n, bool fails) : Mark(n), inner(n + 1) {
    if (fails)
      throw n;
  }
  ~Member() { mark(9); }
};

static void nested() {
  try {
    Mark one(1);
    try {
      throw 1;
    } catch (int i) {
      Mark two(2);
      try {
        throw 2L;
      } catch (long) {
        mark(3);
      }
      throw;
    }
  } catch (int i) {
    mark(i + 3);
  }
  klee_assert(marks() == 3214);
}

static void inside_of_a_destructor() {
  struct Catches {
    ~Catches() {
      klee_assert(std::uncaught_exceptions() == 1);
      try {
        throw 'x';
      } catch (char) {
        mark(1);
      }
      klee_assert(std::uncaught_exceptions() == 1);
    }
  };
  try {
    Catches catches;
    throw 5;
  } catch (int) {
    mark(2);
  }
  klee_assert(marks() == 12 && std::uncaught_exceptions() == 0);
}

static int attempts;
static int initial() {
  if (++attempts == 1)
    throw attempts;
  return 40;
}
static int guarded() {
  static int value = initial();
  return value;
}

// As a function may say until C++17.
static void only_char(int k) noexcept(false) {
  if (k == 0)
    throw 'c';
  throw 1;
}

static int deep(int n) {
  Mark here(n % 10);
  if (n == 0)
    throw n;
  return deep(n - 1) + 1;
}

struct Global {
  int *place;
  Global() : place(new int(7)) {}
  ~Global() {
    klee_assert(*place == 7);
    delete place;
    klee_report_error(__FILE__, __LINE__, "the end is reached", "end");
  }
} global;

static void out_of_memory() { throw 8; }

int main() {
  bool fails = klee_range(0, 2, "fails");
  int result = 0;
  try {
    Member member(1, fails);
    result = 1;
  } catch (int n) {
    result = 10 + n;
  }
  // Of an object whose constructor throws, what was there before is destroyed, and nothing else.
  klee_assert(result == (fails ? 11 : 1) && marks() == (fails ? 21 : 921));
  try {
    delete new Member(3, fails);
  } catch (int) {
    klee_assert(fails);
  }
  klee_assert(marks() == (fails ? 43 : 943));
  nested();
  inside_of_a_destructor();
  try {
    guarded();
    klee_assert(0);
  } catch (int n) {
    klee_assert(n == 1);
  }
  klee_assert(guarded() == 40 && guarded() == 40 && attempts == 2);
  for (int k = 0; k < 2; k++)
    try {
      only_char(k);
    } catch (char) {
      klee_assert(k == 0);
    } catch (...) {
      klee_assert(k == 1);
    }
  try {
    deep(5);
  } catch (int) {
  }
  klee_assert(marks() == 12345);
  std::exception_ptr none;
  try {
    (void)new char[1ul << 60];
    klee_assert(0);
  } catch (const std::bad_alloc &) {
    mark(1);
  }
  klee_assert(new (std::nothrow) char[1ul << 60] == nullptr);
  std::set_new_handler(out_of_memory);
  try {
    (void)new char[1ul << 60];
  } catch (int n) {
    mark(n);
  }
  klee_assert(marks() == 18);
  struct alignas(64) Wide {
    char bytes[64];
  };
  Wide *wide = new Wide[2];
  klee_assert((unsigned long)wide % 64 == 0);
  delete[] wide;
  return 0;
}
