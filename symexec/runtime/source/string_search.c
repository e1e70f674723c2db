/* Searching in strings, and cutting them into tokens.
 *
 * Membership in a set of characters is computed over the whole set without branching, so a character
 * costs one fork and not one per member.
 */
#include "runtime.h"

char *strchrnul(const char *text, int character) {
  while (*text != (char)character && *text != 0)
    text++;
  return (char *)text;
}

char *strchr(const char *text, int character) {
  char *found = strchrnul(text, character);
  return *found == (char)character ? found : NULL;
}

char *strrchr(const char *text, int character) {
  const char *found = NULL;
  for (;; text++) {
    if (*text == (char)character)
      found = text;
    if (*text == 0)
      return (char *)found;
  }
}

char *index(const char *text, int character) { return strchr(text, character); }

char *rindex(const char *text, int character) { return strrchr(text, character); }

/* Whether a character other than zero is in a set. */
static int is_member(char character, const char *set) {
  int member = 0;
  for (; *set != 0; set++)
    member |= *set == character;
  return member;
}

size_t strspn(const char *text, const char *accept) {
  size_t length = 0;
  while (text[length] != 0 && is_member(text[length], accept))
    length++;
  return length;
}

size_t strcspn(const char *text, const char *reject) {
  size_t length = 0;
  while (text[length] != 0 && !is_member(text[length], reject))
    length++;
  return length;
}

char *strpbrk(const char *text, const char *accept) {
  text += strcspn(text, accept);
  return *text != 0 ? (char *)text : NULL;
}

char *strstr(const char *hay, const char *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] != 0 && hay[i] == needle[i])
      i++;
    if (needle[i] == 0)
      return (char *)hay;
    if (hay[i] == 0)
      return NULL;
  }
}

char *strcasestr(const char *hay, const char *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] != 0 && to_lower((unsigned char)hay[i]) == to_lower((unsigned char)needle[i]))
      i++;
    if (needle[i] == 0)
      return (char *)hay;
    if (hay[i] == 0)
      return NULL;
  }
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
  if (text == NULL)
    text = *rest;
  text += strspn(text, separators);
  if (*text == 0) {
    *rest = text;
    return NULL;
  }
  char *end = text + strcspn(text, separators);
  if (*end != 0)
    *end++ = 0;
  *rest = end;
  return text;
}

char *__strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
  return strtok_r(text, separators, rest);
}

/* Before its first call with a text, strtok finds an empty one. */
char *strtok(char *restrict text, const char *restrict separators) {
  static char empty[1];
  static char *rest = empty;
  return strtok_r(text, separators, &rest);
}

char *strsep(char **restrict text, const char *restrict separators) {
  char *token = *text;
  if (token == NULL)
    return NULL;
  char *end = token + strcspn(token, separators);
  if (*end != 0) {
    *end = 0;
    *text = end + 1;
  } else {
    *text = NULL;
  }
  return token;
}
