/* Time: a clock that begins at a known moment and goes on by a microsecond with each look at it, and by as
 * much as the program sleeps; an alarm ends its sleep. The time zone is UTC. */
#include "../source/signals.h"
#include "../source/threads.h"

enum { EINTR = 4, BEGIN = 1700000000, BILLION = 1000000000 };

struct moment clock_now = {BEGIN, 0};
void (*clock_threads)(struct moment end);

static void pass(int64_t seconds, long nanoseconds) {
  clock_now.nanoseconds += nanoseconds;
  clock_now.seconds += seconds + clock_now.nanoseconds / BILLION;
  clock_now.nanoseconds %= BILLION;
}

int clock_gettime(int clock, struct moment *to) {
  (void)clock;
  pass(0, 1000);
  *to = clock_now;
  return 0;
}
int clock_getres(int clock, struct moment *to) {
  (void)clock;
  if (to != NULL)
    *to = (struct moment){0, 1};
  return 0;
}
int timespec_get(struct moment *to, int base) {
  clock_gettime(0, to);
  return base;
}
int gettimeofday(struct moment *to, void *zone) {
  (void)zone;
  clock_gettime(0, to);
  to->nanoseconds /= 1000;
  return 0;
}
/* glibc's struct timeb. */
struct in_milliseconds {
  int64_t seconds;
  uint16_t milliseconds;
  int16_t zone, summer;
};
int ftime(struct in_milliseconds *to) {
  struct moment here;
  clock_gettime(0, &here);
  *to = (struct in_milliseconds){here.seconds, (uint16_t)(here.nanoseconds / 1000000), 0, 0};
  return 0;
}
int timespec_getres(struct moment *to, int base) { return base != 1 ? 0 : (clock_getres(0, to), base); }
int64_t time(int64_t *to) {
  pass(0, 1000);
  if (to != NULL)
    *to = clock_now.seconds;
  return clock_now.seconds;
}
long clock(void) {
  pass(0, 1000);
  return (long)(clock_now.seconds - BEGIN) * 1000000 + clock_now.nanoseconds / 1000;
}

/* When SIGALRM comes, unless the seconds are 0, and how long after that again, unless that is 0. */
static struct moment due, again;

/* How much later one time is than another, as nanoseconds below a billion and seconds. */
static struct moment between(struct moment late, struct moment early) {
  struct moment span = {late.seconds - early.seconds, late.nanoseconds - early.nanoseconds};
  if (span.nanoseconds < 0) {
    span.seconds--;
    span.nanoseconds += BILLION;
  }
  return span;
}

static struct moment after(struct moment start, struct moment span) {
  struct moment end = {start.seconds + span.seconds, start.nanoseconds + span.nanoseconds};
  end.seconds += end.nanoseconds / BILLION;
  end.nanoseconds %= BILLION;
  return end;
}

bool clock_reaches_alarm(void) {
  if (due.seconds == 0)
    return false;
  if (between(due, clock_now).seconds >= 0)
    clock_now = due;
  due = again.seconds == 0 && again.nanoseconds == 0 ? (struct moment){0, 0} : after(clock_now, again);
  return true;
}

bool clock_reaches_alarm_within(int64_t seconds, long nanoseconds) {
  struct moment end = after(clock_now, (struct moment){seconds, nanoseconds});
  if (due.seconds != 0 && between(end, due).seconds >= 0)
    return clock_reaches_alarm();
  clock_now = end;
  return false;
}

unsigned alarm(unsigned seconds) {
  struct moment left = {0, 0};
  if (due.seconds != 0)
    left = between(due, clock_now);
  due = (struct moment){seconds == 0 ? 0 : clock_now.seconds + seconds, clock_now.nanoseconds};
  again = (struct moment){0, 0};
  /* To the nearest second, and never none of what is left, as Linux tells it. */
  if (left.seconds < 0)
    left = (struct moment){0, 1};
  return (unsigned)left.seconds + ((left.seconds == 0 && left.nanoseconds > 0) || left.nanoseconds >= BILLION / 2);
}

/* glibc's struct itimerval. */
struct timer {
  int64_t again_seconds, again_microseconds, seconds, microseconds;
};

/* Of the program's own time, of which none passes: these timers never end. */
static struct timer others[2];

