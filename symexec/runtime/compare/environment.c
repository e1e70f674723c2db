/* The environment, changed by the same random steps on both sides. */
#include "compare.h"

#include <unistd.h>

OURS(getenv);
OURS(secure_getenv);
OURS(setenv);
OURS(unsetenv);
OURS(putenv);
OURS(clearenv);
OURS(environ);
OURS(__environ);

static const char *const names[] = {"A", "B", "AB", "LONG_NAME", "", "A=B", "=", NULL};
static const char *const values[] = {"", "1", "x=y", "some longer value", NULL};

/* What both sides say of a variable. */
static void same_value(const char *name) {
  const char *ours = ours_getenv(name), *theirs = getenv(name), *secure = ours_secure_getenv(name);
  same_number(ours != NULL, theirs != NULL, "whether %s is set", name);
  same_number((intptr_t)ours, (intptr_t)secure, "secure_getenv(\"%s\")", name);
  if (ours != NULL && theirs != NULL)
    same_number(strcmp(ours, theirs), 0, "the value of %s", name);
}

void compare_environment(void) {
  clearenv();
  same_number((intptr_t)&ours_environ, (intptr_t)&ours___environ, "environ and __environ are one");
  same_number(ours_environ[0] == NULL, 1, "the environment is empty at first");
  for (int round = 0; round < 3000; round++) {
    const char *name = pick(names), *value = pick(values);
    int overwrite = (int)below(2);
    ours_errno = errno = 0;
    switch (sometimes(100) ? 3 : below(3)) {
    case 0:
      same_number(ours_setenv(name, value, overwrite), setenv(name, value, overwrite), "setenv(\"%s\", \"%s\")",
                  name, value);
      break;
    case 1:
      same_number(ours_unsetenv(name), unsetenv(name), "unsetenv(\"%s\")", name);
      break;
    case 2: {
      char text[64];
      if (*name == 0 || strchr(name, '=') != NULL)
        continue;
      sometimes(4) ? snprintf(text, sizeof text, "%s", name) : snprintf(text, sizeof text, "%s=%s", name, value);
      same_number(ours_putenv(strdup(text)), putenv(strdup(text)), "putenv(\"%s\")", text);
      break;
    }
    default:
      same_number(ours_clearenv(), clearenv(), "clearenv()");
    }
    same_number(ours_errno, errno, "the error after a step with \"%s\"", name);
    for (int i = 0; names[i] != NULL; i++)
      if (*names[i] != 0 && strchr(names[i], '=') == NULL)
        same_value(names[i]);
  }
}
