/* Wide characters and strings, and the one locale: "C", in which a character is a byte below 128.
 * More of strings is in wide_text.c, numbers in them in wide_parse.c, streams in wide_stream.c.
 */
#include "wide.h"

size_t wcslen(const wc *text) {
  size_t length = 0;
  while (text[length] != 0)
    length++;
  return length;
}

size_t wcsnlen(const wc *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length] != 0)
    length++;
  return length;
}

wc *wmemcpy(wc *restrict to, const wc *restrict from, size_t count) {
  return memcpy(to, from, count * sizeof(wc));
}

wc *wmemmove(wc *to, const wc *from, size_t count) { return memmove(to, from, count * sizeof(wc)); }

wc *wmemset(wc *to, wc character, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = character;
  return to;
}

int wmemcmp(const wc *left, const wc *right, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
  return 0;
}

wc *wmemchr(const wc *text, wc character, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (text[i] == character)
      return (wc *)text + i;
  return 0;
}

wc *wcscpy(wc *restrict to, const wc *restrict from) {
  for (size_t i = 0; (to[i] = from[i]) != 0; i++)
    ;
  return to;
}

wc *wcsncpy(wc *restrict to, const wc *restrict from, size_t count) {
  size_t i = 0;
  for (; i < count && from[i] != 0; i++)
    to[i] = from[i];
  wmemset(to + i, 0, count - i);
  return to;
}

wc *wcscat(wc *restrict to, const wc *restrict from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

wc *wcsncat(wc *restrict to, const wc *restrict from, size_t count) {
  wc *end = to + wcslen(to);
  size_t i = 0;
  for (; i < count && from[i] != 0; i++)
    end[i] = from[i];
  end[i] = 0;
  return to;
}

int wcsncmp(const wc *left, const wc *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
    if (left[i] == 0)
      break;
  }
  return 0;
}

int wcscmp(const wc *left, const wc *right) { return wcsncmp(left, right, SIZE_MAX); }
int wcscoll(const wc *left, const wc *right) { return wcscmp(left, right); }

wc *wcschr(const wc *text, wc character) {
  for (;; text++) {
    if (*text == character)
      return (wc *)text;
    if (*text == 0)
      return 0;
  }
}

wc *wcsrchr(const wc *text, wc character) {
  const wc *found = 0;
  for (;; text++) {
    if (*text == character)
      found = text;
    if (*text == 0)
      return (wc *)found;
  }
}

wc *wcsstr(const wc *text, const wc *wanted) {
  size_t length = wcslen(wanted);
  for (;; text++) {
    if (wcsncmp(text, wanted, length) == 0)
      return (wc *)text;
    if (*text == 0)
      return 0;
  }
}

wc *wcsdup(const wc *text) {
  size_t count = wcslen(text) + 1;
  wc *copy = malloc(count * sizeof(wc));
  return copy ? wmemcpy(copy, text, count) : 0;
}

/* Classes and cases of characters, as those of ctype.h. */

#define CLASS(name, expression)                                                                        \
  int name(wide c) { return (c < 128) & (expression); }

CLASS(iswdigit, is_digit((int)c))
CLASS(iswupper, is_upper((int)c))
CLASS(iswlower, is_lower((int)c))
CLASS(iswalpha, is_alpha((int)c))
CLASS(iswalnum, is_alnum((int)c))
CLASS(iswspace, is_space((int)c))
CLASS(iswprint, is_print((int)c))
CLASS(iswblank, (c == ' ') | (c == '\t'))
CLASS(iswcntrl, (c < ' ') | (c == 127))
CLASS(iswgraph, c - '!' < 94)
CLASS(iswpunct, (c - '!' < 94) & !is_alnum((int)c))
CLASS(iswxdigit, digit_value((int)c) < 16)

wide towlower(wide c) { return c + (c < 128 && is_upper((int)c)) * 32u; }
wide towupper(wide c) { return c - (c < 128 && is_lower((int)c)) * 32u; }

/* Between bytes and wide characters. */

wide btowc(int c) { return c >= 0 && c < 128 ? (wide)c : (wide)-1; }
int wctob(wide c) { return c < 128 ? (int)c : -1; }

int mbtowc(wc *restrict to, const char *restrict from, size_t count) {
  if (from == 0)
    return 0;
  if (count == 0)
    return -1;
  if ((unsigned char)*from >= 128) {
    errno = EILSEQ;
    return -1;
  }
  if (to)
    *to = *from;
  return *from != 0;
}

int mblen(const char *from, size_t count) { return mbtowc(0, from, count); }

int wctomb(char *to, wc c) {
  if (to == 0)
    return 0;
  if ((wide)c >= 128) {
    errno = EILSEQ;
    return -1;
  }
  *to = (char)c;
  return 1;
}

size_t mbstowcs(wc *restrict to, const char *restrict from, size_t count) {
  for (size_t i = 0; to == 0 || i < count; i++) {
    if ((unsigned char)from[i] >= 128) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (to)
      to[i] = from[i];
    if (from[i] == 0)
      return i;
  }
  return count;
}

size_t wcstombs(char *restrict to, const wc *restrict from, size_t count) {
  for (size_t i = 0; to == 0 || i < count; i++) {
    if ((wide)from[i] >= 128) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (to)
      to[i] = (char)from[i];
    if (from[i] == 0)
      return i;
  }
  return count;
}

/* Locales: there is one. */

char *setlocale(int category, const char *name) {
  static char only[] = "C";
  if (category < 0 || category > 12) {
    errno = EINVAL;
    return 0;
  }
  bool known = name == 0 || name[0] == 0 || (name[0] == 'C' && name[1] == 0) || strncmp(name, "POSIX", 6) == 0;
  if (!known)
    errno = ENOENT;
  return known ? only : 0;
}

/* The layout of struct lconv on Linux: ten texts and fourteen small numbers. */
struct conventions {
  char *texts[10];
  char numbers[14];
};

struct conventions *localeconv(void) {
  static char point[] = ".", nothing[] = "";
  static struct conventions all;
  for (int i = 0; i < 10; i++)
    all.texts[i] = i == 0 ? point : nothing;
  for (int i = 0; i < 14; i++)
    all.numbers[i] = CHAR_MAX;
  return &all;
}
