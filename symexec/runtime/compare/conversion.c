/* iconv among the encodings that the runtime knows: the same texts, errors and pointers. But for WCHAR_T, which
 * takes more than characters in glibc. */
#include "compare.h"

#include <iconv.h>

OURS(iconv_open);
OURS(iconv);
OURS(iconv_close);

static const char *const encodings[] = {"ASCII", "ISO-8859-1", "utf-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "LATIN1", NULL};

/* Characters near the edges of an encoding, and bytes that are none. */
static size_t draw_bytes(unsigned char *to, const char *encoding) {
  static const unsigned edges[] = {0, 'a', 0x7f, 0x80, 0xff, 0x100, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff, 0x110000};
  size_t size = 0;
  iconv_t conversion = iconv_open(encoding, "UTF-32LE");
  for (size_t count = below(6); count > 0; count--) {
    if (sometimes(6)) {
      to[size++] = (unsigned char)below(0xf8); /* glibc tells the others apart in another way */
      continue;
    }
    unsigned character = sometimes(2) ? edges[below(sizeof edges / sizeof *edges)] : (unsigned)below(0x3000);
    char *from = (char *)&character, *end = (char *)to + size;
    size_t from_left = 4, left = 4;
    iconv(conversion, &from, &from_left, &end, &left);
    size += 4 - left;
  }
  iconv_close(conversion);
  /* A character may be cut off. */
  return size > 0 && sometimes(4) ? size - 1 : size;
}

void compare_conversion(void) {
  for (int round_number = 0; round_number < 20000; round_number++) {
    const char *from = pick(encodings), *to = pick(encodings);
    iconv_t ours = ours_iconv_open(to, from), theirs = iconv_open(to, from);
    unsigned char bytes[64], our_text[64] = {0}, their_text[64] = {0};
    size_t size = draw_bytes(bytes, from), room = sometimes(3) ? below(12) : sizeof our_text;
    char *our_from = (char *)bytes, *their_from = (char *)bytes, *our_to = (char *)our_text, *their_to = (char *)their_text;
    size_t our_size = size, their_size = size, our_room = room, their_room = room;
    ours_errno = errno = 0;
    size_t our_result = ours_iconv(ours, &our_from, &our_size, &our_to, &our_room);
    size_t their_result = iconv(theirs, &their_from, &their_size, &their_to, &their_room);
    same_number((long long)our_result, (long long)their_result, "iconv from %s to %s", from, to);
    same_number(ours_errno, errno, "errno of iconv from %s to %s (%02x %02x %02x %02x)", from, to, bytes[0], bytes[1], bytes[2], bytes[3]);
    same_number((long long)our_size, (long long)their_size, "what iconv from %s to %s left", from, to);
    same_number((long long)our_room, (long long)their_room, "room left by iconv from %s to %s", from, to);
    same_bytes(our_text, their_text, sizeof our_text, "iconv from %s to %s", from, to);
    ours_iconv_close(ours);
    iconv_close(theirs);
  }
  same_truth(ours_iconv_open("UTF-8", "no encoding") == (iconv_t)-1, 1, "iconv_open of no encoding");
}
