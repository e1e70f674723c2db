//! Rules about files: that they can be read, their length, their first lines, what they name, what lies beside them.

use super::{Finding, Tree};

/// Above this many lines a file's `//!` states why, on a line that begins with [`REASON`].
const LONG: usize = 600;
/// Above this many lines a file is split.
const TOO_LONG: usize = 1000;
/// A line about a change has at most so many characters.
const CHANGE: usize = 200;
const REASON: &str = "//! Length:";

/// Every Rust file consists of Rust tokens: the rules that read tokens would otherwise pass over it.
pub(super) fn files_are_read(tree: &Tree) -> Vec<Finding> {
    let unread = tree.sources.iter().filter_map(|source| Some((&source.path, source.error.as_ref()?)));
    unread.map(|(path, error)| Finding::at(path, 0, format!("cannot be read as Rust: {error}"))).collect()
}

/// A file over 600 lines says why in a line `//! Length: ...` at its head; none is over 1,000.
pub(super) fn files_are_short(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.sources {
        let text = tree.files.get(&source.path).map_or("", String::as_str);
        let lines = text.lines().count();
        let reason =
            text.lines().take_while(|line| line.starts_with("//!")).any(|line| line.starts_with(REASON));
        if lines > TOO_LONG {
            findings.push(Finding::at(
                &source.path,
                0,
                format!("has {lines} lines; split it along its concepts"),
            ));
        } else if lines > LONG && !reason {
            let message =
                format!("has {lines} lines; split it, or say why not in a line `{REASON} ...` at its head");
            findings.push(Finding::at(&source.path, 0, message));
        }
    }
    findings
}

/// Every Rust file begins with `//!` and says something there.
pub(super) fn modules_are_documented(tree: &Tree) -> Vec<Finding> {
    let undocumented = tree.sources.iter().filter(|source| {
        let text = tree.files.get(&source.path).map_or("", String::as_str);
        let head = text.lines().next().unwrap_or("");
        head.strip_prefix("//!").is_none_or(|words| words.trim().is_empty())
    });
    undocumented.map(|source| Finding::at(&source.path, 1, "begins without `//!`")).collect()
}

/// No tracked file names a folder of someone's machine, or a place from which packages are fetched
/// (cargo's own index in the lock file aside).
pub(super) fn no_machine_is_named(tree: &Tree) -> Vec<Finding> {
    // Taken apart, so that this file does not find itself.
    const LOCK_SOURCE: &str =
        concat!("source = \"registry", "+https://github.com/rust-lang/crates.io-index\"");
    let folders = ["home", "root", "tmp", "work", "farm", "Users"].map(|name| format!("/{name}/"));
    let hosts = [
        concat!("index", "-url"),
        concat!("crates", ".io/"),
        concat!("crates", ".io\""),
        concat!("python", "hosted.org"),
        concat!("pypi", ".org"),
        concat!("registry", "+http"),
        concat!("replace", "-with"),
        concat!("://", "localhost"),
        concat!("://", "10."),
        concat!("://", "127."),
        concat!("://", "192.168."),
    ];
    let mut findings = Vec::new();
    for (path, text) in &tree.files {
        for (index, line) in text.lines().enumerate() {
            if path == "Cargo.lock" && line == LOCK_SOURCE {
                continue;
            }
            if folders.iter().any(|folder| names_folder(line, folder)) {
                findings.push(Finding::at(path, index + 1, "names a folder of a machine"));
            }
            if let Some(host) = hosts.iter().find(|host| line.contains(**host)) {
                findings.push(Finding::at(
                    path,
                    index + 1,
                    format!("names where packages come from: `{host}`"),
                ));
            }
        }
    }
    findings
}

/// Whether an absolute path below `folder` begins in this line: after the start, a space, a quote or the
/// like, and followed by a name.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        // Ada is nobody: the home folder of documentation and tests.
        if line[at..].starts_with("/home/ada") {
            return false;
        }
        let before = line[..at].chars().next_back();
        let after = line[at + folder.len()..].chars().next();
        let starts = before.is_none_or(|c| {
            !(c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | '~' | '}' | ')' | '<' | '>' | '$'))
        });
        starts && after.is_some_and(|c| c.is_alphanumeric() || c == '.')
    })
}

