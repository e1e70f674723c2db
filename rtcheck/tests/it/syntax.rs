//! What text reads as, and how it is written again: the table `syntax.txt`.

use rtcheck::read::{Flags, Parser};
use rtcheck::term::{Atoms, Operators, Store, WriteOptions, Writer};

/// A text read and written with quotes, or the message of the syntax error.
fn read(text: &str, strict: bool) -> Result<String, String> {
    let mut atoms = Atoms::new();
    let operators = Operators::new(&mut atoms);
    let mut store = Store::new();
    let mut parser = Parser::new(text, 0, Flags { strict, ..Flags::default() });
    match parser.read(&mut store, &mut atoms, &operators) {
        Ok(Some(read)) => {
            Ok(Writer::new(&store, &atoms, &operators, WriteOptions::QUOTED).text(read.term, 1200))
        }
        Ok(None) => Ok(String::new()),
        Err(error) => {
            let span = error.span;
            assert!(text.get(span.start..span.end).is_some(), "{text:?}: {span:?} is outside the text");
            Err(error.message)
        }
    }
}

/// Texts, what they read as, and whether strict reading does so too.
fn cases() -> impl Iterator<Item = (String, &'static str, bool)> {
    include_str!("syntax.txt").lines().filter(|line| !(line.is_empty() || line.starts_with("# "))).map(
        |line| {
            let (line, strict) = line.strip_prefix("@@ ").map_or((line, true), |line| (line, false));
            let (text, expected) = line.split_once(" || ").expect("a case has two parts");
            (text.replace('¶', "\n").replace('→', "\t"), expected, strict)
        },
    )
}

#[test]
fn text_reads_as_the_standard_says() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (text, expected, strict) in cases() {
        count += 1;
        // The blank in front of the full stop is there for texts that end with a symbol.
        let found = read(&format!("{text} ."), strict);
        if !strict && read(&format!("{text} ."), true).is_ok() {
            wrong.push(format!("{text}\n  is no extension"));
        }
        let right = match (expected.strip_prefix("error"), &found) {
            (Some(part), Err(message)) => message.contains(part.trim()),
            (None, Ok(written)) => written == expected,
            _ => false,
        };
        if !right {
            wrong.push(format!("{text}\n  expected {expected}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300, "{count}");
}

#[test]
fn what_is_written_with_quotes_reads_back_as_the_same_term() {
    for (text, expected, strict) in cases() {
        if !expected.starts_with("error") && !text.contains("$VAR") {
            let again = read(&format!("{expected} ."), strict).expect("it was written");
            assert_eq!(again, expected, "{text}");
            // The same with every operator written as a functor, which tells terms apart that look alike.
            assert_eq!(canonical(&text), canonical(expected), "{text}");
        }
    }
}

fn canonical(text: &str) -> String {
    let mut atoms = Atoms::new();
    let operators = Operators::new(&mut atoms);
    let mut store = Store::new();
    let text = format!("{text} .");
    let mut parser = Parser::new(&text, 0, Flags::default());
    let read = parser.read(&mut store, &mut atoms, &operators).expect("it is a term").expect("there is one");
    Writer::new(&store, &atoms, &operators, WriteOptions::CANONICAL).text(read.term, 1200)
}

#[test]
fn outside_strict_reading_operators_above_999_may_be_arguments() {
    for (text, expected) in [
        ("f(a:-b)", "f((a:-b))"),
        ("[a:-b|c]", "[(a:-b)|c]"),
        ("[a:-b,c-->d]", "[(a:-b),(c-->d)]"),
        ("f(:-a)", "f((:-a))"),
        ("[:-a,b]", "[(:-a),b]"),
        ("f(a|b)", "f((a|b))"),
        ("f((a:-b),c)", "f((a:-b),c)"),
        ("f(dynamic foo)", "f((dynamic foo))"),
        // What may be an operand is one.
        ("f(data-a)", "f((data)-a)"),
        ("f(:- , a)", "f(:-,a)"),
        ("[dynamic|a]", "[dynamic|a]"),
        ("f(dynamic = a)", "f((dynamic)=a)"),
    ] {
        assert_eq!(read(&format!("{text} ."), false).as_deref(), Ok(expected), "{text}");
    }
}
