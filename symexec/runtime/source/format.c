/* The printf family's core: reads a format and converts its arguments.
 *
 * All flags, widths, precisions and lengths of C17 and %b of C23, arguments by position of POSIX (%1$d), and glibc's
 * %m and its way with null pointers. Refused, with an error of kind "user": conversions that do not exist. Grouping (') does nothing in the "C" locale, and wide characters beyond ASCII cannot be converted
 * to bytes there (EILSEQ). An unknown number costs forks, one for its sign and one per digit, but not where
 * only the engine sees its text (unseen.c).
 */
#include "file.h"
#include "format.h"
#include "length.h"
#include "wide.h"

char *strerror(int error);
size_t wcsnlen(const wchar_t *text, size_t limit);

void output_flush(struct output *out) {
  if (out->waiting > 0 && file_write(out->descriptor, out->pending, out->waiting) != (ptrdiff_t)out->waiting)
    out->failed = true;
  out->waiting = 0;
}

void output_wide(struct output *out, wchar_t c) {
  if (out->wide_array == NULL) {
    output_character(out, narrow((wide)c));
    return;
  }
  if (out->count < out->size)
    out->wide_array[out->count] = c;
  out->count++;
}

void output_character(struct output *out, char c) {
  if (out->array != NULL) {
    if (out->count < out->size)
      out->array[out->count] = c;
  } else if (out->descriptor >= 0) {
    out->pending[out->waiting++] = c;
    if (out->waiting == sizeof out->pending)
      output_flush(out);
  } else if (out->wide_array != NULL && out->count < out->size) {
    out->wide_array[out->count] = (unsigned char)c;
  }
  out->count++;
}

void output_many(struct output *out, char c, long long count) {
  for (; count > 0; count--)
    output_character(out, c);
}

void output_text(struct output *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    output_character(out, text[i]);
}

char sign_of(const struct specification *spec, bool negative) {
  return negative ? '-' : spec->plus ? '+' : spec->space ? ' ' : 0;
}

/* A text with blanks around it; a zero flag does not count. */
static void padded_text(struct output *out, const struct specification *spec, const char *text, size_t length) {
  long long padding = spec->width - (long long)length;
  if (!spec->left)
    output_many(out, ' ', padding);
  output_text(out, text, length);
  if (spec->left)
    output_many(out, ' ', padding);
}

static unsigned base_of(const struct specification *spec) {
  return spec->conversion == 'x' ? 16 : spec->conversion == 'o' ? 8 : spec->conversion == 'b' ? 2 : 10;
}

static void integer(struct output *out, const struct specification *spec, uint64_t magnitude, char sign) {
  const char *figures = spec->upper ? "0123456789ABCDEF" : "0123456789abcdef";
  unsigned base = base_of(spec);
  char digits[64], prefix[3];
  size_t prefix_length = 0;
  int count = 0;
  bool zero = magnitude == 0;
  for (; magnitude != 0; magnitude /= base)
    digits[count++] = figures[magnitude % base];
  long long leading = spec->precision < 0 ? (count == 0) : spec->precision - count;
  if (leading < 0)
    leading = 0;
  if (sign != 0)
    prefix[prefix_length++] = sign;
  if (spec->alternate && base == 8 && leading == 0)
    leading = 1;
  if (spec->alternate && (base == 16 || base == 2) && !zero) {
    prefix[prefix_length++] = '0';
    prefix[prefix_length++] = base == 16 ? (spec->upper ? 'X' : 'x') : spec->upper ? 'B' : 'b';
  }
  long long padding = spec->width - (long long)prefix_length - leading - count;
  if (padding < 0)
    padding = 0;
  if (spec->zero && !spec->left && spec->precision < 0) {
    leading += padding;
    padding = 0;
  }
  if (!spec->left)
    output_many(out, ' ', padding);
  output_text(out, prefix, prefix_length);
  output_many(out, '0', leading);
  while (count > 0)
    output_character(out, digits[--count]);
  if (spec->left)
    output_many(out, ' ', padding);
}

static void unsigned_integer(struct output *out, const struct specification *spec, uint64_t value) {
  if (out->is_sink && klee_is_symbolic(value))
    unseen_integer(out, spec, base_of(spec), value, 0);
  else
    integer(out, spec, value, 0);
}

static void signed_integer(struct output *out, const struct specification *spec, int64_t value) {
  if (out->is_sink && klee_is_symbolic((uint64_t)value)) {
    uint64_t negative = (uint64_t)value >> 63;
    unseen_integer(out, spec, 10, ((uint64_t)value ^ (0 - negative)) + negative,
                   spec->plus || spec->space ? 1 : negative);
    return;
  }
  integer(out, spec, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, sign_of(spec, value < 0));
}

/* Whether an int cannot hold the length; asked only where it may be so. */
static bool is_too_long(const struct output *out) {
  return out->count + out->unseen_most > INT_MAX && out->count + out->unseen > INT_MAX;
}

