/* What is unknown of files besides their content (--sym-metadata): kind, permissions, owner, links, times, the size
 * of blocks. It is one input for each file, as in KLEE (`A_data_stat`, `stdin_stat`, `stdout_stat`: a struct stat),
 * made when a program first looks, so that those that never look have no such input.
 *
 * The type of the volume that they are on (statfs) is another input, `volume_stat`.
 *
 * Sizes and numbers of files stay known. A file is an ordinary one, a pipe, or a device: a device of characters is
 * a terminal, and of a pipe or a terminal nothing is sought (ESPIPE). None is a folder or a link, whose content
 * would be another. Permissions refuse to open what the program's user may not read
 * or write; what is open already, as the standard streams are, nobody asks about.
 */
#include "file.h"
#include "metadata.h"

void __symexec_make_input(void *bytes, size_t size, const char *name, const char *shape);
void klee_assume(uintptr_t condition);

enum { A_BLOCK_DEVICE = 060000, LARGEST_BLOCK = 65535, USER = 1000, NANOSECONDS = 1000000000 };

static bool begun;
static struct file output = {.mode = A_DEVICE | 0666, .links = 1, .number = 1};

void metadata_begin(void) {
  begun = true;
  output.unknown = "stdout_stat";
}

void metadata_add(struct file *file, const char *input) {
  size_t length = strlen(input);
  char *name = begun ? malloc(length + 6) : NULL;
  if (name == NULL)
    return;
  memcpy(name, input, length);
  memcpy(name + length, "_stat", 6);
  file->unknown = name;
}

struct status *metadata_of(struct file *file) {
  if (file->unknown == NULL || file->status != NULL)
    return file->status;
  struct status *status = malloc(sizeof *status);
  if (status == NULL)
    return NULL;
  __symexec_make_input(status, sizeof *status, file->unknown, NULL);
  uint32_t kind = status->mode & KIND;
  klee_assume((kind == AN_ORDINARY_FILE) | (kind == A_PIPE) | (kind == A_DEVICE) | (kind == A_BLOCK_DEVICE));
  klee_assume(status->mode <= 0177777);
  klee_assume((uint64_t)status->block_size - 1 < LARGEST_BLOCK);
  klee_assume(status->links - 1 < 1000);
  for (int time = 0; time < 3; time++)
    klee_assume((uint64_t)status->times[2 * time + 1] < NANOSECONDS);
  file->status = status;
  return status;
}

bool metadata_is(struct file *file, uint32_t kind) {
  const struct status *status = metadata_of(file);
  return ((status == NULL ? file->mode : status->mode) & KIND) == kind;
}

bool metadata_are_unknown(void) { return begun; }

/* Who owns a file has the permissions of owners alone, who is in its group those of the group. */
bool metadata_lets(struct file *file, uint32_t bits) {
  const struct status *status = metadata_of(file);
  if (status == NULL)
    return true;
  uint32_t owns = 0 - (uint32_t)(status->user == USER), belongs = ~owns & (0 - (uint32_t)(status->group == USER));
  uint32_t mode = status->mode;
  uint32_t given = (mode >> 6 & owns) | (mode >> 3 & belongs) | (mode & ~(owns | belongs));
  return (given & bits) == bits;
}

bool metadata_is_own(struct file *file) {
  const struct status *status = metadata_of(file);
  return status == NULL || status->user == USER;
}

struct file *metadata_behind(int descriptor) {
  struct file *file = file_of(descriptor);
  return file == NULL && begun && descriptor == 1 && file_is_sink(descriptor) ? &output : file;
}

long metadata_volume(long type) {
  static uint64_t unknown;
  static bool asked;
  if (!begun)
    return type;
  if (!asked) {
    asked = true;
    __symexec_make_input(&unknown, sizeof unknown, "volume_stat", NULL);
    klee_assume(unknown <= UINT32_MAX);
  }
  return (long)unknown;
}

bool metadata_is_terminal(int descriptor) {
  if (!begun)
    return false;
  struct file *file = metadata_behind(descriptor);
  return file != NULL && file->unknown != NULL && metadata_is(file, A_DEVICE);
}
