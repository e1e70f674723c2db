//! Terms as shapes: what a script declared are atoms, which may be renamed; what it binds is written by its distance
//! from the binder; everything else is written as it stands. A term is walked once, without recursion.

use std::rc::Rc;

use cache_core::digest::Confirm;
use cache_core::key::CacheKey;
use cache_core::rename::{AtomId, Shape, Shapes};
use rustc_hash::FxHashMap;

use super::read::{Node, NodeId, Tree};
use super::theory;

/// Attributes whose value is a name that matters as little as any other. Those of quantifiers hold their places in the
/// text of whoever wrote them (`:qid |filebpl.12:3|`), which move with every edit.
const NAMES: [&str; 3] = [":named", ":qid", ":skolemid"];

/// A term's shape, with what confirms it.
pub(crate) type Term = (Shape, Confirm);

/// What a node is labelled with: what kind of node, its text, a number.
type Label<'a> = (&'static str, &'a str, u64);

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
    known: FxHashMap<Rc<str>, Name>,
    /// By [`AtomId::index`].
    spelled: Vec<Rc<str>>,
    /// The terms that are one word which no script declares, by the word and what kind of word it is.
    leaves: FxHashMap<Rc<str>, Vec<(&'static str, Term)>>,
    /// The shapes of the children of a node that is built, kept for its memory.
    children: Vec<Shape>,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    atom: AtomId,
    term: Term,
    /// In how many declarations that hold now.
    declared: u64,
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
    /// The atom of a name, declared or not.
    pub(crate) fn atom(&mut self, name: &str) -> Term {
        self.name(name).term
    }

    fn name(&mut self, name: &str) -> Name {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let kept = theory::owns(name).then_some(name);
        let (atom, shape) = self.shapes.fresh(&kept);
        let fresh = Name { atom, term: (shape, self.shapes.confirm_atom(atom)), declared: 0 };
        let name: Rc<str> = Rc::from(name);
        self.spelled.push(Rc::clone(&name));
        self.known.insert(name, fresh);
        fresh
    }

    /// Declares a name once more; says how often it was declared before.
    pub(crate) fn declare(&mut self, name: &str) -> u64 {
        self.name(name);
        let Some(known) = self.known.get_mut(name) else { return 0 };
        known.declared += 1;
        known.declared - 1
    }

    /// Takes back one declaration.
    pub(crate) fn undeclare(&mut self, name: &str) {
        if let Some(known) = self.known.get_mut(name) {
            known.declared = known.declared.saturating_sub(1);
        }
    }

    /// Takes back all declarations.
    pub(crate) fn forget(&mut self) {
        #[expect(clippy::iter_over_hash_type, reason = "each is set to the same value")]
        for known in self.known.values_mut() {
            known.declared = 0;
        }
    }

    /// The atom of a symbol that stands in terms and is not declared: the label of a quantifier.
    pub(crate) fn label(&self, symbol: &str) -> Option<AtomId> {
        self.known.get(symbol).filter(|known| known.declared == 0).map(|known| known.atom)
    }

    /// How a name is spelled.
    pub(crate) fn spelled(&self, atom: AtomId) -> &str {
        self.spelled.get(atom.index()).map_or("", |name| name)
    }

    /// In how many declarations a name is that hold now. Which one a use means depends on those before it.
    fn declarations(&self, name: &str) -> u64 {
        self.known.get(name).map_or(0, |known| known.declared)
    }

    fn declared(&self, name: &str) -> Option<Name> {
        self.known.get(name).copied().filter(|known| known.declared > 0)
    }

    /// What a symbol is at this point of the script.
    pub(crate) fn sense<'a>(&self, symbol: &'a str) -> Sense<'a> {
        if let Some(known) = self.declared(symbol) {
            return Sense::Declared(known.atom);
        }
        self.made_of(symbol)
    }

    /// What a symbol is made of that is declared, whether it is declared itself or not.
    pub(crate) fn made_of<'a>(&self, symbol: &'a str) -> Sense<'a> {
        if let Some(known) = symbol.strip_prefix("is-").and_then(|name| self.declared(name)) {
            return Sense::Tester(known.atom);
        }
        for (at, _) in symbol.match_indices('!') {
            if symbol.get(at..).is_some_and(|rest| rest.starts_with("!val!"))
                && let Some(known) = self.declared(&symbol[..at])
            {
                return Sense::Element(known.atom, &symbol[at..]);
            }
        }
        Sense::Foreign
    }

    /// A node with children.
    pub(crate) fn build(&mut self, label: Label<'_>, children: &[Term]) -> Term {
        self.children.clear();
        self.children.extend(children.iter().map(|(shape, _)| *shape));
        let shape = self.shapes.node(&label, &self.children);
        (shape, self.shapes.confirm_node(|out| label.encode(out), children))
    }

    /// A node that is a word.
    fn leaf(&mut self, kind: &'static str, text: &Rc<str>) -> Term {
        let known = self.leaves.get(text).and_then(|of| of.iter().find(|(known, _)| *known == kind));
        if let Some((_, term)) = known {
            return *term;
        }
        let term = self.build((kind, text, 0), &[]);
        self.leaves.entry(Rc::clone(text)).or_default().push((kind, term));
        term
    }
}

