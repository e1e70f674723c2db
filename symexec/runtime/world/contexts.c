/* Programs with several stacks, of which one runs: coroutines. Stacks and places on them are the engine's; a context
 * here has the number of a place, the signals that are blocked there, and what the program says of a new stack.
 */
#include <stdarg.h>

#include "../source/signals.h"

__attribute__((noreturn)) void exit(int status);
void klee_check_memory_access(const void *address, size_t size);

/* glibc's ucontext_t on x86_64, where the number is in place of the next instruction's address. */
struct context {
  unsigned long flags;
  struct context *link;
  void *stack;
  int stack_flags;
  size_t stack_size;
  uint64_t registers[16], number, more_registers[6], *floats, reserved[8], blocked[16], rest[68];
};
_Static_assert(sizeof(struct context) == 968, "glibc's size of ucontext_t");
_Static_assert(offsetof(struct context, blocked) == 296, "glibc's place of uc_sigmask");

/* So many numbers are handed to a function. */
enum { MOST = 8, LEAST_STACK = 128 };

typedef void plain(void);

/* Where the caller of this function's caller goes on. */
void __symexec_context_set(uint64_t *number);
/* Goes there; whether the stack that runs has ended. */
__attribute__((noreturn)) void __symexec_context_go(const uint64_t *number, int ends);
/* A new stack, that begins with a call of `first` with what stands behind it. */
void __symexec_context_make(uint64_t *number, void *stack, void *first, plain *function, struct context *link, int count, long a, long b, long c, long d, long e, long f, long g, long h);

/* What becomes free is delivered before another stack runs. */
static __attribute__((noreturn)) void go(const struct context *to, bool ends) {
  uint64_t blocked = blockable(to->blocked[0]);
  signals_change(blocked, blocked);
  __symexec_context_go(&to->number, ends);
}

__attribute__((noinline)) int getcontext(struct context *to) {
  __symexec_context_set(&to->number);
  to->blocked[0] = signals_blocked;
  return 0;
}
int setcontext(const struct context *to) { go(to, false); }
__attribute__((noinline)) int swapcontext(struct context *from, const struct context *to) {
  __symexec_context_set(&from->number);
  from->blocked[0] = signals_blocked;
  go(to, false);
}

/* The first activation of a new stack. */
static __attribute__((noreturn)) void begin_context(void *function, struct context *link, int count, long a, long b, long c, long d, long e, long f, long g, long h) {
  switch (count) {
  case 1:
    ((void (*)(long))function)(a);
    break;
  case 2:
    ((void (*)(long, long))function)(a, b);
    break;
  case 3:
    ((void (*)(long, long, long))function)(a, b, c);
    break;
  case 4:
    ((void (*)(long, long, long, long))function)(a, b, c, d);
    break;
  case 5:
    ((void (*)(long, long, long, long, long))function)(a, b, c, d, e);
    break;
  case 6:
    ((void (*)(long, long, long, long, long, long))function)(a, b, c, d, e, f);
    break;
  case 7:
    ((void (*)(long, long, long, long, long, long, long))function)(a, b, c, d, e, f, g);
    break;
  case 8:
    ((void (*)(long, long, long, long, long, long, long, long))function)(a, b, c, d, e, f, g, h);
    break;
  default:
    ((plain *)function)();
  }
  if (link == NULL)
    exit(0);
  go(link, true);
}

void makecontext(struct context *to, plain *function, int count, ...) {
  if (count > MOST)
    klee_report_error(__FILE__, __LINE__, "makecontext with more than eight arguments", "user");
  if (to->stack_size < LEAST_STACK)
    klee_report_error(__FILE__, __LINE__, "makecontext with a stack of fewer than 128 bytes", "user");
  klee_check_memory_access(to->stack, to->stack_size);
  /* Numbers and pointers alike are read as the registers that they are passed in. */
  long all[MOST] = {0};
  va_list list;
  va_start(list, count);
  for (int place = 0; place < count; place++)
    all[place] = va_arg(list, long);
  va_end(list);
  __symexec_context_make(&to->number, to->stack, (void *)begin_context, function, to->link, count, all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
}
