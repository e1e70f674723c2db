/* Messages of programs: error and its relatives, and what gnulib asks of streams. */
#include "../source/stream.h"

int dprintf(int descriptor, const char *format, ...);
int vdprintf(int descriptor, const char *format, va_list arguments);
int fflush(FILE *stream);
char *strerror(int error);
int snprintf(char *to, size_t size, const char *format, ...);
__attribute__((noreturn)) void exit(int status);

static char unnamed[] = "program";

char *program_invocation_name = unnamed;
char *program_invocation_short_name = unnamed;

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void tell(int status, int number, const char *file, unsigned line, const char *format,
                 va_list arguments) {
  fflush(stdout);
  if (error_print_progname != NULL)
    error_print_progname();
  else
    dprintf(2, "%s:", program_invocation_name);
  if (file != NULL)
    dprintf(2, "%s:%u: ", file, line);
  else
    dprintf(2, " ");
  vdprintf(2, format, arguments);
  error_message_count++;
  if (number != 0)
    dprintf(2, ": %s", strerror(number));
  dprintf(2, "\n");
  if (status != 0)
    exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(status, number, NULL, 0, format, arguments);
  va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(status, number, file, line, format, arguments);
  va_end(arguments);
}

/* Streams keep no bytes. */
size_t __fpending(FILE *stream) {
  (void)stream;
  return 0;
}
int __freading(FILE *stream) { return stream->descriptor == 0; }
int __fwriting(FILE *stream) { return stream->descriptor != 0; }
int __freadable(FILE *stream) { return stream->descriptor != 1 && stream->descriptor != 2; }
int __fwritable(FILE *stream) { return stream->descriptor != 0; }
void __fpurge(FILE *stream) { stream->pushed_count = 0; }
int __fsetlocking(FILE *stream, int type) {
  (void)stream, (void)type;
  return 2;
}
void clearerr_unlocked(FILE *stream) { stream->flags &= ~(AT_END | IN_ERROR); }

/* The text for a number that no signal has is overwritten by the next one. */
char *strsignal(int number) {
  static const char *const signals[] = {
      NULL,
      "Hangup",
      "Interrupt",
      "Quit",
      "Illegal instruction",
      "Trace/breakpoint trap",
      "Aborted",
      "Bus error",
      "Floating point exception",
      "Killed",
      "User defined signal 1",
      "Segmentation fault",
      "User defined signal 2",
      "Broken pipe",
      "Alarm clock",
      "Terminated",
      "Stack fault",
      "Child exited",
      "Continued",
      "Stopped (signal)",
      "Stopped",
      "Stopped (tty input)",
      "Stopped (tty output)",
      "Urgent I/O condition",
      "CPU time limit exceeded",
      "File size limit exceeded",
      "Virtual timer expired",
      "Profiling timer expired",
      "Window changed",
      "I/O possible",
      "Power failure",
      "Bad system call",
  };
  enum { FIRST_REAL_TIME = 34, LAST_REAL_TIME = 64 };
  static char other[40];
  if (number > 0 && number < (int)(sizeof signals / sizeof *signals))
    return (char *)signals[number];
  if (number >= FIRST_REAL_TIME && number <= LAST_REAL_TIME)
    snprintf(other, sizeof other, "Real-time signal %d", number - FIRST_REAL_TIME);
  else
    snprintf(other, sizeof other, "Unknown signal %d", number);
  return other;
}
void psignal(int number, const char *message) {
  bool is_told = message != NULL && *message != 0;
  fflush(stderr);
  dprintf(2, "%s%s%s\n", is_told ? message : "", is_told ? ": " : "", strsignal(number));
}
