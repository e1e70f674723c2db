/* Regular expressions: POSIX's functions (regcomp, regexec) and glibc's (re_search and its relatives).
 *
 * The match that is found begins first and is the longest one there; which groups are told is decided by the
 * order of alternatives and by greed, where POSIX lets the groups that begin first be the longest. Each place
 * of a program is tried at each place of a text once, unless the pattern refers to groups.
 */
#include "regex.h"

void *realloc(void *object, size_t size);

/* ---- Matching ---- */

/* What is tried when nothing goes on: a place of the program and of the text; or, with `step` below zero,
 * the saved position of number `-1 - step` as it was. */
struct choice {
  int step, position;
};

struct matcher {
  const struct program *program;
  const struct subject *subject;
  unsigned char *tried;
  int *saved;
  struct choice *choices;
  size_t count, room;
  int best;
};

static bool push(struct matcher *matcher, int step, int position) {
  if (matcher->count == matcher->room) {
    size_t room = 2 * matcher->room + 64;
    struct choice *choices = realloc(matcher->choices, room * sizeof *choices);
    if (choices == NULL)
      return false;
    matcher->choices = choices;
    matcher->room = room;
  }
  matcher->choices[matcher->count++] = (struct choice){step, position};
  return true;
}

static int is_word(int c) { return is_alnum(c) | (c == '_'); }

/* The character at a place, as it is compared. */
static unsigned char at(const struct matcher *matcher, int position) {
  unsigned char c = matcher->subject->text[position];
  if (matcher->subject->translate != NULL)
    c = matcher->subject->translate[c];
  return matcher->program->fold ? (unsigned char)to_lower(c) : c;
}

/* Whether an edge is here. */
static bool is_edge(const struct subject *subject, enum operation operation, int position) {
  bool first = position == 0, last = position == subject->size;
  switch (operation) {
  case LINE_START:
    return first ? !subject->not_start : subject->lines && subject->text[position - 1] == '\n';
  case LINE_END: return last ? !subject->not_end : subject->lines && subject->text[position] == '\n';
  case TEXT_START: return first;
  case TEXT_END: return last;
  default: break;
  }
  int before = !first && is_word(subject->text[position - 1]), behind = !last && is_word(subject->text[position]);
  switch (operation) {
  case WORD_START: return (before ^ 1) & behind;
  case WORD_END: return before & (behind ^ 1);
  case WORD_EDGE: return before != behind;
  default: return before == behind;
  }
}

/* How many characters a group's text has here again; -1 if it does not come again. */
static int again(const struct matcher *matcher, int group, int position) {
  int start = matcher->saved[2 * group], length = matcher->saved[2 * group + 1] - start;
  if (start < 0 || length < 0 || length > matcher->subject->size - position)
    return -1;
  for (int i = 0; i < length; i++)
    if (at(matcher, start + i) != at(matcher, position + i))
      return -1;
  return length;
}

/* Goes on from a place until nothing does. False without memory. */
static bool go_on(struct matcher *matcher, int step, int position, int *found) {
  const struct program *program = matcher->program;
  int size = matcher->subject->size;
  for (;;) {
    if (!program->references) {
      size_t bit = (size_t)step * ((size_t)size + 1) + (size_t)position;
      if ((matcher->tried[bit / 8] >> bit % 8 & 1) != 0)
        return true;
      matcher->tried[bit / 8] |= (unsigned char)(1 << bit % 8);
    }
    const struct step *here = &program->steps[step];
    int length = 0;
    switch (here->operation) {
    case CHARACTER:
      if (position == size || at(matcher, position) != here->value)
        return true;
      length = 1;
      break;
    case SET:
      if (position == size || !program->sets[here->value][at(matcher, position)])
        return true;
      length = 1;
      break;
    case SPLIT:
      if (!push(matcher, step + here->other, position))
        return false;
      step += here->value;
      continue;
    case JUMP: step += here->value; continue;
    case SAVE:
      if (!push(matcher, -1 - here->value, matcher->saved[here->value]))
        return false;
      matcher->saved[here->value] = position;
      break;
    case REFERENCE:
      length = again(matcher, here->value, position);
      if (length < 0)
        return true;
      break;
    case PROGRESS:
      if (matcher->saved[here->value] == position)
        return true;
      break;
    case MATCHED:
      if (position > matcher->best) {
        matcher->best = position;
        memcpy(found + 2, matcher->saved + 2, 2 * (size_t)program->groups * sizeof *found);
      }
      return true;
    default:
      if (!is_edge(matcher->subject, here->operation, position))
        return true;
    }
    step++;
    position += length;
  }
}

