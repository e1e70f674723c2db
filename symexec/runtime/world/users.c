/* Users, groups, and who is logged in.
 *
 * Nobody is known by name, unless metadata are unknown (--sym-metadata): programs that show owners then run on a
 * machine that has them. There are `root` and the user whom the program belongs to, each with a group of the same
 * name and number, and that user is logged in.
 *
 * A name is compared with each of these as a whole, so that one that is unknown has as many paths as there are names,
 * not letters.
 */
#include "../source/metadata.h"

enum { ID = 1000, PROCESS = 4242, EACCES = 13, BEGIN = 1700000000, USERS = 2 };

/* glibc's structures on x86_64. */
struct user {
  char *name, *password;
  unsigned id, group;
  char *comment, *home, *shell;
};
struct group {
  char *name, *password;
  unsigned id;
  char **members;
};
struct login {
  int16_t kind;
  int process;
  char line[32], mark[4], user[32], host[256];
  int16_t termination, exit;
  int session, seconds, microseconds, address[4];
  char unused[20];
};
_Static_assert(sizeof(struct user) == 48 && sizeof(struct group) == 32 && sizeof(struct login) == 384,
               "glibc's sizes of struct passwd, struct group and struct utmpx");

static const struct user users[USERS] = {
    {"root", "x", 0, 0, "root", "/root", "/bin/sh"},
    {"user", "x", ID, ID, "A User,,,", "/work", "/bin/sh"},
};

/* The system has begun, waits for somebody at a terminal, has somebody at another one, and somebody has left. */
static struct login logins[] = {
    {.kind = 2, .line = "~", .mark = "~~", .user = "reboot", .host = "6.1.0", .seconds = BEGIN - 100000},
    {.kind = 1, .process = 53, .line = "~", .mark = "~~", .user = "runlevel", .host = "6.1.0", .seconds = BEGIN - 99990},
    {.kind = 6, .process = PROCESS, .line = "tty1", .mark = "tty1", .user = "LOGIN", .seconds = BEGIN - 99980},
    {.kind = 7, .process = PROCESS, .line = "pts/0", .mark = "ts/0", .user = "user", .host = "there:0", .seconds = BEGIN - 5000},
    {.kind = 8, .process = PROCESS + 1, .line = "pts/1", .mark = "ts/1", .exit = 1, .seconds = BEGIN - 4000},
};
enum { LOGINS = sizeof logins / sizeof *logins };

static int next_user, next_group, next_login;
static bool is_other_file;

/* Whether a text is this known one: one choice. Nothing behind the end of its object is read. */
static bool is(const char *text, const char *known) {
  size_t length = strlen(known) + 1, room = __symexec_room(text);
  if (room == 0)
    return strncmp(text, known, length) == 0;
  if (room < length)
    return false;
  unsigned differs = 0;
  for (size_t i = 0; i < length; i++)
    differs |= (unsigned char)text[i] ^ (unsigned char)known[i];
  return differs == 0;
}

static int named(const char *name) {
  for (int i = 0; i < USERS && metadata_are_unknown(); i++)
    if (is(name, users[i].name))
      return i;
  return USERS;
}
static int numbered(unsigned id) {
  for (int i = 0; i < USERS && metadata_are_unknown(); i++)
    if (users[i].id == id)
      return i;
  return USERS;
}

/* Puts a text behind those that are in a room; null if it does not fit. */
static char *put(const char *text, char **room, size_t *size) {
  size_t length = strlen(text) + 1;
  char *place = *room;
  if (length > *size)
    return NULL;
  memcpy(place, text, length);
  *room += length;
  *size -= length;
  return place;
}

/* The same of an entry's texts, which it has where they were copied to then; whether they fit. */
static bool put_all(char **const *texts, int count, char *room, size_t size) {
  for (int i = 0; i < count; i++) {
    *texts[i] = put(*texts[i], &room, &size);
    if (*texts[i] == NULL)
      return false;
  }
  return true;
}

/* Tells of a user or group in memory of the program's, which may write there: each text anew. */
static int tell_user(int number, struct user *entry, char *texts, size_t size, struct user **to) {
  *to = NULL;
  if (number >= USERS)
    return 0;
  *entry = users[number];
  char **const all[] = {&entry->name, &entry->password, &entry->comment, &entry->home, &entry->shell};
  if (!put_all(all, 5, texts, size))
    return ERANGE;
  *to = entry;
  return 0;
}
static int tell_group(int number, struct group *entry, char *texts, size_t size, struct group **to) {
  static char *nobody[1];
  *to = NULL;
  if (number >= USERS)
    return 0;
  nobody[0] = NULL;
  *entry = (struct group){.name = users[number].name, .password = "x", .id = users[number].group, .members = nobody};
  char **const all[] = {&entry->name, &entry->password};
  if (!put_all(all, 2, texts, size))
    return ERANGE;
  *to = entry;
  return 0;
}

