//! Tests neither hide nor sleep, and no code is left undone.

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

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::nothing_is_left_undone;

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
