/* Streams over memory, other names of what streams do, stacks of objects, trees. */
#include "compare.h"

#include <fcntl.h>
#include <obstack.h>
#include <search.h>
#include <unistd.h>

OURS(tmpfile);
OURS(tmpfile64);
OURS(open_memstream);
OURS(fmemopen);
OURS(fclose);
OURS(fflush);
OURS(fputs);
OURS(fputc);
OURS(fgetc);
OURS(fread);
OURS(fwrite);
OURS(fseek);
OURS(ftell);
OURS(rewind);
OURS(fprintf);
OURS(fileno);
OURS(read);
OURS(write);
OURS(lseek);
OURS(flockfile);
OURS(ftrylockfile);
OURS(funlockfile);
OURS(freopen64);
OURS(ftello64);
OURS(fseeko64);
OURS(fileno_unlocked);
OURS_AS(_IO_getc, fgetc);
OURS_AS(_IO_putc, fputc);
OURS(__getdelim);
OURS(setlinebuf);
OURS(setbuffer);
OURS(fgetpos);
OURS(fsetpos);
OURS(fgetpos64);
OURS(fsetpos64);
extern char *ours___fgets_chk(char *, size_t, int, FILE *), *ours___fgets_unlocked_chk(char *, size_t, int, FILE *);
extern size_t ours___fread_chk(void *, size_t, size_t, size_t, FILE *), ours___fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
extern ssize_t ours___read_chk(int, void *, size_t, size_t);
extern int ours___vdprintf_chk(int, int, const char *, va_list), ours___dprintf_chk(int, int, const char *, ...);
OURS(_obstack_begin);
OURS(_obstack_begin_1);
OURS(_obstack_newchunk);
extern void ours__obstack_free(struct obstack *, void *);
extern void ours_obstack_free(struct obstack *, void *);
extern int ours__obstack_allocated_p(struct obstack *, void *);
OURS(_obstack_memory_used);
OURS(obstack_printf);
OURS(obstack_vprintf);
extern int ours___obstack_printf_chk(struct obstack *, int, const char *, ...);
extern int ours___obstack_vprintf_chk(struct obstack *, int, const char *, va_list);
OURS(obstack_alloc_failed_handler);
OURS(obstack_exit_failure);
OURS(tsearch);
OURS(fopencookie);
OURS(fgets);
OURS(fcloseall);
OURS(getw);
OURS(putw);
extern char *ours_gets(char *);
OURS(tfind);
OURS(tdelete);
OURS(twalk);
OURS(twalk_r);
OURS(tdestroy);

/* ---- Streams over memory ---- */

static void compare_texts(void) {
  for (int round = 0; round < 200; round++) {
    char *mine, *theirs;
    size_t my_length, their_length;
    FILE *ours = ours_open_memstream(&mine, &my_length), *system = open_memstream(&theirs, &their_length);
    for (int i = 0; i < 8; i++) {
      char text[40];
      draw_text(text, below(39), "ab ");
      switch (below(4)) {
      case 0:
        same_number(ours_fputs(text, ours) < 0, fputs(text, system) < 0, "fputs into memory");
        break;
      case 1:
        same_number(ours_fprintf(ours, "%s-%d", text, i), fprintf(system, "%s-%d", text, i), "fprintf into memory");
        break;
      case 2:
        ours_fputc('!', ours), fputc('!', system);
        break;
      default:
        same_number(ours_fflush(ours), fflush(system), "fflush of memory");
        same_number((long long)my_length, (long long)their_length, "the length in memory");
        same_truth(strcmp(mine, theirs) == 0, 1, "the text in memory: '%s' and '%s'", mine, theirs);
      }
    }
    same_number(ours_fclose(ours), fclose(system), "fclose of memory");
    same_number((long long)my_length, (long long)their_length, "the length at the end");
    same_bytes(mine, theirs, my_length + 1, "the bytes at the end");
    free(mine);
    free(theirs);
  }
}

