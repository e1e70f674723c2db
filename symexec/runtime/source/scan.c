/* The scanf family: formatted input from streams and strings.
 *
 * All conversions, widths and lengths of C17, and %m and arguments by position of POSIX. Refused, with an error of
 * kind "user": conversions that do not exist. Wide characters are those of the "C" locale: what is no
 * byte below 128 is not stored as one, or from one, and ends the scan (EILSEQ). An input item is the
 * longest one that begins like what is asked for; of one that breaks off ("0x" for an integer, "1e+")
 * what is a number counts, as in glibc (the standard calls it a failure to match). An unknown character costs one fork per
 * question that decides where the item ends.
 */
#include "decimal.h"
#include "length.h"
#include "scan.h"
#include "stream.h"
#include "wide.h"

unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
long long strtoll(const char *restrict text, char **restrict end, int base);

/* Where characters come from: a stream, or a string if there is none, which may be a wide one. */
struct source {
  FILE *stream;
  const char *text;
  const wc *wide_text;
  size_t position;
  size_t taken; /* how many characters were consumed */
};

/* The character at the position in a string; EOF at its end. */
static int next_of_text(struct source *in) {
  int c = in->wide_text != NULL ? (int)in->wide_text[in->position] : (unsigned char)in->text[in->position];
  if (c == 0)
    return EOF;
  in->position++;
  return c;
}

static int next(struct source *in) {
  int c = in->stream != NULL ? stream_next(in->stream) : next_of_text(in);
  if (c != EOF)
    in->taken++;
  return c;
}

static void back(struct source *in, int c) {
  if (c == EOF)
    return;
  in->taken--;
  if (in->stream != NULL)
    stream_back(in->stream, c);
  else
    in->position--;
}

struct directive {
  bool suppressed, allocated;
  int position; /* of its argument; 0 for the next one */
  size_t width; /* 0 if not given */
  enum length length;
  char conversion;
};

__attribute__((noreturn)) static void refuse(const char *what) {
  klee_report_error(__FILE__, __LINE__, what, "user");
}

/* Reads a directive behind its '%'. */
static const char *read_directive(const char *format, struct directive *d) {
  *d = (struct directive){.suppressed = false};
  d->position = read_position(&format);
  if (*format == '*') {
    d->suppressed = true;
    format++;
  }
  for (; is_digit((unsigned char)*format); format++)
    d->width = d->width * 10 + (size_t)(*format - '0');
  if (*format == 'm') {
    d->allocated = true;
    format++;
  }
  d->length = read_length(&format);
  d->conversion = *format;
  if (*format == 'S' || *format == 'C') {
    d->length = LONG;
    d->conversion = *format == 'S' ? 's' : 'c';
  }
  return *format == 0 ? format : format + 1;
}

/* ---- Numbers ---- */

enum { LONGEST_NUMBER = 512 };

/* An item under construction. */
struct item {
  struct source *in;
  size_t room; /* characters that may still come */
  int c;       /* the next one */
  char text[LONGEST_NUMBER];
  size_t length;
};

static void begin(struct item *item, struct source *in, size_t width) {
  item->in = in;
  item->room = width == 0 || width >= LONGEST_NUMBER ? LONGEST_NUMBER - 1 : width;
  item->length = 0;
  item->c = next(in);
}

static void take(struct item *item) {
  item->text[item->length++] = (char)item->c;
  item->room--;
  item->c = item->room == 0 ? EOF : next(item->in);
  item->text[item->length] = 0;
}

/* Gives back the character that is not part of the item. */
static void finish(struct item *item) {
  if (item->room > 0)
    back(item->in, item->c);
}

static bool take_sign(struct item *item) {
  if (item->c != '-' && item->c != '+')
    return false;
  take(item);
  return true;
}

/* Digits of a base; how many. */
static size_t take_digits(struct item *item, unsigned base) {
  size_t count = 0;
  for (; item->c != EOF && digit_value(item->c) < base; count++)
    take(item);
  return count;
}

