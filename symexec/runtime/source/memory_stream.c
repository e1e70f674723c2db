/* Streams over memory and files without a name: open_memstream, fmemopen, tmpfile.
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

FILE *tmpfile(void) { return over(tree_new(AN_ORDINARY_FILE | 0600, 0), READ_AND_WRITE); }
FILE *tmpfile64(void) { return tmpfile(); }

FILE *open_memstream(char **text, size_t *length) {
  if (text == NULL || length == NULL) {
    errno = EINVAL;
    return NULL;
  }
  FILE *stream = over(tree_new(AN_ORDINARY_FILE | 0600, 0), WRITE_ONLY);
  if (stream == NULL)
    return NULL;
  *text = NULL;
  stream->text = text;
  stream->length = length;
  stream_tell_text(stream);
  return stream;
}

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
  return over(file, flags & ~(CREATE | TRUNCATE | EXCLUSIVE));
}
