//! Commands and answers as trees. The reader is the crate `yaspar`: what a word is, and its grammar of SMT-LIB 2.7,
//! which is driven by a table, so that nesting costs no stack. What it does not accept is given to the solver
//! as it stands.
//!
//! A script says few words very often, and most of its time would go into reading them: [`Words`] finds where a word
//! ends, which the character that it begins with decides, and asks `yaspar` for each word once.

mod plain;

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use yaspar::action::UnitAction;
use yaspar::ast::Keyword;
use yaspar::position::Position;
use yaspar::smtlib2::CommandParser;
use yaspar::tokens::{Command, Token, is_simple};

use plain::is_plain;

/// A node of a [`Tree`], by number.
pub(crate) type NodeId = usize;

/// A symbol, without the bars of a quoted one: one for all places where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// Which of the reader's symbols it is.
    pub(crate) number: usize,
    pub(crate) text: Rc<str>,
}

/// What a tree consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Symbol(Rc<Symbol>),
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
    command: Option<Command>,
    names_terms: bool,
}

impl Tree {
    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    /// The command that it is by its first word.
    pub(crate) fn command(&self) -> Option<Command> {
        self.command
    }

    /// Whether `:named` stands anywhere.
    pub(crate) fn names_terms(&self) -> bool {
        self.names_terms
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
            Node::Symbol(symbol) => &symbol.text,
            Node::Literal(text) | Node::Keyword(text) | Node::Reserved(text) => text,
            Node::List(_) => "",
        }
    }

    /// The symbol that a leaf is.
    pub(crate) fn symbol(&self, id: NodeId) -> Option<Rc<Symbol>> {
        match self.node(id) {
            Node::Symbol(symbol) => Some(Rc::clone(symbol)),
            _ => None,
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
#[derive(Clone, Copy, Debug)]
enum Piece<'a> {
    Open,
    Close,
    Word(&'a Word),
}

/// All words that were read.
#[derive(Default)]
struct Words {
    /// By how they are written; nothing for what is no word of SMT-LIB.
    known: FxHashMap<Box<str>, Option<Word>>,
    /// Symbols, which bars around them make no other ones.
    symbols: FxHashMap<Rc<str>, Rc<Symbol>>,
}

impl Words {
    /// Sees what a text consists of; absent if it is none of SMT-LIB, or where somebody has seen enough.
    fn see(&mut self, text: &str, mut see: impl FnMut(Piece<'_>) -> Option<()>) -> Option<()> {
        let (bytes, mut at) = (text.as_bytes(), 0);
        while let Some(byte) = bytes.get(at) {
            match byte {
                byte if byte.is_ascii_whitespace() => at += 1,
                b';' => at = end(bytes, at, |byte| byte == b'\n'),
                b'(' => {
                    see(Piece::Open)?;
                    at += 1;
                }
                b')' => {
                    see(Piece::Close)?;
                    at += 1;
                }
                _ => {
                    let behind = end_of_word(bytes, at);
                    see(Piece::Word(self.word(text.get(at..behind)?)?))?;
                    at = behind;
                }
            }
        }
        Some(())
    }

    fn word(&mut self, written: &str) -> Option<&Word> {
        if !self.known.contains_key(written) {
            let word = self.fresh(written);
            self.known.insert(written.into(), word);
        }
        self.known.get(written)?.as_ref()
    }

    /// The one tree that a text makes, if it makes one.
    fn tree(&mut self, text: &str) -> Option<Tree> {
        let mut tree = Tree {
            nodes: Vec::with_capacity(text.len() / 4),
            members: Vec::with_capacity(text.len() / 4),
            ..Tree::default()
        };
        // The members of the lists that are open, one list behind the other, and where each begins.
        let (mut pending, mut begins): (Vec<NodeId>, Vec<usize>) = (Vec::new(), Vec::new());
        self.see(text, |piece| {
            let node = match piece {
                Piece::Open => {
                    begins.push(pending.len());
                    return Some(());
                }
                Piece::Close => {
                    let first = tree.members.len();
                    tree.members.extend(pending.drain(begins.pop()?..));
                    Node::List(first..tree.members.len())
                }
                Piece::Word(word) => {
                    match word.token {
                        Token::Command(command) if tree.nodes.is_empty() => tree.command = Some(command),
                        Token::Keyword(Keyword::Named) => tree.names_terms = true,
                        _ => {}
                    }
                    word.leaf.clone()
                }
            };
            pending.push(tree.nodes.len());
            tree.nodes.push(node);
            Some(())
        })?;
        match pending.as_slice() {
            [root] if begins.is_empty() => {
                tree.root = *root;
                Some(tree)
            }
            _ => None,
        }
    }

    /// Whether the grammar accepts a command.
    fn accepts(&mut self, text: &str) -> bool {
        // Places are for errors, of which nobody is told.
        let nowhere = Position::default();
        let mut tokens = Vec::new();
        let seen = self.see(text, |piece| {
            tokens.push(match piece {
                Piece::Open => Token::Lparen,
                Piece::Close => Token::Rparen,
                Piece::Word(word) => word.token.clone(),
            });
            Some(())
        });
        let tokens = tokens.into_iter().map(|token| Ok((nowhere, token, nowhere)));
        seen.is_some() && CommandParser::new().parse(&mut UnitAction, tokens).is_ok()
    }

    /// What is written between two delimiters; absent if that is no word.
    fn fresh(&mut self, written: &str) -> Option<Word> {
        let mut tokens = tokens(written)?.into_iter();
        let token = tokens.next().filter(|placed| placed.bytes == (0..written.len()))?.token;
        if tokens.next().is_some() {
            return None;
        }
        let (token, leaf) = match token {
            Token::SimpSymbol(name) | Token::QuotSymbol(name) => {
                (Token::SimpSymbol(String::new()), Node::Symbol(self.symbol(&name)))
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

    fn symbol(&mut self, text: &str) -> Rc<Symbol> {
        if let Some(known) = self.symbols.get(text) {
            return Rc::clone(known);
        }
        let text: Rc<str> = text.into();
        let symbol = Rc::new(Symbol { number: self.symbols.len(), text: Rc::clone(&text) });
        self.symbols.insert(text, Rc::clone(&symbol));
        symbol
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

/// A command of the standard's.
type Standard = Rc<(Command, Tree)>;

/// What a command was read as.
pub(crate) enum Form {
    /// One of the standard's.
    Command(Standard),
    /// Z3's `(labels)`.
    Labels(Tree),
}

/// Reads commands, and the same words once where they may come again.
#[derive(Default)]
pub(crate) struct Reader {
    words: Words,
    /// The commands that were read, if they are remembered.
    known: Option<FxHashMap<Vec<u8>, Standard>>,
    /// How many bytes of commands are known.
    length: usize,
}

impl Reader {
    /// So many bytes of commands are remembered at most; their trees take some ten times as much.
    const LONGEST: usize = 4 << 20;

    /// Commands may come again from here on: clients that reset the solver between questions say their axioms each
    /// time.
    pub(crate) fn remember(&mut self) {
        self.known.get_or_insert_default();
    }

    /// A command; absent for what is none that can be read here.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Option<Form> {
        if let Some(known) = self.known.as_ref().and_then(|known| known.get(bytes)) {
            return Some(Form::Command(Rc::clone(known)));
        }
        let text = str::from_utf8(bytes).ok()?;
        let tree = self.words.tree(text)?;
        let Some(name) = tree.command() else { return is_labels(&tree).then_some(Form::Labels(tree)) };
        // `(push)` is older than the standard's grammar; solvers take it for one level.
        let alone = tree.members(tree.root()).len() == 1;
        let is_older = matches!(name, Command::Push | Command::Pop) && alone;
        if !is_older && !is_plain(name, &tree) && !self.words.accepts(text) {
            return None;
        }
        let read = Rc::new((name, tree));
        if let Some(known) = &mut self.known
            && self.length + bytes.len() <= Self::LONGEST
        {
            self.length += bytes.len();
            known.insert(bytes.to_vec(), Rc::clone(&read));
        }
        Some(Form::Command(read))
    }
}

/// Z3's command `(labels)`, older than the standard: which labels hold in the model. Boogie 2 asks it for the
/// errors that it tells.
fn is_labels(tree: &Tree) -> bool {
    let is_word = |node: NodeId| matches!(tree.node(node), Node::Symbol(symbol) if &*symbol.text == "labels");
    matches!(tree.members(tree.root()), [word] if is_word(*word))
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
        let mut told = Vec::new();
        Words::default().see(text, |piece| {
            told.push(match piece {
                Piece::Open => "(".to_owned(),
                Piece::Close => ")".to_owned(),
                Piece::Word(word) => format!("{:?}", word.leaf),
            });
            Some(())
        })?;
        Some(told)
    }

    /// The same, by the tokens of the whole text, each read by itself.
    fn by_tokens(text: &str) -> Option<Vec<String>> {
        let mut words = Words::default();
        let told = tokens(text)?.into_iter().map(|placed| match placed.token {
            Token::Lparen => Some("(".to_owned()),
            Token::Rparen => Some(")".to_owned()),
            _ => words.fresh(text.get(placed.bytes)?).map(|word| format!("{:?}", word.leaf)),
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
