//! A random program as the tree of its lines, and the ways to take a piece away.

/// A line, or a block between two lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) line: String,
    pub(super) inside: Vec<Item>,
    /// What closes the block, where this is one.
    pub(super) end: Option<&'static str>,
}

impl Item {
    pub(super) fn line(line: impl Into<String>) -> Item {
        Item { line: line.into(), inside: Vec::new(), end: None }
    }

    pub(super) fn block(line: impl Into<String>, inside: Vec<Item>) -> Item {
        Item { line: line.into(), inside, end: Some("}") }
    }

    fn is_loop(&self) -> bool {
        self.line.starts_with("while ")
    }

    fn leaves_a_last_loop(&self) -> bool {
        (self.is_loop() && ends_with_a_loop_that_is_left(&self.inside))
            || self.inside.iter().any(Item::leaves_a_last_loop)
    }

    fn breaks(&self) -> bool {
        self.line.starts_with("break") || self.inside.iter().any(Item::breaks)
    }

    fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        text.push_str(&format!("{indent}{}\n", self.line));
        for item in &self.inside {
            item.write(depth + 1, text);
        }
        if let Some(end) = self.end {
            text.push_str(&format!("{indent}{end}\n"));
        }
    }
}

/// A program and the options under which both verify it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(super) options: Vec<&'static str>,
    pub(super) items: Vec<Item>,
}

impl Case {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for item in &self.items {
            item.write(0, &mut text);
        }
        text
    }

    /// Whether a loop that stands at the end of another one's body is left by `break`, which Boogie 2.4.1 takes for a jump
    /// to the statements in front of the outer loop (docs/boogie.md).
    pub(super) fn leaves_a_last_loop(&self) -> bool {
        self.items.iter().any(Item::leaves_a_last_loop)
    }

    /// The case without one of its options, lines or blocks, or with what is in a block in its place. What is left may
    /// name what is gone: then both refuse it, which is no difference.
    pub(super) fn smaller(&self) -> Vec<Case> {
        let without_option = (0..self.options.len()).map(|at| {
            let options = self.options.iter().enumerate().filter(|(index, _)| *index != at);
            Case { options: options.map(|(_, option)| *option).collect(), items: self.items.clone() }
        });
        let with = |items| Case { options: self.options.clone(), items };
        smaller(&self.items).into_iter().map(with).chain(without_option).collect()
    }
}

/// Whether the last statement of these, or of one of the branches that it has, is a loop with a `break`.
fn ends_with_a_loop_that_is_left(items: &[Item]) -> bool {
    for item in items.iter().rev() {
        let branch = item.line.starts_with("else");
        let ends = if item.is_loop() { item.breaks() } else { ends_with_a_loop_that_is_left(&item.inside) };
        if ends || !branch {
            return ends;
        }
    }
    false
}

/// Lists of items with one piece less, the greatest pieces first.
fn smaller(items: &[Item]) -> Vec<Vec<Item>> {
    let with = |at: usize, place: &[Item]| [&items[..at], place, &items[at + 1..]].concat();
    let mut all: Vec<Vec<Item>> = (0..items.len()).map(|at| with(at, &[])).collect();
    for (at, item) in items.iter().enumerate() {
        if !item.inside.is_empty() {
            all.push(with(at, &item.inside));
        }
        for inside in smaller(&item.inside) {
            all.push(with(at, &[Item { inside, ..item.clone() }]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Case, Item};

    #[test]
    fn a_last_loop_that_is_left_is_seen_behind_branches() {
        let inner = || Item::block("while (a) {", vec![Item::block("if (*) {", vec![Item::line("break;")])]);
        let outer = |inside| Item::block("while (b) {", inside);
        let case = |inside| Case { options: Vec::new(), items: vec![Item::block("{", vec![outer(inside)])] };
        let branches = vec![Item::block("if (*) {", vec![inner()]), Item::block("else {", Vec::new())];
        assert!(case(vec![inner()]).leaves_a_last_loop());
        assert!(case(branches).leaves_a_last_loop());
        assert!(!case(vec![inner(), Item::line("assert a;")]).leaves_a_last_loop());
        assert!(!case(vec![Item::block("while (a) {", Vec::new())]).leaves_a_last_loop());
    }

    #[test]
    fn each_piece_is_left_out_and_each_block_opened() {
        let block = Item::block("if (*) {", vec![Item::line("assert a;"), Item::line("assert b;")]);
        let case = Case { options: vec!["-x"], items: vec![Item::line("havoc a;"), block] };
        assert_eq!(case.text(), "havoc a;\nif (*) {\n  assert a;\n  assert b;\n}\n");
        let texts: Vec<String> = case.smaller().iter().map(Case::text).collect();
        let expected = [
            "if (*) {\n  assert a;\n  assert b;\n}\n",
            "havoc a;\n",
            "havoc a;\nassert a;\nassert b;\n",
            "havoc a;\nif (*) {\n  assert b;\n}\n",
            "havoc a;\nif (*) {\n  assert a;\n}\n",
        ];
        assert_eq!(texts[..expected.len()], expected);
        assert!(case.smaller().last().is_some_and(|last| last.options.is_empty()));
    }
}
