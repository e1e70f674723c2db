/* Formatted output into memory, and the texts of errors. */
#include "compare.h"

#include <math.h>
#include <wchar.h>

OURS(snprintf);
OURS(vsnprintf);
OURS(sprintf);
OURS(vsprintf);
OURS(asprintf);
OURS(vasprintf);
OURS(strerror);
OURS(strerror_r);
OURS(strerrordesc_np);
OURS(strerrorname_np);
int __xpg_strerror_r(int, char *, size_t);
OURS(__xpg_strerror_r);

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

static char ours[70000], theirs[70000];

/* The last arguments are those of the format. */
#define SAME(size, ...)                                                                                \
  do {                                                                                                 \
    size_t room = (size);                                                                              \
    memset(ours, '#', room + 1);                                                                       \
    memset(theirs, '#', room + 1);                                                                     \
    ours_errno = errno = 0;                                                                            \
    int o = ours_snprintf(ours, room, __VA_ARGS__), t = snprintf(theirs, room, __VA_ARGS__);           \
    ours[room + 1] = theirs[room + 1] = 0;                                                             \
    same_number(o, t, "snprintf(.., %zu, \"%s\"): %.200s and %.200s", room, text, ours, theirs);       \
    if (o >= 0 && t >= 0)                                                                              \
      same_bytes(ours, theirs, room + 1, "snprintf(.., %zu, \"%s\"): %.200s and %.200s", room, text, ours, \
                 theirs);                                                                              \
    else                                                                                               \
      same_number(ours_errno, errno, "the error of \"%s\"", text);                                     \
  } while (0)

static size_t draw_size(void) { return sometimes(3) ? below(20) : sizeof ours - 2; }

/* A specification without length and conversion, in `text`. */
static void draw_specification(char *text, bool zero_allowed, int most) {
  char flags[8] = "", width[16] = "", precision[16] = "";
  for (unsigned i = 0, n = (unsigned)below(4); i < n; i++) {
    char flag = "-+ #'I0"[below(zero_allowed ? 7 : 6)];
    strncat(flags, &flag, 1);
  }
  if (sometimes(2))
    snprintf(width, sizeof width, "%d", (int)below(30));
  if (sometimes(2))
    snprintf(precision, sizeof precision, sometimes(6) ? "." : ".%d", (int)below((size_t)most));
  sprintf(text, "%s%%%s%s%s", sometimes(4) ? "a%%b" : "", flags, width, precision);
}

static void integers(void) {
  for (int round = 0; round < 30000; round++) {
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", NULL};
    char text[64];
    draw_specification(text, true, 30);
    const char *length = pick(lengths);
    strcat(text, length);
    char conversion = "diuoxXdb"[below(8)];
    strncat(text, &conversion, 1);
    strcat(text, sometimes(3) ? "|" : "");
    uint64_t value = draw() >> below(64);
    value = sometimes(10) ? 0 : sometimes(2) ? 0 - value : value;
    if (*length == 0 || *length == 'h')
      SAME(draw_size(), text, (int)value);
    else
      SAME(draw_size(), text, value);
  }
}

static double draw_double(void) {
  static const double edges[] = {0,    -0.0,  1,     1.5,    2.5,   0.5,    9.5,   99.5, 0.25, 0.125,      1e15, 1e16, 1e17, 123456.5,
                                 1e21, 1e22,  1e23,  5e-324, 1e308, 0.0001, 1e-5,  100,  1e6,  999999.5,   0.1,  1e5,  9.9999995, 1.0 / 3,
                                 NAN,  -NAN,  INFINITY, -INFINITY};
  uint64_t bits = draw();
  double number;
  memcpy(&number, &bits, sizeof number);
  switch (below(6)) {
  case 0: return edges[below(sizeof edges / sizeof *edges)];
  case 1: return number;
  case 2: return (double)(int64_t)bits / (double)(1ull << below(63));
  case 3: return (double)(int)below(100000) / 1000;
  case 4: return ((double)(int)below(20000) - 10000) / 8;
  default: return (double)below(1000) * (sometimes(2) ? 1e-9 : 1e12) / (double)(1 + below(100));
  }
}

/* glibc 2.36 forgets the zeros that # keeps in %g where rounding leads to the next power of ten:
 * "%#g" of 999999.5 is "1.e+06" there, and "1.00000e+06" by the standard. */
static bool glibc_errs(const char *text, long double value) {
  if (strchr(text, '#') == NULL || strpbrk(text, "gG") == NULL || value == 0 || value - value != 0)
    return false;
  const char *point = strchr(strchr(text, '#'), '.');
  int precision = point == NULL ? 6 : atoi(point + 1);
  char exact[6000], rounded[2000];
  snprintf(exact, sizeof exact, "%.5000Le", value);
  snprintf(rounded, sizeof rounded, "%.*Le", precision == 0 ? 0 : precision - 1, value);
  return strcmp(strchr(exact, 'e'), strchr(rounded, 'e')) != 0;
}

