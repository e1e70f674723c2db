/* Threads, for who waits (world/threads.c, world/locks.c, world/clock.c). */
#ifndef SYMEXEC_THREADS_H
#define SYMEXEC_THREADS_H

#include "runtime.h"

/* Names that programs may have too. */
#define threads_self __symexec_threads_self
#define threads_number __symexec_threads_number
#define threads_is_cancelled __symexec_threads_is_cancelled
#define threads_wait __symexec_threads_wait
#define threads_go_on __symexec_threads_go_on
#define threads_yield __symexec_threads_yield
#define threads_forever __symexec_threads_forever
#define clock_now __symexec_clock_now
#define clock_threads __symexec_clock_threads

/* struct timespec. */
struct moment {
  int64_t seconds;
  long nanoseconds;
};
static inline bool is_before(struct moment left, struct moment right) {
  return left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds;
}

/* The time of the program's own clock, whichever is asked. */
extern struct moment clock_now;
/* What lets other threads run while one sleeps until a moment; none before there are others. */
extern void (*clock_threads)(struct moment end);

/* The number of the thread that runs; the first one's is 1. */
unsigned long threads_self(void);
/* The same, for who is linked without threads; none before there are others. */
extern unsigned long (*threads_number)(void);
bool threads_is_cancelled(void);
/* Lets the others run, for one that cannot go on, to look again behind it. False where that is in vain: it is the moment
   until which the thread waits, to which the clock has gone, or nobody will ever go on. */
bool threads_wait(const struct moment *until);
/* What was waited for is there. */
void threads_go_on(void);
/* Lets the others run, for one that could go on. */
void threads_yield(void);
/* An error: nobody will ever go on. */
__attribute__((noreturn)) void threads_forever(void);

#endif
