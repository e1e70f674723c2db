/* What the comparison with the system's C library is written in.
 *
 * The runtime is compiled natively with `ours_` before every name it defines, so `ours_strlen` is its
 * strlen and `strlen` the system's. A subject is a function that calls both with the same generated
 * arguments and demands the same results; compare.c runs one subject, named on the command line.
 *
 * Arguments lie in rooms: a room is memory between two pages that cannot be accessed. A string that
 * ends where its room ends proves that nothing behind it is read.
 */
#ifndef COMPARE_H
#define COMPARE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Declares the runtime's function of this name, with the type that the system's header gives it. */
#define OURS(name) OURS_AS(name, name)
/* The same for a name that the system's headers do not declare, with the type of another. */
#define OURS_AS(name, like) extern __typeof__(like) ours_##name

OURS(__errno_location);
#define ours_errno (*ours___errno_location())

/* ---- Generated arguments: the same on every run ---- */

uint64_t draw(void);                           /* 64 bits */
size_t below(size_t limit);                    /* a number below the limit */
bool sometimes(unsigned n);                    /* true once in n draws */
const char *pick(const char *const *from);     /* one of a null-terminated list */
void draw_text(char *to, size_t length, const char *letters); /* and a final zero */

/* ---- Rooms ---- */

enum { ROOMS = 6, ROOM_SIZE = 8192 };
char *room_start(unsigned room);            /* the first byte of a room */
char *room_end(unsigned room, size_t size); /* the last `size` bytes of a room */
char *room_text(unsigned room, const char *text); /* a copy that ends with the room */

/* ---- Demands; the text says with what arguments ---- */

void same_number(long long ours, long long theirs, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void same_sign(long long ours, long long theirs, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void same_truth(long long ours, long long theirs, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void same_bytes(const void *ours, const void *theirs, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- What the engine provides, as the comparison plays it ---- */

extern unsigned pretend_symbolic; /* what klee_is_symbolic answers */
extern bool refuse_memory;        /* whether malloc answers null */
extern unsigned reported_errors;  /* how often klee_report_error was called; it then returns to TRY */

enum { WRITTEN = 1 << 16 };
extern char written[WRITTEN]; /* what went through __symexec_write, of which descriptors above 9 fail */
extern size_t written_size;

#include <setjmp.h>
extern jmp_buf after_error;

/* Runs a statement that may end in klee_report_error. */
#define TRY(statement)                                                                                 \
  do {                                                                                                 \
    if (setjmp(after_error) == 0) {                                                                    \
      statement;                                                                                       \
    }                                                                                                  \
  } while (0)

/* ---- Subjects ---- */

void compare_memory(void);
void compare_string(void);
void compare_ctype(void);
void compare_integer(void);
void compare_float(void);
void compare_format(void);
void compare_stream(void);
void compare_fortified(void);
void compare_sort(void);
void compare_random(void);
void compare_environment(void);
void compare_exit(void);
void compare_file(void);
void compare_names(void);
void compare_containers(void);
void compare_scan(void);
void compare_math(void);
void compare_conversion(void);
void compare_complex(void);
void compare_wide(void);
void compare_wide_text(void);
void compare_wide_stream(void);
void compare_options(void);
void compare_regex(void);
void compare_allocate(void);
void compare_number_text(void);
void compare_text_rows(void);
void compare_addresses(void);
void compare_math_more(void);

#endif
