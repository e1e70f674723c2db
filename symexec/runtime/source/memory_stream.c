/* Streams over memory, files without a name and functions of the program: open_memstream, fmemopen, tmpfile, fopencookie.
 *
 * Differs from glibc: the text of open_memstream is a new object with each fflush, and what fmemopen's stream is
 * given is in the array at once, without room kept for a final zero. */
#include "stream.h"

static FILE *over(struct file *file, int flags) {
  int descriptor = file == NULL ? -1 : file_over(file, flags);
  FILE *stream = descriptor < 0 ? NULL : malloc(sizeof *stream);
  if (stream != NULL)
    *stream = (FILE){.descriptor = descriptor};
  return stream;
}

/* What the system knows nothing of. */
static FILE *without_descriptor(struct file *file, int flags) {
  FILE *stream = over(file, flags);
  if (stream != NULL)
    stream->is_nameless = true;
  return stream;
}

FILE *tmpfile(void) { return over(tree_new(AN_ORDINARY_FILE | 0600, 0), READ_AND_WRITE); }
FILE *tmpfile64(void) { return tmpfile(); }

static FILE *telling(char **text, size_t *length, size_t unit) {
  if (text == NULL || length == NULL) {
    errno = EINVAL;
    return NULL;
  }
  FILE *stream = without_descriptor(tree_new(AN_ORDINARY_FILE | 0600, 0), WRITE_ONLY);
  if (stream == NULL)
    return NULL;
  *text = NULL;
  stream->text = text;
  stream->length = length;
  stream->unit = unit;
  stream_tell_text(stream);
  return stream;
}
FILE *open_memstream(char **text, size_t *length) { return telling(text, length, 1); }
FILE *open_wmemstream(wchar_t **text, size_t *length) { return telling((char **)text, length, sizeof(wchar_t)); }

FILE *fmemopen(void *array, size_t size, const char *mode) {
  int flags = stream_flags(mode);
  if (flags < 0)
    return NULL;
  struct file *file = tree_new(AN_ORDINARY_FILE | 0600, array == NULL ? size : 0);
  if (file == NULL)
    return NULL;
  if (array != NULL) {
    free(file->bytes);
    file->bytes = array;
  }
  file->fixed = true;
  file->room = size;
  if (array == NULL || (flags & TRUNCATE) != 0) {
    file->size = 0;
    if (size > 0 && (flags & ACCESS) == READ_AND_WRITE)
      file->bytes[0] = 0;
  } else
    file->size = (flags & APPEND) != 0 ? strnlen(array, size) : size;
  return without_descriptor(file, flags & ~(CREATE | TRUNCATE | EXCLUSIVE));
}

/* glibc's cookie_io_functions_t. Differs from it: nothing is kept between calls, so the functions are called for what the
   program reads and writes in one call, or for parts of it, and with the place that a program sets. */
struct functions {
  ptrdiff_t (*read)(void *cookie, char *to, size_t count);
  ptrdiff_t (*write)(void *cookie, const char *from, size_t count);
  int (*seek)(void *cookie, long *place, int from);
  int (*close)(void *cookie);
};

FILE *fopencookie(void *cookie, const char *mode, struct functions functions) {
  int flags = stream_flags(mode);
  struct handlers *handlers = flags < 0 ? NULL : malloc(sizeof *handlers);
  struct file *file = handlers == NULL ? NULL : tree_new(AN_ORDINARY_FILE | 0600, 0);
  if (file == NULL)
    return NULL;
  *handlers = (struct handlers){cookie, functions.read, functions.write, functions.seek, functions.close};
  file->handlers = handlers;
  return without_descriptor(file, flags & ~(CREATE | TRUNCATE | EXCLUSIVE | APPEND));
}
