/* Streams of wide characters: fputwc, fgetwc, wprintf and their relatives.
 *
 * The locale is "C", where a wide character below 128 is a byte: as in glibc, others are written as question
 * marks, and reading a byte of 128 or more is an error (EILSEQ).
 * Differs from glibc: some characters are letters there ("Zh"), and here no more than question marks; bytes and wide
 * characters may be mixed on a stream, whichever of them came first.
 */
#include "format.h"
#include "stream.h"
#include "wide.h"

wide fputwc(wc character, FILE *stream) {
  stream->is_wide = true;
  /* Into memory characters go as they are. */
  if (stream->unit == sizeof character)
    return stream_write(stream, &character, sizeof character) == sizeof character ? (wide)character : NO_CHARACTER;
  char byte = narrow((wide)character);
  return stream_write(stream, &byte, 1) == 1 ? (wide)character : NO_CHARACTER;
}

int fputws(const wc *restrict text, FILE *restrict stream) {
  for (; *text != 0; text++)
    if (fputwc(*text, stream) == NO_CHARACTER)
      return EOF;
  return 1;
}

wide fgetwc(FILE *stream) {
  stream->is_wide = true;
  int byte = stream_next(stream);
  if (byte == EOF)
    return NO_CHARACTER;
  if (byte < 128)
    return (wide)byte;
  stream->flags |= IN_ERROR;
  errno = EILSEQ;
  return NO_CHARACTER;
}

wc *fgetws(wc *restrict to, int size, FILE *restrict stream) {
  int count = 0;
  if (size <= 0)
    return NULL;
  while (count < size - 1) {
    wide next = fgetwc(stream);
    if (next == NO_CHARACTER)
      break;
    to[count++] = (wc)next;
    if (next == '\n')
      break;
  }
  if (size > 1 && (count == 0 || stream->flags & IN_ERROR))
    return NULL;
  to[count] = 0;
  return to;
}

/* Differs from glibc: a character that is no byte cannot be pushed back. */
wide ungetwc(wide character, FILE *stream) {
  return character < 128 && stream_back(stream, (int)character) ? character : NO_CHARACTER;
}

int fwide(FILE *stream, int mode) {
  stream->is_wide |= mode > 0;
  return stream->is_wide ? 1 : mode < 0 ? -1 : 0;
}

wide putwc(wc character, FILE *stream) { return fputwc(character, stream); }
wide putwchar(wc character) { return fputwc(character, stdout); }
wide getwc(FILE *stream) { return fgetwc(stream); }
wide getwchar(void) { return fgetwc(stdin); }

/* The same without locks: there is one thread. */
wide fputwc_unlocked(wc character, FILE *stream) { return fputwc(character, stream); }
wide putwc_unlocked(wc character, FILE *stream) { return fputwc(character, stream); }
wide putwchar_unlocked(wc character) { return fputwc(character, stdout); }
wide fgetwc_unlocked(FILE *stream) { return fgetwc(stream); }
wide getwc_unlocked(FILE *stream) { return fgetwc(stream); }
wide getwchar_unlocked(void) { return fgetwc(stdin); }
int fputws_unlocked(const wc *restrict text, FILE *restrict stream) { return fputws(text, stream); }
wc *fgetws_unlocked(wc *restrict to, int size, FILE *restrict stream) { return fgetws(to, size, stream); }

/* ---- Formats ---- */

/* Formats by the bytes of a format; what they do not say is in the format itself. */
static int format_wide(struct output *out, const wc *text, va_list arguments) {
  size_t length = 0;
  while (text[length] != 0)
    length++;
  char *bytes = malloc(length + 1);
  if (bytes == NULL) {
    errno = ENOMEM;
    return -1;
  }
  for (size_t i = 0; i <= length; i++)
    bytes[i] = (uint32_t)text[i] < 128 ? (char)text[i] : '?';
  out->literals = text;
  int result = format(out, bytes, arguments);
  free(bytes);
  return result;
}

/* Into memory: a text is put together first, in room for its characters. */
static int print_into_memory(FILE *stream, const wc *text, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  struct output count = {.descriptor = -1};
  int length = format_wide(&count, text, arguments);
  wc *whole = length < 0 ? NULL : malloc(((size_t)length + 1) * sizeof *whole);
  if (whole != NULL) {
    struct output out = {.wide_array = whole, .size = (size_t)length + 1, .descriptor = -1};
    size_t bytes = (size_t)length * sizeof *whole;
    length = format_wide(&out, text, again);
    length = stream_write(stream, whole, bytes) == bytes ? length : -1;
    free(whole);
  }
  va_end(again);
  return whole == NULL ? -1 : length;
}

int vfwprintf(FILE *restrict stream, const wc *restrict text, va_list arguments) {
  struct output out = {.descriptor = stream->descriptor};
  stream->is_wide = true;
  if (stream->unit == sizeof(wc))
    return print_into_memory(stream, text, arguments);
  int length = format_wide(&out, text, arguments);
  if (out.failed)
    stream->flags |= IN_ERROR;
  return out.failed ? -1 : length;
}

int vwprintf(const wc *restrict text, va_list arguments) { return vfwprintf(stdout, text, arguments); }

int fwprintf(FILE *restrict stream, const wc *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vfwprintf(stream, text, arguments);
  va_end(arguments);
  return length;
}

int wprintf(const wc *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vfwprintf(stdout, text, arguments);
  va_end(arguments);
  return length;
}

int vswprintf(wc *restrict to, size_t size, const wc *restrict text, va_list arguments) {
  struct output out = {.wide_array = to, .size = size, .descriptor = -1};
  if (size == 0)
    return -1;
  int length = format_wide(&out, text, arguments);
  to[out.count < size ? out.count : size - 1] = 0;
  return length >= 0 && (size_t)length < size ? length : -1;
}

int swprintf(wc *restrict to, size_t size, const wc *restrict text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = vswprintf(to, size, text, arguments);
  va_end(arguments);
  return length;
}
