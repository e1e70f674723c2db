/* Wide strings, characters of the "C" locale, and the locale. */
#include "compare.h"

#include <locale.h>
#include <wchar.h>
#include <wctype.h>

OURS(wcslen);
OURS(wcsnlen);
OURS(wmemcpy);
OURS(wmemmove);
OURS(wmemset);
OURS(wmemcmp);
OURS(wmemchr);
OURS(wcscpy);
OURS(wcsncpy);
OURS(wcscat);
OURS(wcsncat);
OURS(wcscmp);
OURS(wcscoll);
OURS(wcsncmp);
OURS(wcschr);
OURS(wcsrchr);
OURS(wcsstr);
OURS(wcsdup);
OURS(iswdigit);
OURS(iswupper);
OURS(iswlower);
OURS(iswalpha);
OURS(iswalnum);
OURS(iswspace);
OURS(iswprint);
OURS(towlower);
OURS(towupper);
OURS(btowc);
OURS(wctob);
OURS(mbtowc);
OURS(mblen);
OURS(wctomb);
OURS(mbstowcs);
OURS(wcstombs);
OURS(setlocale);
OURS(localeconv);

enum { LONGEST = 6 };

/* A short text of few letters, so that parts of it recur; it ends with its room. */
static wchar_t *draw_wide(unsigned room) {
  size_t length = below(LONGEST + 1);
  wchar_t *text = (wchar_t *)room_end(room, (length + 1) * sizeof(wchar_t));
  for (size_t i = 0; i < length; i++)
    text[i] = sometimes(20) ? (wchar_t)draw() : L'a' + (wchar_t)below(3);
  text[length] = 0;
  return text;
}

static long place(const wchar_t *found, const wchar_t *text) { return found ? found - text : -1; }

