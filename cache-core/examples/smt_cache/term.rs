//! Terms as shapes: what a script declared are atoms, which may be renamed; what it binds is written by its distance
//! from the binder; everything else is written as it stands. A term is walked once, without recursion.
//!
//! A statement is one node. Its label is the whole statement in one row of bytes ([`Row`]), in which a place is left
//! for each name that is declared, and its children are these names, in the order in which they come. So both digests
//! of a statement are taken of one text, once, however many terms it consists of.

use std::rc::Rc;

use cache_core::digest::Confirm;
use cache_core::key::CacheKey;
use cache_core::rename::{AtomId, Shape, Shapes};
use rustc_hash::FxHashMap;

use super::read::{Node, NodeId, Symbol, Tree};
use super::theory;

/// Attributes whose value is a name that matters as little as any other. Those of quantifiers hold their places in the
/// text of whoever wrote them (`:qid |filebpl.12:3|`), which move with every edit.
const NAMES: [&str; 3] = [":named", ":qid", ":skolemid"];

/// A term's shape, with what confirms it.
pub(crate) type Term = (Shape, Confirm);

/// What a node is labelled with: what kind of node, a number.
type Label<'a> = (&'a str, u64);

/// How terms are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The names of bound variables do not matter.
    Renamed,
    /// They are written, since the solver repeats the term in its answer.
    Spelled,
}

/// The names of a script. A name has one atom for the whole run, whatever it is declared as.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) shapes: Shapes,
    /// By [`Symbol::number`].
    symbols: Vec<Entry>,
    /// The numbers of the symbols that have an atom.
    numbers: FxHashMap<Rc<str>, usize>,
    /// The symbols that have an atom, by [`AtomId::index`].
    spelled: Vec<Rc<Symbol>>,
    /// How many rows were begun.
    rows: u64,
    /// The memory of the last row.
    bytes: Vec<u8>,
}

/// What is known of a symbol.
#[derive(Clone, Debug, Default)]
struct Entry {
    name: Option<Name>,
    /// The place of the innermost binder of this symbol where a walk is.
    bound: Option<usize>,
    /// The last row in which it has a place, and which.
    placed: (u64, usize),
    /// What its spelling says, as soon as somebody asks.
    spelling: Option<Spelling>,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    atom: AtomId,
    term: Term,
    /// In how many declarations that hold now.
    declared: u64,
}

/// What can be said of a symbol by its spelling.
#[derive(Clone, Copy, Debug)]
struct Spelling {
    /// It is a theory's.
    owned: bool,
    /// It could be made of a declared name: a tester, an element.
    composed: bool,
}

impl Spelling {
    fn of(symbol: &str) -> Self {
        let composed = symbol.starts_with("is-") || symbol.contains("!val!");
        Self { owned: theory::owns(symbol), composed }
    }
}

/// What a symbol is to the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense<'a> {
    /// A name that is declared.
    Declared(AtomId),
    /// The tester of a constructor that is declared.
    Tester(AtomId),
    /// An element that the solver made up for a sort that is declared, and what is behind the sort's name.
    Element(AtomId, &'a str),
    /// The solver's.
    Foreign,
}

impl Names {
    fn entry(&mut self, symbol: &Symbol) -> &mut Entry {
        if self.symbols.len() <= symbol.number {
            self.symbols.resize_with(symbol.number + 1, Entry::default);
        }
        &mut self.symbols[symbol.number]
    }

    /// The name that a symbol is, declared or not.
    fn name(&mut self, symbol: &Rc<Symbol>) -> Name {
        if let Some(known) = self.entry(symbol).name {
            return known;
        }
        let kept = theory::owns(&symbol.text).then_some(&*symbol.text);
        let (atom, shape) = self.shapes.fresh(&kept);
        let fresh = Name { atom, term: (shape, self.shapes.confirm_atom(atom)), declared: 0 };
        self.spelled.push(Rc::clone(symbol));
        self.numbers.insert(Rc::clone(&symbol.text), symbol.number);
        self.entry(symbol).name = Some(fresh);
        fresh
    }

