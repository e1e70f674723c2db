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
  /* A digit that would lead beyond the limit is left for what follows, as in glibc. */
  for (; digits < most && (digits == 0 || value * 10 <= high) && is_digit((unsigned char)*text); digits++)
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
  int afternoon, century, year_of_century, week;
  bool of_twelve; /* the hour */
  bool have_month, have_day, have_weekday, have_yearday, have_year;
  bool from_sunday, from_monday; /* the week */
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
    if (rest != NULL)
      to->mon = value - 1;
    return rest;
  case 'H':
  case 'k':
    seen->of_twelve = false;
    return number(text, 2, 0, 23, &to->hour);
  case 'I':
  case 'l':
    rest = number(text, 2, 1, 12, &value);
    if (rest != NULL)
      to->hour = value % 12;
    seen->of_twelve = true;
    return rest;
  case 'M': return number(text, 2, 0, 59, &to->min);
  case 'S': return number(text, 2, 0, 61, &to->sec);
  case 'j':
    seen->have_yearday = true;
    rest = number(text, 3, 1, 366, &value);
    if (rest != NULL)
      to->yday = value - 1;
    return rest;
  case 'U':
    seen->from_sunday = true;
    return number(text, 2, 0, 53, &seen->week);
  case 'W':
    seen->from_monday = true;
    return number(text, 2, 0, 53, &seen->week);
  case 'V': return number(text, 2, 0, 53, &value);
  case 'g': return number(text, 2, 0, 99, &value);
  case 'G':
    if (!is_digit((unsigned char)*text))
      return NULL;
    while (is_digit((unsigned char)*text))
      text++;
    return text;
  case 'w':
    seen->have_weekday = true;
    return number(text, 1, 0, 6, &to->wday);
  case 'u':
    seen->have_weekday = true;
    rest = number(text, 1, 1, 7, &value);
    if (rest != NULL)
      to->wday = value % 7;
    return rest;
  case 'Y':
    seen->have_year = true;
    rest = number(text, 4, 0, 9999, &value);
    if (rest != NULL)
      to->year = value - 1900;
    return rest;
  case 'y':
    seen->have_year = true;
    rest = number(text, 2, 0, 99, &seen->year_of_century);
    if (rest != NULL && seen->century < 0)
      to->year = seen->year_of_century + (seen->year_of_century < 69 ? 100 : 0);
    return rest;
  case 'C':
    seen->have_year = true;
    return number(text, 2, 0, 99, &seen->century);
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
    long sign = *text++ == '-' ? -1 : 1;
    int digits = 0;
    while (digits < 4 && is_digit((unsigned char)*text)) {
      value = value * 10 + (*text++ - '0');
      digits++;
      if (*text == ':' && digits == 2 && is_digit((unsigned char)text[1]))
        text++;
    }
    if (digits == 2)
      value *= 100;
    if ((digits != 2 && digits != 4) || value % 100 >= 60)
      return NULL;
    to->offset = sign * (value / 100 * 3600L + value % 100 * 60L);
    return text;
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

/* The first day of a month of a date's year: how many days after its first one, and which of the week. */
static struct tm first_of(const struct tm *date, int month) {
  struct tm first = {.mday = 1, .mon = month, .year = date->year, .hour = 12};
  timegm(&first);
  return first;
}

static int weekday(const struct tm *date) {
  return ((first_of(date, date->mon).wday + date->mday - 1) % 7 + 7) % 7;
}

static void set_day_by_yearday(struct tm *to, const struct reading *seen) {
  int month = 0;
  while (month < 11 && first_of(to, month + 1).yday <= to->yday)
    month++;
  if (!seen->have_month)
    to->mon = month;
  if (!seen->have_day)
    to->mday = to->yday - first_of(to, month).yday + 1;
}

char *strptime(const char *text, const char *format, struct tm *to) {
  struct reading seen = {.afternoon = -1, .century = -1, .year_of_century = -1};
  const char *rest = read_date(text, format, to, &seen);
  if (rest == NULL)
    return NULL;
  if (seen.afternoon > 0 && seen.of_twelve)
    to->hour = to->hour % 12 + 12;
  if (seen.century >= 0)
    to->year = seen.century * 100 - 1900 + (seen.year_of_century < 0 ? 0 : seen.year_of_century);
  /* What one part says of the others. A month that nobody has set may be anything. */
  bool of_day = seen.have_month || seen.have_day || seen.have_year;
  if (of_day && !seen.have_weekday && seen.have_yearday && !(seen.have_month && seen.have_day))
    set_day_by_yearday(to, &seen);
  bool is_known = to->mon >= 0 && to->mon <= 11;
  if (of_day && !seen.have_weekday && is_known)
    to->wday = weekday(to);
  if (of_day && !seen.have_yearday && is_known)
    to->yday = first_of(to, to->mon).yday + to->mday - 1;
  if ((seen.from_sunday || seen.from_monday) && seen.have_weekday) {
    int offset = seen.from_sunday ? 0 : 1, new_year = first_of(to, 0).wday;
    if (!seen.have_yearday)
      to->yday = (7 - (new_year - offset)) % 7 + (seen.week - 1) * 7 + (to->wday - offset + 7) % 7;
    if (!seen.have_month || !seen.have_day)
      set_day_by_yearday(to, &seen);
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