/// The README shows the two commands that do everything on a fresh machine.
pub(super) fn readme_shows_the_commands(tree: &Tree) -> Vec<Finding> {
    let text = tree.files.get("README.md").map_or("", String::as_str);
    let absent =
        ["cargo xtask bench", "cargo xtask test"].into_iter().filter(|command| !text.contains(command));
    absent.map(|command| Finding::at("README.md", 0, format!("does not show `{command}`"))).collect()
}

/// A change is told in a line that its reader takes in at once.
pub(super) fn changes_are_told_briefly(tree: &Tree) -> Vec<Finding> {
    const FILE: &str = "CHANGELOG.md";
    let lines = tree.files.get(FILE).into_iter().flat_map(|text| text.lines()).enumerate();
    lines
        .filter(|(_, line)| line.chars().count() > CHANGE)
        .map(|(place, _)| {
            Finding::at(
                FILE,
                place + 1,
                format!("longer than {CHANGE} characters: say less, or two things apart"),
            )
        })
        .collect()
}

/// What packages hold of the checkout is there as text: links out of a package are not packed, nor kept by every
/// checkout.
pub(super) fn packages_hold_what_they_copy(tree: &Tree) -> Vec<Finding> {
    const COPIES: [(&str, &str); 5] = [
        ("LICENSE-APACHE", "cache-core/LICENSE-APACHE"),
        ("LICENSE-APACHE", "cache-core/derive/LICENSE-APACHE"),
        ("LICENSE-MIT", "cache-core/LICENSE-MIT"),
        ("LICENSE-MIT", "cache-core/derive/LICENSE-MIT"),
        ("docs/soundness.md", "cache-core/soundness.md"),
    ];
    let differs = COPIES.into_iter().filter(|(of, copy)| tree.files.get(*of) != tree.files.get(*copy));
    differs.map(|(of, copy)| Finding::at(copy, 0, format!("is no copy of {of}: `cp {of} {copy}`"))).collect()
}