int getitimer(int which, struct timer *to) {
  if (which < 0 || which > 2) {
    errno = EINVAL;
    return -1;
  }
  if (which > 0) {
    *to = others[which - 1];
    return 0;
  }
  *to = (struct timer){again.seconds, again.nanoseconds / 1000, 0, 0};
  if (due.seconds == 0)
    return 0;
  struct moment left = between(due, clock_now);
  to->seconds = left.seconds < 0 ? 0 : left.seconds;
  to->microseconds = left.seconds < 0 ? 0 : left.nanoseconds / 1000;
  /* Never none of what is left, as Linux tells it. */
  if (to->seconds == 0 && to->microseconds == 0)
    to->microseconds = 1;
  return 0;
}

static bool is_microseconds(int64_t count) { return count >= 0 && count < 1000000; }

int setitimer(int which, const struct timer *timer, struct timer *old) {
  static const struct timer none;
  if (timer == NULL)
    timer = &none;
  if (which < 0 || which > 2 || timer->seconds < 0 || timer->again_seconds < 0 || !is_microseconds(timer->microseconds) ||
      !is_microseconds(timer->again_microseconds)) {
    errno = EINVAL;
    return -1;
  }
  if (old != NULL)
    getitimer(which, old);
  if (which > 0) {
    others[which - 1] = *timer;
    return 0;
  }
  again = (struct moment){timer->again_seconds, timer->again_microseconds * 1000};
  due = (struct moment){0, 0};
  if (timer->seconds != 0 || timer->microseconds != 0)
    due = after(clock_now, (struct moment){timer->seconds, timer->microseconds * 1000});
  return 0;
}

/* Sleeps; whether the handler of an alarm has ended that, with what was left. */
static bool rest(int64_t seconds, long nanoseconds, struct moment *left) {
  struct moment end = after(clock_now, (struct moment){seconds, nanoseconds});
  if (clock_threads != NULL)
    clock_threads(end);
  while (due.seconds != 0 && between(end, due).seconds >= 0 && clock_reaches_alarm()) {
    struct moment not_slept = between(end, clock_now);
    if (signals_send(SIGALRM, SI_KERNEL, NULL)) {
      if (left != NULL)
        *left = not_slept;
      return true;
    }
  }
  if (is_before(clock_now, end))
    clock_now = end;
  return false;
}

int nanosleep(const struct moment *span, struct moment *left) {
  if (span->seconds < 0 || span->nanoseconds < 0 || span->nanoseconds >= BILLION) {
    errno = EINVAL;
    return -1;
  }
  if (rest(span->seconds, span->nanoseconds, left)) {
    errno = EINTR;
    return -1;
  }
  return 0;
}
/* The error is the result. Until a moment (1) nothing is told of what was left. */
int clock_nanosleep(int clock, int flags, const struct moment *span, struct moment *left) {
  enum { UNTIL = 1 };
  if (span->seconds < 0 || span->nanoseconds < 0 || span->nanoseconds >= BILLION)
    return EINVAL;
  struct moment wanted = *span, here;
  if ((flags & UNTIL) != 0) {
    clock_gettime(clock, &here);
    wanted = between(*span, here);
    left = NULL;
    if (wanted.seconds < 0)
      return 0;
  }
  return rest(wanted.seconds, wanted.nanoseconds, left) ? EINTR : 0;
}
unsigned sleep(unsigned seconds) {
  struct moment left;
  return rest(seconds, 0, &left) ? (unsigned)left.seconds : 0;
}
int usleep(unsigned microseconds) {
  if (rest(microseconds / 1000000, (long)(microseconds % 1000000) * 1000, NULL)) {
    errno = EINTR;
    return -1;
  }
  return 0;
}
double difftime(int64_t late, int64_t early) { return (double)(late - early); }

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

static struct tm *date_of(const int64_t *time, struct tm *to, const char *zone) {
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
  to->zone = zone;
  return to;
}

struct tm *gmtime_r(const int64_t *time, struct tm *to) { return date_of(time, to, "GMT"); }
struct tm *localtime_r(const int64_t *time, struct tm *to) { return date_of(time, to, tzname[0]); }

static struct tm shared;
struct tm *gmtime(const int64_t *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const int64_t *time) { return localtime_r(time, &shared); }

