//! Terms to text: `write/1` and its relatives.
//!
//! The writer keeps what is still to be written on a stack of its own, so depth costs memory, not native
//! stack. Tokens that would read as one get a space between them; what is written with quotes reads back as
//! the same term, with the same operators.

mod options;

pub use options::{AttributesWritten, WriteOptions};

use super::cyclic::Knots;
use super::spelling::number_text;
use super::{
    Atom, Atoms, Cell, OperatorDefinition, OperatorKind, Operators, Store, Tag, atom, dict, nullary,
};
use super::{is_alphanumeric, is_symbol, quoted_atom, quoted_text, starts_variable, variable_name};
use rustc_hash::FxHashMap;

/// After this many tokens it is worth looking whether the term is finite.
const SUSPICIOUS: usize = 1000;

/// Whether a text is the name of a variable.
fn names_a_variable(text: &str) -> bool {
    text.starts_with(starts_variable) && text.chars().all(is_alphanumeric)
}

/// What is still to be written.
#[derive(Clone, Copy)]
enum Task {
    /// A term where at most this priority may stand without brackets.
    Term {
        cell: Cell,
        priority: u16,
        place: Place,
        depth: usize,
    },
    Text(&'static str),
    /// The attributes of the innermost variable whose attributes are being written are at their end.
    Described,
    /// The name of a part of a cyclic term.
    Knot(usize),
    /// What that part is.
    Definition(usize),
    /// A compound term, whatever its name.
    Root(Cell),
    /// A space that is written whatever stands around it.
    Space,
    Name(Atom),
    /// The rest of a list behind an element.
    Tail {
        cell: Cell,
        depth: usize,
    },
    /// The arguments from an index on, how many, and the closing bracket.
    Arguments {
        index: usize,
        count: usize,
        depth: usize,
    },
}

/// Where a term stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Where an operator needs no brackets: as an argument, an element, or the whole term.
    Free,
    /// Beside an operator.
    Operand,
}

/// Writes terms to a text.
pub struct Writer<'a> {
    store: &'a Store,
    atoms: &'a Atoms,
    operators: &'a Operators,
    options: WriteOptions,
    /// Names to use for free variables.
    names: FxHashMap<Cell, &'a str>,
    /// The parts of a cyclic term that have names.
    knots: Knots,
    /// The variables, by their indices, whose attributes are being written.
    described: Vec<usize>,
    out: String,
    /// The last token was an operator in prefix position: an opening bracket right behind it would read as
    /// the bracket of its arguments.
    after_prefix: bool,
}

impl<'a> Writer<'a> {
    /// A writer for terms of one store.
    #[must_use]
    pub fn new(store: &'a Store, atoms: &'a Atoms, operators: &'a Operators, options: WriteOptions) -> Self {
        Self {
            store,
            atoms,
            operators,
            options,
            names: FxHashMap::default(),
            knots: Knots::default(),
            described: Vec::new(),
            out: String::new(),
            after_prefix: false,
        }
    }

    /// The same writer with names for some free variables; others are written as `_` and a number. Of several
    /// names for a variable the first counts.
    #[must_use]
    pub fn names(mut self, names: &'a [(Cell, String)]) -> Self {
        for (variable, name) in names {
            self.names.entry(*variable).or_insert(name);
        }
        self
    }

    /// The text of a term as an operand of up to the given priority (1200 for a whole term, 999 for an
    /// argument).
    #[must_use]
    pub fn text(mut self, term: Cell, priority: u16) -> String {
        let first = Task::Term { cell: term, priority, place: Place::Free, depth: 1 };
        if !self.run(vec![first]) {
            // Again from the start, as equations.
            self.out.clear();
            self.after_prefix = false;
            self.knots = Knots::of(self.store, term);
            let tasks = self.equations(term);
            self.run(tasks);
        }
        self.out
    }

    /// Does tasks, the last one first. False if the term turns out to be cyclic, which nothing is prepared for.
    fn run(&mut self, mut tasks: Vec<Task>) -> bool {
        let first = tasks.first().copied();
        let mut steps = 0;
        while let Some(task) = tasks.pop() {
            steps += 1;
            if self.options.most_steps.is_some_and(|most| steps > most) {
                self.token("...");
                break;
            }
            if steps == SUSPICIOUS
                && self.options.most_depth.is_none()
                && self.knots.cells.is_empty()
                && let Some(Task::Term { cell, .. }) = first
                && !self.store.is_acyclic(cell)
            {
                return false;
            }
            match task {
                Task::Text(text) => self.token(text),
                Task::Space => self.out.push(' '),
                Task::Name(name) => self.name(name),
                Task::Term { cell, priority, place, depth } => {
                    self.term(cell, priority, place, depth, &mut tasks);
                }
                Task::Knot(number) => {
                    let name = self.knots.name(number);
                    self.token(&name);
                }
                Task::Described => {
                    self.described.pop();
                }
                Task::Root(cell) => self.compound(cell, 699, 1, &mut tasks),
                Task::Definition(number) => self.compound(self.knots.cells[number], 699, 1, &mut tasks),
                Task::Tail { cell, depth } => self.tail(cell, depth, &mut tasks),
                Task::Arguments { index, count, depth } => {
                    if count > 1 {
                        tasks.push(Task::Arguments { index: index + 1, count: count - 1, depth });
                        self.push_comma(&mut tasks);
                    } else {
                        tasks.push(Task::Text(")"));
                    }
                    tasks.push(self.argument(self.store.at(index), depth));
                }
            }
        }
        true
    }