/// What is still to be done in a walk.
enum Task {
    Visit(NodeId),
    /// A symbol that is a declared name whatever binds it.
    Atom(NodeId),
    Bind(Vec<Rc<str>>),
    Unbind(usize),
    Build {
        kind: &'static str,
        text: String,
        children: usize,
    },
}

/// A walk over one tree.
struct Walk<'a> {
    tree: &'a Tree,
    names: &'a mut Names,
    bound: Bound,
    tasks: Vec<Task>,
    done: Vec<Term>,
    /// The variables that are bound where the walk is, the innermost last.
    scope: Vec<Rc<str>>,
    /// By variable, the places in `scope`.
    places: FxHashMap<Rc<str>, Vec<usize>>,
}

/// A term of the tree, with some variables bound around it.
pub(crate) fn term(tree: &Tree, root: NodeId, around: Vec<Rc<str>>, bound: Bound, names: &mut Names) -> Term {
    let mut walk = Walk {
        tree,
        names,
        bound,
        tasks: vec![Task::Visit(root), Task::Bind(around)],
        done: Vec::new(),
        scope: Vec::new(),
        places: FxHashMap::default(),
    };
    while let Some(task) = walk.tasks.pop() {
        walk.step(task);
    }
    let done = walk.done.pop();
    done.unwrap_or_else(|| names.build(("nothing", "", 0), &[]))
}

/// The names that `:named` gives to terms, from the outermost on.
pub(crate) fn named(tree: &Tree, root: NodeId) -> Vec<Rc<str>> {
    let (mut names, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        let members = tree.members(node);
        if members
            .first()
            .is_some_and(|head| matches!(tree.node(*head), Node::Reserved(word) if &**word == "!"))
        {
            let pairs =
                members.windows(2).filter(|pair| matches!(pair, [key, _] if tree.text(*key) == ":named"));
            names.extend(pairs.filter_map(|pair| pair.get(1)).map(|name| tree.shared(*name)));
        }
        open.extend(members.iter().rev());
    }
    names
}

