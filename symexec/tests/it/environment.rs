//! Unknown arguments, files and standard input.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::klee::klee;
use crate::program::{Ran, explore_files};

fn run(folder: &TempDir, text: &str, arguments: &[&str]) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file: PathBuf = folder.path().join(format!("p{number}.c"));
    std::fs::write(&file, text).unwrap();
    let arguments = [&["--search", "bfs"], arguments].concat();
    explore_files(folder, &[file], &arguments)
}

/// The inputs of all tests by name, as text.
fn inputs(ran: &Ran) -> Vec<Vec<(String, String)>> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let all = ran.inputs().into_iter();
    all.map(|test| test.into_iter().map(|(name, bytes)| (name, text(bytes))).collect()).collect()
}

const ECHO: &str = "#include <string.h>\n\
    int main(int argc, char **argv) {\n\
      if (argc > 2) return 9;\n\
      if (argc == 2 && strcmp(argv[1], \"-n\") == 0) return 1;\n\
      return 0;\n\
    }\n";

#[test]
fn an_unknown_number_of_unknown_arguments_forks() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, ECHO, &["--", "--sym-args", "0", "2", "3"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // None, two, and one that differs in its first, second, third character, or is `-n`.
    assert_eq!(ran.result("completed"), 6, "{}", ran.stderr);
    let numbers: Vec<u8> = ran.inputs().iter().map(|test| test[0].1[0]).collect();
    assert_eq!(numbers.iter().filter(|number| **number == 0).count(), 1);
    assert_eq!(numbers.iter().filter(|number| **number == 1).count(), 4);
    let exact: Vec<_> = inputs(&ran)
        .into_iter()
        .flatten()
        .filter(|(name, text)| name == "arg00" && text.starts_with("-n\0"))
        .collect();
    assert_eq!(exact.len(), 1, "{:?}", inputs(&ran));
    // The test keeps the options, as KLEE's does.
    for test in ran.tests().values() {
        assert_eq!(test.arguments[1..], ["--sym-args", "0", "2", "3"]);
    }
}

#[test]
fn known_arguments_stay_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\n#include <string.h>\n\
        int main(int argc, char **argv, char **environment) {\n\
          assert(argc == 4 && !strcmp(argv[1], \"-a\") && strlen(argv[2]) <= 1 && !strcmp(argv[3], \"b\"));\n\
          assert(argv[4] == 0 && environment[0] == 0);\n\
          return 0;\n\
        }\n";
    let ran = run(&folder, text, &["--", "-a", "-sym-arg", "1", "b"]);
    assert_eq!((ran.code, ran.result("completed")), (0, 2), "{}", ran.stderr);
}

const FILES: &str = "#include <fcntl.h>\n#include <unistd.h>\n#include <stdio.h>\n\
    int main(void) {\n\
      char a, b;\n\
      int file = open(\"A\", O_RDONLY);\n\
      if (file < 0) return 3;\n\
      if (read(file, &a, 1) != 1 || lseek(file, 1, SEEK_SET) != 1 || read(file, &b, 1) != 1) return 4;\n\
      if (read(file, &b, 1) != 0) return 5;\n\
      if (open(\"C\", O_RDONLY) >= 0) return 6;\n\
      int c = getchar();\n\
      if (a == 'x' && c == 'y') return 1;\n\
      return 0;\n\
    }\n";

#[test]
fn files_and_standard_input_are_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, FILES, &["--", "--sym-files", "2", "2"]);
    assert_eq!((ran.code, ran.result("completed")), (0, 3), "{}", ran.stderr);
    let inputs = inputs(&ran);
    for test in &inputs {
        let names: Vec<&str> = test.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["A_data", "B_data", "stdin"]);
    }
    let found = |a: bool, c: bool| {
        let mut tests = inputs.iter();
        tests.any(|test| test[0].1.starts_with('x') == a && test[2].1.starts_with('y') == c)
    };
    assert!(found(true, true) && found(true, false) && found(false, false), "{inputs:?}");
}

