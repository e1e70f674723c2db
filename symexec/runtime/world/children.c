/* Other processes. None can be made, unless the user wants some followed (--follow-fork): then fork is a choice between
 * two paths, the child's and the parent's, each with its own memory as the processes have. Neither sees what the other
 * does: pipes between them are empty, and how a child ends is unknown.
 *
 * Inputs of tests say which process a path is (`fork_result`, what fork returns), which one was started
 * (`spawn_result`) and how a child ended (`wait_status`), so that a test can be run natively without another process
 * (runtime/replay/children.c).
 *
 * Other programs are not explored. exec ends the path of the process that becomes one; what posix_spawn, system and
 * popen start is a child of which nothing is known but that it ends.
 */
#include "../source/children.h"

enum { ECHILD = 10, EAGAIN = 11, MOST_CHILDREN = 64, SIGNALS = 64, CHILD_SIGNAL = 17, USAGE = 144 };

void __symexec_make_input(void *bytes, size_t size, const char *name, const char *shape);
void klee_assume(uintptr_t condition);
void klee_warning_once(const char *message);

/* popen's streams. */
typedef struct stream FILE;
FILE *fdopen(int descriptor, const char *mode);
int fclose(FILE *stream);
int pipe(int *ends);
int close(int descriptor);

int children_self = FIRST_PROCESS, children_parent = 1;

static int next_process = FIRST_PROCESS + 1;
/* Those that were made and not waited for, the oldest first. */
static int children[MOST_CHILDREN];
static int count;

static int fail(int error) {
  errno = error;
  return -1;
}

static int place_of(int process) {
  for (int i = 0; i < count; i++)
    if (children[i] == process)
      return i;
  return -1;
}

bool children_has(int process) { return place_of(process) >= 0; }

/* A new process beside this one; -1 if there are too many. */
static int new_child(void) {
  if (count == MOST_CHILDREN)
    return fail(EAGAIN);
  return children[count++] = next_process++;
}

static int unknown(const char *name) {
  int number;
  __symexec_make_input(&number, sizeof number, name, NULL);
  return number;
}

int fork(void) {
  int child = children_followed == 0 ? fail(EAGAIN) : new_child();
  if (child < 0)
    return -1;
  int result = unknown("fork_result");
  klee_assume((((children_followed & FOLLOWS_CHILD) != 0) & (result == 0)) |
              (((children_followed & FOLLOWS_PARENT) != 0) & (result == child)));
  if (result != 0)
    return child;
  children_parent = children_self;
  children_self = child;
  count = 0;
  return 0;
}
int vfork(void) { return fork(); }

/* A process that becomes another program at once. The test says that there is one, so that nothing is really started
 * where it is run natively, also if nobody waits for it. */
static int started(void) {
  int child = children_followed == 0 ? fail(EAGAIN) : new_child();
  if (child > 0)
    klee_assume(unknown("spawn_result") == child);
  return child;
}

/* How a child ended: an exit code, or a signal and whether there is a core. */
static int unknown_status(void) {
  int status = unknown("wait_status");
  unsigned bits = (unsigned)status, signal = bits & 127;
  klee_assume(((bits & ~0xff00u) == 0) | ((bits < 256) & (signal - 1 < SIGNALS)));
  return status;
}

/* Waits for a child, by its number or (-1) for the oldest; 0 if there is none, or its number. Whoever does not want to
 * wait finds that it has ended. */
static int take_child(int process, int *status) {
  int place = process > 0 ? place_of(process) : count > 0 ? 0 : -1;
  if (place < 0)
    return fail(ECHILD);
  int child = children[place];
  count--;
  for (; place < count; place++)
    children[place] = children[place + 1];
  *status = unknown_status();
  return child;
}

int wait4(int process, int *status, int options, void *usage) {
  (void)options;
  int ended;
  int child = take_child(process, &ended);
  if (child > 0 && status != NULL)
    *status = ended;
  if (child > 0 && usage != NULL)
    memset(usage, 0, USAGE);
  return child;
}
int wait3(int *status, int options, void *usage) { return wait4(-1, status, options, usage); }
int waitpid(int process, int *status, int options) { return wait4(process, status, options, NULL); }
int wait(int *status) { return wait4(-1, status, 0, NULL); }

/* glibc's siginfo_t of a child on x86_64, as far as it is told. */
struct told {
  int signal, error, code, unused, process;
  unsigned user;
  int status;
};

int waitid(int kind, unsigned id, void *info, int options) {
  enum { ANY, ONE, EXITED = 1, KILLED, DUMPED, LEAVES = 0x1000000 };
  if ((options & LEAVES) != 0)
    return fail(EINVAL);
  int status, child = take_child(kind == ONE ? (int)id : -1, &status);
  if (child < 0)
    return -1;
  if (info != NULL) {
    struct told told = {.signal = CHILD_SIGNAL, .process = child, .user = 1000};
    bool exited = (status & 127) == 0;
    told.code = exited ? EXITED : (status & 128) != 0 ? DUMPED : KILLED;
    told.status = exited ? status >> 8 : status & 127;
    memset(info, 0, 128);
    memcpy(info, &told, sizeof told);
  }
  return 0;
}

