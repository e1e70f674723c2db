//! Calls of the system that few programs make: by names, by numbers, and for administrators.

use crate::world::{holds, run};

#[test]
fn memory_and_semaphores_are_shared_by_their_names() {
    holds(
        "errno = 0; klee_assert(shm_open(\"/a/b\", O_RDWR, 0600) == -1 && errno == EINVAL && shm_unlink(\"/\") == -1);\n\
         errno = 0; klee_assert(shm_open(\"/x\", O_RDWR, 0600) == -1 && errno == ENOENT);\n\
         int f = shm_open(\"/x\", O_RDWR | O_CREAT | O_EXCL, 0600); klee_assert(f > 2 && ftruncate(f, 100) == 0);\n\
         errno = 0; klee_assert(shm_open(\"x\", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);\n\
         char *m = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0); klee_assert(m != MAP_FAILED); m[99] = 7;\n\
         int g = shm_open(\"//x\", O_RDONLY, 0); char c; klee_assert(pread(g, &c, 1, 99) == 1 && c == 7);\n\
         klee_assert(shm_unlink(\"/x\") == 0 && m[99] == 7 && shm_unlink(\"/x\") == -1 && errno == ENOENT);\n\
         errno = 0; klee_assert(sem_open(\"/s\", 0) == SEM_FAILED && errno == ENOENT);\n\
         sem_t *s = sem_open(\"/s\", O_CREAT, 0600, 1), *t = sem_open(\"/s\", O_CREAT, 0600, 9); int v;\n\
         klee_assert(s && s == t && sem_wait(s) == 0 && sem_trywait(t) == -1 && sem_post(t) == 0 && sem_getvalue(s, &v) == 0 && v == 1);\n\
         errno = 0; klee_assert(sem_open(\"/s\", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);\n\
         klee_assert(sem_unlink(\"/s\") == 0 && sem_unlink(\"/s\") == -1 && sem_post(s) == 0);\n\
         t = sem_open(\"/s\", O_CREAT, 0600, 0); klee_assert(t != s && sem_trywait(t) == -1 && sem_trywait(s) == 0);\n\
         klee_assert(sem_close(s) == 0 && sem_close(s) == 0 && sem_close(s) == -1 && errno == EINVAL && sem_close(t) == 0);",
    );
}

#[test]
fn a_line_that_is_not_there_is_a_line_as_in_glibc() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int main(void) { char *p = getpass(\"? \"), *q = getpass(\"? \"); klee_assert(p == q && q[0] == 0);\n\
         char *line = 0; size_t room = 0; klee_assert(getline(&line, &room, stdin) == -1 && line != 0 && room == 120);\n\
         free(line); return 0; }";
    let ran = run(&folder, body, &["--", "--sym-stdin", "0"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
    let body = "int main(void) { char a[3]; klee_assert(fgets(a, 3, stdin)); char *p = getpass(\"? \");\n\
         klee_assert(strlen(p) + strlen(a) < 5); return 0; }";
    let ran = run(&folder, body, &["--", "--sym-stdin", "4"]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
}

#[test]
fn what_only_an_administrator_may_do_is_refused() {
    let body = "#include <pwd.h>\n#include <sys/io.h>\n#include <sys/fsuid.h>\n#include <sys/klog.h>\n#include <sys/swap.h>\n#include <sys/reboot.h>\n\
         int main(void) {\n\
         errno = 0; klee_assert(ioperm(0x80, 1, 1) == -1 && errno == EPERM && ioperm(0x80, 1, 0) == 0);\n\
         errno = 0; klee_assert(ioperm(65535, 2, 0) == -1 && errno == EINVAL && iopl(0) == 0);\n\
         errno = 0; klee_assert(iopl(3) == -1 && errno == EPERM && iopl(4) == -1 && errno == EINVAL);\n\
         char who[9] = \"?\"; klee_assert(cuserid(0) == 0 && cuserid(who) == who && *who == 0 && getpwuid(1000) == 0);\n\
         klee_assert(setfsuid(0) == 1000 && setfsgid(0) == 1000 && group_member(1000) && !group_member(0));\n\
         errno = 0; klee_assert(klogctl(3, 0, 0) == -1 && errno == EPERM && swapoff(\"/\") == -1);\n\
         errno = 0; klee_assert(reboot(0x1234567) == -1 && errno == EPERM && vhangup() == -1); return 0; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn the_kernel_answers_simple_calls_by_their_numbers() {
    let body = "#include <sys/syscall.h>\n#include <execinfo.h>\n\
         int main(void) {\n\
         klee_assert(syscall(SYS_getpid) == getpid() && syscall(SYS_gettid) == gettid() && gettid() == getpid());\n\
         int f = syscall(SYS_open, \"f\", O_RDWR | O_CREAT, 0600); klee_assert(f > 2 && syscall(SYS_write, f, \"xy\", 2) == 2);\n\
         char b[3] = \"\"; klee_assert(lseek(f, 0, SEEK_SET) == 0 && syscall(SYS_read, f, b, 3) == 2 && !strcmp(b, \"xy\"));\n\
         klee_assert(syscall(SYS_close, f) == 0 && syscall(SYS_close, f) == -1 && errno == EBADF);\n\
         klee_assert(syscall(SYS_getrandom, b, 2, 0) == 2 && syscall(SYS_sched_yield) == 0);\n\
         errno = 0; klee_assert(syscall(SYS_kcmp, 0, 0, 0, 0, 0) == -1 && errno == ENOSYS);\n\
         void *where[2] = {(void *)16, 0}; char **said = backtrace_symbols(where, 2);\n\
         klee_assert(!strcmp(said[0], \"[0x10]\") && said[1] && backtrace(where, 2) == 0); free(said);\n\
         Dl_info about; klee_assert(dladdr(where, &about) == 0);\n\
         char name[] = \"a-XXXXXX.c\"; klee_assert(mkstemps64(name, 2) > 2 && name[9] == 'c' && name[2] != 'X'); return 0; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}
