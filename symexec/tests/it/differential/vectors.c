/* Loops and functions of which clang makes vector instructions, masked accesses and intrinsic functions,
 * each with its result handed to `say`. */
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include <math.h>
#include <stdlib.h>
#include <stdarg.h>
void klee_warning(const char *line);
static void say(uint64_t value) {
  static char line[17];
  for (int k = 15; k >= 0; k--, value >>= 4) line[k] = "0123456789abcdef"[value & 15];
  klee_warning(line);
}
#define N 23
#define NI __attribute__((noinline))
int32_t a[N], b[N], c[N]; int64_t la[N], lb[N]; uint8_t ba[64], bb[64]; int16_t sa[N], sb[N];
float fa[N], fb[N]; double da[N], db[N]; int idx[N]; uint64_t ul[N];
static uint64_t hash(const void *p, size_t n) { uint64_t h = 14695981039346656037u; const uint8_t *q = p;
  for (size_t i = 0; i < n; i++) h = (h ^ q[i]) * 1099511628211u; return h; }
#define SAY(x) say(hash(x, sizeof x))
NI void cond_store(int n) { for (int i = 0; i < n; i++) if (a[i] > 3) b[i] = a[i] * 5; }
NI void cond_load(int n, int *restrict to, const int *restrict cnd, const int *restrict from) { for (int i = 0; i < n; i++) if (cnd[i] > 3) to[i] += from[i]; }
NI void gather(int n) { for (int i = 0; i < n; i++) c[i] = a[idx[i]] + 1; }
NI void scatter(int n) { for (int i = 0; i < n; i++) c[idx[i]] = a[i]; }
NI void cond_gather(int n) { for (int i = 0; i < n; i++) if (b[i] & 1) c[i] = a[idx[i]]; }
NI int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
NI int mx(int n) { int s = a[0]; for (int i = 0; i < n; i++) s = a[i] > s ? a[i] : s; return s; }
NI unsigned umn(int n) { unsigned s = a[0]; for (int i = 0; i < n; i++) s = (unsigned)a[i] < s ? a[i] : s; return s; }
NI int prod(int n) { int s = 1; for (int i = 0; i < n; i++) s *= a[i] | 1; return s; }
NI int xr(int n) { int s = 1; for (int i = 0; i < n; i++) s ^= a[i] ; return s; }
NI int anyof(int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] == 7) s = 1; return s; }
NI int lastof(int n) { int s = -1; for (int i = 0; i < n; i++) if (a[i] > 7) s = i; return s; }
NI void sat(void) { for (int i = 0; i < 64; i++) { int v = ba[i] + bb[i]; ba[i] = v > 255 ? 255 : v; } }
NI void satsub(void) { for (int i = 0; i < 64; i++) { int v = ba[i] - bb[i]; bb[i] = v < 0 ? 0 : v; } }
NI void avg(void) { for (int i = 0; i < 64; i++) ba[i] = (ba[i] + bb[i] + 1) >> 1; }
NI void pop(void) { for (int i = 0; i < N; i++) ul[i] = __builtin_popcountll(la[i]); }
NI void bsw(void) { for (int i = 0; i < N; i++) ul[i] ^= __builtin_bswap64(la[i]); }
NI void lz(void) { for (int i = 0; i < N; i++) ul[i] += la[i] ? __builtin_clzll(la[i]) : 64; }
NI void tz(void) { for (int i = 0; i < N; i++) ul[i] += la[i] ? __builtin_ctzll(la[i]) : 3; }
NI void rot(void) { for (int i = 0; i < N; i++) ul[i] = (ul[i] << 13) | (ul[i] >> 51); }
NI void ab(void) { for (int i = 0; i < N; i++) c[i] = a[i] < 0 ? -a[i] : a[i]; }
NI void fsq(void) { for (int i = 0; i < N; i++) fb[i] = sqrtf(fabsf(fa[i])); }
NI void ffl(void) { for (int i = 0; i < N; i++) db[i] = floor(da[i]) + ceil(da[i]) * 2 + trunc(da[i]) + rint(da[i]) + nearbyint(da[i]) + round(da[i]); }
NI void fmx(void) { for (int i = 0; i < N; i++) db[i] = fmax(da[i], db[i]) + fmin(da[i], 1.5); }
NI void fma_(void) { for (int i = 0; i < N; i++) db[i] = fma(da[i], db[i], 1.5); }
NI void cps(void) { for (int i = 0; i < N; i++) db[i] = copysign(db[i], da[i]); }
NI void cvt(void) { for (int i = 0; i < N; i++) { da[i] = a[i]; fa[i] = (float)la[i]; c[i] = (int)db[i]; ul[i] += (uint32_t)fb[i]; } }
NI void powi_(int n) { for (int i = 0; i < N; i++) db[i] = __builtin_powi(da[i], n); }
NI float powif_(float x, int n) { return __builtin_powif(x, n); }
NI void revv(void) { for (int i = 0; i < N; i++) c[i] = a[N - 1 - i]; }
NI void strided(void) { for (int i = 0; i < 10; i++) { c[2 * i] = a[2 * i + 1]; c[2 * i + 1] = a[2 * i]; } }
NI int dot16(void) { int s = 0; for (int i = 0; i < N; i++) s += sa[i] * sb[i]; return s; }
NI int sad(void) { int s = 0; for (int i = 0; i < 64; i++) { int d = ba[i] - bb[i]; s += d < 0 ? -d : d; } return s; }
NI size_t cnt(void) { size_t s = 0; for (int i = 0; i < 64; i++) s += ba[i] == 9; return s; }
NI int ovf(int x, int y) { int r; if (__builtin_mul_overflow(x, y, &r)) return -1; if (__builtin_add_overflow(r, y, &r)) return -2; return r; }
NI void mulh(void) { for (int i = 0; i < N; i++) sa[i] = (sa[i] * sb[i]) >> 16; }
NI int ff(void) { int i; for (i = 0; i < 64 && ba[i] != 77; i++); return i; }
NI float fsum(int n) { float s = 0; for (int i = 0; i < n; i++) s += fa[i]; return s; }
NI double fdiv_(int n) { double s = 0; for (int i = 0; i < n; i++) s = da[i] > s ? da[i] : s; return s; }
NI int iabs64(int64_t x) { return llabs(x) > 5; }