static void compare_strings(void) {
  wchar_t *a = draw_wide(0), *b = draw_wide(1), c = sometimes(6) ? 0 : L'a' + (wchar_t)below(4);
  size_t n = below(LONGEST + 3), least = wcslen(a) < wcslen(b) ? wcslen(a) : wcslen(b);
  same_number(ours_wcslen(a), wcslen(a), "wcslen");
  same_number(ours_wcsnlen(a, n), wcsnlen(a, n), "wcsnlen");
  same_sign(ours_wcscmp(a, b), wcscmp(a, b), "wcscmp(%ls, %ls)", a, b);
  same_sign(ours_wcscoll(a, b), wcscoll(a, b), "wcscoll(%ls, %ls)", a, b);
  same_sign(ours_wcsncmp(a, b, n), wcsncmp(a, b, n), "wcsncmp(%ls, %ls, %zu)", a, b, n);
  same_sign(ours_wmemcmp(a, b, least), wmemcmp(a, b, least), "wmemcmp(%ls, %ls, %zu)", a, b, least);
  same_number(place(ours_wmemchr(a, c, least), a), place(wmemchr(a, c, least), a), "wmemchr(%ls)", a);
  same_number(place(ours_wcschr(a, c), a), place(wcschr(a, c), a), "wcschr(%ls)", a);
  same_number(place(ours_wcsrchr(a, c), a), place(wcsrchr(a, c), a), "wcsrchr(%ls)", a);
  same_number(place(ours_wcsstr(a, b), a), place(wcsstr(a, b), a), "wcsstr(%ls, %ls)", a, b);
  wchar_t ours[32] = {0}, theirs[32] = {0};
#define BOTH(call, name)                                                                               \
  {                                                                                                    \
    wchar_t *to = ours;                                                                                \
    same_number(ours_##call - ours, 0, "result of " name);                                             \
    to = theirs;                                                                                       \
    (void)(call);                                                                                      \
    same_bytes(ours, theirs, sizeof ours, name "(%ls, %zu)", a, n);                                    \
  }
  BOTH(wcscpy(to, a), "wcscpy");
  BOTH(wcscat(to, b), "wcscat");
  BOTH(wcsncat(to, a, n), "wcsncat");
  BOTH(wcsncpy(to + 1, a, n) - 1, "wcsncpy");
  BOTH(wmemmove(to + 3, to, n) - 3, "wmemmove");
  BOTH(wmemcpy(to, b, least), "wmemcpy");
  BOTH(wmemset(to, c, n), "wmemset");
  wchar_t *copy = ours_wcsdup(a);
  same_bytes(copy, a, (wcslen(a) + 1) * sizeof *a, "wcsdup(%ls)", a);
}

static void compare_bytes(void) {
  char text[LONGEST + 1] = {0};
  draw_text(text, below(LONGEST), "ab\x80\xff ");
  wchar_t ours[8] = {9}, theirs[8] = {9}, *wide = draw_wide(0);
  /* Of no byte at all glibc reads the first one. */
  size_t n = 1 + below(LONGEST + 1);
  same_number(ours_mbtowc(ours, text, n), mbtowc(theirs, text, n), "mbtowc(%s, %zu)", text, n);
  same_number(ours_mblen(text, n), mblen(text, n), "mblen(%s, %zu)", text, n);
  same_bytes(ours, theirs, sizeof ours, "mbtowc(%s, %zu)", text, n);
  same_number(ours_mbstowcs(0, text, 0), mbstowcs(0, text, 0), "length by mbstowcs(%s)", text);
  same_number(ours_mbstowcs(ours, text, n), mbstowcs(theirs, text, n), "mbstowcs(%s, %zu)", text, n);
  char our_bytes[LONGEST + 4] = {0}, their_bytes[LONGEST + 4] = {0};
  same_number(ours_wctomb(our_bytes, wide[0]), wctomb(their_bytes, wide[0]), "wctomb(%x)", (unsigned)wide[0]);
  same_bytes(our_bytes, their_bytes, sizeof our_bytes, "wctomb(%x)", (unsigned)wide[0]);
  same_number(ours_wcstombs(0, wide, 0), wcstombs(0, wide, 0), "length by wcstombs");
  same_number(ours_wcstombs(our_bytes, wide, n), wcstombs(their_bytes, wide, n), "wcstombs(%zu)", n);
  same_number(ours_wctomb(0, 0) + ours_mbtowc(0, 0, 0), wctomb(0, 0) + mbtowc(0, 0, 0), "states");
}

void compare_wide(void) {
  for (int i = 0; i < 20000; i++) {
    compare_strings();
    compare_bytes();
  }
  for (wint_t c = 0; c < 0x500; c++) {
#define SAME(name) same_truth(ours_##name(c) != 0, name(c) != 0, #name "(%x)", c)
    SAME(iswdigit);
    SAME(iswupper);
    SAME(iswlower);
    SAME(iswalpha);
    SAME(iswalnum);
    SAME(iswspace);
    SAME(iswprint);
    same_number(ours_towlower(c), towlower(c), "towlower(%x)", c);
    same_number(ours_towupper(c), towupper(c), "towupper(%x)", c);
    same_number(ours_wctob(c), wctob(c), "wctob(%x)", c);
  }
  for (int c = -1; c < 256; c++)
    same_number(ours_btowc(c), btowc(c), "btowc(%d)", c);
  static const char *const names[] = {"C", "", "POSIX", "xx_YY"};
  for (int i = 0; i < 4; i++)
    same_truth(ours_setlocale(LC_ALL, names[i]) != 0, setlocale(LC_ALL, names[i]) != 0, "setlocale(%s)", names[i]);
  same_number(strcmp(ours_setlocale(LC_CTYPE, 0), setlocale(LC_CTYPE, 0)), 0, "the locale's name");
  same_truth(ours_setlocale(99, "C") == 0, setlocale(99, "C") == 0, "a category that does not exist");
  const struct lconv *ours = ours_localeconv(), *theirs = localeconv();
  same_number(strcmp(ours->decimal_point, theirs->decimal_point), 0, "decimal_point");
  same_number(strcmp(ours->negative_sign, theirs->negative_sign), 0, "negative_sign");
  same_number(strcmp(ours->grouping, theirs->grouping), 0, "grouping");
  same_number(ours->frac_digits, theirs->frac_digits, "frac_digits");
  same_number(ours->int_n_sign_posn, theirs->int_n_sign_posn, "int_n_sign_posn");
}
