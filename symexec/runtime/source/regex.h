/* Regular expressions as the two files that implement them share them: what a pattern is compiled to. */
#ifndef SYMEXEC_REGEX_H
#define SYMEXEC_REGEX_H

#include "runtime.h"

#define regex_compile __symexec_regex_compile
#define regex_search __symexec_regex_search
#define regex_free __symexec_regex_free

/* glibc's bits of a syntax. */
enum {
  ESCAPE_IN_LISTS = 1,
  BK_PLUS_QM = 2,
  CHAR_CLASSES = 4,
  CONTEXT_INDEP_ANCHORS = 8,
  CONTEXT_INDEP_OPS = 0x10,
  CONTEXT_INVALID_OPS = 0x20,
  DOT_NEWLINE = 0x40,
  DOT_NOT_NULL = 0x80,
  HAT_LISTS_NOT_NEWLINE = 0x100,
  INTERVALS = 0x200,
  LIMITED_OPS = 0x400,
  NEWLINE_ALT = 0x800,
  NO_BK_BRACES = 0x1000,
  NO_BK_PARENS = 0x2000,
  NO_BK_REFS = 0x4000,
  NO_BK_VBAR = 0x8000,
  NO_EMPTY_RANGES = 0x10000,
  UNMATCHED_RIGHT_PAREN_ORD = 0x20000,
  NO_GNU_OPS = 0x80000,
  INVALID_INTERVAL_ORD = 0x200000,
  FOLD_CASE = 0x400000,
  CARET_ANCHORS_HERE = 0x800000,
  CONTEXT_INVALID_DUP = 0x1000000,
};

/* glibc's numbers of errors. */
enum {
  NO_ERROR,
  NO_MATCH,
  BAD_PATTERN,
  BAD_COLLATION,
  BAD_CLASS,
  BAD_ESCAPE,
  BAD_REFERENCE,
  BAD_BRACKET,
  BAD_PAREN,
  BAD_BRACE,
  BAD_INTERVAL,
  BAD_RANGE,
  NO_SPACE,
  BAD_REPETITION,
  EARLY_END,
  TOO_BIG,
  BAD_RIGHT_PAREN,
};

enum operation {
  CHARACTER, /* `value` */
  SET,       /* the set of number `value` */
  LINE_START,
  LINE_END,
  TEXT_START,
  TEXT_END,
  WORD_START,
  WORD_END,
  WORD_EDGE,
  NO_WORD_EDGE,
  SPLIT,     /* `value` further first, then `other` further */
  JUMP,      /* `value` further: distances, so that a piece of a program can be copied */
  SAVE,      /* the position, as number `value` */
  REFERENCE, /* what the group `value` matched */
  PROGRESS,  /* goes on unless nothing was consumed since the SAVE of number `value` */
  MATCHED,
};

struct step {
  enum operation operation;
  int value, other;
};

struct program {
  struct step *steps;
  int count, room;
  unsigned char (*sets)[256];
  int set_count;
  int groups, slots; /* how many groups; how many positions are saved */
  bool fold, references;
};

/* What is looked through: `limit` ends it; the flags are regexec's. */
struct subject {
  const unsigned char *text;
  int size;
  bool not_start, not_end, lines;
  const unsigned char *translate; /* what characters stand for; null: for themselves */
};

/* Compiles a pattern; gives an error's number. */
int regex_compile(const char *pattern, size_t length, unsigned long syntax, const unsigned char *translate,
                  struct program **to);
void regex_free(struct program *program);

/* The first place from `from` to `to` (which may lie before it) with a match, -1 if there is none, -2 without
 * memory. `found` gets starts and ends of the longest match there and of its groups. */
int regex_search(const struct program *program, const struct subject *subject, int from, int to, int *found);

#endif
