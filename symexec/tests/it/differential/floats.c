/* Floating-point numbers out of the ordinary: converted to integers that do not hold them, and those that
   are not numbers, passed on by operations. The file is compiled behind `prelude.h`. */
typedef _Float16 f16;

#define EACH(INDEX, COUNT) for (int INDEX = 0; INDEX < COUNT; INDEX++)

/* What is unknown is behind this; its value is that of the table. */
static u64 hidden(u64 value) {
#ifdef SYMBOLIC
  static int number;
  char name[3] = {'v', (char)('a' + number / 26), 0};
  u64 unknown;
  number++;
  klee_make_symbolic(&unknown, sizeof unknown, name);
  klee_assume(unknown == value);
  return unknown;
#else
  return value;
#endif
}

static f64 number(u64 bits) {
  f64 value;
  bits = hidden(bits);
  __builtin_memcpy(&value, &bits, 8);
  return value;
}

static f32 single(u32 bits) {
  f32 value;
  u32 all = (u32)hidden(bits);
  __builtin_memcpy(&value, &all, 4);
  return value;
}

#define SAY(TYPE, VALUE)                       \
  do {                                         \
    TYPE result = VALUE;                       \
    u64 bits[2] = {0, 0};                      \
    __builtin_memcpy(bits, &result, sizeof(TYPE) == 16 ? 10 : sizeof(TYPE)); \
    say(bits[0]);                              \
    if (sizeof(TYPE) == 16)                    \
      say(bits[1]);                            \
  } while (0)

/* Clang's code for unsigned integers of 64 bits from the x87 gives what is not a number one value or another. */
#define INTEGERS(VALUE)     \
  say((u64)(i8)(VALUE));    \
  say((u8)(VALUE));         \
  say((u64)(i16)(VALUE));   \
  say((u16)(VALUE));        \
  say((u64)(i32)(VALUE));   \
  say((u32)(VALUE));        \
  say((u64)(i64)(VALUE));   \
  say(sizeof(VALUE) == 16 && a != a ? 0 : (u64)(VALUE))

/* -1.5, 300.7, -40000, 65535.9, 3e9, -5e9, 2^63 and its neighbours, -2^63, -1e19, 1.8e19, 2^64, 1e30, a
   small one, infinities, both signs of what is not a number. */
static const u64 numbers[] = {
    0xbff8000000000000, 0x4072cb3333333333, 0xc0e3880000000000, 0x40effffccccccccd, 0x41e65a0bc0000000,
    0xc1f2a05f20000000, 0x43e0000000000000, 0x43dfffffffffffff, 0x43e0000000000001, 0xc3e0000000000000,
    0xc3e0000000000001, 0xc3e158e460913d00, 0x43ef399d2f0c8000, 0x43f0000000000000, 0x46293e5939a08cea,
    0x41dfffffffc00000, 0xc1e0000000200000, 0x41efffffffe00000, 0x3fefffffffffffff, 0xbfefffffffffffff,
    0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000,
};

/* 1, 0, an infinity, and what is not a number: quiet and not, of both signs and several payloads. */
static const u64 special[] = {
    0x3ff0000000000000, 0x0000000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001,
    0x7ff0000000000003, 0xfff0000020000007, 0xfffc000000000000, 0x7ffc000000000000,
};
static const u32 special32[] = {0x3f800000, 0x7f800001, 0xffc00001, 0xff802100, 0x7fe00000};

enum {
  NUMBERS = sizeof numbers / sizeof *numbers,
  SPECIAL = sizeof special / sizeof *special,
  SPECIAL32 = sizeof special32 / sizeof *special32,
};

double sqrt(double), floor(double), ceil(double), trunc(double), round(double), rint(double);
double fma(double, double, double);
float fmaf(float, float, float);
long lrint(double), lround(double), lrintl(long double);

int main(void) {
  begin();
  for (int k = FIRST; k < NUMBERS; k += STEP) {
    f64 a = number(numbers[k]);
    INTEGERS(a);
    INTEGERS((f32)a);
    INTEGERS((f80)a);
    INTEGERS((f16)(f32)a);
    say((u64)lrint(a));
    say((u64)lround(a));
  }
  for (int i = FIRST; i < SPECIAL; i += STEP) {
    f64 a = number(special[i]);
    SAY(f64, sqrt(a));
    SAY(f64, floor(a));
    SAY(f64, ceil(a));
    SAY(f64, round(a));
    SAY(f64, -a);
    SAY(f32, (f32)a);
    SAY(f16, (f16)a);
    SAY(f80, (f80)a);
    for (int j = FIRST; j < SPECIAL; j += STEP) {
      f64 b = number(special[j]);
      f80 wide_a = a, wide_b = b;
      SAY(f64, a + b);
      SAY(f64, a - b);
      SAY(f64, a * b);
      SAY(f64, a / b);
      SAY(f64, fma(a, b, 1));
      SAY(f64, fma(a, 1, b));
      SAY(f64, fma(1, a, b));
      SAY(f80, wide_a + wide_b);
      SAY(f80, wide_a * wide_b);
      SAY(f64, (f64)(wide_a - wide_b));
    }
  }
  for (int i = FIRST; i < SPECIAL32; i += STEP)
    for (int j = FIRST; j < SPECIAL32; j += STEP) {
      f32 a = single(special32[i]), b = single(special32[j]);
      f16 narrow = (f16)a;
      SAY(f32, a + b);
      SAY(f32, a * b);
      SAY(f64, (f64)a);
      SAY(f16, narrow);
      SAY(f16, narrow + (f16)b);
      SAY(f32, (f32)narrow);
      SAY(f32, fmaf(a, b, 1));
    }
  say(0);
  return 0;
}
