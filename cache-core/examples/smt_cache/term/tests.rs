//! Terms are one if they differ in names alone: compared with what a second, plainer way of telling terms says.

use std::rc::Rc;

use proptest::prelude::*;

use super::super::read::{Form, Node, NodeId, Reader, Symbol, Tree};
use super::{Bound, Names, Term, term};

/// A term in the words of a reader to whom names do not matter: what is declared by the order of first use, what is
/// bound by its distance from the binder. Recursive, and made of text, unlike what it judges.
struct Told {
    declared: Vec<&'static str>,
    used: Vec<String>,
    bound: Vec<String>,
}

impl Told {
    fn of(&mut self, tree: &Tree, node: NodeId) -> String {
        let members = tree.members(node);
        let list = |told: &mut Self, of: &[NodeId]| -> String {
            of.iter().map(|it| told.of(tree, *it) + " ").collect()
        };
        match tree.node(node) {
            Node::Symbol(symbol) => self.symbol(&symbol.text),
            Node::Literal(text) => format!("'{text}'"),
            Node::Keyword(text) | Node::Reserved(text) => text.to_string(),
            Node::List(_) => match (members.first().map(|head| tree.text(*head)), members) {
                (Some(word @ ("let" | "forall")), [_, pairs, body]) => {
                    let pairs = tree.members(*pairs);
                    let values: Vec<NodeId> = pairs.iter().map(|it| tree.members(*it)[1]).collect();
                    let values = list(self, &values);
                    let before = self.bound.len();
                    self.bound.extend(pairs.iter().map(|it| tree.text(tree.members(*it)[0]).to_owned()));
                    let body = self.of(tree, *body);
                    self.bound.truncate(before);
                    format!("<{word} {} [{values}] {body}>", pairs.len())
                }
                (Some("!"), [_, term, attribute, name]) if tree.text(*attribute) == ":qid" => {
                    let term = self.of(tree, *term);
                    format!("<! {term} {}>", self.used(tree.text(*name)))
                }
                _ => format!("({})", list(self, members)),
            },
        }
    }

    fn used(&mut self, name: &str) -> String {
        let known = self.used.iter().position(|it| it == name);
        let place = known.unwrap_or_else(|| {
            self.used.push(name.to_owned());
            self.used.len() - 1
        });
        format!("n{place}")
    }

    fn symbol(&mut self, text: &str) -> String {
        let bound = self.bound.iter().rposition(|it| it == text);
        let declarations = self.declared.iter().filter(|it| **it == text).count();
        let own = if declarations > 0 { self.used(text) } else { String::new() };
        let made = |told: &mut Self, of: &str, kind: &str| {
            told.declared.contains(&of).then(|| format!("{kind}{}", told.used(of)))
        };
        let made = match (text.strip_prefix("is-"), text.strip_suffix("!val!0")) {
            (Some(of), _) => made(self, of, "tester "),
            (_, Some(of)) => made(self, of, "element "),
            _ => None,
        };
        let spelled = match (text, bound) {
            ("and", _) | (_, None) if declarations == 0 && made.is_none() => text,
            _ => "",
        };
        format!(
            "{{{:?} {declarations} {own} {made:?} {spelled}}}",
            bound.map(|place| self.bound.len() - place)
        )
    }
}

fn terms() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "x", "y", "z", "x", "y", "and", "is-x", "is-y", "x!val!0", "y!val!0", "1", "12", "\"\"", "|1|",
        "|x y|", "(x y)", "true",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 16, 3, |part| {
        let forms = vec![
            "(x ?)",
            "(y ?)",
            "(? ? ?)",
            "((_ is x) ?)",
            "(let ((x ?)) ?)",
            "(let ((y ?) (z ?)) ?)",
            "(forall ((x y)) ?)",
            "(forall ((z x) (x y)) ?)",
            "(! ? :qid x)",
            "(! ? :qid y)",
            "(! ? :weight 1)",
            "(and (x ?) x)",
            "(and ? ?)",
        ];
        (prop::sample::select(forms), prop::collection::vec(part, 3)).prop_map(|(form, parts)| {
            parts.iter().fold(form.to_owned(), |text, part| text.replacen('?', part, 1))
        })
    })
}

/// What a term is, and what is told of it, where some names are declared, one of them twice perhaps.
fn judged(text: &str, declared: &[&'static str]) -> Option<(Term, String)> {
    let mut reader = Reader::default();
    let Some(Form::Command(read)) = reader.read(format!("(assert {text})").as_bytes()) else { return None };
    let tree = &read.1;
    let mut names = Names::default();
    let mut told = Told { declared: declared.to_vec(), used: Vec::new(), bound: Vec::new() };
    let mut all = vec![tree.root()];
    // A symbol is known by its number, which only the reader gives.
    let mut symbols: Vec<Rc<Symbol>> = Vec::new();
    while let Some(node) = all.pop() {
        symbols.extend(tree.symbol(node));
        all.extend(tree.members(node));
    }
    for name in declared {
        if let Some(symbol) = symbols.iter().find(|symbol| &*symbol.text == *name) {
            names.declare(symbol);
        } else if let Some(Form::Command(read)) = reader.read(format!("(assert {name})").as_bytes()) {
            names.declare(&read.1.symbol(read.1.members(read.1.root())[1])?);
        }
    }
    let root = tree.members(tree.root())[1];
    let of = term(tree, root, Bound::Renamed, &mut names);
    Some((of, told.of(tree, root)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Two terms are one if and only if they are told alike.
    #[test]
    fn terms_are_one_if_they_differ_in_names_alone(
        (one, other) in (terms(), terms()),
        change in prop::sample::select(vec![("", ""), ("x", "y"), ("y", "z"), ("1", "12"), ("(x ", "(y "), (") x", " x)"), (") y", " y)"), ("let", "forall")]),
        declared in prop::sample::select(vec![&[][..], &["x"], &["x", "y"], &["x", "x", "y"], &["x", "x", "x", "y"], &["x", "y", "is-x"]]),
        more in prop::sample::select(vec![None, None, Some(&["x", "y"][..]), Some(&["x", "x", "y"]), Some(&["x", "x", "x", "y"])]),
        alike in any::<bool>(),
    ) {
        let other = if alike { one.replacen(change.0, change.1, 1) } else { other };
        let swapped = one.replace('x', "q").replace('y', "x").replace('q', "y");
        for other in [other, swapped] {
            if let (Some((one, told)), Some((other, told_other))) = (judged(&one, declared), judged(&other, more.unwrap_or(declared))) {
                let same = (one.0.digest == other.0.digest, one.1 == other.1);
                prop_assert_eq!(same, (told == told_other, told == told_other), "{} {}", told, told_other);
            }
        }
    }
}
