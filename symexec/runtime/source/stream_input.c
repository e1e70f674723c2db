/* Input through streams, and opening them: fopen, fgetc, fgets, fread, getline, fseek.
 *
 * A character is read when it is asked for, so a stream and its descriptor never disagree on where they
 * are. Reading a line asks of every unknown character whether it ends the line, which forks.
 * Differs from glibc: up to four characters can be pushed back; modes beyond r, w, a, + and x say nothing.
 */
#include "stream.h"

/* How many bytes glibc's streams read ahead. */
enum { AHEAD = 4096 };

int stream_next(FILE *stream) {
  if (stream->pushed_count > 0)
    return stream->pushed[--stream->pushed_count];
  /* The end stays the end until it is forgotten, also where a file has grown. */
  if ((stream->flags & AT_END) != 0)
    return EOF;
  unsigned char byte;
  ptrdiff_t taken = file_read(stream->descriptor, &byte, 1);
  if (taken == 1)
    return byte;
  stream->flags |= taken == 0 ? AT_END : IN_ERROR;
  return EOF;
}

bool stream_back(FILE *stream, int character) {
  if (stream->pushed_count == sizeof stream->pushed / sizeof *stream->pushed)
    return false;
  stream->pushed[stream->pushed_count++] = character;
  stream->flags &= ~AT_END;
  return true;
}

/* ---- Opening ---- */

int stream_flags(const char *mode) {
  int flags = *mode == 'r' ? 0 : *mode == 'w' ? CREATE | TRUNCATE : *mode == 'a' ? CREATE | APPEND : -1;
  bool both = false;
  if (flags < 0) {
    errno = EINVAL;
    return -1;
  }
  for (const char *more = mode + 1; *more != 0 && *more != ','; more++) {
    both |= *more == '+';
    if (*more == 'x')
      flags |= EXCLUSIVE;
    if (*more == 'e')
      flags |= CLOSE_ON_EXEC;
  }
  return flags | (both ? READ_AND_WRITE : *mode == 'r' ? READ_ONLY : WRITE_ONLY);
}

static FILE *stream_over(FILE *stream, int descriptor) {
  if (descriptor < 0)
    return NULL;
  if (stream == NULL && (stream = malloc(sizeof *stream)) == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  *stream = (FILE){.descriptor = descriptor};
  return stream;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
  int flags = stream_flags(mode);
  return flags < 0 ? NULL : stream_over(NULL, file_open(AT_HERE, path, flags, 0666));
}

FILE *fopen64(const char *restrict path, const char *restrict mode) { return fopen(path, mode); }

FILE *fdopen(int descriptor, const char *mode) {
  int flags = stream_flags(mode), open = flags < 0 ? -1 : file_flags(descriptor);
  if (open < 0)
    return NULL;
  if ((open & ACCESS) != READ_AND_WRITE && (open & ACCESS) != (flags & ACCESS)) {
    errno = EINVAL;
    return NULL;
  }
  if ((flags & APPEND) != 0)
    file_set_flags(descriptor, open | APPEND);
  return stream_over(NULL, descriptor);
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  int flags = stream_flags(mode);
  if (flags < 0)
    return NULL;
  file_close(stream->descriptor);
  return stream_over(stream, file_open(AT_HERE, path, flags, 0666));
}

int fclose(FILE *stream) {
  if (stream->text != NULL && stream_tell_text(stream) < 0)
    stream->flags |= IN_ERROR;
  else if (stream->text != NULL)
    /* The text ends where its length says, also in the midst of what was written. */
    memset(*stream->text + *stream->length * stream->unit, 0, stream->unit);
  int result = file_close(stream->descriptor) == 0 ? 0 : EOF;
  if (stream != stdin && stream != stdout && stream != stderr)
    free(stream);
  return result;
}

/* ---- Characters and lines ---- */

int fgetc(FILE *stream) { return stream_next(stream); }
int getc(FILE *stream) { return stream_next(stream); }
int getchar(void) { return stream_next(stdin); }
int fgetc_unlocked(FILE *stream) { return stream_next(stream); }
int getc_unlocked(FILE *stream) { return stream_next(stream); }
int getchar_unlocked(void) { return stream_next(stdin); }

/* What glibc's inlined functions call. */
int __uflow(FILE *stream) { return stream_next(stream); }

int ungetc(int character, FILE *stream) {
  if (character == EOF || !stream_back(stream, (unsigned char)character))
    return EOF;
  return (unsigned char)character;
}

char *fgets(char *restrict to, int size, FILE *restrict stream) {
  int count = 0;
  if (size <= 0)
    return NULL;
  /* An error from before is remembered, but does not spoil this line. */
  int before = stream->flags & IN_ERROR;
  stream->flags &= ~IN_ERROR;
  while (count < size - 1) {
    int character = stream_next(stream);
    if (character == EOF)
      break;
    to[count++] = (char)character;
    if (character == '\n')
      break;
  }
  bool failed = (count == 0 && size > 1) || stream->flags & IN_ERROR;
  stream->flags |= before;
  if (failed)
    return NULL;
  to[count] = 0;
  return to;
}

char *fgets_unlocked(char *restrict to, int size, FILE *restrict stream) { return fgets(to, size, stream); }

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  size_t wanted = size * count, got = 0;
  if (wanted == 0)
    return 0;
  unsigned char *bytes = to;
  while (got < wanted && stream->pushed_count > 0)
    bytes[got++] = (unsigned char)stream_next(stream);
  /* glibc looks again behind an end where as much is wanted as it reads ahead. */
  if ((stream->flags & AT_END) != 0 && (klee_is_symbolic(wanted - got) || wanted - got < AHEAD))
    return got / size;
  while (got < wanted) {
    ptrdiff_t taken = file_read(stream->descriptor, bytes + got, wanted - got);
    if (taken <= 0) {
      stream->flags |= taken == 0 ? AT_END : IN_ERROR;
      break;
    }
    got += (size_t)taken;
  }
  return got / size;
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  return fread(to, size, count, stream);
}

