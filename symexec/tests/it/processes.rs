//! Processes that a program makes, where some are followed (`--follow-fork`), and their tests run natively.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::klee::{klee, source};
use crate::program::{Ran, explore_files};

const HEADERS: &str = "#include <errno.h>\n#include <klee/klee.h>\n#include <spawn.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <sys/types.h>\n#include <sys/wait.h>\n#include <unistd.h>\n";

/// A shell's way: the exit code says what happened.
const SHELL: &str = "int main(void) {\n\
      int ends[2], status; char byte;\n\
      klee_assert(pipe(ends) == 0);\n\
      pid_t self = getpid(), child = fork();\n\
      if (child < 0) return errno == EAGAIN ? 3 : 99;\n\
      if (child == 0) {\n\
        klee_assert(waitpid(-1, &status, 0) == -1 && errno == ECHILD);\n\
        execlp(\"true\", \"true\", (char *)NULL);\n\
        _exit(98);\n\
      }\n\
      close(ends[1]);\n\
      klee_assert(read(ends[0], &byte, 1) == 0);\n\
      klee_assert(waitpid(child, &status, 0) == child && waitpid(child, NULL, 0) == -1 && errno == ECHILD);\n\
      klee_assert(WIFEXITED(status) + WIFSIGNALED(status) == 1 && !WIFSTOPPED(status) && !WIFCONTINUED(status));\n\
      if (WIFSIGNALED(status)) { klee_assert(WTERMSIG(status) > 0 && WTERMSIG(status) <= 64); if (WCOREDUMP(status)) return 4; return 5; }\n\
      if (WEXITSTATUS(status) == 0) return 6; return 7;\n\
    }\n";

fn program(folder: &tempfile::TempDir, body: &str) -> PathBuf {
    source(folder, &format!("{HEADERS}{body}"))
}

/// The exit codes of all tests of a run, natively, in order; none may tell anything else.
fn codes(program: &Path, ran: &Ran) -> Vec<i32> {
    let tests: Vec<PathBuf> = ran.tests().keys().map(|name| ran.folder.join(name)).collect();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    let replayed = replay.arg("replay").arg(program).arg("--test").args(&tests).output().unwrap();
    let said = String::from_utf8_lossy(&[replayed.stdout, replayed.stderr].concat()).into_owned();
    let code = |line: &str| line.split("the program ended with exit code ").nth(1)?.parse().ok();
    let mut codes: Vec<i32> = said.lines().filter_map(code).collect();
    assert_eq!(codes.len(), tests.len(), "{said}");
    codes.sort_unstable();
    codes
}

#[test]
fn a_fork_fails_or_is_followed_on_one_side_or_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(&folder, SHELL);
    for (which, expected) in [
        (None, vec![3]),
        (Some("none"), vec![3]),
        (Some("child"), vec![0]),
        (Some("parent"), vec![4, 5, 6, 7]),
        (Some("both"), vec![0, 4, 5, 6, 7]),
    ] {
        let arguments: Vec<&str> = which.map_or(vec![], |which| vec!["--", "--follow-fork", which]);
        let ran = explore_files(&folder, std::slice::from_ref(&file), &arguments);
        assert_eq!((ran.code, ran.errors()), (0, vec![]), "{which:?}: {}", ran.stderr);
        let follows_child = expected.contains(&0);
        assert_eq!(ran.stderr.contains("becomes another program"), follows_child, "{}", ran.stderr);
        if which.is_none_or(|which| which == "none") {
            // Natively there is a child, since nothing says that there is none.
            assert_eq!(ran.result("completed"), 1, "{}", ran.stderr);
            continue;
        }
        assert_eq!(codes(&file, &ran), expected, "{which:?}: {}", ran.stderr);
    }
}

#[test]
fn processes_are_followed_by_an_option_of_klee() {
    let folder = tempfile::tempdir().unwrap();
    let file = program(&folder, SHELL);
    for (before, paths) in [
        (&["--posix-runtime", "--follow-fork=both"][..], 5),
        (&["--follow-fork=both"][..], 5),
        (&["--posix-runtime"][..], 1),
        (&["--posix-runtime", "--follow-fork=parent"][..], 4),
    ] {
        let ran = klee(&folder, before, &file, &[]);
        assert_eq!((ran.code, ran.done("completed paths")), (0, paths), "{before:?}: {}", ran.stderr);
    }
    let ran = klee(&folder, &["--follow-fork=all"], &file, &[]);
    assert!(ran.code != 0 && ran.stderr.contains("none, child, parent"), "{}", ran.stderr);
    let behind =
        klee(&folder, &["--posix-runtime", "--follow-fork=both"], &file, &["--follow-fork", "child"]);
    assert_eq!(behind.done("completed paths"), 1, "{}", behind.stderr);
}

