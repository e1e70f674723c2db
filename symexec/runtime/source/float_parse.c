/* Strings to floating point: strtod and its relatives, rounded once, to nearest, ties to even.
 *
 * The result is put together as bits; no floating-point operation takes place. Locale "C": the point
 * is '.'. NaN's parenthesized text is read and ignored, so every NaN is the same one.
 */
#include "decimal.h"

/* A binary format: bits of the mantissa with the first, and the exponents of mantissa's last bit. */
struct format {
  int bits;
  int least;    /* of the smallest subnormal */
  int greatest; /* of the largest finite number */
};

static const struct format single_format = {24, -149, 104};
static const struct format double_format = {53, -1074, 971};
#if __LDBL_MANT_DIG__ == 64
static const struct format long_double_format = {64, -16445, 16320};
#endif

/* What a text says, rounded: mantissa * 2^exponent, with a full mantissa unless subnormal. */
struct result {
  enum { NUMBER, TOO_LARGE, NAN_TEXT, INFINITY_TEXT } kind;
  bool negative;
  uint64_t mantissa;
  int exponent;
};

/* What follows the last bit of a mantissa, compared with half of that bit. */
enum rest { NOTHING = 0, LESS = 1, HALF = 2, MORE = 3 };

/* A mantissa without its last `drop` bits, rounded; it may get one bit longer, or 0 for 2^64. */
static uint64_t round_off(uint64_t mantissa, int drop, enum rest rest) {
  uint64_t kept = drop >= 64 ? 0 : mantissa >> drop;
  if (drop > 64)
    return 0;
  if (drop > 0) {
    uint64_t low = drop == 64 ? mantissa : mantissa & (((uint64_t)1 << drop) - 1);
    uint64_t half = (uint64_t)1 << (drop - 1);
    if (low > half || (low == half && rest != NOTHING))
      rest = MORE;
    else if (low == half)
      rest = HALF;
    else
      rest = LESS;
  }
  return kept + (rest == MORE || (rest == HALF && (kept & 1) != 0));
}

/* Rounds mantissa * 2^exponent to a format; with a rest, all 64 bits of the mantissa count. Reports
 * ERANGE for what is too large, and for what is tiny (rounded as if exponents had no bound) and not
 * exact. */
static void round_binary(struct result *r, uint64_t mantissa, int exponent, enum rest rest,
                         const struct format *f) {
  if (mantissa == 0)
    return;
  while (mantissa >> 63 == 0) {
    mantissa <<= 1;
    exponent--;
  }
  uint64_t hidden = (uint64_t)1 << (f->bits - 1);
  int drop = 64 - f->bits;
  uint64_t kept = round_off(mantissa, drop, rest);
  /* Whether the carry made it one bit longer. */
  bool carry = f->bits < 64 ? kept >> f->bits != 0 : kept == 0;
  if (carry)
    kept = hidden;
  if (exponent + drop < f->least) {
    bool tiny = exponent + drop + carry < f->least;
    drop = f->least - exponent;
    kept = round_off(mantissa, drop, rest);
    bool exact = rest == NOTHING && (drop < 64 ? mantissa << (64 - drop) == 0 : false);
    if (tiny && !exact)
      errno = ERANGE;
    carry = false;
  }
  exponent += drop + carry;
  if (exponent > f->greatest) {
    r->kind = TOO_LARGE;
    errno = ERANGE;
    return;
  }
  r->mantissa = kept;
  r->exponent = exponent;
}

/* The first `limit` characters of a text, as if zero followed. */
struct span {
  const char *text;
  size_t limit;
};

static int at(const struct span *s, size_t i) { return i < s->limit ? (unsigned char)s->text[i] : 0; }

/* The length of a word that stands at i whatever its case, or 0. */
static size_t word_at(const struct span *s, size_t i, const char *word) {
  size_t length = 0;
  for (; word[length] != 0; length++)
    if (to_lower(at(s, i + length)) != word[length])
      return 0;
  return length;
}

/* Reads an exponent at i, if there is one: its value, bounded, in `exponent`; returns its end. */
static size_t read_exponent(const struct span *s, size_t i, int *exponent) {
  size_t digits = i + 1;
  bool negative = at(s, digits) == '-';
  if (negative || at(s, digits) == '+')
    digits++;
  if (!is_digit(at(s, digits)))
    return i;
  int value = 0;
  for (; is_digit(at(s, digits)); digits++)
    if (value < 100000000)
      value = value * 10 + (at(s, digits) - '0');
  *exponent = negative ? -value : value;
  return digits;
}

/* Adds two exponents, of which one may come from a text of any length. */
static int sum(long long left, long long right) {
  long long total = left + right;
  return total > 200000000 ? 200000000 : total < -200000000 ? -200000000 : (int)total;
}

