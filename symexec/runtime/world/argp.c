/* argp: command lines taken apart by a tree of parsers, over getopt_long.
 *
 * Differs from glibc: the state of getopt is the program's one (glibc has another one for each call of argp_parse),
 * and --HANG, with which glibc waits for a debugger, is not there.
 */
#include "argp.h"

enum { EPERM_UNKNOWN = 7 /* E2BIG */, BAD_USE = 64 };

/* Keys beside those of options. */
enum {
  ARGUMENT = 0, END = 0x1000001, NONE = 0x1000002, INIT = 0x1000003, SUCCESS = 0x1000004, ERROR = 0x1000005,
  REST = 0x1000006, FINISH = 0x1000007
};

/* Keys of the options that every program has. */
enum { HELP = '?', VERSION = 'V', PROGRAM = -2, USAGE_KEY = -3 };

/* A key has so many bits; what is above them says whose option a long one is. */
enum { KEY_BITS = 24 };

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
int strcmp(const char *one, const char *other);
void *calloc(size_t count, size_t size);
void *realloc(void *object, size_t size);
int fprintf(FILE *restrict stream, const char *restrict format, ...);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments);
char *strerror(int error);
__attribute__((noreturn)) void exit(int status);
int getopt_long(int count, char *const *arguments, const char *letters, const struct option *names, int *place);
int getopt_long_only(int count, char *const *arguments, const char *letters, const struct option *names, int *place);
extern char *optarg, *program_invocation_name, *program_invocation_short_name;
extern int optind, opterr, optopt;

/* Programs define these, or set them. */
__attribute__((weak)) const char *argp_program_version;
__attribute__((weak)) void (*argp_program_version_hook)(FILE *stream, struct argp_state *state);
__attribute__((weak)) const char *argp_program_bug_address;
__attribute__((weak)) int argp_err_exit_status = BAD_USE;

/* A parser, and what it knows while a command line is parsed. */
struct level {
  const struct argp *argp;
  int parent, place; /* among the levels, and among the children of that one; -1 for none */
  size_t letters_end; /* its letters end here among all letters */
  unsigned arguments;
  void *input, **child_inputs, *hook;
};

struct parsing {
  struct argp_state state;
  struct level *levels;
  int count;
  char *letters;
  struct option *names;
  bool tries_options;
};

struct tree argp_tree(const struct argp *root) {
  struct tree tree = {malloc(sizeof(struct node)), 0};
  /* The ways from the root to where the walk is: the next child of each node on it. */
  const struct argp_child **way = NULL;
  int *at = NULL, depth = 0;
  if (tree.nodes == NULL || root == NULL)
    return tree;
  tree.nodes[tree.count++] = (struct node){root, NULL, -1, 0};
  for (int node = 0, place = 0;;) {
    /* Down to the children of the last node, or on to the next sibling of an earlier one. */
    const struct argp_child *next = tree.nodes[node].argp->children;
    if (place == 0 && next != NULL) {
      way = realloc(way, (size_t)(depth + 1) * sizeof *way);
      at = realloc(at, (size_t)(depth + 1) * sizeof *at);
      if (way == NULL || at == NULL)
        break;
      way[depth] = next;
      at[depth++] = node;
    }
    while (depth > 0 && way[depth - 1]->argp == NULL)
      depth--;
    if (depth == 0)
      break;
    const struct argp_child *child = way[depth - 1]++;
    int parent = at[depth - 1];
    struct node *nodes = realloc(tree.nodes, (size_t)(tree.count + 1) * sizeof *nodes);
    if (nodes == NULL)
      break;
    tree.nodes = nodes;
    node = tree.count++;
    nodes[node] = (struct node){child->argp, child, parent, (int)(child - nodes[parent].argp->children)};
    place = 0;
  }
  free(way);
  free(at);
  return tree;
}

static void set_program(struct argp_state *state, char *name) {
  char *slash = strrchr(name, '/');
  program_invocation_name = name;
  program_invocation_short_name = slash == NULL ? name : slash + 1;
  state->name = program_invocation_short_name;
  if ((state->flags & (PARSE_FIRST | NO_ERRORS)) == PARSE_FIRST)
    state->argv[0] = name;
}

