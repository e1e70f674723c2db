/* Dates as texts, what a process used, and clocks that nobody may set. */
#include "../source/runtime.h"

struct tm {
  int sec, min, hour, mday, mon, year, wday, yday, isdst;
  long offset;
  const char *zone;
};

struct tm *gmtime_r(const int64_t *time, struct tm *to);
int64_t timegm(struct tm *date);
int snprintf(char *to, size_t size, const char *format, ...);
char *nl_langinfo(int item);
int strncasecmp(const char *left, const char *right, size_t limit);

static int fail(int error) {
  errno = error;
  return -1;
}

char *asctime_r(const struct tm *date, char *to) {
  static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const char *day = date->wday < 0 || date->wday > 6 ? "???" : days + 3 * date->wday;
  const char *month = date->mon < 0 || date->mon > 11 ? "???" : months + 3 * date->mon;
  int length = snprintf(to, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, date->mday, date->hour, date->min,
                        date->sec, 1900 + date->year);
  if (length < 26)
    return to;
  errno = EOVERFLOW;
  return NULL;
}
char *asctime(const struct tm *date) {
  static char text[26];
  return asctime_r(date, text);
}
char *ctime_r(const int64_t *time, char *to) {
  struct tm date;
  return gmtime_r(time, &date) == NULL ? NULL : asctime_r(&date, to);
}
char *ctime(const int64_t *time) {
  static char text[26];
  return ctime_r(time, text);
}

/* ---- Dates read from texts ---- */

static const char *number(const char *text, int most, int low, int high, int *to) {
  int value = 0, digits = 0;
  while (is_space((unsigned char)*text))
    text++;
  for (; digits < most && is_digit((unsigned char)*text); digits++)
    value = value * 10 + (*text++ - '0');
  if (digits == 0 || value < low || value > high)
    return NULL;
  *to = value;
  return text;
}

/* One of `count` names from an item of the locale on, long ones first, or their short ones. */
static const char *name(const char *text, int short_names, int count, int *to) {
  for (int form = 1; form >= 0; form--)
    for (int i = 0; i < count; i++) {
      const char *one = nl_langinfo(short_names + form * count + i);
      size_t length = strlen(one);
      if (strncasecmp(text, one, length) == 0) {
        *to = i;
        return text + length;
      }
    }
  return NULL;
}

struct reading {
  int afternoon, century, year_of_century;
  bool have_month, have_day, have_weekday, have_yearday;
};

static const char *read_date(const char *text, const char *format, struct tm *to, struct reading *seen);

