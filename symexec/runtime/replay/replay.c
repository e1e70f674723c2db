/* The engine's functions for a program that runs natively on a test's inputs.
 *
 * `symexec replay` compiles it in front of the program's files. The test is the file that KTEST_FILE
 * names, without what arguments and files are made of. Inputs are handed out in the order in which the
 * program asks for them, which is the order in which the engine was asked.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <klee/klee.h>

/* Ends the program. Why is written into the file that REPLAY_VERDICT names, because any exit code may be
 * the program's own; report/replay.rs reads it. */
__attribute__((noreturn)) static void end(const char *verdict) {
  const char *path = getenv("REPLAY_VERDICT");
  FILE *file = path == NULL ? NULL : fopen(path, "w");
  if (file != NULL) {
    fputs(verdict, file);
    fclose(file);
  }
  _exit(97);
}

/* What code of Rust's compiler calls before it makes room for large variables; the system makes the room anyway. */
#ifdef __x86_64__
__asm__(".text\n.weak __rust_probestack\n__rust_probestack:\n ret\n");
#endif

struct input {
  char *name;
  unsigned char *bytes;
  uint32_t size;
};

static struct input *inputs;
static uint32_t input_count, next_input;

__attribute__((noreturn, format(printf, 1, 2))) static void differ(const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  fflush(stdout);
  fputs("replay: ", stderr);
  vfprintf(stderr, text, arguments);
  fputs("\n", stderr);
  va_end(arguments);
  end("differs");
}

static uint32_t read_number(FILE *file) {
  unsigned char bytes[4];
  if (fread(bytes, 1, 4, file) != 4)
    differ("the test ends too early");
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void *read_bytes(FILE *file, uint32_t *size) {
  *size = read_number(file);
  char *bytes = malloc((size_t)*size + 1);
  if (bytes == NULL || fread(bytes, 1, *size, file) != *size)
    differ("the test ends too early");
  bytes[*size] = 0;
  return bytes;
}

__attribute__((constructor)) static void read_test(void) {
  const char *seconds = getenv("REPLAY_SECONDS");
  if (seconds != NULL)
    alarm((unsigned)atoi(seconds));
  const char *path = getenv("KTEST_FILE");
  FILE *file = path == NULL ? NULL : fopen(path, "rb");
  char magic[5];
  if (file == NULL)
    differ("KTEST_FILE does not name a test");
  if (fread(magic, 1, 5, file) != 5 || memcmp(magic, "KTEST", 5) != 0)
    differ("%s is no test", path);
  uint32_t version = read_number(file), size;
  for (uint32_t count = read_number(file); count > 0; count--)
    free(read_bytes(file, &size));
  if (version >= 2) {
    read_number(file);
    read_number(file);
  }
  input_count = read_number(file);
  inputs = calloc((size_t)input_count + 1, sizeof *inputs);
  for (uint32_t i = 0; i < input_count && inputs != NULL; i++) {
    inputs[i].name = read_bytes(file, &size);
    inputs[i].bytes = read_bytes(file, &inputs[i].size);
  }
  fclose(file);
}

/* Whether the next input of the test is one of a name. */
int replay_comes_next(const char *name) {
  return next_input < input_count && strncmp(inputs[next_input].name, name, strlen(name)) == 0;
}

void klee_make_symbolic(void *to, size_t size, const char *name) {
  if (name == NULL)
    name = "unnamed";
  if (next_input >= input_count)
    differ("the program asks for `%s`, and the test has no more inputs", name);
  const struct input *input = &inputs[next_input++];
  /* The second input of a name has a number behind it. */
  if (strncmp(input->name, name, strlen(name)) != 0)
    differ("the program asks for `%s`, and the next input of the test is `%s`", name, input->name);
  if (input->size != size)
    differ("`%s` has %zu bytes, and %u in the test", name, size, (unsigned)input->size);
  memcpy(to, input->bytes, size);
}

int klee_int(const char *name) {
  int value;
  klee_make_symbolic(&value, sizeof value, name);
  return value;
}

int klee_range(int begin, int end, const char *name) {
  if (begin >= end)
    differ("klee_range: an empty range");
  if ((long)begin + 1 == end)
    return begin;
  int value = klee_int(name);
  if (value < begin || value >= end)
    differ("`%s` is %d, outside of its range", name, value);
  return value;
}

uintptr_t klee_choose(uintptr_t n) {
  uintptr_t value;
  klee_make_symbolic(&value, sizeof value, "klee_choose");
  if (value >= n)
    differ("klee_choose: %lu is outside of its range", (unsigned long)value);
  return value;
}

void klee_assume(uintptr_t condition) {
  if (!condition)
    differ("what the program assumes does not hold for this test");
}

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)suffix;
  fflush(stdout);
  fprintf(stderr, "replay: %s:%d: %s\n", file, line, message);
  end("reported");
}

void klee_abort(void) { abort(); }
void klee_silent_exit(int status) { _exit(status); }
unsigned klee_is_symbolic(uintptr_t n) { return (void)n, 0; }
unsigned klee_is_replay(void) { return 1; }
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
float klee_get_valuef(float n) { return n; }
double klee_get_valued(double n) { return n; }
long klee_get_valuel(long n) { return n; }
long long klee_get_valuell(long long n) { return n; }
int32_t klee_get_value_i32(int32_t n) { return n; }
int64_t klee_get_value_i64(int64_t n) { return n; }
void klee_check_memory_access(const void *address, size_t size) { (void)address, (void)size; }
void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }
void klee_mark_global(void *object) { (void)object; }
void klee_warning(const char *message) { fprintf(stderr, "replay: warning: %s\n", message); }
void klee_warning_once(const char *message) { klee_warning(message); }
void klee_print_expr(const char *message, ...) { (void)message; }
void klee_print_range(const char *name, int value) { (void)name, (void)value; }
void klee_dump_kquery_var(void) {}
void klee_stack_trace(void) {}