static int parse_common(int key, char *argument, struct argp_state *state) {
  if (key == HELP)
    argp_state_help(state, state->out_stream, SHORT_USAGE | LONG | BEFORE | BEHIND | BUGS | EXIT_FINE);
  else if (key == USAGE_KEY)
    argp_state_help(state, state->out_stream, USAGE | EXIT_FINE);
  else if (key == PROGRAM)
    set_program(state, argument);
  else
    return EPERM_UNKNOWN;
  return 0;
}

static int parse_version(int key, char *argument, struct argp_state *state) {
  (void)argument;
  if (key != VERSION)
    return EPERM_UNKNOWN;
  if (argp_program_version_hook != NULL)
    argp_program_version_hook(state->out_stream, state);
  else
    fprintf(state->out_stream, "%s\n", argp_program_version);
  if (!(state->flags & NO_EXIT))
    exit(0);
  return 0;
}

static const struct argp_option common_options[] = {
    {"help", HELP, NULL, 0, "Give this help list", -1},
    {"usage", USAGE_KEY, NULL, 0, "Give a short usage message", 0},
    {"program-name", PROGRAM, "NAME", HIDDEN, "Set the program name", 0},
    {NULL, 0, NULL, 0, NULL, 0}};
static const struct argp common = {common_options, parse_common, NULL, NULL, NULL, NULL, NULL};
static const struct argp_option version_options[] = {{"version", VERSION, NULL, 0, "Print program version", -1},
                                                     {NULL, 0, NULL, 0, NULL, 0}};
static const struct argp version = {version_options, parse_version, NULL, NULL, NULL, NULL, NULL};

/* Adds the letters and names of a parser to those of getopt; names that are there already stay as they are. */
static void add_options(struct parsing *parsing, int level, size_t *letters, size_t *names) {
  const struct argp_option *real = parsing->levels[level].argp->options;
  for (const struct argp_option *option = real; option != NULL && !is_end(option); option++) {
    if (!(option->flags & ALIAS))
      real = option;
    if (real->flags & NO_OPTION)
      continue;
    int takes = real->arg == NULL ? 0 : real->flags & OPTIONAL ? 2 : 1;
    if (is_letter_option(option)) {
      parsing->letters[(*letters)++] = (char)option->key;
      for (int colon = 0; colon < takes; colon++)
        parsing->letters[(*letters)++] = ':';
      parsing->letters[*letters] = 0;
    }
    if (option->name == NULL)
      continue;
    bool is_there = false;
    for (size_t i = 0; i < *names && !is_there; i++)
      is_there = strcmp(parsing->names[i].name, option->name) == 0;
    int key = option->key != 0 ? option->key : real->key;
    int value = (int)(((unsigned)(level + 1) << KEY_BITS) | ((unsigned)key & ((1u << KEY_BITS) - 1)));
    if (!is_there)
      parsing->names[(*names)++] = (struct option){option->name, takes, NULL, value};
  }
  parsing->levels[level].letters_end = *letters;
}

