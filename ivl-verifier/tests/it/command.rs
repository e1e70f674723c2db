//! The command line, as a user meets it: what it prints and the code it ends with.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far more than anything here should take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs the program in a folder; what it printed and its exit code.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(arguments)
        .current_dir(folder)
        .env("REPRISE_CACHE_DIR", folder.join("cache"))
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some(), "{arguments:?}: {}: {error}", output.status);
    (text, output.status.code().unwrap_or_default())
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    // In one step, as editors do: whoever looks sees the old text or the new one.
    let (path, new) = (folder.join(name), folder.join("new"));
    std::fs::write(&new, text).expect("the folder is ours");
    std::fs::rename(&new, &path).expect("the folder is ours");
    path
}

/// A running `ivl watch`, ended with the value.
pub(crate) struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Watching {
    fn start(folder: &Path, file: &str) -> Self {
        Self::with(folder, &[file])
    }

    pub(crate) fn with(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
            .args(["watch", "--time-limit", "0", "--interval", "5"])
            .args(arguments)
            .current_dir(folder)
            .env("REPRISE_CACHE_DIR", folder.join("cache"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("it is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    /// Everything up to the line that closes a version.
    pub(crate) fn version(&self) -> String {
        let mut text = String::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("the version is verified");
            text.push_str(&line);
            text.push('\n');
            if line.starts_with("Boogie program verifier") || line.starts_with("not verified") {
                return text;
            }
        }
    }
}

#[test]
fn watching_tells_what_each_save_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = "procedure P(x: int) requires x > 0; { assert x > 0; }\nprocedure Q() { assert true; }\n";
    write(folder.path(), "p.bpl", good);
    let watching = Watching::start(folder.path(), "p.bpl");
    let first = watching.version();
    assert_eq!(first, "Boogie program verifier finished with 2 verified, 0 errors (2 asked, 0 reused)\n");
    // An error appears in one of them, and only that one is asked.
    write(folder.path(), "p.bpl", &good.replace("assert x > 0", "assert x > 1"));
    let second = watching.version();
    assert!(second.contains("this assertion could not be proved"), "{second}");
    assert!(second.ends_with("1 verified, 1 error (1 asked, 1 reused)\n"), "{second}");
    // Another check fails instead, for which there are the same words.
    write(folder.path(), "p.bpl", &good.replace("assert x > 0", "assert x > 0; assert x > 2"));
    let other = watching.version();
    assert!(other.contains("p.bpl:1:53") && !other.contains("as before"), "{other}");
    write(folder.path(), "p.bpl", &good.replace("assert x > 0", "assert x > 1"));
    watching.version();
    // It is told as unchanged while another procedure comes.
    write(folder.path(), "p.bpl", &(good.replace("assert x > 0", "assert x > 1") + "procedure R() { }\n"));
    let third = watching.version();
    assert!(third.contains("P: as before: this assertion could not be proved\n"), "{third}");
    assert!(third.ends_with("2 verified, 1 error (1 asked, 2 reused)\n"), "{third}");
    // Text that is no program.
    write(folder.path(), "p.bpl", "procedure P( { }\n");
    let fourth = watching.version();
    assert!(
        fourth.contains("error") && fourth.ends_with("not verified: the program has errors\n"),
        "{fourth}"
    );
    // The error goes, and so do two procedures.
    write(folder.path(), "p.bpl", good.lines().next().expect("it has lines"));
    let fifth = watching.version();
    assert!(fifth.contains("P: now verified\n"), "{fifth}");
    assert!(fifth.contains("Q: gone\n") && fifth.contains("R: gone\n"), "{fifth}");
    assert!(fifth.ends_with("1 verified, 0 errors (0 asked, 1 reused)\n"), "{fifth}");
}

#[test]
fn watching_tells_implementations_of_one_procedure_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |one: &str, two: &str| {
        format!(
            "procedure P(x: int);\nimplementation P(x: int) {{ assert {one}; }}\n\
             implementation {{:id \"P\"}} P(x: int) {{ assert {two}; }}\n"
        )
    };
    write(folder.path(), "p.bpl", &text("true", "x > 0"));
    let watching = Watching::start(folder.path(), "p.bpl");
    let first = watching.version();
    assert!(
        first.contains("p.bpl:3:") && first.ends_with("1 verified, 1 error (2 asked, 0 reused)\n"),
        "{first}"
    );
    // The first one changes, and nothing is said about it; the second one fails as before.
    write(folder.path(), "p.bpl", &text("true && true", "x > 0"));
    let second = watching.version();
    assert!(!second.contains("now verified"), "{second}");
    assert!(second.starts_with("P (implementation 2): as before: "), "{second}");
    // Both change their fate at once.
    write(folder.path(), "p.bpl", &text("x > 1", "true"));
    let third = watching.version();
    assert!(third.contains("p.bpl:2:") && third.contains("P (implementation 2): now verified\n"), "{third}");
    assert!(!third.contains("(implementation 1): now verified"), "{third}");
    // One goes; what is left is called by the procedure's name.
    write(folder.path(), "p.bpl", text("x > 1", "true").rsplit_once("implementation").expect("two").0);
    let fourth = watching.version();
    assert!(fourth.contains("P: as before: ") && fourth.contains("P (implementation 2): gone\n"), "{fourth}");
    assert!(fourth.ends_with("0 verified, 1 error (0 asked, 1 reused)\n"), "{fourth}");
}

#[test]
fn a_save_ends_what_it_makes_pointless() {
    let folder = tempfile::tempdir().expect("a folder");
    // The solver does not come to an end with the first version, which has no limit.
    let endless = "function f(x: int): int;\naxiom (forall x: int :: { f(x) } f(x) == f(x + 1) + f(x + 2));\n\
        procedure P() { assert f(0) == 0; }\nprocedure Q() { assert true; }\n";
    write(folder.path(), "p.bpl", endless);
    let mut watching = Watching::start(folder.path(), "p.bpl");
    // What it said of the first version, if anything, is no closing line: that only the second one has.
    write(folder.path(), "p.bpl", "procedure Q() { assert true; }\n");
    let text = watching.version();
    assert!(text.contains("finished with 1 verified, 0 errors"), "{text}");
    assert!(watching.child.try_wait().expect("it can be asked").is_none(), "it goes on watching");
}

#[test]
fn the_cache_is_counted_checked_and_emptied() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert true; }\n");
    assert_eq!(run(folder.path(), &["verify", "p.bpl"]).1, 0);
    let (stats, code) = run(folder.path(), &["cache", "stats"]);
    assert_eq!(code, 0);
    assert!(stats.contains(" entries, ") && !stats.contains("\n0 entries"), "{stats}");
    let (whole, code) = run(folder.path(), &["cache", "verify"]);
    assert!(whole.ends_with("entries are whole, 0 are damaged\n") && code == 0, "{whole}");
    assert_eq!(run(folder.path(), &["cache", "clean"]).1, 0);
    assert!(run(folder.path(), &["cache", "stats"]).0.contains("\n0 entries"));
    // Nothing is left to be reused.
    let (explained, _) = run(folder.path(), &["verify", "--explain", "p.bpl"]);
    assert!(explained.contains("P: verified"), "{explained}");
}

