/* The tables that the macros of glibc's ctype.h read: one entry for each of -128 to 255.
 *
 * The entries are computed by the compiler from the same comparisons as the functions of ctype.c. For
 * -128 to -2 glibc repeats the entries of 128 to 254, so that char may be signed; in the "C" locale
 * all of these belong to no class.
 */
#include "runtime.h"

#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define DIGIT(c) IN(c, '0', '9')
#define ALNUM(c) (UPPER(c) || LOWER(c) || DIGIT(c))

/* The bits that glibc's headers test on a little-endian machine. */
#define CLASS(c)                                                                                       \
  (UPPER(c) * 0x100 | LOWER(c) * 0x200 | (UPPER(c) || LOWER(c)) * 0x400 | DIGIT(c) * 0x800 |            \
   (DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f')) * 0x1000 | (IN(c, 9, 13) || (c) == ' ') * 0x2000 |  \
   IN(c, ' ', '~') * 0x4000 | IN(c, '!', '~') * 0x8000 | ((c) == 9 || (c) == ' ') * 0x1 |               \
   (IN(c, 0, 31) || (c) == 127) * 0x2 | (IN(c, '!', '~') && !ALNUM(c)) * 0x4 | ALNUM(c) * 0x8)
#define TO_LOWER(c) (UPPER(c) ? (c) + 32 : (c))
#define TO_UPPER(c) (LOWER(c) ? (c) - 32 : (c))

#define ROW_4(entry, c) entry(c), entry((c) + 1), entry((c) + 2), entry((c) + 3)
#define ROW_16(entry, c)                                                                               \
  ROW_4(entry, c), ROW_4(entry, (c) + 4), ROW_4(entry, (c) + 8), ROW_4(entry, (c) + 12)
#define ROW_64(entry, c)                                                                               \
  ROW_16(entry, c), ROW_16(entry, (c) + 16), ROW_16(entry, (c) + 32), ROW_16(entry, (c) + 48)
#define ASCII(entry) ROW_64(entry, 0), ROW_64(entry, 64)
#define UPPER_HALF(entry) ROW_64(entry, 128), ROW_64(entry, 192)

/* -128 to -2 map as 128 to 254 do, -1 (EOF) maps to itself. */
#define BELOW_ZERO(entry)                                                                              \
  ROW_64(entry, 128), ROW_16(entry, 192), ROW_16(entry, 208), ROW_16(entry, 224), ROW_4(entry, 240),    \
      ROW_4(entry, 244), ROW_4(entry, 248), entry(252), entry(253), entry(254)

static const unsigned short classes[384] = {
    BELOW_ZERO(CLASS), 0, ASCII(CLASS), UPPER_HALF(CLASS),
};
static const int32_t lower[384] = {
    BELOW_ZERO(TO_LOWER), -1, ASCII(TO_LOWER), UPPER_HALF(TO_LOWER),
};
static const int32_t upper[384] = {
    BELOW_ZERO(TO_UPPER), -1, ASCII(TO_UPPER), UPPER_HALF(TO_UPPER),
};

static const unsigned short *classes_at_zero = classes + 128;
static const int32_t *lower_at_zero = lower + 128;
static const int32_t *upper_at_zero = upper + 128;

const unsigned short **__ctype_b_loc(void) { return &classes_at_zero; }

const int32_t **__ctype_tolower_loc(void) { return &lower_at_zero; }

const int32_t **__ctype_toupper_loc(void) { return &upper_at_zero; }

/* In the "C" locale, in which every byte is a character. */
size_t __ctype_get_mb_cur_max(void) { return 1; }