static void floats(void) {
  for (int round = 0; round < 20000; round++) {
    char text[64];
    draw_specification(text, true, sometimes(20) ? 1200 : 25);
    bool is_long = sometimes(4);
    char conversion = "eEfFgGaA"[below(8)];
    strcat(text, is_long ? "L" : sometimes(8) ? "l" : "");
    strncat(text, &conversion, 1);
    strcat(text, sometimes(3) ? "|" : "");
    double value = draw_double();
    if (!is_long) {
      if (!glibc_errs(text, value))
        SAME(draw_size(), text, value);
      continue;
    }
    long double wide = value;
    if (isfinite(value) && sometimes(2)) {
      wide = wide * (1 + (long double)(int)below(1000) / 12345678901234);
      if (sometimes(4))
        wide = wide * (sometimes(2) ? 0x1p-16000L : 0x1p15000L);
    }
    if (!glibc_errs(text, wide))
      SAME(draw_size(), text, wide);
  }
  const char *text = "%.17000Lf %La %Lg %Le";
  long double least = __LDBL_DENORM_MIN__, most = __LDBL_MAX__;
  SAME(sizeof ours - 2, text, least, least, most, most);
  text = "%Lf %La %LA %.3Lg";
  SAME(sizeof ours - 2, text, most, most, __LDBL_MIN__, __LDBL_MIN__ / 2);
  text = "%.1100f %.1100e %a %.2000g";
  SAME(sizeof ours - 2, text, 5e-324, 5e-324, 5e-324, 1.7976931348623157e308);
}

static void texts_and_pointers(void) {
  for (int round = 0; round < 10000; round++) {
    char text[64], value[40];
    draw_text(value, below(30), "abc%\xff");
    draw_specification(text, false, 12);
    switch (below(7)) {
    case 0:
      strcat(text, "s|");
      {
        const char *argument = sometimes(8) ? NULL : value;
        SAME(draw_size(), text, argument);
      }
      break;
    case 1: {
      /* Not terminated within the precision. */
      size_t length = strlen(value);
      snprintf(text, sizeof text, "%%.%zus", length);
      char *bare = memcpy(room_end(0, length), value, length);
      SAME(draw_size(), text, bare);
      break;
    }
    case 2:
      strcat(text, "c|");
      {
        int argument = (int)below(256);
        SAME(draw_size(), text, argument);
      }
      break;
    case 3:
      strcat(text, "p|");
      {
        void *argument = sometimes(3) ? NULL : (void *)(uintptr_t)(draw() >> below(64));
        SAME(draw_size(), text, argument);
      }
      break;
    case 4:
      snprintf(text, sizeof text, "%%*d%%.*f%%-*.*s|");
      {
        int width = (int)below(20) - 10, number = (int)below(1000), places = (int)below(12) - 3;
        int length = (int)below(12) - 4;
        SAME(draw_size(), text, width, number, places, 3.14159, -width, length, value);
      }
      break;
    case 5: {
      wchar_t wide[8];
      size_t length = below(7);
      for (size_t i = 0; i < length; i++)
        wide[i] = (wchar_t)(sometimes(12) ? 200 : 'a' + below(20));
      wide[length] = 0;
      strcat(text, sometimes(3) ? "S" : "ls");
      SAME(sizeof ours - 2, text, wide);
      break;
    }
    default:
      snprintf(text, sizeof text, "%%d %%s %%%% %%lc %%hhd %%m %%g %%5.1f%%c%%zu%%x %%d %%d %%e %%f %%g %%g %%g %%g %%g %%g");
      SAME(draw_size(), text, round, value, (wint_t)'x', 300, 1.5, 2.25, 'c', (size_t)round, 255u, 1, 2, 1.0, 2.0, 3.0, 4.0, 5.0,
           6.0, 7.0, 8.0);
    }
  }
}

/* Arguments that are taken by their positions, of all the ways in which they are passed. */
static void positions(void) {
  static const char *const formats[] = {
      "%1$d %2$s %3$.2f %4$ld %5$.3Lf %6$d",
      "%6$d|%5$Lg|%4$lx|%3$e|%2$s|%1$i",
      "%2$*1$s|%2$-*6$s|%2$.*6$s",
      "%3$*6$.*1$f %5$+.*1$Le %4$#lx %4$ld%%",
      "%5$*6$Lf%1$c%1$c%4$hhd%3$a",
      "%2$s%2$s%1$03d",
  };
  for (int round = 0; round < 2000; round++) {
    int few = (int)below(20), width = (int)below(30) - 15;
    char word[16];
    draw_text(word, below(8), "abc");
    const char *text = formats[round % (int)(sizeof formats / sizeof *formats)];
    double value = draw_double();
    long number = (long)draw();
    long double longer = (long double)(int)draw() / 8;
    SAME(draw_size(), text, few, word, value, number, longer, width);
  }
}

