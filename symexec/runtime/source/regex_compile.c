/* Regular expressions, compiled: POSIX's basic and extended ones, and glibc's syntaxes between them.
 *
 * One pass without recursion. A piece of a program is contiguous and jumps only within itself and to its own
 * end, by distances; so it can be moved and copied. What an operator applies to is the piece that began last;
 * open groups are on a stack.
 * Differs from glibc: no collating elements of more than one character.
 */
#include "regex.h"

void *realloc(void *object, size_t size);
int strcmp(const char *left, const char *right);

enum { MOST_OPEN = 64, MOST_STEPS = 1 << 16, MOST_REPETITIONS = 0x7fff };

/* A group that is open; the outermost one is the whole pattern. */
struct group {
  int number, start; /* where its piece begins */
  int alternative;   /* where the alternative begins that is being read */
  int leaving;       /* the last jump from an alternative to the end; each knows the one before */
  uint64_t before, others; /* groups that were closed before it, and in its alternatives up to here */
};

struct parser {
  const unsigned char *place, *start, *end, *translate;
  unsigned long syntax;
  struct program *program;
  struct group open[MOST_OPEN];
  int depth;
  int piece;   /* where what an operator applies to begins; -1: there is nothing */
  bool begins; /* a group or alternative begins here */
  uint64_t closed; /* groups that may be referred to */
};

static bool has(const struct parser *parser, unsigned long bit) { return (parser->syntax & bit) != 0; }

/* ---- Programs ---- */

static bool reserve(struct program *program, int count) {
  if (program->count + count > MOST_STEPS)
    return false;
  if (program->count + count <= program->room)
    return true;
  int room = 2 * (program->count + count);
  struct step *steps = realloc(program->steps, (size_t)room * sizeof *steps);
  if (steps == NULL)
    return false;
  program->steps = steps;
  program->room = room;
  return true;
}

static bool add(struct program *program, enum operation operation, int value, int other) {
  if (!reserve(program, 1))
    return false;
  program->steps[program->count++] = (struct step){operation, value, other};
  return true;
}

static bool insert(struct program *program, int at, enum operation operation, int value, int other) {
  if (!reserve(program, 1))
    return false;
  memmove(program->steps + at + 1, program->steps + at, (size_t)(program->count - at) * sizeof *program->steps);
  program->steps[at] = (struct step){operation, value, other};
  program->count++;
  return true;
}

static bool append(struct program *program, const struct step *piece, int length) {
  if (!reserve(program, length))
    return false;
  memcpy(program->steps + program->count, piece, (size_t)length * sizeof *piece);
  program->count += length;
  return true;
}

/* Whether a piece can be gone through without a character: by steps that may be taken without one, each
 * marked once. */
static bool may_be_empty(const struct step *piece, int length, unsigned char *marks) {
  memset(marks, 0, (size_t)length + 1);
  marks[0] = 1;
  for (bool changed = true; changed && !marks[length];) {
    changed = false;
    for (int i = 0; i < length; i++) {
      if (marks[i] != 1)
        continue;
      marks[i] = 2;
      changed = true;
      int next[2] = {i + 1, i + 1};
      if (piece[i].operation == CHARACTER || piece[i].operation == SET)
        continue;
      if (piece[i].operation == SPLIT || piece[i].operation == JUMP)
        next[0] = next[1] = i + piece[i].value;
      if (piece[i].operation == SPLIT)
        next[1] = i + piece[i].other;
      for (int k = 0; k < 2; k++)
        if (marks[next[k]] == 0)
          marks[next[k]] = 1;
    }
  }
  return marks[length] != 0;
}

/* A piece any number of times. */
static bool add_star(struct program *program, const struct step *piece, int length) {
  int slot = program->slots++;
  return add(program, SPLIT, 1, length + 4) && add(program, SAVE, slot, 0) && append(program, piece, length) &&
         add(program, PROGRESS, slot, 0) && add(program, JUMP, -(length + 3), 0);
}

/* The piece from `start` to the end comes at least `low` times and at most `high` times; -1 is without end.
 * One that may be empty matches once emptily rather than not at all, as its groups then tell. */
