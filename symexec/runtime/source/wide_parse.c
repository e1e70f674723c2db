/* Numbers in wide strings: what strtol and its relatives make of the characters that are bytes. */
#include "wide.h"

long strtol(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
float strtof(const char *restrict text, char **restrict end);
double strtod(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);

/* The characters of a text up to the first that is no byte, as bytes; null if there is no memory. */
static char *bytes_of(const wc *text) {
  size_t length = 0;
  while ((wide)text[length] - 1 < 127)
    length++;
  char *bytes = malloc(length + 1);
  if (bytes == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  for (size_t i = 0; i < length; i++)
    bytes[i] = (char)text[i];
  bytes[length] = 0;
  return bytes;
}

#define PARSE(type, name, parse, parameters, arguments)                                                \
  type name parameters {                                                                               \
    char *bytes = bytes_of(text), *stop = bytes;                                                       \
    type value = bytes == NULL ? 0 : parse arguments;                                                  \
    if (end != NULL)                                                                                   \
      *end = (wc *)text + (stop - bytes);                                                              \
    free(bytes);                                                                                       \
    return value;                                                                                      \
  }

#define INTEGER(type, name, parse)                                                                     \
  PARSE(type, name, parse, (const wc *restrict text, wc **restrict end, int base), (bytes, &stop, base))
#define FLOAT(type, name, parse)                                                                       \
  PARSE(type, name, parse, (const wc *restrict text, wc **restrict end), (bytes, &stop))

INTEGER(long, wcstol, strtol)
INTEGER(long long, wcstoll, strtol)
INTEGER(intmax_t, wcstoimax, strtol)
INTEGER(unsigned long, wcstoul, strtoul)
INTEGER(unsigned long long, wcstoull, strtoul)
INTEGER(uintmax_t, wcstoumax, strtoul)
FLOAT(float, wcstof, strtof)
FLOAT(double, wcstod, strtod)
FLOAT(long double, wcstold, strtold)
