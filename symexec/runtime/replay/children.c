/* Processes of a test that follows them (--follow-fork), for a program that runs natively: none is made. The test says
 * what fork returns and how a child ended, as in the engine's model (runtime/world/children.c), and a process that would
 * become another program ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <klee/klee.h>

enum { MOST = 64, FIRST = 4243 };

static int children[MOST], count, next_process = FIRST;

static int fail(int error) {
  errno = error;
  return -1;
}

static int input(const char *name) {
  int number;
  klee_make_symbolic(&number, sizeof number, name);
  return number;
}

static int new_child(void) { return count == MOST ? fail(EAGAIN) : (children[count++] = next_process++); }

int replay_comes_next(const char *name);

/* One that becomes another program at once. Tests of runs from before `spawn_result` do not have it. */
static int started(void) {
  int child = new_child();
  if (child > 0 && replay_comes_next("spawn_result"))
    input("spawn_result");
  return child;
}

int fork(void) {
  int child = new_child();
  if (child < 0)
    return -1;
  if (input("fork_result") != 0)
    return child;
  count = 0;
  return 0;
}
/* A declaration of the system's would not let it be called twice. */
int vfork(void) __attribute__((alias("fork")));

pid_t wait4(pid_t process, int *status, int options, struct rusage *usage) {
  (void)options;
  int place = 0;
  while (process > 0 && place < count && children[place] != process)
    place++;
  if (place >= count)
    return fail(ECHILD);
  int child = children[place];
  memmove(children + place, children + place + 1, (size_t)(--count - place) * sizeof *children);
  int ended = input("wait_status");
  if (status != NULL)
    *status = ended;
  if (usage != NULL)
    memset(usage, 0, sizeof *usage);
  return child;
}
pid_t wait3(int *status, int options, struct rusage *usage) { return wait4(-1, status, options, usage); }
pid_t waitpid(pid_t process, int *status, int options) { return wait4(process, status, options, NULL); }
pid_t wait(int *status) { return wait4(-1, status, 0, NULL); }

int waitid(idtype_t kind, id_t id, siginfo_t *info, int options) {
  int status, child = wait4(kind == P_PID ? (pid_t)id : -1, &status, options, NULL);
  if (child < 0)
    return -1;
  if (info != NULL) {
    memset(info, 0, sizeof *info);
    info->si_signo = SIGCHLD;
    info->si_pid = child;
    info->si_uid = 1000;
    info->si_code = WIFEXITED(status) ? CLD_EXITED : WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
    info->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  }
  return 0;
}

/* A child is there until it was waited for. */
int kill(pid_t process, int number) {
  for (int i = 0; i < count; i++)
    if (children[i] == process)
      return 0;
  return process >= FIRST && process < next_process ? fail(ESRCH) : (int)syscall(SYS_kill, process, number);
}

static int becomes(const char *program) {
  fflush(NULL);
  fprintf(stderr, "replay: the process would become %s\n", program);
  _exit(0);
}
int execv(const char *path, char *const arguments[]) { return (void)arguments, becomes(path); }
int execvp(const char *path, char *const arguments[]) { return (void)arguments, becomes(path); }
int execve(const char *path, char *const arguments[], char *const environment[]) {
  return (void)arguments, (void)environment, becomes(path);
}
int execvpe(const char *path, char *const arguments[], char *const environment[]) {
  return (void)arguments, (void)environment, becomes(path);
}
int execl(const char *path, const char *argument, ...) { return (void)argument, becomes(path); }
int execlp(const char *path, const char *argument, ...) { return (void)argument, becomes(path); }
int execle(const char *path, const char *argument, ...) { return (void)argument, becomes(path); }
int fexecve(int descriptor, char *const arguments[], char *const environment[]) {
  return (void)descriptor, (void)arguments, (void)environment, becomes("a program");
}

int posix_spawn(pid_t *process, const char *path, const void *actions, const void *attributes, char *const arguments[],
                char *const environment[]) {
  (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  int child = started();
  if (child < 0)
    return EAGAIN;
  if (process != NULL)
    *process = child;
  return 0;
}
int posix_spawnp(pid_t *process, const char *path, const void *actions, const void *attributes, char *const arguments[],
                 char *const environment[]) {
  return posix_spawn(process, path, actions, attributes, arguments, environment);
}
int system(const char *command) { return command == NULL ? 1 : input("wait_status"); }

static struct {
  FILE *stream;
  int child;
} streams[MOST];

FILE *popen(const char *command, const char *mode) {
  (void)command;
  int place = 0;
  while (place < MOST && streams[place].stream != NULL)
    place++;
  int child = place == MOST ? fail(EAGAIN) : started();
  if (child < 0)
    return NULL;
  streams[place].child = child;
  return streams[place].stream = fopen("/dev/null", *mode == 'w' ? "w" : "r");
}
int pclose(FILE *stream) {
  for (int i = 0; i < MOST; i++)
    if (stream != NULL && streams[i].stream == stream) {
      streams[i].stream = NULL;
      fclose(stream);
      int status;
      return wait4(streams[i].child, &status, 0, NULL) < 0 ? -1 : status;
    }
  return fail(ECHILD);
}
