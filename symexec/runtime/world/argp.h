/* argp, as its two files share it; the types are those of the system's header. */
#ifndef SYMEXEC_ARGP_H
#define SYMEXEC_ARGP_H

#include "../source/stream.h"

/* Flags of options. */
enum { OPTIONAL = 1, HIDDEN = 2, ALIAS = 4, NO_OPTION = 8, NO_USAGE = 0x10 };

/* Flags of argp_parse. */
enum { PARSE_FIRST = 1, NO_ERRORS = 2, NO_ARGUMENTS = 4, IN_ORDER = 8, NO_HELP = 0x10, NO_EXIT = 0x20, LONG_ONLY = 0x40 };

/* Flags of argp_help. */
enum {
  USAGE = 1, SHORT_USAGE = 2, SEE = 4, LONG = 8, BEFORE = 0x10, BEHIND = 0x20, BUGS = 0x40,
  EXIT_ERROR = 0x100, EXIT_FINE = 0x200
};

struct argp_state;
struct argp_child;

struct argp_option {
  const char *name;
  int key;
  const char *arg;
  int flags;
  const char *doc;
  int group;
};

struct argp {
  const struct argp_option *options;
  int (*parser)(int key, char *argument, struct argp_state *state);
  const char *args_doc;
  const char *doc;
  const struct argp_child *children;
  char *(*help_filter)(int key, const char *text, void *input);
  const char *domain;
};

struct argp_child {
  const struct argp *argp;
  int flags;
  const char *header;
  int group;
};

struct argp_state {
  const struct argp *root_argp;
  int argc;
  char **argv;
  int next;
  unsigned flags;
  unsigned arg_num;
  int quoted;
  void *input;
  void **child_inputs;
  void *hook;
  char *name;
  FILE *err_stream;
  FILE *out_stream;
  void *pstate;
};

/* One parser of a tree, where it stands among them in the order of their options. */
struct node {
  const struct argp *argp;
  const struct argp_child *child; /* as what it hangs below another one; null for the root */
  int parent;                     /* -1 for the root */
  int place;                      /* among the children of its parent */
};

struct tree {
  struct node *nodes;
  int count;
};

#define argp_tree __symexec_argp_tree
#define argp_input __symexec_argp_input

/* A parser and those below it, each before its children. Freed by whoever asks. */
struct tree argp_tree(const struct argp *root);

/* What a parser's functions get while a command line is parsed; null otherwise. */
void *argp_input(const struct argp *argp, const struct argp_state *state);

static inline bool is_end(const struct argp_option *option) {
  return option->key == 0 && option->name == NULL && option->doc == NULL && option->group == 0;
}

static inline bool is_letter_option(const struct argp_option *option) {
  return !(option->flags & NO_OPTION) && option->key > 32 && option->key < 127;
}

void argp_help(const struct argp *argp, FILE *stream, unsigned flags, char *name);
void argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags);
void argp_usage(const struct argp_state *state);
void argp_error(const struct argp_state *state, const char *format, ...);

#endif
