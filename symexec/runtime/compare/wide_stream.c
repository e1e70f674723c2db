/* Streams of wide characters: what arrives is what the system writes into a file, what is read is what it reads. */
#include "compare.h"

#include <unistd.h>
#include <wchar.h>

OURS(stdout);
OURS(stdin);
OURS(fputwc);
OURS(open_wmemstream);
OURS(fflush);
OURS(putwc);
OURS(putwchar);
OURS(fputws);
OURS(fgetwc);
OURS(getwc);
OURS(getwchar);
OURS(ungetwc);
OURS(fgetws);
OURS(fwide);
OURS(fputwc_unlocked);
OURS(putwc_unlocked);
OURS(putwchar_unlocked);
OURS(fputws_unlocked);
OURS(fgetwc_unlocked);
OURS(getwc_unlocked);
OURS(getwchar_unlocked);
OURS(fgetws_unlocked);
OURS(wprintf);
OURS(fwprintf);
OURS(vwprintf);
OURS(vfwprintf);
OURS(swprintf);
OURS(vswprintf);
OURS(fopen);
OURS(fclose);
OURS(fputs);
OURS(ferror);
OURS(feof);

/* The system's stream over a file without a name. */
static FILE *theirs;

static void arrived(const char *what) {
  char expected[4096];
  fflush(theirs);
  rewind(theirs);
  size_t size = read(fileno(theirs), expected, sizeof expected) < 0 ? 0 : (size_t)lseek(fileno(theirs), 0, SEEK_CUR);
  same_number((long long)written_size, (long long)size, "the length after %s", what);
  same_bytes(written, expected, size < written_size ? size : written_size, "the bytes after %s", what);
  written_size = 0;
  rewind(theirs);
  if (ftruncate(fileno(theirs), 0) != 0)
    same_number(1, 0, "a file without a name");
}

/* Both sides by the function and by its list. */
static int print(bool to_stream, const wchar_t *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = to_stream ? ours_vfwprintf(ours_stdout, text, arguments) : ours_vwprintf(text, arguments);
  va_end(arguments);
  return length;
}

static int print_array(bool ours, wchar_t *to, size_t size, const wchar_t *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = ours ? ours_vswprintf(to, size, text, arguments) : vswprintf(to, size, text, arguments);
  va_end(arguments);
  return length;
}

static void draw_wide(wchar_t *to, size_t length) {
  for (size_t i = 0; i < length; i++)
    to[i] = L"ab \n%\xe9\x4e00"[below(7)];
  to[length] = 0;
}

static void output(int round) {
  wchar_t text[40], format[24] = L"[\x4e00%d|%5ls|%-4s|%lc|%c]";
  draw_wide(text, below(39));
#define ARGUMENTS format, round, text, round % 5 == 0 ? "x\xe9" : "xy", L"c\x4e00"[round % 2], 'q'
  int length = fwprintf(theirs, ARGUMENTS);
  int ours = round % 4 == 0   ? ours_wprintf(ARGUMENTS)
             : round % 4 == 1 ? ours_fwprintf(ours_stdout, ARGUMENTS)
                              : print(round % 4 == 2, ARGUMENTS);
  same_number(ours, length, "the result of wprintf");
  arrived("wprintf");
  wchar_t c = text[0] == 0 ? L'z' : text[0];
  same_number(ours_fputwc(c, ours_stdout), fputwc(c, theirs), "fputwc(%x)", (unsigned)c);
  same_number(ours_putwc(c, ours_stdout), putwc(c, theirs), "putwc(%x)", (unsigned)c);
  same_number(ours_putwchar(c), putwc(c, theirs), "putwchar(%x)", (unsigned)c);
  same_number(ours_fputwc_unlocked(c, ours_stdout), fputwc(c, theirs), "fputwc_unlocked(%x)", (unsigned)c);
  same_number(ours_putwc_unlocked(c, ours_stdout), putwc(c, theirs), "putwc_unlocked(%x)", (unsigned)c);
  same_number(ours_putwchar_unlocked(c), putwc(c, theirs), "putwchar_unlocked(%x)", (unsigned)c);
  same_truth(ours_fputws(text, ours_stdout) >= 0, fputws(text, theirs) >= 0, "fputws");
  same_truth(ours_fputws_unlocked(text, ours_stdout) >= 0, fputws(text, theirs) >= 0, "fputws_unlocked");
  arrived("characters and texts");
  wchar_t here[64] = {5}, there[64] = {5};
  size_t size = below(64);
  int result = swprintf(there, size, ARGUMENTS);
  same_number(ours_swprintf(here, size, ARGUMENTS), result, "swprintf(.., %zu)", size);
  if (result >= 0)
    same_number(wcscmp(here, there), 0, "swprintf: %ls and %ls", here, there);
  same_number(print_array(true, here, size, ARGUMENTS), print_array(false, there, size, ARGUMENTS), "vswprintf");
  if (result >= 0)
    same_number(wcscmp(here, there), 0, "vswprintf: %ls and %ls", here, there);
}

