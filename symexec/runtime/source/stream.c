/* Standard streams and their output: printf, puts, fwrite and their relatives.
 *
 * Nothing is buffered between calls: each call hands its characters on (file.c), so nothing is lost
 * where a path ends early.
 */
#include "format.h"
#include "stream.h"

char *strerror(int error);

static FILE streams[3] = {{.descriptor = 0}, {.descriptor = 1}, {.descriptor = 2}};

FILE *stdin = &streams[0];
FILE *stdout = &streams[1];
FILE *stderr = &streams[2];

size_t stream_write(FILE *stream, const void *bytes, size_t count) {
  ptrdiff_t taken = file_write(stream->descriptor, bytes, count);
  if (taken < 0 || (size_t)taken < count)
    stream->flags |= IN_ERROR;
  return taken < 0 ? 0 : (size_t)taken;
}

size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
  if (size == 0 || count == 0)
    return 0;
  return stream_write(stream, bytes, size * count) / size;
}

int fputc(int character, FILE *stream) {
  unsigned char byte = (unsigned char)character;
  return stream_write(stream, &byte, 1) == 1 ? byte : EOF;
}

int putc(int character, FILE *stream) { return fputc(character, stream); }

int putchar(int character) { return fputc(character, stdout); }

int fputs(const char *restrict text, FILE *restrict stream) {
  size_t length = file_is_sink(stream->descriptor) ? unseen_length(text, SIZE_MAX) : strlen(text);
  if (klee_is_symbolic(length))
    return stream_write(stream, text, length) == length ? 1 : EOF;
  return length == 0 || stream_write(stream, text, length) == length ? 1 : EOF;
}

int puts(const char *text) { return fputs(text, stdout) < 0 || fputc('\n', stdout) < 0 ? EOF : 1; }

int vfprintf(FILE *restrict stream, const char *restrict text, va_list arguments) {
  struct output out = {.descriptor = stream->descriptor};
  int length = format(&out, text, arguments);
  if (out.failed)
    stream->flags |= IN_ERROR;
  return out.failed ? -1 : length;
}

int vprintf(const char *restrict text, va_list arguments) { return vfprintf(stdout, text, arguments); }

int fprintf(FILE *restrict stream, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vfprintf(stream, text, arguments);
  va_end(arguments);
  return length;
}

int printf(const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vfprintf(stdout, text, arguments);
  va_end(arguments);
  return length;
}

int vdprintf(int descriptor, const char *restrict text, va_list arguments) {
  struct output out = {.descriptor = descriptor};
  if (descriptor < 0) {
    errno = EBADF;
    return -1;
  }
  int length = format(&out, text, arguments);
  return out.failed ? -1 : length;
}

int dprintf(int descriptor, const char *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vdprintf(descriptor, text, arguments);
  va_end(arguments);
  return length;
}

void perror(const char *text) {
  const char *message = strerror(errno);
  if (text != NULL && *text != 0)
    fprintf(stderr, "%s: %s\n", text, message);
  else
    fprintf(stderr, "%s\n", message);
}

int stream_tell_text(FILE *stream) {
  struct file *file = file_of(stream->descriptor);
  char *text = malloc(file->size + stream->unit);
  if (text == NULL)
    return -1;
  memcpy(text, file->bytes, file->size);
  memset(text + file->size, 0, stream->unit);
  free(*stream->text);
  *stream->text = text;
  /* What is told ends where the next character would come. */
  long here = file_seek(stream->descriptor, 0, FROM_HERE);
  *stream->length = ((size_t)here < file->size ? (size_t)here : file->size) / stream->unit;
  return 0;
}

int fflush(FILE *stream) {
  return stream != NULL && stream->text != NULL && stream_tell_text(stream) < 0 ? EOF : 0;
}

int feof(FILE *stream) { return (stream->flags & AT_END) != 0; }

int ferror(FILE *stream) { return (stream->flags & IN_ERROR) != 0; }

void clearerr(FILE *stream) { stream->flags &= ~(AT_END | IN_ERROR); }

int fileno(FILE *stream) {
  if (!stream->is_nameless)
    return stream->descriptor;
  errno = EBADF;
  return -1;
}

void setbuf(FILE *restrict stream, char *restrict buffer) { (void)stream, (void)buffer; }

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)stream, (void)buffer, (void)size;
  return mode < 0 || mode > 2 ? -1 : 0;
}

/* What glibc's inlined functions call. */

int __overflow(FILE *stream, int character) { return fputc(character, stream); }

/* The same without locks: there is one thread. */
int fputc_unlocked(int character, FILE *stream) { return fputc(character, stream); }
int putc_unlocked(int character, FILE *stream) { return fputc(character, stream); }
int putchar_unlocked(int character) { return fputc(character, stdout); }
int fputs_unlocked(const char *restrict text, FILE *restrict stream) { return fputs(text, stream); }
size_t fwrite_unlocked(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
  return fwrite(bytes, size, count, stream);
}
int fflush_unlocked(FILE *stream) { return fflush(stream); }
int feof_unlocked(FILE *stream) { return feof(stream); }
int ferror_unlocked(FILE *stream) { return ferror(stream); }
