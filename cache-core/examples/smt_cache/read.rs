//! Commands and answers as trees. The reader is the crate `yaspar`: what a word is, and its grammar of SMT-LIB 2.7,
//! which is driven by a table, so that nesting costs no stack. What it does not accept is given to the solver
//! as it stands.
//!
//! A script says few words very often, and most of its time would go into reading them: [`Words`] finds where a word
//! ends, which the character that it begins with decides, and asks `yaspar` for each word once.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use yaspar::action::UnitAction;
use yaspar::ast::Keyword;
use yaspar::position::Position;
use yaspar::smtlib2::CommandParser;
use yaspar::tokens::{Command, Token, is_simple};

/// A node of a [`Tree`], by number.
pub(crate) type NodeId = usize;

/// What a tree consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A symbol, without the bars of a quoted one.
    Symbol(Rc<str>),
    /// A number, a text, true, false: as written.
    Literal(Rc<str>),
    /// With its colon.
    Keyword(Rc<str>),
    /// A word that is no symbol: `let`, `!`, `_`, the name of a command.
    Reserved(Rc<str>),
    /// What stands between parentheses: where its members are in the row of all members.
    List(Range<usize>),
}

/// A tree whose nodes lie in one row, and their members in another, so that neither making nor dropping it takes
/// stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    members: Vec<NodeId>,
    root: NodeId,
}

impl Tree {
    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        const EMPTY: &Node = &Node::List(0..0);
        self.nodes.get(id).unwrap_or(EMPTY)
    }

    /// The members of a list; none for anything else.
    pub(crate) fn members(&self, id: NodeId) -> &[NodeId] {
        match self.node(id) {
            Node::List(members) => self.members.get(members.clone()).unwrap_or_default(),
            _ => &[],
        }
    }

    /// The text of a leaf.
    pub(crate) fn text(&self, id: NodeId) -> &str {
        match self.node(id) {
            Node::Symbol(text) | Node::Literal(text) | Node::Keyword(text) | Node::Reserved(text) => text,
            Node::List(_) => "",
        }
    }

    /// The text of a leaf, to keep.
    pub(crate) fn shared(&self, id: NodeId) -> Rc<str> {
        match self.node(id) {
            Node::Symbol(text) | Node::Literal(text) | Node::Keyword(text) | Node::Reserved(text) => {
                Rc::clone(text)
            }
            Node::List(_) => Rc::from(""),
        }
    }
}

/// A token with the bytes where it stands.
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) bytes: Range<usize>,
}

/// The tokens of a text; absent if it is none of SMT-LIB.
pub(crate) fn tokens(text: &str) -> Option<Vec<Placed>> {
    // The reader counts characters.
    let starts: Option<Vec<usize>> =
        (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).chain([text.len()]).collect());
    let byte = |character: usize| match &starts {
        None => character,
        Some(starts) => starts.get(character).copied().unwrap_or(text.len()),
    };
    yaspar::tokenize_str(text, false)
        .map(|token| {
            let (start, token, end) = token.ok()?;
            Some(Placed { token, bytes: byte(start.char_num)..byte(end.char_num) })
        })
        .collect()
}

/// A word of a script.
#[derive(Clone, Debug)]
struct Word {
    /// For the grammar, to which names are all the same: without its text.
    token: Token,
    leaf: Node,
}

/// What a text consists of.
#[derive(Clone, Debug)]
enum Piece {
    Open,
    Close,
    Word(Rc<Word>),
}

/// All words that were read.
#[derive(Default)]
struct Words {
    /// By how they are written; nothing for what is no word of SMT-LIB.
    known: FxHashMap<Box<str>, Option<Rc<Word>>>,
}

impl Words {
    /// What a text consists of; absent if it is none of SMT-LIB.
    fn pieces(&mut self, text: &str) -> Option<Vec<Piece>> {
        let (bytes, mut pieces, mut at) = (text.as_bytes(), Vec::with_capacity(text.len() / 4), 0);
        while let Some(byte) = bytes.get(at) {
            match byte {
                byte if byte.is_ascii_whitespace() => at += 1,
                b';' => at = end(bytes, at, |byte| byte == b'\n'),
                b'(' => {
                    pieces.push(Piece::Open);
                    at += 1;
                }
                b')' => {
                    pieces.push(Piece::Close);
                    at += 1;
                }
                _ => {
                    let behind = end_of_word(bytes, at);
                    pieces.push(Piece::Word(self.word(text.get(at..behind)?)?));
                    at = behind;
                }
            }
        }
        Some(pieces)
    }