static int repeat(struct program *program, int start, int low, int high) {
  int length = program->count - start;
  struct step *piece = malloc(((size_t)length + 1) * sizeof *piece);
  unsigned char *marks = malloc((size_t)length + 1);
  if (piece == NULL || marks == NULL)
    return NO_SPACE;
  memcpy(piece, program->steps + start, (size_t)length * sizeof *piece);
  program->count = start;
  bool done = true;
  for (int i = 0; i < low && done; i++)
    done = append(program, piece, length);
  if (high < 0) {
    if (low == 0 && may_be_empty(piece, length, marks))
      done = done && add(program, SPLIT, 1, 2 * length + 5) && append(program, piece, length);
    done = done && add_star(program, piece, length);
  }
  for (int i = low; i < high && done; i++)
    done = add(program, SPLIT, 1, (high - i) * (length + 1)) && append(program, piece, length);
  free(marks);
  free(piece);
  return done ? NO_ERROR : program->count + length > MOST_STEPS / 2 ? TOO_BIG : NO_SPACE;
}

static unsigned char *add_set(struct program *program) {
  void *sets = realloc(program->sets, ((size_t)program->set_count + 1) * sizeof *program->sets);
  if (sets == NULL)
    return NULL;
  program->sets = sets;
  return memset(program->sets[program->set_count++], 0, 256);
}

/* A set stands for characters as they are after translation and in any case. */
static void close_set(const struct parser *parser, unsigned char *set, bool negated) {
  if (has(parser, FOLD_CASE))
    for (int c = 'a'; c <= 'z'; c++)
      set[c] = set[c - 32] = set[c] | set[c - 32];
  if (negated) {
    if (has(parser, HAT_LISTS_NOT_NEWLINE))
      set['\n'] = 1;
    for (int c = 0; c < 256; c++)
      set[c] = !set[c];
  }
}

/* Puts the characters of a class into a set; false if there is no such class. */
static bool put_class(unsigned char *set, const char *name) {
  static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                      "lower", "print", "punct", "space", "upper", "xdigit"};
  int class = 0;
  while (class < 12 && strcmp(name, names[class]) != 0)
    class++;
  for (int c = 0; c < 128; c++) {
    int graph = is_print(c) & (c != ' ');
    int members[] = {is_alnum(c), is_alpha(c), (c == ' ') | (c == '\t'), !is_print(c), is_digit(c), graph,
                     is_lower(c), is_print(c), graph & !is_alnum(c), is_space(c), is_upper(c), digit_value(c) < 16, 0};
    set[c] |= (unsigned char)members[class];
  }
  return class < 12;
}

static int add_class(struct parser *parser, const char *name, unsigned extra, bool negated) {
  unsigned char *set = add_set(parser->program);
  if (set == NULL)
    return NO_SPACE;
  put_class(set, name);
  if (extra != 0)
    set[extra] = 1;
  if (negated)
    for (int c = 0; c < 256; c++)
      set[c] = !set[c];
  return add(parser->program, SET, parser->program->set_count - 1, 0) ? NO_ERROR : NO_SPACE;
}

/* ---- Brackets ---- */

/* One end of a range: a character, or a collating element of one. -1: a class; below: an error. */
static int element(struct parser *parser, unsigned char *set, int *error) {
  unsigned char c = *parser->place;
  bool special = c == '[' && parser->place + 1 < parser->end &&
                 ((parser->place[1] == ':' && has(parser, CHAR_CLASSES)) || parser->place[1] == '.' ||
                  parser->place[1] == '=');
  if (!special) {
    if (c == '\\' && has(parser, ESCAPE_IN_LISTS)) {
      if (++parser->place == parser->end) {
        *error = BAD_BRACKET;
        return -1;
      }
      c = *parser->place;
    }
    parser->place++;
    return parser->translate == NULL ? c : parser->translate[c];
  }
  unsigned char kind = parser->place[1];
  const unsigned char *name = parser->place + 2, *end = name;
  while (end + 1 < parser->end && !(end[0] == kind && end[1] == ']'))
    end++;
  if (end + 1 >= parser->end) {
    *error = BAD_BRACKET;
    return -1;
  }
  parser->place = end + 2;
  if (kind != ':') {
    if (end - name != 1) {
      *error = BAD_COLLATION;
      return -1;
    }
    return *name;
  }
  char text[8];
  size_t length = (size_t)(end - name);
  bool known = length < sizeof text;
  if (known) {
    memcpy(text, name, length);
    text[length] = 0;
    known = put_class(set, text);
  }
  if (!known)
    *error = BAD_CLASS;
  return -1;
}

