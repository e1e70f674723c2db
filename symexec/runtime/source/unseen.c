/* Output that only the engine sees: there the length of an unknown number or text matters, for results
 * and for reads outside of objects, but not where which character stands. So it costs no forks. */
#include "format.h"

/* No number has more digits, a prefix and one more zero. */
enum { LONGEST = 68, LONGEST_FLOAT = 4940 };

static uint64_t larger(uint64_t left, uint64_t right) {
  uint64_t mask = 0 - (uint64_t)(left < right);
  return (left & ~mask) | (right & mask);
}

/* One that is to be shown, but whose place in the text is unknown. */
static void show(struct output *out, char c) {
  output_character(out, c);
  out->count--;
}

void unseen_integer(struct output *out, const struct specification *spec, unsigned base, uint64_t magnitude,
                    uint64_t signs) {
  uint64_t count = 0;
  for (uint64_t limit = 1;; limit *= base) {
    count += magnitude >= limit;
    if (limit > UINT64_MAX / base)
      break;
  }
  uint64_t precision = spec->precision < 0 ? 1 : (uint64_t)spec->precision;
  uint64_t digits = larger(count, precision);
  if (spec->alternate && base == 8)
    digits += digits == count;
  if (spec->alternate && (base == 16 || base == 2))
    signs += 2 * (uint64_t)(magnitude != 0);
  show(out, '?');
  out->unseen += larger(signs + digits, (uint64_t)spec->width);
  out->unseen_most += LONGEST + precision + (uint64_t)spec->width;
}

/* How long the text of an unknown floating-point number is would cost a path for each of its digits:
 * it is taken for unknown by itself, as large as it may be. */
void unseen_float(struct output *out, const struct specification *spec) {
  uint64_t precision = spec->precision < 0 ? 6 : (uint64_t)spec->precision;
  show(out, '?');
  out->unseen += larger(1 + (__symexec_aside() & 8191) % (LONGEST_FLOAT + precision), (uint64_t)spec->width);
  out->unseen_most += LONGEST_FLOAT + precision + (uint64_t)spec->width;
}

size_t unseen_length(const char *text, size_t limit) {
  size_t i = 0;
  for (; i < limit && !klee_is_symbolic((unsigned char)text[i]); i++)
    if (text[i] == 0)
      return i;
  size_t room = __symexec_room(text), length = i, goes_on = 1;
  if (room == 0)
    return strnlen(text, limit);
  for (; i < room && i < limit && (klee_is_symbolic(goes_on) || goes_on); i++) {
    goes_on &= text[i] != 0;
    length += goes_on;
  }
  /* Without an end in its object, what follows is read, and so an error. */
  if (i == room && i < limit && goes_on)
    length += text[i] != 0;
  return length;
}

void unseen_text(struct output *out, const struct specification *spec, const char *text, size_t length) {
  size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision, room = __symexec_room(text);
  size_t most = room < limit ? room : limit;
  for (size_t i = 0; i < most && (klee_is_symbolic((unsigned char)text[i]) || text[i] != 0); i++)
    show(out, text[i]);
  out->unseen += larger(length, (uint64_t)spec->width);
  out->unseen_most += most + (uint64_t)spec->width;
}