    fn word(&mut self, written: &str) -> Option<Rc<Word>> {
        if let Some(known) = self.known.get(written) {
            return known.clone();
        }
        let word = word(written).map(Rc::new);
        self.known.insert(written.into(), word.clone());
        word
    }
}

/// Where the first byte of a kind stands behind another one; the end if there is none.
fn end(bytes: &[u8], from: usize, is_end: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from + 1..).unwrap_or_default();
    rest.iter().position(|byte| is_end(*byte)).map_or(bytes.len(), |length| from + 1 + length)
}

/// Where a word ends: before what delimits words, which stands for itself between quotes and between bars. What follows
/// a closing quote or bar without delimiter belongs to the word, which is none then.
fn end_of_word(bytes: &[u8], begin: usize) -> usize {
    let is_delimiter = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';');
    let mut last = begin;
    match bytes.get(begin) {
        Some(b'|') => last = end(bytes, begin, |byte| byte == b'|'),
        Some(b'"') => {
            last = end(bytes, last, |byte| byte == b'"');
            // Two quotes are one within a text.
            while bytes.get(last + 1) == Some(&b'"') {
                last = end(bytes, last + 1, |byte| byte == b'"');
            }
        }
        _ => {}
    }
    if last >= bytes.len() { bytes.len() } else { end(bytes, last, is_delimiter) }
}

/// What is written between two delimiters; absent if that is no word.
fn word(written: &str) -> Option<Word> {
    let mut tokens = tokens(written)?.into_iter();
    let token = tokens.next().filter(|placed| placed.bytes == (0..written.len()))?.token;
    if tokens.next().is_some() {
        return None;
    }
    let (token, leaf) = match token {
        Token::SimpSymbol(name) | Token::QuotSymbol(name) => {
            (Token::SimpSymbol(String::new()), Node::Symbol(name.into()))
        }
        // Between bars it would be a symbol for the solver.
        _ if written.starts_with('|') => return None,
        Token::String(_) => (Token::String(String::new()), Node::Literal(written.into())),
        Token::Hexadecimal(_) => (Token::Hexadecimal((Vec::new(), 0)), Node::Literal(written.into())),
        Token::Binary(_) => (Token::Binary((Vec::new(), 0)), Node::Literal(written.into())),
        token @ (Token::Numeral(_) | Token::Decimal(_) | Token::True | Token::False) => {
            (token, Node::Literal(written.into()))
        }
        Token::Keyword(Keyword::Other(_)) => {
            (Token::Keyword(Keyword::Other(String::new())), Node::Keyword(written.into()))
        }
        token @ Token::Keyword(_) => (token, Node::Keyword(written.into())),
        token => (token, Node::Reserved(written.into())),
    };
    Some(Word { token, leaf })
}

/// What a command was read as.
pub(crate) enum Form {
    /// One of the standard's.
    Command(Rc<(Command, Tree)>),
    /// Z3's `(labels)`.
    Labels(Tree),
}

/// Reads commands, and the same words once: clients that reset the solver between questions say their axioms each time.
#[derive(Default)]
pub(crate) struct Reader {
    words: Words,
    known: FxHashMap<Vec<u8>, Rc<(Command, Tree)>>,
    /// How many bytes of commands are known.
    length: usize,
}

impl Reader {
    /// So many bytes of commands are remembered at most; their trees take some ten times as much.
    const LONGEST: usize = 4 << 20;

    /// A command; absent for what is none that can be read here.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Option<Form> {
        if let Some(known) = self.known.get(bytes) {
            return Some(Form::Command(Rc::clone(known)));
        }
        let pieces = self.words.pieces(str::from_utf8(bytes).ok()?)?;
        let Some(read) = command(&pieces) else { return labels(&pieces).map(Form::Labels) };
        let read = Rc::new(read);
        if self.length + bytes.len() <= Self::LONGEST {
            self.length += bytes.len();
            self.known.insert(bytes.to_vec(), Rc::clone(&read));
        }
        Some(Form::Command(read))
    }
}

