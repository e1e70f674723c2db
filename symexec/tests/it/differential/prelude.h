/* What every random program begins with: names for types, output, and helpers that keep clear of what C
   leaves undefined. Lines are handed to klee_warning, which the native program defines as printing. */
#include <stdarg.h>
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long i64;
typedef unsigned long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef _Bool bool1;
typedef float f32;
typedef double f64;
typedef long double f80;
typedef i32 v4 __attribute__((vector_size(16)));

void klee_warning(const char *);
void klee_make_symbolic(void *, u64, const char *);
void klee_assume(u64);
i64 klee_get_value_i64(i64);

static u8 in[INPUTS] = {VALUES};

static void begin(void) {
#ifdef SYMBOLIC
  static const u8 values[INPUTS] = {VALUES};
  klee_make_symbolic(in, sizeof in, "in");
  for (int k = 0; k < INPUTS; k++)
    klee_assume(in[k] == values[k]);
#endif
}

static void say(u64 value) {
  static char line[17];
#ifdef SYMBOLIC
  value = klee_get_value_i64(value);
#endif
  for (int k = 0; k < 16; k++)
    line[k] = "0123456789abcdef"[value >> (60 - 4 * k) & 15];
  klee_warning(line);
}

static void say128(u128 value) {
  say(value >> 64);
  say(value);
}

static void say_f32(f32 value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, 4);
  say(value != value ? 0x7fc00000 : bits);
}

static void say_f64(f64 value) {
  u64 bits;
  __builtin_memcpy(&bits, &value, 8);
  say(value != value ? 0x7ff8000000000000 : bits);
}

static void say_f80(f80 value) {
  u64 low;
  u16 high;
  __builtin_memcpy(&low, &value, 8);
  __builtin_memcpy(&high, (char *)&value + 8, 2);
  say(value != value ? 1 : high);
  say(value != value ? 1 : low);
}

#define DIVISION(T, S)                                                                                       \
  static T div_##T(T a, T b) { return b == 0 || (S && b == (T)-1) ? a : a / b; }                             \
  static T rem_##T(T a, T b) { return b == 0 || (S && b == (T)-1) ? b : a % b; }
DIVISION(i8, 1)
DIVISION(u8, 0)
DIVISION(i16, 1)
DIVISION(u16, 0)
DIVISION(i32, 1)
DIVISION(u32, 0)
DIVISION(i64, 1)
DIVISION(u64, 0)
DIVISION(i128, 1)
DIVISION(u128, 0)

static i64 narrow(f80 value) { return value > -100 && value < 100 ? (i64)value : 77; }

static u64 add_to(u64 a, u32 b) { return a + b; }
static u64 multiply_by(u64 a, u32 b) { return a * b; }
static u64 shift_up(u64 a, u32 b) { return a << (b & 63); }
static u64 shift_down(u64 a, u32 b) { return a >> (b & 63); }
static u64 exclusive(u64 a, u32 b) { return a ^ b; }
static u64 (*const operations[8])(u64, u32) = {add_to,    multiply_by, shift_up, shift_down,
                                               exclusive, add_to,      shift_up, multiply_by};

static i32 recurse(u32 depth, u32 value) {
  u32 kept = value * 31 + depth;
  return depth == 0 ? value : recurse(depth - 1, kept ^ value >> 3) + kept;
}

static u64 overflows(i64 a, i64 b) {
  i64 sum, product, difference;
  u64 unsigned_sum;
  i8 small;
  u64 seen = __builtin_add_overflow(a, b, &sum);
  seen = seen * 2 + __builtin_mul_overflow(a, b, &product);
  seen = seen * 2 + __builtin_sub_overflow(a, b, &difference);
  seen = seen * 2 + __builtin_add_overflow((u64)a, (u64)b, &unsigned_sum);
  seen = seen * 2 + __builtin_mul_overflow((i8)a, (i8)b, &small);
  return seen * 17 + (u64)sum + (u64)product * 3 + (u64)difference + unsigned_sum + small;
}

struct small {
  i16 a;
  u8 b;
};

static struct small make_small(i32 value) {
  struct small made = {value, value >> 3};
  return made;
}

struct mixed {
  i32 whole;
  i32 low : 5;
  u32 middle : 9;
  i64 high : 33;
  struct {
    u8 bytes[8];
    u64 wide;
  } inner;
  u16 tail;
};

static struct mixed make_mixed(i32 a, i8 b, u64 c, u16 d) {
  struct mixed made = {.whole = a, .low = b, .middle = d, .high = c, .inner = {.wide = c}, .tail = d};
  for (int k = 0; k < 8; k++)
    made.inner.bytes[k] = b + k;
  return made;
}

static struct mixed change(struct mixed taken, struct mixed *other) {
  taken.high -= other->middle;
  taken.tail++;
  other->whole ^= taken.whole;
  taken.inner.wide += other->inner.bytes[2];
  return taken;
}

union view {
  u64 whole;
  u8 bytes[8];
  u32 halves[2];
  struct {
    u16 a;
    i32 b;
  } fields;
};

static u64 variadic(int count, ...) {
  va_list list, again;
  u64 sum = 0;
  va_start(list, count);
  va_copy(again, list);
  for (int k = 0; k < count; k++) {
    switch (va_arg(list, int)) {
    case 'i': sum = sum * 31 + va_arg(list, int); break;
    case 'l': sum = sum * 31 + va_arg(list, u64); break;
    case 'd': sum = sum * 31 + (u64)narrow(va_arg(list, double)); break;
    case 's': {
      struct small small = va_arg(list, struct small);
      sum = sum * 31 + small.a + small.b;
    }
    }
  }
  sum += va_arg(again, int);
  va_end(again);
  va_end(list);
  return sum;
}

static u64 text_hash(const char *text, u8 start) {
  u64 hash = start;
  const char *at = text;
  while (*at)
    hash = hash * 33 + *at++;
  return hash + (at - text);
}

static u64 dynamic(u32 count, u64 value) {
  u64 cells[count + 1], sum = 0;
  for (u32 k = 0; k <= count; k++)
    cells[k] = value * (k + 1);
  for (u32 k = 0; k <= count; k++)
    sum ^= cells[count - k] + k;
  return sum;
}

static u64 atomics(u64 value, u8 byte) {
  _Atomic u64 cell = value;
  u64 expected = value, seen = __c11_atomic_fetch_add(&cell, byte, __ATOMIC_SEQ_CST);
  seen += __c11_atomic_fetch_nand(&cell, 0xff0f, __ATOMIC_RELAXED) + __c11_atomic_fetch_max(&cell, byte, 5);
  seen += __c11_atomic_compare_exchange_strong(&cell, &expected, 5, 5, 5) + __c11_atomic_exchange(&cell, 9, 5);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return seen ^ expected ^ __c11_atomic_load(&cell, 5);
}

static u64 computed(u32 which, u64 value) {
  static void *const targets[] = {&&one, &&two, &&three, &&one};
  goto *targets[which];
one:
  return value + 1;
two:
  value ^= 0x55;
three:
  return value * 3;
}

