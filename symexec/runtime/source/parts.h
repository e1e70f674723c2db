/* Floating-point numbers taken apart: digits, the leading one among them, and what is written of the exponent.
 *
 * long double is the format of the x87: 64 bits of digits with a leading one that is written, and 15 of exponent.
 */
#ifndef SYMEXEC_PARTS_H
#define SYMEXEC_PARTS_H

#include "runtime.h"

struct parts {
  uint64_t mantissa;
  int exponent;
  bool negative;
};

static inline struct parts taken_apartl(long double x) {
  struct {
    uint64_t mantissa;
    uint16_t rest;
  } bits = {0, 0};
  memcpy(&bits, &x, 10);
  return (struct parts){bits.mantissa, bits.rest & 0x7fff, bits.rest >> 15};
}

static inline long double put_togetherl(struct parts parts) {
  struct {
    uint64_t mantissa;
    uint16_t rest;
  } bits = {parts.mantissa, (uint16_t)(parts.exponent | parts.negative << 15)};
  long double x = 0;
  memcpy(&x, &bits, 10);
  return x;
}

#endif
