/* Numbers as texts beside printf: the same digits, points and signs. */
#include "compare.h"

OURS(ecvt);
OURS(fcvt);
OURS(gcvt);
OURS(ecvt_r);
OURS(fcvt_r);
OURS(qecvt);
OURS(qfcvt);
OURS(qgcvt);
OURS(qecvt_r);
OURS(qfcvt_r);
extern int ours_strfromd(char *, size_t, const char *, double), strfromd(char *, size_t, const char *, double);
extern int ours_strfromf(char *, size_t, const char *, float), strfromf(char *, size_t, const char *, float);
extern int ours_strfroml(char *, size_t, const char *, long double), strfroml(char *, size_t, const char *, long double);
OURS(a64l);
OURS(l64a);

/* Numbers of every size, many of them short ones, and what is none. */
static double draw_number(void) {
  static const double special[] = {0.0, -0.0, 1, 9.5, 0.5, 1e300, -1e-300, 5e-324, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
  uint64_t bits = draw();
  double number;
  switch (below(4)) {
  case 0: return special[below(sizeof special / sizeof *special)];
  case 1: return (double)(long)below(100000) / 8 - 1000;
  case 2: return (double)(long)(bits >> 40) * 1e-4;
  default: memcpy(&number, &bits, sizeof number); return number;
  }
}

#define CONVERT(name, number, digits)                                                                  \
  do {                                                                                                 \
    int our_point = 7, our_sign = 7, their_point = 7, their_sign = 7;                                  \
    char mine[400], theirs[400];                                                                       \
    snprintf(mine, sizeof mine, "%s", ours_##name(number, digits, &our_point, &our_sign));             \
    snprintf(theirs, sizeof theirs, "%s", name(number, digits, &their_point, &their_sign));            \
    same_truth(strcmp(mine, theirs) == 0, 1, #name " of %Lg, %d digits: '%s', '%s'", (long double)number, digits, mine, theirs); \
    same_number(our_point, their_point, "the point of " #name " of %Lg, %d digits", (long double)number, digits); \
    same_number(our_sign, their_sign, "the sign of " #name " of %Lg", (long double)number);            \
    size_t size = below(40);                                                                           \
    memset(mine, 0, sizeof mine), memset(theirs, 0, sizeof theirs);                                    \
    int our_result = ours_##name##_r(number, digits, &our_point, &our_sign, mine, size);               \
    int their_result = name##_r(number, digits, &their_point, &their_sign, theirs, size);              \
    same_number(our_result, their_result, #name "_r of %Lg, %d digits in %zu bytes", (long double)number, digits, size); \
    if (our_result == 0)                                                                               \
      same_truth(strcmp(mine, theirs) == 0, 1, #name "_r of %Lg in %zu: '%s', '%s'", (long double)number, size, mine, theirs); \
  } while (0)

static void compare_digits(void) {
  for (int round = 0; round < 4000; round++) {
    double number = draw_number();
    int digits = (int)below(24) - 4;
    CONVERT(ecvt, number, digits);
    CONVERT(fcvt, number, digits);
    CONVERT(qecvt, (long double)number, digits);
    CONVERT(qfcvt, (long double)number, digits);
    char mine[400], theirs[400];
    same_truth(strcmp(ours_gcvt(number, digits, mine), gcvt(number, digits, theirs)) == 0, 1, "gcvt of %g: '%s', '%s'", number, mine, theirs);
    same_truth(strcmp(ours_qgcvt((long double)number, digits, mine), qgcvt((long double)number, digits, theirs)) == 0, 1, "qgcvt of %g: '%s', '%s'",
               number, mine, theirs);
  }
}

static void compare_formats(void) {
  static const char *const formats[] = {"%e", "%.3f", "%g", "%a", "%.10G", "%.0E", "%.F", "%A", "%.2a", NULL};
  for (int round = 0; round < 1000; round++) {
    const char *format = pick(formats);
    double number = draw_number();
    char mine[400] = "", theirs[400] = "";
    size_t size = sometimes(3) ? below(8) : sizeof mine;
    same_number(ours_strfromd(mine, size, format, number), strfromd(theirs, size, format, number), "strfromd of %g", number);
    same_bytes(mine, theirs, sizeof mine, "strfromd of %g: '%s', '%s'", number, mine, theirs);
    float single = (float)number;
    same_number(ours_strfromf(mine, size, format, single), strfromf(theirs, size, format, single), "strfromf of %g", number);
    same_bytes(mine, theirs, sizeof mine, "strfromf of %g: '%s', '%s'", number, mine, theirs);
    same_number(ours_strfroml(mine, size, format, number), strfroml(theirs, size, format, number), "strfroml of %g", number);
    same_bytes(mine, theirs, sizeof mine, "strfroml of %g: '%s', '%s'", number, mine, theirs);
  }
}

void compare_number_text(void) {
  compare_digits();
  compare_formats();
  for (int round = 0; round < 1000; round++) {
    long number = sometimes(2) ? (long)draw() : (long)below(5000);
    char *mine = ours_l64a(number), *theirs = l64a(number);
    same_truth(strcmp(mine, theirs) == 0, 1, "l64a of %ld: '%s', '%s'", number, mine, theirs);
    same_number(ours_a64l(mine), a64l(mine), "a64l of '%s'", mine);
    char text[9];
    draw_text(text, below(8), "./09AZaz!~-:@[`{");
    text[0] = sometimes(20) ? (char)200 : text[0];
    same_number(ours_a64l(room_text(0, text)), a64l(text), "a64l of '%s'", text);
  }
}
