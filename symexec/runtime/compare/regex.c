/* Regular expressions over drawn patterns and texts: the same errors, the same matches. What groups match is
 * compared where the pattern leaves no choice between alternatives of different lengths: there, glibc and
 * POSIX differ among themselves. */
#include "compare.h"

#include <regex.h>

OURS(regcomp);
OURS(regexec);
OURS(regerror);
OURS(regfree);
OURS(re_compile_pattern);
OURS(re_compile_fastmap);
OURS(re_search);
OURS(re_match);
OURS(re_set_registers);
OURS(re_set_syntax);
OURS(re_syntax_options);

static const char *const atoms[] = {
    "a", "b", "c", ".", "[ab]", "[^a]", "[[:alpha:]]", "[a-c]", "[]a]", "[b-]", "\\.", "x", "1", NULL};
static const char *const rare[] = {
    "^", "$", "\\<", "\\>", "\\b", "\\B", "\\w", "\\W", "\\s", "\\S", "\\`", "\\'", "\\", "[", "]", "(", ")",
    "\\(", "\\)", "{", "}", "\\{", "|", "\\|", "*", "+", "?", "\\+", "\\?", "{2}", "\\{1,2\\}", "{,2}", "{1",
    "{2,1}", "{1,2", "[[:none:]]", "[b-a]", "[[.a.]]", "[[=a=]]", "\\1", "\\n", "[a", "-", "\n", NULL};
static const char *const basic_operators[] = {
    "*", "\\+", "\\?", "\\{2\\}", "\\{1,\\}", "\\{0,1\\}", "\\{,2\\}", "\\{1,3\\}", "\\{0\\}", NULL};
static const char *const extended_operators[] = {
    "*", "+", "?", "{2}", "{1,}", "{0,1}", "{,2}", "{1,3}", "{0}", NULL};

/* Whether a pattern refers to groups where that also depends on how these are told: glibc does not find some
 * matches of references to groups that are repeated, `\\(.\\)\\{,2\\}\\1` in "aa" for one. */
static bool is_unsure(const char *pattern, bool choices) { return choices && strstr(pattern, "\\1") != NULL; }

/* A pattern that is well formed most of the time; whether it has alternatives or repeated groups. */
static bool draw_pattern(char *to, bool extended) {
  bool choices = false;
  int open = 0, parts = 1 + (int)below(5);
  *to = 0;
  if (sometimes(6))
    strcat(to, "^");
  for (int i = 0; i < parts; i++) {
    bool group = sometimes(4);
    if (group) {
      strcat(to, extended ? "(" : "\\(");
      open++;
    }
    strcat(to, sometimes(12) ? pick(rare) : pick(atoms));
    if (sometimes(3))
      strcat(to, pick(extended ? extended_operators : basic_operators));
    if (sometimes(7)) {
      strcat(to, extended ? "|" : "\\|");
      strcat(to, pick(atoms));
      choices = true;
    }
    if (open > 0 && sometimes(2)) {
      strcat(to, extended ? ")" : "\\)");
      open--;
      if (sometimes(3)) {
        strcat(to, pick(extended ? extended_operators : basic_operators));
        choices = true;
      }
      if (sometimes(6))
        strcat(to, "\\1");
    }
  }
  for (; open > 0 && !sometimes(20); open--)
    strcat(to, extended ? ")" : "\\)");
  if (sometimes(6))
    strcat(to, "$");
  return choices || strchr(to, '|') != NULL;
}

enum { GROUPS = 5 };

static void one_round(void) {
  char pattern[200], text[16], *messages[2] = {room_end(2, 30), room_end(3, 30)};
  int flags = (int)below(16);
  bool choices = draw_pattern(pattern, (flags & REG_EXTENDED) != 0);
  regex_t ours, theirs;
  int our_error = ours_regcomp(&ours, room_text(0, pattern), flags), their_error = regcomp(&theirs, pattern, flags);
  same_number(our_error, their_error, "regcomp \"%s\" %d", pattern, flags);
  same_number((long long)ours_regerror(our_error, &ours, messages[0], 30),
              (long long)regerror(our_error, &theirs, messages[1], 30), "regerror %d", our_error);
  same_bytes(messages[0], messages[1], strlen(messages[1]) + 1, "regerror %d", our_error);
  if (our_error == 0 && their_error == 0 && !is_unsure(pattern, choices)) {
    same_number((long long)ours.re_nsub, (long long)theirs.re_nsub, "groups of \"%s\"", pattern);
    for (int i = 0; i < 6; i++) {
      regmatch_t found[2][GROUPS] = {{{-7, -7}}, {{-7, -7}}};
      int how = (int)below(4);
      draw_text(text, below(8), sometimes(3) ? "ab\nB1 x.]-" : "abc");
      int our_result = ours_regexec(&ours, room_text(1, text), GROUPS, found[0], how);
      int their_result = regexec(&theirs, text, GROUPS, found[1], how);
      same_number(our_result, their_result, "regexec \"%s\" %d on \"%s\" %d", pattern, flags, text, how);
      if (our_result == 0 && their_result == 0 && (flags & REG_NOSUB) == 0)
        for (int k = 0; k < (choices ? 1 : GROUPS); k++) {
          same_number(found[0][k].rm_so, found[1][k].rm_so, "start %d of \"%s\" %d on \"%s\" %d", k, pattern, flags,
                      text, how);
          same_number(found[0][k].rm_eo, found[1][k].rm_eo, "end %d of \"%s\" %d on \"%s\" %d", k, pattern, flags,
                      text, how);
        }
    }
  }
  if (our_error == 0)
    ours_regfree(&ours);
  if (their_error == 0)
    regfree(&theirs);
}

