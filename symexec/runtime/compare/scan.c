/* Formatted input: from strings and from streams, of bytes and of wide characters, the same items and the same count. */
#include "compare.h"

#include <unistd.h>
#include <wchar.h>

OURS(sscanf);
OURS(vsscanf);
OURS(fscanf);
OURS(vfscanf);
OURS(scanf);
OURS(vscanf);
OURS(swscanf);
OURS(fwscanf);
OURS(wscanf);
OURS(vswscanf);
OURS(vfwscanf);
OURS(vwscanf);
OURS_AS(__isoc99_swscanf, swscanf);
OURS_AS(__isoc99_fwscanf, fwscanf);
OURS_AS(__isoc99_wscanf, wscanf);
OURS_AS(__isoc99_vswscanf, vswscanf);
OURS_AS(__isoc99_vfwscanf, vfwscanf);
OURS_AS(__isoc99_vwscanf, vwscanf);
OURS_AS(__isoc23_swscanf, swscanf);
OURS_AS(__isoc23_fwscanf, fwscanf);
OURS_AS(__isoc23_wscanf, wscanf);
OURS_AS(__isoc23_vswscanf, vswscanf);
OURS_AS(__isoc23_vfwscanf, vfwscanf);
OURS_AS(__isoc23_vwscanf, vwscanf);
OURS(fopen);
OURS(fputs);
OURS(fclose);
OURS_AS(__isoc99_sscanf, sscanf);
OURS_AS(__isoc99_fscanf, fscanf);
OURS_AS(__isoc99_scanf, scanf);
OURS_AS(__isoc99_vsscanf, vsscanf);
OURS_AS(__isoc99_vfscanf, vfscanf);
OURS_AS(__isoc99_vscanf, vscanf);
OURS_AS(__isoc23_sscanf, sscanf);
OURS_AS(__isoc23_fscanf, fscanf);
OURS_AS(__isoc23_scanf, scanf);
OURS_AS(__isoc23_vsscanf, vsscanf);
OURS_AS(__isoc23_vfscanf, vfscanf);
OURS_AS(__isoc23_vscanf, vscanf);

/* Room for whatever three conversions and %n may store. */
struct items {
  char room[4][1024];
};

/* All ways to scan the same text. */
static int scan(int which, const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  FILE *stream = NULL;
  if (which >= 10) {
    stream = ours_fopen("scanned", "w");
    ours_fputs(text, stream);
    ours_fclose(stream);
    stream = ours_fopen("scanned", "r");
  }
  int result = which == 0    ? vsscanf(text, format, arguments)
               : which == 1  ? ours_vsscanf(text, format, arguments)
               : which == 2  ? ours___isoc99_vsscanf(text, format, arguments)
               : which == 3  ? ours___isoc23_vsscanf(text, format, arguments)
               : which == 10 ? ours_vfscanf(stream, format, arguments)
               : which == 11 ? ours___isoc99_vfscanf(stream, format, arguments)
                             : ours___isoc23_vfscanf(stream, format, arguments);
  va_end(arguments);
  if (stream != NULL)
    ours_fclose(stream);
  return result;
}

/* The same of wide characters. */
static int scan_wide(int which, const wchar_t *text, const wchar_t *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = which == 0   ? vswscanf(text, format, arguments)
               : which == 1 ? ours_vswscanf(text, format, arguments)
               : which == 2 ? ours___isoc99_vswscanf(text, format, arguments)
                            : ours___isoc23_vswscanf(text, format, arguments);
  va_end(arguments);
  return result;
}

/* Scans wide texts by a format, some of them with a character that is no byte. */
static void same_wide(const char *text, const char *format) {
  wchar_t wide_text[200], wide_format[100];
  size_t length = strlen(text);
  for (size_t i = 0; i <= length; i++)
    wide_text[i] = text[i] == 'b' && sometimes(2) ? 0x169 : text[i];
  for (size_t i = 0; i <= strlen(format); i++)
    wide_format[i] = format[i];
  struct items mine, theirs;
  /* Zeros, since the system's library writes more than one behind a text of bytes. */
  memset(&mine, 0, sizeof mine);
  memset(&theirs, 0, sizeof theirs);
  int ours = scan_wide(1 + (int)below(3), wide_text, wide_format, mine.room[0], mine.room[1], mine.room[2], mine.room[3]);
  int their = scan_wide(0, wide_text, wide_format, theirs.room[0], theirs.room[1], theirs.room[2], theirs.room[3]);
  same_number(ours, their, "scanning the wide \"%s\" by \"%s\"", text, format);
  for (int i = 0; i < 4; i++)
    if (i < ours)
      same_bytes(mine.room[i], theirs.room[i], 10, "item %d of the wide \"%s\" by \"%s\"", i, text, format);
}