    /// The atom of a name, declared or not.
    pub(crate) fn atom(&mut self, symbol: &Rc<Symbol>) -> AtomId {
        self.name(symbol).atom
    }

    /// Declares a name once more; says how often it was declared before.
    pub(crate) fn declare(&mut self, symbol: &Rc<Symbol>) -> u64 {
        self.name(symbol);
        let Some(known) = &mut self.entry(symbol).name else { return 0 };
        known.declared += 1;
        known.declared - 1
    }

    /// Takes back one declaration.
    pub(crate) fn undeclare(&mut self, symbol: &Symbol) {
        if let Some(known) = &mut self.entry(symbol).name {
            known.declared = known.declared.saturating_sub(1);
        }
    }

    /// Takes back all declarations.
    pub(crate) fn forget(&mut self) {
        for known in self.symbols.iter_mut().filter_map(|entry| entry.name.as_mut()) {
            known.declared = 0;
        }
    }

    /// The name that is spelled so, if it has an atom.
    fn known(&self, spelled: &str) -> Option<Name> {
        self.symbols.get(*self.numbers.get(spelled)?)?.name
    }

    /// The atom of a symbol that stands in terms and is not declared: the label of a quantifier.
    pub(crate) fn label(&self, symbol: &str) -> Option<AtomId> {
        self.known(symbol).filter(|known| known.declared == 0).map(|known| known.atom)
    }

    /// How a name is spelled.
    pub(crate) fn spelled(&self, atom: AtomId) -> &str {
        self.spelled.get(atom.index()).map_or("", |symbol| &symbol.text)
    }

    fn declared(&self, name: &str) -> Option<AtomId> {
        self.known(name).filter(|known| known.declared > 0).map(|known| known.atom)
    }

    /// What a symbol is at this point of the script.
    pub(crate) fn sense<'a>(&self, symbol: &'a str) -> Sense<'a> {
        self.declared(symbol).map_or_else(|| self.made_of(symbol), Sense::Declared)
    }

    /// What a symbol is made of that is declared, whether it is declared itself or not.
    pub(crate) fn made_of<'a>(&self, symbol: &'a str) -> Sense<'a> {
        if let Some(atom) = symbol.strip_prefix("is-").and_then(|name| self.declared(name)) {
            return Sense::Tester(atom);
        }
        for (at, _) in symbol.match_indices('!') {
            if symbol.get(at..).is_some_and(|rest| rest.starts_with("!val!"))
                && let Some(atom) = self.declared(&symbol[..at])
            {
                return Sense::Element(atom, &symbol[at..]);
            }
        }
        Sense::Foreign
    }

    /// A node whose children are terms.
    pub(crate) fn build(&mut self, label: Label<'_>, children: &[Term]) -> Term {
        let shapes: Vec<Shape> = children.iter().map(|(shape, _)| *shape).collect();
        let shape = self.shapes.node(&label, &shapes);
        (shape, self.shapes.confirm_node(|out| label.encode(out), children))
    }
}

/// What stands in a row: each begins with one of these, so that no two rows are the same bytes and different terms.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Mark {
    /// A text with its length.
    Text,
    /// A number, a text, true, false: as written.
    Literal,
    Keyword,
    Reserved,
    /// A symbol that nobody declared or bound.
    Symbol,
    /// A list, by how many members follow.
    List,
    /// `let` and its like: the word, how many variables, values if there are any, what it is about.
    Binder,
    Match,
    /// How many variables, whether the pattern stands alone, the pattern unless it is a variable, the value.
    Case,
    /// What `!` annotates, and the attributes.
    Annotated,
    /// The place of a name, by its number in this row.
    Name,
    /// A bound variable by its distance from the binder; what its name means besides follows.
    Bound,
    /// It means nothing besides.
    Nothing,
    /// Which declaration is meant depends on how many there are by now; the name follows, and what it is made of.
    Overloaded,
    /// The tester of a name.
    Tester,
    /// An element of the sort that has a name.
    Element,
    Number,
}

