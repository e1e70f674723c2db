/* Time: a clock that begins at a known moment and goes on by a microsecond with each look at it, and by as
 * much as the program sleeps. The time zone is UTC. */
#include "../source/runtime.h"

enum { BEGIN = 1700000000, BILLION = 1000000000 };

struct timespec {
  int64_t seconds;
  long nanoseconds;
};

static struct timespec now = {BEGIN, 0};

static void pass(int64_t seconds, long nanoseconds) {
  now.nanoseconds += nanoseconds;
  now.seconds += seconds + now.nanoseconds / BILLION;
  now.nanoseconds %= BILLION;
}

int clock_gettime(int clock, struct timespec *to) {
  (void)clock;
  pass(0, 1000);
  *to = now;
  return 0;
}
int clock_getres(int clock, struct timespec *to) {
  (void)clock;
  if (to != NULL)
    *to = (struct timespec){0, 1};
  return 0;
}
int timespec_get(struct timespec *to, int base) {
  clock_gettime(0, to);
  return base;
}
int gettimeofday(struct timespec *to, void *zone) {
  (void)zone;
  clock_gettime(0, to);
  to->nanoseconds /= 1000;
  return 0;
}
int64_t time(int64_t *to) {
  pass(0, 1000);
  if (to != NULL)
    *to = now.seconds;
  return now.seconds;
}
long clock(void) {
  pass(0, 1000);
  return (long)(now.seconds - BEGIN) * 1000000 + now.nanoseconds / 1000;
}
int nanosleep(const struct timespec *span, struct timespec *left) {
  (void)left;
  if (span->seconds < 0 || span->nanoseconds < 0 || span->nanoseconds >= BILLION) {
    errno = EINVAL;
    return -1;
  }
  pass(span->seconds, span->nanoseconds);
  return 0;
}
unsigned sleep(unsigned seconds) {
  pass(seconds, 0);
  return 0;
}
int usleep(unsigned microseconds) {
  pass(microseconds / 1000000, (long)(microseconds % 1000000) * 1000);
  return 0;
}
double difftime(int64_t late, int64_t early) { return (double)(late - early); }
unsigned alarm(unsigned seconds) { return (void)seconds, 0; }

/* ---- Dates ---- */

struct tm {
  int sec, min, hour, mday, mon, year, wday, yday, isdst;
  long offset;
  const char *zone;
};

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;
void tzset(void) {}