/* The functions of wide characters that take arguments or streams. */
static void compare_wide_ways(void) {
  int a = 0;
  wchar_t *text = NULL;
  same_number(ours_swscanf(L"4", L"%d", &a) + a, 5, "swscanf");
  same_number(ours___isoc99_swscanf(L"5", L"%d", &a) + a, 6, "__isoc99_swscanf");
  same_number(ours___isoc23_swscanf(L"6", L"%d", &a) + a, 7, "__isoc23_swscanf");
  same_number(ours_swscanf(L"a word-that-is-longer-than-thirty-two-characters", L"a %mls", &text), 1, "%%mls");
  same_bytes(text, L"word-that-is-longer-than-thirty-two-characters", 47 * sizeof(wchar_t), "the string of %%mls");
  free(text);
  FILE *stream = ours_fopen("wide numbers", "w+");
  ours_fputs("1 2 3 4 5 6", stream);
  ours_fclose(stream);
  stream = ours_fopen("wide numbers", "r");
  same_number(ours_fwscanf(stream, L"%d", &a) + a, 2, "fwscanf");
  same_number(ours___isoc99_fwscanf(stream, L"%d", &a) + a, 3, "__isoc99_fwscanf");
  same_number(ours___isoc23_fwscanf(stream, L"%d", &a) + a, 4, "__isoc23_fwscanf");
  va_list none;
  memset(&none, 0, sizeof none);
  same_number(ours_vfwscanf(stream, L" 4", none), 0, "vfwscanf");
  same_number(ours___isoc99_vfwscanf(stream, L" 5", none), 0, "__isoc99_vfwscanf");
  same_number(ours___isoc23_vfwscanf(stream, L" 6x", none), -1, "__isoc23_vfwscanf");
  ours_fclose(stream);
  same_number(ours_wscanf(L"%d", &a) + ours___isoc99_wscanf(L"%d", &a) + ours___isoc23_wscanf(L"%d", &a), -3, "wscanf");
  same_number(ours_vwscanf(L"x", none) + ours___isoc99_vwscanf(L"x", none) + ours___isoc23_vwscanf(L"x", none), -3,
              "vwscanf");
}

static const int ways[] = {1, 2, 3, 10, 11, 12};

void compare_scan(void) {
  static const char *const integers[] = {"%d", "%i", "%u", "%x", "%o", "%hd", "%hhu", "%ld", "%lli", "%zx", "%3d",
                                         "%1x", "%2i", "%jd", "%X", NULL};
  static const char *const others[] = {"%s", "%3s", "%c", "%4c", "%[a-c]", "%[^ ]", "%5[]x-]", "%[^]0]", "%lf",
                                       "%f", "%4lg", "%ls", "%2lc", "%l[^c]", "%S", "%*d", "%*s", "%n", "%%", "x", " ", "%Lf", NULL};
  static const char *const pieces[] = {"12", "-7", "+3", "0x1f", "017", "99999999999999999999", "abc", " ", "\n\t",
                                       "x", "%", "]", "1.5", "-.25", "3e2", "inf", "nan", "0", "b", "cab", "-", ".",
                                       "2147483648", NULL};
  for (int round = 0; round < 30000; round++) {
    char text[200] = "", format[100] = "";
    for (size_t count = below(6); count > 0; count--) {
      strcat(text, pick(pieces));
      if (sometimes(2))
        strcat(text, " ");
    }
    for (size_t count = 1 + below(3); count > 0; count--) {
      strcat(format, pick(sometimes(2) ? integers : others));
      if (sometimes(3))
        strcat(format, " ");
    }
    struct items mine, theirs;
    memset(&mine, 3, sizeof mine);
    memset(&theirs, 3, sizeof theirs);
    int which = ways[below(sizeof ways / sizeof *ways)];
    same_wide(text, format);
    int ours = scan(which, text, format, mine.room[0], mine.room[1], mine.room[2], mine.room[3]);
    int their = scan(0, text, format, theirs.room[0], theirs.room[1], theirs.room[2], theirs.room[3]);
    same_number(ours, their, "scanning \"%s\" by \"%s\"", text, format);
    /* What a failed conversion leaves behind is nobody's business; items that were assigned are equal. */
    for (int i = 0; i < 4; i++)
      if (i < ours)
        same_bytes(mine.room[i], theirs.room[i], 10, "item %d of \"%s\" by \"%s\"", i, text, format);
  }
  /* The functions with arguments, and allocated strings. */
  int a = 0, b = 0;
  char *text = NULL;
  same_number(ours_sscanf("4 5", "%d%d", &a, &b) + a + b, 11, "sscanf");
  same_number(ours_sscanf("4 5", "%2$d%1$d", &a, &b) + 10 * a + b, 56, "sscanf by positions");
  same_number(ours___isoc99_sscanf("4 5", "%d%d", &a, &b) + a + b, 11, "__isoc99_sscanf");
  same_number(ours___isoc23_sscanf("4 5", "%d%d", &a, &b) + a + b, 11, "__isoc23_sscanf");
  same_number(ours_sscanf("a long enough word-that-goes-on-and-on-and-on", "a long enough %ms", &text), 1, "%%ms");
  same_bytes(text, "word-that-goes-on-and-on-and-on", 32, "the string of %%ms");
  free(text);
  FILE *stream = ours_fopen("numbers", "w+");
  ours_fputs("1 2 3", stream);
  ours_fclose(stream);
  stream = ours_fopen("numbers", "r");
  same_number(ours_fscanf(stream, "%d", &a) + a, 2, "fscanf");
  same_number(ours___isoc99_fscanf(stream, "%d", &a) + a, 3, "__isoc99_fscanf");
  same_number(ours___isoc23_fscanf(stream, "%d", &a) + a, 4, "__isoc23_fscanf");
  /* Standard input is at its end. */
  same_number(ours_scanf("%d", &a) + ours___isoc99_scanf("%d", &a) + ours___isoc23_scanf("%d", &a), -3, "scanf");
  va_list none;
  memset(&none, 0, sizeof none);
  same_number(ours_vscanf("x", none) + ours___isoc99_vscanf("x", none) + ours___isoc23_vscanf("x", none), -3, "vscanf");
  compare_wide_ways();
  unsigned before = reported_errors;
  TRY(ours_sscanf("a", "%1$y", &text));
  TRY(ours_sscanf("a", "%y", &text));
  same_number(reported_errors - before, 2, "what is refused");
}