/* Reads an integer; false if there is none. */
static bool read_integer(struct source *in, const struct directive *d, uint64_t *value) {
  struct item item;
  char kind = d->conversion;
  unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : kind == 'i' ? 0 : 10;
  begin(&item, in, d->width);
  take_sign(&item);
  size_t digits = 0;
  if ((base == 0 || base == 16) && item.c == '0') {
    take(&item);
    digits = 1;
    if ((item.c | 32) == 'x' && item.c != EOF) {
      take(&item);
      base = 16;
    } else if (base == 0) {
      base = 8;
    }
  } else if (base == 0) {
    base = 10;
  }
  digits += take_digits(&item, base);
  finish(&item);
  if (digits == 0)
    return false;
  bool is_signed = kind == 'd' || kind == 'i';
  *value = is_signed ? (uint64_t)strtoll(item.text, NULL, (int)base) : strtoull(item.text, NULL, (int)base);
  return true;
}

/* The letters of a word, whatever their case, as far as they come; how many. */
static size_t take_word(struct item *item, const char *word) {
  size_t count = 0;
  while (word[count] != 0 && item->c != EOF && to_lower(item->c) == word[count]) {
    take(item);
    count++;
  }
  return count;
}

/* Collects something that begins like a floating-point number; false if it is "0x" alone or a word that
 * breaks off, which are none. */
static bool collect_float(struct item *item) {
  take_sign(item);
  int first = item->c == EOF ? EOF : to_lower(item->c);
  if (first == 'i' || first == 'n') {
    size_t count = take_word(item, first == 'i' ? "infinity" : "nan");
    if (count != 3 && count != 8)
      return false;
    if (first == 'n' && item->c == '(') {
      do
        take(item);
      while (item->c != EOF && (is_alnum(item->c) || item->c == '_'));
      if (item->c == ')')
        take(item);
    }
    return true;
  }
  unsigned base = 10;
  size_t digits = 0;
  if (item->c == '0') {
    take(item);
    digits = 1;
    if (item->c != EOF && to_lower(item->c) == 'x') {
      take(item);
      base = 16;
      digits = 0;
    }
  }
  digits += take_digits(item, base);
  if (digits == 0 && base == 16 && item->c != '.')
    return false;
  if (item->c == '.') {
    take(item);
    digits += take_digits(item, base);
  }
  if (digits > 0 && item->c != EOF && to_lower(item->c) == (base == 16 ? 'p' : 'e')) {
    take(item);
    take_sign(item);
    take_digits(item, 10);
  }
  return true;
}

/* Reads a floating-point number and stores it; false if there is none. */
static bool read_float(struct source *in, const struct directive *d, void *to) {
  struct item item;
  begin(&item, in, d->width);
  item.text[0] = 0;
  bool some = collect_float(&item);
  finish(&item);
  if (!some)
    return false;
  size_t end = 0;
  if (d->length == LONG_DOUBLE) {
    long double number;
    parse_long_double(item.text, item.length, &end, &number);
    if (to != NULL && end > 0)
      memcpy(to, &number, sizeof number);
  } else if (d->length == LONG) {
    double number = parse_double(item.text, item.length, &end);
    if (to != NULL && end > 0)
      memcpy(to, &number, sizeof number);
  } else {
    float number = parse_float(item.text, item.length, &end);
    if (to != NULL && end > 0)
      memcpy(to, &number, sizeof number);
  }
  return end > 0;
}

/* ---- Characters ---- */

/* Marks the characters of a scanset; returns the format behind its bracket. */
static const char *read_set(const char *format, bool members[256]) {
  bool negated = *format == '^';
  format += negated;
  memset(members, negated, 256);
  const char *first = format;
  for (; *format != 0 && (*format != ']' || format == first); format++) {
    unsigned low = (unsigned char)*format, high = low;
    if (format[1] == '-' && format[2] != ']' && format[2] != 0) {
      high = (unsigned char)format[2];
      format += 2;
    }
    for (unsigned c = low; c <= high; c++)
      members[c] = !negated;
  }
  return *format == 0 ? format : format + 1;
}

/* Whether a character belongs to the text that a directive reads. What is no byte is in the sets in which zero is:
 * those of all but some. */
