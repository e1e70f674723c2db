//! The types and terms that generated programs are made of.

/// A regular type; what it is made of are [`Element`]s.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// `[]`, or an element in front of a list.
    List(Element),
    /// The library's `list`, as a type of its own name.
    Library(Element),
    /// `leaf`, or `node(Left, Element, Right)`.
    Tree(Element),
    /// `z`, or `s(Chain)`.
    Chain,
    /// `pair(One, Other)`.
    Pair(Element, Element),
    /// `none`, or `some(Element)`.
    Option(Element),
    /// `rose(Element, Children)`: recursive through the library's `list`.
    Rose(Element),
    /// `nil`, or `cons(Item, Sequence)`: parametric in its items, used with this parameter.
    Sequence(Element),
}

/// What a type is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Integer,
    Atom,
    /// Strings, whose texts are those of atoms.
    Text,
    Ground,
    Any,
    /// Type number so many of the case.
    Type(usize),
}

/// A term of a program.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Variable(usize),
    Integer(usize),
    Compound(&'static str, Vec<Term>),
}

/// A term whose variables have such names.
pub(super) fn term_named(value: &Term, name: &dyn Fn(usize) -> String) -> String {
    let all = |arguments: &[Term]| arguments.iter().map(|one| term_named(one, name)).collect::<Vec<_>>();
    match value {
        Term::Variable(index) => name(*index),
        Term::Integer(number) => number.to_string(),
        Term::Compound(name, arguments) if arguments.is_empty() => (*name).to_owned(),
        Term::Compound("[|]", arguments) => format!("[{}]", all(arguments).join("|")),
        Term::Compound(name, arguments) => format!("{name}({})", all(arguments).join(", ")),
    }
}