/* Everything but the input of the first parser; false if there is no memory. */
static bool prepare(struct parsing *parsing, const struct argp *root, unsigned flags) {
  struct tree tree = argp_tree(root);
  size_t options = 0, letters = 0, names = 0;
  for (int i = 0; i < tree.count; i++)
    for (const struct argp_option *option = tree.nodes[i].argp->options; option != NULL && !is_end(option); option++)
      options++;
  parsing->levels = calloc((size_t)tree.count + 1, sizeof *parsing->levels);
  parsing->letters = calloc(3 * options + 2, 1);
  parsing->names = calloc(options + 1, sizeof *parsing->names);
  int *level_of = calloc((size_t)tree.count + 1, sizeof *level_of);
  bool fine = tree.count > 0 && parsing->levels != NULL && parsing->letters != NULL && parsing->names != NULL &&
              level_of != NULL;
  if (fine && flags & (IN_ORDER | NO_ARGUMENTS))
    parsing->letters[letters++] = flags & IN_ORDER ? '-' : '+';
  for (int i = 0; fine && i < tree.count; i++) {
    const struct node *node = &tree.nodes[i];
    level_of[i] = -1;
    if (node->argp->options == NULL && node->argp->parser == NULL)
      continue;
    int level = level_of[i] = parsing->count++;
    parsing->levels[level].argp = node->argp;
    parsing->levels[level].parent = node->parent < 0 ? -1 : level_of[node->parent];
    parsing->levels[level].place = node->place;
    add_options(parsing, level, &letters, &names);
    size_t children = 0;
    while (node->argp->children != NULL && node->argp->children[children].argp != NULL)
      children++;
    if (children > 0 && (parsing->levels[level].child_inputs = calloc(children, sizeof(void *))) == NULL)
      fine = false;
  }
  free(level_of);
  free(tree.nodes);
  return fine;
}

static int tell(struct parsing *parsing, struct level *level, int key, char *argument) {
  if (level->argp->parser == NULL)
    return EPERM_UNKNOWN;
  parsing->state.hook = level->hook;
  parsing->state.input = level->input;
  parsing->state.child_inputs = level->child_inputs;
  parsing->state.arg_num = level->arguments;
  int error = level->argp->parser(key, argument, &parsing->state);
  level->hook = parsing->state.hook;
  return error;
}

static bool goes_on(int error) { return error == 0 || error == EPERM_UNKNOWN; }

static int begin(struct parsing *parsing) {
  int error = 0;
  for (int i = 0; i < parsing->count && goes_on(error); i++) {
    struct level *level = &parsing->levels[i];
    if (level->parent >= 0)
      level->input = parsing->levels[level->parent].child_inputs[level->place];
    /* One without a function hands on what it got. */
    if (level->argp->parser == NULL && level->child_inputs != NULL)
      level->child_inputs[0] = level->input;
    error = tell(parsing, level, INIT, NULL);
  }
  return error == EPERM_UNKNOWN ? 0 : error;
}

/* An argument that is no option, which the first parser that wants it gets; or all that are left. */
static int take_argument(struct parsing *parsing, char *argument) {
  struct argp_state *state = &parsing->state;
  int before = --state->next, error = EPERM_UNKNOWN, key = ARGUMENT;
  struct level *level = parsing->levels;
  for (; level < parsing->levels + parsing->count && error == EPERM_UNKNOWN; level++) {
    state->next++;
    key = ARGUMENT;
    error = tell(parsing, level, ARGUMENT, argument);
    if (error == EPERM_UNKNOWN) {
      state->next--;
      key = REST;
      error = tell(parsing, level, REST, NULL);
    }
  }
  if (error != 0)
    return error;
  if (key == REST)
    state->next = state->argc;
  if (state->next > before)
    level[-1].arguments += (unsigned)(state->next - before);
  else
    parsing->tries_options = true;
  return 0;
}

static int take_option(struct parsing *parsing, int option, char *argument) {
  unsigned owner = (unsigned)option >> KEY_BITS;
  int error = EPERM_UNKNOWN;
  if (owner > 0) {
    /* The sign of the key was cut off. */
    int key = (int)((unsigned)option << (32 - KEY_BITS)) >> (32 - KEY_BITS);
    error = tell(parsing, &parsing->levels[owner - 1], key, argument);
  } else {
    char *letter = strchr(parsing->letters, option);
    for (int i = 0; letter != NULL && i < parsing->count; i++)
      if (parsing->levels[i].letters_end > (size_t)(letter - parsing->letters)) {
        error = tell(parsing, &parsing->levels[i], option, argument);
        break;
      }
  }
  if (error != EPERM_UNKNOWN)
    return error;
  const char *text = "(PROGRAM ERROR) Option should have been recognized!?";
  if (owner == 0) {
    argp_error(&parsing->state, "-%c: %s", option, text);
    return error;
  }
  const struct option *name = parsing->names;
  while (name->name != NULL && name->val != option)
    name++;
  argp_error(&parsing->state, "--%s: %s", name->name != NULL ? name->name : "???", text);
  return error;
}