static void compare_arrays(void) {
  for (int round = 0; round < 300; round++) {
    static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", NULL};
    const char *mode = pick(modes);
    char mine[24], theirs[24], text[30];
    memset(mine, 0, sizeof mine);
    draw_text(mine, below(16), "xyz");
    memcpy(theirs, mine, sizeof mine);
    size_t size = 1 + below(sizeof mine);
    FILE *ours = ours_fmemopen(mine, size, mode), *system = fmemopen(theirs, size, mode);
    if (*mode != 'r' || mode[1] == '+') {
      /* Of what does not fit, glibc keeps room for a zero or not, by the mode. */
      size_t used = *mode == 'a' ? strnlen(mine, size) : 0;
      draw_text(text, used + 1 < size ? below(size - used) : 0, "pq");
      ours_fputs(text, ours), fputs(text, system);
    } else {
      memset(text, 0, sizeof text);
      char other[30] = "";
      size_t count = 1 + below(12);
      same_number((long long)ours_fread(text, 1, count, ours), (long long)fread(other, 1, count, system), "fread of an array");
      same_bytes(text, other, sizeof text, "what was read of an array");
    }
    ours_fclose(ours), fclose(system);
    same_bytes(mine, theirs, sizeof mine, "the array of %zu behind mode %s", size, mode);
  }
  char to[8];
  same_number(ours_fmemopen(to, 8, "q") == NULL, 1, "a mode that does not exist");
}

static int printed(int (*print)(int, int, const char *, va_list), int descriptor, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = print(descriptor, 1, text, arguments);
  va_end(arguments);
  return length;
}

static void compare_other_names(void) {
  FILE *file = sometimes(2) ? ours_tmpfile() : ours_tmpfile64();
  ours_flockfile(file);
  ours_setlinebuf(file);
  ours_setbuffer(file, NULL, 0);
  same_number(ours_ftrylockfile(file), 0, "ftrylockfile");
  ours_fputs("one\ntwo\nthree", file);
  ours_rewind(file);
  fpos_t here;
  fpos64_t there;
  char to[8] = "", *line = NULL;
  size_t room = 0;
  same_truth(ours___fgets_chk(to, sizeof to, sizeof to, file) == to && strcmp(to, "one\n") == 0, 1, "__fgets_chk");
  same_number(ours_fgetpos(file, &here) + ours_fgetpos64(file, &there), 0, "fgetpos");
  same_number(ours__IO_getc(file), 't', "_IO_getc");
  same_number(ours_fsetpos(file, &here) + ours_fgetc(file), 't', "fsetpos");
  same_number(ours_fsetpos64(file, &there) + (int)ours_ftello64(file), 4, "fsetpos64");
  same_number(ours___getdelim(&line, &room, '\n', file), 4, "__getdelim");
  same_number((long long)ours___fread_chk(to, sizeof to, 1, 3, file), 3, "__fread_chk");
  same_number(ours_fseeko64(file, 0, SEEK_SET), 0, "fseeko64");
  same_number((long long)ours___fread_unlocked_chk(to, sizeof to, 2, 2, file), 2, "__fread_unlocked_chk");
  same_number(ours_lseek(ours_fileno_unlocked(file), 0, SEEK_SET), 0, "lseek of a stream");
  same_number(ours___read_chk(ours_fileno(file), to, 3, sizeof to), 3, "__read_chk");
  same_truth(ours___fgets_unlocked_chk(to, sizeof to, 3, file) != NULL, 1, "__fgets_unlocked_chk");
  same_number(ours___dprintf_chk(ours_fileno(file), 1, "%d", 77), 2, "__dprintf_chk");
  same_number(printed(ours___vdprintf_chk, ours_fileno(file), "%d", 777), 3, "__vdprintf_chk");
  same_number(ours__IO_putc('x', file), 'x', "_IO_putc");
  ours_funlockfile(file);
  same_truth(ours_freopen64("compare-containers", "w", file) != NULL, 1, "freopen64");
  ours_fclose(file);
  free(line);
}

/* ---- Streams over functions of the program ---- */

/* What such a stream is over, and what it was asked. */
struct store {
  char bytes[64];
  size_t size, place;
  int closed;
};
static ssize_t take(void *cookie, char *to, size_t count) {
  struct store *store = cookie;
  size_t left = store->size - store->place;
  count = count < left ? count : left;
  memcpy(to, store->bytes + store->place, count);
  store->place += count;
  return (ssize_t)count;
}
static ssize_t put(void *cookie, const char *from, size_t count) {
  struct store *store = cookie;
  if (store->place + count > sizeof store->bytes)
    return 0;
  memcpy(store->bytes + store->place, from, count);
  store->place += count;
  store->size = store->place > store->size ? store->place : store->size;
  return (ssize_t)count;
}
static int go(void *cookie, off64_t *place, int from) {
  struct store *store = cookie;
  off64_t to = *place + (from == SEEK_SET ? 0 : from == SEEK_CUR ? (off64_t)store->place : (off64_t)store->size);
  if (to < 0 || to > (off64_t)store->size)
    return -1;
  store->place = (size_t)(*place = to);
  return 0;
}
static int finish(void *cookie) { return ((struct store *)cookie)->closed++, 0; }

