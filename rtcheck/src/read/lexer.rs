//! Tokens of Prolog text.

use crate::base::Span;
use crate::term::Number;
use num_bigint::BigInt;
use num_traits::Num;

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

/// Cuts a text into tokens.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Where the last token starts.
    start: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer that starts at a byte of the text, which must be a character's first.
    #[must_use]
    pub fn new(text: &'a str, position: usize) -> Self {
        Self { text, position, start: position }
    }

    /// Where the next token or the layout before it starts.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Where the last token lies.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.position)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.position..].chars().next()
    }

    fn peek_second(&self) -> Option<char> {
        self.text[self.position..].chars().nth(1)
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.position += character.len_utf8();
        Some(character)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.position += wanted.len_utf8();
        }
        found
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.position..];
        let length = rest.find(|character| !accept(character)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { message: message.into(), span: self.span() })
    }

    /// Skips blanks and comments.
    fn skip_layout(&mut self) -> Result<(), SyntaxError> {
        loop {
            match self.peek() {
                Some(character) if character.is_whitespace() => {
                    self.bump();
                }
                Some('%') => {
                    self.take_while(|character| character != '\n');
                }
                Some('/') if self.peek_second() == Some('*') => {
                    self.start = self.position;
                    match self.text[self.position + 2..].find("*/") {
                        Some(length) => self.position += length + 4,
                        None => {
                            self.position = self.text.len();
                            return self.error("comment without its closing `*/`");
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
        let before = self.position;
        self.skip_layout()?;
        let layout = self.position > before || before == 0;
        self.start = self.position;
        let Some(first) = self.bump() else { return Ok(Token::EndOfText) };
        match first {
            '(' if !layout => Ok(Token::OpenArguments),
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | '|' => {
                if first == '|' && self.peek() == Some('|') {
                    self.bump();
                    return Ok(Token::Name("||".to_owned()));
                }
                Ok(Token::Punctuation(first))
            }
            '!' | ';' => Ok(Token::Name(first.to_string())),
            '\'' => Ok(Token::Quoted(self.quoted('\'')?)),
            '"' => Ok(Token::String(self.quoted('"')?)),
            '`' => Ok(Token::BackQuoted(self.quoted('`')?)),
            '0'..='9' => self.number(first),
            '_' => {
                let rest = self.take_while(is_alphanumeric);
                Ok(Token::Variable(format!("_{rest}")))
            }
            letter if letter.is_uppercase() => {
                let rest = self.take_while(is_alphanumeric);
                Ok(Token::Variable(format!("{letter}{rest}")))
            }
            letter if letter.is_alphabetic() => {
                let rest = self.take_while(is_alphanumeric);
                Ok(Token::Name(format!("{letter}{rest}")))
            }
            '.' if self.peek().is_none_or(|next| next.is_whitespace() || next == '%') => Ok(Token::End),
            symbol if is_symbol(symbol) => {
                self.take_while(is_symbol);
                Ok(Token::Name(self.text[self.start..self.position].to_owned()))
            }
            other => self.error(format!("character `{other}` cannot start a term")),
        }
    }

    /// Whether the next token is the bracket that opens the arguments of the name just read.
    #[must_use]
    pub fn at_arguments(&self) -> bool {
        self.peek() == Some('(')
    }

    /// Whether a digit follows at once, as in `-1`.
    #[must_use]
    pub fn at_digit(&self) -> bool {
        self.peek().is_some_and(|next| next.is_ascii_digit())
    }

    /// Skips to behind the next full stop, as one does after a syntax error.
    pub fn skip_clause(&mut self) {
        loop {
            if let Ok(Token::End | Token::EndOfText) = self.token() {
                return;
            }
        }
    }

    fn number(&mut self, first: char) -> Result<Token, SyntaxError> {
        if first == '0' {
            match self.peek() {
                Some('\'') => {
                    if let Some(number) = self.character_code()? {
                        return Ok(number);
                    }
                }
                Some('x') => return self.radix(16),
                Some('o') => return self.radix(8),
                Some('b') => return self.radix(2),
                _ => {}
            }
        }
        self.digits(10);
        let integer_end = self.position;
        let fraction =
            self.peek() == Some('.') && self.peek_second().is_some_and(|next| next.is_ascii_digit());
        if fraction {
            self.bump();
            self.digits(10);
        }
        let exponent = self.exponent();
        let text = self.text[self.start..self.position].replace('_', "");
        if fraction || exponent {
            if self.text[self.position..].starts_with("Inf") {
                self.position += 3;
                return Ok(Token::Number(Number::Float(f64::INFINITY)));
            }
            if self.text[self.position..].starts_with("NaN") {
                self.position += 3;
                return Ok(Token::Number(Number::Float(f64::NAN)));
            }
            return match text.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Token::Number(Number::Float(value))),
                _ => self.error("float out of range"),
            };
        }
        self.position = integer_end;
        self.integer(&text, 10)
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

    /// Eats digits, which single underscores may group.
    fn digits(&mut self, radix: u32) {
        loop {
            self.take_while(|next| next.is_digit(radix));
            let grouped =
                self.peek() == Some('_') && self.peek_second().is_some_and(|next| next.is_digit(radix));
            if !grouped {
                return;
            }
            self.bump();
        }
    }

    fn radix(&mut self, radix: u32) -> Result<Token, SyntaxError> {
        if !self.peek_second().is_some_and(|next| next.is_digit(radix)) {
            // `0x` is the integer 0 and a name.
            return Ok(Token::Number(Number::Int(0)));
        }
        self.bump();
        let digits_start = self.position;
        self.digits(radix);
        let text = self.text[digits_start..self.position].replace('_', "");
        self.integer(&text, radix)
    }

    fn integer(&self, text: &str, radix: u32) -> Result<Token, SyntaxError> {
        match BigInt::from_str_radix(text, radix) {
            Ok(value) => Ok(Token::Number(Number::integer(value))),
            Err(_) => self.error("malformed integer"),
        }
    }

    /// `0'c`: the code of a character; `None` if no character follows the quote.
    fn character_code(&mut self) -> Result<Option<Token>, SyntaxError> {
        let before = self.position;
        self.bump();
        let code = match self.bump() {
            Some('\\') => self.escape()?,
            Some('\'') if self.eat('\'') => Some('\''),
            Some('\'') | None => None,
            Some(character) => Some(character),
        };
        if code.is_none() {
            self.position = before;
        }
        Ok(code.map(|character| Token::Number(Number::Int(i64::from(u32::from(character))))))
    }

    fn quoted(&mut self, quote: char) -> Result<String, SyntaxError> {
        let mut text = String::new();
        loop {
            match self.bump() {
                Some(character) if character == quote => {
                    if !self.eat(quote) {
                        return Ok(text);
                    }
                    text.push(quote);
                }
                Some('\\') => text.extend(self.escape()?),
                Some(character) => text.push(character),
                None => {
                    // Only the opening quote is at fault; marking the rest of the text would not help.
                    let span = Span::new(self.start, self.start + quote.len_utf8());
                    return Err(SyntaxError { message: format!("text without its closing `{quote}`"), span });
                }
            }
        }
    }

    /// The character of an escape sequence behind its backslash; `None` for a continued line.
    fn escape(&mut self) -> Result<Option<char>, SyntaxError> {
        let character = match self.bump() {
            Some('\n') => return Ok(None),
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('e') => '\u{1b}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('s') => ' ',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some('x') => self.numeric_escape(16)?,
            Some('0'..='7') => {
                self.position -= 1;
                self.numeric_escape(8)?
            }
            Some(character @ ('\\' | '\'' | '"' | '`')) => character,
            Some(other) => return self.error(format!("unknown escape sequence `\\{other}`")),
            None => return self.error("text ends behind a backslash"),
        };
        Ok(Some(character))
    }

    fn numeric_escape(&mut self, radix: u32) -> Result<char, SyntaxError> {
        let digits = self.take_while(|next| next.is_digit(radix));
        let character = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        self.eat('\\');
        match character {
            Some(character) => Ok(character),
            None => self.error("escape sequence is not the code of a character"),
        }
    }
}

fn is_alphanumeric(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn is_symbol(character: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(character)
}
