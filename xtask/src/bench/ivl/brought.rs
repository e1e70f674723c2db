//! Sessions that somebody brings: a folder of snapshots, or the history of a file in git.
//!
//! In a folder, `NAME.v0.bpl`, `NAME.v1.bpl`, ... are a session for each NAME, and other programs are one
//! session in the order of their names; a folder of folders has a session in each. The history of a file is
//! that of the branch that is checked out, renames followed, oldest first. Programs of Dafny are printed by
//! `dafny` before they are measured; a version that it refuses is left out, like a version that is no program
//! for `ivl`: half-done work is no session.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::peers;
use super::sessions::{self, Session, Snapshot};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// Where sessions come from, beside those of the checkout.
#[derive(Debug, Clone, Default)]
pub(crate) struct Brought {
    /// Folders of snapshots.
    pub(crate) folders: Vec<PathBuf>,
    /// Files with a history in git.
    pub(crate) histories: Vec<PathBuf>,
}

impl Brought {
    /// The sessions, with what had to be left out, a line each.
    pub(super) fn sessions(&self, programs: &Programs) -> Result<(Vec<Session>, Vec<String>), Error> {
        let mut found = Vec::new();
        for folder in &self.folders {
            of_folder(folder, &mut found)?;
        }
        for file in &self.histories {
            found.push(of_history(file)?);
        }
        let mut sessions = Vec::new();
        let mut left_out = Vec::new();
        for (extension, session) in found {
            let name = session.name.clone();
            let all = session.snapshots.len();
            let session = usable(programs, session, &extension)?;
            let some = session.snapshots.len();
            if some < all {
                left_out
                    .push(format!("{name}: {} of {all} versions are no programs, and left out", all - some));
            }
            if some == 0 {
                return Err(Error::Findings(format!("{name}: no version is a program for `ivl`")));
            }
            sessions.push(session);
        }
        Ok((sessions, left_out))
    }
}

/// A session with the extension of its files.
type Found = (String, Session);

/// Every session of a folder.
fn of_folder(folder: &Path, found: &mut Vec<Found>) -> Result<(), Error> {
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        entries.push(entry.map_err(Error::reading(folder))?.path());
    }
    entries.sort();
    if let Some(base) = entries.iter().find(|path| path.file_stem() == Some(OsStr::new("base"))) {
        let extension = extension(base);
        found.push((extension.clone(), sessions::read(folder, &extension)?));
        return Ok(());
    }
    let before = found.len();
    // By name and extension: the versions by number, or the files by name.
    let mut versions: BTreeMap<(String, String), BTreeMap<(u64, PathBuf), PathBuf>> = BTreeMap::new();
    for path in &entries {
        if path.is_dir() {
            of_folder(path, found)?;
            continue;
        }
        let extension = extension(path);
        if extension != "bpl" && extension != "dfy" {
            continue;
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (name, number) = match version(&stem) {
            Some((name, number)) => (name.to_owned(), number),
            None => (title(folder), 0),
        };
        versions.entry((name, extension)).or_default().insert((number, path.clone()), path.clone());
    }
    for ((name, extension), files) in versions {
        let mut snapshots = Vec::new();
        for file in files.values() {
            let text = fs::read_to_string(file).map_err(Error::reading(file))?;
            let intent = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            snapshots.push(Snapshot { intent, text });
        }
        found.push((extension, Session { title: name.clone(), name, snapshots }));
    }
    if found.len() == before {
        return Err(Error::Findings(format!(
            "{}: no programs (.bpl, .dfy) are in this folder",
            folder.display()
        )));
    }
    Ok(())
}

/// The name and number of a version `NAME.vN`.
fn version(stem: &str) -> Option<(&str, u64)> {
    let (name, number) = stem.rsplit_once(".v")?;
    Some((name, number.parse().ok()?))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().into_owned()
}

fn title(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The history of a file.
fn of_history(file: &Path) -> Result<Found, Error> {
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let git = |arguments: &[&OsStr]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(arguments);
        process::stdout(&mut command)
    };
    let name = file.file_name().unwrap_or_default();
    let words = ["log", "--follow", "--name-only", "--format=%x00%H %s", "--"].map(OsStr::new);
    let log = git(&[&words[..], &[name]].concat())?;
    let mut snapshots = Vec::new();
    for (commit, intent, path) in commits(&log) {
        // A commit that deletes the file has no version of it.
        let Ok(text) = git(&[OsStr::new("show"), OsStr::new(&format!("{commit}:{path}"))]) else { continue };
        snapshots.push(Snapshot { intent: intent.to_owned(), text });
    }
    snapshots.reverse();
    snapshots.dedup_by(|later, earlier| later.text == earlier.text);
    if snapshots.is_empty() {
        return Err(Error::Findings(format!("{}: git knows no history of this file", file.display())));
    }
    let name = title(file);
    Ok((extension(file), Session { title: format!("the history of {name}"), name, snapshots }))
}