enum { TEXTS = 64 };
static struct user *user(int number) {
  static struct user told;
  static char texts[TEXTS];
  struct user *to;
  tell_user(number, &told, texts, TEXTS, &to);
  return to;
}
static struct group *group(int number) {
  static struct group told;
  static char texts[TEXTS];
  struct group *to;
  tell_group(number, &told, texts, TEXTS, &to);
  return to;
}

struct user *getpwuid(unsigned id) { return user(numbered(id)); }
struct user *getpwnam(const char *name) { return user(named(name)); }
struct group *getgrgid(unsigned id) { return group(numbered(id)); }
struct group *getgrnam(const char *name) { return group(named(name)); }

int getpwuid_r(unsigned id, struct user *entry, char *texts, size_t size, struct user **to) {
  return tell_user(numbered(id), entry, texts, size, to);
}
int getpwnam_r(const char *name, struct user *entry, char *texts, size_t size, struct user **to) {
  return tell_user(named(name), entry, texts, size, to);
}
int getgrgid_r(unsigned id, struct group *entry, char *texts, size_t size, struct group **to) {
  return tell_group(numbered(id), entry, texts, size, to);
}
int getgrnam_r(const char *name, struct group *entry, char *texts, size_t size, struct group **to) {
  return tell_group(named(name), entry, texts, size, to);
}

void setpwent(void) { next_user = 0; }
void endpwent(void) { next_user = 0; }
void setgrent(void) { next_group = 0; }
void endgrent(void) { next_group = 0; }
struct user *getpwent(void) {
  return metadata_are_unknown() && next_user < USERS ? user(next_user++) : NULL;
}
struct group *getgrent(void) {
  return metadata_are_unknown() && next_group < USERS ? group(next_group++) : NULL;
}

/* The lists into room of the caller's. */
int getpwent_r(struct user *entry, char *texts, size_t size, struct user **to) {
  *to = NULL;
  if (!metadata_are_unknown() || next_user >= USERS)
    return ENOENT;
  int error = tell_user(next_user, entry, texts, size, to);
  next_user += error == 0;
  return error;
}
int getgrent_r(struct group *entry, char *texts, size_t size, struct group **to) {
  *to = NULL;
  if (!metadata_are_unknown() || next_group >= USERS)
    return ENOENT;
  int error = tell_group(next_group, entry, texts, size, to);
  next_group += error == 0;
  return error;
}

/* Passwords are nobody's to read. */
static void *refused(void) {
  errno = EACCES;
  return NULL;
}
void *getspnam(const char *name) { return (void)name, refused(); }
int getspnam_r(const char *name, void *entry, char *texts, size_t size, void **to) {
  (void)name, (void)entry, (void)texts, (void)size;
  *to = refused();
  return EACCES;
}
void setspent(void) {}
void endspent(void) {}
void *getspent(void) { return refused(); }
int getspent_r(void *entry, char *texts, size_t size, void **to) {
  (void)entry, (void)texts, (void)size;
  *to = refused();
  return ENOENT;
}
int lckpwdf(void) {
  errno = EACCES;
  return -1;
}
int ulckpwdf(void) { return -1; }

char *getlogin(void) {
  static char name[8];
  if (metadata_are_unknown())
    return memcpy(name, users[1].name, strlen(users[1].name) + 1);
  errno = ENOENT;
  return NULL;
}
char *cuserid(char *to) {
  static char name[9];
  if (!metadata_are_unknown()) {
    if (to != NULL)
      *to = 0;
    return to;
  }
  return memcpy(to == NULL ? name : to, users[1].name, strlen(users[1].name) + 1);
}
int getlogin_r(char *to, size_t size) {
  const char *name = getlogin();
  if (name == NULL)
    return 6; /* ENXIO */
  if (strlen(name) >= size)
    return ERANGE;
  memcpy(to, name, strlen(name) + 1);
  return 0;
}

/* ---- Who is logged in: in a file of another name, nobody ---- */

int utmpxname(const char *name) {
  is_other_file = !is(name, "/var/run/utmp");
  next_login = 0;
  return 0;
}
void setutxent(void) { next_login = 0; }
void endutxent(void) { next_login = 0; }
struct login *getutxent(void) {
  static struct login told;
  if (!metadata_are_unknown() || is_other_file || next_login >= LOGINS)
    return NULL;
  told = logins[next_login++];
  return &told;
}
/* The same under older names. */
int utmpname(const char *name) { return utmpxname(name); }
void setutent(void) { setutxent(); }
void endutent(void) { endutxent(); }
struct login *getutent(void) { return getutxent(); }
void *getutid(const void *entry) { return (void)entry, NULL; }
void *getutline(const void *entry) { return (void)entry, NULL; }
void *pututline(const void *entry) { return (void)entry, NULL; }
void *getutxid(const void *entry) { return (void)entry, NULL; }
void *getutxline(const void *entry) { return (void)entry, NULL; }
void *pututxline(const void *entry) { return (void)entry, NULL; }
