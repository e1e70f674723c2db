/* Nonnegative numbers in decimal, exact: what lies between binary floating point and its text.
 *
 * A number is a row of words of nine decimal digits, the most significant first, with the point
 * between two words. Halving and doubling keep it exact, so printing and reading round once, at the
 * end, and are right to the last digit. Only integer arithmetic is used.
 */
#ifndef SYMEXEC_DECIMAL_H
#define SYMEXEC_DECIMAL_H

#include "runtime.h"

/* Functions of several files that programs must not meet: a program may well have its own `format`. */
#define decimal_set __symexec_decimal_set
#define decimal_scale __symexec_decimal_scale
#define decimal_top __symexec_decimal_top
#define decimal_digit __symexec_decimal_digit
#define decimal_round __symexec_decimal_round
#define binary_of_double __symexec_binary_of_double
#define binary_of_long_double __symexec_binary_of_long_double
#define parse_double __symexec_parse_double
#define parse_float __symexec_parse_float
#define parse_long_double __symexec_parse_long_double

/* Room, in words, for any double and for any long double: in front of the point (growing to the left)
 * and in all. The digits of a text count as well: see DIGITS_KEPT in float_parse.c. */
enum {
  DOUBLE_FRONT = 48,
  DOUBLE_WORDS = 200,
  LONG_DOUBLE_FRONT = 560,
  LONG_DOUBLE_WORDS = 2440,
};

struct decimal {
  uint32_t *words; /* each below 10^9 */
  int point;       /* word i counts 10^(9 * (point - 1 - i)) */
  int first, last; /* words first <= i < last are in use, all others zero; the outermost are not zero */
};

/* The number n, in the given room. */
void decimal_set(struct decimal *d, uint32_t *words, int point, uint64_t n);

/* Multiplies by 2 to the exponent, which may be negative. */
void decimal_scale(struct decimal *d, int exponent);

/* The position of the highest digit that is not zero: 0 for units, -1 for tenths; 0 for zero. */
int decimal_top(const struct decimal *d);

/* The digit at a position. */
unsigned decimal_digit(const struct decimal *d, int position);

/* Rounds to a multiple of 10 to the position, ties to even. */
void decimal_round(struct decimal *d, int position);

/* A floating-point number as its bits say: (-1)^negative * mantissa * 2^exponent. */
struct binary {
  enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
  bool negative;
  uint64_t mantissa;
  int exponent;
  int lead;  /* the mantissa's position of the lowest bit of the digit before the point in %a */
};

struct binary binary_of_double(double number);
struct binary binary_of_long_double(const long double *number);

/* The first `limit` characters of a text as a number, as strtod and its relatives (float_parse.c);
 * `end` is the length of what was read. */
double parse_double(const char *text, size_t limit, size_t *end);
float parse_float(const char *text, size_t limit, size_t *end);
void parse_long_double(const char *text, size_t limit, size_t *end, long double *number);

#endif
