//! Edit sessions: a program and the steps in which somebody changed it.
//!
//! A session is a folder with the first snapshot and the edits that lead from each snapshot to the next, in the
//! format that `fixtures/boogie/sessions/README.md` documents: a line `= N: INTENT` for each snapshot, and the
//! hunks of a unified diff. A hunk is applied where it says and nowhere else; lines that do not agree are an
//! error, so that a session cannot drift unnoticed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::setup::root;

/// One state of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot {
    /// What the edit was for; empty for the first.
    pub(super) intent: String,
    pub(super) text: String,
}

/// A session, whole.
#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) name: String,
    /// What the program is.
    pub(super) title: String,
    pub(super) snapshots: Vec<Snapshot>,
}

/// Every session below a folder of the checkout, in the order of their names. The programs' names end in
/// `extension`.
pub(super) fn all(folder: &str, extension: &str) -> Result<Vec<Session>, Error> {
    let folder = root().join(folder);
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
        let path = entry.map_err(Error::reading(&folder))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    folders.iter().map(|folder| read(folder, extension)).collect()
}

/// The session of a folder.
pub(super) fn read(folder: &Path, extension: &str) -> Result<Session, Error> {
    let text = |name: String| {
        let file = folder.join(name);
        fs::read_to_string(&file).map_err(Error::reading(&file))
    };
    let base = text(format!("base.{extension}"))?;
    let edits = text("base.edits.diff".to_owned())?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (title, snapshots) =
        replay(&base, &edits).map_err(|detail| Error::Findings(format!("session {name}: {detail}")))?;
    Ok(Session { name, title, snapshots })
}

/// The title and the snapshots, or what is wrong with the edits.
fn replay(base: &str, edits: &str) -> Result<(String, Vec<Snapshot>), String> {
    let mut title = String::new();
    let mut lines: Vec<String> = base.lines().map(str::to_owned).collect();
    let mut snapshots = vec![Snapshot { intent: String::new(), text: base.to_owned() }];
    let mut hunk: Option<Hunk> = None;
    // By how many lines what follows has moved because of the hunks of this edit.
    let mut moved = 0_i64;
    for (number, line) in (1..).zip(edits.lines()) {
        let wrong = |what: &str| format!("line {number} of the edits: {what}");
        if let Some(open) = &mut hunk
            && open.take(line)
        {
            if open.is_complete() {
                moved += open.apply(&mut lines, moved).map_err(|what| wrong(&what))?;
                hunk = None;
            }
            continue;
        }
        if hunk.is_some() {
            return Err(wrong("the hunk before it is not complete"));
        }
        if let Some(rest) = line.strip_prefix("= ") {
            close(&mut snapshots, &lines);
            let (count, intent) = rest.split_once(": ").ok_or_else(|| wrong("expected `= N: INTENT`"))?;
            if count.parse() != Ok(snapshots.len()) {
                return Err(wrong(&format!("this is snapshot {}", snapshots.len())));
            }
            snapshots.push(Snapshot { intent: intent.to_owned(), text: String::new() });
            moved = 0;
        } else if line.starts_with("@@ ") {
            hunk = Some(Hunk::begin(line).ok_or_else(|| wrong("not the head of a hunk"))?);
        } else if let Some(rest) = line.strip_prefix("# ") {
            rest.clone_into(&mut title);
        } else {
            return Err(wrong("neither an edit nor a hunk"));
        }
    }
    if hunk.is_some() {
        return Err("the last hunk is not complete".to_owned());
    }
    close(&mut snapshots, &lines);
    Ok((title, snapshots))
}

/// Fills in the text of the snapshot whose edits have all been applied.
fn close(snapshots: &mut [Snapshot], lines: &[String]) {
    if let Some(last) = snapshots.last_mut() {
        last.text = lines.join("\n") + "\n";
    }
}

/// A stretch of lines and what becomes of it.
#[derive(Debug)]
struct Hunk {
    /// The first line, counted from 0, before the edit.
    start: i64,
    old_length: usize,
    new_length: usize,
    old: Vec<String>,
    new: Vec<String>,
}

