/* Lines to terminals: speeds in their settings, and names. There is one terminal where the metadata of files are
 * unknown (source/metadata.c), and none otherwise. It has the settings that Linux gives a new one, keeps those that
 * it is given, and has 24 lines of 80 columns until another size is set.
 */
#include "../source/metadata.h"
#include "../source/stream.h"

int fputs(const char *restrict, FILE *restrict);
ptrdiff_t getline(char **restrict, size_t *restrict, FILE *restrict);

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

enum { LINES = 24, COLUMNS = 80, GET_SETTINGS = 0x5401, GET_SIZE = 0x5413, SET_SIZE = 0x5414 };

static struct settings terminal = {
    .input = 02400,
    .output = 05,
    .control = 0277,
    .local = 0105073,
    .characters = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0},
    .input_speed = 017,
    .output_speed = 017,
};
static struct {
  unsigned short rows, columns, width, height;
} window = {LINES, COLUMNS, 0, 0};

int fcntl(int descriptor, int command, ...);

/* Whether a descriptor leads to the terminal; with errno if not. */
static bool is_terminal(int descriptor) {
  if (metadata_is_terminal(descriptor))
    return true;
  errno = fcntl(descriptor, 1 /* F_GETFD */) < 0 ? EBADF : ENOTTY;
  return false;
}

char *ttyname(int descriptor) { return is_terminal(descriptor) ? (char *)"/dev/tty" : NULL; }
int tcgetattr(int descriptor, struct settings *to) {
  if (!is_terminal(descriptor))
    return -1;
  *to = terminal;
  return 0;
}
int tcsetattr(int descriptor, int when, const struct settings *from) {
  if (!is_terminal(descriptor))
    return -1;
  if (when < 0 || when > 2)
    return fail(EINVAL);
  terminal = *from;
  return 0;
}
int ioctl(int descriptor, unsigned long request, ...) {
  if (!is_terminal(descriptor))
    return -1;
  va_list more;
  va_start(more, request);
  void *argument = va_arg(more, void *);
  va_end(more);
  if (request == GET_SIZE)
    memcpy(argument, &window, sizeof window);
  else if (request == SET_SIZE)
    memcpy(&window, argument, sizeof window);
  else if (request == GET_SETTINGS)
    /* The kernel's structure ends before the speeds, and has fewer characters. */
    memcpy(argument, &terminal, 36);
  else
    return fail(EINVAL);
  return 0;
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
int tcflush(int descriptor, int queue) { return (void)queue, is_terminal(descriptor) ? 0 : -1; }
int tcdrain(int descriptor) { return is_terminal(descriptor) ? 0 : -1; }
int tcflow(int descriptor, int action) { return (void)action, is_terminal(descriptor) ? 0 : -1; }
int tcsendbreak(int descriptor, int duration) { return (void)duration, is_terminal(descriptor) ? 0 : -1; }
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

/* A line of standard input, without its end, as glibc reads it where there is no /dev/tty; the prompt goes to standard
 * error. */
ptrdiff_t read(int descriptor, void *to, size_t count);
ptrdiff_t write(int descriptor, const void *from, size_t count);
/* From standard input, as glibc does where the process has no terminal of its own; a line that is not there is empty. */
char *getpass(const char *prompt) {
  static char *line;
  static size_t room;
  fputs(prompt, stderr);
  ptrdiff_t length = getline(&line, &room, stdin);
  if (line == NULL)
    return NULL;
  if (length < 0)
    *line = 0;
  else if (line[length - 1] == '\n')
    line[length - 1] = 0;
  return line;
}
