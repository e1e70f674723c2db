/* Runs one subject; prints how many results were compared, and those that differ. */
#include "compare.h"

#include <malloc.h>

#include <sys/mman.h>
#include <unistd.h>

static unsigned long compared, different;
static uint64_t seed = 0x9e3779b97f4a7c15;

uint64_t draw(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed * 0x2545f4914f6cdd1d;
}

size_t below(size_t limit) { return (draw() >> 16) % limit; }

bool sometimes(unsigned n) { return below(n) == 0; }

const char *pick(const char *const *from) {
  size_t count = 0;
  while (from[count] != NULL)
    count++;
  return from[below(count)];
}

void draw_text(char *to, size_t length, const char *letters) {
  for (size_t i = 0; i < length; i++)
    to[i] = letters[below(strlen(letters))];
  to[length] = 0;
}

/* Each room is ROOM_SIZE bytes between two pages without access. */
static char *rooms[ROOMS];

static void make_rooms(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (unsigned i = 0; i < ROOMS; i++) {
    char *all = mmap(NULL, ROOM_SIZE + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, ROOM_SIZE, PROT_READ | PROT_WRITE) != 0) {
      fprintf(stderr, "no memory for the comparison's arguments\n");
      exit(2);
    }
    rooms[i] = all + page;
  }
}

char *room_start(unsigned room) { return rooms[room]; }

char *room_end(unsigned room, size_t size) { return rooms[room] + ROOM_SIZE - size; }

char *room_text(unsigned room, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(room_end(room, size), text, size);
}

static void judge(bool same, long long ours, long long theirs, const char *format, va_list arguments) {
  compared++;
  if (same)
    return;
  if (different++ < 20) {
    vprintf(format, arguments);
    printf(": %lld here, %lld in the system's library\n", ours, theirs);
  }
}

#define JUDGE(same, ours, theirs)                                                                      \
  do {                                                                                                 \
    va_list arguments;                                                                                 \
    va_start(arguments, format);                                                                       \
    judge(same, ours, theirs, format, arguments);                                                      \
    va_end(arguments);                                                                                 \
  } while (0)

void same_number(long long ours, long long theirs, const char *format, ...) {
  JUDGE(ours == theirs, ours, theirs);
}

void same_sign(long long ours, long long theirs, const char *format, ...) {
  JUDGE((ours > 0) == (theirs > 0) && (ours < 0) == (theirs < 0), ours, theirs);
}

void same_truth(long long ours, long long theirs, const char *format, ...) {
  JUDGE((ours != 0) == (theirs != 0), ours, theirs);
}

void same_bytes(const void *ours, const void *theirs, size_t size, const char *format, ...) {
  size_t i = 0;
  const unsigned char *o = ours, *t = theirs;
  while (i < size && o[i] == t[i])
    i++;
  JUDGE(i == size, i < size ? o[i] : 0, i < size ? t[i] : 0);
}

/* ---- The engine's part ---- */

unsigned pretend_symbolic;
bool refuse_memory;
unsigned reported_errors;
jmp_buf after_error;

unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return pretend_symbolic;
}

void *provided_malloc(size_t size) { return refuse_memory ? NULL : malloc(size); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)message, (void)suffix;
  reported_errors++;
  longjmp(after_error, 1);
}

int klee_range(int begin, int end, const char *name) {
  (void)end, (void)name;
  return begin;
}

void klee_assume(uintptr_t condition) { (void)condition; }
void klee_mark_global(void *object) { (void)object; }

void __symexec_make_input(void *bytes, size_t size, const char *name, const char *shape) {
  (void)name;
  if (shape != NULL)
    memcpy(bytes, shape, size);
}

/* What was written through the engine since it was emptied. */
char written[WRITTEN];
size_t written_size;

ptrdiff_t __symexec_write(int descriptor, const void *bytes, size_t count) {
  if (descriptor > 9 || written_size + count >= sizeof written)
    return -1;
  memcpy(written + written_size, bytes, count);
  written_size += count;
  written[written_size] = 0;
  return (ptrdiff_t)count;
}

size_t __symexec_position(const char *text, unsigned char letter) {
  const char *found = letter == 0 ? NULL : strchr(text, letter);
  return found == NULL ? strlen(text) : (size_t)(found - text);
}

/* Natively nothing is unknown, so nothing asks. */
size_t __symexec_room(const void *place) {
  (void)place;
  return 0;
}

size_t klee_get_obj_size(void *object) { return malloc_usable_size(object); }

uint64_t __symexec_aside(void) { return 0; }

/* The handlers are compared, not what follows them. */
void (*__symexec_destructor(size_t number))(void) {
  (void)number;
  return NULL;
}

/* ---- A subject that must fail: the proof that a difference is found ---- */

static size_t wrong_strlen(const char *text) {
  size_t length = strlen(text);
  return length == 7 ? 8 : length;
}

static void compare_planted(void) {
  for (int round = 0; round < 200; round++) {
    char text[16];
    draw_text(text, below(15), "ab");
    same_number((long long)wrong_strlen(text), (long long)strlen(text), "planted strlen(\"%s\")", text);
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} subjects[] = {
    {"memory", compare_memory},   {"string", compare_string}, {"ctype", compare_ctype},
    {"integer", compare_integer}, {"sort", compare_sort},     {"random", compare_random},
    {"environment", compare_environment}, {"exit", compare_exit}, {"float", compare_float}, {"format", compare_format},
    {"stream", compare_stream}, {"fortified", compare_fortified}, {"file", compare_file}, {"names", compare_names}, {"containers", compare_containers},
    {"scan", compare_scan}, {"math", compare_math}, {"complex", compare_complex}, {"conversion", compare_conversion}, {"allocate", compare_allocate}, {"options", compare_options}, {"regex", compare_regex}, {"wide", compare_wide}, {"wide_text", compare_wide_text}, {"wide_stream", compare_wide_stream}, {"number_text", compare_number_text}, {"text_rows", compare_text_rows}, {"addresses", compare_addresses}, {"math_more", compare_math_more},
    {"planted", compare_planted},
};

int main(int count, char **arguments) {
  make_rooms();
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
    if (count == 2 && strcmp(arguments[1], subjects[i].name) == 0) {
      subjects[i].run();
      printf("%lu results compared, %lu differ\n", compared, different);
      return different == 0 ? 0 : 1;
    }
  fprintf(stderr, "name one subject\n");
  return 2;
}
