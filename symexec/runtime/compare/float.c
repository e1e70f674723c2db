/* Text to floating point, compared bit by bit. */
#include "compare.h"

#include <math.h>

OURS(strtod);
OURS(strtof);
OURS(strtold);
OURS(atof);
double ours___symexec_parse_double(const char *, size_t, size_t *);

static void one(const char *text) {
  char *ours_end = NULL, *theirs_end = NULL;
#define CONVERSION(name, type, size)                                                                   \
  do {                                                                                                 \
    type ours, theirs;                                                                                 \
    ours_errno = errno = 0;                                                                            \
    ours = ours_##name(text, &ours_end);                                                               \
    theirs = name(text, &theirs_end);                                                                  \
    if (ours == ours || theirs == theirs)                                                              \
      same_bytes(&ours, &theirs, size, #name "(\"%.200s\"): %La and %La", text, (long double)ours,       \
                 (long double)theirs);                                                                 \
    else                                                                                               \
      same_truth(signbit(ours), signbit(theirs), "the sign of " #name "(\"%.200s\")", text);           \
    same_number(ours_end - text, theirs_end - text, "the end of " #name "(\"%.200s\")", text);         \
    same_number(ours_errno, errno, "the error of " #name "(\"%.200s\"): %La", text, (long double)ours);  \
  } while (0)
  CONVERSION(strtod, double, 8);
  CONVERSION(strtof, float, 4);
  CONVERSION(strtold, long double, 10);
  double ours = ours_atof(text), theirs = atof(text);
  if (ours == ours)
    same_bytes(&ours, &theirs, sizeof ours, "atof(\"%.200s\")", text);
  /* Of a part: what stands behind is not read. */
  size_t part = below(strlen(text) + 1), length;
  char copy[5000];
  memcpy(copy, text, part);
  copy[part] = 0;
  ours = ours___symexec_parse_double(memcpy(room_end(1, part), text, part), part, &length);
  theirs = strtod(copy, &theirs_end);
  same_number((long long)length, theirs_end - copy, "the end of parse_double(\"%.200s\")", copy);
  if (ours == ours)
    same_bytes(&ours, &theirs, sizeof ours, "parse_double(\"%.200s\")", copy);
}

void compare_float(void) {
  static const char *const edges[] = {
      "0", "-0", "0.0e99999", "1", ".5", "5.", ".", "-.", "+.e5", "1e", "1e+", "1e-x", "1e5", "1E-5", "inf", "-INF", "infinity",
      "Infinit", "nan", "-nan", "nan(123)", "nan(a_b", "NaN()", "0x", "0x.", "0x1", "0x1.8p1", "0x.8p-1",
      "0X1P", "0x1p+", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x1.fffffffffffff80001p0",
      "0x1.00000000000008p0", "0x1.000000000000080000000001p0", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x1p-1076", "0x1p1023",
      "0x1p1024", "0x1.fffffffffffff8p1023", "0x0.0000000000000000000000001p100", "0x123456789abcdef01234567p-60",
      "0xffffffffffffffff8p0", "0xffffffffffffffff7p0", "0x1ffffffffffffffff", "0x3ffffffffffffffff", "0x7ffffffffffffffff",
      "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072013e-308", "2.2250738585072014e-308",
      "2.22507385850720125e-308", "2.22507385850720113e-308",
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
      "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "1e-400", "1e4932", "1.2e4932", "1e4933", "1e-4950",
      "1e-4951", "3.6e-4951", "1.8e-4951", "1e-4952", "1e99999999999999999999", "1e-99999999999999999999",
      "9007199254740993", "9007199254740992.999999999999999999999", "9007199254740993.00000000000000000000000001",
      "18446744073709551615", "18446744073709551616", "36893488147419103231", "36893488147419103233", "1.17549435e-38",
      "1.1754943e-38", "1.40129846e-45", "7e-46", "7.1e-46", "3.4028235e38", "3.4028236e38", "16777217", "33554435",
      "0.1", "0.2", "0.3", "123456789012345678901234567890", NULL};
  for (int i = 0; edges[i] != NULL; i++)
    for (int round = 0; round < 4; round++)
      one(room_text(0, edges[i]));
  for (int round = 0; round < 12000; round++) {
    char text[4600], digits[4400];
    switch (below(7)) {
    case 0: { /* digits and a small exponent */
      draw_text(digits, 1 + below(24), "0123456789");
      size_t point = below(strlen(digits) + 1);
      snprintf(text, sizeof text, "%s%.*s.%s%s%d", sometimes(4) ? " -" : "", (int)point, digits, digits + point,
               sometimes(2) ? "e" : "E", (int)below(40) - 20);
      break;
    }
    case 1: /* any exponent */
      draw_text(digits, 1 + below(30), "0123456789");
      snprintf(text, sizeof text, "%se%d", digits, (int)below(800) - 400);
      break;
    case 2: /* any exponent of a long double */
      draw_text(digits, 1 + below(30), "0123456789");
      snprintf(text, sizeof text, "%se%d", digits, (int)below(10100) - 5050);
      break;
    case 3: { /* a double, and half way to the next, exactly */
      uint64_t bits = draw() & ~((uint64_t)1 << 63);
      if (sometimes(3))
        bits &= ((uint64_t)1 << 53) - 1;
      double number, next;
      memcpy(&number, &bits, 8);
      bits++;
      memcpy(&next, &bits, 8);
      if (!isfinite(number) || !isfinite(next))
        continue;
      long double middle = sometimes(2) ? ((long double)number + next) / 2 : number;
      snprintf(text, sizeof text, "%.*Lf%s", 1100, middle, sometimes(2) ? "" : sometimes(2) ? "1" : "000");
      break;
    }
    case 4: { /* a float, and half way to the next */
      uint32_t bits = (uint32_t)draw() & 0x7fffffff;
      float number, next;
      memcpy(&number, &bits, 4);
      bits++;
      memcpy(&next, &bits, 4);
      if (!isfinite(number) || !isfinite(next))
        continue;
      snprintf(text, sizeof text, "%.*e%s", 150, ((double)number + next) / 2, sometimes(2) ? "" : "1");
      if (sometimes(3))
        snprintf(text, sizeof text, "%.*g", (int)below(12), number);
      break;
    }
    case 5: { /* hexadecimal */
      draw_text(digits, 1 + below(24), sometimes(2) ? "0123456789abcdefABCDEF" : "08f");
      size_t point = below(strlen(digits) + 1);
      snprintf(text, sizeof text, "0x%.*s.%sp%d", (int)point, digits, digits + point,
               sometimes(2) ? (int)below(60) - 30 : (int)below(2400) - 1200);
      break;
    }
    default: /* characters in any order */
      draw_text(text, below(10), "01.9eEpPxX+-infa(");
      break;
    }
    one(room_text(0, text));
  }
  /* Long doubles half way between neighbours: one more bit than they have, near their smallest. */
  for (int round = 0; round < 40; round++) {
    char text[160];
    snprintf(text, sizeof text, "0x%llx%s p%d", (unsigned long long)(draw() | 1ull << 63), sometimes(2) ? "8" : "800001",
             (int)below(200) - 16600);
    char *gap = strchr(text, ' ');
    memmove(gap, gap + 1, strlen(gap));
    one(room_text(0, text));
  }
}
