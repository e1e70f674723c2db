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
    "''", "\"\"", "$.", "\"a\\\"b\\x\"", "a=b", ":", "$L", "\"$L\"", "$((7", "'", "|", "${}", "\\", "$(ls)", "`ls`", "\n", "1", "-", "$1",
};

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
    wordexp_t words;
    int error = wordexp(text, &words, WRDE_NOCMD | (round % 5 == 0 ? WRDE_UNDEF : 0));
    printf("%s: %d", text, error);
    for (size_t i = 0; error == 0 && i < words.we_wordc; i++)
      printf(" [%s]", words.we_wordv[i]);
    printf("\n");
    if (error == 0)
      wordfree(&words);
  }
}