int regex_search(const struct program *program, const struct subject *subject, int from, int to, int *found) {
  size_t bits = program->references ? 0 : (size_t)program->count * ((size_t)subject->size + 1);
  struct matcher matcher = {.program = program, .subject = subject, .best = -1};
  matcher.saved = malloc((size_t)program->slots * sizeof *matcher.saved);
  matcher.tried = malloc(bits / 8 + 1);
  int result = matcher.saved == NULL || matcher.tried == NULL ? -2 : -1;
  if (matcher.tried != NULL)
    memset(matcher.tried, 0, bits / 8 + 1);
  for (int start = from; result == -1; start += from <= to ? 1 : -1) {
    for (int i = 0; i < program->slots; i++)
      matcher.saved[i] = -1;
    if (!push(&matcher, 0, start))
      result = -2;
    while (matcher.count > 0 && result != -2 && matcher.best < subject->size) {
      struct choice choice = matcher.choices[--matcher.count];
      if (choice.step < 0)
        matcher.saved[-1 - choice.step] = choice.position;
      else if (!go_on(&matcher, choice.step, choice.position, found))
        result = -2;
    }
    matcher.count = 0;
    if (result != -2 && matcher.best >= 0) {
      found[0] = start;
      found[1] = matcher.best;
      result = start;
    }
    if (start == to)
      break;
  }
  free(matcher.choices);
  free(matcher.tried);
  free(matcher.saved);
  return result;
}

/* ---- glibc's functions ---- */

/* glibc's struct re_pattern_buffer on x86_64, which is regex_t too. */
struct pattern {
  struct program *program;
  size_t allocated, used;
  unsigned long syntax;
  char *fastmap;
  unsigned char *translate;
  size_t groups;
  unsigned can_be_null : 2, registers : 2, fastmap_accurate : 1, no_groups : 1, not_start : 1, not_end : 1, lines : 1;
};
_Static_assert(sizeof(struct pattern) == 64, "glibc's size of regex_t");

struct registers {
  unsigned count;
  int *starts, *ends;
};

enum { UNALLOCATED, REALLOCATE, FIXED };

unsigned long re_syntax_options;

unsigned long re_set_syntax(unsigned long syntax) {
  unsigned long old = re_syntax_options;
  re_syntax_options = syntax;
  return old;
}

static const char *const messages[] = {
    "Success", "No match", "Invalid regular expression", "Invalid collation character",
    "Invalid character class name", "Trailing backslash", "Invalid back reference",
    "Unmatched [, [^, [:, [., or [=", "Unmatched ( or \\(", "Unmatched \\{", "Invalid content of \\{\\}",
    "Invalid range end", "Memory exhausted", "Invalid preceding regular expression",
    "Premature end of regular expression", "Regular expression too big", "Unmatched ) or \\)",
};

static int compile(struct pattern *pattern, const char *text, size_t length, unsigned long syntax) {
  pattern->syntax = syntax;
  pattern->used = pattern->allocated = 0;
  pattern->fastmap_accurate = 0;
  pattern->not_start = pattern->not_end = 0;
  int error = regex_compile(text, length, syntax, pattern->translate, &pattern->program);
  pattern->groups = error == NO_ERROR ? (size_t)pattern->program->groups : 0;
  return error;
}

const char *re_compile_pattern(const char *text, size_t length, struct pattern *pattern) {
  pattern->no_groups = (re_syntax_options & 0x2000000) != 0;
  pattern->lines = 1;
  int error = compile(pattern, text, length, re_syntax_options);
  return error == NO_ERROR ? NULL : messages[error];
}

int re_compile_fastmap(struct pattern *pattern) {
  if (pattern->fastmap != NULL) {
    memset(pattern->fastmap, 1, 256);
    pattern->fastmap_accurate = 1;
  }
  return 0;
}

void re_set_registers(struct pattern *pattern, struct registers *registers, unsigned count, int *starts, int *ends) {
  pattern->registers = count > 0 ? REALLOCATE : UNALLOCATED;
  registers->count = count;
  registers->starts = count > 0 ? starts : NULL;
  registers->ends = count > 0 ? ends : NULL;
}

/* Tells the groups; one more than there are says that they ended. */
static bool tell(struct pattern *pattern, struct registers *to, const int *found) {
  unsigned count = (unsigned)pattern->groups + 1, wanted = count + 1;
  if (pattern->registers == UNALLOCATED) {
    to->starts = malloc(wanted * sizeof *to->starts);
    to->ends = malloc(wanted * sizeof *to->ends);
    to->count = wanted;
  } else if (pattern->registers == REALLOCATE && to->count < wanted) {
    to->starts = realloc(to->starts, wanted * sizeof *to->starts);
    to->ends = realloc(to->ends, wanted * sizeof *to->ends);
    to->count = wanted;
  }
  if (to->starts == NULL || to->ends == NULL)
    return false;
  if (pattern->registers == UNALLOCATED)
    pattern->registers = REALLOCATE;
  for (unsigned i = 0; i < to->count; i++) {
    to->starts[i] = i < count ? found[2 * i] : -1;
    to->ends[i] = i < count ? found[2 * i + 1] : -1;
  }
  return true;
}

