/* The environment: getenv, setenv and their relatives.
 *
 * It is empty unless whoever starts the program points `environ` to one. Differs from glibc: memory
 * of replaced variables is never given back (programs may hold pointers into it), and array and
 * strings are always copied before they change.
 */
#include "runtime.h"

static char *nothing[1];

char **environ = nothing;

/* glibc's other name of the same variable. */
#define QUOTE(name) #name
#define QUOTE_EXPANDED(name) QUOTE(name)
extern char **__environ __attribute__((alias(QUOTE_EXPANDED(environ))));

/* The position of a variable, or of the null behind the last. */
static size_t position(const char *name, size_t length) {
  size_t i = 0;
  if (environ != NULL)
    while (environ[i] != NULL && !(strncmp(environ[i], name, length) == 0 && environ[i][length] == '='))
      i++;
  return i;
}

char *getenv(const char *name) {
  size_t length = strlen(name);
  size_t i = position(name, length);
  return environ == NULL || environ[i] == NULL ? NULL : environ[i] + length + 1;
}

char *secure_getenv(const char *name) { return getenv(name); }

/* Puts "name=value" in its place. */
static int put(char *entry, size_t length) {
  size_t i = position(entry, length);
  if (environ != NULL && environ[i] != NULL) {
    environ[i] = entry;
    return 0;
  }
  char **longer = malloc((i + 2) * sizeof *longer);
  if (longer == NULL) {
    errno = ENOMEM;
    return -1;
  }
  if (i > 0)
    memcpy(longer, environ, i * sizeof *longer);
  longer[i] = entry;
  longer[i + 1] = NULL;
  environ = longer;
  return 0;
}

static bool is_name(const char *name) {
  return name != NULL && *name != 0 && *strchrnul(name, '=') == 0;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  if (!overwrite && getenv(name) != NULL)
    return 0;
  size_t name_length = strlen(name), value_length = strlen(value);
  char *entry = malloc(name_length + value_length + 2);
  if (entry == NULL) {
    errno = ENOMEM;
    return -1;
  }
  memcpy(entry, name, name_length);
  entry[name_length] = '=';
  memcpy(entry + name_length + 1, value, value_length + 1);
  return put(entry, name_length);
}

int unsetenv(const char *name) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  size_t length = strlen(name), i;
  while (i = position(name, length), environ != NULL && environ[i] != NULL)
    for (; environ[i] != NULL; i++)
      environ[i] = environ[i + 1];
  return 0;
}

/* The string itself becomes part of the environment; without a '=' the variable is removed. */
int putenv(char *entry) {
  char *equals = strchrnul(entry, '=');
  return *equals == 0 ? unsetenv(entry) : put(entry, (size_t)(equals - entry));
}

int clearenv(void) {
  environ = NULL;
  return 0;
}
