//! Operator precedence with explicit stacks.
//!
//! The parser alternates between two states: it expects an operand (a name, a number, an opening bracket, a
//! prefix operator) or what may follow one (an infix or postfix operator, a separator, a closing bracket).
//! Operands and operators wait on two stacks; an open bracket is a frame that remembers how high the stacks
//! were. An operator is applied as soon as something follows that binds less tightly.

mod dicts;
mod frames;
mod precedence;

use self::dicts::FUNCTION;
use self::frames::{Frame, FrameKind, Operand, Operator};
use self::precedence::DECLARATION;
use super::flags::{Flags, Quotes};
use super::layout::Layout;
use super::lexer::{Conversions, Lexer, SyntaxError, Token};
use crate::base::Span;
use crate::term::{
    Atom, Atoms, Cell, OperatorDefinition, OperatorKind, Operators, Store, atom, dict, nullary,
};
use rustc_hash::FxHashMap;

/// A term that was read.
#[derive(Clone, Debug)]
pub struct ReadTerm {
    /// The term.
    pub term: Cell,
    /// Where it lies in the text, without the full stop.
    pub span: Span,
    /// Where its parts stand, if that was asked for.
    pub layout: Option<Cell>,
    /// Its named variables in order of first occurrence (`_` is not among them), each with how often it occurs.
    pub variables: Vec<(String, Cell, usize)>,
}

/// Reads terms from a text, one after the other.
pub struct Parser<'a> {
    lexer: Lexer<'a>,
    operators: Vec<Operator>,
    operands: Vec<Operand>,
    frames: Vec<Frame>,
    variables: Vec<(String, Cell, usize)>,
    /// Where each name is in `variables`.
    variable_positions: FxHashMap<String, usize>,
    /// The flags that hold for what is read next.
    pub flags: Flags,
    /// The last operand was a text in double quotes.
    after_text: bool,
    /// The end of the last operand where a function or method may follow it: that of a variable or dict (`Dict.key`),
    /// and with `methods` that of a bracket.
    before_point: Option<usize>,
    /// Where the token started that an operand began with.
    from: usize,
    layout: Option<Layout>,
    /// The full stop or the end of the text was taken: nothing is left to skip after an error.
    ended: bool,
}

/// `"text"||Tail`: a list of the text's codes or characters, and its tail.
const DOUBLE_BAR: OperatorDefinition = OperatorDefinition { priority: 1, kind: OperatorKind::Xfy };

/// The name of terms with such a function. It is interned where one is read, and nowhere else.
pub const FUNCTION_NAME: &str = "$dot";

/// Steps by one.
const STEP: OperatorDefinition = OperatorDefinition { priority: 500, kind: OperatorKind::Fx };

/// Operators that programs for finite domains have, and that are there with the library alone.
const CONSTRAINTS: &[&str] =
    &["#=", "#\\=", "#<", "#>", "#=<", "#>=", "#<==>", "#==>", "#<==", "#\\/", "#/\\", "in", "ins"];

impl<'a> Parser<'a> {
    /// A parser that starts at a byte of the text.
    #[must_use]
    pub fn new(text: &'a str, position: usize, flags: Flags) -> Self {
        Self {
            lexer: Lexer::new(text, position).strict(flags.strict),
            operators: Vec::new(),
            operands: Vec::new(),
            frames: Vec::new(),
            variables: Vec::new(),
            variable_positions: FxHashMap::default(),
            flags,
            after_text: false,
            before_point: None,
            from: position,
            layout: None,
            ended: false,
        }
    }

    /// Converts characters outside of quotes in what is read next.
    pub fn convert(&mut self, conversions: Conversions) {
        self.lexer.convert(conversions);
    }

    /// Asks for the places of the parts of what is read next. So many characters are in front of the next byte.
    pub(crate) fn locate(&mut self, atoms: &mut Atoms, characters: usize) {
        self.layout = Some(Layout::new(atoms, self.lexer.position(), characters));
    }

    /// Asks for the places of the comments in what is read next.
    pub(crate) fn note_comments(&mut self) {
        self.lexer.note_comments();
    }

    /// Where the comments lie that were passed since [`Parser::note_comments`].
    pub(crate) fn comments(&self) -> &[Span] {
        self.lexer.comments()
    }

