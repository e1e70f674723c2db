//! Tokens of Prolog text.
//!
//! Length: all kinds of tokens are read with one cursor, and tell their errors by its place.

use super::digits;
use crate::base::Span;
use crate::term::{Number, is_alphanumeric, is_symbol, starts_name, starts_variable};
use num_bigint::BigInt;
use num_traits::Num;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A token. Names and strings are given with their escapes resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// An unquoted name: letters, symbol characters, or one of `!`, `;`.
    Name(String),
    /// A name in single quotes.
    Quoted(String),
    /// A variable.
    Variable(String),
    /// A number.
    Number(Number),
    /// A text in double quotes.
    String(String),
    /// A text in back quotes.
    BackQuoted(String),
    /// One of `( ) [ ] { } , |`.
    Punctuation(char),
    /// The opening bracket right behind a name.
    OpenArguments,
    /// The full stop that ends a clause.
    End,
    /// The end of the text.
    EndOfText,
}

impl Token {
    /// The token as messages call it.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Name(name) | Self::Variable(name) => format!("`{name}`"),
            Self::Quoted(name) => format!("`'{name}'`"),
            Self::Number(_) => "a number".to_owned(),
            Self::String(_) | Self::BackQuoted(_) => "a string".to_owned(),
            Self::Punctuation(character) => format!("`{character}`"),
            Self::OpenArguments => "`(`".to_owned(),
            Self::End => "end of the clause".to_owned(),
            Self::EndOfText => "end of the text".to_owned(),
        }
    }
}

/// Why a text is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// What was expected or is wrong: a lower-case fragment.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// Of the characters that separate tokens the standard has blanks alone in quotes (6.4.2.1).
const TAB: &str = "a tab in quotes is written `\\t`";

/// What characters outside of quotes are read as: ISO's `char_conversion/2`. Nothing, for most programs.
pub type Conversions = Option<Rc<BTreeMap<char, char>>>;

/// Cuts a text into tokens.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Where the last token starts.
    start: usize,
    /// The last token was a quoted text that broke off behind a point at the end of its line.
    broke_off: bool,
    /// The text ended inside the last token.
    ran_out: bool,
    /// None while a quoted text or the code of a character is read.
    conversions: Conversions,
    /// Only what the standard allows: a quoted text ends in its line, a float has a fraction, and there are no other
    /// radices and escapes than the standard's.
    strict: bool,
    /// Of the first quoted text over several lines since [`Lexer::forget_doubt`] one of whose lines ends with a point:
    /// what is wrong if its closing quote is missing, and where the next line begins.
    doubt: Option<Doubt>,
    /// Where the comments lie that were passed, if that is asked for.
    comments: Option<Vec<Span>>,
}

#[derive(Clone, Debug)]
struct Doubt {
    quote: char,
    opening: Span,
    next_line: usize,
    /// Behind the closing quote, once there is one.
    closing: Option<usize>,
}

impl<'a> Lexer<'a> {
    /// A lexer that starts at a byte of the text, which must be a character's first.
    #[must_use]
    pub fn new(text: &'a str, position: usize) -> Self {
        Self {
            text,
            position,
            start: position,
            broke_off: false,
            ran_out: false,
            conversions: None,
            strict: false,
            doubt: None,
            comments: None,
        }
    }

    /// Notes where comments lie from now on.
    pub(super) fn note_comments(&mut self) {
        self.comments = Some(Vec::new());
    }

