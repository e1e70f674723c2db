//! Text to tokens.
//!
//! A token is a kind and a span; its text is read from the file where it is needed. Comments nest.
//! A backslash makes an identifier of a keyword (`\procedure`) and is no part of the name.

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier.
    Ident,
    /// A reserved word.
    Keyword(&'static str),
    /// A sign.
    Sign(&'static str),
    /// `12`
    Int,
    /// `1.5`, `1e5`, `1.5e-3`
    Decimal,
    /// `5bv32`
    BitVector,
    /// `0x1.0e5f24e8` and `0NaN24e8`
    Float,
    /// `"text"`
    Text,
    /// The end of the file.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// The reserved words of sequential Boogie, and those of its concurrent part that start something
/// which is refused.
const KEYWORDS: &[&str] = &[
    "assert",
    "assume",
    "async",
    "atomic",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "datatype",
    "div",
    "else",
    "ensures",
    "exists",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "is",
    "lambda",
    "mod",
    "modifies",
    "old",
    "par",
    "pure",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "uses",
    "var",
    "where",
    "while",
    "yield",
];

fn keyword(text: &str) -> Option<&'static str> {
    let first = *text.as_bytes().first()?;
    beginning(KEYWORDS, &KEYWORDS_BY_BYTE, first).iter().copied().find(|keyword| *keyword == text)
}

/// Whether a text is a reserved word.
#[must_use]
pub fn is_keyword(text: &str) -> bool {
    keyword(text).is_some()
}

/// Where in a list that is sorted by first bytes the texts are that begin with each byte.
const fn by_first_byte(list: &[&str]) -> [(u8, u8); 256] {
    assert!(list.len() < 256, "places are bytes");
    let mut places = [(0, 0); 256];
    let mut at = 0;
    while at < list.len() {
        let first = list[at].as_bytes()[0] as usize;
        // Whoever adds a text in the wrong place is told by the compiler.
        assert!(places[first].1 == 0 || places[first].1 as usize == at, "the list is not sorted");
        if places[first].1 == 0 {
            places[first].0 = at as u8;
        }
        places[first].1 = at as u8 + 1;
        at += 1;
    }
    places
}

const KEYWORDS_BY_BYTE: [(u8, u8); 256] = by_first_byte(KEYWORDS);
const SIGNS_BY_BYTE: [(u8, u8); 256] = by_first_byte(SIGNS);

/// The texts of a list that begin with a byte.
fn beginning(list: &'static [&'static str], places: &[(u8, u8); 256], byte: u8) -> &'static [&'static str] {
    let (from, to) = places[usize::from(byte)];
    &list[usize::from(from)..usize::from(to)]
}

/// The signs by their first bytes, the longest first of each.
const SIGNS: &[&str] = &[
    "<==>", "<==", "<=", "<", "==>", "==", "=", "|{", "||", "|", "}|", "}", "{:", "{", "::", ":=", ":", "!=",
    "!", ">=", ">", "&&", "++", "+", "**", "*", "->", "-", "(", ")", "[", "]", ",", ";", "/",
];

/// The sign that a byte is, if no longer one begins with it.
fn single(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'(' => "(",
        b')' => ")",
        b'[' => "[",
        b']' => "]",
        b',' => ",",
        b';' => ";",
        _ => return None,
    })
}

/// Signs of the mathematical spelling and what they stand for.
const SYMBOLS: &[(char, Kind)] = &[
    ('⇔', Kind::Sign("<==>")),
    ('⇒', Kind::Sign("==>")),
    ('⇐', Kind::Sign("<==")),
    ('∧', Kind::Sign("&&")),
    ('∨', Kind::Sign("||")),
    ('¬', Kind::Sign("!")),
    ('≠', Kind::Sign("!=")),
    ('≤', Kind::Sign("<=")),
    ('≥', Kind::Sign(">=")),
    ('•', Kind::Sign("::")),
    ('∀', Kind::Keyword("forall")),
    ('∃', Kind::Keyword("exists")),
    ('λ', Kind::Keyword("lambda")),
];