/* The next option or argument; `is_over` says whether what nobody wanted is no error, or there is nothing left. */
static int take_next(struct parsing *parsing, bool *is_over) {
  struct argp_state *state = &parsing->state;
  int option = -1;
  if (state->quoted != 0 && state->next < state->quoted)
    state->quoted = 0;
  if (parsing->tries_options && state->quoted == 0) {
    optind = state->next;
    optopt = -1;
    option = (state->flags & LONG_ONLY ? getopt_long_only : getopt_long)(state->argc, state->argv, parsing->letters,
                                                                       parsing->names, NULL);
    state->next = optind;
    if (option == -1) {
      parsing->tries_options = false;
      if (state->next > 1 && strcmp(state->argv[state->next - 1], "--") == 0)
        state->quoted = state->next;
    } else if (option == '?' && optopt != -1) {
      *is_over = false;
      return EPERM_UNKNOWN;
    }
  }
  char *argument = optarg;
  if (option == -1) {
    if (state->next >= state->argc || state->flags & NO_ARGUMENTS) {
      *is_over = true;
      return EPERM_UNKNOWN;
    }
    option = 1;
    argument = state->argv[state->next++];
  }
  int error = option == 1 ? take_argument(parsing, argument) : take_option(parsing, option, argument);
  if (error == EPERM_UNKNOWN)
    *is_over = option == 1;
  return error;
}

static int end(struct parsing *parsing, int error, bool is_over, int *index) {
  struct argp_state *state = &parsing->state;
  if (error == EPERM_UNKNOWN && is_over)
    error = 0;
  if (error == 0 && state->next == state->argc) {
    for (int i = 0; i < parsing->count && goes_on(error); i++)
      if (parsing->levels[i].arguments == 0)
        error = tell(parsing, &parsing->levels[i], NONE, NULL);
    for (int i = parsing->count; i-- > 0 && goes_on(error);)
      error = tell(parsing, &parsing->levels[i], END, NULL);
    if (error == EPERM_UNKNOWN)
      error = 0;
    if (index != NULL)
      *index = state->next;
  } else if (error == 0 && index != NULL) {
    *index = state->next;
  } else if (error == 0) {
    if (!(state->flags & NO_ERRORS) && state->err_stream != NULL)
      fprintf(state->err_stream, "%s: Too many arguments\n", state->name);
    error = EPERM_UNKNOWN;
  }
  if (error != 0) {
    if (error == EPERM_UNKNOWN)
      argp_state_help(state, state->err_stream, SEE | EXIT_ERROR);
    for (int i = 0; i < parsing->count; i++)
      tell(parsing, &parsing->levels[i], ERROR, NULL);
  } else {
    for (int i = parsing->count; i-- > 0 && goes_on(error);)
      error = tell(parsing, &parsing->levels[i], SUCCESS, NULL);
    if (error == EPERM_UNKNOWN)
      error = 0;
  }
  for (int i = parsing->count; i-- > 0;)
    tell(parsing, &parsing->levels[i], FINISH, NULL);
  return error == EPERM_UNKNOWN ? EINVAL : error;
}