    /// Where the comments lie that were noted.
    pub(super) fn comments(&self) -> &[Span] {
        self.comments.as_deref().unwrap_or_default()
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// This lexer with or without quoted texts over several lines.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    pub(super) fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// What was read is a term: its quoted texts end where they were meant to.
    pub(super) fn forget_doubt(&mut self) {
        self.doubt = None;
    }

    /// What was read is no term. If that shows right behind a quoted text over several lines, which then probably lacks
    /// its closing quote, goes back to where it should have ended and tells that.
    pub(super) fn go_back(&mut self, error: &SyntaxError) -> Option<SyntaxError> {
        let Doubt { quote, opening, next_line, closing } = self.doubt.take()?;
        let between = closing.and_then(|closing| self.text.get(closing..error.span.start));
        if between.is_some_and(|between| !between.trim().is_empty()) {
            return None;
        }
        self.position = next_line;
        let message = format!(
            "the line ends inside quotes, and what follows the next `{quote}` does not go on with the term: expected \
             `{quote}` (a new line is written `\\n`)"
        );
        Some(SyntaxError { message, span: opening })
    }

    /// This lexer with characters outside of quotes converted.
    #[must_use]
    pub fn converting(self, conversions: Conversions) -> Self {
        Self { conversions, ..self }
    }

    /// Converts characters outside of quotes in what is read next.
    pub(super) fn convert(&mut self, conversions: Conversions) {
        self.conversions = conversions;
    }

    fn converted(&self, character: char) -> char {
        match &self.conversions {
            None => character,
            Some(conversions) => conversions.get(&character).copied().unwrap_or(character),
        }
    }

    /// What was read since a byte, converted.
    fn spelling(&self, start: usize) -> String {
        let text = &self.text[start..self.position];
        match &self.conversions {
            None => text.to_owned(),
            Some(_) => text.chars().map(|character| self.converted(character)).collect(),
        }
    }

    /// Reads characters as they are.
    fn as_written<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let conversions = self.conversions.take();
        let result = read(self);
        self.conversions = conversions;
        result
    }

    /// Where the next token or the layout before it starts.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Where the character that starts at a byte lies.
    pub(super) fn character_at(&self, byte: usize) -> Span {
        let length = self.text[byte..].chars().next().map_or(0, char::len_utf8);
        Span::new(byte, byte + length)
    }

