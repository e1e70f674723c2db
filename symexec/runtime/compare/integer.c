/* Integers: from text, absolute values, quotients, bits, byte orders. */
#include "compare.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <limits.h>

OURS(strtol);
OURS(strtoul);
OURS(strtoll);
OURS(strtoull);
OURS(strtoimax);
OURS(strtoumax);
OURS(strtoq);
OURS(strtouq);
OURS(atoi);
OURS(atol);
OURS(atoll);
OURS(abs);
OURS(labs);
OURS(llabs);
OURS(imaxabs);
OURS(div);
OURS(ldiv);
OURS(lldiv);
OURS(imaxdiv);
OURS(ffs);
OURS(ffsl);
OURS(ffsll);
OURS(htonl);
OURS(ntohl);
OURS(htons);
OURS(ntohs);

/* Names that headers of other glibc versions expand to. */
OURS_AS(__isoc23_strtol, strtol);
OURS_AS(__isoc23_strtoul, strtoul);
OURS_AS(__isoc23_strtoll, strtoll);
OURS_AS(__isoc23_strtoull, strtoull);
OURS_AS(__isoc23_strtoimax, strtoimax);
OURS_AS(__isoc23_strtoumax, strtoumax);
long ours___strtol_internal(const char *, char **, int, int);
unsigned long ours___strtoul_internal(const char *, char **, int, int);

/* Something like a number, at the end of a room. */
static char *generate(int base) {
  static const char *const starts[] = {"", "", "", " ", "\t\n\v\f\r ", "-", "+", " -", "- ", "+-", NULL};
  static const char *const prefixes[] = {"", "", "", "0x", "0X", "0", "0b", "00x", "x", NULL};
  static const char *const edges[] = {"9223372036854775807", "9223372036854775808", "9223372036854775809",
                                      "18446744073709551615", "18446744073709551616", "7fffffffffffffff",
                                      "8000000000000000", "ffffffffffffffff", "10000000000000000",
                                      "777777777777777777777", "1777777777777777777777",
                                      "2000000000000000000000", "1y2p0ij32e8e7", "3w5e11264sgsf", NULL};
  static const char *const ends[] = {"", "", "", " ", "x", ".5", "-", "9", "z", NULL};
  char text[160], digits[80];
  if (sometimes(4))
    strcpy(digits, pick(edges));
  else if (sometimes(20)) /* the longest number that fits: 64 digits in base 2 */
    draw_text(digits, 60 + below(8), "01");
  else
    draw_text(digits, below(sometimes(3) ? 24 : 6),
              base > 16 ? "0123456789abcdefghijklmnopqrstuvwxyzABCXYZ" : base > 10 ? "0123456789abcdefABCDEF"
              : base == 2  ? "01"
                           : "0123456789");
  snprintf(text, sizeof text, "%s%s%s%s", pick(starts), pick(prefixes), digits, pick(ends));
  return room_text(0, text);
}