/// A statement, or a question, that is written down.
pub(crate) struct Row<'a> {
    pub(crate) names: &'a mut Names,
    bytes: Vec<u8>,
    /// The names that have places, by number.
    placed: Vec<Term>,
    /// Which row of all this is.
    number: u64,
    tasks: Vec<Task>,
    /// The symbols that are bound where a walk is, the innermost last, and the place at which each was bound around.
    scope: Vec<(Rc<Symbol>, Option<usize>)>,
}

/// What is still to be done in a walk.
enum Task {
    Visit(NodeId),
    /// A symbol that is a name whatever binds it.
    Name(NodeId),
    /// Binds the members of a list behind the first so many (of pairs their first members); a word itself.
    Bind {
        list: NodeId,
        skip: usize,
    },
    /// Leaves all binders but so many.
    Unbind(usize),
    /// A case of a `match`.
    Case(NodeId),
}

/// What is bound by a list of variables, of pairs, or by a word.
fn bound(tree: &Tree, list: NodeId, skip: usize) -> impl Iterator<Item = NodeId> {
    let (word, members) = match tree.node(list) {
        Node::List(_) => (None, tree.members(list).get(skip..).unwrap_or_default()),
        _ => (Some(list), [].as_slice()),
    };
    let first_of = |member: &NodeId| tree.members(*member).first().copied().unwrap_or(*member);
    word.into_iter().chain(members.iter().map(first_of))
}

/// A term of the tree.
pub(crate) fn term(tree: &Tree, root: NodeId, spelling: Bound, names: &mut Names) -> Term {
    let mut row = Row::new(names, "term");
    row.term(tree, root, None, spelling);
    row.finish()
}

/// The names that `:named` gives to terms, from the outermost on.
pub(crate) fn named(tree: &Tree, root: NodeId) -> Vec<Rc<Symbol>> {
    let (mut names, mut open) = (Vec::new(), Vec::new());
    if tree.names_terms() {
        open.push(root);
    }
    while let Some(node) = open.pop() {
        let members = tree.members(node);
        if members
            .first()
            .is_some_and(|head| matches!(tree.node(*head), Node::Reserved(word) if &**word == "!"))
        {
            let pairs =
                members.windows(2).filter(|pair| matches!(pair, [key, _] if tree.text(*key) == ":named"));
            names.extend(pairs.filter_map(|pair| pair.get(1)).filter_map(|name| tree.symbol(*name)));
        }
        open.extend(members.iter().rev());
    }
    names
}

impl<'a> Row<'a> {
    /// An empty row of a kind.
    pub(crate) fn new(names: &'a mut Names, kind: &str) -> Self {
        names.rows += 1;
        let (number, mut bytes) = (names.rows, std::mem::take(&mut names.bytes));
        bytes.clear();
        let mut row = Self { names, bytes, placed: Vec::new(), number, tasks: Vec::new(), scope: Vec::new() };
        row.text(kind);
        row
    }

    /// The node that was written.
    pub(crate) fn finish(self) -> Term {
        let Self { names, bytes, placed, .. } = self;
        let shapes: Vec<Shape> = placed.iter().map(|(shape, _)| *shape).collect();
        let shape = names.shapes.node_with(|out| out.raw(&bytes), &shapes);
        let term = (shape, names.shapes.confirm_node(|out| out.raw(&bytes), &placed));
        names.bytes = bytes;
        term
    }

    fn mark(&mut self, mark: Mark) {
        self.bytes.push(mark as u8);
    }

