//! All programs that differ from a given one in one place: a token is another of its kind, or gone; a name is
//! another one wherever a declaration uses it; statements, conditions, parameters and declarations are gone, in
//! another order, or there twice; a word or an attribute that means something is there as well.
//!
//! What comes out need not be a program: whoever uses it looks at what is.

use std::collections::BTreeSet;
use std::ops::Range;

use ivl_verifier::base::source::Sources;
use ivl_verifier::syntax::lexer::{Kind, tokens};

/// A change in one place: what stands there, by position and length, and what stands there instead.
type Change = Vec<(Range<usize>, String)>;

/// Signs and words of which each may stand for the others.
const ALIKE: &[&[&str]] = &[
    &["<", "<=", ">", ">=", "==", "!="],
    &["+", "-", "*", "div", "mod", "/", "**"],
    &["&&", "||", "==>", "<==", "<==>"],
    &["forall", "exists", "lambda"],
    &["requires", "ensures", "free requires", "free ensures", "modifies"],
    &["assert", "assume", "invariant", "free invariant"],
    &["true", "false"],
    &["int", "bool", "real", "bv8", "[int]int", "string"],
    &["return", "break"],
    &["if", "while"],
    &["const", "var", "const unique"],
    &["procedure", "implementation", "pure procedure"],
    &["old", "!", "-"],
    &["push", "pop"],
    &["hide", "reveal"],
    &["++", "+"],
    &["->", "is"],
    &["RNE", "RNA", "RTZ"],
    &["call", "free call"],
];

/// What may stand behind a word as well.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    (
        "assert",
        &[
            "{:msg \"other\"}",
            "{:subsumption 0}",
            "{:subsumption 2}",
            "{:verified_under false}",
            "{:start_checking_here}",
            "{:split_here}",
            "{:focus}",
            "{:isolate}",
            "{:id \"it\"}",
            "{:add_to_pool \"A\", 1}",
        ],
    ),
    (
        "assume",
        &[
            "{:print \"it\", 1}",
            "{:captureState \"it\"}",
            "{:start_checking_here}",
            "{:id \"it\"}",
            "{:focus}",
        ],
    ),
    (
        "requires",
        &[
            "{:msg \"other\"}",
            "{:always_assume}",
            "{:id \"it\"}",
            "{:verified_under false}",
            "{:add_to_pool \"A\", 1}",
        ],
    ),
    ("ensures", &["{:msg \"other\"}", "{:always_assume}", "{:id \"it\"}"]),
    (
        "invariant",
        &[
            "{:msg \"other\"}",
            "{:subsumption 0}",
            "{:verified_under false}",
            "{:id \"it\"}",
            "{:add_to_pool \"A\", 1}",
        ],
    ),
    ("call", &["{:verified_under false}", "{:subsumption 0}", "{:msg \"other\"}", "{:id \"it\"}"]),
    (
        "procedure",
        &[
            "{:inline 1}",
            "{:inline 2}",
            "{:verify false}",
            "{:selective_checking}",
            "{:rlimit 7}",
            "{:timeLimit 7}",
            "{:priority 7}",
            "{:vcs_split_on_every_assert}",
            "{:vcs_max_splits 2}",
            "{:checksum \"7\"}",
            "{:id \"it\"}",
        ],
    ),
    (
        "implementation",
        &[
            "{:inline 1}",
            "{:verify false}",
            "{:selective_checking}",
            "{:rlimit 7}",
            "{:checksum \"7\"}",
            "{:id \"it\"}",
        ],
    ),
    (
        "function",
        &["{:inline}", "{:define}", "{:builtin \"abs\"}", "{:bvbuiltin \"bvnot\"}", "{:checksum \"7\"}"],
    ),
    ("axiom", &["{:include_dep}", "{:id \"it\"}"]),
    ("const", &["{:existential true}"]),
    ("var", &["{:assumption}"]),
    ("type", &["{:builtin \"String\"}"]),
    (
        "::",
        &[
            "{:weight 5}",
            "{:qid \"it\"}",
            "{:skolemid \"it\"}",
            "{:nopats true}",
            "{true}",
            "{:add_to_pool \"A\", 1}",
        ],
    ),
    ("forall", &["{:pool \"A\"}"]),
    ("exists", &["{:pool \"A\"}"]),
    ("lambda", &["{:pool \"A\"}"]),
    ("goto", &["{:minimize 1}"]),
    ("return", &["{:isolate}", "{:isolate \"paths\"}"]),
];

