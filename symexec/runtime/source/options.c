/* getopt and its relatives, with GNU's order of arguments: options are found behind other arguments as
 * well, and what is no option ends up behind them.
 *
 * Differs from glibc: "W;" is not read as a way to write long options. What is read as an option may be
 * unknown; each comparison of it then forks as in any other function.
 */
#include "stream.h"

char *strchr(const char *text, int character);
char *getenv(const char *name);
int fprintf(FILE *restrict stream, const char *restrict text, ...);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* As in the system's header. */
struct option {
  const char *name;
  int has_arg; /* 0 none, 1 always, 2 perhaps */
  int *flag;
  int val;
};

/* What a search for options looks for. */
struct search {
  const char *letters;
  const struct option *names;
  int *place;    /* where the number of a name goes, or null */
  bool one_dash; /* whether names may stand behind one dash */
  bool loud;
};

/* The rest of the argument that holds several letters; null or empty between arguments. */
static const char *rest;
/* Arguments without options that were passed by: from the first up to the last one. */
static int first_other, last_other;
static bool is_begun;
/* What the first call of a search said about arguments that are no options. */
static enum { PERMUTE, STOP, IN_ORDER } order;

static bool is_other(const char *argument) { return argument[0] != '-' || argument[1] == 0; }

/* Brings those passed by behind the options that were found since. */
static void exchange(char **arguments) {
  int others = last_other - first_other, options = optind - last_other;
  for (int done = 0; done < options; done++) {
    char *option = arguments[last_other + done];
    for (int i = last_other + done; i > first_other + done; i--)
      arguments[i] = arguments[i - 1];
    arguments[first_other + done] = option;
  }
  first_other += options;
  last_other = first_other + others;
}

static int missing(const struct search *search) { return search->letters[0] == ':' ? ':' : '?'; }

/* How a name and the text in front of '=' or of its end agree. */
struct agreement {
  bool begins;    /* the text begins the name */
  bool whole;     /* and is all of it */
  bool has_value; /* and '=' stands behind it */
};

/* Compares a name with `rest` without a branch on what is unknown: were each character of an unknown argument
 * compared by itself, the paths of an argument would be counted by its lengths times the lengths of all names. So
 * there is one choice for each name, and characters behind the end are read and ignored. */
static struct agreement compare(const char *name, size_t room) {
  unsigned goes_on = 1, begins = 0, whole = 0, has_value = 0;
  for (size_t i = 0; i < room; i++) {
    unsigned is_value = rest[i] == '=', ends = is_value | (rest[i] == 0);
    begins |= goes_on & ends;
    has_value |= goes_on & is_value;
    if (name[i] == 0) {
      whole = goes_on & ends;
      break;
    }
    goes_on &= (ends ^ 1) & (rest[i] == name[i]);
  }
  return (struct agreement){.begins = begins, .whole = whole, .has_value = has_value};
}

/* How many characters of `rest` can be read. */
static size_t room_of_rest(void) {
  size_t room = __symexec_room(rest);
  return room > 0 ? room : strlen(rest) + 1;
}

/* The number of the name that `rest` begins, -1 for none, -2 for several. */
static int find(const struct search *search, size_t room) {
  /* What it begins with is one choice of all; then few names are left. */
  char firsts[257];
  size_t count = 0;
  for (int i = 0; search->names[i].name != NULL; i++) {
    char first = search->names[i].name[0];
    if (first != '=' && first != 0 && memchr(firsts, first, count) == NULL)
      firsts[count++] = first;
  }
  firsts[count] = 0;
  size_t place = __symexec_position(firsts, (unsigned char)rest[0]);
  /* Nothing in front of '=' begins all names. */
  if (place == count && rest[0] != 0 && rest[0] != '=')
    return -1;
  int found = -1;
  bool are_several = false, is_ambiguous = false;
  for (int i = 0; search->names[i].name != NULL; i++) {
    const struct option *option = &search->names[i];
    if ((place < count && option->name[0] != firsts[place]) || !compare(option->name, room).begins)
      continue;
    if (found < 0) {
      found = i;
    } else {
      const struct option *other = &search->names[found];
      are_several = true;
      is_ambiguous |= search->one_dash || other->has_arg != option->has_arg || other->flag != option->flag ||
                      other->val != option->val;
    }
  }
  if (are_several)
    for (int i = 0; search->names[i].name != NULL; i++)
      if (compare(search->names[i].name, room).whole)
        return i;
  return is_ambiguous ? -2 : found;
}

static void tell_ambiguity(const struct search *search, const char *program, const char *dashes, size_t room) {
  fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, dashes, rest);
  for (int i = 0; search->names[i].name != NULL; i++)
    if (compare(search->names[i].name, room).begins)
      fprintf(stderr, " '%s%s'", dashes, search->names[i].name);
  fprintf(stderr, "\n");
}

/* The option named by `rest`; -1 if it is to be tried as letters. */
static int named(const struct search *search, int count, char **arguments, const char *dashes) {
  const char *program = arguments[0], *name = rest;
  size_t room = room_of_rest();
  int number = find(search, room);
  if (number == -1) {
    if (search->one_dash && arguments[optind][1] != '-' && strchr(search->letters, rest[0]) != NULL)
      return -1;
    if (search->loud)
      fprintf(stderr, "%s: unrecognized option '%s%s'\n", program, dashes, rest);
  } else if (number == -2 && search->loud) {
    tell_ambiguity(search, program, dashes, room);
  }
  bool has_value = number >= 0 && compare(search->names[number].name, room).has_value;
  rest = NULL;
  optind++;
  if (number < 0) {
    optopt = 0;
    return '?';
  }
  const struct option *option = &search->names[number];
  if (has_value) {
    if (option->has_arg == 0) {
      if (search->loud)
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", program, dashes, option->name);
      optopt = option->val;
      return '?';
    }
    optarg = strchr(name, '=') + 1;
  } else if (option->has_arg == 1) {
    if (optind >= count) {
      if (search->loud)
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", program, dashes, option->name);
      optopt = option->val;
      return missing(search);
    }
    optarg = arguments[optind++];
  }
  if (search->place != NULL)
    *search->place = number;
  if (option->flag == NULL)
    return option->val;
  *option->flag = option->val;
  return 0;
}

