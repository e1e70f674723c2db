/* Absolute values, quotients with remainders, bit positions, byte orders. */
#include "runtime.h"

/* The least number has no absolute value in its type (undefined in C); it stays as it is. */
int abs(int n) { return n < 0 ? (int)(0u - (unsigned)n) : n; }

long labs(long n) { return n < 0 ? (long)(0ul - (unsigned long)n) : n; }

long long llabs(long long n) { return labs(n); }

intmax_t imaxabs(intmax_t n) { return labs(n); }

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;

div_t div(int dividend, int divisor) { return (div_t){dividend / divisor, dividend % divisor}; }

ldiv_t ldiv(long dividend, long divisor) { return (ldiv_t){dividend / divisor, dividend % divisor}; }

lldiv_t lldiv(long long dividend, long long divisor) {
  return (lldiv_t){dividend / divisor, dividend % divisor};
}

lldiv_t imaxdiv(intmax_t dividend, intmax_t divisor) { return lldiv(dividend, divisor); }

/* The position of the lowest bit that is one, counted from 1, or 0; by the compiler's intrinsic, which
 * the engine computes without forking. */
int ffs(int bits) { return bits == 0 ? 0 : __builtin_ctz((unsigned)bits) + 1; }

int ffsl(long bits) { return bits == 0 ? 0 : __builtin_ctzl((unsigned long)bits) + 1; }

int ffsll(long long bits) { return ffsl(bits); }

/* Between the machine's byte order, which is little-endian, and the network's. */
uint32_t htonl(uint32_t n) { return __builtin_bswap32(n); }

uint32_t ntohl(uint32_t n) { return __builtin_bswap32(n); }

uint16_t htons(uint16_t n) { return __builtin_bswap16(n); }

uint16_t ntohs(uint16_t n) { return __builtin_bswap16(n); }
