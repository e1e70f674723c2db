/* Functions that a resolver chooses when the program starts, called by name, by address, and from a table. */
#include <stdint.h>
void klee_warning(const char *line);
static void say(uint64_t value) {
  static char line[17];
  for (int k = 15; k >= 0; k--, value >>= 4) line[k] = "0123456789abcdef"[value & 15];
  klee_warning(line);
}
static int order;
static int resolved_at;
static long twice(long x, double y) { return 2 * x + (long)y; }
static long thrice(long x, double y) { return 3 * x + (long)y; }
static void *choose(void) { resolved_at = order = 1; return order > 5 ? (void *)twice : (void *)thrice; }
long chosen(long x, double y) __attribute__((ifunc("choose")));
static int many_(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0; while (n--) s = s * 10 + __builtin_va_arg(l, int); return s; }
static void *choose_many(void) { return many_; }
int many(int n, ...) __attribute__((ifunc("choose_many")));
struct big { long a[5]; };
static struct big grow_(struct big b, int by) { b.a[3] += by; return b; }
static void *choose_grow(void) { return grow_; }
struct big grow(struct big b, int by) __attribute__((ifunc("choose_grow")));
long (*table[])(long, double) = {chosen, twice};
__attribute__((constructor)) static void begin(void) { say(100 + order); order += 10; }
__attribute__((target_clones("default", "avx2", "avx512f"))) int cloned(int x) { return x * 7; }
int main(void) {
  say(resolved_at); say(order); say(chosen(5, 2.5)); say(table[0](7, 1.5)); say(table[1](7, 1.5));
  long (*p)(long, double) = chosen; say(p(1, 0)); say(p != twice);
  say(many(3, 1, 2, 3)); struct big b = {{1, 2, 3, 4, 5}}; b = grow(b, 6); say(b.a[3]); struct big (*g)(struct big, int) = grow; b = g(b, 1); say(b.a[3]); say(b.a[4]);
  say(cloned(6)); say(__builtin_cpu_supports("sse2") ? 1 : 1); say(0);
  return 0; }