#[test]
fn other_programs_end_somehow_and_their_output_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let body = "extern char **environ;\n\
        int main(void) {\n\
          char *words[] = {\"true\", NULL}; pid_t spawned; siginfo_t info; char line[9];\n\
          klee_assert(system(NULL) != 0 && posix_spawnp(&spawned, \"true\", NULL, NULL, words, environ) == 0 && spawned > 0);\n\
          klee_assert(kill(spawned, 0) == 0 && waitid(P_PID, spawned, &info, WEXITED) == 0 && info.si_pid == spawned);\n\
          klee_assert(kill(spawned, 0) == -1 && errno == ESRCH);\n\
          FILE *pipe = popen(\"ls\", \"r\"); klee_assert(pipe && fgets(line, sizeof line, pipe) == NULL && feof(pipe));\n\
          int closed = pclose(pipe); pipe = popen(\"cat\", \"w\"); klee_assert(pipe && fputs(\"x\", pipe) >= 0 && pclose(pipe) != -1);\n\
          int status = system(\"ls\");\n\
          if (info.si_code != CLD_EXITED) return 3; if (WIFSIGNALED(closed)) return 4;\n\
          if (WIFEXITED(status) && WEXITSTATUS(status) == 7) return 5; return 6;\n\
        }\n";
    let file = program(&folder, &format!("#include <signal.h>\n{body}"));
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--", "--follow-fork", "parent"]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
    let found = codes(&file, &ran);
    // Tests that say only how processes ended are of runs from before they said that these were started.
    for (name, mut test) in ran.tests() {
        test.objects.retain(|(input, _)| input != "spawn_result");
        std::fs::write(ran.folder.join(name), test.to_bytes().unwrap()).unwrap();
    }
    assert_eq!(codes(&file, &ran), found, "{}", ran.stderr);
    let distinct = std::collections::BTreeSet::from_iter(found);
    assert!(distinct.into_iter().eq([3, 4, 5, 6]), "{}", ran.stderr);
}

#[test]
fn children_are_waited_for_in_any_order_and_have_numbers_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int main(void) {\n\
          pid_t start = getpid(), first = fork();\n\
          if (first == 0) { klee_assert(getpid() != start && getppid() == start); pid_t inner = fork(); if (inner == 0) klee_assert(getppid() != start);\n\
            else klee_assert(wait(NULL) == inner); return inner == 0 ? 3 : 4; }\n\
          pid_t second = vfork(); if (second == 0) _exit(5);\n\
          klee_assert(first != second && waitpid(second, NULL, WNOHANG) == second && wait(NULL) == first && wait(NULL) == -1);\n\
          return 6;\n\
        }\n";
    let file = program(&folder, body);
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--", "--follow-fork", "both"]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 4);
}

#[test]
fn a_test_says_that_a_program_was_started_for_which_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    let [spawned, piped] = ["spawned", "piped"].map(|name| folder.path().join(name));
    let body = format!(
        "extern char **environ;\n\
         int main(void) {{\n\
           char *words[] = {{\"touch\", \"{spawned}\", NULL}}; pid_t spawned; int x; klee_make_symbolic(&x, sizeof x, \"x\");\n\
           if (x == 0) return posix_spawnp(&spawned, \"touch\", NULL, NULL, words, environ) == 0 ? 3 : 4;\n\
           FILE *pipe = popen(\"touch {piped}\", \"r\"); char line[9];\n\
           return pipe != NULL && fgets(line, sizeof line, pipe) == NULL ? 5 : 6;\n\
         }}\n",
        spawned = spawned.display(),
        piped = piped.display()
    );
    let file = program(&folder, &body);
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--", "--follow-fork", "parent"]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
    assert_eq!(codes(&file, &ran), [3, 5], "{}", ran.stderr);
    assert!(ran.inputs().iter().all(|test| test.iter().any(|(name, _)| name == "spawn_result")));
    assert!(!spawned.exists() && !piped.exists(), "a program was really started");
}
