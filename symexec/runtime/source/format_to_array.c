/* sprintf and its relatives: formatted output into memory. */
#include "format.h"

int vsnprintf(char *restrict to, size_t size, const char *restrict text, va_list arguments) {
  struct output out = {.array = size > 0 ? to : NULL, .size = size > 0 ? size - 1 : 0, .descriptor = -1};
  int length = format(&out, text, arguments);
  if (size > 0)
    to[out.count < size ? out.count : size - 1] = 0;
  return length;
}

int vsprintf(char *restrict to, const char *restrict text, va_list arguments) {
  return vsnprintf(to, (size_t)INT_MAX + 1, text, arguments);
}

int snprintf(char *restrict to, size_t size, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vsnprintf(to, size, text, arguments);
  va_end(arguments);
  return length;
}

int sprintf(char *restrict to, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vsprintf(to, text, arguments);
  va_end(arguments);
  return length;
}

/* Formats twice: to measure, and into memory of that size. Without memory `to` is left as it is. */
int vasprintf(char **restrict to, const char *restrict text, va_list arguments) {
  int length = vsnprintf(NULL, 0, text, arguments);
  if (length < 0)
    return -1;
  char *array = malloc((size_t)length + 1);
  if (array == NULL) {
    errno = ENOMEM;
    return -1;
  }
  *to = array;
  return vsnprintf(array, (size_t)length + 1, text, arguments);
}

int asprintf(char **restrict to, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vasprintf(to, text, arguments);
  va_end(arguments);
  return length;
}
