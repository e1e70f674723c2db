/* Words as a shell makes them of a text: wordexp. Variables, homes, sums, quotes and paths by patterns; commands cannot be
 * run, which is told as where there is no room for a process.
 *
 * Like glibc's: of a variable's forms `-`, `=`, `?` and `+` with a colon or without, `#` for a length, and `%`, `%%`,
 * `#`, `##` for what patterns take away. Differs from it: variables in such a form's word stay as they are written; there
 * are no arguments, so numbered variables are not set; an empty value in quotes that begin a word makes an empty word,
 * where glibc 2.36 says that there is no room.
 */
#include "../source/runtime.h"

void *realloc(void *object, size_t size);
char *strdup(const char *text);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrites);
long strtol(const char *text, char **end, int base);
char *strchr(const char *text, int character);
int fnmatch(const char *pattern, const char *text, int flags);
int dprintf(int descriptor, const char *format, ...);

/* glibc's wordexp_t, and glob_t. */
struct words {
  size_t count;
  char **words;
  size_t before;
};
struct paths {
  size_t count;
  char **paths;
  size_t before;
  int flags;
  void *functions[5];
};
int glob(const char *pattern, int flags, int (*told)(const char *, int), struct paths *to);
void globfree(struct paths *paths);
struct user {
  char *name, *password;
  unsigned id, group;
  char *comment, *home, *shell;
};
struct user *getpwnam(const char *name);
int getpid(void);

enum { BEFORE = 1, APPENDED = 2, NO_COMMANDS = 4, USED_AGAIN = 8, TELLS = 16, DEMANDS = 32 };
enum { WELL, NO_SPACE, BAD_CHARACTER, BAD_VALUE, A_COMMAND, BAD_SYNTAX };

/* A text that grows. */
struct text {
  char *bytes;
  size_t size, room;
};
static bool put(struct text *to, char byte) {
  if (to->size + 2 > to->room) {
    size_t room = to->room == 0 ? 32 : 2 * to->room;
    char *bytes = realloc(to->bytes, room);
    if (bytes == NULL)
      return false;
    to->bytes = bytes;
    to->room = room;
  }
  to->bytes[to->size++] = byte;
  to->bytes[to->size] = 0;
  return true;
}

/* What is made of a text. A word is put together twice: as it is, and as a pattern, in which what was quoted stands
   for itself. */
struct state {
  const char *text; /* what is left */
  int flags;
  const char *separators;
  struct text word, pattern;
  bool is_word;    /* whether there is one, be it empty */
  bool is_pattern; /* whether a path may be meant */
  bool failed;     /* whether there was no memory */
  struct words *to;
};

static void quoted(struct state *state, char byte) {
  state->is_word = true;
  bool special = strchr("*?[]\\-!^", byte) != NULL;
  if ((special && !put(&state->pattern, '\\')) || !put(&state->pattern, byte) || !put(&state->word, byte))
    state->failed = true;
}
static void bare(struct state *state, char byte) {
  state->is_word = true;
  state->is_pattern |= byte == '*' || byte == '?' || byte == '[';
  if (!put(&state->pattern, byte) || !put(&state->word, byte))
    state->failed = true;
}

static void add(struct state *state, const char *word) {
  struct words *to = state->to;
  char **more = realloc(to->words, (to->before + to->count + 2) * sizeof *more), *copy = strdup(word);
  if (more != NULL)
    to->words = more;
  if (more == NULL || copy == NULL) {
    free(copy);
    state->failed = true;
    return;
  }
  more[to->before + to->count++] = copy;
  more[to->before + to->count] = NULL;
}

/* A word is at its end: it, or the paths that it stands for, are told. */
static void finish(struct state *state) {
  struct paths paths;
  if (!state->is_word || state->failed)
    return;
  if (state->is_pattern && glob(state->pattern.bytes, 0, NULL, &paths) == 0) {
    for (size_t i = 0; i < paths.count; i++)
      add(state, paths.paths[i]);
    globfree(&paths);
  } else
    add(state, state->word.bytes == NULL ? "" : state->word.bytes);
  state->word.size = state->pattern.size = 0;
  if (state->word.bytes != NULL)
    state->word.bytes[0] = 0;
  if (state->pattern.bytes != NULL)
    state->pattern.bytes[0] = 0;
  state->is_word = state->is_pattern = false;
}

/* What an expansion gives: as it is in quotes, otherwise separated into words. Blanks that separate are as good as one;
   any other separator ends a word, be it empty. */