/* Days since 1970 of a day in the Gregorian calendar; years begin in March, so that leap days come last. */
static int64_t days_of(int64_t year, int month, int day) {
  year -= month <= 2;
  int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct tm *gmtime_r(const int64_t *time, struct tm *to) {
  int64_t days = *time / 86400, rest = *time % 86400;
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int64_t of_era = shifted - era * 146097;
  int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t of_year = of_era - (365 * years + years / 4 - years / 100), month = (5 * of_year + 2) / 153;
  int64_t year = years + era * 400 + (month >= 10);
  if (year - 1900 < INT_MIN || year - 1900 > INT_MAX) {
    errno = EOVERFLOW;
    return NULL;
  }
  *to = (struct tm){.sec = (int)(rest % 60), .min = (int)(rest / 60 % 60), .hour = (int)(rest / 3600)};
  to->mday = (int)(of_year - (153 * month + 2) / 5 + 1);
  to->mon = (int)(month < 10 ? month + 2 : month - 10);
  to->year = (int)(year - 1900);
  to->wday = (int)(((days + 4) % 7 + 7) % 7);
  to->yday = (int)(days - days_of(year, 1, 1));
  to->zone = tzname[0];
  return to;
}

struct tm *localtime_r(const int64_t *time, struct tm *to) { return gmtime_r(time, to); }

static struct tm shared;
struct tm *gmtime(const int64_t *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const int64_t *time) { return gmtime_r(time, &shared); }

int64_t timegm(struct tm *date) {
  int64_t year = (int64_t)date->year + 1900 + date->mon / 12;
  int month = date->mon % 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  int64_t days = days_of(year, month + 1, 1) + date->mday - 1;
  int64_t time = days * 86400 + (int64_t)date->hour * 3600 + (int64_t)date->min * 60 + date->sec;
  return gmtime_r(&time, date) == NULL ? -1 : time;
}
int64_t mktime(struct tm *date) { return timegm(date); }

int snprintf(char *to, size_t size, const char *format, ...);
char *nl_langinfo(int item);

/* The weeks of the year, from the first Sunday (0) or Monday (1) on. */
static int week(const struct tm *date, int first) {
  return (date->yday + 7 - (date->wday + 7 - first) % 7) / 7;
}

/* The ISO week, and how far its year is from the date's. */
static int iso_week(const struct tm *date, int *other) {
  int monday = (date->wday + 6) % 7, number = (date->yday - monday + 10) / 7;
  int64_t year = (int64_t)date->year + 1900;
  int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  *other = 0;
  if (number < 1) {
    *other = -1;
    int64_t before = year - 1;
    int long_before = (before % 4 == 0 && before % 100 != 0) || before % 400 == 0;
    return (date->yday + 365 + long_before - monday + 10) / 7;
  }
  if (number == 53 && date->yday - monday + 3 >= 365 + leap) {
    *other = 1;
    return 1;
  }
  return number;
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *date) {
  enum { DAY = 0x20000, MONTH = 0x2000e };
  size_t length = 0;
  for (; *format != 0; format++) {
    char piece[64], one[2] = {*format, 0};
    const char *text = piece;
    if (*format != '%') {
      text = one;
    } else {
      char modifier = 0;
      format++;
      while (*format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == 'E' ||
             *format == 'O')
        modifier = *format++;
      const char *two = modifier == '-' ? "%d" : modifier == '_' ? "%2d" : "%02d";
      long long year = (long long)date->year + 1900;
      int hour = date->hour % 12 == 0 ? 12 : date->hour % 12, other;
#define NUMBER(form, value) snprintf(piece, sizeof piece, form, value)
#define WHOLE(inner) (strftime(piece, sizeof piece, inner, date), (void)0)
      switch (*format) {
      case 'a': text = nl_langinfo(DAY + date->wday); break;
      case 'A': text = nl_langinfo(DAY + 7 + date->wday); break;
      case 'b':
      case 'h': text = nl_langinfo(MONTH + date->mon); break;
      case 'B': text = nl_langinfo(MONTH + 12 + date->mon); break;
      case 'c': WHOLE("%a %b %e %H:%M:%S %Y"); break;
      case 'C': NUMBER(two, (int)(year / 100)); break;
      case 'd': NUMBER(two, date->mday); break;
      case 'D':
      case 'x': WHOLE("%m/%d/%y"); break;
      case 'e': NUMBER(modifier == '0' ? "%02d" : "%2d", date->mday); break;
      case 'F': WHOLE("%Y-%m-%d"); break;
      case 'g': iso_week(date, &other); NUMBER(two, (int)((year + other) % 100)); break;
      case 'G': iso_week(date, &other); NUMBER("%lld", year + other); break;
      case 'H': NUMBER(two, date->hour); break;
      case 'I': NUMBER(two, hour); break;
      case 'j': NUMBER(modifier == '-' ? "%d" : "%03d", date->yday + 1); break;
      case 'k': NUMBER("%2d", date->hour); break;
      case 'l': NUMBER("%2d", hour); break;
      case 'm': NUMBER(two, date->mon + 1); break;
      case 'M': NUMBER(two, date->min); break;
      case 'n': text = "\n"; break;
      case 'p': text = date->hour < 12 ? "AM" : "PM"; break;
      case 'P': text = date->hour < 12 ? "am" : "pm"; break;
      case 'r': WHOLE("%I:%M:%S %p"); break;
      case 'R': WHOLE("%H:%M"); break;
      case 's': {
        struct tm copy = *date;
        NUMBER("%lld", (long long)timegm(&copy));
        break;
      }
      case 'S': NUMBER(two, date->sec); break;
      case 't': text = "\t"; break;
      case 'T':
      case 'X': WHOLE("%H:%M:%S"); break;
      case 'u': NUMBER("%d", date->wday == 0 ? 7 : date->wday); break;
      case 'U': NUMBER(two, week(date, 0)); break;
      case 'V': NUMBER(two, iso_week(date, &other)); break;
      case 'w': NUMBER("%d", date->wday); break;
      case 'W': NUMBER(two, week(date, 1)); break;
      case 'y': NUMBER(two, (int)(year % 100)); break;
      case 'Y': NUMBER("%lld", year); break;
      case 'z': text = "+0000"; break;
      case 'Z': text = date->zone == NULL ? "UTC" : date->zone; break;
      case 0: format--; text = "%"; break;
      default: one[0] = *format; text = one; break;
      }
    }
    size_t count = strlen(text);
    if (length + count >= size)
      return 0;
    memcpy(to + length, text, count);
    length += count;
  }
  if (size == 0)
    return 0;
  to[length] = 0;
  return length;
}