static bool belongs(const struct directive *d, const bool members[256], int c) {
  if (d->conversion == 'c')
    return true;
  return d->conversion == 's' ? !is_space(c) : members[c >= 0 && c < 256 ? c : 0];
}

/* A text that is read, of bytes or of wide characters; null if it is not stored. */
struct room {
  void *text;
  bool is_wide;
};

/* Stores a character; whether it is one of these. */
static bool put(const struct room *to, size_t place, int c, bool from_wide) {
  if (to->text == NULL)
    return true;
  if (to->is_wide != from_wide && (c < 0 || c >= 128)) {
    errno = EILSEQ;
    return false;
  }
  if (to->is_wide)
    ((wc *)to->text)[place] = (wc)c;
  else
    ((char *)to->text)[place] = (char)c;
  return true;
}

/* Makes an allocated text larger; false, and the text is as it was, if there is no memory. */
static bool enlarge(struct room *to, size_t count, size_t *room) {
  size_t larger = *room == 0 ? 32 : *room * 2, size = to->is_wide ? sizeof(wc) : 1;
  char *moved = malloc(larger * size);
  if (moved == NULL)
    return false;
  if (*room > 0) {
    memcpy(moved, to->text, count * size);
    free(to->text);
  }
  to->text = moved;
  *room = larger;
  return true;
}

/* Reads the characters of %c, %s or a scanset; how many there were, -1 if one cannot be stored. Fewer than %c
 * asks for are enough, as in glibc. */
static long read_text(struct source *in, const struct directive *d, const bool members[256], void *to,
                      void **allocated) {
  bool whole = d->conversion == 'c';
  size_t limit = d->width != 0 ? d->width : whole ? 1 : SIZE_MAX, count = 0, room = 0;
  struct room text = {.text = to, .is_wide = d->length == LONG};
  while (count < limit) {
    int c = next(in);
    if (c == EOF)
      break;
    if (!belongs(d, members, c)) {
      back(in, c);
      break;
    }
    if (allocated != NULL && count + 2 > room && !enlarge(&text, count, &room))
      break;
    if (!put(&text, count, c, in->wide_text != NULL)) {
      if (room > 0)
        free(text.text);
      return -1;
    }
    count++;
  }
  if (count == 0) {
    if (room > 0)
      free(text.text);
    return 0;
  }
  if (!whole)
    put(&text, count, 0, false);
  if (allocated != NULL)
    *allocated = text.text;
  return (long)count;
}

/* ---- The whole ---- */

static void store_integer(void *to, enum length length, uint64_t value) {
  memcpy(to, &value, length == CHAR ? 1 : length == SHORT ? 2 : length == INT ? 4 : 8);
}

/* Skips white space; whether something follows. */
static bool skip_space(struct source *in) {
  int c;
  do
    c = next(in);
  while (c != EOF && is_space(c));
  back(in, c);
  return c != EOF;
}

/* The arguments in a structure, so that functions can take from them. */
struct targets {
  va_list first, next;
};

/* Where a directive's item goes; null if nowhere. */
static void *target(struct targets *targets, const struct directive *d) {
  if (d->suppressed)
    return NULL;
  if (d->position > 0) {
    va_end(targets->next);
    va_copy(targets->next, targets->first);
    for (int i = 1; i < d->position; i++)
      (void)va_arg(targets->next, void *);
  }
  return va_arg(targets->next, void *);
}