static int64_t normalize(struct tm *date, const char *zone) {
  int64_t year = (int64_t)date->year + 1900 + date->mon / 12;
  int month = date->mon % 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  int64_t days = days_of(year, month + 1, 1) + date->mday - 1;
  int64_t time = days * 86400 + (int64_t)date->hour * 3600 + (int64_t)date->min * 60 + date->sec;
  return date_of(&time, date, zone) == NULL ? -1 : time;
}
int64_t timegm(struct tm *date) { return normalize(date, "GMT"); }
int64_t mktime(struct tm *date) { return normalize(date, tzname[0]); }

int snprintf(char *to, size_t size, const char *format, ...);
char *nl_langinfo(int item);
char *strchr(const char *text, int character);

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

/* What is asked of one conversion: its flags, its width (0 if none is given). */
struct form {
  char pad; /* the last of "_", "-" and "0"; 0 if there was none */
  bool upper, changed;
  int width;
};

/* Where texts go: nothing beyond `size` is written, and `length` counts on. */
struct written {
  char *to;
  size_t size, length;
};

static void put(struct written *written, char letter, size_t count) {
  for (size_t i = 0; i < count && written->length < written->size; i++)
    written->to[written->length++] = letter;
}

enum { AS_IT_IS, UPPER, LOWER };

static void put_text(struct written *written, const char *text, size_t length, const struct form *form, int letters) {
  if (form->width > 0 && (size_t)form->width > length)
    put(written, form->pad == '0' ? '0' : ' ', (size_t)form->width - length);
  size_t count = length < written->size - written->length ? length : written->size - written->length;
  for (size_t i = 0; i < count; i++) {
    int c = (unsigned char)text[i];
    written->to[written->length + i] = (char)(letters == UPPER ? to_upper(c) : letters == LOWER ? to_lower(c) : c);
  }
  written->length += count;
}

/* A number of so many digits at least, filled with zeros unless the flags or `pad` say otherwise. */
static void put_number(struct written *written, long long number, int digits, char pad, const struct form *form) {
  enum { MOST = 100 };
  char text[MOST + 24];
  if (form->pad != 0)
    pad = form->pad;
  if (form->width > digits)
    digits = form->width;
  if (digits > MOST) {
    put(written, pad == '0' ? '0' : ' ', (size_t)(digits - MOST));
    digits = MOST;
  }
  int length = pad == '0' ? snprintf(text, sizeof text, "%0*lld", digits, number)
                          : snprintf(text, sizeof text, "%*lld", pad == '_' ? digits : form->width < MOST ? form->width : MOST, number);
  put_text(written, text, (size_t)length, &(struct form){0}, AS_IT_IS);
}

/* Conversions that do not exist with a modifier. */
#define WITHOUT_E "aAbBhdDeFgGHIjklmMSUVwW"
#define WITHOUT_O "aAcDFxXY"