static void one_round_of_gnu(void) {
  static const reg_syntax_t syntaxes[] = {RE_SYNTAX_EMACS, RE_SYNTAX_GREP, RE_SYNTAX_EGREP, RE_SYNTAX_POSIX_BASIC,
                                          RE_SYNTAX_POSIX_EXTENDED, RE_SYNTAX_POSIX_MINIMAL_BASIC, RE_SYNTAX_AWK,
                                          RE_SYNTAX_POSIX_BASIC & ~RE_CONTEXT_INVALID_DUP & ~RE_NO_EMPTY_RANGES};
  char pattern[200], text[16];
  reg_syntax_t syntax = syntaxes[below(sizeof syntaxes / sizeof *syntaxes)];
  bool choices = draw_pattern(pattern, (syntax & RE_NO_BK_PARENS) != 0);
  re_set_syntax(syntax), ours_re_set_syntax(syntax);
  same_number((long long)ours_re_syntax_options, (long long)re_syntax_options, "re_syntax_options");
  struct re_pattern_buffer ours = {0}, theirs = {0};
  struct re_registers our_places = {0}, their_places = {0};
  if (sometimes(2)) {
    ours.fastmap = malloc(256);
    theirs.fastmap = malloc(256);
  }
  const char *our_error = ours_re_compile_pattern(room_text(0, pattern), strlen(pattern), &ours);
  const char *their_error = re_compile_pattern(pattern, strlen(pattern), &theirs);
  same_truth(our_error != NULL, their_error != NULL, "re_compile_pattern \"%s\" %lx", pattern, syntax);
  if (our_error != NULL || their_error != NULL || is_unsure(pattern, choices))
    return;
  if (theirs.fastmap != NULL)
    same_number(ours_re_compile_fastmap(&ours), re_compile_fastmap(&theirs), "re_compile_fastmap");
  for (int i = 0; i < 6; i++) {
    draw_text(text, below(8), sometimes(3) ? "ab\nB1 x.]-" : "abc");
    int size = (int)strlen(text), start = (int)below((size_t)size + 1), range = (int)below(12) - 4;
    bool match = sometimes(2);
    if (sometimes(8)) {
      ours_re_set_registers(&ours, &our_places, 0, NULL, NULL);
      re_set_registers(&theirs, &their_places, 0, NULL, NULL);
    }
    int our_result = match ? ours_re_match(&ours, room_text(1, text), size, start, &our_places)
                           : ours_re_search(&ours, room_text(1, text), size, start, range, &our_places);
    int their_result = match ? re_match(&theirs, text, size, start, &their_places)
                             : re_search(&theirs, text, size, start, range, &their_places);
    same_number(our_result, their_result, "%d of \"%s\" %lx on \"%s\" %d %d", match, pattern, syntax, text, start,
                range);
    if (our_result < 0 || their_result < 0)
      continue;
    same_number(our_places.num_regs, their_places.num_regs, "registers of \"%s\"", pattern);
    for (unsigned k = 0; k < (choices ? 1 : their_places.num_regs); k++) {
      same_number(our_places.start[k], their_places.start[k], "start %u of \"%s\" %lx on \"%s\"", k, pattern, syntax,
                  text);
      same_number(our_places.end[k], their_places.end[k], "end %u of \"%s\" %lx on \"%s\"", k, pattern, syntax, text);
    }
  }
}

void compare_regex(void) {
  for (int i = 0; i < 4000; i++) {
    one_round();
    one_round_of_gnu();
  }
}
