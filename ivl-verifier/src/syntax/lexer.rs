//! Text to tokens.
//!
//! A token is a kind and a span; its text is read from the file where it is needed. Comments nest.
//! A backslash makes an identifier of a keyword (`\procedure`); it belongs to the token and is no part of the
//! name. Of several tokens that a text could begin with, the longest is meant. What begins none is a token
//! of its own, which no rule of the grammar takes.

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
    /// What begins no token.
    Unknown,
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
    /// Whether it may be an operator between two operands; if not, an expression ends in front of it or an operand
    /// goes on with it.
    pub may_be_infix: bool,
}

/// Whether an operator may begin with a byte. Some other words and signs do as well.
const BEGINS_INFIX: [bool; 256] = {
    let mut begins = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        // Signs of the mathematical spelling have more than one byte.
        let sign = matches!(
            byte as u8,
            b'<' | b'>' | b'=' | b'!' | b'&' | b'|' | b'+' | b'-' | b'*' | b'/' | 0x80..
        );
        begins[byte] = sign || matches!(byte as u8, b'd' | b'i' | b'm');
        byte += 1;
    }
    begins
};

/// The reserved words, those of concurrent programs among them. Some more words mean something in their
/// place only and are names elsewhere; the parser knows them.
const KEYWORDS: &[&str] = &[
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "action",
    "assert",
    "asserts",
    "assume",
    "async",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "creates",
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
    "hideable",
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
    "preserves",
    "procedure",
    "pure",
    "real",
    "refines",
    "requires",
    "return",
    "returns",
    "revealed",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
    "then",
    "true",
    "type",
    "unique",
    "uses",
    "using",
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
    "<==>", "<==", "<=", "<:", "<", "==>", "==", "=", "|{", "||", "|", "}|", "}", "{", "::", ":=", ":", "!=",
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

/// Cuts a text into tokens, the last of which is [`Kind::End`].
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

const fn starts_ident(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\'' | '~' | '#' | '$' | '^' | '_' | '.' | '?' | '`')
}

const fn continues_ident(c: char) -> bool {
    starts_ident(c) || c.is_ascii_digit()
}

/// What a byte is, as far as most of a text goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    /// Begins a name or a reserved word.
    Start,
    /// Goes on with one.
    Digit,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        classes[byte] = match c {
            b' ' | b'\n' | b'\t' | b'\r' => Class::Blank,
            _ if starts_ident(c as char) => Class::Start,
            _ if continues_ident(c as char) => Class::Digit,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
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
        let begins = self.text.as_bytes().get(start).is_some_and(|byte| BEGINS_INFIX[usize::from(*byte)]);
        let may_be_infix = begins && matches!(kind, Kind::Sign(_) | Kind::Keyword(_));
        self.tokens.push(Token { kind, span, may_be_infix });
    }

    fn error(&mut self, start: usize, message: &str) {
        let span = self.span(start);
        self.diagnostics.push(Diagnostic::error(Stage::Syntax, span, message));
    }

    fn run(&mut self) {
        loop {
            self.skip(|class| class == Class::Blank);
            let start = self.at;
            let Some(byte) = self.text.as_bytes().get(start).copied() else { break };
            if class(byte) == Class::Start && byte != b'#' {
                self.word();
                let word = &self.text[start..self.at];
                self.push(keyword(word).map_or(Kind::Ident, Kind::Keyword), start);
                continue;
            }
            if let Some(sign) = single(byte) {
                self.at += 1;
                self.push(Kind::Sign(sign), start);
                continue;
            }
            let Some(c) = self.rest().chars().next() else { break };
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
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
                if self.rest().starts_with(starts_ident) {
                    self.word();
                    self.push(Kind::Ident, start);
                } else {
                    self.push(Kind::Unknown, start);
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
                self.push(Kind::Unknown, start);
            }
        }
        self.push(Kind::End, self.at);
    }

    fn sign(&self) -> Option<&'static str> {
        let first = *self.rest().as_bytes().first()?;
        let mut signs = beginning(SIGNS, &SIGNS_BY_BYTE, first).iter().copied();
        signs.find(|sign| self.rest().starts_with(*sign))
    }

    fn word(&mut self) {
        // No character of a name is longer than a byte.
        self.skip(|class| matches!(class, Class::Start | Class::Digit));
    }

    fn skip(&mut self, accept: impl Fn(Class) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !accept(class(*byte))).unwrap_or(rest.len());
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

    /// A quotation mark behind a backslash ends a string only if no other one does.
    fn string(&mut self, start: usize) {
        let (mut end, mut escaped) = (None, false);
        let rest = &self.rest()[1..];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        for (at, byte) in line.bytes().enumerate() {
            if byte == b'"' {
                end = Some(at + 1);
                if !escaped {
                    break;
                }
            }
            escaped = byte == b'\\';
        }
        self.at = start + 1 + end.unwrap_or(line.len());
        self.push(if end.is_some() { Kind::Text } else { Kind::Unknown }, start);
    }

    fn digits(&mut self) {
        self.at += digits(self.rest());
    }

    fn number(&mut self, start: usize) {
        if let Some(length) = float(self.rest()) {
            self.at += length;
            self.push(Kind::Float, start);
            return;
        }
        if let Some(sign) = self.rest().strip_prefix('-').and_then(|_| self.sign()) {
            self.at += sign.len();
            self.push(Kind::Sign(sign), start);
            return;
        }
        self.digits();
        if let Some(width) = self.rest().strip_prefix("bv")
            && digits(width) > 0
        {
            self.at += 2;
            self.digits();
            self.push(Kind::BitVector, start);
            return;
        }
        let mut kind = Kind::Int;
        if let Some(fraction) = self.rest().strip_prefix('.')
            && digits(fraction) > 0
        {
            kind = Kind::Decimal;
            self.at += 1;
            self.digits();
        }
        if let Some(exponent) = self.rest().strip_prefix('e') {
            let sign = usize::from(exponent.starts_with('-'));
            if digits(&exponent[sign..]) > 0 {
                kind = Kind::Decimal;
                self.at += 1 + sign;
                self.digits();
            }
        }
        self.push(kind, start);
    }
}