    /// Where the next term or the layout before it starts.
    #[must_use]
    pub fn position(&self) -> usize {
        self.lexer.position()
    }

    /// The next term; `None` at the end of the text. The table of operators may change between two calls.
    ///
    /// # Errors
    /// A syntax error. The parser then stands behind the next full stop.
    pub fn read(
        &mut self,
        store: &mut Store,
        atoms: &mut Atoms,
        table: &Operators,
    ) -> Result<Option<ReadTerm>, SyntaxError> {
        self.operators.clear();
        self.operands.clear();
        self.frames.clear();
        self.variables.clear();
        self.variable_positions.clear();
        self.ended = false;
        self.lexer.set_strict(self.flags.strict);
        let mut result = self.whole(store, atoms, table);
        if let Err(error) = &result {
            if let Some(error) = self.lexer.go_back(error) {
                result = Err(error);
            } else if !self.ended {
                self.lexer.skip_clause();
            }
        }
        self.lexer.forget_doubt();
        result
    }

    fn token(&mut self) -> Result<Token, SyntaxError> {
        let token = self.lexer.token()?;
        self.ended = matches!(token, Token::End | Token::EndOfText);
        Ok(token)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { message: message.into(), span: self.lexer.span() })
    }

    fn open(&mut self, kind: FrameKind) {
        self.frames.push(Frame {
            kind,
            operators: self.operators.len(),
            operands: self.operands.len(),
            span: self.lexer.span(),
        });
    }

    fn frame(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame {
            kind: FrameKind::Whole,
            operators: 0,
            operands: 0,
            span: Span::new(0, 0),
        })
    }

    fn whole(
        &mut self,
        store: &mut Store,
        atoms: &mut Atoms,
        table: &Operators,
    ) -> Result<Option<ReadTerm>, SyntaxError> {
        let first = self.token()?;
        if first == Token::EndOfText {
            return Ok(None);
        }
        let start = self.lexer.span().start;
        self.open(FrameKind::Whole);
        let mut token = first;
        loop {
            // An operand, after any prefix operators and opening brackets.
            while !self.operand(&token, store, atoms, table)? {
                token = self.token()?;
            }
            // What may follow it, until an infix operator or a separator wants another operand.
            loop {
                token = self.token()?;
                if self.follow(&token, store, atoms, table)? {
                    break;
                }
                if self.frames.is_empty() {
                    let whole = self.operands.pop();
                    let term = whole.map_or(Cell::atom(atom::NIL), |whole| whole.term);
                    let layout = whole.map(|whole| whole.layout).filter(|_| self.layout.is_some());
                    let span = Span::new(start, self.lexer.span().start);
                    let variables = std::mem::take(&mut self.variables);
                    return Ok(Some(ReadTerm { term, span, layout, variables }));
                }
            }
            token = self.token()?;
        }
    }

    /// Takes a token where an operand is expected. True if an operand is now complete.
    fn operand(
        &mut self,
        token: &Token,
        store: &mut Store,
        atoms: &mut Atoms,
        table: &Operators,
    ) -> Result<bool, SyntaxError> {
        self.after_text = matches!(token, Token::String(_));
        self.from = self.lexer.span().start;
        self.before_point = matches!(token, Token::Variable(_)).then(|| self.lexer.span().end);
        let operand = match token {
            Token::Number(number) => store.make_number(number),
            Token::Variable(name) => {
                let variable = self.variable(name, store);
                if self.lexer.at_arguments() && !self.flags.strict {
                    // `T(X)`, as parametric types are written, is `call(T,X)`.
                    self.open(FrameKind::Arguments(atom::CALL));
                    self.constant(variable, 0, store);
                    self.token()?;
                    return Ok(false);
                }
                if self.lexer.at_curly() && !self.flags.strict {
                    return self.dict(variable, store);
                }
                variable
            }
            Token::String(text) => self.string(text, self.flags.double_quotes, store, atoms),
            // 6.4.7: the standard gives back quotes no meaning.
            Token::BackQuoted(_) if self.flags.strict => return self.error("text in back quotes is no term"),
            Token::BackQuoted(text) => self.string(text, self.flags.back_quotes, store, atoms),
            Token::Name(name) | Token::Quoted(name) => {
                let name = atoms.intern(name);
                return self.name(name, store, atoms, table);
            }
            Token::Punctuation(')') if !self.flags.strict && self.opened_arguments().is_some() => {
                // SWI-Prolog's compound term without arguments.
                let (frame, name) = (self.frame(), self.opened_arguments().unwrap_or(atom::NIL));
                self.frames.pop();
                let (term, span) = (nullary::new(store, name), self.closed(frame));
                let spans = (span, frame.span);
                let layout = self.located(|whole, text| whole.compound(store, text, spans, &[]));
                self.operands.push(Operand { term, priority: 0, span, layout });
                return Ok(true);
            }
            Token::Punctuation('[') => {
                let mut ahead = self.lexer.clone();
                if ahead.token() != Ok(Token::Punctuation(']')) {
                    self.open(FrameKind::List);
                    return Ok(false);
                }
                self.lexer = ahead;
                return self.name(atom::NIL, store, atoms, table);
            }
            Token::Punctuation('{') => {
                let mut ahead = self.lexer.clone();
                if ahead.token() != Ok(Token::Punctuation('}')) {
                    self.open(FrameKind::Curly);
                    return Ok(false);
                }
                self.lexer = ahead;
                return self.name(atom::CURLY, store, atoms, table);
            }
            Token::Punctuation('(') | Token::OpenArguments => {
                self.open(FrameKind::Brackets);
                return Ok(false);
            }
            Token::Punctuation('|') if matches!(self.frame().kind, FrameKind::Arguments(_)) => {
                return self.error("unexpected `|`: expected a term");
            }
            other => return self.error(format!("unexpected {}: expected a term", other.describe())),
        };
        if matches!(token, Token::String(_) | Token::BackQuoted(_)) {
            let span = self.lexer.span();
            let layout = self.located(|layout, text| layout.string(store, text, span));
            self.operands.push(Operand { term: operand, priority: 0, span, layout });
        } else {
            self.constant(operand, 0, store);
        }
        Ok(true)
    }

    /// Takes a variable or a constant, which ends with the token that was taken last.
    fn constant(&mut self, term: Cell, priority: u16, store: &mut Store) {
        let span = Span::new(self.from, self.lexer.span().end);
        let layout = self.located(|layout, text| layout.constant(store, text, span));
        self.operands.push(Operand { term, priority, span, layout });
    }

    /// Makes a term that tells where something stands, if that is asked for.
    fn located(&mut self, tell: impl FnOnce(&mut Layout, &'a str) -> Cell) -> Cell {
        let text = self.lexer.text();
        self.layout.as_mut().map_or(Cell::atom(atom::NIL), |layout| tell(layout, text))
    }

    /// Takes a name where an operand is expected: a compound term's functor, a sign, a prefix operator, or an
    /// atom. True if an operand is now complete.
    fn name(
        &mut self,
        name: Atom,
        store: &mut Store,
        atoms: &Atoms,
        table: &Operators,
    ) -> Result<bool, SyntaxError> {
        let span = self.lexer.span();
        if self.lexer.at_arguments() {
            self.open(FrameKind::Arguments(name));
            self.token()?;
            return Ok(false);
        }
        if self.lexer.at_curly()
            && !self.flags.strict
            && table.prefix(name).is_none()
            && !["!", ";", "[]", "{}"].contains(&atoms.text(name))
        {
            return self.dict(Cell::atom(name), store);
        }
        // ISO 6.3.4.1: a minus, quoted or not, in front of a number belongs to it, whatever layout is between.
        if name == atom::MINUS && self.lexer.number_follows() {
            if let Token::Number(number) = self.token()? {
                let cell = store.make_number(&number.negated());
                self.constant(cell, 0, store);
            }
            return Ok(true);
        }
        let limit = self.operand_limit();
        let declaration = self.starts_declaration(atoms.text(name));
        // Ciao's `++X` and `--X` are terms, though the table of operators, which a program may look at, has neither.
        let step = || (!self.flags.strict && ["++", "--"].contains(&atoms.text(name))).then_some(STEP);
        let prefix = match table.prefix(name) {
            _ if declaration => Some(DECLARATION),
            None if !table.is_operator(name) => step(),
            known => known,
        };
        // Where an operator of its priority cannot stand, the name is an ordinary atom, as in `data-X`.
        if let Some(definition) = prefix.filter(|definition| definition.priority <= limit)
            && self.operand_follows(definition, table, atoms)
            && !(definition.priority > 999
                && self.frame().kind.priority(true) == 999
                && self.infix_follows(table, atoms))
        {
            self.operators.push(Operator { name, definition, span });
            return Ok(false);
        }
        // An atom that is an operator has priority 1201 (6.3.1.3): it stands in brackets, or as an argument. Without
        // doubt about what is meant, as in `- = x`, it is taken for an atom elsewhere too, but not by strict reading.
        let priority = if self.flags.strict && table.is_standard_operator(name) { 1201 } else { 0 };
        self.constant(Cell::atom(name), priority, store);
        Ok(true)
    }

    /// Takes a token where an operand has just ended. True if another operand is expected; false if the token
    /// completed a larger operand (or the whole term, which leaves no frame).
    fn follow(
        &mut self,
        token: &Token,
        store: &mut Store,
        atoms: &mut Atoms,
        table: &Operators,
    ) -> Result<bool, SyntaxError> {
        let frame = self.frame();
        let before_point = self.before_point.take();
        match (token, frame.kind) {
            (Token::Name(name), _) if name == "." && self.is_function(before_point, frame, atoms) => {
                let name = atoms.intern(FUNCTION_NAME);
                // What was read of `Dict.key.key` is the dict of the second.
                while self.operators.len() > frame.operators
                    && self.operators.last().is_some_and(|operator| operator.name == name)
                {
                    self.reduce(store)?;
                }
                self.operators.push(Operator { name, definition: FUNCTION, span: self.lexer.span() });
                return Ok(true);
            }
            // Behind a key, whatever the priority of the operator `:` is.
            (Token::Name(name), FrameKind::Dict) if name == ":" && self.awaits_value(frame) => {
                self.reduce_all(store)?;
                return Ok(true);
            }
            (Token::Name(name) | Token::Quoted(name), _) => {
                if atoms.find(name).is_none_or(|name| !table.is_infix_or_postfix(name)) {
                    let likely = if CONSTRAINTS.contains(&name.as_str()) {
                        "it is an operator of library(clpfd), which `:- use_module(library(clpfd)).` loads"
                    } else {
                        "is an operator not defined, or a full stop or comma missing before it?"
                    };
                    return self.error(format!(
                        "unexpected {}: expected an operator or {} ({likely})",
                        token.describe(),
                        frame.kind.closing()
                    ));
                }
                let name = atoms.intern(name);
                return self.operator(name, store, table);
            }
            (Token::Punctuation(','), FrameKind::Arguments(_) | FrameKind::List) => {
                self.reduce_all(store)?;
                return Ok(true);
            }
            (Token::Punctuation(','), FrameKind::Dict) => {
                self.reduce_all(store)?;
                self.dict_value(frame)?;
                return Ok(true);
            }
            (Token::Punctuation('|'), _) if self.after_text && !self.flags.strict && self.lexer.eat_bar() => {
                let span = self.lexer.span();
                self.operators.push(Operator { name: atom::DOUBLE_BAR, definition: DOUBLE_BAR, span });
                return Ok(true);
            }
            (Token::Punctuation('|'), FrameKind::List) => {
                self.reduce_all(store)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.kind = FrameKind::ListTail;
                }
                return Ok(true);
            }
            (Token::Punctuation(','), FrameKind::Whole | FrameKind::Brackets | FrameKind::Curly) => {
                return self.operator(atom::COMMA, store, table);
            }
            (Token::Punctuation('|'), kind)
                if table
                    .infix(atom::BAR)
                    .is_some_and(|definition| definition.priority <= kind.priority(self.flags.strict))
                    && kind != FrameKind::ListTail =>
            {
                return self.operator(atom::BAR, store, table);
            }
            (Token::End, FrameKind::Whole) => self.reduce_all(store)?,
            (Token::Punctuation(')'), FrameKind::Brackets) => {
                self.reduce_all(store)?;
                if let Some(Operand { term, layout, .. }) = self.operands.pop() {
                    let span = self.closed(frame);
                    let layout = self.located(|whole, text| whole.brackets(store, text, span, layout));
                    self.operands.push(Operand { term, priority: 0, span, layout });
                }
                self.before_point = self.flags.methods.then(|| self.lexer.span().end);
            }
            (Token::Punctuation('}'), FrameKind::Curly) => {
                self.reduce_all(store)?;
                if let Some(Operand { term, layout, .. }) = self.operands.pop() {
                    let (term, span) = (store.compound(atom::CURLY, &[term]), self.closed(frame));
                    let layout = self.located(|whole, text| whole.braces(store, text, span, layout));
                    self.operands.push(Operand { term, priority: 0, span, layout });
                }
            }
            (Token::Punctuation('}'), FrameKind::Dict) => {
                self.reduce_all(store)?;
                self.dict_value(frame)?;
                let (parts, _) = self.taken(frame);
                let term = match dict::new(store, atoms, &parts) {
                    Ok(term) => term,
                    Err(message) => return self.error(message),
                };
                self.from = frame.span.start;
                self.constant(term, 0, store);
                self.before_point = Some(self.lexer.span().end);
            }
            (Token::Punctuation(')'), FrameKind::Arguments(name)) => {
                self.reduce_all(store)?;
                let (arguments, layouts) = self.taken(frame);
                if arguments.len() > Cell::MAX_ARITY {
                    return self.error(format!("more than {} arguments", Cell::MAX_ARITY));
                }
                let (term, span) = (store.compound(name, &arguments), self.closed(frame));
                let spans = (span, frame.span);
                let layout = self.located(|whole, text| whole.compound(store, text, spans, &layouts));
                self.operands.push(Operand { term, priority: 0, span, layout });
            }
            (Token::Punctuation(']'), FrameKind::List | FrameKind::ListTail) => {
                self.reduce_all(store)?;
                let tail = if frame.kind == FrameKind::ListTail { self.operands.pop() } else { None };
                let (elements, layouts) = self.taken(frame);
                let term = store.list(&elements, tail.map_or(Cell::atom(atom::NIL), |tail| tail.term));
                let (span, tail) = (self.closed(frame), tail.map(|tail| tail.layout));
                let layout = self.located(|whole, text| whole.list(store, text, span, &layouts, tail));
                self.operands.push(Operand { term, priority: 0, span, layout });
            }
            (Token::EndOfText, FrameKind::Whole) => {
                return self.error("the text ends inside a clause: expected a full stop");
            }
            (other, kind) => {
                let message =
                    format!("unexpected {}: expected an operator or {}", other.describe(), kind.closing());
                if matches!(other, Token::End | Token::EndOfText) && kind != FrameKind::Whole {
                    // The place to repair is the bracket that is still open.
                    let span = self.lexer.character_at(frame.span.start);
                    return Err(SyntaxError { message: format!("bracket is not closed: {message}"), span });
                }
                return self.error(message);
            }
        }
        self.frames.pop();
        Ok(false)
    }

    /// From the bracket, or the functor in front of it, to the token that was taken last.
    fn closed(&self, frame: Frame) -> Span {
        Span::new(frame.span.start, self.lexer.span().end)
    }

    /// Takes all operands of a frame off the stack: the terms, and where their parts stand.
    fn taken(&mut self, frame: Frame) -> (Vec<Cell>, Vec<Cell>) {
        self.operands.drain(frame.operands..).map(|operand| (operand.term, operand.layout)).unzip()
    }

    fn variable(&mut self, name: &str, store: &mut Store) -> Cell {
        if name == "_" {
            return store.variable();
        }
        if let Some(&position) = self.variable_positions.get(name) {
            let (_, cell, count) = &mut self.variables[position];
            *count += 1;
            return *cell;
        }
        let cell = store.variable();
        self.variable_positions.insert(name.to_owned(), self.variables.len());
        self.variables.push((name.to_owned(), cell, 1));
        cell
    }

    fn string(&self, text: &str, quotes: Quotes, store: &mut Store, atoms: &mut Atoms) -> Cell {
        let elements: Vec<Cell> = match quotes {
            Quotes::Atom => return Cell::atom(atoms.intern(text)),
            Quotes::String => return Cell::string(atoms.intern(text)),
            Quotes::Codes => {
                text.chars().map(|character| Cell::int(i64::from(u32::from(character)))).collect()
            }
            Quotes::Chars => text.chars().map(|character| Cell::atom(atoms.character(character))).collect(),
        };
        store.list(&elements, Cell::atom(atom::NIL))
    }
}