/* ---- Other programs ---- */

/* The process becomes another program, if processes are followed. */
static int becomes(const char *path) {
  if (children_followed == 0)
    return (void)path, fail(ENOENT);
  klee_warning_once("exec: the path ends where its process becomes another program, which is not explored");
  _exit(0);
}

int execv(const char *path, char *const *arguments) { return (void)arguments, becomes(path); }
int execvp(const char *path, char *const *arguments) { return (void)arguments, becomes(path); }
int execve(const char *path, char *const *arguments, char *const *environment) {
  return (void)arguments, (void)environment, becomes(path);
}
int execvpe(const char *path, char *const *arguments, char *const *environment) {
  return (void)arguments, (void)environment, becomes(path);
}
int execl(const char *path, const char *argument, ...) { return (void)argument, becomes(path); }
int execlp(const char *path, const char *argument, ...) { return (void)argument, becomes(path); }
int execle(const char *path, const char *argument, ...) { return (void)argument, becomes(path); }
int fexecve(int descriptor, char *const *arguments, char *const *environment) {
  return (void)descriptor, (void)arguments, (void)environment, becomes("");
}

int posix_spawn(int *process, const char *path, const void *actions, const void *attributes,
                char *const *arguments, char *const *environment) {
  (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  int child = started();
  if (child < 0)
    return EAGAIN;
  if (process != NULL)
    *process = child;
  return 0;
}
int posix_spawnp(int *process, const char *path, const void *actions, const void *attributes,
                 char *const *arguments, char *const *environment) {
  return posix_spawn(process, path, actions, attributes, arguments, environment);
}

int system(const char *command) {
  if (command == NULL)
    return children_followed != 0;
  return children_followed == 0 ? fail(EAGAIN) : unknown_status();
}

/* A stream of which the other end is nobody's: what is read is empty, and what is written nobody reads. */
static struct {
  FILE *stream;
  int child;
} streams[MOST_CHILDREN];

FILE *popen(const char *command, const char *mode) {
  (void)command;
  int place = 0, ends[2];
  while (place < MOST_CHILDREN && streams[place].stream != NULL)
    place++;
  if (children_followed == 0 || place == MOST_CHILDREN || pipe(ends) < 0)
    return fail(EAGAIN), NULL;
  bool writes = *mode == 'w';
  close(ends[!writes]);
  int child = started();
  FILE *stream = child < 0 ? NULL : fdopen(ends[writes], writes ? "w" : "r");
  if (stream == NULL) {
    close(ends[writes]);
    return NULL;
  }
  streams[place].stream = stream;
  streams[place].child = child;
  return stream;
}

int pclose(FILE *stream) {
  for (int i = 0; i < MOST_CHILDREN; i++)
    if (stream != NULL && streams[i].stream == stream) {
      streams[i].stream = NULL;
      fclose(stream);
      int status;
      return take_child(streams[i].child, &status) < 0 ? -1 : status;
    }
  return fail(ECHILD);
}

/* ---- What is said of a program before it starts ---- */

int posix_spawn_file_actions_init(void *actions) { return (void)actions, 0; }
int posix_spawn_file_actions_destroy(void *actions) { return (void)actions, 0; }
int posix_spawn_file_actions_adddup2(void *actions, int old, int new) {
  return (void)actions, (void)old, (void)new, 0;
}
int posix_spawn_file_actions_addclose(void *actions, int descriptor) {
  return (void)actions, (void)descriptor, 0;
}
int posix_spawn_file_actions_addopen(void *actions, int descriptor, const char *path, int flags, unsigned mode) {
  return (void)actions, (void)descriptor, (void)path, (void)flags, (void)mode, 0;
}
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path) { return (void)actions, (void)path, 0; }
int posix_spawn_file_actions_addfchdir_np(void *actions, int descriptor) {
  return (void)actions, (void)descriptor, 0;
}
int posix_spawnattr_init(void *attributes) { return (void)attributes, 0; }
int posix_spawnattr_destroy(void *attributes) { return (void)attributes, 0; }
int posix_spawnattr_setpgroup(void *attributes, int group) { return (void)attributes, (void)group, 0; }
int posix_spawnattr_setschedparam(void *attributes, const int *priority) { return (void)attributes, (void)priority, 0; }
int posix_spawnattr_setschedpolicy(void *attributes, int policy) { return (void)attributes, (void)policy, 0; }
int posix_spawnattr_setflags(void *attributes, short flags) { return (void)attributes, (void)flags, 0; }
int posix_spawnattr_setsigmask(void *attributes, const void *set) { return (void)attributes, (void)set, 0; }
int posix_spawnattr_setsigdefault(void *attributes, const void *set) { return (void)attributes, (void)set, 0; }
