/* Strings: lengths, copies, comparisons, searches, tokens. */
#include "compare.h"

OURS(strlen);
OURS(strnlen);
OURS(stpcpy);
OURS(strcpy);
OURS(strcat);
OURS(stpncpy);
OURS(strncpy);
OURS(strncat);
OURS(strdup);
OURS(strndup);
OURS_AS(__strdup, strdup);
OURS_AS(__strndup, strndup);
OURS(strcmp);
OURS(strncmp);
OURS(strcasecmp);
OURS(strncasecmp);
OURS(strcoll);
OURS(strxfrm);
OURS(strchr);
OURS(strchrnul);
OURS(strrchr);
OURS(index);
OURS(rindex);
OURS(strspn);
OURS(strcspn);
OURS(strpbrk);
OURS(strstr);
OURS(strcasestr);
OURS(strtok);
OURS(strtok_r);
OURS(__strtok_r);
OURS(strsep);

/* glibc has these two since 2.38 only; what they do is computed from strlen and memcpy instead. */
OURS_AS(strlcpy, strxfrm);
OURS_AS(strlcat, strxfrm);

static const char *const alphabets[] = {"ab", "aAbB", "abc ,;", "a", "a\xff\x80z", NULL};

/* A string at the end of its room, of up to `limit` characters. */
static char *generate(unsigned room, size_t limit) {
  size_t length = below(limit + 1);
  char *text = room_end(room, length + 1);
  draw_text(text, length, pick(alphabets));
  return text;
}

static void comparisons(void) {
  for (int round = 0; round < 5000; round++) {
    char *l = generate(0, 20), *r = generate(1, 20);
    if (sometimes(3))
      r = room_text(1, l);
    size_t limit = below(24);
    same_number((long long)ours_strlen(l), (long long)strlen(l), "strlen(\"%s\")", l);
    same_number((long long)ours_strnlen(l, limit), (long long)strnlen(l, limit), "strnlen(\"%s\", %zu)", l,
                limit);
    same_sign(ours_strcmp(l, r), strcmp(l, r), "strcmp(\"%s\", \"%s\")", l, r);
    same_sign(ours_strcoll(l, r), strcoll(l, r), "strcoll(\"%s\", \"%s\")", l, r);
    same_sign(ours_strcasecmp(l, r), strcasecmp(l, r), "strcasecmp(\"%s\", \"%s\")", l, r);
    same_sign(ours_strncmp(l, r, limit), strncmp(l, r, limit), "strncmp(\"%s\", \"%s\", %zu)", l, r, limit);
    same_sign(ours_strncasecmp(l, r, limit), strncasecmp(l, r, limit), "strncasecmp(\"%s\", \"%s\", %zu)", l,
              r, limit);
    /* Not zero-terminated within the limit. */
    size_t length = strlen(l);
    char *bare = memcpy(room_end(2, length), l, length);
    same_number((long long)ours_strnlen(bare, length), (long long)length, "strnlen without an end");
    same_sign(ours_strncmp(bare, l, length), 0, "strncmp without an end");
  }
}

static void searches(void) {
  for (int round = 0; round < 5000; round++) {
    char *text = generate(0, 24), *set = generate(1, 4);
    int c = sometimes(8) ? 0 : (unsigned char)"abcAB ,z\xff"[below(9)];
    c += sometimes(4) ? 256 : 0;
    same_number((intptr_t)ours_strchr(text, c), (intptr_t)strchr(text, c), "strchr(\"%s\", %d)", text, c);
    same_number((intptr_t)ours_index(text, c), (intptr_t)index(text, c), "index(\"%s\", %d)", text, c);
    same_number((intptr_t)ours_strrchr(text, c), (intptr_t)strrchr(text, c), "strrchr(\"%s\", %d)", text, c);
    same_number((intptr_t)ours_rindex(text, c), (intptr_t)rindex(text, c), "rindex(\"%s\", %d)", text, c);
    same_number((intptr_t)ours_strchrnul(text, c), (intptr_t)strchrnul(text, c), "strchrnul(\"%s\", %d)",
                text, c);
    same_number((long long)ours_strspn(text, set), (long long)strspn(text, set), "strspn(\"%s\", \"%s\")",
                text, set);
    same_number((long long)ours_strcspn(text, set), (long long)strcspn(text, set), "strcspn(\"%s\", \"%s\")",
                text, set);
    same_number((intptr_t)ours_strpbrk(text, set), (intptr_t)strpbrk(text, set), "strpbrk(\"%s\", \"%s\")",
                text, set);
    same_number((intptr_t)ours_strstr(text, set), (intptr_t)strstr(text, set), "strstr(\"%s\", \"%s\")", text,
                set);
    same_number((intptr_t)ours_strcasestr(text, set), (intptr_t)strcasestr(text, set),
                "strcasestr(\"%s\", \"%s\")", text, set);
  }
}