    /// Where the last token lies.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.position)
    }

    /// The next character as it is written. Nearly all are ASCII's, for which no text is cut.
    fn written(&self) -> Option<char> {
        match self.text.as_bytes().get(self.position) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.text[self.position..].chars().next(),
            None => None,
        }
    }

    fn peek(&self) -> Option<char> {
        self.written().map(|character| self.converted(character))
    }

    fn peek_second(&self) -> Option<char> {
        self.text[self.position..].chars().nth(1).map(|character| self.converted(character))
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.written()?;
        self.position += character.len_utf8();
        Some(self.converted(character))
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.bump();
        }
        found
    }

    /// Passes characters as long as they are accepted once they are converted, and gives them as they are written.
    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.position..];
        let length = rest.find(|character| !accept(self.converted(character))).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { message: message.into(), span: self.span() })
    }

    /// An error at what was read since a byte.
    fn error_since<T>(&self, start: usize, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { message: message.into(), span: Span::new(start, self.position) })
    }

    fn note_comment(&mut self, start: usize) {
        let span = Span::new(start, self.position);
        if let Some(comments) = &mut self.comments {
            comments.push(span);
        }
    }

    /// Skips blanks and comments.
    fn skip_layout(&mut self) -> Result<(), SyntaxError> {
        loop {
            match self.peek() {
                Some(character) if character.is_whitespace() => {
                    self.bump();
                }
                // A mark that some editors put at the start of a file.
                Some('\u{feff}') if self.position == 0 => {
                    self.bump();
                }
                Some('%') => {
                    let start = self.position;
                    self.as_written(|lexer| lexer.take_while(|character| character != '\n'));
                    self.note_comment(start);
                }
                Some('/') if self.peek_second() == Some('*') => {
                    match self.text[self.position + 2..].find("*/") {
                        Some(length) => {
                            let start = self.position;
                            self.position += length + 4;
                            self.note_comment(start);
                        }
                        None => {
                            let span = Span::new(self.position, self.position + 2);
                            self.start = self.position;
                            self.position = self.text.len();
                            let message = "comment without its closing `*/`".to_owned();
                            return Err(SyntaxError { message, span });
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// The next token.
    ///
    /// # Errors
    /// Text that is no token: an open quote, an unknown escape, a stray character. The lexer stands behind it.
    pub fn token(&mut self) -> Result<Token, SyntaxError> {
        self.broke_off = false;
        self.ran_out = false;
        let before = self.position;
        self.skip_layout()?;
        // At the start of a text no name stands in front of a bracket.
        let layout = self.position > before || before == 0;
        self.start = self.position;
        let Some(first) = self.bump() else { return Ok(Token::EndOfText) };
        match first {
            '(' if !layout => Ok(Token::OpenArguments),
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | '|' => Ok(Token::Punctuation(first)),
            '!' | ';' => Ok(Token::Name(first.to_string())),
            '\'' => Ok(Token::Quoted(self.as_written(|lexer| lexer.quoted('\''))?)),
            '"' => Ok(Token::String(self.as_written(|lexer| lexer.quoted('"'))?)),
            '`' => Ok(Token::BackQuoted(self.as_written(|lexer| lexer.quoted('`'))?)),
            '0'..='9' => self.number(first),
            letter if starts_variable(letter) => {
                self.take_while(is_alphanumeric);
                Ok(Token::Variable(self.spelling(self.start)))
            }
            letter if starts_name(letter) => {
                self.take_while(is_alphanumeric);
                Ok(Token::Name(self.spelling(self.start)))
            }
            '.' if self.at_end() => Ok(Token::End),
            digit if !self.strict && digits::zero(digit).is_some() => self.number_of_script(digit),
            symbol if is_symbol(symbol) => {
                self.take_while(is_symbol);
                Ok(Token::Name(self.spelling(self.start)))
            }
            other => self.error(format!("character `{}` cannot start a term", other.escape_debug())),
        }
    }

    /// Whether a point just read is a full stop: layout, a comment or the end of the text follows.
    fn at_end(&self) -> bool {
        self.peek().is_none_or(|next| next.is_whitespace() || next == '%')
    }

    /// Passes the second bar of `||`.
    pub(super) fn eat_bar(&mut self) -> bool {
        self.eat('|')
    }

    /// Whether the next token is the bracket that opens the arguments of the name just read.
    #[must_use]
    pub fn at_arguments(&self) -> bool {
        self.peek() == Some('(')
    }

    /// Whether the next token is a word or number, without layout in front of it.
    #[must_use]
    pub fn at_word(&self) -> bool {
        self.peek().is_some_and(|next| next.is_alphanumeric() || next == '_')
    }

    /// Whether the next token is the bracket that makes what was just read the tag of a dict.
    #[must_use]
    pub fn at_curly(&self) -> bool {
        self.peek() == Some('{')
    }

    /// Whether the next token is a number, be it behind layout.
    #[must_use]
    pub fn number_follows(&self) -> bool {
        let mut ahead = self.clone();
        ahead.skip_layout().is_ok()
            && ahead.peek().is_some_and(|next| digits::begins_number(next, self.strict))
    }

    /// Whether the clause probably ended with the last token, although that is a quoted text without its closing
    /// quote: the line ends with a point.
    #[must_use]
    pub fn broke_off(&self) -> bool {
        self.broke_off
    }

    /// Whether the text ended inside the last token, a quoted text: there may be more of it.
    #[must_use]
    pub fn ran_out(&self) -> bool {
        self.ran_out
    }

    /// Skips to behind the next full stop, as one does after a syntax error.
    pub fn skip_clause(&mut self) {
        while !self.broke_off && !matches!(self.token(), Ok(Token::End | Token::EndOfText)) {}
    }

    fn number(&mut self, first: char) -> Result<Token, SyntaxError> {
        if first == '0' {
            match self.peek() {
                Some('\'') => return self.as_written(Self::character_code),
                Some('x') => return self.radix(16),
                Some('o') => return self.radix(8),
                Some('b') => return self.radix(2),
                _ => {}
            }
        }
        self.decimal()
    }

    /// A number that begins with decimal digits, or goes on with them.
    fn decimal(&mut self) -> Result<Token, SyntaxError> {
        self.digits(10);
        self.thousands();
        let fraction =
            self.peek() == Some('.') && self.peek_second().is_some_and(|next| next.is_ascii_digit());
        if fraction {
            self.bump();
            self.digits(10);
        }
        let exponent = (fraction || !self.strict) && self.exponent();
        let text = ungrouped(&self.spelling(self.start));
        if !(fraction || exponent) {
            return self.other_radix(&text);
        }
        for (suffix, value) in [("Inf", f64::INFINITY), ("NaN", f64::NAN)] {
            if self.text[self.position..].starts_with(suffix) {
                self.position += suffix.len();
                return Ok(Token::Number(Number::Float(value)));
            }
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Number(Number::Float(value))),
            _ => self.error("this float is out of range"),
        }
    }

    /// A number in the digits of another script, all of the one that the first digit belongs to: what a number in
    /// ASCII's digits would be, but that no radix goes with them.
    fn number_of_script(&mut self, first: char) -> Result<Token, SyntaxError> {
        let zero = digits::zero(first).unwrap_or_default();
        let mut ascii = String::new();
        for character in self.text[self.start..].chars() {
            match digits::value(character, zero) {
                Some(digit) => ascii.push(digit),
                None if character.is_ascii_alphabetic() || matches!(character, '.' | '_') => {
                    ascii.push(character);
                }
                None if matches!(character, '+' | '-') && ascii.ends_with(['e', 'E']) => {
                    ascii.push(character);
                }
                None => break,
            }
        }
        let mut lexer = Lexer::new(&ascii, 0);
        let number = lexer.decimal();
        let length = ascii[..lexer.position].chars().count();
        self.position =
            self.start + self.text[self.start..].chars().take(length).map(char::len_utf8).sum::<usize>();
        number.or_else(|error| self.error(error.message))
    }

    /// A decimal integer, or the radix of the digits behind a quote: `16'FF`.
    fn other_radix(&mut self, text: &str) -> Result<Token, SyntaxError> {
        let radix = text.parse().ok().filter(|radix| !self.strict && (2..=36).contains(radix));
        if let Some(radix) = radix
            && self.peek() == Some('\'')
            && self.peek_second().is_some_and(|next| next.is_digit(radix))
        {
            self.bump();
            return self.integer_of_radix(radix);
        }
        if let Some(denominator) = self.denominator() {
            let (Ok(numerator), Ok(denominator)) = (text.parse(), denominator.parse()) else {
                return self.error("this rational number is out of range");
            };
            return match Number::quotient(numerator, denominator) {
                Some(number) => Ok(Token::Number(number)),
                None => self.error("the denominator of a rational number is not 0"),
            };
        }
        self.integer(text, 10)
    }

    /// Eats `r` and the digits behind it: `1r3` is a third.
    fn denominator(&mut self) -> Option<String> {
        let follows =
            self.peek() == Some('r') && self.peek_second().is_some_and(|next| next.is_ascii_digit());
        if self.strict || !follows {
            return None;
        }
        self.bump();
        let start = self.position;
        self.digits(10);
        Some(ungrouped(&self.text[start..self.position]))
    }

    /// Eats an exponent if one stands here. Without a fraction a sign or digit must follow the `e`, as in
    /// `1e10`; `1else` is a number and a name.
    fn exponent(&mut self) -> bool {
        let before = self.position;
        if !(self.eat('e') || self.eat('E')) {
            return false;
        }
        let _ = self.eat('+') || self.eat('-');
        if self.take_while(|next| next.is_ascii_digit()).is_empty() {
            self.position = before;
            return false;
        }
        true
    }

    /// Eats digits, which single underscores may group, with layout behind them as in SWI-Prolog.
    fn digits(&mut self, radix: u32) {
        loop {
            self.take_while(|next| next.is_digit(radix));
            if self.strict || self.peek() != Some('_') {
                return;
            }
            let before = self.position;
            self.bump();
            self.take_while(char::is_whitespace);
            if !self.peek().is_some_and(|next| next.is_digit(radix)) {
                self.position = before;
                return;
            }
        }
    }

    /// Eats the rest of a number in groups of three digits with one blank between them, `1 000 000`, as
    /// SWI-Prolog reads it. Other groups are numbers without an operator between them, which are errors.
    fn thousands(&mut self) {
        let first = &self.text[self.start..self.position];
        if self.strict || first.len() > 3 || !first.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        loop {
            let mut rest = self.text[self.position..].chars();
            let blank = rest.next() == Some(' ');
            let digits = rest.by_ref().take(3).filter(char::is_ascii_digit).count() == 3;
            let ends = !rest.next().is_some_and(|next| next.is_alphanumeric() || matches!(next, '_' | '\''));
            if !(blank && digits && ends) {
                return;
            }
            self.position += 4;
        }
    }

    fn radix(&mut self, radix: u32) -> Result<Token, SyntaxError> {
        if !self.peek_second().is_some_and(|next| next.is_digit(radix)) {
            // `0x` is the integer 0 and a name.
            return Ok(Token::Number(Number::Int(0)));
        }
        self.bump();
        self.integer_of_radix(radix)
    }

    fn integer_of_radix(&mut self, radix: u32) -> Result<Token, SyntaxError> {
        let start = self.position;
        self.digits(radix);
        // Binary and octal digits in groups with a blank between them, as in SWI-Prolog: nothing else can be meant.
        while !self.strict
            && radix <= 8
            && self.peek() == Some(' ')
            && self.peek_second().is_some_and(|next| next.is_digit(radix))
        {
            self.bump();
            self.digits(radix);
        }
        let text = ungrouped(&self.spelling(start));
        self.integer(&text, radix)
    }

    fn integer(&self, text: &str, radix: u32) -> Result<Token, SyntaxError> {
        match BigInt::from_str_radix(text, radix) {
            Ok(value) => Ok(Token::Number(Number::integer(value))),
            Err(_) => self.error("malformed integer"),
        }
    }

    /// `0'c`: the code of a character, or the integer 0 in front of a quoted name that cannot be one. The lexer
    /// stands on the quote.
    fn character_code(&mut self) -> Result<Token, SyntaxError> {
        let quote = self.position;
        self.bump();
        let before = self.position;
        let character = match self.bump() {
            Some('\\') => match self.escape()? {
                Some(character) => character,
                // A continued line is no character (6.4.2.1), so the quote opens a name.
                None => {
                    self.position = quote;
                    return Ok(Token::Number(Number::Int(0)));
                }
            },
            Some('\'') if self.eat('\'') => '\'',
            Some('\'') if self.strict => {
                self.position = quote;
                return Ok(Token::Number(Number::Int(0)));
            }
            Some('\t') if self.strict => return self.error_since(before, TAB),
            // SWI-Prolog's way: a quote that is not doubled is one, too.
            Some('\'') => '\'',
            Some('\n') | None => {
                self.position = before;
                return self.error("expected a character behind 0'");
            }
            Some(character) => character,
        };
        Ok(Token::Number(Number::Int(i64::from(u32::from(character)))))
    }

    fn quoted(&mut self, quote: char) -> Result<String, SyntaxError> {
        // Where to look is the opening quote; marking the text behind it would not help.
        let opening = Span::new(self.start, self.start + quote.len_utf8());
        let mut text = String::new();
        // What is wrong inside is told when the closing quote was found, so that the rest is read from behind it.
        let mut wrong = None;
        loop {
            let strict = self.strict;
            text.push_str(self.take_while(|next| {
                next != quote && !matches!(next, '\\' | '\n') && !(strict && next == '\t')
            }));
            match self.bump() {
                Some('\t') => wrong = wrong.or(self.error_since::<()>(self.position - 1, TAB).err()),
                Some('\\') => match self.escape() {
                    Ok(character) => text.extend(character),
                    Err(error) => wrong = wrong.or(Some(error)),
                },
                Some('\n') if !self.strict => {
                    if self.doubt.is_none() && text.trim_end().ends_with('.') {
                        self.doubt = Some(Doubt { quote, opening, next_line: self.position, closing: None });
                    }
                    text.push('\n');
                }
                Some('\n') => {
                    self.broke_off = text.trim_end().ends_with('.');
                    let message = format!(
                        "the line ends inside quotes: expected `{quote}` (a new line is written `\\n`; a text \
                         goes on after `\\` at the end of its line)"
                    );
                    return Err(SyntaxError { message, span: opening });
                }
                Some(_) => {
                    if !self.eat(quote) {
                        if let Some(error) = wrong {
                            // It is no sign of a quote that is missing.
                            self.doubt = self.doubt.take().filter(|doubt| doubt.opening != opening);
                            return Err(error);
                        }
                        if let Some(doubt) = self.doubt.as_mut().filter(|doubt| doubt.opening == opening) {
                            doubt.closing = Some(self.position);
                        }
                        return Ok(text);
                    }
                    text.push(quote);
                }
                None => {
                    self.ran_out = true;
                    if let Some(doubt) = self.doubt.as_ref().filter(|doubt| doubt.opening == opening) {
                        // Whoever cuts a text into clauses goes on there.
                        self.position = doubt.next_line;
                        self.broke_off = true;
                    }
                    let message = format!("text without its closing `{quote}`");
                    return Err(SyntaxError { message, span: opening });
                }
            }
        }
    }

    /// The character of an escape sequence behind its backslash; `None` where the text just goes on behind it.
    fn escape(&mut self) -> Result<Option<char>, SyntaxError> {
        let start = self.position - 1;
        let character = match self.bump() {
            Some('\n') => return Ok(None),
            Some('\r') if self.eat('\n') => return Ok(None),
            // The text goes on behind the layout; the standard has no such sequence, so one that skips nothing is
            // an error, as any unknown one.
            Some('c') if !self.strict && !self.take_while(char::is_whitespace).is_empty() => return Ok(None),
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('e') if !self.strict => '\u{1b}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('s') if !self.strict => ' ',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some('x') => self.numeric_escape(start, 16)?,
            Some('0'..='7') => {
                self.position -= 1;
                self.numeric_escape(start, 8)?
            }
            Some('u') if !self.strict => self.sized_escape(start, 4)?,
            Some('U') if !self.strict => self.sized_escape(start, 8)?,
            Some(character @ ('\\' | '\'' | '"' | '`')) => character,
            Some(other) => {
                let message = format!("unknown escape sequence `\\{}`", other.escape_debug());
                return self.error_since(start, message);
            }
            None => return self.error_since(start, "the text ends behind a backslash"),
        };
        Ok(Some(character))
    }

    /// The code of a character in any number of digits, closed by a backslash. Programs that colour what they write
    /// (`'\033[1m'`) leave it out, which SWI-Prolog and the standard's predecessors allow.
    fn numeric_escape(&mut self, start: usize, radix: u32) -> Result<char, SyntaxError> {
        let digits = self.take_while(|next| next.is_digit(radix));
        if !self.eat('\\') && (self.strict || digits.is_empty()) {
            return self.error_since(start, "expected `\\` behind the digits of an escape sequence");
        }
        self.code(start, digits, radix)
    }

    /// The code of a character in a fixed number of hexadecimal digits.
    fn sized_escape(&mut self, start: usize, count: usize) -> Result<char, SyntaxError> {
        let rest = &self.text[self.position..];
        let length = rest.bytes().take(count).take_while(u8::is_ascii_hexdigit).count();
        self.position += length;
        if length < count {
            return self.error_since(start, format!("expected {count} hexadecimal digits"));
        }
        self.code(start, &rest[..length], 16)
    }

    fn code(&self, start: usize, digits: &str, radix: u32) -> Result<char, SyntaxError> {
        match u32::from_str_radix(digits, radix).ok().and_then(char::from_u32) {
            Some(character) => Ok(character),
            None => self.error_since(start, "this escape sequence is not the code of a character"),
        }
    }
}

/// Digits without what groups them.
fn ungrouped(digits: &str) -> String {
    digits.chars().filter(|character| *character != '_' && !character.is_whitespace()).collect()
}
