//! Terms to text: `write/1` and its relatives.
//!
//! The writer keeps what is still to be written on a stack of its own, so depth costs memory, not native
//! stack. Tokens that would read as one get a space between them.

use super::{Atom, Atoms, Cell, Number, OperatorDefinition, OperatorKind, Operators, Store, Tag, atom};

/// How a term is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// Atoms are quoted where reading needs it.
    pub quoted: bool,
    /// Operators are written as ordinary functors.
    pub ignore_operators: bool,
    /// `'$VAR'(N)` is written as a letter and a number.
    pub number_variables: bool,
    /// After about this many tokens `...` stands for the rest; `None` for no limit. A cyclic term is cut off
    /// in any case.
    pub most_steps: Option<usize>,
}

/// What is still to be written.
enum Task {
    Term(Cell, u16),
    /// An argument of a structure or an element of a list.
    Argument(Cell),
    Text(&'static str),
    Name(Atom, bool),
    /// The rest of a list behind an element.
    Tail(Cell),
    /// The arguments from an index on, how many, and the closing bracket.
    Arguments(usize, usize),
}

/// Writes terms to a text.
pub struct Writer<'a> {
    store: &'a Store,
    atoms: &'a Atoms,
    operators: &'a Operators,
    options: WriteOptions,
    /// Names to use for free variables, by the variable's cell.
    names: &'a [(Cell, String)],
    out: String,
    /// The last token was an operator in prefix position: an opening bracket right behind it would read as
    /// the bracket of its arguments.
    after_prefix: bool,
}

impl<'a> Writer<'a> {
    /// A writer for terms of one store.
    #[must_use]
    pub fn new(store: &'a Store, atoms: &'a Atoms, operators: &'a Operators, options: WriteOptions) -> Self {
        Self { store, atoms, operators, options, names: &[], out: String::new(), after_prefix: false }
    }

    /// The same writer with names for some free variables; others are written as `_` and a number.
    #[must_use]
    pub fn names(mut self, names: &'a [(Cell, String)]) -> Self {
        self.names = names;
        self
    }

    /// The text of a term as an operand of up to the given priority (1200 for a whole term, 999 for an
    /// argument).
    #[must_use]
    pub fn text(mut self, term: Cell, priority: u16) -> String {
        let mut tasks = vec![Task::Term(term, priority)];
        let mut steps = 0;
        // No finite term without much sharing needs more steps than this; only then is it worth looking.
        let suspicious = 8 * self.store.len() + 64;
        while let Some(task) = tasks.pop() {
            steps += 1;
            let cut = self.options.most_steps.is_some_and(|most| steps > most);
            if cut || (steps == suspicious && !self.store.is_acyclic(term)) {
                self.token("...");
                break;
            }
            match task {
                Task::Text(text) => self.token(text),
                Task::Name(name, operand) => self.name(name, operand),
                Task::Argument(cell) => self.term(cell, 999, true, &mut tasks),
                Task::Term(cell, priority) => self.term(cell, priority, false, &mut tasks),
                Task::Tail(cell) => self.tail(cell, &mut tasks),
                Task::Arguments(index, count) => {
                    if count == 0 {
                        self.token(")");
                    } else {
                        if count > 1 {
                            tasks.push(Task::Arguments(index + 1, count - 1));
                            tasks.push(Task::Text(","));
                        } else {
                            tasks.push(Task::Text(")"));
                        }
                        tasks.push(Task::Argument(self.store.at(index)));
                    }
                }
            }
        }
        self.out
    }

