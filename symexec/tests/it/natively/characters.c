/* Characters of 16 and 32 bits, and dates of wide characters. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

static void characters(void) {
  mbstate_t state = {0};
  for (int byte = 0; byte < 256; byte++) {
    char text[3] = {(char)byte, 'x', 0};
    char32_t all = 77;
    char16_t half = 77;
    errno = 0;
    memset(&state, 0, sizeof state);
    ssize_t first = (ssize_t)mbrtoc32(&all, text, 2, &state);
    memset(&state, 0, sizeof state);
    ssize_t second = (ssize_t)mbrtoc16(&half, text, 2, &state);
    printf("%d: %zd %u, %zd %u, %d\n", byte, first, (unsigned)all, second, (unsigned)half, errno);
  }
  memset(&state, 0, sizeof state);
  char32_t all = 55;
  char16_t half = 55;
  ssize_t first = (ssize_t)mbrtoc32(&all, NULL, 5, &state);
  ssize_t second = (ssize_t)mbrtoc16(&half, NULL, 5, &state);
  printf("%zd %u, %zd %u\n", first, (unsigned)all, second, (unsigned)half);
  static const unsigned some[] = {0, 65, 127, 128, 255, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xe000, 0xffff, 0x10000, 0x110000};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    char to[20] = "zzzz";
    memset(&state, 0, sizeof state);
    errno = 0;
    first = (ssize_t)c32rtomb(to, some[i], &state);
    printf("%x: %zd %d %d\n", some[i], first, to[0], errno);
    if (some[i] > 0xffff)
      continue;
    memset(&state, 0, sizeof state);
    errno = 0;
    first = (ssize_t)c16rtomb(to, (char16_t)some[i], &state);
    second = (ssize_t)c16rtomb(to, 0xdc00, &state);
    ssize_t third = (ssize_t)c16rtomb(to, 'A', &state);
    printf("%x: %zd %zd %zd %d\n", some[i], first, second, third, errno);
  }
}

int main(void) {
  characters();
  struct tm date = {.tm_sec = 5, .tm_min = 4, .tm_hour = 3, .tm_mday = 2, .tm_mon = 1, .tm_year = 100, .tm_wday = 3, .tm_yday = 32};
  static const wchar_t *const formats[] = {L"%Y-%m-%d", L"", L"%a %A %b %B %c %C %D %e %F", L"%H:%M:%S %p %r", L"%%", L"x%", L"%5Y|%_d|%-d|%^a|%#Z"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    for (size_t room = 0; room < 80; room += room < 12 ? 1 : 20) {
      wchar_t to[80];
      size_t count = wcsftime(to, room, formats[i], &date);
      printf("%zu %zu: %zu %ls\n", i, room, count, count == 0 ? L"" : to);
    }
  return 0;
}