#[test]
fn a_damaged_cache_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert true; }\n");
    assert_eq!(run(folder.path(), &["verify", "p.bpl"]).1, 0);
    let mut open = vec![folder.path().join("cache")];
    let mut damaged = 0;
    while let Some(at) = open.pop() {
        if at.is_dir() {
            open.extend(std::fs::read_dir(&at).expect("it is ours").flatten().map(|entry| entry.path()));
        } else if let Ok(mut bytes) = std::fs::read(&at)
            && bytes.len() > 200
        {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0xff;
            std::fs::write(&at, bytes).expect("it is ours");
            damaged += 1;
        }
    }
    assert!(damaged > 0);
    let (text, code) = run(folder.path(), &["cache", "verify"]);
    assert!(!text.ends_with(" 0 are damaged\n") && code == 3, "{text}");
}

#[test]
fn under_the_name_of_boogie_it_takes_boogies_options() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert false; }\n");
    let boogie = folder.path().join("boogie");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ivl"), &boogie).expect("the folder is ours");
    let output = Command::new(&boogie)
        .args(["/errorTrace:0", "-proverOpt:O:smt.mbqi=false", "p.bpl"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        text,
        "p.bpl(1,17): Error: this assertion could not be proved\n\n\
         Boogie program verifier finished with 0 verified, 1 error\n"
    );
}

