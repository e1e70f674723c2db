/* Signals, for who sends them (world/signals.c, world/clock.c). */
#ifndef SYMEXEC_SIGNALS_H
#define SYMEXEC_SIGNALS_H

#include "runtime.h"

/* Names that programs may have too. */
#define signals_send __symexec_signals_send
#define signals_blocked __symexec_signals_blocked
#define clock_reaches_alarm __symexec_clock_reaches_alarm

enum { SI_TKILL = -6, SI_QUEUE = -1, SI_USER = 0, SI_KERNEL = 128, SIGALRM = 14 };

/* Sends the program a signal that exists; whether a handler ran. It is given `code` and `value`. */
bool signals_send(int number, int code, void *value);

/* The signals that are blocked: what sigsetjmp keeps and siglongjmp brings back (the engine). */
extern uint64_t signals_blocked;

/* Lets time pass until an alarm is due, which is then over; false if none is set. */
bool clock_reaches_alarm(void);

#endif
