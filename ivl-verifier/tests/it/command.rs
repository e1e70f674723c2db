//! The command line, as a user meets it: what it prints and the code it ends with.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far more than anything here should take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs the program in a folder; what it printed and its exit code.
fn run(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(arguments)
        .current_dir(folder)
        .env("REPRISE_CACHE_DIR", folder.join("cache"))
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code().expect("the program ends by itself"))
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    // In one step, as editors do: whoever looks sees the old text or the new one.
    let (path, new) = (folder.join(name), folder.join("new"));
    std::fs::write(&new, text).expect("the folder is ours");
    std::fs::rename(&new, &path).expect("the folder is ours");
    path
}

/// A running `ivl watch`, ended with the value.
struct Watching {
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
        let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
            .args(["watch", "--time-limit", "0", "--interval", "5", file])
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
    fn version(&self) -> String {
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
