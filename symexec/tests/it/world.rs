//! The model of the system around a program, as programs see it; jumps across activations; functions that
//! nobody defines.

use tempfile::TempDir;

use crate::program::{Ran, explore_files};

const HEADERS: &str = "#define _GNU_SOURCE\n#include <arpa/inet.h>\n#include <dirent.h>\n#include <dlfcn.h>\n#include <err.h>\n#include <errno.h>\n#include <error.h>\n#include <fcntl.h>\n\
    #include <fnmatch.h>\n#include <sys/types.h>\n#include <sys/stat.h>\n#include <fts.h>\n#include <ftw.h>\n#include <glob.h>\n#include <klee/klee.h>\n#include <langinfo.h>\n#include <libgen.h>\n#include <libintl.h>\n#include <locale.h>\n#include <mntent.h>\n#include <netdb.h>\n#include <poll.h>\n#include <pthread.h>\n#include <regex.h>\n#include <sched.h>\n\
    #include <semaphore.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdio_ext.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <sys/epoll.h>\n#include <sys/ipc.h>\n#include <sys/mman.h>\n#include <sys/msg.h>\n#include <sys/random.h>\n#include <sys/resource.h>\n#include <sys/select.h>\n#include <sys/sem.h>\n#include <sys/shm.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <sys/statfs.h>\n\
    #include <sys/sysmacros.h>\n#include <sys/time.h>\n#include <sys/utsname.h>\n#include <sys/wait.h>\n#include <termios.h>\n#include <time.h>\n\
    #include <unistd.h>\n#include <wchar.h>\n#include <wctype.h>\n";

pub(crate) fn run(folder: &TempDir, body: &str, options: &[&str]) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    std::fs::write(&file, format!("{HEADERS}\n{body}")).unwrap();
    explore_files(folder, &[file], options)
}

/// Every line of a body holds, on one path.
pub(crate) fn holds(body: &str) {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, &format!("int main(void) {{ {body} return 0; }}"), &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{body}\n{}", ran.stderr);
}

#[test]
fn the_locale_is_c() {
    holds(
        "wchar_t w; mbstate_t s = {0}; klee_assert(mbrtowc(&w, \"a\", 1, &s) == 1 && w == L'a' && mbsinit(&s));\n\
         klee_assert(mbrtowc(&w, \"\", 1, &s) == 0 && mbrtowc(&w, \"a\", 0, &s) == (size_t)-2);\n\
         errno = 0; klee_assert(mbrtowc(&w, \"\\x80\", 1, &s) == (size_t)-1 && errno == EILSEQ);\n\
         klee_assert(!strcmp(nl_langinfo(CODESET), \"ANSI_X3.4-1968\") && !strcmp(nl_langinfo(RADIXCHAR), \".\"));\n\
         klee_assert(!strcmp(nl_langinfo(DAY_1), \"Sunday\") && !strcmp(nl_langinfo(ABMON_12), \"Dec\"));\n\
         klee_assert(wcwidth(L'x') == 1 && wcwidth(0) == 0 && wcwidth(7) == -1 && wcswidth(L\"abc\", 3) == 3);\n\
         klee_assert(iswctype(L'7', wctype(\"digit\")) && !iswctype(L'x', wctype(\"digit\")) && iswcntrl(7));\n\
         klee_assert(newlocale(LC_ALL_MASK, \"C\", 0) != 0 && newlocale(LC_ALL_MASK, \"de_DE\", 0) == 0);\n\
         char b[4]; klee_assert(wcrtomb(b, L'z', &s) == 1 && b[0] == 'z');",
    );
}

#[test]
fn time_goes_on_and_dates_are_of_the_calendar() {
    holds(
        "struct timespec a, b; clock_gettime(CLOCK_REALTIME, &a); sleep(2); clock_gettime(CLOCK_REALTIME, &b);\n\
         klee_assert(b.tv_sec - a.tv_sec == 2 && a.tv_sec >= 1700000000); struct timeval v; klee_assert(!gettimeofday(&v, 0));\n\
         time_t t = 951782400; struct tm *d = gmtime(&t); klee_assert(d->tm_year == 100 && d->tm_mon == 1 && d->tm_mday == 29);\n\
         klee_assert(d->tm_wday == 2 && d->tm_yday == 59 && timegm(d) == t); char s[64];\n\
         klee_assert(strftime(s, sizeof s, \"%F %T %a %j %V %p %%\", d) && !strcmp(s, \"2000-02-29 00:00:00 Tue 060 09 AM %\"));\n\
         t = -1; d = gmtime(&t); klee_assert(d->tm_year == 69 && d->tm_mon == 11 && d->tm_mday == 31 && d->tm_sec == 59);\n\
         struct tm m = {.tm_year = 124, .tm_mon = 13, .tm_mday = 1}; klee_assert(mktime(&m) == 1738368000 && m.tm_mon == 1);",
    );
}

#[test]
fn pipes_with_names_are_made_and_devices_are_not() {
    holds(
        "umask(022); struct stat s; char b[4]; klee_assert(mkfifo(\"p\", 0666) == 0 && stat(\"p\", &s) == 0);\n\
         klee_assert(S_ISFIFO(s.st_mode) && (s.st_mode & 07777) == 0644 && mkfifo(\"p\", 0600) == -1 && errno == EEXIST);\n\
         klee_assert(open(\"p\", O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO); int f = open(\"p\", O_RDONLY);\n\
         klee_assert(f >= 0 && read(f, b, 4) == 0 && lseek(f, 0, SEEK_SET) == -1 && errno == ESPIPE);\n\
         klee_assert(mkfifo(\"missing/p\", 0600) == -1 && errno == ENOENT && mkfifo(\"\", 0600) == -1 && errno == ENOENT);\n\
         klee_assert(mknod(\"n\", S_IFREG | 0600, 0) == 0 && stat(\"n\", &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 0);\n\
         klee_assert(mknod(\"s\", S_IFSOCK | 0600, 0) == 0 && open(\"s\", O_RDONLY) == -1 && errno == ENXIO);\n\
         klee_assert(mknod(\"c\", S_IFCHR | 0600, makedev(1, 3)) == -1 && errno == EPERM && stat(\"c\", &s) == -1);\n\
         klee_assert(mknod(\"n\", S_IFBLK | 0600, 7) == -1 && errno == EEXIST && unlink(\"p\") == 0);\n\
         klee_assert(fsync(1) == 0 && fsync(99) == -1 && errno == EBADF);",
    );
}