/* The list in a structure, so that functions can take from it. */
struct arguments {
  va_list list, first;
  const char *text; /* the format, which tells the types of those that are taken by their position */
};

/* How the argument at a position is passed. One that nothing takes is an integer. */
enum passed { AS_INTEGER, AS_DOUBLE, AS_LONG_DOUBLE };

static enum passed passed_at(const char *text, int position) {
  while (*text != 0) {
    if (*text++ != '%')
      continue;
    int own = read_position(&text);
    for (; *text == '*' || *text == '.' || *text == '-' || *text == '+' || *text == ' ' || *text == '#' || *text == '\'' ||
           *text == 'I' || is_digit((unsigned char)*text);
         text++)
      if (*text == '*') {
        const char *behind = text + 1;
        if (read_position(&behind) == position)
          return AS_INTEGER;
        text = behind - 1;
      }
    enum length length = read_length(&text);
    int conversion = to_lower((unsigned char)*text);
    if (*text != 0)
      text++;
    if (own == position && (conversion == 'a' || (conversion >= 'e' && conversion <= 'g')))
      return length == LONG_DOUBLE ? AS_LONG_DOUBLE : AS_DOUBLE;
    if (own == position)
      return AS_INTEGER;
  }
  return AS_INTEGER;
}

/* Makes the argument at a position, if there is one, the next one. */
static void go_to(struct arguments *arguments, int position) {
  if (position == 0)
    return;
  va_end(arguments->list);
  va_copy(arguments->list, arguments->first);
  for (int before = 1; before < position; before++)
    switch (passed_at(arguments->text, before)) {
    case AS_INTEGER:
      (void)va_arg(arguments->list, long);
      break;
    case AS_DOUBLE:
      (void)va_arg(arguments->list, double);
      break;
    case AS_LONG_DOUBLE:
      (void)va_arg(arguments->list, long double);
      break;
    }
}

static int64_t signed_argument(struct arguments *arguments, enum length length) {
  if (length >= LONG)
    return va_arg(arguments->list, long);
  int value = va_arg(arguments->list, int);
  return length == CHAR ? (signed char)value : length == SHORT ? (short)value : value;
}

static uint64_t unsigned_argument(struct arguments *arguments, enum length length) {
  if (length >= LONG)
    return va_arg(arguments->list, unsigned long);
  unsigned value = va_arg(arguments->list, unsigned);
  return length == CHAR ? (unsigned char)value : length == SHORT ? (unsigned short)value : value;
}

/* Wide characters; false with EILSEQ for what "C" has no byte for, where bytes are written. */
static bool wide_text(struct output *out, const struct specification *spec, const wchar_t *text, size_t length) {
  for (size_t i = 0; out->literals == NULL && i < length; i++)
    if ((wide)text[i] >= 128) {
      errno = EILSEQ;
      return false;
    }
  long long padding = spec->width - (long long)length;
  if (!spec->left)
    output_many(out, ' ', padding);
  for (size_t i = 0; i < length; i++)
    output_wide(out, text[i]);
  if (spec->left)
    output_many(out, ' ', padding);
  return true;
}

/* In functions of their own, so that only they take the room. */
static void double_argument(struct output *out, const struct specification *spec, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (out->is_sink && klee_is_symbolic(bits)) {
    unseen_float(out, spec);
    return;
  }
  uint32_t words[DOUBLE_WORDS];
  struct binary number = binary_of_double(value);
  format_binary(out, spec, &number, words, DOUBLE_FRONT);
}

static void long_double_argument(struct output *out, const struct specification *spec, long double value) {
  uint64_t mantissa;
  memcpy(&mantissa, &value, sizeof mantissa);
  if (out->is_sink && klee_is_symbolic(mantissa)) {
    unseen_float(out, spec);
    return;
  }
  uint32_t words[LONG_DOUBLE_WORDS];
  struct binary number = binary_of_long_double(&value);
  format_binary(out, spec, &number, words, LONG_DOUBLE_FRONT);
}

/* A number of digits in the format, -1 if it exceeds an int. */
static int number_in(const char **text) {
  long long number = 0;
  for (; is_digit((unsigned char)**text); ++*text)
    if (number <= INT_MAX)
      number = number * 10 + (**text - '0');
  return number > INT_MAX ? -1 : (int)number;
}

__attribute__((noreturn)) static void refuse(const char *message) {
  klee_report_error(__FILE__, __LINE__, message, "user");
}

/* Whether a text has a byte that is no character, which a stream of wide characters cannot show. */
static bool is_unshown(const struct output *out, const char *text, size_t length) {
  for (size_t i = 0; out->literals != NULL && i < length; i++)
    if ((unsigned char)text[i] >= 128)
      return true;
  return false;
}