#[test]
fn a_template_says_which_bytes_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("template");
    std::fs::write(&template, "a=?;").unwrap();
    let text = "#include <stdio.h>\n#include <klee/klee.h>\n#include <assert.h>\n\
        int main(void) {\n\
          char line[16];\n\
          assert(fgets(line, 16, stdin) == line);\n\
          assert(line[0] == 'a' && line[1] == '=' && !klee_is_symbolic(line[1]) && klee_is_symbolic(line[2]));\n\
          if (line[2] == '7') return 1;\n\
          return 0;\n\
        }\n";
    let path = template.to_str().unwrap();
    for arguments in [
        &["--", "--sym-stdin-from", path][..],
        &["--template", path, "--", "--sym-stdin", "4"],
        &["--template", path, "--", "-sym-files", "0", "4"],
    ] {
        let ran = run(&folder, text, arguments);
        // The unknown byte is the end of the line, a seven, or something else.
        assert_eq!((ran.code, ran.result("completed")), (0, 3), "{}", ran.stderr);
        let mut tests = inputs(&ran).into_iter().flatten();
        assert!(tests.any(|input| input == ("stdin".to_owned(), "a=7;".to_owned())));
        assert!(tests.all(|(_, text)| text.starts_with("a=") && text.ends_with(';')));
    }
}

#[test]
fn a_file_that_is_known_can_be_read_and_files_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "12 apples\n13 pears\n").unwrap();
    let text = "#include <stdio.h>\n#include <string.h>\n#include <assert.h>\n\
        int main(int argc, char **argv) {\n\
          FILE *in = fopen(argv[1], \"r\"), *out = fopen(\"copy\", \"w\");\n\
          int number, lines = 0; char word[20];\n\
          assert(in && out);\n\
          while (fscanf(in, \"%d %19s\", &number, word) == 2)\n\
            lines++, fprintf(out, \"%s=%d\\n\", word, number);\n\
          assert(lines == 2 && feof(in));\n\
          fclose(in); fclose(out);\n\
          out = fopen(\"copy\", \"r\");\n\
          assert(fgets(word, 20, out) && !strcmp(word, \"apples=12\\n\"));\n\
          assert(fgets(word, 20, out) && !strcmp(word, \"pears=13\\n\"));\n\
          assert(!fgets(word, 20, out));\n\
          return 0;\n\
        }\n";
    let ran = run(&folder, text, &["--", "data", "--sym-file-from", "data", script.to_str().unwrap()]);
    assert_eq!((ran.code, ran.result("completed")), (0, 1), "{}", ran.stderr);
    assert_eq!(inputs(&ran), [vec![]], "nothing is unknown");
}

#[test]
fn wrong_options_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, ECHO, &["--", "--sym-args", "3", "1", "2"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("--sym-args: the least number of arguments, 3, is above"), "{}", ran.stderr);
    let ran = run(&folder, ECHO, &["--entry-point", "other", "--", "--sym-arg", "1"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("need `main`"), "{}", ran.stderr);
}

