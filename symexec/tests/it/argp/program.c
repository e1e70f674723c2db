/* What argp_parse does with its arguments, printed: natively and here it is to be the same. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char *argp_program_version = "program 1.2";
const char *argp_program_bug_address = "<bugs@example.org>";
static char doc[] = "A program that takes options -- and shows what it was given, in a text that is long "
                    "enough for two lines\vWhat stands behind the options.";
static char args_doc[] = "FILE...\nother WORD";
static struct argp_option sub_options[] = {
  {"depth", 'd', "NUMBER", 0, "How deep", 0}, {"wide", 1000, 0, 0, "Whether wide", 0}, {0}};
struct all { int verbose; char *output; int count; int depth; };
static error_t sub(int key, char *arg, struct argp_state *state) {
  struct all *all = state->input;
  switch (key) {
  case ARGP_KEY_INIT: printf("sub init %d\n", all != 0); return 0;
  case 'd': all->depth = atoi(arg); return 0;
  case 1000: printf("wide\n"); return 0;
  case ARGP_KEY_END: printf("sub end\n"); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
static struct argp below = {sub_options, sub, 0, 0, 0, 0, 0};
static struct argp_child children[] = {{&below, 0, "Of the part below:", 3}, {0}};
static struct argp_option options[] = {
  {"verbose", 'v', 0, 0, "Produce verbose output", 0},
  {"quiet", 'q', 0, 0, "Don't produce any output", 0},
  {"silent", 's', 0, OPTION_ALIAS, 0, 0},
  {"output", 'o', "FILE", 0, 
   "Output to FILE instead of standard output, and a text so long that it has to be on several lines of the help", 0},
  {"repeat", 'r', "COUNT", OPTION_ARG_OPTIONAL, "Repeat the output COUNT (default 10) times", 0},
  {0, 0, 0, 0, "These are rare:", 0},
  {"hidden", 'h', 0, OPTION_HIDDEN, "Not shown", 0},
  {"zeta", 500, "X", 0, "Long only", 0},
  {"abort-it", 501, 0, 0, "End", -1},
  {0, 'x', "N", 0, "Short only", 0},
  {"NAME=VALUE", 0, 0, OPTION_DOC, "Something else", 0},
  {0}};
static error_t parse(int key, char *arg, struct argp_state *state) {
  struct all *all = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = all; return 0;
  case 'v': all->verbose++; return 0;
  case 'q': all->verbose = -1; return 0;
  case 's': all->verbose = -2; return 0;
  case 'o': all->output = arg; return 0;
  case 'r': all->count = arg ? atoi(arg) : 10; return 0;
  case 'x': if (atoi(arg) > 5) argp_error(state, "%s is too many", arg); return 0;
  case 500: printf("zeta %s\n", arg); return 0;
  case 501: argp_failure(state, 7, 2, "%s", "failed"); return 0;
  case 'h': return 0;
  case ARGP_KEY_ARG: printf("arg %u %s\n", state->arg_num, arg); 
    if (!strcmp(arg, "usage"))
      argp_usage(state);
    if (!strcmp(arg, "rest")) {
      printf("%d left\n", state->argc - state->next);
      state->next = state->argc;
    }
    return 0;
  case ARGP_KEY_NO_ARGS: printf("no args\n"); return 0;
  case ARGP_KEY_END: printf("end %u quoted %d\n", state->arg_num, state->quoted); return 0;
  case ARGP_KEY_SUCCESS: printf("success\n"); return 0;
  case ARGP_KEY_ERROR: printf("error\n"); return 0;
  case ARGP_KEY_FINI: printf("fini\n"); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
static struct argp argp = {options, parse, args_doc, doc, children, 0, 0};
int main(int argc, char **argv) {
  struct all all = {0, "-", 1, 0};
  unsigned flags = 0;
  if (argc > 1 && !strcmp(argv[1], "order")) { flags = ARGP_IN_ORDER; argv++; argc--; }
  else if (argc > 1 && !strcmp(argv[1], "noargs")) { flags = ARGP_NO_ARGS; argv++; argc--; }
  else if (argc > 1 && !strcmp(argv[1], "noexit")) { flags = ARGP_NO_EXIT; argv++; argc--; }
  else if (argc > 1 && !strcmp(argv[1], "silent")) { flags = ARGP_SILENT; argv++; argc--; }
  else if (argc > 1 && !strcmp(argv[1], "long")) { flags = ARGP_LONG_ONLY; argv++; argc--; }
  argv[0] = "prog";
  int index = -1;
  int error = argp_parse(&argp, argc, argv, flags, argc > 2 && !strcmp(argv[1], "noargs2") ? &index : 0, &all);
  printf("%d: %d %s %d %d index %d\n", error, all.verbose, all.output, all.count, all.depth, index);
  return 0;
}
