/* BSD's messages (err.h) and the system's log (syslog.h), which goes nowhere. */
#include "../source/runtime.h"

int dprintf(int descriptor, const char *format, ...);
int vdprintf(int descriptor, const char *format, va_list arguments);
char *strerror(int error);
__attribute__((noreturn)) void exit(int status);
extern char *program_invocation_short_name;

static void tell(int error, const char *format, va_list arguments) {
  dprintf(2, "%s: ", program_invocation_short_name);
  if (format != NULL)
    vdprintf(2, format, arguments);
  if (error >= 0)
    dprintf(2, format == NULL ? "%s" : ": %s", strerror(error));
  dprintf(2, "\n");
}

void vwarn(const char *format, va_list arguments) { tell(errno, format, arguments); }
void vwarnx(const char *format, va_list arguments) { tell(-1, format, arguments); }
__attribute__((noreturn)) void verr(int status, const char *format, va_list arguments) {
  tell(errno, format, arguments);
  exit(status);
}
__attribute__((noreturn)) void verrx(int status, const char *format, va_list arguments) {
  tell(-1, format, arguments);
  exit(status);
}
void warn(const char *format, ...) {
  int error = errno;
  va_list arguments;
  va_start(arguments, format);
  tell(error, format, arguments);
  va_end(arguments);
}
void warnx(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(-1, format, arguments);
  va_end(arguments);
}
__attribute__((noreturn)) void err(int status, const char *format, ...) {
  int error = errno;
  va_list arguments;
  va_start(arguments, format);
  tell(error, format, arguments);
  va_end(arguments);
  exit(status);
}
__attribute__((noreturn)) void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(-1, format, arguments);
  va_end(arguments);
  exit(status);
}

void openlog(const char *name, int options, int facility) { (void)name, (void)options, (void)facility; }
void closelog(void) {}
int setlogmask(int mask) {
  static int current = 0xff;
  int old = current;
  if (mask != 0)
    current = mask;
  return old;
}
void syslog(int priority, const char *format, ...) { (void)priority, (void)format; }
void vsyslog(int priority, const char *format, va_list arguments) {
  (void)priority, (void)format, (void)arguments;
}
void __syslog_chk(int priority, int flag, const char *format, ...) {
  (void)priority, (void)flag, (void)format;
}
void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments) {
  (void)priority, (void)flag, (void)format, (void)arguments;
}
