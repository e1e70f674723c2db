//! Commands of the most common forms, told by their trees: what is plain, the grammar accepts. What is not, it may
//! accept all the same.
//!
//! Most of a script is plain, and a look at its tree costs a tenth of the grammar's table.

use yaspar::tokens::Command;

use super::{Node, NodeId, Tree};

/// What a part of a command is to be.
#[derive(Clone, Copy)]
enum Part {
    Term,
    Sort,
}

/// Whether the grammar is known to accept a command.
pub(super) fn is_plain(command: Command, tree: &Tree) -> bool {
    let arguments = tree.members(tree.root()).get(1..).unwrap_or_default();
    let mut parts = Parts { tree, open: Vec::new() };
    let fits = match (command, arguments) {
        (Command::Assert, [term]) => parts.all(&[*term], Part::Term),
        (Command::DeclareConst, [name, sort]) => parts.is_symbol(*name) && parts.all(&[*sort], Part::Sort),
        (Command::DeclareFun, [name, arguments, sort]) => {
            parts.is_symbol(*name)
                && parts.is_list(*arguments)
                && parts.all(tree.members(*arguments), Part::Sort)
                && parts.all(&[*sort], Part::Sort)
        }
        (Command::DefineFun | Command::DefineFunRec, [name, parameters, sort, body]) => {
            parts.is_symbol(*name)
                && parts.is_list(*parameters)
                && parts.pairs(tree.members(*parameters), Part::Sort)
                && parts.all(&[*sort], Part::Sort)
                && parts.all(&[*body], Part::Term)
        }
        _ => false,
    };
    fits && parts.are_what_they_are_to_be()
}

/// What is still to be looked at.
struct Parts<'a> {
    tree: &'a Tree,
    open: Vec<(NodeId, Part)>,
}