static void compare_cookies(void) {
  for (int round = 0; round < 300; round++) {
    static const char *const modes[] = {"r", "w", "r+", "w+", NULL};
    const char *mode = pick(modes);
    struct store mine = {.size = below(40)}, theirs;
    draw_text(mine.bytes, mine.size, "ab\n");
    theirs = mine;
    cookie_io_functions_t functions = {take, put, sometimes(3) ? NULL : go, sometimes(3) ? NULL : finish};
    FILE *ours = ours_fopencookie(&mine, mode, functions), *system = fopencookie(&theirs, mode, functions);
    for (int i = 0; i < 6; i++) {
      char text[20], other[20];
      memset(text, 0, sizeof text), memset(other, 0, sizeof other);
      long to = (long)below(theirs.size + 1);
      if (functions.seek != NULL && sometimes(3))
        same_number(ours_fseek(ours, to, SEEK_SET) == 0, fseek(system, to, SEEK_SET) == 0, "fseek to %ld of functions", to);
      else if (*mode == 'r')
        same_number(ours_fgets(text, 10, ours) != NULL, fgets(other, 10, system) != NULL, "fgets of functions");
      else
        draw_text(text, below(5), "xy"), same_number(ours_fputs(text, ours) < 0, fputs(text, system) < 0, "fputs to functions"), memcpy(other, text, sizeof other);
      fflush(system);
      same_bytes(text, other, sizeof text, "what functions gave");
      if (functions.seek != NULL)
        same_number(ours_ftell(ours), ftell(system), "ftell of functions in mode %s", mode);
    }
    same_number(ours_fclose(ours), fclose(system), "fclose of functions");
    same_bytes(mine.bytes, theirs.bytes, sizeof mine.bytes, "what functions were given");
    same_number(mine.closed, theirs.closed, "how often functions were closed");
  }
  same_truth(ours_fopencookie(NULL, "q", (cookie_io_functions_t){0}) == NULL, 1, "fopencookie in a mode that does not exist");
}

static void compare_words(void) {
  FILE *ours = ours_tmpfile(), *system = tmpfile();
  for (int i = 0; i < 100; i++) {
    int word = (int)draw();
    same_number(ours_putw(word, ours), putw(word, system), "putw");
  }
  ours_rewind(ours), rewind(system);
  for (int i = 0; i < 102; i++)
    same_number(ours_getw(ours), getw(system), "getw");
  same_number(ours_fcloseall(), 0, "fcloseall");
  ours_fclose(ours), fclose(system);
  /* The runtime's standard input is empty here; world.rs has lines. */
  char line[4];
  same_truth(ours_gets(line) == NULL, 1, "gets at the end");
}

/* ---- Stacks of objects: the system's macros over both ---- */

static void *allocate(long size) { return malloc((size_t)size); }
static void give_back(void *object) { free(object); }
static void *allocate_with(void *extra, long size) { return (void)extra, malloc((size_t)size); }
static void give_back_with(void *extra, void *object) { (void)extra, free(object); }

/* The same with our functions where the macros call the system's. */
static int ours_vprintf_into(struct obstack *stack, bool checked, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = checked ? ours___obstack_vprintf_chk(stack, 1, text, arguments) : ours_obstack_vprintf(stack, text, arguments);
  va_end(arguments);
  return length;
}

