/* Names by patterns: fnmatch.
 *
 * Patterns without groups (`@(a|b)` of FNM_EXTMATCH) are matched without trying anew what is behind a star but the
 * last, so that an unknown text has few paths. Those with groups are tried in every way.
 */
#include "../source/runtime.h"

unsigned long wctype(const char *name);
int iswctype(unsigned c, unsigned long class);

#define PATHS 1
#define NO_ESCAPE 2
#define DOTS_ARE_SEEN 4
#define LEADING_FOLDERS 8
#define FOLDS 16
#define GROUPS 32

/* A bracket's element as one character, `[.x.]` too; where it ends, null if the pattern ends before that. */
static const char *element(const char *pattern, int flags, unsigned char *to) {
  if (pattern[0] == '[' && pattern[1] == '.' && pattern[2] != 0 && pattern[3] == '.' && pattern[4] == ']') {
    *to = (unsigned char)pattern[2];
    return pattern + 5;
  }
  if (*pattern == '\\' && (flags & NO_ESCAPE) == 0)
    pattern++;
  *to = (unsigned char)*pattern;
  return *pattern == 0 ? NULL : pattern + 1;
}

/* The set in brackets behind `pattern`; where it ends, null if it does not. */
static const char *in_brackets(const char *pattern, unsigned char c, int flags, bool *matches) {
  int negated = *pattern == '!' || *pattern == '^', found = 0;
  bool fold = (flags & FOLDS) != 0;
  pattern += negated;
  const char *start = pattern;
  while (*pattern != ']' || pattern == start) {
    if (*pattern == 0)
      return NULL;
    if (pattern[0] == '[' && pattern[1] == ':') {
      char name[8];
      size_t length = 0;
      while (length < sizeof name - 1 && is_alpha((unsigned char)pattern[2 + length])) {
        name[length] = pattern[2 + length];
        length++;
      }
      name[length] = 0;
      if (pattern[2 + length] == ':' && pattern[3 + length] == ']') {
        found |= iswctype(c, wctype(name)) != 0;
        pattern += 4 + length;
        continue;
      }
    }
    if (pattern[0] == '[' && pattern[1] == '=' && pattern[2] != 0 && pattern[3] == '=' && pattern[4] == ']') {
      found |= (unsigned char)pattern[2] == c;
      pattern += 5;
      continue;
    }
    /* As glibc, which folds no element in words. */
    bool folds = fold && !(pattern[0] == '[' && pattern[1] == '.');
    unsigned char low, high;
    const char *next = element(pattern, flags, &low);
    high = low;
    if (next != NULL && next[0] == '-' && next[1] != ']' && next[1] != 0)
      next = element(next + 1, flags, &high);
    if (next == NULL)
      return NULL;
    pattern = next;
    found |= (low <= c) & (c <= high);
    if (folds)
      found |= (int)((low <= to_lower(c)) & (to_lower(c) <= high)) |
               (int)((low <= to_upper(c)) & (to_upper(c) <= high));
  }
  *matches = (found != 0) != (negated != 0);
  return pattern + 1;
}

/* Whether a character that is in the text is matched by what a pattern begins with, no star; where that ends. Wild
 * ones match no dot that leads. */
static bool one(const char **pattern, unsigned char c, bool leading, int flags) {
  const char *here = *pattern, *end;
  bool matches = false, barred = leading || ((flags & PATHS) != 0 && c == '/');
  *pattern = here + 1;
  if (*here == '?')
    return !barred;
  if (*here == '[') {
    end = in_brackets(here + 1, c, flags, &matches);
    if (end == NULL)
      return c == '[';
    *pattern = end;
    return matches && !barred;
  }
  unsigned char wanted = (unsigned char)*here;
  if (wanted == '\\' && (flags & NO_ESCAPE) == 0) {
    /* At the end it escapes nothing, and nothing is that. */
    if (here[1] == 0)
      return false;
    wanted = (unsigned char)here[1];
    *pattern = here + 2;
  }
  return wanted == c || ((flags & FOLDS) != 0 && to_lower(wanted) == to_lower(c));
}

static bool leads(const char *text, const char *start, int flags) {
  return (flags & DOTS_ARE_SEEN) != 0 && *text == '.' &&
         (text == start || ((flags & PATHS) != 0 && text[-1] == '/'));
}

