/* strfmon in the "C" locale as glibc writes there: no currency, no groups of digits, a point and two digits behind it.
 *
 * Differs from glibc: whatever does not fit is E2BIG; glibc leaves errno alone where there is room for six bytes or fewer.
 */
#include "../source/runtime.h"

enum { E2BIG = 7, UNUSUAL = -1, MOST = 1 << 20 };

typedef void *locale_t;

int snprintf(char *restrict to, size_t size, const char *restrict format, ...);

struct room {
  char *to;
  size_t left;
};

/* What a conversion is told before its letter. */
struct form {
  char fill;
  bool in_parentheses, has_sign, on_the_left, is_long;
  int width, digits, decimals;
};

static bool put(struct room *room, char byte, ptrdiff_t count) {
  if (count <= 0)
    return true;
  if ((size_t)count > room->left)
    return false;
  memset(room->to, byte, (size_t)count);
  room->to += count;
  room->left -= (size_t)count;
  return true;
}

/* A number of the format, at most MOST; UNUSUAL if there is none. */
static int number(const char **format) {
  int result = UNUSUAL;
  for (; **format >= '0' && **format <= '9'; ++*format) {
    result = (result == UNUSUAL ? 0 : result) * 10 + (**format - '0');
    if (result > MOST)
      result = MOST;
  }
  return result;
}

/* Reads what stands between the percent sign and the letter, and says whether it is right. */
static bool read_form(const char **format, struct form *form) {
  for (;; ++*format) {
    switch (**format) {
    case '=':
      if (*++*format == 0)
        return false;
      form->fill = **format;
      continue;
    case '^':
    case '!':
      continue;
    case '+':
    case '(':
      if (form->has_sign)
        return false;
      form->has_sign = true;
      form->in_parentheses = **format == '(';
      continue;
    case '-':
      form->on_the_left = true;
      continue;
    }
    break;
  }
  form->width = number(format);
  if (**format == '#') {
    ++*format;
    if ((form->digits = number(format)) == UNUSUAL)
      return false;
  }
  if (**format == '.') {
    ++*format;
    if ((form->decimals = number(format)) == UNUSUAL)
      return false;
  }
  if (**format == 'L') {
    ++*format;
    form->is_long = true;
  }
  return **format == 'i' || **format == 'n';
}

static bool put_amount(struct room *room, const struct form *form, long double amount) {
  /* The sign of a negative zero counts as a digit. */
  bool is_negative = amount < 0;
  int decimals = form->decimals == UNUSUAL ? 2 : form->decimals;
  if (is_negative)
    amount = -amount;
  int length = snprintf(NULL, 0, "%.*Lf", decimals, amount);
  if (length < 0)
    return false;
  ptrdiff_t whole = decimals == 0 ? length : length - decimals - 1;
  ptrdiff_t filled = form->digits > whole ? form->digits - whole : 0;
  /* Where digits are aligned, what has no sign has a space in its place. */
  ptrdiff_t before = is_negative || form->digits != UNUSUAL;
  ptrdiff_t behind = is_negative && form->in_parentheses;
  ptrdiff_t padding = form->width - (before + filled + length + behind);
  char sign = (char)(!is_negative ? ' ' : form->in_parentheses ? '(' : '-');
  if (!put(room, ' ', form->on_the_left ? 0 : padding) || !put(room, sign, before) || !put(room, form->fill, filled))
    return false;
  if ((size_t)length >= room->left)
    return false;
  snprintf(room->to, room->left, "%.*Lf", decimals, amount);
  room->to += length;
  room->left -= (size_t)length;
  return put(room, ')', behind) && put(room, ' ', form->on_the_left ? padding : 0);
}

static ptrdiff_t write_amounts(char *to, size_t size, const char *format, va_list amounts) {
  struct room room = {to, size};
  for (; *format; format++) {
    bool fits;
    if (*format != '%' || format[1] == '%') {
      format += *format == '%';
      fits = put(&room, *format, 1);
    } else {
      struct form form = {.fill = ' ', .digits = UNUSUAL, .decimals = UNUSUAL};
      format++;
      if (!read_form(&format, &form)) {
        errno = EINVAL;
        return -1;
      }
      long double amount = form.is_long ? va_arg(amounts, long double) : va_arg(amounts, double);
      fits = put_amount(&room, &form, amount);
    }
    if (!fits) {
      errno = E2BIG;
      return -1;
    }
  }
  if (room.left == 0) {
    errno = E2BIG;
    return -1;
  }
  *room.to = 0;
  return room.to - to;
}

ptrdiff_t strfmon(char *restrict to, size_t size, const char *restrict format, ...) {
  va_list amounts;
  va_start(amounts, format);
  ptrdiff_t written = write_amounts(to, size, format, amounts);
  va_end(amounts);
  return written;
}

ptrdiff_t strfmon_l(char *restrict to, size_t size, locale_t locale, const char *restrict format, ...) {
  (void)locale;
  va_list amounts;
  va_start(amounts, format);
  ptrdiff_t written = write_amounts(to, size, format, amounts);
  va_end(amounts);
  return written;
}