static size_t read_hexadecimal(const struct span *s, size_t i, struct result *r, const struct format *f) {
  uint64_t mantissa = 0;
  unsigned rest = NOTHING;
  long long shift = 0;
  bool point = false, full = false;
  for (;; i++) {
    int c = at(s, i);
    unsigned digit = digit_value(c);
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (digit >= 16)
      break;
    shift += point ? -4 : 0;
    if (mantissa >> 60 == 0) {
      mantissa = mantissa << 4 | digit;
    } else if (!full) {
      /* The digit that fills the 64 bits: some of its bits are the mantissa's, the others the rest. */
      int own = 0;
      while (mantissa >> 63 == 0) {
        mantissa = mantissa << 1 | (digit >> (3 - own) & 1);
        own++;
      }
      unsigned low = (digit << own & 15), half = 8;
      rest = low > half ? MORE : low == half ? HALF : low > 0 ? LESS : NOTHING;
      shift += 4 - own;
      full = true;
    } else {
      rest |= digit != 0;
      shift += 4;
    }
  }
  int exponent = 0;
  if ((at(s, i) | 32) == 'p')
    i = read_exponent(s, i, &exponent);
  round_binary(r, mantissa, sum(exponent, shift), (enum rest)rest, f);
  return i;
}

/* A word of a decimal number, also where it is zero and not stored. */
static uint32_t word_at_index(const struct decimal *d, int i) {
  return i >= d->first && i < d->last ? d->words[i] : 0;
}

static size_t read_decimal(const struct span *s, size_t i, struct result *r, const struct format *f,
                           uint32_t *words, int front) {
  /* The digits: where the first one that is not zero is, and how the point lies to it. */
  size_t end, first = 0;
  bool point = false, some = false;
  long long before = 0; /* the number of digits from the first one to the point */
  for (;; i++) {
    int c = at(s, i);
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(c))
      break;
    if (!some && c != '0') {
      some = true;
      first = i;
    }
    if (some ? !point : point)
      before += some ? 1 : -1;
  }
  end = i;
  int exponent = 0;
  if ((at(s, i) | 32) == 'e')
    i = read_exponent(s, i, &exponent);
  if (!some)
    return i;

  /* The first digit stands at position `top`. */
  int top = sum(exponent, before - 1);
  if (top > (f->greatest + f->bits) * 302 / 1000 + 10) {
    r->kind = TOO_LARGE;
    errno = ERANGE;
    return i;
  }
  if (top < f->least * 3 / 10 - 30) {
    errno = ERANGE;
    return i;
  }
  struct decimal d;
  decimal_set(&d, words, front, 0);
  int word = top >= 0 ? front - 1 - top / 9 : front + (-top - 1) / 9;
  int place = top >= 0 ? top % 9 : 8 - (-top - 1) % 9;
  d.first = word;
  words[word] = 0;
  bool dropped = false;
  /* A number half way between two of the format has no digit that is not zero beyond this many behind
   * the point; whether there are others decides a tie. */
  int behind = f->bits + 5 - (top >= 0 ? top * 3 : top * 10 / 3);
  if (behind > 2 - f->least)
    behind = 2 - f->least;
  int last_word = front + (behind > 0 ? behind / 9 : 0);
  for (size_t j = first; j < end; j++) {
    int c = at(s, j);
    if (c == '.')
      continue;
    if (word > last_word) {
      dropped |= c != '0';
      continue;
    }
    uint32_t unit = 1;
    for (int k = 0; k < place; k++)
      unit *= 10;
    words[word] += (uint32_t)(c - '0') * unit;
    if (place-- == 0) {
      place = 8;
      words[++word] = 0;
    }
  }
  if (dropped)
    words[word] = 1;
  d.last = word + 1;
  while (d.last > d.first && words[d.last - 1] == 0)
    d.last--;

  /* Scaled by a power of two to at least 2^63 and below 2^64, its integer part has all bits that
   * count. Steps are chosen from the position of the top digit: 10^19 < 2^64 < 10^20. */
  int binary = 0;
  for (;;) {
    int digits = decimal_top(&d);
    if (digits < 18) {
      int step = (18 - digits) * 10 / 3;
      step = step < 1 ? 1 : step > 29 ? 29 : step;
      decimal_scale(&d, step);
      binary -= step;
    } else if (digits > 19) {
      int step = (digits - 19) * 10 / 3;
      step = step < 1 ? 1 : step > 9 ? 9 : step;
      decimal_scale(&d, -step);
      binary += step;
    } else {
      uint64_t low = (uint64_t)word_at_index(&d, front - 2) * 1000000000 + word_at_index(&d, front - 1);
      uint64_t high = word_at_index(&d, front - 3);
      /* 18446744073709551615 is the greatest number of 64 bits. */
      if (high > 18 || (high == 18 && low > 446744073709551615u)) {
        decimal_scale(&d, -1);
        binary++;
        continue;
      }
      uint64_t whole = high * 1000000000000000000u + low;
      if (whole >> 63 == 0) {
        decimal_scale(&d, 1);
        binary--;
        continue;
      }
      uint32_t tenths = word_at_index(&d, front);
      bool beyond = d.last > front + 1;
      enum rest rest = tenths > 500000000 || (tenths == 500000000 && beyond) ? MORE
                       : tenths == 500000000                                 ? HALF
                       : tenths > 0 || beyond                                ? LESS
                                                                             : NOTHING;
      round_binary(r, whole, binary, rest, f);
      return i;
    }
  }
}