NI int vsum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s = s * 3 + va_arg(l, int); va_end(l); return s; }
NI __int128 wide(__int128 x, int64_t y) { return x * y / 7; }
NI int isn(double x) { return isnan(x) * 4 + isinf(x) * 2 + isfinite(x) + signbit(x) * 8; }
NI void ldx(void) { for (int i = 0; i < N; i++) db[i] = __builtin_ldexp(da[i], i - 5) ; }
NI void frx(void) { for (int i = 0; i < N; i++) { int e; db[i] = __builtin_frexp(da[i], &e); c[i] = e; } }
typedef int v8 __attribute__((vector_size(32))); typedef float vf8 __attribute__((vector_size(32)));
NI v8 vecs(v8 x, v8 y) { return __builtin_elementwise_min(x, y) * __builtin_elementwise_abs(x) + __builtin_elementwise_add_sat(x, y); }
NI int reds(v8 x) { return __builtin_reduce_max(x) ^ __builtin_reduce_min(x) ^ __builtin_reduce_add(x) ^ __builtin_reduce_mul(x) ^ __builtin_reduce_or(x) ^ __builtin_reduce_and(x) ^ __builtin_reduce_xor(x); }
NI float redf(vf8 x) { return __builtin_reduce_max(x) - __builtin_reduce_min(x); }
NI vf8 vfs(vf8 x) { return __builtin_elementwise_floor(x) + __builtin_elementwise_ceil(x) + __builtin_elementwise_roundeven(x) + __builtin_elementwise_trunc(x) + __builtin_elementwise_copysign(x, -x) + __builtin_elementwise_fma(x, x, x)+__builtin_elementwise_max(x, -x) + __builtin_elementwise_rint(x) + __builtin_elementwise_nearbyint(x)+__builtin_elementwise_sqrt(x*x); }
NI v8 cvv(vf8 x) { return __builtin_convertvector(x, v8); }
NI v8 brev(v8 x) { return __builtin_elementwise_bitreverse(x); }
NI v8 nontemp(v8 *p) { v8 x = __builtin_nontemporal_load(p); __builtin_nontemporal_store(x + 1, p); return x; }
typedef _Bool vb8 __attribute__((ext_vector_type(8)));
NI vb8 vb(v8 x, v8 y) { vb8 r = __builtin_convertvector(x > y, vb8); return r; }
vb8 stored;
typedef _BitInt(37) b37; typedef unsigned _BitInt(200) b200;
NI b200 bit(b200 x, b37 y) { return x * x + (b200)y; }
int main(void) {
  for (int i = 0; i < N; i++) { a[i] = (i * 7919) % 31 - 9; b[i] = (i * 104729) % 17; la[i] = (int64_t)i * 0x123456789abcdLL - 77777777; lb[i] = -la[i]; fa[i] = a[i] * 0.75f; da[i] = a[i] * 1.25; db[i] = i; fb[i] = i; idx[i] = (i * 5) % N; sa[i] = i * 1777; sb[i] = 333 * i - 4000; }
  for (int i = 0; i < 64; i++) { ba[i] = i * 37; bb[i] = 255 - i * 11; }
  int n = N;
  cond_store(n); SAY(b); cond_load(n, c, b, a); SAY(c); gather(n); SAY(c); scatter(n); SAY(c); cond_gather(n); SAY(c);
  say(sum(n)); say(mx(n)); say(umn(n)); say(prod(n)); say(xr(n)); say(anyof(n)); say(lastof(n)); sat(); SAY(ba); satsub(); SAY(bb); avg(); SAY(ba);
  pop(); SAY(ul); bsw(); SAY(ul); lz(); SAY(ul); tz(); SAY(ul); rot(); SAY(ul); ab(); SAY(c); fsq(); SAY(fb); ffl(); SAY(db); fmx(); SAY(db); fma_(); SAY(db); cps(); SAY(db); cvt(); SAY(da); SAY(fa); SAY(c); SAY(ul);
  revv(); SAY(c); strided(); SAY(c); say(dot16()); say(sad()); say(cnt()); say(ovf(a[3] * 100000, a[4] * 1000)); say(ovf(3,4)); mulh(); SAY(sa); say(ff());
  float f = fsum(n); say(hash(&f, 4)); double d = fdiv_(n); say(hash(&d, 8)); say(iabs64(la[3])); say(vsum(3, a[1], a[2], a[3]));
  __int128 w = wide((__int128)la[5] << 40, la[7]); say(w); say(w >> 64); say(isn(da[3])); say(isn(da[3] / 0.0)); ldx(); SAY(db); frx(); SAY(db); SAY(c);
  v8 x, y; memcpy(&x, a, 32); memcpy(&y, b, 32); v8 r = vecs(x, y); say(hash(&r, 32)); say(reds(x)); vf8 g; memcpy(&g, fa, 32); f = redf(g); say(hash(&f, 4));
  g = vfs(g); say(hash(&g, 32)); memcpy(&g, fa, 32); r = cvv(g); say(hash(&r, 32)); r = brev(x); say(hash(&r, 32)); r = nontemp(&x); say(hash(&r, 32)); say(hash(&x, 32));
  stored = vb(x, y); say(hash(&stored, 1)); b200 big = bit((b200)la[4] * 12345, a[4]); say((uint64_t)big); say((uint64_t)(big >> 130)); powi_(a[2]); SAY(db); f = powif_(fa[3], 5); say(hash(&f, 4));
  say(0); return 0;
}