static int bracket(struct parser *parser) {
  unsigned char *set = add_set(parser->program);
  if (set == NULL)
    return NO_SPACE;
  bool negated = parser->place < parser->end && *parser->place == '^';
  parser->place += negated;
  if (parser->place == parser->end)
    return BAD_PATTERN;
  for (bool first = true;; first = false) {
    if (parser->place == parser->end)
      return BAD_BRACKET;
    if (*parser->place == ']' && !first)
      break;
    int error = NO_ERROR, low = element(parser, set, &error);
    if (error != NO_ERROR)
      return error;
    bool range = parser->end - parser->place >= 2 && parser->place[0] == '-' && parser->place[1] != ']';
    if (!range) {
      if (low >= 0)
        set[low] = 1;
      continue;
    }
    parser->place++;
    int high = element(parser, set, &error);
    if (error != NO_ERROR)
      return error;
    if (low < 0 || high < 0)
      return BAD_RANGE;
    if (low > high && has(parser, NO_EMPTY_RANGES))
      return BAD_RANGE;
    for (int c = low; c <= high; c++)
      set[c] = 1;
  }
  parser->place++;
  close_set(parser, set, negated);
  return add(parser->program, SET, parser->program->set_count - 1, 0) ? NO_ERROR : NO_SPACE;
}

/* ---- Tokens ---- */

enum token { LITERAL, ANY, LIST, STAR, PLUS, OPTION, BRACE, OPEN, CLOSE, EITHER, CARET, DOLLAR, BACK, GNU, DANGLING };

/* What begins at the place; how many characters it has. */
static enum token token_at(const struct parser *parser, const unsigned char *place, int *length) {
  unsigned char c = *place;
  *length = 1;
  if (c == '\\') {
    if (place + 1 == parser->end)
      return DANGLING;
    *length = 2;
    c = place[1];
    switch (c) {
    case '|': return has(parser, LIMITED_OPS | NO_BK_VBAR) ? LITERAL : EITHER;
    case '(': return has(parser, NO_BK_PARENS) ? LITERAL : OPEN;
    case ')': return has(parser, NO_BK_PARENS) ? LITERAL : CLOSE;
    case '{': return !has(parser, INTERVALS) || has(parser, NO_BK_BRACES) ? LITERAL : BRACE;
    case '+': return !has(parser, LIMITED_OPS) && has(parser, BK_PLUS_QM) ? PLUS : LITERAL;
    case '?': return !has(parser, LIMITED_OPS) && has(parser, BK_PLUS_QM) ? OPTION : LITERAL;
    default:
      if (c >= '1' && c <= '9' && !has(parser, NO_BK_REFS))
        return BACK;
      if (has(parser, NO_GNU_OPS))
        return LITERAL;
      for (const char *known = "<>bBwWsS`'"; *known != 0; known++)
        if (c == (unsigned char)*known)
          return GNU;
      return LITERAL;
    }
  }
  switch (c) {
  case '\n': return has(parser, NEWLINE_ALT) ? EITHER : LITERAL;
  case '|': return !has(parser, LIMITED_OPS) && has(parser, NO_BK_VBAR) ? EITHER : LITERAL;
  case '*': return STAR;
  case '+': return has(parser, LIMITED_OPS | BK_PLUS_QM) ? LITERAL : PLUS;
  case '?': return has(parser, LIMITED_OPS | BK_PLUS_QM) ? LITERAL : OPTION;
  case '{': return has(parser, INTERVALS) && has(parser, NO_BK_BRACES) ? BRACE : LITERAL;
  case '(': return has(parser, NO_BK_PARENS) ? OPEN : LITERAL;
  case ')': return has(parser, NO_BK_PARENS) ? CLOSE : LITERAL;
  case '[': return LIST;
  case '.': return ANY;
  case '^': return CARET;
  case '$': return DOLLAR;
  default: return LITERAL;
  }
}

static int literal(struct parser *parser, unsigned char c) {
  if (parser->translate != NULL)
    c = parser->translate[c];
  if (has(parser, FOLD_CASE))
    c = (unsigned char)to_lower(c);
  parser->piece = parser->program->count;
  return add(parser->program, CHARACTER, c, 0) ? NO_ERROR : NO_SPACE;
}

static int any(struct parser *parser) {
  unsigned char *set = add_set(parser->program);
  if (set == NULL)
    return NO_SPACE;
  memset(set, 1, 256);
  set['\n'] = has(parser, DOT_NEWLINE);
  set[0] = !has(parser, DOT_NOT_NULL);
  return add(parser->program, SET, parser->program->set_count - 1, 0) ? NO_ERROR : NO_SPACE;
}