    /// What follows a variable, by its index, that may have attributes.
    fn attributes(&mut self, variable: usize, depth: usize, tasks: &mut Vec<Task>) {
        let written = self.options.attributes;
        if written == AttributesWritten::Nothing || self.described.contains(&variable) {
            return;
        }
        let Some(attributes) = self.store.attributes_of(variable) else { return };
        self.token("{");
        if written == AttributesWritten::Dots {
            self.token("...");
            self.token("}");
            return;
        }
        self.described.push(variable);
        tasks.extend([Task::Described, Task::Text("}")]);
        tasks.push(Task::Term { cell: attributes, priority: 1200, place: Place::Free, depth: depth + 1 });
    }

    fn argument(&self, cell: Cell, depth: usize) -> Task {
        Task::Term { cell, priority: 999, place: Place::Free, depth }
    }

    fn push_comma(&self, tasks: &mut Vec<Task>) {
        if self.options.spaced_arguments {
            tasks.push(Task::Space);
        }
        tasks.push(Task::Text(","));
    }

    fn is_too_deep(&self, depth: usize) -> bool {
        self.options.most_depth.is_some_and(|most| depth > most)
    }

    fn term(&mut self, cell: Cell, priority: u16, place: Place, depth: usize, tasks: &mut Vec<Task>) {
        let cell = self.store.deref(cell);
        match cell.tag() {
            Tag::Ref => {
                match self.names.get(&cell) {
                    Some(&name) => self.token(name),
                    None => self.token(&format!("_{}", cell.index())),
                }
                self.attributes(cell.index(), depth, tasks);
            }
            Tag::Int | Tag::Box => {
                let text = self.store.number(cell).map_or_else(String::new, |number| number_text(&number));
                self.token(&text);
            }
            Tag::Txt => {
                let text = self.atoms.shared_text(cell.as_atom());
                let quoted = self.options.quoted.then(|| quoted_text(&text, '"'));
                self.token(quoted.as_deref().unwrap_or(&text));
            }
            Tag::Atm => {
                let name = cell.as_atom();
                let brackets = place == Place::Operand && self.operators.is_operator(name);
                if brackets {
                    self.token("(");
                }
                self.name(name);
                if brackets {
                    self.token(")");
                }
            }
            _ => match self.knots.number(cell) {
                Some(number) => tasks.push(Task::Knot(number)),
                None => self.compound(cell, priority, depth, tasks),
            },
        }
    }

    fn compound(&mut self, cell: Cell, priority: u16, depth: usize, tasks: &mut Vec<Task>) {
        if self.is_too_deep(depth) {
            self.token("...");
        } else if cell.tag() == Tag::Lis && !self.options.dotted_lists {
            self.token("[");
            tasks.push(Task::Tail { cell: self.store.argument(cell, 1), depth: depth + 1 });
            tasks.push(self.argument(self.store.argument(cell, 0), depth + 1));
        } else {
            self.structure(cell, priority, depth, tasks);
        }
    }

    /// `@(Term,[Name=Part,...])`: the term, and what its named parts are.
    fn equations(&self, term: Cell) -> Vec<Task> {
        let count = self.knots.cells.len();
        let mut tasks = vec![Task::Text("@("), self.argument(term, 1), Task::Text(",[")];
        for number in 0..count {
            if number > 0 {
                tasks.push(Task::Text(","));
            }
            tasks.extend([Task::Knot(number), Task::Text("="), Task::Definition(number)]);
        }
        tasks.push(Task::Text("])"));
        tasks.reverse();
        tasks
    }