static void conversions(void) {
  static const int bases[] = {0, 0, 0, 2, 8, 10, 10, 10, 16, 16, 36, 3, 7, 11, 20, 35, 1, 37, -1, -10};
  for (int round = 0; round < 30000; round++) {
    int base = bases[below(sizeof bases / sizeof *bases)];
    char *text = generate(base);
#define CONVERSION(ours, theirs)                                                                       \
  do {                                                                                                 \
    char untouched, *ours_end = &untouched, *theirs_end = &untouched;                                  \
    ours_errno = errno = 0;                                                                            \
    same_number((long long)ours(text, &ours_end, base), (long long)theirs(text, &theirs_end, base),    \
                #ours "(\"%s\", .., %d)", text, base);                                                 \
    same_number(ours_errno, errno, "the error of " #ours "(\"%s\", .., %d)", text, base);              \
    same_number((intptr_t)ours_end, (intptr_t)theirs_end, "the end of " #ours "(\"%s\", .., %d)", text, \
                base);                                                                                 \
  } while (0)
    CONVERSION(ours_strtol, strtol);
    CONVERSION(ours_strtoul, strtoul);
    CONVERSION(ours_strtoll, strtoll);
    CONVERSION(ours_strtoull, strtoull);
    CONVERSION(ours_strtoimax, strtoimax);
    CONVERSION(ours_strtoumax, strtoumax);
    CONVERSION(ours_strtoq, strtoq);
    CONVERSION(ours_strtouq, strtouq);
    if (strpbrk(text, "bB") == NULL) {
      CONVERSION(ours___isoc23_strtol, strtol);
      CONVERSION(ours___isoc23_strtoul, strtoul);
      CONVERSION(ours___isoc23_strtoll, strtoll);
      CONVERSION(ours___isoc23_strtoull, strtoull);
      CONVERSION(ours___isoc23_strtoimax, strtoimax);
      CONVERSION(ours___isoc23_strtoumax, strtoumax);
    }
    same_number(ours_strtol(text, NULL, base), strtol(text, NULL, base), "strtol without an end");
    same_number(ours___strtol_internal(text, NULL, base, 0), strtol(text, NULL, base), "__strtol_internal");
    same_number((long long)ours___strtoul_internal(text, NULL, base, 0), (long long)strtoul(text, NULL, base),
                "__strtoul_internal");
    same_number(ours_atoi(text), atoi(text), "atoi(\"%s\")", text);
    same_number(ours_atol(text), atol(text), "atol(\"%s\")", text);
    same_number(ours_atoll(text), atoll(text), "atoll(\"%s\")", text);
  }
  /* C23's binary numbers, which the system's library may not know. */
  char *end;
  static const struct { const char *text; int base; long value; int length; } binary[] = {
      {"0b101", 0, 5, 5}, {"0B11", 2, 3, 4}, {"-0b1", 0, -1, 4}, {"0b2", 0, 0, 1}, {"0b", 2, 0, 1}, {"0b1", 16, 0xb1, 3},
      {"0b1", 10, 0, 1}};
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
    same_number(ours___isoc23_strtol(binary[i].text, &end, binary[i].base), binary[i].value, "%s", binary[i].text);
    same_number(end - binary[i].text, binary[i].length, "the end of %s", binary[i].text);
  }
}

static void arithmetic(void) {
  for (int round = 0; round < 2000; round++) {
    unsigned shift = (unsigned)below(64);
    long long n = (long long)draw() >> shift, d = (long long)draw() >> below(64);
    if (d == 0 || d == -1)
      d = 3;
    if (n == LLONG_MIN)
      n++;
    int small = (int)n == INT32_MIN ? 1 : (int)n, divisor = (int)d == 0 || (int)d == -1 ? 3 : (int)d;
    same_number(ours_abs(small), abs(small), "abs(%d)", small);
    same_number(ours_labs(n), labs(n), "labs(%lld)", n);
    same_number(ours_llabs(n), llabs(n), "llabs(%lld)", n);
    same_number(ours_imaxabs(n), imaxabs(n), "imaxabs(%lld)", n);
#define DIVISION(name, n, d)                                                                           \
  same_number(ours_##name(n, d).quot, name(n, d).quot, #name "(%lld, %lld).quot", (long long)n,        \
              (long long)d);                                                                           \
  same_number(ours_##name(n, d).rem, name(n, d).rem, #name "(%lld, %lld).rem", (long long)n, (long long)d)
    DIVISION(div, small, divisor);
    DIVISION(ldiv, n, d);
    DIVISION(lldiv, n, d);
    DIVISION(imaxdiv, n, d);
    long long bits = n << below(64);
    same_number(ours_ffs((int)bits), ffs((int)bits), "ffs(%d)", (int)bits);
    same_number(ours_ffsl(bits), ffsl(bits), "ffsl(%lld)", bits);
    same_number(ours_ffsll(bits), ffsll(bits), "ffsll(%lld)", bits);
    same_number(ours_htonl((uint32_t)n), htonl((uint32_t)n), "htonl(%u)", (uint32_t)n);
    same_number(ours_ntohl((uint32_t)n), ntohl((uint32_t)n), "ntohl(%u)", (uint32_t)n);
    same_number(ours_htons((uint16_t)n), htons((uint16_t)n), "htons(%u)", (uint16_t)n);
    same_number(ours_ntohs((uint16_t)n), ntohs((uint16_t)n), "ntohs(%u)", (uint16_t)n);
  }
}

void compare_integer(void) {
  conversions();
  arithmetic();
}
