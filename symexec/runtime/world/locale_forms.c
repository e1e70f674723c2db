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
CLASS(iswalnum, 1)
CLASS(iswalpha, 2)
CLASS(iswblank, 3)
CLASS(iswcntrl, 4)
CLASS(iswdigit, 5)
CLASS(iswgraph, 6)
CLASS(iswlower, 7)
CLASS(iswprint, 8)
CLASS(iswpunct, 9)
CLASS(iswspace, 10)
CLASS(iswupper, 11)
CLASS(iswxdigit, 12)

/* Characters in the forms of ctype.h, and names of classes. */
#define BYTES(NAME) ONE(int, NAME, int)
BYTES(isalnum)
BYTES(isalpha)
BYTES(isblank)
BYTES(iscntrl)
BYTES(isdigit)
BYTES(isgraph)
BYTES(islower)
BYTES(isprint)
BYTES(ispunct)
BYTES(isspace)
BYTES(isupper)
BYTES(isxdigit)
ONE(unsigned long, wctype, const char *)
ONE(const int *, wctrans, const char *)
ONE(char *, nl_langinfo, int)
ONE(char *, strerror, int)
int iswctype_l(unsigned character, unsigned long class, void *locale) { return (void)locale, iswctype(character, class); }
unsigned towctrans(unsigned character, const int *way);
unsigned towctrans_l(unsigned character, const int *way, void *locale) { return (void)locale, towctrans(character, way); }
char *strptime(const char *text, const char *format, struct tm *to);
char *strptime_l(const char *text, const char *format, struct tm *to, void *locale) {
  (void)locale;
  return strptime(text, format, to);
}

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

#define WIDE_NUMBER(TYPE, NAME)                                                                                \
  TYPE NAME(const wchar_t *text, wchar_t **end);                                                               \
  TYPE NAME##_l(const wchar_t *text, wchar_t **end, void *locale) {                                            \
    (void)locale;                                                                                              \
    return NAME(text, end);                                                                                    \
  }
WIDE_NUMBER(float, wcstof)
WIDE_NUMBER(double, wcstod)
WIDE_NUMBER(long double, wcstold)

#define WIDE_INTEGER(TYPE, NAME)                                                                               \
  TYPE NAME(const wchar_t *text, wchar_t **end, int base);                                                     \
  TYPE NAME##_l(const wchar_t *text, wchar_t **end, int base, void *locale) {                                  \
    (void)locale;                                                                                              \
    return NAME(text, end, base);                                                                              \
  }
WIDE_INTEGER(long, wcstol)
WIDE_INTEGER(unsigned long, wcstoul)
WIDE_INTEGER(long long, wcstoll)
WIDE_INTEGER(unsigned long long, wcstoull)

int wcscasecmp(const wchar_t *left, const wchar_t *right);
int wcscasecmp_l(const wchar_t *left, const wchar_t *right, void *locale) { return (void)locale, wcscasecmp(left, right); }
int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t limit);
int wcsncasecmp_l(const wchar_t *left, const wchar_t *right, size_t limit, void *locale) {
  return (void)locale, wcsncasecmp(left, right, limit);
}

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

/* By strftime: what a date becomes is bytes, in a room of which characters are made. A format with characters that are no
   bytes gives nothing. */
size_t wcsftime(wchar_t *to, size_t size, const wchar_t *format, const struct tm *date) {
  size_t length = 0;
  while (format[length] != 0)
    if ((uint32_t)format[length++] > 127)
      return 0;
  char *bytes = malloc(length + 1 + size);
  if (bytes == NULL)
    return 0;
  for (size_t i = 0; i <= length; i++)
    bytes[i] = (char)format[i];
  char *text = bytes + length + 1;
  size_t count = size == 0 ? 0 : strftime(text, size, bytes, date);
  for (size_t i = 0; i < size && (i < count || i == 0); i++)
    to[i] = count == 0 ? 0 : (unsigned char)text[i];
  if (count > 0)
    to[count] = 0;
  free(bytes);
  return count;
}
size_t wcsftime_l(wchar_t *to, size_t size, const wchar_t *format, const struct tm *date, void *locale) {
  (void)locale;
  return wcsftime(to, size, format, date);
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