    /// In groups of seven bits, the lowest first, all but the last marked.
    fn count(&mut self, count: u64) {
        let mut rest = count;
        while rest >= 0x80 {
            self.bytes.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    fn word(&mut self, mark: Mark, text: &str) {
        self.mark(mark);
        self.count(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.word(Mark::Text, text);
    }

    /// Writes a number.
    pub(crate) fn number(&mut self, number: u64) {
        self.mark(Mark::Number);
        self.count(number);
    }

    /// Leaves a place for a name, declared or not.
    pub(crate) fn name(&mut self, symbol: &Rc<Symbol>) {
        let term = self.names.name(symbol).term;
        let (row, next) = (self.number, self.placed.len());
        let placed = &mut self.names.entry(symbol).placed;
        if placed.0 != row {
            *placed = (row, next);
            self.placed.push(term);
        }
        let place = placed.1;
        self.mark(Mark::Name);
        self.count(place as u64);
    }

    /// Writes a term, within what a list of variables binds.
    pub(crate) fn term(&mut self, tree: &Tree, root: NodeId, within: Option<NodeId>, spelling: Bound) {
        self.tasks.push(Task::Unbind(0));
        self.tasks.push(Task::Visit(root));
        self.tasks.extend(within.map(|list| Task::Bind { list, skip: 0 }));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(node) => self.visit(tree, node, spelling),
                Task::Name(node) => match tree.symbol(node) {
                    Some(symbol) => self.name(&symbol),
                    None => self.visit(tree, node, spelling),
                },
                Task::Bind { list, skip } => self.bind(tree, list, skip),
                Task::Case(case) => self.case(tree, case, spelling),
                Task::Unbind(count) => {
                    for (symbol, around) in self.scope.drain(count..).rev() {
                        self.names.entry(&symbol).bound = around;
                    }
                }
            }
        }
    }

    fn bind(&mut self, tree: &Tree, list: NodeId, skip: usize) {
        for symbol in bound(tree, list, skip).filter_map(|node| tree.symbol(node)) {
            let place = self.scope.len();
            let around = self.names.entry(&symbol).bound.replace(place);
            self.scope.push((symbol, around));
        }
    }

    fn visit(&mut self, tree: &Tree, node: NodeId, spelling: Bound) {
        match tree.node(node) {
            Node::Symbol(symbol) => self.symbol(symbol),
            Node::Literal(text) => self.word(Mark::Literal, text),
            Node::Keyword(text) => self.word(Mark::Keyword, text),
            Node::Reserved(text) => self.word(Mark::Reserved, text),
            Node::List(_) => self.list(tree, tree.members(node), spelling),
        }
    }

    /// A bound name that means something besides is both: as a sort, as the head of an application, as an index and as
    /// the constructor of a pattern some solvers pass over what is bound.
    fn symbol(&mut self, symbol: &Rc<Symbol>) {
        let place = self.names.entry(symbol).bound;
        if let Some(place) = place {
            self.mark(Mark::Bound);
            self.count((self.scope.len() - place) as u64);
        }
        if !self.meaning(symbol) {
            match place {
                Some(_) => self.mark(Mark::Nothing),
                None => self.word(Mark::Symbol, &symbol.text),
            }
        }
    }

    /// Writes what a name means where nothing binds it; false for one that means nothing yet.
    fn meaning(&mut self, symbol: &Rc<Symbol>) -> bool {
        let entry = self.names.entry(symbol);
        let spelling = *entry.spelling.get_or_insert_with(|| Spelling::of(&symbol.text));
        let declarations = entry.name.map_or(0, |name| name.declared);
        let made = if spelling.composed { self.names.made_of(&symbol.text) } else { Sense::Foreign };
        match (declarations, made) {
            (0, Sense::Foreign) if spelling.owned => self.word(Mark::Symbol, &symbol.text),
            (0, Sense::Foreign) => return false,
            (0, _) => self.made(made),
            (1, Sense::Foreign) => self.name(symbol),
            _ => {
                self.mark(Mark::Overloaded);
                self.count(declarations);
                self.name(symbol);
                self.made(made);
            }
        }
        true
    }

    /// Writes what a symbol is made of.
    fn made(&mut self, made: Sense<'_>) {
        let of = match made {
            Sense::Tester(atom) => {
                self.mark(Mark::Tester);
                atom
            }
            Sense::Element(atom, rest) => {
                self.word(Mark::Element, rest);
                atom
            }
            Sense::Declared(_) | Sense::Foreign => return self.mark(Mark::Nothing),
        };
        if let Some(of) = self.names.spelled.get(of.index()).map(Rc::clone) {
            self.name(&of);
        }
    }

    /// What variables are called, where that matters: as text, and those that are declared names as well by
    /// their places, since an answer that repeats them is told in the asker's names.
    fn spell(&mut self, tree: &Tree, list: NodeId, skip: usize, spelling: Bound) {
        if spelling == Bound::Renamed {
            return;
        }
        for symbol in bound(tree, list, skip).filter_map(|node| tree.symbol(node)) {
            match self.names.sense(&symbol.text) {
                Sense::Declared(_) => self.name(&symbol),
                _ => self.text(&symbol.text),
            }
        }
    }

    /// Tasks are pushed last first.
    fn list(&mut self, tree: &Tree, members: &[NodeId], spelling: Bound) {
        let head = members.first().map(|head| tree.node(*head));
        let Some(Node::Reserved(word)) = head else { return self.plain(members) };
        match (&**word, members) {
            ("let" | "forall" | "exists" | "lambda" | "par", [_, list, body]) => {
                self.word(Mark::Binder, word);
                let variables = tree.members(*list);
                self.count(variables.len() as u64);
                self.spell(tree, *list, 0, spelling);
                self.tasks.push(Task::Unbind(self.scope.len()));
                self.tasks.push(Task::Visit(*body));
                self.tasks.push(Task::Bind { list: *list, skip: 0 });
                let values = variables.iter().filter_map(|pair| tree.members(*pair).get(1));
                self.tasks.extend(values.rev().map(|value| Task::Visit(*value)));
            }
            ("match", [_, value, cases]) => {
                let cases = tree.members(*cases);
                self.mark(Mark::Match);
                self.count(cases.len() as u64);
                self.tasks.extend(cases.iter().rev().map(|case| Task::Case(*case)));
                self.tasks.push(Task::Visit(*value));
            }
            ("!", [_, rest @ ..]) => {
                self.mark(Mark::Annotated);
                self.count(rest.len() as u64);
                let is_name = |at: usize| {
                    let before = at.checked_sub(1).and_then(|before| rest.get(before));
                    before.is_some_and(|before| NAMES.contains(&tree.text(*before)))
                };
                let visit = |(at, member): (usize, &NodeId)| {
                    if is_name(at) { Task::Name(*member) } else { Task::Visit(*member) }
                };
                self.tasks.extend(rest.iter().enumerate().rev().map(visit));
            }
            _ => self.plain(members),
        }
    }

    fn plain(&mut self, members: &[NodeId]) {
        self.mark(Mark::List);
        self.count(members.len() as u64);
        self.tasks.extend(members.iter().rev().map(|member| Task::Visit(*member)));
    }

    /// A case of a `match`: a constructor with variables, or a variable alone. A name alone that is declared is a
    /// constructor, and one that a theory owns may be: as it is spelled it is no other.
    fn case(&mut self, tree: &Tree, case: NodeId, spelling: Bound) {
        let [pattern, body] = tree.members(case) else { return };
        let is_variable = match tree.node(*pattern) {
            Node::Symbol(symbol) => {
                self.names.sense(&symbol.text) == Sense::Foreign && !theory::owns(&symbol.text)
            }
            _ => false,
        };
        let head = tree.members(*pattern).first();
        let variables = usize::from(is_variable) + tree.members(*pattern).len().saturating_sub(1);
        self.mark(Mark::Case);
        self.count(variables as u64);
        self.number(u64::from(head.is_none()));
        self.tasks.push(Task::Unbind(self.scope.len()));
        self.tasks.push(Task::Visit(*body));
        if head.is_some() || is_variable {
            self.spell(tree, *pattern, 1, spelling);
            self.tasks.push(Task::Bind { list: *pattern, skip: 1 });
        }
        if !is_variable {
            self.tasks.push(Task::Visit(*head.unwrap_or(pattern)));
        }
    }
}

#[cfg(test)]
mod tests;
