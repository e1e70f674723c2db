/* The start of a program whose arguments and files are unknown, or unknown in part.
 *
 * The engine reads KLEE's options (--sym-args and its relatives) and hands them over as a list; what
 * they ask for is made here, so that a number of arguments that is unknown forks like everything else.
 */
#include "children.h"
#include "file.h"
#include "metadata.h"

extern char **environ;
int main(int count, char **arguments, char **environment);
__attribute__((noreturn)) void exit(int status);
int klee_range(int begin, int end, const char *name);

/* Makes bytes unknown but those at which the shape, unless null, has something else than '?'. */
void __symexec_make_input(void *bytes, size_t size, const char *name, const char *shape);

/* The engine writes these: exec/start.rs. */
struct entry {
  enum { ARGUMENT, UNKNOWN_ARGUMENTS, NAMED_FILE, STANDARD_INPUT, FAILURES, VARIABLE, METADATA, OUTPUT, PROCESSES } kind;
  uint32_t least, most; /* how many arguments, or failures; which processes are followed */
  uint32_t fixed;       /* whether all bytes of the file are known */
  size_t size;          /* of each of them, or of the file */
  const char *text;     /* the argument, or the name of the file or variable */
  const char *name;     /* the input's name in tests */
  const char *shape;    /* the file's bytes; null if all are unknown */
};

/* What a program is started with, it does not give back. */
void klee_mark_global(void *object);

__attribute__((noreturn)) static void no_memory(void) {
  klee_report_error(__FILE__, __LINE__, "no memory for the program's arguments", "user");
}

/* An unknown string of at most so many characters: arg00, arg01, ... */
static char *unknown_argument(size_t size, unsigned number) {
  char name[] = "arg00";
  name[3] = (char)('0' + number / 10 % 10);
  name[4] = (char)('0' + number % 10);
  char *text = malloc(size + 1);
  if (text == NULL)
    no_memory();
  __symexec_make_input(text, size + 1, name, NULL);
  text[size] = 0;
  klee_mark_global(text);
  return text;
}

static void make_file(const struct entry *entry) {
  /* No program can open its input by a name. */
  struct file *file =
      entry->kind == STANDARD_INPUT ? tree_new(AN_ORDINARY_FILE | 0644, entry->size) : file_add(entry->text, entry->size);
  if (file == NULL)
    no_memory();
  if (entry->fixed)
    memcpy(file->bytes, entry->shape, entry->size);
  else if (entry->size > 0)
    __symexec_make_input(file->bytes, entry->size, entry->name, entry->shape);
  if (!entry->fixed)
    metadata_add(file, entry->name);
  if (entry->kind == STANDARD_INPUT)
    file_of_input(file);
}

/* A variable of the environment with an unknown value, behind those that there are. */
static void make_variable(const struct entry *entry) {
  size_t count = 0, length = strlen(entry->text);
  while (environ != NULL && environ[count] != NULL)
    count++;
  char **more = malloc((count + 2) * sizeof *more), *value = malloc(entry->size + 1);
  char *text = malloc(length + entry->size + 2);
  if (more == NULL || value == NULL || text == NULL)
    no_memory();
  __symexec_make_input(value, entry->size + 1, entry->name, NULL);
  memcpy(text, entry->text, length);
  text[length] = '=';
  memcpy(text + length + 1, value, entry->size);
  text[length + 1 + entry->size] = 0;
  if (count > 0)
    memcpy(more, environ, count * sizeof *more);
  more[count] = text;
  more[count + 1] = NULL;
  environ = more;
}

/* The file that standard output goes to. Nobody can read what is written there, so it is only an input of tests, and
 * the engine shows nothing. */
static void make_output(const struct entry *entry) {
  void *bytes = malloc(entry->size);
  if (bytes == NULL)
    no_memory();
  __symexec_make_input(bytes, entry->size, entry->name, NULL);
}

__attribute__((noreturn)) void __symexec_start(const struct entry *entries, size_t entry_count) {
  size_t most = 0;
  for (size_t i = 0; i < entry_count; i++)
    if (entries[i].kind == METADATA)
      metadata_begin();
  for (size_t i = 0; i < entry_count; i++)
    most += entries[i].kind == ARGUMENT ? 1 : entries[i].kind == UNKNOWN_ARGUMENTS ? entries[i].most : 0;
  char **arguments = malloc((most + 1) * sizeof *arguments);
  if (arguments == NULL)
    no_memory();
  int count = 0;
  unsigned unknown = 0;
  for (size_t i = 0; i < entry_count; i++) {
    const struct entry *entry = &entries[i];
    if (entry->kind == ARGUMENT) {
      arguments[count++] = (char *)entry->text;
    } else if (entry->kind == UNKNOWN_ARGUMENTS) {
      uint32_t wanted = entry->least;
      if (entry->least != entry->most)
        wanted = (uint32_t)klee_range((int)entry->least, (int)entry->most + 1, "n_args");
      for (uint32_t j = 0; j < wanted; j++)
        arguments[count++] = unknown_argument(entry->size, unknown++);
    } else if (entry->kind == FAILURES) {
      if (!file_failures(entry->most))
        no_memory();
    } else if (entry->kind == VARIABLE) {
      make_variable(entry);
    } else if (entry->kind == OUTPUT) {
      make_output(entry);
    } else if (entry->kind == PROCESSES) {
      children_followed = entry->most;
    } else if (entry->kind != METADATA) {
      make_file(entry);
    }
  }
  arguments[count] = NULL;
  klee_mark_global(arguments);
  exit(main(count, arguments, environ));
}