/// A command that the grammar accepts.
fn command(pieces: &[Piece]) -> Option<(Command, Tree)> {
    let Some(Piece::Word(word)) = pieces.get(1) else { return None };
    let Token::Command(name) = word.token else { return None };
    // `(push)` is older than the standard's grammar; solvers take it for one level.
    if !(matches!(name, Command::Push | Command::Pop) && pieces.len() == 3) {
        let tokens = pieces.iter().map(|piece| match piece {
            Piece::Open => Token::Lparen,
            Piece::Close => Token::Rparen,
            Piece::Word(word) => word.token.clone(),
        });
        // Places are for errors, of which nobody is told.
        let nowhere = Position::default();
        let tokens = tokens.map(|token| Ok((nowhere, token, nowhere)));
        CommandParser::new().parse(&mut UnitAction, tokens).ok()?;
    }
    Some((name, tree(pieces)?))
}

/// Z3's command `(labels)`, older than the standard: which labels hold in the model. Boogie 2 asks it for the
/// errors that it tells.
fn labels(pieces: &[Piece]) -> Option<Tree> {
    match pieces {
        [_, Piece::Word(word), _] if word.leaf == Node::Symbol("labels".into()) => tree(pieces),
        _ => None,
    }
}

/// The one tree that pieces make, if they make one.
fn tree(pieces: &[Piece]) -> Option<Tree> {
    let mut tree = Tree::default();
    // The members of the lists that are open, one list behind the other, and where each begins.
    let (mut pending, mut begins): (Vec<NodeId>, Vec<usize>) = (Vec::new(), Vec::new());
    for piece in pieces {
        let node = match piece {
            Piece::Open => {
                begins.push(pending.len());
                continue;
            }
            Piece::Close => {
                let first = tree.members.len();
                tree.members.extend(pending.drain(begins.pop()?..));
                Node::List(first..tree.members.len())
            }
            Piece::Word(word) => word.leaf.clone(),
        };
        pending.push(tree.nodes.len());
        tree.nodes.push(node);
    }
    match pending.as_slice() {
        [root] if begins.is_empty() => {
            tree.root = *root;
            Some(tree)
        }
        _ => None,
    }
}

/// A symbol as it is written: between bars where it has to be.
pub(crate) fn written(symbol: &str) -> String {
    let simple = symbol.chars().all(is_simple) && symbol.starts_with(|first: char| !first.is_ascii_digit());
    if simple { symbol.to_owned() } else { format!("|{symbol}|") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Piece, Token, Words, tokens};

    /// What a text consists of: parentheses, and whatever else by how it is written.
    fn told(text: &str) -> Option<Vec<String>> {
        let pieces = Words::default().pieces(text)?;
        let told = pieces.iter().map(|piece| match piece {
            Piece::Open => "(".to_owned(),
            Piece::Close => ")".to_owned(),
            Piece::Word(word) => format!("{:?}", word.leaf),
        });
        Some(told.collect())
    }

    /// The same, by the tokens of the whole text, each read by itself.
    fn by_tokens(text: &str) -> Option<Vec<String>> {
        let told = tokens(text)?.into_iter().map(|placed| match placed.token {
            Token::Lparen => Some("(".to_owned()),
            Token::Rparen => Some(")".to_owned()),
            _ => super::word(text.get(placed.bytes)?).map(|word| format!("{:?}", word.leaf)),
        });
        told.collect()
    }

    proptest! {
        #[test]
        fn words_end_where_the_grammar_says(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "f!1", "|", "\"", "\"\"", "(", ")", " ", "\n", "\t", "\u{c}", "\u{b}", ";", "; x\n", "1", "0", "0.5", "01", "#b1",
                    "#xF", "#", ":k", ":", "let", "|let|", "|a b|", "\"t\"", "é", "\\", "_", "!", "assert", "'", ",", "|;|", "\";\"",
                ]),
                0..12,
            )
        ) {
            let text = parts.concat();
            prop_assert_eq!(told(&text), by_tokens(&text), "{:?}", text);
        }
    }
}