/// What a declaration begins with.
const DECLARATIONS: &[&str] =
    &["type", "const", "function", "axiom", "var", "procedure", "implementation", "datatype", "pure"];

struct Editor<'t> {
    text: &'t str,
    tokens: Vec<(Kind, Range<usize>)>,
    /// The tokens of each declaration.
    declarations: Vec<Range<usize>>,
    found: Vec<Change>,
    names: Vec<Change>,
}

/// Every text with one change.
pub(crate) struct Edits<'t> {
    text: &'t str,
    /// Those in which a name is another one come last: they are most.
    changes: Vec<Change>,
    names: usize,
}

/// How many more changes of names there are than others, about.
const NAMES: usize = 12;

impl<'t> Edits<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let file = Sources::default().add("p.bpl", text);
        let tokens = tokens(file, text).0.into_iter().filter(|token| token.kind != Kind::End);
        let tokens = tokens.map(|it| (it.kind, it.span.start as usize..it.span.end as usize)).collect();
        let mut editor =
            Editor { text, tokens, declarations: Vec::new(), found: Vec::new(), names: Vec::new() };
        editor.find_declarations();
        for at in 0..editor.tokens.len() {
            editor.token(at);
            editor.bounds(at);
            editor.insertions(at);
        }
        editor.names();
        editor.sequences();
        editor.whole_declarations();
        let (mut changes, names) = (editor.found, editor.names);
        let first = changes.len();
        changes.extend(names);
        Self { text, changes, names: first }
    }

    /// The numbers of all changes; with a stride, of one of so many, and of fewer of those of names: of all kinds
    /// about as many.
    pub(crate) fn sample(&self, stride: usize) -> impl Iterator<Item = usize> + use<> {
        let of_names = if stride > 1 { stride * NAMES } else { 1 };
        (0..self.names).step_by(stride).chain((self.names..self.changes.len()).step_by(of_names))
    }

    /// The number of a change by two choices below a limit: changes of names as often as others.
    pub(crate) fn some(&self, mut below: impl FnMut(usize) -> usize) -> usize {
        let others = self.changes.len() - self.names;
        if below(3) == 0 && others > 0 { self.names + below(others) } else { below(self.names) }
    }

    /// The text with the change of this number; where there is nothing, nothing changes.
    pub(crate) fn text(&self, number: usize) -> String {
        let mut result = String::new();
        let mut at = 0;
        for (place, instead) in self.changes.get(number).into_iter().flatten() {
            result.push_str(&self.text[at..place.start]);
            result.push_str(instead);
            at = place.end;
        }
        result.push_str(&self.text[at..]);
        result
    }

    /// The change of this number in words.
    pub(crate) fn describe(&self, number: usize) -> String {
        let lines = self.changes.get(number).into_iter().flatten().map(|(place, instead)| {
            let line = self.text[..place.start].lines().count();
            format!("line {line}: `{}` becomes `{instead}`", &self.text[place.clone()])
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl<'t> Editor<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |(_, place)| &self.text[place.clone()])
    }

    /// The text of some tokens.
    fn place(&self, tokens: Range<usize>) -> Range<usize> {
        self.tokens[tokens.start].1.start..self.tokens[tokens.end - 1].1.end
    }

    fn part(&self, tokens: Range<usize>) -> &'t str {
        &self.text[self.place(tokens)]
    }

    fn change(&mut self, tokens: Range<usize>, instead: impl Into<String>) {
        let place = self.place(tokens);
        self.found.push(vec![(place, instead.into())]);
    }

    fn find_declarations(&mut self) {
        let mut depth = 0_usize;
        let mut start = None;
        for at in 0..self.tokens.len() {
            let word = self.word(at);
            // Keywords of declarations stand in bodies and parameters too, but not after what ends one.
            let ended = at == 0 || matches!(self.word(at - 1), ";" | "}");
            if depth == 0 && ended && DECLARATIONS.contains(&word) {
                if let Some(start) = start {
                    self.declarations.push(start..at);
                }
                start = Some(at);
            }
            match word {
                "{" | "(" | "[" | "|{" => depth += 1,
                "}" | ")" | "]" | "}|" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if let Some(start) = start {
            self.declarations.push(start..self.tokens.len());
        }
    }

    /// The names of some tokens.
    fn names_in(&self, tokens: Range<usize>) -> BTreeSet<&'t str> {
        tokens.filter(|at| self.tokens[*at].0 == Kind::Ident).map(|at| self.word(at)).collect()
    }

    fn token(&mut self, at: usize) {
        let word = self.word(at);
        self.change(at..at + 1, "");
        for alike in ALIKE.iter().filter(|alike| alike.contains(&word)) {
            for other in alike.iter().filter(|other| **other != word) {
                self.change(at..at + 1, *other);
            }
        }
        match self.tokens[at].0 {
            Kind::Ident => {
                // Those near by, and those that others declare.
                let mut others = BTreeSet::new();
                if let Some(own) = self.declarations.iter().find(|it| it.contains(&at)) {
                    others.extend(self.names_in(own.clone()));
                }
                let global = self.declarations.iter().map(|it| it.start..(it.start + 8).min(it.end));
                for declaration in global.collect::<Vec<_>>() {
                    others.extend(self.names_in(declaration));
                }
                for other in others.into_iter().filter(|other| *other != word) {
                    self.names.push(vec![(self.place(at..at + 1), other.to_owned())]);
                }
            }
            Kind::Int => {
                let others = ["0".to_owned(), "1".to_owned(), "5".to_owned()];
                for other in others.into_iter().chain([format!("{word}.0"), format!("{word}bv8")]) {
                    self.change(at..at + 1, other);
                }
            }
            kind => {
                for other in other_literals(kind) {
                    self.change(at..at + 1, *other);
                }
                if kind == Kind::Decimal {
                    self.change(at..at + 1, format!("{word}e1"));
                }
            }
        }
    }

    /// Both bounds of a part of a bit vector move.
    fn bounds(&mut self, at: usize) {
        let number = |at: usize| self.word(at).parse::<u32>().ok();
        if let (":", Some(high), Some(low)) = (self.word(at + 1), number(at), number(at + 2)) {
            self.change(at..at + 3, format!("{}:{}", high + 1, low + 1));
            if low > 0 {
                self.change(at..at + 3, format!("{}:{}", high - 1, low - 1));
            }
        }
    }

    fn insertions(&mut self, at: usize) {
        let word = self.word(at);
        for (_, attributes) in ATTRIBUTES.iter().filter(|(after, _)| *after == word) {
            for attribute in *attributes {
                self.change(at..at + 1, format!("{word} {attribute}"));
            }
        }
        match word {
            "requires" | "ensures" | "invariant" | "call" => self.change(at..at + 1, format!("free {word}")),
            "const" => self.change(at..at + 1, "const unique"),
            "axiom" => self.change(at..at + 1, "hideable axiom"),
            // A variable or parameter with a condition, a function without a body.
            "," | ")" | ";" => self.change(at..at + 1, format!(" where true{word}")),
            "returns" => self.change(at..at + 1, "returns (another: int) returns"),
            _ => {}
        }
    }

    /// A name is another one wherever a declaration uses it, or wherever the program does; two are exchanged.
    fn names(&mut self) {
        let whole = 0..self.tokens.len();
        let all = self.names_in(whole.clone());
        for declaration in self.declarations.clone() {
            let used = self.names_in(declaration.clone());
            for name in used.clone() {
                for other in used.iter().copied().chain(["another"]).filter(|other| *other != name) {
                    self.rename(declaration.clone(), name, other, false);
                }
                for other in used.range(name..).copied().filter(|other| *other != name) {
                    self.rename(declaration.clone(), name, other, true);
                }
            }
        }
        for (number, name) in all.iter().enumerate() {
            self.rename(whole.clone(), name, "another", false);
            for other in all.iter().skip(number + 1) {
                self.rename(whole.clone(), name, other, true);
            }
        }
    }

    fn rename(&mut self, tokens: Range<usize>, name: &str, other: &str, exchange: bool) {
        let mut change = Vec::new();
        for at in tokens.filter(|at| self.tokens[*at].0 == Kind::Ident) {
            let instead = match self.word(at) {
                word if word == name => other,
                word if exchange && word == other => name,
                _ => continue,
            };
            change.push((self.tokens[at].1.clone(), instead.to_owned()));
        }
        self.names.push(change);
    }

    /// What is separated by commas or semicolons, or stands in braces: each is gone, there twice, and exchanged with
    /// the next.
    fn sequences(&mut self) {
        for separator in [",", ";"] {
            let mut before: Option<Range<usize>> = None;
            for at in 0..self.tokens.len() {
                let Some(item) = self.item(at, separator) else { continue };
                let with = if separator == ";" { item.clone() } else { item.start..item.end + 1 };
                let part = self.part(item.clone());
                if self.word(with.end - 1) == separator {
                    self.change(with, "");
                }
                let twice =
                    if separator == ";" { format!("{part} {part}") } else { format!("{part}, {part}") };
                self.change(item.clone(), twice);
                if let Some(before) = before.filter(|it| it.end <= item.start && item.start <= it.end + 1) {
                    let first = (self.place(before.clone()), part.to_owned());
                    let second = (self.place(item.clone()), self.part(before).to_owned());
                    self.found.push(vec![first, second]);
                }
                before = Some(item);
            }
        }
    }

    /// The item that begins at a token: up to a comma or the end of its brackets, or with a semicolon or braces behind
    /// it.
    fn item(&self, at: usize, separator: &str) -> Option<Range<usize>> {
        let begins = match separator {
            "," => {
                at > 0 && matches!(self.word(at - 1), "," | "(" | "[" | ":=" | "goto" | "havoc" | "modifies")
            }
            _ => at > 0 && matches!(self.word(at - 1), ";" | "{" | "}" | "|{" | ")" | ":"),
        };
        if !begins {
            return None;
        }
        let mut depth = 0_usize;
        for end in at..self.tokens.len() {
            match self.word(end) {
                "{" | "(" | "[" | "|{" => depth += 1,
                "}" if depth == 1 && separator == ";" && self.word(end + 1) != "else" => {
                    return Some(at..end + 1);
                }
                "}" | ")" | "]" | "}|" if depth == 0 => {
                    return (separator == "," && end > at).then_some(at..end);
                }
                "}" | ")" | "]" | "}|" => depth -= 1,
                "," if depth == 0 && separator == "," => return (end > at).then_some(at..end),
                ";" if depth == 0 => {
                    return Some(if separator == ";" { at..end + 1 } else { at..end })
                        .filter(|it| !it.is_empty());
                }
                _ => {}
            }
        }
        None
    }

    fn whole_declarations(&mut self) {
        for (number, declaration) in self.declarations.clone().into_iter().enumerate() {
            let part = self.part(declaration.clone());
            self.change(declaration.clone(), "");
            self.change(declaration.clone(), format!("{part} {part}"));
            let end = self.text.len();
            self.found
                .push(vec![(self.place(declaration.clone()), String::new()), (end..end, part.to_owned())]);
            for before in 0..number {
                let other = self.declarations[before].clone();
                let first = (self.place(other.clone()), part.to_owned());
                let second = (self.place(declaration.clone()), self.part(other).to_owned());
                self.found.push(vec![first, second]);
            }
        }
    }
}

/// Literals of the kinds of which there are few.
fn other_literals(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Decimal => &["0.0", "1e1", "2.5", "2"],
        Kind::BitVector => &["0bv8", "7bv8", "1bv16"],
        Kind::Float => &["0x2.0e0f24e8", "0NaN24e8"],
        Kind::Text => &["\"\"", "\"x\"", "\"bvsub\"", "\"div\""],
        _ => &[],
    }
}
