/* What processes share and send each other beside files and pipes: System V's and POSIX's queues of messages, memory and
 * semaphores with names. There are none, as in a kernel that was built without them. */
#include "../source/runtime.h"

enum { ENOSYS = 38 };

static int fail(int error) {
  errno = error;
  return -1;
}

int access(const char *path, int mode);

/* What is derived from a file's number and volume, which are one here. */
int ftok(const char *path, int number) {
  return access(path, 0) < 0 ? -1 : (int)(((unsigned)number & 255) << 24 | 0x10001);
}

int msgget(int key, int flags) { return (void)key, (void)flags, fail(ENOSYS); }
int msgctl(int queue, int command, void *about) { return (void)queue, (void)command, (void)about, fail(ENOSYS); }
int msgsnd(int queue, const void *message, size_t size, int flags) {
  return (void)queue, (void)message, (void)size, (void)flags, fail(ENOSYS);
}
long msgrcv(int queue, void *message, size_t size, long type, int flags) {
  return (void)queue, (void)message, (void)size, (void)type, (void)flags, fail(ENOSYS);
}

int shmget(int key, size_t size, int flags) { return (void)key, (void)size, (void)flags, fail(ENOSYS); }
int shmctl(int segment, int command, void *about) {
  return (void)segment, (void)command, (void)about, fail(ENOSYS);
}
void *shmat(int segment, const void *place, int flags) {
  return (void)segment, (void)place, (void)flags, (void *)(long)fail(ENOSYS);
}
int shmdt(const void *place) { return (void)place, fail(EINVAL); }

int semget(int key, int count, int flags) { return (void)key, (void)count, (void)flags, fail(ENOSYS); }
int semctl(int set, int number, int command, ...) {
  return (void)set, (void)number, (void)command, fail(ENOSYS);
}
int semop(int set, void *operations, size_t count) {
  return (void)set, (void)operations, (void)count, fail(ENOSYS);
}

int mq_open(const char *name, int flags, ...) { return (void)name, (void)flags, fail(ENOSYS); }
int mq_unlink(const char *name) { return (void)name, fail(ENOSYS); }
int shm_open(const char *name, int flags, unsigned mode) {
  return (void)name, (void)flags, (void)mode, fail(ENOSYS);
}
int shm_unlink(const char *name) { return (void)name, fail(ENOSYS); }
void *sem_open(const char *name, int flags, ...) { return (void)name, (void)flags, fail(ENOSYS), NULL; }
int sem_unlink(const char *name) { return (void)name, fail(ENOSYS); }