static int without_groups(const char *pattern, const char *text, int flags) {
  const char *start = text, *star = NULL, *behind = NULL;
  bool paths = (flags & PATHS) != 0;
  for (;;) {
    unsigned char c = (unsigned char)*text;
    bool leading = leads(text, start, flags);
    if (*pattern == '*' && !leading) {
      star = ++pattern;
      behind = text;
      continue;
    }
    if (*pattern == 0 && (c == 0 || ((flags & LEADING_FOLDERS) != 0 && c == '/')))
      return 0;
    const char *next = pattern;
    if (*pattern != 0 && *pattern != '*' && c != 0 && one(&next, c, leading, flags)) {
      pattern = next;
      text++;
      continue;
    }
    if (star == NULL || *behind == 0 || (paths && *behind == '/'))
      return 1;
    text = ++behind;
    pattern = star;
  }
}

/* ---- Groups ---- */

/* What is asked of all parts: the whole text's ends, and the flags. */
struct asked {
  const char *start, *end;
  int flags;
};

/* Behind one step of a pattern within `end`. As in glibc, no backslash hides a parenthesis from its group. */
static const char *behind_step(const char *pattern, const char *end, int flags) {
  bool ignored;
  if (*pattern == '[') {
    const char *next = in_brackets(pattern + 1, 0, flags, &ignored);
    if (next != NULL && next <= end)
      return next;
  }
  return pattern + 1;
}

static bool is_group(const char *pattern, const char *end) {
  char c = *pattern;
  return pattern + 1 < end && pattern[1] == '(' && (c == '?' || c == '*' || c == '+' || c == '@' || c == '!');
}

/* The end of an alternative that begins at `pattern`: its bar or parenthesis; null if there is none. */
static const char *alternative_end(const char *pattern, const char *end, int flags) {
  int depth = 0;
  while (pattern < end) {
    if (is_group(pattern, end)) {
      depth++;
      pattern += 2;
    } else if (*pattern == ')' && depth-- == 0)
      return pattern;
    else if (*pattern == '|' && depth == 0)
      return pattern;
    else
      pattern = behind_step(pattern, end, flags);
  }
  return NULL;
}

/* Where a group ends, behind its parenthesis; null if it does not. */
static const char *group_end(const char *pattern, const char *end, int flags) {
  pattern += 2;
  while ((pattern = alternative_end(pattern, end, flags)) != NULL)
    if (*pattern++ == ')')
      return pattern;
  return NULL;
}

static bool matches(const char *pattern, const char *end, const char *text, const char *to, const struct asked *asked);

/* Whether one of a group's alternatives matches a piece of the text. */
static bool one_of(const char *group, const char *end, const char *text, const char *to, const struct asked *asked) {
  for (const char *from = group + 2;;) {
    const char *stop = alternative_end(from, end, asked->flags);
    if (stop == NULL)
      return false;
    if (matches(from, stop, text, to, asked))
      return true;
    if (*stop == ')')
      return false;
    from = stop + 1;
  }
}

/* Calls itself for the groups of a pattern and for each way to go on behind one: as deep as the pattern and the text
 * are long. */
static bool matches(const char *pattern, const char *end, const char *text, const char *to, const struct asked *asked) {
  int flags = asked->flags;
  while (pattern < end) {
    bool leading = text < to && leads(text, asked->start, flags);
    const char *rest = is_group(pattern, end) ? group_end(pattern, end, flags) : NULL;
    char kind = *pattern;
    if (rest != NULL) {
      if (kind == '?' || kind == '*')
        if (matches(rest, end, text, to, asked))
          return true;
      for (const char *cut = text; cut <= to; cut++) {
        if (one_of(pattern, end, text, cut, asked) == (kind == '!'))
          continue;
        if (matches(rest, end, cut, to, asked))
          return true;
        if ((kind == '*' || kind == '+') && cut > text && matches(pattern, end, cut, to, asked))
          return true;
      }
      return false;
    }
    if (kind == '*') {
      pattern++;
      if (leading)
        return false;
      for (;; text++) {
        if (matches(pattern, end, text, to, asked))
          return true;
        if (text == to || ((flags & PATHS) != 0 && *text == '/'))
          return false;
      }
    }
    if (text == to || !one(&pattern, (unsigned char)*text, leading, flags))
      return false;
    text++;
  }
  return text == to || (to == asked->end && end[0] == 0 && (flags & LEADING_FOLDERS) != 0 && *text == '/');
}

int fnmatch(const char *pattern, const char *text, int flags) {
  const char *end = pattern + strlen(pattern), *step = pattern;
  if ((flags & GROUPS) == 0)
    return without_groups(pattern, text, flags);
  while (step < end && !is_group(step, end))
    step++;
  if (step == end)
    return without_groups(pattern, text, flags);
  struct asked asked = {text, text + strlen(text), flags};
  return matches(pattern, end, text, asked.end, &asked) ? 0 : 1;
}