#[test]
fn a_verdict_is_no_failure_for_boogies_clients_and_a_wrong_command_line_is() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "bad.bpl", "procedure P() { assert false; }\n");
    write(folder.path(), "none.bpl", "procedure P( { }\n");
    write(folder.path(), "odd.bpl", "const p: <a>[]a;\naxiom p[] == p[];\nprocedure P() { }\n");
    let code = |arguments: &[&str]| run(folder.path(), &[&["boogie"], arguments].concat()).1;
    assert_eq!([code(&["bad.bpl"]), code(&["none.bpl"])], [0, 0]);
    assert_eq!(
        [code(&["/nonsense", "bad.bpl"]), code(&["missing.bpl"]), code(&[]), code(&["-timeLimit"])],
        [1; 4]
    );
    // The value may be the next word, and files stand anywhere.
    let (text, code) = run(folder.path(), &["boogie", "bad.bpl", "/proc", "Q*", "-timeLimit", "5"]);
    assert_eq!((text.trim(), code), ("Boogie program verifier finished with 0 verified, 0 errors", 0));
    let (text, _) = run(folder.path(), &["boogie", "-warningsAsErrors", "odd.bpl"]);
    assert!(text.contains("Warning") && !text.contains("finished"), "{text}");
}

#[test]
fn queries_are_written_each_into_its_own_file_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert true; }\nprocedure $Q#1() { assert 1 > 0; }\n");
    assert_eq!(run(folder.path(), &["boogie", "-proverLog:@PROC@.smt2", "p.bpl"]).1, 0);
    for (name, id) in [("P.smt2", "P"), ("$Q_1.smt2", "|$Q#1|")] {
        let text = std::fs::read_to_string(folder.path().join(name)).expect("the query was written");
        assert_eq!(text.matches("(check-sat)").count(), 1, "{text}");
        assert!(text.contains(&format!("(set-info :boogie-vc-id {id})\n(check-sat)")), "{text}");
    }
    // Each piece says whose it is, wherever it is written.
    let body = "{ assert x < x + 1; assert x > x - 1; }";
    write(folder.path(), "q.bpl", &format!("procedure R(x: int) {body}\n"));
    let pieces = ["boogie", "-vcsSplitOnEveryAssert", "-proverLog:R.smt2", "q.bpl"];
    let log = ["verify", "--cache", "off", "--each-check", "--log-smt", "log", "q.bpl"];
    for (arguments, name) in [(&pieces[..], "R.smt2"), (&log[..], "log/0000-R.smt2")] {
        assert_eq!(run(folder.path(), arguments).1, 0);
        let text = std::fs::read_to_string(folder.path().join(name)).expect("the queries were written");
        assert_eq!(text.matches("(set-info :boogie-vc-id R)\n(check-sat)").count(), 2, "{text}");
    }
}

/// Each query declares everything, which a solver refuses the second time.
#[test]
fn between_two_queries_of_one_file_the_solver_is_told_to_forget() {
    let folder = tempfile::tempdir().expect("a folder");
    let body = "{ if (*) { assert x < x + 1; } else { assert x > x - 1; } }";
    let text = format!("procedure P(x: int) {body}\nprocedure Q(x: int) {body}\n");
    write(folder.path(), "p.bpl", &text);
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("the queries were written");
    let logs = |arguments: &[&str], name: &str, queries: usize| {
        assert_eq!(run(folder.path(), arguments).1, 0);
        let text = read(name);
        let checks = text.matches("(check-sat)").count();
        assert_eq!(
            (checks, text.matches("(check-sat)\n(reset)\n(set-option").count()),
            (queries, queries - 1),
            "{text}"
        );
    };
    logs(&["boogie", "-proverLog:all.smt2", "p.bpl"], "all.smt2", 2);
    logs(&["boogie", "-vcsSplitOnEveryAssert", "-proverLog:pieces.smt2", "p.bpl"], "pieces.smt2", 4);
    logs(&["verify", "--cache", "off", "--each-check", "--log-smt", "log", "p.bpl"], "log/0000-P.smt2", 2);
}

