//! What must be true of the reader whatever it is fed. Shared by the fuzz target and a test with altered texts.

use rtcheck::read::{Flags, Parser};
use rtcheck::term::{Atoms, Cell, Operators, Store, WriteOptions, Writer, clause_names};

/// Like `write_canonical/1`, or with operators.
fn text(store: &Store, atoms: &Atoms, operators: &Operators, term: Cell, canonical: bool) -> String {
    let options =
        WriteOptions { ignore_operators: canonical, number_variables: false, ..WriteOptions::QUOTED };
    let names = clause_names(store, term);
    Writer::new(store, atoms, operators, options).names(&names).text(term, 1200)
}

/// Reads a text to its end. Returns how many terms and how many errors there were.
///
/// # Panics
/// The reader stands still, speaks of a place outside the text, or reads a term whose own text it reads otherwise.
pub(crate) fn read_all(input: &str) -> (usize, usize) {
    let mut atoms = Atoms::new();
    let operators = Operators::new(&mut atoms);
    let mut store = Store::new();
    let mut parser = Parser::new(input, 0, Flags::default());
    let (mut terms, mut errors) = (0, 0);
    loop {
        let before = parser.position();
        let result = parser.read(&mut store, &mut atoms, &operators);
        assert!(parser.position() <= input.len(), "the reader left the text");
        let span = match result {
            Ok(None) => return (terms, errors),
            Ok(Some(read)) => {
                terms += 1;
                read_again(&mut store, &mut atoms, &operators, read.term);
                read.span
            }
            Err(error) => {
                errors += 1;
                assert!(!error.message.is_empty());
                error.span
            }
        };
        assert!(input.get(span.start..span.end).is_some(), "{span:?} is no place in the text {input:?}");
        assert!(parser.position() > before, "the reader stands still at {before} in {input:?}");
    }
}

fn read_again(store: &mut Store, atoms: &mut Atoms, operators: &Operators, term: Cell) {
    let written = text(store, atoms, operators, term, false);
    let closed = format!("{written} .");
    let mut parser = Parser::new(&closed, 0, Flags::default());
    let again = parser.read(store, atoms, operators).ok().flatten().map(|read| read.term);
    assert!(again.is_some(), "{written:?} was written and does not read");
    let Some(again) = again else { return };
    let (first, second) =
        (text(store, atoms, operators, term, true), text(store, atoms, operators, again, true));
    assert_eq!(first, second, "{written:?} reads as another term");
}