/// The commits of a log, newest first: each with its subject, and where the file was.
fn commits(log: &str) -> Vec<(&str, &str, &str)> {
    let of = |entry| -> Option<(&str, &str, &str)> {
        let entry: &str = entry;
        let (head, rest) = entry.split_once('\n')?;
        let (commit, intent) = head.split_once(' ')?;
        Some((commit, intent, rest.lines().find(|line| !line.is_empty())?))
    };
    log.split('\0').filter_map(of).collect()
}

/// What of a session can be verified, as Boogie programs.
fn usable(programs: &Programs, session: Session, extension: &str) -> Result<Session, Error> {
    let mut snapshots = Vec::new();
    for snapshot in session.snapshots {
        let text = match extension {
            "dfy" => peers::printed_by_dafny(&snapshot.text)?,
            _ => Some(snapshot.text),
        };
        let Some(text) = text else { continue };
        let scratch = Scratch::new()?;
        let file = scratch.path().join("p.bpl");
        fs::write(&file, &text).map_err(Error::writing(&file))?;
        let mut command = programs.command("ivl", &scratch);
        // No procedure can be called so: the program is read, and nothing is asked.
        command.args(["verify", "--cache", "off", "--proc", "no procedure"]).arg(&file);
        let said = process::output(&mut command)?;
        if said.status.success() {
            snapshots.push(Snapshot { text, ..snapshot });
        }
    }
    Ok(Session { snapshots, ..session })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::{commits, of_folder, of_history, version};
    use crate::scratch::Scratch;

    #[test]
    fn versions_are_told_by_their_names() {
        assert_eq!(version("p.v12"), Some(("p", 12)));
        assert_eq!(version("a.v1.v2"), Some(("a.v1", 2)));
        assert_eq!(version("p.vx"), None);
        assert_eq!(version("p"), None);
    }

    #[test]
    fn a_log_is_read_newest_first() {
        let log = "\0abc mend it\n\nnew.bpl\n\0def first: all\n\nold/name.bpl\n\0bad\n";
        assert_eq!(commits(log), [("abc", "mend it", "new.bpl"), ("def", "first: all", "old/name.bpl")]);
    }

    #[test]
    fn folders_of_versions_and_of_files_are_sessions() {
        let scratch = Scratch::new().unwrap();
        for (name, text) in
            [("p.v10.bpl", "10"), ("p.v9.bpl", "9"), ("b.bpl", "b"), ("a.bpl", "a"), ("n.txt", "n")]
        {
            fs::write(scratch.path().join(name), text).unwrap();
        }
        let mut found = Vec::new();
        of_folder(scratch.path(), &mut found).unwrap();
        let mut texts: Vec<Vec<&str>> = found
            .iter()
            .map(|(_, session)| session.snapshots.iter().map(|it| it.text.as_str()).collect())
            .collect();
        texts.sort();
        assert_eq!(texts, [vec!["9", "10"], vec!["a", "b"]]);
        let empty = Scratch::new().unwrap();
        assert!(of_folder(empty.path(), &mut Vec::new()).is_err());
    }

    #[test]
    fn a_history_is_followed_through_renames() {
        let scratch = Scratch::new().unwrap();
        let git = |arguments: &[&str]| {
            let who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"];
            let status = Command::new("git").arg("-C").arg(scratch.path()).args(who).args(arguments).output();
            assert!(status.unwrap().status.success(), "{arguments:?}");
        };
        let long = "procedure P();\n".repeat(20);
        git(&["init", "-q"]);
        fs::write(scratch.path().join("old.bpl"), &long).unwrap();
        git(&["add", "."]);
        git(&["commit", "-q", "-m", "first"]);
        git(&["mv", "old.bpl", "new.bpl"]);
        git(&["commit", "-q", "-m", "another name"]);
        fs::write(scratch.path().join("new.bpl"), format!("{long}// more\n")).unwrap();
        git(&["commit", "-q", "-a", "-m", "more"]);
        let (extension, session) = of_history(&scratch.path().join("new.bpl")).unwrap();
        assert_eq!(extension, "bpl");
        let found: Vec<(&str, usize)> =
            session.snapshots.iter().map(|it| (it.intent.as_str(), it.text.lines().count())).collect();
        // What changes the name alone is no edit.
        assert_eq!(found, [("first", 20), ("more", 21)]);
        assert!(of_history(&scratch.path().join("nothing.bpl")).is_err());
    }
}
