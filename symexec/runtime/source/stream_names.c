/* Other names of what streams do: with locks, for large files, with checks of the room, positions as objects. */
#include "stream.h"

__attribute__((noreturn)) void __chk_fail(void);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream);
int fputc(int character, FILE *stream);
int fgetc(FILE *stream);
int fileno(FILE *stream);
long ftell(FILE *stream);
int fseek(FILE *stream, long offset, int from);
char *fgets(char *restrict to, int size, FILE *restrict stream);
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream);
ptrdiff_t getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream);
ptrdiff_t read(int descriptor, void *to, size_t count);
int vdprintf(int descriptor, const char *restrict text, va_list arguments);

/* The line that is read is as long as it likes. */
char *gets(char *to) {
  char *line = NULL;
  size_t room = 0;
  ptrdiff_t length = getdelim(&line, &room, '\n', stdin);
  if (length > 0) {
    length -= line[length - 1] == '\n';
    memcpy(to, line, (size_t)length);
    to[length] = 0;
  }
  free(line);
  return length < 0 ? NULL : to;
}
int getw(FILE *stream) {
  int word;
  return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
int putw(int word, FILE *stream) { return stream_write(stream, &word, sizeof word) == sizeof word ? 0 : EOF; }
/* Streams hold nothing back, so there is nothing to be done for those that stay open. */
int fcloseall(void) { return 0; }

/* There is one thread. */
void flockfile(FILE *stream) { (void)stream; }
int ftrylockfile(FILE *stream) { return (void)stream, 0; }
void funlockfile(FILE *stream) { (void)stream; }

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  return freopen(path, mode, stream);
}
long ftello64(FILE *stream) { return ftell(stream); }
int fseeko64(FILE *stream, long offset, int from) { return fseek(stream, offset, from); }
int fileno_unlocked(FILE *stream) { return fileno(stream); }
int _IO_getc(FILE *stream) { return fgetc(stream); }
int _IO_putc(int character, FILE *stream) { return fputc(character, stream); }
ptrdiff_t __getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream) {
  return getdelim(line, room, delimiter, stream);
}

/* Nothing is buffered. */
void setlinebuf(FILE *stream) { (void)stream; }
void setbuffer(FILE *stream, char *buffer, size_t size) { (void)stream, (void)buffer, (void)size; }

/* glibc's fpos_t begins with the position. */
int fgetpos(FILE *restrict stream, long *restrict to) {
  long position = ftell(stream);
  if (position < 0)
    return -1;
  *to = position;
  return 0;
}
int fsetpos(FILE *stream, const long *position) { return fseek(stream, *position, FROM_START); }
int fgetpos64(FILE *restrict stream, long *restrict to) { return fgetpos(stream, to); }
int fsetpos64(FILE *stream, const long *position) { return fsetpos(stream, position); }

char *__fgets_chk(char *restrict to, size_t room, int size, FILE *restrict stream) {
  if (size > 0 && (size_t)size > room)
    __chk_fail();
  return fgets(to, size, stream);
}
char *__fgets_unlocked_chk(char *restrict to, size_t room, int size, FILE *restrict stream) {
  return __fgets_chk(to, room, size, stream);
}
size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count, FILE *restrict stream) {
  if (size > 0 && count > room / size)
    __chk_fail();
  return fread(to, size, count, stream);
}
size_t __fread_unlocked_chk(void *restrict to, size_t room, size_t size, size_t count, FILE *restrict stream) {
  return __fread_chk(to, room, size, count, stream);
}
ptrdiff_t __read_chk(int descriptor, void *to, size_t count, size_t room) {
  if (count > room)
    __chk_fail();
  return read(descriptor, to, count);
}
int __vdprintf_chk(int descriptor, int flag, const char *restrict text, va_list arguments) {
  return (void)flag, vdprintf(descriptor, text, arguments);
}
int __dprintf_chk(int descriptor, int flag, const char *restrict text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int length = vdprintf(descriptor, text, arguments);
  va_end(arguments);
  return length;
}