static void expanded(struct state *state, const char *value, bool in_quotes) {
  if (in_quotes) {
    state->is_word = true;
    for (; *value != 0; value++)
      quoted(state, *value);
    return;
  }
  for (const char *start = value; *value != 0;) {
    if (strchr(state->separators, *value) == NULL) {
      bare(state, *value++);
      continue;
    }
    bool is_blank = true, is_first = value == start, had_word = state->is_word;
    for (; *value != 0 && strchr(state->separators, *value) != NULL; value++) {
      bool blank = *value == ' ' || *value == '\t' || *value == '\n';
      if (!blank && !is_blank)
        break;
      is_blank &= blank;
    }
    state->is_word |= !is_blank && !had_word;
    /* As in glibc, blanks at an end of the value separate nothing from what stands beside it. */
    if (!is_blank || (*value != 0 && !is_first))
      finish(state);
  }
}

/* ---- Sums: numbers, the four operations, and parentheses, of which so many may be open ---- */

enum { OPEN = 32 };

/* The value of a sum, whose products and parentheses wait with what they are added to or multiplied by. */
static bool value_of(const char *text, long *to) {
  struct {
    unsigned long sum, product;
    char adds, multiplies;
  } levels[OPEN] = {{0, 1, '+', '*'}}, *level = levels;
  for (;;) {
    while (is_space((unsigned char)*text))
      text++;
    if (*text == '(') {
      if (++level == levels + OPEN)
        return false;
      level->sum = 0, level->product = 1, level->adds = '+', level->multiplies = '*';
      text++;
      continue;
    }
    char *end;
    unsigned long number = (unsigned long)strtol(text, &end, 0);
    if (end == text)
      return false;
    for (text = end;; text++) {
      if (level->multiplies == '/' && (number == 0 || (number == -1ul && level->product == (unsigned long)LONG_MIN)))
        return false;
      level->product = level->multiplies == '*' ? level->product * number : (unsigned long)((long)level->product / (long)number);
      while (is_space((unsigned char)*text))
        text++;
      level->multiplies = *text;
      if (*text == '*' || *text == '/')
        break;
      level->sum = level->adds == '+' ? level->sum + level->product : level->sum - level->product;
      level->product = 1;
      level->multiplies = '*';
      level->adds = *text;
      if (*text == '+' || *text == '-')
        break;
      number = level->sum;
      if (*text == 0)
        return *to = (long)number, level == levels;
      if (*text != ')' || level-- == levels)
        return false;
    }
    text++;
  }
}

/* Where parentheses or braces end that are open here; null if they do not. What is in quotes is passed over, but for
   double ones between braces. */
static const char *end_of(const char *text, char opens, char closes) {
  for (int depth = 0; *text != 0; text++) {
    if (*text == '\\' && text[1] != 0)
      text++;
    else if (*text == '\'' || (*text == '"' && opens == '(')) {
      char quote = *text;
      do
        text++;
      while (*text != 0 && *text != quote);
      if (*text == 0)
        return NULL;
    } else if (*text == opens)
      depth++;
    else if (*text == closes && depth-- == 0)
      return text;
  }
  return NULL;
}

/* A command, which cannot be run, between quotes that lean to the left; the text is behind the first one. */
static int command(struct state *state) {
  const char *text = state->text;
  while (*text != 0 && *text != '`')
    text += 1 + (*text == '\\' && text[1] != 0);
  return *text == 0 ? BAD_SYNTAX : (state->flags & NO_COMMANDS) != 0 ? A_COMMAND : NO_SPACE;
}

static char *piece(const char *from, const char *to) {
  char *copy = malloc((size_t)(to - from) + 1);
  if (copy != NULL) {
    memcpy(copy, from, (size_t)(to - from));
    copy[to - from] = 0;
  }
  return copy;
}

static void number(struct state *state, long number, bool in_quotes) {
  char digits[24], *text = digits + sizeof digits - 1;
  unsigned long left = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
  *text = 0;
  do
    *--text = (char)('0' + left % 10);
  while ((left /= 10) != 0);
  if (number < 0)
    *--text = '-';
  expanded(state, text, in_quotes);
}

/* ---- Variables ---- */

/* What a pattern leaves of a value, of which it takes the shortest or the longest part at one of its ends; null if there
   is no memory. */
