#include "klee/klee.h"
struct Noisy { int *log; int n; Noisy(int *l, int n) : log(l), n(n) {} ~Noisy() { *log = *log * 10 + n; } };
static int deep(int x, int *log) {
  Noisy one(log, 1);
  if (x == 7) throw 42;
  if (x == 9) throw 'c';
  return x;
}
static int middle(int x, int *log) { Noisy two(log, 2); return deep(x, log) + 1; }
int main() {
  int x, log = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  try {
    int r = middle(x, &log);
    klee_assert(r == x + 1 || x == 2147483647);
    klee_assert(log == 12);
  } catch (int e) {
    klee_assert(e == 42 && x == 7 && log == 12);
    return 1;
  } catch (...) {
    klee_assert(x == 9 && log == 12);
    return 2;
  }
  return 0;
}