#[test]
fn a_program_may_come_on_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(["boogie", "/errorTrace:0", "stdin.bpl"])
        .current_dir(folder.path())
        .env("REPRISE_CACHE", "off")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it is piped");
    std::io::Write::write_all(&mut input, b"procedure P() { assert {:msg \"  here [1]\"} false; }\n")
        .expect("it is read");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, "  here [1]\n\nBoogie program verifier finished with 0 verified, 1 error\n");
}

/// Two versions in which one implementation is unchanged by its checksum, one has an error before which
/// nothing changed, and one calls a procedure whose postcondition became weaker.
const OLD: &str = "\
procedure {:checksum \"0\"} Same();
implementation {:id \"Same\"} {:checksum \"1\"} Same() { assert 1 != 1; }
procedure {:checksum \"2\"} Error(x: int);
implementation {:id \"Error\"} {:checksum \"3\"} Error(x: int) { assert x > 0; assert x > 1; }
procedure {:checksum \"4\"} Callee() returns (r: int);
  ensures r > 1;
procedure {:checksum \"5\"} Call();
implementation {:id \"Call\"} {:checksum \"6\"} Call() { var r: int; call r := Callee(); assert r > 0; }
";

#[test]
fn snapshots_are_reused_as_boogie_reuses_them() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.v0.bpl", OLD);
    // What stayed moves down; the caller's own text is the same.
    let new = format!("// moved\n{OLD}")
        .replace(
            "\"3\"} Error(x: int) { assert x > 0; assert x > 1; }",
            "\"7\"} Error(x: int) { assert x > 0; assert x > 2; }",
        )
        .replace(
            "\"4\"} Callee() returns (r: int);\n  ensures r > 1;",
            "\"8\"} Callee() returns (r: int);\n  ensures r >= 0;",
        );
    write(folder.path(), "p.v1.bpl", &new);
    let at = |level: &str| {
        let level = format!("-verifySnapshots:{level}");
        let (text, code) =
            run(folder.path(), &["boogie", "-errorTrace:0", "-traceCaching:1", &level, "p.bpl"]);
        assert_eq!(code, 0);
        let second =
            text.split("finished with 1 verified, 3 errors\n").nth(1).expect("two versions").to_owned();
        second.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    let summary = "Boogie program verifier finished with 0 verified, 4 errors".to_owned();
    let error = |place: &str| format!("{place}: Error: this assertion could not be proved");
    let command = |place: &str, text: &str| format!("Processing command (at {place}) {text};");
    // Fine-grained: the unchanged error keeps its place, as does the one before which nothing changed; the
    // check behind the call is known where the callee keeps its old promise.
    let expected = vec![
        error("p.v0.bpl(2,54)"),
        command("p.v1.bpl(5,62)", "assert x > 0"),
        "RecycleError".to_owned(),
        command("p.v1.bpl(5,76)", "assert x > 2"),
        "DoNothingToAssert".to_owned(),
    ];
    let found: Vec<String> =
        at("2").into_iter().map(|line| line.trim_start_matches(">>> ").to_owned()).collect();
    let places: Vec<&String> =
        found.iter().filter(|line| line.contains("bpl(2,") || line.contains("(3,")).collect();
    assert!(places.iter().all(|line| line.contains("v0")), "{found:?}");
    for line in &expected {
        assert!(found.contains(line), "{line} in {found:?}");
    }
    assert!(found.contains(&"MarkAsPartiallyVerified".to_owned()), "{found:?}");
    assert_eq!(found.last(), Some(&summary));
    assert_eq!(
        found.iter().filter(|line| line.contains("v0.bpl") && line.contains("Error")).count(),
        2,
        "{found:?}"
    );
    // At the third level everything is told where it stands now.
    assert!(!at("3").iter().any(|line| line.contains("v0.bpl")));
    // Without a cache everything is asked; with whole results, all but what did not change.
    assert!(!at("0").iter().any(|line| line.contains("v0.bpl") || line.contains("Mark")));
    let basic = at("1");
    assert!(
        basic.contains(&error("p.v0.bpl(2,54)")) && !basic.iter().any(|line| line.contains("Mark")),
        "{basic:?}"
    );
}

#[test]
fn unreachable_code_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(x: int) requires x > 0; {\n  if (x < 0) { assert x == 5; }\n  if (x > 1) { assert x > 0; }\n}\n";
    write(folder.path(), "p.bpl", text);
    let (text, _) = run(folder.path(), &["boogie", "-smoke", "p.bpl"]);
    assert_eq!(text.matches("found unreachable code:").count(), 1, "{text}");
    assert!(text.contains("assume {:partition} x < 0;\n    assert x == 5;\n    assert false;\n"), "{text}");
    let (text, _) = run(folder.path(), &["boogie", "p.bpl"]);
    assert!(!text.contains("unreachable"));
    // Each part is told with its implementation; it goes to the end of the block, and says where control would go on.
    let text = "procedure Q(x: int) requires x > 3; { if (x > 2) { return; } assert x == 4; }\n\
        procedure F() { assert false; }\n\
        procedure R(x: int) requires x > 0; { if (x < 0) { assert x == 5; } assert x > 0; }\n";
    write(folder.path(), "q.bpl", text);
    let (text, _) = run(folder.path(), &["boogie", "-smoke", "q.bpl"]);
    let told = lines(&text).join("\n");
    let parts = [
        "assume {:partition} 2 >= x;\nassert x == 4;\nassert false;\nreturn;",
        "q.bpl(2,17): Error",
        "assume {:partition} x < 0;\nassert x == 5;\nassert false;\ngoto ;",
    ];
    let places: Vec<_> = parts.iter().map(|part| told.find(part)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{text}");
}

#[test]
fn unreachable_code_is_told_where_boogie_looks_for_it() {
    let count = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), "p.bpl", text);
        let (text, _) = run(folder.path(), &["boogie", "-smoke", "p.bpl"]);
        (text.matches("found unreachable code:").count(), text)
    };
    // Behind unreachable blocks, too, and with all ways to where it is.
    let (told, text) = count(
        "procedure Q(x: int) requires x > 0; {\n  goto A, B;\n  A: assume x < 0; goto C, D;\n  B: assume x < -7; goto C, D;\n\
         C: assert x > 7; goto E;\n  D: assert x > 8; goto E;\n  E: assert x > 8;\n}\n",
    );
    assert_eq!(told, 5, "{text}");
    let ways = lines(&text).join("\n");
    let all = "anon0:\ngoto A, B;\nB:\nassume x < -7;\ngoto C, D;\nA:\nassume x < 0;\ngoto C, D;\nD:\nassert x > 8;\n\
        goto E;\nC:\nassert x > 7;\ngoto E;\nE:\nassert x > 8;\nassert false;\nreturn;";
    assert!(ways.replace("\n\n", "\n").contains(all), "{ways}");
    // What stands before the place where the program itself says so; that place is not looked at.
    for (told, body) in [
        (1, "assume x < 0; call Never(); assert x > 4;"),
        (0, "call Never(); assert x == 4;"),
        (0, "assume !true;"),
        (1, "assume 1 == 2;"),
        (0, "if (x > 3) { assert x > 1; assume false; } else { assert !false; }"),
        (1, "if (x > 3) { assume x < 0; assume false; }"),
        (0, "if (x > 3) { assert x > 0; } else { assume x > 7; assert false; }"),
        (0, "assert {:PossiblyUnreachable} x > 0; assume x < 0;"),
        (1, "assert {:PossiblyUnreachable false} x > 0; assume x < 0;"),
        // What precedes other blocks is looked at with them.
        (2, "assume x < 0; if (x > 3) { assert x > 3; } else { assert x < 9; }"),
        (2, "if (*) { assume x < 0; } else { assume x > 5; } if (x < 3) { assert x > 9; }"),
    ] {
        let text =
            format!("procedure Never(); ensures false;\nprocedure Q(x: int) requires x > 0; {{ {body} }}\n");
        let (found, text) = count(&text);
        assert_eq!(found, told, "{body}\n{text}");
    }
    // Loops are cut at their invariants.
    let (told, text) = count(
        "procedure Q() {\n  var i: int; var b: bool;\n  b := true;\n  while (b) invariant b; { i := i + 1; }\n  assert i == 0;\n}\n",
    );
    let cut = "b := true;\nassert b;\ngoto anon3_LoopHead;\nanon3_LoopHead:\nhavoc i;\nassume b;\ngoto anon3_LoopDone;\n\
        anon3_LoopDone:\nassume {:partition} !b;\nassert i == 0;\nassert false;\nreturn;";
    assert_eq!(told, 1, "{text}");
    assert!(lines(&text).join("\n").replace("\n\n", "\n").contains(cut), "{text}");
}

#[test]
fn unreachable_code_is_told_of_each_snapshot_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    // Nothing is wrong with it; the checksums say so before anything is asked. What changes between the versions
    // is of what use the branch is, by the callee's promise.
    let text = |promise: &str, checksum: u32, body: &str| {
        format!(
            "procedure {{:checksum \"1\"}} P(x: int) requires x > 0; {{ if (x < 5) {{ assert x < 9; }} }}\n\
             procedure {{:checksum \"{checksum}\"}} Q() returns (r: int); ensures {promise};\n\
             procedure {{:checksum \"3\"}} R() {{ var r: int; call r := Q(); if (r < 5) {{ {body} }} }}\n"
        )
    };
    let versions = [
        text("r > 0", 1, "assert r < 9;"),
        text("r > 0", 1, "assert r < 9;"),
        text("r > 5", 2, "assert r < 9;"),
        text("r > 0", 1, "assert r < 9;"),
    ];
    for (number, text) in versions.iter().enumerate() {
        write(folder.path(), &format!("p.v{number}.bpl"), text);
    }
    let counts = |level: &str| -> Vec<usize> {
        let (text, _) = run(folder.path(), &["boogie", "-smoke", level, "p.bpl"]);
        let versions = text.split("Boogie program verifier finished with 2 verified, 0 errors");
        versions.take(4).map(|version| version.matches("found unreachable code:").count()).collect()
    };
    // Only where the callee promises more does nothing get into its caller's branch.
    for level in ["-verifySnapshots:0", "-verifySnapshots:1", "-verifySnapshots:2", "-verifySnapshots:3"] {
        assert_eq!(counts(level), [0, 0, 1, 0], "{level}");
    }
}

#[test]
fn what_was_said_while_constants_were_tried_is_not_claimed_later() {
    let folder = tempfile::tempdir().expect("a folder");
    // The first try takes b for true, and the postcondition fails that depends on it.
    let text = "const {:existential true} b: bool;\nprocedure {:checksum \"1\"} P(x: int) returns (y: int)\n  \
        ensures b ==> y > 0; { y := x * x; }\n";
    write(folder.path(), "p.v0.bpl", text);
    for level in ["-verifySnapshots:0", "-verifySnapshots:1", "-verifySnapshots:2"] {
        let (text, _) = run(folder.path(), &["boogie", "-contractInfer", "-printAssignment", level, "p.bpl"]);
        assert!(text.contains("b = False\n"), "{level}: {text}");
        assert!(text.contains("1 verified, 0 errors") && !text.contains("Error"), "{level}: {text}");
    }
}

/// Without white space at the ends of lines and without empty lines.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// What contradicts itself proves everything, and what control does not get to needs no proof.
#[test]
fn what_is_proved_in_vain_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure Contradiction(x: int)\n  requires x > 3;\n  requires x < 2;\n  ensures x == 7;\n{\n  assert x == 9;\n}\n\
        procedure Dead(x: int)\n  ensures x == x + 0;\n{\n  if (x > 3 && x < 2) {\n    assert x == 9;\n    assert {:id \"named\"} x == 8;\n  }\n\
        assert x == x;\n  assert true;\n}\n\
        procedure Loop(n: int)\n{\n  var i: int;\n  while (i < n)\n    invariant i == i;\n  {\n    assume false;\n    assert i == 7;\n  }\n}\n\
        procedure Fails(x: int)\n  requires x > 3;\n{\n  assert x == 9;\n}\n";
    write(folder.path(), "p.bpl", text);
    let (told, code) = run(folder.path(), &["boogie", "-warnVacuousProofs", "p.bpl"]);
    assert_eq!(
        (lines(&told), code),
        (
            vec![
                "p.bpl(6,2): Warning: Proved vacuously",
                "p.bpl(4,2): Warning: Proved vacuously",
                "p.bpl(12,4): Warning: Proved vacuously",
                "p.bpl(13,4): Warning: Proved vacuously",
                "p.bpl(25,4): Warning: Proved vacuously",
                "p.bpl(31,3): Error: this assertion could not be proved",
                "Execution trace:",
                "p.bpl(31,3): anon0",
                "Boogie program verifier finished with 3 verified, 1 error",
            ],
            0
        )
    );
    // Parts that have no names are told by their places.
    let (told, _) = run(folder.path(), &["boogie", "-warnVacuousProofs", "-trace", "-proc:Dead", "p.bpl"]);
    assert!(told.contains("  id_l15_c1_assert_"), "{told}");
}

#[test]
fn every_file_that_cannot_be_opened_is_told_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "bad.bpl", "procedure P( { }\n");
    write(folder.path(), "good.bpl", "procedure P() { assert false; }\n");
    let (text, code) = run(folder.path(), &["boogie", "a.bpl", "bad.bpl", "good.bpl", "b.bpl"]);
    assert_eq!(
        (lines(&text), code),
        (
            vec![
                "Error opening file \"a.bpl\": Could not find file 'a.bpl'.",
                "bad.bpl(1,16): error: invalid AttributeOrTrigger",
                "1 parse errors detected in bad.bpl",
                "Error opening file \"b.bpl\": Could not find file 'b.bpl'.",
            ],
            1
        )
    );
    let (text, _) = run(folder.path(), &["boogie", "nowhere/a.bpl"]);
    assert_eq!(
        text,
        "Error opening file \"nowhere/a.bpl\": Could not find a part of the path 'nowhere/a.bpl'.\n"
    );
    // Where each file is told, what is wrong with it stands below its name, and above the next one's.
    let (text, code) = run(folder.path(), &["boogie", "-trace", "bad.bpl", "good.bpl"]);
    let wrong = "bad.bpl(1,16): error: invalid AttributeOrTrigger\n1 parse errors detected in bad.bpl\n";
    assert_eq!((text, code), (format!("Parsing bad.bpl\n{wrong}Parsing good.bpl\n"), 0));
}

#[test]
fn the_end_of_an_inlined_body_has_no_place_for_boogie() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure {:inline 1} A(x: int) returns (r: int) ensures r > 1; { r := x; }\nprocedure P(x: int) { var y: int; assert x != 3; call y := A(x); }\n";
    write(folder.path(), "p.bpl", text);
    let (text, _) = run(folder.path(), &["boogie", "-errorTrace:0", "p.bpl"]);
    assert_eq!(
        lines(&text),
        [
            "(0,0): Error: a postcondition could not be proved on this return path",
            "p.bpl(1,50): Related location: this is the postcondition that could not be proved",
            "p.bpl(2,35): Error: this assertion could not be proved",
            "Boogie program verifier finished with 0 verified, 2 errors",
        ]
    );
    let (text, _) = run(folder.path(), &["verify", "p.bpl"]);
    assert!(text.contains("p.bpl:2:"), "{text}");
}
