/* The functions by which a program talks to the engine that explores it.
 *
 * Names, types and meaning are those of KLEE's header of this name, so that programs written for
 * KLEE compile as they are. The engine answers every function declared here itself, also where the
 * program brings a body of its own (drivers often define empty ones to link natively).
 */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Input ---- */

/* Makes the bytes of an object unknown. `addr` is the object's first byte and `nbytes` its whole
 * size. `name` appears in tests and messages; null stands for "unnamed". A name used before gets a
 * suffix: the second "k" is "k_1". */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* An unknown integer of its type's whole range. */
int klee_int(const char *name);

/* An unknown integer n with begin <= n < end, as signed numbers; an empty range is a user error. */
int klee_range(int begin, int end, const char *name);

/* An unknown number below n. The path does not fork here but where the program compares the result. */
uintptr_t klee_choose(uintptr_t n);

/* ---- Steering paths ---- */

/* Goes on only where `condition` is not zero. If it cannot hold, the path ends with an error. */
void klee_assume(uintptr_t condition);

/* Prefers tests in which `condition` is not zero, where the path admits them. `object` is the object
 * it speaks of. The path itself stays as it is. */
void klee_prefer_cex(void *object, uintptr_t condition);

/* As klee_prefer_cex, obeyed only if preferences of the POSIX environment are switched on. */
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Whether branches on unknown conditions fork. While they do not, one side is chosen. */
void klee_set_forking(unsigned enable);

/* From here on, calls of the function of one name go to that of another; to itself again if both names are one. */
void klee_alias_function(const char *function, const char *replacement);

/* The paths that fork from klee_open_merge on wait for each other at klee_close_merge, where those
 * that can be are made one again. Pairs nest. */
void klee_open_merge(void);
void klee_close_merge(void);

/* ---- Endings ---- */

/* Ends the path without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* Ends the path with the error "abort failure". */
__attribute__((noreturn)) void klee_abort(void);

/* Ends the path with an error of the program's own: where it is said to be, what it says, and the
 * word that names the kind of error in the error file's name. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* What assert expands to; declared here as well, because klee_assert needs it. */
__attribute__((noreturn)) void __assert_fail(const char *assertion, const char *file, unsigned line,
                                             const char *function)
#ifdef __cplusplus
    throw()
#endif
    ;

/* assert that NDEBUG does not switch off. */
#define klee_assert(expr)                                                                              \
  ((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))

/* ---- Questions about values ---- */

/* Whether the value depends on unknown input; neither forks nor asks the solver. */
unsigned klee_is_symbolic(uintptr_t n);

/* Whether a test is being replayed natively; 0 in the engine. */
unsigned klee_is_replay(void);

/* One value the expression can have on this path. It does not become the only one: the path goes on
 * with the expression as unknown as it was. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* The size in bytes of the object that `ptr` points into. */
size_t klee_get_obj_size(void *ptr);

/* The errno of the last concrete external call. */
int klee_get_errno(void);

/* ---- Memory ---- */

/* Ends the path with an error unless all `size` bytes from `address` on lie in one live object. Both
 * must be concrete. */
void klee_check_memory_access(const void *address, size_t size);

/* Adds an object of `nbytes` bytes at a fixed address, for programs that talk to devices. The caller
 * sees to it that it overlaps no other. */
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Marks the object as one that leak checks leave out. */
void klee_mark_global(void *object);

/* ---- Messages ---- */

/* Warns with a text; `once` only the first time that this text comes from this place. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);

/* Prints a text and the expression of the one argument that follows it. */
void klee_print_expr(const char *msg, ...);

/* Prints a text and the least and the greatest value of `arg` on this path. */
void klee_print_range(const char *name, int arg);

/* Prints the path condition of this path. */
void klee_dump_kquery_var(void);

/* Prints the stack of this path. */
void klee_stack_trace(void);

#ifdef __cplusplus
}
#endif

#endif
