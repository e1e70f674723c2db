/* Strings to integers: strtol and its relatives.
 *
 * An unknown character costs one fork ("is it a digit of this base?"). Overflow is only asked about
 * once there are enough digits for it, so short numbers put no such question to the solver. Locale
 * "C": no grouping, no digits but ASCII's.
 */
#include "runtime.h"

struct number {
  uint64_t magnitude; /* the digits' value, at most UINT64_MAX */
  bool negative;      /* whether there was a minus sign */
  bool overflow;      /* whether the digits' value exceeds UINT64_MAX */
  unsigned bits;      /* the magnitude is below 2 to this, by the number of digits alone */
};

/* The number of bits that one digit of a base adds at most. */
static unsigned bits_per_digit(unsigned base) {
  unsigned bits = 1;
  while ((1u << bits) < base)
    bits++;
  return bits;
}

/* Whether a prefix like 0x stands here, followed by a digit of its base. */
static bool has_prefix(const char *text, char letter, unsigned base) {
  return text[0] == '0' && (text[1] | 32) == letter && digit_value((unsigned char)text[2]) < base;
}

/* Reads a number; `end`, unless null, is set behind it, or to the start if there is none. `binary`
 * says whether 0b is a prefix. A base that does not exist sets EINVAL and leaves `end`. */
static struct number parse(const char *text, char **end, int base, bool binary) {
  struct number number = {0, false, false, 0};
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return number;
  }
  const char *start = text;
  while (is_space((unsigned char)*text))
    text++;
  if (*text == '-') {
    number.negative = true;
    text++;
  } else if (*text == '+') {
    text++;
  }
  if ((base == 0 || base == 16) && has_prefix(text, 'x', 16)) {
    base = 16;
    text += 2;
  } else if (binary && (base == 0 || base == 2) && has_prefix(text, 'b', 2)) {
    base = 2;
    text += 2;
  } else if (base == 0) {
    base = *text == '0' ? 8 : 10;
  }

  unsigned radix = (unsigned)base, step = bits_per_digit(radix);
  const char *digits = text;
  for (;; text++) {
    unsigned digit = radix <= 10 ? (unsigned char)*text - (unsigned)'0' : digit_value((unsigned char)*text);
    if (digit >= radix)
      break;
    if (number.bits + step <= 64) {
      number.bits += step;
    } else {
      number.bits = 64;
      if (number.magnitude > (UINT64_MAX - digit) / radix)
        number.overflow = true;
    }
    number.magnitude = number.magnitude * radix + digit;
  }
  if (end != NULL)
    *end = (char *)(text == digits ? start : text);
  return number;
}

/* The number as a signed one with the given greatest value, clipped with ERANGE. */
static int64_t signed_value(struct number number) {
  uint64_t limit = (uint64_t)INT64_MAX + number.negative;
  if (number.overflow || (number.bits > 63 && number.magnitude > limit)) {
    errno = ERANGE;
    return number.negative ? INT64_MIN : INT64_MAX;
  }
  return (int64_t)(number.negative ? 0 - number.magnitude : number.magnitude);
}

/* The number as an unsigned one, a minus sign negating it modulo 2^64; clipped with ERANGE. */
static uint64_t unsigned_value(struct number number) {
  if (number.overflow) {
    errno = ERANGE;
    return UINT64_MAX;
  }
  return number.negative ? 0 - number.magnitude : number.magnitude;
}

_Static_assert(sizeof(long) == 8 && sizeof(long long) == 8, "strtol and strtoll are one function here");

long strtol(const char *restrict text, char **restrict end, int base) {
  return signed_value(parse(text, end, base, false));
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  return unsigned_value(parse(text, end, base, false));
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
  return strtol(text, end, base);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  return strtoul(text, end, base);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base) {
  return strtol(text, end, base);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) {
  return strtoul(text, end, base);
}

long long strtoq(const char *restrict text, char **restrict end, int base) {
  return strtol(text, end, base);
}

unsigned long long strtouq(const char *restrict text, char **restrict end, int base) {
  return strtoul(text, end, base);
}

int atoi(const char *text) { return (int)strtol(text, NULL, 10); }

long atol(const char *text) { return strtol(text, NULL, 10); }

long long atoll(const char *text) { return strtol(text, NULL, 10); }

/* What the headers of glibc 2.38 and later expand the names above to: C23 also has 0b. */

long __isoc23_strtol(const char *restrict text, char **restrict end, int base) {
  return signed_value(parse(text, end, base, true));
}

unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base) {
  return unsigned_value(parse(text, end, base, true));
}

long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base) {
  return __isoc23_strtol(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base) {
  return __isoc23_strtoul(text, end, base);
}

intmax_t __isoc23_strtoimax(const char *restrict text, char **restrict end, int base) {
  return __isoc23_strtol(text, end, base);
}

uintmax_t __isoc23_strtoumax(const char *restrict text, char **restrict end, int base) {
  return __isoc23_strtoul(text, end, base);
}

/* What older headers expand atoi and its relatives to. */

long __strtol_internal(const char *restrict text, char **restrict end, int base, int group) {
  (void)group;
  return strtol(text, end, base);
}

unsigned long __strtoul_internal(const char *restrict text, char **restrict end, int base, int group) {
  (void)group;
  return strtoul(text, end, base);
}
