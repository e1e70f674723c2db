/* Exact decimal numbers; see decimal.h. */
#include "decimal.h"

enum { BILLION = 1000000000, WORD_DIGITS = 9 };

/* Drops zero words at both ends. */
static void trim(struct decimal *d) {
  while (d->first < d->last && d->words[d->first] == 0)
    d->first++;
  while (d->first < d->last && d->words[d->last - 1] == 0)
    d->last--;
}

void decimal_set(struct decimal *d, uint32_t *words, int point, uint64_t n) {
  *d = (struct decimal){words, point, point, point};
  for (; n != 0; n /= BILLION)
    words[--d->first] = (uint32_t)(n % BILLION);
  trim(d);
}

/* Times 2^bits, at most 29 bits. */
static void multiply(struct decimal *d, int bits) {
  uint64_t carry = 0;
  for (int i = d->last; i > d->first;) {
    uint64_t word = ((uint64_t)d->words[--i] << bits) + carry;
    d->words[i] = (uint32_t)(word % BILLION);
    carry = word / BILLION;
  }
  if (carry != 0)
    d->words[--d->first] = (uint32_t)carry;
  trim(d);
}

/* Divided by 2^bits, at most 9 bits, for 10^9 is a multiple of 2^9. */
static void divide(struct decimal *d, int bits) {
  uint32_t rest = 0, unit = BILLION >> bits;
  for (int i = d->first; i < d->last; i++) {
    uint32_t word = d->words[i];
    d->words[i] = (word >> bits) + rest * unit;
    rest = word & ((1u << bits) - 1);
  }
  if (rest != 0)
    d->words[d->last++] = rest * unit;
  trim(d);
}

void decimal_scale(struct decimal *d, int exponent) {
  for (; exponent > 0; exponent -= exponent < 29 ? exponent : 29)
    multiply(d, exponent < 29 ? exponent : 29);
  for (; exponent < 0; exponent += exponent > -9 ? -exponent : 9)
    divide(d, exponent > -9 ? -exponent : 9);
}

static uint32_t power_of_ten(int exponent) {
  uint32_t power = 1;
  while (exponent-- > 0)
    power *= 10;
  return power;
}

/* The word that holds a position, and the digit's place in it. */
static int word_of(const struct decimal *d, int position) {
  return position >= 0 ? d->point - 1 - position / WORD_DIGITS : d->point + (-position - 1) / WORD_DIGITS;
}

static int place_of(int position) {
  return position >= 0 ? position % WORD_DIGITS : WORD_DIGITS - 1 - (-position - 1) % WORD_DIGITS;
}

int decimal_top(const struct decimal *d) {
  if (d->first == d->last)
    return 0;
  int position = (d->point - 1 - d->first) * WORD_DIGITS;
  for (uint32_t word = d->words[d->first]; word >= 10; word /= 10)
    position++;
  return position;
}

unsigned decimal_digit(const struct decimal *d, int position) {
  int word = word_of(d, position);
  return word < d->first || word >= d->last ? 0 : d->words[word] / power_of_ten(place_of(position)) % 10;
}

/* Whether any digit below a position is not zero. */
static bool any_below(const struct decimal *d, int position) {
  int word = word_of(d, position);
  if (word < d->first)
    return d->first < d->last;
  if (word >= d->last)
    return false;
  return d->last > word + 1 || d->words[word] % power_of_ten(place_of(position)) != 0;
}

void decimal_round(struct decimal *d, int position) {
  if (!any_below(d, position))
    return;
  unsigned next = decimal_digit(d, position - 1);
  bool up = next > 5 ||
            (next == 5 && (any_below(d, position - 1) || (decimal_digit(d, position) & 1) != 0));
  int word = word_of(d, position);
  uint32_t unit = power_of_ten(place_of(position));
  if (word < d->first) {
    /* The number is below the unit: one unit is left of it, or nothing. */
    d->first = word;
    d->words[word] = 0;
  }
  d->last = word + 1;
  d->words[word] -= d->words[word] % unit;
  if (up) {
    d->words[word] += unit;
    for (int i = word; d->words[i] >= BILLION; i--) {
      d->words[i] -= BILLION;
      if (i == d->first)
        d->words[--d->first] = 0;
      d->words[i - 1]++;
    }
  }
  trim(d);
}

struct binary binary_of_double(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  struct binary b = {FINITE, (bits >> 63) != 0, fraction, -1074, 52};
  if (exponent == 0x7ff)
    b.kind = fraction == 0 ? INFINITE : NOT_A_NUMBER;
  else if (exponent != 0) {
    b.mantissa |= (uint64_t)1 << 52;
    b.exponent = exponent - 1075;
  }
  return b;
}

/* The 80-bit format of x86; where long double is a double, that. */
struct binary binary_of_long_double(const long double *number) {
#if __LDBL_MANT_DIG__ == 64
  const unsigned char *bytes = (const unsigned char *)number;
  uint64_t mantissa;
  uint16_t top;
  memcpy(&mantissa, bytes, sizeof mantissa);
  memcpy(&top, bytes + sizeof mantissa, sizeof top);
  int exponent = top & 0x7fff;
  struct binary b = {FINITE, (top & 0x8000) != 0, mantissa, exponent == 0 ? -16445 : exponent - 16446, 60};
  if (exponent == 0x7fff)
    b.kind = mantissa << 1 == 0 ? INFINITE : NOT_A_NUMBER;
  return b;
#else
  return binary_of_double((double)*number);
#endif
}
