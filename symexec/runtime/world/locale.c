/* The one locale, "C": its texts, and characters of several bytes, of which there are none. */
#include "../source/runtime.h"

typedef struct {
  int count;
  unsigned value;
} state;

/* The shift state of glibc is eight bytes; nothing is ever kept in it. */
int mbsinit(const state *shift) { return shift == NULL || shift->count == 0; }

size_t mbrtowc(wchar_t *to, const char *text, size_t count, state *shift) {
  (void)shift;
  if (text == NULL)
    return 0;
  if (count == 0)
    return (size_t)-2;
  unsigned char c = (unsigned char)*text;
  if (c >= 128) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  if (to != NULL)
    *to = c;
  return c != 0;
}

size_t mbrlen(const char *text, size_t count, state *shift) { return mbrtowc(NULL, text, count, shift); }

size_t wcrtomb(char *to, wchar_t character, state *shift) {
  (void)shift;
  if (to == NULL)
    return 1;
  if ((uint32_t)character >= 128) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  *to = (char)character;
  return 1;
}

/* The same with characters of 32 and of 16 bits, none of which have two parts here. */
size_t mbrtoc32(uint32_t *to, const char *text, size_t count, state *shift) {
  return text == NULL ? mbrtowc(NULL, "", 1, shift) : mbrtowc((wchar_t *)to, text, count, shift);
}
size_t c32rtomb(char *to, uint32_t character, state *shift) { return wcrtomb(to, (wchar_t)character, shift); }
size_t mbrtoc16(uint16_t *to, const char *text, size_t count, state *shift) {
  uint32_t character;
  size_t length = mbrtoc32(&character, text, count, shift);
  if (to != NULL && length <= 1 && text != NULL)
    *to = (uint16_t)character;
  return length;
}

/* The first part of a pair is kept until the second one comes; no byte stands for both. */
size_t c16rtomb(char *to, uint16_t character, state *shift) {
  static state own;
  shift = shift == NULL ? &own : shift;
  if (to == NULL) {
    *shift = (state){0};
    return 1;
  }
  if (shift->count == 0 && character >= 0xd800 && character < 0xdc00) {
    *shift = (state){1, character};
    return 0;
  }
  bool was_first = shift->count != 0;
  *shift = (state){0};
  return wcrtomb(to, was_first ? WCHAR_MAX : character, shift);
}

size_t mbsrtowcs(wchar_t *to, const char **text, size_t limit, state *shift) {
  (void)shift;
  size_t count = 0;
  for (;; count++) {
    if (to != NULL && count == limit)
      return count;
    unsigned char c = (unsigned char)(*text)[to == NULL ? count : 0];
    if (c >= 128) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (to != NULL) {
      to[count] = c;
      *text = c == 0 ? NULL : *text + 1;
    }
    if (c == 0)
      return count;
  }
}

size_t mbsnrtowcs(wchar_t *to, const char **text, size_t bytes, size_t limit, state *shift) {
  size_t count = 0;
  for (; count < bytes && (to == NULL || count < limit); count++) {
    wchar_t character;
    const char *next = *text;
    if (next == NULL)
      break;
    size_t length = mbrtowc(&character, to == NULL ? next + count : next, 1, shift);
    if (length == (size_t)-1)
      return length;
    if (to != NULL) {
      to[count] = character;
      *text = length == 0 ? NULL : next + 1;
    }
    if (length == 0)
      return count;
  }
  return count;
}

size_t wcsnrtombs(char *to, const wchar_t **text, size_t characters, size_t limit, state *shift) {
  size_t count = 0;
  for (; count < characters && (to == NULL || count < limit); count++) {
    wchar_t character = (*text)[to == NULL ? count : 0];
    char byte;
    if (wcrtomb(&byte, character, shift) == (size_t)-1)
      return (size_t)-1;
    if (to != NULL) {
      to[count] = byte;
      *text = character == 0 ? NULL : *text + 1;
    }
    if (character == 0)
      return count;
  }
  return count;
}