#[test]
fn registered_functions_run_after_main_in_the_order_of_the_standard() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdlib.h>\n#include <klee/klee.h>\n\
        static int order;\n\
        static void first(void) { if (order != 1) abort(); klee_report_error(\"f\", 1, \"the end\", \"end\"); }\n\
        static void second(void) { if (order != 0) abort(); order = 1; }\n\
        int main(void) { atexit(first); atexit(second); return EXIT; }\n";
    for ending in ["0", "(exit(3), 0)"] {
        let ran = run(&folder, text, &["-D", &format!("EXIT={ending}")]);
        let errors = [("end".to_owned(), "Error: the end".to_owned())];
        assert_eq!(ran.errors(), errors, "{ending}: {}", ran.stderr);
    }
    let text = "#include <stdlib.h>\nint main(void) { return 0; }\n";
    assert_eq!(run(&folder, text, &[]).result("completed"), 1);
}

#[test]
fn an_earlier_error_of_a_stream_spoils_no_line_and_positions_do_not_overflow() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "one\ntwo\n").unwrap();
    let text = "#include <stdio.h>\n#include <string.h>\n#include <assert.h>\n#include <errno.h>\n#include <limits.h>\n\
        long lseek(int, long, int);\n\
        int main(void) {\n\
          FILE *in = fopen(\"data\", \"r\"); char line[9];\n\
          assert(in && fputc('x', in) == EOF && ferror(in));\n\
          assert(fgets(line, 9, in) == line && !strcmp(line, \"one\\n\") && ferror(in));\n\
          int file = fileno(in);\n\
          assert(lseek(file, LONG_MAX, SEEK_SET) == LONG_MAX);\n\
          errno = 0; assert(lseek(file, 1, SEEK_CUR) == -1 && errno == EINVAL);\n\
          errno = 0; assert(lseek(file, LONG_MAX, SEEK_END) == -1 && errno == EINVAL);\n\
          assert(lseek(file, 0, SEEK_CUR) == LONG_MAX);\n\
          return 0;\n\
        }\n";
    let ran = run(&folder, text, &["--", "--sym-file-from", "data", script.to_str().unwrap()]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
}

#[test]
fn tests_have_the_bytes_of_a_template_that_no_argument_names() {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("template");
    std::fs::write(&template, "abcd").unwrap();
    let text = "#include <stdio.h>\n#include <klee/klee.h>\n#include <assert.h>\n\
        int main(void) { int c = getchar(); assert(!klee_is_symbolic(c) && c == 'a'); return 0; }\n";
    let ran = run(&folder, text, &["--template", template.to_str().unwrap(), "--", "--sym-stdin", "4"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 1), "{}", ran.stderr);
    assert_eq!(inputs(&ran), [vec![("stdin".to_owned(), "abcd".to_owned())]]);
}

#[test]
fn calls_of_the_system_fail_each_on_a_path_of_its_own() {
    let text = "#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <unistd.h>\n\
        int main(void) { char bytes[4096]; int failed = 0, file = open(\"A\", O_RDONLY);\n\
          for (int i = 0; i < 2; i++) if (read(file, bytes, 1) != 1) { assert(errno == EIO); failed++; }\n\
          if (close(file) != 0) { assert(errno == EIO && close(file) == 0); failed++; }\n\
          if (getcwd(bytes, sizeof bytes) == 0) { assert(errno == ERANGE); failed++; }\n\
          assert(failed <= LIMIT); return failed; }\n";
    // Of each kind one call may fail: none does, one of four, or one of five pairs without both reads.
    for (limit, paths) in [("0", 1), ("1", 5), ("2", 10)] {
        let folder = tempfile::tempdir().unwrap();
        let define = format!("LIMIT={limit}");
        let ran = run(&folder, text, &["-D", &define, "--", "--sym-files", "1", "4", "--max-fail", limit]);
        assert_eq!((ran.errors(), ran.result("completed")), (vec![], paths), "{}", ran.stderr);
        let named = |test: &Vec<(String, String)>| test.iter().any(|(name, _)| name == "getcwd_fail");
        assert!(inputs(&ran).iter().all(|test| named(test) == (limit != "0")), "{:?}", inputs(&ran));
        // A replay runs all the same, and says what it leaves out.
        let program = folder.path().join("p0.c");
        let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_symexec"));
        replay.arg("replay").arg(program).args(["-D", &define]);
        for name in ran.tests().keys() {
            replay.arg("--test").arg(ran.folder.join(name));
        }
        let output = replay.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(
            said.matches("did not fail").count() as u64,
            if limit == "0" { 0 } else { paths },
            "{said}"
        );
    }
}