static int search(struct pattern *pattern, const char *text, int size, int from, int range,
                  struct registers *registers, bool length) {
  if (from < 0 || from > size)
    return -1;
  int to = from + range;
  to = to < 0 || (range < 0 && to > from) ? 0 : to > size || (range > 0 && to < from) ? size : to;
  struct subject subject = {.text = (const unsigned char *)text, .size = size, .not_start = pattern->not_start,
                            .not_end = pattern->not_end, .lines = pattern->lines, .translate = pattern->translate};
  int *found = malloc(2 * (pattern->groups + 1) * sizeof *found);
  if (found == NULL)
    return -2;
  int result = regex_search(pattern->program, &subject, from, to, found);
  if (result >= 0 && length)
    result = found[1] - found[0];
  if (result >= 0 && registers != NULL && !pattern->no_groups && !tell(pattern, registers, found))
    result = -2;
  free(found);
  return result;
}

int re_search(struct pattern *pattern, const char *text, int size, int from, int range, struct registers *registers) {
  return search(pattern, text, size, from, range, registers, false);
}
int re_match(struct pattern *pattern, const char *text, int size, int from, struct registers *registers) {
  return search(pattern, text, size, from, 0, registers, true);
}

/* ---- POSIX's functions ---- */

enum { EXTENDED = 1, ANY_CASE = 2, BY_LINES = 4, NO_GROUPS = 8, NOT_START = 1, NOT_END = 2, START_AND_END = 4 };

int regcomp(struct pattern *pattern, const char *text, int flags) {
  unsigned long common = CHAR_CLASSES | DOT_NEWLINE | DOT_NOT_NULL | INTERVALS | NO_EMPTY_RANGES;
  unsigned long extended = CONTEXT_INDEP_ANCHORS | CONTEXT_INDEP_OPS | NO_BK_BRACES | NO_BK_PARENS | NO_BK_VBAR |
                           CONTEXT_INVALID_OPS | UNMATCHED_RIGHT_PAREN_ORD;
  unsigned long basic = BK_PLUS_QM | CONTEXT_INVALID_DUP;
  unsigned long syntax = common | ((flags & EXTENDED) != 0 ? extended : basic);
  if ((flags & ANY_CASE) != 0)
    syntax |= FOLD_CASE;
  if ((flags & BY_LINES) != 0)
    syntax = (syntax & ~(unsigned long)DOT_NEWLINE) | HAT_LISTS_NOT_NEWLINE;
  memset(pattern, 0, sizeof *pattern);
  pattern->lines = (flags & BY_LINES) != 0;
  pattern->no_groups = (flags & NO_GROUPS) != 0;
  int error = compile(pattern, text, strlen(text), syntax);
  return error == BAD_RIGHT_PAREN ? BAD_PAREN : error;
}

struct place {
  int start, end;
};

int regexec(const struct pattern *pattern, const char *text, size_t count, struct place *places, int flags) {
  if ((flags & ~(NOT_START | NOT_END | START_AND_END)) != 0)
    return BAD_PATTERN;
  int start = 0, size;
  if ((flags & START_AND_END) != 0) {
    start = places[0].start;
    size = places[0].end;
  } else
    size = (int)strlen(text);
  struct subject subject = {.text = (const unsigned char *)text, .size = size, .not_start = (flags & NOT_START) != 0,
                            .not_end = (flags & NOT_END) != 0, .lines = pattern->lines};
  int *found = malloc(2 * (pattern->groups + 1) * sizeof *found);
  if (found == NULL)
    return NO_SPACE;
  int result = start > size ? -1 : regex_search(pattern->program, &subject, start, size, found);
  if (result >= 0 && !pattern->no_groups)
    for (size_t i = 0; i < count; i++) {
      places[i].start = i <= pattern->groups ? found[2 * i] : -1;
      places[i].end = i <= pattern->groups ? found[2 * i + 1] : -1;
    }
  free(found);
  return result >= 0 ? NO_ERROR : result == -1 ? NO_MATCH : NO_SPACE;
}

size_t regerror(int error, const struct pattern *pattern, char *to, size_t size) {
  (void)pattern;
  const char *message = error < 0 || error > BAD_RIGHT_PAREN ? "Unknown error" : messages[error];
  size_t length = strlen(message) + 1;
  if (size > 0) {
    size_t count = length < size ? length : size;
    memcpy(to, message, count);
    to[count - 1] = 0;
  }
  return length;
}

void regfree(struct pattern *pattern) {
  regex_free(pattern->program);
  pattern->program = NULL;
  free(pattern->fastmap);
  free(pattern->translate);
  pattern->fastmap = NULL;
  pattern->translate = NULL;
}