/* Reads a number of a format, in words of which `front` are before the point. `end` is the length of what was read, 0 if none. */
static struct result parse(struct span s, size_t *end, const struct format *f, uint32_t *words, int front) {
  struct result r = {NUMBER, false, 0, f->least};
  size_t i = 0, length;
  while (is_space(at(&s, i)))
    i++;
  r.negative = at(&s, i) == '-';
  if (r.negative || at(&s, i) == '+')
    i++;
  if ((length = word_at(&s, i, "inf")) != 0) {
    r.kind = INFINITY_TEXT;
    i += length + word_at(&s, i + length, "inity");
  } else if ((length = word_at(&s, i, "nan")) != 0) {
    r.kind = NAN_TEXT;
    i += length;
    if (at(&s, i) == '(') {
      size_t j = i + 1;
      while (is_alnum(at(&s, j)) | (at(&s, j) == '_'))
        j++;
      if (at(&s, j) == ')')
        i = j + 1;
    }
  } else if (at(&s, i) == '0' && (at(&s, i + 1) | 32) == 'x' &&
             (digit_value(at(&s, i + 2)) < 16 ||
              (at(&s, i + 2) == '.' && digit_value(at(&s, i + 3)) < 16))) {
    i = read_hexadecimal(&s, i + 2, &r, f);
  } else if (is_digit(at(&s, i)) || (at(&s, i) == '.' && is_digit(at(&s, i + 1)))) {
    i = read_decimal(&s, i, &r, f, words, front);
  } else {
    i = 0;
    r.negative = false;
  }
  *end = i;
  return r;
}

/* The bits of a result in a format with a hidden first bit; `width` bits of exponent. */
static uint64_t encode(const struct result *r, const struct format *f, int width) {
  uint64_t bits = (uint64_t)r->negative << (width + f->bits - 1);
  uint64_t top = ((uint64_t)1 << width) - 1;
  switch (r->kind) {
  case TOO_LARGE:
  case INFINITY_TEXT:
    return bits | top << (f->bits - 1);
  case NAN_TEXT:
    return bits | top << (f->bits - 1) | (uint64_t)1 << (f->bits - 2);
  default:
    break;
  }
  uint64_t hidden = (uint64_t)1 << (f->bits - 1);
  if (r->mantissa < hidden)
    return bits | r->mantissa;
  return bits | (uint64_t)(r->exponent - f->least + 1) << (f->bits - 1) | (r->mantissa - hidden);
}

double parse_double(const char *text, size_t limit, size_t *end) {
  uint32_t words[DOUBLE_WORDS];
  struct result r = parse((struct span){text, limit}, end, &double_format, words, DOUBLE_FRONT);
  uint64_t bits = encode(&r, &double_format, 11);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

float parse_float(const char *text, size_t limit, size_t *end) {
  uint32_t words[DOUBLE_WORDS];
  struct result r = parse((struct span){text, limit}, end, &single_format, words, DOUBLE_FRONT);
  uint32_t bits = (uint32_t)encode(&r, &single_format, 8);
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

void parse_long_double(const char *text, size_t limit, size_t *end, long double *number) {
#if __LDBL_MANT_DIG__ == 64
  uint32_t words[LONG_DOUBLE_WORDS];
  struct result r =
      parse((struct span){text, limit}, end, &long_double_format, words, LONG_DOUBLE_FRONT);
  uint16_t top = 0x7fff;
  uint64_t mantissa = (uint64_t)1 << 63;
  if (r.kind == NAN_TEXT) {
    mantissa |= (uint64_t)1 << 62;
  } else if (r.kind == NUMBER) {
    mantissa = r.mantissa;
    top = (uint16_t)(mantissa >> 63 == 0 ? 0 : r.exponent + 16446);
  }
  top |= (uint16_t)(r.negative << 15);
  memset(number, 0, sizeof *number);
  memcpy(number, &mantissa, sizeof mantissa);
  memcpy((unsigned char *)number + sizeof mantissa, &top, sizeof top);
#else
  *number = parse_double(text, limit, end);
#endif
}

double strtod(const char *restrict text, char **restrict end) {
  size_t length;
  double number = parse_double(text, SIZE_MAX, &length);
  if (end != NULL)
    *end = (char *)text + length;
  return number;
}

float strtof(const char *restrict text, char **restrict end) {
  size_t length;
  float number = parse_float(text, SIZE_MAX, &length);
  if (end != NULL)
    *end = (char *)text + length;
  return number;
}

long double strtold(const char *restrict text, char **restrict end) {
  size_t length;
  long double number;
  parse_long_double(text, SIZE_MAX, &length, &number);
  if (end != NULL)
    *end = (char *)text + length;
  return number;
}

double atof(const char *text) { return strtod(text, NULL); }