impl Parts<'_> {
    fn is_symbol(&self, node: NodeId) -> bool {
        matches!(self.tree.node(node), Node::Symbol(_))
    }

    fn is_list(&self, node: NodeId) -> bool {
        matches!(self.tree.node(node), Node::List(_))
    }

    /// Nodes that are all to be one thing.
    fn all(&mut self, nodes: &[NodeId], part: Part) -> bool {
        self.open.extend(nodes.iter().map(|node| (*node, part)));
        true
    }

    /// Pairs of a symbol and something.
    fn pairs(&mut self, pairs: &[NodeId], part: Part) -> bool {
        pairs.iter().all(|pair| match self.tree.members(*pair) {
            [name, of] => self.is_symbol(*name) && self.all(&[*of], part),
            _ => false,
        })
    }

    fn are_what_they_are_to_be(&mut self) -> bool {
        while let Some((node, part)) = self.open.pop() {
            let fits = match (part, self.tree.node(node)) {
                (_, Node::Symbol(_)) | (Part::Term, Node::Literal(_)) => true,
                (Part::Sort, Node::Literal(_)) | (_, Node::Keyword(_) | Node::Reserved(_)) => false,
                (part, Node::List(_)) => self.list(node, part),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    fn list(&mut self, list: NodeId, part: Part) -> bool {
        let [head, rest @ ..] = self.tree.members(list) else { return false };
        match (self.tree.node(*head), part) {
            (Node::Symbol(_), _) => !rest.is_empty() && self.all(rest, part),
            (Node::List(_), Part::Sort) => !rest.is_empty() && self.is_indexed(*head) && self.all(rest, part),
            (Node::List(_), Part::Term) => {
                !rest.is_empty() && self.is_identifier(*head) && self.all(rest, part)
            }
            (Node::Reserved(word), Part::Sort) => &**word == "_" && self.is_indexed(list),
            (Node::Reserved(word), Part::Term) => match (&**word, rest) {
                ("_" | "as", _) => self.is_identifier(list),
                ("let", [pairs, body]) => {
                    let pairs = self.tree.members(*pairs);
                    !pairs.is_empty() && self.pairs(pairs, Part::Term) && self.all(&[*body], part)
                }
                ("forall" | "exists" | "lambda", [pairs, body]) => {
                    let pairs = self.tree.members(*pairs);
                    !pairs.is_empty() && self.pairs(pairs, Part::Sort) && self.all(&[*body], part)
                }
                ("!", [term, attributes @ ..]) => {
                    !attributes.is_empty() && self.all(&[*term], part) && self.attributes(attributes)
                }
                _ => false,
            },
            (Node::Literal(_) | Node::Keyword(_), _) => false,
        }
    }

    /// `(_ extract 7 0)`
    fn is_indexed(&self, list: NodeId) -> bool {
        let is_index = |node: &NodeId| match self.tree.node(*node) {
            Node::Symbol(_) => true,
            Node::Literal(text) => text.starts_with("#x") || text.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
        match self.tree.members(list) {
            [head, name, indices @ ..] => {
                matches!(self.tree.node(*head), Node::Reserved(word) if &**word == "_")
                    && self.is_symbol(*name)
                    && !indices.is_empty()
                    && indices.iter().all(is_index)
            }
            _ => false,
        }
    }

    /// A list that is an identifier, with its sort or without.
    fn is_identifier(&mut self, list: NodeId) -> bool {
        match self.tree.members(list) {
            [head, name, sort] if self.tree.text(*head) == "as" && !self.is_symbol(*head) => {
                (self.is_symbol(*name) || self.is_indexed(*name)) && self.all(&[*sort], Part::Sort)
            }
            _ => self.is_indexed(list),
        }
    }

    fn attributes(&mut self, mut attributes: &[NodeId]) -> bool {
        while let [keyword, rest @ ..] = attributes {
            let Node::Keyword(word) = self.tree.node(*keyword) else { return false };
            let value = rest.first().map(|value| (*value, self.tree.node(*value)));
            let has_value = match (&**word, value) {
                (":named", Some((_, Node::Symbol(_)))) => true,
                (":pattern", Some((value, Node::List(_)))) => self.all(self.tree.members(value), Part::Term),
                (":named" | ":pattern" | ":no-pattern", _) => return false,
                (_, Some((_, Node::Symbol(_) | Node::Literal(_)))) => true,
                (_, Some((_, Node::Keyword(_))) | None) => false,
                (_, Some((_, Node::Reserved(_) | Node::List(_)))) => return false,
            };
            attributes = rest.get(usize::from(has_value)..).unwrap_or_default();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Words;
    use super::is_plain;

    /// Whether a text is a plain command, and whether the grammar accepts it; absent for no command.
    fn judged(text: &str) -> Option<(bool, bool)> {
        let mut words = Words::default();
        let tree = words.tree(text)?;
        Some((is_plain(tree.command()?, &tree), words.accepts(text)))
    }

    #[test]
    fn what_tools_write_is_plain() {
        for text in [
            "(assert (forall ((x Int) (y (Array Int Bool))) (! (=> (p x) (q |a b|)) :pattern ((p x) (f y)) :qid |a.1:2| :weight 3)))",
            "(assert (let ((a (bvadd #x01 ((_ extract 7 0) z)))) (= a ((as const (Array Int Int)) 0))))",
            "(assert (! (not (= x 1.5)) :named goal))",
            "(declare-fun f (Int (_ BitVec 8)) (List (_ BitVec 8)))",
            "(declare-const s String)",
            "(define-fun g ((x Int)) Bool (> x 0))",
            "(define-fun h () (_ BitVec 4) (_ bv3 4))",
        ] {
            assert_eq!(judged(text), Some((true, true)), "{text}");
        }
    }

    /// Commands that are mostly in order: forms with whatever in the places of their parts.
    fn commands() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec![
            "x",
            "|a b|",
            "1",
            "0.5",
            "#b1",
            "#xF",
            "\"t\"",
            "true",
            ":k",
            ":named",
            ":pattern",
            ":no-pattern",
            "let",
            "_",
            "!",
            "as",
            "par",
            "()",
            "assert",
            "Int",
            "(x 1)",
            "((x Int))",
            "((x 1))",
            "(_ bv 1)",
            "(as x Int)",
            "|as|",
            "|:named|",
            "",
        ]);
        let part = leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |part| {
            let forms = vec![
                "(x)",
                "(x ?)",
                "(x ? ?)",
                "(? ?)",
                "(let ((x ?)) ?)",
                "(let (?) ?)",
                "(let ? ?)",
                "(forall ((x ?)) ?)",
                "(exists ? ?)",
                "(lambda (?) ?)",
                "(! ?)",
                "(! ? :k ?)",
                "(! ? :named ?)",
                "(! ? ? ?)",
                "(! ? :pattern (?))",
                "(! ? :qid ? ?)",
                "(! ? ?)",
                "(_ x ?)",
                "(_ ? 1)",
                "(as x ?)",
                "(as ? Int)",
                "((_ x 1) ?)",
                "((as x ?) ?)",
                "(match ? ((x ?)))",
                "?",
                "(?)",
                "(? ? ?)",
            ];
            (prop::sample::select(forms), prop::collection::vec(part, 3)).prop_map(filled)
        });
        let forms = vec![
            "(assert ?)",
            "(assert ? ?)",
            "(declare-const x ?)",
            "(declare-const ? Int)",
            "(declare-fun x (?) ?)",
            "(declare-fun x ? ?)",
            "(define-fun x ((y ?)) ? ?)",
            "(define-fun x (?) ? ?)",
            "(define-fun ? () ? ?)",
            "(define-fun-rec x ? Int ?)",
            "(check-sat ?)",
        ];
        (prop::sample::select(forms), prop::collection::vec(part, 3)).prop_map(filled)
    }

    /// A form with parts in its places.
    fn filled((form, parts): (&str, Vec<String>)) -> String {
        parts.iter().fold(form.to_owned(), |text, part| text.replacen('?', part, 1)).replace('?', "x")
    }

    proptest! {
        // They cost little, and few of them have one mistake alone.
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn the_grammar_accepts_what_is_plain(text in commands()) {
            if let Some((plain, accepted)) = judged(&text) {
                prop_assert!(accepted || !plain, "{}", text);
            }
        }
    }
}