#[test]
fn standard_input_has_no_name() {
    let folder = tempfile::tempdir().unwrap();
    // Three characters name the other file or the folder, in several ways.
    let text = "#include <assert.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\
        int main(int argc, char **argv) { char *name = argv[1], c; FILE *f = fopen(name, \"r\");\n\
          assert(f == 0 || strchr(name, 'A') || name[strspn(name, \"./\")] == 0);\n\
          assert(open(\"\", O_RDONLY) < 0 && open(\"./\", O_RDWR | O_CREAT) < 0);\n\
          return read(0, &c, 1) != 1; }\n";
    let ran = run(&folder, text, &["--", "--sym-arg", "3", "--sym-stdin", "2", "--sym-files", "1", "1"]);
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    assert!(inputs(&ran).iter().any(|test| test[0].1.starts_with("./A")), "{:?}", inputs(&ran));
}

/// What a program finds out about a file beside its content.
const LOOKS: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <klee/klee.h>\n#include <sys/ioctl.h>\n\
    #include <sys/stat.h>\n#include <sys/vfs.h>\n#include <termios.h>\n#include <unistd.h>\n\
    int main(void) {\n\
      struct stat known, again; struct termios settings; struct winsize size;\n\
      if (fstat(0, &known) != 0) return 1;\n\
      klee_assert(fstat(0, &again) == 0 && again.st_mode == known.st_mode && known.st_size == 2);\n\
      if (S_ISFIFO(known.st_mode)) {\n\
        klee_assert(lseek(0, 0, SEEK_CUR) == -1 && errno == ESPIPE && !isatty(0));\n\
        klee_assert(fsync(0) == -1 && errno == EINVAL);\n\
        return 3;\n\
      }\n\
      if (S_ISCHR(known.st_mode)) {\n\
        klee_assert(isatty(0) && tcgetattr(0, &settings) == 0 && (settings.c_lflag & ICANON));\n\
        klee_assert(ioctl(0, TIOCGWINSZ, &size) == 0 && size.ws_col == 80);\n\
        settings.c_lflag &= ~(tcflag_t)ICANON;\n\
        klee_assert(tcsetattr(0, TCSANOW, &settings) == 0 && tcgetattr(0, &settings) == 0 && !(settings.c_lflag & ICANON));\n\
        return 4;\n\
      }\n\
      klee_assert(!S_ISDIR(known.st_mode) && !S_ISLNK(known.st_mode) && !isatty(0));\n\
      klee_assert(lseek(0, 0, SEEK_END) == 2 && fsync(0) == 0);\n\
      if (S_ISREG(known.st_mode)) {\n\
        klee_assert(stat(\"A\", &known) == 0 && known.st_mtim.tv_nsec < 1000000000 && known.st_blksize > 0);\n\
        klee_assume(known.st_uid == 1000);\n\
        klee_assert(chmod(\"A\", 0600) == 0 && stat(\"A\", &known) == 0 && (known.st_mode & 07777) == 0600);\n\
        struct statfs volume;\n\
        if (known.st_mtime <= 5 || statfs(\"A\", &volume) != 0) return 6;\n\
        if (volume.f_type == 0x6969) return 8;\n\
        return 5;\n\
      }\n\
      return 7;\n\
    }\n";

#[test]
fn metadata_of_files_are_unknown_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, LOOKS, &["--", "--sym-files", "1", "2", "--sym-metadata"]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
    // A pipe, a terminal, a disk, and ordinary files that are old, and new on two kinds of volumes.
    assert_eq!(ran.result("completed"), 6, "{}", ran.stderr);
    let names: Vec<Vec<String>> =
        ran.inputs().into_iter().map(|test| test.into_iter().map(|(name, _)| name).collect()).collect();
    assert!(names.iter().all(|test| test.iter().any(|name| name == "stdin_stat")), "{names:?}");
    assert_eq!(names.iter().filter(|test| test.iter().any(|name| name == "A_data_stat")).count(), 3);
    // The program finds the same natively.
    let tests: Vec<PathBuf> = ran.tests().keys().map(|name| ran.folder.join(name)).collect();
    let program = folder.path().join("p0.c");
    let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_symexec"));
    let replayed = replay.arg("replay").arg(program).arg("--test").args(tests).output().unwrap();
    let said = [replayed.stdout, replayed.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    for code in 3..9 {
        assert_eq!(said.matches(&format!("ended with exit code {code}")).count(), 1, "{said}");
    }
    // Without it, all is known, but on KLEE's command line, as with KLEE.
    let source = folder.path().join("p0.c");
    let unknown = klee(&folder, &["--posix-runtime"], &source, &["--sym-files", "1", "2"]);
    assert_eq!(unknown.done("completed paths"), 6, "{}", unknown.stderr);
    let tests = unknown.files().into_iter().filter(|name| name.ends_with(".ktest"));
    let tests: Vec<PathBuf> = tests.map(|name| unknown.folder.join(name)).collect();
    let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_symexec"));
    let replayed = replay.arg("replay").arg(&source).arg("--test").args(tests).output().unwrap();
    let said = [replayed.stdout, replayed.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    for code in 3..9 {
        assert_eq!(said.matches(&format!("ended with exit code {code}")).count(), 1, "{said}");
    }
    let known = klee(&folder, &["--posix-runtime", "--sym-metadata=0"], &source, &["--sym-files", "1", "2"]);
    assert_eq!(known.done("completed paths"), 1, "{}", known.stderr);
    let ran = run(&folder, LOOKS, &["--", "--sym-files", "1", "2"]);
    assert_eq!((ran.code, ran.result("completed")), (0, 1), "{}", ran.stderr);
}

/// What a program may do with a file, by all that it sees of it; the exit code says what it could do.
const PERMITS: &str = "#include <errno.h>\n#include <fcntl.h>\n#include <klee/klee.h>\n#include <stdio.h>\n\
    #include <sys/stat.h>\n#include <unistd.h>\n\
    int main(void) {\n\
      struct stat known;\n\
      klee_assert(stat(\"A\", &known) == 0);\n\
      unsigned mode = known.st_mode, own = known.st_uid == 1000;\n\
      unsigned bits = own ? mode >> 6 : known.st_gid == 1000 ? mode >> 3 : mode;\n\
      int code = 3;\n\
      if (open(\"A\", O_RDONLY) >= 0) { klee_assert(bits & 4); code++; }\n\
      else klee_assert(errno == EACCES && !(bits & 4) && access(\"A\", R_OK) == -1 && fopen(\"A\", \"r\") == NULL);\n\
      FILE *file = fopen(\"A\", \"a\");\n\
      if (file != NULL) { klee_assert((bits & 2) && access(\"A\", W_OK) == 0); code += 2; }\n\
      else klee_assert(errno == EACCES && !(bits & 2));\n\
      if (chmod(\"A\", 0600) == 0) { klee_assert(own && open(\"A\", O_RDWR) >= 0); code += 4; }\n\
      else klee_assert(errno == EPERM && !own);\n\
      return code;\n\
    }\n";

#[test]
fn unknown_permissions_refuse_and_do_so_in_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&folder, PERMITS, &["--", "--sym-files", "1", "2", "--sym-metadata"]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
    let tests: Vec<PathBuf> = ran.tests().keys().map(|name| ran.folder.join(name)).collect();
    let program = folder.path().join("p0.c");
    let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_symexec"));
    let replayed = replay.arg("replay").arg(program).arg("--test").args(&tests).output().unwrap();
    let said = [replayed.stdout, replayed.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    for code in 3..11 {
        assert!(said.contains(&format!("ended with exit code {code}")), "{code}: {said}");
    }
    assert_eq!(said.matches("ended with exit code").count(), tests.len(), "{said}");
}