/* Both targets get exactly the room that the result needs. */
static void copies(void) {
  for (int round = 0; round < 5000; round++) {
    char *from = generate(0, 20), *before = generate(1, 10);
    size_t limit = below(24), length = strlen(from), size = 0, start = strlen(before) + 1;
    size_t limited = length < limit ? length : limit;
    unsigned which = (unsigned)below(10);
    switch (which) {
    case 0: case 1: size = length + 1; break;
    case 2: case 3: size = limit; break;
    case 4: size = start + length; break;
    case 5: size = start + limited; break;
    case 6: size = limit; break;
    case 7: size = limit; break;
    default: size = start + limit; break;
    }
    char *ours = room_end(2, size), *theirs = room_end(3, size);
    memset(ours, '#', size);
    memset(theirs, '#', size);
    if (which == 4 || which == 5 || which >= 8) {
      memcpy(ours, before, start);
      memcpy(theirs, before, start);
    }
    long long o = 0, t = 0;
    switch (which) {
    case 0: o = ours_strcpy(ours, from) - ours; t = strcpy(theirs, from) - theirs; break;
    case 1: o = ours_stpcpy(ours, from) - ours; t = stpcpy(theirs, from) - theirs; break;
    case 2: o = ours_strncpy(ours, from, limit) - ours; t = strncpy(theirs, from, limit) - theirs; break;
    case 3: o = ours_stpncpy(ours, from, limit) - ours; t = stpncpy(theirs, from, limit) - theirs; break;
    case 4: o = ours_strcat(ours, from) - ours; t = strcat(theirs, from) - theirs; break;
    case 5: o = ours_strncat(ours, from, limit) - ours; t = strncat(theirs, from, limit) - theirs; break;
    case 6: {
      /* What does not fit leaves the target unspecified. */
      o = (long long)ours_strxfrm(ours, from, limit);
      t = (long long)strxfrm(theirs, from, limit);
      if (length >= limit)
        memset(ours, '#', size), memset(theirs, '#', size);
      break;
    }
    case 7:
      o = (long long)ours_strlcpy(ours, from, limit);
      t = (long long)length;
      if (limit > 0) {
        memcpy(theirs, from, length < limit ? length : limit - 1);
        theirs[length < limit ? length : limit - 1] = 0;
      }
      break;
    default:
      o = (long long)ours_strlcat(ours, from, size);
      t = (long long)(start - 1 + length);
      size_t room = size - (start - 1);
      memcpy(theirs + start - 1, from, length < room ? length : room - 1);
      theirs[start - 1 + (length < room ? length : room - 1)] = 0;
      break;
    }
    same_number(o, t, "the result of copy %u of \"%s\", limit %zu", which, from, limit);
    same_bytes(ours, theirs, size, "the target of copy %u of \"%s\", limit %zu", which, from, limit);
  }
  /* No end within the size. */
  same_number((long long)ours_strlcat(memset(room_end(2, 3), 'a', 3), "bc", 3), 5, "strlcat without an end");
}

static void duplicates(void) {
  for (int round = 0; round < 300; round++) {
    const char *text = generate(0, 20);
    size_t limit = below(24);
    char *all[4] = {ours_strdup(text), ours___strdup(text), ours_strndup(text, limit),
                    ours___strndup(text, limit)};
    char *part = strndup(text, limit);
    for (int i = 0; i < 4; i++) {
      same_number(strcmp(all[i], i < 2 ? text : part), 0, "duplicate %d of \"%s\", limit %zu", i, text, limit);
      free(all[i]);
    }
    free(part);
  }
  refuse_memory = true;
  ours_errno = 0;
  same_number(ours_strdup("abc") == NULL, 1, "strdup without memory");
  same_number(ours_errno, ENOMEM, "the error of strdup without memory");
  refuse_memory = false;
}

static void tokens(void) {
  for (int round = 0; round < 2000; round++) {
    char text[32], ours[32], theirs[32], separators[4];
    draw_text(text, below(31), sometimes(2) ? "ab,; " : "a,,");
    draw_text(separators, below(3) + 1, ",; ");
    char *ours_rest, *theirs_rest;
    strcpy(ours, text);
    strcpy(theirs, text);
    unsigned which = (unsigned)below(4);
    char *o = NULL, *t = NULL;
    if (which == 3)
      ours_rest = ours, theirs_rest = theirs;
    for (int first = 1, more = 1; more; first = 0) {
      switch (which) {
      case 0: o = ours_strtok(first ? ours : NULL, separators); t = strtok(first ? theirs : NULL, separators); break;
      case 1: o = ours_strtok_r(first ? ours : NULL, separators, &ours_rest); break;
      case 2: o = ours___strtok_r(first ? ours : NULL, separators, &ours_rest); break;
      default: o = ours_strsep(&ours_rest, separators); t = strsep(&theirs_rest, separators); break;
      }
      if (which == 1 || which == 2)
        t = strtok_r(first ? theirs : NULL, separators, &theirs_rest);
      same_number(o == NULL ? -1 : o - ours, t == NULL ? -1 : t - theirs, "a token of \"%s\" by \"%s\"", text,
                  separators);
      if (which > 0)
        same_number(ours_rest == NULL ? -1 : ours_rest - ours, theirs_rest == NULL ? -1 : theirs_rest - theirs,
                    "the rest of \"%s\" by \"%s\"", text, separators);
      more = o != NULL && t != NULL;
    }
    same_bytes(ours, theirs, strlen(text) + 1, "\"%s\" cut by \"%s\"", text, separators);
  }
}

void compare_string(void) {
  comparisons();
  searches();
  copies();
  duplicates();
  tokens();
}
