//! The tree of files around a program: folders, links, the machine's own files, and variables with unknown values.
//! That calls do what the system's do is compared in `runtime/compare/names.c`.

use std::process::Command;

use symexec::testcase::KTest;

use crate::program::{Ran, explore_files};

const HEADERS: &str = "#include <dirent.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <glob.h>\n#include <klee/klee.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <unistd.h>\n";

/// Explores a program whose text follows the usual headers.
fn run(body: &str, options: &[&str]) -> (tempfile::TempDir, Ran) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    std::fs::write(&file, format!("{HEADERS}\n{body}")).unwrap();
    let ran = explore_files(&folder, &[file], options);
    (folder, ran)
}

fn replay(folder: &tempfile::TempDir, ran: &Ran) -> (i32, String) {
    let mut tests: Vec<_> = ran.tests().into_keys().map(|name| ran.folder.join(name)).collect();
    tests.sort();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    replay.arg("replay").arg(folder.path().join("p.c"));
    for test in &tests {
        replay.arg("--test").arg(test);
    }
    let result = replay.output().unwrap();
    (result.status.code().unwrap(), String::from_utf8_lossy(&result.stderr).into_owned())
}

#[test]
fn folders_and_links_are_made_entered_and_taken_away() {
    let body = "int main(void) { struct stat s; char b[64];\n\
        klee_assert(!mkdir(\"d\", 0755) && !mkdir(\"d/e\", 0700) && !chdir(\"d/e\") && !strcmp(getcwd(b, 64), \"/work\" \"/d/e\"));\n\
        close(creat(\"f\", 0640)); klee_assert(!symlink(\"e/f\", \"../l\") && !stat(\"../l\", &s) && S_ISREG(s.st_mode));\n\
        klee_assert(!lstat(\"../l\", &s) && S_ISLNK(s.st_mode) && s.st_size == 3 && readlink(\"../l\", b, 64) == 3 && !memcmp(b, \"e/f\", 3));\n\
        klee_assert(!link(\"f\", \"/work\" \"/g\") && !stat(\"/work\" \"/g\", &s) && s.st_nlink == 2 && (s.st_mode & 07777) == 0640);\n\
        klee_assert(rmdir(\"/work\" \"/d\") == -1 && errno == ENOTEMPTY && !rename(\"/work\" \"/d\", \"/work\" \"/h\") && !strcmp(getcwd(b, 64), \"/work\" \"/h/e\"));\n\
        DIR *d = opendir(\"..\"); struct dirent *e; int n = 0; while ((e = readdir(d))) n += e->d_type; closedir(d);\n\
        klee_assert(n == 4 + 4 + 4 + 10 && !unlink(\"f\") && stat(\"../l\", &s) == -1 && errno == ENOENT && !rmdir(\"../e\"));\n\
        klee_assert(getcwd(b, 64) == 0 && errno == ENOENT && open(\"x\", O_CREAT | O_WRONLY, 0600) == -1 && errno == ENOENT);\n\
        klee_assert(!chdir(\"/work\") && !symlink(\"q\", \"r\") && !symlink(\"r\", \"q\") && open(\"q\", O_RDONLY) == -1 && errno == ELOOP);\n\
        char t[] = \"/tmp\" \"/xXXXXXX\"; klee_assert(mkdtemp(t) && !stat(t, &s) && S_ISDIR(s.st_mode) && !mkdir(\"c\", 0777));\n\
        close(creat(\"c/1.c\", 0600)); close(creat(\"c/2.c\", 0600)); glob_t g; klee_assert(!glob(\"c/*.c\", 0, 0, &g) && g.gl_pathc == 2);\n\
        klee_assert(!strcmp(g.gl_pathv[1], \"c/2.c\") && !glob(\"/w*k/?/1*\", 0, 0, &g) && !strcmp(g.gl_pathv[0], \"/work\" \"/c/1.c\"));\n\
        klee_assert(!glob(\"*/\", 0, 0, &g) && g.gl_pathc == 2 && !strcmp(g.gl_pathv[0], \"c/\") && glob(\"c/3*\", 0, 0, &g) == GLOB_NOMATCH);\n\
        int z = open(\"/dev/zero\", O_RDONLY), f = open(\"/dev/full\", O_WRONLY); b[0] = 1; klee_assert(read(z, b, 9) == 9 && b[0] == 0);\n\
        klee_assert(write(f, b, 1) == -1 && errno == ENOSPC && open(\"/dev/stdin\", O_RDONLY) >= 0); return 0; }";
    let (_folder, ran) = run(body, &[]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

/// What an unknown path may lead to costs a path for each, and nothing for slashes that lead nowhere.
#[test]
fn unknown_paths_lead_to_what_is_there() {
    let body = "int main(void) { char p[4]; klee_make_symbolic(p, sizeof p, \"p\"); klee_assume(p[3] == 0); mkdir(\"d\", 0755); close(creat(\"d/x\", 0600));\n\
        int f = open(p, O_RDONLY); if (f >= 0) { struct stat s; fstat(f, &s); klee_assert(S_ISDIR(s.st_mode) || !strcmp(p, \"d/x\")); return 1; }\n\
        klee_assert(errno == ENOENT || errno == ENOTDIR); return 0; }";
    let (folder, ran) = run(body, &[]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    let seen: Vec<Vec<u8>> = ran.tests().into_values().map(|test| test.objects[0].1.clone()).collect();
    for wanted in [&b"d/x\0"[..], b"d\0", b"..\0", b".\0"] {
        assert!(seen.iter().any(|path| path.starts_with(wanted)), "{wanted:?} in {seen:?}");
    }
    assert!(seen.len() < 60, "{}", seen.len());
    let (code, text) = replay(&folder, &ran);
    assert_eq!(code, 0, "{text}");
}

/// A file that is in no test is read again by a replay; one that the program changes is changed in memory only.
#[test]
fn files_of_the_machine_are_seen_and_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data?");
    std::fs::write(&data, "what? ever").unwrap();
    let path = data.to_str().unwrap();
    let file = folder.path().join("p.c");
    let text = format!(
        "{HEADERS}\nint main(int c, char **v) {{ char b[16] = {{0}}; int f = open(\"{path}\", O_RDWR);\n\
         klee_assert(f >= 0 && read(f, b, 16) == 10 && !strcmp(b, \"what? ever\") && c == 2);\n\
         if (v[1][0] == 'w') klee_assert(write(f, \"more\", 4) == 4 && lseek(f, 0, SEEK_END) == 14); return v[1][0] == b[4]; }}"
    );
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &["--", "--real-file", path, "--sym-arg", "1"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 2), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&data).unwrap(), "what? ever");
    assert!(ran.tests().values().all(|test: &KTest| test.objects.len() == 1));
    let none =
        explore_files(&folder, &[folder.path().join("p.c")], &["--", "--real-file", "/nowhere/at/all"]);
    assert!(
        none.code == 2 && none.stderr.contains("--real-file: cannot read /nowhere/at/all"),
        "{}",
        none.stderr
    );
}

#[test]
fn variables_of_the_environment_may_be_unknown() {
    let body = "int main(void) { char *v = getenv(\"MODE\"); if (!v) return 9; if (!strcmp(v, \"on\")) abort(); return v[0] == 0; }";
    let (folder, ran) = run(body, &["--", "--sym-env", "MODE", "3"]);
    let abort: Vec<_> = ran.errors().into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(abort, ["abort"], "{}", ran.stderr);
    let test = ran.tests().into_values().find(|test| test.objects[0].1.starts_with(b"on\0")).unwrap();
    assert_eq!(test.objects[0].0, "env_MODE");
    let (code, text) = replay(&folder, &ran);
    assert!(code == 1 && text.contains("SIGABRT"), "{text}");
    assert!(!text.contains("exit code 9"), "{text}");
}