    fn term(&mut self, cell: Cell, priority: u16, argument: bool, tasks: &mut Vec<Task>) {
        let cell = self.store.deref(cell);
        match cell.tag() {
            Tag::Ref => {
                let name = self.names.iter().find(|(variable, _)| *variable == cell);
                let name = name.map_or_else(|| format!("_{}", cell.index()), |(_, name)| name.clone());
                self.token(&name);
            }
            Tag::Int | Tag::Box => {
                let text = self.store.number(cell).map_or_else(String::new, |number| number_text(&number));
                self.token(&text);
            }
            Tag::Atm => {
                let name = cell.as_atom();
                let brackets = !argument
                    && self.operators.is_operator(name)
                    && self.atom_priority(name) > priority
                    && !self.options.ignore_operators;
                if brackets {
                    self.token("(");
                }
                self.name(name, true);
                if brackets {
                    self.token(")");
                }
            }
            Tag::Lis => {
                self.token("[");
                tasks.push(Task::Tail(self.store.argument(cell, 1)));
                tasks.push(Task::Argument(self.store.argument(cell, 0)));
            }
            Tag::Str | Tag::Fun | Tag::Hdr => self.structure(cell, priority, tasks),
        }
    }

    fn atom_priority(&self, name: Atom) -> u16 {
        [self.operators.prefix(name), self.operators.infix(name), self.operators.postfix(name)]
            .into_iter()
            .flatten()
            .map(|definition| definition.priority)
            .max()
            .unwrap_or(0)
    }

    fn tail(&mut self, cell: Cell, tasks: &mut Vec<Task>) {
        let cell = self.store.deref(cell);
        if cell == Cell::atom(atom::NIL) {
            self.token("]");
        } else if cell.tag() == Tag::Lis {
            self.token(",");
            tasks.push(Task::Tail(self.store.argument(cell, 1)));
            tasks.push(Task::Argument(self.store.argument(cell, 0)));
        } else {
            self.token("|");
            tasks.push(Task::Text("]"));
            tasks.push(Task::Argument(cell));
        }
    }

    fn structure(&mut self, cell: Cell, priority: u16, tasks: &mut Vec<Task>) {
        let Some((name, arity)) = self.store.functor(cell) else { return };
        let (first, _) = self.store.arguments(cell);
        if self.options.number_variables && name == atom::VAR_FUNCTOR && arity == 1 {
            let number = self.store.argument(cell, 0);
            if number.tag() == Tag::Int && number.int_value() >= 0 {
                let text = variable_name(number.int_value() as u64);
                self.token(&text);
                return;
            }
            if number.tag() == Tag::Atm {
                let text = self.atoms.shared_text(number.as_atom());
                self.token(&text);
                return;
            }
        }
        if !self.options.ignore_operators {
            if name == atom::CURLY && arity == 1 {
                self.token("{");
                tasks.push(Task::Text("}"));
                tasks.push(Task::Term(self.store.at(first), 1200));
                return;
            }
            if arity == 2
                && let Some(definition) = self.operators.infix(name)
            {
                self.infix(name, definition, first, priority, tasks);
                return;
            }
            if arity == 1
                && let Some(definition) = self.operators.prefix(name)
            {
                self.prefix(name, definition, first, priority, tasks);
                return;
            }
            if arity == 1
                && let Some(definition) = self.operators.postfix(name)
            {
                self.open(definition.priority > priority, tasks);
                tasks.push(Task::Name(name, false));
                tasks.push(Task::Term(self.store.at(first), definition.left()));
                return;
            }
        }
        self.name(name, false);
        self.out.push('(');
        self.after_prefix = false;
        tasks.push(Task::Arguments(first, arity));
    }

    /// Opens a bracket now and closes it after the tasks that will be pushed next.
    fn open(&mut self, needed: bool, tasks: &mut Vec<Task>) {
        if needed {
            self.token("(");
            tasks.push(Task::Text(")"));
        }
    }

    fn infix(
        &mut self,
        name: Atom,
        definition: OperatorDefinition,
        first: usize,
        priority: u16,
        tasks: &mut Vec<Task>,
    ) {
        self.open(definition.priority > priority, tasks);
        tasks.push(Task::Term(self.store.at(first + 1), definition.right()));
        match name {
            atom::COMMA => tasks.push(Task::Text(",")),
            _ if self.is_spaced(name) => {
                tasks.push(Task::Text(" "));
                tasks.push(Task::Name(name, false));
                tasks.push(Task::Text(" "));
            }
            _ => tasks.push(Task::Name(name, false)),
        }
        tasks.push(Task::Term(self.store.at(first), definition.left()));
    }

