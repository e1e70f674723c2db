//! Where the parts of a term stand in the text, as the terms that SWI-Prolog's `subterm_positions(-Positions)` gives:
//! `From-To` for variables and constants, `string_position(From, To)`, `list_position(From, To, Elements, Tail)`,
//! `brace_term_position(From, To, Inner)`, `parentheses_term_position(From, To, Inner)` and
//! `term_position(From, To, FunctorFrom, FunctorTo, Arguments)` for any other compound term.
//!
//! They are made in the store while the term is read, so terms of any depth have them. Places count characters.

use crate::base::Span;
use crate::term::{Atom, Atoms, Cell, Store, atom};

/// What a reader needs to tell where things stand.
pub(super) struct Layout {
    /// How many characters stand in front of a byte of the text, which moves along.
    known: (usize, usize),
    term: Atom,
    string: Atom,
    list: Atom,
    braces: Atom,
    brackets: Atom,
    none: Atom,
}

impl Layout {
    /// The byte of the text at which the reader starts has so many characters in front of it.
    pub(super) fn new(atoms: &mut Atoms, start: usize, characters: usize) -> Self {
        let [term, string, list, braces, brackets, none] = [
            "term_position",
            "string_position",
            "list_position",
            "brace_term_position",
            "parentheses_term_position",
            "none",
        ]
        .map(|name| atoms.intern(name));
        Self { known: (start, characters), term, string, list, braces, brackets, none }
    }

    /// A byte of the text as a number of characters. Costs the distance from the last one.
    fn place(&mut self, text: &str, byte: usize) -> Cell {
        let (known, characters) = self.known;
        let count = |from: usize, to: usize| text.get(from..to).map_or(0, |part| part.chars().count());
        let characters = if byte < known {
            characters.saturating_sub(count(byte, known))
        } else {
            characters + count(known, byte)
        };
        self.known = (byte, characters);
        Cell::count(characters)
    }

    fn ends(&mut self, text: &str, span: Span) -> [Cell; 2] {
        [self.place(text, span.start), self.place(text, span.end)]
    }

    /// A variable or a constant.
    pub(super) fn constant(&mut self, store: &mut Store, text: &str, span: Span) -> Cell {
        let ends = self.ends(text, span);
        store.compound(atom::MINUS, &ends)
    }

    /// A text in quotes that is no atom.
    pub(super) fn string(&mut self, store: &mut Store, text: &str, span: Span) -> Cell {
        let ends = self.ends(text, span);
        store.compound(self.string, &ends)
    }

    /// A list.
    pub(super) fn list(
        &mut self,
        store: &mut Store,
        text: &str,
        span: Span,
        elements: &[Cell],
        tail: Option<Cell>,
    ) -> Cell {
        let [from, to] = self.ends(text, span);
        let elements = store.list(elements, Cell::atom(atom::NIL));
        store.compound(self.list, &[from, to, elements, tail.unwrap_or(Cell::atom(self.none))])
    }

    /// What stands in curly brackets.
    pub(super) fn braces(&mut self, store: &mut Store, text: &str, span: Span, inner: Cell) -> Cell {
        let [from, to] = self.ends(text, span);
        store.compound(self.braces, &[from, to, inner])
    }

    /// What stands in brackets.
    pub(super) fn brackets(&mut self, store: &mut Store, text: &str, span: Span, inner: Cell) -> Cell {
        let [from, to] = self.ends(text, span);
        store.compound(self.brackets, &[from, to, inner])
    }

    /// A compound term that starts and ends with its functor or its outermost arguments.
    pub(super) fn compound(
        &mut self,
        store: &mut Store,
        text: &str,
        (span, functor): (Span, Span),
        arguments: &[Cell],
    ) -> Cell {
        let [from, to] = self.ends(text, span);
        let [functor_from, functor_to] = self.ends(text, functor);
        let arguments = store.list(arguments, Cell::atom(atom::NIL));
        store.compound(self.term, &[from, to, functor_from, functor_to, arguments])
    }
}
