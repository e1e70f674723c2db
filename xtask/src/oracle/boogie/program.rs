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