size_t strftime(char *to, size_t size, const char *format, const struct tm *date) {
  enum { DAY = 0x20000, MONTH = 0x2000e };
  struct written written = {to, size, 0};
  for (; *format != 0; format++) {
    if (*format != '%') {
      put(&written, *format, 1);
      continue;
    }
    const char *start = format++;
    struct form form = {0};
    for (;; format++) {
      if (*format == '_' || *format == '-' || *format == '0')
        form.pad = *format;
      else if (*format == '^')
        form.upper = true;
      else if (*format == '#')
        form.changed = true;
      else
        break;
    }
    for (; is_digit((unsigned char)*format); format++)
      form.width = form.width > (INT_MAX - 9) / 10 ? INT_MAX : form.width * 10 + (*format - '0');
    char modifier = 0, conversion;
    if (*format == 'E' || *format == 'O')
      modifier = *format++;
    conversion = *format;
    /* What no modifier changes has none. */
    if (modifier != 0 && conversion != 0 && strchr(modifier == 'E' ? WITHOUT_E : WITHOUT_O, conversion) != NULL)
      conversion = 0;
    char zero = '0', space = '_';
    int letters = form.upper ? UPPER : AS_IT_IS, other;
    long long year = (long long)date->year + 1900;
    int hour = date->hour % 12 == 0 ? 12 : date->hour % 12;
    const char *text = NULL, *whole = NULL;
#define NUMBER(number, digits, pad) put_number(&written, number, digits, pad, &form)
    switch (conversion) {
    case '%': text = "%"; break;
    case 'n': text = "\n"; break;
    case 't': text = "\t"; break;
    case 'a':
    case 'A':
      text = date->wday < 0 || date->wday > 6 ? "?" : nl_langinfo(DAY + (*format == 'A' ? 7 : 0) + date->wday);
      letters = form.changed ? UPPER : letters;
      break;
    case 'b':
    case 'h':
    case 'B':
      text = date->mon < 0 || date->mon > 11 ? "?" : nl_langinfo(MONTH + (*format == 'B' ? 12 : 0) + date->mon);
      letters = form.changed ? UPPER : letters;
      break;
    case 'p':
      text = date->hour < 12 ? "AM" : "PM";
      letters = form.changed ? LOWER : letters;
      break;
    case 'P':
      text = date->hour < 12 ? "am" : "pm";
      letters = LOWER;
      break;
    case 'Z':
      text = date->zone != NULL && *date->zone != 0 ? date->zone : date->isdst < 0 ? "" : tzname[date->isdst != 0];
      letters = form.changed ? LOWER : letters;
      break;
    case 'c': whole = "%a %b %e %H:%M:%S %Y"; break;
    case 'D':
    case 'x': whole = "%m/%d/%y"; break;
    case 'F': whole = "%Y-%m-%d"; break;
    case 'r': whole = "%I:%M:%S %p"; break;
    case 'R': whole = "%H:%M"; break;
    case 'T':
    case 'X': whole = "%H:%M:%S"; break;
    case 'C': NUMBER(year / 100 - (year % 100 < 0), 1, zero); break;
    case 'd': NUMBER(date->mday, 2, zero); break;
    case 'e': NUMBER(date->mday, 2, space); break;
    case 'g': iso_week(date, &other); NUMBER(((year + other) % 100 + 100) % 100, 2, zero); break;
    case 'G': iso_week(date, &other); NUMBER(year + other, 1, zero); break;
    case 'H': NUMBER(date->hour, 2, zero); break;
    case 'I': NUMBER(hour, 2, zero); break;
    case 'j': NUMBER(date->yday + 1, 3, zero); break;
    case 'k': NUMBER(date->hour, 2, space); break;
    case 'l': NUMBER(hour, 2, space); break;
    case 'm': NUMBER(date->mon + 1, 2, zero); break;
    case 'M': NUMBER(date->min, 2, zero); break;
    case 's': {
      /* As wide as other texts are: with blanks, unless zeros are asked for. */
      struct tm copy = *date;
      char seconds[24];
      int length = snprintf(seconds, sizeof seconds, "%lld", (long long)timegm(&copy));
      put_text(&written, seconds, (size_t)length, &form, AS_IT_IS);
      break;
    }
    case 'S': NUMBER(date->sec, 2, zero); break;
    case 'u': NUMBER(date->wday == 0 ? 7 : date->wday, 1, zero); break;
    case 'U': NUMBER(week(date, 0), 2, zero); break;
    case 'V': NUMBER(iso_week(date, &other), 2, zero); break;
    case 'w': NUMBER(date->wday, 1, zero); break;
    case 'W': NUMBER(week(date, 1), 2, zero); break;
    case 'y': NUMBER((year % 100 + 100) % 100, 2, zero); break;
    case 'Y': NUMBER(year, 1, zero); break;
    case 'z':
      if (date->isdst < 0)
        break;
      long minutes = (date->offset < 0 ? -date->offset : date->offset) / 60;
      put_text(&written, date->offset < 0 ? "-" : "+", 1, &form, AS_IT_IS);
      NUMBER(minutes / 60 * 100 + minutes % 60, 4, zero);
      break;
    default: /* No conversion: it is copied, and what there is of it at the end. */
      if (form.changed && *format != 0 && strchr("bBh", *format) != NULL)
        letters = UPPER;
      put_text(&written, start, (size_t)(format - start) + (*format != 0), &form, letters);
      format -= *format == 0;
      break;
    }
    char piece[100];
    /* Calls itself once: what these are made of is none of them. */
    if (whole != NULL && strftime(piece, sizeof piece, whole, date) > 0)
      text = piece;
    if (text != NULL)
      put_text(&written, text, strlen(text), &form, letters);
  }
  if (written.length >= size)
    return 0;
  to[written.length] = 0;
  return written.length;
}