/// How many decimal digits a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The length of the floating-point literal that a text begins with, if it does.
fn float(text: &str) -> Option<usize> {
    if let Some(word) = ["0NaN", "0nan", "0+oo", "0-oo"].iter().find(|word| text.starts_with(**word)) {
        let sizes = text.get(word.len()..)?;
        let significand = digits(sizes);
        let exponent = digits(sizes.get(significand..)?.strip_prefix('e')?);
        return (significand > 0 && exponent > 0).then_some(word.len() + significand + 1 + exponent);
    }
    let number = text.strip_prefix('-').unwrap_or(text).strip_prefix("0x")?;
    let hexadecimal = |text: &str| text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let whole = hexadecimal(number);
    let fraction = number.get(whole..)?.strip_prefix('.')?;
    let before = text.len() - fraction.len();
    // `e` and `f` are digits as well. So what follows the point is taken apart from its end, and where that
    // is no literal, it may end earlier.
    let mut run = hexadecimal(fraction);
    if fraction[..run].ends_with('e') && fraction[run..].starts_with('-') {
        let power = digits(&fraction[run + 1..]);
        let rest = fraction.get(run + 1 + power..)?;
        if whole > 0
            && run > 1
            && power > 0
            && let Some(rest) = rest.strip_prefix('f')
        {
            let significand = digits(rest);
            let exponent = rest.get(significand..)?.strip_prefix('e').map_or(0, digits);
            if significand > 0 && exponent > 0 {
                return Some(before + run + 1 + power + 1 + significand + 1 + exponent);
            }
        }
    }
    let last = |text: &str| text.len() - text.bytes().rev().take_while(u8::is_ascii_digit).count();
    while run > 0 && whole > 0 {
        let mut rest = &fraction[..run];
        let mut complete = true;
        for sign in ['e', 'f', 'e'] {
            let start = last(rest);
            let before = rest[..start].strip_suffix(sign);
            complete &= start < rest.len() && before.is_some();
            rest = before.unwrap_or_default();
        }
        if complete && !rest.is_empty() {
            return Some(before + run);
        }
        // Shorter by what cannot be the end, and at least by one.
        run = last(&fraction[..run]).min(run - 1);
    }
    None
}
