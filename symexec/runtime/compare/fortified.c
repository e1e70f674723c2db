/* Fortified functions: the same as the plain ones where there is room, an error where there is none. */
#include "compare.h"

void *ours___memcpy_chk(void *, const void *, size_t, size_t);
void *ours___memmove_chk(void *, const void *, size_t, size_t);
void *ours___mempcpy_chk(void *, const void *, size_t, size_t);
void *ours___memset_chk(void *, int, size_t, size_t);
char *ours___stpcpy_chk(char *, const char *, size_t);
char *ours___strcpy_chk(char *, const char *, size_t);
char *ours___stpncpy_chk(char *, const char *, size_t, size_t);
char *ours___strncpy_chk(char *, const char *, size_t, size_t);
char *ours___strcat_chk(char *, const char *, size_t);
char *ours___strncat_chk(char *, const char *, size_t, size_t);
int ours___vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int ours___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int ours___vsprintf_chk(char *, int, size_t, const char *, va_list);
int ours___sprintf_chk(char *, int, size_t, const char *, ...);
int ours___vasprintf_chk(char **, int, const char *, va_list);
int ours___asprintf_chk(char **, int, const char *, ...);
int ours___vfprintf_chk(FILE *, int, const char *, va_list);
int ours___fprintf_chk(FILE *, int, const char *, ...);
int ours___vprintf_chk(int, const char *, va_list);
int ours___printf_chk(int, const char *, ...);
void ours___chk_fail(void);
void ours___stack_chk_fail(void);
void ours___assert_perror_fail(int, const char *, unsigned, const char *);
void ours___assert(const char *, const char *, int);
OURS(stdout);

static unsigned failed_assertions;

/* The engine's; here it counts and leaves as klee_report_error does. */
void provided_assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  (void)assertion, (void)file, (void)line, (void)function;
  failed_assertions++;
  longjmp(after_error, 1);
}

static void listed(char *to, ...) {
  va_list arguments;
  va_start(arguments, to);
  same_number(ours___vsprintf_chk(to, 1, 3, "%d", arguments), 2, "__vsprintf_chk");
  va_end(arguments);
  va_start(arguments, to);
  same_number(ours___vsnprintf_chk(to, 3, 1, 3, "%d", arguments), 2, "__vsnprintf_chk");
  va_end(arguments);
  char *made = NULL;
  va_start(arguments, to);
  same_number(ours___vasprintf_chk(&made, 1, "%d", arguments), 2, "__vasprintf_chk");
  va_end(arguments);
  same_number(strcmp(made, "17"), 0, "what __vasprintf_chk made");
  free(made);
  va_start(arguments, to);
  same_number(ours___vprintf_chk(1, "%d", arguments), 2, "__vprintf_chk");
  va_end(arguments);
  va_start(arguments, to);
  same_number(ours___vfprintf_chk(ours_stdout, 1, "%d", arguments), 2, "__vfprintf_chk");
  va_end(arguments);
}

void compare_fortified(void) {
  char to[32], expected[32];
  /* Each with the room it needs, and with one byte less. */
  for (int less = 0; less < 2; less++)
    for (int which = 0; which < 14; which++) {
      static const size_t needs[] = {4, 4, 4, 4, 4, 4, 5, 5, 6, 5, 5, 3, 0, 0};
      unsigned before = reported_errors;
      size_t room = needs[which] - (size_t)less;
      if (needs[which] == 0 && less == 0)
        continue;
      memset(to, 0, sizeof to);
      strcpy(to, "xy");
      TRY(switch (which) {
        case 0: ours___memcpy_chk(to, "abc", 4, room); break;
        case 1: ours___memmove_chk(to, "abc", 4, room); break;
        case 2: ours___mempcpy_chk(to, "abc", 4, room); break;
        case 3: ours___memset_chk(to, 'a', 4, room); break;
        case 4: ours___stpcpy_chk(to, "abc", room); break;
        case 5: ours___strcpy_chk(to, "abc", room); break;
        case 6: ours___stpncpy_chk(to, "abc", 5, room); break;
        case 7: ours___strncpy_chk(to, "abc", 5, room); break;
        case 8: ours___strcat_chk(to, "abc", room); break;
        case 9: ours___strncat_chk(to, "abc", 2, room); break;
        case 10: ours___snprintf_chk(to, 5, 1, room, "%s", "abc"); break;
        case 11: ours___sprintf_chk(to, 1, room, "%d", 17); break;
        case 12: ours___chk_fail(); break;
        default: ours___stack_chk_fail(); break;
      });
      same_number(reported_errors - before, less, "the errors of fortified function %d, %d byte less", which, less);
      if (less == 0) {
        static const char *const results[] = {"abc", "abc", "abc", "aaaa", "abc", "abc", "abc", "abc", "xyabc", "xyab", "abc", "17"};
        memset(expected, 0, sizeof expected);
        strcpy(expected, results[which]);
        same_bytes(to, expected, sizeof to, "the result of fortified function %d", which);
      }
    }
  listed(to, 17);
  same_number(ours___printf_chk(1, "%s", "abc"), 3, "__printf_chk");
  same_number(ours___fprintf_chk(ours_stdout, 1, "%s", "abc"), 3, "__fprintf_chk");
  same_number(strcmp(written, "1717abcabc"), 0, "what arrived: %s", written);
  char *made = NULL;
  same_number(ours___asprintf_chk(&made, 1, "%s", "abc"), 3, "__asprintf_chk");
  free(made);
  TRY(ours___assert_perror_fail(2, "file", 1, "function"));
  TRY(ours___assert("false", "file", 1));
  same_number(failed_assertions, 2, "assertions that failed");
}