static char *without(const char *value, const char *pattern, bool at_end, bool longest) {
  size_t length = strlen(value);
  for (size_t i = 0; i <= length; i++) {
    size_t taken = longest ? length - i : i;
    const char *from = at_end ? value + length - taken : value;
    char *part = piece(from, from + taken);
    if (part == NULL)
      return NULL;
    bool matches = fnmatch(pattern, part, 0) == 0;
    free(part);
    if (matches)
      return at_end ? piece(value, from) : piece(from + taken, value + length);
  }
  return piece(value, value + length);
}

/* What stands behind a dollar sign. */
static int variable(struct state *state, bool in_quotes) {
  const char *text = state->text, *end;
  if (text[0] == '(' || text[0] == '[') {
    bool old = text[0] == '[', is_sum = old || text[1] == '(';
    end = end_of(text + 1, text[0], old ? ']' : ')');
    if (end == text + 1 && !is_sum) {
      /* A command of which there is nothing. */
      state->text = end + 1;
      return WELL;
    }
    if (!is_sum || end == NULL)
      return end == NULL ? BAD_SYNTAX : (state->flags & NO_COMMANDS) != 0 ? A_COMMAND : NO_SPACE;
    if (!old && end[-1] != ')')
      return (state->flags & NO_COMMANDS) != 0 ? A_COMMAND : NO_SPACE;
    long value = 0;
    char *copy = old ? piece(text + 1, end) : piece(text + 2, end - 1);
    if (copy == NULL)
      return NO_SPACE;
    bool is_empty = *copy == 0, is_well = is_empty || value_of(copy, &value);
    free(copy);
    if (!is_well)
      return BAD_SYNTAX;
    number(state, value, in_quotes);
    state->text = end + 1;
    return WELL;
  }
  bool braces = *text == '{', wants_length = braces && text[1] == '#' && text[2] != '}';
  text += braces + wants_length;
  for (end = text; is_alnum((unsigned char)*end) | (*end == '_'); end++)
    if (end == text && is_digit((unsigned char)*end)) {
      end++;
      break;
    }
  if (end == text && !braces && (*text == '$' || *text == '#')) {
    number(state, *text == '$' ? getpid() : 0, in_quotes);
    state->text++;
    return WELL;
  }
  if (end == text && (*text == '*' || *text == '@'))
    end++;
  if (end == text && !braces) {
    /* A dollar sign and no more. */
    quoted(state, '$');
    return WELL;
  }
  if (end == text)
    return BAD_SYNTAX;
  char *name = piece(text, end);
  if (name == NULL)
    return NO_SPACE;
  const char *value = is_digit((unsigned char)*name) ? NULL : getenv(name);
  const char *known = value == NULL ? "" : value;
  int result = WELL;
  if (!braces || *end == '}') {
    state->text = end + braces;
    bool is_name = is_alnum((unsigned char)*name) | (*name == '_');
    if (value == NULL && is_name && !wants_length && (state->flags & DEMANDS) != 0)
      result = BAD_VALUE;
    else if (wants_length)
      number(state, (long)strlen(known), in_quotes);
    else
      expanded(state, known, in_quotes);
    free(name);
    return result;
  }
  /* A form with a word, which is taken as it is written. */
  bool colon = *end == ':', twice = false, is_set = value != NULL && (!colon || *value != 0);
  char form = end[colon];
  if (form == 0) {
    free(name);
    return BAD_SYNTAX;
  }
  const char *word = end + colon + 1;
  if ((form == '%' || form == '#') && *word == form) {
    twice = true;
    word++;
  }
  const char *last = end_of(word, '{', '}');
  char *copy = last == NULL || strchr("-=?+%#", form) == NULL || wants_length ? NULL : piece(word, last);
  if (copy == NULL) {
    free(name);
    return BAD_SYNTAX;
  }
  state->text = last + 1;
  if (value == NULL && (state->flags & DEMANDS) != 0)
    form = 0;
  switch (form) {
  case 0: result = BAD_VALUE; break;
  case '-': expanded(state, is_set ? known : copy, in_quotes); break;
  case '+':
    if (is_set)
      expanded(state, copy, in_quotes);
    break;
  case '=':
    if (!is_set)
      setenv(name, copy, 1);
    expanded(state, is_set ? known : copy, in_quotes);
    break;
  case '?':
    if (is_set)
      expanded(state, known, in_quotes);
    else {
      dprintf(2, "%s: %s\n", name, *copy != 0 ? copy : "parameter null or not set");
      result = BAD_VALUE;
    }
    break;
  default: {
    char *rest = without(known, copy, form == '%', twice);
    if (rest == NULL)
      result = NO_SPACE;
    else
      expanded(state, rest, in_quotes);
    free(rest);
  }
  }
  free(copy);
  free(name);
  return result;
}