#[test]
fn descriptors_are_duplicated_and_files_renamed_and_listed() {
    holds(
        "int f = open(\"a\", O_RDWR | O_CREAT, 0600); klee_assert(f == 3 && write(f, \"hello\", 5) == 5);\n\
         int g = fcntl(f, F_DUPFD, 10); klee_assert(g == 10 && (fcntl(g, F_GETFL) & O_ACCMODE) == O_RDWR);\n\
         char b[8] = {0}; klee_assert(pread(g, b, 8, 1) == 4 && !strcmp(b, \"ello\") && lseek(g, 0, SEEK_CUR) == 5);\n\
         klee_assert(rename(\"a\", \"b\") == 0 && access(\"a\", F_OK) == -1 && access(\"b\", F_OK) == 0);\n\
         DIR *d = opendir(\".\"); struct dirent *e; int seen = 0; while ((e = readdir(d))) seen += !strcmp(e->d_name, \"b\");\n\
         klee_assert(seen == 1 && closedir(d) == 0 && opendir(\"b\") == 0 && errno == ENOTDIR);\n\
         int p[2]; klee_assert(pipe(p) == 0 && write(p[1], \"xy\", 2) == 2 && read(p[0], b, 8) == 2 && b[1] == 'y');\n\
         klee_assert(getcwd(b, sizeof b) == b && !strcmp(b, \"/work\") && posix_fadvise(f, 0, 0, 0) == 0);\n\
         char n[] = \"tXXXXXX\"; int t = mkstemp(n); klee_assert(t >= 0 && access(n, F_OK) == 0 && mkdir(\"b\", 0700) == -1 && errno == EEXIST);\n\
         void *m = mmap(0, 100, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); klee_assert(((char *)m)[99] == 0);\n\
         klee_assert(munmap(m, 100) == 0 && fcntl(99, F_GETFD) == -1 && errno == EBADF);\n\
         char *r = realpath(\"./b\", 0); klee_assert(!strcmp(r, \"/work\" \"/b\") && readlink(\"b\", b, 8) == -1 && errno == EINVAL);",
    );
}

#[test]
fn patterns_match_names() {
    for (pattern, text, flags, matches) in [
        ("*.c", "a.c", "0", true),
        ("*.c", ".c", "FNM_PERIOD", false),
        ("a?c", "abc", "0", true),
        ("[a-c]*", "cde", "0", true),
        ("[!a-c]*", "cde", "0", false),
        ("*", "a/b", "FNM_PATHNAME", false),
        ("*/b", "a/b", "FNM_PATHNAME", true),
        ("A*", "abc", "FNM_CASEFOLD", true),
        ("\\\\*", "*", "0", true),
        ("*a*b*", "xxaxxbx", "0", true),
        ("*a*b", "xxaxxbx", "0", false),
    ] {
        holds(
            &format!("klee_assert((fnmatch(\"{pattern}\", \"{text}\", {flags}) == 0) == {matches});")
                .replace("true", "1")
                .replace("false", "0"),
        );
    }
}

