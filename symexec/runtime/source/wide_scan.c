/* Formatted input of wide characters: the wscanf family.
 *
 * A format is made one of bytes, and scan.c does the rest. Characters of the format that are no bytes below 128 stand
 * for question marks, which the locale "C" has in their place. As there, %s stores bytes and %ls wide characters.
 */
#include "scan.h"
#include "wide.h"

/* A format as bytes; null without memory. */
static char *format_of(const wc *format) {
  size_t length = 0;
  while (format[length] != 0)
    length++;
  char *bytes = malloc(length + 1);
  for (size_t i = 0; bytes != NULL && i <= length; i++)
    bytes[i] = narrow((wide)format[i]);
  return bytes;
}

static int scan_either(FILE *stream, const wc *text, const wc *format, va_list arguments) {
  char *bytes = format_of(format);
  if (bytes == NULL)
    return EOF;
  int result = scan_wide(stream, text, bytes, arguments);
  free(bytes);
  return result;
}

int vswscanf(const wc *restrict text, const wc *restrict format, va_list arguments) {
  return scan_either(NULL, text, format, arguments);
}

int vfwscanf(FILE *restrict stream, const wc *restrict format, va_list arguments) {
  stream->is_wide = true;
  return scan_either(stream, NULL, format, arguments);
}

int vwscanf(const wc *restrict format, va_list arguments) { return vfwscanf(stdin, format, arguments); }

/* The functions with arguments instead of a list of them, and what glibc's headers expand all names to. */
#define SCAN(name, list, type)                                                                         \
  int name(type from, const wc *restrict format, ...) {                                                \
    va_list arguments;                                                                                 \
    va_start(arguments, format);                                                                       \
    int result = list(from, format, arguments);                                                        \
    va_end(arguments);                                                                                 \
    return result;                                                                                     \
  }
#define SCAN_INPUT(name)                                                                               \
  int name(const wc *restrict format, ...) {                                                           \
    va_list arguments;                                                                                 \
    va_start(arguments, format);                                                                       \
    int result = vwscanf(format, arguments);                                                           \
    va_end(arguments);                                                                                 \
    return result;                                                                                     \
  }
#define LISTS(prefix)                                                                                  \
  int prefix##vswscanf(const wc *restrict text, const wc *restrict format, va_list arguments) {        \
    return vswscanf(text, format, arguments);                                                          \
  }                                                                                                    \
  int prefix##vfwscanf(FILE *restrict stream, const wc *restrict format, va_list arguments) {          \
    return vfwscanf(stream, format, arguments);                                                        \
  }                                                                                                    \
  int prefix##vwscanf(const wc *restrict format, va_list arguments) { return vwscanf(format, arguments); }

SCAN(swscanf, vswscanf, const wc *restrict)
SCAN(fwscanf, vfwscanf, FILE *restrict)
SCAN_INPUT(wscanf)
SCAN(__isoc99_swscanf, vswscanf, const wc *restrict)
SCAN(__isoc99_fwscanf, vfwscanf, FILE *restrict)
SCAN_INPUT(__isoc99_wscanf)
LISTS(__isoc99_)
SCAN(__isoc23_swscanf, vswscanf, const wc *restrict)
SCAN(__isoc23_fwscanf, vfwscanf, FILE *restrict)
SCAN_INPUT(__isoc23_wscanf)
LISTS(__isoc23_)
