/* Names of domains as they stand in messages: dn_expand and its relatives. */
#include "runtime.h"

/* The bytes of a name in a message, the zero at its end included, are at most so many. */
enum { LONGEST = 255, EMSGSIZE = 90 };

static int fail(void) {
  errno = EMSGSIZE;
  return -1;
}

/* A byte with what stands before it in texts. Where there is no room for it, null. */
static char *put(unsigned char byte, char *to, const char *end) {
  bool is_special = byte == '"' || byte == '.' || byte == ';' || byte == '\\' || byte == '(' || byte == ')' || byte == '@' || byte == '$';
  bool is_plain = byte > 0x20 && byte < 0x7f;
  if (end - to <= (is_special ? 1 : is_plain ? 0 : 3))
    return NULL;
  if (is_special || !is_plain)
    *to++ = '\\';
  if (!is_plain) {
    *to++ = (char)('0' + byte / 100);
    *to++ = (char)('0' + byte / 10 % 10);
    byte = (unsigned char)('0' + byte % 10);
  }
  *to++ = (char)byte;
  return to;
}

/* How many bytes a name takes at its place; the rest of it may be elsewhere. */
int dn_expand(const unsigned char *message, const unsigned char *message_end, const unsigned char *from, char *text, int size) {
  if (from < message || from >= message_end)
    return fail();
  const unsigned char *at = from;
  char *to = text;
  const char *end = text + (size < 0 ? 0 : size);
  ptrdiff_t taken = -1, seen = 0, total = 0, whole = message_end - message;
  while (*at != 0) {
    unsigned length = *at++;
    if (length >= 0xc0) {
      if (at >= message_end)
        return fail();
      if (taken < 0)
        taken = at + 1 - from;
      ptrdiff_t place = (ptrdiff_t)(length & 0x3f) << 8 | *at;
      seen += 2;
      /* Names that lead to themselves are as long as nothing in a message is. */
      if (place >= whole || seen >= whole)
        return fail();
      at = message + place;
      continue;
    }
    if (length >= 0x40 || total + length + 1 >= LONGEST || (ptrdiff_t)length >= message_end - at)
      return fail();
    total += length + 1;
    seen += length + 1;
    if (to != text) {
      if (to >= end)
        return fail();
      *to++ = '.';
    }
    for (; length > 0; length--) {
      to = put(*at++, to, end);
      if (to == NULL)
        return fail();
    }
  }
  /* The root has a dot, for which there is to be room. */
  if (end - to < (to == text ? 2 : 1))
    return fail();
  *to = '\0';
  return (int)(taken < 0 ? at + 1 - from : taken);
}

/* The same without a text. */
int dn_skipname(const unsigned char *from, const unsigned char *message_end) {
  const unsigned char *at = from;
  while (at < message_end) {
    unsigned length = *at++;
    if (length == 0)
      return (int)(at - from);
    if (length >= 0xc0) {
      if (at >= message_end)
        break;
      return (int)(at + 1 - from);
    }
    if (length >= 0x40 || (ptrdiff_t)length > message_end - at)
      break;
    at += length;
  }
  return fail();
}
