/* iconv: text from one encoding to another, among those that programs name most: ASCII, Latin 1, UTF-8, and UTF-16
 * and UTF-32 with a given order of bytes. Others cannot be opened (EINVAL), nor can the suffixes //TRANSLIT and
 * //IGNORE; programs have a way around that.
 *
 * A character is read to its number, then written. What is no character ends a call with EILSEQ, one that is cut
 * off with EINVAL, a full array with E2BIG, each with the pointers in front of it.
 */
#include "runtime.h"

int strcasecmp(const char *left, const char *right);

enum { E2BIG = 7, TOP = 0x10ffff };
enum encoding { ASCII, LATIN_1, UTF_8, UTF_16_LITTLE, UTF_16_BIG, UTF_32_LITTLE, UTF_32_BIG };

static const struct {
  const char *name;
  enum encoding encoding;
} names[] = {
    {"", ASCII}, /* that of the locale */
    {"ASCII", ASCII},
    {"US-ASCII", ASCII},
    {"ANSI_X3.4-1968", ASCII},
    {"ISO-8859-1", LATIN_1},
    {"ISO8859-1", LATIN_1},
    {"ISO_8859-1", LATIN_1},
    {"LATIN1", LATIN_1},
    {"L1", LATIN_1},
    {"UTF-8", UTF_8},
    {"UTF8", UTF_8},
    {"UTF-16LE", UTF_16_LITTLE},
    {"UTF-16BE", UTF_16_BIG},
    {"UTF-32LE", UTF_32_LITTLE},
    {"UTF-32BE", UTF_32_BIG},
    {"WCHAR_T", UTF_32_LITTLE},
};

struct conversion {
  enum encoding from, to;
};

static bool find(const char *name, enum encoding *encoding) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(names[i].name, name) == 0) {
      *encoding = names[i].encoding;
      return true;
    }
  return false;
}

static bool is_half(uint32_t character) { return (character & ~0x7ffu) == 0xd800; }

static uint32_t unit(const unsigned char *bytes, size_t size, bool big) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= (uint32_t)bytes[i] << 8 * (big ? size - 1 - i : i);
  return value;
}

static void put_unit(unsigned char *bytes, size_t size, bool big, uint32_t value) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> 8 * (big ? size - 1 - i : i));
}

/* How many bytes the first character has, which is read; or minus an error's number. */
static int read_utf_8(const unsigned char *bytes, size_t left, uint32_t *character) {
  uint32_t first = bytes[0];
  if (first < 0x80) {
    *character = first;
    return 1;
  }
  if (first < 0xc2 || first > 0xf7)
    return -EILSEQ;
  int size = 2 + (first >= 0xe0) + (first >= 0xf0);
  uint32_t value = first & (0x7fu >> size);
  for (int i = 1; i < size; i++) {
    if ((size_t)i >= left)
      return -EINVAL;
    if ((bytes[i] & 0xc0) != 0x80)
      return -EILSEQ;
    value = value << 6 | (bytes[i] & 0x3f);
  }
  /* Written with more bytes than it needs, half a character, or none. */
  if ((size == 3 && value < 0x800) || (size == 4 && value < 0x10000) || is_half(value) || value > TOP)
    return -EILSEQ;
  *character = value;
  return size;
}

static int read_character(enum encoding from, const unsigned char *bytes, size_t left, uint32_t *character) {
  bool big = from == UTF_16_BIG || from == UTF_32_BIG;
  switch (from) {
  case ASCII:
  case LATIN_1:
    *character = bytes[0];
    return from == ASCII && bytes[0] > 0x7f ? -EILSEQ : 1;
  case UTF_8:
    return read_utf_8(bytes, left, character);
  case UTF_16_LITTLE:
  case UTF_16_BIG: {
    if (left < 2)
      return -EINVAL;
    uint32_t high = unit(bytes, 2, big);
    *character = high;
    if (!is_half(high))
      return 2;
    if (high >= 0xdc00)
      return -EILSEQ;
    if (left < 4)
      return -EINVAL;
    uint32_t low = unit(bytes + 2, 2, big);
    if ((low & ~0x3ffu) != 0xdc00)
      return -EILSEQ;
    *character = 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
    return 4;
  }
  default:
    if (left < 4)
      return -EINVAL;
    *character = unit(bytes, 4, big);
    return *character > TOP || is_half(*character) ? -EILSEQ : 4;
  }
}

/* How many bytes the character has, which is written if there is room; or minus an error's number. */
static int write_character(enum encoding to, unsigned char *bytes, size_t left, uint32_t character) {
  bool big = to == UTF_16_BIG || to == UTF_32_BIG;
  size_t size = 1;
  if (to == ASCII || to == LATIN_1) {
    if (left == 0)
      return -E2BIG;
    if (character > (to == ASCII ? 0x7fu : 0xffu))
      return -EILSEQ;
  } else if (to == UTF_8) {
    size = 1 + (size_t)(character > 0x7f) + (character > 0x7ff) + (character > 0xffff);
  } else if (to == UTF_16_LITTLE || to == UTF_16_BIG) {
    size = character > 0xffff ? 4 : 2;
  } else {
    size = 4;
  }
  if (size > left)
    return -E2BIG;
  if (to == UTF_8 && size > 1) {
    for (size_t i = size - 1; i > 0; i--, character >>= 6)
      bytes[i] = (unsigned char)(0x80 | (character & 0x3f));
    bytes[0] = (unsigned char)(0xf00u >> size | character);
  } else if ((to == UTF_16_LITTLE || to == UTF_16_BIG) && size == 4) {
    put_unit(bytes, 2, big, 0xd800 | (character - 0x10000) >> 10);
    put_unit(bytes + 2, 2, big, 0xdc00 | (character & 0x3ff));
  } else {
    put_unit(bytes, size, big, character);
  }
  return (int)size;
}

void *iconv_open(const char *to, const char *from) {
  struct conversion *conversion = malloc(sizeof *conversion);
  if (conversion == NULL)
    return (void *)-1;
  if (!find(from, &conversion->from) || !find(to, &conversion->to)) {
    free(conversion);
    errno = EINVAL;
    return (void *)-1;
  }
  return conversion;
}

int iconv_close(void *conversion) {
  free(conversion);
  return 0;
}

size_t iconv(void *opened, char **from, size_t *from_left, char **to, size_t *to_left) {
  const struct conversion *conversion = opened;
  if (from == NULL || *from == NULL)
    return 0;
  while (*from_left > 0) {
    uint32_t character;
    int read = read_character(conversion->from, (const unsigned char *)*from, *from_left, &character);
    int written = read < 0 ? read : write_character(conversion->to, (unsigned char *)*to, *to_left, character);
    if (written < 0) {
      errno = -written;
      return (size_t)-1;
    }
    *from += read;
    *from_left -= (size_t)read;
    *to += written;
    *to_left -= (size_t)written;
  }
  return 0;
}