/// Cuts a text into tokens, the last of which is [`Kind::End`]. What is no token is reported and skipped.
#[must_use]
pub fn tokens(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer =
        Lexer { file, text, at: 0, tokens: Vec::with_capacity(text.len() / 3), diagnostics: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

fn starts_ident(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\'' | '~' | '#' | '$' | '^' | '_' | '.' | '?' | '`')
}

fn continues_ident(c: char) -> bool {
    starts_ident(c) || c.is_ascii_digit()
}

impl Lexer<'_> {
    fn span(&self, start: usize) -> Span {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: narrow(start), end: narrow(self.at) }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start);
        self.tokens.push(Token { kind, span });
    }

    fn error(&mut self, start: usize, message: &str) {
        let span = self.span(start);
        self.diagnostics.push(Diagnostic::error(Stage::Syntax, span, message));
    }

    fn run(&mut self) {
        loop {
            // Nearly all of a text is blanks, words and signs that no longer one begins like.
            let rest = &self.text.as_bytes()[self.at..];
            let blanks = rest.iter().take_while(|byte| matches!(**byte, b' ' | b'\n' | b'\t' | b'\r'));
            let start = self.at + blanks.count();
            self.at = start;
            let Some(byte) = self.text.as_bytes().get(start) else { break };
            if byte.is_ascii_alphabetic() {
                self.word();
                let word = &self.text[start..self.at];
                self.push(keyword(word).map_or(Kind::Ident, Kind::Keyword), start);
                continue;
            }
            if let Some(sign) = single(*byte) {
                self.at += 1;
                self.push(Kind::Sign(sign), start);
                continue;
            }
            let Some(c) = self.rest().chars().next() else { break };
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") || self.directive(start) {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                self.comment(start);
            } else if c == '"' {
                self.string(start);
            } else if c.is_ascii_digit() || self.rest().starts_with("-0x") {
                // A sign right before a float belongs to it.
                self.number(start);
            } else if c == '\\' {
                self.at += 1;
                self.word();
                if self.at == start + 1 {
                    self.error(start, "invalid character: \\");
                } else {
                    self.push(Kind::Ident, start + 1);
                }
            } else if starts_ident(c) {
                self.word();
                let word = &self.text[start..self.at];
                self.push(keyword(word).map_or(Kind::Ident, Kind::Keyword), start);
            } else if let Some(sign) = self.sign() {
                self.at += sign.len();
                self.push(Kind::Sign(sign), start);
            } else if let Some((_, kind)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == c) {
                self.at += c.len_utf8();
                self.push(*kind, start);
            } else {
                self.at += c.len_utf8();
                self.error(start, &format!("invalid character: {c}"));
            }
        }
        self.push(Kind::End, self.at);
    }

    fn sign(&self) -> Option<&'static str> {
        let first = *self.rest().as_bytes().first()?;
        let mut signs = beginning(SIGNS, &SIGNS_BY_BYTE, first).iter().copied();
        signs.find(|sign| self.rest().starts_with(*sign))
    }

    /// Whether a line such as `#line 7 file` starts here; these are for other readers and skipped. `#line7` is
    /// a name.
    fn directive(&self, start: usize) -> bool {
        let at_line_start = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        let follows = |word: &str| self.rest().strip_prefix(word).map(|rest| rest.chars().next());
        at_line_start
            && ["#line", "#if", "#else", "#endif"]
                .iter()
                .filter_map(|word| follows(word))
                .any(|next| !next.is_some_and(continues_ident))
    }

    fn word(&mut self) {
        let rest = self.rest();
        // No character of a name is longer than a byte.
        let end = rest.as_bytes().iter().position(|byte| !continues_ident(char::from(*byte)));
        self.at += end.unwrap_or(rest.len());
    }

    fn comment(&mut self, start: usize) {
        let mut depth = 0_usize;
        loop {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else if let Some(c) = self.rest().chars().next() {
                self.at += c.len_utf8();
            } else {
                self.at = start + 2;
                self.error(start, "this comment is not closed");
                self.at = self.text.len();
                return;
            }
        }
    }

    fn string(&mut self, start: usize) {
        self.at += 1;
        let mut escaped = false;
        while let Some(c) = self.rest().chars().next() {
            if c == '\n' {
                break;
            }
            self.at += c.len_utf8();
            if c == '"' && !escaped {
                self.push(Kind::Text, start);
                return;
            }
            escaped = c == '\\' && !escaped;
        }
        self.error(start, "this string is not closed");
    }

    fn digits(&mut self) {
        self.skip_while(|c| c.is_ascii_digit());
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !accept(c)).unwrap_or(rest.len());
    }

    fn number(&mut self, start: usize) {
        let next_is = |text: &str, accept: fn(char) -> bool| text.chars().next().is_some_and(accept);
        let digit: fn(char) -> bool = |c| c.is_ascii_digit();
        if self.rest().starts_with("-0x") {
            self.at += 1;
        }
        if self.rest().starts_with("0x") || self.special_float() {
            // A float such as 0x1.8e3f24e8 or 0NaN24e8: everything up to its two sizes.
            self.at += 2;
            self.skip_while(|c| c.is_ascii_alphanumeric() || c == '.' || c == '+');
            if self.rest().starts_with('-') && self.text[start..self.at].ends_with('e') {
                self.at += 1;
                self.skip_while(|c| c.is_ascii_alphanumeric());
            }
            self.push(Kind::Float, start);
            return;
        }
        self.digits();
        if let Some(width) = self.rest().strip_prefix("bv")
            && next_is(width, digit)
        {
            self.at += 2;
            self.digits();
            self.push(Kind::BitVector, start);
            return;
        }
        let mut kind = Kind::Int;
        if let Some(fraction) = self.rest().strip_prefix('.')
            && next_is(fraction, digit)
        {
            kind = Kind::Decimal;
            self.at += 1;
            self.digits();
        }
        if let Some(exponent) = self.rest().strip_prefix('e') {
            let sign = usize::from(exponent.starts_with(['-', '+']));
            if next_is(&exponent[sign..], digit) {
                kind = Kind::Decimal;
                self.at += 1 + sign;
                self.digits();
            }
        }
        self.push(kind, start);
    }

    fn special_float(&self) -> bool {
        ["0NaN", "0nan", "0+oo", "0-oo"].iter().any(|word| self.rest().starts_with(word))
    }
}
