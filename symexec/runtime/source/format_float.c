/* %e, %f, %g and %a: exact, rounded once to nearest, ties to even. */
#include "format.h"

/* Blanks or zeros around a text of `length` characters with a prefix (sign, 0x) are written by the
 * two functions; the caller writes the text between them. */
static void begin(struct output *out, const struct specification *spec, const char *prefix, long long length,
                  bool zeros) {
  long long padding = spec->width - (long long)strlen(prefix) - length;
  if (!spec->left && !zeros)
    output_many(out, ' ', padding);
  output_text(out, prefix, strlen(prefix));
  if (!spec->left && zeros)
    output_many(out, '0', padding);
}

static void end(struct output *out, const struct specification *spec, const char *prefix, long long length) {
  if (spec->left)
    output_many(out, ' ', spec->width - (long long)strlen(prefix) - length);
}

/* An exponent with its letter and sign, in at least `least` digits; returns the length. */
static size_t exponent_text(char text[16], char letter, int exponent, int least) {
  char digits[12];
  int count = 0;
  unsigned magnitude = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
  for (; magnitude != 0 || count < least; magnitude /= 10)
    digits[count++] = (char)('0' + magnitude % 10);
  size_t length = 0;
  text[length++] = letter;
  text[length++] = exponent < 0 ? '-' : '+';
  while (count > 0)
    text[length++] = digits[--count];
  return length;
}

/* Digits from one position down to another, with the point behind the units of `point`. */
static void digits(struct output *out, const struct decimal *d, int from, int to, int point, bool mark) {
  for (int position = from; position >= to; position--) {
    output_character(out, (char)('0' + decimal_digit(d, position)));
    if (position == point && mark)
      output_character(out, '.');
  }
}

static void fixed(struct output *out, const struct specification *spec, const char *prefix,
                  const struct decimal *d, int precision) {
  int top = decimal_top(d) > 0 ? decimal_top(d) : 0;
  bool mark = precision > 0 || spec->alternate;
  long long length = (long long)top + 1 + mark + precision;
  begin(out, spec, prefix, length, spec->zero);
  digits(out, d, top, -precision, 0, mark);
  end(out, spec, prefix, length);
}

static void scientific(struct output *out, const struct specification *spec, const char *prefix,
                       const struct decimal *d, int precision) {
  char exponent[16];
  int top = decimal_top(d);
  size_t exponent_length = exponent_text(exponent, spec->upper ? 'E' : 'e', top, 2);
  bool mark = precision > 0 || spec->alternate;
  long long length = 1ll + mark + precision + (long long)exponent_length;
  begin(out, spec, prefix, length, spec->zero);
  digits(out, d, top, top - precision, top, mark);
  output_text(out, exponent, exponent_length);
  end(out, spec, prefix, length);
}

static void general(struct output *out, const struct specification *spec, const char *prefix,
                    struct decimal *d, int precision) {
  precision = precision == 0 ? 1 : precision;
  decimal_round(d, decimal_top(d) - precision + 1);
  int top = decimal_top(d);
  bool use_fixed = top >= -4 && top < precision;
  /* The position of the last digit that is shown. */
  int last = top - precision + 1;
  if (!spec->alternate) {
    int lowest = d->first == d->last ? 0 : (d->point - d->last) * 9;
    if (last < lowest)
      last = lowest;
    while (last < top && decimal_digit(d, last) == 0)
      last++;
  }
  if (use_fixed)
    fixed(out, spec, prefix, d, last > 0 ? 0 : -last);
  else
    scientific(out, spec, prefix, d, top - last);
}

static void hexadecimal(struct output *out, const struct specification *spec, const char *prefix,
                        const struct binary *number) {
  const char *figures = spec->upper ? "0123456789ABCDEF" : "0123456789abcdef";
  uint64_t mantissa = number->mantissa, fraction_mask = ((uint64_t)1 << number->lead) - 1;
  int exponent = mantissa == 0 ? 0 : number->exponent + number->lead;
  uint64_t lead = mantissa >> number->lead;
  int places = number->lead / 4, precision = spec->precision;
  uint64_t fraction = mantissa & fraction_mask;
  if (precision < 0) {
    precision = places;
    while (precision > 0 && (fraction >> (4 * (places - precision)) & 15) == 0)
      precision--;
  } else if (precision < places) {
    int drop = 4 * (places - precision);
    uint64_t low = mantissa & (((uint64_t)1 << drop) - 1), half = (uint64_t)1 << (drop - 1);
    uint64_t kept = mantissa >> drop;
    bool up = low > half || (low == half && (kept & 1) != 0);
    kept += up;
    /* The lead digit can become 16 where it has four bits: the number is doubled 4 times then. */
    lead = kept >> (4 * precision);
    fraction = (kept & (((uint64_t)1 << (4 * precision)) - 1)) << drop;
    if (lead == 16) {
      lead = 1;
      exponent += 4;
    }
  }
  char text[16];
  size_t exponent_length = exponent_text(text, spec->upper ? 'P' : 'p', exponent, 1);
  bool mark = precision > 0 || spec->alternate;
  long long length = 1ll + mark + precision + (long long)exponent_length;
  begin(out, spec, prefix, length, spec->zero);
  output_character(out, figures[lead]);
  if (mark)
    output_character(out, '.');
  for (int i = 1; i <= precision; i++)
    output_character(out, i > places ? '0' : figures[fraction >> (4 * (places - i)) & 15]);
  output_text(out, text, exponent_length);
  end(out, spec, prefix, length);
}

void format_binary(struct output *out, const struct specification *spec, const struct binary *number,
                   uint32_t *words, int front) {
  char prefix[4];
  size_t length = 0;
  char sign = sign_of(spec, number->negative);
  if (sign != 0)
    prefix[length++] = sign;
  if (number->kind == FINITE && spec->conversion == 'a') {
    prefix[length++] = '0';
    prefix[length++] = spec->upper ? 'X' : 'x';
  }
  prefix[length] = 0;
  if (number->kind != FINITE) {
    const char *word = number->kind == INFINITE ? (spec->upper ? "INF" : "inf") : spec->upper ? "NAN" : "nan";
    begin(out, spec, prefix, 3, false);
    output_text(out, word, 3);
    end(out, spec, prefix, 3);
    return;
  }
  if (spec->conversion == 'a') {
    hexadecimal(out, spec, prefix, number);
    return;
  }
  struct decimal d;
  int precision = spec->precision < 0 ? 6 : spec->precision;
  decimal_set(&d, words, front, number->mantissa);
  decimal_scale(&d, number->exponent);
  switch (spec->conversion) {
  case 'f':
    decimal_round(&d, -precision);
    fixed(out, spec, prefix, &d, precision);
    break;
  case 'e':
    decimal_round(&d, decimal_top(&d) - precision);
    scientific(out, spec, prefix, &d, precision);
    break;
  default:
    general(out, spec, prefix, &d, precision);
  }
}
