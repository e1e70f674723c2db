/* Texts behind one another, names with values among them, and lists of elements: the same memory after the same calls. */
#include "compare.h"

#include <argz.h>
#include <envz.h>
#include <search.h>

OURS(argz_count);
OURS(argz_extract);
OURS(argz_stringify);
extern char *ours_argz_next(const char *, size_t, const char *);
OURS(argz_append);
OURS(argz_add);
OURS(argz_add_sep);
OURS(argz_create_sep);
OURS(argz_create);
OURS(argz_delete);
OURS(argz_insert);
OURS(argz_replace);
OURS(envz_entry);
OURS(envz_get);
OURS(envz_remove);
OURS(envz_add);
OURS(envz_merge);
OURS(envz_strip);
OURS(insque);
OURS(remque);

static char *mine, *theirs;
static size_t my_length, their_length;

static void same_rows(const char *after) {
  same_number((long long)my_length, (long long)their_length, "the length after %s", after);
  same_bytes(mine, theirs, my_length < their_length ? my_length : their_length, "the texts after %s", after);
}

/* Where a text is, from the first one; -1 for none. */
static long long place(const char *found, const char *from) { return found == NULL ? -1 : found - from; }

/* A text of a row, or none, by its number. */
static char *at(char *texts, size_t length, size_t number) {
  char *text = NULL;
  for (; number > 0; number--)
    text = argz_next(texts, length, text);
  return text;
}

static void change(const char *text, const char *other) {
  size_t number = below(4);
  switch (below(8)) {
  case 0:
    same_number(ours_argz_add(&mine, &my_length, text), argz_add(&theirs, &their_length, text), "argz_add");
    return same_rows("argz_add");
  case 1:
    same_number(ours_argz_add_sep(&mine, &my_length, text, ':'), argz_add_sep(&theirs, &their_length, text, ':'), "argz_add_sep of '%s'", text);
    return same_rows("argz_add_sep");
  case 2:
    ours_argz_delete(&mine, &my_length, at(mine, my_length, number));
    argz_delete(&theirs, &their_length, at(theirs, their_length, number));
    return same_rows("argz_delete");
  case 3:
    same_number(ours_argz_insert(&mine, &my_length, at(mine, my_length, number), text),
                argz_insert(&theirs, &their_length, at(theirs, their_length, number), text), "argz_insert");
    return same_rows("argz_insert");
  case 4: {
    unsigned ours = 0, system = 0;
    same_number(ours_argz_replace(&mine, &my_length, text, other, &ours), argz_replace(&theirs, &their_length, text, other, &system), "argz_replace");
    same_number(ours, system, "how many argz_replace replaces");
    return same_rows("argz_replace");
  }
  case 5:
    same_number(ours_argz_append(&mine, &my_length, text, strlen(text) + 1), argz_append(&theirs, &their_length, text, strlen(text) + 1), "argz_append");
    return same_rows("argz_append");
  default:
    same_number(ours_envz_add(&mine, &my_length, text, sometimes(3) ? NULL : other) != 0, 0, "envz_add");
    /* The same by hand, as chance said one value. */
    free(theirs);
    theirs = malloc(my_length + 1);
    memcpy(theirs, mine, their_length = my_length);
  }
}

static void compare_rows(void) {
  for (int round = 0; round < 300; round++) {
    mine = theirs = NULL;
    my_length = their_length = 0;
    for (int i = 0; i < 10; i++) {
      char text[8], other[8];
      draw_text(text, below(5), "ab=:");
      draw_text(other, below(3), "abc");
      change(text, other);
      same_number((long long)ours_argz_count(mine, my_length), (long long)argz_count(theirs, their_length), "argz_count");
      char *list[64], *system[64];
      ours_argz_extract(mine, my_length, list), argz_extract(theirs, their_length, system);
      char *next = NULL;
      for (int k = 0; (next = ours_argz_next(mine, my_length, next)) != NULL; k++)
        same_number(list[k] - mine, system[k] - theirs, "argz_extract"), same_number(next - mine, list[k] - mine, "argz_next");
    }
    ours_argz_stringify(mine, my_length, ','), argz_stringify(theirs, their_length, ',');
    same_rows("argz_stringify");
    free(mine), free(theirs);
  }
  static char *const list[] = {"a", "", "bc", NULL};
  ours_argz_create(list, &mine, &my_length), argz_create(list, &theirs, &their_length);
  same_rows("argz_create");
  free(mine), free(theirs);
  ours_argz_create_sep("a:::b:", ':', &mine, &my_length), argz_create_sep("a:::b:", ':', &theirs, &their_length);
  same_rows("argz_create_sep");
  free(mine), free(theirs);
}

static void compare_values(void) {
  for (int round = 0; round < 400; round++) {
    mine = theirs = NULL;
    my_length = their_length = 0;
    for (int i = 0; i < 8; i++) {
      char name[6], value[6];
      draw_text(name, 1 + below(2), "xy");
      draw_text(value, below(4), "v=");
      const char *given = sometimes(4) ? NULL : value;
      ours_envz_add(&mine, &my_length, name, given), envz_add(&theirs, &their_length, name, given);
      same_rows("envz_add");
      draw_text(name, 1 + below(3), "xy=");
      same_number(place(ours_envz_entry(mine, my_length, name), mine), place(envz_entry(theirs, their_length, name), theirs), "envz_entry of '%s'", name);
      same_number(place(ours_envz_get(mine, my_length, name), mine), place(envz_get(theirs, their_length, name), theirs), "envz_get of '%s'", name);
      if (sometimes(4)) {
        ours_envz_remove(&mine, &my_length, name), envz_remove(&theirs, &their_length, name);
        same_rows("envz_remove");
      }
    }
    static const char more[] = "x=new\0y\0z=1";
    int overrides = (int)below(2);
    ours_envz_merge(&mine, &my_length, more, sizeof more, overrides), envz_merge(&theirs, &their_length, more, sizeof more, overrides);
    same_rows("envz_merge");
    ours_envz_strip(&mine, &my_length), envz_strip(&theirs, &their_length);
    same_rows("envz_strip");
    free(mine), free(theirs);
  }
}

struct element {
  struct element *next, *before;
};

static void compare_lists(void) {
  enum { ELEMENTS = 6 };
  for (int round = 0; round < 200; round++) {
    struct element ours[ELEMENTS], system[ELEMENTS];
    bool in[ELEMENTS] = {true};
    ours_insque(&ours[0], NULL), insque(&system[0], NULL);
    for (int i = 0; i < 20; i++) {
      size_t which = 1 + below(ELEMENTS - 1), behind = below(ELEMENTS);
      if (in[which])
        ours_remque(&ours[which]), remque(&system[which]), in[which] = false;
      else if (in[behind])
        ours_insque(&ours[which], &ours[behind]), insque(&system[which], &system[behind]), in[which] = true;
      for (int k = 0; k < ELEMENTS; k++) {
        if (!in[k])
          continue;
        same_number(ours[k].next == NULL ? -1 : ours[k].next - ours, system[k].next == NULL ? -1 : system[k].next - system, "what follows");
        same_number(ours[k].before == NULL ? -1 : ours[k].before - ours, system[k].before == NULL ? -1 : system[k].before - system, "what precedes");
      }
    }
  }
}

void compare_text_rows(void) {
  compare_rows();
  compare_values();
  compare_lists();
}
