/* Functions on floating-point numbers that compilers change where they may: sums and products in another order,
 * divisions, comparisons, least values, what is fused. Each result is handed to `say`. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <float.h>
void klee_warning(const char *line);
#define NI __attribute__((noinline))
static void say(uint64_t value) {
  static char line[17];
  for (int k = 15; k >= 0; k--, value >>= 4) line[k] = "0123456789abcdef"[value & 15];
  klee_warning(line);
}
static void pd(double d) { uint64_t u; memcpy(&u, &d, 8); say(u); }
static void pf(float d) { uint32_t u; memcpy(&u, &d, 4); say(u); }
static void pl(long double d) { uint64_t u[2] = {0, 0}; memcpy(u, &d, 10); say(u[0]); say(u[1]); }
NI double sum8(const double*a){ double s = 0; for (int i = 0; i < 8; i++)s += a[i]; return s; }
NI float sum8f(const float*a){ float s = 0; for (int i = 0; i < 8; i++)s += a[i]; return s; }
NI double sumn(const double*a, int n){ double s = 0; for (int i = 0; i < n; i++)s += a[i]; return s; }
NI float sumnf(const float*a, int n){ float s = 0; for (int i = 0; i < n; i++)s += a[i]; return s; }
NI double dot(const double*a, const double*b, int n){ double s = 0; for (int i = 0; i < n; i++)s += a[i]*b[i]; return s; }
NI float dotf(const float*a, const float*b, int n){ float s = 0; for (int i = 0; i < n; i++)s += a[i]*b[i]; return s; }
NI double prod(const double*a, int n){ double s = 1; for (int i = 0; i < n; i++)s *= a[i]; return s; }
NI float prodf(const float*a, int n){ float s = 1; for (int i = 0; i < n; i++)s *= a[i]; return s; }
NI double div3(double x){ return x/3; }
NI float div3f(float x){ return x/3; }
NI double div10(double x){ return x/10+x/7; }
NI double recip(double x){ return 1/x; }
NI float recipf(float x){ return 1/x; }
NI double divxy(double x, double y, double z){ return x/y+z/y; }
NI float divxyf(float x, float y, float z){ return x/y+z/y; }
NI double mn(const double*a, int n){ double m = a[0]; for (int i = 1; i < n; i++)if (a[i] < m)m = a[i]; return m; }
NI float mnf(const float*a, int n){ float m = a[0]; for (int i = 1; i < n; i++)if (a[i] < m)m = a[i]; return m; }
NI double mx(const double*a, int n){ double m = a[0]; for (int i = 1; i < n; i++)m = fmax(m, a[i]); return m; }
NI double mm(double a, double b){ return fmin(a, b)-fmax(a, b); }
NI float mmf(float a, float b){ return fminf(a, b)-fmaxf(a, b); }
NI int cmp(double a, double b){ return (a < b)|(a <= b)<<1|(a == b)<<2|(a!=b)<<3|(a > b)<<4|(a >= b)<<5; }
NI double fm(double a, double b, double c){ return a*b+c; }
NI float fmf(float a, float b, float c){ return a*b+c; }
NI double fms(double a, double b, double c){ return c-a*b; }
NI double fm2(double a, double b, double c, double d){ return a*b+c*d; }
NI double poly(double x){ return ((((x*0.1+0.2)*x+0.3)*x+0.4)*x+0.5); }
NI double efm(double a, double b, double c){ return fma(a, b, c); }
NI double sq(double a){ return sqrt(a)+1; }
NI float sqf(float a){ return sqrtf(a)+1; }
NI double rsq(double a){ return 1/sqrt(a); }
NI float rsqf(float a){ return 1/sqrtf(a); }
NI void scale(double*a, int n, double k){ for (int i = 0; i < n; i++)a[i] /= k; }
NI void scalef(float*a, int n, float k){ for (int i = 0; i < n; i++)a[i] /= k; }
NI void sqv(float*a, int n){ for (int i = 0; i < n; i++)a[i] = sqrtf(a[i]); }
NI void rsqv(float*a, int n){ for (int i = 0; i < n; i++)a[i] = 1/sqrtf(a[i]); }
NI double ab(const double*a, int n){ double s = 0; for (int i = 0; i < n; i++)s += fabs(a[i]); return s; }
NI double norm(const double*a, int n){ double s = 0; for (int i = 0; i < n; i++)s += a[i]*a[i]; return sqrt(s); }
NI double reass(double a, double b, double c, double d){ return ((a+b)+c)+d-a; }
NI double conv(const int*a, int n){ double s = 0; for (int i = 0; i < n; i++)s += a[i]*0.1; return s; }
NI long toint(const double*a, int n){ long s = 0; for (int i = 0; i < n; i++)s += (int)a[i]; return s; }
NI float mixed(const double*a, int n){ float s = 0; for (int i = 0; i < n; i++)s += (float)a[i]; return s; }
NI double rnd(double a){ return floor(a)+ceil(a*3)+trunc(a*5)+rint(a*7)+round(a*11); }
NI double pw(double a){ return pow(a, 3)+pow(a, 0.5)+pow(a, 2); }
NI double pwi(double a, int n){ return __builtin_powi(a, n); }
NI double cps(double a, double b){ return copysign(a, b)+fabs(b); }
NI double horn(const double*c, int n, double x){ double s = 0; for (int i = 0; i < n; i++)s = s*x+c[i]; return s; }
NI double mean(const double*a, int n){ double s = 0; for (int i = 0; i < n; i++)s += a[i]; return s/n; }
NI double var(const double*a, int n){ double s = 0, q = 0; for (int i = 0; i < n; i++){ s += a[i]; q += a[i]*a[i]; }return (q-s*s/n)/(n-1); }
NI int cnt(const double*a, int n, double k){ int c = 0; for (int i = 0; i < n; i++)c += a[i] < k; return c; }
NI int argmax(const double*a, int n){ int c = 0; for (int i = 1; i < n; i++)if (a[i] > a[c])c = i; return c; }
NI double cnd(const double*a, int n){ double s = 0; for (int i = 0; i < n; i++)if (a[i] > 0)s += a[i]; return s; }
NI float mat(const float*a, const float*b){ float r[16]; for (int i = 0; i < 4; i++)for (int j = 0; j < 4; j++){ float s = 0; for (int k = 0; k < 4; k++)s += a[i*4+k]*b[k*4+j]; r[i*4+j] = s; }float t = 0; for (int i = 0; i < 16; i++)t += r[i]; return t; }
NI double lerp(double a, double b, double t){ return a+t*(b-a); }
NI double cplx(double a, double b, double c, double d){ double _Complex x = a+b*1.0i, y = c+d*1.0i; double _Complex z = x*y/(x+y); return __real__ z+__imag__ z; }
NI long double ld(long double a, long double b){ return a*b+a/b; }
NI double absdiff(double a, double b){ return fabs(a-b)/fabs(a+b); }
NI double sel(double a, double b){ return a > b?a:b; }
NI double sel2(double a, double b){ return a < 0?-a:b; }
NI double exps(double a){ return exp(a)*exp(-a)+log(a*a)+sin(a)*sin(a)+cos(a)*cos(a); }
NI double expv(double*a, int n){ for (int i = 0; i < n; i++)a[i] = exp(a[i]); return a[0]+a[n-1]; }
NI float fmodf_(float a, float b){ return fmodf(a, b); }
NI float u8(const uint8_t*a, int n){ float s = 0; for (int i = 0; i < n; i++)s += a[i]*0.5f; return s; }
NI void tou8(uint8_t*o, const float*a, int n){ for (int i = 0; i < n; i++)o[i] = (uint8_t)(a[i] < 0?0:a[i] > 255?255:a[i]); }
NI int classes(long double x) {
  return __builtin_isnan(x) | __builtin_isinf(x) << 1 | __builtin_isfinite(x) << 2 | __builtin_isnormal(x) << 3 |
         __builtin_issubnormal(x) << 4 | __builtin_iszero(x) << 5 | __builtin_issignaling(x) << 6 | !!__builtin_signbit(x) << 7;
}
volatile int vn = 13;
int main(void){ 
  volatile double seed[]={0.1, 2.7, -3.3, 1e-3, 17.25, -0.0, 5e9, 1.0/3, 7, -2.5, 1e-300, 123.456, -8.125, 3, 0.7, 2};
  double a[16], b[16]; float fa[16], fb[16]; int ia[16]; uint8_t ua[16];
  for (int r = 0; r < 3; r++){ 
  for (int i = 0; i < 16; i++){ a[i] = seed[i]*(r+1)/(r*r+1); b[i] = seed[(i*5+3+r)%16]; fa[i] = a[i]; fb[i] = b[i]; ia[i] = (int)(a[i]*7); ua[i] = (uint8_t)(i*29+r); }
  int n = vn+r;
  pd(sum8(a)); pf(sum8f(fa)); pd(sumn(a, n)); pf(sumnf(fa, n));
  pd(dot(a, b, n)); pf(dotf(fa, fb, n)); pd(prod(a, n)); pf(prodf(fa, n));
  for (int i = 0; i < 16; i++){ double x = a[i], y = b[i], z = b[(i+7)%16];
    pd(div3(x)); pf(div3f(x)); pd(div10(x));
    if (x!=0){ pd(recip(x)); pf(recipf(x == 1e-300?2:x)); }
    if (y!=0){ pd(divxy(x, y, z)); if (fabs(y) > 1e-30)pf(divxyf(x, y, z)); }
    pd(mm(x, y)); pf(mmf(x, y)); say(cmp(x, y));
    pd(fm(x, y, z)); pf(fmf(x, y, z)); pd(fms(x, y, z)); pd(fm2(x, y, z, x)); pd(poly(x)); pd(efm(x, y, z));
    pd(sq(fabs(x))); pf(sqf(fabs(x))); if (x!=0)pd(rsq(fabs(x))); if (fabs(x) > 1e-30)pf(rsqf(fabs(x)));
    pd(reass(x, y, z, x)); if (fabs(x) < 1e6)pd(rnd(x)); pd(pw(fabs(x))); pd(pwi(x, n-10)); pd(cps(x, y));
    pd(lerp(x, y, z)); pd(cplx(x, y, z, 1)); pl(ld(x, y == 0?1:y));
    pd(absdiff(x, y+1)); pd(sel(x, y)); pd(sel2(x, y)); if (fabs(x) < 20&&fabs(x) > 1e-5)pd(exps(x)); pf(fmodf_(x, 1.5f)); }
  pd(mn(a, n)); pf(mnf(fa, n)); pd(mx(a, n));
  pd(ab(a, n)); pd(norm(a, n)); pd(conv(ia, n)); { double s[16]; for (int i = 0; i < 16; i++)s[i] = a[i] > 1e6?5:a[i]; say(toint(s, n)); }
  pf(mixed(a, n)); pd(horn(a, n, 0.37)); pd(mean(a, n)); pd(var(a, n));
  say(cnt(a, n, 1.5)); say(argmax(a, n)); pd(cnd(a, n)); pf(mat(fa, fb)); pf(u8(ua, n));
  { uint8_t o[16]; tou8(o, fa, n); for (int i = 0; i < n; i++)say(o[i]); }
  scale(a, n, 3.7); for (int i = 0; i < n; i++)pd(a[i]);
  scalef(fa, n, 3.7f); for (int i = 0; i < n; i++)pf(fa[i]);
  { float s[16]; for (int i = 0; i < 16; i++)s[i] = fabsf(fb[i])+1e-3f; sqv(s, n); for (int i = 0; i < n; i++)pf(s[i]); rsqv(s, n); for (int i = 0; i < n; i++)pf(s[i]); }
  { double s[16]; for (int i = 0; i < 16; i++)s[i] = i*0.3-2; pd(expv(s, n)); for (int i = 0; i < n; i++)pd(s[i]); }
  }
  volatile long double edges[] = {0, -0.0L, 1, -1, 0x1p-16445L, -0x1p-16383L, 0x1p-16382L, __LDBL_MAX__, 1 / 3.0L};
  for (int i = 0; i < (int)(sizeof edges / sizeof *edges); i++) { say(classes(edges[i])); pl(edges[i] * edges[i]); }
  volatile long double zero = 0;
  if (vn == 13 + (int)zero) { volatile long double infinite = __LDBL_MAX__; infinite *= 2; say(classes(-infinite) & 2); }
  say(0); return 0;
}