static int through_list(char *to, bool here, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = here ? ours_vsprintf(to, text, arguments) : vsprintf(to, text, arguments);
  va_end(arguments);
  return length;
}

static int allocated_through_list(char **to, bool here, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = here ? ours_vasprintf(to, text, arguments) : vasprintf(to, text, arguments);
  va_end(arguments);
  return length;
}

static int limited_through_list(char *to, bool here, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = here ? ours_vsnprintf(to, 5, text, arguments) : vsnprintf(to, 5, text, arguments);
  va_end(arguments);
  return length;
}

static void others(void) {
  for (int round = 0; round < 200; round++) {
    const char *text = "%d:%s:%5.2f";
    int number = (int)draw();
    double value = draw_double();
    same_number(ours_sprintf(ours, text, number, "abc", value), sprintf(theirs, text, number, "abc", value), "sprintf");
    same_number(strcmp(ours, theirs), 0, "sprintf: %.200s and %.200s", ours, theirs);
    same_number(through_list(ours, true, text, number, "xyz", value), through_list(theirs, false, text, number, "xyz", value),
                "vsprintf");
    same_number(strcmp(ours, theirs), 0, "vsprintf: %.200s and %.200s", ours, theirs);
    same_number(limited_through_list(ours, true, text, number, "xyz", value),
                limited_through_list(theirs, false, text, number, "xyz", value), "vsnprintf");
    same_number(strcmp(ours, theirs), 0, "vsnprintf: %.200s and %.200s", ours, theirs);
    char *here = NULL, *there = NULL;
    same_number(ours_asprintf(&here, text, number, "abc", value), asprintf(&there, text, number, "abc", value), "asprintf");
    same_number(strcmp(here, there), 0, "asprintf: %.200s and %.200s", here, there);
    free(here), free(there);
    same_number(allocated_through_list(&here, true, text, number, "q", value),
                allocated_through_list(&there, false, text, number, "q", value), "vasprintf");
    same_number(strcmp(here, there), 0, "vasprintf: %.200s and %.200s", here, there);
    free(here), free(there);
  }
  /* How much was written so far, in each size. */
  long long here[4] = {-1, -1, -1, -1}, there[4] = {-1, -1, -1, -1};
#define COUNTS(array) "%d%hhn%3s%hn%%%n%s%ln", 123, (signed char *)&array[0], "a", (short *)&array[1], (int *)&array[2], "bc", (long *)&array[3]
  same_number(ours_snprintf(ours, 4, COUNTS(here)), snprintf(theirs, 4, COUNTS(there)), "a format with %%n");
  same_bytes(here, there, sizeof here, "what %%n writes");
  const char *text = "%2147483647d%d";
  same_number(ours_snprintf(NULL, 0, text, 1, 2), -1, "a result beyond an int");
  same_number(ours_errno, EOVERFLOW, "its error");
  static const char *const refused[] = {"%1$y", "%y", "%", NULL};
  for (int i = 0; refused[i] != NULL; i++) {
    unsigned before = reported_errors;
    int where = 0;
    TRY(ours_snprintf(ours, 10, refused[i], &where));
    same_number(reported_errors, before + 1, "\"%s\" is refused", refused[i]);
  }
}

static void errors(void) {
  for (int error = -3; error < 200; error++) {
    char here[64], there[64];
    same_number(strcmp(ours_strerror(error), strerror(error)), 0, "strerror(%d): %s", error, ours_strerror(error));
    const char *ours[] = {ours_strerrordesc_np(error), ours_strerrorname_np(error)};
    const char *theirs[] = {strerrordesc_np(error), strerrorname_np(error)};
    for (int i = 0; i < 2; i++)
      same_number(ours[i] == NULL || theirs[i] == NULL ? ours[i] != theirs[i] : strcmp(ours[i], theirs[i]), 0,
                  "strerror%s_np(%d)", i == 0 ? "desc" : "name", error);
    same_number(strcmp(ours_strerror_r(error, here, sizeof here), strerror_r(error, there, sizeof there)), 0,
                "strerror_r(%d)", error);
    size_t size = below(40);
    same_number(ours___xpg_strerror_r(error, here, size), __xpg_strerror_r(error, there, size), "__xpg_strerror_r(%d, .., %zu)",
                error, size);
    if (size > 0)
      same_number(strcmp(here, there), 0, "__xpg_strerror_r(%d): %s and %s", error, here, there);
  }
}

void compare_format(void) {
  integers();
  floats();
  texts_and_pointers();
  positions();
  others();
  errors();
}
