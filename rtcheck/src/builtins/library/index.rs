//! Which predicates a text of the library defines, and where their clauses are, without reading it.
//!
//! The texts are written in one way, which makes that cheap: a clause or directive begins in the first column, and the
//! lines of one that has several begin with blanks. So a look at the first character of each line finds the clauses, and
//! a look at each head its name and how many arguments it has. [`super::mistakes`] reads all texts and compares.

use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// What a text defines.
pub(super) struct Index {
    /// Its directives.
    pub(super) directives: String,
    /// Its predicates, in the order of their first clauses.
    pub(super) predicates: Vec<Indexed>,
}

/// A predicate.
pub(super) struct Indexed {
    pub(super) name: Cow<'static, str>,
    pub(super) arity: usize,
    /// The line of its first clause.
    pub(super) line: usize,
    pub(super) clauses: Vec<&'static str>,
}

impl Index {
    /// Cost: linear in the text.
    pub(super) fn of(text: &'static str) -> Self {
        let mut index = Self { directives: String::new(), predicates: Vec::new() };
        let mut positions: FxHashMap<(Cow<'static, str>, usize), usize> = FxHashMap::default();
        for (clause, line) in items(text) {
            if clause.starts_with(":- ") || clause.starts_with(":-\n") {
                index.directives.push_str(clause);
                continue;
            }
            let head = Head::of(clause);
            if let Some(&position) = positions.get(&(head.name.clone(), head.arity)) {
                let known = &mut index.predicates[position];
                known.clauses.push(clause);
                continue;
            }
            positions.insert((head.name.clone(), head.arity), index.predicates.len());
            let Head { name, arity } = head;
            index.predicates.push(Indexed { name, arity, line, clauses: vec![clause] });
        }
        index
    }
}

/// The clauses and directives of a text, and their lines.
fn items(text: &'static str) -> Vec<(&'static str, usize)> {
    let mut starts = Vec::new();
    let (mut position, mut line) = (0, 1);
    for text in text.split_inclusive('\n') {
        if !text.starts_with([' ', '\n', '%']) {
            starts.push((position, line));
        }
        position += text.len();
        line += 1;
    }
    let ends = starts.iter().skip(1).map(|&(start, _)| start).chain([text.len()]);
    starts.iter().zip(ends).map(|(&(start, line), end)| (&text[start..end], line)).collect()
}

/// The head of a clause.
struct Head {
    name: Cow<'static, str>,
    arity: usize,
}

impl Head {
    fn of(clause: &'static str) -> Self {
        // The predicate that loads a list of files.
        if clause.starts_with("[") && !clause.starts_with("[]") {
            return Self { name: Cow::Borrowed("."), arity: 2 };
        }
        let (name, end) = name(clause);
        let bracket = clause.as_bytes().get(end) == Some(&b'(');
        Self { name, arity: if bracket { commas(clause.as_bytes(), end) + 1 } else { 0 } }
    }
}

/// The name that a clause begins with, and where it ends.
fn name(clause: &'static str) -> (Cow<'static, str>, usize) {
    let bytes = clause.as_bytes();
    match bytes[0] {
        b'\'' => {
            let mut end = 1;
            while end < bytes.len() && bytes[end] != b'\'' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let quoted = &clause[1..end];
            let name = if quoted.contains('\\') {
                Cow::Owned(quoted.replace("\\\\", "\\"))
            } else {
                Cow::Borrowed(quoted)
            };
            (name, end + 1)
        }
        b'{' | b'[' => (Cow::Borrowed(&clause[..2]), 2),
        b'!' | b';' | b',' => (Cow::Borrowed(&clause[..1]), 1),
        b'(' => {
            let end = clause.find(')').unwrap_or(1);
            (Cow::Borrowed(clause[1..end].trim_matches('\'')), end + 1)
        }
        first => {
            let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let symbol = |byte: u8| b"+-*/\\^<>=~:.?@#&$|".contains(&byte);
            let inside: &dyn Fn(u8) -> bool = if letter(first) { &letter } else { &symbol };
            let end = bytes.iter().position(|&byte| !inside(byte)).unwrap_or(bytes.len());
            (Cow::Borrowed(&clause[..end]), end)
        }
    }
}

/// How many commas are between the arguments in the brackets that open at a byte.
fn commas(bytes: &[u8], open: usize) -> usize {
    let (mut depth, mut commas, mut at) = (0, 0, open);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            b',' if depth == 1 => commas += 1,
            b'0' if bytes.get(at + 1) == Some(&b'\'') && !bytes[at - 1].is_ascii_alphanumeric() => {
                at += if bytes.get(at + 2) == Some(&b'\\') { 3 } else { 2 };
            }
            quote @ (b'\'' | b'"') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    commas
}