static bool has_room(char **line, size_t *room, size_t count) {
  if (count <= *room)
    return true;
  size_t larger = *room < 60 ? 120 : *room * 2;
  char *moved = malloc(larger);
  if (moved == NULL) {
    errno = ENOMEM;
    return false;
  }
  if (*line != NULL) {
    memcpy(moved, *line, *room);
    free(*line);
  }
  *line = moved;
  *room = larger;
  return true;
}

ptrdiff_t getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream) {
  if (line == NULL || room == NULL) {
    errno = EINVAL;
    return -1;
  }
  size_t count = 0;
  if (*line == NULL)
    *room = 0;
  /* As in glibc: who looks at the line where nothing was read finds one. */
  if (!has_room(line, room, 1))
    return -1;
  for (;;) {
    int character = stream_next(stream);
    if (character == EOF && count == 0)
      return -1;
    if (!has_room(line, room, count + 2))
      return -1;
    if (character == EOF)
      break;
    (*line)[count++] = (char)character;
    if (character == delimiter)
      break;
  }
  (*line)[count] = 0;
  return (ptrdiff_t)count;
}

ptrdiff_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream) {
  return getdelim(line, room, '\n', stream);
}

/* ---- Where a stream is ---- */

/* Wide characters in memory are counted; everything else is bytes. */
static long unit_of(FILE *stream) { return stream->unit > 1 ? (long)stream->unit : 1; }

long ftell(FILE *stream) {
  long position = file_seek(stream->descriptor, 0, FROM_HERE);
  return position < 0 ? -1 : position / unit_of(stream) - stream->pushed_count;
}

long ftello(FILE *stream) { return ftell(stream); }

int fseek(FILE *stream, long offset, int from) {
  if (from == FROM_HERE)
    offset -= stream->pushed_count;
  if (__builtin_mul_overflow(offset, unit_of(stream), &offset)) {
    errno = EINVAL;
    return -1;
  }
  if (file_seek(stream->descriptor, offset, from) < 0)
    return -1;
  stream->pushed_count = 0;
  stream->flags &= ~AT_END;
  return 0;
}

int fseeko(FILE *stream, long offset, int from) { return fseek(stream, offset, from); }

void rewind(FILE *stream) {
  fseek(stream, 0, FROM_START);
  stream->flags &= ~(AT_END | IN_ERROR);
}
