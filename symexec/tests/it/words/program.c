/* Prints what wordexp makes of texts that are put together by chance from pieces, the same ones on every run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

static unsigned long seed = 88172645463325252u;
static unsigned below(unsigned limit) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)(seed >> 33) % limit;
}

static const char *const pieces[] = {
    "a", "bc", " ", "  ", "\t", "'q r'", "\"d e\"", "\"$V\"", "$V", "${V}", "$W", "${N}x", "\\ ", "\\$", "${N:-alt}", "${E-none}", "${E:-none}",
    "${V:+set}", "${N+set}", "${#V}", "${V%o*}", "${V%%o*}", "${V#*o}", "${V##*o}", "$((1+2*3))", "$(( (4 - 6) * 2 / 3 ))", "~", "~/x", "x~",
    "''", "\"\"", "$.", "\"a\\\"b\\x\"", "a=b", ":", "$L", "\"$L\"", "$((7", "'", "|", "${}", "\\", "$(ls)", "`ls`", "\n", "1", "-", "$1", "$()", "``", "`l\\`",
    "$(')", "$#", "$@", "${*}", "${#@}", "$(", "$((1)2)", "~\\",
};

/* One text, in a room that ends where it ends. */
static void show(const char *text, int flags) {
  char *exact = strdup(text);
  wordexp_t words;
  int error = wordexp(exact, &words, flags);
  printf("%s: %d", text, error);
  for (size_t i = 0; error == 0 && i < words.we_wordc; i++)
    printf(" [%s]", words.we_wordv[i]);
  printf("\n");
  if (error == 0)
    wordfree(&words);
  free(exact);
}

int main(void) {
  setenv("V", "foo bar boo", 1);
  setenv("W", " lead trail ", 1);
  setenv("E", "", 1);
  setenv("L", "a:b::c:", 1);
  setenv("HOME", "/own/me", 1);
  unsetenv("N");
  for (int round = 0; round < 600; round++) {
    char text[200] = "";
    /* Pieces that are mistakes are rare. */
    for (unsigned count = 1 + below(5); count > 0; count--)
      strcat(text, pieces[below(below(12) == 0 ? sizeof pieces / sizeof *pieces : 37)]);
    setenv("IFS", ":", 1);
    if (round % 3 != 0)
      unsetenv("IFS");
    show(text, WRDE_NOCMD | (round % 5 == 0 ? WRDE_UNDEF : 0));
  }
  unsetenv("IFS");
  /* What ends in the midst of something. */
  static const char *const ends[] = {"${V", "${V:", "${V-", "${V:-a", "${#V", "\"${V%", "${", "$(", "$((1", "`", "\"$", "~", "\"$()\""};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    show(ends[i], WRDE_NOCMD);
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    char text[200];
    show(pieces[i], WRDE_NOCMD);
    snprintf(text, sizeof text, "x%sy", pieces[i]);
    show(text, WRDE_NOCMD);
    snprintf(text, sizeof text, "a \"b%s\"", pieces[i]);
    show(text, WRDE_NOCMD);
  }
}