impl Hunk {
    /// From `@@ -START,LENGTH +START,LENGTH @@`.
    fn begin(line: &str) -> Option<Hunk> {
        let mut words = line.split(' ').skip(1);
        let range = |word: &str, sign: char| -> Option<(i64, usize)> {
            let word = word.strip_prefix(sign)?;
            let (start, length) = word.split_once(',').unwrap_or((word, "1"));
            Some((start.parse().ok()?, length.parse().ok()?))
        };
        let (start, old_length) = range(words.next()?, '-')?;
        let (_, new_length) = range(words.next()?, '+')?;
        // An empty stretch is named by the line before it.
        let start = if old_length == 0 { start } else { start - 1 };
        Some(Hunk { start, old_length, new_length, old: Vec::new(), new: Vec::new() })
    }

    /// Takes a line of the hunk; false if it is none.
    fn take(&mut self, line: &str) -> bool {
        // Editors and mail strip the blank that stands for an empty line in both.
        let (sign, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
        if sign == " " || sign == "-" {
            self.old.push(rest.to_owned());
        }
        if sign == " " || sign == "+" {
            self.new.push(rest.to_owned());
        }
        matches!(sign, " " | "-" | "+")
    }

    fn is_complete(&self) -> bool {
        self.old.len() >= self.old_length && self.new.len() >= self.new_length
    }

    /// Applies it to lines of which those behind the earlier hunks have moved; by how much what follows moves.
    fn apply(&self, lines: &mut Vec<String>, moved: i64) -> Result<i64, String> {
        if self.old.len() != self.old_length || self.new.len() != self.new_length {
            return Err("the lengths of the hunk are not those of its head".to_owned());
        }
        let start = usize::try_from(self.start + moved).map_err(|_| "the hunk begins before the text")?;
        let end = start + self.old.len();
        if lines.get(start..end) != Some(self.old.as_slice()) {
            return Err("the program does not have these lines there".to_owned());
        }
        lines.splice(start..end, self.new.iter().cloned());
        let length = |lines: &[String]| i64::try_from(lines.len()).unwrap_or(i64::MAX);
        Ok(length(&self.new) - length(&self.old))
    }
}

impl Session {
    /// Writes the snapshots `from..` (at most `count`) as `session.v0.EXT`, `session.v1.EXT`, ... into a folder.
    pub(super) fn write(
        &self,
        folder: &Path,
        extension: &str,
        (from, count): (usize, usize),
    ) -> Result<(), Error> {
        for (version, snapshot) in self.snapshots.iter().skip(from).take(count).enumerate() {
            let file = folder.join(format!("session.v{version}.{extension}"));
            fs::write(&file, &snapshot.text).map_err(Error::writing(&file))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{all, replay};

    #[test]
    fn edits_are_applied_where_they_say() {
        let edits = "# two hunks\n= 1: change b, drop d\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n@@ -4 +4,0 @@\n-d\n= 2: add\n@@ -3,0 +4,1 @@\n+z\n";
        let (title, snapshots) = replay("a\nb\nc\nd\n", edits).unwrap();
        assert_eq!(title, "two hunks");
        let found: Vec<(&str, &str)> =
            snapshots.iter().map(|it| (it.intent.as_str(), it.text.as_str())).collect();
        assert_eq!(
            found,
            [("", "a\nb\nc\nd\n"), ("change b, drop d", "a\nx\ny\nc\n"), ("add", "a\nx\ny\nz\nc\n")]
        );
    }

    #[test]
    fn edits_that_do_not_fit_are_errors() {
        for (edits, expected) in [
            ("= 1: e\n@@ -1,1 +1,1 @@\n-b\n+c\n", "does not have these lines"),
            ("= 2: e\n", "this is snapshot 1"),
            ("= 1: e\n@@ -1,2 +1,1 @@\n-a\n", "last hunk is not complete"),
            ("= 1: e\n@@ -1,1 +1,0 @@\n-a\n-a\n", "neither an edit nor a hunk"),
            ("nonsense\n", "neither an edit nor a hunk"),
        ] {
            let error = replay("a\n", edits).unwrap_err();
            assert!(error.contains(expected), "{edits:?}: {error}");
        }
    }

    #[test]
    fn the_sessions_have_the_shape_of_the_papers() {
        let sessions = all(super::super::SESSIONS, "bpl").unwrap();
        let lengths: Vec<usize> = sessions.iter().map(|session| session.snapshots.len()).collect();
        assert_eq!(lengths, super::super::figures::PAPER.map(|it| it.snapshots));
        for session in &sessions {
            for pair in session.snapshots.windows(2) {
                assert_ne!(pair[0].text, pair[1].text, "{}: {}", session.name, pair[1].intent);
            }
            assert!(session.snapshots.iter().skip(1).all(|it| !it.intent.is_empty()), "{}", session.name);
        }
    }
}
