/* What the runtime's files share.
 *
 * The runtime includes no header of any C library: a program under test is compiled against the
 * system's headers, and what those expand to (names, tables, layouts) is defined here. Only the
 * compiler's own headers are used.
 *
 * House rules of all files beside this one:
 * - A function reads no byte that the C standard does not let it read, so an access error is always
 *   the program's.
 * - A branch on unknown data forks the path. Predicates on characters are therefore computed by
 *   comparisons joined with & and |, which do not branch, and loops ask one question per character
 *   where they can.
 * - No recursion, no inline assembly, no floating-point operation except where it is the function's
 *   purpose: numbers are taken apart and put together as bits.
 */
#ifndef SYMEXEC_RUNTIME_H
#define SYMEXEC_RUNTIME_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- What the engine provides ---- */

void *malloc(size_t size);
void free(void *object);
__attribute__((noreturn)) void _exit(int status);
__attribute__((noreturn)) void __assert_fail(const char *assertion, const char *file, unsigned line,
                                             const char *function);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);
unsigned klee_is_symbolic(uintptr_t value);
/* How many bytes an object has from a place on. */
size_t __symexec_room(const void *place);
size_t __symexec_position(const char *text, unsigned char letter);
/* An unknown number below 65536 that no test tells. */
uint64_t __symexec_aside(void);

/* ---- Errors, with Linux's numbers (errno.c) ---- */

int *__errno_location(void);
#define errno (*__errno_location())
enum {
  ENOENT = 2,
  EIO = 5,
  EBADF = 9,
  ENOMEM = 12,
  EFAULT = 14,
  EEXIST = 17,
  ENOTDIR = 20,
  EISDIR = 21,
  EINVAL = 22,
  EMFILE = 24,
  ENOTTY = 25,
  ENOSPC = 28,
  ESPIPE = 29,
  ERANGE = 34,
  EILSEQ = 84,
  EOVERFLOW = 75,
};

/* ---- Characters, as expressions that do not branch ---- */

static inline int is_digit(int c) { return (unsigned)c - '0' < 10; }
static inline int is_upper(int c) { return (unsigned)c - 'A' < 26; }
static inline int is_lower(int c) { return (unsigned)c - 'a' < 26; }
static inline int is_alpha(int c) { return ((unsigned)c | 32) - 'a' < 26; }
static inline int is_alnum(int c) { return is_digit(c) | is_alpha(c); }
static inline int is_space(int c) { return (c == ' ') | ((unsigned)c - '\t' < 5); }
static inline int is_print(int c) { return (unsigned)c - ' ' < 95; }
static inline int to_lower(int c) { return c + is_upper(c) * 32; }
static inline int to_upper(int c) { return c - is_lower(c) * 32; }

/* The value of a digit in bases up to 36, and 255 for what is none. */
static inline unsigned digit_value(int c) {
  unsigned digit = (unsigned)c - '0', letter = ((unsigned)c | 32) - 'a';
  unsigned digit_mask = 0u - (unsigned)(digit < 10), letter_mask = 0u - (unsigned)(letter < 26);
  return (digit & digit_mask) | ((letter + 10) & letter_mask) | (255 & ~(digit_mask | letter_mask));
}

/* ---- Standard functions that other files use ---- */

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
void *memchr(const void *bytes, int byte, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
int strncmp(const char *left, const char *right, size_t limit);
/* The length of a text that may be unknown, looking at `limit` bytes at most, without a fork for each of its
 * bytes (unseen.c). */
#define unseen_length __symexec_unseen_length
size_t unseen_length(const char *text, size_t limit);
char *strchrnul(const char *text, int character);

#endif