/* A home in the place of a tilde at the start of a word. */
static void home(struct state *state) {
  const char *end = state->text + 1;
  while (*end != 0 && strchr("/: \t\\", *end) == NULL)
    end++;
  char *name = *end == '\\' ? NULL : piece(state->text + 1, end);
  const char *path = NULL;
  if (name != NULL && *name == 0)
    path = getenv("HOME");
  else if (name != NULL) {
    struct user *user = getpwnam(name);
    path = user == NULL ? NULL : user->home;
  }
  free(name);
  /* Who is not known stays as it is written, whatever that is. */
  if (path == NULL && *end == '\\')
    bare(state, *state->text++);
  else if (path == NULL)
    for (; state->text < end; state->text++)
      bare(state, *state->text);
  else
    for (state->text = end; *path != 0; path++)
      quoted(state, *path);
}

/* ---- All of a text ---- */

/* Quotes with nothing between are a word by themselves where none has begun. */
static bool is_empty_word(struct state *state, char quote) {
  if (*state->text != quote || state->is_word)
    return false;
  state->text++;
  state->is_word = true;
  finish(state);
  return true;
}

static int in_quotes(struct state *state) {
  if (is_empty_word(state, '"'))
    return WELL;
  state->is_word = true;
  for (;;) {
    char c = *state->text++;
    int error = WELL;
    switch (c) {
    case 0: return BAD_SYNTAX;
    case '"': return WELL;
    case '$': error = variable(state, true); break;
    case '`': return command(state);
    case '\\':
      if (*state->text == 0)
        return BAD_SYNTAX;
      if (*state->text == '\n')
        state->text++;
      else if (strchr("$`\"\\", *state->text) != NULL)
        quoted(state, *state->text++);
      else
        quoted(state, c);
      break;
    default: quoted(state, c);
    }
    if (error != WELL)
      return error;
  }
}

static int all_of(struct state *state) {
  for (;;) {
    char c = *state->text;
    int error = WELL;
    if (c == '~' && !state->is_word) {
      home(state);
      continue;
    }
    state->text++;
    switch (c) {
    case 0: finish(state); return state->failed ? NO_SPACE : WELL;
    case '"': error = in_quotes(state); break;
    case '\'':
      if (is_empty_word(state, '\''))
        break;
      state->is_word = true;
      for (; *state->text != '\''; state->text++) {
        if (*state->text == 0)
          return BAD_SYNTAX;
        quoted(state, *state->text);
      }
      state->text++;
      break;
    case '$': error = variable(state, false); break;
    case '`': return command(state);
    case '\\':
      if (*state->text == 0)
        return BAD_SYNTAX;
      if (*state->text != '\n')
        quoted(state, *state->text);
      state->text++;
      break;
    case ' ':
    case '\t': finish(state); break;
    case '\n': case '|': case '&': case ';': case '<': case '>': case '(': case ')': case '{': case '}':
      return BAD_CHARACTER;
    default: bare(state, c);
    }
    if (error != WELL || state->failed)
      return error != WELL ? error : NO_SPACE;
  }
}

void wordfree(struct words *words) {
  if (words->words == NULL)
    return;
  for (size_t i = 0; i < words->count; i++)
    free(words->words[words->before + i]);
  free(words->words);
  words->words = NULL;
}

int wordexp(const char *text, struct words *to, int flags) {
  if ((flags & USED_AGAIN) != 0)
    wordfree(to);
  if ((flags & APPENDED) == 0) {
    *to = (struct words){.before = (flags & BEFORE) != 0 ? to->before : 0};
    to->words = malloc((to->before + 1) * sizeof *to->words);
    if (to->words == NULL)
      return NO_SPACE;
    memset(to->words, 0, (to->before + 1) * sizeof *to->words);
  }
  size_t count = to->count;
  const char *separators = getenv("IFS");
  struct state state = {.text = text, .flags = flags, .separators = separators == NULL ? " \t\n" : separators, .to = to};
  int error = all_of(&state);
  free(state.word.bytes);
  free(state.pattern.bytes);
  /* Of a text that is none, nothing stays but where there is no room. */
  if (error != WELL && error != NO_SPACE)
    for (; to->count > count; to->words[to->before + to->count] = NULL)
      free(to->words[to->before + --to->count]);
  return error;
}
