//! What Rust programs do, and how they end.
use reprise_symexec::{any, assume};
use std::collections::{BTreeMap, HashMap};

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(u32),
    Plus,
}

fn tokens(text: &[u8]) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    for byte in text {
        match byte {
            b'0'..=b'9' => found.push(Token::Number(u32::from(byte - b'0'))),
            b'+' => found.push(Token::Plus),
            other => return Err(format!("unexpected byte {}", if *other == 0 { "zero" } else { "other" })),
        }
    }
    Ok(found)
}

fn sum(tokens: &[Token]) -> Option<u32> {
    let (first, rest) = tokens.split_first()?;
    let mut total = match first {
        Token::Number(n) => *n,
        Token::Plus => return None,
    };
    for pair in rest.chunks(2) {
        match pair {
            [Token::Plus, Token::Number(n)] => total += n,
            _ => return None,
        }
    }
    Some(total)
}

fn parser() {
    let text: [u8; 3] = any("text");
    match tokens(&text) {
        Err(message) => assert!(message.starts_with("unexpected")),
        Ok(tokens) => {
            if let Some(total) = sum(&tokens) {
                assert!(total <= 18 && text[1] == b'+');
            }
        }
    }
}

fn collections() {
    let key: u8 = any("key");
    assume(key < 3);
    let mut map = HashMap::new();
    let mut tree = BTreeMap::new();
    for (index, name) in ["zero", "one", "two"].iter().enumerate() {
        map.insert(index as u8, name.to_string());
        tree.insert(*name, index as u8);
    }
    // Known keys, an unknown value: hashes of unknown keys are for solvers with time.
    map.insert(7, if key == 1 { "one".to_string() } else { "other".to_string() });
    let name = &map[&7];
    assert_eq!(map.len(), 4);
    assert_eq!(tree.get(name.as_str()).copied(), if key == 1 { Some(1) } else { None });
    let boxed: Box<dyn Fn(u8) -> u8> = Box::new(move |x| x + key);
    assert!(boxed(1) == key + 1);
}

fn failures() {
    let list = vec![1u8, 2, 3];
    let x: u8 = any("x");
    let option = if x > 3 { Some(x) } else { None };
    match any::<u8>("which") {
        0 => drop(list[usize::from(x)]),
        1 => drop(x + 100),
        2 => drop(option.unwrap()),
        3 => drop(10 / x),
        4 => drop(std::str::from_utf8(&[x]).expect("a text")),
        5 => assert!(x != 77, "x is {}", x),
        6 => drop(&list[2..usize::from(x)]),
        7 => unreachable!(),
        _ => {}
    }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("parser") => parser(),
        Some("collections") => collections(),
        Some("failures") => failures(),
        _ => println!("parser, collections or failures?"),
    }
}