static int scan_into(struct source *in, const char *format, struct targets *targets) {
  int assigned = 0;
  bool members[256];
  while (*format != 0) {
    if (is_space((unsigned char)*format)) {
      skip_space(in);
      format++;
      continue;
    }
    struct directive d = {.conversion = 0};
    if (*format == '%')
      format = read_directive(format + 1, &d);
    if (d.conversion == 0 || d.conversion == '%') {
      char expected = d.conversion == '%' ? '%' : *format++;
      if (d.conversion == '%')
        skip_space(in);
      int c = next(in);
      if (c == EOF)
        return assigned == 0 ? EOF : assigned;
      if (c != (unsigned char)expected) {
        back(in, c);
        return assigned;
      }
      continue;
    }
    if (d.conversion == '[')
      format = read_set(format, members);
    if (d.conversion == 'n') {
      if (!d.suppressed)
        store_integer(target(targets, &d), d.length, in->taken);
      continue;
    }
    bool is_text = d.conversion == 'c' || d.conversion == 's' || d.conversion == '[';
    if (d.conversion != 'c' && d.conversion != '[' && !skip_space(in))
      return assigned == 0 ? EOF : assigned;
    if (is_text) {
      int c = next(in);
      back(in, c);
      if (c == EOF)
        return assigned == 0 ? EOF : assigned;
      void *to = target(targets, &d);
      bool own = d.allocated && !d.suppressed;
      long count = read_text(in, &d, members, own ? NULL : to, own ? to : NULL);
      /* What cannot be stored is an end of the input to %c alone, as in glibc. */
      if (count <= 0)
        return count < 0 && d.conversion == 'c' && assigned == 0 ? EOF : assigned;
      assigned += !d.suppressed;
      continue;
    }
    uint64_t value;
    switch (d.conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
      if (d.conversion == 'p')
        d.length = LONG;
      if (!read_integer(in, &d, &value))
        return assigned;
      if (!d.suppressed)
        store_integer(target(targets, &d), d.length, value);
      break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (!read_float(in, &d, target(targets, &d)))
        return assigned;
      break;
    default:
      refuse("scanf: a conversion that does not exist");
    }
    assigned += !d.suppressed;
  }
  return assigned;
}

static int scan(struct source *in, const char *format, va_list arguments) {
  struct targets targets;
  va_copy(targets.first, arguments);
  va_copy(targets.next, arguments);
  int result = scan_into(in, format, &targets);
  va_end(targets.next);
  va_end(targets.first);
  return result;
}

int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  struct source in = {.text = text};
  return scan(&in, format, arguments);
}

int scan_wide(FILE *stream, const wchar_t *text, const char *format, va_list arguments) {
  struct source in = {.stream = stream, .wide_text = text};
  return scan(&in, format, arguments);
}

int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  struct source in = {.stream = stream};
  return scan(&in, format, arguments);
}

int vscanf(const char *restrict format, va_list arguments) { return vfscanf(stdin, format, arguments); }

/* The functions with arguments instead of a list of them. */
#define SCAN(name, list, first, type)                                                                 \
  int name(type first, const char *restrict format, ...) {                                             \
    va_list arguments;                                                                                 \
    va_start(arguments, format);                                                                       \
    int result = list(first, format, arguments);                                                       \
    va_end(arguments);                                                                                 \
    return result;                                                                                     \
  }
#define SCAN_INPUT(name)                                                                               \
  int name(const char *restrict format, ...) {                                                         \
    va_list arguments;                                                                                 \
    va_start(arguments, format);                                                                       \
    int result = vfscanf(stdin, format, arguments);                                                    \
    va_end(arguments);                                                                                 \
    return result;                                                                                     \
  }

SCAN(sscanf, vsscanf, text, const char *restrict)
SCAN(fscanf, vfscanf, stream, FILE *restrict)
SCAN_INPUT(scanf)

/* What glibc's headers expand the names above to. */

SCAN(__isoc99_sscanf, vsscanf, text, const char *restrict)
SCAN(__isoc99_fscanf, vfscanf, stream, FILE *restrict)
SCAN_INPUT(__isoc99_scanf)
SCAN(__isoc23_sscanf, vsscanf, text, const char *restrict)
SCAN(__isoc23_fscanf, vfscanf, stream, FILE *restrict)
SCAN_INPUT(__isoc23_scanf)

int __isoc99_vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  return vsscanf(text, format, arguments);
}
int __isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  return vfscanf(stream, format, arguments);
}
int __isoc99_vscanf(const char *restrict format, va_list arguments) { return vscanf(format, arguments); }
int __isoc23_vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  return vsscanf(text, format, arguments);
}
int __isoc23_vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  return vfscanf(stream, format, arguments);
}
int __isoc23_vscanf(const char *restrict format, va_list arguments) { return vscanf(format, arguments); }
