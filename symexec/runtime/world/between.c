/* What processes share and send each other beside files and pipes: System V's and POSIX's queues of messages, System V's
 * memory and semaphores. There are none, as in a kernel that was built without them. */
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

int semtimedop(int set, void *operations, size_t count, const void *span) {
  return (void)span, semop(set, operations, count);
}

int mq_open(const char *name, int flags, ...) { return (void)name, (void)flags, fail(ENOSYS); }
/* No descriptor is a queue. */
static int no_queue(void) { return fail(EBADF); }
int mq_close(int queue) { return (void)queue, no_queue(); }
int mq_getattr(int queue, void *to) { return (void)queue, (void)to, no_queue(); }
int mq_setattr(int queue, const void *from, void *before) { return (void)queue, (void)from, (void)before, no_queue(); }
int mq_notify(int queue, const void *event) { return (void)queue, (void)event, no_queue(); }
int mq_send(int queue, const char *from, size_t size, unsigned priority) {
  return (void)queue, (void)from, (void)size, (void)priority, no_queue();
}
int mq_timedsend(int queue, const char *from, size_t size, unsigned priority, const void *until) {
  return (void)until, mq_send(queue, from, size, priority);
}
ptrdiff_t mq_receive(int queue, char *to, size_t size, unsigned *priority) {
  return (void)queue, (void)to, (void)size, (void)priority, no_queue();
}
ptrdiff_t mq_timedreceive(int queue, char *to, size_t size, unsigned *priority, const void *until) {
  return (void)until, mq_receive(queue, to, size, priority);
}
int mq_unlink(const char *name) { return (void)name, fail(ENOSYS); }
