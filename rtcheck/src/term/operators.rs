//! The table of operators.

use super::{Atom, Atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where an operator stands and which of its sides may hold an operator of the same priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperatorKind {
    /// Infix, neither side.
    Xfx,
    /// Infix, the right side.
    Xfy,
    /// Infix, the left side.
    Yfx,
    /// Prefix, not the argument.
    Fx,
    /// Prefix, the argument as well.
    Fy,
    /// Postfix, not the argument.
    Xf,
    /// Postfix, the argument as well.
    Yf,
}

impl OperatorKind {
    /// The name in `op/3`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Xfx => "xfx",
            Self::Xfy => "xfy",
            Self::Yfx => "yfx",
            Self::Fx => "fx",
            Self::Fy => "fy",
            Self::Xf => "xf",
            Self::Yf => "yf",
        }
    }

    /// The kind of a name in `op/3`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Xfx, Self::Xfy, Self::Yfx, Self::Fx, Self::Fy, Self::Xf, Self::Yf]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Whether the operator stands before its argument.
    #[must_use]
    pub fn is_prefix(self) -> bool {
        matches!(self, Self::Fx | Self::Fy)
    }

    /// Whether the operator stands between its arguments.
    #[must_use]
    pub fn is_infix(self) -> bool {
        matches!(self, Self::Xfx | Self::Xfy | Self::Yfx)
    }

    fn place(self) -> usize {
        match self {
            Self::Fx | Self::Fy => 0,
            Self::Xfx | Self::Xfy | Self::Yfx => 1,
            Self::Xf | Self::Yf => 2,
        }
    }
}

/// An operator: its priority (1 to 1200) and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorDefinition {
    /// 1 binds tightest.
    pub priority: u16,
    /// Place and associativity.
    pub kind: OperatorKind,
}

impl OperatorDefinition {
    /// The largest priority of the argument to the left.
    #[must_use]
    pub fn left(self) -> u16 {
        match self.kind {
            OperatorKind::Yfx | OperatorKind::Yf => self.priority,
            _ => self.priority - 1,
        }
    }

    /// The largest priority of the argument to the right.
    #[must_use]
    pub fn right(self) -> u16 {
        match self.kind {
            OperatorKind::Xfy | OperatorKind::Fy => self.priority,
            _ => self.priority - 1,
        }
    }
}

/// All operators: an atom may be one of each of prefix, infix and postfix.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    table: FxHashMap<Atom, [Option<OperatorDefinition>; 3]>,
    /// Those among the first ones that the standard does not have, as long as a program has not defined them.
    beyond_standard: FxHashSet<Atom>,
    /// Those that declarations alone are written with, as long as a program has not defined them: `@(true)` is read from
    /// `@ true` too, but written as it is elsewhere.
    of_declarations: FxHashSet<Atom>,
}

/// ISO's operators.
const STANDARD: &[&str] = &[
    ":-", "-->", "?-", ";", "|", "->", ",", "\\+", "=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>=", "=..",
    "is", "=:=", "=\\=", "<", ">", "=<", ">=", "+", "-", "/\\", "\\/", "*", "/", "//", "rem", "mod", "div",
    "<<", ">>", "**", "^", "\\",
];

/// ISO's operators, and those of Ciao's assertion language.
const INITIAL: &[(u16, OperatorKind, &[&str])] = &[
    (1200, OperatorKind::Xfx, &[":-", "-->", "=>", "==>"]),
    (1200, OperatorKind::Fx, &[":-", "?-"]),
    (1100, OperatorKind::Xfy, &[";", "|"]),
    (1050, OperatorKind::Xfy, &["->", "*->"]),
    (1000, OperatorKind::Xfy, &[","]),
    (990, OperatorKind::Xfx, &[":="]),
    (900, OperatorKind::Fy, &["\\+"]),
    (
        700,
        OperatorKind::Xfx,
        &[
            "=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>=", "=..", "is", "=:=", "=\\=", "<", ">", "=<",
            ">=", "=@=", "\\=@=", "as", ">:<", ":<",
        ],
    ),
    (500, OperatorKind::Yfx, &["+", "-", "/\\", "\\/", "xor"]),
    (400, OperatorKind::Yfx, &["*", "/", "//", "rem", "mod", "div", "rdiv", "<<", ">>"]),
    (200, OperatorKind::Xfx, &["**"]),
    (200, OperatorKind::Xfy, &["^"]),
    (200, OperatorKind::Fy, &["-", "+", "\\"]),
    (
        1150,
        OperatorKind::Fx,
        &["dynamic", "discontiguous", "initialization", "multifile", "data", "meta_predicate", "table"],
    ),
    // What the assertion language uses inside a declaration. Its kinds and statuses (`pred`, `check`, ...) are
    // words that the reader takes for operators only at the start of a directive, since as operators
    // everywhere they would need parentheses as ordinary atoms.
    (978, OperatorKind::Xfx, &["::"]),
    (550, OperatorKind::Xfy, &[":"]),
    (500, OperatorKind::Yfx, &["#"]),
    (200, OperatorKind::Fy, &["@", "?"]),
    (1, OperatorKind::Fx, &["$"]),
];

