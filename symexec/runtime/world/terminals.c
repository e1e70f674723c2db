/* Lines to terminals, of which there are none: speeds in their settings, and names. */
#include "../source/runtime.h"

enum { SPEED = 010017 };

/* glibc's struct termios. */
struct settings {
  unsigned input, output, control, local;
  unsigned char line, characters[32];
  unsigned input_speed, output_speed;
};

static int fail(int error) {
  errno = error;
  return -1;
}

unsigned cfgetospeed(const struct settings *settings) { return settings->control & SPEED; }
unsigned cfgetispeed(const struct settings *settings) {
  return (settings->input & 020000000000u) != 0 ? 0 : settings->control & SPEED;
}
static bool is_speed(unsigned speed) { return (speed & ~017u) == 0 || (speed >= 010001 && speed <= 010017); }
int cfsetospeed(struct settings *settings, unsigned speed) {
  if (!is_speed(speed))
    return fail(EINVAL);
  settings->control = (settings->control & ~(unsigned)SPEED) | speed;
  return 0;
}
int cfsetispeed(struct settings *settings, unsigned speed) {
  if (!is_speed(speed))
    return fail(EINVAL);
  if (speed == 0)
    settings->input |= 020000000000u;
  else {
    settings->input &= ~020000000000u;
    settings->control = (settings->control & ~(unsigned)SPEED) | speed;
  }
  return 0;
}
int cfsetspeed(struct settings *settings, unsigned speed) {
  return cfsetospeed(settings, speed) < 0 ? -1 : cfsetispeed(settings, speed);
}
void cfmakeraw(struct settings *settings) {
  settings->input &= ~02753u;
  settings->output &= ~1u;
  settings->local &= ~0100113u;
  settings->control = (settings->control & ~0460u) | 060;
  settings->characters[6] = 1; /* VMIN */
  settings->characters[5] = 0; /* VTIME */
}
int tcflush(int descriptor, int queue) { return (void)descriptor, (void)queue, fail(ENOTTY); }
int tcdrain(int descriptor) { return (void)descriptor, fail(ENOTTY); }
int tcflow(int descriptor, int action) { return (void)descriptor, (void)action, fail(ENOTTY); }
int tcsendbreak(int descriptor, int duration) { return (void)descriptor, (void)duration, fail(ENOTTY); }
int tcsetpgrp(int descriptor, int group) { return (void)descriptor, (void)group, fail(ENOTTY); }
int tcgetsid(int descriptor) { return (void)descriptor, fail(ENOTTY); }
int ttyname_r(int descriptor, char *to, size_t size) {
  return (void)descriptor, (void)to, (void)size, ENOTTY;
}
char *ctermid(char *to) {
  static char name[9];
  return memcpy(to == NULL ? name : to, "/dev/tty", 9);
}
int posix_openpt(int flags) { return (void)flags, fail(ENOENT); }
int getpt(void) { return fail(ENOENT); }
int grantpt(int master) { return (void)master, fail(ENOTTY); }
int unlockpt(int master) { return (void)master, fail(ENOTTY); }
char *ptsname(int master) { return (void)master, errno = ENOTTY, NULL; }
int ptsname_r(int master, char *to, size_t size) { return (void)master, (void)to, (void)size, ENOTTY; }
int openpty(int *master, int *slave, char *name, const void *settings, const void *size) {
  return (void)master, (void)slave, (void)name, (void)settings, (void)size, fail(ENOENT);
}
