/* getopt and its relatives over drawn arguments: the same answers, and the arguments in the same order at
 * the end. */
#include "compare.h"

#include <getopt.h>
#include <unistd.h>

OURS(getopt);
OURS_AS(__posix_getopt, getopt);
OURS(getopt_long);
OURS(getopt_long_only);
OURS(getsubopt);
OURS(optarg);
OURS(optind);
OURS(opterr);
OURS(optopt);

enum { MOST = 8 };

static const char *const words[] = {"-a",     "-b",       "-bx",     "-ab",    "-cx",      "-c",      "-",     "--",
                                    "word",   "--alpha",  "--al",    "--a",    "--beta=1", "--beta",  "--bet", "--gamma",
                                    "--gamma=x", "--none", "--alpha=3", "-alpha", "-beta", "-be=2",  "-x",    "",
                                    "--delta", "-abc",    "--same",  "-W",     "-:",       NULL};
static const char *const letters[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:c::", "-:ab:c::", "", ":", NULL};

static void one_round(void) {
  int flags[2] = {0, 0}, places[2] = {-7, -7};
  int count = 1 + (int)below(MOST - 1), kind = (int)below(4);
  char *arguments[2][MOST + 1] = {{"program"}, {"program"}}, text[200] = "";
  const char *some = pick(letters);
  for (int i = 1; i < count; i++) {
    arguments[0][i] = arguments[1][i] = (char *)pick(words);
    strcat(strcat(text, " "), arguments[0][i]);
  }
  struct option names[2][7];
  for (int side = 0; side < 2; side++) {
    struct option all[] = {{"alpha", no_argument, NULL, 'a'},    {"beta", required_argument, NULL, 'b'},
                           {"gamma", optional_argument, NULL, 1000}, {"delta", no_argument, &flags[side], 5},
                           {"same1", no_argument, NULL, 's'},    {"same2", no_argument, NULL, 's'},
                           {NULL, 0, NULL, 0}};
    memcpy(names[side], all, sizeof all);
  }
  /* Zero starts anew in both libraries. */
  optind = ours_optind = 0;
  if (kind != 3 && sometimes(3)) {
    /* One goes on at the first argument, in the order of another list that was read to its end. */
    char *done[] = {"program", NULL};
    getopt(1, done, ""), ours_getopt(1, done, "");
  }
  opterr = ours_opterr = 0;
  for (int step = 0; step < 2 * MOST; step++) {
    int theirs, ours;
    switch (kind) {
    case 0:
      theirs = getopt(count, arguments[0], some), ours = ours_getopt(count, arguments[1], some);
      break;
    case 1:
      theirs = getopt_long(count, arguments[0], some, names[0], &places[0]);
      ours = ours_getopt_long(count, arguments[1], some, names[1], &places[1]);
      break;
    case 2:
      theirs = getopt_long_only(count, arguments[0], some, names[0], &places[0]);
      ours = ours_getopt_long_only(count, arguments[1], some, names[1], &places[1]);
      break;
    default: {
      char in_order[20] = "+";
      strcat(in_order, some);
      bool marked = some[0] == '+' || some[0] == '-';
      theirs = getopt(count, arguments[0], marked ? some : in_order);
      ours = ours___posix_getopt(count, arguments[1], some);
    }
    }
    same_number(ours, theirs, "step %d of \"%s\" over%s (%d)", step, some, text, kind);
    same_number(ours_optind, optind, "optind at step %d of \"%s\" over%s (%d)", step, some, text, kind);
    same_number(ours_optarg == NULL, optarg == NULL, "an argument at step %d of \"%s\" over%s", step, some, text);
    if (ours_optarg != NULL && optarg != NULL)
      same_number(strcmp(ours_optarg, optarg), 0, "the argument at step %d of \"%s\" over%s", step, some, text);
    same_number(ours_optopt, optopt, "optopt at step %d of \"%s\" over%s (%d)", step, some, text, kind);
    same_number(flags[1], flags[0], "a flag after \"%s\" over%s", some, text);
    same_number(places[1], places[0], "the number of a name in \"%s\" over%s", some, text);
    if (theirs == -1)
      break;
  }
  for (int i = 0; i < count; i++)
    same_number(strcmp(arguments[1][i], arguments[0][i]), 0, "argument %d of%s after \"%s\" (%d)", i, text, some,
                kind);
}

/* A text of suboptions, taken apart to its end. */
static void compare_suboptions(void) {
  static char *const names[] = {"ro", "rw", "rwx", "", "name", NULL};
  static const char *const pieces[] = {"ro", "rw", "rwx", "r", "name", "=", ",", "x", NULL};
  for (int round = 0; round < 5000; round++) {
    char text[2][100] = {"", ""}, *rest[2] = {text[0], text[1]};
    for (size_t count = below(8); count > 0; count--)
      strcat(text[0], pick(pieces));
    strcpy(text[1], text[0]);
    for (int turn = 0; turn < 9; turn++) {
      char *values[2] = {NULL, NULL};
      int ours = ours_getsubopt(&rest[0], names, &values[0]), their = getsubopt(&rest[1], names, &values[1]);
      same_number(ours, their, "getsubopt");
      same_number(rest[0] - text[0], rest[1] - text[1], "the rest behind getsubopt");
      same_number(values[0] == NULL ? -1 : values[0] - text[0], values[1] == NULL ? -1 : values[1] - text[1],
                  "the value of getsubopt");
      same_bytes(text[0], text[1], sizeof text[0], "the text of getsubopt");
    }
  }
}

void compare_options(void) {
  compare_suboptions();
  for (int round = 0; round < 20000; round++)
    one_round();
}
