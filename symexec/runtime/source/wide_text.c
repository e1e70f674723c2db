/* Wide strings beyond copies and comparisons: parts of them, and what cases do not matter to. */
#include "wide.h"

wc *wcschr(const wc *text, wc character);
size_t wcslen(const wc *text);
size_t wcsnlen(const wc *text, size_t limit);
wc *wmemcpy(wc *restrict to, const wc *restrict from, size_t count);
wc *wcsncpy(wc *restrict to, const wc *restrict from, size_t count);
wide towlower(wide c);
wide towupper(wide c);

/* How many characters there are before the first one that is, or is not, in a set. */
static size_t span(const wc *text, const wc *set, bool inside) {
  size_t count = 0;
  while (text[count] != 0 && (wcschr(set, text[count]) != 0) == inside)
    count++;
  return count;
}

size_t wcsspn(const wc *text, const wc *set) { return span(text, set, true); }
size_t wcscspn(const wc *text, const wc *set) { return span(text, set, false); }

wc *wcspbrk(const wc *text, const wc *set) {
  text += span(text, set, false);
  return *text == 0 ? 0 : (wc *)text;
}

wc *wcstok(wc *restrict text, const wc *restrict set, wc **restrict rest) {
  if (text == 0)
    text = *rest;
  if (text == 0)
    return 0;
  text += span(text, set, true);
  if (*text == 0) {
    *rest = 0;
    return 0;
  }
  wc *end = text + span(text, set, false);
  *rest = *end == 0 ? 0 : end + 1;
  *end = 0;
  return text;
}

wc *wcschrnul(const wc *text, wc character) {
  while (*text != 0 && *text != character)
    text++;
  return (wc *)text;
}

wc *wmempcpy(wc *restrict to, const wc *restrict from, size_t count) { return wmemcpy(to, from, count) + count; }

wc *wcpcpy(wc *restrict to, const wc *restrict from) {
  size_t length = wcslen(from);
  return wmemcpy(to, from, length + 1) + length;
}

wc *wcpncpy(wc *restrict to, const wc *restrict from, size_t count) {
  size_t length = wcsnlen(from, count);
  return wcsncpy(to, from, count) + length;
}

size_t wcsxfrm(wc *restrict to, const wc *restrict from, size_t count) {
  size_t length = wcslen(from);
  if (count > 0)
    wmemcpy(to, from, length < count ? length + 1 : count);
  return length;
}

int wcsncasecmp(const wc *left, const wc *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    wide a = towlower((wide)left[i]), b = towlower((wide)right[i]);
    if (a != b)
      return (wc)a < (wc)b ? -1 : 1;
    if (a == 0)
      break;
  }
  return 0;
}

int wcscasecmp(const wc *left, const wc *right) { return wcsncasecmp(left, right, SIZE_MAX); }

/* A way between cases is the number of its name, from 1 on. */
const int *wctrans(const char *name) {
  bool lower = memcmp(name, "tolower", strnlen(name, 7) + 1) == 0;
  bool upper = memcmp(name, "toupper", strnlen(name, 7) + 1) == 0;
  return (const int *)(uintptr_t)(lower ? 1 : upper ? 2 : 0);
}

wide towctrans(wide c, const int *way) {
  return (uintptr_t)way == 1 ? towlower(c) : (uintptr_t)way == 2 ? towupper(c) : c;
}
