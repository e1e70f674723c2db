/* Translations of messages: there are none, so every text stands for itself, as in the "C" locale. */
#include "../source/runtime.h"

int strcmp(const char *left, const char *right);
char *strdup(const char *text);

char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text) { return (void)domain, (char *)text; }
char *dcgettext(const char *domain, const char *text, int category) {
  return (void)domain, (void)category, (char *)text;
}
char *__dcgettext(const char *domain, const char *text, int category) {
  return (void)domain, (void)category, (char *)text;
}
char *ngettext(const char *one, const char *many, unsigned long count) {
  return (char *)(count == 1 ? one : many);
}
char *dngettext(const char *domain, const char *one, const char *many, unsigned long count) {
  return (void)domain, ngettext(one, many, count);
}
char *dcngettext(const char *domain, const char *one, const char *many, unsigned long count, int category) {
  return (void)domain, (void)category, ngettext(one, many, count);
}

/* The domain's name is kept; where its texts would lie is not looked at. */
char *textdomain(const char *domain) {
  static char *current = "messages";
  if (domain != NULL) {
    char *name = *domain == 0 ? "messages" : strdup(domain);
    if (name == NULL)
      return NULL;
    current = name;
  }
  return current;
}
char *bindtextdomain(const char *domain, const char *folder) {
  if (domain == NULL || *domain == 0)
    return NULL;
  return folder == NULL ? "/usr/share/locale" : (char *)folder;
}
char *bind_textdomain_codeset(const char *domain, const char *set) {
  return domain == NULL || *domain == 0 ? NULL : (char *)set;
}

int rpmatch(const char *answer) {
  return (*answer | 32) == 'y' ? 1 : (*answer | 32) == 'n' ? 0 : -1;
}
