/* Parts of wide strings, numbers in them, and the classes that a program asks for less often. */
#include "compare.h"

#include <inttypes.h>
#include <wchar.h>
#include <wctype.h>

OURS(wcsspn);
OURS(wcscspn);
OURS(wcspbrk);
OURS(wcstok);
OURS(wcschrnul);
OURS(wmempcpy);
OURS(wcpcpy);
OURS(wcpncpy);
OURS(wcsxfrm);
OURS(wcsncasecmp);
OURS(wcscasecmp);
OURS(iswblank);
OURS(iswcntrl);
OURS(iswgraph);
OURS(iswpunct);
OURS(iswxdigit);
OURS(wctrans);
OURS(towctrans);
OURS(wcstol);
OURS(wcstoll);
OURS(wcstoimax);
OURS(wcstoul);
OURS(wcstoull);
OURS(wcstoumax);
OURS(wcstof);
OURS(wcstod);
OURS(wcstold);

enum { LONGEST = 8 };

/* A text of few letters in a room that it ends with. */
static wchar_t *draw_wide(unsigned room, const wchar_t *letters) {
  size_t length = below(LONGEST + 1);
  wchar_t *text = (wchar_t *)room_end(room, (length + 1) * sizeof(wchar_t));
  for (size_t i = 0; i < length; i++)
    text[i] = letters[below(wcslen(letters))];
  text[length] = 0;
  return text;
}

static long place(const wchar_t *found, const wchar_t *text) { return found ? found - text : -1; }

static void parts(void) {
  static const wchar_t letters[] = L"abAB\x130 ";
  wchar_t *a = draw_wide(0, letters), *b = draw_wide(1, letters), c = letters[below(6)];
  size_t n = below(LONGEST + 2);
  same_number((long)ours_wcsspn(a, b), (long)wcsspn(a, b), "wcsspn(%ls, %ls)", a, b);
  same_number((long)ours_wcscspn(a, b), (long)wcscspn(a, b), "wcscspn(%ls, %ls)", a, b);
  same_number(place(ours_wcspbrk(a, b), a), place(wcspbrk(a, b), a), "wcspbrk(%ls, %ls)", a, b);
  same_number(place(ours_wcschrnul(a, c), a), place(wcschrnul(a, c), a), "wcschrnul(%ls)", a);
  same_sign(ours_wcscasecmp(a, b), wcscasecmp(a, b), "wcscasecmp(%ls, %ls)", a, b);
  same_sign(ours_wcsncasecmp(a, b, n), wcsncasecmp(a, b, n), "wcsncasecmp(%ls, %ls, %zu)", a, b, n);
  wchar_t ours[LONGEST + 2] = {7}, theirs[LONGEST + 2] = {7};
  same_number(ours_wcpcpy(ours, a) - ours, wcpcpy(theirs, a) - theirs, "wcpcpy(%ls)", a);
  same_number(ours_wcpncpy(ours, b, n) - ours, wcpncpy(theirs, b, n) - theirs, "wcpncpy(%ls, %zu)", b, n);
  same_number(ours_wmempcpy(ours, a, wcslen(a)) - ours, wmempcpy(theirs, a, wcslen(a)) - theirs, "wmempcpy(%ls)", a);
  same_bytes(ours, theirs, sizeof ours, "copies of %ls and %ls", a, b);
  if (wcslen(b) < n) {
    same_number((long)ours_wcsxfrm(ours, b, n), (long)wcsxfrm(theirs, b, n), "wcsxfrm(%ls, %zu)", b, n);
    same_bytes(ours, theirs, sizeof ours, "what wcsxfrm makes of %ls", b);
  }
  wchar_t here[LONGEST + 1], there[LONGEST + 1], *our_rest = NULL, *their_rest = NULL;
  wcscpy(here, a);
  wcscpy(there, a);
  for (int i = 0; i < LONGEST; i++) {
    wchar_t *our_token = ours_wcstok(i == 0 ? here : NULL, b, &our_rest);
    wchar_t *their_token = wcstok(i == 0 ? there : NULL, b, &their_rest);
    same_number(place(our_token, here), place(their_token, there), "part %d by wcstok(%ls, %ls)", i, a, b);
    if (their_token == NULL)
      break;
    same_number(wcscmp(our_token, their_token), 0, "part %d of %ls", i, a);
  }
}

static void numbers(void) {
  wchar_t *text = draw_wide(0, L"0179f+-. xeE\x661"), *our_end = NULL, *their_end = NULL;
  int base = sometimes(2) ? 10 : sometimes(2) ? 16 : 0;
#define SAME(name)                                                                                     \
  same_number((long long)ours_##name(text, &our_end, base), (long long)name(text, &their_end, base),   \
              #name "(%ls, %d)", text, base);                                                          \
  same_number(our_end - text, their_end - text, "the end of " #name "(%ls, %d)", text, base)
  SAME(wcstol);
  SAME(wcstoll);
  SAME(wcstoimax);
  SAME(wcstoul);
  SAME(wcstoull);
  SAME(wcstoumax);
#define SAME_FLOAT(name)                                                                               \
  same_truth(ours_##name(text, &our_end) == name(text, &their_end), 1, #name "(%ls)", text);           \
  same_number(our_end - text, their_end - text, "the end of " #name "(%ls)", text)
  SAME_FLOAT(wcstof);
  SAME_FLOAT(wcstod);
  SAME_FLOAT(wcstold);
}

void compare_wide_text(void) {
  for (int i = 0; i < 20000; i++) {
    parts();
    numbers();
  }
  for (wint_t c = 0; c < 0x500; c++) {
#define SAME_CLASS(name) same_truth(ours_##name(c) != 0, name(c) != 0, #name "(%x)", c)
    SAME_CLASS(iswblank);
    SAME_CLASS(iswcntrl);
    SAME_CLASS(iswgraph);
    SAME_CLASS(iswpunct);
    SAME_CLASS(iswxdigit);
    same_number(ours_towctrans(c, ours_wctrans("tolower")), towctrans(c, wctrans("tolower")), "to lower (%x)", c);
    same_number(ours_towctrans(c, ours_wctrans("toupper")), towctrans(c, wctrans("toupper")), "to upper (%x)", c);
  }
  same_truth(ours_wctrans("to") != 0, wctrans("to") != 0, "a way between cases that does not exist");
}