#[test]
fn there_is_one_process_and_signals_are_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let body = "static int caught; static void on(int n) { caught = n; }\n\
         int main(void) { struct sigaction a = {.sa_handler = on}, old;\n\
         klee_assert(sigaction(SIGUSR1, &a, &old) == 0 && old.sa_handler == SIG_DFL && raise(SIGUSR1) == 0 && caught == SIGUSR1);\n\
         sigset_t s; sigemptyset(&s); sigaddset(&s, SIGINT); klee_assert(sigismember(&s, SIGINT) == 1 && !sigismember(&s, SIGHUP));\n\
         klee_assert(fork() == -1 && waitpid(-1, 0, 0) == -1 && errno == ECHILD && execvp(\"x\", 0) == -1 && errno == ENOENT);\n\
         klee_assert(signal(SIGINT, SIG_IGN) == SIG_DFL && kill(getpid(), SIGINT) == 0 && getppid() == 1);\n\
         struct utsname u; klee_assert(uname(&u) == 0 && !strcmp(u.sysname, \"Linux\") && sysconf(_SC_PAGESIZE) == 4096);\n\
         klee_assert(major(makedev(8, 1)) == 8 && minor(makedev(8, 1)) == 1); pthread_mutex_t m; klee_assert(!pthread_mutex_lock(&m));\n\
         char r[4]; klee_assert(getrandom(r, 4, 0) == 4 && __fpending(stdout) == 0); struct rlimit l; klee_assert(!getrlimit(0, &l));\n\
         return 0; }";
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn passwords_are_nobodys_to_read_and_names_of_domains_are_expanded() {
    let folder = tempfile::tempdir().unwrap();
    let body = "#include <malloc.h>\n#include <resolv.h>\n#include <shadow.h>\n\
        int main(void) { struct spwd e, *r = &e; char t[99]; errno = 0; klee_assert(getspent() == 0 && errno == EACCES);\n\
        setspent(); endspent(); klee_assert(getspnam_r(\"root\", &e, t, sizeof t, &r) == EACCES && r == 0);\n\
        klee_assert(getspent_r(&e, t, sizeof t, &r) == ENOENT && lckpwdf() == -1 && mallinfo().arena >= 0 && mallinfo2().hblks == 0);\n\
        unsigned char m[] = \"\\1a\\3b.c\\0\\2de\\300\\2\";\n\
        klee_assert(dn_expand(m, m + sizeof m, m + 7, t, sizeof t) == 5 && !strcmp(t, \"de.b\\\\.c\") && dn_skipname(m, m + sizeof m) == 7);\n\
        m[11] = 10; errno = 0; klee_assert(dn_expand(m, m + sizeof m, m + 7, t, sizeof t) == -1 && errno == EMSGSIZE); return 0; }";
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn jumps_lead_back_with_their_value() {
    let folder = tempfile::tempdir().unwrap();
    let body = "static jmp_buf here; static int deep(int n) { int local = n; if (n == 0) longjmp(here, 7); return deep(n - 1) + local; }\n\
        int main(void) { volatile int count = 0; int x; klee_make_symbolic(&x, 4, \"x\");\n\
        int value = setjmp(here); count++; if (value == 0) deep(3);\n\
        if (value == 7 && count == 2) longjmp(here, 0); klee_assert(value == 1 && count == 3);\n\
        sigjmp_buf there; int again = sigsetjmp(there, 1); if (again == 0) siglongjmp(there, x);\n\
        klee_assert(again == x || (again == 1 && x == 0)); return 0; }";
    let ran = run(&folder, body, &[]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    let body = "int main(void) { jmp_buf b; memset(b, 0, sizeof b); longjmp(b, 1); }";
    assert_eq!(run(&folder, body, &[]).errors()[0].0, "user");
}

#[test]
fn functions_that_nobody_defines_end_the_path_or_fail() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int strange(int); void *odd(void); void nothing(void);\n\
        int main(void) { errno = 0; klee_assert(strange(3) == -1 && errno == ENOSYS); klee_assert(odd() == 0); nothing(); return 0; }";
    assert_eq!(run(&folder, body, &[]).errors()[0].0, "external");
    let ran = run(&folder, body, &["--undefined", "enosys"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("strange"), "{}", ran.stderr);
}

#[test]
fn the_assembly_of_headers_is_known() {
    holds(
        "unsigned x = 0x12345678, y, a = 0, b, c = 0, d; asm(\"bswap %0\" : \"=r\"(y) : \"0\"(x)); klee_assert(y == 0x78563412);\n\
         asm(\"bsrl %1, %0\" : \"=r\"(y) : \"r\"(x)); klee_assert(y == 28); asm(\"bsfl %1, %0\" : \"=r\"(y) : \"r\"(x)); klee_assert(y == 3);\n\
         unsigned long w = 5ul << 40; asm(\"bsfq %1, %q0\" : \"=r\"(y) : \"rm\"(w)); klee_assert(y == 40);\n\
         asm(\"bsrq %1, %q0\" : \"=r\"(y) : \"rm\"(w)); klee_assert(y == 42);\n\
         asm volatile(\"cpuid\" : \"+a\"(a), \"=b\"(b), \"+c\"(c), \"=d\"(d)); klee_assert(a == 0 && d == 0);\n\
         asm volatile(\"\" : \"+r\"(x)); klee_assert(x == 0x12345678); asm volatile(\"mfence\" ::: \"memory\"); asm volatile(\"\" ::: \"memory\");",
    );
}

#[test]
fn what_is_not_there_says_so_and_is_defined() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int mincore(void *, size_t, unsigned char *); long splice(int, long *, int, long *, size_t, unsigned); int grantpt(int);\n\
        void *mremap(void *, size_t, size_t, int, ...); unsigned arc4random_uniform(unsigned), arc4random(void); void arc4random_buf(void *, size_t);\n\
        size_t confstr(int, char *, size_t); char *mktemp(char *);\n\
        char *ptsname(int); int wcscoll(const wchar_t *, const wchar_t *); int posix_spawn_file_actions_addchdir_np(void *, const char *);\n\
        int main(void) { unsigned char there; klee_assert(mincore(&there, 1, &there) == -1 && errno == ENOSYS);\n\
        klee_assert(splice(0, 0, 1, 0, 1, 0) == -1 && errno == EINVAL && grantpt(0) == -1 && ptsname(0) == 0 && errno == ENOTTY);\n\
        char path[99], name[] = \"tXXXXXX\", *pages = mmap(0, 4096, 3, 0x22, -1, 0); unsigned drawn; pages[5] = 7;\n\
        klee_assert(confstr(0, path, 5) == 14 && !strcmp(path, \"/bin\") && strlen(mktemp(name)) == 7 && access(name, 0) == -1);\n\
        pages = mremap(pages, 4096, 8192, 1); klee_assert(pages[5] == 7 && pages[8191] == 0 && arc4random_uniform(3) < 3);\n\
        arc4random_buf(&drawn, 4); klee_assert(arc4random() != drawn);\n\
        klee_assert(wcscoll(L\"a\", L\"b\") < 0 && posix_spawn_file_actions_addchdir_np(0, \"/\") == 0); return 0; }";
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn error_prints_and_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int main(void) { error(0, 0, \"first %d\", 1); klee_assert(error_message_count == 1);\n\
        error(3, ENOENT, \"second\"); klee_assert(0); }";
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn a_folder_is_opened_listed_and_told_of() {
    holds(
        "struct stat s, t; klee_assert(!stat(\".\", &s) && S_ISDIR(s.st_mode) && !stat(\"../work\" \"/\", &t) && t.st_ino == s.st_ino);\n\
         close(open(\"a\", O_CREAT | O_WRONLY, 0600)); close(open(\"b\", O_CREAT | O_WRONLY, 0600));\n\
         klee_assert(!stat(\"/work\" \"/a\", &s) && !stat(\"./b\", &t) && s.st_ino != t.st_ino && S_ISREG(s.st_mode) && s.st_uid == getuid());\n\
         klee_assert(open(\".\", O_RDWR) == -1 && errno == EISDIR && open(\"a\", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);\n\
         int d = open(\"/work\", O_RDONLY | O_DIRECTORY); char c; klee_assert(read(d, &c, 1) == -1 && errno == EISDIR);\n\
         klee_assert(!fstat(d, &s) && S_ISDIR(s.st_mode) && !fchdir(d) && !fstatat(d, \"a\", &t, 0));\n\
         DIR *l = fdopendir(d); int n = 0; struct dirent *e; while ((e = readdir(l))) n++; klee_assert(n == 4 && dirfd(l) == d);\n\
         klee_assert(!closedir(l) && fcntl(d, F_GETFD) == -1 && !stat(\"/dev/null\", &s) && S_ISCHR(s.st_mode));\n\
         struct dirent **names; klee_assert(scandir(\".\", &names, 0, alphasort) == 4 && !strcmp(names[3]->d_name, \"b\"));\n\
         glob_t g; klee_assert(!glob(\"[[:lower:]]\", 0, 0, &g) && g.gl_pathc == 2 && !strcmp(g.gl_pathv[1], \"b\"));\n\
         struct statfs f; klee_assert(!statfs(\".\", &f) && f.f_bsize == 4096 && statfs(\"none\", &f) == -1 && errno == ENOENT);\n\
         struct statx x; klee_assert(!statx(AT_FDCWD, \"a\", 0, STATX_ALL, &x) && S_ISREG(x.stx_mode) && x.stx_size == 0);\n\
         FILE *m = setmntent(\"/etc/mtab\", \"r\"); struct mntent *o = getmntent(m);\n\
         klee_assert(!strcmp(o->mnt_dir, \"/\") && hasmntopt(o, \"rw\"));\n\
         int others = 0; while ((o = getmntent(m))) others += o->mnt_dir[1] != 0; klee_assert(others == 4 && endmntent(m) == 1);\n\
         char p[] = \"/x/y//\"; klee_assert(!strcmp(dirname(p), \"/x\")); char q[] = \"z/\"; klee_assert(!strcmp(__xpg_basename(q), \"z\"));",
    );
}

#[test]
fn there_is_no_network_but_addresses_have_their_texts() {
    holds(
        "klee_assert(socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EAFNOSUPPORT && bind(0, 0, 0) == -1 && errno == ENOTSOCK);\n\
         struct addrinfo *a; klee_assert(getaddrinfo(\"h\", 0, 0, &a) == EAI_AGAIN && !gethostbyname(\"h\") && h_errno == TRY_AGAIN);\n\
         unsigned char b[16]; char t[64];\n\
         klee_assert(inet_pton(AF_INET, \"10.2.0.255\", b) == 1 && b[3] == 255 && !inet_pton(AF_INET, \"1.2.3\", b));\n\
         klee_assert(!inet_pton(AF_INET, \"1.2.3.256\", b) && !inet_pton(AF_INET, \"01.2.3.4\", b) && !inet_pton(AF_INET6, \"1::2::3\", b));\n\
         const char *v6[] = {\"::\", \"::1\", \"1::\", \"fe80::1:0:0:2\", \"1:2:3:4:5:6:7:8\", \"::ffff:1.2.3.4\", \"1:0:2::\"};\n\
         for (int i = 0; i < 7; i++) klee_assert(inet_pton(AF_INET6, v6[i], b) == 1 && !strcmp(inet_ntop(AF_INET6, b, t, 64), v6[i]));\n\
         struct in_addr d; klee_assert(inet_aton(\"127.1\", &d) && !strcmp(inet_ntoa(d), \"127.0.0.1\") && inet_addr(\"0x7f.0.0.010\") == htonl(0x7f000008));",
    );
}

#[test]
fn descriptors_are_ready_and_nothing_is_waited_for() {
    holds(
        "struct pollfd p[2] = {{0, POLLIN | POLLOUT, 0}, {99, POLLIN, 0}};\n\
         klee_assert(poll(p, 2, 0) == 2 && p[0].revents == POLLIN && p[1].revents == POLLNVAL);\n\
         fd_set r, w; FD_ZERO(&r); FD_ZERO(&w); FD_SET(0, &r); FD_SET(1, &r); FD_SET(1, &w); struct timeval v = {1, 0};\n\
         klee_assert(select(2, &r, &w, 0, &v) == 2 && FD_ISSET(0, &r) && !FD_ISSET(1, &r) && FD_ISSET(1, &w));\n\
         klee_assert(epoll_create1(0) == -1 && errno == ENOSYS && popen(\"ls\", \"r\") == 0 && dlopen(\"x\", RTLD_NOW) == 0 && dlerror());\n\
         cpu_set_t c; klee_assert(!sched_getaffinity(0, sizeof c, &c) && CPU_COUNT(&c) == 1);\n\
         pthread_key_t k; klee_assert(!pthread_key_create(&k, 0) && !pthread_setspecific(k, &k) && pthread_getspecific(k) == &k);\n\
         struct termios s = {0}; klee_assert(!cfsetospeed(&s, B9600) && cfgetospeed(&s) == B9600 && cfgetispeed(&s) == B9600);",
    );
}

#[test]
fn processes_share_nothing_but_files_and_pipes() {
    holds(
        "klee_assert(ftok(\"/tmp\", 3) == ftok(\"/tmp\", 3) && ftok(\"/tmp\", 3) != ftok(\"/tmp\", 4) && ftok(\"/none\", 3) == -1);\n\
         char b[8]; klee_assert(msgget(1, 0600) == -1 && errno == ENOSYS && msgsnd(0, b, 1, 0) == -1 && msgrcv(0, b, 1, 0, 0) == -1);\n\
         errno = 0; klee_assert(shmget(1, 8, 0600) == -1 && errno == ENOSYS && shmat(0, 0, 0) == (void *)-1 && shmdt(b) == -1);\n\
         errno = 0; klee_assert(semget(1, 1, 0600) == -1 && errno == ENOSYS && semctl(0, 0, 0) == -1 && semop(0, 0, 1) == -1);",
    );
}

#[test]
fn names_for_a_while_are_new() {
    holds(
        "char one[L_tmpnam]; klee_assert(tmpnam(one) == one && !strncmp(one, P_tmpdir \"/\", 5) && access(one, F_OK) == -1);\n\
         FILE *f = fopen(one, \"w\"); klee_assert(f && !fclose(f)); char *two = tmpnam(0); klee_assert(two && strcmp(one, two));\n\
         char *three = tempnam(\"/dev\", \"prefixed\"), *four = tempnam(\"/none\", 0);\n\
         klee_assert(three && !strncmp(three, \"/dev/prefi\", 10) && strlen(three) == 16 && four && !strncmp(four, P_tmpdir \"/file\", 9));\n\
         klee_assert(access(three, F_OK) == -1 && access(four, F_OK) == -1); free(three); free(four); klee_assert(!remove(one));",
    );
}

#[test]
fn messages_are_not_translated_and_dates_are_read() {
    holds(
        "klee_assert(!strcmp(gettext(\"a\"), \"a\") && !strcmp(ngettext(\"one\", \"many\", 2), \"many\") && !strcmp(textdomain(\"p\"), \"p\"));\n\
         klee_assert(!strcmp(textdomain(0), \"p\") && bindtextdomain(\"p\", \"/x\")); warnx(\"w %d\", 1); errno = ENOENT; warn(\"v\");\n\
         struct tm d = {0}; char *e = strptime(\"Tue Feb 29 13:04:05 2000 rest\", \"%c\", &d);\n\
         klee_assert(e && !strcmp(e, \" rest\") && timegm(&d) == 951829445 && d.tm_yday == 59 && d.tm_wday == 2);\n\
         memset(&d, 0, sizeof d); klee_assert(strptime(\"12 pm\", \"%I %p\", &d) && d.tm_hour == 12 && !strptime(\"32\", \"%d\", &d));\n\
         time_t t = 951829445; klee_assert(!strcmp(ctime(&t), \"Tue Feb 29 13:04:05 2000\\n\"));\n\
         klee_assert(strverscmp(\"a9\", \"a10\") < 0 && strverscmp(\"000\", \"00\") < 0 && strverscmp(\"01\", \"010\") < 0);\n\
         klee_assert(strverscmp(\"09\", \"0\") < 0 && strverscmp(\"no\", \"no\") == 0 && strverscmp(\"item#99\", \"item#100\") < 0);",
    );
}

#[test]
fn regular_expressions_match_unknown_texts() {
    let body = "int main(void) { char s[4]; klee_make_symbolic(s, sizeof s, \"s\"); klee_assume(s[3] == 0); regex_t r; regmatch_t m[2];\n\
         klee_assert(!regcomp(&r, \"^a(b+|[[:digit:]])$\", REG_EXTENDED)); int found = !regexec(&r, s, 2, m, 0);\n\
         int wanted = s[0] == 'a' & (((s[1] >= '0') & (s[1] <= '9') & (s[2] == 0)) | ((s[1] == 'b') & ((s[2] == 0) | (s[2] == 'b'))));\n\
         klee_assert(found == wanted); if (found) klee_assert(m[0].rm_so == 0 && m[1].rm_so == 1 && m[1].rm_eo == strlen(s));\n\
         regfree(&r); return found; }";
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, body, &[]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    assert!(ran.result("completed") >= 4, "{}", ran.stderr);
}

/// What Debian's programs call, by their tables of symbols, and the runtime did not have.
#[test]
fn what_programs_call_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let body = "#include <obstack.h>\n#include <search.h>\n#include <semaphore.h>\n#include <sys/auxv.h>\n#include <gnu/libc-version.h>\n#include <malloc.h>\n\
        #define obstack_chunk_alloc malloc\n#define obstack_chunk_free free\n\
        static int by(const void *a, const void *b) { return strcmp(a, b); }\n\
        int main(void) { FILE *t = tmpfile(); char s[4], *m; size_t n; klee_make_symbolic(s, sizeof s, \"s\"); klee_assume(s[3] == 0);\n\
        klee_assert(fwrite(s, 1, 4, t) == 4 && fseek(t, 1, SEEK_SET) == 0 && fgetc(t) == (unsigned char)s[1] && !fclose(t));\n\
        FILE *o = open_memstream(&m, &n); fwrite(s, 1, 3, o); fprintf(o, \"%d\", 7); fclose(o); klee_assert(n == 4 && m[2] == s[2] && m[3] == '7'); free(m);\n\
        struct obstack k; obstack_init(&k); for (int i = 0; i < 5000; i++) obstack_1grow(&k, 'a'); char *whole = obstack_finish(&k);\n\
        char *other = obstack_copy0(&k, s, 3); klee_assert(whole[4999] == 'a' && other[1] == s[1]); obstack_free(&k, other); obstack_free(&k, 0);\n\
        void *tree = 0; tsearch(\"b\", &tree, by); tsearch(\"a\", &tree, by); klee_assert(!strcmp(*(char **)tfind(\"a\", &tree, by), \"a\") && !tfind(\"c\", &tree, by));\n\
        struct rlimit64 l; flockfile(stdout); funlockfile(stdout); klee_assert(!getrlimit64(RLIMIT_NOFILE, &l) && getpgid(0) == getpid());\n\
        klee_assert(getauxval(AT_PAGESZ) == 4096 && !strcmp(gnu_get_libc_version(), \"2.36\") && mallinfo2().uordblks == 0 && !sched_yield());\n\
        pthread_barrier_t b; klee_assert(!pthread_barrier_init(&b, 0, 1) && pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);\n\
        char c[8] = \"in\"; FILE *f = fmemopen(c, 2, \"r\"); klee_assert(fgetc(f) == 'i' && fgetc(f) == 'n' && fgetc(f) == EOF && !close_range(5, 9, 0)); return 0; }";
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn trees_of_folders_are_walked() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "static char said[400];\n\
         static int visit(const char *path, const struct stat *s, int type, struct FTW *w) {\n\
           char here[50]; getcwd(here, sizeof here);\n\
           sprintf(said + strlen(said), \"%s %d %d %d %s;\", path, type, w->base, w->level, strrchr(here, '/') + 1);\n\
           return strstr(path, \"stop\") ? 7 : 0; }\n\
         static int plain(const char *path, const struct stat *s, int type) {\n\
           return type == FTW_NS ? 3 : type == FTW_F && S_ISREG(s->st_mode) ? 2 : 0; }\n\
         int main(void) {\n\
           mkdir(\"t\", 0700); mkdir(\"t/a\", 0700); close(creat(\"t/a/f\", 0600)); symlink(\"..\", \"t/a/up\");\n\
           klee_assert(nftw(\"t/\", visit, 5, FTW_PHYS) == 0);\n\
           klee_assert(strstr(said, \"t 1 0 0 work;t/a 1 2 1 work;\") && strstr(said, \"t/a/up 4 4 2 work;\"));\n\
           said[0] = 0; klee_assert(nftw(\"t\", visit, 5, FTW_DEPTH | FTW_CHDIR) == 0);\n\
           klee_assert(!strcmp(said, \"t/a/f 0 4 2 a;t/a 5 2 1 a;t 5 0 0 t;\"));\n\
           klee_assert(ftw(\"t\", plain, 5) == 2 && nftw(\"none\", visit, 5, 0) == -1 && errno == ENOENT);\n\
           close(creat(\"t/stop\", 0600)); klee_assert(nftw(\"t\", visit, 5, 0) == 7); return 0; }",
        &[],
    );
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn trees_of_folders_are_walked_as_on_bsd() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }\n\
         static char said[400];\n\
         static void walk(int options) {\n\
           char *paths[] = {\"t\", 0}; FTS *walk = fts_open(paths, options, by_name); FTSENT *e; said[0] = 0;\n\
           while ((e = fts_read(walk))) {\n\
             sprintf(said + strlen(said), \"%s %s %d %d;\", e->fts_path, e->fts_name, e->fts_info, e->fts_level);\n\
             if (!strcmp(e->fts_name, \"d\")) fts_set(walk, e, FTS_SKIP);\n\
             if (!strcmp(e->fts_name, \"a\") && e->fts_info == FTS_D)\n\
               klee_assert(!strcmp(fts_children(walk, 0)->fts_link->fts_name, \"up\"));\n\
           }\n\
           klee_assert(errno == 0 && fts_close(walk) == 0); }\n\
         int main(void) {\n\
           mkdir(\"t\", 0700); mkdir(\"t/a\", 0700); mkdir(\"t/d\", 0700); close(creat(\"t/d/x\", 0600));\n\
           close(creat(\"t/a/f\", 0600)); symlink(\"..\", \"t/a/up\");\n\
           walk(FTS_PHYSICAL);\n\
           klee_assert(!strcmp(said, \"t t 1 0;t/a a 1 1;t/a/f f 8 2;t/a/up up 12 2;t/a a 6 1;t/d d 1 1;t/d d 6 1;t t 6 0;\"));\n\
           walk(FTS_LOGICAL | FTS_NOCHDIR);\n\
           klee_assert(!strcmp(said, \"t t 1 0;t/a a 1 1;t/a/f f 8 2;t/a/up up 2 2;t/a a 6 1;t/d d 1 1;t/d d 6 1;t t 6 0;\"));\n\
           char *none[] = {\"\", 0}; klee_assert(fts_open(none, FTS_PHYSICAL, 0) == 0 && errno == ENOENT); return 0; }",
        &[],
    );
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn passwords_are_lines_and_locales_do_not_fold_other_letters() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int main(void) { char *p = getpass(\"? \"); klee_assert(p != 0 && strlen(p) < 3);\n\
         locale_t c = newlocale(LC_ALL_MASK, \"C\", 0); klee_assert(!strncasecmp_l(\"aBc\", \"Abd\", 2, c));\n\
         klee_assert(strcasecmp_l(\"a\", \"B\", c) < 0); return p[0] == 'x'; }";
    let ran = run(&folder, body, &["--", "--sym-stdin", "2"]);
    // `x` or another one, a line that ends after it or not, and none.
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    assert!(ran.result("completed") >= 4, "{}", ran.stderr);
}

/// Names of users cost a path each, not one for each letter.
const NAMES: &str = "#include <grp.h>\n#include <pwd.h>\n#include <utmpx.h>\n\
    int main(void) {\n\
      char name[6], copy[4];\n\
      klee_make_symbolic(name, sizeof name, \"name\");\n\
      klee_assume(name[5] == 0);\n\
      struct passwd *user = getpwnam(name);\n\
      if (user == NULL) return 1;\n\
      klee_assert(!strcmp(user->pw_name, name) && getpwuid(user->pw_uid)->pw_uid == user->pw_uid);\n\
      char first = user->pw_gecos[0], texts[40], *end; struct passwd entry, *found;\n\
      user->pw_gecos[0] = 0;\n\
      klee_assert(getpwnam(name)->pw_gecos[0] == first && getpwnam_r(name, &entry, texts, 9, &found) == ERANGE && !found);\n\
      klee_assert(getpwnam_r(name, &entry, texts, sizeof texts, &found) == 0 && found == &entry);\n\
      end = strchr(entry.pw_gecos, ',');\n\
      if (end != NULL) *end = 0;\n\
      klee_assert(getgrnam(name)->gr_gid == user->pw_gid && getpwuid(77) == NULL && getgrgid(77) == NULL);\n\
      memcpy(copy, \"roo\", 4);\n\
      klee_assert(getpwnam(copy) == NULL && getpwnam(\"roott\") == NULL);\n\
      int all = 0, here = 0;\n\
      for (struct utmpx *entry; (entry = getutxent()) != NULL; all++) {\n\
        here += entry->ut_type == USER_PROCESS && !strcmp(entry->ut_user, \"user\");\n\
        klee_assert(entry->ut_tv.tv_sec < time(NULL));\n\
      }\n\
      klee_assert(here == 1 && all > 1);\n\
      setutxent();\n\
      klee_assert(getutxent() != NULL && utmpxname(\"A\") == 0 && getutxent() == NULL);\n\
      setpwent();\n\
      for (all = 0; (user = getpwent()) != NULL; all++) klee_assert(getpwnam(user->pw_name)->pw_uid == user->pw_uid);\n\
      klee_assert(all == 2 && !strcmp(getlogin(), \"user\"));\n\
      return 0;\n\
    }\n";

#[test]
fn users_have_names_where_metadata_are_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, NAMES, &["--", "--sym-metadata"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 3), "{}", ran.stderr);
    let ran = run(&folder, NAMES, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

/// As [`holds`], with headers of its own.
fn holds_with(headers: &str, body: &str) {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, &format!("{headers}int main(void) {{ {body} return 0; }}"), &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{body}\n{}", ran.stderr);
}

#[test]
fn files_have_the_times_that_a_program_gives_them() {
    holds_with(
        "#include <utime.h>\n",
        "{ struct stat s; int f = open(\"f\", O_RDWR | O_CREAT, 0644); struct timespec w[2] = {{5, 6}, {7, 8}}; klee_assert(utimensat(AT_FDCWD, \"f\", w, 0) == 0 && fstat(f, &s) == 0);\n\
         klee_assert(s.st_atim.tv_sec == 5 && s.st_atim.tv_nsec == 6 && s.st_mtim.tv_sec == 7 && s.st_mtim.tv_nsec == 8);\n\
         w[0].tv_nsec = UTIME_OMIT; w[1] = (struct timespec){9, 1}; klee_assert(futimens(f, w) == 0 && stat(\"f\", &s) == 0 && s.st_atime == 5 && s.st_mtime == 9);\n\
         w[0].tv_nsec = UTIME_NOW; klee_assert(futimens(f, w) == 0 && stat(\"f\", &s) == 0 && s.st_atime >= 1700000000 && s.st_mtime == 9); w[1].tv_nsec = -1; errno = 0;\n\
         klee_assert(futimens(f, w) == -1 && errno == EINVAL); struct timeval v[2] = {{1, 2}, {3, 4}}; klee_assert(utimes(\"f\", v) == 0 && stat(\"f\", &s) == 0);\n\
         klee_assert(s.st_atim.tv_nsec == 2000 && s.st_mtim.tv_sec == 3); v[1].tv_usec = 1000000; klee_assert(futimes(f, v) == -1 && errno == EINVAL); struct utimbuf u = {11, 12};\n\
         klee_assert(utime(\"f\", &u) == 0 && lstat(\"f\", &s) == 0 && s.st_atime == 11 && s.st_mtime == 12 && s.st_mtim.tv_nsec == 0); klee_assert(!symlink(\"f\", \"l\") && lutimes(\"l\", 0) == 0);\n\
         klee_assert(!lstat(\"l\", &s) && s.st_mtime >= 1700000000 && !stat(\"l\", &s) && s.st_mtime == 12 && utimes(\"none\", 0) == -1 && errno == ENOENT);\n\
         struct statx x; klee_assert(futimens(f, (struct timespec[]){{5, 6}, {7, 8}}) == 0 && statx(AT_FDCWD, \"f\", 0, STATX_ALL, &x) == 0 && x.stx_mtime.tv_sec == 7 && x.stx_mtime.tv_nsec == 8); }",
    );
}

#[test]
fn room_for_a_file_is_made_at_once() {
    holds(
        "{ struct stat s; int p[2], f = open(\"f\", O_RDWR | O_CREAT, 0644), r = open(\"f\", O_RDONLY); errno = 7; klee_assert(posix_fallocate(f, 4, 6) == 0 && fstat(f, &s) == 0 && s.st_size == 10);\n\
         klee_assert(posix_fallocate(f, 0, 3) == 0 && fallocate(f, FALLOC_FL_KEEP_SIZE, 0, 30) == 0 && fstat(f, &s) == 0 && s.st_size == 10); klee_assert(posix_fallocate(f, 0, 0) == EINVAL && posix_fallocate(r, 0, 9) == EBADF);\n\
         klee_assert(posix_fallocate(99, 0, 9) == EBADF && posix_fallocate(f, 0x7fffffffffffffff, 9) == EFBIG && pipe(p) == 0 && posix_fallocate(p[1], 0, 9) == ESPIPE && errno == 7); klee_assert(fallocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1) == -1 && errno == EOPNOTSUPP); }",
    );
}

#[test]
fn threads_of_c11_have_locks_and_values_of_their_own() {
    holds_with(
        "#include <threads.h>\nstatic int times; static void once(void) { times++; } static int run(void *p) { return p != 0; }\n",
        "{ mtx_t m; cnd_t c; tss_t k; thrd_t t; once_flag f = ONCE_FLAG_INIT; int n; struct timespec w = {0, 1000}, now, end;\n\
         klee_assert(mtx_init(&m, mtx_plain) == thrd_success && mtx_init(&m, 9) == thrd_error && mtx_init(&m, mtx_timed | mtx_recursive) == thrd_success && mtx_lock(&m) == thrd_success);\n\
         klee_assert(mtx_unlock(&m) == thrd_success && mtx_trylock(&m) == thrd_success && cnd_init(&c) == thrd_success && cnd_signal(&c) == thrd_success && cnd_timedwait(&c, &m, &w) == thrd_timedout);\n\
         klee_assert(tss_create(&k, 0) == thrd_success && !tss_get(k) && tss_set(k, &n) == thrd_success && tss_get(k) == &n); tss_delete(k); klee_assert(tss_set(k, 0) == thrd_error);\n\
         call_once(&f, once); call_once(&f, once); klee_assert(times == 1 && thrd_equal(thrd_current(), thrd_current())); klee_assert(thrd_create(&t, run, 0) == thrd_success && thrd_join(t, &n) == thrd_success && n == 0 && thrd_create(&t, run, &m) == thrd_success && thrd_join(t, &n) == thrd_success && n == 1);\n\
         klee_assert(thrd_sleep(&w, 0) == 0); thrd_yield(); cnd_destroy(&c); mtx_destroy(&m); clock_gettime(CLOCK_MONOTONIC, &now); end = now; end.tv_sec += 3;\n\
         klee_assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, 0) == 0 && clock_gettime(CLOCK_MONOTONIC, &w) == 0 && w.tv_sec >= end.tv_sec);\n\
         klee_assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, 0) == 0); w.tv_nsec = -1; klee_assert(clock_nanosleep(CLOCK_REALTIME, 0, &w, 0) == EINVAL && thrd_sleep(&w, 0) < -1); }",
    );
}

#[test]
fn seconds_are_as_wide_as_texts() {
    holds(
        "{ char b[90]; time_t z = 1700000000; struct tm *t = gmtime(&z); strftime(b, 90, \"%12s|%012s|%-12s|%_12s|%s|%3s\", t);\n\
         klee_assert(!strcmp(b, \"  1700000000|001700000000|  1700000000|  1700000000|1700000000|1700000000\"));\n\
         t->tm_year = 60; strftime(b, 90, \"%12s|%012s\", t); klee_assert(!strcmp(b, \"  -288064000|00-288064000\"));  }",
    );
}

#[test]
fn parts_are_read_and_written_at_a_place_and_errors_have_names() {
    holds_with(
        "#include <sys/uio.h>\n",
        "{ int f = open(\"g\", O_RDWR | O_CREAT, 0644); char a[3] = \"ab\", b[3] = \"cd\"; struct iovec v[2] = {{a, 2}, {b, 2}}; klee_assert(write(f, \"0123456789\", 10) == 10 && pwritev64(f, v, 2, 3) == 4 && lseek(f, 0, SEEK_CUR) == 10);\n\
         char r[5] = \"\"; v[0] = (struct iovec){r, 1}; v[1] = (struct iovec){r + 1, 3}; klee_assert(preadv(f, v, 2, 2) == 4 && !strcmp(r, \"2abc\")); }\n\
         { klee_assert(!strcmp(strerrordesc_np(2), \"No such file or directory\") && !strcmp(strerrorname_np(133), \"EHWPOISON\") && !strcmp(strerrorname_np(0), \"0\")); klee_assert(!strerrordesc_np(41) && !strerrorname_np(-1) && !strerrorname_np(134) && !strcmp(strerrorname_np(95), \"EOPNOTSUPP\"));\n\
         klee_assert(!in6addr_any.s6_addr[15] && in6addr_loopback.s6_addr[15] == 1 && !in6addr_loopback.s6_addr[0]); }",
    );
}

#[test]
fn characters_of_every_width_are_those_of_the_locale() {
    holds_with(
        "#include <uchar.h>\n#include <time.h>\n#include <wchar.h>\n#include <errno.h>\n",
        "char32_t c = 0; char16_t d = 0; mbstate_t s = {0}; char b[8];\n\
         klee_assert(mbrtoc32(&c, \"a\", 1, &s) == 1 && c == 'a' && mbrtoc16(&d, \"b\", 1, &s) == 1 && d == 'b');\n\
         klee_assert(mbrtoc32(&c, \"\", 1, &s) == 0 && c == 0 && mbrtoc32(&c, \"a\", 0, &s) == (size_t)-2);\n\
         errno = 0; klee_assert(mbrtoc32(&c, \"\\x80\", 1, &s) == (size_t)-1 && errno == EILSEQ);\n\
         klee_assert(c32rtomb(b, 'z', &s) == 1 && b[0] == 'z' && c16rtomb(b, 'y', &s) == 1 && b[0] == 'y');\n\
         errno = 0; klee_assert(c32rtomb(b, 0x20ac, &s) == (size_t)-1 && errno == EILSEQ);\n\
         klee_assert(c16rtomb(b, 0xd83d, &s) == 0 && !mbsinit(&s) && c16rtomb(b, 0xde00, &s) == (size_t)-1);\n\
         time_t t = 951782400; wchar_t w[32]; klee_assert(wcsftime(w, 32, L\"%F|%a\", gmtime(&t)) == 14);\n\
         klee_assert(!wcscmp(w, L\"2000-02-29|Tue\") && wcsftime(w, 4, L\"%F\", gmtime(&t)) == 0);",
    );
}

#[test]
fn what_lists_the_system_into_own_room_finds_what_is_there() {
    holds_with(
        "#include <dirent.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <ifaddrs.h>\n#include <netdb.h>\n#include <sched.h>\n#include <string.h>\n\
         #include <pthread.h>\n#include <sys/epoll.h>\n#include <sys/resource.h>\n#include <sys/timerfd.h>\n#include <unistd.h>\n#include <utmp.h>\n#include <pwd.h>\n",
        "close(open(\"one\", O_CREAT | O_WRONLY, 0600)); DIR *d = opendir(\".\"); struct dirent e, *told; int seen = 0;\n\
         while (readdir_r(d, &e, &told) == 0 && told != 0) seen += told == &e && !strcmp(e.d_name, \"one\"); klee_assert(seen == 1);\n\
         struct rlimit l; klee_assert(prlimit(0, RLIMIT_NOFILE, 0, &l) == 0 && l.rlim_cur == RLIM_INFINITY);\n\
         struct hostent h, *found; char room[64]; int why = 0;\n\
         klee_assert(gethostbyname_r(\"here\", &h, room, 64, &found, &why) != 0 && !found && why == TRY_AGAIN);\n\
         struct servent v, *s; klee_assert(getservbyname_r(\"http\", \"tcp\", &v, room, 64, &s) == 0 && !s);\n\
         klee_assert(!strcmp(hstrerror(why), \"Host name lookup failure\") && getservent() == 0);\n\
         struct ifaddrs *list; klee_assert(getifaddrs(&list) == -1 && errno == EAFNOSUPPORT);\n\
         klee_assert(epoll_pwait(5, 0, 0, 0, 0) == -1 && errno == EBADF && timerfd_settime(0, 0, 0, 0) == -1 && errno == EINVAL);\n\
         pthread_attr_t a; int state = 7; pthread_attr_init(&a); klee_assert(!pthread_attr_getdetachstate(&a, &state) && state == 0);\n\
         struct sched_param p = {1}; klee_assert(sched_getparam(0, &p) == 0 && p.sched_priority == 0);\n\
         struct passwd u, *who; klee_assert(getpwent_r(&u, room, 64, &who) == ENOENT && !who && getutent() == 0);",
    );
}

#[test]
fn older_forms_of_masks_and_times_and_forms_with_a_locale_are_the_same() {
    holds_with(
        "#define _GNU_SOURCE\n#include <ctype.h>\n#include <langinfo.h>\n#include <locale.h>\n#include <mqueue.h>\n#include <errno.h>\n#include <signal.h>\n\
         #include <string.h>\n#include <sys/timeb.h>\n#include <wchar.h>\n#include <wctype.h>\n",
        "int old = siggetmask(); klee_assert(sigblock(sigmask(SIGUSR1)) == old && siggetmask() == (old | sigmask(SIGUSR1)));\n\
         klee_assert(sigsetmask(old) == (old | sigmask(SIGUSR1)) && siggetmask() == old);\n\
         struct timeb b; klee_assert(ftime(&b) == 0 && b.time >= 1700000000 && b.timezone == 0);\n\
         locale_t l = newlocale(LC_ALL_MASK, \"C\", 0); klee_assert(isalpha_l('x', l) && !isdigit_l('x', l) && iswalnum_l(L'7', l));\n\
         klee_assert(!strcmp(nl_langinfo_l(CODESET, l), \"ANSI_X3.4-1968\") && !strcmp(strerror_l(ENOENT, l), \"No such file or directory\"));\n\
         klee_assert(wcstol_l(L\"42\", 0, 10, l) == 42 && !wcscasecmp_l(L\"aB\", L\"Ab\", l) && towctrans_l(L'a', wctrans_l(\"toupper\", l), l) == L'A');\n\
         klee_assert(mq_send(3, 0, 0, 0) == -1 && errno == EBADF);",
    );
}

#[test]
fn a_line_of_any_length_is_taken_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let body = "char *gets(char *); int main(void) { char b[8]; if (gets(b)) klee_assert(!strchr(b, '\\n') && strlen(b) < 4); return 0; }";
    let ran = run(&folder, body, &["--", "--sym-stdin", "3"]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    assert!(ran.result("completed") >= 4, "{}", ran.stderr);
}

#[test]
fn amounts_are_written_no_server_answers_and_formats_are_the_librarys() {
    holds_with(
        "#include <errno.h>\n#include <monetary.h>\n#include <netdb.h>\n#include <netinet/in.h>\n#include <arpa/nameser.h>\n#include <printf.h>\n\
         #include <resolv.h>\n#include <string.h>\n",
        "char t[40]; klee_assert(strfmon(t, 40, \"%n|%(.1n|%=*#6i\", 1234.567, -0.25, 89.5) == 24);\n\
         klee_assert(!strcmp(t, \"1234.57|(0.2)| ****89.50\"));\n\
         errno = 0; klee_assert(strfmon(t, 8, \"%.2n\", 12345.0) == -1 && errno == E2BIG);\n\
         errno = 0; klee_assert(strfmon(t, 40, \"%#n\", 1.0) == -1 && errno == EINVAL);\n\
         klee_assert(strfmon(t, 40, \"%-8Ln|%8n%%\", 2.5L, -2.5) == 18 && !strcmp(t, \"2.50    |   -2.50%\"));\n\
         unsigned char answer[64]; klee_assert(res_init() == 0 && res_query(\"here.example\", C_IN, T_A, answer, 64) == -1);\n\
         klee_assert(h_errno == TRY_AGAIN && errno == ECONNREFUSED && res_search(\"here\", C_IN, T_MX, answer, 64) == -1);\n\
         struct __res_state own; memset(&own, 0, sizeof own); klee_assert(res_ninit(&own) == 0 && _res.options == 0);\n\
         klee_assert(res_nquery(&own, \"here\", C_IN, T_A, answer, 64) == -1); res_nclose(&own);\n\
         klee_assert(register_printf_specifier('W', 0, 0) == -1 && errno == ENOSYS);",
    );
}
