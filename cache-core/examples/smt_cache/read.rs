//! Commands and answers as trees. The reader is the crate `yaspar`: its tokens, and its grammar of SMT-LIB 2.7,
//! which is driven by a table, so that nesting costs no stack. What it does not accept is given to the solver
//! as it stands.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use yaspar::action::UnitAction;
use yaspar::smtlib2::CommandParser;
use yaspar::tokens::{Command, Token, is_simple};

/// A node of a [`Tree`], by number.
pub(crate) type NodeId = usize;

/// What a tree consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A symbol, without the bars of a quoted one.
    Symbol(String),
    /// A number, a text, true, false: as written.
    Literal(String),
    /// With its colon.
    Keyword(String),
    /// A word that is no symbol: `let`, `!`, `_`, the name of a command.
    Reserved(String),
    /// What stands between parentheses.
    List(Vec<NodeId>),
}

/// A tree whose nodes lie in one row, so that neither making nor dropping it takes stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    root: NodeId,
}

impl Tree {
    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        const EMPTY: &Node = &Node::List(Vec::new());
        self.nodes.get(id).unwrap_or(EMPTY)
    }

    /// The members of a list; none for anything else.
    pub(crate) fn members(&self, id: NodeId) -> &[NodeId] {
        match self.node(id) {
            Node::List(members) => members,
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
        let text = str::from_utf8(bytes).ok()?;
        let Some(read) = command(text) else { return labels(text).map(Form::Labels) };
        let read = Rc::new(read);
        if self.length + bytes.len() <= Self::LONGEST {
            self.length += bytes.len();
            self.known.insert(bytes.to_vec(), Rc::clone(&read));
        }
        Some(Form::Command(read))
    }
}

/// A command that the grammar accepts.
fn command(text: &str) -> Option<(Command, Tree)> {
    let tokens = tokens(text)?;
    let Some(Token::Command(name)) = tokens.get(1).map(|placed| &placed.token) else { return None };
    let name = *name;
    // `(push)` is older than the standard's grammar; solvers take it for one level.
    if !(matches!(name, Command::Push | Command::Pop) && tokens.len() == 3) {
        // The tokens know no end of their own numbers, so that the grammar reads them once more.
        CommandParser::new().parse(&mut UnitAction, yaspar::tokenize_str(text, false)).ok()?;
    }
    Some((name, tree(text, &tokens)?))
}

/// Z3's command `(labels)`, older than the standard: which labels hold in the model. Boogie 2 asks it for the
/// errors that it tells.
fn labels(text: &str) -> Option<Tree> {
    let tokens = tokens(text)?;
    let is_labels = |placed: &Placed| matches!(&placed.token, Token::SimpSymbol(name) if name == "labels");
    match tokens.as_slice() {
        [_, word, _] if is_labels(word) => tree(text, &tokens),
        _ => None,
    }
}

/// The one tree that tokens make, if they make one.
fn tree(text: &str, tokens: &[Placed]) -> Option<Tree> {
    let mut tree = Tree::default();
    let mut open: Vec<Vec<NodeId>> = vec![Vec::new()];
    for Placed { token, bytes } in tokens {
        let written = || text.get(bytes.clone()).unwrap_or_default().to_owned();
        let node = match token {
            Token::Lparen => {
                open.push(Vec::new());
                continue;
            }
            Token::Rparen => Node::List(open.pop()?),
            Token::SimpSymbol(name) | Token::QuotSymbol(name) => Node::Symbol(name.clone()),
            Token::Keyword(_) => Node::Keyword(written()),
            Token::Numeral(_)
            | Token::Decimal(_)
            | Token::Hexadecimal(_)
            | Token::Binary(_)
            | Token::String(_)
            | Token::True
            | Token::False
                if !written().starts_with('|') =>
            {
                Node::Literal(written())
            }
            // Between bars it would be a symbol for the solver.
            _ if written().starts_with('|') => return None,
            _ => Node::Reserved(written()),
        };
        tree.nodes.push(node);
        open.last_mut()?.push(tree.nodes.len() - 1);
    }
    match open.as_slice() {
        [roots] if roots.len() == 1 => {
            tree.root = roots.first().copied()?;
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
