//! Tokens to a syntax tree, by recursive descent.
//!
//! After a mistake the parser goes on where it is, as Boogie's does: a token that is missing is reported and
//! taken for read, an alternative that nothing begins is reported and left empty, and what follows is tried
//! at the same token. So a function of the parser always gives a tree, with [`ExprKind::Missing`] and its
//! like where nothing was read. Mistakes that are met before two more tokens were read are consequences of
//! the last one and not reported. What no declaration begins with ends the parse.
//!
//! `declarations` holds the declarations, `statements` bodies, `expressions` expressions, `types` types and
//! attributes.

mod declarations;
mod expressions;
mod statements;
mod types;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::{FileId, Sources, Span};
use crate::syntax::ast::{Ast, Expr, ExprId, ExprKind, Ident};
use crate::syntax::directive;
use crate::syntax::lexer::{Kind, Token, tokens};

/// How deep parentheses, types, conditional expressions and statements may nest.
pub const MAX_NESTING: u32 = 2_500;

/// How many tokens must be read after a mistake for the next one to be reported.
const DISTANCE: u32 = 2;

/// Parses a file and adds its declarations to a tree.
///
/// Gives what is wrong with the text, in the order in which it was found. Whatever could be understood is in
/// the tree, but a program with syntax errors means nothing and must not be verified.
pub fn parse(sources: &Sources, file: FileId, ast: &mut Ast) -> Vec<Diagnostic> {
    let (text, mut diagnostics) = directive::conditional(file, sources.file(file).text(), ast.files);
    ast.files += 1;
    let (tokens, unclosed) = tokens(file, &text);
    diagnostics.extend(unclosed);
    // Of two tokens, one ends an expression.
    ast.exprs.reserve(tokens.len() / 2);
    let mut parser = Parser {
        text: &text,
        tokens,
        at: 0,
        depth: 0,
        distance: DISTANCE,
        stopped: false,
        may_extend: false,
        ast,
        diagnostics,
    };
    parser.program();
    parser.diagnostics
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// How many tokens were read since the last mistake.
    distance: u32,
    /// Whether the rest of the text was given up, so that nothing more is to be said about it.
    stopped: bool,
    /// Whether what is read is the type of a constant, which `extends` ends.
    may_extend: bool,
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
            self.distance = self.distance.saturating_add(1);
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

    fn push(&mut self, span: Span, message: impl Into<String>) {
        if !self.stopped {
            self.diagnostics.push(Diagnostic::error(Stage::Syntax, span, message));
        }
    }

    /// Reports a mistake, unless it is likely a consequence of the last one.
    fn mistake(&mut self, span: Span, message: impl FnOnce() -> String) {
        if self.distance >= DISTANCE {
            self.push(span, message());
        }
        self.distance = 0;
    }

    /// Reports that what was read last, though of the right form, is not allowed.
    fn refuse(&mut self, message: &str) {
        let span = self.previous();
        self.mistake(span, || message.to_owned());
    }

    /// Reports what has nothing to do with other mistakes.
    fn remark(&mut self, span: Span, message: impl Into<String>) {
        self.push(span, message);
    }

    /// Reports what is allowed, but hardly meant.
    fn warn(&mut self, span: Span, message: impl Into<String>) {
        if !self.stopped {
            self.diagnostics.push(Diagnostic::warning(Stage::Syntax, span, message));
        }
    }

    /// Reports a mistake after which nothing is worth reading.
    fn give_up(&mut self, span: Span, message: impl Into<String>) {
        self.push(span, message);
        self.stop();
    }

    fn stop(&mut self) {
        self.stopped = true;
        self.ast.is_partial = true;
        self.at = self.tokens.len() - 1;
    }

    fn refuse_concurrent(&mut self) {
        let span = self.span();
        self.mistake(span, || "concurrent programs (Civl) are not supported".to_owned());
        self.stop();
    }

    /// The token that was taken last.
    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn expected(&mut self, what: &str) {
        let span = self.span();
        self.mistake(span, || format!("{what} expected"));
    }

    /// Reports that nothing begins any form of what the grammar calls `what`.
    fn invalid(&mut self, what: &str) {
        let span = self.span();
        self.mistake(span, || format!("invalid {what}"));
    }

    /// Takes a sign that must be there; gives the place of the last token in any case.
    fn sign(&mut self, sign: &str) -> Span {
        match self.eat_sign(sign) {
            Some(span) => span,
            None => {
                self.expected(&format!("\"{sign}\""));
                self.previous()
            }
        }
    }

    fn keyword(&mut self, keyword: &str) -> Span {
        match self.eat_keyword(keyword) {
            Some(span) => span,
            None => {
                self.expected(&format!("\"{keyword}\""));
                self.previous()
            }
        }
    }

    fn ident(&mut self) -> Ident {
        let found = self.kind() == Kind::Ident;
        let span = if found {
            self.bump().span
        } else {
            self.invalid("Ident");
            self.previous()
        };
        let name = &self.text[span.start as usize..span.end as usize];
        Ident { name: self.ast.names.intern(name.strip_prefix('\\').unwrap_or(name)), span }
    }

    /// `a, b, c`
    fn idents(&mut self) -> Vec<Ident> {
        let mut idents = vec![self.ident()];
        while self.eat_sign(",").is_some() {
            idents.push(self.ident());
        }
        idents
    }

    /// An expression that is not there.
    fn missing(&mut self) -> ExprId {
        let span = self.span();
        self.ast.exprs.push(Expr { kind: ExprKind::Missing, span })
    }

    /// Goes one level deeper, or gives up and says so; whoever goes there comes back with [`Self::leave`].
    fn enter(&mut self) -> bool {
        if self.depth >= MAX_NESTING {
            let span = self.span();
            self.give_up(span, format!("nested too deeply: at most {MAX_NESTING} levels are accepted"));
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