impl Walk<'_> {
    fn step(&mut self, task: Task) {
        match task {
            Task::Visit(node) => self.visit(node),
            Task::Atom(node) => {
                let term = self.names.atom(self.tree.text(node));
                self.done.push(term);
            }
            Task::Bind(variables) => {
                for variable in variables {
                    self.places.entry(Rc::clone(&variable)).or_default().push(self.scope.len());
                    self.scope.push(variable);
                }
            }
            Task::Unbind(count) => {
                for _ in 0..count {
                    if let Some(variable) = self.scope.pop() {
                        self.places.entry(variable).or_default().pop();
                    }
                }
            }
            Task::Build { kind, text, children } => {
                let at = self.done.len().saturating_sub(children);
                let children = self.done.get(at..).unwrap_or_default();
                let term = self.names.build((kind, &text, children.len() as u64), children);
                self.done.truncate(at);
                self.done.push(term);
            }
        }
    }

    fn visit(&mut self, node: NodeId) {
        let tree = self.tree;
        match tree.node(node) {
            Node::Symbol(name) => self.symbol(name),
            Node::Literal(text) => self.leaf("literal", text),
            Node::Keyword(text) => self.leaf("keyword", text),
            Node::Reserved(text) => self.leaf("reserved", text),
            Node::List(_) => self.list(tree.members(node)),
        }
    }

    fn leaf(&mut self, kind: &'static str, text: &Rc<str>) {
        let term = self.names.leaf(kind, text);
        self.done.push(term);
    }

    /// A bound name that means something besides is both: as a sort, as the head of an application, as an index and as
    /// the constructor of a pattern some solvers pass over what is bound.
    fn symbol(&mut self, name: &Rc<str>) {
        let place = self.places.get(name).and_then(|places| places.last());
        let distance = place.map(|place| (self.scope.len() - place) as u64);
        let meaning = self.meaning(name);
        let term = match (distance, meaning) {
            (Some(distance), meaning) => self.names.build(("bound", "", distance), meaning.as_slice()),
            (None, Some(meaning)) => meaning,
            (None, None) => return self.leaf("symbol", name),
        };
        self.done.push(term);
    }

    /// What a name means where nothing binds it; absent for one that means nothing yet.
    fn meaning(&mut self, name: &Rc<str>) -> Option<Term> {
        let made_of = match self.names.made_of(name) {
            Sense::Tester(atom) => Some(("tester", "", atom)),
            Sense::Element(atom, rest) => Some(("element", rest, atom)),
            Sense::Declared(_) | Sense::Foreign => None,
        };
        let made = made_of.map(|(kind, rest, atom)| {
            let spelled = self.names.spelled(atom).to_owned();
            let of = self.names.atom(&spelled);
            self.names.build((kind, rest, 0), &[of])
        });
        let declarations = self.names.declarations(name);
        if declarations == 0 {
            return made.or_else(|| theory::owns(name).then(|| self.names.leaf("symbol", name)));
        }
        let atom = self.names.atom(name);
        match made {
            None if declarations == 1 => Some(atom),
            // Which declaration is meant depends on how many there are by now.
            None => Some(self.names.build(("overloaded", "", declarations), &[atom])),
            Some(made) => Some(self.names.build(("overloaded", "", declarations), &[atom, made])),
        }
    }

    /// What the binders of a form are called, if that matters: as text, and those that are declared names as well by
    /// their places, since an answer that repeats them is told in the asker's names.
    fn spelling(&self, variables: &[NodeId]) -> (String, Vec<NodeId>) {
        if self.bound == Bound::Renamed {
            return (String::new(), Vec::new());
        }
        let text = |node: &NodeId| self.tree.text(*node);
        let is_declared = |node: &NodeId| matches!(self.names.sense(text(node)), Sense::Declared(_));
        let (declared, foreign): (Vec<NodeId>, Vec<NodeId>) =
            variables.iter().copied().partition(is_declared);
        let spelled: Vec<Option<&str>> =
            variables.iter().map(|node| foreign.contains(node).then(|| text(node))).collect();
        (format!("{spelled:?}"), declared)
    }

    /// Tasks are pushed last first.
    fn list(&mut self, members: &[NodeId]) {
        let tree = self.tree;
        let head = members.first().map(|head| tree.node(*head));
        let Some(Node::Reserved(word)) = head else { return self.plain(members) };
        let first_of = |pair: &NodeId| tree.members(*pair).first().copied();
        match (&**word, members) {
            ("let" | "forall" | "exists" | "lambda", [_, pairs, body]) => {
                let pairs = tree.members(*pairs);
                let variables: Vec<NodeId> = pairs.iter().filter_map(first_of).collect();
                let (spelling, declared) = self.spelling(&variables);
                let text = format!("{word} {spelling}");
                let children = pairs.len() + 1 + declared.len();
                self.tasks.push(Task::Build { kind: "binder", text, children });
                self.tasks.extend(declared.into_iter().rev().map(Task::Atom));
                self.tasks.push(Task::Unbind(variables.len()));
                self.tasks.push(Task::Visit(*body));
                let variables = variables.iter().map(|name| tree.shared(*name)).collect();
                self.tasks.push(Task::Bind(variables));
                let values = pairs.iter().filter_map(|pair| tree.members(*pair).get(1));
                self.tasks.extend(values.rev().map(|value| Task::Visit(*value)));
            }
            ("par", [_, parameters, body]) => {
                let variables: Vec<Rc<str>> =
                    tree.members(*parameters).iter().map(|name| tree.shared(*name)).collect();
                self.tasks.push(Task::Build {
                    kind: "binder",
                    text: format!("par {}", variables.len()),
                    children: 1,
                });
                self.tasks.push(Task::Unbind(variables.len()));
                self.tasks.push(Task::Visit(*body));
                self.tasks.push(Task::Bind(variables));
            }
            ("match", [_, value, cases]) => {
                let cases = tree.members(*cases);
                self.tasks.push(Task::Build {
                    kind: "match",
                    text: String::new(),
                    children: cases.len() + 1,
                });
                for case in cases.iter().rev() {
                    if let [pattern, body] = tree.members(*case) {
                        self.case(*pattern, *body);
                    }
                }
                self.tasks.push(Task::Visit(*value));
            }
            ("!", [_, rest @ ..]) => {
                self.tasks.push(Task::Build { kind: "annotated", text: String::new(), children: rest.len() });
                let mut names = false;
                let visits: Vec<Task> = rest
                    .iter()
                    .map(|member| {
                        let named = std::mem::replace(&mut names, NAMES.contains(&tree.text(*member)));
                        let is_name = named && matches!(tree.node(*member), Node::Symbol(_));
                        if is_name { Task::Atom(*member) } else { Task::Visit(*member) }
                    })
                    .collect();
                self.tasks.extend(visits.into_iter().rev());
            }
            _ => self.plain(members),
        }
    }

    fn plain(&mut self, members: &[NodeId]) {
        self.tasks.push(Task::Build { kind: "list", text: String::new(), children: members.len() });
        self.tasks.extend(members.iter().rev().map(|member| Task::Visit(*member)));
    }

    /// A case of a `match`: a constructor with variables, or a variable alone. A name alone that is declared is a
    /// constructor, and one that a theory owns may be: as it is spelled it is no other.
    fn case(&mut self, pattern: NodeId, body: NodeId) {
        let tree = self.tree;
        let (head, variables): (NodeId, Vec<NodeId>) = match tree.members(pattern) {
            [head, variables @ ..] => (*head, variables.to_vec()),
            [] => match tree.node(pattern) {
                Node::Symbol(name) if self.names.sense(name) == Sense::Foreign && !theory::owns(name) => {
                    (pattern, vec![pattern])
                }
                _ => (pattern, Vec::new()),
            },
        };
        let alone = tree.members(pattern).is_empty();
        let (spelling, declared) = self.spelling(&variables);
        let text = format!("{} {alone} {spelling}", variables.len());
        let binds_itself = alone && !variables.is_empty();
        let children = if binds_itself { 1 } else { 2 } + declared.len();
        self.tasks.push(Task::Build { kind: "case", text, children });
        self.tasks.extend(declared.into_iter().rev().map(Task::Atom));
        self.tasks.push(Task::Unbind(variables.len()));
        self.tasks.push(Task::Visit(body));
        self.tasks.push(Task::Bind(variables.iter().map(|name| tree.shared(*name)).collect()));
        if !binds_itself {
            self.tasks.push(Task::Visit(head));
        }
    }
}
