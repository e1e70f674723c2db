/* Numbers as texts beside printf: ecvt and its relatives, strfromd, l64a.
 *
 * Like glibc, ecvt first brings a number between one and ten by products of floating-point numbers, so its last digits
 * are not always those of the number.
 */
#include "runtime.h"

int snprintf(char *restrict to, size_t size, const char *restrict format, ...);

/* How many digits are told at most; what a number without a point may have. */
enum { DOUBLE_DIGITS = 17, LONG_DOUBLE_DIGITS = 21, ROOM = 5000 };

static int least(int left, int right) { return left < right ? left : right; }

/* Takes the point and leading zeros out of a number's text, in front of which there is no sign: where the point was,
   from the first digit that stays. */
static int without_point(char *text, size_t length, bool is_zero) {
  size_t whole = 0;
  while (whole < length && is_digit((unsigned char)text[whole]))
    whole++;
  int point = (int)whole;
  if (whole == 0 || whole == length)
    return point;
  size_t from = whole + 1, to = whole;
  if (whole == 1 && text[0] == '0' && !is_zero) {
    point = 0;
    to = 0;
    for (; from < length && text[from] == '0'; from++)
      point--;
  }
  memmove(text + to, text + from, length - from);
  text[to + length - from] = 0;
  return point;
}

#define TEXTS(prefix, type, DIGITS, modifier, SMALLEST, SMALLEST_EXPONENT)                              \
  int prefix##fcvt_r(type number, int digits, int *point, int *sign, char *to, size_t size) {            \
    if (to == NULL) {                                                                                  \
      errno = EINVAL;                                                                                  \
      return -1;                                                                                       \
    }                                                                                                  \
    bool is_finite = number - number == 0;                                                             \
    int left = 0;                                                                                      \
    *sign = is_finite && __builtin_signbit(number);                                                    \
    number = *sign ? -number : number;                                                                 \
    /* Digits in front of the point are left out by products, as far as there are some. */              \
    for (; is_finite && digits < 0; digits++, left++) {                                                \
      type tenth = number * 0.1;                                                                       \
      if (tenth < 1) {                                                                                 \
        digits = 0;                                                                                    \
        break;                                                                                         \
      }                                                                                                \
      number = tenth;                                                                                  \
    }                                                                                                  \
    int length = snprintf(to, size, "%.*" modifier "f", least(digits, DIGITS), number);                \
    if (length < 0 || (size_t)length >= size)                                                          \
      return -1;                                                                                       \
    *point = without_point(to, (size_t)length, number == 0);                                           \
    if (left == 0 || *point == 0)                                                                      \
      return 0;                                                                                        \
    *point += left;                                                                                    \
    for (; left > 0 && (size_t)length + 1 < size; left--)                                              \
      to[length++] = '0';                                                                              \
    to[length] = 0;                                                                                    \
    return 0;                                                                                          \
  }                                                                                                    \
  int prefix##ecvt_r(type number, int digits, int *point, int *sign, char *to, size_t size) {            \
    int exponent = 0;                                                                                  \
    type scaled = number < 0 ? -number : number, factor = 1;                                           \
    if (number - number == 0 && number != 0) {                                                         \
      if (scaled < SMALLEST) {                                                                         \
        number /= SMALLEST;                                                                            \
        scaled = number < 0 ? -number : number;                                                        \
        exponent = SMALLEST_EXPONENT;                                                                  \
      }                                                                                                \
      if (scaled < 1) {                                                                                \
        do {                                                                                           \
          factor *= 10;                                                                                \
          exponent--;                                                                                  \
        } while (scaled * factor < 1);                                                                 \
        number *= factor;                                                                              \
      } else if (scaled >= 10) {                                                                       \
        do {                                                                                           \
          factor *= 10;                                                                                \
          exponent++;                                                                                  \
        } while (scaled >= factor * 10);                                                               \
        number /= factor;                                                                              \
      }                                                                                                \
    }                                                                                                  \
    if (digits <= 0 && size > 0) {                                                                     \
      to[0] = 0;                                                                                       \
      *point = 1 + exponent;                                                                           \
      *sign = number - number == 0 && __builtin_signbit(number);                                       \
      return 0;                                                                                        \
    }                                                                                                  \
    if (prefix##fcvt_r(number, least(digits, DIGITS) - 1, point, sign, to, size) < 0)                  \
      return -1;                                                                                       \
    *point += exponent;                                                                                \
    return 0;                                                                                          \
  }                                                                                                    \
  static char prefix##room[ROOM];                                                                      \
  char *prefix##fcvt(type number, int digits, int *point, int *sign) {                                 \
    prefix##fcvt_r(number, digits, point, sign, prefix##room, sizeof prefix##room);                    \
    return prefix##room;                                                                               \
  }                                                                                                    \
  char *prefix##ecvt(type number, int digits, int *point, int *sign) {                                 \
    prefix##ecvt_r(number, digits, point, sign, prefix##room, sizeof prefix##room);                    \
    return prefix##room;                                                                               \
  }                                                                                                    \
  char *prefix##gcvt(type number, int digits, char *to) {                                              \
    snprintf(to, SIZE_MAX / 2, "%.*" modifier "g", least(digits, DIGITS), number);                     \
    return to;                                                                                         \
  }

TEXTS(, double, DOUBLE_DIGITS, "", 1e-307, -307)
TEXTS(q, long double, LONG_DOUBLE_DIGITS, "L", 1e-4931L, -4931)

/* A format of strfromd and its relatives: a conversion with a precision or without, and nothing else. */
static void demand_format(const char *format) {
  const char *text = format + 1;
  if (*format == '%' && *text == '.')
    for (text++; is_digit((unsigned char)*text); text++)
      ;
  if (*format != '%' || *text == 0 || memchr("aefgAEFG", *text, 8) == NULL || text[1] != 0)
    klee_report_error(__FILE__, __LINE__, "a format that strfromd does not have", "user");
}
int strfromd(char *restrict to, size_t size, const char *restrict format, double number) {
  demand_format(format);
  return snprintf(to, size, format, number);
}
int strfromf(char *restrict to, size_t size, const char *restrict format, float number) {
  return strfromd(to, size, format, number);
}
int strfroml(char *restrict to, size_t size, const char *restrict format, long double number) {
  demand_format(format);
  char with[32];
  size_t length = strlen(format);
  if (length + 2 > sizeof with)
    klee_report_error(__FILE__, __LINE__, "a format that strfroml does not have room for", "user");
  memcpy(with, format, length - 1);
  with[length - 1] = 'L';
  with[length] = format[length - 1];
  with[length + 1] = 0;
  return snprintf(to, size, with, number);
}

/* ---- Six bits in a letter, the lowest ones first ---- */

static const char letters[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

char *l64a(long number) {
  static char text[7];
  size_t length = 0;
  for (uint32_t left = (uint32_t)number; left != 0; left >>= 6)
    text[length++] = letters[left & 63];
  text[length] = 0;
  return text;
}

long a64l(const char *text) {
  uint32_t number = 0;
  for (unsigned i = 0; i < 6; i++) {
    unsigned c = (unsigned char)text[i];
    if (!(is_alnum((int)c) | (c == '.') | (c == '/')))
      break;
    /* Without a branch, as an unknown letter would make three paths. */
    uint32_t digit = c - '.' - ('A' - '9' - 1) * (c >= 'A') - ('a' - 'Z' - 1) * (c >= 'a');
    number |= digit << (6 * i);
  }
  return number;
}
