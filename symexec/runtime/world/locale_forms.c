/* The forms of functions that take a locale, of which there is one, and message catalogues, of which there are none:
 * what C++ libraries are made of.
 */
#include "../source/runtime.h"

struct tm;

#define ONE(RESULT, NAME, TYPE)                                                                                \
  RESULT NAME(TYPE);                                                                                           \
  RESULT NAME##_l(TYPE value, void *locale) {                                                                  \
    (void)locale;                                                                                              \
    return NAME(value);                                                                                        \
  }
ONE(int, tolower, int)
ONE(int, toupper, int)
ONE(unsigned, towlower, unsigned)
ONE(unsigned, towupper, unsigned)

#define CLASS(NAME, NUMBER)                                                                                    \
  int NAME##_l(unsigned character, void *locale) {                                                             \
    (void)locale;                                                                                              \
    return iswctype(character, NUMBER);                                                                        \
  }
int iswctype(unsigned character, unsigned long class);
CLASS(iswalpha, 2)
CLASS(iswblank, 3)
CLASS(iswcntrl, 4)
CLASS(iswdigit, 5)
CLASS(iswlower, 7)
CLASS(iswprint, 8)
CLASS(iswpunct, 9)
CLASS(iswspace, 10)
CLASS(iswupper, 11)
CLASS(iswxdigit, 12)

#define NUMBER(TYPE, NAME)                                                                                     \
  TYPE NAME(const char *text, char **end);                                                                     \
  TYPE NAME##_l(const char *text, char **end, void *locale) {                                                  \
    (void)locale;                                                                                              \
    return NAME(text, end);                                                                                    \
  }
NUMBER(float, strtof)
NUMBER(double, strtod)
NUMBER(long double, strtold)

#define INTEGER(TYPE, NAME)                                                                                    \
  TYPE NAME(const char *text, char **end, int base);                                                           \
  TYPE NAME##_l(const char *text, char **end, int base, void *locale) {                                        \
    (void)locale;                                                                                              \
    return NAME(text, end, base);                                                                              \
  }
INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)

int strcmp(const char *left, const char *right);
int strcoll_l(const char *left, const char *right, void *locale) {
  (void)locale;
  return strcmp(left, right);
}

int strcasecmp(const char *left, const char *right);
int strcasecmp_l(const char *left, const char *right, void *locale) {
  (void)locale;
  return strcasecmp(left, right);
}

int strncasecmp(const char *left, const char *right, size_t limit);
int strncasecmp_l(const char *left, const char *right, size_t limit, void *locale) {
  (void)locale;
  return strncasecmp(left, right, limit);
}

size_t strxfrm(char *to, const char *from, size_t count);
size_t strxfrm_l(char *to, const char *from, size_t count, void *locale) {
  (void)locale;
  return strxfrm(to, from, count);
}

int wcscmp(const wchar_t *left, const wchar_t *right);
int wcscoll_l(const wchar_t *left, const wchar_t *right, void *locale) {
  (void)locale;
  return wcscmp(left, right);
}

/* In this locale a text is its own key. */
size_t wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t count, void *locale) {
  (void)locale;
  size_t length = 0;
  for (; from[length] != 0; length++)
    if (length < count)
      to[length] = from[length];
  if (length < count)
    to[length] = 0;
  return length;
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *date);
size_t strftime_l(char *to, size_t size, const char *format, const struct tm *date, void *locale) {
  (void)locale;
  return strftime(to, size, format, date);
}

size_t mbrlen(const char *text, size_t count, void *shift);
size_t __mbrlen(const char *text, size_t count, void *shift) { return mbrlen(text, count, shift); }

/* ---- Message catalogues ---- */

void *catopen(const char *name, int flag) {
  (void)name, (void)flag;
  errno = ENOENT;
  return (void *)-1;
}
char *catgets(void *catalogue, int set, int number, const char *otherwise) {
  (void)catalogue, (void)set, (void)number;
  return (char *)otherwise;
}
int catclose(void *catalogue) {
  (void)catalogue;
  errno = EBADF;
  return -1;
}