int format(struct output *out, const char *text, va_list list) {
  const char *start = text;
  struct arguments arguments;
  int error = errno;
  int result = -1;
  va_copy(arguments.list, list);
  va_copy(arguments.first, list);
  arguments.text = start;
  out->is_sink = out->array == NULL && file_is_sink(out->descriptor);
  for (;;) {
    for (; *text != 0 && *text != '%'; text++)
      if (out->literals != NULL)
        output_wide(out, out->literals[text - start]);
      else
        output_character(out, *text);
    if (*text == 0)
      break;
    text++;

    struct specification spec = {.precision = -1};
    int position = read_position(&text);
    for (;; text++) {
      if (*text == '-')
        spec.left = true;
      else if (*text == '+')
        spec.plus = true;
      else if (*text == ' ')
        spec.space = true;
      else if (*text == '#')
        spec.alternate = true;
      else if (*text == '0')
        spec.zero = true;
      /* The two flags for digits of a locale say nothing in "C". */
      else if (*text != '\'' && *text != 'I')
        break;
    }
    if (*text == '*') {
      text++;
      go_to(&arguments, read_position(&text));
      spec.width = va_arg(arguments.list, int);
      if (spec.width == INT_MIN)
        goto too_long;
      if (spec.width < 0) {
        spec.left = true;
        spec.width = -spec.width;
      }
    } else {
      spec.width = number_in(&text);
    }
    if (*text == '.') {
      text++;
      if (*text == '*') {
        text++;
        go_to(&arguments, read_position(&text));
        spec.precision = va_arg(arguments.list, int);
        if (spec.precision < 0)
          spec.precision = -1;
      } else {
        spec.precision = number_in(&text);
        if (spec.precision < 0)
          goto too_long;
      }
    }
    if (spec.width < 0)
      goto too_long;

    enum length length = read_length(&text);
    go_to(&arguments, position);

    char conversion = *text++;
    spec.upper = is_upper(conversion);
    spec.conversion = (char)to_lower(conversion);
    switch (conversion) {
    case 'd':
    case 'i':
      signed_integer(out, &spec, signed_argument(&arguments, length));
      break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
      unsigned_integer(out, &spec, unsigned_argument(&arguments, length));
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      if (length == LONG_DOUBLE)
        long_double_argument(out, &spec, va_arg(arguments.list, long double));
      else
        double_argument(out, &spec, va_arg(arguments.list, double));
      break;
    case 'C':
    case 'c': {
      int value = va_arg(arguments.list, int);
      if (length == LONG || conversion == 'C') {
        if (!wide_text(out, &spec, &value, 1))
          goto done;
        break;
      }
      char c = (char)value;
      padded_text(out, &spec, &c, 1);
      break;
    }
    case 'S':
    case 's': {
      const char *value = va_arg(arguments.list, const char *);
      if (value == NULL) {
        bool fits = spec.precision < 0 || spec.precision >= 6;
        padded_text(out, &spec, "(null)", fits ? 6 : 0);
      } else if (length == LONG || conversion == 'S') {
        const wchar_t *characters = (const wchar_t *)(const void *)value;
        size_t limit = spec.precision < 0 ? SIZE_MAX : (size_t)spec.precision;
        if (!wide_text(out, &spec, characters, wcsnlen(characters, limit)))
          goto done;
      } else {
        size_t limit = spec.precision < 0 ? SIZE_MAX : (size_t)spec.precision;
        size_t size = out->is_sink ? unseen_length(value, limit) : strnlen(value, limit);
        if (!klee_is_symbolic(size) && is_unshown(out, value, size)) {
          errno = EILSEQ;
          goto done;
        }
        if (klee_is_symbolic(size))
          unseen_text(out, &spec, value, size);
        else
          padded_text(out, &spec, value, size);
      }
      break;
    }
    case 'p': {
      uintptr_t value = (uintptr_t)va_arg(arguments.list, void *);
      if (value == 0) {
        padded_text(out, &spec, "(nil)", 5);
      } else {
        spec.alternate = true;
        spec.conversion = 'x';
        integer(out, &spec, value, sign_of(&spec, false));
      }
      break;
    }
    case 'm': {
      const char *message = strerror(error);
      padded_text(out, &spec, message,
                  spec.precision < 0 ? strlen(message) : strnlen(message, (size_t)spec.precision));
      break;
    }
    case '%':
      output_character(out, '%');
      break;
    case 'n': {
      void *to = va_arg(arguments.list, void *);
      uint64_t count = out->count + out->unseen;
      memcpy(to, &count, length == CHAR ? 1 : length == SHORT ? 2 : length >= LONG ? 8 : 4);
      break;
    }
    default:
      refuse("a format contains a conversion that does not exist");
    }
    if (out->count > INT_MAX)
      goto too_long;
  }
  if (is_too_long(out))
    goto too_long;
  result = (int)(out->count + out->unseen);
  goto done;
too_long:
  errno = EOVERFLOW;
done:
  va_end(arguments.list);
  va_end(arguments.first);
  output_flush(out);
  return result;
}
