//! Tests neither hide nor sleep, each of them is run, and no code is left undone.

use super::{Finding, Tree};

/// Finds `#[ignore]`, `#[should_panic]`, `thread::sleep`, `todo!`, `unimplemented!` and `dbg!` in any
/// Rust file, tests and xtask included.
pub(super) fn nothing_is_left_undone(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.sources {
        let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
        for (at, token) in source.tokens.iter().enumerate() {
            let attribute = at >= 2 && text(at - 1) == "[" && text(at - 2) == "#";
            let message = match token.text.as_str() {
                "ignore" if attribute => "an ignored test guards nothing; assert what happens now instead",
                "should_panic" if attribute => "assert the panic's place and message instead",
                "todo" | "unimplemented" if text(at + 1) == "!" => "not done",
                "dbg" if text(at + 1) == "!" => "left over from a search for a fault",
                _ => continue,
            };
            findings.push(Finding::at(&source.path, token.line, message));
        }
        let sleeps = |segments: &[String]| {
            segments.windows(2).any(|pair| pair[0] == "thread" && pair[1].starts_with("sleep"))
        };
        for path in source.paths().iter().filter(|path| sleeps(&path.segments)) {
            findings.push(Finding::at(&source.path, path.line, "wait for what is to happen, not for a time"));
        }
    }
    findings
}

/// Finds `#[test]` in a program or library whose manifest says `test = false`: cargo compiles such a test nowhere.
pub(super) fn every_test_is_run(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.files.iter().filter(|(path, _)| path.ends_with("/Cargo.toml"));
    let untested = manifests.flat_map(|(path, text)| {
        let package = path.trim_end_matches("Cargo.toml");
        untested_folders(text).into_iter().map(move |folder| format!("{package}{folder}/"))
    });
    let mut findings = Vec::new();
    for folder in untested {
        for source in tree.sources.iter().filter(|source| source.path.starts_with(&folder)) {
            let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
            for (at, token) in source.tokens.iter().enumerate() {
                if token.text == "test" && at >= 2 && text(at - 1) == "[" && text(at - 2) == "#" {
                    let message = "is never run: its target says `test = false` in Cargo.toml";
                    findings.push(Finding::at(&source.path, token.line, message));
                }
            }
        }
    }
    findings
}

/// The folders of a manifest's targets that say `test = false`, relative to it. Those of a library are all of `src`.
fn untested_folders(manifest: &str) -> Vec<String> {
    let mut folders = Vec::new();
    let (mut folder, mut untested) = (String::new(), false);
    for line in manifest.lines().chain(["["]) {
        let line = line.split('#').next().unwrap_or_default().replace(' ', "");
        if line.starts_with('[') {
            if untested {
                folders.push(std::mem::take(&mut folder));
            }
            (folder, untested) = ("src".to_owned(), false);
        } else if let Some(path) = line.strip_prefix("path=") {
            let path = path.trim_matches('"');
            folder = path.rsplit_once('/').map_or(path, |(folder, _)| folder).to_owned();
        }
        untested |= line == "test=false";
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::{every_test_is_run, nothing_is_left_undone};

    #[test]
    fn a_test_that_no_target_has_is_found() {
        let manifest = "[package]\nname = \"tool\"\n\n[[bin]]\nname = \"a\"\npath = \"src/bin/a/main.rs\"\n\
                        test = false # none\n\n[[bin]]\nname = \"b\"\npath = \"src/bin/b/main.rs\"\n";
        let test = "#[test]\nfn holds() {}\n";
        let found = places(
            every_test_is_run,
            &[
                ("tool/Cargo.toml", manifest),
                ("other/Cargo.toml", "[lib]\ndoctest = false\ntest = false\n"),
                ("tool/src/bin/a/part.rs", test),
                ("tool/src/bin/b/part.rs", test),
                ("tool/src/part.rs", test),
                ("other/src/part.rs", test),
                ("other/tests/it/part.rs", test),
            ],
        );
        assert_eq!(found, ["other/src/part.rs:1", "tool/src/bin/a/part.rs:1"]);
    }

    #[test]
    fn each_is_found_and_its_name_alone_is_not() {
        let found = places(
            nothing_is_left_undone,
            &[
                (
                    "tool/tests/it/a.rs",
                    "#[test]\n#[ignore]\nfn a() {}\n#[should_panic(expected = \"x\")]\nfn b() { std::thread::sleep(d) }",
                ),
                ("tool/src/b.rs", "fn f() { todo!() }\nfn g() { unimplemented!() }\nfn h() { dbg!(1); }"),
                ("tool/src/c.rs", "// todo!\nfn ignore() { let todo = \"dbg!\"; ignore(); }"),
            ],
        );
        let expected = ["tool/src/b.rs:1", "tool/src/b.rs:2", "tool/src/b.rs:3"].into_iter();
        let expected =
            expected.chain(["tool/tests/it/a.rs:2", "tool/tests/it/a.rs:4", "tool/tests/it/a.rs:5"]);
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
