/* Failures that compilers and headers of programs report: assertions, smashed stacks, overflows. */
#include "runtime.h"

char *strerror(int error);

/* assert_perror, which glibc's assert.h has. */
__attribute__((noreturn)) void __assert_perror_fail(int error, const char *file, unsigned line,
                                                    const char *function) {
  __assert_fail(strerror(error), file, line, function);
}

/* The older form of __assert_fail. */
__attribute__((noreturn)) void __assert(const char *assertion, const char *file, int line) {
  __assert_fail(assertion, file, (unsigned)line, "");
}

/* What _FORTIFY_SOURCE finds too large for its object. */
__attribute__((noreturn)) void __chk_fail(void) {
  klee_report_error(__FILE__, __LINE__, "memory error: buffer overflow detected", "ptr");
}

__attribute__((noreturn)) void __stack_chk_fail(void) {
  klee_report_error(__FILE__, __LINE__, "memory error: stack smashing detected", "ptr");
}