/* The option whose letter `rest` begins with. */
static int lettered(const struct search *search, int count, char **arguments) {
  char letter = *rest++;
  const char *found = search->letters + __symexec_position(search->letters, (unsigned char)letter);
  if (*rest == 0)
    optind++;
  if (*found == 0 || letter == ':' || letter == ';') {
    if (search->loud)
      fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], letter);
    optopt = (unsigned char)letter;
    return '?';
  }
  /* The same number as the letter, and known. */
  int result = (unsigned char)*found;
  if (found[1] != ':')
    return result;
  if (*rest != 0) {
    optarg = (char *)rest;
    optind++;
  } else if (found[2] != ':') {
    if (optind >= count) {
      if (search->loud)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], letter);
      optopt = (unsigned char)letter;
      result = missing(search);
    } else {
      optarg = arguments[optind++];
    }
  }
  rest = NULL;
  return result;
}

/* Goes to the next option, or to the next argument if it is not passed by; false at the end. */
static bool next_option(int count, char **arguments) {
  if (last_other > optind)
    last_other = optind;
  if (first_other > optind)
    first_other = optind;
  if (order == PERMUTE) {
    if (first_other != last_other && last_other != optind)
      exchange(arguments);
    else if (last_other != optind)
      first_other = optind;
    while (optind < count && is_other(arguments[optind]))
      optind++;
    last_other = optind;
  }
  if (optind < count && arguments[optind][0] == '-' && arguments[optind][1] == '-' && arguments[optind][2] == 0) {
    optind++;
    if (first_other != last_other && last_other != optind)
      exchange(arguments);
    else if (first_other == last_other)
      first_other = optind;
    last_other = optind = count;
  }
  if (optind >= count) {
    if (first_other != last_other)
      optind = first_other;
    return false;
  }
  return true;
}

static int next(struct search search, int count, char **arguments, bool always_stops) {
  optarg = NULL;
  if (count < 1)
    return -1;
  if (optind == 0 || !is_begun) {
    if (optind == 0)
      optind = 1;
    first_other = last_other = optind;
    rest = NULL;
    if (!is_begun)
      optopt = 0;
    is_begun = true;
    bool stops = always_stops || search.letters[0] == '+' || getenv("POSIXLY_CORRECT") != NULL;
    order = search.letters[0] == '-' ? IN_ORDER : stops ? STOP : PERMUTE;
  }
  search.letters += search.letters[0] == '+' || search.letters[0] == '-';
  search.loud = opterr != 0 && search.letters[0] != ':';
  if (rest == NULL || *rest == 0) {
    if (!next_option(count, arguments))
      return -1;
    if (is_other(arguments[optind])) {
      if (order == STOP)
        return -1;
      optarg = arguments[optind++];
      return 1;
    }
    const char *argument = arguments[optind];
    if (search.names != NULL) {
      if (argument[1] == '-') {
        rest = argument + 2;
        return named(&search, count, arguments, "--");
      }
      if (search.one_dash && (argument[2] != 0 || strchr(search.letters, argument[1]) == NULL)) {
        rest = argument + 1;
        int result = named(&search, count, arguments, "-");
        if (result != -1)
          return result;
      }
    }
    rest = argument + 1;
  }
  return lettered(&search, count, arguments);
}

int getopt(int count, char *const *arguments, const char *letters) {
  return next((struct search){.letters = letters}, count, (char **)arguments, false);
}

int getopt_long(int count, char *const *arguments, const char *letters, const struct option *names, int *place) {
  return next((struct search){.letters = letters, .names = names, .place = place}, count, (char **)arguments,
              false);
}

int getopt_long_only(int count, char *const *arguments, const char *letters, const struct option *names,
                     int *place) {
  return next((struct search){.letters = letters, .names = names, .place = place, .one_dash = true}, count,
              (char **)arguments, false);
}

/* What getopt is called where only POSIX's order is wanted. */
int __posix_getopt(int count, char *const *arguments, const char *letters) {
  return next((struct search){.letters = letters}, count, (char **)arguments, true);
}

/* One of the options in a text that commas separate, "name" or "name=value": which of the names it is. */
int getsubopt(char **restrict text, char *const *restrict names, char **restrict value) {
  char *begin = *text;
  size_t length = 0, end;
  if (*begin == 0)
    return -1;
  while (begin[length] != 0 && begin[length] != ',' && begin[length] != '=')
    length++;
  for (end = length; begin[end] != 0 && begin[end] != ','; end++)
    ;
  bool has_value = begin[length] == '=';
  *text = begin + end + (begin[end] != 0);
  begin[end] = 0;
  for (int place = 0; names[place] != NULL; place++)
    if (strncmp(begin, names[place], length) == 0 && names[place][length] == 0) {
      *value = has_value ? begin + length + 1 : NULL;
      return place;
    }
  *value = begin;
  return -1;
}