/* `{2}`, `{2,}`, `{,3}`, `{2,3}` behind its brace. NO_MATCH: it is none and stands for itself. */
static int interval(struct parser *parser, int *low, int *high) {
  const unsigned char *place = parser->place, *end = parser->end;
  bool plain = has(parser, NO_BK_BRACES), wrong = false, comma = false;
  int numbers[2] = {-1, -1};
  for (int i = 0; i < 2; i++) {
    /* A number that is none is looked through as well: what ends it decides what is wrong. */
    while (place < end && *place != ',') {
      if (plain ? *place == '}' : *place == '\\' && place + 1 < end && place[1] == '}')
        break;
      int value = (numbers[i] < 0 ? 0 : numbers[i]) * 10 + (*place - '0');
      wrong |= !is_digit(*place++);
      numbers[i] = wrong || value > MOST_REPETITIONS ? MOST_REPETITIONS + 1 : value;
    }
    if (i == 1 || place == end || *place != ',')
      break;
    comma = true;
    place++;
  }
  bool closed = place < end && *place != ',';
  if (closed && !comma && numbers[0] < 0)
    return BAD_INTERVAL;
  if (!closed || wrong) {
    if (has(parser, INVALID_INTERVAL_ORD))
      return NO_MATCH;
    return place == end ? BAD_BRACE : BAD_INTERVAL;
  }
  *low = numbers[0] < 0 ? 0 : numbers[0];
  *high = comma ? numbers[1] : numbers[0];
  if (*high >= 0 && *low > *high)
    return BAD_INTERVAL;
  if (*low > MOST_REPETITIONS || *high > MOST_REPETITIONS)
    return TOO_BIG;
  parser->place = place + (has(parser, NO_BK_BRACES) ? 1 : 2);
  return NO_ERROR;
}

/* ---- Groups ---- */

static int open_group(struct parser *parser) {
  struct program *program = parser->program;
  if (parser->depth == MOST_OPEN - 1)
    return NO_SPACE;
  int number = ++program->groups, start = program->count;
  if (!add(program, SAVE, 2 * number, 0))
    return NO_SPACE;
  parser->open[++parser->depth] = (struct group){number, start, program->count, -1, parser->closed, 0};
  parser->piece = -1;
  parser->begins = true;
  return NO_ERROR;
}

static int alternative(struct parser *parser) {
  struct group *group = &parser->open[parser->depth];
  struct program *program = parser->program;
  int length = program->count - group->alternative;
  if (!insert(program, group->alternative, SPLIT, 1, length + 2) || !add(program, JUMP, group->leaving, 0))
    return NO_SPACE;
  group->leaving = program->count - 1;
  group->alternative = program->count;
  /* An alternative does not see the groups of another one. */
  group->others |= parser->closed;
  parser->closed = group->before;
  parser->piece = -1;
  parser->begins = true;
  return NO_ERROR;
}

static int close_group(struct parser *parser) {
  struct group *group = &parser->open[parser->depth];
  struct program *program = parser->program;
  for (int at = group->leaving; at >= 0;) {
    int before = program->steps[at].value;
    program->steps[at].value = program->count - at;
    at = before;
  }
  group->leaving = -1;
  parser->closed |= group->others;
  if (parser->depth == 0)
    return NO_ERROR;
  if (!add(program, SAVE, 2 * group->number + 1, 0))
    return NO_SPACE;
  parser->piece = group->start;
  if (group->number < 64)
    parser->closed |= (uint64_t)1 << group->number;
  parser->depth--;
  return NO_ERROR;
}

