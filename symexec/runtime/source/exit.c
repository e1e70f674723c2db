/* The end of a program: exit and what it runs first.
 *
 * Functions registered by atexit, on_exit and __cxa_atexit form one list, run last in first out; one
 * that is registered while they run comes next. The program's destructors follow. Differs from glibc: __cxa_finalize knows only the
 * whole program, as nothing is unloaded before its end.
 */
#include "runtime.h"

/* The program's destructors in the order in which they run, then null. */
void (*__symexec_destructor(size_t number))(void);

enum kind { PLAIN, WITH_ARGUMENT, WITH_STATUS };

struct handler {
  enum kind kind;
  union {
    void (*plain)(void);
    void (*with_argument)(void *argument);
    void (*with_status)(int status, void *argument);
  } function;
  void *argument;
  struct handler *next;
};

static struct handler *handlers;
static struct handler *quick_handlers;

/* The first ones need no memory: the standard promises 32. */
static struct handler room[32];
static size_t used;

static struct handler *add(struct handler **list, enum kind kind, void *argument) {
  struct handler *handler = used < sizeof room / sizeof *room ? &room[used++] : malloc(sizeof *handler);
  if (handler == NULL)
    return NULL;
  handler->kind = kind;
  handler->argument = argument;
  handler->next = *list;
  *list = handler;
  return handler;
}

static void run(struct handler **list, int status) {
  while (*list != NULL) {
    struct handler *handler = *list;
    *list = handler->next;
    switch (handler->kind) {
    case PLAIN:
      handler->function.plain();
      break;
    case WITH_ARGUMENT:
      handler->function.with_argument(handler->argument);
      break;
    case WITH_STATUS:
      handler->function.with_status(status, handler->argument);
      break;
    }
  }
}

int atexit(void (*function)(void)) {
  struct handler *handler = add(&handlers, PLAIN, NULL);
  if (handler == NULL)
    return -1;
  handler->function.plain = function;
  return 0;
}

int at_quick_exit(void (*function)(void)) {
  struct handler *handler = add(&quick_handlers, PLAIN, NULL);
  if (handler == NULL)
    return -1;
  handler->function.plain = function;
  return 0;
}

int on_exit(void (*function)(int, void *), void *argument) {
  struct handler *handler = add(&handlers, WITH_STATUS, argument);
  if (handler == NULL)
    return -1;
  handler->function.with_status = function;
  return 0;
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  struct handler *handler = add(&handlers, WITH_ARGUMENT, argument);
  if (handler == NULL)
    return -1;
  handler->function.with_argument = function;
  return 0;
}

void __cxa_finalize(void *library) {
  if (library == NULL)
    run(&handlers, 0);
}

/* What the engine calls with the result of main, if the program has anything to run then. */
__attribute__((noreturn)) void __symexec_finish(int status) {
  void (*destructor)(void);
  run(&handlers, status);
  for (size_t i = 0; (destructor = __symexec_destructor(i)) != NULL; i++)
    destructor();
  _exit(status);
}

__attribute__((noreturn)) void exit(int status) { __symexec_finish(status); }

__attribute__((noreturn)) void quick_exit(int status) {
  run(&quick_handlers, status);
  _exit(status);
}

__attribute__((noreturn)) void _Exit(int status) { _exit(status); }