int argp_parse(const struct argp *restrict argp, int count, char **restrict arguments, unsigned flags,
               int *restrict index, void *restrict input) {
  struct argp_child children[4] = {{argp, 0, NULL, 0}, {&common, 0, NULL, 0}, {NULL, 0, NULL, 0}, {NULL, 0, NULL, 0}};
  struct argp whole = {NULL, NULL, NULL, NULL, children, NULL, NULL};
  if (argp_program_version != NULL || argp_program_version_hook != NULL)
    children[2].argp = &version;
  struct parsing parsing = {.tries_options = true};
  if (flags & NO_ERRORS)
    flags |= NO_EXIT;
  const struct argp *root = flags & NO_HELP ? argp : &whole;
  parsing.state = (struct argp_state){.root_argp = root, .argc = count, .argv = arguments, .flags = flags,
                                      .err_stream = stderr, .out_stream = stdout, .pstate = &parsing};
  int error = ENOMEM;
  bool is_over = false;
  if (prepare(&parsing, root, flags)) {
    char *slash = count > 0 && arguments[0] != NULL ? strrchr(arguments[0], '/') : NULL;
    parsing.state.name = slash != NULL                                ? slash + 1
                         : count > 0 && arguments[0] != NULL ? arguments[0]
                                                                      : program_invocation_short_name;
    opterr = !(flags & NO_ERRORS);
    if (flags & NO_ERRORS && flags & PARSE_FIRST)
      parsing.state.argv--, parsing.state.argc++;
    if (parsing.count > 0)
      parsing.levels[0].input = input;
    /* The first search of a program sets optopt, by which an unknown option is told from "-?" later. */
    char *nothing[] = {"", NULL};
    optind = 0;
    getopt_long(1, nothing, "", parsing.names, NULL);
    error = begin(&parsing);
    while (error == 0)
      error = take_next(&parsing, &is_over);
    error = end(&parsing, error, is_over, index);
  }
  for (int i = 0; parsing.levels != NULL && i < parsing.count; i++)
    free(parsing.levels[i].child_inputs);
  free(parsing.levels);
  free(parsing.letters);
  free(parsing.names);
  return error;
}

int __argp_parse(const struct argp *restrict argp, int count, char **restrict arguments, unsigned flags,
                 int *restrict index, void *restrict input) {
  return argp_parse(argp, count, arguments, flags, index, input);
}

void *argp_input(const struct argp *argp, const struct argp_state *state) {
  const struct parsing *parsing = state == NULL ? NULL : state->pstate;
  for (int i = 0; parsing != NULL && i < parsing->count; i++)
    if (parsing->levels[i].argp == argp)
      return parsing->levels[i].input;
  return NULL;
}

void *_argp_input(const struct argp *argp, const struct argp_state *state) { return argp_input(argp, state); }

static bool is_silent(const struct argp_state *state) { return state != NULL && state->flags & NO_ERRORS; }

static const char *name_of(const struct argp_state *state) {
  return state != NULL && state->name != NULL ? state->name : program_invocation_short_name;
}

void argp_error(const struct argp_state *state, const char *format, ...) {
  FILE *stream = state == NULL ? stderr : state->err_stream;
  if (is_silent(state) || stream == NULL)
    return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(stream, "%s: ", name_of(state));
  vfprintf(stream, format, arguments);
  va_end(arguments);
  fprintf(stream, "\n");
  argp_state_help(state, stream, SEE | EXIT_ERROR);
}

void argp_failure(const struct argp_state *state, int status, int number, const char *format, ...) {
  FILE *stream = state == NULL ? stderr : state->err_stream;
  if (is_silent(state) || stream == NULL)
    return;
  fprintf(stream, "%s", name_of(state));
  if (format != NULL) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stream, ": ");
    vfprintf(stream, format, arguments);
    va_end(arguments);
  }
  if (number != 0)
    fprintf(stream, ": %s", strerror(number));
  fprintf(stream, "\n");
  if (status != 0 && (state == NULL || !(state->flags & NO_EXIT)))
    exit(status);
}

void argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags) {
  if (is_silent(state) || stream == NULL)
    return;
  extern void __symexec_argp_tell(const struct argp *argp, const struct argp_state *state, FILE *stream, unsigned flags,
                                  const char *name);
  __symexec_argp_tell(state == NULL ? NULL : state->root_argp, state, stream, flags, name_of(state));
  if (state != NULL && state->flags & NO_EXIT)
    return;
  if (flags & EXIT_ERROR)
    exit(argp_err_exit_status);
  if (flags & EXIT_FINE)
    exit(0);
}

void argp_usage(const struct argp_state *state) { argp_state_help(state, stderr, SHORT_USAGE | SEE | EXIT_ERROR); }