    /// Operators made of letters, and the arrows and necks of clauses, stand between spaces.
    fn is_spaced(&self, name: Atom) -> bool {
        matches!(name, atom::ARROW | atom::NECK | atom::DCG_ARROW | atom::SOFT_ARROW | atom::IMPLIES)
            || self.atoms.text(name).starts_with(char::is_alphabetic)
    }

    fn prefix(
        &mut self,
        name: Atom,
        definition: OperatorDefinition,
        first: usize,
        priority: u16,
        tasks: &mut Vec<Task>,
    ) {
        self.open(definition.priority > priority, tasks);
        self.name(name, false);
        let operand = self.store.deref(self.store.at(first));
        // `- 1` is a structure and `-1` a number; an operator as operand must not take over the prefix.
        let number = matches!(operand.tag(), Tag::Int | Tag::Box) && matches!(name, atom::MINUS | atom::PLUS);
        let operator = operand.tag() == Tag::Atm && self.operators.is_operator(operand.as_atom());
        if number || operator {
            self.out.push(' ');
        }
        self.after_prefix = true;
        let right = definition.right();
        tasks.push(Task::Term(operand, right));
    }

    fn name(&mut self, name: Atom, _operand: bool) {
        if self.options.quoted {
            let text = quoted_atom(self.atoms.text(name));
            self.token(&text);
        } else {
            let text = self.atoms.shared_text(name);
            self.token(&text);
        }
    }

    /// Appends a token, behind a space if it would run into the one before.
    fn token(&mut self, text: &str) {
        let Some(first) = text.chars().next() else { return };
        if let Some(last) = self.out.chars().next_back() {
            let glued = (is_alphanumeric(last) && is_alphanumeric(first))
                || (is_symbol(last) && is_symbol(first))
                || (self.after_prefix && first == '(');
            if glued {
                self.out.push(' ');
            }
        }
        self.after_prefix = false;
        self.out.push_str(text);
    }
}

/// The text of a number as it is read back.
fn number_text(number: &Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Big(value) => value.to_string(),
        Number::Float(value) => format_float(*value),
    }
}

/// The shortest text that reads back as the same float, always with a point or an exponent.
#[must_use]
pub fn format_float(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if value.is_nan() {
        return "nan".to_owned();
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e15).contains(&magnitude) {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let (sign, digits) = exponent.strip_prefix('-').map_or(("+", exponent), |digits| ("-", digits));
        return format!("{mantissa}{point}e{sign}{digits:0>2}");
    }
    let text = value.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// The name of the numbered variable: a letter, and from 26 on a number behind it.
fn variable_name(number: u64) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// Characters of symbol atoms.
pub(crate) fn is_symbol(character: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(character)
}

/// Characters of names and numbers.
pub(crate) fn is_alphanumeric(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// The text of an atom with quotes if reading it back needs them.
#[must_use]
pub fn quoted_atom(text: &str) -> String {
    let mut characters = text.chars();
    let bare = match characters.next() {
        None => false,
        Some(first) if first.is_lowercase() => characters.all(is_alphanumeric),
        Some(first) if is_symbol(first) => {
            characters.all(is_symbol) && text != "." && !text.starts_with("/*")
        }
        Some(_) => matches!(text, "[]" | "{}" | "!" | ";"),
    };
    if bare {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for character in text.chars() {
        match character {
            '\'' => quoted.push_str("\\'"),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\u{b}' => quoted.push_str("\\v"),
            '\0' => quoted.push_str("\\0\\"),
            control if control.is_control() => quoted.push_str(&format!("\\x{:x}\\", u32::from(control))),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}

/// The kind of operator, for messages.
impl std::fmt::Display for OperatorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