/// Those of [`INITIAL`] that stand in declarations only.
const OF_DECLARATIONS: &[&str] = &["::", "#", "@", "?"];

impl Operators {
    /// The operators that a program starts with.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> Self {
        let mut operators = Self::default();
        for &(priority, kind, names) in INITIAL {
            for name in names {
                operators.define(atoms.intern(name), OperatorDefinition { priority, kind });
            }
        }
        let names = INITIAL.iter().flat_map(|&(_, _, names)| names);
        operators.beyond_standard =
            names.filter(|name| !STANDARD.contains(name)).map(|name| atoms.intern(name)).collect();
        operators.of_declarations = OF_DECLARATIONS.iter().map(|name| atoms.intern(name)).collect();
        operators
    }

    /// Defines an operator; priority 0 removes it.
    pub fn define(&mut self, name: Atom, definition: OperatorDefinition) {
        self.beyond_standard.remove(&name);
        self.of_declarations.remove(&name);
        let entry = &mut self.table.entry(name).or_default()[definition.kind.place()];
        *entry = (definition.priority > 0).then_some(definition);
    }

    fn get(&self, name: Atom, place: usize) -> Option<OperatorDefinition> {
        self.table.get(&name)?[place]
    }

    /// The atom as a prefix operator.
    #[must_use]
    pub fn prefix(&self, name: Atom) -> Option<OperatorDefinition> {
        self.get(name, 0)
    }

    /// The atom as an infix operator.
    #[must_use]
    pub fn infix(&self, name: Atom) -> Option<OperatorDefinition> {
        self.get(name, 1)
    }

    /// The atom as a postfix operator.
    #[must_use]
    pub fn postfix(&self, name: Atom) -> Option<OperatorDefinition> {
        self.get(name, 2)
    }

    /// Whether terms with the atom as an operator are written with it.
    #[must_use]
    pub(crate) fn is_written(&self, name: Atom) -> bool {
        !self.of_declarations.contains(&name)
    }

    /// Whether the atom is an operator that may stand behind an operand.
    #[must_use]
    pub fn is_infix_or_postfix(&self, name: Atom) -> bool {
        self.infix(name).or(self.postfix(name)).is_some()
    }

    /// Whether the atom is an operator of any kind.
    #[must_use]
    pub fn is_operator(&self, name: Atom) -> bool {
        self.table.get(&name).is_some_and(|places| places.iter().any(Option::is_some))
    }

    /// Whether the atom is an operator for the standard too: one of its own, or one that the program defined.
    #[must_use]
    pub fn is_standard_operator(&self, name: Atom) -> bool {
        self.is_operator(name) && !self.beyond_standard.contains(&name)
    }

    /// What an atom is as an operator.
    pub fn of(&self, name: Atom) -> impl Iterator<Item = OperatorDefinition> + '_ {
        self.table.get(&name).into_iter().flatten().flatten().copied()
    }

    /// What has to be defined to make another table this one, in no order; priority 0 where something is no operator
    /// here.
    pub(crate) fn changes_from(&self, other: &Self) -> Vec<(Atom, OperatorDefinition)> {
        let changed = |here: Option<OperatorDefinition>, there: Option<OperatorDefinition>| {
            let removed = || there.map(|there| OperatorDefinition { priority: 0, ..there });
            if here == there { None } else { here.or_else(removed) }
        };
        self.table
            .iter()
            .flat_map(|(&name, places)| {
                let before = other.table.get(&name).copied().unwrap_or_default();
                let changes =
                    places.iter().zip(before).filter_map(move |(&here, there)| changed(here, there));
                changes.map(move |definition| (name, definition))
            })
            .collect()
    }

    /// This table with some definitions.
    pub(crate) fn with(&self, changes: &[(Atom, OperatorDefinition)]) -> Self {
        let mut table = self.clone();
        for &(name, definition) in changes {
            table.define(name, definition);
        }
        table
    }

    /// The atoms that are operators or were some, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = Atom> {
        self.table.keys().chain(&self.beyond_standard).copied()
    }

    /// All operators in the order of their atoms' texts.
    #[must_use]
    pub fn all(&self, atoms: &Atoms) -> Vec<(Atom, OperatorDefinition)> {
        let mut all: Vec<_> = self
            .table
            .iter()
            .flat_map(|(&name, places)| places.iter().flatten().map(move |&definition| (name, definition)))
            .collect();
        all.sort_by_key(|&(name, definition)| (atoms.text(name).to_owned(), definition.kind));
        all
    }
}