static const char *one(const char *text, char conversion, struct tm *to, struct reading *seen) {
  int value = 0;
  const char *rest = NULL;
  switch (conversion) {
  case '%': return *text == '%' ? text + 1 : NULL;
  case 'n':
  case 't':
    while (is_space((unsigned char)*text))
      text++;
    return text;
  case 'a':
  case 'A':
    seen->have_weekday = true;
    return name(text, 0x20000, 7, &to->wday);
  case 'b':
  case 'B':
  case 'h':
    seen->have_month = true;
    return name(text, 0x2000e, 12, &to->mon);
  case 'd':
  case 'e':
    seen->have_day = true;
    return number(text, 2, 1, 31, &to->mday);
  case 'm':
    seen->have_month = true;
    rest = number(text, 2, 1, 12, &value);
    to->mon = value - 1;
    return rest;
  case 'H':
  case 'k': return number(text, 2, 0, 23, &to->hour);
  case 'I':
  case 'l':
    rest = number(text, 2, 1, 12, &value);
    to->hour = value % 12;
    if (seen->afternoon < 0)
      seen->afternoon = 0;
    return rest;
  case 'M': return number(text, 2, 0, 59, &to->min);
  case 'S': return number(text, 2, 0, 61, &to->sec);
  case 'j':
    seen->have_yearday = true;
    rest = number(text, 3, 1, 366, &value);
    to->yday = value - 1;
    return rest;
  case 'w':
    seen->have_weekday = true;
    return number(text, 1, 0, 6, &to->wday);
  case 'u':
    seen->have_weekday = true;
    rest = number(text, 1, 1, 7, &value);
    to->wday = value % 7;
    return rest;
  case 'Y':
    rest = number(text, 4, 0, 9999, &value);
    to->year = value - 1900;
    return rest;
  case 'y':
    rest = number(text, 2, 0, 99, &seen->year_of_century);
    if (rest != NULL && seen->century < 0)
      to->year = seen->year_of_century + (seen->year_of_century < 69 ? 100 : 0);
    return rest;
  case 'C': return number(text, 2, 0, 99, &seen->century);
  case 'p':
  case 'P':
    if (strncasecmp(text, "AM", 2) != 0 && strncasecmp(text, "PM", 2) != 0)
      return NULL;
    seen->afternoon = (*text | 32) == 'p';
    return text + 2;
  case 'Z':
    while (is_alpha((unsigned char)*text))
      text++;
    return text;
  case 'z': {
    while (is_space((unsigned char)*text))
      text++;
    if (*text == 'Z') {
      to->offset = 0;
      return text + 1;
    }
    if (*text != '+' && *text != '-')
      return NULL;
    int sign = *text == '-' ? -1 : 1, hours, minutes = 0;
    rest = number(text + 1, 2, 0, 24, &hours);
    if (rest != NULL && *rest == ':')
      rest++;
    if (rest != NULL && is_digit((unsigned char)*rest))
      rest = number(rest, 2, 0, 59, &minutes);
    if (rest != NULL)
      to->offset = sign * (hours * 3600L + minutes * 60L);
    return rest;
  }
  case 's': {
    int64_t seconds = 0;
    const char *digits = text;
    while (is_digit((unsigned char)*text) && seconds < (int64_t)1 << 55)
      seconds = seconds * 10 + (*text++ - '0');
    return text == digits || gmtime_r(&seconds, to) == NULL ? NULL : text;
  }
  case 'D':
  case 'x': return read_date(text, "%m/%d/%y", to, seen);
  case 'F': return read_date(text, "%Y-%m-%d", to, seen);
  case 'R': return read_date(text, "%H:%M", to, seen);
  case 'T':
  case 'X': return read_date(text, "%H:%M:%S", to, seen);
  case 'r': return read_date(text, "%I:%M:%S %p", to, seen);
  case 'c': return read_date(text, "%a %b %e %H:%M:%S %Y", to, seen);
  default: return NULL;
  }
}

/* Calls itself through `one` once: the formats of conversions hold no such conversions. */
static const char *read_date(const char *text, const char *format, struct tm *to, struct reading *seen) {
  for (; *format != 0; format++) {
    if (is_space((unsigned char)*format)) {
      while (is_space((unsigned char)*text))
        text++;
      continue;
    }
    if (*format != '%') {
      if (*text++ != *format)
        return NULL;
      continue;
    }
    format++;
    while (*format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == '#' ||
           *format == 'E' || *format == 'O')
      format++;
    text = one(text, *format, to, seen);
    if (text == NULL)
      return NULL;
  }
  return text;
}

char *strptime(const char *text, const char *format, struct tm *to) {
  struct reading seen = {.afternoon = -1, .century = -1, .year_of_century = -1};
  const char *rest = read_date(text, format, to, &seen);
  if (rest == NULL)
    return NULL;
  if (seen.afternoon > 0)
    to->hour = to->hour % 12 + 12;
  if (seen.century >= 0)
    to->year = seen.century * 100 - 1900 + (seen.year_of_century < 0 ? 0 : seen.year_of_century);
  if (seen.have_month && seen.have_day) {
    struct tm copy = {.mday = to->mday, .mon = to->mon, .year = to->year, .hour = 12};
    timegm(&copy);
    to->yday = copy.yday;
    if (!seen.have_weekday)
      to->wday = copy.wday;
  }
  return (char *)rest;
}

/* ---- Clocks that nobody may set; a process that has used next to nothing ---- */

int clock_settime(int clock, const void *time) { return (void)clock, (void)time, fail(1); }
int settimeofday(const void *time, const void *zone) { return (void)time, (void)zone, fail(1); }
int stime(const int64_t *time) { return (void)time, fail(1); }
int adjtimex(void *settings) { return (void)settings, fail(1); }
long times(long *used) {
  if (used != NULL)
    memset(used, 0, 4 * sizeof *used);
  return 100;
}
int getrusage(int who, void *usage) { return (void)who, memset(usage, 0, 144), 0; }
