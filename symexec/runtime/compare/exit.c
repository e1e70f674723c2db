/* The end of a program: the same handlers, in children, write the same trace and exit with the same
 * status. */
#include "compare.h"

#include <sys/wait.h>
#include <unistd.h>

OURS(exit);
OURS(quick_exit);
OURS(_Exit);
OURS(atexit);
OURS(at_quick_exit);
OURS(on_exit);
int ours___cxa_atexit(void (*)(void *), void *, void *);
int __cxa_atexit(void (*)(void *), void *, void *);
void ours___cxa_finalize(void *);

static int trace;
static int (*register_late)(void (*)(void));

static void note(char c) {
  if (write(trace, &c, 1) != 1)
    _exit(99);
}

static void first(void) { note('1'); }
static void second(void) {
  note('2');
  register_late(first);
}
static void quick(void) { note('q'); }
static void with_status(int status, void *argument) {
  note((char)('a' + status));
  note(*(char *)argument);
}
static void with_argument(void *argument) { note(*(char *)argument); }

struct library {
  int (*atexit)(void (*)(void));
  int (*at_quick_exit)(void (*)(void));
  int (*on_exit)(void (*)(int, void *), void *);
  int (*cxa_atexit)(void (*)(void *), void *, void *);
  void (*exit)(int);
  void (*quick_exit)(int);
  void (*immediate)(int);
};

/* Runs one scenario in a child; returns the status, and the trace in `seen`. */
static int run(const struct library *library, uint64_t scenario, char *seen) {
  static char letters[] = "xyz";
  int ends[2], status = 0;
  if (pipe(ends) != 0)
    exit(2);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    trace = ends[1];
    register_late = library->atexit;
    unsigned count = scenario % 50;
    for (unsigned i = 0; i < count; i++, scenario = scenario * 6364136223846793005u + 1)
      switch (scenario >> 61) {
      case 0: case 1: library->atexit(first); break;
      case 2: library->atexit(second); break;
      case 3: library->at_quick_exit(quick); break;
      case 4: library->on_exit(with_status, letters + 1); break;
      default: library->cxa_atexit(with_argument, letters + scenario % 3, NULL); break;
      }
    switch (scenario >> 60 & 3) {
    case 0: library->immediate(5);
    case 1: library->quick_exit(6);
    default: library->exit((int)(scenario >> 50 & 15));
    }
  }
  close(ends[1]);
  ssize_t length = 0, part;
  while ((part = read(ends[0], seen + length, (size_t)(255 - length))) > 0)
    length += part;
  seen[length] = 0;
  close(ends[0]);
  waitpid(child, &status, 0);
  return status;
}

void compare_exit(void) {
  static const struct library ours = {ours_atexit, ours_at_quick_exit, ours_on_exit, ours___cxa_atexit,
                                      ours_exit,   ours_quick_exit,    ours__Exit};
  static const struct library theirs = {atexit, at_quick_exit, on_exit, __cxa_atexit, exit, quick_exit, _Exit};
  fflush(stdout);
  for (int round = 0; round < 200; round++) {
    uint64_t scenario = draw();
    char seen[256], expected[256];
    int ours_status = run(&ours, scenario, seen), theirs_status = run(&theirs, scenario, expected);
    same_number(ours_status, theirs_status, "the status of scenario %llu", (unsigned long long)scenario);
    same_number(strcmp(seen, expected), 0, "the trace of scenario %llu: %s and %s", (unsigned long long)scenario,
                seen, expected);
  }
  /* Runs everything, once. */
  int ends[2];
  char c[4] = "";
  if (pipe(ends) != 0)
    exit(2);
  trace = ends[1];
  ours_atexit(first);
  ours___cxa_finalize(c);
  ours___cxa_finalize(NULL);
  ours___cxa_finalize(NULL);
  note('.');
  same_number(read(ends[0], c, 3), 2, "the length of the trace of __cxa_finalize");
  same_number(strcmp(c, "1."), 0, "the trace of __cxa_finalize");
}
