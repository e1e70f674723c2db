/* Conversions and modifiers of a program's own for printf: none can be added, which the result says. */
#include "../source/runtime.h"

enum { ENOSYS = 38 };

void klee_warning_once(const char *message);

static int refuse(void) {
  klee_warning_once("register_printf: formats have the conversions of the C library only");
  errno = ENOSYS;
  return -1;
}

int register_printf_function(int letter, void *print, void *arguments) {
  return (void)letter, (void)print, (void)arguments, refuse();
}
int register_printf_specifier(int letter, void *print, void *arguments) {
  return (void)letter, (void)print, (void)arguments, refuse();
}
int register_printf_modifier(const void *modifier) { return (void)modifier, refuse(); }
int register_printf_type(void *arguments) { return (void)arguments, refuse(); }