size_t wcsrtombs(char *to, const wchar_t **text, size_t limit, state *shift) {
  return wcsnrtombs(to, text, (size_t)-1, limit, shift);
}

int wcwidth(wchar_t character) {
  if (character == 0)
    return 0;
  return ((uint32_t)character - ' ' < 95) ? 1 : -1;
}

int wcswidth(const wchar_t *text, size_t count) {
  int width = 0;
  for (size_t i = 0; i < count && text[i] != 0; i++) {
    int one = wcwidth(text[i]);
    if (one < 0)
      return -1;
    width += one;
  }
  return width;
}

int iswcntrl(unsigned c);

/* ---- Classes by name: numbers from 1 on ---- */

static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                      "lower", "print", "punct", "space", "upper", "xdigit"};

int strcmp(const char *left, const char *right);

unsigned long wctype(const char *name) {
  for (unsigned long i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(name, classes[i]) == 0)
      return i + 1;
  return 0;
}

int iswctype(unsigned c, unsigned long class) {
  int k = c < 128 ? (int)c : 0, graph = is_print(k) & (k != ' ');
  switch (class) {
  case 1: return is_alnum(k);
  case 2: return is_alpha(k);
  case 3: return (k == ' ') | (k == '\t');
  case 4: return iswcntrl(c);
  case 5: return is_digit(k);
  case 6: return graph;
  case 7: return is_lower(k);
  case 8: return is_print(k);
  case 9: return graph & !is_alnum(k);
  case 10: return is_space(k);
  case 11: return is_upper(k);
  case 12: return is_digit(k) | (((unsigned)k | 32) - 'a' < 6);
  default: return 0;
  }
}

/* ---- Texts, by glibc's numbers: the category above, the item below ---- */

char *nl_langinfo(int item) {
  static char *const days[] = {"Sun",     "Mon",      "Tue",    "Wed",       "Thu",      "Fri",    "Sat",
                               "Sunday",  "Monday",   "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
  static char *const months[] = {"Jan",     "Feb",      "Mar",       "Apr",     "May",      "Jun",
                                 "Jul",     "Aug",      "Sep",       "Oct",     "Nov",      "Dec",
                                 "January", "February", "March",     "April",   "May",      "June",
                                 "July",    "August",   "September", "October", "November", "December"};
  static char *const others[] = {"AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p"};
  unsigned number = (unsigned)item - 0x20000;
  if (number < 14)
    return days[number];
  if (number < 38)
    return months[number - 14];
  if (number < 44)
    return others[number - 38];
  switch (item) {
  case 14: return "ANSI_X3.4-1968";
  case 0x10000: return ".";
  case 0x50000: return "^[yY]";
  case 0x50001: return "^[nN]";
  case 0x4000f: return "-";
  default: return "";
  }
}

/* A locale as glibc lays it out: macros and C++ libraries look into its tables of characters. */
const unsigned short **__ctype_b_loc(void);
const int **__ctype_tolower_loc(void);
const int **__ctype_toupper_loc(void);

void *newlocale(int mask, const char *name, void *base) {
  static struct {
    void *parts[13];
    const unsigned short *classes;
    const int *lower, *upper;
    const char *names[13];
  } locale;
  (void)mask;
  locale.classes = *__ctype_b_loc();
  locale.lower = *__ctype_tolower_loc();
  locale.upper = *__ctype_toupper_loc();
  for (size_t i = 0; i < sizeof locale.names / sizeof *locale.names; i++)
    locale.names[i] = "C";
  if (name == NULL || (*name != 0 && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)) {
    errno = name == NULL ? EINVAL : ENOENT;
    return NULL;
  }
  return base == NULL ? &locale : base;
}

void *duplocale(void *locale) { return locale; }
void *uselocale(void *locale) {
  (void)locale;
  return (void *)-1; /* the global one */
}
void freelocale(void *locale) { (void)locale; }