/* The same bytes in a file here and in one there. */
static void input(void) {
  char bytes[24];
  draw_text(bytes, below(23), sometimes(4) ? "ab\n\xe9" : "ab\n");
  FILE *here = ours_fopen("wide", "w");
  ours_fputs(bytes, here);
  ours_fclose(here);
  here = ours_fopen("wide", "r");
  /* glibc reads no wide characters from memory. */
  FILE *there = tmpfile();
  if (write(fileno(there), bytes, strlen(bytes)) != (ptrdiff_t)strlen(bytes) || lseek(fileno(there), 0, SEEK_SET) != 0)
    same_number(1, 0, "a file without a name");
  bool whole = sometimes(2);
  for (int i = 0; i < 30; i++) {
    wchar_t ours[6] = {0}, their[6] = {0};
    int size = 1 + (int)below(5);
    if (whole) {
      wchar_t *line = i % 2 ? ours_fgetws(ours, size, here) : ours_fgetws_unlocked(ours, size, here);
      same_truth(line != NULL, fgetws(their, size, there) != NULL, "fgetws of %s", bytes);
      if (line != NULL)
        same_number(wcscmp(ours, their), 0, "a line of %s", bytes);
    } else {
      wint_t c = i % 4 == 0   ? ours_fgetwc(here)
                 : i % 4 == 1 ? ours_getwc(here)
                 : i % 4 == 2 ? ours_fgetwc_unlocked(here)
                              : ours_getwc_unlocked(here);
      same_number(c, fgetwc(there), "a character of %s", bytes);
      if (c != WEOF && sometimes(3))
        same_number(ours_ungetwc(L'u', here), ungetwc(L'u', there), "ungetwc");
    }
    same_truth(ours_ferror(here), ferror(there), "ferror in %s", bytes);
    if (ferror(there) || feof(there))
      break;
  }
  same_number(ours_fwide(here, 0) > 0, fwide(there, 0) > 0, "fwide");
  ours_fclose(here);
  fclose(there);
}

/* Into memory: characters of every kind. */
static void memory(void) {
  wchar_t *mine, *others;
  size_t my_length, their_length;
  FILE *ours = ours_open_wmemstream(&mine, &my_length), *system = open_wmemstream(&others, &their_length);
  for (int i = 0; i < 8; i++) {
    wchar_t text[12];
    size_t length = below(11);
    for (size_t k = 0; k < length; k++)
      text[k] = sometimes(3) ? (wchar_t)(1 + below(0x10000)) : (wchar_t)('a' + below(26));
    text[length] = 0;
    switch (below(4)) {
    case 0:
      same_number(ours_fputws(text, ours) < 0, fputws(text, system) < 0, "fputws into memory");
      break;
    case 1:
      same_number(ours_fwprintf(ours, L"%ls-%5d\x263a", text, i), fwprintf(system, L"%ls-%5d\x263a", text, i), "fwprintf into memory");
      break;
    case 2:
      same_number(ours_fputwc(text[0], ours), fputwc(text[0], system), "fputwc into memory");
      break;
    default:
      same_number(ours_fflush(ours), fflush(system), "fflush of memory");
      same_number((long long)my_length, (long long)their_length, "the length in memory");
      same_truth(wcscmp(mine, others) == 0, 1, "the characters in memory");
    }
  }
  same_number(ours_fclose(ours), fclose(system), "fclose of memory");
  same_number((long long)my_length, (long long)their_length, "the length at the end");
  same_bytes(mine, others, (my_length + 1) * sizeof *mine, "the characters at the end");
  free(mine);
  free(others);
}

void compare_wide_stream(void) {
  for (int round = 0; round < 200; round++)
    memory();
  theirs = tmpfile();
  same_number(ours_fwide(ours_stdout, 0), 0, "a stream at first");
  for (int round = 0; round < 2000; round++)
    output(round);
  same_number(ours_fwide(ours_stdout, -1), fwide(theirs, -1), "a stream of wide characters");
  fclose(theirs);
  for (int round = 0; round < 2000; round++)
    input();
  same_number(ours_getwchar(), WEOF, "getwchar");
  same_number(ours_getwchar_unlocked(), WEOF, "getwchar_unlocked");
  same_number(ours_ungetwc(WEOF, ours_stdin), WEOF, "pushing back nothing");
}
