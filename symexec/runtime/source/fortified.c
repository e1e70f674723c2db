/* What _FORTIFY_SOURCE turns calls into: the function, after a look at the size of the target. */
#include "format.h"

__attribute__((noreturn)) void __chk_fail(void);

char *stpcpy(char *restrict to, const char *restrict from);
char *stpncpy(char *restrict to, const char *restrict from, size_t count);
char *strncat(char *restrict to, const char *restrict from, size_t count);
char *strcat(char *restrict to, const char *restrict from);
void *mempcpy(void *restrict to, const void *restrict from, size_t count);
int vsnprintf(char *restrict to, size_t size, const char *restrict text, va_list arguments);
int vasprintf(char **restrict to, const char *restrict text, va_list arguments);
typedef struct stream FILE;
int vfprintf(FILE *restrict stream, const char *restrict text, va_list arguments);
int vprintf(const char *restrict text, va_list arguments);

static void demand(size_t needed, size_t room) {
  if (needed > room)
    __chk_fail();
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
  demand(count, room);
  return memcpy(to, from, count);
}

void *__memmove_chk(void *to, const void *from, size_t count, size_t room) {
  demand(count, room);
  return memmove(to, from, count);
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
  demand(count, room);
  return mempcpy(to, from, count);
}

void *__memset_chk(void *to, int byte, size_t count, size_t room) {
  demand(count, room);
  return memset(to, byte, count);
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  demand(strlen(from) + 1, room);
  return stpcpy(to, from);
}

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  __stpcpy_chk(to, from, room);
  return to;
}

char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
  demand(count, room);
  return stpncpy(to, from, count);
}

char *__strncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
  __stpncpy_chk(to, from, count, room);
  return to;
}

char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
  demand(strlen(to) + strlen(from) + 1, room);
  return strcat(to, from);
}

char *__strncat_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
  demand(strlen(to) + strnlen(from, count) + 1, room);
  return strncat(to, from, count);
}

int __vsnprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict text,
                    va_list arguments) {
  (void)flag;
  demand(size, room);
  return vsnprintf(to, size, text, arguments);
}

int __snprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = __vsnprintf_chk(to, size, flag, room, text, arguments);
  va_end(arguments);
  return length;
}

/* Writes what fits before it fails. */
int __vsprintf_chk(char *restrict to, int flag, size_t room, const char *restrict text, va_list arguments) {
  (void)flag;
  int length = vsnprintf(to, room, text, arguments);
  if (length >= 0)
    demand((size_t)length + 1, room);
  return length;
}

int __sprintf_chk(char *restrict to, int flag, size_t room, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = __vsprintf_chk(to, flag, room, text, arguments);
  va_end(arguments);
  return length;
}

int __vasprintf_chk(char **restrict to, int flag, const char *restrict text, va_list arguments) {
  (void)flag;
  return vasprintf(to, text, arguments);
}

int __asprintf_chk(char **restrict to, int flag, const char *restrict text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int length = vasprintf(to, text, arguments);
  va_end(arguments);
  return length;
}

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict text, va_list arguments) {
  (void)flag;
  return vfprintf(stream, text, arguments);
}

int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int length = vfprintf(stream, text, arguments);
  va_end(arguments);
  return length;
}

int __vprintf_chk(int flag, const char *restrict text, va_list arguments) {
  (void)flag;
  return vprintf(text, arguments);
}

int __printf_chk(int flag, const char *restrict text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int length = vprintf(text, arguments);
  va_end(arguments);
  return length;
}