#define _obstack_newchunk ours__obstack_newchunk
static void compare_stacks(void) {
  for (int round = 0; round < 60; round++) {
    struct obstack stack;
    char *objects[40];
    char expected[40][64];
    int count = 0;
    int size = (int)below(3) * 100;
    if (sometimes(2))
      ours__obstack_begin(&stack, size, 0, allocate, give_back);
    else
      ours__obstack_begin_1(&stack, size, sometimes(2) ? 32 : 1, allocate_with, give_back_with, &stack);
    for (int i = 0; i < 60; i++) {
      if (count > 0 && sometimes(8)) {
        count = (int)below((size_t)count);
        if (sometimes(2))
          ours__obstack_free(&stack, objects[count]);
        else
          ours_obstack_free(&stack, objects[count]);
      }
      if (count == 40)
        break;
      char text[64];
      draw_text(text, below(30), "uvw");
      size_t length = strlen(text);
      obstack_grow(&stack, text, length);
      for (unsigned more = (unsigned)below(4); more > 0; more--) {
        obstack_1grow(&stack, 'x');
        text[length++] = 'x';
      }
      text[length] = 0;
      int number = (int)below(1000);
      switch (below(4)) {
      case 0: ours_obstack_printf(&stack, "%d", number); break;
      case 1: ours___obstack_printf_chk(&stack, 1, "%d", number); break;
      case 2: ours_vprintf_into(&stack, true, "%d", number); break;
      default: ours_vprintf_into(&stack, false, "%d", number);
      }
      snprintf(expected[count], sizeof expected[count], "%s%d", text, number);
      obstack_1grow(&stack, 0);
      objects[count] = obstack_finish(&stack);
      same_number(((uintptr_t)objects[count] & (uintptr_t)obstack_alignment_mask(&stack)) == 0, 1, "an object's alignment");
      same_number(ours__obstack_allocated_p(&stack, objects[count]), 1, "_obstack_allocated_p");
      count++;
      for (int j = 0; j < count; j++)
        same_truth(strcmp(objects[j], expected[j]) == 0, 1, "object %d: '%s' and '%s'", j, objects[j], expected[j]);
    }
    same_truth(ours__obstack_memory_used(&stack) > 0, 1, "_obstack_memory_used");
    ours_obstack_free(&stack, NULL);
  }
  same_truth(ours_obstack_alloc_failed_handler != NULL && ours_obstack_exit_failure == obstack_exit_failure, 1, "handlers");
}
#undef _obstack_newchunk

/* ---- Trees ---- */

static int numbers[64];
static int by_number(const void *left, const void *right) {
  return (*(const int *)left > *(const int *)right) - (*(const int *)left < *(const int *)right);
}
static int walked[2][64], walked_count[2], deepest;
static void collect(const void *node, VISIT when, int depth) {
  deepest = depth > deepest ? depth : deepest;
  if (when == postorder || when == leaf)
    walked[0][walked_count[0]++] = **(const int *const *)node;
}
static void collect_theirs(const void *node, VISIT when, int depth) {
  (void)depth;
  if (when == postorder || when == leaf)
    walked[1][walked_count[1]++] = **(const int *const *)node;
}
static void count_visits(const void *node, VISIT when, void *closure) {
  (void)node;
  ((int *)closure)[when]++;
}
static int destroyed;
static void destroy(void *key) { destroyed += key != NULL; }

static void compare_trees(void) {
  for (int i = 0; i < 64; i++)
    numbers[i] = (int)below(50);
  for (int round = 0; round < 60; round++) {
    void *ours = NULL, *theirs = NULL;
    int size = 0;
    for (int i = 0; i < 80; i++) {
      int *key = &numbers[below(64)];
      int *const *mine, *const *system;
      switch (below(4)) {
      case 0:
        mine = ours_tfind(key, &ours, by_number), system = tfind(key, &theirs, by_number);
        break;
      case 1:
        same_truth(ours_tdelete(key, &ours, by_number) != NULL, tdelete(key, &theirs, by_number) != NULL, "tdelete of %d", *key);
        continue;
      default:
        mine = ours_tsearch(key, &ours, by_number), system = tsearch(key, &theirs, by_number);
      }
      same_truth(mine != NULL, system != NULL, "the search for %d", *key);
      if (mine != NULL && system != NULL)
        same_number(**mine, **system, "what is found for %d", *key);
    }
    walked_count[0] = walked_count[1] = 0;
    ours_twalk(ours, collect);
    twalk(theirs, collect_theirs);
    size = walked_count[0];
    same_number(size, walked_count[1], "how many twalk visits");
    same_bytes(walked[0], walked[1], sizeof walked[0][0] * (size_t)size, "the order of twalk");
    int visits[4] = {0};
    ours_twalk_r(ours, count_visits, visits);
    same_truth(visits[preorder] == visits[postorder] && visits[postorder] == visits[endorder] && visits[preorder] + visits[leaf] == size,
               1, "the visits of twalk_r");
    destroyed = 0;
    ours_tdestroy(ours, destroy);
    same_number(destroyed, size, "how many tdestroy destroys");
    tdestroy(theirs, destroy);
  }
  same_truth(deepest > 2 && deepest < 64, 1, "depths");
}

void compare_containers(void) {
  compare_texts();
  compare_arrays();
  compare_other_names();
  compare_cookies();
  compare_words();
  compare_stacks();
  compare_trees();
}