static int gnu(struct parser *parser, unsigned char c) {
  static const struct {
    char name;
    enum operation operation;
  } edges[] = {{'<', WORD_START},   {'>', WORD_END},   {'b', WORD_EDGE},
               {'B', NO_WORD_EDGE}, {'`', TEXT_START}, {'\'', TEXT_END}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    if (c == (unsigned char)edges[i].name) {
      parser->piece = -1;
      return add(parser->program, edges[i].operation, 0, 0) ? NO_ERROR : NO_SPACE;
    }
  parser->piece = parser->program->count;
  bool word = (c | 32) == 'w';
  return add_class(parser, word ? "alnum" : "space", word ? '_' : 0, c < 'a');
}

/* An operator of repetition; without something before it, it is an error, nothing or a character. */
static int operator(struct parser *parser, enum token token, const unsigned char *text, int length) {
  if (parser->piece < 0) {
    if (token == BRACE && has(parser, CONTEXT_INVALID_DUP))
      return BAD_REPETITION;
    if (has(parser, CONTEXT_INVALID_OPS))
      return BAD_REPETITION;
    if (has(parser, CONTEXT_INDEP_OPS)) {
      /* It is passed over, and something has to follow: not the group's end. */
      int next_length;
      if (parser->place == parser->end || token_at(parser, parser->place, &next_length) != CLOSE)
        return NO_ERROR;
      if (!has(parser, UNMATCHED_RIGHT_PAREN_ORD))
        return BAD_RIGHT_PAREN;
      parser->place += next_length;
      return literal(parser, ')');
    }
    return literal(parser, text[length - 1]);
  }
  int low = token == PLUS, high = token == OPTION ? 1 : -1;
  if (token == BRACE) {
    int error = interval(parser, &low, &high);
    if (error == NO_MATCH)
      return literal(parser, '{');
    if (error != NO_ERROR)
      return error;
  }
  if (has(parser, CONTEXT_INVALID_DUP) && parser->place < parser->end) {
    int next_length;
    enum token next = token_at(parser, parser->place, &next_length);
    if (next == STAR || next == BRACE)
      return BAD_REPETITION;
  }
  return repeat(parser->program, parser->piece, low, high);
}

/* `$` is an anchor at the end of the pattern, of a group and of an alternative. */
static bool ends_here(const struct parser *parser) {
  if (has(parser, CONTEXT_INDEP_ANCHORS) || parser->place == parser->end)
    return true;
  int length;
  enum token next = token_at(parser, parser->place, &length);
  return next == EITHER || next == CLOSE;
}

static int one(struct parser *parser) {
  const unsigned char *text = parser->place;
  int length;
  enum token token = token_at(parser, text, &length);
  bool begins = parser->begins;
  parser->begins = false;
  parser->place += length;
  struct program *program = parser->program;
  switch (token) {
  case STAR:
  case PLUS:
  case OPTION:
  case BRACE: return operator(parser, token, text, length);
  case OPEN: return open_group(parser);
  case EITHER: return alternative(parser);
  case CLOSE:
    if (parser->depth > 0)
      return close_group(parser);
    return has(parser, UNMATCHED_RIGHT_PAREN_ORD) ? literal(parser, ')') : BAD_RIGHT_PAREN;
  case CARET:
    if (!begins && !has(parser, CONTEXT_INDEP_ANCHORS) && !(has(parser, CARET_ANCHORS_HERE)) &&
        !(has(parser, NEWLINE_ALT) && text > parser->start && text[-1] == '\n'))
      return literal(parser, '^');
    parser->piece = -1;
    return add(program, LINE_START, 0, 0) ? NO_ERROR : NO_SPACE;
  case DOLLAR:
    if (!ends_here(parser))
      return literal(parser, '$');
    parser->piece = -1;
    return add(program, LINE_END, 0, 0) ? NO_ERROR : NO_SPACE;
  case BACK: {
    int number = text[1] - '0';
    if ((parser->closed >> number & 1) == 0)
      return BAD_REFERENCE;
    program->references = true;
    parser->piece = program->count;
    return add(program, REFERENCE, number, 0) ? NO_ERROR : NO_SPACE;
  }
  case GNU: return gnu(parser, text[1]);
  case DANGLING: return BAD_ESCAPE;
  case LIST:
    parser->piece = program->count;
    return bracket(parser);
  case ANY:
    parser->piece = program->count;
    return any(parser);
  default: return literal(parser, text[length - 1]);
  }
}

int regex_compile(const char *pattern, size_t length, unsigned long syntax, const unsigned char *translate,
                  struct program **to) {
  struct program *program = malloc(sizeof *program);
  if (program == NULL)
    return NO_SPACE;
  *program = (struct program){.fold = (syntax & FOLD_CASE) != 0};
  const unsigned char *text = (const unsigned char *)pattern;
  struct parser parser = {.place = text, .start = text, .end = text + length, .translate = translate,
                          .syntax = syntax, .program = program, .piece = -1, .begins = true};
  /* Numbers of positions: two for each group that can be, then those of loops. */
  program->slots = 0;
  for (size_t i = 0; i < length; i++)
    program->slots += pattern[i] == '(';
  program->slots = 2 * (program->slots + 1);
  parser.open[0].leaving = -1;
  int error = NO_ERROR;
  while (error == NO_ERROR && parser.place < parser.end)
    error = one(&parser);
  if (error == NO_ERROR && parser.depth > 0)
    error = BAD_PAREN;
  if (error == NO_ERROR)
    error = close_group(&parser);
  if (error == NO_ERROR && !add(program, MATCHED, 0, 0))
    error = NO_SPACE;
  if (error != NO_ERROR) {
    regex_free(program);
    program = NULL;
  }
  *to = program;
  return error;
}

void regex_free(struct program *program) {
  if (program == NULL)
    return;
  free(program->steps);
  free(program->sets);
  free(program);
}
