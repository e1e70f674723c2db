/* Signals, for who sends them (world/signals.c, world/clock.c). */
#ifndef SYMEXEC_SIGNALS_H
#define SYMEXEC_SIGNALS_H

#include "runtime.h"

/* Names that programs may have too. */
#define signals_send __symexec_signals_send
#define signals_blocked __symexec_signals_blocked
#define signals_change __symexec_signals_change
#define clock_reaches_alarm __symexec_clock_reaches_alarm
#define clock_reaches_alarm_within __symexec_clock_reaches_alarm_within

enum { SI_TKILL = -6, SI_QUEUE = -1, SI_USER = 0, SI_KERNEL = 128, SIGALRM = 14 };

/* Sends the program a signal that exists; whether a handler ran. It is given `code` and `value`. */
bool signals_send(int number, int code, void *value);

/* The signals that are blocked: what sigsetjmp keeps and siglongjmp brings back (the engine). */
extern _Thread_local uint64_t signals_blocked;

/* KILL and STOP are never blocked. */
static inline uint64_t blockable(uint64_t set) { return set & ~((uint64_t)1 << 8 | (uint64_t)1 << 18); }

/* Blocks these signals and no others, and delivers what waits and is not blocked any more; whether a handler ran. What is
   blocked when the last handler is done is given. */
bool signals_change(uint64_t blocked, uint64_t after);

/* Lets time pass until an alarm is due, which is then over; false if none is set. */
bool clock_reaches_alarm(void);

/* The same if that is within a time; otherwise all of that passes. */
bool clock_reaches_alarm_within(int64_t seconds, long nanoseconds);

#endif
