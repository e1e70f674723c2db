//! Tokens to a syntax tree, by recursive descent.
//!
//! A mistake is reported once, at its token; then the parser goes on at the next statement or
//! declaration. `declarations` holds the declarations, `statements` bodies, `expressions`
//! expressions and types.

mod declarations;
mod expressions;
mod statements;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::{FileId, Sources, Span};
use crate::syntax::ast::{Ast, Ident};
use crate::syntax::lexer::{Kind, Token, tokens};

/// How deep parentheses, types, conditional expressions and statements may nest.
pub const MAX_NESTING: u32 = 2_500;

/// Parses a file and adds its declarations to a tree.
///
/// Gives what is wrong with the text, in the order of the text. Whatever could be understood is in the
/// tree, but a program with syntax errors means nothing and must not be verified.
pub fn parse(sources: &Sources, file: FileId, ast: &mut Ast) -> Vec<Diagnostic> {
    let text = sources.file(file).text();
    let (tokens, diagnostics) = tokens(file, text);
    // Of two tokens, one ends an expression.
    ast.exprs.reserve(tokens.len() / 2);
    let mut parser = Parser { text, tokens, at: 0, depth: 0, ast, diagnostics };
    parser.program();
    parser.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    parser.diagnostics
}

/// A mistake was found and reported; the caller goes on where it can.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    ast: &'a mut Ast,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn kind_after(&self, distance: usize) -> Kind {
        self.tokens.get(self.at + distance).map_or(Kind::End, |token| token.kind)
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Takes the current token; the end of the file stays.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(found) if found == sign)
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.kind(), Kind::Keyword(found) if found == keyword)
    }

    /// Whether the current token is the given identifier, a word that is reserved only in its place.
    fn is_word(&self, word: &str) -> bool {
        self.kind() == Kind::Ident && self.slice(self.span()) == word
    }

    fn eat_sign(&mut self, sign: &str) -> Option<Span> {
        self.is_sign(sign).then(|| self.bump().span)
    }

    fn eat_keyword(&mut self, keyword: &str) -> Option<Span> {
        self.is_keyword(keyword).then(|| self.bump().span)
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.diagnostics.push(Diagnostic::error(Stage::Syntax, span, message));
        Err(Reported)
    }

    /// Reports a mistake after which parsing goes on where it is.
    fn remark(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(Stage::Syntax, span, message));
    }

    /// The token that was taken last.
    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Whether an attribute starts here; white space may stand before its colon.
    fn is_attribute(&self) -> bool {
        self.is_sign("{:") || (self.is_sign("{") && self.kind_after(1) == Kind::Sign(":"))
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let span = self.span();
        self.error(span, format!("{what} expected"))
    }

    fn invalid<T>(&mut self, what: &str) -> Parsed<T> {
        let span = self.span();
        self.error(span, format!("invalid {what}"))
    }

    fn sign(&mut self, sign: &str) -> Parsed<Span> {
        match self.eat_sign(sign) {
            Some(span) => Ok(span),
            None => self.expected(&format!("\"{sign}\"")),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Parsed<Span> {
        match self.eat_keyword(keyword) {
            Some(span) => Ok(span),
            None => self.expected(&format!("\"{keyword}\"")),
        }
    }

    fn ident(&mut self) -> Parsed<Ident> {
        if self.kind() != Kind::Ident {
            return self.expected("ident");
        }
        let span = self.bump().span;
        let name = &self.text[span.start as usize..span.end as usize];
        Ok(Ident { name: self.ast.names.intern(name), span })
    }

    /// `a, b, c`
    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        let mut idents = vec![self.ident()?];
        while self.eat_sign(",").is_some() {
            idents.push(self.ident()?);
        }
        Ok(idents)
    }

    /// Runs a parser one level deeper, or refuses.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            let span = self.span();
            return self.error(span, format!("nested too deeply: at most {MAX_NESTING} levels are accepted"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}