    /// The right sides of the equations that tell a cyclic term, each with the name of its left side. The term itself
    /// comes first, under the name given; `None` if it is not cyclic. So many equations were made `before`, whose names
    /// are taken.
    #[must_use]
    pub fn cyclic_equations(
        mut self,
        term: Cell,
        name: &str,
        before: usize,
    ) -> Option<Vec<(String, String)>> {
        if self.store.is_acyclic(term) {
            return None;
        }
        self.knots = Knots::of(self.store, term);
        self.knots.before = Some(before);
        let root = self.store.deref(term);
        if let Some(number) = self.knots.number(root) {
            self.knots.root = Some((number, name.to_owned()));
        }
        let mut texts = vec![(name.to_owned(), self.equation(Task::Root(root)))];
        for number in 0..self.knots.cells.len() {
            if self.knots.root.as_ref().is_none_or(|&(root, _)| root != number) {
                let text = self.equation(Task::Definition(number));
                texts.push((self.knots.name(number), text));
            }
        }
        Some(texts)
    }

    fn equation(&mut self, task: Task) -> String {
        self.after_prefix = false;
        self.run(vec![task]);
        std::mem::take(&mut self.out)
    }

    fn tail(&mut self, cell: Cell, depth: usize, tasks: &mut Vec<Task>) {
        let cell = self.store.deref(cell);
        if cell == Cell::atom(atom::NIL) {
            self.token("]");
        } else if let Some(number) = self.knots.number(cell) {
            self.token("|");
            tasks.extend([Task::Text("]"), Task::Knot(number)]);
        } else if cell.tag() == Tag::Lis && self.is_too_deep(depth + 1) {
            self.token("|...]");
        } else if cell.tag() == Tag::Lis {
            tasks.push(Task::Tail { cell: self.store.argument(cell, 1), depth: depth + 1 });
            tasks.push(self.argument(self.store.argument(cell, 0), depth));
            self.push_comma(tasks);
        } else {
            self.token("|");
            tasks.push(Task::Text("]"));
            tasks.push(self.argument(cell, depth));
        }
    }

    /// The text of `'$VAR'(N)` if it stands for a variable.
    fn numbered(&self, argument: Cell) -> Option<String> {
        match argument.tag() {
            Tag::Int if self.options.number_variables => {
                u64::try_from(argument.int_value()).ok().map(variable_name)
            }
            // What `numbervars/4` makes of a variable that occurs once.
            Tag::Atm if self.options.number_variables && self.atoms.text(argument.as_atom()) == "_" => {
                Some("_".to_owned())
            }
            Tag::Atm if self.options.named_variables => Some(self.atoms.text(argument.as_atom()).to_owned()),
            Tag::Atm if self.options.spelled_variables => {
                let text = self.atoms.text(argument.as_atom());
                names_a_variable(text).then(|| text.to_owned())
            }
            _ => None,
        }
    }

    fn structure(&mut self, cell: Cell, priority: u16, depth: usize, tasks: &mut Vec<Task>) {
        let Some((name, arity)) = self.store.functor(cell) else { return };
        let (first, _) = self.store.arguments(cell);
        if name == atom::VAR_FUNCTOR
            && arity == 1
            && let Some(text) = self.numbered(self.store.argument(cell, 0))
        {
            self.token(&text);
            return;
        }
        if self.options.portrayed
            && let Some([text]) = self.store.match_structure::<1>(cell, atom::PORTRAYED_FUNCTOR)
            && matches!(text.tag(), Tag::Atm | Tag::Txt)
        {
            let text = self.atoms.shared_text(text.as_atom());
            self.token(&text);
            return;
        }
        if let Some(name) = nullary::name(self.store, cell) {
            self.name(name);
            self.out.push_str("()");
            return;
        }
        let inner = depth + 1;
        if name == atom::DICT_FUNCTOR
            && !self.options.ignore_operators
            && let Some((tag, pairs)) = dict::pairs(self.store, self.atoms, cell)
        {
            self.dict(tag, &pairs, inner, tasks);
            return;
        }
        if !self.options.ignore_operators && self.operators.is_written(name) {
            if name == atom::CURLY && arity == 1 {
                self.token("{");
                tasks.push(Task::Text("}"));
                let content = self.store.at(first);
                tasks.push(Task::Term { cell: content, priority: 1200, place: Place::Free, depth: inner });
                return;
            }
            let operand = |i: usize, priority: u16| {
                let cell = self.store.at(first + i);
                Task::Term { cell, priority, place: Place::Operand, depth: inner }
            };
            if arity == 2
                && let Some(definition) = self.operators.infix(name)
            {
                self.open(definition.priority > priority, tasks);
                tasks.push(operand(1, definition.right()));
                self.push_infix(name, tasks);
                tasks.push(operand(0, self.left_priority(first, definition)));
                return;
            }
            if arity == 1
                && let Some(definition) = self.operators.prefix(name)
            {
                // `- 1` would be read as a number, and `- 1^2` as a power of one.
                let begins = name == atom::MINUS && self.begins_with_number(first, definition.right());
                self.open(definition.priority > priority, tasks);
                self.name(name);
                self.after_prefix = true;
                self.open(begins, tasks);
                tasks.push(operand(0, definition.right()));
                return;
            }
            if arity == 1
                && let Some(definition) = self.operators.postfix(name)
            {
                self.open(definition.priority > priority, tasks);
                tasks.push(Task::Name(name));
                tasks.push(operand(0, self.left_priority(first, definition)));
                return;
            }
        }
        self.name(name);
        self.out.push('(');
        self.after_prefix = false;
        tasks.push(Task::Arguments { index: first, count: arity, depth: inner });
    }