/// Every input below `fixtures` has its expectation: a comment `expect` or the commands `RUN:` in it, or beside
/// it a file of the same name that is no input, or an input of the same name that holds one. Names are compared
/// up to the first dot or hyphen: `errors.ll` and `matrix-4-3.ll` are made from `errors.c` and `matrix.c`,
/// `history.v0.bpl` belongs to `history.expect`.
pub(super) fn fixtures_have_expectations(tree: &Tree) -> Vec<Finding> {
    const INPUTS: [&str; 5] = ["bpl", "c", "pl", "bc", "ll"];
    let is_input = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| INPUTS.contains(&ending));
    let stem = |path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        format!("{folder}/{}", name.split(['.', '-']).next().unwrap_or(name))
    };
    let holds_one = |text: &str| {
        text.lines().any(|line| {
            let comment = line.trim_start().trim_start_matches(['/', '%', '*', ';', ' ']);
            comment.len() < line.len() && ["expect", "RUN:"].iter().any(|mark| comment.starts_with(mark))
        })
    };
    let fixtures = || tree.files.iter().filter(|(path, _)| path.starts_with("fixtures/"));
    let expected: Vec<String> = fixtures()
        .filter(|(path, text)| !is_input(path) || holds_one(text))
        .map(|(path, _)| stem(path))
        .collect();
    let lacking = fixtures().filter(|(path, _)| is_input(path) && !expected.contains(&stem(path)));
    lacking.map(|(path, _)| Finding::at(path, 0, "has no expectation beside it")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check::places;

    #[test]
    fn a_file_that_is_no_rust_is_found() {
        let found = places(super::files_are_read, &[("rtcheck/src/read.rs", "fn f( {")]);
        assert_eq!(found, ["rtcheck/src/read.rs:0"]);
    }

    #[test]
    fn a_long_file_without_a_reason_is_found() {
        let lines = |count: usize| "fn f() {}\n".repeat(count);
        let (short, long, too_long) = (lines(600), lines(601), lines(1001));
        let reasoned = format!("//! A table.\n//! Length: one row per instruction.\n{}", lines(700));
        let late = format!("//! A table.\n{}//! Length: no.\n", lines(700));
        let found = places(
            super::files_are_short,
            &[("a.rs", &short), ("b.rs", &long), ("c.rs", &too_long), ("d.rs", &reasoned), ("e.rs", &late)],
        );
        assert_eq!(found, ["b.rs:0", "c.rs:0", "e.rs:0"]);
    }

    #[test]
    fn a_module_without_words_is_found() {
        let found = places(
            super::modules_are_documented,
            &[("a.rs", "//! Words.\n"), ("b.rs", "//!\nuse x;"), ("c.rs", "use x;"), ("d.rs", "")],
        );
        assert_eq!(found, ["b.rs:1", "c.rs:1", "d.rs:1"]);
    }

    #[test]
    fn a_machine_and_a_registry_are_found() {
        let home = format!("see {}home/eve/x\nand ~{}tmp/x and a{}tmp/y\n`{}tmp/z`\n", '/', '/', '/', '/');
        let lock = format!(
            "source = \"{}+https://github.com/rust-lang/crates.io-index\"\nsource = \"{0}+https://mirror\"\n",
            "registry"
        );
        let found = places(super::no_machine_is_named, &[("docs/a.md", &home), ("Cargo.lock", &lock)]);
        assert_eq!(found, ["Cargo.lock:2", "docs/a.md:1", "docs/a.md:3"]);
    }

    #[test]
    fn a_readme_without_a_command_is_found() {
        assert_eq!(
            places(super::readme_shows_the_commands, &[("README.md", "`cargo xtask test`")]),
            ["README.md:0"]
        );
        assert_eq!(places(super::readme_shows_the_commands, &[]).len(), 2);
        let both = "cargo xtask bench\ncargo xtask test\n";
        assert!(places(super::readme_shows_the_commands, &[("README.md", both)]).is_empty());
    }

    #[test]
    fn a_long_line_about_a_change_is_found() {
        let text = format!("# Changes\n- {}\n- {}.\n", "\u{e9}".repeat(198), "a".repeat(198));
        assert_eq!(places(super::changes_are_told_briefly, &[("CHANGELOG.md", &text)]), ["CHANGELOG.md:3"]);
        assert!(places(super::changes_are_told_briefly, &[("README.md", &text)]).is_empty());
    }

    #[test]
    fn a_copy_that_is_missing_or_differs_is_found() {
        let found = places(
            super::packages_hold_what_they_copy,
            &[
                ("LICENSE-MIT", "MIT"),
                ("cache-core/LICENSE-MIT", "../LICENSE-MIT"),
                ("cache-core/derive/LICENSE-MIT", "MIT"),
                ("docs/soundness.md", "lies"),
            ],
        );
        assert_eq!(found, ["cache-core/LICENSE-MIT:0", "cache-core/soundness.md:0"]);
    }

    #[test]
    fn an_input_without_an_expectation_is_found() {
        let found = places(
            super::fixtures_have_expectations,
            &[
                ("fixtures/boogie/a.v0.bpl", ""),
                ("fixtures/boogie/a.v1.bpl", ""),
                ("fixtures/boogie/a.expect", ""),
                ("fixtures/boogie/b.bpl", "// expect: verified 1\n"),
                ("fixtures/prolog/c.pl", "expect(x).\n"),
                ("fixtures/prolog/d.pl", "% expect: yes\n"),
                ("fixtures/c/e.c", ""),
                ("fixtures/c/e.bc", ""),
                ("fixtures/c/f.c", "/* Words.\n * expect: 3 paths */"),
                ("fixtures/c/f-4.ll", ""),
            ],
        );
        assert_eq!(found, ["fixtures/c/e.bc:0", "fixtures/c/e.c:0", "fixtures/prolog/c.pl:0"]);
    }
}