    fn dict(&mut self, tag: Cell, pairs: &[(Cell, Cell)], depth: usize, tasks: &mut Vec<Task>) {
        tasks.push(Task::Text("}"));
        for (number, &(key, value)) in pairs.iter().enumerate().rev() {
            tasks.extend([self.argument(value, depth), Task::Text(":"), self.argument(key, depth)]);
            if number > 0 {
                self.push_comma(tasks);
            }
        }
        self.term(tag, 0, Place::Free, depth, tasks);
        self.out.push('{');
    }

    /// The largest priority of a left operand. One that would take the operator into its own right operand, since the
    /// priorities are equal, needs brackets.
    fn left_priority(&self, operand: usize, definition: OperatorDefinition) -> u16 {
        let left = definition.left();
        let functor = self.store.functor(self.store.deref(self.store.at(operand)));
        let takes = functor.is_some_and(|(name, arity)| {
            let other = match arity {
                1 => self.operators.prefix(name),
                2 => self.operators.infix(name),
                _ => None,
            };
            other.is_some_and(|other| other.priority == left && other.right() == left)
        });
        if takes { left - 1 } else { left }
    }

    /// Opens a bracket now and closes it after the tasks that will be pushed next.
    fn open(&mut self, needed: bool, tasks: &mut Vec<Task>) {
        if needed {
            self.token("(");
            tasks.push(Task::Text(")"));
        }
    }

    fn push_infix(&self, name: Atom, tasks: &mut Vec<Task>) {
        if name == atom::COMMA {
            self.push_comma(tasks);
            return;
        }
        // Only operators made of symbols can stand close to both operands.
        let text = self.atoms.text(name);
        let close = text.chars().all(is_symbol) || matches!(text, ";" | "|" | "!");
        if close && name != atom::BAR {
            tasks.push(Task::Name(name));
        } else if close {
            tasks.push(Task::Text("|"));
        } else {
            tasks.extend([Task::Space, Task::Name(name), Task::Space]);
        }
    }

    /// Whether what is written for an operand of up to the given priority begins with a digit.
    fn begins_with_number(&self, operand: usize, mut priority: u16) -> bool {
        let mut cell = self.store.deref(self.store.at(operand));
        // A cyclic term may go on to the left for ever; a bracket too many reads as the same term.
        for _ in 0..SUSPICIOUS {
            match cell.tag() {
                Tag::Int | Tag::Box => {
                    return self
                        .store
                        .number(cell)
                        .is_some_and(|number| !number_text(&number).starts_with('-'));
                }
                Tag::Str => {}
                _ => return false,
            }
            let Some((name, arity)) = self.store.functor(cell) else { return false };
            let definition = match arity {
                1 => self.operators.postfix(name).filter(|_| self.operators.prefix(name).is_none()),
                2 => self.operators.infix(name),
                _ => None,
            };
            let Some(definition) = definition.filter(|definition| definition.priority <= priority) else {
                return false;
            };
            priority = definition.left();
            cell = self.store.deref(self.store.argument(cell, 0));
        }
        true
    }

    fn name(&mut self, name: Atom) {
        let text = self.atoms.shared_text(name);
        if self.options.quoted {
            self.token(&quoted_atom(&text));
        } else {
            self.token(&text);
        }
    }

    /// Appends a token, behind a space if it would run into the one before.
    fn token(&mut self, text: &str) {
        let Some(first) = text.chars().next() else { return };
        if let Some(last) = self.out.chars().next_back() {
            let glued = (is_alphanumeric(last) && is_alphanumeric(first))
                || (is_symbol(last) && is_symbol(first))
                || (last == ',' && first == '|')
                // A quote right behind another one, or behind a digit, would belong to it.
                || (matches!(first, '\'' | '"' | '`')
                    && (last == first || last.is_ascii_digit()))
                || (self.after_prefix && (first == '(' || (is_symbol(first) && is_alphanumeric(last))));
            if glued {
                self.out.push(' ');
            }
        }
        self.after_prefix = false;
        self.out.push_str(text);
    }
}

/// The kind of operator, for messages.
impl std::fmt::Display for OperatorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
